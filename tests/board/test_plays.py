"""Legal plays: rules one by one, a frozen sample of an independent generator, and properties."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bganalyze.board import plays as checking
from bganalyze.board.ids import parse_position_id, position_id
from bganalyze.board.movement import may_leave_dice_unused, ways_to_play
from bganalyze.board.play_faults import dice_to_play
from bganalyze.board.plays import (
    LEGAL,
    Dice,
    after,
    can_move,
    check_play,
    checkers,
    find_nearest_plays,
    legal_plays,
    make_play,
    notation,
    swap_sides,
)
from bganalyze.board.position import BAR, OFF, Position, Step, points, start_position

PERFT = Path(__file__).parent.parent / "data" / "perft.csv"
HOME_BOARD = points(dict.fromkeys(range(1, 7), 2))
NOBODY = points({})


def plays(own: dict[int, int], other: dict[int, int], dice: Dice) -> set[str]:
    """Return all legal plays of a board, written out."""
    position = Position(points(own), points(other))
    return {notation(steps) for steps in legal_plays(position, dice).values()}


def test_both_dice_are_played_where_that_is_possible() -> None:
    assert plays({24: 1, 10: 1}, {25 - 18: 2, 25 - 9: 2}, (6, 1)) == {"24/23 10/4", "10/3", "24/17"}


def test_the_larger_die_is_played_where_only_one_can_be() -> None:
    assert plays({10: 1}, {25 - 3: 2}, (6, 1)) == {"10/4"}


def test_the_smaller_die_is_played_where_the_larger_cannot_be() -> None:
    assert plays({10: 1}, {25 - 3: 2, 25 - 4: 2}, (6, 1)) == {"10/9"}


def test_as_much_of_a_double_is_played_as_possible() -> None:
    assert plays({13: 1, 12: 1}, {25 - 1: 2, 25 - 6: 2}, (3, 3)) == {"13/4 12/9"}
    assert plays({13: 1, 12: 1}, {25 - 4: 2, 25 - 6: 2}, (3, 3)) == {"13/7 12/9"}


def test_checkers_enter_first() -> None:
    assert plays({BAR: 1, 13: 1}, {25 - 24: 2}, (3, 1)) == {"bar/22 13/12", "bar/21"}


def test_both_enter_or_the_rest_is_lost() -> None:
    assert plays({BAR: 2, 13: 1}, {25 - 24: 2}, (3, 1)) == {"bar/22"}


def test_a_dance_leaves_the_board_as_it_is() -> None:
    position = Position(points({BAR: 1, 13: 1}), HOME_BOARD)
    assert legal_plays(position, (6, 1)) == {position: ()}
    assert not can_move(position, (6, 1))


def test_the_routes_of_one_checker_are_told_apart_by_what_they_hit() -> None:
    assert plays({13: 1}, {25 - 7: 1}, (6, 2)) == {"13/5", "13/7*/5"}


def test_no_checker_is_borne_off_while_one_is_outside() -> None:
    assert plays({7: 1, 3: 1}, {}, (3, 2)) == {"7/4 3/1", "7/5 3/off", "7/2"}
    assert plays({8: 1, 3: 1}, {}, (3, 2)) == {"8/5 3/1", "8/6 3/off", "8/3"}


def test_the_last_checker_to_come_home_lets_the_next_go_off() -> None:
    assert plays({7: 1, 3: 1}, {}, (3, 1)) == {"7/6 3/off", "7/4 3/2", "7/3"}


def test_a_larger_die_bears_off_the_rearmost_checker_only() -> None:
    assert plays({4: 1, 2: 2}, {}, (6, 5)) == {"4/off 2/off"}
    assert plays({6: 1, 4: 2}, {}, (5, 5)) == {"6/off 4/off(2)"}


def test_the_last_checker_may_go_off_without_the_other_die() -> None:
    assert plays({2: 1}, {25 - 1: 1}, (6, 1)) == {"2/off", "2/1*/off"}


def test_a_game_that_is_over_has_nothing_to_play() -> None:
    over = Position(points({OFF: 15}), HOME_BOARD)
    assert legal_plays(over, (6, 6)) == {over: ()}


@pytest.mark.parametrize("dice", [(0, 0), (7, 1), (1, 9), (-1, 3)])
def test_dice_that_are_none_play_nothing(dice: Dice) -> None:
    start = start_position("standard")
    assert legal_plays(start, dice) == {start: ()}
    assert not can_move(start, dice)


def test_the_nearest_plays_come_first() -> None:
    steps = [Step((13, 7), (False,)), Step((8, 6), (False,))]
    nearest = find_nearest_plays(start_position("standard"), (6, 1), steps, limit=3)
    assert [notation(play) for play in nearest] == ["13/7 8/7", "13/6", "24/18 8/7"]


def test_there_is_no_nearest_play_on_a_dance() -> None:
    dancing = Position(points({BAR: 1}), HOME_BOARD)
    assert find_nearest_plays(dancing, (6, 1), [Step((25, 24), (False,))]) == ()


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ([], ""),
        ([(24, 18), (18, 13)], "24/13"),
        ([(6, 0), (13, 8)], "13/8 6/off"),
        ([(8, 4), (8, 4), (6, 2), (6, 2)], "8/4(2) 6/2(2)"),
        ([(24, 20), (24, 20), (20, 16), (20, 16)], "24/16(2)"),
        ([(25, 21), (13, 8)], "bar/21 13/8"),
        ([(24, 18, 13)], "24/13"),
    ],
)
def test_plays_are_written_the_customary_way(paths: list[tuple[int, ...]], expected: str) -> None:
    steps = [Step(path, (False,) * (len(path) - 1)) for path in paths]
    assert notation(steps) == expected


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([Step((25, 21), (True,)), Step((21, 15), (False,))], "bar/21*/15"),
        ([Step((25, 21), (False,)), Step((21, 15), (True,))], "bar/15*"),
        ([Step((25, 21, 15), (True, True))], "bar/21*/15*"),
        ([Step((6, 1), (False,)), Step((6, 1), (True,))], "6/1*(2)"),
        ([Step((13, 7), (True,)), Step((13, 1), (False,))], "13/7* 13/1"),
    ],
)
def test_hits_are_shown_where_they_happen(steps: list[Step], expected: str) -> None:
    assert notation(steps) == expected


def frozen() -> list[dict[str, str]]:
    with PERFT.open(encoding="ascii", newline="") as file:
        return list(csv.DictReader(file))


def digest(ends: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(ends)).encode()).hexdigest()[:12]


def count_row(row: dict[str, str]) -> dict[str, str]:
    """Return the row of a position and a roll, with its results counted anew."""
    dice = int(row["dice"][0]), int(row["dice"][1])
    results = legal_plays(parse_position_id(row["position"]), dice)
    longest = max(map(len, results.values()))
    ends = {position_id(end) for end, steps in results.items() if len(steps) == longest}
    return row | {"results": str(len(ends)), "digest": digest(ends)}


def test_results_are_those_of_the_frozen_sample() -> None:
    rows = frozen()
    assert len(rows) == 400
    assert [row for row in rows if count_row(row) != row] == []


die = st.integers(1, 6)
rolls = st.tuples(die, die)
STARTS = (
    start_position("standard"),
    start_position("nackgammon"),
    Position(points({6: 5, 5: 4, 4: 3, 3: 2, 2: 1}), points({25: 1, 24: 1, 6: 5, 5: 5, 4: 3})),
    Position(points({9: 3, 7: 2, 6: 4, 4: 6}), points({20: 2, 8: 3, 6: 5, 3: 5})),
)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Draw a position reached by legal plays, with both sides still in the game."""
    position = draw(st.sampled_from(STARTS))
    for dice, choice in draw(st.lists(st.tuples(rolls, st.integers(0, 999)), max_size=40)):
        ends = sorted(legal_plays(position, dice))
        position = swap_sides(ends[choice % len(ends)])
        assume(checkers(position.own) and checkers(position.other))
    return position


