"""Whole-process cost of `bganalyze check` beside the peer's reader, on the same files, in turns.

The peer is GammonView's Python reader, `gvformat.mat.convert_mat`, which reads and checks nothing.
Nothing is known from an earlier check. Both are also run over the files that have no errors: where
there are some, a check looks for what may have caused them, which `repair_of_slips.py` measures.

    BGANALYZE_CORPUS=… python tests/benchmarks/check_against_peer.py [--files 1000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
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

CHECK = [sys.executable, "-m", "bganalyze", "check", "--no-cache", "--format", "jsonl"]

UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
"""Packages are compiled when they are installed, a checkout when it is first used."""


def main() -> None:
    """Print the median of each command and the ratios of the pairs."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        everything, clean = Path(folder, "every"), Path(folder, "clean")
        count = _copy(options.corpus / "mat", everything, options.files)
        faulty = _copy_clean(everything, clean)
        commands = {
            "check --workers 1": [*CHECK, "--workers", "1", str(everything)],
            "check --workers 2": [*CHECK, "--workers", "2", str(everything)],
            "peer's reader": [sys.executable, "-c", PEER, str(everything)],
            "check, no errors": [*CHECK, "--workers", "1", str(clean)],
            "peer, no errors": [sys.executable, "-c", PEER, str(clean)],
            "bganalyze --version": [sys.executable, "-m", "bganalyze", "--version"],
            "import typer": [sys.executable, "-c", START],
        }
        times = _in_turns(commands, options.rounds)
    print(
        f"{count} files, {faulty} with errors, {options.rounds} rounds: seconds (minimum, median)"
    )
    for name, runs in times.items():
        figures = (
            f"{min(column):7.3f} {statistics.median(column):7.3f}"
            for column in zip(*runs, strict=True)
        )
        print(f"  {name:20} of the clock {next(figures)}   of the processor {next(figures)}")
    for numerator, denominator in (
        ("check --workers 1", "peer's reader"),
        ("check --workers 2", "check --workers 1"),
        ("check, no errors", "peer, no errors"),
        ("bganalyze --version", "import typer"),
    ):
        pairs = list(zip(times[numerator], times[denominator], strict=True))
        clock, processor = (statistics.median(a[n] / b[n] for a, b in pairs) for n in (0, 1))
        print(
            f"  {numerator} / {denominator}: median {clock:.3f} by the clock, {processor:.3f} by the processor"
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    options.corpus = Path(options.corpus)
    return options


def _copy(source: Path, target: Path, limit: int) -> int:
    target.mkdir()
    files = sorted(source.iterdir())[:limit]
    for file in files:
        shutil.copy(file, target)
    return len(files)


def _copy_clean(source: Path, target: Path) -> int:
    """Copy the files in which a check finds no error; return how many have some."""
    command = [*CHECK, "--severity", "error", str(source)]
    output = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    faulty = {json.loads(line)["path"] for line in output.splitlines()}
    shutil.copytree(
        source,
        target,
        ignore=lambda folder, names: {name for name in names if str(Path(folder, name)) in faulty},
    )
    return len(faulty)


def _in_turns(commands: dict[str, list[str]], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Run the commands in turns, one uncounted round first, which leaves every module compiled."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for turn in range(rounds + 1):
        for name, command in commands.items():
            spent = _spent(command)
            if turn:
                times[name].append(spent)
    return times


def _spent(command: list[str]) -> tuple[float, float]:
    """Return the seconds that a command takes by the clock, and of the processor."""
    environment = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    before, children = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        check=False,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    now, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - before
    return clock, now.ru_utime + now.ru_stime - children.ru_utime - children.ru_stime


if __name__ == "__main__":
    main()
