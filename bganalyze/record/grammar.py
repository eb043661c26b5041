r"""Load the Lark grammars, and parse match files at every level from the match to a step.

A grammar describes several levels: a file consists of lines, a line or cell of words, a word of
characters. A declared name in capitals (`%declare STEP`) is a token of its level, and the rule of
that name in small letters (`step`) describes its parts. Lark parses every level with LALR.

The lexer's pattern of a declared token is derived from its rule, so that its structure is written
once. Its parts are available in two equivalent ways: as Lark's tree (`parse`) and as groups of the
derived pattern (`pattern`). The pattern takes a fiftieth of the time (measured), so most of a match
file is read with it.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache, cached_property
from hashlib import blake2b
from importlib.util import cache_from_source
from io import BytesIO
from pathlib import Path
from typing import Any, cast

import lark
from lark import Lark, Token, Tree
from lark.grammar import NonTerminal
from lark.load_grammar import Grammar as Definitions
from lark.load_grammar import load_grammar

from bganalyze import __version__
from bganalyze.record import patterns
from bganalyze.record.patterns import Expression


class LineStartPattern:
    r"""A pattern that recognizes a format by the beginning of any line.

    >>> gist = LineStartPattern(r"Score is [0-9]+")
    >>> gist.is_in("hello\nScore is 3"), gist.is_in("The Score is 3")
    (True, False)

    With `^` and MULTILINE every character of a text is tried, which takes ten times as long as
    searching for line ends. Blank lines are skipped: trying them takes twenty times as long.
    """

    def __init__(self, pattern: str, flags: re.RegexFlag = re.NOFLAG) -> None:
        """Compile a pattern without its `^`; `$` in it is the end of a line."""
        flags |= re.MULTILINE
        self._first = re.compile(pattern, flags)
        self._other = re.compile(f"\n(?!\n)(?:{pattern})", flags)

    def is_in(self, text: str) -> bool:
        """Whether any line of the text begins with the pattern."""
        return self._first.match(text) is not None or self._other.search(text) is not None


_PACKAGE = Path(__file__).parents[1]
_FOLDER = _PACKAGE / "grammars"
if not _FOLDER.is_dir():  # In a checkout, the folder is beside the package.
    _FOLDER = _PACKAGE.parent / "grammars"


@cache
def grammar(name: str) -> Grammar:
    """Return the grammar of a format, such as `mat`. It is loaded once."""
    return Grammar(_FOLDER / f"{name}.lark")


Layout = Callable[[Iterator[Token]], Iterator[Token]]
"""Function that adds tokens that follow from a text's layout, as an indenter does."""


class Grammar:
    """A grammar file, with parsers that start at any of its rules and patterns of its rules.

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
    >>> print(cell.parse_token("step", "8/5*(2)").pretty().expandtabs(1).replace("notation__", ""))
    step
      source 8
      target 5
      *
      count 2
    <BLANKLINE>
    >>> cell.pattern("play").fullmatch("31: 8/5* bar/off") is not None
    True
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._kept = _GrammarCache(path)
        self._patterns: dict[str, re.Pattern[str]] = {}
        self._parsers: dict[str, Lark] = {}
        self._gists: dict[str, LineStartPattern] = {}
        self._lexers: dict[str, Lexer] = {}

    @cached_property
    def _rules(self) -> _RuleSet:
        """The definitions in the grammar's file."""
        return _RuleSet(self._path)

    def regex(self, name: str) -> str:
        """Return the regular expression for a rule or token of the grammar.

        Rules within the rule become named groups. Ignored text, such as blanks, may separate
        tokens.
        """
        return self._kept.text(name, lambda: self._rules.regex(name))

    def pattern(self, name: str) -> re.Pattern[str]:
        """Return the pattern for a rule or token, with named groups for rules."""
        pattern = self._patterns.get(name)
        if pattern is None:
            pattern = self._patterns[name] = re.compile(self.regex(name))
        return pattern

    def begins_line(self, name: str, text: str) -> bool:
        r"""Whether a line of the text begins with a token or rule of the grammar.

        >>> grammar("mat").begins_line("GAME_LINE", "hello\n Game 3\n")
        True
        """
        gist = self._gists.get(name)
        if gist is None:
            gist = self._gists[name] = LineStartPattern(self.regex(name))
        return gist.is_in(text)

    def match(self, rule: str, token: str) -> re.Match[str]:
        """Match a token with its rule; the token's parts are named groups.

        >>> grammar("mat").match("game_line", " Game 3")["number"]
        '3'
        """
        match = self.pattern(rule).fullmatch(token)
        assert match is not None
        return match

    def parse(self, start: str, text: str, arrange_tokens: Layout = iter) -> Tree[Token]:
        """Return the parse tree of any text, from the rule `start` down.

        `arrange_tokens` may insert, join or split tokens before they are parsed.
        """
        parser = self._get_parser(start, lambda: self._rules.parser(start))
        lexer = self._lexers.get(start)
        if lexer is None:
            lexer = self._lexers[start] = Lexer(parser)
        parsing: Any = parser.parse_interactive()
        for token in arrange_tokens(lexer.tokens(text)):
            parsing.feed_token(token)
        return cast("Tree[Token]", parsing.feed_eof())

    def has_rule_for_token(self, rule: str) -> bool:
        """Whether a token has a rule for its parts, such as `row` for `ROW`."""
        return self._rules.has_rule_for_token(rule)

    def parse_token(self, rule: str, token: str) -> Tree[Token]:
        """Return the parse tree of a token's text, split by the grammar rule `rule`.

        Raises lark.UnexpectedInput if the text does not match the rule.
        """
        parser = self._get_parser(f"{rule}, inside", lambda: self._rules.token_parser(rule))
        return parser.parse(token)

    def _get_parser(self, name: str, make: Callable[[], Lark]) -> Lark:
        """Return the cached parser with this name, or else the parser that `make` makes."""
        parser = self._parsers.get(name)
        if parser is None:
            parser = self._parsers[name] = self._kept.parser(name, make)
        return parser


