"""Whole-process cost of `bganalyze check` beside the peer's reader, on the same files, in turns.

The peer is GammonView's Python reader, `gvformat.mat.convert_mat`, which reads and checks nothing.

    BGANALYZE_CORPUS=… python tests/benchmarks/check_against_peer.py [--files 1000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PEER = """
import sys
from pathlib import Path
from gvformat.mat import convert_mat
for path in sorted(Path(sys.argv[1]).iterdir()):
    try:
        convert_mat(path)
    except Exception:
        pass
"""

START = "import typer"


def main() -> None:
    """Print the median of each command and the ratios of the pairs."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        count = _copy(options.corpus / "mat", Path(folder), options.files)
        check = [sys.executable, "-m", "bganalyze", "check", "--format", "jsonl", folder]
        commands = {
            "check --workers 1": [*check, "--workers", "1"],
            "check --workers 2": [*check, "--workers", "2"],
            "peer's reader": [sys.executable, "-c", PEER, folder],
            "bganalyze --version": [sys.executable, "-m", "bganalyze", "--version"],
            "import typer": [sys.executable, "-c", START],
        }
        times = _in_turns(commands, options.rounds)
    print(f"{count} files, {options.rounds} rounds, wall seconds (minimum, median)")
    for name, runs in times.items():
        print(f"  {name:20} {min(runs):7.3f} {statistics.median(runs):7.3f}")
    for one, two in (
        ("check --workers 1", "peer's reader"),
        ("check --workers 2", "check --workers 1"),
        ("bganalyze --version", "import typer"),
    ):
        ratios = [a / b for a, b in zip(times[one], times[two], strict=True)]
        print(f"  {one} / {two}: median {statistics.median(ratios):.3f}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    named = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=named, required=named is None)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    options.corpus = Path(options.corpus)
    return options


def _copy(source: Path, target: Path, most: int) -> int:
    files = sorted(source.iterdir())[:most]
    for file in files:
        shutil.copy(file, target)
    return len(files)


def _in_turns(commands: dict[str, list[str]], rounds: int) -> dict[str, list[float]]:
    """Run the commands in turns, one uncounted round first."""
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            before = time.perf_counter()
            subprocess.run(
                command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            if turn:
                times[name].append(time.perf_counter() - before)
    return times


if __name__ == "__main__":
    main()
