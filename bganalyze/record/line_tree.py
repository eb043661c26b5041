"""The parse tree of one line of a match file, for authors of exporters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, cast

from lark import Token, Tree

from bganalyze.record.builder import DASHES, ROLL
from bganalyze.record.grammar import Grammar, grammar, rules, tokens


class LinePart(NamedTuple):
    """A part of a line: its name in the grammar, and its text or its own parts."""

    name: str
    text: str
    parts: tuple[LinePart, ...] = ()


class TreeReader(Protocol):
    """A module that reads a text format."""

    def tree(self, text: str) -> Tree[Token]:
        """Return the parse tree of a file: matches, games and their lines."""


class CellReader(Protocol):
    """A module that reads a format whose rows have cells."""

    def cells(self, file_tree: Tree[Token], row: str) -> Iterator[tuple[str, str]]:
        """Yield the cells of a row: the name of the grammar rule, and the text.

        `file_tree`, the whole file, may show where the right column begins.
        """


class ValueReader(Protocol):
    """A module that reads a format whose lines have properties (SGF)."""

    def value_tree(self, name: str, text: str) -> Tree[Token] | None:
        """Return the parse tree of a property's value, or None for plain text."""


def parse_single_line(
    reader: TreeReader, text: str, line: int, grammar_names: tuple[str, ...]
) -> LinePart | None:
    """Return one line of a file as a tree, or None if the line is blank or missing.

    `line` counts from 1. The root of the tree is the outermost part of the file around the line.
    """
    lines = text.split("\n")
    words = lines[line - 1] if line <= len(lines) else ""
    if not words.strip():
        return None
    file_tree = reader.tree(text)
    token, trees = _find_token_of_line(file_tree, line)
    if token is None:
        return None
    parts = _parse_line_of_token(token, line, grammar(grammar_names[0]))
    if isinstance(parts, Tree):
        if any(parts.find_data("cells")):
            _parse_cells(
                parts, cast("CellReader", reader).cells(file_tree, words), grammar_names[1]
            )
        _parse_steps(parts)
        _parse_values(parts, cast("ValueReader", reader))
    part = _to_line_part(parts)
    for tree in trees:
        part = LinePart(tree.data, "", (part,))
    return part


def _to_line_part(part: Tree[Token] | Token) -> LinePart:
    """Return a parse tree as a `LinePart`, with the grammar's rule names."""
    name = part.type if isinstance(part, Token) else part.data
    name = name.rpartition("__")[2]
    if isinstance(part, Token):
        return LinePart(name, str(part))
    if all(isinstance(child, Token) for child in part.children):
        return LinePart(name, " ".join(map(str, part.children)))
    return LinePart(name, "", tuple(map(_to_line_part, part.children)))


def _find_token_of_line(
    file_tree: Tree[Token], line: int
) -> tuple[Token | None, list[Tree[Token]]]:
    """Return the first token on a line (or None), and the subtrees around it, innermost first."""
    above = {id(inner): tree for tree in file_tree.iter_subtrees() for inner in rules(tree)}
    holding = [
        (token, tree)
        for tree in file_tree.iter_subtrees()
        for token in tokens(tree)
        if token and 0 <= line - (token.line or 0) <= token.count("\n")
    ]
    if not holding:
        return None, []
    first, tree = min(holding, key=lambda held: held[0].start_pos or 0)
    trees = [tree]
    while id(trees[-1]) in above:
        trees.append(above[id(trees[-1])])
    return first, trees


def _parse_line_of_token(token: Token, line: int, line_grammar: Grammar) -> Tree[Token] | Token:
    """Return the parse tree of one line, which is a part of `token`."""
    rule = token.type.lower()
    above = line - (token.line or 0)
    if not line_grammar.has_rule_for_token(rule):
        return Token(token.type, token.split("\n")[above])
    return _cut_to_line(line_grammar.parse_token(rule, token), above + 1)


def _parse_cells(line: Tree[Token], cells: Iterator[tuple[str, str]], grammar_name: str) -> None:
    """Replace the cells in the tree of a line by their parse trees.

    `cells` yields the grammar rule of each cell, such as `left_cell`, and its text.
    """
    level = grammar(grammar_name)
    for part in list(line.find_data("cells")):
        part.children = [
            Tree(rule, _parse_tokens(level, level.parse(grammar_name, cell)).children)
            for rule, cell in cells
            if cell
        ]


def _parse_steps(line: Tree[Token]) -> None:
    """Replace the steps in the tree of a line by their parse trees."""
    level = grammar("cell")
    for part in line.find_data("steps"):
        words = " ".join(str(child) for child in part.children)
        cell = _parse_tokens(level, level.parse("cell", ROLL + words.translate(DASHES)))
        plays = list(cell.find_data("play"))
        if len(plays) == 1 and not any(cell.find_data("unread")):
            part.children = plays[0].children[1:]


def _parse_values(line: Tree[Token], reader: ValueReader) -> None:
    """Replace the values of SGF properties in the tree of a line by their parse trees."""
    for part in line.find_data("property"):
        name = next((str(name.children[0]) for name in part.find_data("name")), "")
        for text in part.find_data("text"):
            value = reader.value_tree(name, str(text.children[0]))
            # A value of plain text stays.
            if value is not None:
                text.data, text.children = value.data, value.children


def _parse_tokens(tokens_grammar: Grammar, tree: Tree[Token]) -> Tree[Token]:
    """Return a tree in which each token that has a rule for its parts is split by that rule."""
    children = [
        _parse_tokens(tokens_grammar, child)
        if isinstance(child, Tree)
        else tokens_grammar.parse_token(child.type.lower(), child)
        if tokens_grammar.has_rule_for_token(child.type.lower())
        else child
        for child in tree.children
    ]
    return Tree(tree.data, children)


def _cut_to_line(tree: Tree[Token], line: int) -> Tree[Token]:
    """Return the parts of a tree that are on one line, counted from 1."""
    children = [
        _cut_to_line(child, line) if isinstance(child, Tree) else _cut_token_to_line(child, line)
        for child in tree.children
        if any(_covers_line(token, line) for token in _yield_tokens(child))
    ]
    return Tree(tree.data, children)


def _covers_line(token: Token, line: int) -> bool:
    """Whether a token has text on the line with the number `line`."""
    return 0 <= line - (token.line or 0) <= token.count("\n")


def _cut_token_to_line(token: Token, line: int) -> Token:
    """Return the part of a token that is on the line with the number `line`."""
    return Token(token.type, token.split("\n")[line - (token.line or 0)], line=line)


def _yield_tokens(part: Tree[Token] | Token) -> Iterator[Token]:
    """Yield all tokens in a tree."""
    if isinstance(part, Token):
        yield part
    else:
        for child in part.children:
            yield from _yield_tokens(child)
