"""A saved session on FIBS: the lines of one match among everything else the server says.

Raw boards (`board:`) name the players, the length and the score, and show a play of one's own,
which the server does not repeat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from lark import Token

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import VARIANTS, Points, Position
from bganalyze.transcript.builder import (
    GameDraft,
    MatchDraft,
    accept,
    all_finished,
    decline,
    go_on,
    place,
    played,
    turn_of_cube,
)
from bganalyze.transcript.grammar import LineGist, lexer
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Answer,
    Double,
    Length,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    other_side,
)
from bganalyze.transcript.profile import stated

UNLIMITED = 9999
"""The length of a match without one."""

FIELDS = 53
POINTS = slice(6, 32)
"""The fields of a raw board that tell where the checkers are."""

START = VARIANTS["standard"].start

_GIST = LineGist(r"(?:board:[^:\n]{1,40}:[^:\n]{1,40}:[0-9]+:|\S+ rolls [1-6] and [1-6][ \t.]*$)")
_NUMBERS = re.compile(r"[0-9]+")
_OPENING = re.compile(r"\S+ rolled ([1-6]), \S+ rolled ([1-6])")
_FIRST_WORD = re.compile(r"\S+")
_SCORED = re.compile(r".*: (\S+)-([0-9]+) (\S+)-([0-9]+)")
_POINTS = re.compile(r"([0-9]{1,9}) points?")


class _Board(NamedTuple):
    """A raw board."""

    names: tuple[str, str]
    length: int
    scores: tuple[int, int]
    boards: tuple[Points, Points]
    """Of the two names, each in its own numbering."""
    cube: int
    may_double: tuple[bool, bool]

    def seen_by(self, names: tuple[str, str]) -> _Board:
        """The board with the players in this order."""
        if self.names == names:
            return self
        _, length, scores, boards, cube, may = self
        return _Board(names, length, scores[::-1], boards[::-1], cube, may[::-1])


def recognises(text: str) -> bool:
    """Whether `text` holds raw boards, or throws as the server tells them."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([], {})
    for token in lexer("fibs_log").lex(text):
        reader.add(token)
    conventions = stated("FIBS", source, writes_dances=True, spells_resignations=True)
    return all_finished(reader.drafts, source, "fibs-log", conventions)


