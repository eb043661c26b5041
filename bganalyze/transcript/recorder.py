"""One game written down line by line: throws that wait for their play, offers for their answer."""

from __future__ import annotations

from lark import Token

from bganalyze.transcript.drafts import (
    GameDraft,
    MatchDraft,
    accept,
    decline,
    go_on,
    place,
    turn_of_cube,
)
from bganalyze.transcript.model import (
    Answer,
    Double,
    How,
    Match,
    Play,
    Profile,
    Result,
    Score,
    Side,
    Source,
    Span,
    Unread,
)
from bganalyze.transcript.written import played

Dice = tuple[int, int]


class Recorder:
    """Adds actions to a game; `row` names the place of the next ones."""

    def __init__(self, game: GameDraft) -> None:
        self.game = game
        self.row: str | None = None
        self._thrown: Play | None = None

    def throw(self, span: Span, side: Side, dice: Dice) -> None:
        """Note a throw; a throw told twice is one."""
        if self._thrown is not None and (self._thrown.side, self._thrown.dice) == (side, dice):
            return
        self.leave_throw()
        go_on(self.game.actions)
        self._thrown = Play(span, self.row, side, dice, how=How.UNPLAYED)

    def leave_throw(self) -> None:
        """Keep a throw that nobody played."""
        if self._thrown is not None:
            self.game.actions.append(self._thrown)
        self._thrown = None

    def play(
        self, span: Span, side: Side, text: str, offset: int, mirror: bool | None = False
    ) -> None:
        """Add the play of the throw that waits; `text` begins `offset` into the span."""
        thrown, self._thrown = self._thrown, None
        dice = thrown.dice if thrown is not None and thrown.side == side else None
        self.turn(Play(span, self.row, side, dice), text, offset, mirror)

    def turn(self, turn: Play, text: str, offset: int, mirror: bool | None = False) -> None:
        """Add a throw with its play; a turn told twice is one."""
        self._thrown = None
        go_on(self.game.actions)
        before = self.game.actions[-1] if self.game.actions else None
        said = list(played(text, offset, turn, mirror=mirror))
        if isinstance(before, Play) and isinstance(said[0], Play):
            told = (before.side, before.dice, before.steps)
            if before.steps and told == (said[0].side, said[0].dice, said[0].steps):
                return
        self.game.actions.extend(said)

    def dance(self, turn: Play) -> None:
        """Add a throw that cannot be played."""
        self._thrown = None
        go_on(self.game.actions)
        self.game.actions.append(turn._replace(how=How.CANNOT_MOVE))

    def waiting(self, span: Span, side: Side) -> Play:
        """Return the turn of the throw that waits, at the place of its play."""
        dice = self._thrown.dice if self._thrown and self._thrown.side == side else None
        return Play(span, self.row, side, dice)

    def double(self, span: Span, side: Side, value: int | None) -> None:
        """Add a double, or a further turn of the cube."""
        self.leave_throw()
        go_on(self.game.actions)
        kind = turn_of_cube(self.game.actions, side)
        self.game.actions.append(Double(span, self.row, side, value, kind))

    def accept(self, span: Span, side: Side) -> None:
        """Add that `side` accepts what is offered."""
        accept(self.game.actions, span, self.row, side)

    def refuse(self, span: Span, side: Side) -> None:
        """Add that `side` refuses what is offered."""
        decline(self.game.actions, span, self.row, side)

    def drop(self, span: Span, side: Side) -> None:
        """Add a drop."""
        self.game.actions.append(Answer(span, self.row, side, taken=False))

    def wins(self, span: Span, side: Side, points: int) -> None:
        """Add the result."""
        self.leave_throw()
        self.game.actions.append(Result(span, None, side, points))

    def unread(self, token: Token) -> None:
        """Keep a line that says nothing known."""
        if token.strip():
            self.game.actions.append(Unread(place(token), self.row, None, token.strip()))


def begun(
    draft: MatchDraft,
    span: Span,
    number: int | None,
    names: tuple[str, str],
    points: tuple[int, int],
    spans: tuple[Span, Span] | None = None,
) -> Recorder:
    """Begin a game of `draft`, and return who writes it down."""
    score = Score(span, names, points, spans or (span, span))
    draft.games.append(GameDraft(span, number, score))
    return Recorder(draft.games[-1])


def all_finished(
    drafts: list[MatchDraft], source: Source, known_as: str, conventions: Profile
) -> list[Match]:
    """Return the matches of a file; at least one."""
    return [
        draft.finished(source, number, known_as, conventions)
        for number, draft in enumerate(drafts or [MatchDraft()], start=1)
    ]
