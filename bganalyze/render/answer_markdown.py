"""Markdown: a table for each section."""

from __future__ import annotations

from collections.abc import Iterator

import pandas as pd

from bganalyze.render.answer_remarks import remarks
from bganalyze.render.cells import leading_words, shown
from bganalyze.render.document_markdown import diagram_pieces
from bganalyze.render.leading import leading
from bganalyze.render.markdown import escaped, table_row
from bganalyze.render.section_boards import boards
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer
from bganalyze.reports.figures import Section


def render(answer: Answer, setting: Setting) -> Iterator[str]:
    """Yield the sections under their headings, and what was counted and left out."""
    for name, sections in answer.reports.items():
        yield f"## {name}\n\n"
        for section in sections:
            yield from _section(section)
    yield "".join(f"- {words}\n" for words in remarks(answer, setting))


def _section(section: Section) -> Iterator[str]:
    frame, others = leading(section.frame)
    yield f"### {section.title}\n\n"
    for diagram in boards(section).diagrams:
        yield from diagram_pieces(diagram)
    if not section.boards:
        yield from _table(frame)
    yield "\n" + "".join(f"{escaped(note)}\n\n" for note in (others, *section.notes) if note)


def _table(frame: pd.DataFrame) -> Iterator[str]:
    headings, rows = shown(frame)
    words = leading_words(frame)
    yield table_row(headings)
    yield table_row(["---"] * words + ["---:"] * (len(headings) - words))
    yield from (table_row(map(escaped, row)) for row in rows)
