"""The constructs of JavaFIBS's own records."""

from __future__ import annotations

from tests.constructs.repeated import Text, once

HEADING = "JavaFIBS internal match representation v1.1\n"
HEAD = HEADING + "8:bob:5\n"
GAME = "13:bob:\n6:You:bob\n11:You:3 1\n1:You:24-23 13-10\n"
CONSTRUCTS: dict[str, Text] = {
    "headings": once("", HEADING + GAME),
    "matches": once("", HEAD + GAME + HEADING + "8:bob: 5 \n" + GAME),
    "lengths": once("", "8:bob:5 \n" + GAME + "8:bob: 5\n" + GAME),
    "games": once(HEAD, GAME),
    "games without a heading": once("", GAME),
    "text above": once("", "a remark\n", GAME),
    "text below the heading": once(HEAD, "a remark\n", GAME),
    "plays": once(HEAD + GAME, "0:bob:4 2\n1:bob: 1-3 12-16\n0:You: 4 2 \n1:You:13-9 13-11\n"),
    "steps": once(HEAD + GAME + "0:bob:4 2\n1:bob:", " 1-3", "\n"),
    "dances": once(HEAD + GAME, "0:bob:4 2\n15:bob: \n"),
    "cubes": once(HEAD + GAME, "2:bob: \n4:You: \n"),
    "passes": once(HEAD + GAME, "2:bob:\n5:You: \n"),
    "resignations": once(HEAD + GAME, "3:bob:1\n12:You:\n3:bob: 1 \n"),
    "wins": once(HEAD + GAME, "7:You:1\n9:You:5\n7:You: 1 \n9:You: 5 \n"),
    "scores": once(HEAD, GAME + "14:ann-1:bob-0\n14:ann-1:bob-0 \n"),
    "players": once(HEAD + GAME, "6:You:bob \n13:bob: \n"),
    "unknown codes": once(HEAD + GAME, "10:bob:x\n"),
    "blanks": once(HEAD + GAME + "2:bob:", " ", "x\n"),
    "blanks for a name": once(HEAD + GAME + "1:", " ", "\n"),
    "hyphens in a name": once(HEAD + GAME + "1:a", "-a", ":8-5\n"),
    "digits": once(HEAD + GAME + "1:You:", "1", "\n"),
    "parts of names": once(HEAD + GAME + "14:", "a-1", "\n"),
    "blank lines": once(HEADING, "\n", "8:bob:5\n" + GAME),
}
