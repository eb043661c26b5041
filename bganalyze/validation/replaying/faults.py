"""Handling of errors: report each or count it as a consequence, and choose a reading."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import islice, takewhile

from bganalyze.board.movement import OPENING_ROLLS, ROLLS, Dice
from bganalyze.board.plays import BrokenRule, check_play, legal_plays, limit_steps
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.record.model import (
    Action,
    CheckersPutBack,
    Double,
    Play,
    Result,
    Side,
    other_side,
)
from bganalyze.validation.replaying.board_guesses import (
    AS_RECORDED,
    CELLS_SWAPPED,
    HORIZON,
    MISPLACED,
    NOT_HIT,
    PLAYED,
    SKIPPED,
    BoardGuess,
    ChosenGuess,
    LaterPlays,
    choose_board,
    guess_misplaced_checker,
    guess_other_plays,
    guess_unknown_plays,
    move_checker,
    try_guess,
)
from bganalyze.validation.replaying.replayed import (
    Boards,
    Contradiction,
    MatchProblem,
    as_boards,
    seen_by,
)
from bganalyze.validation.replaying.state import (
    GameState,
    ReportedProblem,
    have_same_roll,
    share_cell,
)
from bganalyze.validation.replaying.trial import TrialResult, may_game_be_given_up, try_actions

BOARD_FAULTS = MISPLACED | {"unplayed-die", "larger-die"}
"""Errors that depend on the positions of checkers, so an earlier error may cause them."""

LOST_TURNS = frozenset(("turn-order", "unreadable-text", "answer-without-double", "unplayed-roll"))
"""Problems that hide a whole turn, whose play may show much later."""

LEAST_COST = 50
"""Minimum cost of a choice: looking ahead is not free either."""

REMEMBERED = 64
"""Cache size, in choices among the turns of all rolls. A search for causes replays the same game
again and again, and each choice takes about 5 ms."""

FEW_FAULTS = 2
"""After a lost turn, this many misplaced checkers are counted as its consequences."""


def handle_illegal_play(
    state: GameState, action: Play, after: Position, broken_rule: BrokenRule
) -> None:
    """Report an illegal play, or count it as a consequence, and choose how the replay continues.

    `after` is the board after the written steps.
    """
    state.doubt.restart_count_of_legal_plays()
    if broken_rule.name in ("unplayed-die", "false-dance") and _gave_up_after_roll(state, action):
        state.set_position(after, action.side)
    elif _repeats_winning_play(state, action):
        state.add_problem("ghost-row", action)
        state.mark_as_no_roll(action)
    # An earlier error explains the illegal play.
    elif _count_if_consequence(state, broken_rule.name):
        state.set_position(after, action.side)
    elif not (
        _report_hit_if_checker_moves(state, action)
        or _report_hit_if_checker_stayed(state, action, after)
    ):
        span = action.place(broken_rule.step) if broken_rule.step is not None else None
        noted = state.add_problem(broken_rule.name, action, span, fault=broken_rule)
        _continue_after(state, noted, action, after)


def _continue_after(
    state: GameState, report: ReportedProblem, action: Play, after: Position
) -> None:
    """Make an illegal play or leave it out, whichever the rule book says, and continue.

    `after` is the board if the play is made.
    """
    recorded = as_boards(after, action.side)
    if _is_corrected_next(state, action):
        state.set_boards(recorded)
    elif state.rule_book.after_illegal == "played":
        _continue_from_best_board(
            state, report, recorded, _guess_boards_after(state, action, report.problem, after)
        )
    else:
        leave_out_play(
            state, report, recorded, _guess_boards_after(state, action, report.problem, after)
        )


def leave_out_play(
    state: GameState, report: ReportedProblem, recorded: Boards, others: Iterable[BoardGuess] = ()
) -> None:
    """Continue without an illegal play or stop checking the game, whichever the rule book says.

    `recorded` is the board with the play made, and `others` are guesses at the real board. Later
    errors that disappear on the best of these boards count as consequences.
    """
    doubt = state.doubt
    doubt.note_other_board()
    if state.rule_book.after_illegal == "stop":
        doubt.stop_checking(report)
        return
    plays, later_plays = (
        _find_later_plays(state, state.index + 1),
        _collect_later_plays(state, state.index + 1),
    )
    choice = choose_board(recorded, others, later_plays, doubt.budget)
    doubt.spend_budget(max(choice.tried, LEAST_COST))
    without = try_guess(BoardGuess(SKIPPED, state.boards), later_plays, HORIZON)
    avoided = (without.faults.keys() - choice.reading.faults.keys()) | choice.excused
    doubt.expect_consequences((plays[index] for index in avoided), report)
    report.add_contradictions(_list_plays_against_written_board(state, choice, plays))
    if choice.reading.is_unreliable:
        doubt.begin_doubt(report, lasts=doubt.lasts)


def _is_corrected_next(state: GameState, action: Play) -> bool:
    """Whether the same side's next play has the same roll, and so corrects this illegal play."""
    plays = (later for later in state.later_actions() if isinstance(later, Play))
    again = next(plays, None)
    if again is not None and again.side != action.side and may_roll_be_withdrawn(state, again):
        again = next(plays, None)
    return again is not None and again.side == action.side and have_same_roll(again, action)


