"""A small record of each online room."""

from __future__ import annotations

SGG = """\
bob vs. alice
Monday, January 5, 2004
GamesGrid
Match Length: 0
Variant: Nackgammon
Jacoby: Yes
Beavers: Yes
Doubling Cube: Yes
Game 1.0-0
11: Automatic double
1\t31:
1\t31:
1\t31: 8/5, 6/5
1\t31: 8/5, 6/5
1\t\t42:
1\t\t42: 8/4, 6/4
a remark
2\tDouble to 4
2\t\tBeaver to 8
2\t66: 24/18(2), 13/7(2)
3\t\t62: O-O
3\t -
4\t\t54: Resign
bob wins 16 points.
Game 2.16-0
"""

TMG = """\
MatchId: 100001
Player1: 11 alice 1000.00
Player2: 22 bob 1000.00
Jacoby: 1
Crawford: 0
Cube: 1
Length: 0
Variant: 1

Game 1: 0-0
  0 2 Automatic to 2
  1 1 31:
  1 4 8/5 6/5
 -1 1 42:
 -1 4 8/4 6/4
  2 5 Double to 4
 -2 8 Beaver to 8
  3 1 66:
  3 4 0/0
 -3 1 ?
 -3 17 bob out of time
  3 14 8 alice wins 8 points
"""

BGAMMON = """\
bgammon-replay 00000048
bgammon-replay 00000100
i 1702738670 ann bob 3 0 0 1 1 0
1 r 3-1 8/5 6/5
2 r 6-2 1/7 12/14
1 r 6-6
2 d 2 1
1 t
1 x
i 1702738671 ann bob 3 1 0 2 2 0
2 r 6-5 1/12
1 d 2 0
i 1702738672 ann bob 3 0 0 2 1 2
1 r 6-5 1/12
"""

BGROOM = """\
BGF version 1.2
Game 1 - alice (X) vs. bob (0)
Single game
1.X:(3 1)8/5 6/5
2.0:(6 6)24/18(2) 13/7(2)
3.X:Double
3.0:Beaver
4.0:can't say
5.X:(5 5)can't move
6.0:Resign
"""

BKG = """\
Black (3 1) 8-5,6-5
White (6 2) 1-7,12-14
Black Doubles        Accepted
Black (6 6)
White wins a gammon
Black (4 2) 8-4,6-4
"""

EMPIRE = """\
alice bob
 1) 31: 8/5 6/5                   42: 8/4 6/4
 2) Double                        Take
 3) 66: 24/18(2) 13/7(2)          Drop
Resign
Win 2
alice bob
 1)                               31: 8/5 6/5
"""

PARTY = """\
BOARDID=1
CREATOR=alice
MATCHLENGTH=3
GAME_1_PLAYER_1=alice
GAME_1_PLAYER_2=bob
GAME_1_GAMEPLAY=1 a b 31 8/5 6/5#2 a b 66 24/18 24/18 13/7 13/7#1Double#2Take#1 dances#2 a b 11
GAME_1_SCORE1=0
GAME_1_SCORE2=2
GAME_2_GAMEPLAY=
"""

FIBS_BOARD = (
    "board:ann:bob:3:{scores}:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":{turn}:{dice}:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)

FIBS_LOG = f"""\
** Please type 'toggle telnet' if you use a normal telnet program.
cleo and dario start a 1 point match.
ann and bob start a 3 point match.
Starting a new game with bob.
ann rolled 3, bob rolled 1
ann makes the first move.
{FIBS_BOARD.format(scores="0:0", turn=1, dice="3:1:0:0")}
13 dorbel bob doubles often.
ann moves 8-5 6-5 .
bob rolls 6 and 2.
bob moves 1-7 12-14 .
ann doubles.
bob gives up. ann wins 1 point.
Starting a new game with bob.
bob makes the first move.
{FIBS_BOARD.format(scores="1:0", turn=-1, dice="0:0:6:5")}
bob wants to resign. ann will win 2 points.
ann rejects. The game continues.
bob moves 1-12 .
ann rolls 1 and 1.
ann can't move.
bob rolls 6 and 6.
bob wants to resign. ann will win 3 points.
ann accepts and wins 3 points.
"""
