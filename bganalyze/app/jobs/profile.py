"""The profile of a player from files: their results summed, their matches analyzed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.util import find_spec

from bganalyze.analysis.engines import ENGINES
from bganalyze.analysis.match import AnalyzedMatch, UnanalyzedMatch
from bganalyze.analysis.select import RECORDED
from bganalyze.app.jobs.analyze import FileToAnalyze
from bganalyze.statistics.profiles import RECORDED_REPORTS, PlayerProfile, make_profile
from bganalyze.statistics.reports import bases
from bganalyze.statistics.reports.answer import answer_sums
from bganalyze.statistics.reports.sums import LotSums, Sums, join_lots
from bganalyze.statistics.tables.frames import tabulate_analyzed


def usual_engine() -> str:
    """Return the engine that is used unless one is named: that in the files if none is installed."""
    return ENGINES[0] if find_spec("bgsage") else RECORDED


def join_records(lots: Iterable[LotSums], called: Callable[[str], str]) -> Sums:
    """Return the sums of records that a profile needs; `called` returns the player of a name."""
    return join_lots(lots, bases(RECORDED_REPORTS), called)


def select_matches_of(
    files: Iterable[FileToAnalyze], player: str, called: Callable[[str], str]
) -> Iterator[FileToAnalyze]:
    """Yield each file with those of its matches in which a player takes part."""
    for file in files:
        own = [match for match in file.matches if player in _find_players(match, called)]
        yield file._replace(matches=own)


def _find_players(unanalyzed: UnanalyzedMatch, called: Callable[[str], str]) -> set[str]:
    """Return the players of all games of a match."""
    match = unanalyzed.match
    names = {name for result in match.results for name in (result.left_name, result.right_name)}
    return set(map(called, {*names, *match.names}))


def profile_player(
    records: Sums, analyzed: Iterable[AnalyzedMatch], player: str, called: Callable[[str], str]
) -> PlayerProfile:
    """Return the profile of a player from the sums of records and from analyzed matches."""
    return make_profile(partial(answer_sums, records), tabulate_analyzed(analyzed, called), player)
