r"""Find patterns that may take quadratic time in the length of a text, from the pattern alone.

Where two loops of a pattern can divide the same characters between them, as in `[ \t]*x?[ \t]*y`, a
text that fits both and then fails is divided in every way. What is looked for is that: a text that
one loop, another, and all that must stand between them can take.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

Characters = frozenset[str]

ALL: Characters = frozenset(map(chr, range(256)))
"""Characters beyond these are in the same character classes as some of these, or in none."""

NO_LINE_END = ALL - {"\n"}

MANY = 1_000
"""A loop with at most this many rounds takes bounded time for each character."""

LOOPS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
KINDS = {
    codes.CATEGORY_DIGIT: r"\d",
    codes.CATEGORY_NOT_DIGIT: r"\D",
    codes.CATEGORY_SPACE: r"\s",
    codes.CATEGORY_NOT_SPACE: r"\S",
    codes.CATEGORY_WORD: r"\w",
    codes.CATEGORY_NOT_WORD: r"\W",
}


class Loop(NamedTuple):
    """A loop that may still give characters back, and the characters that must follow it."""

    takes: Characters
    between: frozenset[Characters] = frozenset()


Loops = frozenset[Loop]
Items = Sequence[tuple[Any, Any]]


def is_shared(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether two loops of a pattern can share a text in more ways than one."""
    tree = parser.parse(pattern, flags)
    walk = _Walk(tree.state.flags)
    walk.along(list(tree), frozenset(), is_end=True)
    return walk.is_shared


class _Walk:
    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.is_shared = False

    def along(self, items: Items, loops: Loops, *, is_end: bool = False) -> Loops:
        """Go through the items of a sequence, and return which loops are open after it."""
        for number, (code, argument) in enumerate(items, start=1):
            loops = self.past(code, argument, loops, is_end=is_end and number == len(items))
        return loops

    def past(self, code: Any, argument: Any, loops: Loops, *, is_end: bool) -> Loops:
        """Go past one item."""
        takes = self.characters(code, argument)
        if takes is not None:
            return _after(loops, takes)
        if code in LOOPS:
            return self.repeated(code, *argument, loops, is_end=is_end)
        if code is codes.SUBPATTERN:
            return self.along(argument[3], loops, is_end=is_end)
        if code is codes.ATOMIC_GROUP:
            return _only(self.along(argument, loops), loops)
        if code is codes.BRANCH:
            return frozenset().union(
                *(self.along(way, loops, is_end=is_end) for way in argument[1])
            )
        if code in (codes.ASSERT, codes.ASSERT_NOT) and argument[0] > 0:
            self.along(argument[1], loops, is_end=True)
        return loops

    def repeated(
        self, code: Any, least: int, greatest: int, items: Items, loops: Loops, *, is_end: bool
    ) -> Loops:
        """Go past a repetition, or an item that may be missing."""
        skipped = loops if least == 0 else frozenset()
        if greatest < MANY:
            return skipped | self.along(items, loops, is_end=is_end)
        takes = self.characters(*items[0]) if len(items) == 1 else None
        if takes is None:
            once_through = self.along(items, loops)
            loops_after = skipped | once_through | self.along(items, once_through)
            return _only(loops_after, loops) if code is codes.POSSESSIVE_REPEAT else loops_after
        # An item at the end of a pattern that takes the rest of a line cannot fail after it.
        if not (is_end and takes >= NO_LINE_END):
            self.is_shared |= any(_share(loop, takes) for loop in loops)
        loops_after = loops if least == 0 else _after(loops, takes)
        return loops_after if code is codes.POSSESSIVE_REPEAT else loops_after | {Loop(takes)}

    def characters(self, code: Any, argument: Any) -> Characters | None:
        """Return the characters, one of which an item takes; None if it takes no single one."""
        if code is codes.LITERAL:
            characters: set[str] = {chr(argument)}
        elif code is codes.NOT_LITERAL:
            characters = set(ALL - {chr(argument)})
        elif code is codes.ANY:
            characters = set(ALL if self.flags & re.DOTALL else NO_LINE_END)
        elif code is codes.IN:
            characters = _class(argument)
        else:
            return None
        if self.flags & re.IGNORECASE:
            characters |= {character.swapcase() for character in characters}
        return frozenset(characters)


def _class(items: Items) -> set[str]:
    characters: set[str] = set()
    for code, argument in items:
        if code is codes.LITERAL:
            characters.add(chr(argument))
        elif code is codes.RANGE:
            characters.update(map(chr, range(argument[0], min(argument[1], 255) + 1)))
        elif code is codes.CATEGORY:
            characters.update(filter(re.compile(KINDS[argument]).match, ALL))
    return set(ALL - characters) if items[0][0] is codes.NEGATE else characters


def _after(loops: Loops, takes: Characters) -> Loops:
    """Return the loops that could take the characters required here as well."""
    return frozenset(
        Loop(loop.takes, loop.between | {takes}) for loop in loops if loop.takes & takes
    )


def _only(possible: Loops, loops: Loops) -> Loops:
    """Return those of `possible` that were open before: nothing is given back from inside."""
    takes = {loop.takes for loop in loops}
    return frozenset(loop for loop in possible if loop.takes in takes)


def _share(loop: Loop, takes: Characters) -> bool:
    shared_takes = loop.takes & takes
    return bool(shared_takes) and all(shared_takes & characters for characters in loop.between)
