"""Analyzed matches so small that their figures can be counted on paper."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pandas as pd
import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.match import AnalyzedMatch, Key
from bganalyze.app.api.answering import ReportRequest, compose_answer_from_analyses
from bganalyze.board.ids import xgid
from bganalyze.record.players import Players, UnknownNameError
from bganalyze.statistics.plots import draw_plots
from bganalyze.statistics.reports import load_report
from bganalyze.statistics.reports.answer import answer_from_analyses
from bganalyze.statistics.reports.errors import OF_SIZE
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.tables.frames import AnalyzedTables, tabulate_analyzed
from tests.analysis.rows import cube, make_resignation, play

pytestmark = pytest.mark.slow

XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10"


def match(*rows: AnalyzedDecision, number: int = 1, **fields: Any) -> AnalyzedMatch:
    """Return a match of one game to 5 points, that Ann wins from Bob by 2."""
    return AnalyzedMatch(
        **{
            "key": Key(str(number), "sage", "2.0", "1ply"),
            "path": f"{number}.mat",
            "number": 1,
            "names": ("Ann", "Bob"),
            "length": 5,
            "rows": tuple(row._replace(phase="contact") for row in rows),
            "results": (GameResult(1, 5, 0, 0, False, 0, 2, "Ann", "Bob"),),
            "record": str(number),
            **fields,
        }
    )


ENDED = (GameResult(1, 5, 3, 3, False, 0, 2, "Ann", "Bob"),)
"""A last game, in which Ann gets her fourth and fifth points."""

ROWS = (
    play(0.02),
    play(0.0, forced=True),
    play(0.3, legal=False),
    play(0.5, side=1),
    play(None, side=1, legal=None),
    cube(Kind.NO_DOUBLE, 0.5, 0.6),
    cube(Kind.DOUBLE, 0.7, 0.6),
    cube(Kind.TAKE, 0.7, 1.2),
)
"""Ann errs by 0.02 with a play, by 0.1 not doubling and by 0.1 doubling, and plays once against the
rules; Bob by 0.5 with a play, and takes what costs 0.2 more than a pass."""


@pytest.fixture(scope="module")
def tables() -> AnalyzedTables:
    return tabulate_analyzed([match(*ROWS)])


def figures(tables: AnalyzedTables, name: str, title: str, **question: Any) -> pd.DataFrame:
    parsed = Question(**question)
    selection, _ = restrict_tables(tables, parsed)
    sections = load_report(name).report(selection, parsed)
    return next(section.frame for section in sections if section.title == title)


def counts(frame: pd.DataFrame) -> dict[tuple[str, str], tuple[float, float]]:
    return {
        (row["player"], row["figure"]): (round(row["count"], 6), row["of"])
        for row in frame.to_dict("records")
    }


def test_error_rates(tables: AnalyzedTables) -> None:
    """Legal are two plays of Ann's and one of Bob's: three moves of both."""
    counted = counts(figures(tables, "errors", "Error rates"))
    assert counted["Ann", "gnubg (mEMG)"] == (0.22, 3)
    assert counted["Ann", "snowie (mEMG)"] == (0.22, 3)
    assert counted["Ann", "PR (xg-a)"] == (0.22, 3)
    assert counted["Bob", "gnubg (mEMG)"] == (0.7, 2)
    assert counted["Bob", "snowie (mEMG)"] == (0.7, 3)
    assert ("Ann", "mwc (points)") not in counted
    rate = figures(tables, "errors", "Error rates", player="Bob", metrics=("xg-a",))
    assert rate["value"].tolist() == pytest.approx([500 * 0.7 / 2])


def test_plays_and_cube(tables: AnalyzedTables) -> None:
    assert counts(figures(tables, "errors", "Plays"))["Ann", "gnubg (mEMG)"] == (0.02, 1)
    assert counts(figures(tables, "errors", "Cube"))["Ann", "gnubg (mEMG)"] == (0.2, 2)


def test_errors_by_size(tables: AnalyzedTables) -> None:
    """Ann's errors are 0.02, not marked, and 0.1, bad, twice."""
    counted = counts(figures(tables, "errors", "Errors by size"))
    marks = ("errors", "doubtful", "bad", "very bad")
    assert [counted["Ann", mark][0] for mark in marks] == [3, 0, 2, 0]
    assert [counted["Bob", mark][0] for mark in marks] == [2, 0, 0, 2]


