"""Text that went through mail, a web page, a word processor or an editor is read as if it had not."""

from __future__ import annotations

import re
import textwrap
from functools import cache
from itertools import cycle, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bganalyze.record.cleaning.clean import CLEANINGS, Cleaned, Cleaning
from bganalyze.record.cleaning.layers import Replacement, replace_parts
from bganalyze.record.cleaning.pages import find_entities
from bganalyze.record.model import Answer, Match, Play, Resignation, Result, Span
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import parse_line, read_bytes
from bganalyze.validation.checking import check
from tests import same
from tests.pasting import FORMS, PAIRS, Form, paste, wrap_lines

SAMPLES = ("gnubg.mat", "redoubles.mat", "studio.txt", "dueller.mat")
TEXTS = {
    path.name: path.read_text(encoding="utf-8")
    for path in map(Path("samples/clean").joinpath, SAMPLES)
    if path.exists()
}
HEAD = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
ROWS = "".join(
    f"{number:3}) {left:31}{right}\n"
    for number, (left, right) in enumerate(
        (
            ("31: 8/5 6/5", "42: 8/4 6/4"),
            ("65: 24/13", "61: 13/7 8/7"),
            ("64: 24/14", "52: 13/11* 13/8"),
            ("66:", "Doubles => 2"),
            ("Takes", "31: 6/3* 4/3"),
        ),
        start=1,
    )
)
TEXT = HEAD + ROWS


def clean(text: str) -> Cleaned:
    """Return the text after all cleanings."""
    return Cleaned(text).clean(CLEANINGS)


@cache
def read_text(text: str, name: str) -> Match:
    """Return the first match of a text."""
    return read_bytes(text.encode(), name)[0]


@cache
def codes(text: str) -> list[str]:
    """Return the codes of errors and warnings."""
    return [
        finding.code
        for finding in check(read_bytes(text.encode(), "a.mat"))
        if finding.severity != "info"
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("form", "name"),
    [
        *product(FORMS, TEXTS),
        *zip(PAIRS, cycle(TEXTS), strict=False),
    ],
)
def test_a_form_changes_neither_match_nor_findings(form: str, name: str) -> None:
    damaged = paste(TEXTS[name], form)
    clean_match, damaged_match = (read_text(text, name) for text in (TEXTS[name], damaged))
    assert damaged_match.names == clean_match.names
    assert same.games(damaged_match) == same.games(clean_match)
    assert codes(damaged) == codes(TEXTS[name])


@pytest.mark.slow
@pytest.mark.parametrize("form", [*FORMS, *PAIRS])
def test_places_are_those_of_the_file(form: str) -> None:
    damaged = paste(TEXT, form)
    (match,) = read_bytes(damaged.encode(), "a.mat")
    first = next(match.plays())
    text = match.source.text_at(first.span)
    assert "".join(text.split()).startswith(("31", "3/1", "3x1", "\uff13"))
    shown = [match.source.text_at(first.place(step)) for step in range(2)]
    assert [len(word) >= 3 for word in shown] == [True, True]


@pytest.mark.parametrize("form", [*FORMS, *PAIRS])
def test_each_cleaning_is_said_once_and_never_to_a_clean_text(form: str) -> None:
    damaged = paste(TEXT, form)
    notes = clean(damaged).notes()
    assert len({note.text.lstrip("0123456789, ") for note in notes}) == len(notes)
    assert clean(TEXT).notes() == ()
    lines = damaged.split("\n")
    for note in notes:
        assert note.span.end_column <= len(lines[note.span.line - 1]) + 1


def test_an_error_keeps_its_place_and_is_not_explained_away() -> None:
    quoted = paste(TEXT.replace("65: 24/13", "65: 24/12"), "mail quotes")
    found = check(read_bytes(quoted.encode(), "a.mat"))
    (finding,) = (one for one in found if one.severity == "error")
    line = quoted.split("\n")[finding.line - 1]
    assert line[finding.column - 1 : finding.end_column - 1] == "24/12"


@pytest.mark.parametrize(
    ("rows", "winner"),
    [
        ("1) 52: 13/8 24/22 31: 8/5 6/5\n2) Doubles => 2 Drops\nWins 1 point\n", 0),
        ("1) 52: 13/8 24/22 31: 8/5 6/5\n2) 65: 24/13 Doubles => 2\n3) Drops Wins 1 point\n", 1),
    ],
)
def test_without_columns_the_turn_says_whose_a_cell_is(rows: str, winner: int) -> None:
    more = "".join(f"Game {n}\nAnn : 0 Bob : 0\n1) 31: 8/5 6/5 42: 8/4 6/4\n" for n in (2, 3, 4))
    text = f"5 point match\nGame 1\nAnn : 0 Bob : 0\n{rows}{more}"
    (match,) = read_bytes(text.encode(), "a.mat")
    (result,) = (act for act in match.games[0].actions if type(act).__name__ == "Result")
    assert result.side == winner


def test_without_columns_the_first_row_of_the_second_player_is_his() -> None:
    rows = "1) 31: 8/5 6/5\n2) 42: 8/4 6/4 65: 24/13\n3) 61: 13/7 8/7 52: 13/8 24/22\n4) 43: 24/20 13/10 21: 6/4 24/23\n"
    (match,) = read_bytes(f"5 point match\nGame 1\nAnn : 0 Bob : 0\n{rows}".encode(), "a.mat")
    assert [play.side for play in match.plays()] == [1, 0, 1, 0, 1, 0, 1]


def test_a_closed_gap_is_opened_only_if_the_answer_agrees() -> None:
    closed = TEXT.replace("66:                            Doubles", "66: Doubles")
    assert closed != TEXT
    assert codes(closed) == codes(TEXT)
    other = closed.replace(
        "Takes                          ", "                               Takes  "
    )
    assert "C502" in codes(other)


def test_results_at_the_margin_are_whose_the_passes_say() -> None:
    game = " Game {0}\n Ann : {1}                         Bob : {2}\n  1) 31: 8/5 6/5                  {3}\n"
    passed, doubled = (
        "Doubles => 2\n  2)  Drops\n   Wins 1 point\n",
        "42: 8/4 6/4\n  2)  Doubles => 2                Drops\n   Wins 1 point\n",
    )
    games = game.format(1, 0, 0, passed), game.format(2, 0, 1, doubled)
    (match,) = read_bytes(f" 5 point match\n\n{games[0]}\n{games[1]}".encode(), "a.mat")
    assert [played.actions[-1].side for played in match.games] == [1, 0]
    (match,) = read_bytes(f" 5 point match\n\n{games[0]}".encode(), "a.mat")
    assert [played.actions[-1].side for played in match.games] == [0]  # A slip, for all one knows.
    stripped = "".join(f"{line.strip()}\n" for line in f"5 point match\n\n{games[0]}".split("\n"))
    (match,) = read_bytes(stripped.encode(), "a.mat")
    assert [played.actions[-1].side for played in match.games] == [1]  # No offset says anything.


def test_the_end_of_the_match_says_who_won_the_last_game_without_columns() -> None:
    text = (
        " 5 point match\n\n Game 1\n Ann : {}                         Bob : {}\n"
        "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
        "  2) 65: 24/13                    61: 13/7 8/7\n"
        "  3) 52: 13/8 13/11\n Wins 4 points and the match\n"
    )
    for points, winner in ((0, 1), 1), ((1, 0), 0):
        collapsed = paste(text.format(*points), "runs of spaces collapsed")
        (match,) = read_bytes(collapsed.encode(), "a.mat")
        assert match.games[0].actions[-1].side == winner


