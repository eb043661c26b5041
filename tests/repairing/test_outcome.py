"""A repair is checked by what the record says afterwards: one that knows the truth gets full marks."""

from __future__ import annotations

from difflib import SequenceMatcher
from itertools import zip_longest
from pathlib import Path
from random import Random

import pytest

from tests.faults.catalog import BY_NAME, REPAIRED, Fault
from tests.faults.damage import Damage, Part, errors, make_damage
from tests.faults.record import Record, open_record
from tests.repairing.clean import clean
from tests.repairing.outcome import (
    Edit,
    MisplacedEditError,
    Proposal,
    Proposed,
    agrees,
    apply_edits,
    content,
    in_the_file,
    outcome,
)

SAMPLE = Path(__file__).parents[2] / "samples" / "clean" / "eleven-point.mat"

SPELLING = {"hit-mark-lost", "false-hit-mark"}
"""Slips after which the record says what it did."""


def edits_of(slip: Damage, part: Part) -> tuple[Edit, ...]:
    """Return the edits that undo one part of a slip."""
    line = part.start + 1 + sum(len(o.now) - len(o.was) for o in slip.parts if o < part)
    edits: list[Edit] = []
    for name, *ends in SequenceMatcher(None, part.now, part.was, autojunk=False).get_opcodes():
        start, end, was_start, was_end = ends
        if name != "equal":
            pairs = zip_longest(part.now[start:end], part.was[was_start:was_end])
            for at, (old, new) in enumerate(pairs):
                edits.append(Edit(line + min(start + at, end), old, new))
    return tuple(edits)


def knowing(record: Record, slip: Damage) -> list[Proposal]:
    """Return a proposal for each part of a slip, and a wrong one of the second rank."""
    before = errors(record, slip.lines)
    proposals = []
    for cause, part in enumerate(slip.parts, 1):
        edits = edits_of(slip, part)
        after = errors(record, apply_edits(slip.lines, edits))
        right = Proposal(cause, 1, "known", 0.9, True, edits, "", before, after)
        nothing = (Edit(1, slip.lines[0], slip.lines[0]),)
        mistaken = Proposal(cause, 2, "nothing", 0.1, False, nothing, "", before, before)
        proposals += [right, mistaken]
    return proposals


@pytest.mark.slow
@pytest.mark.parametrize("kind", REPAIRED, ids=lambda kind: kind.name)
def test_a_repair_that_knows_the_slip_is_right(kind: Fault) -> None:
    record = open_record(str(SAMPLE), SAMPLE.read_bytes())
    assert record is not None
    slip = kind.make(record, Random(2))
    assert slip is not None
    assert_right(record, kind, slip)


def assert_right(record: Record, kind: Fault, slip: Damage) -> None:
    says_the_same = content(record, slip.lines) == content(record, slip.clean)
    assert says_the_same == (kind.name in SPELLING)
    result = outcome(record, kind.name, slip, Proposed(knowing(record, slip), 0.0))
    assert all(result.row)
    assert all(result.restored)
    assert [right for rank, _, _, right in result.proposals if rank == 1] == [True] * len(
        slip.parts
    )
    assert result.unfit == 0
    assert result.causes == len(slip.parts)


def test_a_proposal_for_another_row_is_wrong() -> None:
    record = clean()
    slip = BY_NAME["die"].make(record, Random(1))
    assert slip is not None
    other = Edit(5, slip.lines[4], slip.lines[4].replace("8/5", "8/4"))
    before, after = (
        errors(record, lines) for lines in (slip.lines, apply_edits(slip.lines, [other]))
    )
    proposal = Proposal(1, 1, "step", 1.0, True, (other,), "", before, after)
    result = outcome(record, "die", slip, Proposed([proposal], 0.0))
    assert not any((*result.row, *result.restored))
    assert result.proposals == ((1, 1.0, True, False),)
    assert result.worse == (after > before)


def test_the_right_one_of_three_is_found_in_three() -> None:
    record = clean()
    slip = BY_NAME["die"].make(record, Random(1))
    assert slip is not None
    right, mistaken = knowing(record, slip)
    ranked = [mistaken._replace(rank=1), mistaken._replace(rank=2), right._replace(rank=3)]
    result = outcome(record, "die", slip, Proposed(ranked, 0.0))
    assert result.row == (False, True, True)
    assert result.restored == (False, True, True)


