"""Pages in a browser: they work, by themselves, and nothing leaves them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import bganalyze
from bganalyze.match_report.report import match_reports
from bganalyze.render.match_reports import match_page
from tests.nasty import NAMES

SAMPLES = Path(__file__).parent.parent / "samples"
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
    """A page of two matches and one of a fault, whose players have nasty names."""
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
    path = tmp_path_factory.mktemp("page") / "page.html"
    reports = [report for match in called for report in match_reports([match])]
    path.write_text(match_page(reports), encoding="utf-8")
    return path


@pytest.fixture
def said() -> list[str]:
    """What the browser complains of, and what it asks for."""
    return []


@pytest.fixture
def page(browser: Any, page_file: Path, said: list[str]) -> Iterator[Any]:
    context = browser.new_context()
    opened = context.new_page()
    opened.on("console", lambda message: said.append(message.text))
    opened.on("pageerror", lambda error: said.append(str(error)))
    opened.on("dialog", lambda dialog: said.append(dialog.message))
    opened.on("request", lambda request: said.append(request.url))
    opened.goto(page_file.as_uri())
    assert said == [page_file.as_uri()]
    said.clear()
    yield opened
    context.close()


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


def test_it_is_whole_without_script(browser: Any, page_file: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto(page_file.as_uri())
    assert opened.locator("details[open]").count() == opened.locator("details").count() > 0
    assert opened.locator("svg.board").count() > 0
    assert opened.locator("thead button").count() == 0
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
