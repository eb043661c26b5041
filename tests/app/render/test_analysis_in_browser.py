"""The analysis beside the match viewer in Chromium: candidates, filter, course, and the screen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from bganalyze.analysis.analyzed import AnalyzedDecision, loss
from bganalyze.analysis.candidates import rank_plays
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.match import AnalyzedMatch, analyze_matches
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.playback import Playback, make_playback
from bganalyze.app.render.playback_analysis import RatedChoice
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.validation.replaying import replay
from tests.analysis.engines.test_gnubg_report import MATCH
from tests.app.render.browsers import axe_script, expect, open_page, resize, violations
from tests.statistics.match_report.analyzed import MATCH as ILLEGAL
from tests.statistics.match_report.analyzed import analyze_text

pytestmark = pytest.mark.slow

DESKTOP = {"viewport": {"width": 1366, "height": 768}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])

READ_ALL = """() => {
  const root = document.querySelector('.match-player');
  const next = root.querySelector('[aria-label="Next position"]');
  const read = () => [...root.querySelectorAll('.decision')].map((card) => ({
    title: card.querySelector('.title').textContent,
    rows: [...card.querySelectorAll('tbody tr')].map((row) => ({
      text: row.cells[0].querySelector('button')?.textContent ?? row.cells[0].firstChild.textContent,
      figures: [...row.cells].slice(1).map((cell) => cell.textContent),
      made: row.querySelector('.done') !== null,
      best: row.classList.contains('best'),
    })),
  }));
  const every = [...read()];
  while (next.getAttribute('aria-disabled') !== 'true') { next.click(); every.push(...read()); }
  return every;
}"""
"""Goes through all positions, and reads the tables of their decisions."""


@pytest.fixture(scope="module")
def evaluated() -> AnalyzedMatch:
    (match,) = analyze_matches(read_bytes(MATCH.encode(), "report.txt"), "recorded")
    return match


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory, evaluated: AnalyzedMatch) -> Path:
    """The page of a match with the analysis of a GNU Backgammon report."""
    reports = make_match_reports(
        select_reported(read_bytes(MATCH.encode(), "report.txt")), analyzed=[evaluated]
    )
    path = tmp_path_factory.mktemp("analysis") / "page.html"
    path.write_text(match_page(reports), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Any, page_file: Path, messages: list[str]) -> Iterator[Any]:
    with open_page(browser, page_file, messages, **DESKTOP) as page:
        yield page
    assert messages == []


UNPACKED = """() => {
  const data = unpacked(JSON.parse(document.querySelector('.match-player script').textContent));
  return data.games.flatMap((game) => game.frames.map((frame) => ({
    boards: [data.boards[frame.before], data.boards[frame.after]],
    chance: frame.chance,
    luck: frame.luck,
    decisions: frame.decisions.map(({ choices, ...decision }) => ({
      ...decision,
      choices: choices.map(({ after, ...choice }) => ({ ...choice, board: after === null ? null : data.boards[after] })),
    })),
  })));
}"""
"""The data of the page, unpacked, with boards in place of their indices."""


def as_unpacked(playback: Playback) -> list[dict[str, Any]]:
    """Return the data of a match as `UNPACKED` returns them."""
    boards = playback.boards
    return [
        {
            "boards": [boards[frame.before], boards[frame.after]],
            "chance": frame.analysis.chance,
            "luck": frame.analysis.luck,
            "decisions": [
                decision._asdict()
                | {"choices": [choice_as_unpacked(one, boards) for one in decision.choices]}
                for decision in frame.analysis.decisions
            ],
        }
        for game in playback.games
        for frame in game.frames
        if frame.analysis is not None
    ]


def choice_as_unpacked(choice: RatedChoice, boards: Sequence[object]) -> dict[str, Any]:
    """Return a choice with its board in place of the index."""
    values = choice._asdict()
    after = values.pop("after")
    flags = {"made": int(choice.made), "best": int(choice.best)}
    return values | flags | {"board": None if after is None else boards[after]}


def test_the_page_unpacks_what_was_packed(page: Any, evaluated: AnalyzedMatch) -> None:
    (match,) = read_bytes(MATCH.encode(), "report.txt")
    expected = as_unpacked(make_playback(replay(match), analyzed=evaluated))
    shown = page.evaluate(UNPACKED)
    assert shown == json.loads(json.dumps(expected))
    assert sum(len(each["choices"]) for frame in shown for each in frame["decisions"]) > 20


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-"))


def test_each_list_is_that_of_the_analyzed_decision(page: Any, evaluated: AnalyzedMatch) -> None:
    shown = page.evaluate(READ_ALL)
    rows = [row for row in evaluated.rows if loss(row) is not None]
    assert len(shown) == len(rows) > 5
    for table, row in zip(shown, rows, strict=True):
        (made,) = (choice for choice in table["rows"] if choice["made"])
        assert_same_choices(table["rows"], row)
        if row.kind in (Kind.PLAY, Kind.NO_DOUBLE):
            assert -number(made["figures"][1] or "0") == pytest.approx(loss(row), abs=0.0006)


def assert_same_choices(shown: list[dict[str, Any]], row: AnalyzedDecision) -> None:
    """Compare a table with the figures that `analyze --decisions` has of the decision."""
    if row.kind is not Kind.PLAY:
        assert row.no_double is not None
        assert row.take is not None
        assert row.passed is not None
        equities = [number(choice["figures"][0]) for choice in shown]
        assert equities == pytest.approx([row.no_double, row.take, row.passed], abs=0.0006)
        return
    listed = rank_plays(row.plays)
    assert [choice["text"] for choice in shown] == [play.play for play in listed]
    assert [choice["made"] for choice in shown] == [play.is_made for play in listed]
    assert [choice["text"] for choice in shown if choice["made"]] == [row.played]
    assert [choice["text"] for choice in shown if choice["best"]] == [row.better]
    for choice, play in zip(shown, listed, strict=True):
        assert number(choice["figures"][0]) == pytest.approx(play.equity, abs=0.0006)
        assert play.chances is not None
        chances = [number(text) / 100 for text in choice["figures"][2:]]
        assert chances == pytest.approx(play.chances, abs=0.0006)


class TestCandidates:
    def test_another_play_is_tried_by_key(self, page: Any) -> None:
        other = page.get_by_role("button", name="24/23 13/10")
        tried = page.locator(".arrow.tried")
        expect(tried).to_have_count(0)
        other.focus()
        page.keyboard.press("Enter")
        expect(tried).to_have_count(2)
        expect(other).to_have_attribute("aria-pressed", "true")
        expect(other).to_be_focused()
        page.get_by_role("button", name="8/5 6/5").press("Enter")
        expect(tried).to_have_count(0)

    def test_headings_say_what_the_figures_are(self, page: Any) -> None:
        table = page.locator(".choices").first
        for name in ("Equity (EMG)", "Wins a gammon, percent", "Loses a backgammon, percent"):
            expect(table.get_by_role("columnheader", name=name)).to_have_count(1)
        expect(table.locator(".made")).to_contain_text("played")


class TestFilter:
    def places(self, page: Any) -> list[str]:
        """The places that the key for the next mistake leads to."""
        page.get_by_label("Beginning of the game, or the game before").click()
        found = []
        address = page.locator(".ids a")
        while page.get_by_label("Next finding or error").get_attribute("aria-disabled") != "true":
            page.keyboard.press("n")
            found.append(address.text_content())
            assert len(found) < 20
        return found

    def test_it_steps_through_the_errors_of_whom_and_how_large(self, page: Any) -> None:
        whose, least = (
            page.get_by_label("Mistakes to step through"),
            page.get_by_label("Least loss"),
        )
        count = page.locator(".mistakes output")
        whose.select_option(label="Errors of both")
        expect(count).to_have_text("5 errors")
        assert self.places(page) == ["1.2R", "1.3L", "1.4R", "1.5L", "1.7L"]
        whose.select_option(label="Errors of Bob")
        expect(count).to_have_text("2 errors")
        assert self.places(page) == ["1.2R", "1.4R"]
        least.fill("0.1")
        expect(count).to_have_text("1 error")
        assert self.places(page) == ["1.4R"]
        whose.select_option(label="Errors of Ann Lee")
        expect(count).to_have_text("2 errors")
        expect(page.locator(".ticks i.evaluation")).to_have_count(2)
        least.fill("9")
        expect(count).to_have_text("0 errors")
        assert self.places(page) == []

    def test_letters_typed_into_it_move_nothing(self, page: Any) -> None:
        page.get_by_label("Least loss").focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("n")
        expect(page.locator(".ids a")).to_have_text(re.compile(r"^1\.1"))

    def test_tab_reaches_its_controls_after_the_analysis(self, page: Any) -> None:
        page.get_by_role("button", name="24/23 13/10").focus()
        for name in ("Mistakes to step through", "Least loss (EMG)", "Game"):
            page.keyboard.press("Tab")
            expect(page.locator(":focus")).to_have_accessible_name(name)


class TestCourse:
    def test_a_click_on_the_graph_goes_there(self, page: Any) -> None:
        plot = page.locator(".plot")
        box = plot.bounding_box()
        plot.click(position={"x": box["width"] - 3, "y": 20})
        expect(page.locator(".action")).to_contain_text("wins 2 points")
        expect(page.locator(".course .now")).to_contain_text("Ann Lee")

    def test_a_turning_point_leads_to_its_position(self, page: Any) -> None:
        plays = page.get_by_role("list", name="Turning points: Plays").get_by_role("listitem")
        expect(plays.first).to_contain_text("Ann Lee plays 1-1: 8/7(2) 6/5(2), better 6/4(2)")
        plays.first.get_by_role("link").click()
        expect(page.locator(".action")).to_contain_text("11: 8/7(2) 6/5(2)")

    def test_it_says_how_much_luck_is_known(self, page: Any) -> None:
        expect(page.locator(".course > .about")).to_contain_text("Bars: luck of the rolls")
        expect(page.locator(".luck rect")).to_have_count(3)
        expect(page.locator(".plot")).to_have_attribute(
            "aria-label", re.compile(r"^Match-winning chance of Ann Lee: from 50\.0 % to ")
        )


@SIZES
def test_board_and_controls_fit_the_screen(
    browser: Any, page_file: Path, messages: list[str], size: dict[str, Any]
) -> None:
    for place in ("", "#1.4R"):
        with open_page(browser, page_file, messages, place, **size) as page:
            expect(page.locator(".decision").first).to_be_visible()
            for part in (".stage > .board", ".seat >> nth=0", ".action", ".timeline", ".buttons"):
                box = page.locator(part).first.bounding_box()
                assert box["y"] >= 0, part
                assert box["y"] + box["height"] <= size["viewport"]["height"], part
            assert page.locator(".decision").first.bounding_box()["y"] < size["viewport"]["height"]
            width = page.evaluate("document.documentElement.scrollWidth")
            assert width <= size["viewport"]["width"]


def test_it_is_no_wider_than_the_screen(browser: Any, page_file: Path, messages: list[str]) -> None:
    cut = "e => e.scrollWidth > e.clientWidth + 1"
    with open_page(browser, page_file, messages, "#1.2R", **DESKTOP) as page:
        for width in (320, 600, 860, 1024):
            resize(page, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
            assert not page.locator(".analysis").evaluate(cut), width


@SIZES
def test_a_finding_stands_above_the_analysis_of_its_play(
    browser: Any, tmp_path: Path, messages: list[str], size: dict[str, Any]
) -> None:
    match, evaluation = analyze_text(ILLEGAL)
    path = tmp_path / "page.html"
    reports = make_match_reports(select_reported([match]), analyzed=[evaluation])
    path.write_text(match_page(reports), encoding="utf-8")
    with open_page(browser, path, messages, "#2.2R", **size) as page:
        finding, decision = page.locator(".remark").last, page.locator(".decision").last
        expect(finding).to_contain_text("P4")
        expect(decision).to_contain_text("Illegal, in no error rate")
        above, below = finding.bounding_box(), decision.bounding_box()
        assert above["y"] + above["height"] <= below["y"]
        assert above["x"] == pytest.approx(below["x"], abs=1)
        assert above["width"] == pytest.approx(below["width"], abs=1)


@SIZES
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_in_the_way_of_anybody(
    browser: Any, page_file: Path, messages: list[str], size: dict[str, Any], scheme: str
) -> None:
    script = axe_script()
    options = {"color_scheme": scheme, "bypass_csp": True, **size}
    with open_page(browser, page_file, messages, "#1.2R", **options) as page:
        assert violations(page, script) == []


def test_a_page_without_analysis_has_none_of_it(
    browser: Any, tmp_path: Path, messages: list[str]
) -> None:
    path = tmp_path / "page.html"
    matches = select_reported(read_bytes(MATCH.encode(), "report.txt"))
    path.write_text(match_page(make_match_reports(matches)), encoding="utf-8")
    with open_page(browser, path, messages, **DESKTOP) as page:
        expect(page.locator(".action")).to_contain_text("Ann Lee")
        for look in (".analysis", ".mistakes", ".course", ".plot"):
            expect(page.locator(look)).to_have_count(0)
        box = page.locator(".buttons").bounding_box()
        assert box["y"] + box["height"] <= DESKTOP["viewport"]["height"]
        assert messages == []
