"""`bganalyze collect` and what takes a store, as a user calls them."""

from __future__ import annotations

import csv
import inspect
import json
import os
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze import packages
from bganalyze.analysis.store import Store
from bganalyze.app.api.tabulate import tabulate
from bganalyze.app.cli.app import COMMANDS, app
from bganalyze.app.render import query
from bganalyze.statistics.store import manifest, opening
from bganalyze.statistics.store.analyzed_tables import create_analysis_tables
from bganalyze.statistics.store.query import make_views_show_players
from bganalyze.statistics.store.views import connect_to_store
from tests.app.cli.conftest import write_match_files

ROOT = Path(__file__).parent.parent.parent.parent
DOUBLES = ROOT / "samples" / "clean" / "short-match.mat"
Run = Callable[..., Result]


TOTALS = (
    "6 matches, 10 games, 1 with errors, 1 copy, 0 not complete\n"
    "with errors: ./faulty.mat\n"
    "copy: ./corrected.mat, of ./clean.mat\n"
)
"""The counts of the matches in the store of these tests, the match with errors and the copy."""

ENDLESS = "SELECT count(*) FROM range(100000000) a(i), range(100000) b(j) WHERE i * j % 7 = 3"
SPILLING = "SELECT count(*) FROM (SELECT md5(i::VARCHAR) m FROM range(200000000) t(i) ORDER BY m)"
DOUBLED = "WITH RECURSIVE a(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM a WHERE length(s) < 4e9)"


def list_shown_queries() -> list[str]:
    """Return the queries in the documentation and in the help of commands, each with its comment."""
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *DOCS)]
    blocks = re.findall(r"^```sql\n(.*?)^```$", "\n".join(pages), re.MULTILINE | re.DOTALL)
    parts = (part for block in blocks for part in re.split(r"(?<=;)\n+", block))
    calls = re.findall(r'bganalyze query "([^"]+)"', "\n".join((*pages, *HELP)))
    return list(dict.fromkeys(filter(None, (*map(str.strip, parts), *calls))))


DOCS = sorted((ROOT / "docs").rglob("*.md"))
HELP = [inspect.getdoc(resolve_name(place)) or "" for place in COMMANDS.values()]
SHOWN_QUERIES = list_shown_queries()

SOON = 120.0
"""Seconds: a machine may be busy."""


def is_under_way(temporary: Path, sql: str) -> bool:
    """Whether a query has its temporary folder, and has put something there if it must."""
    folders = list(temporary.glob("bganalyze-*"))
    return bool(folders) and (sql == "endless" or any(folders[0].glob("spill/*")))


def files_below(*folders: Path) -> dict[Path, bytes]:
    """Return the files in some folders, with what they hold."""
    paths = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {path: path.read_bytes() for path in paths}


def hostile(shard: Path) -> list[str]:
    """Return statements that would read or write a file, or change the answers to the next ones.

    The file of a shard may be read, so it is the one that might be written.
    """
    copies = [
        f"COPY (SELECT 1) TO '{path}' ({options})"
        for path in (shard, shard.parents[2] / "manifest.db", Path("new.csv"))
        for options in ("USE_TMP_FILE false", "FORMAT parquet, USE_TMP_FILE false", "FORMAT csv")
    ]
    texts = [copy.replace("'", "''") for copy in copies[:1]]
    return [
        *copies,
        *(f"WITH a AS ({copy}) FROM a" for copy in copies),
        *(f"FROM (WITH a AS MATERIALIZED ({copy}) FROM a)" for copy in copies[:2]),
        *(f"SELECT (WITH a AS ({copy}) FROM a)" for copy in copies[:1]),
        *(f"FROM query('WITH a AS ({text}) FROM a')" for text in texts),
        *(f"PREPARE p AS {copy}" for copy in copies[:1]),
        *(f"EXPLAIN {copy}" for copy in copies[:1]),
        "WITH a AS (CREATE TABLE b (c INT)) FROM a",
        "WITH a AS (INSERT INTO numbers VALUES (1, 1, 'a')) FROM a",
        "WITH a AS (DELETE FROM numbers) FROM a",
        "WITH a AS (UPDATE numbers SET match = 1) FROM a",
        "FROM query_table('faulty.mat')",
        "FROM json_execute_serialized_sql(json_serialize_sql('FROM games'))",
        "FROM read_csv('faulty.mat')",
        "FROM read_text('faulty.mat')",
        "FROM read_blob('faulty.mat')",
        "FROM read_json('faulty.mat')",
        "FROM sniff_csv('faulty.mat')",
        "FROM glob('*')",
        "FROM parquet_metadata('faulty.mat')",
        "FROM parquet_scan('faulty.mat')",
        "FROM 'faulty.mat'",
        "FROM 'clean.csv'",
        "FROM duckdb_secrets()",
        "FROM which_secret('a', 's3')",
        "FROM enable_logging(storage = 'file', storage_path = 'log')",
        "FROM enable_profiling()",
        "FROM checkpoint()",
        "FROM arrow_scan(0, 0, 0)",
        "FROM python_map_function()",
        "SELECT getenv('HOME')",
        "ATTACH 'other.db'",
        "ATTACH 'other.db' AS other; SELECT 1",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET memory_limit = '9GB'",
        "SET VARIABLE a = 1",
        "RESET memory_limit",
        "PRAGMA memory_limit = '9GB'",
        "CALL pragma_version()",
        "CREATE MACRO a() AS 1",
        "CREATE TABLE a (b INT)",
        "CREATE OR REPLACE VIEW games AS SELECT 1",
        "DROP VIEW games",
        "EXPORT DATABASE 'out'",
        "IMPORT DATABASE 'out'",
        "CHECKPOINT",
        "VACUUM",
        "BEGIN",
        "USE memory",
        "EXECUTE p",
    ]


