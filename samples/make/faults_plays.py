"""Faulty samples of family P: illegal plays and their standings."""

from __future__ import annotations

from draft import ONE, REDOUBLES, SHORT, Draft, TextDraft, TypedDraft
from faults import Fault, Row, fault, illegal_play
from record import RIGHT


def plays() -> list[Fault]:
    """Return the faulty samples of family P, each code once."""
    xg_row = "  4) 51: 6/5 10/5                      62: 13/5*"
    return [
        fault(
            "P401-empty-point.mat",
            Draft(SHORT).put("1.4R", "66: 13/7 13/7 7/1* 12/6"),
            "no checker on 12; the dance after it is the later roll",
            Row("P401", "1.4R", "stands"),
        ),
        fault(
            "P402-blocked-point.mat",
            Draft(SHORT).put("1.5L", "65: 25/19"),
            "entered on a point of two; closed by the first roll of the next game",
            Row("P402", "1.5L", "stands"),
        ),
        fault(
            "P403-wrong-direction.mat",
            Draft(SHORT).put("1.1L", "52: 8/13 24/22"),
            "a five played backward",
            Row("P403", "1.1L", "stands"),
        ),
        fault(
            "P404-die-not-rolled.mat",
            Draft(ONE).put("1.5L", "31: 6/4 8/5"),
            "a two played with 31",
            Row("P404", "1.5L", "stands"),
        ),
        fault(
            "P404-small-die.mat",
            Draft(SHORT).put("2.20L", "51: 5/0 4/0"),
            "borne off from 4 with a one",
            Row("P404", "2.20L", "stands"),
        ),
        fault(
            "P405-too-many-steps.mat",
            Draft(SHORT).put("1.1R", "42: 8/4 6/4 13/11"),
            "a third step",
            Row("P405", "1.1R", "stands"),
        ),
        fault(
            "P406-bar-first.mat",
            Draft(ONE).put("1.20L", "51: 25/20 6/5"),
            "another checker moved with a second one on the bar",
            Row("P406", "1.20L", "stands"),
        ),
        fault(
            "P407-early-bear-off.mat",
            Draft(ONE).put("1.25L", "61: 19/18 6/0"),
            "borne off with checkers outside home",
            Row("P407", "1.25L", "stands"),
        ),
        fault(
            "P408-bear-off-die.mat",
            Draft(SHORT).put("2.20L", "51: 1/0 4/0"),
            "borne off from 4 with a five while 5 is occupied",
            Row("P408", "2.20L", "stands"),
        ),
        fault(
            "P409-unplayed-die.mat",
            Draft(SHORT).put("1.1R", "42: 6/4"),
            "the four not played",
            Row("P409", "1.1R", "stands"),
        ),
        fault(
            "P410-larger-die.mat",
            Draft(ONE).put("1.20R", "54: 6/2"),
            "either die can be played, not both, and the smaller was",
            Row("P410", "1.20R", "stands"),
        ),
        fault(
            "P411-false-dance.mat",
            Draft(SHORT).put("1.3R", "41:"),
            "an empty play where dances are written so, and 41 can be played",
            Row("P411", "1.3R", "stands"),
        ),
        fault(
            "P411-cannot-move.txt",
            TextDraft("xg-text.txt").text(xg_row, xg_row.replace("6/5 10/5   ", "Cannot Move")),
            "`Cannot Move` with a roll that can be played",
            Row("P411", "51: Cannot Move", "stands"),
        ),
        fault(
            "P412-hit-not-executed.mat",
            Draft(ONE).put("1.23R", "62: 11/5* 5/3"),
            "the left player's next play uses the checker that was hit",
            Row("P412", "1.23R", "stands"),
        ),
        fault(
            "P499-recorded-illegal.mat",
            Draft(SHORT).put("1.3R", illegal_play(0)),
            "the record itself calls the play illegal and gives the position after it",
            Row("P499", "1.3R", "stands"),
        ),
    ]


RULED = """\
bganalyze match
left: Ada Quill
right: Cleo Hart
length: 3
ruling: 1 point to Cleo Hart (late by five minutes)

game 1
score 0-1
L 31 8/5 6/4
R 42 8/4 6/4
ruling: checker put back L 4/5 (the 1 was played as a 2)
L 62 24/18 13/11
R 53 8/3 6/3
L double
R pass
L wins 1

game 2
score 1-1
R 61 13/7 8/7
L 52 13/8 13/11
ruling: game replayed (a die of another board)

game 2
score 1-1
L 43 24/20 13/10
R 31 8/5* 6/5
L 66 dance
R double
L pass
R wins 1
ruling: 1 point to Cleo Hart (warned twice before)
"""


