"""Kept results: all of a match or nothing, once, and one clear line where it cannot be."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.analysis import store as store_module
from bganalyze.analysis.analyzed import GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import (
    Candidate,
    Chances,
    CubeEvaluation,
    Evaluation,
    PlayEvaluation,
    PlayingOn,
)
from bganalyze.analysis.match import AnalyzedMatch, Key
from bganalyze.analysis.store import SCHEMA, Store, default_path, open_existing
from bganalyze.analysis.store_error import StoreError
from bganalyze.board.position import start_position
from bganalyze.files.databases import PATIENCE, DatabaseFile
from bganalyze.record.json_records import MOST
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube, play

KEY = Key("abc", "sage", "2.0", "1ply")
MATCH = AnalyzedMatch(
    key=KEY,
    path="a.mat",
    number=1,
    names=("Ann", "Bob"),
    length=5,
    rows=(play(0.1, luck=-0.25), cube(Kind.TAKE, 0.5, 0.7), play(None, legal=None)),
    results=(
        GameResult(1, 5, 0, 0, False, 0, 2, "Ann", "Bob"),
        GameResult(2, 5, 2, 0, False, None, None),
    ),
    record="def",
    date=dt.date(2024, 7, 27),
    site="Club",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "kept" / "a.db"


def test_what_is_kept_comes_back(path: Path) -> None:
    assert Store(str(path)).add(MATCH)
    reopened = Store(str(path))
    assert reopened.find(KEY) == MATCH
    assert list(reopened.matches()) == [MATCH]


def test_positions_with_large_scores_and_cubes_come_back(path: Path) -> None:
    row = MATCH.rows[0]
    large = row.situation._replace(scores=(1_000_000, 0), cube_value=1 << 20)
    match = MATCH._replace(rows=(row._replace(situation=large),))
    Store(str(path)).add(match)
    assert open_existing(str(path)).find(KEY) == match


@pytest.mark.parametrize("xgid", ["", "XGID=", "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5"])
def test_a_position_that_is_no_xgid_is_one_line(path: Path, xgid: str) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE decisions SET xgid = ?", (xgid,))
    with pytest.raises(
        StoreError, match=r"a\.db: decisions, match 1, position 0: its position is "
    ):
        open_existing(str(path)).find(KEY)


def test_a_match_is_kept_once_for_each_engine_version_and_level(path: Path) -> None:
    matches = Store(str(path))
    other_keys = [
        KEY._replace(engine="gnubg"),
        KEY._replace(version="3"),
        KEY._replace(level="2ply"),
    ]
    assert [matches.add(MATCH._replace(key=key)) for key in (KEY, *other_keys, KEY)] == [
        *[True] * 4,
        False,
    ]
    assert [match.key for match in matches.matches()] == [KEY, *other_keys]


def test_what_is_analyzed_of_a_match_is_kept_until_it_is_analyzed_to_the_end(path: Path) -> None:
    store, match = Store(str(path)), MATCH
    other = match.key._replace(level="other")
    left = start_position("standard")
    best = Candidate(left, 0.25, Chances(0.5, 0.25, 0.125, 0.25, 0.0625))
    evaluations: dict[int, Evaluation | None] = {
        0: PlayEvaluation((best, Candidate(left, 0.1)), best, -0.5, alike=True),
        1: CubeEvaluation(0.5, 0.75, 1.0, best.chances),
        2: PlayingOn(-0.5),
        3: None,
    }
    assert store.find_partial(match.key) == {}
    store.add_part_of_analysis(match.key, {0: evaluations[0], 1: evaluations[1]})
    store.add_part_of_analysis(match.key, {2: evaluations[2], 3: evaluations[3]})
    store.add_part_of_analysis(match.key, {3: evaluations[3]})  # Another run has been slower.
    store.add_part_of_analysis(other, {0: None})
    assert store.find_partial(match.key) == evaluations
    store.add(match)
    assert (store.find_partial(match.key), store.find_partial(other)) == ({}, {0: None})
    store.add_part_of_analysis(
        match.key, {0: evaluations[0]}
    )  # Another run has been slower, and now has all.
    assert not store.add(match)
    assert (store.find_partial(match.key), store.find_partial(other)) == ({}, {0: None})


def find_nothing_at_first(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a store overlook once what another run is about to keep."""
    at_first, find = iter([None]), store.find
    monkeypatch.setattr(store, "find", lambda key: next(at_first, find(key)))


