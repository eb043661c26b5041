"""The answers of reports as a document: a chapter for each report, a part for each section."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from bganalyze.render.answer_remarks import remarks
from bganalyze.render.cells import leading_words, shown
from bganalyze.render.document import Block, Cell, Chapter, Document, Grid, Note, Part, Picture
from bganalyze.render.leading import leading
from bganalyze.render.section_boards import boards
from bganalyze.render.setting import Setting
from bganalyze.reports import report
from bganalyze.reports.answer import Answer
from bganalyze.reports.figures import Section

Pictures = Mapping[str, Sequence[Picture]]
"""The plots of each report, by its name."""


def answer_document(answer: Answer, pictures: Pictures, setting: Setting) -> Document:
    """Return the document of an answer, with its plots."""
    chapters = tuple(
        Chapter(_named(name), tuple(_parts(name, sections, pictures.get(name, ()))))
        for name, sections in answer.reports.items()
    )
    said = (f"{words[:1].upper()}{words[1:]}." for words in remarks(answer, setting))
    return Document(_asked(answer), chapters, tuple(said))


def answer_page(answer: Answer, pictures: Pictures, setting: Setting) -> str:
    """Return an answer as one page of HTML."""
    from bganalyze.render.document_html import page

    return page(answer_document(answer, pictures, setting))


def _named(name: str) -> str:
    words = name.replace("-", " ")
    return words[:1].upper() + words[1:]


def _asked(answer: Answer) -> str:
    """What the page is about: whose statistics, and of which days."""
    question = answer.question
    about = "Statistics" if question.player is None else f"Statistics of {question.player}"
    days = (("since", question.since), ("until", question.until))
    return " ".join([about, *(f"{word} {day}" for word, day in days if day is not None)])


def _parts(name: str, sections: Sequence[Section], pictures: Sequence[Picture]) -> Iterator[Part]:
    if pictures:
        yield Part("Plots", tuple(pictures))
    for section in sections:
        yield Part(section.title, tuple(_blocks(section)))
    meanings = tuple(_meanings(name, sections))
    if meanings:
        yield Part("What the figures are", meanings)


def _blocks(section: Section) -> Iterator[Block]:
    frame, others = leading(section.frame)
    if section.boards:
        yield boards(section)
    elif len(frame):
        yield _grid(section.title, frame)
    else:
        yield Note("Nothing to count.")
    notes = (note for note in (others, *section.notes) if note)
    yield from (Note(f"{note[:1].upper()}{note[1:]}.") for note in notes)


def _grid(title: str, frame: pd.DataFrame) -> Grid:
    headings, rows = shown(frame)
    cells = tuple(tuple(map(Cell, row)) for row in rows)
    return Grid(title, tuple(headings), cells, leading_words(frame))


def _meanings(name: str, sections: Sequence[Section]) -> Iterator[Grid]:
    figures = report(name).SECTIONS
    for section in sections:
        rows = tuple(
            (Cell(each.name), Cell(each.meaning)) for each in figures.get(section.title, ())
        )
        if rows:
            yield Grid(section.title, ("Figure", "Meaning"), rows, words=2)
