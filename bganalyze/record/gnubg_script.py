"""Read a script of GNU Backgammon's commands: rolls, plays, cube actions and set-ups.

A script gives no results: GNU Backgammon works them out, and so do the rules here. The opening roll
is random there; a game without `set turn` is taken to begin with player 0.
"""

from __future__ import annotations

import re
from typing import Literal

from lark import Token, Tree

from bganalyze.board.ids import Situation, parse_gnubg_id, parse_position_id, parse_xgid
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR, OFF, VARIANTS, Points, Position, Step, after
from bganalyze.record.builder import (
    HOME,
    Dice,
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    parse_dice,
    place_of_token,
    read_points_on_line,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Comment,
    Double,
    Length,
    Match,
    Play,
    Resignation,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
    other_side,
)

NAMES = ("gnubg", "user")
"""Names of players 0 and 1 if the script gives none."""

START = "4HPwATDgc/ABMA"
"""Position ID of the start, which completes a Match ID."""

CHECKERS = 15

INFO = {
    "event": "Event",
    "round": "Round",
    "place": "Site",
    "date": "EventDate",
    "annotator": "Transcriber",
    "comment": "Comment",
}
"""Header keys by the key of `set matchinfo`."""

SIZES: dict[str, Literal[1, 2, 3]] = {"single": 1, "gammon": 2, "backgammon": 3}
"""Units of the cube that a resignation costs."""


