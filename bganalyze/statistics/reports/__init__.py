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
    from bganalyze.statistics.reports.sums import SummedTable

REPORTS = {
    "points": "bganalyze.statistics.reports.points:yield_points_sections",
    "checker": "bganalyze.statistics.reports.checker:yield_checker_sections",
    "cube": "bganalyze.statistics.reports.cube:yield_cube_sections",
    "openings": "bganalyze.statistics.reports.openings:yield_openings_sections",
    "dice": "bganalyze.statistics.reports.dice:yield_dice_sections",
    "head-to-head": "bganalyze.statistics.reports.points:yield_head_to_head_sections",
    "trend": "bganalyze.statistics.reports.points:yield_trend_sections",
    "findings": "bganalyze.statistics.reports.findings:yield_findings_sections",
    "time": "bganalyze.statistics.reports.time:yield_time_sections",
    "conformance": "bganalyze.statistics.reports.conformance:yield_conformance_sections",
    "players": "bganalyze.statistics.reports.players:yield_players_sections",
}
"""The reports with the place of each, for import on demand."""

ANALYZED_REPORTS = {
    "errors": "bganalyze.statistics.reports.errors:yield_errors_sections",
    "cube-errors": "bganalyze.statistics.reports.errors:yield_cube_errors_sections",
    "cube-habits": "bganalyze.statistics.reports.cube_habits:yield_cube_habits_sections",
    "losses": "bganalyze.statistics.reports.losses:yield_losses_sections",
    "luck": "bganalyze.statistics.reports.luck:yield_luck_sections",
    "worst": "bganalyze.statistics.reports.errors:yield_worst_sections",
    "summary": "bganalyze.statistics.reports.summary:yield_summary_sections",
    "ratings": "bganalyze.statistics.reports.luck:yield_ratings_sections",
}
"""The reports of analyzed matches: functions of `AnalyzedTables`."""


def load_report(name: str) -> Report:
    """Import the module of the report called `name`, such as `cube`, and return the report."""
    return cast("Report", resolve_name({**REPORTS, **ANALYZED_REPORTS}[name]))


def list_summed_tables(report_names: Iterable[str] = REPORTS) -> tuple[SummedTable, ...]:
    """Return the tables that the named reports sum up, and the tables of turns and of findings."""
    from bganalyze.statistics.reports.findings import FAULTS
    from bganalyze.statistics.reports.recorded_rolls import TURNS

    counted = (table for name in report_names for table in load_report(name).summed_tables)
    return tuple({table.name: table for table in (TURNS, FAULTS, *counted)}.values())


def list_column_groups(report_names: Iterable[str]) -> frozenset[str]:
    """Return which column groups of the table of turns, such as `race`, the named reports need."""
    return frozenset(group for table in list_summed_tables(report_names) for group in table.groups)
