"""The odds of a transcription slip against a player's error, as they are set, and what follows from them.

Nothing in a match file says how often its transcriber slips and how often its players err. So a
setting says it, or the chance of a slip is given for a range of odds.
"""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from bganalyze.text import percent

ALL_KINDS = "slips"
"""The key of the odds for every kind of error that has none of its own."""

PLAYERS_KINDS = ("larger-die", "false-dance", "doubles-count", "one-pip-off", "hit-not-executed")
"""Kinds of error that players make at least as often as transcribers do: a larger die that had to be
played, a dance with a number that enters, three or five steps of doubles, a run one pip off, and a
hit checker left on the board."""

KEYS = (ALL_KINDS, *PLAYERS_KINDS)

_RATIO = re.compile(r"\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*:\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*")


class Ratio(NamedTuple):
    """How many slips are made for how many player's errors.

    >>> str(Ratio(1, 9)), str(Ratio(9, 1)), str(Ratio(2.5, 1))
    ("1 slip to 9 player's errors", "9 slips to 1 player's error", "2.5 slips to 1 player's error")
    """

    slips: float
    errors: float

    @property
    def odds(self) -> float:
        """The odds of a slip."""
        return self.slips / self.errors

    def __str__(self) -> str:
        slips, errors = (
            f"{number:g} {noun}{'s' * (number != 1)}"
            for number, noun in zip(self, _NOUNS, strict=True)
        )
        return f"{slips} to {errors}"


_NOUNS = ("slip", "player's error")

LOWEST, HIGHEST = Ratio(1, 9), Ratio(9, 1)
"""The range that is shown where no odds are set."""

EVEN = Ratio(1, 1)
"""The most slips, where nothing else is set, for errors that players make at least as often."""


def parse_ratio(text: object) -> Ratio | None:
    """Return the ratio that a text states; None where it states none.

    >>> parse_ratio("1:9"), parse_ratio("0:1"), parse_ratio("often")
    (Ratio(slips=1.0, errors=9.0), None, None)
    """
    stated = _RATIO.fullmatch(text) if isinstance(text, str) else None
    if stated is None:
        return None
    ratio = Ratio(*map(float, stated.groups()))
    return ratio if all(ratio) else None


class StatedRatio(NamedTuple):
    """A ratio, and the settings file that states it."""

    ratio: Ratio
    source: str


class Odds(NamedTuple):
    """The odds of slips against player's errors, as far as a settings file states them."""

    by_kind: Mapping[str, Ratio] = {}
    source: str = ""

    def of(self, kind: str | None) -> StatedRatio | None:
        """Return the ratio for a kind of error, or None where none is set.

        >>> odds = Odds({"slips": Ratio(3, 1), "larger-die": Ratio(1, 4)}, "a.toml")
        >>> [odds.of(kind).ratio for kind in (None, "larger-die", "false-dance")]
        [Ratio(slips=3, errors=1), Ratio(slips=1, errors=4), Ratio(slips=1, errors=1)]
        """
        ratio = self.by_kind.get(kind or ALL_KINDS)
        if ratio is None:
            ratio = self.by_kind.get(ALL_KINDS)
            if ratio is not None and kind in PLAYERS_KINDS:
                ratio = min(ratio, EVEN, key=lambda one: one.odds)
        return None if ratio is None else StatedRatio(ratio, self.source)


NO_ODDS = Odds()


class SlipChance(NamedTuple):
    """The chance that an error is a slip, and not a player's error."""

    lowest: float
    highest: float
    stated: StatedRatio | None
    """None where no odds are set: then the chance lies in a range, for a range of odds."""
    most: Ratio = HIGHEST
    """The odds at the upper end of that range."""


# How many times likelier a match file looks so after a slip than after a player's error. Measured on
# 209 player's errors and 209 slips with the same look: nothing later contradicts any of the errors,
# and 151 of the slips. Of records with an error about one in fifty has an unrelated one that could
# contradict it. On other seeds `python -m tests.benchmarks.slip_or_player` finds 0 of 636 player's
# errors contradicted, and 230 of 329 slips. The quotients are 0.26 and 0.32 where nothing contradicts,
# and 57 and 68 where both sides went on all the same.
CONTRADICTED, CONSISTENT, UNKNOWN = 55.0, 58 / 209, 1.0


def slip_chance(factor: float, kind: str | None, stated: StatedRatio | None) -> SlipChance:
    """Return the chance of a slip, where what the file shows is `factor` times likelier after one.

    >>> chance = slip_chance(1.0, None, None)
    >>> round(chance.lowest, 3), round(chance.highest, 3)
    (0.1, 0.9)
    """
    if stated is not None:
        chance = _chance(factor * stated.ratio.odds)
        return SlipChance(chance, chance, stated)
    most = EVEN if kind in PLAYERS_KINDS else HIGHEST
    return SlipChance(_chance(factor * LOWEST.odds), _chance(factor * most.odds), None, most)


def _chance(odds: float) -> float:
    return odds / (1 + odds) if math.isfinite(odds) else 1.0


def chance_in_words(slip: SlipChance, share: float = 1.0) -> str:
    """Return the chance of a slip in words, or of a share of it, and the odds on which it rests.

    >>> chance_in_words(slip_chance(1.0, None, None))
    "between 10 % and 90 %, for 1 slip to 9 player's errors up to 9 to 1"
    """
    if slip.stated is not None:
        source = f" ({slip.stated.source})" if slip.stated.source else ""
        return f"{percent(share * slip.lowest)}, for {slip.stated.ratio}{source}"
    ends = f"between {percent(share * slip.lowest)} and {percent(share * slip.highest)}"
    return f"{ends}, for {LOWEST} up to {slip.most.slips:g} to {slip.most.errors:g}"
