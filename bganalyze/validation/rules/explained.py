"""A finding explained: with its line, its board and what the player-error rule says."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.readings import AS_RECORDED
from bganalyze.validation.rules.words import remedy

EXCERPT_LIMIT = 200
"""How much of a line is shown, in characters."""


class Shown(NamedTuple):
    """A board with the names of the columns beside it."""

    situation: Situation
    names: tuple[str, str]
    flipped: bool
    """Whether the players sit in each other's column."""


class ExplainedFinding(NamedTuple):
    """A finding, and what helps to understand it."""

    finding: Finding
    """The finding itself."""
    excerpt: str
    """The line of the file."""
    remedy: str
    """What can still be done; empty for what has no standing."""
    reading: str
    """How the text was read, if not as it stands."""
    shown: Shown | None
    """The board as an XGID; None if the finding has none."""


def explained_finding(
    finding: Finding, line: str, rule_book: RuleBook, board: Shown | None
) -> ExplainedFinding:
    """Return a finding with the line of the file, its board, and what its standing means."""
    return ExplainedFinding(
        finding=finding,
        excerpt=line[:EXCERPT_LIMIT],
        remedy=_remedy(finding, rule_book),
        reading="" if finding.reading in (None, AS_RECORDED) else str(finding.reading),
        shown=board,
    )


def _remedy(finding: Finding, rule_book: RuleBook) -> str:
    if finding.standing is None:
        return ""
    set_up = finding.code.startswith("U")
    return remedy(finding.standing, rule_book, finding.closed_by, set_up=set_up)
