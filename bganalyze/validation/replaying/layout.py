"""A game whose rows are laid out wrongly: cells, rows or columns in each other's place.

Every play is numbered from its own side, so such a game may replay for a while. Where it is at
fault more than once, other layouts of the rows round the first fault are tried; one after which the
whole game replays without a fault is taken. The first fault as recorded stays, as the place where
it shows, and says what was taken; the rest follow from it.
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
from bganalyze.validation.replaying.facts import Contradiction, count_of
from bganalyze.validation.replaying.faults import ahead_of
from bganalyze.validation.replaying.readings import Ahead, Hypothesis, replayed
from bganalyze.validation.replaying.state import Noted, Table
from bganalyze.validation.replaying.trial import carried_out

COLUMNS = "the columns of the whole game exchanged"
ROLLS = "the rolls of the two columns exchanged in the whole game"
OTHER_END = (
    "{left}'s points counted from the other end",
    "{right}'s points counted from the other end",
)

WHOLE_GAME = frozenset((COLUMNS, ROLLS, *OTHER_END))
"""Slips that are made throughout a game, and often throughout a match."""

REMARKS = frozenset(("dead-cube", "missing-hit-mark", "ambiguous-empty", "false-hit-mark"))
"""Facts that are no faults of the game."""

DOUBTFUL = frozenset(
    ("blocked-route", "ambiguous-route", "unplayed-roll", "ghost-row", "replayed-turn")
)
"""Facts that are warnings: an error stands for the slip, where there is one."""

MANY_FAULTS = 2
"""This many faults in a game call its layout into question."""

ROWS_BEFORE, ROWS_AFTER = 5, 1
"""A slip stands so many rows before the first fault at most, or after it."""

ROWS_AT_END = 2
"""Where columns are exchanged, up to so many rows at the end of the game may stand right."""

FEWEST_ROWS = 4
"""Fewer rows fit too many layouts."""

MOST_ACTIONS = 40
"""So many actions from there on are tried first."""

MOST_REPLAYS = 3
"""So many layouts that fit the plays are replayed to the end of the game."""

Row = tuple[Action, ...]
TURNS = (Play, Double, Answer)
Cell = Play | Double | Answer | Resignation | Result | Unread


class Layout(NamedTuple):
    """Rows that the record may have meant; `first` is the first one that is another."""

    name: str
    rows: Sequence[Row]
    first: int
    is_of_columns: bool = False
    """Whether the end of the game is in the other column, too: the result may be or not."""


def laid_out(table: Table, fresh: Callable[[Game], Table]) -> Table:
    """Return the game replayed in another layout, where that and only that explains it."""
    other = _other_layout(table, fresh)
    if other is not None:
        return other
    _merge_lost_turns(table)
    # Loaded where something does not fit only.
    from bganalyze.validation.replaying.one_slip import put_down_to_one_slip

    put_down_to_one_slip(table)
    return table


def _merge_lost_turns(table: Table) -> None:
    """Count a turn that is missing on the one before it, where the other side has not come between.

    A column is lost then, and not one turn after the other.
    """
    at_fault = {noted.fact.span: noted for noted in table.facts if noted.fact.rule == "turn-order"}
    if len(at_fault) < MANY_FAULTS:
        return
    first: Noted | None = None
    for action in table.game.actions:
        missing = at_fault.pop(action.span, None)  # Two actions may share a place.
        if first is not None and isinstance(action, TURNS) and action.side != first.fact.side:
            first = None
        if first is None:
            first = missing
        elif missing is not None:
            table.count_on(first, missing)


def _other_layout(table: Table, fresh: Callable[[Game], Table]) -> Table | None:
    faults = [noted.fact for noted in table.facts if noted.fact.rule not in REMARKS]
    weight = count_of(faults)
    if weight < MANY_FAULTS and not any(fact.rule == "answer-without-double" for fact in faults):
        return None
    first = min(faults, key=lambda fact: (fact.rule in DOUBTFUL, fact.span))
    others = (Contradiction(fact.span, fact.rule) for fact in faults if fact is not first)
    blamed = first._replace(consequences=weight - 1, contradictions=tuple(others))
    whole = _otherwise_throughout(table, fresh) if weight >= MANY_FAULTS else None
    if whole is not None:
        turned, name = whole
        put_down = turned.exchange_columns if name == COLUMNS else turned.lay_out
        put_down(blamed._replace(reading=name))
        return turned
    rows = _rows(table.game.actions)
    if len(rows) < FEWEST_ROWS or first.rule == "action-after-end":
        return None
    fitting = (layout for layout in _layouts(rows, first.span.line) if _fits(layout, rows, table))
    for layout in islice(fitting, MOST_REPLAYS):
        turned = fresh(table.game._replace(actions=tuple(chain.from_iterable(layout.rows))))
        if _is_faultless(turned):
            put_down = turned.exchange_columns if layout.is_of_columns else turned.lay_out
            put_down(blamed._replace(reading=layout.name))
            return turned
    return None


def _is_faultless(table: Table) -> bool:
    """Whether nothing but remarks is found, and the result is that of the side that has won."""
    end = table.end
    if end.result is not None and end.winner != end.result.side:
        return False
    return all(noted.fact.rule in REMARKS for noted in table.facts)


# -- slips made throughout a game


def _otherwise_throughout(table: Table, fresh: Callable[[Game], Table]) -> tuple[Table, str] | None:
    """Return the game replayed without a slip made throughout, and the slip; None if none explains it."""
    for name, actions in _throughout(table.game.actions):
        ahead = all_plays(actions, table)
        if not ahead.plays or replayed(Hypothesis(name, table.turns[0].before), ahead, 0).faults:
            continue
        turned = fresh(table.game._replace(actions=tuple(actions)))
        if all(noted.fact.rule in REMARKS for noted in turned.facts):
            return turned, name
    return None


def _throughout(actions: tuple[Action, ...]) -> Iterator[tuple[str, Sequence[Action]]]:
    """Yield the slips that may be made throughout a game, with the actions as they were meant."""
    yield COLUMNS, _right_first(actions)
    for exchanged in EXCHANGED_ROLLS:
        yield ROLLS, exchanged(actions)
    for side, name in enumerate(OTHER_END):
        yield (
            name,
            [_from_other_end(action) if _side(action) == side else action for action in actions],
        )


def exchanged_rolls(actions: Sequence[Action]) -> tuple[Action, ...]:
    """Return the actions with the rolls of each row of two plays in each other's place."""
    rows = (_with_dice_exchanged(row) or row for row in _rows(actions))
    return tuple(chain.from_iterable(rows))


