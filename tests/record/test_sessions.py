"""Money sessions in one file that begin again at 0-0."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import outcome_of

ROLLS = ("31", "61", "42", "53", "64")
PLAYS = {"31": "8/5 6/5", "61": "13/7 8/7", "42": "8/4 6/4", "53": "8/3 6/3", "64": "8/2 6/2"}


def session(
    *scores: tuple[int, int], numbers: tuple[int, ...] | None = None, length: int = 0
) -> bytes:
    """Return games at these scores, each won by the left side with one point."""
    games = (
        f" Game {number}\n Ann : {left}                       Bob : {right}\n"
        f"  1) {roll}: {PLAYS[roll]}              52: 13/8 13/11\n"
        "  2)  Doubles => 2             Drops\n      Wins 1 point\n\n"
        for number, (left, right), roll in zip(
            numbers or range(1, len(scores) + 1), scores, ROLLS, strict=False
        )
    )
    return f" {length} point match\n\n{''.join(games)}".encode()


def find_codes(data: bytes) -> list[str]:
    return [f.code for f in check(read_bytes(data, "a.mat")) if f.code != "R608"]


@pytest.mark.parametrize("numbers", [(1, 2, 3, 4), (1, 2, 1, 2)])
def test_a_session_that_begins_again_at_nil_is_a_match_of_its_own(numbers: tuple[int, ...]) -> None:
    data = session((0, 0), (1, 0), (0, 0), (1, 0), numbers=numbers)
    assert find_codes(data) == ["T115"]
    finals = [outcome_of(replay(match)).counting.after for match in read_bytes(data, "a.mat")]
    assert finals == [(2, 0), (2, 0)]
    assert check(read_bytes(data, "a.mat"))[0].message.startswith("a new money session begins here")


@pytest.mark.parametrize(
    ("scores", "numbers"),
    [
        (((0, 0), (0, 0), (1, 0)), (1, 1, 2)),
        (((0, 0), (1, 0), (0, 0)), (1, 2, 1)),
        (((2, 1), (3, 1), (0, 0)), (1, 2, 3)),
    ],
)
def test_its_number_or_both_points_tell_where_no_score_does(
    scores: tuple[tuple[int, int], ...], numbers: tuple[int, ...]
) -> None:
    assert "T115" in find_codes(session(*scores, numbers=numbers))


@pytest.mark.parametrize(
    "scores", [((0, 0), (1, 0), (0, 0), (3, 0)), ((0, 0), (1, 0), (0, 0)), ((2, 2), (0, 0), (4, 2))]
)
def test_a_score_that_is_a_slip_begins_nothing(scores: tuple[tuple[int, int], ...]) -> None:
    assert "R604" in find_codes(session(*scores))


def test_a_match_to_a_length_is_never_parted() -> None:
    assert "T115" not in find_codes(session((0, 0), (1, 0), (0, 0), (1, 0), length=7))


def test_games_that_are_all_at_nil_are_one_session() -> None:
    assert find_codes(session((0, 0), (0, 0), (0, 0))) == []


def test_what_the_reader_noticed_stays_with_its_game() -> None:
    data = session((0, 0), (1, 0), (0, 0), (1, 0)).decode()
    head, tail = data.rsplit("  2)", 1)
    [noticed] = [
        f for f in check(read_bytes(f"{head}  7){tail}".encode(), "a.mat")) if f.code == "T103"
    ]
    assert (noticed.match, noticed.game) == (2, 2)
