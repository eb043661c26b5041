"""One slip is one finding, though many plays behind it do not fit the board."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import EvidenceKind, Severity
from tests.repairing.transcripts import ROWS, record
from tests.validation.replaying.test_layout import Rows, errors_of, renumber


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "lost", "row"),
    [
        ("short-match.mat", 9, "10"),
        ("short-match.mat", 18, "23"),  # The bear-off: nothing but the larger die shows it.
        ("galaxy.txt", 1, "2"),  # With a double, which is answered below.
        ("galaxy.txt", 3, "4"),
        ("xg-text.txt", 2, "3"),  # With an answer to the double above.
        ("xg-text.txt", 6, "7"),  # A checker is entered and moved on.
        ("eleven-point.mat", 9, "10"),
    ],
)
def test_a_row_that_is_lost_is_one_error(name: str, lost: int, row: str) -> None:
    def without_row(rows: Rows) -> Rows:
        return renumber([cells for at, (_, cells) in enumerate(rows) if at != lost])

    [error] = errors_of(name, without_row)
    assert error.reading == f"two turns missing before row {row}"
    assert error.consequences
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONTRADICTED


def test_another_play_of_the_same_roll_is_one_error() -> None:
    def with_other_play(rows: Rows) -> Rows:
        number, (_, right) = rows[0]
        return [(number, ("64: 24/18 13/9", right)), *rows[1:]]

    [error] = errors_of("short-match.mat", with_other_play)
    assert error.reading == "another play of 64 in row 1"


def test_errors_that_fit_what_follows_are_each_reported() -> None:
    rows = [*ROWS]
    rows[4] = "31: 8/7 6/3                 61: 13/7"
    rows[5] = "54: 24/15                   43: 24/21*"
    findings = check(read_bytes(record(*rows), "a.mat"))
    errors = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert [(error.row, error.code) for error in errors] == [("5", "P409"), ("6", "P409")]
