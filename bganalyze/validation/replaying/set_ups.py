"""Boards stated in a record: a starting position, its correction, and later positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from bganalyze.board.cube import Cube
from bganalyze.board.plays import check_play
from bganalyze.board.position import BAR, VARIANTS, Points, Position
from bganalyze.record.model import Play, SetUp
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.player_error_rule import (
    BEFORE_FIRST_ROLL,
    SET_UP,
    find_end_of_set_up_correction,
    place_text,
)
from bganalyze.validation.replaying.replayed import Boards, as_boards
from bganalyze.validation.replaying.state import GameState
from bganalyze.validation.replaying.terms import start_of


def check_recorded_board(state: GameState, action: SetUp) -> None:
    """Report how a recorded board differs from the replay, and continue from that board."""
    if state.end.kind is not None:
        return
    if action.boards is not None:
        _check_and_set_up(state, action, action.boards)
    if action.cube_value is not None:
        check_cube(state, action)
        if not state.cube.now.is_open:
            state.cube.set_cube(Cube(action.cube_value, action.cube_owner))


def _check_and_set_up(state: GameState, action: SetUp, boards: Boards) -> None:
    """Check the recorded `boards`, and continue the replay from them.

    They are compared with the starting position, or with the replayed boards later in the game.
    """
    opening = state.opening
    # By the start as long as the rule book lets players correct a wrong set-up.
    if not opening.is_rolled or (opening.is_recorded and not _is_too_late_to_correct(state)):
        if not _check_recorded_start(state, action, boards):
            _report_wrong_checkers(state, action, boards, _make_start_of_game(state))
    elif state.boards == boards or not _report_wrong_checkers(state, action, boards, state.boards):
        _compare_with_replay(state, action, boards)
    state.set_up(boards)


def _is_too_late_to_correct(state: GameState) -> bool:
    """Whether a wrong starting position (set-up) can no longer be corrected."""
    return state.opening.is_over and not _is_correction_awaited(state)


def _is_correction_awaited(state: GameState) -> bool:
    """Whether a wrong starting position (set-up) is not corrected yet, but still can be."""
    if not any(
        noted.problem.rule in SET_UP and noted.problem.standing is None for noted in state.problems
    ):
        return False
    return find_end_of_set_up_correction(state.turns, state.not_rolled, state.rule_book) is None


def _check_recorded_start(state: GameState, action: SetUp, boards: Boards) -> bool:
    """Check a recorded starting board, and return whether the board belongs to another variant."""
    # A second start corrects the first one.
    for noted in state.opening.take_newly_reported(state.problems):
        if noted.problem.rule in SET_UP and noted.problem.standing is None:
            noted.amend_problem(standing=Standing.CORRECTED, closed_by=place_text(action.span))
    variant = VARIANTS[state.context.terms.variant]
    start = _make_start_of_game(state)
    state.opening.note_start(boards, start)
    if state.context.terms.declared_position or boards in (start, boards_from_start(state, start)):
        return False
    fits = next(
        (
            name
            for name in VARIANTS
            if _take_checkers_on_board(boards) == _take_checkers_on_board(start_of(name))
        ),
        None,
    )
    if fits is None and any(sum(points[1:]) != variant.checkers for points in boards):
        return False
    wrong = _describe_wrong_start(start, boards)
    state.add_problem(
        "wrong-set-up",
        action,
        variant=variant.name,
        difference=wrong,
        fits=fits,
        expected_boards=start,
    )
    return fits is not None


def _make_start_of_game(state: GameState) -> Boards:
    """Return the starting boards of the variant that is played."""
    return start_of(VARIANTS[state.context.terms.variant].name)


def _take_checkers_on_board(boards: Boards) -> tuple[tuple[int, ...], ...]:
    """Return each side's checkers without those borne off."""
    # Some files do not record those borne off.
    return tuple(points[1:] for points in boards)


