"""An engine at two levels: all decisions at one, wrong and close ones again at a deeper one.

Each decision has one evaluation in the end, the deeper one if there are two.
"""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.analysis.analyzed import AnalyzedDecision, loss, make_rows_with_evaluations
from bganalyze.analysis.decisions import ANSWERS, Decision
from bganalyze.analysis.engines import CubeEvaluation, Engine, Evaluation, PlayEvaluation

CLOSE_PLAY = 0.04
"""Largest difference (EMG) between the best and second-best play at which a play is close."""

CLOSE_CUBE = 0.16
"""Largest difference (EMG) between doubling and not, or taking and passing, at which a cube
decision is close."""


class TwoLevelEngine(Engine):
    """Two engines as one: the second analyzes deeper what the first finds wrong or close."""

    def __init__(self, first: Engine, second: Engine) -> None:
        """Combine two engines: `first` analyzes all decisions, `second` wrong and close ones."""
        self._first, self._second = first, second
        self.name, self.version = first.name, first.version
        self.level = f"{first.level}+{second.level}"

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Split the decisions of a match, so that several processes can analyze one part each.

        Each part lists the indexes of its decisions.
        """
        return self._second.split_decisions(decisions)

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return, for each decision of one match, an evaluation or None.

        Wrong and close decisions are searched deeper. Raise EngineError if an engine fails.
        """
        evaluations = self._first.evaluate(decisions)
        rows = zip(make_rows_with_evaluations(decisions, evaluations), evaluations, strict=True)
        again = [
            index
            for index, (row, evaluation) in enumerate(rows)
            if needs_deeper_search(row, evaluation)
        ]
        if not again:
            return evaluations
        deeper = self._second.evaluate([decisions[index] for index in again])
        for index, evaluation in zip(again, deeper, strict=True):
            evaluations[index] = evaluation or evaluations[index]
        return evaluations


def needs_deeper_search(row: AnalyzedDecision, evaluation: Evaluation | None) -> bool:
    """Whether the first engine's evaluation of a decision shows an error or a close choice."""
    if evaluation is None or row.forced:
        return False
    if (loss(row) or 0.0) > 0:
        return True
    if isinstance(evaluation, PlayEvaluation):
        best = [candidate.equity for candidate in evaluation.candidates[:2]]
        return len(best) == 2 and best[0] - best[1] <= CLOSE_PLAY
    if not isinstance(evaluation, CubeEvaluation):
        return False
    other = evaluation.take if row.kind in ANSWERS else evaluation.no_double
    doubled = evaluation.passed if row.kind in ANSWERS else min(evaluation.take, evaluation.passed)
    return abs(other - doubled) <= CLOSE_CUBE
