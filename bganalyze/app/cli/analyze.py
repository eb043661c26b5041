"""`bganalyze analyze`: an engine's evaluation of every decision."""

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from bganalyze import NAME
from bganalyze.analysis.engines import (
    ENGINES,
    EngineError,
    Limits,
    find_stored_level,
    levels,
    start,
)
from bganalyze.analysis.error_rates import METRICS, PR_SHOWN, Metric, MetricValue, rate_name
from bganalyze.analysis.match import AnalyzedMatch, number_sides_of_match
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyses import open_analyses_to_write
from bganalyze.app.cli.exit_status import complain, exit_on
from bganalyze.app.cli.io import (
    advise_other_database,
    load_players,
    load_settings,
    make_output_options,
    report_empty_paths,
    write,
    write_prose,
)
from bganalyze.app.cli.options import (
    Aliases,
    Color,
    Database,
    Encoding,
    MaybePaths,
    OnCluster,
    Quiet,
    StoreFolder,
    choice_option,
    choose_paths,
    make_comma_list_completer,
    open_executor,
    parse_comma_lists,
    value_option,
    workers_option,
)
from bganalyze.app.cli.progress import make_progress_of_analysis
from bganalyze.app.config import Config
from bganalyze.app.jobs.analyze import (
    Outcome,
    PartAnalyzed,
    State,
    read_files_to_analyze,
    run_analysis,
)
from bganalyze.app.jobs.outcome import CLEAN, FAILED, FileCounts, FileOutcome
from bganalyze.app.render.analyses import (
    list_mistakes,
    make_decision_table,
    make_rates_line,
    render_rates,
)
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.files.addresses import hide_credentials_in
from bganalyze.files.reading import find_files_in_encoding, holds_many_files
from bganalyze.record.players import Players
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.text import EVERYTHING, number_of, printable

LONGEST = 7 * 24 * 3600
"""The longest time limit, in seconds: a week."""

MOST_PLAYERS = 20
"""Players listed at the end of a run."""

MOST_SKIPPED = 5
"""Skipped files named at the end of a run."""

METRIC_NAMES = [metric.name for metric in METRICS]

_REFUSED = (EngineError, StoreError, MatchStoreError)


def _describe_levels() -> str:
    """Return the names of each engine's levels, such as `gnubg: 2ply, 0ply; …`."""
    words = (
        f"{engine}: {', '.join(_describe_level(name, engine) for name in names)}"
        for engine in ENGINES
        if len(names := [name for name in levels(engine) if "+" not in name]) > 1
    )
    return "; ".join(words)


def _describe_level(name: str, engine: str) -> str:
    """Return the name of a level, with another name that the database uses in parentheses."""
    stored = find_stored_level(name, engine)
    return name if name == stored else f"{name} ({stored})"


