"""What is asked of the reports: which matches, whose, and by what; and that part of the tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import pandas as pd

from bganalyze.record.players import plain_name
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.text import number_of

if TYPE_CHECKING:
    from bganalyze.statistics.tables.frames import AnalyzedTables, Recorded, Tables

DIMENSIONS = {
    "player": "whose games, rolls, cubes or decisions they are.",
    "opponent": "against whom.",
    "length": "points to win; 0 is money play.",
    "year": "of the match, as stated.",
    "month": "of the match.",
    "site": "where it was played: as the header says, else the program that wrote the record.",
    "stage": "where in its match a game stands: before the Crawford game, in it, after it, at double match point.",
    "score": "the points both sides need; where one needs a single point, in the Crawford game or after it.",
    "phase": "of the position: opening, contact, race, bear-off; of rolls, cubes and decisions.",
    "opened": "the first roll of the game; of analyzed matches.",
    "engine": "who analyzed; of analyzed matches.",
    "depth": "how deep the evaluation is, where a file tells it of each decision; of analyzed matches.",
}
"""What figures may be told apart by, and what each is."""


class Question(NamedTuple):
    """What is asked. Everything is counted unless something else is said."""

    by: tuple[str, ...] = ("player",)
    """The dimensions that figures are told apart by."""
    player: str | None = None
    """Only this player's figures."""
    opponent: str | None = None
    """Only figures against this player."""
    site: str | None = None
    """Only matches that were played there, in capitals or not."""
    stages: tuple[str, ...] = ()
    """Only games at these stages of a match; all if none is named."""
    since: dt.date | None = None
    """The first day that counts."""
    until: dt.date | None = None
    """The last day that counts."""
    min_games: int = 1
    """Groups with fewer games are left out."""
    strict: bool = False
    """Leave out every game in which an error was found, or whose result is disputed."""
    metrics: tuple[str, ...] = ()
    """Only these error rates; all if none is named."""
    most: int = 10
    """How many decisions are listed."""


# What of the tables a question is about, and what it leaves out.

AnyTables = TypeVar("AnyTables", "Tables", "Recorded", "AnalyzedTables")


MOST_REPETITIONS = 5
"""So many copies are named."""


class Excluded(NamedTuple):
    """What a question leaves out."""

    copies: int
    undated: int
    in_doubt: int
    """Matches of which nothing tells the day from the month."""
    other_days: int
    elsewhere: int
    """Matches of other sites."""
    other_stages: int
    """Games."""
    with_errors: int
    """Games."""
    disputed: int
    """Games with a disputed result, and no error of their own."""
    nobody: bool = False
    """Whether a player or an opponent is asked for who is not in the records."""
    repetitions: tuple[str, ...] = ()
    """Which of the copies repeats which match, in sentences, where files are known."""

    def words(self) -> tuple[str, ...]:
        """Return it in sentences."""
        reasons = (
            (self.copies, "match", "met twice and counted once"),
            (self.undated, "match", "without a date left out"),
            (self.in_doubt, "match", "whose day and month nothing tells apart left out"),
            (self.other_days, "match", "of other days left out"),
            (self.elsewhere, "match", "of other sites left out"),
            (self.other_stages, "game", "at other stages left out"),
            (self.with_errors, "game", "with errors left out"),
            (self.disputed, "game", "whose result is disputed left out"),
        )
        words = [f"{number_of(count, word)} {reason}" for count, word, reason in reasons if count]
        words[1:1] = self.repetitions
        words += ["nobody is called as the player that is asked for"] * self.nobody
        return tuple(words)


