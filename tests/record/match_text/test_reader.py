"""Match text in two columns: its lines, and how matches and games part."""

from unittest.mock import patch

import pytest

from bganalyze.record.conventions import find_comments
from bganalyze.record.match_text import reader
from bganalyze.record.match_text.reader import _read_entry, _strip_comment_sign
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Comment,
    Length,
    Match,
    Play,
    Resignation,
    Result,
    Side,
    Span,
)
from bganalyze.record.reader import read_bytes
from bganalyze.record.text_caches import TextMemory
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import write
from tests import same

HEAD = " 5 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
ROWS = "  1) 31: 8/5 6/5                   65: 24/13\n"
WON = ROWS + "      Wins 1 point\n"
MATCH = HEAD + WON
DOUBLED = "  1) 31: 8/5 6/5                   Doubles => 2\n  2)  Takes\n"
TAKEN = DOUBLED.replace("Takes", "Takes                        65: 24/13")


def matches(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.mat")


def codes(text: str) -> list[tuple[int, str]]:
    return [(finding.line, finding.code) for finding in check(matches(text))]


def rolls(text: str) -> list[tuple[int, tuple[int, int] | None]]:
    """Return the rolls of the first game, each with its side."""
    actions = matches(text)[0].games[0].actions
    return [(action.side, action.dice) for action in actions if isinstance(action, Play)]


@pytest.mark.parametrize("label", ["  l)", "  x", "  1]", " Il1)", "?"])
def test_the_columns_of_a_first_row_are_told_apart_by_its_rolls(label: str) -> None:
    assert rolls(f"{HEAD}{label} 31: 8/5 6/5                   65: 24/13\n") == [
        (0, (3, 1)),
        (1, (6, 5)),
    ]


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (" Game 1\n", " Game #1\n"),
        (" Game 1\n", "--- Game 1 ---\n"),
        (" Game 1\n", "===== Game 1:\n"),
        ("Doubles => 2", "Doubles 2   "),
        ("Doubles => 2", "Doubles to 2"),
        ("Wins 2 points", "Wins 2 pts"),
        ("Wins 2 points", "Wins 2    points"),
    ],
)
@pytest.mark.parametrize("winner", [LEFT, RIGHT])
def test_other_programs_write_the_same_in_other_words(
    written: str, instead: str, winner: Side
) -> None:
    indent = " " * (35 if winner == RIGHT else 6)
    text = f"{HEAD}{TAKEN}  3) 52: 13/8 13/11\n{indent}Wins 2 points\n"
    assert written in text
    (clean,), (other,) = matches(text), matches(text.replace(written, instead))
    assert same.games(other) == same.games(clean)
    assert other.games[0].number == 1
    assert {finding.code for finding in check([other])} == {
        finding.code for finding in check([clean])
    }


def test_a_remark_behind_a_row_is_a_comment() -> None:
    row = "  1) 31: 8/5 6/5                   65: 24/13 ; a joker\n"
    (match,) = matches(HEAD + row)
    *_, play, comment = match.games[0].actions
    assert isinstance(play, Play)
    assert isinstance(comment, Comment)
    assert (play.how, comment.text, comment.span.column) == (
        "played",
        "a joker",
        row.index(";") + 1,
    )


def test_a_row_within_a_row_of_two_rolls_is_a_row() -> None:
    [match] = matches(
        " 3 point match\n\n Game 1\n Ann : 0                         Bob : 0\n"
        "  1) 31: 8/5 6/5                 42: 8/4x 2)  Losses 1 point              Wins 1 point\n"
    )
    assert [(action.row, action.side) for action in match.games[0].actions[-2:]] == [
        ("2", LEFT),
        ("2", RIGHT),
    ]


class TestTabs:
    def test_an_empty_left_cell(self) -> None:
        rows = "  1)\t\t65: 24/13\n  2)\t31: 8/5 6/5\t61: 13/7 8/7\n"
        assert rolls(HEAD + rows) == [(1, (6, 5)), (0, (3, 1)), (1, (6, 1))]

    def test_words(self) -> None:
        rows = "  1)\t31: 8/5 6/5\tDoubles => 2\n  2)\tTakes\t65: 24/13\n  3)\t\tTakes\n"
        assert [action.side for action in matches(HEAD + rows)[0].games[0].actions] == [
            0,
            1,
            0,
            1,
            1,
        ]

    def test_one_behind_a_roll_parts_the_cells(self) -> None:
        (match,) = matches(HEAD + "  1) 31: 8/5 6/5\tTakes   42: 8/4 6/4\n")
        assert [action.side for action in match.games[0].actions] == [0, 1, 1]