@st.composite
def draw_written_play(draw: st.DrawFn) -> tuple[Position, Dice, tuple[Step, ...]]:
    """Draw a position, a roll, and one of its legal plays."""
    position, dice = draw(positions()), draw(rolls)
    play = draw(st.sampled_from(sorted(legal_plays(position, dice).values())))
    return position, dice, play


@pytest.mark.slow
@given(positions(), rolls)
def test_no_checker_is_made_or_lost(position: Position, dice: Dice) -> None:
    for end in legal_plays(position, dice):
        assert sum(end.own) == sum(end.other) == 15
        assert not any(end.own[point] and end.other[25 - point] for point in range(1, 25))


@given(positions(), rolls)
def test_a_result_is_what_its_steps_lead_to(position: Position, dice: Dice) -> None:
    for end, steps in legal_plays(position, dice).items():
        reached = position
        for step in steps:
            reached = after(reached, step)
        assert reached == end


@pytest.mark.slow
@given(positions(), rolls, st.data())
def test_the_ways_to_a_result_are_all_there_are(
    position: Position, dice: Dice, data: st.DataObject
) -> None:
    result = data.draw(st.sampled_from(sorted(legal_plays(position, dice))))
    listed = [tuple(sorted(steps)) for steps in ways_to_play(position, dice, result)]
    assert sorted(listed) == sorted(set(_every_way(position, dice_to_play(dice), result)))


