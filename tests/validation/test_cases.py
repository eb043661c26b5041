"""Cases to rule on: which fault is meant, what each book makes of it, and the points then."""

from __future__ import annotations

import pytest

import bganalyze
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import Case, find_case, find_only_place
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying.places import PlaceError

ILLEGAL = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 52: 13/8 13/10              63: 14/5
  3) 41: 13/9 10/9               Doubles => 2
  4) Takes                       21: 13/11 6/5
  5) Resigns
                                  Wins 2 points

 Game 2
 Ann : 0                         Bob : 2
  1) 31: 8/5 6/5                 64: 24/14
"""
"""Line 6: Ann plays 5-3 instead of 5-2; line 7: Bob doubles after her next play."""

CRAWFORD = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) 43: 24/20 13/10             Resigns
      Wins 2 points

 Game 2
 Ann : 2                         Bob : 0
  1) 31: 8/5 6/5                 Doubles => 2
  2) Takes                       66: 24/18(2) 13/7(2)
  3) Resigns
                                  Wins 2 points

 Game 3
 Ann : 2                         Bob : 2
  1) 31: 8/5 6/5                 66: 24/18(2) 13/7(2)
"""
"""Line 13: Bob doubles in the Crawford game, and wins twice the points."""


def case_of(text: str, where: str, *names: str, noticed: str = "now") -> Case:
    """Return the case at a place, by the rule books of these names."""
    books = [RULE_BOOKS[name] for name in names or ("basic",)]
    return find_case(read_bytes(text.encode(), "a.mat"), where, books, noticed)


def standings(case: Case) -> list[Standing | None]:
    """Return the standing under each book, where it gives a ruling."""
    return [said.ruling.standing for said in case.rulings if said.ruling is not None]


@pytest.mark.parametrize(
    ("noticed", "expected"),
    [
        ("6R", [Standing.OPEN, Standing.OPEN, Standing.OPEN]),
        ("7L", [Standing.STANDS, Standing.STANDS, Standing.STANDS]),
        ("now", [Standing.STANDS, Standing.STANDS, Standing.STANDS]),
    ],
)
def test_the_moment_of_noticing_decides(noticed: str, expected: list[Standing]) -> None:
    books = "basic", "wbf", "ukbgf-2019"
    assert standings(case_of(ILLEGAL, "6L", *books, noticed=noticed)) == expected


def test_a_book_that_waits_for_the_completed_play_leaves_more_time() -> None:
    case = case_of(ILLEGAL, "1.2L", "basic", "abt-2013", noticed="6R")
    assert standings(case) == [Standing.OPEN, Standing.OPEN]
    assert "anew" in str(case.rulings[1].ruling)


def test_an_illegal_play_that_is_corrected_leaves_the_game_open() -> None:
    recorded, corrected = case_of(ILLEGAL, "6").points
    assert (recorded.points.won, recorded.points.after) == ((1, 2), (0, 2))
    assert corrected.points.won is None
    assert corrected.points.chances == pytest.approx((0.5, 0.5))


def test_a_double_in_the_crawford_game_counts_by_some_books_only() -> None:
    case = case_of(CRAWFORD, "12R", "usbgf", "dbgf-2007", "wbf")
    assert standings(case) == [Standing.OPEN, Standing.STANDS, None]
    recorded, without = case.points
    assert (recorded.points.after, without.points.after) == ((2, 2), (2, 1))


def test_a_book_without_the_fault_says_nothing() -> None:
    dead = CRAWFORD.replace("3 point", "5 point").replace("Ann : 2 ", "Ann : 4 ").replace("Wins 2 points\n\n Game 2", "Wins 4 points\n\n Game 2")  # fmt: skip
    case = case_of(dead, "12R", "usbgf", "basic")
    assert case.finding.code == "C503"
    assert all(said.finding is not None for said in case.rulings)


@pytest.mark.parametrize(
    ("where", "noticed", "said"),
    [
        ("5L", "now", "no finding to rule on; there is one at 6:"),
        ("6L", "5R", "not after the finding in line 6"),
        ("99", "now", "has no action; the last one is in line"),
        ("6L", "moon", "is no place"),
    ],
)
def test_places_that_lead_nowhere_are_one_sentence(where: str, noticed: str, said: str) -> None:
    with pytest.raises(PlaceError, match=said):
        case_of(ILLEGAL, where, noticed=noticed)


def test_a_line_stands_for_the_action_after_the_fault_on_it() -> None:
    noticed = case_of(ILLEGAL, "6L", noticed="6").noticed
    assert noticed == case_of(ILLEGAL, "6L", noticed="6R").noticed
    with pytest.raises(PlaceError, match="not after the finding in line 6"):
        case_of(ILLEGAL, "6L", noticed="6L")


