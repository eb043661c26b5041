"""Guess the intended words where text of the `.bgm` format cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from lark import Token, Tree

from bganalyze.record.grammar import grammar

# Spellings are replaced one after another until the grammar of actions can read the result. No
# grammar describes such spellings, hence the regular expressions.

_WORDS = ("double", "beaver", "raccoon", "take", "drop", "pass", "resigns", "wins", "dance")

LONGEST = 100
"""Length of the longest text for which a guess is made."""

CLOSE = 0.75
"""Smallest similarity of a word to a known word, from 0 to 1."""

_OTHER_WORDS = (
    (r"^dance (?=[0-9])(.*)", r"\1 dance"),
    (r"(?:cannot|can't|no) (?:move|play)$|(?:fan|dance)(?:s|ned|d)?$|(?<![^ ])[-x]$", "dance"),
    (r"\bredoubles?\b|\bcube (?=[0-9])|^d$", "double "),
    (r"\baccept(?:s|ed)?\b|\btaken\b|^t$", "take"),
    (r"\b(?:reject|fold|decline|refuse)(?:s|d|ed)?\b|^p$", "drop"),
    (r"\bresign(?:ed)?\b|\bconcedes?\b", "resigns"),
    (r" (?:to|=+>)(?= )| points?\b", ""),
    (r"^wins$", "wins 1"),
    (r"^\(?([1-6])[ ,]([1-6])\)?:?(?= )", r"\1\2"),
    (r"(?<![^ ,])([0-9]+|bar)[-\\\u2215\u2044](?=[0-9bo])", r"\1/"),
    ("[\u00d7x](?= |$)", "*"),
    (r"[ .!?]+(?:\([^()]*\))?$", ""),
)
"""Other programs' spellings and their replacements here, in the order they are tried."""

_ROLL = r"\(?[1-6][- ,]?[1-6]\)?(?=[: ]|$)"
_LABEL = re.compile(r"([0-9]+)[.)] *")
_SIDE = re.compile(r"(left|right|[lr])(?:[:.,] *| +|(?=[0-9]))", re.IGNORECASE)
_NAME = re.compile(
    rf"[^\W\d][^:0-9]{{0,40}}?:? +(?={_ROLL}|double|take|drop|pass|resign|win)", re.IGNORECASE
)
_REMARK = re.compile(r"(?:#|//)+ *")


def is_like_ruling(text: str) -> bool:
    """Whether unreadable text begins with `Ruling:`, like a director's ruling."""
    key, colon, _ = text.partition(":")
    return bool(colon) and key.strip().casefold() == "ruling"


def guess_meaning(text: str, *, is_row: bool) -> str | None:
    """Return the action, in the `.bgm` format, that unreadable text probably means, or None.

    If `is_row`, `text` is a whole row of actions, and so is the result.

    >>> guess_meaning("duoble", is_row=False), guess_meaning("nice", is_row=False)
    ('double', None)
    >>> guess_meaning("1) 31 8-5 6-5", is_row=True)
    '1. L 31 8/5 6/5'
    """
    if len(text) > LONGEST:
        return None
    if not is_row and grammar("action").pattern("OTHER_TURN").fullmatch(text):
        return f"| {text}"
    if _REMARK.match(text):
        return _REMARK.sub("; ", text, count=1)
    head, body = _split_row(text) if is_row else ("", text)
    for candidate in _yield_corrections(body):
        is_play = bool(candidate) and not is_row and _is_action(f"31 {candidate}")
        is_read = is_play or _is_action(candidate)
        if is_read and f"{head}{candidate}" != text:
            return f"{head}{candidate}"
    return None


def _split_row(row: str) -> tuple[str, str]:
    """Return the number and side of a row in the `.bgm` format, and the rest of the row.

    >>> _split_row("3) Right 31 8-5"), _split_row("31 8-5")
    (('3. R ', '31 8-5'), ('L ', '31 8-5'))
    """
    label = _LABEL.match(row)
    number, start = (f"{label[1]}. ", label.end()) if label else ("", 0)
    side = _SIDE.match(row, start)
    if side is not None:
        return f"{number}{side[1][0].upper()} ", row[side.end() :]
    name = _NAME.match(row, start)
    return f"{number}L ", row[name.end() if name else start :]


def _yield_corrections(action: str) -> Iterator[str]:
    """Yield an action, then the action after each correction of its spelling.

    >>> [*_yield_corrections("duoble to 2")][-1]
    'double 2'
    """
    yield action
    for spelling, word in _OTHER_WORDS:
        action = re.sub(spelling, word, action, flags=re.IGNORECASE).strip()
        yield action
    yield re.sub(r"[a-z]{3,}", _find_nearest_word, action, flags=re.IGNORECASE)


def _find_nearest_word(word: re.Match[str]) -> str:
    """Return the known word most similar to a matched word, or the matched word itself."""
    return next(iter(get_close_matches(word[0].casefold(), _WORDS, 1, CLOSE)), word[0])


def _is_action(text: str) -> bool:
    """Whether the whole text is an action of the `.bgm` format."""
    if not any(map(str.isalnum, text)):
        return False
    [part] = grammar("action").parse("action", text).children
    if isinstance(part, Token):
        return part.type != "QUOTED"
    return part.data == "turn" and not any(isinstance(word, Tree) for word in part.children)
