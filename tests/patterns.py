"""Every pattern of the program, and the possessive ones that some Pythons match wrongly."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

from lark import Lark

from bganalyze.record import reader
from bganalyze.record.grammar import LineStartPattern, _RuleSet

GRAMMARS = sorted((Path(__file__).parents[1] / "grammars").glob("*.lark"))

COMPILED_LATE = {"_BGF": reader, "_GVA": reader}
"""Patterns that are kept as text until they are needed."""


def patterns(*packages: ModuleType) -> Iterator[tuple[str, str | bytes, int]]:
    """Yield the name, text and flags of each pattern in the packages' modules and in all grammars."""
    for name, late in COMPILED_LATE.items():
        yield f"{late.__name__}.{name}", vars(late)[name], 0
    for package in packages:
        for module in walk_packages(package.__path__, package.__name__ + "."):
            if not module.name.endswith("__main__"):
                yield from _patterns_of_module(import_module(module.name))
    for path in GRAMMARS:
        if path.stem != "notation":  # That pattern is part of others.
            lexer = Lark(_RuleSet(path).definitions, parser=None, lexer="basic")
            for terminal in lexer.terminals:
                yield f"{path.stem}.{terminal.name}", terminal.pattern.to_regexp(), 0


def _patterns_of_module(module: ModuleType) -> Iterator[tuple[str, str | bytes, int]]:
    """Yield the name, text and flags of each compiled pattern in a module."""
    for name, value in vars(module).items():
        values = vars(value).values() if isinstance(value, LineStartPattern) else [value]
        for pattern in values:
            if isinstance(pattern, re.Pattern):
                yield f"{module.__name__}.{name}", pattern.pattern, pattern.flags


def patterns_of_rules() -> Iterator[tuple[str, str, int]]:
    """Yield the name, text and flags of each rule of a grammar that has a pattern."""
    for path in GRAMMARS:
        rules = _RuleSet(path)
        for name in rules._rules:  # noqa: SLF001
            with suppress(RecursionError, KeyError):  # A rule inside itself, of marks of a layout.
                yield f"{path.stem}.{name}", rules.regex(name), 0


SINGLE = (codes.LITERAL, codes.NOT_LITERAL, codes.ANY, codes.IN)
LOOPS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)

Items = Sequence[tuple[Any, Any]]


def may_be_matched_wrongly(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether some Pythons may match a possessive group of a pattern wrongly.

    Python 3.11.0 to 3.11.4 may go on in the wrong place after it; later ones may if it captures.
    """
    # Those versions match a group until it fails, and go on where this last try stood when it
    # failed, if any item but a single character has noted the place (CPython's issue 106052;
    # captures: issue 101955). Of 150,000 random patterns, 63,554 are safe by this function, and
    # 3.11.2 matched none of them otherwise than `(?>(?:…)*)`; of the other 86,446 it did so with
    # 26,807 (`random.Random(2)`, twelve texts each).
    return _has_unsafe_group(parser.parse(pattern, flags))


def _has_unsafe_group(items: Items) -> bool:
    """Whether items contain a possessive group that may be matched wrongly."""
    return any(
        (
            code is codes.POSSESSIVE_REPEAT
            and (_has_capturing_group(argument[2]) or not _leaves_start_noted(argument[2]))
        )
        or any(map(_has_unsafe_group, _list_inner_sequences(code, argument)))
        for code, argument in items
    )


def _has_capturing_group(items: Items) -> bool:
    """Whether items contain a group that captures."""
    return any(
        (code is codes.SUBPATTERN and argument[0] is not None)
        or any(map(_has_capturing_group, _list_inner_sequences(code, argument)))
        for code, argument in items
    )


def _list_inner_sequences(code: Any, argument: Any) -> list[Items]:
    """Return the sequences of items inside an item."""
    if code in LOOPS:
        return [argument[2]]
    if code is codes.SUBPATTERN:
        return [argument[3]]
    if code is codes.ATOMIC_GROUP:
        return [argument]
    if code in (codes.BRANCH, codes.ASSERT, codes.ASSERT_NOT):
        sequences = argument[1]
        return list(sequences) if code is codes.BRANCH else [sequences]
    if code is codes.GROUPREF_EXISTS:
        return [sequence for sequence in argument[1:] if sequence is not None]
    return []


def _leaves_start_noted(items: Items) -> bool:
    """Whether a sequence, when it fails, leaves its own start as the last place noted."""
    has_moved = has_noted = False
    for code, argument in items:
        if code in SINGLE or code is codes.AT:
            if has_noted:
                return False
            has_moved = has_moved or code is not codes.AT
            continue
        if not _always_matches(code, argument):
            if has_moved or has_noted or code not in (*LOOPS, codes.BRANCH):
                return False
            if not all(map(_leaves_start_noted, _list_inner_sequences(code, argument))):
                return False
        has_moved = has_noted = True
    return True


def _always_matches(code: Any, argument: Any) -> bool:
    """Whether an item matches any text, if only an empty part of it."""
    if code in LOOPS:
        return bool(argument[0] == 0)
    if code is codes.BRANCH:
        return any(all(_always_matches(*item) for item in way) for way in argument[1])
    return False


SEARCHING = ("search", "finditer", "findall", "sub", "subn", "split")
"""Methods that try a pattern at each place of a text."""
REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
LONG = 500
"""A loop with so many rounds is as long as a text."""


def find_searched_patterns(package: ModuleType) -> set[str]:
    """Return the names (with their modules) of the patterns that a package searches texts for."""
    searched = set()
    for path in Path(package.__path__[0]).rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        parts = path.relative_to(Path(package.__path__[0]).parent).with_suffix("").parts
        own = ".".join(parts).removesuffix(".__init__")
        modules = {
            name.asname or name.name: node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        searched |= {
            f"{modules.get(node.value.id, own)}.{node.value.id}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute)
            and node.attr in SEARCHING
            and isinstance(node.value, ast.Name)
        }
    return searched


def begins_with_loop(pattern: str | bytes, flags: int = 0) -> bool:
    """Whether a match may begin with a loop and fail after it.

    A search for such a pattern reads a long run once for each place in it, unless the pattern looks
    at the character before the run.
    """
    return _begins_with_loop(list(parser.parse(pattern, flags)))


def _begins_with_loop(items: list[Any]) -> bool:
    """Whether a sequence of a parsed pattern may begin with a loop and fail after it."""
    for index, (code, argument) in enumerate(items):
        rest = items[index + 1 :]
        if code in REPEATS:
            least, most, inner = argument
            if most >= LONG:
                return any(code not in REPEATS or argument[0] > 0 for code, argument in rest)
            if _begins_with_loop([*inner, *rest]):
                return True
            if least > 0:
                return False
        elif code is codes.SUBPATTERN:
            return _begins_with_loop([*argument[-1], *rest])
        elif code is codes.BRANCH:
            return any(_begins_with_loop([*branch, *rest]) for branch in argument[1])
        elif code is codes.ATOMIC_GROUP:
            return _begins_with_loop([*argument, *rest])
        elif not _looks_ahead(code, argument):
            return False
    return False


def _looks_ahead(code: Any, argument: Any) -> bool:
    """Whether an item of a parsed pattern is a condition on the text after it."""
    return code in (codes.ASSERT, codes.ASSERT_NOT) and argument[0] > 0
