"""The cache of checks: what has not changed is not read again, and nothing rests on it."""

from __future__ import annotations

import os
import sqlite3
import sys
import sysconfig
from contextlib import closing, suppress
from pathlib import Path

import pytest

from bganalyze.app.jobs import check
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.examination import Refusal, parse_result_json, write_result_json
from bganalyze.app.jobs.remembered_checks import check_files
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC, USBGF, RuleBook
from bganalyze.files.reading import find_files
from bganalyze.statistics.store import cache, cache_folder, program_version
from bganalyze.statistics.store.cache import open_cache
from bganalyze.statistics.store.cache_folder import clear
from bganalyze.statistics.store.manifest import Manifest, open_or_create
from bganalyze.validation.findings import Selection

FAULTY = Path("samples/faulty/P403-wrong-direction.mat").read_text(encoding="utf-8")
LONG_AGO = 1_000_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two records, written long ago."""
    folder = tmp_path / "records"
    folder.mkdir()
    for name in ("a.mat", "b.mat"):
        write(folder / name, FAULTY)
    return folder


def write(path: Path, text: str, time: int = LONG_AGO) -> None:
    path.write_text(text, encoding="utf-8")
    os.utime(path, (time, time))


def check_folder(
    folder: Path, rule_book: RuleBook = BASIC, selection: Selection | None = None
) -> list[CheckOutcome]:
    with closing(open_cache(rule_book.name, [str(folder)])) as memory:
        chosen_rules = selection or Selection()
        return list(
            check_files(find_files([str(folder)]), rule_book, chosen_rules, memory, Processes(1))
        )


@pytest.fixture
def nothing_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a file is read that is known")

    monkeypatch.setattr(check, "check_by_all_rules", read)


def after_a_check(folder: Path) -> list[CheckOutcome]:
    findings = check_folder(folder)
    assert [[finding.code for finding in file.findings] for file in findings] == [
        ["P403"],
        ["P403"],
    ]
    return findings


def test_what_has_not_changed_is_not_read_again(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    before = after_a_check(folder)
    request.getfixturevalue("nothing_read")
    assert check_folder(folder) == before


def test_the_selection_is_made_of_what_is_remembered(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    after_a_check(folder)
    request.getfixturevalue("nothing_read")
    findings = check_folder(folder, selection=Selection(ignore=("P403",)))
    assert [file.findings for file in findings] == [(), ()]
    assert [file.excerpts for file in findings] == [{}, {}]


def test_touched_copied_and_moved_files_are_known_by_their_content(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    after_a_check(folder)
    os.utime(folder / "a.mat")
    (folder / "inside").mkdir()
    (folder / "b.mat").rename(folder / "inside" / "b.mat")
    request.getfixturevalue("nothing_read")
    paths = [str(folder / "a.mat"), str(folder / "inside" / "b.mat")]
    assert [file.path for file in check_folder(folder)] == paths
    assert [file.findings[0].path for file in check_folder(folder)] == paths


def test_what_has_changed_is_read_again(folder: Path) -> None:
    after_a_check(folder)
    write(folder / "a.mat", FAULTY.replace("52: 8/13", "52: 13/8"), LONG_AGO + 1)
    edited, unchanged = check_folder(folder)
    assert (edited.findings, len(unchanged.findings)) == ((), 1)


def test_a_change_at_once_is_seen_though_size_and_time_stay(folder: Path) -> None:
    path = folder / "a.mat"
    path.write_text(FAULTY, encoding="utf-8")
    now = path.stat().st_mtime_ns
    after_a_check(folder)
    path.write_text(FAULTY.replace("52: 8/13", "52: 13/8"), encoding="utf-8")
    os.utime(path, ns=(now, now))
    assert check_folder(folder)[0].findings == ()


def test_another_rule_book_and_other_sources_are_checked_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_check(folder)
    rule_book = [
        finding.message for file in check_folder(folder, USBGF) for finding in file.findings
    ]
    assert len(rule_book) == 2
    monkeypatch.setattr(cache, "identify_installed_program", lambda: "other sources")
    monkeypatch.setattr(check, "check_by_all_rules", lambda *_: 1 / 0)
    assert all(
        "an internal error of bganalyze" in (file.error or "") for file in check_folder(folder)
    )


def test_a_single_file_program_keeps_its_cache_though_it_unpacks_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bganalyze.exe"
    write(program, "the program")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    keys = []
    for place in ("_MEI1", "_MEI2"):
        monkeypatch.setattr(program_version, "_PACKAGE", tmp_path / place)
        monkeypatch.setattr(sysconfig, "get_path", lambda _, place=place: place)
        program_version.identify_installed_program.cache_clear()
        keys.append(cache.make_results_key("basic"))
    write(program, "another program")
    program_version.identify_installed_program.cache_clear()
    keys.append(cache.make_results_key("basic"))
    program_version.identify_installed_program.cache_clear()
    assert keys[0] == keys[1] != keys[2]


def test_a_fault_of_the_program_is_not_remembered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(check, "check_by_all_rules", lambda *_: 1 / 0)
        assert all(file.error for file in check_folder(folder))
    after_a_check(folder)


def databases() -> list[Path]:
    return list(cache_folder.cache_folder().rglob("manifest.db"))


@pytest.mark.slow
@pytest.mark.parametrize("damage", [b"no database", b"", None])
def test_a_broken_cache_is_begun_anew(folder: Path, damage: bytes | None) -> None:
    after_a_check(folder)
    (database,) = databases()
    if damage is None:
        content = bytearray(database.read_bytes())
        content[5000:9000] = b"\xff" * 4000
        damage = bytes(content)
    database.write_bytes(damage)
    after_a_check(folder)
    after_a_check(folder)


def test_a_cache_that_cannot_be_written_is_done_without(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "file"))
    after_a_check(folder)
    after_a_check(folder)


def test_another_run_that_writes_is_not_waited_for_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_check(folder)
    write(folder / "a.mat", FAULTY + "\n")
    monkeypatch.setattr(cache, "PATIENCE", 0.01)
    with closing(sqlite3.connect(databases()[0], isolation_level=None)) as connection:
        connection.execute("BEGIN EXCLUSIVE")
        after_a_check(folder)


def test_the_cache_does_not_grow_without_bound(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_folder(folder, USBGF)
    assert len(databases()) == 1
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 60_000)
    after_a_check(folder)
    assert len(databases()) == 1
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 0)
    write(folder / "a.mat", FAULTY + "\n")
    check_folder(folder)
    assert databases() == []


def test_it_can_be_removed(folder: Path) -> None:
    folder_of_cache = cache_folder.cache_folder()
    assert not clear(folder_of_cache)
    after_a_check(folder)
    assert clear(folder_of_cache)
    assert not folder_of_cache.exists()
    assert not clear(folder_of_cache)


@pytest.mark.slow
def test_whatever_a_check_finds_can_be_kept() -> None:
    for item in find_files(["samples"]):
        content = check.check_file_fully(item, BASIC).content
        restored = parse_result_json(write_result_json(content))
        if not isinstance(content, Refusal):
            content = content._replace(
                findings=tuple(finding._replace(path="") for finding in content.findings)
            )
        assert restored == content


@pytest.mark.parametrize(
    "line", ["", "[]", "[1]", "null", "[[],[],[],[],[],[]]", '[["a"],2,3,4,5,6]']
)
def test_nothing_else_is_taken_for_what_was_kept(line: str) -> None:
    with pytest.raises(ValueError, match="not the stored result"):
        parse_result_json(line)


def own_folder() -> Path:
    return cache_folder.cache_folder()


def test_a_folder_that_is_not_marked_is_neither_filled_nor_removed(folder: Path) -> None:
    foreign = own_folder() / "checks-0123456789abcdef" / "film.mkv"
    foreign.parent.mkdir(parents=True)
    foreign.write_bytes(b"mine")
    after_a_check(folder)
    with pytest.raises(OSError, match=r"not created by bganalyze: it has no CACHEDIR\.TAG"):
        clear(own_folder())
    assert [path.name for path in own_folder().rglob("*") if path.is_file()] == ["film.mkv"]


def test_the_mark_of_another_program_is_not_taken_for_ours(folder: Path) -> None:
    own_folder().mkdir(parents=True)
    tag = own_folder() / cache_folder.MARKER
    tag.write_text("Signature: 8a477f597d28d172789f06886806bc55\n# made by rsync\n", "utf-8")
    after_a_check(folder)
    assert list(own_folder().iterdir()) == [tag]


def test_what_others_have_put_into_the_cache_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 0)
    after_a_check(folder)
    (own_folder() / "check").mkdir()
    (own_folder() / "check" / "notes.txt").write_text("mine", encoding="utf-8")
    write(folder / "a.mat", FAULTY + "\n")
    check_folder(folder)
    assert clear(own_folder())
    assert {path.name for path in own_folder().iterdir()} == {"check", cache_folder.MARKER}
    assert (own_folder() / "check" / "notes.txt").exists()


@pytest.mark.parametrize("at", ["bganalyze", "bganalyze/CACHEDIR.TAG", "results", "manifest.db"])
def test_no_link_is_followed(folder: Path, tmp_path: Path, at: str) -> None:
    after_a_check(folder)
    (database,) = databases()
    places = {"results": database.parent, "manifest.db": database}
    place, elsewhere = places.get(at, own_folder().parent / at), tmp_path / "elsewhere"
    place.rename(elsewhere)
    place.symlink_to(elsewhere)
    before = contents(elsewhere)
    write(folder / "a.mat", FAULTY + "\n")
    after_a_check(folder)
    with suppress(OSError):
        clear(own_folder())
    assert contents(elsewhere) == before


def contents(place: Path) -> dict[str, bytes]:
    files = [place] if place.is_file() else filter(Path.is_file, place.rglob("*"))
    return {str(path): path.read_bytes() for path in files}


def test_the_folder_that_is_named_may_be_a_link(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "link"))
    before = after_a_check(folder)
    request.getfixturevalue("nothing_read")
    assert check_folder(folder) == before


def test_without_a_home_nothing_is_kept_in_the_present_folder(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(cache_folder.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")
    monkeypatch.chdir(tmp_path)
    after_a_check(folder)
    assert list(tmp_path.iterdir()) == [folder]


@pytest.mark.parametrize(
    "change",
    [
        "ALTER TABLE kept RENAME COLUMN outcome TO result",
        "DROP TABLE files",
        "PRAGMA user_version = 0",
        "PRAGMA user_version = 9",
        "UPDATE roots SET place = 7",
        "UPDATE kept SET outcome = 7",
        "UPDATE kept SET outcome = CAST(outcome AS BLOB)",
        "UPDATE kept SET outcome = replace(outcome, 'P403', 'P404')",
        "UPDATE kept SET outcome = '[1,2'",
        "UPDATE files SET kept = 3 - kept",
        "UPDATE files SET kept = 99",
    ],
)
def test_whatever_was_changed_in_it_is_as_if_unknown(folder: Path, change: str) -> None:
    write(folder / "b.mat", FAULTY + "\n\n")
    before = after_a_check(folder)
    with closing(sqlite3.connect(databases()[0])) as connection, connection:
        connection.execute(change)
    assert check_folder(folder) == check_folder(folder) == before


def test_after_damage_the_cache_is_filled_anew(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    before = after_a_check(folder)
    with closing(sqlite3.connect(databases()[0])) as connection, connection:
        connection.execute("DROP TABLE files")
    assert check_folder(folder) == check_folder(folder) == before
    request.getfixturevalue("nothing_read")
    assert check_folder(folder) == before


@pytest.mark.slow
def test_no_damaged_byte_changes_what_is_found(folder: Path) -> None:
    """Bits are changed in places that are spread over what is not zero of a database."""
    before = after_a_check(folder)
    (database,) = databases()
    intact = database.read_bytes()
    places = [at for at, byte in enumerate(intact) if byte]
    for at in places[:: len(places) // 60]:
        spoiled = bytearray(intact)
        spoiled[at] ^= 1 << at % 8
        database.parent.mkdir(exist_ok=True)
        database.write_bytes(spoiled)
        assert check_folder(folder) == before, at


def test_a_folder_in_the_place_of_the_database_is_done_without(folder: Path) -> None:
    after_a_check(folder)
    (database,) = databases()
    database.unlink()
    (database / "mine").mkdir(parents=True)
    after_a_check(folder)
    assert clear(own_folder())
    assert (database / "mine").is_dir()


@pytest.mark.parametrize("name", ["notes.txt", "lock.db", "shards/a.parquet"])
@pytest.mark.parametrize("is_damaged", [True, False])
def test_what_others_have_put_beside_results_stays(
    folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, is_damaged: bool
) -> None:
    after_a_check(folder)
    (database,) = databases()
    foreign = database.parent / name
    foreign.parent.mkdir(parents=True, exist_ok=True)
    foreign.write_text("mine", encoding="utf-8")
    if is_damaged:
        database.write_bytes(b"no database")
    monkeypatch.setattr(cache_folder, "MOST_BYTES", 0)
    write(folder / "a.mat", FAULTY + "\n")
    after_a_check(folder)
    after_a_check(folder)
    assert clear(own_folder())
    assert [path for path in own_folder().rglob("*") if path.is_file()] in (
        [own_folder() / cache_folder.MARKER, foreign],
        [foreign, own_folder() / cache_folder.MARKER],
    )
    assert foreign.read_text(encoding="utf-8") == "mine"


def test_a_full_disk_costs_nothing_but_what_is_kept(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_check(folder)
    content = databases()[0].read_bytes()
    for number in range(30):
        write(folder / f"c{number}.mat", FAULTY)
    with monkeypatch.context() as patched:
        patched.setattr(cache, "open_or_create", make_on_full_disk)
        assert len(check_folder(folder)) == 32
    assert databases()[0].read_bytes() == content


def make_on_full_disk(folder: Path, program: str, rule_book: str, patience: float) -> Manifest:
    manifest = open_or_create(folder, program, rule_book, patience)
    manifest._execute("PRAGMA max_page_count = 1")  # noqa: SLF001 - no more than there are
    return manifest


def test_two_runs_may_use_it_at_once(folder: Path, request: pytest.FixtureRequest) -> None:
    roots = [str(folder)]
    with closing(open_cache("basic", roots)) as one, closing(open_cache("basic", roots)) as two:
        for memory in (one, two):
            items = find_files([str(folder)])
            list(check_files(items, BASIC, Selection(), memory, Processes(1)))
    request.getfixturevalue("nothing_read")
    check_folder(folder)
