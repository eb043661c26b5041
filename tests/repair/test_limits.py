"""How much is looked at where a record gives thousands of places for a slip."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from bganalyze.findings import Edit
from bganalyze.law import BASIC
from bganalyze.repair import evidence, outlook, spelling
from bganalyze.repair.draft import Draft, draft_of
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.outlook import Attempts
from bganalyze.repair.prior import by_eye
from bganalyze.repair.search import causes_of
from bganalyze.repair.slips import rows, suggestions
from bganalyze.repair.slips.cubes import MOST_OFFERS, lost_offer
from bganalyze.repair.suggestion import Suggestion
from bganalyze.transcript.model import Match
from tests.repair.transcripts import record, row, with_rows


def test_a_lost_double_is_looked_for_in_few_of_many_empty_rows() -> None:
    empty = "".join(f"{number:3})\n" for number in range(2, 100))
    text = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        f"{empty}"
        "100) Doubles => 2                Drops\n"
        "     Wins 2 points\n"
    )
    assert len(list(lost_offer(_evidence(_draft(text.encode()))))) == MOST_OFFERS


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

    monkeypatch.setattr(rows, "pairs_before", pairs)
    assert list(rows.lost_row(_evidence(_draft(text.encode())))) == []
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

    def style_of(match: Match) -> spelling.Style:
        looked_at.append(match)
        return spelling.style_of(match)

    monkeypatch.setattr(evidence, "style_of", style_of)
    assert len(causes_of(record(*slips), "slips.mat")) > 1
    assert len(looked_at) == 1


def test_what_is_far_fetched_takes_no_room_from_other_proposals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draft = _draft(record(row("31: 8/5 6/5", "65: 24/13"), row("42: 8/3 6/3", "61: 13/7 8/7")))
    finding = draft.to_mend[0]
    usual = Attempts(draft, finding, by_eye, {}).helping(suggestions)

    def far_fetched(evidence: Evidence) -> Iterator[Suggestion]:
        for suggestion in suggestions(evidence):
            (edit, *_) = suggestion.edits
            unfit = edit._replace(old="no such line", new=f"{edit.new} ")
            yield suggestion._replace(edits=(unfit,), likelihood=9.0)

    monkeypatch.setattr(outlook, "MOST_TRIED", 5)
    few = Attempts(draft, finding, by_eye, {}).helping(suggestions)
    beside = Attempts(draft, finding, by_eye, {}).helping(suggestions, far_fetched)
    assert len(usual) > 5
    assert [repair.suggestion for repair in beside] == [repair.suggestion for repair in few]


def test_what_is_suggested_again_for_fewer_plays_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: list[tuple[Edit, ...]] = []
    mended = Draft.mended

    def counted(draft: Draft, edits: Iterable[Edit]) -> Draft:
        tried.append(tuple(edits))
        return mended(draft, tried[-1])

    monkeypatch.setattr(Draft, "mended", counted)
    attempts = _attempts(with_rows(1, row("66: 24/23 6/3", "41: 8/7 8/4")))
    assert attempts.helping(suggestions) == []
    assert len(tried) == len(set(tried)) > 0


ILLEGAL = row("52: bar/23 8/3*", "32: bar/22*/20 Illegal")


def test_of_a_play_that_the_record_calls_illegal_no_other_turn_is_doubted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(outlook, "lost_rows", None)
    data = with_rows(2, ILLEGAL)
    assert list(suggestions(_evidence(_draft(data)))) == []
    assert causes_of(data, "a.mat") == []


def test_a_row_that_stands_twice_may_be_called_illegal() -> None:
    data = with_rows(2, ILLEGAL, ILLEGAL, instead_of=1)
    (cause,) = causes_of(data, "a.mat")
    assert cause.finding.code == "P499"
    assert [proposal.message for proposal in cause.proposals] == ["row 4 repeats row 3"]


def test_what_is_tried_in_vain_does_not_stand_in_the_way_of_a_proof(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    attempts = _attempts(with_rows(7, row("66: 24/23 6/3", "41: 8/7 8/4")))
    [repair] = attempts.helping(suggestions)
    assert repair.proved

    def unfit(evidence: Evidence) -> Iterator[Suggestion]:
        edit = Edit(1, "no such line", "nor this")
        yield repair.suggestion._replace(edits=(edit,), likelihood=9.0)

    monkeypatch.setattr(outlook, "MOST_TRIED", 1)
    assert attempts.helping(suggestions, unfit) == [repair]


def _attempts(data: bytes) -> Attempts:
    draft = _draft(data)
    return Attempts(draft, draft.to_mend[0], by_eye, {})


def _draft(data: bytes) -> Draft:
    return draft_of(data, "a.mat", BASIC)


def _evidence(draft: Draft) -> Evidence:
    return Evidence(draft.replays[0], draft.to_mend[0], draft.lines, draft.errors)
