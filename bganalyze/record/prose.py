"""Prose in a record: what stands above and between the games and is no part of them."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.record.grammar import grammar

FEWEST_WORDS = 3
"""Fewer words may be what is left of a line of the record."""

LONG_SENTENCE = 6
"""So many words may speak of rolls and plays: a row has fewer."""

LONGEST = 1_000
"""A longer line is no sentence, and patterns stay quick."""

SIDES_OF_BOX = "|*#"
IDEOGRAPHS = "\u2e80"
"""From here on are the scripts that put no blanks between words."""

KEYS = {"event": "Event", "tournament": "Event", "round": "Round"}
KEYS |= dict.fromkeys(("date", "eventdate", "event date"), "EventDate")
KEYS |= dict.fromkeys(("site", "place", "venue"), "Site")
"""Names of entries in a title, and the keys of the header that they stand for."""


def is_prose(line: str) -> bool:
    """Whether a line is plain words, or parts others, and looks like no part of a game.

    >>> [is_prose(line) for line in ("He was late for game 2.", "-----", "Tazes", "x 31: 8/5 6/5")]
    [True, True, False, False]
    """
    text = unboxed(line)
    if not any(map(str.isalnum, text)):
        return len(line.strip()) >= FEWEST_WORDS and "/" not in line and "?" not in line
    if len(text) > LONGEST or _holds(text, "OF_A_GAME", "COLUMNS"):
        return False
    count = _count_words(text)
    if count < FEWEST_WORDS and not is_boxed(line):
        return False
    return count >= LONG_SENTENCE or not _holds(text, "ROLL", "ACTION")


def is_remark(line: str) -> bool:
    """Whether a line of a format that has no sign for comments may be one, however short.

    >>> [is_remark(line) for line in ("a remark", "Single game", "Drop", "2 31:")]
    [True, True, False, False]
    """
    text = line.strip()
    return is_prose(line) or not (
        any(map(str.isdecimal, text)) or _holds(text, "OF_A_GAME", "COLUMNS", "ROLL", "ACTION")
    )


def is_title(line: str) -> bool:
    """Whether a line above the games is no line of the record that was damaged.

    >>> is_title("Final, 15 July 2007"), is_title("|  31: 8/5 6/5  |"), is_title("x 31: 8/5 6/5")
    (True, True, False)
    """
    if is_boxed(line):
        return True
    text = line.strip()
    if len(text) > LONGEST or _holds(text, "OF_A_GAME"):
        return False
    return _count_words(text) >= LONG_SENTENCE or not _holds(text, "ROLL")


def _holds(text: str, *names: str) -> bool:
    return any(grammar("prose").pattern(name).search(text) for name in names)


def _count_words(text: str) -> int:
    """Return the number of words; of a script without blanks each character counts."""
    words = sum(map(_is_word, text.split()))
    return words + sum(letter >= IDEOGRAPHS for letter in text)


def _is_word(word: str) -> bool:
    bare = word.strip("\"'().,;:!?-–—[]")
    return len(bare) > 1 and bare.replace("'", "").replace("-", "").isalpha()


def is_boxed(line: str) -> bool:
    """Whether a line is a side of a box, or stands between its sides."""
    bare = line.strip()
    return len(bare) > 1 and bare[0] == bare[-1] and bare[0] in SIDES_OF_BOX


def unboxed(line: str) -> str:
    """Return what stands in a line, without the sides of a box.

    >>> unboxed(" |  Final   | ")
    'Final'
    """
    bare = line.strip()
    return bare.strip(SIDES_OF_BOX).strip() if is_boxed(line) else bare


class TitleEntry(NamedTuple):
    """An entry of a header as a title states it."""

    key: str
    value: str


def entry_in(line: str) -> TitleEntry | None:
    """Return the entry of a header that a title states, or None.

    >>> entry_in("|  Tournament: Riverside Open  |"), entry_in("Remarks: none")
    (TitleEntry(key='Event', value='Riverside Open'), None)
    """
    parts = grammar("prose").pattern("entry").fullmatch(unboxed(line)[:LONGEST])
    if parts is None:
        return None
    return TitleEntry(KEYS[" ".join(parts["key"].casefold().split())], parts["value"])
