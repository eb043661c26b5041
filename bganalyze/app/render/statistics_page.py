"""The page of `stats`: the overview first, then a chapter for each report with its plots."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from bganalyze.app.render.answers import answer_document
from bganalyze.app.render.document import Cell, Chapter, Grid, Part, Picture
from bganalyze.app.render.document_html import render_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.overview import overview_chapter
from bganalyze.app.render.terms import explain_terms
from bganalyze.statistics.plots import FORM, draw_pictures, draw_plots
from bganalyze.statistics.plots.draw import render_page_svg
from bganalyze.statistics.plots.group_pages import ON_PAGE
from bganalyze.statistics.reports import load_report
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.overview import Overview
from bganalyze.text import capitalize_first

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_GROUPS = 100
"""Groups a table shows at most: more than in text, because tables of a page can be filtered."""


def statistics_page(
    answer: ReportAnswer, setting: OutputOptions, overview: Overview | None = None
) -> str:
    """Return reports over many matches as a page of HTML with plots.

    `overview` becomes the first chapter.
    """
    document = answer_document(answer, setting, MOST_GROUPS)
    chapters = [
        _add_plots_and_meanings(chapter, _draw_plots(chapter.title, answer.reports[chapter.title]))
        for chapter in document.chapters
    ]
    if overview is not None:
        chapters = [overview_chapter(overview, draw_plot_over_time(overview)), *chapters]
    return render_page(explain_terms(document._replace(chapters=tuple(chapters))))


def draw_plot_over_time(overview: Overview) -> Picture | None:
    """Return the plot of an overview's statistic over time, or None if there is none."""
    if overview.form is None:
        return None
    plot = FORM._replace(figure=overview.form.figure)
    first = next(draw_pictures(plot, overview.form.section, ON_PAGE), None)
    return None if first is None else _make_picture(first.figure)


def _draw_plots(name: str, sections: Sequence[Section]) -> Mapping[str, Sequence[Picture]]:
    """Draw the plots of the report `name`, and return those of each table by the table's title."""
    of_sections: defaultdict[str, list[Picture]] = defaultdict(list)
    for picture in draw_plots(name, sections, ON_PAGE):
        of_sections[picture.plot.section].append(_make_picture(picture.figure))
    return of_sections


def _make_picture(figure: Figure) -> Picture:
    """Return a plot as a picture in SVG for a page."""
    return Picture(str(figure.get_label()), render_page_svg(figure))


def _add_plots_and_meanings(chapter: Chapter, pictures: Mapping[str, Sequence[Picture]]) -> Chapter:
    """Return a report's chapter with plots, and with the meanings of its statistics.

    `pictures` maps the title of a table to the plots above it.
    """
    title = chapter.title.replace("-", " ")
    parts = (
        part._replace(blocks=(*pictures.get(part.title, ()), *part.blocks))
        for part in chapter.parts
    )
    grids = tuple(_tabulate_meanings(chapter))
    meanings = (Part("Meaning of the figures", grids),) if grids else ()
    return Chapter(capitalize_first(title), (*parts, *meanings))


def _tabulate_meanings(chapter: Chapter) -> Iterator[Grid]:
    """Yield tables with the meanings of the statistics in a chapter."""
    figures = load_report(chapter.title).sections
    for part in chapter.parts:
        rows = tuple(
            (Cell(figure.name), Cell(figure.meaning)) for figure in figures.get(part.title, ())
        )
        if rows:
            yield Grid(part.title, ("Figure", "Meaning"), rows, words=2)
