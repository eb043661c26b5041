"""Norms shown and built, by the library and by the command."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

import bganalyze
from bganalyze.analysis.store import Store
from bganalyze.app.api.analyze import AnalysisResult
from bganalyze.statistics.norms import ALL_PLAYERS, ONE_PLAYER, OPPONENTS, read_shipped_norms
from tests.statistics.reports.analyzed import CLEAN, analyze_samples

pytestmark = pytest.mark.slow

Run = Callable[..., Result]


@pytest.fixture(scope="module")
def analysis() -> AnalysisResult:
    return AnalysisResult(tuple(analyze_samples(["short-match.mat", "redoubles.mat"])))


def test_the_norms_of_the_program() -> None:
    shown = bganalyze.norms()
    assert shown.table == read_shipped_norms()
    assert len(shown.to_frame()) == len(shown.table.norms)
    assert "9.3 [8.9, 9.6] (57,130)" in shown.render()
    assert shown.render("csv").startswith(
        "group,kind,players,matches,games,decisions,rate,low,high"
    )


def test_norms_are_built_from_an_analysis(analysis: AnalysisResult) -> None:
    built = bganalyze.build_norms(analysis, about="two samples")
    whole = built.table.find("all kinds", ALL_PLAYERS)
    rates = analysis.rates("gnubg")
    assert whole
    assert whole.decisions == rates["decisions"].sum()
    assert whole.rate == pytest.approx(500 * rates["lost"].sum() / rates["decisions"].sum())
    assert built.percentiles().empty
    assert repr(built).endswith("two samples>")


def test_a_player_and_all_opponents(analysis: AnalysisResult) -> None:
    built = bganalyze.build_norms(analysis, player="ada quill")
    assert {norm.group for norm in built.table.norms} == {ONE_PLAYER, OPPONENTS}
    with pytest.raises(bganalyze.UnknownNameError):
        bganalyze.build_norms(analysis, player="Nobody")


def test_matches_without_an_analysis_are_counted(analysis: AnalysisResult, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "some.db"))
    store.add(analysis.matches[0])
    files = [str(CLEAN / name) for name in ("short-match.mat", "one-point.mat")]
    built = bganalyze.build_norms(files, db=str(tmp_path / "some.db"))
    assert built.not_analyzed == 1
    with pytest.raises(ValueError, match="no match is analyzed"):
        bganalyze.build_norms(files[1], db=str(tmp_path / "some.db"))


def test_without_a_counted_decision_there_are_no_norms(analysis: AnalysisResult) -> None:
    unevaluated = [match._replace(rows=()) for match in analysis.matches]
    with pytest.raises(ValueError, match="no decision counts"):
        bganalyze.build_norms(AnalysisResult(tuple(unevaluated)))


def test_other_files_are_no_norms(tmp_path: Path) -> None:
    path = tmp_path / "other.toml"
    path.write_text("a = 1")
    with pytest.raises(bganalyze.NormsError, match=r"other\.toml: no file of norms"):
        bganalyze.norms(path)
    with pytest.raises(bganalyze.UnreadableError):
        bganalyze.norms(tmp_path / "missing.toml")


def test_the_command(
    run: Run, tmp_path: Path, analysis: AnalysisResult, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store("club.db")
    for match in analysis.matches:
        store.add(match)
    built = run("norms", "build", "--db", "club.db", "--out", "mine.toml")
    assert built.exit_code == 0, built.output
    shown = run("norms", "show", "mine.toml")
    assert "all players" in shown.output
    assert "source: 2 matches" in shown.output
    assert "one player" in run("norms").output
    assert bganalyze.norms(tmp_path / "mine.toml").table.find("all kinds", ALL_PLAYERS)
    for wrong in (("guess",), ("show", "a", "b"), ("build", "--db", "none.db")):
        assert run("norms", *wrong).exit_code == 2


def test_too_few_matches_have_no_interval(analysis: AnalysisResult) -> None:
    built = bganalyze.build_norms(AnalysisResult(analysis.matches[:1]))
    whole = built.table.find("all kinds", ALL_PLAYERS)
    assert whole
    assert f"{whole.rate:.1f} ({whole.decisions})" in built.render()
    assert "nan" not in built.render()
