"""In a text that was cleaned, the same slips are proposed, and edited in the file as it is."""

from __future__ import annotations

from functools import cache

import pytest

import bganalyze
from bganalyze.record.reader import clean_text
from bganalyze.repairing.cleaned import LINES_ARE_WRAPPED
from bganalyze.validation.findings import Edit
from tests.pasting import FORMS, PAIRS, paste, wrap_lines
from tests.repairing.clean import MATCH

SLIPS = {
    "a step": ("65: 24/13 ", "65: 24/12 "),
    "an unreadable play": ("54: 13/4", "54: 13/x"),
    "a score": ("Ann : 3 ", "Ann : 4 "),
    "a missing line": (" Game 2\n", ""),
    "an answer": (" Drops\n", " Takes\n"),
}


NO_ROOM = ("line separators", "line numbers", "boxed", "string of a script", "strings of a script")
"""Forms in which a line that is put in would lack what the others have around their words."""

OTHER_LINES = ("page numbers", "answers between quotes", "blank lines between")
"""Forms that put lines between the others, so that a line more moves them."""

OWN_STYLE = ("typed rows",)
"""Forms whose cells are spelled in a way in which no edit is written."""

ACROSS_LINES = (
    "boxed + wrapped at 50",
    "blanks doubled + wrapped at 50",
    "line separators + wrapped at 60",
    "string of a script + wrapped at 60",
)
"""Forms whose rows go over several lines, so that no edit of one line has the effect meant."""

IN_CELLS = ("a step", "an unreadable play")


def words(text: str) -> list[list[str]]:
    """Return the words of the lines of a text, cleaned."""
    return [line.split() for line in clean_text(text, "a.mat").text.split("\n")]


@cache
def first_repair(text: str) -> tuple[list[tuple[str, bool]], str]:
    """Return the proposals for the first cause, and the file after the first proposal."""
    result = bganalyze.repair(text.encode(), name="a.mat")
    cause = result.causes[0]
    repaired = result.apply(["1"]) if cause.proposals[0].edits else None
    proposals = [(proposal.message, proposal.proved) for proposal in cause.proposals]
    return proposals, text if repaired is None else repaired.data.decode()


def choose_two(number: int) -> tuple[str, str]:
    """Return two slips, which differ from those of the next numbers."""
    slips = tuple(SLIPS)
    return slips[number % len(slips)], slips[(number + 2) % len(slips)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "slip"),
    [
        (form, slip)
        for number, form in enumerate((*FORMS, *PAIRS))
        for slip in (SLIPS if form in FORMS else choose_two(number))
        if form not in ACROSS_LINES
        if slip not in IN_CELLS or {*form.split(" + ")}.isdisjoint(OWN_STYLE)
        if slip != "a missing line" or {*form.split(" + ")}.isdisjoint((*NO_ROOM, *OTHER_LINES))
    ],
)
def test_the_same_is_proposed_and_edited(form: str, slip: str) -> None:
    faulty = MATCH.replace(*SLIPS[slip], 1)
    assert faulty != MATCH
    damaged = paste(faulty, form)
    usual_proposals, usual = first_repair(faulty)
    proposals, repaired = first_repair(damaged)
    ((message, proved), *_), ((usual_message, usual_proved), *_) = proposals, usual_proposals
    assert message == usual_message
    cleaned = clean_text(damaged, "a.mat")
    is_inferred = cleaned.has_inferred_columns or cleaned.has_joined_lines
    assert proved is (usual_proved and not is_inferred)
    assert words(repaired) == words(paste(usual, form))


@pytest.mark.slow
@pytest.mark.parametrize("slip", IN_CELLS)
@pytest.mark.parametrize("form", [*OWN_STYLE, *ACROSS_LINES])
def test_nothing_is_proved_where_no_edit_of_a_line_has_its_effect(form: str, slip: str) -> None:
    damaged = paste(MATCH.replace(*SLIPS[slip], 1), form)
    causes = bganalyze.repair(damaged.encode(), name="a.mat").causes
    assert causes
    assert not any(proposal.proved for cause in causes for proposal in cause.proposals)


@pytest.mark.parametrize("form", NO_ROOM)
def test_where_a_line_cannot_be_put_in_no_edit_is_proposed(form: str) -> None:
    damaged = paste(MATCH.replace(*SLIPS["a missing line"], 1), form)
    cause, *_ = bganalyze.repair(damaged.encode(), name="a.mat").causes
    assert not any(proposal.edits for proposal in cause.proposals)


def test_an_edit_keeps_what_was_cleaned_away_beside_it() -> None:
    faulty = MATCH.replace("65: 24/13 ", "65: 24/12 ", 1)
    quoted = paste(faulty, "non-breaking spaces in runs + mail quotes")
    _, repaired = first_repair(quoted)
    changed = [
        pair
        for pair in zip(quoted.split("\n"), repaired.split("\n"), strict=True)
        if pair[0] != pair[1]
    ]
    ((before, after),) = changed
    assert after == before.replace("24/12", "24/13")
    assert before.startswith("> ")


@pytest.mark.parametrize("form", ["", "mail quotes"])
def test_a_finding_below_an_inserted_line_keeps_its_own_line(form: str) -> None:
    faulty = MATCH.replace(" Game 2\n", "", 1).replace("61: 13/7 8/7 ", "61: 13/7 9/8 ", 1)
    lines = faulty.split("\n")
    text = paste(faulty, form) if form else faulty
    causes = bganalyze.repair(text.encode(), name="a.mat").causes
    (line,) = (cause.finding.line for cause in causes if cause.finding.code == "P401")
    assert "9/8" in lines[line - 1]


def test_a_finding_in_the_last_line_below_an_inserted_line_has_a_place() -> None:
    faulty = MATCH.replace(" Game 2\n", "", 1).rstrip("\n").replace("Wins 1 point", "Wins 3 point")
    text = paste(faulty, "mail quotes")
    last = text.count("\n") + 1
    causes = bganalyze.repair(text.encode(), name="a.mat").causes
    assert causes
    assert all(0 < cause.finding.line <= last for cause in causes)


@pytest.mark.parametrize("slip", [("65: 24/13 ", "75: 24/13 "), ("Wins 1 point", "Wins 2 points")])
@pytest.mark.parametrize("quoted", [False, True])
def test_nothing_is_proved_in_a_text_with_joined_lines(
    slip: tuple[str, str], *, quoted: bool
) -> None:
    faulty = MATCH.replace(*slip, 1)
    damaged = wrap_lines(paste(faulty, "mail quotes") if quoted else faulty, 42)
    assert clean_text(damaged, "a.mat").has_joined_lines
    assert any(proved for _, proved in first_repair(faulty)[0])
    causes = bganalyze.repair(damaged.encode(), name="a.mat").causes
    proposals = [proposal for cause in causes for proposal in cause.proposals]
    assert {proposal.proved for proposal in proposals} == {False}
    assert LINES_ARE_WRAPPED in [proposal.doubt for proposal in proposals]


def test_an_edit_of_a_wrapped_row_replaces_its_first_line_and_deletes_the_other() -> None:
    text = wrap_lines(MATCH.replace("65: 24/13 ", "65: 24/12 ", 1), 42)
    cause, *_ = bganalyze.repair(text.encode(), name="a.mat").causes
    number = next(n for n, line in enumerate(text.split("\n"), 1) if "24/12" in line)
    begin = " " * 19 + "61: 13/7"
    assert cause.proposals[0].edits == (
        Edit(number, f"  2) 65: 24/12{begin}", f"  2) 65: 24/13{begin} 8/7"),
        Edit(number + 1, "8/7", None),
    )
