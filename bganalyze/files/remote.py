"""Files behind URLs, by fsspec: what lies under one, and its bytes.

How a protocol is set up, and by which credentials, is fsspec's business: the environment and the
files that its packages read. Whatever goes wrong is one line, in which no credential is shown. An
archive is fetched once into a temporary file, for its members are read one by one, and by several
processes.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import count
from typing import IO, Any, NamedTuple

from bganalyze.files.addresses import HIDDEN, Address, shown_in
from bganalyze.files.archives import archive_ending
from bganalyze.files.limits import TOTAL_LIMIT, UnreadableError, check_size, reason
from bganalyze.packages import FSSPEC, install_command
from bganalyze.transcript.refused import LIMIT

TIMEOUT = 30
"""Seconds without an answer after which a server is given up."""

DEPTH_LIMIT = 32
"""How many folders deep is looked: a server may list its own folder in every folder."""

_PIECE = 2**20
_NOT_THERE = (404, 410)
_LONGEST = 300
"""How many characters of somebody else's message are shown."""

_WEB = ("http://", "https://")
_MAGIC = re.compile(r"[*?\[]")
_MAGIC_OF_THE_WEB = re.compile(r"[*\[]")
_PACKAGES = {"http": "aiohttp", "https": "aiohttp", "s3": "s3fs", "s3a": "s3fs", "gs": "gcsfs"}
"""The packages that fsspec needs for a protocol, where they are called otherwise than what it misses."""


class Unlisted(NamedTuple):
    """A place that cannot be looked into, and why."""

    address: Address
    reason: str


def is_folder(address: Address) -> bool:
    """Whether files are found under an address: a folder, or a pattern such as `s3://club/*.mat`.

    On the web that is what ends with a slash. Of what cannot be looked at, it is told when it is read.
    """
    return is_pattern(address) or _is_folder(address.full)


@lru_cache(maxsize=256)
def _is_folder(full: str) -> bool:
    if full.startswith(_WEB):
        return full.partition("?")[0].endswith("/")
    try:
        with _told(Address(full)):
            system, path = _system(full)
            return bool(system.isdir(path))
    except UnreadableError:
        return False  # A server that does not answer is not asked again.


def is_pattern(address: Address) -> bool:
    """Whether an address stands for those that match it, as `s3://club/*.mat`."""
    magic = _MAGIC_OF_THE_WEB if address.name.startswith(_WEB) else _MAGIC
    return magic.search(address.name.replace(HIDDEN, "")) is not None


def files_under(root: Address) -> Iterator[Address | Unlisted]:
    """Yield the files under a folder or a pattern, by name; not those that are hidden."""
    try:
        with _told(root):
            pending = _matching(root) if is_pattern(root) else _listed(root)
    except UnreadableError as error:
        yield Unlisted(root, str(error))
        return
    while pending:
        address, is_one = pending.pop()
        if not is_one:
            yield address
            continue
        try:
            with _told(address):
                pending += _listed(address)
        except UnreadableError as error:
            yield Unlisted(address, str(error))


_Listing = list[tuple[Address, bool]]
"""Addresses, each with whether it is a folder; the last name first."""


def _listed(folder: Address) -> _Listing:
    """What lies in a folder and is not hidden."""
    system, root = _system(folder.full)
    path = root if folder.path is None else folder.path
    if folder.full.startswith(_WEB):
        path = path.partition("?")[0]  # It would be taken for a part of the folder's name.
    if path.strip("/").count("/") > root.strip("/").count("/") + DEPTH_LIMIT:
        raise UnreadableError(f"more than {DEPTH_LIMIT} folders deep")
    return _sorted(folder, path, system.ls(path, detail=True))


def _matching(pattern: Address) -> _Listing:
    """What a pattern stands for."""
    system, path = _system(pattern.full)
    name = pattern.name
    base = Address(pattern.full, None, _before_magic(name) + pattern[len(name) :])
    return _sorted(base, _before_magic(path), system.glob(path, detail=True).values())


def _before_magic(path: str) -> str:
    found = _MAGIC.search(path)
    return path[: path.rfind("/", 0, found.start() if found else None) + 1]


def _sorted(base: Address, path: str, entries: Any) -> _Listing:
    listing: _Listing = []
    for entry in entries:
        name = str(entry["name"])[len(path) :].strip("/")
        parts = name.split("/")
        if name and "?" not in name and not any(part.startswith(".") for part in parts):
            address = base.below(str(entry["name"]), name)
            listing.append((address, entry["type"] == "directory"))
    return sorted(listing, reverse=True)


