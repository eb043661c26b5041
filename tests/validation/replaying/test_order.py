"""Games that are missing, copied, or in another order than they were played in: one finding each."""

from __future__ import annotations

import pytest

from bganalyze.board.rule_book import BASIC
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.applying import apply_repairs
from bganalyze.repairing.file_to_repair import read_file_to_repair
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.repairing.search import find_repairable_findings, find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import outcome_of

SCORES = {1: (0, 0), 2: (0, 1), 3: (0, 2), 4: (0, 3), 5: (0, 4)}
"""Before each game; the right side wins them all."""

DROPPED = """\
  1) {roll}: 8/5 6/5                  Doubles => 2
  2) Drops
                                  Wins 1 point

"""

PLAYED = """\
  1) 31: 8/5 6/5                  {roll}: 24/23 13/10
  2) 42: 8/4 6/4                  65: 24/13
  3) 61: 13/7 8/7                 52: 13/8 13/11
  4) 43: 24/20 13/10              Doubles => 2
  5)  Drops                       Wins 1 point

"""


def game(number: int, score: tuple[int, int], rows: str = DROPPED) -> str:
    header = f" Game {number}\n Ann : {score[0]}                         Bob : {score[1]}\n"
    return header + rows.format(roll="31")


def text_of(*games: str, length: int = 7) -> str:
    return f" {length} point match\n\n{''.join(games)}"


def find_messages(text: str) -> list[tuple[str, str]]:
    """Return codes and messages of findings above info."""
    findings = check(read_bytes(text.encode(), "a.mat"))
    return [(finding.code, finding.message) for finding in findings if finding.severity != "info"]


def write_match(*numbers: int) -> str:
    """Return games with the numbers under which they were played."""
    return text_of(*(game(number, SCORES[number]) for number in numbers))


def write_renumbered(*numbers: int) -> str:
    """Return games whose numbers follow their order in the file, not the order of play."""
    return text_of(*(game(at, SCORES[number]) for at, number in enumerate(numbers, start=1)))


def test_games_in_another_order_than_their_numbers_are_one_warning() -> None:
    assert find_messages(write_match(1, 3, 2, 4)) == [
        ("T104", "the games are in the wrong order: 1, 3, 2, 4")
    ]
    assert find_messages(write_match(3, 1, 2)) == [
        ("T104", "the games are in the wrong order: 3, 1, 2")
    ]


@pytest.mark.parametrize("order", [(1, 3, 2, 4), (2, 1, 3), (1, 2, 4, 3), (4, 3, 2, 1), (2, 3, 1)])
def test_and_so_they_are_where_only_the_scores_tell(order: tuple[int, ...]) -> None:
    places = ", ".join(str(order.index(number) + 1) for number in sorted(order))
    told = f"the games are in the wrong order: by their scores they were played as {places}"
    assert find_messages(write_renumbered(*order)) == [("T104", told)]


def test_the_match_ends_with_the_game_that_was_played_last() -> None:
    games = [game(1, (0, 0)), game(2, (0, 2)), game(3, (0, 1))]
    replayed = replay(read_bytes(text_of(*games, length=3).encode(), "a.mat")[0])
    assert replayed.scores == {(0, 3)}


@pytest.mark.parametrize("order", [(1, 3, 2), (3, 1, 2), (2, 1, 3)])
def test_what_a_match_leads_to_is_told_in_the_order_in_which_it_was_played(
    order: tuple[int, ...],
) -> None:
    text = write_match(*order).replace("7 p", "3 p").replace("Doubles => 2", "42: 8/4 6/4")
    [match] = read_bytes(text.encode(), "a.mat")
    outcome = outcome_of(replay(match))
    assert (outcome.before, outcome.counting.after, outcome.counting.winner) == ((0, 0), (0, 3), 1)
    codes = [finding.code for finding in check([match])]
    assert "R608" not in codes


