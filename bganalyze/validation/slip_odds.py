"""The odds of a transcription slip against a player's error, and the chances they give.

A match file does not show how often its transcriber slips or how often its players err. A setting
states these odds, or else the chance of a slip is given for a range of odds.
"""

import math
import re
from collections.abc import Mapping
from typing import NamedTuple

from bganalyze.text import percent

ALL_KINDS = "slips"
"""The settings key for all kinds of error without their own odds."""

PLAYERS_KINDS = ("larger-die", "false-dance", "doubles-count", "one-pip-off", "hit-not-executed")
"""Kinds of error that players make at least as often as transcribers: playing the smaller die where
the larger one is forced, a dance with a number that enters, three or five steps of doubles, a run
one pip off, and a hit checker left on the board."""

KEYS = (ALL_KINDS, *PLAYERS_KINDS)

_RATIO = re.compile(r"\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*:\s*([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*")


class Ratio(NamedTuple):
    """A ratio of slips to player's errors.

    >>> str(Ratio(1, 9)), str(Ratio(9, 1)), str(Ratio(2.5, 1))
    ("1 slip to 9 player's errors", "9 slips to 1 player's error", "2.5 slips to 1 player's error")
    """

    slips: float
    errors: float

    @property
    def odds(self) -> float:
        """Number of transcription slips for each error of a player."""
        return self.slips / self.errors

    def __str__(self) -> str:
        slips, errors = (
            f"{number:g} {noun}{'s' * (number != 1)}"
            for number, noun in zip(self, _NOUNS, strict=True)
        )
        return f"{slips} to {errors}"


_NOUNS = ("slip", "player's error")

LOWEST, HIGHEST = Ratio(1, 9), Ratio(9, 1)
"""The range of odds used if no odds are set."""

EVEN = Ratio(1, 1)
"""The highest odds assumed, unless set, for errors that players make at least as often."""


def parse_ratio(text: object) -> Ratio | None:
    """Return the ratio of slips to players' errors in a text such as `1:9`, or None.

    Both numbers must be above 0.

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
    """The odds of slips against player's errors that a settings file states."""

    by_kind: Mapping[str, Ratio] = {}
    source: str = ""

    def find_ratio(self, kind: str | None) -> StatedRatio | None:
        """Return the user's ratio of slips to players' errors for a kind of error, or None.

        A kind without its own ratio has the ratio for all kinds, but at most 1:1 if players often
        make errors of this kind.

        >>> odds = Odds({"slips": Ratio(3, 1), "larger-die": Ratio(1, 4)}, "a.toml")
        >>> [odds.find_ratio(kind).ratio for kind in (None, "larger-die")]
        [Ratio(slips=3, errors=1), Ratio(slips=1, errors=4)]
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
    """The lower end of the range, or the chance itself if odds are set."""
    highest: float
    """The upper end of the range, or the chance itself if odds are set."""
    stated: StatedRatio | None
    """The odds used; None if no odds are set and the chance is a range."""
    most: Ratio = HIGHEST
    """The odds at the upper end of the range."""


# Likelihood ratios: how much likelier the match file is after a slip than after a player's error.
# Measured on 209 player's errors and 209 similar slips: later actions contradict none of the
# errors, and 151 of the slips. About one in fifty records with an error has an unrelated error that
# could contradict it. On other seeds, `python -m tests.benchmarks.slip_or_player` finds 0 of 636
# player's errors contradicted, and 230 of 329 slips. The ratios are 0.26 and 0.32 without a
# contradiction, and 57 and 68 if both sides played on despite one.
CONTRADICTED, CONSISTENT, UNKNOWN = 55.0, 58 / 209, 1.0


def slip_chance(
    likelihood_ratio: float, kind: str | None, stated: StatedRatio | None
) -> SlipChance:
    """Return the probability that an error is the transcriber's and not a player's.

    `likelihood_ratio` says how many times better the file fits a transcriber's mistake than a
    player's. `kind` is the kind of error, if players often make it. `stated` is the ratio set by
    the user; if it is None, the result is a range.

    >>> chance = slip_chance(1.0, kind=None, stated=None)
    >>> round(chance.lowest, 3), round(chance.highest, 3)
    (0.1, 0.9)
    """
    if stated is not None:
        chance = _convert_to_probability(likelihood_ratio * stated.ratio.odds)
        return SlipChance(chance, chance, stated)
    most = EVEN if kind in PLAYERS_KINDS else HIGHEST
    return SlipChance(
        _convert_to_probability(likelihood_ratio * LOWEST.odds),
        _convert_to_probability(likelihood_ratio * most.odds),
        None,
        most,
    )


def _convert_to_probability(odds: float) -> float:
    """Return the probability for odds: 0.75 for 3.0, for example, and 1 for infinite odds."""
    return odds / (1 + odds) if math.isfinite(odds) else 1.0


def chance_in_words(chance: SlipChance, probability_of_repair: float = 1.0) -> str:
    """Return text on the chance that the transcriber made a mistake and a repair is correct.

    >>> chance_in_words(slip_chance(1.0, kind=None, stated=None))
    '10 % to 90 %, depending on how often slips are made'
    """
    if chance.stated is not None:
        source = f" ({chance.stated.source})" if chance.stated.source else ""
        return (
            f"{percent(probability_of_repair * chance.lowest)}, for {chance.stated.ratio}{source}"
        )
    lowest, highest = (
        percent(probability_of_repair * end) for end in (chance.lowest, chance.highest)
    )
    if lowest == highest:
        return lowest
    return f"{lowest} to {highest}, depending on how often slips are made"