def test_errors_and_the_costliest_decisions_begin_at_the_same_loss(tables: AnalyzedTables) -> None:
    losses = tables.decisions["loss"]
    assert losses.between(0.019, 0.021).sum() == 1
    for loss, number in ((LEAST, 5), (0.9 * LEAST, 4)):
        changed = losses.mask(losses.between(0.019, 0.021), loss)
        altered = tables._replace(decisions=tables.decisions.assign(loss=changed))
        counted = counts(figures(altered, "errors", "Errors by size"))
        assert counted["Ann", "errors"][0] + counted["Bob", "errors"][0] == number
        [section] = load_report("worst").report(altered, Question())
        assert section.notes[0] == f"the costliest {number} of {number} errors of 0.001 EMG or more"


def test_illegal_plays_stand_apart(tables: AnalyzedTables) -> None:
    counted = counts(figures(tables, "errors", "Illegal plays"))
    assert counted["Ann", "illegal plays"] == (1, 3)
    assert counted["Ann", "lost by an illegal play (mEMG)"] == (0.3, 1)
    assert counted["Bob", "illegal plays"] == (0, 1)


def test_what_is_left_out_is_told(tables: AnalyzedTables) -> None:
    [first, *_] = load_report("errors").report(tables, Question())
    assert first.notes == (
        "1 illegal play in no error rate",
        "1 decision without an evaluation left out",
    )


def test_what_is_left_out_is_of_the_player_that_is_asked_for(tables: AnalyzedTables) -> None:
    """The illegal play is Ann's; what the engine says nothing of is Bob's."""
    for player, reason in (("Ann", "illegal play"), ("Bob", "without an evaluation")):
        answer = answer_from_analyses(tables, ("errors", "luck"), Question(player=player))
        notes = answer.reports["errors"][0].notes
        assert len(notes) == 1, notes
        assert reason in notes[0]
        assert f"{5 if player == 'Ann' else 3} decisions" in answer.counted


def test_boards_in_doubt_are_left_out() -> None:
    unsure = tabulate_analyzed([match(play(0.1), play(0.4)._replace(verified=False))])
    counted = counts(figures(unsure, "errors", "Error rates"))
    assert counted["Ann", "gnubg (mEMG)"] == (0.1, 1)
    [first, *_] = load_report("errors").report(unsure, Question())
    assert first.notes == ("1 decision on unverified boards left out",)


def test_cube_errors(tables: AnalyzedTables) -> None:
    often = counts(figures(tables, "cube-errors", "How often"))
    assert often["Ann", "missed double below CP"] == (1, 1)
    assert often["Ann", "wrong double below DP"] == (1, 1)
    assert often["Bob", "wrong take"] == (1, 1)
    costs = counts(figures(tables, "cube-errors", "Costs"))
    assert costs["Ann", "missed double below CP (mEMG)"] == (0.1, 2)
    assert costs["Ann", "all six (mEMG)"] == (0.2, 2)
    assert costs["Bob", "all six (mEMG)"] == (0.2, 1)


def test_luck() -> None:
    rows = (play(0.0, luck=0.7), play(0.0, luck=-0.4), play(0.0, side=1, luck=0.2))
    counted = counts(figures(tabulate_analyzed([match(*rows)]), "luck", "Rolls"))
    assert counted["Ann", "luck a roll (mEMG)"] == (0.3, 2)
    marks = ("very lucky", "lucky", "unlucky", "very unlucky")
    assert [counted["Ann", mark] for mark in marks] == [(1, 2), (0, 2), (1, 2), (0, 2)]


