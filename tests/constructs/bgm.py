"""The constructs of the text that transcribers write."""

from __future__ import annotations

from tests.constructs.repeated import Text, once, repeat_numbered

BGM = "bganalyze match\nleft: Ann\nright: Bob\nlength: 5\ngame 1\nscore 0-0\n"
CONSTRUCTS: dict[str, Text] = {
    "heads": once("", "bganalyze match\n", BGM + "L 31 8/5 6/5\n"),
    "heads with games": once("", BGM + "L 31 8/5 6/5\n"),
    "fields": repeat_numbered(
        BGM.partition("game")[0], "key{n}: value\n", "game 1\nL 31 8/5 6/5\n"
    ),
    "fields in a game": once(BGM, "key: value\n"),
    "tags": once(BGM.partition("game")[0], 'tag "key" "value"\n', "game 1\nL 31 8/5 6/5\n"),
    "producers": once("bganalyze match\n", "producer: x\n", BGM + "L 31 8/5 6/5\n"),
    "marks of the Crawford game": once(BGM, "crawford: yes\n", "L 31 8/5 6/5\n"),
    "cubes at the start": once(BGM, "cube: 2\n", "L 31 8/5 6/5\n"),
    "analysis of nothing": once(BGM, '@{"program": "x", "entries": []}\n', "L 31 8/5 6/5\n"),
    "conventions": once("bganalyze match\nconventions:", " hits", "\n" + BGM + "L 31 8/5 6/5\n"),
    "games": repeat_numbered(BGM, "game {n}\nscore 0-0\nL 31 8/5 6/5\n"),
    "games without scores": repeat_numbered(BGM, "game {n}\nL 31 8/5 6/5\n; R wins 2\n"),
    "scores": once(BGM, "score 0-0\n"),
    "scores of the Crawford game": once(BGM, "score 4-0 Crawford\n", "L 31 8/5 6/5\n"),
    "comments": once(BGM, "; a remark\n", "L 31 8/5 6/5\n"),
    "rulings": once(BGM, "ruling: 1 point to Bob (late)\nruling: game replayed\n"),
    "checkers put back again": once(
        BGM,
        "ruling: checkers put back L 4/5 R bar/20 (4.2)\nruling: checkers put back R bar/20 L 4/5\n",
    ),
    "rulings above the games": once(
        "bganalyze match\n", "ruling: 1 point to left\n", BGM + "L 31 8/5 6/5\n"
    ),
    "checkers put back": once(
        BGM + "ruling: checkers put back L", " 4/5 3/6(2)", " R bar/20 (4.2)\n"
    ),
    "checkers of the right side": once(BGM + "ruling: checker put back right", " bar/20", "\n"),
    "words of a receiver": once(BGM + "ruling: 2 points to", " Bob", "\n"),
    "reasons": once(BGM + "ruling: game replayed (", "late) ", ")\n"),
    "comments of escapes": once(BGM + '; "', '\\"', '"\nL 31 8/5 6/5\n'),
    "analysis": once(BGM + "L 31 8/5 6/5\n", '@{"program": "x", "entries": []}\n'),
    "analysis of entries": once(
        BGM + 'L 31 8/5 6/5\n@{"program": "x", "entries": [', '["a", "b"],', '["a", "b"]]}\n'
    ),
    "analysis that nests": once(BGM + "L 31 8/5 6/5\n@", "[", "\n"),
    "rows": once(BGM, "L 31 8/5 6/5\nR 42 8/4 6/4\n"),
    "rows numbered": repeat_numbered(BGM, "{n}. L 31 8/5 6/5 | R 42 8/4 6/4\n"),
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
    "doubles to a value": once(BGM + "L 31 8/5 6/5\n", "R doubles to 2\nL take\n"),
    "leaves": once(BGM + "L 31", " leaves cube 2", "\n"),
    "wins": once(BGM, "L wins 1\n"),
    "wins in points": once(BGM, "L wins 1 point\n"),
    "resignations": once(BGM, "L resigns\n"),
    "declined resignations": once(BGM, "L resigns declined\n"),
    "heads with versions": once("", "bganalyze match 1\n", BGM + "L 31 8/5 6/5\n"),
    "lengths in words": once(
        "bganalyze match\n", "length 5 points\nlength: money\n", BGM + "L 31 8/5 6/5\n"
    ),
    "lengths in other words": once(
        "bganalyze match\n",
        "match to 5\nfirst to 5 points\n5 point match\n5-point match\nmoney session\n",
        BGM + "L 31 8/5 6/5\n",
    ),
    "rows of seats in words": once(BGM, "left 31 8/5 6/5\nRight double\nleft: 31 8/5\n"),
    "lines above that mean nothing": once("", "foo\n", BGM + "L 31 8/5 6/5\n"),
    "prose in a game of rows": once(BGM, "He was late for the game.\n"),
    "names below rows": once(BGM + "L 31 8/5 6/5\n", "left Cleo\n"),
    "lines of conventions": once(
        "bganalyze match\n", "conventions: hits\n", BGM + "L 31 8/5 6/5\n"
    ),
    "games with colons": repeat_numbered(BGM, "game {n}:\nscore: 0-0\nL 31 8/5 6/5\n"),
    "quoted comments": once(BGM, '; "a remark"\n', "L 31 8/5 6/5\n"),
    "marked steps": once(BGM + "L 31", " bar/24*/18 24*/bar 6/off(2)*", "\n"),
    "marks of a turn": once(BGM + "L 31", " 0/0 unread illegal", "\n"),
    "turns of the other side": once(BGM + "L 31", " 8/5 R 42 bar/24*/18 24*/bar 6/off(2)*", "\n"),
    "words of a turn without dice": once(
        BGM + "L", " 8/5 0/0 dance ? unread illegal R 42 8/4 leaves cube 2 foo 31", "\n"
    ),
    "words behind an action": once(BGM, "L take foo\n"),
    "beavers": once(BGM, "L double 2\nR beaver 4\nL raccoon 8\nR drop\n"),
    "resignations of a gammon": once(BGM, "L resigns gammon 4\n"),
    "wins of the match": once(BGM, "L wins 2 match\n"),
    "positions": once(BGM, "board R 6(2) L 24(2) bar cube 2 L turn R crawford no\n"),
    "cubes alone": once(BGM, "cube 2 R\n"),
    "boards that are left": once(
        BGM + "L 31", " leaves board L 24(2) bar R 6(2) cube 2 L turn R crawford no", "\n"
    ),
}

ONCE = {("headless", "_other_line")}
