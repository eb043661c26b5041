"""The complete result of checking a file, before any selection, and its JSON form.

Stored results are not trusted: they are decoded and validated field by field.
"""

# Annotations are values here, not text: see `record/model.py`.

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple, TypeAlias

from bganalyze.app.jobs.checked import CheckOutcome, DisputedResult, Record, UnknownCode, Unselected
from bganalyze.app.jobs.checked_json import make_decoder
from bganalyze.app.jobs.outcome import FileOutcome, refuse_item
from bganalyze.board.position import BAR
from bganalyze.files.reading import FileToRead
from bganalyze.validation.findings import Finding, Selection, Severity


class FullCheckResult(NamedTuple):
    """The result of checking a match file by all rules, before any are selected."""

    record: Record
    findings: tuple[Finding, ...] = ()
    silenced: frozenset[int] = frozenset()
    """Indexes of findings silenced by ignore comments."""
    unknown_codes: tuple[UnknownCode, ...] = ()
    excerpts: Mapping[int, str] = {}
    """The text of the lines that have findings."""
    names: Mapping[int, tuple[str, str]] = {}
    """The players of each match that has findings, left and right."""
    disputes: tuple[DisputedResult, ...] = ()
    facts: Mapping[int, tuple[tuple[str, str], ...]] = {}
    """The length, event, date and result of each match that has findings, as labels and values."""


_CODE = re.compile("[A-Z][0-9]{3}")

MOST_CHECKERS = 99
"""Most checkers on a point of a stored board; a faulty match file can set up many."""


class Refusal(NamedTuple):
    """The reason why a file is not a match file."""

    reason: str
    is_record: bool
    """Whether a format recognized the file."""


FullCheckResultOrRefusal: TypeAlias = FullCheckResult | Refusal
"""A result that depends only on the bytes of a file."""


class FullyCheckedFile(NamedTuple):
    """The result of checking a file, and the digest of its bytes."""

    content: FullCheckResultOrRefusal | FileOutcome
    """A `FileOutcome` if the file could not be read."""
    digest: bytes | None


def select_findings(
    item: FileToRead, result: FullCheckResultOrRefusal | FileOutcome, selection: Selection
) -> CheckOutcome:
    """Return the outcome of checking a file, with only the findings of the selected rules.

    `result` is the result by all rules.
    """
    if isinstance(result, Refusal):
        result = refuse_item(item, result.reason, may_skip=not result.is_record)
    if isinstance(result, FileOutcome):
        return CheckOutcome(**asdict(result))
    selected = [n for n, finding in enumerate(result.findings) if selection.wants(finding.code)]
    findings = tuple(
        result.findings[n]._replace(path=item.path) for n in selected if n not in result.silenced
    )
    lines = {finding.line for finding in findings}
    matches = {finding.match for finding in findings}
    return CheckOutcome(
        item.path,
        item.root,
        record=result.record,
        silenced=len(selected) - len(findings),
        unselected=_describe_unselected(result.findings, selection),
        unknown_codes=result.unknown_codes,
        excerpts={line: text for line, text in result.excerpts.items() if line in lines},
        names={match: names for match, names in result.names.items() if match in matches},
        facts={match: facts for match, facts in result.facts.items() if match in matches},
        disputes=result.disputes,
    ).limited_to(findings)


OF_PLAYS = "P4"
"""Start of the codes of rules about plays."""

HIDING_PLAYS = ("T", "U", "D", "P")
"""Families of rules whose errors may leave plays unread, or their board unknown."""

UNCHECKED_VARIANT = "U207"
"""The rule that reports a variant whose plays cannot be checked."""


def _describe_unselected(findings: Sequence[Finding], selection: Selection) -> Unselected | None:
    """Return a summary of errors by rules not selected, or None if all are selected."""
    if not selection.select and not selection.ignore:
        return None
    errors = [finding for finding in findings if finding.fails(Severity.ERROR)]
    return Unselected(
        tuple(finding.code for finding in errors if not selection.wants(finding.code)),
        selection.wants_all(OF_PLAYS)
        and not any(
            finding.code == UNCHECKED_VARIANT
            or (finding.severity is Severity.ERROR and finding.code.startswith(HIDING_PLAYS))
            for finding in findings
        ),
    )


def write_result_json(result: FullCheckResultOrRefusal) -> str:
    """Return the result of a check as a line of JSON."""
    if isinstance(result, Refusal):
        return _make_json_line(result)
    record = result.record
    return _make_json_line(
        (
            (record.producer, sorted(record.conventions), record.notes, record.turns),
            [finding._replace(path="") for finding in result.findings],
            sorted(result.silenced),
            result.unknown_codes,
            list(result.excerpts.items()),
            list(result.names.items()),
            result.disputes,
            list(result.facts.items()),
        )
    )


def parse_result_json(line: str) -> FullCheckResultOrRefusal:
    """Return the result of a check from its line of JSON, or raise ValueError."""
    try:
        return _decode_result(json.loads(line))
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError("not the stored result of a check") from error


def parse_refusal(line: str) -> Refusal | None:
    """Return why a file is no match file, from the stored result of its check, or None.

    Raises ValueError for other text.

    >>> parse_refusal('["the file is empty",false]')
    Refusal(reason='the file is empty', is_record=False)
    """
    try:
        values = json.loads(line)
    except RecursionError as error:
        raise ValueError("not the stored result of a check") from error
    match values:
        case [str(), bool()]:
            return Refusal(*values)
        case [list(), list(), _, _, _, _, _, _]:
            return None
    raise ValueError("not the stored result of a check")


def _make_json_line(values: object) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(values, separators=(",", ":"))


def _decode_result(values: Any) -> FullCheckResultOrRefusal:
    """Return the result of a check from parsed JSON, or raise ValueError or TypeError."""
    if len(values) == len(Refusal._fields):
        refusal: Refusal = make_decoder(Refusal)(values)
        return refusal
    examination: FullCheckResult = make_decoder(FullCheckResult)(values)
    if not examination.silenced <= set(range(len(examination.findings))):
        raise ValueError("a silenced finding does not exist")
    for finding in examination.findings:
        _require_sensible(finding)
    return examination


def _require_sensible(finding: Finding) -> None:
    """Raise ValueError if a stored finding has an impossible board, dice, place or code."""
    situation = finding.situation
    positions = [situation.position] if situation else []
    positions += [board for board in (finding.after, finding.expected) if board]
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
