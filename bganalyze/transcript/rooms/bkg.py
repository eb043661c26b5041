"""Berliner's BKG: a session of money games, numbered from Black's side.

Known from an importer that another program has dropped; no genuine file was found. White's points
are counted from the other end; an offer of the cube and its answer stand in one line.
"""

from __future__ import annotations

import re

from lark import Token

from bganalyze.transcript.builder import MatchDraft, Recorder, all_finished, begun, place
from bganalyze.transcript.grammar import LineGist, lines
from bganalyze.transcript.model import (
    LEFT,
    RIGHT,
    Length,
    Match,
    Play,
    Result,
    Side,
    Source,
    other_side,
)
from bganalyze.transcript.profile import stated

NAMES = ("Black", "White")

_GIST = LineGist(r"(?:Black|White)[ \t]+\([1-6][ ,][1-6]\)[ \t]*[0-9]*")
_LINE = re.compile(
    r"(Black|White)[ \t]+(?:\([ \t]*([1-6])[ \t,]+([1-6])[ \t]*\)(.*)|doubles(.*)|wins(.*))",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[0-9]+")


def recognises(text: str) -> bool:
    """Whether `text` has a throw of Black or White."""
    return _GIST.is_in(text)


def read(text: str, source: Source) -> list[Match]:
    """Return the session in `text` as one match."""
    draft = MatchDraft()
    recorder: Recorder | None = None
    for token in lines("rooms", text):
        line = _LINE.fullmatch(token) if token.type == "BKG" else None
        if recorder is None:
            if line is None:
                continue
            draft.length = draft.length or Length(place(token), 0)
            number = len(draft.games) + 1
            recorder = begun(draft, place(token), number, NAMES, (0, 0))
            recorder.game.score = recorder.game.score if number == 1 else None
        if line is None:
            recorder.unread(token)
        elif _add(recorder, token, line):
            recorder = None
    return all_finished([draft], source, "bkg", stated("BKG", source))


def _add(recorder: Recorder, token: Token, line: re.Match[str]) -> bool:
    """Add what a line says; whether it ends the game."""
    recorder.row = str(len(recorder.game.actions) + 1)
    side: Side = LEFT if line.group(1).casefold() == "black" else RIGHT
    span = place(token)
    if line.group(2) is not None:
        turn = Play(span, recorder.row, side, (int(line.group(2)), int(line.group(3))))
        steps = _with_slashes(line.group(4))
        recorder.turn(turn, steps, line.start(4), side == RIGHT)
        return False
    if line.group(5) is not None:
        recorder.double(span, side, None)
        if "accepted" in line.group(5).casefold():
            recorder.accept(span, other_side(side))
        else:
            recorder.drop(span, other_side(side))
        return False
    recorder.leave_throw()
    recorder.game.actions.append(_result(recorder, token, side, line.group(6).casefold()))
    return True


def _with_slashes(text: str) -> str:
    """Every number after the first of a pair stands behind what divides them: any character."""
    numbers = list(_NUMBER.finditer(text))
    letters = list(text)
    for one, two in zip(numbers[::2], numbers[1::2], strict=False):
        if two.start() - one.end() == 1:
            letters[one.end()] = "/"
    return "".join(letters)


def _result(recorder: Recorder, token: Token, side: Side, words: str) -> Result:
    """The class of a win is written, its points are not: they follow from the cube."""
    size = 3 if "backgammon" in words else 2 if "gammon" in words else 1
    cube = 1
    for action in recorder.game.actions:
        if getattr(action, "taken", False):
            cube *= 2
    return Result(place(token), None, side, size * cube)
