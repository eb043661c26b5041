"""A slip of layout is one finding, which says what was taken for what."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import EvidenceKind, Finding, Severity
from bganalyze.validation.replaying.layout import COLUMNS, ROLLS
from tests.faults.record import Record, open_record

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
RECORDS = ("short-match.mat", "galaxy.txt", "xg-text.txt", "eleven-point.mat")

Cells = tuple[str, str]
Rows = list[tuple[str, Cells]]
"""The numbers and the cells of the rows of a game."""


def errors_of(name: str, slip: Callable[[Rows], Rows]) -> list[Finding]:
    """Return the errors of a sample whose longest game is laid out otherwise."""
    path = CLEAN / name
    record = open_record(str(path), path.read_bytes())
    assert record is not None
    acts = max(record.games, key=len)
    rows = _rows(record, {act.line for act in acts if act.action.row is not None})
    first, last = min(rows), max(rows)
    lines = [record.row(number, *cells) for number, cells in slip(list(rows.values()))]
    text = "\n".join((*record.lines[: first - 1], *lines, *record.lines[last:]))
    findings = check(read_bytes(text.encode(), name))
    return [finding for finding in findings if finding.severity == "error"]


def _rows(record: Record, lines: set[int]) -> dict[int, tuple[str, Cells]]:
    rows = {}
    for line in sorted(lines):
        acts = [act for act in record.on_line(line) if act.action.row is not None]
        cells = ["", ""]
        for act in acts:
            cells[act.side] = " ".join((cells[act.side], record.text(act).strip())).strip()
        rows[line] = acts[0].action.row, (cells[0], cells[1])
    return rows


def renumber(rows: list[Cells]) -> Rows:
    return [(str(number), cells) for number, cells in enumerate(rows, 1)]


def dice_exchanged(rows: Rows) -> Rows:
    number, (left, right) = rows[4]
    cells = right[:2] + left[2:], left[:2] + right[2:]
    return [*rows[:4], (number, cells), *rows[5:]]


def row_doubled(rows: Rows) -> Rows:
    cells = [cells for _, cells in rows]
    return renumber([*cells[:6], cells[5], *cells[6:]])


def columns_exchanged(rows: Rows) -> Rows:
    return rows[:5] + [(number, (right, left)) for number, (left, right) in rows[5:]]


def half_row_alone(rows: Rows) -> Rows:
    cells = [cells for _, cells in rows]
    left, right = cells[5]
    return renumber([*cells[:5], (left, ""), (right, ""), *cells[6:]])


def right_column_lost(rows: Rows) -> Rows:
    return [(number, (left, "")) for number, (left, _) in rows]


SLIPS = {
    dice_exchanged: r"the dice of row 5 exchanged",
    row_doubled: r"row 7 left out, which repeats the one before|row 6 .*",
    columns_exchanged: r"the columns exchanged from row 6 on",
    half_row_alone: r"row 7 in the other column",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDS)
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_of_layout_is_one_finding(name: str, slip: Callable[[Rows], Rows]) -> None:
    errors = errors_of(name, slip)
    assert len(errors) == 1
    assert errors[0].consequences
    assert re.fullmatch(SLIPS[slip], errors[0].reading or "")


@pytest.mark.slow
@pytest.mark.parametrize("name", RECORDS)
def test_a_lost_column_is_told_once(name: str) -> None:
    (error,) = errors_of(name, right_column_lost)
    assert error.code == "T105"
    assert re.fullmatch("all turns of .* left out", error.reading or "")


ROLLS_IN_TURN = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1)                             65: 8/5 6/5
  2) 31: 24/13                   62: 13/9 6/5
  3) 41: 24/18 13/11             Doubles => 2
  4) Takes                       42: 13/9 13/10
  5) 43: 18/14 13/11
"""
"""The rolls of each two turns are exchanged, also where these are in different rows."""


