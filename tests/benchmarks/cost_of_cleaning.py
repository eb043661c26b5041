"""Measure the time that cleaning adds to a check of texts without damage.

    BGANALYZE_CORPUS=… python -m tests.benchmarks.cost_of_cleaning [--files 40] [--times 21] [--warm]

One process checks the same error-free files as the command does, with and without the cleanings, in turns, in
seconds of processor time. The least times are printed, too: what other programs add to a measurement is in the
quartiles, but hardly in these.
Caches are cleared before each pass over the files, or kept with `--warm`, as they are late in a large archive.
"""

from __future__ import annotations

import argparse
import gc
import os
import time
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from random import Random
from statistics import quantiles
from typing import NamedTuple
from unittest import mock

from bganalyze.app.jobs.check import check_file
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.record import reader
from bganalyze.record.cleaning.clean import Cleaned, Cleaning
from bganalyze.record.text_caches import clear_all_caches
from bganalyze.validation.findings import Selection
from tests.faults.record import clean_files

PASSES = 5
"""Passes over the files in each measurement: shorter ones would be imprecise where the clock has coarse steps."""


def leave_as_is(text: Cleaned, _: Iterable[Cleaning]) -> Cleaned:
    """Return a text without cleaning it."""
    return text


def measure_check(items: list[FileToRead], is_warm: bool) -> float:
    """Return the seconds that a check of the files takes."""
    gc.collect()
    start = time.process_time()
    for item in items * PASSES:
        if not is_warm and item is items[0]:
            clear_all_caches()
        check_file(item, BASIC, Selection())
    return time.process_time() - start


class Times(NamedTuple):
    """The seconds of two checks with cleaning, and of two without it."""

    cleaning: tuple[float, float]
    without: tuple[float, float]

    @property
    def ratio(self) -> float:
        """The time with cleaning, divided by the time without it."""
        return sum(self.cleaning) / sum(self.without)


def measure_both(items: list[FileToRead], is_warm: bool) -> Times:
    """Return the times of checks with cleaning, and of checks without it between these."""
    before = measure_check(items, is_warm)
    with (
        mock.patch.object(Cleaned, "clean", leave_as_is),
        mock.patch.object(reader, "_read_clean_match_text", return_value=None),
    ):
        without = (measure_check(items, is_warm), measure_check(items, is_warm))
    return Times((before, measure_check(items, is_warm)), without)


def main() -> None:
    """Print the quartiles of the ratios."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--corpus", type=Path, default=os.environ.get("BGANALYZE_CORPUS"))
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--times", type=int, default=21)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--warm", action="store_true", help="keep the caches between passes")
    options = parser.parse_args()
    paths = clean_files(options.corpus)
    Random(options.seed).shuffle(paths)
    items = [FileToRead(str(path), str(path)) for path in paths[: options.files]]
    measure_check(items, options.warm)
    times = [measure_both(items, options.warm) for _ in range(options.times)]
    low, middle, high = quantiles([one.ratio for one in times], n=4)
    least, least_without = (min(chain.from_iterable(pairs)) for pairs in zip(*times, strict=True))
    print(f"{len(items)} files: {middle:.3f} times the time without cleaning", end=" ")
    print(f"(quartiles of {len(times)} measurements {low:.3f} and {high:.3f})", end="; ")
    print(f"least times {least / least_without:.3f}")


if __name__ == "__main__":
    main()