def test_luck_of_money_games_in_points() -> None:
    """Ann wins 2 with a luck of 0.5, and Bob has one of 0.25: without it she would have won 1.75."""
    money = {"length": 0, "left": 0, "right": 0}
    rows = [play(0.0, luck=0.5), play(0.0, side=1, luck=0.25)]
    results = (GameResult(1, 0, 0, 0, False, 0, 2, "Ann", "Bob"),)
    money_match = match(*(row._replace(**money) for row in rows), length=0, results=results)
    counted = counts(figures(tabulate_analyzed([money_match]), "luck", "Results of money games"))
    assert counted["Ann", "luck-adjusted result (points a game)"] == (1.75, 1)
    assert counted["Bob", "luck-adjusted result (points a game)"] == (-1.75, 1)


def test_luck_of_a_match_with_a_disputed_game_has_no_result() -> None:
    """The undisputed game alone is not the result of the match; of money play it is one game."""
    agreed = GameResult(1, 5, 0, 0, False, 0, 2, "Ann", "Bob")
    disputed = GameResult(2, 5, 2, 0, False, 0, None, "Ann", "Bob")
    rows = (play(0.0, luck=0.5), play(0.0, side=1, luck=0.25)._replace(game=2))
    both = match(*rows, results=(agreed, disputed))
    money = match(
        *(row._replace(length=0, left=0, right=0) for row in rows),
        number=2,
        length=0,
        results=(agreed._replace(length=0), disputed._replace(length=0, left=0)),
    )
    tables = tabulate_analyzed([both, money, match(*rows[:1], number=3, results=ENDED)])
    sections = {
        section.title: section for section in load_report("luck").report(tables, Question())
    }
    [of_matches, of_money] = [
        sections[title] for title in ("Results of matches", "Results of money games")
    ]
    assert of_matches.notes == (
        "1 match left out: the result of a game is disputed or not recorded",
    )
    assert counts(of_matches.frame)["Ann", "result (% MWC a match)"][1] == 1
    assert of_money.notes == ("1 game left out: its result is disputed or not recorded",)
    assert counts(of_money.frame)["Ann", "result (points a game)"] == (2, 1)


def test_a_match_short_of_its_length_has_no_result_without_luck() -> None:
    """Ann won one match (50 % from 3-3, so a result of 50); another stands at 2-0 to 5."""
    won = match(play(0.0, luck=0.0), play(0.0, luck=0.0, side=1), results=ENDED)
    open_match = match(play(0.0, luck=0.5), number=2)
    two_games = match(
        *(play(0.0, luck=0.0), play(0.0, luck=0.0)._replace(game=2)),
        number=3,
        results=(open_match.results[0], GameResult(2, 5, 2, 0, False, 1, 5, "Ann", "Bob")),
    )
    tables = tabulate_analyzed([won, open_match, two_games])
    (_, results, _) = load_report("luck").report(tables, Question(player="Ann"))
    assert results.notes == ("1 match left out: not recorded to the end",)
    found = counts(results.frame)
    assert found["Ann", "own luck (% MWC a match)"] == (0.0, 2)
    assert found["Ann", "result (% MWC a match)"] == (pytest.approx(0.0, abs=1e-6), 2)


def test_the_worst_come_first_and_illegal_plays_not_at_all(tables: AnalyzedTables) -> None:
    [section] = load_report("worst").report(tables, Question(most=2))
    assert section.frame["loss"].tolist() == pytest.approx([0.5, 0.2])
    assert section.frame[["player", "played", "better"]].iloc[1].tolist() == ["Bob", "take", "pass"]
    assert section.notes[0] == "the costliest 2 of 5 errors of 0.001 EMG or more"
    [first, second] = section.boards
    assert (first.title, xgid(first.situation), first.names) == (
        "1. Bob against Ann",
        XGID,
        ("Ann", "Bob"),
    )
    assert dict(second.facts)["Lost"].startswith("0.200 EMG")


def test_the_worst_say_that_no_metric_sorts_them(tables: AnalyzedTables) -> None:
    [usual] = load_report("worst").report(tables, Question())
    [of_metric] = load_report("worst").report(tables, Question(metrics=("mwc",)))
    said = "sorted by equity lost (EMG): --metric does not change this list"
    assert said in of_metric.notes
    assert said not in usual.notes
    assert of_metric.frame.equals(usual.frame)


