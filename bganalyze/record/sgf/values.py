"""The values of properties of Smart Game Format: rolls with steps, boards, and cubes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from bganalyze.board.position import Points, Step
from bganalyze.record.grammar import grammar
from bganalyze.record.model import (
    Side,
)
from bganalyze.record.sgf.tree import (
    SIDES,
    Node,
    Property,
    point_of_letter,
)
from bganalyze.record.text_caches import register_cache

EMPTIED = 24
"""Number of points that `AE` must clear for a complete board: all."""

MOST_LETTERS = 8
"""Number of letters of four steps."""

REMEMBERED = 16_384
"""Cache size for plays, which repeat in every match file."""


class TurnValue(NamedTuple):
    """Roll and steps in a property such as `W[31he]`; offsets count from the start of its text."""

    dice: tuple[int, int]
    steps: tuple[Step, ...]
    places: tuple[tuple[int, int], ...]
    at: int
    """Offset of the letters, behind the roll."""
    rest: str
    """The letters and the text after them, if they cannot be read as a whole."""


@lru_cache(REMEMBERED)
def parse_turn(property_text: str, side: Side) -> TurnValue | None:
    """Return the roll and steps in the first value of a property such as `W[31he]`.

    Without a roll, the result is None.
    """
    begin = property_text.index("[") + 1
    play = grammar("sgf").pattern("play").match(property_text, begin)
    if play is None:
        return None
    at = play.end("dice")
    letters = list(
        grammar("sgf").pattern("step").finditer(property_text[: max(at, play.end("step"))], at)
    )
    steps = tuple(
        Step(
            (point_of_letter(step["source"], side), point_of_letter(step["target"], side)), (False,)
        )
        for step in letters
    )
    is_whole = property_text[play.end()] == "]" and 2 * len(steps) <= MOST_LETTERS
    value = grammar("sgf").pattern("value").search(property_text)
    assert value is not None
    rest = "" if is_whole else (value["text"] or "")[at - begin :]
    dice = (int(play["dice"][0]), int(play["dice"][1]))
    return TurnValue(dice, steps, tuple(step.span() for step in letters), at, rest)


register_cache(parse_turn.cache_clear)


def read_boards(properties: list[Property], checkers_per_side: int) -> tuple[Points, Points] | None:
    """Return left's and right's checkers that properties such as `AE[a:y]` and `AW[f]` set up.

    If the properties do not empty the whole board first, the result is None.
    """
    sides = {"AW": [0] * 26, "AB": [0] * 26}
    emptied = False
    for prop in properties:
        for text, _, _ in prop.values():
            letters = list(_expand_letters(text))
            if prop.name == "AE":
                emptied = emptied or len(letters) >= EMPTIED
                continue
            for letter in letters:
                sides[prop.name][point_of_letter(letter, SIDES[prop.name[1]])] += 1
    if not emptied:
        return None
    for counts in sides.values():
        counts[0] += max(checkers_per_side - sum(counts), 0)
    return tuple(sides["AW"]), tuple(sides["AB"])


def _expand_letters(text: str) -> Iterator[str]:
    """Yield the letters of the points in a value such as `f` or `a:c`.

    >>> list(_expand_letters("a:c")), list(_expand_letters("f"))
    (['a', 'b', 'c'], ['f'])
    """
    stones = grammar("sgf").pattern("stones").fullmatch(text)
    if stones is not None:
        first, last = stones["first"], stones["last"] or stones["first"]
        yield from map(chr, range(ord(first), ord(last) + 1))


def read_cube(node: Node) -> tuple[int | None, Side | None]:
    """Return the value and the owner of the cube in an SGF node; each is None if not stated."""
    value, owner = node.find("CV"), node.find("CP", "CO")
    number = None if value is None else to_number(value.first_value().strip())
    return number, None if owner is None else owner.side()


def to_number(text: str) -> int | None:
    """Return the number in a text, or None for any other text."""
    return int(text) if grammar("sgf").pattern("NUMBER").fullmatch(text) else None
