"""What happens after a fault: which fact it is, whose consequence, and which reading is taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice

from bganalyze.board.movement import OPENING_ROLLS, ROLLS, Dice
from bganalyze.board.plays import Fault, check_play, curtailed, legal_plays
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.record.model import (
    Action,
    Double,
    Play,
    Result,
    Side,
    other_side,
)
from bganalyze.validation.replaying.facts import Boards, Contradiction, Fact, as_boards, seen_by
from bganalyze.validation.replaying.readings import (
    AS_RECORDED,
    EXCHANGED,
    HORIZON,
    MISPLACED,
    NOT_HIT,
    PLAYED,
    SKIPPED,
    Ahead,
    Choice,
    Hypothesis,
    choose,
    hidden_plays,
    misplaced_checker,
    moved,
    other_plays,
    replayed,
)
from bganalyze.validation.replaying.state import Noted, Table, have_same_roll, share_cell
from bganalyze.validation.replaying.trial import Trial, is_given_up, tried

BOARD_FAULTS = MISPLACED | {"unplayed-die", "larger-die"}
"""Faults that depend on where the checkers stand, and so may follow from an earlier one."""

LOST_TURNS = frozenset(("turn-order", "unreadable-text", "answer-without-double", "unplayed-roll"))
"""Facts behind which a whole turn is lost: what it was may show much later."""

LEAST_COST = 50
"""The least that a choice takes from the budget: looking ahead is not free either."""

REMEMBERED = 64
"""So many choices among the turns of all rolls are remembered: a search for causes replays the same
game again and again, and each takes some five milliseconds."""

FEW_FAULTS = 2
"""This many misplaced checkers after a lost turn are put down to it."""


def illegal_play(table: Table, action: Play, after: Position, fault: Fault) -> None:
    """Report an illegal play, or count it as a consequence, and choose a reading of it.

    `after` is the board that the steps as written leave.
    """
    table.doubt.count_fault()
    if fault.name in ("unplayed-die", "false-dance") and _is_resigning(table, action):
        table.put_seen(after, action.side)
    elif _is_ghost(table, action):
        table.note("ghost-row", action)
        table.discount(action)
    elif _blame_cause(table, fault.name):
        table.put_seen(after, action.side)
    elif not (_hit_not_executed(table, action) or _hit_checker_left(table, action, after)):
        span = action.place(fault.step) if fault.step is not None else None
        noted = table.note(fault.name, action, span, fault=fault)
        _go_on(table, noted, action, after)


def _go_on(table: Table, fault: Noted, action: Play, after: Position) -> None:
    """Continue after an illegal play as the rule book in use says."""
    recorded = as_boards(after, action.side)
    if _is_corrected_next(table, action):
        table.put(recorded)
    elif table.rule_book.after_illegal == "played":
        _compete(table, fault, recorded, _candidates(table, action, fault.fact, after))
    else:
        leave_out(table, fault, recorded, _candidates(table, action, fault.fact, after))


def leave_out(
    table: Table, fault: Noted, recorded: Boards, others: Iterable[Hypothesis] = ()
) -> None:
    """Leave the illegal play out, as the rule book in use says, and with `stop` all that follows.

    What fails later only because the play is missing follows from it: faults that the best
    reading of the play avoids.
    """
    doubt = table.doubt
    doubt.amend_record()
    if table.rule_book.after_illegal == "stop":
        doubt.stop(fault)
        return
    plays, ahead = _plays(table, table.index + 1), _ahead(table, table.index + 1)
    choice = choose(recorded, others, ahead, doubt.budget)
    doubt.spend(max(choice.tried, LEAST_COST))
    without = replayed(Hypothesis(SKIPPED, table.boards), ahead, HORIZON)
    avoided = (without.faults.keys() - choice.reading.faults.keys()) | choice.excused
    doubt.excuse((plays[index] for index in avoided), fault)
    fault.contradict(_contradictions(table, choice, plays))
    if choice.reading.is_hopeless:
        doubt.begin(fault, lasts=doubt.lasts)


def _is_corrected_next(table: Table, action: Play) -> bool:
    """Whether the next play replaces this one, so that no reading of it is needed."""
    again = next((later for later in table.following() if isinstance(later, Play)), None)
    return again is not None and again.side == action.side and have_same_roll(again, action)


def _is_resigning(table: Table, action: Play) -> bool:
    """Whether this is the loser's last turn before a result: given up after the roll."""
    if not table.is_last_turn() or not table.has_result():
        return False
    results = (later.side for later in table.following() if isinstance(later, Result))
    winner = next(results, None)
    return winner != action.side


