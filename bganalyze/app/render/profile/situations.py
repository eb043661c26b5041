"""Situations, luck, opponents and dice in a profile."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

import pandas as pd

from bganalyze.analysis.error_rates import PR_SHOWN
from bganalyze.app.render.answers import format_group, format_statistic, table_as_text
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.profile.figures import (
    HEADINGS,
    find_rows,
    make_statistic_cells,
)
from bganalyze.statistics.estimates import (
    FEWEST_UNITS,
    p_value_against_zero,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.figures import Section
from bganalyze.statistics.reports.luck import GAMES, MATCHES
from bganalyze.statistics.sureness import NOT_TESTED, describe_sureness
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

FEWEST_RESULTS = 10
"""Fewest matches, or money games, from which results without luck are shown."""

MOST_OPPONENTS = 5

BY_SCORE = "score"
"""The situation whose groups are sorted by PR: they are many, and have no order of their own."""

ABOUT_SCORES = "the player's score first; of the usual scores the one with the highest PR on top"

MOST = 50.0
"""The most that a match can give or cost (% MWC)."""

RESULT, ABOVE_EVEN = MATCHES[0].name, "result above an even 50 % (percentage points)"
"""The result of matches in the report on luck, and the heading for it in a profile."""

ADJUSTED = "luck-adjusted result"
"""Beginning of the figures of results without luck."""


def tabulate_situations(profile: PlayerProfile) -> Iterator[Block]:
    """Yield tables of the player's PR in different situations, such as at each score."""
    enough = [
        section._replace(
            frame=section.frame[
                (section.frame["of"] >= FEWEST_DECISIONS) & section.frame["low"].notna()
            ]
        )
        for section in profile.situations
    ]
    grids = [_situation_grid(section) for section in enough if len(section.frame) > 1]
    if grids:
        yield Note(
            f"differences are {NOT_TESTED}, and some situations are harder. The tables overlap,"
            f" as each is about the same decisions; a row needs {FEWEST_DECISIONS} decisions and {FEWEST_UNITS} matches, and"
            f" a table has the {MOST_GROUPS} rows with the most decisions"
        )
    yield from grids


def _situation_grid(section: Section) -> Grid:
    """Return a table of the player's PR in each situation of one kind, such as each score."""
    frame = section.frame
    column = str(frame.columns[0])
    shown = frame.sort_values("of", ascending=False, kind="stable").head(MOST_GROUPS).sort_index()
    if column == BY_SCORE:
        shown = shown.sort_values("value", ascending=False, kind="stable")
    rows = tuple(
        (
            Cell(_group_in_words(row[column])),
            Cell(f"{row['value']:.1f}"),
            Cell(f"{row['low']:.1f} to {row['high']:.1f}"),
            Cell(f"{row['of']:,.0f}"),
            Cell(f"{row['matches']:,}"),
        )
        for row in shown.to_dict("records")
    )
    about = [*section.notes[:1], *([ABOUT_SCORES] if column == BY_SCORE else [])]
    notes = f" ({'; '.join(about)})" if about else ""
    headings = (column, f"PR ({PR_SHOWN})", "95 % interval", "decisions", "matches")
    return Grid(f"{section.title}{notes}", headings, rows)


def _group_in_words(value: object) -> str:
    """Return the name of a group, such as a number or a word, as text.

    >>> _group_in_words(2.0), _group_in_words("hit")
    ('2', 'hit')
    """
    return f"{value:g}" if isinstance(value, float) else format_group(value)


