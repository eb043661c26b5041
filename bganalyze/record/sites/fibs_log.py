"""Read a saved session on FIBS, where the match is mixed with other output of the server.

Raw boards (`board:`) give the players, length and score. They also show the user's own plays, which
the server does not repeat.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from lark import Token, Tree

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import VARIANTS, Points, Position
from bganalyze.record.builder import (
    Dice,
    GameDraft,
    MatchDraft,
    Recorder,
    finish_matches,
    note_unread_line,
    parse_dice,
    place_of_token,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import LineStartPattern, grammar
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Play,
    PlayRecord,
    Resignation,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    other_side,
)

UNLIMITED = 9999
"""Length that the server states for an unlimited match."""

POINTS = slice(6, 32)
"""Fields of a raw board with the checkers."""

MOST_CHECKERS = 15

FIELDS_OF_BOARD = 20
"""Number of colons from which a damaged line counts as a raw board."""

OF_THE_MATCH = frozenset(("ROLL", "PLAY", "DANCE", "DOUBLE", "TAKE", "FIRST_MOVE"))
"""Events that the server reports only for the user's match, whatever name is in the line."""

LINES_ABOVE = 20
"""Number of lines above the first event of a match that may belong to it."""

YOU = "you"
LAST_NAME = 2
FEW_WORDS = 3
"""A line about a player's action has the name among its first two words, and may be short."""

START = VARIANTS["standard"].start


class _Board(NamedTuple):
    """A board as a `board:` line of FIBS states it, with pairs in the order of `names`."""

    names: tuple[str, str]
    length: int
    scores: tuple[int, int]
    boards: tuple[Points, Points]
    """Checkers of both players, each in that player's numbering."""
    cube: int
    may_double: tuple[bool, bool]

    def seen_by(self, names: tuple[str, str]) -> _Board:
        """Return the same board with all pairs in the order of `names`."""
        if self.names == names:
            return self
        _, length, scores, boards, cube, may = self
        return _Board(names, length, scores[::-1], boards[::-1], cube, may[::-1])


@cache
def _make_log_pattern() -> LineStartPattern:
    """Return the pattern of lines that show a log: a `board:` line or a roll."""
    return LineStartPattern("|".join(map(grammar("fibs_log").regex, ("_heading", "ROLL"))))