def test_the_only_fault_needs_no_place() -> None:
    books = [BASIC]
    assert find_only_place(read_bytes(ILLEGAL.encode(), "a.mat"), books).startswith("6:")
    several = read_bytes(ILLEGAL.replace("10/9 ", "10/8 ").encode(), "a.mat")
    with pytest.raises(PlaceError, match=r"one of the findings: 6:\d+ \(P\d+\), 7:\d+ \(P\d+\)$"):
        find_only_place(several, books)
    with pytest.raises(PlaceError, match="no finding to rule on"):
        find_only_place(read_bytes(ILLEGAL.encode(), "a.mat"), books, "C503")


def test_quoted_clauses_are_marked_and_assumed_ones_decide_nothing() -> None:
    books: list[RuleBook] = list(RULE_BOOKS.values())
    for text, where in ((ILLEGAL, "6L"), (CRAWFORD, "12R")):
        case = find_case(read_bytes(text.encode(), "a.mat"), where, books)
        clauses = [clause for said in case.rulings if said.ruling for clause in said.ruling.clauses]
        assert clauses
        assert {str(clause.known) for clause in clauses} <= {"read", "quoted"}


# Places.

WRONG_SCORE = ILLEGAL.replace("Bob : 2", "Bob : 1")
"""Line 13: the score says that Bob won one point."""


def test_a_fault_of_a_score_line_is_found_by_its_line_and_is_about_the_game_before() -> None:
    case = case_of(WRONG_SCORE, "13", "basic", "wbf")
    assert case.finding.code == "R604"
    assert [(then.remedy, then.points.after) for then in case.points] == [
        ("by the recorded result", (0, 2)),
        ("by the next score line", (0, 1)),
    ]


def test_a_fault_that_only_the_second_book_knows_has_a_sheet() -> None:
    prohibiting = RULE_BOOKS["basic"]._replace(name="strict", beavers=False)
    beaver = (
        "bganalyze match\nlength: money\n\ngame 1\nL 31 8/5 6/5\nR double 2\nL beaver 4\nR take\n"
    )
    for books in ((BASIC, prohibiting), (prohibiting, BASIC)):
        case = find_case(read_bytes(beaver.encode(), "a.bgm"), "7", books)
        assert case.finding.code == "C508"
        faults = {said.rule_book.name: said.finding is not None for said in case.rulings}
        assert faults == {"basic": False, "strict": True}


def test_of_several_faults_at_one_place_the_code_chooses() -> None:
    board = (
        "bganalyze match\n\ngame 1\nboard L 24(2) 13(5) 8(3) 6(4) 5 R 24(2) 20 13(4) 8(3) 6(5)\n"
    )
    matches = read_bytes(board.encode(), "a.bgm")
    found = [find_case(matches, "4", [BASIC], code=code) for code in (None, "u203")]
    assert [case.finding.code for case in found] == ["U201", "U203"]
    assert "U203" in {other.code for other in found[0].others}
    with pytest.raises(PlaceError, match="no finding by rule P404 to rule on"):
        find_case(matches, "4", [BASIC], code="P404")


def test_a_side_without_a_fault_is_not_given_the_other_sides() -> None:
    with pytest.raises(PlaceError, match="no finding to rule on"):
        case_of(ILLEGAL, "6R")


def test_a_line_is_searched_in_every_match_of_the_file() -> None:
    case = case_of(f"{CRAWFORD}\n{ILLEGAL}", "26L")
    assert case.replayed.match.number == 2


def test_after_the_roll_only_books_that_wait_for_the_play_leave_time() -> None:
    books = "basic", "ukbgf-2019", "abt-2013"
    expected = [Standing.STANDS, Standing.STANDS, Standing.OPEN]
    assert standings(case_of(ILLEGAL, "6L", *books, noticed="6R:rolled")) == expected
    with pytest.raises(PlaceError, match="has no roll"):
        case_of(ILLEGAL, "6L", noticed="7R:rolled")


def test_the_time_line_goes_on_to_the_game_in_which_it_was_noticed() -> None:
    case = case_of(ILLEGAL, "6L", noticed="2.1R")
    assert case.noticed is not None
    assert any(turn.action.span == case.noticed.turn.action.span for turn in case.time_line)


def test_another_score_moves_the_crawford_game() -> None:
    """In game 1 the cube reads 2 for 4; with 4 points Bob lacks one, and game 2 is the Crawford game."""
    text = ILLEGAL.replace(
        "  4) Takes                       21: 13/11 6/5\n  5) Resigns",
        "  4) Takes                       21: 13/11 6/5\n  5) Doubles => 2\t Takes\n  6) Resigns",
    )
    case = case_of(text, "9L")
    recorded, right = (then.points for then in case.points)
    assert (recorded.after, right.after) == ((0, 2), (0, 4))
    assert (recorded.crawford_game, right.crawford_game) == (None, 2)


