"""What headers say of a match: a file of each format with options that are seldom met."""

from __future__ import annotations

import pytest

from bganalyze.record.reader import read_bytes

TMG = """\
Player1: 11 alice 1000.00
Player2: 22 bob 1000.00
{options}

Game 1: 0-0
  1 1 31:
  1 4 8/5 6/5
"""
SGG = """\
bob vs. alice
GamesGrid
{options}
Game 1.0-0
1	31: 8/5 6/5
"""
BGAMMON = "bgammon-replay 00000048\ni {options} 1 1 0\n1 r 6-5 24/18 18/13\n"
SGF = "(;FF[4]GM[6]PW[ann]PB[bob]{options};W[31hefe])\n"
MAT = "{options}\n Game 1\n ann : 0        bob : 0\n 1) 31: 8/5 6/5\n"

HEADERS = [
    (TMG, "Length: 5\nVariant: 2\nCube: 0", 5, "Variation=Nackgammon CubeLimit=1"),
    (TMG, "Length: 0\nVariant: 1\nCube: 1\nJacoby: 1\nBeavers: 0", 0, "Jacoby=On Beaver=Off"),
    (TMG, "Length: 3\nCube: 2\nVariant: 3\nCrawford: maybe", 3, "Cube=2 Variant=3 Crawford=maybe"),
    (TMG, "Length: three\nStartdate: 2031-05-17", None, "Length=three EventDate=2031-05-17"),
    (SGG, "Match Length: 5\nDoubling Cube: No", 5, "CubeLimit=1"),
    (SGG, "Match Length: Unlimited\nDoubling Cube: Yes\nJacoby: Yes", 0, "Jacoby=Yes"),
    (SGG, "Match Length: 5\nDoubling Cube: Red\nBeavers: No", 5, "Doubling Cube=Red Beaver=No"),
    (SGG, "Saturday, May 17, 2031\nMatch Length: 9", 9, "EventDate=Saturday, May 17, 2031"),
    (BGAMMON, "1936773000 ann bob 3 0 0", 3, "EventDate=2031.05.17 EventTime=08.30"),
    (SGF, "MI[length:5][game:0]EV[Cup]RO[2]PC[Club]", 5, "Event=Cup Round=2 Site=Club"),
    (SGF, "AN[Kay]WR[1.0]BR[2]", None, "Transcriber=Kay Rating left=1.0 Rating right=2"),
    (SGF, "MI[length:3][game:0]XH[Stake=1=2][Hall=A]", 3, "Stake=1=2 Hall=A"),
    (SGF, "RU[NoCube:Crawford]KO[x]", None, "CubeLimit=1 KO=x"),
    (SGF, "MI[length:1][game:0]RU[Nackgammon]", 1, "Crawford=Off Variation=Nackgammon"),
    (SGF, "MI[length:0][game:0]RU[Jacoby]", 0, "Jacoby=On"),
    (MAT, '; [Event "Cup"]\n; [CubeLimit "1"]\n\n 3 point match\n', 3, "Event=Cup CubeLimit=1"),
]


@pytest.mark.parametrize(("form", "options", "length", "tags"), HEADERS)
def test_a_header_says_length_and_tags(
    form: str, options: str, length: int | None, tags: str
) -> None:
    (match,) = read_bytes(form.format(options=options).encode(), "a.txt")
    written = " ".join(f"{tag.key}={tag.value}" for tag in match.tags)
    assert (match.length and match.length.points, written) == (length, tags)
