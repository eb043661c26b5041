"""Texts in which a construct is repeated any number of times."""

from __future__ import annotations

from collections.abc import Callable

Text = Callable[[int], str]
"""Make a file in which a construct is repeated n times."""


def once(before: str, part: str, after: str = "") -> Text:
    """Return a function that makes a text with `part` n times in a row."""
    return lambda n: before + part * n + after


def repeat_numbered(before: str, part: str, after: str = "") -> Text:
    """Return a function like that of `once`, with `{n}` the number of each part, from 1 on, and `{m}` the one before."""

    def text(n: int) -> str:
        parts = (part.replace("{n}", str(k)).replace("{m}", str(k - 1)) for k in range(1, n + 1))
        return before + "".join(parts) + after

    return text


def after(part: str, text: Text) -> Text:
    """Return a function that makes a text with `part` n times before it."""
    return lambda n: part * n + text(n)


def with_many(head: str, opening: str, closing: str, tail: str = "") -> Text:
    """n of one kind and then n of another: what is looked up among the first for each of the second."""
    return lambda n: head + opening * n + closing * n + tail
