"""`verify`: claimed results compared with match files."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, overload

from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.matches import yield_list_entries
from bganalyze.app.api.sources import FilePath, Source, find_rule_book, yield_files_or_matches
from bganalyze.app.jobs.executor import Executor, map_files
from bganalyze.app.jobs.matches import ListedFile, list_file_briefly, list_matches
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.limits import open_given, reason
from bganalyze.files.reading import STANDARD_INPUT, FileToRead
from bganalyze.record.players import Players
from bganalyze.statistics.claimed_results.claims import Claims, FixturesError, read_claims
from bganalyze.statistics.claimed_results.verdicts import Verdict, Verification, verify_claims
from bganalyze.text import Unreadable

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class VerificationResult(Sequence[Verdict]):
    """Verdicts on claimed results, then verdicts on matches that nobody claimed."""

    verification: Verification
    rule_book: RuleBook
    notes: tuple[str, ...] = ()
    """Remarks on how the table of claims was read, such as ambiguous dates."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that could not be read, with the reason."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdicts, such as `confirmed`, on claimed results, and on matches without a claim."""
        return self.verification.verdicts

    @property
    def ok(self) -> bool:
        """Whether every claim is confirmed and every file could be read."""
        return self.verification.is_confirmed and not self.unreadable

    @overload
    def __getitem__(self, place: int) -> Verdict: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Verdict, ...]: ...
    def __getitem__(self, place: int | slice) -> Verdict | tuple[Verdict, ...]:
        """Return the verdict at an index, or those of a slice."""
        return self.verdicts[place]

    def __len__(self) -> int:
        """Return the number of verdicts."""
        return len(self.verdicts)

    def __repr__(self) -> str:
        """The number of verdicts of each kind."""
        counts = self.verification.counts().items()
        return f"<{', '.join(f'{count:,} {status}' for status, count in counts if count)}>"

    def to_frame(self) -> pd.DataFrame:
        """Return a table of the verdicts, with the columns of `verify --format csv`."""
        import pandas as pd

        from bganalyze.app.render.verification import COLUMNS, make_csv_row

        return pd.DataFrame(map(make_csv_row, self.verdicts), columns=list(COLUMNS))

    def render(self, format: str = "text") -> str:
        """Return the verdicts in a format of `bganalyze verify`; raise ValueError for an unknown one."""
        from bganalyze.app.render import (
            VERIFICATION_FORMATS,
            get_verification_renderer,
            require_format,
        )
        from bganalyze.app.render.output_options import plain_output_options

        require_format(format, VERIFICATION_FORMATS)
        setting = plain_output_options(self.rule_book)
        return "".join(get_verification_renderer(format)(self.verification, setting))


@check_arguments
def verify(
    fixtures: FilePath | bytes,
    source: Source,
    rules: str | RuleBook = BASIC,
    *,
    players: Callable[[str], str] | None = None,
    workers: int = 1,
    name: str | None = None,
    encoding: str | None = None,
) -> VerificationResult:
    r"""Compare claimed results, a table in CSV, with the matches of files.

    - `fixtures` is the path of the table, or its bytes. Its columns are `event`, `round`, `date`,
      `player1`, `player2`, `score1`, `score2` and `length`; event, round, date and length may be
      empty.
    - `players` maps written names to players. Names that differ in case, accents, `Last, First`,
      underscores, or initials that fit one player are one player anyway.
    - `workers` is the number of processes.
    - `name` is the file name for bytes or an open file of matches.
    - `encoding` is that of the match files.

    Raises FixturesError for a table that cannot be read, NotATranscript and UnreadableError for a
    named file that cannot be read, and ValueError for an unknown rule book or encoding.

    >>> table = b"player1,player2,score1,score2\nVale B.,Ada Quill,0,1\n"
    >>> verify(table, "samples/clean/one-point.mat")[0].status
    'missing'
    >>> found = verify(table.replace(b"Vale B.", b"B. Vale"), "samples/clean/one-point.mat")
    >>> found, found[0].words
    (<1 contradicted>, 'another winner')
    """
    claims = load_claims(fixtures)
    rule_book, counts = find_rule_book(rules), FileCounts()
    with ExitStack() as opened:
        found = list(
            yield_list_entries(
                yield_files_or_matches(source, name, opened, encoding),
                partial(list_results_of_files, rule_book=rule_book, executor=Processes(workers)),
                partial(list_matches, rule_book=rule_book),
                counts,
            )
        )
    verification = verify_claims(claims.claims, found, players or Players())
    return VerificationResult(verification, rule_book, claims.notes, tuple(counts.unreadable))


def list_results_of_files(
    items: Iterable[FileToRead], rule_book: RuleBook, executor: Executor
) -> Generator[ListedFile, None, None]:
    """Read files, and yield the matches of each, in order, with only what verification needs."""
    return map_files(partial(list_file_briefly, rule_book=rule_book), items, executor)


def load_claims(fixtures: FilePath | bytes) -> Claims:
    """Return claimed results from a table in CSV, or raise FixturesError.

    `fixtures` is the table's bytes, its path, or "-" for standard input.
    """
    if isinstance(fixtures, bytes):
        return read_claims(fixtures, "fixtures")
    path = os.fspath(fixtures)
    try:
        if path == STANDARD_INPUT:
            content = sys.stdin.buffer.read(_LARGEST + 1)
        else:
            with open_given(path) as file:
                content = file.read(_LARGEST + 1)
    except (OSError, ValueError) as error:
        raise FixturesError([f"{path}: {reason(error)}"]) from error
    if len(content) > _LARGEST:
        raise FixturesError([f"{path}: larger than {_LARGEST:,} bytes, so no table of results"])
    return read_claims(content, path)


_LARGEST = 20_000_000
"""Bytes of the largest table: 200,000 results."""
