"""Matches so small that their figures can be counted on paper."""

from __future__ import annotations

import pandas as pd
import pytest

from bganalyze.board.ids import Situation
from bganalyze.board.position import start_position
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.reports.answer import answer_from_tables
from bganalyze.statistics.reports.cube_habits import round_up_to_two_digits
from bganalyze.statistics.reports.errors import _describe_score
from bganalyze.statistics.reports.figures import Section, make_figure_section, per_thousand
from bganalyze.statistics.reports.making_norms import strip_game_number
from bganalyze.statistics.reports.question import Question, restrict_tables
from bganalyze.statistics.tables.frames import Tables, tabulate
from bganalyze.validation.replaying import replay
from tests.statistics.reports.asked import sections_of
from tests.statistics.tables.test_tables import MATCH

SECOND = """\
; [Site "Elsewhere"]
; [EventDate "2031.06.02"]
; [Transcriber "Tess"]
 1 point match

 Game 1
 Bob : 0                         Cid : 0
  1) 31: 8/5 6/5                 65: 24/13
  2) 42: 8/4 6/4                 66: 24/18 13/7(3)
  3) 52: 13/11 13/9
      Wins 1 point and the match
"""
"""In its last row a five is played as a four: P404."""


def tables_of(*texts: str) -> Tables:
    files = (read_bytes(text.encode(), f"{n}.mat") for n, text in enumerate(texts))
    return tabulate(replay(match) for matches in files for match in matches)


@pytest.fixture(scope="module")
def tables() -> Tables:
    return tables_of(MATCH, SECOND)


def sections(name: str, tables: Tables, **question: object) -> list[Section]:
    """Return the sections of a report."""
    parsed = Question(**question)  # type: ignore[arg-type]
    return sections_of(name, tables, parsed)


def figures(tables: Tables, name: str, title: str, **question: object) -> pd.DataFrame:
    """Return the rows of a section."""
    frames = {section.title: section.frame for section in sections(name, tables, **question)}
    return frames[title]


def counts(frame: pd.DataFrame, *keys: str) -> dict[object, tuple[float, float]]:
    """Return the sums of a section's figures by its keys."""
    rows = frame.set_index([*keys, "figure"])[["count", "of"]]
    return {key: (row["count"], row["of"]) for key, row in rows.iterrows()}


def _long_match(left: int) -> str:
    """Return a decided match to 31 points whose first score line gives the left side this score."""
    text = SECOND.replace(" 1 point match", " 31 point match").replace("Bob : 0", f"Bob : {left}")
    return text.replace("Wins 1 point and", f"Wins {31 - left} points and")


@pytest.mark.slow
@pytest.mark.parametrize(("left", "expected"), [(0, 0.5), (4, None)])
def test_beyond_the_table_only_a_level_score_has_a_known_chance(
    left: int, expected: float | None
) -> None:
    long_match = tables_of(_long_match(left))
    rows = figures(long_match, "points", "Matches").set_index(["player", "figure"])
    known = rows.loc[("Bob", "matches won"), "expected"]
    assert (None if pd.isna(known) else known) == expected
    notes = {section.title: section.notes for section in sections("points", long_match)}
    is_said = "1 match beyond Kazaross-XG2: the expected result is unknown" in notes["Matches"]
    assert is_said is (expected is None)


@pytest.mark.slow
def test_beside_a_match_beyond_the_table_no_chance_is_averaged() -> None:
    rows = figures(tables_of(SECOND, _long_match(4)), "points", "Matches")
    won = rows[rows["figure"] == "matches won"]
    assert won["of"].tolist() == [2, 2]
    assert won["expected"].isna().all()


@pytest.mark.slow
def test_points(tables: Tables) -> None:
    """Bob wins two by a pass from Ann, who wins one back; he wins the point against Cid."""
    counted = counts(figures(tables, "points", "Games"), "player")
    assert counted["Ann", "games won"] == (1, 2)
    assert counted["Bob", "games won"] == (2, 3)
    assert counted["Bob", "points a game"] == (2, 3)
    assert counted["Ann", "points a win"] == (1, 1)
    assert counted["Ann", "points a loss"] == (2, 1)
    assert ("Cid", "points a win") not in counted