@pytest.mark.parametrize(
    ("score", "names"),
    [
        ("Ann: the first : 0      Bob : 0", ("Ann: the first", "Bob")),
        ("Ann : 0      Bob: (GER) : 3", ("Ann", "Bob: (GER)")),
        ("12:30 club : 0      a:b:c : 3", ("12:30 club", "a:b:c")),
        ("Ann : 0      Mr. 31: : 0", ("Ann", "Mr. 31:")),
        ("wins : 0      Ann : Bob : 3", ("wins", "Ann : Bob")),
        ("Ann : 0      Bob : 0", ("Ann", "Bob")),
    ],
)
def test_names_may_hold_colons(score: str, names: tuple[str, str]) -> None:
    (match,) = matches(f" 5 point match\n Game 1\n {score}\n{ROWS}")
    assert match.names == names


@pytest.mark.parametrize(
    ("score", "names"),
    [
        ("#1 : 0                         Ann : 3", ("#1", "Ann")),
        ("; : 0                          12) : 3", (";", "12)")),
        ("12) : 0                        8/5 : 3", ("12)", "8/5")),
        ("wins 2 points : 0              ] : 3", ("wins 2 points", "]")),
        ("25 point match : 0             Losses 1 point : 3", ("25 point match", "Losses 1 point")),
        (f"{'Ann' * 9} : 0+ : 3", ("Ann" * 9, "+")),
        (f"{'Ann' * 9} : 0523 Bob x : 3", ("Ann" * 9, "523 Bob x")),
        (f"{'1' * 28} : 052 : 3", ("1" * 28, "52")),
        (f"{'Я' * 14} : 050-` : 3", ("Я" * 14, "50-`")),
        (f"{'Ann' * 5} : 00      Bob : 03", ("Ann" * 5, "Bob")),
    ],
)
def test_names_of_a_score_line_may_look_like_other_lines(
    score: str, names: tuple[str, str]
) -> None:
    text = f" 5 point match\n Game 1\n {score}\n{ROWS}"
    (match,) = matches(text)
    assert (match.names, rolls(text)) == (names, [(0, (3, 1)), (1, (6, 5))])
    assert match.games[0].score is not None
    assert match.games[0].score.points == (0, 3)


def test_a_name_without_a_gap_before_it_is_that_of_the_game_before() -> None:
    name = "50-Bob"
    games = "".join(
        f" Game {number}\n {'Ann' * 9} : {points}{name} : 0\n{ROWS}\n"
        for number, points in enumerate((0, 1, 12), start=1)
    )
    (match,) = matches(f" 25 point match\n{games}")
    scores = [game.score for game in match.games]
    assert [score and (score.names[1], score.points) for score in scores] == [
        (name, (points, 0)) for points in (0, 1, 12)
    ]


@pytest.mark.parametrize(
    "names",
    [
        ("1984", "/ Ann"),
        ("#1", ";"),
        ("71)=Bob", "Illegal play (1;2)"),
        ("2 points  of  +", "=3"),
        ("É", "-  Ö"),
        ("25 point match", "Game 1"),
    ],
)
def test_names_of_a_single_game_are_known_by_their_column(names: tuple[str, str]) -> None:
    padding = " " * (31 - len(names[0].encode()))
    text = f" {names[0]}{padding}{names[1]}\n{ROWS}"
    (match,) = matches(text)
    assert (match.names, rolls(text)) == (names, [(0, (3, 1)), (1, (6, 5))])


@pytest.mark.parametrize(
    "score", [" (0-1)", " - Ann 0, Bob 1", ": 0-1", ", score 0-1", " Ann 0 Bob 1"]
)
def test_a_game_line_may_have_the_score(score: str) -> None:
    (match,) = matches(f"{MATCH} Game 2{score}\n{WON}")
    assert [game.number for game in match.games] == [1, 2]


@pytest.mark.parametrize("remark", ["Game 2: 5-3 was rolled.", "Game 2 was short, 3 rolls."])
def test_a_remark_on_a_game_begins_none(remark: str) -> None:
    (match,) = matches(f"{MATCH}\n{remark}\n Game 2\n{WON}")
    assert [game.number for game in match.games] == [1, 2]


def test_single_games_in_one_file_are_matches_of_their_own() -> None:
    first, second = matches(f" Ann           Bob\n{WON}\n Cleo          Dan\n{WON}")
    assert (first.names, second.names) == (("Ann", "Bob"), ("Cleo", "Dan"))
    assert [len(match.games) for match in (first, second)] == [1, 1]