def test_two_runs_at_once_keep_it_once(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = Store(str(path)), Store(str(path))
    find_nothing_at_first(second, monkeypatch)
    assert (first.add(MATCH), second.add(MATCH)) == (True, False)
    assert len(list(first.matches())) == 1


def test_a_match_that_the_database_refuses_is_not_taken_for_kept(path: Path) -> None:
    matches = Store(str(path))
    lengthless: Any = None
    with pytest.raises(StoreError, match=r"a\.db: NOT NULL constraint failed: matches\.length$"):
        matches.add(MATCH._replace(length=lengthless))
    with pytest.raises(StoreError, match=r"a\.db: Python int too large"):
        matches.add(MATCH._replace(length=10**20))
    assert list(matches.matches()) == []


def test_a_match_that_fails_half_way_is_not_kept(path: Path) -> None:
    matches = Store(str(path))
    unstorable: Any = object()
    with pytest.raises(StoreError):
        matches.add(MATCH._replace(rows=(play(0.1), play(0.1)._replace(best=unstorable))))
    assert list(matches.matches()) == []
    assert matches.add(MATCH)


@pytest.mark.slow
@given(st.floats(-MOST, MOST), st.text(max_size=20))
def test_numbers_and_names_come_back_as_they_were(number: float, name: str) -> None:
    matches = Store("sqlite://")
    row = play(0.1)._replace(best=number)
    name = name.replace("\0", "")
    result = MATCH.results[0]._replace(left_name=name)
    match = MATCH._replace(rows=(row,), names=(name, "Bob"), results=(result,), site=name)
    matches.add(match)
    stored_match = matches.find(KEY)
    assert stored_match is not None
    assert stored_match.rows[0].best == number
    stored = name.encode("utf-8", "backslashreplace").decode()
    assert (stored_match.names[0], stored_match.results[0].left_name, stored_match.site) == (
        stored,
    ) * 3


def test_a_locked_database_is_one_clear_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "PATIENCE", 0.1)
    matches = Store(str(path))
    with sqlite3.connect(path, isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=r"a\.db: database is locked$"):
            matches.add(MATCH)
        other.execute("ROLLBACK")
    other.close()
    assert matches.add(MATCH)


@pytest.mark.slow
def test_a_locked_database_is_waited_for(path: Path) -> None:
    matches = Store(str(path))
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN EXCLUSIVE")
        freed = threading.Timer(0.3, other.execute, ("ROLLBACK",))
        freed.start()
        assert matches.add(MATCH)
        freed.join()


@pytest.mark.slow
@pytest.mark.usefixtures("heeded_signals")
def test_nobody_waits_for_a_locked_database_who_was_interrupted(path: Path) -> None:
    matches = Store(str(path))
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        start = time.monotonic()
        timer = threading.Timer(0.3, signal.raise_signal, (signal.SIGINT,))

        def add() -> None:
            timer.start()
            matches.add(MATCH)

        with pytest.raises(KeyboardInterrupt):
            add()
        assert time.monotonic() - start < PATIENCE / 2
        timer.join()


