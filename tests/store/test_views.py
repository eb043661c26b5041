"""The tables of a store are those of its files."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from bganalyze.jobs.collect import CollectCounts, collect
from bganalyze.jobs.tabulate import tabulate_files
from bganalyze.law import BASIC
from bganalyze.store.manifest import made

pytest.importorskip("duckdb", reason="the extra store is not installed")

SAMPLES = ["samples/clean/archive.zip", "samples/clean/one-point.mat"]


def collected(store: Path, *paths: str) -> CollectCounts:
    counts = CollectCounts()
    with closing(made(store, "program", "law")) as manifest:
        list(collect(paths, manifest, BASIC, 1, counts))
    return counts


def test_the_views_have_the_rows_of_the_files(tmp_path: Path) -> None:
    from bganalyze.store.views import connected

    collected(tmp_path / "store", *SAMPLES)
    connection = connected(tmp_path / "store")
    tables = tabulate_files(SAMPLES)
    for name, frame in tables._asdict().items():
        rows = connection.execute(f"SELECT * FROM {name}").df()
        assert list(rows.columns) == list(frame.columns)
        assert len(rows) == len(frame)
    matches = connection.execute("SELECT path, content FROM matches ORDER BY match").fetchall()
    assert matches == list(zip(tables.matches["path"], tables.matches["content"], strict=True))
    pips = connection.execute("SELECT sum(pips_moved) FROM turns").fetchone()
    assert pips == (tables.turns["pips_moved"].sum(),)


def test_a_second_run_reads_nothing(tmp_path: Path) -> None:
    first = collected(tmp_path / "store", *SAMPLES)
    second = collected(tmp_path / "store", *SAMPLES)
    assert (first.read, first.unchanged) == (4, 0)
    assert (second.read, second.unchanged) == (0, 4)
