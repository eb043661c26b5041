"""Constructs written by online servers."""

from __future__ import annotations

from tests.constructs.repeated import Text, once, repeat_numbered, with_many

MOVES = "Score is 0-0 in a 5 point match.\nann is X - bob is O\n"
FIBS: dict[str, Text] = {
    "games": once("", MOVES + "X: (3 1) 24-23 13-10\n"),
    "plays": once(MOVES, "X: (3 1) 24-23 13-10\nO: (4 2) 1-3 12-16\n"),
    "steps": once(MOVES + "X: (3 1)", " 24-23", "\n"),
    "dances": once(MOVES, "X: (3 1) can't move\n"),
    "doubles": once(MOVES + "X: (3 1) 24-23\n", "O: doubles\nX: accepts\n"),
    "rejections": once(MOVES, "O: doubles\nX: rejects\n"),
    "resignations": once(MOVES, "X: wants to resign. O will win 1 point.\n"),
    "resignations refused": once(MOVES, "X: wants to resign.\nO: rejects\n"),
    "wins": once(MOVES, "X: wins 1 point\n"),
    "wins and games": once("", MOVES + "X: wins 1 point\n"),
    "scores": once(MOVES, "Score is 0-0\n"),
    "names": once(MOVES, "ann is X - bob is O\n"),
    "text": once(MOVES, "some text\n"),
    "text and lists": once(MOVES + "some text\n", " 1 a list\n"),
    "blanks": once(MOVES + "X: (", " ", "x\n"),
    "blank lines": once(MOVES, "\n"),
    "text above": once("", "some text\n", MOVES + "X: (3 1) 24-23\n"),
    "text between scores and names": once(
        MOVES + "X: (3 1) 24-23\n",
        MOVES.replace("\n", "\nX: foo\nfoo\n", 1).replace("is O", "is O."),
    ),
    "actions with stops": once(
        MOVES, "O: doubles.\nX: rejects.\nX: accepts.\nX: (3 1) can't move.\n X: foo\n"
    ),
    "letters": once(MOVES, "x", "\n"),
    "dashes": once(MOVES + "X: (3 1) ", "-", "\n"),
}
ROLLED = "ann rolls 3 and 1\nann moves 24-23 13-10 .\n"
BOARD = (
    "board:You:ann:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0"
    ":1:-1:0:25:0:0:0:0:0:0:0:0\n"
)
STARTED = "ann and bob start a 5 point match.\n"
FIBS_LOG: dict[str, Text] = {
    "matches": once("", STARTED + ROLLED),
    "games": once(STARTED, "Starting a new game with bob\n" + ROLLED),
    "resumed": once("", "ann and bob are resuming their 5-point match\n" + ROLLED),
    "scores": once(STARTED, "score in 5 point match: ann-1 bob-0\n", ROLLED),
    "scores of others": repeat_numbered(STARTED, "score in 5 point match: a{n}-1 b{n}-0\n", ROLLED),
    "openings": once(STARTED, "ann rolled 3, bob rolled 1\nann makes the first move.\n", ROLLED),
    "rolls": once(STARTED, "ann rolls 3 and 1\n"),
    "plays": once(STARTED, ROLLED + ROLLED.replace("ann", "bob")),
    "steps": once(STARTED + "ann rolls 3 and 1\nann moves", " 24-23", " .\n"),
    "dances": once(STARTED, "ann rolls 3 and 1\nann can't move.\n"),
    "doubles": once(STARTED + ROLLED, "bob doubles.\nann accepts the double.\n"),
    "resignations": once(STARTED + ROLLED, "bob wants to resign.\nann rejects.\n"),
    "giving up": once(STARTED + ROLLED, "bob gives up. ann wins 1 point.\n"),
    "wins": once(STARTED + ROLLED, "ann wins the game and gets 1 point.\n"),
    "boards": once(STARTED, BOARD),
    "boards and rolls": once(STARTED, BOARD + ROLLED),
    "boards with more fields": once(STARTED, BOARD.replace("\n", ":0\n")),
    "broken boards": once(STARTED + ROLLED, "board:x\n"),
    "unlimited matches": once("", "ann and bob start an unlimited match.\n" + ROLLED),
    "unlimited scores": once(STARTED, "score in unlimited match: ann-1 bob-0.\n", ROLLED),
    "games and blanks": once(STARTED, "Starting a new game with bob \n" + ROLLED),
    "plays without rolls": once(
        STARTED + ROLLED, "ann moves 24-23 .\nann can't move.\nann makes the first move.\n"
    ),
    "text within turns": once(
        STARTED,
        "ann rolled 3, bob rolled 1.\nhello\nann makes the first move.\n"
        "ann rolls 3 and 1.\nhello\nann moves 24-23 13-10 .\n",
    ),
    "words behind actions": once(
        STARTED + ROLLED,
        "bob doubles. well\nbob wants to resign. ann will win 2 points.\nann rejects. well\n",
    ),
    "a long board": once(STARTED + ROLLED + "board:", "a:", "\n"),
    "text": once(STARTED + ROLLED, "said: hello\n"),
    "letters": once(STARTED + ROLLED, "x", "\n"),
    "dashes": once(STARTED + ROLLED + "score in 5 point match: ", "-1", "\n"),
    "blanks": once(STARTED + ROLLED + "ann doubles", " ", "x\n"),
}

