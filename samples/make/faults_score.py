"""Faulty samples of the families C and R, cube and result, and remarks of every family."""

from __future__ import annotations

from draft import ONE, REDOUBLES, SHORT, THREE, Draft, TextDraft, TypedDraft
from faults import Fault, Row, fault, illegal_play
from record import LEFT, RIGHT

UNCONFIRMED = """\
bganalyze match
left: Ada Quill
right: Cleo Hart
length: 3

game 1
score 0-0
L 31 8/5 6/5
R 42 8/4 6/4
ruling: checker put back L 4/6
L double
R pass
L wins 1
ruling: 1 point to Cleo Hart (late after the break)

game 2
score 1-0
L 52 13/8 13/11
R 41 24/23 13/9
"""


def cube() -> list[Fault]:
    """Return the faulty samples of family C, the cube."""
    return [
        fault(
            "C501-not-owner.mat",
            Draft(REDOUBLES).end("2.16R", "R Doubles => 8", "L Drops", winner=RIGHT, points=4),
            "the right player doubles a cube that the left one owns",
            Row("C501", "2.16R"),
        ),
        fault(
            "C502-after-roll.mat",
            Draft(REDOUBLES).put("1.4L", "43: Doubles => 2"),
            "a double after the roll",
            Row("C502", "1.4L"),
        ),
        fault(
            "C503-crawford-double.mat",
            Draft(THREE).end("2.3R", "R Doubles => 2", "L Drops", winner=RIGHT, points=1),
            "a double in the Crawford game",
            Row("C503", "2.3R"),
        ),
        fault(
            "C505-wrong-value.mat",
            Draft(REDOUBLES).put("1.4L", "Doubles => 4"),
            "the first double is written as 4",
            Row("C505", "1.4L"),
        ),
        fault(
            "C506-answer-without-double.mat",
            Draft(SHORT).remove("1.5R"),
            "the double left out; neither T105 nor R601",
            Row("C506", "1.6L"),
        ),
        fault(
            "C507-unanswered-double.mat",
            Draft(SHORT).remove("2.8R").end("2.12L"),
            "the take left out; at the play that goes on. The record ends with row 11",
            Row("C507", "2.9L"),
        ),
        fault(
            "C508-beaver-in-match.mat",
            Draft(REDOUBLES).put("2.13R", "Beavers => 4").end("2.14R"),
            "a beaver in a match; the record ends with row 14",
            Row("C508", "2.13R"),
        ),
        fault(
            "C508-beaver-excluded.mat",
            Draft("money-jacoby-beavers.mat").text('[Beaver "On"]', '[Beaver "Off"]'),
            "a beaver where the header says there are none",
            Row("C508", "1.11L"),
        ),
        fault(
            "C509-opening-cube.mat",
            Draft(REDOUBLES).shorten(1, "L Doubles => 2", "R Drops"),
            "game 1 begins and ends with a double before its first roll",
            Row("C509", "1.1L"),
        ),
        fault(
            "C510-no-cube-game.mat",
            Draft(REDOUBLES).only(1).tag('; [CubeLimit "1"]'),
            "a double where the header says there is no cube; one finding for double and pass",
            Row("C510", "1.4L"),
        ),
        fault(
            "C511-cube-limit.mat",
            Draft(REDOUBLES).tag('; [CubeLimit "2"]'),
            "a redouble to 4 under a limit of 2",
            Row("C511", "2.14R"),
        ),
    ]