@pytest.mark.parametrize(
    "header",
    [
        "\nThe summer cup\n\n",
        "\n; played in Rome\n",
        '\nThe summer cup\n; played in Rome\n; [Site "Rome"]\n',
        '; [Site "Rome"]\n',
    ],
)
def test_what_stands_above_a_match_line_is_its_header(header: str) -> None:
    text = MATCH + header + MATCH.replace("5 point", "1 point")
    started = 7 + header.count("\n")
    assert len(matches(text)) == 2
    assert codes(text) == [(6, "R608"), (started, "T115")]


def test_a_comment_under_the_last_row_is_not_where_the_match_stops() -> None:
    assert codes(MATCH + "; played in Rome\n") == [(6, "R608")]


def test_what_stands_under_a_row_belongs_to_it() -> None:
    assert (7, "T101") in codes(f"{MATCH}garbled\n\n{MATCH}")


@pytest.mark.parametrize(("length", "is_money"), [(16, True), (2, True), (5, False), (7, False)])
def test_one_game_of_backgammon_galaxy_is_unlimited_at_some_lengths(
    length: int, is_money: bool
) -> None:
    site = '; [Site "BackgammonGalaxy"]\n'
    (match,) = matches(site + MATCH.replace("5 point match", f"{length} point match"))
    assert match.conventions.one_game_is_money == is_money


def _read_resignation(site: str, row: str, words: str) -> list[Match]:
    text = (
        f'; [Site "{site}"]\n5 point match\n\n Game 1\n Ann: 0                        Bob: 0\n'
        f"  1) 31: 8/5 6/5                 65: 24/18 18/13\n{row}\n{words}\n"
    )
    return read_bytes(text.encode(), "a.mat")


RIGHT_WINS = " " * 33 + "Wins 1 point"
LEFT_WINS = "      Wins 1 point"


@pytest.mark.parametrize(
    ("row", "words", "loser"),
    [
        ("  2)                             Resigned Game", RIGHT_WINS, LEFT),
        ("  2)                             Resigned Match", RIGHT_WINS, LEFT),
        ("  2) 42: 8/4 6/4                 Resigned Game", RIGHT_WINS, LEFT),
        ("  2) Resigned Game", LEFT_WINS, RIGHT),
        ("  2) Resigned Match", LEFT_WINS, RIGHT),
    ],
)
@pytest.mark.parametrize("site", ["OpenGammon", "Foxamon"])
def test_a_resignation_stands_in_the_winners_column_of_some_sites(
    site: str, row: str, words: str, loser: Side
) -> None:
    matches = _read_resignation(site, row, words)
    (game,) = replay(matches[0]).games
    assert (game.ending.kind or "").startswith("resigned")
    assert game.ending.winner == 1 - loser
    assert "R603" not in {finding.code for finding in check(matches)}


@pytest.mark.parametrize(
    ("row", "words", "winner"),
    [
        ("  2)                             Resigned Game", RIGHT_WINS, RIGHT),
        ("  2) Resigned Match", LEFT_WINS, LEFT),
        ("  2) Resigned Game", RIGHT_WINS, RIGHT),
    ],
)
def test_without_tags_the_results_tell_in_whose_column_it_stands(
    row: str, words: str, winner: Side
) -> None:
    found = _read_resignation("", row, words)
    assert replay(found[0]).games[0].ending.winner == winner
    assert "R603" not in {finding.code for finding in check(found)}


def test_a_win_against_a_resignation_of_opengammon_is_reported() -> None:
    row = "  2)                             Resigned Game"
    assert "R603" in {
        finding.code for finding in check(_read_resignation("OpenGammon", row, LEFT_WINS))
    }


@pytest.mark.parametrize(
    ("site", "row"),
    [
        ("Elsewhere", "  2) Resigned Game"),
        ("OpenGammon", "  2) Resigns"),  # as bganalyze writes what was read from OpenGammon
        ("OpenGammon", "  2) Resigns match"),
    ],
)
def test_a_resignation_stands_in_the_losers_column_elsewhere(site: str, row: str) -> None:
    assert "R603" not in {
        finding.code for finding in check(_read_resignation(site, row, RIGHT_WINS))
    }


def _studio(*ends: str) -> str:
    """Return a session of games without an end on the board, one for each ending of the last row."""
    games = (
        f" Game {number}\n Ann : {number - 1}                         Bob : 0\n"
        f"  1) 31: 8/5 6/5                   {end}\n      Wins 1 point\n"
        for number, end in enumerate(ends, start=1)
    )
    return '; [Site "Backgammon Studio"]\n 9 point match\n' + "".join(games)


