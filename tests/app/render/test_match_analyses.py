"""Analyses in a report of a match: text that people read, and a page to step through."""

from __future__ import annotations

import json
import re

import pytest

from bganalyze.analysis.error_rates import METRICS
from bganalyze.app.render import render_reports
from bganalyze.app.render.analyses import list_mistakes, render_rates
from bganalyze.app.render.document import FIRST
from bganalyze.app.render.match_report import NO_ENGINE, WITH_ENGINE, match_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.statistics.match_report import MatchReport, make_match_reports, select_reported
from tests.app.render.pages import Page
from tests.json_schemas import list_schema_errors
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text

pytestmark = pytest.mark.slow

SECTION = """
Analyses

Analyzed by dictated 1 at high.

Error rates
                          Ann             Bob
gnubg (mEMG)   75.00 (over 4)  87.50 (over 4)
snowie (mEMG)  50.00 (over 6)  58.33 (over 6)
PR (xg-a)       75.0 (over 2)   87.5 (over 2)
PR (xg-b)       75.0 (over 2)   87.5 (over 2)
mwc (% MWC)              2.98            3.48

Luck
                                   Ann                        Bob
Luck          +0.750 EMG (+8.11 % MWC)  +1.000 EMG (+11.24 % MWC)
Result                     +9.95 % MWC                -9.95 % MWC
Without luck              +13.08 % MWC               -13.08 % MWC

1 illegal play in no error rate.

4 errors, the costliest first

1. Bob, very bad pass (cube at 2): should take
  decided: pass
  better: take
  cost: 0.300 EMG, 2.98 % MWC
  error: wrong pass, very bad
  place: test.mat:7:35, game 1, row 3
  position: XGID=----aBD-C--adDa--c-e--A-A-:0:0:1:D:0:0:0:3:10

2. Ann, very bad play of 5-2
  played: 24/22 13/8
  better: 13/11* 13/8
  cost: 0.200 EMG, 1.99 % MWC
  error: very bad
  place: test.mat:6:6, game 1, row 2
  position: XGID=-a---BD-B--aeE---c-e----B-:0:0:1:52:0:0:0:3:10

3. Ann, bad double to 2: should not double
  decided: double
  better: no double
  cost: 0.100 EMG, 0.99 % MWC
  error: wrong double below DP, bad
  place: test.mat:7:7, game 1, row 3
  position: XGID=----aBD-C--adDa--c-e--A-A-:0:0:1:00:0:0:0:3:10

4. Bob, doubtful play of 6-4
  played: 24/14
  better: 24/18 13/9
  cost: 0.050 EMG, 0.50 % MWC
  error: doubtful
  place: test.mat:5:34, game 1, row 1
  position: XGID=-b---BD-B---eE---c-e----B-:0:0:-1:64:0:0:0:3:10

"""
MONEY = MATCH.replace(" 3 point match", " 0 point match")


def reports(text: str = MATCH, names: tuple[str, str] = ("Ann", "Bob")) -> list[MatchReport]:
    match, evaluations = analyze_text(text)
    games = tuple(
        game._replace(score=game.score and game.score._replace(names=names)) for game in match.games
    )
    return make_match_reports(
        select_reported([match._replace(games=games)]), analyzed=[evaluations]
    )


def write_reports(of_matches: list[MatchReport], name: str, **setting: object) -> str:
    return "".join(render_reports(of_matches, name, OutputOptions(**setting)))  # type: ignore[arg-type]


def test_text() -> None:
    text = write_reports(reports(), "text", board=False, full=True, width=90)
    start, end = text.index("\nAnalyses\n"), text.index("\nPoints\n")
    section = re.sub(r" +$", "", text[start:end], flags=re.MULTILINE)
    assert section == SECTION


def test_what_figures_rest_on_is_said() -> None:
    analyzed_text = write_reports(reports(), "text")
    assert WITH_ENGINE in analyzed_text
    assert "Kazaross-XG2" in analyzed_text
    assert NO_ENGINE not in analyzed_text


