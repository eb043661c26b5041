"""A request of the page: what is asked, and the files that it is about.

A request is one block of bytes: the length of a head (four bytes, the highest first), the head as
JSON, and the content of the files one after the other. So a page sends the same to Pyodide and to a
server, and a file need not be spelled out as text.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias

from bganalyze.files.addresses import archive_ending
from bganalyze.files.reading import Item, find
from bganalyze.law import BASIC, LAWS, Law

MOST_FILES = 50_000
"""So many files are taken with one request."""

HEAD = 4
"""In how many bytes the length of the head is written."""


Event: TypeAlias = Mapping[str, object]
"""A part of an answer, with its `kind`."""


class RequestError(ValueError):
    """A request that cannot be answered; the message is for whoever looks at the page."""


class DroppedFile(NamedTuple):
    """A file as it was dropped. No path of it is ever looked up: it is only a name."""

    path: str
    root: str
    """The path itself, or the folder that was dropped with it."""
    data: memoryview


class Desk(NamedTuple):
    """What the program has at hand where it answers."""

    database: str | None = None
    """Where verdicts are kept; None where there is no place for them."""
    workers: int = 1


NOTHING_AT_HAND = Desk()


class Request(NamedTuple):
    """What the page asks."""

    ask: str
    options: Mapping[str, Any]
    sources: tuple[DroppedFile, ...]
    desk: Desk = NOTHING_AT_HAND

    @property
    def law(self) -> Law:
        """The law to judge by; raise RequestError where there is none of that name."""
        name = self.text("law") if "law" in self.options else BASIC.name
        if name not in LAWS:
            raise RequestError(f"{name!r} is no law; there are {', '.join(LAWS)}")
        return LAWS[name]

    def text(self, option: str) -> str:
        """Return an option that is text; raise RequestError where it is missing."""
        value = self.options.get(option)
        if not isinstance(value, str):
            raise RequestError(f"the request lacks {option}")
        return value


def parse_request(body: bytes, desk: Desk) -> Request:
    """Return what a page asks; raise RequestError where it makes no sense."""
    try:
        start = HEAD + int.from_bytes(body[:HEAD], "big")
        head = json.loads(body[HEAD:start])
        files = tuple(_sources(head["files"], memoryview(body)[start:]))
        request = Request(str(head["ask"]), dict(head["options"]), files, desk)
    except (LookupError, TypeError, ValueError, RecursionError) as error:
        raise RequestError("the request cannot be read") from error
    return request


def _sources(files: list[Mapping[str, Any]], content: memoryview) -> Iterator[DroppedFile]:
    """Yield the files, which fill the rest of the body."""
    if len(files) > MOST_FILES:
        raise ValueError("too many files")
    for file in files:
        size = int(file["size"])
        if not 0 <= size <= len(content):
            raise ValueError("a file of another size")
        yield DroppedFile(str(file["path"]), str(file["root"]), content[:size])
        content = content[size:]
    if content:
        raise ValueError("more than the files")


@contextmanager
def items_of(source: DroppedFile) -> Iterator[Iterator[Item]]:
    """Give what a file holds: itself, or the members of an archive, unpacked while this lasts."""
    ending = archive_ending(source.path)
    if not ending:
        yield iter([Item(source.path, source.root, held=bytes(source.data))])
        return
    with TemporaryDirectory() as folder:
        place = os.path.join(folder, f"dropped{ending}")
        with open(place, "wb") as file:
            file.write(source.data)
        yield (
            item._replace(path=source.path + item.path[len(place) :], root=source.root)
            for item in find([place])
        )


@contextmanager
def item_of(request: Request) -> Iterator[Item]:
    """Give the one file that is asked about: `path` names it, also as a member of an archive."""
    path = request.text("path")
    if len(request.sources) != 1:
        raise RequestError("this is asked of one file")
    with items_of(request.sources[0]) as items:
        chosen = next((item for item in items if item.path == path), None)
        if chosen is None:
            raise RequestError(f"{path}: no such file was sent")
        yield chosen._replace(root=chosen.path)
