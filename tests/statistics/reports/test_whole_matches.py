"""Files that hold the games of one match are one match of a profile, counted on paper."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from bganalyze.record.players import Players
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.profiles.player_pr import estimate_error_rate
from bganalyze.statistics.reports import list_summed_tables
from bganalyze.statistics.reports.answer import answer_from_analyses, answer_from_sums
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.sums import sum_in_memory
from bganalyze.statistics.reports.whole_matches import (
    join_files_of_matches,
    join_files_of_sums,
    leave_out_copies,
)
from bganalyze.statistics.tables.frames import (
    AnalyzedTables,
    list_paths,
    tabulate,
    tabulate_analyzed,
)
from bganalyze.validation.replaying import replay
from tests.comparison import SAMPLES
from tests.statistics.match_report.analyzed import analyze_text

ANN = Question(by=(), player="Ann")
CONTINUING = (
    "matches from files that continue another file's match, counted apart: by names, scores and players"
    " these are"
)


def game(
    left: int,
    right: int,
    *,
    names: tuple[str, str] = ("Ann", "Bob"),
    length: int = 3,
    opened: str = "31: 8/5 6/5",
) -> str:
    """Return a file with one game at this score; Ann begins, and wins a point by a double."""
    head = f" {length} point match\n\n Game 1\n {names[0]} : {left}          {names[1]} : {right}\n"
    if names[0] == "Ann":
        return f"""{head}  1) {opened}               64: 24/18 13/9
  2)  Doubles => 2              Drops
      Wins 1 point
"""
    return f"""{head}  1)                             {opened}
  2) 64: 24/18 13/9               Doubles => 2
  3)  Drops
                                  Wins 1 point
