"""A match whose first game has a disputed result: by its plays Ann won, but it is written for Bob.

As recorded Bob wins the match, 2-3. If game 1 counts as its plays say, Ann wins it, 3-1, game 4 would
be the Crawford game, and game 5 is not needed. In game 4 Ann doubles.
"""

from __future__ import annotations

DISPUTED = """\
; [Position "Ann has one checker left on 1, Bob two on 6"]
 3 point match

 Game 1
 Ann : 0                         Bob : 0
; Set Pos=------B-----------------a-/0
  1) 31: 1/off
                                  Wins 1 point

 Game 2
 Ann : 0                         Bob : 1
  1) 31: 8/5 6/5                   Doubles => 2
  2)  Drops                        Wins 1 point

 Game 3
 Ann : 0                         Bob : 2
  1) 31: 8/5 6/5                  65: 24/13
      Wins 1 point

 Game 4
 Ann : 1                         Bob : 2
  1)                              31: 8/5 6/5
  2)  Doubles => 2                 Drops
      Wins 1 point

 Game 5
 Ann : 2                         Bob : 2
  1) 31: 8/5 6/5                  65: 24/13
                                  Wins 1 point and the match
"""

RESULT_LINE, NEXT_SCORE_LINE, DOUBLE_LINE = 8, 11, 23
"""Lines of the disputed result, of the score after it, and of the double in game 4."""
