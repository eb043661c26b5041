"""Statistics of all files for the page."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from typing import TYPE_CHECKING

from bganalyze.app.api.analyses import open_analyses_at
from bganalyze.app.api.answering import ReportRequest, compose_answer
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.tabulate import sum_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.events import FilesCounted, PageMade
from bganalyze.app.serving.requests import Request, RequestError, open_dropped_file
from bganalyze.files.reading import FileToRead
from bganalyze.statistics.reports import REPORTS, list_summed_tables

if TYPE_CHECKING:
    from bganalyze.statistics.reports.sums import TransferredSums

NAMES = tuple(REPORTS)


def statistics(request: Request) -> Iterator[FilesCounted | PageMade]:
    """Yield the number of files counted so far, then a page with their statistics."""
    from bganalyze.record.players import Players
    from bganalyze.statistics.reports.sums import join_sums

    with ExitStack() as opened:
        lots, counts = yield from sum_request_files(request, open_sources(request, opened), NAMES)
    database = request.context.database
    composed = compose_answer(
        join_sums(lots, list_summed_tables(NAMES), Players()),
        ReportRequest(NAMES, setting=OutputOptions(request.rule_book), of_page=True),
        files=counts.summary(),
        analyses=partial(open_analyses_at, database) if database else None,
    )
    assert composed.page is not None
    yield {"kind": "page", "name": "statistics.html", "html": composed.page}


def open_sources(request: Request, opened: ExitStack) -> Iterator[FileToRead]:
    """Yield the files of a request, including those in archives.

    The files can be read until `opened` is closed.
    """
    for source in request.sources:
        yield from opened.enter_context(open_dropped_file(source, request.context))


def sum_request_files(
    request: Request, items: Iterable[FileToRead], report_names: Sequence[str]
) -> Generator[FilesCounted, None, tuple[list[TransferredSums], FileCounts]]:
    """Yield the number of files read so far; return totals for reports, and counts of files.

    There is one entry of totals for each batch of files. Raises RequestError if no file is a match
    file.
    """
    lots: list[TransferredSums] = []
    counts = FileCounts()
    executor = Processes(request.context.workers)
    with closing(sum_files(items, request.rule_book, report_names, executor)) as results:
        for files, sums in results:
            lots += sums
            for file in files:
                counts.count(file)
            yield {"kind": "counted", "files": counts.files}
    if not counts.files:
        raise RequestError("none of these files is a match file")
    return lots, counts
