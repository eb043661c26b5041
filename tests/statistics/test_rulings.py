"""A match with every kind of ruling, counted on paper: tables, ledger, list of matches, claims.

The match is the sample `P404-corrected-by-director.bgm`: Cleo Hart gets a point before it and one
after it, Ada Quill's illegal play is corrected by the director, and game 2 is played twice.
"""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import bganalyze
from bganalyze.record.reader import read
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.statistics.reports.points import balance_books
from bganalyze.statistics.tables.frames import Tables, tabulate
from bganalyze.validation.replaying import replay

RULED = Path(__file__).parents[2] / "samples" / "faulty" / "P404-corrected-by-director.bgm"
UNCONFIRMED = RULED.with_name("R616-ruling-mismatch.bgm")


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tabulate(replay(match) for match in read(RULED))


def cells(frame: pd.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    """Return the rows of some columns; empty cells are None."""
    chosen = frame[list(columns)].astype(object)
    return [tuple(row) for row in chosen.where(chosen.notna(), None).to_numpy()]


@pytest.mark.slow
def test_the_games_on_paper(tables: Tables) -> None:
    assert cells(tables.games, "left_score", "right_score", "kind", "winner", "counting") == [
        (0, 1, "pass", "left", 1),
        (1, 1, "replayed", None, None),
        (1, 1, "pass", "right", 1),
    ]
    assert cells(tables.games, "left_given", "right_given", "illegal", "errors") == [
        (0, 0, 0, 0),
        (0, 0, 0, 0),
        (0, 1, 0, 0),
    ]


def test_rolls_of_a_replayed_game_and_of_a_corrected_play_count(tables: Tables) -> None:
    """The nine rolls of the file; the play that the director corrected is not checked."""
    counted = tables.turns[tables.turns["counts"]]
    assert cells(counted, "game", "high", "low", "legality") == [
        (1, 3, 1, "unchecked"),
        (1, 4, 2, "legal"),
        (1, 6, 2, "legal"),
        (1, 5, 3, "legal"),
        (2, 6, 1, "legal"),
        (2, 5, 2, "legal"),
        (3, 4, 3, "legal"),
        (3, 3, 1, "legal"),
        (3, 6, 6, "legal"),
    ]
    assert list(tables.games["rolls"]) == [4, 2, 3]


def test_the_books_balance(tables: Tables) -> None:
    """0-1 before, 1-1 won, 0-1 given: 1-3."""
    (row,) = balance_books(tables).to_dict("records")
    parts = ("before", "won", "given", "after")
    assert [(row[f"left_{part}"], row[f"right_{part}"]) for part in parts] == [
        (0, 1),
        (1, 1),
        (0, 1),
        (1, 3),
    ]
    assert row["balances"]
    (match,) = tables.matches.to_dict("records")
    assert (match["winner"], match["complete"]) == ("right", True)


def test_the_report_names_the_points_and_the_replayed_game() -> None:
    (report,) = make_match_reports(select_reported(read(RULED)))
    assert (report.books.given, report.heading.after) == ((0, 1), (1, 3))
    assert [(game.after, game.given) for game in report.games] == [
        ((1, 1), (0, 0)),
        ((1, 1), (0, 0)),
        ((1, 2), (0, 1)),
    ]
    page = bganalyze.report(RULED)._repr_html_()
    assert "given by a director" in page
    assert "played again, by a ruling" in page
    assert "checker put back Ada Quill 4/5 (the 1 was played as a 2)" in page


def test_the_list_of_matches_and_claims() -> None:
    (listed,) = bganalyze.matches(RULED)
    assert (listed.recorded.after, listed.winner, listed.is_complete) == ((1, 3), 1, True)
    table = b"player1,player2,score1,score2,length\nAda Quill,Cleo Hart,{},{},3\n"
    for score, status in (((1, 3), "confirmed"), ((1, 2), "contradicted")):
        claim = table.decode().format(*score).encode()
        (verdict,) = bganalyze.verify(claim, RULED).verdicts
        assert verdict.status == status


@pytest.mark.slow
def test_points_without_a_score_leave_the_match_disputed() -> None:
    (listed,) = bganalyze.matches(UNCONFIRMED)
    assert (listed.recorded.after, listed.by_board.after) == ((1, 0), (1, 1))
    tables = tabulate(replay(match) for match in read(UNCONFIRMED))
    assert not balance_books(tables)["balances"].any()
