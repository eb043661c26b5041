"""The reports of points: what was won and lost, by whom, against whom, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from bganalyze.board.equities import MOST_AWAY, TABLE, match_winning_chance
from bganalyze.statistics.estimates import ratios
from bganalyze.statistics.reports.figures import (
    COLUMNS,
    Rows,
    Section,
    contests,
    count,
    count_note,
    counted,
    estimated,
    mean,
    rate,
    reporting,
    share,
    summed,
    trials,
    with_counts,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.reports.seats import net_points
from bganalyze.statistics.reports.selection import ChosenSums
from bganalyze.statistics.reports.sums import BOTH, KEY, Base, KeptSums
from bganalyze.statistics.tables.frames import Recorded, Tables
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.text import number_of

# The ledger: every point that was won was lost by somebody, and the score lines say the same.

ENDINGS = ("plain", "gammon", "backgammon", "pass", "resigned", "off the board")
"""The entries: how a game ended. The first three were borne off."""


def ending(games: pd.DataFrame) -> pd.Series:
    """Return the entry that each game belongs under."""
    kind = games["kind"].astype(object)
    sizes = games["size"].map(dict(enumerate(ENDINGS[:3], 1)))
    entry = kind.where(kind != "borne-off", sizes)
    entry = entry.replace({"resigned-match": "resigned"})
    return pd.Series(pd.Categorical(entry.where(entry.isin(ENDINGS), ENDINGS[-1]), ENDINGS))


LEDGER = ("won", "gained", "cut", "lost", "given", "net")
"""What the ledger sums."""


def ledger(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return for each group and entry the games and points won and lost, and what was cut.

    Points are those that count. `cut` are the points of wins beyond what the winner needed. A last
    entry sums the others.
    """
    by = list(by)
    entries = _summed(rows, [*by, "ending"])
    total = _summed(rows.assign(ending="total"), [*by, "ending"])
    order = pd.CategoricalDtype([*ENDINGS, "total"], ordered=True)
    whole = pd.concat([entries.astype({"ending": order}), total.astype({"ending": order})])
    return whole.sort_values([*by, "ending"], kind="stable").reset_index(drop=True)


