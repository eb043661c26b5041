"""Match text that is written, and its content read again."""

from __future__ import annotations

import subprocess
from collections import Counter
from pathlib import Path

import pytest

from bganalyze.record.model import Comment, Match, Resignation
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import Written, write
from tests import same

CLEAN = Path(__file__).parents[2] / "samples" / "clean"

MATCH_TEXT = ("mat", "xg-text")
STEPS_AGAIN = (*MATCH_TEXT, "bgm")
HEAD = "bganalyze match\nleft: Ann\nright: Bob\nlength: 5\n"
GAME = "game 1\nscore 0-0\n"


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a")


def write_text(text: str, known_as: str) -> Written:
    return write([replay(match) for match in read(text)], known_as)


def read_back(output: Written) -> list[Match]:
    return read_bytes(output.data, "again")


def losses_of(output: Written) -> list[str]:
    return [loss.what for loss in output.losses]


def codes(matches: list[Match]) -> Counter[str]:
    return Counter(finding.code for finding in check(matches))


@pytest.mark.parametrize("known_as", STEPS_AGAIN)
def test_a_step_from_off_is_read_again(known_as: str) -> None:
    text = f"{HEAD}{GAME}L 31 0/5 6/5\nR 42 0/4\nL 61 13/7 8/7\n"
    (match,) = read_back(write_text(text, known_as))
    paths = [[step.path for step in turn.steps] for turn in match.games[0].actions]  # type: ignore[union-attr]
    assert paths == [[(0, 5), (6, 5)], [(0, 4)], [(13, 7), (8, 7)]]
    assert codes([match]) == codes(read(text))


@pytest.mark.parametrize("known_as", MATCH_TEXT)
@pytest.mark.parametrize("rest", ["L 61", "L 61\nR wins 1", "L 61\nR 42 8/4 6/4\nL 31 8/5 6/5"])
def test_an_empty_cell_stays_what_it_is(rest: str, known_as: str) -> None:
    text = f"{HEAD}conventions:\n{GAME}L 31 8/5 6/5\nR 52 13/8 24/22\n{rest}\n"
    output = write_text(text, known_as)
    assert output.losses == ()
    assert codes(read_back(output)) == codes(read(text))


DOUBLED = f"""{HEAD}{GAME}L 31 8/5 6/5
R double
; thinking
L take
; well
R 42 8/4 6/4
; so
L double
; sure?
R take
L 61 13/7 8/7
; the end
"""
BEAVERED = f"""{HEAD.replace("5", "money")}{GAME}L 31 8/5 6/5
R double
L beaver
; sure
R take
R 42 8/4 6/4
"""


@pytest.mark.parametrize("known_as", MATCH_TEXT)
@pytest.mark.parametrize("text", [DOUBLED, BEAVERED])
def test_comments_beside_the_cube_stay_in_their_place(text: str, known_as: str) -> None:
    output = write_text(text, known_as)
    (match,) = read_back(output)
    (before,) = read(text)
    assert output.losses == ()
    assert same.games(match) == same.games(before)
    assert codes([match]) == codes([before])
    comments = [
        [a.text for a in m.games[0].actions if isinstance(a, Comment)] for m in (match, before)
    ]
    assert comments[0] == comments[1]
    assert ("Takes" in output.data.decode()) == (text == DOUBLED)


@pytest.mark.oracle
def test_gnu_backgammon_repeats_no_cell_at_a_comment(gnubg_program: str, tmp_path: Path) -> None:
    (tmp_path / "a.mat").write_bytes(write_text(DOUBLED, "mat").data)
    commands = ['import mat "a.mat"', 'save match "a.sgf"', "quit", "y", ""]
    subprocess.run(
        [gnubg_program, "-t", "-q"],
        cwd=tmp_path,
        input="\n".join(commands).encode(),
        stdout=subprocess.DEVNULL,
        timeout=60,
        check=False,
    )
    assert same.matches(tmp_path / "a.sgf") == [same.games(match) for match in read(DOUBLED)]