@pytest.mark.parametrize("label", ["", " 4)"])
@pytest.mark.parametrize(("points", "winner"), [((0, 1), 1), ((1, 0), 0)])
def test_a_result_behind_one_tab_is_given_to_the_winner(
    label: str, points: tuple[int, int], winner: int
) -> None:
    text = (
        "5 point match\n\nGame 1\nAnn : 0\tBob : 0\n 1) 31: 8/5 6/5\t42: 8/4 6/4\n"
        " 2) 65: 24/13\t61: 13/7 8/7\n 3) 52: 13/8 13/11\t43: 13/10 13/9\n"
        f"{label}\tWins 1 point\n\nGame 2\nAnn : {points[0]}\tBob : {points[1]}\n 1) 31: 8/5 6/5\n"
    )
    (match,) = read_bytes(text.encode(), "a.mat")
    assert match.games[0].actions[-1].side == winner
    assert not [finding for finding in check([match]) if finding.severity != "info"]


@pytest.mark.parametrize("form", ["a tab for each gap", "runs of spaces collapsed"])
@pytest.mark.parametrize(("loss", "winner"), [("", 1), (" Losses 4 points\n\n", 0)])
def test_a_loss_says_that_the_last_side_to_act_resigned(form: str, loss: str, winner: int) -> None:
    text = (
        " 5 point match\n\n Game 1\n Ann : 1                         Bob : 1\n"
        "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
        "  2) 65: 24/13                    61: 13/7 8/7\n"
        "  3) 52: 13/8 13/11               43:\n"
        f"{loss}      Wins 4 points and the match\n"
    )
    (match,) = read_bytes(paste(text, form).encode(), "a.mat")
    assert match.games[0].actions[-1].side == winner


@pytest.mark.parametrize(("borne_off", "winner"), [("6/off 5/off 3/off(2)", 0), ("6/off 5/off", 1)])
def test_a_side_far_ahead_in_bearing_off_is_likely_to_win(borne_off: str, winner: int) -> None:
    text = (
        " 5 point match\n\n Game 1\n Ann : 4                         Bob : 4\n"
        "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
        f"  2) 33: {borne_off}              61: 13/7 8/7\n"
        "  3) 52: 13/8 13/11               43: 13/10 13/9\n"
        "      Wins 1 point and the match\n"
    )
    (match,) = read_bytes(paste(text, "runs of spaces collapsed").encode(), "a.mat")
    assert match.games[0].actions[-1].side == winner


def test_the_values_of_a_header_in_strings_are_read() -> None:
    text = f'; [Site "BackgammonGalaxy"]\n{HEAD}{ROWS}'
    (match,) = read_bytes(paste(text, "strings of a script").encode(), "a.txt")
    assert [(tag.key, tag.value) for tag in match.tags] == [("Site", "BackgammonGalaxy")]


def test_straight_and_curly_quotes_around_strings_of_a_script_are_read_alike() -> None:
    straight = paste(f'; [Site "Club"]\n{HEAD}{ROWS}', "strings of a script")
    curly = paste(straight, "curly quotes")
    single = straight.replace('(["', "([\u2018").replace('\n"', "\n\u2018")
    single = single.replace('",', "\u2019,").replace('"])', "\u2019])")
    matches = [read_bytes(one.encode(), "a.txt")[0] for one in (straight, curly, single)]
    assert ("\u201c" in curly, "\u2018" in single) == (True, True)
    assert (
        len({(match.names, match.tags[0].value, str(same.games(match))) for match in matches}) == 1
    )
    assert [note.text.split()[1:3] for note in clean(curly).notes()] == [
        ["HTML", "tags"],
        ["curly", "quotes"],
        ["string", "marks"],
    ]


def test_a_page_number_between_a_loss_and_a_win_changes_no_side() -> None:
    text = f"{HEAD}{ROWS} Losses 1 point\n\n   - 3 -\n\n      Wins 1 point\n"
    (match,) = read_bytes(text.encode(), "a.mat")
    resignations = [one for one in match.games[0].actions if isinstance(one, Resignation)]
    assert [resignation.side for resignation in resignations] == [1]


@pytest.mark.parametrize("between", ["", "\n   - 3 -\n\n", "What a lucky escape, Bob!\n"])
def test_a_win_below_a_loss_is_the_opponents_whatever_is_between(between: str) -> None:
    text = f"{HEAD}{ROWS}  6)  Losses 1 point\n{between}      Wins 1 point\n"
    (match,) = read_bytes(text.encode(), "a.mat")
    assert [
        (one.side, one.points) for one in match.games[0].actions if isinstance(one, Result)
    ] == [(1, 1)]


def test_a_result_wrapped_behind_the_loss_of_its_row_is_joined_to_it() -> None:
    loss = "  6)  Losses 1 point".ljust(66)
    (match,) = read_bytes(f"{HEAD}{ROWS}{loss}\nWins 1 point\n".encode(), "a.mat")
    assert [(action.side, action.row) for action in match.games[0].actions[-2:]] == [
        (0, "6"),
        (1, "6"),
    ]


@pytest.mark.parametrize(("points", "side"), [("0 1", 1), ("1 0", 0), ("", 1)])
def test_a_result_below_a_loss_is_the_opponents_unless_the_next_score_contradicts(
    points: str, side: int
) -> None:
    left, _, right = points.partition(" ")
    score = f" Ann : {left}                         Bob : {right}\n"
    next_game = f"\n Game 2\n{score}{ROWS}" if points else ""
    text = f"{HEAD}{ROWS}  6)  Losses 1 point\n      Wins 1 point\n{next_game}"
    game = read_bytes(text.encode(), "a.mat")[0].games[0]
    assert [action.side for action in game.actions if isinstance(action, Result)] == [side]


def test_two_rows_without_any_gap_have_lost_their_columns() -> None:
    text = (
        " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1)                              21: 13/11 6/5\n"
        "  2) 63: 24/18 18/15              44: 24/20(2) 13/9(2)\n"
        "  3) 32: 24/21 15/13              Doubles => 2\n  4)  Drops\n"
    )
    collapsed = paste(text, "runs of spaces collapsed")
    (match,) = read_bytes(collapsed.encode(), "a.mat")
    assert [play.side for play in match.plays()] == [1, 0, 1, 0]


def test_blanks_at_the_ends_of_rows_are_no_wrapped_gaps() -> None:
    rows = "".join(f"{line:70}\n" for line in ROWS.splitlines()[:3])
    text = f"{HEAD}{rows}  4)  Doubles => 2                 Drops                 \n      Wins 1 point\n"
    assert clean(text).notes() == ()


def test_names_with_separate_accents_are_those_with_one_character() -> None:
    names = TEXT.replace("Ann", "Jos\u00e9").replace("Bob", "\u30b6\u30ab")
    (match,) = read_bytes(paste(names, "decomposed accents").encode(), "a.mat")
    assert match.names == ("Jos\u00e9", "\u30b6\u30ab")


def test_tabs_that_only_separate_cells_stay() -> None:
    text = "5 point match\nGame 1\nAnn : 0   Bob : 0\n1)\t31: 8/5 6/5\t42: 8/4 6/4\n2)\t65: 24/13\t61: 13/7 8/7\n3)\t52: 13/8\t43: 24/20 13/10\n"
    assert [note.text for note in clean(text).notes()] == []
    (match,) = read_bytes(text.encode(), "a.mat")
    assert [play.side for play in match.plays()] == [0, 1] * 3


