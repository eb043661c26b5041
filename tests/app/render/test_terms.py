"""Abbreviations are explained on a page where they first occur, in the words of the glossary."""

from __future__ import annotations

import re
from pathlib import Path

from bganalyze.app.render.document import (
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Grid,
    Heading,
    Note,
    Part,
    Tile,
    Tiles,
)
from bganalyze.app.render.terms import MEANINGS, explain_terms


def test_each_abbreviation_is_explained_once_below_its_first_block() -> None:
    rates = Tiles((Tile("PR (xg-b)", "1.5"),))
    errors = Grid("Cube", ("", "Ann"), ((Cell("missed double above CP"), Cell("0")),))
    parts = (Part("At a glance", (rates,)), Part("Errors", (errors, rates)))
    explained = explain_terms(Document("Ann", (Chapter("Ann", parts),)))
    first, second = (part.blocks for part in explained.chapters[0].parts)
    assert first == (rates, Note(f"{MEANINGS['EMG']}. {MEANINGS['PR']}"))
    assert second == (errors, Note(MEANINGS["CP"]), rates)


def test_an_abbreviation_on_boards_is_explained_below_all_boards_of_a_part() -> None:
    boards = Diagrams((Diagram("against Bob", None, (("Lost", "2.87 % MWC"),)),))
    parts = (Part("Recurring mistakes", (boards, Heading("2."), boards)),)
    explained = explain_terms(Document("Ann", (Chapter("Ann", parts),)))
    (part,) = explained.chapters[0].parts
    assert part.blocks == (boards, Heading("2."), boards, Note(MEANINGS["MWC"]))


def test_meanings_are_the_words_of_the_glossary() -> None:
    glossary = _words_of(Path("docs/glossary.md").read_text(encoding="utf-8"))
    for term, meaning in MEANINGS.items():
        for words in re.split(r"[();]|mEMG is", meaning):
            assert _words_of(words) in glossary, (term, words)


def _words_of(text: str) -> str:
    """Return the words of a text in lower case, without punctuation."""
    return " ".join(re.findall(r"\w+", text)).casefold()
