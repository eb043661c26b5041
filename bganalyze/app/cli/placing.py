"""Where the files of a run are written: in the layout of the originals, overwriting none of them."""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bganalyze.app.cli.endings import refuse
from bganalyze.app.cli.io import place_file
from bganalyze.files.addresses import is_url, shown_in
from bganalyze.files.outputs import inside, replace_content
from bganalyze.files.packed import unpacked_name
from bganalyze.files.reading import MEMBER_MARK, STANDARD_INPUT, Item, UnreadableError, reason

STANDARD_OUTPUT = "-"

_Identity = tuple[int, int]
"""Device and inode, which identify a file however its path is spelled."""


class CommandWords(NamedTuple):
    """The words of a command for its work on a file, and for where the result goes."""

    verb: str
    verb_done: str
    target: str


class OutputPlaces:
    """The paths of the files that a run writes: a single file, or files below a folder."""

    def __init__(
        self, items: Iterable[Item], target: str, words: CommandWords, *, force: bool
    ) -> None:
        if is_url(target):
            raise refuse(f"{shown_in(target)}: files can only be written to this machine")
        items = list(items)
        self.target, self._words, self._force = target, words, force
        self.single = len(items) == 1 and items[0].named
        self._holders = {_identity(item.path): item for item in items}

    @property
    def is_folder(self) -> bool:
        """Whether files are written below the target."""
        ends_as_folder = self.target.endswith(("/", os.sep))
        return not self.single or os.path.isdir(self.target) or ends_as_folder

    def path(self, item: Item, extension: str) -> str:
        """Return the path of the output; in a folder, the layout of the originals is kept.

        Raises UnreadableError.
        """
        if not self.is_folder:
            return self.target
        name = os.path.basename(_name(item)) if self.single else _name(item)
        try:
            return str(inside(Path(self.target), name, extension))
        except OSError as error:
            raise UnreadableError(f"not written: {error}") from error

    def put(self, data: bytes, path: str, item: Item, replacing: bytes | None = None) -> None:
        """Write a file, but over none that this run has written or is still to read.

        If a file with the content `replacing` is there, it is replaced whatever its origin is.

        The file system says whether two paths are the same file: on some, names that differ in
        case or in the encoding of an accent are the same. Raises UnreadableError.
        """
        if path == STANDARD_OUTPUT:
            sys.stdout.buffer.write(data)
            return
        identity = _identity(path)
        holder = self._holders.get(identity) if identity else None
        if holder is not None and holder is not item:
            raise UnreadableError(f"{path} {self._why_not(path, holder)}")
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            if replacing is None:
                place_file(Path(path), data, force=self._force)
            else:
                replace_content(Path(path), data, replacing)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason(error)}") from error
        self._holders[_identity(path)] = item

    def _why_not(self, path: str, holder: Item) -> str:
        itself = os.path.normpath(holder.path) == os.path.normpath(path)
        verb, verb_done, target = self._words
        why = f"is to be {verb_done} itself" if itself else f"holds {holder} already"
        return f"{why}; {verb} this file alone, to another {target}"


def _name(item: Item) -> str:
    """Return the name of a file relative to the path given, without its extension."""
    if item.path == STANDARD_INPUT:
        return "standard-input"
    if item.archive is None:
        name = item.path if item.named else _below(item.root, item.path)
    else:
        member = item.path[len(item.archive + MEMBER_MARK) :]
        for outer in item.chain[:-1]:
            member = member.replace(outer.name + MEMBER_MARK, outer.name + "/", 1)
        name = member if item.named else f"{_below(item.root, item.archive)}/{member}"
    return posixpath.splitext(unpacked_name(name.replace("\\", "/")))[0]


def _below(root: str, path: str) -> str:
    """Return a path relative to a folder; for a file that a pattern matched, its name."""
    return path[len(root) :] if path.startswith(root) else posixpath.basename(path)


def _identity(path: str) -> _Identity | None:
    """Return the identity of a file, or None if it does not exist."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
