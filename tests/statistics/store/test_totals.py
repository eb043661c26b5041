"""The counts that `collect` shows of a store, against a count of the tables read from the files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pandas as pd
import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.api.collect import collect
from bganalyze.app.api.tabulate import tabulate
from bganalyze.statistics.reports.stored import StoredSums
from bganalyze.statistics.store.totals import StoreTotals, count_totals

SAMPLES = Path("samples")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of sample matches: with errors, unfinished, disputed, for money, and copies of some."""
    folder = tmp_path_factory.mktemp("totals") / "matches"
    folder.mkdir()
    for sample in (
        sorted(SAMPLES.glob("clean/*.mat"))[:12] + sorted(SAMPLES.glob("faulty/*.mat"))[:40]
    ):
        shutil.copy(sample, folder / sample.name)
    text = (SAMPLES / "clean" / "short-match.mat").read_text(encoding="utf-8")
    (folder / "same.txt").write_text(text, encoding="utf-8")
    (folder / "part.mat").write_text(text[: 4 * len(text) // 5], encoding="utf-8")
    return folder


@pytest.mark.slow
def test_counts_are_those_of_the_tables_of_the_files(folder: Path) -> None:
    store = folder.with_name("store")
    collect(folder, store)
    rows = tabulate(folder).matches.fillna({"length": 0}).to_dict("records")
    expected = StoreTotals(
        matches=len(rows),
        with_errors=sum(row["errors"] > 0 for row in rows),
        unfinished=sum(
            pd.isna(row["winner"]) and pd.isna(row["disputed"]) and row["length"] > 0
            for row in rows
        ),
        copies=sum(pd.notna(row["copy_of"]) for row in rows),
    )
    assert min(expected) >= 2
    assert count_totals(store) == expected


def test_only_the_rows_of_matches_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = folder.with_name("few")
    collect(folder / "same.txt", store)
    monkeypatch.delattr(StoredSums, "recorded")
    assert count_totals(store)[:1] == (1,)


def test_a_store_without_matches_has_none(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("no record", encoding="utf-8")
    collect(note, tmp_path / "store")
    assert count_totals(tmp_path / "store") == (0, 0, 0, 0)