@pytest.mark.slow
@pytest.mark.parametrize("known_as", MATCH_TEXT)
@pytest.mark.parametrize(
    ("line", "what"),
    [
        ('"Game 7"', "is quoted"),
        ('" 9 point match"', "is quoted"),
        ('"  4) 31: 8/5 6/5"', "is quoted"),
        ('"Wins 3 points"', "is quoted"),
        ('R "Doubles => 2"', "is quoted"),
        ('"31: 8/5, ;x"', "is quoted"),
        ('L "31: 8/5, ;x"', "is quoted"),
        ('"one\\ntwo"', "is quoted"),
        ("; Set Pos=-b----E-C---eE---c-e----B-/3", "is quoted"),
    ],
)
def test_text_becomes_nothing_else(line: str, what: str, known_as: str) -> None:
    text = f"{HEAD}{GAME}L 31 8/5 6/5\n{line}\nR 42 8/4 6/4\nL 61 13/7 8/7\n"
    output = write_text(text, known_as)
    (match,) = read_back(output)
    assert same.games(match) == same.games(read(text)[0])
    assert any(what in loss for loss in losses_of(output))
    assert codes([match]) == codes(read(text))


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_text_that_reads_back_is_no_loss(known_as: str) -> None:
    text = f'{HEAD}{GAME}L 31 8/5 6/5\n"hello there"\n; remark\nR "6?4"\n'
    output = write_text(text, known_as)
    assert output.losses == ()
    assert codes(read_back(output)) == codes(read(text))


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_names_and_header_entries_become_nothing_else(known_as: str) -> None:
    head = HEAD.replace("Ann", "; Ann").replace("Bob\n", "12) 31: 8/5\n")
    text = f'{head}tag "Ev\\"ent" "x"\ntag "Game 3" "q"\n{GAME}L 31 8/5 6/5\n'
    output = write_text(text, known_as)
    (match,) = read_back(output)
    assert losses_of(output) == ['entries of the header: Ev"ent']
    assert [tag.key for tag in match.tags] == ["Game 3"]
    assert match.names == ("; Ann", "12) 31: 8/5")
    assert same.games(match) == same.games(read(text)[0])


TWO = """bganalyze match
left: Ann
right: Bob

game 1
score 0-0
L 31 8/5 6/5
L resigns 1
R wins 1

bganalyze match
left: Carl
right: Dora
Event: Club

game 1
score 0-0
L 42 8/4 6/4
L resigns 1
R wins 1
"""


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_matches_without_a_length_stay_apart(known_as: str) -> None:
    output = write_text(TWO, known_as)
    back = read_back(output)
    assert output.losses == ()
    assert [match.names for match in back] == [("Ann", "Bob"), ("Carl", "Dora")]
    assert [[tag.key for tag in match.tags] for match in back] == [[], ["Event"]]
    assert codes(back) == codes(read(TWO))


@pytest.mark.parametrize("known_as", MATCH_TEXT)
@pytest.mark.parametrize(
    ("producer", "site"),
    [("unknown", "BackgammonGalaxy"), ("Backgammon Galaxy", "a club"), ("A b", "PlayOK")],
)
def test_conventions_that_no_spelling_shows_are_stated(
    producer: str, site: str, known_as: str
) -> None:
    head = (
        HEAD.replace("5", "3") + f"Site: {site}\nproducer: {producer}\nconventions: hits capped\n"
    )
    text = f"{head}{GAME}L 31 8/5 6/5\nR 42 8/4 6/4\nL wins 1\n"
    (back,) = read_back(write_text(text, known_as))
    (before,) = read(text)
    assert back.conventions.caps_points
    assert back.conventions.producer == producer
    assert [tag.key for tag in back.tags] == ["Site"]
    assert codes([back]) == codes([before])


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_conventions_that_the_reader_infers_are_not_stated(known_as: str) -> None:
    text = f'; [Site "BackgammonGalaxy"]\n\n 3 point match\n\n Game 1\n{" Ann : 0":32} Bob : 0\n'
    text += f"{'  1) 31: 8/5 6/5':32} 42: 8/4 6/4\n      Wins 1 point\n"
    assert "conventions" not in write_text(text, known_as).data.decode()


