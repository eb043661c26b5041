"""Analyses that a store keeps: written and read where no database is named, and brought by a copy."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

import bganalyze
from bganalyze.analysis.store import Store, default_path
from bganalyze.app.api.analyses import open_analyses_to_write
from bganalyze.app.cli.app import app
from tests.statistics.reports.analyzed import CLEAN, analyze_samples

pytestmark = pytest.mark.slow

Run = Callable[..., Result]

SAMPLES = ("short-match.mat", "redoubles.mat")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of two matches, with an evaluation on each."""
    folder = tmp_path_factory.mktemp("analyzed")
    (folder / "records").mkdir()
    for name in SAMPLES:
        shutil.copy(CLEAN / name, folder / "records")
    words = ["collect", str(folder / "records"), "--store", str(folder / "club"), "--workers", "1"]
    assert CliRunner().invoke(app, words).exit_code == 0
    kept = open_analyses_to_write(None, folder / "club")
    for match in analyze_samples(SAMPLES):
        assert kept.add(match)
    return folder


@pytest.fixture
def club(original: Path, folder: Path) -> Path:
    """A copy of that store, which brings its analyses."""
    return Path(shutil.copytree(original / "club", folder / "club"))


def assert_refused(result: Result, problem: str) -> None:
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.output
    assert problem in result.stderr


def test_statistics_count_them_where_their_reports_are_asked_for(run: Run, club: Path) -> None:
    asked = run("stats", "--store", club, "--report", "errors")
    assert (asked.exit_code, asked.stderr) == (0, "")
    assert "2 matches analyzed by guesser 1 at 0ply" in asked.stdout
    assert run("stats", "--store", club, "--engine", "guesser").stdout.startswith(
        asked.stdout.partition("  PR")[0]
    )
    assert "Games (points)" in run("stats", "--store", club).stdout
    assert_refused(run("stats", "--store", club, "--engine", "gnubg"), "those of guesser 1 at 0ply")
    assert_refused(run("stats", "--store", club, "--report", "luck", "--strict"), "apply to files")


def test_those_of_files_that_are_gone_are_kept_and_not_counted(run: Run, original: Path) -> None:
    records = Path(shutil.copytree(original / "records", "records"))
    run("collect", records, "--store", "other", "--workers", "1")
    shutil.copy(original / "club" / "analyses.db", "other")
    (records / "redoubles.mat").unlink()
    run("collect", "--store", "other", "--workers", "1")
    errors = ("stats", "--store", "other", "--report", "errors")
    assert "1 match analyzed by guesser" in run(*errors).stdout
    [counted] = bganalyze.analyses(store="other").matches
    assert counted.names == ("Ada Quill", "Cleo Hart")
    shutil.copy(original / "records" / "redoubles.mat", records)
    run("collect", "--store", "other", "--renew", "--workers", "1")
    assert "2 matches analyzed by guesser" in run(*errors).stdout


def test_a_database_that_is_named_comes_first(run: Run, club: Path) -> None:
    for match in analyze_samples(["short-match.mat", "money-jacoby-beavers.mat"]):
        Store("named.db").add(match)
    counted = run("stats", "--store", club, "--db", "named.db", "--report", "errors")
    assert "1 match analyzed by guesser" in counted.stdout
    Path(default_path()).parent.mkdir(parents=True)
    Path("named.db").rename(default_path())
    report = run("report", CLEAN / "money-jacoby-beavers.mat", "--store", club)
    assert "Analyzed by guesser" not in report.stdout


def test_reports_and_exports_show_them(run: Run, club: Path) -> None:
    sample = CLEAN / "redoubles.mat"
    assert "Analyzed by guesser" in run("report", sample, "--store", club).stdout
    whole = run("export", "--store", club)
    assert (whole.exit_code, "paths that only the store names are not read" in whole.stderr) == (
        0,
        True,
    )
    assert len(whole.stdout.splitlines()) > len(
        run("export", sample, "--store", club).stdout.splitlines()
    )


def test_a_page_of_statistics_tells_how_many_there_are(run: Run, club: Path) -> None:
    assert run("stats", "--store", club, "--report", "players", "--html", "a.html").exit_code == 0
    assert "2 of 2 <small>matches" in Path("a.html").read_text(encoding="utf-8")


def test_the_library_reads_and_writes_them(club: Path) -> None:
    pytest.importorskip("bgsage")
    analysis = bganalyze.analyze(CLEAN / "short-match.mat", level="1ply", store=club)
    assert bganalyze.analyses(store=club, engine="sage").matches == analysis.matches
    assert bganalyze.stats(store=club, report="errors").reports == ("errors",)
    with pytest.raises(ValueError, match="one or both of store and db"):
        bganalyze.stats("samples", store=club)


def test_analyze_keeps_them_in_the_store_and_analyzes_nothing_again(run: Run, club: Path) -> None:
    pytest.importorskip("bgsage")
    words = ("analyze", CLEAN / "short-match.mat", "--store", club, "--level", "1ply")
    assert f"1 analyzed; kept in {club}/analyses.db" in run(*words, "--workers", "1").stdout
    assert "1 kept before" in run(*words, "--workers", "1").stdout
    assert not Path(default_path()).exists()
    assert_refused(run("analyze", "clean.mat", "--store", "nowhere"), "no such store")
    assert not Path("nowhere").exists()


@pytest.mark.parametrize("renew", [(), ("--renew",)])
def test_collect_leaves_them_alone(
    run: Run, club: Path, original: Path, renew: tuple[str, ...]
) -> None:
    before = (club / "analyses.db").read_bytes()
    collected = run("collect", original / "records", "--store", club, *renew, "--workers", "1")
    assert collected.exit_code == 0
    assert (club / "analyses.db").read_bytes() == before


