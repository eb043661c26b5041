"""Analyzing a match: its key, and its rows with what an engine says of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path

import pytest

from bganalyze.analysis.analyzed import loss, make_rows_with_evaluations
from bganalyze.analysis.decisions import GIVING_UP, Decision, Kind
from bganalyze.analysis.describe import better_action
from bganalyze.analysis.engines import (
    Candidate,
    CubeEvaluation,
    Evaluation,
    PlayEvaluation,
    PlayingOn,
)
from bganalyze.analysis.match import (
    analyze_match,
    make_unanalyzed,
    number_sides_of_match,
    relocate_analysis,
)
from bganalyze.board.position import PHASES
from bganalyze.record.reader import read, read_bytes
from bganalyze.statistics.tables.frames import tabulate
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from tests.statistics.match_report.test_figures import CHANGED
from tests.statistics.reports.analyzed import Guesser
from tests.statistics.tables.test_tables import EXCHANGED, MATCH

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "short-match.mat"


GIVEN_UP = (
    " {length} point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5     42: 8/4 6/4\n"
)
"""A game after whose first two plays left is on roll."""


class Oracle:
    """An engine that takes every play for the best, and every cube for a double and a take."""

    name, version, level = "oracle", "1", "high"

    def stored_version(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        return self.version, self.level

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        return [self._of(decision) for decision in decisions]

    def _of(self, decision: Decision) -> Evaluation | None:
        if decision.kind in GIVING_UP:
            return PlayingOn(-0.8) if decision.dice is None else None
        if decision.kind is not Kind.PLAY:
            return CubeEvaluation(0.5, 0.75)
        assert decision.after
        best = Candidate(decision.after, 0.25)
        return PlayEvaluation((best,), best, 0.125)


OVERFULL = """\
; [Position "Ann has eighteen checkers"]
 5 point match
 Game 1
 Ann : 0                         Bob : 0
; Set Pos=--{}-------------acddbb-/0
  1) 31: 5/2 3/2                  65: 6/off 5/off
"""


def test_a_match_becomes_rows() -> None:
    [match] = read(str(SAMPLE))
    analyzed_match = analyze_match(match, Oracle())
    assert (analyzed_match.names, analyzed_match.length) == (("Ada Quill", "Cleo Hart"), 3)
    assert (analyzed_match.key.engine, analyzed_match.key.version, analyzed_match.key.level) == (
        "oracle",
        "1",
        "high",
    )
    first, second, *_ = analyzed_match.rows
    assert (first.played, first.better, first.best, first.luck) == (
        "24/22 13/8",
        "24/22 13/8",
        0.25,
        0.125,
    )
    assert (second.kind, loss(second)) == (Kind.NO_DOUBLE, 0.25)
    assert [result.points for result in analyzed_match.results] == [1, 2]
    passed = next(row for row in analyzed_match.rows if row.kind is Kind.PASS)
    assert (passed.doubler, loss(passed), passed.xgid.split(":")[4]) == (1, 0.25, "D")


LIMITED = """; [CubeLimit "64"]
 5 point match

 Game 1
 Ann : 0     Bob : 0
  1) 31: 8/5 6/4