def test_players_who_change_columns_are_followed() -> None:
    results = (
        GameResult(1, 5, 0, 0, False, 0, 1, "Ann", "Bob"),
        GameResult(2, 5, 0, 1, False, 0, 1, "Bob", "Ann"),
    )
    exchanged = match(play(0.1), play(0.3)._replace(game=2), results=results)
    counted = counts(figures(tabulate_analyzed([exchanged]), "errors", "Error rates"))
    assert counted["Ann", "gnubg (mEMG)"] == (0.1, 1)
    assert counted["Bob", "gnubg (mEMG)"] == (0.3, 1)


def test_days_players_and_copies() -> None:
    long = [play(0.1)] * 8
    analyzed_tables = tabulate_analyzed(
        [
            match(*long, number=1, date=dt.date(2031, 5, 1)),
            match(*long, number=2, date=dt.date(2031, 7, 1)),
            match(*long, number=3),
            match(*long, number=4, record="1"),
        ],
        Players({"ann": "Annie"}),
    )
    answer = answer_from_analyses(
        analyzed_tables, ["errors"], Question(since=dt.date(2031, 6, 1), player="annie")
    )
    assert answer.left_out == (
        "1 match found twice and counted once",
        "4.mat repeats 1.mat",
        "1 match without a date left out",
        "1 match of other days left out",
    )
    assert answer.counted == (
        "1 match",
        "1 game",
        "8 decisions",
        "1 match analyzed by sage 2.0 at 1ply",
    )
    frame = answer.reports["errors"][0].frame
    assert set(frame["player"]) == {"Annie"}


def test_too_few_matches_have_no_interval_and_three_do() -> None:
    two_matches, three_matches = (
        tabulate_analyzed([match(play(0.1 * n), play(0.0), number=n) for n in range(1, count + 1)])
        for count in (2, 3)
    )
    for tables, has_interval in ((two_matches, False), (three_matches, True)):
        for name, title in (("errors", "Error rates"), ("ratings", "By errors")):
            low = figures(tables, name, title, player="Ann")["low"]
            assert low.notna().any() == has_interval


def test_a_play_of_an_impossible_opening_roll_counts_and_is_named() -> None:
    """Ann's first roll is 3-3 in one match and 3-1 in another; a later 3-3 is possible."""
    doubles, other = (play(0.1)._replace(dice=dice) for dice in ("33", "31"))
    matches = [match(doubles, other), match(other, doubles, number=2)]
    opened = [
        one._replace(rows=tuple(row._replace(phase="opening") for row in one.rows))
        for one in matches
    ]
    answer = answer_from_analyses(tabulate_analyzed(opened), ("errors",), Question(player="Ann"))
    (note,) = (note for note in answer.left_out if "D302" in note)
    assert note.startswith("1 play of an impossible opening roll (doubles), counted: ")
    assert "4 decisions" in answer.counted


def make_stored_tables(*depths: str | None) -> AnalyzedTables:
    rows = [play(0.1)._replace(depth=depth) for depth in depths]
    return tabulate_analyzed([match(*rows, key=Key("1", "recorded", "xg", "4ply"))])


def test_that_stored_analyses_are_of_several_depths_is_told() -> None:
    tables = make_stored_tables("4ply", "4ply", "2ply", None)
    (note,) = answer_from_analyses(tables, ("errors",), Question()).left_out
    assert note.startswith("figures combine analyses of several depths stored in files")
    assert ": 2 at 4ply, 1 at 2ply, 1 at unknown depth; --by depth" in note
    assert (
        answer_from_analyses(make_stored_tables("4ply", "4ply"), ("errors",), Question()).left_out
        == ()
    )


def test_depths_are_told_apart_where_that_is_asked() -> None:
    answer = answer_from_analyses(
        make_stored_tables("4ply", "4ply", "2ply"), ("errors",), Question(by=("depth",))
    )
    assert answer.left_out == ()
    rates = answer.reports["errors"][0].frame
    counted = rates[rates["figure"] == "gnubg (mEMG)"].set_index("depth")["of"]
    assert counted.to_dict() == {"4ply": 2, "2ply": 1}


