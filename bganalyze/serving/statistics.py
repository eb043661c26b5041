"""Statistics of all files for the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from bganalyze.jobs.faulty import without_faulty
from bganalyze.jobs.outcome import FileCounts
from bganalyze.jobs.tabulate import sum_files
from bganalyze.jobs.workers import Processes
from bganalyze.render.setting import OutputOptions
from bganalyze.reports import REPORTS, bases
from bganalyze.reports.question import Question
from bganalyze.serving.requests import Event, Request, RequestError, items_of
from bganalyze.text import Files, Unreadable

if TYPE_CHECKING:
    from bganalyze.reports.sums import LotSums, Sums

NAMES = tuple(REPORTS)


def statistics(request: Request) -> Iterator[Event]:
    """Yield how many files are counted, and at the end the statistics of all as a page."""
    from bganalyze.players import Players
    from bganalyze.reports.sums import gathered

    counts = FileCounts()
    with ExitStack() as opened:
        items = chain.from_iterable(
            opened.enter_context(items_of(source, request.desk)) for source in request.sources
        )
        lots: list[LotSums] = []
        executor = Processes(request.desk.workers)
        with closing(sum_files(items, request.law, NAMES, executor)) as results:
            for files, sums in results:
                lots += sums
                for file in files:
                    counts.count(file)
                yield {"kind": "counted", "files": counts.files}
    if not counts.files:
        raise RequestError("there is no transcript to count")
    sums_of_all = gathered(lots, bases(NAMES), Players())
    work = partial(_page, files=counts.summary(), request=request)
    html, _ = without_faulty(work, sums_of_all)
    yield {"kind": "page", "name": "statistics.html", "html": html}


def _page(sums: Sums, left_out: tuple[Unreadable, ...], files: Files, request: Request) -> str:
    """Return what the sums tell, as `stats --report all --html` says it."""
    from bganalyze.render.statistics_page import statistics_page
    from bganalyze.reports.answer import answered_by
    from bganalyze.reports.overview import OF_FILES, judged_of, overview

    ask, everything = partial(answered_by, sums), Question()
    files = files._replace(unreadable=(*files.unreadable, *left_out))
    answer = ask(NAMES, everything)._replace(files=files)
    database = request.desk.database
    judged = judged_of(sums.recorded, everything, database) if database else 0
    glance = overview(ask, everything, OF_FILES, judged)
    return statistics_page(answer, OutputOptions(request.law), glance)
