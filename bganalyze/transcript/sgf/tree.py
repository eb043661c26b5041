"""The trees of a Smart Game Format file: nodes with properties, and the line that was played."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache

from lark import Token

from bganalyze.board.position import BAR, OFF, Points
from bganalyze.transcript.grammar import terminal

# Points as letters: how Smart Game Format names them, from the side of White.
#
# White is the left side, Black the right one, as everywhere in this program.

COLOURS = ("W", "B")
"""The letters of the left and of the right side."""


def point_letter(point: int, side: int) -> str:
    """Return the letter of a point in the numbering of `side`; the bar is `y`, off is `z`.

    >>> point_letter(1, 0), point_letter(24, 1), point_letter(25, 0), point_letter(0, 1)
    ('a', 'a', 'y', 'z')
    """
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + (point if side == 0 else BAR - point) - 1)


def point(letter: str, side: int) -> int:
    """Return the point of a letter, from `a` to `z`, in the numbering of `side`.

    >>> point("a", 0), point("a", 1), point("y", 0), point("z", 1)
    (1, 24, 25, 0)
    """
    if letter in "yz":
        return BAR if letter == "y" else OFF
    number = ord(letter) - ord("a") + 1
    return number if side == 0 else BAR - number


def board_letters(boards: tuple[Points, Points]) -> str:
    """Return the properties that empty the board and set up the checkers of left and right.

    >>> from bganalyze.board.position import points
    >>> board_letters((points({25: 1, 6: 2}), points({6: 1})))
    'AE[a:y]AW[f][f][y]AB[s]'
    >>> board_letters((points({1: 1}), points({})))
    'AE[a:y]AW[a]'
    """
    return "AE[a:y]" + "".join(_stones(points, side) for side, points in enumerate(boards))


def _stones(points: Points, side: int) -> str:
    on_board = range(1, BAR + 1)
    stones = "".join(f"[{point_letter(point, side)}]" * points[point] for point in on_board)
    return f"A{COLOURS[side]}{stones}" if stones else ""


ANALYSIS = frozenset(("A", "DA", "LU", "GB", "GW", "BM", "DO", "TE", "IT", "BC", "DC", "GS"))
"""Properties in which GNU Backgammon keeps what it thinks of an action."""

_VALUE = re.compile(r"\[((?:[^\]]*+(?<!\\)|[^\]\\]*+(?:\\.[^\]\\]*+)*+))\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(?:\n|(.?))", re.DOTALL)


@dataclass(slots=True)
class Property:
    """A property with all its values, as it stands in the file."""

    name: str
    start: int
    end: int
    token: str

    def values(self) -> Iterator[tuple[str, int, int]]:
        """Yield each value as written, with where it starts and ends in the file."""
        for found in _VALUE.finditer(self.token):
            yield found.group(1), self.start + found.start(1), self.start + found.end(1)

    def first(self) -> str:
        """The first value as written."""
        found = _VALUE.search(self.token)
        assert found is not None
        return found.group(1)


@dataclass(slots=True)
class Node:
    """A node: what it records, what a program thinks of it, and what cannot be read."""

    start: int
    properties: list[Property] = field(default_factory=list)
    analysis: list[tuple[str, str]] = field(default_factory=list)
    junk: list[Token] = field(default_factory=list)
    named: dict[str, Property] = field(default_factory=dict)
    """The first property of each name."""

    def add(self, text: str, start: int) -> None:
        """Add a property; what a program thinks of the action is kept as it stands."""
        bracket = text.index("[")
        name = text[:bracket].rstrip()
        if not name.isupper():
            name = "".join(letter for letter in name if letter.isupper()) or name.upper()
        if name in ANALYSIS:
            self.analysis.append((name, text[bracket:]))
        else:
            known = Property(name, start, start + len(text), text)
            self.properties.append(known)
            self.named.setdefault(name, known)

    def find(self, *names: str) -> Property | None:
        """Return the first property with one of the names."""
        known = [self.named[name] for name in names if name in self.named]
        return min(known, key=lambda each: each.start, default=None)

    def is_comment(self) -> bool:
        """Whether it holds nothing but comments."""
        return bool(self.properties) and all(known.name == "C" for known in self.properties)

    def is_root(self) -> bool:
        """Whether a game begins with it."""
        return self.find("GM", "MI", "FF") is not None


@dataclass(slots=True)
class Tree:
    """Nodes that follow each other, and the variations after the last."""

    start: int
    nodes: list[Node] = field(default_factory=list)
    children: list[Tree] = field(default_factory=list)


def grown(tokens: Iterator[Token]) -> list[Tree]:
    """Return the trees of the games; nothing is too deep or unbalanced.

    A root inside another game stands there for want of a bracket, and begins a game of its own.
    """
    games: list[Tree] = []
    path: list[Tree] = []
    for token in tokens:
        start = token.start_pos or 0
        if token.type == "CLOSE":
            del path[-1:]
            continue
        if token.type == "OPEN":
            for at in range(start, start + len(token)):
                tree = Tree(at)
                (path[-1].children if path else games).append(tree)
                path.append(tree)
            continue
        if not path:
            games = games or [Tree(start)]
            path = [games[-1]]
        _put(path[-1], token, start)
        if len(path) > 1 and path[-1].nodes[0].is_root():
            path[-2].children.pop()
            games.append(path[-1])
            path = [path[-1]]
    return games


def _put(tree: Tree, token: Token, start: int) -> None:
    """Add nodes to a tree, or what a node holds to its last one."""
    if token.type != "NODES" and not tree.nodes:
        tree.nodes.append(Node(start))
    if token.type not in ("NODES", "PROPERTY"):
        tree.nodes[-1].junk.append(token)
        return
    for found in _pieces().finditer(token):
        text, at = found.group(), start + found.start()
        if text == ";":
            tree.nodes.append(Node(at))
        else:
            tree.nodes[-1].add(text, at)


@cache
def _pieces() -> re.Pattern[str]:
    """What nodes are made of: where each begins, and its properties."""
    return re.compile(f";|{terminal('PROPERTY', of='sgf').pattern}")


def main_line(tree: Tree) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes that were played; with True those that only tell of another variation."""
    yield from ((node, False) for node in tree.nodes[1:])
    while tree.children:
        variations = tree.children
        tree = variations[0]
        for aside in variations[1:]:
            if _is_corrected_by(aside, tree):
                yield from ((node, False) for node in aside.nodes)
            elif aside.nodes:
                yield aside.nodes[0], True
        yield from ((node, False) for node in tree.nodes)


