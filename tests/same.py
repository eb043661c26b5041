"""Whether two records tell of the same match: throws, boards, cube actions, results and scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bganalyze
from bganalyze.facts import Turn
from bganalyze.transcript.model import Answer, Double, How, Match, Play

Game = tuple[Any, ...]


def matches(path: Path | str) -> list[list[Game]]:
    """What the matches of a file tell, free of how it is spelled."""
    return [games(match) for match in bganalyze.read(path)]


def games(match: Match) -> list[Game]:
    """For each game its score, its actions, its winner and what he won."""
    return [
        (
            game.context.score,
            tuple(_actions(game.turns)),
            game.ending.winner,
            game.ending.recorded if game.ending.recorded is not None else game.ending.on_board,
        )
        for game in bganalyze.replay(match).games
    ]


def _actions(turns: tuple[Turn, ...]) -> Iterator[Any]:
    beavered = False
    for turn in turns:
        match turn.action:
            case Play(how=How.UNPLAYED):
                pass  # Some formats do not write the throw before a resignation.
            case Play(dice=dice, side=side) if dice is not None and dice != (0, 0):
                yield side, tuple(sorted(dice)), turn.after
            case Double(side=side, kind=kind):
                beavered = kind != "double"
                yield side, kind
            case Answer(side=side, taken=taken):
                if not (beavered and taken):  # A beaver needs no answer.
                    yield side, "takes" if taken else "drops"
