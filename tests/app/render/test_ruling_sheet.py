"""The sheet of a ruling: its first lines, whose time limit holds, and chances to win."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bganalyze
from bganalyze.app.render.document import Diagram, Diagrams
from bganalyze.app.render.findings.explained import list_likely_slips
from bganalyze.app.render.output_options import plain_output_options
from bganalyze.app.render.ruling import make_ruling_sheet, render_markdown, render_text, sheet_page
from bganalyze.board.rule_book import BASIC
from bganalyze.record.reader import read_bytes
from bganalyze.validation.cases import Case, find_case, find_only_place
from tests.validation.test_cases import CRAWFORD, ILLEGAL, case_of

MARKED = """\
bganalyze match
length: 3
left: Ann
right: Bob

game 1
score 0-0
board L 19 15 6(2) R 20 1(2) cube 1 turn L
L 55 illegal leaves board L 10 6(3) R 20 1(2) cube 1 turn R
R 41 20/16 16/15
L resigns 3
"""
"""Ann's 5-5 is marked as illegal: 19/6 is 13 pips. She resigns the game, and so the match."""

PLAIN = plain_output_options()

UNPROVED = "1 ended by resignation, for the points recorded"


def words_of(case: Case) -> str:
    """Return the sheet as text, in one line."""
    return " ".join("".join(render_text(case, None, plain_output_options())).split())


def test_the_first_lines_are_the_verdict_in_every_form() -> None:
    case = case_of(MARKED, "9", "wbf")
    text = "".join(render_text(case, None, plain_output_options())).splitlines()
    assert text[0].startswith(
        "verdict: illegal play by Ann in game 1: the record itself calls the play of 5-5 illegal"
    )
    assert text[1:5] == [
        "correction: too late by the base rule (the time limit of wbgf-2.1 is not known here)",
        "director: look up the time limit in clause 4.2 of World Backgammon Federation, Tournament Rules 2.1 (not read here)",
        "to the players: the play is illegal, but it is too late to correct it: it stands, unless the clause to look up sets another time limit",
        f"result: Ann 0, Bob 3 as recorded (Bob wins); follows from 1 game ({UNPROVED})",
    ]
    page = sheet_page(case)
    markdown = "".join(render_markdown(case, None, plain_output_options()))
    assert '<h1 id="c1">Ruling: illegal play, 5-5, game 1 (P499)</h1>' in page
    for form in (page, markdown):
        places = [form.index(line.partition(": ")[2][:20]) for line in text[:5]]
        assert places == sorted(places)
        assert places[-1] < form.index("What happened")


def test_a_limit_of_the_base_rule_is_named_as_such() -> None:
    words = words_of(case_of(MARKED, "9", "wbf"))
    assert "nobody" not in words
    for said in (
        "from here it stands by the base rule (the time limit of wbgf-2.1 is not known here)",
        "director: look up the time limit in clause 4.2 of World Backgammon Federation, Tournament Rules 2.1 (not read here)",
        "is corrected. By the base rule, only before the next roll.",
        "too late by the base rule (the time limit of wbgf-2.1 is not known here); shown",
    ):
        assert said in words.replace("stands by the base rule director", ""), said


@pytest.mark.parametrize(
    ("text", "place", "books", "sentence"),
    [
        (MARKED, "9", ("basic",), "illegal, but it is too late to correct it: it stands result:"),
        (ILLEGAL, "6L", ("basic",), "to the players: "),
        (MARKED, "9", ("wbf", "usbgf"), ""),
    ],
)
def test_players_are_told_what_one_book_makes_of_it(
    text: str, place: str, books: tuple[str, ...], sentence: str
) -> None:
    words = words_of(case_of(text, place, *books))
    assert sentence in words
    assert ("to the players: " in words) == bool(sentence)


def test_an_assumed_clause_is_not_on_the_sheet() -> None:
    assert "An illegal play stands once" not in words_of(case_of(MARKED, "9", "wbf"))


def test_both_players_can_sign() -> None:
    form = words_of(case_of(ILLEGAL, "6L")).rpartition("Decision ")[2]
    assert [name in form for name in ("Director", "Ann", "Bob")] == [True] * 3


def test_a_book_that_states_its_limit_is_not_called_the_base_rule() -> None:
    words = words_of(case_of(ILLEGAL, "6L", "usbgf"))
    assert "base rule" not in words
    assert "from here it stands by usbgf-2024" in words
    assert "too late by usbgf-2024; shown for comparison" in words
    mixed = words_of(case_of(ILLEGAL, "6L", "usbgf", "wbf"))
    assert "too late by all books (by the base rule for wbgf-2.1: no time limit" in mixed


def test_a_disputed_result_leaves_the_decision_open() -> None:
    text = ILLEGAL.replace("13/8 13/10  ", "13/11 13/8").replace("Bob : 2", "Bob : 1")
    facts = dict(make_ruling_sheet(case_of(text, "13")).chapters[0].facts)
    assert facts["Verdict"].startswith("the result of game 1 is disputed: ")
    assert facts["Director"] == "decide which result counts"
    assert "disputed: " in facts["Result"]
    assert "(R604)" in facts["Result"]
    assert "follows from" not in facts["Result"]


