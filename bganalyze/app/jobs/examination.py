"""The complete result of checking a file, before any selection, and its storage as JSON.

Stored results may come from anywhere, so they are read as data, field by field.
"""

# Annotations are values here, not text: see `record/model.py`.

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from bganalyze.app.jobs.checked import Checked, Record, UnknownCode
from bganalyze.app.jobs.decoding import decoder
from bganalyze.app.jobs.outcome import FileOutcome, refused
from bganalyze.board.position import BAR
from bganalyze.files.reading import Item
from bganalyze.validation.findings import Finding, Selection


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
    disputes: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """The results that findings contradict, in words, and the codes of these findings."""


_CODE = re.compile("[A-Z][0-9]{3}")

MOST_CHECKERS = 99
"""Checkers that a stored board may have on a point: a faulty match file can set up many."""


class Refusal(NamedTuple):
    """Why a file is not a transcript."""

    reason: str
    is_record: bool
    """Whether some format recognized it."""


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
    codes = {finding.code for finding in findings}
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
        disputes=tuple(words for words, by in content.disputes if not codes.isdisjoint(by)),
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
            content.disputes,
        )
    )


def from_json(line: str) -> FileContent:
    """Read what `as_json` has written; raise ValueError if it is anything else."""
    try:
        return _content(json.loads(line))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("not the stored result of a check") from error


def refusal_of(line: str) -> Refusal | None:
    """Return the refusal that `as_json` has written; None for findings, which take longer to read.

    Raises ValueError where the line is neither.

    >>> refusal_of('["the file is empty",false]')
    Refusal(reason='the file is empty', is_record=False)
    """
    try:
        values = json.loads(line)
    except RecursionError as error:
        raise ValueError("not the stored result of a check") from error
    match values:
        case [str(), bool()]:
            return Refusal(*values)
        case [list(), list(), _, _, _, _, _]:
            return None
    raise ValueError("not the stored result of a check")


def _line(values: object) -> str:
    return json.dumps(values, separators=(",", ":"))


def _content(values: Any) -> FileContent:
    if len(values) == len(Refusal._fields):
        refusal: Refusal = decoder(Refusal)(values)
        return refusal
    examination: Examination = decoder(Examination)(values)
    if not examination.silenced <= set(range(len(examination.findings))):
        raise ValueError("a finding is silenced that is not there")
    for finding in examination.findings:
        _require_sensible(finding)
    return examination


def _require_sensible(finding: Finding) -> None:
    """Raise ValueError where something could not be shown: a board, dice, or the code of a rule."""
    situation = finding.situation
    positions = [situation.position] if situation else []
    positions += [finding.after] if finding.after else []
    sides = [side for position in positions for side in position]
    dice = (situation and situation.dice) or ()
    is_sensible = (
        all(len(side) == BAR + 1 and max(map(abs, side)) <= MOST_CHECKERS for side in sides)
        and all(1 <= die <= 6 for die in dice)
        and (situation is None or {situation.on_roll, situation.cube_owner} <= {0, 1, None})
        and _CODE.fullmatch(finding.code)
        and min(finding.line, finding.column, finding.end_column, finding.match) >= 0
    )
    if not is_sensible:
        raise ValueError("not the stored result of a check")