@pytest.fixture
def store(folder: Path) -> str:
    """Make a store of the three records, a sample with several matches and a file without a match."""
    return collect_folder(Path("."), f"../{folder.name}-club")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The same for those that only ask it."""
    folder = tmp_path_factory.mktemp("records")
    write_match_files(folder)
    return collect_folder(folder, f"{tmp_path_factory.mktemp('club')}")


def collect_folder(folder: Path, store: str) -> str:
    sample = ROOT / "samples/clean/archive.zip"
    (folder / "archive.zip").write_bytes(sample.read_bytes())
    (folder / "note.txt").write_text("no record", encoding="utf-8")
    words = ["collect", str(folder), "--store", store, "--workers", "1"]
    assert CliRunner().invoke(app, words).exit_code == 0
    return store


@contextmanager
def prepare_connection(store: str) -> Iterator[Any]:
    """Connect to a store, with the tables that a query sees. Making them takes longer than a query."""
    with connect_to_store(Path(store)) as connection:
        make_views_show_players(connection, str)
        create_analysis_tables(connection)
        yield connection


def ask_through(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let queries use a prepared connection."""
    asked = "bganalyze.statistics.store.query"
    monkeypatch.setattr(f"{asked}.connect_to_store", lambda *_, **__: nullcontext(connection))
    for done in ("make_views_show_players", "create_analysis_tables"):
        monkeypatch.setattr(f"{asked}.{done}", lambda *_: None)


@pytest.fixture(scope="module")
def club_connection(club: str) -> Iterator[Any]:
    """A prepared connection for queries that only read."""
    with prepare_connection(club) as connection:
        yield connection


