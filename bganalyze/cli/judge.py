"""`bganalyze judge`: an engine's verdict on every decision."""

from __future__ import annotations

import os
import sys
from collections import Counter
from contextlib import closing
from typing import Annotated

import typer

from bganalyze.cli.endings import complain, refuse
from bganalyze.cli.io import page, write
from bganalyze.cli.options import EVERYTHING, Colour, Database, Paths, listed, one_of
from bganalyze.cli.progress import Progress
from bganalyze.files.corpus import count, find, holds_many
from bganalyze.jobs.check import CLEAN, FAILED, UNREADABLE
from bganalyze.jobs.judge import Outcome, State, run
from bganalyze.jobs.outcome import FileCounts, FileOutcome
from bganalyze.judging.engines import ENGINES, EngineError, Limits, start
from bganalyze.judging.match import seated
from bganalyze.judging.metrics import METRICS, Metric
from bganalyze.judging.store import Store, StoreError, default_path
from bganalyze.render.setting import OutputOptions
from bganalyze.render.verdicts import decisions, rates

LONGEST = 7 * 24 * 3600
"""Seconds: a week."""

METRIC_NAMES = [metric.name for metric in METRICS]


def command(
    paths: Paths,
    engine: Annotated[str, one_of(ENGINES, "ENGINE", "Who judges.")] = ENGINES[0],
    level: Annotated[
        str | None,
        typer.Option(
            metavar="LEVEL", help="How deep, e.g. 1ply, 2ply, standard; engines count differently."
        ),
    ] = None,
    db: Database = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help=f"Which error rates: {', '.join(METRIC_NAMES)}."),
    ] = None,
    decision: Annotated[
        bool,
        typer.Option("--decisions", help="List every decision, and which metrics count it."),
    ] = False,
    timeout: Annotated[
        int,
        typer.Option(
            min=1, max=LONGEST, metavar="SECONDS", help="The longest that a match may take."
        ),
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

    Exit status: 2 if a file could not be read, the engine or the database cannot be
    used, or the call was wrong; else 1 if a match could not be judged; else 0.

    Example:

        bganalyze judge match.mat
        bganalyze judge matches/ --engine gnubg --level 2ply --db club.db
        bganalyze judge match.mat --metric xg-a,xg-b --decisions
    """
    names = listed(metric or EVERYTHING, METRIC_NAMES, "metric") or METRIC_NAMES
    wanted = [each for each in METRICS if each.name in names]
    limits = Limits(0 if len(paths) == 1 and not holds_many(paths[0]) else 1, timeout)
    try:
        judging, store = start(engine, level, limits), Store(db or default_path())
    except (EngineError, StoreError) as error:
        raise refuse(error) from error
    setting, attempts, states = page(colour=color, quiet=quiet), FileCounts(), Counter[State]()
    try:
        with Progress(lambda: count(paths), visible=sys.stderr.isatty() and not quiet) as progress:
            outcomes = run(progress.watch(find(paths)), store, judging, workers, limits)
            with closing(outcomes):
                for done in outcomes:
                    if isinstance(done, FileOutcome):
                        attempts.count(done)
                        progress.tell(done)
                        continue
                    states[done.state] += 1
                    with progress.hidden():
                        _tell(done, wanted, setting, listed=decision)
    except StoreError as error:
        raise refuse(error) from error
    if not quiet:
        write([f"{_totals(states, attempts)}; kept in {store.name}\n"])
    for path in attempts.empty(paths):
        complain(f"{path}: no transcript in it")
    if attempts.have_failed(paths):
        raise typer.Exit(UNREADABLE)
    raise typer.Exit(FAILED if states[State.FAILED] else CLEAN)


def _tell(outcome: Outcome, metrics: list[Metric], setting: OutputOptions, *, listed: bool) -> None:
    if outcome.problem is not None:
        complain(f"{outcome.path}: {outcome.problem}")
    if outcome.match is not None and not setting.quiet:
        match = seated(outcome.match)
        write([rates(match, metrics, setting), "\n"])
        if listed:
            write([decisions(match, metrics, setting), "\n"])


def _totals(states: Counter[State], attempts: FileCounts) -> str:
    counts = {
        "judged": states[State.JUDGED],
        "kept before": states[State.KEPT],
        "not judged": states[State.FAILED],
        "unreadable": len(attempts.unreadable),
        "skipped": attempts.skipped,
    }
    parts = [f"{number:,} {words}" for words, number in counts.items() if number]
    return ", ".join(parts) or "nothing to judge"
