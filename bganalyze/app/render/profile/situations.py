"""Cube habits, situations, luck, opponents and dice in a profile."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.answers import format_figure, format_group, table_as_text
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.profile.figures import (
    HEADINGS,
    figure_cells,
    figures_grid,
    name_habit,
    rows_of,
    select_main_engine,
    to_rows,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.player_pr import ErrorRate
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.luck import GAMES, MATCHES
from bganalyze.text import number_of

LUCK = {
    "Rolls": ("luck a roll (mEMG)",),
    "Results of matches": tuple(figure.name for figure in MATCHES),
    "Results of money games": tuple(figure.name for figure in GAMES),
}
"""The figures of the report `luck` in a profile, by section."""

MOST_GROUPS = 8
"""Groups of a situation that are shown: those with the most decisions."""

FEWEST_DECISIONS = 30
"""Fewest decisions of a group that is shown."""

MOST_OPPONENTS = 5

BY_SCORE = "score"
"""The situation whose groups are sorted by PR: they are many, and have no order of their own."""

ABOUT_SCORES = "the player's score first, the row with the highest PR on top"

OTHERS = "others"
"""Name of the row with the decisions that have no row of their own."""

MOST = 50.0
"""The most that a match can give or cost (% MWC)."""

COSTS = "lost by "
"""Beginning of the figures of cube habits that the table of points lost has in other units."""

ADJUSTED = "luck-adjusted result"
"""Beginning of the figures of results without luck."""


EQUAL_COST = (
    "at equal cost, explained with made-up numbers, not the player's: if waiting would have cost 0.04 to 0.08 in"
    " 10 positions, and the double was missed in 4 of them (40 %), while doubling would have cost as much in 5"
    " others, and was done in 1 (20 %), then a player errs 20 percentage points more often by waiting at this cost;"
    " the figure below averages over all costs of the player's own decisions"
)
"""An example of errors compared at equal cost; the guide for players continues it."""


def answer_cube_questions(profile: PlayerProfile) -> Iterator[Block]:
    """Yield whether a player doubles too early or too late, and takes or passes too much.

    Each answer has a table of its figures.
    """
    if profile.analyzed is None:
        return
    told = {left_out.words for left_out in profile.left_out}
    sections = [
        section for section in profile.analyzed.reports["cube-habits"] if len(section.frame)
    ]
    if sections:
        yield Note(
            "here an error is compared with the opposite one, not with the opponents' errors. Early doubles and"
            " doubles when too good are the wrong doubles of the table of points lost; doubles due were missed"
            f" or rightly made. Any loss counts here, also below {LEAST} EMG"
        )
        yield Note(EQUAL_COST)
    for section in sections:
        yield Note(f"{section.title.lower()}: {name_habit(section) or 'too little to tell'}")
        rows = to_rows(select_main_engine(section.frame))
        yield figures_grid([row for row in rows if not str(row["figure"]).startswith(COSTS)])
        yield from (Note(note) for note in section.notes if note not in told)


def tabulate_situations(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a table of PRs for each situation, such as the score: one row for each of its values.

    Values with fewer than `FEWEST_DECISIONS` decisions are one row together. A situation with only
    one other row has no table.
    """
    rate = profile.error_rate
    if rate is None:
        return
    enough = [
        section._replace(frame=section.frame[section.frame["of"] >= FEWEST_DECISIONS])
        for section in profile.situations
    ]
    grids = [_situation_grid(section, rate) for section in enough if len(section.frame) > 1]
    if grids:
        yield Note(
            "no difference between these groups is tested: some differ by chance, and some situations are"
            f" harder. A table has at most {MOST_GROUPS} groups, those with the most decisions. The row of {OTHERS}"
            f" has all other groups, those of fewer than {FEWEST_DECISIONS} decisions, and the decisions that belong"
            " to none, such as takes after a hit"
        )
    yield from grids


