"""Rows of analyzed decisions, made up for the tests of metrics."""

from __future__ import annotations

from itertools import count

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import TO_DOUBLER, Kind
from bganalyze.board.ids import Situation
from bganalyze.board.position import start_position

_LINES = count(1)


def play(
    loss: float | None,
    *,
    side: int = 0,
    legal: bool | None = True,
    forced: bool = False,
    luck: float | None = None,
    spread: float = 0.5,
) -> AnalyzedDecision:
    """Return a play that loses `loss`; None: the engine gives no equity."""
    return _row(Kind.PLAY, side)._replace(
        dice="31",
        legal=legal,
        forced=forced,
        best=0.0,
        reached=None if loss is None else -loss,
        spread=spread,
        luck=luck,
    )


def cube(kind: Kind, no_double: float, take: float, passed: float = 1.0) -> AnalyzedDecision:
    """Return a cube decision of left, or right's answer to it, with these equities."""
    side = 1 if kind in TO_DOUBLER else 0
    offer = 0 if kind is Kind.NO_DOUBLE else 2
    return _row(kind, side)._replace(no_double=no_double, take=take, passed=passed, offer=offer)


def make_resignation(kind: Kind, reached: float, other: float) -> AnalyzedDecision:
    """Return a game given up, or the answer to that: `reached` and `other` are the equities of the two choices."""
    side = 1 if kind is Kind.RESIGNATION else 0
    return _row(kind, side)._replace(offer=2, best=max(reached, other), reached=reached)


def _row(kind: Kind, side: int) -> AnalyzedDecision:
    return AnalyzedDecision(
        game=1,
        row="1",
        place="1:1" if kind in (Kind.PLAY, Kind.NO_DOUBLE) else f"{next(_LINES)}:1",
        side=side,
        kind=kind,
        length=5,
        left=0,
        right=0,
        crawford=False,
        cube=1,
        owner=None,
        offer=0,
        dice=None,
        situation=Situation(start_position("standard"), on_roll=0, length=5),
        legal=None,
        forced=False,
        verified=True,
        played=None,
        better=None,
    )
