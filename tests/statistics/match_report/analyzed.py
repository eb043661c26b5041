"""Matches analyzed by hand: an engine whose analyses a test dictates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bganalyze
from bganalyze.analysis.decisions import Decision, Kind
from bganalyze.analysis.engines import Candidate, CubeEvaluation, Evaluation, PlayEvaluation
from bganalyze.analysis.match import AnalyzedMatch, analyze_match
from bganalyze.board.plays import legal_plays
from bganalyze.record.reader import read_bytes

MATCH = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 24/22 13/8              32: 24/21 13/11
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann : 1                         Bob : 0
  1)                             21: 13/11 6/5
  2) 44: 24/20*(2) 13/9(2)       51: bar/20 13/12
"""

LOSSES = {(1, "1", 1): 0.05, (1, "2", 0): 0.2, (2, "2", 1): 0.0004}
"""Losses of plays by game, row and side; all other plays lose nothing."""


class Dictated:
    """An engine that returns prepared equities."""

    name, version, level = "dictated", "1", "high"

    def __init__(self, losses: Mapping[tuple[int, str, int], float] = LOSSES) -> None:
        self._losses = losses

    def stored_version(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        return self.version, self.level

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        return [self._of(decision) for decision in decisions]

    def _of(self, decision: Decision) -> Evaluation | None:
        if decision.kind is Kind.NO_DOUBLE:
            return CubeEvaluation(no_double=0.1, take=-0.2)
        if decision.kind is not Kind.PLAY:
            return CubeEvaluation(no_double=0.8, take=0.7)
        assert decision.dice
        if decision.after is None:
            return None
        row = (decision.turn.action.row or "").strip()
        cost = self._losses.get((decision.context.game, row, decision.side), 0.0)
        legal = (play for play in legal_plays(decision.position, decision.dice))
        best = next(play for play in legal if play != decision.after) if cost else decision.after
        reached = Candidate(decision.after, 0.3 - cost)
        return PlayEvaluation((Candidate(best, 0.3), reached), reached, luck=0.25)


def analyze_text(
    text: str, engine: Dictated | None = None
) -> tuple[bganalyze.Match, AnalyzedMatch]:
    """Return the one match of a text, and what the engine says of it."""
    (match,) = read_bytes(text.encode(), "test.mat")
    return match, analyze_match(match, engine or Dictated())