@given(
    text=st.text(alphabet="ab 1:\n", max_size=30),
    cuts=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3), st.sampled_from(["", "xyz"]))),
)
def test_kept_characters_have_the_place_they_had(
    text: str, cuts: list[tuple[int, int, str]]
) -> None:
    parts: list[Replacement] = []
    for start, length, new in sorted(cuts):
        end = min(start + length, len(text))
        if start < end and (not parts or start >= parts[-1].end):
            parts.append(Replacement(start, end, new))
    layer = replace_parts(text, parts)
    for at, sign in enumerate(layer.text):
        start, end = layer.find_old_start(at), layer.find_old_end(at + 1)
        assert 0 <= start < end <= len(text)
        if sign not in "xyz":
            assert text[start:end] == sign


ODD = st.text(
    alphabet="12345 /:*().>=&;<\t\n\u00a0\u200b\u2192\uff11\u2028\x00Doubles Takes Wins point bar",
    max_size=400,
)


@given(ODD)
def test_any_text_is_cleaned_and_its_places_are_within_it(text: str) -> None:
    cleaned = clean(text)
    before = text.split("\n")
    for number, line in enumerate(cleaned.text.split("\n"), start=1):
        span = cleaned.find_original_place(Span(number, 1, len(line) + 1))
        assert 1 <= span.line <= len(before)
        assert 1 <= span.column <= span.end_column <= len(before[span.line - 1]) + 1


@pytest.mark.slow
@given(st.sampled_from([*FORMS, *PAIRS]), st.data())
def test_a_damaged_text_in_a_form_is_read_or_refused(form: str, data: st.DataObject) -> None:
    damaged = paste(TEXT, form)
    at = data.draw(st.integers(0, len(damaged)))
    cut = data.draw(st.integers(0, 40))
    text = damaged[:at] + data.draw(st.text(max_size=3)) + damaged[at + cut :]
    try:
        matches = read_bytes(text.encode("utf-8", "surrogatepass"), "a.mat")
    except NotATranscript:
        return
    check(matches)


@pytest.mark.slow
@pytest.mark.parametrize("cleaning", CLEANINGS, ids=lambda cleaning: cleaning.name)
def test_a_cleaning_looks_at_each_character_a_few_times(cleaning: Cleaning) -> None:
    """Texts of one sign over and over take patterns the longest."""
    for sign in (
        " ",
        "\t",
        "\n",
        ">",
        "> ",
        "=",
        "=\n",
        "&",
        "<",
        "1",
        "1/",
        "31: ",
        "1) 31: ",
        "*",
        "?",
        "\u00a0",
        "; x\n",
        "1) x | ",
        "1\t31\t",
        "Game 1\n",
        "Ann 0 - ",
        "3.3.26, 20:15 - ",
        "a \u2014 ",
        "1) \u2682",
        ",;",
    ):
        list(cleaning.find(sign * (20_000 // len(sign))))


def test_steps_on_a_wrapped_line_stay_within_the_first() -> None:
    text = TEXT.replace("  3) 64: 24/14", "  3) 64: 24/18\n18/14")
    (match,) = read_bytes(text.encode(), "a.mat")
    plays = [act for act in match.games[0].actions if type(act) is Play]
    assert all(play.span.line <= len(match.source.lines) for play in plays)


def test_steps_below_their_roll_have_a_place_in_the_line_of_the_roll() -> None:
    (match,) = read_bytes(b" 18) 21 7/5 1/0           51\n1/0 51:\n9/5", "a.mat")
    lines = match.source.lines
    for play in match.plays():
        for place in map(play.place, range(len(play.steps))):
            assert 1 <= place.column <= place.end_column <= len(lines[place.line - 1]) + 1


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("  2) 65: 24-13", "  2) 65: 24/13"),
        ("  2) 33: 8-5 8-5 6-3 6-3", "  2) 33: 8/5 8/5 6/3 6/3"),
        ("  2) 43: 24/20*13/10", "  2) 43: 24/20* 13/10"),
        ("  2) 43: 24/20?! 13/10!", "  2) 43: 24/20 13/10"),
        (f"{'  2)':34}41: 41: 24/23 13/9", f"{'  2)':34}41: 24/23 13/9"),
        (f"{'  2) 52: 13/8':34}41: 41: 24/23 13/9", f"{'  2) 52: 13/8':34}41: 24/23 13/9"),
    ],
)
def test_spellings_of_cells(written: str, usual: str) -> None:
    head, first = TEXT.split("  1)")[0], "  1) 31: 8/5 6/5                   42: 8/4 6/4\n"
    assert clean(f"{head}{first}{written}\n").text == f"{head}{first}{usual}\n"


@pytest.mark.parametrize(
    "text",
    [
        "  2) 66: 66: 24/18(2)",  # The left side may have danced with the same roll.
        " Ann <b>B : 0                  Bob & Co. : 0",
        " Jean\u2013Paul : 0             O\u2019Neil : 0",
        "; a remark -> with signs => 1-2",
    ],
)
def test_what_may_be_meant_so_stays(text: str) -> None:
    assert clean(f"{TEXT}{text}\n").notes() == ()


PLAIN = """\
 5 point match

 Game 1
 Ann : 0                             Bob : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
  2) 65: 24/13                       61: 13/7 8/7
  3) 52: 13/8 13/11                  43: 13/9 13/10
      Wins 1 point
"""
HEADED = f'; [Transcriber "Somebody of the club of the town"]\n{PLAIN}'


@pytest.mark.parametrize(
    "text",
    [
        HEADED.replace(" 5 point match\n", "Match length: 5\n"),
        HEADED.replace(" 5 point match\n", "Money session\n"),
        HEADED.replace("      Wins", "; Bob gave up because he was late for his train\n      Wins"),
        HEADED.replace(" 5 point", "; Score sheet ==========\n; http://x/?a=3D1\n 5 point"),
        PLAIN.replace("Ann", "<p>"),
        PLAIN.replace("8/7\n", "8/7 ; 4-2 would pass\n"),
        '; [Player 1 "D\u2019Ann"]\n' + PLAIN.replace("Ann", "D\u2019Ann"),
        PLAIN.replace("Ann", "Team 1\u20132"),
        PLAIN.replace("Ann", "\u9078\u624b\uff11\uff08\u6771\uff09"),
    ],
)
def test_a_text_that_is_right_stays(text: str) -> None:
    assert clean(text).notes() == ()


def test_a_stray_line_of_steps_moves_no_result() -> None:
    (match,) = read_bytes(PLAIN.replace("8/7\n", "8/7\n     24/18 13/8\n").encode(), "a.mat")
    result = match.games[0].actions[-1]
    assert (type(result).__name__, result.side) == ("Result", 0)


@pytest.mark.parametrize(
    ("score", "winner"),
    [("Ann : 0  Bob : 1", 1), ("Bob : 1  Ann : 0", 1), ("Bob : 0  Ann : 1", 0)],
)
def test_without_columns_the_next_score_names_the_winner_wherever_he_sits(
    score: str, winner: int
) -> None:
    second = PLAIN.partition("Game 1")[2].split("\n", 2)[2]
    text = paste(f"{PLAIN}\n Game 2\n {score}\n{second}", "runs of spaces collapsed")
    first = read_bytes(text.encode(), "a.mat")[0].games[0]
    assert first.actions[-1].side == winner


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: text.replace("\n", "&#13;\n"),
        lambda text: text.replace("\n", "&amp;#13;\n"),
        lambda text: paste(paste(text, "mail quotes"), "entities"),
        lambda text: paste(paste(text, "entities"), "entities"),
        lambda text: text.replace("  ", "&ensp;&#8195;"),
    ],
)
def test_a_text_that_was_escaped_twice_is_cleaned_to_its_end(damage: Form) -> None:
    assert codes(damage(PLAIN)) == codes(PLAIN)
    (match,) = read_bytes(damage(PLAIN).encode(), "a.mat")
    assert same.games(match) == same.games(read_bytes(PLAIN.encode(), "a.mat")[0])


