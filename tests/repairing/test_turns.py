"""Slips of a turn: lost, or there and not to be read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bganalyze.board.movement import Dice
from bganalyze.board.rule_book import BASIC
from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.slips.cells import suggest_other_play, suggest_other_roll
from bganalyze.repairing.slips.unknown import (
    _score_shared_digits,
    find_pairs_before,
    suggest_readable_cell,
)
from bganalyze.repairing.suggestion import Suggestion, message_for
from tests.faults.record import open_record
from tests.faults.rows import turn_lost_moved_up_at
from tests.repairing.clean import MATCH, clean
from tests.repairing.transcripts import ROWS, cells, messages, record, repair_bytes, row, with_rows

CLEAN = record(*ROWS)
SAMPLES = Path(__file__).parents[2] / "samples" / "clean"
LEFT, RIGHT = cells(ROWS[3])


def move_up(lost: int) -> bytes:
    """Return the game without one of its turns, with all later ones one cell too early."""
    turns = [cell for text in ROWS for cell in cells(text)]
    turns = [*turns[:lost], *turns[lost + 1 :], ""]
    return record(*map(row, turns[::2], turns[1::2]))


@pytest.mark.slow
@pytest.mark.parametrize("empty", [row("", RIGHT), row(LEFT)])
def test_a_turn_is_put_into_a_cell_that_is_empty(empty: str) -> None:
    data = with_rows(3, empty)
    assert messages(data)[0].startswith("insert the lost turn ")
    assert CLEAN in repair_bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("lost", [6, 7])
def test_a_turn_is_put_in_and_what_follows_moved_back_where_it_has_moved_up(lost: int) -> None:
    data = move_up(lost)
    assert any(message.endswith("; move all later turns one cell on") for message in messages(data))
    assert CLEAN in repair_bytes(data)


@pytest.mark.slow
@pytest.mark.parametrize("has_number", [True, False])
def test_a_row_that_is_lost_is_put_in_where_it_was(has_number: bool) -> None:
    lines = CLEAN.decode().splitlines()
    place = lines.index(next(line for line in lines if line.startswith("  6)")))
    behind = lines[place + 1 :]
    if not has_number:
        behind = [f"{int(line[:3]) - 1:3}{line[3:]}" for line in behind]
    data = "\n".join([*lines[:place], *behind, ""]).encode()
    [cause] = find_repairs_in_file(data, "a.mat")
    first = cause.proposals[0]
    assert (first.kind, first.edits[0].line) == ("lost row", place + 1)
    assert (first.line, first.row) == (place + 1, "6")
    assert not first.proved
    after = edit_bytes(data, first.edits).decode().splitlines()
    assert [line[:4] for line in after] == [line[:4] for line in lines]


ROW_LETTERS = """\
bganalyze match
length: 3
game 1
score 0-0
1. L 31 8/5 6/5 | R 66 24/18(2) 13/7(2)
2. L 31 24/23 13/10
3. L 62 24/18 13/11 | R 21 13/11 6/5
"""


@pytest.mark.parametrize(
    ("name", "data", "place"),
    [
        ("a.mat", with_rows(3, row(LEFT)), (8, "4", "right")),
        ("a.mat", with_rows(3, row("", RIGHT)), (8, "4", "left")),
        ("a.bgm", ROW_LETTERS.encode(), (6, "2", "right")),
    ],
)
def test_the_place_of_a_lost_turn_is_that_of_its_edit(
    name: str, data: bytes, place: tuple[int, str, str]
) -> None:
    [cause] = find_repairs_in_file(data, name)
    for proposal in cause.proposals:
        assert (proposal.line, proposal.row, proposal.side) == place
        assert proposal.line == proposal.edits[0].line


def test_a_play_that_cannot_be_read_is_one_of_its_roll_that_all_that_follows_allows() -> None:
    for play in ("bar/24 q#/1z", "q#w/x4 ??"):
        data = with_rows(3, row(f"51: {play}", RIGHT))
        assert messages(data)[0] == f"51: {play} → {LEFT}"
        assert repair_bytes(data)[0] == CLEAN


def test_of_a_cell_that_cannot_be_read_the_figures_that_are_left_tell_the_roll() -> None:
    data = with_rows(3, row("5q: b#r/2z 18/x3", RIGHT))
    assert CLEAN in repair_bytes(data)[:3]


def test_a_roll_that_cannot_be_read_is_told_from_the_steps() -> None:
    for roll in ("5x:", "?1:", "5_1:", ""):
        data = with_rows(3, row(f"{roll} bar/24 18/13".strip(), RIGHT))
        assert repair_bytes(data)[0] == CLEAN


def test_a_roll_whose_dice_are_the_steps_is_likelier_than_one_with_the_same_sum() -> None:
    data = record(row("41: 24/23 13/9", "24/20 20/15"), row("31: 8/5 6/5"))
    assert messages(data)[0] == "24/20 20/15 → 54: 24/20 20/15"


def test_it_counts_with_which_roll_a_play_would_be_made_whose_roll_cannot_be_read() -> None:
    draft = read_file_to_repair(
        record(row("31: 8/5 6/5", "13/5"), row("41: 13/9 24/23")), "a.mat", BASIC
    )
    evidence = ErrorContext(draft.replays[0], draft.to_repair[0], draft.lines, draft.errors)
    situations = [
        suggestion.alternative and suggestion.alternative.situation
        for suggestion in suggest_readable_cell(evidence)
    ]
    dice = [situation and situation.dice for situation in situations]
    assert {tuple(sorted(roll)) for roll in dice if roll} == {(2, 6), (3, 5), (2, 2)}
    assert None not in dice


def test_a_roll_has_a_colon_where_the_record_has_no_other_play() -> None:
    data = record(row("3q# 8/5 6/5", "Wins 1 point"))
    assert messages(data)[0] == "3q# 8/5 6/5 → 31: 8/5 6/5"


def test_a_roll_is_written_as_it_was_rolled_where_its_figures_say_so() -> None:
    data = record(row("13: 8/5 6/5", "26# 2q/1# 13/1#"), row("14: 13/9 24/23"))
    assert messages(data)[0] == "26# 2q/1# 13/1# → 26: 24/18 13/11"


def test_letters_are_read_as_the_figures_that_they_look_like() -> None:
    data = with_rows(3, row("5l: bar/24 I8/13", RIGHT))
    assert messages(data)[0] == "5l: bar/24 I8/13 → 51: bar/24 18/13"
    assert repair_bytes(data)[0] == CLEAN


@pytest.mark.parametrize("cell", ["51:", "51: Cannot Move"])
def test_a_play_that_is_not_recorded_is_put_in(cell: str) -> None:
    data = with_rows(3, row(cell, RIGHT))
    assert repair_bytes(data)[0] == CLEAN


def test_what_can_be_read_of_a_cell_counts_and_a_question_mark_does_not() -> None:
    assert _score_shared_digits("q4/1v#", "24/18") > 0 > _score_shared_digits("q4/1v#", "13/11")
    assert _score_shared_digits("???", "24/18 13/11") == 0
    assert _score_shared_digits("62 q4/1v# 1z/#", "62: 24/18 13/11") > _score_shared_digits(
        "62 q4/1v# 1z/#", "62: 24/16"
    )
    assert (
        _score_shared_digits("x# 13/11", "13/11 24/18")
        == _score_shared_digits("x# 13/11", "24/18 13/11")
        > 0
    )


@pytest.mark.slow
def test_a_dance_is_put_in_where_only_the_winner_is_another_without_it() -> None:
    without_dance = MATCH.replace(
        """\
  3) 32: 13/11 13/10*            51: bar/20 6/5
  4)  Doubles => 2                Drops
