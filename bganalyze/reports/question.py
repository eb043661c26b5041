"""What is asked of the reports: which matches, whose, and by what; and that part of the tables."""

from __future__ import annotations

import datetime as dt
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pandas as pd

from bganalyze.players import plain_name
from bganalyze.text import number_of

if TYPE_CHECKING:
    from bganalyze.tables.frames import JudgedTables, Tables

DIMENSIONS = (
    *("player", "opponent", "length", "year", "month", "site", "stage", "score", "phase"),
    *("opened", "engine"),
)
"""What figures may be told apart by. The last two are of judged matches: the first throw of the
game, and who judged."""


class Question(NamedTuple):
    """What is asked. Everything is counted unless something else is said."""

    by: tuple[str, ...] = ("player",)
    player: str | None = None
    """Only this player's figures."""
    since: dt.date | None = None
    until: dt.date | None = None
    """The last day that counts."""
    min_games: int = 1
    """Groups with fewer games are left out."""
    strict: bool = False
    """Leave out every game in which an error was found."""
    metrics: tuple[str, ...] = ()
    """Only these error rates; all if none is named."""
    most: int = 10
    """How many decisions are listed."""


# What of the tables a question is about, and what it leaves out.

AnyTables = TypeVar("AnyTables", "Tables", "JudgedTables")


class Excluded(NamedTuple):
    """What a question leaves out."""

    copies: int
    undated: int
    other_days: int
    with_errors: int
    """Games."""
    nobody: bool = False
    """Whether a player is asked for who is not in the records."""

    def words(self) -> tuple[str, ...]:
        """Return it in sentences."""
        reasons = (
            (self.copies, "match", "met twice and counted once"),
            (self.undated, "match", "without a date left out"),
            (self.other_days, "match", "of other days left out"),
            (self.with_errors, "game", "with errors left out"),
        )
        words = [f"{number_of(count, word)} {reason}" for count, word, reason in reasons if count]
        words += ["nobody is called as the player that is asked for"] * self.nobody
        return tuple(words)


def selected(tables: AnyTables, question: Question) -> tuple[AnyTables, Excluded]:
    """Return the tables without what does not count, and how much that was.

    Games of other players than the one that is asked for are not mentioned.
    """
    matches = tables.matches
    copies = matches["copy_of"].notna()
    has_days = question.since is not None or question.until is not None
    undated = ~copies & matches["date"].isna() & has_days
    other_days = ~copies & ~undated & ~_on_days(matches["date"], question)
    in_question = ~copies & ~undated & ~other_days
    games = tables.games[tables.games["match"].isin(matches.loc[in_question, "match"])]
    if question.player is not None:
        games = games[_plays(games, question.player)]
        in_question &= matches["match"].isin(games["match"])
    faulty = games["errors"] > 0 if question.strict else pd.Series(False, index=games.index)
    excluded = Excluded(
        copies=int(copies.sum()),
        undated=int(undated.sum()),
        other_days=int(other_days.sum()),
        with_errors=int(faulty.sum()),
        nobody=question.player is not None and not _plays(tables.games, question.player).any(),
    )
    return _restricted(tables, matches[in_question], games[~faulty]), excluded


def _plays(games: pd.DataFrame, player: str) -> pd.Series:
    """Which games a player has played in."""
    return is_player(games["left"], player) | is_player(games["right"], player)


def _on_days(date: pd.Series, question: Question) -> pd.Series:
    fits = pd.Series(True, index=date.index)
    if question.since is not None:
        fits &= date >= pd.Timestamp(question.since)
    if question.until is not None:
        fits &= date <= pd.Timestamp(question.until)
    return fits


def _restricted(tables: AnyTables, matches: pd.DataFrame, games: pd.DataFrame) -> AnyTables:
    """Return the tables with these matches and games and what belongs to them."""
    if len(matches) == len(tables.matches) and len(games) == len(tables.games):
        return tables
    kept = pd.MultiIndex.from_frame(games[["match", "game"]])

    def within(frame: pd.DataFrame) -> pd.DataFrame:
        inside = pd.MultiIndex.from_frame(frame[["match", "game"]]).isin(kept)
        whole = frame["game"].isna() & frame["match"].isin(matches["match"])
        return frame[inside | whole]

    others = [name for name in tables._fields if name not in ("matches", "games")]
    parts = {name: within(getattr(tables, name)) for name in others}
    return tables._replace(matches=matches, games=games, **parts)


def names_for(games: pd.DataFrame, player: str) -> list[str]:
    """Return the names of that player in the games, or else those that look most like it.

    >>> games = pd.DataFrame({"left": ["Ann", "Anna"], "right": ["Bob", "Cid"]}, dtype="category")
    >>> names_for(games, "ann"), names_for(games, "Bop"), names_for(games, "Xaver")
    (['Ann'], ['Bob'], [])
    """
    names = {plain_name(name): name for side in ("left", "right") for name in games[side].unique()}
    wanted = plain_name(player)
    return [
        names[name] for name in ([wanted] if wanted in names else get_close_matches(wanted, names))
    ]


_OF_SIDES = ("turns", "cubes", "decisions")
"""The tables whose rows are somebody's own; those of matches and games are of both players."""


def of_player(tables: AnyTables, question: Question) -> AnyTables:
    """Return the tables with the throws, doubles and decisions of the player that is asked for."""
    if question.player is None:
        return tables
    games = tables.games
    seats = [
        games.loc[is_player(games[side], question.player), ["match", "game"]].assign(side=side)
        for side in ("left", "right")
    ]
    own = pd.MultiIndex.from_frame(pd.concat(seats))

    def owned(frame: pd.DataFrame) -> pd.DataFrame:
        keys = frame[["match", "game", "side"]].astype({"side": str})
        return frame[pd.MultiIndex.from_frame(keys).isin(own)]

    names = [name for name in tables._fields if name in _OF_SIDES]
    return tables._replace(**{name: owned(getattr(tables, name)) for name in names})


def is_player(names: pd.Series, player: str) -> pd.Series:
    """Return which of the names are that player's."""
    wanted = plain_name(player)
    persons = [name for name in names.cat.categories if plain_name(name) == wanted]
    return names.isin(persons)
