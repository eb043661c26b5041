"""Judge a match: its decisions, an engine's judgements, and the rows that come of both."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.ids import position_id
from bganalyze.decisions import Decision, decisions
from bganalyze.engines import Engine
from bganalyze.judged import Judged, judged
from bganalyze.judgements import Judgement
from bganalyze.metrics.results import GameResult, result_of
from bganalyze.replaying import replay
from bganalyze.transcript.model import Match


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
    rows: tuple[Judged, ...]
    results: tuple[GameResult, ...]


def prepared(match: Match) -> Prepared:
    """Return a match with its decisions."""
    replayed = replay(match)
    found = tuple(decisions(replayed))
    results = tuple(result_of(game) for game in replayed.games)
    return Prepared(
        path=match.source.path,
        number=match.number,
        names=match.names,
        length=results[0].length if results else 0,
        decisions=found,
        results=results,
        content=_digest(match.names, found, results),
    )


def judge(match: Match, engine: Engine) -> JudgedMatch:
    """Return a match as `engine` judges it; raise EngineError."""
    ready = prepared(match)
    return with_judgements(ready, ready.key(engine), engine.judge(ready.decisions))


def with_judgements(
    ready: Prepared, key: Key, judgements: Sequence[Judgement | None]
) -> JudgedMatch:
    """Return a match with its judgements."""
    rows = tuple(judged(ready.decisions, judgements))
    return JudgedMatch(
        key, ready.path, ready.number, ready.names, ready.length, rows, ready.results
    )


def _digest(
    names: tuple[str, str], found: Sequence[Decision], results: Iterable[GameResult]
) -> str:
    digest = hashlib.sha256("\n".join(names).encode("utf-8", "surrogatepass"))
    unjudged = judged(found, [None] * len(found))
    for decision, row in zip(found, unjudged, strict=True):
        left = position_id(decision.left) if decision.left else None
        told = (row.game, row.kind, row.side, row.xgid, row.offer, left, decision.points)
        digest.update(repr(tuple(map(str, told))).encode())
    for result in results:
        digest.update(repr(tuple(result)).encode())
    return digest.hexdigest()
