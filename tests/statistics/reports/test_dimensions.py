"""Dimensions: every report serves each of them or says that it does not, and what they are."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import pytest

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, list_summed_tables
from bganalyze.statistics.reports.answer import (
    ReportAnswer,
    answer_from_analyses,
    answer_from_sums,
    answer_from_tables,
)
from bganalyze.statistics.reports.figures import has_figures
from bganalyze.statistics.reports.question import DIMENSIONS, Question
from bganalyze.statistics.reports.sums import Sums, sum_in_memory
from bganalyze.statistics.tables.frames import AnalyzedTables, Tables, tabulate, tabulate_analyzed
from bganalyze.validation.replaying import replay
from tests.statistics.reports.analyzed import analyze_samples, analyze_text
from tests.statistics.reports.asked import sections_of

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples" / "clean"


NAMES = (
    *("galaxy.txt", "studio.txt", "redoubles.mat", "money-jacoby-beavers.mat"),
    *("short-match.mat", "xg-mat.mat", "unfinished.mat"),
)


def match_of(winners: str) -> str:
    """Return a match to 3 points in which `A`nn and `B`ob win games of one point."""
    games = [" 3 point match"]
    for game, winner in enumerate(winners, 1):
        won = [winners[: game - 1].count(player) for player in "AB"]
        indent = " " * (6 if winner == "A" else 40)
        games.append(f" Game {game}\n Ann : {won[0]:<26}Bob : {won[1]}")
        games.append(f"  1) 31: 8/5 6/5                 42: 8/4 6/4\n{indent}Wins 1 point")
    return "\n".join(games)


OTHER = match_of("AABA").replace("42: 8/4 6/4", "53: 8/3 6/3")
"""A match of four games with rolls of its own: with the same ones, it would be a copy of a longer one."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tabulate_files([str(SAMPLES / name) for name in NAMES])


@pytest.fixture(scope="module")
def sums(tables: Tables) -> Sums:
    return sum_in_memory(tables, list_summed_tables())


@pytest.fixture(scope="module")
def analyzed() -> AnalyzedTables:
    return tabulate_analyzed(analyze_samples())


def check_groups(answer: ReportAnswer, dimension: str) -> None:
    """Assert that a dimension groups all figures, or a note says it does not, and where intervals lie."""
    for section in chain.from_iterable(answer.reports.values()):
        frame = section.frame
        if has_figures(frame):
            assert dimension in frame or f"not grouped by {dimension}" in section.notes
            assert (frame["low"].isna() | (frame["low"] <= frame["value"] + 1e-9)).all()
            assert (frame["high"].isna() | (frame["high"] >= frame["value"] - 1e-9)).all()


@pytest.mark.slow
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_report_serves_every_dimension(sums: Sums, dimension: str) -> None:
    check_groups(answer_from_sums(sums, REPORTS, Question(by=(dimension,))), dimension)


