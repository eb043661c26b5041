"""Where repaired files go: into other files, into their own place, or nowhere."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

from bganalyze.cli.endings import tell
from bganalyze.cli.io import place_file
from bganalyze.cli.placing import STANDARD_OUTPUT, CommandWords, OutputPlaces
from bganalyze.files.outputs import rewrite
from bganalyze.files.packed import unpacked_name
from bganalyze.files.reading import STANDARD_INPUT, Item, UnreadableError, is_packed, load, reason
from bganalyze.jobs.repair import OWN_TEXT, repairable
from bganalyze.replaying import replay
from bganalyze.transcript.reader import read_bytes
from bganalyze.writing import WRITERS, together, write

OWN_EXTENSION = WRITERS[OWN_TEXT].extension
_MATCH_TEXT = WRITERS["mat"].extension
_TEXTS = (OWN_EXTENSION, _MATCH_TEXT)
_UNNAMED = ".txt"
"""What standard input is written as, in a folder."""


class Destination(Protocol):
    """Where a repaired file goes."""

    def path(self, item: Item, *, is_converted: bool) -> str:
        """Return where a file is written to; raise UnreadableError where it cannot be.

        `is_converted` if it was a binary file, which is written as text.
        """

    def put(self, data: bytes, item: Item, *, is_converted: bool) -> str:
        """Write a file and return its path; raise UnreadableError."""


class Outside:
    """The file or the folder that `--out` names."""

    def __init__(self, items: Iterable[Item], target: str, *, force: bool) -> None:
        self._places = OutputPlaces(
            items, target, CommandWords("repair", "repaired", "--out"), force=force
        )

    @property
    def is_standard_output(self) -> bool:
        """Whether the file goes on, as from a filter."""
        return self._places.target == STANDARD_OUTPUT

    def path(self, item: Item, *, is_converted: bool) -> str:
        """Return the path in the folder, or that of the file."""
        path = self._places.path(item, _extension(item, is_converted=is_converted))
        if path == STANDARD_OUTPUT:
            return path
        if os.path.exists(path) and os.path.exists(item.path) and os.path.samefile(path, item.path):
            raise UnreadableError(f"{path} is that file itself, which only --in-place changes")
        if is_converted and not path.lower().endswith(_TEXTS):
            raise UnreadableError(f"{path}: a binary file is repaired as {' or '.join(_TEXTS)}")
        return path

    def put(self, data: bytes, item: Item, *, is_converted: bool) -> str:
        """Write the file there, over none that somebody else made but by force."""
        path = self.path(item, is_converted=is_converted)
        if is_converted and path.lower().endswith(_MATCH_TEXT):
            data = _as_match_text(data, path)
        self._places.put(data, path, item)
        return path


class InPlace:
    """The place of the file itself; of a binary one, the file beside it."""

    def __init__(self, *, force: bool) -> None:
        self._force = force

    def path(self, item: Item, *, is_converted: bool) -> str:
        """Return the path of the file."""
        is_elsewhere = item.path == STANDARD_INPUT or item.archive is not None or item.address
        if is_elsewhere or is_packed(item):
            raise UnreadableError("not a file that can be changed; name a place with --out")
        return _beside(item.path) if is_converted else item.path

    def put(self, data: bytes, item: Item, *, is_converted: bool) -> str:
        """Write the file anew."""
        path = Path(self.path(item, is_converted=is_converted))
        try:
            if is_converted:
                place_file(path, data, force=self._force)
            else:
                rewrite(path, data)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason(error)}") from error
        return str(path)


def require_unchanged(item: Item, text: bytes) -> None:
    """Raise UnreadableError where a file is not what it was when it was looked through."""
    if repairable(load(item), item.path) != text:
        raise UnreadableError("changed by somebody else meanwhile; nothing written")


def _extension(item: Item, *, is_converted: bool) -> str:
    if is_converted:
        return OWN_EXTENSION
    return (
        _UNNAMED if item.path == STANDARD_INPUT else os.path.splitext(unpacked_name(item.path))[1]
    )


def _beside(path: str) -> str:
    return os.path.splitext(path)[0] + OWN_EXTENSION


def _as_match_text(data: bytes, path: str) -> bytes:
    """Return the project's own text as match text, and tell what that cannot say."""
    written = write([replay(match) for match in read_bytes(data, path)], "mat")
    for line in together(written.losses):
        tell(f"not said in {path}: {line}")
    return written.data
