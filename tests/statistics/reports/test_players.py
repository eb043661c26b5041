"""The report of players: numbers of matches, games and rolls."""

from __future__ import annotations

from typing import Any

import pytest

import bganalyze
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import Tables

GAME = """\
 Game {number}
 {left} : {score}                          {right} : 0
  1) 31: 8/5 6/5                    65: 24/13
  2) 42: 8/4 6/4                    61: 13/7 8/7
      Wins 1 point

"""


def tables() -> Tables:
    """Ann has a match of two games against Bob, and one of one game against Cid; none ends."""
    first = GAME.format(number=1, left="Ann", right="Bob", score=0)
    second = GAME.format(number=2, left="Ann", right="Bob", score=1)
    other = GAME.format(number=1, left="Cid", right="Ann", score=0)
    texts = (f" 5 point match\n\n{first}{second}", f" 7 point match\n\n{other}")
    matches = [match for text in texts for match in bganalyze.read(text.encode())]
    return bganalyze.tabulate(matches)


def count_rows(**question: Any) -> list[tuple[Any, ...]]:
    """Return the rows of the report, without the results."""
    answer = answer_from_tables(tables(), ["players"], Question(**question))
    (section,) = answer.reports["players"]
    counted = section.frame.loc[:, :"rolls"]
    return [tuple(row) for row in counted.itertuples(index=False)]


def test_matches_count_whether_complete_or_not() -> None:
    assert count_rows() == [("Ann", 2, 3, 6), ("Bob", 1, 2, 4), ("Cid", 1, 1, 2)]


def test_a_match_of_both_players_counts_once() -> None:
    assert count_rows(by=()) == [(2, 3, 12)]
    assert count_rows(by=("length",)) == [(5, 1, 2, 8), (7, 1, 1, 4)]


@pytest.mark.slow
def test_a_question_selects() -> None:
    assert count_rows(player="Ann", by=("opponent",)) == [("Bob", 1, 2, 4), ("Cid", 1, 1, 2)]
    assert count_rows(min_games=3) == [("Ann", 2, 3, 6)]
    assert count_rows(min_games=4) == []
    assert count_rows(min_games=4, by=()) == []


@pytest.mark.slow
def test_complete_matches_are_named_so() -> None:
    answer = answer_from_tables(tables(), ["points"], Question())
    matches = answer.reports["points"][1].frame
    assert "matches" not in set(matches["figure"])


@pytest.mark.slow
def test_results_are_in_the_row_of_the_player() -> None:
    """Ann wins both games of the first match, which is incomplete, and loses the other to Cid."""
    answer = answer_from_tables(tables(), ["players"], Question())
    (section,) = answer.reports["players"]
    rows = section.frame.set_index("player")
    results = ["games won", "games lost", "complete matches", "matches won"]
    assert rows.loc["Ann", results].tolist() == [2, 1, 0, 0]
    assert rows.loc["Cid", results].tolist() == [1, 0, 0, 0]
    text = GAME.format(number=1, left="Dan", right="Eve", score=0)
    whole = bganalyze.tabulate(list(bganalyze.read(f" 1 point match\n\n{text}".encode())))
    (section,) = answer_from_tables(whole, ["players"], Question()).reports["players"]
    assert section.frame.set_index("player")[results].to_numpy().tolist() == [
        [1, 0, 1, 1],
        [0, 1, 1, 0],
    ]
