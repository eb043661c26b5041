"""Remote files: list and read files behind URLs with fsspec.

Protocols and credentials are configured in fsspec: it reads the environment and the files of its
packages. Every error is reported as one line without credentials. An archive is fetched once into a
temporary file, because several processes read its members one by one.

Servers may be slow, silent or malicious. So each request runs in another thread, and `_run_in_time`
waits for it only while bytes arrive at a sensible rate.
"""

from __future__ import annotations

import atexit
import os
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from itertools import count
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from bganalyze.files.addresses import HIDDEN, Address, get_archive_extension, hide_credentials_in
from bganalyze.files.limits import (
    MEMBER_LIMIT,
    TOTAL_LIMIT,
    UnreadableError,
    check_size,
    reason,
)
from bganalyze.record.not_a_transcript import LIMIT

if TYPE_CHECKING:
    from aiohttp import ClientTimeout

TIMEOUT = 30
"""Seconds to wait for an answer of a server, or for its next bytes."""

PATIENCE = 60.0
"""Seconds allowed for a file or for the list of a folder."""

RATE = 50_000
"""Bytes of a file that add one second to the time allowed."""

PATTERN_PATIENCE = 600.0
"""Seconds allowed for finding the matches of a pattern, which lists many folders."""

MOST_SILENCES = 3
"""Timeouts in a row after which a server is not asked again."""

FOLDER_LIMIT = 10_000
"""Largest number of folders listed below one, at about 1 s each. A server may invent folders."""

DEPTH_LIMIT = 32
"""Depth to which folders are searched. A server may list a folder inside itself."""

_PIECE = 2**20
_NOT_THERE = (404, 410)
_LONGEST = 300
"""Characters shown of a message from a server or a package."""

_WEB = ("http://", "https://")
_CHAIN = "::"
"""Sign between URLs chained for fsspec, as in `simplecache::https://club.example/a.mat`.

A chain fetches and unpacks without a limit, and writes to places that the URL names.
"""
_CHAINED = "chained URLs are not supported: give the URL of the file or archive itself"
_MAGIC = re.compile(r"[*?\[]")
_MAGIC_OF_THE_WEB = re.compile(r"[*\[]")
_HOST_IN_BRACKETS = r"://(?:[^/@]*@)?\[[0-9A-Fa-f:.]*\]"
_PACKAGES = {"http": "aiohttp", "https": "aiohttp", "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs"}
"""Packages for protocols, where their names differ from the module that fsspec fails to import."""


class UnlistedFolder(NamedTuple):
    """A folder that cannot be listed, and the reason."""

    address: Address
    reason: str


def is_folder(address: Address) -> bool:
    """Whether a URL stands for several files: a folder, or a pattern such as `s3://club/*.mat`.

    False if the server does not answer.
    """
    return has_wildcards(address) or _is_folder_url(address.full)


@lru_cache(maxsize=256)
def _is_folder_url(url: str) -> bool:
    """Whether a URL without wildcards, but maybe with credentials, names a folder.

    A web folder's URL ends with a slash. Other servers are asked, once for each URL.
    """
    if url.startswith(_WEB):
        return url.partition("?")[0].endswith("/")
    try:
        address = Address(url)
        with _report_errors_in_one_line(address):
            return _run_in_time(address, lambda _: _is_folder_on_server(url))
    except UnreadableError:
        return False  # The result is cached, so a server that does not answer is asked only once.


def _is_folder_on_server(url: str) -> bool:
    """Return whether a server says that a URL, maybe with credentials, names a folder."""
    system, path = _find_file_system(url)
    return bool(system.isdir(path))


def has_wildcards(address: Address) -> bool:
    """Whether a URL is a pattern with wildcards, such as `s3://club/*.mat`."""
    magic = _MAGIC_OF_THE_WEB if address.name.startswith(_WEB) else _MAGIC
    return magic.search(_remove_ipv6_host(address.name).replace(HIDDEN, "")) is not None


def _remove_ipv6_host(url: str) -> str:
    """Return a URL without an IPv6 address as host, because brackets would look like a wildcard."""
    return re.sub(_HOST_IN_BRACKETS, "://", url)


