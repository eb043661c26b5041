"""Faults of a game that come of one slip: another play was written, or a row of two turns is lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.board.movement import ROLLS, Dice, Steps, are_dice, can_move, played_straight
from bganalyze.board.position import BAR, Points, Position, Step
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    Double,
    Play,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.contradictions import AT_TABLE, IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.demands import Demands, Following, following_each
from bganalyze.validation.replaying.facts import as_boards, seen_by
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.readings import LOST_ROW, OTHER_PLAY
from bganalyze.validation.replaying.state import Noted, Table
from bganalyze.validation.replaying.trial import tried

HIT_NOT_EXECUTED = "hit-not-executed"

LOST_ANSWERS = ("answer-without-double", "unanswered-double")

EXPLAINED = BOARD_FAULTS | {HIT_NOT_EXECUTED, "action-after-end", *LOST_ANSWERS}
"""Faults that a wrong board, or a lost row with a double, may lead to."""

MANY_FAULTS = 2
"""This many of them in a game call for one slip that explains them all."""

PLAYS_BEFORE = 40
"""A play written instead of another shows within so many plays."""

MANY_OF_BOTH = 3
"""So many of both sides are rather one lost row than as many errors of the players."""

ROWS_BEFORE = 8
"""A lost row shows within so many rows."""

NOBODY = (0,) * (BAR + 1)
"""The checkers of a side that has none."""

MOST_TRIED = 10_000
"""So much is tried in a game: turns, and plays behind them. It takes a tenth of a second; of 100 lost
rows two need more."""

COST_OF_TURNS = 100
"""All turns of a board cost as much as so many of them."""

Roll = tuple[Dice, Steps]
"""A roll, and the steps of its play."""

DANCES: tuple[Roll, ...] = tuple((dice, ()) for dice in ROLLS)


def put_down_to_one_slip(table: Table) -> None:
    """Count all faults of the board on the first, if one slip before it explains all of them.

    The record must contradict that the players erred each time: by a play that nobody can have
    made, by one that does not fit the first fault, by the numbers of the rows, or by faults of both
    sides, one after the other.
    """
    faults = sorted(
        (noted for noted in table.facts if noted.fact.rule in EXPLAINED),
        key=lambda noted: noted.fact.span,
    )
    if len(faults) < MANY_FAULTS:
        return
    first, actions = faults[0], table.game.actions
    # A hit that is not heeded shows in the row below it.
    shown = faults[first.fact.rule == HIT_NOT_EXECUTED].fact.span
    index = next(
        (at for at, action in enumerate(actions) if action.span.line >= shown.line), len(actions)
    )
    starts = list(_row_starts(actions, shown.line))[-ROWS_BEFORE:]
    if _is_unreadable(actions[index:]) or not _is_told(table, faults, starts):
        return
    search = _Search(table, following_each(actions))
    reading = search.other_play(shown) or search.lost_row(starts)
    table.doubt.spend(MOST_TRIED - search.left)
    if reading is None:
        return
    for fault in faults[1:]:
        table.count_on(first, fault)
    first.amend(reading=reading)
    table.doubt.amend_record()


def _is_unreadable(actions: Sequence[Action]) -> bool:
    """Whether nothing tells what some of the actions leave."""
    return any(isinstance(action, Unread | SetUp) or _lacks_dice(action) for action in actions)


def _lacks_dice(action: Action) -> bool:
    return type(action) is Play and action.dice is None


def _row_starts(actions: Sequence[Action], last: int) -> Iterator[int]:
    """Yield the indexes of the first actions of rows, up to a line, that begin with the left side."""
    line = 0
    for index, action in enumerate(actions):
        if action.span.line > last:
            return
        if action.span.line != line and getattr(action, "side", None) == LEFT:
            yield index
        line = action.span.line


def _is_told(table: Table, faults: Sequence[Noted], starts: Sequence[int]) -> bool:
    """Whether the record contradicts that the players made these errors and nothing is missing."""
    first = faults[0]
    if first.contradictions or first.fact.consequences or first.fact.rule not in AT_TABLE:
        return True
    lines = {table.game.actions[start].span.line for start in starts}
    if not lines.isdisjoint(table.odd_rows):
        return True
    of_both = len({noted.fact.side for noted in faults}) > 1 and len(faults) >= MANY_OF_BOTH
    return of_both or any(noted.fact.rule in IMPOSSIBLE_AT_TABLE for noted in faults)


def _starts(span: Span) -> tuple[int, int]:
    """Return the line and column at which a span starts."""
    return span.line, span.column


def _named(action: Action) -> str:
    return f"line {action.span.line}" if action.row is None else f"row {action.row}"


class _Search:
    """The search for a slip after which all that follows in a game is legal."""

    def __init__(self, table: Table, following: Sequence[Following]) -> None:
        self._table = table
        self._actions = table.game.actions
        self._following = following
        self.left = MOST_TRIED
        """How much may still be tried."""

    def other_play(self, shown: Span) -> str | None:
        """Return the reading that another play of a roll was made, at the place of a fault or before."""
        plays = [
            index
            for index, action in enumerate(self._actions)
            if type(action) is Play and _starts(action.span) <= _starts(shown)
        ]
        for index in reversed(plays[-PLAYS_BEFORE:]):
            play = self._actions[index]
            assert isinstance(play, Play)
            if self.left <= 0 or _is_unreadable(self._actions[index:]):
                return None
            if self._fits_other_play(index, play):
                assert play.dice is not None
                high, low = max(play.dice), min(play.dice)
                return f"{OTHER_PLAY}{high}{low} in {_named(play)}"
        return None

    def _fits_other_play(self, index: int, play: Play) -> bool:
        """Whether all actions behind a play follow another play of its roll."""
        assert play.dice is not None
        boards, side = self._table.turns[index].before, play.side
        demands = self._following[index + 1].demands(boards, side)
        behind = self._actions[index + 1 :]
        self.left -= 1
        return are_dice(play.dice) and any(
            self.left > 0 and self._is_whole(result, side, behind)
            for result, _ in demands.plays(seen_by(boards, side), play.dice)
        )

    def lost_row(self, starts: Sequence[int]) -> str | None:
        """Return the reading that a row is lost before one of those that begin at some indexes."""
        for index in reversed(starts):
            if _is_unreadable(self._actions[index:]):
                return None
            if self._fits_row_before(index):
                return LOST_ROW + _named(self._actions[index])
        return None

    def _fits_row_before(self, index: int) -> bool:
        """Whether all actions from an index on follow a row."""
        if type(self._actions[index]) is Answer:
            return self._fits_turn_before(index, LEFT)  # Then the right side doubled.
        if index and type(self._actions[index - 1]) is Double:
            return self._fits_turn_before(index, RIGHT)  # The left side took.
        return self._fits_turns_before(index)

    def _fits_turn_before(self, index: int, side: Side) -> bool:
        """Whether all actions from an index on follow a turn of a side."""
        actions, boards = self._actions[index:], self._table.turns[index].before
        demands = self._following[index].demands(boards, side)
        enters = _enters_next(actions, side)
        turns = self._turns(seen_by(boards, side), demands, may_stay=enters)
        return any(self._is_whole(result, side, actions) for result in turns)

    def _fits_turns_before(self, index: int) -> bool:
        """Whether all actions from an index on follow two turns, the first by the left side."""
        actions = self._actions[index:]
        boards, following = self._table.turns[index].before, self._following[index]
        enters, other_enters = (_enters_next(actions, side) for side in (LEFT, RIGHT))
        of_first = following.demands(boards, LEFT)
        # Which points the first turn leaves open to the second, and what this one hits, is left to
        # the trial: the turns of a board without the first side are worked out once for many.
        of_second = following.demands(boards, RIGHT)._replace(has_hit=None)
        answers: dict[Points, list[Roll]] = {}
        for result in self._turns(seen_by(boards, LEFT), of_first, may_stay=enters):
            before = seen_by(as_boards(result, LEFT), RIGHT)
            if before.own not in answers:
                alone = Position(before.own, NOBODY)
                turns = self._turns(alone, of_second, may_stay=other_enters)
                answers[before.own] = [*turns.values(), *DANCES]
            for after in self._after_each(before, answers[before.own]):
                if (
                    self.left > 0
                    and bool(after.other[BAR]) is enters
                    and self._is_whole(after, RIGHT, actions)
                ):
                    return True
            if self.left <= 0:
                break
        return False

    def _turns(
        self, position: Position, demands: Demands, *, may_stay: bool
    ) -> dict[Position, Roll]:
        """Return the boards that a turn may leave, as demanded, each with one way to it.

        `may_stay` says whether a checker may stay on the bar.
        """
        if self.left <= 0:
            return {}
        self.left -= COST_OF_TURNS
        return {
            result: (dice, steps)
            for dice in ROLLS
            for result, steps in demands.plays(position, dice)
            if may_stay or not result.own[BAR]
        }

    def _after_each(self, before: Position, turns: Sequence[Roll]) -> Iterator[Position]:
        """Yield the boards that those of some turns leave that are legal."""
        self.left -= len(turns)
        for dice, steps in turns:
            if not steps:
                if not can_move(before, dice):
                    yield before
                continue
            for way in _ways(steps):
                played = played_straight(before.own, before.other, dice, way)
                if played is not None:
                    yield Position(*played[:2])

    def _is_whole(self, result: Position, side: Side, actions: Sequence[Action]) -> bool:
        """Whether all actions follow a turn of a side that leaves a board."""
        marks_hits = self._table.profile.marks_hits
        boards, other = as_boards(result, side), other_side(side)
        trial = tried(boards, actions, marks_hits=marks_hits, side=other)
        self.left -= 1 + trial.plays
        return trial.is_whole and not trial.odd_marks


def _ways(steps: Steps) -> Iterator[Steps]:
    """Yield a play as it is and, where one checker makes two steps, as one step by either route."""
    yield steps
    if len(steps) == 2 and steps[0].path[-1] == steps[1].path[0]:
        yield (Step((steps[0].path[0], steps[1].path[-1]), (False,)),)


def _enters_next(actions: Sequence[Action], side: Side) -> bool:
    """Whether the next play of a side is from the bar, or none."""
    plays = (action for action in actions if type(action) is Play and action.side == side)
    play = next(plays, None)
    return play is not None and (not play.steps or play.steps[0].path[0] == BAR)