def _is_ghost(table: Table, action: Play) -> bool:
    """Whether the other side's last play is repeated here, before a result."""
    if not action.steps or not table.repeats_last_play(action):
        return False
    return table.is_last_turn() and table.has_result()


def _blame_cause(table: Table, fault: str) -> bool:
    """Count a fault on the earlier one that explains it; return whether there is one."""
    cause = table.doubt.cause_at(table.index)
    if cause is None or fault not in BOARD_FAULTS:
        return False
    cause.blame(table.game.actions[table.index], fault)
    return True


# -- a hit that was not executed ------------------------------------------------------------


def _hit_not_executed(table: Table, action: Play) -> bool:
    """Whether the play uses a checker that the other side's last play sent to the bar.

    If so the fault is that play's, and the board goes on as if it had not hit.
    """
    position = table.seen_by(action.side)
    if table.last is None or table.last.play.side == action.side or not position.own[BAR]:
        return False
    assert action.dice is not None
    before_hit = table.before_last()[action.side]
    for step in curtailed(action.steps):
        point = step.path[0]
        if point in (BAR, OFF) or not before_hit[point] or position.own[point]:
            continue
        undone = position._replace(own=moved(position.own, BAR, point))
        end, checked = check_play(undone, action.dice, action.steps, table.profile.marks_hits)
        if checked.fault is None and not _is_rather_miswritten(table, action, end):
            _blame_hit(table, table.last.play, point)
            table.put_seen(end, action.side)
            return True
    return False


def _is_rather_miswritten(table: Table, action: Play, end: Position) -> bool:
    """Whether the game fits another play of this roll, and does not fit that the hit was not executed.

    `end` is what the play leaves in that case.
    """
    side, position = action.side, table.seen_by(action.side)
    if try_rest(table, as_boards(end, side), side).is_whole:
        return False
    others = other_plays(position, side, action, end)
    return any(try_rest(table, other.boards, side).is_whole for other in others)


def _hit_checker_left(table: Table, action: Play, after: Position) -> bool:
    """Whether a checker that the last play sent to the bar was forgotten where it stood.

    The play does not use that checker, and only later plays and their hit marks show it there. The
    fault is then the hitting play's, and the board goes on as if it had not hit.
    """
    position = table.seen_by(action.side)
    if table.last is None or table.last.play.side == action.side or not position.own[BAR]:
        return False
    assert action.dice is not None
    before_hit = table.before_last()[action.side]
    as_recorded = try_rest(table, as_boards(after, action.side), action.side)
    for point in range(1, BAR):
        is_hit = before_hit[point] > position.own[point] and not position.other[BAR - point]
        if not is_hit:
            continue
        undone = position._replace(own=moved(position.own, BAR, point))
        end, checked = check_play(undone, action.dice, action.steps, table.profile.marks_hits)
        if checked.fault is not None:
            continue
        course = try_rest(table, as_boards(end, action.side), action.side)
        is_better = not as_recorded.is_whole or course.odd_marks < as_recorded.odd_marks
        if course.is_whole and is_better:
            _blame_hit(table, table.last.play, point)
            table.put_seen(end, action.side)
            return True
    return False


def try_rest(table: Table, boards: Boards, side: Side) -> Trial:
    """Return what becomes of the game after a play of `side` that leaves these boards."""
    following, marks = islice(table.following(), HORIZON), table.profile.marks_hits
    return tried(boards, following, marks_hits=marks, side=other_side(side))


def _blame_hit(table: Table, play: Play, point: int) -> None:
    noted = table.note("hit-not-executed", play, point=BAR - point)
    assert noted.fact.turn is not None
    noted.amend(turn=noted.fact.turn._replace(before=table.before_last()), reading=NOT_HIT)
    table.doubt.amend_record()


# -- readings -------------------------------------------------------------------------------