PLAYED, GIVEN_UP = "65: 24/13", "00: ????"


@pytest.mark.parametrize(
    ("text", "unfounded"),
    [
        (_studio(GIVEN_UP, PLAYED), 1),
        (_studio(PLAYED, GIVEN_UP, PLAYED, GIVEN_UP), 2),
        (_studio(GIVEN_UP) + "\n" + _studio(PLAYED), 1),
        (_studio(PLAYED), 0),
        (_studio(PLAYED, PLAYED, GIVEN_UP), 0),
        (_studio(PLAYED) + "\n" + _studio(PLAYED, GIVEN_UP), 0),
        (_studio(GIVEN_UP, PLAYED).replace("Backgammon Studio", "Elsewhere"), 0),
    ],
)
@pytest.mark.parametrize("known_as", ["mat", "xg-text", "bgm", "json"])
def test_a_bare_win_is_unfounded_where_the_file_spells_resignations(
    text: str, unfounded: int, known_as: str
) -> None:
    matches_read = matches(text)
    output = write([replay(match) for match in matches_read], known_as).data
    for record in (matches_read, read_bytes(output, "b")):
        assert [f.code for f in check(record)].count("R601") == unfounded


def list_content(text: str) -> list[tuple[object, ...]]:
    """Return the content of a match without its places."""
    actions = (action for match in matches(text) for game in match.games for action in game.actions)
    return [
        (type(action), action.side, *action[3:5], getattr(action, "how", None))
        for action in actions
    ]


@pytest.mark.parametrize(
    ("rows", "usual"),
    [
        ("  1) 3-1: 8/5 6/5                 6-5: 24/13\n", ROWS),
        ("  1) 3-1: 8/5, 6/5                6-5: 24/13\n", ROWS),
        ("x) 3-1: 8/5 6/5                 6-5: 24/13\n", ROWS.replace("1)", "x)")),
        (" 3-1: 8/5 6/5                 6-5: 24/13\n", ROWS),
        ("  1) Ann: 31: 8/5 6/5              Bob: 65: 24/13\n", ROWS),
        ("  1) ann: 31: 8/5 6/5  BOB: 6-5: 24/13\n", ROWS),
        ("  1) 31: 8/5 6/5                   Bob: Doubles => 2\n  2) Ann: Takes\n", DOUBLED),
        ("  1) 31: 8/5 6/5                   Doubles ==> 2\n  2) Takes\n", DOUBLED),
        ("  1) 31: 8/5 6/5                   Doubles -> 2\n  2) Takes\n", DOUBLED),
        ("  1) 31: 8/5 6/5                   redoubles==>2\n  2) Takes\n", DOUBLED),
        ("  1) 31: 8/5 6/5\t\tDoubles => 2\n  2) Takes\t\t65: 24/13\n", TAKEN),
        ("  1)\t31: 8/5 6/5\t\t\tDoubles => 2\n  2)\tTakes\t65: 24/13\n", TAKEN),
        ("  1)\t31: 8/5 6/5\tDoubles => 2\n  2) Takes\t65: 24/13\n", TAKEN),
        ("  1) 31:\tCannot Move\n", "  1) 31: Cannot Move\n"),
        ("  1)\t\t31: 8/5 6/5\n", "  1)                                 31: 8/5 6/5\n"),
        ("  1) 31: Illegal play      Wins 1 point\n", "  1) 31: Illegal      Wins 1 point\n"),
        (
            "  1) 21: 2/off 0/0              65: 24/13\n",
            "  1) 21: 2/off                65: 24/13\n",
        ),
        ("  1) 11: 2/off 0/0(3)         65: 24/13\n", "  1) 11: 2/off                65: 24/13\n"),
        ("  1) 21: 0/0 off/off\n", "  1) 21: Cannot Move\n"),
        ("  1) 64: 24/14•  42: 8/4•/2 6/off•\n", "  1) 64: 24/14*  42: 8/4*/2 6/off*\n"),
    ],
)
def test_spellings_that_say_the_same(rows: str, usual: str) -> None:
    assert list_content(HEAD + rows) == list_content(HEAD + usual)


@pytest.mark.parametrize("cell", ["Bob: 31: 8/5 6/5", "Cid: 31: 8/5 6/5", "Annie: 31: 8/5 6/5"])
def test_a_name_before_a_cell_is_that_of_its_column_or_unread(cell: str) -> None:
    row = f"  1) {cell}              65: 24/13\n"
    assert next(code for _, code in codes(HEAD + row)) == "T101"


