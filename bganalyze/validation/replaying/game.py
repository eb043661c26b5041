"""Replaying a game: its actions in order, each carried out as recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from itertools import islice

from bganalyze.board.movement import Dice, are_dice, try_plain_play_in_place
from bganalyze.board.plays import Legality, can_move
from bganalyze.board.position import OFF, Step
from bganalyze.record.model import (
    LEFT,
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    GameReplayed,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    SetUp,
    Side,
    Unread,
    other_side,
)
from bganalyze.validation.replaying.boundaries import plays_fit, select_next_actions
from bganalyze.validation.replaying.cube import check_answer, check_double
from bganalyze.validation.replaying.faults import guess_unreadable_turn
from bganalyze.validation.replaying.plays import (
    check_roll_and_play,
    corrects_winning_play,
    end_if_borne_off,
)
from bganalyze.validation.replaying.replayed import Boards, boards_after
from bganalyze.validation.replaying.rulings import carry_out_ruling
from bganalyze.validation.replaying.set_ups import check_recorded_board
from bganalyze.validation.replaying.state import (
    OWNER,
    VALUE,
    GameState,
    ReportedProblem,
    share_cell,
)

PASS_IS_TAKE = "the pass a take"
GOES_ON = "the game not over yet"

_TURNS = (Play, Double, Answer)
_NOT_MOVED = (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)


# Usual plays are carried out in one go, without the tests that hardly any play needs: that saves a
# third of the time of a replay.


def _make_ordinary_plays(state: GameState) -> None:
    """Make the next plays without a full check, as long as a quick check finds them legal."""
    side = _find_side_of_ordinary_play(state)
    if side is None:
        return
    marks_hits = state.conventions.marks_hits
    following = islice(state.game.actions, state.index, None)
    plays, boards = collect_ordinary_plays(state.boards, following, side, marks_hits=marks_hits)
    if plays:
        state.add_usual_plays(plays, boards)
        end_if_borne_off(state, plays[-1].side)


def _find_side_of_ordinary_play(state: GameState) -> Side | None:
    """Return the side on roll if a quick check of its play is enough, else None."""
    # A full check: the game is over, a double is open, or an error was found.
    if state.end.kind is not None or state.cube.now.is_open or state.problems or state.odd_rows:
        return None
    if state.last is not None:
        is_usual = state.opening.is_rolled and state.to_act != state.last.play.side
        return state.to_act if is_usual else None
    first = state.game.actions[state.index]
    if state.index or type(first) is not Play or first.dice is None:
        return None
    die, other_die = first.dice
    return first.side if die != other_die else None


def collect_ordinary_plays(
    boards: Boards, actions: Iterable[Action], side: Side, *, marks_hits: bool
) -> tuple[list[Play], Boards]:
    """Return the first plays that a quick check finds legal, and the boards after them.

    `side` is on roll. The plays end before the first action that needs a full check.
    """
    plays: list[Play] = []
    sides = list(boards[0]), list(boards[1])
    is_played = PlayRecord.PLAYED  # Looking up the member takes as long as moving a checker.
    to_play: int = side
    own, other = sides if side == LEFT else sides[::-1]
    for action in actions:
        if type(action) is not Play:
            break
        # Unpacking a slice takes three quarters of the time.
        mover, dice, steps, _, how, called_illegal = action[2:8]
        if mover != to_play or dice is None or called_illegal:
            break
        if steps:
            marked = try_plain_play_in_place(own, other, dice, steps) if how is is_played else None
            if not marked and (marked is None or not _are_hits_unmarked(steps, marks_hits)):
                return plays, reduce(boards_after, plays, boards)  # Some steps may already be made.
        elif not _is_true_dance(how, own, other, dice):
            break
        plays.append(action)
        if own[OFF] and not any(own[1:]):
            break
        own, other, to_play = other, own, 1 - to_play
    left, right = sides
    return plays, (tuple(left), tuple(right))


def _are_hits_unmarked(steps: Sequence[Step], marks_hits: bool) -> bool:
    """Whether neither the file nor the steps mark hits, so that no mark is missing."""
    return not marks_hits and not any(True in marks for _, marks in steps)


def _is_true_dance(how: PlayRecord, own: Sequence[int], other: Sequence[int], dice: Dice) -> bool:
    """Whether a roll was recorded without steps, and no legal play exists.

    `how` says how the roll is recorded. `own` and `other` are the checkers of the side on roll and
    of its opponent.
    """
    return how in _NOT_MOVED and are_dice(dice) and not can_move((own, other), dice)


def replay_game(state: GameState) -> None:
    """Carry out every action of the game in `state`, which also keeps the result."""
    actions = state.game.actions
    while state.index < len(actions):
        if type(actions[state.index]) is Play:
            _make_ordinary_plays(state)
        if state.index < len(actions):
            action = state.begin_turn()
            state.finish_turn(action, _carry_out(state, action))


def _carry_out(state: GameState, action: Action) -> Legality | None:
    """Carry out an action; return the legality of a play that was checked, or else None."""
    if type(action) is Play and (state.end.kind is None or corrects_winning_play(state, action)):
        return check_roll_and_play(state, action)
    if state.end.kind is not None and isinstance(action, _TURNS):
        _handle_after_end(state, action)
        return None if state.end.kind is not None else _carry_out(state, action)
    _carry_out_other(state, action)
    return None


def _carry_out_other(state: GameState, action: Action) -> None:
    """Carry out an action other than a play."""
    match action:
        case Double():
            check_double(state, action)
        case Answer():
            check_answer(state, action)
        case Result():
            _record_result(state, action)
        case Comment() | Resignation(declined=True):
            state.keep_until_end(action)
        case Unread():
            _report_unread(state, action)
        case SetUp():
            check_recorded_board(state, action)
        case Resignation():
            state.keep_until_end(action)
            state.end.record_resignation(action)
        case CheckersPutBack() | GameReplayed() | PointsGiven():
            carry_out_ruling(state, action)


def _record_result(state: GameState, action: Result) -> None:
    """Record the result of the game, or report it if the game has a result already."""
    first = state.end.result
    if first is None:
        state.end.record_result(action)
    elif not state.end.other_result:
        state.end.keep_second_result(action)
        if (action.side, action.points) != (first.side, first.points):
            state.add_problem("action-after-end", action, ended="result")
        elif not state.end.is_followed:
            state.add_problem("repeated-result", action)


def _handle_after_end(state: GameState, action: Play | Double | Answer) -> None:
    """Handle an action after the end of the game, and report the first such action."""
    end = state.end
    if not end.is_followed:
        end.note_action_after_end()
        _report_after_end(state, action)
    if end.kind not in (None, "borne-off"):
        state.mark_as_no_roll(action)


def _report_after_end(state: GameState, action: Play | Double | Answer) -> None:
    """Report an action after the end of the game.

    If later plays show that the game went on, the replay continues the game.
    """
    end = state.end
    if isinstance(action, Play) and state.repeats_last_play(action):
        state.add_problem("ghost-row", action)
        state.mark_as_no_roll(action)
    elif (cause := state.doubt.cause or end.doubt) is not None:
        cause.add_consequence(action, "action-after-end")
    else:
        fault = state.add_problem("action-after-end", action, ended=end.kind)
        end.question_end(fault)
        _reopen_if_continued(state, fault)


def _reopen_if_continued(state: GameState, report: ReportedProblem) -> None:
    """Continue a game that seemed to be over if most plays after its end are legal."""
    kind, tail = state.end.kind, select_next_actions(state.game.actions, state.index)
    if kind in ("borne-off", "replayed") or not plays_fit(
        tail, state.boards, marks_hits=state.conventions.marks_hits
    ):
        return
    if kind == "pass":
        # The pass was a take.
        state.cube.accept_offer()
    report.amend_problem(reading=PASS_IS_TAKE if kind == "pass" else GOES_ON)
    state.end.continue_after_end()
    state.give_turn(None)


def _report_unread(state: GameState, action: Unread) -> None:
    """Report unreadable text, and guess the turn that may be written there."""
    problem = state.add_problem(
        "unreadable-text", action, text=action.text, last_line=action.last_line
    )
    in_cell = share_cell(state.nearby_action(-1), action) or share_cell(
        action, state.nearby_action(1)
    )
    if state.end.kind is not None or in_cell:
        return
    if state.cube.now.is_open:
        state.cube.replace_error(problem, VALUE, OWNER)
        state.cube.withdraw_offer()
        state.give_turn(None)
    elif action.side is None:
        state.give_turn(None)
    else:
        guess_unreadable_turn(state, problem, action.side)
        state.give_turn(other_side(action.side))
