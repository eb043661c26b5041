"""`show`: the board at a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.read import read
from bganalyze.app.api.show import show
from bganalyze.validation.replaying.places import PlaceError
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN


def test_it_shows_what_the_command_shows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(CLEAN)
    board = show("a.mat", "1.2R")
    assert board.text() == run("show", "a.mat", "1.2R").stdout
    run("show", "a.mat", "1.2R", "--svg", "board.svg")
    assert board.svg() == board._repr_html_() == Path("board.svg").read_text(encoding="utf-8")
    assert board.xgid in board.text()
    assert all(f"  {play}\n" in board.text(100) for play in board.plays)


def test_a_line_and_a_match_are_found() -> None:
    matches = read(CLEAN, name="a.mat")
    assert show(matches, "6").turn.action.row == show(CLEAN, "1.2").turn.action.row
    two = [*read(CLEAN.replace(b"31:", b"42:"), name="b.mat"), *matches]
    assert show(two, "1.1", match=2).situation.dice == (3, 1)


@pytest.mark.parametrize(
    ("place", "match", "problem"),
    [
        ("1.9", 1, "game 1 has nothing in row 9"),
        ("x", 1, "'x' is no place"),
        ("1.1", 2, "a.mat: has no match 2"),
        ("1.1", 0, "a.mat: has no match 0"),
    ],
)
def test_a_place_that_is_not_there_is_an_error(place: str, match: int, problem: str) -> None:
    with pytest.raises(PlaceError, match=problem):
        show(CLEAN, place, match=match, name="a.mat")


def test_without_a_roll_there_are_no_plays() -> None:
    text = CLEAN.replace(b"  2) 64: 24/18 13/9 ", b"  2)  Doubles => 2  ").replace(
        b" 1 point", b" 5 point"
    )
    assert show(text, "1.2L", name="a.mat").plays == ()
