"""Repairs that are made: what they leave of records with slips in them."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from bganalyze.board.rule_book import BASIC
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.applying import (
    ChosenProposal,
    RepairedFile,
    apply_chosen,
    apply_repairs,
    find_prerequisites,
    find_proposal,
)
from bganalyze.repairing.edits import edit_bytes, merge_edits
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Edit, Proposal
from tests.faults.catalog import BY_NAME, REPAIRED, Fault
from tests.faults.record import Record, open_record
from tests.repairing.clean import MATCH, clean

SAMPLES = Path(__file__).parents[2] / "samples" / "clean"

SEED = 1


def find_causes(data: bytes) -> list[RepairableFinding]:
    """Return the causes of a record, with all plays held alike."""
    return find_repairs_in_file(data, "match.mat", BASIC, rate_plays_by_appearance)


def repair_with(data: bytes, *choices: ChosenProposal) -> RepairedFile:
    """Return a record with what is proved or chosen."""
    return apply_repairs(
        read_file_to_repair(data, "match.mat", BASIC),
        find_causes(data),
        rate_plays_by_appearance,
        choices,
    )


def make_slip(record: Record, kind: Fault, seed: int) -> bytes | None:
    """Return the bytes of a record with a slip in it; None where there is no place for one."""
    slip = kind.make(record, Random(seed))
    return None if slip is None else record.encoded(slip.lines)


@pytest.mark.slow
@pytest.mark.parametrize("kind", REPAIRED[::3], ids=lambda kind: kind.name)
def test_a_repair_leaves_no_more_errors_and_nothing_to_repair(kind: Fault) -> None:
    text = MATCH.replace("Ann", "Zoë").replace("\n", "\r\n")
    record = open_record("match.mat", text.encode("cp1252"))
    assert record is not None
    data = make_slip(record, kind, SEED)
    if data is None:
        return
    result = repair_with(data)
    assert result.errors_after <= result.errors_before
    assert result.errors_after == len(read_file_to_repair(result.data, "match.mat", BASIC).errors)
    second_result = repair_with(result.data)
    assert (second_result.data, second_result.made) == (result.data, ())
    causes = find_causes(data)
    edits = merge_edits(find_proposal(causes, repair).edits for repair in result.made)
    if not result.later:
        assert result.data == edit_bytes(data, edits)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [11, 23, 24])
def test_every_proposal_leaves_the_errors_that_it_promises(seed: int) -> None:
    """Behind the part of the game on which it is tried, too."""
    record = open_record("match.mat", (SAMPLES / "short-match.mat").read_bytes())
    assert record is not None
    data = make_slip(record, BY_NAME["turn-lost"], seed)
    assert data is not None
    first, *_ = find_causes(data)
    assert len(first.proposals) > 1
    for proposal in first.proposals:
        left = read_file_to_repair(edit_bytes(data, proposal.edits), "match.mat", BASIC).errors
        assert len(left) == proposal.errors_after <= proposal.errors_before


def test_a_clean_record_stays_as_it_is() -> None:
    data = clean().encoded(clean().lines)
    assert repair_with(data) == RepairedFile(data, 0)


ONE_DIE = MATCH.replace("31: 8/5 6/5 ", "71: 8/5 6/5 ", 1)
TWO_DICE = ONE_DIE.replace("61: 13/7 8/7", "91: 13/7 8/7", 1)


@pytest.mark.slow
def test_each_choice_is_made_alone() -> None:
    causes = find_causes(TWO_DICE.encode())
    assert len(causes) == 2
    for number, cause in enumerate(causes, start=1):
        result = repair_with(TWO_DICE.encode(), ChosenProposal(number))
        assert ChosenProposal(number) in result.made
        edited = edit_bytes(TWO_DICE.encode(), cause.proposals[0].edits)
        assert edited == result.data or len(result.made) == 2


def test_what_is_chosen_takes_the_place_of_what_is_proved() -> None:
    data = ONE_DIE.encode()
    (cause,) = find_causes(data)
    for rank, proposal in enumerate(cause.proposals, start=1):
        result = repair_with(data, ChosenProposal(1, rank))
        assert (result.made, result.left_out) == ((ChosenProposal(1, rank),), ())
        assert result.data == edit_bytes(data, proposal.edits)


@pytest.mark.slow
def test_a_repair_of_a_line_goes_on_from_an_earlier_one_of_the_same_line() -> None:
    data = MATCH.replace(
        "31: 8/5 6/5                 42", "71: 8/5 6/5                 92"
    ).encode()
    causes = find_causes(data)
    assert len(causes) == 2
    assert find_prerequisites(causes, ChosenProposal(2)) == {ChosenProposal(1)}
    assert find_prerequisites(causes, ChosenProposal(1)) == set()


GAME_LINE, SCORE_LINE = " Game 2", " Ann : 2                         Bob : 0"
HEADER_LOST = MATCH.replace(f"{GAME_LINE}\n{SCORE_LINE}\n", "").encode()
PLACE = MATCH[: MATCH.index(GAME_LINE)].count("\n") + 1
HEADER = (Edit(PLACE, None, GAME_LINE), Edit(PLACE, None, SCORE_LINE))


def test_a_line_put_in_is_put_in_once_where_a_later_repair_changes_it() -> None:
    draft = read_file_to_repair(HEADER_LOST, "match.mat", BASIC)
    wrong_score = SCORE_LINE.replace("2", "3")
    put_in = (HEADER[0], Edit(PLACE, None, wrong_score))
    change_of_both = draft.with_edits(put_in).translate_to_source(
        (Edit(PLACE + 1, wrong_score, SCORE_LINE),)
    )
    causes = [
        RepairableFinding(
            draft.errors[0],
            (Proposal("header", "", tuple(edits), 0.6, False, PLACE, None, None, 1, 0),),
            frozenset(),
        )
        for edits in (put_in, change_of_both)
    ]
    assert causes[1].proposals[0].edits == HEADER
    result = apply_chosen(draft, causes, (ChosenProposal(1), ChosenProposal(2)))
    assert (result.data, result.left_out) == (MATCH.encode(), ())
    alone = apply_chosen(draft, causes, (ChosenProposal(2),))
    assert (alone.data, alone.left_out) == (HEADER_LOST, (ChosenProposal(2),))


def test_lines_put_in_at_one_place_by_two_repairs_are_put_in_together() -> None:
    draft = read_file_to_repair(HEADER_LOST, "match.mat", BASIC)
    later = draft.with_edits(HEADER[:1])
    edits = tuple(later.translate_to_source((Edit(PLACE + 1, None, SCORE_LINE),)))
    assert edits == HEADER
    assert edit_bytes(HEADER_LOST, merge_edits([HEADER[:1], edits])) == MATCH.encode()


def test_a_repair_that_takes_out_what_another_has_put_in_is_known() -> None:
    later = read_file_to_repair(HEADER_LOST, "match.mat", BASIC).with_edits(HEADER)
    assert later.deletes_inserted_line((Edit(PLACE, GAME_LINE, None),))
    assert not later.deletes_inserted_line((Edit(PLACE + 2, later.lines[PLACE + 1], None),))


def blank_plays(text: str, count: int) -> tuple[str, set[int]]:
    """Empty the left plays of the last rows of the last game but one; return the text and the lines."""
    lines = text.split("\n")
    end = max(at for at, line in enumerate(lines) if "Wins" in line)
    played = [at for at in range(end) if re.match(r" *\d+\) \d\d: \S", lines[at])]
    blanked = played[-count - 1 : -1]
    for at in blanked:
        cell = re.match(r" *\d+\) \d\d:(?P<steps> .*?)(?=  |$)", lines[at])
        assert cell is not None
        start, stop = cell.span("steps")
        lines[at] = lines[at][:start] + " " * (stop - start) + lines[at][stop:]
    return "\n".join(lines), {at + 1 for at in blanked}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "count"),
    [("gnubg.mat", 5), ("nackgammon.mat", 3), ("short-match.mat", 3), ("xg-mat.mat", 5)],
)
def test_chosen_repairs_that_contradict_each_other_are_left_out(name: str, count: int) -> None:
    """Each empty cell gets a play that helps alone; together, two may move the same checker."""
    text, blanked = blank_plays((SAMPLES / name).read_text(encoding="utf-8"), count)
    causes = find_causes(text.encode())
    result = repair_with(text.encode(), *(ChosenProposal(n) for n in range(1, len(causes) + 1)))
    assert result.made
    errors = [one for one in check(read_bytes(result.data, name)) if one.severity == "error"]
    left = {one.code for one in errors if one.line in blanked}
    assert left <= {"P411"}  # Cells that stay empty; no play that was written is illegal.
