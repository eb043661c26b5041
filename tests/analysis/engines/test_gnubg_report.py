"""The analysis in GNU Backgammon's reports, as text and as pages."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import CubeEvaluation, Evaluation, PlayEvaluation, start
from bganalyze.analysis.match import analyze_match
from bganalyze.board.ids import Situation, gnubg_id
from bganalyze.board.position import OFF, Position, points
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write

SAMPLES = Path(__file__).parents[3] / "samples" / "clean"

HEAD = "The score (after 0 games) is: Ann Lee 0, Bob 0"
GAME = """
Move number 1:  Ann Lee to play 31
* Ann Lee moves 8/5 6/5

Rolled 31 (+0.243):
*    1. Cubeful 2-ply    8/5 6/5                      Eq.: +0.243
       0.551 0.174 0.013 - 0.449 0.124 0.005
     2. Cubeful 0-ply    24/23 13/10                  Eq.: -0.014 (-0.257)
       0.497 0.137 0.008 - 0.503 0.140 0.007

Move number 2:  Bob to play 41
* Bob moves 24/23 13/9

Cube analysis
2-ply cubeless equity -0.642 (Money: -0.565)
  0.285 0.056 0.001 - 0.715 0.183 0.008
Cubeful equities:
1. No double           -0.886
2. Double, pass        +1.000  (+1.886)
3. Double, take        -1.985  (-1.099)
Proper cube action: No double, take (36.8%)
Alert: doubtful move ( -0.051)

Rolled 41 (-0.028):
     1. Rollout          8/4 6/5                      Eq.: -1.000
       0.271 0.060 0.001 - 0.729 0.210 0.017
*   ??  Cubeful 0-ply    24/23 13/9                   Eq.: -1.051 (-0.051)
       0.257 0.051 0.001 - 0.743 0.294 0.021

Move number 3:  Ann Lee on roll, cube decision?
* Ann Lee doubles

Alert: wrong double (-0.051)!
 [doubtful]
Cube analysis
2-ply cubeless equity +0.906 (Money: +0.749)
  0.743 0.294 0.021 - 0.257 0.051 0.001
Cubeful equities:
1. No double           +1.051
2. Double, take        +1.569  (+0.518)
3. Double, pass        +1.000  (-0.051)
Proper cube action: Too good to double, pass (9.0%)
Move number 4:  Ann Lee doubles to 2
* Bob accepts

Alert: wrong take (-0.569)!
Cube analysis
2-ply cubeless equity -0.906 (Money: -0.749)
  0.257 0.051 0.001 - 0.743 0.294 0.021
Cubeful equities:
1. No double           -1.051
2. Double, take        -1.569  (-0.518)
3. Double, pass        -1.000  (+0.051)
Proper cube action: Too good to double, pass (9.0%)
Move number 5:  Ann Lee to play 11
* Ann Lee moves 8/7(2) 6/5(2)

Rolled 11 (+0.044):
     1. Cubeful 2-ply    6/4(2)                       Eq.: +0.674
       0.779 0.243 0.007 - 0.221 0.036 0.000
*   10. Cubeful 2-ply    8/7(2) 6/5(2)                Eq.: +0.252 (-0.422)
       0.641 0.181 0.007 - 0.359 0.077 0.001

Move number 6:  Bob on roll, cube decision?
* Bob doubles

Cube analysis
2-ply cubeless equity +0.385 (Money: +0.392)
  0.641 0.181 0.007 - 0.359 0.077 0.001
Cubeful equities:
1. Double, take        +0.561
2. Double, pass        +1.000  (+0.439)
3. No double           +0.252  (-0.309)
Proper cube action: Redouble, take
Move number 7:  Bob doubles to 4
* Ann Lee rejects

Alert: wrong pass (-0.439)!
Cube analysis
2-ply cubeless equity -0.385 (Money: -0.392)
  0.359 0.077 0.001 - 0.641 0.181 0.007
Cubeful equities:
1. Double, take        -0.561
2. Double, pass        -1.000  (-0.439)
3. No double           -0.252  (+0.309)
Proper cube action: Redouble, take
Bob wins 2 points

