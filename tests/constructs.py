"""Every construct of every grammar, as many times over as one likes: what `test_linear.py` doubles."""

from __future__ import annotations

from collections.abc import Callable

import bganalyze
from bganalyze.writing import write

Text = Callable[[int], str]
"""A file in which a construct stands so many times."""

MATCH = " 5 point match\n"
GAME = " Game 1\n Ann : 0                         Bob : 0\n"
HEAD = MATCH + "\n" + GAME
ROW = "  1) 31: 8/5 6/5                   42: 8/4 6/4\n"
SHUTTLE = "  2) 61: 13/7 8/7                  51: 13/8 6/5\n"


def once(before: str, one: str, after: str = "") -> Text:
    """A text in which `one` stands n times running."""
    return lambda n: before + one * n + after


def numbered(before: str, one: str, after: str = "") -> Text:
    """The same, each with its number, from 1 on, for `{n}` and the one before for `{m}`."""

    def text(n: int) -> str:
        every = (one.replace("{n}", str(k)).replace("{m}", str(k - 1)) for k in range(1, n + 1))
        return before + "".join(every) + after

    return text


def after(one: str, text: Text) -> Text:
    """A text with `one` n times before it."""
    return lambda n: one * n + text(n)


def with_many(head: str, one: str, other: str, tail: str = "") -> Text:
    """n of one kind and then n of another: what is looked up among the first for each of the second."""
    return lambda n: head + one * n + other * n + tail


def cell(one: str, before: str = "31: 8/5 6/5 ") -> Text:
    """A cell of match text."""
    return once(f"{HEAD}  1) {before}", one, "\n")


def rows(left: str, right: str = "") -> Text:
    """Rows of match text, numbered."""
    return numbered(HEAD, f" {{n}}) {left:28} {right}".rstrip() + "\n")


def line(one: str, before: str = "", tail: str = "") -> Text:
    """A line of one thing above a match."""
    return once(before, one, f"{tail}\n{HEAD}{ROW}")


