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
from bganalyze.record.players import have_changed_columns
from bganalyze.record.profile import site_of
from bganalyze.record.stored import IGNORED, ignored
from bganalyze.text import storable
from bganalyze.validation.replaying import replay
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
    replayed = replay(match)
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
    changed = frozenset(
        result.game
        for result in match.results
        if have_changed_columns(match.names, (result.left_name, result.right_name))
    )
    rows, results = in_seats(match.rows, match.results, changed)
    return match._replace(rows=rows, results=results)


def in_seats(
    rows: Iterable[AnalyzedDecision], results: Iterable[GameResult], changed: frozenset[int]
) -> tuple[tuple[AnalyzedDecision, ...], tuple[GameResult, ...]]:
    """Return rows and results with the sides exchanged in the games that are named."""
    return (
        tuple(_exchanged(row) if row.game in changed else row for row in rows),
        tuple(_result_exchanged(game) if game.game in changed else game for game in results),
    )


def _exchanged(row: AnalyzedDecision) -> AnalyzedDecision:
    owner = None if row.owner is None else 1 - row.owner
    return row._replace(side=1 - row.side, left=row.right, right=row.left, owner=owner)


def _result_exchanged(result: GameResult) -> GameResult:
    winner = None if result.winner is None else 1 - result.winner
    return result._replace(
        left=result.right,
        right=result.left,
        left_name=result.right_name,
        right_name=result.left_name,
        winner=winner,
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