def command(
    context: typer.Context,
    paths: MaybePaths = None,
    engine: Annotated[
        str | None,
        choice_option(
            ENGINES,
            "ENGINE",
            "The engine that analyzes; by default the installed one, sage before gnubg.",
        ),
    ] = None,
    level: Annotated[
        str | None,
        value_option(
            "LEVEL",
            f"How deep the engine searches; engines count plies differently. {_describe_levels()}.",
            autocompletion=make_comma_list_completer(
                dict.fromkeys(chain.from_iterable(map(levels, ENGINES)))
            ),
            show_default=", ".join(f"{name} {levels(name)[0]}" for name in ENGINES),
        ),
    ] = None,
    db: Database = None,
    metric: Annotated[
        list[str] | None,
        value_option(
            "NAMES",
            f"Which error rates to show: {', '.join(METRIC_NAMES)}.",
            autocompletion=make_comma_list_completer(METRIC_NAMES),
            show_default=EVERYTHING,
        ),
    ] = None,
    decision: Annotated[
        bool, typer.Option("--decisions", help="List every decision, and which metrics count it.")
    ] = False,
    encoding: Encoding = None,
    collected: StoreFolder = None,
    timeout: Annotated[
        int,
        value_option(
            "SECONDS",
            "Skip a match that takes longer, and analyze the others.",
            min=1,
            max=LONGEST,
        ),
    ] = 1800,
    aliases: Aliases = None,
    workers: Annotated[
        int | None, workers_option("Number of processes that analyze matches.")
    ] = None,
    cluster: OnCluster = None,
    quiet: Quiet = False,
    color: Color = "auto",
) -> None:
    """Analyze every decision with an engine, and keep the analyses in a database.

    Matches in the database are not analyzed again, so a run that was stopped continues
    where it was. For a single match the error rates are a table, and a terminal shows
    mistakes as they are found. Several matches have a line each, unless --metric or
    --decisions asks for more, and a line for each player follows; --aliases or the
    nearest settings file says who plays under several names. With --store and without PATH, all collected files
    are analyzed; without --db, the store keeps the analyses.

    Exit status: 2 if a file could not be read, the engine or the database could not
    be used, or the call was wrong; else 1 if a match could not be analyzed; else 0.

    Example:

        bganalyze analyze match.mat
        bganalyze analyze matches/ --engine gnubg --level 2ply --db club.db
        bganalyze analyze match.mat --metric xg-a,xg-b --decisions
        bganalyze analyze --store club
    """
    paths = choose_paths(context, paths, collected)
    names = parse_comma_lists(metric or EVERYTHING, METRIC_NAMES, "metric") or METRIC_NAMES
    metrics = [metric for metric in METRICS if metric.name in names]
    setting, attempts, states = (
        make_output_options(color=color, quiet=quiet),
        FileCounts(),
        Counter[State](),
    )
    players = load_players(load_settings(paths[0], Config(aliases=aliases)))
    rates_of_players = _PlayerRates(metrics, players)
    skipped: list[FileOutcome] = []
    with (
        open_executor(workers, cluster) as executing,
        exit_on(*_REFUSED),
        advise_other_database(db, collected),
    ):
        is_one = len(paths) == 1 and not holds_many_files(paths[0])
        has_tables = is_one or metric is not None or decision
        in_brief = None if has_tables else rates_of_players.metric
        limits = Limits(executing.size if is_one else 1, timeout)
        analyzing, store = start(engine, level, limits), open_analyses_to_write(db, collected)
        with (
            make_progress_of_analysis(paths, quiet=quiet) as progress,
            closing(
                run_analysis(
                    read_files_to_analyze(find_files_in_encoding(paths, encoding)),
                    store,
                    analyzing,
                    executing,
                    limits,
                )
            ) as events,
        ):
            for event in progress.follow(events, attempts):
                match event:
                    case FileOutcome(is_skipped=True):
                        skipped.append(event)
                    case PartAnalyzed() if is_one:
                        analyzed = number_sides_of_match(event.match._replace(rows=event.rows))
                        for line in list_mistakes(analyzed, setting):
                            progress.note(line)
                    case Outcome():
                        states[event.state] += 1
                        rates_of_players.add(event.match)
                        with progress.hidden():
                            _print_match(event, metrics, setting, in_brief, with_decisions=decision)
    if not quiet:
        write_prose(_list_skipped_files(skipped, setting), setting)
        write_prose(_summarize_run(states, attempts, store.name), setting)
        write_prose(() if is_one else rates_of_players.lines(setting), setting)
        write_prose(
            _suggest_next_command(states, db, collected, rates_of_players.player_of_all), setting
        )
    raise report_empty_paths(
        attempts, paths, attempts.status(paths, FAILED if states[State.FAILED] else CLEAN)
    )


def _print_match(
    outcome: Outcome,
    metrics: list[Metric],
    setting: OutputOptions,
    brief_metric: Metric | None,
    *,
    with_decisions: bool,
) -> None:
    """Print the error rates of a match: with `brief_metric` as one line, else as a table.

    With `with_decisions`, a table of all decisions follows.
    """
    for problem in filter(None, (outcome.ignored, outcome.problem)):
        complain(f"{outcome.path}: {problem}")
    if outcome.match is None:
        return
    match = number_sides_of_match(outcome.match)
    if brief_metric is not None and not setting.quiet:
        write_prose([make_rates_line(match, brief_metric, setting)], setting)
    elif not setting.quiet:
        write_prose([render_rates(match, metrics, setting), "\n"], setting)
    if with_decisions:
        write([make_decision_table(match, metrics, setting), "\n"])