def test_scores_are_ordered_by_their_numbers() -> None:
    results = (
        GameResult(1, 13, 0, 1, False, 0, 1, "Ann", "Bob"),
        GameResult(2, 13, 11, 1, False, 0, 2, "Ann", "Bob"),
    )
    rows = [play(0.02), play(0.02)._replace(game=2, left=11)]
    tables = tabulate_analyzed([match(*rows, length=13, results=results)])
    counted = figures(tables, "errors", "Error rates", by=("score",))
    assert list(dict.fromkeys(counted["score"])) == [
        *("2-away 12-away", "12-away 2-away", "12-away 13-away", "13-away 12-away"),
    ]


def test_a_player_is_named_as_recorded_and_unknown_names_meet_players() -> None:
    store = tabulate_analyzed([match(*ROWS)])
    composed = compose_answer_from_analyses(
        store, 0, ReportRequest(("errors",), Question(player="ANN"))
    )
    assert composed.answer.question.player == "Ann"
    with pytest.raises(UnknownNameError, match="there are 'Ann' and 'Bob'"):
        compose_answer_from_analyses(
            store, 0, ReportRequest(("errors",), Question(player="My Name"))
        )


def test_rates_by_phase_are_shown_once(tables: AnalyzedTables) -> None:
    answer = answer_from_analyses(tables, ["errors"], Question(by=("player", "phase")))
    assert "By phase" not in [section.title for section in answer.reports["errors"]]
    pictures = draw_plots("errors", answer.reports["errors"])
    assert "By phase" not in [picture.plot.section for picture in pictures]


def test_marks_name_both_ends() -> None:
    meanings = {figure.name: figure.meaning for figure in OF_SIZE}
    assert meanings["very bad"] == "Decisions that lost more than 0.12 EMG."
    assert meanings["bad"] == "Decisions that lost more than 0.06 and at most 0.12 EMG."


def test_errors_too_small_to_show_are_not_listed() -> None:
    tables = tabulate_analyzed([match(play(0.02), play(0.0004))])
    [section] = load_report("worst").report(tables, Question())
    assert len(section.frame) == 1
    assert section.notes[0] == "the costliest 1 of 1 error of 0.001 EMG or more"


def test_losses_by_kind(tables: AnalyzedTables) -> None:
    """Three decisions of Ann's count, and two of Bob's; the forced and the illegal play do not."""
    lost = counts(figures(tables, "losses", "Where points are lost"))
    assert lost["Ann", "contact errors"] == (0.02, 3)
    assert lost["Ann", "missed doubles below the cash point"] == (0.1, 3)
    assert lost["Ann", "wrong doubles"] == (0.1, 3)
    assert lost["Ann", "wrong takes"] == (0.0, 3)
    assert lost["Ann", "all kinds"] == (0.22, 3)
    assert lost["Bob", "contact errors"] == (0.5, 2)
    assert lost["Bob", "wrong takes"] == (0.2, 2)
    rates = counts(figures(tables, "losses", "By kind of decision"))
    assert rates["Ann", "contact plays"] == (0.02, 1)
    assert rates["Ann", "close no doubles below the cash point"] == (0.1, 1)
    assert rates["Bob", "takes"] == (0.2, 1)
    assert ("Bob", "doubles") not in rates
    game = counts(figures(tables, "losses", "A game"))
    assert game["Ann", "all kinds"] == (0.22, 1)


def test_the_costliest_kind_comes_first(tables: AnalyzedTables) -> None:
    frame = figures(tables, "losses", "Where points are lost", player="Bob")
    assert frame["figure"].tolist()[:2] == ["contact errors", "wrong takes"]
    assert frame["figure"].tolist()[-1] == "all kinds"
    assert frame["value"].tolist()[0] == pytest.approx(500 * 0.5 / 2)


def test_every_game_with_a_decision_counts_once() -> None:
    results = tuple(GameResult(game, 5, 0, 0, False, 0, 1, "Ann", "Bob") for game in (1, 2))
    rows = (play(0.1), play(0.3), play(0.2)._replace(game=2), play(0.4, side=1)._replace(game=2))
    tables = tabulate_analyzed([match(*rows, results=results)])
    game = counts(figures(tables, "losses", "A game"))
    assert game["Ann", "contact errors"] == (0.6, 2)
    assert game["Bob", "contact errors"] == (0.4, 1)


