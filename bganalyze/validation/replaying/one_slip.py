"""Several errors of a game with one cause: a miswritten play, or a lost row of two turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.board.movement import ROLLS, Dice, Steps, are_dice, can_move, try_plain_play
from bganalyze.board.position import BAR, Points, Position, Step
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Action,
    Answer,
    CheckersPutBack,
    Double,
    Play,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.board_guesses import LOST_ROW, OTHER_PLAY
from bganalyze.validation.replaying.contradictions import AT_TABLE, IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.demands import (
    BoardConstraints,
    PlayConstraints,
    list_constraints,
)
from bganalyze.validation.replaying.faults import BOARD_FAULTS
from bganalyze.validation.replaying.replayed import as_boards, seen_by
from bganalyze.validation.replaying.state import GameState, ReportedProblem
from bganalyze.validation.replaying.trial import try_actions

HIT_NOT_EXECUTED = "hit-not-executed"

LOST_ANSWERS = ("answer-without-double", "unanswered-double")

EXPLAINED = BOARD_FAULTS | {HIT_NOT_EXECUTED, "action-after-end", *LOST_ANSWERS}
"""Errors that a wrong board, or a lost row with a double, may cause."""

MANY_FAULTS = 2
"""Minimum number of these errors before one slip is sought for all of them."""

PLAYS_BEFORE = 40
"""Number of plays before an error that are searched for a miswritten play."""

MANY_OF_BOTH = 3
"""This many errors of both sides suggest one lost row, not as many errors of the players."""

ROWS_BEFORE = 8
"""Number of rows before an error that are searched for a lost row."""

NOBODY = (0,) * (BAR + 1)
"""The points of a side without checkers."""

MOST_TRIED = 10_000
"""Budget of a search in one game, in turns and plays tried. It takes a tenth of a second; two in
100 lost rows need more."""

COST_OF_TURNS = 100
"""Cost of finding all turns from one board, in the same unit."""

RollAndSteps = tuple[Dice, Steps]
"""The dice of a roll, and the steps of its play."""

DANCES: tuple[RollAndSteps, ...] = tuple((dice, ()) for dice in ROLLS)


def merge_errors_of_one_mistake(state: GameState) -> None:
    """Merge a game's illegal plays into one error if a single earlier slip explains all of them.

    The slip is a play written wrong or a missing row.
    """
    faults = sorted(
        (noted for noted in state.problems if noted.problem.rule in EXPLAINED),
        key=lambda noted: noted.problem.span,
    )
    if len(faults) < MANY_FAULTS:
        return
    first, actions = faults[0], state.game.actions
    # An ignored hit shows in the row below it.
    shown = faults[first.problem.rule == HIT_NOT_EXECUTED].problem.span
    index = next(
        (at for at, action in enumerate(actions) if action.span.line >= shown.line), len(actions)
    )
    starts = list(_find_first_actions_of_rows(actions, shown.line))[-ROWS_BEFORE:]
    if _hide_or_change_board(actions[index:]) or not _are_mistakes_of_transcriber(
        state, faults, starts
    ):
        return
    search = _MistakeSearch(state, list_constraints(actions))
    reading = search.find_miswritten_play(shown) or search.find_lost_row(starts)
    state.doubt.spend_budget(MOST_TRIED - search.left)
    if reading is None:
        return
    for fault in faults[1:]:
        state.count_as_consequence(first, fault)
    first.amend_problem(reading=reading)
    state.doubt.note_other_board()


def _hide_or_change_board(actions: Sequence[Action]) -> bool:
    """Whether any of these actions makes the board unknown or sets up a new one."""
    return any(
        isinstance(action, Unread | SetUp | CheckersPutBack) or _lacks_dice(action)
        for action in actions
    )


def _lacks_dice(action: Action) -> bool:
    """Whether this is a play without a recorded roll."""
    return type(action) is Play and action.dice is None


def _find_first_actions_of_rows(actions: Sequence[Action], last: int) -> Iterator[int]:
    """Yield the index of the left side's first action in each row, up to the line `last`."""
    line = 0
    for index, action in enumerate(actions):
        if action.span.line > last:
            return
        if action.span.line != line and getattr(action, "side", None) == LEFT:
            yield index
        line = action.span.line


