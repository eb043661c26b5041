"""The question to the reports, and selecting the matches, games and players it is about."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar, cast

import pandas as pd

from bganalyze.record.players import plain_name
from bganalyze.statistics.norms import NormTable, read_shipped_norms
from bganalyze.statistics.tables.copies_table import tabulate_copies
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.text import number_of

if TYPE_CHECKING:
    from bganalyze.statistics.tables.frames import AnalyzedTables, Recorded, Tables

DIMENSIONS = {
    "player": "the player whose games, rolls, cubes or decisions are counted.",
    "opponent": "the other player.",
    "length": "points to win; 0 is money play.",
    "year": "year of the match, as stated.",
    "month": "month of the match.",
    "site": "place of play: as stated in the header, else the program that wrote the match file.",
    "stage": "stage of the match: before the Crawford game, in it, after it, at double match point.",
    "score": "the points both sides need; if one needs a single point, also whether it is the Crawford game or after it.",
    "phase": "phase of the position: opening, contact, race, bear-off; for rolls, cubes and decisions.",
    "opened": "the first roll of the game; for analyzed matches.",
    "engine": "the engine with version and level; for analyzed matches.",
    "depth": "search depth of each evaluation, if the file states it; for analyzed matches.",
}
"""The dimensions that figures can be grouped by, with the meaning of each."""


class Question(NamedTuple):
    """A question to reports: which matches to count (by default all), and how to group them."""

    by: tuple[str, ...] = ("player",)
    """The dimensions that figures are grouped by."""
    player: str | None = None
    """Only this player's figures."""
    opponent: str | None = None
    """Only figures against this player."""
    site: str | None = None
    """Only matches played at this site; upper or lower case does not matter."""
    stages: tuple[str, ...] = ()
    """Only games at these stages of a match; all if empty."""
    since: dt.date | None = None
    """The first day that counts."""
    until: dt.date | None = None
    """The last day that counts."""
    min_games: int = 1
    """Groups with fewer games are left out."""
    strict: bool = False
    """Leave out every game with an error or a disputed result."""
    finished: bool = False
    """Leave out games that break off, and those given up within the first rolls."""
    metrics: tuple[str, ...] = ()
    """Only these error rates; all if empty."""
    most: int = 10
    """Number of decisions listed."""
    own_norms: NormTable | None = None
    """The norms to compare with; None for those of the program."""

    @property
    def norms(self) -> NormTable:
        """The norms of the question or, if it has none, those that come with the program."""
        return read_shipped_norms() if self.own_norms is None else self.own_norms


# Selecting the part of the tables that a question is about.

AnyTables = TypeVar("AnyTables", "Tables", "Recorded", "AnalyzedTables")


FEW_ROLLS = 6
"""Most rolls of both sides, three each, of a game given up at once: somebody left."""

MOST_REPETITIONS = 5
"""Most copies listed by name."""


class Excluded(NamedTuple):
    """Counts of matches and games that a question leaves out."""

    copies: int
    copied_games: int
    """Games that are also, and more fully, in another file that shares only a part of the match."""
    undated: int
    in_doubt: int
    """Matches whose date does not show which number is the day."""
    other_days: int
    elsewhere: int
    """Matches at other sites."""
    other_stages: int
    """Games at other stages."""
    with_errors: int
    """Games with errors."""
    disputed: int
    """Games with a disputed result but without an error."""
    broken_off: int = 0
    """Games that break off or are given up within the first rolls."""
    nobody: bool = False
    """Whether the player or opponent asked for is in no match."""
    repetitions: tuple[str, ...] = ()
    """Copies with the matches they repeat, in sentences, if files are known."""

    def words(self) -> tuple[str, ...]:
        """Return the counts in words, such as `3 matches of other sites left out`."""
        reasons = (
            (self.copies, "match", "found twice and counted once"),
            (self.copied_games, "game", "found in two records and counted once"),
            (self.undated, "match", "without a date left out"),
            (self.in_doubt, "match", "with ambiguous day and month left out"),
            (self.other_days, "match", "of other days left out"),
            (self.elsewhere, "match", "of other sites left out"),
            (self.other_stages, "game", "at other stages left out"),
            (self.broken_off, "game", f"unfinished or given up within {FEW_ROLLS} rolls left out"),
            (self.with_errors, "game", "with errors left out"),
            (self.disputed, "game", "whose result is disputed left out"),
        )
        words = [f"{number_of(count, word)} {reason}" for count, word, reason in reasons if count]
        place = bool(self.copies) + bool(self.copied_games)
        words[place:place] = self.repetitions
        words += ["no match has a player of that name"] * self.nobody
        return tuple(words)


