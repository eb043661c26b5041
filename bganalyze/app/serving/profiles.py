"""The profile of a player for the page: the players of all files, then one page on one of them."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, TypeAlias

from bganalyze.analysis.engines import EngineError, Limits, start
from bganalyze.analysis.store import Store
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.answering import names_by_games
from bganalyze.app.jobs.analyze import MatchFound, Outcome, PartAnalyzed, read_to_analyze, run
from bganalyze.app.jobs.profile import (
    join_records,
    profile_player,
    select_matches_of,
    usual_engine,
)
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.serving.events import (
    DecisionsAnalyzed,
    DecisionsMet,
    FilesCounted,
    PageMade,
    PlayersFound,
)
from bganalyze.app.serving.requests import ANALYZING_SECONDS, Desk, Request, RequestError
from bganalyze.app.serving.statistics import count_files, open_sources
from bganalyze.files.reading import Item
from bganalyze.record.players import Players
from bganalyze.statistics.profiles import RECORDED_REPORTS

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch

MOST_PLAYERS = 1000
"""Players that are listed at most, those with the most games."""

Progress: TypeAlias = FilesCounted | PlayersFound | DecisionsMet | DecisionsAnalyzed | PageMade
"""An event on the way to a profile."""


def profile(request: Request) -> Iterator[Progress]:
    """Yield the players of all files or, with the option `player`, that player's profile as a page."""
    player, called = request.options.get("player"), Players()
    with ExitStack() as opened:
        items = list(open_sources(request, opened))
        lots, _ = yield from count_files(request, items, RECORDED_REPORTS)
        records = join_records(lots, called)
        names = names_by_games(records.recorded)
        if player is None:
            yield {"kind": "players", "names": names[:MOST_PLAYERS]}
            return
        if player not in names:
            raise RequestError("no match has a player of that name")
        analyzed = yield from _analyze(items, player, called, request.desk)
    made = profile_player(records, analyzed, player, called)
    from bganalyze.app.render.profile import profile_page

    yield {"kind": "page", "name": "profile.html", "html": profile_page(made)}


def _analyze(
    items: Sequence[Item], player: str, called: Players, desk: Desk
) -> Generator[DecisionsMet | DecisionsAnalyzed, None, list[AnalyzedMatch]]:
    """Yield the progress of the analysis of a player's matches; return the analyzed ones.

    Matches that cannot be analyzed are left out.
    """
    analyzed: list[AnalyzedMatch] = []
    database = desk.require_database("profile")
    limits = Limits(desk.workers, ANALYZING_SECONDS)
    try:
        engine, store = start(usual_engine(), None, limits), Store(database)
        files = select_matches_of(read_to_analyze(items), player, called)
        with closing(run(files, store, engine, Processes(desk.workers), limits)) as events:
            for event in events:
                match event:
                    case MatchFound(decisions):
                        yield {"kind": "met", "decisions": decisions}
                    case PartAnalyzed(_, rows):
                        yield {"kind": "analyzed", "decisions": len(rows)}
                    case Outcome(match=match) if match is not None:
                        analyzed.append(match)
    except (EngineError, StoreError) as error:
        raise RequestError(str(error)) from error
    return analyzed
