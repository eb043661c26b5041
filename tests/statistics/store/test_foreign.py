"""A store from somebody else is data: whatever it holds, it reads, writes and contacts nothing else."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.cli.app import app
from bganalyze.files import remote
from bganalyze.statistics.store import manifest as manifest_of_store
from bganalyze.statistics.store import own_stores, upkeep
from bganalyze.statistics.store.allowed_names import require_only_store_files
from bganalyze.statistics.store.manifest import MatchStoreError
from bganalyze.statistics.store.opening import open_store
from bganalyze.statistics.store.validity import VALUES
from bganalyze.validation.findings import Finding
from tests.statistics.store.kept import contents, write_record

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX"),
]

COMMANDS = (
    ("stats", "--report", "players"),
    ("query", "SELECT count(*) FROM games"),
    ("check", "-q"),
    ("collect", "-q"),
)


def run(*words: object) -> Result:
    return CliRunner().invoke(app, list(map(str, words)))


def assert_refused(result: Result, problem: str = "") -> None:
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "a fault" not in result.stderr
    assert problem in result.stderr


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("foreign")
    for name in ("a.mat", "b.mat"):
        write_record(folder / "records" / name, name)
    (folder / "records" / "note.txt").write_text("no record", encoding="utf-8")
    assert run("collect", folder / "records", "--store", folder / "club", "-q").exit_code == 0
    return folder / "club"


@pytest.fixture
def store(original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A store that is taken for one collected here, so that its paths are read again."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(manifest_of_store, "identify_store", lambda _: b"here")
    folder = Path(shutil.copytree(original, tmp_path / "club"))
    enter(folder, "UPDATE roots SET origin = X'68657265'")
    return folder


@pytest.fixture
def victim(tmp_path: Path) -> Iterator[Path]:
    """A folder elsewhere, which is the same afterwards."""
    folder = tmp_path / "victim"
    (folder / "sums").mkdir(parents=True)
    (folder / "sums" / "plays.parquet").write_text("precious", encoding="utf-8")
    before = files_in(folder)
    yield folder
    assert files_in(folder) == before


def files_in(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def enter(store: Path, *statements: str, values: tuple[object, ...] = ()) -> None:
    with closing(sqlite3.connect(store / "manifest.db", isolation_level=None)) as manifest:
        for statement in statements:
            manifest.execute(statement, values)


def files_of_shard(store: Path) -> dict[str, list[object]]:
    with closing(sqlite3.connect(store / "manifest.db")) as manifest:
        ((files,),) = manifest.execute("SELECT files FROM shards").fetchall()
    return dict(json.loads(files))


def enter_files(store: Path, files: object) -> None:
    enter(store, "UPDATE shards SET files = ?", values=(json.dumps(files),))


def enter_content(store: Path, name: str) -> None:
    """Enter a file of the shard as it is now, as whoever changed it would."""
    content = (store / "shards" / "000001" / name).read_bytes()
    digest = hashlib.blake2b(content, digest_size=16).hexdigest()
    enter_files(store, {**files_of_shard(store), name: [len(content), digest]})


WRONG = (-5, (1 << 63) - 1, 1.5, "x", "[" * 100_000, b"\xff\x00", b"", None)
FOR_ALL = ("x",)
"""Values that all commands are tried with: each of them opens a store in the same way."""


@pytest.mark.parametrize("place", [f"{t}.{c}" for t, columns in VALUES.items() for c in columns])
def test_a_wrong_value_in_a_manifest_is_one_line(store: Path, place: str, original: Path) -> None:
    table, _, column = place.partition(".")
    for wrong in WRONG:
        shutil.copy(original / "manifest.db", store)
        enter(store, "UPDATE roots SET origin = X'68657265'")
        try:
            enter(store, f"UPDATE {table} SET {column} = ?", values=(wrong,))
        except sqlite3.Error:
            continue  # SQLite itself refuses it.
        for command in COMMANDS if wrong in FOR_ALL else COMMANDS[:1]:
            result = run(*command, "--store", store)
            assert result.exit_code in (0, 2)
            if result.exit_code == 2:
                assert_refused(result, "club")


@pytest.mark.parametrize(
    "statement",
    [
        "DROP TABLE files",
        "DELETE FROM about",
        "INSERT INTO about SELECT * FROM about",
        "CREATE TRIGGER t AFTER UPDATE ON about BEGIN DELETE FROM kept; END",
        "CREATE VIEW other AS SELECT 1",
        "CREATE TABLE other (a)",
        "UPDATE kept SET shard = 77",
        "UPDATE kept SET first = (SELECT min(first) FROM kept)",
        "UPDATE kept SET matches = 30000000",
        "UPDATE roots SET place = CAST('club' AS BLOB)",
        "UPDATE files SET rest = CAST('http://a' AS BLOB) WHERE rest = (SELECT min(rest) FROM files)",
        "PRAGMA journal_mode = wal",
    ],
)
def test_a_manifest_of_another_form_is_one_line(store: Path, statement: str) -> None:
    enter(store, statement)
    for command in COMMANDS:
        assert_refused(run(*command, "--store", store), "not created by bganalyze")


@pytest.mark.parametrize(
    "outcome",
    [
        "[1,2]", "null", "{}", '["\\ud800",false]', '["why",1]', "[" * 200_000,
        '[["p",[],[],1],3,[],[],[],[]]',
        '[["p",[],[],1],[["",-1,0,0,"P401","n","error","m",1]],[],[],[],[]]',
        '[["p",[],[],1],[],[7],[],[],[]]',
    ],
)  # fmt: skip
def test_an_outcome_of_another_form_is_as_good_as_none(store: Path, outcome: str) -> None:
    enter(store, "UPDATE kept SET outcome = ?", values=(outcome,))
    result = run("check", "--store", store)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_finding_of_an_unknown_rule_is_shown(store: Path) -> None:
    finding = ["", 1, 1, 2, "Z999", "other", "error", "else", 1]
    finding += list(Finding._field_defaults.values())
    outcome = json.dumps([["p", [], [], 1], [finding], [], [], [], [], [], []])
    enter(store, "UPDATE kept SET outcome = ?", values=(outcome,))
    for written in ("text", "json", "sarif", "csv"):
        result = run("check", "--store", store, "--format", written)
        assert (result.exit_code, "Z999" in result.stdout) == (1, True)


def test_a_view_without_end_in_place_of_a_table_is_not_asked(store: Path) -> None:
    endless = (
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS root FROM c"
    )
    enter(store, "DROP TABLE roots", f"CREATE VIEW roots AS {endless}")
    with pytest.raises(MatchStoreError, match="tables"):
        open_store(store)


@pytest.mark.parametrize(
    "files",
    [
        3,
        None,
        [1, 2],
        {},
        {"matches.parquet": 3},
        {"matches.parquet": [None, None]},
        {"../victim/sums/plays.parquet": [8, "0" * 32]},
        {"sums/x\" AS SELECT 1; COPY (SELECT 1) TO 'out'; --.parquet": [8, "0" * 32]},
    ],
)
def test_files_of_other_names_are_refused(store: Path, files: object) -> None:
    known = files_of_shard(store)
    for entered in (files, {**known, **files} if isinstance(files, dict) and files else files):
        enter_files(store, entered)
        for command in COMMANDS:
            assert_refused(run(*command, "--store", store), "shards.files")
    assert not Path("out").exists()


def test_sums_that_nobody_has_asked_for_are_no_view(store: Path) -> None:
    enter_files(store, {**files_of_shard(store), "sums/other.parquet": [8, "0" * 32]})
    for command in COMMANDS[:2]:
        assert_refused(run(*command, "--store", store), "damaged")


@pytest.mark.parametrize(
    "name",
    [
        "manifest.db",
        "manifest.db-journal",
        "manifest.db-wal",
        "manifest.db-shm",
        "lock.db",
        "lock.db-journal",
        "shards",
        "shards/000001",
        "shards/000002",
        "shards/.unfinished-000002",
        "shards/000001/sums",
        "shards/000001/games.parquet",
        "shards/000001/sums/plays.parquet",
    ],
)
@pytest.mark.parametrize("made", [os.symlink, lambda _, path: os.mkfifo(path)])
def test_links_and_pipes_are_refused(
    store: Path, name: str, made: Callable[[Path, Path], None], victim: Path
) -> None:
    path = store / name
    if path.is_dir():
        path.rename(store.with_name("away"))
    path.unlink(missing_ok=True)
    made(victim / "sums" / "plays.parquet" if path.suffix else victim, path)
    write_record(Path("c.mat"), "New")
    for command in (*COMMANDS, ("collect", "c.mat", "-q")):
        assert_refused(run(*command, "--store", store), "created by bganalyze")


def test_only_what_is_named_as_a_shard_is_removed(store: Path) -> None:
    for name in ("thesis/a.txt", "000007/notes.txt", "000008/games.parquet", ".unfinished-9/a.txt"):
        path = store / "shards" / name
        path.parent.mkdir()
        path.write_text("precious", encoding="utf-8")
    assert run("collect", "--store", store, "-q").exit_code == 0
    left = {str(path.relative_to(store / "shards")) for path in (store / "shards").rglob("*.*")}
    assert {"thesis/a.txt", "000007/notes.txt", ".unfinished-9/a.txt"} <= left
    assert not (store / "shards" / "000008").exists()


def test_a_journal_that_names_another_file_is_refused(store: Path) -> None:
    """SQLite would delete the file that it names."""
    for name in ("manifest.db-journal", "lock.db-journal"):
        journal = store / name
        journal.write_bytes(b"x" * 512 + bytes.fromhex("d9d505f920a163d7"))
        with pytest.raises(MatchStoreError, match="outside the store"):
            require_only_store_files(store)
        journal.unlink()


@pytest.fixture
def nobody_contacted(monkeypatch: pytest.MonkeyPatch) -> None:
    def raise_contacted(*_: object) -> None:
        raise AssertionError("a server is contacted")

    for name in ("fetch_content", "is_folder", "has_wildcards"):
        monkeypatch.setattr(remote, name, raise_contacted)


@pytest.mark.usefixtures("nobody_contacted")
class TestAddresses:
    URL = "https://club.example/a.mat"

    def test_one_that_only_the_store_names_is_left_alone(self, store: Path) -> None:
        values = (self.URL.encode(), self.URL.encode())
        enter(store, "UPDATE roots SET place = ?, written = ?", values=values)
        for command in (
            *COMMANDS[2:],
            ("analyze", "--db", "a.db"),
            ("report", "0"),
        ):
            assert_refused(run(*command, "--store", store), self.URL)
        assert run("stats", "--store", store).exit_code == 0

    def test_paths_beside_it_are_still_taken_up(self, store: Path) -> None:
        values = (self.URL.encode(), self.URL.encode())
        enter(
            store,
            "INSERT INTO roots (place, written, origin) VALUES (?, ?, X'68657265')",
            values=values,
        )
        for command in COMMANDS[2:]:
            result = run(*command, "--store", store)
            assert result.exit_code == 0
            assert result.stderr.count(self.URL) == result.stderr.count("\n") == 1

    def test_what_is_lost_there_is_not_read_again(self, store: Path) -> None:
        values = (self.URL.encode(), self.URL.encode())
        enter(
            store,
            "INSERT INTO roots (place, written, origin) VALUES (?, ?, X'68657265')",
            values=values,
        )
        enter(store, "INSERT INTO files SELECT max(root), X'', -1, 1, 1, NULL FROM roots")
        assert run("collect", "--store", store, "-q").exit_code == 0


class TestPathsOnThisMachine:
    """A store that was not collected here, by this user, reads nothing but what is named."""

    @pytest.fixture
    def copied(self, original: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.chdir(tmp_path)
        return Path(shutil.copytree(original, tmp_path / "club"))

    def test_one_that_only_the_store_names_is_left_alone(
        self, copied: Path, original: Path
    ) -> None:
        records = original.parent / "records"
        for command in (*COMMANDS[2:], ("analyze", "--db", "a.db")):
            assert_refused(run(*command, "--store", copied), f"name them: {records}")
        assert_refused(run("report", "0", "--store", copied), f"give {records / 'a.mat'} instead")
        assert run("stats", "--store", copied).exit_code == 0

    def test_one_that_is_named_is_taken_up_from_then_on(self, copied: Path) -> None:
        enter(
            copied, "INSERT INTO roots (place, written, origin) VALUES (X'2F657463', X'61', X'61')"
        )
        write_record(Path("c.mat"), "New")
        assert run("collect", "c.mat", "--store", copied, "-q").exit_code == 0
        again = run("collect", "--store", copied, "-q")
        assert again.exit_code == 0
        assert "/etc" in again.stderr
        assert "c.mat" not in again.stderr

    def test_what_is_lost_there_is_not_read_again(self, copied: Path) -> None:
        enter(copied, "UPDATE files SET kept = NULL")
        with closing(open_store(copied)) as manifest:
            assert manifest.list_lost_files() == []

    def test_another_user_or_machine_or_copy_is_another_origin(
        self, copied: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = copied / "manifest.db"
        here = own_stores.identify_store(path)
        assert here == own_stores.identify_store(path.rename(copied / "moved.db"))
        shutil.copy(copied / "moved.db", path)
        assert own_stores.identify_store(path) != here
        monkeypatch.setattr(own_stores, "_identify_machine", lambda: "another")
        assert own_stores.identify_store(copied / "moved.db") != here
        monkeypatch.setattr(os, "getuid", lambda: os.stat(path).st_uid + 1)
        assert own_stores.identify_store(path) == own_stores.ELSEWHERE


@pytest.fixture(scope="module")
def held(original: Path) -> tuple[str, dict[str, list[tuple[object, ...]]]]:
    """Return the report on a store, and the whole content of the store."""
    return run(*COMMANDS[0], "--store", original).output, contents(original)


@pytest.mark.parametrize(
    "name",
    [
        *("game=7/club", "match=5/site=x/club", "club[2]", "club?", "**", "~", "$HOME"),
        *("file:cl'ub\"; {a,b} %20 \n [!a]*", "cl\\ub"),
    ],
)
def test_the_path_of_a_store_makes_no_difference(
    store: Path, held: tuple[str, dict[str, list[tuple[object, ...]]]], name: str
) -> None:
    Path("club2").mkdir()  # Meaning of `club[2]` and `club?`
    place = Path("other") / name
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copytree(store, place)
    result = run(*COMMANDS[0], "--store", place)
    assert result.exit_code == 0
    assert (result.output, contents(place)) == held


def test_a_path_that_duckdb_cannot_take_is_one_line(store: Path) -> None:
    place = store.with_name("cl\udcffub")
    store.rename(place)
    for command in COMMANDS[:2]:
        result = run(*command, "--store", place)
        assert result.exit_code == 2
        assert "not text in UTF-8" in result.stderr.splitlines()[-1]


def test_a_path_that_duckdb_takes_for_others_is_one_line(store: Path) -> None:
    place = store.rename(store.with_name("cl\\ub[2]"))
    for command in COMMANDS[:2]:
        assert_refused(
            run(*command, "--store", place), "a backslash and *, ? or [; rename the folder"
        )


def with_last(rows: Any, value: object) -> Any:
    """Return a table with one value in its whole last column."""
    import pyarrow as pa

    last = rows.num_columns - 1
    return rows.set_column(last, rows.column_names[last], pa.array([value] * rows.num_rows))


CHANGES: dict[str, Callable[[Any], Any]] = {
    "without a column": lambda rows: rows.drop_columns(rows.column_names[-1:]),
    "text": partial(with_last, value="x"),
    "nested": partial(with_last, value=[1]),
    "missing": partial(with_last, value=None),
    "no number": partial(with_last, value=float("nan")),
    "too large": partial(with_last, value=1e300),
    "twice": lambda rows: rows.take([*range(rows.num_rows)] * 2),
    "none": lambda rows: rows.slice(0, 0),
    "backwards": lambda rows: rows.select(rows.column_names[::-1]),
}


class TestParquet:
    """Whoever changes a shard can enter its checksum as well."""

    @pytest.mark.parametrize(
        ("name", "commands"),
        [
            ("matches.parquet", COMMANDS[:2]),
            ("games.parquet", COMMANDS[:2]),
            ("sums/accounts.parquet", [("stats", "--report", "points")]),
        ],
    )
    @pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
    def test_another_content_is_one_line_or_honest(
        self, store: Path, name: str, commands: Any, change: Callable[[Any], Any]
    ) -> None:
        import pyarrow.parquet as pq

        path = store / "shards" / "000001" / name
        pq.write_table(change(pq.read_table(path)), path)
        enter_content(store, name)
        for command in commands:
            result = run(*command, "--store", store)
            assert result.exit_code in (0, 2)
            if result.exit_code == 2:
                assert_refused(result, "club")

    def test_no_parquet_is_one_line(self, store: Path) -> None:
        (store / "shards" / "000001" / "games.parquet").write_bytes(b"PAR1" * 100)
        enter_content(store, "games.parquet")
        for command in COMMANDS[:2]:
            assert_refused(run(*command, "--store", store), "not created by bganalyze")

    def test_shards_of_another_content_are_not_put_together(
        self, store: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import pyarrow.parquet as pq

        monkeypatch.setattr(upkeep, "MANY_SMALL", 1)
        path = store / "shards" / "000001" / "games.parquet"
        pq.write_table(CHANGES["nested"](pq.read_table(path)), path)
        enter_content(store, "games.parquet")
        assert_refused(run("collect", "--store", store, "-q"), "not created by bganalyze")

    def test_more_rows_than_bytes_are_refused(self, store: Path) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = store / "shards" / "000001" / "games.parquet"
        rows = pq.read_table(path)
        many = {
            field.name: pa.repeat(pa.scalar(rows[field.name][0].as_py(), field.type), 1_000_000)
            for field in rows.schema
            if not pa.types.is_dictionary(field.type)
        }
        pq.write_table(pa.table(many), path)
        enter_content(store, "games.parquet")
        for command in COMMANDS[:2]:
            assert_refused(run(*command, "--store", store), "1,000,000 rows of games")
