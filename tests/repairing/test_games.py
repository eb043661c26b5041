"""Headers, scores and results that are lost or wrong: what is proposed brings the record back."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.edits import edit_bytes
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.repairing.slips.games import _has_result_own_line, _writes_result_on_new_line
from tests.repairing.clean import MATCH

GAME_2 = " Game 2\n Ann : 2                         Bob : 0\n"
GAME_3 = " Game 3\n Ann : 3                         Bob : 0\n"


def make_slip(*changes: tuple[str, str]) -> str:
    """Return the clean match after these replacements."""
    text = MATCH
    for old, new in changes:
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def causes(text: str) -> list[RepairableFinding]:
    """Return the causes in a match text."""
    return find_repairs_in_file(text.encode(), "match.mat")


def repair_text(text: str, cause: RepairableFinding, rank: int = 1) -> str:
    """Return the text after the proposal of this rank."""
    return edit_bytes(text.encode(), cause.proposals[rank - 1].edits).decode()


@pytest.mark.parametrize(
    ("changes", "kind"),
    [
        ([(f"\n{GAME_2}", "")], "header"),
        ([(" Game 2\n", "")], "header"),
        ([(" Ann : 2                         Bob : 0\n", "")], "header"),
        ([("Game 2", "Game 5")], "game-number"),
        ([("Ann : 2                         Bob : 0", "Bob : 2                         Ann : 0")], "names"),
        ([("Ann : 2 ", "Anm : 2 ")], "names"),
        ([("Ann : 2 ", "Ann : 1 ")], "score"),
        ([("Ann : 2 ", "Ann : 12")], "score"),
        ([("Ann : 2 ", "Ann : 1 "), ("Ann : 3 ", "Ann : 2 ")], "scores"),
        ([("Ann : 0                         Bob : 0", "Ann : 1                         Bob : 0")], "score"),
        ([("      Wins 2 points", "      Wins 3 points")], "points"),
        ([("      Wins 2 points\n", "")], "result"),
        ([("      Wins 2 points\n", "      Wins 2 points\n" * 2)], "row twice"),
        ([("      Wins 2 points\n", "      Wins 2 points\n      Wins 1 point\n")], "result"),
        ([("Wins 2 points", "Wnis 2 points")], "result"),
        ([("Wins 2 points", "Wins Z points")], "result"),
    ],
)  # fmt: skip
def test_the_clean_record_is_the_first_proposal(changes: list[tuple[str, str]], kind: str) -> None:
    text = make_slip(*changes)
    (cause,) = causes(text)
    assert cause.proposals[0].kind == kind
    assert repair_text(text, cause) == MATCH


@pytest.mark.parametrize("blank", [0, 1, 2, 3])
def test_a_lost_game_line_has_the_blank_lines_of_other_games(blank: int) -> None:
    clean = MATCH.replace("\n\n Game", "\n" * (blank + 1) + " Game")
    for lost in (" Game 2\n", "\n" * blank + " Game 2\n"):
        text = clean.replace(lost, "", 1)
        (cause,) = causes(text)
        assert repair_text(text, cause) == clean


def test_nothing_is_proposed_for_a_clean_record() -> None:
    assert causes(MATCH) == []


def test_a_match_line_too_short_is_as_long_as_the_scores_go_on() -> None:
    text = make_slip(
        ("5 point match", "3 point match"),
        ("                                  Wins 1 point\n", "      Wins 2 points\n"),
        (
            "  3) 31: 8/5 6/5                 32: 13/11 13/10\n",
            "  3)  Doubles => 2                Takes\n  4)                              Resigns\n",
        ),
    )
    (cause,) = causes(text)
    assert [proposal.message for proposal in cause.proposals][:1] == [
        "3 point match → 5 point match"
    ]


def test_a_result_goes_beside_the_drop_as_in_other_games() -> None:
    text = (
        "5 point match\n\n Game 1\n Ann : 0        Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        "  2)  Doubles => 2               Drops\n      Wins 1 point\n\n"
        " Game 2\n Ann : 1        Bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 42: 8/4 6/4                 Doubles => 2\n"
        "  3)  Drops\n\n"
        " Game 3\n Ann : 1        Bob : 1\n"
        "  1) 52: 13/8 13/11\n"
    )
    (cause,) = causes(text)
    assert repair_text(text, cause) == text.replace(
        "3)  Drops\n", "3)  Drops                      Wins 1 point\n"
    )


@pytest.mark.parametrize("is_on_new_row", [False, True])
def test_a_win_of_the_left_player_says_nothing_about_those_of_the_right_one(
    is_on_new_row: bool,
) -> None:
    """In both games the left player has the last turn; the results of the right player decide."""
    of_right = " " * 35 + "Wins 1 point\n"
    text = (
        "5 point match\n\n Game 1\n Ann : 0        Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4 6/4\n"
        "  2) 52: 13/8 13/11\n      Wins 1 point\n\n"
        " Game 2\n Ann : 1        Bob : 0\n"
        "  1)                             31: 8/5 6/5\n"
        "  2) 42: 8/4 6/4                 Doubles => 2\n"
        "  3)  Drops" + ("\n" + of_right if is_on_new_row else " " * 22 + of_right.lstrip())
    )
    (match,) = read_bytes(text.encode(), "a.mat")
    context = SimpleNamespace(replayed=SimpleNamespace(match=match))
    assert _writes_result_on_new_line(context) is is_on_new_row


def test_a_row_that_stands_twice_is_looked_into_though_it_is_no_error() -> None:
    row = "  2) 52: 13/8 13/11              62: 24/22 13/7\n"
    text = make_slip((row, row * 2))
    (cause,) = causes(text)
    assert cause.finding.code == "T118"
    assert repair_text(text, cause) == MATCH


def test_a_length_that_the_final_score_of_the_header_denies_is_that_score() -> None:
    text = (
        '; [Site "BackgammonGalaxy"]\n; [Player 1 Elo "3,00/0"]\n; [Player 2 Elo "0,00/0"]\n'
        " 7 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                  Doubles => 2\n"
        "  2)  Takes                      65: 24/18 18/13\n"
        "  3)  Doubles => 4                Takes\n"
        "  4)                              Losses 4 points\n      Wins 4 points and the match\n"
    )
    (cause,) = causes(text)
    assert cause.finding.code == "R611"
    assert cause.proposals[0].message == "7 point match → 3 point match"
    assert not cause.proposals[0].proved  # The score of the first game may be wrong as well.


@pytest.mark.slow
def test_a_win_after_a_drop_stands_in_the_column_of_the_loser() -> None:
    text = make_slip(("  4)  Doubles => 2                Drops\n      Wins", "  4)  Doubles => 2                Drops\n                                  Wins"))  # fmt: skip
    (cause,) = causes(text)
    assert cause.finding.code == "R603"
    assert cause.proposals[0].kind == "winner"
    assert repair_text(text, cause) == MATCH


def test_the_final_score_of_the_header_tells_who_won_the_last_game() -> None:
    text = (
        '; [Site "BackgammonGalaxy"]\n; [Player 1 Elo "1,00/0"]\n; [Player 2 Elo "0,00/0"]\n'
        " 1 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 65: 24/18 18/13\n Losses 1 point\n"
        "                                  Wins 1 point and the match\n"
    )
    (cause,) = causes(text)
    assert cause.finding.code == "R611"
    assert cause.proposals[0].kind == "winner"


def test_a_line_is_put_in_behind_a_last_line_without_an_end() -> None:
    cut = MATCH[: MATCH.index(GAME_2)] + " Game 2"
    [cause] = causes(cut)
    assert cause.proposals[0].line == len(cut.splitlines()) + 1
    assert repair_text(cut, cause) == f"{cut}\n{GAME_2.splitlines()[1]}"


def test_of_two_games_neither_is_proved_to_hold_the_names_in_the_right_places() -> None:
    whole = make_slip(
        (GAME_2, GAME_2.replace("Ann", "Cy").replace("Bob", "Ann").replace("Cy", "Bob"))
    )
    two = whole[: whole.index(GAME_3)]
    [of_three], [of_two, *_] = causes(whole), causes(two)
    assert [cause.proposals[0].kind for cause in (of_three, of_two)] == ["names", "names"]
    assert (of_three.proposals[0].proved, of_two.proposals[0].proved) == (True, False)


def test_no_game_is_lost_where_a_later_score_goes_on_without_it() -> None:
    (cause,) = causes(make_slip(("Ann : 2 ", "Ann : 4 ")))
    assert "game-lost" not in [proposal.kind for proposal in cause.proposals]
    assert cause.proposals[0].proved


@pytest.mark.parametrize(
    ("written", "proposed"),
    [
        (4, [("points", 24)] * 4 + [("length", 2)]),
        (7, [("length", 70)] + [("points", 7)] * 4),
    ],
)
def test_any_points_of_a_resignation_in_the_last_game_are_as_likely_as_others(
    written: int, proposed: list[tuple[str, int]]
) -> None:
    """Neither a later score nor the board shows them."""
    last = " " * 34 + "Wins {}\n"
    (cause,) = causes(make_slip((last.format("1 point"), last.format(f"{written} points"))))
    assert [(one.kind, round(100 * one.probability)) for one in cause.proposals] == proposed


ONE_GAME = (
    " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    "  2)  Doubles => 2                Drops\n      Wins 1 point\n"
)
TWO_GAMES = (
    " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
    "  1) 31: 8/5 6/5                  Doubles => 2\n"
    "  2)  Drops                       Wins 1 point\n"
    "\n Game 2\n Ann : 0                         Bob : 1\n"
    "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
)


@pytest.mark.parametrize(("clean", "kind"), [(ONE_GAME, "score"), (TWO_GAMES, "scores")])
def test_a_game_1_at_match_point_with_a_double_may_have_begun_at_nil(clean: str, kind: str) -> None:
    text = clean.replace("Ann : 0 ", "Ann : 4 ")
    (cause,) = causes(text)
    assert (cause.finding.code, cause.proposals[0].kind) == ("C503", kind)
    assert repair_text(text, cause) == clean
    assert not cause.proposals[0].proved
    later = causes(text.replace("Game 2", "Game 4").replace("Game 1", "Game 3"))
    assert all(one.kind != kind for cause in later for one in cause.proposals)


def test_a_result_with_another_sign_on_its_line_has_no_line_of_its_own() -> None:
    """Only the place of a result on a line of its own is copied for one that is moved."""
    result = SimpleNamespace(span=SimpleNamespace(line=2))
    for line, expected in (("      Wins 1 point ", True), ("  7) 21: 8/7  Wins 1 point", False)):
        error = SimpleNamespace(lines=["", line, "Wins"], text=lambda _: "Wins 1 point")
        assert _has_result_own_line(error, result) is expected