def _situation_grid(section: Section, rate: ErrorRate) -> Grid:
    """Return the PR by the values of one situation (such as the score) as a table; rare values share a row."""
    frame = section.frame
    column = str(frame.columns[0])
    shown = frame.sort_values("of", ascending=False, kind="stable").head(MOST_GROUPS).sort_index()
    if column == BY_SCORE:
        shown = shown.sort_values("value", ascending=False, kind="stable")
    rows: list[tuple[Cell, ...]] = [
        (
            Cell(_group_in_words(row[column])),
            Cell(f"{row['value']:.1f}"),
            Cell(_interval_in_words(row["low"], row["high"], row["matches"])),
            Cell(f"{row['of']:,.0f}"),
            Cell(f"{row['matches']:,}"),
        )
        for row in shown.to_dict("records")
    ]
    others = find_others(shown, rate)
    if others is not None:
        value, decisions = others
        texts = (OTHERS, f"{value:.1f}", "", f"{decisions:,}", "")
        rows.append(tuple(map(Cell, texts)))
    about = [*section.notes[:1], *([ABOUT_SCORES] if column == BY_SCORE else [])]
    notes = f" ({'; '.join(about)})" if about else ""
    headings = (column, f"PR ({PR_SHOWN})", "95 % interval", "decisions", "matches")
    return Grid(f"{section.title}{notes}", headings, tuple(rows))


def find_others(shown: pd.DataFrame, rate: ErrorRate) -> tuple[float, int] | None:
    """Return the PR and the number of the decisions that no group shown has; None without any.

    >>> groups = pd.DataFrame({"value": [4.0, 10.0], "of": [50, 25]})
    >>> find_others(groups, ErrorRate(7.0, 5.0, 9.0, 100, 5))
    (10.0, 25)
    """
    decisions = rate.decisions - int(shown["of"].sum())
    if decisions <= 0:
        return None
    lost = rate.value * rate.decisions - float((shown["value"] * shown["of"]).sum())
    return max(lost, 0.0) / decisions, decisions


def _interval_in_words(low: float, high: float, matches: int) -> str:
    """Return an interval, or the reason for its absence.

    >>> _interval_in_words(1.0, 2.5, 4), _interval_in_words(math.nan, math.nan, 1)
    ('1.0 to 2.5', '1 match only')
    """
    if math.isnan(low):
        return f"{number_of(matches, 'match')} only"
    return f"{low:.1f} to {high:.1f}"


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
        yield Grid("", HEADINGS, tuple(map(_luck_cells, rows)))
        yield from (
            Note(_luck_adjusted_in_words(row))
            for row in rows
            if str(row["figure"]).startswith(ADJUSTED) and not math.isnan(float(str(row["low"])))
        )
        yield Note(
            "luck above 0 is good; a match won is a result of 50, a match lost of -50; luck-adjusted: the"
            " result minus the player's luck, plus the opponent's"
        )


def _luck_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the cells of a statistic of luck; one decimal, but three for points."""
    cells = figure_cells(row)
    if "points" in str(row["figure"]):
        return cells
    value, low, high = (float(str(row[name])) for name in ("value", "low", "high"))
    if str(row["figure"]) == MATCHES[0].name:
        low, high = (
            math.nan if math.isnan(end) else min(max(end, -MOST), MOST) for end in (low, high)
        )
    interval = "" if math.isnan(low) else f"{low:z.1f} to {high:z.1f}"
    return (cells[0], Cell(f"{value:z.1f}"), Cell(interval), cells[3])


def _luck_adjusted_in_words(row: dict[str, object]) -> str:
    """Return whether a player is better or worse than the opponents without luck.

    >>> row = {"figure": "luck-adjusted result (% MWC a match)", "value": 0.5, "low": -11.6, "high": 12.5}
    >>> _luck_adjusted_in_words(row)
    'without luck: neither better nor worse is shown (-11.6 to 12.5 % MWC a match)'
    """
    low, high = (float(str(row[name])) for name in ("low", "high"))
    called = "better" if low > 0 else "worse" if high < 0 else "neither better nor worse is shown"
    unit = str(row["figure"]).partition("(")[2].rstrip(")")
    return f"without luck: {called} ({low:.1f} to {high:.1f} {unit})"


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
    others = games.nlargest(len(games), "value")["value"].iloc[MOST_OPPONENTS:]
    if len(others):
        yield Note(f"and {len(others):,} more with {number_of(int(others.max()), 'game')} or fewer")


def describe_dice(answer: ReportAnswer) -> Iterator[Block]:
    """Yield the test of the dice in these files as a table."""
    for section in answer.reports["dice"]:
        if "p" in section.frame and len(section.frame):
            yield _plain_grid(section)
            yield from map(Note, section.notes)
            return


def _plain_grid(section: Section) -> Grid:
    """Return a table of a report unchanged, with all its rows and columns, for display."""
    headings, rows = table_as_text(section.frame)
    return Grid("", tuple(headings), tuple(tuple(map(Cell, row)) for row in rows))
