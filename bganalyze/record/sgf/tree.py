"""Trees of a Smart Game Format file: nodes with properties, and the line that was played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lark import Token, Tree

from bganalyze.board.position import BAR, OFF, Points
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import LEFT, RIGHT, Side

# Points as letters, seen by White. White is the left side and Black the right side, as everywhere
# in this program.

COLORS = ("W", "B")
"""Letters of the left and the right side."""

SIDES: dict[str, Side] = {"W": LEFT, "B": RIGHT}


def point_letter(point: int, side: int) -> str:
    """Return the SGF letter of the point that `side` (0 left, 1 right) calls `point`.

    >>> point_letter(1, 0), point_letter(24, 1), point_letter(25, 0), point_letter(0, 1)
    ('a', 'a', 'y', 'z')
    """
    if point in (BAR, OFF):
        return "y" if point == BAR else "z"
    return chr(ord("a") + (point if side == 0 else BAR - point) - 1)


def point_of_letter(letter: str, side: int) -> int:
    """Return the number, as seen by `side` (0 left, 1 right), of the point that a letter names.

    >>> point_of_letter("a", 0), point_of_letter("a", 1), point_of_letter("y", 0), point_of_letter("z", 1)
    (1, 24, 25, 0)
    """
    if letter in "yz":
        return BAR if letter == "y" else OFF
    number = ord(letter) - ord("a") + 1
    return number if side == 0 else BAR - number


def write_boards(boards: tuple[Points, Points]) -> str:
    """Return SGF properties that clear the board and put checkers on it.

    `AW` places left's checkers (White), `AB` right's. The letter `a` is left's 1-point.

    >>> from bganalyze.board.position import points
    >>> write_boards((points({1: 2}), points({24: 1})))
    'AE[a:y]AW[a][a]AB[a]'
    """
    return "AE[a:y]" + "".join(
        _write_checkers_of_side(points, side) for side, points in enumerate(boards)
    )


def _write_checkers_of_side(points: Points, side: int) -> str:
    """Return the SGF property that puts the checkers of a side on the board.

    >>> from bganalyze.board.position import points
    >>> _write_checkers_of_side(points({6: 2, 25: 1}), 0)
    'AW[f][f][y]'
    """
    on_board = range(1, BAR + 1)
    stones = "".join(f"[{point_letter(point, side)}]" * points[point] for point in on_board)
    return f"A{COLORS[side]}{stones}" if stones else ""


ANALYSIS = frozenset(("A", "DA", "LU", "GB", "GW", "BM", "DO", "TE", "IT", "BC", "DC", "GS"))
"""Properties that hold GNU Backgammon's analysis of an action."""


def property_name(written: str) -> str:
    """Return the standard name of an SGF property: the capitals in the written name.

    >>> property_name("White"), property_name("W"), property_name("w")
    ('W', 'W', 'W')
    """
    if written.isupper():
        return written
    return "".join(letter for letter in written if letter.isupper()) or written.upper()


@dataclass(slots=True)
class Property:
    """A property of an SGF node with all its values, as written in the file."""

    name: str
    start: int
    end: int
    token: str

    def values(self) -> Iterator[tuple[str, int, int]]:
        """Yield each value as written, with its start and end offset in the file."""
        for value in grammar("sgf").pattern("value").finditer(self.token):
            text, start = value["text"] or "", self.start + value.start() + 1
            yield text, start, start + len(text)

    def first_value(self) -> str:
        """Return the first value of the property as written."""
        value = grammar("sgf").pattern("value").search(self.token)
        assert value is not None
        return value["text"] or ""

    def side(self) -> Side | None:
        """Return the side that the first value names (`W` is left), or None."""
        return SIDES.get(self.first_value().strip()[:1].upper())