class Lexer:
    """Splits a text into tokens, in half of the time of Lark's basic lexer (measured).

    Lark's lexer is called for each token, and also creates the ignored ones.
    """

    def __init__(self, parser: Lark) -> None:
        lexer: Any = parser.parser.lexer
        patterns = {one.name: one.pattern.to_regexp() for one in lexer.terminals}
        ignored = "|".join(map(patterns.pop, lexer.ignore_types))
        tokens = "|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items())
        # A character that no terminal matches becomes a token that no parser expects.
        self._pattern = re.compile(rf"(?:{ignored})|{tokens}|(?P<_UNEXPECTED>(?s:.))")

    def tokens(self, text: str) -> Iterator[Token]:
        """Yield the tokens of a text: parts with a type, such as lines."""
        line, line_start, previous_end = 1, 0, 0
        for match in self._pattern.finditer(text):
            kind = match.lastgroup
            if kind is None:  # The text is ignored.
                continue
            start, end = match.span(kind)
            lines_before = text.count("\n", previous_end, start)
            if lines_before:
                line += lines_before
                line_start = text.rindex("\n", previous_end, start) + 1
            first, column, previous_end = line, start - line_start + 1, end
            inside = text.count("\n", start, end)
            if inside:
                line += inside
                line_start = text.rindex("\n", start, end) + 1
            yield Token(
                kind, text[start:end], start, first, column, line, end - line_start + 1, end
            )


class _RuleSet:
    """The rules and tokens of a grammar file.

    A declared token gets its definition from the rule of the same name.
    """

    def __init__(self, path: Path) -> None:
        definitions, _ = load_grammar(  # type: ignore[no-untyped-call]
            path.read_text("utf-8"), str(path), [str(path.parent)], global_keep_all_tokens=False
        )
        self._rules = {rule: tree for rule, _, tree, _ in definitions.rule_defs}
        self._terminals = {terminal: tree for terminal, (tree, _) in definitions.term_defs}
        self._ignored = definitions.ignore
        strength = {rule: options.priority or 0 for rule, _, _, options in definitions.rule_defs}
        definitions.term_defs = [
            (terminal, (tree, priority))
            if tree is not None or terminal.lower() not in self._rules
            else (terminal, (self._define_terminal(terminal), strength[terminal.lower()]))
            for terminal, (tree, priority) in definitions.term_defs
        ]
        self.definitions = definitions

    def _define_terminal(self, terminal: str) -> Tree[Any]:
        """Return a token's definition for Lark, made from the rule of its name."""
        pattern = self.regex(terminal).replace("/", r"\/")
        literal = Tree("literal", [Token("REGEXP", f"/{pattern}/")])
        return Tree("expansions", [Tree("expansion", [Tree("value", [literal])])])

    def has_rule_for_token(self, rule: str) -> bool:
        """Whether a token has a rule for its parts, such as `row` for `ROW`."""
        return rule in self._rules and self._terminals.get(rule.upper(), rule) is None

    def regex(self, name: str) -> str:
        """Return the regular expression of a token or rule."""
        is_token = name not in self._rules or name.upper() in self._terminals
        return Expression(self._rules, self._terminals, self._ignored).convert(
            name, is_token=is_token
        )

    def parser(self, start: str) -> Lark:
        """Return a parser for texts that match the rule `start`."""
        definitions = self._select_rules(start, self._ignored)
        return Lark(definitions, start=start, parser="lalr", lexer="basic")

    def token_parser(self, rule: str) -> Lark:
        """Return a parser that splits a token's text by its rule."""
        return Lark(self._select_rules(rule, []), start=rule, parser="lalr", lexer="contextual")

    def _select_rules(self, start: str, ignored_tokens: list[str]) -> Definitions:
        """Return the part of the grammar that a parser needs for texts that match the rule `start`.

        `ignored_tokens` may come anywhere in the text.
        """
        reached, open_rules = {start}, [start]
        while open_rules:
            parts = self._rules[open_rules.pop()].scan_values(
                lambda part: isinstance(part, NonTerminal)
            )
            new = {part.name for part in parts} - reached
            reached |= new
            open_rules += new
        rules = [rule for rule in self.definitions.rule_defs if rule[0] in reached]
        return Definitions(rules, self.definitions.term_defs, ignored_tokens)


