"""The matches of a profile one by one, in words."""

from __future__ import annotations

import datetime as dt

import pytest

from bganalyze.app.render.profile.costliest import draw_decision, name_files_on_paper
from bganalyze.app.render.profile.match_rates import describe_order, tabulate_matches
from bganalyze.board.ids import parse_unlimited_xgid
from bganalyze.statistics.profiles.match_rates import MatchRate
from bganalyze.statistics.reports.figures import Board
from tests.app.render.profile.test_situations import make_profile


def make_match(date: dt.date | None) -> MatchRate:
    """Return a match on this day."""
    return MatchRate("a.mat", 1, date, "Bob", 3, 4, "won", (3, 1), (40, 40), (5.0, 6.0), 0.4, 0.03)


def test_matches_without_a_date_are_counted_as_the_first() -> None:
    dated, undated = make_match(dt.date(2024, 5, 2)), make_match(None)
    assert describe_order([dated, make_match(dt.date(2024, 6, 1))]) == (
        "by date (2024-05-02 to 2024-06-01)"
    )
    begin, by_file = "by date (2024-05-02 to 2024-05-02", "without a date {} first, by file name)"
    assert describe_order([undated, dated]) == f"{begin}; 1 {by_file.format('comes')}"
    assert describe_order([undated, undated, dated]) == f"{begin}; 2 {by_file.format('come')}"
    assert describe_order([undated]) == "by file name, as none has a date"


def test_paper_has_the_short_name_of_a_file_that_the_list_of_matches_has() -> None:
    """If the short names of two files are alike, the place is as on the page."""
    xgid = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
    place = "game 2, row 8 (club/2024-ann-bob.mat:21:7)"
    board = Board("Ann", parse_unlimited_xgid(xgid), ("Ann", "Bob"), (("Place", place),))

    def shorten(*paths: str) -> str:
        matches = tuple(make_match(None)._replace(path=path) for path in paths)
        return draw_decision(
            board, name_files_on_paper(make_profile()._replace(matches=matches))
        ).place_on_paper

    assert shorten("club/2024-ann-bob.mat", "club/2024-ann-cleo.mat") == (
        "game 2, row 8 (…bob.mat:21:7)"
    )
    assert shorten("club/2024-ann-bob.mat", "old/2024-ann-bob.mat") == ""


def test_a_cost_has_a_unit_and_that_of_resignations_comes_after_a_plus() -> None:
    """A match in which one resignation lost 57 % is no match without a cost."""
    plain = make_match(None)
    resigned = plain._replace(cost=0.0, resigned_lost=1.142, resigned_cost=0.571)
    money = resigned._replace(length=0, resigned_cost=1.142)
    grid, note, *_ = tabulate_matches(make_profile()._replace(matches=(plain, resigned, money)))
    assert [cells[-1].text for cells in grid.rows] == ["3.0 %", "0.0 + 57.1 %", "0.000 + 1.142 pt"]
    assert "after +: the cost of resignations" in note.text
    _, alone, *_ = tabulate_matches(make_profile()._replace(matches=(plain,)))
    assert "after +" not in alone.text


@pytest.mark.parametrize(
    ("days", "first"), [((2, 3), ("date",)), ((None, 3), ("date", "file")), ((None,), ("file",))]
)
def test_matches_have_a_date_and_without_one_a_file(
    days: tuple[int | None, ...], first: tuple[str, ...]
) -> None:
    matches = tuple(make_match(None if day is None else dt.date(2024, 5, day)) for day in days)
    grid, *_ = tabulate_matches(make_profile()._replace(matches=matches))
    assert grid.headings[: len(first) + 1] == (*first, "opponent")
    assert {len(row) for row in grid.rows} == {len(grid.headings)}
    assert [cell.text for cell in grid.rows[0][-2:]] == ["0.40", "3.0 %"]
