"""Games whose layout is wrong: swapped cells, rows or columns.

Every play is numbered from its own side, so such a game may replay for a while. If it has more than
one error, other layouts of the rows near the first error are tried, and one that replays the whole
game without an error is taken. The first recorded error is kept, with that layout as its reading;
the rest are its consequences.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, islice
from typing import NamedTuple

from bganalyze.board.position import BAR, OFF
from bganalyze.record.model import (
    LEFT,
    Action,
    Answer,
    Double,
    Game,
    Play,
    Resignation,
    Result,
    Side,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.board_guesses import BoardGuess, LaterPlays, try_guess
from bganalyze.validation.replaying.faults import collect_plays
from bganalyze.validation.replaying.replayed import Contradiction, count_with_consequences
from bganalyze.validation.replaying.state import GameState, ReportedProblem
from bganalyze.validation.replaying.trial import try_play

COLUMNS = "the columns of the whole game exchanged"
ROLLS = "the rolls of the two columns exchanged in the whole game"
OTHER_END = (
    "{left}'s points counted from the other end",
    "{right}'s points counted from the other end",
)

WHOLE_GAME = frozenset((COLUMNS, ROLLS, *OTHER_END))
"""Slips made throughout a game, and often throughout a match."""

REMARKS = frozenset(("dead-cube", "missing-hit-mark", "ambiguous-empty", "false-hit-mark"))
"""Problems that do not count as errors of the game."""

DOUBTFUL = frozenset(
    ("blocked-route", "ambiguous-route", "unplayed-roll", "ghost-row", "replayed-turn")
)
"""Warnings: if there is an error too, it is reported as the slip."""

MANY_FAULTS = 2
"""This many errors in a game call its layout into question."""

ROWS_BEFORE, ROWS_AFTER = 5, 1
"""Rows searched for a slip before and after the first error."""

ROWS_AT_END = 2
"""If columns are swapped, at most this many rows at the end of the game may be right."""

FEWEST_ROWS = 4
"""Minimum rows of a game; fewer fit too many layouts."""

MOST_ACTIONS = 40
"""Number of actions, from the first changed row on, that are tried first."""

MOST_REPLAYS = 3
"""Number of layouts that are replayed to the end of the game."""

Row = tuple[Action, ...]
TURNS = (Play, Double, Answer)
Cell = Play | Double | Answer | Resignation | Result | Unread


class Layout(NamedTuple):
    """A rearrangement of rows that the transcriber may have meant; `first` is the first changed row."""

    name: str
    rows: Sequence[Row]
    first: int
    is_of_columns: bool = False
    """Whether the two columns are swapped up to the end of the game. The result line may be in the
    right column all the same."""


def replay_with_swaps_undone(
    state: GameState, replay_game: Callable[[Game], GameState]
) -> GameState:
    """Undo the swap of cells, rolls or columns that explains all errors, and replay the game.

    A cell is one side's half of a row. The new replay has one error, which names the swap. If no
    swap explains the errors, return `state`, the replay as recorded, with errors of one cause
    merged.
    """
    other = _replay_with_likeliest_swap(state, replay_game)
    if other is not None:
        return other
    _merge_lost_turns(state)
    # Loaded only if something does not fit.
    from bganalyze.validation.replaying.one_slip import merge_errors_of_one_mistake

    merge_errors_of_one_mistake(state)
    return state


def _merge_lost_turns(state: GameState) -> None:
    """Merge the errors of successive missing turns of one side into the first of these errors."""
    at_fault = {
        noted.problem.span: noted for noted in state.problems if noted.problem.rule == "turn-order"
    }
    if len(at_fault) < MANY_FAULTS:
        return
    first: ReportedProblem | None = None
    for action in state.game.actions:
        missing = at_fault.pop(action.span, None)  # Two actions may have the same place.
        # A turn of the other side ends the part.
        if first is not None and isinstance(action, TURNS) and action.side != first.problem.side:
            first = None
        if first is None:
            first = missing
        elif missing is not None:
            state.count_as_consequence(first, missing)


def _replay_with_likeliest_swap(
    state: GameState, replay_game: Callable[[Game], GameState]
) -> GameState | None:
    """Undo the likeliest swap of cells, rolls or columns, and replay the game.

    `state` is the replay as recorded. Return None if no swap explains its errors.
    """
    faults = [noted.problem for noted in state.problems if noted.problem.rule not in REMARKS]
    weight = count_with_consequences(faults)
    if weight < MANY_FAULTS and not any(
        problem.rule == "answer-without-double" for problem in faults
    ):
        return None
    first = min(faults, key=lambda problem: (problem.rule in DOUBTFUL, problem.span))
    others = (
        Contradiction(problem.span, problem.rule) for problem in faults if problem is not first
    )
    blamed = first._replace(consequences=weight - 1, contradictions=tuple(others))
    whole = _replay_with_swap_throughout(state, replay_game) if weight >= MANY_FAULTS else None
    if whole is not None:
        turned, name = whole
        put_down = (
            turned.add_swapped_columns_problem if name == COLUMNS else turned.add_layout_problem
        )
        put_down(blamed._replace(reading=name))
        return turned
    rows = _split_rows(state.game.actions)
    if len(rows) < FEWEST_ROWS or first.rule == "action-after-end":
        return None
    fitting = (
        layout
        for layout in _yield_nearby_layouts(rows, first.span.line)
        if _makes_plays_legal(layout, rows, state)
    )
    for layout in islice(fitting, MOST_REPLAYS):
        turned = replay_game(state.game._replace(actions=tuple(chain.from_iterable(layout.rows))))
        if _has_no_problems(turned):
            put_down = (
                turned.add_swapped_columns_problem
                if layout.is_of_columns
                else turned.add_layout_problem
            )
            put_down(blamed._replace(reading=layout.name))
            return turned
    return None


def _has_no_problems(state: GameState) -> bool:
    """Whether a replay has no errors, and its recorded result names the side that won."""
    end = state.end
    if end.result is not None and end.winner != end.result.side:
        return False
    return all(noted.problem.rule in REMARKS for noted in state.problems)


# -- slips made throughout a game


def _replay_with_swap_throughout(
    state: GameState, replay_game: Callable[[Game], GameState]
) -> tuple[GameState, str] | None:
    """Undo a swap that affects all rows, and return the replay of the game and the swap's name.

    Return None if no such swap explains all errors.
    """
    for name, actions in _yield_swaps_throughout(state.game.actions):
        later_plays = collect_all_plays(actions, state)
        if (
            not later_plays.plays
            or try_guess(BoardGuess(name, state.turns[0].before), later_plays, 0).faults
        ):
            continue
        turned = replay_game(state.game._replace(actions=tuple(actions)))
        if all(noted.problem.rule in REMARKS for noted in turned.problems):
            return turned, name
    return None


def _yield_swaps_throughout(actions: tuple[Action, ...]) -> Iterator[tuple[str, Sequence[Action]]]:
    """Yield possible swaps in all rows: the swap's name, and the actions with it undone."""
    # Columns, rolls or one side's numbering of points may be swapped.
    yield COLUMNS, _put_right_cells_first(actions)
    for exchanged in ROLL_SWAPS:
        yield ROLLS, exchanged(actions)
    for side, name in enumerate(OTHER_END):
        yield (
            name,
            [
                _renumber_from_other_end(action) if _find_side(action) == side else action
                for action in actions
            ],
        )


