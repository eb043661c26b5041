"""What the figures of a profile leave out: games, matches and decisions, with their places."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.analyzed import CUBE
from bganalyze.analysis.decisions import Kind
from bganalyze.statistics.profiles.match_rates import DISPUTED, OPEN, UNKNOWN, MatchRate
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.tables.frames import AnalyzedTables, list_paths
from bganalyze.text import number_of

MOST_PLACES = 3
"""Places named for each reason."""


class LeftOutOfFigures(NamedTuple):
    """A number of games, matches or decisions that some statistics leave out for one reason."""

    number: int
    word: str
    """The thing counted."""
    reason: str
    places: tuple[str, ...]
    """The first of their files, with lines."""

    @property
    def words(self) -> str:
        """The number and the reason in words.

        >>> LeftOutOfFigures(2, "illegal play", "in no error rate", ("a.mat:7",)).words
        '2 illegal plays in no error rate'
        """
        return f"{number_of(self.number, self.word)} {self.reason}"


def find_left_out(
    tables: AnalyzedTables, question: Question, matches: Sequence[MatchRate]
) -> Iterator[LeftOutOfFigures]:
    """Yield for each reason how many games, matches or decisions a player's statistics leave out.

    `matches` are the player's matches with their outcomes.
    """
    games, decisions = tables.games, restrict_to_player(tables, question).decisions
    for outcomes, reason in (
        ((OPEN, UNKNOWN), "not recorded to the end, in no share of matches won"),
        ((DISPUTED,), "whose winner is disputed, in no share of matches won"),
    ):
        yield from _count_matches([one for one in matches if one.outcome in outcomes], reason)
    placed, without_result = games.assign(place=_find_first_places(tables)), games["winner"].isna()
    yield from _count_left_out(
        placed[without_result], tables, "game", "without a result, in no share of games won"
    )
    is_disputed = games["worth"].isna() & games["winner"].notna()
    is_money = games["match"].map(tables.matches.set_index("match")["length"]).eq(0)
    for rows, reason in (
        (
            is_disputed & ~is_money,
            "whose result is disputed, so the match is in no result without luck",
        ),
        (is_disputed & is_money, "whose result is disputed, in no result without luck"),
    ):
        yield from _count_left_out(placed[rows], tables, "game", reason)
    choices = decisions[decisions["kind"].isin([Kind.PLAY, *CUBE])]
    sure = choices[choices["verified"]]
    is_illegal, is_play = sure["legal"].eq(False).fillna(False), sure["kind"] == Kind.PLAY
    is_silent = sure["loss"].isna() & ~sure["forced"] & ~is_illegal
    for rows, word, reason in (
        (choices[~choices["verified"]], "decision", "on unverified boards left out"),
        (sure[is_illegal & is_play], "illegal play", "in no error rate"),
        (sure[is_illegal & ~is_play], "cube decision", "of illegal doubles in no error rate"),
        (sure[is_silent], "decision", "without an evaluation left out"),
    ):
        yield from _count_left_out(rows, tables, word, reason)


def _count_matches(matches: Sequence[MatchRate], reason: str) -> Iterator[LeftOutOfFigures]:
    """Yield the number of `matches` left out for a `reason`; money play does not count."""
    paths = [one.path for one in matches if one.length]
    if paths:
        yield LeftOutOfFigures(len(paths), "match", reason, tuple(paths[:MOST_PLACES]))


def _find_first_places(tables: AnalyzedTables) -> pd.Series:
    """Return the place (line and column) of each game's first decision; NaN for no decision."""
    first = tables.decisions.drop_duplicates(["match", "game"]).set_index(["match", "game"])[
        "place"
    ]
    keys = pd.MultiIndex.from_frame(tables.games[["match", "game"]])
    return pd.Series(first.reindex(keys).to_numpy(), tables.games.index)


def _count_left_out(
    rows: pd.DataFrame, tables: AnalyzedTables, noun: str, reason: str
) -> Iterator[LeftOutOfFigures]:
    """Yield the number of `rows` left out for a `reason`, or nothing without rows.

    `noun` says what a row is, such as `game`.
    """
    if rows.empty:
        return
    shown = rows.head(MOST_PLACES)
    lines = shown["place"].astype(object) if "place" in shown else [None] * len(shown)
    places = tuple(
        f"{path}:{place.partition(':')[0]}" if isinstance(place, str) else path
        for path, place in zip(list_paths(shown, tables), lines, strict=True)
    )
    yield LeftOutOfFigures(len(rows), noun, reason, places)
