"""The overview as a chapter of a page: in words that a player of a club understands."""

from __future__ import annotations

from typing import Any

import pandas as pd

from bganalyze.app.render.document import Chapter, Grid, Note, Picture, Tiles
from bganalyze.app.render.overview import MOST_PLAYERS, overview_chapter
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.overview import Overview
from bganalyze.statistics.reports.question import Question


def rows(*of: tuple[str, float], **columns: Any) -> pd.DataFrame:
    return pd.DataFrame(of, columns=["figure", "value"]).assign(
        kind="share", low=0.3, high=0.6, count=5, of=10, matches=10, expected=0.5, **columns
    )


DIFFERENCES = rows(
    ("games won", 0.6), ("doubled", 0.4), ("doubles rolled", 0.2), ("dances", 0.3), ("wasted", 0.1)
).assign(
    other=0.5,
    of_others=[False, True, False, False, True],
    sort=["strong", "style", "lucky", "unlucky", "weak"],
    p=[0.0001, 0.002, 0.01, 0.3, 0.4],
    corrected=[0.001, 0.02, None, None, 1.0],
)

OF_ANN = Overview(
    question=Question(player="Ann", by=()),
    counted=("1,234 matches", "5,678 games", "9 rolls"),
    glance=rows(("games", 5678), ("games won", 0.6)).assign(kind=["count", "share"]),
    days=("2023-05", "2024-02"),
    players=Section("Players", pd.DataFrame()),
    compared=DIFFERENCES,
    form=None,
    analyzed=12,
)


def parts(overview: Overview, form: Picture | None = None) -> dict[str, tuple[Any, ...]]:
    chapter: Chapter = overview_chapter(overview, form)
    return {part.title: part.blocks for part in chapter.parts}


def test_a_player_sees_figures_at_a_glance() -> None:
    (tiles,) = parts(OF_ANN)["At a glance"]
    assert isinstance(tiles, Tiles)
    assert [(tile.label, tile.value, tile.detail) for tile in tiles.tiles] == [
        ("Matches", "1,234", ""),
        ("Games", "5,678", ""),
        ("Games won", "60.0 %", "30.0 % to 60.0 %"),
        ("Played", "2023–2024", "2023-05 to 2024-02"),
        (
            "Analyzed by an engine",
            "12 of 1,234",
            "matches; --report errors shows what errors cost",
        ),
    ]


def test_how_sure_a_difference_is_stands_beside_it() -> None:
    blocks = parts(OF_ANN)["Compared with others"]
    grids = [block for block in blocks if isinstance(block, Grid)]
    groups = {
        grid.headings[0]: [(row[0].text, row[0].detail) for row in grid.rows] for grid in grids
    }
    assert groups == {
        "Strongest": [("games won", "sure")],
        "Differences that may be chance": [("wasted", "may be chance")],
        "Style: most unlike others": [("doubled", "fairly sure")],
        "Luck": [("doubles rolled", "lucky"), ("dances", "as usual")],
    }
    assert [cell.text for cell in grids[0].rows[0][1:]] == ["60.0 %", "50.0 %"]
    (note, certainty) = (block.text for block in blocks if isinstance(block, Note))
    assert note.startswith("others: all other players")
    assert certainty.startswith("3 figures compared. Some of them differ by chance alone")


def test_form_is_drawn_or_it_is_said_why_not() -> None:
    picture = Picture("about", b"")
    assert parts(OF_ANN, picture)["Form"] == (picture,)
    assert "too few" in parts(OF_ANN)["Form"][0].text


def test_of_many_players_those_who_stand_out_are_told_of_and_all_are_listed() -> None:
    names = [f"p{n}" for n in range(MOST_PLAYERS + 1)]
    players = rows(*(("games", float(n)) for n in range(len(names)))).assign(
        kind="count", player=pd.Categorical(names, categories=names)
    )
    of_all = OF_ANN._replace(
        question=Question(by=()),
        players=Section("Players", players),
        compared=DIFFERENCES.assign(player="p7"),
    )
    blocks = parts(of_all)
    assert "Form" not in blocks
    standing_out, *_ = blocks["Notable differences"]
    assert [[cell.text for cell in row[:3]] for row in standing_out.rows] == [
        ["p7", "strong", "games won"],
        ["p7", "style", "doubled"],
    ]
    grid, note = blocks["Players"]
    assert len(grid.rows) == MOST_PLAYERS
    assert note.text == "first 1,000 of 1,001 players"


def test_where_nobody_stands_out_that_is_said() -> None:
    chance = OF_ANN._replace(
        players=Section("Players", rows(("games", 1.0), player="p1")),
        compared=DIFFERENCES.assign(player="p7", corrected=1.0),
    )
    assert parts(chance)["Notable differences"][0].text.startswith("no notable differences")
    nothing = OF_ANN._replace(compared=DIFFERENCES.head(0))
    assert "too few matches" in parts(nothing)["Compared with others"][0].text
