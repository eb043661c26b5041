"""A director's rulings: points given, a game played again, checkers put back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.board.position import start_position
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.record.model import Match, Span
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check, findings_of
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.validation.replaying.demands import may_leave
from bganalyze.validation.replaying.ending import kind_of_end_off_board
from bganalyze.validation.replaying.outcomes import outcome_of
from bganalyze.validation.replaying.rulings import add_points
from bganalyze.validation.rules.ruling import MomentNoticed, rule_on
from bganalyze.writing import write

SAMPLES = Path(__file__).parents[3] / "samples" / "clean"
HEAD = "bganalyze match\nleft: Ann\nright: Bob\nlength: {}\n"
PASSED = "L 31 8/5 6/5\nR double\nL pass\nR wins 1\n"
"""A game that Bob wins by a pass."""
RESIGNED = "L 31 8/5 6/5\nR 66 24/18(2) 13/7(2)\nL resigns 2\nR wins 2\n"
"""A game that Bob wins by a resignation for two points."""
ILLEGAL = "L 31 8/5 6/4\n"
"""An illegal play: the step 6/4 needs a 2."""
REPLY = "R 66 24/18(2) 13/7(2)\n"


def match_of(*games: str, length: int = 5) -> Match:
    """Return a match; each game begins with its score, such as `0-1`."""
    text = HEAD.format(length)
    for number, game in enumerate(games, start=1):
        score, _, rows = game.partition("\n")
        text += f"game {number}\nscore {score}\n{rows}"
    return one_match(text)


def one_match(text: str) -> Match:
    (match,) = read_bytes(text.encode(), "a.bgm")
    return match


def codes(match: Match) -> list[str]:
    """Return the codes of the findings above info."""
    return [found.code for found in check([match]) if found.severity is not Severity.INFO]


def finding(match: Match, code: str) -> Finding:
    (found,) = (found for found in check([match]) if found.code == code)
    return found


def final_score(match: Match) -> tuple[tuple[int, int] | None, int | None]:
    counting = outcome_of(replay(match)).counting
    return counting.after, counting.winner


class TestPoints:
    def test_a_later_score_has_the_points(self) -> None:
        given = f"0-0\n{PASSED}ruling: 1 point to Ann\n"
        assert codes(match_of(given, f"1-1\n{PASSED}")) == []
        assert codes(match_of(given, f"0-1\n{PASSED}")) == ["R616"]
        assert codes(match_of(given, f"2-1\n{PASSED}")) == ["R604"]

    def test_points_before_the_first_roll_belong_to_the_score_above(self) -> None:
        later = "ruling: 1 point to Ann\n" + PASSED
        assert codes(match_of(f"0-0\n{PASSED}", f"1-1\n{later}", f"1-2\n{PASSED}")) == []
        assert codes(match_of(f"0-0\n{PASSED}", f"0-1\n{later}", f"0-2\n{PASSED}")) == ["R616"]

    def test_points_before_the_match_are_no_late_beginning(self) -> None:
        match = match_of(f"0-1\nruling: 1 point to Bob (late)\n{PASSED}", f"0-2\n{PASSED}")
        assert codes(match) == []
        reasons = [found.message for found in check([match]) if found.code == "R608"]
        assert reasons == ["the record ends at 0-3, before the match is decided"]

    def test_a_ruling_in_the_header_belongs_to_the_first_game(self) -> None:
        head = HEAD.format(5) + "Ruling: 2 points to Bob\n"
        match = one_match(f"{head}game 1\nscore 0-2\n{PASSED}game 2\nscore 0-3\n{PASSED}")
        assert codes(match) == []
        assert codes(one_match(f"{head}game 1\nscore 0-0\n{PASSED}")) == ["R616"]
        assert final_score(one_match(f"{head}game 1\n{PASSED}")) == ((0, 3), None)

    def test_the_finding_is_at_the_ruling_and_names_the_score(self) -> None:
        match = match_of(f"0-0\n{PASSED}ruling: 1 point to Ann\n", f"0-1\n{PASSED}")
        found = finding(match, "R616")
        assert (found.line, found.game) == (11, 1)
        assert found.message == "the score 0-1 in line 13 is without the points given here"

    def test_points_at_the_end_count_although_no_score_follows(self) -> None:
        match = match_of(f"0-0\n{PASSED}ruling: 2 points to Ann\n")
        assert final_score(match) == ((2, 1), None)

    def test_points_can_win_the_match(self) -> None:
        won = f"3-0\n{PASSED}ruling: 3 points to Ann\n"
        assert final_score(match_of(won)) == ((5, 1), 0)
        assert codes(match_of(won, f"5-1\n{PASSED}")) == ["R605"]

    def test_points_make_a_game_the_crawford_game(self) -> None:
        """Four points won and given of five: the second game is the Crawford game."""
        doubled = "L 31 8/5 6/5\nR double\nL take\n"
        given = f"0-0\n{RESIGNED}ruling: 2 points to Bob\n"
        contexts = [game.context for game in replay(match_of(given, f"0-4\n{doubled}")).games]
        assert [context.crawford for context in contexts] == [False, True]
        assert codes(match_of(given, f"0-4\n{doubled}")) == ["C503"]
        without = match_of(f"0-0\n{RESIGNED}", f"0-2\n{doubled}")
        assert codes(without) == []

    def test_unconfirmed_points_leave_two_results(self) -> None:
        """The scores give Ann no point; with it she would have won 5-1."""
        match = match_of(f"4-0\n{PASSED}ruling: 1 point to Ann\n", f"4-1\n{PASSED}")
        outcome = outcome_of(replay(match))
        assert (outcome.recorded.after, outcome.recorded.winner) == ((4, 2), None)
        assert (outcome.by_board.after, outcome.by_board.winner) == ((5, 1), 0)
        assert outcome.counting.winner is None

    def test_points_follow_a_player_who_changes_columns(self) -> None:
        lines = (
            f"{HEAD.format(5)}game 1\nscore 0-0\n{PASSED}ruling: 1 point to Ann\n"
            f"game 2\nleft: Bob\nright: Ann\nscore 1-1\nruling: 2 points to R\n{PASSED}"
        )
        assert codes(one_match(lines)) == ["T114", "R616"]
        moved = lines.replace("score 1-1", "score 1-3")
        assert codes(one_match(moved)) == ["T114"]
        (first, _) = replay(one_match(moved)).games
        assert first.given == (3, 0)
        assert final_score(one_match(moved)) == ((4, 1), None)


def with_points(match: Match, after: int, side: int, points: int, *, moved: bool) -> Match:
    """Return a match in which a director gave points after a game; with `moved` later scores have them."""
    (text,) = [write([replay(match)], "bgm").data.decode()]
    head, *games = text.split("\ngame ")
    games[after] += f"ruling: {points} points to {'LR'[side]}\n"
    for number in range(after + 1, len(games)) if moved else ():
        lines = games[number].split("\n")
        at = next(at for at, line in enumerate(lines) if line.startswith("score "))
        score = [int(n) for n in lines[at].removeprefix("score ").split("-")]
        score[side] += points
        lines[at] = "score {}-{}".format(*score)
        games[number] = "\n".join(lines)
    return one_match("\ngame ".join((head, *games)))


@pytest.fixture(scope="module")
def long_match() -> Match:
    """A real-looking match, so long that no score ends it or makes a Crawford game."""
    (match,) = read_bytes((SAMPLES / "eleven-point.mat").read_bytes(), "eleven-point.mat")
    assert match.length is not None
    return match._replace(length=match.length._replace(points=99))


@pytest.mark.slow
@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("after", range(4))
def test_a_match_with_points_given_is_the_match_with_its_scores_moved(
    long_match: Match, after: int, side: int
) -> None:
    """Play, cube and results stay; only the scores from there on differ, by the points."""
    plain, ruled = replay(long_match), replay(with_points(long_match, after, side, 2, moved=True))
    given = tuple(2 * (side == each) for each in (0, 1))
    for number, (one, two) in enumerate(zip(plain.games, ruled.games, strict=True)):
        more = given if number > after else (0, 0)
        score = one.context.score
        assert two.context.score == (score[0] + more[0], score[1] + more[1])
        assert one.ending == two.ending
        assert [problem.rule for problem in one.problems] == [
            problem.rule for problem in two.problems
        ]
    assert [problem.rule for problem in ruled.problems] == [
        problem.rule for problem in plain.problems
    ]
    left, right = outcome_of(plain).counting.after or (0, 0)
    assert outcome_of(ruled).counting.after == (left + given[0], right + given[1])


@pytest.mark.parametrize("after", range(3))
def test_points_without_moved_scores_are_one_finding(long_match: Match, after: int) -> None:
    assert codes(with_points(long_match, after, 0, 2, moved=False)) == ["R616"]


class TestGameReplayed:
    AGAIN = "ruling: game replayed\n"

    def test_its_result_is_no_point(self) -> None:
        match = match_of(f"0-0\n{RESIGNED}{self.AGAIN}", f"0-0\n{PASSED}", f"0-1\n{PASSED}")
        assert codes(match) == []
        assert final_score(match) == ((0, 2), None)
        kinds = [game.ending.kind for game in replay(match).games]
        assert kinds == ["replayed", "pass", "pass"]

    def test_with_its_result_counted_the_next_score_is_wrong(self) -> None:
        match = match_of(f"0-0\n{RESIGNED}{self.AGAIN}", f"0-2\n{PASSED}")
        assert codes(match) == ["R604"]

    def test_a_number_may_stand_twice(self) -> None:
        text = HEAD.format(5) + "".join(
            f"game {number}\nscore {score}\n{rows}"
            for number, score, rows in (
                (1, "0-0", RESIGNED + self.AGAIN),
                (1, "0-0", PASSED),
                (2, "0-1", PASSED),
            )
        )
        assert codes(one_match(text)) == []
        assert codes(one_match(text.replace(self.AGAIN, ""))) != []

    def test_it_needs_no_result(self) -> None:
        started = f"0-0\nL 31 8/5 6/5\n{self.AGAIN}"
        assert codes(match_of(started, f"0-0\n{PASSED}")) == []
        found = [each.code for each in check([match_of(started, f"0-0\n{PASSED}")])]
        assert found == ["R608"]

    def test_the_game_played_instead_is_the_crawford_game_too(self) -> None:
        match = match_of(f"4-0\n{PASSED}{self.AGAIN}", f"4-0\n{RESIGNED}", f"4-2\n{PASSED}")
        crawford = [game.context.crawford for game in replay(match).games]
        assert crawford == [True, True, False]

    def test_plays_after_the_ruling_are_too_late(self) -> None:
        match = match_of(f"0-0\nL 31 8/5 6/5\n{self.AGAIN}{REPLY}", f"0-0\n{PASSED}")
        assert finding(match, "T106").message == (
            "the game was over already: a director had it played again"
        )

    def test_the_last_game_leaves_the_score(self) -> None:
        match = match_of(f"0-0\n{PASSED}", f"0-1\n{RESIGNED}{self.AGAIN}")
        assert final_score(match) == ((0, 1), None)


class TestCheckersPutBack:
    PUT_BACK = "ruling: checker put back L 4/5 (4.2.1)\n"

    def test_the_error_is_corrected_and_later_plays_are_legal(self) -> None:
        """Ann's checker on 5 is moved later; without the ruling no checker could be."""
        later = "L 43 13/9 13/10\nR 21 6/5 6/4\nL 61 10/4 5/4\n"
        ruled = match_of(f"0-0\n{ILLEGAL}{REPLY}{self.PUT_BACK}{later}")
        assert codes(ruled) == ["P404"]
        error = finding(ruled, "P404")
        assert (error.standing, error.closed_by) == (Standing.CORRECTED, "9:1")
        assert not error.fails(Severity.ERROR)
        boards = [turn.after[0] for turn in replay(ruled).games[0].turns]
        assert (boards[1][5], boards[1][4], boards[2][5], boards[2][4]) == (1, 1, 2, 0)

    def test_the_rule_book_says_what_holds_without_the_ruling(self) -> None:
        error = finding(match_of(f"0-0\n{ILLEGAL}{REPLY}{self.PUT_BACK}"), "P404")
        basic = RULE_BOOKS["basic"]
        now, before = rule_on(error, basic), rule_on(error, basic, MomentNoticed("9:1"))
        assert now is not None
        assert now.remedy == (
            "by the director (line 9): nothing is left to do; by this rule book it would have"
            " stood since line 8, right"
        )
        assert before is not None
        assert before.standing is Standing.STANDS
        called_at_once = rule_on(error, basic, MomentNoticed("8:1"))
        assert called_at_once is not None
        assert called_at_once.standing is Standing.OPEN

    def test_a_ruling_in_time_needs_no_reservation(self) -> None:
        error = finding(match_of(f"0-0\n{ILLEGAL}{self.PUT_BACK}{REPLY}"), "P404")
        said = rule_on(error, RULE_BOOKS["basic"])
        assert said is not None
        assert said.remedy == "by the director (line 8): nothing is left to do"

    def test_a_play_taken_back_is_played_again(self) -> None:
        taken_back = "ruling: checkers put back L 5/8 4/6\nL 31 8/5 6/5\n"
        match = match_of(f"0-0\n{ILLEGAL}{taken_back}{REPLY}")
        assert codes(match) == ["P404"]
        assert finding(match, "P404").standing is Standing.CORRECTED

    def test_a_roll_waits_for_the_ruling(self) -> None:
        """Bob has rolled when the error is noticed; his roll is written again with its play."""
        match = match_of(f"0-0\n{ILLEGAL}R 66 ?\n{self.PUT_BACK}{REPLY}L 62 24/22 8/2\n")
        assert codes(match) == ["P404"]
        assert finding(match, "P404").standing is Standing.CORRECTED

    def test_a_hit_checker_goes_back(self) -> None:
        """Ann hits on her 20 point with a 4 that she has not rolled: 24/18 13/11 would be legal."""
        rows = "L 31 8/5 6/5\nR 41 13/9 6/5\nL 62 24/18 24/20*\n"
        put_back = "ruling: checkers put back L 20/24 13/11 R bar/5\n"
        match = match_of(f"0-0\n{rows}{put_back}R 21 13/11 6/5\n")
        assert codes(match) == ["P404"]
        assert finding(match, "P404").standing is Standing.CORRECTED

    def test_a_checker_that_is_not_there(self) -> None:
        match = match_of(f"0-0\n{ILLEGAL}{REPLY}ruling: checker put back L 3/5\n")
        assert codes(match) == ["P404", "R616"]
        assert finding(match, "P404").standing is Standing.STANDS
        words = "Ann has no checker on the 3 point that could be put back"
        assert finding(match, "R616").message == words
        before, after = replay(match).games[0].turns[-1][2:4]
        assert before == after

    def test_without_an_error_it_is_a_warning(self) -> None:
        match = match_of(f"0-0\nL 31 8/5 6/5\n{REPLY}ruling: checker put back L 5/4\n")
        found = finding(match, "R616")
        assert found.severity is Severity.WARNING
        assert found.message == (
            "this corrects no illegal play and no wrong set-up in the match file"
        )

    def test_a_board_that_no_legal_play_leaves_is_a_warning(self) -> None:
        match = match_of(f"0-0\n{ILLEGAL}{REPLY}ruling: checker put back L 4/6\n")
        found = finding(match, "R616")
        assert found.severity is Severity.WARNING
        assert found.message == (
            "after this the board is not as a legal play of 3-1 would have left it"
        )
        assert finding(match, "P404").standing is Standing.STANDS

    def test_a_wrong_set_up_is_corrected(self) -> None:
        """Ann's checker on 8 belongs on 13; both sides have played when that is noticed."""
        wrong = "board L 24(2) 13(4) 8(4) 6(5) R 24(2) 13(5) 8(3) 6(5)\n"
        rows = f"0-0\n{wrong}L 31 8/5 6/5\n{REPLY}L 62 24/22 8/2\n"
        assert codes(match_of(rows + "ruling: checker put back L 8/13\n")) == ["U201"]
        match = match_of(rows + "ruling: checker put back L 8/13\n")
        assert finding(match, "U201").standing is Standing.CORRECTED
        assert finding(match_of(rows), "U201").standing is Standing.STANDS

    def test_a_game_won_by_an_illegal_play_goes_on(self) -> None:
        """Two dice bear off two of three checkers, so one is put back."""
        board = "board L 4 3 1 off(12) R 6(2) off(13) turn L\n"
        head = HEAD.format(5) + "Position: three checkers\ngame 1\nscore 0-0\n"
        won = f"{head}{board}L 43 4/off 3/off 1/off\n"
        assert "R614" in codes(one_match(won))
        ruled = one_match(f"{won}ruling: checker put back L off/1\nR 66 6/off(2)\nR wins 1\n")
        assert codes(ruled) == ["P405"]
        assert outcome_of(replay(ruled)).games[0].winner == 1

    def test_nothing_is_put_back_after_the_result(self) -> None:
        match = match_of(f"0-0\n{ILLEGAL}R double\nL pass\nR wins 1\n{self.PUT_BACK}")
        assert finding(match, "R616").message == (
            "the game was over, so no checker could be put back"
        )

    def test_a_second_ruling_corrects_no_error_twice(self) -> None:
        match = match_of(f"0-0\n{ILLEGAL}{REPLY}{self.PUT_BACK}ruling: checker put back L 5/4\n")
        assert codes(match) == ["P404", "R616"]

    @pytest.mark.parametrize("name", ["basic", "usbgf", "ukbgf-2019", "abt-2013", "wbgt-2010"])
    def test_every_rule_book_takes_it_for_corrected(self, name: str) -> None:
        replayed = replayed_by(name, f"0-0\n{ILLEGAL}{REPLY}{self.PUT_BACK}")
        (error,) = (
            found for found in findings_of([replayed], RULE_BOOKS[name]) if found.code == "P404"
        )
        assert error.standing is Standing.CORRECTED


