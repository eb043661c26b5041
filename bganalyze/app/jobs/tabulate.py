"""Tabulate files: from their bytes to rows of tables, or to sums of rows, by several processes."""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from os import PathLike
from typing import TYPE_CHECKING, NamedTuple

from bganalyze.app.jobs.budget import BudgetSpentError, limit_block
from bganalyze.app.jobs.executor import Executor, divide_evenly, map_chunks, peek, split_into_chunks
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead, find_files
from bganalyze.record.model import Match
from bganalyze.record.not_a_transcript import LIMIT
from bganalyze.record.players import Players
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.reports import list_column_groups, list_summed_tables
from bganalyze.statistics.tables.fragments import ALL_GROUPS, TableFragment, make_fragment
from bganalyze.statistics.tables.schema import Examined, examine_matches
from bganalyze.validation.checking import findings_of
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import MatchReplay, replay

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import TransferredSums
    from bganalyze.statistics.tables.frames import Tables

MATCHES_A_LOT = 256
"""Matches summed together: summing takes 0.2 s even for a few. Rows are deleted after summing."""

FILES_A_SHARE = 256
"""Files that a process reads before it returns their sums."""

BYTES_A_SHARE = 8_000_000
"""Bytes of files sent to another machine at once; a usual file has 10,000."""

FEWEST_FILES = 80
"""Least files worth another process: it takes 0.6 s to import pandas."""


class OutcomesAndRows(NamedTuple):
    """The outcomes of some files, and the rows of the match files among them."""

    files: list[FileOutcome]
    rows: list[TableFragment]


def tabulate_read_files(
    items: Sequence[FileToRead], rule_book: RuleBook, column_groups: Collection[str]
) -> OutcomesAndRows:
    """Read and check files; return their outcomes and the table rows of their matches.

    `column_groups` are groups of columns, such as `race`, for the table of turns.
    """
    attempts = [
        apply_to_file(item, partial(examine_content, path=item.path, rule_book=rule_book))
        for item in items
    ]
    matches = [match for _, matches in attempts for match in matches or ()]
    try:
        with limit_block(LIMIT):  # The budget of the largest file.
            return OutcomesAndRows(
                [file for file, _ in attempts], [make_fragment(matches, rule_book, column_groups)]
            )
    except BudgetSpentError:
        return _tabulate_one_by_one(items, rule_book, column_groups)
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        return _tabulate_one_by_one(items, rule_book, column_groups)


def _tabulate_one_by_one(
    items: Iterable[FileToRead], rule_book: RuleBook, column_groups: Collection[str]
) -> OutcomesAndRows:
    """Read and check files, each on its own; return their outcomes and table rows.

    `column_groups` are groups of columns, such as `race`, for the table of turns.
    """

    def tabulate_content(content: bytes, path: str) -> TableFragment:
        """Return the table rows of a file's content."""
        return make_fragment(examine_content(content, path, rule_book), rule_book, column_groups)

    attempts = [apply_to_file(item, partial(tabulate_content, path=item.path)) for item in items]
    return OutcomesAndRows([file for file, _ in attempts], [rows for _, rows in attempts if rows])


def tabulate_files(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    rule_book: RuleBook = BASIC,
    groups: Collection[str] = ALL_GROUPS,
    workers: int = 1,
) -> Tables:
    """Return the tables of all match files under one or more paths.

    Other and unreadable files are skipped. `groups` are groups of columns, such as `race`, for the
    table of turns. `workers` is the number of processes; a program that uses several needs the
    usual `if __name__ == "__main__":`.

    >>> len(tabulate_files(["samples/clean/one-point.mat"]).matches)
    1
    """
    from bganalyze.statistics.tables.frames import join_fragments

    job = partial(tabulate_read_files, rule_book=rule_book, column_groups=groups)
    with closing(map_chunks(job, find_files(paths), Processes(workers))) as results:
        return join_fragments((rows for tabulated in results for rows in tabulated.rows), groups)


def examine_content(content: bytes, path: str, rule_book: RuleBook) -> list[Examined]:
    """Return the replayed matches in a file's content with their findings.

    Raises NotATranscript if it is no match file.
    """
    return replay_and_examine(read_bytes(content, path), rule_book)


def replay_and_examine(matches: Sequence[Match], rule_book: RuleBook) -> list[Examined]:
    """Replay the matches of one file, and return them with their findings."""
    return examine_replays([replay(match, rule_book) for match in matches], rule_book)


def examine_replays(replays: Sequence[MatchReplay], rule_book: RuleBook) -> list[Examined]:
    """Return the replayed matches of one file with their findings."""
    findings = find_ignores([replayed.match for replayed in replays]).leave_out_silenced(
        findings_of(replays, rule_book)
    )
    return examine_matches(replays, findings)