MAT: dict[str, Text] = {
    # lines
    "match lines": once("", MATCH),
    "match lines with games": numbered("", f"{MATCH}{GAME}{ROW}      Wins 1 point\n"),
    "tags": numbered("", '; [Key{n} "value"]\n', HEAD + ROW),
    "broken tags": once("", "; [Event x\n", HEAD + ROW),
    "a long tag": once('; [Event "', "x", f'"]\n{HEAD}{ROW}'),
    "comments above": once("", "; a remark\n", HEAD + ROW),
    "comments in a game": once(HEAD + ROW, "; a remark\n", SHUTTLE),
    "a long comment": once(HEAD + "; ", "x", "\n" + ROW),
    "ignore comments": once("", "; bganalyze: ignore P4 T1\n", HEAD + ROW * 3),
    "ignored codes": numbered("; bganalyze: ignore", " P{n}", f"\n{HEAD}{ROW}"),
    "ignored codes and rows": lambda n: (
        "; bganalyze: ignore" + "".join(f" P{k}" for k in range(n)) + "\n" + HEAD + SHUTTLE * n
    ),
    "ignore comments in games": numbered(
        HEAD, " Game {n}\n; bganalyze: ignore P4\n Ann : 0        Bob : 0\n" + ROW
    ),
    "games": numbered(MATCH, f" Game {{n}}\n Ann : 0                         Bob : 0\n{ROW}"),
    "games that end": numbered(
        MATCH,
        f" Game {{n}}\n Ann : {{m}}                         Bob : 0\n{ROW}      Wins 1 point\n",
    ),
    "games of a session": once(
        " 0 point match\n", f"{GAME}{ROW}                                      Wins 3 points\n"
    ),
    "games without score lines": numbered(MATCH, f" Game {{n}}\n{ROW}      Wins 2 points\n"),
    "games without score lines, endless": numbered(
        " 0 point match\n",
        f" Game {{n}}\n{ROW}  2)  Doubles => 4               Drops\n"
        "      Wins 5 points\n                                      Wins 3 points\n",
    ),
    "games whose scores never fit": numbered(
        " 9999999 point match\n",
        f" Game {{n}}\n Ann : {{n}}000                     Bob : {{n}}\n{ROW}  2)  Doubles => 4  Takes\n"
        "      Wins 5 points\n                                      Wins 3 points\n",
    ),
    "games without rows": numbered(MATCH, " Game {n}\n"),
    "score lines": once(MATCH, " Ann : 0                         Bob : 0\n"),
    "score lines with colons": once(MATCH, " A:n : 0                         B:b : 0\n"),
    "set positions": once(HEAD, "; Set Pos=-b----E-C---eE---c-e----B-/0\n", ROW),
    "wrong set positions": once(HEAD, "; Set Pos=nothing\n", ROW),
    "text in a game": once(HEAD + ROW, "some text\n\n", SHUTTLE),
    "text above": once("", "some text\n", HEAD + ROW),
    "a title of names": once("", "Ann      Bob\n", ROW),
    "names and rows": numbered("", f"Ann      Bob\n{ROW}"),
    "words": once(HEAD + ROW, "Doubles\nTakes\n"),
    "ragged rows": once(HEAD + ROW, "xx) 31: 8/5 6/5              42: 8/4\n"),
    "blank lines": once(HEAD, "\n", ROW),
    "rows": rows("31: 24/23 13/10", "31: 24/23 13/10"),
    "legal rows": lambda n: (
        HEAD
        + "".join(
            f" {2 * k + 1}) 66:                         66:\n {2 * k + 2}) 66:                         66:\n"
            for k in range(n)
        )
    ),
    "the same row": once(HEAD, ROW),
    "rows of nothing": once(HEAD, "  1)\n"),
    "rows of half": rows("31: 8/5 6/5"),
    "rows of dice": rows("31:", "42:"),
    "rows of dances": rows("31: Cannot Move", "42: Cannot Move"),
    "rows of question marks": rows("31: ????", "42: ????"),
    "rows of impossible dice": rows("99: 8/5", "00: 8/5"),
    "rows of two throws": rows("31: 8/5 31: 6/5", "42: 8/4 42: 6/4"),
    "rows of wrong dice": rows("31: 8/2", "42: 8/2"),
    "rows of wrong dice and places": rows("31: 8/2", "42: 20/16 20/18"),
    "rows of hyphens": rows("3-1: 8/5 6/5", "4-2: 8/4 6/4"),
    "rows of names": rows("Ann: 31: 8/5 6/5", "Bob: 42: 8/4 6/4"),
    "rows of tabs": numbered(HEAD, "  {n}) 31: 8/5 6/5\t\t42: 8/4 6/4\n"),
    "rows of doubles": rows(" Doubles => 2", " Takes"),
    "rows of redoubles": numbered(
        HEAD + ROW,
        " {n})  Doubles => 4                 Takes\n {n}) 31: 13/14            Doubles => 4\n",
    ),
    "rows of beavers": rows(" Doubles => 2", " Beaver"),
    "rows of raccoons": rows(" Beaver", " Raccoon"),
    "rows of takes": rows(" Takes", " Takes"),
    "rows of drops": rows(" Drops", " Drops"),
    "rows of wins": rows(" Wins 1 point", " Wins 2 points"),
    "rows of losses": rows(" Losses 1 point", " Losses 2 points"),
    "rows of resignations": rows(" Resigns", " Concedes the match"),
    "rows of forfeits": rows(" Forfeits", " loses on time"),
    "rows of junk": rows("31: foo bar", " what?"),
    "rows of half read plays": rows("31: 8/5 foo", "42: 8/4 bar"),
    "rows called illegal": rows("31: 8/5 6/5 illegal?", "42: 8/4 illegal"),
    "rows of boards": rows("31: illegal play (1;2)", "42: illegal play (3;4)"),
    "rows with remarks": rows("31: 8/5 6/5", "42: 8/4 6/4 ; a remark"),
    "rows within rows": rows("31: 8/5 6/5   7)  Losses 2 point"),
    "rows after the end": after("", rows(" Drops", "31: 8/5 6/5")),
    "takes and comments": with_many(HEAD + ROW, "; a remark\n", "  2)  Takes\n"),
    "doubles and comments": with_many(HEAD + ROW, "; a remark\n", "  2)  Doubles\n"),
    "dice faults and places": with_many(HEAD, ROW.replace("8/5", "9/6"), SHUTTLE),
    "hit marks": rows("31: 8/5* 6/5*", "42: 8/4* 6/4*"),
    "hits": numbered(
        HEAD, " {n}) 64: 24/14               64: 24/14\n {n}) 22: 13/11*/9*         22: 13/11*/9*\n"
    ),
    "gap of names": numbered(MATCH, " Game {n}\n Ann{n} : 0              Bob : 0\n"),
    # cells
    "steps": cell("8/5 "),
    "steps back and forth": cell("24/23 23/24 ", "31: "),
    "steps in vain, back and forth": cell("9/8 24/23 23/24 ", "31: "),
    "steps from an empty point": cell("9/8 ", "31: "),
    "steps marked": cell("24/23* ", "31: "),
    "steps off": cell("6/off ", "31: "),
    "steps from the bar": cell("bar/22 ", "31: "),
    "steps of no checker": cell("0/0 ", "31: 8/5 "),
    "names": cell("Ann: ", ""),
    "words of a name": once(HEAD + "  1) ", "Ann ", ": 31: 8/5\n"),
    "gaps and names": cell("  Ann: ", "31: 8/5"),
    "steps and commas": cell("8/5,", "31: "),
    "steps with counts": cell("24/23(4) ", "11: "),
    "steps and rows": lambda n: HEAD + "  1) 31: " + "24/23 " * n + "\n" + SHUTTLE * 3,
    "steps after a hit": lambda n: (
        f"{HEAD}  1) 62: 24/18 13/11               64: 13/7* 24/20\n  2) 42: " + "18/14 " * n + "\n"
    ),
    "rows of many steps": lambda n: HEAD + ("  1) 31: " + "24/23 " * 30 + "\n") * (n // 30 + 1),
    "points of a step": cell("/23/24", "31: 24"),
    "points of a step downward": cell("/5/4", "31: 6"),
    "points of a step with marks": cell("/23*/24*", "31: 24"),
    "points of a step and rows": lambda n: (
        HEAD + "  1) 31: 24" + "/23/24" * n + "\n" + SHUTTLE * 20
    ),
    "half read steps": cell("8/5 foo ", "31: "),
    "half read words": cell("foo ", "31: "),
    "steps without dice": cell("8/5 ", ""),
    "dice": cell("31: ", ""),
    "dice and steps": cell("31: 8/5 ", ""),
    "dice without blanks": cell("31:8/5", ""),
    "dances": cell("Cannot Move ", "31: "),
    "blanks in a dance": once(HEAD + "  1) 31: cannot", " ", "x\n"),
    "question marks": cell("???? ", "31: "),
    "boards": cell("illegal play (1;2) ", "31: "),
    "board without an end": cell("illegal play (", "31: "),
    "board of many fields": once(HEAD + "  1) 31: illegal play (", "1;", ")\n"),
    "blanks before a board": once(HEAD + "  1) 31: illegal", " ", "play(x\n"),
    "illegal": cell("illegal? ", "31: "),
    "doubles": cell("Doubles => 2 ", ""),
    "blanks in a double": once(HEAD + "  1) Doubles", " ", "=>x\n"),
    "beavers": cell("Beaver ", ""),
    "raccoons": cell("Raccoon => 8 ", ""),
    "takes": cell("Takes ", ""),
    "drops": cell("Drops ", ""),
    "wins": cell("Wins 1 point ", ""),
    "blanks in a win": once(HEAD + "  1) Wins", " ", "1 pnt\n"),
    "losses": cell("Losses 1 point ", ""),
    "resignations": cell("Resigns the game ", ""),
    "forfeits": cell("Forfeits ", ""),
    "times": cell("loses on time ", ""),
    "row labels": cell("7) ", "31: 8/5 "),
    "scores in a cell": cell("Ann : 1 ", "31: 8/5 "),
    "losses after labels": cell("7) Losses ", "31: 8/5 "),
    "remarks": cell("; remark ", "31: 8/5 "),
    "hashes": cell("#", "31: 8/5 "),
    "brackets": cell("(", "31: 8/5 "),
    "brackets with semicolons": cell("(;", "31: 8/5 "),
    "letters between tabs": once(HEAD + "  1)\t31: 8/5\t", "x", "\ty\n"),
    "tabs": cell("\t", "31: 8/5"),
    "tabs and words": cell("\tfoo", "31: 8/5"),
    "blanks": cell(" ", "31: 8/5"),
    "blanks before": once(HEAD, " ", "1) 31: 8/5\n"),
    "blanks before text": once(HEAD, " ", "foo\n"),
    "blanks after a colon": once(HEAD + "Ann :", " ", "x\n"),
    "blanks between scores": once(HEAD + "Ann : 0", " ", "x\n"),
    "blanks between a score and a colon": once(HEAD + "Ann : 0", " ", ":0x\n"),
    "blanks and colons": once(HEAD + "Ann ", " : 0  ", "x\n"),
    "colons": once(HEAD, ":", "\n"),
    "colons and digits": once(HEAD + "Ann", " :0  x", "\n"),
    "stars": cell("*", "31: 8/5"),
    "slashes": cell("/", "31: 8/5"),
    "points": cell("8/", "31: "),
    "digits": cell("1", ""),
    "digits of a score": once(HEAD + "Ann : ", "1", "\n"),
    "digits of a length": once("", "1", " point match\n" + GAME + ROW),
    "letters": cell("x", ""),
    "words in a cell": cell("x ", ""),
    "winning words in a line": line("Wins ", HEAD),
    "doubling words in a line": line("Double ", HEAD),
    "a long name": lambda n: f"{MATCH} Game 1\n {'A' * n} : 0          Bob : 0\n{ROW}",
    "names of words": lambda n: f"{MATCH} Game 1\n {'A b ' * n} : 0          Bob : 0\n{ROW}",
    "two names of words": lambda n: "A  " * n + "\n" + ROW,
    "no line end": lambda n: HEAD + "  1) 31: 8/5 6/5   42: 8/4 6/4 " * n,
    "carriage returns": once(HEAD, "\r", ROW),
    "damaged bytes": once(HEAD, "\x81", "\n" + ROW),
    "damaged lines": once(HEAD, "\x81\n", ROW),
    "blanks after GNUBG ID": once("GNUBG ID", " ", "x\n" + HEAD.replace("5 point", "points") + ROW),
    "zeros": once(HEAD + ROW, "\0", "\n"),
}


def sgf(one: str, before: str = "(;GM[6]MI[length:3]PW[Ann]PB[Bob]", tail: str = ")") -> Text:
    """A game in Smart Game Format."""
    return once(before, one, tail)


ROOT = "(;GM[6]MI[length:3]PW[Ann]PB[Bob]"
SGF: dict[str, Text] = {
    "plays": sgf(";W[31hefe];B[42qulu]"),
    "plays in lines": sgf(";W[31hefe]\n;B[42qulu]\n"),
    "empty nodes": sgf(";"),
    "doubles": sgf(";W[double];B[take]"),
    "drops": sgf(";W[double];B[drop]"),
    "throws": sgf(";PL[W]DI[31]"),
    "set-ups": sgf(";AE[a:y]AW[a:e]AB[f:h]"),
    "cubes": sgf(";CV[2]CP[w]"),
    "comments": sgf(";C[a remark]"),
    "comments of a node": sgf("C[a remark]", ROOT + ";"),
    "a long comment": sgf("x", ROOT + ";C[", "])"),
    "a comment of lines": sgf("x\n", ROOT + ";C[", "])"),
    "escapes": sgf("\\]", ROOT + ";C[", "])"),
    "escapes without an end": sgf("\\]", ROOT + ";C[", ""),
    "backslashes": sgf("\\", ROOT + ";C[", ""),
    "values": sgf("[31hefe]", ROOT + ";W"),
    "values of stones": sgf("[a]", ROOT + ";AE[a:y]AW"),
    "values of a header": sgf("[length:3]", "(;GM[6]MI"),
    "properties": sgf("XX[y]", ROOT + ";"),
    "properties of no node": sgf("XX[y]", ROOT + "(", "))"),
    "properties of a root": sgf("XX[y]"),
    "properties of a play": sgf("W[31hefe]", ROOT + ";"),
    "properties of analysis": sgf("DA[x]", ROOT + ";W[31hefe]"),
    "properties in small letters": sgf("aXb[y]", ROOT + ";"),
    "a long property name": sgf("X", ROOT + ";", "[y])"),
    "junk": sgf("junk "),
    "junk in nodes": sgf(";junk "),
    "numbers": sgf("1"),
    "stray values": sgf("[x]", "(;GM[6];W[31hefe] 1"),
    "open brackets": sgf("[", ROOT + ";W[31hefe]", ""),
    "closed brackets": sgf("]"),
    "nodes after properties": with_many("(;GM[6](;", "XX[y]", ";1 ", "))"),
    "variations after properties": with_many("(;GM[6](;W[31hefe]", "XX[y]", ")(;W[31aabb]", "))"),
    "comments and variations": with_many("(;GM[6](", ";C[x]", ")(;C[x];W[31aabb]", "))"),
    "games": sgf("(;GM[6]MI[length:3][game:0]PW[Ann]PB[Bob];W[31hefe])", "", ""),
    "games numbered": numbered(
        "", "(;GM[6]MI[length:3][game:{m}][ws:0][bs:0]PW[A]PB[B];W[31hefe])"
    ),
    "games within games": sgf("(;GM[6];W[31hefe]", "", ""),
    "roots without trees": sgf(";GM[6]", "(;GM[6]"),
    "nesting": lambda n: ROOT + "(;W[31hefe]" * n + ")" * (n + 1),
    "opening": sgf("("),
    "closing": sgf(")"),
    "opening with blanks": sgf("( "),
    "opening before": sgf("(;", "", ROOT + ";W[31hefe])"),
    "variations": sgf("(;W[31hefe])"),
    "variations of two": lambda n: ROOT + "(;W[31hefe](;W[31hefd])" * n + ")" * (n + 1),
    "blanks": sgf(" "),
    "blanks in a node": sgf(" ", ROOT + ";W"),
    "blanks after a bracket": once("(", " ", ";GM[6];W[31hefe])"),
    "letters of a play": sgf("ab", ROOT + ";W[31", "])"),
    "blanks of a play": sgf(" ", ROOT + ";W[31", "x])"),
    "blanks of a result": sgf(" ", "(;GM[6]RE[W+", "x];W[31hefe])"),
    "blanks of a damaged result": sgf(" ", "(;GM[6]RE[W+", "!];W[31hefe])"),
    "digits of a result": sgf("1", "(;GM[6]RE[W+", "x];W[31hefe])"),
    "digits of a score": sgf("1", "(;GM[6]MI[length:", "];W[31hefe])"),
    "words of rules": sgf("Crawford:", "(;GM[6]MI[length:3]RU[", "];W[31hefe])"),
    "a line": sgf(";W[31hefe];B[42qulu]", "\n" + ROOT),
}

POSITION = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n"
IDS = " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n"
SNOWIE = (
    "7;0;0;0;0;ann;bob;0;0;0;1;0;0;-2;0;0;0;0;5;0;3;0;0;0;-5;5;0;0;0;-3;0;-5;0;0;0;0;2;0;3;1;\n"
)
POSITIONS: dict[str, Text] = {
    "XGIDs": once("", POSITION),
    "XGIDs without dice": once("", POSITION.replace(":31:", ":00:")),
    "XGIDs with reports": once("", POSITION + "some report\nX:Ann   O:Bob\n"),
    "XGIDs below boards": once("", " +12-11-10-9-8-7-----+ X: Ann\n" + POSITION),
    "XGIDs damaged": once(POSITION, "XGID=foo\n"),
    "a long XGID": once(POSITION.strip(), ":", "\n"),
    "OGIDs": once("", "11jjjjjhhhccccc:ooddddd88866666:N0N:31:W:IW:0:0:1:0\n"),
    "GNUBG IDs": once("", "GNUBG ID: 4HPwATDgc/ABMA:cAkAAAAAAAAA\n"),
    "GNU IDs": once("", IDS),
    "position IDs": once(IDS, IDS.partition("\n")[0] + "\n"),
    "position IDs alone": once("", "4HPwATDgc/ABMA\n"),
    "blanks after a position ID": once("4HPwATDgc/ABMA", " ", "\n"),
    "IDs in one line": once("", "Position ID: 4HPwATDgc/ABMA Match ID: cAkAAAAAAAAA\n"),
    "words as long as a position ID": once("4HPwATDgc/ABMA\n", "congratulation\n"),
    "match IDs": once(IDS, IDS.partition("\n")[2]),
    "Snowie": once("", SNOWIE),
    "Snowie's fields": once(SNOWIE.strip(), "0;", "\n" + POSITION),
    "blanks after Snowie": once(SNOWIE.strip(), " ", ";x\n" + POSITION),
    "blanks after GNUBG ID": once(POSITION + "GNUBG ID", " ", "x\n"),
    "names": once(POSITION, "X:Ann   O:Bob\n"),
    "a line of names": once(POSITION + "X:", "Ann  ", "\n"),
    "owners": once(POSITION, " +12-11-10-9-8-7-----+ X: Ann\n"),
    "a long board": once(POSITION + " +", "1", "x\n"),
    "text": once(POSITION, "some report\n"),
    "blank lines": once(POSITION, "\n", "text\n"),
    "blank lines at the end": once(POSITION + "text", "\n"),
    "verdicts": once(POSITION, "Best Cube action: No double / Take\n"),
    "words of verdicts": once(POSITION, " No double / Take x"),
    "blanks of verdicts": once(POSITION + " No double / Take", " ", "x"),
    "letters": once(POSITION, "a"),
    "digits": once(POSITION, "1"),
    "colons": once(POSITION, "1:"),
}

BGM = "bganalyze match\nleft: Ann\nright: Bob\nlength: 5\ngame 1\nscore 0-0\n"
SCRIBE: dict[str, Text] = {
    "heads": once("", "bganalyze match\n", BGM + "L 31 8/5 6/5\n"),
    "heads with games": once("", BGM + "L 31 8/5 6/5\n"),
    "fields": numbered(BGM.partition("game")[0], "key{n}: value\n", "game 1\nL 31 8/5 6/5\n"),
    "fields in a game": once(BGM, "key: value\n"),
    "tags": once(BGM.partition("game")[0], 'tag "key" "value"\n', "game 1\nL 31 8/5 6/5\n"),
    "producers": once("bganalyze match\n", "producer: x\n", BGM + "L 31 8/5 6/5\n"),
    "marks of the Crawford game": once(BGM, "crawford: yes\n", "L 31 8/5 6/5\n"),
    "cubes at the start": once(BGM, "cube: 2\n", "L 31 8/5 6/5\n"),
    "analysis of nothing": once(BGM, '@{"program": "x", "entries": []}\n', "L 31 8/5 6/5\n"),
    "conventions": once("bganalyze match\nconventions:", " hits", "\n" + BGM + "L 31 8/5 6/5\n"),
    "games": numbered(BGM, "game {n}\nscore 0-0\nL 31 8/5 6/5\n"),
    "games without scores": numbered(BGM, "game {n}\nL 31 8/5 6/5\n; R wins 2\n"),
    "scores": once(BGM, "score 0-0\n"),
    "comments": once(BGM, "; a remark\n", "L 31 8/5 6/5\n"),
    "comments of escapes": once(BGM + '; "', '\\"', '"\nL 31 8/5 6/5\n'),
    "analysis": once(BGM + "L 31 8/5 6/5\n", '@{"program": "x", "entries": []}\n'),
    "analysis of entries": once(
        BGM + 'L 31 8/5 6/5\n@{"program": "x", "entries": [', '["a", "b"],', '["a", "b"]]}\n'
    ),
    "analysis that nests": once(BGM + "L 31 8/5 6/5\n@", "[", "\n"),
    "rows": once(BGM, "L 31 8/5 6/5\nR 42 8/4 6/4\n"),
    "rows numbered": numbered(BGM, "{n}. L 31 8/5 6/5 | R 42 8/4 6/4\n"),
    "cells": once(BGM + "1.", " L 31 8/5 6/5 | R 42 8/4 6/4 |", "\n"),
    "cells with strings": once(BGM + "1.", ' L 31 "x" | R 42 8/4 6/4 |', "\n"),
    "empty cells": once(BGM + "L 31 8/5", "|", "\n"),
    "remarks behind an action": once(BGM + "L 31 8/5", "; well played ", "\n"),
    "slips behind an action": once(BGM + "L 31 8/5", "; duoble ", "\n"),
    "comments above": once("", "; a remark\n", BGM + "L 31 8/5 6/5\n"),
    "names without colons": once(BGM.partition("game")[0], "left Ann Lee\n"),
    "words of a name": once("bganalyze match\nleft", " Ann", "\nlength: 5\n"),
    "rows in small letters": once(BGM, "l: 3-1 8/5 6/5\nr: 4-2 8/4 6/4\n"),
    "actions in a cell": once(BGM + "L 31 8/5", "; double ", "\n"),
    "empty actions": once(BGM + "L 31 8/5", ";", "\n"),
    "steps": once(BGM + "L 31", " 24/23", "\n"),
    "steps that cannot be read": once(BGM + "L 31", " 24/23", " x\n"),
    "steps and words": once(BGM + "L 31", " 24/23 foo", "\n"),
    "words": once(BGM + "L 31", " foo", "\n"),
    "words of no side": once(BGM, "foo ", "\n"),
    "lines of words": once(BGM, "foo\n"),
    "dances": once(BGM + "L 31", " dance", "\n"),
    "queries": once(BGM + "L 31", " ?", "\n"),
    "boards": once(BGM, "board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5)\n"),
    "points of a board": once(BGM + "board L", " 24(2)", " R 6\n"),
    "sides of a board": once(BGM + "board", " L 24(2) R 6", "\n"),
    "numbers": once(BGM + "L 31", " 1", "\n"),
    "digits": once(BGM + "L ", "1", "\n"),
    "strings": once(BGM + "L ", '"x" ', "\n"),
    "a long string": once(BGM + 'L "', "x", '"\n'),
    "a string of escapes": once(BGM + 'L "', "\\n", '"\n'),
    "a string without an end": once(BGM + 'L "', "x ", "\n"),
    "quotation marks": once(BGM + "L ", '"', "\n"),
    "nothing": once(BGM + "L", " --", "\n"),
    "blanks": once(BGM + "L 31 8/5", " ", "6/5 x\n"),
    "blanks at the end": once(BGM + "L 31 8/5 6/5", " ", "\n"),
    "blanks before": once(BGM, " ", "L 31 8/5 6/5\n"),
    "blanks of a score": once(BGM + "score 0", " ", "x\n"),
    "doubles": once(BGM + "L 31 8/5 6/5\n", "R double\nL take\n"),
    "leaves": once(BGM + "L 31", " leaves cube 2", "\n"),
    "wins": once(BGM, "L wins 1\n"),
    "resignations": once(BGM, "L resigns\n"),
    "declined resignations": once(BGM, "L resigns declined\n"),
}

GNUBG = "The score (after 0 games) is: ann 0, bob 0 (match to 5 points)\n\n"
GNUBG_THROW = (
    "Move number {n}:  ann to play 31\n"
    " GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n                 Match ID   : cAkAAAAAAAAA\n"
    "* ann moves 8/5 6/5\n\n"
)
GNUBG_DOUBLE = "Move number 2:  ann doubles to 2\n\n"
PAGE = f"<html>\n<body>\n<h2>{GNUBG}</h2>\n"
GNUBG_TEXT: dict[str, Text] = {
    "games": numbered(
        "",
        GNUBG.replace("after 0", "after {m}")
        + "Move number 1:  ann to play 31\n* ann moves 8/5 6/5\n\n",
    ),
    "damaged scores": once(GNUBG, "The score (after 1 games) is: foo\n"),
    "throws": numbered(GNUBG, GNUBG_THROW),
    "throws without plays": numbered(GNUBG, "Move number {n}:  ann to play 31\n"),
    "throws of nobody": once(GNUBG, "Move number 1:  zoe to play 31\n"),
    "doubles": numbered(
        GNUBG, "Move number {n}:  ann doubles to 2\n* ann doubles\n* bob accepts\n"
    ),
    "doubles told": numbered(GNUBG, "* ann doubles\nMove number {n}:  ann doubles to 2\n"),
    "comments and doubles": with_many(
        GNUBG + "* ann doubles\n",
        "Annotation:\nwell\n" + "Move number 1:  zoe on roll\n",
        GNUBG_DOUBLE,
    ),
    "plays": once(GNUBG, "* ann moves 8/5 6/5\n"),
    "steps": once(GNUBG + "Move number 1:  ann to play 31\n* ann moves", " 24/23", "\n"),
    "starred lines": once(GNUBG, "* well\n"),
    "analysis": once(GNUBG + "* ann moves 8/5 6/5\n", "   0.5 0.1\n"),
    "analysis lines": once(GNUBG, "Rolled 31 (+0.1)\n"),
    "comments": once(GNUBG, "Annotation:\nwell\n" + "Move number 1:  ann to play 31\n"),
    "a comment of lines": once(GNUBG + "Annotation:\n", "well\n"),
    "a long comment": once(GNUBG + "Annotation:\n", "well ", "\n"),
    "a comment of throws": once(GNUBG + "Annotation:\nMove number 1:", " to play 31", " x\n"),
    "a comment of rolls": once(GNUBG + "Annotation:\nMove number 1:", " on roll", " x\n"),
    "a comment of wins": once(GNUBG + "Annotation:\nann", " wins 1 point", " x\n"),
    "about": once(GNUBG + "Match Information:\n\n", "Date: 1.1.2020\n"),
    "about of ratings": once(GNUBG + "Match Information:\n\n", "ann's rating: 1\n"),
    "about of words": once(GNUBG + "Match Information:\n\n", "'s rating"),
    "about of comments": once(GNUBG + "Match Information:\n\nComments:", " well\n"),
    "wins": once(GNUBG, "ann wins 1 point\n"),
    "a line of wins": once(GNUBG, " wins 1 point", "\n"),
    "blanks of wins": once(GNUBG + "ann wins 1 point", " ", "x\n"),
    "text": once(GNUBG, ". text\n"),
    "digits": once(GNUBG + "Move number ", "1", ": x\n"),
    "letters": once(GNUBG, "x", "\n"),
    "names": lambda n: GNUBG.replace("ann", "a" * n) + "* ann moves 8/5 6/5\n",
    "blanks": once(GNUBG + "Move number 1:", " ", "x\n"),
    "pages of throws": numbered(PAGE, GNUBG_THROW.replace("*", "<p>&bull;")),
    "tags": once(PAGE, "<p>", "ann wins 1 point\n"),
    "tags without an end": once(PAGE, "<p ", "\n"),
    "signs of tags": once(PAGE, "<", "\n"),
    "comments of a page": once(PAGE, "<!-- x -->\n"),
    "entities": once(PAGE, "&bull;", "\n"),
    "entities without an end": once(PAGE, "&bull", "\n"),
    "cells": once(PAGE, "<td>x</td>", "\n"),
    "heads of a page": once("<html>", "<p>", GNUBG),
}

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
    "letters": once(MOVES, "x", "\n"),
    "dashes": once(MOVES + "X: (3 1) ", "-", "\n"),
}
THROWN = "ann rolls 3 and 1\nann moves 24-23 13-10 .\n"
BOARD = (
    "board:You:ann:5:0:0:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:1:3:1:0:0:1:1:1:0"
    ":1:-1:0:25:0:0:0:0:0:0:0:0\n"
)
STARTED = "ann and bob start a 5 point match.\n"
FIBS_LOG: dict[str, Text] = {
    "matches": once("", STARTED + THROWN),
    "games": once(STARTED, "Starting a new game with bob\n" + THROWN),
    "resumed": once("", "ann and bob are resuming their 5-point match\n" + THROWN),
    "scores": once(STARTED, "score in 5 point match: ann-1 bob-0\n", THROWN),
    "scores of others": numbered(STARTED, "score in 5 point match: a{n}-1 b{n}-0\n", THROWN),
    "openings": once(STARTED, "ann rolled 3, bob rolled 1\nann makes the first move.\n", THROWN),
    "throws": once(STARTED, "ann rolls 3 and 1\n"),
    "plays": once(STARTED, THROWN + THROWN.replace("ann", "bob")),
    "steps": once(STARTED + "ann rolls 3 and 1\nann moves", " 24-23", " .\n"),
    "dances": once(STARTED, "ann rolls 3 and 1\nann can't move.\n"),
    "doubles": once(STARTED + THROWN, "bob doubles.\nann accepts the double.\n"),
    "resignations": once(STARTED + THROWN, "bob wants to resign.\nann rejects.\n"),
    "giving up": once(STARTED + THROWN, "bob gives up. ann wins 1 point.\n"),
    "wins": once(STARTED + THROWN, "ann wins the game and gets 1 point.\n"),
    "boards": once(STARTED, BOARD),
    "boards and throws": once(STARTED, BOARD + THROWN),
    "a long board": once(STARTED + THROWN + "board:", "a:", "\n"),
    "text": once(STARTED + THROWN, "said: hello\n"),
    "letters": once(STARTED + THROWN, "x", "\n"),
    "dashes": once(STARTED + THROWN + "score in 5 point match: ", "-1", "\n"),
    "blanks": once(STARTED + THROWN + "ann doubles", " ", "x\n"),
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
    "sgg games": numbered(SGG_HEAD, "Game {n}.0-0\n1\t31: 8/5 6/5\n"),
    "sgg options": once("bob vs. alice\n", "Jacoby: Yes\n", SGG_HEAD + "1\t31: 8/5 6/5\n"),
    "sgg rows": once(SGG_HEAD, "1\t31: 8/5 6/5\n1\t\t42: 8/4 6/4\n"),
    "sgg throws": once(SGG_HEAD, "1\t31:\n1\t\t42:\n"),
    "sgg steps": once(SGG_HEAD + "1\t31:", " 24/23", "\n"),
    "sgg words": once(SGG_HEAD + "1\tDouble", " Take", "\n"),
    "sgg cubes": once(SGG_HEAD + "1\t31: 8/5 6/5\n", "2\t\tDouble to 2\n2\tTake\n"),
    "sgg automatic doubles": once(SGG_HEAD, "11: Automatic double\n", "1\t31: 8/5 6/5\n"),
    "sgg wins": once(SGG_HEAD + "1\t31: 8/5 6/5\n", "bob wins 1 point.\n"),
    "sgg resignations": once(SGG_HEAD, "1\t31: Resign\n"),
    "sgg text": once(SGG_HEAD, "a remark\n", "1\t31: 8/5 6/5\n"),
    "sgg tabs": once(SGG_HEAD + "1", "\t", "31: 8/5\n1\t31: 8/5 6/5\n"),
    "tmg matches": once("", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg players": once("Player1: a\n", "Player1: a\n", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg options": once("MatchId: 1\n", "Jacoby: 1\n", TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg games": numbered(TMG_HEAD, "Game {n}: 0-0\n  1 1 31:\n  1 4 8/5 6/5\n"),
    "tmg records": once(TMG_HEAD, "  1 1 31:\n  1 4 8/5 6/5\n -1 1 42:\n -1 4 8/4 6/4\n"),
    "tmg steps": once(TMG_HEAD + "  1 1 31:\n  1 4", " 24/23", "\n"),
    "tmg cubes": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", " -2 5 Double to 2\n  2 7 Take\n"),
    "tmg wins": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", "  3 14 8 alice wins 8 points\n"),
    "tmg words of wins": once(TMG_HEAD + "  1 1 31:\n  3 14 8", " wins 1 point", "x\n"),
    "tmg others": once(TMG_HEAD + "  1 1 31:\n  1 4 8/5 6/5\n", "  1 99 foo\nfoo\n"),
    "tmg digits": once(TMG_HEAD + "  1 4 8/5 6/5\n  1 14 ", "1 ", "x\n"),
    "bgammon games": once("", BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n"),
    "bgammon indexes": once("", "bgammon-replay 00000048\n", BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n"),
    "bgammon events": once(BGAMMON_HEAD, "1 r 3-1 8/5 6/5\n2 r 6-2 1/7 12/14\n"),
    "bgammon steps": once(BGAMMON_HEAD + "1 r 3-1", " 24/23", "\n"),
    "bgammon cubes": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "2 d 2 1\n"),
    "bgammon leaving": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "2 t\n"),
    "bgammon text": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\n", "foo\n"),
    "bgammon digits": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\ni ", "1", " x\n"),
    "bgammon numbers": once(BGAMMON_HEAD + "1 r 3-1 8/5 6/5\ni ", "1 ", "x\n"),
    "bgroom games": numbered("", "Game {n} - alice (X) vs. bob (0)\n1.X:(3 1)8/5 6/5\n"),
    "bgroom rows": once(BGROOM_HEAD, "1.X:(3 1)8/5 6/5\n2.0:(6 6)24/18(2) 13/7(2)\n"),
    "bgroom steps": once(BGROOM_HEAD + "1.X:(3 1)", "24/23 ", "\n"),
    "bgroom cubes": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n", "2.0:Double\n2.X:Take\n"),
    "bgroom dots": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n2.0:", ".", "x\n"),
    "bgroom text": once(BGROOM_HEAD + "1.X:(3 1)8/5 6/5\n", "text\n"),
    "bkg games": once("", BKG_HEAD + "White wins a gammon\n"),
    "bkg rows": once(BKG_HEAD, "White (6 2) 1-7,12-14\n" + BKG_HEAD),
    "bkg steps": once("Black (3 1) 24-23", ",24-23", "\n"),
    "bkg digits": once("Black (3 1) ", "1", "\n" + BKG_HEAD),
    "bkg cubes": once(BKG_HEAD, "White doubles  accepted\n"),
    "bkg wins after cubes": with_many("", BKG_HEAD + "White doubles accepted\n", "White wins\n"),
    "bkg text": once(BKG_HEAD, "text\n"),
    "empire games": once("", EMPIRE_HEAD + "Win 2\n"),
    "empire rows": numbered(EMPIRE_HEAD, " {n}) 31: 8/5 6/5       42: 8/4 6/4\n", "Win 2\n"),
    "empire steps": once(EMPIRE_HEAD + " 2) 31:", " 24/23", "\nWin 2\n"),
    "empire text": once(EMPIRE_HEAD + "Win 2\nalice bob\n 1) 31: 8/5 6/5\n", "text\n"),
    "empire without a win": once(EMPIRE_HEAD, "Resign\n"),
    "party games": numbered(
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


def as_json(text: Text) -> Text:
    """What a text says, as JSON."""

    def made(n: int) -> str:
        matches = bganalyze.read_bytes(text(n).encode(), "a")
        return write([bganalyze.replay(match) for match in matches], "json").data.decode()

    return made


JSON: dict[str, Text] = {
    "matches": as_json(MAT["match lines with games"]),
    "games": as_json(MAT["games"]),
    "tags": as_json(MAT["tags"]),
    "rows": as_json(MAT["rows"]),
    "steps": as_json(MAT["steps"]),
    "comments": as_json(MAT["comments in a game"]),
}

CONSTRUCTS: dict[str, Text] = {
    f"{format_}: {name}": text
    for format_, table in {
        "mat": MAT,
        "json": JSON,
        "sgf": SGF,
        "position": POSITIONS,
        "scribe": SCRIBE,
        "gnubg-text": GNUBG_TEXT,
        "fibs": FIBS,
        "fibs-log": FIBS_LOG,
        "rooms": ROOMS,
    }.items()
    for name, text in table.items()
}