def selected(tables: AnyTables, question: Question) -> tuple[AnyTables, Excluded]:
    """Return the tables without what does not count, and how much that was.

    Games of other players than those that are asked for are not mentioned.
    """
    matches = tables.matches
    copies = matches["copy_of"].notna()
    has_days = question.since is not None or question.until is not None
    undated = ~copies & matches["date"].isna() & has_days
    in_doubt = (
        undated & matches["date_written"].notna() if "date_written" in matches else undated & False
    )
    other_days = ~copies & ~undated & ~_on_days(matches["date"], question)
    elsewhere = ~copies & ~undated & ~other_days & ~_is_at(matches["site"], question.site)
    in_question = ~copies & ~undated & ~other_days & ~elsewhere
    games = tables.games[tables.games["match"].isin(matches.loc[in_question, "match"])]
    if _persons(question):
        games = games[is_seat(games, question, *SIDES) | is_seat(games, question, *SIDES[::-1])]
    later = _is_at_other_stage(games, question)
    games = games[~later]
    if _persons(question) or question.stages:
        in_question &= matches["match"].isin(games["match"])
    faulty = games["errors"] > 0 if question.strict else pd.Series(False, index=games.index)
    disputed = is_disputed(games) & ~faulty & question.strict
    excluded = Excluded(
        copies=int(copies.sum()),
        undated=int((undated & ~in_doubt).sum()),
        in_doubt=int(in_doubt.sum()),
        other_days=int(other_days.sum()),
        elsewhere=int(elsewhere.sum()),
        other_stages=int(later.sum()),
        with_errors=int(faulty.sum()),
        disputed=int(disputed.sum()),
        repetitions=tuple(_repetitions(matches)),
        nobody=not all(_plays(tables.games, person) for person in _persons(question)),
    )
    return _restricted(tables, matches[in_question], games[~faulty & ~disputed]), excluded


def _repetitions(matches: pd.DataFrame) -> Iterator[str]:
    """Yield which match repeats which, as far as their files tell, and how many others do."""
    if not {"path", "number"} <= {*matches.columns}:
        return
    copies = matches[matches["copy_of"].notna() & matches["path"].notna()]
    others = len(copies) - MOST_REPETITIONS
    copies = copies.head(MOST_REPETITIONS)
    originals = matches.set_index("match").loc[copies["copy_of"]]
    columns = (frame[name] for frame in (copies, originals) for name in ("path", "number"))
    for path, number, original, first in zip(*columns, strict=True):
        if pd.isna(original):
            continue
        if path != original:
            yield f"{path} repeats {original}"
        elif number != first:
            yield f"match {number} of {path} repeats match {first}"
    if others > 0:
        yield f"{number_of(others, 'other match')} met twice"


def is_disputed(games: pd.DataFrame) -> pd.Series:
    """Return of which games the result is disputed; no analyzed match tells."""
    if "disputed" not in games:
        return pd.Series(False, index=games.index)
    return games["disputed"].notna()


def _persons(question: Question) -> list[str]:
    """Who is asked for by name."""
    return [person for person in (question.player, question.opponent) if person is not None]


def _plays(games: pd.DataFrame, player: str) -> bool:
    """Whether a player has played in any of the games."""
    return bool((is_player(games["left"], player) | is_player(games["right"], player)).any())


def is_seat(rows: pd.DataFrame, question: Question, own: str, other: str) -> pd.Series:
    """Return in which rows the player asked for is named by one column, and the opponent by another."""
    fits = pd.Series(True, index=rows.index)
    if question.player is not None:
        fits &= is_player(rows[own], question.player)
    if question.opponent is not None:
        fits &= is_player(rows[other], question.opponent)
    return fits


def _is_at(sites: pd.Series, site: str | None) -> pd.Series:
    """Which of the sites are the one that is asked for; all if none is."""
    if site is None:
        return pd.Series(True, index=sites.index)
    plain = plain_name(site)
    return sites.isin([name for name in sites.cat.categories if plain_name(name) == plain])


def _is_at_other_stage(games: pd.DataFrame, question: Question) -> pd.Series:
    if not question.stages:
        return pd.Series(False, index=games.index)
    return ~games["stage"].isin(question.stages)


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


_OF_SIDES = ("turns", "cubes", "decisions")
"""The tables whose rows are somebody's own; those of matches and games are of both players."""


def of_player(tables: AnyTables, question: Question) -> AnyTables:
    """Return the tables with the rolls, doubles and decisions of those that are asked for."""
    if not _persons(question):
        return tables
    games = tables.games
    seats = [
        games.loc[is_seat(games, question, own, other), ["match", "game"]].assign(side=own)
        for own, other in (SIDES, SIDES[::-1])
    ]
    own = pd.MultiIndex.from_frame(pd.concat(seats))

    def owned(frame: pd.DataFrame) -> pd.DataFrame:
        keys = frame[["match", "game", "side"]].astype({"side": str})
        return frame[pd.MultiIndex.from_frame(keys).isin(own)]

    names = [name for name in tables._fields if name in _OF_SIDES]
    return tables._replace(**{name: owned(getattr(tables, name)) for name in names})


def is_player(names: pd.Series, player: str) -> pd.Series:
    """Return which of the names are that player's."""
    plain = plain_name(player)
    persons = [name for name in names.cat.categories if plain_name(name) == plain]
    return names.isin(persons)
