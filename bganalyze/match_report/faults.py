"""The findings of the match: each with its line, its board and what the player-error rule says."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from bganalyze.findings import Finding
from bganalyze.law import Law
from bganalyze.match_report.doubles import Shown, shown_position
from bganalyze.match_report.seats import Seated
from bganalyze.replaying.readings import AS_RECORDED
from bganalyze.rules.words import remedy

EXCERPT_LIMIT = 200
"""How much of a line is shown, in characters."""


class Fault(NamedTuple):
    """A finding, and what helps to understand it."""

    finding: Finding
    excerpt: str
    """The line of the file."""
    remedy: str
    """What can still be done; empty for what has no standing."""
    reading: str
    """How the text was read, if not as it stands."""
    shown: Shown | None


def faults(
    seated: Seated, found: Iterable[Finding], lines: list[str], law: Law
) -> tuple[Fault, ...]:
    """Return the findings of the match in the order of their places; `lines` are the file's."""
    return tuple(_fault(seated, each, lines, law) for each in found)


def _fault(seated: Seated, found: Finding, lines: list[str], law: Law) -> Fault:
    board = None
    if found.position is not None and found.game is not None:
        board = shown_position(seated, found.game, found.position)
    return Fault(
        finding=found,
        excerpt=lines[found.line - 1][:EXCERPT_LIMIT] if 0 < found.line <= len(lines) else "",
        remedy=_remedy(found, law),
        reading="" if found.reading in (None, AS_RECORDED) else str(found.reading),
        shown=board,
    )


def _remedy(found: Finding, law: Law) -> str:
    if found.standing is None:
        return ""
    set_up = found.code.startswith("U")
    return remedy(found.standing, law, found.closed_by, set_up=set_up)
