"""The sections of one report, as tests ask for them."""

from __future__ import annotations

from bganalyze.statistics.reports import list_summed_tables, report
from bganalyze.statistics.reports.answer import answer_sums
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import KeptSums, sum_in_memory
from bganalyze.statistics.tables.frames import AnalyzedTables, Tables


def sections_of(name: str, tables: Tables | AnalyzedTables, question: Question) -> list[Section]:
    """Return what a report says of tables, of analyzed matches too."""
    if isinstance(tables, AnalyzedTables):
        return list(report(name).report(tables, question))
    return list(answer_sums(_sums(name, tables), [name], question).reports[name])


_SUMMED: dict[int, tuple[Tables, KeptSums]] = {}


def _sums(name: str, tables: Tables) -> KeptSums:
    """Return what a report counts in the tables, and nothing else; tables are summed once."""
    if id(tables) not in _SUMMED:
        _SUMMED[id(tables)] = tables, sum_in_memory(tables, list_summed_tables())
    _, sums = _SUMMED[id(tables)]
    return sums._replace(
        frames={base.name: sums.frames[base.name] for base in list_summed_tables([name])}
    )
