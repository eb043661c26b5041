"""The complete result of checking a file, before any selection, and its storage as JSON.

Stored results may come from anywhere, so they are read as data, field by field.
"""

# Annotations are values here, not text: see `transcript/model.py`.

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from bganalyze.board.ids import Situation
from bganalyze.board.position import Position
from bganalyze.files.reading import Item
from bganalyze.findings import (
    Conflict,
    Edit,
    EvidenceKind,
    Finding,
    Proposal,
    RecordEvidence,
    Selection,
    Severity,
    Standing,
)
from bganalyze.jobs.checked import Checked, Record, UnknownCode
from bganalyze.jobs.outcome import FileOutcome, refused


class Examination(NamedTuple):
    """The complete result of checking a transcript, before any selection."""

    record: Record
    findings: tuple[Finding, ...] = ()
    silenced: frozenset[int] = frozenset()
    """The indexes of the findings that ignore comments silence."""
    unknown_codes: tuple[UnknownCode, ...] = ()
    excerpts: Mapping[int, str] = {}
    """The text of the lines that have findings."""
    names: Mapping[int, tuple[str, str]] = {}
    """The players of each match that has findings, left and right."""


class Refusal(NamedTuple):
    """Why a file is not a transcript."""

    reason: str
    is_record: bool
    """Whether some format recognised it."""


FileContent: TypeAlias = Examination | Refusal
"""What depends on the bytes of a file only, and stays valid until they change."""


class ExaminedFile(NamedTuple):
    """The result of checking a file, and the digest of its bytes."""

    content: FileContent | FileOutcome
    """A `FileOutcome` if the file could not be read."""
    digest: bytes | None


def checked_as(item: Item, content: FileContent | FileOutcome, selection: Selection) -> Checked:
    """Return the selected findings of a file that was examined, or why it could not be."""
    if isinstance(content, Refusal):
        content = refused(item, content.reason, may_skip=not content.is_record)
    if isinstance(content, FileOutcome):
        return Checked(**asdict(content))
    selected = [n for n, finding in enumerate(content.findings) if selection.wants(finding.code)]
    findings = tuple(
        content.findings[n]._replace(path=item.path) for n in selected if n not in content.silenced
    )
    lines = {finding.line for finding in findings}
    matches = {finding.match for finding in findings}
    return Checked(
        item.path,
        item.root,
        record=content.record,
        findings=findings,
        silenced=len(selected) - len(findings),
        unknown_codes=content.unknown_codes,
        excerpts={line: text for line, text in content.excerpts.items() if line in lines},
        names={match: names for match, names in content.names.items() if match in matches},
    )


def as_json(content: FileContent) -> str:
    """Return the result of a check as a line of JSON: a list of its fields.

    >>> as_json(Refusal("the file is empty", False))
    '["the file is empty",false]'
    """
    if isinstance(content, Refusal):
        return _line(content)
    record = content.record
    return _line(
        (
            (record.producer, sorted(record.conventions), record.notes, record.turns),
            [finding._replace(path="") for finding in content.findings],
            sorted(content.silenced),
            content.unknown_codes,
            list(content.excerpts.items()),
            list(content.names.items()),
        )
    )


def from_json(line: str) -> FileContent:
    """Read what `as_json` has written; raise ValueError if it is anything else."""
    try:
        return _content(json.loads(line))
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError("not the stored result of a check") from error


def refusal_of(line: str) -> Refusal | None:
    """Return the refusal that `as_json` has written; None for findings, which take longer to read.

    Raises ValueError where the line is neither.

    >>> refusal_of('["the file is empty",false]')
    Refusal(reason='the file is empty', is_record=False)
    """
    values = json.loads(line)
    match values:
        case [str(), bool()]:
            return Refusal(*values)
        case [list(), list(), _, _, _, _]:
            return None
    raise ValueError("not the stored result of a check")


def _line(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def _content(values: list[Any]) -> FileContent:
    if len(values) == len(Refusal._fields):
        return Refusal(*values)
    record, findings, silenced, unknown_codes, excerpts, names = values
    producer, conventions, notes, turns = record
    return Examination(
        Record(producer, frozenset(conventions), tuple(map(tuple, notes)), turns),
        tuple(map(_finding, findings)),
        frozenset(silenced),
        tuple(UnknownCode(*word) for word in unknown_codes),
        dict(excerpts),
        {match: tuple(players) for match, players in names},
    )


def _finding(values: list[Any]) -> Finding:
    finding = Finding(*values)
    return finding._replace(
        severity=Severity(finding.severity),
        dice=_tuple(finding.dice),
        standing=finding.standing and Standing(finding.standing),
        situation=finding.situation and _situation(finding.situation),
        legal=_tuple(finding.legal),
        after=finding.after and _position(finding.after),
        proposals=_proposals(finding.proposals),
        evidence=finding.evidence and _evidence(finding.evidence),
        if_slip=_proposals(finding.if_slip),
    )


def _proposals(values: Any) -> tuple[Proposal, ...] | None:
    return None if values is None else tuple(map(_proposal, values))


def _evidence(values: Any) -> RecordEvidence:
    kind, by = values
    return RecordEvidence(EvidenceKind(kind), tuple(Conflict(*conflict) for conflict in by))


def _situation(values: Any) -> Situation:
    situation = Situation(*values)
    return situation._replace(
        position=_position(situation.position),
        dice=_tuple(situation.dice),
        scores=_tuple(situation.scores),
    )


def _position(values: Any) -> Position:
    own, other = values
    return Position(tuple(own), tuple(other))


def _proposal(values: Any) -> Proposal:
    proposal = Proposal(*values)
    return proposal._replace(
        edits=tuple(Edit(*edit) for edit in proposal.edits),
        other_throws=tuple(map(tuple, proposal.other_throws)),
    )


def _tuple(values: Any) -> Any:
    return None if values is None else tuple(values)