def boards_from_start(state: GameState, start: Boards) -> Boards:
    """Return the boards after the plays made so far, starting from the boards `start`."""
    replayed, boards = state.opening.replayed or (0, start)
    for index in range(replayed, len(state.turns)):
        play = state.turns[index].action
        if isinstance(play, Play) and play.dice is not None:
            position = Position(boards[play.side], boards[1 - play.side])
            kept, _ = check_play(position, play.dice, play.steps, state.conventions.marks_hits)
            boards = as_boards(kept, play.side)
    state.opening.keep_replayed_boards(len(state.turns), boards)
    return boards


def _compare_with_replay(state: GameState, action: SetUp, boards: Boards) -> None:
    """Report how a recorded board and cube differ from the replayed board and cube."""
    wrong = "; ".join(
        (*_describe_wrong_checkers(state, action, boards), *_describe_wrong_cube(state, action))
    )
    if wrong:
        state.add_problem("set-up-mismatch", action, difference=wrong, expected_boards=state.boards)


def _describe_wrong_checkers(state: GameState, action: SetUp, boards: Boards) -> Iterator[str]:
    """Yield text on how the recorded checkers differ from the replayed ones."""
    if state.boards == boards:
        return
    cause = state.find_misleading_error()
    # An earlier error explains the difference.
    if cause is not None:
        cause.add_consequence(action, "set-up-mismatch")
    else:
        yield describe_difference(state.boards, boards)


def _describe_wrong_cube(state: GameState, action: SetUp) -> Iterator[str]:
    """Yield text on how the recorded cube differs from the replayed one."""
    recorded, cube = Cube(action.cube_value or 1, action.cube_owner), state.cube.now
    is_impossible = recorded.value == 1 and recorded.owner is not None
    # While a double is unanswered, the cubes before and after it are right.
    if action.cube_value is None or cube.is_open or is_impossible or recorded == cube.withdrawn():
        return
    # An earlier error explains the difference.
    if state.cube.fault is not None:
        state.cube.fault.add_consequence(action, "set-up-mismatch")
    else:
        yield f"the cube is {_describe_cube(recorded)}, not {_describe_cube(cube)}"


def _describe_cube(cube: Cube) -> str:
    """Return the value and the owner of a cube in words, such as `at 2 with {left}`."""
    holder = "in the middle" if cube.owner is None else ("with {left}", "with {right}")[cube.owner]
    return f"at {cube.value} {holder}"


def _report_wrong_checkers(
    state: GameState, action: SetUp, boards: Boards, expected: Boards
) -> bool:
    """Report wrong numbers of checkers, or a point held by both sides, on a recorded board.

    `expected` are the boards that should be recorded. Return whether an error was reported.
    """
    noted_before = len(state.problems)
    most = VARIANTS[state.context.terms.variant].checkers
    least = 0 if state.opening.is_rolled or state.context.terms.declared_position else most
    for side, points in enumerate(boards):
        count = sum(points[1:])
        if not least <= count <= most:
            misplaced = describe_misplaced(expected[side], points) if least == most else ""
            state.add_problem(
                "checker-count",
                action,
                who=side,
                count=count,
                most=most,
                misplaced=misplaced,
                expected_boards=expected,
            )
    left, right = boards
    shared = next((p for p in range(1, BAR) if left[p] and right[BAR - p]), None)
    if shared is not None:
        state.add_problem("shared-point", action, point=shared, expected_boards=expected)
    return len(state.problems) > noted_before


def check_cube(state: GameState, action: SetUp) -> None:
    """Report a recorded cube that has an impossible value or owner."""
    value = action.cube_value or 1
    if value & (value - 1):
        state.add_problem("impossible-cube", action, value=value, why="reached by doubling")
    elif value == 1 and action.cube_owner is not None:
        state.add_problem("impossible-cube", action, value=value, why="owned by a side")
    elif action.cube_owner is not None and not state.opening.is_rolled and not state.opening.is_odd:
        state.add_problem("impossible-cube", action, value=value, why=BEFORE_FIRST_ROLL)


