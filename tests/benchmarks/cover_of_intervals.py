"""Simulate how often intervals hold the true value, for rare and common shares and counts.

    python -m tests.benchmarks.cover_of_intervals [FOLDER]

Each number is the share of simulated collections of so many matches whose interval holds the true
value; 95 of 100 should. With FOLDER, collections are also drawn from its records, whose own rates
are the truth. docs/reports.md says what came out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from bganalyze.statistics.estimates import Clusters, Estimates, FloatArray

MATCHES = (10, 30, 100, 300, 1000)
ROWS = 1_000_000
"""Matches drawn for one setting, in at most `TIMES` collections."""

TIMES = 4000

Numbers: TypeAlias = npt.NDArray[np.float64]
Draw: TypeAlias = Callable[[np.random.Generator, int], tuple[Numbers, Numbers]]
"""From a number of matches to what is counted in each, and of how many."""


def faults(
    one_in: float, in_each: float, random: np.random.Generator, matches: int
) -> tuple[Numbers, Numbers]:
    """Return faults and rolls of matches of different lengths; one in `one_in` has about `in_each` faults."""
    rolls = random.integers(20, 261, matches).astype(float)
    has_any = random.random(matches) < rolls / rolls.mean() / one_in
    return has_any * random.geometric(1 / in_each, matches).astype(float), rolls


def happenings(
    share: float, likeness: float, random: np.random.Generator, matches: int
) -> tuple[Numbers, Numbers]:
    """Return the occurrences of an event and its chances; turns of a match are alike by `likeness`."""
    turns = random.integers(5, 60, matches)
    spread = 1 / likeness - 1
    tendency = random.beta(share * spread, (1 - share) * spread, matches)
    return random.binomial(turns, tendency).astype(float), turns.astype(float)


def draw_matches(
    counts: Numbers, of: Numbers, random: np.random.Generator, matches: int
) -> tuple[Numbers, Numbers]:
    """Return matches drawn from those that there are."""
    places = random.integers(0, len(counts), matches)
    return counts[places], of[places]


def inventions(
    share: float, one_in: float, invented: float, random: np.random.Generator, matches: int
) -> tuple[Numbers, Numbers]:
    """Return dances with 6-6 and all dances; in one match of `one_in`, most are made up."""
    dances = random.integers(3, 26, matches)
    chance = np.where(random.random(matches) < 1 / one_in, invented, share)
    return random.binomial(dances, chance).astype(float), dances.astype(float)


TOP_HEAVY = np.zeros(1495)
TOP_HEAVY[:4] = 22, 1, 1, 1
"""Faults by match, where one match holds 22 of 25."""

COUNTS: dict[str, tuple[Draw, float]] = {
    "findings of which one match of 1,495 holds 22 of 25": (
        partial(draw_matches, TOP_HEAVY, np.full(len(TOP_HEAVY), 140.0)),
        25 / len(TOP_HEAVY) / 140,
    ),
} | {
    f"findings in one match of {one_in:g}, {in_each:g} in each": (
        partial(faults, one_in, in_each),
        in_each / one_in / 140,
    )
    for one_in, in_each in ((90, 1.5), (40, 2), (10, 2), (10, 4), (1.9, 4))
}
"""Populations of counts, with the true rate a roll."""

SHARES: dict[str, tuple[Draw, float]] = {
    "`6-6 of dances`, made up in one match of 50": (
        partial(inventions, 0.06, 50, 0.8),
        0.06 + (0.8 - 0.06) / 50,
    ),
} | {
    f"a share of {100 * share:g} %, correlation {likeness:g}": (
        partial(happenings, share, likeness),
        share,
    )
    for share, likeness in ((0.3, 0.05), (0.02, 0.02), (0.002, 0.002))
}


def estimates(draw: Draw, kind: str, matches: int, random: np.random.Generator) -> Estimates:
    """Return the intervals of many collections of `matches` matches; `kind` is a method of Clusters."""
    import pandas as pd

    times = min(TIMES, ROWS // matches)
    above, below = draw(random, matches * times)
    clusters = Clusters(pd.DataFrame({"sample": np.repeat(np.arange(times), matches)}), ["sample"])
    estimate: Callable[[Numbers, Numbers], dict[str, FloatArray]] = getattr(clusters, kind)
    return estimate(above, below)


def cover(draw: Draw, truth: float, kind: str, matches: int) -> float:
    """Return the share of intervals that hold the truth."""
    intervals = estimates(draw, kind, matches, np.random.default_rng(matches))
    return float(np.mean((intervals["low"] <= truth) & (truth <= intervals["high"])))


def of_records(folder: str) -> Iterator[tuple[str, tuple[Draw, float]]]:
    """Yield the faults of real records, to be drawn from, with their rates."""
    from bganalyze.app.jobs.tabulate import tabulate_files
    from bganalyze.statistics.reports.findings import FAULTS, count_findings_by_match
    from bganalyze.statistics.reports.question import Question
    from bganalyze.statistics.reports.selection import select_sums
    from bganalyze.statistics.reports.sums import sum_in_memory

    sums, _ = select_sums(sum_in_memory(tabulate_files([folder], groups=[]), [FAULTS]), Question())
    rows = count_findings_by_match(sums)
    rows = rows[rows["rolls"] > 0]
    rolls = rows["rolls"].to_numpy(float)
    for name in ("error", "warning", "info"):
        counts = rows[name].to_numpy(float)
        label = f"{name} of {len(rows):,} records: {counts.sum():g} in {(counts > 0).sum()}"
        yield label, (partial(draw_matches, counts, rolls), counts.sum() / rolls.sum())


def main(folders: list[str]) -> None:
    """Print a table of covers."""
    print(f"{'matches':56}", *(f"{matches:>6,}" for matches in MATCHES))
    real = dict(line for folder in folders for line in of_records(folder))
    for kind, populations in (("occurrences", COUNTS | real), ("share", SHARES)):
        for label, (draw, truth) in populations.items():
            covers = (cover(draw, truth, kind, matches) for matches in MATCHES)
            print(f"{label:56}", *(f"{share:6.3f}" for share in covers))


if __name__ == "__main__":
    main(sys.argv[1:])
