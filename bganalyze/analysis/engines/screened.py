"""An engine at two levels: all is judged at one, and what is wrong or close again at a deeper one.

A decision has one judgement in the end, the deeper where there are two.
"""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.analysis.decisions import ANSWERS, Decision
from bganalyze.analysis.engines import CubeJudgement, Engine, Judgement, PlayJudgement
from bganalyze.analysis.verdict import JudgedDecision, judged, loss

CLOSE_PLAY = 0.04
"""A play is close where the second best is no further behind (EMG)."""

CLOSE_CUBE = 0.16
"""A cube is close where doubling or not, or taking or not, makes no larger difference (EMG)."""


class Screened(Engine):
    """An engine at two of its levels."""

    def __init__(self, first: Engine, second: Engine) -> None:
        """Take the level for all decisions, and the one for those that are wrong or close."""
        self._first, self._second = first, second
        self.name, self.version = first.name, first.version
        self.level = f"{first.level}+{second.level}"

    def parts(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Return the places of decisions that are judged together."""
        return self._second.parts(decisions)

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what it says of each decision of one match; raise EngineError."""
        judgements = self._first.judge(decisions)
        rows = zip(judged(decisions, judgements), judgements, strict=True)
        again = [index for index, (row, judgement) in enumerate(rows) if is_open(row, judgement)]
        if not again:
            return judgements
        deeper = self._second.judge([decisions[index] for index in again])
        for index, judgement in zip(again, deeper, strict=True):
            judgements[index] = judgement or judgements[index]
        return judgements


def is_open(row: JudgedDecision, judgement: Judgement | None) -> bool:
    """Whether a deeper look may change the verdict: the decision is wrong, or close."""
    if judgement is None or row.forced:
        return False
    if (loss(row) or 0.0) > 0:
        return True
    if isinstance(judgement, PlayJudgement):
        best = [candidate.equity for candidate in judgement.candidates[:2]]
        return len(best) == 2 and best[0] - best[1] <= CLOSE_PLAY
    if not isinstance(judgement, CubeJudgement):
        return False
    other = judgement.take if row.kind in ANSWERS else judgement.no_double
    doubled = judgement.drop if row.kind in ANSWERS else min(judgement.take, judgement.drop)
    return abs(other - doubled) <= CLOSE_CUBE
