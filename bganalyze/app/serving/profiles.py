"""The profile of a player for the page: the players of all files, then one page on one of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, TypeAlias

from bganalyze.app.api.answering import list_names_by_games
from bganalyze.app.jobs.analyze import FileToAnalyze, Outcome
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.jobs.profile import MatchesOfPlayer, find_default_engine
from bganalyze.app.serving.evaluations import count_decisions, run_engine
from bganalyze.app.serving.events import (
    DecisionsAnalyzed,
    DecisionsMet,
    FilesCounted,
    PageMade,
    PlayersFound,
)
from bganalyze.app.serving.requests import Request, RequestError, ServerContext
from bganalyze.app.serving.statistics import open_sources, sum_request_files
from bganalyze.files.reading import FileToRead
from bganalyze.record.players import Players, UnknownNameError
from bganalyze.statistics.profiles import RECORDED_REPORTS
from bganalyze.statistics.reports import list_summed_tables
from bganalyze.statistics.reports.sums import join_sums

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch

MOST_PLAYERS = 1000
"""Players that are listed at most, those with the most games."""

Progress: TypeAlias = FilesCounted | PlayersFound | DecisionsMet | DecisionsAnalyzed | PageMade
"""An event on the way to a profile."""


def profile(request: Request) -> Iterator[Progress]:
    """Yield the players in all files or, if the request names one, the page with the profile."""
    player = request.options.get("player")
    with ExitStack() as opened:
        items = list(open_sources(request, opened))
        if player is None:
            lots, _ = yield from sum_request_files(request, items, RECORDED_REPORTS)
            sums = join_sums(lots, list_summed_tables(RECORDED_REPORTS), Players())
            yield {"kind": "players", "names": list_names_by_games(sums.recorded)[:MOST_PLAYERS]}
            return
        own = MatchesOfPlayer(player, Players())
        files = yield from _read_files_with_player(items, own)
        analyzed = yield from _analyze_files(files, request.context)
    made = own.profile(analyzed)
    from bganalyze.app.render.profile import profile_page

    yield {"kind": "page", "name": "profile.html", "html": profile_page(made)}


def _read_files_with_player(
    items: Iterable[FileToRead], matches: MatchesOfPlayer
) -> Generator[FilesCounted, None, list[FileToAnalyze]]:
    """Yield the number of files read so far; return the files with the player's matches.

    The matches are also added to `matches`. Raises RequestError if the player is in no file.
    """
    files, counts = list[FileToAnalyze](), FileCounts()
    for file in matches.read(items):
        counts.count(file.outcome)
        files.append(file)
        yield {"kind": "counted", "files": counts.files}
    if not counts.files:
        raise RequestError("none of these files is a match file")
    try:
        matches.find_player()
    except UnknownNameError as error:
        raise RequestError("no match has a player of that name") from error
    return files


def _analyze_files(
    files: Iterable[FileToAnalyze], context: ServerContext
) -> Generator[DecisionsMet | DecisionsAnalyzed, None, list[AnalyzedMatch]]:
    """Yield the progress of an engine on some files; return the analyzed matches."""
    analyzed: list[AnalyzedMatch] = []
    database = context.require_database("profile")
    with closing(run_engine(files, find_default_engine(), database, context.workers)) as events:
        for event in events:
            yield from count_decisions(event)
            if isinstance(event, Outcome) and event.match is not None:
                analyzed.append(event.match)
    return analyzed