def _every_way(
    position: Position, numbers: tuple[int, ...], result: Position
) -> Iterator[tuple[Step, ...]]:
    """Play the dice that are left in any order, from any point."""
    if position == result:
        yield ()
        return
    for die in set(numbers):
        left = list(numbers)
        left.remove(die)
        for step in _steps(position, die):
            for steps in _every_way(after(position, step), tuple(left), result):
                yield tuple(sorted((step, *steps)))


def _steps(position: Position, die: int) -> Iterator[Step]:
    own, other = position
    for source in [BAR] if own[BAR] else range(1, BAR):
        target = max(source - die, OFF)
        is_behind = any(own[7:]) or (source < die and any(own[source + 1 :]))
        if own[source] and not (is_behind if target == OFF else other[BAR - target] > 1):
            yield Step((source, target), (target != OFF and other[BAR - target] == 1,))


@given(positions(), rolls)
def test_dice_have_no_order(position: Position, dice: Dice) -> None:
    assert set(legal_plays(position, dice)) == set(legal_plays(position, dice[::-1]))


@given(positions(), rolls)
def test_whoever_can_move_has_a_play(position: Position, dice: Dice) -> None:
    assert can_move(position, dice) == any(legal_plays(position, dice).values())


@given(draw_written_play())
def test_the_way_given_for_a_result_is_legal(play: tuple[Position, Dice, tuple[Step, ...]]) -> None:
    position, dice, steps = play
    end = next(end for end, way in legal_plays(position, dice).items() if way == steps)
    assert check_play(position, dice, steps) == (end, LEGAL)


@pytest.mark.slow
@given(draw_written_play())
def test_the_order_of_the_steps_does_not_matter(
    play: tuple[Position, Dice, tuple[Step, ...]],
) -> None:
    position, dice, steps = play
    end, _ = check_play(position, dice, steps)
    for order in set(permutations(steps)):
        after, checked = check_play(position, dice, order)
        assert (after, checked.fault) == (end, None)


@pytest.mark.slow
@given(draw_written_play())
def test_a_legal_play_is_its_own_nearest(play: tuple[Position, Dice, tuple[Step, ...]]) -> None:
    position, dice, steps = play
    if steps:
        assert find_nearest_plays(position, dice, steps, limit=1) == (steps,)


def test_of_two_ways_to_hit_the_written_one_is_nearest() -> None:
    position = Position(points({20: 1}), points({7: 1, 8: 1}))
    for middle in (18, 17):
        steps = (Step((20, middle, 15), (True, False)),)
        assert find_nearest_plays(position, (2, 3), steps, limit=1) == steps_as_listed(steps)


def steps_as_listed(steps: tuple[Step, ...]) -> tuple[tuple[Step, ...], ...]:
    """Return the steps of the same checkers die by die, as legal plays are listed."""
    ((path, marks),) = steps
    return (tuple(Step((a, b), (m,)) for a, b, m in zip(path, path[1:], marks, strict=False)),)


@pytest.mark.slow
@given(draw_written_play(), st.data())
def test_an_edited_play_is_at_fault_unless_its_end_is_legal(
    play: tuple[Position, Dice, tuple[Step, ...]], data: st.DataObject
) -> None:
    position, dice, steps = play
    point = st.integers(0, 25)
    edited = Step((data.draw(point), data.draw(point)), (False,))
    index = data.draw(st.integers(0, len(steps)))
    changed_steps = (*steps[:index], edited, *steps[index + 1 :])
    after, checked = check_play(position, dice, changed_steps)
    if checked.fault is None:
        assert after in legal_plays(position, dice)
    elif checked.fault.name != "empty-point":
        assert after not in legal_plays(position, dice)


@given(
    positions(),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
    st.lists(st.lists(st.integers(0, 25), min_size=2, max_size=5), max_size=6),
    st.booleans(),
)
def test_no_text_raises(
    position: Position, dice: Dice, paths: list[list[int]], marks: bool
) -> None:
    steps = [Step(tuple(path), (True,) * (len(path) - 1)) for path in paths]
    after, _ = check_play(position, dice, steps, marks)
    assert sum(after.own) == sum(after.other) == 15
    find_nearest_plays(position, dice, steps)
    notation(steps)


