"""Pages in a browser: they work, by themselves, and nothing leaves them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import bganalyze
from bganalyze.match_report import match_reports
from bganalyze.plots import plots
from bganalyze.plots.draw import as_page_svg
from bganalyze.render.answers import answer_page
from bganalyze.render.document import Picture
from bganalyze.render.match_report import match_page
from bganalyze.render.setting import OutputOptions
from bganalyze.reports import REPORTS
from bganalyze.reports.answer import answered
from bganalyze.reports.question import Question
from tests.match_report.judged import MATCH, judged
from tests.nasty import NAMES

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[2] / "samples"
WIDTHS = (320, 390, 1280)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    if chromium is None:
        pytest.skip("there is no Chromium here")
    with playwright.sync_playwright() as running:
        started = running.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture(scope="module")
def page_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of two matches, one of a fault and one that was judged; the names are nasty."""
    matches = bganalyze.read(str(SAMPLES / "clean" / "several-matches.mat"))
    matches += bganalyze.read(str(SAMPLES / "faulty" / "P410-larger-die.mat"))
    called = [
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
    rated, said = judged(MATCH)
    path = tmp_path_factory.mktemp("page") / "page.html"
    reports = [report for match in called for report in match_reports([match])]
    reports += match_reports([rated], judged=[said])
    path.write_text(match_page(reports), encoding="utf-8")
    return path


@pytest.fixture
def said() -> list[str]:
    """What the browser complains of, and what it asks for."""
    return []


@pytest.fixture(scope="module")
def statistics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of all reports with their plots, about players with nasty names."""
    tables = bganalyze.tabulate_files([str(SAMPLES / "clean" / "several-matches.mat")])
    for frame in (tables.matches, tables.games):
        for side in ("left", "right"):
            known = frame[side].cat.categories
            frame[side] = frame[side].cat.rename_categories(dict(zip(known, NAMES, strict=False)))
    answer = answered(tables, REPORTS, Question())
    pictures = {
        name: [
            Picture(str(figure.get_label()), as_page_svg(figure))
            for _, figure in plots(name, sections)
        ]
        for name, sections in answer.reports.items()
    }
    path = tmp_path_factory.mktemp("statistics") / "page.html"
    path.write_text(answer_page(answer, pictures, OutputOptions()), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Any, page_file: Path, said: list[str]) -> Iterator[Any]:
    with opened(browser, page_file, said) as page:
        yield page


@contextmanager
def opened(browser: Any, page_file: Path, said: list[str]) -> Iterator[Any]:
    context = browser.new_context()
    page = context.new_page()
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("dialog", lambda dialog: said.append(dialog.message))
    page.on("request", lambda request: said.append(request.url))
    page.goto(page_file.as_uri())
    assert said == [page_file.as_uri()]
    said.clear()
    yield page
    context.close()


def test_statistics_keep_to_the_screen_and_to_themselves(
    browser: Any, statistics: Path, said: list[str]
) -> None:
    with opened(browser, statistics, said) as page:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        for link in page.locator("nav a").all():
            link.click()
        assert page.locator("img").count() > 0
        assert said == []


def test_it_says_nothing_and_asks_for_nothing(page: Any, said: list[str]) -> None:
    for link in page.locator("nav a").all():
        link.click()
    assert said == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_no_wider_than_the_screen(page: Any, width: int, scheme: str) -> None:
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert ground == {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 24, 28)"}[scheme]


def test_a_section_is_folded_and_unfolded(page: Any) -> None:
    first = page.locator("details").first
    heading, held = first.locator("summary"), first.locator(".blocks")
    assert held.is_visible()
    heading.click()
    assert not held.is_visible()
    heading.focus()
    page.keyboard.press("Enter")
    assert held.is_visible()


def test_a_table_is_sorted_by_a_click(page: Any, said: list[str]) -> None:
    table = page.locator("table", has_text="Throws by value").first
    column = "td:nth-child(2)"

    def counts() -> list[int]:
        cells = table.locator(f"tbody {column}").all()
        return [int(cell.inner_text().split()[0]) for cell in cells]

    before = counts()
    heading = table.locator("thead th").nth(1)
    heading.locator("button").click()
    assert counts() == sorted(before)
    assert heading.get_attribute("aria-sort") == "ascending"
    heading.locator("button").click()
    assert counts() == sorted(before, reverse=True)
    assert said == []


class TestSteps:
    @pytest.fixture
    def steps(self, page: Any) -> Any:
        found = page.locator(".steps")
        assert found.count() == 1
        return found

    def titles(self, steps: Any) -> list[str]:
        """What can be seen of the errors."""
        every = steps.locator("h3").all()
        return [title.inner_text()[:2] for title in every if title.is_visible()]

    def test_one_error_is_seen_at_a_time_the_dearest_first(self, steps: Any) -> None:
        assert self.titles(steps) == ["1."]
        following = steps.get_by_role("button", name="Next")
        following.click()
        assert self.titles(steps) == ["2."]
        assert steps.locator("output").inner_text().startswith("2 of 4")
        steps.get_by_role("button", name="Previous").click()
        assert self.titles(steps) == ["1."]

    def test_keys_do_the_same_and_stop_at_the_ends(self, page: Any, steps: Any) -> None:
        steps.focus()
        for key, title in (
            ("ArrowRight", "2."),
            ("End", "4."),
            ("ArrowRight", "4."),
            ("ArrowLeft", "3."),
            ("Home", "1."),
            ("ArrowLeft", "1."),
            ("Alt+ArrowRight", "1."),
        ):
            page.keyboard.press(key)
            assert self.titles(steps) == [title], key

    def test_the_keyboard_alone_reaches_everything(self, page: Any, steps: Any) -> None:
        steps.focus()
        reached = []
        for _ in range(4):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.textContent"))
        assert reached == ["Previous", "Next", "EverybodyAnnBob", "Show all"]
        page.keyboard.press("Enter")
        assert self.titles(steps) == ["1.", "2.", "3.", "4."]
        page.keyboard.press("Enter")
        assert self.titles(steps) == ["1."]

    def test_who_listens_is_told(self, steps: Any) -> None:
        steps.get_by_role("button", name="Next").click()
        assert steps.get_by_role("status").inner_text() == "2 of 4\n: 2. Ann, 5-2 to play"
        assert (
            steps.get_by_role("button", name="Previous").get_attribute("aria-disabled") == "false"
        )
        assert steps.get_by_role("button", name="Show all").get_attribute("aria-pressed") == "false"

    def test_one_goes_through_the_errors_of_one_player(self, page: Any, steps: Any) -> None:
        steps.get_by_label("Whose errors").select_option("Ann")
        assert self.titles(steps) == ["2."]
        assert steps.locator("output").inner_text().startswith("1 of 2")
        steps.get_by_role("button", name="Next").click()
        assert self.titles(steps) == ["3."]
        steps.get_by_role("button", name="Show all").click()
        assert self.titles(steps) == ["2.", "3."]
        page.emulate_media(media="print")
        assert self.titles(steps) == ["2.", "3."]

    def test_the_first_are_printed(self, page: Any, steps: Any) -> None:
        page.emulate_media(media="print")
        assert self.titles(steps) == ["1.", "2.", "3.", "4."]
        assert not steps.locator(".rest").is_visible()
        steps.evaluate("each => each.dataset.first = 3")
        steps.get_by_label("Whose errors").dispatch_event("change")
        assert self.titles(steps) == ["1.", "2.", "3."]
        assert steps.locator(".rest").is_visible()
        assert not steps.get_by_role("button", name="Next").is_visible()


def test_it_is_whole_without_script(browser: Any, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(page_file.as_uri())
    assert opened.locator("details[open]").count() == opened.locator("details").count() > 0
    assert opened.locator("svg.board").count() > 0
    assert opened.locator("thead button").count() == 0
    assert opened.locator(".steps h3:visible").count() == 4
    context.close()


def test_no_script_but_its_own_runs(page: Any) -> None:
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'),"
        "{textContent: 'window.ran = true'}))"
    )
    assert page.evaluate("window.ran") is None


def test_it_prints_what_is_folded_too(page: Any) -> None:
    page.locator("summary").first.click()
    printed = page.pdf(format="A4")
    assert printed.startswith(b"%PDF")
    assert page.locator("details[open]").count() == page.locator("details").count()
