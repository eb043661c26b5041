"""A referee that stops at the first thing against the rules, and so needs no second guesses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.plays import legal_plays, verdict
from bganalyze.board.position import BAR, Position
from bganalyze.transcript.model import Answer, Double, How, Play, Resignation, Result, Side
from tests.injection.judge import faults
from tests.injection.record import Act, Boards, Record

Place = tuple[int, str]
"""A line and a code."""


class Event(NamedTuple):
    """An action as a broken record has it: which, by whom, and in which line."""

    act: Act
    side: Side
    line: int


def events(acts: Iterable[Act]) -> list[Event]:
    """Return actions as they stand."""
    return [Event(act, act.action.side, act.line) for act in acts if _counts(act)]


def _counts(act: Act) -> bool:
    return isinstance(act.action, Play | Double | Answer | Resignation | Result)


def first_fault(record: Record, boards: Boards, rest: Sequence[Event]) -> frozenset[Place]:
    """Play on from `boards`; return where the first play against the rules stands, and its code."""
    for index, event in enumerate(rest):
        action = event.act.action
        if not isinstance(action, Play) or action.dice is None or action.how is How.UNPLAYED:
            continue
        position = seen_by(boards, event.side)
        codes = faults(position, action.dice, action.steps, record.marks)
        if codes and not action.steps:
            codes = without_play(record, action.how, codes)
        codes = unexcused(codes, event.side, rest[index + 1 :])
        if codes:
            places = {(event.line, code) for code in codes}
            return frozenset(places | hit_ignored(record, boards, rest[: index + 1]))
        judged = verdict(position, action.dice, action.steps, record.marks)
        boards = as_boards(judged.after, event.side)
        if not any(boards[event.side][1:]):
            later = next((e for e in rest[index + 1 :] if isinstance(e.act.action, Play)), None)
            return frozenset(((later.line, "T106"),)) if later else frozenset()
    return frozenset()


def without_play(record: Record, how: How, codes: frozenset[str]) -> frozenset[str]:
    """An empty cell is a dance, or a play not recorded where dances are written out."""
    if how is How.EMPTY and record.match.profile.writes_dances:
        return frozenset(("D303",))
    return codes


def unexcused(codes: frozenset[str], side: Side, later: Sequence[Event]) -> frozenset[str]:
    """Return the codes without those that the end of a game excuses.

    Nothing or too little played in the last turn before a result: resigned after throwing.
    """
    if any(isinstance(event.act.action, Play | Double | Answer) for event in later):
        return codes
    result = next((e for e in later if isinstance(e.act.action, Result | Resignation)), None)
    if result is None:
        return codes
    codes -= {"P411", "D303"}
    wins = isinstance(result.act.action, Result) and result.side == side
    return codes if wins else codes - {"P409"}


def hit_ignored(record: Record, boards: Boards, rest: Sequence[Event]) -> set[Place]:
    """The play before, where the last of `rest` uses a checker that it sent to the bar."""
    last = rest[-1]
    before = next((event for event in reversed(rest[:-1])), None)
    if before is None or not isinstance(before.act.action, Play) or before.side == last.side:
        return set()
    if _plays_on(record, seen_by(boards, last.side), last.act.action):
        return {(before.line, "P412")}
    return set()


def _plays_on(record: Record, position: Position, play: Play) -> bool:
    """Whether the play is legal with a checker back on the point where it was hit."""
    if not position.own[BAR] or play.dice is None:
        return False
    for step in play.steps:
        source = step.path[0]
        if not 0 < source < BAR or position.own[source]:
            continue
        own = list(position.own)
        own[BAR] -= 1
        own[source] += 1
        back = position._replace(own=tuple(own))
        if verdict(back, play.dice, play.steps, record.marks).fault is None:
            return True
    return False


def seen_by(boards: Boards, side: Side) -> Position:
    """Return the board from the side of `side`."""
    return Position(boards[side], boards[1 - side])


def as_boards(position: Position, side: Side) -> Boards:
    """Return a position seen by `side` as left's and right's checkers."""
    return (position.own, position.other) if side == 0 else (position.other, position.own)


def is_shut_out(boards: Boards, side: Side) -> bool:
    """Whether no throw at all lets the side enter from the bar."""
    position = seen_by(boards, side)
    return bool(position.own[BAR]) and all(
        len(legal_plays(position, (die, die))) == 1
        and position in legal_plays(position, (die, die))
        for die in range(1, 7)
    )
