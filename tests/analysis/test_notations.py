"""Evaluations in the notations of other programs: read again, and as those programs show them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from gvformat import compute_aggregates, read_gvab

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.candidates import RatedPlay, read_chances, read_plays
from bganalyze.analysis.decisions import Decision, Kind
from bganalyze.analysis.engines import Chances, CubeEvaluation, Evaluation, PlayEvaluation
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import AnalyzedMatch, Key
from bganalyze.analysis.notations import NOTATIONS, ROUNDING, name_of_program
from bganalyze.analysis.notations.evaluated import plies_of
from bganalyze.analysis.select import find_analysis
from bganalyze.app.api.convert import Converted, convert_analyzed, convert_content
from bganalyze.record.model import Analysis
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.writing.gva_analyses import NAME, is_same_analysis
from tests.statistics.match_report.analyzed import LOSSES, MATCH, Dictated, analyze_text

CHANCES = Chances(0.55, 0.15, 0.01, 0.12, 0.005)


class WithChances(Dictated):
    """An engine that gives the same chances to every play and cube."""

    level = "2ply"

    def evaluate(self, decisions: object) -> list[Evaluation | None]:
        return list(map(_add_chances, super().evaluate(decisions)))  # type: ignore[arg-type]


def _add_chances(evaluation: Evaluation | None) -> Evaluation | None:
    if isinstance(evaluation, CubeEvaluation):
        return evaluation._replace(chances=CHANCES)
    if not isinstance(evaluation, PlayEvaluation):
        return evaluation
    plays = tuple(play._replace(chances=CHANCES) for play in evaluation.candidates)
    reached = evaluation.reached and evaluation.reached._replace(chances=CHANCES)
    return evaluation._replace(candidates=plays, reached=reached)


def converted(
    text: str, target: str, engine: Dictated | None = None
) -> tuple[AnalyzedMatch, Converted]:
    """Return an analyzed match, and the match in a format."""
    match, analysis = analyze_text(text, engine or WithChances())
    return analysis, convert_analyzed([replay(match)], [analysis], target)


def read_back(made: Converted) -> AnalyzedMatch:
    """Return the analysis in a written file."""
    (match,) = read_bytes(made.data, f"a.{made.format}")
    found = find_analysis(match, None)
    assert found is not None
    return found


def assert_same(before: AnalyzedDecision, after: AnalyzedDecision) -> None:
    assert (after.kind, after.played) == (before.kind, before.played)
    assert sorted(after.dice or "") == sorted(before.dice or "")
    assert loss(after) == pytest.approx(loss(before), abs=ROUNDING)
    assert after.luck == pytest.approx(before.luck, abs=ROUNDING)
    assert [play.play for play in read_plays(after.plays)] == [
        play.play for play in read_plays(before.plays)
    ]
    pairs = zip(read_plays(before.plays), read_plays(after.plays), strict=True)
    for one, other in pairs:
        assert_same_play(one, other)
    chances = read_chances(before.chances)
    assert read_chances(after.chances) == (chances and pytest.approx(chances, abs=ROUNDING))


def assert_same_play(one: RatedPlay, other: RatedPlay) -> None:
    assert (one.play, one.is_made) == (other.play, other.is_made)
    assert one.equity == pytest.approx(other.equity, abs=ROUNDING)
    assert one.chances is not None
    assert other.chances == pytest.approx(one.chances, abs=ROUNDING)


def test_an_analysis_in_a_file_of_unknown_time_has_time_0() -> None:
    _, made = converted(MATCH, "gvab")
    info = read_gvab(made.data)["analysis_info"]
    assert (info["ply"], info["timestamp"]) == (2, 0)


@pytest.mark.parametrize("target", NOTATIONS)
@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Zoe", "Bob")])
@pytest.mark.parametrize("length", ["3 point", "0 point"])
def test_evaluations_are_read_as_they_were_written(
    target: str, names: tuple[str, str], length: str
) -> None:
    text = MATCH.replace("Ann", names[0]).replace("Bob", names[1]).replace("3 point", length)
    before, made = converted(text, target)
    assert not [what for what in made.lost if "left one" not in what and "Jacoby" not in what]
    after = read_back(made)
    assert (after.key.version, after.key.level) == ("dictated 1", "2ply")
    is_mirrored = target == "gvab" and names[1] < names[0]
    assert after.names == (names[::-1] if is_mirrored else names)
    assert len(after.rows) == len(before.rows) > 8
    for one, other in zip(before.rows, after.rows, strict=True):
        assert other.side == (1 - one.side if is_mirrored else one.side)
        assert_same(one, other)


def test_smart_game_format_spells_plays_cubes_luck_and_marks() -> None:
    _, made = converted(MATCH, "sgf")
    lines = made.text.splitlines()
    assert "XA[dictated 1]" in lines[0]
    opening, doubtful = (line for line in lines if line.startswith((";W[31", ";B[64")))
    settings = "0.550000 0.150000 0.010000 0.120000 0.005000"
    assert (
        opening == f";W[31hefe]A[0][hefe E ver 3 {settings} 0.300000 2C 0 1 0.000000 1]LU[0.25000]"
    )
    assert "]A[1][" in doubtful
    assert f"{settings} 0.250000 2C 0 1 0.000000 1]LU[0.25000]DO[]" in doubtful
    (bad,) = (line for line in lines if line.startswith(";W[52"))
    assert bad.endswith("BM[2]")
    double, passed = (line for line in lines if line.startswith((";W[double", ";B[drop")))
    assert double.startswith(";W[double]DA[E ver 3 2C 1 0.000000 1 0.550000 ")
    assert double.endswith("BM[1]")  # 0.1 is lost by doubling: 0.8 against 0.7.
    assert passed.endswith("BM[2])")


def test_a_decision_not_to_double_has_its_own_mark() -> None:
    class NeverDoubles(WithChances):
        def _of(self, decision: Decision) -> Evaluation | None:
            if decision.kind is Kind.NO_DOUBLE:
                return CubeEvaluation(no_double=0.5, take=0.9, chances=CHANCES)
            return super()._of(decision)

    _, made = converted(MATCH, "sgf", NeverDoubles())
    (line,) = (line for line in made.text.splitlines() if line.startswith(";B[32"))
    assert line.endswith("LU[0.25000]BC[2]")


def test_evaluations_that_a_notation_cannot_say_are_listed() -> None:
    _, made = converted(MATCH, "sgf", Dictated())  # Its evaluations have no chances.
    assert any(what.startswith("an evaluation (") for what in made.lost)
    assert "A[" not in made.text.replace("CA[", "").replace("XA[", "")
    _, whole = converted(MATCH, "gvab", Dictated())
    assert not [what for what in whole.lost if "evaluation" in what]


def test_a_depth_without_plies_is_listed() -> None:
    class Rollout(WithChances):
        level = "rollout"

    _, made = converted(MATCH, "sgf", Rollout())
    assert any(what.startswith("the search depth of an evaluation") for what in made.lost)
    _, whole = converted(MATCH, "gvab", Rollout())
    assert not whole.lost
    assert read_back(whole).key.level == "rollout"


def test_a_file_in_the_notation_stays_as_it_is() -> None:
    _, made = converted(MATCH, "sgf")
    again = convert_content(made.data, "a.sgf", "sgf")
    assert (again.data, again.lost) == (made.data, ())


def test_stored_analyses_are_translated_by_convert() -> None:
    before, made = converted(MATCH, "sgf")
    moved = convert_content(made.data, "a.sgf", "gvab")
    back = convert_content(moved.data, "a.gvab", "sgf")
    after = read_back(back)
    assert after.key.version == "dictated 1"
    for one, other in zip(before.rows, after.rows, strict=True):
        assert_same(one, other)


def test_gammonview_counts_the_same_pr() -> None:
    before, made = converted(MATCH, "gvab")
    sides = compute_aggregates(read_gvab(made.data))["match"]
    metric = next(metric for metric in METRICS if metric.name == "xg-b")
    for side, color in enumerate(("white", "black")):
        value = metric.measure(before.rows, side)
        assert sides[color]["total_decisions"] == value.counted
        assert sides[color]["total_error"] == pytest.approx(value.lost, abs=ROUNDING)
        assert value.rate is not None
        assert sides[color]["pr"] == pytest.approx(value.rate, abs=0.01)
    lucks = [
        0.25 * sum(row.kind is Kind.PLAY for row in before.rows if row.side == side)
        for side in (0, 1)
    ]
    assert [sides[color]["total_luck"] for color in ("white", "black")] == pytest.approx(lucks)


@pytest.mark.slow
@pytest.mark.corpus
@pytest.mark.parametrize("target", NOTATIONS)
def test_real_analyses_keep_their_error_rates(corpus: Path, target: str) -> None:
    """Error rates by every definition are those of the original file."""
    paths = [*sorted(corpus.glob("xg/*.xg"))[:1], *sorted(corpus.glob("sgf/*test.sgf"))[:1]]
    assert paths
    for path in paths:
        (match,) = read_bytes(path.read_bytes(), str(path))
        before = find_analysis(match, None)
        assert before is not None
        made = convert_content(path.read_bytes(), str(path), target)
        (again,) = read_bytes(made.data, f"a.{target}")
        after = find_analysis(again, None)
        assert after is not None
        order = range(2) if after.names == before.names else range(1, -1, -1)
        for side, other in zip(range(2), order, strict=True):
            for metric in METRICS:
                one, two = metric.measure(before.rows, side), metric.measure(after.rows, other)
                assert two.lost == pytest.approx(one.lost, abs=0.02), (path, metric.name)
                assert abs(one.counted - two.counted) <= MOST_UNCOUNTED, (path, metric.name)


MOST_UNCOUNTED = 3
"""Most decisions that count in only one of the files: those before a roll that was never played, because
the game was resigned, and those that rounding moves over a limit of the metric."""


SCRIPT = """
import json
gnubg.command('load match "match.sgf"')
with open("answer.json", "w") as file:
    json.dump(gnubg.match(analysis=1, boards=0, statistics=1, verbose=0), file)
