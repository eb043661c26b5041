"""The effect of an illegal play, in the words of its finding."""

from __future__ import annotations

import pytest

from bganalyze.board.changes import Change
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.rules.board_changes import changes_in_words, explain_pips

RECORD = """\
bganalyze match
length: 5 points
left: Ann
right: Bob

game 1
score 0 0
board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5) cube 1 turn L
L 62 illegal leaves board L 24(2) 18 13(4) 8(3) 6(4) bar R 23 24 13(5) 8(3) 6(5) cube 1 turn R
"""


def find_message(record: str) -> str:
    """Return the message of the illegal play of a record."""
    [found] = [each for each in check(read_bytes(record.encode(), "a.bgm")) if each.code == "P499"]
    return found.message.partition("; ")[2]


def test_a_board_that_an_illegal_play_left_tells_what_was_done() -> None:
    assert find_message(RECORD) == (
        "by the board after it: a checker moved from the 13 point to the 18 point; a checker put on "
        "the bar from the 6 point; a checker of the opponent's moved from the opponent's 24 point "
        "to the opponent's 23 point"
    )


def test_boards_do_not_say_which_checker_went_where() -> None:
    record = RECORD.replace("18 13(4) 8(3) 6(4) bar R 23 24", "13(4) 10 8(3) 6(4) 5 R 24(2)")
    assert find_message(record).startswith(
        "by the board after it: checkers moved from the 13 point and the 6 point to the"
        " 10 point and the 5 point; 4 pips moved of 8"
    )


def test_boards_that_are_further_apart_are_no_play() -> None:
    far = RECORD.replace("18 13(4) 8(3) 6(4) bar", "18(5) 4(4) 3(4)")
    assert find_message(far).endswith("differ in more checkers than one play moves")


def test_without_a_board_nothing_is_told() -> None:
    assert not find_message(
        RECORD.replace(" leaves board L 24(2) 18 13(4) 8(3) 6(4) bar", " 13/5 ; ")
    )


@pytest.mark.parametrize(
    ("moves", "dice", "said"),
    [
        ([(19, 10), (15, 6)], (5, 5), "18 pips moved of 20; no steps of 5 do that"),
        (
            [(13, 6), (20, 7)],
            (5, 5),
            "no steps of 5 do that",
        ),
        ([(20, 5), (13, 8)], (5, 5), ""),
        ([(13, 6), (14, 11)], (5, 5), "10 pips moved of 20; no steps of 5 do that"),
        ([(13, 9), (11, 5)], (5, 5), "10 pips moved of 20"),
        ([(13, 8)], (4, 2), "5 pips moved of 6; the steps must be 4 and 2"),
        ([(13, 9)], (4, 2), "4 pips moved of 6"),
        ([(13, 4)], (4, 2), "9 pips moved of 6"),
        ([(13, 7)], (4, 2), ""),
        ([(6, 0)], (4, 2), ""),
        ([(6, 8)], (4, 2), ""),
    ],
)
def test_pips_are_counted_where_every_pairing_of_checkers_gives_the_same(
    moves: list[tuple[int, int]], dice: tuple[int, int], said: str
) -> None:
    changes = [Change("moved", source, target) for source, target in moves]
    assert explain_pips(changes, dice).startswith(said)
    assert bool(explain_pips(changes, dice)) == bool(said)


def test_pips_are_not_counted_beside_other_changes() -> None:
    changes = [Change("moved", 19, 6), Change("left-on-bar", 25)]
    assert explain_pips(changes, (5, 5)) == ""


def test_boards_of_many_changes_only_differ() -> None:
    assert changes_in_words([Change("moved", 6, 0, checkers=9)]) == (
        "the boards before and after it differ in more checkers than one play moves"
    )


def test_pips_of_doubles_that_no_steps_add_up_to_are_said() -> None:
    changes = [Change("moved", 19, 6), Change("moved", 15, 10)]
    assert explain_pips(changes, (5, 5)) == "18 pips moved of 20; no steps of 5 do that"
