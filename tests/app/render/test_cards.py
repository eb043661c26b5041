"""Cards: Anki reads them, and each is complete without the others."""

from __future__ import annotations

import base64
import csv
import re

import pytest

from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.select import DecisionFilter, select_decisions
from bganalyze.app.render import render_decisions
from bganalyze.board.position import BAR, Position, points
from bganalyze.record.own_files import MARK
from tests.app.render.pages import Page
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text

ALL = DecisionFilter()
SOURCE = re.compile(r'src="data:image/svg\+xml;base64,([^"]*)"')


def cards(match: AnalyzedMatch, decision_filter: DecisionFilter = ALL) -> list[list[str]]:
    """Return the fields of each card, as a reader of tab-separated text finds them."""
    text = b"".join(render_decisions(select_decisions([match], decision_filter), "cards")).decode()
    lines = text.splitlines()
    columns = "#columns:Front\tBack\tTags\tPriority"
    assert lines[:5] == ["#separator:tab", "#html:true", "#tags column:3", columns, f"# {MARK}"]
    read = list(csv.reader(lines[5:], delimiter="\t", quoting=csv.QUOTE_NONE))
    assert read == list(csv.reader(lines[5:], delimiter="\t"))
    return read


def match() -> AnalyzedMatch:
    return analyze_text(MATCH)[1]


def test_a_card_asks_and_answers() -> None:
    (card,) = cards(match(), DecisionFilter(player="Bob", kinds=frozenset((Kind.PLAY,))))
    question, answer, tags, priority = card
    assert re.sub(r"<img [^>]*>", "[board]", question) == (
        "<p><b>6-4 to play?</b> You 0, opponent 0, to 3. Cube 1, in the middle.</p>[board]"
        "<p><small>XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:3:10</small></p>"
    )
    assert answer == (
        "<p><b>24/18 13/9</b></p>"
        "<p>Played: 24/14, which cost 0.050 EMG, 0.50 % MWC (doubtful)</p>"
        "<table><tr><th></th><th>equity</th><th></th><th>win</th><th>gammon</th><th>bg</th>"
        "<th>lose gammon</th><th>bg</th></tr>"
        "<tr><td>24/18 13/9</td><td>+0.300</td><td></td><td></td><td></td><td></td><td></td><td></td></tr>"
        "<tr><td><b>24/14</b></td><td>+0.250</td><td>-0.050</td>"
        "<td></td><td></td><td></td><td></td><td></td></tr></table>"
        "<p>Opening.</p>"
        "<p>Analyzed by dictated 1 at high</p>"
        "<p><small>Ann – Bob, game 1, row 1; played by Bob</small></p>"
    )
    assert tags == "bganalyze play doubtful decision::opening-play position::opening"
    assert priority == "0.050"


def test_a_cube_is_asked_of_the_side_that_answers() -> None:
    question, answer, tags, _ = cards(match(), DecisionFilter(costliest=1))[0]
    assert question.startswith(
        "<p><b>Doubled to 2: take or pass?</b> You 0, opponent 0, to 3. Cube 1, in the middle.</p>"
    )
    assert "Equity (the doubler&#x27;s): no double +0.800, take +0.700, pass +1.000" in answer
    assert tags == "bganalyze pass wrong-pass very-bad decision::pass position::opening"


def test_the_board_is_inside_and_names_nobody() -> None:
    for question, *_ in cards(match()):
        (encoded,) = SOURCE.findall(question)
        board = base64.b64decode(encoded).decode()
        assert board.startswith("<svg")
        assert ">you<" in board
        assert "Ann" not in board + question
        assert "Bob" not in board + question


def test_only_errors_make_cards() -> None:
    assert len(cards(match())) == 4
    illegal = tuple(row._replace(legal=False) for row in match().rows)
    assert len(cards(match()._replace(rows=illegal))) == 0


def test_a_score_too_large_for_other_programs_loses_no_card() -> None:
    text = MATCH.replace("3 point", "0 point").replace("Ann : 0 ", "Ann : 999999 ")
    assert len(cards(analyze_text(text)[1])) == len(cards(analyze_text(MATCH)[1]))


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_a_card(name: str) -> None:
    usual_match = match()
    results = tuple(result._replace(left_name=name) for result in usual_match.results)
    usual, nasty = (
        cards(usual_match),
        cards(usual_match._replace(names=(name, "Bob"), results=results)),
    )
    assert [len(card) for card in nasty] == [4] * len(usual)
    for usual_card, nasty_card in zip(usual, nasty, strict=True):
        assert usual_card[0] == nasty_card[0]
        assert Page(usual_card[1]).count() == Page(nasty_card[1]).count()


def test_positions_are_listed_once() -> None:
    lines = (
        b"".join(render_decisions(select_decisions([match(), match()]), "xgid"))
        .decode()
        .splitlines()
    )
    assert len(lines) == len(set(lines)) > 5
    assert all(line.startswith("XGID=") for line in lines)


def test_a_card_has_the_lesson_on_a_class_only_if_it_is_about_the_mistake() -> None:
    """Bob, who has a checker on the bar, enters on another point, or plays on with the same entry."""
    attacked = Position(
        points({BAR: 1, 24: 1, 13: 5, 8: 3, 6: 5}), points({24: 2, 13: 3, 8: 3, 6: 4, 5: 2, 4: 1})
    )
    (row,) = (row for row in match().rows if row.side == 1 and row.better == "24/18 13/9")
    situation = row.situation._replace(position=attacked)
    contact = row._replace(situation=situation, phase="contact", better="bar/21 13/7", plays="")

    def describe(played: str) -> str:
        rows = (contact._replace(played=played),)
        ((_, answer, *_),) = cards(match()._replace(rows=rows))
        return answer.partition("<p>Blitz (the opponent&#x27;s).")[2].partition("</p>")[0]

    assert describe("bar/19 13/9") == (
        " To study: defending against an attack: entering and making an anchor."
    )
    assert describe("bar/21 8/2") == ""


def test_a_card_of_a_wrong_double_says_whether_it_is_early_or_too_good() -> None:
    def subject(no_double: float, take: float) -> str:
        analyzed = match()
        rows = [
            row._replace(no_double=no_double, take=take) if row.kind is Kind.DOUBLE else row
            for row in analyzed.rows
        ]
        doubles = DecisionFilter(kinds=frozenset((Kind.DOUBLE,)))
        ((_, answer, *_),) = cards(analyzed._replace(rows=tuple(rows)), doubles)
        return answer.partition("To study: ")[2].partition(", opening")[0]

    assert subject(0.8, 0.7) == "when a double is too early"
    assert subject(1.3, 1.5) == "when a position is too good to double"