def tabulate_luck(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a table of the player's luck with the dice, and of results with the luck taken out."""
    if profile.analyzed is None:
        return
    rows = [
        row
        for section, figures in LUCK.items()
        for row in find_rows(profile.analyzed, "luck", section, figures)
        if row["of"]
    ]
    few = [row for row in rows if _are_few_results(row)]
    rows = [row for row in rows if not _are_few_results(row)]
    if few:
        called = "money games" if _is_about_money_games(few[0]) else "complete matches"
        yield Note(f"fewer than {FEWEST_RESULTS} {called}: no result without luck")
    if not rows:
        yield Note("the analyses do not say how lucky the rolls were")
    else:
        yield Grid("", HEADINGS, tuple(map(_luck_cells, rows)))
        yield from _note_results_left_out(profile.analyzed, {str(row["figure"]) for row in rows})
        yield from (
            Note(_luck_adjusted_in_words(row))
            for row in rows
            if str(row["figure"]).startswith(ADJUSTED) and not math.isnan(float(str(row["low"])))
        )
        yield Note(
            "luck above 0 is good; a match won is a result of 50, a match lost of -50 (if recorded from a later"
            " score than 0–0, only the change from the chance of winning at that score); luck-adjusted: the result"
            " minus the player's luck, plus the opponent's; matches won without luck: 50 % plus that. Only matches"
            " recorded to the end count"
        )


def _note_results_left_out(
    analyzed: ReportAnswer, shown_statistics: Collection[str]
) -> Iterator[Note]:
    """Yield notes on results that the table of luck leaves out."""
    for section in analyzed.reports["luck"]:
        if section.title != "Rolls" and not set(shown_statistics).isdisjoint(
            section.frame["figure"]
        ):
            yield from map(Note, section.notes)


def _are_few_results(row: dict[str, object]) -> bool:
    """Whether a row on results counts fewer than `FEWEST_RESULTS` results."""
    return row["figure"] != LUCK["Rolls"][0] and float(str(row["of"])) < FEWEST_RESULTS


def _is_about_money_games(row: dict[str, object]) -> bool:
    """Whether a row is about the results of money games, not of matches."""
    return row["figure"] in LUCK["Results of money games"]


def win_without_luck(profile: PlayerProfile) -> tuple[Cell, ...] | None:
    """Return the table cells on matches won with the luck taken out; None if they are too few."""
    if profile.analyzed is None:
        return None
    name = MATCHES[-1].name
    rows = find_rows(profile.analyzed, "luck", "Results of matches", (name,))
    if not rows or _are_few_results(rows[0]) or math.isnan(float(str(rows[0]["low"]))):
        return None
    # The report has differences from half of the matches.
    value, low, high = (
        min(max(MOST + float(str(rows[0][end])), 0.0), 2 * MOST) for end in ("value", "low", "high")
    )
    interval = f"{low:.1f} to {high:.1f} %"
    of = float(str(rows[0]["of"]))
    return tuple(map(Cell, ("matches won without luck", f"{value:.1f} %", interval, f"{of:,.0f}")))


def note_matches_without_luck(profile: PlayerProfile) -> Iterator[Note]:
    """Yield a note if the result without luck counts only some of the matches."""
    if profile.analyzed is None:
        return
    (result,) = find_rows(profile.analyzed, "luck", "Results of matches", (MATCHES[0].name,))
    of, value = float(str(result["of"])), float(str(result["value"]))
    complete = find_rows(profile.recorded, "points", "Matches", ("matches won",))
    if complete and float(str(complete[0]["of"])) != of:
        yield Note(
            f"without luck: only {of:,.0f} matches, with all results and luck known; with luck: {MOST + value:.1f} % of them"
        )


def _luck_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the table cells of a statistic of luck."""
    cells = make_statistic_cells(row)
    if "points" in str(row["figure"]):
        return cells
    name = Cell(cells[0].text.replace(RESULT, ABOVE_EVEN))
    value, low, high = (float(str(row[name])) for name in ("value", "low", "high"))
    if str(row["figure"]) == MATCHES[0].name:
        low, high = (
            math.nan if math.isnan(end) else min(max(end, -MOST), MOST) for end in (low, high)
        )
    interval = "" if math.isnan(low) else f"{low:z.1f} to {high:z.1f}"
    return (name, Cell(f"{value:z.1f}"), Cell(interval), cells[3])


def _luck_adjusted_in_words(row: dict[str, object]) -> str:
    """Return words on how a result without luck differs from an even result.

    >>> row = {"value": 0.5, "low": -11.6, "high": 12.5, "matches": 30}
    >>> _luck_adjusted_in_words(row | {"figure": "luck-adjusted result (% MWC a match)"})
    'without luck 0.5 % MWC a match above an even 50 %: may be chance'
    """
    value = float(str(row["value"]))
    measured = [float(str(row[name])) for name in ("value", "low", "high", "matches")]
    called, even = (
        "above" if value > 0 else "below",
        0 if _is_about_money_games(row) else f"{MOST:.0f} %",
    )
    unit = str(row["figure"]).partition("(")[2].rstrip(")")
    return (
        f"without luck {abs(value):.1f} {unit} {called} an even {even}:"
        f" {describe_sureness(p_value_against_zero(*measured))}"
    )


def tabulate_opponents(answer: ReportAnswer) -> Iterator[Block]:
    """Yield a table of the results against the most frequent opponents."""
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
            format_statistic(
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
    """Yield a table of a statistical test of whether the dice were fair."""
    for section in answer.reports["dice"]:
        if "p" in section.frame and len(section.frame):
            yield _plain_grid(section)
            yield from map(Note, section.notes)
            return


def _plain_grid(section: Section) -> Grid:
    """Return a table of a report with all its rows and columns."""
    headings, rows = table_as_text(section.frame)
    return Grid("", tuple(headings), tuple(tuple(map(Cell, row)) for row in rows))
