"""Read FIBS `oldmoves`: the plays of a match as the server lists them.

X and O may swap from game to game, and the server may print the scores in the other order. Players
are therefore identified by name; the left side is X of the first game.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from lark import Token, Tree

from bganalyze.record.builder import (
    GameDraft,
    MatchDraft,
    Recorder,
    add_titles,
    begin_game,
    decline_open_resignation,
    finish_matches,
    parse_dice,
    place_of_token,
    read_steps,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import LineStartPattern, grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Play,
    Result,
    Side,
    Source,
    Span,
    Unread,
    other_side,
)


@cache
def _make_game_start_pattern() -> LineStartPattern:
    """Return the pattern of the lines above a game: its score, and who is X and who is O."""
    score, seats = map(grammar("fibs").regex, ("_score", "_seats"))
    return LineStartPattern(rf"{score}\b[^\n]*\n+{seats}")


def recognizes(text: str) -> bool:
    """Whether a text seems to be the output of the FIBS command `oldmoves`."""
    return (" is X - " in text or " is O - " in text) and _make_game_start_pattern().is_in(text)


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: games and their lines."""
    return grammar("fibs").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if none can be read."""
    drafts: list[MatchDraft] = []
    game: _Game | None = None
    without_score: GameDraft | None = None
    strays: list[Token] = []
    file_tree = tree(text)
    above = list(tokens(file_tree))
    for part in rules(file_tree):
        if part.data == "headless":
            strays = list(tokens(part))
            continue
        [heading] = rules(part)
        scores = [line for line in tokens(heading) if line.type == "SCORE_LINE"]
        strays += [line for line in tokens(heading) if line.type != "SCORE_LINE"]
        lines = list(tokens(part))
        if game is not None:
            game.add_lines(strays)
        elif lines and any(line.type == "ACTIONS" for line in strays):
            players = next((line for line in strays if line.type == "PLAYERS"), lines[0])
            first_game = _add_truncated_first_game(drafts, scores[0], players, strays)
            if len(scores) == 1:  # It is the score line of the next game.
                without_score = first_game
                first_game.span = place_of_token(strays[0])
        else:
            above += strays
        if lines:
            game = _begin_game(drafts, scores[-1], lines[0])
            game.add_lines(lines[1:])
        strays = []
    drafts = drafts or [MatchDraft()]
    for run in above:
        add_titles(drafts[0], run)
    if without_score is not None:
        without_score.score = None  # Until here it showed the seats of the players.
    conventions = conventions_of_format("FIBS", source, marks_hits="*" in text, writes_dances=True)
    return finish_matches(drafts, source, "fibs", conventions)


def _add_truncated_first_game(
    drafts: list[MatchDraft], score: Token, players: Token, lines: list[Token]
) -> GameDraft:
    """Add a file's first game, which lost its score line or its line of players (X and O).

    In place of the lost line, `score` or `players` is the next game's line.
    """
    game = _begin_game(drafts, score, players)
    draft = game.recorder.game
    draft.number = None
    game.add_lines(line for line in lines if line is not players)
    return draft


def _begin_game(drafts: list[MatchDraft], score: Token, players: Token) -> _Game:
    """Begin a game, in a new match if the length or the players have changed.

    The line `score` states points and length; the line `players` says who is X and who is O.
    """
    header = grammar("fibs").match("score_line", score)
    seats = grammar("fibs").match("players", players)
    by_letter = {seats["letter"]: seats["name"], seats["letter2"]: seats["name2"]}
    names = by_letter.get("X", "X"), by_letter.get("O", "O")
    length = int(header["length"] or 0)
    if not drafts or not _continues_match(drafts[-1], length, names):
        length_place = (
            place_of_token(score, *header.span("length"))
            if header["length"]
            else place_of_token(score)
        )
        drafts.append(MatchDraft(Length(length_place, length)))
    draft = drafts[-1]
    before = draft.games[-1] if draft.games else None
    side_of_x: Side = LEFT if before is None or _get_names(before)[LEFT] == names[0] else RIGHT
    points = int(header["points"]), int(header["points2"])
    spans = (
        place_of_token(score, *header.span("points")),
        place_of_token(score, *header.span("points2")),
    )
    if (side_of_x == RIGHT) != _has_reversed_points(before, points, side_of_x):
        points, spans = points[::-1], spans[::-1]
    names = names if side_of_x == LEFT else names[::-1]
    number = len(draft.games) + 1
    return _Game(begin_game(draft, place_of_token(score), number, names, points, spans), side_of_x)


def _continues_match(draft: MatchDraft, length: int, names: tuple[str, str]) -> bool:
    """Whether a game with this length and these players continues a match."""
    is_length = draft.length is not None and draft.length.points == length
    return is_length and set(_get_names(draft.games[-1])) == set(names)


def _get_names(game: GameDraft) -> tuple[str, str]:
    """Return both players' names from the score line of a game."""
    assert game.score is not None
    return game.score.names


