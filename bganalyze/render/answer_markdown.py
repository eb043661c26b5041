"""Markdown: a table for each section."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bganalyze.config import title
from bganalyze.render.cells import leading_words, shown
from bganalyze.render.leading import leading
from bganalyze.render.printable import printable
from bganalyze.render.setting import Setting
from bganalyze.reports.answer import Answer
from bganalyze.reports.figures import Section

_MARKS = re.compile(r"([\\`*_{}\[\]()<>#+!|&~$])")


def render(answer: Answer, setting: Setting) -> Iterator[str]:
    """Yield the sections under their headings, and what was counted and left out."""
    for name, sections in answer.reports.items():
        yield f"## {name}\n\n"
        for section in sections:
            yield from _section(section)
    yield "".join(
        f"- {words}\n" for words in (f"counted: {', '.join(answer.counted)}", *answer.left_out)
    )
    yield f"- judged by the law: {title(setting.law)}\n"


def _section(section: Section) -> Iterator[str]:
    frame, others = leading(section.frame)
    headings, rows = shown(frame)
    words = leading_words(frame)
    yield f"### {section.title}\n\n" + table_row(headings)
    yield table_row(["---"] * words + ["---:"] * (len(headings) - words))
    yield from (table_row(map(escaped, row)) for row in rows)
    yield "\n" + "".join(f"{escaped(note)}\n\n" for note in (others, *section.notes) if note)


def table_row(cells: Iterable[str]) -> str:
    """Return a row of a table; its cells must be escaped."""
    return f"| {' | '.join(cells)} |\n"


def escaped(text: str) -> str:
    r"""Text of which nothing is taken for a mark.

    >>> escaped("<b>|x|")
    '\\<b\\>\\|x\\|'
    """
    return _MARKS.sub(r"\\\1", printable(text))