@pytest.mark.slow
def test_half_of_all_games_are_won_whoever_plays(tables: Tables) -> None:
    """So it is no estimate, however the games ended."""
    for title in ("Games", "Games by ending"):
        rows = figures(tables, "points", title, by=())
        won = rows[rows["figure"].isin(["games won", "wins"])]
        assert (won["value"] == 0.5).all()
        assert won["low"].isna().all()
    by_player = figures(tables, "points", "Games by ending")
    assert by_player.loc[by_player["figure"] == "wins", "low"].notna().all()


@pytest.mark.slow
def test_ledger(tables: Tables) -> None:
    ledger = figures(tables, "points", "Ledger").set_index(["player", "ending"])
    assert ledger.loc[("Bob", "pass"), "points won"] == 2
    assert ledger.loc[("Ann", "resigned"), "points won"] == 1
    assert ledger.loc[("Bob", "total"), ["points won", "points lost", "net"]].tolist() == [3, 1, 2]
    assert ledger.xs("total", level="ending")["net"].sum() == 0


def test_matches(tables: Tables) -> None:
    """Only the second is recorded to its end; at one point each the chance is a half."""
    rows = figures(tables, "points", "Matches").set_index(["player", "figure"])
    assert rows.loc[("Bob", "matches won"), ["count", "of", "expected"]].tolist() == [1, 1, 0.5]
    assert ("Ann", "matches won") not in rows.index


def test_stages(tables: Tables) -> None:
    counted = counts(figures(tables, "points", "Games by stage"), "player", "stage", "place")
    assert counted["Ann", "crawford", "behind", "games won"] == (1, 1)
    assert counted["Bob", "double-match-point", "level", "games won"] == (1, 1)


@pytest.mark.slow
def test_checker(tables: Tables) -> None:
    """Ann hits once, with both sixes of her double; nobody is on the bar in a roll that counts."""
    plays = counts(figures(tables, "checker", "Plays"), "player")
    assert plays["Ann", "plays"] == (5, 5)
    assert plays["Bob", "plays"] == (6, 6)
    assert plays["Cid", "crossovers a play"] == (1 + 4, 2)
    hits = counts(figures(tables, "checker", "Hits and shots"), "player")
    assert hits["Ann", "hits a play"] == (1, 5)
    assert hits["Bob", "hits suffered a play"] == (1, 6)
    assert hits["Bob", "pips lost a play"] == (20, 6)


@pytest.mark.slow
def test_cube(tables: Tables) -> None:
    doubles = counts(figures(tables, "cube", "Doubles"), "player")
    assert doubles["Ann", "doubled"] == (1, 2)
    assert doubles["Bob", "redoubled"] == (1, 2)
    assert doubles["Ann", "own rolls before the first double"] == (2, 1)
    answers = counts(figures(tables, "cube", "Answers"), "player")
    assert (answers["Bob", "taken"], answers["Ann", "taken"]) == ((1, 1), (0, 1))
    assert answers["Bob", "points a take"] == (2, 1)


def test_dice(tables: Tables) -> None:
    """Four of the twelve rolls that open no game are doubles."""
    counted = counts(figures(tables, "dice", "Rolls", by=()))
    assert counted["doubles"] == (4, 12)
    assert counted["pips a roll"] == (10 + 7 + 5 + 4 + 24 + 7 + 16 + 6 + 11 + 6 + 24 + 7, 12)
    assert counted["opening rolls"] == (3, 3)
    assert counted["pips an opening roll"] == (4 + 3 + 4, 3)


@pytest.mark.slow
def test_openings(tables: Tables) -> None:
    counted = counts(figures(tables, "openings", "Opening rolls", by=()), "roll", "play")
    assert counted["3-1", "8/5 6/5", "played"] == (2, 2)
    assert counted["3-1", "8/5 6/5", "games won"] == (1, 2)
    replies = counts(figures(tables, "openings", "Replies", by=()), "opened", "roll", "play")
    assert replies["3-1 8/5 6/5", "6-4", "24/14", "games won"] == (1, 1)
    assert replies["2-1 13/11 6/5", "4-4", "24/20*(2) 13/9(2)", "points a game"] == (1, 1)