def may_roll_be_withdrawn(state: GameState, action: Play) -> bool:
    """Whether a roll without a play can be taken back under the rule book."""
    is_unplayed = action.dice not in (None, (0, 0)) and not action.steps
    return is_unplayed and state.rule_book.stands_after == "play"


def _gave_up_after_roll(state: GameState, action: Play) -> bool:
    """Whether a side resigned without playing its roll, the last roll of the game."""
    if not state.is_last_turn() or not state.is_result_ahead():
        return False
    results = (later.side for later in state.later_actions() if isinstance(later, Result))
    winner = next(results, None)
    return winner != action.side


def _repeats_winning_play(state: GameState, action: Play) -> bool:
    """Whether this play repeats the play by which the other side just won the game."""
    if not action.steps or not state.repeats_last_play(action):
        return False
    return state.is_last_turn() and state.is_result_ahead()


def _count_if_consequence(state: GameState, rule: str) -> bool:
    """Count an error against `rule` as a consequence of an earlier error, if there is one.

    Return whether it was counted.
    """
    cause = state.doubt.find_error_to_blame(state.index)
    if cause is None or rule not in BOARD_FAULTS:
        return False
    cause.add_consequence(state.game.actions[state.index], rule)
    return True


# -- a hit that was not executed ------------------------------------------------------------


def _report_hit_if_checker_moves(state: GameState, action: Play) -> bool:
    """Report the last hit as not carried out if this play moves the checker that was hit.

    Return whether the hit was reported; if so, the play is made.
    """
    position = state.seen_by(action.side)
    if state.last is None or state.last.play.side == action.side or not position.own[BAR]:
        return False
    assert action.dice is not None
    before_hit = state.boards_before_last_play()[action.side]
    for step in limit_steps(action.steps):
        point = step.path[0]
        if point in (BAR, OFF) or not before_hit[point] or position.own[point]:
            continue
        undone = position._replace(own=move_checker(position.own, BAR, point))
        end, checked = check_play(undone, action.dice, action.steps, state.conventions.marks_hits)
        if checked.fault is None and not _is_likelier_miswritten(state, action, end):
            _report_hit_not_executed(state, state.last.play, point)
            # Then make the play with that checker.
            state.set_position(end, action.side)
            return True
    return False


def _is_likelier_miswritten(state: GameState, action: Play, without_hit: Position) -> bool:
    """Whether a play that moves a checker just hit is probably written wrong.

    `without_hit` is the position after this play if the checker had not been hit.
    """
    side, position = action.side, state.seen_by(action.side)
    # Only another play of the roll would make the next actions legal.
    if try_later_actions(state, as_boards(without_hit, side), side).is_whole:
        return False
    others = guess_other_plays(position, side, action, without_hit)
    return any(try_later_actions(state, other.boards, side).is_whole for other in others)