def restrict_tables(tables: AnyTables, question: Question) -> tuple[AnyTables, Excluded]:
    """Return the rows of tables that a question selects, and counts of what it leaves out."""
    matches = tables.matches
    copies = matches["copy_of"].notna()
    has_days = question.since is not None or question.until is not None
    undated = ~copies & matches["date"].isna() & has_days
    in_doubt = (
        undated & matches["date_written"].notna() if "date_written" in matches else undated & False
    )
    other_days = ~copies & ~undated & ~_is_on_days(matches["date"], question)
    elsewhere = ~copies & ~undated & ~other_days & ~_is_at_site(matches["site"], question.site)
    in_question = ~copies & ~undated & ~other_days & ~elsewhere
    games = tables.games[tables.games["match"].isin(matches.loc[in_question, "match"])]
    copied = games["counted_elsewhere"]
    # A match does not count if all of its games count in other records.
    in_question &= ~matches["match"].isin(set(games["match"]) - set(games.loc[~copied, "match"]))
    games = games[~copied]
    if _list_names_asked_for(question):
        games = games[
            match_players(games, question, *SIDES) | match_players(games, question, *SIDES[::-1])
        ]
    later = _is_at_other_stage(games, question)
    games = games[~later]
    if _list_names_asked_for(question) or question.stages:
        in_question &= matches["match"].isin(games["match"])
    broken_off = pd.Series(False, index=games.index)
    if question.finished:
        broken_off = _is_broken_off(tables, games)
        games = games[~broken_off]
        in_question &= matches["match"].isin(games["match"])
    faulty = games["errors"] > 0 if question.strict else pd.Series(False, index=games.index)
    disputed = is_disputed(games) & ~faulty & question.strict
    excluded = Excluded(
        copies=int(copies.sum()),
        copied_games=int(copied.sum()),
        undated=int((undated & ~in_doubt).sum()),
        in_doubt=int(in_doubt.sum()),
        other_days=int(other_days.sum()),
        elsewhere=int(elsewhere.sum()),
        other_stages=int(later.sum()),
        with_errors=int(faulty.sum()),
        disputed=int(disputed.sum()),
        broken_off=int(broken_off.sum()),
        repetitions=tuple(_describe_repetitions(matches)),
        nobody=not all(
            _has_played(tables.games, person) for person in _list_names_asked_for(question)
        ),
    )
    return _restrict_tables(tables, matches[in_question], games[~faulty & ~disputed]), excluded


def _is_broken_off(tables: Tables | Recorded | AnalyzedTables, games: pd.DataFrame) -> pd.Series:
    """Return for each game whether it has no winner, or was resigned within `FEW_ROLLS` rolls."""
    if "rolls" in games:
        is_given_up, rolls = games["kind"].astype(str).str.startswith("resigned"), games["rolls"]
    else:
        keys = ["match", "game"]
        kinds = cast("AnalyzedTables", tables).decisions[[*keys, "kind"]]
        counts = kinds.assign(
            rolls=kinds["kind"] == "play", given_up=kinds["kind"] == "resignation"
        )
        sums = counts.groupby(keys)[["rolls", "given_up"]].sum()
        of_games = sums.reindex(pd.MultiIndex.from_frame(games[keys]), fill_value=0)
        is_given_up = pd.Series(of_games["given_up"].to_numpy() > 0, index=games.index)
        rolls = pd.Series(of_games["rolls"].to_numpy(), index=games.index)
    return games["winner"].isna() | (is_given_up & (rolls <= FEW_ROLLS))


def _describe_repetitions(matches: pd.DataFrame) -> Iterator[str]:
    """Yield a sentence on each match found in several files, up to `MOST_REPETITIONS`."""
    if not {"path", "number"} <= {*matches.columns}:
        return
    pairs = tabulate_copies(matches).dropna(subset=["path", "other_path"])
    pairs = pairs.drop_duplicates("words")  # The engines of an analysis each have the same pairs.
    yield from pairs["words"].head(MOST_REPETITIONS)
    others = pairs["kind"].iloc[MOST_REPETITIONS:].isin(("copy", "equal")).sum()
    if others:
        yield f"{number_of(int(others), 'other match')} found twice"


