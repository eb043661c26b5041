"""Compare the parts of a token as Lark finds them with those of the pattern made from its rule.

python -m tests.fuzzing.parts --format mat --mutants 1000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Iterator
from importlib import import_module
from random import Random
from typing import NamedTuple

from lark import Token, Tree, UnexpectedInput

from bganalyze.record.decoding import decode
from bganalyze.record.grammar import Grammar, grammar
from bganalyze.record.reader import FORMATS, Format
from tests.fuzzing.bases import bases_of
from tests.fuzzing.mutants import mutant

DESCRIBED = [
    entry for entry in FORMATS if hasattr(import_module(f"bganalyze.record.{entry.module}"), "tree")
]
"""Formats that a grammar describes."""


class Difference(NamedTuple):
    """A token in which Lark and the pattern differ."""

    rule: str
    token: str
    what: str


def differences(text: str, entry: Format) -> Iterator[Difference]:
    """Yield where the patterns and Lark differ about the lines of a text."""
    lines = grammar(entry.grammars[0])
    tree = import_module(f"bganalyze.record.{entry.module}").tree(text)
    parts = (part for branch in tree.iter_subtrees() for part in branch.children)  # However deep.
    for token in (part for part in parts if isinstance(part, Token)):
        if lines.has_rule_for_token(token.type.lower()):
            yield from _of_token(lines, token.type.lower(), str(token))


def _of_token(described: Grammar, rule: str, token: str) -> Iterator[Difference]:
    match = described.pattern(rule).fullmatch(token)
    if match is None:
        yield Difference(rule, token, "the pattern does not take it")
        return
    try:
        tree = described.parse_token(rule, token)
    except UnexpectedInput as error:
        yield Difference(rule, token, f"Lark does not take it: {error}")
        return
    named_groups = {_plain(group) for group, part in match.groupdict().items() if part}
    parts = [part for part in tree.iter_subtrees() if part is not tree and any(_tokens(part))]
    names = {_plain(part.data) for part in parts}
    if not names <= named_groups:
        yield Difference(rule, token, f"Lark alone sees {names - named_groups}")
    spans = [match.span(group) for group in match.groupdict()]
    for part in _last_of_each(parts):
        start, end = _place(part)
        # A later part of its name may be nothing but signs, which are no tokens to Lark.
        if not any((begin <= start and end <= limit) or begin >= end for begin, limit in spans):
            yield Difference(rule, token, f"{part.data} stands elsewhere")


def _last_of_each(parts: list[Tree[Token]]) -> Iterable[Tree[Token]]:
    """Return the last part of each name, because a repeated group keeps only its last part."""
    return {_plain(part.data): part for part in sorted(parts, key=_place)}.values()


def _place(part: Tree[Token]) -> tuple[int, int]:
    words = list(_tokens(part))
    return words[0].start_pos or 0, words[-1].end_pos or 0


def _plain(name: str) -> str:
    """Return a name without its grammar before it and the number of its group after it."""
    return name.rpartition("__")[2].rstrip("23456789")


def _tokens(tree: Tree[Token]) -> Iterator[Token]:
    """Yield the tokens of a tree in order; it may be as deep as a file has brackets."""
    waiting: list[Tree[Token] | Token] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Token):
            yield part
        else:
            waiting += reversed(part.children)


def main() -> int:
    """Compare on mutants of every format, and report what differs; the status is 1 if anything."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing.parts", description=__doc__)
    parser.add_argument("--format", choices=[entry.name for entry in DESCRIBED])
    parser.add_argument("--mutants", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    status = 0
    for entry in DESCRIBED:
        if options.format in (None, entry.name):
            count = 0
            for difference in differences_of_mutants(entry, options.mutants, options.seed):
                count += 1
                if count <= 3:
                    print(f"{entry.name}: {difference}")
            print(f"{entry.name}: {options.mutants} mutants, {count} tokens differ")
            status |= count > 0
    return status


def differences_of_mutants(entry: Format, count: int, seed: int) -> Iterator[Difference]:
    """Yield the differences of seeded mutants of a format."""
    originals = bases_of(entry.name)
    for number in range(count):
        data = mutant(originals, Random(f"{seed}:{number}"))
        yield from differences(decode(data).text, entry)


if __name__ == "__main__":
    sys.exit(main())
