"""Two periods or conditions compared."""

from __future__ import annotations

import datetime as dt
from functools import partial

import numpy as np
import pandas as pd
import pytest
import scipy

from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_analyses
from bganalyze.statistics.reports.comparing import (
    LOWER,
    TOO_FEW,
    compare_answers,
    parse_conditions,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.sureness import MAY_BE_CHANCE
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.analysis.rows import play
from tests.statistics.reports.test_analyzed_small import match

pytestmark = pytest.mark.slow

BEFORE = [0.20, 0.30, 0.25, 0.15, 0.35, 0.22, 0.28, 0.18, 0.32, 0.27, 0.24, 0.26]
AFTER = [0.10, 0.12, 0.05, 0.15, 0.08, 0.02, 0.11, 0.09, 0.07, 0.13, 0.01, 0.06]
"""Loss of Ann's one play in each match of a year."""


def tables_of(before: list[float], after: list[float]) -> AnalyzedTables:
    """Return matches of 2023, to 5 points, and matches of 2024, to 7."""
    losses = [(2023, 5, lost) for lost in before] + [(2024, 7, lost) for lost in after]
    return tabulate_analyzed(
        match(
            *(play(lost)._replace(length=length), play(0.05, side=1)._replace(length=length)),
            number=number,
            date=dt.date(year, 5, 1),
            length=length,
            results=tuple(result._replace(length=length) for result in match().results),
        )
        for number, (year, length, lost) in enumerate(losses, 1)
    )


def compare(tables: AnalyzedTables, text: str, **question: object) -> ReportAnswer:
    asked = Question(**{"player": "Ann", "metrics": ("gnubg",), **question})  # type: ignore[arg-type]
    return compare_answers(
        partial(answer_from_analyses, tables), ["errors"], asked, parse_conditions(text)
    )


def first_row(answer: ReportAnswer) -> pd.Series:
    return answer.reports["errors"][0].frame.iloc[0]


@pytest.mark.parametrize("text", ["2023,2024", "2023-01..2023-12,2024", "length=5,length=7"])
def test_a_change_is_tested_as_two_samples_of_matches(text: str) -> None:
    """Every match has one decision, so the rates are means, and the test is Welch's."""
    row = first_row(compare(tables_of(BEFORE, AFTER), text))
    one, other = text.split(",")
    assert row[one] == pytest.approx(1000 * np.mean(BEFORE))
    assert row[other] == pytest.approx(1000 * np.mean(AFTER))
    assert row["difference"] == pytest.approx(1000 * (np.mean(AFTER) - np.mean(BEFORE)))
    test = scipy.stats.ttest_ind(BEFORE, AFTER, equal_var=False)
    assert row["p"] == pytest.approx(test.pvalue, rel=1e-6)
    assert row["low"] < row["difference"] < row["high"] < 0
    assert row["verdict"] == f"{LOWER}, sure"


def test_no_change_can_be_told() -> None:
    same = [0.2, 0.1, 0.3, 0.15, 0.25, 0.2, 0.1, 0.3, 0.22, 0.18]
    row = first_row(compare(tables_of(same, [*same[::-1][:-1], 0.19]), "2023,2024"))
    assert row["verdict"] == MAY_BE_CHANCE
    assert row["low"] < 0 < row["high"]


def test_nine_matches_are_too_few() -> None:
    row = first_row(compare(tables_of(BEFORE[:9], AFTER), "2023,2024"))
    assert np.isnan(row["p"])
    assert row["verdict"] == TOO_FEW


def test_the_p_values_of_a_table_are_corrected_together() -> None:
    frame = compare(tables_of(BEFORE, AFTER), "2023,2024", metrics=()).reports["errors"][0].frame
    known = frame.dropna(subset="p")
    assert len(known) > 3
    assert (known["corrected"] > known["p"]).all()


def test_periods_are_counted_apart_and_conditions_without_cases_are_told() -> None:
    tables = tables_of(BEFORE, AFTER)
    assert compare(tables, "2023,2024").counted[0].startswith("2023: 12 matches")
    nothing = compare(tables, "length=5,length=9")
    assert nothing.reports == {"errors": []}
    assert nothing.left_out[-1] == "no figure has cases in both length=5 and length=9"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("2023", "name two conditions"),
        ("2023,2024,2025", "name two conditions"),
        ("2023,", "name two conditions"),
        ("2023,length=5", "two values of one dimension"),
        ("stage=money,length=5", "two values of one dimension"),
        ("shoe=1,shoe=2", "'shoe' is no dimension"),
        ("2023,last year", "is not a day, month or year"),
        ("length=5,length=5", "both conditions are the same"),
    ],
)
def test_what_cannot_be_compared_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        parse_conditions(text)


def test_a_period_within_which_periods_are_compared_is_refused() -> None:
    with pytest.raises(ValueError, match="compare two periods, or name one"):
        compare(tables_of(BEFORE, AFTER), "2023,2024", since=dt.date(2023, 1, 1))
