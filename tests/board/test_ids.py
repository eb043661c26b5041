"""Identifiers, against samples of the programs that made them up, and both ways."""

from __future__ import annotations

from collections import Counter
from random import Random

import gvformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.board.ids import (
    Situation,
    gnubg_id,
    match_id,
    ogid,
    parse_gnubg_id,
    parse_ogid,
    parse_position_id,
    parse_unlimited_xgid,
    parse_xgid,
    position_id,
    xgid,
)
from bganalyze.board.position import (
    BAR,
    OFF,
    Points,
    Position,
    Step,
    after,
    points,
    start_position,
    swap_sides,
)

START = start_position("standard")
START_ID = "4HPwATDgc/ABMA"
START_XG = "-b----E-C---eE---c-e----B-"


@pytest.mark.parametrize(
    ("variant", "identifier", "checkers"),
    [
        ("standard", START_ID, 15),
        ("nackgammon", "4Dl4ADbgOXgANg", 15),
        ("hypergammon-1", "AACAAAAAAgAAAA", 1),
        ("hypergammon-2", "AABAAQAACgAAAA", 2),
        ("hypergammon-3", "AACgAgAAKgAAAA", 3),
    ],
)
def test_starts_have_the_position_ids_of_gnu_backgammon(
    variant: str, identifier: str, checkers: int
) -> None:
    assert position_id(start_position(variant)) == identifier
    assert parse_position_id(identifier, checkers) == start_position(variant)


def test_the_side_not_on_roll_comes_first_in_a_position_id() -> None:
    made_point = after(after(START, Step((8, 5), (False,))), Step((6, 5), (False,)))
    assert position_id(swap_sides(made_point)) == "sGfwATDgc/ABMA"


@pytest.mark.parametrize(
    ("situation", "identifier"),
    [
        (Situation(START, 0, length=3), "MAFgAAAAAAAE"),
        (Situation(START, 1, (1, 3), scores=(2, 0), length=3, crawford=True), "8IllACAAAAAE"),
        (Situation(START, 1, length=3, cube_value=2, cube_owner=1, scores=(0, 1)), "UQlgAAAACAAE"),
        (Situation(START, 1, scores=(0, 1), jacoby=True), "cAkAAAAACAAA"),
        (Situation(START, 1, scores=(0, 1)), "cAkAAAAACAAE"),
    ],
)
def test_match_ids_are_those_of_gnu_backgammon(situation: Situation, identifier: str) -> None:
    assert match_id(situation) == identifier
    assert match_id(parse_gnubg_id(f"{START_ID}:{identifier}")) == identifier


def test_an_offered_cube_is_decided_by_the_other_side() -> None:
    doubled = Situation(START, 0, offered=True, length=5)
    bits = parse_gnubg_id(gnubg_id(doubled))
    assert (bits.on_roll, bits.offered) == (0, True)
    assert match_id(doubled) != match_id(doubled._replace(offered=False))


@pytest.mark.parametrize(
    ("situation", "identifier"),
    [
        (Situation(START, 0), f"{START_XG}:0:0:1:00:0:0:0:0:10"),
        (Situation(START, 1, (3, 1), length=7), f"{START_XG}:0:0:-1:31:0:0:0:7:10"),
        (
            Situation(START, 0, scores=(4, 6), length=7, crawford=True),
            f"{START_XG}:0:0:1:00:4:6:1:7:10",
        ),
        (Situation(START, 0, jacoby=True, beavers=True), f"{START_XG}:0:0:1:00:0:0:3:0:10"),
        (Situation(START, 1, cube_value=4, cube_owner=1), f"{START_XG}:2:-1:-1:00:0:0:0:0:10"),
        (Situation(START, 0, offered=True, cube_limit=64), f"{START_XG}:0:0:1:D:0:0:0:0:6"),
    ],
)
def test_xgids_say_what_they_should(situation: Situation, identifier: str) -> None:
    assert xgid(situation) == f"XGID={identifier}"
    assert parse_xgid(identifier) == situation


def test_the_left_side_is_x_whoever_is_on_roll() -> None:
    left, right = points({BAR: 1, 6: 14}), points({BAR: 2, 5: 13})
    board = "b-----N-------------m----A"
    assert xgid(Situation(Position(left, right), 0)).startswith(f"XGID={board}:0:0:1:")
    assert xgid(Situation(Position(right, left), 1)).startswith(f"XGID={board}:0:0:-1:")


def test_dice_that_are_none_are_not_written() -> None:
    odd = Situation(START, 0, (7, 1))
    assert xgid(odd) == xgid(odd._replace(dice=None))
    assert match_id(odd) == match_id(odd._replace(dice=None))


def test_a_point_held_by_both_sides_shows_the_larger_number() -> None:
    shared = Position(points({7: 1, 6: 14}), points({18: 2, 6: 13}))
    assert xgid(Situation(shared, 0)).split(":")[0] == "XGID=------Nb-----------m------"


@pytest.mark.parametrize(
    "text",
    [
        "",
        START_ID,
        f"{START_ID}:",
        f"{START_ID}:MAFgAAAA",
        f"{START_ID}:MIFnAAAAAAAE",
        f"{START_ID}:IAFgAAAAAAAE",
        "!HPwATDgc/ABMA:MAFgAAAAAAAE",
        "////////////+A:MAFgAAAAAAAE",
    ],
)
def test_what_is_no_gnubg_id_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="ID"):
        parse_gnubg_id(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        f"XGID={START_XG}",
        f"XGID={START_XG}:0:0:0:00:0:0:0:0:10",
        f"XGID={START_XG}:0:0:1:70:0:0:0:0:10",
        f"XGID={START_XG[:-1]}:0:0:1:00:0:0:0:0:10",
        f"XGID=A{START_XG[1:]}:0:0:1:00:0:0:0:0:10",
        f"XGID={START_XG}:0:2:1:00:0:0:0:0:10",
        f"XGID={START_XG}:0:0:1:00:0:0:4:0:10",
    ],
)
def test_what_is_no_xgid_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an XGID"):
        parse_xgid(text)