@pytest.mark.slow
@given(draw_written_play(), st.data())
def test_the_straight_way_and_the_closer_look_agree(
    play: tuple[Position, Dice, tuple[Step, ...]], data: st.DataObject
) -> None:
    """Also where dice are left over, or hits are not marked."""
    position, dice, steps = play
    prefix = steps[: data.draw(st.integers(0, len(steps)))]
    marked = data.draw(st.booleans())
    recorded = [Step(step.path, (marked and step.marked[0],)) for step in prefix]
    _check_straight_way(position, dice, recorded)


at_home = st.dictionaries(st.integers(1, 6), st.integers(1, 2))


@given(
    at_home,
    st.dictionaries(st.integers(19, 25), st.integers(1, 2)),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.lists(st.integers(1, 7), min_size=1, max_size=3),
)
def test_so_they_do_where_several_dice_bear_a_checker_off(
    own: dict[int, int], other: dict[int, int], dice: Dice, sources: list[int]
) -> None:
    facing = {point: count for point, count in other.items() if not own.get(BAR - point)}
    position = Position(points({7: 1, **own}) if 7 in sources else points(own), points(facing))
    _check_straight_way(position, dice, [Step((source, OFF), (False,)) for source in sources])


@pytest.mark.slow
@given(
    st.dictionaries(st.integers(1, 25), st.integers(1, 2), min_size=1, max_size=3),
    st.sets(st.integers(0, 24), min_size=8),
    st.tuples(st.integers(1, 6), st.integers(1, 6)),
    st.data(),
)
def test_dice_may_be_left_as_the_list_of_legal_plays_says(
    own: dict[int, int], blocks: set[int], dice: Dice, data: st.DataObject
) -> None:
    facing = points({BAR - point: 2 for point in blocks if not own.get(point)})
    before = end = Position(points(own), facing)
    left = list(data.draw(st.permutations(dice_to_play(dice))))
    for _ in range(data.draw(st.integers(1, len(left) - 1))):
        die = left.pop()
        ends = [play for play in legal_plays(end, (die, die)).values() if play]
        assume(ends)
        end = after(end, data.draw(st.sampled_from(ends))[0])
    assume(checkers(end.own))
    assert may_leave_dice_unused(before, dice, end, left) == (end in legal_plays(before, dice))


def _check_straight_way(position: Position, dice: Dice, steps: Sequence[Step]) -> None:
    end, checked = check_play(position, dice, steps)
    checking.compare_with_legal_plays.cache_clear()
    with patch("bganalyze.board.plays.try_plain_play", return_value=None):
        other_end, looked_at = check_play(position, dice, steps)
    assert (end, checked._replace(remark="")) == (other_end, looked_at._replace(remark=""))


@pytest.mark.slow
@given(
    positions(),
    st.tuples(st.integers(0, 7), st.integers(1, 6)),
    st.lists(st.lists(st.integers(0, 25), min_size=2, max_size=3), max_size=4),
    st.booleans(),
)
def test_a_play_of_any_points_is_checked_alike_with_and_without_knowing_the_legal_ones(
    position: Position, dice: Dice, paths: list[list[int]], marks: bool
) -> None:
    _check_without_legal_plays(
        position, dice, [Step(tuple(path), (False,) * (len(path) - 1)) for path in paths], marks
    )


@given(draw_written_play(), positions(), st.booleans())
def test_so_is_a_play_that_was_made_on_another_board(
    play: tuple[Position, Dice, tuple[Step, ...]], board: Position, marks: bool
) -> None:
    _, dice, steps = play
    _check_without_legal_plays(board, dice, steps, marks)


def _check_without_legal_plays(
    position: Position, dice: Dice, steps: Sequence[Step], marks: bool
) -> None:
    end, checked = check_play(position, dice, steps, marks)
    has_odd_marks = checked.fault is None and marks and bool(checked.unmarked or checked.mismarked)
    own, other = map(list, position)
    assert make_play(own, other, dice, steps, marks) == (checked.fault, has_odd_marks)
    assert (tuple(own), tuple(other)) == end
    checking.compare_with_legal_plays.cache_clear()
    with (
        patch.object(checking, "is_clearly_illegal", return_value=False),
        patch.object(checking, "has_stranded_step", return_value=False),
    ):
        assert check_play(position, dice, steps, marks) == (end, checked)
    checking.compare_with_legal_plays.cache_clear()
