"""The ledger: every point that was won was lost by somebody, and the score lines say the same."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from bganalyze.tables.frames import Tables

ENDINGS = ("plain", "gammon", "backgammon", "drop", "resigned", "off the board")
"""The entries: how a game ended. The first three were borne off."""


def ending(games: pd.DataFrame) -> pd.Series:
    """Return the entry that each game belongs under."""
    kind = games["kind"].astype(object)
    sizes = games["size"].map(dict(enumerate(ENDINGS[:3], 1)))
    found = kind.where(kind != "borne-off", sizes)
    found = found.replace({"resigned-match": "resigned"})
    return pd.Series(pd.Categorical(found.where(found.isin(ENDINGS), ENDINGS[-1]), ENDINGS))


def ledger(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return for each group and entry the games and points won and lost, and what was cut.

    Points are those that count. `cut` are the points of wins beyond what the winner needed. A last
    entry sums the others.
    """
    by = list(by)
    decided = rows[rows["finished"] > 0]
    entries = _summed(decided, [*by, "ending"])
    total = _summed(decided.assign(ending="total"), [*by, "ending"])
    order = pd.CategoricalDtype([*ENDINGS, "total"], ordered=True)
    whole = pd.concat([entries.astype({"ending": order}), total.astype({"ending": order})])
    return whole.sort_values([*by, "ending"], kind="stable").reset_index(drop=True)


def _summed(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    sums = rows.groupby(by, observed=True, dropna=False)[
        ["won", "gained", "cut", "lost", "given", "net"]
    ].sum()
    names = {
        "won": "games won",
        "gained": "points won",
        "lost": "games lost",
        "given": "points lost",
    }
    return sums.astype(int).rename(columns=names).reset_index()


def are_whole(tables: Tables) -> pd.Series:
    """Return for each match whether all its games are in the tables."""
    matches = tables.matches.set_index("match")["games"]
    games = tables.games.groupby("match").size().reindex(matches.index, fill_value=0)
    return games == matches


def balance(tables: Tables) -> pd.DataFrame:
    """Return for each match the points of its left player: before, won and after, and whether they fit.

    `before` and `after` are from the first and the last score line, the last game's points added;
    `won` is the sum of the points that count. A match with a gap in its games does not balance,
    nor one in which a score line contradicts a result. Matches of which a game is left out have no
    books.
    """
    matches = tables.matches.set_index("match")[are_whole(tables)]
    games = tables.games[tables.games["match"].isin(matches.index)]
    players = games[["left", "right"]].astype(object)
    of_match = matches.loc[games["match"], ["left", "right"]].astype(object).to_numpy()
    changed = (players["left"] != of_match[:, 0]) & (players["left"] == of_match[:, 1])
    counting = games["counting"].fillna(0).astype(int)
    made = {}
    for side, other in (("left", "right"), ("right", "left")):
        winner = games["winner"].astype(object)
        wins = (winner == side) & ~changed | (winner == other) & changed
        won = counting.where(wins, 0).groupby(games["match"]).sum()
        made[f"{side}_won"] = won.reindex(matches.index, fill_value=0)
    frame = matches[["left_before", "left_after", "right_before", "right_after"]].assign(**made)
    fits = pd.Series(True, index=frame.index)
    for side in ("left", "right"):
        fits &= (
            (frame[f"{side}_before"] + frame[f"{side}_won"])
            .eq(frame[f"{side}_after"])
            .fillna(False)
            .astype(bool)
        )
    return frame.assign(balances=fits).reset_index()