def test_a_store_without_them_says_what_to_do_and_is_not_given_any(run: Run, club: Path) -> None:
    (club / "analyses.db").unlink()
    refused = run("stats", "--store", club, "--report", "errors")
    assert_refused(refused, f"to make some: bganalyze analyze --store {club}")
    assert "Analyzed by guesser" not in run("report", "clean.mat", "--store", club).stdout
    assert not (club / "analyses.db").exists()


CALLS = (
    ("stats", "--report", "errors"),
    ("export", str(CLEAN / "short-match.mat")),
    ("report", str(CLEAN / "short-match.mat")),
    ("analyze", str(CLEAN / "short-match.mat"), "--engine", "recorded"),
    ("query", "SELECT count(*) FROM decisions"),
)


def assert_all_refused(run: Run, club: Path, problem: str) -> None:
    for call in CALLS:
        assert_refused(run(*call, "--store", club), problem)


@pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")
@pytest.mark.parametrize("name", ["analyses.db", "analyses.db-journal", "analyses.db-wal"])
@pytest.mark.parametrize("made", [os.symlink, lambda _, path: os.mkfifo(path)])
def test_links_and_pipes_are_refused(
    run: Run, club: Path, name: str, made: Callable[[Path, Path], None]
) -> None:
    elsewhere = Path(shutil.copy(club / "analyses.db", "elsewhere.db"))
    before = elsewhere.read_bytes()
    (club / name).unlink(missing_ok=True)
    made(elsewhere.absolute(), club / name)
    assert_all_refused(run, club, "created by bganalyze")
    assert elsewhere.read_bytes() == before


def test_a_folder_in_their_place_is_refused(run: Run, club: Path) -> None:
    (club / "analyses.db").unlink()
    (club / "analyses.db").mkdir()
    assert_all_refused(run, club, "created by bganalyze")


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("CREATE TABLE notes (note)", "not only a database of analyses: it also contains 'notes'"),
        ("CREATE VIEW v AS SELECT 1", "not only a database of analyses: it also contains 'v'"),
        (
            "DROP TABLE games; CREATE VIEW games AS SELECT 1",
            "differs from the one bganalyze creates",
        ),
        ("ALTER TABLE games DROP COLUMN winner", "written by another version of bganalyze"),
        ("UPDATE schema_version SET version = 7", "written by a newer version of bganalyze"),
    ],
)
def test_another_form_is_refused(run: Run, club: Path, statement: str, problem: str) -> None:
    with closing(sqlite3.connect(club / "analyses.db")) as other:
        other.executescript(statement)
    assert_all_refused(run, club, problem)


def test_a_damaged_file_is_one_line(run: Run, club: Path) -> None:
    path = club / "analyses.db"
    content = path.read_bytes()
    path.write_bytes(b"this is a letter" + content[16:])
    assert_all_refused(run, club, "analyses.db: file is not a database")
    path.write_bytes(content[:5000])
    assert_all_refused(run, club, "analyses.db: ")


def ask(run: Run, store: Path, sql: str) -> list[str]:
    """Return the rows of an answer, as CSV."""
    result = run("query", sql, "--store", store, "--format", "csv")
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout.splitlines()[1:]


def test_queries_see_them_with_the_match_of_the_store(run: Run, club: Path) -> None:
    sql = (
        'SELECT analyzed_matches."left" = matches."left", engine, count(*) FROM decisions'
        " JOIN analyzed_matches USING (analysis, match) JOIN matches USING (match) GROUP BY ALL"
    )
    decisions = sum(len(match.rows) for match in analyze_samples(SAMPLES))
    assert ask(run, club, sql) == [f"True,guesser,{decisions}"]
    games = sum(len(match.results) for match in analyze_samples(SAMPLES))
    assert ask(run, club, 'SELECT count(*) FROM "Analyzed_Games"') == [str(games)]
    sql = "SELECT count(*) FROM duckdb_columns() WHERE comment IS NULL AND table_name = 'decisions'"
    assert ask(run, club, sql) == ["0"]


def test_queries_see_only_those_of_matches_that_the_store_holds(run: Run, club: Path) -> None:
    [other] = analyze_samples(["money-jacoby-beavers.mat"])
    assert open_analyses_to_write(None, club).add(other)
    kept = open_analyses_to_write(None, club).list_analyses()
    assert len(kept) == 3
    assert ask(run, club, "SELECT analysis FROM analyzed_matches ORDER BY 1") == ["0", "1"]


def test_a_query_reads_them_only_if_it_names_them_and_writes_nothing(run: Run, club: Path) -> None:
    path = club / "analyses.db"
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE decisions SET cube = 'x'")
    before = path.read_bytes()
    assert ask(run, club, "SELECT count(*) FROM matches") == ["2"]
    refused = run("query", "WITH a AS (FROM decisions) SELECT 1", "--store", club)
    assert_refused(refused, "its cube is 'x'")
    assert path.read_bytes() == before
    path.unlink()
    assert ask(run, club, "SELECT count(*) FROM decisions") == ["0"]
    assert not path.exists()


def test_names_in_queries_are_those_of_players(run: Run, club: Path) -> None:
    Path("aliases.toml").write_text('[players]\n"A. Q." = ["Ada Quill"]', encoding="utf-8")
    sql = """SELECT count(*) FROM analyzed_games WHERE 'Ada Quill' IN ("left", "right")"""
    words = ("query", sql, "--store", club, "--format", "csv")
    assert run(*words).stdout.splitlines()[1] != "0"
    assert run(*words, "--aliases", "aliases.toml").stdout.splitlines()[1] == "0"
