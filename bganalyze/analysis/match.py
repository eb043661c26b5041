"""Analyzing a match: its decisions, an engine's evaluations, and the rows made from both."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from bganalyze.analysis.analyzed import (
    AnalyzedDecision,
    GameResult,
    make_result,
    make_rows_with_evaluations,
    remove_disputed_points,
    rows_without_evaluations,
)
from bganalyze.analysis.decisions import Decision, decisions_of_match
from bganalyze.analysis.digest import digest_match
from bganalyze.analysis.engines import Engine, Evaluation, start
from bganalyze.board.ids import position_id, xgid
from bganalyze.board.position import Position
from bganalyze.record.conventions import find_site
from bganalyze.record.dates import date_of_match
from bganalyze.record.model import Match
from bganalyze.record.recorded_analysis import IGNORED, find_note_on_impossible_numbers
from bganalyze.record.seats import SwappedGames, find_swapped_games
from bganalyze.text import escape_surrogates
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.outcomes import outcome_of

NO_LIMIT = 1024
"""The cube limit in the positions of a key, which keeps keys of earlier versions valid."""


class Key(NamedTuple):
    """Identity of an analyzed match: its content, and the engine with version and level."""

    content: str
    """Digest of the players, decisions and results, not of the file: see `_hash_match`."""
    engine: str
    version: str
    level: str


class AnalyzedMatch(NamedTuple):
    """A match that has been analyzed."""

    key: Key
    path: str
    number: int
    """Number of the match in its file, from 1."""
    names: tuple[str, str]
    length: int
    rows: tuple[AnalyzedDecision, ...]
    results: tuple[GameResult, ...]
    record: str = ""
    """The match's digest by `digest_match`, which recognizes it in other files; empty if
    nothing was played."""
    date: dt.date | None = None
    """The stated day of the match."""
    site: str | None = None
    """The stated place of play, else the program that wrote the match file."""
    comments: tuple[str, ...] = ()
    """The match file's comments on each decision; empty without any, or if the file was not at hand."""

    def rename_players(self, new_name_of: Callable[[str], str]) -> AnalyzedMatch:
        """Return the match with each player's name replaced by the result of `new_name_of`."""
        left, right = map(new_name_of, self.names)
        results = tuple(
            result._replace(
                left_name=result.left_name and new_name_of(result.left_name),
                right_name=result.right_name and new_name_of(result.right_name),
            )
            for result in self.results
        )
        return self._replace(names=(left, right), results=results)


class UnanalyzedMatch(NamedTuple):
    """A match ready to be analyzed: its decisions, still without evaluations."""

    match: AnalyzedMatch
    """The match without evaluations and engine."""
    decisions: tuple[Decision, ...]
    ignored: str | None = None
    """Note on stored analyses that were ignored, or None."""

    def key(self, engine: Engine) -> Key:
        """Return the key under which this engine's analysis of the match is stored."""
        return Key(self.match.key.content, engine.name, *engine.stored_version(self.decisions))


def make_unanalyzed(match: Match) -> UnanalyzedMatch:
    """Replay a match, and return it with its decisions, ready for an engine."""
    return unanalyzed_from_replay(replay(match))


def unanalyzed_from_replay(replayed: MatchReplay) -> UnanalyzedMatch:
    """Return a match, replayed by the default rule book, with its decisions for an engine."""
    match = replayed.match
    to_make = tuple(decisions_of_match(replayed))
    rows = tuple(rows_without_evaluations(to_make))
    results = tuple(make_result(game, match.names) for game in replayed.games)
    day = date_of_match(match).day
    blank = AnalyzedMatch(
        key=Key(_hash_match(match.names, to_make, rows, results), engine="", version="", level=""),
        path=escape_surrogates(match.source.path),
        number=match.number,
        names=match.names,
        length=results[0].length if results else 0,
        rows=rows,
        results=tuple(map(remove_disputed_points, results, outcome_of(replayed).games)),
        record=digest_match(replayed) or "",
        date=day and day.date(),
        site=find_site(match),
    )
    note = find_note_on_impossible_numbers(match)
    left_out = note and f"line {note.span.line}: {IGNORED.format(note.text)}"
    return UnanalyzedMatch(blank, to_make, left_out)


def analyze_match(match: Match, engine: Engine) -> AnalyzedMatch:
    """Return a match analyzed by `engine`; raise EngineError if the engine fails."""
    to_analyze = make_unanalyzed(match)
    return with_evaluations(
        to_analyze, to_analyze.key(engine), engine.evaluate(to_analyze.decisions)
    )


