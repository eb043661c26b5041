"""Count the parts of grammar rules in a text, as Lark finds them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple
from unittest.mock import patch

from lark import Lark, Token, Tree

from bganalyze.record.grammar import Grammar, grammar
from bganalyze.record.reader import Format
from tests.constructs.repeated import Text


class RulePart(NamedTuple):
    """A rule, or a terminal, where a rule of a grammar has it; `start` is what Lark began with."""

    grammar: str
    start: str
    rule: str
    part: str


class Coverage:
    """Counts the parts of rules, down to the points of steps."""

    def __init__(self) -> None:
        self.parts: set[RulePart] = set()
        """Those of every rule that Lark could have applied."""
        self._counts = Counter[RulePart]()

    def find_doubled(self, text_format: Format, text: Text) -> Iterator[RulePart]:
        """Yield the parts that occur more often where a construct is repeated four times, not twice."""
        twice = self._of(text_format, text(2))
        return (
            part for part, count in self._of(text_format, text(4)).items() if count > twice[part]
        )

    def _of(self, text_format: Format, text: str) -> Counter[RulePart]:
        self._counts.clear()
        _parse_inside(
            grammar(text_format.grammars[0]),
            import_module(f"bganalyze.record.{text_format.module}").tree(text),
        )
        for line in range(1, text.count("\n") + 2):  # Its cells, and the steps of its plays.
            text_format.line_tree(text, line)
        return self._counts.copy()

    def count(self, name: str, start: str, parser: Lark) -> None:
        """Count each rule that a parser applies from now on."""
        applied: dict[Any, Callable[[Any], Any]] = parser.parser.parser.parser.callbacks  # type: ignore[attr-defined]
        for rule, make in list(applied.items()):
            # Names that Lark makes up mean a repetition or a pattern without a name.
            symbols = {str(symbol.name) for symbol in rule.expansion}
            parts = [
                RulePart(name, start, str(rule.origin.name), symbol)
                for symbol in symbols
                if not symbol.startswith("__")
            ]
            self.parts.update(parts)
            applied[rule] = self._wrap_counting(make, parts)

    def _wrap_counting(
        self, make: Callable[[Any], Any], parts: list[RulePart]
    ) -> Callable[[Any], Any]:
        def count_part(children: Any) -> Any:
            self._counts.update(parts)
            return make(children)

        return count_part


@contextmanager
def counting() -> Iterator[Coverage]:
    """Count the parts of rules wherever Lark parses."""
    coverage, plain = Coverage(), Grammar._get_parser  # noqa: SLF001

    def parser(self: Grammar, name: str, make: Callable[[], Lark]) -> Lark:
        is_new = name not in self._parsers
        made = plain(self, name, make)
        if is_new:
            coverage.count(self._path.stem, name, made)
        return made

    grammar.cache_clear()
    with patch.object(Grammar, "_get_parser", parser):
        yield coverage
    grammar.cache_clear()


def _parse_inside(lines: Grammar, tree: Tree[Token]) -> None:
    """Have Lark parse what the tokens of a tree are made of, and the tokens in these."""
    waiting = [tree]
    while waiting:
        for part in waiting.pop().children:
            if isinstance(part, Tree):
                waiting.append(part)
            elif lines.has_rule_for_token(part.type.lower()):
                waiting.append(lines.parse_token(part.type.lower(), part))
