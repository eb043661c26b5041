"""The plays that an engine lists, kept as text beside the decision they belong to."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.candidates import (
    CHANCES_FORM,
    PLAYS_FORM,
    RatedPlay,
    rank_plays,
    read_chances,
    read_plays,
    write_chances,
    write_plays,
)
from bganalyze.analysis.engines import MOST_KEPT, Candidate, Chances, PlayEvaluation
from bganalyze.analysis.match import analyze_match
from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Position, start_position
from bganalyze.record.reader import read_bytes
from tests.statistics.match_report.analyzed import LOSSES, MATCH, Dictated

START = start_position("standard")
PLACES = list(legal_plays(START, (2, 1)))
NAMES: dict[Position, str | None] = {
    after: f"{number}/off" for number, after in enumerate(PLACES, 1)
}
SHARES = Chances(0.5, 0.25, 0.125, 0.0625, 0.0)


def test_each_play_keeps_its_figures_and_the_one_made_is_marked() -> None:
    best, second = Candidate(PLACES[0], 0.25, SHARES), Candidate(PLACES[1], -0.125)
    text = write_plays(PlayEvaluation((best, second), second), NAMES)
    assert read_plays(text) == (
        RatedPlay("1/off", 0.25, SHARES, is_made=False),
        RatedPlay("2/off", -0.125, None, is_made=True),
    )


def test_a_play_that_is_not_among_the_listed_ones_comes_last() -> None:
    text = write_plays(
        PlayEvaluation((Candidate(PLACES[0], 0.25),), Candidate(PLACES[5], -1.0)), NAMES
    )
    assert [(play.play, play.is_made) for play in read_plays(text)] == [
        ("1/off", False),
        ("6/off", True),
    ]


def test_the_best_play_stays_first_and_the_others_follow_by_equity() -> None:
    ranked = rank_plays("1/off=0.1;2/off=-0.5;3/off=0.2;4/off=*-0.1")
    assert [play.play for play in ranked] == ["1/off", "3/off", "4/off", "2/off"]
    assert rank_plays(None) == ()


@pytest.mark.parametrize("equity", [float("nan"), float("inf"), -1e30])
def test_what_is_no_equity_is_left_out(equity: float) -> None:
    assert write_plays(PlayEvaluation((Candidate(PLACES[0], equity),), None), NAMES) is None


def test_what_is_no_chance_is_unknown() -> None:
    assert write_chances(SHARES._replace(win=1.5)) is None
    assert write_chances(SHARES._replace(win=float("nan"))) is None
    assert write_chances(None) is read_chances(None) is None


@given(
    st.lists(
        st.tuples(st.floats(-3, 3), st.none() | st.lists(st.floats(0, 1), min_size=5, max_size=5)),
        min_size=1,
        max_size=MOST_KEPT,
    )
)
def test_the_text_has_its_form_and_comes_back(
    figures: list[tuple[float, list[float] | None]],
) -> None:
    listed = tuple(
        Candidate(place, equity, chances and Chances(*chances))
        for place, (equity, chances) in zip(PLACES, figures, strict=False)
    )
    text = write_plays(PlayEvaluation(listed, Candidate(PLACES[-1], 0.5)), NAMES)
    assert text is not None
    assert re.fullmatch(PLAYS_FORM, text)
    *plays, made = read_plays(text)
    assert made.is_made
    for play, candidate in zip(plays, listed, strict=True):
        assert play.equity == pytest.approx(candidate.equity, abs=1e-6)
        assert (play.chances is None) == (candidate.chances is None)
        if play.chances and candidate.chances:
            assert play.chances == pytest.approx(candidate.chances, abs=1e-4)
            assert re.fullmatch(CHANCES_FORM, write_chances(play.chances) or "")


def test_a_row_lists_its_best_play_first_and_marks_the_one_made() -> None:
    (match,) = read_bytes(MATCH.encode(), "test.mat")
    rows = [row for row in analyze_match(match, Dictated()).rows if row.plays]
    assert len(rows) == 7
    for row in rows:
        assert_listed(row)
    wrong = {
        (row.game, (row.row or "").strip(), row.side)
        for row in rows
        if len(read_plays(row.plays)) > 1
    }
    assert wrong == set(LOSSES)


def assert_listed(row: AnalyzedDecision) -> None:
    """The list agrees with the other figures of its decision."""
    plays = read_plays(row.plays)
    assert (plays[0].play, plays[0].equity) == (row.better, row.best)
    (made,) = (play for play in plays if play.is_made)
    assert made.play == row.played
    assert made.equity == pytest.approx(row.reached)
