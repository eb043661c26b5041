"""What a resignation offers, beside the result of its game."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.transcript.model import Resignation

SIZES = {1: "single", 2: "gammon", 3: "backgammon"}
"""The words of the sizes, in units of the cube."""

POINTS_LOST = "the points that a resignation offers"
SIZE_LOST = "the size that a resignation offers"


def untold(offer: Resignation, cube: int, recorded: int | None) -> Iterator[str]:
    """Yield what an offer says that the points `recorded` for the game do not say, too.

    `cube` is its value.

    >>> from bganalyze.transcript.model import Resignation, Span
    >>> gammon = Resignation(Span(1, 1, 2), None, 0, size=2)
    >>> list(untold(gammon, 2, 4)), list(untold(gammon, 1, 1))
    ([], ['the size that a resignation offers'])
    """
    if offer.points not in (None, recorded):
        yield POINTS_LOST
    if offer.size is not None and offer.size * cube != recorded:
        yield SIZE_LOST
