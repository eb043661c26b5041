"""The content of a match as a digest, by which the same match from another file is known."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise

import numpy as np

from bganalyze.features.boards import Array, Boards
from bganalyze.replaying import MatchReplay
from bganalyze.tables.recorded import ILLEGAL
from bganalyze.tables.schema import Columns
from bganalyze.transcript.model import Answer, Double

FEWEST_PLAYS = 8
"""With fewer plays two different matches might agree by chance."""

THROWS = ("game", "high", "low")


def contents(replays: Sequence[MatchReplay], turns: Columns, after: Boards) -> list[str | None]:
    """Return the digest of each match; None where too little of it is recorded.

    It is made of the throws and the boards they led to, the doubles and their answers, the scores
    and the winners. The sides are told apart by who threw first, so neither names nor columns
    matter. Throws without a play are left out: programs differ in whether they write them.
    """
    judged = np.flatnonzero(turns["verdict"] <= ILLEGAL)
    ends = np.searchsorted(turns["match"][judged], np.arange(len(replays) + 1))
    own = [judged[first:end] for first, end in pairwise(ends.tolist())]
    return [
        _content(replayed, rows, turns, after) if len(rows) >= FEWEST_PLAYS else None
        for replayed, rows in zip(replays, own, strict=True)
    ]


def _content(replayed: MatchReplay, rows: Array, turns: Columns, after: Boards) -> str:
    first = int(turns["side"][rows[0]])
    digest = blake2b(digest_size=12)
    for values in (*(turns[name] for name in THROWS), after.own, after.other):
        digest.update(values[rows].tobytes())
    digest.update((turns["side"][rows] ^ first).tobytes())
    digest.update(repr(_books(replayed, first)).encode())
    return digest.hexdigest()


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
