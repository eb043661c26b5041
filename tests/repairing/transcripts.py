"""Small records, and what a repair leaves of them."""

from __future__ import annotations

from collections.abc import Sequence

from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.search import find_repairs_in_file

HEAD = " 5 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"

ROWS = (
    "31: 24/23 6/3               41: 8/7 8/4",
    "54: 23/18* 8/4              43: bar/22* 13/9",
    "52: bar/23 8/3*             32: bar/22*/20",
    "51: bar/24 18/13            65: 20/14 13/8",
    "31: 8/7 6/3                 61: 13/7 9/8",
    "54: 24/15                   43: 24/21* 8/4",
    "65: bar/14                  54: 24/20 7/2*",
    "53: bar/20 14/11*           51: bar/24 21/16",
)
"""A game without a fault."""


def row(left: str, right: str = "") -> str:
    """Return two cells in their columns."""
    return f"{left:28}{right}".rstrip()


def cells(text: str) -> tuple[str, str]:
    """Return the texts of the two cells of a row."""
    return text[:28].rstrip(), text[28:]


def record(*rows: str) -> bytes:
    """Return a match of one game."""
    numbered = (f"{number:3}) {text}\n" for number, text in enumerate(rows, start=1))
    return (HEAD + "".join(numbered)).encode()


def with_rows(at: int, *rows: str, instead_of: int | None = None) -> bytes:
    """Return the game with rows inserted at an index, in place of `instead_of` rows or of as many."""
    replaced = len(rows) if instead_of is None else instead_of
    return record(*ROWS[:at], *rows, *ROWS[at + replaced :])


def repair_bytes(data: bytes, path: str = "a.mat") -> list[bytes]:
    """Return the record after each proposal for the first cause, likeliest first."""
    causes = find_repairs_in_file(data, path)
    return [edit_bytes(data, proposal.edits) for proposal in causes[0].proposals]


def messages(data: bytes) -> Sequence[str]:
    """Return the messages of the proposals for the first cause, likeliest first."""
    return [proposal.message for proposal in find_repairs_in_file(data, "a.mat")[0].proposals]
