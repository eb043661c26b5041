"""Measure a decision at each level of an engine, and a match by number of cores.

    python tests/benchmarks/analyze_levels.py [MATCH] [--levels gnubg:0ply,sage:1ply] [--write]

Every level analyzes all decisions of one match, luck included, with what it takes to start; then, of
an engine that can be asked so, the plays and the decisions about the cube by themselves: these are
milliseconds of processor time. GNU Backgammon analyses a whole game. Of several rounds the quickest
counts. Then `bganalyze analyze` is timed by the clock with one process and with two; what eight would
take is reckoned from these: work that is shared by two is shared by eight, and the rest is not.
`--write` puts the table into docs/engines.md. It wants two cores that nobody else uses.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bganalyze.analysis.decisions import Decision, Kind
from bganalyze.analysis.engines import Limits, start
from bganalyze.analysis.match import make_unanalyzed
from bganalyze.record.reader import read

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"
PAGE = Path(__file__).parents[2] / "docs" / "engines.md"
BEGIN, END = "<!-- begin levels -->\n", "<!-- end levels -->"
LEVELS = (
    *("sage:1ply", "sage:standard", "sage:2ply", "sage:2ply-exhaustive"),
    *("sage:thorough", "sage:3ply", "sage:4ply"),
    *("gnubg:0ply", "gnubg:1ply", "gnubg:2ply", "gnubg:3ply"),
)


class EngineLevel(NamedTuple):
    """An engine at one of its levels."""

    engine: str
    level: str


FEW = {EngineLevel("sage", "4ply"): 4}
"""Number of decisions analyzed at slow levels."""
BY_GAMES = "gnubg"
"""The engine that takes a game at a time: what more cores than games would gain is nothing."""
ROUNDS = 3
LONG = 10.0
"""Seconds after which a level is not measured again."""


def main() -> None:
    """Print a row for each level."""
    options = _options()
    [match, *_] = read(str(options.match))
    decisions = make_unanalyzed(match).decisions
    lines = [
        "| | | a play | about the cube | both | one core | two cores | eight, reckoned |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    print(*lines, sep="\n")
    for engine_level in map(_engine_level, options.levels.split(",")):
        count = FEW.get(engine_level, len(decisions))
        costs = _costs(engine_level, decisions[:count])
        clocks = [""] * 3 if engine_level in FEW else _clocks(engine_level, options.match)
        note = f" (the first {count} decisions)" if engine_level in FEW else ""
        cells = [f"`{engine_level.engine}`", f"`{engine_level.level}`{note}", *costs, *clocks]
        lines.append(f"| {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    if options.write:
        before, _, after = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        table = "".join(f"{line}\n" for line in lines)
        PAGE.write_text(before + BEGIN + table + END + after.partition(END)[2], encoding="utf-8")


def _engine_level(name: str) -> EngineLevel:
    """Return the engine and level that `engine:level` names."""
    engine, _, level = name.partition(":")
    return EngineLevel(engine, level)


def _costs(engine_level: EngineLevel, decisions: Sequence[Decision]) -> list[str]:
    """Return the milliseconds of a play, of a decision about the cube, and of both together."""
    figures = ["", "", _round(cost(engine_level, decisions))]
    if engine_level.engine != BY_GAMES:
        for place, is_play in enumerate((True, False)):
            of_kind = [
                decision for decision in decisions if (decision.kind is Kind.PLAY) is is_play
            ]
            figures[place] = _round(cost(engine_level, of_kind))
    return figures


def _clocks(engine_level: EngineLevel, match: Path) -> list[str]:
    """Return the seconds for a match on one core, on two, and as computed for eight."""
    one_core, two_cores = (clock(engine_level, match, cores) for cores in (1, 2))
    shared = max(
        2 * (one_core - two_cores), 0.0
    )  # The least of work is done before a second process is there.
    eight_cores = (
        "" if engine_level.engine == BY_GAMES else f"{_round(one_core - shared + shared / 8)} s"
    )
    return [f"{_round(one_core)} s", f"{_round(two_cores)} s", eight_cores]


def _round(milliseconds: float) -> str:
    """Return a number with two significant digits, so that runs on a busy machine agree."""
    return f"{float(f'{milliseconds:.2g}'):,g}"


def cost(engine_level: EngineLevel, decisions: Sequence[Decision]) -> float:
    """Return the milliseconds of processor time that a decision takes.

    Each round is a process of its own: an engine remembers what it was asked.
    """
    spent: list[float] = []
    while len(spent) < ROUNDS and sum(spent) < LONG:
        receiving, sending = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_analyze, args=(engine_level, decisions, sending))
        process.start()
        spent.append(receiving.recv())
        process.join()
    return 1000 * min(spent) / len(decisions)


def clock(engine_level: EngineLevel, match: Path, cores: int) -> float:
    """Return the wall-clock seconds that `bganalyze analyze` takes for a match on `cores` cores."""
    spent: list[float] = []
    while len(spent) < ROUNDS and sum(spent) < LONG:
        with TemporaryDirectory() as folder:
            command = [sys.executable, "-m", "bganalyze", "analyze", str(match), "--quiet"]
            command += [
                "--engine",
                engine_level.engine,
                "--level",
                engine_level.level,
                "--workers",
                str(cores),
            ]
            before = time.perf_counter()
            subprocess.run([*command, "--db", f"{folder}/kept.db"], check=True)
            spent.append(time.perf_counter() - before)
    return min(spent)


def _analyze(engine_level: EngineLevel, decisions: Sequence[Decision], pipe: Connection) -> None:
    before = _processor()
    start(engine_level.engine, engine_level.level, Limits(threads=1)).evaluate(decisions)
    pipe.send(_processor() - before)


def _processor() -> float:
    """Return the processor seconds of this process and its children."""
    usage, children = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return usage.ru_utime + usage.ru_stime + children.ru_utime + children.ru_stime


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--write", action="store_true", help="put the table into docs/engines.md")
    return parser.parse_args()


if __name__ == "__main__":
    main()
