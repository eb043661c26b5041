"""Disputes that directors are asked about: what each book says of them, read from the rule texts.

The expectations were written down from the texts alone. Thirteen come from public threads, fourteen
from a club's list of illegal plays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import pytest

from bganalyze.app.render.output_options import plain_output_options
from bganalyze.app.render.ruling import render_text
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import Case, find_case
from bganalyze.validation.replaying.places import PlaceError

HEAD = "bganalyze match\nlength: 5 points\nleft: Ann\nright: Bob\n\ngame 1\nscore 0-0\n"
"""The first line after it is line 8."""

OPENING = ("L 31 8/5 6/5", "R 21 13/11 6/5")
FIRST_GAME = ("L 31 8/5 6/5", "R double 2", "L take", "R 62 24/18 13/11", "L resigns 2", "R wins 2")
BEAR_OFF = "board L 6(2) 5(2) 4 R 6(2) 3 2 cube 1 turn L"
HITTABLE = "R 24(2) 13(4) 11 8(3) 6(4)"

BOOKS = (
    *("basic", "wbgf-2.1", "usbgf-2024", "ukbgf-2019", "us-2009", "dbgf-2007", "wbgt-2010"),
    *("abt-2013", "jbf", "gamecolony", "dragonquest"),
)
"""The books that were read for these disputes."""

Acts = Mapping[str, str]
"""Who acts under each book: `nobody` if the error stands, empty if the book does not say."""

CALLABLE: Acts = {
    **dict.fromkeys(BOOKS, "either player may act"),
    **dict.fromkeys(("us-2009", "dbgf-2007"), "the opponent may decide"),
    **dict.fromkeys(
        ("wbgf-2.1", "usbgf-2024", "ukbgf-2019", "wbgt-2010", "abt-2013"),
        "both players must act",
    ),
}
STANDS: Acts = dict.fromkeys(BOOKS, "nobody")
ROLLED: Acts = {**STANDS, "abt-2013": "both players must act"}
SILENT: Acts = dict.fromkeys(BOOKS, "")
BOTH: Acts = dict.fromkeys(BOOKS, "both players must act")


class Dispute(NamedTuple):
    """A record, the place of the fault, when it was noticed, and what the books make of it."""

    lines: tuple[str, ...]
    place: str
    code: str
    acts: Acts
    says: tuple[str, ...] = ()
    """Other words that the sheet must have."""
    noticed: str = "now"
    points: tuple[int | None, int | None] | None = None
    """The points of the game as recorded, and under the remedy; None where they are open."""


def illegal(*lines: str, says: str, acts: Acts = STANDS, place: str = "10") -> Dispute:
    """Return a dispute about a play of which the record gives only the board after it."""
    return Dispute(lines, place, "P499", acts, (says, "only the board after the play"))


CRAWFORD = (
    "L 31 8/5 6/5", "R double 2", "L take", "R 62 24/18 13/11", "L resigns 4", "R wins 4",
    "game 2", "score 0-4",
    "L 31 8/5 6/5", "R 62 24/18 13/11", "L double 2", "R take", "L 21 13/11 6/5", "R 21 6/5 6/4",
    "R resigns 4", "L wins 4",
    "game 3", "score 4-4", "L 31 8/5 6/5",
)  # fmt: skip
"""Line 18: Ann doubles in the Crawford game, in line 22 Bob loses a gammon with the cube at 2."""
CRAWFORD_LOST = (*CRAWFORD[:12], "L resigns 2", "R wins 1")
VOID = {**SILENT, "usbgf-2024": "both players must act", "dbgf-2007": "both players must act"}
VOID_LATE = {**VOID, "dbgf-2007": "nobody"}

DEAD = (
    "L resigns 3", "R wins 3", "game 2", "score 0-3",
    "L 31 8/5 6/5", "R 62 24/18 13/11", "L double 2", "R take", "L 21 13/11 6/5", "R double 4",
    "L take", "R 21 6/5 6/4", "R resigns 4", "L wins 4",
)  # fmt: skip
"""Line 17: Bob, who needs two points and owns a cube at 2, redoubles."""

LEFT_OVER = (*FIRST_GAME, "game 2", "score 0-2", "L 31 8/5 6/5")

DISPUTES: dict[str, Dispute] = {
    "a double in the Crawford game, noticed before it was answered": Dispute(
        CRAWFORD, "18", "C503", VOID, ("clause 4.4.8 (as quoted by others)",), "19", (4, 2)
    ),
    "a double in the Crawford game, noticed a few rolls later": Dispute(
        CRAWFORD, "18", "C503", VOID, ("the double is annulled",), "21", (4, 2)
    ),
    "a double in the Crawford game, noticed before the next game": Dispute(
        CRAWFORD, "18", "C503", VOID, ("still possible by usbgf-2024, dbgf-2007",), "26", (4, 2)
    ),
    "a double in the Crawford game, noticed in the next game": Dispute(
        CRAWFORD, "18", "C503", VOID_LATE, ("next game began",), points=(4, 2)
    ),
    "a double in the Crawford game that ended the match": Dispute(
        CRAWFORD_LOST, "18", "C503", VOID, ("list of results", "without the double"), points=(1, 1)
    ),
    "a redouble that is dead at the score": Dispute(
        DEAD, "17", "C504", {**SILENT, "usbgf-2024": "both players must act"},
        ("by the base rule it is no error",), points=(4, 2),
    ),
    "a cube turned to the wrong value": Dispute(
        ("L 31 8/5 6/5", "R double 2", "L take", "R 62 24/18 13/11", "L double 2", "R take",
         "L 21 13/11 6/5", "R resigns 2", "L wins 2"),
        "12", "C505", SILENT, ("clause 5.2 (as quoted", "where the cube lay"), points=(2, 4),
    ),
    "a cube left over from the last game": Dispute(
        (*LEFT_OVER, "R double 4", "L take", "R 62 24/18 13/11", "L resigns 4", "R wins 3"),
        "17", "C505", {**SILENT, "dbgf-2007": "both players must act"},
        ("clause 5.2 (as quoted", "goes back to the middle"), points=(3, 2),
    ),
    "a cube that begins the game as it was left": Dispute(
        (*FIRST_GAME, "game 2", "score 0-2",
         "board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5) cube 2 L turn L",
         "L 31 8/5 6/5", "R 62 24/18 13/11", "L 21 13/11 6/5", "L resigns 2", "R wins 2",
         "game 3", "score 0-4", "L 31 8/5 6/5", "R 62 24/18 13/11", "R resigns 1", "L wins 1"),
        "16", "U205", {**SILENT, "dbgf-2007": "both players must act"},
        ("clause 5.2 (as quoted", "game 3 would not have been the Crawford game"), points=(2, 1),
    ),
    "a hit checker put in the tray": illegal(
        *OPENING, f"L 43 illegal leaves board L 24 20 13(4) 10 8(2) 6(4) 5(2) {HITTABLE}",
        "R 65 24/13", says="taken off the board instead of put on the bar",
    ),
    "an own checker put on the bar instead of the opponent's": illegal(
        *OPENING, f"L 43 illegal leaves board L bar 24 20 13(4) 8(2) 6(4) 5(2) {HITTABLE} 5",
        says="a checker put on the bar", acts=CALLABLE,
    ),
    "on the bar, a double six enters, and the player thinks he dances": Dispute(
        ("L 62 24/18 13/11", "R 61 13/7* 8/7", "L 21 dance", "R 21 6/5 6/4"),
        "10", "P411", STANDS, ("may point it out", "how the dice lay"),
    ),
    "a roll misread as a double, the opponent has not rolled": Dispute(
        ("L 31 8/5 6/5", "R 65 24/18(2) 13/7(2)"), "9", "P404", CALLABLE, ("were read right",)
    ),
    "a roll misread as a double, the opponent has rolled and not played": Dispute(
        ("L 31 8/5 6/5", "R 65 24/18(2) 13/7(2)", "L 21 13/11 6/5"),
        "9", "P404", ROLLED, ("noticed after this roll", "made anew"), "10:rolled",
    ),
    "a hit clearly meant, the checker not lifted": illegal(
        *OPENING, f"L 43 illegal leaves board L 24 20 13(4) 10 8(2) 6(4) 5(2) {HITTABLE} 5",
        says="which the player came to", acts=CALLABLE,
    ),
    "a start position forgotten": Dispute(
        ("board L 24(2) 13(5) 8(4) 6(4) R 24(2) 13(5) 8(3) 6(5) cube 1 turn L", *OPENING,
         "L 43 13/10 13/9"),
        "8", "U201", STANDS, ("may still lose a gammon", "set up so or only written down so"),
    ),
    "an impossible position with two blots on one point": Dispute(
        ("board L 24(2) 13(5) 8(3) 6(4) 5 R 24(2) 20 13(4) 8(3) 6(5) cube 1 turn L",),
        "8", "U201", BOTH, ("U203",),
    ),
    "sixteen checkers, noticed when the side that started begins its second turn": Dispute(
        ("board L 24(2) 13(5) 8(4) 6(5) R 24(2) 13(5) 8(3) 6(5) cube 1 turn L", *OPENING,
         "L 43 13/10 13/9"),
        "8", "U202", {**STANDS, "wbgt-2010": "both players must act"}, (), "11",
    ),
    "example 1: the own checker on the bar instead of off": illegal(
        BEAR_OFF, "L 61 illegal leaves board L bar 6 5(2) 4 R 6(2) 3 2", "R 21 3/1 2/1",
        place="9", says="a checker put on the bar from the 6 point",
    ),
    "example 2: the opponent's checker off instead of the own": illegal(
        BEAR_OFF, "L 61 illegal leaves board L 6(2) 5 4(2) R 6 3 2", "R 21 3/1 2/1",
        place="9", says="opponent's taken off the board",
    ),
    "example 3: the opponent's checker entered": illegal(
        "board L 6(2) 5(2) 4(2) R bar 6(2) 3 2 cube 1 turn L",
        "L 61 illegal leaves board L 6 5(3) 4 R 22 6(2) 3 2",
        place="9", says="entered from the bar", acts=CALLABLE,
    ),
    "example 5: a hit checker falls back on a point": illegal(
        *OPENING, f"L 43 illegal leaves board L 24 20 13(4) 10 8(2) 6(4) 5(2) {HITTABLE} 6",
        says="hit on the opponent's 5 point and put on the opponent's 6 point",
        acts=CALLABLE,
    ),
    "example 6: the opponent's checkers moved": illegal(
        "L 31 illegal leaves board L 24(2) 13(5) 8(2) 6(4) 5(2) R 24 23 13(5) 8(3) 6(5)",
        place="8", says="moved from the opponent's 24 point", acts=CALLABLE,
    ),
    "examples 7 and 14: the clock hit without a roll": Dispute(
        ("L 31 8/5 6/5", "R 62 24/18 13/11", "R 21 13/11 6/5"),
        "10", "T105", SILENT, ("the clock was hit",),
    ),
    "example 8: a checker that was not hit put on the bar": illegal(
        "L 31 illegal leaves board L 24(2) 13(5) 8(2) 6(4) 5(2) R bar 24 13(5) 8(3) 6(5)",
        place="8", says="put on the bar from the opponent's 24 point without a hit",
        acts=CALLABLE,
    ),
    "example 9: an illegal bear-off": Dispute(
        ("board L 6(2) 5(2) 9 R 6(2) 3 2 cube 1 turn L", "L 61 6/off 5/4"),
        "9", "P407", CALLABLE, ("not all checkers",),
    ),
    "example 10: a checker taken from the bar that could not enter": Dispute(
        ("L 62 24/18 13/11", "R 61 13/7* 8/7", "L 66 bar/19", "R 21 13/11 6/5"),
        "10", "P402", STANDS, (),
    ),
    "example 12: no move though one existed": Dispute(
        ("L 31 8/5 6/5", "R 62 dance"), "9", "P411", CALLABLE, ("must be made",)
    ),
    "example 13: a forced hit from the bar not lifted": illegal(
        "L 62 24/18 13/11", "R 61 13/7* 8/7", "L 62 24/18 bar/23",
        "R 21 illegal leaves board L 24 23 18 13(4) 11 8(3) 6(5) R 24(2) 13(4) 8(2) 7(2) 6(4) 5",
        place="11", says="nearest legal plays", acts=CALLABLE,
    ),
    "a match played too far": Dispute(
        ("L 31 8/5 6/5", "L resigns 3", "R wins 3", "game 2", "score 0-3", "L 31 8/5 6/5",
         "L resigns 2", "R wins 2", "game 3", "score 0-5", "L 31 8/5 6/5", "L resigns 1",
         "R wins 1"),
        "16", "R605", {**SILENT, **dict.fromkeys(("jbf", "us-2009"), "the director decides")}, ("clause 41", "clause 4.9 (as quoted", "0 – 5, Bob wins", "match to 5 points"),
    ),
}  # fmt: skip
"""Disputes by description."""


def case_of(dispute: Dispute, left: str = "Ann") -> Case:
    """Return the case of a dispute under every book; the first book that knows the fault finds it."""
    books = [RULE_BOOKS[name] for name in BOOKS]
    matches = read_bytes(record_of(dispute).replace(b"Ann", left.encode()), "a.bgm")
    return find_case(matches, dispute.place, books, dispute.noticed)


def record_of(dispute: Dispute) -> bytes:
    """Return the match file of a dispute."""
    return "\n".join((*HEAD.splitlines(), *dispute.lines, "")).encode()


def acts_in(case: Case) -> dict[str, str]:
    """Return who acts by each ruling."""
    found = {}
    for said in case.rulings:
        ruling = said.ruling
        is_silent = ruling is None or ruling.standing is None
        found[said.rule_book.name] = "" if is_silent else ruling.decider or "nobody"  # type: ignore[union-attr]
    return found


@pytest.mark.parametrize("about", DISPUTES)
def test_a_dispute_is_ruled_as_the_texts_say(about: str) -> None:
    dispute = DISPUTES[about]
    case = case_of(dispute)
    assert case.finding.code == dispute.code
    assert acts_in(case) == dict(dispute.acts)
    sheet = " ".join("".join(render_text(case, None, plain_output_options())).split())
    for words in dispute.says:
        assert words in sheet, sheet
    if dispute.points is not None:
        won = [then.points.won for then in case.points]
        assert tuple(one and one.points for one in won) == dispute.points


def test_what_leaves_no_trace_in_a_record_has_no_sheet() -> None:
    cocked = Dispute((*OPENING,), "9", "", {})
    with pytest.raises(PlaceError, match="no finding to rule on, and none in this match"):
        case_of(cocked)


def test_with_few_books_all_clauses_about_the_subject_are_cited() -> None:
    dispute = DISPUTES["example 9: an illegal bear-off"]
    case = find_case(
        read_bytes(record_of(dispute), "a.bgm"), dispute.place, [RULE_BOOKS["us-2009"]]
    )
    assert "may still lose a gammon" in "".join(render_text(case, None, plain_output_options()))


@pytest.mark.parametrize(
    ("about", "nearest"),
    [
        ("a hit checker put in the tray", "24/20* 13/10"),
        ("a hit clearly meant, the checker not lifted", "24/20* 13/10"),
        ("example 5: a hit checker falls back on a point", "24/20* 13/10"),
        ("example 6: the opponent's checkers moved", "8/5 6/5"),
    ],
)
def test_the_nearest_legal_play_leaves_nearly_the_board_that_was_left(
    about: str, nearest: str
) -> None:
    assert (case_of(DISPUTES[about]).finding.legal or ("",))[0] == nearest


def test_the_time_line_tells_a_roll_from_a_completed_play() -> None:
    about = "a roll misread as a double, the opponent has rolled and not played"
    sheet = "".join(render_text(case_of(DISPUTES[about]), None, plain_output_options()))
    words = " ".join(sheet.split())
    assert (
        "from here it stands by all books but abt-2013 (by the base rule for wbgf-2.1, dbgf-2007, "
        "jbf, gamecolony: no time limit is known here); after this play it stands by abt-2013"
        in words
    )
    assert "corrected, and played on from there: still possible by abt-2013" in words
