"""Plays written as their record writes them: with which signs, and counted from which side."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.board.plays import after
from bganalyze.board.position import Position, Step, points, start_position
from bganalyze.record.model import Play
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.spelling import (
    Style,
    _spell_keeping_words,
    find_style,
    span_of_steps,
    spell_play,
)
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.replayed import seen_by
from tests.record.sites.texts import BKG

CLEAN = Path(__file__).parents[2] / "samples" / "clean"
ROOMS = ("redoubles.fibs", "redoubles.match", "redoubles.sgg", "redoubles.tmg", "redoubles.mat")


RECORDS = {
    **{name: (CLEAN / name).read_bytes() for name in ROOMS},
    "bkg.txt": BKG.encode(),
}


@pytest.mark.parametrize("name", RECORDS)
def test_a_play_is_written_as_its_record_has_it(name: str) -> None:
    (match,) = read_bytes(RECORDS[name], name)
    style = find_style(match)
    for turn in (turn for game in replay(match).games for turn in game.turns):
        play = turn.action
        if isinstance(play, Play) and play.dice is not None and play.steps:
            text = match.source.text_at(play.span)[span_of_steps(play)]
            before, after = seen_by(turn.before, play.side), seen_by(turn.after, play.side)
            assert spell_play(before, play.dice, after, style, text, play.side) == text


@pytest.mark.parametrize(
    ("name", "original", "slipped"),
    [
        ("redoubles.fibs", "X: (6 5) 1-7 7-12", "X: (6 5) 1-7 7-13"),
        ("redoubles.fibs", "X: (6 5) 1-7 7-12", "X: (5 5) 1-7 7-12"),
        ("redoubles.match", "2 r 4-1 19/20 12/16", "2 r 4-1 19/20 12/17"),
        ("redoubles.match", "2 r 4-1 19/20 12/16", "2 r 3-1 19/20 12/16"),
        ("redoubles.sgg", "65: 24/18, 18/13", "65: 24/18, 18/14"),
        ("redoubles.tmg", "-17 1 62:", "-17 1 52:"),
    ],
)
def test_a_slip_in_the_record_of_a_room_is_repaired_in_its_own_spelling(
    name: str, original: str, slipped: str
) -> None:
    clean = (CLEAN / name).read_bytes()
    data = clean.replace(original.encode(), slipped.encode(), 1)
    assert data != clean
    (cause,) = find_repairs_in_file(data, name)
    repaired = [edit_bytes(data, proposal.edits) for proposal in cause.proposals]
    assert clean in repaired[:3]


def test_of_a_word_that_stands_for_two_steps_the_first_hits() -> None:
    before = Position(points({24: 2, 13: 5, 8: 3, 6: 5}), points({18: 1, 24: 2, 13: 5, 8: 3, 6: 4}))
    steps = [((24, 18), False)] * 2 + [((13, 7), True), ((13, 7), False)]
    end = before
    for path, is_hit in steps:
        end = after(end, Step(path, (is_hit,)))
    step_words = "24/18(2) 13/7*(2)"
    assert spell_play(before, (6, 6), end, Style(), step_words) == step_words


SESSION = """\
bob and ann start a 1 point match.
bob rolled 3, ann rolled 1
bob moves 8-5 6-5 .
ann rolls 6 and 2.
ann moves 1-7 12-14 .
bob rolls 4 and 2.
bob moves 8-4 6-4 .
ann rolls 6 and 5.
ann moves 7-18 .
"""


def test_the_full_stop_behind_a_play_stays() -> None:
    data = SESSION.replace("12-14 .", "12-15 .").encode()
    (cause,) = find_repairs_in_file(data, "session.txt")
    assert "ann moves 1-7 12-14 ." in [proposal.edits[0].new for proposal in cause.proposals[:2]]


def test_no_roll_is_put_before_a_play_where_rolls_stand_elsewhere() -> None:
    """With another word at its start the line would be read no more, and so show no error."""
    assert (
        find_repairs_in_file(SESSION.replace("8-5 6-5 .", "8-5 6-4 .").encode(), "session.txt")
        == []
    )


def test_a_roll_is_repaired_in_the_line_that_tells_it() -> None:
    (cause,) = find_repairs_in_file(SESSION.replace("6 and 2", "6 and 1").encode(), "session.txt")
    (edit,) = cause.proposals[0].edits
    assert (edit.old, edit.new) == ("ann rolls 6 and 1.", "ann rolls 6 and 2.")


@pytest.mark.parametrize(
    ("style", "written", "spelled"),
    [
        (Style(), "24/18 13/12", "24/18 13/11"),
        (Style(gap=", "), "24/18", "24/18, 13/11"),
    ],
)
def test_a_repaired_play_keeps_its_words_or_has_the_usual_gap(
    style: Style, written: str, spelled: str
) -> None:
    start = start_position("standard")
    end = after(after(start, Step((24, 18), (False,))), Step((13, 11), (False,)))
    assert spell_play(start, (6, 2), end, style, written) == spelled


def test_a_word_for_two_steps_stays() -> None:
    steps = [Step((24, 18), (False,)), Step((18, 16), (False,))]
    assert _spell_keeping_words("24/16", steps, Style()) == "24/16"
