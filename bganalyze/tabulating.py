"""Tabulate files: one file from its bytes to its rows, and many files by several processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from bganalyze.attempts import Failure, attempt
from bganalyze.corpus import Item, find, holds_many
from bganalyze.ignores import ignores
from bganalyze.law import BASIC, Law
from bganalyze.pool import map_files
from bganalyze.replaying import replay
from bganalyze.tables.fragments import ALL_GROUPS, Fragment, fragment
from bganalyze.transcript.reader import read_bytes
from bganalyze.wording import findings_of

if TYPE_CHECKING:
    from bganalyze.tables.frames import Tables


@dataclass(frozen=True, slots=True)
class Tabulated:
    """What became of one file: its rows, or why there are none."""

    path: str
    root: str
    """The path given, under which the file was found."""
    error: str | None = None
    """Why it could not be read, where that is to be told."""
    skipped: str | None = None
    """Why it is no transcript, where nobody said that it was one."""
    rows: Fragment | None = None


@dataclass(slots=True)
class Reading:
    """What became of the files of a run; `rows` fills it as they pass by."""

    files: int = 0
    skipped: int = 0
    unreadable: set[str] = field(default_factory=set)
    """Paths that were named and cannot be read: what stands in a folder may be anything."""
    found: Counter[str] = field(default_factory=Counter)
    """How many transcripts were found under each path given."""

    def rows(self, results: Iterable[Tabulated]) -> Iterator[Fragment]:
        """Yield the rows of those files that are transcripts, counting all of them."""
        for each in results:
            self.skipped += each.skipped is not None
            if each.error is not None and each.path == each.root:
                self.unreadable.add(each.path)
            if each.rows is not None:
                self.files += 1
                self.found[each.root] += 1
                yield each.rows

    def empty(self, paths: Iterable[str]) -> list[str]:
        """Return the folders and archives among the paths in which no transcript was found."""
        silent = (path for path in paths if not self.found[path] and path not in self.unreadable)
        return [path for path in silent if holds_many(path)]


def tabulate_item(item: Item, law: Law, groups: Collection[str]) -> Tabulated:
    """Return the rows of one file. Never raises for anything a file may hold."""
    done = attempt(item, lambda content: _rows(content, item.path, law, groups))
    if isinstance(done, Failure):
        return Tabulated(item.path, item.root, error=done.error, skipped=done.skipped)
    return Tabulated(item.path, item.root, rows=done)


def tabulate_files(
    paths: Iterable[str],
    law: Law = BASIC,
    groups: Collection[str] = ALL_GROUPS,
    workers: int = 1,
) -> Tables:
    """Return the tables of all transcripts under the paths: files, folders, archives.

    What is no transcript, or cannot be read, is passed over. With several workers the files are
    read by so many processes; a program that asks for that needs the usual
    `if __name__ == "__main__":`.

    >>> len(tabulate_files(["samples/clean/one-point.mat"]).matches)
    1
    """
    from bganalyze.tables.frames import collected

    job = partial(tabulate_item, law=law, groups=groups)
    with closing(map_files(job, find(paths), workers)) as results:
        return collected(Reading().rows(results), groups)


def _rows(content: bytes, path: str, law: Law, groups: Collection[str]) -> Fragment:
    matches = read_bytes(content, path)
    silent = ignores(matches[0].source.lines)
    replays = [replay(match, law) for match in matches]
    found = [each for each in findings_of(replays, law) if not silent.silences(each)]
    return fragment(replays, found, law, groups)
