"""What is asked of the reports: which matches, whose, and by what."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

DIMENSIONS = (
    *("player", "opponent", "length", "year", "month", "site", "score", "phase"),
    *("opened", "engine"),
)
"""What figures may be told apart by. The last two are of judged matches: the first throw of the
game, and who judged."""


class Question(NamedTuple):
    """What is asked. Everything is counted unless something else is said."""

    by: tuple[str, ...] = ("player",)
    player: str | None = None
    """Only this player's figures."""
    since: dt.date | None = None
    until: dt.date | None = None
    """The last day that counts."""
    min_games: int = 1
    """Groups with fewer games are left out."""
    strict: bool = False
    """Leave out every game in which an error was found."""
    metrics: tuple[str, ...] = ()
    """Only these error rates; all if none is named."""
    most: int = 10
    """How many decisions are listed."""