def _report_hit_if_checker_stayed(state: GameState, action: Play, after: Position) -> bool:
    """Report the last hit as not carried out if the next plays are legal only without the hit.

    Return whether the hit was reported. `after` is the position after this play with the hit.
    """
    position = state.seen_by(action.side)
    if state.last is None or state.last.play.side == action.side or not position.own[BAR]:
        return False
    assert action.dice is not None
    before_hit = state.boards_before_last_play()[action.side]
    as_recorded = try_later_actions(state, as_boards(after, action.side), action.side)
    for point in range(1, BAR):
        is_hit = before_hit[point] > position.own[point] and not position.other[BAR - point]
        if not is_hit:
            continue
        undone = position._replace(own=move_checker(position.own, BAR, point))
        end, checked = check_play(undone, action.dice, action.steps, state.conventions.marks_hits)
        if checked.fault is not None:
            continue
        rest = try_later_actions(state, as_boards(end, action.side), action.side)
        is_better = not as_recorded.is_whole or rest.odd_marks < as_recorded.odd_marks
        if rest.is_whole and is_better:
            _report_hit_not_executed(state, state.last.play, point)
            state.set_position(end, action.side)
            return True
    return False


def try_later_actions(state: GameState, boards: Boards, side: Side) -> TrialResult:
    """Try the next actions, at most `HORIZON`, from `boards`, the boards after a play of `side`."""
    following, marks = islice(state.later_actions(), HORIZON), state.conventions.marks_hits
    return try_actions(boards, following, marks_hits=marks, side=other_side(side))


def _report_hit_not_executed(state: GameState, play: Play, point: int) -> None:
    """Report that `play` hit on `point` (opponent's numbering), but the checker stayed."""
    noted = state.add_problem("hit-not-executed", play, point=BAR - point)
    assert noted.problem.turn is not None
    noted.amend_problem(
        turn=noted.problem.turn._replace(before=state.boards_before_last_play()), reading=NOT_HIT
    )
    state.doubt.note_other_board()


# -- guesses at the board -------------------------------------------------------------------


def guess_unreadable_turn(state: GameState, report: ReportedProblem, side: Side) -> None:
    """Replace an unreadable turn of `side` by the turn after which most later plays are legal."""
    _guess_turn(state, report, side, state.index + 1)


def guess_missing_turn(state: GameState, report: ReportedProblem, side: Side) -> None:
    """Insert a turn of `side` before the present action: the one that leaves the fewest later plays illegal."""
    _guess_turn(state, report, side, state.index)


def _guess_turn(state: GameState, report: ReportedProblem, side: Side, start: int) -> None:
    """Make the turn of `side` after which most plays from index `start` on are legal."""
    boards = state.boards
    rolls = OPENING_ROLLS if state.is_at_opening else ROLLS

    def chosen(later_plays: LaterPlays, budget: int) -> ChosenGuess:
        return _find_best_turn(
            boards, side, rolls, later_plays._replace(plays=tuple(later_plays.plays)), budget
        )

    _continue_from_choice(state, report, boards, start, chosen)


@lru_cache(maxsize=REMEMBERED)
def _find_best_turn(
    boards: Boards, side: Side, rolls: tuple[Dice, ...], later_plays: LaterPlays, budget: int
) -> ChosenGuess:
    """Return the guess at a turn of `side` after which the fewest `later_plays` are illegal.

    About `budget` plays may be tried.
    """
    return choose_board(
        boards, guess_unknown_plays(seen_by(boards, side), side, rolls), later_plays, budget
    )


def report_unrecorded_play(state: GameState, action: Play, position: Position) -> None:
    """Report a roll without a play, and make the play after which most later plays are legal."""
    fault = state.add_problem("unplayed-roll", action, dice=action.dice)
    _continue_from_best_board(
        state, fault, state.boards, guess_other_plays(position, action.side, action, position)
    )


def report_unrecorded_turn(state: GameState, action: Play) -> None:
    """Report a turn without roll and play, and make the one that most later plays fit."""
    fault = state.add_problem("unplayed-roll", action)
    _guess_turn(state, fault, action.side, state.index + 1)