def test_the_next_score_is_that_of_the_game_played_next() -> None:
    wrong = PLAYED.replace("Wins 1 point", "Wins 5 points")
    games = [game(1, (0, 0)), game(3, (0, 2)), game(2, (0, 1), wrong), game(4, (0, 3))]
    text = text_of(*games).encode()
    (error,) = (f for f in check(read_bytes(text, "a.mat")) if f.code == "R602")
    assert error.evidence is not None
    told = " ".join(said.what for said in error.evidence.by)
    assert "the next score, 0-2, gives Bob 1 point" in told
    [cause] = find_repairs_in_file(text, "a.mat")
    assert [proposal.message for proposal in cause.proposals] == ["Wins 5 points → Wins 1 point"]


def test_numbers_alone_that_are_wrong_put_no_game_elsewhere() -> None:
    text = text_of(*(game(number, SCORES[at]) for at, number in enumerate((1, 3, 2, 4), start=1)))
    assert all("wrong order" not in message for _, message in find_messages(text))


def test_a_game_that_is_lost_or_repeated_is_told_by_its_number() -> None:
    assert [code for code, _ in find_messages(write_match(1, 3, 4))] == ["T104"]
    assert [code for code, _ in find_messages(write_match(1, 2, 2, 3))] == ["T104"]


def test_a_copy_is_told_as_what_it_is_and_no_score_is_compared_with_it() -> None:
    games = [game(1, (0, 0)), game(2, (0, 1), PLAYED), game(3, (0, 2), PLAYED), game(4, (4, 2))]
    told = "game 3 has every play of game 2: one is a copy of the other, and both are counted"
    assert find_messages(text_of(*games)) == [("T104", told)]
    assert find_messages(text_of(games[0], games[1], games[1], game(3, (3, 1)))) == [
        ("T104", "game 2 is recorded twice, and both are counted")
    ]


PASTED = [game(1, (0, 0)), game(2, (0, 1), PLAYED), game(2, (0, 1), PLAYED)]


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([*PASTED, game(3, (0, 2))], "game 2 is recorded twice: it is counted once"),
        (PASTED, "game 2 is recorded twice: it is counted once"),
        ([*PASTED, PASTED[2]], "game 2 is recorded twice: it is counted once"),
        (
            [*PASTED[:2], game(3, (0, 1), PLAYED), game(4, (0, 2))],
            "game 3 repeats game 2: it is counted once",
        ),
        (
            [*PASTED[:2], game(3, (0, 2)), PASTED[2], game(4, (0, 3))],
            "game 2 is recorded twice: it is counted once",
        ),
    ],
)
def test_a_game_that_stands_twice_is_no_game_of_its_own(games: list[str], told: str) -> None:
    assert {*find_messages(text_of(*games))} == {("T104", told)}
    replayed = replay(read_bytes(text_of(*games).encode(), "a.mat")[0])
    assert len(replayed.games) + len(replayed.repeats) == len(games)
    assert outcome_of(replayed).counting.after == (0, len(replayed.games))


def test_but_it_is_one_if_the_next_score_includes_its_result() -> None:
    games = [*PASTED, game(3, (0, 3))]
    assert find_messages(text_of(*games)) == [
        ("T104", "game 2 is recorded twice, and both are counted")
    ]
    replayed = replay(read_bytes(text_of(*games).encode(), "a.mat")[0])
    assert outcome_of(replayed).counting.after == (0, 4)
    assert [game.counting for game in outcome_of(replayed).games] == [(1, 1)] * 4


@pytest.mark.parametrize(("after", "won"), [((0, 4), (1, 2)), ((1, 2), (0, 1))])
def test_a_copied_game_counts_as_the_next_score_has_it(
    after: tuple[int, int], won: tuple[int, int]
) -> None:
    games = [game(1, (0, 0)), game(2, (0, 1), PLAYED), game(3, (0, 2), PLAYED), game(4, after)]
    outcome = outcome_of(replay(read_bytes(text_of(*games).encode(), "a.mat")[0]))
    assert outcome.games[2].counting == won
    assert outcome.games[2].disputed == ("game-number",)
    assert outcome.games[1].disputed == ()
    assert outcome.recorded == outcome.by_board


