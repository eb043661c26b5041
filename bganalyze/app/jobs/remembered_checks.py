"""Check many files, using the stored results of unchanged files."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from functools import partial
from typing import Protocol

from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.examination import (
    FullyCheckedFile,
    parse_result_json,
    select_findings,
    write_result_json,
)
from bganalyze.app.jobs.executor import Executor, map_files, map_or_recall
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.validation.findings import Selection


class Memory(Protocol):
    """Results of earlier checks, in a cache or a store."""

    def find(
        self, paths: Iterable[str], tell_missing: Callable[[str], None], /
    ) -> Iterator[FileToRead]:
        """Yield the files under the paths; for a missing path, the files found there earlier.

        `tell_missing` is called with each missing path, such as a disk that is not mounted.
        """

    def recall(self, item: FileToRead) -> str | None:
        """Return the earlier check result of a file as JSON; None for a new or changed file."""

    def keep(self, item: FileToRead, digest: bytes | None, make_json: Callable[[], str]) -> None:
        """Save the result of a check, unless `digest` is None.

        `digest` is the hash of the file's content. `make_json` returns the result as JSON.
        """


def check_files(
    items: Iterable[FileToRead],
    rule_book: RuleBook,
    selection: Selection,
    memory: Memory | None,
    executor: Executor,
) -> Generator[CheckOutcome, None, None]:
    """Check files, and yield the outcome of each in the order of the files; raise WorkerError.

    `memory` has the results of earlier checks: unchanged files are not read again.
    """
    if memory is None:
        yield from map_files(
            partial(_check_one, rule_book=rule_book, selection=selection), items, executor
        )
        return

    def recall(item: FileToRead) -> FullyCheckedFile | None:
        """Return the remembered result of a check of a file; None for a new or changed file."""
        outcome = memory.recall(item)
        try:
            return None if outcome is None else FullyCheckedFile(parse_result_json(outcome), None)
        except ValueError:
            return None

    with closing(
        map_or_recall(partial(_examine_one, rule_book=rule_book), items, recall, executor)
    ) as results:
        for item, (content, digest) in results:
            if digest is not None and not isinstance(content, FileOutcome):
                memory.keep(item, digest, partial(write_result_json, content))
            yield select_findings(item, content, selection)


def _check_one(item: FileToRead, rule_book: RuleBook, selection: Selection) -> CheckOutcome:
    """Check a file, as `check_file` does."""
    # Most runs read no file, so the modules for checking are imported late.
    from bganalyze.app.jobs.check import check_file

    return check_file(item, rule_book, selection)


def _examine_one(item: FileToRead, rule_book: RuleBook) -> FullyCheckedFile:
    """Check a file by all rules, as `examine_file` does."""
    from bganalyze.app.jobs.check import examine_file

    return examine_file(item, rule_book)
