"""Measure statistics beside a check of the same files.

    python tests/benchmarks/stats_against_check.py FOLDER [TIMES]

Each run is a process of its own with one worker and compiled modules, measured in seconds of processor time, so that
other work on the machine matters little. The runs take turns, so that all meet the same machine; the best of each counts.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

RUNS = {
    "check": ("check", "--quiet", "--fail-on", "never"),
    "stats --report points,cube": ("stats", "--report", "points,cube", "--quiet"),
    "stats --report all": ("stats", "--report", "all", "--quiet"),
}

UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
"""Packages are compiled when they are installed, a checkout when it is first used."""


def seconds(folder: str, words: tuple[str, ...]) -> float:
    """Return the processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    call = [sys.executable, "-m", "bganalyze", words[0], folder, *words[1:], "--workers", "1"]
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    subprocess.run(call, stdout=subprocess.DEVNULL, env=environment, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(folder: str, times: int = 3) -> None:
    """Measure every run and compare it with the first."""
    rounds = [[seconds(folder, words) for words in RUNS.values()] for _ in range(times)]
    best = [min(spent) for spent in zip(*rounds, strict=True)]
    for name, spent in zip(RUNS, best, strict=True):
        print(f"{name:<28} {spent:6.2f} s  {spent / best[0]:5.2f} times")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
