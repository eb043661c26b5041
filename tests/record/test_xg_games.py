"""Games of eXtreme Gammon that have no footer, began from a set-up, or end in an unusual way."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import pytest

from bganalyze.record.model import (
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Unread,
)
from bganalyze.record.xg import CUBE_RECORD, GAME_RECORD, MATCH_RECORD, MOVE_RECORD
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from tests.record.test_xg import GAME_END, HEADED, make_roll, read, record, xg_file

MONEY = record(
    MATCH_RECORD,
    {
        880: ("6s", "Ann".encode("utf-16-le")),
        1138: ("6s", "Bob".encode("utf-16-le")),
        552: ("i", 32),
    }
    | {92: ("i", 99999), 101: ("?", True), 103: ("?", True), 576: ("i", -1), 580: ("i", -1)},
)
"""A money session, with automatic doubles."""

POSITION = (0, -1, *[0] * 4, 5, 2, 3, *[0] * 3, -6, 3, *[0] * 3, -2, 0, -4, -2, 1, 0, 0, 1, 0)


def game(
    *actions: bytes,
    scores: tuple[int, int] = (0, 0),
    set_up: Sequence[int] = (0,) * 26,
    in_progress: bool = False,
    automatic: int = 0,
) -> list[bytes]:
    fields: dict[int, tuple[str, object]] = {
        12: ("i", scores[0]), 16: ("i", scores[1]), 21: ("26s", struct.pack("26b", *set_up)),
        52: ("?", in_progress), 56: ("i", -1), 60: ("i", -1), 64: ("i", automatic),
    }  # fmt: skip
    return [record(GAME_RECORD, fields), *actions]


def ending(winner: int, points: int, kind: int) -> bytes:
    return record(GAME_END, {24: ("i", winner), 28: ("i", points), 32: ("i", kind)})


def double(side: int, *answers: int, cube: int = 0) -> bytes:
    numbers = (side, 1, *answers, *[-1] * (3 - len(answers)), cube)
    return record(CUBE_RECORD, {12 + 4 * n: ("i", number) for n, number in enumerate(numbers)})


def play(side: int, dice: tuple[int, int], *points: int) -> bytes:
    moves = (*points, *[-1] * (8 - len(points)))
    fields: dict[int, tuple[str, object]] = {64: ("i", side), 2524: ("i", -1), 2308: ("?", True)}
    fields |= {68 + 4 * n: ("i", point) for n, point in enumerate(moves)}
    return record(MOVE_RECORD, fields | {100: ("i", dice[0]), 104: ("i", dice[1])})


def roll(side: int) -> bytes:
    return make_roll(side, -1)


def games(*records: bytes, match: bytes = HEADED) -> tuple[Game, ...]:
    return read(xg_file([match, *records], [])).games


def kinds(of_game: Game) -> list[str]:
    return [type(action).__name__ for action in of_game.actions]


def codes(match: Match) -> list[str]:
    return [finding.code for finding in check([match])]


def test_a_game_under_way_has_no_winner_and_leaves_the_others_theirs() -> None:
    records = [
        *game(roll(1), roll(-1), ending(-1, 2, 101)),
        *game(roll(1), scores=(0, 2)),
        *game(roll(-1), ending(1, 1, 100), scores=(0, 2)),
        *game(roll(1), roll(-1), scores=(1, 2)),
    ]
    match = read(xg_file([HEADED, *records], []))
    assert [one.ending.winner for one in replay(match).games] == [1, None, 0, None]
    assert [one.score and one.score.points for one in match.games] == [
        (0, 0),
        (0, 2),
        (0, 2),
        (1, 2),
    ]
    assert [kinds(one).count("Play") for one in match.games] == [2, 1, 1, 2]
    assert codes(match).count("T107") == 2
    assert "R601" not in codes(match)


@pytest.mark.parametrize("winner", [0, 7])
def test_a_footer_that_names_nobody_gives_no_winner(winner: int) -> None:
    (one,) = games(*game(roll(1), ending(winner, 1, 101)))
    assert kinds(one) == ["Play"]


def test_a_game_in_progress_that_names_a_winner_is_reported() -> None:
    (one,) = games(*game(roll(1), ending(1, 1, 101), in_progress=True))
    (_, unread) = one.actions
    assert isinstance(unread, Unread)
    assert unread.text == "marked as in progress, although it has a winner"


def test_a_single_position_is_a_set_up_without_errors() -> None:
    decision = record(CUBE_RECORD, {12: ("i", -1), 16: ("i", -1), 20: ("i", -1), 32: ("i", 1)})
    match = read(xg_file([MONEY, *game(decision, set_up=POSITION, in_progress=True)], []))
    ((set_up,),) = (one.actions for one in match.games)
    assert isinstance(set_up, SetUp)
    assert set_up.boards is not None
    left, right = set_up.boards
    assert {point: count for point, count in enumerate(left) if count} == {
        6: 5, 7: 2, 8: 3, 13: 3, 21: 1, 24: 1,
    }  # fmt: skip
    assert {point: count for point, count in enumerate(right) if count} == {
        5: 2, 6: 4, 8: 2, 13: 6, 24: 1,
    }  # fmt: skip
    assert (set_up.cube_value, set_up.cube_owner, set_up.on_roll) == (2, 0, 1)
    assert codes(match) == ["T107"]


def test_the_second_player_may_be_the_left_one() -> None:
    swapped = bytearray(MONEY)
    swapped[880:888], swapped[1138:1146] = MONEY[1138:1146], MONEY[880:888]
    match = read(xg_file([bytes(swapped), *game(set_up=POSITION)], []))
    (set_up,) = match.games[0].actions
    assert isinstance(set_up, SetUp)
    assert set_up.boards is not None
    assert (match.names, set_up.boards[0][13], set_up.boards[1][13]) == (("Ann", "Bob"), 6, 3)


def test_plays_from_a_set_up_are_those_recorded() -> None:
    on_the_bar = [0] * 26
    on_the_bar[25], on_the_bar[2], on_the_bar[0], on_the_bar[20], on_the_bar[21] = (
        1,
        14,
        -1,
        -2,
        -12,
    )
    plays = [play(1, (6, 3), 24, 21, 1, -5), play(-1, (6, 4), 24, 18, 18, 14), roll(1)]
    match = read(xg_file([MONEY, *game(*plays, set_up=on_the_bar)], []))
    _, first, second, last = match.games[0].actions
    assert isinstance(first, Play)
    assert isinstance(second, Play)
    assert isinstance(last, Play)
    assert [step.path for step in first.steps] == [(25, 22), (2, 0)]
    assert [step.path for step in second.steps] == [(25, 19), (19, 15)]
    assert last.how is PlayRecord.UNPLAYED


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ((), ["Double"]),
        ((0,), ["Double", "Answer"]),
        ((1,), ["Double", "Answer"]),
        ((2, 1), ["Double", "Double", "Answer"]),
        ((2, 2, 0), ["Double", "Double", "Double", "Answer"]),
    ],
)
def test_a_double_is_answered_as_recorded(answers: tuple[int, ...], expected: list[str]) -> None:
    for behind in ([], [roll(1), roll(-1)]):
        (one,) = games(*game(roll(1), roll(-1), double(1, *answers), *behind), match=MONEY)
        assert kinds(one) == ["Play", "Play", *expected, *["Play"] * len(behind)]
        given = [action.taken for action in one.actions if isinstance(action, Answer)]
        assert given == [bool(answer) for answer in answers[-1:]]
        sides = [action.side for action in one.actions if isinstance(action, Double | Answer)]
        assert sides == [0, 1, 0, 1][: len(sides)]


def test_a_double_that_is_lost_is_reported() -> None:
    (one,) = games(*game(roll(1), double(1, 1), double(-1, 1), roll(1)))
    assert [action.text for action in one.actions if isinstance(action, Unread)] == [
        "doubles without a roll after them: 1"
    ]


def test_points_that_were_agreed_on_are_given_up() -> None:
    (one,) = games(*game(roll(1), roll(-1), ending(1, 1, 1001)))
    resignation, remark, result = one.actions[-3:]
    assert isinstance(resignation, Resignation)
    assert isinstance(remark, Comment)
    assert isinstance(result, Result)
    assert (resignation.side, remark.text, result.side) == (1, "settled", 0)


def test_a_game_given_up_before_the_first_roll_is_read() -> None:
    (one,) = games(*game(ending(-1, 1, 101)))
    assert kinds(one) == ["Resignation", "Result"]


def test_automatic_doubles_are_read() -> None:
    (one,) = games(*game(roll(1), roll(-1), automatic=2), match=MONEY)
    assert one.cube == 4