def test_what_is_open_by_the_base_rule_is_not_said_to_be_open_by_the_book() -> None:
    case = case_of(ILLEGAL, "6L", "wbf", noticed="6R")
    facts = dict(make_ruling_sheet(case).chapters[0].facts)
    assert facts["Correction"] == (
        "still possible by the base rule (the time limit of wbgf-2.1 is not known here)"
    )
    words = words_of(case)
    assert "can still be corrected by the base rule" in words
    assert "still possible by wbgf-2.1" not in words


@pytest.mark.parametrize(
    ("noticed", "director", "correction"),
    [
        ("6R", "either player may act", "still possible by basic"),
        ("now", "nothing to correct: it is too late", "too late by basic"),
    ],
)
def test_the_director_acts_only_while_there_is_time(
    noticed: str, director: str, correction: str
) -> None:
    facts = dict(make_ruling_sheet(case_of(ILLEGAL, "6L", noticed=noticed)).chapters[0].facts)
    assert (facts["Director"], facts["Correction"]) == (director, correction)


def test_a_match_that_is_won_has_chances_only_before_the_play() -> None:
    words = words_of(case_of(MARKED, "9")).partition("The points")[2]
    assert "50.0 %" in words
    assert "100.0 %" not in words
    assert "those before game 1, of players of equal strength" in words
    going_on = words_of(case_of(ILLEGAL, "6L"))
    assert "those after game 1; before it where the game is open" in going_on


def test_a_play_marked_as_illegal_refers_to_its_boards() -> None:
    words = words_of(case_of(MARKED, "9"))
    assert "Ann 55: play marked as illegal; see the boards" in words
    assert "no play recorded" not in words
    assert "18 pips moved of 20; no steps of 5 do that" in words


def test_a_forbidden_double_has_a_title_of_its_own() -> None:
    (chapter,) = make_ruling_sheet(case_of(CRAWFORD, "12R", "wbf")).chapters
    assert chapter.title == "Ruling: double, game 2 (C503)"
    assert dict(chapter.facts)["Correction"] == "no rule book here is known to say"


def test_the_first_lines_say_what_the_book_says_if_this_is_the_crawford_game() -> None:
    late = CRAWFORD[CRAWFORD.index(" Game 2") :].replace("Bob : 0", "Bob : 1")
    case = f" 3 point match\n\n{late}"
    facts = dict(make_ruling_sheet(case_of(case, "5R", "usbgf")).chapters[0].facts)
    assert facts["Correction"].startswith(
        "by usbgf-2024: if this is the Crawford game: the double is void whenever it is noticed"
    )
    assert "clause 4.4.8" in facts["Correction"]
    assert facts["Director"].startswith("find out whether this was the Crawford game")
    assert "perhaps the Crawford game" in facts["Score before game 1"]
    silent = dict(make_ruling_sheet(case_of(case, "5R")).chapters[0].facts)
    assert silent["Correction"] == "no rule book here is known to say"


def test_a_first_game_at_match_point_against_no_point_is_ruled_on_as_the_crawford_game() -> None:
    late = CRAWFORD[CRAWFORD.index(" Game 2") :]
    facts = dict(
        make_ruling_sheet(case_of(f" 3 point match\n\n{late}", "5R", "usbgf")).chapters[0].facts
    )
    assert facts["Verdict"] == "at 2-0 this is the Crawford game: neither side may double"
    assert facts["Director"] == "both players must act"
    assert "match to 3 points, Crawford game" in facts["Score before game 1"]


SLIP = """\
 5 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2) 41: 24/23 13/8              63: 14/5
  3) 42: 9/5 13/11               21: 13/11 6/5
  4) 61: 11/5 23/22              31: 8/5 6/5
  5) 52: 13/8 13/11              43: 13/9 13/10
"""
"""Line 6: Ann plays 13/8 with a four; line 7: she has a checker on the 9 point, not on the 8 point."""


def draw_sheet(text: str, place: str) -> Diagram:
    """Return the boards of a sheet."""
    blocks = make_ruling_sheet(case_of(text, place)).chapters[0].parts[0].blocks
    (diagrams,) = (block for block in blocks if isinstance(block, Diagrams))
    return diagrams.diagrams[0]


def test_the_boards_are_those_of_the_play_as_written() -> None:
    drawn = draw_sheet(SLIP, "6L")
    assert case_of(SLIP, "6L").finding.reading == "24/23 13/9 instead"
    assert drawn.scene is not None
    assert drawn.after is not None
    assert drawn.after_title == "After, as recorded"
    before, after = drawn.scene.position.own, drawn.after.position.own
    moved = {point: after[point] - before[point] for point in range(26)}
    assert {point: count for point, count in moved.items() if count} == {
        24: -1,
        23: 1,
        13: -1,
        8: 1,
    }
    assert drawn.scene.arrows == ((24, 23), (13, 8))
    assert "After, as recorded:" in "".join(render_text(case_of(SLIP, "6L"), None, PLAIN))
    assert "After, as recorded" in sheet_page(case_of(SLIP, "6L"))