def test_the_same_words_of_the_other_side_are_another_play() -> None:
    """Right's way over its bar point is blocked, left's is not."""
    plays = (
        "L 31 8/5 6/5\nR 21 13/11 6/5\nL 66 24/18(2) 13/7(2)\nR 31 8/5 6/5\nL 65 13/2\nR 65 13/2\n"
    )
    text = write_text(f"{HEAD}{GAME}{plays}", "mat").data.decode()
    assert "65: 13/7 7/2" in text
    assert "65: 8/2 13/8" in text


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_a_header_entry_without_a_name_is_left_out(known_as: str) -> None:
    """GammonView takes names from the header, and reads no row of a player without one."""
    text = '; [Player 1 "Ann"]\n; [Player 2 ""]\n\n 5 point match\n\n Game 1\n Ann : 0        : 0\n  1) 31: 8/5 6/5\n'
    output = write_text(text, known_as)
    assert b'[Player 1 "Ann"]' in output.data
    assert b"[Player 2" not in output.data
    assert losses_of(output) == ["that a player has no name"]


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_a_player_without_a_name_gets_one(known_as: str) -> None:
    output = write_text(f"{HEAD.replace('Ann', '')}{GAME}L 31 8/5 6/5\n", known_as)
    assert losses_of(output) == ["that a player has no name"]
    assert read_back(output)[0].names == ("Player 1", "Bob")


AS_XG = """\
; [Site "Club  night"]
; [EventDate "2023.11.26"]

3 point match

 Game 1
 Ann : 0                               Bob : 0
  1)                                   52: 13/11 13/8                    
  2) 32: 24/21 13/11                   32: 13/10 6/4*                    
  3) 61: Bar/18                        41: 13/8                          
  4)  Doubles => 2                      Takes                            
  5) 54: 18/9                          65: 24/18 8/3                     
  6) 33: Cannot Move                   22: 8/4 6/4(2)                    
  7) 61: ????                           Wins 2 point



 Game 2
 Ann : 0                               Bob : 2
  1) 31: 8/5 6/5                        Doubles => 2                     
  2)  Takes                            21: ????                          
      Wins 2 point



"""  # noqa: W291


def test_xg_text_comes_back_byte_for_byte() -> None:
    text = f"\ufeff{AS_XG}\n".replace("\n", "\r\n").encode()
    matches = read_bytes(text, "a.txt")
    assert write(list(map(replay, matches)), "xg-text").data.decode() == text.decode()


@pytest.mark.parametrize(
    ("board", "play", "spelled"),
    [
        ("L 6 R 22 24", "32 6/3*/1*", "6/3* 3/1*"),
        ("L 8 R 18", "41 8/7*/3", "8/7* 7/3"),
        ("L 13 R 24", "61 13/6", "13/6"),
        ("L 6(2) R 20", "51 6/5* 6/1", "6/1 6/5*"),
        ("L 6(2) R 21 23", "22 6/4*/2* 6/2", "6/4*(2) 4/2*(2)"),
        ("L bar 21 R 8", "44 bar/21/17* 21/13", "Bar/17* 21/17 17/13"),
        ("L 2(2) R 24", "21 2/off 2/1*", "2/1* 2/Off"),
        ("L 24(2) 8 6 R 3", "11 6/5 8/7 24/23(2)", "24/23(2) 8/7 6/5"),
    ],
)
def test_steps_are_joined_and_ordered_as_xg_does(board: str, play: str, spelled: str) -> None:
    text = f"{HEAD}{GAME}board {board}\nL {play}\n"
    assert not [code for code in codes(read(text)) if code[0] == "P"]
    output = write_text(text, "xg-text").data.decode()
    assert f" {play[:2]}: {spelled} " in output
    assert codes(read_back(write_text(text, "xg-text"))) == codes(read(text))


DANCED = f"""{HEAD}conventions: dances
{GAME}board L 6(4) 5(2) 4(2) 3(2) 2(5) R 24 6(5) 5(5) 4(4)
L 21 6/4 2/1
R 66 dance
L 21 6/4 2/1
"""


@pytest.mark.parametrize("known_as", MATCH_TEXT)
def test_no_hit_is_marked_that_the_same_play_made_before_a_dance(known_as: str) -> None:
    output = write_text(DANCED, known_as).data.decode()
    assert output.count("2/1*") == 1
    assert "T109" not in codes(read_back(write_text(DANCED, known_as)))


LOST = """\
 3 point match

 Game 1
 Ann : 0                         Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Losses 2 points
"""


