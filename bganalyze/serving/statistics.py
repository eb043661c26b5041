"""Statistics of all files for the page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from itertools import chain

from bganalyze.jobs.executor import map_chunks
from bganalyze.jobs.outcome import FileCounts
from bganalyze.jobs.tabulate import tabulate_items
from bganalyze.jobs.workers import Processes
from bganalyze.render.setting import OutputOptions
from bganalyze.reports import REPORTS, bases, groups
from bganalyze.reports.question import Question
from bganalyze.serving.requests import Event, Request, RequestError, items_of
from bganalyze.tables.fragments import Fragment

NAMES = tuple(REPORTS)
COLUMNS = groups(NAMES)


def statistics(request: Request) -> Iterator[Event]:
    """Yield how many files are counted, and at the end the statistics of all as a page."""
    job = partial(tabulate_items, law=request.law, groups=COLUMNS)
    counts, rows = FileCounts(), list[Fragment]()
    with ExitStack() as opened:
        items = chain.from_iterable(
            opened.enter_context(items_of(source, request.desk)) for source in request.sources
        )
        with closing(map_chunks(job, items, Processes(request.desk.workers))) as results:
            for files, fragments in results:
                rows += fragments
                for file in files:
                    counts.count(file)
                yield {"kind": "counted", "files": counts.files}
    if not counts.files:
        raise RequestError("there is no transcript to count")
    yield {"kind": "page", "name": "statistics.html", "html": _page(rows, counts, request)}


def _page(rows: list[Fragment], counts: FileCounts, request: Request) -> str:
    """What the rows tell, as `stats --report all --html` says it."""
    from bganalyze.render.statistics_page import statistics_page
    from bganalyze.reports.answer import answered_by
    from bganalyze.reports.overview import OF_FILES, judged_of, overview
    from bganalyze.reports.sums import kept
    from bganalyze.tables.frames import collected

    sums = kept(collected(rows, COLUMNS), bases(NAMES))
    ask, everything = partial(answered_by, sums), Question()
    answer = ask(tuple(REPORTS), everything)._replace(files=counts.summary())
    database = request.desk.database
    judged = judged_of(sums.recorded, everything, database) if database else 0
    glance = overview(ask, everything, OF_FILES, judged)
    return statistics_page(answer, OutputOptions(request.law), glance)
