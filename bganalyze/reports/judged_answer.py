"""The answer to a question about judged matches."""

from __future__ import annotations

from collections.abc import Iterable

from bganalyze.counts import number_of
from bganalyze.reports import report
from bganalyze.reports.answer import Answer
from bganalyze.reports.judged import apart, engines
from bganalyze.reports.question import Question
from bganalyze.reports.selection import selected
from bganalyze.tables.judged_frames import JudgedTables


def judged_answered(tables: JudgedTables, names: Iterable[str], question: Question) -> Answer:
    """Return what the named reports say of judged matches: of each engine apart."""
    chosen, left = selected(tables, question)
    question = apart(chosen, question)
    judges = engines(chosen.matches).value_counts()
    counted = (
        number_of(len(chosen.matches), "match"),
        number_of(len(chosen.games), "game"),
        number_of(len(chosen.decisions), "decision"),
        *(f"{number_of(each, 'match')} judged by {name}" for name, each in judges.items()),
    )
    made = {name: report(name).report(chosen, question) for name in names}
    return Answer(question, counted, left.words(), made)
