"""GammonView's files: players, day and round of the record, whatever they are called."""

from __future__ import annotations

from collections import Counter

import pytest

from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay
from bganalyze.writing import Written, write
from tests import same

GAMES = """\
 3 point match

 Game 1
 {0} : 0                         {1} : 0
  1) 31: 8/5 6/5                 64: 24/18 18/14
  2) 52: 24/22 13/8              32: 24/21 13/11
  3)  Doubles => 2                Takes
  4) 11: 6/5 6/5 8/7 8/7         66: 21/15 15/9 13/7 13/7
  5) 43: 13/9 13/10               Doubles => 4
  6)  Drops                       Wins 2 points

 Game 2
 {0} : 0                         {1} : 2
  1)                             21: 13/11 6/5
  2)  Doubles => 2                Drops
      Wins 1 point
"""


def convert_text(text: str) -> tuple[Match, Match, Written]:
    """Return a match before and after its conversion."""
    (match,) = read_bytes(text.encode(), "a.mat")
    output = write([replay(match)], "gvab")
    (back,) = read_bytes(output.data, "a.gvab")
    return match, back, output


def codes(match: Match) -> Counter[str]:
    return Counter(finding.code for finding in check([match]))


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ("ann", "bob"),
        ("zed", "bob"),
        ("66", "Bob"),
        ("Takes", "Wins"),
        ("ann", "ann"),
        ("a b", "a"),
    ],
)
@pytest.mark.parametrize("header", ["", '; [Player 1 "Real Name"]\n; [Player 2 "Other Name"]\n'])
def test_games_stay_whatever_the_players_are_called(names: tuple[str, str], header: str) -> None:
    match, back, output = convert_text(header + GAMES.format(*names))
    is_mirrored = names[1] < names[0]
    assert back.names == (names[::-1] if is_mirrored else names)
    assert codes(back) - codes(match) == Counter()
    losses = [loss.what for loss in output.losses]
    assert losses == [
        what for what in losses if what.startswith(("entries of the header: Player", "which"))
    ]
    assert (
        "which player was the left one: GammonView orders them by name" in losses
    ) == is_mirrored


@pytest.mark.parametrize(
    ("written", "instead"),
    [
        (" Ann : 0                         Bob : 0\n", ""),
        (
            " Ann : 0                         Bob : 2\n",
            " Nick : 0                         Bob : 2\n",
        ),
    ],
)
def test_games_stay_where_a_score_line_is_missing_or_names_somebody_else(
    written: str, instead: str
) -> None:
    _, back, output = convert_text(GAMES.format("Ann", "Bob").replace(written, instead))
    plays = [len(game.actions) for game in back.games]
    assert plays == [12, 4]
    assert not [loss for loss in output.losses if loss.what.startswith(("a ", "an ", "the "))]


def test_columns_that_change_between_games_stay_those_of_their_players() -> None:
    first, second = GAMES.format("Ann", "Bob").split(" Game 2\n")
    rows = second.replace(
        "  1)                             21: 13/11 6/5\n  2)  Doubles => 2                Drops\n"
        "      Wins 1 point\n",
        "  1) 21: 13/11 6/5                Doubles => 2\n  2)  Drops                       Wins 1 point\n",
    ).replace("Ann : 0                         Bob : 2", "Bob : 2                         Ann : 0")
    match, back, _ = convert_text(f"{first} Game 2\n{rows}")
    straight = convert_text(GAMES.format("Ann", "Bob"))[1]
    assert codes(back) - codes(match) == Counter()
    assert same.games(back) == same.games(straight)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("header", "kept"),
    [
        ('; [EventDate "2023.11.26"]', {"EventDate": "2023.11.26", "EventTime": None}),
        (
            '; [EventDate "16/09/2023"]\n; [EventTime "9:05"]',
            {"EventDate": "2023.09.16", "EventTime": "09.05"},
        ),
        ('; [EventDate "04/01/2023"]', {"EventDate": None}),
        ('; [Round "Semi-final"]', {"Round": "Semi-final"}),
        ('; [Round "7"]', {"Round": "7"}),
        (f'; [Round "{"x" * 61}"]', {"Round": None}),
    ],
)
def test_the_day_and_the_round_stay_or_are_told(header: str, kept: dict[str, str | None]) -> None:
    _, back, output = convert_text(f"{header}\n{GAMES.format('Ann', 'Bob')}")
    assert {key: back.tag(key) for key in kept} == kept
    losses = " ".join(loss.what for loss in output.losses)
    assert all(
        (value is None) == (key in losses) for key, value in kept.items() if key != "EventTime"
    )


def test_a_step_with_a_huge_count_is_left_out() -> None:
    text = GAMES.format("ann", "bob").replace("43: 13/9 13/10", "43: 13/9(99999999999) 13/10")
    _, back, output = convert_text(text)
    assert "unreadable text" in {loss.what for loss in output.losses}
    assert len(back.games[0].actions) == len(
        convert_text(GAMES.format("ann", "bob"))[1].games[0].actions
    )


def test_one_game_of_galaxy_under_a_length_stays_money() -> None:
    game = GAMES.partition(" Game 2")[0].replace(" 3 point", " 16 point").format("ann", "bob")
    before, after, _ = convert_text(f'; [Site "BackgammonGalaxy"]\n{game}')
    assert before.conventions.one_game_is_money
    assert "R608" not in codes(before) + codes(after)