def fetched(address: Address) -> bytes:
    """Return the content of a file; raise UnreadableError."""
    with _told(address), _opened(address) as file:
        check_size(getattr(file, "size", None) or 0)
        return b"".join(_pieces(file, LIMIT + 1))


_copying = threading.Lock()


def local_copy(address: Address) -> str:
    """Return the path of a copy of a file, which is there until the program ends.

    Raises UnreadableError.
    """
    with _copying:
        return _copied(address.full, address.path, address)


@cache
def _copied(_full: str, _path: str | None, address: Address) -> str:
    """The full address is what it is remembered by: two that look the same may be two."""
    path = os.path.join(_folder(), f"{next(_numbers)}{archive_ending(address.name)}")
    with _told(address), _opened(address) as file, open(path, "xb") as copy:
        copy.writelines(_pieces(file, TOTAL_LIMIT + 1))
        if copy.tell() > TOTAL_LIMIT:
            limit = f"{TOTAL_LIMIT // 2**30} GiB, the most that is fetched"
            raise UnreadableError(f"larger than {limit}; fetch it yourself")
    return path


_numbers = count()


@lru_cache(maxsize=1)
def _folder() -> str:
    folder = tempfile.mkdtemp(prefix="bganalyze-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _pieces(file: IO[bytes], most: int) -> Iterator[bytes]:
    """Yield what a file holds, up to so many bytes; servers hand out less at a time than is asked for."""
    while most > 0 and (piece := file.read(min(_PIECE, most))):
        most -= len(piece)
        yield piece


def _opened(address: Address) -> Any:
    system, path = _system(address.full)
    return system.open(path if address.path is None else address.path, "rb")


@lru_cache(maxsize=64)
def _system(full: str) -> tuple[Any, str]:
    """The file system of an address, and its path there."""
    from fsspec.core import url_to_fs

    web = [scheme for scheme in ("http", "https") if f"{scheme}://" in full]
    options: Mapping[str, Any] = {scheme: _patience() for scheme in web}
    system, path = url_to_fs(full, **options)
    return system, str(path)


def _patience() -> dict[str, Any]:
    from aiohttp import ClientTimeout

    limits = ClientTimeout(total=None, sock_connect=TIMEOUT, sock_read=TIMEOUT)
    return {"client_kwargs": {"timeout": limits}}


# What went wrong, in a line.


@contextmanager
def _told(address: Address) -> Iterator[None]:
    """Raise UnreadableError in the place of whatever goes wrong, without a trace of credentials."""
    try:
        yield
    except UnreadableError:
        raise
    except Exception as error:  # noqa: BLE001 - every protocol has errors of its own
        raise UnreadableError(_words(error, address)) from None


def _words(error: BaseException, address: Address) -> str:
    cause = error.__cause__
    is_about_web = isinstance(cause, OSError) or _status(cause)
    if isinstance(error, FileNotFoundError) and cause is not None and is_about_web:
        return _words(cause, address)  # So fsspec calls whatever a server of the web may say.
    if isinstance(error, ImportError):
        return _what_is_missing(error, address.full.partition(":")[0])
    if isinstance(error, TimeoutError):
        return f"no answer within {TIMEOUT} seconds"
    if isinstance(error, FileNotFoundError) or getattr(error, "status", 0) in _NOT_THERE:
        return "No such file or directory"
    if isinstance(error, PermissionError):
        return "access denied"
    if _status(error):
        return f"the server answers {_status(error)}"[:_LONGEST]
    if isinstance(error, ConnectionError) or hasattr(error, "os_error"):
        return f"no connection ({reason(error)})"
    is_of_the_system = isinstance(error, OSError) and error.strerror
    if address.is_secret and not is_of_the_system:
        return (
            f"{type(error).__name__}, of which no more is told, for the URL has credentials in it"
        )
    words = " ".join(shown_in(reason(error)).split())
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}..."


def _status(error: BaseException | None) -> str:
    """What a server has answered, such as `403 Forbidden`."""
    status, message = getattr(error, "status", None), getattr(error, "message", "")
    return f"{status} {message}".rstrip() if isinstance(status, int) else ""


def _what_is_missing(error: ImportError, scheme: str) -> str:
    missing = error.name or getattr(error.__cause__, "name", None) or ""
    if missing == "fsspec":
        return f"a URL is read by the package fsspec, which is missing: {install_command(FSSPEC)}"
    package = _PACKAGES.get(scheme, missing.partition(".")[0]) or f"fsspec[{scheme}]"
    return f"{scheme}:// is read by the package {package}, which is missing: {install_command(package)}"
