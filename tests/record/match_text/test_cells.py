"""Cells: the fast way and the grammar read them to the same result."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lark import Token, Tree

from bganalyze.record.grammar import grammar
from bganalyze.record.match_text.cells import (
    PlayItem,
    _is_remark_after_action,
    _join_two_names,
    is_remark_in_cell,
    parse_cell,
    parse_play_only,
    parse_snowie,
    parse_steps,
    parse_words_only,
    place_items,
)
from bganalyze.record.match_text.columns import cut_row, may_hold_second_row, split_rows
from tests.fuzzing.ways import steps_of

POINTS = ["bar", "Bar", "b", "off", "o", *map(str, range(27)), "07", "-1"]
PIECES = [*POINTS, "/", "/", "*", "(2)", "(9)", "x", "-"]

points = st.sampled_from(POINTS)
usual_steps = st.builds(
    "{}{}/{}{}{}".format,
    points,
    st.sampled_from(["", "*"]),
    points,
    st.sampled_from(["", "*"]),
    st.sampled_from(["", "", "(2)", "(3)*"]),
)
words = st.one_of(usual_steps, st.lists(st.sampled_from(PIECES), max_size=7).map("".join))
phrases = st.sampled_from(
    ["Doubles => 4", "Takes", "????", "Cannot Move", "Wins 2 points", "Illegal play (7;0;)", ","]
)
rolls = st.sampled_from(["31:", "66:", "00:", "3:", "31", "99:", ""])
cells = st.builds(
    "{}{}{}".format,
    rolls,
    st.sampled_from([" ", "", "  "]),
    st.lists(st.one_of(words, words, phrases), max_size=5).map(" ".join),
)


@given(words)
def test_steps_are_what_the_grammar_says(word: str) -> None:
    _check_steps(word)


def _check_steps(word: str) -> None:
    is_step = grammar("cell").pattern("STEP").fullmatch(word) is not None
    assert bool(parse_steps(word)) == is_step
    if is_step:
        assert parse_steps(word) == steps_of(grammar("cell").parse_token("step", word))


@given(cells)
def test_a_plain_play_is_what_the_grammar_says(cell: str) -> None:
    _check_cell(cell.strip())


def _check_cell(cell: str) -> None:
    """Compare the turn read from a cell, and the places of its steps, with those that Lark sees."""
    parts = grammar("cell").parse("cell", cell).children
    read = parse_cell(cell)
    is_plain = len(parts) == 1 and isinstance(parts[0], Tree) and parts[0].data == "turn"
    plays = [item for item in read if isinstance(item, PlayItem)]
    turns = [part for part in parts if isinstance(part, Tree) and part.data in ("turn", "dance")]
    assert len(plays) == len(turns)
    assert is_plain <= (len(plays) == 1)
    for play, turn in zip(plays, turns, strict=True):
        tokens = list(turn.scan_values(lambda part: isinstance(part, Token)))
        dice = next((token for token in tokens if token.type == "DICE"), None)
        steps_written = [token for token in tokens if token.type == "STEP"]
        assert play.dice == (None if dice is None else (int(dice[0]), int(dice[1])))
        assert play.steps == tuple(step for token in steps_written for step in parse_steps(token))
        places = {(token.start_pos, token.end_pos) for token in steps_written}
        assert set(play.places) == places


rows = st.lists(
    st.sampled_from(
        ["1", "24", "*", ")", " ", "  ", "\t", ".", "43: 6/2", "Losses 1 point", "6/1(2)"]
    )
).map("".join)


@given(rows, rows)
def test_where_a_row_may_stand_in_a_row_its_label_is_looked_for(before: str, behind: str) -> None:
    line = f"{before} 2)  Losses 1 point{behind}"
    for text in (line, before + behind):
        holds_row = grammar("mat").pattern("inner_row").search(text) is not None
        assert holds_row <= may_hold_second_row(text)


@pytest.mark.slow
def test_so_are_those_of_real_files(corpus: Path) -> None:
    turn_texts: set[str] = set()
    for path in sorted((corpus / "mat").iterdir()):
        for line in path.read_text("utf-8", errors="replace").splitlines():
            if line.count(":") == 2:
                turn_texts |= {
                    cell for row in split_rows(line, None) for cell in (row.left, row.right)
                }
    assert len(turn_texts) > 10_000
    for cell in sorted(turn_texts)[::7]:
        _check_cell(cell)
    for word in {word for cell in turn_texts for word in cell.split()[1:]}:
        _check_steps(word)


@pytest.mark.parametrize("gap", [" ", "  "])
def test_a_second_result_early_in_a_line_stands_in_the_right_cell(gap: str) -> None:
    row = cut_row(f"Wins 1 point{gap}Losses 1 point", None)
    assert (row.left, row.right) == ("Wins 1 point", "Losses 1 point")


def test_a_word_early_in_a_cell_begins_no_other_cell() -> None:
    row = cut_row("  1) Oh Wins 1 point", None)
    assert (row.left, row.right) == ("Oh Wins 1 point", "")


@pytest.mark.parametrize(
    ("text", "is_remark"),
    [("for the 5pt", True), ("pow", True), ("Doubels", False), ("8/e", False)],
)
def test_behind_an_action_a_short_word_is_a_remark(text: str, *, is_remark: bool) -> None:
    assert is_remark_in_cell(text, is_after_action=True) == is_remark


@pytest.mark.parametrize("word", ["x" * 40, "c", "㄀开开"], ids=["long", "short", "misread"])
def test_an_odd_word_behind_an_action_is_no_remark(word: str) -> None:
    assert not _is_remark_after_action([word])


def test_a_cell_of_more_than_words_or_a_play_is_read_in_full() -> None:
    assert parse_words_only("Takes ; at last") is None
    assert parse_play_only("31: 8/5 6/5  Takes") is None
    (play, answer) = place_items(parse_cell("31: 8/5 6/5  Takes"), 7, 6, "1", 0)
    assert (type(play).__name__, type(answer).__name__) == ("Play", "Answer")


def test_a_step_with_a_hyphen_is_none() -> None:
    assert parse_steps("8-5") == ()


def test_a_short_position_of_snowie_is_none() -> None:
    assert parse_snowie("7;0;0") is None


def test_two_names_of_snowie_without_semicolons_stay() -> None:
    assert _join_two_names(["ann", "bob"]) == ("ann", "bob")
