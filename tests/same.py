"""Compare two records of a match: rolls, boards, cube actions, results and scores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bganalyze.record.model import Answer, Double, Match, Play, PlayRecord
from bganalyze.record.reader import read
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.replayed import GameReplay

Game = tuple[Any, ...]


def matches(path: Path | str) -> list[list[Game]]:
    """Return the content of each match in a file, without the spelling of the file: see `games`."""
    return [games(match) for match in read(path)]


def games(match: Match) -> list[Game]:
    """Return, for each game of a match, its score, actions, winner and points that count."""
    return [
        (
            game.context.score,
            tuple(_actions(game)),
            game.ending.winner,
            game.ending.counting,
        )
        for game in replay(match).games
    ]


def _actions(game: GameReplay) -> Iterator[Any]:
    """Yield the rolls and cube actions of a game, without rolls after its last play or cube action."""
    # Not all formats write the roll before a resignation.
    last = max((at for at, turn in enumerate(game.turns) if _is_done(turn.action)), default=-1)
    beavered = False
    for turn in game.turns[: last + 1]:
        match turn.action:
            case Play(how=PlayRecord.UNPLAYED):
                pass
            case Play(dice=dice, side=side) if dice is not None and dice != (0, 0):
                yield side, tuple(sorted(dice)), turn.after
            case Double(side=side, kind=kind):
                beavered = kind != "double"
                yield side, "turns the cube"
            case Answer(side=side, taken=taken):
                if not (beavered and taken):  # A beaver needs no answer.
                    yield side, "takes" if taken else "drops"


def _is_done(action: object) -> bool:
    """Whether an action is more than a roll without a play."""
    return isinstance(action, Double | Answer) or (isinstance(action, Play) and bool(action.steps))
