"""Whole-process cost of `bganalyze check` beside the peer's reader, on the same files, in turns.

The peer is GammonView's Python reader, `gvformat.mat.convert_mat`, which reads and checks nothing.
Nothing is known from an earlier check. Both are also run over the files that have no errors: where
there are some, a check looks for what may have caused them, which `repair_of_slips.py` measures.

    BGANALYZE_CORPUS=… python tests/benchmarks/check_against_peer.py [--files 1000] [--rounds 5]

With `--instructions` they are counted instead, once for each command, by Valgrind, which has to be
installed: other work on the machine does not show in them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
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


COUNT = [
    *("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"),
    *("--trace-children=yes", "--log-fd=2"),
]
COUNTED = re.compile(r"I +refs: +([0-9,]+)")

RATIOS = (
    ("check --workers 1", "peer's reader"),
    ("check --workers 2", "check --workers 1"),
    ("check, no errors", "peer, no errors"),
    ("bganalyze --version", "import typer"),
)


def main() -> None:
    """Print what each command takes, and the ratios of the pairs."""
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
        print(f"{count} files, {faulty} with errors")
        if options.instructions:
            _print_instructions(commands)
        else:
            _print_times(_in_turns(commands, options.rounds))


def _print_times(times: Mapping[str, Sequence[tuple[float, float]]]) -> None:
    rounds = len(next(iter(times.values())))
    print(f"{rounds} rounds: seconds (minimum, median)")
    for name, runs in times.items():
        figures = (
            f"{min(column):7.3f} {statistics.median(column):7.3f}"
            for column in zip(*runs, strict=True)
        )
        print(f"  {name:20} of the clock {next(figures)}   of the processor {next(figures)}")
    for numerator, denominator in RATIOS:
        pairs = list(zip(times[numerator], times[denominator], strict=True))
        clock, processor = (_spread([a[n] / b[n] for a, b in pairs]) for n in (0, 1))
        print(f"  {numerator} / {denominator}: {clock} by the clock, {processor} by the processor")


def _spread(ratios: Sequence[float]) -> str:
    """Return the median of the ratios of the pairs, and between what half of them lie: their noise."""
    lower, median, upper = statistics.quantiles(ratios, n=4, method="inclusive")
    return f"median {median:.3f} ({lower:.3f} to {upper:.3f})"


def _print_instructions(commands: Mapping[str, list[str]]) -> None:
    counts = {name: _instructions(command) for name, command in commands.items()}
    for name, count in counts.items():
        print(f"  {name:20} {count / 1e6:9,.0f} million instructions")
    for numerator, denominator in RATIOS:
        print(f"  {numerator} / {denominator}: {counts[numerator] / counts[denominator]:.3f}")


def _instructions(command: list[str]) -> int:
    """Return how many instructions a command takes, with all its processes, compiled and in a fixed order."""
    _measure_command(command)
    environment = {**_environment(), "PYTHONHASHSEED": "0"}
    counted = subprocess.run(
        [*COUNT, *command], check=False, env=environment, capture_output=True, text=True
    )
    counts = COUNTED.findall(counted.stderr)
    assert counts, counted.stderr
    return sum(int(count.replace(",", "")) for count in counts)


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != UNCOMPILED}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--instructions", action="store_true", help="count them, with Valgrind")
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
            spent = _measure_command(command)
            if turn:
                times[name].append(spent)
    return times


def _measure_command(command: list[str]) -> tuple[float, float]:
    """Return the seconds that a command takes by the clock, and of the processor."""
    before, children = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        command,
        check=False,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    now, clock = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - before
    return clock, now.ru_utime + now.ru_stime - children.ru_utime - children.ru_stime


if __name__ == "__main__":
    main()