def test_a_step_without_a_checker_has_no_arrow_and_is_named() -> None:
    drawn = draw_sheet(SLIP.replace("24/23 13/8 ", "22/21 13/9 "), "6L")
    assert drawn.scene is not None
    assert drawn.after is not None
    assert drawn.after_title == "After, as recorded, without 22/21"
    assert drawn.scene.arrows == ((13, 9),)
    assert drawn.after.position.own[21] == 0


def test_a_dance_that_is_illegal_has_one_board() -> None:
    drawn = draw_sheet(SLIP.replace("24/23 13/8 ", "           "), "6L")
    assert drawn.after is None


LIKELY_SLIP = "line 6, 41: 24/23 13/8 → 41: 24/23 13/9; the rest of the game then replays (proved)"


def test_the_first_lines_say_that_a_contradicted_play_is_probably_a_slip() -> None:
    sheet = bganalyze.ruling(SLIP.encode(), "6L", name="a.mat")
    text = sheet.render().splitlines()
    assert text[0] == (
        "verdict: illegal play by Ann in game 1, if it was really played so: "
        "13/8 needs a 5, but the roll is 4-1; it was probably written down wrong"
    )
    assert text[1] == f"most likely: {LIKELY_SLIP}"
    assert (
        "to the players: if it was really played so, the play is illegal, but it is too late to "
        "correct it: it stands"
    ) in text
    for words in ("if it was really played so", "24/23 13/9; the rest of the game then replays"):
        assert words in sheet.render("html")
        assert words in sheet.render("markdown")
    [slip] = json.loads(sheet.render("json"))["slips"]
    assert (slip["line"], slip["message"]) == (6, "41: 24/23 13/8 → 41: 24/23 13/9")
    assert slip["proved"]


def test_the_slip_is_the_one_that_a_check_names() -> None:
    [finding] = (one for one in bganalyze.check(SLIP.encode(), name="a.mat") if one.code == "P404")
    sheet = bganalyze.ruling(SLIP.encode(), "6L", name="a.mat")
    assert sheet.finding.proposals == finding.proposals
    [*words] = list_likely_slips(finding)
    shown = dict(make_ruling_sheet(sheet.case).chapters[0].facts)
    assert [(label.capitalize(), text) for label, text in words] == [
        (label.capitalize(), shown[label.capitalize()]) for label, _ in words
    ]


def test_without_a_search_the_reading_is_named() -> None:
    facts = dict(make_ruling_sheet(case_of(SLIP, "6L")).chapters[0].facts)
    assert facts["Read as"].startswith("24/23 13/9 instead: what follows fits this")


def test_a_play_that_nothing_contradicts_is_no_probable_slip() -> None:
    sheet = bganalyze.ruling(ILLEGAL.encode(), "6L", name="a.mat")
    text = sheet.render()
    assert text.startswith("verdict: illegal play by Ann in game 1: ")
    assert "written down wrong" not in text.partition("What happened")[0]
    assert json.loads(sheet.render("json"))["slips"] == []


FAULTY = Path(__file__).parents[3] / "samples" / "faulty"


def facts_and_words(sample: str) -> tuple[dict[str, str], str]:
    """Return the first lines of the sheet on the only error of a sample, and the whole as words."""
    matches = read_bytes((FAULTY / sample).read_bytes(), sample)
    case = find_case(matches, find_only_place(matches, [BASIC]), [BASIC])
    return dict(make_ruling_sheet(case).chapters[0].facts), words_of(case)


def test_a_score_is_told_with_the_lines_that_it_comes_from() -> None:
    facts, words = facts_and_words("R604-score-mismatch.mat")
    assert facts["Result"].startswith(
        "Ada Quill 1, Cleo Hart 3 by the last score line and result (Cleo Hart wins); "
        "Ada Quill 0, Cleo Hart 3 by the games (Cleo Hart wins); disputed: "
    )
    assert "by the recorded result Cleo Hart 1 point 0 – 1 0 – 3, Cleo Hart wins" in words
    assert "by the next score line no win gives this score 1 – 1 1 – 3, Cleo Hart wins" in words
    assert "as recorded" not in words


def test_a_wrong_starting_score_is_no_disputed_game() -> None:
    facts, words = facts_and_words("R604-first-score.mat")
    assert facts["Verdict"].startswith("the starting score is disputed: the score is written 0-1")
    assert facts["Director"] == "decide which score counts"
    assert "6 score line in question 7 Bruno Vale 65: 24/13 7 Dario Fenn" in words
    assert "the action in question" not in words


def test_a_header_with_another_score_is_compared_with_the_games() -> None:
    facts, words = facts_and_words("R611-final-score.txt")
    assert facts["Result"].startswith(
        "quillfeather 2, valeboat 1 by the header (undecided); "
        "quillfeather 3, valeboat 1 by the games (quillfeather wins)"
    )
    points = words.partition("The points")[2]
    assert "by the header 2 – 1 by the games 3 – 1, quillfeather wins" in points
    assert "5 line of the finding in question" in words
