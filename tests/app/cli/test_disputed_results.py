"""A disputed result in every output: what the file says, and nothing that it cannot show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.disputed_match import DISPUTED, RESULT_LINE

Run = Callable[..., Result]


@pytest.fixture
def match(folder: Path) -> str:
    (folder / "final.mat").write_text(DISPUTED, encoding="utf-8")
    return "final.mat"


def words_of(result: Result) -> str:
    """Return the output as one line of words."""
    return " ".join(re.sub(r"\x1b\[[\d;]*m", "", result.stdout).split())


def write_match(folder: Path, *lines: str) -> str:
    head = (" 5 point match", " Game 1", " Ann : 0                         Bob : 0")
    (folder / "match.mat").write_text("\n".join((*head, *lines, "")), encoding="utf-8")
    return "match.mat"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ("  1) 31: 8/5 6/5                    Doubles => 2", "  2)  Drops", "      Wins 1 point"),
            "the win is written for Ann, but by the pass as written Bob won",
        ),
        (
            ("  1) 31: 8/5 6/5                    65: 24/13", "  2)  Loses 1 point", "      Wins 1 point"),
            "the win is written for Ann, but by the game as written Bob won",
        ),
        (
            ("  1) 31: 8/5 6/5                    Doubles => 2", "  2)  Drops", f"{'Wins 2 points':>47}"),
            "the record gives 2 points, but the pass as written is worth 1",
        ),
    ],
)  # fmt: skip
def test_a_finding_says_what_is_written_not_who_won(
    run: Run, folder: Path, rows: tuple[str, ...], said: str
) -> None:
    assert said in words_of(run("check", write_match(folder, *rows)))


@pytest.mark.parametrize(
    "asked", [("check", "--full"), ("report",), ("ruling",), ("check", "--html", "page.html")]
)
def test_no_output_says_as_a_fact_that_a_side_won(
    run: Run, folder: Path, match: str, asked: tuple[str, ...]
) -> None:
    place = (str(RESULT_LINE),) if asked == ("ruling",) else ()
    shown = words_of(run(asked[0], match, *place, *asked[1:]))
    if "page.html" in asked:
        shown = (folder / "page.html").read_text()
    assert re.search(r"by the plays as written Ann won", shown)
    assert not re.search(r"but Ann won|[Pp]layer: Bob|<dt>Player</dt>", shown)


def test_a_result_is_told_as_written(run: Run, match: str) -> None:
    sheet = words_of(run("ruling", match, str(RESULT_LINE)))
    assert sheet.count("result as written: Bob wins 1 point") == 3
    assert " Bob wins 1 point" not in sheet.replace("result as written: Bob wins 1 point", "")


def test_a_disputed_match_and_a_disputed_game_are_told_apart(run: Run, match: str) -> None:
    of_match, of_game = (
        line for line in run("check", match).stdout.splitlines() if line.startswith("disputed")
    )
    assert of_match == (
        "disputed: the match: the winner is not settled: as recorded, 2–3, won by Bob; if game 1 "
        "counts as its plays say, 3–1, won by Ann; statistics count the match for nobody (R603)"
    )
    assert of_game == (
        "disputed: game 1: as recorded, Bob wins 1 point; by the board, Ann wins 1 point; "
        "statistics count the game as recorded (R603)"
    )


@pytest.mark.parametrize(("score", "by"), [("2,3", "as recorded"), ("3,1", "by the board")])
def test_a_claim_that_one_reading_supports_is_disputed(
    run: Run, folder: Path, match: str, score: str, by: str
) -> None:
    (folder / "claims.csv").write_text(f"player1,player2,score1,score2\nAnn,Bob,{score}\n")
    result = run("verify", "claims.csv", match)
    assert f"disputed: the file says both: {by} this score, another winner" in words_of(result)
    assert "contradicted" not in result.stdout
    assert result.exit_code == 1


def test_a_claim_that_no_reading_supports_is_contradicted(
    run: Run, folder: Path, match: str
) -> None:
    (folder / "claims.csv").write_text("player1,player2,score1,score2\nAnn,Bob,3,2\n")
    assert "1 claim: 1 contradicted" in words_of(run("verify", "claims.csv", match))
