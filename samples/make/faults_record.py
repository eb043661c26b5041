"""Faulty samples of the families T, U, D and S: the text, the set-up, the dice and signatures."""

from __future__ import annotations

from draft import ONE, REDOUBLES, SHORT, Draft, TextDraft, TypedDraft
from faults import Fault, Row, fault
from record import Board

SIGNED = """\
{"version": 1, "matches": [{
 "path": "signed.ogxm",
 "encoding": "binary",
 "number": 1,
 "format": "ogxm",
 "length": 1,
 "tags": [],
 "conventions": {"producer": "OpenGammon", "marks_hits": false, "writes_dances": true, "spells_resignations": true, "caps_points": true, "one_game_is_money": false, "notes": {}},
 "games": [{
  "number": 1,
  "names": ["Ada Quill", "Cleo Hart"],
  "score": [0, 0],
  "crawford": null,
  "cube": null,
  "at": {"line": 6, "column": 1, "end_column": 7},
  "actions": [
   {"action": "play", "at": {"line": 8, "column": 3, "end_column": 13}, "side": "left", "dice": [3, 1], "steps": [{"path": [8, 5], "hits": [false]}, {"path": [6, 5], "hits": [false]}], "how": "played", "called_illegal": false},
   {"action": "play", "at": {"line": 9, "column": 3, "end_column": 13}, "side": "right", "dice": [4, 2], "steps": [{"path": [8, 4], "hits": [false]}, {"path": [6, 4], "hits": [false]}], "how": "played", "called_illegal": false},
   {"action": "resignation", "at": {"line": 10, "column": 3, "end_column": 16}, "side": "left", "manner": "resigned-match", "declined": false},
   {"action": "result", "at": {"line": 11, "column": 3, "end_column": 9}, "side": "right", "points": 1, "match": false}
  ]}],
 "oddities": [
  {"rule": "false-signature", "text": "the match", "game": null, "at": {"line": 1, "column": 1, "end_column": 16}}
 ]}]}
"""
"""The contents of an OGXM file with an invalid signature, as they were read."""

START = Board().xgid()
ONE_OFF = "-b----E-C---dE---d-e----B-"
"""The start with a left checker on the 8 point instead of the 13 point."""
SHARED = """\
bganalyze match
left: Ada Quill
right: Cleo Hart
length: 3

game 1
score 0-0
board L 24(2) 13(4) 12 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5) turn L
L 31 8/5 6/5
R 42 8/4 6/4
"""
FOURTEEN = "-b----E-C---dE---c-e----B-"
"""The start with a left checker missing from the 13 point."""


