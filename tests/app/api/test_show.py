"""`show`: the board at a place."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.check import check
from bganalyze.app.api.read import read
from bganalyze.app.api.show import show
from bganalyze.validation.replaying.places import PlaceError
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN, ILLEGAL
from tests.stored.findings import SAMPLES

HEADERS = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n\n Game 2\n Ann : 3     Bob : 2\n"
"""Games without actions, and a score that nobody has won."""


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


def test_a_line_is_a_number_or_text() -> None:
    board = show(CLEAN, "6")
    assert show(CLEAN, 6) == board
    (row,) = check(ILLEGAL, select="P").to_frame()["line"]  # a number of NumPy
    assert show(ILLEGAL, row) == show(ILLEGAL, "5")


def test_a_line_is_looked_for_in_the_match_that_is_named() -> None:
    several = CLEAN + CLEAN.replace(b"31:", b"42:")
    assert show(several, "11", match=2).situation.dice == (4, 2)
    with pytest.raises(PlaceError, match="line 5 has no action; the next one is in line 11"):
        show(several, "5", match=2)
    with pytest.raises(PlaceError, match="has no match 4"):
        show(several, "5", match=4)


def test_several_files_are_no_single_board(tmp_path: Path) -> None:
    for name in ("a.mat", "b.mat"):
        (tmp_path / name).write_bytes(ILLEGAL.replace(b"Bob", name.encode()))
    with pytest.raises(
        PlaceError, match="2 files in the source: name one of them, or give `match`"
    ):
        show(tmp_path, "1.1")
    _, _, finding, _ = check(tmp_path)
    assert show(tmp_path, finding).match.names[1] == "b.mat"
    other = tmp_path / "b.mat"
    with pytest.raises(
        PlaceError, match=r"does not hold match 1 of .*a\.mat, where the finding is"
    ):
        show(other, finding._replace(path=str(tmp_path / "a.mat")))
    assert show(other.read_bytes(), finding).xgid == show(other, finding).xgid
    with pytest.raises(
        PlaceError, match=r"the source does not hold match 1 of c\.mat, where the finding is"
    ):
        show(tmp_path, finding._replace(path="c.mat"))


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["faulty", "clean"])
def test_every_finding_has_a_board(folder: str) -> None:
    paths = (path for path in sorted((SAMPLES / folder).iterdir()) if path.suffix != ".tsv")
    for path in paths:
        matches = read(path)
        for finding in check(matches):
            board = show(matches, finding)
            assert board.moment
            assert board.text().splitlines()[0].startswith(str(path))
            if finding.position is not None:
                assert board.xgid.split(":")[0] == finding.position.split(":")[0]


def test_a_finding_on_a_header_shows_the_start_of_its_game() -> None:
    late = b" 5 point match" + CLEAN[14:].replace(b"Ann : 0", b"Ann : 7")
    findings = check(late, select="R605,R608")
    assert [finding.line for finding in findings] == [3, 4]
    moments = [show(late, finding).moment for finding in findings]
    assert moments == ["game 1: before an action in line 5"] * 2


def test_a_finding_after_the_last_action_shows_the_end_of_its_game() -> None:
    (finding,) = check(CLEAN, select="T107")
    board = show(CLEAN, finding._replace(line=99))
    assert (board.moment, board.plays) == ("the end of game 1", ())
    assert board.text().startswith("unnamed:6:39: the end of game 1\n  2) 64:")
    assert board.xgid == "XGID=--aa-BD-BA--cD--adAe----A-:0:0:1:00:0:0:0:1:10"
    assert board.svg().startswith("<svg")


def test_a_finding_in_a_match_without_games_shows_the_start() -> None:
    text = b" 5 point match\n"
    (finding,) = check(text)
    board = show(text, finding)
    assert board.moment == "the start of a match without games"
    assert board.text().startswith(
        "unnamed:1:2: the start of a match without games\n 5 point match\n"
    )


def test_a_finding_in_a_game_without_actions_shows_its_start() -> None:
    (finding,) = check(HEADERS, select="R604")
    board = show(HEADERS, finding)
    assert board.moment == "the start of game 2, which has no action"
    assert board.xgid.startswith("XGID=-b----E-C---eE---c-e----B-:0:0:")


def test_a_finding_is_shown_by_its_rule_book() -> None:
    assert show(CLEAN, "1.1", rules="usbgf") == show(CLEAN, "1.1")
    with pytest.raises(ValueError, match="'fide' is no rule book"):
        show(CLEAN, "1.1", rules="fide")