def results() -> list[Fault]:
    """Return the faulty samples of family R, results and scores."""
    return [
        fault(
            "R601-unfounded-win.txt",
            TextDraft("galaxy.txt").text(
                " 24)  Losses 1 point              Wins 1 point\n",
                " " * 34 + "Wins 1 point\n",
            ),
            "a resignation left out of a file that spells its resignations",
            Row("R601", " " * 34 + "Wins 1 point"),
        ),
        fault(
            "R602-bear-off.mat",
            Draft(SHORT).win(2, RIGHT, 4),
            "4 points for a single game with the cube at 2, and 2 needed",
            Row("R602", "2.win"),
        ),
        fault(
            "R602-pass.mat",
            Draft(REDOUBLES).win(1, LEFT, 2),
            "2 points for a passed first double; the next score line counts 1: no R604",
            Row("R602", "1.win"),
        ),
        fault(
            "R602-resigned.mat",
            Draft(ONE).win(1, RIGHT, 5),
            "5 points for a resignation with the cube at 1",
            Row("R602", "1.win"),
        ),
        fault(
            "R602-gammon-with-a-checker-off.mat",
            Draft(SHORT).end("2.25L", winner=RIGHT, points=4),
            "a gammon won from a side that has borne off",
            Row("R602", "2.win"),
        ),
        fault(
            "R602-take-for-pass.mat",
            Draft(REDOUBLES).put("1.4R", "Takes"),
            "a pass written as a take: the points are those of the pass",
            Row("R602", "1.win"),
        ),
        fault(
            "R604-first-score.mat",
            Draft(REDOUBLES).text(
                "Vale : 0                 Dario Fenn : 0", "Vale : 0                 Dario Fenn : 1"
            ),
            "0 : 1 at first, where the second score line follows from 0 : 0",
            Row("R604", "1.score"),
        ),
        fault(
            "R605-short-length.mat",
            Draft(THREE).text(" 3 point match", " 1 point match"),
            "a match to 3 points whose length is written as 1",
            Row("R605", " 1 point match"),
        ),
        fault(
            "R615-repeated-result.mat",
            Draft(REDOUBLES).text(
                "      Wins 1 point\n", "      Wins 1 point\n      Wins 1 point\n"
            ),
            "the result of game 1 written twice",
            Row("R615", "#12"),
        ),
        fault(
            "R616-ruling-mismatch.bgm",
            TypedDraft(UNCONFIRMED),
            "a point given by a director that the next score lacks; a checker put back from where there is none",
            Row("R616", "1 point"),
            Row("R616", "put back"),
        ),
        fault(
            "R603-wrong-winner.mat",
            Draft(SHORT).win(2, LEFT, 2),
            "the win stands on the side that lost",
            Row("R603", "2.win"),
        ),
        fault(
            "R604-score-mismatch.mat",
            Draft(SHORT).text(
                " Ada Quill : 0                  Cleo Hart : 1",
                " Ada Quill : 1                  Cleo Hart : 1",
            ),
            "1 : 1 after a game won by the right player",
            Row("R604", "2.score"),
        ),
        fault(
            "R605-game-after-match.mat",
            Draft(ONE).again((0, 2), 6, LEFT, 1),
            "a second game of a match to 1 point; at its game line",
            Row("R605", "2.game"),
        ),
        fault(
            "R606-missing-result.txt",
            TextDraft("galaxy.txt").text(
                " 22) 43: 2/0 1/0\n      Wins 2 point\n", " 22) 43: 2/0 1/0\n"
            ),
            "game 1 is won on the board, the win line is missing; at the deciding play",
            Row("R606", " 22) 43: 2/0 1/0"),
        ),
        fault(
            "R610-jacoby-gammon.mat",
            Draft("money-jacoby-beavers.mat").end("3.16L", winner=LEFT, points=2),
            "a gammon resigned under Jacoby with an unturned cube",
            Row("R610", "3.win"),
        ),
        fault(
            "R611-final-score.txt",
            TextDraft("galaxy.txt").text('Elo "3,00/0"', 'Elo "2,00/0"'),
            "the header gives the winner 2 of 3 points",
            Row("R611", 'Elo "2,00/0"'),
        ),
        fault(
            "R612-crawford-mark.mat",
            Draft(SHORT).put("1.3R", illegal_play(1)),
            "the position line of an illegal play is marked Crawford at 0 : 0",
            Row("P499", "1.3R", "stands"),
            Row("R612", "1.3R"),
        ),
    ]


def remarks() -> list[Fault]:
    """Return samples of remarks (info) that the clean ones do not show."""
    return [
        fault(
            "T103-row-number.mat",
            Draft(SHORT).text(" 10) 63: 24/18 18/15", " 12) 63: 24/18 18/15"),
            "row 10 is numbered 12",
            Row("T103", " 12) 63: 24/18 18/15"),
        ),
        fault(
            "T108-missing-hit-mark.mat",
            Draft(SHORT).put("2.1R", "62: 13/11 24/18"),
            "a hit without its mark in a file that marks hits",
            Row("T108", "2.1R"),
        ),
        fault(
            "T119-ambiguous-empty.mat",
            Draft(SHORT).end("1.3L", "L 11:"),
            "the record ends with a roll that nobody has played",
            Row("T119", "1.3L"),
        ),
        fault(
            "C504-dead-cube.mat",
            Draft(THREE).end("4.4L", "L Doubles => 2", "R Drops", winner=LEFT, points=1),
            "at 2 : 2 in a match to 3 the cube decides nothing; error under usbgf",
            Row("C504", "4.4L"),
        ),
        fault(
            "R607-match-end-mark.mat",
            Draft(REDOUBLES).text("Wins 1 point\n", "Wins 1 point and the match\n"),
            "the match is not over after game 1",
            Row("R607", "and the match"),
        ),
        fault(
            "R608-partial-match.mat",
            Draft(REDOUBLES).only(2).text(" Game 2", " Game 1"),
            "the record starts at 1 : 0",
            Row("R608", "2.score"),
        ),
        fault(
            "R609-resignation-size.mat",
            Draft(SHORT).end("2.18L", winner=RIGHT, points=6),
            "a backgammon resigned by a side that is past the other one",
            Row("R609", "2.win"),
        ),
    ]