def notes_on(text: str) -> list[str]:
    """Return the notes on the cleaning."""
    (match,) = read_bytes(text.encode(), "a.mat")
    return [note.text for note in match.oddities if note.rule == "cleaned-text"]


def test_a_winner_that_only_the_last_action_shows_is_said_to_be_a_guess() -> None:
    guess = (
        "1 winner guessed from the last plays: no score, pass or complete bear-off shows who won"
    )
    assert guess in notes_on(paste(PLAIN, "runs of spaces collapsed"))
    assert guess in notes_on(paste(PLAIN, "a tab for each gap"))
    passed = PLAIN.replace("43: 13/9 13/10", "Doubles => 2\n  4)  Drops")
    assert guess not in notes_on(paste(passed, "runs of spaces collapsed"))


@pytest.mark.parametrize("sign", ["> ", "| "])
def test_a_quoted_part_of_a_mail_is_read_and_the_rest_stays(sign: str) -> None:
    prose = "Dear Ann,\n" + "here is the match we talked about, with all my thanks\n" * 20
    quoted = "".join(f"{sign}{line}\n" for line in PLAIN.splitlines())
    (match,) = read_bytes(f"{prose}{quoted}".encode(), "a.mat")
    (usual,) = read_bytes(PLAIN.encode(), "a.mat")
    assert same.games(match) == same.games(usual)
    assert codes(f"{prose}{quoted}") == codes(f"{prose}{PLAIN}")
    assert clean(f"{prose}> 1. buy milk\n> 2. ask Bob\n").notes() == ()


def test_a_board_drawn_with_bars_is_not_quoted() -> None:
    board = "| 1) 31: X   X |\n|  O       O   |\n| 2) 42: O    |\n" * 5
    assert clean(board).notes() == ()


def test_lines_of_a_bar_and_two_characters_tell_whether_text_is_quoted() -> None:
    rows = (
        "|1) 31: 8/5 6/5                64: 24/14\n|2) 52: 24/22 13/8             32: 24/21 13/11\n"
    )
    assert any("mail quote marks" in note.text for note in clean(rows + "||\n" * 3).notes())
    assert not any("mail quote marks" in note.text for note in clean(rows + "|-|\n" * 3).notes())


@pytest.mark.parametrize("blank", "\u1680\u180e\u2007\u202f\u205f\u2800\u3000\u3164")
def test_blanks_of_any_kind_are_blanks_in_names_and_cells(blank: str) -> None:
    text = PLAIN.replace("Ann", "Ann Lee")
    (match,) = read_bytes(text.replace(" ", blank).encode(), "a.mat")
    (usual,) = read_bytes(text.encode(), "a.mat")
    assert match.names == ("Ann Lee", "Bob")
    assert same.games(match) == same.games(usual)


@pytest.mark.parametrize("width", [50, 60])
def test_lines_wrapped_inside_results_and_scores_are_joined(width: int) -> None:
    rows = PLAIN.partition("Ann : 0")[2].partition("\n")[2]
    text = PLAIN.replace("Bob", "Christopher Robin").replace(
        "43: 13/9 13/10\n      Wins 1 point",
        "Doubles => 2\n  4)  Drops" + " " * 26 + "Wins 5 points and the match",
    )
    text += f" Game 2\n Ann : 0                             Christopher Robin : 1\n{rows}"
    damaged = "\n".join(
        part for line in text.split("\n") for part in (textwrap.wrap(line, width, **WRAP) or [""])
    )
    assert codes(damaged) == codes(text)
    assert same.games(read_bytes(damaged.encode(), "a.mat")[0]) == same.games(
        read_bytes(text.encode(), "a.mat")[0]
    )


WRAP: dict[str, Any] = {"drop_whitespace": True, "break_on_hyphens": False}


@pytest.mark.parametrize("form", ["tabs of 8", "a tab for each gap", "leading tabs"])
def test_two_rows_with_tabs_are_enough(form: str) -> None:
    rows = (("", "42: 8/4 6/4"), ("31: 8/5 6/5", "Doubles => 2"))
    text = HEAD + "".join(f"{n:3}) {left:30}{right}\n" for n, (left, right) in enumerate(rows, 1))
    assert codes(paste(text, form)) == codes(text)
    damaged, usual = (read_bytes(one.encode(), "a.mat")[0] for one in (paste(text, form), text))
    assert same.games(damaged) == same.games(usual)


def test_a_line_of_a_tree_is_a_line_of_the_file() -> None:
    wrapped = TEXT.replace("42: 8/4 6/4", "42: 8/4\n6/4").encode()
    for line, row in ((5, "1"), (6, "1"), (7, "2")):
        assert f"text='{row}'" in repr(parse_line(wrapped, "a.mat", line)), line
    assert parse_line(wrapped, "a.mat", 2) is None


def test_a_page_may_hold_its_match_anywhere() -> None:
    text = TEXT + "      Wins 2 points\n"
    shown = text.replace("=>", "=&gt;")
    script = f"<script>show(`{text}`)</script>"
    other = shown.replace("Ann", "Cy")
    pages = (
        f"<form><textarea rows=9>{shown}</textarea></form>",
        script,
        f"{script}<pre>{shown}</pre>",
        f"<!-- {text} --><noscript></noscript><pre>{shown}</pre><footer>(c) 2024 Example</footer>",
        f"<h1>One</h1><pre>{shown}</pre><h2>Two</h2><pre>{other}</pre>",
    )
    expected = same.games(read_bytes(text.encode(), "a.mat")[0])
    for page in pages:
        matches = read_bytes(f"<html><body>{page}</body></html>".encode(), "a.html")
        assert len(matches) == 1 + page.count("<h2>")
        assert [same.games(match) for match in matches] == [expected] * len(matches)
        assert not [one for one in check(matches) if one.severity == "error"]


@pytest.mark.parametrize("name", ["<br>", "</table>", "Ann <pre>", "<DIV class=x> 3"])
def test_a_name_like_a_tag_makes_no_page_of_a_match(name: str) -> None:
    scores = TEXT.replace("Ann ", f"{name} ")
    single = f" {name:30} Bob\n  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    for text in (scores, single):
        (match,) = read_bytes(text.encode(), "a.mat")
        assert match.names == (name, "Bob")
        assert not [one for one in match.oddities if one.rule == "cleaned-text"]
    page = f"<pre>{single}</pre>".replace(name, "Ann Lee")
    assert read_bytes(page.encode(), "a.mat")[0].names == ("Ann Lee", "Bob")


@pytest.mark.parametrize("name", ["|(`+", "=`", "\u200b", "\u200f\u200e", "\u2800", "\u3164"])
def test_a_name_of_odd_or_unseen_signs_stays(name: str) -> None:
    games = (
        TEXT.replace("Ann ", f"{name} ")
        + "\n"
        + HEAD.partition("\n\n")[2].replace("Game 1\n Ann : 0 ", f"Game 2\n {name} : 0 ")
    )
    (match,) = read_bytes(games.encode(), "a.mat")
    assert (match.names, same.games(match)[0]) == (
        (name, "Bob"),
        same.games(read_text(TEXT, ""))[0],
    )
    assert not [one for one in match.oddities if one.rule == "cleaned-text"]


