"""Words of other languages in rows typed by hand, and their English.

They are those of GNU Backgammon's message catalogues (see `translations.py`), and of the reports of
eXtreme Gammon and BGBlitz (see `report_words.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from bganalyze.record.cleaning.layers import Replacement, drop_overlaps
from bganalyze.record.cleaning.translations import PARTS, PHRASES, VALUE, Phrase, find_phrases
from bganalyze.record.report_words import ENGLISH, LANGUAGES

_ENGLISH = ("Wins", "wins", "WINS")
"""Each complete match in English has one of these words."""

_GAMES = ("Spiel", "Partie", "Juego", "Parti", "Spil", "Peli", "Игра", "Hra", "Joc", "Oyun")
_GIVES_UP = ("gibt auf", "abandonne", "concede", "renuncia", "opgiver", "luovuttaa", "сдаётся")
"""Words before a stated number of points in `translations.py`, which are written without it, too.

Behind a double they are those of a pass: in German `Annehmen` and `Aufgeben` are its answers.
"""
_DOUBLES, _RESIGNS, _PASS = "Doubles => ", "Gives up", "Drops"
_VALUE_ALONE = re.compile(r"[0-9]{1,4}\s{0,60}(?:(?<=\s)[0-9]{1,3}[.)])?\s{0,60}")
"""The text between a double and the cell of its answer."""
_CELL = r"(?:(?<=[ \t]{2})|(?<=[.)][ \t])|^)"
_WINNER = r"^[ \t]*[^\W\d][^\n:;/]{0,40}?[ \t]{1,3}"
"""The name of the player who won, on a line of its own."""
_END = r"(?=[.!]?[ \t]*(?:$|[ \t]{2}))"


def find_row_words(text: str) -> Iterator[Replacement]:
    r"""Yield replacements of foreign words in rows, results and headings by English ones.

    >>> text = " 1) 31: 8/5 6/5        Doppelt auf 2\n 2)  Nimmt an"
    >>> [(text[part.start : part.end], part.new) for part in find_row_words(text)]
    [('Doppelt auf ', 'Doubles => '), ('Nimmt an', 'Takes')]
    """
    if any(text.rfind(word) >= 0 for word in _ENGLISH) or _collect_first_words().isdisjoint(
        text.casefold().split()
    ):
        return
    double_end = -1
    for part in drop_overlaps(find_phrases(text, _compile_words())):
        is_answer = double_end >= 0 and _VALUE_ALONE.fullmatch(text, double_end, part.start)
        yield part._replace(new=_PASS) if part.new == _RESIGNS and is_answer else part
        double_end = part.end if part.new == _DOUBLES else -1


def _split_translations(english: str) -> Iterator[tuple[str, str]]:
    """Yield each translation of an English phrase as its words before and after the number (`{}`).

    >>> list(_split_translations(" wins {} points"))[0]
    ('gewinnt', 'Punkte')
    """
    for phrase in PHRASES[english]:
        before, _, after = phrase.partition(VALUE)
        if before.strip():
            yield before.strip(), after.strip()


def _yield_words_of_reports(action: str) -> Iterator[str]:
    """Yield the foreign words for an action, such as `take`, in reports of XG and BGBlitz.

    >>> list(_yield_words_of_reports("take"))
    ['Prend', 'Prendre', 'Annehmen', 'テイク', '受ける']
    """
    for language in LANGUAGES:
        for word, meaning in (*language.actions.items(), *language.answers.items()):
            if meaning == action and word not in ENGLISH.words:
                yield word


@cache
def _collect_first_words() -> frozenset[str]:
    """Return the case-folded first words of foreign phrases for actions, results and headings."""
    phrases = (" doubles to {}", " accepts", " rejects", " cannot move", " wins {} points")
    heads = (before.split()[0] for english in phrases for before, _ in _split_translations(english))
    gives_up = (words.split()[0] for words in _GIVES_UP)
    reports = (
        word for action in ("double", "take", "pass") for word in _yield_words_of_reports(action)
    )
    return frozenset(map(str.casefold, (*heads, *gives_up, *reports, "verdoppelt", *_GAMES)))


@cache
def _compile_words() -> tuple[Phrase, ...]:
    """Return patterns of foreign phrases for actions, results and headings, with their English."""
    return tuple(
        Phrase(re.compile(pattern, re.IGNORECASE | re.MULTILINE), english)
        for pattern, english in _yield_patterns()
    )


def _yield_patterns() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a regular expression for each foreign phrase, and the English for its groups."""
    yield from _yield_patterns_of_doubles()
    for english, action, word in ((" accepts", "take", "Takes"), (" rejects", "pass", "Drops")):
        answers = (before for before, _ in _split_translations(english))
        for answer in (*answers, *_yield_words_of_reports(action)):
            yield rf"{_CELL}({re.escape(answer)}){_END}", (word,)
    for words in _GIVES_UP:
        yield rf"{_CELL}({words.replace(' ', '[ ]')}){_END}", (_RESIGNS,)
    for before, _ in _split_translations(" cannot move"):
        yield rf"(?<=[1-6]:)[ \t]+({re.escape(before)}){_END}", ("Cannot Move",)
    for before, _ in _split_translations(" wins {} points"):
        points = rf"[ \t]+[0-9]{{1,4}}[ \t]+([^\W\d]{{3,12}}){_END}"
        yield rf"{_CELL}({re.escape(before)}){points}", ("Wins", "point")
        yield rf"{_WINNER}({re.escape(before)}){points}", ("wins", "point")
    for phrase in PARTS[" (match to {} points"]:
        before, _, after = phrase.strip(" ()").partition(VALUE)
        if before and after:
            parts = f"({re.escape(before)})", f"({re.escape(after)})"
            yield rf"^[ \t]*{parts[0]}[0-9]{{1,4}}{parts[1]}[ \t]*$", ("", " point match")
    for word in _GAMES:
        yield rf"^[ \t]*({word})(?=[ \t]+[0-9]{{1,3}}[ \t]*[.:]?[ \t]*$)", ("Game",)


def _yield_patterns_of_doubles() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield a regular expression for each foreign phrase for a double, and its English."""
    for before, _ in _split_translations(" doubles to {}"):
        head, _, rest = map(re.escape, before.partition(" "))
        arrow = "" if head == "double" else "|=+>"  # `Double => 2` is English, too.
        pattern = rf"{_CELL}((?:ver)?{head}[ \t]*(?:{rest}{arrow})[ \t]*)(?=[0-9])"
        yield pattern, (_DOUBLES,)
    for word in _yield_words_of_reports("double"):
        yield rf"{_CELL}({word}[ \t]*(?:=+>)?[ \t]*)(?=[0-9])", (_DOUBLES,)
