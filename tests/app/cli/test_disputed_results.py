"""A disputed result in every output: what the file says, and nothing that it cannot show."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from tests.disputed_match import DISPUTED, DOUBLE_LINE, NEXT_SCORE_LINE, RESULT_LINE

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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ("  1) 31: 8/5 6/5                    Doubles => 2", "  2)  Drops", "      Wins 1 point"),
            "the win is written for Ann, but by the pass as written Bob won",
        ),
        (
            ("  1) 31: 8/5 6/5                    65: 24/13", "  2)  Loses 1 point", "      Wins 1 point",
             " Game 2", " Ann : 1                         Bob : 0"),
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


@pytest.mark.slow
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


def test_the_sheet_counts_what_speaks_against_each_reading(run: Run, match: str) -> None:
    sheet = words_of(run("ruling", match, str(RESULT_LINE)))
    assert (
        "against “by the recorded result”: the last checker of Ann is borne off, for 1 point (line 7)"
        in sheet
    )
    assert (
        "against “by the board”: the result is written otherwise (line 8); 4 later score lines "
        f"continue from 0 – 1 (from line {NEXT_SCORE_LINE} on); game 4 would be the Crawford game, but "
        f"has a double (line {DOUBLE_LINE}); game 5 was played (line 26), but the match would have "
        "been over at 3 – 1"
    ) in sheet  # fmt: skip
    assert "whether the plays stand in the wrong columns" in sheet


def test_later_scores_may_speak_against_the_result_line(run: Run, folder: Path) -> None:
    """The scores go on as the plays end, not as the result is written."""
    head, *games = DISPUTED.split(" Game ")
    scores = ((0, 0), (1, 0), (1, 1), (2, 1))
    (folder / "final.mat").write_text(
        head
        + "".join(
            " Game " + re.sub(r"Ann : \d( +)Bob : \d", rf"Ann : {left}\1Bob : {right}", game)
            for game, (left, right) in zip(games, scores, strict=False)
        )
    )
    sheet = words_of(run("ruling", "final.mat", str(RESULT_LINE)))
    assert "3 later score lines continue from 1 – 0" in sheet
    assert "later score line" not in sheet[sheet.index("against “by the board”") :]
    assert "result: Ann 3, Bob 1 by the last score line and result (Ann wins)" in sheet


def test_the_sheet_says_to_which_moment_a_score_belongs(run: Run, folder: Path, match: str) -> None:
    sheet = words_of(run("ruling", match, str(RESULT_LINE)))
    assert "score before game 1: 0 – 0 (match to 3 points)" in sheet
    assert (
        "result: Ann 2, Bob 3 by the last score line and result (Bob wins); Ann 3, Bob 1 by the games (Ann wins)"
        in sheet
    )
    run("ruling", match, str(RESULT_LINE), "--html", "sheet.html")
    assert "Disputed result of game 1 (R603)" in (folder / "sheet.html").read_text()


def test_chances_are_given_only_while_the_match_can_go_on(run: Run, match: str) -> None:
    assert "chance of" not in words_of(run("ruling", match, str(RESULT_LINE)))
    noticed = words_of(run("ruling", match, str(RESULT_LINE), "--noticed", "12"))
    assert "chance of Ann" in noticed
    assert "chances to win the match: those after game 1" in noticed


def test_a_disputed_match_is_counted_apart_from_those_that_are_not_complete(
    run: Run, match: str
) -> None:
    assert "1 match, 1 with errors, 0 not complete, 1 disputed" in words_of(run("matches", match))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (NEXT_SCORE_LINE, "the finding about this score is at 8:35 (R603); rule on it there"),
        (RESULT_LINE - 1, "the finding about this line is at 8:35 (R603); rule on it there"),
        (DOUBLE_LINE, "there is no finding to rule on; there is one at 8:35 (R603)"),
    ],
)
def test_a_line_that_a_fault_names_leads_to_the_fault(
    run: Run, match: str, line: int, said: str
) -> None:
    result = run("ruling", match, str(line))
    assert (result.exit_code, result.stderr) == (2, f"bganalyze: {line}: {said}\n")


NO_FINDINGS = "1 file checked, no findings of the rules selected"


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--select", "P"), "; 7 turns read, all plays legal; errors of other rules: 1 R603"),
        (("--ignore", "R"), "; 7 turns read, all plays legal; errors of other rules: 1 R603"),
        (("--select", "P401"), "; 7 turns read; errors of other rules: 1 R603"),
        (("--select", "P", "--ignore", "P411"), "; 7 turns read; errors of other rules: 1 R603"),
    ],
)
def test_a_selection_without_findings_says_what_was_looked_at(
    run: Run, match: str, asked: tuple[str, ...], said: str
) -> None:
    assert f"{NO_FINDINGS}{said}\n" in run("check", match, *asked).stdout


@pytest.mark.parametrize(
    ("rows", "select", "others"),
    [
        (("  1) 31: 8/5 6/4                42: 8/4 6/4",), "C", "; errors of other rules: 1 P404"),
        (("  1) 31: 8/5 6/5                qwerty",), "P", "; errors of other rules: 1 T101"),
        (
            ("; bganalyze: ignore P404", "  1) 31: 8/5 6/4                42: 8/4 6/4"),
            *("P", ", 1 silenced"),
        ),
    ],
)
def test_plays_are_not_called_legal_beside_an_error_that_may_be_of_a_play(
    run: Run, folder: Path, rows: tuple[str, ...], select: str, others: str
) -> None:
    output = run("check", write_match(folder, *rows), "--select", select).stdout
    assert re.search(rf"{NO_FINDINGS}; \d turns? read{others}\n", output)


def test_without_a_selection_no_findings_are_all_that_is_said(run: Run) -> None:
    assert "1 file checked, no findings\n" in run("check", "clean.mat").stdout


def test_the_sheet_says_which_books_are_known_only_in_part(run: Run, match: str) -> None:
    sheet = words_of(run("ruling", match, str(RESULT_LINE), "--rules", "basic,wbf"))
    assert "Known only in part: wbgf-2.1 (section 1.1, the titles of the other sections," in sheet
    assert "Known only in part" not in words_of(run("ruling", match, str(RESULT_LINE)))
    of_all = words_of(run("ruling", match, str(RESULT_LINE), "--rules", "all"))
    assert re.search(r"Known only in part: wbgf-2.1, usbgf-2024, .* says which part\)", of_all)
