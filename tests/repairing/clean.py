"""A small clean match with something for most kinds of slips: hits, a dance, the cube, two results."""

from __future__ import annotations

from tests.faults.record import Record, open_record

MATCH = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 42: 8/4 6/4
  2) 65: 24/13                   61: 13/7 8/7
  3) 64: 24/14                   52: 13/11* 13/8
  4) 43: bar/22 13/9              Doubles => 2
  5)  Takes                      31: 6/3* 4/3
  6) 66:                         63: 24/15
  7) 21: bar/23 6/5              54: 13/4
      Wins 2 points

 Game 2
 Ann : 2                         Bob : 0
  1)                             21: 13/11 6/5
  2) 41: 24/23 13/9              63: 24/15
  3) 32: 13/11 13/10*            51: bar/20 6/5
  4)  Doubles => 2                Drops
      Wins 1 point

 Game 3
 Ann : 3                         Bob : 0
  1) 61: 13/7 8/7                41: 24/23 13/9
  2) 52: 13/8 13/11              62: 24/22 13/7
  3) 31: 8/5 6/5                 32: 13/11 13/10
                                  Wins 1 point
"""


def clean(text: str = MATCH) -> Record:
    """Return the match, read and replayed."""
    record = open_record("match.mat", text.encode())
    assert record is not None
    return record
