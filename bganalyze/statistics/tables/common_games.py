"""Games that several records have, although each record has other games, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from bganalyze.statistics.tables.shared_rolls import (
    LEAST_SHARED,
    PART,
    WINDOW,
    ReadSequences,
    align_rolls,
)

_Game = tuple[int, int]
"""A game: the number of its match and its own number."""


def find_copied_games(
    pairs: Sequence[tuple[int, int]], games: pd.DataFrame, read: ReadSequences
) -> list[_Game]:
    """Return the games (match number, game number) that another file records at least as fully.

    `pairs` has the numbers of matches to compare. Of the records of one game, the one with most
    rolls counts; of equally full records, one with a winner, then the one in the longer match.
    `read` returns the rolls and plays of matches as text.
    """
    some = games[games["match"].isin([match for pair in pairs for match in pair])]
    numbers = {match: _number_rolls(rows) for match, rows in some.groupby("match", sort=False)}
    same: dict[_Game, list[_Game]] = {}
    for match, other in pairs:
        one, another = numbers.get(match, []), numbers.get(other, [])
        for game, other_game in _find_common_games(one, another, *read([match, other])):
            same.setdefault((match, game), []).append((other, other_game))
            same.setdefault((other, other_game), []).append((match, game))
    rolls = {match: Counter(of_rolls) for match, of_rolls in numbers.items()}
    won = some[some["winner"].notna()]
    finished = set(zip(won["match"].tolist(), won["game"].tolist(), strict=True))

    def fullness(game: _Game) -> tuple[int, bool, int, int]:
        match, number = game
        return rolls[match][number], game in finished, rolls[match].total(), -match

    return [
        game for group in _group(same) for game in sorted(group, key=fullness, reverse=True)[1:]
    ]


def _find_common_games(
    games: Sequence[int], other_games: Sequence[int], sequence: str, other_sequence: str
) -> Iterator[tuple[int, int]]:
    """Yield pairs of game numbers: a game of one match, and the same game in another match.

    Two games are the same if they share enough rolls, or if one or both are short and share all.
    `games` has the game number of each roll of the first match, and `sequence` its rolls and plays
    as text; the other parameters are the second match's.
    """
    counts, other_counts = Counter(games), Counter(other_games)
    shared, longest = Counter[tuple[int, int]](), dict[tuple[int, int], int]()
    for start, other_start, length in align_rolls(sequence[::2], other_sequence[::2]):
        rolls = slice(start, start + length), slice(other_start, other_start + length)
        common = Counter(zip(games[rolls[0]], other_games[rolls[1]], strict=True))
        shared.update(common)
        longest.update({pair: max(length, longest.get(pair, 0)) for pair in common})
    have_long_stretch = max(longest.values(), default=0) >= PART
    for (game, other_game), rolls_of_both in shared.items():
        rolls_of_game, stretch = counts[game], longest[game, other_game]
        shorter = min(rolls_of_game, other_counts[other_game])
        is_long = rolls_of_both >= PART and rolls_of_both >= LEAST_SHARED * shorter
        is_within = rolls_of_both == shorter and stretch >= PART
        # The letter of a game's first roll depends on the game before, which one record may lack.
        is_whole = rolls_of_game == other_counts[other_game] and rolls_of_both >= rolls_of_game - 1
        if (have_long_stretch and (is_long or is_within)) or (is_whole and stretch >= WINDOW):
            yield game, other_game


def _group(same: Mapping[_Game, Iterable[_Game]]) -> Iterator[set[_Game]]:
    """Yield sets of games; each set has all the records of one game.

    `same` maps a record of a game to those other records that were found to be the same game.
    """
    seen = set[_Game]()
    for game in same:
        if game in seen:
            continue
        group, reached = set[_Game](), [game]
        while reached:
            here = reached.pop()
            if here not in group:
                group.add(here)
                reached += same[here]
        seen |= group
        yield group


def _number_rolls(games: pd.DataFrame) -> list[int]:
    """Return the game number of each roll of a match.

    `games` has a row for each game, with its number of rolls.

    >>> _number_rolls(pd.DataFrame({"game": [1, 2], "rolls": [2, 1]}))
    [1, 1, 2]
    """
    return np.repeat(games["game"].to_numpy(), games["rolls"].to_numpy()).tolist()