@pytest.mark.parametrize(
    ("header", "producer"),
    [
        ('[Site "choue.net"]', "choue.net"),
        ('[Site "foxamon"]', "Foxamon"),
        ('[Site "HedgeHog"]', "HedgeHog"),
        ('[Site "BackgammonSage"]', "BackgammonSage"),
        ("exported by HedgeHog 2.1", "HedgeHog"),
        ('[Player 1 "HedgeHog"]', "unknown"),
    ],
)
def test_producers_are_named(header: str, producer: str) -> None:
    assert matches(f"; {header}\n{MATCH}")[0].conventions.producer == producer


@pytest.mark.parametrize("column", [8, 12, 30])
@pytest.mark.parametrize("blanks", range(1, 40))
def test_whose_a_single_play_is_tells_the_column_of_the_others(column: int, blanks: int) -> None:
    """Read at once where it is the right player's, and else by the column that it begins in."""
    rows = f"  1){' ' * blanks}51: 13/8 24/23\n  2) 42:{' ' * column}65: 24/13\n" * 4
    with patch.object(reader, "parse_play_only", TextMemory(lambda _: None, most=1)):
        by_columns = matches(HEAD + rows)
    assert matches(HEAD + rows)[0].games == by_columns[0].games


BOX = """\
+--------------------------------+
|  Event: Riverside Open         |
|  Date: 8 July 2007             |
|  Ann Lee (BRA) vs. Bob (ARG)   |
+--------------------------------+

"""


class TestProse:
    def test_a_box_above_the_match_is_kept(self) -> None:
        (match,) = matches(BOX + MATCH)
        assert (match.tag("Event"), match.tag("EventDate")) == ("Riverside Open", "8 July 2007")
        assert [(tag.span.line, tag.value) for tag in match.tags if "vs." in tag.value] == [
            (4, "|  Ann Lee (BRA) vs. Bob (ARG)   |")
        ]
        assert codes(BOX + MATCH) == [(12, "R608")]

    @pytest.mark.parametrize("known_as", ["bgm", "json", "sgf", "mat", "xg-text"])
    def test_what_stands_above_the_games_and_between_them_is_carried_over(
        self, known_as: str
    ) -> None:
        text = BOX + MATCH + "He was late for the second game.\n"
        written = write([replay(match) for match in matches(text)], known_as)
        assert not written.losses
        (match,) = read_bytes(written.data, f"a.{known_as}")
        assert "Ann Lee (BRA) vs. Bob (ARG)" in [text.text for text in find_comments(match)]
        assert "He was late for the second game." in [text.text for text in find_comments(match)]

    def test_what_gammonview_cannot_hold_is_told(self) -> None:
        written = write([replay(match) for match in matches(BOX + MATCH)], "gvab")
        assert "entries of the header: Comment" in [loss.what for loss in written.losses]

    @pytest.mark.parametrize(
        "line",
        [
            "He was late for the second game.",
            "---------",
            "|  Final  |",
            "次のゲームは遅れて始まった",
        ],
    )
    def test_prose_between_games_is_a_comment(self, line: str) -> None:
        (match,) = matches(f"{MATCH}{line}\n\n Game 2\n")
        assert match.games[0].actions[-1] == Comment(Span(7, 1, len(line) + 1), None, line)

    @pytest.mark.parametrize(
        "line",
        [
            "then 31: 8/5 6/5",
            "the roll 8/5 6/5",
            "he Doubles and she",
            "and Wins 2 points for now",
            "Ann : 1                      Bob  0",
            "the next 5 point match",
        ],
    )
    def test_what_looks_like_a_part_of_a_game_cannot_be_read(self, line: str) -> None:
        assert (7, "T101") in codes(f"{MATCH}{line}\n\n Game 2\n")

    def test_names_above_a_single_game_are_no_title(self) -> None:
        (match,) = matches(f"Ann                 Bob\n{ROWS}")
        assert (match.names, match.tags) == (("Ann", "Bob"), ())

    def test_names_of_a_single_game_may_look_like_parts_of_a_game(self) -> None:
        for names in (("5-3 up", "Rolled 52:"), ("wins a gammon", "drops")):
            (match,) = matches(f"{names[0]:31}{names[1]}\n{ROWS}")
            assert match.names == names
            assert "T101" not in [one.code for one in check([match])]

    @pytest.mark.parametrize(("above", "severity"), [("", "info"), ("Game 1\n", "warning")])
    def test_a_single_game_without_match_line_is_worth_an_info(
        self, above: str, severity: str
    ) -> None:
        found = check(matches(f"{above}Ann                 Bob\n{ROWS}"))
        assert [one.severity for one in found if one.code == "T117"] == [severity]


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("5-point match", 5),
        ("5 pt match", 5),
        ("First to 5", 5),
        ("Race to 5 points", 5),
        ("Match length: 5", 5),
        ("Money session", 0),
        ("unlimited game", 0),
    ],
)
def test_other_words_for_the_length(line: str, points: int) -> None:
    (match,) = matches(MATCH.replace("5 point match", line))
    assert match.length == Length(Span(1, 2, len(line) + 2), points)
    assert not match.tags


