"""Short explanations of the abbreviations on a page, each given at its first occurrence."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bganalyze.app.render.document import (
    Block,
    Chapter,
    Diagram,
    Diagrams,
    DiagramSteps,
    Document,
    Note,
    Picture,
)

MEANINGS = {
    "EMG": "EMG (equivalent to money game): equity per game on the scale of money play, where"
    " winning a single game at the present cube is 1; mEMG is a thousandth",
    "PR": "PR (performance rating): average loss per counted decision in EMG, times 500; lower"
    " is better",
    "MWC": "MWC (match-winning chance): chance to win the match, from 0 to 100 %, by the"
    " Kazaross-XG2 table",
    "DP": "DP (doubling point): from here on a double is right",
    "CP": "CP (cash point): from here on the double should be passed",
    "TG": "TG (too good): beyond this point playing on for the gammon is worth more than cashing",
}
"""Meaning of each abbreviation, in the words of the glossary."""

_NEEDS = {"PR": ("EMG",)}
"""Abbreviations that the meaning of another one uses."""

_TERM = re.compile(rf"\bm?({'|'.join(MEANINGS)})\b")


def explain_terms(document: Document) -> Document:
    """Return a document in which a note explains each abbreviation where it first occurs."""
    known: set[str] = set()
    chapters = tuple(_explain_in_chapter(chapter, known) for chapter in document.chapters)
    return document._replace(chapters=chapters)


def _explain_in_chapter(chapter: Chapter, known: set[str]) -> Chapter:
    """Return a chapter with a note on each abbreviation that is not yet `known`.

    The abbreviations explained are added to `known`.
    """
    parts = (
        part._replace(blocks=tuple(_explain_in_blocks(part.blocks, known)))
        for part in chapter.parts
    )
    return chapter._replace(parts=tuple(parts))


def _explain_in_blocks(blocks: tuple[Block, ...], known: set[str]) -> Iterator[Block]:
    """Yield blocks (paragraphs, tables or pictures), and notes on new abbreviations in them.

    The abbreviations explained are added to `known`. A note follows its block; a note about boards
    follows all blocks.
    """
    # No note may stand between the boards of a subject and the next heading.
    of_boards = list[Note]()
    for block in blocks:
        yield block
        terms = dict.fromkeys(
            needed
            for text in _yield_texts(block)
            for found in _TERM.finditer(text)
            for needed in (*_NEEDS.get(found[1], ()), found[1])
        )
        new = [term for term in terms if term not in known]
        if new:
            known.update(new)
            note = Note(". ".join(MEANINGS[term] for term in new))
            if isinstance(block, Diagrams):
                of_boards.append(note)
            else:
                yield note
    yield from of_boards


def _yield_texts(value: object) -> Iterator[str]:
    """Yield the texts in a block (paragraph, table or boards) of a document.

    For a board, these are only the costs.
    """
    match value:
        case str():
            yield value
        case Picture():
            pass
        case Diagrams() | DiagramSteps():
            for diagram in value.diagrams:
                yield from _yield_texts(diagram)
        case Diagram():
            yield from (words for label, words in value.facts if label in _FACTS)
        case tuple():
            for item in value:
                yield from _yield_texts(item)


_FACTS = frozenset(("Cost", "Lost"))
"""Facts of a diagram that may have abbreviations; others quote the match file."""