def find_files_under(root: Address) -> Iterator[Address | UnlistedFolder]:
    """Yield the visible files in a remote folder, or those that match a URL with wildcards.

    Files are sorted by name. An `UnlistedFolder` says why the rest of a folder cannot be listed.
    """
    spent = _Spent()
    try:
        with _report_errors_in_one_line(root), spent:
            pending = _list_matches(root) if has_wildcards(root) else _list_folder(root)
    except UnreadableError as error:
        yield UnlistedFolder(root, str(error))
        return
    while pending:
        address, is_directory = pending.pop()
        if not is_directory:
            yield address
            continue
        if spent.is_used_up:
            yield UnlistedFolder(
                root, f"too many folders, or too slow: stopped after {spent.folders}"
            )
            return
        try:
            with _report_errors_in_one_line(address), spent:
                pending += _list_folder(address)
        except UnreadableError as error:
            yield UnlistedFolder(address, str(error))
        if len(pending) > MEMBER_LIMIT:
            yield UnlistedFolder(
                root, f"{len(pending)} files, more than the {MEMBER_LIMIT} allowed"
            )
            return


class _Spent:
    """Time that a listing has taken, and number of folders it has listed."""

    def __init__(self) -> None:
        self.folders = 0
        self._seconds = self._since = 0.0

    def __enter__(self) -> None:
        self._since = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.folders += 1
        self._seconds += time.monotonic() - self._since

    @property
    def is_used_up(self) -> bool:
        """Whether the listing has reached its limit of time or of folders."""
        return self.folders >= FOLDER_LIMIT or self._seconds > PATIENCE + self.folders


_Listing = list[tuple[Address, bool]]
"""Addresses in reverse order, each with whether it is a folder."""


def _list_folder(folder: Address) -> _Listing:
    """Return the visible files and folders in a remote folder, or raise TimeoutError."""
    return _run_in_time(folder, lambda _: _ask_for_entries(folder))


def _ask_for_entries(folder: Address) -> _Listing:
    """Ask the server which visible files and folders are in a folder."""
    system, root = _find_file_system(folder.full)
    path = root if folder.path is None else folder.path
    if folder.full.startswith(_WEB):
        path = path.partition("?")[0]  # The query would be read as part of the folder's name.
    if path.strip("/").count("/") > root.strip("/").count("/") + DEPTH_LIMIT:
        raise UnreadableError(f"more than {DEPTH_LIMIT} folders deep")
    return _make_listing(folder, path, system.ls(path, detail=True))


def _list_matches(pattern: Address) -> _Listing:
    """Return the remote files and folders that match a pattern, or raise TimeoutError."""
    return _run_in_time(pattern, lambda _: _ask_for_matches(pattern), PATTERN_PATIENCE)


def _ask_for_matches(pattern: Address) -> _Listing:
    """Ask the server which visible files and folders match a pattern."""
    if _remove_ipv6_host(pattern.full) != pattern.full:
        raise UnreadableError("wildcards do not work with an IPv6 host: name the folder instead")
    system, path = _find_file_system(pattern.full)
    name = pattern.name
    base = Address(pattern.full, None, _cut_before_wildcard(name) + pattern[len(name) :])
    return _make_listing(base, _cut_before_wildcard(path), system.glob(path, detail=True).values())


def _cut_before_wildcard(path: str) -> str:
    """Return the part of a path up to the last slash before its first wildcard.

    >>> _cut_before_wildcard("club/2024/*.mat")
    'club/2024/'
    """
    magic = _MAGIC.search(path)
    return path[: path.rfind("/", 0, magic.start() if magic else None) + 1]


def _make_listing(folder: Address, path_on_server: str, entries: Any) -> _Listing:
    """Return the visible ones of fsspec's `entries` for a remote folder, in reverse order.

    Each item is the address of a file or folder, and whether it is a folder.
    """
    listing: _Listing = []
    for entry in entries:
        name = str(entry["name"])[len(path_on_server) :].strip("/")
        parts = name.split("/")
        if name and "?" not in name and not any(part.startswith(".") for part in parts):
            address = folder.child(str(entry["name"]), name)
            listing.append((address, entry["type"] == "directory"))
    return sorted(listing, reverse=True)


def fetch_content(address: Address) -> bytes:
    """Return the content of the file at a URL; raise UnreadableError on failure."""
    with _report_errors_in_one_line(address):
        return _run_in_time(address, partial(_read_content, address))


def _read_content(address: Address, progress: _Progress) -> bytes:
    """Return the content of a remote file, but at most `LIMIT` + 1 bytes.

    `progress` counts the bytes as they arrive.
    """
    with _open_address(address) as file:
        check_size(getattr(file, "size", None) or 0)
        return b"".join(progress.count_pieces(_read_pieces(file, LIMIT + 1)))


