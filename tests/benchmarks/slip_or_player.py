"""Measure how well a check separates transcription slips from player's errors, given their odds.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.slip_or_player [--seed 1] [--files 12] [--games 25]

Games with a real player's error (`tests/player_errors.py`) and clean match texts with a slip in a
play (`tests/faults/`) are mixed at 1:1, 1:3 and 1:9. With these odds set, a check states the
chance of a slip for the first error that players can make at the table. Records without such an
error are left out. Records are weighted, so each ratio is met exactly. A contradicted error that no
player can have made has no stated chance: it counts as a slip with `CERTAIN`.

Prints the log loss for each ratio, beside that of always stating the prior, and how often errors of
each stated chance are slips. Then, by evidence, the share of both kinds: their quotients are to be
the factors of `bganalyze/validation/slip_odds.py`, which were measured on other records. The status is 1 if the prior
does better at one of the ratios.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.app.jobs.check import check_by_all_rules
from bganalyze.board.rule_book import BASIC
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying.contradictions import AT_TABLE
from bganalyze.validation.slip_odds import ALL_KINDS, Odds, Ratio
from tests import player_errors
from tests.faults.catalog import REPAIRED
from tests.faults.record import clean_files, open_record

RATIOS = (Ratio(1, 1), Ratio(1, 3), Ratio(1, 9))

FAMILIES = ("dice", "unreadable", "nearest legal", "steps")
"""Families of slips in a single play."""

CERTAIN = 0.999
"""The chance taken for an error that is called a slip outright."""

BINS = (0.0, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.98, 1.0)
"""Bounds of the rows of the calibration table."""


class Case(NamedTuple):
    """An error at the table, and whether a slip has made it."""

    kind: str
    finding: Finding
    is_slip: bool

    def chance(self, odds: Odds) -> float:
        """Return the stated chance of a slip."""
        stated = self.finding.under(odds).slip
        return CERTAIN if stated is None else stated.lowest

    @property
    def evidence(self) -> str:
        """The evidence of the record, and whether a player may have erred against it."""
        assert self.finding.evidence is not None
        kind = str(self.finding.evidence.kind)
        return f"{kind}, may stand" if self.finding.may_stand else kind


class Weighted(NamedTuple):
    """A stated chance, the truth, and the weight of both in a mixture."""

    chance: float
    is_slip: bool
    weight: float


def error_at_table(data: bytes, path: str) -> Finding | None:
    """Return the first error in a file that players can make at the table."""
    examination, _ = check_by_all_rules(data, path, BASIC)
    errors = (one for one in examination.findings if one.severity is Severity.ERROR)
    return next((error for error in errors if error.name in AT_TABLE), None)


def player_cases(seed: int, games: int) -> Iterator[Case]:
    """Yield games with a player's error, the same number of each kind."""
    for kind in player_errors.ALL_KINDS:
        for record in player_errors.make_match_files(kind, seed, games):
            if (error := error_at_table(record, "played.mat")) is not None:
                yield Case(kind, error, is_slip=False)


def slip_cases(seed: int, files: int, corpus: Path) -> Iterator[Case]:
    """Yield match texts with a slip in a play, the same number of each kind."""
    paths = clean_files(corpus)
    Random(seed).shuffle(paths)
    for kind in REPAIRED:
        left = files if kind.family in FAMILIES else 0
        for path in paths:
            if not left:
                break
            record = open_record(path.name, path.read_bytes())
            slip = record and kind.make(record, Random(f"{seed}:{path.name}:{kind.name}"))
            if record is None or slip is None:
                continue
            left -= 1
            error = error_at_table(record.encoded(slip.lines), path.name)
            if error is not None:
                yield Case(kind.name, error, is_slip=True)