@dataclass(slots=True)
class _Reader:
    """What was read so far, and what waits for the line that completes it."""

    drafts: list[MatchDraft]
    scores: dict[frozenset[str], dict[str, int]]
    """The points of two players before their next game, where a line has stated them."""
    names: tuple[str, str] | None = None
    announced: tuple[str, str] | None = None
    length: tuple[int, Span] | None = None
    opening: tuple[int, int] | None = None
    throw: Play | None = None
    shown: Token | None = None
    """The last board, if no play was reported since."""
    needs_game: bool = True

    def add(self, token: Token) -> None:
        """Add what a line says, if it is about the match."""
        match token.type:
            case "MATCH":
                self._announce(token)
            case "GAME":
                self.needs_game = True
            case "BOARD":
                self._board(token)
            case "SCORED":
                line = _SCORED.match(token)
                assert line is not None
                one, points, two, others = line.groups()
                self.scores[frozenset((one, two))] = {one: int(points), two: int(others)}
            case "OPENING":
                line = _OPENING.match(token)
                assert line is not None
                self.opening = int(line.group(1)), int(line.group(2))
            case "TEXT" | "SCORE" | "NAMES" | "ACTION":
                pass
            case _:
                self._event(token)

    def _announce(self, token: Token) -> None:
        words = token.split()
        self.announced = (words[0], words[2])
        number = _NUMBERS.search(token, len(words[0]) + len(words[2]) + 5)
        length = int(number.group()) if number is not None and number.group() else 0
        self.length = (length, place(token))
        self.opening = None
        pair = frozenset(self.announced)
        self.scores.pop(pair, None)
        if words[3] == "start":
            self.scores[pair] = dict.fromkeys(pair, 0)
            if self.names is not None and pair == set(self.names):
                self._leave_throw()
                self.names = None

    # -- raw boards ---------------------------------------------------------------------------

    def _board(self, token: Token) -> None:
        """Add what a board shows: who plays, the beginning of a game, or one's own play.

        Most show a play that a line has reported already, and are not examined.
        """
        names = set(token.split(":", 3)[1:3])
        if self.needs_game or self.names is None or set(self.names) != names or self._lacks_score():
            board = _raw_board(token)
            if board is None:
                return
            self._begin_with(board, place(token))
        elif self.throw is not None and self.shown is not None:
            self._compare(self.throw, self.shown, token)
        self.shown = token

    def _lacks_score(self) -> bool:
        games = self.drafts[-1].games
        return not games or games[-1].score is None

    def _begin_with(self, board: _Board, span: Span) -> None:
        """A board of other players, of a new game, or the first of a game under way."""
        if self.names is None or set(self.names) != set(board.names):
            self.names, self.needs_game = board.names, True
            length = 0 if board.length == UNLIMITED else board.length
            self.drafts.append(MatchDraft(Length(span, length)))
        board = board.seen_by(self.names)
        if self.needs_game or not self.drafts[-1].games:
            self._begin(span, board.scores)
            if board.boards != (START, START):
                may = board.may_double
                owner: Side | None = None if may[0] == may[1] else LEFT if may[0] else RIGHT
                cube_owner = owner if board.cube > 1 else None
                set_up = SetUp(span, "0", board.boards, board.cube, cube_owner)
                self.drafts[-1].games[-1].actions.append(set_up)
        game = self.drafts[-1].games[-1]
        if game.score is None:
            game.score = ScoreLine(span, self.names, board.scores, (span, span))

    def _compare(self, throw: Play, before: Token, after: Token) -> None:
        """Add the play between two boards, where they differ."""
        if before.split(":")[POINTS] == after.split(":")[POINTS]:
            return
        one, two = _raw_board(before), _raw_board(after)
        assert self.names is not None
        if one is not None and two is not None:
            boards = one.seen_by(self.names).boards, two.seen_by(self.names).boards
            if boards[0] != boards[1]:
                self._play_shown(throw, *boards, place(after))

    def _play_shown(
        self,
        throw: Play,
        before: tuple[Points, Points],
        after: tuple[Points, Points],
        span: Span,
    ) -> None:
        """A play that only the next board shows: one's own."""
        self.throw = None
        side = throw.side
        assert throw.dice is not None
        position = Position(before[side], before[1 - side])
        result = Position(after[side], after[1 - side])
        steps = legal_plays(position, throw.dice).get(result)
        actions = self.drafts[-1].games[-1].actions
        if steps is None:
            left = SetUp(span, throw.row, after)
            actions.append(
                throw._replace(how=PlayRecord.PLAYED, called_illegal=True, left_board=left)
            )
        else:
            width = throw.span.end_column - throw.span.column
            places = ((0, width),) * len(steps)
            actions.append(throw._replace(how=PlayRecord.PLAYED, steps=steps, places=places))

    def _begin(self, span: Span, scores: tuple[int, int] | None) -> None:
        self._leave_throw()
        draft = self.drafts[-1]
        assert self.names is not None
        game = GameDraft(span, len(draft.games) + 1)
        if scores is not None:
            game.score = ScoreLine(span, self.names, scores, (span, span))
        draft.games.append(game)
        self.needs_game, self.shown = False, None
        self.scores.pop(frozenset(self.names), None)

    def _stated_score(self) -> tuple[int, int] | None:
        """The score before a game that no board begins, if a line has stated it."""
        assert self.names is not None
        points = self.scores.get(frozenset(self.names))
        return None if points is None else (points[self.names[LEFT]], points[self.names[RIGHT]])

    # -- events -------------------------------------------------------------------------------

    def _side(self, name: str) -> Side | None:
        if self.names is None or name not in self.names:
            if self.announced is None or name not in self.announced:
                return None
            self.names = self.announced
            length, where = self.length or (0, Span(1, 1, 1))
            self.drafts.append(MatchDraft(Length(where, length)))
            self.needs_game = True
        return LEFT if name == self.names[0] else RIGHT

    def _event(self, token: Token) -> None:
        name = _FIRST_WORD.match(token)
        side = self._side(name.group()) if name else None
        if side is None:
            return
        span = place(token)
        if self.needs_game:
            self._begin(span, self._stated_score())
        actions = self.drafts[-1].games[-1].actions
        row = str(len(actions) + 1)
        match token.type:
            case "FIRST" if self.opening is not None:
                self.throw = Play(span, row, side, self.opening, how=PlayRecord.UNPLAYED)
                self.opening = None
            case "THROW":
                go_on(actions)
                self._leave_throw()
                one, two = _NUMBERS.findall(token)[-2:]
                dice = (int(one), int(two))
                self.throw = Play(span, str(len(actions) + 1), side, dice, how=PlayRecord.UNPLAYED)
            case "MOVES":
                self._moves(token, span, row, side)
            case "DANCE":
                turn = self._turn(span, row, side)
                actions.append(turn._replace(how=PlayRecord.CANNOT_MOVE))
            case "DOUBLES":
                go_on(actions)
                actions.append(Double(span, row, side, None, turn_of_cube(actions, side)))
            case "ACCEPTS":
                accept(actions, span, row, side)
            case _:
                self._end(token, span, row, side)

    def _end(self, token: Token, span: Span, row: str, side: Side) -> None:
        """A game given up, or won."""
        actions = self.drafts[-1].games[-1].actions
        stated = _POINTS.search(token)
        points = int(stated.group(1)) if stated else None
        match token.type:
            case "RESIGNS":
                actions.append(Resignation(span, row, side, points))
            case "PLAYS_ON":
                decline(actions, span, row, side)
            case "GIVES_UP":
                actions.append(Answer(span, row, side, taken=False))
                if points is not None:
                    actions.append(Result(span, None, other_side(side), points))
                self.needs_game = True
            case "WINS" if points is not None:
                self._leave_throw()
                actions.append(Result(span, None, side, points))
                self.needs_game = True

    def _moves(self, token: Token, span: Span, row: str, side: Side) -> None:
        verb = " moves " if " moves " in token else " move "
        at = token.index(verb) + len(verb)
        steps = token[at:].rstrip(" \t.")
        turn = self._turn(span, row, side)
        self.drafts[-1].games[-1].actions.extend(played(steps, at, turn, mirror=None))

    def _turn(self, span: Span, row: str, side: Side) -> Play:
        """The turn whose throw was reported before."""
        thrown, self.throw = self.throw, None
        self.shown = None
        return Play(span, row, side, thrown.dice if thrown and thrown.side == side else None)

    def _leave_throw(self) -> None:
        """A throw of which no line tells how it was played."""
        if self.throw is not None and self.drafts and self.drafts[-1].games:
            actions = self.drafts[-1].games[-1].actions
            resigned = bool(actions) and isinstance(actions[-1], Resignation)
            actions.insert(len(actions) - resigned, self.throw)
        self.throw = None


def _raw_board(line: str) -> _Board | None:
    """Return what a `board:` line says, or None where it is damaged."""
    fields = line.strip().split(":")
    if len(fields) < FIELDS:
        return None
    try:
        numbers = [int(field) for field in fields[3:FIELDS]]
    except ValueError:
        return None
    length, one, two, *rest = numbers
    points, (colour, direction) = rest[:26], rest[35:37]
    if {abs(colour), abs(direction)} != {1}:
        return None
    off, bars = rest[39:41], rest[41:43]
    sides = []
    for index, (sign, way) in enumerate(((colour, direction), (-colour, -direction))):
        seen = points[1:25] if way < 0 else points[24:0:-1]
        counts = [max(count * sign, 0) for count in seen]
        sides.append((max(off[index], 0), *counts, max(bars[index], 0)))
    if length < 0 or any(sum(side) > 15 for side in sides):
        return None
    return _Board(
        (fields[1], fields[2]),
        length,
        (max(one, 0), max(two, 0)),
        (sides[0], sides[1]),
        rest[31],
        (bool(rest[32]), bool(rest[33])),
    )
