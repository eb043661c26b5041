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
    """A cache or store with the results of earlier checks."""

    def find(
        self, paths: Iterable[str], tell_missing: Callable[[str], None], /
    ) -> Iterator[FileToRead]:
        """Yield the files under the paths.

        For a missing path, call `tell_missing`, and yield the files that an earlier run found
        there.
        """

    def recall(self, item: FileToRead) -> str | None:
        """Return the earlier result for a file as JSON; None for a new or changed file."""

    def keep(self, item: FileToRead, digest: bytes | None, make_json: Callable[[], str]) -> None:
        """Save the result of a check, which `make_json` returns.

        `digest` is the hash of the file's content; without it, nothing is saved.
        """


def check_files(
    items: Iterable[FileToRead],
    rule_book: RuleBook,
    selection: Selection,
    memory: Memory | None,
    executor: Executor,
) -> Generator[CheckOutcome, None, None]:
    """Check files, and yield their outcomes in order.

    Unchanged files, whose results are in `memory`, are not read again. Raises WorkerError if a
    worker dies.
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
        map_or_recall(partial(_check_one_fully, rule_book=rule_book), items, recall, executor)
    ) as results:
        for item, (content, digest) in results:
            if digest is not None and not isinstance(content, FileOutcome):
                memory.keep(item, digest, partial(write_result_json, content))
            yield select_findings(item, content, selection)


def _check_one(item: FileToRead, rule_book: RuleBook, selection: Selection) -> CheckOutcome:
    """Check a file by the selected rules, and return its findings."""
    # Most runs read no file, so the modules for checking are imported late.
    from bganalyze.app.jobs.check import check_file

    return check_file(item, rule_book, selection)


def _check_one_fully(item: FileToRead, rule_book: RuleBook) -> FullyCheckedFile:
    """Check a file by all rules; return the result with a hash of the content."""
    from bganalyze.app.jobs.check import check_file_fully

    return check_file_fully(item, rule_book)