"""
"""A match with a cube limit and an illegal play, which `check` reports."""


def test_the_position_of_a_decision_is_that_of_a_finding() -> None:
    matches = read_bytes(LIMITED.encode(), "some.mat")
    (row,) = analyze_match(matches[0], Oracle()).rows
    (position,) = {finding.position for finding in check(matches)} - {None}
    assert row.xgid == position
    assert row.xgid.endswith(":5:6")


def test_a_limit_of_the_cube_leaves_the_key_as_it_was() -> None:
    unlimited = LIMITED.replace("64", "1024")
    assert content(LIMITED) == content(unlimited) == content(unlimited.partition("\n")[2])


def test_a_board_with_too_many_checkers_has_a_key_of_its_own() -> None:
    crowded, as_crowded = (OVERFULL.format(board) for board in ("CDEF", "BEEF"))
    assert content(crowded) == content(crowded)
    assert content(crowded) != content(as_crowded)


def content(text: str) -> str:
    [match] = read_bytes(text.encode(), "some.mat")
    return make_unanalyzed(match).match.key.content


def test_the_key_is_of_the_match_and_not_of_its_file() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    assert content(text) == content('; [Site "elsewhere"]\n' + text.replace("\n", "\r\n"))


def test_the_same_match_is_known_whoever_sits_left_and_is_called_what() -> None:
    texts = (
        MATCH,
        EXCHANGED,
        MATCH.replace("Ann", "Anna"),
        MATCH.replace("64: 24/14", "64: 24/18 13/9"),
    )
    matches = [read_bytes(text.encode(), "some.mat")[0] for text in texts]
    first, exchanged, renamed, other = (make_unanalyzed(match).match.record for match in matches)
    assert first == exchanged == renamed != other


def test_day_site_names_and_phases_are_kept() -> None:
    text = '; [Site "Club"]\n; [EventDate "2024.07.27"]\n' + SAMPLE.read_text(encoding="utf-8")
    [match] = read_bytes(text.encode(), "some.mat")
    found = analyze_match(match, Oracle())
    assert (found.site, found.date) == ("Club", dt.date(2024, 7, 27))
    assert {(result.left_name, result.right_name) for result in found.results} == {found.names}


def test_another_play_player_or_result_is_another_match() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    variants = [
        text.replace("21: 5/3 4/3", "21: 5/4 4/2"),
        text.replace("Ada Quill", "Ada Quilt"),
        text.replace("Wins 2 points", "Wins 4 points"),
        text.replace("3 point match", "5 point match"),
    ]
    assert len({content(variant) for variant in (text, *variants)}) == 5


def test_the_phase_of_a_decision_is_that_of_its_roll_in_the_table_of_turns() -> None:
    [match] = read(str(SAMPLE))
    turns = tabulate([replay(match)], column_groups=()).turns
    phases = {
        (game, SIDES.index(side), line): phase
        for game, side, line, phase in zip(
            turns["game"], turns["side"], turns["line"], turns["phase"], strict=True
        )
    }
    rows = [
        row
        for row in analyze_match(match, Oracle()).rows
        if row.kind in (Kind.PLAY, Kind.NO_DOUBLE)
    ]
    for row in rows:
        assert row.phase == phases[row.game, row.side, int(row.place.split(":")[0])]
    assert {row.phase for row in rows} == set(PHASES)


def test_an_answer_has_the_phase_of_its_double() -> None:
    [match] = read(str(SAMPLE))
    answers = [(row.kind, row.phase) for row in analyze_match(match, Oracle()).rows if row.offer]
    assert answers == [
        (Kind.DOUBLE, "contact"),
        (Kind.PASS, "contact"),
        (Kind.DOUBLE, "contact"),
        (Kind.TAKE, "contact"),
    ]


def find_resignations(rows: str, length: int = 0) -> list[tuple[Kind, float | None, float | None]]:
    """Return the resignations and their answers: what is best, and what was chosen."""
    text = GIVEN_UP.format(length=length) + rows
    [match] = read_bytes(text.encode(), "some.mat")
    rows_of = analyze_match(match, Oracle()).rows
    return [(row.kind, row.best, row.reached) for row in rows_of if row.kind in GIVING_UP]


LOSES_ONE = "                     Wins 1 point\n"
LOSES_TWO = "                     Wins 2 points\n"


def test_a_resignation_is_weighed_against_playing_on() -> None:
    assert find_resignations(LOSES_ONE) == [(Kind.RESIGNATION, -0.8, -1), (Kind.ACCEPT, 1, 1)]
    assert find_resignations(LOSES_TWO) == [(Kind.RESIGNATION, -0.8, -2), (Kind.ACCEPT, 2, 2)]


def test_in_a_match_the_points_are_worth_what_they_change() -> None:
    [(_, _, single), _] = find_resignations(LOSES_ONE, length=7)
    [(_, _, double), _] = find_resignations(LOSES_TWO, length=2)
    [(_, _, double_loss), _] = find_resignations(LOSES_TWO, length=1)
    assert (single, double_loss) == pytest.approx((-1, -1), abs=1e-6)
    assert double is not None
    assert double < -1


def test_a_roll_that_is_not_played_was_known_to_who_resigned() -> None:
    [match] = read_bytes(
        (GIVEN_UP.format(length=0) + "  2) 64: ????\n" + LOSES_ONE).encode(), "some.mat"
    )
    ready = make_unanalyzed(match)
    *_, roll, resignation, _ = ready.decisions
    assert (roll.kind, resignation.kind) == (Kind.PLAY, Kind.RESIGNATION)
    best = Candidate(roll.position, -0.25)
    evaluations = [None] * (len(ready.decisions) - 3) + [PlayEvaluation((best,), None), None, None]
    *_, loser_row, winner_row = make_rows_with_evaluations(ready.decisions, evaluations)
    assert (loser_row.best, loser_row.reached, loss(loser_row)) == (-0.25, -1, 0.75)
    assert (winner_row.best, winner_row.reached, loss(winner_row)) == (1, 1, 0)
    assert loser_row.xgid.split(":")[3:5] == ["1", "64"]


def test_players_who_change_columns_keep_their_decisions_and_results() -> None:
    [match] = read_bytes(CHANGED.encode(), "some.mat")
    analyzed_match = analyze_match(match, Guesser())
    as_sat = number_sides_of_match(analyzed_match)
    assert as_sat.results[0] == analyzed_match.results[0]
    assert as_sat.results[1].left_name == as_sat.results[0].left_name == as_sat.names[0]
    for before, after in zip(analyzed_match.rows, as_sat.rows, strict=True):
        assert after.side == before.side ^ (before.game == 2)
        assert after.score.points == (
            before.score.points if before.game == 1 else before.score.points[::-1]
        )


def test_a_match_that_is_analyzed_already_has_its_places_where_it_is_met() -> None:
    text = SAMPLE.read_text(encoding="utf-8")
    [first], [other] = (
        read_bytes(transcript.encode(), path)
        for transcript, path in ((text, "a.mat"), ('; [Site "elsewhere"]\n' + text, "b.mat"))
    )
    stored, fresh = analyze_match(first, Oracle()), analyze_match(other, Oracle())
    placed = relocate_analysis(stored, make_unanalyzed(other).match)
    assert (placed.path, placed.rows) == ("b.mat", fresh.rows)
    assert stored.rows != fresh.rows


@pytest.mark.parametrize(
    ("first", "second", "written"),
    [
        ("31: 8/5 6/5", "64: 24/14", "24/14"),
        ("62: 24/18 13/11", "21: 8/7 6/4", "8/7* 6/4"),
        ("62: 24/18 13/11", "61: 13/7 8/7", "13/7* 8/7"),
        ("62: 24/18 13/11", "61: 8/7* 13/7", "13/7* 8/7"),
        ("62: 24/18 13/11", "52: 13/7 13/11", "13/11 13/7*"),
    ],
)
def test_a_play_is_written_from_the_board(first: str, second: str, written: str) -> None:
    text = GIVEN_UP.format(length=5).replace("31: 8/5 6/5", first).replace("42: 8/4 6/4", second)
    [match] = read_bytes(text.encode(), "some.mat")
    row = next(row for row in analyze_match(match, Oracle()).rows if row.side == 1 and row.dice)
    assert row.played == written
    assert better_action(row) is None
