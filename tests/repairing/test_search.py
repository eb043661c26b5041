"""From the errors of a record to the slips behind them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bganalyze.board.rule_book import BASIC
from bganalyze.record.reader import read_bytes
from bganalyze.repairing import look_ahead
from bganalyze.repairing.applying import Session, SessionStep
from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.look_ahead import RepairFinder
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.ranking import Repair
from bganalyze.repairing.remedy import finding_key
from bganalyze.repairing.search import (
    attach_repairs,
    find_repairs_in_file,
    find_repairs_of_findings,
)
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Edit, Finding, Severity
from tests.repairing import transcripts
from tests.repairing.transcripts import ROWS, row

SAMPLES = Path(__file__).parents[2] / "samples" / "clean"

HEAD = " 5 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"


def record(*rows: str) -> bytes:
    """Return a match of one game."""
    numbered = (f"{number:3}) {row}\n" for number, row in enumerate(rows, start=1))
    return (HEAD + "".join(numbered)).encode()


def test_a_die_misread_is_proposed_where_the_steps_were_played() -> None:
    data = record("31: 8/5 6/5                 62: 24/18 13/10", "41: 13/9 24/23")
    (cause,) = find_repairs_in_file(data, "a.mat")
    messages = [proposal.message for proposal in cause.proposals]
    assert "62: 24/18 13/10 → 63: 24/18 13/10" in messages
    assert "62: 24/18 13/10 → 62: 24/18 13/11" in messages


def test_a_repair_that_does_not_hold_in_the_whole_file_is_passed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = record("31: 8/5 6/5                 62: 24/18 13/10", "41: 13/9 24/23")
    causes = find_repairs_in_file(data, "a.mat")
    real = RepairFinder.find_repairs

    def repairs(self: RepairFinder, *arguments: Any) -> list[Repair]:
        first, *more_repairs = real(self, *arguments)
        nothing = first._replace(suggestion=first.suggestion._replace(edits=()))
        return [nothing, first, *more_repairs]

    monkeypatch.setattr(RepairFinder, "find_repairs", repairs)
    assert find_repairs_in_file(data, "a.mat") == causes
    monkeypatch.setattr(
        RepairFinder, "find_repairs", lambda self, *arguments: repairs(self, *arguments)[:1]
    )
    assert find_repairs_in_file(data, "a.mat") == []


def test_a_legal_but_wrong_play_is_looked_for_before_the_fault() -> None:
    rows = (
        "31: 8/5 6/5                 62: 24/18 13/11",
        "41: 13/9 24/23              52: 18/13 13/11",
        "61: 13/7 8/7                43: 13/10 13/9",
    )
    assert find_repairs_in_file(record(*rows), "a.mat") == []
    slipped = record(rows[0].replace("24/18", "13/7 "), *rows[1:])
    (cause,) = find_repairs_in_file(slipped, "a.mat")
    assert cause.finding.line == 6
    repaired = [edit_bytes(slipped, proposal.edits) for proposal in cause.proposals]
    assert record(*rows) in repaired


def test_a_wrong_play_is_looked_for_where_it_shows_many_rows_later() -> None:
    data = (SAMPLES / "xg-text.txt").read_bytes()
    slipped = data.replace(b"62: Bar/23 11/5", b"62: Bar/23 9/3")
    (cause,) = find_repairs_in_file(slipped, "a.txt")
    first = cause.proposals[0]
    assert (first.line, cause.finding.line) == (42, 69)
    assert edit_bytes(slipped, first.edits) == data


def test_a_session_shows_the_proposals_of_a_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(look_ahead, "MOST_GAMES_AGAIN", 3)
    slipped = transcripts.with_rows(5, row("54:", "43: 24/21* 8/4"), instead_of=3)
    (cause,) = find_repairs_in_file(slipped, "a.mat")
    session = Session(
        rate_plays_by_appearance,
        [SessionStep(read_file_to_repair(slipped, "a.mat", BASIC), frozenset())],
    )
    question = session.find_next_question()
    assert question is not None
    assert len(question.ways) > 4
    proposals = cause.proposals
    assert [way.suggestion.edits for way in question.ways] == [one.edits for one in proposals]


def test_of_two_slips_the_first_is_repaired_so_that_the_second_can_be() -> None:
    rows = list(ROWS)
    rows[1] = row("54: 23/18* 8/4", "43:")
    rows[3] = row("51: bar/24 18/13", "65: 20/14 13/7")
    lost_roll, misspelled = find_repairs_in_file(transcripts.record(*rows), "a.mat")
    assert lost_roll.proposals[0].message == "43: → 43: bar/22* 13/9"
    assert misspelled.proposals[0].message == "65: 20/14 13/7 → 65: 20/14 13/8"


@pytest.mark.slow
def test_nothing_is_proved_after_which_another_error_shows_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = RepairFinder.find_repairs

    def find_proved(self: RepairFinder, *arguments: Any) -> list[Repair]:
        return [repair._replace(doubt=None) for repair in real(self, *arguments)]

    monkeypatch.setattr(RepairFinder, "find_repairs", find_proved)
    rows = list(ROWS)
    rows[4] = row("31: 8/7 6/4", "61: 13/7 9/8")
    (cause,) = find_repairs_in_file(transcripts.record(*rows), "a.mat")
    assert (cause.proposals[0].proved, cause.proposals[0].errors_after) == (True, 0)
    rows[5] = row("54: 24/14", "43: 24/21* 8/4")
    data = transcripts.record(*rows)
    cause = find_repairs_in_file(data, "a.mat")[0]
    assert (cause.proposals[0].proved, cause.proposals[0].errors_after) == (False, 2)
    session = Session(
        rate_plays_by_appearance,
        [SessionStep(read_file_to_repair(data, "a.mat", BASIC), frozenset())],
    )
    question = session.find_next_question()
    assert question is not None
    assert not question.ways[0].proved


def test_nothing_is_proved_behind_an_error_against_which_nothing_helps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real = RepairFinder.find_repairs

    def repairs(
        self: RepairFinder, draft: FileToRepair, finding: Finding, *arguments: Any
    ) -> list[Repair]:
        if finding.line < 9:
            return []
        return [one._replace(doubt=None) for one in real(self, draft, finding, *arguments)]

    monkeypatch.setattr(RepairFinder, "find_repairs", repairs)
    rows = list(ROWS)
    rows[6] = row("65: bar/14*", "54: 24/20 7/2*")
    [cause] = find_repairs_in_file(transcripts.record(*rows), "a.mat")
    assert cause.proposals[0].proved
    rows[1] = row("54: 23/18* 8/4", "43: bar/21* 13/9")
    [cause, *_] = find_repairs_in_file(transcripts.record(*rows), "a.mat")
    assert (cause.finding.line, cause.proposals[0].proved) == (11, False)


def test_nothing_is_proved_that_leaves_its_line_unread() -> None:
    draft = read_file_to_repair(
        transcripts.with_rows(6, row("65: bar/14 #!", "54: 24/20 7/2*")), "a.mat", BASIC
    )
    [fault] = draft.to_repair
    line = draft.lines[fault.line - 1]
    two = read_file_to_repair(
        transcripts.with_rows(6, row("65: bar/14 #! #!", "54: 24/20 7/2")), "a.mat", BASIC
    )
    assert look_ahead.reveals_another_error(two, draft, [Edit(fault.line, line, line)])
    assert not look_ahead.reveals_another_error(
        two, read_file_to_repair(record(), "a.mat", BASIC), []
    )


@pytest.mark.slow
def test_slips_in_neighbouring_rows_are_told_apart() -> None:
    rows = list(ROWS)
    rows[2] = row("52: bar/23", "32: bar/22*/20")
    rows[3] = row("51: bar/24 17/12", "65: 20/14 13/8")
    causes = find_repairs_in_file(transcripts.record(*rows), "a.mat")
    assert [cause.proposals[0].message for cause in causes] == [
        "52: bar/23 → 52: bar/23 8/3*",
        "51: bar/24 17/12 → 51: bar/24 18/13",
    ]


def test_a_roll_whose_dice_are_the_steps_is_likelier_than_one_with_the_same_sum() -> None:
    data = record("31: 8/5 6/5                 53: 13/9 9/6", "41: 13/9 24/23")
    (cause,) = find_repairs_in_file(data, "a.mat")
    messages = [proposal.message for proposal in cause.proposals]
    assert messages[0] == "53: 13/9 9/6 → 43: 13/9 9/6"


def test_a_die_is_misread_in_its_place_where_the_higher_one_stands_first() -> None:
    cells = ("41: 24/23 13/9", "62: 24/18 13/11", "52: 13/8 13/11")
    rows = [
        f"{left:28}{right}"
        for left, right in (
            (cells[0], cells[1]),
            (cells[2], "36: 13/10 11/10"),
            ("21: 6/4 6/5", ""),
        )
    ]
    (cause,) = find_repairs_in_file(record(*rows), "a.mat")
    messages = [proposal.message for proposal in cause.proposals]
    assert messages[0] == "36: 13/10 11/10 → 31: 13/10 11/10"


LEFT_ALONE = [row(text[:28].rstrip()) for text in ROWS]
RIGHT_ALONE = [row(""), *(row(text[28:]) for text in ROWS)]
ENDED = [row(text[:28].rstrip()) for text in (*ROWS[:5], "  Drops")]


@pytest.mark.parametrize("lines", [LEFT_ALONE, RIGHT_ALONE, ENDED])
def test_that_a_column_is_lost_is_one_cause_and_no_turn_is_made_up(lines: list[str]) -> None:
    data = transcripts.record(*lines)
    (error,) = (found for found in check(read_bytes(data, "a.mat")) if found.fails(Severity.ERROR))
    [cause] = find_repairs_in_file(data, "a.mat")
    [proposal] = cause.proposals
    assert (error.code, proposal.kind, proposal.line) == ("T105", "lost column", 5)
    assert proposal.edits == ()
    assert not proposal.proved


def test_what_is_wrong_beside_a_lost_column_is_told() -> None:
    lines = [line.replace("54: 24/15", "94: 24/15") for line in LEFT_ALONE]
    assert lines != LEFT_ALONE
    findings = check(read_bytes(transcripts.record(*lines), "a.mat"))
    codes = [found.code for found in findings if found.fails(Severity.ERROR)]
    assert codes == ["T105", "D301"]
    causes = find_repairs_in_file(transcripts.record(*lines), "a.mat")
    left = attach_repairs(findings, causes)
    assert [found.code for found in left if found.fails(Severity.ERROR)] == codes


HIDING = (
    "31: 24/22 6/3               41: 8/7 8/4",
    *ROWS[1:3],
    "51: bar/24 17/13            65: 20/14 13/8",
    *ROWS[4:],
)
"""Two plays are miswritten, and the board that the first leaves hides the other."""


def test_for_a_check_no_cause_is_looked_for_of_what_only_a_repair_would_show() -> None:
    data = transcripts.record(*HIDING)
    draft = read_file_to_repair(data, "a.mat", BASIC)
    assert [finding.line for finding in draft.to_repair] == [5]
    causes = find_repairs_in_file(data, "a.mat")
    assert [cause.finding.line for cause in causes] == [5, 8]
    assert list(find_repairs_of_findings(draft, 3)) == causes[:1]


def test_for_a_check_the_cause_of_each_error_is_looked_for() -> None:
    game = transcripts.record(row("21: 24/22 24/22", "31: 8/5 6/5"))
    data = game + b"\n Game 2\n" + game.partition(b" Game 1\n")[2]
    draft = read_file_to_repair(data, "a.mat", BASIC)
    causes = list(find_repairs_of_findings(draft, 3))
    assert [cause.finding.line for cause in causes] == [5, 9]
    assert list(find_repairs_of_findings(draft, 1)) == causes[:1]


def test_an_error_stands_by_itself_if_it_follows_from_one_that_is_not_found_yet() -> None:
    data = transcripts.record(*HIDING)
    shown, hidden = find_repairs_in_file(data, "a.mat")
    later = shown.finding._replace(row="9")
    explaining = hidden._replace(explained=hidden.explained | {finding_key(later)})
    assert attach_repairs([shown.finding, later], [shown, explaining])[1:] == [later]
