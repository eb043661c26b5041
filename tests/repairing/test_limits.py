"""Limits of the search where a record offers thousands of places for a slip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from bganalyze.board.rule_book import BASIC
from bganalyze.record.model import Match
from bganalyze.repairing import error_context, look_ahead, spelling
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.file_to_repair import FileToRepair, read_file_to_repair
from bganalyze.repairing.look_ahead import (
    MatchAndGame,
    PartlyRepairedFile,
    RepairFinder,
    SuggestionTrials,
    try_repair,
)
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.remedy import Remedy
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.slips import rows, suggest_repairs
from bganalyze.repairing.slips.cells import suggest_other_play
from bganalyze.repairing.slips.cubes import MOST_OFFERS, suggest_lost_double_and_take
from bganalyze.repairing.suggestion import Suggestion
from bganalyze.validation.findings import Edit
from tests.repairing.transcripts import ROWS, record, row, with_rows


def test_a_lost_double_is_looked_for_in_few_of_many_empty_rows() -> None:
    empty = "".join(f"{number:3})\n" for number in range(2, 100))
    text = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        f"{empty}"
        "100) Doubles => 2                Drops\n"
        "     Wins 2 points\n"
    )
    assert len(list(suggest_lost_double_and_take(_evidence(_draft(text.encode()))))) == MOST_OFFERS


@pytest.mark.parametrize(
    "cell",
    ["31: 8/5 6/4" + " 6/4" * 100, "junk " + "2 " * 100, "66: Canno" + "31: " * 600 + "t Move"],
)
def test_no_slip_is_looked_for_behind_more_than_anybody_writes(cell: str) -> None:
    text = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    text += f"  1) 31: 8/5 6/5                 {cell}\n  2) 42: 8/4 6/4\n"
    draft = _draft(text.encode())
    assert draft.to_repair
    for finding in draft.to_repair:
        found = ErrorContext(draft.replays[0], finding, draft.lines, draft.errors)
        assert list(suggest_repairs(found)) == []


def test_rows_are_looked_for_at_few_of_many_missing_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n" + "".join(
        f"{2 * number + 1:3}) {cells}\n" for number, cells in enumerate(_ODD)
    )
    asked: list[int] = []

    def pairs(*arguments: object) -> list[object]:
        asked.append(1)
        return []

    monkeypatch.setattr(rows, "find_pairs_before", pairs)
    assert list(rows.suggest_lost_row(_evidence(_draft(text.encode())))) == []
    assert len(asked) == rows.MOST_MISSING


_ODD = (
    "31: 8/5 6/5                 42: 8/4 6/4",
    "21: 13/11 6/5               21: 13/11 6/5",
    "21: 13/11 24/23             21: 13/11 24/23",
    "21: 13/11 24/23             21: 13/11 24/23",
    "21: 13/11 11/10             21: 13/11 11/10",
    "21: 3/1 3/2                 21: 11/8",
)


def test_the_spelling_of_a_record_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = (row("63: 24/15", "53: 8/3 6/4"), row("31: 8/5 6/4", "42: 8/4 6/3"))
    looked_at: list[Match] = []

    def find_style(match: Match) -> spelling.Style:
        looked_at.append(match)
        return spelling.find_style(match)

    monkeypatch.setattr(error_context, "find_style", find_style)
    assert len(find_repairs_in_file(record(*slips), "slips.mat")) > 1
    assert len(looked_at) == 1


def test_what_is_far_fetched_takes_no_room_from_other_proposals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draft = _draft(record(row("31: 8/5 6/5", "65: 24/13"), row("42: 8/3 6/3", "61: 13/7 8/7")))
    finding = draft.to_repair[0]
    usual = SuggestionTrials(draft, finding, rate_plays_by_appearance, {}, try_repair).find_repairs(
        suggest_repairs
    )

    def far_fetched(evidence: ErrorContext) -> Iterator[Suggestion]:
        for suggestion in suggest_repairs(evidence):
            (edit, *_) = suggestion.edits
            unfit = edit._replace(old="no such line", new=f"{edit.new} ")
            yield suggestion._replace(edits=(unfit,), likelihood=9.0)

    monkeypatch.setattr(look_ahead, "MOST_TRIED", 5)
    few = SuggestionTrials(draft, finding, rate_plays_by_appearance, {}, try_repair).find_repairs(
        suggest_repairs
    )
    beside = SuggestionTrials(
        draft, finding, rate_plays_by_appearance, {}, try_repair
    ).find_repairs(suggest_repairs, far_fetched)
    assert len(usual) > 5
    one, other = (
        [repair.suggestion._replace(fitting_plays=()) for repair in repairs]
        for repairs in (beside, few)
    )
    assert one == other


@pytest.mark.slow
def test_what_is_suggested_again_for_fewer_plays_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[tuple[Edit, ...]] = []
    with_edits = FileToRepair.with_edits

    def count_call(draft: FileToRepair, edits: Iterable[Edit]) -> FileToRepair:
        tried.append(tuple(edits))
        return with_edits(draft, tried[-1])

    monkeypatch.setattr(FileToRepair, "with_edits", count_call)
    attempts = _attempts(with_rows(1, row("66: 24/23 6/3", "41: 8/7 8/4")))
    assert attempts.find_repairs(suggest_repairs) == []
    assert len(tried) == len(set(tried)) > 0


ILLEGAL = row("52: bar/23 8/3*", "32: bar/22*/20 Illegal")


def test_of_a_play_that_the_record_calls_illegal_no_other_turn_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(look_ahead, "suggest_lost_rows", None)
    data = with_rows(2, ILLEGAL)
    assert list(suggest_repairs(_evidence(_draft(data)))) == []
    assert find_repairs_in_file(data, "a.mat") == []


def test_no_other_play_is_suggested_for_a_roll_that_opens_no_game() -> None:
    rows_after = (row("61: 13/7 8/7", "52: 13/8 6/4"), row("41: 24/23 13/9", "43: 24/20 24/21"))
    draft = _draft(record(row("33: 8/5 6/3", "65: 24/13"), *rows_after))
    assert draft.to_repair[0].code == "D302"
    assert not list(suggest_other_play(_evidence(draft)))


@pytest.mark.slow
def test_a_row_that_stands_twice_may_be_called_illegal() -> None:
    data = with_rows(2, ILLEGAL, ILLEGAL, instead_of=1)
    causes = find_repairs_in_file(data, "a.mat")
    assert [cause.finding.code for cause in causes] == ["P499", "P401"]
    assert [proposal.message for proposal in causes[0].proposals] == [
        "delete row 4: it repeats row 3"
    ]
    assert not causes[0].is_surely_slip


def test_what_is_tried_in_vain_does_not_stand_in_the_way_of_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempts = _attempts(with_rows(7, row("66: 24/23 6/3", "41: 8/7 8/4")))
    [repair] = attempts.find_repairs(suggest_repairs)
    assert repair.proved

    def unfit(evidence: ErrorContext) -> Iterator[Suggestion]:
        edit = Edit(1, "no such line", "nor this")
        yield repair.suggestion._replace(edits=(edit,), likelihood=9.0)

    monkeypatch.setattr(look_ahead, "MOST_TRIED", 1)
    assert attempts.find_repairs(suggest_repairs, unfit) == [repair]


def _attempts(data: bytes) -> SuggestionTrials:
    draft = _draft(data)
    return SuggestionTrials(draft, draft.to_repair[0], rate_plays_by_appearance, {}, try_repair)


def _draft(data: bytes) -> FileToRepair:
    return read_file_to_repair(data, "a.mat", BASIC)


def _evidence(draft: FileToRepair) -> ErrorContext:
    return ErrorContext(draft.replays[0], draft.to_repair[0], draft.lines, draft.errors)


def test_where_nothing_else_is_at_fault_all_that_follows_has_to_be_carried_out() -> None:
    slip = row("51: bar/24 18/12", "65: 20/14 13/8")
    alone = _draft(with_rows(3, slip))
    of_two = _draft(with_rows(3, slip, *ROWS[4:7], row("53: bar/20 14/10", "51: bar/24 21/16")))
    for draft, needed in ((alone, 9), (of_two, 6)):
        attempts = SuggestionTrials(
            draft, draft.to_repair[0], rate_plays_by_appearance, {}, try_repair
        )
        assert attempts.make_context(6).plays_needed_after_error == needed


def test_near_the_end_of_a_game_suggestions_are_asked_for_once() -> None:
    asked: list[int] = []

    def none(evidence: ErrorContext) -> Iterator[Suggestion]:
        asked.append(evidence.plays_needed)
        return iter(())

    for at, expected in ((1, [6, 2, 0]), (7, [6])):
        asked.clear()
        slip = row(ROWS[at][:28].replace("8/4", "8/3").replace("14/11*", "14/10"), ROWS[at][28:])
        draft = _draft(with_rows(at, slip))
        broken = read_file_to_repair(
            draft.data.replace(b"51: bar/24 21/16", b"51: bar/24 21/15"), "a.mat", BASIC
        )
        SuggestionTrials(
            broken, broken.to_repair[0], rate_plays_by_appearance, {}, try_repair
        ).find_repairs(none)
        assert asked == expected


@pytest.mark.slow
def test_attempts_do_not_take_the_place_of_what_is_looked_at_further() -> None:
    draft = _draft(with_rows(3, row("51: bar/24 18/12", "65: 20/14 13/8")))
    finding = draft.to_repair[0]
    known = RepairFinder(rate_plays_by_appearance)
    remedy = known.find_repairs(draft, finding)[0].suggestion.remedy
    repaired = known.repair_once(draft, finding.line, remedy)
    line = draft.lines[finding.line - 1]
    for length in range(30):
        known.try_once(draft, finding.line, Remedy((Edit(finding.line, line, line[:length]),)))
    assert repaired is not None
    assert known.repair_once(draft, finding.line, remedy) is repaired


def test_no_repair_is_followed_where_all_are_unlikely(monkeypatch: pytest.MonkeyPatch) -> None:
    slips = (row("63: 24/15", "53: 8/3 6/4"), row("31: 8/5 6/4", "42: 8/4 6/3"))
    draft = _draft(record(*slips, *(row("41: 24/23 13/9", "41: 24/23 13/9"),) * 2))
    followed: list[int] = []

    def count_call(
        self: RepairFinder, heads: list[PartlyRepairedFile], game: MatchAndGame
    ) -> dict[int, float]:
        followed.append(len(heads))
        return {branch.first_repair: branch.likelihood for branch in heads}

    monkeypatch.setattr(RepairFinder, "_rate_with_later_repairs", count_call)
    assert RepairFinder(rate_plays_by_appearance).find_repairs(draft, draft.to_repair[0])
    assert followed
    followed.clear()
    monkeypatch.setattr(look_ahead, "OTHER_EXPLANATION", 9.0)
    assert RepairFinder(rate_plays_by_appearance).find_repairs(draft, draft.to_repair[0])
    assert not followed


def test_in_a_game_of_hardly_any_plays_no_repair_is_followed_and_no_turn_taken_for_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(RepairFinder, "_rate_with_later_repairs", None)
    monkeypatch.setattr(rows, "find_turns_before", None)
    draft = _draft(record(row("31: 8/5 6/5", "62: 24/18 13/12"), row("41: bar/24 9/5", "31: 8/4")))
    assert draft.to_repair[1].name == "empty-point"
    assert RepairFinder(rate_plays_by_appearance).find_repairs(draft, draft.to_repair[0])
    evidence = ErrorContext(draft.replays[0], draft.to_repair[1], draft.lines, draft.errors)
    assert list(rows.suggest_lost_turn_and_move_others(evidence)) == []
