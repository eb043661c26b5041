"""Requests of the page: a question and the files it concerns.

A request is a block of bytes: the length of the head (4 bytes, big-endian), the head as JSON, and
the contents of the files one after another. The page sends the same bytes to Pyodide and to a
server, and files need no text encoding.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, TypeVar

from bganalyze.board.rule_book import BASIC, RULE_BOOKS, RuleBook
from bganalyze.files.contents import open_bytes
from bganalyze.files.reading import FileToRead
from bganalyze.writing import WRITERS

MOST_FILES = 50_000
"""Files in one request at most."""

ANALYZING_SECONDS = 1800
"""Seconds an engine may take for a match."""

HEAD = 4
"""Size of the length of the head, in bytes."""

MOST_HEAD = 16 * 2**20
"""The longest head, in bytes: it lists the files with their paths."""


class RequestError(ValueError):
    """A request that cannot be answered; the message is for the user of the page."""


class DroppedFile(NamedTuple):
    """A file dropped on the page. Its path is only a name and is never opened."""

    path: str
    root: str
    """The path itself, or the folder that was dropped with it."""
    data: memoryview


def _ignore_size(_size: int) -> None:
    """Do nothing: by default, `ServerContext.meet` ignores sizes of files."""


class ServerContext(NamedTuple):
    """Services and settings available to request handlers."""

    database: str | None = None
    """The database of analyses, or None if there is none."""
    workers: int = 1
    meet: Callable[[int], None] = _ignore_size
    """Called with the size of each member of an archive, in bytes, before it is read."""

    def require_database(self, command: str) -> str:
        """Return the database of analyses; raise RequestError if there is none.

        The error message advises to run `bganalyze` with `command` instead.
        """
        if self.database is None:
            raise RequestError(
                f"this page cannot analyze matches; run bganalyze {command}, or open the page with bganalyze serve"
            )
        return self.database


NO_SERVICES = ServerContext()


class Request(NamedTuple):
    """A request of the web page, such as to check the files sent with it."""

    ask: str
    options: Mapping[str, Any]
    sources: tuple[DroppedFile, ...]
    context: ServerContext = NO_SERVICES

    @property
    def rule_book(self) -> RuleBook:
        """The rule book to check by."""
        return RULE_BOOKS[self.options.get("rules", BASIC.name)]


def parse_request(body: bytes, context: ServerContext) -> Request:
    """Parse the bytes of a request into a question, its options and its files.

    Raises RequestError if the request is malformed or has a wrong option.
    """
    try:
        start = HEAD + min(int.from_bytes(body[:HEAD], "big"), MOST_HEAD)
        head = _require_type(json.loads(body[HEAD:start]), dict)
        listed = _require_type(head["files"], list)
        files = tuple(_split_files(listed, memoryview(body)[start:]))
        ask, options = _require_type(head["ask"], str), _require_type(head["options"], dict)
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise RequestError("the request cannot be read") from error
    for name, value in options.items():
        _check_option(name, value)
    return Request(ask, options, files, context)


_T = TypeVar("_T")


def _require_type(value: Any, kind: type[_T]) -> _T:
    """Return a value unchanged if its type is exactly `kind`; otherwise raise TypeError."""
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value


def _split_files(files: list[Any], content: memoryview) -> Iterator[DroppedFile]:
    """Split `content` into the files that a request describes, and yield each.

    Raises ValueError if the sizes of the `files` do not fit `content`, or if there are too many.
    """
    if len(files) > MOST_FILES:
        raise ValueError("too many files")
    for file in files:
        size = _require_type(file["size"], int)
        if not 0 <= size <= len(content):
            raise ValueError("a file of another size")
        yield DroppedFile(
            _read_file_name(file["path"]), _read_file_name(file["root"]), content[:size]
        )
        content = content[size:]
    if content:
        raise ValueError("more than the files")


def _read_file_name(value: Any) -> str:
    """Return a file name, with `?` for characters that UTF-8 lacks; raise TypeError for no text."""
    return _require_type(value, str).encode("utf-8", "replace").decode()


# Options and their values.

OPTIONS = ("path", "player", "rules", "to", "engine", "chosen", "prose")
"""Names of the options of a request."""


def _check_option(name: str, value: Any) -> None:
    """Raise RequestError if an option is unknown or its value is wrong."""
    match name:
        case "path":
            _refuse_unless(
                isinstance(value, str), f"{_shorten_value(value)} is not the path of a file"
            )
        case "player":
            _refuse_unless(
                isinstance(value, str), f"{_shorten_value(value)} is not the name of a player"
            )
        case "rules":
            _require_one_of(RULE_BOOKS, value, "rule book")
        case "to":
            _require_one_of(WRITERS, value, "format")
        case "engine":
            from bganalyze.analysis.engines import ENGINES  # only the installed program analyzes

            _require_one_of(ENGINES, value, "engine")
        case "chosen":
            _refuse_unless(
                isinstance(value, list) and all(map(_is_choice, value)),
                "chosen must list pairs of a cause number and a proposal number",
            )
        case "prose":
            _refuse_unless(isinstance(value, bool), "prose must be true or false")
        case _:
            raise RequestError(
                f"{_shorten_value(name)} is not an option; choose from {', '.join(OPTIONS)}"
            )


def _refuse_unless(is_valid: bool, message: str) -> None:
    """Raise RequestError with `message`, unless `is_valid` is true."""
    if not is_valid:
        raise RequestError(message)


def _require_one_of(names: Collection[str], value: Any, noun: str) -> None:
    """Raise RequestError unless `value` is one of `names`.

    The message calls the names `noun`, such as `format`.
    """
    if not isinstance(value, str) or value not in names:
        raise RequestError(
            f"unknown {noun} {_shorten_value(value)}; choose from {', '.join(names)}"
        )


def _is_choice(value: Any) -> bool:
    """Whether a value is a list of two integers: the numbers of an error and a repair."""
    return isinstance(value, list) and [type(number) for number in value] == [int, int]


def _shorten_value(value: Any) -> str:
    """Return a value as text, cut so that it fits into a line."""
    return reprlib.repr(value)


# Files.


def open_dropped_file(
    source: DroppedFile, context: ServerContext
) -> AbstractContextManager[Iterator[FileToRead]]:
    """Provide, in a `with` block, a dropped file or, if it is an archive, the files in it.

    `context.meet` is called with the size of each file of an archive before the file is read.
    """
    return open_bytes(source.data, source.path, source.root, context.meet)


@contextmanager
def open_requested_file(request: Request) -> Iterator[FileToRead]:
    """Provide, in a `with` block, the file or the archive member that a request names."""
    path = _read_file_name(request.options["path"])
    if len(request.sources) != 1:
        raise RequestError("this request needs exactly one file")
    with open_dropped_file(request.sources[0], request.context) as items:
        chosen = next((item for item in items if item.path == path), None)
        if chosen is None:
            raise RequestError(f"{path} is not among the files sent")
        yield chosen._replace(root=chosen.path)