def mixture(cases: Sequence[Case], ratio: Ratio) -> list[Weighted]:
    """Return the stated chances of a mixture of slips and player's errors."""
    counts = Counter(case.is_slip for case in cases)
    shares = {True: prior_of(ratio), False: 1 - prior_of(ratio)}
    odds = Odds({ALL_KINDS: ratio})
    return [
        Weighted(case.chance(odds), case.is_slip, shares[case.is_slip] / counts[case.is_slip])
        for case in cases
    ]


def prior_of(ratio: Ratio) -> float:
    """Return the share of slips among all errors."""
    return ratio.slips / (ratio.slips + ratio.errors)


def log_loss(mixed: Iterable[Weighted]) -> float:
    """Return the mean negative logarithm of the probability given to the truth.

    >>> round(log_loss([Weighted(0.5, True, 0.5), Weighted(0.5, False, 0.5)]), 3)
    0.693
    """
    return -math.fsum(
        weight * math.log(chance if is_slip else 1 - chance) for chance, is_slip, weight in mixed
    )


def print_calibration(mixed: Sequence[Weighted]) -> None:
    """Print the stated and the true share of slips, by the stated chance."""
    print(f"  {'chance':12}{'errors':>8}{'weight':>9}{'stated':>9}{'slips':>9}")
    for low, high in pairwise(BINS):
        inside = [one for one in mixed if low <= one.chance < high]
        weight = math.fsum(one.weight for one in inside)
        if inside:
            stated = math.fsum(one.weight * one.chance for one in inside) / weight
            true = math.fsum(one.weight * one.is_slip for one in inside) / weight
            bounds = f"{low:.2f}-{high:.2f}"
            print(f"  {bounds:12}{len(inside):8}{weight:9.3f}{stated:9.1%}{true:9.1%}")


def print_shares(title: str, cases: Iterable[Case], key: Callable[[Case], str]) -> None:
    """Print how many slips and player's errors have each key, and the quotient of the shares."""
    counts = Counter((key(case), case.is_slip) for case in cases)
    totals = Counter[bool]()
    for (_, is_slip), count in counts.items():
        totals[is_slip] += count
    print(f"\n{title:34}{'slips':>12}{'players':>12}{'factor':>9}")
    for name in sorted({name for name, _ in counts}):
        slips, errors = counts[name, True], counts[name, False]
        # Half a case is added to each count, so a rare key gives no factor of 0 or infinity.
        factor = (slips + 0.5) / (totals[True] + 1) * (totals[False] + 1) / (errors + 0.5)
        parts = f"{slips:5} ({slips / totals[True]:4.0%}){errors:5} ({errors / totals[False]:4.0%})"
        print(f"{name:34}{parts}{factor:9.3f}")


def main() -> int:
    """Measure how well slips are separated from player's errors."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    corpus = os.environ.get("BGANALYZE_CORPUS")
    parser.add_argument("--corpus", type=Path, default=corpus, required=corpus is None)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--files", type=int, default=12, help="files for each kind of slip")
    parser.add_argument("--games", type=int, default=25, help="games for each player's error")
    options = parser.parse_args()
    players = list(player_cases(options.seed, options.games))
    slips = list(slip_cases(options.seed, options.files, options.corpus))
    cases = players + slips
    print(f"{len(players)} player's errors, {len(slips)} slips, seed {options.seed}")
    missed = False
    for ratio in RATIOS:
        mixed = mixture(cases, ratio)
        prior = prior_of(ratio)
        constant = log_loss(one._replace(chance=prior) for one in mixed)
        loss = log_loss(mixed)
        missed |= loss >= constant
        evaluation = "met" if loss < constant else "MISSED"
        print(f"\n{ratio}: log loss {loss:.3f}, always the prior {constant:.3f}  {evaluation}")
        print_calibration(mixed)
    print_shares("evidence", cases, lambda case: case.evidence)
    print_shares("rule and evidence", cases, lambda case: f"{case.finding.code} {case.evidence}")
    print_shares("kind and evidence", cases, lambda case: f"{case.kind}: {case.evidence}")
    return missed


if __name__ == "__main__":
    sys.exit(main())