def _are_mistakes_of_transcriber(
    state: GameState, illegal_plays: Sequence[ReportedProblem], row_starts: Sequence[int]
) -> bool:
    """Whether the file shows that illegal plays are the transcriber's mistakes, not the players'.

    One sign is an unexpected row number in an earlier row. `row_starts` are the indexes of the
    first actions of the earlier rows.
    """
    first = illegal_plays[0]
    if first.contradictions or first.problem.consequences or first.problem.rule not in AT_TABLE:
        return True
    lines = {state.game.actions[start].span.line for start in row_starts}
    if not lines.isdisjoint(state.odd_rows):
        return True
    of_both = (
        len({noted.problem.side for noted in illegal_plays}) > 1
        and len(illegal_plays) >= MANY_OF_BOTH
    )
    return of_both or any(noted.problem.rule in IMPOSSIBLE_AT_TABLE for noted in illegal_plays)


def _find_start(span: Span) -> tuple[int, int]:
    """Return the line and the column at which `span`, a place in the file, starts."""
    return span.line, span.column


def _name_place(action: Action) -> str:
    """Return the name of the row of an action, or of its line if rows have no numbers."""
    return f"line {action.span.line}" if action.row is None else f"row {action.row}"


class _MistakeSearch:
    """Search for one slip whose correction makes all later actions of a game legal."""

    def __init__(self, state: GameState, following: Sequence[PlayConstraints]) -> None:
        self._table = state
        self._actions = state.game.actions
        self._following = following
        self.left = MOST_TRIED
        """The rest of the budget."""

    def find_miswritten_play(self, first_error: Span) -> str | None:
        """Return the name of the play that was probably written wrong, or None.

        Another play of the same roll would make the rest of the game legal. Only plays up to
        `first_error` are tried.
        """
        plays = [
            index
            for index, action in enumerate(self._actions)
            if type(action) is Play and _find_start(action.span) <= _find_start(first_error)
        ]
        for index in reversed(plays[-PLAYS_BEFORE:]):
            play = self._actions[index]
            assert isinstance(play, Play)
            if self.left <= 0 or _hide_or_change_board(self._actions[index:]):
                return None
            # With another play of its roll, the rest of the game is legal.
            if self._is_legal_after_other_play(index, play):
                assert play.dice is not None
                high, low = max(play.dice), min(play.dice)
                return f"{OTHER_PLAY}{high}{low} in {_name_place(play)}"
        return None

    def _is_legal_after_other_play(self, index: int, play: Play) -> bool:
        """Whether another play of the roll of `play` makes all later actions legal.

        `index` is the index of `play` in the game.
        """
        assert play.dice is not None
        boards, side = self._table.turns[index].before, play.side
        demands = self._following[index + 1].constraints_on_board(boards, side)
        behind = self._actions[index + 1 :]
        self.left -= 1
        return are_dice(play.dice) and any(
            self.left > 0 and self._are_actions_legal(result, side, behind)
            for result, _ in demands.find_fitting_plays(seen_by(boards, side), play.dice)
        )

    def find_lost_row(self, row_starts: Sequence[int]) -> str | None:
        """Return the name of the place where a row is probably missing, or None.

        Such a row would make all later actions legal. A missing row is tried before each index in
        `row_starts`, from the last index back.
        """
        for index in reversed(row_starts):
            if _hide_or_change_board(self._actions[index:]):
                return None
            if self._is_legal_after_lost_row(index):
                return LOST_ROW + _name_place(self._actions[index])
        return None

    def _is_legal_after_lost_row(self, index: int) -> bool:
        """Whether the actions from `index` on are legal if a row is missing before them."""
        if type(self._actions[index]) is Answer:
            return self._is_legal_after_lost_turn(index, LEFT)  # The right side must have doubled.
        if index and type(self._actions[index - 1]) is Double:
            return self._is_legal_after_lost_turn(index, RIGHT)  # The left side must have taken.
        return self._is_legal_after_two_lost_turns(index)

    def _is_legal_after_lost_turn(self, index: int, side: Side) -> bool:
        """Whether the actions from `index` on are legal after a missing turn of `side`."""
        actions, boards = self._actions[index:], self._table.turns[index].before
        demands = self._following[index].constraints_on_board(boards, side)
        enters = _enters_next(actions, side)
        turns = self._find_possible_turns(seen_by(boards, side), demands, may_stay=enters)
        return any(self._are_actions_legal(result, side, actions) for result in turns)

    def _is_legal_after_two_lost_turns(self, index: int) -> bool:
        """Whether the actions from `index` on are legal after a lost turn of left, then right."""
        actions = self._actions[index:]
        boards, following = self._table.turns[index].before, self._following[index]
        enters, other_enters = (_enters_next(actions, side) for side in (LEFT, RIGHT))
        of_first = following.constraints_on_board(boards, LEFT)
        # The second turn's landing points and hits are left to the trial: its turns are found once
        # for many boards, as if the first side had no checkers.
        of_second = following.constraints_on_board(boards, RIGHT)._replace(has_hit=None)
        answers: dict[Points, list[RollAndSteps]] = {}
        for result in self._find_possible_turns(seen_by(boards, LEFT), of_first, may_stay=enters):
            before = seen_by(as_boards(result, LEFT), RIGHT)
            if before.own not in answers:
                alone = Position(before.own, NOBODY)
                turns = self._find_possible_turns(alone, of_second, may_stay=other_enters)
                answers[before.own] = [*turns.values(), *DANCES]
            for after in self._try_each_turn(before, answers[before.own]):
                if (
                    self.left > 0
                    and bool(after.other[BAR]) is enters
                    and self._are_actions_legal(after, RIGHT, actions)
                ):
                    return True
            if self.left <= 0:
                break
        return False

    def _find_possible_turns(
        self, position: Position, constraints: BoardConstraints, *, may_stay: bool
    ) -> dict[Position, RollAndSteps]:
        """Return the boards that meet `constraints` after any roll, with the roll and steps.

        If `may_stay` is false, boards with a checker of the moving side on the bar are left out.
        """
        if self.left <= 0:
            return {}
        self.left -= COST_OF_TURNS
        return {
            result: (dice, steps)
            for dice in ROLLS
            for result, steps in constraints.find_fitting_plays(position, dice)
            if may_stay or not result.own[BAR]
        }

    def _try_each_turn(self, before: Position, turns: Sequence[RollAndSteps]) -> Iterator[Position]:
        """Yield the board after each of `turns` that is legal from the board `before`."""
        self.left -= len(turns)
        for dice, steps in turns:
            if not steps:
                if not can_move(before, dice):
                    yield before
                continue
            for way in _join_or_keep_steps(steps):
                played = try_plain_play(before.own, before.other, dice, way)
                if played is not None:
                    yield Position(*played[:2])

    def _are_actions_legal(self, result: Position, side: Side, actions: Sequence[Action]) -> bool:
        """Whether all actions are legal after `side` has left the board `result`."""
        marks_hits = self._table.conventions.marks_hits
        boards, other = as_boards(result, side), other_side(side)
        trial = try_actions(boards, actions, marks_hits=marks_hits, side=other)
        # The actions tried count against the work limit.
        self.left -= 1 + trial.plays
        return trial.is_whole and not trial.odd_marks


def _join_or_keep_steps(steps: Steps) -> Iterator[Steps]:
    """Yield `steps`; if they are two steps of one checker, also yield them as one step.

    For example, `8/5 5/3` is also yielded as `8/3`.
    """
    yield steps
    if len(steps) == 2 and steps[0].path[-1] == steps[1].path[0]:
        yield (Step((steps[0].path[0], steps[1].path[-1]), (False,)),)


def _enters_next(actions: Sequence[Action], side: Side) -> bool:
    """Whether a side's next play shows a checker on the bar: it enters one, or dances."""
    plays = (action for action in actions if type(action) is Play and action.side == side)
    play = next(plays, None)
    return play is not None and (not play.steps or play.steps[0].path[0] == BAR)
