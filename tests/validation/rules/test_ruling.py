"""Rulings: every switch of a rule book with every kind of finding that it touches."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import BASIC, EDITIONS, RULE_BOOKS, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, SET_UP
from bganalyze.validation.rules import CATALOG
from bganalyze.validation.rules.ruling import (
    SILENT,
    MomentNoticed,
    Ruling,
    describe_rule,
    remedy,
    rule_on,
    standing_at_moment,
)
from tests.conftest import check_text


def match(*lines: str, length: int = 5) -> str:
    """Return match text whose first line after the score is line 5."""
    head = (f" {length} point match", "", " Game 1", " Ann : 0                         Bob : 0")
    return "\n".join((*head, *lines, ""))


def the(code: str, text: str, rule_book: RuleBook) -> Finding:
    """Return the only finding of a rule."""
    (finding,) = [one for one in check_text(text, rule_book) if one.code == code]
    return finding


def make_ruling(code: str, text: str, rule_book: RuleBook, noticed: str | None = None) -> Ruling:
    moment = None if noticed is None else MomentNoticed(noticed)
    ruling = rule_on(the(code, text, rule_book), rule_book, moment)
    assert ruling is not None
    return ruling


def standing(code: str, text: str, rule_book: RuleBook) -> tuple[str | None, str | None]:
    finding = the(code, text, rule_book)
    return finding.standing and finding.standing.value, finding.closed_by


ILLEGAL = "  1) 31: 8/5 6/4"
OPENED = match(ILLEGAL)
ROLLED = match(f"{ILLEGAL}                 65:")
DOUBLED = match(f"{ILLEGAL}                  Doubles => 2")
PLAYED = match(f"{ILLEGAL}                 65: 24/13")

# Sentences of the rule texts that this project starts from.


def test_an_error_in_movement_can_be_called_only_before_a_subsequent_throw_and_not_after() -> None:
    assert standing("P404", OPENED, BASIC) == ("open", "end-of-record")
    assert standing("P404", PLAYED, BASIC) == ("stands", "5:34")


def test_either_player_may_point_out_an_error_and_call_for_its_correction() -> None:
    for name in ("basic", "dragonquest"):
        ruling = make_ruling("P404", OPENED, RULE_BOOKS[name])
        assert ruling.decider == "either player may act"
        assert ruling.remedy == "either player may call for its correction until the next roll"
        assert [clause.number for clause in ruling.clauses] == ["Player Error 2"]


SET_UP_WRONG = "; Set Pos=-b----E-C---eD---c-e---AB-/0"


def set_up(*rows: str) -> str:
    return match(SET_UP_WRONG, *rows)


ONE_PLAY = set_up("  1) 31: 8/5 6/5")
TWO_PLAYS = set_up("  1) 31: 8/5 6/5                 65: 24/13")
THREE_ROLLS = set_up("  1) 31: 8/5 6/5                 65: 24/13", "  2) 42: 8/4 6/4")
SECOND_TURN_DOUBLES = set_up("  1) 31: 8/5 6/5                 65: 24/13", "  2)  Doubles => 2")
FIVE_ROLLS = set_up(
    "  1) 31: 8/5 6/5                 65: 24/13",
    "  2) 42: 8/4 6/4                 21: 13/11 6/5",
    "  3) 21: 24/23 13/11",
)


def test_an_error_in_the_set_up_must_be_corrected_before_the_second_play() -> None:
    assert standing("U201", ONE_PLAY, BASIC) == ("open", "end-of-record")
    assert standing("U201", TWO_PLAYS, BASIC) == ("stands", "6:34")
    ruling = make_ruling("U201", ONE_PLAY, BASIC)
    assert ruling.remedy.startswith("it must be corrected if either player notices it before")
    assert [clause.number for clause in ruling.clauses] == ["Player Error 1"]


# End of the time to correct an illegal play


@pytest.mark.parametrize(
    ("stands_after", "text", "expected", "words"),
    [
        ("roll", OPENED, ("open", "end-of-record"), "until the next roll"),
        ("roll", DOUBLED, ("open", "end-of-record"), "until the next roll"),
        ("roll", ROLLED, ("stands", "5:34"), "after the next roll: Bob rolled 6-5 (line 5, right)"),
        ("roll-or-double", OPENED, ("open", "end-of-record"), "until the next roll or double"),
        (
            "roll-or-double",
            DOUBLED,
            ("stands", "5:35"),
            "after the next roll or double: Bob doubled (line 5, right)",
        ),
        (
            "roll-or-double",
            PLAYED,
            ("stands", "5:34"),
            "after the next roll or double: Bob rolled 6-5 (line 5, right)",
        ),
        ("play", OPENED, ("open", "end-of-record"), "a roll made since is made anew"),
        ("play", DOUBLED, ("open", "end-of-record"), "a roll made since is made anew"),
        (
            "play",
            PLAYED,
            ("stands", "5:34"),
            "after the next completed play: Bob rolled 6-5 and completed the play (line 5, right)",
        ),
    ],
)
def test_what_ends_the_time_to_correct_a_play(
    stands_after: str, text: str, expected: tuple[str, str], words: str
) -> None:
    rule_book = BASIC._replace(stands_after=stands_after)  # type: ignore[arg-type]
    assert standing("P404", text, rule_book) == expected
    assert make_ruling("P404", text, rule_book).remedy.endswith(words)


def test_a_roll_that_is_not_played_yet_leaves_time_until_the_play_is_completed() -> None:
    assert standing("P404", ROLLED, BASIC) == ("stands", "5:34")
    assert standing("P404", ROLLED, RULE_BOOKS["abt-2013"]) == ("open", "end-of-record")


def test_a_roll_is_withdrawn_for_a_correction_where_only_a_play_is_too_late() -> None:
    text = (
        "bganalyze match\nlength: 5\n\ngame 1\n"
        "L 31 8/5 6/4\nR 65\nL 31 8/5 6/5\nR 61 13/7 8/7\nL 42 8/4 6/4\n"
    )
    matches = read_bytes(text.encode(), "a.bgm")
    found = {
        name: [(one.code, one.standing) for one in check(matches, RULE_BOOKS[name])]
        for name in ("basic", "abt-2013")
    }
    assert ("P404", "stands") in found["basic"]
    assert [one for one in found["abt-2013"] if one[0] != "T107"] == [("P404", "corrected")]


def test_the_first_play_of_the_next_game_closes_the_last_of_the_game_before() -> None:
    next_game = ("                                  Wins 1 point", "", " Game 2")
    score = " Ann : 0                         Bob : 1"
    text = match(
        ILLEGAL + "                  Doubles => 2", "  2)  Drops", *next_game, score, "  1) 31:"
    )
    assert standing("P404", text, BASIC)[0] == "stands"
    played = text.rstrip("\n") + " 8/5 6/5\n"
    assert standing("P404", played, BASIC._replace(stands_after="play"))[0] == "stands"


# Who decides


@pytest.mark.parametrize(
    ("who_decides", "decider", "words", "last_play"),
    [
        (
            "both-must-act",
            "both players must act",
            "it must be corrected before the next roll",
            "it must be corrected",
        ),
        (
            "opponent-must-decide",
            "the opponent must decide",
            "the opponent must decide whether it stands or is corrected, before the next roll",
            "the opponent must still decide whether it stands",
        ),
        (
            "opponent-may",
            "the opponent may decide",
            "the opponent may accept it or have it corrected until the next roll",
            "the opponent may still have it corrected",
        ),
        (
            "either-may",
            "either player may act",
            "either player may call for its correction until the next roll",
            "either player may still call for its correction",
        ),
    ],
)
def test_who_decides(who_decides: str, decider: str, words: str, last_play: str) -> None:
    rule_book = BASIC._replace(who_decides=who_decides)  # type: ignore[arg-type]
    ruling = make_ruling("P404", OPENED, rule_book)
    assert (ruling.decider, ruling.remedy) == (decider, words)
    assert make_ruling("P404", PLAYED, rule_book).decider == ""
    position = '; [Position "late"]\n'
    won = position + match(
        "; Set Pos=--A---A-----------------c-/0", "  1)                             31: 6/off 2/off"
    )
    assert the("R614", won, rule_book).message.endswith(f": {last_play}")


# Ways to fix a wrong set-up


@pytest.mark.parametrize(
    ("after", "closers", "words"),
    [
        ("second-play", (None, "6:34", "6:34", "6:34", "6:34"), "the second roll of the game has"),
        ("second-roll-played", (None, "6:34", "6:34", "6:34", "6:34"), "of the game is completed"),
        ("starters-second-turn", (None, None, "7:6", "7:7", "7:6"), "begins its second turn"),
        (
            "fifth-roll",
            (None, None, None, None, "8:6"),
            "before the fifth roll of the game is made",
        ),
    ],
)
def test_what_fixes_a_wrong_set_up(after: str, closers: tuple[str | None, ...], words: str) -> None:
    rule_book = BASIC._replace(set_up_stands_after=after)  # type: ignore[arg-type]
    texts = (ONE_PLAY, TWO_PLAYS, THREE_ROLLS, SECOND_TURN_DOUBLES, FIVE_ROLLS)
    for text, closer in zip(texts, closers, strict=True):
        expected = ("open", "end-of-record") if closer is None else ("stands", closer)
        assert standing("U201", text, rule_book) == expected
    assert words in make_ruling("U201", ONE_PLAY, rule_book).remedy


@pytest.mark.parametrize("after", ["second-play", "starters-second-turn", "fifth-roll"])
def test_a_set_up_is_corrected_as_long_as_the_book_allows(after: str) -> None:
    rule_book = BASIC._replace(set_up_stands_after=after)  # type: ignore[arg-type]
    text = set_up(
        "  1) 31: 8/5 6/5                 65: 24/13",
        "; Set Pos=-b----E-C---eF---b-db---A-/0",
        "  2) 42: 8/4 6/4",
    )
    findings = check_text(text, rule_book)
    found = {one.code: one.standing for one in findings if one.severity != "info"}
    other = {"U204": None} if after == "second-play" else {}
    assert found == {"U201": "corrected" if not other else "stands", **other}


# The cube.

DEAD = match(
    "  1) 31: 8/5 6/5                   Doubles => 2",
    "  2)  Takes                        65: 24/13",
    "  3)  Doubles => 4                 Takes",
    "  4) 42: 8/4 6/4                   Doubles => 8",
    "  5)  Drops",
    "      Wins 4 points",
    length=3,
)
CRAWFORD = match(
    "  1) 31: 8/5 6/5                   Doubles => 2",
    "  2)  Takes                        65: 24/13",
    "  3)  Resigns                      Wins 2 points",
    "",
    " Game 2",
    " Ann : 0                         Bob : 2",
    "  1) 52: 13/8 13/11                43: 13/10 13/9",
    "  2)  Doubles => 2                 Drops",
    "      Wins 1 point",
    length=3,
)
NEXT_GAME = (
    CRAWFORD
    + "\n Game 3\n Ann : 1                         Bob : 2\n  1) 31: 8/5 6/5                   65: 24/13\n"
)


def test_every_cube_fault_without_a_clause_says_that_the_book_does_not_say() -> None:
    owned = match(
        "  1) 31: 8/5 6/5                   Doubles => 2",
        "  2)  Takes                        65: 24/13",
        "  3) 42: 8/4 6/4                   Doubles => 4",
    )
    for name in EDITIONS:
        ruling = make_ruling("C501", owned, RULE_BOOKS[name])
        assert (ruling.standing, ruling.clauses) == (None, ())
        assert ruling.remedy == f"{SILENT} what becomes of this"
    assert remedy(the("C503", CRAWFORD, BASIC), BASIC).startswith(SILENT)
    assert rule_on(the("C504", DEAD, BASIC), BASIC) is None


@pytest.mark.parametrize(
    ("becomes", "last", "next_game", "words"),
    [
        ("void", "open", "open", "the double is void whenever it is noticed"),
        ("annulled-until-recorded", "open", "stands", "not annulled before the next game began"),
        ("stand", "stands", "stands", "this book lets the double and its answer stand"),
    ],
)
def test_what_becomes_of_a_forbidden_double(
    becomes: str, last: str, next_game: str, words: str
) -> None:
    rule_book = BASIC._replace(forbidden_cube=becomes, dead_cube="prohibit")  # type: ignore[arg-type]
    assert standing("C503", CRAWFORD, rule_book)[0] == last
    assert standing("C504", DEAD, rule_book)[0] == last
    assert standing("C503", NEXT_GAME, rule_book)[0] == next_game
    assert make_ruling("C503", NEXT_GAME, rule_book).remedy.startswith(words)


def test_a_dead_cube_that_may_be_turned_is_no_forbidden_double() -> None:
    rule_book = RULE_BOOKS["dbgf-2007"]
    assert standing("C504", DEAD, rule_book) == (None, None)
    assert rule_on(the("C504", DEAD, rule_book), rule_book) is None


def test_a_quoted_clause_is_marked_wherever_it_decides() -> None:
    assert remedy(the("C503", CRAWFORD, RULE_BOOKS["usbgf"]), RULE_BOOKS["usbgf"]).endswith(
        "; clause 4.4.8 (as quoted by others)"
    )
    assert remedy(the("P404", OPENED, RULE_BOOKS["usbgf"]), RULE_BOOKS["usbgf"]).endswith(
        "before the next roll; Legal Moves Policy (as quoted by others)"
    )


LEFT_OVER = match(
    "  1) 31: 8/5 6/5                   Doubles => 2",
    "  2)  Takes                        65: 24/13",
    "  3) 42: 8/4 6/4                   61: 13/7 8/7",
    "  4)  Resigns                      Wins 2 points",
    "",
    " Game 2",
    " Ann : 0                         Bob : 2",
    "  1) 31: 8/5 6/5                   Doubles => 4",
    "  2)  Takes                        65: 24/13",
)


def test_a_cube_left_over_from_the_last_game_is_always_corrected() -> None:
    danish = RULE_BOOKS["dbgf-2007"]
    assert standing("C505", LEFT_OVER, danish) == ("open", "end-of-record")
    ruling = make_ruling("C505", LEFT_OVER, danish)
    assert "goes back to the middle as soon as that is noticed" in ruling.remedy
    assert [clause.number for clause in ruling.clauses] == ["4.4.1"]
    assert standing("C505", LEFT_OVER, BASIC) == (None, None)
    assert make_ruling("C505", LEFT_OVER, BASIC).remedy.startswith(SILENT)


def test_a_recorded_cube_left_over_from_the_last_game_is_no_error_of_set_up() -> None:
    start = "; Set Pos=-b----E-C---eE---c-e----B-/1"
    score = " Ann : 0                         Bob : 2\n"
    text = LEFT_OVER.replace(score, f"{score}{start}\n")
    ruling = make_ruling("U205", text, RULE_BOOKS["dbgf-2007"])
    assert ruling.standing == "open"
    assert "goes back to the middle" in ruling.remedy
    assert rule_on(the("U205", text, BASIC), BASIC) is None
    alone = match(start, "  1) 31: 8/5 6/5                 65: 24/13")
    assert rule_on(the("U205", alone, RULE_BOOKS["dbgf-2007"]), RULE_BOOKS["dbgf-2007"]) is None


def test_another_wrong_value_is_no_cube_left_over() -> None:
    text = match("  1) 31: 8/5 6/5                   Doubles => 8", "  2)  Drops")
    assert standing("C505", text, RULE_BOOKS["dbgf-2007"]) == (None, None)


# The moment of noticing.


def test_an_error_that_was_noticed_earlier_was_open_then() -> None:
    moments = {"5:6": "open", "5:34": "open", "6:6": "stands", None: "stands"}
    for noticed, expected in moments.items():
        ruling = make_ruling("P404", PLAYED, BASIC, noticed)
        assert ruling.standing == expected
        assert bool(ruling.decider) == (expected == "open")
    for noticed in ("12:7", "15:1"):
        annulled = make_ruling("C503", NEXT_GAME, RULE_BOOKS["dbgf-2007"], noticed)
        assert annulled.standing == "open"


# The catalog and the books.


@pytest.mark.parametrize("name", EDITIONS)
def test_no_page_of_the_catalog_contradicts_a_book(name: str) -> None:
    book = RULE_BOOKS[name]
    for rule in CATALOG:
        described = describe_rule(rule.code, rule.name, book)
        assert described.verdict
        if rule.name in MOVEMENT:
            assert described.verdict == remedy(the("P404", OPENED, book), book)
        if rule.name in SET_UP:
            assert described.verdict == remedy(the("U201", ONE_PLAY, book), book)
        if rule.code == "C503":
            assert described.verdict == remedy(the("C503", CRAWFORD, book), book)
    assert not any("organizer's choice" in rule.doc for rule in CATALOG)


def test_a_book_that_does_not_say_applies_the_base_rule_and_says_so() -> None:
    words = remedy(the("P404", OPENED, RULE_BOOKS["wbf"]), RULE_BOOKS["wbf"])
    assert words == (
        f"it must be corrected before the next roll; {SILENT} until when: the base rule is applied"
    )
    words = remedy(the("P404", OPENED, RULE_BOOKS["jbf"]), RULE_BOOKS["jbf"])
    assert words.endswith(f"until the next roll; {SILENT} so: the base rule is applied")


# Other ends.


def test_checkers_of_both_sides_on_one_point_are_always_corrected_if_the_book_says_so() -> None:
    strict = BASIC._replace(impossible_position="always-corrected")
    board = "board L 24(2) 13(5) 8(3) 6(4) 5 R 24(2) 20 13(4) 8(3) 6(5)"
    text = f"bganalyze match\n\ngame 1\n{board}\nL 42 13/9 13/11\nR 65 24/13\nL 21 6/4 6/5\n"
    matches = read_bytes(text.encode(), "a.bgm")
    for book, expected in ((BASIC, ["stands", "stands"]), (strict, ["stands", "open"])):
        found = [one for one in check(matches, book) if one.code in ("U201", "U203")]
        assert [one.standing for one in found] == expected
    ruling = rule_on(found[1], strict)
    assert ruling is not None
    assert ruling.remedy == "an impossible position must be corrected whenever it is noticed"


def test_who_first_reached_the_length_has_won_if_the_book_says_so() -> None:
    over = match(
        "  1) 31: 8/5 6/5                   Resigns", "      Wins 3 points", "", " Game 2",
        " Ann : 3                         Bob : 0", "  1) 31: 8/5 6/5", length=3,
    )  # fmt: skip
    assert rule_on(the("R605", over, BASIC), BASIC) is None
    ruling = make_ruling("R605", over, RULE_BOOKS["jbf"])
    assert ruling.remedy.startswith("the player who first reached the length of the match has won")
    assert [clause.number for clause in ruling.clauses] == ["41"]


def test_where_the_record_does_not_show_the_crawford_game_nobody_is_told_to_act() -> None:
    late = match("  1) 31: 8/5 6/5                   Doubles => 2").replace("Bob : 0", "Bob : 4")
    late = late.replace("Ann : 0", "Ann : 1")
    for name in ("usbgf", "dbgf-2007"):
        ruling = make_ruling("C503", late, RULE_BOOKS[name])
        assert (ruling.standing, ruling.decider) == (None, "")
        assert ruling.remedy.startswith("if this is the Crawford game: the double is")


@pytest.mark.parametrize("noticed", [MomentNoticed("5:6", is_rolled=True), None])
def test_an_error_stands_once_the_dice_are_rolled_or_the_file_ends(
    noticed: MomentNoticed | None,
) -> None:
    place = ("a.mat", 3, 6, 9, "P409", "unplayed-die", Severity.ERROR, "", 1)
    finding = Finding(*place, standing=Standing.STANDS, closed_by="5:6")
    assert standing_at_moment(finding, BASIC, noticed) == Standing.STANDS
