"""Measure reading per turn in every text format, beside match text.

    python tests/benchmarks/read_formats.py samples/clean/redoubles.*
    python tests/benchmarks/read_formats.py FOLDER ... [--files 60] [--times 3]

Files: each is read alone, with nothing remembered of others, in turns; the best of many runs counts. The
samples called `redoubles` are one match in every format that an online room or program wrote it in.

Folders: each text file under them is counted to the format that reads it. The match texts are also
written in the other formats that can be written, so that these have as much to read. Each run is a
process of its own, because cells are remembered; it is measured in processor time, after one file
has been read uncounted, and the best of several runs counts. The bytes tell how much there is to
read: reports are mostly analysis, and a position is the only turn of its file.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

import bganalyze
from bganalyze.record.model import Answer, Double, Match, Play
from bganalyze.record.reader import FORMATS, read, read_bytes
from bganalyze.record.text_caches import clear_all_caches
from bganalyze.validation.replaying import replay
from bganalyze.writing import WRITERS, write

SUFFIXES = {suffix for known_format in FORMATS for suffix in known_format.extensions}

ALONE = 200
"""So often a file is read that is read alone."""

Paths = dict[str, list[Path]]


class Cost(NamedTuple):
    """Time that reading the files of one format takes."""

    microseconds: float
    """Processor time per turn."""
    turns: int
    bytes: int


def main() -> None:
    """Measure every format."""
    options = _options()
    if all(path.is_file() for path in options.paths):
        _tell(_alone(options.paths), "redoubles.mat")
        return
    with tempfile.TemporaryDirectory() as folder:
        paths = _by_format(_files(options.paths), options.files)
        _write(paths["mat"], Path(folder))
        for name, written_paths in _by_format(_files([Path(folder)]), options.files).items():
            paths[f"{name} (written)"] = written_paths
        costs = {name: _cost(format_paths, options.times) for name, format_paths in paths.items()}
    _tell(costs, "mat")


def _tell(costs: dict[str, Cost], measure: str) -> None:
    """Print every cost beside that of one, or of the first."""
    usual = costs.get(measure, next(iter(costs.values())))
    for name, cost in sorted(costs.items(), key=lambda each: each[1].microseconds):
        times = cost.microseconds / usual.microseconds
        size = cost.bytes / cost.turns
        print(f"{name:<20} {cost.microseconds:6.1f} µs a turn: {times:6.2f} times", end="")
        print(f" {cost.turns:7} turns of {size:5.0f} bytes")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("paths", type=Path, nargs="+", metavar="PATH")
    parser.add_argument("--files", type=int, default=60, help="of each format, at most")
    parser.add_argument("--times", type=int, default=3)
    return parser.parse_args()


def _files(folders: Iterable[Path]) -> list[Path]:
    return sorted(
        path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES
    )


def _by_format(files: list[Path], limit: int) -> Paths:
    paths: Paths = defaultdict(list)
    for path in files:
        try:
            known_format = read(path)[0].format
        except bganalyze.NotATranscript:
            continue
        if len(paths[known_format]) < limit:
            paths[known_format].append(path)
    return paths


def _write(paths: list[Path], folder: Path) -> None:
    """Write match texts in every other format of text."""
    for number, path in enumerate(paths):
        replays = [replay(match) for match in read(path)]
        for name, writer in WRITERS.items():
            if writer.extension in SUFFIXES - {".mat", ".txt"}:
                data = write(replays, name).data
                (folder / f"{number}{writer.extension}").write_bytes(data)


def _cost(paths: list[Path], times: int) -> Cost:
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        return min(pool.map(_read, [paths] * times, chunksize=1))


def _alone(paths: list[Path]) -> dict[str, Cost]:
    gc.disable()  # As the commands nearly do.
    rounds = [[_once(path, path.read_bytes()) for path in paths] for _ in range(ALONE)]
    return {path.name: min(costs) for path, *costs in zip(paths, *rounds, strict=True)}


def _once(path: Path, data: bytes) -> Cost:
    clear_all_caches()
    start = time.process_time()
    matches = read_bytes(data, str(path))
    spent = time.process_time() - start
    turns = _turns(matches)
    return Cost(1e6 * spent / max(turns, 1), turns, len(data))


def _read(paths: list[Path]) -> Cost:
    gc.disable()  # As the commands do.
    read(paths[0])
    start = time.process_time()
    matches = [match for path in paths for match in read(path)]
    spent = time.process_time() - start
    turns = _turns(matches)
    size = sum(path.stat().st_size for path in paths)
    return Cost(1e6 * spent / max(turns, 1), turns, size)


def _turns(matches: Iterable[Match]) -> int:
    return sum(
        isinstance(action, Play | Double | Answer)
        for match in matches
        for game in match.games
        for action in game.actions
    )


if __name__ == "__main__":
    main()
