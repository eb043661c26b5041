"""Recurring mistakes in words and tables, from costs made up by hand."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Grid
from bganalyze.app.render.profile.mistakes import tabulate_further
from bganalyze.statistics.profiles.recurring import Mistakes, Study
from tests.app.render.profile.test_situations import make_profile

ABOUT = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
ATTACK = Mistakes(*ABOUT, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)
"""0.5 EMG lost in 10 decisions, 0.3 more than at the opponents' rate."""


def test_further_mistakes_are_listed_by_the_cost_shown() -> None:
    """The order of study puts the cheaper one first; the table has costs, so the costlier is first."""
    cheap = ATTACK._replace(lost=0.2, opponents=0.0)
    study = Study((), None, (), (cheap, ATTACK), lost=5.0)
    (grid,) = (
        one
        for one in tabulate_further(make_profile()._replace(study=study))
        if isinstance(one, Grid)
    )
    assert [[cell.text for cell in cells[:2]] for cells in grid.rows] == [
        ["1. contact errors, attacking (blitz)", "0.50"],
        ["2. contact errors, attacking (blitz)", "0.20"],
    ]
