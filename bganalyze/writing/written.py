"""What writing a match yields: its bytes, and what could not be said in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from bganalyze.transcript.model import Match, Span


class Loss(NamedTuple):
    """Something the format has no way to say, with its place in the file that was read."""

    what: str
    span: Span | None = None


def odd_text(match: Match) -> Iterator[Loss]:
    """Yield what was odd about the text of a match, which no other text shows."""
    for odd in match.oddities:
        yield Loss(f"what was odd about the text itself ({odd.rule})", odd.span)


class UnwritableError(ValueError):
    """A match that a format cannot hold at all, or not here; the message says why."""


class Written(NamedTuple):
    """A file as written, and its losses in the order of the record."""

    data: bytes
    losses: tuple[Loss, ...]


def together(losses: Iterable[Loss]) -> list[str]:
    """Return the losses in lines: those of one kind together, with where the first is.

    >>> together([Loss("a mark", Span(3, 1, 2)), Loss("a mark", Span(9, 1, 2)), Loss("the length")])
    ['a mark (2 times, first in line 3)', 'the length']
    """
    by_kind: dict[str, list[Loss]] = {}
    for loss in losses:
        by_kind.setdefault(loss.what, []).append(loss)
    return [what + _where(each) for what, each in by_kind.items()]


def _where(losses: list[Loss]) -> str:
    first = losses[0].span
    if first is None:
        return ""
    if len(losses) == 1:
        return f" (line {first.line})"
    return f" ({len(losses)} times, first in line {first.line})"