def recognizes(text: str) -> bool:
    """Whether a text seems to be the log of a FIBS session."""
    return ("board:" in text or " and " in text) and _make_log_pattern().is_in(text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a session's text: games, openings, turns and other lines."""
    return grammar("fibs_log").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in the log of a FIBS session."""
    session = _Session([], {})
    for line in tree(text).scan_values(lambda part: isinstance(part, Token)):
        session.read_line(line)
    conventions = conventions_of_format(
        "FIBS", source, writes_dances=True, spells_resignations=True
    )
    return finish_matches(session.drafts, source, "fibs-log", conventions)


class _Game(Recorder):
    """Records a game of a log, in which the board after a roll shows the play."""

    @property
    def rolled(self) -> Play | None:
        """The last roll while its play has not been reported yet, else None."""
        return self._rolled

    def add_play_from_board(self, play: Play) -> None:
        """Add `play`, which the caller found by comparing the boards before and after the last roll."""
        self._rolled = None
        self.game.actions.append(play)

    def keep_unplayed_roll(self) -> None:
        """Add the last roll without a play, before the resignation that followed the roll."""
        # A roll still waits for its play after a declined resignation.
        actions = self.game.actions
        offer = actions.pop() if actions and isinstance(actions[-1], Resignation) else None
        super().keep_unplayed_roll()
        if offer is not None:
            actions.append(offer)


@dataclass(slots=True)
class _Session:
    """Reads the log of a session line by line, and collects the matches in it."""

    drafts: list[MatchDraft]
    scores: dict[frozenset[str], dict[str, int]]
    """Points of two players before their next game, if a line has stated them."""
    above: list[Token] = field(default_factory=list)
    """Last unread lines before the first match."""
    names: tuple[str, str] | None = None
    announced: tuple[str, str] | None = None
    length: tuple[int, Span] | None = None
    opening: Dice | None = None
    """Opening roll, until a line names the player who moves first."""
    game: _Game | None = None
    """The current game; None if the next line about the match begins one."""
    shown: Token | None = None
    """The last board, if no play was reported since."""

    def read_line(self, line: Token) -> None:
        """Read a line of the log, and record what it says about a match."""
        match line.type:
            case "ANNOUNCEMENT":
                self._read_announcement(line)
            case "GAME_LINE":
                self._leave_game()
            case "BOARD":
                self._read_board_line(line)
            case "BROKEN_BOARD":
                self.shown = None
                self._keep_possible_action(line)
            case "SCORE":
                score = grammar("fibs_log").match("score", line)
                points = {score["scorer"]: int(score["points"])}
                points[score["scorer2"]] = int(score["points2"])
                self.scores[frozenset(points)] = points
            case "OPENING_ROLL":
                roll = grammar("fibs_log").match("opening_roll", line)
                self.opening = int(roll["die"]), int(roll["die2"])
            case "TALK":
                self._keep_possible_action(line)
            case _:
                self._add_event(line)

    def _keep_possible_action(self, line: Token) -> None:
        """Keep the first line of `line` as unreadable text if it may report an action."""
        first = Token("TALK", line.partition("\n")[0], line=line.line, column=line.column)
        if self.names is None:  # The line waits for the names of the players.
            self.above = [*self.above[1 - LINES_ABOVE :], first]
        elif _may_report_action(first, self.names):
            self._keep_unreadable(first)

    def _keep_unreadable(self, line: Token) -> None:
        """Add a line as unreadable text to the open game, or to the match if no game is open."""
        if self.game is not None:
            self.game.keep_damaged_line(line)
        else:
            self.drafts[-1].oddities.append(note_unread_line(place_of_token(line), line))

    def _begin_match(self, names: tuple[str, str], length: Length) -> None:
        """Begin a match, and add the unread lines above that may report its actions as unreadable."""
        self.names = names
        self.drafts.append(MatchDraft(length))
        for line in self.above:
            if _may_report_action(line, names):
                self._keep_unreadable(line)
        self.above = []

    def _read_announcement(self, line: Token) -> None:
        """Remember the players and the length of a match that starts or is resumed."""
        parts = grammar("fibs_log").match("announcement", line)
        # Its first action begins the match, because others' matches are announced, too.
        self.announced = parts["name"], parts["name2"]
        self.length = int(parts["length"] or 0), place_of_token(line)
        pair = frozenset(self.announced)
        self.scores.pop(pair, None)
        if parts["new"]:
            self.scores[pair] = dict.fromkeys(pair, 0)
            if self.names is not None and pair == set(self.names):
                self._leave_game()
                self.names = None

    def _leave_game(self) -> None:
        """Close the current game, so that the next line about the match begins another."""
        if self.game is not None:
            self.game.keep_unplayed_roll()
        self.game = None

    def _begin_game(self, span: Span, scores: tuple[int, int] | None) -> _Game:
        """Begin a game of the current match, with the points before it (`scores`), if given."""
        draft = self.drafts[-1]
        assert self.names is not None
        score = None if scores is None else ScoreLine(span, self.names, scores, (span, span))
        draft.games.append(GameDraft(span, len(draft.games) + 1, score))
        self.game, self.shown = _Game(draft.games[-1]), None
        self.scores.pop(frozenset(self.names), None)
        return self.game

    # -- raw boards ---------------------------------------------------------------------------

    def _read_board_line(self, line: Token) -> None:
        """Read a line with a board, which may begin a game or show the last roll's play."""
        game, names = self.game, set(line.split(":", 3)[1:3])
        if game is None or game.game.score is None or names != set(self.names or ()):
            board = _parse_board(line)
            if board is None:
                return
            self._begin_from_board(board, place_of_token(line))
        elif game.rolled is not None and self.shown is not None:
            self._add_play_between(game, game.rolled, self.shown, line)
        self.shown = line

    def _begin_from_board(self, board: _Board, span: Span) -> None:
        """Begin a match if the board's players are new, and a game if none is open."""
        names = self.names
        if names is None or set(names) != set(board.names):
            self._leave_game()
            length = 0 if board.length == UNLIMITED else board.length
            names = board.names
            self._begin_match(names, Length(span, length))
        board = board.seen_by(names)
        if self.game is not None:
            score = ScoreLine(span, names, board.scores, (span, span))
            self.game.game.score = self.game.game.score or score
            return
        game = self._begin_game(span, board.scores)
        if board.boards != (START, START):
            may = board.may_double
            owner: Side | None = None if may[0] == may[1] else LEFT if may[0] else RIGHT
            cube_owner = owner if board.cube > 1 else None
            game.game.actions.append(SetUp(span, "0", board.boards, board.cube, cube_owner))

    def _add_play_between(
        self, game: _Game, roll: Play, line_before: Token, line_after: Token
    ) -> None:
        """Add the play of `roll`, found by comparing the boards on lines before and after it."""
        if line_before.split(":")[POINTS] == line_after.split(":")[POINTS]:
            return
        one, two = _parse_board(line_before), _parse_board(line_after)
        assert self.names is not None
        if one is not None and two is not None:
            boards = one.seen_by(self.names).boards, two.seen_by(self.names).boards
            if boards[0] != boards[1]:
                game.add_play_from_board(
                    _find_play_between(roll, *boards, place_of_token(line_after))
                )

    # -- events -------------------------------------------------------------------------------

    def _find_side_or_begin_match(self, name: str) -> Side | None:
        """Return the side of a player in the current match, or None.

        If only the match announced last has this player, that match begins.
        """
        names = self.names
        if names is None or name not in names:
            names = self.announced
            if names is None or name not in names:
                return None
            self._leave_game()
            length, where = self.length or (0, Span(1, 1, 1))
            self._begin_match(names, Length(where, length))
        return LEFT if name == names[0] else RIGHT

    def _find_stated_score(self) -> tuple[int, int] | None:
        """Return the points stated before the next game, left first, or None."""
        assert self.names is not None
        points = self.scores.get(frozenset(self.names))
        return None if points is None else (points[self.names[LEFT]], points[self.names[RIGHT]])

    def _add_event(self, line: Token) -> None:
        """Add the action on a line, in a new game if needed."""
        event = grammar("fibs_log").match(line.type.lower(), line)
        side = self._find_side_or_begin_match(event["name"])
        if side is not None:
            self._add_action(line, event, side)
        elif self.game is not None and line.type in OF_THE_MATCH:
            self._keep_unreadable(line)

    def _add_action(self, line: Token, event: re.Match[str], side: Side) -> None:
        """Add the action that `side` makes on a line; `event` is the regex match of the line."""
        span = place_of_token(line)
        game = self.game or self._begin_game(span, self._find_stated_score())
        if line.type == "ROLL":
            game.keep_unplayed_roll()
        game.row = str(len(game.game.actions) + 1)
        match line.type:
            case "FIRST_MOVE" if self.opening is not None:
                game.add_roll(span, side, self.opening)
                self.opening = None
            case "ROLL":
                game.add_roll(span, side, parse_dice(event["dice"]))
            case "PLAY":
                self.shown = None
                game.add_play(span, side, event["steps"], event.start("steps"), is_mirrored=None)
            case "DANCE":
                self.shown = None
                game.add_dance(game.begin_play(span, side))
            case "DOUBLE" | "TAKE":
                game.add_action(line.type.lower(), span, side)
            case "REFUSAL":
                game.add_refusal(span, side)
            case "RESIGNATION" | "DROP" | "WIN":
                self._end_game(game, line.type, span, side, event["points"])

    def _end_game(
        self, game: _Game, kind: str, span: Span, side: Side, points_as_written: str | None
    ) -> None:
        """Add a resignation, pass or win by `side`, and end the game after a pass or a win.

        `kind` is `RESIGNATION`, `DROP` (a pass) or `WIN`.
        """
        number = None if points_as_written is None else int(points_as_written)
        if kind == "RESIGNATION":
            game.game.actions.append(Resignation(span, game.row, side, number))
            return
        if kind == "DROP":
            game.keep_unplayed_roll()
            game.add_pass(span, side)
        if number is not None:
            game.add_result(span, side if kind == "WIN" else other_side(side), number)
        self._leave_game()


def _may_report_action(line: str, names: tuple[str, str]) -> bool:
    """Whether a line may report an action of one of these players."""
    words = line.casefold().replace(",", " ").replace(":", " : ").split()
    if words.count(":") >= FIELDS_OF_BOARD or words[:1] == ["board"]:
        return True
    of_players = [word for word in words[:LAST_NAME] if word in (YOU, *map(str.casefold, names))]
    if not of_players or words[0].isdecimal():
        return False
    if "match" in words:  # The server announces how a match ended.
        return False
    return len(words) <= FEW_WORDS or grammar("fibs_log").pattern("DEED").search(line) is not None


def _find_play_between(
    roll: Play, board_before: tuple[Points, Points], board_after: tuple[Points, Points], span: Span
) -> Play:
    """Return `roll` with the play that leads from one board to the other.

    If no legal play does, the roll is marked as played illegally, and gets the second board.
    """
    side = roll.side
    assert roll.dice is not None
    position = Position(board_before[side], board_before[1 - side])
    result = Position(board_after[side], board_after[1 - side])
    steps = legal_plays(position, roll.dice).get(result)
    if steps is None:
        left = SetUp(span, roll.row, board_after)
        return roll._replace(how=PlayRecord.PLAYED, called_illegal=True, left_board=left)
    width = roll.span.end_column - roll.span.column
    return roll._replace(how=PlayRecord.PLAYED, steps=steps, places=((0, width),) * len(steps))


def _parse_board(line: Token) -> _Board | None:
    """Return the board on a `board:` line, or None if a side has too many checkers."""
    fields = grammar("fibs_log").match("board", line)
    checkers = [int(number) for number in fields["checkers"].split(":")]
    sides = []
    for second, off, on_bar in ((False, "off", "on_bar"), (True, "off2", "on_bar2")):
        is_negative = (int(fields["color"]) < 0) != second
        goes_down = (int(fields["direction"]) < 0) != second
        seen = checkers[1:25] if goes_down else checkers[24:0:-1]
        counts = [max(-count if is_negative else count, 0) for count in seen]
        sides.append((int(fields[off]), *counts, int(fields[on_bar])))
    if any(sum(side) > MOST_CHECKERS for side in sides):
        return None
    return _Board(
        (fields["player"], fields["player2"]),
        int(fields["length"]),
        (int(fields["points"]), int(fields["points2"])),
        (sides[0], sides[1]),
        int(fields["cube"]),
        (fields["may_double"] != "0", fields["may_double2"] != "0"),
    )