def exchanged_rolls_in_turn(actions: Sequence[Action], first: int = 0) -> tuple[Action, ...]:
    """Return the actions with the rolls of each two plays in each other's place, from one play on.

    Where cube actions stand in rows, two such plays may stand in different rows.
    """
    meant = list(actions)
    plays = [index for index, action in enumerate(actions) if type(action) is Play][first:]
    for one, other in zip(plays[::2], plays[1::2], strict=False):
        exchanged = _with_dice_exchanged((actions[one], actions[other]))
        if exchanged is not None and _side(actions[one]) != _side(actions[other]):
            meant[one], meant[other] = exchanged
    return tuple(meant)


EXCHANGED_ROLLS: tuple[Callable[[Sequence[Action]], tuple[Action, ...]], ...] = (
    exchanged_rolls,
    exchanged_rolls_in_turn,
    partial(exchanged_rolls_in_turn, first=1),
)
"""Ways in which the rolls of a game may stand in each other's place, the likeliest first."""


def exchanged_cells(actions: Iterable[Action]) -> tuple[Action, ...]:
    """Return the actions with the cells of each row in each other's column."""
    return tuple(chain.from_iterable(map(_exchanged, _rows(actions))))


def _from_other_end(action: Action) -> Action:
    """Return a play with its points counted from the other end of the board."""
    if type(action) is not Play:
        return action
    paths = (tuple(map(_other_number, step.path)) for step in action.steps)
    steps = (step._replace(path=path) for step, path in zip(action.steps, paths, strict=True))
    return action._replace(steps=tuple(steps))


def _other_number(point: int) -> int:
    """Return the number of a point from the other end; the bar and the place of borne-off checkers stay."""
    return point if point in (OFF, BAR) else BAR - point


def all_plays(actions: Sequence[Action], table: Table) -> Ahead:
    """Return the plays among `actions`, for a start or a layout to be tried on."""
    indexes = [index for index, action in enumerate(actions) if type(action) is Play]
    return ahead_of(actions, indexes, table.profile.marks_hits)


