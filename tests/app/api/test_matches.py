"""The list of matches as a value."""

from __future__ import annotations

from pathlib import Path

import pytest

import bganalyze
from bganalyze.analysis.match import analyze_match
from bganalyze.analysis.select import ANY_ENGINE, EngineChoice
from bganalyze.analysis.store import Store
from bganalyze.app.api.analyze import AnalysisResult
from bganalyze.app.api.matches import make_finder_in_store
from tests.statistics.reports.analyzed import CLEAN, Guesser

PATH = CLEAN / "redoubles.mat"


def test_the_pr_is_that_of_the_analysis(tmp_path: Path) -> None:
    (match,) = bganalyze.read(PATH)
    analysis = AnalysisResult((analyze_match(match, Guesser()),))
    rates = analysis.rates().set_index("player")["rate"]
    (listed,) = bganalyze.matches(PATH, analysis=analysis)
    assert listed.engine == "guesser"
    assert listed.pr == pytest.approx([rates[name] for name in listed.players])
    swapped = listed._replace(players=listed.players[::-1], pr=(None, None))
    assert swapped.rate_players(analysis.matches[0]).pr == listed.pr[::-1]
    strangers = listed._replace(players=("Ann", "Bob"), pr=(None, None))
    assert strangers.rate_players(analysis.matches[0]).pr == (None, None)
    assert bganalyze.matches(PATH)[0].pr == (None, None)


def test_of_several_stored_analyses_the_chosen_one_counts(tmp_path: Path) -> None:
    (match,) = bganalyze.read(PATH)
    (listed,) = bganalyze.matches(match)
    store = Store(f"{tmp_path}/kept.db")
    for engine in (Guesser(), Guesser("other", "3ply")):
        store.add(analyze_match(match, engine))
    found = make_finder_in_store(store, ANY_ENGINE)(listed)
    assert (found.key.engine, found.key.level) == ("other", "3ply")
    assert make_finder_in_store(store, EngineChoice("guesser"))(listed).key.engine == "guesser"
    assert make_finder_in_store(store, EngineChoice("sage"))(listed) is None
    assert make_finder_in_store(None, ANY_ENGINE)(listed) is None


def test_repairs_are_unknown_where_none_was_searched() -> None:
    """Matches that are values may differ from their file."""
    path = CLEAN.parent / "faulty" / "P410-larger-die.mat"
    assert [one.repairs for one in bganalyze.matches(path)] == [1]
    assert [one.repairs for one in bganalyze.matches(bganalyze.read(path))] == [None]
    assert bganalyze.matches(path).to_frame()["repairs"].tolist() == [1]


def test_unreadable_files_are_listed(tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_text(PATH.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "b.sgf").write_bytes(b"(;GM[6]")
    found = bganalyze.matches(tmp_path)
    assert (len(found), repr(found)) == (1, "<1 match, 0 with errors>")
    with pytest.raises(bganalyze.NotATranscript):
        bganalyze.matches(tmp_path / "b.sgf")
    table = b"player1,player2,score1,score2\nFenn D.,bruno_vale,3,1\n"
    assert bganalyze.verify(table, tmp_path)[0].status == "missing"
    verdict = bganalyze.verify(table.replace(b"Fenn D.", b'"Fenn, D."'), tmp_path)
    assert (verdict.ok, repr(verdict)) == (not verdict.unreadable, "<1 confirmed>")
    with pytest.raises(bganalyze.FixturesError, match="No such file"):
        bganalyze.verify(tmp_path / "none.csv", tmp_path)
