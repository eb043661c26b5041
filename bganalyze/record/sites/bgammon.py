"""bgammon.org (`.match`): one line for each event, in the numbering of the first player."""

from __future__ import annotations

import datetime as dt
import re

from lark import Token, Tree

from bganalyze.record.builder import (
    MatchDraft,
    Recorder,
    add_title,
    all_finished,
    begun,
    lines_of,
    place,
    score_in,
)
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
from bganalyze.record.profile import stated
from bganalyze.record.xg import time_entries

VARIANTS = {"1": "acey-deucey", "2": "tabula"}
"""Variants that are other games; 0 is backgammon."""


DIGITS_OF_TIMES = 10
"""Of seconds since 1970; more are of no match."""


def recognizes(text: str) -> bool:
    """Whether `text` has an index line, or the line that begins a game."""
    if "bgammon-replay" not in text and "i" not in text[:1] and "\ni" not in text:
        return False
    return any(grammar("bgammon").begins_line(name, text) for name in ("INDEX", "timed_game"))


def tree(text: str) -> Tree[Token]:
    """Return what a file is made of: games and their lines."""
    return grammar("bgammon").parse("matches", text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    drafts: list[MatchDraft] = []
    whole = tree(text)
    games = list(rules(whole))
    is_headless = [game.data for game in games[:2]] == ["headless", "game"]
    if is_headless:
        drafts.append(_headless(*games[:2]))
    for game in games:
        if game.data == "game":
            _add_game(drafts, game)
    if is_headless:
        drafts[0].games[0].score = None  # Until here it told who sits where.
    drafts = drafts or [MatchDraft()]
    for line in tokens(whole):
        if line.type == "TEXT":
            add_title(drafts[0], line)
    return all_finished(drafts, source, "bgammon", stated("bgammon.org", source))


def _headless(first: Tree[Token], second: Tree[Token]) -> MatchDraft:
    """Return a match whose first game has lost its line: that of the second names the players."""
    events = list(tokens(first))
    line = next(tokens(second))
    header = grammar("bgammon").match("game_line", line)
    draft = _draft(line, header)
    names = header["left"], header["right"]
    _add_events(begun(draft, place(events[0]), None, names), events)
    return draft


def _add_game(drafts: list[MatchDraft], game: Tree[Token]) -> None:
    """Add a game, which ends with the result that its first line states."""
    first, *events = tokens(game)
    header = grammar("bgammon").match("game_line", first)
    recorder = _begun(drafts, first, header)
    _add_events(recorder, events)
    winner, points = header["winner"], _number(header["points"])
    if winner != "0" and points:
        span = place(first, header.start("winner"), header.end("points"))
        recorder.wins(span, LEFT if winner == "1" else RIGHT, points)


def _begun(drafts: list[MatchDraft], line: Token, header: re.Match[str]) -> Recorder:
    """Begin a game, and a match where the game belongs to no earlier one."""
    names = header["left"], header["right"]
    length = _number(header["length"])
    points, spans = score_in(line, header)
    if not drafts or not _continues(drafts[-1], names, length, points):
        drafts.append(_draft(line, header))
    return begun(drafts[-1], place(line), len(drafts[-1].games) + 1, names, points, spans)


def _draft(line: Token, header: re.Match[str]) -> MatchDraft:
    """Return a match with what the line of a game says of it: length, variant and time, in UTC."""
    draft = MatchDraft(Length(place(line, *header.span("length")), _number(header["length"])))
    if header["variant"] in VARIANTS:
        where = place(line, *header.span("variant"))
        draft.tags.append(Tag(where, "Variation", VARIANTS[header["variant"]]))
    if header["time"] and len(header["time"]) <= DIGITS_OF_TIMES:
        moment = dt.datetime.fromtimestamp(int(header["time"]), dt.UTC)
        entries = time_entries(moment).items()
        draft.tags += [Tag(place(line, *header.span("time")), *entry) for entry in entries]
    return draft


def _number(digits: str) -> int:
    return int(digits[:MOST_DIGITS])


def _continues(
    draft: MatchDraft, names: tuple[str, str], length: int, points: tuple[int, int]
) -> bool:
    """Whether a game follows those read: the same players and length, no lower score."""
    before = draft.games[-1].score
    if before is None or draft.length is None or length != draft.length.points:
        return False
    grows = all(now >= then for now, then in zip(points, before.points, strict=True))
    return before.names == names and grows and points != (0, 0)


def _add_events(recorder: Recorder, events: list[Token]) -> None:
    """Add what happened; who left the table gave the game up at its end."""
    left: Resignation | None = None
    for line in events:
        recorder.row = str(len(recorder.game.actions) + 1)
        match line.type:
            case "TURNS":
                for span, turn in lines_of(line):
                    _add_turn(recorder, span, turn)
            case "DOUBLE":
                _add_double(recorder, line)
            case "LEAVES":
                left = Resignation(place(line), recorder.row, _side(line[0]))
            case "TEXT":
                recorder.unread(line)
    if left is not None:
        recorder.game.actions.append(left)


def _side(player: str) -> Side:
    return LEFT if player == "1" else RIGHT


def _add_turn(recorder: Recorder, span: Span, text: str) -> None:
    turn = grammar("bgammon").match("turn", text)
    recorder.row = str(len(recorder.game.actions) + 1)
    side = _side(turn["player"])
    recorder.add_parsed_turn(turn, span, side, mirror=side == RIGHT)


def _add_double(recorder: Recorder, line: Token) -> None:
    double = grammar("bgammon").match("double", line)
    side, taken = _side(double["player"]), double["taken"] is not None
    recorder.double_with_answer(place(line), side, int(double["value"]), taken=taken)
