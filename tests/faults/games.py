"""Slips of whole games: lost, written twice, in another order, over each other, or begun too late.

No edit brings back what is lost then; what a check says is one finding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random

from tests.faults.damage import Damage, first_of, make_damage
from tests.faults.record import Lines, Record

Games = list[Lines]
"""The lines of each game, with the blank ones below it."""

_HEADER = 2
"""Lines above the rows of a game: the game line and the score line."""

_NUMBER = re.compile(r"^(\s*Game\s+)[0-9]+", re.IGNORECASE)


def _split_games(record: Record) -> tuple[Lines, Games]:
    """Split a record into the part above the first game and its games."""
    starts = [game.span.line - 1 for game in record.match.games]
    ends = [*starts[1:], len(record.lines)]
    games = [record.lines[start:end] for start, end in zip(starts, ends, strict=True)]
    return record.lines[: starts[0]], games


def _renumber(games: Sequence[Lines]) -> Games:
    return [
        (_NUMBER.sub(rf"\g<1>{number}", game[0]), *game[1:])
        for number, game in enumerate(games, start=1)
    ]


def _change_games(
    record: Record, rng: Random, change: Callable[[Games, int], Sequence[Lines]], most: int
) -> Damage | None:
    """Return the slip that changes the games from one on; `most` games must follow it."""
    head, games = _split_games(record)
    if any(game.score is None or game.number is None for game in record.match.games):
        return None

    def make(at: int) -> Damage | None:
        changed = change(list(games), at)
        return make_damage(record, (*head, *(line for game in changed for line in game)))

    return first_of(rng, list(range(len(games) - most)), make)


def without(games: Games, at: int) -> Games:
    """Return the games without one."""
    return games[:at] + games[at + 1 :]


def exchange_games(games: Games, at: int) -> Games:
    """Return the games with one and the next in each other's place."""
    return [*games[:at], games[at + 1], games[at], *games[at + 2 :]]


def _copy_over(games: Games, at: int) -> Games:
    copy = (*games[at + 1][:_HEADER], *games[at][_HEADER:])
    return [*games[: at + 1], copy, *games[at + 2 :]]


def _copy_back(games: Games, at: int) -> Games:
    copy = (*games[at][:_HEADER], *games[at + 1][_HEADER:])
    return [*games[:at], copy, *games[at + 1 :]]


def twice(games: Games, at: int) -> Games:
    """Return the games with one of them twice."""
    return [*games[: at + 1], *games[at:]]


def game_lost(record: Record, rng: Random) -> Damage | None:
    """Lose a game between others, header and all."""
    return _change_games(record, rng, lambda games, at: without(games, at + 1), 2)


def game_lost_renumbered(record: Record, rng: Random) -> Damage | None:
    """Lose a game between others, and number those after it without a gap."""
    return _change_games(record, rng, lambda games, at: _renumber(without(games, at + 1)), 2)


def games_exchanged(record: Record, rng: Random) -> Damage | None:
    """Exchange two games."""
    return _change_games(record, rng, exchange_games, 2)


def games_exchanged_renumbered(record: Record, rng: Random) -> Damage | None:
    """Exchange two games and number them in their new order."""
    return _change_games(record, rng, lambda games, at: _renumber(exchange_games(games, at)), 2)


def game_copied_over(record: Record, rng: Random) -> Damage | None:
    """Write the rows of a game over those of the next."""
    return _change_games(record, rng, _copy_over, 1)


def game_copied_back(record: Record, rng: Random) -> Damage | None:
    """Write the rows of a game over those of the one before."""
    return _change_games(record, rng, _copy_back, 1)


def game_twice(record: Record, rng: Random) -> Damage | None:
    """Write a game twice."""
    return _change_games(record, rng, twice, 1)


def head_cut_off(record: Record, rng: Random) -> Damage | None:
    """Cut the record before a row of its first game."""
    rows = [act.line for act in record.plays if act.game == 0 and act.action.row]
    lines = [line for line in sorted({*rows}) if line > rows[0]]
    return first_of(rng, lines, lambda line: make_damage(record, record.lines[line - 1 :]))