_copying = threading.Lock()


def download_file(address: Address) -> str:
    """Download a remote file, unless this was done before, and return the path of the copy.

    The copy is deleted when the program ends. Raises UnreadableError if the download fails.
    """
    with _copying:
        return _download_once(address.full, address.path, address)


@cache
def _download_once(_url: str, _path_on_server: str | None, address: Address) -> str:
    """Download a remote file at the first call, and return the path of the temporary copy.

    `_url` (with credentials) and `_path_on_server` only serve as keys of the cache.
    """
    path = os.path.join(
        _get_temporary_folder(), f"{next(_numbers)}{get_archive_extension(address.name)}"
    )
    try:
        with _report_errors_in_one_line(address):
            _run_in_time(address, partial(_download_to, address, path))
    except BaseException:
        with suppress(OSError):
            os.remove(path)
        raise
    return path


def _download_to(address: Address, path: str, progress: _Progress) -> None:
    """Download a remote file to `path`, while `progress` counts the bytes.

    Raises UnreadableError if the file is too large.
    """
    with _open_address(address) as file, open(path, "xb") as copy:
        copy.writelines(progress.count_pieces(_read_pieces(file, TOTAL_LIMIT + 1)))
        if copy.tell() > TOTAL_LIMIT:
            limit = f"{TOTAL_LIMIT // 2**30} GiB"
            raise UnreadableError(f"larger than {limit}; download it yourself")


_numbers = count()