def report_ambiguous_route(
    state: GameState, action: Play, position: Position, after: Position
) -> None:
    """Report a step that hits on its way by one route but not by the other; choose the likelier.

    `position` is the board before the step, `after` the board after it without the hit.
    """
    side = action.side
    assert action.dice is not None
    routes = (
        BoardGuess(PLAYED, as_boards(result, side), steps=steps)
        for result, steps in legal_plays(position, action.dice).items()
        if result.own == after.own and result != after
    )
    recorded = state.boards
    state.set_position(position, side)
    fault = state.add_problem("ambiguous-route", action)
    _continue_from_best_board(state, fault, recorded, routes)


def guess_unreadable_play(state: GameState, action: Play) -> None:
    """Replace an unreadable play by the play after which most later plays are legal."""
    position = state.seen_by(action.side)
    others = guess_unknown_plays(position, action.side, (action.dice,) if action.dice else ROLLS)
    choice = choose_board(
        state.boards, others, _collect_later_plays(state, state.index + 1), state.doubt.budget
    )
    state.doubt.spend_budget(choice.tried)
    state.doubt.note_other_board()
    state.set_boards(choice.reading.guess.boards)


def _continue_from_best_board(
    state: GameState, report: ReportedProblem, recorded: Boards, others: Iterable[BoardGuess]
) -> None:
    """Continue from the board on which most later plays are legal: `recorded` or one of `others`.

    `recorded` is the board as written. Later errors that disappear on the chosen board count as
    consequences.
    """
    _continue_from_choice(
        state, report, recorded, state.index + 1, partial(choose_board, recorded, others)
    )


def _continue_from_choice(
    state: GameState,
    report: ReportedProblem,
    recorded: Boards,
    start: int,
    choose: Callable[[LaterPlays, int], ChosenGuess],
) -> None:
    """Continue from the board chosen by `choose`, or from `recorded` if no trials are left.

    `choose` gets the plays from index `start` on, and the number of plays it may try. `recorded` is
    the board as written.
    """
    doubt = state.doubt
    if doubt.budget <= 0:
        state.set_boards(recorded)
        doubt.begin_doubt(report, lasts=doubt.lasts)
        return
    choice = choose(_collect_later_plays(state, start), doubt.budget)
    doubt.spend_budget(max(choice.tried, LEAST_COST))
    _adopt_choice(state, report, choice, _find_later_plays(state, start))


def _adopt_choice(
    state: GameState, report: ReportedProblem, choice: ChosenGuess, tried_plays: list[int]
) -> None:
    """Continue from the chosen board; later errors that disappear on it count as consequences.

    `tried_plays` are the indexes of the plays that were tried on it.
    """
    reading, doubt = choice.reading, state.doubt
    wording, boards, consumed, _ = reading.guess
    state.set_boards(boards)
    if wording != AS_RECORDED:
        doubt.note_other_board()
    doubt.skip_plays(tried_plays[:consumed])
    consequences = (report.problem.consequences or 0) + choice.spared
    report.amend_problem(reading=reading.guess.name, consequences=consequences)
    report.add_contradictions(_list_plays_against_written_board(state, choice, tried_plays))
    turn_is_lost = report.problem.rule in LOST_TURNS or _is_row_missing(state)
    if reading.is_unreliable or (turn_is_lost and reading.misplaced >= FEW_FAULTS):
        doubt.begin_doubt(report, lasts=turn_is_lost)
    doubt.expect_consequences((tried_plays[index] for index in choice.excused), report)


def _list_plays_against_written_board(
    state: GameState, choice: ChosenGuess, tried_plays: list[int]
) -> Iterator[Contradiction]:
    """Yield the plays that are illegal on the board as written, but legal on the chosen board."""
    for index, rule in choice.refuting.items():
        yield Contradiction(state.game.actions[tried_plays[index]].span, rule)


def _is_row_missing(state: GameState) -> bool:
    """Whether a row number is skipped before this action, so that two turns may be missing."""
    line = state.game.actions[state.index].span.line
    return any(odd <= line for odd in state.odd_rows)