def habits(*decisions: AnalyzedDecision, matches: int = 1) -> dict[str, Any]:
    """Return Ann's cube habits, by figure, from matches with these decisions each."""
    tables = tabulate_analyzed([match(*decisions, number=n) for n in range(1, matches + 1)])
    question = Question(player="Ann")
    sections = list(load_report("cube-habits").report(tables, question))
    rows = [row for section in sections for row in section.frame.to_dict("records")]
    return {row["figure"]: row for row in rows} | {"notes": [s.notes for s in sections]}


MISSED = cube(Kind.NO_DOUBLE, 0.5, 0.6)
"""0.1 given away; so by EARLY. RIGHT and HELD are the right decisions that cost the same if wrong."""
RIGHT = cube(Kind.DOUBLE, 0.5, 0.6)
EARLY = cube(Kind.DOUBLE, 0.5, 0.4)
HELD = cube(Kind.NO_DOUBLE, 0.5, 0.4)
BALANCE = "missed minus early, comparable (percentage points)"


def test_missed_and_early_doubles_of_equal_cost_are_compared() -> None:
    """Three of four right doubles are missed, and one of two early ones is made: 75 - 50 points."""
    found = habits(MISSED, MISSED, MISSED, RIGHT, EARLY, HELD)
    assert (found["doubles due"]["value"], found["missed doubles, any loss"]["value"]) == (4, 0.75)
    assert (found["early doubles, any loss"]["count"], found["early doubles, any loss"]["of"]) == (
        1,
        2,
    )
    assert found[BALANCE]["value"] == pytest.approx(25)
    assert found[BALANCE]["of"] == 6
    assert found[BALANCE]["called"] == "not tested"
    assert found["lost by missed doubles (EMG per 100 games)"]["value"] == pytest.approx(100 * 0.3)
    assert found["lost by early doubles (EMG per 100 games)"]["value"] == pytest.approx(100 * 0.1)


def test_errors_of_different_cost_are_not_compared() -> None:
    """An early double of 0.01 says nothing about missed doubles of 0.1."""
    small = cube(Kind.DOUBLE, 0.5, 0.49)
    found = habits(MISSED, MISSED, RIGHT, small)
    assert BALANCE not in found
    assert found["early doubles, any loss"]["value"] == 0.5


def test_a_position_too_good_to_double_is_neither_late_nor_early() -> None:
    too_good = cube(Kind.DOUBLE, 1.1, 1.5)
    plain, with_more = habits(MISSED, RIGHT, HELD), habits(MISSED, RIGHT, HELD, too_good)
    assert all(with_more[BALANCE][name] == plain[BALANCE][name] for name in ("value", "of"))
    assert with_more["early doubles, any loss"]["count"] == 0
    assert plain["doubles when too good, any loss"]["count"] == 0
    of_more = with_more["doubles when too good, any loss"]
    assert (of_more["count"], of_more["of"]) == (1, 2)
    lost = with_more["lost by doubles when too good (EMG per 100 games)"]["value"]
    assert lost == pytest.approx(100 * 0.1)


def test_takes_and_passes_of_equal_cost_are_compared() -> None:
    """Ann takes one of two doubles that are passes, and passes one of three that are takes."""
    answers = (
        *(cube(Kind.TAKE, 0.7, 1.1), cube(Kind.PASS, 0.7, 1.1)),
        *(cube(Kind.PASS, 0.7, 0.9), cube(Kind.TAKE, 0.7, 0.9), cube(Kind.TAKE, 0.7, 0.9)),
    )
    found = habits(*(answer._replace(side=0) for answer in answers))
    assert (found["doubles faced"]["value"], found["wrong takes, any loss"]["of"]) == (5, 3)
    balance = found["wrong takes minus passes, comparable (percentage points)"]
    assert balance["value"] == pytest.approx(100 * (1 / 2 - 1 / 3))


