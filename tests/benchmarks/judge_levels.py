"""What a decision costs at each level of an engine, in milliseconds of processor time.

    python tests/benchmarks/judge_levels.py [MATCH] [--levels gnubg:0ply,sage:1ply] [--first N]

Every level judges all decisions of one match, luck included, with what it takes to start; then, of
an engine that can be asked so, the plays and the decisions about the cube by themselves. GNU
Backgammon analyses a whole game. Of several rounds the quickest counts.
"""

from __future__ import annotations

import argparse
import resource
from collections.abc import Sequence
from pathlib import Path

import bganalyze
from bganalyze.judging.decisions import Decision, Kind
from bganalyze.judging.engines import Engine, Limits, start
from bganalyze.judging.match import prepare

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"
LEVELS = (
    *("sage:1ply", "sage:2ply", "sage:3ply", "sage:standard", "sage:thorough"),
    *("gnubg:0ply", "gnubg:1ply", "gnubg:2ply", "gnubg:3ply"),
)
ROUNDS = 3
LONG = 10.0
"""Seconds after which a level is not measured again."""


def main() -> None:
    """Print a line for each level."""
    options = _options()
    [match, *_] = bganalyze.read(str(options.match))
    found = prepare(match).decisions[: options.first]
    plays = [each for each in found if each.kind is Kind.PLAY]
    cubes = [each for each in found if each.kind is not Kind.PLAY]
    print(f"{options.match.name}: {len(plays)} plays, {len(cubes)} others; ms of processor time")
    print(f"{'':15} {'decision':>9} {'play':>9} {'cube':>9}")
    for each in options.levels.split(","):
        name, _, level = each.partition(":")
        engine = start(name, level, Limits(threads=1))
        asked = (found, plays, cubes) if name == "sage" else (found,)
        figures = (f"{cost(engine, some):9.2f}" for some in asked)
        print(f"{name:6}{level:9}", *figures, flush=True)


def cost(engine: Engine, decisions: Sequence[Decision]) -> float:
    """Return the milliseconds of processor time that a decision takes."""
    spent: list[float] = []
    while len(spent) < ROUNDS and sum(spent) < LONG:
        before = _processor()
        engine.judge(decisions)
        spent.append(_processor() - before)
    return 1000 * min(spent) / len(decisions)


def _processor() -> float:
    """Seconds that this process and those it started have used."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--first", type=int, metavar="N", help="only so many decisions")
    return parser.parse_args()


if __name__ == "__main__":
    main()
