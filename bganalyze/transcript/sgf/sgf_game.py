"""The nodes of a game in Smart Game Format, as actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from bganalyze.board.position import Points, Step
from bganalyze.transcript.drafts import (
    MOST_DIGITS,
    GameDraft,
    Manner,
    Places,
    given_up,
    turn_of_cube,
)
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Analysis,
    Answer,
    Comment,
    Double,
    How,
    Play,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
    other_side,
)
from bganalyze.transcript.sgf.letters import point
from bganalyze.transcript.sgf.sgf_root import Root
from bganalyze.transcript.sgf.sgf_tree import Node, Property, Tree, main_line, plain

SIDES: dict[str, Side] = {"W": LEFT, "B": RIGHT}

SET_UP = frozenset(("AE", "AW", "AB", "CV", "CP", "CO"))

EMPTIED = 24
"""Points that `AE` must clear for a board to be known: all."""

MOST_LETTERS = 8
"""The letters of four steps."""

LONGEST_ASIDE = 60

REMEMBERED = 16_384
"""Plays that are kept as read: the same ones make up every record."""

_RESULT = re.compile(r"\s*([WB])\s*\+\s*([0-9]{1,9})?\s*(R|F|T)?[a-z]*\s*")
_ACTION = re.compile(r"\s*([0-9])([0-9])([a-z]*)\s*")
_CUBE = re.compile(r"\s*(double|take|drop)\s*", re.IGNORECASE)

MANNERS: dict[str, Manner] = {"R": "resigned", "F": "forfeit", "T": "time"}


def play_through(tree: Tree, root: Root, game: GameDraft, places: Places, *, dances: bool) -> None:
    """Add the actions of the main line, and the result that the root states."""
    reader = _Game(game, places, root.checkers(), How.CANNOT_MOVE if dances else How.EMPTY)
    reader.remarks(root.node)
    for number, (node, is_aside) in enumerate(main_line(tree), start=1):
        reader.row = str(number)
        if is_aside:
            reader.aside(node)
        else:
            reader.add(node)
    reader.row = None
    stated_result = root.node.find("RE")
    if stated_result is not None:
        reader.result(stated_result)


@dataclass(slots=True)
class _Game:
    """A game under way: the nodes become actions."""

    game: GameDraft
    places: Places
    checkers: int
    without_steps: How
    """What a throw without letters means."""
    row: str | None = None
    on_roll: Side = LEFT

    def add(self, node: Node) -> None:
        """Add what a node records."""
        analysis = Analysis("GNU Backgammon", tuple(node.analysis)) if node.analysis else None
        if len(node.properties) == 1 and node.properties[0].name in SIDES and not node.junk:
            self._action(node.properties[0], analysis)  # Nearly every node is this.
            self._further(node.properties[0])
            return
        turn = node.find("PL")
        if turn is not None and turn.first().strip()[:1].upper() in SIDES:
            self.on_roll = SIDES[turn.first().strip()[:1].upper()]
        if any(known.name in SET_UP for known in node.properties):
            self._set_up(node)
        for known in node.properties:
            if known.name == "DI":
                self._thrown(known)
                self._further(known)
            elif known.name in SIDES:
                self._action(known, analysis)
                self._further(known)
        self.remarks(node)

    def remarks(self, node: Node) -> None:
        """Add the comments of a node, and what cannot be read."""
        for known in node.properties:
            if known.name == "C":
                self._comments(known)
        for token in node.junk:
            self._unread(str(token), token.start_pos or 0)

    def _comments(self, known: Property) -> None:
        """Add a comment for each value; the first stands where its property does."""
        begin = known.start
        for text, _, end in known.values():
            span = self.places.span(begin, end + 1)
            self.game.actions.append(Comment(span, self.row, plain(text).strip()))
            begin = end + 1

    def aside(self, node: Node) -> None:
        """Keep a variation that was not played as a comment."""
        text = " ".join(known.token for known in node.properties)[:LONGEST_ASIDE]
        span = self.places.span(node.start, node.start + 1)
        self.game.actions.append(Comment(span, self.row, f"a variation: {text}"))

    def _further(self, known: Property) -> None:
        """Values after the first, where one is all that may stand."""
        if known.token.count("[") > 1:
            for text, start, _ in list(known.values())[1:]:
                self._unread(f"[{text}]", start - 1)

    def _unread(self, text: str, start: int) -> None:
        if text.strip():
            start += len(text) - len(text.lstrip())
            span = self.places.span(start, start + len(text.strip()))
            self.game.actions.append(Unread(span, self.row, None, text.strip()))

    def _thrown(self, known: Property) -> None:
        """A throw without a play; it may be that of the next node."""
        found = _ACTION.fullmatch(known.first())
        if found is None or found.group(3):
            self._unread(known.token, known.start)
            return
        dice = (int(found.group(1)), int(found.group(2)))
        span = self.places.span(known.start, known.end)
        play = Play(span, self.row, self.on_roll, dice, how=How.UNPLAYED)
        self.game.actions.append(play)

    def _action(self, known: Property, analysis: Analysis | None) -> None:
        """`W[...]` or `B[...]`: a play, or an action with the cube."""
        text, side = known.first(), SIDES[known.name]
        span = self.places.span(known.start, known.end)
        self.on_roll = other_side(side)
        said = _said(text, side)
        if said is not None:
            self._play(known, span, side, said, analysis)
            return
        cube = _CUBE.fullmatch(text)
        word = cube.group(1).casefold() if cube else ""
        if word == "double":
            kind = turn_of_cube(self.game.actions, side)
            self.game.actions.append(Double(span, self.row, side, None, kind, analysis))
        elif word:
            self.game.actions.append(Answer(span, self.row, side, word == "take", analysis))
        else:
            self._unread(known.token, known.start)

    def _play(
        self, known: Property, span: Span, side: Side, said: _Said, analysis: Analysis | None
    ) -> None:
        self._forget_throw(side, said.dice)
        begin = known.token.index("[") + 1
        at = begin + said.at
        places = tuple((at + 2 * n, at + 2 * n + 2) for n in range(len(said.steps)))
        if "\n" in known.token:
            places = ((0, span.end_column - span.column),) * len(said.steps)
        how = How.UNREAD if said.rest else How.PLAYED if said.steps else self.without_steps
        play = Play(span, self.row, side, said.dice, said.steps, places, how, analysis=analysis)
        self.game.actions.append(play)
        if said.rest:
            self._unread(said.rest, known.start + at)

    def _forget_throw(self, side: Side, dice: tuple[int, int]) -> None:
        """`DI` before the play of the same throw says nothing more."""
        before = self.game.actions[-1] if self.game.actions else None
        if not isinstance(before, Play) or before.how is not How.UNPLAYED or before.dice is None:
            return
        if before.side == side and sorted(before.dice) == sorted(dice):
            self.game.actions.pop()

    def _set_up(self, node: Node) -> None:
        known = next(known for known in node.properties if known.name in SET_UP)
        span = self.places.span(known.start, known.end)
        stones = [p for p in node.properties if p.name in ("AE", "AW", "AB")]
        boards = _boards(stones, self.checkers) if stones else None
        if stones and boards is None:
            self._unread(stones[0].token, stones[0].start)
        turn = self.on_roll if node.find("PL") is not None else None
        value, owner = _cube(node)
        set_up = SetUp(span, self.row, boards, value, owner, turn)
        before = self.game.actions[-1] if self.game.actions else None
        if boards is not None and isinstance(before, Play) and before.how is How.UNPLAYED:
            self.game.actions[-1] = before._replace(
                how=How.PLAYED, called_illegal=True, left_board=set_up
            )
        elif boards is not None or value is not None:
            self.game.actions.append(set_up)

    def result(self, known: Property) -> None:
        """Add the result that the root states; a resignation is marked with `R`."""
        text = known.first()
        found = _RESULT.fullmatch(text)
        if found is None:
            return
        span = self.places.span(known.start, known.end)
        winner, points = SIDES[found.group(1)], int(found.group(2)) if found.group(2) else None
        if found.group(3):
            self.game.actions += given_up(span, None, winner, points, MANNERS[found.group(3)])
        elif points is not None:
            self.game.actions.append(Result(span, None, winner, points))


class _Said(NamedTuple):
    """What the value of a play says."""

    dice: tuple[int, int]
    steps: tuple[Step, ...]
    at: int
    """Where the letters begin in it."""
    rest: str
    """The letters and what follows, where they do not read as a whole."""


@lru_cache(REMEMBERED)
def _said(text: str, side: Side) -> _Said | None:
    """Return what the value of a play says, or None where it begins with no throw."""
    found = _ACTION.match(text)
    if found is None:
        return None
    letters = found.group(3)
    is_whole = found.end() == len(text) and len(letters) % 2 == 0 and len(letters) <= MOST_LETTERS
    pairs = zip(letters[::2], letters[1::2], strict=False)
    steps = tuple(Step((point(one, side), point(two, side)), (False,)) for one, two in pairs)
    at = found.start(3)
    dice = (int(found.group(1)), int(found.group(2)))
    return _Said(dice, steps, at, "" if is_whole else text[at:])


def _boards(stones: list[Property], checkers: int) -> tuple[Points, Points] | None:
    """The board that a node sets up, or None where it only changes one."""
    sides = {"AW": [0] * 26, "AB": [0] * 26}
    emptied = False
    for known in stones:
        for text, _, _ in known.values():
            letters = list(_letters(text))
            if known.name == "AE":
                emptied = emptied or len(letters) >= EMPTIED
                continue
            for letter in letters:
                sides[known.name][point(letter, SIDES[known.name[1]])] += 1
    if not emptied:
        return None
    for counts in sides.values():
        counts[0] += max(checkers - sum(counts), 0)
    return tuple(sides["AW"]), tuple(sides["AB"])


def _letters(text: str) -> Iterator[str]:
    """The points that a value of a set-up names: one, or a range."""
    first, _, last = text.strip().partition(":")
    last = last or first
    if len(first) == len(last) == 1 and "a" <= first <= last <= "z":
        yield from map(chr, range(ord(first), ord(last) + 1))


def _cube(node: Node) -> tuple[int | None, Side | None]:
    """The value and the owner of a cube that is set by hand."""
    value, owner = node.find("CV"), node.find("CP", "CO")
    said = value.first().strip() if value else ""
    number = int(said) if said.isdecimal() and len(said) <= MOST_DIGITS else None
    letter = owner.first().strip()[:1].upper() if owner else ""
    return number, SIDES.get(letter)
