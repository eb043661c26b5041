"""A store that is older than its files is noticed, without reading them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.api.collect import collect
from bganalyze.statistics.store import freshness
from bganalyze.statistics.store.freshness import find_changed_path
from tests.statistics.store.kept import LONG_AGO, write_record

LATER = 4_000_000_000


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of two matches and a note, collected into a store beside it."""
    folder = tmp_path_factory.mktemp("fresh") / "club"
    write_matches(folder)
    (folder / "note.txt").write_text("no record", encoding="utf-8")
    os.utime(folder / "note.txt", (LONG_AGO, LONG_AGO))
    collect(folder, folder.with_name("store"))
    return folder


@pytest.fixture
def club(collected: Path) -> Iterator[Path]:
    """The folder as it was collected."""
    yield collected
    write_matches(collected)
    (collected / "c.mat").unlink(missing_ok=True)


def write_matches(folder: Path) -> None:
    for name in ("a", "b"):
        write_record(folder / f"{name}.mat", name)


@pytest.mark.slow
def test_a_store_of_unchanged_files_is_fresh(club: Path) -> None:
    assert find_changed_path(club.with_name("store")) is None


@pytest.mark.parametrize("change", ["changed", "gone", "new"])
def test_a_change_is_found(club: Path, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = club / ("c.mat" if change == "new" else "b.mat")
    if change == "gone":
        path.unlink()
    else:
        write_record(path, "c", LATER if change == "new" else LONG_AGO + 1)
    store = club.with_name("store")
    assert find_changed_path(store) == str(path)
    monkeypatch.setattr(freshness, "MOST_FILES", 1)
    assert find_changed_path(store) is None


def test_a_store_that_is_collected_again_is_fresh(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    collect(club, store)
    write_record(club / "a.mat", "c", LONG_AGO + 1)
    (club / "b.mat").unlink()
    assert find_changed_path(store) is not None
    collect(club, store)
    assert find_changed_path(store) is None


@pytest.mark.slow
def test_files_beside_one_that_was_named_are_not_its_business(club: Path, tmp_path: Path) -> None:
    store = tmp_path / "one"
    collect(club / "a.mat", store)
    write_record(club / "c.mat", "c", LATER)
    assert find_changed_path(store) is None


def test_a_baseline_beside_the_matches_is_no_change(club: Path, tmp_path: Path) -> None:
    own = club / "known.jsonl"
    write_own = partial(own.write_text, encoding="utf-8")
    write_own('{"baseline": "made by bganalyze", "version": 1}\n')
    os.utime(own, (LATER, LATER))
    assert find_changed_path(club.with_name("store")) is None
    collect(club, tmp_path / "with-baseline")
    write_own('{"baseline": "made by bganalyze", "version": 1}\n{}\n')
    assert find_changed_path(tmp_path / "with-baseline") is None
    write_own("{}")
    assert find_changed_path(tmp_path / "with-baseline") == str(own)
    own.unlink()
