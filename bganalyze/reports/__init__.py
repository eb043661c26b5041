"""Reports: each a function from tables to sections, with an optional plot.

A report is a module and one line in `REPORTS`. What it needs of a turn is a column of the table of
turns; here things are only counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from types import ModuleType

REPORTS = {
    "points": "bganalyze.reports.points",
    "checker": "bganalyze.reports.checker",
    "cube": "bganalyze.reports.cube",
    "openings": "bganalyze.reports.openings",
    "dice": "bganalyze.reports.dice",
    "head-to-head": "bganalyze.reports.head_to_head",
    "trend": "bganalyze.reports.trend",
    "findings": "bganalyze.reports.findings",
}
"""The reports and the modules that make them, imported when they are asked for."""

JUDGED_REPORTS = {
    "errors": "bganalyze.reports.errors",
    "cube-errors": "bganalyze.reports.cube_errors",
    "luck": "bganalyze.reports.luck",
    "worst": "bganalyze.reports.worst",
    "ratings": "bganalyze.reports.ratings",
}
"""The reports of judged matches: functions of `JudgedTables`."""


def report(name: str) -> ModuleType:
    """Return the module of a report: `SECTIONS`, `report(tables, question)`, perhaps `GROUPS`."""
    return import_module({**REPORTS, **JUDGED_REPORTS}[name])


def groups(names: Iterable[str]) -> frozenset[str]:
    """Return the groups of columns of turns that these reports need."""
    return frozenset(group for name in names for group in report(name).GROUPS)
