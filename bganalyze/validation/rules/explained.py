"""Explained findings: with the line of the file, the board, and the remedy."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.board.ids import Situation
from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.board_guesses import AS_RECORDED
from bganalyze.validation.rules.ruling import remedy

EXCERPT_LIMIT = 200
"""Maximum characters shown of a line."""


class FindingBoard(NamedTuple):
    """A board with the names of the columns beside it."""

    situation: Situation
    names: tuple[str, str]
    flipped: bool
    """Whether each player is in the other's column."""


class ExplainedFinding(NamedTuple):
    """A finding, and the details that explain it."""

    finding: Finding
    """The finding itself."""
    excerpt: str
    """The line of the file."""
    remedy: str
    """The remedy; empty if there is nothing to correct."""
    reading: str
    """The reading of the text, if it differs from the record."""
    shown: FindingBoard | None
    """The board as an XGID; None if the finding has none."""


def explain_finding(
    finding: Finding, line: str, rule_book: RuleBook, board: FindingBoard | None
) -> ExplainedFinding:
    """Return a finding with its line, its board and advice on what to do, for a web page."""
    return ExplainedFinding(
        finding=finding,
        excerpt=line[:EXCERPT_LIMIT],
        remedy=remedy(finding, rule_book),
        reading="" if finding.reading in (None, AS_RECORDED) else str(finding.reading),
        shown=board,
    )