def test_head_to_head(tables: Tables) -> None:
    counted = counts(figures(tables, "head-to-head", "Games"), "player", "opponent")
    assert counted["Bob", "Ann", "points a game"] == (1, 2)
    assert counted["Bob", "Cid", "points a game"] == (1, 1)
    assert ("Ann", "Bob", "games") not in counted
    of_bob = counts(figures(tables, "head-to-head", "Games", player="BOB"), "player", "opponent")
    assert of_bob["Bob", "Ann", "points a game"] == (1, 2)


def test_trend(tables: Tables) -> None:
    counted = counts(figures(tables, "trend", "By month"), "player", "month")
    assert counted["Bob", "2031-05", "points a game"] == (1, 2)
    assert counted["Bob", "2031-06", "points a game"] == (1, 1)


@pytest.mark.slow
def test_the_window_moves_over_the_matches() -> None:
    days = [
        MATCH.replace("05.19", f"05.{day:02}").replace(
            "11: 6/5 6/5 8/7(2)", "43: 13/9 13/10" if day % 2 else "52: 13/8 13/11"
        )
        for day in range(1, 32)
    ]
    tables = tables_of(*days)
    tables.matches["copy_of"] = pd.NA
    rows = figures(tables, "trend", "Moving window", player="Ann")
    assert rows["date"].tolist() == ["2031-05-30", "2031-05-31"]
    assert set(rows["matches"]) == {30}


@pytest.mark.slow
def test_findings(tables: Tables) -> None:
    rows = figures(tables, "findings", "By site").set_index(["site", "figure"])
    assert rows.loc[("Elsewhere", "errors"), "value"] == 1000 / 5
    assert rows.loc[("Somewhere", "errors"), "value"] == 0
    assert rows.loc[("Somewhere", "infos"), "value"] == 1000 / 10
    assert rows.loc[("Somewhere", "warnings"), "value"] == 0
    by_rule = figures(tables, "findings", "By rule").set_index("code")
    assert by_rule.loc["P404", ["count", "of"]].tolist() == [1, 15]
    assert figures(tables, "findings", "By transcriber")["transcriber"].unique().tolist() == [
        "Tess"
    ]


def test_strict_leaves_out_games_with_errors(tables: Tables) -> None:
    selection, left = restrict_tables(tables, Question(strict=True))
    assert left.words() == ("1 game with errors left out",)
    assert set(selection.games["match"]) == {0}
    assert set(selection.turns["match"]) == {0}


def test_days(tables: Tables) -> None:
    since = pd.Timestamp("2031-06-01").date()
    selection, left = restrict_tables(tables, Question(since=since))
    assert selection.matches["site"].tolist() == ["Elsewhere"]
    assert left.words() == ("1 match of other days left out",)
    selection, left = restrict_tables(tables, Question(until=since))
    assert selection.matches["site"].tolist() == ["Somewhere"]


@pytest.mark.slow
def test_a_copy_is_counted_once_and_told() -> None:
    selection, left = restrict_tables(tables_of(MATCH, MATCH, SECOND), Question())
    assert len(selection.matches) == 2
    count, repetition = left.words()
    assert count == "1 match found twice and counted once"
    first, second = tables_of(MATCH, MATCH, SECOND).matches["path"].tolist()[:2]
    assert repetition == f"{second} repeats {first}"


def test_of_many_copies_the_first_are_named(tables: Tables) -> None:
    _, left = restrict_tables(tables_of(*[MATCH] * 8), Question())
    assert len(left.repetitions) == 6
    assert left.repetitions[-1] == "2 other matches found twice"


def test_groups_with_few_games_are_left_out(tables: Tables) -> None:
    rows = figures(tables, "points", "Games", min_games=2)
    assert set(rows["player"]) == {"Ann", "Bob"}


