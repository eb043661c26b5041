"""The counts that `collect` shows of a store, against a count of the tables read from the files."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.api.collect import collect
from bganalyze.app.api.matches import matches
from bganalyze.app.api.tabulate import tabulate
from bganalyze.app.render.matches import match_place
from bganalyze.statistics.match_list import MONEY_PLAY
from bganalyze.statistics.reports.stored import StoredSums
from bganalyze.statistics.store.totals import count_totals

SAMPLES = Path("samples")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of sample matches: with errors, unfinished, disputed, for money, and copies of some."""
    folder = tmp_path_factory.mktemp("totals") / "matches"
    folder.mkdir()
    for sample in (
        sorted(SAMPLES.glob("clean/*.mat"))[:12]
        + sorted(SAMPLES.glob("faulty/*.mat"))[:40]
        + [SAMPLES / "faulty" / "R603-wrong-winner.mat"]
    ):
        shutil.copy(sample, folder / sample.name)
    shutil.copy(SAMPLES / "clean" / "money-jacoby-beavers.mat", folder)
    money = (SAMPLES / "clean" / "money-jacoby-beavers.mat").read_text(encoding="utf-8")
    lines = money.rstrip().splitlines()
    (folder / "open-money.mat").write_text("\n".join(lines[:-2]) + "\n", encoding="utf-8")
    text = (SAMPLES / "clean" / "short-match.mat").read_text(encoding="utf-8")
    (folder / "same.txt").write_text(text, encoding="utf-8")
    (folder / "part.mat").write_text(text[: 4 * len(text) // 5], encoding="utf-8")
    return folder


@pytest.mark.slow
def test_counts_are_those_of_the_tables_of_the_files(folder: Path) -> None:
    store = folder.with_name("store")
    collect(folder, store)
    listed = matches(folder)
    originals = tabulate(folder).matches["copy_of"]
    found = count_totals(store, 1000)
    assert "money play; last game open" in [match.incomplete for match in listed]
    is_counted_apart = [match.is_disputed or match.incomplete == MONEY_PLAY for match in listed]
    expected = {
        "with_errors": [bool(match.errors) for match in listed],
        "money": [match.incomplete == MONEY_PLAY for match in listed],
        "incomplete": [
            not match.is_complete and not apart
            for match, apart in zip(listed, is_counted_apart, strict=True)
        ],
        "disputed": [match.is_disputed for match in listed],
    }
    assert (found.matches, found.games) == (len(listed), sum(match.games for match in listed))
    for name, is_such in expected.items():
        files = [match_place(one) for one, such in zip(listed, is_such, strict=True) if such]
        assert files
        assert getattr(found, name) == (len(files), tuple(files))
    pairs = [
        f"{match_place(listed[match])}, of {match_place(listed[original])}"
        for match, original in originals.dropna().items()
    ]
    assert len(pairs) >= 2
    assert found.copies == (len(pairs), tuple(pairs))
    few = count_totals(store, 1)
    assert few.with_errors == (found.with_errors.size, found.with_errors.places[:1])
    assert few.copies == (len(pairs), tuple(pairs[:1]))


@pytest.mark.slow
def test_only_the_rows_of_matches_are_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = folder.with_name("few")
    collect(folder / "same.txt", store)
    monkeypatch.delattr(StoredSums, "recorded")
    assert count_totals(store, 10)[:1] == (1,)


@pytest.mark.slow
def test_a_store_without_matches_has_none(tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text("no record", encoding="utf-8")
    collect(note, tmp_path / "store")
    assert count_totals(tmp_path / "store", 10) == (0, 0, *[(0, ())] * 5)