def _has_reversed_points(
    previous_game: GameDraft | None, points: tuple[int, int], side_of_x: Side
) -> bool:
    """Whether a score line has X's and O's points reversed, by the score after the last game."""
    if previous_game is None or previous_game.score is None:
        return False
    won = next((action for action in previous_game.actions if isinstance(action, Result)), None)
    if won is None:
        return False
    expected = list(previous_game.score.points)
    expected[won.side] += won.points
    if side_of_x == RIGHT:
        expected.reverse()
    return list(points) != expected and list(points[::-1]) == expected


@dataclass(slots=True)
class _Game:
    """A game that is being read: its recorder, and the side of player X."""

    recorder: Recorder
    side_of_x: Side
    lines: int = 0

    def add_lines(self, lines: Iterable[Token]) -> None:
        """Add the actions on lines of the game; a token may hold several lines."""
        for line in lines:
            if line.type != "ACTIONS":
                self._keep_unreadable_lines(line)
                continue
            for number, action in enumerate(line.split("\n"), start=line.line or 1):
                self._add_action(number, action)

    def _add_action(self, line_number: int, text: str) -> None:
        """Add the action on a line of the game."""
        action = grammar("fibs").match("action", text)
        self._begin_row()
        if grammar("fibs").pattern("JOINED").search(text, action.end("letter")):
            self.recorder.keep_damaged_line(Token("ACTION", text, line=line_number, column=1))
            return
        side = self.side_of_x if action["letter"] == "X" else other_side(self.side_of_x)
        span = Span(line_number, action.start("letter") + 1, len(text.rstrip()) + 1)
        match action.lastgroup:
            case "turn":
                self._add_turn(span, side, action)
            case "double" | "take" | "drop" as word:
                self.recorder.add_action(word, span, side)
            case "resignation":
                self.recorder.add_resignation(
                    span, side, int(action["cost"]) if action["cost"] else None
                )
            case "win":
                self.recorder.add_result(span, side, int(action["points"]))
            case _:
                self.recorder.keep_damaged_line(Token("ACTION", text, line=line_number, column=1))

    def _add_turn(self, span: Span, side: Side, action: re.Match[str]) -> None:
        """Add a roll with its play, or a dance."""
        turn = Play(span, self.recorder.row, side, parse_dice(action["dice"]))
        if action["dance"]:
            self.recorder.add_dance(turn)
            return
        offset = action.start("steps") - action.start("letter")
        actions = self.recorder.game.actions
        decline_open_resignation(actions)
        # Not by the recorder, which drops repetitions: FIBS never writes a turn twice.
        actions.extend(read_steps(action["steps"] or "", offset, turn, is_mirrored=None))

    def _keep_unreadable_lines(self, lines: Token) -> None:
        """Add the lines of a token as one unreadable text."""
        self._begin_row()
        text, _, more = lines.strip().partition("\n")
        span = place_of_token(lines)
        last = span.line + 1 + more.count("\n") if more else None
        unread = Unread(span, self.recorder.row, None, text.rstrip(), last)
        self.recorder.game.actions.append(unread)

    def _begin_row(self) -> None:
        """Begin the next row, whose number the next actions get."""
        self.lines += 1
        self.recorder.row = str(self.lines)