def test_no_cube_is_turned_a_hundred_times() -> None:
    """An unreachable cube limit is read as the highest one."""
    with pytest.raises(ValueError, match="A cube cannot be doubled 99 times; the limit is 15"):
        parse_xgid(f"{START_XG}:99:1:1:00:0:0:0:0:10")
    with pytest.raises(ValueError, match="A cube cannot be doubled 16 times"):
        parse_ogid("11ccccchhhjjjjj:66666888dddddoo:W16N::B::0:0:7")
    situation = parse_xgid(f"{START_XG}:15:1:1:00:0:0:0:0:99")
    assert (situation.cube_value, situation.cube_limit) == (1 << 15, 1 << 15)
    assert parse_gnubg_id(gnubg_id(situation)).cube_value == 1 << 15


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot hold more than 30 checkers"):
        position_id(Position(points({6: 16}), points({6: 15})))
    with pytest.raises(ValueError, match="cannot hold a left of 40000"):
        match_id(Situation(START, 0, scores=(40000, 0)))


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Fifteen checkers a side, no point shared."""
    counts = st.lists(st.integers(1, BAR), max_size=15)
    own = _side(draw(counts), blocked=())
    blocked = {BAR - place for place in range(1, BAR) if own[place]}
    return Position(own, _side(draw(counts), blocked))


def _side(places: list[int], blocked: set[int] | tuple[()]) -> Points:
    free = [place for place in places if place not in blocked]
    return points({OFF: 15 - len(free)} | {place: free.count(place) for place in free})


@st.composite
def situations(draw: st.DrawFn) -> Situation:
    """Money games and matches, rolled or doubled or neither."""
    length = draw(st.sampled_from((0, 1, 7, 25)))
    score = st.integers(0, max(length - 1, 20))
    money = length == 0
    roll = draw(st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)))
    return Situation(
        position=draw(positions()),
        on_roll=draw(st.integers(0, 1)),
        dice=(max(roll), min(roll)) if roll else None,
        cube_value=2 ** draw(st.integers(0, 12)),
        cube_owner=draw(st.sampled_from((0, 1, None))),
        offered=roll is None and draw(st.booleans()),
        scores=(draw(score), draw(score)),
        length=length,
        crawford=not money and draw(st.booleans()),
        jacoby=money and draw(st.booleans()),
        beavers=money and draw(st.booleans()),
        cube_limit=2 ** draw(st.integers(0, 12)),
    )


@given(positions())
def test_position_ids_go_both_ways(position: Position) -> None:
    assert parse_position_id(position_id(position)) == position


@pytest.mark.slow
@given(situations())
def test_gnubg_ids_go_both_ways(situation: Situation) -> None:
    restricted = situation._replace(beavers=False, cube_limit=1024)
    assert parse_gnubg_id(gnubg_id(situation)) == restricted


@pytest.mark.slow
@given(situations())
def test_xgids_go_both_ways(situation: Situation) -> None:
    assert parse_xgid(xgid(situation)) == situation
    large = situation._replace(scores=(10**6, 10**8), cube_value=1 << 30, cube_limit=1 << 20)
    assert parse_unlimited_xgid(xgid(large)) == large
    with pytest.raises(ValueError, match="not an XGID"):
        parse_xgid(xgid(large))


@given(st.text(max_size=60))
def test_nothing_but_a_value_error_is_raised(text: str) -> None:
    for parse in (parse_position_id, parse_gnubg_id, parse_xgid):
        try:
            parse(text)
        except ValueError:
            continue


@given(st.integers(0, 2**32))
def test_an_ogid_says_what_went_in(seed: int) -> None:
    rng = Random(seed)
    white, black = ([rng.randrange(1, 26) for _ in range(15)] for _ in range(2))
    sides = [points(dict(Counter(side))) for side in (white, black)]
    offered = rng.random() < 0.3
    situation = Situation(
        position=Position(sides[0], sides[1]),
        on_roll=rng.randrange(2),
        dice=None if offered or rng.random() < 0.3 else (rng.randint(1, 3), rng.randint(3, 6)),
        cube_value=2 ** rng.randrange(5),
        cube_owner=rng.choice((None, 0, 1)),
        offered=offered,
        scores=(rng.randrange(9), rng.randrange(9)),
        length=rng.choice((0, 9)),
    )
    assert parse_ogid(ogid(situation)) == situation


@pytest.mark.parametrize("text", ["", "XGID=1", "11ccccchhhjjjjj:66666888dddddoo:N0N::B::0:0"])
def test_no_ogid(text: str) -> None:
    with pytest.raises(ValueError, match="is not an OGID"):
        parse_ogid(text)


@pytest.mark.oracle
def test_gammonview_reads_the_same_board_in_an_ogid() -> None:
    rng = Random(26)
    for _ in range(50):
        own, other = (points(dict(Counter(rng.choices(range(1, 26), k=15)))) for _ in range(2))
        on_roll = rng.randrange(2)
        shared = any(own[point] and other[25 - point] for point in range(1, 25))
        if shared:
            continue
        parsed = gvformat.parse_ogid(ogid(Situation(Position(own, other), on_roll, (2, 1))))
        assert parsed.board[1:25] == [own[point] or -other[25 - point] for point in range(1, 25)]
