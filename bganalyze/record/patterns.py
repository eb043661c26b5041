"""The rules of a grammar as regular expressions, where they are regular: parts of a line, and words."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lark import Tree
from lark.grammar import NonTerminal, Terminal


class Expression:
    """Writes one rule as a regular expression; the rules in it become groups of their names."""

    def __init__(
        self, rules: Mapping[str, Tree[Any]], terminals: Mapping[str, Any], ignored: list[str]
    ) -> None:
        self._rules = rules
        self._terminals = terminals
        self._ignored = "|".join(self._written(terminals[name]) for name in ignored)
        self._groups = Counter[str]()
        self._between = ""

    def of(self, name: str, *, is_token: bool) -> str:
        """Write a terminal or a rule."""
        if not is_token and self._ignored:
            self._between = f"(?:{self._ignored})?"
        return self._written(self._rules[name]) if name in self._rules else self._terminal(name)

    def _terminal(self, name: str) -> str:
        """Write a terminal; a declared one ends where what is ignored begins, or nothing follows."""
        tree = self._terminals[name]
        if tree is not None:
            return self._written(tree)
        between, self._between = self._between, ""
        inside = _without_groups(self._written(self._rules[name.lower()]))
        self._between = between
        return rf"(?:{inside})(?={self._ignored}|\Z)" if self._ignored else inside

    def _written(self, part: Any) -> str:
        match part:
            case Tree(data="expansions", children=children):
                return _choice([self._written(child) for child in children])
            case Tree(data="expansion", children=children):
                return "".join(map(self._written, children))
            case Tree(data="alias" | "value", children=[child, *_]):
                return self._written(child)
            case Tree(data="maybe", children=[child]):
                return f"(?:{self._written(child)})?"
            case Tree(data="expr", children=[child, *amount]):
                return f"(?:{self._written(child)}){_amount(amount)}"
            case Tree(data="literal", children=[literal]):
                return _literal(literal)
            case NonTerminal(name=name):
                return self._group(name)
            case Terminal(name=name):
                return f"(?:{self._terminal(name)}){self._between}"
        raise TypeError(part)

    def _group(self, rule: str) -> str:
        inside = self._written(self._rules[rule])
        rule = rule.rpartition("__")[
            2
        ]  # What is imported bears the name of its grammar before its own.
        if rule.startswith("_"):
            return f"(?:{inside})"
        self._groups[rule] += 1
        number = self._groups[rule]
        return f"(?P<{rule}{number if number > 1 else ''}>{inside})"


def _choice(alternatives: list[str]) -> str:
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"


def _amount(amount: list[Any]) -> str:
    match [str(sign) for sign in amount]:
        case [sign]:
            return sign
        case ["~", number]:
            return f"{{{number}}}"
        case ["~", least, most]:
            return f"{{{least},{most}}}"
    raise TypeError(amount)


def _literal(literal: Any) -> str:
    """Write a string, or a regular expression between slashes, with its flags as Lark does."""
    text, _, flags = literal.rpartition(literal[0])
    if literal.type == "STRING":  # To be found by a regular expression as it stands.
        text = re.escape(ast.literal_eval(f"{text}{literal[0]}")).replace("\n", "n")
    else:
        text = text[1:].replace(r"\/", "/")
    return f"(?{flags}:{text})" if flags else text


def _without_groups(pattern: str) -> str:
    # What is written here is a regular expression itself, and no text of a record.
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
