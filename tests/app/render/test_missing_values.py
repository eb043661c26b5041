"""Missing values in the reports of `stats`: no format shows the words Python has for them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bganalyze.analysis.store import Store
from bganalyze.app.api.stats import Statistics, stats
from bganalyze.app.render import ANSWER_FORMATS
from tests.analysis.rows import play
from tests.statistics.reports.analyzed import CLEAN, analyze_samples
from tests.statistics.reports.test_analyzed_small import match as small_match

MISSING = re.compile(r"(?<![\w-])(None|NaN|nan|NaT|<NA>|&lt;NA&gt;)(?![\w-])")
SAMPLES = ("short-match.mat", "money-jacoby-beavers.mat", "unfinished.mat", "one-point.mat")
PLOTTED = "phase,month,site"
"""The group whose page is made too: its plots cost more than all tables."""


def show_missing(answer: Statistics) -> Iterator[tuple[str, str]]:
    """Yield the name of each format with its words for missing values."""
    for name in ANSWER_FORMATS:
        yield from ((name, found[0]) for found in MISSING.finditer(answer.render(name)))
    body = re.sub(r"<(script|style)\b.*?</\1>", "", answer.page, flags=re.DOTALL)
    yield from (("page", found[0]) for found in MISSING.finditer(body))


@pytest.mark.slow
@pytest.mark.parametrize("by", [PLOTTED, "all"])
def test_reports_of_files_show_no_missing_value(by: str) -> None:
    paths = [CLEAN / name for name in SAMPLES[2:]]
    assert list(show_missing(stats(paths, "all", by, page=by == PLOTTED))) == []


@pytest.mark.slow
@pytest.mark.parametrize("by", [PLOTTED, "player"])
def test_reports_of_analyses_show_no_missing_value(by: str, tmp_path: Path) -> None:
    store = Store(str(tmp_path / "club.db"))
    for match in analyze_samples(SAMPLES):
        store.add(match)
    for number in range(9):
        even_luck = play(number / 1000, luck=number / 10_000)
        store.add(small_match(*[even_luck] * 30, number=number))
    answer = stats(db=str(tmp_path / "club.db"), report="all", by=by, page=by == PLOTTED)
    assert list(show_missing(answer)) == []
