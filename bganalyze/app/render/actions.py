"""Recorded actions in words, for lists of plays."""

from __future__ import annotations

from bganalyze.board.plays import can_move, notation
from bganalyze.record.model import (
    Answer,
    CheckersPutBack,
    Double,
    GameReplayed,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    SetUp,
    Unread,
)
from bganalyze.text import number_of
from bganalyze.validation.replaying.replayed import Turn
from bganalyze.writing.bgm import write_ruling

_UNPLAYED = {
    PlayRecord.PLAYED: "no play recorded",
    PlayRecord.EMPTY: "no play recorded",
    PlayRecord.CANNOT_MOVE: "cannot move",
    PlayRecord.UNPLAYED: "no play recorded",
    PlayRecord.UNREAD: "cannot be read",
}
_OFFERS = {"double": "doubles", "beaver": "beavers", "raccoon": "raccoons"}
_MANNERS = {
    "resigned": "resigns",
    "resigned-match": "resigns the match",
    "forfeit": "forfeits the game",
    "time": "loses on time",
}


def action_in_words(turn: Turn, names: tuple[str, str] = ("left", "right")) -> str:
    """Return the action of a turn as text, such as `31: 8/5 6/5` or `takes`."""
    match turn.action:
        case Play() as play:
            roll = "no roll" if play.dice is None else "{}{}".format(*play.dice)
            return f"{roll}: {_describe_play(turn, play)}"
        case Double() as double:
            return f"{_OFFERS[double.kind]} to {double.value or turn.cube.next_value}"
        case Answer(taken=taken):
            return "takes" if taken else "passes"
        case Resignation(declined=True):
            return "offers to resign, which is declined"
        case Resignation(manner=manner, points=points):
            return _MANNERS[manner] + (f" {number_of(points, 'point')}" if points else "")
        case Result(points=points, match=ends_match):
            return f"wins {number_of(points, 'point')}{' and the match' if ends_match else ''}"
        case SetUp():
            return "position set up"
        case Unread(text=text):
            return f"cannot be read: {text.strip()}"
        case PointsGiven() | GameReplayed() | CheckersPutBack() as ruling:
            return f"director: {write_ruling(ruling, names)}"
    raise AssertionError(turn.action)


def _describe_play(turn: Turn, play: Play) -> str:
    """Return a play as text, such as `8/5 6/5`; the text is `dances` if no checker moves."""
    if play.steps:
        return notation(play.steps)
    if play.dice is not None and not can_move(turn.position(play.side), play.dice):
        return "dances"
    if play.called_illegal:
        return "play marked as illegal"
    return _UNPLAYED[play.how]