def standings() -> list[Fault]:
    """Return illegal plays with each standing."""
    double = Draft(REDOUBLES).put("1.3R", "62: 25/23 13/8")
    return [
        fault(
            "P404-corrected.mat",
            Draft(SHORT).insert("1.3R", "R 41: 13/10 24/23"),
            "the right player's play recorded again with the same dice before a roll",
            Row("P404", "1.3R", "corrected"),
        ),
        fault(
            "P404-corrected-by-director.bgm",
            TypedDraft(RULED),
            "a checker put back by the director after the next roll; points given, and a game replayed",
            Row("P404", "L 31 8/5 6/4", "corrected"),
        ),
        fault(
            "P404-corrected-left.mat",
            Draft(ONE).insert("1.5L", "L 31: 6/4 8/5"),
            "the same on the left",
            Row("P404", "1.5L", "corrected"),
        ),
        fault(
            "P406-corrected.mat",
            Draft(REDOUBLES).insert("1.3R", "R 62: 13/7 8/6"),
            "the bar forgotten, then corrected; a double follows",
            Row("P406", "1.3R", "corrected"),
        ),
        fault(
            "P411-corrected.mat",
            Draft(SHORT).insert("1.3R", "R 41:"),
            "a false dance corrected by the play",
            Row("P411", "1.3R", "corrected"),
        ),
        fault(
            "P404-illegal-correction.mat",
            Draft(SHORT).insert("1.3R", "R 41: 13/10 24/23").put("1.4R", "41: 13/9 24/22"),
            "the correction is illegal too: the first error remains corrected",
            Row("P404", "1.3R", "corrected"),
            Row("P404", "1.4R", "stands"),
        ),
        fault(
            "P404-open.mat",
            Draft(SHORT).put("1.3R", "41: 13/10 24/23").end("1.4L"),
            "the last play of an unfinished record",
            Row("P404", "1.3R", "open"),
        ),
        fault(
            "P402-open.mat",
            Draft(SHORT).put("1.5L", "65: 25/19").end("1.5R"),
            "the last play of an unfinished record",
            Row("P402", "1.5L", "open"),
        ),
        fault(
            "P409-open.mat",
            Draft(SHORT).put("1.1R", "42: 6/4").end("1.2L"),
            "the last play of an unfinished record",
            Row("P409", "1.1R", "open"),
        ),
        fault(
            "P404-double-open.mat",
            Draft(REDOUBLES).put("1.3R", "62: 25/23 13/8").end("1.4R"),
            "a double is no roll",
            Row("P404", "1.3R", "open"),
        ),
        fault(
            "P404-take-open.mat",
            Draft(REDOUBLES).put("1.3R", "62: 25/23 13/8").end("1.4R", "R Takes"),
            "a take is no roll",
            Row("P404", "1.3R", "open"),
        ),
        fault(
            "P404-pass-open.mat",
            Draft(REDOUBLES).put("1.3R", "62: 25/23 13/8").only(1),
            "a pass is no roll; the result stands",
            Row("P404", "1.3R", "open"),
        ),
        fault(
            "P404-pass-stands.mat",
            double,
            "after double and drop the next game's first roll closes it",
            Row("P404", "1.3R", "stands"),
        ),
        fault(
            "P408-resigned-open.mat",
            Draft(ONE).put("1.25R", "65: 2/0 3/0"),
            "the winner's last play; the other side resigns, which is no roll",
            Row("P408", "1.25R", "open"),
        ),
        fault(
            "P404-dance-stands.mat",
            Draft(SHORT).put("1.4R", "66: 13/7 13/7 7/1* 7/2*").end("1.5R"),
            "a dance is a roll",
            Row("P404", "1.4R", "stands"),
        ),
        fault(
            "P404-two-in-a-row.mat",
            Draft(SHORT).put("1.3R", "41: 13/9 24/22").put("1.4L", "32: 13/11 8/4").end("1.4R"),
            "two errors running: each stands or is open by itself",
            Row("P404", "1.3R", "stands"),
            Row("P404", "1.4L", "open"),
        ),
        fault(
            "P405-winning-open.mat",
            Draft(SHORT).end("2.25R", "R 52: 1/0 1/0 1/0", winner=RIGHT, points=2),
            "three checkers borne off with two dice win the match: contestable",
            Row("P405", "2.25R", "open"),
            Row("R614", "2.25R"),
        ),
    ]