SGG_HEAD = "bob vs. alice\nGamesGrid\nMatch Length: 5\nGame 1.0-0\n"
TMG_HEAD = (
    "MatchId: 1\nPlayer1: 11 alice 1000.00\nPlayer2: 22 bob 1000.00\nLength: 5\n\nGame 1: 0-0\n"
)
BGAMMON_HEAD = "bgammon-replay 00000048\ni 1702738670 ann bob 3 0 0 1 1 0\n"
BGROOM_HEAD = "BGF version 1.2\nGame 1 - alice (X) vs. bob (0)\n"
BKG_HEAD = "Black (3 1) 8-5,6-5\n"
EMPIRE_HEAD = "alice bob\n 1) 31: 8/5 6/5                   42: 8/4 6/4\n"
PARTY_HEAD = "BOARDID=1\nMATCHLENGTH=3\nGAME_1_PLAYER_1=alice\nGAME_1_PLAYER_2=bob\n"
ROOMS: dict[str, Text] = {
    "sgg matches": once("", SGG_HEAD + "1\t31: 8/5 6/5\n"),
    "sgg games": repeat_numbered(SGG_HEAD, "Game {n}.0-0\n1\t31: 8/5 6/5\n"),
    "sgg options": once("bob vs. alice\n", "Jacoby: Yes\n", SGG_HEAD + "1\t31: 8/5 6/5\n"),
    "sgg rows": once(SGG_HEAD, "1\t31: 8/5 6/5\n1\t\t42: 8/4 6/4\n"),
    "sgg rolls": once(SGG_HEAD, "1\t31:\n1\t\t42:\n"),
    "sgg steps": once(SGG_HEAD + "1\t31:", " 24/23", "\n"),
    "sgg words": once(SGG_HEAD + "1\tDouble", " Take", "\n"),
    "sgg cubes": once(SGG_HEAD + "1\t31: 8/5 6/5\n", "2\t\tDouble to 2\n2\tTake\n"),
    "sgg automatic doubles": once(SGG_HEAD, "11: Automatic double\n", "1\t31: 8/5 6/5\n"),
    "sgg automatic doubles with stops": once(
        SGG_HEAD, "11: Automatic double.\n", "1\t31: 8/5 6/5\n"
    ),
    "sgg rows with blanks for tabs": once(SGG_HEAD, "1    31: 8/5 6/5\n1        42: 8/4 6/4\n"),
    "sgg wins": once(SGG_HEAD + "1\t31: 8/5 6/5\n", "bob wins 1 point.\n"),
    "sgg resignations": once(SGG_HEAD, "1\t31: Resign\n"),
    "sgg text": once(SGG_HEAD, "a remark\n", "1\t31: 8/5 6/5\n"),
    "sgg tabs": once(SGG_HEAD + "1", "\t", "31: 8/5\n1\t31: 8/5 6/5\n"),
    "sgg games with lengths": repeat_numbered(SGG_HEAD, "Game {n}. 0*-0*/5 \n1\t31: 8/5 6/5 \n"),
    "sgg players": once(SGG_HEAD, "bob vs. alice \n1\t31: 8/5 6/5\n"),
    "sgg results above games": once(
        "bob vs. alice\n",
        "11: Automatic double.\nbob wins 1 point.\n",
        SGG_HEAD + "1\t31: 8/5\n",
    ),
    "sgg lines above matches": once(
        "",
        "Jacoby: Yes\nGame 1.0-0\n1\t31: 8/5\n11: Automatic double\nbob wins 1 point.\nwell\n",
        SGG_HEAD + "1\t31: 8/5 6/5\n",
    ),
    "sgg options in games": once(SGG_HEAD, "Jacoby: Yes\n", "1\t31: 8/5 6/5\n"),
    "sgg dances": once(SGG_HEAD, "1\t31: O-O\n1\t\t-\n"),
    "tmg matches": once("", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg players": once("Player1: a\n", "Player1: a\n", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg options": once("MatchId: 1\n", "Jacoby: 1\n", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg games": repeat_numbered(TMG_HEAD, "Game {n}: 0-0\n  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg records": once(TMG_HEAD, "  1 1 31:\n  1 4 8/5 6/5\n -1 1 42:\n -1 4 8/4 6/4\n"),
    "tmg steps": once(TMG_HEAD + "  1 1 31:\n  1 4", " 24/23", "\n"),
    "tmg cubes": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", " -2 5 Double to 2\n  2 7 Take\n"),
    "tmg wins": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", "  3 14 8 alice wins 8 points\n"),
    "tmg words of wins": once(TMG_HEAD + "  1 1 31:\n  3 14 8", " wins 1 point", "x\n"),
    "tmg others": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", "  1 99 foo\nfoo\n"),
    "tmg digits": once(TMG_HEAD + "  1 4 8/5 6/5\n  1 14 ", "1 ", "x\n"),
    "tmg records above": once("", "  1 1 31:\nwell\n", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg matches without game lines": once(TMG_HEAD, "MatchId: 1\n  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg text above games": once("MatchId: 1\n", "well\n", TMG_HEAD + "  1 1 31:\n"),
    "tmg options in games": once(TMG_HEAD, "Jacoby: 1\nPlayer1: 11 a\nGame 1: 0-0 \n  1 1 31:\n"),
    "tmg records of all kinds": once(
        TMG_HEAD,
        "  1 1 31:\n  1 4 0/0\n  1 2 To 2 now\n  1 2 well\n  2 5 To 2 now\n  2 8 well\n  2 9 well\n"
        "  2 10 Drop\n  3 14 alice wins 8 points now\n  3 14 8 well\n  3 17 well\n  3 19 well\n",
    ),
    "bgammon games": once("", BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n"),
    "bgammon indexes": once("", "bgammon-replay 00000048\n", BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n"),
    "bgammon events": once(BGAMMON_HEAD, "1 r 3-1 8/5 6/5\n2 r 6-2 1/7 12/14\n"),
    "bgammon steps": once(BGAMMON_HEAD + "1 r 3-1", " 24/23", "\n"),
    "bgammon cubes": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "2 d 2 1\n"),
    "bgammon leaving": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "2 t\n"),
    "bgammon text": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "foo\n"),
    "bgammon digits": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\ni ", "1", " x\n"),
    "bgammon numbers": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\ni ", "1 ", "x\n"),
    "bgammon text above": once("", "foo\n", BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n"),
    "bgammon drops": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "2 d 2 0\n2 t 3\n"),
    "bgroom games": repeat_numbered("", "Game {n} - alice (X) vs. bob (0)\n1.X:(3 1)8/5 6/5\n"),
    "bgroom rows": once(BGROOM_HEAD, "1.X:(3 1)8/5 6/5\n2.0:(6 6)24/18(2) 13/7(2)\n"),
    "bgroom steps": once(BGROOM_HEAD + "1.X:(3 1)", "24/23 ", "\n"),
    "bgroom cubes": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n", "2.0:Double\n2.X:Take\n"),
    "bgroom dots": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n2.0:", ".", "x\n"),
    "bgroom text": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n", "text\n"),
    "bgroom versions": once("", "BGF version 1.2 now\n", BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n"),
    "bgroom game lines": repeat_numbered(
        "", "Game {n} - alice (X) vs. bob (0) now\n1.X:(3 1)8/5 6/5\n"
    ),
    "bgroom dances": once(BGROOM_HEAD, "1.X: (3 1) can't move.\n"),
    "bgroom ends": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n", "2.0:Drop.\n2.0:Resign\n2.0:well\n"),
    "bkg text above": once("", "text\n", BKG_HEAD),
    "bkg games": once("", BKG_HEAD + "White wins a gammon\n"),
    "bkg rows": once(BKG_HEAD, "White (6 2) 1-7,12-14\n" + BKG_HEAD),
    "bkg steps": once("Black (3 1) 24-23", ",24-23", "\n"),
    "bkg digits": once("Black (3 1) ", "1", "\n" + BKG_HEAD),
    "bkg cubes": once(BKG_HEAD, "White doubles  accepted\n"),
    "bkg wins after cubes": with_many("", BKG_HEAD + "White doubles accepted\n", "White wins\n"),
    "bkg games of cubes": once(
        BKG_HEAD, "White doubles  no\nWhite wins a backgammon\nBlack wins it\n"
    ),
    "bkg text": once(BKG_HEAD, "text\n"),
    "empire games": once("", EMPIRE_HEAD + "Win 2\n"),
    "empire rows": repeat_numbered(EMPIRE_HEAD, " {n}) 31: 8/5 6/5       42: 8/4 6/4\n", "Win 2\n"),
    "empire steps": once(EMPIRE_HEAD + " 2) 31:", " 24/23", "\nWin 2\n"),
    "empire names in games": once(
        EMPIRE_HEAD + "Win 2\n" + EMPIRE_HEAD, "carol dave\n 2) 31: 8/5 6/5\n", "Win 2\n"
    ),
    "empire wins above games": once(EMPIRE_HEAD + "Win 2\n", "Win 2\nwell well well\nalice bob\n"),
    "empire text": once(EMPIRE_HEAD + "Win 2\nalice bob\n 1) 31: 8/5 6/5\n", "text\n"),
    "empire without a win": once(EMPIRE_HEAD, "Resign\n"),
    "party values": once(
        PARTY_HEAD,
        "MATCHLENGTH= 3\nMATCHLENGTH=1234567890123\nGAME_1_PLAYER_1= alice \n"
        "GAME_1_SCORE1= 2 \nGAME_1_SCORE2= well\n",
        "GAME_1_GAMEPLAY=1 a b 31 8/5 6/5\n",
    ),
    "party games": repeat_numbered(
        "BOARDID=1\n", "GAME_{n}_PLAYER_1=a\nGAME_{n}_GAMEPLAY=1 a b 31 8/5 6/5\n"
    ),
    "party actions": once(PARTY_HEAD + "GAME_1_GAMEPLAY=", "1 a b 31 8/5 6/5#", "\n"),
    "party steps": once(PARTY_HEAD + "GAME_1_GAMEPLAY=1 a b 31", " 24/23", "\n"),
    "party cubes": once(PARTY_HEAD + "GAME_1_GAMEPLAY=1 a b 31 8/5 6/5", "#2Double#1Take", "\n"),
    "party words": once(PARTY_HEAD + "GAME_1_GAMEPLAY=1 a b 31 8/5 6/5#1", " a", "\n"),
    "party scores": once(PARTY_HEAD, "GAME_1_SCORE1=0\nGAME_1_SCORE2=2\n"),
    "party keys": once(PARTY_HEAD + "GAME_1_GAMEPLAY=1 a b 31 8/5 6/5\n", "KEY=1\n"),
    "party divisions": once(PARTY_HEAD + "GAME_1_GAMEPLAY=1 a b 31 8/5 6/5", "#", "\n"),
}
