"""Slips of layout: rows, cells and columns in each other's place, or twice."""

from __future__ import annotations

import re

import pytest

from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.search import find_repairs_in_file
from tests.repairing.transcripts import (
    HEAD,
    ROWS,
    cells,
    messages,
    record,
    repair_bytes,
    row,
    with_rows,
)

CLEAN = record(*ROWS)


def exchange(text: str) -> str:
    left, right = cells(text)
    return row(right, left)


def test_the_record_is_clean() -> None:
    assert find_repairs_in_file(CLEAN, "a.mat") == []


def test_the_cells_of_a_row_are_put_in_their_columns() -> None:
    data = with_rows(3, exchange(ROWS[3]))
    assert messages(data)[0] == "swap the cells of row 4"
    assert repair_bytes(data)[0] == CLEAN


def test_the_rolls_of_a_row_are_put_in_their_cells() -> None:
    data = with_rows(3, row("65: bar/24 18/13", "51: 20/14 13/8"))
    assert messages(data)[0] == "swap the rolls of row 4"
    assert repair_bytes(data)[0] == CLEAN


def test_the_rolls_of_every_row_are_put_in_their_cells() -> None:
    data = re.sub(rb"(\d\d):( .*?)(\d\d):", rb"\3:\2\1:", CLEAN)
    assert data != CLEAN
    assert messages(data) == ["swap the rolls of every row of the game"]
    assert repair_bytes(data)[0] == CLEAN


@pytest.mark.parametrize("first", [0, 2, 4])
def test_columns_are_exchanged_back_from_the_row_on_where_they_were(first: int) -> None:
    data = record(*ROWS[:first], *map(exchange, ROWS[first:]))
    assert messages(data)[0] == f"swap the columns from row {first + 1} on"
    assert repair_bytes(data)[0] == CLEAN


@pytest.mark.slow
def test_rows_in_the_wrong_order_are_exchanged_whether_their_numbers_moved_or_not() -> None:
    renumbered = with_rows(3, ROWS[4], ROWS[3])
    assert messages(renumbered)[0] == "swap row 4 and row 5"
    assert repair_bytes(renumbered)[0] == CLEAN
    lines = CLEAN.decode().splitlines(keepends=True)
    lines[7:9] = lines[8], lines[7]
    moved = "".join(lines).encode()
    assert repair_bytes(moved)[0] == CLEAN


def test_a_row_typed_twice_goes_and_the_numbers_after_it_close_up() -> None:
    data = with_rows(3, ROWS[3], ROWS[3], instead_of=1)
    assert messages(data)[0] == "delete row 5: it repeats row 4"
    assert repair_bytes(data)[0] == CLEAN


def test_half_a_row_on_a_row_of_its_own_goes_back_to_the_other_half() -> None:
    left, right = cells(ROWS[3])
    data = with_rows(3, row(left), row(right), instead_of=1)
    assert messages(data)[0] == "join row 5 to row 4"
    assert repair_bytes(data)[0] == CLEAN


def test_numbers_that_were_odd_before_stay_so() -> None:
    odd = CLEAN.replace(b"  8) ", b" 18) ")
    data = with_rows(3, ROWS[3], ROWS[3], instead_of=1).replace(b"  9) ", b" 19) ")
    assert repair_bytes(data)[0] == odd


def test_the_widths_of_a_file_are_kept() -> None:
    text = CLEAN.decode().replace(HEAD, HEAD.replace("5 point", "7 point"))
    narrow = "".join(
        f"{line[1:23].rstrip():23}{line[33:]}\r\n" if ")" in line[:4] else f"{line}\r\n"
        for line in text.splitlines()
    )
    lines = narrow.split("\r\n")
    left, right = lines[7][4:23].rstrip(), lines[7][23:]
    lines[7] = f"{lines[7][:4]}{right:19}{left}"
    slipped = "\r\n".join(lines).encode()
    (cause,) = find_repairs_in_file(slipped, "a.mat")
    assert edit_bytes(slipped, cause.proposals[0].edits).decode() == narrow


def test_the_sides_of_a_game_are_exchanged_where_its_score_goes_to_the_other() -> None:
    turns = ["", *(cell for text in ROWS for cell in cells(text))]
    other_way = [
        row(left, right) for left, right in zip(turns[::2], [*turns[1::2], ""], strict=False)
    ]
    next_game = b"\n Game 2\n Ann : 1                          Bob : 0\n"
    after_it = next_game + record("31: 8/5 6/5").removeprefix(HEAD.encode())
    clean = CLEAN + b"     Wins 1 point\n" + after_it
    slipped = record(*other_way) + b"                                 Wins 1 point\n" + after_it
    assert find_repairs_in_file(clean, "a.mat") == []
    assert "swap the sides of game 1" in messages(slipped)
    assert clean in repair_bytes(slipped)


def test_rows_that_a_hit_before_them_shows_to_be_exchanged_are_found() -> None:
    data = with_rows(1, ROWS[2], ROWS[1])
    assert messages(data)[0] == "swap row 2 and row 3"


def test_a_row_that_is_inserted_is_placed_by_the_row_below() -> None:
    (cause,) = find_repairs_in_file(with_rows(5, instead_of=1), "a.mat")
    first = cause.proposals[0]
    assert first.message.startswith("insert the lost row ")
    assert (first.line, first.row) == (10, "6")
