"""From the errors of a record to the slips behind them."""

from __future__ import annotations

from bganalyze.repair.edits import edited_bytes
from bganalyze.repair.search import causes_of

HEAD = " 5 point match\n\n Game 1\n Ann : 0                          Bob : 0\n"


def record(*rows: str) -> bytes:
    """A match of one game."""
    numbered = (f"{number:3}) {row}\n" for number, row in enumerate(rows, start=1))
    return (HEAD + "".join(numbered)).encode()


def test_a_die_misread_is_proposed_where_the_steps_were_played() -> None:
    data = record("31: 8/5 6/5                 62: 24/18 13/10", "41: 13/9 24/23")
    (cause,) = causes_of(data, "a.mat")
    messages = [proposal.message for proposal in cause.proposals]
    assert "62: 24/18 13/10 → 63: 24/18 13/10" in messages
    assert "62: 24/18 13/10 → 62: 24/18 13/11" in messages


def test_a_legal_but_wrong_play_is_looked_for_before_the_fault() -> None:
    rows = (
        "31: 8/5 6/5                 62: 24/18 13/11",
        "41: 13/9 24/23              52: 18/13 13/11",
        "61: 13/7 8/7                43: 13/10 13/9",
    )
    assert causes_of(record(*rows), "a.mat") == []
    slipped = record(rows[0].replace("24/18", "13/7 "), *rows[1:])
    (cause,) = causes_of(slipped, "a.mat")
    assert cause.finding.line == 6
    mended = [edited_bytes(slipped, proposal.edits) for proposal in cause.proposals]
    assert record(*rows) in mended
