"""The matches of many files, listed one file after the other."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import NamedTuple

from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.matches import Listing, list_files
from bganalyze.app.cli.exit_status import exit_on
from bganalyze.app.cli.progress import Progress
from bganalyze.app.jobs.executor import Executor
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.files.reading import FileToRead
from bganalyze.statistics.match_list import ListedMatch


class FileWithMatches(NamedTuple):
    """A file with its matches."""

    item: FileToRead
    matches: tuple[ListedMatch, ...]


def list_and_report(
    items: Iterable[FileToRead],
    listing: Listing,
    executor: Executor,
    counts: FileCounts,
    progress: Progress,
) -> Generator[FileWithMatches, None, None]:
    """Read files, and yield each with its matches; print an error for each unreadable file."""
    with exit_on(StoreError), closing(list_files(items, listing, executor)) as files:
        for item, file in files:
            counts.count(file)
            progress.report_unread(file)
            progress.add(1)
            yield FileWithMatches(item, file.matches)
