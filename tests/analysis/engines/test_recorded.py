"""Stored analysis: GNU Backgammon's in its own format, and eXtreme Gammon's by way of gvformat."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gvformat
import pytest
from gvformat.stats import compute_aggregates

from bganalyze.analysis.decisions import Decision, Kind, decisions_of_match
from bganalyze.analysis.engines import CubeEvaluation, EngineError, PlayEvaluation, start
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import analyze_match
from bganalyze.record.model import Analysis
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.replaying import replay

SAMPLES = Path(__file__).parents[3] / "samples" / "clean"

XG_B = next(metric for metric in METRICS if metric.name == "xg-b")

HEAD = "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[A]PB[B]RU[Crawford]"
PLAY = """
;W[31hefe]A[0][hefe E ver 3 0.55 0.17 0.01 0.12 0.01 0.20 2C 0 1 0.0 1]\
[xwmj E ver 3 0.50 0.13 0.01 0.16 0.01 -0.05 2C 0 1 0.0 1]LU[0.15]
"""
DOUBLE = ";B[double]DA[E ver 3 2C 1 0.0 1 {nd} 0.55 {dt} 0.53]"
SEVEN = "0.5 0.1 0.01 0.1 0.01 0.0"


def read_decisions(text: str) -> list[Decision]:
    [match] = read_bytes(text.encode(), "a.sgf")
    return list(decisions_of_match(replay(match)))


def add_stored_analysis(entry: object, decision: Decision) -> Decision:
    """Return the decision with this analysis stored with it."""
    return decision._replace(stored=Analysis("xg", (("gva", json.dumps(entry)),)))


def test_candidates_luck_and_cube_of_smart_game_format() -> None:
    double = DOUBLE.format(nd=SEVEN, dt=SEVEN)
    match_decisions = read_decisions(HEAD + PLAY + double + ";W[drop])")
    engine = start("recorded")
    play, cube, passed = engine.evaluate(match_decisions)
    assert isinstance(play, PlayEvaluation)
    assert [candidate.equity for candidate in play.candidates] == [0.20, -0.05]
    assert (play.reached, play.luck) == (play.candidates[0], 0.15)
    assert isinstance(cube, CubeEvaluation)
    assert cube.passed == pytest.approx(1, abs=1e-6)
    assert 0 < cube.take < cube.no_double < 1
    assert passed == cube
    assert engine.stored_version(match_decisions) == ("GNU Backgammon", "2ply")
    assert (play.depth, cube.depth) == ("2ply", "2ply")


def test_each_evaluation_of_gammonviews_document_has_the_depth_that_it_was_found_at() -> None:
    """The entry says what the program was set to, each of its parts how deep that was looked at."""
    [play, *_] = read_decisions(HEAD + ";W[31hefe])")
    moves = [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}]
    best, other = {"equity": 0.2, "move": moves}, {"equity": 0.1, "move": moves[:1]}
    double = {"no_double_equity": 0.4, "double_take_equity": 0.3, "double_pass_equity": 1}
    entry = {
        "best_equity": 0.2,
        "eval_level": "4ply",
        "alternatives": [other | {"eval_level": "1ply"}, best | {"eval_level": "truncated2"}],
        "cube_decision": double | {"eval_level": "2ply"},
    }
    cube = play._replace(kind=Kind.NO_DOUBLE)
    engine = start("recorded")
    analyzed_play, analyzed_cube = engine.evaluate(
        [add_stored_analysis(entry, play), add_stored_analysis(entry, cube)]
    )
    assert isinstance(analyzed_play, PlayEvaluation)
    assert isinstance(analyzed_cube, CubeEvaluation)
    assert (analyzed_play.depth, analyzed_cube.depth) == ("truncated2", "2ply")
    assert engine.stored_version([add_stored_analysis(entry, play)]) == ("xg", "4ply")
    for level in (3, "", "x" * 99, "a\x00", None):
        without_luck = {"best_equity": 0.2, "eval_level": level, "alternatives": [best]}
        (analyzed_play,) = engine.evaluate([add_stored_analysis(without_luck, play)])
        assert isinstance(analyzed_play, PlayEvaluation)
        assert analyzed_play.depth is None


def test_nothing_stored_is_told(  # what is stored may also be nonsense
) -> None:
    match_decisions = read_decisions(HEAD + ";W[31hefe]LU[-inf])")
    with pytest.raises(EngineError, match="the file contains no analysis"):
        start("recorded").evaluate(match_decisions)
    damaged: Sequence[Any] = (None, 3, [], "x", {"best_equity": "?", "alternatives": [3]})
    for entry in damaged:
        with pytest.raises(EngineError, match="the file contains no analysis"):
            start("recorded").evaluate([add_stored_analysis(entry, match_decisions[0])])


def test_the_play_and_the_cube_of_gammonviews_document() -> None:
    [play, *_] = read_decisions(HEAD + ";W[31hefe])")
    moves = [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}]
    best = {"equity": 0.2, "move": moves}
    deeper = {"equity": 0.3, "move": [{"from": 1, "pips": 4}], "eval": {"win": 0.5}}
    equities = dict(
        zip(
            ("no_double_equity", "double_take_equity", "double_pass_equity"),
            (0.4, 0.3, 1),
            strict=True,
        )
    )
    cube_entry = {
        "best_equity": 0.2,
        "played_equity": 0.2,
        "luck": 0.01,
        "eval_level": "4ply",
        "alternatives": [deeper, best],
        "cube_decision": equities,
    }
    engine, cube = start("recorded"), play._replace(kind=Kind.NO_DOUBLE, dice=None)
    entries = [add_stored_analysis(cube_entry, cube), add_stored_analysis(cube_entry, play)]
    no_answer, answer = engine.evaluate(entries)
    assert no_answer == CubeEvaluation(0.4, 0.3, 1.0, depth="4ply")
    assert isinstance(answer, PlayEvaluation)
    assert answer.candidates[0].after == play.after
    assert (answer.candidates[0].equity, answer.luck) == (0.2, 0.01)
    assert engine.stored_version(entries) == ("xg", "4ply")


@pytest.mark.slow
@pytest.mark.oracle
def test_what_gnu_backgammon_stores_is_what_it_says(gnubg_program: str, tmp_path: Path) -> None:
    """Its file keeps six digits: rates agree to the third."""
    path = tmp_path / "stored.sgf"
    script = tmp_path / "store.py"
    commands = [
        "set threads 1",
        "set analysis chequerplay evaluation plies 0",
        "set analysis cubedecision evaluation plies 0",
        f'import auto "{SAMPLES / "galaxy.txt"}"',
        "analyze match",
        f'save match "{path}"',
    ]
    script.write_text("".join(f"gnubg.command({command!r})\n" for command in commands))
    command = [gnubg_program, "-t", "-q", "-r", "-p", str(script)]
    home = {"HOME": str(tmp_path)}
    subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=True, env=home)
    [analyzed], [match] = read(str(path)), read(str(SAMPLES / "galaxy.txt"))
    recorded, fresh = (
        analyze_match(analyzed, start("recorded")),
        analyze_match(match, start("gnubg", "0ply")),
    )
    assert recorded.key.level == "0ply"
    for metric in METRICS:
        for side in (0, 1):
            stored_rate, fresh_rate = (
                metric.measure(recorded.rows, side),
                metric.measure(fresh.rows, side),
            )
            assert (stored_rate.rate, stored_rate.counted) == (
                pytest.approx(fresh_rate.rate, abs=1e-3),
                fresh_rate.counted,
            )


@pytest.mark.slow
@pytest.mark.corpus
def test_pr_of_real_xg_files_is_that_of_gvformat(corpus: Path) -> None:
    """By the rule that it claims, to 0.01, for every side."""
    files = sorted((corpus / "xg").glob("*.xg"))
    assert files
    for path in files:
        [match] = read(str(path))
        rows = analyze_match(match, start("recorded")).rows
        expected = compute_aggregates(gvformat.convert_xg(path.read_bytes()))["match"]
        for side, color in enumerate(("white", "black")):
            rates = XG_B.measure(rows, side)
            assert rates.counted == expected[color]["total_decisions"]
            assert rates.rate == pytest.approx(expected[color]["pr"], abs=0.01)
            luck = sum(row.luck for row in rows if row.side == side and row.luck is not None)
            assert luck == pytest.approx(expected[color]["total_luck"], abs=0.01)