def is_disputed(games: pd.DataFrame) -> pd.Series:
    """Return for each game whether its result is disputed, because a broken rule contradicts it."""
    if "disputed" not in games:
        return pd.Series(False, index=games.index)
    return games["disputed"].notna()


def _list_names_asked_for(question: Question) -> list[str]:
    """Return the names of the player and the opponent in a question.

    >>> _list_names_asked_for(Question(player="Ann"))
    ['Ann']
    """
    return [person for person in (question.player, question.opponent) if person is not None]


def _has_played(games: pd.DataFrame, player: str) -> bool:
    """Whether a player has played in any of the games."""
    return bool((is_player(games["left"], player) | is_player(games["right"], player)).any())


def match_players(rows: pd.DataFrame, question: Question, own: str, other: str) -> pd.Series:
    """Return for each row whether its player and opponent are those whom a question names.

    `own` and `other` are the columns of player and opponent. A question without names fits every
    row.
    """
    fits = pd.Series(True, index=rows.index)
    if question.player is not None:
        fits &= is_player(rows[own], question.player)
    if question.opponent is not None:
        fits &= is_player(rows[other], question.opponent)
    return fits


def _is_at_site(sites: pd.Series, site: str | None) -> pd.Series:
    """Return for each match whether it was played at `site`, or always True if `site` is None."""
    if site is None:
        return pd.Series(True, index=sites.index)
    plain = plain_name(site)
    return sites.isin([name for name in sites.cat.categories if plain_name(name) == plain])


def _is_at_other_stage(games: pd.DataFrame, question: Question) -> pd.Series:
    """Return for each game whether the question excludes its stage of the match."""
    if not question.stages:
        return pd.Series(False, index=games.index)
    return ~games["stage"].isin(question.stages)


def _is_on_days(date: pd.Series, question: Question) -> pd.Series:
    """Return for each date whether it is in the period of a question.

    A missing date is in the period only if the question names none.
    """
    fits = pd.Series(True, index=date.index)
    if question.since is not None:
        fits &= date >= pd.Timestamp(question.since)
    if question.until is not None:
        fits &= date <= pd.Timestamp(question.until)
    return fits


def _restrict_tables(tables: AnyTables, matches: pd.DataFrame, games: pd.DataFrame) -> AnyTables:
    """Return tables with only the rows of the given matches and games."""
    if len(matches) == len(tables.matches) and len(games) == len(tables.games):
        return tables
    kept = pd.MultiIndex.from_frame(games[["match", "game"]])

    def within(frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of these games, and those about a whole match."""
        inside = pd.MultiIndex.from_frame(frame[["match", "game"]]).isin(kept)
        whole = frame["game"].isna() & frame["match"].isin(matches["match"])
        return frame[inside | whole]

    others = [name for name in tables._fields if name not in ("matches", "games")]
    parts = {name: within(getattr(tables, name)) for name in others}
    return tables._replace(matches=matches, games=games, **parts)


_OF_SIDES = ("turns", "cubes", "decisions")
"""The tables whose rows belong to one player; matches and games belong to both."""


def restrict_to_player(tables: AnyTables, question: Question) -> AnyTables:
    """Return tables with only the turns, doubles and decisions of the question's player.

    If the question names an opponent, only those against this opponent are kept.
    """
    if not _list_names_asked_for(question):
        return tables
    games = tables.games
    seats = [
        games.loc[match_players(games, question, own, other), ["match", "game"]].assign(side=own)
        for own, other in (SIDES, SIDES[::-1])
    ]
    own = pd.MultiIndex.from_frame(pd.concat(seats))

    def owned(frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of the player's sides of games."""
        keys = frame[["match", "game", "side"]].astype({"side": str})
        return frame[pd.MultiIndex.from_frame(keys).isin(own)]

    names = [name for name in tables._fields if name in _OF_SIDES]
    return tables._replace(**{name: owned(getattr(tables, name)) for name in names})


def is_player(names: pd.Series, player: str) -> pd.Series:
    """Return for each name whether it is `player`, ignoring case and a rating after the name."""
    plain = plain_name(player)
    persons = [name for name in names.cat.categories if plain_name(name) == plain]
    return names.isin(persons)
