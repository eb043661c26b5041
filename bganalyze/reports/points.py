"""Points: games and matches won and lost, by what kind of ending, and the ledger of the points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from bganalyze.equities import TABLE, match_winning_chance
from bganalyze.reports.figures import Figure, Section, count_note, estimated, even, rows_for, sides
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables
from bganalyze.text import number_of

# The ledger: every point that was won was lost by somebody, and the score lines say the same.

ENDINGS = ("plain", "gammon", "backgammon", "drop", "resigned", "off the board")
"""The entries: how a game ended. The first three were borne off."""


def ending(games: pd.DataFrame) -> pd.Series:
    """Return the entry that each game belongs under."""
    kind = games["kind"].astype(object)
    sizes = games["size"].map(dict(enumerate(ENDINGS[:3], 1)))
    entry = kind.where(kind != "borne-off", sizes)
    entry = entry.replace({"resigned-match": "resigned"})
    return pd.Series(pd.Categorical(entry.where(entry.isin(ENDINGS), ENDINGS[-1]), ENDINGS))


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
    points = {}
    for side, other in (("left", "right"), ("right", "left")):
        winner = games["winner"].astype(object)
        wins = (winner == side) & ~changed | (winner == other) & changed
        won = counting.where(wins, 0).groupby(games["match"]).sum()
        points[f"{side}_won"] = won.reindex(matches.index, fill_value=0)
    frame = matches[["left_before", "left_after", "right_before", "right_after"]].assign(**points)
    fits = pd.Series(True, index=frame.index)
    for side in ("left", "right"):
        fits &= (
            (frame[f"{side}_before"] + frame[f"{side}_won"])
            .eq(frame[f"{side}_after"])
            .fillna(False)
            .astype(bool)
        )
    return frame.assign(balances=fits).reset_index()


GROUPS: frozenset[str] = frozenset()

FAR = 3
"""Points behind that make a long way to come back."""

STAGES = ("crawford", "post-crawford", "double-match-point")

GAMES = (
    Figure("games", "finished", "", "count", "Games that somebody won."),
    Figure("games won", "won", "finished", "contests", "Of them."),
    Figure("points a game", "net", "finished", "mean", "Points won less points lost."),
    Figure("points a win", "gained", "won", "rate", "Points that count, for a game won."),
    Figure("points a loss", "given", "lost", "rate", "Points that count, for a game lost."),
    Figure(
        "gammons won",
        "gammon_won",
        "could_win_gammon",
        "share",
        "Gammons and backgammons by the board at the end, of the wins by bearing off in which a gammon counted.",
    ),
    Figure("gammons lost", "gammon_lost", "could_lose_gammon", "share", "The same of losses."),
    Figure(
        "gammons won by resignation",
        "conceded_gammon",
        "conceded",
        "share",
        "Resignations for two or three times the cube, of the opponent's resignations in which a gammon counted.",
    ),
)

MATCHES = (
    Figure(
        "matches", "decided", "", "count", "Matches to a length that are recorded to their end."
    ),
    Figure(
        "matches won",
        "match_won",
        "decided",
        "contests",
        f"Of them; expected by {TABLE} for the first score recorded.",
        "chance",
    ),
    Figure(
        "won from behind",
        "won_from_behind",
        "behind",
        "trials",
        "Of the matches in which the side was behind before some game.",
    ),
    Figure(
        "won from 3 behind",
        "won_from_far",
        "far_behind",
        "trials",
        "Of those in which it was three points behind, or more.",
    ),
)

BY_STAGE = (
    Figure("games", "finished", "", "count", "Finished games at this stage of a match."),
    Figure("games won", "won", "finished", "contests", "Of them."),
)

BY_ENDING = (
    Figure("wins", "won", "finished", "share", "Games won, of those that ended so."),
    Figure("points a win", "gained", "won", "rate", "Points that count, for a game won so."),
    Figure("points a loss", "given", "lost", "rate", "Points that count, for a game lost so."),
)

SECTIONS = {
    "Games": GAMES,
    "Matches": MATCHES,
    "Games by stage": BY_STAGE,
    "Games by ending": BY_ENDING,
}
"""The figures of each section."""


def report(tables: Tables, question: Question) -> list[Section]:
    """Return games, matches, stages of matches, endings, and the ledger."""
    base = accounts(tables)
    rows, by = rows_for(base, question), [name for name in question.by if name in base]
    matches = rows_for(match_accounts(base, tables), question)
    late = rows[rows["stage"].isin(STAGES)]
    unfinished = int(tables.games["winner"].isna().sum())
    games, whole = estimated(rows, GAMES, by), estimated(matches, MATCHES, by)
    staged = estimated(late, BY_STAGE, [*by, "stage", "place"])
    left = count_note(unfinished, "game", "without a winner left out")
    return [
        Section("Games", games, (*even(games), *left)),
        Section("Matches", whole, (*even(whole), *_match_notes(tables))),
        Section("Games by stage", staged, even(staged)),
        Section("Games by ending", estimated(rows, BY_ENDING, [*by, "ending"])),
        Section("Ledger", ledger(rows, by), _ledger_notes(base, tables)),
    ]


def accounts(tables: Tables) -> pd.DataFrame:
    """Return the games seen by each side, with what each side won and lost in them."""
    both = sides(tables)
    won, lost = both["won"], both["lost"]
    points = both["counting"].fillna(0).astype(int)
    full = both["on_board"].fillna(both["recorded"]).fillna(points).astype(int)
    counted = both["gammon_counted"].fillna(False).astype(bool)
    on_board, resigned = both["kind"] == "borne-off", both["resigned_size"].notna()
    large = (both["size"] >= 2).fillna(False).astype(bool)
    conceded_large = (both["resigned_size"] >= 2).fillna(False).astype(bool)
    numbers = {
        "finished": won | lost,
        "gained": points.where(won, 0),
        "given": points.where(lost, 0),
        "net": points.where(won, 0) - points.where(lost, 0),
        "cut": (full - points).clip(lower=0).where(won, 0),
        "could_win_gammon": won & on_board & counted,
        "gammon_won": won & on_board & counted & large,
        "could_lose_gammon": lost & on_board & counted,
        "gammon_lost": lost & on_board & counted & large,
        "conceded": won & resigned & counted,
        "conceded_gammon": won & resigned & counted & conceded_large,
    }
    numbers = {name: column.astype(int) for name, column in numbers.items()}
    return both.assign(ending=ending(both), place=_place(both), **numbers).astype(
        {"won": int, "lost": int}
    )


def _place(both: pd.DataFrame) -> pd.Series:
    """Whether the side is ahead, behind or level."""
    lead = np.sign(both["own_score"] - both["other_score"])
    return pd.Series(
        pd.Categorical.from_codes(1 - lead.to_numpy(dtype=int), ["ahead", "level", "behind"])
    )


def match_accounts(base: pd.DataFrame, tables: Tables) -> pd.DataFrame:
    """Return the decided matches seen by each side: a row for each, with its first game's columns.

    Matches of which a game is left out are left out themselves.
    """
    matches = tables.matches.set_index("match")
    decided = matches[matches["winner"].notna() & are_whole(tables)]
    base = base.assign(seat=_seat(base))
    keys = ["match", "seat"]
    behind = base["other_score"] - base["own_score"]
    deepest = behind.groupby([base[key] for key in keys]).max()
    first = base.sort_values(["match", "game"], kind="stable").drop_duplicates(["match", "side"])
    first = first[first["match"].isin(decided.index)].reset_index(drop=True)
    trailed = deepest.reindex(pd.MultiIndex.from_frame(first[keys])).to_numpy()
    winner = decided["winner"].astype(object).reindex(first["match"]).to_numpy()
    won = first["side"].astype(object).to_numpy() == winner
    numbers = {
        "decided": np.ones(len(first), dtype=int),
        "match_won": won,
        "behind": trailed > 0,
        "won_from_behind": won & (trailed > 0),
        "far_behind": trailed >= FAR,
        "won_from_far": won & (trailed >= FAR),
    }
    chances = [
        _chance(*row)
        for row in zip(first["own_away"], first["other_away"], first["stage"], strict=True)
    ]
    return first.assign(
        chance=chances, **{name: values.astype(int) for name, values in numbers.items()}
    )


def _seat(base: pd.DataFrame) -> pd.Series:
    """Who a side is through a match, whose players may change columns: one of two, if they have names."""
    same = base["player"].astype(object) == base["opponent"].astype(object)
    return base["player"].cat.codes.where(~same, -1 - base["side"].cat.codes)


def _chance(own: int, other: int, stage: str) -> float:
    """The chance by the table at the first score; NaN where the table does not reach."""
    after = stage in ("post-crawford", "double-match-point")
    chance = match_winning_chance(own, other, after_crawford=after)
    return float("nan") if chance is None else chance


def _match_notes(tables: Tables) -> tuple[str, ...]:
    undecided = int(((tables.matches["length"] > 0) & tables.matches["winner"].isna()).sum())
    broken = int((~are_whole(tables)).sum())
    money = int((tables.matches["length"] == 0).sum())
    return (
        *count_note(undecided, "match", "not recorded to the end left out"),
        *count_note(broken, "match", "of which a game is left out left out"),
        *count_note(money, "record", "of money play left out"),
    )


_BALANCED = (
    "{:,} of {} in balance: the first score, the points of the games and the last score agree"
)


def _ledger_notes(base: pd.DataFrame, tables: Tables) -> tuple[str, ...]:
    won, lost = int(base["gained"].sum()), int(base["given"].sum())
    cut = int(base["cut"].sum())
    books = balance(tables)
    off = int((~books["balances"]).sum())
    return (
        f"{number_of(won, 'point')} won and {lost:,} lost",
        *count_note(cut, "point", "cut: won beyond what the winner needed"),
        *(
            [_BALANCED.format(len(books) - off, number_of(len(books), "match"))]
            if len(books)
            else ()
        ),
    )
