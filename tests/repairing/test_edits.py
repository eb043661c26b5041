"""Edits: made on the bytes of a file, and undone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.repairing.applying import ChosenProposal, parse_number_of_proposal
from bganalyze.repairing.edits import EditError, apply_edits, edit_bytes, invert_edits, merge_edits
from bganalyze.repairing.phrases import replace_points
from bganalyze.validation.findings import Edit

LINES = st.lists(st.text(alphabet="ab \t", max_size=4), min_size=1, max_size=8)


@st.composite
def lines_and_edits(draw: st.DrawFn) -> tuple[list[str], tuple[Edit, ...]]:
    """Lines, and edits of some of them."""
    lines = draw(LINES)
    edits: list[Edit] = []
    for number, line in enumerate(lines, start=1):
        kind = draw(st.sampled_from(("keep", "keep", "change", "take out", "put in")))
        if kind == "change":
            edits.append(Edit(number, line, draw(st.text(alphabet="xy", max_size=3))))
        elif kind == "take out":
            edits.append(Edit(number, line, None))
        elif kind == "put in":
            edits.append(Edit(number, None, draw(st.text(alphabet="xy", max_size=3))))
    return lines, tuple(edits)


@given(lines_and_edits())
def test_an_edit_and_its_inverse_leave_the_lines_as_they_were(
    case: tuple[list[str], tuple[Edit, ...]],
) -> None:
    lines, edits = case
    assert apply_edits(apply_edits(lines, edits), invert_edits(edits)) == lines


@pytest.mark.slow
@given(lines_and_edits(), st.sampled_from(("\n", "\r\n", "\r")), st.booleans(), st.booleans())
def test_the_bytes_of_an_edited_file_are_those_of_its_edited_lines(
    case: tuple[list[str], tuple[Edit, ...]], end: str, is_marked: bool, is_ended: bool
) -> None:
    lines, edits = case
    lines = [*lines, ""] if is_ended else lines
    edits = (*edits, Edit(len(lines) + (not is_ended), None, "put in at the end"))
    encoding = "utf-8-sig" if is_marked else "utf-8"
    usual_end = end if len(lines) > 1 else "\n"
    data = end.join(lines).encode(encoding)
    expected = usual_end.join(apply_edits(lines, edits)).encode(encoding)
    assert edit_bytes(data, edits) == expected


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16", "utf-16-be"])
def test_an_edited_file_keeps_its_encoding(encoding: str) -> None:
    data = "Zoë : 0   Bob : 0\r\n  1) 31: 8/5 6/4\r\n".encode(encoding)
    repaired = edit_bytes(data, [Edit(2, "  1) 31: 8/5 6/4", "  1) 31: 8/5 6/5")])
    assert repaired == data.decode(encoding).replace("6/4", "6/5").encode(encoding)


def test_bytes_that_fit_no_encoding_stay_where_they_are() -> None:
    data = b"caf\xe9 \x81 one\ntwo"
    assert edit_bytes(data, [Edit(1, "caf\xe9 \x81 one", "caf\xe9 \x81 ONE")]) == (
        b"caf\xe9 \x81 ONE\ntwo"
    )


def test_a_file_that_ends_within_a_character_is_not_edited() -> None:
    data = "one\ntwo".encode("utf-16")
    assert edit_bytes(data, [Edit(1, "one", "1")])
    with pytest.raises(EditError):
        edit_bytes(data[:-1], [Edit(1, "one", "1")])


def test_a_last_line_without_an_end_stays_without_one() -> None:
    assert edit_bytes(b"one\r\ntwo", [Edit(3, None, "three")]) == b"one\r\ntwo\r\nthree"


@pytest.mark.parametrize(
    "edit", [Edit(1, "other", "new"), Edit(4, "three", None), Edit(0, None, "new")]
)
def test_an_edit_that_does_not_fit_is_refused(edit: Edit) -> None:
    with pytest.raises(EditError):
        apply_edits(["one", "two", "three"], [edit])


@pytest.mark.parametrize(
    ("line", "encoding"),
    [
        ("Иван Петров против Ольги Смирновой", "cp1251"),
        ("Иван Петров против Ольги Смирновой", "koi8-r"),
        ("望月正行 サトウ すずき", "cp932"),
        ("田中太郎 すずき", "euc_jp"),
        ("김철수 박영희 이민호", "cp949"),
        ("李小明 王娜", "gb18030"),
    ],
)
def test_a_file_keeps_its_encoding(line: str, encoding: str) -> None:
    lines = [line, f"one {line} two", line]
    data = "\r\n".join(lines).encode(encoding)
    edits = [Edit(2, lines[1], lines[1].replace("two", "2")), Edit(3, None, f"new {line}")]
    expected = [line, f"one {line} 2", f"new {line}", line]
    assert edit_bytes(data, edits) == "\r\n".join(expected).encode(encoding)


def test_a_character_with_two_spellings_keeps_its_own() -> None:
    line = "田中太郎 すずき".encode("cp932") + b"\xfa\x40 1)"  # As NEC's table has it: \xee\xef.
    decoded = line.decode("cp932")
    assert edit_bytes(line, [Edit(1, decoded, decoded.replace("1)", "2)"))]) == line[:-2] + b"2)"


def test_a_character_that_the_encoding_lacks_is_refused() -> None:
    with pytest.raises(EditError, match="'ő' cannot be written in the file's encoding, cp1252"):
        edit_bytes("Bodø".encode("cp1252"), [Edit(1, "Bodø", "Bodő")])


@pytest.mark.parametrize(("text", "cause", "rank"), [("2", 2, 1), ("2.3", 2, 3)])
def test_a_choice_without_a_rank_is_the_first(text: str, cause: int, rank: int) -> None:
    assert parse_number_of_proposal(text) == ChosenProposal(cause, rank)


def test_of_lines_put_in_at_one_place_the_later_ones_count() -> None:
    later = [Edit(3, None, "X"), Edit(3, None, "y")]
    assert merge_edits([[Edit(3, None, "x")], later]) == tuple(later)


def test_a_byte_that_is_no_text_stays_in_an_edited_line() -> None:
    edits = [Edit(2, "two\xff!", "2\xff!")]
    assert edit_bytes(b"one\r\ntwo\xff!\r\n", edits) == b"one\r\n2\xff!\r\n"


def test_a_digit_of_a_name_is_no_number_of_points() -> None:
    assert replace_points("ann2 wins 1 point", 1, 2) == "ann2 wins 2 point"
