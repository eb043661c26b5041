"""The overview chapter of a page: figures at a glance, form, and differences between players."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd

from bganalyze.analysis.error_rates import is_pr
from bganalyze.app.render.answers import format_number, format_statistic
from bganalyze.app.render.document import (
    Block,
    Cell,
    Chapter,
    Grid,
    Note,
    Part,
    Picture,
    Tile,
    Tiles,
    Tone,
)
from bganalyze.statistics.estimates import FEWEST_UNITS
from bganalyze.statistics.reports.figures import CALLED, COLUMNS, SHARES
from bganalyze.statistics.reports.overview import FEWEST_MATCHES, LUCK, Overview
from bganalyze.statistics.sureness import DEFINITION, SHOWN, describe_sureness
from bganalyze.text import capitalize_first, number_of

MOST_PLAYERS = 1000
"""Players listed at most; pages with more rows are slow to open."""

MOST_DIFFERENCES = 5
"""Differences of each sort listed for one player at most."""

MOST_STANDING_OUT = 20
"""Differences listed for all players together at most."""

SORTS = {
    "strong": "Strongest",
    "weak": "Weakest",
    "style": "Style: most unlike others",
}
"""Heading of each sort of difference."""

MAY_BE_CHANCE = "Differences that may be chance"
"""Heading of the differences of any sort that are not sure."""

UNUSUAL = 0.05
"""p-value below which luck is called good or bad: one player in 20."""


def overview_chapter(overview: Overview, plot_over_time: Picture | None) -> Chapter:
    """Return an overview of one or all players as a chapter."""
    parts = (
        ("At a glance", (Tiles(tuple(_make_tiles(overview))),)),
        ("Form", _show_plot_or_note(overview, plot_over_time)),
        (_TITLES["player" in overview.compared], tuple(_tabulate_differences(overview))),
        ("Players", tuple(_tabulate_players(overview))),
    )
    return Chapter("Overview", tuple(Part(title, blocks) for title, blocks in parts if blocks))


_TITLES = ("Compared with others", "Notable differences")
"""Title of the differences of one player, and of many."""

# At a glance.


def _make_tiles(overview: Overview) -> Iterator[Tile]:
    """Yield the tiles at the top of an overview: counts, statistics and dates."""
    yield from (
        Tile(capitalize_first(what), value)
        for value, what in map(_split_count, overview.counted[:2])
    )
    if len(overview.players.frame):
        yield Tile("Players", f"{overview.players.frame['player'].nunique():,}")
    for row in overview.glance.to_dict("records"):
        if row["kind"] != "count":
            yield Tile(
                capitalize_first(_make_statistic_label(row)),
                format_statistic(row, row["value"]),
                _make_small_print_of_tile(row),
            )
    if overview.days is not None:
        years = dict.fromkeys(month[:4] for month in overview.days)
        yield Tile("Played", "–".join(years), " to ".join(dict.fromkeys(overview.days)))
    if overview.analyzed is not None:
        value, what = _split_count(overview.counted[0])
        rest = (
            f"{what}; --report errors shows what errors cost"
            if overview.analyzed
            else f"{what}, in the default database; bganalyze analyze shows what errors cost,"
            " and --db names another database"
        )
        yield Tile("Analyzed by an engine", f"{overview.analyzed:,} of {value}", rest)


def _split_count(words: str) -> tuple[str, str]:
    """Split a count such as `12 matches` into its number and its noun."""
    value, _, what = words.partition(" ")
    return value, what


def _make_statistic_label(row: dict[Hashable, Any]) -> str:
    """Return the name of a statistic, with the engine's name if there are several engines."""
    others = ("player", *COLUMNS, CALLED)
    groups = [str(value) for name, value in row.items() if name not in others]
    return ", ".join([str(row["figure"]), *groups])


def _make_small_print(row: dict[Hashable, Any]) -> str:
    """Return a statistic's small print: skill class, interval and number of cases."""
    called = str(row.get(CALLED) or "").replace("nan", "")
    counted = f"over {row['of']:,}" if is_pr(str(row["figure"])) else ""
    return ", ".join(part for part in (called, _format_interval(row), counted) if part)


_PER_CASE = {
    "error rate": "thousandths of EMG lost per decision",
    "luck a roll": "thousandths of EMG gained per roll",
}
"""Units of figures in mEMG, by the start of their label."""


def _make_small_print_of_tile(row: dict[Hashable, Any]) -> str:
    """Return the small print of a statistic in a tile, with its unit."""
    figure = str(row["figure"])
    meanings = [words for start, words in _PER_CASE.items() if figure.startswith(start)]
    return "; ".join(filter(None, (*meanings, _make_small_print(row))))


def _format_interval(row: dict[Hashable, Any]) -> str:
    """Return the interval of a statistic, such as `1.2 to 3.4`; "" if it has none."""
    if pd.isna(row["low"]):
        return ""
    return " to ".join(format_statistic(row, row[end]) for end in ("low", "high"))


