"""To which offer an answer belongs: the cube, or a resignation that nobody has answered."""

from __future__ import annotations

import pytest

from bganalyze.record.builder import (
    append_acceptance,
    append_refusal,
    decline_open_resignation,
    join_lines,
    parse_dice,
    read_steps,
    replace_lone_surrogates,
)
from bganalyze.record.model import LEFT, RIGHT, Action, Answer, Play, Resignation, Side, Span

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


def test_an_empty_line_joins_as_one_blank() -> None:
    assert join_lines("Ann\r\nLee\n\nx") == "Ann Lee x"


def test_two_halves_of_a_character_are_joined() -> None:
    assert replace_lone_surrogates("\ud83d\ude00") == "\U0001f600"


def test_each_step_has_its_place() -> None:
    (play,) = read_steps("1-7 12-14", 7, Play(Span(3, 1, 16), None, 1, (6, 2)), is_mirrored=None)
    assert play.place(1) == Span(line=3, column=12, end_column=17)


@pytest.mark.parametrize(("text", "dice"), [("31", (3, 1)), ("6 and 5", (6, 5))])
def test_dice_may_stand_together_or_apart(text: str, dice: tuple[int, int]) -> None:
    assert parse_dice(text) == dice