Game statistics for game 1
Error total EMG (MWC)                         -0.422 (-10.587%)       -0.122 ( -1.209%)
"""
MATCH = f"{HEAD} (match to 5 points)\n{GAME}"


def rows_of(text: str) -> tuple[AnalyzedDecision, ...]:
    [match] = read_bytes(text.encode(), "a.txt")
    return analyze_match(match, start("recorded")).rows


def decisions_of(text: str) -> list[Decision]:
    [match] = read_bytes(text.encode(), "a.txt")
    return list(decisions_of_match(replay(match)))


def losses(rows: tuple[AnalyzedDecision, ...]) -> list[tuple[str, float]]:
    return [(row.kind.value, round(lost, 3)) for row in rows if (lost := loss(row)) is not None]


def evaluations(path: Path) -> list[tuple[Kind, Evaluation | None]]:
    """Return the kind and the stored evaluation of each decision of a file."""
    engine = start("recorded")
    decisions = [one for match in read(str(path)) for one in decisions_of_match(replay(match))]
    return [
        (decision.kind, evaluation)
        for decision, evaluation in zip(decisions, engine.evaluate(decisions), strict=True)
    ]


def test_each_kind_of_decision_has_the_evaluation_of_the_report() -> None:
    rows = rows_of(MATCH)
    assert losses(rows) == [
        *(("play", 0.0), ("no-double", 0.0), ("play", 0.051), ("double", 0.051), ("take", 0.569)),
        *(("play", 0.422), ("double", 0.0), ("pass", 0.439)),
    ]
    assert [row.depth for row in rows] == [
        *("2ply", "2ply", "rollout", "2ply", "2ply", "2ply", "2ply", "2ply")
    ]
    opening, _, play, *_ = rows
    assert (opening.luck, play.luck, play.better) == (0.243, -0.028, "8/4 6/5")
    assert rows[4].cube_equities == (1.051, 1.569, 1.0)
    assert rows[7].cube_equities == (0.252, 0.561, 1.0)
    assert losses(rows_of(f"{HEAD}\n{GAME}")) == losses(rows)  # money play


def test_chances_are_those_of_the_side_that_plays_or_doubles() -> None:
    engine = start("recorded")
    decisions = decisions_of(MATCH)
    assert engine.stored_version(decisions) == ("GNU Backgammon", "2ply")
    play, *_, double, taken, _, _, _ = engine.evaluate(decisions)
    assert isinstance(play, PlayEvaluation)
    assert play.candidates[1].chances == (0.497, 0.137, 0.008, 0.140, 0.007)
    for evaluation in (double, taken):
        assert isinstance(evaluation, CubeEvaluation)
        assert evaluation.chances == pytest.approx((0.743, 0.294, 0.021, 0.051, 0.001))


def test_other_ways_to_state_numbers() -> None:
    percentages = MATCH.replace(
        "0.551 0.174 0.013 - 0.449 0.124 0.005", "55.1 17.4 1.3 - 44.9 12.4 0.5"
    )
    assert rows_of(percentages) == rows_of(MATCH)
    assert rows_of(MATCH.replace("0-ply", "0-ply ").replace("+0.", "+0,")) == rows_of(MATCH)
    chances = (
        f"{HEAD} (match to 3 points)\nMove number 1:  Ann Lee to play 31\n"
        "* Ann Lee moves 24/23 13/10\n\nRolled 31 (+2.420%):\n"
        "     1. Cubeful 0-ply    8/5 6/5                      MWC:  52.42%\n"
        "*    2. Cubeful 0-ply    24/23 13/10                  MWC:  49.86% ( -2.56%)\n"
    )
    for text in (chances, chances.replace("52.42%", "0.5242").replace("49.86%", "0.4986")):
        [row] = rows_of(text)
        assert row.best == pytest.approx(0.243, abs=0.001)
        assert row.reached == pytest.approx(-0.014, abs=0.001)
        assert row.luck == pytest.approx(0.243, abs=0.001)


def test_a_bear_off_and_a_roll_without_a_choice() -> None:
    home = points({3: 1, 1: 1, OFF: 13})
    written = gnubg_id(Situation(Position(home, home), 0, dice=(6, 5), length=3))
    position, _, match = written.partition(":")
    text = (
        f"{HEAD} (match to 3 points)\nMove number 1:  Ann Lee to play 65\n"
        f" GNU Backgammon  Position ID: {position}\n                 Match ID   : {match}\n"
        "* Ann Lee moves 3/off 1/off\n\nRolled 65:\n"
        "*    1. Cubeful 0-ply    3/off 1/off                  Eq.: +1.000\n"
        "       1.000 0.000 0.000 - 0.000 0.000 0.000\n"
    )
    [*_, row] = rows_of(text)
    assert (row.best, row.reached, row.forced, row.better) == (1.0, 1.0, True, "3/off 1/off")


PAGE = """<html><body><h2>The score (after 0 games) is: Ann Lee 0, Bob 0 (match to 5 points)</h2>
<p><b><a name="game1.move1">Move number 1:</a></b> Bob to play 41</p>
<p>&bull; Bob moves 24/23 13/9</p>
<table class="cubedecision">
<tr><th colspan="4" class="cubedecisionheader">Cube decision</th></tr>
<tr><td colspan="2"><span class="cubeply">2-ply</span> cubeless equity</td><td>-0.642</td></tr>
<tr><td>&nbsp;</td><td colspan="3">0.285 0.056 0.001 - 0.715 0.183 0.008</td></tr>
<tr><td colspan="4">Cubeful equities:</td></tr>
<tr><td>1.</td><td>No double</td><td>-0.886</td><td>&nbsp;</td></tr>
<tr><td>2.</td><td>Double, pass</td><td>+1.000</td><td>+1.886</td></tr>
<tr><td>3.</td><td>Double, take</td><td>-1.985</td><td>-1.099</td></tr>
<tr><td colspan="2">Proper cube action:</td><td colspan="2">No double, take (36.8%)</td></tr>
</table>
<p><span class="blunder">Alert: doubtful move ( -0.051)</span></p>
<table class="movetable">
<tr>
<th colspan="2">#</th>
<th>Ply</th>
<th>Move</th>
<th>Equity</th>
</tr>
<tr>
<td>&nbsp;</td>
<td>1</td>
<td>0</td>
<td>8/4 6/5</td>
<td>-1.000</td>
</tr>
<tr>
<td colspan="3">&nbsp;</td>
<td>0.271 0.060 0.001 - 0.729 0.210 0.017</td>
<td>&nbsp;</td>
</tr>
<tr>
<td>&bull; </td>
<td>??</td>
<td>0</td>
<td>24/23 13/9</td>
<td>-1.051 (-0.051)</td>
</tr>
</table>
<p><b>Move number 2:</b> Ann Lee to play 31</p>
<p>&bull; Ann Lee moves 8/5 6/5</p>
</body></html>
"""
COPIED = """\
The score (after 0 games) is: Ann Lee 0, Bob 0 (match to 5 points)
Move number 1: Bob to play 41
• Bob moves 24/23 13/9