def test_a_file_that_is_no_database(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("this is a letter, " * 100, encoding="utf-8")
    with pytest.raises(StoreError, match=r"a\.db: file is not a database"):
        Store(str(path))


def test_a_database_of_another_version_is_one_clear_line(path: Path) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other:
        other.execute("ALTER TABLE decisions DROP COLUMN phase")
    with pytest.raises(
        StoreError, match=r"a\.db: written by another version of bganalyze; analyze into"
    ):
        Store(str(path))


@pytest.mark.parametrize(
    "missing", [("depth",), ("plays", "chances"), ("depth", "plays", "chances")]
)
def test_a_database_of_before_is_given_the_columns_it_lacks(
    path: Path, missing: tuple[str, ...]
) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other:
        for column in missing:
            other.execute(f"ALTER TABLE decisions DROP COLUMN {column}")
    reopened = Store(str(path))
    assert reopened.find(KEY) == MATCH
    added = {"depth": "3ply", "plays": "8/5 6/5=*0.5,0.5,0,0,0,0", "chances": "1,0,0.25,0,0"}
    deep = MATCH._replace(
        key=KEY._replace(level="2ply"), rows=tuple(row._replace(**added) for row in MATCH.rows)
    )
    assert reopened.add(deep)
    assert Store(str(path)).find(deep.key) == deep


def set_version(path: Path, version: object) -> None:
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE schema_version SET version = ?", (version,))


def test_a_database_has_the_version_of_its_schema(path: Path) -> None:
    Store(str(path))
    Store(str(path))
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT version FROM schema_version").fetchall() == [(SCHEMA,)]


def test_a_database_of_a_newer_schema_is_refused_with_one_line(path: Path) -> None:
    Store(str(path)).add(MATCH)
    set_version(path, SCHEMA + 1)
    complaint = (
        r"a\.db: written by a newer version of bganalyze, in schema 2; this version reads schema 1$"
    )
    for open_it in (Store, open_existing):
        with pytest.raises(StoreError, match=complaint):
            open_it(str(path))


def test_a_version_that_is_no_number_is_of_another_version(path: Path) -> None:
    Store(str(path))
    set_version(path, "next")
    with pytest.raises(StoreError, match=r"a\.db: written by another version"):
        Store(str(path))


def test_a_database_from_before_there_were_versions_is_read_and_written(path: Path) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE schema_version")
    old = Store(str(path))
    assert list(old.matches()) == [MATCH]
    assert old.add(MATCH._replace(key=KEY._replace(level="2ply")))
    assert old.find(KEY) == MATCH


def test_a_kind_of_decision_that_is_not_known_is_of_another_version(path: Path) -> None:
    matches = Store(str(path))
    matches.add(MATCH)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE decisions SET kind = 'guess'")
    words = (
        r"a\.db: decisions, match 1, position 0: its kind is 'guess': written by another version"
    )
    with pytest.raises(StoreError, match=words):
        list(matches.matches())


WRONG: tuple[Any, ...] = (*("x", b"\xff", -1, float("inf"), "[" * 100_000, "9839-01-01", None),)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A database with a match and an analysis that was begun."""
    path = tmp_path_factory.mktemp("whole") / "a.db"
    matches = Store(str(path))
    matches.add(MATCH)
    matches.add_part_of_analysis(KEY._replace(level="2ply"), {0: PlayingOn(0.5)})
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
@pytest.mark.parametrize("table", ["matches", "games", "decisions", "begun", "schema_version"])
def test_any_value_in_any_column_is_one_line(
    path: Path, whole: bytes, table: str, value: Any
) -> None:
    lines, seen = list[str](), [[MATCH]]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(whole)
    with closing(sqlite3.connect(path)) as kept:
        columns = [column for _, column, *_ in kept.execute(f"PRAGMA table_info({table})")]
    for column in columns:
        path.write_bytes(whole)
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as other, other:
            other.execute(f'UPDATE {table} SET "{column}" = ?', (value,))
        try:
            reopened = open_existing(str(path))
            analyzed = list(reopened.matches())
            reopened.find_partial(KEY._replace(level="2ply"))
            reopened.list_analyses()
        except StoreError as error:
            lines.append(str(error))
        else:
            json.dumps(analyzed, allow_nan=False, default=str)
            if analyzed not in seen:
                seen.append(analyzed)
                tabulate_analyzed(analyzed)
    assert all("a.db" in line and "\n" not in line for line in lines)


def test_a_play_has_dice(path: Path) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("UPDATE decisions SET dice = NULL")
    with pytest.raises(StoreError, match="position 0: a play without dice"):
        list(open_existing(str(path)).matches())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("DELETE FROM games WHERE game = 1", "game 1 is not among the games"),
        ("UPDATE games SET match_id = 9", "game 1 is not among the games"),
        ("UPDATE games SET game = 1", "a game is listed twice"),
        ("UPDATE decisions SET game = 77", "game 77 is not among the games"),
    ],
)
def test_decisions_have_their_games(path: Path, change: str, words: str) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(change)
    with pytest.raises(StoreError, match=f"decisions, match 1: {words}"):
        list(open_existing(str(path)).matches())


def test_a_kept_evaluation_that_cannot_be_read_is_made_anew(path: Path) -> None:
    matches = Store(str(path))
    for evaluation in (
        '["PlayingOn", NaN]',
        '["PlayingOn", "x"]',
        '["PlayingOn", 1e999]',
        "[1]",
        "{",
    ):
        matches.add_part_of_analysis(KEY, {0: PlayingOn(0.5), 1: PlayingOn(0.25)})
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE begun SET evaluation = ? WHERE position = 0", (evaluation,))
        assert matches.find_partial(KEY) == {1: PlayingOn(0.25)}


def test_reading_makes_no_database(path: Path) -> None:
    with pytest.raises(StoreError, match=r"a\.db: no such database"):
        open_existing(str(path))
    assert not path.exists()
    Store(str(path)).add(MATCH)
    assert list(open_existing(str(path)).matches()) == [MATCH]


@pytest.mark.parametrize("address", ["sqlite:///{}", "sqlite:///file:{}?mode=rwc&uri=true"])
def test_reading_by_an_address_makes_no_database(path: Path, address: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with pytest.raises(StoreError, match="no such database"):
        open_existing(address.format(path))
    assert not path.exists()


def test_reading_writes_nothing_to_a_database_of_another_program(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    with closing(sqlite3.connect(path)) as other, other:
        other.execute("CREATE TABLE notes (note)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"a\.db: no analyses stored yet"):
        open_existing(str(path))
    assert path.read_bytes() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE games; CREATE VIEW Games AS SELECT * FROM decisions",
        "CREATE TRIGGER t AFTER INSERT ON matches BEGIN DELETE FROM decisions; END",
        "CREATE INDEX i ON decisions (abs(length))",
        "ALTER TABLE matches ADD COLUMN more GENERATED ALWAYS AS (length + 1)",
        "ALTER TABLE matches ADD COLUMN more INTEGER CHECK (more < 5)",
    ],
)
def test_a_table_that_computes_something_is_refused(path: Path, statement: str) -> None:
    Store(str(path)).add(MATCH)
    with closing(sqlite3.connect(path)) as other:
        other.executescript(statement)
    for open_it in (Store, open_existing):
        for address in (str(path), DatabaseFile(path)):
            with pytest.raises(
                StoreError, match=r"a\.db: .* differs from the one bganalyze creates"
            ):
                open_it(address)


def test_a_database_of_a_run_that_was_killed_says_what_to_do(path: Path) -> None:
    Store(str(path)).add(MATCH)
    writing = (
        "import os, sqlite3, sys; other = sqlite3.connect(sys.argv[1]);"
        "other.execute('PRAGMA cache_size = 2');"
        "many = [(n + 2, f'{n:099}') for n in range(2000)];"
        "sql = \"INSERT INTO matches VALUES (?, ?, '', '', '', '', 1, '', '', 1, '', NULL, NULL)\";"
        "other.executemany(sql, many); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", writing, path], check=True)
    with pytest.raises(StoreError, match=r"a\.db: .* was killed; repeat that run$"):
        open_existing(DatabaseFile(path))
    assert list(Store(DatabaseFile(path, "rw")).matches()) == [MATCH]
    assert list(open_existing(DatabaseFile(path)).matches()) == [MATCH]


def test_a_read_only_database_can_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(str(path)).add(MATCH)
    monkeypatch.chdir(path.parent)
    readable = Store(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert readable.find(KEY) == MATCH
    with pytest.raises(StoreError, match="attempt to write a readonly database"):
        readable.add(MATCH._replace(key=KEY._replace(level="9ply")))
    assert list(Path().iterdir()) == [Path("a.db")]


def test_a_full_disk_is_one_clear_line(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def on_a_small_disk(*address: Any, **options: Any) -> Any:
        engine = sqlalchemy.create_engine(*address, **options)
        sqlalchemy.event.listen(engine, "connect", limit_pages)
        return engine

    def limit_pages(connection: Any, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 20")

    monkeypatch.setattr(store_module, "create_engine", on_a_small_disk)
    matches = Store(str(path))
    long_match = MATCH._replace(rows=tuple(play(0.1) for _ in range(2000)))
    with pytest.raises(StoreError, match=r"database or disk is full$"):
        matches.add(long_match)
    assert list(matches.matches()) == []
    assert matches.add(MATCH)


@pytest.mark.parametrize(
    ("address", "complaint"),
    [
        ("nonsense://x", "a database is SQLite or PostgreSQL"),
        ("mysql://x/y", "a database is SQLite or PostgreSQL"),
        ("postgresql://host:port/x", "not the address of a database"),
        ("postgresql://ann:secret@host:port/x", r"^postgresql://ann:\*\*\*@host:port/x: not"),
        ("sqlite:/x://", "not the address of a database"),
        ("/proc/kept/a.db", "/proc/kept/a.db: "),
    ],
)
def test_an_address_that_leads_nowhere(address: str, complaint: str) -> None:
    with pytest.raises(StoreError, match=complaint):
        Store(address)


def test_another_driver_that_is_missing_is_told_with_the_one_there_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg2", None)
    with pytest.raises(
        StoreError, match=r"psycopg2 is not installed: begin .* postgresql\+psycopg"
    ):
        Store("postgresql+psycopg2://host/club")


def test_the_default_lies_in_the_folder_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_path().endswith(os.path.join("bganalyze", "analyzed.db"))
