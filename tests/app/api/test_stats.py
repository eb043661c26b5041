"""`stats`: what the command answers, of files, matches, an analysis, a store and a database."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest

from bganalyze.app.api.analyze import analyze
from bganalyze.app.api.collect import collect
from bganalyze.app.api.query import query
from bganalyze.app.api.read import read
from bganalyze.app.api.stats import Statistics, stats
from bganalyze.files.reading import UnreadableError
from bganalyze.record.players import UnknownNameError
from tests.app.api.conftest import Run
from tests.app.api.records import ILLEGAL, WON


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("club").mkdir()
    for name, record in (("a", WON), ("b", ILLEGAL), ("c", WON.replace(b"Bob", b"Eve"))):
        Path("club", f"{name}.mat").write_bytes(record)
    return Path("club")


def reports(answer: Statistics) -> object:
    return json.loads(answer.render("json"))["reports"]


@pytest.mark.slow
def test_it_answers_what_the_command_answers(run: Run, club: Path) -> None:
    words = ("--report", "points,checker", "--by", "player,length", "--format", "json")
    command = json.loads(run("stats", "club", *words).stdout)
    answer = stats("club", "points,checker", ["player", "length"])
    assert json.loads(answer.render("json")) == command
    assert answer.reports == ("points", "checker")
    assert set(answer.to_frame("checker")["section"]) <= set(answer.sections("checker"))
    with pytest.raises(KeyError):
        answer.sections("dice")


@pytest.mark.slow
def test_matches_count_as_their_files_do(club: Path) -> None:
    assert reports(stats(read("club"))) == reports(stats("club"))
    assert reports(stats(read("club")[0])) == reports(stats("club/a.mat"))


@pytest.mark.slow
def test_a_store_answers_the_same_and_can_be_queried(club: Path) -> None:
    collection = collect("club", "store")
    assert (collection.matches, collection.read, collection.unreadable) == (3, 3, ())
    assert reports(stats(store="store", report="all")) == reports(stats("club", "all"))
    assert collect(["club"], "store").unchanged == 3
    Path("club/c.mat").unlink()
    assert collect(["club"], "store").gone == 1
    assert query("SELECT count(*) AS n FROM matches", "store")["n"].tolist() == [2]
    assert collect([], "store", forget=["club"]).matches == 0


@pytest.mark.slow
def test_an_analysis_answers_as_its_database_does(club: Path) -> None:
    pytest.importorskip("bgsage")
    analysis = analyze("club/a.mat", db="club.db")
    assert stats(analysis).reports == ("errors",)
    assert reports(stats(analysis)) == reports(stats(db="club.db"))


@pytest.mark.slow
def test_days_and_names_are_chosen(club: Path) -> None:
    question = stats("club", since="2024-02", until="2024-02").answer.question
    assert (question.since, question.until) == (dt.date(2024, 2, 1), dt.date(2024, 2, 29))
    assert stats("club", until=dt.date(2024, 2, 3)).answer.question.until == dt.date(2024, 2, 3)
    assert set(stats("club", player="ANN").to_frame()["player"]) == {"Ann"}
    with pytest.raises(UnknownNameError, match="'Anna' is in none of the matches; there is 'Ann'"):
        stats("club", player="Anna")
    with pytest.raises(ValueError, match="'often' is not a day, month or year"):
        stats("club", since="often")


def test_tables_are_those_of_the_report(club: Path) -> None:
    """Ann rolled twice, and won her only game, worth a point."""
    answer = stats("club/a.mat", "points", player="Ann")
    assert repr(answer) == "<points: 1 match, 1 game, 2 rolls>"
    assert answer.reports == ("points",)
    with pytest.raises(KeyError):
        answer.sections("dice")
    games = answer.sections()["Games"]
    assert dict(zip(games["figure"], games["value"], strict=True))["points a game"] == 1
    frame = answer.to_frame()
    assert frame.columns[0] == "section"
    assert len(frame) == sum(map(len, answer.sections().values()))
    assert answer._repr_html_().startswith("<h4>Games</h4><table ")
    assert "points a game" in answer.render()
    with pytest.raises(ValueError, match="'xml'"):
        answer.render("xml")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ({"report": "chess"}, "'chess' is no report; there are points, "),
        ({"report": "wors"}, "ratings; did you mean worst or errors?"),
        ({"by": "weather"}, "'weather' is no dimension"),
        ({"store": "store"}, "give source, or one or both of store and db"),
        ({"rules": "fide"}, "'fide' is no rule book"),
    ],
)
def test_what_makes_no_sense_is_refused(club: Path, words: dict[str, str], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        stats("club", **words)  # type: ignore[arg-type]


def test_a_file_that_is_named_must_be_readable(club: Path) -> None:
    Path("club/broken.mat").write_bytes(b"\x1f\x8b broken")
    assert [one.path for one in stats("club").unreadable] == ["club/broken.mat"]
    with pytest.raises(UnreadableError, match="broken"):
        stats(["club/a.mat", "club/broken.mat"])


@pytest.mark.slow
def test_a_page_is_made_if_it_is_asked_for(club: Path) -> None:
    assert stats("club", page=True).page.startswith("<!DOCTYPE html>")
    without = stats("club")
    assert without.page == ""
    assert "<h4>Games</h4>" in without._repr_html_()
