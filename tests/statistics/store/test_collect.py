"""A store holds what its files hold, whatever happens to them, to it, and to the runs that write it."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.jobs import check, collect
from bganalyze.app.jobs.budget import HOW_TO_REPORT
from bganalyze.app.jobs.collect_counts import CollectCounts
from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.statistics.store import upkeep
from bganalyze.statistics.store.manifest import (
    FOLDER,
    FORMAT,
    NAME,
    MatchStoreError,
    open_or_create,
)
from bganalyze.statistics.store.opening import open_store, open_to_collect
from bganalyze.statistics.store.places import FilePlace
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.store.upkeep import forget_damaged, remove_leftovers
from bganalyze.statistics.store.views import connect_to_store
from bganalyze.statistics.tables.fragments import TableFragment, make_fragment
from bganalyze.statistics.tables.schema import Examined
from tests.statistics.store.kept import LONG_AGO, contents, write_record

Contents = dict[str, list[tuple[object, ...]]]
"""Content of a store: the rows of each table."""

TABLES = ("matches", "games", "turns", "cubes", "findings")


def run(store: Path, *paths: Path | str, executor: Processes | None = None) -> CollectCounts:
    """Collect, as the command does under its lock."""
    counts = CollectCounts()
    with closing(open_to_collect(store, identify_program(), BASIC.name)) as manifest:
        remove_leftovers(manifest)
        list(forget_damaged(manifest))
        given = [str(path) for path in paths] or [
            root.path for root in manifest.list_written_roots()
        ]
        list(collect.collect(given, manifest, BASIC, executor or Processes(), counts))
    return counts


class Collected(NamedTuple):
    """A folder of records, collected once; each test works on a copy in the same place."""

    place: Path
    original: Path
    contents: Contents
    """Content of a store of the records."""


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Collected:
    """Collect four records and a file without a match into a store of one shard."""
    place, original = (tmp_path_factory.mktemp("collected") / name for name in ("here", "original"))
    for name in ("b.mat", "a.mat", "c/d.mat", "c.mat"):
        write_record(place / "records" / name, name.removesuffix(".mat"))
    (place / "records" / "note.txt").write_text("no record", encoding="utf-8")
    assert run(place / "store", place / "records") == CollectCounts(new=4)
    held = contents(place / "store")
    place.rename(original)
    return Collected(place, original, held)


@pytest.fixture
def store(collected: Collected) -> Iterator[Path]:
    """The path of a store, in a folder that is empty before and after."""
    collected.place.mkdir()
    yield collected.place / "store"
    shutil.rmtree(collected.place)


@pytest.fixture
def records(store: Path, collected: Collected) -> Path:
    """Make a folder with four records and a file without a match."""
    return Path(shutil.copytree(collected.original / "records", store.with_name("records")))


@pytest.fixture
def before(collected: Collected) -> Contents:
    """Return the content of a store of the records."""
    return collected.contents


@pytest.fixture
def nothing_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a file is read that is known")

    monkeypatch.setattr(check, "check_by_all_rules", read)


@pytest.fixture
def one_shard(store: Path, records: Path, collected: Collected) -> Path:
    """A store of the records, in one shard."""
    restore(store, records, collected)
    return store


def restore(store: Path, records: Path, collected: Collected) -> None:
    """Put the store of the records in its place again, as if it had been collected there."""
    shutil.rmtree(store, ignore_errors=True)
    shutil.copytree(collected.original / "store", store)
    with closing(open_or_create(store, identify_program(), BASIC.name)) as manifest:
        manifest.record_paths({str(records): str(records)})


def cut(path: Path, keep: float) -> None:
    """Cut a file after the share `keep` of its bytes."""
    content = path.read_bytes()
    path.write_bytes(content[: int(keep * len(content))])


def flip(path: Path, place: float) -> None:
    """Flip a bit of a file, after the share `place` of its bytes."""
    content = bytearray(path.read_bytes())
    content[int(place * (len(content) - 1))] ^= 1
    path.write_bytes(content)


DAMAGES: dict[str, Callable[[Path], None]] = {
    "cut to nothing": partial(cut, keep=0),
    "cut in the middle": partial(cut, keep=0.5),
    "cut in the footer": partial(cut, keep=0.99),
    "bit of the first byte": partial(flip, place=0),
    "bit of a page": partial(flip, place=0.1),
    "bit in the middle": partial(flip, place=0.5),
    "bit of the footer": partial(flip, place=0.9),
    "bit of the last byte": partial(flip, place=1),
}


def same_as_undisturbed(store: Path, tmp_path: Path, *paths: Path) -> bool:
    run(tmp_path / "undisturbed", *paths)
    return contents(store) == contents(tmp_path / "undisturbed")


class TestWhatItHolds:
    @pytest.mark.slow
    def test_its_tables_are_those_of_the_files(self, store: Path) -> None:
        samples = ["samples/clean/archive.zip", "samples/clean/one-point.mat"]
        run(store, *samples)
        tables = tabulate_files(samples)
        with connect_to_store(store) as connection:
            for name, frame in tables._asdict().items():
                rows = connection.execute(f"SELECT * FROM {name}").df()
                of_games = ["player"] if name in ("turns", "cubes") else []
                assert list(rows.columns) == list(frame.columns.drop(of_games))
                assert len(rows) == len(frame)
            matches = connection.execute("SELECT path, content FROM matches ORDER BY match")
            expected = zip(tables.matches["path"], tables.matches["content"], strict=True)
            assert matches.fetchall() == list(expected)
            pips = connection.execute("SELECT sum(pips_moved) FROM turns").fetchone()
            assert pips == (tables.turns["pips_moved"].sum(),)

    @pytest.mark.slow
    def test_matches_are_counted_in_the_order_of_find(self, store: Path, records: Path) -> None:
        run(store, records / "c.mat", records / "b.mat")
        run(store, records)
        with connect_to_store(store) as connection:
            rows = connection.execute("SELECT path FROM matches ORDER BY match").fetchall()
        names = [Path(path).relative_to(records).as_posix() for (path,) in rows]
        assert names == ["a.mat", "b.mat", "c/d.mat", "c.mat"]

    @pytest.mark.slow
    def test_a_file_that_cannot_be_tabulated_costs_the_others_nothing(
        self, store: Path, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def failing(matches: list[Examined], rule_book: RuleBook) -> TableFragment:
            if any(match.replayed.match.source.path.endswith("b.mat") for match in matches):
                raise OverflowError("too many points")
            return make_fragment(matches, rule_book)

        shutil.rmtree(records / "c")
        with monkeypatch.context() as patched:
            patched.setattr("bganalyze.statistics.tables.fragments.make_fragment", failing)
            with closing(open_or_create(store, identify_program(), BASIC.name)) as manifest:
                given, counts = [str(records)], CollectCounts()
                outcomes = list(collect.collect(given, manifest, BASIC, Processes(), counts))
        errors = [(Path(file.path).name, file.error) for file in outcomes if file.error]
        fault = "an internal error of bganalyze, please report it: OverflowError('too many points')"
        assert errors == [("b.mat", f"{fault}; {HOW_TO_REPORT}")]
        (records / "b.mat").unlink()
        assert same_as_undisturbed(store, tmp_path, records)

    def test_an_empty_store_has_its_tables(self, store: Path, tmp_path: Path) -> None:
        (tmp_path / "nothing").mkdir()
        run(store, tmp_path / "nothing")
        with connect_to_store(store) as connection:
            for name in TABLES:
                assert connection.execute(f"FROM {name}").fetchall() == []

    @pytest.mark.slow
    @pytest.mark.parametrize(("limit", "shards"), [("FILES_A_SHARD", 3), ("FEWEST_FILES", 2)])
    def test_files_are_shared_out_among_processes(
        self,
        store: Path,
        records: Path,
        before: Contents,
        monkeypatch: pytest.MonkeyPatch,
        limit: str,
        shards: int,
    ) -> None:
        monkeypatch.setattr(collect, limit, 2)
        run(store, records, executor=Processes(2))
        assert len(list((store / FOLDER).iterdir())) == shards
        assert contents(store) == before


@pytest.mark.slow
class TestAnotherRun:
    def test_reads_nothing_that_has_not_changed(
        self, store: Path, records: Path, request: pytest.FixtureRequest
    ) -> None:
        assert run(store, records) == CollectCounts(new=4)
        request.getfixturevalue("nothing_read")
        assert run(store) == CollectCounts(unchanged=4)

    def test_knows_what_was_touched_copied_or_moved(
        self, one_shard: Path, records: Path, tmp_path: Path
    ) -> None:
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(check, "check_by_all_rules", lambda *_: 1 / 0)
            os.utime(records / "a.mat")
            (records / "copies").mkdir()
            shutil.copy(records / "b.mat", records / "copies" / "b.mat")
            (records / "c").rename(records / "d")
            assert run(one_shard, records) == CollectCounts(copied=2, unchanged=3, gone=1)
        assert same_as_undisturbed(one_shard, tmp_path, records)

    def test_takes_up_what_is_new_changed_and_gone(
        self, one_shard: Path, records: Path, tmp_path: Path
    ) -> None:
        write_record(records / "a.mat", "Somebody", LONG_AGO + 1)
        write_record(records / "new.mat", "New")
        (records / "b.mat").unlink()
        assert run(one_shard, records) == CollectCounts(new=1, changed=1, unchanged=2, gone=1)
        assert same_as_undisturbed(one_shard, tmp_path, records)

    def test_a_known_content_put_back_is_a_change(self, one_shard: Path, records: Path) -> None:
        before = (records / "a.mat").read_bytes()
        write_record(records / "a.mat", "Somebody", LONG_AGO + 1)
        (records / "b.mat").rename(records.with_name("aside"))
        assert run(one_shard, records) == CollectCounts(changed=1, unchanged=2, gone=1)
        (records / "a.mat").write_bytes(before)
        records.with_name("aside").rename(records / "b.mat")
        counts = run(one_shard, records)
        assert counts == CollectCounts(changed=1, back=1, unchanged=2)
        named = {
            change: [Path(name).name for name in names] for change, names in counts.names.items()
        }
        assert named == {"changed": ["a.mat"], "back": ["b.mat"]}

    def test_leaves_alone_what_lies_elsewhere(self, store: Path, records: Path) -> None:
        run(store, records / "a.mat", records / "c")
        (records / "a.mat").unlink()
        assert run(store, records / "c").gone == 0

    def test_keeps_what_lies_where_nobody_can_look(
        self, one_shard: Path, records: Path, before: Contents
    ) -> None:
        records.rename(records.with_name("away"))
        assert run(one_shard, records).gone == 0
        assert contents(one_shard) == before

    def test_a_path_that_moved_is_counted_once(self, one_shard: Path, records: Path) -> None:
        moved = records.rename(records.with_name("moved"))
        (moved / "b.mat").unlink()
        assert run(one_shard, moved) == CollectCounts(copied=3, moved=3)
        with closing(open_store(one_shard)) as manifest:
            assert [Path(file.path).name for file in manifest.list_files() if file.matches] == [
                "b.mat",
                *("a.mat", "d.mat", "c.mat"),
            ]
            assert manifest.find_missing_roots() == {str(records): 1}
        assert run(one_shard, moved) == CollectCounts(unchanged=3)

    def test_a_copy_of_a_path_that_is_there_counts_as_well(
        self, one_shard: Path, records: Path, tmp_path: Path
    ) -> None:
        shutil.copytree(records, tmp_path / "copy")
        assert run(one_shard, tmp_path / "copy") == CollectCounts(copied=4)
        with closing(open_store(one_shard)) as manifest:
            assert manifest.count_matches() == 8

    def test_finds_the_files_from_another_folder(
        self, store: Path, records: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(records)
        run(store, ".")
        monkeypatch.chdir(records / "c")
        assert run(store) == CollectCounts(unchanged=4)
        with connect_to_store(store) as connection:
            paths = connection.execute("SELECT path FROM matches").fetchall()
        assert all(Path(path).is_file() for (path,) in paths)

    def test_a_path_that_holds_others_takes_their_files_over(
        self, store: Path, records: Path, request: pytest.FixtureRequest
    ) -> None:
        for place in ("c/d.mat", "c", "b.mat"):
            run(store, records / place)
        for other in ("a.mat", "c.mat"):
            (records / other).unlink()
        request.getfixturevalue("nothing_read")
        assert run(store, records) == CollectCounts(unchanged=2)
        with closing(open_store(store)) as manifest:
            assert [root.path for root in manifest.list_written_roots()] == [str(records)]


def test_a_full_folder_of_temporary_files_is_told(store: Path) -> None:
    """It is another than that of the store, which the message of SQLite would name."""
    with closing(open_or_create(store, identify_program(), BASIC.name)) as manifest:
        manifest.start_visits()
        manifest._execute("PRAGMA temp.max_page_count = 5")  # noqa: SLF001
        places = (FilePlace("/records", f"/{number}.mat", -1) for number in range(1000))
        with pytest.raises(
            MatchStoreError, match=r"full, in the folder for temporary files; .*SQLITE_"
        ):
            list(map(manifest.visit, places))


def test_a_file_that_was_met_is_known_by_its_bytes_and_its_entry(store: Path) -> None:
    place = FilePlace("/rec\udcffrds", "/a\udcfe.zip", 3)
    with closing(open_or_create(store, identify_program(), BASIC.name)) as manifest:
        for _ in range(2):  # Nor is a run heeded that was before it.
            manifest.start_visits()
            assert not manifest.was_visited(place)
            manifest.visit(place)
            manifest.visit(place)
            assert manifest.was_visited(place)
            assert not manifest.was_visited(place._replace(entry=-1))
            assert not manifest.was_visited(place._replace(rest="/b.zip"))


@pytest.mark.slow
def test_another_run_may_make_the_store_meanwhile(
    store: Path, records: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = store.with_name("other") / NAME
    open_or_create(manifest.parent, identify_program(), BASIC.name).close()

    def list_files(folder: Path) -> list[Path]:
        return [manifest.rename(folder / NAME)]

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(Path, "iterdir", list_files)
        open_or_create(store, identify_program(), BASIC.name).close()
    run(store, records)
    assert len(contents(store)["matches"]) == 4


@pytest.mark.slow
class TestDamage:
    def test_a_damaged_shard_is_told_and_made_anew(
        self, one_shard: Path, records: Path, collected: Collected
    ) -> None:
        for name, damage in DAMAGES.items():
            restore(one_shard, records, collected)
            damage(one_shard / FOLDER / "000001" / "sums" / "rolls.parquet")
            with pytest.raises(
                MatchStoreError, match=r"000001: damaged; collect again: bganalyze coll"
            ):
                contents(one_shard)
            with closing(open_or_create(one_shard, identify_program(), BASIC.name)) as manifest:
                assert list(forget_damaged(manifest)) == [(1, 5)], name
        assert run(one_shard, records) == CollectCounts(again=4)
        assert contents(one_shard) == collected.contents

    def test_a_shard_that_is_gone_is_made_anew(
        self, one_shard: Path, records: Path, before: Contents
    ) -> None:
        shutil.rmtree(one_shard / FOLDER / "000001")
        assert run(one_shard, records) == CollectCounts(again=4)
        assert contents(one_shard) == before

    def test_a_damaged_manifest_is_told(
        self, one_shard: Path, records: Path, collected: Collected
    ) -> None:
        for damage in (partial(cut, keep=0.1), partial(cut, keep=0.5), partial(flip, place=0)):
            restore(one_shard, records, collected)
            damage(one_shard / NAME)
            with pytest.raises(MatchStoreError, match=r"; collect again into another folder$"):
                run(one_shard, records)
        shutil.rmtree(one_shard)
        run(one_shard, records)
        assert contents(one_shard) == collected.contents

    @pytest.mark.parametrize("outcome", ["''", "CAST(X'FF' AS TEXT)"])
    def test_a_file_of_which_the_manifest_says_nothing_sensible_is_read_again(
        self, outcome: str, one_shard: Path, records: Path, before: Contents
    ) -> None:
        with closing(sqlite3.connect(one_shard / NAME)) as manifest:
            manifest.execute(
                f"UPDATE kept SET outcome = {outcome} WHERE name = CAST('b.mat' AS BLOB)"
            )
            manifest.commit()
        assert run(one_shard, records).read == 1
        assert contents(one_shard) == before

    def test_shards_without_a_manifest_are_told(self, one_shard: Path, records: Path) -> None:
        (one_shard / NAME).unlink()
        remedy = "the manifest.db of this store is missing; collect again into another folder"
        with pytest.raises(MatchStoreError, match=remedy):
            open_store(one_shard)
        with pytest.raises(MatchStoreError, match=remedy):
            run(one_shard, records)

    def test_what_was_lost_elsewhere_is_read_again_too(
        self, store: Path, records: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(collect, "FILES_A_SHARD", 100)
        shutil.make_archive(str(records / "more"), "zip", records / "c")
        run(store, records)
        before = contents(store)
        for shard in (store / FOLDER).iterdir():
            (shard / "games.parquet").write_bytes(b"")
        assert run(store, records / "a.mat").read == 5
        assert contents(store) == before

    def test_what_a_killed_run_left_is_removed(self, one_shard: Path, records: Path) -> None:
        (one_shard / FOLDER / ".unfinished-000009").mkdir()
        (one_shard / FOLDER / "000007").mkdir()
        run(one_shard, records)
        assert [folder.name for folder in (one_shard / FOLDER).iterdir()] == ["000001"]

    def test_a_manifest_that_is_none_is_told(self, one_shard: Path) -> None:
        (one_shard / NAME).write_bytes(b"no database" * 100)
        with pytest.raises(MatchStoreError, match=r"not a database; collect again into another"):
            open_store(one_shard)

    def test_a_newer_format_is_refused(
        self, one_shard: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("bganalyze.statistics.store.manifest.FORMAT", 0)
        with pytest.raises(
            MatchStoreError, match=f"in format {FORMAT}; this version reads format 0"
        ):
            open_store(one_shard)


@pytest.mark.slow
class TestUpkeep:
    def test_small_shards_are_put_together(
        self, one_shard: Path, records: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(upkeep, "MANY_SMALL", 3)
        for number, name in enumerate(("a", "b", "c", "a"), start=1):
            write_record(records / f"{name}.mat", f"Player {number}", LONG_AGO + number)
            run(one_shard, records)
        with closing(open_store(one_shard)) as manifest:
            assert len(manifest.shards()) < 3
        assert same_as_undisturbed(one_shard, tmp_path, records)

    def test_shards_without_files_are_dropped(self, one_shard: Path, records: Path) -> None:
        shutil.rmtree(records)
        records.mkdir()
        assert run(one_shard, records).gone == 4  # The note was never a match file.
        with closing(open_store(one_shard)) as manifest:
            assert manifest.shards() == {}


def test_a_path_inside_one_that_was_collected_is_no_path_of_its_own(
    store: Path, records: Path
) -> None:
    """Else what is found would be named by that path, wherever it was looked for."""
    with closing(open_or_create(store, identify_program(), BASIC.name)) as manifest:
        for path, written in (("", "records"), ("", "./records"), ("c", "records/c")):
            manifest.record_paths({str(records / path): written})
        assert manifest.rows("SELECT place, written FROM roots") == [
            (os.fsencode(records), b"./records")
        ]
