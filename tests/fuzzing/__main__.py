"""`python -m tests.fuzzing`: read and check mutants and noise, and report what goes wrong."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.record.decoding import decode
from tests.faults.record import corpus
from tests.fuzzing.bases import LARGEST, bases, bases_of
from tests.fuzzing.mutants import mutant
from tests.fuzzing.noise import noise
from tests.fuzzing.totality import Trouble, smaller, troubles, unsteady
from tests.pasting import paste

REPEATED = 500
"""Number of files of each kind that are read and checked twice more, to be compared."""

SHOWN = 3
"""Most examples of one failure that are shown."""


class Outcome(NamedTuple):
    """One file: what was wrong with it, and the processor time it took."""

    kind: str
    number: int
    found: tuple[Trouble, ...]
    seconds: float


def main() -> int:
    """Run, or until interrupted; the status is 1 where anything went wrong."""
    options = _options()
    start, counts, slowest = time.perf_counter(), Counter[str](), Outcome("none", 0, (), 0.0)
    counts_of_kind = Counter[str]()
    with suppress(KeyboardInterrupt):
        for outcome in _run(options):
            counts_of_kind[outcome.kind] += 1
            slowest = max(slowest, outcome, key=lambda finished: finished.seconds)
            for trouble in outcome.found:
                counts[trouble.what] += 1
                if counts[trouble.what] <= SHOWN:
                    _show(outcome, trouble, options)
    spent = time.perf_counter() - start
    print(
        f"{counts_of_kind['mutant']:,} mutants and {counts_of_kind['noise']:,} files of noise in {spent:.0f} s"
    )
    print(f"slowest: {slowest.kind} {slowest.number}, {slowest.seconds:.2f} s")
    for description, count in counts.most_common():
        print(f"{count:7} {description}")
    return 1 if counts else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--noise", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument(
        "--largest", type=int, default=LARGEST, help="bases of at most so many bytes"
    )
    parser.add_argument("--format", help="bases of this format only, and no noise")
    parser.add_argument(
        "--form", help="bases of match text in this form of tests/pasting.py, and no noise"
    )
    parser.add_argument("--keep", type=Path, help="a folder for the files that went wrong")
    parser.add_argument("--shrink", action="store_true", help="show as little as goes wrong")
    return parser.parse_args()


def _run(options: argparse.Namespace) -> Iterator[Outcome]:
    work = partial(_try_mutant, options.seed, _choose_bases(options))
    tasks = [("mutant", number) for number in range(options.mutants)]
    if options.format is None and options.form is None:
        tasks += [("noise", number) for number in range(options.noise)]
    if options.jobs <= 1:
        yield from map(work, tasks)
        return
    with Pool(options.jobs) as pool:
        yield from pool.imap(work, tasks, chunksize=20)


class Bases(NamedTuple):
    """The files that mutants are made of."""

    largest: int
    """Most bytes of a file."""
    format: str | None
    """The only format, or None for all."""
    form: str | None
    """The form of `tests/pasting.py` that the files are brought into, or None."""


def _choose_bases(options: argparse.Namespace) -> Bases:
    return Bases(options.largest, options.format or (options.form and "mat"), options.form)


def _try_mutant(seed: int, chosen: Bases, task: tuple[str, int]) -> Outcome:
    start = time.process_time()
    data = file(seed, chosen, *task)
    outcome_troubles = tuple(troubles(data))
    seconds = time.process_time() - start
    if task[1] < REPEATED:
        outcome_troubles += tuple(unsteady(data))
    return Outcome(*task, outcome_troubles, seconds)


def file(seed: int, chosen: Bases, kind: str, number: int) -> bytes:
    """Return the file of that kind and number: the same for the same seed and bases."""
    rng = Random(f"{seed}:{kind}:{number}")
    return noise(rng) if kind == "noise" else mutant(_load_bases(chosen), rng)


@cache
def _load_bases(chosen: Bases) -> list[bytes]:
    if chosen.format is None:
        return bases(corpus(), chosen.largest)
    files = bases_of(chosen.format, corpus(), chosen.largest)
    form = chosen.form
    return files if form is None else [paste(decode(data).text, form).encode() for data in files]


def _show(outcome: Outcome, trouble: Trouble, options: argparse.Namespace) -> None:
    print(f"{outcome.kind} {outcome.number}: {trouble.what}: {trouble.detail}", flush=True)
    data = file(options.seed, _choose_bases(options), outcome.kind, outcome.number)
    if options.shrink and trouble.what not in ("slow", "hang"):
        print(f"    {smaller(data, trouble.what)[:2_000]!r}", flush=True)
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
        name = f"{outcome.kind}-{outcome.number}-{trouble.what.replace(' ', '-')}.mat"
        (options.keep / name).write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
