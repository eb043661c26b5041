"""Whether the rest of a match contradicts an error as it is recorded."""

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import EvidenceKind, Finding, Severity
from tests.repairing.transcripts import HEAD, record, row

OPENING = (row("31: 8/5 6/5", "52: 13/8 24/22"), row("64: 24/14", "21: 6/4 24/23"))


def errors_of(data: bytes) -> list[Finding]:
    findings = check(read_bytes(data, "a.mat"))
    return [finding for finding in findings if finding.severity is Severity.ERROR]


def test_what_both_sides_go_on_from_is_consistent() -> None:
    [error] = errors_of(record(row("31: 8/5 6/4", "52: 13/8 24/22"), row("64: 24/14", "21: 6/4")))[
        :1
    ]
    assert (error.code, error.line) == ("P404", 5)
    assert error.evidence is not None
    assert (error.evidence.kind, error.evidence.by) == (EvidenceKind.CONSISTENT, ())


def test_a_play_that_does_not_fit_contradicts() -> None:
    rows = row("31: 8/5 6/4", "52: 13/8 24/22"), row("42: 5/1 5/3", "64: 24/14")
    [error] = errors_of(record(*rows))
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONTRADICTED
    conflict = error.evidence.by[0]
    assert (conflict.line, conflict.code) == (6, "P401")
    assert conflict.what == "42: 5/1 5/3 (empty point)"


def test_a_false_hit_mark_contradicts() -> None:
    rows = (
        row("31: 8/5 6/4", "21: 13/11 6/5"),
        row("42: 24/20* 13/11", "31: bar/22 24/23"),
        row("52: 13/8 6/4*", "bar/23"),
    )
    errors = errors_of(record(*rows))
    assert errors[0].evidence is not None
    assert errors[0].evidence.kind is EvidenceKind.CONTRADICTED
    assert "T109" in {conflict.code for conflict in errors[0].evidence.by}


def test_nobody_can_move_a_checker_that_is_not_there() -> None:
    [error] = errors_of(record(row("31: 8/5 6/5", "52: 12/7 13/11"), row("64: 24/14", "")))
    assert error.code == "P401"
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONTRADICTED
    assert [conflict.line for conflict in error.evidence.by] == [5]


def test_where_nothing_follows_nothing_is_known() -> None:
    [error] = errors_of(record(*OPENING, row("53: 13/8 13/9")))
    assert error.code == "P404"
    assert error.evidence is not None
    assert (error.evidence.kind, error.evidence.by) == (EvidenceKind.UNKNOWN, ())


def test_a_cube_that_stays_as_doubled_contradicts_nothing() -> None:
    rows = (
        row("31: 8/5 6/5", "52: 13/8 24/22"),
        row(" Doubles => 2", " Takes"),
        row("64: 24/14", "21: 6/4 24/23"),
        row(" Doubles => 4", " Takes"),
        row("53: 13/8 13/10", "21: 13/11 23/22"),
    )
    [error] = errors_of(record(*rows))
    assert error.code == "C501"
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONSISTENT


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        ((row("33: 8/5(2) 6/3(2)", "52: 13/8 24/22"),), "D302"),
        ((row("31: 8/5 6/5", " Takes"), row("", "52: 13/8 24/22")), "C506"),
    ],
)
def test_errors_of_the_record_alone_contradict_themselves(rows: tuple[str, ...], code: str) -> None:
    error = next(error for error in errors_of(record(*rows)) if error.code == code)
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONTRADICTED
    assert error.evidence.by[0].code == code


def test_remarks_have_no_evidence() -> None:
    findings = check(read_bytes(HEAD.encode() + b"  1) 31: 8/5 6/5\n", "a.mat"))
    assert findings
    assert all(finding.evidence is None for finding in findings)
