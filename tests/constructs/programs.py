"""The constructs of Smart Game Format, of positions, of the project's own text, and of reports."""

from __future__ import annotations

from tests.constructs.repeated import Text, numbered, once, with_many


def sgf(part: str, before: str = "(;GM[6]MI[length:3]PW[Ann]PB[Bob]", tail: str = ")") -> Text:
    """A game in Smart Game Format."""
    return once(before, part, tail)


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
