"""A request of the page: what is asked, and the files that it is about.

A request is one block of bytes: the length of a head (four bytes, the highest first), the head as
JSON, and the content of the files one after the other. So a page sends the same to Pyodide and to a
server, and a file need not be spelled out as text.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, NamedTuple, TypeVar

from bganalyze.board.rule_book import BASIC, RULE_BOOKS, RuleBook
from bganalyze.files.contents import items_in
from bganalyze.files.reading import Item
from bganalyze.writing import WRITERS

MOST_FILES = 50_000
"""So many files are taken with one request."""

ANALYZING_SECONDS = 1800
"""How long an engine may take for a match."""

HEAD = 4
"""In how many bytes the length of the head is written."""

MOST_HEAD = 16 * 2**20
"""The longest head, in bytes: it lists the files with their paths."""


class RequestError(ValueError):
    """A request that cannot be answered; the message is for whoever looks at the page."""


class DroppedFile(NamedTuple):
    """A file as it was dropped. No path of it is ever looked up: it is only a name."""

    path: str
    root: str
    """The path itself, or the folder that was dropped with it."""
    data: memoryview


def _ignore(_size: int) -> None:
    """Do nothing: nobody asks how much is read."""


class Desk(NamedTuple):
    """What the program has at hand where it answers."""

    database: str | None = None
    """Where analyses are kept; None where there is no place for them."""
    workers: int = 1
    meet: Callable[[int], None] = _ignore
    """Called with the size of each member of an archive, in bytes, before it is read."""


NOTHING_AT_HAND = Desk()


class Request(NamedTuple):
    """What the page asks."""

    ask: str
    options: Mapping[str, Any]
    sources: tuple[DroppedFile, ...]
    desk: Desk = NOTHING_AT_HAND

    @property
    def rule_book(self) -> RuleBook:
        """The rule book to check by."""
        return RULE_BOOKS[self.options.get("rules", BASIC.name)]


def parse_request(body: bytes, desk: Desk) -> Request:
    """Return what a page asks; raise RequestError where it makes no sense.

    Names are those of the lists of the program, and every value has its type.
    """
    try:
        start = HEAD + min(int.from_bytes(body[:HEAD], "big"), MOST_HEAD)
        head = _typed(json.loads(body[HEAD:start]), dict)
        listed = _typed(head["files"], list)
        files = tuple(_sources(listed, memoryview(body)[start:]))
        ask, options = _typed(head["ask"], str), _typed(head["options"], dict)
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise RequestError("the request cannot be read") from error
    for name, value in options.items():
        _check_option(name, value)
    return Request(ask, options, files, desk)


_T = TypeVar("_T")


def _typed(value: Any, kind: type[_T]) -> _T:
    if type(value) is not kind:
        raise TypeError(f"{kind.__name__} expected")
    return value


def _sources(files: list[Any], content: memoryview) -> Iterator[DroppedFile]:
    """Yield the files, which fill the rest of the body."""
    if len(files) > MOST_FILES:
        raise ValueError("too many files")
    for file in files:
        size = _typed(file["size"], int)
        if not 0 <= size <= len(content):
            raise ValueError("a file of another size")
        yield DroppedFile(_name(file["path"]), _name(file["root"]), content[:size])
        content = content[size:]
    if content:
        raise ValueError("more than the files")


def _name(value: Any) -> str:
    """Return the name of a file, with half characters replaced as UTF-8 cannot say them."""
    return _typed(value, str).encode("utf-8", "replace").decode()


# Options: every one that there is, and what it may be.

OPTIONS = ("path", "rules", "to", "engine", "chosen")
"""What a page may say besides its files."""


def _check_option(name: str, value: Any) -> None:
    """Raise RequestError for an option that does not exist, or a value that it cannot have."""
    match name:
        case "path":
            if not isinstance(value, str):
                raise RequestError(f"{_brief(value)} is no path of a file")
        case "rules":
            _require_one_of(RULE_BOOKS, value, "rule book")
        case "to":
            _require_one_of(WRITERS, value, "format")
        case "engine":
            from bganalyze.analysis.engines import ENGINES  # only the installed program analyzes

            _require_one_of(ENGINES, value, "engine")
        case "chosen":
            if not (isinstance(value, list) and all(map(_is_choice, value))):
                raise RequestError(
                    "which proposals? They are numbers of a cause and of its proposal"
                )
        case _:
            raise RequestError(f"{_brief(name)} is no option; there are {', '.join(OPTIONS)}")


def _require_one_of(names: Collection[str], value: Any, noun: str) -> None:
    if not isinstance(value, str) or value not in names:
        raise RequestError(f"{_brief(value)} is no {noun}; there are {', '.join(names)}")


def _is_choice(value: Any) -> bool:
    return isinstance(value, list) and [type(number) for number in value] == [int, int]


def _brief(value: Any) -> str:
    """Return a value as text that fits into a line, however long it is."""
    return reprlib.repr(value)


# Files.


def items_of(source: DroppedFile, desk: Desk) -> AbstractContextManager[Iterator[Item]]:
    """Provide what a file holds: itself, or the members of an archive, unpacked while this lasts."""
    return items_in(source.data, source.path, source.root, desk.meet)


@contextmanager
def item_of(request: Request) -> Iterator[Item]:
    """Give the one file that is asked about: `path` names it, also as a member of an archive."""
    path = _name(request.options["path"])
    if len(request.sources) != 1:
        raise RequestError("this is asked of one file")
    with items_of(request.sources[0], request.desk) as items:
        chosen = next((item for item in items if item.path == path), None)
        if chosen is None:
            raise RequestError(f"{path}: no such file was sent")
        yield chosen._replace(root=chosen.path)