class _PlayerRates:
    """The error rate of each player over all matches of a run."""

    def __init__(self, metrics: Sequence[Metric], players: Players) -> None:
        shown = (metric for metric in metrics if metric.name == PR_SHOWN)
        self.metric = next(shown, metrics[0])
        self._player_of = players
        self._sums: dict[str, MetricValue] = {}
        self._matches = Counter[str]()
        self._count = 0

    def add(self, analyzed: AnalyzedMatch | None) -> None:
        """Add the losses of both players in a match, if the match was analyzed."""
        if analyzed is None:
            return
        match = number_sides_of_match(analyzed)
        self._count += 1
        self._matches.update(set(map(self._player_of, match.names)))
        for side, name in enumerate(match.names):
            player = self._player_of(name)
            value = self.metric.measure(match.rows, side)
            self._sums[player] = self._sums.get(player, MetricValue(0.0, 0)).plus(value)

    @property
    def player_of_all(self) -> str | None:
        """The one player who is in every match of the run, or None.

        A single match has no such player, and neither have several matches of the same two players.
        """
        everywhere = [name for name, count in self._matches.items() if count == self._count > 1]
        return everywhere[0] if len(everywhere) == 1 else None

    def lines(self, setting: OutputOptions) -> Iterator[str]:
        """Yield a line with each player's error rate; those with most decisions come first."""
        label = rate_name(self.metric.name, self.metric.unit)
        rated = [(name, value) for name, value in self._sums.items() if value.rate is not None]
        rated.sort(key=lambda pair: (-pair[1].counted, pair[0]))
        for name, value in rated[:MOST_PLAYERS]:
            interval = ""
            if self.metric.per == "decision" and value.interval is not None:
                interval = " ({:.1f} to {:.1f})".format(*value.interval)
            counted = number_of(value.counted, self.metric.per)
            player = printable(name, setting.encoding)
            yield f"{player}: {label} {value.rate:.1f}{interval}, {counted}\n"
        if rated[MOST_PLAYERS:]:
            yield f"and {number_of(len(rated) - MOST_PLAYERS, 'other player')}\n"
        if rated and self.metric.per == "decision":
            yield "in parentheses: the 95 % interval, from the spread of the losses of decisions\n"
            if self._count > 1:
                yield (
                    "the interval of bganalyze profile, from differences between matches, is often wider\n"
                )


def _list_skipped_files(skipped: Sequence[FileOutcome], setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each of the first skipped files, then the number of the others."""
    for file in skipped[:MOST_SKIPPED]:
        yield f"skipped: {printable(file.path, setting.encoding)}: {file.skipped}\n"
    if skipped[MOST_SKIPPED:]:
        yield f"skipped: {number_of(len(skipped) - MOST_SKIPPED, 'other file')}\n"


def _suggest_next_command(
    states: Counter[State], db: str | None, store: Path | None, player: str | None
) -> Iterator[str]:
    """If any match was analyzed, yield a line that suggests a `stats` command.

    `states` counts the matches by outcome. If `player` is given, the command reports on this
    player.
    """
    if not (states[State.ANALYZED] or states[State.KEPT]):
        return
    source = [] if db is None else ["--db", hide_credentials_in(db)]
    if store is not None:
        source = ["--store", str(store), *source]
    reports = ["--report", "errors,worst"]
    if player is not None:
        reports = ["--player", player, "--report", "all", "--html", "player.html"]
    command = shlex.join([NAME, "stats", *source, *reports])
    yield f"next: {command}\n"


def _summarize_run(states: Counter[State], attempts: FileCounts, database: str) -> Iterator[str]:
    """Yield a line such as `2 analyzed, 1 unreadable; kept in analyses.db`."""
    if not states and attempts.unreadable:
        return
    counts = {
        "analyzed": states[State.ANALYZED],
        "kept before": states[State.KEPT],
        "not analyzed": states[State.FAILED],
        "unreadable": len(attempts.unreadable),
        "skipped": attempts.skipped,
    }
    parts = [f"{number:,} {words}" for words, number in counts.items() if number]
    yield f"{', '.join(parts) or 'nothing to analyze'}; kept in {database}\n"
