"""`bganalyze stats --db`: statistics of analyzed matches, in every format, from an existing database."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.store import Store, default_path
from bganalyze.app.api.stats import stats
from bganalyze.app.render import ANSWER_FORMATS
from bganalyze.statistics.reports import ANALYZED_REPORTS
from tests.json_schemas import list_schema_errors
from tests.nasty import NAMES
from tests.statistics.reports.analyzed import CLEAN, Guesser, analyze_samples, analyze_text
from tests.statistics.tables.test_tables import MATCH

pytestmark = pytest.mark.slow

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A data folder of their own."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(scope="module")
def analyzed_club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The database that `club` copies."""
    path = tmp_path_factory.mktemp("analyzed") / "club.db"
    store = Store(str(path))
    for match in analyze_samples(["short-match.mat", "redoubles.mat", "money-jacoby-beavers.mat"]):
        store.add(match)
    return path


@pytest.fixture
def club(folder: Path, analyzed_club: Path) -> str:
    """A database of matches that one engine has analyzed."""
    shutil.copy(analyzed_club, "club.db")
    return "club.db"


@pytest.mark.parametrize("report", ANALYZED_REPORTS)
def test_every_report(run: Run, club: str, report: str) -> None:
    result = run("stats", "--db", club, "--report", report)
    assert result.exit_code == 0, result.output
    assert "Ada Quill" in result.output


def test_errors_are_what_is_told_if_nothing_else_is_asked(run: Run, club: str) -> None:
    output = run("stats", "--db", club).output
    assert output.startswith("Error rates (errors)")
    assert "3 matches analyzed by guesser 1 at 0ply" in output
    assert "rule_book" not in output


@pytest.mark.skipif(sys.platform != "linux", reason="the data folder lies elsewhere")
def test_what_analyze_keeps_by_itself_is_counted_where_nothing_is_named(run: Run) -> None:
    for match in analyze_samples(["short-match.mat"]):
        Store(default_path()).add(match)
    assert "Ada Quill" in run("stats", "--report", "luck").output


def test_metrics_players_and_dimensions(run: Run, club: str) -> None:
    words = ("--metric", "xg-a,mwc", "--player", "ada quill", "--by", "player,phase,opened")
    result = run("stats", "--db", club, "--format", "csv", *words)
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    rates = [row for row in rows if row["section"] == "Error rates"]
    assert {row["player"] for row in rows} == {"Ada Quill"}
    assert {row["figure"] for row in rates} == {"PR (xg-a)", "mwc (% MWC)"}
    assert {row["phase"] for row in rates} >= {"opening", "contact"}
    assert "5-2" in {row["opened"] for row in rates}


def test_a_preset_is_the_level_that_it_is_kept_under(run: Run, folder: Path) -> None:
    store = Store("club.db")
    for level in ("1ply", "1ply+2ply"):
        for match in analyze_samples(["short-match.mat"], Guesser("sage", level)):
            store.add(match)
    output = run("stats", "--db", "club.db", "--level", "standard").output
    assert "1 match analyzed by sage 1 at 1ply+2ply" in output


def test_the_worst_with_their_boards(run: Run, club: str) -> None:
    output = run("stats", "--db", club, "--report", "worst", "--most", "2").output
    assert output.count("┌─13─14") == 2
    assert "the costliest 2 of" in output
    data = json.loads(
        run("stats", "--db", club, "--report", "worst", "--most", "2", "--format", "json").stdout
    )
    assert list_schema_errors("statistics", data) == []
    [section] = data["reports"]["worst"]
    assert all(row["xgid"].startswith("XGID=") for row in section["rows"])


def test_a_page_with_plots_and_boards(run: Run, club: str) -> None:
    result = run(
        "stats", "--db", club, "--report", "all", "--html", "club.html", "--plots", "plots"
    )
    assert result.exit_code == 0, result.output
    page = Path("club.html").read_text(encoding="utf-8")
    assert page.count("<svg") >= 10
    assert "Costliest decisions" in page
    assert len(list(Path("plots").glob("*.png"))) > 5


def test_tables_as_files(run: Run, club: str) -> None:
    run("stats", "--db", club, "--out", "tables")
    names = {path.name for path in Path("tables").glob("*.csv")}
    assert names >= {"matches.csv", "games.csv", "decisions.csv", "errors-error-rates.csv"}


def test_engines_stand_apart_and_are_chosen(run: Run, club: str) -> None:
    for match in analyze_samples(["short-match.mat"], Guesser("other", "9ply")):
        Store(club).add(match)
    output = run("stats", "--db", club).output
    assert output.splitlines()[1].startswith("engine")
    assert "guesser 1 at 0ply" in output
    assert "other 1 at 9ply" in output
    for words in (("--engine", "other"), ("--level", "9ply")):
        chosen = run("stats", "--db", club, *words).output
        assert chosen.splitlines()[1].startswith("player")
        assert "counted: 1 match," in chosen
    none = run("stats", "--db", club, "--engine", "other", "--level", "0ply")
    assert none.exit_code == 2
    assert none.stderr == (
        "bganalyze: sqlite:///club.db: no such analyses;"
        " there are those of guesser 1 at 0ply, other 1 at 9ply\n"
    )


