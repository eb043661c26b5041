"""Plots: every report that has some draws them, of nothing too, and twice the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from bganalyze.app.jobs.tabulate import tabulate_files
from bganalyze.statistics.plots import PLOTS, Plot, PlotPicture, draw_pictures, draw_plots
from bganalyze.statistics.plots.draw import (
    BY_NIGHT,
    as_svg,
    draw_intervals,
    draw_over_time,
    render_images,
    render_page_svg,
    save_image,
)
from bganalyze.statistics.plots.group_pages import PictureLimits
from bganalyze.statistics.reports import ANALYZED_REPORTS, REPORTS, load_report
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables, Tables, tabulate_analyzed
from tests.statistics.reports.analyzed import analyze_samples
from tests.statistics.reports.asked import sections_of

pytestmark = pytest.mark.slow

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
DRAWN = [CLEAN / name for name in ("redoubles.txt", "eleven-point.mat", "gnubg.mat", "xg-text.txt")]
"""Samples with so few matches that little is drawn, and with enough for every plot."""


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tabulate_files(DRAWN)


@pytest.fixture(scope="module")
def analyzed() -> AnalyzedTables:
    return tabulate_analyzed(analyze_samples())


Pictures = Mapping[str, Sequence[PlotPicture]]
"""The plots of each report."""


def draw_report(tables: Tables | AnalyzedTables, name: str, *by: str) -> list[PlotPicture]:
    return list(draw_plots(name, sections_of(name, tables, Question(by=by))))


@pytest.fixture(scope="module")
def pictures(tables: Tables) -> Pictures:
    """The plots by player, drawn once for the tests that look at them."""
    return {name: draw_report(tables, name, "player") for name in REPORTS}


def files_of(pictures: Iterable[PlotPicture], folder: Path) -> list[Path]:
    return [
        save_image(image, folder)
        for one in pictures
        for image in render_images(one.figure, one.name)
    ]


def firsts(paths: list[Path]) -> list[Path]:
    """Return the first picture of each plot."""
    return [path for path in paths if not path.stem.rpartition("-")[2].isdecimal()]


def test_every_plot_is_of_a_figure_that_there_is() -> None:
    for name, plots_of_report in PLOTS.items():
        declared = load_report(name).sections
        for plot in plots_of_report:
            if plot.figure and plot.figure != "played":
                assert plot.figure in [figure.name for figure in declared[plot.section]]
    assert set(PLOTS) <= {*REPORTS, *ANALYZED_REPORTS}


def test_a_report_needs_no_plots(tables: Tables, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(PLOTS, "findings")
    sections = sections_of("findings", tables, Question())
    assert list(draw_plots("findings", sections)) == []


@pytest.mark.parametrize("name", [name for name in REPORTS if name != "trend"])
def test_reports_are_drawn(name: str, pictures: Pictures, tmp_path: Path) -> None:
    paths = files_of(pictures[name], tmp_path)
    assert len(firsts(paths)) == 2 * len(PLOTS.get(name, ()))
    for path in paths:
        start = path.read_bytes()[:8]
        assert start == b"\x89PNG\r\n\x1a\n" if path.suffix == ".png" else b"<?xml" in start


@pytest.mark.parametrize("by", [("player",), ("player", "length")])
@pytest.mark.parametrize("name", ANALYZED_REPORTS)
def test_reports_of_analyzed_matches_are_drawn(
    name: str, by: tuple[str, ...], analyzed: AnalyzedTables, tmp_path: Path
) -> None:
    drawn = draw_report(analyzed, name, *by)
    paths = files_of([picture for picture in drawn if picture.place == 1], tmp_path)
    assert len(firsts(paths)) == 2 * len(PLOTS.get(name, ()))


def test_one_value_is_not_drawn(tables: Tables, analyzed: AnalyzedTables) -> None:
    """Figures of all players together have groups of their own: leads, phases, endings, rolls."""
    by_nobody = Question(by=())
    for name in ("head-to-head", "luck", "ratings"):
        all_tables = tables if name in REPORTS else analyzed
        of_one = by_nobody._replace(by=("engine",)) if name in ANALYZED_REPORTS else by_nobody
        sections = [
            section._replace(frame=section.frame.drop_duplicates("figure"))
            for section in sections_of(name, all_tables, of_one)
        ]
        assert list(draw_plots(name, sections)) == []


MANY = Section(
    "Games",
    pd.DataFrame(
        {
            "player": [f"p{n}" for n in range(72) for _ in "ab"],
            "month": ["2024-01", "2024-03"] * 72,
            "figure": "won",
            "kind": "share",
            "value": 0.5,
            "low": 0.4,
            "high": 0.6,
            "count": 5.0,
            "of": [10.0 + n for n in range(72) for _ in "ab"],
            "matches": 10,
            "expected": float("nan"),
        }
    ),
)


ALONE = MANY._replace(frame=MANY.frame.drop(columns="month").drop_duplicates("player"))
BY_LEAD = MANY._replace(frame=MANY.frame.rename(columns={"month": "lead"}))
WON = Plot("Games", "won")


def pages(section: Section, **room: int) -> list[list[str]]:
    """Return the names of the rows in each picture."""
    pictures = draw_pictures(WON, section, PictureLimits(**room))
    axes = (picture.figure.axes[0] for picture in pictures)
    return [[label.get_text() for label in one.get_yticklabels()] for one in axes]


def test_of_many_groups_all_are_drawn() -> None:
    """There are 72 rows and room for 40; two pictures share them evenly."""
    assert pages(ALONE, pictures=9) == [
        [f"p{n} ({n + 10})" for n in part] for part in (range(36), range(36, 72))
    ]
    names = [picture.name for picture in draw_pictures(WON, ALONE, PictureLimits(pictures=9))]
    assert names == ["games-won", "games-won-2"]


def test_of_more_groups_than_pictures_hold_the_largest_are_drawn_and_that_is_said() -> None:
    (picture,) = draw_pictures(WON, ALONE, PictureLimits(pictures=1, rows=12))
    assert picture.left_out == "the 12 largest of 72 groups"
    assert picture.left_out in picture.figure.get_supxlabel()
    assert picture.left_out in str(picture.figure.get_label())
    assert pages(ALONE, pictures=1, rows=12) == [[f"p{n} ({n + 10})" for n in range(60, 72)]]


def test_groups_within_groups_stay_together() -> None:
    leads = ("2024-01", "2024-03")
    assert pages(BY_LEAD, pictures=1, rows=13) == [
        [f"p{n}, {lead} ({n + 10})" for n in range(66, 72) for lead in leads]
    ]
    assert [len(names) for names in pages(BY_LEAD, pictures=9, rows=41)] == [36, 36, 36, 36]


def test_a_group_that_is_too_long_is_divided() -> None:
    long = pd.concat([BY_LEAD.frame[:2]] * 250, ignore_index=True)
    long = long.assign(lead=[f"{number:03}" for number in range(500)])
    names = pages(BY_LEAD._replace(frame=long), pictures=9)
    assert [len(names) for names in names] == [200, 200, 100]


def test_every_line_is_in_some_picture() -> None:
    pictures = list(draw_pictures(WON, MANY))
    lines = [line.get_label() for picture in pictures for line in picture.figure.axes[0].lines]
    assert sorted(lines) == sorted(f"p{n}" for n in range(72))


def test_what_is_told_apart_by_time_is_a_line() -> None:
    figure = draw_intervals(MANY._replace(frame=MANY.frame.tail(6)), "won")
    assert figure is not None
    lines = [line.get_label() for line in figure.axes[0].lines]
    assert lines == ["p71", "p70", "p69"]
    assert "p71 from 50 in 2024-01 to 50 in 2024-03" in str(figure.get_label())
    of_one = MANY._replace(frame=MANY.frame[MANY.frame["player"] == "p3"])
    years = of_one.frame.assign(year=[2023, 2024]).drop(columns="month")
    for section in (of_one, of_one._replace(frame=years)):
        alone = draw_intervals(section, "won")
        assert alone is not None
        assert "95 % interval by match" in alone.axes[0].get_legend_handles_labels()[1]


def test_values_without_an_interval_are_hollow_circles() -> None:
    rows = ALONE.frame.head(3).copy()
    rows["low"], rows["high"] = [40.0, None, 40.0], [60.0, None, 60.0]
    figure = draw_intervals(ALONE._replace(frame=rows), "won")
    assert figure is not None
    filled, hollow = figure.axes[0].lines
    assert [list(line.get_ydata()) for line in (filled, hollow)] == [[0, 2], [1]]
    assert [line.get_markerfacecolor() == "none" for line in (filled, hollow)] == [False, True]
    assert figure.get_supxlabel() == "percent, with the 95 % interval; hollow circles have none"


def test_a_single_month_is_no_line() -> None:
    january = MANY._replace(frame=MANY.frame[MANY.frame["month"] == "2024-01"].head(1))
    assert draw_intervals(january, "won") is None
    assert draw_over_time(january, "won") is None


def test_nothing_is_drawn_of_nothing_analyzed() -> None:
    nothing, question = tabulate_analyzed([]), Question()
    for name in ANALYZED_REPORTS:
        assert list(draw_plots(name, sections_of(name, nothing, question))) == []


def test_nothing_is_drawn_of_nothing(tables: Tables, tmp_path: Path) -> None:
    nobody = Question(player="nobody")
    for name in REPORTS:
        assert list(draw_plots(name, sections_of(name, tables, nobody))) == []


def test_the_same_bytes_twice(tables: Tables) -> None:
    first, second = (
        [
            list(render_images(one.figure, one.name))
            for one in draw_report(tables, "openings", "player")
        ]
        for _ in range(2)
    )
    assert first == second


def test_names_are_no_formulas(tables: Tables) -> None:
    """A name that would be a broken formula, and one that no font has."""
    names = {"left": "$\\frac{$", "right": "\U0001f3b2\u05d0\u202e"}
    games = tables.games.assign(
        **{
            side: tables.games[side].cat.rename_categories(lambda code, name=name: f"{name}{code}")
            for side, name in names.items()
        }
    )
    pictures = draw_report(tables._replace(games=games), "points", "player")
    assert all(as_svg(picture.figure) for picture in pictures)
    assert pictures


BARE = """\
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
      Wins 1 point
