"""How many errors found at one level of an engine are errors at a deeper one, by their size.

    python -m tests.benchmarks.errors_by_level MATCH… [--levels 1ply,2ply] [--engine gnubg]

An error is a counted decision that loses at least `LEAST` EMG. The sizes are those at the first level.
The sentence below the costliest decisions of a profile was measured on 24 matches of one player:

    python -m tests.benchmarks.errors_by_level "$BGANALYZE_CORPUS"/mat/bgnori+bglib__*2009Feb*
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from itertools import pairwise

import pandas as pd

import bganalyze

LEAST = 0.02
"""EMG from which a loss is an error."""
SIZES = (LEAST, 0.04, 0.08, float("inf"))
KEY = ["path", "number", "game", "decision"]


def main() -> None:
    """Print for each size of error how many of them are errors at the second level, too."""
    options = _parse_options()
    first, second = (
        find_losses(options.matches, options.engine, level) for level in options.levels.split(",")
    )
    both = first.merge(second, on=KEY, suffixes=("", "_deeper"))
    print(f"{len(both):,} decisions in {len(options.matches)} files")
    for low, high in pairwise(SIZES):
        errors = both[both["loss"].between(low, high, inclusive="left")]
        still = int((errors["loss_deeper"] >= LEAST).sum())
        print(f"  {low} to {high} EMG: {still} of {len(errors)} are errors at the deeper level")


def find_losses(paths: Sequence[str], engine: str, level: str) -> pd.DataFrame:
    """Return the loss of each counted decision of some files at a level, with the columns of `KEY`."""
    tables = [bganalyze.analyze(path, engine, level).decisions for path in paths]
    decisions = pd.concat(tables)
    return decisions.loc[decisions["xg_b_counts"] & decisions["loss"].notna(), [*KEY, "loss"]]


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("matches", nargs="+", metavar="MATCH")
    parser.add_argument("--levels", default="1ply,2ply")
    parser.add_argument("--engine", default="gnubg")
    return parser.parse_args()


if __name__ == "__main__":
    main()
