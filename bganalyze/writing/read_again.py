"""What a line of match text says when it is read again: whether it is what it was written for."""

from __future__ import annotations

import re

from bganalyze.transcript.match_text import reader as mat
from bganalyze.transcript.match_text.items import WordItem, items
from bganalyze.transcript.model import Action, Comment, Match, Source, Unread

INDENT = " " * 33
"""Text that stands in a game begins in the right column."""

_ODD = re.compile(r"[\W_]+")


def matches(text: str) -> list[Match]:
    """Return the matches of a match text."""
    return mat.read(text, Source("", "utf-8", text.split("\n")))


def is_comment(text: str) -> bool:
    """Whether a comment of this text is read as that comment.

    >>> is_comment("a remark"), is_comment("Set Pos=-b----E-C---eE---c-e----B-/3")
    (True, False)
    """
    said = _in_game(f"; {text}")
    return len(said) == 1 and isinstance(said[0], Comment) and said[0].text == text


def is_unread(text: str) -> bool:
    """Whether a line of this text is one that cannot be read.

    >>> is_unread("hello there"), is_unread("Game 7")
    (True, False)
    """
    said = _in_game(text)
    return len(said) == 1 and isinstance(said[0], Unread) and said[0].text == text


def is_unread_cell(text: str) -> bool:
    """Whether a cell of this text is one that cannot be read.

    >>> is_unread_cell("6?4"), is_unread_cell("Doubles => 2"), is_unread_cell("8/4 6/4")
    (True, False, False)
    """
    said = items(text)
    plain = not re.search(r"[;#\n\t]|  ", text)
    return plain and len(said) == 1 and isinstance(said[0], WordItem) and said[0].kind == "JUNK"


def is_entry(line: str, key: str, value: str) -> bool:
    """Whether a line is read as that entry of a header.

    >>> is_entry('; [Event "Club"]', "Event", "Club")
    True
    """
    return [(tag.key, tag.value) for tag in _read(line).tags] == [(key, value)]


def is_score(line: str, names: tuple[str, str], points: tuple[int, int]) -> bool:
    """Whether a line below the number of a game is read as its score.

    >>> is_score("Ann : 0   Bob : 3", ("Ann", "Bob"), (0, 3))
    True
    """
    games = _read(f"Game 1\n{line}").games
    if len(games) != 1 or games[0].score is None or games[0].actions:
        return False
    return (games[0].score.names, games[0].score.points) == (names, points)


def plain_name(name: str) -> str:
    """Return a name of letters and digits, which begins with a letter.

    >>> plain_name("12) 31: 8/5"), plain_name("Ann: 3 Bob")
    ('Player 12 31 8 5', 'Ann 3 Bob')
    """
    plain = _ODD.sub(" ", name).strip()
    return plain if plain[:1].isalpha() else f"Player {plain}".strip()


def _in_game(line: str) -> tuple[Action, ...]:
    """The actions of a line in a game; none where it is the beginning of something else."""
    match = _read(f"Game 1\n{INDENT}{line}")
    return match.games[0].actions if len(match.games) == 1 and match.length is None else ()


def _read(text: str) -> Match:
    """The last match of a text."""
    return matches(text)[-1]
