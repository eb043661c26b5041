"""Paths of output files: they keep the folders of the input files, and overwrite none of these."""

from __future__ import annotations

import os
import posixpath
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from bganalyze.app.cli.exit_status import refuse
from bganalyze.app.cli.io import write_unless_foreign
from bganalyze.files.addresses import get_shown_path, hide_credentials_in, is_url
from bganalyze.files.outputs import make_safe_path, replace_content
from bganalyze.files.packed import strip_packed_extension
from bganalyze.files.reading import MEMBER_MARK, STANDARD_INPUT, FileToRead, UnreadableError, reason

STANDARD_OUTPUT = "-"

_Identity = tuple[int, int]
"""Device and inode, which identify a file independently of its path."""


class CommandWords(NamedTuple):
    """Words of a command for messages: verb, participle, and option for the target."""

    verb: str
    verb_done: str
    target: str


class OutputPlaces:
    """Where a run writes its output: to one file, or to files in a folder."""

    def __init__(
        self, items: Iterable[FileToRead], target: str, words: CommandWords, *, force: bool
    ) -> None:
        if is_url(target):
            raise refuse(
                f"{hide_credentials_in(target)}: files can only be written to this machine"
            )
        items = list(items)
        self.target, self._words, self._force = target, words, force
        self.single = len(items) == 1 and items[0].named
        self._holders = {_identify_file(item.path): item for item in items}

    @property
    def is_folder(self) -> bool:
        """Whether the output is a folder, in which files are written."""
        ends_as_folder = self.target.endswith(("/", os.sep))
        return not self.single or os.path.isdir(self.target) or ends_as_folder

    def path(self, item: FileToRead, extension: str) -> str:
        """Return the path to which the output for a file is written.

        An output folder gets the same subfolders as the input. Raises UnreadableError for a path
        that is not safe.
        """
        if not self.is_folder:
            return self.target
        name = (
            os.path.basename(_make_relative_name(item))
            if self.single
            else _make_relative_name(item)
        )
        try:
            return str(make_safe_path(Path(self.target), name, extension))
        except OSError as error:
            raise UnreadableError(f"not written: {error}") from error

    def write_output(
        self, data: bytes, path: str, item: FileToRead, expected_content: bytes | None = None
    ) -> None:
        """Write `data` to `path` as the output for a file; raise UnreadableError if this fails.

        Other input files, and the outputs for other files, are never replaced. A file that is
        replaced must have the `expected_content`; if that is None, it must be bganalyze's, or
        `--force` given.
        """
        if path == STANDARD_OUTPUT:
            sys.stdout.buffer.write(data)
            return
        identity = _identify_file(path)
        holder = self._holders.get(identity) if identity else None
        if holder is not None and holder is not item:
            raise UnreadableError(f"{path} {self._explain_refusal(path, holder)}")
        try:
            os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
            if expected_content is None:
                write_unless_foreign(Path(path), data, force=self._force)
            else:
                replace_content(Path(path), data, expected_content)
        except OSError as error:
            raise UnreadableError(f"{path}: {reason(error)}") from error
        self._holders[_identify_file(path)] = item

    def _explain_refusal(self, path: str, holder: FileToRead) -> str:
        """Return why `path` may not be written: it is the input file `holder`, or its output."""
        itself = os.path.normpath(holder.path) == os.path.normpath(path)
        verb, verb_done, target = self._words
        why = f"is to be {verb_done} itself" if itself else f"holds {holder} already"
        return f"{why}; {verb} this file alone, to another {target}"


def _make_relative_name(item: FileToRead) -> str:
    """Return a file's path below the folder or archive that the user named, without extension."""
    if item.path == STANDARD_INPUT:
        return "standard-input"
    path = get_shown_path(item.path)
    if item.archive in (None, path):
        name = path if item.named else _make_path_below(item.root, path)
    else:
        assert item.archive is not None
        member = path[len(item.archive + MEMBER_MARK) :]
        for outer in item.chain[:-1]:
            member = member.replace(outer.name + MEMBER_MARK, outer.name + "/", 1)
        name = member if item.named else f"{_make_path_below(item.root, item.archive)}/{member}"
    return posixpath.splitext(strip_packed_extension(name.replace("\\", "/")))[0]


def _make_path_below(root: str, path: str) -> str:
    """Return `path` relative to the folder `root`; if it is elsewhere, only its file name.

    >>> _make_path_below("club/", "club/2024/a.mat"), _make_path_below("club/", "other/a.mat")
    ('2024/a.mat', 'a.mat')
    """
    return path[len(root) :] if path.startswith(root) else posixpath.basename(path)


def _identify_file(path: str) -> _Identity | None:
    """Return a file's device and inode numbers, or None if the file does not exist."""
    try:
        status = os.lstat(path)
    except (OSError, ValueError):
        return None
    return status.st_dev, status.st_ino