def test_a_habit_is_named_if_it_is_certain() -> None:
    """Thirty matches, with every right double missed in 29 of them, and no early one."""
    late = [match(MISSED, HELD, number=n) for n in range(1, 30)]
    tables = tabulate_analyzed([*late, match(RIGHT, HELD, number=30)])
    [doubling, _] = load_report("cube-habits").report(tables, Question(player="Ann"))
    balance = doubling.frame.set_index("figure").loc[BALANCE]
    assert balance["called"] == "more often too late, sure"
    assert balance["value"] == pytest.approx(100 * 29 / 30)
    compared = "missed doubles against early doubles that cost as much, in 30 games"
    assert f"{compared}: more often too late, sure (corrected p below 0.001)" in doubling.notes


def test_games_needed_to_tell_are_named() -> None:
    """Three of four matches show a missed double: too few, and the note says how many are needed."""
    tables = tabulate_analyzed(
        [match(MISSED, HELD, number=n) for n in (1, 2)]
        + [match(RIGHT, HELD, number=3), match(MISSED, EARLY, number=4)]
    )
    [doubling, answers] = load_report("cube-habits").report(tables, Question(player="Ann"))
    assert doubling.frame.set_index("figure").loc[BALANCE, "called"] == "may be chance"
    assert any("in 4 games: may be chance (corrected p " in note for note in doubling.notes)
    assert answers.frame["value"].fillna(0).eq(0).all()


def test_a_match_without_known_luck_has_no_luck_adjusted_result() -> None:
    known = match(play(0.0, luck=0.1), play(0.0, luck=0.0, side=1), results=ENDED)
    unknown = match(play(0.0, luck=None), play(0.0, luck=None, side=1), number=2, results=ENDED)
    (_, results, _) = answer_from_analyses(
        tabulate_analyzed([known, unknown], Players()), ["luck"], Question(player="Ann")
    ).reports["luck"]
    assert results.frame["of"].max() == 1
    assert "1 game without known luck left out" in results.notes


def test_games_that_break_off_are_left_out() -> None:
    """A full game, one without a winner, and two given up: at the second roll and at the seventh."""
    results = tuple(
        GameResult(game, 5, 0, 0, False, winner, 1, "Ann", "Bob")
        for game, winner in ((1, 0), (2, None), (3, 0), (4, 0))
    )
    rows = [
        *(play(0.1)._replace(game=game) for game in (1, 2, 3)),
        *[play(0.2)._replace(game=4)] * 7,
        *(make_resignation(Kind.RESIGNATION, -1.0, -0.5)._replace(game=game) for game in (3, 4)),
    ]
    tables = tabulate_analyzed([match(*rows, results=results)])
    kept = counts(figures(tables, "errors", "Error rates", finished=True))
    assert kept["Ann", "gnubg (mEMG)"] == (1.5, 8)
    assert counts(figures(tables, "errors", "Error rates"))["Ann", "gnubg (mEMG)"] == (1.7, 10)
    _, excluded = restrict_tables(tables, Question(finished=True))
    assert excluded.words() == ("2 games unfinished or given up within 6 rolls left out",)


def test_a_row_for_each_player_has_results_pr_and_losses(tables: AnalyzedTables) -> None:
    """Ann loses 0.22 in four decisions that PR counts, and in three that GNU Backgammon counts."""
    [section] = load_report("summary").report(tables, Question())
    rows = section.frame.set_index("player")
    results = ["matches", "games", "games won", "games lost"]
    assert rows.loc["Ann", results].tolist() == [1, 1, 1, 0]
    assert rows.loc["Bob", results].tolist() == [1, 1, 0, 1]
    assert rows.loc["Ann", ["decisions", "PR"]].tolist() == pytest.approx([4, 500 * 0.11 / 2])
    assert rows.loc["Ann", "wrong doubles"] == pytest.approx(500 * 0.1 / 3)
    assert rows.loc["Bob", "wrong takes"] == pytest.approx(500 * 0.2 / 2)
    [of_all] = load_report("summary").report(tables, Question(by=()))
    assert of_all.frame[results].to_numpy().tolist() == [[1, 1, 1, 1]]
    [nothing] = load_report("summary").report(tabulate_analyzed([]), Question())
    assert nothing.frame.empty