def _find_later_plays(state: GameState, start: int) -> list[int]:
    """Return the indexes of the next plays, at most `HORIZON` + 1, from index `start` on."""
    actions = state.game.actions
    before_ruling = takewhile(
        lambda index: type(actions[index]) is not CheckersPutBack, range(start, len(actions))
    )
    following = (
        index
        for index in before_ruling
        if type(actions[index]) is Play and index not in state.doubt.consumed
    )
    return list(islice(following, HORIZON + 1))


def _collect_later_plays(state: GameState, start: int) -> LaterPlays:
    """Return the next plays from index `start` on, ready to be tried on guessed boards."""
    return collect_plays(
        state.game.actions, _find_later_plays(state, start), state.conventions.marks_hits
    )


def collect_plays(
    actions: Sequence[Action], indexes: Sequence[int], marks_hits: bool
) -> LaterPlays:
    """Return the plays at these `indexes`, ready to be tried on guessed boards."""
    plays = [action for index in indexes if isinstance(action := actions[index], Play)]
    after = actions[indexes[-1] + 1 :] if 0 < len(indexes) <= HORIZON else ()
    return LaterPlays(plays, marks_hits, may_game_be_given_up(after))


def _guess_boards_after(
    state: GameState, action: Play, error: MatchProblem, after: Position
) -> Iterator[BoardGuess]:
    """Yield guesses at the board that an illegal play really left, likeliest first.

    `after` is the board after the written steps.
    """
    position, fault = state.seen_by(action.side), error.about["fault"]
    exchanged = _play_row_with_cells_swapped(state, action)
    if exchanged is not None:
        yield exchanged
    if fault.name == "empty-point" and fault.point is not None:
        marks = state.conventions.marks_hits
        yield from guess_misplaced_checker(position, action.side, action, fault.point, marks)
    yield from guess_other_plays(position, action.side, action, after)
    yield BoardGuess(SKIPPED, state.boards)


def _find_plays_on_line(state: GameState, line: int) -> list[tuple[int, Play]]:
    """Return the plays on a line of the file, each with its index in the game."""
    actions = state.game.actions
    row: list[tuple[int, Play]] = []
    for way in (range(state.index, -1, -1), range(state.index + 1, len(actions))):
        for index in way:
            action = actions[index]
            if action.span.line != line or len(row) > 2:
                break
            if type(action) is Play:
                row.append((index, action))
    return sorted(row)


def _play_row_with_cells_swapped(state: GameState, action: Play) -> BoardGuess | None:
    """Return the boards after this row with its two plays swapped, or None if illegal."""
    row = _find_plays_on_line(state, action.span.line)
    if len(row) != 2 or row[0][1].side == row[1][1].side:
        return None
    boards = state.boards_at_line(action.span.line)
    for side, (_, play) in zip((0, 1), reversed(row), strict=True):
        if play.dice is None:
            return None
        position = Position(boards[side], boards[1 - side])
        end, checked = check_play(position, play.dice, play.steps, state.conventions.marks_hits)
        if checked.fault is not None:
            return None
        boards = as_boards(end, 0 if side == 0 else 1)
    return BoardGuess(CELLS_SWAPPED, boards, consumed=sum(index > state.index for index, _ in row))


# -- turn order: missing turns, and second rolls in one turn


def report_missing_turn(state: GameState, action: Play | Double) -> ReportedProblem | None:
    """Report that the other side's turn before this action is missing, and guess that turn.

    Return None, without a report, if the other side was closed out and need not roll.
    """
    other = other_side(action.side)
    if state.is_shut_out(other):
        return None
    fault = state.add_problem("turn-order", action)
    guess_missing_turn(state, fault, other)
    return fault


def report_second_roll(state: GameState, action: Play) -> bool:
    """Report a second roll in one half of a row, and return whether to ignore this roll."""
    before = state.nearby_action(-1)
    if not isinstance(before, Play) or not share_cell(before, action):
        return False
    state.add_problem("second-roll", action)
    # The second roll counts if only it has steps.
    if before.steps or not action.steps:
        return True
    state.give_turn(action.side)
    return False