def test_an_unseen_name_does_not_keep_signs_elsewhere() -> None:
    text = TEXT.replace("Bob", "\u200b").replace("31:", "3\u200b1:").replace("65:", "\u200b65:")
    (match,) = read_bytes(text.encode(), "a.mat")
    assert (match.names, same.games(match)) == (("Ann", "\u200b"), same.games(read_text(TEXT, "")))


def test_the_cells_of_a_table_are_those_of_the_rows() -> None:
    for form in ("cells of a table", "cells with semicolons", "cells with bars"):
        (match,) = read_bytes(paste(TEXT, form).encode(), "a.mat")
        assert same.games(match) == same.games(read_bytes(TEXT.encode(), "a.mat")[0]), form


def test_tab_stops_may_count_from_a_mark_that_is_cut_off() -> None:
    quoted = "\n".join(f"> {line}" for line in TEXT.replace("Doubles", "53: 8/3").split("\n"))
    damaged = paste(quoted, "tabs of 8")
    (match,) = read_bytes(damaged.encode(), "a.mat")
    assert [play.side for play in match.plays()][:6] == [0, 1, 0, 1, 0, 1]


def test_short_remarks_below_a_game_are_no_errors() -> None:
    text = f"{HEAD} 1) 31: 8/5 6/5\n      Wins 1 point\n"
    assert "T101" not in codes(f"{text}\n-- \nAnn\n")
    assert "T101" in codes(f"{text}garbled\n")


def test_a_stop_behind_a_few_row_numbers_does_not_make_tabs_the_gaps() -> None:
    rows = "".join(f"\t{row}) 53: 13/8 24/21\t\t\t   42: 8/4 6/4\n" for row in range(1, 7))
    doubled = f"5 point match\n Game 1\n Ann : 0\t\t\t\t\t   Bob : 0\n{rows}\t7)\tDoubles => 2\t\t\t\tTakes\n"
    (quoted,) = read_bytes("".join(f">{line}\n" for line in doubled.splitlines()).encode(), "a.mat")
    assert [turn.side for turn in quoted.plays()] == [0, 1] * 6


@pytest.mark.parametrize("cell", ["64: 24/14x", "64: 24/14x/13", "22: 6/4x(2) 8/6"])
def test_an_x_behind_a_point_is_a_hit(cell: str) -> None:
    assert clean(f" 1) {cell}").text == f" 1) {cell.replace('x', '*')}"


@pytest.mark.parametrize("line", [" 1) 64: 24/14 max", "Room 3x", " 1) 64: 24/14xx", "; 24/14x"])
def test_another_x_stays(line: str) -> None:
    assert clean(line).text == line


@pytest.mark.parametrize(
    "line", ["1) 3-1 : 8/5 6/5", "1) 31 : 8/5 6/5", "1) 3,1 : 8/5 6/5", "1) 65: 24/13 31 : 8/5"]
)
def test_a_colon_behind_a_blank_is_found_beside_a_score(line: str) -> None:
    assert " :" not in clean(f"{line}\nAnn3 : 0    Bob5 : 4\n").text.split("\n")[0]


def test_a_comma_between_dice_is_read_beside_no_other_damage() -> None:
    assert clean("1) 3,1: 8/5 6/5").text == "1) 31: 8/5 6/5"


def test_a_result_that_cannot_be_read_at_the_margin_stays() -> None:
    assert clean("1) Drop\nWins#\n").text == "1) Drop\nWins#\n"


@pytest.mark.parametrize("mark", ["+AB> ", "+ AB> "])
def test_two_marks_before_each_line_are_taken_off(mark: str) -> None:
    text = f"{HEAD} 1) 31: 8/5 6/5\n"
    assert clean("".join(f"{mark}{line}\n" for line in text.splitlines())).text == text


def test_a_line_cut_at_76_characters_shows_that_mail_is_quoted_printable() -> None:
    row = " 31) 64: 25/19 20/16             44: 3/0 3/0 3/0 2/0          Wins 1 point "
    cut = f"{HEAD}{row}=\nand the match\n"
    assert len(row) == 75
    assert clean(cut).text == f"{HEAD}{row}and the match\n"
    assert clean(f"{HEAD}a =\nb\n").text == f"{HEAD}a =\nb\n"


def test_a_closed_gap_is_opened_in_a_short_game_too() -> None:
    text = f"{HEAD} 1) 31: 8/5 6/5                 42: 8/4 6/4\n 2) 65: Doubles => 2\n 3)  Drops\n"
    (match,) = read_bytes(text.encode(), "a.mat")
    assert [action.side for action in match.games[0].actions] == [0, 1, 0, 1, 0]


def test_the_rest_of_a_wrapped_line_has_no_line_number() -> None:
    row = " 1) 44: 25/21 25/21 25/21 21/17 51: 2/0"
    lines = [*HEAD.splitlines(), f"{row}\n1/0", " 2) 65: 24/13"]
    text = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(lines, start=1))
    assert clean(text).text.split() == f"{HEAD}{row} 1/0\n 2) 65: 24/13".split()
    other = text.replace(f"{len(lines):6}\t", f"{len(lines) + 2:6}\t")
    assert "\t" in clean(other).text


def test_a_mark_may_stand_behind_a_blank() -> None:
    assert clean(" 1) 31: 8/5 6/5 ?!   42: 8/4 6/4 !\n").text == " 1) 31: 8/5 6/5   42: 8/4 6/4\n"
    assert clean(" 1) 31: ???  42: 8/4 6/4 ????\n").text == " 1) 31: ???  42: 8/4 6/4 ????\n"


@pytest.mark.parametrize(("score", "winner"), [((0, 1), 1), ((1, 0), 0)])
def test_a_single_result_at_the_margin_is_moved_if_pass_and_score_agree(
    score: tuple[int, int], winner: int
) -> None:
    left, right = score
    passed = f"{HEAD}  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\nWins 1 point\n"
    following = (
        f"\n Game 2\n Ann : {left}                         Bob : {right}\n  1) 31: 8/5 6/5\n"
    )
    (match,) = read_bytes((passed + following).encode(), "a.mat")
    result = match.games[0].actions[-1]
    assert isinstance(result, Result)
    assert result.side == winner


@pytest.mark.parametrize("ligature", ["=EF=AC=80", "=EF=AC=\n=80", "=EF=\n=AC=80"])
def test_a_ligature_in_quoted_printable_is_decoded(ligature: str) -> None:
    assert clean(f"{HEAD} 9) 11: 1/o{ligature}(2)\n").text == f"{HEAD} 9) 11: 1/off(2)\n"


CELLS = [
    ("31: 8/5 6/5", "42: 8/4 6/4"),
    ("65: 24/13", "61: 13/7 8/7"),
    ("64: 24/14", "52: 13/11* 13/8"),
    ("66: Cannot Move", "Doubles => 2"),
]
GAME = HEAD + "".join(
    f"{number:3}) {left:31}{right}\n" for number, (left, right) in enumerate(CELLS, start=1)
)


def assert_same_match(damaged: str) -> None:
    """Assert that a text is read as `GAME`, without an error or a warning."""
    match, clean_match = read_text(damaged, "a.txt"), read_text(GAME, "a.txt")
    assert (match.names, same.games(match)) == (clean_match.names, same.games(clean_match))
    assert codes(damaged) == []


