"""Analyses for the page: a file is analyzed by an engine, and the evaluations are stored."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from typing import TypeAlias

from bganalyze.analysis.engines import EngineError, Limits, start
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import number_sides_of_match
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.jobs.analyze import (
    Event,
    FileToAnalyze,
    MatchFound,
    Outcome,
    PartAnalyzed,
    read_files_to_analyze,
    run_analysis,
)
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render.analyses import list_mistakes, render_rates
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.events import DecisionsAnalyzed, DecisionsMet, MistakeFound, RatesFound
from bganalyze.app.serving.requests import (
    ANALYZING_SECONDS,
    Request,
    RequestError,
    open_requested_file,
)

WIDTH = 100
PLAIN = OutputOptions(width=WIDTH)


Progress: TypeAlias = DecisionsMet | DecisionsAnalyzed | MistakeFound | RatesFound
"""An event that reports the progress of an engine."""


def analyze(request: Request) -> Iterator[Progress]:
    """Yield the progress of an engine on a file, the mistakes found, and then the error rates."""
    context, engine = request.context, request.options.get("engine")
    database = context.require_database("analyze")
    with (
        open_requested_file(request) as item,
        closing(
            run_engine(read_files_to_analyze([item]), engine, database, context.workers)
        ) as events,
    ):
        for event in events:
            yield from count_decisions(event)
            yield from _make_result_events(event)


def run_engine(
    files: Iterable[FileToAnalyze], engine: str | None, database: str, workers: int
) -> Generator[Event, None, None]:
    """Analyze files by an engine, store the analyses, and yield the events.

    Raises RequestError if the engine or the database cannot be used.
    """
    limits = Limits(workers, ANALYZING_SECONDS)
    try:
        analyzing, store = start(engine, None, limits), Store(database)
        with closing(run_analysis(files, store, analyzing, Processes(workers), limits)) as events:
            yield from events
    except (EngineError, StoreError) as error:
        raise RequestError(str(error)) from error


def count_decisions(event: Event) -> Iterator[DecisionsMet | DecisionsAnalyzed]:
    """If an event tells how many decisions were found or analyzed, yield this number."""
    match event:
        case MatchFound(decisions):
            yield {"kind": "met", "decisions": decisions}
        case PartAnalyzed(_, rows):
            yield {"kind": "analyzed", "decisions": len(rows)}


def _make_result_events(event: Event) -> Iterator[MistakeFound | RatesFound]:
    """Yield the mistakes or the error rates that an event reports, if it has any.

    Raises RequestError if the event says that the analysis failed.
    """
    match event:
        case PartAnalyzed(match, rows):
            for line in list_mistakes(number_sides_of_match(match._replace(rows=rows)), PLAIN):
                yield {"kind": "mistake", "line": line}
        case Outcome(problem=str(problem)):
            raise RequestError(problem)
        case Outcome(match=match) if match is not None:
            yield {
                "kind": "rates",
                "text": render_rates(number_sides_of_match(match), list(METRICS), PLAIN),
            }