def test_what_is_won_by_both_sides_together_has_no_interval_and_says_why(tables: Tables) -> None:
    (games, *_) = sections_of("points", tables, Question(by=()))
    won = games.frame.set_index("figure").loc["games won"]
    assert (won["count"], won["of"]) == (3, 6)
    assert pd.isna(won["low"])
    assert pd.isna(won["high"])
    assert games.notes[0].startswith("without an interval: games and matches")


@pytest.mark.slow
def test_games_of_one_side_keep_their_interval(tables: Tables) -> None:
    for question in (Question(), Question(by=(), player="Bob")):
        (games, *_) = sections_of("points", tables, question)
        won = games.frame[games.frame["figure"] == "games won"]
        assert won["low"].notna().all()
        assert games.notes == ()


@pytest.mark.slow
def test_level_scores_have_no_interval_among_others_that_do() -> None:
    """At 1-away 1-away both sides are in the group; at any other score one of them is."""
    rows = figures(tables_of(MATCH, SECOND), "points", "Games", by=("score",))
    won = rows[rows["figure"] == "games won"].set_index("score")
    assert pd.isna(won.loc["1-away 1-away", "low"])
    assert won.drop(index="1-away 1-away")["low"].notna().any()


OPENINGS = """\
bganalyze match
left: Ann
right: Bob
length: 1
{header}
game 1
score 0-0
L {roll}
R 65 24/13
L resigns 1
R wins 1 match
"""
USUAL = OPENINGS.format(header="", roll="31 8/5 6/5")
DOUBLE = OPENINGS.format(header="", roll="44 24/20(2) 13/9(2)")
NACK = OPENINGS.format(header="Variation: Nackgammon\n", roll="31 8/5 6/5")


def test_openings_are_those_of_the_usual_start_and_no_doubles() -> None:
    (openings, replies) = sections_of("openings", tables_of(USUAL, DOUBLE, NACK), Question())
    assert openings.frame["roll"].unique().tolist() == ["3-1"]
    assert openings.frame["of"].tolist() == [1, 1, 1]
    assert replies.frame["opened"].unique().tolist() == ["3-1 8/5 6/5"]
    assert openings.notes[1:] == (
        "1 game from another starting position left out",
        "1 game opened with a double left out",
    )


@pytest.mark.slow
def test_headers_with_other_names_are_told() -> None:
    header = '; [Player 1 "Cleo Hart"]\n; [Player 2 "Dan Moss"]\n'
    notes = answer_from_tables(tables_of(header + MATCH, SECOND), ("points",), Question()).left_out
    assert [words.split("; ")[0] for words in notes] == [
        "1 match with different players in the header and above the columns"
    ]


def test_a_player_whom_nobody_knows_is_told(tables: Tables) -> None:
    (note,) = restrict_tables(tables, Question(player="Zoe"))[1].words()
    assert note == "no match has a player of that name"
    assert restrict_tables(tables, Question(player="ann"))[1].words() == ()


CORRECTED = """\
bganalyze match
left: Ann
right: Bob
length: 7

game 1
score 0-0
L 31 8/5 6/4
L 31 8/5 6/5
R 42 8/4 6/3
R 42 8/4 6/4
L 62 24/18 13/11
R 31 8/5 6/5
L double
R take
R 42 13/9 13/11
L resigns 1
R wins 2
R double
L take
"""
"""Both begin with the wrong play and correct it; the last two lines follow the end of the game."""


def read_corrected() -> Tables:
    [match] = read_bytes(CORRECTED.encode(), "a.bgm")
    return tabulate([replay(match)])


