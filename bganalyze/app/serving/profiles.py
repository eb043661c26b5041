"""The profile of a player for the page: the players of all files, then one page on one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from bganalyze.analysis.engines import EngineError, Limits, start
from bganalyze.app.api.answering import names_by_games
from bganalyze.app.jobs.analyze import MatchFound, Outcome, PartAnalyzed, read_to_analyze, run
from bganalyze.app.jobs.executor import Executor
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.profile import (
    join_records,
    profile_player,
    select_matches_of,
    usual_engine,
)
from bganalyze.app.jobs.tabulate import sum_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.app.serving.events import (
    DecisionsAnalyzed,
    DecisionsMet,
    FilesCounted,
    PageMade,
    PlayersFound,
)
from bganalyze.app.serving.requests import ANALYZING_SECONDS, Request, RequestError, items_of
from bganalyze.files.reading import Item
from bganalyze.record.players import Players
from bganalyze.statistics.profiles import RECORDED_REPORTS

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.statistics.reports.sums import LotSums

MOST_PLAYERS = 1000
"""Players that are listed at most, those with the most games."""

Progress: TypeAlias = FilesCounted | PlayersFound | DecisionsMet | DecisionsAnalyzed | PageMade
"""An event on the way to a profile."""


def profile(request: Request) -> Iterator[Progress]:
    """Yield the players of all files or, with the option `player`, that player's profile as a page."""
    player = request.options.get("player")
    counts, called = FileCounts(), Players()
    executor = Processes(request.desk.workers)
    with ExitStack() as opened:
        sources = (opened.enter_context(items_of(one, request.desk)) for one in request.sources)
        items = list(chain.from_iterable(sources))
        lots: list[LotSums] = []
        with closing(sum_files(iter(items), request.rule_book, RECORDED_REPORTS, executor)) as sums:
            for files, of_files in sums:
                lots += of_files
                for file in files:
                    counts.count(file)
                yield {"kind": "counted", "files": counts.files}
        if not counts.files:
            raise RequestError("none of these files is a match file")
        records = join_records(lots, called)
        names = names_by_games(records.recorded)
        if player is None:
            yield {"kind": "players", "names": names[:MOST_PLAYERS]}
            return
        if player not in names:
            raise RequestError("no match has a player of that name")
        analyzed: list[AnalyzedMatch] = []
        yield from _analyze(items, player, called, request, executor, analyzed)
    made = profile_player(records, analyzed, player, called)
    from bganalyze.app.render.profile import profile_page

    yield {"kind": "page", "name": "profile.html", "html": profile_page(made)}


def _analyze(
    items: Sequence[Item],
    player: str,
    called: Players,
    request: Request,
    executor: Executor,
    analyzed: list[AnalyzedMatch],
) -> Iterator[DecisionsMet | DecisionsAnalyzed]:
    """Yield the progress of the analysis of a player's matches, which are added to `analyzed`.

    Matches that cannot be analyzed are left out.
    """
    from bganalyze.analysis.store import Store  # under Pyodide there is no SQLAlchemy
    from bganalyze.analysis.store_error import StoreError

    if request.desk.database is None:
        raise RequestError(
            "this page cannot analyze matches; run bganalyze profile, or open the page with bganalyze serve"
        )
    limits = Limits(request.desk.workers, ANALYZING_SECONDS)
    try:
        engine, store = start(usual_engine(), None, limits), Store(request.desk.database)
        files = select_matches_of(read_to_analyze(items), player, called)
        with closing(run(files, store, engine, executor, limits)) as events:
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
