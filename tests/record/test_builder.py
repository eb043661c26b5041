"""To which offer an answer belongs: the cube, or a resignation that nobody has answered."""

from __future__ import annotations

import pytest

from bganalyze.record.builder import append_acceptance, append_refusal, decline_open_resignation
from bganalyze.record.model import LEFT, RIGHT, Action, Answer, Resignation, Side, Span

AT = Span(1, 1, 2)
RESIGNED = Resignation(AT, None, LEFT, 1)
DECLINED = RESIGNED._replace(declined=True)


def taken_by(side: Side) -> Answer:
    return Answer(AT, None, side, taken=True)


def passed_by(side: Side) -> Answer:
    return Answer(AT, None, side, taken=False)


@pytest.mark.parametrize(
    ("before", "side", "accepted", "refused"),
    [
        ([], RIGHT, [taken_by(RIGHT)], [passed_by(RIGHT)]),
        ([RESIGNED], RIGHT, [RESIGNED], [DECLINED]),
        ([RESIGNED], LEFT, [RESIGNED, taken_by(LEFT)], [RESIGNED, passed_by(LEFT)]),
        ([DECLINED], RIGHT, [DECLINED, taken_by(RIGHT)], [DECLINED, passed_by(RIGHT)]),
    ],
)
def test_an_answer_is_to_an_open_resignation_of_the_opponent_or_to_the_cube(
    before: list[Action], side: Side, accepted: list[Action], refused: list[Action]
) -> None:
    actions = list(before)
    append_acceptance(actions, AT, None, side)
    assert actions == accepted
    actions = list(before)
    append_refusal(actions, AT, None, side)
    assert actions == refused


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([RESIGNED], [DECLINED]),
        ([RESIGNED, taken_by(RIGHT)], [RESIGNED, taken_by(RIGHT)]),
        ([], []),
    ],
)
def test_the_last_resignation_is_declined_where_the_game_continues(
    before: list[Action], after: list[Action]
) -> None:
    actions = list(before)
    decline_open_resignation(actions)
    assert actions == after
