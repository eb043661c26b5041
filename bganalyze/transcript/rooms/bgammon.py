"""bgammon.org (`.match`): one line for each event, in the numbering of the first player."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
    Comment,
    Length,
    Match,
    Play,
    Resignation,
    Side,
    Source,
    Span,
    other_side,
)
from bganalyze.transcript.profile import stated

VARIANTS = {"1": "acey-deucey", "2": "tabula"}
"""Variants that are other games; 0 is backgammon."""

_GIST = LineGist(
    r"(?:bgammon-replay[ \t]+[0-9]+[ \t]*$|i[ \t]+[0-9]{9,}[ \t]+\S+[ \t]+\S+(?:[ \t]+[0-9]+){6})"
)
_GAME = re.compile(
    r"i[ \t]+(?:([0-9]+)[ \t]+)?(\S+)[ \t]+(\S+)[ \t]+([0-9]+)[ \t]+([0-9]+)[ \t]+([0-9]+)"
    r"[ \t]+([012])[ \t]+([0-9]+)(?:[ \t]+([0-9]+))?[ \t]*"
)
_THROW = re.compile(r"([12])[ \t]+r[ \t]+([1-6])-([1-6])[ \t]*+((?:.*[^ \t])?)[ \t]*")
_DOUBLE = re.compile(r"([12])[ \t]+d[ \t]+([0-9]{1,9})[ \t]+([01])[ \t]*")
_LEAVES = re.compile(r"([12])[ \t]+t[ \t]*.*")


def recognises(text: str) -> bool:
    """Whether `text` has an index line, or the line that begins a game."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the matches in `text`; at least one."""
    reader = _Reader([])
    for token in lines("rooms", text):
        if token.type == "BGAMMON_GAME" and (header := _GAME.fullmatch(token)):
            reader.close()
            reader.begin(token, header)
        elif token.type != "INDEX":
            reader.act(token)
    reader.close()
    return all_finished(reader.drafts, source, "bgammon", stated("bgammon.org", source))


@dataclass(slots=True)
class _Reader:
    """What was read so far, and what the line of the game says of its result."""

    drafts: list[MatchDraft]
    recorder: Recorder | None = None
    is_backgammon: bool = True
    result: tuple[Span, Side, int] | None = None
    left: Resignation | None = None

    def begin(self, token: Token, header: re.Match[str]) -> None:
        """Begin a game, and a match where the game belongs to no earlier one."""
        names = (header.group(2), header.group(3))
        length, one, two = (int(header.group(group)[:MOST_DIGITS]) for group in (4, 5, 6))
        where = place(token, *header.span(4))
        if not self.drafts or not _continues(self.drafts[-1], names, length, (one, two)):
            self.drafts.append(MatchDraft(Length(where, length)))
        spans = (place(token, *header.span(5)), place(token, *header.span(6)))
        draft = self.drafts[-1]
        number = len(draft.games) + 1
        self.recorder = begun(draft, place(token), number, names, (one, two), spans)
        self.is_backgammon = header.group(9) in (None, "0")
        if not self.is_backgammon:
            what = VARIANTS.get(header.group(9), "another variant")
            comment = Comment(place(token), None, f"a game of {what}, which is not read")
            self.recorder.game.actions.append(comment)
        winner, points = header.group(7), int(header.group(8)[:MOST_DIGITS])
        self.result = None
        if winner != "0" and points:
            span = place(token, header.start(7), header.end(8))
            self.result = (span, LEFT if winner == "1" else RIGHT, points)

    def close(self) -> None:
        """End a game with the result that its first line states."""
        if self.recorder is None:
            return
        if self.left is not None:
            self.recorder.game.actions.append(self.left)
        if self.result is not None:
            self.recorder.wins(*self.result)
        self.recorder, self.left = None, None

    def act(self, token: Token) -> None:
        """Add what an event says."""
        recorder = self.recorder
        if recorder is None or not self.is_backgammon:
            return
        recorder.row = str(len(recorder.game.actions) + 1)
        span = place(token)
        thrown, double = _THROW.fullmatch(token), _DOUBLE.fullmatch(token)
        leaves = _LEAVES.fullmatch(token)
        if thrown is not None:
            side: Side = LEFT if thrown.group(1) == "1" else RIGHT
            turn = Play(span, recorder.row, side, (int(thrown.group(2)), int(thrown.group(3))))
            recorder.turn(turn, thrown.group(4), thrown.start(4), side == RIGHT)
        elif double is not None:
            side = LEFT if double.group(1) == "1" else RIGHT
            recorder.double(span, side, int(double.group(2)))
            if double.group(3) == "1":
                recorder.accept(span, other_side(side))
            else:
                recorder.drop(span, other_side(side))
        elif leaves is not None:
            side = LEFT if leaves.group(1) == "1" else RIGHT
            self.left = Resignation(span, recorder.row, side)
        else:
            recorder.unread(token)


def _continues(
    draft: MatchDraft, names: tuple[str, str], length: int, points: tuple[int, int]
) -> bool:
    """Whether a game follows those read: the same players and length, no lower score."""
    before = draft.games[-1].score
    if before is None or draft.length is None or length != draft.length.points:
        return False
    grows = all(now >= then for now, then in zip(points, before.points, strict=True))
    return before.names == names and grows and points != (0, 0)
