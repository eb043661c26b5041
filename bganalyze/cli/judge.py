"""`bganalyze judge`: an engine's verdict on every decision."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import closing
from typing import Annotated

import typer

from bganalyze.cli.endings import complain, refuse
from bganalyze.cli.options import Colour, one_of
from bganalyze.cli.page import page, write
from bganalyze.cli.progress import Progress
from bganalyze.corpus import count, find, holds_many
from bganalyze.engines import ENGINES, EngineError, Limits, start
from bganalyze.judging import Outcome, State, run
from bganalyze.metrics import METRICS, Metric
from bganalyze.render.judged import decisions, rates
from bganalyze.render.setting import Setting
from bganalyze.store import Store, StoreError, default_path
from bganalyze.tally import CLEAN, FAILED, UNREADABLE

METRIC_NAMES = [metric.name for metric in METRICS]
PROBLEMS = (State.FAILED, State.UNREADABLE)


def command(
    paths: Annotated[
        list[str],
        typer.Argument(
            metavar="PATH",
            help="Files, folders, zip archives, archive.zip!member; - is standard input.",
        ),
    ],
    engine: Annotated[str, one_of(ENGINES, "ENGINE", "Who judges.")] = ENGINES[0],
    level: Annotated[
        str | None,
        typer.Option(metavar="LEVEL", help="How deep; engines count differently. sage: from 1ply."),
    ] = None,
    db: Annotated[
        str | None,
        typer.Option(
            metavar="DATABASE",
            help="Where verdicts are kept: a file, or a URL such as postgresql://...",
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help=f"Which error rates: {', '.join(METRIC_NAMES)}."),
    ] = None,
    decision: Annotated[
        bool,
        typer.Option("--decisions", help="List every decision, and which metrics count it."),
    ] = False,
    timeout: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="The longest that a match may take.")
    ] = 1800,
    workers: Annotated[
        int, typer.Option(min=1, metavar="N", help="How many processes judge matches.")
    ] = os.cpu_count() or 1,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only what could not be judged.")
    ] = False,
    color: Colour = "auto",
) -> None:
    """Judge every decision by an engine, and keep the verdicts.

    What the database holds is not judged again: a run that was stopped goes on where it was.

    Exit status: 2 if a path could not be read, the engine or the database cannot be used,
    or the call was wrong; else 1 if a match could not be judged; else 0.

    Example:

        bganalyze judge match.mat
        bganalyze judge matches/ --engine gnubg --level 2ply --db club.db
        bganalyze judge match.mat --metric xg-a,xg-b --decisions
    """
    wanted = _metrics(metric)
    limits = Limits(0 if len(paths) == 1 and not holds_many(paths[0]) else 1, timeout)
    try:
        judging, store = start(engine, level, limits), Store(db or default_path())
    except (EngineError, StoreError) as error:
        raise refuse(error) from error
    setting, states = page(colour=color, quiet=quiet), Counter[State]()
    try:
        with Progress(lambda: count(paths), visible=sys.stderr.isatty() and not quiet) as progress:
            outcomes = run(progress.watch(find(paths)), store, judging, workers, limits)
            with closing(outcomes):
                for outcome in outcomes:
                    states[outcome.state] += 1
                    with progress.hidden():
                        _tell(outcome, wanted, setting, listed=decision)
    except StoreError as error:
        raise refuse(error) from error
    if not quiet:
        write([f"{_totals(states)}; kept in {store.name}\n"])
    raise typer.Exit(_status(states, paths))


def _metrics(names: list[str] | None) -> list[Metric]:
    """The metrics that are asked for, or all."""
    wanted = [name.strip() for each in names or METRIC_NAMES for name in each.split(",")]
    for name in wanted:
        if name not in METRIC_NAMES:
            raise refuse(f"there is no metric {name!r}; there are {', '.join(METRIC_NAMES)}")
    return [metric for metric in METRICS if metric.name in wanted]


def _tell(outcome: Outcome, metrics: list[Metric], setting: Setting, *, listed: bool) -> None:
    if outcome.state in PROBLEMS:
        complain(f"{outcome.path}: {outcome.problem}")
    if outcome.match is not None and not setting.quiet:
        write([rates(outcome.match, metrics, setting), "\n"])
        if listed:
            write([decisions(outcome.match, metrics, setting), "\n"])


def _totals(states: Counter[State]) -> str:
    words = {State.KNOWN: "kept before", State.FAILED: "not judged"}
    parts = (f"{states[state]:,} {words.get(state, state)}" for state in State if states[state])
    return ", ".join(parts) or "nothing to judge"


def _status(states: Counter[State], paths: list[str]) -> int:
    if states[State.UNREADABLE]:
        return UNREADABLE
    if not any(states[state] for state in (State.JUDGED, State.KNOWN, State.FAILED)):
        complain(f"{', '.join(paths)}: no transcript in it")
        return UNREADABLE
    return FAILED if states[State.FAILED] else CLEAN
