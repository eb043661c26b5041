"""The overview as a chapter of a page: figures at a glance, form, and what makes players differ."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd

from bganalyze.analysis.metrics import is_pr
from bganalyze.app.render.answers import measured, number
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
from bganalyze.statistics.reports.overview import FAIRLY_SURE, FEWEST_MATCHES, LUCK, SURE, Overview
from bganalyze.text import number_of

MOST_PLAYERS = 1000
"""More rows take a page too long to open."""

MOST_DIFFERENCES = 5
"""Of each sort, for one player."""

MOST_STANDING_OUT = 20
"""Of all players."""

SORTS = {
    "strong": "Strongest",
    "weak": "Weakest",
    "style": "Style: most unlike others",
}
"""What the differences of each sort stand under."""

UNUSUAL = 0.05
"""Luck of which there is so much, good or bad, has one player of so many."""


def overview_chapter(overview: Overview, form: Picture | None) -> Chapter:
    """Return the chapter; `form` is its figure over time, drawn."""
    parts = (
        ("At a glance", (Tiles(tuple(_tiles(overview))),)),
        ("Form", _form(overview, form)),
        (_TITLES["player" in overview.compared], tuple(_differences(overview))),
        ("Players", tuple(_players(overview))),
    )
    return Chapter("Overview", tuple(Part(title, blocks) for title, blocks in parts if blocks))


_TITLES = ("Strengths and weaknesses", "What stands out")
"""Of one player, and of many."""

# At a glance.


def _tiles(overview: Overview) -> Iterator[Tile]:
    yield from (Tile(_capital(what), value) for value, what in map(_count, overview.counted[:2]))
    if len(overview.players.frame):
        yield Tile("Players", f"{overview.players.frame['player'].nunique():,}")
    for row in overview.glance.to_dict("records"):
        if row["kind"] != "count":
            yield Tile(_capital(_named(row)), measured(row, row["value"]), _rests_on(row))
    if overview.days is not None:
        years = dict.fromkeys(month[:4] for month in overview.days)
        yield Tile("Played", "–".join(years), " to ".join(dict.fromkeys(overview.days)))
    if overview.analyzed is not None:
        value, what = _count(overview.counted[0])
        rest = f"{what}; bganalyze analyze tells what errors cost"
        yield Tile("Analyzed by an engine", f"{overview.analyzed:,} of {value}", rest)


def _count(words: str) -> tuple[str, str]:
    """A count in words as its number and what it counts."""
    value, _, what = words.partition(" ")
    return value, what


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"


def _named(row: dict[Hashable, Any]) -> str:
    """What a figure is called, with the engine where there are several."""
    others = ("player", *COLUMNS, CALLED)
    groups = [str(value) for name, value in row.items() if name not in others]
    return ", ".join([str(row["figure"]), *groups])


def _rests_on(row: dict[Hashable, Any]) -> str:
    """What a player of such a rate is called, the interval, and of how many decisions a PR is."""
    called = str(row.get(CALLED) or "").replace("nan", "")
    counted = f"over {row['of']:,}" if is_pr(str(row["figure"])) else ""
    return ", ".join(part for part in (called, _interval(row), counted) if part)


def _interval(row: dict[Hashable, Any]) -> str:
    if pd.isna(row["low"]):
        return ""
    return " to ".join(measured(row, row[end]) for end in ("low", "high"))


def _form(overview: Overview, form: Picture | None) -> tuple[Block, ...]:
    """The figure over time, and why there is none for a player."""
    if form is not None:
        return (form,)
    if len(overview.players.frame):
        return ()
    return (Note("too few dated matches to show how results changed"),)


# How players differ.


def how_sure(corrected: float) -> str:
    """Return in words how sure it is that a difference is none of chance.

    >>> how_sure(0.001), how_sure(0.02), how_sure(0.6)
    ('sure', 'fairly sure', 'may be chance')
    """
    if corrected < SURE:
        return "sure"
    return "fairly sure" if corrected < FAIRLY_SURE else "may be chance"


def _differences(overview: Overview) -> Iterator[Block]:
    frame = overview.compared
    if frame.empty:
        least = FEWEST_UNITS if overview.players.frame.empty else FEWEST_MATCHES
        yield Note(f"too few matches to compare: it takes {least} of a player")
        return
    of_players = frame[~frame["sort"].isin(LUCK)]
    yield from _standing_out(of_players) if "player" in frame else _of_player(overview)
    yield Note("others are all other players of the same files")
    yield Note(
        f"{number_of(len(of_players), 'figure')} compared; of so many some differ by chance alone, which is taken into account (Benjamini and Yekutieli): of a hundred differences called sure at most about {100 * SURE:.0f} is chance after all, of those called sure or fairly sure {100 * FAIRLY_SURE:.0f}; what may be chance says nothing yet"
    )


def _of_player(overview: Overview) -> Iterator[Grid]:
    """The surest differences of each sort, and the luck."""
    frame, player = overview.compared, overview.question.player or ""
    for sort, title in SORTS.items():
        rows = frame[frame["sort"] == sort].head(MOST_DIFFERENCES).to_dict("records")
        if rows:
            against = (
                "Others, or expected" if any(not row["of_others"] for row in rows) else "Others"
            )
            cells = tuple((_sureness(row), *_values(row)) for row in rows)
            yield Grid("", (title, player, against), cells)
    luck = frame[frame["sort"].isin(LUCK)].to_dict("records")
    if luck:
        cells = tuple((_fortune(row), *_values(row)) for row in luck)
        yield Grid("", ("Luck", player, "Expected"), cells)


def _sureness(row: dict[Hashable, Any]) -> Cell:
    """A figure, and how sure its difference is."""
    tone: Tone = "info" if row["corrected"] < FAIRLY_SURE else ""
    return Cell(str(row["figure"]), how_sure(row["corrected"]), tone=tone)


def _fortune(row: dict[Hashable, Any]) -> Cell:
    """A figure of luck, and whether it is more than most have."""
    if row["p"] >= UNUSUAL:
        return Cell(str(row["figure"]), "as usual")
    return Cell(str(row["figure"]), str(row["sort"]), tone="info")


def _values(row: dict[Hashable, Any]) -> tuple[Cell, Cell]:
    """A value with its interval, and what it is compared with."""
    share = row["kind"] in SHARES
    of_even = row["sort"] not in LUCK and not row["of_others"]
    other = Cell(number(row["other"], share), "expected" if of_even else "")
    return Cell(number(row["value"], share), _interval(row)), other


def _standing_out(frame: pd.DataFrame) -> Iterator[Block]:
    """The surest differences of all players."""
    rows = frame[frame["corrected"] < FAIRLY_SURE].head(MOST_STANDING_OUT)
    if rows.empty:
        yield Note("no player stands out: all differences may be chance")
        return
    cells = tuple(
        (Cell(str(row["player"])), Cell(str(row["sort"])), _sureness(row), *_values(row))
        for row in rows.to_dict("records")
    )
    headings = ("Player", "Is", "Figure", "Value", "Others, or expected")
    yield Grid("", headings, cells, words=3)


def _players(overview: Overview) -> Iterator[Block]:
    """The table of all players, those with most games first."""
    frame = overview.players.frame
    if frame.empty:
        return
    groups = [str(name) for name in frame if name not in (*COLUMNS, CALLED)]
    figures = tuple(dict.fromkeys(frame["figure"]))
    players = frame["player"].unique()
    shown = frame[frame["player"].isin(players[:MOST_PLAYERS])]
    cells: dict[tuple[str, ...], dict[str, Cell]] = {}
    for row in shown.to_dict("records"):
        value = measured(row, row["value"])
        of_player = cells.setdefault(tuple(str(row[name]) for name in groups), {})
        of_player[str(row["figure"])] = Cell(value, _rests_on(row))
    rows = tuple(
        (*map(Cell, named), *(of_player.get(figure, Cell("")) for figure in figures))
        for named, of_player in cells.items()
    )
    yield Grid("Players", (*groups, *figures), rows, words=len(groups))
    if len(players) > MOST_PLAYERS:
        yield Note(f"the first {MOST_PLAYERS:,} of {len(players):,} players")
