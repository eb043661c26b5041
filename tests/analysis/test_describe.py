"""Problems: what is said of an analyzed decision, in words."""

from __future__ import annotations

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import better_action, describe_problem
from tests.analysis.rows import cube, make_resignation, play

WRONG_PLAY = play(0.07)._replace(dice="64", played="24/14", better="24/18 13/9")
REDOUBLE = cube(Kind.NO_DOUBLE, 0.5, 0.9)._replace(cube=2, owner=0)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (WRONG_PLAY, ("6-4 to play", "24/14", "24/18 13/9", "bad", "")),
        (
            WRONG_PLAY._replace(played=None, legal=False),
            ("6-4 to play", "a play that was not written down", "24/18 13/9", "bad", ""),
        ),
        (
            play(0.0)._replace(dice="66"),
            ("6-6 to play", "no play", "no play", "", ""),
        ),
        (
            cube(Kind.NO_DOUBLE, 0.5, 0.6),
            ("double to 2, or not", "no double", "double, take", "bad", "missed double below CP"),
        ),
        (
            cube(Kind.NO_DOUBLE, 0.5, 1.2),
            (
                "double to 2, or not",
                "no double",
                "double, pass",
                "very bad",
                "missed double above CP",
            ),
        ),
        (cube(Kind.NO_DOUBLE, 0.5, 0.4), ("double to 2, or not", "no double", "no double", "", "")),
        (
            REDOUBLE,
            (
                "redouble to 4, or not",
                "no redouble",
                "redouble, take",
                "very bad",
                "missed double below CP",
            ),
        ),
        (
            cube(Kind.DOUBLE, 1.05, 1.2),
            (
                "double to 2, or not",
                "double",
                "no double, too good",
                "doubtful",
                "wrong double above TG",
            ),
        ),
        (
            cube(Kind.DOUBLE, 0.5, 0.4),
            ("double to 2, or not", "double", "no double", "bad", "wrong double below DP"),
        ),
        (
            cube(Kind.TAKE, 0.5, 1.2),
            ("doubled to 2: take or pass", "take", "pass", "very bad", "wrong take"),
        ),
        (
            cube(Kind.PASS, 0.5, 0.7),
            ("doubled to 2: take or pass", "pass", "take", "very bad", "wrong pass"),
        ),
        (cube(Kind.TAKE, 0.5, 0.7), ("doubled to 2: take or pass", "take", "take", "", "")),
        (
            cube(Kind.BEAVER, -0.1, 0.05)._replace(offer=4),
            ("doubled to 2: take, pass or beaver", "beaver", "take", "doubtful", ""),
        ),
        (
            cube(Kind.PASS_BEAVER, -0.6, -0.8)._replace(offer=4),
            ("beavered to 4: take or pass", "pass", "take", "very bad", ""),
        ),
        (
            cube(Kind.RACCOON, -0.1, -0.02)._replace(offer=8),
            ("beavered to 4: take, pass or raccoon", "raccoon", "take", "doubtful", ""),
        ),
        (
            cube(Kind.TAKE_RACCOON, 0.9, 1.01)._replace(offer=8),
            ("raccooned to 8: take or pass", "take", "pass", "doubtful", ""),
        ),
        (
            make_resignation(Kind.RESIGNATION, -1.0, -0.5),
            ("resign 2 points, or play on", "resign", "play on", "very bad", ""),
        ),
        (
            make_resignation(Kind.RESIGNATION, -1.0, -1.0),
            ("resign 2 points, or play on", "resign", "resign", "", ""),
        ),
        (
            make_resignation(Kind.ACCEPT, 1.0, 1.1),
            ("2 points given up: accept or decline", "accept", "decline", "bad", ""),
        ),
        (
            make_resignation(Kind.DECLINE, 0.9, 1.0),
            ("2 points given up: accept or decline", "decline", "accept", "bad", ""),
        ),
    ],
)
def test_decisions_in_words(row: AnalyzedDecision, expected: tuple[str, ...]) -> None:
    description = describe_problem(row)
    assert description is not None
    assert (
        description.question,
        description.made,
        description.best,
        description.mark,
        description.error,
    ) == expected


def test_the_cost_is_in_chances_of_the_match_or_in_points() -> None:
    at_match_point = WRONG_PLAY._replace(length=1)
    description = describe_problem(at_match_point)
    assert description is not None
    assert (description.loss, description.cost) == (pytest.approx(0.07), pytest.approx(0.035))
    money = describe_problem(WRONG_PLAY._replace(length=0, cube=2, owner=0))
    assert money is not None
    assert money.cost == pytest.approx(0.14)


def test_what_is_not_analyzed_is_no_problem() -> None:
    assert describe_problem(play(None)) is None
    assert describe_problem(cube(Kind.RESIGNATION, 0.0, 0.0)) is None


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (WRONG_PLAY, "24/18 13/9"),
        (WRONG_PLAY._replace(played="24/18 13/9"), None),
        (WRONG_PLAY._replace(reached=0.0), None),
        (WRONG_PLAY._replace(reached=None), "24/18 13/9"),
        (cube(Kind.NO_DOUBLE, 0.5, 0.6), "double, take"),
        (cube(Kind.NO_DOUBLE, 0.5, 0.4), None),
        (cube(Kind.DOUBLE, 0.5, 0.4), "no double"),
        (cube(Kind.DOUBLE, 0.5, 0.6), None),
        (cube(Kind.TAKE, 0.9, 1.2), "pass"),
        (cube(Kind.PASS, 0.5, 0.7), "take"),
        (cube(Kind.PASS, 0.5, 1.7), None),
        (make_resignation(Kind.RESIGNATION, -1.0, -0.5), "play on"),
        (play(None), None),
    ],
)
def test_what_would_have_been_better(row: AnalyzedDecision, expected: str | None) -> None:
    assert better_action(row) == expected