def transcript() -> list[Fault]:
    """Return the faulty samples of family T, the transcript."""
    return [
        fault(
            "T101-unreadable-play.mat",
            Draft(ONE).put("1.25R", "65: 3//0 3/o0"),
            "the last play garbled; the text hides the play, so no D303",
            Row("T101", "1.25R"),
        ),
        fault(
            "T101-unknown-word.mat",
            Draft(REDOUBLES).put("1.4R", " Ponders"),
            "`Ponders` for the answer to a double; neither T105 nor C507",
            Row("T101", "1.4R"),
        ),
        fault(
            "T102-undecodable.mat",
            Draft(ONE).tag('; [Event "Harbour \x81 Open"]'),
            "a header with the byte 0x81, which neither UTF-8 nor CP1252 knows",
            Row("T102", "Harbour"),
            encoding="latin-1",
        ),
        fault(
            "T104-game-number.mat",
            Draft(REDOUBLES).text(" Game 2", " Game 3"),
            "game 2 is called 3",
            Row("T104", "2.game"),
        ),
        fault(
            "T105-missing-turn.mat",
            Draft(SHORT).remove("1.3R"),
            "the right player's turn of row 3 left out; at the second action of the left one",
            Row("T105", "1.4L"),
        ),
        fault(
            "T106-after-pass.mat",
            Draft(REDOUBLES).append(1, "L 31: 13/10 6/5"),
            "a play after the pass",
            Row("T106", "1.5L"),
        ),
        fault(
            "T106-pass-for-take.mat",
            Draft(REDOUBLES).put("2.13R", "Drops"),
            "a take written as a pass: the game goes on and is checked",
            Row("T106", "2.14L"),
        ),
        fault(
            "T120-header-lost.mat",
            Draft(REDOUBLES).text(" Game 2\n Bruno Vale : 1                 Dario Fenn : 0\n", ""),
            "game line and score line of game 2 left out; it is checked as any other",
            Row("T120", "62: 24/18 13/11"),
        ),
        fault(
            "T120-game-line-lost.mat",
            Draft(REDOUBLES).text(" Game 2\n", ""),
            "the game line of game 2 left out",
            Row("T120", "Bruno Vale : 1"),
        ),
        fault(
            "T120-score-line-lost.mat",
            Draft(REDOUBLES).text(" Bruno Vale : 1                 Dario Fenn : 0\n", ""),
            "the score line of game 2 left out",
            Row("T120", " Game 2"),
        ),
        fault(
            "T121-cleaned-text.mat",
            Draft(REDOUBLES).text(" : 0                 ", "\u00a0: 0                 "),
            "a non-breaking space before a score, as a word processor puts it",
            Row("T121", "\u00a0:"),
        ),
        fault(
            "T122-guessed-encoding.mat",
            Draft(REDOUBLES)
            .text("Bruno Vale : 0                 ", "BrÃ¼no VÃ¤le : 0               ")
            .text("Bruno Vale : 1                 ", "BrÃ¼no VÃ¤le : 1               "),
            "a name in UTF-8 that was read as windows-1252 and saved again",
            Row("T122", "BrÃ¼no VÃ¤le : 0"),
        ),
        fault(
            "T109-false-hit-mark.mat",
            Draft(SHORT).put("1.1L", "52: 13/8* 24/22"),
            "a hit mark on an empty point",
            Row("T109", "1.1L"),
        ),
        fault(
            "T110-ambiguous-route.mat",
            Draft(ONE).unmarked().put("1.23R", "62: 11/3"),
            "no hit marked in the file, and two steps written as one: by way of 5 it hits",
            Row("T110", "1.23R"),
        ),
        fault(
            "T110-ambiguous-hit.txt",
            TextDraft("galaxy.txt").text(
                " 12) 62: 24/22 22/16             42: 11/9 9/5",
                " 12) 62: 24/22 22/16             42: 11/5",
            ),
            "the same, but it did hit, by way of 9: the next play enters from the bar",
            Row("T110", "42: 11/5"),
        ),
        fault(
            "T111-blocked-route.mat",
            Draft(SHORT).put("2.13L", "62: 9/7 7/1"),
            "9/3 3/1 spelled by way of the blocked 7 point",
            Row("T111", "2.13L"),
        ),
        fault(
            "T112-ghost-row.mat",
            Draft(SHORT).text(
                "                                  Wins 2 points",
                " 27) 11: 1/0                      Wins 2 points ",
            ),
            "the winning play of the right player repeated on the left of the win",
            Row("T112", " 27) 11: 1/0"),
        ),
        fault(
            "T114-name-change.mat",
            Draft(REDOUBLES).text(
                "Bruno Vale : 1                 Dario Fenn",
                "Bruno Vale : 1                 Dario Fern",
            ),
            "the right player is spelled otherwise in game 2",
            Row("T114", "2.score"),
        ),
        fault(
            "T116-impossible-value.txt",
            TextDraft("studio.txt").text(
                "Wins 1 point                     ", "Wins 4001 point                  "
            ),
            "4001 points after a resignation; no R602",
            Row("T116", "Wins 4001"),
        ),
        fault(
            "T117-missing-length.mat",
            Draft(REDOUBLES).text(" 3 point match\n", ""),
            "the match line left out; at the first game line",
            Row("T117", "#4"),
        ),
        fault(
            "T118-replayed-turn.mat",
            Draft(SHORT).insert("2.6L", "R 31: 8/5 6/5"),
            "a legal turn recorded twice",
            Row("T118", "2.6R"),
        ),
    ]


