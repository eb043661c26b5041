"""The costliest decisions of a profile, each board once."""

from __future__ import annotations

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.app.render.document import Diagrams
from bganalyze.app.render.profile.costliest import (
    _counts_in_words,
    _resignations_in_words,
    _say_how_to_list_errors,
    list_costliest,
)
from bganalyze.app.render.profile.subjects import _say_how_to_list_rows
from bganalyze.board.ids import parse_xgid
from bganalyze.statistics.profiles.costliest import Costliest, CubeMistakes
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


def test_a_command_quotes_a_path_with_a_blank() -> None:
    words = ("stats", "my matches", "--player", "Ann")
    errors, rows = _say_how_to_list_errors(words, 380), _say_how_to_list_rows(words)
    assert "bganalyze stats 'my matches' --player Ann --report worst" in errors
    assert "bganalyze export 'my matches' --player Ann --least 0.02" in rows


def test_errors_that_no_row_shows_are_counted() -> None:
    said = " (3 in offering or accepting a resignation, which no row of the table by kind counts)"
    assert _resignations_in_words(3) == said
    assert _counts_in_words([CubeMistakes("wrong pass", 12, 1.5, ())], are_shown=False) == (
        "the costliest of each kind are shown above; in all: 12 wrong passes, 1.50 EMG with smaller losses"
    )
