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

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from operator import le
from typing import Literal, NamedTuple

from lark import Token, Tree, UnexpectedInput

from bganalyze.board.position import BAR, VARIANTS, Points, Step
from bganalyze.record.builder import (
    GameDraft,
    Manner,
    MatchDraft,
    Places,
    append_acceptance,
    append_refusal,
    kind_of_double,
    make_resignation,
    note_unread_line,
)
from bganalyze.record.conventions import GNUBG, conventions_of_format, read_conventions
from bganalyze.record.grammar import grammar, rules
from bganalyze.record.model import (
    LEFT,
    REMARK,
    Action,
    Analysis,
    Answer,
    Comment,
    Conventions,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    ReaderNote,
    Resignation,
    Result,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.record.sgf.tree import (
    SIDES,
    Node,
    Property,
    nodes_of,
    point_of_letter,
    property_name,
    unescape,
    yield_played_nodes,
)
from bganalyze.record.text_caches import register_cache

# The first node of a game: facts about the game and its match.

TAGS = {
    "DT": "EventDate",
    "EV": "Event",
    "RO": "Round",
    "PC": "Site",
    "AN": "Transcriber",
    "WR": "Rating left",
    "BR": "Rating right",
}
"""Properties of a root, and their header keys."""

REMARKS = "GC"
"""Property with the comments of a header, one per line."""

RULES = frozenset(("", "crawford", "crawfordgame", "jacoby", "nackgammon", "nocube"))
"""Words of `RU`, apart from Hypergammon with its number of checkers."""

HEADER, CONVENTIONS, ANALYZED_BY = "XH", "XC", "XA"
"""Private properties of this program: other header entries, the conventions, and the program that
analyzed a game if that is not GNU Backgammon."""


class Root:
    """The first node of a game, with facts about the game and its match."""

    def __init__(self, node: Node, places: Places) -> None:
        self.node = node
        self._places = places
        self.rules = {word.strip().casefold() for word in self.text("RU").split(":")}
        self._info = self._read_information()

    def text(self, name: str) -> str:
        """Return the text of this node's property, or "" without it."""
        prop = self.node.find(name)
        return "" if prop is None else unescape(prop.first_value()).strip()

    def begins_match(self, first_of_match: Root, match_so_far: MatchDraft) -> bool:
        """Whether the game of this node begins a new match, and does not continue `match_so_far`.

        In files by bganalyze, the first game of a match is marked. In other files, lengths, game
        numbers, names and scores decide.
        """
        if self._states_conventions():
            return True
        if first_of_match._states_conventions() and first_of_match.text("AP") == self.text("AP"):
            return False
        before = match_so_far.games[-1]
        number, length = self._value("game"), self._value("length")
        if (
            match_so_far.length is not None
            and length is not None
            and length != match_so_far.length.points
        ):
            return True
        if number is None or before.number is None:
            return False
        if number == before.number:
            return False
        same = before.score is None or set(before.score.names) == set(self._names())
        if not same or number < before.number - 1:
            return True
        return number == 0 and not any(self._points()) and _is_finished(before)

    def _states_conventions(self) -> bool:
        """Whether the node says how the file is written, in a property only bganalyze uses."""
        return self.node.find(CONVENTIONS) is not None

    def begin_match(self) -> MatchDraft:
        """Return a new unfinished match with the length, header and rules that this node states."""
        draft = MatchDraft()
        length = self._value("length")
        if length is not None:
            draft.length = Length(self._info["length"][1], length)
        for name, key in TAGS.items():
            self._add_tag(draft, name, key, self.text(name))
        self._add_header_comments(draft)
        others = self.node.find(HEADER)
        for text, start, end in others.values() if others else ():
            key, _, value = unescape(text).partition("=")
            draft.tags.append(Tag(self._places.span(start, end), key, value))
        self._add_rules(draft, length)
        draft.oddities += self._yield_unread_notes()
        for prop in self.node.properties:
            if prop.name not in UNDERSTOOD and prop.name not in OF_A_TURN:
                self._add_tag(draft, prop.name, prop.name, self.text(prop.name))
        return draft

    def _yield_unread_notes(self) -> Iterator[ReaderNote]:
        """Yield notes on unreadable parts of the properties `MI` (match) and `RU` (rules)."""
        info, rules = self.node.find("MI"), self.node.find("RU")
        for text, start, end in info.values() if info else ():
            if grammar("sgf").pattern("information").fullmatch(text) is None:
                yield note_unread_line(self._places.span(start - 1, end + 1), f"[{text}]")
        others = self.rules - RULES
        if rules is not None and others and (len(others) > 1 or self._hypergammon() is None):
            yield note_unread_line(self._places.span(rules.start, rules.end), rules.token)

    def _add_header_comments(self, draft: MatchDraft) -> None:
        """Add each line of the node's comment to the match header as a comment.

        A line break after a backslash begins no new comment.
        """
        remarks = self.node.find(REMARKS)
        if remarks is None:
            return
        text, start, _ = next(remarks.values())
        for line in [text] if "\\\n" in text else text.split("\n"):
            if line.strip():
                span = self._places.span(start, start + len(line))
                draft.tags.append(Tag(span, REMARK, unescape(line).strip()))
            start += len(line) + 1

    def conventions(self, program: str, source: Source) -> Conventions:
        """Return how the file writes plays: as bganalyze has stated, else as the program does."""
        words = self.text(CONVENTIONS).split()
        if words:
            return read_conventions(words[0].replace("_", " "), words[1:], source)
        return conventions_of_format(program, source, spells_resignations=program == GNUBG)

    def _add_rules(self, draft: MatchDraft, match_length: int | None) -> None:
        """Add header entries for the rules in the property `RU`.

        The Crawford rule is stated for a match, the Jacoby rule for money play (`match_length` 0).
        """
        if match_length:
            self._add_tag(draft, "RU", "Crawford", "On" if "crawford" in self.rules else "Off")
        elif match_length == 0:
            self._add_tag(draft, "RU", "Jacoby", "On" if "jacoby" in self.rules else "Off")
        hyper = self._hypergammon()
        if "nackgammon" in self.rules:
            self._add_tag(draft, "RU", "Variation", "Nackgammon")
        elif hyper is not None:
            self._add_tag(draft, "RU", "Variation", f"HyperGammon ({hyper})")
        if "nocube" in self.rules:
            self._add_tag(draft, "RU", "CubeLimit", "1")

    def _add_tag(self, draft: MatchDraft, source_property: str, key: str, value: str) -> None:
        """Add an entry, `key` and `value`, to the match header, unless the value is empty.

        Its place is that of `source_property` in the node. If the node has no such property, do
        nothing.
        """
        prop = self.node.find(source_property)
        if prop is not None and value:
            draft.tags.append(Tag(self._places.span(prop.start, prop.end), key, value))

    def begin_game(self, index: int) -> GameDraft:
        """Return a new unfinished game with the number, score and cube that this node states.

        `index` is the game's place in the match, from 0, in case no number is stated.
        """
        number = self._value("game")
        span = self.span()
        draft = GameDraft(span, index + 1 if number is None else number + 1)
        white, black = self._info.get("ws"), self._info.get("bs")
        spans = (white[1] if white else span, black[1] if black else span)
        if white or black or any(self._names()):
            draft.score = ScoreLine(span, self._names(), self._points(), spans)
        if self._value("length") and "RU" in {prop.name for prop in self.node.properties}:
            draft.crawford = "crawfordgame" in self.rules
        draft.cube = _to_number(self.text("CV"))
        return draft

    def span(self) -> Span:
        """Return the place where the game begins: its property `MI`, or its first node."""
        prop = self.node.find("MI")
        if prop is not None:
            return self._places.span(prop.start, prop.end)
        return self._places.span(self.node.start, self.node.start + 1)

    def checkers(self) -> int:
        """Return the number of checkers each side has."""
        return self._hypergammon() or 15

    def _hypergammon(self) -> int | None:
        """Return the number of checkers (1 to 3) if the variant is Hypergammon, else None."""
        rules = grammar("sgf").pattern("rules_of_hypergammon").search(self.text("RU"))
        return None if rules is None else int(rules["checkers"])

    def _names(self) -> tuple[str, str]:
        """Return the names of left and right; "" for an unnamed player."""
        return self.text("PW"), self.text("PB")

    def _points(self) -> tuple[int, int]:
        """Return the points of left and right before the game; 0 if not stated."""
        return self._value("ws") or 0, self._value("bs") or 0

    def _value(self, key: str) -> int | None:
        """Return a number that the property `MI` states under this key, or None."""
        return self._info[key][0] if key in self._info else None

    def _read_information(self) -> dict[str, tuple[int, Span]]:
        """Return the numbers in the property `MI` (match, game, score) by key, with places."""
        info = self.node.find("MI")
        entries: dict[str, tuple[int, Span]] = {}
        for text, start, end in info.values() if info else ():
            entry = grammar("sgf").pattern("information").fullmatch(text)
            if entry is not None:
                entries[entry["key"]] = (int(entry["number"]), self._places.span(start, end))
        return entries


def _is_turn_unfinished(action: Action) -> bool:
    """Whether the same side acts next, such as after a roll whose play comes later."""
    if isinstance(action, Play):
        return action.how is PlayRecord.UNPLAYED
    return isinstance(action, SetUp | Comment | Double)


def _is_finished(game: GameDraft) -> bool:
    """Whether the end of a game is recorded."""
    return any(isinstance(action, Result | Resignation) for action in game.actions)


OF_A_TURN = frozenset(("W", "B", "DI", "AE", "AW", "AB"))
"""Properties that the first node of a game never has."""

UNDERSTOOD = frozenset(
    (
        *("FF", "GM", "CA", "AP", "MI", "PW", "PB", "RU", "CV", "RE", "PL", "CP", "CO", "C"),
        *(REMARKS, HEADER, CONVENTIONS, ANALYZED_BY, *TAGS),
    )
)
"""Known properties of the first node."""

SET_UP = frozenset(("AE", "AW", "AB", "CV", "CP", "CO"))

OF_A_NODE = SET_UP | {"PL", "C"}
"""Properties that may accompany a turn in its node."""

EMPTIED = 24
"""Number of points that `AE` must clear for a complete board: all."""

MOST_STEPS = 4
"""Number of steps in a play of doubles, the longest."""

MOST_LETTERS = 8
"""Number of letters of four steps."""

LONGEST_ASIDE = 60

REMEMBERED = 16_384
"""Cache size for plays, which repeat in every match file."""

NO_RESULT = frozenset(("", "?", "0", "draw", "void"))
"""Results without a winner."""

RESIGNED: dict[str, Literal[1, 2, 3]] = {"1": 1, "2": 2, "3": 3}
"""Size of a resignation, in units of the cube."""

MANNERS: dict[str, Manner] = {"R": "resigned", "F": "forfeit", "T": "time"}


@dataclass(slots=True)
class _Game:
    """Converter of a game's nodes to actions."""

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
        """Add the actions of all nodes, and the result that the root states.

        The flag of a node is True if it begins a variation that was not played; it becomes a
        comment.
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
                self._add(node)
        self.row = None
        result = root.node.find("RE")
        if result is not None:
            self._add_result(result)

    def position(self) -> SetUp | None:
        """Return the board if the file only saves a position and nothing was played; else None."""
        if not all(map(_is_turn_unfinished, self.game.actions)):
            return None
        set_ups = (action for action in self.game.actions if type(action) is SetUp)
        return next((set_up for set_up in set_ups if set_up.boards is not None), None)

    def starts_from_edited_board(self) -> bool:
        """Whether the first play was made from a board that was edited or set up by hand."""
        if not self.has_edits:
            return False
        actions = self.game.actions
        first = next(
            (at for at, action in enumerate(actions) if not _is_turn_unfinished(action)), 0
        )
        return any(type(action) is SetUp and action.boards for action in actions[:first])

    def _add(self, node: Node) -> None:
        """Add the actions of a node."""
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
        """Keep an unknown property as a comment or, if its value is a turn, as unreadable text."""
        rules = map(grammar("sgf").pattern, ("play", "cube_action"))
        if any(rule.fullmatch(prop.first_value()) for rule in rules):
            self._add_unread(prop.token, prop.start)
        else:
            span = self.places.span(prop.start, prop.end)
            self.game.actions.append(Comment(span, self.row, unescape(prop.token)))

    def _add_texts_of(self, node: Node) -> None:
        """Add the comments of a node, then its unreadable text."""
        for prop in node.properties:
            if prop.name == "C":
                self._add_comments(prop)
        for token in node.junk:
            self._add_unread(str(token), token.start_pos or 0)

    def _add_comments(self, prop: Property) -> None:
        """Add a comment for each value of a property.

        The first comment's position in the file includes the property's name.
        """
        begin = prop.start
        for text, _, end in prop.values():
            span = self.places.span(begin, end + 1)
            self.game.actions.append(Comment(span, self.row, unescape(text).strip()))
            begin = end + 1

    def _add_variation_as_comment(self, node: Node) -> None:
        """Add a comment with the first node of a variation, a line of play that did not happen."""
        text = " ".join(prop.token for prop in node.properties)[:LONGEST_ASIDE]
        span = self.places.span(node.start, node.start + 1)
        self.game.actions.append(Comment(span, self.row, f"a variation: {text}"))

    def _keep_further_values(self, prop: Property) -> None:
        """Keep all values but the first as unreadable text; the property may have only one."""
        if prop.token.count("[") > 1:
            for text, start, _ in list(prop.values())[1:]:
                self._add_unread(f"[{text}]", start - 1)

    def _add_unread(self, text: str, start: int) -> None:
        """Keep text that cannot be read; `start` is its offset in the file."""
        if text.strip():
            start += len(text) - len(text.lstrip())
            span = self.places.span(start, start + len(text.strip()))
            self.game.actions.append(Unread(span, self.row, None, text.strip()))

    def _add_roll(self, prop: Property) -> None:
        """Add a roll without a play; the next node may play it."""
        roll = grammar("sgf").pattern("play").fullmatch(prop.first_value())
        if roll is None or roll["step"] is not None:
            self._add_unread(prop.token, prop.start)
            return
        dice = (int(roll["dice"][0]), int(roll["dice"][1]))
        span = self.places.span(prop.start, prop.end)
        self._remove_replaced_roll()
        play = Play(span, self.row, self.on_roll, dice, how=PlayRecord.UNPLAYED)
        self.game.actions.append(play)

    def _add_action(self, prop: Property, analysis: Analysis | None) -> None:
        """Add a play or a cube action from its property, `W[...]` or `B[...]`."""
        side = SIDES[prop.name]
        span = self.places.span(prop.start, prop.end)
        self.on_roll = other_side(side)
        turn = _parse_turn(prop.token, side)
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
            kind = kind_of_double(self.game.actions, side)
            self.game.actions.append(Double(span, self.row, side, None, kind, analysis))
        else:
            taken = cube["take"] is not None
            self.game.actions.append(Answer(span, self.row, side, taken, analysis))

    def _add_play(
        self, prop: Property, span: Span, side: Side, turn: _Turn, analysis: Analysis | None
    ) -> None:
        """Add a play to the game. Before it, remove its roll or a roll that it replaces."""
        self._remove_repeated_roll(side, turn.dice)
        self._remove_replaced_roll()
        self._replace_roll_by_set_up(side, turn.dice)
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
        """Remove the last action if it is the roll of the play that comes next.

        Some programs write a roll alone (property `DI`), and again with its play.
        """
        before = self._find_unplayed_roll()
        if before is not None and before.side == side and before.dice in (dice, dice[::-1]):
            self.game.actions.pop()

    def _is_before_first_play(self) -> bool:
        """Whether nothing was played yet, so that the position may still be edited."""
        return self.has_edits and all(map(_is_turn_unfinished, self.game.actions))

    def _remove_replaced_roll(self) -> None:
        """Remove a roll at the start of a game that is followed by another roll.

        GNU Backgammon rolls when a game begins, whatever the user sets up afterwards.
        """
        if self._find_unplayed_roll() is not None and self._is_before_first_play():
            self.game.actions.pop()

    def _replace_roll_by_set_up(self, side: Side, dice: tuple[int, int]) -> None:
        """If the last roll is repeated with a play, replace it by the set-up between the two.

        That set-up was first read as the board after an illegal play of the roll.
        """
        before = self.game.actions[-1] if self.game.actions else None
        if type(before) is not Play or before.left_board is None or before.side != side:
            return
        if before.dice in (dice, dice[::-1]):
            self.game.actions[-1] = before.left_board

    def _find_unplayed_roll(self) -> Play | None:
        """Return the last action if it is a roll without a known play, else None."""
        before = self.game.actions[-1] if self.game.actions else None
        return before if type(before) is Play and before.how is PlayRecord.UNPLAYED else None

    def _add_set_up(self, node: Node) -> None:
        """Add a node's set-up of checkers or cube.

        After an unplayed roll in mid-game, the board is what an illegal play left, and is added to
        the roll.
        """
        prop = next(prop for prop in node.properties if prop.name in SET_UP)
        span = self.places.span(prop.start, prop.end)
        stones = [p for p in node.properties if p.name in ("AE", "AW", "AB")]
        boards = _read_boards(stones, self.checkers) if stones else None
        if stones and boards is None:
            self._add_unread(stones[0].token, stones[0].start)
        turn = self.on_roll if node.find("PL") is not None else None
        value, owner = _read_cube(node)
        set_up = SetUp(span, self.row, boards, value, owner, turn)
        before = self._find_unplayed_roll()
        if self._is_before_first_play() and (
            before is None or self._is_set_up_by_hand(before, boards)
        ):
            self._merge_set_up(set_up)
        elif boards is not None and before is not None:
            self.game.actions[-1] = before._replace(
                how=PlayRecord.PLAYED, called_illegal=True, left_board=set_up
            )
        elif boards is not None or value is not None:
            self.game.actions.append(set_up)

    def _merge_set_up(self, set_up: SetUp) -> None:
        """Add a set-up to the game, or merge it with the set-up just before it.

        It is put before a last roll without a play.
        """
        actions = self.game.actions
        at = len(actions) - (self._find_unplayed_roll() is not None)
        before = actions[at - 1] if at else None
        if type(before) is SetUp:
            stated = {name: value for name, value in set_up._asdict().items() if value is not None}
            actions[at - 1] = before._replace(**stated)
        else:
            actions.insert(at, set_up)

    def _is_set_up_by_hand(self, roll: Play, boards: tuple[Points, Points] | None) -> bool:
        """Whether a set-up after a roll was made by hand: not the board after an illegal play.

        `boards` are the checkers that it sets up, or None. Signs of a set-up by hand are an earlier
        set-up, opponent's checkers that left their points, or more than four checkers moved.
        """
        if boards is None or any(type(action) is SetUp for action in self.game.actions):
            return True
        start = next(one.start for one in VARIANTS.values() if one.checkers == self.checkers)
        own, other = boards[roll.side], boards[1 - roll.side]
        is_in_place = all(map(le, other[1:BAR], start[1:BAR])) and sum(other) == sum(start)
        moved = sum(max(before - after, 0) for before, after in zip(start, own, strict=True))
        return not is_in_place or moved > MOST_STEPS

    def _add_result(self, prop: Property) -> None:
        """Add the result that the root states, and the resignation if it is marked as one."""
        result = grammar("sgf").pattern("result").fullmatch(prop.first_value())
        if result is None:
            if prop.first_value().strip().casefold() not in NO_RESULT:
                self._add_unread(prop.token, prop.start)
            return
        span = self.places.span(prop.start, prop.end)
        winner, points = SIDES[result["winner"]], _to_number(result["points"] or "")
        if result["manner"]:
            self.game.actions += make_resignation(
                span, None, winner, points, MANNERS[result["manner"]]
            )
        elif points is not None:
            self.game.actions.append(Result(span, None, winner, points))


class _Turn(NamedTuple):
    """Value of a play; places are counted from the start of its property."""

    dice: tuple[int, int]
    steps: tuple[Step, ...]
    places: tuple[tuple[int, int], ...]
    at: int
    """Offset of the letters."""
    rest: str
    """The letters and the text after them, if they cannot be read as a whole."""


@lru_cache(REMEMBERED)
def _parse_turn(property_text: str, side: Side) -> _Turn | None:
    """Return the roll and steps in a property such as `W[31he]`, or None without a roll.

    Only its first value is read. `side` is the player whose turn it is.
    """
    begin = property_text.index("[") + 1
    play = grammar("sgf").pattern("play").match(property_text, begin)
    if play is None:
        return None
    at = play.end("dice")
    letters = list(
        grammar("sgf").pattern("step").finditer(property_text[: max(at, play.end("step"))], at)
    )
    steps = tuple(
        Step(
            (point_of_letter(step["source"], side), point_of_letter(step["target"], side)), (False,)
        )
        for step in letters
    )
    is_whole = property_text[play.end()] == "]" and 2 * len(steps) <= MOST_LETTERS
    value = grammar("sgf").pattern("value").search(property_text)
    assert value is not None
    rest = "" if is_whole else (value["text"] or "")[at - begin :]
    dice = (int(play["dice"][0]), int(play["dice"][1]))
    return _Turn(dice, steps, tuple(step.span() for step in letters), at, rest)


register_cache(_parse_turn.cache_clear)


def _read_boards(
    properties: list[Property], checkers_per_side: int
) -> tuple[Points, Points] | None:
    """Return left's and right's checkers that properties such as `AE[a:y]AW[f]` set up.

    Return None if `AE` does not empty the whole board first, so that only some points change.
    """
    sides = {"AW": [0] * 26, "AB": [0] * 26}
    emptied = False
    for prop in properties:
        for text, _, _ in prop.values():
            letters = list(_expand_letters(text))
            if prop.name == "AE":
                emptied = emptied or len(letters) >= EMPTIED
                continue
            for letter in letters:
                sides[prop.name][point_of_letter(letter, SIDES[prop.name[1]])] += 1
    if not emptied:
        return None
    for counts in sides.values():
        counts[0] += max(checkers_per_side - sum(counts), 0)
    return tuple(sides["AW"]), tuple(sides["AB"])


def _expand_letters(text: str) -> Iterator[str]:
    """Yield the letter of each point in a set-up value, which is one letter or a range.

    >>> list(_expand_letters("a:c")), list(_expand_letters("f"))
    (['a', 'b', 'c'], ['f'])
    """
    stones = grammar("sgf").pattern("stones").fullmatch(text)
    if stones is not None:
        first, last = stones["first"], stones["last"] or stones["first"]
        yield from map(chr, range(ord(first), ord(last) + 1))


def _read_cube(node: Node) -> tuple[int | None, Side | None]:
    """Return the value and the owner of the cube, each None if the node does not set it."""
    value, owner = node.find("CV"), node.find("CP", "CO")
    number = None if value is None else _to_number(value.first_value().strip())
    return number, None if owner is None else owner.side()


def _to_number(text: str) -> int | None:
    """Return the number in a text, or None if the text is no number."""
    return int(text) if grammar("sgf").pattern("NUMBER").fullmatch(text) else None


def recognizes(text: str) -> bool:
    """Whether `text` looks like Smart Game Format of a backgammon game.

    >>> recognizes("(;C[hello; world]GM[6];W[31hefe])"), recognizes("(;GM[1];B[aa])")
    (True, False)
    >>> recognizes("(;MI[length:3];W[31hefe])")
    True
    """
    if "GM" not in text and "MI" not in text:  # Most texts of other formats hold neither.
        return False
    first_nodes = grammar("sgf").pattern("FIRST_NODE").finditer(text)
    backgammon = grammar("sgf").pattern("BACKGAMMON")
    return any(backgammon.search(node.group()) is not None for node in first_nodes)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file: games and their nodes."""
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
    """Return the parse tree of a property's value, or None if the value is plain text.

    >>> tree = value_tree("W", "31he")
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
    """Return the matches in `text`, at least one if `text` is of this format."""
    places = Places(text)
    matches: list[tuple[Root, MatchDraft, Conventions]] = []
    opening: list[Node] = []
    program = "Smart Game Format"
    for branch in rules(tree(text)):
        first, *nodes = nodes_of(branch) or [Node(_start_of_empty_tree(branch))]
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
    """Whether two lists of nodes (each an entry of a game in SGF) have the same properties.

    Short lists count as different.
    """

    def written(nodes: Iterable[Node]) -> list[list[str]]:
        return [["".join(prop.token.split()) for prop in node.properties] for node in nodes]

    return len(nodes) == len(others) >= LEAST_OF_COPY and written(nodes) == written(others)


def _start_of_empty_tree(tree: Tree[Token]) -> int:
    """Return the offset in the file at which a game without nodes starts."""
    first = tree.children[0]
    assert isinstance(first, Token)
    return first.start_pos or 0
