"""TrueMoneyGames (`.tmg`): a number, the kind of record, and what it says, line by line.

The left side is `Player1`; the records of `Player2` have negative numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lark import Token

from bganalyze.transcript.builder import MatchDraft, Recorder, all_finished, begun, place
from bganalyze.transcript.grammar import LineGist, lines
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Resignation,
    Side,
    Source,
    Span,
    Tag,
)
from bganalyze.transcript.profile import stated

TAGS = {"startdate": "EventDate", "jacoby": "Jacoby", "beavers": "Beaver", "crawford": "Crawford"}
SWITCH = {"0": "Off", "1": "On"}

THROW, AUTOMATIC, PLAY, DOUBLE, TAKE, BEAVER, RACCOON, DROP = 1, 2, 4, 5, 7, 8, 9, 10
WINS = (14, 15, 16)
OUT_OF_TIME = (17, 22)
SETTLED = 19

_GIST = LineGist(r"Player1:[^\n]*\n(?:[^\n]*\n){0,20}?Game [0-9]+:[ \t]+[0-9]+-[0-9]+")
_GAME = re.compile(r"Game ([0-9]+):[ \t]+([0-9]+)-([0-9]+)")
_RECORD = re.compile(r"[ \t]*(-?)([0-9]+)[ \t]+([0-9]+)[ \t]++((?:.*[^ \t])?)[ \t]*")
_THROWN = re.compile(r"([1-6])([1-6]):?")
_WON = re.compile(r"(?:[0-9]++[ \t]++)?+(.*?)[ \t]wins[ \t]+([0-9]{1,9})[ \t]+points?.*")
_NUMBER = re.compile(r"[0-9]{1,9}")


def recognises(text: str) -> bool:
    """Whether `text` has the players of a match and a game with its score."""
    return "Player1:" in text and _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([])
    for token in lines("rooms", text):
        reader.add(token)
    return all_finished(reader.drafts, source, "tmg", stated("TrueMoneyGames", source))


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    drafts: list[MatchDraft]
    names: list[str] = field(default_factory=lambda: ["Player1", "Player2"])
    recorder: Recorder | None = None

    def add(self, token: Token) -> None:
        """Add what a line says."""
        match token.type:
            case "OPTION":
                self._option(token)
            case "TMG_GAME":
                self._begin(token)
            case "RECORD" if self.recorder is not None:
                self._act(self.recorder, token)
            case _ if self.recorder is not None:
                self.recorder.unread(token)

    def _option(self, token: Token) -> None:
        """An option of the match; options may stand again inside a game."""
        key, _, value = token.partition(":")
        key, value, span = key.strip().casefold(), value.strip(), place(token)
        if key == "matchid" or not self.drafts:
            if self.drafts and not self.drafts[-1].games:
                return
            self.drafts.append(MatchDraft())
            self.recorder = None
        draft = self.drafts[-1]
        if key in ("player1", "player2"):
            words = value.split()
            self.names[int(key[-1]) - 1] = words[1] if len(words) > 1 else value
        elif self.recorder is not None:
            return
        elif key == "length" and _NUMBER.fullmatch(value):
            draft.length = Length(span, int(value))
        elif key == "variant" and value == "2":
            draft.tags.append(Tag(span, "Variation", "Nackgammon"))
        elif key == "cube" and value == "0":
            draft.tags.append(Tag(span, "CubeLimit", "1"))
        elif key in TAGS:
            draft.tags.append(Tag(span, TAGS[key], SWITCH.get(value, value)))

    def _begin(self, token: Token) -> None:
        header = _GAME.match(token)
        assert header is not None
        if not self.drafts:
            self.drafts.append(MatchDraft())
        points = (int(header.group(2)), int(header.group(3)))
        spans = (place(token, *header.span(2)), place(token, *header.span(3)))
        names = (self.names[0], self.names[1])
        number = int(header.group(1))
        self.recorder = begun(self.drafts[-1], place(token), number, names, points, spans)

    def _act(self, recorder: Recorder, token: Token) -> None:
        record = _RECORD.fullmatch(token)
        assert record is not None
        recorder.row, kind, text = record.group(2), int(record.group(3)), record.group(4)
        side: Side = RIGHT if record.group(1) else LEFT
        span = place(token, *record.span(4))
        if kind in (THROW, PLAY):
            _move(recorder, span, side, kind, text)
        elif kind in WINS:
            self._won(recorder, token, span, text)
        elif kind in OUT_OF_TIME:
            recorder.leave_throw()
            recorder.game.actions.append(Resignation(span, recorder.row, side, manner="time"))
        elif kind != SETTLED and not _turn_cube(recorder, span, side, kind, text):
            recorder.unread(token)

    def _won(self, recorder: Recorder, token: Token, span: Span, text: str) -> None:
        result = _WON.fullmatch(text)
        name = result.group(1).rstrip() if result else None
        if result is None or name not in self.names:
            recorder.unread(token)
            return
        side: Side = LEFT if name == self.names[0] else RIGHT
        recorder.wins(span, side, int(result.group(2)))


def _move(recorder: Recorder, span: Span, side: Side, kind: int, text: str) -> None:
    """A throw, or its play; `?` is a throw that was never made, `0/0` a dance."""
    thrown = _THROWN.fullmatch(text) if kind == THROW else None
    if thrown is not None:
        recorder.throw(span, side, (int(thrown.group(1)), int(thrown.group(2))))
    elif kind == PLAY and text == "0/0":
        recorder.dance(recorder.waiting(span, side))
    elif kind == PLAY:
        recorder.play(span, side, text, 0)


def _turn_cube(recorder: Recorder, span: Span, side: Side, kind: int, text: str) -> bool:
    """An action with the cube; whether the record is one."""
    number = _NUMBER.search(text)
    value = int(number.group()) if number else None
    if kind == AUTOMATIC:
        recorder.game.cube = value
    elif kind in (DOUBLE, BEAVER, RACCOON):
        recorder.double(span, side, value)
    elif kind == TAKE:
        recorder.accept(span, side)
    elif kind == DROP:
        recorder.refuse(span, side)
    else:
        return False
    return True