@pytest.mark.parametrize(
    "message",
    [
        "[03.03.26, 20:15:11] {}: {}",
        "3/3/26, 8:15 PM - {}: {}",
        "{} \u2014 Today at 20:15\n{}",
        "{}, [03.03.2026 20:15]\n{}",
    ],
)
def test_the_messages_of_a_chat_are_turns(message: str) -> None:
    turns = (turn for cells in CELLS for turn in zip(("Ann", "Bob"), cells, strict=True))
    assert_same_match(HEAD + "".join(message.format(*turn) + "\n" for turn in turns))


@pytest.mark.parametrize(
    "row",
    [
        "| {} | {} | {} |",
        "\u2022 {}) {} \u2013 {}",
        "{}) {} | {}",
        '{});"{}";"{}"',
        '"{})","{}","{}",,',
        "{};{};{}",
        '{},"{}","{}"',
    ],
)
def test_rows_of_tables_and_lists_are_rows(row: str) -> None:
    rows = (row.format(number, *cells) for number, cells in enumerate(CELLS, start=1))
    assert_same_match(HEAD + "\n".join(rows))


@pytest.mark.parametrize(
    ("row", "winner"),
    [("| | Wins 1 point | |", 0), ("| | | Wins 1 point |", 1), (";;Wins 1 point", 1)],
)
def test_a_result_in_a_table_needs_no_row_number(row: str, winner: int) -> None:
    numbered = (";".join((str(number), *cells)) for number, cells in enumerate(CELLS[:2], start=1))
    rows = (
        "\n".join(numbered)
        if row[0] == ";"
        else "\n".join(f"| {line.replace(';', ' | ')} |" for line in numbered)
    )
    text = f"{HEAD}{rows}\n{row}\n"
    result = read_text(text, "a.txt").games[0].actions[-1]
    assert isinstance(result, Result)
    assert (result.side, codes(text)) == (winner, [])


def test_an_arrow_of_a_word_processor_may_be_behind_a_beaver() -> None:
    text = "Doubles \u21d2 2\nBeavers \u21d2 4\n"
    assert clean(text).text == text.replace("\u21d2", "=>")


@pytest.mark.parametrize("arrow", ["\u2192", " \u27a1\ufe0f "])
def test_arrows_between_points_are_steps(arrow: str) -> None:
    assert_same_match(re.sub("(?<=[0-9r])/(?=[0-9o])", arrow, GAME))


@pytest.mark.parametrize("roll", ["({},{})", "[{}, {}]", "{},{}"])
def test_a_comma_may_separate_bare_dice(roll: str) -> None:
    assert_same_match(
        re.sub("(?<=[ \t])([1-6])([1-6]):", lambda dice: roll.format(*dice.groups()), GAME)
    )


@pytest.mark.parametrize(
    ("take", "drop"), [("Prend", "Passe"), ("Annehmen", "Ablehnen"), ("テイク", "パス")]
)
def test_answers_may_be_in_the_words_of_reports(take: str, drop: str) -> None:
    rows = "  1) 31: 8/5 6/5                   Doubles => 2\n  2)  {}\n"
    for word, taken in ((take, True), (drop, False)):
        answer = read_text(HEAD + rows.format(word), "a.txt").games[0].actions[-1]
        assert isinstance(answer, Answer)
        assert answer.taken == taken


def test_the_rolls_of_a_spreadsheet_may_have_cells_of_their_own() -> None:
    rows = "".join(
        f"{number}\t{left}\t{right}\n" for number, (left, right) in enumerate(CELLS, start=1)
    )
    rows = rows.replace(": ", "\t").replace("\tDoubles", "\t\tDoubles")
    assert_same_match(HEAD + rows)


@pytest.mark.parametrize("between", ["", " "])
def test_pictures_of_dice_are_rolls(between: str) -> None:
    pictures = str.maketrans({str(pips): chr(0x267F + pips) for pips in range(1, 7)})

    def draw(roll: Any) -> str:
        return between.join(roll[1].translate(pictures))

    assert_same_match(re.sub(r"(?<= )([1-6]{2}):", draw, GAME))


def test_entities_of_signs_are_replaced_and_line_ends_join_no_words() -> None:
    found = [(one.start, one.end, one.new) for one in find_entities("a&#10;b&#13;c &none; &gt;")]
    assert found == [(1, 6, " "), (7, 12, ""), (21, 25, ">")]


@pytest.mark.parametrize(
    "label", ["{}.)", "({})", "[{}]", "#{}", "{}:", "{}]", "{} -", "{}\t", "({}) ", " [{}]"]
)
def test_row_numbers_of_posts_are_those_of_rows(label: str) -> None:
    rows = re.sub(r"(?m)^ *([0-9]+)\)", lambda row: label.format(row[1]), GAME)
    assert_same_match(rows)


@pytest.mark.parametrize(
    "text",
    [
        "(1) See below.\n(7) Ann\n(3) Bob\n",
        "1: 31: 8/5 6/5\n2: 42: 8/4 6/4\n",
        f"{ROWS}(9) 31: 8/5\n",
    ],
)
def test_numbers_that_are_those_of_no_rows_stay(text: str) -> None:
    assert clean(HEAD + text).text == HEAD + text


def test_an_empty_left_cell_may_have_dots() -> None:
    row = "  1)                                42: 8/4 6/4\n"
    for dots in ("...", "..", "\u2026"):
        rows = row.replace("1)  ", f"1) {dots} ", 1) + ROWS.partition("\n")[2]
        assert same.games(read_text(HEAD + rows, "")) == same.games(
            read_text(HEAD + row + ROWS.partition("\n")[2], "")
        )


@pytest.mark.parametrize("names", [("Ann", "Bob"), ("Ray F.", "Neil K.")])
def test_a_score_may_be_in_brackets(names: tuple[str, str]) -> None:
    left, right = names
    score = f"     {left} (1)                    {right} (0)\n"
    text = f" 5 point match\n Game 2\n{score}{ROWS}"
    game = read_text(text, "a.txt").games[0]
    assert game.score is not None
    assert (game.score.names, game.score.points) == (names, (1, 0))
    assert codes(text) == codes(TEXT)


def test_a_result_may_be_a_plus_and_points() -> None:
    passed = f"{HEAD}  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n"
    result = read_text(f"{passed}Bob +1\n", "a.txt").games[0].actions[-1]
    assert (type(result), result.side, result.points) == (Result, 1, 1)  # type: ignore[union-attr]
    for kept in (f"{passed}Cid +1\n", f"{passed}Bob wins 1 point\nBob +1\n"):
        assert clean(kept).text == kept


TOLD = """5 point match

Game 1. Ann 0 - Bob 0
Ann rolls 3-1 and plays 8/5 6/5
Bob rolls 4-2 and plays 8/4 6/4
Ann rolls 6-5 and plays 24/13
Bob doubles to 2
Ann drops
Bob wins 1 point

Game 2. Ann 0 - Bob 1
Bob rolls 6-1 and plays 13/7 8/7
"""


