"""Analyze a match: its decisions, an engine's evaluations, and the rows that come of both."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.analysis.analyzed import (
    AnalyzedDecision,
    GameResult,
    analyzed,
    as_it_counts,
    result_of,
    unanalyzed,
)
from bganalyze.analysis.content import content_of
from bganalyze.analysis.decisions import Decision, decisions
from bganalyze.analysis.engines import ENGINES, Engine, Evaluation, start
from bganalyze.board.ids import position_id, xgid
from bganalyze.record.dates import dated
from bganalyze.record.model import Match
from bganalyze.record.profile import site_of
from bganalyze.record.seats import Seats, seats_of
from bganalyze.record.stored import IGNORED, ignored
from bganalyze.text import storable
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.outcomes import outcome_of

NO_LIMIT = 1024
"""The cube limit of positions in a key, so that keys made by earlier versions still match."""


class Key(NamedTuple):
    """What makes an analyzed match the same as another: its content, and who analyzed it how."""

    content: str
    """A digest of the players, the decisions and the results, not of the file: see `_key_content`."""
    engine: str
    version: str
    level: str


class AnalyzedMatch(NamedTuple):
    """A match that has been analyzed."""

    key: Key
    path: str
    number: int
    """Which match of its file, from 1."""
    names: tuple[str, str]
    length: int
    rows: tuple[AnalyzedDecision, ...]
    results: tuple[GameResult, ...]
    record: str = ""
    """The digest `content_of` the match, by which the same match from another file is known; empty
    where too little is recorded."""
    date: dt.date | None = None
    """The day of the match, as stated."""
    site: str | None = None
    """Where it was played: as stated, else the program that wrote the record."""


class UnanalyzedMatch(NamedTuple):
    """A match ready to be analyzed."""

    match: AnalyzedMatch
    """What it becomes, still without analyses and without an engine."""
    decisions: tuple[Decision, ...]
    ignored: str | None = None
    """What was left out of the analyses stored with it, if anything was."""

    def key(self, engine: Engine) -> Key:
        """Return what it is known by once `engine` has analyzed it."""
        return Key(self.match.key.content, engine.name, *engine.edition(self.decisions))


def prepare(match: Match) -> UnanalyzedMatch:
    """Return a match with its decisions, ready to be analyzed."""
    return prepare_replayed(replay(match))


def prepare_replayed(replayed: MatchReplay) -> UnanalyzedMatch:
    """Return a match with its decisions, ready to be analyzed, from its replay by the basic rules."""
    match = replayed.match
    to_make = tuple(decisions(replayed))
    rows = tuple(unanalyzed(to_make))
    results = tuple(result_of(game, match.names) for game in replayed.games)
    day = dated(match).day
    blank = AnalyzedMatch(
        key=Key(_key_content(match.names, to_make, rows, results), engine="", version="", level=""),
        path=storable(match.source.path),
        number=match.number,
        names=match.names,
        length=results[0].length if results else 0,
        rows=rows,
        results=tuple(map(as_it_counts, results, outcome_of(replayed).games)),
        record=content_of(replayed) or "",
        date=day and day.date(),
        site=site_of(match),
    )
    note = ignored(match)
    left_out = note and f"line {note.span.line}: {IGNORED.format(note.text)}"
    return UnanalyzedMatch(blank, to_make, left_out)


def analyze_match(match: Match, engine: Engine) -> AnalyzedMatch:
    """Return a match as `engine` analyzes it; raise EngineError."""
    to_analyze = prepare(match)
    return with_evaluations(
        to_analyze, to_analyze.key(engine), engine.evaluate(to_analyze.decisions)
    )


def analyze_matches(
    matches: Iterable[Match], engine: str = ENGINES[0], level: str | None = None
) -> list[AnalyzedMatch]:
    """Return matches as an engine analyzes them, at its first level if none is named.

    Engines and levels are those of `bganalyze analyze`. Raises EngineError where the engine is
    missing or fails, or does not analyze such matches.
    """
    analyzing = start(engine, level)
    return [analyze_match(match, analyzing) for match in matches]


def with_evaluations(
    to_analyze: UnanalyzedMatch, key: Key, evaluations: Sequence[Evaluation | None]
) -> AnalyzedMatch:
    """Return a match with its evaluations."""
    rows = tuple(analyzed(to_analyze.decisions, evaluations))
    return to_analyze.match._replace(key=key, rows=rows)


def as_met(kept: AnalyzedMatch, now: AnalyzedMatch) -> AnalyzedMatch:
    """Return a match that was analyzed before with its places in the file where it is met now."""
    rows = tuple(
        row._replace(row=met.row, place=met.place)
        for row, met in zip(kept.rows, now.rows, strict=True)
    )
    return kept._replace(path=now.path, number=now.number, rows=rows)


def seated(match: AnalyzedMatch) -> AnalyzedMatch:
    """Return a match with the sides as the players sat in its first game.

    Players may change columns between games: who is who, their names say.
    """
    names_of_games = ((game.game, (game.left_name, game.right_name)) for game in match.results)
    seats = seats_of(match.names, names_of_games)
    rows, results = in_seats(match.rows, match.results, seats)
    return match._replace(rows=rows, results=results)


def in_seats(
    rows: Iterable[AnalyzedDecision], results: Iterable[GameResult], seats: Seats
) -> tuple[tuple[AnalyzedDecision, ...], tuple[GameResult, ...]]:
    """Return rows and results with seats for sides."""
    return (
        tuple(_row_in_seats(row, seats) for row in rows),
        tuple(_result_in_seats(result, seats) for result in results),
    )


def _row_in_seats(row: AnalyzedDecision, seats: Seats) -> AnalyzedDecision:
    left, right = seats.pair(row.game, (row.left, row.right))
    owner = None if row.owner is None else seats.seat(row.game, row.owner)
    return row._replace(side=seats.seat(row.game, row.side), left=left, right=right, owner=owner)


def _result_in_seats(result: GameResult, seats: Seats) -> GameResult:
    left, right = seats.pair(result.game, (result.left, result.right))
    left_name, right_name = seats.pair(result.game, (result.left_name, result.right_name))
    winner = None if result.winner is None else seats.seat(result.game, result.winner)
    return result._replace(
        left=left, right=right, left_name=left_name, right_name=right_name, winner=winner
    )


def _key_content(
    names: tuple[str, str],
    to_make: Iterable[Decision],
    rows: Iterable[AnalyzedDecision],
    results: Iterable[GameResult],
) -> str:
    """The digest that a match is kept under. It may not change: old databases are found by it."""
    digest = hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    for decision, row in zip(to_make, rows, strict=True):
        after = position_id(decision.after) if decision.after else None
        position = xgid(row.situation._replace(cube_limit=NO_LIMIT))
        entry = (row.game, row.kind, row.side, position, row.offer, after, decision.points)
        digest.update(repr(tuple(map(str, entry))).encode())
    for result in results:
        digest.update(repr(tuple(result)).encode())
    return digest.hexdigest()