def test_the_name_of_a_level_is_that_of_the_engine(run: Run, folder: Path) -> None:
    """GNU Backgammon's quick level has other plies than Open Sage's."""
    for engine, level in (("gnubg", "0ply"), ("sage", "1ply")):
        for match in analyze_samples(["short-match.mat"], Guesser(engine, level)):
            Store("club.db").add(match)
        for words in (
            ("--engine", engine, "--level", "quick"),
            ("--level", "quick", "--engine", engine),
        ):
            said = run("stats", "--db", "club.db", *words)
            assert said.exit_code == 0, said.stderr
            assert f"{engine} 1 at {level}" in said.stdout
    assert "sage 1 at 1ply" in run("stats", "--db", "club.db", "--level", "quick").stdout


def test_levels_of_an_engine_are_counted_together(run: Run, folder: Path) -> None:
    store = Store("club.db")
    names = ["short-match.mat", "redoubles.mat", "eleven-point.mat"]
    for match in analyze_samples(names, Guesser("sage", "1ply")):
        store.add(match)
    for match in analyze_samples(names[:1], Guesser("sage", "2ply")):
        store.add(match)
    output = run("stats", "--db", "club.db").output
    assert output.splitlines()[1].startswith("player")
    assert "1 of 3 matches is analyzed at 2ply, the others at 1ply; --level counts" in output
    assert "--by engine" not in run("stats", "--db", "club.db", "--level", "1ply").output
    words = ("--report", "worst", "--most", "4", "--format", "json")
    [section] = json.loads(run("stats", "--db", "club.db", *words).stdout)["reports"]["worst"]
    losses = [row["loss"] for row in section["rows"]]
    assert losses == sorted(losses, reverse=True)
    assert len(losses) == 4
    assert {row["engine"] for row in section["rows"]} <= {"sage 1 at 1ply", "sage 1 at 2ply"}
    page = run("stats", "--db", "club.db", "--html", "club.html")
    assert page.exit_code == 0, page.output
    assert "analyzed at 2ply" in Path("club.html").read_text(encoding="utf-8")


def test_analyses_of_the_matches_of_files(run: Run, club: str) -> None:
    path = str(CLEAN / "short-match.mat")
    output = run("stats", path, "--db", club).output
    assert output.startswith("Error rates (errors)")
    assert "counted: 1 match," in output
    assert run("stats", path, "--db", club, "--report", "errors", "--level", "9ply").exit_code == 2
    other = run("stats", str(CLEAN / "eleven-point.mat"), "--db", club)
    assert other.exit_code == 2
    assert "to analyze them, run bganalyze analyze " in other.stderr
    assert "eleven-point.mat --db club.db" in other.stderr
    Store(default_path()).add(*analyze_samples(["short-match.mat"]))
    assert "counted: 1 match," in run("stats", path, "--report", "luck").output


SHORT_MATCH = """ 3 point match

 Game 1
 Ada : 0                 Bo : 0
  1) 31: 8/5 6/5          64: 24/14
  2)  Doubles => 2         Drops
      Wins 1 point
"""


def test_a_match_of_two_plays_is_counted_with_its_file(run: Run, folder: Path) -> None:
    other = SHORT_MATCH.replace("Ada", "Cy ")
    for name, text in (("short.mat", SHORT_MATCH), ("other.mat", other)):
        (folder / name).write_text(text, encoding="utf-8")
    store = Store("club.db")
    for text in (SHORT_MATCH, other):
        store.add(analyze_text(text))
    for files, matches in (["short.mat"], "1 match"), (["short.mat", "other.mat"], "2 matches"):
        result = run("stats", *files, "--db", "club.db", "--report", "errors")
        assert f"counted: {matches}" in result.output


def test_a_match_that_was_analyzed_three_times_is_counted_once(run: Run, folder: Path) -> None:
    store = Store("club.db")
    for level in ("1ply", "2ply", "1ply+2ply"):
        for match in analyze_samples(["short-match.mat"], Guesser("sage", level)):
            store.add(match)
    output = run("stats", "--db", "club.db").output
    assert "counted: 1 match," in output
    assert "1 match analyzed by sage 1 at 2ply" in output
    assert "2 evaluations of a match left out" in output