def recognizes(text: str) -> bool:
    """Whether a text looks like commands of GNU Backgammon."""
    return "set " in text.casefold() and grammar("gnubg_script").begins_line("telling", text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a script of GNU Backgammon: matches, games and their lines."""
    return grammar("gnubg_script").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if unreadable."""
    script = _Script()
    file_tree = tree(text)
    script.add_lines(file_tree)
    for part in rules(file_tree):
        if part.data == "game":
            script.add_game(part)
        else:
            script.add_match(part)
    conventions = conventions_of_format(
        "GNU Backgammon commands", source, writes_dances=True, spells_resignations=True
    )
    return finish_matches(script.finish(), source, "gnubg-script", conventions)


class _Script:
    """Reads a script of GNU Backgammon's commands: matches, players and the current game."""

    def __init__(self) -> None:
        self._drafts: list[MatchDraft] = []
        self._titles: list[Token] = []
        """Lines above the first match."""
        self._names = NAMES
        self._default_names: tuple[str, str] | None = None
        """Names that every new match takes, if the script sets them."""
        self._points = [0, 0]
        self._recorder: Recorder | None = None
        self._turn: Side | None = None
        self._roll: tuple[Span, Dice] | None = None
        """The roll that awaits its play."""
        self._boards = (VARIANTS["standard"].start,) * 2
        self._cube = 1

    def finish(self) -> list[MatchDraft]:
        """Return all matches that were read, after adding a last roll without a play."""
        self._add_unplayed_roll()
        if self._titles:
            self._drafts = self._drafts or [MatchDraft()]
        for line in self._titles:
            add_title(self._drafts[0], line)
        return self._drafts

    def add_match(self, match: Tree[Token]) -> None:
        """Add a match from its part of the parse tree, with all its games."""
        line = next(tokens(match))
        parts = grammar("gnubg_script").match("new_match", line)
        span = place_of_token(line)
        self._begin_match(span, int(parts["length"] or 0))
        self.add_lines(match)
        for game in rules(match):
            self.add_game(game)

    def add_game(self, game: Tree[Token]) -> None:
        """Add a game from its part of the parse tree, in a money session if no match has begun."""
        span = place_of_token(next(tokens(game)))
        if self._drafts:
            self._begin_game(span)
        else:
            self._begin_match(span, 0)
        self.add_lines(game)

    def _begin_match(self, span: Span, length: int) -> None:
        """Begin a match to `length` points, or money play if `length` is 0, and its first game."""
        self._add_unplayed_roll()
        self._drafts.append(MatchDraft(Length(span, length)))
        self._points = [0, 0]
        self._names = self._default_names or self._names
        self._begin_game(span)

    def _begin_game(self, span: Span) -> None:
        """Begin a game of the last match."""
        self._add_unplayed_roll()
        draft = self._drafts[-1]
        number = len(draft.games) + 1
        points = self._points[LEFT], self._points[RIGHT]
        self._recorder = begin_game(draft, span, number, self._names, points, (span, span))
        self._turn, self._cube = None, 1
        variation = next((tag.value for tag in draft.tags if tag.key == "Variation"), "standard")
        self._boards = (VARIANTS.get(variation.casefold(), VARIANTS["standard"]).start,) * 2

    def add_lines(self, tree: Tree[Token]) -> None:
        """Carry out the commands on the lines directly below a node of the parse tree."""
        for line in tokens(tree):
            if line.type not in ("NEW_MATCH", "NEW_GAME", "OTHER"):
                self._add_line(line)

    def _add_line(self, line: Token) -> None:
        """Carry out the command on a line, or add the line as text if it is no command."""
        parts = grammar("gnubg_script").pattern(line.type.lower()).fullmatch(line)
        span = place_of_token(line)
        if parts is not None and line.type in ("IDENTIFIER", "NAME", "NAMES"):
            self._set_players_or_position(line, span, parts)
        elif self._recorder is None:
            self._titles.append(Token(line.type, line.lstrip(" \t#"), line=line.line, column=1))
        elif line.type == "TEXT":
            self._recorder.keep_damaged_line(line)
        elif parts is not None:
            self._recorder.row = str(len(self._recorder.game.actions) + 1)
            self._add_command(self._recorder, line, span, parts)

    def _set_players_or_position(self, line: Token, span: Span, command: re.Match[str]) -> None:
        """Carry out a command for the players' names or a whole position."""
        match line.type:
            case "NAMES":
                self._default_names = command["called"].strip('"'), command["called2"].strip('"')
                self._names = self._names if self._drafts else self._default_names
            case "NAME":
                side = self._find_side(command["player"])
                called = command["called"].strip('"')
                names = (called, self._names[RIGHT]), (self._names[LEFT], called)
                if side is not None:
                    self._rename_players(names[side])
            case _:
                self._set_identifier(line, span, command)

    def _add_command(
        self, recorder: Recorder, line: Token, span: Span, command: re.Match[str]
    ) -> None:
        """Add the action of a command, such as a roll, to the game."""
        match line.type:
            case "ROLL":
                self._roll = span, parse_dice(command["dice"])
            case "UNKNOWN_ROLL":
                self._roll = None
            case "PLAY":
                self._add_play(recorder, line, span, command)
            case "DOUBLE":
                self._add_double(recorder, span)
            case "TAKE":
                self._accept(recorder, span)
            case "REFUSAL":
                self._refuse(recorder, span)
            case "RESIGNATION":
                self._add_unplayed_roll()
                size = next(size for name, size in SIZES.items() if command[name])
                side = self._get_side_on_roll()
                recorder.game.actions.append(Resignation(span, recorder.row, side, size=size))
            case _:
                self._set_in_game(recorder, line, span, command)

    def _set_in_game(
        self, recorder: Recorder, line: Token, span: Span, command: re.Match[str]
    ) -> None:
        """Carry out a `set` command in a game, such as `set score`."""
        match line.type:
            case "TURN":
                self._set_turn(recorder, line, command["player"])
            case "SCORE":
                points, spans = read_points_on_line(line, command)
                self._points = list(points)
                recorder.game.score = ScoreLine(span, self._names, points, spans)
            case "CUBE":
                self._set_cube(recorder, span, command)
            case "BOARD":
                self._set_board(recorder, line, span, command)
            case "RULE" | "INFO":
                self._add_tag(recorder, span, line.type, command)
            case _:
                recorder.game.actions.append(Comment(span, None, line.strip(" \t#")))

    # -- players ------------------------------------------------------------------------------

    def _rename_players(self, names: tuple[str, str]) -> None:
        """Set the names of the players (left, right), also in the games read so far."""
        self._names = names
        for game in self._drafts[-1].games if self._drafts else ():
            if game.score is not None:
                game.score = game.score._replace(names=names)

    def _find_side(self, player: str) -> Side | None:
        """Return the side of a player given by name or number, or None."""
        folded = player.casefold()
        if folded in ("0", self._names[LEFT].casefold()):
            return LEFT
        return RIGHT if folded in ("1", self._names[RIGHT].casefold()) else None

    def _get_side_on_roll(self) -> Side:
        """Return the side on roll: left if no command has said so."""
        return LEFT if self._turn is None else self._turn

    def _set_turn(self, recorder: Recorder, line: Token, player: str) -> None:
        """Put the player with this name or number on roll."""
        side = self._find_side(player)
        if side is None:
            recorder.keep_damaged_line(line)
            return
        self._turn = side
        actions = recorder.game.actions
        if actions and isinstance(actions[-1], SetUp):
            actions[-1] = actions[-1]._replace(on_roll=side)

    # -- plays and the cube -------------------------------------------------------------------

    def _add_unplayed_roll(self) -> None:
        """Add the last roll as unplayed if no play has followed it."""
        if self._recorder is not None and self._roll is not None:
            span, dice = self._roll
            self._recorder.row = str(len(self._recorder.game.actions) + 1)
            self._recorder.add_roll(span, self._get_side_on_roll(), dice)
            self._recorder.keep_unplayed_roll()
        self._roll = None

    def _get_board_seen_by(self, side: Side) -> Position:
        """Return the current position with the checkers of `side` as its own."""
        return Position(self._boards[side], self._boards[1 - side])

    def _add_play(
        self, recorder: Recorder, line: Token, span: Span, command: re.Match[str]
    ) -> None:
        """Add the play of a `move` command; without steps, it is the only legal play."""
        side = self._get_side_on_roll()
        turn = Play(span, recorder.row, side, self._roll[1] if self._roll else None)
        self._roll = None
        name = "steps" if command["steps"] else "bare_steps"
        if command[name]:
            offset = (
                place_of_token(line, command.start(name), command.end(name)).column - span.column
            )
            recorder.add_roll_and_play(turn, _insert_slashes(command[name]), offset)
        else:
            plays = legal_plays(self._get_board_seen_by(side), turn.dice) if turn.dice else {}
            if len(plays) != 1:
                recorder.keep_damaged_line(line)
                return
            [steps_of_only] = plays.values()
            self._add_only_play(recorder, turn, steps_of_only)
        self._update_board(recorder, side)

    def _add_only_play(self, recorder: Recorder, roll: Play, steps: tuple[Step, ...]) -> None:
        """Add `roll` with the only legal steps, or as a dance if there are no steps."""
        if not steps:
            recorder.add_dance(roll)
            return
        width = roll.span.end_column - roll.span.column
        recorder.game.actions.append(roll._replace(steps=steps, places=((0, width),) * len(steps)))

    def _update_board(self, recorder: Recorder, side: Side) -> None:
        """Put the last play of `side` on the board, end its turn, and add the result if it wins."""
        self._turn = other_side(side)
        play = next((a for a in reversed(recorder.game.actions) if isinstance(a, Play)), None)
        position = self._get_board_seen_by(side)
        for step in play.steps if play else ():
            position = after(position, step)
        self._boards = position if side == LEFT else (position.other, position.own)
        if play is not None and sum(position.own[1:]) == 0:
            self._add_result(recorder, play.span, side, _count_win_size(position.other))

    def _add_result(self, recorder: Recorder, span: Span, side: Side, size: int) -> None:
        """Add the result that `side` wins a game of `size` (1 to 3) times the cube value."""
        recorder.add_result(span, side, size * self._cube)
        self._points[side] += size * self._cube

    def _add_double(self, recorder: Recorder, span: Span) -> None:
        """Add a double by the side on roll, or a beaver in answer."""
        self._add_unplayed_roll()
        offered = recorder.game.actions[-1] if recorder.game.actions else None
        is_answer = isinstance(offered, Double) and offered.side == self._get_side_on_roll()
        side = self._get_side_on_roll()
        self._cube *= 2
        recorder.add_double(span, other_side(side) if is_answer else side, self._cube)

    def _find_last_offer(self, recorder: Recorder) -> Double | Resignation | None:
        """Return the double or resignation that waits for an answer, or None."""
        last = recorder.game.actions[-1] if recorder.game.actions else None
        if isinstance(last, Resignation) and not last.declined:
            return last
        return last if isinstance(last, Double) else None

    def _accept(self, recorder: Recorder, span: Span) -> None:
        """Accept the last offer: add a take, or the result after a resignation."""
        offer = self._find_last_offer(recorder)
        if isinstance(offer, Resignation):
            self._add_result(recorder, span, other_side(offer.side), offer.size or 1)
        else:
            side = self._get_side_on_roll() if offer is None else offer.side
            recorder.add_acceptance(span, other_side(side))

    def _refuse(self, recorder: Recorder, span: Span) -> None:
        """Refuse the last offer: decline a resignation, or pass the cube."""
        offer = self._find_last_offer(recorder)
        side = self._get_side_on_roll() if offer is None else offer.side
        recorder.add_refusal(span, other_side(side))
        if isinstance(offer, Double):
            self._cube //= 2
            self._add_result(recorder, span, side, 1)

    # -- set-ups and rules --------------------------------------------------------------------

    def _add_set_up(self, recorder: Recorder, set_up: SetUp) -> None:
        """Add a set-up to the game, or merge it with a set-up that is the last action."""
        self._roll = None if set_up.boards else self._roll
        self._cube = set_up.cube_value or self._cube
        self._boards = set_up.boards or self._boards
        actions = recorder.game.actions
        before = actions[-1] if actions else None
        if set_up.boards and all(isinstance(action, SetUp | Comment) for action in actions):
            self._drafts[-1].tags.append(Tag(set_up.span, "Position", "set up"))
        if isinstance(before, SetUp):
            stated = {
                name: value
                for name, value in set_up._asdict().items()
                if value is not None and name not in ("span", "row")
            }
            actions[-1] = before._replace(**stated)
        else:
            actions.append(set_up)

    def _set_cube(self, recorder: Recorder, span: Span, command: re.Match[str]) -> None:
        """Set the value or the owner of the cube, or center it."""
        owner = self._find_side(command["player"]) if command["player"] else None
        value = int(command["value"]) if command["value"] else self._cube
        self._add_set_up(recorder, SetUp(span, recorder.row, None, value, owner))
        set_up = recorder.game.actions[-1]
        if command["center"] and isinstance(set_up, SetUp):
            recorder.game.actions[-1] = set_up._replace(cube_owner=None)

    def _set_board(
        self, recorder: Recorder, line: Token, span: Span, command: re.Match[str]
    ) -> None:
        """Set up the checkers that a command states from the view of the player on roll."""
        try:
            if command["position_id"]:
                position = parse_position_id(command["position_id"])
            else:
                position = _parse_simple_board(command["checkers"])
        except ValueError:
            recorder.keep_damaged_line(line)
            return
        boards = position if self._get_side_on_roll() == LEFT else (position.other, position.own)
        on_roll = self._get_side_on_roll()
        self._add_set_up(
            recorder, SetUp(span, recorder.row, (boards[0], boards[1]), on_roll=on_roll)
        )

    def _set_identifier(self, line: Token, span: Span, command: re.Match[str]) -> None:
        """Set up the position in an XGID or GNUbg ID."""
        try:
            situation = _parse_identifier(command)
        except ValueError:
            if self._recorder is None:
                self._titles.append(line)
            else:
                self._recorder.keep_damaged_line(line)
            return
        recorder = self._continue_or_begin_match(span, situation.length)
        recorder.row = str(len(recorder.game.actions) + 1)
        side: Side = RIGHT if situation.on_roll else LEFT
        owner: Side | None = None
        if situation.cube_owner is not None:
            owner = RIGHT if situation.cube_owner else LEFT
        boards: tuple[Points, Points] | None = None
        if not command["match_id"]:
            own, other = situation.position
            boards = (own, other) if side == LEFT else (other, own)
        if all(isinstance(action, SetUp | Comment) for action in recorder.game.actions):
            self._points = list(situation.scores)
            recorder.game.score = ScoreLine(span, self._names, situation.scores, (span, span))
        crawford = situation.crawford if situation.length else None
        recorder.game.crawford = crawford
        value = situation.cube_value
        self._add_set_up(recorder, SetUp(span, recorder.row, boards, value, owner, side, crawford))
        self._turn = side
        self._roll = None if situation.dice is None else (span, situation.dice)
        if situation.offered:
            self._roll = None
            self._add_double(recorder, span)

    def _continue_or_begin_match(self, span: Span, length: int) -> Recorder:
        """Return the recorder of the current game, after beginning a match if `length` is new."""
        draft = self._drafts[-1] if self._drafts else None
        is_new = draft is None or not any(game.actions for game in draft.games)
        if draft is None or draft.length is None or draft.length.points != length:
            # A match without actions gets the new length instead.
            if draft is not None and is_new:
                draft.length = Length(span, length)
            else:
                self._begin_match(span, length)
        assert self._recorder is not None
        return self._recorder

    def _add_tag(self, recorder: Recorder, span: Span, kind: str, command: re.Match[str]) -> None:
        """Add a fact about the match, such as its date, or set a rule such as Crawford.

        `kind` is `INFO` for a fact or `RULE` for a rule.
        """
        tags = self._drafts[-1].tags
        if kind == "INFO":
            key = INFO.get(command["key"].casefold(), command["key"])
            tags.append(Tag(span, key, command["text"].strip().strip('"')))
            return
        setting = command["setting"].casefold()
        is_on = setting in ("on", "yes", "true")
        if command["crawford"]:
            recorder.game.crawford = is_on
        elif command["post_crawford"] and is_on:
            recorder.game.crawford = False
        elif command["jacoby"]:
            tags.append(Tag(span, "Jacoby", "On" if is_on else "Off"))
        elif command["beavers"]:
            tags.append(Tag(span, "Beaver", "Off" if setting in ("0", "off") else "On"))
        elif command["variation"]:
            self._set_variation(span, setting)

    def _set_variation(self, span: Span, setting: str) -> None:
        """Set the variant of the match, and the board to the variant's start position."""
        name = f"hypergammon-{setting[0]}" if setting[0].isdecimal() else setting
        self._drafts[-1].tags.append(Tag(span, "Variation", name))
        if name in VARIANTS:
            self._boards = (VARIANTS[name].start,) * 2


def _insert_slashes(text: str) -> str:
    """Return a play with slashes between its points, if it is written as numbers only.

    >>> _insert_slashes("24 18 13 8"), _insert_slashes("8/5 6/5")
    ('24/18 13/8', '8/5 6/5')
    """
    words = text.split(" ")
    if len(words) % 2 or not all(map(str.isdecimal, words)):
        return text
    return " ".join(map("/".join, zip(words[::2], words[1::2], strict=True)))


def _count_win_size(loser_checkers: Points) -> int:
    """Return 1 for a single game, 2 for a gammon or 3 for a backgammon.

    `loser_checkers` are the loser's checkers by point.
    """
    if loser_checkers[OFF]:
        return 1
    return 3 if any(loser_checkers[BAR - HOME :]) else 2


def _parse_simple_board(numbers: str) -> Position:
    """Return the position that 26 numbers of checkers mean, as in `set board simple`.

    The numbers are for the roller's bar, points 1 to 24 and the opponent's bar. Negative numbers
    are the opponent's checkers.

    >>> position = _parse_simple_board("0 " + "2 " + "-3 " + "0 " * 22 + "1")
    >>> position.own[1], position.other[23], position.other[25]
    (2, 3, 1)
    """
    bar, *points, other_bar = map(int, numbers.split())
    own = [max(count, 0) for count in points]
    other = [max(-count, 0) for count in reversed(points)]
    sides = (*own, abs(bar)), (*other, abs(other_bar))
    off = [CHECKERS - sum(side) for side in sides]
    if min(off) < OFF:
        raise ValueError(numbers)
    return Position((off[0], *sides[0]), (off[1], *sides[1]))


def _parse_identifier(identifier: re.Match[str]) -> Situation:
    """Return the position and score in an XGID or GNUbg ID; raise ValueError if malformed."""
    if not identifier["xgid"]:
        return parse_gnubg_id(identifier["gnubg_id"] or f"{START}:{identifier['match_id']}")
    situation = parse_xgid(identifier["xgid"])
    # GNU Backgammon takes X, the bottom player of an XGID, for its player 1.
    owner = situation.cube_owner
    return situation._replace(
        on_roll=1 - situation.on_roll,
        cube_owner=None if owner is None else 1 - owner,
        scores=situation.scores[::-1],
    )
