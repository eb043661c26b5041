"""`bganalyze ruling`: a sheet on the screen, as JSON, and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.app.render.test_ruling_sheet import SLIP
from tests.json_schemas import list_schema_errors
from tests.validation.test_cases import CRAWFORD, ILLEGAL

Run = Callable[..., Result]


@pytest.fixture
def match(tmp_path: Path) -> str:
    path = tmp_path / "final.mat"
    path.write_text(ILLEGAL)
    return str(path)


def test_the_sheet_has_everything_a_director_asks_for(run: Run, match: str) -> None:
    text = run("ruling", match, "6L", "--rules", "wbf,usbgf").stdout
    for said in (
        "Ann 52: 13/10 13/8", "nearest legal plays: 13/", "from here it stands",
        "usbgf-2024", "(as quoted by others)", "as recorded", "chance of Bob",
        "ask both players", "Director",
    ):  # fmt: skip
        assert said in text, said


def test_the_only_fault_of_a_file_needs_no_place(run: Run, match: str) -> None:
    assert run("ruling", match).stdout == run("ruling", match, "6L").stdout


@pytest.mark.parametrize(
    ("books", "acts"),
    [
        ((), "the opponent must decide"),
        (("--rules", "wbf"), "the opponent must decide"),
        (("--rules", "wbf,usbgf"), "both players must act"),
    ],
)
def test_responsible_moves_of_the_settings_hold_for_a_single_book(
    run: Run, match: str, books: tuple[str, ...], acts: str
) -> None:
    settings = Path(match).with_name("bganalyze.toml")
    settings.write_text('rules = "wbf"\nswitches.moves = "responsible"\n', encoding="utf-8")
    text = run("ruling", match, "6L", "--noticed", "6R", *books).stdout
    assert (
        f"director: {acts}; look up the time limit in clause 4.2 of World Backgammon Federation, Tournament Rules 2.1"
        in text
    )


MONEY = """\
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 9/2                     61: 14/8 8/7
  3) 43: 13/9 13/10              21: 7/4
