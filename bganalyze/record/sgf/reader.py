r"""Read Smart Game Format, FF[4] GM[6], as GNU Backgammon writes it (`.sgf`).

A file is a sequence of trees, one for each game. White is the left side, Black the right. The main
line of a tree was played. A variation of a single play with the main line's roll is a play that was
taken back: it comes before the play that corrected it. Other variations were not played, and are
kept as comments.

>>> from bganalyze.record.model import Source
>>> text = "(;GM[6]MI[length:3]PW[Ann]PB[Bob];W[31hefe](;B[52lqac])(;B[52lqxx]))"
>>> [match] = read(text, Source("a.sgf", "utf-8", [text]))
>>> [str(action.steps) for action in match.games[0].actions][1]
'(Step(path=(13, 8), marked=(False,)), Step(path=(1, 1), marked=(False,)))'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import le
from typing import Literal

from lark import Token, Tree, UnexpectedInput

from bganalyze.board.position import BAR, VARIANTS, Points
from bganalyze.record.builder import (
    GameDraft,
    Manner,
    MatchDraft,
    Places,
    append_acceptance,
    append_refusal,
    classify_double,
    make_resignation,
)
from bganalyze.record.conventions import GNUBG
from bganalyze.record.grammar import grammar, rules
from bganalyze.record.model import (
    LEFT,
    Action,
    Analysis,
    Answer,
    Comment,
    Conventions,
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.record.sgf.root import (
    ANALYZED_BY,
    OF_A_TURN,
    Root,
)
from bganalyze.record.sgf.tree import (
    SIDES,
    Node,
    Property,
    list_nodes,
    property_name,
    unescape,
    yield_played_nodes,
)
from bganalyze.record.sgf.values import (
    TurnValue,
    parse_turn,
    read_boards,
    read_cube,
    to_number,
)


def _may_precede_first_play(action: Action) -> bool:
    """Whether an action may precede the first play: a set-up, comment, double or unplayed roll."""
    if isinstance(action, Play):
        return action.how is PlayRecord.UNPLAYED
    return isinstance(action, SetUp | Comment | Double)


SET_UP = frozenset(("AE", "AW", "AB", "CV", "CP", "CO"))

OF_A_NODE = SET_UP | {"PL", "C"}
"""Properties that may accompany a turn in its node."""


MOST_STEPS = 4
"""Number of steps in a play of doubles, the longest."""


LONGEST_ASIDE = 60


NO_RESULT = frozenset(("", "?", "0", "draw", "void"))
"""Results without a winner."""

RESIGNED: dict[str, Literal[1, 2, 3]] = {"1": 1, "2": 2, "3": 3}
"""Size of a resignation, in units of the cube."""

MANNERS: dict[str, Manner] = {"R": "resigned", "F": "forfeit", "T": "time"}


@dataclass(slots=True)
class _Game:
    """Makes the actions of a game from its nodes in SGF."""

    game: GameDraft
    places: Places
    checkers: int
    without_steps: PlayRecord
    """Meaning of a roll without letters."""
    has_edits: bool
    """Whether the program saves how the position was edited before the first play."""
    analyzed_by: str
    """The program that made the stored analyses."""
    row: str | None = None
    on_roll: Side = LEFT

    def add_nodes(self, root: Root, nodes: Iterable[tuple[Node, bool]]) -> None:
        """Add the actions of all nodes of a game, then the result that the node `root` states.

        Each node comes with a flag: True for the start of a variation, which becomes a comment.
        """
        for prop in root.node.properties:
            if prop.name in OF_A_TURN:
                self._add_unread(prop.token, prop.start)
        self._add_texts_of(root.node)
        for number, (node, is_aside) in enumerate(nodes, start=1):
            self.row = str(number)
            if is_aside:
                self._add_variation_as_comment(node)
            else:
                self._add_node(node)
        self.row = None
        result = root.node.find("RE")
        if result is not None:
            self._add_result(result)

    def position(self) -> SetUp | None:
        """Return the board if the file saves only a position and no plays, else None."""
        if not all(map(_may_precede_first_play, self.game.actions)):
            return None
        set_ups = (action for action in self.game.actions if type(action) is SetUp)
        return next((set_up for set_up in set_ups if set_up.boards is not None), None)

    def starts_from_edited_board(self) -> bool:
        """Whether the board was set up by hand before the first play."""
        if not self.has_edits:
            return False
        actions = self.game.actions
        first = next(
            (at for at, action in enumerate(actions) if not _may_precede_first_play(action)), 0
        )
        return any(type(action) is SetUp and action.boards for action in actions[:first])

    def _add_node(self, node: Node) -> None:
        """Add the actions of an SGF node, such as a play or a set-up."""
        analysis = Analysis(self.analyzed_by, tuple(node.analysis)) if node.analysis else None
        if len(node.properties) == 1 and node.properties[0].name in SIDES and not node.junk:
            self._add_action(node.properties[0], analysis)  # Nearly every node.
            self._keep_further_values(node.properties[0])
            return
        turn = node.find("PL")
        side = None if turn is None else turn.side()
        if side is not None:
            self.on_roll = side
        if any(prop.name in SET_UP for prop in node.properties):
            self._add_set_up(node)
        for prop in node.properties:
            if prop.name == "DI":
                self._add_roll(prop)
                self._keep_further_values(prop)
            elif prop.name in SIDES:
                self._add_action(prop, analysis)
                self._keep_further_values(prop)
            elif prop.name not in OF_A_NODE and prop.first_value().strip():
                self._keep_unknown_property(prop)
        self._add_texts_of(node)

    def _keep_unknown_property(self, prop: Property) -> None:
        """Add an unknown property as a comment or as unreadable text."""
        rules = map(grammar("sgf").pattern, ("play", "cube_action"))
        if any(rule.fullmatch(prop.first_value()) for rule in rules):
            self._add_unread(prop.token, prop.start)
        else:
            span = self.places.span(prop.start, prop.end)
            self.game.actions.append(Comment(span, self.row, unescape(prop.token)))

    def _add_texts_of(self, node: Node) -> None:
        """Add the comments of an SGF node, then its unreadable text."""
        for prop in node.properties:
            if prop.name == "C":
                self._add_comments(prop)
        for token in node.junk:
            self._add_unread(str(token), token.start_pos or 0)

    def _add_comments(self, prop: Property) -> None:
        """Add each value of a property as a comment."""
        begin = prop.start
        for text, _, end in prop.values():
            span = self.places.span(begin, end + 1)
            self.game.actions.append(Comment(span, self.row, unescape(text).strip()))
            begin = end + 1

    def _add_variation_as_comment(self, node: Node) -> None:
        """Add a comment with the first node of a variation that was not played."""
        text = " ".join(prop.token for prop in node.properties)[:LONGEST_ASIDE]
        span = self.places.span(node.start, node.start + 1)
        self.game.actions.append(Comment(span, self.row, f"a variation: {text}"))

    def _keep_further_values(self, prop: Property) -> None:
        """Add all values of a property but the first one as unreadable text."""
        if prop.token.count("[") > 1:
            for text, start, _ in list(prop.values())[1:]:
                self._add_unread(f"[{text}]", start - 1)

    def _add_unread(self, text: str, start: int) -> None:
        """Add unreadable text, which begins at the offset `start` in the file."""
        if text.strip():
            start += len(text) - len(text.lstrip())
            span = self.places.span(start, start + len(text.strip()))
            self.game.actions.append(Unread(span, self.row, None, text.strip()))

    def _add_roll(self, prop: Property) -> None:
        """Add the roll in the property `DI` as a roll without a play."""
        roll = grammar("sgf").pattern("play").fullmatch(prop.first_value())
        if roll is None or roll["step"] is not None:
            self._add_unread(prop.token, prop.start)
            return
        dice = (int(roll["dice"][0]), int(roll["dice"][1]))
        span = self.places.span(prop.start, prop.end)
        self._remove_unplayed_first_roll()
        play = Play(span, self.row, self.on_roll, dice, how=PlayRecord.UNPLAYED)
        self.game.actions.append(play)

    def _add_action(self, prop: Property, analysis: Analysis | None) -> None:
        """Add the play or cube action in a property `W[...]` or `B[...]`."""
        side = SIDES[prop.name]
        span = self.places.span(prop.start, prop.end)
        self.on_roll = other_side(side)
        turn = parse_turn(prop.token, side)
        if turn is not None:
            self._add_play(prop, span, side, turn, analysis)
            return
        cube = grammar("sgf").pattern("cube_action").fullmatch(prop.first_value())
        if cube is None:
            self._add_unread(prop.token, prop.start)
        elif cube["resignation"] is not None:
            size = RESIGNED[cube["size"]]
            self.game.actions.append(Resignation(span, self.row, side, size=size))
        elif cube["accept"] is not None:
            append_acceptance(self.game.actions, span, self.row, side)
        elif cube["reject"] is not None:
            append_refusal(self.game.actions, span, self.row, side)
        elif cube["double"] is not None:
            kind = classify_double(self.game.actions, side)
            self.game.actions.append(Double(span, self.row, side, None, kind, analysis))
        else:
            taken = cube["take"] is not None
            self.game.actions.append(Answer(span, self.row, side, taken, analysis))

    def _add_play(
        self, prop: Property, span: Span, side: Side, turn: TurnValue, analysis: Analysis | None
    ) -> None:
        """Add a play, after removing an earlier roll that the play repeats or replaces.

        `turn` has the roll and the steps in `prop`.
        """
        self._remove_repeated_roll(side, turn.dice)
        self._remove_unplayed_first_roll()
        self._replace_illegal_play_by_set_up(side)
        places = turn.places
        if "\n" in prop.token:
            places = ((0, span.end_column - span.column),) * len(turn.steps)
        how = PlayRecord.PLAYED if turn.steps else self.without_steps
        if turn.rest:
            how = PlayRecord.UNREAD
        play = Play(span, self.row, side, turn.dice, turn.steps, places, how, analysis=analysis)
        self.game.actions.append(play)
        if turn.rest:
            self._add_unread(turn.rest, prop.start + turn.at)

    def _remove_repeated_roll(self, side: Side, dice: tuple[int, int]) -> None:
        """Remove the last action if it is an unplayed roll of `dice` by `side`."""
        # Some programs write a roll alone (property DI), and again with its play.
        before = self._find_unplayed_roll()
        if before is not None and before.side == side and before.dice in (dice, dice[::-1]):
            self.game.actions.pop()

    def _is_before_first_play(self) -> bool:
        """Whether the game contains edits by hand, and no play has been read so far."""
        return self.has_edits and all(map(_may_precede_first_play, self.game.actions))

    def _remove_unplayed_first_roll(self) -> None:
        """Remove the last action if it is a roll before the first play."""
        # GNU Backgammon rolls when a game begins, whatever the user sets up afterwards.
        if self._find_unplayed_roll() is not None and self._is_before_first_play():
            self.game.actions.pop()

    def _replace_illegal_play_by_set_up(self, side: Side) -> None:
        """Replace the last action, if an illegal play of `side`, by the board after that play."""
        before = self.game.actions[-1] if self.game.actions else None
        # The board was taken for one after an illegal play, but then the other side would be next.
        if type(before) is Play and before.left_board is not None and before.side == side:
            self.game.actions[-1] = before.left_board

    def _find_unplayed_roll(self) -> Play | None:
        """Return the last action if it is a roll without a play, else None."""
        before = self.game.actions[-1] if self.game.actions else None
        return before if type(before) is Play and before.how is PlayRecord.UNPLAYED else None

    def _add_set_up(self, node: Node) -> None:
        """Add the set-up of checkers or cube in an SGF node."""
        prop = next(prop for prop in node.properties if prop.name in SET_UP)
        span = self.places.span(prop.start, prop.end)
        stones = [p for p in node.properties if p.name in ("AE", "AW", "AB")]
        boards = read_boards(stones, self.checkers) if stones else None
        if stones and boards is None:
            self._add_unread(stones[0].token, stones[0].start)
        turn = self.on_roll if node.find("PL") is not None else None
        value, owner = read_cube(node)
        set_up = SetUp(span, self.row, boards, value, owner, turn)
        before = self._find_unplayed_roll()
        if self._is_before_first_play() and (
            before is None or self._is_set_up_by_hand(before, boards)
        ):
            self._merge_set_up(set_up)
        # In mid-game, a board directly after a roll is taken for the board after an illegal play.
        elif boards is not None and before is not None:
            self.game.actions[-1] = before._replace(
                how=PlayRecord.PLAYED, called_illegal=True, left_board=set_up
            )
        elif boards is not None or value is not None:
            self.game.actions.append(set_up)

    def _merge_set_up(self, set_up: SetUp) -> None:
        """Add a set-up to the game, or merge it with a set-up that is the last action."""
        actions = self.game.actions
        at = len(actions) - (self._find_unplayed_roll() is not None)
        before = actions[at - 1] if at else None
        if type(before) is SetUp:
            stated = {name: value for name, value in set_up._asdict().items() if value is not None}
            actions[at - 1] = before._replace(**stated)
        else:
            actions.insert(at, set_up)

    def _is_set_up_by_hand(self, roll: Play, boards: tuple[Points, Points] | None) -> bool:
        """Whether the board after `roll` was set up by hand, not reached by an illegal play.

        `boards` has the checkers of left and of right.
        """
        if boards is None or any(type(action) is SetUp for action in self.game.actions):
            return True
        start = next(one.start for one in VARIANTS.values() if one.checkers == self.checkers)
        own, other = boards[roll.side], boards[1 - roll.side]
        is_in_place = all(map(le, other[1:BAR], start[1:BAR])) and sum(other) == sum(start)
        moved = sum(max(before - after, 0) for before, after in zip(start, own, strict=True))
        return not is_in_place or moved > MOST_STEPS

    def _add_result(self, prop: Property) -> None:
        """Add the result in the property `RE`, and the resignation that it mentions."""
        result = grammar("sgf").pattern("result").fullmatch(prop.first_value())
        if result is None:
            if prop.first_value().strip().casefold() not in NO_RESULT:
                self._add_unread(prop.token, prop.start)
            return
        span = self.places.span(prop.start, prop.end)
        winner, points = SIDES[result["winner"]], to_number(result["points"] or "")
        if result["manner"]:
            self.game.actions += make_resignation(
                span, None, winner, points, MANNERS[result["manner"]]
            )
        elif points is not None:
            self.game.actions.append(Result(span, None, winner, points))


_BEHIND_GAME = re.compile(r"(?<=length)|\s*+(?:[A-Za-z]{1,20}\s*\[|[;)]|\(\s*;|\Z)")
"""Text behind the property that names backgammon: another property or node. A player may be named `(;GM[6]`."""


def recognizes(text: str) -> bool:
    """Whether a text looks like Smart Game Format of a backgammon game.

    >>> recognizes("(;C[hello; world]GM[6];W[31hefe])"), recognizes("(;GM[1];B[aa])")
    (True, False)
    """
    if "GM" not in text and "MI" not in text:  # Most texts of other formats hold neither.
        return False
    first_nodes = grammar("sgf").pattern("FIRST_NODE").finditer(text)
    backgammon = grammar("sgf").pattern("BACKGAMMON")
    return any(
        found is not None and _BEHIND_GAME.match(text, node.start() + found.end()) is not None
        for node in first_nodes
        for found in (backgammon.search(node.group()),)
    )


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file in SGF: games and their nodes."""
    return grammar("sgf").parse("matches", text)


