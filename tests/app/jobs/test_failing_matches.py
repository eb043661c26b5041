"""A match at which the program fails costs that match only, and its file is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs import collect as collecting
from bganalyze.app.jobs import tabulate as tabulating
from bganalyze.app.jobs.collect import collect
from bganalyze.app.jobs.collect_counts import CollectCounts
from bganalyze.app.jobs.failing_matches import compute_without_failing
from bganalyze.app.jobs.outcome import FileOutcome
from bganalyze.app.jobs.tabulate import sum_files_here
from bganalyze.app.jobs.workers import Processes
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.record.players import Players
from bganalyze.statistics.reports import list_summed_tables
from bganalyze.statistics.reports.sums import KeptSums, Sums, join_sums
from bganalyze.statistics.store.manifest import open_or_create
from bganalyze.statistics.store.program_version import identify_program
from bganalyze.statistics.store.views import connect_to_store
from bganalyze.statistics.tables import fragments
from bganalyze.statistics.tables.fragments import TableFragment
from bganalyze.text import Unreadable

REPORTS = ("points",)


def match_between(left: str, right: str) -> str:
    return f""" 1 point match

 Game 1
 {left} : 0                       {right} : 0
  1) 31: 8/5 6/5                   65: 24/18 18/13
      Wins 1 point
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(6):
        (tmp_path / f"{number}.mat").write_text(match_between(f"Ann{number}", f"Bob{number}"))
    return tmp_path


def sums_of(folder: Path) -> KeptSums:
    lots = sum_files_here(find_files([str(folder)]), BASIC, REPORTS).totals
    return join_sums(lots, list_summed_tables(REPORTS), Players())


def names(sums: Sums) -> list[str]:
    return [str(name) for name in sums.recorded.games["left"]]


def failing_at(*faulty: str) -> Callable[[Sums, tuple[Unreadable, ...]], list[str]]:
    def work(sums: Sums, _: tuple[Unreadable, ...]) -> list[str]:
        if set(faulty) & set(names(sums)):
            raise TypeError("boolean value of NA is ambiguous")
        return names(sums)

    return work


def test_matches_at_which_work_fails_are_left_out_and_named(folder: Path) -> None:
    result, left_out = compute_without_failing(failing_at("Ann1", "Ann4"), sums_of(folder))
    assert result == ["Ann0", "Ann2", "Ann3", "Ann5"]
    assert [Path(file.path or "").name for file in left_out] == ["1.mat", "4.mat"]
    assert all("match 1 is left out: " in (file.reason or "") for file in left_out)


def test_an_error_that_no_match_is_to_blame_for_is_raised(folder: Path) -> None:
    def work(_: Sums, __: tuple[Unreadable, ...]) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        compute_without_failing(work, sums_of(folder))


def test_a_file_that_cannot_be_written_is_no_fault_of_a_match(folder: Path) -> None:
    def work(_: Sums, __: tuple[Unreadable, ...]) -> None:
        raise PermissionError("statistics.html")

    with pytest.raises(PermissionError):
        compute_without_failing(work, sums_of(folder))


def failing_at_a_player(original: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Return a step that fails if it receives or makes a row of a player with this name."""

    def failing(rows: Sequence[Any], *options: Any) -> Any:
        fragments = (
            rows if isinstance(rows[:1], list) and isinstance(rows[0], TableFragment) else []
        )
        made = original(rows, *options)
        fragments = [made] if isinstance(made, TableFragment) else fragments
        if any(name in part.games["left"] for part in fragments):
            raise OverflowError("too large")
        return made

    return failing


def list_failed(files: Sequence[FileOutcome]) -> list[str]:
    return [Path(file.path).name for file in files if file.error]


@pytest.mark.slow
def test_a_file_whose_sums_fail_costs_no_other(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing = failing_at_a_player(tabulating.sum_and_check, "Ann2")
    monkeypatch.setattr(tabulating, "sum_and_check", failing)
    files, lots = sum_files_here(find_files([str(folder)]), BASIC, REPORTS)
    assert list_failed(files) == ["2.mat"]
    sums = join_sums(lots, list_summed_tables(REPORTS), Players())
    assert names(sums) == ["Ann0", "Ann1", "Ann3", "Ann4", "Ann5"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "step", [(fragments, "make_fragment"), (collecting, "_make_rows_for_store")]
)
def test_a_store_keeps_the_other_files(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: tuple[Any, str]
) -> None:
    module, name = step
    monkeypatch.setattr(module, name, failing_at_a_player(getattr(module, name), "Ann2"))
    paths = sorted(map(str, folder.glob("*.mat")))
    with closing(
        open_or_create(tmp_path / "store", identify_program(), rule_book_title(BASIC))
    ) as manifest:
        outcomes = list(collect(paths, manifest, BASIC, Processes(1), CollectCounts()))
        assert manifest.count_matches() == 5
    assert list_failed(outcomes) == ["2.mat"]
    with connect_to_store(tmp_path / "store") as connection:
        rows = connection.execute("SELECT path FROM matches ORDER BY match").fetchall()
    assert [Path(path).name for (path,) in rows] == ["0.mat", "1.mat", "3.mat", "4.mat", "5.mat"]
