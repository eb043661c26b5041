"""Slips of layout in records that write one turn behind the other: the project's own text, SGF."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.replaying import replay
from bganalyze.writing import bgm, sgf
from tests.repairing.transcripts import ROWS, record, repair_bytes

Lines = list[str]

FIRST_OF_OWN_TEXT, FIRST_OF_SGF = "4. L 51", ";W[51"
"""Beginning of the line at or after which the slips are made."""


@cache
def write_lines(extension: str) -> tuple[str, ...]:
    """Return the lines of the game without a fault, in a format."""
    write = {"bgm": bgm.write, "sgf": sgf.write}[extension]
    data = write([replay(match) for match in read_bytes(record(*ROWS), "a.mat")])
    return tuple(data.decode().splitlines())


def make_slip(extension: str, slip: Callable[[Lines, int], Lines]) -> tuple[bytes, bytes]:
    """Return the game with a slip, and without."""
    lines = [*write_lines(extension)]
    first = {"bgm": FIRST_OF_OWN_TEXT, "sgf": FIRST_OF_SGF}[extension]
    at = next(number for number, line in enumerate(lines) if line.startswith(first))
    return _encode(slip([*lines], at)), _encode(lines)


def _encode(lines: Lines) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def replacing(old: str, new: str) -> Callable[[Lines, int], Lines]:
    """Return a slip that replaces text in one line."""

    def make(lines: Lines, at: int) -> Lines:
        assert old in lines[at]
        lines[at] = lines[at].replace(old, new, 1)
        return lines

    return make


def twice(lines: Lines, at: int) -> Lines:
    return [*lines[: at + 1], *lines[at:]]


def exchange(lines: Lines, at: int) -> Lines:
    return [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]


def lose(lines: Lines, at: int) -> Lines:
    return [*lines[:at], *lines[at + 1 :]]


def join(lines: Lines, at: int) -> Lines:
    return [*lines[:at], f"{lines[at]} {lines[at + 1]}", *lines[at + 2 :]]


def other_letters(lines: Lines, at: int) -> Lines:
    """Exchange the letters of both sides in two turns."""
    signs = str.maketrans("LRWB", "RLBW")
    if lines[at].startswith(";"):
        return [
            *lines[:at],
            *(line.translate(signs) for line in lines[at : at + 2]),
            *lines[at + 2 :],
        ]
    return [*lines[:at], lines[at].translate(signs), *lines[at + 1 :]]


def test_the_slips_are_made_in_the_middle_of_the_game() -> None:
    assert "4. L 51 bar/24 18/13 | R 65 20/14 13/8" in write_lines("bgm")
    assert {";W[51yxrm]", ";B[65eklq]"} <= {*write_lines("sgf")}


@pytest.mark.slow
@pytest.mark.parametrize(
    "slip",
    [
        twice,
        other_letters,
        join,
        replacing("L 51 bar/24 18/13 | R 65 20/14 13/8", "R 65 20/14 13/8 | L 51 bar/24 18/13"),
        replacing("L 51", "R 51"),
        replacing("R 65", "L 65"),
        replacing("L 51", "51"),
        replacing("| R 65", "| 65"),
        replacing(" | R", " R"),
        replacing(" | R", "R"),
        replacing(" | R", " / R"),
        replacing("L 51 bar/24 18/13 | ", ""),
        replacing("51 bar/24 18/13 | R 65", "65 bar/24 18/13 | R 51"),
    ],
)
def test_a_line_of_the_projects_own_text_is_laid_out_again(
    slip: Callable[[Lines, int], Lines],
) -> None:
    data, clean = make_slip("bgm", slip)
    assert clean in repair_bytes(data, "a.bgm")


@pytest.mark.parametrize(
    "slip",
    [
        twice,
        exchange,
        lose,
        other_letters,
        replacing(";W", ";B"),
        replacing(";W", ";"),
        replacing("[", ""),
        replacing("]", ""),
        replacing("[51yxrm]", "[51rmyx"),
        replacing("[51yxrm]", "(51yxrm)"),
        replacing("[51yxrm]", "{51yxrm}"),
        replacing("yxrm", "yxr"),
        replacing("yxrm", "yxrn"),
    ],
)
def test_a_node_of_smart_game_format_is_put_right(slip: Callable[[Lines, int], Lines]) -> None:
    data, clean = make_slip("sgf", slip)
    assert _in_one_order(clean) in map(_in_one_order, repair_bytes(data, "a.sgf"))


def _in_one_order(data: bytes) -> bytes:
    """Return the game with the steps of each play in the same order."""
    return data.replace(b"51rmyx", b"51yxrm")


def test_a_bracket_is_put_in_before_what_else_a_node_holds() -> None:
    lines = [*write_lines("sgf")]
    at = lines.index(";W[51yxrm]")
    lines[at] += "A[0][yxrm E ver 3 0.5 0.1 0.0]"
    slip = lines[at].replace("yxrm]A", "yxrmA")
    data = _encode([*lines[:at], slip, *lines[at + 1 :]])
    assert repair_bytes(data, "a.sgf")[0] == _encode(lines)


def test_lines_that_stand_in_each_others_place_are_put_back_under_their_numbers() -> None:
    data, clean = make_slip("bgm", exchange)
    [text] = [text.decode() for text in repair_bytes(data, "a.bgm")[:1]]
    turns = [line.partition(". ")[2] for line in text.splitlines()]
    assert turns == [line.partition(". ")[2] for line in clean.decode().splitlines()]


def test_another_play_is_written_as_the_letters_of_its_points() -> None:
    data, _ = make_slip("sgf", replacing("yxrm", "yxrn"))
    [cause, *_] = find_repairs_in_file(data, "a.sgf")
    plays = [proposal.message for proposal in cause.proposals if proposal.kind == "play"]
    assert "W[51yxrn] → W[51yxrm]" in plays
    assert all(message.endswith("]") and " " not in message.split(" → ")[1] for message in plays)
