"""The effect of an illegal play, in the words of its finding."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check

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


def test_boards_that_are_further_apart_are_no_play() -> None:
    far = RECORD.replace("18 13(4) 8(3) 6(4) bar", "18(5) 4(4) 3(4)")
    assert find_message(far).endswith("differ in more checkers than one play moves")


def test_without_a_board_nothing_is_told() -> None:
    assert not find_message(
        RECORD.replace(" leaves board L 24(2) 18 13(4) 8(3) 6(4) bar", " 13/5 ; ")
    )