gnubg.command("show statistics match")
"""


@pytest.mark.slow
def test_gnu_backgammon_shows_the_evaluations(gnubg_program: str, tmp_path: Path) -> None:
    before, made = converted(MATCH, "sgf")
    (tmp_path / "match.sgf").write_bytes(made.data)
    (tmp_path / "ask.py").write_text(SCRIPT, encoding="utf-8")
    command = [gnubg_program, "-t", "-q", "-r", "-p", "ask.py"]
    ended = subprocess.run(
        command, cwd=tmp_path, input="", capture_output=True, text=True, check=True
    )
    shown = json.loads((tmp_path / "answer.json").read_text(encoding="utf-8"))
    actions = [action for game in shown["games"] for action in game["game"]]
    plays = [action["analysis"] for action in actions if action["action"] == "move"]
    rows = [row for row in before.rows if row.kind is Kind.PLAY]
    assert len(plays) == len(rows)
    for row, play in zip(rows, plays, strict=True):
        listed = read_plays(row.plays)
        equities = [move["score"] for move in play["moves"]]
        assert equities == pytest.approx([one.equity for one in listed], abs=1e-5)
        assert play["imove"] == [one.is_made for one in listed].index(True)
        assert play["luck-value"] == pytest.approx(row.luck, abs=1e-5)
    left, right = (
        sum(lost for (_, _, of), lost in LOSSES.items() if of == side) for side in (0, 1)
    )
    assert f"Error total EMG (MWC)                         -{left:.3f}" in ended.stdout
    assert f"-{right:.3f}" in next(
        line for line in ended.stdout.splitlines() if line.startswith("Error total EMG")
    )
    assert (
        "Wrong passes (EMG (MWC))                   0                       1 (-0.300"
        in ended.stdout
    )


@pytest.mark.parametrize(
    "entry",
    [
        "3.5",
        '{"alternatives": 7}',
        '{"alternatives": [1, {"move": 2}, {"move": [3, {}, {"from": null}]}]}',
        f'{{"alternatives": {"[" * 200_000}{"]" * 200_000}}}',
    ],
)
def test_a_damaged_analysis_of_gammonview_is_compared(entry: str) -> None:
    one = Analysis("GammonView", ((NAME, entry),))
    assert is_same_analysis(one, one) is ("[[" not in entry)
    assert not is_same_analysis(one, Analysis("GammonView", ((NAME, '{"alternatives": null}'),)))


def test_what_a_file_stored_is_named_by_its_program_and_plies() -> None:
    assert name_of_program(Key("", "recorded", "xg", "3ply")) == "xg"
    assert plies_of("2ply") == 2