def hidden_turn(table: Table, fault: Noted, side: Side) -> None:
    """Let the plays compete that an unreadable cell of `side` may have held."""
    _let_any_turn_compete(table, fault, side, table.index + 1)


def missing_turn(table: Table, fault: Noted, side: Side) -> None:
    """Let the plays compete that a missing turn of `side` before this action may have held."""
    _let_any_turn_compete(table, fault, side, table.index)


def _let_any_turn_compete(table: Table, fault: Noted, side: Side, start: int) -> None:
    """Let the plays of all rolls compete that `side` may have made before the action at `start`."""
    boards = table.boards
    rolls = OPENING_ROLLS if table.is_at_opening else ROLLS

    def chosen(ahead: Ahead, budget: int) -> Choice:
        return _any_turn(boards, side, rolls, ahead._replace(plays=tuple(ahead.plays)), budget)

    _take_best(table, fault, boards, start, chosen)


@lru_cache(maxsize=REMEMBERED)
def _any_turn(
    boards: Boards, side: Side, rolls: tuple[Dice, ...], ahead: Ahead, budget: int
) -> Choice:
    return choose(boards, hidden_plays(seen_by(boards, side), side, rolls), ahead, budget)


def play_not_recorded(table: Table, action: Play, position: Position) -> None:
    """Report a roll without a recorded play, and let the plays of the roll compete."""
    fault = table.note("unplayed-roll", action, dice=action.dice)
    _compete(table, fault, table.boards, other_plays(position, action.side, action, position))


def ambiguous_route(table: Table, action: Play, position: Position, after: Position) -> None:
    """Let the routes of a joined step compete that leave different boards."""
    side = action.side
    assert action.dice is not None
    routes = (
        Hypothesis(PLAYED, as_boards(result, side), steps=steps)
        for result, steps in legal_plays(position, action.dice).items()
        if result.own == after.own and result != after
    )
    recorded = table.boards
    table.put_seen(position, side)
    fault = table.note("ambiguous-route", action)
    _compete(table, fault, recorded, routes)


def best_hidden_play(table: Table, action: Play) -> None:
    """Go on from the play of the roll after which the rest of the game replays best."""
    position = table.seen_by(action.side)
    others = hidden_plays(position, action.side, (action.dice,) if action.dice else ROLLS)
    choice = choose(table.boards, others, _ahead(table, table.index + 1), table.doubt.budget)
    table.doubt.spend(choice.tried)
    table.doubt.amend_record()
    table.put(choice.reading.hypothesis.boards)


def _compete(table: Table, fault: Noted, recorded: Boards, others: Iterable[Hypothesis]) -> None:
    """Take the reading after which the actions that follow replay best."""
    _take_best(table, fault, recorded, table.index + 1, partial(choose, recorded, others))


def _take_best(
    table: Table,
    fault: Noted,
    recorded: Boards,
    start: int,
    chosen: Callable[[Ahead, int], Choice],
) -> None:
    """Take the reading that is chosen by the actions from index `start` on.

    Where too many plays were tried already the game goes on as recorded.
    """
    doubt = table.doubt
    if doubt.budget <= 0:
        table.put(recorded)
        doubt.begin(fault, lasts=doubt.lasts)
        return
    choice = chosen(_ahead(table, start), doubt.budget)
    doubt.spend(max(choice.tried, LEAST_COST))
    _take(table, fault, choice, _plays(table, start))


def _take(table: Table, fault: Noted, choice: Choice, plays: list[int]) -> None:
    """Go on from the reading chosen; `plays` are the indexes of the plays it was tried on."""
    reading, doubt = choice.reading, table.doubt
    wording, boards, consumed, _ = reading.hypothesis
    table.put(boards)
    if wording != AS_RECORDED:
        doubt.amend_record()
    doubt.consume(plays[:consumed])
    consequences = (fault.fact.consequences or 0) + choice.spared
    fault.amend(reading=reading.hypothesis.name, consequences=consequences)
    fault.contradict(_contradictions(table, choice, plays))
    turn_is_lost = fault.fact.rule in LOST_TURNS or _row_is_missing(table)
    if reading.is_hopeless or (turn_is_lost and reading.misplaced >= FEW_FAULTS):
        doubt.begin(fault, lasts=turn_is_lost)
    doubt.excuse((plays[index] for index in choice.excused), fault)


