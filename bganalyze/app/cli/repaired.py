"""Destinations of repaired files: other files, or the files themselves."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Protocol

from bganalyze.app.api.convert import convert_content
from bganalyze.app.cli.exit_status import print_note
from bganalyze.app.cli.io import write_unless_foreign
from bganalyze.app.cli.output_paths import STANDARD_OUTPUT, CommandWords, OutputPlaces
from bganalyze.app.jobs.repair import OWN_TEXT, make_repairable_text
from bganalyze.files.addresses import is_in_document
from bganalyze.files.outputs import replace_content, require_rewritable, rewrite_in_place
from bganalyze.files.packed import strip_packed_extension
from bganalyze.files.reading import (
    STANDARD_INPUT,
    FileToRead,
    UnreadableError,
    is_packed,
    load_file,
    reason,
)
from bganalyze.writing import WRITERS

OWN_EXTENSION = WRITERS[OWN_TEXT].extension
_MATCH_TEXT = WRITERS["mat"].extension
_TEXTS = (OWN_EXTENSION, _MATCH_TEXT)
_UNNAMED = ".txt"
"""The extension of standard input when it is written to a folder."""


class WrittenFile(NamedTuple):
    """A repaired file as it was written."""

    path: str
    content: bytes


class Destination(Protocol):
    """Where repaired files are written; `is_converted` means that a binary file becomes text."""

    def path(self, item: FileToRead, *, is_converted: bool) -> str:
        """Return the path to which a repaired file is written, or raise UnreadableError."""

    def write_file(
        self, data: bytes, item: FileToRead, expected_content: bytes | None, *, is_converted: bool
    ) -> WrittenFile:
        """Write the repaired file `item`, and return its path and content.

        `expected_content` is the content that the replaced file must have. Without it, the file
        must be bganalyze's, or `--force` given. Raises UnreadableError.
        """


class OtherDestination:
    """The file or folder named by `--out`; `is_converted` means that a binary file becomes text."""

    def __init__(
        self, items: Iterable[FileToRead], target: str, *, force: bool, quiet: bool
    ) -> None:
        self._quiet = quiet
        self._places = OutputPlaces(
            items, target, CommandWords("repair", "repaired", "--out"), force=force
        )

    @property
    def is_standard_output(self) -> bool:
        """Whether the repaired file goes to standard output."""
        return self._places.target == STANDARD_OUTPUT

    def path(self, item: FileToRead, *, is_converted: bool) -> str:
        """Return the path to which a repaired file is written: `--out`, or a path in that folder.

        Raises UnreadableError if it is the file itself, or if a binary file would not become text.
        """
        path = self._places.path(item, _choose_extension(item, is_converted=is_converted))
        if path == STANDARD_OUTPUT:
            return path
        if os.path.exists(path) and os.path.exists(item.path) and os.path.samefile(path, item.path):
            raise UnreadableError(f"{path} is the file itself, which only --in-place changes")
        if is_converted and not path.lower().endswith(_TEXTS):
            raise UnreadableError(f"{path}: a binary file is repaired as {' or '.join(_TEXTS)}")
        return path

    def write_file(
        self, data: bytes, item: FileToRead, expected_content: bytes | None, *, is_converted: bool
    ) -> WrittenFile:
        """Write the repaired file `item` to `--out` or its folder, and return its path and content.

        `expected_content` is the content that the replaced file must have. Raises UnreadableError.
        """
        path = self.path(item, is_converted=is_converted)
        if is_converted and path.lower().endswith(_MATCH_TEXT):
            data = _convert_to_mat(data, path, quiet=self._quiet)
        self._places.write_output(data, path, item, expected_content)
        return WrittenFile(path, data)


class InPlace:
    """The place of each file; a binary file (`is_converted`) gets a text beside it instead."""

    def __init__(self, *, force: bool) -> None:
        self._force = force

    def path(self, item: FileToRead, *, is_converted: bool) -> str:
        """Return the file's own path or, for a binary file, the path of the text beside the file.

        Raises UnreadableError if the file cannot be changed in place.
        """
        if not can_change_in_place(item):
            how = "save its text as a .txt file, or " if is_in_document(item.path) else ""
            raise UnreadableError(f"cannot be changed in place; {how}name another place with --out")
        if is_converted:
            return _make_path_beside(item.path)
        if not self._force:
            _require_rewritable(item.path)
        return item.path

    def write_file(
        self, data: bytes, item: FileToRead, expected_content: bytes | None, *, is_converted: bool
    ) -> WrittenFile:
        """Write the repaired content of a file in its place, and return its path and content.

        `expected_content` is the content that the replaced file must have. Raises UnreadableError.
        """
        path = Path(self.path(item, is_converted=is_converted))
        try:
            if expected_content is None:
                write_unless_foreign(path, data, force=self._force)
            elif is_converted:
                replace_content(path, data, expected_content)
            else:
                rewrite_in_place(path, data, expected_content)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason(error)}") from error
        return WrittenFile(str(path), data)


def can_change_in_place(item: FileToRead) -> bool:
    """Whether a file is a plain file on disk: no archive member, compressed file or URL."""
    is_elsewhere = item.path == STANDARD_INPUT or item.archive is not None or item.address
    return not (is_elsewhere or is_packed(item))


def _require_rewritable(path: str) -> None:
    """Raise UnreadableError if a file has several hard links, or belongs to another user."""
    try:
        require_rewritable(Path(path))
    except OSError as error:
        raise UnreadableError(f"{reason(error)}; --force rewrites it") from error


def require_unchanged(item: FileToRead, earlier_text: bytes) -> None:
    """Raise UnreadableError if a file on disk has changed since `earlier_text` was read."""
    if make_repairable_text(load_file(item), item.path) != earlier_text:
        raise UnreadableError("changed by somebody else meanwhile; nothing written")


def _choose_extension(item: FileToRead, *, is_converted: bool) -> str:
    """Return the extension of the repaired file: the file's own, or `.bgm` if it was converted."""
    if is_converted:
        return OWN_EXTENSION
    return (
        _UNNAMED
        if item.path == STANDARD_INPUT
        else os.path.splitext(strip_packed_extension(item.path))[1]
    )


def _make_path_beside(path: str) -> str:
    """Return the path of the `.bgm` text written beside a binary file."""
    return os.path.splitext(path)[0] + OWN_EXTENSION


def _convert_to_mat(data: bytes, path: str, *, quiet: bool) -> bytes:
    """Return `.bgm` text converted to a `.mat` file; unless `quiet`, print what is lost."""
    made = convert_content(data, path, "mat")
    for line in () if quiet else made.lost:
        print_note(f"lost in {path}: {line}")
    return made.data
