"""The sections of one report, as tests ask for them."""

from __future__ import annotations

from bganalyze.reports import bases, report
from bganalyze.reports.answer import answered_by
from bganalyze.reports.figures import Section
from bganalyze.reports.question import Question
from bganalyze.reports.sums import Sums, kept
from bganalyze.tables.frames import JudgedTables, Tables


def sections_of(name: str, tables: Tables | JudgedTables, question: Question) -> list[Section]:
    """Return what a report says of tables, of judged matches too."""
    if isinstance(tables, JudgedTables):
        return list(report(name).report(tables, question))
    return list(answered_by(_sums(name, tables), [name], question).reports[name])


_SUMMED: dict[tuple[str, int], tuple[Tables, Sums]] = {}


def _sums(name: str, tables: Tables) -> Sums:
    """Return what a report counts in the tables: summed once, however many questions are asked."""
    key = name, id(tables)
    if key not in _SUMMED:
        _SUMMED[key] = tables, kept(tables, bases([name]))
    return _SUMMED[key][1]
