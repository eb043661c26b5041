"""Measure a store by its number of matches: seconds and memory of `collect` and of `stats` from it.

    python -m tests.benchmarks.scale RECORDS [--matches 1000,10000] [--workers 2] [--folder DIR]

RECORDS is a folder of match text; `distinct_matches.py` makes as many matches of it as are asked for:
each record again with other names, another day and another length, so that every content differs and
the play stays as it is; players come back as they do in an archive. For each number of matches a row
is printed: `collect`; `collect` again with nothing changed, and with one file in a hundred written
anew; `stats --report all` and `check`, both from the store; and how large the store is.

Each run is a process of its own with compiled modules. Its memory is that of all its processes
together, what they share counted once (the sum of their PSS, looked at ten times a second; on Linux).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.benchmarks.distinct_matches import make, records, vary

UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
UNUSED = 1000
"""A variant that no file has."""

REPORTS = ("--report", "all", "--quiet", "--format", "csv")


class Cost(NamedTuple):
    """Time and memory of a run."""

    seconds: float
    processor: float
    memory: float
    """In MB."""

    def __str__(self) -> str:
        return f"{self.seconds:.1f} s ({self.processor:.1f} s of processor, {self.memory:.0f} MB)"


def cost(*words: str) -> Cost:
    """Run a command of bganalyze, and return what it took."""
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    call = [sys.executable, "-m", "bganalyze", *words]
    before, start, memory = os.times(), time.monotonic(), 0
    process = subprocess.Popen(call, stdout=subprocess.DEVNULL, env=environment)
    while process.poll() is None:
        memory = max(memory, sum(map(_measure_memory, _family(process.pid))))
        time.sleep(0.1)
    seconds, after = time.monotonic() - start, os.times()
    if process.returncode not in {0, 1}:
        raise SystemExit(f"{' '.join(call)}: exit status {process.returncode}")
    processor = after.children_user + after.children_system
    processor -= before.children_user + before.children_system
    return Cost(seconds, processor, memory / 1024)


def _family(process: int) -> Iterator[int]:
    """Yield a process and its descendants."""
    yield process
    try:
        children = Path(f"/proc/{process}/task/{process}/children").read_text(encoding="ascii")
    except OSError:
        return
    for child in children.split():
        yield from _family(int(child))


def _measure_memory(process: int) -> int:
    """Return the memory of a process in kB, with its part of the memory shared with others."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def change(files: list[Path], texts: list[str]) -> None:
    """Write one file in a hundred anew."""
    for number, path in enumerate(files[::100]):
        path.write_bytes(vary(texts[number % len(texts)], UNUSED + number % 9).encode("latin-1"))


def measure(source: Path, matches: int, workers: int, folder: Path) -> None:
    """Measure the runs for a number of matches, and print a row of the table."""
    files, store = list(make(source, matches, folder / "matches")), str(folder / "store")
    collect = ("collect", str(folder / "matches"), "--store", store, "--workers", str(workers))
    cold, unchanged = cost(*collect), cost(*collect)
    change(files, records(source))
    changed = cost(*collect)
    stats = cost("stats", "--store", store, *REPORTS)
    check = cost("check", "--store", store, "--format", "csv")
    size = sum(path.stat().st_size for path in Path(store).rglob("*") if path.is_file())
    cells = (f"{matches:,}", cold, unchanged, changed, stats, check, f"{size / 1e6:,.0f} MB")
    print("|", " | ".join(map(str, cells)), "|", flush=True)


def main() -> None:
    """Print a row for each number of matches."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("records", type=Path)
    parser.add_argument("--matches", default="1000,10000")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, help="where the files and the stores are made")
    options = parser.parse_args()
    print("| matches | collect | nothing changed | 1 % changed | stats | check | store |")
    print("|---:|---|---|---|---|---|---:|")
    for matches in map(int, options.matches.split(",")):
        folder = Path(tempfile.mkdtemp(dir=options.folder))
        try:
            measure(options.records, matches, options.workers, folder)
        finally:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
