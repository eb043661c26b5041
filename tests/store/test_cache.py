"""The cache of checks: what has not changed is not read again, and nothing rests on it."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bganalyze.files.reading import find
from bganalyze.findings import Selection
from bganalyze.jobs import check
from bganalyze.jobs.checked import Checked
from bganalyze.jobs.examination import as_json, from_json
from bganalyze.jobs.remembered_checks import check_files
from bganalyze.jobs.workers import Processes
from bganalyze.law import BASIC, USBGF, Law
from bganalyze.store import cache
from bganalyze.store.cache import clear, opened_cache

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


def checked(folder: Path, law: Law = BASIC, selection: Selection | None = None) -> list[Checked]:
    with closing(opened_cache(law.name, [str(folder)])) as memory:
        chosen_rules = selection or Selection()
        return list(check_files(find([str(folder)]), law, chosen_rules, memory, Processes(1)))


@pytest.fixture
def nothing_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise AssertionError("a file is read that is known")

    monkeypatch.setattr(check, "examine", read)


def after_a_check(folder: Path) -> list[Checked]:
    findings = checked(folder)
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
    assert checked(folder) == before


def test_the_selection_is_made_of_what_is_remembered(
    folder: Path, request: pytest.FixtureRequest
) -> None:
    after_a_check(folder)
    request.getfixturevalue("nothing_read")
    findings = checked(folder, selection=Selection(ignore=("P403",)))
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
    assert [file.path for file in checked(folder)] == paths
    assert [file.findings[0].path for file in checked(folder)] == paths


def test_what_has_changed_is_read_again(folder: Path) -> None:
    after_a_check(folder)
    write(folder / "a.mat", FAULTY.replace("52: 8/13", "52: 13/8"), LONG_AGO + 1)
    edited, unchanged = checked(folder)
    assert (edited.findings, len(unchanged.findings)) == ((), 1)


def test_a_change_at_once_is_seen_though_size_and_time_stay(folder: Path) -> None:
    path = folder / "a.mat"
    path.write_text(FAULTY, encoding="utf-8")
    now = path.stat().st_mtime_ns
    after_a_check(folder)
    path.write_text(FAULTY.replace("52: 8/13", "52: 13/8"), encoding="utf-8")
    os.utime(path, ns=(now, now))
    assert checked(folder)[0].findings == ()


def test_another_law_and_other_sources_are_checked_anew(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    after_a_check(folder)
    law = [finding.message for file in checked(folder, USBGF) for finding in file.findings]
    assert len(law) == 2
    monkeypatch.setattr(cache, "local_edition", lambda: "other sources")
    monkeypatch.setattr(check, "examine", lambda *_: 1 / 0)
    assert all("a fault of bganalyze" in (file.error or "") for file in checked(folder))


def test_a_fault_of_the_program_is_not_remembered(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(check, "examine", lambda *_: 1 / 0)
        assert all(file.error for file in checked(folder))
    after_a_check(folder)


def databases() -> list[Path]:
    return list(cache.cache_folder().rglob("manifest.db"))


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


def test_what_was_spoiled_is_looked_for_again(folder: Path) -> None:
    after_a_check(folder)
    with closing(sqlite3.connect(databases()[0])) as connection, connection:
        connection.execute("UPDATE kept SET outcome = '[1,2'")
    after_a_check(folder)


def test_a_cache_that_cannot_be_written_is_done_without(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("no folder", encoding="utf-8")
    monkeypatch.setenv(cache.VARIABLE, str(tmp_path / "file"))
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
    checked(folder, USBGF)
    assert len(databases()) == 1
    monkeypatch.setattr(cache, "MOST_BYTES", 60_000)
    after_a_check(folder)
    assert len(databases()) == 1
    monkeypatch.setattr(cache, "MOST_BYTES", 0)
    write(folder / "a.mat", FAULTY + "\n")
    checked(folder)
    assert databases() == []


def test_it_can_be_removed(folder: Path) -> None:
    assert not clear()
    after_a_check(folder)
    assert clear()
    assert databases() == []


@pytest.mark.slow
def test_whatever_a_check_finds_can_be_kept() -> None:
    for item in find(["samples"]):
        content = check.examine_file(item, BASIC).content
        restored = from_json(as_json(content))
        if hasattr(content, "findings"):
            content = content._replace(
                findings=tuple(finding._replace(path="") for finding in content.findings)
            )
        assert restored == content


@pytest.mark.parametrize(
    "line", ["", "[]", "[1]", "null", "[[],[],[],[],[],[]]", '[["a"],2,3,4,5,6]']
)
def test_nothing_else_is_taken_for_what_was_kept(line: str) -> None:
    with pytest.raises(ValueError, match="not the stored result"):
        from_json(line)
