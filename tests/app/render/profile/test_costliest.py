"""The costliest decisions of a profile, each board once."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Diagrams
from bganalyze.app.render.profile.costliest import list_costliest
from bganalyze.board.ids import parse_xgid
from bganalyze.statistics.profiles.costliest import Costliest
from bganalyze.statistics.profiles.recurring import Lesson, Study
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.figures import Board
from tests.app.render.profile.test_situations import make_profile

SITUATION = parse_xgid("XGID=-a-B--E-B-a-dDB--b-bcb----:0:0:1:00:0:0:0:7:10")
LATE = Subject(
    *(DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.OTHER, Role.BOTH),
    *(4, 4, 3, 1.5, 50),
)


def make_board(*facts: tuple[str, str]) -> Board:
    """Return the board of a decision in the third row of a file's only game."""
    common = (("Place", "game 1, row 3 (a.mat:7:5)"), *facts, ("Lost", "0.200 EMG, 1.50 % MWC"))
    return Board("Ann against Bob", SITUATION, ("Ann", "Bob"), common)


def test_a_missed_double_and_the_play_after_it_have_their_own_boards() -> None:
    """Both are at the same place; only the double is shown with a subject."""
    double = make_board(("Played", "no double"), ("Better", "double, take"))
    play = make_board(("Rolled", "3-1"), ("Played", "8/4"), ("Better", "8/5 6/5"))
    profile = make_profile()._replace(
        study=Study((LATE,), (Lesson(LATE, "in time", 4, (double,)),), matches=3),
        costliest=Costliest((double, play), errors=2, resignations=0, cube=()),
    )
    blocks = list_costliest(profile, {}, on_page=True)
    (shown,) = (block for block in blocks if isinstance(block, Diagrams))
    assert [one.scene is None for one in shown.diagrams] == [True, False]
    assert dict(shown.diagrams[0].facts)["Board"] == "above, subject 1"
