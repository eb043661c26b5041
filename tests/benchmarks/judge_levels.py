"""What a decision costs at each level of an engine, in milliseconds of processor time.

    python tests/benchmarks/judge_levels.py [MATCH] [--levels gnubg:0ply,sage:1ply] [--write]

Every level judges all decisions of one match, luck included, with what it takes to start; then, of
an engine that can be asked so, the plays and the decisions about the cube by themselves. GNU
Backgammon analyses a whole game. Of several rounds the quickest counts. `--write` puts the table
into the README.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import bganalyze
from bganalyze.judging.decisions import Decision, Kind
from bganalyze.judging.engines import Limits, start
from bganalyze.judging.match import prepare

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"
README = Path(__file__).parents[2] / "README.md"
BEGIN, END = "<!-- begin levels -->\n", "<!-- end levels -->"
LEVELS = (
    *("sage:1ply", "sage:standard", "sage:2ply", "sage:2ply-exhaustive"),
    *("sage:thorough", "sage:3ply", "sage:4ply"),
    *("gnubg:0ply", "gnubg:1ply", "gnubg:2ply", "gnubg:3ply"),
)
FEW = {"sage:4ply": 4}
"""Levels of which only so many decisions are judged."""
ROUNDS = 3
LONG = 10.0
"""Seconds after which a level is not measured again."""


def main() -> None:
    """Print a row for each level."""
    options = _options()
    [match, *_] = bganalyze.read(str(options.match))
    decisions = prepare(match).decisions
    lines = [
        "| | | a play | a decision about the cube | all together |",
        "|---|---|---:|---:|---:|",
    ]
    print(*lines, sep="\n")
    for name in options.levels.split(","):
        lines.append(_row(name, decisions[: FEW.get(name, len(decisions))]))
        print(lines[-1], flush=True)
    if options.write:
        before, _, rest = README.read_text(encoding="utf-8").partition(BEGIN)
        table = "".join(f"{line}\n" for line in lines)
        README.write_text(before + BEGIN + table + END + rest.partition(END)[2], encoding="utf-8")


def _row(name: str, decisions: Sequence[Decision]) -> str:
    engine_name, _, level = name.partition(":")
    figures = ["", "", _rounded(cost(engine_name, level, decisions))]
    if engine_name == "sage":
        for place, is_play in enumerate((True, False)):
            chosen = [one for one in decisions if (one.kind is Kind.PLAY) is is_play]
            figures[place] = _rounded(cost(engine_name, level, chosen))
    note = f" (the first {FEW[name]} decisions)" if name in FEW else ""
    return f"| `{engine_name}` | `{level}`{note} | {' | '.join(figures)} |"


def _rounded(milliseconds: float) -> str:
    """Two digits that count, so that runs on a busy machine agree."""
    return f"{float(f'{milliseconds:.2g}'):,g}"


def cost(name: str, level: str, decisions: Sequence[Decision]) -> float:
    """Return the milliseconds of processor time that a decision takes.

    Each round is a process of its own: an engine remembers what it was asked.
    """
    spent: list[float] = []
    while len(spent) < ROUNDS and sum(spent) < LONG:
        ours, theirs = multiprocessing.Pipe()
        process = multiprocessing.Process(target=_judge, args=(name, level, decisions, theirs))
        process.start()
        spent.append(ours.recv())
        process.join()
    return 1000 * min(spent) / len(decisions)


def _judge(name: str, level: str, decisions: Sequence[Decision], pipe: Connection) -> None:
    before = _processor()
    start(name, level, Limits(threads=1)).judge(decisions)
    pipe.send(_processor() - before)


def _processor() -> float:
    """Seconds that this process and those it started have used."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("match", nargs="?", type=Path, default=SAMPLE)
    parser.add_argument("--levels", default=",".join(LEVELS))
    parser.add_argument("--write", action="store_true", help="put the table into the README")
    return parser.parse_args()


if __name__ == "__main__":
    main()
