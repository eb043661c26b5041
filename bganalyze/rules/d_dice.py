"""D3xx: the dice."""

from __future__ import annotations

from bganalyze.facts import Fact
from bganalyze.findings import Severity
from bganalyze.law import Law
from bganalyze.rules.catalogue import rule
from bganalyze.rules.words import player, throw


@rule("D301", "impossible-die", Severity.ERROR)
def impossible_die(fact: Fact, law: Law) -> str:
    """A die shows a number that is not 1 to 6."""
    first, second = fact.about["dice"]
    return f"no throw of two dice is {first}-{second}"


@rule("D302", "opening-double", Severity.ERROR)
def opening_double(fact: Fact, law: Law) -> str:
    """The first throw of a game from the starting position is a double."""
    return f"a game cannot open with {throw(fact)}: equal dice are thrown again"


@rule("D303", "unplayed-roll", Severity.WARNING)
def unplayed_roll(fact: Fact, law: Law) -> str:
    """A throw is recorded, its play is not, and the game goes on."""
    return f"the play of {throw(fact)} is not recorded, and the game goes on"


@rule("D304", "play-without-roll", Severity.ERROR)
def play_without_roll(fact: Fact, law: Law) -> str:
    """A play without a throw."""
    return f"{player(fact)} plays, but no throw is recorded"


@rule("D305", "second-roll", Severity.ERROR)
def second_roll(fact: Fact, law: Law) -> str:
    """Two throws in one turn."""
    return f"{player(fact)} throws a second time in the same turn"


RULES = (impossible_die, opening_double, unplayed_roll, play_without_roll, second_roll)