@dataclass(slots=True)
class Node:
    """A node of SGF: properties, a program's analysis, and unreadable text."""

    start: int
    properties: list[Property] = field(default_factory=list)
    analysis: list[tuple[str, str]] = field(default_factory=list)
    junk: list[Token] = field(default_factory=list)
    named: dict[str, Property] = field(default_factory=dict)
    """First property of each name."""

    def add_property(self, text: str, start: int) -> None:
        """Add a property, such as `W[31he]`, which begins at the offset `start` in the file."""
        bracket = text.index("[")
        name = property_name(text[:bracket].rstrip())
        if name in ANALYSIS:
            self.analysis.append((name, text[bracket:]))
        else:
            added = Property(name, start, start + len(text), text)
            self.properties.append(added)
            self.named.setdefault(name, added)

    def find(self, *names: str) -> Property | None:
        """Return the first property with one of these names, or None."""
        properties = [self.named[name] for name in names if name in self.named]
        return min(properties, key=lambda entry: entry.start, default=None)

    def is_comment(self) -> bool:
        """Whether the node has only comments."""
        return bool(self.properties) and all(entry.name == "C" for entry in self.properties)


def list_nodes(tree: Tree[Token]) -> list[Node]:
    """Return the SGF nodes of a game or variation, without those of inner variations."""
    nodes: list[Node] = []
    for token in tokens(tree):
        start = token.start_pos or 0
        if token.type not in ("EMPTY", "NODES") and not nodes:
            nodes.append(Node(start))
        if token.type in ("NODES", "PROPERTY"):
            for piece in grammar("sgf").pattern("piece").finditer(token):
                text, at = piece.group(), start + piece.start()
                if text == ";":
                    nodes.append(Node(at))
                else:
                    nodes[-1].add_property(text.rstrip(), at)
        elif token.type in ("VALUE", "UNCLOSED", "JUNK"):
            nodes[-1].junk.append(token)
    return nodes


def yield_played_nodes(game: Tree[Token], nodes: list[Node]) -> Iterator[tuple[Node, bool]]:
    """Yield the nodes of a game, each with whether it begins a variation that was not played.

    `nodes` are those before the first variation. A play taken back counts as played.
    """
    yield from ((node, False) for node in nodes)
    tree = game
    while variations := list(rules(tree)):
        tree, *asides = variations
        nodes = list_nodes(tree)
        for aside in asides:
            others = list_nodes(aside)
            if not any(rules(aside)) and _is_corrected_by(others, nodes):
                yield from ((node, False) for node in others)
            elif others:
                yield others[0], True
        yield from ((node, False) for node in nodes)


def _is_corrected_by(branch: list[Node], main_branch: list[Node]) -> bool:
    """Whether `branch` is a single set-up or play that `main_branch` replaces at its start."""
    if not main_branch:
        return False
    # The replacement is another set-up, or another play of the same roll.
    match [node for node in branch if not node.is_comment()]:
        case [node] if node.find("AE") is not None:
            return main_branch[0].find("AE") is not None
        case [node] if node.find("W", "B") is not None:
            return _is_same_roll(node, main_branch[0])
        case [node, left] if node.find("DI") is not None and left.find("AE") is not None:
            return _is_same_roll(node, main_branch[0])
    return False


def _is_same_roll(one: Node, two: Node) -> bool:
    """Whether two SGF nodes state the same roll by the same side."""
    roll = _find_side_and_dice(one)
    return roll is not None and roll == _find_side_and_dice(two)


def _find_side_and_dice(node: Node) -> tuple[Side | None, list[str]] | None:
    """Return the side that rolls in an SGF node and its dice, sorted, or None without a roll."""
    play, dice, turn = node.find("W", "B"), node.find("DI"), node.find("PL")
    if play is not None:
        dice, side = play, SIDES.get(play.name)
    elif dice is not None and turn is not None:
        side = turn.side()
    else:
        return None
    rolled = dice.first_value()[:2]
    return (side, sorted(rolled)) if rolled.isdigit() else None


def unescape(text: str) -> str:
    r"""Return the value of an SGF property without backslashes for escapes.

    >>> unescape(r"a\]b\\c")
    'a]b\\c'
    """
    return grammar("sgf").pattern("escaped").sub(r"\g<character>", text) if "\\" in text else text
