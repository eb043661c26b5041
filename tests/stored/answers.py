"""The answers that are stored, each a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.stored.codes import codes
from tests.stored.figures import analyzed_figures, figures
from tests.stored.findings import findings
from tests.stored.pages import boards, conversions, match_report, statistics
from tests.stored.tables import analyzed_tables, tables

FOLDER = Path(__file__).parent

ANSWERS: dict[str, Callable[[], str]] = {
    "codes.txt": codes,
    "findings.txt": findings,
    "tables.txt": tables,
    "analyzed-tables.txt": analyzed_tables,
    "figures.txt": figures,
    "analyzed-figures.txt": analyzed_figures,
    "statistics.txt": statistics,
    "match-report.txt": match_report,
    "conversions.txt": conversions,
    "boards.txt": boards,
}
