"""Smart Game Format: nodes, set-ups, variations, resignations, and what is damaged."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest

from bganalyze.app.api.convert import convert
from bganalyze.board.position import points
from bganalyze.record.model import (
    REMARK,
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Span,
    Tag,
    Unread,
)
from bganalyze.record.reader import parse_line, read_bytes
from bganalyze.record.reader import read as read_file
from bganalyze.record.sgf.reader import recognizes
from bganalyze.record.sgf.tree import unescape, write_boards
from bganalyze.validation.checking import check
from tests import same

SOON = 2.0
"""Seconds; looking at a text again from each of its nodes takes minutes."""

ROOT = "(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]"
START = "AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]AB[s:s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.sgf")


def game(nodes: str, rules: str = "RU[Crawford]") -> Game:
    (match,) = read(f"{ROOT}{rules}\n{nodes})")
    return match.games[0]


def actions(nodes: str, rules: str = "RU[Crawford]") -> tuple[Action, ...]:
    return game(nodes, rules).actions


def codes(nodes: str, rules: str = "RU[Crawford]") -> list[str]:
    findings = check(read(f"{ROOT}{rules}\n{nodes})"))
    return [finding.code for finding in findings if finding.severity != "info"]


def test_the_root_tells_of_the_match() -> None:
    (match,) = read(ROOT + "RU[Crawford]WR[1500]EV[Club \\] night]DT[2026-11-21]\n;W[31hefe])")
    assert match.length is not None
    assert (match.format, match.length.points, match.names) == ("sgf", 3, ("Ann", "Bob"))
    assert match.tag("Event") == "Club ] night"
    assert (match.tag("EventDate"), match.tag("Rating left")) == ("2026-11-21", "1500")
    assert (match.games[0].number, match.games[0].crawford) == (1, False)


def test_white_counts_down_from_x_and_black_up_from_a() -> None:
    white, black = actions(";W[31hefe];B[52lqac]")
    assert isinstance(white, Play)
    assert isinstance(black, Play)
    assert (white.side, white.dice) == (0, (3, 1))
    assert [step.path for step in white.steps] == [(8, 5), (6, 5)]
    assert [step.path for step in black.steps] == [(13, 8), (24, 22)]


def test_steps_have_their_places() -> None:
    (play,) = actions(";W[31hefe]")
    assert isinstance(play, Play)
    assert play.span == Span(2, 2, 11)
    assert [play.place(step) for step in (0, 1)] == [Span(2, 6, 8), Span(2, 8, 10)]
    assert check(read(f"{ROOT}\n;W[31heff])"))[1].code == "P403"


def test_a_roll_without_letters_is_a_dance() -> None:
    (play,) = actions(";B[66]")
    assert isinstance(play, Play)
    assert play.how is PlayRecord.EMPTY


def test_cube_and_beaver() -> None:
    doubles_and_answer = actions(";W[31hefe];B[double];W[double];B[double];W[take]")
    kinds = [action.kind for action in doubles_and_answer if isinstance(action, Double)]
    assert kinds == ["double", "beaver", "raccoon"]
    assert isinstance(doubles_and_answer[-1], Answer)


@pytest.mark.parametrize(
    ("stated", "kinds"),
    [
        ("RE[W+2]", [Result]),
        ("RE[B+1R]", [Resignation, Result]),
        ("RE[B+R]", [Resignation]),
        ("RE[Void]", []),
    ],
)
def test_results(stated: str, kinds: list[type]) -> None:
    assert [type(action) for action in actions("", stated)] == kinds


def test_a_roll_before_a_resignation_is_no_play() -> None:
    actions_read = actions(";W[31hefe];PL[B]DI[62]", "RU[Crawford]RE[W+1R]")
    assert isinstance(actions_read[1], Play)
    assert (actions_read[1].side, actions_read[1].how) == (1, PlayRecord.UNPLAYED)
    assert codes(";W[31hefe];PL[B]DI[62]", "RU[Crawford]RE[W+1R]") == []


def test_a_roll_and_then_its_play_are_one() -> None:
    assert len(actions(";PL[B]DI[31];B[31qtst]")) == 1


PASTED = START.replace("AW[f][f][f][f][f][h][h][h]", "AW[e][e][f][f][f][f][h][h]")


def test_a_position_edited_before_the_first_play_is_a_set_up() -> None:
    nodes = f";PL[B]DI[52];CV[2];CP[w];PL[B]AE[a:y]{PASTED};B[52lqln]"
    set_up, play = actions(nodes)
    assert isinstance(set_up, SetUp)
    assert isinstance(play, Play)
    assert (set_up.cube_value, set_up.cube_owner, set_up.on_roll, play.dice) == (2, 0, 1, (5, 2))
    assert codes(nodes) == []


def test_a_roll_that_another_replaced_before_the_first_play_is_left_out() -> None:
    assert [type(action) for action in actions(";PL[W]DI[43];PL[B]DI[21];B[52lqln]")] == [Play]


def test_a_position_saved_with_its_roll_keeps_it() -> None:
    set_up, roll = actions(f";PL[W]DI[53];CV[2];CP[w];AE[a:y]{PASTED}")
    assert isinstance(set_up, SetUp)
    assert isinstance(roll, Play)
    assert (set_up.cube_owner, roll.dice, roll.how) == (0, (5, 3), PlayRecord.UNPLAYED)


def test_a_board_after_a_roll_is_an_illegal_play() -> None:
    (play,) = actions(f";PL[W]DI[62];PL[W]AE[a:y]{START}")
    assert isinstance(play, Play)
    assert play.called_illegal
    assert play.left_board is not None
    assert play.left_board.boards is not None
    assert play.left_board.boards[0] == play.left_board.boards[1]
    assert codes(f";PL[W]DI[62];PL[W]AE[a:y]{START};B[31qtst]") == ["P499"]


def test_a_board_after_a_roll_is_a_set_up_if_the_same_side_rolls_again() -> None:
    nodes = f";PL[W]DI[62];PL[W]AE[a:y]{START};W[31hefe]"
    assert [type(action) for action in actions(nodes)] == [SetUp, Play]
    assert codes(nodes) == []


def test_a_cube_set_by_hand_leaves_the_board() -> None:
    (set_up,) = actions(";CV[2]CP[b]")
    assert set_up == SetUp(Span(2, 2, 7), "1", None, 2, 1)
    assert codes(";W[31hefe];CV[2]CP[b];B[double];W[drop]", "RE[B+2]") == []


def test_a_starting_cube_is_that_of_automatic_doubles() -> None:
    assert game("", "CV[4]").cube == 4


def test_a_play_taken_back_is_a_variation_before_its_correction() -> None:
    nodes = ";W[31hefe](;B[52lqac];W[11fe])(;B[52lqaa])"
    plays = actions(nodes)
    assert [play.span.column for play in plays if isinstance(play, Play)] == [2, 33, 13, 23]
    findings = check(read(f"{ROOT}\n;W[31hefe](;B[52lqac])(;B[52lqab]))"))
    assert [(finding.code, finding.standing) for finding in findings if finding.code != "T107"] == [
        ("P404", "corrected")
    ]


def test_other_variations_are_comments() -> None:
    nodes = ";W[31hefe](;B[52lqac])(;B[61lqrr];W[11fe])(;B[double])"
    assert [type(action) for action in actions(nodes)] == [Play, Comment, Comment, Play]


def test_a_comment_follows_its_action() -> None:
    actions_read = actions(";W[31hefe]C[a \\\nquick] one]")
    assert isinstance(actions_read[1], Comment)
    assert actions_read[1].text == "a quick"
    assert isinstance(actions_read[2], Unread)


def test_every_value_of_a_comment_is_kept() -> None:
    actions_read = actions(";W[31hefe]C[one][two\\\n\\]]")
    assert [action.text for action in actions_read if isinstance(action, Comment)] == [
        "one",
        "two]",
    ]
    assert [action.span for action in actions_read[1:]] == [Span(2, 11, 17), Span(2, 17, 22)]


def test_further_values_of_an_action_are_unread() -> None:
    actions_read = actions(";W[31hefe][31hefd];PL[B]DI[21][31]")
    assert [
        (action.text, action.span.column) for action in actions_read if isinstance(action, Unread)
    ] == [
        ("[31hefd]", 11),
        ("[31]", 31),
    ]


def test_a_property_in_small_letters_is_what_it_says() -> None:
    white, black = actions(";White[31hefe];b[52lqac]")
    assert isinstance(white, Play)
    assert isinstance(black, Play)
    assert (white.side, black.side, black.dice) == (0, 1, (5, 2))


def test_the_crawford_mark() -> None:
    marked = ROOT.replace("ws:0", "ws:2") + "RU[Crawford:CrawfordGame];W[31hefe];B[double])"
    assert [finding.code for finding in check(read(marked)) if finding.code[0] == "C"] == ["C503"]
    assert "R612" in codes(";W[31hefe]", "RU[Crawford:CrawfordGame]")
    late = ROOT.replace("ws:0", "ws:2") + "RU[Crawford];W[31hefe];B[double])"
    assert [finding.code for finding in check(read(late)) if finding.code[0] == "C"] == []


def test_analysis_is_kept_as_written() -> None:
    (play,) = actions(";W[31hefe]A[0][hefe E ver 3]\n[fehe E ver 3]LU[0.1]")
    assert isinstance(play, Play)
    assert play.analysis is not None
    assert play.analysis.entries == (("A", "[0][hefe E ver 3]\n[fehe E ver 3]"), ("LU", "[0.1]"))


@pytest.mark.parametrize(
    ("nodes", "texts"),
    [
        (";W[31heF?];B[52lqac]", ["heF?"]),
        (";W[castle];B[52lqac]", ["W[castle]"]),
        (";W[31hefe] noise ;B[52lqac]", ["noise"]),
        (";W[31hefe];B[52lqac", ["[52lqac)"]),
        (";AW[a]", ["AW[a]"]),
    ],
)
def test_what_cannot_be_read_stands_in_its_place(nodes: str, texts: list[str]) -> None:
    unread = [action.text for action in actions(nodes) if isinstance(action, Unread)]
    assert texts[0] in unread


@pytest.mark.slow
def test_brackets_that_nothing_closes() -> None:
    text = f"{ROOT}\n;W[31hefe]\n{ROOT.replace('game:0', 'game:1')}\n;B[31qtst])))\n;W[52hcmk]"
    (match,) = read(text)
    assert [len(game_part.actions) for game_part in match.games] == [1, 2]
    assert read("(" * 5_000 + ROOT[1:])[0].names == ("Ann", "Bob")


def test_other_names_or_lengths_begin_another_match() -> None:
    other = ROOT.replace("Bob", "Cleo")
    assert [match.number for match in read(f"{ROOT})({ROOT[1:]})({other[1:]})")] == [1, 2]


def test_a_first_game_after_one_that_was_finished_begins_another_match() -> None:
    finished, next_match = f"{ROOT}RE[W+1R];W[31hefe])", f"{ROOT}RE[B+1R];W[31hefe])"
    assert [len(match.games) for match in read(finished + next_match)] == [1, 1]
    unfinished = f"{ROOT};W[31hefe])"
    later = next_match.replace("game:0", "game:1").replace("bs:0", "bs:2")
    assert [len(match.games) for match in read(unfinished + next_match)] == [2]
    assert [len(match.games) for match in read(finished + later + later)] == [3]


def test_the_first_game_pasted_twice_is_a_copy_and_no_other_match() -> None:
    text = convert("samples/clean/short-match.mat", "sgf").text
    first, second = text.split("\n(;")
    pasted = read(f"{first}\n{text}")
    assert [len(match.games) for match in pasted] == [3]
    assert [finding.code for finding in check(pasted)] == ["T104"]
    short = first[: first.index(";B[")] + ")"
    assert [len(match.games) for match in read(f"{short}\n{short}\n(;{second}")] == [1, 2]


def test_a_game_tree_is_recognized_whatever_its_comment_holds() -> None:
    (match,) = read("(;C[hello; world \\] (;]FF[4]GM[6]PW[Ann]PB[Bob];W[31hefe])")
    assert match.names == ("Ann", "Bob")
    assert not recognizes("(;C[no; match]GM[1];B[aa])")


@pytest.mark.parametrize(
    "text",
    [
        " (;GM[6]                        Ann\n  1) 31: 8/5 6/5                 42: 8/4 6/4\n",
        "The score (after 0 games) is: (;GM[6] 0, Ann 0 (match to 3 points)\n",
        " +13-14-15-16-17-18------19-20-21-22-23-24-+     O: (;GM[6] (Cube: 2)\n",
        "3;0;0;0;0;Ann;(;GM[6];0;0;0;1;0;",
    ],
)
def test_a_name_like_the_start_of_a_tree_makes_no_tree(text: str) -> None:
    assert not recognizes(text)


@pytest.mark.parametrize("piece", ["(;", "(;[", "(;a[b]", "(;A[GM [", "( ; \\"])
def test_recognizing_takes_no_longer_for_odd_texts(piece: str) -> None:
    started = process_time()
    assert not recognizes(piece * 100_000 + "\\")
    assert process_time() - started < SOON


@pytest.mark.corpus
def test_one_match_in_several_formats(corpus: Path) -> None:
    by_name = {path.suffix: path for path in corpus.glob("*/kevung+gbf__test.*")}
    assert same.matches(by_name[".sgf"]) == same.matches(by_name[".mat"])


@pytest.mark.corpus
def test_real_files_are_clean(corpus: Path) -> None:
    for path in sorted((corpus / "sgf").iterdir()):
        findings = check(read_file(path))
        assert [finding for finding in findings if finding.severity != "info"] == []


SAVED = (
    "(;FF[4]GM[6]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]\n"
    ";PL[B]AE[a:y]AW[e][e][f][f][f][h][h][h][m][m][m][m][m][w][x]"
    "AB[s][s][s][s][s][q][q][q][n][l][l][l][l][b][a]\n;CV[2]\n;CP[b]{more})\n"
)


@pytest.mark.parametrize("more", ["", "\n;PL[B]DI[31]", "\n;B[double]"])
def test_a_position_saved_by_itself_is_no_wrong_start(more: str) -> None:
    matches = read_bytes(SAVED.format(more=more).encode(), "a.sgf")
    assert matches[0].tag("Position") is not None
    assert not {finding.severity for finding in check(matches)} - {"info"}


def test_what_is_played_from_a_start_is_a_game() -> None:
    matches = read_bytes(SAVED.format(more=";B[31sqsr]").encode(), "a.sgf")
    assert matches[0].tag("Position") is None
    assert "U201" in {finding.code for finding in check(matches)}


def test_a_resignation_that_is_offered_may_be_accepted_or_rejected() -> None:
    offered = ";W[31hefe];B[resign:2];W[{}]"
    accepted, rejected = (actions(offered.format(word))[1] for word in ("accept", "reject"))
    assert isinstance(accepted, Resignation)
    assert (accepted.side, accepted.size, accepted.declined) == (1, 2, False)
    assert isinstance(rejected, Resignation)
    assert rejected.declined


@pytest.mark.parametrize("dice", ["31", "13"])
def test_a_roll_a_board_and_then_its_play_is_a_board_that_was_set_up(dice: str) -> None:
    kept = actions(f";PL[W]DI[{dice}];AE[a:y]AW[h][f]AB[c];W[31hefe]")
    assert [type(action) for action in kept] == [SetUp, Play]
    assert not any(isinstance(action, Play) and action.called_illegal for action in kept)


@pytest.mark.parametrize(
    ("root", "text"),
    [
        ("MI[gme:0]", "[gme:0]"),
        ("MI[length:x]", "[length:x]"),
        ("RU[Crawfrd]", "RU[Crawfrd]"),
        ("RE[X+1]", "RE[X+1]"),
        ("W[31hefe]", "W[31hefe]"),
    ],
)
def test_what_cannot_be_read_of_the_first_node_is_told(root: str, text: str) -> None:
    (match,) = read(f"(;FF[4]GM[6]PW[Ann]PB[Bob]{root};W[31hefe])")
    told = [odd.text for odd in match.oddities]
    told += [action.text for action in match.games[0].actions if isinstance(action, Unread)]
    assert told == [text]


def test_other_properties_are_kept() -> None:
    (match,) = read("(;FF[4]GM[6]PW[Ann]PB[Bob]SO[a club];W[31hefe];X[52lqac];Y[so it is];Z[])")
    assert match.tag("SO") == "a club"
    assert [action[2:4] for action in match.games[0].actions[1:]] == [
        (None, "X[52lqac]"),
        ("Y[so it is]",),
    ]


def test_each_line_of_the_comment_on_the_game_is_a_comment() -> None:
    (match,) = read("(;FF[4]GM[6]PW[Ann]PB[Bob]GC[one\n\ntwo \\]];W[31hefe])")
    assert [tag for tag in match.tags if tag.key == REMARK] == [
        Tag(Span(1, 30, 33), REMARK, "one"),
        Tag(Span(3, 1, 7), REMARK, "two ]"),
    ]


def test_of_a_value_of_several_lines_each_line_shows_its_own() -> None:
    text = b"(;FF[4]GM[6]GC[one\ntwo]PW[Ann];W[31hefe])"
    shown = str(parse_line(text, "a.sgf", 2))
    assert "two" in shown
    assert "one" not in shown


def test_a_length_makes_a_tree_one_of_backgammon() -> None:
    assert recognizes("(;MI[length:3];W[31hefe])")


@pytest.mark.parametrize(
    ("own", "other", "written"),
    [
        ({25: 1, 6: 2}, {6: 1}, "AE[a:y]AW[f][f][y]AB[s]"),
        ({1: 1}, {}, "AE[a:y]AW[a]"),
    ],
)
def test_checkers_on_the_bar_and_of_one_side_are_written(
    own: dict[int, int], other: dict[int, int], written: str
) -> None:
    assert write_boards((points(own), points(other))) == written


def test_an_escaped_line_break_is_deleted() -> None:
    assert unescape("a\\\n\\]b") == "a]b"
