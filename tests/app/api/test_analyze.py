"""`analyze`: an engine's analyses as a value."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.analysis.engines import EngineError
from bganalyze.analysis.match import analyze_matches
from bganalyze.analysis.store_error import StoreError
from bganalyze.app.api.analyze import analyses, analyze
from bganalyze.app.api.read import read
from tests.app.api.records import CLEAN
from tests.stored.findings import SAMPLES

pytest.importorskip("bgsage")


def test_matches_are_analyzed_in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bganalyze.app.jobs.workers.start_process", None)
    result = analyze(CLEAN, name="a.mat")
    assert list(result.matches) == analyze_matches(read(CLEAN, name="a.mat"))
    assert repr(result) == "<1 match analyzed>"
    assert len(result.decisions) == len(result.matches[0].rows)


def test_rates_are_those_of_the_metric() -> None:
    result = analyze(CLEAN, name="a.mat")
    rates = result.rates("gnubg")
    assert rates[["path", "match", "player"]].to_numpy().tolist() == [
        ["a.mat", 1, "Ann"],
        ["a.mat", 1, "Bob"],
    ]
    assert rates[["low", "high"]].isna().all(axis=None)  # They have fewer than five decisions.
    for _, row in rates.iterrows():
        assert row["rate"] == pytest.approx(1000 * row["lost"] / row["decisions"])
    longer = analyze(SAMPLES / "clean" / "one-point.mat", level="1ply").rates("gnubg")
    assert longer["rate"].between(longer["low"], longer["high"]).all()
    with pytest.raises(ValueError, match=r"'elo' is no error rate; there are .*gnubg, "):
        result.rates("elo")


def test_decisions_are_selected() -> None:
    result = analyze(CLEAN, name="a.mat")
    assert set(result.select(player="bob", kinds="play")["player"]) == {"Bob"}
    losses = result.select(costliest=2)["loss"].tolist()
    assert losses == sorted(result.decisions["loss"].dropna(), reverse=True)[:2]
    assert len(result.select(least=losses[0] + 1)) == 0
    with pytest.raises(ValueError, match="'chess' is no kind of decision"):
        result.select(kinds="chess")


def test_what_is_kept_is_not_analyzed_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = str(tmp_path / "club.db")
    first = analyze(CLEAN, db=db, name="a.mat")
    assert analyses(db).matches == first.matches
    monkeypatch.setattr(
        "bganalyze.app.jobs.analyze.analyze_part", lambda *_: pytest.fail("analyzed again")
    )
    assert analyze(CLEAN, db=db, name="a.mat").matches == first.matches
    assert analyses(db, engine="gnubg").matches == ()


def test_what_is_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EngineError):
        analyze(CLEAN, "chess", name="a.mat")
    with pytest.raises(StoreError, match="no such database"):
        analyses(str(tmp_path / "none.db"))
