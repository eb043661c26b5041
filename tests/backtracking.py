r"""Patterns that may take steps in the square of a text's length, told from the pattern alone.

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
"""Whatever stands beyond them is in a class of characters as these are, or in none."""

NO_LINE_END = ALL - {"\n"}

MANY = 1_000
"""A loop of no more rounds takes so much time at most for each character."""

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
    """A loop that may still give characters back, and what has to stand after it by now."""

    takes: Characters
    between: frozenset[Characters] = frozenset()


Loops = frozenset[Loop]
Items = Sequence[tuple[Any, Any]]


def shared(pattern: str, flags: int = 0) -> bool:
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
        for number, (code, said) in enumerate(items, start=1):
            loops = self.past(code, said, loops, is_end=is_end and number == len(items))
        return loops

    def past(self, code: Any, said: Any, loops: Loops, *, is_end: bool) -> Loops:
        """Go past one item."""
        takes = self.characters(code, said)
        if takes is not None:
            return _after(loops, takes)
        if code in LOOPS:
            return self.repeated(code, *said, loops, is_end=is_end)
        if code is codes.SUBPATTERN:
            return self.along(said[3], loops, is_end=is_end)
        if code is codes.ATOMIC_GROUP:
            return _only(self.along(said, loops), loops)
        if code is codes.BRANCH:
            return frozenset().union(*(self.along(way, loops, is_end=is_end) for way in said[1]))
        if code in (codes.ASSERT, codes.ASSERT_NOT) and said[0] > 0:
            self.along(said[1], loops, is_end=True)
        return loops

    def repeated(
        self, code: Any, least: int, most: int, items: Items, loops: Loops, *, is_end: bool
    ) -> Loops:
        """Go past a repetition, or an item that may be missing."""
        skipped = loops if least == 0 else frozenset()
        if most < MANY:
            return skipped | self.along(items, loops, is_end=is_end)
        takes = self.characters(*items[0]) if len(items) == 1 else None
        if takes is None:
            once = self.along(items, loops)
            found = skipped | once | self.along(items, once)
            return _only(found, loops) if code is codes.POSSESSIVE_REPEAT else found
        # What takes the rest of a line at the end of a pattern cannot fail after it.
        if not (is_end and takes >= NO_LINE_END):
            self.is_shared |= any(_share(loop, takes) for loop in loops)
        found = loops if least == 0 else _after(loops, takes)
        return found if code is codes.POSSESSIVE_REPEAT else found | {Loop(takes)}

    def characters(self, code: Any, said: Any) -> Characters | None:
        """The characters that an item takes one of, or None where it takes no single one."""
        if code is codes.LITERAL:
            found: set[str] = {chr(said)}
        elif code is codes.NOT_LITERAL:
            found = set(ALL - {chr(said)})
        elif code is codes.ANY:
            found = set(ALL if self.flags & re.DOTALL else NO_LINE_END)
        elif code is codes.IN:
            found = _class(said)
        else:
            return None
        if self.flags & re.IGNORECASE:
            found |= {character.swapcase() for character in found}
        return frozenset(found)


def _class(items: Items) -> set[str]:
    found: set[str] = set()
    for code, said in items:
        if code is codes.LITERAL:
            found.add(chr(said))
        elif code is codes.RANGE:
            found.update(map(chr, range(said[0], min(said[1], 255) + 1)))
        elif code is codes.CATEGORY:
            found.update(filter(re.compile(KINDS[said]).match, ALL))
    return set(ALL - found) if items[0][0] is codes.NEGATE else found


def _after(loops: Loops, takes: Characters) -> Loops:
    """The loops that could take what must stand here as well."""
    return frozenset(
        Loop(loop.takes, loop.between | {takes}) for loop in loops if loop.takes & takes
    )


def _only(found: Loops, loops: Loops) -> Loops:
    """Of these loops those that were open before: nothing is given back from inside."""
    known = {loop.takes for loop in loops}
    return frozenset(loop for loop in found if loop.takes in known)


def _share(loop: Loop, takes: Characters) -> bool:
    both = loop.takes & takes
    return bool(both) and all(both & characters for characters in loop.between)