def check_crawford(state: GameState, action: SetUp) -> None:
    """Report a recorded Crawford mark that contradicts the score."""
    context = state.context
    if action.crawford is None or not context.crawford_known:
        return
    if action.crawford != context.crawford and context.terms.length:
        state.add_problem("crawford-mismatch", action, marked=action.crawford)


def _describe_wrong_start(expected: Boards, recorded: Boards) -> str:
    """Return how a recorded starting board differs, such as `{left} has 4 on 13, 4 on 8`.

    If one or two checkers are misplaced, the text adds in brackets where they belong.
    """
    parts = []
    for side, difference in _describe_differing_sides(expected, recorded):
        # In the brackets: where one or two misplaced checkers belong.
        misplaced = describe_misplaced(expected[side], recorded[side])
        parts.append(f"{difference} ({misplaced})" if misplaced else difference)
    return "; ".join(parts) or _BORNE_OFF


_BORNE_OFF = "the checkers borne off"


def describe_difference(expected: Boards, recorded: Boards) -> str:
    """Return text on how recorded checkers differ, such as `{left} has 4 on 13, 4 on 8`."""
    return (
        "; ".join(words for _, words in _describe_differing_sides(expected, recorded)) or _BORNE_OFF
    )


def _describe_differing_sides(expected: Boards, recorded: Boards) -> Iterator[tuple[int, str]]:
    """Yield each side whose checkers differ, with text such as `{left} has 4 on 13`."""
    for side, name in enumerate(("{left}", "{right}")):
        one, two = expected[side], recorded[side]
        points = [point for point in range(1, BAR + 1) if one[point] != two[point]]
        if points:
            where = ", ".join(f"{two[point]} on {_name_point(point)}" for point in points)
            yield side, f"{name} has {where}"


def _name_point(point: int) -> str:
    """Return a point as text: `the bar`, or its number."""
    return "the bar" if point == BAR else str(point)


MOST_MISPLACED = 2
"""Maximum number of misplaced checkers of a side whose right points are named."""


def describe_misplaced(expected: Points, recorded: Points) -> str:
    """Return text on where one or two misplaced checkers belong.

    Return "" if no checker or more than two are misplaced.

    >>> from bganalyze.board.position import points
    >>> describe_misplaced(points({13: 5, 8: 3}), points({13: 4, 8: 4}))
    'one checker on 8 belongs on 13'
    """
    points = range(1, BAR + 1)
    if any(abs(recorded[p] - expected[p]) > MOST_MISPLACED for p in points):
        return ""  # Before any list is made: counts may be huge.
    surplus = [_name_point(p) for p in points for _ in range(recorded[p] - expected[p])]
    missing = [_name_point(p) for p in points for _ in range(expected[p] - recorded[p])]
    if max(len(surplus), len(missing)) > MOST_MISPLACED:
        return ""
    moves = Counter(zip_longest(surplus, missing))
    return ", ".join(_describe_misplaced_checkers(count, *move) for move, count in moves.items())


def _describe_misplaced_checkers(checker_count: int, on: str | None, belongs: str | None) -> str:
    """Return text that says that one or two checkers are missing, too many or misplaced.

    `on` is the point where the checkers are, `belongs` the point where they should be; one of the
    two may be None.

    >>> _describe_misplaced_checkers(1, None, "the 6 point")
    'one checker is missing on the 6 point'
    """
    who, verb, is_ = (
        ("one checker", "belongs", "is")
        if checker_count == 1
        else ("two checkers", "belong", "are")
    )
    if on is None:
        return f"{who} {is_} missing on {belongs}"
    return (
        f"{who} on {on} {is_} too many" if belongs is None else f"{who} on {on} {verb} on {belongs}"
    )