def tabulate_matches(
    matches: Sequence[Match], rule_book: RuleBook, column_groups: Collection[str]
) -> TableFragment:
    """Return the table rows of the matches of one file.

    `column_groups` are groups of columns, such as `race`, for the table of turns.
    """
    return make_fragment(replay_and_examine(matches, rule_book), rule_book, column_groups)


class OutcomesAndTotals(NamedTuple):
    """The outcomes of some files, and the totals over the match files among them."""

    files: list[FileOutcome]
    totals: list[TransferredSums]


def sum_files(
    items: Iterable[FileToRead],
    rule_book: RuleBook,
    report_names: Sequence[str],
    executor: Executor,
) -> Generator[OutcomesAndTotals, None, None]:
    """Read files in batches; yield each batch's outcomes with its totals for reports.

    Raises WorkerError if a worker dies.
    """
    few, parts = peek(divide_evenly(items, executor.size, FILES_A_SHARE, FEWEST_FILES), few=1)
    if executor.stays_in_process(few=few):
        yield from _sum_in_batches(chain.from_iterable(parts), rule_book, report_names)
        return
    job = partial(sum_files_here, rule_book=rule_book, report_names=report_names)
    packed = (
        light for part in parts for light in _group_by_size(map(executor.attach_content, part))
    )
    yield from executor.map_in_order(job, packed, chunks_at_once=1)


def _group_by_size(items: Iterable[FileToRead]) -> Iterator[list[FileToRead]]:
    """Group files into lists that are small enough to be sent to another machine at once."""
    together, size = list[FileToRead](), 0
    for item in items:
        together.append(item)
        size += len(item.held) if isinstance(item.held, bytes) else 0
        if size >= BYTES_A_SHARE:
            yield together
            together, size = [], 0
    if together:
        yield together


def sum_files_here(
    items: Iterable[FileToRead], rule_book: RuleBook, report_names: Sequence[str]
) -> OutcomesAndTotals:
    """Read files in this process; return their outcomes and their totals for reports."""
    files, totals = zip(*_sum_in_batches(items, rule_book, report_names), strict=True)
    return OutcomesAndTotals([*chain.from_iterable(files)], [*chain.from_iterable(totals)])


class _TabulatedFiles(NamedTuple):
    """Files that were read together, with the table rows of their matches."""

    items: Sequence[FileToRead]
    tabulated: OutcomesAndRows

    @property
    def match_count(self) -> int:
        """Number of matches in the files."""
        return sum(len(rows.matches["match"]) for rows in self.tabulated.rows)


def _sum_in_batches(
    items: Iterable[FileToRead], rule_book: RuleBook, report_names: Sequence[str]
) -> Iterator[OutcomesAndTotals]:
    """Read files in batches; yield each batch's outcomes with its totals for reports."""
    columns = list_column_groups(report_names)
    batch: list[_TabulatedFiles] = []
    for chunk in split_into_chunks(items):
        batch.append(_TabulatedFiles(chunk, tabulate_read_files(chunk, rule_book, columns)))
        if sum(chunk.match_count for chunk in batch) >= MATCHES_A_LOT:
            yield _sum_batch(batch, rule_book, report_names)
            batch.clear()
    if batch:
        yield _sum_batch(batch, rule_book, report_names)


def _sum_batch(
    batch: Sequence[_TabulatedFiles], rule_book: RuleBook, report_names: Sequence[str]
) -> OutcomesAndTotals:
    """Return the outcomes of files already read, and their totals for reports."""
    files = [file for chunk in batch for file in chunk.tabulated.files]
    rows = [rows for chunk in batch for rows in chunk.tabulated.rows if len(rows.matches["match"])]
    try:
        return OutcomesAndTotals(files, [sum_and_check(rows, report_names)] if rows else [])
    except Exception:  # noqa: BLE001 - the file at fault is found, and costs the others nothing
        parts = [
            _sum_file(item, rule_book, report_names) for chunk in batch for item in chunk.items
        ]
        return OutcomesAndTotals(
            [file for file, _ in parts], [sums for _, sums in parts if sums is not None]
        )


def _sum_file(
    item: FileToRead, rule_book: RuleBook, report_names: Sequence[str]
) -> tuple[FileOutcome, TransferredSums | None]:
    """Read one file; return its outcome, and its totals for reports or None on failure."""

    def sum_content(content: bytes) -> TransferredSums:
        """Return the totals for the reports over the matches in a file's content."""
        rows = make_fragment(
            examine_content(content, item.path, rule_book),
            rule_book,
            list_column_groups(report_names),
        )
        return sum_and_check([rows], report_names)

    return apply_to_file(item, sum_content)


def sum_and_check(rows: Sequence[TableFragment], report_names: Sequence[str]) -> TransferredSums:
    """Return the totals over table rows for reports, after checking that they can be joined."""
    from bganalyze.statistics.reports.sums import join_sums, sum_files

    counted = list_summed_tables(report_names)
    sums = sum_files(rows, counted)
    # An error of joining must not come later.
    join_sums([sums], counted, Players())
    return sums
