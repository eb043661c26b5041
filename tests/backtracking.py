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


def has_ambiguous_loops(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether two loops of a pattern can divide a text between them in more ways than one."""
    tree = parser.parse(pattern, flags)
    walk = _PatternWalk(tree.state.flags)
    walk.walk_items(list(tree), frozenset(), is_end=True)
    return walk.is_ambiguous


class _PatternWalk:
    """A walk through a parsed pattern, with the loops that are open at each place."""

    def __init__(self, flags: int) -> None:
        self.flags = flags
        self.is_ambiguous = False
        """Whether two loops were found that can share a text."""

    def walk_items(self, items: Items, loops: Loops, *, is_end: bool = False) -> Loops:
        """Walk through items in sequence, and return the loops that are open after them.

        `loops` are open before them. `is_end` says that nothing of the pattern follows.
        """
        for number, (code, argument) in enumerate(items, start=1):
            loops = self.walk_item(code, argument, loops, is_end=is_end and number == len(items))
        return loops

    def walk_item(self, code: Any, argument: Any, loops: Loops, *, is_end: bool) -> Loops:
        """Walk past one item of the pattern, and return the loops that are open after it."""
        takes = self.find_characters(code, argument)
        if takes is not None:
            return _keep_loops_that_take(loops, takes)
        if code in LOOPS:
            return self.walk_repetition(code, *argument, loops, is_end=is_end)
        if code is codes.SUBPATTERN:
            return self.walk_items(argument[3], loops, is_end=is_end)
        if code is codes.ATOMIC_GROUP:
            return _keep_loops_open_before(self.walk_items(argument, loops), loops)
        if code is codes.BRANCH:
            return frozenset().union(
                *(self.walk_items(way, loops, is_end=is_end) for way in argument[1])
            )
        if code in (codes.ASSERT, codes.ASSERT_NOT) and argument[0] > 0:
            self.walk_items(argument[1], loops, is_end=True)
        return loops

    def walk_repetition(
        self, code: Any, least: int, greatest: int, items: Items, loops: Loops, *, is_end: bool
    ) -> Loops:
        """Walk past a repetition, or an optional item, and return the loops that are open after it."""
        skipped = loops if least == 0 else frozenset()
        if greatest < MANY:
            return skipped | self.walk_items(items, loops, is_end=is_end)
        takes = self.find_characters(*items[0]) if len(items) == 1 else None
        if takes is None:
            once_through = self.walk_items(items, loops)
            loops_after = skipped | once_through | self.walk_items(items, once_through)
            return (
                _keep_loops_open_before(loops_after, loops)
                if code is codes.POSSESSIVE_REPEAT
                else loops_after
            )
        # An item at the end of a pattern that takes the rest of a line cannot fail after it.
        if not (is_end and takes >= NO_LINE_END):
            self.is_ambiguous |= any(_can_share(loop, takes) for loop in loops)
        loops_after = loops if least == 0 else _keep_loops_that_take(loops, takes)
        return loops_after if code is codes.POSSESSIVE_REPEAT else loops_after | {Loop(takes)}

    def find_characters(self, code: Any, argument: Any) -> Characters | None:
        """Return the characters that an item can match, or None if it is not for one character."""
        if code is codes.LITERAL:
            characters: set[str] = {chr(argument)}
        elif code is codes.NOT_LITERAL:
            characters = set(ALL - {chr(argument)})
        elif code is codes.ANY:
            characters = set(ALL if self.flags & re.DOTALL else NO_LINE_END)
        elif code is codes.IN:
            characters = _read_character_class(argument)
        else:
            return None
        if self.flags & re.IGNORECASE:
            characters |= {character.swapcase() for character in characters}
        return frozenset(characters)


def _read_character_class(items: Items) -> set[str]:
    """Return the characters that a class, such as `[a-z]`, can match."""
    characters: set[str] = set()
    for code, argument in items:
        if code is codes.LITERAL:
            characters.add(chr(argument))
        elif code is codes.RANGE:
            characters.update(map(chr, range(argument[0], min(argument[1], 255) + 1)))
        elif code is codes.CATEGORY:
            characters.update(filter(re.compile(KINDS[argument]).match, ALL))
    return set(ALL - characters) if items[0][0] is codes.NEGATE else characters


def _keep_loops_that_take(loops: Loops, takes: Characters) -> Loops:
    """Return the loops that could also take some of the characters `takes`, which must follow."""
    return frozenset(
        Loop(loop.takes, loop.between | {takes}) for loop in loops if loop.takes & takes
    )


def _keep_loops_open_before(possible: Loops, loops: Loops) -> Loops:
    """Return those of `possible` that were open before an atomic group: inside, none stays open."""
    takes = {loop.takes for loop in loops}
    return frozenset(loop for loop in possible if loop.takes in takes)


def _can_share(loop: Loop, takes: Characters) -> bool:
    """Whether a loop and a second one, which matches `takes`, can match the same text."""
    shared_takes = loop.takes & takes
    return bool(shared_takes) and all(shared_takes & characters for characters in loop.between)