class TestCorrected:
    """A play that is made again starts from the board that the first started from."""

    def test_turns(self) -> None:
        turns = read_corrected().turns
        assert turns["pips_moved"].tolist() == [5, 4, 7, 6, 8, 4, 6]
        assert turns["opening"].tolist() == [False, True] + [False] * 5
        assert turns["play"].tolist() == [1, 1, 1, 1, 2, 2, 3]
        assert turns["may_double"].tolist() == [False] * 3 + [True] * 4

    @pytest.mark.slow
    def test_one_roll_is_one_roll(self) -> None:
        tables = read_corrected()
        assert tables.games["rolls"].tolist() == [5]
        assert tables.games["illegal"].tolist() == [0]
        assert tables.cubes["play"].tolist() == [2]

    @pytest.mark.slow
    def test_reports(self) -> None:
        tables = read_corrected()
        counted = counts(figures(tables, "checker", "Plays", by=()))
        assert counted["pips a play"] == (28, 5)
        counted = counts(figures(tables, "cube", "Doubles", by=()))
        assert counted["chances to double"] == (5, 5)
        assert counted["own rolls before the first double"] == (2, 1)
        assert len(figures(tables, "openings", "Opening rolls", by=())) == 3


@pytest.mark.slow
def test_what_stands_after_the_end_is_no_double() -> None:
    assert counts(figures(read_corrected(), "cube", "Doubles", by=()))["doubles taken"] == (1, 1)


COLUMNS_CHANGE = """\
 3 point match

 Game 1
 Ann : 0                             Bob : 0
  1) 31: 8/5 6/4                      42: 8/4 6/4
  2) 31: 8/5 6/5                      42: 8/4 6/4
      Wins 1 point

 Game 2
 Bob : 0                             Ann : 1
  1) 31: 8/5 6/5                      42: 8/4 6/4
  2) 62: 24/18 13/11                  31: 8/5 6/5
                                      Wins 2 points
"""


class TestGamesLeftOut:
    """A match without one of its games shows neither who won it nor its final score."""

    @pytest.mark.slow
    def test_matches(self) -> None:
        tables = tables_of(COLUMNS_CHANGE)
        all_matches = figures(tables, "points", "Matches", by=("player",))
        assert counts(all_matches, "player")["Ann", "matches won"] == (1, 1)
        assert figures(tables, "points", "Matches", by=("player",), strict=True).empty

    @pytest.mark.slow
    def test_what_is_said(self) -> None:
        points = sections("points", tables_of(COLUMNS_CHANGE), strict=True)
        notes = {section.title: section.notes for section in points}
        assert "1 match without all of its games left out" in notes["Matches"]
        assert not any("balance" in note for note in notes["Ledger"])


@pytest.mark.slow
def test_points_beyond_the_need_are_cut_from_resignations_too() -> None:
    text = "bganalyze match\nlength: 3\ngame 1\nscore 2-0\nL 31 8/5 6/5\nR resigns 2\nL wins 2\n"
    [match] = read_bytes(text.encode(), "a.bgm")
    books = figures(tabulate([replay(match)]), "points", "Ledger", by=())
    assert books[["points won", "cut"]].iloc[-1].tolist() == [1, 1]


@pytest.mark.slow
def test_nobody_without_a_name_wins_from_behind_by_the_other() -> None:
    text = (
        "bganalyze match\nlength: 3\ngame 1\nscore 0-0\nL 31 8/5 6/5\nR resigns 1\nL wins 1\n"
        "game 2\nscore 1-0\nL 31 8/5 6/5\nR resigns 2\nL wins 2\n"
    )
    [match] = read_bytes(text.encode(), "a.bgm")
    counted = counts(figures(tabulate([replay(match)]), "points", "Matches", by=()))
    assert counted["won from behind"] == (0, 1)


@pytest.mark.slow
def test_what_a_record_does_not_tell_is_a_group_of_its_own() -> None:
    untold = SECOND.replace(" 1 point match\n", "")
    tables = tables_of(MATCH, untold)
    rows = figures(tables, "openings", "Opening rolls", by=("length",))
    played = rows[rows["figure"] == "played"]
    assert played["length"].isna().sum() == 1
    assert set(played["length"].dropna()) == {3}


@pytest.mark.slow
def test_few_games_in_all_are_left_out_too(tables: Tables) -> None:
    assert figures(tables, "points", "Games", by=(), min_games=4).empty
    assert not figures(tables, "points", "Games", by=(), min_games=3).empty


