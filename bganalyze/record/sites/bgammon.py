"""Read bgammon.org (`.match`): one event per line, in the first player's numbering."""

from __future__ import annotations

import datetime as dt
import re

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    begin_game,
    finish_matches,
    place_of_token,
    read_points_on_line,
    yield_lines,
)
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.grammar import grammar, rules, tokens
from bganalyze.record.model import (
    LEFT,
    MOST_DIGITS,
    RIGHT,
    Length,
    Match,
    Resignation,
    Side,
    Source,
    Span,
    Tag,
)
from bganalyze.record.xg import make_time_entries

VARIANTS = {"1": "acey-deucey", "2": "tabula"}
"""Variants with other rules; 0 is backgammon."""


DIGITS_OF_TIMES = 10
"""Largest number of digits of a time, in seconds since 1970."""


def recognizes(text: str) -> bool:
    """Whether a text seems to be a file of bgammon.org."""
    if "bgammon-replay" not in text and "i" not in text[:1] and "\ni" not in text:
        return False
    return any(grammar("bgammon").begins_line(name, text) for name in ("INDEX", "timed_game"))


def tree(text: str) -> Tree[Token]:
    """Return the parse tree of a file's text: games and their lines."""
    return grammar("bgammon").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in a text, or one empty match if none can be read."""
    drafts: list[MatchDraft] = []
    file_tree = tree(text)
    games = list(rules(file_tree))
    is_headless = [game.data for game in games[:2]] == ["headless", "game"]
    if is_headless:
        drafts.append(_begin_match_without_game_line(*games[:2]))
    for game in games:
        if game.data == "game":
            _add_game(drafts, game)
    if is_headless:
        drafts[0].games[0].score = None  # Until here it showed the seats of the players.
    drafts = drafts or [MatchDraft()]
    for line in tokens(file_tree):
        if line.type == "TEXT":
            add_title(drafts[0], line)
    return finish_matches(drafts, source, "bgammon", conventions_of_format("bgammon.org", source))


def _begin_match_without_game_line(first_game: Tree[Token], second_game: Tree[Token]) -> MatchDraft:
    """Begin a match whose first game lost its first line, and read the second game's instead."""
    events = list(tokens(first_game))
    line = next(tokens(second_game))
    header = grammar("bgammon").match("game_line", line)
    draft = _begin_match(line, header)
    names = header["left"], header["right"]
    _add_events(begin_game(draft, place_of_token(events[0]), None, names), events)
    return draft


def _add_game(drafts: list[MatchDraft], game: Tree[Token]) -> None:
    """Add a game from its lines, of which the first states players, score and result."""
    first, *events = tokens(game)
    header = grammar("bgammon").match("game_line", first)
    recorder = _begin_game(drafts, first, header)
    _add_events(recorder, events)
    winner, points = header["winner"], _to_number(header["points"])
    if winner != "0" and points:
        span = place_of_token(first, header.start("winner"), header.end("points"))
        recorder.add_result(span, LEFT if winner == "1" else RIGHT, points)


def _begin_game(drafts: list[MatchDraft], line: Token, line_match: re.Match[str]) -> Recorder:
    """Begin a game, in a new match if needed, and return the recorder of its actions.

    `line_match` is the regex match of `line`, the first line of the game.
    """
    names = line_match["left"], line_match["right"]
    length = _to_number(line_match["length"])
    points, spans = read_points_on_line(line, line_match)
    if not drafts or not _continues_match(drafts[-1], names, length, points):
        drafts.append(_begin_match(line, line_match))
    return begin_game(
        drafts[-1], place_of_token(line), len(drafts[-1].games) + 1, names, points, spans
    )


def _begin_match(line: Token, line_match: re.Match[str]) -> MatchDraft:
    """Return a new match with the length, variant and time that the first line of a game states."""
    draft = MatchDraft(
        Length(place_of_token(line, *line_match.span("length")), _to_number(line_match["length"]))
    )
    if line_match["variant"] in VARIANTS:
        place = place_of_token(line, *line_match.span("variant"))
        draft.tags.append(Tag(place, "Variation", VARIANTS[line_match["variant"]]))
    if line_match["time"] and len(line_match["time"]) <= DIGITS_OF_TIMES:
        moment = dt.datetime.fromtimestamp(int(line_match["time"]), dt.UTC)
        entries = make_time_entries(moment).items()
        draft.tags += [
            Tag(place_of_token(line, *line_match.span("time")), *entry) for entry in entries
        ]
    return draft


def _to_number(digits: str) -> int:
    """Return the number written in `digits`, cut off after the first `MOST_DIGITS` digits."""
    return int(digits[:MOST_DIGITS])


def _continues_match(
    draft: MatchDraft, names: tuple[str, str], length: int, points: tuple[int, int]
) -> bool:
    """Whether a game continues a match: same players, same length, and no player's points fall."""
    before = draft.games[-1].score
    if before is None or draft.length is None or length != draft.length.points:
        return False
    grows = all(now >= then for now, then in zip(points, before.points, strict=True))
    return before.names == names and grows and points != (0, 0)


def _add_events(recorder: Recorder, events: list[Token]) -> None:
    """Add the actions on the lines of a game below its first line, such as turns and doubles."""
    left: Resignation | None = None
    for line in events:
        recorder.row = str(len(recorder.game.actions) + 1)
        match line.type:
            case "TURNS":
                for span, turn in yield_lines(line):
                    _add_turn(recorder, span, turn)
            case "DOUBLE":
                _add_double(recorder, line)
            case "LEAVES":
                left = Resignation(
                    place_of_token(line), recorder.row, _read_side_of_player(line[0])
                )
            case "TEXT":
                recorder.keep_unknown_line(line)
    if left is not None:
        recorder.game.actions.append(left)


def _read_side_of_player(player: str) -> Side:
    """Return the side of player `1` (left) or `2` (right)."""
    return LEFT if player == "1" else RIGHT


def _add_turn(recorder: Recorder, span: Span, text: str) -> None:
    """Add a roll with its play, whose points the file numbers as the left player sees them."""
    turn = grammar("bgammon").match("turn", text)
    recorder.row = str(len(recorder.game.actions) + 1)
    side = _read_side_of_player(turn["player"])
    recorder.add_parsed_turn(turn, span, side, is_mirrored=side == RIGHT)


def _add_double(recorder: Recorder, line: Token) -> None:
    """Add the double and its answer (take or pass) that a line states."""
    double = grammar("bgammon").match("double", line)
    side, taken = _read_side_of_player(double["player"]), double["taken"] is not None
    recorder.add_double_with_answer(
        place_of_token(line), side, int(double["value"]), is_taken=taken
    )