def _show_plot_or_note(overview: Overview, plot_over_time: Picture | None) -> tuple[Block, ...]:
    """Return a plot of one player's results over time, or a note if it cannot be drawn.

    Return () for an overview of all players.
    """
    if plot_over_time is not None:
        return (plot_over_time,)
    if len(overview.players.frame):
        return ()
    return (Note("too few dated matches to show how results changed"),)


# Differences between players.


def _tabulate_differences(overview: Overview) -> Iterator[Block]:
    """Yield tables of the statistics in which players differ from other players."""
    frame = overview.compared
    if frame.empty:
        least = FEWEST_UNITS if overview.players.frame.empty else FEWEST_MATCHES
        yield Note(f"too few matches to compare: each player needs {least}")
        return
    of_players = frame[~frame["sort"].isin(LUCK)]
    yield from (
        _tabulate_outstanding(of_players) if "player" in frame else _tabulate_player(overview)
    )
    yield Note("others: all other players in the same files")
    yield Note(
        f"{number_of(len(of_players), 'figure')} compared. Some of them differ by chance alone, which the tests allow for (Benjamini and Yekutieli). {DEFINITION}"
    )


def _tabulate_player(overview: Overview) -> Iterator[Grid]:
    """Yield tables of a player's strengths, weaknesses, style and luck."""
    frame, player = overview.compared, overview.question.player or ""
    is_sure = frame["corrected"] < SHOWN
    for sort, title in SORTS.items():
        of_sort = frame[is_sure & (frame["sort"] == sort)]
        yield from _make_difference_grid(title, player, of_sort)
    yield from _make_difference_grid(
        MAY_BE_CHANCE, player, frame[~is_sure & frame["sort"].isin(SORTS)]
    )
    luck = frame[frame["sort"].isin(LUCK)].to_dict("records")
    if luck:
        cells = tuple((_make_luck_cell(row), *_make_value_cells(row)) for row in luck)
        yield Grid("", ("Luck", player, "Expected"), cells)


def _make_difference_grid(title: str, player: str, frame: pd.DataFrame) -> Iterator[Grid]:
    """Yield a table of the first rows of `frame`, or nothing if it is empty.

    `title` is the heading of the first column.
    """
    rows = frame.head(MOST_DIFFERENCES).to_dict("records")
    if rows:
        against = "Others, or expected" if any(not row["of_others"] for row in rows) else "Others"
        cells = tuple((_make_sureness_cell(row), *_make_value_cells(row)) for row in rows)
        yield Grid("", (title, player, against), cells)


def _make_sureness_cell(row: dict[Hashable, Any]) -> Cell:
    """Return a table cell with the name of a statistic, and how sure its difference is."""
    tone: Tone = "info" if row["corrected"] < SHOWN else ""
    return Cell(str(row["figure"]), describe_sureness(row["corrected"]), tone=tone)


def _make_luck_cell(row: dict[Hashable, Any]) -> Cell:
    """Return a table cell with a statistic of luck, and whether it is unusual."""
    if row["p"] >= UNUSUAL:
        return Cell(str(row["figure"]), "as usual")
    return Cell(str(row["figure"]), str(row["sort"]), tone="info")


def _make_value_cells(row: dict[Hashable, Any]) -> tuple[Cell, Cell]:
    """Return two table cells: a player's value, and the value to compare it with."""
    share = row["kind"] in SHARES
    of_even = row["sort"] not in LUCK and not row["of_others"]
    other = Cell(format_number(row["other"], share), "expected" if of_even else "")
    return Cell(format_number(row["value"], share), _format_interval(row)), other


def _tabulate_outstanding(frame: pd.DataFrame) -> Iterator[Block]:
    """Yield a table of the surest differences between a single player and all others."""
    rows = frame[frame["corrected"] < SHOWN].head(MOST_STANDING_OUT)
    if rows.empty:
        yield Note("no notable differences: all may be due to chance")
        return
    cells = tuple(
        (
            Cell(str(row["player"])),
            Cell(str(row["sort"])),
            _make_sureness_cell(row),
            *_make_value_cells(row),
        )
        for row in rows.to_dict("records")
    )
    headings = ("Player", "Is", "Figure", "Value", "Others, or expected")
    yield Grid("", headings, cells, words=3)


def _tabulate_players(overview: Overview) -> Iterator[Block]:
    """Yield a table of all players, cut to the first `MOST_PLAYERS`."""
    frame = overview.players.frame
    if frame.empty:
        return
    groups = [str(name) for name in frame if name not in (*COLUMNS, CALLED)]
    figures = tuple(dict.fromkeys(frame["figure"]))
    players = frame["player"].unique()
    shown = frame[frame["player"].isin(players[:MOST_PLAYERS])]
    cells: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in shown.to_dict("records"):
        value = format_statistic(row, row["value"])
        of_player = cells.setdefault(tuple(str(row[name]) for name in groups), {})
        of_player[str(row["figure"])] = Cell(value, _make_small_print(row))
    rows = tuple(
        (*map(Cell, named), *(of_player.get(figure, Cell("")) for figure in figures))
        for named, of_player in cells.items()
    )
    yield Grid("Players", (*groups, *figures), rows, words=len(groups))
    if len(players) > MOST_PLAYERS:
        yield Note(f"first {MOST_PLAYERS:,} of {len(players):,} players")