class TestWhatFollows:
    """What a ruling changes for the rest of the game and the match."""

    def test_a_replayed_game_counts_nothing_even_if_the_score_counts_it(self) -> None:
        """The score contradicts the ruling, so the winner of the match is disputed."""
        again = f"0-1\n{RESIGNED}"
        match = match_of("0-0\nL 31 8/5 6/5\nruling: game replayed\nR wins 1\n", again, length=3)
        outcome = outcome_of(replay(match))
        assert codes(match) == ["R604"]
        assert [game.counting is None for game in outcome.games] == [True, False]
        assert outcome.games[0].disputed == ("score-mismatch",)
        assert (outcome.recorded.after, outcome.by_board.after) == ((0, 3), (0, 2))
        assert outcome.counting.winner is None

    @pytest.mark.parametrize(
        ("rows", "after", "winner"),
        [
            ("L 31 8/5 6/5\nruling: 1 point to L\nL resigns 1\nR wins 1\n", (3, 2), 0),
            ("L 31 8/5 6/5\nL resigns 1\nR wins 1\nruling: 1 point to L\n", (2, 3), 1),
        ],
        ids=["before the result", "after it"],
    )
    def test_nothing_counts_after_points_that_decide_the_match(
        self, rows: str, after: tuple[int, int], winner: int
    ) -> None:
        assert final_score(match_of(f"2-2\n{rows}", length=3)) == (after, winner)

    def test_an_error_of_a_replayed_game_is_corrected(self) -> None:
        match = match_of(f"0-0\n{ILLEGAL}{REPLY}ruling: game replayed\n", f"0-0\n{PASSED}")
        error = finding(match, "P404")
        assert error.standing is Standing.CORRECTED

    @pytest.mark.parametrize(
        "moves", ["L 4/6 5/8 R 18/24(2) 7/13(2)", "R 18/24(2) 7/13(2) L 4/6 5/8"]
    )
    def test_both_plays_may_be_taken_back_in_any_order(self, moves: str) -> None:
        again = f"L 31 8/5 6/5\n{REPLY}L 62 24/22 8/2\n"
        match = match_of(f"0-0\n{ILLEGAL}{REPLY}ruling: checkers put back {moves}\n{again}")
        assert codes(match) == ["P404"]
        assert finding(match, "P404").standing is Standing.CORRECTED


def replayed_by(name: str, game: str) -> MatchReplay:
    return replay(match_of(game), RULE_BOOKS[name])


def test_a_ruling_has_its_place() -> None:
    (game,) = match_of(f"0-0\n{PASSED}ruling: 1 point to Ann (late)\n").games
    assert game.actions[-1].span == Span(11, 1, 30)


def test_points_without_a_length_have_no_end() -> None:
    assert add_points((4, 2), (2, 0), 0) == (6, 2)


def test_time_may_end_a_game() -> None:
    assert kind_of_end_off_board("Ann lost on time") == "time"


@pytest.mark.parametrize(
    ("dice", "point", "count", "is_possible"),
    [((3, 1), 10, 2, True), ((2, 2), 16, 1, True), ((2, 2), 14, 1, False)],
)
def test_a_roll_may_leave_checkers_where_a_play_can_reach(
    dice: tuple[int, int], point: int, count: int, *, is_possible: bool
) -> None:
    assert may_leave(start_position("standard"), dice, [(point, count)]) == is_possible
