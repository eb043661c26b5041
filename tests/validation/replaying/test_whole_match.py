"""Columns exchanged throughout a match are one error, though one of its games does not show it."""

from __future__ import annotations

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity

SHOWS_IT = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 42: 8/4 6/4                  31: 8/5 6/5
  2) 61: 13/7* 8/7                63: 24/18 13/10
  3) 53: 13/8 13/10                31: bar/22 6/5
  4) Doubles => 2                 21: 13/11 6/5
  5)                              Drops
      {wins}

"""

SHORT = """\
 Game 2
 Ann : 0                         Bob : 1
  1) 42: 8/4 6/4                  31: {steps}
  2) Drops                        Doubles => 2
      {wins}
"""

LEFT, RIGHT = "Wins 1 point", f"{'':27} Wins 1 point"


def errors(*, steps: str, wins: tuple[str, str]) -> list[Finding]:
    text = SHOWS_IT.format(wins=wins[0]) + SHORT.format(steps=steps, wins=wins[1])
    matches = read_bytes(text.encode(), "a.mat")
    return [found for found in check(matches) if found.severity is Severity.ERROR]


def test_columns_exchanged_in_a_match_are_one_error() -> None:
    for wins in ((LEFT, RIGHT), (RIGHT, LEFT)):
        [error] = errors(steps="8/5 6/5", wins=wins)
        assert (error.game, error.reading) == (1, "the columns of the whole game exchanged")


def test_an_error_that_the_columns_do_not_explain_is_reported() -> None:
    found = errors(steps="8/5 9/8", wins=(LEFT, RIGHT))
    assert ("P401", 2) in [(error.code, error.game) for error in found]
