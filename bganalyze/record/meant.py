"""What a transcriber may have meant by words that the project's own text does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches

from lark import Token, Tree

from bganalyze.record.grammar import grammar

# Guesses at what no grammar describes: here spellings are replaced, one after the other, until the
# grammar of actions reads what is left. That is why this module is made of regular expressions.

_WORDS = ("double", "beaver", "raccoon", "take", "drop", "pass", "resigns", "wins", "dance")

LONGEST = 100
"""Nobody mistypes a longer text."""

CLOSE = 0.75
"""How much of a word must be that of another one."""

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
"""Spellings of other programs and people, and what they are here, in the order they are tried in."""

_ROLL = r"\(?[1-6][- ,]?[1-6]\)?(?=[: ]|$)"
_LABEL = re.compile(r"([0-9]+)[.)] *")
_SIDE = re.compile(r"(left|right|[lr])(?:[:.,] *| +|(?=[0-9]))", re.IGNORECASE)
_NAME = re.compile(
    rf"[^\W\d][^:0-9]{{0,40}}?:? +(?={_ROLL}|double|take|drop|pass|resign|win)", re.IGNORECASE
)
_REMARK = re.compile(r"(?:#|//)+ *")


def meant(text: str, *, is_row: bool) -> str | None:
    """Return what is likely meant by words that cannot be read; None where nothing is like them.

    They stand in what one side did, or where a row should be.

    >>> meant("duoble", is_row=False), meant("nice", is_row=False)
    ('double', None)
    >>> meant("1) 31 8-5 6-5", is_row=True)
    '1. L 31 8/5 6/5'
    """
    if len(text) > LONGEST:
        return None
    if not is_row and grammar("action").pattern("OTHER_TURN").fullmatch(text):
        return f"| {text}"
    if _REMARK.match(text):
        return _REMARK.sub("; ", text, count=1)
    head, body = _headed(text) if is_row else ("", text)
    for candidate in _candidates(body):
        is_play = bool(candidate) and not is_row and _is_action(f"31 {candidate}")
        is_read = is_play or _is_action(candidate)
        if is_read and f"{head}{candidate}" != text:
            return f"{head}{candidate}"
    return None


def _headed(row: str) -> tuple[str, str]:
    """Return the number and the side of a row as they are written here, and what stands behind.

    Where no side is named the left one is.
    """
    label = _LABEL.match(row)
    number, start = (f"{label[1]}. ", label.end()) if label else ("", 0)
    side = _SIDE.match(row, start)
    if side is not None:
        return f"{number}{side[1][0].upper()} ", row[side.end() :]
    name = _NAME.match(row, start)
    return f"{number}L ", row[name.end() if name else start :]


def _candidates(body: str) -> Iterator[str]:
    """Yield what may be meant: as it stands, and with one spelling after the other replaced."""
    yield body
    for spelling, word in _OTHER_WORDS:
        body = re.sub(spelling, word, body, flags=re.IGNORECASE).strip()
        yield body
    yield re.sub(r"[a-z]{3,}", _nearest, body, flags=re.IGNORECASE)


def _nearest(word: re.Match[str]) -> str:
    return next(iter(get_close_matches(word[0].casefold(), _WORDS, 1, CLOSE)), word[0])


def _is_action(text: str) -> bool:
    """Whether it is read as an action, to the last word."""
    if not any(map(str.isalnum, text)):
        return False
    [part] = grammar("action").parse("action", text).children
    if isinstance(part, Token):
        return part.type != "QUOTED"
    return part.data == "turn" and not any(isinstance(word, Tree) for word in part.children)
