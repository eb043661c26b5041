"""The schemas of the JSON that commands write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bganalyze.app.render.data import NOT_WRITTEN, AnswerObject, ReportsObject
from bganalyze.app.render.data import VERSION as VERSION_OF_FIGURES
from bganalyze.app.render.examination import VERSION as VERSION_OF_EXAMINATIONS
from bganalyze.app.render.examination import ExaminationObject
from bganalyze.app.render.findings.records import (
    VERSION,
    ChanceRecord,
    FindingsObject,
    OfCheckedFinding,
    OfFinding,
    ProposalLine,
    UnreadableLine,
)
from bganalyze.app.render.matches import VERSION as VERSION_OF_MATCHES
from bganalyze.app.render.matches import MatchesObject
from bganalyze.app.render.ruling.record import VERSION as VERSION_OF_RULINGS
from bganalyze.app.render.ruling.record import RulingObject
from bganalyze.app.render.schemas import OutputShapes
from bganalyze.app.render.verification import VERSION as VERSION_OF_VERIFICATION
from bganalyze.app.render.verification import VerificationObject
from bganalyze.board.rule_book import RuleBook
from bganalyze.statistics.match_list import ListedMatch
from bganalyze.statistics.reports.question import Question
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.rules.explained import FindingBoard

HIDDEN: Mapping[type, tuple[str, ...]] = {
    Finding: ("situation", "after", "closer", "expected", "may_stand", "odds", "before_ruling"),
    Proposal: ("probability", "other_plays"),
    **NOT_WRITTEN,
}
"""Fields that are not written, or written under other keys."""


def findings_schema() -> dict[str, Any]:
    """Return the JSON schema of the output of `check`, for all its JSON formats."""
    shapes = _make_finding_shapes(OfCheckedFinding)
    of_check = Finding | UnreadableLine | tuple[Finding, ...] | FindingsObject
    return shapes.schema_of_document("findings", VERSION, "Findings of bganalyze check", of_check)


def proposals_schema() -> dict[str, Any]:
    """Return the JSON schema of a proposed repair."""
    about = "Proposal of bganalyze repair"
    return OutputShapes().schema_of_document("proposals", VERSION, about, ProposalLine)


def statistics_schema() -> dict[str, Any]:
    """Return the JSON schema of the reports over many matches."""
    about = "Answer of bganalyze stats"
    hidden = [(Question, name) for name in NOT_WRITTEN[Question]]
    return OutputShapes(hidden=hidden).schema_of_document(
        "statistics", VERSION_OF_FIGURES, about, AnswerObject
    )


def report_schema() -> dict[str, Any]:
    """Return the JSON schema of the reports of matches."""
    shapes = _make_finding_shapes(OfFinding)
    about = "Reports of bganalyze report"
    return shapes.schema_of_document("report", VERSION_OF_FIGURES, about, ReportsObject)


def matches_schema() -> dict[str, Any]:
    """Return the JSON schema of the output of `matches`: a list, or a match on each line."""
    about = "List of bganalyze matches"
    listed = MatchesObject | ListedMatch
    return OutputShapes().schema_of_document("matches", VERSION_OF_MATCHES, about, listed)


def verification_schema() -> dict[str, Any]:
    """Return the JSON schema of the verification of claimed results."""
    about = "Verdicts of bganalyze verify"
    return OutputShapes().schema_of_document(
        "verification", VERSION_OF_VERIFICATION, about, VerificationObject
    )


def ruling_schema() -> dict[str, Any]:
    """Return the JSON schema of the output of `bganalyze ruling --format json`."""
    about = "Sheet of bganalyze ruling"
    return OutputShapes().schema_of_document("ruling", VERSION_OF_RULINGS, about, RulingObject)


def examination_schema() -> dict[str, Any]:
    """Return the JSON schema of the object that `bganalyze examine` writes for one file."""
    about = "Upload of bganalyze examine"
    return OutputShapes().schema_of_document(
        "examination", VERSION_OF_EXAMINATIONS, about, ExaminationObject
    )


def _make_finding_shapes(added: type) -> OutputShapes:
    """Return the JSON forms of the types in an output that contains findings.

    `added` is a TypedDict with the keys that this output adds to a finding.
    """
    return OutputShapes(
        {RuleBook: str, FindingBoard: str},
        {(record, name) for record, names in HIDDEN.items() for name in names},
        {Finding: added, Proposal: ChanceRecord},
    )
