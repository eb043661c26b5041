"""What one line of a file is made of, by the grammar of its format: for those who write exporters."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol, cast

from lark import Token, Tree

from bganalyze.record.builder import DASHES, ROLL
from bganalyze.record.grammar import Grammar, grammar, rules, tokens


class LinePart(NamedTuple):
    """A part of a line: what the grammar calls it, and its text or its own parts."""

    name: str
    text: str
    parts: tuple[LinePart, ...] = ()


class TreeReader(Protocol):
    """What the module of a format of text offers."""

    def tree(self, text: str) -> Tree[Token]:
        """Return what a file is made of: matches, games and their lines."""


class CellReader(Protocol):
    """What the module of a format offers whose lines have cells."""

    def cells(self, whole: Tree[Token], line: str) -> Iterator[tuple[str, str]]:
        """Yield the cells of a line of a file, each with its name."""


class ValueReader(Protocol):
    """What the module of a format offers whose lines have properties."""

    def value_tree(self, name: str, text: str) -> Tree[Token] | None:
        """Return what a value of a property is made of; None where it is plain text."""


def line_tree(reader: TreeReader, text: str, line: int, names: tuple[str, ...]) -> LinePart | None:
    """Return what a line is made of, under the rules that lead to it; None where it is blank.

    `names` are the grammars of the format's lines and of their cells.
    """
    lines = text.split("\n")
    words = lines[line - 1] if line <= len(lines) else ""
    if not words.strip():
        return None
    whole = reader.tree(text)
    token, trees = _way(whole, line)
    if token is None:
        return None
    parts = _parts(token, line, grammar(names[0]))
    if isinstance(parts, Tree):
        if any(parts.find_data("cells")):
            _put_cells(parts, cast("CellReader", reader).cells(whole, words), names[1])
        _put_steps(parts)
        _put_values(parts, cast("ValueReader", reader))
    part = _named(parts)
    for tree in trees:
        part = LinePart(tree.data, "", (part,))
    return part


def _named(part: Tree[Token] | Token) -> LinePart:
    """Return a part under its plain name; what is imported has that of its grammar before it."""
    name = part.type if isinstance(part, Token) else part.data
    name = name.rpartition("__")[2]
    if isinstance(part, Token):
        return LinePart(name, str(part))
    if all(isinstance(child, Token) for child in part.children):
        return LinePart(name, " ".join(map(str, part.children)))
    return LinePart(name, "", tuple(map(_named, part.children)))


def _way(whole: Tree[Token], line: int) -> tuple[Token | None, list[Tree[Token]]]:
    """Return the token that holds a line, and the rules that lead to it, the innermost first.

    Without recursion: trees may be as deep as a file has brackets.
    """
    above = {id(inner): tree for tree in whole.iter_subtrees() for inner in rules(tree)}
    holding = [
        (token, tree)
        for tree in whole.iter_subtrees()
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


def _parts(token: Token, line: int, lines: Grammar) -> Tree[Token] | Token:
    """What the token that holds a line is made of there."""
    rule = token.type.lower()
    above = line - (token.line or 0)
    if not lines.describes(rule):
        return Token(token.type, token.split("\n")[above])
    return _on_line(lines.parts(rule, token), above + 1)


def _put_cells(line: Tree[Token], cells: Iterator[tuple[str, str]], name: str) -> None:
    """Put the parts of its cells into a line."""
    level = grammar(name)
    for part in list(line.find_data("cells")):
        part.children = [
            Tree(side, _words(level, level.parse(name, cell)).children)
            for side, cell in cells
            if cell
        ]


def _put_steps(line: Tree[Token]) -> None:
    """Put the parts of its steps into a line, in which a hyphen may stand for a slash."""
    level = grammar("cell")
    for part in line.find_data("steps"):
        words = " ".join(str(child) for child in part.children)
        cell = _words(level, level.parse("cell", ROLL + words.translate(DASHES)))
        plays = list(cell.find_data("play"))
        if len(plays) == 1 and not any(cell.find_data("unread")):
            part.children = plays[0].children[1:]


def _put_values(line: Tree[Token], reader: ValueReader) -> None:
    """Put what the values of its properties are made of into a line that has their names."""
    for part in line.find_data("property"):
        name = next((str(name.children[0]) for name in part.find_data("name")), "")
        for text in part.find_data("text"):
            value = reader.value_tree(name, str(text.children[0]))
            if value is not None:
                text.data, text.children = value.data, value.children


def _words(level: Grammar, tree: Tree[Token]) -> Tree[Token]:
    """Return a tree with what its words are made of."""
    children = [
        _words(level, child)
        if isinstance(child, Tree)
        else level.parts(child.type.lower(), child)
        if level.describes(child.type.lower())
        else child
        for child in tree.children
    ]
    return Tree(tree.data, children)


def _on_line(tree: Tree[Token], line: int) -> Tree[Token]:
    """Return what of a tree of several lines stands on one of them."""
    children = [
        _on_line(child, line) if isinstance(child, Tree) else _piece(child, line)
        for child in tree.children
        if any(_stands_on(token, line) for token in _tokens(child))
    ]
    return Tree(tree.data, children)


def _stands_on(token: Token, line: int) -> bool:
    return 0 <= line - (token.line or 0) <= token.count("\n")


def _piece(token: Token, line: int) -> Token:
    """Return what of a token of several lines stands on one of them."""
    return Token(token.type, token.split("\n")[line - (token.line or 0)], line=line)


def _tokens(part: Tree[Token] | Token) -> Iterator[Token]:
    """The tokens of a part."""
    if isinstance(part, Token):
        yield part
    else:
        for child in part.children:
            yield from _tokens(child)