def test_nobody_is_named(run: Run, folder: Path) -> None:
    store = Store("club.db")
    store.add(analyze_text(MATCH)._replace(path="ann/ann-bob.mat"))
    words = ("--report", "all", "--anonymize", "--out", "tables", "--aliases", "aliases.toml")
    Path("aliases.toml").write_text('[players]\nAnnie = ["Ann"]\n', encoding="utf-8")
    result = run("stats", "--db", "club.db", *words)
    assert result.exit_code == 0, result.output
    tables = [path.read_text(encoding="utf-8") for path in Path("tables").glob("*.csv")]
    for text in (result.stdout, *tables):
        assert not any(name in text.lower() for name in ("ann", "bob"))
    assert "Player A" in result.stdout


def test_names_that_mean_something_elsewhere(folder: Path) -> None:
    store = Store("club.db")
    match = analyze_text(MATCH)
    for number, name in enumerate(NAMES):
        results = tuple(result._replace(left_name=name) for result in match.results)
        key = match.key._replace(content=f"{number}")
        rows = tuple(with_other_roll(row, number) for row in match.rows)
        named = match._replace(
            key=key, names=(name, "Bob"), results=results, record=f"{number}", rows=rows
        )
        assert store.add(named)
    answer = stats(db="club.db", report="all")
    for kind in ANSWER_FORMATS:
        text = answer.render(kind)
        assert "Ann" * 10 in text
        assert "\x1b" not in text


@pytest.mark.parametrize("kind", sorted(ANSWER_FORMATS.keys() - {"table"}))  # fits the screen
def test_every_format(run: Run, club: str, kind: str) -> None:
    result = run("stats", "--db", club, "--format", kind)
    assert (result.exit_code, result.stdout) == (0, stats(db=club).render(kind))


def with_other_roll(row: AnalyzedDecision, number: int) -> AnalyzedDecision:
    """Return a decision with a roll of its own for each number: with the same ones it were a copy."""
    if row.situation.dice is None:
        return row
    high, low = row.situation.dice
    other = (high + number) % 6 + 1, (low + number // 6) % 6 + 1
    return row._replace(situation=row.situation._replace(dice=other))


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((), "no PATH is given, and analyze has stored nothing at"),
        (("clean.mat", "--store", "store", "--db", "club.db"), "give either PATH or --store"),
        (("clean.mat", "--engine", "sage"), "run bganalyze analyze clean.mat, or name a database"),
        (("clean.mat", "--level", "standard"), "analyze has stored nothing at"),
        (("clean.mat", "--db", "club.db", "--engine", "gnubg"), "no such analyses of these files"),
        (("--db", "missing.db"), "missing.db: no such database"),
        (("--db", "club.db", "--report", "points"), "'points' counts files, not analyses"),
        (("clean.mat", "--report", "errors"), "analyze has stored nothing at"),
        (
            ("clean.mat", "--report", "errors,points", "--player", "A B"),
            "run bganalyze stats clean.mat --player 'A B' --report points",
        ),
        (("--db", "club.db", "--metric", "elo"), "'elo' is no metric; there are gnubg"),
        (("--db", "club.db", "--strict"), "--strict and --rules apply to files"),
        (("--db", "club.db", "--rules", "wbf"), "--strict and --rules apply to files"),
        (("--db", "letter.db"), "letter.db: file is not a database"),
    ],
)
def test_a_wrong_call(run: Run, club: str, words: tuple[str, ...], complaint: str) -> None:
    Path("letter.db").write_text("this is a letter, " * 100, encoding="utf-8")
    refused = run("stats", *words)
    assert (refused.exit_code, complaint in refused.stderr) == (2, True), refused.output
    assert refused.stderr.count("\n") == 1
    assert not Path("missing.db").exists()


def test_an_empty_database(run: Run, folder: Path) -> None:
    Store("empty.db")
    refused = run("stats", "--db", "empty.db")
    assert refused.exit_code == 2
    assert refused.stderr.endswith("it holds no analyses yet\n")


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://ann:secret@host:port/club",
        "postgresql//ann:secret@host/club",
        "postgresql:/ann:sec/ret:secret@host/club",
        "mysql://host/club?user=ann&password=secret",
    ],
)
@pytest.mark.parametrize("call", [("stats",), ("export",)])
def test_no_message_shows_a_password(run: Run, call: tuple[str, ...], address: str) -> None:
    result = run(*call, "--db", address)
    assert result.exit_code == 2
    assert "***" in result.stderr
    assert "secret" not in result.output


def test_two_conditions_are_compared(run: Run, club: str) -> None:
    asked = ("stats", "--db", club, "--report", "errors", "--by", "phase", "--metric", "gnubg")
    output = run(*asked, "--compare", "stage=money,stage=before-crawford").output
    assert "fewer than 10 matches" in output
    assert "stage=before-crawford" in output
    for wrong in (("--compare", "2023"), ("--compare", "2023,2024", "--html", "page.html")):
        assert run(*asked, *wrong).exit_code == 2
