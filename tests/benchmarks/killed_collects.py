"""Kill `collect` at random moments, and see whether the store is what an undisturbed run makes.

    python -m tests.benchmarks.killed_collects RECORDS [KILLS]

RECORDS is a folder; every run goes on where the one before was killed, and begins anew once all is
collected. At the end a run is left alone, and two run at once.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.statistics.store.kept import contents

CODE = (
    "from bganalyze.app.jobs import collect\n"
    "collect.FILES_A_SHARD = 20\n"
    "from bganalyze.app.cli import main\n"
    "if __name__ == '__main__': main()\n"
)
LONGEST = 6.0
"""Seconds after which a run is killed at the latest."""


def start_collect(records: str, store: Path) -> subprocess.Popen[bytes]:
    """Begin to collect."""
    call = [sys.executable, "-c", CODE, "collect", records, "--store", str(store), "--quiet"]
    return subprocess.Popen([*call, "--workers", "1"])


def main(records: str, kills: int = 50) -> None:
    """Print how many runs were killed, and whether the stores are alike."""
    folder, chance = Path(tempfile.mkdtemp()), random.Random(1)
    start_collect(records, folder / "undisturbed").wait()
    expected, killed, undisturbed = contents(folder / "undisturbed"), 0, 0
    while killed < kills:
        running = start_collect(records, folder / "store")
        time.sleep(chance.uniform(0, LONGEST))
        running.kill()
        if running.wait() < 0:
            killed += 1
            continue
        undisturbed += 1
        assert contents(folder / "store") == expected
        shutil.rmtree(folder / "store")
    assert start_collect(records, folder / "store").wait() == 0
    assert contents(folder / "store") == expected
    shutil.rmtree(folder / "store")
    runs = [start_collect(records, folder / "store") for _ in range(2)]
    assert [run.wait() for run in runs] == [0, 0]
    assert contents(folder / "store") == expected
    print(
        f"{killed} runs killed, {undisturbed} ended before; all stores alike, and that of two at once"
    )
    shutil.rmtree(folder)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
