"""The constructs of scripts of GNU Backgammon's commands."""

from __future__ import annotations

from tests.constructs.repeated import Text, once

HEAD = "set player 0 name Ann\nset player 1 name Bob\nnew match 5\nset turn 0\n"
PLAY = "set dice 3 1\nmove 24/23 13/10\n"
START = "-b----E-C---eE---c-e----B-"
CONSTRUCTS: dict[str, Text] = {
    "matches": once("", HEAD + PLAY),
    "sessions": once("", "new session \n" + PLAY),
    "games": once(HEAD, "new game\nset turn 1\n" + PLAY),
    "games without a match": once("set player 1 name Bob\n", "new game \n" + PLAY),
    "names": once(
        "", 'set player 0 name "Ann"\nset player Ann name Ann \nset def Ann "Bob"\n', HEAD + PLAY
    ),
    "turns": once(HEAD, "set turn 1\nset turn Ann \nset turn x\n", PLAY),
    "rolls": once(HEAD, "set dice 3 1\nset dice 31 \nroll\nroll \n", PLAY),
    "plays": once(HEAD, PLAY + "set dice 4 2\n24/20 13/11 # a remark\n"),
    "plays of numbers": once(HEAD + PLAY, "set dice 4 2\nm 24 20 13 11\n"),
    "only plays": once(HEAD + PLAY, "set dice 4 2\nmove\n"),
    "steps": once(HEAD + "set dice 3 1\nmove", " 24/23", "\n"),
    "bare steps": once(HEAD + "set dice 3 1\n24/23", " 24/23", "\n"),
    "cubes": once(HEAD + PLAY, "double\ntake\ndouble \naccept \n"),
    "passes": once(HEAD + PLAY, "double\ndrop\ndouble\npass \n"),
    "resignations": once(
        HEAD + PLAY,
        "resign single\ndecline\nresign g \ndecline\nresign 3\nagree\n",
    ),
    "scores": once(HEAD + PLAY, "set score 2 1\nset score 1-1 \n"),
    "set-ups of cubes": once(
        HEAD + PLAY,
        "set cube value 2\nset cube owner 1\nset cube center\nset cube value 4 \n"
        "set cube owner Ann \nset cube centre \n",
    ),
    "boards": once(
        HEAD + PLAY,
        "set board 4HPwATDgc/ABMA\nset board simple 0"
        + " 0" * 25
        + "\nset board 4HPwATDgc/ABMA \n",
    ),
    "identifiers": once(
        HEAD + PLAY,
        "set gnubgid 4HPwATDgc/ABMA:8IllACAAAAAE\nset matchid 8IllACAAAAAE\n"
        f"set xgid XGID={START}:0:0:1:31:0:0:0:5:10\nset xgid {START}:0:0:1:31:0:0:0:5:10 \n",
    ),
    "rules": once(
        HEAD + PLAY,
        "set crawford on\nset postcrawford on\nset jacoby off\nset beavers 3\n"
        "set variation nackgammon\nset jacoby on \n",
    ),
    "header": once(HEAD + PLAY, "set matchinfo event A Cup\nset matchinfo place x # y\n"),
    "remarks": once(HEAD, "# a remark\n#\n", PLAY),
    "other commands": once(HEAD, "set automatic game off\nshow board\nquit\n", PLAY),
    "unknown commands": once(HEAD, "set dice 7 1\nnonsense\n", PLAY),
    "indented": once("", "".join(f" {line}\n" for line in (HEAD + PLAY).splitlines())),
    "indented commands": once(
        HEAD + PLAY,
        ' set def Ann "Bob" \n new game\n roll\n set cube value 2\n set cube owner 1\n double\n take\n'
        " double\n pass\n set board 4HPwATDgc/ABMA\n set matchid 8IllACAAAAAE\n show board\n #remark\n",
    ),
    "blanks": once(HEAD + "set", " ", "dice 3 1\n" + PLAY),
    "digits": once(HEAD + "set dice 3 1\nmove ", "1", "\n"),
    "blank lines": once(HEAD, "\n", PLAY),
}
