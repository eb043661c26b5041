"""Smart Game Format: the content of a record comes back, or its loss is reported."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bganalyze.record.model import Answer, Double, Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import Written, write

HEAD = "bganalyze match\nlength: 5\n\ngame 1\nscore 0-0\n"
TAKEN_BACK = "L 31 8/5 6/4\n{}L 31 8/5 6/5\nR 42 8/4 6/4\n"
BOARD = "board L 24 18 13(4) 11 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5)"


def bgm(text: str) -> list[Match]:
    return read_bytes((HEAD + text).encode(), "a.bgm")


def write_matches(matches: list[Match]) -> Written:
    return write([replay(match) for match in matches], "sgf")


def read_back(output: Written) -> list[Match]:
    return read_bytes(output.data, "a.sgf")


def findings(matches: list[Match]) -> Counter[tuple[Any, ...]]:
    """Return code and message of findings above info."""
    reported = (finding for finding in check(matches) if finding.severity != "info")
    return Counter(
        (finding.code, finding.match, finding.game, finding.side, finding.standing)
        for finding in reported
    )


def losses(text: str) -> list[str]:
    return [loss.what for loss in write_matches(bgm(text)).losses]


@pytest.mark.parametrize("between", ["", "; oops\n", "; oops\n; again\n", "R double 2\n"])
def test_a_correction_comes_back_whatever_stands_before_it(between: str) -> None:
    matches = bgm(TAKEN_BACK.format(between))
    output = write_matches(matches)
    (back,) = read_back(output)
    assert not output.losses
    assert [type(action) for action in back.games[0].actions] == [
        type(action) for action in matches[0].games[0].actions
    ]
    assert findings([back]) == findings(matches)
    assert ("P404", "corrected") in {(finding[0], finding[4]) for finding in findings([back])}


def test_text_before_a_correction_becomes_a_comment_and_no_more() -> None:
    output = write_matches(bgm(TAKEN_BACK.format('"junk"\n')))
    assert [loss.what for loss in output.losses] == [
        "unreadable text became a comment",
    ]
    assert [finding.code for finding in check(read_back(output)) if finding.severity != "info"] == [
        "P404"
    ]


@pytest.mark.parametrize("correction", ["R 21 13/11 6/5", f"R 21 illegal leaves {BOARD}\nR 21"])
def test_a_board_that_was_taken_back_comes_back(correction: str) -> None:
    matches = bgm(f"L 62 24/18 13/11\nR 21 illegal leaves {BOARD}\n; oops\n{correction}\n")
    output = write_matches(matches)
    assert not output.losses
    assert ("P499", "corrected") in {(finding[0], finding[4]) for finding in findings(matches)}
    assert findings(read_back(output)) == findings(matches)


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("L 11 ?\nL 11 6/5(2) 8/7(2)\n", ["a roll without its play"]),
        ("L 11 ?\n; no\nL 11 6/5(2) 8/7(2)\n", []),
        ("L 11 ?\nR 11 6/5(2) 8/7(2)\n", []),
        (
            f"R 21 ?\n{BOARD}\n",
            [
                *("a roll without its play", "a position that was set up"),
                "the absence of P499, which check reports only in the written file",
            ],
        ),
    ],
)
def test_a_roll_without_a_play(text: str, lost: list[str]) -> None:
    assert losses(text) == lost
    if not lost:
        assert findings(read_back(write_matches(bgm(text)))) == findings(bgm(text))


ONE_GAME = """\
 1 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 6/4
{}
"""


@pytest.mark.parametrize("end", ["      Wins 1 point\n", ""])
def test_matches_of_one_game_stay_apart(end: str) -> None:
    matches = read_bytes(ONE_GAME.format(end).encode() * 2, "a.mat")
    output = write_matches(matches)
    assert not output.losses
    assert [len(match.games) for match in read_back(output)] == [1, 1]
    assert findings(read_back(output)) == findings(matches)


def test_games_out_of_order_stay_in_their_match() -> None:
    games = " 5 point match\n\n{0}\n Game 3\n{1}\n Game 1\n{1}".format(
        *("", ONE_GAME.partition("Game 1\n")[2].format(""))
    )
    matches = read_bytes(games.encode(), "a.mat")
    output = write_matches(matches)
    assert [len(match.games) for match in read_back(output)] == [2]
    assert findings(read_back(output)) == findings(matches)


def test_a_wrong_result_stays_wrong() -> None:
    """Only what the winner needed is written in whole cubes."""
    matches = bgm("R 31 8/5 6/5\nL double 2\nR take\nL 66 24/18(2) 13/7(2)\nR resigns\nL wins 3\n")
    output = write_matches(matches)
    assert b"RE[W+3R]" in output.data
    assert not output.losses
    assert "R602" in {finding[0] for finding in findings(matches)}
    assert findings(read_back(output)) == findings(matches)


PLAYED = "R 31 8/5 6/5\n"


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("L resigns\nR wins 1\nL 31 8/5 6/5\n", "that a game went on after its end"),
        ("R wins 1\nL resigns\n", "that a game went on after its end"),
        ("R wins 1\nR wins 2\n", "the result of a game"),
        ("L resigns\nR resigns\nR wins 1\n", "how a game was resigned"),
        ("L resigns 1\n", "that a game ended by a resignation without a result"),
        ("R resigns\nR wins 1\n", "how a game was resigned"),
        ("L double\nR double\nR take\n", "whether a double is a beaver"),
        ("L 31 illegal\n", "the record's own mark that a play is illegal"),
        ("\ngame 0\nL 31 8/5 6/5\n", "the number of a game"),
        (
            "L 62 illegal 24/18\n",
            "the absence of P409, which check reports only in the written file",
        ),
    ],
)
def test_what_has_no_place_is_told(text: str, lost: str) -> None:
    assert lost in losses(PLAYED + text)


@pytest.mark.parametrize(
    "text",
    [
        "L resigns\nR wins 1\n; well played\n",
        "L double\nR drop\nL wins 1\n",
        "L double\nR beavers\nL take\n",
    ],
)
def test_what_has_its_place_is_not_told(text: str) -> None:
    assert [loss for loss in losses(PLAYED + text) if "own mark" not in loss] == []


def test_a_false_hit_mark_is_told_where_a_format_has_no_marks() -> None:
    false_mark = "L 31 8/5* 6/5\n"
    assert losses(false_mark) == ["the finding T109"]
    assert b"8/5*" in write([replay(match) for match in bgm(false_mark)], "mat").data


def test_that_the_crawford_game_is_unknown_is_told() -> None:
    fragment = ONE_GAME.format("").replace(" 1 point", " 7 point").replace("Ann : 0", "Ann : 6")
    output = write_matches(read_bytes(fragment.replace("Bob : 0", "Bob : 5").encode(), "a.mat"))
    assert "that it is unknown whether a game is the Crawford game" in {
        loss.what for loss in output.losses
    }


@pytest.mark.parametrize(("cell", "is_written"), [("Doubles => 2", False), ("42: 8/4 6/4", True)])
def test_a_game_with_a_double_is_not_written_as_the_crawford_game(
    cell: str, is_written: bool
) -> None:
    fragment = (
        " 7 point match\n\n Game 1\n Ann : 6                         Bob : 5\n"
        f"  1) 31: 8/5 6/5                  {cell}\n"
    )
    data = write_matches(read_bytes(fragment.encode(), "a.mat")).data
    assert (b"CrawfordGame" in data) == is_written
    assert not [f for f in check(read_bytes(data, "a.sgf")) if f.severity == "error"]


def test_a_match_without_games_is_told() -> None:
    text = f"bganalyze match\nlength: 3\n\n{HEAD}{PLAYED}"
    output = write_matches(read_bytes(text.encode(), "a.bgm"))
    assert [loss.what for loss in output.losses] == ["a match without games"]


@pytest.mark.parametrize(
    ("entry", "known_as"),
    [
        ("Variation: Hypergammon", "hypergammon-3"),
        ("Variation: Hyper 2", "hypergammon-2"),
        ("Variant: Nack", "nackgammon"),
        ("Crawford: sometimes", "standard"),
    ],
)
def test_variants_and_switches_come_back(entry: str, known_as: str) -> None:
    text = HEAD.replace("length: 5", f"length: 2\n{entry}").replace("0-0", "1-0")
    matches = read_bytes((text + PLAYED).encode(), "a.bgm")
    contexts = [
        replay(match).games[0].context for match in (*matches, *read_back(write_matches(matches)))
    ]
    assert [context.terms.variant for context in contexts] == [known_as] * 2
    assert contexts[0].crawford == contexts[1].crawford


def test_a_play_that_was_taken_back_closes_no_error_after_it() -> None:
    """The file has it after the error all the same."""
    matches = bgm(TAKEN_BACK.format("") + "L 62 24/17 13/11\n")
    standings = {finding[4] for finding in findings(matches)}
    assert standings == {"corrected", "open"}
    assert findings(read_back(write_matches(matches))) == findings(matches)


@pytest.mark.parametrize("between", ["", "; hm\n"])
@pytest.mark.parametrize(
    ("turned", "kinds"),
    [
        ("", ["double", "beaver", "take"]),
        ("L raccoon 8\n", ["double", "beaver", "raccoon"]),
        ("L raccoon 8\nR take\n", ["double", "beaver", "raccoon", "take"]),
    ],
)
def test_only_a_beaver_is_taken_by_playing_on(turned: str, kinds: list[str], between: str) -> None:
    header = "bganalyze match\nlength: money\nBeaver: On\ngame 1\nscore 0-0\n"
    plays = f"R 31 8/5 6/5\nL double 2\nR beaver 4\n{turned}{between}L 64 24/14\n"
    matches = read_bytes((header + plays).encode(), "a.bgm")
    output = write_matches(matches)
    actions = read_back(output)[0].games[0].actions
    assert [
        action.kind if isinstance(action, Double) else "take"
        for action in actions
        if isinstance(action, Double | Answer)
    ] == kinds
    assert not output.losses
    assert {finding[0] for finding in findings(read_back(output))} == {
        finding[0] for finding in findings(matches)
    }