def test_a_result_that_is_written_before_the_plays_comes_after_them() -> None:
    """SGF states the result of a game in its first node."""
    converted = bganalyze.convert(CRAWFORD.encode(), "sgf", name="a.mat")
    matches = read_bytes(converted.text.encode(), "a.sgf")
    danish = RULE_BOOKS["dbgf-2007"]
    [fault] = [one for one in check(matches, danish) if one.code == "C503"]
    where = f"{fault.line}:{fault.column}"
    result = find_case(matches, where, [danish]).replayed.games[1].turns[-1].action.span
    assert result[:2] < (fault.line, fault.column)
    case = find_case(matches, where, [danish], f"{result.line}:{result.column}")
    assert standings(case) == [Standing.OPEN]
    assert standings(find_case(matches, where, [danish])) == [Standing.STANDS]


def test_a_play_that_was_corrected_in_time_has_no_other_remedy() -> None:
    corrected = ILLEGAL.replace("63: 14/5\n", "\n  3) 52: 13/8 13/11               63: 14/5\n")
    case = case_of(corrected, "6L")
    assert standings(case) == [Standing.CORRECTED]
    assert [then.remedy for then in case.points] == ["as recorded"]


def test_a_game_before_the_end_of_a_match_that_went_on_counts() -> None:
    too_far = CRAWFORD.replace("3 point match", "2 point match")
    case = case_of(too_far, "1", "jbf")
    recorded, ended = case.points
    assert case.finding.name == "game-after-match"
    assert ended.points.won == recorded.points.won
    assert (ended.points.final, ended.points.unneeded) == ((2, 0), 2)


WRAPPED = """\
> 5 point match
>
> Game 1
> Ann : 0                         Bob : 0
>  1) 31: 8/5 6/5                 64: 24/18
> 18/14
>  2) 52: 13/8 24/22              63: 14/8
> 8/4
>  3) 41: 6/5 24/20               21: 13/11 6/5
"""
"""A mail, in which the end of two long rows stands in a line of its own; Bob plays 8/4 with a three."""


@pytest.mark.parametrize("where", ["7R", "7:34", "8", "8R", "8:3"])
def test_a_wrapped_line_means_the_action_that_it_continues(where: str) -> None:
    finding = case_of(WRAPPED, where).finding
    assert (finding.code, finding.line, finding.side) == ("P404", 7, "right")


@pytest.mark.parametrize(
    ("where", "said"), [("8L", "no action on the left"), ("6:3", "no finding")]
)
def test_a_wrapped_line_means_no_other_action(where: str, said: str) -> None:
    with pytest.raises(PlaceError, match=said):
        case_of(WRAPPED, where)


def test_a_line_of_another_row_continues_nothing() -> None:
    with pytest.raises(PlaceError, match="line 8 has no action; the next one is in line 9"):
        case_of(WRAPPED.replace("> 8/4", ">").replace("14/8", "14/9"), "8")


@pytest.mark.parametrize(
    ("noticed", "said"),
    [("6L", "6L: this is not after the finding in line 6; the next line with an action is 7"),
     ("5", "5: this is not after the finding in line 6; the next line with an action is 7")],
)  # fmt: skip
def test_too_early_a_moment_is_refused_with_the_next_line(noticed: str, said: str) -> None:
    with pytest.raises(PlaceError, match=said):
        case_of(ILLEGAL, "6L", noticed=noticed)


def test_no_moment_follows_the_last_line() -> None:
    with pytest.raises(PlaceError, match="in line 9; no later line has an action"):
        case_of(WRAPPED.replace("24/20", "24/21"), "9L", noticed="9L")


def test_a_score_line_that_no_win_gives_is_a_reading_of_its_own() -> None:
    case = case_of(
        ILLEGAL.replace("Ann : 0                         Bob : 2", "Ann : 1      Bob : 2"), "13"
    )
    recorded, by_score = case.points
    assert (recorded.remedy, recorded.points.after) == ("by the recorded result", (0, 2))
    assert (by_score.remedy, by_score.points.after) == ("by the next score line", (1, 2))
    assert by_score.points.won is None
    assert by_score.contradicted_by == (
        "Ann resigns (line 9)",
        "the result is written otherwise (line 10)",
    )


def test_a_wrong_starting_score_is_compared_with_none() -> None:
    text = CRAWFORD.replace("Ann : 0                         Bob : 0", "Ann : 0      Bob : 1", 1)
    case = case_of(text, "4", "basic")
    assert case.finding.code == "R604"
    assert [(then.remedy, then.points.after) for then in case.points] == [
        ("by the starting score written", (2, 1)),
        ("from 0 – 0", (2, 0)),
    ]
