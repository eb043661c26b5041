"""Whole-process cost of `bganalyze analyze` beside `gvan-match`, at one level, and what both say.

The peer is GammonView's analyser (PyPI `gammonview[engine]`), which asks the same engine. The two
run in turns on the same match. The clock and the processor time of *all* their processes are
measured, also of those that outlive the one that started them. Beside that: how far PR, counts,
luck, best and played equities agree. Linux only.

    python tests/benchmarks/analyze_against_peer.py MATCH... [--pairs 7] [--level 2ply]
"""

from __future__ import annotations

import argparse
import ctypes
import json
import multiprocessing
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.store import Store

PRESETS = {"2ply": "very_quick", "3ply": "deep"}
"""Names that the peer gives to levels of the engine."""

_SUBREAPER = 36
"""`PR_SET_CHILD_SUBREAPER`: whose parent ends becomes a child of the process that asks for this."""

_RATE = re.compile(r"^(.+?)\s+PR:\s+([\d.]+)\s+\(\s*(\d+) dec,.*luck=([+-][\d.]+)", re.MULTILINE)

_MOST_PLAYS = 20
"""Largest number of a play; larger ones of the peer mean no play."""


class Cost(NamedTuple):
    """Seconds of a run."""

    clock: float
    processor: float


def main() -> None:
    """Print a row of the table for each match."""
    options = _options()
    print(f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores, {options.pairs} pairs of runs")
    print("| match | games | decisions | clock | processor | clock / peer's | processor / peer's |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    agreements: list[str] = []
    for path in options.matches:
        with tempfile.TemporaryDirectory() as folder:
            row, agreement = _compare(path, Path(folder), options)
        print(row, flush=True)
        agreements += [f"\n{path.name}", *agreement]
    print("\n".join(agreements))


def _compare(path: Path, folder: Path, options: argparse.Namespace) -> tuple[str, list[str]]:
    database, analysis_path = folder / "kept.db", folder / "theirs.gva"
    command = [sys.executable, "-m", "bganalyze", "analyze", str(path), "--quiet"]
    command += ["--level", options.level, "--db", str(database)]
    peer = [str(Path(sys.executable).with_name("gvan-match")), str(path), "-o", str(analysis_path)]
    peer += ["--preset", PRESETS[options.level]]
    pairs: list[tuple[Cost, Cost]] = []
    for turn in range(options.pairs + 1):
        database.unlink(missing_ok=True)
        pair = (
            measure_command(command, folder / "ours.txt"),
            measure_command(peer, folder / "theirs.txt"),
        )
        if turn:  # The first leaves every module compiled.
            pairs.append(pair)
    [match] = Store(str(database)).matches()
    clock, processor = (
        statistics.median(
            getattr(our_cost, name) / getattr(peer_cost, name) for our_cost, peer_cost in pairs
        )
        for name in Cost._fields
    )
    costs = [statistics.median(getattr(one, name) for one, _ in pairs) for name in Cost._fields]
    row = (
        f"| {path.name} | {len(match.results)} | {len(match.rows)} | {costs[0]:.2f} s | "
        f"{costs[1]:.2f} s | {clock:.2f} | {processor:.2f} |"
    )
    printed = (folder / "theirs.txt").read_text(encoding="utf-8")
    analyzed = json.loads(analysis_path.read_text(encoding="utf-8"))
    return row, [*_rates(match, printed), *_plays(match, analyzed)]


def measure_command(command: Sequence[str], output: Path) -> Cost:
    """Return what a command takes, with everything that it starts."""
    receiving, sending = multiprocessing.Pipe()
    process = multiprocessing.Process(target=_spend, args=(command, output, sending))
    process.start()
    cost: Cost = receiving.recv()
    process.join()
    return cost


def _spend(command: Sequence[str], output: Path, pipe: Any) -> None:
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)
    environment = {**os.environ}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    started = time.perf_counter()
    with output.open("w") as file:
        subprocess.run(command, check=True, env=environment, stdout=file, stderr=file)
    clock = time.perf_counter() - started
    while True:  # Whatever is left of it is ours now.
        try:
            os.wait()
        except ChildProcessError:
            break
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    pipe.send(Cost(clock, children.ru_utime + children.ru_stime))


def _rates(match: AnalyzedMatch, printed: str) -> Iterator[str]:
    """Yield the error rates that both programs give each side."""
    [metric] = [metric for metric in METRICS if metric.name == "xg-b"]
    peer = {name: figures for name, *figures in _RATE.findall(printed)}
    for side, name in enumerate(match.names):
        rate, decisions, luck = next(
            figures for beginning, figures in peer.items() if name.startswith(beginning)
        )
        figure = metric.measure(match.rows, side)
        total_luck = sum(row.luck or 0.0 for row in match.rows if row.side == side)
        yield (
            f"  {name}: PR {figure.rate or 0:.3f} and {rate}, "
            f"counted {figure.counted} and {decisions}, luck {total_luck:+.3f} and {luck}"
        )


def _plays(match: AnalyzedMatch, analyzed: dict[str, Any]) -> Iterator[str]:
    """Yield the differences between the equities of plays, in games where both see the same rolls."""
    pairs = list(_same_rolls(match, analyzed))
    for name, column in (("best", "best"), ("played", "reached")):
        apart = [
            abs(getattr(row, column) - analysis[f"{name}_equity"])
            for row, analysis in pairs
            if getattr(row, column) is not None and analysis.get(f"{name}_equity") is not None
        ]
        far = sum(distance > 0.0001 for distance in apart)
        yield f"  {name}: {far} of {len(apart)} plays differ, by {max(apart, default=0):.4f} at most"
    luck = [
        abs(row.luck - analysis["luck"])
        for row, analysis in pairs
        if row.luck is not None and analysis.get("luck") is not None
    ]
    far = sum(distance > 0.0001 for distance in luck)
    yield f"  luck: {far} of {len(luck)} rolls differ (the first of a game by its definition)"


def _same_rolls(
    match: AnalyzedMatch, analyzed: dict[str, Any]
) -> Iterator[tuple[AnalyzedDecision, dict[str, Any]]]:
    for game, result in zip(analyzed["games"], match.results, strict=False):
        plies = [ply for ply in game["plies"] if ply["action_id"] <= _MOST_PLAYS]
        rows = [row for row in match.rows if row.game == result.game and row.kind is Kind.PLAY]
        rolls = [sorted(map(int, row.dice or "")) for row in rows]
        if rolls == [sorted((ply["d1"], ply["d2"])) for ply in plies]:
            pairs = zip(rows, plies, strict=True)
            yield from ((row, ply["analysis"]) for row, ply in pairs if ply.get("analysis"))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="+", type=Path, metavar="MATCH")
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--level", choices=PRESETS, default="2ply")
    return parser.parse_args()


if __name__ == "__main__":
    main()
