"""PartyGammon (`.gam`): keys and values; the actions of a game stand in one line, divided by `#`.

Known from another program's importer only; no genuine file was found. Scores stand after each game.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from lark import Token

from bganalyze.transcript.builder import (
    MOST_DIGITS,
    MatchDraft,
    Recorder,
    all_finished,
    begun,
    place,
)
from bganalyze.transcript.grammar import LineGist, lines
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Play,
    Resignation,
    Side,
    Source,
    Span,
    Unread,
)
from bganalyze.transcript.profile import stated

_GIST = LineGist(r"(?:BOARDID|GAME_[0-9]+_GAMEPLAY)=", re.IGNORECASE)
_KEY = re.compile(r"GAME_([0-9]{1,4})_(PLAYER_1|PLAYER_2|GAMEPLAY|SCORE1|SCORE2)", re.IGNORECASE)
_ACTION = re.compile(r"[ \t]*([12])[ \t]*+((?:.*[^ \t])?)[ \t]*")
_THROWN = re.compile(r"(?:\S+[ \t]+){0,2}?([1-6])[ -]?([1-6])(?:[ \t]+(.*))?")


def recognises(text: str) -> bool:
    """Whether `text` has one of the keys of the format."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the match in `text`."""
    draft = MatchDraft()
    games: dict[int, dict[str, Token]] = defaultdict(dict)
    for token in lines("rooms", text):
        if token.type != "PARTY":
            continue
        key, _, value = token.partition("=")
        entry = _KEY.fullmatch(key)
        if entry is not None:
            games[int(entry.group(1))][entry.group(2).upper()] = token
        elif key.upper() == "MATCHLENGTH" and value.strip().isdecimal():
            draft.length = Length(place(token), int(value.strip()[:MOST_DIGITS]))
    score = (0, 0)
    for number in sorted(games):
        score = _add_game(draft, number, games[number], score)
    return all_finished([draft], source, "party", stated("PartyGammon", source))


def _add_game(
    draft: MatchDraft, number: int, entries: dict[str, Token], score: tuple[int, int]
) -> tuple[int, int]:
    """Add a game that begins at `score`; return the score after it."""
    first = min(entries.values(), key=lambda token: token.line or 0)
    names = (_value(entries.get("PLAYER_1")), _value(entries.get("PLAYER_2")))
    recorder = begun(draft, place(first), number, names, score)
    if "GAMEPLAY" in entries:
        for span, text in _pieces(entries["GAMEPLAY"]):
            _act(recorder, span, text)
    after = [_value(entries.get("SCORE1")), _value(entries.get("SCORE2"))]
    if not all(points.isdecimal() and len(points) <= MOST_DIGITS for points in after):
        return score
    now = (int(after[0]), int(after[1]))
    gains = (now[0] - score[0], now[1] - score[1])
    if max(gains) > 0:
        winner: Side = LEFT if gains[0] > 0 else RIGHT
        recorder.wins(place(entries["SCORE1" if winner == LEFT else "SCORE2"]), winner, max(gains))
    return now


def _value(token: Token | None) -> str:
    return "" if token is None else token.partition("=")[2].strip()


def _pieces(token: Token) -> Iterator[tuple[Span, str]]:
    """Yield the actions of a game, each with its place."""
    at = token.index("=") + 1
    for piece in token[at:].split("#"):
        if piece.strip():
            yield place(token, at, at + len(piece)), piece
        at += len(piece) + 1


def _act(recorder: Recorder, span: Span, text: str) -> None:
    recorder.row = str(len(recorder.game.actions) + 1)
    line = _ACTION.fullmatch(text)
    if line is None:
        recorder.game.actions.append(Unread(span, recorder.row, None, text.strip()))
        return
    side: Side = LEFT if line.group(1) == "1" else RIGHT
    thrown = _THROWN.fullmatch(line.group(2))
    if thrown is not None:
        turn = Play(span, recorder.row, side, (int(thrown.group(1)), int(thrown.group(2))))
        offset = line.start(2) + max(thrown.start(3), 0)
        recorder.turn(turn, thrown.group(3) or "", offset)
        return
    match line.group(2).casefold():
        case "double" | "redouble":
            recorder.double(span, side, None)
        case "take" | "accept":
            recorder.accept(span, side)
        case "drop" | "pass" | "reject":
            recorder.refuse(span, side)
        case "resign":
            recorder.game.actions.append(Resignation(span, recorder.row, side))
        case _:
            unread = Unread(span, recorder.row, side, text.strip())
            recorder.game.actions.append(unread)
