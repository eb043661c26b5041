"""Whatever a match holds, statistics of a collection finish, and name what they leave out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutated import (
    Made,
    add_matches,
    make_file_to_read,
    mutate_sample,
    report_from_store,
    report_sums,
    show_on_page,
    sum_files,
    sum_seeds,
)

FEW, MANY = range(40), range(1_000, 1_040)
TOGETHER = 20

SHORT = """ 1 point match

 Game 1
 Ann : 0                          Bob : 0
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                          Wins 1 point

 Game 2
 Ann : 0                          Bob : 1
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                          Wins 1 point

 Game 3
 Ann : 0                          Bob : 2
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                          Wins 1 point
"""


def require_finished(seeds: range, together: int) -> None:
    for seed, made in add_matches(seeds, together):
        assert not faults(made), seed
        assert made.matches > 1, seed


def faults(made: Made) -> list[str]:
    """Return the failures of the program. A file may be so changed that it is no match."""
    return [problem for problem in made.unreadable if "fault of bganalyze" in problem]


@pytest.mark.slow
def test_reports_finish_whatever_a_match_holds() -> None:
    require_finished(FEW, len(FEW))


@pytest.mark.slow
def test_a_length_that_is_too_short_costs_nothing() -> None:
    lots, failed = sum_files([make_file_to_read(0)._replace(path="short.mat", held=SHORT.encode())])
    assert report_sums(lots, failed) == Made([], 1)


@pytest.mark.slow
def test_reports_finish_whatever_many_matches_hold() -> None:
    require_finished(MANY, TOGETHER)


@pytest.mark.slow
def test_a_page_of_mutated_matches_finishes() -> None:
    parts = [sum_seeds(seeds) for seeds in (MANY[:TOGETHER], MANY[TOGETHER:])]
    lots = [lot for lots, _ in parts for lot in lots]
    failed = [problem for _, problems in parts for problem in problems]
    assert not faults(report_sums(lots, failed, page=True))


@pytest.mark.slow
def test_the_page_of_the_server_finishes() -> None:
    assert "is left out" not in show_on_page(range(8))


@pytest.mark.slow
def test_a_store_of_mutated_matches_is_made_and_counted(tmp_path: Path) -> None:
    pytest.importorskip("duckdb", reason="the extra store is not installed")
    pytest.importorskip("pyarrow", reason="the extra store is not installed")
    for seed in MANY:
        (tmp_path / f"{seed}.mat").write_text(mutate_sample(seed), encoding="utf-8")
    assert not faults(report_from_store(tmp_path))