@pytest.fixture
def prepared_club(club_connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Queries use the prepared connection."""
    ask_through(club_connection, monkeypatch)


class TestCollect:
    @pytest.mark.slow
    def test_it_says_what_was_done(self, run: Run, store: str) -> None:
        result = run("collect", "--store", store)
        assert result.stdout == f"6 unchanged, 1 skipped; {store} holds {TOTALS}"

    @pytest.mark.slow
    def test_it_names_what_changed(self, run: Run, store: str) -> None:
        for number in range(11):
            Path(f"new-{number:02}.mat").write_bytes(Path("faulty.mat").read_bytes())
        Path("clean.mat").unlink()
        result = run("collect", "--store", store)
        head, *lines = result.stdout.splitlines()
        assert head.startswith("11 new, 5 unchanged, 1 gone, 1 skipped; ")
        assert "holds 16 matches, 20 games, 12 with errors, " in head
        names = [f"new: ./new-{number:02}.mat" for number in range(10)]
        changes = [*names, "new: 1 other file (--verbose names all)", "gone: ./clean.mat"]
        assert lines[: len(changes)] == changes
        assert len([line for line in lines if line.startswith("with errors: ./")]) == 10
        assert "with errors: 2 other matches (--verbose names all)" in lines
        assert lines[-1] == "copy: 1 other match (--verbose names all)"

    @pytest.mark.slow
    def test_the_first_run_names_bad_files_missing_results_and_copies(
        self, run: Run, folder: Path
    ) -> None:
        Path("a").mkdir()
        short = DOUBLES.read_text(encoding="utf-8")
        Path("a/full.mat").write_text(short, encoding="utf-8")
        Path("a/part.mat").write_text(short[: 4 * len(short) // 5], encoding="utf-8")
        Path("faulty.mat").rename("a/faulty.mat")
        Path("a/junk.mat").write_text("hello", encoding="utf-8")
        result = run("collect", "a", "--store", f"../{folder.name}-other")
        assert result.exit_code == 2
        head, *lines = result.stdout.splitlines()
        assert head.startswith("3 new, 1 unreadable; ")
        assert head.endswith(" 1 with errors, 1 copy, 1 not complete")
        assert lines == [
            "with errors: a/faulty.mat",
            "unreadable: a/junk.mat",
            "not complete: a/part.mat",
            "copy: a/part.mat, of a/full.mat",
        ]

    @pytest.mark.slow
    def test_verbose_names_skipped_files(self, run: Run, store: str) -> None:
        assert run("collect", "--store", store, "-v").stdout.startswith(
            "skipped: ./note.txt: no match found"
        )

    @pytest.mark.slow
    def test_what_cannot_be_read_is_told(self, run: Run, store: str) -> None:
        result = run("collect", "nowhere.mat", "--store", store)
        assert result.exit_code == 2
        assert result.stderr == "bganalyze: nowhere.mat: No such file or directory\n"
        assert run("collect", "--store", store).exit_code == 0

    @pytest.mark.slow
    def test_what_is_not_there_is_kept_until_it_is_to_be_forgotten(
        self, run: Run, folder: Path
    ) -> None:
        store = f"../{folder.name}-other"
        Path("a").mkdir()
        Path("faulty.mat").rename("a/faulty.mat")
        run("collect", "a", "clean.mat", "--store", store)
        Path("a").rename("b")
        result = run("collect", "--store", store)
        assert result.exit_code == 2
        assert "holds 2 matches" in result.stdout
        command = result.stderr.strip().partition("to remove them: bganalyze ")[2]
        ended = run(*command.split())
        assert (ended.exit_code, ended.stdout) == (
            0,
            f"1 unchanged; {store} holds 1 match, 1 game, 0 with errors, 0 copies, 0 not complete\n",
        )
        assert run("collect", "--store", store).stderr == ""

    @pytest.mark.slow
    def test_the_findings_of_a_missing_path_are_kept(self, run: Run, folder: Path) -> None:
        store = f"../{folder.name}-other"
        Path("a").mkdir()
        Path("faulty.mat").rename("a/faulty.mat")
        run("collect", "a", "--store", store)
        before = run("check", "--store", store, "--format", "jsonl")
        assert (before.exit_code, before.stdout.count("P409")) == (1, 1)
        Path("a").rename("b")
        after = run("check", "--store", store, "--format", "jsonl")
        assert (after.exit_code, after.stdout) == (1, before.stdout)
        told = "bganalyze: a: missing; these are the findings when it was collected\n"
        assert after.stderr == told
        assert run("check", "a/faulty.mat", "--store", store, "-q").stdout.startswith(
            "a/faulty.mat:"
        )
        assert run("check", "nowhere", "--store", store).exit_code == 2
        moved = run("collect", "b", "--store", store)
        assert (moved.exit_code, moved.stderr) == (0, "")
        assert moved.stdout == (
            f"1 copied or moved, 1 removed from missing paths; {store} holds 1 match, 1 game,"
            " 1 with errors, 0 copies, 0 not complete\ncopied or moved: b/faulty.mat\nwith errors: b/faulty.mat\n"
        )

    @pytest.mark.slow
    def test_a_missing_file_that_was_named_is_kept(self, run: Run, folder: Path) -> None:
        store = f"../{folder.name}-other"
        run("collect", "clean.mat", "faulty.mat", "--store", store)
        Path("faulty.mat").rename("../elsewhere.mat")
        again = run("collect", "--store", store)
        assert again.exit_code == 2
        assert f"1 unchanged, 1 unreadable; {store} holds 2 matches" in again.stdout
        assert "P409" in run("check", "--store", store).stdout

    def test_it_needs_a_store_and_files(self, run: Run, folder: Path) -> None:
        assert "name the folder of the store with --store" in run("collect", ".").stderr
        assert "Missing argument 'PATH...'" in run("collect", "--store", "new").stderr
        assert "name files" in run("collect", "-", "--store", "new").stderr
        assert not Path("new").exists()

    def test_it_takes_no_folder_of_something_else(self, run: Run, folder: Path) -> None:
        result = run("collect", "clean.mat", "--store", ".")
        assert result.stderr == "bganalyze: .: contains something else; choose a new folder\n"

    @pytest.mark.slow
    def test_another_rule_book_is_refused_and_taken_by_renew(self, run: Run, store: str) -> None:
        call = ("collect", ".", "--store", store, "--rules", "usbgf")
        refused = run(*call)
        assert (refused.exit_code, refused.stderr.count("\n")) == (2, 1)
        assert "collected by the rule book basic (" in refused.stderr
        assert ", not usbgf-2024 (" in refused.stderr
        assert run(*call, "--renew").stdout.startswith("6 read, 1 skipped")

    @pytest.mark.slow
    def test_another_version_is_refused_and_the_remedy_works(
        self, run: Run, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(opening, "identify_program", lambda: "0.2.0+other")
        monkeypatch.setattr("bganalyze.app.api.collect.identify_program", lambda: "0.2.0+other")
        for call in (("collect",), ("query", "FROM games"), ("check",)):
            refused = run(*call, "--store", store)
            assert refused.exit_code == 2
            assert "another version of bganalyze" in refused.stderr
        command = refused.stderr.strip().rpartition(": bganalyze ")[2]
        assert run(*command.split()).exit_code == 0
        assert run("check", "--store", store).exit_code == 1

    @pytest.mark.slow
    def test_a_damaged_shard_is_one_line(self, run: Run, store: str) -> None:
        path = next(Path(store, "shards").rglob("games.parquet"))
        path.write_bytes(path.read_bytes()[:-9])
        result = run("collect", "--store", store)
        assert result.stderr == f"bganalyze: {path.parent}: damaged, 7 files read again\n"
        assert result.stdout == f"6 read again, 1 skipped; {store} holds {TOTALS}"

    def test_without_the_packages_the_command_to_install_them_is_told(
        self, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(packages, "find_spec", lambda _: None)
        result = run("collect", "clean.mat", "--store", "new")
        assert result.exit_code == 2
        assert "a store needs pyarrow and duckdb: " in result.stderr
        assert '"pyarrow>=15" "duckdb>=' in result.stderr

    @pytest.mark.slow
    def test_damage_that_shows_while_a_store_is_read_is_one_line(
        self, run: Run, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def raise_damaged(*_: object) -> None:
            raise manifest.DamagedManifestError("malformed; collect anew")

        monkeypatch.setattr(manifest.Manifest, "find_stored", raise_damaged)
        result = run("check", "--store", store)
        assert (result.exit_code, result.stderr) == (2, "bganalyze: malformed; collect anew\n")

    @pytest.mark.slow
    def test_a_damaged_shard_is_not_asked(self, run: Run, store: str) -> None:
        path = next(Path(store, "shards").rglob("games.parquet"))
        content = path.read_bytes()
        path.write_bytes(content[:99] + bytes([content[99] ^ 1]) + content[100:])
        result = run("query", "FROM games", "--store", store)
        assert result.exit_code == 2
        assert result.stderr.startswith(f"bganalyze: {path.parent}: damaged; collect again: ")
        command = result.stderr.strip().rpartition(": bganalyze ")[2]
        assert run(*command.split()).exit_code == 0
        assert run("query", "FROM games", "--store", store).exit_code == 0

    @pytest.mark.slow
    def test_a_full_disk_is_one_line_and_costs_nothing(
        self, start: Callable[..., subprocess.Popen[str]], run: Run, store: str
    ) -> None:
        Path("clean.mat").write_text(Path("faulty.mat").read_text(encoding="utf-8"))

        def limit_size() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

        # Python would keep the first 2,000 bytes of what it compiles.
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        words = ["collect", "--store", store, "--workers", "1"]
        result = start(*words, env=environment, preexec_fn=limit_size)
        errors = result.communicate()[1]
        assert result.returncode == 2
        assert errors.count("\n") == 1
        assert "File too large" in errors or "disk I/O error" in errors
        assert run("query", "SELECT count(*) FROM matches", "--store", store).exit_code == 0
        assert run("collect", "--store", store).stdout.startswith("1 changed, 5 unchanged")

    @pytest.mark.slow
    def test_a_second_run_waits_and_says_so(
        self, start: Callable[..., subprocess.Popen[str]], store: str
    ) -> None:
        with closing(sqlite3.connect(Path(store, "lock.db"), isolation_level=None)) as lock:
            lock.execute("BEGIN EXCLUSIVE")
            waiting = start("collect", "--store", store)
            assert waiting.stderr is not None
            assert waiting.stderr.readline() == (
                f"bganalyze: {store}: another run is collecting; waiting until it ends\n"
            )
        assert waiting.communicate()[0] == f"6 unchanged, 1 skipped; {store} holds {TOTALS}"


def test_problems_of_new_and_changed_files_are_named_before_those_of_others(
    run: Run, folder: Path
) -> None:
    text = (folder / "faulty.mat").read_text(encoding="utf-8")
    club = folder.parent / "many"
    club.mkdir()
    for name in "bcdefghijklmn":
        (club / f"{name}.mat").write_text(text, encoding="utf-8")
    run("collect", str(club), "--store", "grown")
    (club / "z.mat").write_text(text, encoding="utf-8")
    (club / "m.mat").write_text(text.replace("Alice", "Alison"), encoding="utf-8")
    lines = run("collect", str(club), "--store", "grown").stdout.splitlines()
    named = [line for line in lines if line.startswith("with errors: ")]
    assert [Path(line).name for line in named[:3]] == ["m.mat", "z.mat", "b.mat"]
    assert named[-1] == "with errors: 4 other matches (--verbose names all)"
    copies = [line for line in lines if line.startswith("copy: ")]
    assert "z.mat, of " in copies[0]


@pytest.mark.slow
class TestCheck:
    def test_from_a_store_it_says_the_same(self, run: Run, store: str) -> None:
        for written in ("text", "json", "jsonl", "json-object", "sarif", "csv"):
            without_store = run("check", ".", "--no-cache", "--format", written, "--verbose")
            with_files = run("check", ".", "--store", store, "--format", written, "--verbose")
            by_store = run("check", "--store", store, "--format", written, "--verbose")
            assert with_files.output == by_store.output == without_store.output, written
            assert with_files.exit_code == by_store.exit_code == without_store.exit_code == 1

    @pytest.mark.slow
    def test_what_was_collected_is_not_read(
        self, run: Run, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bganalyze.app.jobs.check.check_by_all_rules", lambda *_: 1 / 0)
        assert "an internal error of bganalyze" not in run("check", "--store", store).output

    @pytest.mark.slow
    def test_what_was_not_is(self, run: Run, store: str) -> None:
        Path("new.mat").write_text(Path("faulty.mat").read_text(encoding="utf-8"))
        assert "new.mat:6:6: P409" in run("check", "--store", store).stdout


@pytest.mark.slow
class TestOtherCommands:
    def test_report_takes_the_number_of_a_match(self, run: Run, store: str) -> None:
        result = run(
            "query", "SELECT match, path FROM matches", "--store", store, "--format", "csv"
        )
        lines = result.stdout.splitlines()[1:]
        assert len(lines) == 6
        for number, path in (line.split(",") for line in (lines[1], lines[-1])):
            report = run("report", number, "--store", store, "--format", "json")
            assert json.loads(report.stdout) == json.loads(
                run("report", path, "--format", "json").stdout
            )
        assert "numbered from 0 to 5" in run("report", "6", "--store", store).stderr

    def test_export_takes_the_files_of_a_store(self, run: Run, store: str) -> None:
        Store("none.db")  # holds no analyses
        result = run("export", "--store", store, "--db", "none.db")
        assert result.stderr.startswith("bganalyze: not analyzed: match 1 of ./archive.zip!")
        assert " and 5 other matches; to analyze: bganalyze analyze --store " in result.stderr
        assert result.stderr.count("\n") == 1

    def test_query_has_copies_and_players_as_stats_has_them(self, run: Run, store: str) -> None:
        os.makedirs("again")
        Path("again", "archive.zip").write_bytes(Path("archive.zip").read_bytes())
        Path("aliases.toml").write_text('[players]\n"A. Quill" = ["Ada Quill"]', encoding="utf-8")
        run("collect", "--store", store)
        sql = "SELECT count(*) AS n FROM matches WHERE copy_of IS NOT NULL"
        assert json.loads(run("query", sql, "--store", store, "--format", "jsonl").stdout)["n"] == 4
        sql = """SELECT count(*) AS n FROM games WHERE 'A. Quill' IN ("left", "right")"""
        answer = run(
            "query", sql, "--store", store, "--format", "jsonl", "--aliases", "aliases.toml"
        )
        assert json.loads(answer.stdout)["n"] > 0


@pytest.mark.slow
class TestQuery:
    @pytest.fixture
    def store(self, club: str) -> str:
        return club

    def test_an_empty_answer_says_so(self, run: Run, store: str) -> None:
        sql = "SELECT path FROM matches WHERE length > 1000"
        assert run("query", sql, "--store", store).stdout == "path\n0 rows\n"

    def test_turns_and_doubles_have_the_columns_of_the_library(self, run: Run, store: str) -> None:
        other = f"{store}-doubles"
        run("collect", str(DOUBLES), "--store", other)
        for name in ("turns", "cubes"):
            frame = getattr(tabulate(DOUBLES), name)
            sql = f"SELECT * FROM {name} ORDER BY game, turn"
            answer = run("query", sql, "--store", other, "--format", "csv").stdout
            header, *rows = csv.reader(answer.splitlines())
            assert header == list(frame.columns)
            place = header.index("player")
            assert [row[place] for row in rows] == frame["player"].tolist() != []

    def test_names_of_columns_are_as_safe_in_a_table_of_csv_as_values(
        self, run: Run, store: str
    ) -> None:
        sql = 'SELECT 1 AS "\x1b[2J", 2 AS "=1+1"'
        result = run("query", sql, "--store", store, "--format", "csv")
        assert result.stdout == "\\x1b[2J,'=1+1\n1,2\n"

    def ask(self, run: Run, store: str, sql: str, *words: str) -> Result:
        return run("query", sql, "--store", store, *words)

    @pytest.mark.slow
    def test_nothing_is_said_at_the_end(self, store: str) -> None:
        """As a program of its own, whose objects are freed when it ends."""
        words = ["query", "SELECT count(*) FROM matches", "--store", store, "--format", "csv"]
        result = subprocess.run(
            [sys.executable, "-m", "bganalyze", *words], capture_output=True, text=True, check=True
        )
        assert result.stderr == ""
        assert result.stdout.splitlines()[1:] == ["6"]

    def test_formats(self, run: Run, store: str) -> None:
        sql = "SELECT match, length, complete, date FROM matches ORDER BY match LIMIT 2"
        assert self.ask(run, store, sql).stdout.splitlines()[0].split() == [
            "match", "length", "complete", "date",
        ]  # fmt: skip
        rows = json.loads(self.ask(run, store, sql, "--format", "json").stdout)
        lines = self.ask(run, store, sql, "--format", "jsonl").stdout.splitlines()
        assert rows == [json.loads(line) for line in lines]
        assert rows[0]["match"] == 0
        csv = self.ask(run, store, sql, "--format", "csv").stdout.splitlines()
        assert csv[0] == "match,length,complete,date"
        none = self.ask(run, store, "FROM games WHERE false", "--format", "json")
        assert json.loads(none.stdout) == []

    def test_parquet_keeps_the_types(self, run: Run, store: str) -> None:
        import pyarrow.parquet as pq

        self.ask(run, store, "FROM matches", "--format", "parquet", "--out", "m.parquet")
        assert str(pq.read_schema("m.parquet").field("date").type) == "date32[day]"

    def test_a_table_shows_no_more_than_can_be_read(
        self, run: Run, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(query, "MOST_SHOWN", 2)
        lines = self.ask(run, store, "SELECT match FROM matches").stdout.splitlines()
        assert len(lines) == 4
        assert lines[-1] == "and 4 rows more: --format csv has all"

    @pytest.mark.parametrize(
        ("sql", "problem"),
        [
            ("SELEC 1", "Parser Error: syntax error"),
            ("SELECT left FROM games", 'in double quotes, such as "left"'),
            ("SELECT nothing FROM games", 'column "nothing" not found'),
            ("FROM players", "the table players does not exist; there are matches, games,"),
            ("SELECT 1; SELECT 2", "a single SELECT"),
            ("", "a single SELECT"),
            ("DROP VIEW games", "a single SELECT"),
            ("COPY games TO 'games.csv'", "a single SELECT"),
            ("ATTACH 'other.db'", "a single SELECT"),
            ("FROM read_csv('faulty.mat')", "read_csv() is not allowed"),
            ("FROM 'faulty.mat'", "faulty.mat"),
            ("SET memory_limit = '9GB'", "a single SELECT"),
            ("SELECT 'a'::INT", "Conversion Error"),
        ],
    )
    @pytest.mark.usefixtures("prepared_club")
    def test_a_mistake_is_one_line(self, run: Run, store: str, sql: str, problem: str) -> None:
        result = self.ask(run, store, sql)
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert problem in result.stderr

    @pytest.mark.parametrize(
        "sql",
        [
            "SELECT list(range) FROM range(3000000)",
            "SELECT length(repeat('x', 2000000000))",
            "SELECT 1 WHERE lpad('x', 1000000000, '\U0001f600') LIKE '%z'",
            "SELECT string_agg(repeat('x', 100), '') FROM range(20000000)",
            f"{DOUBLED} SELECT max(length(s)) FROM a",
        ],
    )
    def test_too_much_memory_is_one_line(
        self, run: Run, store: str, sql: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bganalyze.statistics.store.query.MARGIN", 1 << 27)  # soon reached
        result = self.ask(run, store, sql, "--memory", "20MB")
        assert result.exit_code == 2
        assert result.stderr.count("\n") == 1
        assert "the query ran out of memory; --memory" in result.stderr

    def test_it_changes_nothing_and_reads_nothing_else(
        self, run: Run, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = files_below(Path(store), tmp_path)
        statements = hostile(next(Path(store).rglob("games.parquet")))
        with prepare_connection(store) as connection:  # once for all: they must not change it
            ask_through(connection, monkeypatch)
            for statement in (*statements, *(f"EXPLAIN ANALYZE {text}" for text in statements)):
                result = self.ask(run, store, statement)
                assert result.exit_code == 2
                assert result.stderr.count("\n") == 1
                assert "Alice" not in result.output
            assert self.ask(run, store, "FROM games").exit_code == 0
        assert files_below(Path(store), tmp_path) == before

    @pytest.mark.parametrize(
        "sql",
        [
            *("EXPLAIN FROM games", "explain analyze FROM games", "EXPLAIN (FORMAT json) SELECT 1"),
            *("DESCRIBE games", "SHOW TABLES", "SUMMARIZE games", "VALUES (1)", "FROM range(3)"),
            *("WITH a AS (FROM games) FROM a", "SELECT 1 UNION SELECT 2", "SELECT unnest([1, 2])"),
            "WITH RECURSIVE a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a WHERE n < 3) FROM a",
        ],
    )
    @pytest.mark.usefixtures("prepared_club")
    def test_what_only_reads_is_answered(self, run: Run, store: str, sql: str) -> None:
        result = self.ask(run, store, sql)
        assert (result.exit_code, result.stderr) == (0, "")

    def test_its_limits(self, run: Run, store: str) -> None:
        result = self.ask(run, store, ENDLESS, "--timeout", "0.5")
        assert result.exit_code == 2
        assert result.stderr == (
            "bganalyze: the query took longer than 0.5 s; --timeout sets another limit\n"
        )
        some = "SELECT i FROM range(10000000000) t(i) WHERE hash(i) % 50 = 0"  # read piece by piece
        rows = self.ask(run, store, some, "--timeout", "0.5", "--format", "csv")
        assert "the query took longer than 0.5 s" in rows.stderr
        assert self.ask(run, store, "SELECT 1", "--timeout", "0").exit_code == 0
        for size in ("much", "-1GB", "1", "0MB", "1GB'; COPY", "9999999999GB"):
            result = self.ask(run, store, "SELECT 1", "--memory", size)
            assert result.exit_code == 2
            assert "is not an amount of memory such as 500MB or 4GB" in result.stderr

    @pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
    @pytest.mark.parametrize(
        ("number", "sql"),
        [
            (signal.SIGINT, "spilling"),
            (signal.SIGTERM, "endless"),
            (signal.SIGHUP, "spilling"),
        ],
    )
    def test_a_signal_ends_it_and_nothing_is_left(
        self,
        start: Callable[..., subprocess.Popen[str]],
        store: str,
        tmp_path: Path,
        number: int,
        sql: str,
    ) -> None:
        temporary, here = tmp_path / "temporary", tmp_path / "here"
        temporary.mkdir()
        here.mkdir()
        words = ["query", ENDLESS if sql == "endless" else SPILLING, "--store", store]
        environment = {**os.environ, "TMPDIR": str(temporary)}
        with start(*words, "--memory", "100MB", env=environment, cwd=here) as running:
            deadline = time.monotonic() + SOON
            while not is_under_way(temporary, sql) and time.monotonic() < deadline:
                time.sleep(0.1)
            running.send_signal(number)
            _, errors = running.communicate(timeout=SOON)
        assert (running.returncode, errors) == (128 + number, "bganalyze: interrupted\n")
        assert not list(temporary.iterdir())
        assert not list(here.iterdir())

    def test_columns_and_tables_say_what_they_are(self, run: Run, store: str) -> None:
        sql = "SELECT table_name, column_name FROM duckdb_columns() WHERE comment IS NULL AND table_name IN ('matches', 'games', 'turns', 'cubes', 'findings', 'copies')"
        assert self.ask(run, store, sql, "--format", "json").stdout == "[]\n"
        sql = "SELECT comment FROM duckdb_views() WHERE view_name = 'games'"
        assert "One row for each game." in self.ask(run, store, sql).stdout
        sql = "SELECT table_comment FROM information_schema.tables WHERE table_name = 'copies'"
        assert json.loads(self.ask(run, store, sql, "--format", "json").stdout)[0]["TABLE_COMMENT"]

    def test_what_is_refused_waits_for_no_table(
        self, run: Run, store: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(
            "bganalyze.statistics.store.query.make_views_show_players", lambda *_: 1 / 0
        )
        assert "a single SELECT" in self.ask(run, store, "DROP VIEW games").stderr

    def test_only_documented_tables_are_listed(self, run: Run, store: str) -> None:
        listed = json.loads(self.ask(run, store, "show tables;", "--format", "json").stdout)
        assert {row["name"] for row in listed} == {
            *("matches", "games", "turns", "cubes", "findings", "copies"),
            *("analyzed_matches", "analyzed_games", "decisions"),
        }

    def test_a_finding_has_its_message(self, run: Run, store: str) -> None:
        sql = "SELECT message FROM findings WHERE code = 'P409' LIMIT 1"
        (row,) = json.loads(self.ask(run, store, sql, "--format", "json").stdout)
        assert row == {"message": "not all of 4-2 is played, but more can be played and must be"}

    def test_a_query_may_begin_with_a_comment(self, run: Run, store: str) -> None:
        result = self.ask(run, store, "-- How many?\nSELECT count(*) AS n FROM matches")
        assert result.stdout.split() == ["n", "6"]

    @pytest.mark.parametrize("sql", SHOWN_QUERIES)
    @pytest.mark.usefixtures("prepared_club")
    def test_the_queries_that_are_shown(self, run: Run, store: str, sql: str) -> None:
        result = self.ask(run, store, sql)
        assert (result.exit_code, result.stderr) == (0, "")


def test_clean(run: Run, folder: Path) -> None:
    assert "there is no cache" in run("clean").stderr
    run("check", "clean.mat")
    assert run("clean").stderr.startswith("bganalyze: removed ") is False
    assert run("check", "clean.mat", "--no-cache").exit_code == 0


def test_a_store_and_a_query_have_to_be_text(run: Run, folder: Path) -> None:
    bytes_of_no_text = os.fsdecode(b"a\xff")
    for words in (
        ("collect", "clean.mat", "--store", bytes_of_no_text),
        ("stats", "--store", bytes_of_no_text),
        ("query", bytes_of_no_text, "--store", "club"),
    ):
        refused = run(*words)
        assert (refused.exit_code, "not text in UTF-8" in refused.stderr) == (2, True)
    assert not (folder / bytes_of_no_text).exists()
    read = run("query", "-", "--store", "club", input=b"SELECT '\xff'")
    assert (read.exit_code, "not text in UTF-8" in read.stderr) == (2, True)


@pytest.mark.slow
def test_a_query_says_if_the_files_are_newer_than_the_store(run: Run, store: str) -> None:
    call = ("query", "SELECT count(*) FROM matches", "--store", store, "--format", "csv")
    assert run(*call).stderr == ""
    Path("clean.mat").unlink()
    asked = run(*call)
    assert asked.stdout.split() == run(*call).stdout.split()
    assert asked.stderr.count("\n") == 1
    assert asked.stderr.endswith(
        f"clean.mat: changed, new or gone since the store was collected; to update: bganalyze collect --store {store}\n"
    )
    run("collect", "--store", store)
    assert run(*call).stderr == ""
