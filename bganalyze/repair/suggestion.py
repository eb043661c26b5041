"""Suggestions: what a slip may have made of a record, before it is weighed and proved."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.position import Position
from bganalyze.findings import Edit
from bganalyze.repair.evidence import Evidence
from bganalyze.transcript.model import Play, Side, Span


class Alternative(NamedTuple):
    """A play that may have been made, for a prior to say how likely a player makes it."""

    situation: Situation
    """Before the play, with its throw."""
    result: Position
    """What the play leaves, seen by its side."""
    written: Position | None
    """What the play leaves that the record has; None where that is no legal play."""


class Suggestion(NamedTuple):
    """One way of mending a record."""

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