def test_of_two_lengths_the_last_counts_and_the_other_is_told() -> None:
    text = f" 13 point match\n\n{MATCH}"
    (match,) = matches(text)
    assert match.length == Length(Span(3, 2, 15), 5)
    assert (1, "T101") in codes(text)
    assert "T101" not in [code for _, code in codes(f" 5 point match\n{MATCH}")]


def test_a_roll_written_twice_is_one_in_its_column() -> None:
    row = "  1) 52: 13/8 24/22               41: 41: 24/23 13/9\n"
    lone = "  1)                              41: 41: 24/23 13/9\n"
    assert rolls(HEAD + row) == [(0, (5, 2)), (1, (4, 1))]
    assert rolls(HEAD + lone) == [(1, (4, 1))]
    assert rolls(HEAD + "  1) 41:     41: 24/23 13/9\n") == [(0, (4, 1)), (1, (4, 1))]


def test_a_winner_of_the_match_may_win_it_twice_in_one_line() -> None:
    (match,) = matches(MATCH.replace("point\n", "point and wins the match\n"))
    assert match.games[0].actions[-1] == Result(Span(6, 7, 38), None, LEFT, 1, match=True)


@pytest.mark.parametrize("indent", [6, 34])
def test_who_loses_on_a_line_of_its_own_is_who_does_not_win(indent: int) -> None:
    lost = " " * indent + "Losses 1 point\n"
    (match,) = matches(HEAD + ROWS + "  2) 61: 13/7 8/7\n" + lost + "      Wins 1 point\n")
    resigned, result = match.games[0].actions[-2:]
    assert isinstance(resigned, Resignation)
    assert isinstance(result, Result)
    assert (resigned.side, result.side) == (RIGHT, LEFT)


def test_other_players_at_the_start_of_a_game_1_begin_another_match() -> None:
    games = f"\n Game 1\n Cleo : 0      Bob : 0\n{ROWS}"
    first, second = matches(f"{MATCH}{games}")
    assert (first.names, second.names) == (("Ann", "Bob"), ("Cleo", "Bob"))
    assert len(matches(f"{MATCH}{games.replace('Cleo', 'Ann')}")) == 1
    assert len(matches(f"{MATCH}{games.replace('Game 1', 'Game 2')}")) == 1


def test_no_cell_begins_inside_a_result() -> None:
    rows = " 1) 31: 8/5 6/5     42: 8/4 6/4\n 2) 65: 24/13      Doubles => 2\n"
    (match,) = matches(f"{HEAD}{rows} 3) Drops       Wins 1 point\n")
    assert [action.side for action in match.games[0].actions] == [0, 1, 0, 1, 0, 1]
    assert isinstance(match.games[0].actions[-1], Result)


@pytest.mark.parametrize(
    ("words", "manner"),
    [("Timeout", "time"), ("Time out", "time"), ("Out of time", "time"), ("Gives up", "resigned")],
)
def test_a_game_given_up_in_other_words(words: str, manner: str) -> None:
    (match,) = matches(f"{HEAD}  1) 31: 8/5 6/5                  42: 8/4 6/4\n  2)  {words}\n")
    resignation = match.games[0].actions[-1]
    assert isinstance(resignation, Resignation)
    assert (resignation.side, resignation.manner) == (0, manner)


