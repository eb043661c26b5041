"""GamesGrid (`.sgg`): actions behind a tab, those of the second player behind two.

The left side is the player named first. A repeated line counts once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lark import Token

from bganalyze.transcript.builder import MatchDraft, Recorder, all_finished, begun, place
from bganalyze.transcript.grammar import LineGist, lines
from bganalyze.transcript.match_text.cells import actions, items
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Comment,
    Length,
    Match,
    Play,
    ReaderNote,
    Resignation,
    Side,
    Source,
    Span,
    Tag,
)
from bganalyze.transcript.profile import stated

TAGS = {
    "variant": "Variation",
    "crawford": "Crawford",
    "jacoby": "Jacoby",
    "beavers": "Beaver",
}
"""Options and the entries of a header that they become."""

DANCE = "O-O"

_GIST = LineGist(r"Game [0-9]+\.[ \t]?[0-9]+\*?-[0-9]")
_VERSUS = LineGist(r"[^\s:;#]+ vs\. \S+[ \t]*$")
_GAME = re.compile(r"Game ([0-9]+)\.[ \t]?([0-9]+)(\*?)-([0-9]+)(\*?)(?:/([0-9]+))?")
_CELL = re.compile(r"([0-9]+)\t(\t?)([ \t]*+)((?:.*[^ \t])?)[ \t]*")
_THROW = re.compile(r"([1-6])([1-6]):[ \t]*(.*)")
_WINS = re.compile(r"(\S+) wins ([0-9]+) point")
_NUMBER = re.compile(r"[0-9]{1,9}")


def recognises(text: str) -> bool:
    """Whether `text` has the line of the players, and a game with its score."""
    return " vs. " in text and _VERSUS.is_in(text) and _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([])
    for token in lines("rooms", text):
        reader.add(token)
    conventions = stated("GamesGrid", source, marks_hits="*" in text, writes_dances=True)
    return all_finished(reader.drafts, source, "sgg", conventions)


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    drafts: list[MatchDraft]
    names: tuple[str, str] = ("", "")
    recorder: Recorder | None = None

    def add(self, token: Token) -> None:
        """Add what a line says."""
        match token.type:
            case "VERSUS":
                first, _, second = token.strip().partition(" vs. ")
                self.names, self.recorder = (first, second), None
                self.drafts.append(MatchDraft())
            case _ if not self.drafts:
                pass
            case "SGG_GAME":
                self._begin(token)
            case "OPTION" if self.recorder is None:
                self._option(token)
            case "TABBED" if self.recorder is not None:
                self._act(self.recorder, token)
            case "AUTOMATIC" if self.recorder is not None:
                self.recorder.game.cube = 2 * (self.recorder.game.cube or 1)
            case "WINS" if self.recorder is not None:
                self._wins(self.recorder, token)
            case _ if self.recorder is not None and token.strip():
                comment = Comment(place(token), None, token.strip())
                self.recorder.game.actions.append(comment)

    def _option(self, token: Token) -> None:
        key, _, value = token.partition(":")
        key, value = key.strip().casefold(), value.strip()
        draft, span = self.drafts[-1], place(token)
        if key == "match length":
            number = _NUMBER.fullmatch(value)
            draft.length = Length(span, int(value) if number else 0)
        elif key == "doubling cube" and value.casefold() == "no":
            draft.tags.append(Tag(span, "CubeLimit", "1"))
        elif key in TAGS:
            draft.tags.append(Tag(span, TAGS[key], value))

    def _begin(self, token: Token) -> None:
        header = _GAME.match(token)
        assert header is not None
        draft = self.drafts[-1]
        if draft.length is None:
            length = header.group(6)
            where = place(token, *header.span(6)) if length else place(token)
            draft.length = Length(where, int(length or 0))
        points = (int(header.group(2)), int(header.group(4)))
        spans = (place(token, *header.span(2)), place(token, *header.span(4)))
        number = int(header.group(1))
        self.recorder = begun(draft, place(token), number, self.names, points, spans)
        if draft.length.points:
            self.recorder.game.crawford = bool(header.group(3) or header.group(5))

    def _act(self, recorder: Recorder, token: Token) -> None:
        cell = _CELL.fullmatch(token)
        assert cell is not None
        recorder.row, indent, text = cell.group(1), cell.group(2), cell.group(4)
        side: Side = RIGHT if indent else LEFT
        span = place(token, *cell.span(4))
        if text in ("-", ""):
            return  # Closed out: there was no throw.
        thrown = _THROW.fullmatch(text)
        if thrown is None:
            self._words(recorder, span, side, text)
            return
        dice, rest = (int(thrown.group(1)), int(thrown.group(2))), thrown.group(3)
        turn = Play(span, recorder.row, side, dice)
        if not rest:
            recorder.throw(span, side, dice)
        elif rest.upper() == DANCE:
            recorder.dance(turn)
        elif rest.casefold().startswith("resign"):
            recorder.throw(span, side, dice)
            recorder.leave_throw()
            recorder.game.actions.append(Resignation(span, recorder.row, side))
        else:
            recorder.turn(turn, rest, thrown.start(3))

    def _words(self, recorder: Recorder, span: Span, side: Side, text: str) -> None:
        """An action with the cube, or a resignation."""
        recorder.leave_throw()
        for action in actions(items(text), span.line, span.column, recorder.row, side):
            if isinstance(action, ReaderNote):
                self.drafts[-1].oddities.append(action)
            else:
                recorder.game.actions.append(action)

    def _wins(self, recorder: Recorder, token: Token) -> None:
        result = _WINS.match(token)
        assert result is not None
        if result.group(1) not in self.names:
            recorder.unread(token)
            return
        side: Side = LEFT if result.group(1) == self.names[0] else RIGHT
        recorder.wins(place(token), side, int(result.group(2)))