VALUE_RULES = {
    "MI": ("information",),
    "RE": ("result",),
    "W": ("play", "cube_action"),
    "B": ("play", "cube_action"),
    "DI": ("play",),
    "AW": ("stones",),
    "AB": ("stones",),
    "AE": ("stones",),
}
"""Rules that may describe the value of a property; other values are plain text."""


def value_tree(name: str, text: str) -> Tree[Token] | None:
    """Return the parse tree of a property's value, or None for a value of plain text.

    >>> print(value_tree("W", "31he").pretty().expandtabs(1))
    play
      dice 31
      step
        source h
        target e
    <BLANKLINE>
    """
    for rule in VALUE_RULES.get(property_name(name), ()):
        with suppress(UnexpectedInput):
            return grammar("sgf").parse_token(rule, text)
    return None


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text in SGF."""
    places = Places(text)
    matches: list[tuple[Root, MatchDraft, Conventions]] = []
    opening: list[Node] = []
    program = "Smart Game Format"
    for branch in rules(tree(text)):
        first, *nodes = list_nodes(branch) or [Node(_find_start_of_empty_tree(branch))]
        root = Root(first, places)
        program = root.text("AP").partition(":")[0] or program
        if not matches or (
            root.begins_match(*matches[-1][:2])
            and not _has_same_properties([first, *nodes], opening)
        ):
            matches.append((root, root.begin_match(), root.conventions(program, source)))
            opening = [first, *nodes]
        _, draft, conventions = matches[-1]
        draft.games.append(root.begin_game(len(draft.games)))
        without_steps = PlayRecord.CANNOT_MOVE if conventions.writes_dances else PlayRecord.EMPTY
        has_edits = program.casefold().startswith(EDITORS)
        analyzed_by = root.text(ANALYZED_BY) or GNUBG
        game = _Game(
            draft.games[-1], places, root.checkers(), without_steps, has_edits, analyzed_by
        )
        game.add_nodes(root, yield_played_nodes(branch, nodes))
        position = game.position()
        if position is not None:
            draft.tags.append(Tag(position.span, "Position", "saved by itself"))
        elif game.starts_from_edited_board():
            draft.tags.append(Tag(draft.games[-1].span, "Position", "set up"))
    return [
        draft.finish(source, number, "sgf", conventions)
        for number, (_, draft, conventions) in enumerate(matches, start=1)
    ]


EDITORS = ("gnu backgammon", "gibbon")
"""Programs that save how a board, a roll or a cube was edited before the first play."""

LEAST_OF_COPY = 10
"""Least nodes after which the same tree again is a copy of a game, and no other match."""


def _has_same_properties(nodes: Sequence[Node], others: Sequence[Node]) -> bool:
    """Whether two long lists of SGF nodes have the same properties."""

    def written(nodes: Iterable[Node]) -> list[list[str]]:
        """Return the properties of each node as text without blanks."""
        return [["".join(prop.token.split()) for prop in node.properties] for node in nodes]

    return len(nodes) == len(others) >= LEAST_OF_COPY and written(nodes) == written(others)


def _find_start_of_empty_tree(tree: Tree[Token]) -> int:
    """Return the offset in the file of a game without nodes."""
    first = tree.children[0]
    assert isinstance(first, Token)
    return first.start_pos or 0