def _is_corrected_by(aside: Tree, main: Tree) -> bool:
    """Whether a variation is a play or a set-up taken back, and the main line what replaced it.

    Comments may stand with it. A play of which only the board is known is a throw and a set-up.
    """
    if aside.children or not main.nodes:
        return False
    two = main.nodes[0]
    match [node for node in aside.nodes if not node.is_comment()]:
        case [one] if one.find("AE") is not None:
            return two.find("AE") is not None
        case [one] if one.find("W", "B") is not None:
            return _is_same_throw(one, two)
        case [one, left] if one.find("DI") is not None and left.find("AE") is not None:
            return _is_same_throw(one, two)
    return False


def _is_same_throw(one: Node, two: Node) -> bool:
    """Whether both nodes tell of one throw of one side."""
    throw = _throw(one)
    return throw is not None and throw == _throw(two)


def _throw(node: Node) -> tuple[str, ...] | None:
    """The side that has thrown, and its dice in order."""
    play, dice, turn = node.find("W", "B"), node.find("DI"), node.find("PL")
    if play is not None:
        side, thrown = play.name, play.first()[:2]
    elif dice is not None and turn is not None:
        side, thrown = turn.first().strip()[:1].upper(), dice.first()[:2]
    else:
        return None
    return (side, *sorted(thrown)) if thrown.isdigit() else None


def plain(text: str) -> str:
    r"""Return a value without its escapes; an escaped end of a line is none.

    >>> plain(r"a\]b\\c"), plain("a\\\n\\]b")
    ('a]b\\c', 'a]b')
    """
    return _ESCAPED.sub(r"\1", text) if "\\" in text else text
