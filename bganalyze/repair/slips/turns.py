"""Turns that may have been made where none is known: every throw, and every play of it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, islice
from typing import NamedTuple

from bganalyze.board.movement import Dice, Steps, are_dice, legal_plays
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.spelling import spelled, spelled_anew
from bganalyze.repair.trial import Trial, tried
from bganalyze.replaying.facts import Boards
from bganalyze.replaying.readings import as_boards
from bganalyze.transcript.model import Action, Play, PlayRecord, Side, other_side

THROWS = tuple(combinations_with_replacement(range(1, 7), 2))

MOST_MISSING = 8
"""So many checkers can a side seem to lack of which a turn is not known."""

HEAD = re.compile(r"^\s*[0-9]{2}(?::|(?=\s|$))")
"""The throw at the start of a cell."""


class PossibleTurn(NamedTuple):
    """A throw and a play that may have been made, and what becomes of the turns that follow."""

    dice: Dice
    position: Position
    """Before it, seen by its side."""
    result: Position
    steps: Steps
    """One way of playing it."""
    trial: Trial

    @property
    def likelihood(self) -> float:
        """The logarithm of how often that throw is made."""
        return math.log((1 if self.dice[0] == self.dice[1] else 2) / 36)


def turns_before(
    evidence: Evidence,
    boards: Boards,
    side: Side,
    following: Sequence[Action],
    index: int,
    throws: Iterable[Dice] | None = None,
) -> Iterator[PossibleTurn]:
    """Yield the throws and plays after which the following actions can be carried out.

    `index` is that of the first of these in the game as recorded.
    """
    if not _may_follow(boards, side, following, evidence.needed(index)):
        return
    position = Position(boards[side], boards[1 - side])
    for dice in THROWS if throws is None else throws:
        if not are_dice(dice):
            continue
        for result, steps in legal_plays(position, dice).items():
            after = as_boards(result, side)
            trial = tried(after, following, marks_hits=evidence.marks_hits, side=other_side(side))
            if evidence.mends(trial, index):
                yield PossibleTurn(dice, position, result, steps, trial)


def _may_follow(boards: Boards, side: Side, following: Sequence[Action], plays: int) -> bool:
    """Whether so many plays can follow a turn of a side, as far as both have the checkers for them.

    The turn may put up to four checkers where its side has none, and each may be hit there. Where it
    has hit, nothing is told: then the other side enters, or dances.
    """
    owned = [list(boards[0]), list(boards[1])]
    missing = 0
    ahead = islice((action for action in following if isinstance(action, Play)), plays)
    for number, play in enumerate(ahead):
        own, other = owned[play.side], owned[1 - play.side]
        if number == 0 and not play.steps:
            return True
        for path, _ in play.steps:
            own[path[0]] -= 1
            own[path[-1]] += 1
            for point in path[1:]:
                if point != OFF and other[BAR - point] == 1:
                    other[BAR - point] = 0
                    other[BAR] += 1
        if min(own) < 0 and play.side != side:
            return own[BAR] < 0
        missing += sum(-count for count in own if count < 0)
        owned[play.side] = [max(count, 0) for count in own]
        if missing > MOST_MISSING:
            return False
    return True


def turn_text(evidence: Evidence, turn: PossibleTurn, written: str) -> str:
    """Return a turn as its record writes it."""
    high, low = max(turn.dice), min(turn.dice)
    if written:
        steps = spelled(turn.position, turn.dice, turn.result, evidence.style, written)
    else:
        steps = spelled_anew(turn.steps, evidence.style)
    return f"{high}{low}{evidence.style.sign} {steps or _dance(evidence)}".rstrip()


def _dance(evidence: Evidence) -> str:
    """Return what the record writes for a play of a throw with which nothing can be moved."""
    for game in evidence.replayed.match.games:
        for action in game.actions:
            if isinstance(action, Play) and action.how is PlayRecord.CANNOT_MOVE:
                return HEAD.sub("", evidence.text(action)).strip()
    return ""