@pytest.mark.parametrize("known_as", [*MATCH_TEXT, "sgf", "bgm", "json", "gvab"])
@pytest.mark.parametrize("result", ["", " " * 33 + "Wins 2 points\n", " " * 33 + "Wins 1 point\n"])
def test_points_that_are_given_up_stay_or_are_told(known_as: str, result: str) -> None:
    matches = read_bytes((LOST + result).encode(), "a.mat")
    converted = write(list(map(replay, matches)), known_as)
    before, after = (
        replay(of_file[0]).games[0].ending for of_file in (matches, read_back(converted))
    )
    assert (before.kind, before.winner) == (after.kind, after.winner)
    is_told = any("points" in what or "resignation" in what for what in losses_of(converted))
    offered = [
        action.points
        for match in read_back(converted)
        for action in match.games[0].actions
        if isinstance(action, Resignation)
    ]
    assert offered == [2] or before.recorded == after.recorded == 2 or is_told


@pytest.mark.parametrize(
    ("end", "spelled"),
    [
        ("R 21 ?\nR resigns\nL wins 1\n", ") 31: 8/5 6/5                       21: ????   "),
        ("R resigns\nL wins 1\n", ") 31: 8/5 6/5                       ????   "),
        ("R 52 13/8 24/22\nL 52 ?\nL resigns\nR wins 1\n", f") 52: ????{' ' * 27}Wins 1 point"),
        ("R 21 8/6 ; resigns\nL wins 1\n", "21: 8/6 Resigns"),
        ("R 21 ?\nR resigns gammon\nL wins 2\n", "Resigns gammon"),
        ("R 21 ?\nL resigns\nR wins 1\n", ") ????"),
    ],
)
def test_a_resignation_is_spelled_as_xg_does(end: str, spelled: str) -> None:
    text = f"{HEAD}{GAME}R 31 8/5 6/5\nL 31 8/5 6/5\n{end}"
    output = write_text(text, "xg-text")
    endings = [
        replay(matches[0]).games[0].ending[:2] for matches in (read(text), read_back(output))
    ]
    assert spelled in output.data.decode()
    assert output.losses == ()
    assert endings[0] == endings[1]


@pytest.mark.parametrize("known_as", [*MATCH_TEXT, "sgf"])
def test_a_slip_of_layout_that_is_written_as_it_is_read_is_told(known_as: str) -> None:
    text = (CLEAN / "short-match.mat").read_text(encoding="utf-8")
    text = text.replace("63: 25/22 22/16             42:", "42: 25/22 22/16             63:")
    [error] = [finding for finding in check(read(text)) if finding.severity == "error"]
    output = f"a slip of layout, written as interpreted: {error.reading}"
    assert output in losses_of(write_text(text, known_as))
    assert output not in losses_of(write_text(text, "json"))


def test_the_board_after_an_illegal_play_is_that_of_both_sides() -> None:
    """One of each side is on the bar, and the other's checkers count negative, in this text too."""
    board = "board L bar 24(2) 13(5) 8(3) 6(4) R bar 24(2) 13(5) 8(3) 6(3) 5"
    text = f"{HEAD}conventions:\n{GAME}L 31 8/5 6/5\nR 42 illegal leaves {board}\nL 61 bar/24\n"
    (match,) = read(text)
    (again,) = read_back(write_text(text, "mat"))
    boards = [one.games[0].actions[1].left_board.boards for one in (match, again)]  # type: ignore[union-attr]
    assert boards[0] == boards[1]
    assert boards[0] is not None


def test_a_game_that_stands_twice_is_written_once_and_named_as_lost() -> None:
    plays = (
        "L 31 8/5 6/5\nR 31 24/23 13/10\nL 42 8/4 6/4\nR 65 24/13\nL 61 13/7 8/7\nR 52 13/8 13/11\n"
    )
    game = f"{GAME}{plays}L resigns 1\n"
    output = write_text(f"{HEAD}{game}{game}", "mat")
    assert losses_of(output) == ["the second copy of a game recorded twice"]
    assert len(read_back(output)[0].games) == 1


@pytest.mark.parametrize(
    "play", ["21: 6/4 7/6", "21: 7/6 6/4", "31: 6/5 8/5", "11: 8/7 6/5 8/7 6/5"]
)
def test_a_play_of_single_steps_keeps_its_steps_and_their_order(play: str) -> None:
    board = "L 24(2) 13(5) 8(3) 7 6(4) R 24(2) 13(5) 8(3) 6(5)"
    text = f"{HEAD}{GAME}board {board}\nL {play.replace(':', '')}\n"
    assert f" {play} " in write_text(text, "mat").data.decode().replace("\n", " \n")
