"""Convert the regular rules of a grammar to regular expressions."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from lark import Tree
from lark.grammar import NonTerminal, Terminal


class Expression:
    """Converts a rule of a grammar to a regular expression.

    The rules that it uses become named groups.
    """

    def __init__(
        self, rules: Mapping[str, Tree[Any]], terminals: Mapping[str, Any], ignored: list[str]
    ) -> None:
        self._rules = rules
        self._terminals = terminals
        self._ignored = "|".join(self._convert_tree(terminals[name]) for name in ignored)
        self._groups = Counter[str]()
        self._between = ""

    def convert(self, name: str, *, is_token: bool) -> str:
        """Return the regular expression for a rule or token of the grammar.

        Unless `is_token`, ignored text, such as blanks, may separate tokens.
        """
        if not is_token and self._ignored:
            self._between = f"(?:{self._ignored})?"
        return (
            self._convert_tree(self._rules[name])
            if name in self._rules
            else self._convert_terminal(name)
        )

    def _convert_terminal(self, name: str) -> str:
        """Return the regular expression for a terminal (a type of token)."""
        tree = self._terminals[name]
        if tree is not None:
            return self._convert_tree(tree)
        between, self._between = self._between, ""
        inside = _make_groups_unnamed(self._convert_tree(self._rules[name.lower()]))
        self._between = between
        return rf"(?:{inside})(?={self._ignored}|\Z)" if self._ignored else inside

    def _convert_tree(self, part: Any) -> str:
        """Return the regular expression for a part of a rule's definition."""
        match part:
            case Tree(data="expansions", children=children):
                return _join_alternatives([self._convert_tree(child) for child in children])
            case Tree(data="expansion", children=children):
                return "".join(map(self._convert_tree, children))
            case Tree(data="alias" | "value", children=[child, *_]):
                return self._convert_tree(child)
            case Tree(data="maybe", children=[child]):
                return f"(?:{self._convert_tree(child)})?"
            case Tree(data="expr", children=[child, *amount]):
                return f"(?:{self._convert_tree(child)}){_convert_repetition(amount)}"
            case Tree(data="literal", children=[literal]):
                return _convert_literal(literal)
            case NonTerminal(name=name):
                return self._convert_rule(name)
            case Terminal(name=name):
                return f"(?:{self._convert_terminal(name)}){self._between}"
        raise TypeError(part)

    def _convert_rule(self, rule: str) -> str:
        """Return a regex group for a rule, unnamed if the name of the rule begins with `_`."""
        inside = self._convert_tree(self._rules[rule])
        rule = rule.rpartition("__")[2]  # Imported rules have their grammar's name as a prefix.
        if rule.startswith("_"):
            return f"(?:{inside})"
        self._groups[rule] += 1
        number = self._groups[rule]
        return f"(?P<{rule}{number if number > 1 else ''}>{inside})"


def _join_alternatives(alternatives: list[str]) -> str:
    """Return a regular expression that matches whatever one of these expressions matches."""
    return alternatives[0] if len(alternatives) == 1 else f"(?:{'|'.join(alternatives)})"


def _convert_repetition(amount: list[Any]) -> str:
    """Return the regex sign for a repetition in a grammar of Lark, such as `{2,3}` for `~2..3`.

    >>> _convert_repetition(["?"]), _convert_repetition(["~", "2", "3"])
    ('?', '{2,3}')
    """
    match [str(sign) for sign in amount]:
        case [sign]:
            return sign
        case ["~", number]:
            return f"{{{number}}}"
        case ["~", least, most]:
            return f"{{{least},{most}}}"
    raise TypeError(amount)


def _convert_literal(literal: Any) -> str:
    """Return the regular expression for a grammar's string or `/regex/flags`."""
    text, _, flags = literal.rpartition(literal[0])
    if literal.type == "STRING":  # Escaped, to match literally.
        text = re.escape(ast.literal_eval(f"{text}{literal[0]}")).replace("\n", "n")
    else:
        text = text[1:].replace(r"\/", "/")
    return f"(?{flags}:{text})" if flags else text


def _make_groups_unnamed(pattern: str) -> str:
    """Return a regular expression in which named groups are made unnamed."""
    # The argument is a regular expression, never text of a match file.
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)