def test_rolls_may_be_exchanged_across_rows() -> None:
    findings = check(read_bytes(ROLLS_IN_TURN.encode(), "a.mat"))
    [error] = (finding for finding in findings if finding.severity is Severity.ERROR)
    assert error.reading == ROLLS


def test_the_plays_of_one_row_may_be_exchanged() -> None:
    """Row 8 is the last legal one if its plays are not made in the other order."""
    lines = (CLEAN / "gridgammon.txt").read_text().split("\n")
    lines[33] = "  8) 52: 25/23 8/3               35: 25/22 23/18"
    (error,) = check(read_bytes("\n".join(lines).encode(), "gridgammon.txt"))
    assert (error.code, error.line) == ("P401", 34)


def test_rows_that_are_lost_are_a_warning() -> None:
    lines = (CLEAN / "short-match.mat").read_text(encoding="utf-8").split("\n")
    at = max(index for index, line in enumerate(lines) if line.startswith("  4) "))
    findings = check(read_bytes("\n".join(lines[:at] + lines[at + 1 :]).encode(), "x.mat"))
    [missing] = [finding for finding in findings if finding.code == "T103"]
    assert (missing.severity, missing.message) == (
        "warning",
        "row 5 follows row 3: rows are missing",
    )


def without(name: str, row: str) -> list[Finding]:
    """Return what is found in a sample without the first row that begins so."""
    lines = (CLEAN / name).read_text(encoding="utf-8").split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith(row))
    text = "\n".join(lines[:at] + lines[at + 1 :])
    return list(check(read_bytes(text.encode(), name)))


def test_a_first_row_that_is_lost_is_a_warning_and_opens_nothing() -> None:
    findings = without("galaxy.txt", "  1) ")
    [missing] = [finding for finding in findings if finding.code == "T103"]
    assert missing.severity == "warning"
    assert missing.message == "the game begins with row 2: rows are missing"
    assert "D302" not in [finding.code for finding in findings]


def test_a_win_is_not_unfounded_where_rows_are_missing() -> None:
    codes = [finding.code for finding in without("galaxy.txt", " 17) 54: 3/0 3/0")]
    assert codes == ["T103", "P408"]


def test_a_missing_turn_before_two_actions_in_one_place_is_counted_once() -> None:
    text = (
        b"bob vs. alice\n2\t\tBeaver to 82\t66: 24/18(2), 13/7(2)3\t\t62: O-O\n4\t\t54: Resign\n"
        b"Game 2.16-0"
    )
    findings = check(read_bytes(text, "a.sgg"))
    codes = "T120 T101 T105 T101 R606 R604 T107"
    assert [finding.code for finding in findings] == codes.split()


MATCH = (CLEAN / "eleven-point.mat").read_text(encoding="utf-8")


def with_cells(change: Callable[[str, str], tuple[str, str]]) -> bytes:
    """Return a clean match with the cells of all its rows changed."""

    def change_line(line: str) -> str:
        row = re.match(r" *\d+\) ", line)
        if row is None:
            return line
        left, right = change(line[row.end() :][:28].strip(), line[row.end() :][28:].strip())
        return f"{row[0]}{left:28}{right}".rstrip()

    return "\n".join(map(change_line, MATCH.split("\n"))).encode()


def with_rolls_exchanged(left: str, right: str) -> tuple[str, str]:
    one, two = (re.match(r"(\d\d):(.*)", cell) for cell in (left, right))
    return (f"{two[1]}:{one[2]}", f"{one[1]}:{two[2]}") if one and two else (left, right)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "slip"),
    [
        (lambda left, right: (right, left), COLUMNS),
        (with_rolls_exchanged, ROLLS),
    ],
)
def test_a_slip_throughout_a_match_is_one_error(
    change: Callable[[str, str], tuple[str, str]], slip: str
) -> None:
    findings = check(read_bytes(with_cells(change), "a.mat"))
    [error] = [finding for finding in findings if finding.severity is Severity.ERROR]
    assert error.reading == slip
    assert error.evidence is not None
    assert error.evidence.kind is EvidenceKind.CONTRADICTED
