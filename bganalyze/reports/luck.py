"""Luck: how good the dice were, and what would have been won without it.

The luck of a throw is the equity of its best play less the mean over all throws; both sides have
their own. A result adjusted for luck is what was won, less one's own luck, plus the opponent's (GNU
Backgammon): it varies less than the result does, and says more of the players.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bganalyze.judging.gnubg_statistics import LUCK_MARKS
from bganalyze.reports.figures import Figure, Section, count_note, estimated, rows_for
from bganalyze.reports.judged import both_sides, decided, in_units
from bganalyze.reports.question import Question
from bganalyze.tables.frames import JudgedTables

VERY, LESS = LUCK_MARKS["very lucky"], LUCK_MARKS["lucky"]

BANDS = {
    "very lucky": (VERY, float("inf"), f"Throws that gained more than {VERY}."),
    "lucky": (LESS, VERY, f"Those that gained more than {LESS}, the former apart."),
    "unlucky": (-VERY, -LESS, f"Those that lost more than {LESS}, the next apart."),
    "very unlucky": (-float("inf"), -VERY, f"Those that lost more than {VERY}."),
}
"""GNU Backgammon's marks of throws: the ends of each."""

LUCK = (
    Figure("throws", "throws", "", "count", "Throws of which the engine tells the luck."),
    Figure(
        "luck a throw (mEMG)",
        "luck",
        "throws",
        "mean",
        "Equity of the best play above the mean over all throws.",
        factor=1000,
    ),
    *(Figure(mark, mark, "throws", "share", about) for mark, (_, _, about) in BANDS.items()),
)

ADJUSTED = {
    "result": ("result", "What was won, losses deducted."),
    "own luck": ("own", "The sum of the luck of the own throws."),
    "opponent's luck": ("other", "That of the opponent's."),
    "luck-adjusted result": ("adjusted", "The result, less one's own luck, plus the opponent's."),
}
"""What results are made of: the column of each, and its meaning."""


def _results(unit: str, below: str, factor: float) -> tuple[Figure, ...]:
    return tuple(
        Figure(f"{name} ({unit})", column, below, "mean", about, factor=factor)
        for name, (column, about) in ADJUSTED.items()
    )


MATCHES = _results("% MWC a match", "matches", 100)
GAMES = _results("points a game", "games", 1)

SECTIONS = {"Throws": LUCK, "Results of matches": MATCHES, "Results of money games": GAMES}
"""The figures of each section."""


def report(tables: JudgedTables, question: Question) -> list[Section]:
    """Return the luck of the throws, and results with the luck taken out."""
    throws = rows_for(lucky(tables), question)
    ended = rows_for(results(tables), question)
    by = [name for name in question.by if name in throws]
    of_games = [name for name in by if name in ended]
    return [
        Section("Throws", estimated(throws, LUCK, by), _unsure(tables)),
        Section(
            "Results of matches",
            estimated(of_matches(ended, of_games), MATCHES, of_games),
            count_note(
                int(tables.games["worth"].isna().sum()), "game", "without a result left out"
            ),
        ),
        Section("Results of money games", estimated(ended[ended["games"] > 0], GAMES, of_games)),
    ]


def lucky(tables: JudgedTables) -> pd.DataFrame:
    """Return the throws of which the luck is known; where the record shows no play, none is."""
    rows = decided(tables)
    rows = rows[rows["luck"].notna() & rows["legal"].notna()]
    luck = rows["luck"]
    marks = {
        mark: ((luck > low) & (luck <= high) if low > 0 else (luck >= low) & (luck < high))
        for mark, (low, high, _) in BANDS.items()
    }
    return rows.assign(throws=1.0, **{mark: is_so.astype(float) for mark, is_so in marks.items()})


def results(tables: JudgedTables) -> pd.DataFrame:
    """Return each game that has a result as both sides see it, with the luck of either.

    In chances to win the match or, of a money game, in points.
    """
    both = both_sides(tables)
    both = both[both["worth"].notna()]
    throws = lucky(tables)
    sums = throws.groupby(["match", "game", "side"], observed=True)["luck_cost"].sum()
    other = both["side"].map({"left": "right", "right": "left"})
    own_luck, other_luck = (_luck_of(sums, both, side) for side in (both["side"], other))
    sign = both["won"].astype(float) - both["lost"].astype(float)
    result = sign * both["worth"]
    is_money = both["length"] == 0
    return both.assign(
        result=result,
        own=own_luck,
        other=other_luck,
        adjusted=result - own_luck + other_luck,
        matches=(~is_money).astype(float),
        games=is_money.astype(float),
    )


def of_matches(games: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the games of matches to a length; those of a match are one in each group."""
    return in_units(games[games["matches"] > 0], "matches", by)


def _luck_of(sums: pd.Series, both: pd.DataFrame, side: pd.Series) -> pd.Series:
    keys = pd.MultiIndex.from_arrays([both["match"], both["game"], side.astype(str)])
    by_side = sums.rename(index=str, level="side")
    return pd.Series(by_side.reindex(keys).fillna(0.0).to_numpy(), index=both.index)


def _unsure(tables: JudgedTables) -> tuple[str, ...]:
    rows = tables.decisions[tables.decisions["kind"] == "play"]
    silent = rows["verified"] & (rows["luck"].isna() | rows["legal"].isna())
    return (
        *count_note(int((~rows["verified"]).sum()), "throw", "on boards in doubt left out"),
        *count_note(
            int(silent.sum()), "throw", "without a play, or whose luck is not told, left out"
        ),
    )
