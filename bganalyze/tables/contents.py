"""The content of a match as a digest, by which the same match from another file is known."""

from __future__ import annotations

from hashlib import blake2b

import numpy as np

from bganalyze.features.boards import Array, Boards
from bganalyze.replaying import MatchReplay
from bganalyze.tables.schema import Columns
from bganalyze.transcript.model import Answer, Double

FEWEST_PLAYS = 8
"""With fewer plays two different matches might agree by chance."""


def content(replayed: MatchReplay, turns: Columns, after: Boards) -> str | None:
    """Return the digest of a match; None where too little of it is recorded.

    It is made of the throws and the boards they led to, the doubles and their answers, the scores
    and the winners. The sides are told apart by who threw first, so neither names nor columns
    matter. Throws without a play are left out: programs differ in whether they write them.
    """
    judged = np.flatnonzero(turns["verdict"] < 2)
    if len(judged) < FEWEST_PLAYS:
        return None
    first = int(turns["side"][judged[0]])
    digest = blake2b(digest_size=12)
    for values in (*_throws(turns, first), after.own, after.other):
        digest.update(np.ascontiguousarray(values[judged]).tobytes())
    digest.update(repr(_books(replayed, first)).encode())
    return digest.hexdigest()


def _throws(turns: Columns, first: int) -> tuple[Array, ...]:
    return turns["game"], turns["side"] ^ first, turns["high"], turns["low"]


def _books(replayed: MatchReplay, first: int) -> list[object]:
    """Doubles, answers, scores and winners, the side that threw first called 0."""
    books: list[object] = []
    for game in replayed.games:
        score, winner = game.context.score, game.ending.winner
        books.append((score[first], score[1 - first], None if winner is None else winner ^ first))
        for turn in game.turns:
            action = turn.action
            if type(action) is Double:
                books.append((action.side ^ first, action.kind))
            elif type(action) is Answer:
                books.append((action.side ^ first, action.taken))
    return books