TYPED_ROWS = (
    "  1) 31: 8/5 6/5                  42: 8/4 6/4\n"
    "  2) 65: 24/13                    61: 13/7 8/7\n"
    "  3) 64: 24/14                    52: 13/11* 13/8\n"
)
TYPED = f"{HEAD}{TYPED_ROWS}  4) 66: Cannot Move               Doubles => 2\n  5)  Drops\n"
LONE_WIN = "                                  Wins 1 point\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("24/13 ", "lover's leap 24/13 "),
        ("13/7 8/7", "13/7 8/7 (bar point)"),
        ("13/7 8/7", "13/7 8/7   // natural"),
        ("Drops", "Drops {too many blots}"),
        ("13/11*", "13/11* \U0001f4a5"),
        ("24/14", "24/14 running"),
        ("13/7 8/7", "13/7 8/7 makes the 5pt"),
        ("13/7 8/7", "13/7 8/7.  "),
        ("8/5 6/5 ", "8/5 6/5;"),
        ("24/14 ", "24/14 |"),
        ("24/14    ", "24/14   !"),
        ("13/11* 13/8", "13-11x 13-8"),
        ("Doubles => 2", "Doubles => 2 ?"),
        ("Doubles => 2", "(cube to 2)"),
        ("Drops", "Drops sadly :-)"),
        ("66: Cannot Move", "66: (no move)  "),
        ("66: Cannot Move", "66: fans.      "),
        ("66: Cannot Move", "66: -          "),
        ("5 point match", "5 point match \U0001f3b2"),
        ("5 point match", "5pt match"),
        ("5 point match", "**5 point match**"),
        ("5 point match", "## 5 point match"),
        ("5 point match", "I lost this 5 point match to Bob, what do you think?\n\n5 point match"),
        ("5 point match", "Ann vs Bob, 5 point match"),
        ("5 point match", "5-point match   Ann (left) against Bob (right)"),
        ("5 point match", "Ann vs Bob, 5 point match\n5 point match"),
        ("5 point match", "A 5 pointer that I played last night"),
        ("5 point match", "From: ann@example.org\nSubject: my 5 pt match\n"),
        ("Doubles => 2", "Double (2)"),
        ("Drops", "Declines"),
        ("Game 1", "Game 1 \U0001f600"),
        ("Ann : 0                         Bob : 0", "Ann - 0                  Bob - 0"),
        ("Ann : 0                         Bob : 0", "Ann \u2013 0             Bob \u2013 0"),
        ("Ann : 0                         Bob : 0", "Ann                      Bob"),
        ("Ann : 0                         Bob : 0", "Ann 0 - Bob 0"),
        ("  1)", "- 1)"),
        ("8/5 6/5 ", "8\u20135, 6\u20135 "),
        ("66: Cannot Move", "66: dance      "),
        ("Doubles => 2", "dbl to 2"),
        (LONE_WIN, "Bob wins 1 point\n"),
        (LONE_WIN, f"{LONE_WIN}\nWhy not 52: 13/6 in move 3? Cheers, Piet\n"),
        (LONE_WIN, f"{LONE_WIN}Good match! Next time I take with 4 points away.\n"),
    ],
)
def test_a_match_typed_by_hand_is_read_alike(before: str, after: str) -> None:
    text = f"{TYPED}{LONE_WIN}"
    assert before in text
    (clean,), (typed,) = matches(text), matches(text.replace(before, after, 1))
    assert (clean.length and clean.length.points) == (typed.length and typed.length.points)
    above_info = [one.code for one in check([typed]) if one.severity != "info"]
    assert (above_info, typed.names, same.games(typed)) == ([], clean.names, same.games(clean))


@pytest.mark.parametrize("gap", ["               ", " | "])
@pytest.mark.parametrize("roll", ["{}-{}", "[{}{}]", "({}{})", "({}-{})"])
def test_rolls_in_brackets_or_with_a_hyphen_are_read_without_colons(roll: str, gap: str) -> None:
    rows = [(("31", "8/5 6/5"), ("42", "8/4 6/4")), (("65", "24/13"), ("61", "13/7, 8/7"))]
    text = HEAD
    for number, cells in enumerate(rows, start=1):
        text += f"{number}) {gap.join(f'{roll.format(*dice)} {play}' for dice, play in cells)}\n"
    assert rolls(text) == [(0, (3, 1)), (1, (4, 2)), (0, (6, 5)), (1, (6, 1))]


@pytest.mark.parametrize("words", ["gibt auf", "Abandonne", "renuncia"])
def test_words_for_giving_up_in_other_languages_are_read(words: str) -> None:
    typed = TYPED.replace("Game 1", "Spiel 1").replace("Drops", words)
    (match,) = matches(typed)
    assert [type(action) for action in match.games[0].actions][-1] is Resignation
    assert "T101" not in [code for _, code in codes(typed)]


def test_the_value_of_a_double_is_no_roll_without_a_colon() -> None:
    text = HEAD + " 1) 31 8/5 6/5    42 8/4 6/4\n 2)  Doubles => 16               Takes\n"
    assert "T101" not in [code for _, code in codes(text)]