def _contradictions(table: Table, choice: Choice, plays: list[int]) -> Iterator[Contradiction]:
    """Yield the plays that do not fit the record as it stands; `plays` are their places in the game."""
    for index, rule in choice.refuting.items():
        yield Contradiction(table.game.actions[plays[index]].span, rule)


def _row_is_missing(table: Table) -> bool:
    """Whether row numbers jump before this action: then two turns at once may be lost."""
    line = table.game.actions[table.index].span.line
    return any(odd <= line for odd in table.odd_rows)


def _plays(table: Table, start: int) -> list[int]:
    """Return the indexes of the plays from `start` on that are still to be carried out.

    No more than readings are tried on, and one to see that these are not the last.
    """
    actions = table.game.actions
    following = (
        index
        for index in range(start, len(actions))
        if type(actions[index]) is Play and index not in table.doubt.consumed
    )
    return list(islice(following, HORIZON + 1))


def _ahead(table: Table, start: int) -> Ahead:
    """Return the plays from index `start` on, for readings to be tried on."""
    return ahead_of(table.game.actions, _plays(table, start), table.profile.marks_hits)


def ahead_of(actions: Sequence[Action], indexes: Sequence[int], marks_hits: bool) -> Ahead:
    """Return the plays at `indexes` of `actions`, for readings to be tried on."""
    plays = [action for index in indexes if isinstance(action := actions[index], Play)]
    after = actions[indexes[-1] + 1 :] if 0 < len(indexes) <= HORIZON else ()
    return Ahead(plays, marks_hits, is_given_up(after))


def _candidates(table: Table, action: Play, fact: Fact, after: Position) -> Iterator[Hypothesis]:
    """Yield the other boards that an illegal play may have left."""
    position, fault = table.seen_by(action.side), fact.about["fault"]
    exchanged = _exchanged_row(table, action)
    if exchanged is not None:
        yield exchanged
    if fault.name == "empty-point" and fault.point is not None:
        marks = table.profile.marks_hits
        yield from misplaced_checker(position, action.side, action, fault.point, marks)
    yield from other_plays(position, action.side, action, after)
    yield Hypothesis(SKIPPED, table.boards)


def _row(table: Table, line: int) -> list[tuple[int, Play]]:
    """Return the plays of the line of the present action, as far as they tell whether it has two."""
    actions = table.game.actions
    row: list[tuple[int, Play]] = []
    for way in (range(table.index, -1, -1), range(table.index + 1, len(actions))):
        for index in way:
            action = actions[index]
            if action.span.line != line or len(row) > 2:
                break
            if type(action) is Play:
                row.append((index, action))
    return sorted(row)


def _exchanged_row(table: Table, action: Play) -> Hypothesis | None:
    """Read the two cells of a row as exchanged, if both plays are legal that way."""
    row = _row(table, action.span.line)
    if len(row) != 2 or row[0][1].side == row[1][1].side:
        return None
    boards = table.boards_at_line(action.span.line)
    for side, (_, play) in zip((0, 1), reversed(row), strict=True):
        if play.dice is None:
            return None
        position = Position(boards[side], boards[1 - side])
        end, checked = check_play(position, play.dice, play.steps, table.profile.marks_hits)
        if checked.fault is not None:
            return None
        boards = as_boards(end, 0 if side == 0 else 1)
    return Hypothesis(EXCHANGED, boards, consumed=sum(index > table.index for index, _ in row))


# Whose turn it is: missing turns, and second rolls in one turn.


def check_order(table: Table, action: Play | Double) -> Noted | None:
    """Report a missing turn, unless the other side could not have moved anyway."""
    other = other_side(action.side)
    if table.is_shut_out(other):
        return None
    fault = table.note("turn-order", action)
    missing_turn(table, fault, other)
    return fault


def refuse_second_roll(table: Table, action: Play) -> bool:
    """Report a second roll in one turn; return whether only the first counts."""
    before = table.neighbor(-1)
    if not isinstance(before, Play) or not share_cell(before, action):
        return False
    table.note("second-roll", action)
    if before.steps or not action.steps:
        return True
    table.give_turn(action.side)
    return False
