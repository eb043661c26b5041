"""`tabulate`: the tables of matches as pandas DataFrames."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.sources import (
    Source,
    call_in_limits_of_matches,
    find_rule_book,
    group_files,
    require_read,
    yield_files_or_matches,
)
from bganalyze.app.jobs.executor import map_chunks
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.tabulate import tabulate_matches, tabulate_read_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.statistics.tables.fragments import ALL_GROUPS, TableFragment
from bganalyze.statistics.tables.turns import GROUPS
from bganalyze.text import Unreadable, number_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False)
class MatchTables:
    """Tables of matches, joined by `match` and `game`. `docs/tables.md` lists all columns."""

    matches: pd.DataFrame
    """A row for each match."""
    games: pd.DataFrame
    """A row for each game."""
    turns: pd.DataFrame
    """A row for each roll."""
    cubes: pd.DataFrame
    """A row for each double and its answer."""
    findings: pd.DataFrame
    """A row for each finding."""
    skipped: int = 0
    """Files of folders and archives without a match."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that could not be read, with the reason."""

    @property
    def copies(self) -> pd.DataFrame:
        """A table of pairs of matches that record the same match, or parts of it.

        The columns say how many rolls and plays both have, and which of the two counts.
        """
        from bganalyze.statistics.tables.copies_table import tabulate_copies

        return tabulate_copies(self.matches)

    def __repr__(self) -> str:
        """The number of rows of each table."""
        sizes = (number_of(len(getattr(self, table)), row) for table, row in ROWS.items())
        return f"<{', '.join(sizes)}>"

    def _repr_html_(self) -> str:
        """The table of matches, for notebooks."""
        return str(self.matches.to_html(max_rows=20))


ROWS = {
    "matches": "match",
    "games": "game",
    "turns": "turn",
    "cubes": "double",
    "findings": "finding",
}
"""The name of a row of each table."""


@check_arguments
def tabulate(
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    players: Callable[[str], str] | None = None,
    groups: str | Collection[str] = ALL_GROUPS,
    workers: int = 1,
    name: str | None = None,
) -> MatchTables:
    """Return tables of the matches, games, turns, cubes and findings of files or matches.

    - `players` maps written names to players; by default, names that differ only in rating, case or
      Unicode form are one.
    - `groups` are the wanted groups of columns of `turns`: `checker`, `shots`, `race` and `plays`.
    - `workers` is the number of processes; a program that uses several needs the usual `if __name__
      == "__main__":`.
    - `name` is the file name for bytes or an open file.

    Raises NotATranscript and UnreadableError for a named file that cannot be read, and ValueError
    for an unknown group.

    >>> tabulate("samples/clean/one-point.mat")
    <1 match, 1 game, 49 turns, 0 doubles, 0 findings>
    """
    from bganalyze.statistics.tables.frames import join_fragments  # loads pandas

    groups = {groups} if isinstance(groups, str) else groups
    if unknown := sorted(ALL_GROUPS.symmetric_difference(groups) - ALL_GROUPS):
        names = ", ".join(GROUPS)
        raise ValueError(f"{unknown[0]!r} is no group of columns of turns; there are {names}")
    rule_book, counts = find_rule_book(rules), FileCounts()
    with ExitStack() as opened:
        parts = yield_files_or_matches(source, name, opened)
        tables = join_fragments(
            _tabulate_files_or_matches(parts, rule_book, groups, workers, counts), groups, players
        )
    return MatchTables(*tables, counts.skipped, tuple(counts.unreadable))


def _tabulate_files_or_matches(
    parts: Iterable[FileToRead | tuple[Match, ...]],
    rule_book: RuleBook,
    groups: Collection[str],
    workers: int,
    counts: FileCounts,
) -> Iterator[TableFragment]:
    """Read files in batches, and yield the table rows of each batch.

    A part is a file to read, or the matches already read from one file. Raises UnreadableError if a
    file named by the user cannot be read.
    """
    job = partial(tabulate_read_files, rule_book=rule_book, column_groups=groups)
    for part in group_files(parts):
        if isinstance(part, tuple):
            yield call_in_limits_of_matches(
                part, partial(tabulate_matches, part, rule_book, groups)
            )
            continue
        with closing(map_chunks(job, part, Processes(workers))) as results:
            for files, rows in results:
                for outcome in counts.count_each(files):
                    require_read(outcome)
                yield from rows
