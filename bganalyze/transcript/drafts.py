"""Matches under construction, and places in a text: what the readers of several formats share."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Literal

from lark import Token

from bganalyze.transcript.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Length,
    Match,
    Oddity,
    Profile,
    Resignation,
    Result,
    Score,
    Side,
    Source,
    Span,
    Tag,
    other_side,
)

MOST_DIGITS = 9
"""A longer number is none that a match holds."""


class DamagedError(ValueError):
    """A file is of a known format and cannot be read; the message says why."""


class Places:
    """Where the characters of a text stand: line and column from their number."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, start: int, end: int) -> Span:
        r"""Return the place of the characters from `start` to `end`, as far as their line goes.

        >>> Places("ab\ncdef\ng").span(4, 9)
        Span(line=2, column=2, end_column=5)
        """
        line = bisect_right(self._starts, start)
        first = self._starts[line - 1]
        end = max(min(end, self._starts[line] - 1), start)
        return Span(line, start - first + 1, end - first + 1)


def place(token: Token, start: int = 0, end: int | None = None) -> Span:
    """Return the place of the characters from `start` to `end` of a token's first line.

    Without them, of that line without the blanks around it.
    """
    assert token.line is not None
    assert token.column is not None
    if end is None:
        line = token.partition("\n")[0]
        start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    return Span(token.line, token.column + start, token.column + max(start, end))


@dataclass(slots=True)
class GameDraft:
    """A game while it is read."""

    span: Span
    number: int | None = None
    score: Score | None = None
    actions: list[Action] = field(default_factory=list)
    crawford: bool | None = None
    cube: int | None = None

    def finished(self) -> Game:
        """Return the game as read."""
        actions = tuple(self.actions)
        return Game(self.span, self.number, self.score, actions, self.crawford, self.cube)


@dataclass(slots=True)
class MatchDraft:
    """A match while it is read."""

    length: Length | None = None
    tags: list[Tag] = field(default_factory=list)
    games: list[GameDraft] = field(default_factory=list)
    oddities: list[Oddity] = field(default_factory=list)

    def finished(self, source: Source, number: int, known_as: str, conventions: Profile) -> Match:
        """Return the match as read, the `number`th of its file."""
        games = tuple(game.finished() for game in self.games)
        tags, oddities = tuple(self.tags), tuple(self.oddities)
        return Match(source, number, known_as, self.length, tags, games, oddities, conventions)


def turn_of_cube(actions: list[Action], side: Side) -> Turning:
    """Return what a double by `side` is: in answer to one it is a beaver, and then a raccoon."""
    before = next((each for each in reversed(actions) if not isinstance(each, Comment)), None)
    if not isinstance(before, Double) or before.side == side:
        return "double"
    return "beaver" if before.kind == "double" else "raccoon"


Turning = Literal["double", "beaver", "raccoon"]
Manner = Literal["resigned", "resigned-match", "forfeit", "time"]


def given_up(
    span: Span, row: str | None, winner: Side, points: int | None, manner: Manner = "resigned"
) -> list[Action]:
    """Return how a game is recorded that the other side of `winner` has given up."""
    said: list[Action] = [Resignation(span, row, other_side(winner), points, manner)]
    if points is not None:
        said.append(Result(span, row, winner, points))
    return said


def accept(actions: list[Action], span: Span, row: str | None, side: Side) -> None:
    """`side` accepts: a resignation that was offered, else the cube."""
    if _offered(actions, side) is None:
        actions.append(Answer(span, row, side, taken=True))


def decline(actions: list[Action], span: Span, row: str | None, side: Side) -> None:
    """`side` refuses: a resignation, and the game goes on, else the cube."""
    offered = _offered(actions, side)
    if offered is None:
        actions.append(Answer(span, row, side, taken=False))
    else:
        actions[-1] = offered._replace(declined=True)


def go_on(actions: list[Action]) -> None:
    """The game goes on: a resignation that nobody accepted is declined."""
    if actions and isinstance(actions[-1], Resignation):
        actions[-1] = actions[-1]._replace(declined=True)


def _offered(actions: list[Action], side: Side) -> Resignation | None:
    """The resignation that the opponent of `side` has just offered."""
    last = actions[-1] if actions else None
    if isinstance(last, Resignation) and last.side != side and not last.declined:
        return last
    return None
