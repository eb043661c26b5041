"""The order of the games of a match, by their numbers."""

from __future__ import annotations

from bganalyze.transcript.model import Match


def are_out_of_order(match: Match) -> bool:
    """Whether all games of a match that are numbered on are there, but not in their order."""
    numbers = game_numbers(match)
    first = min(numbers, default=0)
    ordered = list(range(first, first + len(match.games)))
    return first > 0 and numbers != ordered and sorted(numbers) == ordered


def game_numbers(match: Match) -> list[int]:
    """Return the numbers of the games that have one."""
    return [game.number for game in match.games if game.number is not None]