def test_what_the_reader_noticed_stays_with_its_game() -> None:
    odd = DROPPED.replace("2) Drops", "7) Drops")
    games = [*PASTED, game(3, (0, 2), odd)]
    [noticed] = [
        f for f in check(read_bytes(text_of(*games).encode(), "a.mat")) if f.code == "T103"
    ]
    assert noticed.game == 3


def test_a_copy_of_the_last_game_does_not_end_the_match_before() -> None:
    last = PLAYED.replace("Wins 1 point", "Wins 1 point and the match")
    games = [game(1, (0, 0)), game(2, (0, 1), last), game(3, (0, 2), last)]
    assert [code for code, _ in find_messages(text_of(*games, length=3))] == ["T104"]


def test_what_is_at_fault_in_one_copy_alone_comes_of_the_score_of_another_game() -> None:
    games = [game(1, (0, 0), PLAYED), game(2, (0, 1), PLAYED)]
    assert [code for code, _ in find_messages(text_of(*games, length=2))] == ["T104"]
    games = [game(1, (0, 0), PLAYED), game(2, (0, 1), PLAYED.replace("65:", "64:"))]
    assert "C503" in [code for code, _ in find_messages(text_of(*games, length=2))]


def test_what_is_at_fault_in_both_copies_is_told_once() -> None:
    wrong = PLAYED.replace("61: 13/7 8/7", "61: 13/7 8/6")
    games = [game(number, (0, number - 1), wrong) for number in (1, 2, 3)]
    text = text_of(*games)
    assert [code for code, _ in find_messages(text)] == ["P404", "T104", "T104"]
    findings = check(read_bytes(text.encode(), "a.mat"))
    assert next(found.consequences for found in findings if found.code == "P404") == 2


@pytest.mark.parametrize(
    ("right", "wrong", "code"),
    [
        ("  4) 43: 24/20 13/10 ", "  4) 43: 24/20 13/10 wh=t ", "T101"),
        ("Doubles => 2", "Doubles => 8", "C505"),
        ("Wins 1 point", "Wins 5 points", "R602"),
        ("Doubles => 2", "", "C506"),
    ],
)
def test_what_is_written_otherwise_in_one_copy_stays_at_fault(
    right: str, wrong: str, code: str
) -> None:
    other = PLAYED.replace(right, wrong)
    for first, second in ((PLAYED, other), (other, PLAYED)):
        games = [game(1, (0, 0), first), game(2, (0, 1), second)]
        assert code in [code for code, _ in find_messages(text_of(*games))]


def test_games_with_few_plays_may_be_alike() -> None:
    assert find_messages(write_match(1, 2, 3)) == []


def test_no_double_is_blamed_where_the_crawford_game_may_be_missing() -> None:
    text = text_of(game(1, (0, 0)), game(2, (0, 1)), game(4, (1, 2)), length=3)
    assert [code for code, _ in find_messages(text)] == ["T104", "C503"]
    assert "if this is the Crawford game" in find_messages(text)[1][1]
    assert (
        "this is the Crawford game"
        in find_messages(write_match(1, 2, 3).replace("7 p", "3 p"))[0][1]
    )


@pytest.mark.parametrize(
    "text",
    [
        write_renumbered(1, 3, 2, 4),
        write_match(1, 3, 2),
        text_of(game(1, (0, 0)), game(2, (0, 2)), game(3, (0, 3))),
        text_of(game(1, (0, 0), PLAYED), game(2, (0, 1), PLAYED), game(3, (3, 1))),
    ],
)
def test_nothing_is_written_where_games_are_lost_copied_or_exchanged(text: str) -> None:
    draft = read_file_to_repair(text.encode(), "a.mat", BASIC)
    assert (
        apply_repairs(draft, tuple(find_repairable_findings(draft)), rate_plays_by_appearance).data
        == text.encode()
    )