@pytest.mark.parametrize(
    ("other_rolls", "is_named"), [((("3-3", "6-6"),), True), ((("3-3",),), False), ((), False)]
)
def test_another_roll_restores_a_turn_that_is_lost_if_the_right_one_is_named_beside_it(
    other_rolls: tuple[tuple[str, ...], ...], is_named: bool
) -> None:
    record = clean()
    line = next(at for at, text in enumerate(record.lines) if text.startswith("  6) 66:"))
    danced = record.lines[line]
    slip = make_damage(record, record.with_line(line + 1, danced.replace("66:", "   ")))
    assert slip is not None
    lost = slip.lines[line]
    edit = Edit(line + 1, lost, danced.replace("66:", "63:"))
    proposal = Proposal(1, 1, "lost turn", 1.0, False, (edit,), "", 1, 0, other_rolls)
    result = outcome(record, "turn-lost", slip, Proposed([proposal], 0.0))
    assert set(result.restored) == {is_named}
    assert [right for *_, right in result.proposals] == [is_named]
    assert not any(result.restored_to_roll)


def test_a_roll_is_put_aside_at_the_turn_alone_for_which_it_is_named() -> None:
    record = clean()
    text = "\n".join(record.lines)
    elsewhere = text.replace("63: 24/15", "54: 24/15", 1).replace("66:", "63:")
    now, meant = (content(record, tuple(t.split("\n"))) for t in (elsewhere, text))
    assert not agrees(now, meant, [("6-6",)])
    assert agrees(now, meant, [("6-6",), ("6-3",)])


def test_what_a_proposal_promises_is_held_against_it() -> None:
    record = clean()
    slip = BY_NAME["die"].make(record, Random(1))
    assert slip is not None
    right, _ = knowing(record, slip)
    misplaced = right._replace(edits=(Edit(5, "what does not stand there", "x"),))
    for proposal in (right._replace(errors_after=7), misplaced):
        assert outcome(record, "die", slip, Proposed([proposal], 0.0)).unfit == 1


def test_edits_may_name_the_lines_of_the_file_under_repair() -> None:
    lines = ("a", "b", "b", "c d", "e")
    out, left, right = Edit(2, "b", None), Edit(3, "c d", "x d"), Edit(3, "x d", "x y")
    causes = [[_proposal(cause, edit)] for cause, edit in enumerate((out, left, right), 1)]
    causes.append([_proposal(4, Edit(5, "e", "f"))])
    placed = [first for [first] in in_the_file(lines, causes)]
    assert [placement.edits for placement in placed] == [
        (Edit(2, "b", None),),
        (Edit(4, "c d", "x d"),),
        (Edit(4, "c d", "c y"),),
        (Edit(5, "e", "f"),),
    ]
    assert placed[2].draft == ("a", "b", "x d", "e")
    assert placed[3].draft == lines
    edits = [edit for placement in placed for edit in placement.edits or ()]
    assert apply_edits(lines, edits) == ("a", "b", "x y", "f")


def _proposal(cause: int, edit: Edit) -> Proposal:
    return Proposal(cause, 1, "slip", 1.0, True, (edit,), "", 1, 0)


def test_edits_of_one_line_are_both_made() -> None:
    line = "  1) 31: 8/5 6/4                 42: 8/4 6/3"
    left, right = line.replace("6/4", "6/5"), line.replace("6/3", "6/4*")
    edits = [Edit(1, line, right), Edit(1, line, left)]
    assert apply_edits((line,), edits) == ("  1) 31: 8/5 6/5                 42: 8/4 6/4*",)


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(3, "c", "d")],
        [Edit(0, None, "d")],
        [Edit(1, "b", "d")],
        [Edit(1, "a", "d"), Edit(1, "a", "e")],
        [Edit(1, "a", "d"), Edit(1, "a", None)],
    ],
)
def test_edits_that_cannot_be_made(edits: list[Edit]) -> None:
    with pytest.raises(MisplacedEditError):
        apply_edits(("a", "b"), edits)


def test_a_line_can_be_put_in_at_the_end() -> None:
    assert apply_edits(("a",), [Edit(2, None, "b")]) == ("a", "b")


def test_what_a_record_says_is_free_of_its_spelling() -> None:
    record = clean()
    text = "\n".join(record.lines)
    respelled = text.replace("31: 8/5 6/5", "13: 6/5   8/5").replace("24/14", "24/20/14")
    assert respelled != text
    assert content(record, tuple(respelled.split("\n"))) == content(record, record.lines)
