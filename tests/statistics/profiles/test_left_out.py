"""What the figures of a profile leave out, counted on paper."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.record.players import Players
from bganalyze.statistics.profiles.left_out import LeftOutOfFigures, find_left_out
from bganalyze.statistics.profiles.match_rates import RecordedWinner, Winners, rate_matches
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.whole_matches import join_files_of_matches
from bganalyze.statistics.tables.frames import tabulate_analyzed
from tests.statistics.match_report.analyzed import MATCH, analyze_text

ANN = Question(by=(), player="Ann")


def left_out(text: str, winners: Winners = MappingProxyType({})) -> dict[str, LeftOutOfFigures]:
    """Return what the figures on Ann leave out of a match, by reason; her second roll is illegal."""
    _, analyzed = analyze_text(text)
    own = [row for row in analyzed.rows if row.kind is Kind.PLAY and row.side == 0]

    def change(row: AnalyzedDecision) -> AnalyzedDecision:
        if row == own[0]:
            return row._replace(best=None, reached=None)
        return row._replace(legal=False) if row == own[1] else row

    tables = tabulate_analyzed(
        [analyzed._replace(path="a.mat", rows=tuple(map(change, analyzed.rows)))], Players()
    )
    found = find_left_out(tables, ANN, rate_matches(tables, ANN, winners))
    return {one.words: one for one in found}


def test_each_reason_has_its_places() -> None:
    """In line 5 Ann's roll has no evaluation, in line 6 it is illegal; game 2 begins in line 12."""
    found = left_out(MATCH)
    assert {words: one.places for words, one in found.items()} == {
        "1 match not recorded to the end, in no share of matches won": ("a.mat",),
        "1 game without a result, in no share of games won": ("a.mat:12",),
        "1 illegal play in no error rate": ("a.mat:6",),
        "1 decision without an evaluation left out": ("a.mat:5",),
    }


def test_a_match_with_its_last_point_is_complete() -> None:
    """Ann has 1 point and wins 2 of the 3."""
    ended = (
        f"{MATCH}  3)  Doubles => 2                Takes\n  4) 61: 13/7 8/7\n      Wins 2 points\n"
    )
    reasons = " ".join(left_out(ended))
    assert "match" not in reasons
    assert "game" not in reasons


def test_a_match_whose_winner_is_disputed_is_not_without_its_end() -> None:
    """Nobody can win 40 points in a game at a cube of 2."""
    disputed = (
        f"{MATCH}  3)  Doubles => 2                Takes\n  4) 61: 13/7 8/7\n      Wins 40 points\n"
    )
    found = left_out(disputed, {0: RecordedWinner(None, is_disputed=True)})
    reasons = [reason for reason in found if "match" in reason]
    assert reasons == [
        "1 match whose winner is disputed, in no share of matches won",
        "1 game whose result is disputed, so the match is in no result without luck",
    ]


@pytest.mark.slow
def test_a_match_in_several_files_is_one_match() -> None:
    """Game 1 is in a.mat and the last game in a_002.mat; b.mat has no end."""
    head, game, rest = MATCH.partition(" Game 2")
    _, first = analyze_text(head)
    _, last = analyze_text(
        f" 3 point match\n\n{game}{rest}"
        "  3)  Doubles => 2                Takes\n  4) 61: 13/7 8/7\n      Wins 2 points\n"
    )
    parts = (
        analyzed._replace(path=path, record=path)
        for analyzed, path in ((first, "a.mat"), (last, "a_002.mat"), (first, "b.mat"))
    )
    tables = join_files_of_matches(tabulate_analyzed(parts, Players()))
    assert tables.matches["path"].tolist() == ["a.mat", "b.mat"]
    found = find_left_out(tables, ANN, rate_matches(tables, ANN, {}))
    reasons = {one.reason: one for one in found}
    unfinished = reasons["not recorded to the end, in no share of matches won"]
    assert (unfinished.number, unfinished.places) == (1, ("b.mat",))
