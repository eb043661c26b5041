"""Compare the error rates that two engines give the same players.

    bganalyze analyze FOLDER --engine gnubg --level 0ply --db both.db
    bganalyze analyze FOLDER --engine sage --level 1ply --db both.db
    python tests/benchmarks/engines_side_by_side.py both.db

For each pair of engines and levels and each metric: the correlation of the rates of all players in
their matches, and the mean difference, the second less the first, with its standard error.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

import numpy as np

from bganalyze.analysis.error_rates import METRICS
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.store import Store

FEWEST = 10
"""A player with fewer counted decisions in a match has no rate."""

Rates = dict[tuple[str, str, int], float]
"""By metric, content of the match and side."""


def main(database: str) -> None:
    """Print the agreement of every pair."""
    rates = rates_of(Store(database).matches())
    for engine, peer in combinations(sorted(rates), 2):
        print(f"{' '.join(engine)}  and  {' '.join(peer)}")
        for metric in METRICS:
            shared = [key for key in rates[engine] if key[0] == metric.name and key in rates[peer]]
            pairs = np.array([(rates[engine][key], rates[peer][key]) for key in shared]).reshape(
                -1, 2
            )
            if len(pairs) > 1:
                print(f"  {metric.name:8} {agreement(pairs)} {metric.unit}")


def rates_of(matches: Iterable[AnalyzedMatch]) -> dict[tuple[str, str], Rates]:
    """Return the error rates of both players of each match, by engine and level."""
    rates: dict[tuple[str, str], Rates] = defaultdict(dict)
    for match in matches:
        for metric in METRICS:
            for side in (0, 1):
                figure = metric.measure(match.rows, side)
                if figure.rate is not None and figure.counted >= FEWEST:
                    key = metric.name, match.key.content, side
                    rates[match.key.engine, match.key.level][key] = figure.rate
    return rates


def agreement(pairs: np.ndarray) -> str:
    """Say how two columns of rates agree."""
    first, second = pairs.T
    difference = second - first
    error = difference.std(ddof=1) / np.sqrt(len(pairs))
    return (
        f"{len(pairs):4} players: correlation {np.corrcoef(first, second)[0, 1]:.3f}, "
        f"means {first.mean():6.2f} {second.mean():6.2f}, "
        f"difference {difference.mean():+.2f} ± {error:.2f}"
    )


if __name__ == "__main__":
    main(sys.argv[1])
