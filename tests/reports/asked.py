"""The sections of one report, as tests ask for them."""

from __future__ import annotations

from bganalyze.reports import report
from bganalyze.reports.answer import answered
from bganalyze.reports.figures import Section
from bganalyze.reports.question import Question
from bganalyze.tables.frames import JudgedTables, Tables


def sections_of(name: str, tables: Tables | JudgedTables, question: Question) -> list[Section]:
    """Return what a report says of tables, of judged matches too."""
    if isinstance(tables, JudgedTables):
        return list(report(name).report(tables, question))
    return list(answered(tables, [name], question).reports[name])
