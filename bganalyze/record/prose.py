"""Recognize prose in a match file: titles and remarks above and between the games."""

from __future__ import annotations

import re
from typing import NamedTuple

from bganalyze.record.grammar import grammar

FEWEST_WORDS = 3
"""Smallest number of words of prose: fewer may be the rest of a damaged line."""

LONG_SENTENCE = 6
"""From this number of words on, a line that mentions rolls or plays is prose: a row is shorter."""

SURE_SENTENCE = 8
"""From this number of words on, a line is prose although it mentions points or results."""

LONGEST = 1_000
"""Length of the longest line that can be prose, which also keeps the patterns fast."""

LONGEST_CODE = 3
"""Number of letters of `bar` and `off`, and of other words that damaged rows may hold."""

_WORD_AND_NUMBER = re.compile(r"\W{0,9}[^\W\d]{1,60}\W{0,9}[0-9]{1,4}\W{0,9}")

SIDES_OF_BOX = "|*#"
IDEOGRAPHS = "\u2e80"
"""First character of the scripts that put no blanks between words."""

KEYS = {"event": "Event", "tournament": "Event", "round": "Round"}
"""Header keys for the words that introduce an entry in a title."""
KEYS |= dict.fromkeys(("date", "eventdate", "event date"), "EventDate")
KEYS |= dict.fromkeys(("site", "place", "venue"), "Site")
"""Names of entries in a title, with their keys in the header."""


def is_prose(line: str) -> bool:
    """Whether a line is plain words or a separator, and not part of a game.

    >>> [is_prose(line) for line in ("He was late for game 2.", "-----", "Tazes", "x 31: 8/5 6/5")]
    [True, True, False, False]
    >>> is_prose("Good match! Next time I take a double with 4 points to go.")
    True
    """
    text = strip_box(line)
    if not any(map(str.isalnum, text)):
        return len(line.strip()) >= FEWEST_WORDS and "/" not in line and "?" not in line
    if len(text) > LONGEST:
        return False
    if grammar("prose").pattern("PAGE").fullmatch(text):
        return True
    count = _count_words(text)
    if _is_sentence(text, count):
        return True
    if _has_pattern(text, "OF_A_GAME", "COLUMNS"):
        return False
    if count < FEWEST_WORDS and not is_boxed(line):
        return False
    if count >= LONG_SENTENCE or not _has_pattern(text, "ROLL", "ACTION"):
        return True
    return _is_remark_on_step(text, count)


def _is_remark_on_step(text: str, word_count: int) -> bool:
    """Whether a line is a short sentence that mentions a step, such as `8/5`.

    >>> _is_remark_on_step("Risky, but 13/9 was worse.", 4), _is_remark_on_step("Bob 31: 8/5.", 1)
    (True, False)
    """
    is_sentence = text[0].isupper() and text.endswith((".", "!")) and ":" not in text
    is_of_words = 2 * word_count > len(text.split())
    return is_sentence and is_of_words and not _has_pattern(text, "ACTION")


def may_be_comment(line: str) -> bool:
    """Whether a line may be a comment, although no sign marks it and it may be short.

    >>> [may_be_comment(line) for line in ("a remark", "Single game", "Drop", "2 31:")]
    [True, True, False, False]
    """
    text = line.strip()
    return is_prose(line) or not (
        any(map(str.isdecimal, text))
        or _has_pattern(text, "OF_A_GAME", "COLUMNS", "ROLL", "ACTION")
    )


def is_remark_after_game(line: str) -> bool:
    """Whether a line below a game is no part of the match, such as a greeting.

    >>> [is_remark_after_game(line) for line in ("Bye!", "(c) 2024 Example", "2) 31:", "Gmae 2")]
    [True, True, False, False]
    """
    text = line.strip()
    has_word = any(len(word) > LONGEST_CODE and _is_word(word) for word in text.split())
    is_of_game = _has_pattern(text, "OF_A_GAME", "COLUMNS", "ROLL", "ACTION")
    may_be_game_line = _WORD_AND_NUMBER.fullmatch(text) is not None
    return may_be_comment(line) or (has_word and not is_of_game and not may_be_game_line)


def is_title(line: str) -> bool:
    """Whether a line above the games may be a title, and is no damaged line of a game.

    >>> is_title("Final, 15 July 2007"), is_title("x 31: 8/5 6/5")
    (True, False)
    """
    if is_boxed(line):
        return True
    text = line.strip()
    count = _count_words(text)
    if len(text) > LONGEST or (_has_pattern(text, "OF_A_GAME") and not _is_sentence(text, count)):
        return False
    return count >= LONG_SENTENCE or not _has_pattern(text, "ROLL")


def _is_sentence(text: str, word_count: int) -> bool:
    """Whether a line of this many words is surely a sentence."""
    return word_count >= SURE_SENTENCE and not text.partition(")")[0].strip("* ").isdecimal()


def _has_pattern(text: str, *token_names: str) -> bool:
    """Whether a text contains any of these tokens of the grammar `prose`."""
    return any(grammar("prose").pattern(name).search(text) for name in token_names)


def _count_words(text: str) -> int:
    """Return the number of words, or of characters in scripts that put no blanks between words.

    >>> _count_words("He was late, 31:"), _count_words("対局")
    (3, 3)
    """
    words = sum(map(_is_word, text.split()))
    return words + sum(letter >= IDEOGRAPHS for letter in text)


def _is_word(word: str) -> bool:
    """Whether a word has at least two characters, and only letters apart from punctuation."""
    bare = word.strip("\"'().,;:!?-–—[]")
    return len(bare) > 1 and bare.replace("'", "").replace("-", "").isalpha()


def is_boxed(line: str) -> bool:
    """Whether a line begins and ends with the side of a box, such as `|`.

    >>> is_boxed("|  Final  |"), is_boxed("Final")
    (True, False)
    """
    bare = line.strip()
    return len(bare) > 1 and bare[0] == bare[-1] and bare[0] in SIDES_OF_BOX


def strip_box(line: str) -> str:
    """Return a line without the sides of a box, such as `|`."""
    bare = line.strip()
    return bare.strip(SIDES_OF_BOX).strip() if is_boxed(line) else bare


class TitleEntry(NamedTuple):
    """Header entry stated by a title."""

    key: str
    value: str


def parse_title_entry(line: str) -> TitleEntry | None:
    """Return the header entry that a title states, or None.

    >>> parse_title_entry("|  Tournament: Riverside Open  |"), parse_title_entry("Remarks: none")
    (TitleEntry(key='Event', value='Riverside Open'), None)
    """
    parts = grammar("prose").pattern("entry").fullmatch(strip_box(line)[:LONGEST])
    if parts is None:
        return None
    return TitleEntry(KEYS[" ".join(parts["key"].casefold().split())], parts["value"])