"""


def join(**files: str) -> AnalyzedTables:
    """Return the joined tables of files; a name `a_002` is the file a_002.mat."""
    analyzed = (
        analyze_text(text)[1]._replace(path=f"{name}.mat", record=name)
        for name, text in files.items()
    )
    return join_files_of_matches(tabulate_analyzed(analyzed, Players()))


def test_a_file_that_breaks_off_in_a_game_is_continued_at_the_score_of_that_game() -> None:
    """The second game of the first file stops after a roll of each side; the other file begins at its score."""
    open_game = " Game 2\n Ann : 1          Bob : 0\n  1) 31: 8/5 6/5                 64: 24/14\n"
    tables = join(a=game(0, 0) + "\n" + open_game, b=game(1, 0))
    assert tables.matches["path"].tolist() == ["a.mat"]
    assert tables.games["game"].tolist() == [1, 2, 3]
    assert tables.games["left_score"].tolist() == [0, 1, 1]


def test_files_with_the_number_of_a_game_are_one_match() -> None:
    tables = join(a_002=game(1, 0), a=game(0, 0), a_003=game(2, 0), b=game(0, 0))
    assert tables.matches["path"].tolist() == ["a.mat", "b.mat"]
    assert tables.games["left_score"].tolist() == [0, 1, 2, 0]
    assert tables.games["game"].tolist() == [1, 2, 3, 1]
    assert tables.games["path"].tolist() == ["a.mat", "a_002.mat", "a_003.mat", "b.mat"]
    rows = tables.decisions
    assert not rows.duplicated(["match", "decision"]).any()
    of_second = rows[rows["game"] == 2]
    assert set(list_paths(of_second, tables)) == {"a_002.mat"}
    rate = estimate_error_rate(tables, ANN)
    assert rate is not None
    assert rate.matches == 2


def test_games_of_other_matches_are_not_joined() -> None:
    """Another player, another length, a lower score, or one that does not follow begins a match."""
    other = ("Ann", "Carl")
    tables = join(
        a=game(1, 0),
        a_002=game(0, 0),
        b=game(0, 0),
        b_002=game(1, 0, names=other),
        c=game(0, 0),
        c_002=game(1, 0, length=5),
        d=game(0, 0),
        d_002=game(0, 2),
    )
    assert len(tables.matches) == 8
    assert (tables.games["game"] == 1).all()


def test_columns_may_be_exchanged() -> None:
    """Ann leads by a point; in the second file she is on the right."""
    tables = join(a=game(0, 0), a_002=game(0, 1, names=("Bob", "Ann")))
    assert tables.matches["path"].tolist() == ["a.mat"]
    assert tables.games["left"].tolist() == ["Ann", "Bob"]


def test_a_single_file_that_begins_where_another_ends_goes_on_with_it() -> None:
    tables = join(first=game(0, 0), second=game(1, 0), third=game(2, 0))
    assert tables.matches["path"].tolist() == ["first.mat"]
    assert tables.games["game"].tolist() == [1, 2, 3]
    twice = join(first=game(0, 0), copy=game(0, 0), second=game(1, 0))
    assert len(twice.matches) == 3  # Which of the two it goes on with is not known.


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Bob", "Ann")])
def test_results_count_the_match_once(names: tuple[str, str]) -> None:
    """Ann wins a match in three files, and the first game of another match.

    Without joining, each file is a match, and a note says so.
    """
    texts = {
        "a": game(0, 0),
        "a_002": game(1, 0),
        "a_003": game(2, 0) if names[0] == "Ann" else game(0, 2, names=names),
        "b": game(0, 0, opened="42: 8/4 6/4"),
    }
    replays = [
        replay(match)
        for name, text in texts.items()
        for match in read_bytes(text.encode(), f"{name}.mat")
    ]
    reports = ("points", "head-to-head")
    apart = sum_in_memory(tabulate(replays), list_summed_tables(reports))
    said = answer_from_sums(apart, reports, ANN)
    assert said.counted[0] == "4 matches"
    assert f"2 {CONTINUING} 2 whole matches, as bganalyze profile counts them" in said.left_out
    answer = answer_from_sums(join_files_of_sums(apart), reports, ANN)
    assert answer.counted[:2] == ("2 matches", "4 games")
    assert CONTINUING not in " ".join(answer.left_out)
    games, matches = (section.frame.set_index("figure") for section in answer.reports["points"][:2])
    assert games.loc["points a game", ["value", "of", "matches"]].tolist() == [1.0, 4, 2]
    assert matches.loc["complete matches", "value"] == 1
    assert matches.loc["matches won", ["value", "expected"]].tolist() == [1.0, 0.5]


@pytest.mark.parametrize("lines", [17, 22, None])
@pytest.mark.parametrize("is_in_order", [True, False])
def test_a_match_in_two_files_that_both_have_a_game_is_complete(
    lines: int | None, is_in_order: bool
) -> None:
    """The first file ends within or after the second of four games, with which the other file begins.

    If the first file has the game more fully, its record of the game counts.
    """
    text = (SAMPLES / "clean/three-point.mat").read_text()
    head, *games = re.split(r"(?= Game \d)", text)
    begun = "".join(games[1].splitlines(keepends=True)[:lines])
    sheets = head + games[0] + begun, head + "".join(games[1:])
    replays = [
        replay(match)
        for name, sheet in zip("ab", sheets[:: 1 if is_in_order else -1], strict=True)
        for match in read_bytes(sheet.encode(), name)
    ]
    reports = ("points",)
    sums = sum_in_memory(tabulate(replays), list_summed_tables(reports))
    dario = Question(by=(), player="Dario Fenn")
    answer = answer_from_sums(join_files_of_sums(sums), reports, dario)
    assert answer.counted[:2] == ("1 match", "4 games")
    _, matches = (section.frame.set_index("figure") for section in answer.reports["points"][:2])
    assert matches.loc["complete matches", "value"] == 1
    assert matches.loc["matches won", ["value", "matches"]].tolist() == [1.0, 1]


@pytest.mark.slow
def test_statistics_of_analyses_say_that_files_are_no_whole_matches() -> None:
    """Four files are two matches; joined ones need no note. Hidden names leave the scores, which agree."""
    texts = {"a": game(0, 0), "a_002": game(1, 0), "a_003": game(2, 0), "b": game(0, 1)}
    analyzed = [
        analyze_text(text)[1]._replace(path=f"{name}.mat", record=name)
        for name, text in texts.items()
    ]
    apart = tabulate_analyzed(analyzed, Players())
    said = answer_from_analyses(apart, ("errors",), ANN)
    assert said.counted[0] == "4 matches"
    assert any(note.startswith(f"2 {CONTINUING} 2 whole") for note in said.left_out)
    joined = answer_from_analyses(join_files_of_matches(apart), ("errors",), ANN)
    assert joined.counted[0] == "2 matches"
    assert CONTINUING not in " ".join(joined.left_out)


def test_a_match_that_repeats_another_analyzed_one_is_left_out() -> None:
    """`b` repeats `a`, and both are analyzed; `c` repeats `d`, of which there is no analysis."""
    analyzed = [
        analyze_text(game(0, 0))[1]._replace(path=f"{name}.mat", record=name) for name in "abc"
    ]
    tables = join_files_of_matches(tabulate_analyzed(analyzed, Players()))
    recorded = pd.DataFrame(
        {
            "match": [1, 2, 3, 4],
            "path": ["a.mat", "b.mat", "c.mat", "d.mat"],
            "number": 1,
            "copy_of": pd.array([None, 1, 4, None], dtype="Int64"),
        }
    )
    found = leave_out_copies(tables, recorded)
    assert found.matches["path"].tolist() == ["a.mat", "c.mat"]
    kept = set(found.matches["match"])
    assert set(found.games["match"]) == kept == set(found.decisions["match"])
    alone = recorded.assign(copy_of=pd.array([None] * 4, dtype="Int64"))
    assert leave_out_copies(tables, alone) is tables


def test_a_match_whose_analyses_and_records_are_told_apart_otherwise_counts_once() -> None:
    """Of two equal records the analyses keep the first one; the files keep the second one, without errors."""
    analyzed = [analyze_text(game(0, 0))[1]._replace(path=f"{name}.mat") for name in "ab"]
    tables = join_files_of_matches(tabulate_analyzed(analyzed, Players()))
    assert tables.matches["copy_of"].tolist() == [pd.NA, 0]
    recorded = pd.DataFrame(
        {
            "match": [1, 2],
            "path": ["a.mat", "b.mat"],
            "number": 1,
            "copy_of": pd.array([2, None], dtype="Int64"),
        }
    )
    found = leave_out_copies(tables, recorded)
    assert (found.matches["path"].tolist(), found.matches["copy_of"].tolist()) == (
        ["b.mat"],
        [pd.NA],
    )
