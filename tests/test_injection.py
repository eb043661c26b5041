"""A sample of the fault injector: one thing broken, and it must be named where it is.

All are run by `python -m tests.injection`; see `REPORTS` of tests/faults/catalog.py for what each
fault must give.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from bganalyze.record.reader import read
from tests.faults.catalog import REPORTS
from tests.faults.record import clean_files
from tests.injection.trial import Count, Trial, trials

pytestmark = pytest.mark.slow

SEED = 1905
SAMPLES = Path(__file__).parent.parent / "samples" / "clean"
MOST_SAMPLES = 6
CORPUS_FILES = 8


def total_of(results: Iterable[Trial]) -> tuple[Count, list[str]]:
    """Return the figures of all trials, and a line for each miss."""
    total, misses = Count(), []
    for trial in results:
        total.add(trial)
        if trial.is_miss:
            codes = sorted({finding.code for finding in trial.found if finding.severity == "error"})
            place = f"{Path(trial.path).name}:{trial.broken.line}"
            misses.append(f"{trial.kind} {place}: {trial.broken.parts[0].now} gave {codes}")
    return total, misses


def assert_named(files: list[Path]) -> None:
    """Break each file in every way, and hold the figures against what is asked for."""
    results = (one for path in files for one in trials(path, path.read_bytes(), REPORTS, SEED))
    total, misses = total_of(results)
    report = "\n".join(misses[:40])
    assert total.faults > 20 * len(files), "hardly anything could be broken"
    assert total.at_row >= 0.99 * total.faults, report
    assert total.exact >= 0.95 * total.faults, report
    assert 20 * total.unrelated < total.faults, report


def test_breaks_of_the_samples_are_named() -> None:
    samples = sorted(path for path in SAMPLES.rglob("*") if path.suffix in (".mat", ".txt"))
    files = [path for path in samples if read(path)[0].format == "mat"]
    if not files:
        pytest.skip("there is no folder samples/clean")
    assert_named(Random(SEED).sample(files, min(len(files), MOST_SAMPLES)))


@pytest.mark.corpus
def test_breaks_of_real_files_are_named(corpus: Path) -> None:
    assert_named(Random(SEED).sample(clean_files(corpus), CORPUS_FILES))
