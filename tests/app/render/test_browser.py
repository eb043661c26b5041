"""Pages in a browser: they work, by themselves, and nothing leaves them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bganalyze.app.jobs.check import check_file
from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render.findings.page import findings_page
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.profile import profile_page
from bganalyze.app.render.statistics_page import statistics_page
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import find_files
from bganalyze.record.reader import read
from bganalyze.statistics.match_report import make_match_reports, select_reported
from bganalyze.statistics.reports import REPORTS
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.overview import make_overview
from bganalyze.statistics.reports.question import Question
from bganalyze.validation.findings import Selection
from tests.app.render.browsers import axe_script, expect, open_page, resize, tab, violations
from tests.nasty import NAMES
from tests.statistics.match_report.analyzed import MATCH, analyze_text
from tests.statistics.profiles.test_profiles import profile

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples"
WIDTHS = (320, 390, 1280)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two matches, one of a fault and one that was analyzed; the names are nasty."""
    matches = read(str(SAMPLES / "clean" / "several-matches.mat"))
    matches += read(str(SAMPLES / "faulty" / "P410-larger-die.mat"))
    replays = [
        match._replace(
            games=tuple(
                game._replace(score=game.score and game.score._replace(names=names))
                for game in match.games
            )
        )
        for match, names in zip(
            matches, ((NAMES[0], NAMES[4]), (NAMES[3], NAMES[6]), (NAMES[7], NAMES[8])), strict=True
        )
    ]
    rated, evaluations = analyze_text(MATCH)
    path = tmp_path_factory.mktemp("page") / "page.html"
    reports = [
        report for match in replays for report in make_match_reports(select_reported([match]))
    ]
    reports += make_match_reports(select_reported([rated]), analyzed=[evaluations])
    path.write_text(match_page(reports), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def statistics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of all reports with their plots, about players with nasty names."""
    tables = tabulate_files([str(SAMPLES / "clean" / "several-matches.mat")])
    for frame in (tables.matches, tables.games):
        for side in ("left", "right"):
            names = frame[side].cat.categories
            frame[side] = frame[side].cat.rename_categories(dict(zip(names, NAMES, strict=False)))
    answer = answer_from_tables(tables, REPORTS, Question())
    summary = make_overview(partial(answer_from_tables, tables), Question())
    path = tmp_path_factory.mktemp("statistics") / "page.html"
    path.write_text(statistics_page(answer, OutputOptions(), summary), encoding="utf-8")
    return path


def follow_all_links(page: Any) -> None:
    """Follow the links to all parts, one after the other."""
    # Playwright's own click would wait each time until the page, which is long, stands still.
    followed = page.evaluate(
        """async () => {
            const links = document.querySelectorAll("nav a");
            for (const link of links) {
                link.click();
                await new Promise(requestAnimationFrame);
            }
            return links.length;
        }"""
    )
    assert followed > 1


@pytest.fixture
def page(browser: Any, page_file: Path, messages: list[str]) -> Iterator[Any]:
    with open_page(browser, page_file, messages) as page:
        yield page


def test_statistics_keep_to_the_screen_and_to_themselves(
    browser: Any, statistics: Path, messages: list[str]
) -> None:
    with open_page(browser, statistics, messages) as page:
        for width in WIDTHS:
            resize(page, width)
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        follow_all_links(page)
        assert page.locator("img").count() > 0
        assert messages == []


def test_it_says_nothing_and_asks_for_nothing(page: Any, messages: list[str]) -> None:
    follow_all_links(page)
    assert messages == []


def test_whose_row_it_is_stays_in_view_where_a_wide_table_is_scrolled(
    browser: Any, statistics: Path, messages: list[str]
) -> None:
    with open_page(browser, statistics, messages) as page:
        resize(page, 390)
        table = page.locator(".wide:has(tbody td:nth-child(5))").first
        table.evaluate("(wide) => { wide.scrollIntoView(); wide.scrollLeft = 200 }")
        page.wait_for_function("(wide) => wide.scrollLeft > 0", arg=table.element_handle())
        frame, name = table.bounding_box(), table.locator("tbody th").first.bounding_box()
        assert name["x"] == pytest.approx(frame["x"], abs=1)
        assert name["width"] < frame["width"] / 2


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (390, "dark"), (1280, "light")])
def test_it_is_no_wider_than_the_screen(page: Any, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    resize(page, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 24, 28)"}[scheme]
    expect(page.locator("html")).to_have_css("background-color", ground)


def test_a_section_is_folded_and_unfolded(page: Any) -> None:
    first = page.locator("details").first
    heading, content = first.locator("summary"), first.locator(".blocks")
    expect(content).to_be_visible()
    heading.click()
    expect(content).to_be_hidden()
    heading.focus()
    page.keyboard.press("Enter")
    expect(content).to_be_visible()


def test_a_table_is_sorted_by_a_click(page: Any, messages: list[str]) -> None:
    table = page.locator("table", has_text="Rolls by value").first

    def counts() -> list[int]:
        # The text of a table below the window is not laid out.
        cells = table.locator("tbody td:nth-child(2)").all_text_contents()
        return [int(cell.split()[0]) for cell in cells]

    before = counts()
    heading = table.locator("thead th").nth(1)
    heading.locator("button").click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    assert counts() == sorted(before)
    heading.locator("button").click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    assert counts() == sorted(before, reverse=True)
    assert messages == []


def test_it_is_whole_without_script(browser: Any, page_file: Path) -> None:
    with tab(browser, java_script_enabled=False) as page:
        page.goto(page_file.as_uri())
        assert page.locator("details[open]").count() == page.locator("details").count() > 0
        assert page.locator("thead button").count() == 0
        expect(page.locator("svg.board").first).to_be_visible()


def test_no_script_but_its_own_runs(page: Any) -> None:
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'),"
        "{textContent: 'window.ran = true'}))"
    )
    assert page.evaluate("window.ran") is None


def test_it_prints_what_is_folded_too(page: Any) -> None:
    folded = page.locator("details:not([open])")
    page.locator("summary").first.click()
    expect(folded).to_have_count(1)
    assert page.pdf(format="A4").startswith(b"%PDF")
    expect(folded).to_have_count(0)


def test_a_part_that_is_not_drawn_yet_is_reached(
    browser: Any, statistics: Path, messages: list[str]
) -> None:
    with open_page(browser, statistics, messages) as page:
        heading = page.get_by_role("heading", name="Rolls", exact=True).first
        place = heading.evaluate("e => e.closest('details').id")
        page.evaluate("place => { location.hash = place }", place)
        page.wait_for_function(
            "e => Math.abs(e.getBoundingClientRect().top) < 80", arg=heading.element_handle()
        )
        expect(heading).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("fixture", ["page_file", "statistics"])
def test_nothing_is_in_the_way_of_anybody(
    browser: Any, request: pytest.FixtureRequest, messages: list[str], fixture: str, scheme: str
) -> None:
    script = axe_script()
    path = request.getfixturevalue(fixture)
    with open_page(browser, path, messages, color_scheme=scheme, bypass_csp=True) as page:
        assert violations(page, script) == []


def test_a_long_table_is_filtered_by_a_word(
    browser: Any, statistics: Path, messages: list[str]
) -> None:
    with open_page(browser, statistics, messages) as page:
        part = page.locator("details", has=page.locator("h2", has_text="Rolls by value"))
        rows, box = part.locator("tbody tr"), part.get_by_label("Only rows with")
        box.fill("6-6 ")
        expect(rows.filter(visible=True)).to_have_count(1)
        expect(part.locator("output")).to_have_text(f"1 of {rows.count()} rows")
        box.fill("")
        expect(rows.filter(visible=True)).to_have_count(rows.count())
        expect(part.locator("output")).to_have_text("")


def test_without_a_script_a_page_of_statistics_shows_everything(
    browser: Any, statistics: Path
) -> None:
    with tab(browser, java_script_enabled=False) as page:
        page.goto(statistics.as_uri())
        expect(page.locator("h1").first).to_have_text("Overview")
        assert page.locator("input, button").count() == 0
        rows = page.locator("tbody tr")
        assert rows.count() > 0
        expect(rows.filter(visible=True)).to_have_count(rows.count())


@pytest.fixture(scope="module")
def findings_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a check with one finding."""
    sample = SAMPLES / "faulty" / "P406-bar-first.mat"
    checked = check_file(next(iter(find_files([str(sample)]))), BASIC, Selection())
    path = tmp_path_factory.mktemp("page") / "findings.html"
    path.write_text(findings_page([checked], OutputOptions()), encoding="utf-8")
    return path


def test_a_page_with_one_finding_prints_on_one_sheet(browser: Any, findings_file: Path) -> None:
    page = browser.new_page()
    page.goto(findings_file.as_uri())
    printed = page.pdf(format="A4", prefer_css_page_size=True)
    page.close()
    assert len(re.findall(rb"/Type /Page\b", printed)) == 1


BACKGROUND = "How these boards were chosen"
"""A part of a profile that is closed at first."""


@pytest.fixture(scope="module")
def profile_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a player's profile."""
    path = tmp_path_factory.mktemp("profile") / "profile.html"
    path.write_text(profile_page(profile()), encoding="utf-8")
    return path


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_a_profile_prints_on_three_sheets_the_essentials_on_the_first(
    browser: Any, profile_file: Path, paper: str
) -> None:
    page = browser.new_page(viewport={"width": 718, "height": 980})  # Letter without its margins.
    page.goto(profile_file.as_uri())
    printed = page.pdf(format=paper, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type /Page\b", printed)) <= 3
    page.emulate_media(media="print")
    ends = page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.chapter > details')].map("
        "part => [part.querySelector('summary').innerText.trim(), part.getBoundingClientRect().bottom]))"
    )
    assert ends["Results"] < ends["Where points are lost"] < ends["Costliest subjects"] < 980
    page.close()


def test_a_closed_part_is_printed_once_a_link_has_opened_it(
    browser: Any, profile_file: Path
) -> None:
    page = browser.new_page()
    page.goto(profile_file.as_uri())
    part = page.locator(f"details:has(h2:text-is('{BACKGROUND}'))")
    for is_open in (False, True):
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        assert part.is_visible() is is_open
        page.emulate_media(media="screen")
        assert part.is_visible()
        page.get_by_role("link", name=BACKGROUND).click()
        expect(part).to_have_attribute("open", "")
    page.close()


def test_closed_definitions_are_printed(browser: Any, profile_file: Path) -> None:
    page = browser.new_page()
    page.goto(profile_file.as_uri())
    part = page.locator("details:has(h2:text-is('Classes of positions'))")
    definition = part.get_by_text("Points are counted from the end")
    for media, is_shown in (("screen", False), ("print", True)):
        page.emulate_media(media=media)
        assert definition.is_visible() is is_shown
    page.close()


def test_a_narrow_page_of_findings_cuts_and_overprints_nothing(
    browser: Any, findings_file: Path
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.goto(findings_file.as_uri())
    overprinted = page.evaluate(
        """() => [...document.querySelectorAll(".diagram dl > div")].filter((row) => {
          const words = document.createRange();
          words.selectNodeContents(row.firstChild);
          return words.getBoundingClientRect().right > row.lastChild.getBoundingClientRect().left;
        }).length"""
    )
    cut = page.evaluate(
        """() => [...document.querySelectorAll("pre")].filter(
          (line) => line.scrollWidth > line.clientWidth).length"""
    )
    page.close()
    assert (overprinted, cut) == (0, 0)
