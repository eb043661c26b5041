r"""The Lark grammars: what a record is made of, from the match down to the points of a step.

A grammar describes several levels: a file is made of lines, a line or a cell of words, a word of
characters. A name in capitals that is declared (`%declare STEP`) is one token of its level, and the
rule of that name in small letters (`step`) describes what it is made of. Lark parses every level
with LALR.

The pattern by which the lexer knows a declared token is derived here from its rule, so that its
structure is written down once, and its parts can be had in two ways that mean the same: as Lark's
tree (`parse`), and as the groups of the derived pattern (`pattern`). Measured: the pattern takes a
fiftieth of the time, so that what makes up most of a record is read with it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from lark import Lark, Token, Tree
from lark.grammar import NonTerminal, Terminal
from lark.lark import PostLex
from lark.load_grammar import Grammar as Definitions
from lark.load_grammar import load_grammar


class LineGist:
    r"""What tells a format: a pattern that is looked for where lines begin.

    >>> gist = LineGist(r"Score is [0-9]+")
    >>> gist.is_in("hello\nScore is 3"), gist.is_in("The Score is 3")
    (True, False)

    With `^` and MULTILINE every character of a text would be tried, which takes ten times as long
    as going from line end to line end.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Take a pattern without its `^`; its `$` is the end of a line."""
        flags |= re.MULTILINE
        self._first = re.compile(pattern, flags)
        self._other = re.compile(f"\n(?:{pattern})", flags)

    def is_in(self, text: str) -> bool:
        """Whether a line of `text` begins so."""
        return self._first.match(text) is not None or self._other.search(text) is not None


_PACKAGE = Path(__file__).parents[1]
_FOLDER = _PACKAGE / "grammars"
if not _FOLDER.is_dir():  # In a checkout they stand beside the package.
    _FOLDER = _PACKAGE.parent / "grammars"


@cache
def grammar(name: str) -> Grammar:
    """Return the grammar of that name, loaded once in a process."""
    return Grammar(name)


class Grammar:
    """A grammar file: parsers that begin with one of its rules, and the patterns of its rules.

    >>> cell = grammar("cell")
    >>> print(cell.parse("cell", "31: 8/5* bar/off Takes").pretty().expandtabs(1))
    cell
      turn
        play
          31:
          8/5*
          bar/off
      Takes
    <BLANKLINE>
    >>> print(cell.parts("step", "8/5*(2)").pretty().expandtabs(1).replace("notation__", ""))
    step
      source 8
      target 5
      *
      count 2
    <BLANKLINE>
    >>> cell.pattern("play").fullmatch("31: 8/5* bar/off") is not None
    True
    """

    def __init__(self, name: str) -> None:
        path = _FOLDER / f"{name}.lark"
        self.source = path.read_text("utf-8")
        definitions, _ = load_grammar(  # type: ignore[no-untyped-call]
            self.source, str(path), [str(_FOLDER)], global_keep_all_tokens=False
        )
        self._rules = {rule: tree for rule, _, tree, _ in definitions.rule_defs}
        self._terminals = {terminal: tree for terminal, (tree, _) in definitions.term_defs}
        self._ignored = definitions.ignore
        strength = {rule: options.priority or 0 for rule, _, _, options in definitions.rule_defs}
        definitions.term_defs = [
            (terminal, (tree, priority))
            if tree is not None or terminal.lower() not in self._rules
            else (terminal, (self._derived(terminal), strength[terminal.lower()]))
            for terminal, (tree, priority) in definitions.term_defs
        ]
        self._definitions = definitions

    def _derived(self, terminal: str) -> Tree[Any]:
        """Define a declared terminal by the pattern of its rule."""
        pattern = self.regex(terminal).replace("/", r"\/")
        literal = Tree("literal", [Token("REGEXP", f"/{pattern}/")])
        return Tree("expansions", [Tree("expansion", [Tree("value", [literal])])])

    def regex(self, name: str) -> str:
        """Return the regular expression of a terminal, or of a rule: its parts are groups.

        What is ignored may stand between the tokens of a rule, but not inside a declared token.
        """
        is_token = name not in self._rules or name.upper() in self._terminals
        return _Expression(self._rules, self._terminals, self._ignored).of(name, is_token=is_token)

    @cache  # noqa: B019
    def pattern(self, name: str) -> re.Pattern[str]:
        """Return the pattern of a terminal, or of a rule: its parts are groups."""
        return re.compile(self.regex(name))

    @cache  # noqa: B019
    def parser(self, start: str, postlex: PostLex | None = None) -> Lark:
        """Return a parser that begins with the rule `start`; declared names are tokens to it.

        `postlex` adds the tokens that only the layout tells.
        """
        definitions = self._reached(start, self._ignored)
        return Lark(definitions, start=start, parser="lalr", lexer="basic", postlex=postlex)

    def parse(self, start: str, text: str) -> Tree[Token]:
        """Return what `text` is made of, as the rule `start` describes it; any text is."""
        return self.parser(start).parse(text)

    def parts(self, rule: str, token: str) -> Tree[Token]:
        """Return what a declared token is made of, as its rule describes it.

        Raises lark.UnexpectedInput where it is none.
        """
        return self._inner_parser(rule).parse(token)

    @cache  # noqa: B019
    def _inner_parser(self, rule: str) -> Lark:
        return Lark(self._reached(rule, []), start=rule, parser="lalr", lexer="contextual")

    def _reached(self, start: str, ignored: list[str]) -> Definitions:
        """Return the rules that a rule is made of, and itself: fewer are made into a parser sooner."""
        reached, open_rules = {start}, [start]
        while open_rules:
            parts = self._rules[open_rules.pop()].scan_values(
                lambda part: isinstance(part, NonTerminal)
            )
            new = {part.name for part in parts} - reached
            reached |= new
            open_rules += new
        rules = [rule for rule in self._definitions.rule_defs if rule[0] in reached]
        return Definitions(rules, self._definitions.term_defs, ignored)

    def lexer(self) -> Lark:
        """Return a lexer of all its terminals."""
        return Lark(self._definitions, parser=None, lexer="basic")


class _Expression:
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


def rules(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    """Yield the parts of a tree that a rule describes."""
    return (part for part in tree.children if isinstance(part, Tree))


def tokens(tree: Tree[Token]) -> Iterator[Token]:
    """Yield the parts of a tree that are tokens."""
    return (part for part in tree.children if isinstance(part, Token))


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
    if literal.type == "STRING":
        text = re.escape(ast.literal_eval(f"{text}{literal[0]}")).replace("\n", "n")
    else:
        text = text[1:].replace(r"\/", "/")
    return f"(?{flags}:{text})" if flags else text


def _without_groups(pattern: str) -> str:
    return re.sub(r"\(\?P<\w+>", "(?:", pattern)


@cache
def lexer(name: str) -> Lark:
    """Return the grammar `name` ready for `lex(text)`."""
    return grammar(name).lexer()


def lines(name: str, text: str) -> Iterator[Token]:
    r"""Lex a text whose terminals are lines, or runs of lines of one kind; yield them one by one.

    >>> [(token.type, token.line) for token in lines("rooms", "Length: 3\n1\tx\n2\ty")]
    [('OPTION', 1), ('TABBED', 2), ('TABBED', 3)]
    """
    for token in lexer(name).lex(text):
        if "\n" not in token:
            yield token
            continue
        for number, line in enumerate(token.split("\n"), start=token.line or 1):
            yield Token(token.type, line, line=number, column=1)


@cache
def terminal(name: str, of: str) -> re.Pattern[str]:
    """Return the pattern of one terminal of a grammar, for text that is nearly always just that."""
    return re.compile(lexer(of).get_terminal(name).pattern.to_regexp())
