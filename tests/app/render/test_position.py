"""One position for people."""

import pytest

from bganalyze.app.render.board import position_text
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.record.reader import read_bytes
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.places import parse_place, turn_at

RECORD = b"""\
 3 point match

 Game 1
 Alice : 0                          Bob : 0
  1) 31: 8/5 6/5                    65: 24/13
  2) 42: 8/4 6/4                    Doubles => 2
  3) Drops
                                    Wins 1 point
"""
(MATCH,) = read_bytes(RECORD, "a.mat")


def show_position(address: str, plays: int = 20) -> list[str]:
    turn = turn_at(replay(MATCH), parse_place(address))
    return "".join(position_text(turn, MATCH, plays, OutputOptions())).splitlines()


def test_a_roll() -> None:
    lines = show_position("1.1L")
    assert lines[0] == "a.mat:5:6: game 1, row 1, left: Alice to play 3-1"
    assert lines[1] == "  1) 31: 8/5 6/5                    65: 24/13"
    assert lines[2] == "○ Bob  167 pips  0 of 3"
    assert lines[17:21] == [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:3:10",
        "GNUbg ID 4HPwATDgc/ABMA:MIFlAAAAAAAE",
        "OGID=11ccccchhhjjjjj:66666888dddddoo:N0N:13:B:R:0:0:3",
        "16 legal plays",
    ]
    assert "  8/5 6/5" in lines
    assert len(lines) == 21 + 16


def test_the_list_of_plays_may_be_cut() -> None:
    assert show_position("1.1L", plays=3)[-1] == "  and 13 more"


@pytest.mark.parametrize(
    ("address", "about"),
    [("1.2R", "Bob about to double"), ("1.3L", "Alice to answer the double")],
)
def test_without_a_roll(address: str, about: str) -> None:
    lines = show_position(address)
    assert lines[0].endswith(about)
    assert lines[-1].startswith("OGID=")
