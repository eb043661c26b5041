"""The table: a game under way, and the facts found on it so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bganalyze.board.cube import Cube
from bganalyze.board.position import BAR, Position
from bganalyze.law import Law
from bganalyze.replaying.facts import Boards, Context, EndKind, Fact, Turn
from bganalyze.replaying.readings import BUDGET, CLEAN_STRETCH
from bganalyze.transcript.model import (
    Action,
    Answer,
    Double,
    Game,
    Play,
    Profile,
    Resignation,
    Result,
    Side,
    Span,
)


@dataclass(slots=True)
class Table:
    """The board, the cube, whose turn it is, and what was found so far.

    The only thing that changes within a game. The modules beside this one change it, one for each
    kind of action.
    """

    game: Game
    context: Context
    profile: Profile
    law: Law
    boards: Boards
    cube: Cube
    odd_rows: tuple[int, ...] = ()
    """Lines whose row number is out of order: a row may stand twice there, or be missing."""
    index: int = 0
    """Of the action being carried out."""
    start: tuple[Boards, Cube] | None = None
    """From what it starts: for a play that corrects another, from what that one started from."""
    to_act: Side | None = None
    """Whose throw or double is next; None where that is open."""
    over: EndKind | None = None
    winner: Side | None = None
    loss: int | None = None
    """Points lost by the end that the board or the cube decided."""
    result: Result | None = None
    other_result: Result | None = None
    """A second one that contradicts the first."""
    is_implied: bool = False
    """Whether only the result tells that the game was given up."""
    resignation: Resignation | None = None
    """The last one, of a game decided before it too."""
    last_play: Play | None = None
    """The last play made, with the board before it and the fault found with it."""
    before_last: Boards | None = None
    fault_of_last: Fact | None = None
    thrown: bool = False
    """Whether any throw of the game has been recorded, if only by its play."""
    set_up: bool = False
    """Whether the start of the game is written down."""
    odd_start: bool = False
    """Whether the game starts from another position than the variant's."""
    second_play_done: bool = False
    acted_after_end: bool = False
    stopped: bool = False
    """Whether the law in use gives up the game after its first illegal play."""
    amended: bool = False
    """Whether a reading other than the record's was taken."""
    doubt: Fact | None = None
    """The fault after which no reading resolves the board."""
    doubt_lasts: bool = False
    """Whether a lost turn is behind it, of which the play may show much later."""
    clean_plays: int = 0
    """How many plays since the last fault were legal."""
    facts: list[Fact] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    cube_doubt: Fact | None = None
    """The last fault with the cube to which others may be put down."""
    unsure: set[str] = field(default_factory=set)
    """What about the cube is a guess since then (`cube.py`)."""
    late_doubler: Side | None = None
    """Who doubled after the throw and its play: after the take the other side throws."""
    end_doubt: Fact | None = None
    """A drop by the doubler, or the first action after an end that may not have been the end."""
    exchanged: bool = False
    """Whether the two columns of the game are in each other's place."""
    unread: bool = False
    """Whether any text of the game cannot be read."""
    excused: dict[int, Fact] = field(default_factory=dict)
    """Indexes of actions whose fault another reading of an earlier fact explains."""
    consumed: set[int] = field(default_factory=set)
    """Indexes of plays that a reading has carried out already."""
    not_thrown: set[Span] = field(default_factory=set)
    """Places of plays that only repeat another, or follow a drop or a resignation: none closes an
    error."""
    repeated_line: int | None = None
    """The line that repeats the row before it."""
    budget: int = BUDGET
    """How many plays may still be tried to find readings."""

    def seen_by(self, side: Side) -> Position:
        """Return the board from the side of `side`."""
        return Position(self.boards[side], self.boards[1 - side])

    def is_shut_out(self, side: Side) -> bool:
        """Whether `side` is on the bar against a closed board: there is no throw to record."""
        other = self.boards[1 - side]
        return self.boards[side][BAR] > 0 and all(other[point] > 1 for point in range(1, 7))

    def neighbour(self, distance: int) -> Action | None:
        """Return the action `distance` after the present one, or None."""
        index = self.index + distance
        actions = self.game.actions
        return actions[index] if 0 <= index < len(actions) else None

    def boards_at_line(self, line: int) -> Boards:
        """Return the boards before the first action of `line`, the present one or earlier."""
        starts = (turn.before for turn in self.turns if turn.action.span.line == line)
        return next(starts, self.boards)

    def repeats_last_play(self, action: Play) -> bool:
        """Whether `action` is the other side's last play, written once more."""
        last = self.last_play
        if last is None or last.side == action.side:
            return False
        return (last.dice, last.steps) == (action.dice, action.steps)

    def following(self) -> Iterator[Action]:
        """Yield the actions after the present one."""
        actions = self.game.actions
        return (actions[index] for index in range(self.index + 1, len(actions)))

    def is_last_turn(self) -> bool:
        """Whether no other throw or cube action follows in the game."""
        return not any(isinstance(action, Play | Double | Answer) for action in self.following())

    def has_result(self) -> bool:
        """Whether a result or a resignation follows in the game."""
        return any(isinstance(action, Result | Resignation) for action in self.following())

    def end(self, kind: EndKind, winner: Side, loss: int | None) -> None:
        """Decide the game."""
        self.over, self.winner, self.loss = kind, winner, loss
        self.to_act = None

    def played_cleanly(self) -> None:
        """Count a legal play; after enough of them the board is no longer in doubt."""
        self.clean_plays += 1
        if self.clean_plays >= CLEAN_STRETCH and not self.doubt_lasts:
            self.doubt = None

    def note(self, rule: str, action: Action, span: Span | None = None, **about: Any) -> Fact:
        """Keep a fact established by `action`, with the board before it."""
        verified = self.doubt is None
        turn = Turn(self.context, action, self.boards, self.boards, self.cube, None, verified)
        side = getattr(action, "side", None)
        place = span or action.span
        fact = Fact(rule, place, about, self.context.game, action.row, side, turn)
        self.facts.append(fact)
        return fact

    def amend(self, fact: Fact, **changes: Any) -> Fact:
        """Replace a fact by one that knows more, wherever it is kept."""
        changed = fact._replace(**changes)
        for index in range(len(self.facts) - 1, -1, -1):
            if self.facts[index] is fact:
                self.facts[index] = changed
                break
        self.excused = {
            index: changed if known is fact else known for index, known in self.excused.items()
        }
        if self.doubt is fact:
            self.doubt = changed
        if self.cube_doubt is fact:
            self.cube_doubt = changed
        if self.end_doubt is fact:
            self.end_doubt = changed
        if self.fault_of_last is fact:
            self.fault_of_last = changed
        return changed

    def blame(self, fact: Fact, times: int = 1) -> None:
        """Count one more consequence of `fact`."""
        self.amend(fact, consequences=(fact.consequences or 0) + times)


def share_cell(one: Action | None, two: Action | None) -> bool:
    """Whether two actions stand in the same cell."""
    if one is None or two is None or (one.span.line, one.row) != (two.span.line, two.row):
        return False
    return getattr(one, "side", None) == getattr(two, "side", None)