"""


def test_money_play_has_no_chances_to_win_the_match(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "money.mat"
    path.write_text(MONEY)
    points = run("ruling", str(path), "4").stdout.partition("The points")[2]
    assert "as recorded" in points
    assert "chance of" not in points


RULED = Path(__file__).parents[3] / "samples" / "faulty" / "P404-corrected-by-director.bgm"


def test_the_sheet_shows_what_the_director_ruled(run: Run) -> None:
    sheet = " ".join(run("ruling", str(RULED), "9").stdout.split())
    assert "11 director: checker put back Ada Quill 4/5 (the 1 was played as a 2)" in sheet
    assert "by the director (line 11): nothing is left to do" in sheet
    assert "it would have stood since line 10, right" in sheet
    standings = {"now": "corrected", "11": "stands", "10R": "open"}
    for moment, standing in standings.items():
        asked = ("ruling", str(RULED), "9", "--noticed", moment, "--format", "json")
        found = json.loads(run(*asked).stdout)
        assert list_schema_errors("ruling", found) == []
        assert [said["standing"] for said in found["rulings"]] == [standing], moment


def test_a_ruling_is_shown_where_it_was_made(run: Run) -> None:
    before, after = (run("show", str(RULED), line).stdout for line in ("11", "12"))
    assert "game 1, left: a director's ruling" in before
    assert before.split("XGID=")[1][:12] != after.split("XGID=")[1][:12]


def test_points_that_no_score_confirms_are_counted_with_and_without(run: Run) -> None:
    unconfirmed = RULED.with_name("R616-ruling-mismatch.bgm")
    asked = ("ruling", str(unconfirmed), "14", "--rules", "all", "--format", "json")
    found = json.loads(run(*asked).stdout)
    scores = {then["remedy"]: then["score_after"] for then in found["points_then"]}
    assert scores == {"as recorded": [1, 0], "with the points given": [1, 1]}
    chances = [then["chances"] for then in found["points_then"]]
    assert (chances[0][0] > 0.5, chances[1]) == (True, [0.5, 0.5])


def test_json_fits_its_schema(run: Run, match: str, tmp_path: Path) -> None:
    double = tmp_path / "crawford.mat"
    double.write_text(CRAWFORD)
    for path, where in ((match, "6L"), (str(double), "12R")):
        found = json.loads(run("ruling", path, where, "--rules", "all", "--format", "json").stdout)
        assert list_schema_errors("ruling", found) == []
        assert found["line"] == int(where[:-1])


def test_an_engine_compares_the_play_with_the_best_legal_one(run: Run, match: str) -> None:
    pytest.importorskip("bgsage", reason="Open Sage is not installed")
    asked = ("--engine", "sage", "--level", "1ply")
    text = run("ruling", match, "6L", *asked).stdout
    assert re.search(
        r"by sage \S+ at 1ply the play (gained|lost) 0\.\d{3} EMG \(\d+\.\d\d % MWC\)", text
    )
    found = json.loads(run("ruling", match, "6L", "--format", "json", *asked).stdout)
    assert list_schema_errors("ruling", found) == []
    assert found["gain"]["best"] in found["legal"]
    assert run("ruling", match, "6L", "--level", "9ply").exit_code == 2


def test_no_engine_is_asked_about_a_double(run: Run, tmp_path: Path) -> None:
    double = tmp_path / "crawford.mat"
    double.write_text(CRAWFORD)
    result = run("ruling", str(double), "12R", "--level", "1ply")
    assert "no engine was asked" in result.stderr
    assert "EMG" not in result.stdout


def test_a_page_is_a_sheet_and_names_are_left_out_on_demand(
    run: Run, match: str, tmp_path: Path
) -> None:
    page = tmp_path / "r.html"
    run("ruling", match, "6L", "--html", str(page), "--anonymize")
    text = page.read_text()
    assert 'class="sheet"' in text
    assert "<polygon" in text
    assert "Ann" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("5L",), "no finding to rule on"),
        (("6L", "--rules", "wbff"), "'wbff' is no rule book"),
        (("6L", "--match", "2"), "has no match 2"),
    ],
)
def test_wrong_calls_are_one_line(run: Run, match: str, words: tuple[str, ...], said: str) -> None:
    result = run("ruling", match, *words)
    line = result.stderr
    assert result.exit_code == 2
    assert said in line
    assert line.count("\n") == 1


@pytest.mark.parametrize("game", ["Ann wins by forfeit", "connection lost"])
def test_a_game_without_an_action_has_a_sheet(run: Run, tmp_path: Path, game: str) -> None:
    path = tmp_path / "forfeit.mat"
    path.write_text(
        " 3 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        f"  1) 31: 8/5 6/5\n                                  Wins 1 point\n; {game}\n"
    )
    found = json.loads(run("check", str(path), "--format", "json").stdout)
    places = [f"{one['line']}:{one['column']}" for one in found if one["code"] == "R613"]
    assert places
    for place in places:
        result = run("ruling", str(path), place)
        assert result.exit_code == 0, result.stderr


def test_a_wrong_set_up_is_shown_with_the_board_that_should_have_been(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "set-up.bgm"
    board = "board L 24(2) 13(5) 8(4) 6(4) R 24(2) 13(5) 8(3) 6(5)"
    path.write_text(f"bganalyze match\n\ngame 1\n{board}\nL 31 8/5 6/5\n")
    text = run("ruling", str(path), "4").stdout
    assert "The board that should have been" in text
    assert text.count("pips") == 4


def test_an_anonymous_sheet_names_the_reading_without_a_search(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "slip.mat"
    path.write_text(SLIP)
    named, anonymous = (
        run("ruling", str(path), *options).stdout for options in ((), ("--anonymize",))
    )
    assert "most likely: line 6, 41: 24/23 13/8 → 41: 24/23 13/9" in named
    assert "read as: 24/23 13/9 instead" in anonymous
    assert "Ann" not in anonymous