_SEAL = 32
"""Length of a seal, in bytes."""


class _GrammarCache:
    """Cache file beside a grammar for its patterns and parsers, as Python keeps compiled modules.

    A grammar and its parser take 20 ms to make and 2 ms to load; a check of one file takes 150 ms
    (measured). If the folder is read-only, they are made each time.
    """

    def __init__(self, path: Path) -> None:
        self._path = Path(cache_from_source(str(path))).with_suffix(".grammar")
        self._made_of = f"{lark.__version__} {_hash_grammar_and_code(path)}".encode()
        self._texts: dict[str, str] = {}
        self._parsers: dict[str, bytes] = {}
        with suppress(OSError):
            kept = self._path.read_bytes()
            seal, content = kept[:_SEAL], kept[_SEAL:]
            if seal == self._hash_content(content):
                # Someone who can write this file can also change the modules.
                self._texts, self._parsers = pickle.loads(content)  # noqa: S301

    def _hash_content(self, content: bytes) -> bytes:
        """Return a hash of a cache file's content together with the grammar and the code."""
        return blake2b(self._made_of + content, digest_size=_SEAL).digest()

    def text(self, name: str, make: Callable[[], str]) -> str:
        """Return the cached regular expression with this name, or else what `make` makes."""
        if name not in self._texts:
            self._texts[name] = make()
            self._save()
        return self._texts[name]

    def parser(self, name: str, make: Callable[[], Lark]) -> Lark:
        """Return the cached parser with this name, or else the parser that `make` makes."""
        if name in self._parsers:
            return Lark.load(BytesIO(self._parsers[name]))
        parser = make()
        tables = BytesIO()
        parser.save(tables)
        self._parsers[name] = tables.getvalue()
        self._save()
        return parser

    def _save(self) -> None:
        """Write the cache file if Python may write bytecode; a failure is ignored."""
        if sys.dont_write_bytecode:
            return
        with suppress(OSError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            beside = self._path.with_suffix(f".{os.getpid()}")
            content = pickle.dumps((self._texts, self._parsers))
            beside.write_bytes(self._hash_content(content) + content)
            beside.replace(self._path)


def _hash_grammar_and_code(path: Path) -> str:
    """Return a hash of a grammar, its imports and the code that compiles it."""
    makers = (Path(__file__), Path(patterns.__file__))
    texts = (
        *_read_grammars(path.parent, [path.stem]).values(),
        *map(_read_code, makers),
    )
    return blake2b("".join(texts).encode()).hexdigest()


def _read_code(path: Path) -> str:
    """Return the source code in a file, or the program's version if the file cannot be read."""
    try:
        return path.read_text("utf-8")
    except OSError:
        return __version__


def _read_grammars(folder: Path, names: Iterable[str]) -> dict[str, str]:
    """Return the texts of the named grammars and of all grammars that they import, by name."""
    texts: dict[str, str] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop(0)
        if name not in texts:
            texts[name] = (folder / f"{name}.lark").read_text("utf-8")
            lines = texts[name].splitlines()
            waiting += (line.split()[1][1:] for line in lines if line.startswith("%import ."))
    return texts


def collect_grammars_for_readers(names: Iterable[str]) -> dict[str, str]:
    """Return the named grammars, and those that they import, as texts for people, by name.

    A name without a grammar file is left out.
    """
    described = (name for name in names if (_FOLDER / f"{name}.lark").exists())
    texts = _read_grammars(_FOLDER, described)
    return {name: _strip_lark_details(text.splitlines()) for name, text in texts.items()}


def _strip_lark_details(lines: Iterable[str]) -> str:
    """Return the lines of a grammar as text for people, without details for the parser."""
    text = "\n".join(_strip_priority(line) for line in lines if not line.startswith("%"))
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return f"{text.strip()}\n"


def _strip_priority(line: str) -> str:
    """Return a line of a grammar without the priority of the name that it defines.

    >>> _strip_priority('take.3: "Takes" | "Accepts."')
    'take: "Takes" | "Accepts."'
    """
    defined, colon, meaning = line.partition(":")
    name, _, number = defined.partition(".")
    is_definition = name.isidentifier() and number.lstrip("-").isdecimal()
    return f"{name}{colon}{meaning}" if is_definition else line


def rules(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    """Yield the subtrees directly below the root of a parse tree."""
    return (part for part in tree.children if isinstance(part, Tree))


def tokens(tree: Tree[Token]) -> Iterator[Token]:
    """Yield the tokens directly below the root of a parse tree."""
    return (part for part in tree.children if isinstance(part, Token))
