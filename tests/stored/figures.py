"""The figures of every report on the samples, a line each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from bganalyze.board.ids import xgid
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, list_summed_tables
from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_analyses, answer_from_sums
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import sum_in_memory
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.statistics.reports.analyzed import analyze_samples
from tests.stored.tables import tabulate_samples

ONE_PLAYER = Question(player="Ada Quill")
SOME_MATCHES = Question(
    by=("length",),
    since=dt.date(2031, 5, 18),
    until=dt.date(2031, 5, 19),
    strict=True,
    finished=True,
)
OF_STAGES = ("points", "cube")
OF_SOME = ("points", "checker", "head-to-head")
OF_ONE_PLAYER = ("points", "checker", "cube", "head-to-head", "trend")


def figures() -> str:
    """Return what the reports say of all samples together, and some of them of one player."""
    sums = sum_in_memory(tabulate_samples(), list_summed_tables())
    together = answer_from_sums(sums, REPORTS, Question(by=()))
    apart = answer_from_sums(sums, OF_ONE_PLAYER, ONE_PLAYER)
    staged = answer_from_sums(sums, OF_STAGES, Question(by=("stage",), min_games=2))
    chosen = answer_from_sums(sums, OF_SOME, SOME_MATCHES)
    return _describe(
        {"all together": together, "one player": apart, "by stage": staged, "some matches": chosen}
    )


def write_analyzed_figures() -> str:
    """Return what the reports of analyzed matches say of some samples."""
    matches = analyze_samples(["short-match.mat", "redoubles.mat", "galaxy.txt"])
    matches = [match._replace(path=f"{number}.mat") for number, match in enumerate(matches)]
    tables = tabulate_analyzed(matches)
    together = answer_from_analyses(tables, ANALYZED_REPORTS, Question(by=()))
    apart = answer_from_analyses(tables, ANALYZED_REPORTS, ONE_PLAYER)
    return _describe({"all together": together, "one player": apart})


def _describe(answers: Mapping[str, ReportAnswer]) -> str:
    return "\n".join(
        "".join(f"{line}\n" for line in _answer(about, answer)) for about, answer in answers.items()
    )


def _answer(about: str, answer: ReportAnswer) -> Iterator[str]:
    yield f"== {about}: {', '.join(answer.counted)}"
    yield from (f"left out: {text}" for text in answer.left_out)
    for name, sections in answer.reports.items():
        for section in sections:
            yield f"-- {name}: {section.title}"
            yield from _section(section)


def _section(section: Section) -> Iterator[str]:
    yield from (f"note: {note}" for note in section.notes)
    for board in section.boards:
        position = "no XGID" if board.situation is None else xgid(board.situation)
        facts = "; ".join(f"{label}: {text}" for label, text in board.facts)
        yield f"board: {board.title}; {' - '.join(board.names)}; {position}; {facts}"
    if len(section.frame):
        yield " | ".join(map(str, section.frame))
        yield from (" | ".join(map(_write_value, row)) for row in _rows(section.frame))


def _rows(frame: pd.DataFrame) -> Iterable[Sequence[Any]]:
    return frame.astype(object).itertuples(index=False)


def _write_value(value: Any) -> str:
    if pd.isna(value):
        return "-"
    if isinstance(value, pd.Timestamp):
        return str(value.date())
    return f"{value + 0.0:.4g}" if isinstance(value, float) else str(value)
