"""Tabulate files: one file from its bytes to its rows, and many files by several processes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bganalyze.attempts import Attempted, Failure, attempt
from bganalyze.corpus import Item, find
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
class Tabulated(Attempted):
    """What became of one file: its rows, or why there are none."""

    rows: Fragment | None = None


def tabulate_item(item: Item, law: Law, groups: Collection[str]) -> Tabulated:
    """Return the rows of one file. Never raises for anything a file may hold."""
    done = attempt(item, lambda content: _rows(content, item.path, law, groups))
    if isinstance(done, Failure):
        return Tabulated(item.path, item.root, **done._asdict())
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
        return collected(rows_of(results), groups)


def rows_of(results: Iterable[Tabulated]) -> Iterator[Fragment]:
    """Yield the rows of those files that are transcripts."""
    return (each.rows for each in results if each.rows is not None)


def _rows(content: bytes, path: str, law: Law, groups: Collection[str]) -> Fragment:
    matches = read_bytes(content, path)
    silent = ignores(matches[0].source.lines)
    replays = [replay(match, law) for match in matches]
    found = [each for each in findings_of(replays, law) if not silent.silences(each)]
    return fragment(replays, found, law, groups)
