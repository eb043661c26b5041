"""A habit of the transcriber throughout a match is one finding, at its first place."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding

GAME = """\
 Game {number}
 Ann : 0                         Bob : {bob}
  1) 31: 8/5 6/5                  Doubles => {value}
  2) Drops
                                  Wins 1 point

"""

PLAYS = """\
 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5{0} 6/5{0}                  42: 8/4{0} 6/4{0}
  2) 61: 13/7{0} 8/7{0}                 53: 8/3{0} 6/3{1}
"""


def find_findings(text: str, code: str) -> list[Finding]:
    matches = read_bytes(f" 5 point match\n\n{text}".encode(), "a.mat")
    return [finding for finding in check(matches) if finding.code == code]


def of_values(*values: int) -> list[Finding]:
    games = (
        GAME.format(number=number, bob=number - 1, value=value)
        for number, value in enumerate(values, start=1)
    )
    return find_findings("".join(games), "C505")


def test_stakes_written_instead_of_values_are_one_error() -> None:
    [finding] = of_values(1, 1, 1)
    assert (finding.game, finding.consequences) == (1, 2)
    assert finding.reading == "the value before the double written for that after it"
    assert [conflict.line for conflict in finding.evidence.by] == [11, 17]


def test_wrong_values_beside_right_ones_are_errors_of_their_own() -> None:
    assert len(of_values(1, 2, 1)) == 2
    assert len(of_values(1, 4, 1)) == 3


def test_a_mark_at_every_step_is_one_warning() -> None:
    [finding] = find_findings(PLAYS.format("*", "*"), "T109")
    assert finding.consequences == 3


def test_marks_at_most_steps_are_warnings_of_their_own() -> None:
    assert len(find_findings(PLAYS.format("*", ""), "T109")) == 4
