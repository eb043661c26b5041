"""`analyze`: an engine's evaluation of every decision of matches."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import Engine, Limits, start
from bganalyze.analysis.error_rates import METRICS, PR_SHOWN, Metric
from bganalyze.analysis.match import (
    AnalyzedMatch,
    UnanalyzedMatch,
    make_unanalyzed,
    number_sides_of_match,
)
from bganalyze.analysis.select import DecisionFilter, EngineChoice, find_analyses, select_decisions
from bganalyze.app.api.analyses import (
    open_analyses_to_write,
    open_required_analyses,
    read_stored_match_hashes,
)
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import FilePath, Source, call_in_limits_of_matches
from bganalyze.app.jobs.analyze import FileToAnalyze, Outcome, run_analysis
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.app.jobs.workers import Processes, ThisProcess
from bganalyze.record.model import Match
from bganalyze.text import EVERYTHING, Unreadable, escape_surrogates, number_of, parse_choices

if TYPE_CHECKING:
    import pandas as pd

    from bganalyze.analysis.store import Store

KINDS = tuple(map(str, Kind))
"""The kinds of decisions."""

SECONDS = 1800.0
"""Default time limit for a match, in seconds."""


@dataclass(frozen=True, slots=True)
class AnalysisResult:
    """Matches with an engine's evaluation of their decisions."""

    matches: tuple[AnalyzedMatch, ...]
    failed: tuple[Unreadable, ...] = ()
    """Matches that could not be analyzed, with the reason."""
    unreadable: tuple[Unreadable, ...] = ()
    """Files of folders and archives that could not be read, with the reason."""

    @property
    def decisions(self) -> pd.DataFrame:
        """All decisions as a table, with the columns of `bganalyze export`."""
        from bganalyze.statistics.tables.frames import tabulate_decisions

        return tabulate_decisions(select_decisions(self.matches))

    def rates(self, metric: str = PR_SHOWN) -> pd.DataFrame:
        """Return the error rate of each player in each match, with its 95 % interval.

        The columns are `path`, `match` (number in the file), `player`, `rate`, `low` and `high`
        (the interval; empty for fewer than five decisions), `lost` (equity lost, in EMG) and
        `decisions` (number of decisions that count). Raises ValueError for an unknown metric.
        """
        import pandas as pd

        chosen = find_metric(metric)
        rows = [
            _make_rate_row(number_sides_of_match(match), side, chosen)
            for match in self.matches
            for side in (0, 1)
        ]
        columns = ["path", "match", "player", "rate", "low", "high", "lost", "decisions"]
        return pd.DataFrame(rows, columns=columns)

    def select(
        self,
        *,
        player: str | None = None,
        kinds: str | Iterable[str] = EVERYTHING,
        least: float | None = None,
        costliest: int | None = None,
    ) -> pd.DataFrame:
        """Return a table of selected decisions, with the columns of `bganalyze export`.

        - `player` is the name of one player.
        - `kinds` are kinds of decision: `play`, `double`, `take`, `pass` and others.
        - `least` is the least equity lost, in EMG.
        - `costliest` is the number of decisions to return, the worst first.

        None sets no limit. Raises ValueError for an unknown kind.
        """
        from bganalyze.statistics.tables.frames import tabulate_decisions

        chosen = parse_choices(kinds, KINDS, "kind of decision") or KINDS
        criteria = DecisionFilter(player, frozenset(map(Kind, chosen)), least, costliest)
        return tabulate_decisions(select_decisions(self.matches, criteria))

    def __repr__(self) -> str:
        """The number of matches."""
        failed = f", {len(self.failed):,} failed" if self.failed else ""
        return f"<{number_of(len(self.matches), 'match')} analyzed{failed}>"

    def _repr_html_(self) -> str:
        """The error rates, as a table for notebooks."""
        return str(self.rates().to_html(index=False))


