"""Comparing two periods or two conditions: every figure of both, with the test of the difference."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.statistics.estimates import (
    MeasuredFigures,
    correct_dependent_p_values,
    p_value_of_differences,
)
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.days import parse_days
from bganalyze.statistics.reports.figures import COLUMNS, Section, has_figures
from bganalyze.statistics.reports.question import DIMENSIONS, Question
from bganalyze.statistics.sureness import DEFINITION, describe_differences

AskReport: TypeAlias = Callable[[Sequence[str], Question], ReportAnswer]
"""Function that answers a question with the named reports."""

Numbers: TypeAlias = npt.NDArray[np.float64]

FEWEST_MATCHES = 10
"""Fewest matches on each side of a comparison; with fewer no difference is tested."""

HIGHER, LOWER = "higher", "lower"
TOO_FEW = f"fewer than {FEWEST_MATCHES} matches"


class Condition(NamedTuple):
    """One of two conditions to compare, such as `2023` or `length=5`."""

    words: str
    """As the user writes it: `2023`, `2023..2024-06`, `length=5`."""
    dimension: str = ""
    """The dimension of a condition; empty for a period."""
    value: str = ""

    def ask(
        self, run_reports: AskReport, report_names: Sequence[str], question: Question
    ) -> ReportAnswer:
        """Ask for the named reports on only the matches and decisions that meet this condition."""
        if not self.dimension:
            since, until = _read_period(self.words)
            return run_reports(report_names, question._replace(since=since, until=until))
        by = tuple(dict.fromkeys((*question.by, self.dimension)))
        answer = run_reports(report_names, question._replace(by=by))
        drops_column = self.dimension not in question.by
        chosen = {
            name: [self._choose_rows(section, drops_column=drops_column) for section in sections]
            for name, sections in answer.reports.items()
        }
        return answer._replace(reports=chosen)

    def _choose_rows(self, section: Section, *, drops_column: bool) -> Section:
        """Return a report's table with only the rows that meet this condition.

        With `drops_column`, the column that the condition names is removed.
        """
        frame = section.frame
        if self.dimension not in frame:
            return section._replace(frame=frame[:0])
        rows = frame[frame[self.dimension].astype(str).str.casefold() == self.value.casefold()]
        return section._replace(frame=rows.drop(columns=self.dimension) if drops_column else rows)


def parse_conditions(text: str) -> tuple[Condition, Condition]:
    """Return the two conditions in a text such as `2023,2024` or `length=5,length=7`.

    Raises ValueError unless the text has two periods, or two values of one dimension such as
    `length`.

    >>> [condition.words for condition in parse_conditions("2023,2024-01..2024-06")]
    ['2023', '2024-01..2024-06']
    >>> [condition.value for condition in parse_conditions("length=5,length=7")]
    ['5', '7']
    """
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not all(parts):
        raise ValueError(
            f"{text!r}: name two conditions to compare, such as 2023,2024 or length=5,length=7"
        )
    one, other = map(_parse_condition, parts)
    if one.dimension != other.dimension:
        raise ValueError(f"{text!r}: compare two periods, or two values of one dimension")
    if one[1:] == other[1:] and one.words == other.words:
        raise ValueError(f"{text!r}: both conditions are the same")
    return one, other


def require_one_period(conditions: tuple[Condition, Condition], question: Question) -> None:
    """Raise ValueError if both the conditions and the question name periods."""
    if not conditions[0].dimension and (question.since or question.until):
        raise ValueError("compare two periods, or name one with since and until; not both")


def _parse_condition(text: str) -> Condition:
    """Return the condition in a text such as `length=5` or `2023`.

    Raises ValueError for any other text.

    >>> _parse_condition("length=5")
    Condition(words='length=5', dimension='length', value='5')
    """
    dimension, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        _read_period(text)
        return Condition(text)
    if dimension not in DIMENSIONS:
        raise ValueError(f"{dimension!r} is no dimension; there are {', '.join(DIMENSIONS)}")
    return Condition(text, dimension, value)


def _read_period(text: str) -> tuple[dt.date, dt.date]:
    """Return the first and the last day of a period such as `2023` or `2023..2024-06`.

    >>> [str(day) for day in _read_period("2023..2024-06")]
    ['2023-01-01', '2024-06-30']
    """
    first, _, last = text.partition("..")
    return parse_days(first)[0], parse_days(last or first)[1]


def compare_answers(
    run_reports: AskReport,
    report_names: Sequence[str],
    question: Question,
    conditions: tuple[Condition, Condition],
) -> ReportAnswer:
    """Run reports under each of two conditions, and test how each statistic differs.

    The p-values are corrected for the number of statistics in a table. Raises ValueError if both
    the conditions and the question name periods.
    """
    require_one_period(conditions, question)
    one, other = (condition.ask(run_reports, report_names, question) for condition in conditions)
    words = conditions[0].words, conditions[1].words
    reports = {
        name: [
            _compare_section(section, words)
            for section in _join_sections(one, other, name)
            if len(section.frame)
        ]
        for name in report_names
    }
    counted, left_out = one.counted, one.left_out
    if not any(reports.values()):
        left_out = (*left_out, f"no figure has cases in both {words[0]} and {words[1]}")
    if not conditions[0].dimension:
        counted = tuple(
            f"{period}: {', '.join(answer.counted)}"
            for period, answer in zip(words, (one, other), strict=True)
        )
        left_out = (
            *_merge_notes(words, (one.left_out, other.left_out)),
            *left_out[len(one.left_out) :],
        )
    return one._replace(question=question, counted=counted, left_out=left_out, reports=reports)


def _merge_notes(
    condition_texts: tuple[str, str], notes: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[str, ...]:
    """Join the notes of two answers; a note of only one answer is preceded by its condition."""
    shared = [note for note in notes[0] if note in notes[1]]
    own = [
        f"{period}: {', '.join(others)}"
        for period, of_period in zip(condition_texts, notes, strict=True)
        if (others := [note for note in of_period if note not in shared])
    ]
    return (*shared, *own)


def _compare_section(section: Section, condition_texts: tuple[str, str]) -> Section:
    """Return a table with the difference of each statistic between two conditions, and its test."""
    p_values = _compute_p_values(section.frame)
    return section._replace(
        frame=_select_shown_columns(section.frame, p_values, condition_texts), notes=_NOTES
    )


_NOTES = (
    f"{DEFINITION} ({FEWEST_MATCHES} matches on each side); p-values are corrected for the figures of this table",
)

_KEPT = ("kind", "value", "low", "high", "matches")
_SIDES = ("_one", "_other")


def _join_sections(one: ReportAnswer, other: ReportAnswer, name: str) -> Iterator[Section]:
    """Yield each table that both answers have for the report `name`, with both values per row."""
    others = {section.title: section for section in other.reports[name]}
    for section in one.reports[name]:
        second = others.get(section.title)
        if second is None or not (has_figures(section.frame) and has_figures(second.frame)):
            continue
        keys = [column for column in section.frame if column not in COLUMNS] + ["figure"]
        keys = [column for column in keys if column in second.frame and column != "called"]
        joined = _select_rates(section, keys).merge(
            _select_rates(second, keys), on=keys, suffixes=_SIDES
        )
        yield Section(section.title, joined)


def _select_rates(section: Section, keys: Sequence[str]) -> pd.DataFrame:
    """Return the columns `keys` and the values of all statistics except plain counts."""
    frame = section.frame
    rows = frame.loc[frame["kind"] != "count", [*keys, *_KEPT]]
    return rows.astype(dict.fromkeys(keys, object))


def _select_measured(frame: pd.DataFrame, suffix: str) -> MeasuredFigures:
    """Return values, intervals and numbers of matches from the columns that end in `suffix`."""
    names = ("value", "low", "high", "matches")
    return MeasuredFigures(*(frame[name + suffix].to_numpy(dtype=float) for name in names))


def _compute_p_values(frame: pd.DataFrame) -> Numbers:
    """Return the p-value of each row's difference, or NaN if a value has too few matches."""
    one, other = (_select_measured(frame, suffix) for suffix in _SIDES)
    enough = np.minimum(one.matches, other.matches) >= FEWEST_MATCHES
    return np.where(enough, p_value_of_differences(one, other), np.nan)


def _select_shown_columns(
    frame: pd.DataFrame, p_values: Numbers, condition_texts: tuple[str, str]
) -> pd.DataFrame:
    """Return the columns to show: both values, their difference, its interval and certainty.

    `condition_texts` become the names of the two columns of values.
    """
    one, other = (_select_measured(frame, suffix) for suffix in _SIDES)
    difference = other.value - one.value
    reach = np.hypot(one.high - one.value, other.value - other.low)
    reach_up = np.hypot(one.value - one.low, other.high - other.value)
    corrected = np.full(len(p_values), np.nan)
    known = ~np.isnan(p_values)
    corrected[known] = correct_dependent_p_values(p_values[known].tolist())
    verdict = describe_differences(
        [HIGHER if more else LOWER for more in difference > 0], corrected
    )
    few = np.minimum(one.matches, other.matches) < FEWEST_MATCHES
    names = [name for name in frame if not str(name).endswith(_SIDES)]
    return frame[names].assign(
        **{
            condition_texts[0]: one.value,
            condition_texts[1]: other.value,
            "difference": difference,
            "low": difference - reach,
            "high": difference + reach_up,
            "p": p_values,
            "corrected": corrected,
            "verdict": np.where(few, TOO_FEW, verdict),
        }
    )
