"""A referee that stops at the first thing against the rules, and so needs no second guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.board.plays import check_play, legal_plays
from bganalyze.board.position import BAR, Position
from bganalyze.record.model import Answer, Double, Play, PlayRecord, Resignation, Result, Side
from tests.faults.check import faults
from tests.faults.record import Act, Boards, Record

Place = tuple[int, str]
"""A line and a code."""

Places = frozenset[Place]
NOTHING: Places = frozenset()


class Event(NamedTuple):
    """An action as a broken record has it: which, by whom, and in which line."""

    act: Act
    side: Side
    line: int


def events(acts: Iterable[Act]) -> list[Event]:
    """Return the events of actions in the order they are written."""
    return [Event(act, act.action.side, act.line) for act in acts if _counts(act)]


def _counts(act: Act) -> bool:
    return isinstance(act.action, Play | Double | Answer | Resignation | Result)


@dataclass
class Referee:
    """A game in progress: the board, the cube, and whose turn it is (None: either's)."""

    record: Record
    boards: Boards
    cube: Cube
    to_act: Side | None
    rolled: bool
    over: bool = False

    def first_fault(self, order: Sequence[Event]) -> Places:
        """Return the index of the first action against the rules, and its codes."""
        for index in range(len(order)):
            places = self.carry_out(order, index)
            if places:
                return places
        return NOTHING

    def carry_out(self, order: Sequence[Event], index: int) -> Places:
        """Carry out one action, or say what is wrong with it."""
        event = order[index]
        action = event.act.action
        if isinstance(action, Play | Double | Answer) and self.over:
            return self._at(event, "T106")
        if isinstance(action, Play):
            return self._play(order, index)
        if isinstance(action, Double):
            return self._double(event, action)
        if isinstance(action, Answer):
            return self._answer(event, action)
        self.over = True
        return NOTHING

    def _at(self, event: Event, *codes: str) -> Places:
        return frozenset((event.line, code) for code in codes)

    # -- plays -------------------------------------------------------------------------------

    def _play(self, order: Sequence[Event], index: int) -> Places:
        event = order[index]
        play, side = event.act.action, event.side
        if self.cube.is_open:
            return self._at(event, "C507")
        if self.to_act not in (None, side) and not is_shut_out(self.boards, other(side)):
            return self._at(event, "T105")
        if play.dice and not self.rolled and play.dice[0] == play.dice[1]:
            return self._at(event, "D302")
        places = self._movement(order, index)
        if places:
            return places
        self.rolled, self.to_act = True, other(side)
        return NOTHING

    def _movement(self, order: Sequence[Event], index: int) -> Places:
        event = order[index]
        play, side, marks = event.act.action, event.side, self.record.marks
        if play.dice is None or play.how is PlayRecord.UNPLAYED:
            return NOTHING
        position = see_from(self.boards, side)
        codes = faults(position, play.dice, play.steps, marks)
        if codes and not play.steps:
            codes = without_play(self.record, play.how, codes)
        codes = remove_excused(codes, side, order[index + 1 :])
        if codes:
            ignored = hit_ignored(self.record, self.boards, order[: index + 1])
            return self._at(event, *codes) | ignored
        after, _ = check_play(position, play.dice, play.steps, marks)
        self.boards = as_boards(after, side)
        self.over = not any(self.boards[side][1:])
        return NOTHING

    # -- the cube ----------------------------------------------------------------------------

    def _double(self, event: Event, double: Double) -> Places:
        side = event.side
        if self.cube.is_open:
            return self._at(event, "C502")
        if self.to_act not in (None, side):
            return self._at(event, "C502", "T105")
        if not self.rolled:
            return self._at(event, "C509")
        if not self.cube.may_double(side):
            return self._at(event, "C501")
        if double.value not in (None, 2 * self.cube.value):
            return self._at(event, "C505")
        self.cube = self.cube.doubled(side)
        self.to_act = other(side)
        return NOTHING

    def _answer(self, event: Event, answer: Answer) -> Places:
        by = self.cube.offered_by
        if by is None or by == event.side:
            return self._at(event, "C506")
        if answer.taken:
            self.cube, self.to_act = self.cube.taken(), by
        else:
            self.over = True
        return NOTHING


def other(side: Side) -> Side:
    """Return the opponent."""
    return 1 if side == 0 else 0


def first_fault(
    record: Record, boards: Boards, before: Act, order: Sequence[Event], *, after: bool
) -> Places:
    """Check what follows from `boards`, the cube and turn being those of `before`.

    `after`: the turn of `before` has been played; else it is still to come, by either side.
    """
    rolled = after or any(
        isinstance(act.action, Play) for act in record.games[before.game] if act.at < before.at
    )
    over = after and not any(boards[before.side][1:])
    to_act = other(before.side) if after else None
    referee = Referee(record, boards, before.cube, to_act, rolled, over)
    return referee.first_fault(order)


def without_play(record: Record, how: PlayRecord, codes: frozenset[str]) -> frozenset[str]:
    """Return the codes of an empty cell: of a dance, or of a play not recorded where dances are written out."""
    if how is PlayRecord.EMPTY and record.match.conventions.writes_dances:
        return frozenset(("D303",))
    return codes


def remove_excused(codes: frozenset[str], side: Side, later: Sequence[Event]) -> frozenset[str]:
    """Return the codes without those that the end of a game excuses.

    Nothing or too little played in the last turn before a result: resigned after rolling.
    """
    if any(isinstance(event.act.action, Play | Double | Answer) for event in later):
        return codes
    result = next((e for e in later if isinstance(e.act.action, Result | Resignation)), None)
    if result is None:
        return codes
    codes -= {"P411", "D303"}
    wins = isinstance(result.act.action, Result) and result.side == side
    return codes if wins else codes - {"P409"}


def hit_ignored(record: Record, boards: Boards, order: Sequence[Event]) -> Places:
    """Return the report of a hit not carried out, if the last of `order` uses the checker that it sent to the bar."""
    last = order[-1]
    plays = (event for event in reversed(order[:-1]) if isinstance(event.act.action, Play))
    before = next(plays, None)
    if before is None or before.side == last.side:
        return NOTHING
    if _plays_on(record, see_from(boards, last.side), last.act.action):
        return frozenset({(before.line, "P412")})
    return NOTHING


def _plays_on(record: Record, position: Position, play: Play) -> bool:
    """Whether the play is legal with a checker back on the point where it was hit."""
    if not position.own[BAR] or play.dice is None:
        return False
    for step in play.steps:
        source = step.path[0]
        if not 0 < source < BAR or position.own[source]:
            continue
        points = list(position.own)
        points[BAR] -= 1
        points[source] += 1
        back = position._replace(own=tuple(points))
        if check_play(back, play.dice, play.steps, record.marks)[1].fault is None:
            return True
    return False


def see_from(boards: Boards, side: Side) -> Position:
    """Return the board from the side of `side`."""
    return Position(boards[side], boards[1 - side])


def as_boards(position: Position, side: Side) -> Boards:
    """Return a position seen by `side` as left's and right's checkers."""
    return (position.own, position.other) if side == 0 else (position.other, position.own)


def is_shut_out(boards: Boards, side: Side) -> bool:
    """Whether no roll at all lets the side enter from the bar."""
    position = see_from(boards, side)
    return bool(position.own[BAR]) and all(
        set(legal_plays(position, (die, die))) == {position} for die in range(1, 7)
    )
