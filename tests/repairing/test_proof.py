"""Changes that a repair may make and still be called proved."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.repairing import proof
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.rules.words import describe_evidence
from tests.repairing.test_games import make_slip

SAMPLES = Path(__file__).parents[2] / "samples"
FAULTY = SAMPLES / "faulty"

GAME = """\
 Game {number}
 Ann : {ann}                         Bob : {bob}
  1) 31: 8/5 6/5                  Doubles => 2
  2) Drops
                                  Wins 1 point

"""


def match(*scores: tuple[int, int]) -> str:
    """Return a match to 9 points in which Bob wins each game, with these scores."""
    games = (
        GAME.format(number=number, ann=ann, bob=bob)
        for number, (ann, bob) in enumerate(scores, start=1)
    )
    return " 9 point match\n\n" + "".join(games)


def causes(text: str | bytes) -> list[RepairableFinding]:
    return find_repairs_in_file(text.encode() if isinstance(text, str) else text, "a.mat")


def are_proved(found: list[RepairableFinding]) -> list[bool]:
    return [cause.proposals[0].proved for cause in found]


def test_one_score_line_that_results_on_both_sides_contradict_is_proved() -> None:
    assert are_proved(causes(match((0, 0), (0, 7), (0, 2)))) == [True]
    assert are_proved(causes(match((1, 0), (0, 1), (0, 2)))) == [True]


def test_a_score_line_without_a_later_one_may_tell_of_a_game_that_is_lost() -> None:
    assert are_proved(causes(match((0, 0), (0, 1), (1, 2)))) == [False]


def test_a_lost_game_is_a_cause_that_no_edit_repairs() -> None:
    """The left side won the lost game, as later scores show."""
    (cause,) = causes(match((0, 0), (0, 1), (2, 2), (2, 3)))
    first = cause.proposals[0]
    assert (first.kind, first.edits, first.proved) == ("game-lost", (), False)
    assert first.message == "a game seems to be missing between games 2 and 3"
    assert first.probability > 0.5


def test_score_lines_that_go_on_from_a_wrong_one_are_not_proved() -> None:
    assert not any(are_proved(causes(match((0, 0), (0, 3), (0, 4), (0, 5)))))


@pytest.mark.slow
@pytest.mark.parametrize(
    "scores",
    [
        ((0, 0), (0, 2), (0, 1), (0, 3), (0, 4)),
        ((0, 1), (0, 0), (0, 2), (0, 3)),
        ((0, 0), (0, 1), (0, 3), (0, 2)),
        ((0, 0), (0, 2), (0, 3), (0, 1), (0, 4)),
        ((0, 0), (0, 3), (0, 2), (0, 1), (0, 4)),
    ],
)
def test_scores_of_games_in_the_wrong_order_are_not_proved(
    scores: tuple[tuple[int, int], ...],
) -> None:
    """Each may follow from the game before it, but the next one does not follow from it then.

    With another game lost, no order of them is right.
    """
    assert not any(are_proved(causes(match(*scores))))
    later = tuple((0, right + 2 * (right == max(scores)[1])) for _, right in scores)
    found = causes(match(*later))
    assert found
    assert not any(are_proved(found))


def test_a_score_added_up_from_one_in_doubt_is_not_proved() -> None:
    """The games at 0-1 and 0-2, won by 1 and 2 points, are exchanged, and one is lost."""
    dropped = "  2) Drops\n                                  Wins 1 point\n"
    taken = "  2) Takes                       65: 24/13\n                                  Wins 2 points\n"
    first, second, *rest = match((0, 0), (0, 2), (0, 1), (0, 5)).split(dropped)
    found = causes(dropped.join([f"{first}{dropped}{second}{taken}{rest[0]}", *rest[1:]]))
    assert len(found) == 2
    assert not any(are_proved(found))


def test_the_winner_of_a_game_that_may_stand_in_place_of_another_is_not_proved() -> None:
    """The rows of the second game are a copy of the first; Bob won the one that is lost."""
    rows = (
        "  1) 42: 8/4 6/4                  21: 13/11 24/23\n"
        "  2) 66: 24/18(2) 13/7(2)         55: 11/6 13/8 8/3(2)\n"
        "  3)  Doubles => 2                Drops\n"
        "      Wins 1 point\n\n"
    )
    last = rows.replace("Drops", "Takes").replace("1 point", "2 points")
    (cause,) = causes(
        " 3 point match\n\n"
        f" Game 1\n Ann : 0                         Bob : 0\n{rows}"
        f" Game 2\n Ann : 1                         Bob : 0\n{rows}"
        f" Game 3\n Ann : 1                         Bob : 1\n{last}"
    )
    assert [proposal.message for proposal in cause.proposals] == ["swap the sides of game 2"]
    assert are_proved([cause]) == [False]


def test_a_score_after_a_game_without_a_result_is_not_proved() -> None:
    text = match((0, 0), (2, 1), (0, 2)).replace(
        "                                  Wins 1 point\n", "", 1
    )
    assert not any(are_proved(causes(text.replace("  2) Drops\n", "", 1))))


def test_a_misspelled_word_may_be_proved() -> None:
    assert are_proved(causes(match((0, 0), (0, 1)).replace("Wins 1", "Wnis 1", 1))) == [True]
    assert are_proved(
        causes(make_slip(("13/9              Doubles", "13/9              Duobles")))
    ) == [True]


@pytest.mark.parametrize("change", [("  2) Drops\n", ""), ("Doubles => 2", "")])
def test_a_double_or_an_answer_that_is_put_in_is_not_proved(change: tuple[str, str]) -> None:
    found = causes(match((0, 0), (0, 1)).replace(*change, 1))
    assert not any(are_proved(found))


def test_points_that_leave_the_match_undecided_are_not_proved() -> None:
    text = " 5 point match\n\n" + GAME.format(number=1, ann=0, bob=0)
    wrong = text.replace("Wins 1 point", "Wins 5 points and the match")
    assert wrong != text
    (cause,) = causes(wrong)
    assert cause.finding.code == "R602"
    assert not cause.proposals[0].proved


# The reason why nothing is proved.


@pytest.mark.parametrize(
    ("sample", "doubt"),
    [
        ("D301-impossible-die.mat", None),
        ("P410-larger-die.mat", proof.MAY_BE_PLAYERS),
        ("T105-missing-turn.mat", proof.ROLL_UNKNOWN),
        ("R615-repeated-result.mat", proof.CHANGES_ACTIONS),
    ],
)
def test_the_first_proposal_says_why_it_is_not_proved(sample: str, doubt: str | None) -> None:
    cause = causes((FAULTY / sample).read_bytes())[0]
    assert cause.proposals[0].doubt == doubt
    assert not any(proposal.doubt for proposal in cause.proposals[1:])


def test_a_checker_that_is_not_there_was_moved_by_no_player() -> None:
    """The game goes on legally without the entered checker, but the play as written is impossible."""
    text = (SAMPLES / "clean" / "dueller.mat").read_bytes().replace(b"45: 25/21", b"45: 24/21")
    (cause,) = causes(text)
    assert cause.finding.name == "empty-point"
    assert not cause.finding.may_be_players
    assert cause.proposals[0].message == "45: 24/21 → 45: 25/21"
    assert cause.proposals[0].doubt == proof.GOES_ON
    assert [label for label, _ in describe_evidence(cause.finding)] == [
        "this play is contradicted by"
    ]


@pytest.mark.slow
def test_a_proposal_is_proved_or_has_a_doubt() -> None:
    for sample in ("R603-wrong-winner.mat", "T106-pass-for-take.mat", "R604-first-score.mat"):
        for cause in causes((FAULTY / sample).read_bytes()):
            first = cause.proposals[0]
            assert first.proved is (first.doubt is None)


def test_points_of_a_result_are_proved_only_by_a_later_score() -> None:
    """A double that is missing would explain the points as well."""
    last = match((0, 0), (0, 1)).replace("Wins 1 point", "Wins 2 points")
    wrong = match((0, 0), (0, 1), (0, 2)).replace("Wins 1 point", "Wins 2 points", 1)
    (in_between,) = causes(wrong)
    (at_the_end, *_) = causes(match((0, 0)).replace("Wins 1 point", "Wins 2 points"))
    for cause in (in_between, at_the_end):
        assert "Wins 1 point" in cause.proposals[0].message
    assert (in_between.proposals[0].proved, at_the_end.proposals[0].proved) == (True, False)
    assert not any(are_proved(causes(last)))


def test_a_game_that_stops_before_its_end_lacks_it_rather_than_that_a_score_is_wrong() -> None:
    first, second, third = (
        GAME.format(number=number, ann=0, bob=bob) for number, bob in ((1, 0), (2, 1), (3, 3))
    )
    stopped = second.partition("Doubles")[0].rstrip() + "\n\n"
    (cause,) = causes(f" 9 point match\n\n{first}{stopped}{third}")
    proposals = {proposal.message: proposal for proposal in cause.proposals}
    end = proposals["the end of game 2 seems to be missing"]
    assert (end.edits, end.proved) == ((), False)
    assert (end.probability or 0) > 5 * (proposals["score 0-3 → 0-1"].probability or 1)
    both = GAME.format(number=3, ann=1, bob=3)
    messages = [
        one.message for one in causes(f" 9 point match\n\n{first}{stopped}{both}")[0].proposals
    ]
    assert "the end of game 2 seems to be missing" not in messages
