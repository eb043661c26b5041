"""Words for verdicts: who has judged, and what a decision cost."""

from __future__ import annotations

from bganalyze.judging.describe import Problem
from bganalyze.judging.kept import RECORDED


def judged_by(engine: str, version: str, level: str) -> str:
    """Return who has judged.

    >>> judged_by("gnubg", "1.07", "2ply"), judged_by("recorded", "GNU Backgammon", "0ply")
    ('Judged by gnubg 1.07 at 2ply', 'Judged by GNU Backgammon at 0ply, as stored in the file')
    """
    if engine == RECORDED:
        return f"Judged by {version} at {level}, as stored in the file"
    return f"Judged by {engine} {version} at {level}"


def cost_of(told: Problem, *, money: bool) -> str:
    """Return what a decision cost, in equity and in chances or points.

    >>> cost_of(Problem("", "", "", 0.07, 0.0123, "bad", ""), money=False)
    '0.070 EMG, 1.23 % MWC'
    """
    return ", ".join(filter(None, (f"{told.loss:.3f} EMG", chance(told.cost, money=money))))


def chance(share: float | None, *, money: bool, sign: str = "") -> str:
    """Return a chance to win the match, or points of a money game; empty where it is not known."""
    if share is None:
        return ""
    return f"{share:{sign}.3f} points" if money else f"{100 * share:{sign}.2f} % MWC"
