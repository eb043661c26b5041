"""The constructs of Smart Game Format, of positions, of the project's own text, and of reports."""

from __future__ import annotations

from tests.constructs.repeated import Text, once, repeat_numbered, with_many


def sgf(part: str, before: str = "(;GM[6]MI[length:3]PW[Ann]PB[Bob]", tail: str = ")") -> Text:
    """Return a function that makes a game in Smart Game Format."""
    return once(before, part, tail)


ROOT = "(;GM[6]MI[length:3]PW[Ann]PB[Bob]"
SGF: dict[str, Text] = {
    "plays": sgf(";W[31hefe];B[42qulu]"),
    "plays in lines": sgf(";W[31hefe]\n;B[42qulu]\n"),
    "empty nodes": sgf(";"),
    "doubles": sgf(";W[double];B[take]"),
    "drops": sgf(";W[double];B[drop]"),
    "rolls": sgf(";PL[W]DI[31]"),
    "resignations accepted": sgf(";W[resign:2];B[accept]"),
    "resignations rejected": sgf(";W[resign : 1];B[reject]"),
    "turns of the first node": sgf("W[31hefe]", ROOT + "SO[club]MI[gme:0]", ")"),
    "other properties": sgf(";X[31hefe]Y[x]"),
    "set-ups before a play": sgf(";PL[W]DI[31];AE[a:y]AW[h]AB[c];W[31hefe]"),
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
    "games numbered": repeat_numbered(
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
    "nodes after the end": sgf(");W[31hefe]", ROOT, ""),
    "brackets before": sgf(")", "", ROOT + ";W[31hefe])"),
    "trees without roots": sgf("(;W[31hefe])", ROOT + ")", ""),
    "empty trees": sgf("()", ROOT + ")", ""),
    "blanks between all": sgf("; W [ 31hefe ] [x] ; B [ double ] ; AE [ a:y ] \n"),
    "properties of no node, with blanks": sgf("XX [y] [z] ", ROOT + "(", "))"),
    "stray values and blanks": sgf("[x] ", "(;GM[6];W[31hefe] 1"),
    "results": sgf("(;GM[6]MI[ length : 3 ]PW[Ann]PB[Bob]RE[ W + 4 Resign ];W[31hefe])\n", "", ""),
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
    "names with semicolons in Snowie": once("", SNOWIE.replace("bob", "bob;)")),
    "semicolons in a name of Snowie": once(
        SNOWIE.partition(";bob")[0] + ";bob", ";", SNOWIE.partition("bob")[2]
    ),
    "blanks after Snowie": once(SNOWIE.strip(), " ", ";x\n" + POSITION),
    "blanks after GNUBG ID": once(POSITION + "GNUBG ID", " ", "x\n"),
    "names": once(POSITION, "X:Ann   O:Bob\n"),
    "a line of names": once(POSITION + "X:", "Ann  ", "\n"),
    "owners": once(POSITION, " +12-11-10-9-8-7-----+ X: Ann\n"),
    "a long board": once(POSITION + " +", "1", "x\n"),
    "text": once(POSITION, "some report\n"),
    "blank lines": once(POSITION, "\n", "text\n"),
    "blank lines at the end": once(POSITION + "text", "\n"),
    "analyses": once(POSITION, "Best Cube action: No double / Take\n"),
    "words of analyses": once(POSITION, " No double / Take x"),
    "blanks of analyses": once(POSITION + " No double / Take", " ", "x"),
    "XGIDs with remarks": once("", f" {POSITION.strip()} a remark\n"),
    "OGIDs with names": once("", " OGID=11jjjjjhhhccccc:ooddddd88866666:N0N:31:W:IW:0:0:1:0 \n"),
    "GNUBG IDs without a match": once("", " GNUBG ID: 4HPwATDgc/ABMA\n"),
    "position IDs of no match": once("", " Position ID: 4HPwATDgc/ABMA \n"),
    "position IDs and blanks": once("", IDS.replace("\n", " \n")),
    "Snowie's lines with blanks": once("", f" {SNOWIE}"),
    "owners with pips": once(POSITION, " +12-11-10-9-8-7-----+ X: Ann  167\n"),
    "letters": once(POSITION, "a"),
    "digits": once(POSITION, "1"),
    "colons": once(POSITION, "1:"),
}

GNUBG = "The score (after 0 games) is: ann 0, bob 0 (match to 5 points)\n\n"
GNUBG_IDS = IDS.rstrip("\n")
GNUBG_ROLL = f"Move number {{n}}:  ann to play 31\n{IDS}* ann moves 8/5 6/5\n\n"
GNUBG_DANCE = f"Move number 1:  ann to play 31 \n{GNUBG_IDS} \n* ann cannot move \n"
GNUBG_DOUBLE = "Move number 2:  ann doubles to 2\n\n"
PAGE = f"<html>\n<body>\n<h2>{GNUBG}</h2>\n"
GNUBG_TEXT: dict[str, Text] = {
    "games": repeat_numbered(
        "",
        GNUBG.replace("after 0", "after {m}")
        + "Move number 1:  ann to play 31\n* ann moves 8/5 6/5\n\n",
    ),
    "damaged scores": once(GNUBG, "The score (after 1 games) is: foo\n"),
    "rolls": repeat_numbered(GNUBG, GNUBG_ROLL),
    "rolls without plays": repeat_numbered(GNUBG, "Move number {n}:  ann to play 31\n"),
    "rolls of nobody": once(GNUBG, "Move number 1:  zoe to play 31\n"),
    "doubles": repeat_numbered(
        GNUBG, "Move number {n}:  ann doubles to 2\n* ann doubles\n* bob accepts\n"
    ),
    "resignations": repeat_numbered(GNUBG, "Move number {n}:  ann resigns 2 points\n"),
    "doubles told": repeat_numbered(GNUBG, "* ann doubles\nMove number {n}:  ann doubles to 2\n"),
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
    "a comment of rolls": once(GNUBG + "Annotation:\nMove number 1:", " to play 31", " x\n"),
    "a comment of who is on roll": once(GNUBG + "Annotation:\nMove number 1:", " on roll", " x\n"),
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
    "pages of rolls": repeat_numbered(PAGE, GNUBG_ROLL.replace("*", "<p>&bull;")),
    "tags": once(PAGE, "<p>", "ann wins 1 point\n"),
    "tags without an end": once(PAGE, "<p ", "\n"),
    "signs of tags": once(PAGE, "<", "\n"),
    "comments of a page": once(PAGE, "<!-- x -->\n"),
    "entities": once(PAGE, "&bull;", "\n"),
    "entities without an end": once(PAGE, "&bull", "\n"),
    "scores of Crawford games": once("", GNUBG.replace("points)", "points, Crawford game) ")),
    "broken decisions": once(GNUBG, f"Move number 1:  what\n{GNUBG_IDS} \n 0.5\n"),
    "decisions and dances": once(GNUBG + GNUBG_DANCE * 12, GNUBG_DANCE),
    "decisions and answers": once(
        GNUBG,
        "Move number 2:  ann doubles to 2\n* bob rejects\n"
        "Move number 3:  ann doubles to 2\n* bob accepts\n",
    ),
    "what is done": once(GNUBG, "* ann cannot move \n* ann doubles\n* bob rejects\n"),
    "starred lines with analysis": once(GNUBG, "* well\n   0.5 0.1\n"),
    "wins and blanks": once(GNUBG, "ann wins 1 point \n"),
    "comments and blanks": once(GNUBG, "Annotation: \nwell\nMove number 1:  ann to play 31\n"),
    "about, again": once(
        GNUBG, "Match Information: \nDate: 1.1.2020\nMove number 1:  ann to play 31\n"
    ),
    "cells": once(PAGE, "<td>x</td>", "\n"),
    "heads of a page": once("<html>", "<p>", GNUBG),
}
