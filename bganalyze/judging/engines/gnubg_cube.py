"""What GNU Backgammon's numbers say of a cube, wherever it tells them."""

from __future__ import annotations

from bganalyze.judging.decisions import Decision
from bganalyze.judging.evaluation import Chances, CubeJudgement
from bganalyze.stakes import Score, stake


def of_cube(
    decision: Decision, no_double: float, take: float, chances: Chances
) -> CubeJudgement | None:
    """Return the equities of the doubler, in EMG; None where the match equities do not reach.

    GNU Backgammon tells chances to win a match, and points of a money game.
    """
    if not decision.length:
        return CubeJudgement(no_double, take, 1.0, chances)
    context = decision.context
    score = Score(decision.length, context.score, context.crawford)
    stakes = stake(score, decision.doubler, decision.cube)
    if stakes is None:
        return None
    none, taken, dropped = (stakes.equity(each) for each in (no_double, take, stakes.win))
    return CubeJudgement(none, taken, dropped, chances)