@check_arguments
def analyze(
    source: Source,
    engine: str | None = None,
    level: str | None = None,
    *,
    db: str | None = None,
    store: FilePath | None = None,
    workers: int = 1,
    seconds: float = SECONDS,
    name: str | None = None,
) -> AnalysisResult:
    """Analyze matches with an engine, by default Open Sage or, without it, GNU Backgammon.

    - `engine` and `level` are listed by `bganalyze analyze --help`; the default is an engine's first
      level.
    - `db` is a database (a file or an SQLAlchemy URL) that keeps the analyses. Analyses in it are not
      made again.
    - `store` is a store made by `collect`, to keep the analyses in. Without `db` and `store`, nothing
      is kept.
    - `workers` is the number of processes; a program that uses several needs the usual `if __name__
      == "__main__":`.
    - `seconds` is the time limit of a match. Several workers skip a match that takes longer.
    - `name` is the file name for bytes or an open file.

    Raises EngineError if the engine or the level is missing, StoreError, MatchStoreError,
    NotATranscript and UnreadableError.
    """
    limits = Limits(workers, seconds)
    analyzing = start(engine, level, limits)
    folder = None if store is None else Path(store)
    kept = open_analyses_to_write(db or (_NOWHERE if folder is None else None), folder)
    matches = read(source, name=name)
    result = analyze_files(prepare_files(matches, _prepare_matches), analyzing, kept, limits)
    return replace(result, unreadable=matches.unreadable)


def open_analyses_or_memory(db: str | None) -> Store:
    """Open or create the database of analyses `db`, or one in memory."""
    return open_analyses_to_write(db or _NOWHERE)


def analyze_files(
    files: Iterable[FileToAnalyze], engine: Engine, store: Store, limits: Limits
) -> AnalysisResult:
    """Analyze the matches of files with an engine, and save the analyses in a database."""
    executor = ThisProcess() if limits.threads == 1 else Processes(limits.threads)
    with closing(run_analysis(files, store, engine, executor, limits)) as events:
        outcomes = [event for event in events if isinstance(event, Outcome)]
    analyzed = (outcome.match for outcome in outcomes)
    failed = (Unreadable(one.path, one.problem) for one in outcomes if one.problem is not None)
    return AnalysisResult(tuple(filter(None, analyzed)), tuple(failed))


@check_arguments
def analyses(
    db: str | None = None,
    engine: str | None = None,
    level: str | None = None,
    *,
    store: FilePath | None = None,
) -> AnalysisResult:
    """Return the analyses in a database.

    - `db` is the database; without it, the one in `store` or the default one is read.
    - `store` is a store made by `collect`. Only its matches are returned, even from `db`.
    - `engine` and `level` choose one of several analyses of a match. By default, it is the deepest one
      by the engine used last.

    Raises StoreError and MatchStoreError.
    """
    folder = None if store is None else Path(store)
    kept, among = open_required_analyses(db, folder), read_stored_match_hashes(folder)
    return AnalysisResult(tuple(find_analyses(kept, EngineChoice(engine, level), among)))


_NOWHERE = "sqlite://"
"""The URL of a database in memory, which ends with its connection."""


def prepare_files(
    matches: Sequence[Match], prepare_matches: Callable[[Sequence[Match]], list[UnanalyzedMatch]]
) -> Iterator[FileToAnalyze]:
    """Group matches by their file, and yield each file with its matches ready for an engine.

    `prepare_matches` makes the matches of one file ready.
    """
    for _, some in groupby(matches, lambda match: id(match.source)):
        of_file = tuple(some)
        ready = call_in_limits_of_matches(of_file, partial(prepare_matches, of_file))
        path = escape_surrogates(of_file[0].source.path)
        yield FileToAnalyze(FileOutcome(path, path), ready)


def _prepare_matches(matches: Sequence[Match]) -> list[UnanalyzedMatch]:
    """Replay matches, so that an engine can analyze them."""
    return [make_unanalyzed(match) for match in matches]


def _make_rate_row(match: AnalyzedMatch, side: int, metric: Metric) -> tuple[object, ...]:
    """Return a table row with the error rate of one player (`side`, 0 or 1) in a match."""
    value = metric.measure(match.rows, side)
    low, high = value.interval or (None, None)
    if metric.per != "decision":
        low = high = None
    player = match.names[side]
    return match.path, match.number, player, value.rate, low, high, value.lost, value.counted


def find_metric(name: str) -> Metric:
    """Return the metric (a kind of error rate) with this name, or raise ValueError."""
    for metric in METRICS:
        if metric.name == name:
            return metric
    names = ", ".join(metric.name for metric in METRICS)
    raise ValueError(f"{name!r} is no error rate; there are {names}")