""",
        """\
  3) 32: 13/11 13/10*             Doubles => 2
  4)  Drops
""",
    )
    assert without_dance != MATCH
    of_result, of_scores, *turns = messages(without_dance.encode())
    assert of_result == "swap the sides of the plays of game 2"
    assert of_scores.endswith("and shift all later scores alike")
    assert len(turns) > 1
    assert all(message.endswith("; move all later turns one cell on") for message in turns)


def test_rolls_with_which_a_player_dances_are_one_proposal_and_none_is_proved() -> None:
    lost = MATCH.replace("  6) 66:", "  6)    ").encode()
    [cause] = find_repairs_in_file(lost, "a.mat")
    first, *others = cause.proposals
    assert first.message == "insert the lost turn 63: dance (3-3 or 6-6 would do as well)"
    assert not first.proved
    assert not any("dance" in proposal.message for proposal in others)
    assert first.probability > 0.5
    danced = MATCH.replace("  6) 66:", "  6) 63:").encode()
    assert edit_bytes(lost, first.edits) == danced


@pytest.mark.slow
def test_what_follows_from_a_dance_that_is_lost_stands_behind_its_rolls() -> None:
    record = clean()
    [dance] = record.dances
    slip = turn_lost_moved_up_at(record, dance)
    assert slip is not None
    data = record.encoded(slip.lines)
    message = "insert the lost turn 63: dance (3-3 or 6-6 would do as well)"
    assert f"{message}; move all later turns one cell on" in messages(data)


def test_rolls_that_bear_off_the_same_checkers_are_one_proposal() -> None:
    text = (SAMPLES / "dueller.mat").read_bytes()
    borne_off = b"63: 4/0 3/0"
    assert text.count(borne_off) == 1
    assert messages(text.replace(borne_off, b" " * len(borne_off)))[0] == (
        "insert the lost turn 43: 4/0 3/0 (5-3 or 6-3 would do as well)"
    )


@pytest.mark.parametrize(
    ("other_rolls", "named"),
    [
        (((), ((6, 3),)), "6-3 on the right"),
        ((((6, 5), (6, 4)), ((6, 3),)), "6-4 or 6-5 on the left and 6-3 on the right"),
    ],
)
def test_of_a_lost_row_the_side_is_named_with_the_rolls_that_would_do_as_well(
    other_rolls: tuple[tuple[Dice, ...], ...], named: str
) -> None:
    message = "insert the lost row 54: 5/0 4/0 and 33: dance"
    rolls = ((5, 4), (3, 3))
    lost = Suggestion("lost row", message, (), 1, None, None, 0.0, rolls=rolls)
    assert message_for(lost) == message
    named_beside = lost._replace(other_rolls=other_rolls)
    assert message_for(named_beside) == f"{message} ({named} would do as well)"


def test_of_a_row_that_is_lost_each_turn_stands_for_all_rolls_with_its_steps() -> None:
    draft = read_file_to_repair(MATCH.replace("  6) 66:", "  6) 6 :").encode(), "a.mat", BASIC)
    [fault] = draft.to_repair
    evidence = ErrorContext(draft.replays[0], fault, draft.lines, draft.errors)
    index = evidence.index
    assert index is not None
    pairs = list(
        find_pairs_before(evidence, evidence.boards[index], 0, evidence.actions[index + 2 :], index)
    )
    firsts = [first.dice for first, _ in pairs if not first.steps]
    assert {(3, 3), (3, 6), (6, 6)} == set(firsts)


def test_a_row_may_be_lost_in_which_a_side_enters() -> None:
    rows = (SAMPLES / "three-point.mat").read_bytes().splitlines(keepends=True)
    assert b"64: 21/15 22/18" in rows[11]
    lost = messages(b"".join(rows[:11] + rows[12:]))
    assert lost[0] == "insert the lost row 42: 25/21 23/21 and 64: 21/15 22/18"


def test_a_turn_is_put_in_between_two_that_are_the_same() -> None:
    rows = """\
  7) 66:                         54: 15/10 8/4
  8) 21: bar/23 6/5              65: 13/7 8/3"""
    data = MATCH.replace("  7) 21: bar/23 6/5              54: 13/4", rows)
    lost = data.replace("63: 24/15", "", 1).encode()
    assert messages(lost)[0] == "insert the lost turn 63: 24/15"
    assert b"6) 66:                         63: 24/15" in repair_bytes(lost)[0]


@pytest.mark.slow
def test_a_turn_is_lost_where_a_side_could_play_more_of_a_roll_that_was_the_others() -> None:
    text = (SAMPLES / "eleven-point.mat").read_bytes()
    clean = open_record("a.mat", text)
    assert clean is not None
    [lost] = [act for act in clean.plays if clean.text(act).rstrip() == "64: 25/21* 21/15"]
    slip = turn_lost_moved_up_at(clean, lost)
    assert slip is not None
    data = clean.encoded(slip.lines)
    [cause] = find_repairs_in_file(data, "a.mat")
    assert cause.finding.name == "unplayed-die"
    assert cause.proposals[0].message.startswith("insert the lost turn 64: 25/21* 21/15; move all")


@pytest.mark.slow
def test_a_turn_is_put_in_behind_the_take_of_a_double() -> None:
    data = MATCH.replace("31: 6/3* 4/3", "").encode()
    assert messages(data)[0].startswith("insert the lost turn ")


def test_no_other_play_of_a_side_that_acts_twice_is_looked_for() -> None:
    draft = read_file_to_repair(with_rows(3, row("", RIGHT)), "a.mat", BASIC)
    [fault] = draft.to_repair
    evidence = ErrorContext(draft.replays[0], fault, draft.lines, draft.errors)
    assert fault.code == "T105"
    assert list(suggest_other_roll(evidence)) == []
    assert all(suggestion.line < fault.line for suggestion in suggest_other_play(evidence))


def test_a_first_turn_is_put_in_where_the_first_row_is_empty() -> None:
    turns = ["", *(cell for text in ROWS for cell in cells(text))]
    rows = [row(left, right) for left, right in zip(turns[::2], [*turns[1::2], ""], strict=False)]
    put_in = [data.split(b"\n")[4] for data in repair_bytes(record("", *rows[1:]))]
    assert any(re.fullmatch(rb"  1\) {29}[1-6]{2}: .*", line) for line in put_in)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_play_that_hit_is_put_in_where_the_other_side_enters_next(at: int) -> None:
    left, right = cells(ROWS[at])
    assert CLEAN in repair_bytes(with_rows(at, row(left[:3], right)))


def test_in_the_projects_own_text_a_turn_is_written_as_it_writes_them() -> None:
    text = "bganalyze match\nleft Ann\nright Bob\nlength 5\ngame 1\n1. L 31 8/5 6/5 | R 62 24/18 13/11\n2. L 41 13/9 24/23\n"
    for slip in ("L 4l 13/9 24/23", "L 41 l3/9 24/23", "L 41 q3/9 2x/23"):
        slipped = text.replace("L 41 13/9 24/23", slip).encode()
        assert text.encode() in repair_bytes(slipped, "a.bgm")
