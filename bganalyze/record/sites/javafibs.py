"""Read JavaFIBS's own record of a match (`.match`): lines of a code, a player and a value.

Known from one genuine file, which states neither day nor event. The user is called `You`; only the
scores between the games have the user's name.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    parse_dice,
    place_of_token,
    read_points_on_line,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Result,
    Side,
    Source,
    Span,
)

YOU = "You"
UNLIMITED = 9999
"""Length of an unlimited match, as FIBS states it."""


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of JavaFIBS."""
    if "JavaFIBS" not in text and "6:You:" not in text:
        return False
    return any(grammar("javafibs").begins_line(name, text) for name in ("HEADING", "game_head"))


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: matches, games and their lines."""
    return grammar("javafibs").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if none can be read."""
    drafts = [_MatchReader(match).read() for match in rules(tree(text))]
    conventions = conventions_of_format(
        "JavaFIBS", source, writes_dances=True, spells_resignations=True
    )
    return finish_matches(drafts, source, "javafibs", conventions)


class _MatchReader:
    """Reads a match from its parse tree."""

    def __init__(self, match: Tree[Token]) -> None:
        self._match = match
        self._draft = MatchDraft()
        self._seats = _find_words_for_players(match)
        """The two players as the lines name them, the user first."""
        self._names = _find_names(match, self._seats)
        self._score: Token | None = None
        """The line with the score before the next game."""

    def read(self) -> MatchDraft:
        """Return the match with its header and games."""
        for line in tokens(self._match):
            if line.type in ("HEADING", "LENGTH"):
                self._set_length(line)
            elif line.type == "SCORE":
                self._score = line
            elif line.type != "PLAYERS":
                add_title(self._draft, line)
        for game in rules(self._match):
            self._add_game(list(tokens(game)))
        return self._draft

    def _set_length(self, lines: Token) -> None:
        """Set the length of the match from the last of these lines."""
        span, line = list(yield_lines(lines))[-1]
        parts = grammar("javafibs").pattern("length").fullmatch(line)
        if parts is not None:
            points = int(parts["points"])
            self._draft.length = Length(span, 0 if points == UNLIMITED else points)

    def _add_game(self, lines: list[Token]) -> None:
        """Add a game from its lines, with the score stated above them."""
        points, spans = self._take_stated_score()
        number = len(self._draft.games) + 1
        place = place_of_token(lines[0])
        recorder = begin_game(self._draft, place, number, self._names, points, spans)
        upward = self._find_upward_side(lines)
        for line in lines[1:]:
            recorder.row = str(len(recorder.game.actions) + 1)
            if line.type == "SCORE" and self._is_of_players(line):
                self._score = line
            elif line.type == "TEXT":
                recorder.keep_unknown_line(line)
            elif line.type != "PLAYERS":
                self._add_event(recorder, line, upward)

    def _take_stated_score(self) -> tuple[tuple[int, int] | None, tuple[Span, Span] | None]:
        """Remove and return the points stated last and their places; without any, both are None."""
        line, self._score = self._score, None
        if line is None:
            return None, None
        score = grammar("javafibs").match("score", line)
        points, spans = read_points_on_line(line, score)
        if self._find_side(score["player"]) == RIGHT:
            return points[::-1], spans[::-1]
        return points, spans

    def _is_of_players(self, line: Token) -> bool:
        """Whether a score line names both players of the match."""
        score = grammar("javafibs").match("score", line)
        sides = {self._find_side(score[name]) for name in ("player", "opponent")}
        return sides == {LEFT, RIGHT}

    def _find_side(self, name: str) -> Side | None:
        """Return the side of the player whom a line calls `name`, or None."""
        users, opponents = zip(self._seats, self._names, strict=True)
        return LEFT if name in users else RIGHT if name in opponents else None

    def _find_upward_side(self, lines: list[Token]) -> Side | None:
        """Return the side whose checkers move to higher points, or None if no play shows it."""
        votes = 0
        for line in lines:
            if line.type != "PLAY":
                continue
            play = grammar("javafibs").match("play", line)
            steps = grammar("javafibs").pattern("DIRECTION").findall(play["steps"])
            ups = sum(
                int(source) < int(target) for source, target in (step.split("-") for step in steps)
            )
            gain = 2 * ups - len(steps)
            votes += gain if self._find_side(play["player"]) == LEFT else -gain
        return None if votes == 0 else LEFT if votes > 0 else RIGHT

    def _add_event(self, recorder: Recorder, line: Token, upward: Side | None) -> None:
        """Add the action on a line, or unreadable text if it names neither player.

        `upward` is the side that moves to higher points.
        """
        event = grammar("javafibs").match(line.type.lower(), line)
        side = self._find_side(event["player"])
        if side is None:
            recorder.keep_damaged_line(line)
            return
        span = place_of_token(line)
        match line.type:
            case "ROLL":
                recorder.add_roll(span, side, parse_dice(event["dice"]))
            case "PLAY":
                mirror = None if upward is None else upward == side
                recorder.add_play(span, side, event["steps"], event.start("steps"), mirror)
            case "DANCE":
                recorder.add_dance(recorder.begin_play(span, side))
            case "DOUBLE":
                recorder.add_double(span, side, None)
            case "TAKE":
                recorder.add_acceptance(span, side)
            case "REFUSAL":
                recorder.add_refusal(span, side)
            case "RESIGNATION":
                recorder.add_resignation(span, side, int(event["points"]))
            case "WIN":
                recorder.add_result(span, side, int(event["points"]))
            case _:
                _add_match_win(recorder, line, side)


def _yield_lines_of(match: Tree[Token], *names: str) -> Iterator[Token]:
    """Yield the lines of a match whose token type is one of `names`."""
    for line in match.scan_values(lambda part: isinstance(part, Token)):
        if line.type in names:
            yield line


def _find_words_for_players(match: Tree[Token]) -> tuple[str, str]:
    """Return the words that lines use for the user and the opponent, such as ("You", "Ann")."""
    for line in _yield_lines_of(match, "PLAYERS"):
        players = grammar("javafibs").match("players", line)
        return players["player"], players["opponent"]
    for line in _yield_lines_of(match, "HEADING", "LENGTH", "START"):
        opponent = grammar("javafibs").match(line.type.lower(), line)["player"]
        if opponent:
            return YOU, opponent
    return YOU, "opponent"


def _find_names(match: Tree[Token], words: tuple[str, str]) -> tuple[str, str]:
    """Return the names of the user and the opponent, from a score line if possible.

    `words`, such as ("You", "Ann"), stand for them on other lines, and are returned otherwise.
    """
    user, opponent = words
    for line in _yield_lines_of(match, "SCORE"):
        score = grammar("javafibs").match("score", line)
        others = {score["player"], score["opponent"]} - {opponent}
        if user == YOU and len(others) == 1:
            return others.pop(), opponent
    return words


def _add_match_win(recorder: Recorder, line: Token, side: Side) -> None:
    """Mark the last action, a game won by `side`, as the end of the match.

    If the last action is no such win, `line` becomes unreadable text.
    """
    actions = recorder.game.actions
    result = actions[-1] if actions else None
    if isinstance(result, Result) and result.side == side:
        actions[-1] = result._replace(match=True)
    else:
        recorder.keep_damaged_line(line)
