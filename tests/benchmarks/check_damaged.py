"""Compare two versions of the program on checks of records with many faults, in turns.

Each of some real files is damaged in 20 random places: a digit of a roll or a step is another one.

    BGANALYZE_CORPUS=… python tests/benchmarks/check_damaged.py --old …/bin/python [--rounds 7]
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

DAMAGES = 20

DAMAGEABLE = re.compile(rb"[0-9]+/[0-9]+|[0-9]{2}:")

CHECK = """
import sys, time
from pathlib import Path
from bganalyze.validation.checking import check
from bganalyze.record.reader import read_bytes
records = [(path.read_bytes(), path.name) for path in sorted(Path(sys.argv[1]).iterdir())]
check(read_bytes(*records[0]))
for data, name in records:
    before = time.process_time()
    check(read_bytes(data, name))
    print(time.process_time() - before)
"""


def main() -> None:
    """Print the medians of both versions, over the files, and the ratio of the pairs."""
    options = _options()
    old: list[list[float]] = []
    new: list[list[float]] = []
    with tempfile.TemporaryDirectory() as folder:
        _write_damaged(Path(options.corpus) / "mat", Path(folder), options.files)
        for _ in range(options.rounds):
            old.append(_seconds(options.old, folder))
            new.append(_seconds(sys.executable, folder))
    old_file, new_file = (
        [statistics.median(of) for of in zip(*runs, strict=True)] for runs in (old, new)
    )
    ratios = [
        sum(new_times) / sum(old_times) for old_times, new_times in zip(old, new, strict=True)
    ]
    for name, file in (("old", old_file), ("new", new_file)):
        print(
            f"{name}: {statistics.median(file):.4f} s a file (median), {statistics.mean(file):.4f} (mean)"
        )
    print(
        f"new / old: {statistics.median(ratios):.3f} of the processor (median of {options.rounds})"
    )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--old", required=True, help="the Python in which the other version is")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--rounds", type=int, default=7)
    return parser.parse_args()


def _write_damaged(source: Path, target: Path, count: int) -> None:
    paths = sorted(source.iterdir())
    for path in paths[:: max(len(paths) // count, 1)]:
        (target / path.name).write_bytes(damage(path.read_bytes(), Random(path.name)))


def damage(record: bytes, random: Random) -> bytes:
    """Return a record in which digits of rolls and steps are others."""
    data = bytearray(record)
    places = [
        place
        for match in DAMAGEABLE.finditer(record)
        for place in range(*match.span())
        if record[place : place + 1].isdigit()
    ]
    for place in random.sample(places, min(DAMAGES, len(places))):
        data[place] = random.choice(b"123456")
    return bytes(data)


def _seconds(python: str, folder: str) -> list[float]:
    """Return the seconds of the processor that each file takes, in a process of its own."""
    command = [python, "-P", "-c", CHECK, folder]
    return [float(line) for line in subprocess.check_output(command, text=True).splitlines()]


if __name__ == "__main__":
    main()
