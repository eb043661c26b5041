"""The rolls and plays of a match as text, for comparing different records of one match."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations_with_replacement
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits
from typing import cast
from zlib import crc32

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.decisions import Kind
from bganalyze.board.position import Step
from bganalyze.record.model import Play
from bganalyze.statistics.tables.rolls import list_counted_rolls
from bganalyze.validation.replaying import MatchReplay

UNPLAYED = "-"

IMPOSSIBLE = "?"
"""The letter of a roll with impossible or unknown dice."""

_ALL_DICE = tuple(combinations_with_replacement(range(1, 7), 2))
_LETTERS = {
    (is_same_side, dice): letter
    for is_same_side, letters in ((False, ascii_uppercase), (True, ascii_lowercase))
    for (low, high), letter in zip(_ALL_DICE, letters, strict=False)
    for dice in ((low, high), (high, low))
}
"""The letters of rolls; the key says whether the same side rolled before."""

_PRIME = 61
_WEIGHTS = tuple(pow(2, point, _PRIME) for point in range(_PRIME - 1))
"""A weight for each point, all different because 2 is a primitive root of 61."""
_PLAY_LETTERS = (digits + ascii_letters)[:_PRIME]


def write_sequence(replayed: MatchReplay) -> str:
    """Return the rolls and plays of a match as text, for comparison with other matches.

    Each roll is two characters: one for the dice, one for the play.
    """
    letters, last = list[str](), None
    for game in replayed.games:
        for _, turn in list_counted_rolls(game):
            play = cast("Play", turn.action)
            letter = _LETTERS.get((play.side == last, play.dice or (0, 0)), IMPOSSIBLE)
            last = play.side
            is_played = bool(play.steps) or turn.legality is not None
            letters += letter, _encode_play(play.steps) if is_played else UNPLAYED
    return "".join(letters)


def count_possible_rolls(sequence: str) -> int:
    """Return how many rolls with possible dice a match has.

    `sequence` has two characters for each roll: one for the dice, one for the play.

    >>> count_possible_rolls("A0?1B-")
    2
    """
    return len(sequence) // 2 - sequence.count(IMPOSSIBLE)


def _encode_play(steps: Iterable[Step]) -> str:
    """Return a letter for a play, which is the same for any order and joining of its steps.

    >>> walked, jumped = [Step((8, 5), ()), Step((5, 3), ())], [Step((8, 3), ())]
    >>> _encode_play(walked) == _encode_play(jumped)
    True
    """
    weights = (
        _WEIGHTS[step.path[0] % len(_WEIGHTS)] - _WEIGHTS[step.path[-1] % len(_WEIGHTS)]
        for step in steps
    )
    return _PLAY_LETTERS[sum(weights) % _PRIME]


def write_analyzed_sequence(rows: Iterable[AnalyzedDecision]) -> str:
    """Return the rolls and plays of an analyzed match as text, for comparison with other matches.

    Each roll is two characters: one for the dice, one for the play.
    """
    letters, last = list[str](), None
    for row in rows:
        if row.kind is not Kind.PLAY or row.situation.dice is None:
            continue
        letter = _LETTERS.get((row.side == last, row.situation.dice), IMPOSSIBLE)
        last = row.side
        is_played = row.played is not None
        number = crc32((row.played or "").encode()) % _PRIME
        letters += letter, _PLAY_LETTERS[number] if is_played else UNPLAYED
    return "".join(letters)