def analyze_matches(
    matches: Iterable[Match], engine: str | None = None, level: str | None = None
) -> list[AnalyzedMatch]:
    """Analyze matches with an engine, by default the installed one at its first level.

    `bganalyze analyze --help` lists engines and levels. Raise EngineError if the engine is missing,
    fails, or cannot analyze such matches.
    """
    analyzing = start(engine, level)
    return [analyze_match(match, analyzing) for match in matches]


def with_evaluations(
    to_analyze: UnanalyzedMatch, key: Key, evaluations: Sequence[Evaluation | None]
) -> AnalyzedMatch:
    """Return an analyzed match, made from its decisions and their evaluations.

    `key` names the engine, its version and its level.
    """
    rows = tuple(make_rows_with_evaluations(to_analyze.decisions, evaluations))
    return to_analyze.match._replace(key=key, rows=rows)


def relocate_analysis(earlier: AnalyzedMatch, other: AnalyzedMatch) -> AnalyzedMatch:
    """Return an analysis with the path and line numbers of another file of the same match.

    `earlier` is the analysis, and `other` is the match as read from the other file.
    """
    rows = tuple(
        row._replace(row=met.row, place=met.place)
        for row, met in zip(earlier.rows, other.rows, strict=True)
    )
    return earlier._replace(path=other.path, number=other.number, rows=rows)


def number_sides_of_match(match: AnalyzedMatch) -> AnalyzedMatch:
    """Return a match in which side 0 is the same player in all games.

    Side 0 is the player in the left column of the first game.
    """
    list_names_of_games = ((game.game, (game.left_name, game.right_name)) for game in match.results)
    seats = find_swapped_games(match.names, list_names_of_games)
    rows, results = number_sides_by_player(match.rows, match.results, seats)
    return match._replace(rows=rows, results=results)


def number_sides_by_player(
    rows: Iterable[AnalyzedDecision], results: Iterable[GameResult], seats: SwappedGames
) -> tuple[tuple[AnalyzedDecision, ...], tuple[GameResult, ...]]:
    """Return decisions and game results in which side 0 is the same player in all games.

    `seats` says in which games the players have swapped columns.
    """
    return (
        tuple(_number_row_by_player(row, seats) for row in rows),
        tuple(_number_result_by_player(result, seats) for result in results),
    )


def _number_row_by_player(row: AnalyzedDecision, seats: SwappedGames) -> AnalyzedDecision:
    """Return a decision with its sides exchanged if the players swapped columns in its game."""
    left, right = seats.order_by_player(row.game, (row.left, row.right))
    owner = None if row.owner is None else seats.player_in_column(row.game, row.owner)
    return row._replace(
        side=seats.player_in_column(row.game, row.side), left=left, right=right, owner=owner
    )


def _number_result_by_player(result: GameResult, seats: SwappedGames) -> GameResult:
    """Return a game's result with its sides exchanged if the players swapped columns in it."""
    left, right = seats.order_by_player(result.game, (result.left, result.right))
    left_name, right_name = seats.order_by_player(
        result.game, (result.left_name, result.right_name)
    )
    winner = None if result.winner is None else seats.player_in_column(result.game, result.winner)
    return result._replace(
        left=left, right=right, left_name=left_name, right_name=right_name, winner=winner
    )


def _identify_board(position: Position) -> str:
    """Return a text that identifies a position: its Position ID, if it has one."""
    try:
        return position_id(position)
    except ValueError:
        # A Position ID has no room for more than 15 checkers of a side.
        return str(position)


def _hash_match(
    names: tuple[str, str],
    decisions: Iterable[Decision],
    rows: Iterable[AnalyzedDecision],
    results: Iterable[GameResult],
) -> str:
    """Return a hash of the players, decisions and game results of a match, for `Key.content`."""
    # This must never change, or stored analyses would not be found.
    digest = hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    for decision, row in zip(decisions, rows, strict=True):
        after = _identify_board(decision.after) if decision.after else None
        position = xgid(row.situation._replace(cube_limit=NO_LIMIT))
        entry = (row.game, row.kind, row.side, position, row.offer, after, decision.points)
        digest.update(repr(tuple(map(str, entry))).encode())
    for result in results:
        digest.update(repr(tuple(result)).encode())
    return digest.hexdigest()
