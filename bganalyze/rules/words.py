"""Words that the messages of several rules share."""

from __future__ import annotations

from bganalyze.board.position import BAR, OFF
from bganalyze.facts import Fact
from bganalyze.transcript.model import Play


def player(fact: Fact) -> str:
    """Name the side of a fact: `left` or `right` until the names are filled in."""
    return {0: "{left}", 1: "{right}"}.get(fact.side if fact.side is not None else -1, "the player")


def side_name(side: int | None) -> str:
    """The placeholder of a side's name."""
    return {0: "{left}", 1: "{right}"}.get(-1 if side is None else side, "the player")


def point(number: int) -> str:
    """Name a point as players do.

    >>> point(25), point(6)
    ('the bar', 'the 6 point')
    """
    if number == BAR:
        return "the bar"
    return "off the board" if number == OFF else f"the {number} point"


def throw(fact: Fact) -> str:
    """The throw of the play that a fact is about, as 4-2."""
    action = fact.turn.action if fact.turn else None
    if not isinstance(action, Play) or action.dice is None:
        return "?-?"
    return f"{action.dice[0]}-{action.dice[1]}"


def step(fact: Fact) -> str:
    """The step at fault as written in the usual way, or the whole play."""
    action = fact.turn.action if fact.turn else None
    fault = fact.about.get("fault")
    if not isinstance(action, Play) or fault is None or fault.step is None:
        return "the play"
    path = action.steps[fault.step].path
    return "/".join({BAR: "bar", OFF: "off"}.get(number, str(number)) for number in path)


def points(count: int) -> str:
    """`1 point`, `2 points`."""
    return f"{count} point" + ("" if count == 1 else "s")


def either(numbers: list[int]) -> str:
    """`2`, `2 or 4`, `1, 2 or 3`."""
    words = [str(number) for number in numbers]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