@pytest.mark.parametrize(
    ("words", "others"),
    [
        (("",), ("",)),
        ((" rolls", " and plays"), ("", "")),
        (("3-1 and plays", "4-2 and plays", "6-5 and plays"), ("31:", "4-2:", "65")),
        ((". Ann 0 - Bob 0", ". Ann 0 - Bob 1"), (" (Ann 0, Bob 0)", ": Ann 0, Bob 1")),
    ],
)
def test_turns_may_be_told_line_by_line(words: tuple[str, ...], others: tuple[str, ...]) -> None:
    text = TOLD
    for word, other in zip(words, others, strict=True):
        text = text.replace(word, other) if word else text
    match = read_text(text, "a.txt")
    assert match.names == ("Ann", "Bob")
    assert [game.score and game.score.points for game in match.games] == [(0, 0), (0, 1)]
    assert [type(action).__name__ for action in match.games[0].actions] == [
        *("Play", "Play", "Play", "Double", "Answer", "Result")
    ]
    assert [action.side for action in match.games[0].actions] == [0, 1, 0, 1, 0, 1]  # type: ignore[union-attr]
    assert codes(text) == []


@pytest.mark.parametrize(
    ("title", "points"),
    [
        ("Match to 7: Ann - Bob", 7),
        ("Match to 7: Ann vs. Bob", 7),
        ("Ann and Bob play to 11 points", 11),
        ("Ann vs Bob  (7 pts)", 7),
        ("Ann vs Bob (15 points)", 15),
        ("Ann vs Bob\nLength: 9 points", 9),
        ("Ann vs Bob, 9-point final", 9),
    ],
)
def test_a_title_may_state_the_length(title: str, points: int) -> None:
    text = f"{title}\n{HEAD.partition(chr(10))[2]}{ROWS}"
    length = read_text(text, "a.txt").length
    assert length is not None
    assert length.points == points
    assert codes(text) == codes(TEXT)


@pytest.mark.parametrize("words", ["Gibt auf", "gibt auf", "Gibt Auf"])
def test_giving_up_behind_a_double_is_a_pass(words: str) -> None:
    head = HEAD.replace("Game", "Spiel")
    row = "  1) 31: 8/5 6/5                  "
    passed = read_text(f"{head}{row}Verdoppelt auf 2\n  2)  {words}\n", "a.txt")
    assert isinstance(passed.games[0].actions[-1], Answer)
    resigned = read_text(f"{head}{row}42: 8/4 6/4\n  2)  {words}\n", "a.txt")
    assert isinstance(resigned.games[0].actions[-1], Resignation)
    later = f"{head}{row}Verdoppelt auf 2\n  2)  Nimmt an                        {words}\n"
    assert isinstance(read_text(later, "a.txt").games[0].actions[-1], Resignation)


def test_a_winner_is_named_in_other_languages() -> None:
    rows = (
        "  1) 31: 8/5 6/5                  Verdoppelt auf 2\n  2)  Lehnt ab\nBob gewinnt 1 Punkt\n"
    )
    text = HEAD.replace("Game", "Spiel") + rows
    result = read_text(text, "a.txt").games[0].actions[-1]
    assert (type(result), result.side) == (Result, 1)  # type: ignore[union-attr]
    assert codes(text) == []


@pytest.mark.parametrize("written", ["Bob won 1 point", "(Bob wins 1 point)", "Bob wins 1 point!"])
def test_a_result_may_be_told_otherwise(written: str) -> None:
    passed = f"{HEAD}  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n{written}\n"
    result = read_text(passed, "a.txt").games[0].actions[-1]
    assert (type(result), result.side) == (Result, 1)  # type: ignore[union-attr]
    assert codes(passed) == []


@pytest.mark.parametrize(
    ("double", "take", "drop"),
    [
        ("cube -> 2", "takes it", "drops it"),
        ("Double!", "Take!", "Pass!"),
        ("offers cube at 2", "accepts", "refuses"),
        ("Offers a double", "Took it", "refused"),
    ],
)
def test_cube_actions_in_other_words(double: str, take: str, drop: str) -> None:
    for answer, is_taken in ((take, True), (drop, False)):
        text = f"{HEAD}  1) 31: 8/5 6/5                  {double}\n  2) {answer}\n"
        action = read_text(text, "a.txt").games[0].actions[-1]
        assert isinstance(action, Answer)
        assert action.taken is is_taken
        assert "T101" not in codes(text)


@pytest.mark.parametrize("roll", ["3/1:", "3.1:", "3 1:", "{31}", "(31)", "3,1:"])
def test_dice_may_be_written_in_other_ways(roll: str) -> None:
    assert clean(f"{HEAD} 1) {roll} 8/5 6/5\n").text == f"{HEAD} 1) 31: 8/5 6/5\n"


@pytest.mark.parametrize(
    ("written", "usual"),
    [
        ("33: 8/5 x2 6/3x2", "33: 8/5(2) 6/3(2)"),
        ("33: 8/5* x3 6/3", "33: 8/5*(3) 6/3"),
        ("11: 1/off x4", "11: 1/off(4)"),
        ("31: 8->5 bar->24*", "31: 8/5 bar/24*"),
    ],
)
def test_steps_may_be_written_in_other_ways(written: str, usual: str) -> None:
    assert clean(f"{HEAD} 1) {written}\n").text == f"{HEAD} 1) {usual}\n"


def test_names_may_be_repeated_above_a_later_game_but_a_damaged_score_is_unreadable() -> None:
    games = f" 5 point match\n Game 1\n Ann                             Bob\n{ROWS}      Wins 2 points\n"
    for names, found in (
        ("Ann                             Bob", []),
        ("Ann                 Cid", ["T101"]),
    ):
        later = f"{games}\n Game 2: Ann 2, Bob 0\n {names}\n  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
        assert [code for code in codes(later) if code == "T101"] == found


MARKS: dict[str, Form] = {
    "mail quotes": FORMS["mail quotes"],
    "mail quotes twice": FORMS["mail quotes twice"],
    "marks of a diff": FORMS["marks of a diff"],
    "marks and blanks of a diff": FORMS["marks and blanks of a diff"],
    "initials": FORMS["initials"],
}


@pytest.mark.slow
@pytest.mark.parametrize("is_stripped", [False, True], ids=["blanks kept", "blanks stripped"])
@pytest.mark.parametrize("width", [40, 50, 57, 72])
@pytest.mark.parametrize("name", MARKS)
def test_marks_and_wraps_are_undone_in_either_order(
    name: str, width: int, is_stripped: bool
) -> None:
    text = TEXTS.get("gnubg.mat", TEXT)

    def wrap(plain: str) -> str:
        wrapped = wrap_lines(plain, width)
        lines = (line.rstrip() if is_stripped else line for line in wrapped.split("\n"))
        return "\n".join(lines)

    for damaged in (wrap(MARKS[name](text)), MARKS[name](wrap(text))):
        match = read_text(damaged, "a.mat")
        assert same.games(match) == same.games(read_text(text, "a.mat"))
        assert match.names == read_text(text, "a.mat").names
        assert set(codes(damaged)) <= set(codes(text))


def test_a_play_in_a_wrapped_diff_has_its_place_in_the_file() -> None:
    damaged = wrap_lines(paste(TEXT, "marks of a diff"), 44)
    lines = damaged.split("\n")
    for play in read_text(damaged, "a.mat").plays():
        line = lines[play.span.line - 1]
        assert line[play.span.column - 1 :].startswith(f"{max(play.dice)}{min(play.dice)}:")


@pytest.mark.parametrize("prose", ["I would have doubled here.", "Well played!"])
def test_a_remark_right_below_a_quoted_row_is_not_joined_to_it(prose: str) -> None:
    quoted = paste(TEXT, "mail quotes").split("\n")
    remarked = "\n".join((*quoted[:7], prose, *quoted[7:]))
    match = read_text(remarked, "a.mat")
    assert same.games(match) == same.games(read_text(TEXT, "a.mat"))
    assert not any("wrapped" in note.text for note in clean(remarked).notes())


