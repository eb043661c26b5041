"""Reports: each a function from sums and a question to sections, with an optional plot.

A report is a function and one line in `REPORTS`. What it needs of a turn is a column of the table of
turns; here things are only counted.
"""

from __future__ import annotations

from collections.abc import Iterable
from pkgutil import resolve_name
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from bganalyze.reports.figures import Report
    from bganalyze.reports.sums import Base

REPORTS = {
    "points": "bganalyze.reports.points:points",
    "checker": "bganalyze.reports.checker:checker",
    "cube": "bganalyze.reports.cube:cube",
    "openings": "bganalyze.reports.openings:openings",
    "dice": "bganalyze.reports.dice:dice",
    "head-to-head": "bganalyze.reports.points:head_to_head",
    "trend": "bganalyze.reports.points:trend",
    "findings": "bganalyze.reports.findings:findings",
    "time": "bganalyze.reports.time:time",
    "conformance": "bganalyze.reports.conformance:conformance",
}
"""The reports and where each is, to be imported when it is asked for."""

JUDGED_REPORTS = {
    "errors": "bganalyze.reports.errors:errors",
    "cube-errors": "bganalyze.reports.errors:cube_errors",
    "luck": "bganalyze.reports.luck:luck",
    "worst": "bganalyze.reports.errors:worst",
    "ratings": "bganalyze.reports.luck:ratings",
}
"""The reports of judged matches: functions of `JudgedTables`."""


def report(name: str) -> Report:
    """Return the report of a name."""
    return cast("Report", resolve_name({**REPORTS, **JUDGED_REPORTS}[name]))


def bases(names: Iterable[str] = REPORTS) -> tuple[Base, ...]:
    """Return what these reports count, each base once, and what every answer tells of."""
    from bganalyze.reports.findings import FAULTS
    from bganalyze.reports.recorded import TURNS

    counted = (base for name in names for base in report(name).bases)
    return tuple({base.name: base for base in (TURNS, FAULTS, *counted)}.values())


def groups(names: Iterable[str]) -> frozenset[str]:
    """Return the groups of columns of turns that these reports need."""
    return frozenset(group for base in bases(names) for group in base.groups)
