"""Reports as one HTML page."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

import pytest

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.app.render.answers import (
    answer_document,
    has_several_groups,
    render_markdown,
    render_table,
    table_as_text,
)
from bganalyze.app.render.document import Grid
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.statistics_page import statistics_page
from bganalyze.statistics.plots import draw_plots
from bganalyze.statistics.plots.draw import render_page_svg
from bganalyze.statistics.plots.group_pages import ON_PAGE
from bganalyze.statistics.reports import REPORTS, load_report
from bganalyze.statistics.reports.answer import ReportAnswer, answer_from_tables
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import Tables
from tests.app.render.pages import Page
from tests.nasty import NAMES

pytestmark = pytest.mark.slow

SAMPLES = Path(__file__).parents[3] / "samples" / "clean"


@pytest.fixture(scope="module")
def answer() -> ReportAnswer:
    tables = tabulate_files([str(SAMPLES / "galaxy.txt"), str(SAMPLES / "redoubles.mat")])
    return answer_from_tables(tables, REPORTS, Question())


@cache
def galaxy() -> Tables:
    """Return the tables of a sample."""
    return tabulate_files([str(SAMPLES / "galaxy.txt")])


def name_answer(name: str) -> ReportAnswer:
    """Return an answer about a player of that name."""
    tables = galaxy()
    matches, games = (
        frame.assign(
            left=frame["left"].cat.rename_categories({frame["left"].cat.categories[0]: name})
        )
        for frame in (tables.matches, tables.games)
    )
    renamed = tables._replace(matches=matches, games=games)
    return answer_from_tables(renamed, ["points", "head-to-head"], Question(player=name))


def test_every_row_of_every_section_is_there(answer: ReportAnswer) -> None:
    document = answer_document(answer, OutputOptions())
    for chapter, sections in zip(document.chapters, answer.reports.values(), strict=True):
        parts = {part.title: part for part in chapter.parts}
        for section in sections:
            headings, rows = table_as_text(section.frame)
            (grid,) = (block for block in parts[section.title].blocks if isinstance(block, Grid))
            if has_several_groups(section.frame):
                assert read_grid(grid) == {
                    (*row[: grid.words], row[grid.words], row[grid.words + 1]) for row in rows
                }
                continue
            assert grid.headings == tuple(headings)
            assert [[cell.text for cell in row] for row in grid.rows] == list(map(list, rows))


def read_grid(grid: Grid) -> set[tuple[str, ...]]:
    """Return the groups, figures and values of a table with figures side by side."""
    return {
        (*(cell.text for cell in row[: grid.words]), figure, cell.text)
        for row in grid.rows
        for figure, cell in zip(grid.headings[grid.words :], row[grid.words :], strict=True)
        if cell.text
    }


def test_figures_of_several_groups_stand_side_by_side_in_the_order_declared(
    answer: ReportAnswer,
) -> None:
    document = answer_document(answer, OutputOptions())
    for chapter in document.chapters:
        declared = load_report(chapter.title).sections
        for part in chapter.parts:
            for grid in part.blocks:
                if isinstance(grid, Grid) and grid.separable:
                    declared_names = [figure.name for figure in declared[part.title]]
                    headings = [name for name in grid.headings if name in declared_names]
                    assert headings == sorted(headings, key=declared_names.index)
                    groups = [row[: grid.words] for row in grid.rows]
                    assert len(set(groups)) == len(groups)


def test_a_figure_beside_others_has_its_count_interval_and_expectation(
    answer: ReportAnswer,
) -> None:
    document = answer_document(answer, OutputOptions())
    dice = next(chapter for chapter in document.chapters if chapter.title == "dice")
    grid = dice.parts[1].blocks[0]
    assert isinstance(grid, Grid)
    column = grid.headings.index("doubles")
    assert re.fullmatch(
        r"of [0-9]+, [0-9.]+ % to [0-9.]+ %, expected 16.7 %", grid.rows[0][column].detail
    )
    assert grid.rows[0][grid.headings.index("rolls")].detail == ""
    assert any(line.startswith("in brackets:") for line in document.ending)


def test_an_empty_table_says_so_in_every_format() -> None:
    of_nobody = answer_from_tables(galaxy(), ["points"], Question(player="nobody"))
    setting = OutputOptions()
    assert '<p class="note">No cases to count.</p>' in statistics_page(of_nobody, setting)
    assert "no cases to count\n" in "".join(render_table(of_nobody, setting))
    assert "| --- |" in "".join(render_markdown(of_nobody, setting))


def test_every_figure_is_explained(answer: ReportAnswer) -> None:
    text = " ".join(Page(statistics_page(answer, OutputOptions())).text)
    for name in answer.reports:
        for figures in load_report(name).sections.values():
            assert all(figure.meaning in text for figure in figures)


def test_the_page_has_a_chapter_for_each_report_and_its_plots(answer: ReportAnswer) -> None:
    points = answer._replace(reports={"points": answer.reports["points"]})
    read = Page(statistics_page(points, OutputOptions()))
    assert read.count()["h1"] == 1
    figures = [
        picture.figure for picture in draw_plots("points", answer.reports["points"], ON_PAGE)
    ]
    images = read.of("img")
    assert len(images) == len(figures) > 0
    for image, figure in zip(images, figures, strict=True):
        kind, _, data = image["src"].partition(";base64,")
        assert kind == "data:image/svg+xml"
        assert base64.b64decode(data) == render_page_svg(figure)
        assert image["alt"] == figure.get_label()


@pytest.fixture(scope="module")
def usual_page() -> Page:
    return Page(statistics_page(name_answer("Ann"), OutputOptions()))


@pytest.mark.parametrize("name", NAMES)
def test_no_name_breaks_the_page(name: str, usual_page: Page) -> None:
    odd = Page(statistics_page(name_answer(name), OutputOptions()))
    assert usual_page.count() == odd.count()
    places = set(odd.addresses()) - {image["src"] for image in odd.of("img")}
    usual_images = {image["src"] for image in usual_page.of("img")}
    assert places == set(usual_page.addresses()) - usual_images
    assert all(re.fullmatch("#c[0-9p]+", address) for address in places)
