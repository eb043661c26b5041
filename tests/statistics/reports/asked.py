"""The sections of one report, as tests ask for them."""

from __future__ import annotations

import pandas as pd

from bganalyze.statistics.reports import list_summed_tables, load_report
from bganalyze.statistics.reports.answer import answer_from_sums
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import KeptSums, sum_each_table
from bganalyze.statistics.tables.frames import AnalyzedTables, Recorded, Tables


def sections_of(name: str, tables: Tables | AnalyzedTables, question: Question) -> list[Section]:
    """Return what a report says of tables, of analyzed matches too."""
    if isinstance(tables, AnalyzedTables):
        return list(load_report(name).report(tables, question))
    return list(answer_from_sums(_sums(name, tables), [name], question).reports[name])


_SUMMED: dict[int, tuple[Tables, dict[str, pd.DataFrame]]] = {}


def _sums(name: str, tables: Tables) -> KeptSums:
    """Return what a report counts in the tables, and nothing else; each table is summed once."""
    needed = list_summed_tables([name])
    _, frames = _SUMMED.setdefault(id(tables), (tables, {}))
    frames |= sum_each_table(tables, [base for base in needed if base.name not in frames])
    recorded = Recorded(tables.matches, tables.games)
    return KeptSums(recorded, {base.name: frames[base.name] for base in needed})