def swap_rolls(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with the two rolls swapped in each row that has two plays."""
    rows = (_swap_dice(row) or row for row in _split_rows(actions))
    return tuple(chain.from_iterable(rows))


def swap_rolls_in_turn(actions: Sequence[Action], first: int = 0) -> tuple[Action, ...]:
    """Return the actions with the rolls swapped within each pair of consecutive plays.

    The first pair begins after the first `first` plays.
    """
    meant = list(actions)
    plays = [index for index, action in enumerate(actions) if type(action) is Play][first:]
    for one, other in zip(plays[::2], plays[1::2], strict=False):
        exchanged = _swap_dice((actions[one], actions[other]))
        if exchanged is not None and _find_side(actions[one]) != _find_side(actions[other]):
            meant[one], meant[other] = exchanged
    return tuple(meant)


ROLL_SWAPS: tuple[Callable[[Sequence[Action]], tuple[Action, ...]], ...] = (
    swap_rolls,
    swap_rolls_in_turn,
    partial(swap_rolls_in_turn, first=1),
)
"""Ways to swap the rolls of a game, likeliest first."""


def swap_cells(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return the actions with the left and the right half of each row swapped."""
    return tuple(chain.from_iterable(map(_swap_cells_of_row, _split_rows(actions))))


def _renumber_from_other_end(action: Action) -> Action:
    """Return an action with the points of a play numbered from the other end of the board."""
    if type(action) is not Play:
        # Other actions have no points.
        return action
    paths = (tuple(map(_number_from_other_end, step.path)) for step in action.steps)
    steps = (step._replace(path=path) for step, path in zip(action.steps, paths, strict=True))
    return action._replace(steps=tuple(steps))


def _number_from_other_end(point: int) -> int:
    """Return a point's number from the other end of the board; the bar and off keep theirs."""
    return point if point in (OFF, BAR) else BAR - point


def collect_all_plays(actions: Sequence[Action], state: GameState) -> LaterPlays:
    """Return all plays in `actions`, ready to be tried on guessed boards."""
    indexes = [index for index, action in enumerate(actions) if type(action) is Play]
    return collect_plays(actions, indexes, state.conventions.marks_hits)


def _put_right_cells_first(actions: tuple[Action, ...]) -> list[Action]:
    """Return the actions with the right half of each row before the left half."""
    ordered: list[Action] = []
    for row in _split_rows(actions):
        ordered.extend(sorted(row, key=lambda action: -(_find_side(action) or LEFT)))
    return ordered


# -- rows and cells round the first error


def _split_rows(actions: Iterable[Action]) -> list[Row]:
    """Return the actions as rows, one for each line of the file."""
    return [tuple(row) for _, row in groupby(actions, key=lambda action: action.span.line)]


def _yield_nearby_layouts(rows: Sequence[Row], line: int) -> Iterator[Layout]:
    """Yield possible corrections of swapped rows or halves, those nearest to `line` first."""
    at = next((index for index, row in enumerate(rows) if row[0].span.line >= line), len(rows) - 1)
    near = range(max(at - ROWS_BEFORE, 0), min(at + ROWS_AFTER + 1, len(rows)))
    for index in sorted(near, key=lambda near_row: abs(near_row - at)):
        yield from _yield_layouts_of_row(rows, index)
    exchanged = [_swap_cells_of_row(row) for row in rows]
    for index in sorted(near, key=lambda near_row: abs(near_row - at)):
        name = f"the columns exchanged from {_name_row(rows[index])} on"
        for end in range(len(rows), max(len(rows) - ROWS_AT_END, index + 2) - 1, -1):
            yield Layout(name, [*rows[:index], *exchanged[index:end], *rows[end:]], index, True)


def _yield_layouts_of_row(rows: Sequence[Row], index: int) -> Iterator[Layout]:
    """Yield a game's rows for each possible correction of the row at `index`."""
    row, before, after = rows[index], rows[:index], rows[index + 1 :]
    # Its rolls or halves are swapped, it is left out, or it changes places with the next row.
    name = _name_row(row)
    dice_exchanged = _swap_dice(row)
    if dice_exchanged is not None:
        yield Layout(f"the dice of {name} exchanged", [*before, dice_exchanged, *after], index)
    if before and _have_same_content(before[-1], row):
        yield Layout(f"{name} left out, which repeats the one before", [*before, *after], index)
    is_pair = len({_find_side(action) for action in row}) > 1
    slip = f"the two cells of {name} exchanged" if is_pair else f"{name} in the other column"
    yield Layout(slip, [*before, _swap_cells_of_row(row), *after], index)
    if after:
        rest = [after[0], row, *after[1:]]
        yield Layout(f"{name} and the next one exchanged", [*before, *rest], index)


def _name_row(row: Row) -> str:
    """Return the name of a row in messages: `row 5`, or `line 12`."""
    number = next((action.row for action in row if action.row is not None), None)
    return f"line {row[0].span.line}" if number is None else f"row {number}"


def _swap_cells_of_row(row: Row) -> Row:
    """Return a row with its left and right halves swapped."""
    turned = [_give_to_other_side(action) if isinstance(action, Cell) else action for action in row]
    return tuple(sorted(turned, key=lambda action: _find_side(action) or LEFT))


def _give_to_other_side(action: Cell) -> Cell:
    """Return an action as if the other side had made it."""
    if action.side is None:
        return action
    return action._replace(side=other_side(action.side))


def _find_side(action: Action) -> Side | None:
    """Return the side that made an action, or None if neither side did."""
    return action.side if isinstance(action, Cell) else None


def _swap_dice(row: Row) -> Row | None:
    """Return a row of two plays with their rolls swapped, or None for any other row."""
    if len(row) != 2:
        return None
    left, right = row
    if type(left) is not Play or type(right) is not Play:
        return None
    return left._replace(dice=right.dice), right._replace(dice=left.dice)


def _have_same_content(one: Row, two: Row) -> bool:
    """Whether two rows have the same actions, wherever they are in the file."""
    return list(map(_take_content_without_place, one)) == list(
        map(_take_content_without_place, two)
    )


def _take_content_without_place(action: Action) -> tuple[object, ...]:
    """Return the kind and fields of an action except its place, to compare it with others."""
    if type(action) is Play:
        return action.side, action.dice, action.steps
    return type(action), _find_side(action)


def _makes_plays_legal(layout: Layout, recorded_rows: Sequence[Row], state: GameState) -> bool:
    """Whether the plays from the first changed row on are legal when the rows are rearranged."""
    # A full replay takes long, so the plays are tried first; of them the first one alone, because
    # it is illegal in nearly all layouts.
    index = sum(map(len, recorded_rows[: layout.first]))
    if index >= len(state.turns):
        return False
    # Enough actions to tell.
    actions = list(islice(chain.from_iterable(layout.rows[layout.first :]), MOST_ACTIONS))
    before, marks_hits = state.turns[index].before, state.conventions.marks_hits
    plays = [action for action in actions if type(action) is Play]
    if len(plays) > 1 and not try_play(before, plays[0], marks_hits=marks_hits).is_legal:
        return False
    return not try_guess(
        BoardGuess(layout.name, before), collect_all_plays(actions, state), 0
    ).faults
