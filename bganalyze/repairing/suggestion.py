"""Suggestions: possible repairs of a slip, before they are weighed and proved."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import ROLLS, Dice, Steps
from bganalyze.board.position import Position
from bganalyze.record.model import SIDE_NAMES, Play, Side, Span
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.remedy import FindingKey, Remedy
from bganalyze.validation.findings import Edit

MOST_LISTED = 5
"""Rolls listed in a message; if there are more, their number is given."""

_ROLL_ALONE = re.compile(r"(?:\S+\s+)?[1-6]{2}:?")


class Alternative(NamedTuple):
    """A play that a suggestion would write into the file; its probability is computed later."""

    situation: Situation
    """Situation before the play, with its roll."""
    result: Position
    """Position after the play, as its side sees it."""
    written: Position | None
    """Position after the recorded play that it replaces; None if that play is illegal or missing."""


class Suggestion(NamedTuple):
    """One way to repair a match file, not yet tried."""

    kind: str
    """Name of the slip."""
    message: str
    edits: tuple[Edit, ...]
    line: int
    """Line of the slip in the current file."""
    row: str | None
    side: Side | None
    likelihood: float
    """Natural logarithm of the relative frequency of the slip, for comparing suggestions."""
    is_whole: bool = True
    """Whether all later plays of the game are legal after the repair."""
    alternative: Alternative | None = None
    rolls: tuple[Dice, ...] = ()
    """Guessed rolls, if other rolls allow the same play: one for a single turn, two for a row
    (left's, then right's)."""
    plays: tuple[Steps, ...] = ()
    """The steps of the play of each roll in `rolls`."""
    other_rolls: tuple[tuple[Dice, ...], ...] = ()
    """For each roll in `rolls`, the other rolls that allow the same play, likeliest first."""
    fitting_plays: tuple[Position, ...] = ()
    """Positions after the other plays of the roll that fit the rest of the game too, likeliest first."""
    note: str = ""
    """Text added at the end of the message, after the other rolls."""
    explained: frozenset[FindingKey] = frozenset()
    """Findings that follow from missing parts of the file, if no edit can restore the parts."""
    doubt: str | None = None
    """The reason, in words, why the repair can never be proved; None if it can."""

    @property
    def remedy(self) -> Remedy:
        """The edits to make, and the findings that missing parts of the file explain."""
        return Remedy(self.edits, self.explained)


def message_for(suggestion: Suggestion) -> str:
    """Return the message for a suggested repair, which also names other rolls that fit."""
    turns = zip(SIDE_NAMES, suggestion.rolls, suggestion.other_rolls, strict=False)
    named = {side: _name_other_rolls(roll, others) for side, roll, others in turns if others}
    message = suggestion.message
    if named:
        is_one = len(suggestion.rolls) == 1
        rolls = (text if is_one else f"{text} on the {side}" for side, text in named.items())
        message += f" ({' and '.join(rolls)} would do as well)"
    return f"{message}; {suggestion.note}" if suggestion.note else message


def _name_other_rolls(roll: Dice, others: Sequence[Dice]) -> str:
    """Return other rolls than `roll` as words: all of them, all except a few, or their number.

    >>> _name_other_rolls((3, 6), [(3, 3), (6, 6)])
    '3-3 or 6-6'
    """
    if len(others) <= MOST_LISTED:
        return _join_rolls(others)
    unfit = [dice for dice in ROLLS if dice != roll and dice not in others]
    if len(unfit) > MOST_LISTED:
        return f"any of {len(others)} other rolls"
    return f"any other roll except {_join_rolls(unfit)}" if unfit else "any other roll"


def _join_rolls(rolls: Sequence[Dice]) -> str:
    """Return rolls in words, such as `3-3 or 6-6`."""
    *names, last = sorted(map(name_roll, rolls))
    return f"{', '.join(names)} or {last}" if names else last


def name_roll(dice: Dice) -> str:
    """Return a roll as messages name it.

    >>> name_roll((3, 6))
    '6-3'
    """
    return f"{max(dice)}-{min(dice)}"


def show_turn_text(text: str) -> str:
    """Return a turn's text as messages show it; a roll without steps gets the word `dance`.

    >>> show_turn_text("22:"), show_turn_text("22: 6/4(2)")
    ('22: dance', '22: 6/4(2)')
    """
    is_roll_alone = _ROLL_ALONE.fullmatch(text.strip()) is not None
    return f"{text.strip().rstrip(':')}: dance" if is_roll_alone else text


def edit_text(context: ErrorContext, span: Span, text: str) -> Edit:
    """Return the edit that replaces the text at `span` by `text`."""
    line = context.lines[span.line - 1]
    before, behind = line[: span.column - 1], line[span.end_column - 1 :]
    gap = len(behind) - len(behind.lstrip(" "))
    if gap and behind.strip():
        wider = len(text) - (span.end_column - span.column)
        behind = " " * max(gap - wider, 1) + behind.lstrip(" ")
    return Edit(span.line, line, before + text + behind)


def suggest_text_of_play(
    kind: str, context: ErrorContext, play: Play, text: str, slip_log_likelihood: float
) -> Suggestion:
    """Suggest replacing the text of a recorded play by `text`.

    `kind` names the slip.
    """
    return Suggestion(
        kind,
        f"{context.text(play)} → {show_turn_text(text)}",
        (edit_text(context, play.span, text),),
        play.span.line,
        play.row,
        play.side,
        slip_log_likelihood,
    )