def _right_first(actions: tuple[Action, ...]) -> list[Action]:
    """Return the actions with the right cell of every row before the left one."""
    ordered: list[Action] = []
    for row in _rows(actions):
        ordered.extend(sorted(row, key=lambda action: -(_side(action) or LEFT)))
    return ordered


# -- rows and cells round the first fault


def _rows(actions: Iterable[Action]) -> list[Row]:
    """Return the actions of each line."""
    return [tuple(row) for _, row in groupby(actions, key=lambda action: action.span.line)]


def _layouts(rows: Sequence[Row], line: int) -> Iterator[Layout]:
    """Yield other layouts of the rows round the one in `line`, nearest first."""
    at = next((index for index, row in enumerate(rows) if row[0].span.line >= line), len(rows) - 1)
    near = range(max(at - ROWS_BEFORE, 0), min(at + ROWS_AFTER + 1, len(rows)))
    for index in sorted(near, key=lambda near_row: abs(near_row - at)):
        yield from _of_one_row(rows, index)
    exchanged = [_exchanged(row) for row in rows]
    for index in sorted(near, key=lambda near_row: abs(near_row - at)):
        name = f"the columns exchanged from {_named(rows[index])} on"
        for end in range(len(rows), max(len(rows) - ROWS_AT_END, index + 2) - 1, -1):
            yield Layout(name, [*rows[:index], *exchanged[index:end], *rows[end:]], index, True)


def _of_one_row(rows: Sequence[Row], index: int) -> Iterator[Layout]:
    """Yield what may have happened to one row, or to it and the next."""
    row, before, after = rows[index], rows[:index], rows[index + 1 :]
    name = _named(row)
    dice_exchanged = _with_dice_exchanged(row)
    if dice_exchanged is not None:
        yield Layout(f"the dice of {name} exchanged", [*before, dice_exchanged, *after], index)
    if before and _say_the_same(before[-1], row):
        yield Layout(f"{name} left out, which repeats the one before", [*before, *after], index)
    is_pair = len({_side(action) for action in row}) > 1
    slip = f"the two cells of {name} exchanged" if is_pair else f"{name} in the other column"
    yield Layout(slip, [*before, _exchanged(row), *after], index)
    if after:
        rest = [after[0], row, *after[1:]]
        yield Layout(f"{name} and the next one exchanged", [*before, *rest], index)


def _named(row: Row) -> str:
    number = next((action.row for action in row if action.row is not None), None)
    return f"line {row[0].span.line}" if number is None else f"row {number}"


def _exchanged(row: Row) -> Row:
    """Return a row with its cells in each other's column."""
    turned = [_flipped(action) if isinstance(action, Cell) else action for action in row]
    return tuple(sorted(turned, key=lambda action: _side(action) or LEFT))


def _flipped(action: Cell) -> Cell:
    if action.side is None:
        return action
    return action._replace(side=other_side(action.side))


def _side(action: Action) -> Side | None:
    return action.side if isinstance(action, Cell) else None


def _with_dice_exchanged(row: Row) -> Row | None:
    """Return a row of two plays with the rolls in each other's place."""
    if len(row) != 2:
        return None
    left, right = row
    if type(left) is not Play or type(right) is not Play:
        return None
    return left._replace(dice=right.dice), right._replace(dice=left.dice)


def _say_the_same(one: Row, two: Row) -> bool:
    return list(map(_content, one)) == list(map(_content, two))


def _content(action: Action) -> tuple[object, ...]:
    """Return what an action says, wherever it stands."""
    if type(action) is Play:
        return action.side, action.dice, action.steps
    return type(action), _side(action)


def _fits(layout: Layout, rows: Sequence[Row], table: Table) -> bool:
    """Whether the plays from the first other row on are legal: then it is worth a replay.

    Of nearly all layouts the first play is not: to see that takes half as long as to look ahead.
    """
    index = sum(map(len, rows[: layout.first]))
    if index >= len(table.turns):
        return False
    actions = list(islice(chain.from_iterable(layout.rows[layout.first :]), MOST_ACTIONS))
    before, marks_hits = table.turns[index].before, table.profile.marks_hits
    plays = [action for action in actions if type(action) is Play]
    if len(plays) > 1 and not carried_out(before, plays[0], marks_hits=marks_hits).is_legal:
        return False
    return not replayed(Hypothesis(layout.name, before), all_plays(actions, table), 0).faults
