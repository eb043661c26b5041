"""The answers that are stored, each a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.stored.figures import figures, judged_figures
from tests.stored.findings import findings
from tests.stored.pages import boards, conversions, match_report, statistics
from tests.stored.tables import judged_tables, tables

FOLDER = Path(__file__).parent

ANSWERS: dict[str, Callable[[], str]] = {
    "findings.txt": findings,
    "tables.txt": tables,
    "judged-tables.txt": judged_tables,
    "figures.txt": figures,
    "judged-figures.txt": judged_figures,
    "statistics.txt": statistics,
    "match-report.txt": match_report,
    "conversions.txt": conversions,
    "boards.txt": boards,
}