def test_removed_lines_and_the_head_of_a_diff_are_left_out() -> None:
    head = "diff --git a/a.mat b/a.mat\n--- a/a.mat\n+++ b/a.mat\n@@ -1,9 +1,9 @@\n"
    row = "  2) 65: 24/13                      61: 13/7 8/7"
    assert row in TEXT
    lines = (f"-{line[:-4]}\n+{line}" if line == row else f" {line}" for line in TEXT.split("\n"))
    damaged = head + "\n".join(lines)
    assert same.games(read_text(damaged, "a.mat")) == same.games(read_text(TEXT, "a.mat"))
    assert set(codes(damaged)) == set(codes(TEXT))


def test_a_removed_line_of_a_diff_without_a_head_is_reported() -> None:
    lines = paste(TEXT, "marks and blanks of a diff").split("\n")
    assert set(codes("\n".join((*lines[:6], "-" + lines[6][1:], *lines[6:])))) - {
        *codes(TEXT),
        "T121",
    }


def test_rows_of_one_cell_and_the_cells_below_are_joined() -> None:
    rows = "".join(f"{row[:35].rstrip()}\n      {row[35:]}\n" for row in ROWS.split("\n") if row)
    assert same.games(read_text(HEAD + rows, "a.mat")) == same.games(read_text(TEXT, "a.mat"))


def test_scores_on_two_lines_are_joined() -> None:
    damaged = TEXT.replace("Ann : 0                         Bob", "Ann : 0\n Bob")
    assert damaged != TEXT
    assert read_text(damaged, "a.mat").names == ("Ann", "Bob")
    assert set(codes(damaged)) <= set(codes(TEXT))


def test_a_line_without_a_mark_between_those_of_a_diff_is_reported() -> None:
    lines = paste(TEXT, "marks and blanks of a diff").split("\n")
    damaged = "\n".join((*lines[:6], "Well played!", *lines[6:]))
    assert not any("diff" in note.text for note in clean(damaged).notes())


@pytest.mark.slow
@pytest.mark.parametrize("width", [44, 50, 57, 64, 72])
@pytest.mark.parametrize(
    "form",
    [
        "loose signs",
        "full-width digits",
        "boxed",
        "blanks doubled",
        "line separators",
        "string of a script",
    ],
)
def test_lines_of_another_form_wrapped_at_any_width_are_joined(form: str, width: int) -> None:
    text = TEXTS.get("gnubg.mat", TEXT)
    damaged = wrap_lines(paste(text, form), width)
    match = read_text(damaged, "a.mat")
    assert same.games(match) == same.games(read_text(text, "a.mat"))
    assert match.names == read_text(text, "a.mat").names
    assert set(codes(damaged)) <= set(codes(text))


@pytest.mark.parametrize(
    "text",
    [
        "| 1) 31: 8/5 6/5\n| 2) 42: 8/4 6/4 |\n| 3) 65: 24/13\n| 4) 61: 13/7 8/7\n",
        "\u2028 1) 31: 8/5 6/5\n 2) 42: 8/4 6/4\u2028 3) 65: 24/13\u2028 4) 61: 13/7 8/7\n",
        "m = 'Game 1\\n 1) 31: 8/5\\n 2) 42: 8/4' +\n '\\n 3) 65: 24/13\\n\"4) 61: 13/7\\n'",
    ],
    ids=["no right side", "rows behind line feeds", "closed strings"],
)
def test_lines_that_may_be_whole_are_not_joined(text: str) -> None:
    assert not any("wrapped" in note.text for note in clean(text).notes())


@pytest.mark.parametrize(
    ("wrapped", "row"),
    [
        ("  1) 11: 8/7\n6/5   42: 8/4 6/4", "1) 11: 8/7 6/5 42: 8/4 6/4"),
        ("  1)\n31: 8/5 6/5   42: 8/4 6/4", "1) 31: 8/5 6/5 42: 8/4 6/4"),
        ("  1) 31: 8/5 6/5             42:\n8/4x 6/4x", "1) 31: 8/5 6/5 42: 8/4* 6/4*"),
        ("  1) 31: 8/5 6/5" + " " * 27 + "42: 8/4\n\n  - 2 -\n\n6/4", "1) 31: 8/5 6/5 42: 8/4 6/4"),
        (
            "  1) 31: 8/5 6/5" + " " * 27 + "42: 8/4\nWell played, Bob.\n6/4",
            "1) 31: 8/5 6/5 42: 8/4 6/4",
        ),
        ("  1) 31: 8/5 6/5             42: 8 /\n4 6 / 4", "1) 31: 8/5 6/5 42: 8/4 6/4"),
        ("  1) 31: 8/5 6/5             42\n: 8 / 4 6 / 4", "1) 31: 8/5 6/5 42: 8/4 6/4"),
    ],
)
def test_a_row_is_joined_wherever_its_line_ended(wrapped: str, row: str) -> None:
    later = "".join(f"{row}\n" for row in ROWS.split("\n")[1:4])
    cleaned = clean(clean(f"{HEAD}{wrapped}\n{later}").text)
    assert " ".join(cleaned.text.split("\n")[4].split()) == row
    assert cleaned.text.endswith(later)


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("  1) 31: 8/5 6/5", "8/4 6/4"),
        ("  1) 31: 8/5 6/5", "Wins 1 point"),
        ("at 2 : 2 in a match", "the record starts at 1 : 0"),
        ("Ann : 0 Bob", "Smith : 1"),
        ("  1) 31: 8/5 6/5             42: 8/4 6/4", "\n - 2 -\n\nI doubled at 6/4."),
        ("  1) 31: 8/5 6/5             64: 24/14", "I would have played\n24/18"),
    ],
)
def test_a_line_that_may_be_no_rest_is_not_joined(above: str, below: str) -> None:
    text = f"{HEAD}{above}\n{below}\n{ROWS}"
    assert clean(text).text == text


@pytest.mark.parametrize(("indent", "winner"), [("      ", 0), ("", 1)])
def test_a_win_below_an_empty_row_is_rights_only_without_an_indent(
    indent: str, winner: int
) -> None:
    rows = ROWS.replace("42: 8/4 6/4", "42: 8/4\n6/4", 1)
    text = f"{HEAD}{rows}  6){' ' * 40}\n{indent}Wins 1 point\n"
    (match,) = read_bytes(text.encode(), "a.mat")
    (result,) = (action for action in match.games[0].actions if isinstance(action, Result))
    assert result.side == winner


def test_an_indented_end_of_a_result_is_joined_by_one_blank() -> None:
    rows = ROWS.replace("42: 8/4 6/4", "42: 8/4\n    6/4", 1)
    text = f"{HEAD}{rows}  6){' ' * 32}Wins 5 points\n    and the match\n"
    lines = clean(text).text.split("\n")
    assert lines[4].endswith("42: 8/4 6/4")
    assert lines[9].endswith("Wins 5 points and the match")


def test_odd_row_numbers_among_usual_ones_are_replaced_if_they_continue_their_order() -> None:
    rows = [f"{number:3}) 31: 8/5 6/5    42: 8/4 6/4\n" for number in range(1, 9)]
    usual = HEAD + "".join(rows)
    for first, is_read in ((4, True), (7, False)):
        odd = (row.replace(")", ":") for row in rows[first:])
        text = HEAD + "".join((*rows[:first], *odd))
        assert (clean(text).text == usual) is is_read