def _summed(rows: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    whole = rows.groupby(by, observed=True, dropna=False)[["finished", *LEDGER]].sum()
    names = {
        "won": "games won",
        "gained": "points won",
        "lost": "games lost",
        "given": "points lost",
    }
    sums = whole.loc[whole["finished"] > 0, list(LEDGER)]
    return sums.astype(int).rename(columns=names).reset_index()


def are_whole(tables: Tables | Recorded | ChosenSums) -> pd.Series:
    """Return for each match whether all its games are in the tables."""
    matches = tables.matches.set_index("match")["games"]
    games = tables.games.groupby("match").size().reindex(matches.index, fill_value=0)
    return games == matches


def balance(tables: Tables | Recorded | ChosenSums) -> pd.DataFrame:
    """Return for each match the points of its left player: before, won and after, and whether they fit.

    `before` and `after` are from the first and the last score line, the last game's points added;
    `won` is the sum of the points that count. A match with a gap in its games does not balance,
    nor one in which a finding contradicts a result, a score, the winner or the length. Matches of
    which a game is left out have no books.
    """
    matches = tables.matches.set_index("match")[are_whole(tables)]
    games = tables.games[tables.games["match"].isin(matches.index)]
    players = games[["left", "right"]].astype(object)
    of_match = matches.loc[games["match"], ["left", "right"]].astype(object).to_numpy()
    changed = (players["left"] != of_match[:, 0]) & (players["left"] == of_match[:, 1])
    counting = games["counting"].fillna(0).astype(int)
    points = {}
    for side, other in (SIDES, SIDES[::-1]):
        winner = games["winner"].astype(object)
        wins = (winner == side) & ~changed | (winner == other) & changed
        won = counting.where(wins, 0).groupby(games["match"]).sum()
        points[f"{side}_won"] = won.reindex(matches.index, fill_value=0)
    frame = matches[["left_before", "left_after", "right_before", "right_after"]].assign(**points)
    fits = [
        (frame[f"{side}_before"] + frame[f"{side}_won"]).eq(frame[f"{side}_after"]).fillna(False)
        for side in SIDES
    ]
    is_agreed = matches["disputed"].isna()
    return frame.assign(balances=(fits[0] & fits[1] & is_agreed).astype(bool)).reset_index()


FAR = 3
"""Points behind that make a long way to come back."""

PLACES = ("ahead", "level", "behind")
"""Where a side stands before a game."""

OWNERS = ("centered", "own", "opposing")
"""Where the cube is at the end of a game, as a side sees it."""

STAGES = ("crawford", "post-crawford", "double-match-point")

GAMES = (
    count("games", "finished", "", "Games that somebody won."),
    contests("games won", "won", "finished", "Of them."),
    mean("points a game", "net", "finished", "Points won less points lost."),
    rate("points a win", "gained", "won", "Points that count, for a game won."),
    rate("points a loss", "given", "lost", "Points that count, for a game lost."),
    share(
        "gammons of wins borne off",
        "gammon_won",
        "could_win_gammon",
        "Gammons and backgammons by the board at the end, of the wins by bearing off in which a gammon counted.",
    ),
    share(
        "gammons of losses borne off",
        "gammon_lost",
        "could_lose_gammon",
        "The same of losses.",
    ),
    share(
        "gammons of wins by resignation",
        "conceded_gammon",
        "conceded",
        "Resignations for two or three times the cube, of the opponent's resignations in which a gammon counted.",
    ),
    share(
        "gammons of all wins",
        "any_gammon_won",
        "won",
        "Gammons and backgammons that counted, borne off or resigned, of all games won: passed doubles, plain resignations and games in which no gammon counted too.",
    ),
)

MATCHES = (
    count("matches", "decided", "", "Matches to a length that are recorded to their end."),
    contests(
        "matches won",
        "match_won",
        "decided",
        f"Of them; expected by {TABLE} for the first score recorded, and unknown if one of them begins more than {MOST_AWAY} points from its end at another score than a level one.",
        "chance",
        known="chance_known",
    ),
    trials(
        "won from behind",
        "won_from_behind",
        "behind",
        "Of the matches in which the side was behind before some game.",
    ),
    trials(
        "won from 3 behind",
        "won_from_far",
        "far_behind",
        "Of those in which it was three points behind, or more.",
    ),
)

BY_STAGE = (
    count("games", "finished", "", "Finished games at this stage of a match."),
    contests("games won", "won", "finished", "Of them."),
)

BY_ENDING = (
    contests("wins", "won", "finished", "Games won, of those that ended so."),
    rate("points a win", "gained", "won", "Points that count, for a game won so."),
    rate("points a loss", "given", "lost", "Points that count, for a game lost so."),
)

SECTIONS = {
    "Games": GAMES,
    "Matches": MATCHES,
    "Games by stage": BY_STAGE,
    "Games by ending": BY_ENDING,
}


ACCOUNTS = Base(
    "accounts",
    lambda _, both: accounts(both),
    (*summed((*GAMES, *BY_STAGE, *BY_ENDING)), "cut", "sides"),
    {"ending": ENDINGS, "place": PLACES, "owner": OWNERS},
)

OF_MATCHES = Base("matches", lambda _, both: both, tuple(summed(MATCHES)))
"""What was won of whole matches: it depends on who the players are, and so is no sum that is kept."""


@reporting(SECTIONS, ACCOUNTS)
def points(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Points: games and matches won and lost, by what kind of ending, and the ledger of the points."""
    by = chosen.by(ACCOUNTS)
    staged = [*dict.fromkeys([*by, "stage"]), "place"]
    unfinished = count_note(chosen.games["winner"].isna(), "game", "without a winner left out")
    yield chosen.counted("Games", ACCOUNTS, GAMES, by, *unfinished)
    matches = of_matches(chosen)
    yield matches.counted("Matches", OF_MATCHES, MATCHES, by, *_match_notes(chosen, matches))
    late = chosen.units(ACCOUNTS, BY_STAGE, staged)
    yield counted("Games by stage", late[late["stage"].isin(STAGES)], BY_STAGE, staged)
    yield chosen.counted("Games by ending", ACCOUNTS, BY_ENDING, [*by, "ending"])
    entries = chosen.counts(ACCOUNTS, ["finished", *LEDGER], [*by, "ending"])
    yield Section("Ledger", ledger(entries, by), tuple(_ledger_notes(chosen)))


def accounts(both: pd.DataFrame) -> pd.DataFrame:
    """Return the games seen by each side, with what each side won and lost in them."""
    won, lost = both["won"], both["lost"]
    points = both["counting"].fillna(0).astype(int)
    counted = both["gammon_counted"].fillna(False).astype(bool)
    on_board, resigned = both["kind"] == "borne-off", both["resigned_size"].notna()
    large = (both["size"] >= 2).fillna(False).astype(bool)
    conceded_large = (both["resigned_size"] >= 2).fillna(False).astype(bool)
    numbers = {
        "finished": both["ended"],
        "gained": points.where(won, 0),
        "given": points.where(lost, 0),
        "net": net_points(both),
        "cut": both["cut"].where(won, 0),
        "could_win_gammon": won & on_board & counted,
        "gammon_won": won & on_board & counted & large,
        "could_lose_gammon": lost & on_board & counted,
        "gammon_lost": lost & on_board & counted & large,
        "any_gammon_won": won & counted & (on_board & large | resigned & conceded_large),
        "conceded": won & resigned & counted,
        "conceded_gammon": won & resigned & counted & conceded_large,
        "sides": won.notna(),
    }
    numbers = {name: column.astype(int) for name, column in numbers.items()}
    dimensions = {"ending": ending(both), "place": _place(both), "owner": _owner(both)}
    return both.assign(**dimensions, **numbers).astype({"won": int, "lost": int})


def _place(both: pd.DataFrame) -> pd.Series:
    """Whether the side is ahead, behind or level."""
    lead = np.sign(both["own_score"] - both["other_score"])
    return pd.Series(pd.Categorical.from_codes(1 - lead.to_numpy(dtype=int), list(PLACES)))


def _owner(both: pd.DataFrame) -> pd.Series:
    """Whose cube it was at the end."""
    side, holder = both["side"].cat.codes, both["cube_owner"].cat.codes
    codes = np.select([holder == side, holder >= 0], [1, 2], 0)
    return pd.Series(pd.Categorical.from_codes(codes, list(OWNERS)))


def of_matches(chosen: ChosenSums) -> ChosenSums:
    """Return the selection of the sums of decided matches, instead of games."""
    frame = match_accounts(chosen.both, chosen)
    sums = KeptSums(Recorded(chosen.matches, chosen.games), {OF_MATCHES.name: frame})
    return chosen._replace(sums=sums)


def match_accounts(base: pd.DataFrame, tables: Recorded | ChosenSums) -> pd.DataFrame:
    """Return the decided matches seen by each side: a row for each, with its first game's columns.

    Matches of which a game is left out are left out themselves.
    """
    matches = tables.matches.set_index("match")
    decided = matches[matches["winner"].notna() & are_whole(tables)]
    behind = base["other_score"] - base["own_score"]
    person = _person(base)
    base = base[[*KEY, "side", "own_away", "other_away", "stage"]].assign(person=person)
    keys = ["match", "person"]
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
    sums = {name: values.astype(int) for name, values in numbers.items()}
    known = (~np.isnan(np.asarray(chances, dtype=float))).astype(int)
    return first[list(KEY)].assign(chance=chances, chance_known=known, **sums)


def _person(base: pd.DataFrame) -> pd.Series:
    """Who a side is through a match, whose players may change columns: one of two, if they have names."""
    same = base["player"].cat.codes == base["opponent"].cat.codes
    return base["player"].cat.codes.where(~same, -1 - base["side"].cat.codes)


def _chance(own: int, other: int, stage: str) -> float:
    """Return the chance by the table at the first score; NaN where the table does not reach.

    At a level score both sides have the same chance, however long the match.
    `own` and `other` are missing where the length is in doubt.
    """
    if pd.isna(own) or pd.isna(other):
        return float("nan")
    if own == other:
        return 0.5
    after = stage in ("post-crawford", "double-match-point")
    chance = match_winning_chance(own, other, after_crawford=after)
    return float("nan") if chance is None else chance


def _match_notes(chosen: ChosenSums, matches: ChosenSums) -> tuple[str, ...]:
    """Return what is left out of the decided matches, and of how many no chance is known."""
    sides = matches.counts(OF_MATCHES, ["decided", "chance_known"], [])[["decided", "chance_known"]]
    decided, known = sides.sum()
    length, winner = chosen.matches["length"], chosen.matches["winner"]
    is_disputed = winner_is_disputed(chosen.matches)
    return (
        *count_note(
            (length > 0) & winner.isna() & ~is_disputed, "match", "not recorded to the end left out"
        ),
        *count_note((length > 0) & is_disputed, "match", "whose winner is disputed left out"),
        *count_note(~are_whole(chosen), "match", "of which a game is left out left out"),
        *count_note(length == 0, "record", "of money play left out"),
        *count_note(
            int(decided - known) // 2,
            "match",
            f"beyond {TABLE}: what was to be expected is unknown",
        ),
    )


def winner_is_disputed(matches: pd.DataFrame) -> pd.Series:
    """Return of which matches the record and the board have another winner."""
    recorded, by_board = (
        matches[name].astype(object).fillna("") for name in ("recorded_winner", "board_winner")
    )
    return recorded != by_board


def _ledger_notes(chosen: ChosenSums) -> Iterator[str]:
    won, lost, cut = chosen.total(ACCOUNTS, "gained", "given", "cut")
    yield f"{number_of(won, 'point')} won and {lost:,} lost"
    yield from count_note(cut, "point", "cut: won beyond what the winner needed")
    books = balance(chosen)
    if len(books):
        agreeing = f"{books['balances'].sum():,} of {number_of(len(books), 'match')}"
        yield f"{agreeing} in balance: the first score, the points of the games and the last score agree"


# Head to head.

_PAIR = ("player", "opponent")


@reporting({"Games": GAMES[:3], "Matches": MATCHES[:2]}, ACCOUNTS)
def head_to_head(chosen: ChosenSums, question: Question) -> Iterator[Section]:
    """Head to head: what players won and lost against each other."""
    others = [name for name in chosen.by(ACCOUNTS) if name not in _PAIR]
    by = (*_PAIR, *others)
    once = _once(chosen._replace(question=question._replace(by=by)))
    yield Section("Games", estimated(once.units(ACCOUNTS, GAMES[:3], by), GAMES[:3], by))
    matches = of_matches(once).units(OF_MATCHES, MATCHES[:2], by)
    yield Section("Matches", estimated(matches, MATCHES[:2], by))


def _once(chosen: ChosenSums) -> ChosenSums:
    """Each pair as one of the two sees it, the one with more games; or as the player asked for."""
    if chosen.question.player is not None:
        return chosen
    return chosen.of(chosen.seats["player"].cat.codes <= chosen.seats["opponent"].cat.codes)


# Trend.

MOVING = GAMES[2]
WINDOW = 30
"""How many matches the moving window holds."""

AT_ONCE = 1000
"""So many windows are made at once."""


@reporting({"By month": GAMES[:3], "Moving window": (MOVING,)}, ACCOUNTS)
def trend(chosen: ChosenSums, _: Question) -> Iterator[Section]:
    """Trend: results over time, month by month and in a window that moves over the matches."""
    dates = chosen.matches.set_index("match")["date"]
    undated = count_note(dates.isna(), "match", "without a date left out")
    dated = chosen.of(chosen.seats["match"].isin(dates.index[dates.notna()]))
    by = [name for name in chosen.by(ACCOUNTS) if name not in ("month", "year")]
    yield dated.counted("By month", ACCOUNTS, GAMES[:3], [*by, "month"], *undated)
    matches = dated.units(ACCOUNTS, (MOVING,), by, BOTH + "sides")
    yield _window(matches.assign(date=dates.loc[matches["match"]].to_numpy()), by)


def _window(units: pd.DataFrame, by: list[str]) -> Section:
    """The window, where it shows something: of both players of each game it would be 0 for ever."""
    about = f"each value is of {WINDOW} matches; neighbors share most of them"
    if units[BOTH + "sides"].any():
        about = "no window for both players of a game together: what one wins the other loses"
        units = units.head(0)
    return Section("Moving window", moving(units, by), (about,))


def moving(units: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return the points a game of every window of `WINDOW` matches, under its last day."""
    units = units[units[MOVING.below] > 0].sort_values([*by, "date", "match"], kind="stable")
    keys = [units[name] for name in by] or np.zeros(len(units), dtype=int)
    place = units.groupby(keys, observed=True, dropna=False).cumcount()
    last = np.flatnonzero(place >= WINDOW - 1)
    lots = [last[start : start + AT_ONCE] for start in range(0, max(len(last), 1), AT_ONCE)]
    windows = pd.concat([_windows(units, lot) for lot in lots], ignore_index=True)
    values = pd.concat([units[[*by, "date"]].iloc[last].reset_index(drop=True), windows], axis=1)
    values = values.assign(
        date=values["date"].dt.strftime("%Y-%m-%d"),
        figure=MOVING.name,
        kind=MOVING.kind,
        expected=float("nan"),
    )
    return with_counts(values[[*by, "date", *COLUMNS]])


def _windows(units: pd.DataFrame, last: Rows) -> pd.DataFrame:
    """The windows that end with some of the matches."""
    of_window = units[[MOVING.above, MOVING.below]].iloc[(last[:, None] - _BACK).ravel()]
    numbered = of_window.assign(window=np.repeat(np.arange(len(last)), WINDOW))
    return ratios(numbered, ["window"], MOVING.above, MOVING.below)


_BACK = np.arange(WINDOW)[::-1]
