"""Analyses for the page: a file is analyzed by an engine, and the evaluations are stored."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from typing import TypeAlias

from bganalyze.analysis.engines import ENGINES, EngineError, Limits, levels, start
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import assign_seats
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.jobs.analyze import (
    MatchFound,
    Outcome,
    PartAnalyzed,
    read_files_to_analyze,
    run_analysis,
)
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.render.analyses import mistake_lines, render_rates
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
    """Yield the mistakes an engine finds in a file as they are found, then the error rates."""
    context, engine = request.context, request.options.get("engine", ENGINES[0])
    database = context.require_database("analyze")
    limits = Limits(context.workers, ANALYZING_SECONDS)
    try:
        analyzing, store = start(engine, levels(engine)[0], limits), Store(database)
        with (
            open_requested_file(request) as item,
            closing(
                run_analysis(
                    read_files_to_analyze([item]),
                    store,
                    analyzing,
                    Processes(context.workers),
                    limits,
                )
            ) as events,
        ):
            yield from chain.from_iterable(map(_convert_to_page_events, events))
    except (EngineError, StoreError) as error:
        raise RequestError(str(error)) from error


def _convert_to_page_events(event: object) -> Iterator[Progress]:
    """Yield the page's events for one event of an analysis by `run_analysis`.

    Raise RequestError if the analysis failed.
    """
    match event:
        case MatchFound(decisions):
            yield {"kind": "met", "decisions": decisions}
        case PartAnalyzed(match, rows):
            yield {"kind": "analyzed", "decisions": len(rows)}
            for line in mistake_lines(assign_seats(match._replace(rows=rows)), PLAIN):
                yield {"kind": "mistake", "line": line}
        case Outcome(problem=str(problem)):
            raise RequestError(problem)
        case Outcome(match=match) if match is not None:
            yield {"kind": "rates", "text": render_rates(assign_seats(match), list(METRICS), PLAIN)}
