"""Suggestions: what a slip may have made of a record, before it is weighed and proved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.movement import ROLLS, Dice, Steps
from bganalyze.board.position import Position
from bganalyze.record.model import SIDE_NAMES, Play, Side, Span
from bganalyze.repairing.evidence import Evidence
from bganalyze.repairing.remedy import Identity, Remedy
from bganalyze.validation.findings import Edit

MOST_LISTED = 5
"""So many rolls are listed; of more it is said how many there are."""


class Alternative(NamedTuple):
    """A play that may have been made, for a prior to say how likely a player makes it."""

    situation: Situation
    """Before the play, with its roll."""
    result: Position
    """What the play leaves, seen by its side."""
    written: Position | None
    """What the play leaves that the record has; None where that is no legal play."""


class Suggestion(NamedTuple):
    """One way of repairing a record."""

    kind: str
    """The name of the slip."""
    message: str
    edits: tuple[Edit, ...]
    line: int
    """Where the slip is, in the file as it is."""
    row: str | None
    side: Side | None
    likelihood: float
    """The natural logarithm of how often such a slip is made, by which suggestions are compared."""
    is_whole: bool = True
    """Whether all plays to the end of the game can then be carried out."""
    alternative: Alternative | None = None
    rolls: tuple[Dice, ...] = ()
    """Of each turn that it puts in or repairs the roll, where others may have been made as well: of one
    turn, or of the left and of the right side's."""
    plays: tuple[Steps, ...] = ()
    """What is played with each."""
    other_rolls: tuple[tuple[Dice, ...], ...] = ()
    """For each the others with which the same is played, or nothing, likeliest first."""
    note: str = ""
    """What the message says behind those rolls."""
    explained: frozenset[Identity] = frozenset()
    """The findings that follow, where something is missing and nothing can be edited."""

    @property
    def remedy(self) -> Remedy:
        """The edits it makes, or the findings it explains without any."""
        return Remedy(self.edits, self.explained)


def message_of(suggestion: Suggestion) -> str:
    """Return what a suggestion says, with the rolls that would do as well."""
    turns = zip(SIDE_NAMES, suggestion.rolls, suggestion.other_rolls, strict=False)
    named = {side: _others_named(roll, others) for side, roll, others in turns if others}
    message = suggestion.message
    if named:
        is_one = len(suggestion.rolls) == 1
        rolls = (text if is_one else f"{text} on the {side}" for side, text in named.items())
        message += f" ({' and '.join(rolls)} would do as well)"
    return f"{message}; {suggestion.note}" if suggestion.note else message


def _others_named(roll: Dice, others: Sequence[Dice]) -> str:
    """Name other rolls, or those that are not among them, or say how many there are.

    >>> _others_named((3, 6), [(3, 3), (6, 6)])
    '3-3 or 6-6'
    >>> _others_named((3, 6), [dice for dice in ROLLS if dice not in ((3, 6), (1, 2))])
    'any other roll but 2-1'
    """
    if len(others) <= MOST_LISTED:
        return _listed(others)
    unfit = [dice for dice in ROLLS if dice != roll and dice not in others]
    if len(unfit) > MOST_LISTED:
        return f"any of {len(others)} other rolls"
    return f"any other roll but {_listed(unfit)}" if unfit else "any other roll"


def _listed(rolls: Sequence[Dice]) -> str:
    *names, last = sorted(map(roll_named, rolls))
    return f"{', '.join(names)} or {last}" if names else last


def roll_named(dice: Dice) -> str:
    """Return a roll as messages name it.

    >>> roll_named((3, 6))
    '6-3'
    """
    return f"{max(dice)}-{min(dice)}"


def rewritten(evidence: Evidence, span: Span, text: str) -> Edit:
    """Return the edit that puts `text` at a place; what stands to the right keeps its column."""
    line = evidence.lines[span.line - 1]
    before, behind = line[: span.column - 1], line[span.end_column - 1 :]
    gap = len(behind) - len(behind.lstrip(" "))
    if gap and behind.strip():
        wider = len(text) - (span.end_column - span.column)
        behind = " " * max(gap - wider, 1) + behind.lstrip(" ")
    return Edit(span.line, line, before + text + behind)


def of_play(kind: str, evidence: Evidence, play: Play, text: str, likelihood: float) -> Suggestion:
    """Return the suggestion that `text` was meant where a play is recorded."""
    return Suggestion(
        kind,
        f"{evidence.text(play)} → {text}",
        (rewritten(evidence, play.span, text),),
        play.span.line,
        play.row,
        play.side,
        likelihood,
    )
