"""All that a check finds in a file, before anything is selected: what may be kept of it, as JSON.

What is kept was made by this program or by somebody else, so it is read as data, field by field.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from bganalyze.board.ids import Situation
from bganalyze.board.position import Position
from bganalyze.files.reading import Item
from bganalyze.findings import Edit, Finding, Proposal, Selection, Severity, Standing
from bganalyze.jobs.checked import Checked, Record, UnknownCode
from bganalyze.jobs.outcome import FileOutcome, refused


class Examination(NamedTuple):
    """What a check finds in a transcript, whatever of it is wanted."""

    record: Record
    findings: tuple[Finding, ...] = ()
    silenced: frozenset[int] = frozenset()
    """The places among the findings of those that ignore comments silence."""
    unknown_codes: tuple[UnknownCode, ...] = ()
    excerpts: Mapping[int, str] = {}
    """The text of the lines that have findings."""
    names: Mapping[int, tuple[str, str]] = {}
    """The players of each match that has findings, left and right."""


class Refusal(NamedTuple):
    """Why a content is no transcript."""

    reason: str
    is_record: bool
    """Whether a format recognises it."""


FileContent: TypeAlias = Examination | Refusal
"""What the content of a file is, as long as it stays the same."""


class ExaminedFile(NamedTuple):
    """What a file holds, and by which digest its content is known again."""

    content: FileContent | FileOutcome
    """Or why it could not be read."""
    digest: bytes | None


def checked_as(item: Item, content: FileContent | FileOutcome, selection: Selection) -> Checked:
    """Return what a user wants to see of a file that was examined, or could not be read."""
    if isinstance(content, Refusal):
        content = refused(item, content.reason, may_skip=not content.is_record)
    if isinstance(content, FileOutcome):
        return Checked(**asdict(content))
    selected = [n for n, found in enumerate(content.findings) if selection.wants(found.code)]
    findings = tuple(
        content.findings[n]._replace(path=item.path) for n in selected if n not in content.silenced
    )
    lines, matches = ({getattr(found, of) for found in findings} for of in ("line", "match"))
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
    """Return what a file holds as a line of JSON: its fields, one after the other.

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
    """Return what `as_json` has written; raise ValueError where it has not."""
    try:
        return _content(json.loads(line))
    except (TypeError, ValueError, AttributeError) as error:
        raise ValueError("not what was kept of a file") from error


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
    found = Finding(*values)
    return found._replace(
        severity=Severity(found.severity),
        dice=_several(found.dice),
        standing=found.standing and Standing(found.standing),
        situation=found.situation and _situation(found.situation),
        legal=_several(found.legal),
        after=found.after and _position(found.after),
        proposals=found.proposals and tuple(map(_proposal, found.proposals)),
    )


def _situation(values: Any) -> Situation:
    read = Situation(*values)
    return read._replace(
        position=_position(read.position), dice=_several(read.dice), scores=_several(read.scores)
    )


def _position(values: Any) -> Position:
    own, other = values
    return Position(tuple(own), tuple(other))


def _proposal(values: Any) -> Proposal:
    read = Proposal(*values)
    return read._replace(edits=tuple(Edit(*edit) for edit in read.edits))


def _several(values: Any) -> Any:
    return None if values is None else tuple(values)
