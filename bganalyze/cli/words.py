"""Words that options take: which one may be meant, and how a shell completes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from difflib import get_close_matches


def meant(word: str, known: Iterable[str]) -> str:
    """Return a question for the word that may be meant, to stand behind what is wrong.

    >>> meant("chekc", ["check", "report"]), meant("x", ["check"])
    ('; is check meant?', '')
    """
    similar = get_close_matches(word.casefold(), list(known))
    return f"; is {' or '.join(similar)} meant?" if similar else ""


def completing(
    words: Iterable[str], about: Callable[[str], str] = lambda _: ""
) -> Callable[[str], list[tuple[str, str]]]:
    """Return what completes the last word of a comma list, each word with what it is about.

    >>> completing(["points", "cube"])("cube,po")
    [('cube,points', '')]
    """

    def completed(incomplete: str) -> list[tuple[str, str]]:
        before, comma, begun = incomplete.rpartition(",")
        return [(f"{before}{comma}{word}", about(word)) for word in words if word.startswith(begun)]

    return completed
