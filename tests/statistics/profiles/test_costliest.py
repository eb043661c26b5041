"""The costliest decisions of a profile, counted on paper."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.record.players import Players
from bganalyze.statistics.profiles.costliest import Costliest, find_costliest
from bganalyze.statistics.reports.errors import _describe_error
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.analysis.rows import cube, make_resignation, play
from tests.statistics.match_report.analyzed import MATCH, analyze_text


def find(*matches: tuple[AnalyzedDecision, ...], player: str = "Ann") -> Costliest:
    """Return the costliest decisions of a player in matches with these rows."""
    _, analyzed = analyze_text(MATCH)
    numbered = (
        analyzed._replace(path=f"{number}.mat", record=f"{number}", rows=rows)
        for number, rows in enumerate(matches)
    )
    tables = tabulate_analyzed(numbered, Players())
    return find_costliest(tables, Question(by=(), player=player))


def make_missed_double(lost: float) -> AnalyzedDecision:
    """Return a decision of Ann's not to double that loses this much; the other side has a take."""
    return cube(Kind.NO_DOUBLE, no_double=0.5, take=0.5 + lost)


def test_decisions_of_all_kinds_are_sorted_by_cost() -> None:
    """Bob's error, an illegal play and losses below 0.02 are none of Ann's errors."""
    plays = tuple(play(0.01 * number) for number in range(1, 13))
    others = (play(0.9, side=1), play(0.8, legal=False), play(0.0004))
    found = find((*plays, *others, make_missed_double(0.2)))
    assert found.errors == 12
    facts = [dict(board.facts) for board in found.boards]
    lost = [each["Lost"].partition(" ")[0] for each in facts]
    assert lost == ["0.200", *(f"{0.01 * number:.3f}" for number in range(12, 3, -1))]
    assert facts[0]["Played"] == "no double"
    assert facts[0]["Equities"] == "no double 0.500, take 0.700, pass 1.000 (of Ann)"
    assert facts[0]["Score"] == "needs 5, opponent needs 5; cube 1, on roll"
    assert "Equities" not in facts[1]
    assert facts[1]["Rolled"] == "3-1"
    assert facts[1]["Place"] == "game 1, row 1 (0.mat:1:1)"
    assert facts[1]["Position"].startswith("XGID=")


def test_resignations_are_counted_apart() -> None:
    """Ann accepts a resignation too early; Bob's own is none of her errors."""
    accepted = make_resignation(Kind.ACCEPT, reached=0.7, other=1.0)
    resigned = make_resignation(Kind.RESIGNATION, reached=-1.0, other=-0.8)
    found = find((play(0.1), accepted, resigned, make_missed_double(0.2)))
    assert (found.errors, found.resignations) == (3, 1)


def test_a_costly_resignation_has_its_points_equities_and_the_right_decision() -> None:
    """Bob gives up 2 points, -2.000, where playing on is worth -1.526; Ann declines 2 points too late.

    In the costliest decisions ten plays cost more.
    """
    resigned = make_resignation(Kind.RESIGNATION, reached=-2.0, other=-1.526)
    found = find(tuple(play(0.5, side=1) for _ in range(10)), (resigned,), player="Bob")
    assert found.resignations == 1
    assert len(found.boards) == 10
    (of_resignations,) = found.cube
    assert of_resignations[:2] == ("resignation error", 1)
    facts = dict(of_resignations.boards[0].facts)
    assert (facts["Played"], facts["Better"]) == ("resign (2 points given up)", "play on")
    assert facts["Equities"] == "resign -2.000, play on -1.526 (of Bob)"
    assert facts["Lost"].startswith("0.474 EMG")
    declined = make_resignation(Kind.DECLINE, reached=1.5, other=2.0)
    facts = dict(find((declined,)).boards[0].facts)
    assert (facts["Played"], facts["Better"]) == ("decline (2 points given up)", "accept")
    assert facts["Equities"] == "accept 2.000, play on 1.500 (of Ann)"


@pytest.mark.slow
def test_a_run_of_missed_doubles_is_listed_once() -> None:
    """Ann misses 3 doubles, doubles too early, misses 2; another match has 1, and each run its costliest."""
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.45)
    runs = (
        make_missed_double(0.1),
        make_missed_double(0.3),
        make_missed_double(0.2),
        early,
        make_missed_double(0.25),
        make_missed_double(0.15),
    )
    found = find((*runs, play(0.12)), (make_missed_double(0.11),))
    facts = [dict(board.facts) for board in found.boards]
    listed = [(each["Lost"].partition(" ")[0], each["Played"]) for each in facts]
    assert [lost for lost, _ in listed] == ["0.300", "0.250", "0.120", "0.110", "0.050"]
    played = [played for _, played in listed]
    assert played[:2] == [
        "no double (the costliest of 3 turns)",
        "no double (the costliest of 2 turns)",
    ]
    assert played[3:] == ["no double", "double"]
    assert found.errors == 8


def test_cube_mistakes_are_shown_by_kind_once_a_game() -> None:
    """A run of missed doubles shows its costliest; one that lost 0.03 or less shows none."""
    early = cube(Kind.DOUBLE, no_double=0.5, take=0.2)
    first = (
        make_missed_double(0.05),
        make_missed_double(0.11),
        make_missed_double(0.1),
        early,
        make_missed_double(0.04),
    )
    found = find(
        first, (make_missed_double(0.06),), (make_missed_double(0.02),), (make_missed_double(0.05),)
    )
    assert [(one.name, one.errors, round(one.lost, 9)) for one in found.cube] == [
        ("missed double", 7, 0.43),
        ("wrong double", 1, 0.3),
    ]
    doubles, _ = found.cube
    lost = [dict(board.facts)["Lost"].partition(" ")[0] for board in doubles.boards]
    assert lost == ["0.110", "0.060"]


@pytest.mark.slow
def test_answers_have_the_equities_of_the_doubler() -> None:
    """Bob takes a double that he should pass, and passes one that he should take."""
    wrong_take = cube(Kind.TAKE, no_double=0.8, take=1.5)
    wrong_pass = cube(Kind.PASS, no_double=0.4, take=0.6)
    found = find((wrong_take, wrong_pass), player="Bob")
    assert [one.name for one in found.cube] == ["wrong take", "wrong pass"]
    facts = dict(found.cube[0].boards[0].facts)
    assert (facts["Played"], facts["Better"]) == ("take", "pass")
    assert facts["Equities"].startswith("no double 0.800, take 1.500, pass 1.000")


def test_equities_of_a_cube_are_told_where_they_are_known_and_of_a_play_never() -> None:
    row: dict[Hashable, Any] = {
        "row": "2",
        "turn": 3,
        "game": 1,
        "path": "a.mat",
        "place": "5:1",
        "dice": None,
    }
    row |= {
        "played": "double",
        "better": "no double",
        "score": "none",
        "side": "left",
        "player": "Ann",
    }
    row |= {"loss": 0.1, "cost": 0.1, "xgid": "XGID=", "kind": Kind.DOUBLE, "engine": "e"}
    row |= {"no_double": 0.5, "take": 0.4, "passed": 1.0}

    def describe(row: dict[Hashable, Any]) -> dict[str, str]:
        return dict(_describe_error(row, play(0.1).situation))

    assert "Equities" in describe(row)
    assert "Equities" not in describe({**row, "take": None})
    assert "Equities" not in describe({**row, "kind": Kind.PLAY})