Cube decision
2-ply cubeless equity\t-0.642
\t0.285 0.056 0.001 - 0.715 0.183 0.008
Cubeful equities:
1.\tNo double\t-0.886\t
2.\tDouble, pass\t+1.000\t+1.886
3.\tDouble, take\t-1.985\t-1.099

#\tPly\tMove\tEquity
\t1\t0\t8/4 6/5\t-1.000
\t0.271 0.060 0.001 - 0.729 0.210 0.017\t
• \t??\t0\t24/23 13/9\t-1.051 (-0.051)

Move number 2: Ann Lee to play 31
• Ann Lee moves 8/5 6/5
"""


def test_a_page_says_the_same_also_as_a_browser_copies_it() -> None:
    for text in (PAGE, COPIED):
        [match] = read_bytes(text.encode(), "a.html")
        [play, last] = match.plays()
        assert (play.analysis is None, last.analysis) == (False, None)
        cube = Decision(Kind.NO_DOUBLE, 1, replay(match).games[0].turns[0], stored=play.analysis)
        [bob, no_double] = start("recorded").evaluate([decisions_of(text)[0], cube])
        assert isinstance(bob, PlayEvaluation)
        assert [one.equity for one in bob.candidates] == [-1.0, -1.051]
        assert (bob.reached, bob.depth) == (bob.candidates[1], "0ply")
        assert bob.candidates[0].chances == (0.271, 0.06, 0.001, 0.21, 0.017)
        chances = (0.285, 0.056, 0.001, 0.183, 0.008)
        assert no_double == CubeEvaluation(-0.886, -1.985, 1.0, chances, "2ply")


def test_evaluations_are_kept_by_the_own_format_and_named_as_lost_by_others() -> None:
    [match] = read_bytes(MATCH.encode(), "a.txt")
    [kept] = read_bytes(write([replay(match)], "bgm").data, "a.bgm")
    assert losses(analyze_match(kept, start("recorded")).rows) == losses(rows_of(MATCH))
    written = write([replay(match)], "sgf")
    assert b"report" not in written.data
    assert any("stored with an action" in lost.what for lost in written.losses)


def test_lines_that_cannot_be_read_are_named() -> None:
    for written, damaged in (
        ("Eq.: -0.014", "Eq.: -0.0x4"),
        ("24/23 13/10", "24/23 99/10"),
        ("0.551 0.174", "1.551 0.174"),
        ("No double           -0.886", "No double        -5886.0"),
        ("Rolled 31 (+0.243)", "Rolled 31 (+9990.243)"),
    ):
        [match] = read_bytes(MATCH.replace(written, damaged).encode(), "a.txt")
        [finding] = [finding for finding in check([match]) if finding.code == "T116"]
        line = next(line for line in MATCH.splitlines() if written in line)
        assert line.replace(written, damaged).strip()[:30] in finding.message


def test_differences_of_chances_have_two_signs() -> None:
    # As GNU Backgammon writes them after `set output matchpc off`.
    text = MATCH.replace("Eq.: -0.014 (-0.257)", "MWC:  0.4992 (+-0.0050)")
    assert text != MATCH
    [match] = read_bytes(text.encode(), "a.txt")
    assert [finding for finding in check([match]) if finding.code == "T116"] == []


def test_a_roll_whose_best_play_cannot_be_read_has_no_evaluation() -> None:
    row = rows_of(MATCH.replace("8/4 6/5  ", "8/4 6/x5 "))[2]
    assert (row.best, row.reached, row.luck) == (None, None, -0.028)


@pytest.mark.slow
@pytest.mark.oracle
def test_reports_say_what_smart_game_format_says(gnubg_program: str, tmp_path: Path) -> None:
    """Reports print three digits; a page states no luck."""
    commands = [
        "set threads 1",
        "set analysis chequerplay evaluation plies 0",
        "set analysis cubedecision evaluation plies 0",
        "set export moves number 40",
        f'import auto "{SAMPLES / "galaxy.txt"}"',
        "analyze match",
        *(f'export match {kind} "{tmp_path / f"a.{kind}"}"' for kind in ("text", "html")),
        f'save match "{tmp_path / "a.sgf"}"',
    ]
    script = tmp_path / "export.py"
    script.write_text("".join(f"gnubg.command({command!r})\n" for command in commands))
    command = [gnubg_program, "-t", "-q", "-r", "-p", str(script)]
    home = {"HOME": str(tmp_path)}
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=home)
    stored = evaluations(tmp_path / "a.sgf")
    for kind in ("text", "html"):
        pages = sorted(tmp_path.glob(f"a*.{kind}"), key=lambda path: (len(path.name), path.name))
        reported = [found for page in pages for found in evaluations(page)]
        assert [decision for decision, _ in reported] == [decision for decision, _ in stored]
        for (_, found), (_, expected) in zip(reported, stored, strict=True):
            assert_alike(found, expected)


def assert_alike(found: Evaluation | None, expected: Evaluation | None) -> None:
    """Check that a printed evaluation is the stored one, to half a thousandth."""
    match found, expected:
        case CubeEvaluation(), CubeEvaluation():
            assert found[:3] == pytest.approx(expected[:3], abs=0.00051)
            assert found.chances == pytest.approx(expected.chances, abs=0.00051)
            assert found.depth == expected.depth
        case PlayEvaluation(), PlayEvaluation():
            assert [one.after for one in found.candidates] == [
                one.after for one in expected.candidates
            ]
            for one, other in zip(found.candidates, expected.candidates, strict=True):
                assert one.equity == pytest.approx(other.equity, abs=0.00051)
                assert one.chances == pytest.approx(other.chances, abs=0.00051)
            assert (found.reached is None) == (expected.reached is None)
            assert found.luck in (None, pytest.approx(expected.luck, abs=0.00051))
            assert found.depth == expected.depth
        case None, PlayEvaluation():
            assert not expected.candidates  # a dance, whose luck a page leaves out
        case _:
            assert found == expected