@pytest.mark.slow
@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_every_report_of_analyzed_matches_serves_every_dimension(
    analyzed: AnalyzedTables, dimension: str
) -> None:
    check_groups(
        answer_from_analyses(analyzed, ANALYZED_REPORTS, Question(by=(dimension,))), dimension
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", [*REPORTS, *ANALYZED_REPORTS])
def test_every_report_serves_all_dimensions_at_once(
    tables: Tables, analyzed: AnalyzedTables, name: str
) -> None:
    order = tuple(DIMENSIONS)[::-1]
    assert sections_of(name, tables if name in REPORTS else analyzed, Question(by=order))


def of_text(*texts: str) -> Tables:
    matches = [match for text in texts for match in read_bytes(text.encode(), "a.mat")]
    return tabulate(map(replay, matches))


def games_by(
    tables: Tables | AnalyzedTables, name: str, title: str, dimension: str
) -> dict[str, int]:
    """Return the denominator of the first figure of a section, by a dimension."""
    sections = sections_of(name, tables, Question(by=(dimension,)))
    frame = next(section.frame for section in sections if section.title == title)
    first = frame[frame["figure"] == frame["figure"].iloc[0]]
    return dict(zip(first[dimension].astype(str), first["of"], strict=True))


def test_the_stage_of_a_match_tells_figures_apart() -> None:
    assert games_by(of_text(match_of("ABABA"), OTHER), "points", "Games", "stage") == {
        "before-crawford": 10,
        "crawford": 4,
        "post-crawford": 2,
        "double-match-point": 2,
    }


def test_a_score_is_another_in_the_crawford_game_than_after_it() -> None:
    games = games_by(of_text(match_of("ABABA"), OTHER), "points", "Games", "score")
    assert list(games.items()) == [
        ("1-away 1-away", 2),
        ("1-away 2-away Crawford", 1),
        ("1-away 2-away post-Crawford", 1),
        ("1-away 3-away Crawford", 1),
        ("2-away 1-away Crawford", 1),
        ("2-away 1-away post-Crawford", 1),
        ("2-away 2-away", 2),
        ("2-away 3-away", 2),
        ("3-away 1-away Crawford", 1),
        ("3-away 2-away", 2),
        ("3-away 3-away", 4),
    ]


def test_analyzed_games_have_the_stages_of_recorded_ones() -> None:
    for text in (match_of("ABABA"), match_of("AABA"), match_of("AB").replace("3 point", "0 point")):
        recorded = of_text(text).games["stage"].astype(str).tolist()
        assert (
            tabulate_analyzed([analyze_text(text)]).games["stage"].astype(str).tolist() == recorded
        )


# Filters.


def count_of(tables: Tables, question: Question) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the note of counted and skipped matches, and the games of each player."""
    answer = answer_from_tables(tables, ["points"], question)
    frame = answer.reports["points"][0].frame
    games = frame[frame["figure"] == "games"]
    counts = dict(zip(games["player"].astype(str), games["of"].astype(int), strict=True))
    return (*answer.counted, *answer.left_out), counts


@pytest.fixture(scope="module")
def club() -> Tables:
    """Ann against Bob at a club, and against Cid elsewhere."""
    header = '; [Site "Club"]\n'
    return of_text(header + match_of("ABABA"), OTHER.replace("Bob", "Cid"))


def test_only_figures_against_an_opponent(club: Tables) -> None:
    words, counts = count_of(club, Question(opponent="cid"))
    assert counts == {"Ann": 4}
    assert words[:3] == ("1 match", "4 games", "4 rolls")
    assert count_of(club, Question(player="Bob", opponent="Cid"))[1] == {}
    assert count_of(club, Question(player="Ann", opponent="Bob"))[1] == {"Ann": 5}
    assert count_of(club, Question(opponent="nobody"))[0][-1].startswith("no match has a player")


def test_only_matches_of_a_site(club: Tables) -> None:
    words, counts = count_of(club, Question(site="club"))
    assert counts == {"Ann": 5, "Bob": 5}
    assert "1 match of other sites left out" in words


def test_only_games_at_some_stages(club: Tables) -> None:
    words, counts = count_of(club, Question(stages=("crawford", "double-match-point")))
    assert counts == {"Ann": 3, "Bob": 2, "Cid": 1}
    assert "6 games at other stages left out" in words
    assert count_of(club, Question(stages=("post-crawford",)))[0][:2] == ("1 match", "1 game")


def test_filters_of_analyzed_matches() -> None:
    analyzed = tabulate_analyzed([analyze_text(match_of("ABABA"))])
    answer = answer_from_analyses(
        analyzed, ["errors"], Question(opponent="Bob", stages=("crawford",))
    )
    assert answer.counted[:2] == ("1 match", "1 game")
    assert set(answer.reports["errors"][0].frame["player"].astype(str)) == {"Ann"}


# The order of rows.


def test_who_has_played_more_stands_before_others_whatever_came_first() -> None:
    short, long = match_of("AABA").replace("Bob", "Zoe"), match_of("ABABA").replace("Ann", "Cid")
    short = short.replace("42: 8/4 6/4", "53: 8/3 6/3")
    other_rolls = long.replace("31: 8/5 6/5", "61: 13/7 8/7")  # else it would be a copy
    tables = of_text(short, long, other_rolls.replace("Bob", "Ann"))
    frame = sections_of("points", tables, Question())[0].frame
    assert list(dict.fromkeys(frame["player"])) == ["Cid", "Ann", "Bob", "Zoe"]
    pairs = sections_of("head-to-head", tables, Question())[0].frame
    assert list(dict.fromkeys(zip(pairs["player"], pairs["opponent"], strict=True))) == [
        ("Cid", "Ann"),
        ("Cid", "Bob"),
        ("Ann", "Zoe"),
    ]


def test_the_rules_and_sites_with_most_stand_first() -> None:
    site = '; [Site "Zoo"]\n'
    faulty = site + match_of("ABABA").replace("42: 8/4 6/4", "42: 8/3 6/4")
    other = faulty.replace("31: 8/5 6/5", "61: 13/7 8/7")
    first = '; [Site "Bar"]\n' + match_of("AABA").replace("8/4", "a/b", 1)
    tables = of_text(first, faulty, other)
    by_site, _, by_rule = sections_of("findings", tables, Question(by=()))
    assert list(dict.fromkeys(by_site.frame["site"])) == ["Zoo", "Bar"]
    assert by_rule.frame["code"].tolist() == ["P404", "T101"]
    assert by_rule.frame["count"].tolist() == [10, 1]


def test_the_play_that_was_chosen_most_often_stands_first() -> None:
    played = match_of("ABABA").replace("31: 8/5 6/5", "31: 24/23 13/10")
    frame = sections_of("openings", of_text(match_of("ABA"), played), Question(by=()))[0].frame
    assert list(dict.fromkeys(frame["play"])) == ["24/23 13/10", "8/5 6/5"]