def test_a_long_name_leaves_no_gap_behind_its_score() -> None:
    # GNU Backgammon pads names to 27 letters.
    (match,) = matches(HEAD.replace("Ann : 0                         ", f"{'Ann' * 9} : 0") + ROWS)
    assert (match.names, match.games[0].score and match.games[0].score.points) == (
        ("Ann" * 9, "Bob"),
        (0, 0),
    )


@pytest.mark.parametrize("cell", ["61: 13/7 8/7 Doubels", "61: 13/7 8/e", "Doubels => 2", "61: x"])
def test_a_damaged_part_of_a_cell_is_no_remark(cell: str) -> None:
    assert "T101" in [code for _, code in codes(TYPED.replace("61: 13/7 8/7", cell))]


def test_a_table_of_markdown_with_a_head_is_read() -> None:
    table = "".join(
        f"| {number}) | {left} | {right} |\n"
        for number, left, right in (
            ("1", "31: 8/5 6/5", "42: 8/4 6/4"),
            ("2", "65: 24/13", "61: 13/7 8/7"),
        )
    )
    head = "**5 point match**\n\n**Game 1**\n\n| # | Ann : 0 | Bob : 0 |\n|---|---|---|\n"
    (match,) = matches(head + table)
    assert (match.names, [one.severity for one in check([match])]) == (("Ann", "Bob"), ["info"] * 3)


def test_turns_on_lines_of_their_own_behind_a_name_are_put_into_rows() -> None:
    text = (
        "5 point match, Ann (white) - Bob (black)\n\nGame 1\n"
        "1) Ann: 31: 8/5 6/5\n   Bob: 42: 8/4 6/4\n"
        "2) Ann: 65: 24/13\n   Bob: 61: 13/7 8/7\n"
        "3) Ann: 64: 24/14\n   Bob: 52: 13/11* 13/8\n"
        "4) Ann: 66: dance\n   Bob: Doubles => 2\n5) Ann: Drops\nBob wins 1 point\n"
    )
    (match,), (clean,) = matches(text), matches(f"{TYPED}{LONE_WIN}")
    assert (match.names, same.games(match)) == (clean.names, same.games(clean))
    assert {one.severity for one in check([match])} == {"info"}
    play = next(match.plays())
    line = text.split("\n")[play.span.line - 1]
    assert line[play.span.column - 1 : play.span.end_column - 1] == "31: 8/5 6/5"


@pytest.mark.parametrize(
    "phrases",
    [
        ("5 point match", "Game 1", "Doppelt auf 2", "Lehnt ab", "Gewinnt 1 Punkt"),
        ("Match auf 5 Punkte", "Spiel 1", "verdoppelt => 2", "lehnt ab", "gewinnt 1 Punkt"),
        ("Match en 5 points", "Partie 1", "Double \xe0 2", "Refuse", "Gagne 1 point"),
        ("5 point match", "Juego 1", "dobla a 2", "rechaza", "gana 1 punto"),
    ],
)
def test_cube_actions_and_results_in_other_languages_are_read(phrases: tuple[str, ...]) -> None:
    text = english = f"{TYPED}{LONE_WIN}"
    words = ("5 point match", "Game 1", "Doubles => 2", "Drops", "Wins 1 point")
    for word, phrase in zip(words, phrases, strict=True):
        text = text.replace(word, phrase)
    text = text.replace("66: Cannot Move", "66:            ")
    (match,), (clean,) = matches(text), matches(english)
    assert match.length is not None
    assert (match.length.points, same.games(match)) == (5, same.games(clean))
    assert [one.severity for one in check([match])] == ["info", "info"]


@pytest.mark.parametrize(("name", "is_odd"), [("3rd/up", True), ("Bob", False)])
def test_unreadable_text_that_holds_an_odd_name_of_a_player_says_so(
    name: str, is_odd: bool
) -> None:
    text = f"{HEAD.replace('Bob', name)}{ROWS}  2) 42: {name} 4\n"
    (message,) = (one.message for one in check(matches(text)) if one.code == "T101")
    assert (f"{name!r} may be the name of a player" in message) == is_odd


@pytest.mark.parametrize("names", [("wins a game", "=> 2"), ("41:", "accepts the cube")])
def test_names_like_words_of_a_row_are_names_above_the_first_row(names: tuple[str, str]) -> None:
    (match,) = matches(f" {names[0]:30} {names[1]}\n{ROWS}")
    assert match.names == names
    assert [one.code for one in check([match]) if one.severity != "info"] == []


def test_entries_and_comments_are_taken_out_of_their_signs() -> None:
    assert _read_entry('; [Event "Club Open"]') == ("Event", "Club Open")
    assert _strip_comment_sign(" ; well played ") == "well played"
