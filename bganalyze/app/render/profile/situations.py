"""Cube habits, situations, luck, opponents and dice in a profile."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.answers import format_figure, format_group, table_as_text
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.profile.figures import figures_grid, rows_of, select_main_engine, to_rows
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import CALLED, Section

LUCK = {
    "Rolls": ("luck a roll (mEMG)",),
    "Results of matches": ("result (% MWC a match)", "luck-adjusted result (% MWC a match)"),
    "Results of money games": ("result (points a game)", "luck-adjusted result (points a game)"),
}
"""The figures of the report `luck` in a profile, by section."""

MOST_GROUPS = 12
"""Groups of a situation that are shown: those with the most decisions."""

FEWEST_DECISIONS = 30
"""Fewest decisions of a group that is shown."""

MOST_OPPONENTS = 5


def answer_cube_questions(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the answers to two questions about the cube, each with the figures behind it."""
    for section in () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]:
        rows = to_rows(select_main_engine(section.frame))
        called = next((str(row[CALLED]) for row in rows if row.get(CALLED)), "")
        if rows:
            yield Note(f"{section.title.lower()}: {called or 'too little to tell'}")
            yield figures_grid(rows)
            yield from map(Note, section.notes)


def tabulate_situations(sections: Sequence[Section]) -> Iterator[Block]:
    """Yield the PR by each situation that has several groups with enough decisions."""
    enough = [
        section._replace(frame=section.frame[section.frame["of"] >= FEWEST_DECISIONS])
        for section in sections
    ]
    grids = [_situation_grid(section) for section in enough if len(section.frame) > 1]
    if grids:
        yield Note(
            "no difference between these groups is tested: some of this many differ by chance, and"
            " decisions are harder in some situations than in others"
        )
    yield from grids


def _situation_grid(section: Section) -> Grid:
    """Return the PR by a situation as a table, with the groups that have the most decisions."""
    frame = section.frame
    column = str(frame.columns[0])
    shown = frame.sort_values("of", ascending=False, kind="stable").head(MOST_GROUPS).sort_index()
    rows = tuple(
        (
            Cell(_group_in_words(row[column])),
            Cell(f"{row['value']:.1f}"),
            Cell("" if math.isnan(row["low"]) else f"{row['low']:.1f} to {row['high']:.1f}"),
            Cell(f"{row['of']:,.0f}"),
            Cell(f"{row['matches']:,}"),
        )
        for row in shown.to_dict("records")
    )
    notes = f" ({section.notes[0]})" if section.notes else ""
    headings = (column, f"PR ({PR_SHOWN})", "95 % interval", "decisions", "matches")
    return Grid(f"{section.title}{notes}", headings, rows)


def _group_in_words(value: object) -> str:
    """Return the name of a group; a whole number without a decimal point.

    >>> _group_in_words(2.0), _group_in_words("hit")
    ('2', 'hit')
    """
    return f"{value:g}" if isinstance(value, float) else format_group(value)


def tabulate_luck(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the luck of the dice, and the results with and without it, as a table."""
    if profile.analyzed is None:
        return
    rows = [
        row
        for section, figures in LUCK.items()
        for row in rows_of(profile.analyzed, "luck", section, figures)
        if row["of"]
    ]
    if not rows:
        yield Note("the analyses do not say how lucky the rolls were")
    else:
        yield figures_grid(rows)
        yield Note("luck-adjusted: the result minus one's own luck, plus the opponent's")


def tabulate_opponents(answer: ReportAnswer) -> Iterator[Block]:
    """Yield the results against the opponents with the most games as a table."""
    sections: Sequence[Section] = answer.reports["head-to-head"]
    frame = sections[0].frame if sections else pd.DataFrame()
    if frame.empty or "opponent" not in frame:
        return
    games = frame[frame["figure"] == "games"].astype({"value": float})
    names = games.nlargest(MOST_OPPONENTS, "value")["opponent"].tolist()
    figures = [
        name
        for name in dict.fromkeys(frame["figure"])
        if name in ("games", "games won", "points a game")
    ]
    rows = []
    for name in names:
        of_name = frame[frame["opponent"] == name].set_index("figure")
        cells = (
            format_figure(
                {"figure": figure, **of_name.loc[figure]}, float(of_name.loc[figure, "value"])
            )
            if figure in of_name.index
            else ""
            for figure in figures
        )
        rows.append((Cell(str(name)), *map(Cell, cells)))
    yield Grid("", ("opponent", *figures), tuple(rows))


def describe_dice(answer: ReportAnswer) -> Iterator[Block]:
    """Yield the test of the dice in these files as a table."""
    for section in answer.reports["dice"]:
        if "p" in section.frame and len(section.frame):
            yield _plain_grid(section)
            yield from map(Note, section.notes)
            return


def _plain_grid(section: Section) -> Grid:
    """Return the table of a section with all its rows and columns."""
    headings, rows = table_as_text(section.frame)
    return Grid("", tuple(headings), tuple(tuple(map(Cell, row)) for row in rows))