"""


@pytest.fixture(scope="module")
def untold(tmp_path_factory: pytest.TempPathFactory) -> Tables:
    folder = tmp_path_factory.mktemp("untold")
    (folder / "bare.mat").write_text(BARE)
    return tabulate_files([folder, *DRAWN])


@pytest.mark.parametrize("dimension", ["length", "site", "month", "score"])
def test_what_a_record_does_not_tell_is_drawn(dimension: str, untold: Tables) -> None:
    assert untold.matches[["length", "date"]].iloc[0].isna().all()
    for figure in plots_of_each_sort(untold, dimension):
        labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
        assert not any(label.startswith("nan") for label in labels)


OF_EACH_SORT = ("points", "trend", "dice")
"""The reports whose plots are drawn by all functions that draw recorded matches."""


def plots_of_each_sort(tables: Tables, *by: str) -> Iterator[Figure]:
    return (picture.figure for name in OF_EACH_SORT for picture in draw_report(tables, name, *by))


def test_plots_of_each_sort_are_looked_at() -> None:
    functions = {plot.drawn_by for name in REPORTS for plot in PLOTS.get(name, ())}
    assert {plot.drawn_by for name in OF_EACH_SORT for plot in PLOTS[name]} == functions


def figures(pictures: Pictures) -> list[Figure]:
    return [picture.figure for several in pictures.values() for picture in several]


def rename_players(tables: Tables, name: str) -> Tables:
    """Return the tables with a name added to that of each player."""
    games = tables.games.assign(
        **{
            side: tables.games[side].cat.rename_categories(lambda code: f"{name}{code}")
            for side in ("left", "right")
        }
    )
    return tables._replace(games=games)


def test_no_words_are_clipped_and_no_count_is_cut_off(tables: Tables) -> None:
    for figure in plots_of_each_sort(
        rename_players(tables, "Wolfeschlegelsteinhausen " * 3), "player"
    ):
        figure.draw_without_rendering()
        box, (width, height) = figure.get_tightbbox(), figure.get_size_inches()
        assert min(box.x0, box.y0) >= 0
        assert box.x1 <= width
        assert box.y1 <= height
        labels = [label.get_text() for axes in figure.axes for label in axes.get_yticklabels()]
        assert all(label[-1] != "…" for label in labels if label.startswith("Wolfe"))


def test_joiners_leave_no_marks(tables: Tables) -> None:
    for figure in plots_of_each_sort(
        rename_players(tables, "\u0645\u06cc\u200c\u062e \u200d"), "player"
    ):
        assert not any("·" in text.get_text() for text in figure.findobj(Text))


def test_every_plot_says_in_words_what_it_shows(pictures: Pictures) -> None:
    words = [str(figure.get_label()) for figure in figures(pictures)]
    assert all(label.endswith(".") and any(map(str.isdigit, label)) for label in words)
    assert len(set(words)) == len(words)


def test_on_a_page_plots_have_the_colors_of_the_page(pictures: Pictures) -> None:
    for figure in figures(pictures):
        svg = render_page_svg(figure).decode()
        style, drawn_with = svg.split("</style>", 1)
        assert "prefers-color-scheme:dark" in style
        assert not any(color in drawn_with for color in (*BY_NIGHT, "#000000"))
