"""Judge a match: its decisions, an engine's judgements, and the rows that come of both."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.ids import position_id, xgid
from bganalyze.judging.decisions import Decision, decisions
from bganalyze.judging.engines import ENGINES, Engine, start
from bganalyze.judging.evaluation import Judgement
from bganalyze.judging.metrics.figures import GameResult, result_of
from bganalyze.judging.verdict import JudgedDecision, judged, unjudged
from bganalyze.players import have_changed_columns
from bganalyze.replaying import replay
from bganalyze.transcript.model import Match
from bganalyze.transcript.profile import day_of, site_of

NO_LIMIT = 1024
"""The limit of the cube that a `Key` sees, whatever the record says: the keys of matches that have
been kept were made so."""


class Key(NamedTuple):
    """What makes a judged match the same as another: its content, and who judged it how."""

    content: str
    """A digest of the players, the decisions and the results; not of the file."""
    engine: str
    version: str
    level: str


class Prepared(NamedTuple):
    """A match ready to be judged."""

    path: str
    number: int
    """Which match of its file, from 1."""
    names: tuple[str, str]
    length: int
    decisions: tuple[Decision, ...]
    results: tuple[GameResult, ...]
    content: str
    record: str
    date: dt.date | None = None
    site: str | None = None

    def key(self, engine: Engine) -> Key:
        """Return what it is known by once `engine` has judged it."""
        return Key(self.content, engine.name, *engine.edition(self.decisions))


class JudgedMatch(NamedTuple):
    """A match that has been judged."""

    key: Key
    path: str
    number: int
    names: tuple[str, str]
    length: int
    rows: tuple[JudgedDecision, ...]
    results: tuple[GameResult, ...]
    record: str = ""
    """A digest of decisions and results: the same whatever the players are called, and whoever sits
    left. By it the same match from another file is known."""
    date: dt.date | None = None
    """The day of the match, as stated."""
    site: str | None = None
    """Where it was played: as stated, else the program that wrote the record."""


def prepared(match: Match) -> Prepared:
    """Return a match with its decisions."""
    replayed = replay(match)
    found = tuple(decisions(replayed))
    results = tuple(result_of(game, match.names) for game in replayed.games)
    day = day_of(match)
    return Prepared(
        path=match.source.path,
        number=match.number,
        names=match.names,
        length=results[0].length if results else 0,
        decisions=found,
        results=results,
        content=_digest(match.names, found, results),
        record=_record(found, results),
        date=day and day.date(),
        site=site_of(match),
    )


def judge(match: Match, engine: Engine) -> JudgedMatch:
    """Return a match as `engine` judges it; raise EngineError."""
    ready = prepared(match)
    return with_judgements(ready, ready.key(engine), engine.judge(ready.decisions))


def judge_matches(
    matches: Iterable[Match], engine: str = ENGINES[0], level: str | None = None
) -> list[JudgedMatch]:
    """Return matches as an engine judges them, at its first level if none is named.

    Engines and levels are those of `bganalyze judge`. Raises EngineError where the engine is
    missing or fails, or does not judge such matches.
    """
    judging = start(engine, level)
    return [judge(match, judging) for match in matches]


def with_judgements(
    ready: Prepared, key: Key, judgements: Sequence[Judgement | None]
) -> JudgedMatch:
    """Return a match with its judgements."""
    return JudgedMatch(
        key=key,
        path=ready.path,
        number=ready.number,
        names=ready.names,
        length=ready.length,
        rows=tuple(judged(ready.decisions, judgements)),
        results=ready.results,
        record=ready.record,
        date=ready.date,
        site=ready.site,
    )


def as_met(known: JudgedMatch, ready: Prepared) -> JudgedMatch:
    """Return a match that is judged already with its places in the file where it is met now."""
    rows = tuple(
        row._replace(row=now.row, place=now.place)
        for row, now in zip(known.rows, unjudged(ready.decisions), strict=True)
    )
    return known._replace(path=ready.path, number=ready.number, rows=rows)


def seated(match: JudgedMatch) -> JudgedMatch:
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
    rows: Iterable[JudgedDecision], results: Iterable[GameResult], changed: frozenset[int]
) -> tuple[tuple[JudgedDecision, ...], tuple[GameResult, ...]]:
    """Return rows and results with the sides exchanged in the games that are named."""
    return (
        tuple(_exchanged(row) if row.game in changed else row for row in rows),
        tuple(_result_exchanged(each) if each.game in changed else each for each in results),
    )


def _exchanged(row: JudgedDecision) -> JudgedDecision:
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


def _digest(
    names: tuple[str, str], found: Sequence[Decision], results: Iterable[GameResult]
) -> str:
    digest = hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    for decision, row in zip(found, unjudged(found), strict=True):
        after = position_id(decision.after) if decision.after else None
        board = xgid(decision.situation._replace(cube_limit=NO_LIMIT))
        entry = (row.game, row.kind, row.side, board, row.offer, after, decision.points)
        digest.update(repr(tuple(map(str, entry))).encode())
    for result in results:
        digest.update(repr(tuple(result)).encode())
    return digest.hexdigest()


def _record(found: Sequence[Decision], results: Iterable[GameResult]) -> str:
    """The digest without names, the side that decided first called 0."""
    first = found[0].side if found else 0
    digest = hashlib.sha256()
    for each in found:
        left = position_id(each.after) if each.after else None
        board = position_id(each.position)
        told = (each.side ^ first, str(each.kind), board, each.dice, left, each.cube, each.offer)
        digest.update(repr(told).encode())
    for result in results:
        score = (result.left, result.right) if first == 0 else (result.right, result.left)
        winner = None if result.winner is None else result.winner ^ first
        digest.update(repr((result.length, score, result.crawford, winner)).encode())
    return digest.hexdigest()