@pytest.mark.slow
def test_notes_are_of_the_player_that_is_asked_for(tables: Tables) -> None:
    """Bob wins two points and loses one to Ann, and a point against Cid."""
    notes = {
        player: answer_from_tables(tables, ("points", "checker"), Question(player=player))
        for player in ("Ann", "Cid")
    }
    ledgers = {name: answer.reports["points"][-1].notes[0] for name, answer in notes.items()}
    assert ledgers == {"Ann": "1 point won and 2 lost", "Cid": "0 points won and 1 lost"}
    assert [answer.counted[2] for answer in notes.values()] == ["5 rolls", "2 rolls"]


UNLIMITED = """\
; [Site "Backgammon Galaxy"]

 16 point match

 Game 1
 Ann : 0                             Bob : 0
  1) 31: 8/5 6/5                     42: 8/4 6/4
  2) 65: 24/13                       Doubles => 2
  3)  Drops
                                     Wins 1 point
"""


@pytest.mark.slow
def test_games_with_a_length_that_count_as_money_are_told() -> None:
    notes = answer_from_tables(tables_of(UNLIMITED), ("points",), Question()).left_out
    assert notes == (
        "1 match of one game to 2, 4, 8 or 16 points counted as money play: Backgammon Galaxy writes unlimited games this way",
    )


@pytest.mark.slow
def test_a_window_of_both_players_is_none(tables: Tables) -> None:
    assert figures(tables, "trend", "Moving window", by=()).empty
    (_, window) = sections_of("trend", tables, Question(by=()))
    assert window.notes == (
        "no window for both players of a game together: one player's win is the other's loss",
    )


def test_what_one_match_holds_most_of_is_told() -> None:
    """Ann's first match of ten has 6 of 11 faults; Bob's first has 5 of 10, which is not more than half."""
    faults = [6, *[1] * 5, *[0] * 4], [5, *[1] * 5, *[0] * 4]
    units = pd.DataFrame(
        {"player": player, "match": number, "faults": count, "rolls": 50}
        for player, counts in zip(("Ann", "Bob"), faults, strict=True)
        for number, count in enumerate(counts)
    )
    figure = per_thousand("faults", "faults", "rolls", "")
    told = "Ann, faults: one match has 6 of 11, so the interval may be far off"
    assert make_figure_section("Faults", units, [figure], ["player"]).notes == (told,)
    of_ann = units[units["player"] == "Ann"]
    many = pd.concat([of_ann.assign(player=f"{number}") for number in range(9)])
    assert len(make_figure_section("Faults", many, [figure], ["player"]).notes) == 1


PASTED = """\
 Game {number}
 Ann : 0                         Bob : {score}
  1) 31: 8/5 6/5                 31: 24/23 13/10
  2) 42: 8/4 6/4                 65: 24/13
  3) 61: 13/7 8/7                52: 13/8 13/11
  4) 43: 24/20 13/10             Doubles => 2
  5)  Drops                      Wins 1 point

"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("second", "points", "remark"),
    [
        (PASTED.format(number=1, score=0), 1, "recorded twice, counted once"),
        (PASTED.format(number=2, score=1), 2, "with every play of another counted"),
    ],
)
def test_a_copy_of_a_game_counts_if_its_score_tells_of_a_second_game(
    second: str, points: int, remark: str
) -> None:
    text = f" 5 point match\n\n{PASTED.format(number=1, score=0)}{second}"
    answer = answer_from_tables(tables_of(text), ["points"], Question())
    assert answer.counted[-1] == f"{7 * points} rolls"
    assert any(note.startswith(f"1 game {remark}") for note in answer.left_out)
    frame = next(section.frame for section in answer.reports["points"])
    assert counts(frame, "player")["Bob", "games won"] == (points, points)


def test_a_score_is_seen_by_its_side() -> None:
    match = Situation(start_position("standard"), on_roll=0, length=7, scores=(4, 2))
    assert _describe_score(match, 1) == "needs 5, opponent needs 3"


def test_a_number_of_two_digits_stays_and_a_folder_is_no_part() -> None:
    assert round_up_to_two_digits(30) == 30
    assert strip_game_number("a_002/b.txt") == "a_002/b.txt"
