"""Slips within one cell: a die misread, a play written wrongly, here or some rows before."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations_with_replacement

from bganalyze.board.movement import Dice, are_dice, legal_plays
from bganalyze.board.position import Position
from bganalyze.repair.evidence import Evidence, following_side
from bganalyze.repair.spelling import likeness, spelled
from bganalyze.repair.suggestion import Alternative, Suggestion, as_written, rewritten
from bganalyze.repair.trial import carried_out
from bganalyze.replaying.facts import Boards
from bganalyze.transcript.model import LEFT, Play, Side

THROWS = tuple(combinations_with_replacement(range(1, 7), 2))

PLAYS_BACK = 40
"""A wrong play shows within so many plays."""

DIE_MISREAD, DICE_MISREAD = math.log(1.5), math.log(0.1)
PLAY_MISWRITTEN = math.log(0.5)
FAR = 0.1
"""What a play loses in likelihood for each play between it and the fault."""
UNLIKE = 8.0
"""What a play loses in likelihood for being written quite differently."""
ODD_MARK = 2.0
"""What it loses for each hit that is then marked wrongly."""


def misread_throw(evidence: Evidence) -> Iterator[Suggestion]:
    """A die misread: with another throw the play as written is legal.

    `62: 24/18 13/12` was thrown with 61.
    """
    play = _play_at(evidence, evidence.index)
    if play is None or not play.steps or evidence.index is None:
        return
    for throw in THROWS:
        if play.dice is not None and sorted(play.dice) == list(throw):
            continue
        meant = play._replace(dice=throw)
        judged = carried_out(evidence.boards[evidence.index], meant, marks_hits=evidence.marks_hits)
        if not judged.is_legal:
            continue
        trial = evidence.after(judged.boards, evidence.index + 1, following_side(play))
        if not evidence.mends(trial, evidence.index + 1):
            continue
        dice = _like(throw, play.dice)
        misread = 2 if play.dice is None else _differing(throw, play.dice)
        text = _with_dice(evidence.text(play), play.dice, dice)
        if text is None:
            continue
        likelihood = (DIE_MISREAD if misread == 1 else DICE_MISREAD) - ODD_MARK * trial.odd_marks
        yield Suggestion(
            "throw",
            as_written(evidence, play, text),
            (rewritten(evidence, play.span, text),),
            play.span.line,
            play.row,
            play.side,
            likelihood,
            trial.is_whole,
        )


def wrong_play(evidence: Evidence) -> Iterator[Suggestion]:
    """Another play of the throw: at the fault itself, or earlier, where it shows only now.

    `62: 24/18 13/12` was 24/18 13/11.
    """
    if evidence.index is None:
        return
    at_fault = evidence.index
    between = 0
    for index in range(at_fault, -1, -1):
        play = _play_at(evidence, index)
        if play is None:
            continue
        yield from _other_plays(evidence, index, play, between)
        between += 1
        if between > PLAYS_BACK:
            return


def _other_plays(evidence: Evidence, index: int, play: Play, between: int) -> Iterator[Suggestion]:
    """Yield the other plays of the throw after which the plays up to the fault and on are legal."""
    if play.dice is None or not are_dice(play.dice):
        return
    position = evidence.position(index, play.side)
    recorded = carried_out(evidence.boards[index], play, marks_hits=evidence.marks_hits)
    written = _seen_by(recorded.boards, play.side)
    for result in legal_plays(position, play.dice):
        if recorded.is_legal and result == written:
            continue
        trial = evidence.after(_boards(result, play.side), index + 1, following_side(play))
        if not evidence.mends(trial, index + 1):
            continue
        text = _with_steps(evidence, play, position, result)
        likelihood = (
            PLAY_MISWRITTEN
            - FAR * between
            - UNLIKE * (1 - likeness(text, evidence.text(play)))
            - ODD_MARK * trial.odd_marks
        )
        yield Suggestion(
            "play",
            as_written(evidence, play, text),
            (rewritten(evidence, play.span, text),),
            play.span.line,
            play.row,
            play.side,
            likelihood,
            trial.is_whole,
            Alternative(
                evidence.situation(index, play.side, play.dice),
                result,
                written if recorded.is_legal else None,
            ),
        )


def _play_at(evidence: Evidence, index: int | None) -> Play | None:
    action = None if index is None else evidence.actions[index]
    return action if isinstance(action, Play) else None


def _boards(position: Position, side: Side) -> Boards:
    return (position.own, position.other) if side == LEFT else (position.other, position.own)


def _seen_by(boards: Boards, side: Side) -> Position:
    return Position(boards[side], boards[1 - side])


def _differing(one: Dice, two: Dice) -> int:
    """How many dice differ between two throws."""
    left = list(two)
    for die in one:
        if die in left:
            left.remove(die)
    return len(left)


def _like(throw: Dice, written: Dice | None) -> Dice:
    """Return a throw with its dice in the order in which most of them are written."""
    if written is None:
        return throw[1], throw[0]
    return max(
        (throw, throw[::-1]),
        key=lambda dice: (
            (dice[0] == written[0]) + (dice[1] == written[1]) + (dice[0] >= dice[1]) / 2
        ),
    )


def _with_dice(written: str, dice: Dice | None, meant: Dice) -> str | None:
    """Return what is written with other dice; None where the dice are not seen in it."""
    if dice is None:
        return None
    old, new = f"{dice[0]}{dice[1]}", f"{meant[0]}{meant[1]}"
    return written.replace(old, new, 1) if old in written else None


def _with_steps(evidence: Evidence, play: Play, position: Position, result: Position) -> str:
    """Return what is written with other steps."""
    assert play.dice is not None
    written = evidence.text(play)
    start = play.places[0][0] - play.cell_offset if play.places else len(written)
    head, tail = written[:start], written[start:]
    steps = spelled(position, play.dice, result, evidence.style, tail)
    return f"{head.rstrip()} {steps}" if head.strip() else steps
