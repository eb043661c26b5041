"""Reports: each a function from sums and a question to sections, with an optional plot.

A report is a function and one line in `REPORTS`. Reports only count: the properties of a turn are
columns of the table of turns.
"""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from bganalyze.statistics.reports.figures import Report
    from bganalyze.statistics.reports.sums import SummedRows

REPORTS = {
    "points": "bganalyze.statistics.reports.points:points",
    "checker": "bganalyze.statistics.reports.checker:checker",
    "cube": "bganalyze.statistics.reports.cube:cube",
    "openings": "bganalyze.statistics.reports.openings:openings",
    "dice": "bganalyze.statistics.reports.dice:dice",
    "head-to-head": "bganalyze.statistics.reports.points:head_to_head",
    "trend": "bganalyze.statistics.reports.points:trend",
    "findings": "bganalyze.statistics.reports.findings:findings",
    "time": "bganalyze.statistics.reports.time:time",
    "conformance": "bganalyze.statistics.reports.conformance:conformance",
    "players": "bganalyze.statistics.reports.players:players",
}
"""The reports with the place of each, for import on demand."""

ANALYZED_REPORTS = {
    "errors": "bganalyze.statistics.reports.errors:errors",
    "cube-errors": "bganalyze.statistics.reports.errors:cube_errors",
    "cube-habits": "bganalyze.statistics.reports.cube_habits:cube_habits",
    "losses": "bganalyze.statistics.reports.losses:losses",
    "luck": "bganalyze.statistics.reports.luck:luck",
    "worst": "bganalyze.statistics.reports.errors:worst",
    "summary": "bganalyze.statistics.reports.summary:summary",
    "ratings": "bganalyze.statistics.reports.luck:ratings",
}
"""The reports of analyzed matches: functions of `AnalyzedTables`."""


def report(name: str) -> Report:
    """Return the report with a name."""
    return cast("Report", resolve_name({**REPORTS, **ANALYZED_REPORTS}[name]))


def list_summed_rows(names: Iterable[str] = REPORTS) -> tuple[SummedRows, ...]:
    """Return which rows these reports count and sum, and those that every answer needs.

    `names` are the reports' names, by default all reports of match files.
    """
    from bganalyze.statistics.reports.findings import FAULTS
    from bganalyze.statistics.reports.recorded_rolls import TURNS

    counted = (base for name in names for base in report(name).bases)
    return tuple({base.name: base for base in (TURNS, FAULTS, *counted)}.values())


def list_column_groups(names: Iterable[str]) -> frozenset[str]:
    """Return the names of the groups of columns in the table of turns that these reports read.

    A table can be made with only these columns.
    """
    return frozenset(group for base in list_summed_rows(names) for group in base.groups)
