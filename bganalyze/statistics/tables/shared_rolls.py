"""The rolls and plays that two records have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from bganalyze.statistics.tables.sequences import IMPOSSIBLE, UNPLAYED

WINDOW = 8
"""Consecutive rolls of a fingerprint, and fewest that copies share in one stretch."""

PART = 12
"""Fewest consecutive rolls that records share if they are not copies as a whole."""

ANCHOR = 4
"""Fewest consecutive rolls that are aligned with each other in a comparison."""

LEAST_SHARED = 0.5
"""Least share of the rolls of the shorter record that its fuller record has."""

LEAST_ALIKE = 0.75
"""Least share of equal plays among the shared rolls."""

_DIFFERENT = "!"
"""The letter of impossible dice in the second of two records, so that they are never the same."""

ReadSequences = Callable[[Sequence[int]], Sequence[str]]
"""A function that returns the sequences of some matches, in their order."""


class SharedRolls(NamedTuple):
    """The rolls that two matches have in common, in the same order."""

    rolls: int
    same_plays: int
    compared_plays: int
    """Shared rolls for which both records have a play."""
    longest: int
    """The longest stretch of shared rolls."""
    missing: int
    """The longest stretch of rolls of the first match that the other one does not have."""

    def are_copies(self, shorter: int) -> bool:
        """Whether the shorter of the two matches, the first one, is a copy of the other.

        `shorter` is its number of rolls. It is no copy if a part of it is missing in the other.
        """
        is_enough = self.longest >= WINDOW and self.rolls >= LEAST_SHARED * shorter
        is_whole = self.missing < PART
        return is_enough and is_whole and self.same_plays >= LEAST_ALIKE * self.compared_plays

    @property
    def count_rolls_not_played_differently(self) -> int:
        """Number of shared rolls whose plays do not differ between the two matches.

        A play that one match does not record does not differ.
        """
        return self.rolls - self.compared_plays + self.same_plays

    def may_have_common_games(self) -> bool:
        """Whether two matches share so many rolls and plays that they may have games in common."""
        return (
            self.longest >= WINDOW
            and self.count_rolls_not_played_differently >= LEAST_ALIKE * self.rolls
        )


def compare_records(one: str, other: str) -> SharedRolls:
    """Return how many rolls and plays two matches share in the same order.

    The texts have two characters for each roll: one for the dice, one for the play. Common
    stretches shorter than `ANCHOR` rolls are ignored.

    >>> compare_records("A0B0C0D0E0F0G0H0", "A0B0C0D0T0E0F1G0H0")
    SharedRolls(rolls=8, same_plays=7, compared_plays=8, longest=4, missing=0)
    """
    same = total = compared = longest = missing = end = 0
    plays, other_plays = one[1::2], other[1::2]
    for start, other_start, length in align_rolls(one[::2], other[::2]):
        total += length
        longest = max(longest, length)
        missing, end = max(missing, start - end), start + length
        pairs = zip(
            plays[start : start + length],
            other_plays[other_start : other_start + length],
            strict=True,
        )
        for play, other_play in pairs:
            if UNPLAYED not in (play, other_play):
                compared += 1
                same += play == other_play
    return SharedRolls(total, same, compared, longest, max(missing, len(plays) - end))


def align_rolls(one: str, other: str) -> Iterator[tuple[int, int, int]]:
    """Yield each stretch of rolls that two matches share: its start in both, and its length.

    Stretches have at least `ANCHOR` rolls, and no roll with impossible dice.
    """
    other = other.replace(IMPOSSIBLE, _DIFFERENT)
    # They do not start with very frequent ones.
    matcher = SequenceMatcher(None, _split_into_words(one), _split_into_words(other))
    end = other_end = 0
    for start, other_start, length in matcher.get_matching_blocks():
        if not length:
            continue
        skipped = max(end - start, other_end - other_start, 0)
        whole = length + ANCHOR - 1 - skipped
        if whole > 0:
            yield start + skipped, other_start + skipped, whole
            end, other_end = start + skipped + whole, other_start + skipped + whole


def _split_into_words(rolls: str) -> list[str]:
    """Return all runs of `ANCHOR` consecutive rolls, which overlap.

    >>> _split_into_words("ABCDEF")
    ['ABCD', 'BCDE', 'CDEF']
    """
    return [rolls[start : start + ANCHOR] for start in range(len(rolls) - ANCHOR + 1)]