@lru_cache(maxsize=1)
def _get_temporary_folder() -> str:
    """Return the folder for temporary files, which is deleted when the program ends."""
    import shutil
    import tempfile  # Few runs fetch an archive.

    folder = tempfile.mkdtemp(prefix="bganalyze-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _read_pieces(file: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield a file in pieces of any size, but at most its first `most` bytes."""
    while most > 0 and (piece := file.read(min(_PIECE, most))):
        most -= len(piece)
        yield piece


def _open_address(address: Address) -> Any:
    """Open a remote file for reading."""
    system, path = _find_file_system(address.full)
    return system.open(path if address.path is None else address.path, "rb")


@lru_cache(maxsize=64)
def _find_file_system(url: str) -> tuple[Any, str]:
    """Return fsspec's file system for a URL, and the URL's path in it."""
    if url.startswith(_WEB):
        from bganalyze.files.web import Web

        return Web(
            client_kwargs={"timeout": _make_client_timeouts(), "auto_decompress": False}
        ), url
    if _CHAIN in url:
        raise UnreadableError(_CHAINED)
    from fsspec.core import url_to_fs

    system, path = url_to_fs(url)
    return system, str(path)


def _make_client_timeouts() -> ClientTimeout:
    """Return time limits for aiohttp: for connecting, and for each read."""
    from aiohttp import ClientTimeout

    return ClientTimeout(total=None, sock_connect=TIMEOUT, sock_read=TIMEOUT)


# Time.

_T = TypeVar("_T")


class _Progress:
    """Bytes of a remote file that have arrived, and the time left for the rest."""

    def __init__(self, patience: float) -> None:
        self.began = time.monotonic()
        self._patience = patience
        self.received = 0
        self.is_over = False
        """Whether the caller has stopped waiting."""

    @property
    def left(self) -> float:
        """Seconds left until the time limit."""
        until = self.began + self._patience + self.received / RATE
        return max(until - time.monotonic(), 0)

    def count_pieces(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        """Yield the pieces of a file while their bytes are counted, until the time limit."""
        for piece in pieces:
            if self.is_over:
                return
            self.received += len(piece)
            yield piece


_silences = Counter[str]()
"""Timeouts in a row of each server."""


def _run_in_time(
    address: Address, request: Callable[[_Progress], _T], seconds: float | None = None
) -> _T:
    """Call `request` in a thread and return its result, within a time limit.

    Raises TimeoutError after `seconds`, plus time for each byte received, and UnreadableError after
    several such errors of one server.
    """
    server = urlsplit(address.full.rpartition("::")[2]).netloc
    if _silences[server] >= MOST_SILENCES:
        raise UnreadableError(f"skipped: its server was too slow {MOST_SILENCES} times in a row")
    progress = _Progress(PATIENCE if seconds is None else seconds)
    outcomes = SimpleQueue[tuple[list[_T], BaseException | None]]()

    def run() -> None:
        """Put the result or the error of the request into the queue `outcomes`."""
        try:
            outcomes.put(([request(progress)], None))
        except BaseException as error:  # noqa: BLE001 - raised by the caller
            outcomes.put(([], error))

    threading.Thread(target=run, daemon=True).start()
    results, error = _wait_for_result(outcomes, progress)
    _silences[server] = _silences[server] + 1 if isinstance(error, TimeoutError) else 0
    if error is not None:
        raise error
    return results[0]


def _wait_for_result(
    outcomes: SimpleQueue[tuple[list[_T], BaseException | None]], progress: _Progress
) -> tuple[list[_T], BaseException | None]:
    """Return the result (in a list) and the error (or None) that a thread puts into `outcomes`.

    After the time limit of `progress`, the error is a TimeoutError.
    """
    while True:
        try:
            return outcomes.get(timeout=progress.left)
        except Empty:
            if progress.left:
                continue
            progress.is_over = True
            seconds = time.monotonic() - progress.began
            return [], _TooSlowError(
                f"too slow: given up after {seconds:.0f} seconds and {progress.received} bytes"
            )


class _TooSlowError(TimeoutError):
    """A server that sends too slowly; the message is for the user."""


# Errors in one line.


@contextmanager
def _report_errors_in_one_line(address: Address) -> Iterator[None]:
    """Turn any error in a `with` block into an UnreadableError of one line, without credentials."""
    try:
        yield
    except UnreadableError:
        raise
    except Exception as error:  # noqa: BLE001 - every protocol has errors of its own
        raise UnreadableError(_write_error_message(error, address)) from None


def _write_error_message(error: BaseException, address: Address) -> str:
    """Return the message about an error at an address, on one line and without credentials."""
    cause = error.__cause__
    is_about_web = isinstance(cause, OSError) or _describe_http_status(cause)
    if isinstance(error, FileNotFoundError) and cause is not None and is_about_web:
        return _write_error_message(
            cause, address
        )  # fsspec raises this for any answer of a web server.
    if isinstance(error, ImportError):
        return _explain_missing_package(error, address.full.partition(":")[0])
    if isinstance(error, _TooSlowError):
        return str(error)
    if isinstance(error, TimeoutError):
        return f"no answer within {TIMEOUT} seconds"
    if isinstance(error, PermissionError):
        return "access denied"
    if answer := _describe_server_error(error):
        return answer
    if isinstance(error, ConnectionError) or hasattr(error, "os_error"):
        return f"no connection ({reason(error)})"
    is_of_the_system = isinstance(error, OSError) and error.strerror
    if address.is_secret and not is_of_the_system:
        return f"{type(error).__name__} (details hidden: the URL contains credentials)"
    words = " ".join(hide_credentials_in(reason(error)).split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."


def _describe_server_error(error: BaseException) -> str:
    """Return a message if the server refused or answered wrongly, or "" for other errors."""
    if isinstance(error, FileNotFoundError) or getattr(error, "status", 0) in _NOT_THERE:
        return "No such file or directory"
    if type(error).__name__ in _BROKEN:
        return _BROKEN[type(error).__name__]
    if type(error.__cause__).__module__ == "aiohttp.http_exceptions":
        return "the server's answer is not valid HTTP"
    return (
        f"the server answers {_describe_http_status(error)}"[:_LONGEST]
        if _describe_http_status(error)
        else ""
    )


_BROKEN = {
    "ClientPayloadError": "the server sent an incomplete or broken answer",
    "ServerDisconnectedError": "the server closed the connection",
    "TooManyRedirects": "the server redirects too often",
    "NonHttpUrlRedirectClientError": "the server redirects to an address that is not on the web",
    "InvalidUrlRedirectClientError": "the server redirects to an invalid address",
}


def _describe_http_status(error: BaseException | None) -> str:
    """Return the HTTP status in an error, such as `403 Forbidden`, else ""."""
    status, message = getattr(error, "status", None), getattr(error, "message", "")
    return f"{status} {message}".rstrip() if isinstance(status, int) else ""


def _explain_missing_package(error: ImportError, scheme: str) -> str:
    """Return the message that a package is missing for URLs of a scheme, such as `s3`."""
    from bganalyze.packages import FSSPEC, how_to_add

    missing = error.name or getattr(error.__cause__, "name", None) or ""
    if missing == "fsspec":
        return f"URLs need the package fsspec: {how_to_add(FSSPEC)}"
    package = _PACKAGES.get(scheme, missing.partition(".")[0]) or f"fsspec[{scheme}]"
    return f"{scheme}:// needs the package {package}: {how_to_add(package)}"