def test_money_games_cost_points() -> None:
    text = write_reports(reports(MONEY), "text")
    assert "cost: 0.200 EMG, 0.200 points" in text
    assert "mwc (points)" in text
    assert "% MWC" not in text


def test_a_position_that_cannot_be_drawn_is_told() -> None:
    text = MONEY.replace("Ann : 0 ", "Ann : 999999 ")
    Page(match_page(reports(text)))
    assert "1. Bob, very bad pass (cube at 2): should take" in write_reports(reports(text), "text")


def test_json() -> None:
    document = json.loads(write_reports(reports(), "json"))
    (match,) = document["matches"]
    assert (
        list_schema_errors("report", document, json.loads(write_reports(reports(MONEY), "json")))
        == []
    )
    first = match["analyses"]["errors"][0]
    assert (first["problem"]["best"], first["seat"], first["kind"]) == ("take", 1, "pass")
    assert first["shown"].startswith("XGID=")
    assert match["analyses"]["rates"][2]["values"] == pytest.approx([75, 87.5])


def test_markdown() -> None:
    text = write_reports(reports(), "markdown")
    assert "### 2. Ann, very bad play of 5-2\n\n```text\n" in text
    assert "- Better: 13/11\\* 13/8\n" in text


def many() -> list[MatchReport]:
    """Return a report with more errors than are shown at once."""
    (report,) = reports()
    assert report.analyses is not None
    errors = report.analyses.errors * 4
    return [report._replace(analyses=report.analyses._replace(errors=errors))]


def test_text_shows_the_first_and_says_how_many_more() -> None:
    for name in ("text", "markdown"):
        output = write_reports(many(), name)
        assert f"{FIRST}. Ann" in output
        assert f"{FIRST + 1}. " not in output.partition("Race")[0]
        assert "6 more: see --html or --format json" in output


def test_the_page_holds_all() -> None:
    page = match_page(many())
    rows = page.partition("16 errors, the costliest first</caption>")[2].partition("</table>")[0]
    assert Page(page).count()["table"] > 0
    assert rows.count('<th scope="row"><a href="#') == 16
    assert re.findall("<td>(.*?)</td>", rows)[:6] == [
        *(
            "Bob",
            "pass",
            "take",
            "0.300 EMG, 2.98 % MWC",
            "wrong pass, very bad",
            "test.mat:7:35, game 1, row 3",
        )
    ]


@pytest.fixture(scope="module")
def usual_page() -> Page:
    return Page(match_page(reports()))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_a_page_or_a_format(name: str, usual_page: Page) -> None:
    of_name = reports(names=(name, "Bob"))
    assert Page(match_page(of_name)).count() == usual_page.count()
    markdown = write_reports(of_name, "markdown")
    outside = re.sub(r"```text\n.*?```\n", "", markdown, flags=re.DOTALL)
    assert not re.search(r"(?<!\\)<", outside)
    assert not re.search(r"[\x00-\x09\x0b-\x1f]", write_reports(of_name, "text"))


def test_analyzing_money_costs_points_and_no_match() -> None:
    text = render_rates(analyze_text(MONEY)[1], METRICS, OutputOptions(width=120))
    assert "mwc (points)" in text
    assert "% MWC" not in text


def test_a_mistake_is_one_line_with_its_place() -> None:
    lines = list(list_mistakes(analyze_text(MATCH)[1], OutputOptions()))
    assert len(lines) == 4
    assert re.fullmatch(
        r"\S+:\d+:\d+: Ann, very bad play of 5-2: 24/22 13/8; better 13/11\* 13/8 \(0\.200 EMG\)",
        next(line for line in lines if "5-2" in line),
    )


def test_error_rates_are_not_cut_off_where_the_page_is_narrow() -> None:
    wide, narrow = (
        render_rates(analyze_text(MATCH)[1], METRICS, OutputOptions(width=width))
        for width in (120, 80)
    )
    assert "Ann         75.00 /4" in wide
    assert sorted(wide.split()) == sorted(narrow.split())
    assert max(map(len, narrow.splitlines()[1:])) <= 80
    assert all(
        any(line.startswith(name) for line in narrow.splitlines()) for name in ("Ann", "Bob")
    )
