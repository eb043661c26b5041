"""Runs of `collect` that are killed, that are two at once, and what the store is then."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("duckdb", reason="the extra store is not installed")
pytest.importorskip("pyarrow", reason="the extra store is not installed")

from tests.statistics.store.kept import contents, write_record

FILES = 24
CODE = "from bganalyze.app.jobs import collect; collect.FILES_A_SHARD = 4\nfrom bganalyze.app.cli import main; main()"
"""The command with smaller shards, so that there are some between two moments."""


def start_collect(store: Path, records: Path) -> subprocess.Popen[str]:
    call = [sys.executable, "-c", CODE, "collect", str(records), "--store", str(store)]
    return subprocess.Popen([*call, "--workers", "1"], stdout=subprocess.PIPE, text=True)


def count_entered(store: Path) -> int:
    """Return the number of shards that are in place."""
    folder = store / "shards"
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return sum(name.isdecimal() for name in names)


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("records")
    for number in range(FILES):
        write_record(folder / f"{number:02}.mat", f"Ann {number}")
    return folder


@pytest.fixture(scope="module")
def undisturbed(records: Path) -> dict[str, list[tuple[object, ...]]]:
    store = records.with_name("undisturbed")
    (output, _) = start_collect(store, records).communicate()
    assert output.startswith(f"{FILES} new")
    return contents(store)


@pytest.mark.slow
def test_killed_at_any_moment_and_run_again_it_is_the_same(
    tmp_path: Path, records: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    store, chance = tmp_path / "store", random.Random(1)
    for shards in (1, 2, 4):
        running = start_collect(store, records)
        while count_entered(store) < shards and running.poll() is None:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.05))
        running.kill()
        running.communicate()
    process = start_collect(store, records)
    assert f"holds {FILES} matches, " in process.communicate()[0]
    assert contents(store) == undisturbed
    (output, _) = start_collect(store, records).communicate()
    assert output.startswith(f"{FILES} unchanged")


@pytest.mark.slow
def test_two_at_once_leave_the_same(
    tmp_path: Path, records: Path, undisturbed: dict[str, list[tuple[object, ...]]]
) -> None:
    store = tmp_path / "store"
    runs = [start_collect(store, records) for _ in range(2)]
    assert [run.communicate() and run.returncode for run in runs] == [0, 0]
    assert contents(store) == undisturbed