def set_up() -> list[Fault]:
    """Return the faulty samples of family U, the set-up."""
    wrong = f"; Set Pos={ONE_OFF}/0"
    return [
        fault(
            "U201-stands.mat",
            Draft(SHORT).note("1.1L", wrong),
            "a left checker on 8 instead of 13; noticed by nobody",
            Row("U201", "Set Pos", "stands"),
        ),
        fault(
            "U201-open.mat",
            Draft(SHORT).note("1.1L", wrong).end("1.1R"),
            "the same, and the record ends before the second play",
            Row("U201", "Set Pos", "open"),
        ),
        fault(
            "U201-corrected-at-once.mat",
            Draft(SHORT).note("1.1L", wrong).note("1.1L", "; Set Pos={board}/0"),
            "the right set-up recorded before the first play",
            Row("U201", wrong, "corrected"),
        ),
        fault(
            "U201-corrected.mat",
            Draft(SHORT).note("1.1L", wrong).note("1.1R", "; Set Pos={board}/0"),
            "the right set-up, with the first play made, recorded before the second play",
            Row("U201", wrong, "corrected"),
        ),
        fault(
            "U202-fourteen-checkers.mat",
            Draft(SHORT).note("1.1L", f"; Set Pos={FOURTEEN}/0"),
            "a left checker missing from 13; no U201 beside it",
            Row("U202", "Set Pos", "stands"),
        ),
        fault(
            "U203-shared-point.bgm",
            TypedDraft(SHARED),
            "a left checker on 12 instead of 13, where the right player's midpoint is",
            Row("U201", "board L", "stands"),
            Row("U203", "board L", "stands"),
        ),
        fault(
            "U204-set-up-mismatch.mat",
            Draft(SHORT).note("1.3L", "; Set Pos=aa-BBBB-----dE---bbcaa--B-/0"),
            "a position in mid-game with a left checker on 4 instead of 5",
            Row("U204", "Set Pos"),
        ),
        fault(
            "U205-impossible-cube.txt",
            TextDraft("studio.txt").text(
                "\n  1)                                    31: 8/5 6/5",
                f"\n; Set Pos={START}/1\n  1)                                    31: 8/5 6/5",
            ),
            "the right player owns a cube at 2 at the start of the Crawford game",
            Row("U205", "Set Pos"),
        ),
        fault(
            "U206-other-variant.mat",
            Draft("nackgammon.mat").text("NackGammon", "Backgammon"),
            "Nackgammon plays in a record that says Backgammon; at the game line",
            Row("U206", "1.game", "stands"),
        ),
        fault(
            "U207-unchecked-variant.mat",
            Draft("nackgammon.mat").text("NackGammon", "LongGammon"),
            "a record that says LongGammon; nothing else is told of its plays",
            Row("U207", "Variation"),
        ),
    ]


def dice() -> list[Fault]:
    """Return the faulty samples of family D, the dice."""
    xg_row = "  4) 51: 6/5 10/5                      62: 13/5*"
    return [
        fault(
            "D301-impossible-die.mat",
            Draft(SHORT).put("1.1R", "72: 8/4 6/4"),
            "a seven; the play is not checked by it",
            Row("D301", "1.1R"),
        ),
        fault(
            "D302-opening-double.mat",
            Draft(SHORT).put("1.1L", "11: 24/23 23/22 8/7 7/6"),
            "the game opens with 11",
            Row("D302", "1.1L"),
        ),
        fault(
            "D303-question-marks.txt",
            TextDraft("xg-text.txt").text(xg_row, xg_row.replace("6/5 10/5", "????    ")),
            "`????` for a play, and the game goes on",
            Row("D303", "51: ????"),
        ),
        fault(
            "D303-empty-cell.txt",
            TextDraft("xg-text.txt").text(xg_row, xg_row.replace("6/5 10/5", "        ")),
            "no play in a file that writes its dances out; the game goes on",
            Row("D303", "  4) 51:        "),
        ),
        fault(
            "D304-play-without-roll.mat",
            Draft(SHORT).put("1.1R", "8/4 6/4 "),
            "the roll left out",
            Row("D304", "1.1R"),
        ),
        fault(
            "D305-second-roll.mat",
            Draft(REDOUBLES).put("1.2R", "61: 31: 8/7* 8/5 "),
            "two rolls in one turn; the play fits the second",
            Row("D305", "1.2R"),
        ),
    ]


def signature() -> list[Fault]:
    """Return the faulty samples of family S, signatures."""
    return [
        fault(
            "S701-false-signature.json",
            TypedDraft(SIGNED),
            "the signature of an OGXM file, which was made of another match",
            Row("S701", "#17"),
        ),
    ]
