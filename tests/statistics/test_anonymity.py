"""Shared data names nobody."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bganalyze
from bganalyze.record.players import Players, plain_name
from bganalyze.record.reader import read as read_file
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.anonymity import (
    PERSONAL,
    Anonyms,
    anonymize_file,
    anonymize_match,
    blank_messages,
    blank_personal_columns,
)
from bganalyze.statistics.tables.fragments import make_fragment
from bganalyze.statistics.tables.frames import join_fragments
from bganalyze.statistics.tables.schema import examine_matches
from bganalyze.validation.checking import findings_of
from bganalyze.validation.replaying import MatchReplay, replay
from tests.nasty import NAMES

SAMPLES = Path(__file__).parent.parent.parent / "samples"

TEXT = """\
; [Site "Somewhere"]
; [Event "The Quill Cup"]
; [Player 1 "Quill"]
; [Player 1 Elo "1723.5"]
; [Player 2 "Vale"]
; [Transcriber "Vale"]
; Quill against Vale
 3 point match

 Game 1
 Quill,1723 : 0                  VALE : 0
  1) 31: 8/5 6/5                 64: 24/14
; Quill sighed
  2) 52: Vale knows              32: 24/21 13/11
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Vale : 0                        quill : 1
; Crawford game
  1)                             21: 13/11 Quill
"""


def match(text: str = TEXT) -> bganalyze.Match:
    (read,) = read_bytes(text.encode(), "home/quill/vale.mat")
    return read


def test_labels_go_on_after_z() -> None:
    called = Anonyms()
    labels = [called(str(number)) for number in range(26 + 26 * 26 + 1)]
    assert (labels[0], labels[25], labels[26], labels[27]) == (
        "Player A",
        "Player Z",
        "Player AA",
        "Player AB",
    )
    assert labels[-1] == "Player AAA"
    assert len(set(labels)) == len(labels)


def test_an_alias_is_the_same_player() -> None:
    called = Anonyms(Players({"nori": "Masayuki"}))
    assert called("nori,1700") == called("Masayuki")


@pytest.mark.slow
@given(st.lists(st.text(min_size=1).filter(str.strip)))
def test_equal_names_stay_equal_and_others_differ(names: list[str]) -> None:
    called = Anonyms()
    labels = [called(name) for name in names]
    for one, label in zip(names, labels, strict=True):
        for other, its in zip(names, labels, strict=True):
            assert (plain_name(one) == plain_name(other)) == (label == its)


def test_nothing_of_a_match_tells_a_name() -> None:
    shared = repr(tuple(anonymize_match(match(), Anonyms()))).casefold()
    for word in ("quill", "vale", "1723", "home", "sighed", "knows"):
        assert word not in shared
    assert "somewhere" in shared


def test_the_same_players_are_called_the_same_in_header_and_games() -> None:
    shared = anonymize_match(match(), Anonyms())
    assert shared.games[0].score is not None
    assert shared.games[0].score.names == ("Player A", "Player B")
    assert shared.games[1].score is not None
    assert shared.games[1].score.names == ("Player B", "Player A")
    assert (shared.tag("Player 1"), shared.tag("player 2")) == ("Player A", "Player B")
    assert shared.tag("Player 1 Elo") is None


def test_a_row_is_still_shown_and_any_other_line_is_not() -> None:
    lines = anonymize_match(match(), Anonyms()).source.lines
    assert [line for line in lines if line] == [
        "  1) 31: 8/5 6/5                 64: 24/14",
        "  3)  Doubles => 2                Drops",
        "      Wins 1 point",
    ]


def test_a_row_with_a_name_in_it_is_not_shown() -> None:
    """Snowie's positions in `Illegal play (...)` hold the players."""
    row = "  1) 31: Illegal play (3;0;1;0;0;Quill;VALE;0;0;0)"
    shared = anonymize_match(match(TEXT.replace("  1) 31: 8/5 6/5 ", row, 1)), Anonyms())
    assert not [line for line in shared.source.lines if "3;0;1" in line]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_is_too_odd(name: str) -> None:
    (score,) = (game.score for game in match().games[:1])
    assert score is not None
    game = match().games[0]._replace(score=score._replace(names=(name, "Bob")))
    assert name not in repr(tuple(anonymize_match(match()._replace(games=(game,)), Anonyms())))


def boards(replayed: MatchReplay) -> list[object]:
    return [(t.after, t.cube, t.verified) for game in replayed.games for t in game.turns]


FROM_RATINGS = "R611"
"""The one rule that reads the entries of the ratings."""


def places(replayed: MatchReplay) -> list[tuple[str, int, int]]:
    return [(finding.code, finding.line, finding.column) for finding in findings_of([replayed])]


@pytest.mark.slow
def test_the_games_replay_as_they_did() -> None:
    paths = [*SAMPLES.rglob("*.mat"), *SAMPLES.rglob("*.txt")]
    assert len(paths) > 80
    for path in paths:
        for read in read_file(str(path)):
            called = Anonyms()
            before, now = replay(read), replay(anonymize_match(read, called))
            assert boards(before) == boards(now), path
            assert [g.ending for g in before.games] == [g.ending for g in now.games]
            codes = [(f.code, f.line, f.column) for f in findings_of([before])]
            assert [(f.code, f.line, f.column) for f in findings_of([now])] == [
                each for each in codes if each[0] != "R611"
            ]


def test_tables_without_names() -> None:
    replayed = replay(match())
    rows = make_fragment(examine_matches([replayed], findings_of([replayed])))
    called = Anonyms()
    rows = rows._replace(
        matches=blank_personal_columns(rows.matches), findings=blank_messages(rows.findings)
    )
    tables = join_fragments([rows], player_of_name=called)
    assert tables.matches[list(PERSONAL)].isna().all(axis=None)
    assert tables.games["left"].tolist() == ["Player A", "Player B"]
    text = "".join(frame.to_csv() for frame in tables).casefold()
    assert "quill" not in text
    assert "vale" not in text


@pytest.mark.slow
def test_many_matches_of_a_file_share_its_length() -> None:
    """As many lists as matches, each as long as the file, would take minutes and all memory."""
    matches = read_bytes(b" 3 point match\n" * 30_000, "many.mat")
    hidden = anonymize_file(matches)
    assert len(hidden[-1].source.lines) == len(matches[0].source.lines)
    assert not any(hidden[-1].source.lines[:10])


def test_no_line_is_shown_of_a_match_of_very_many_names() -> None:
    game = "\n Game {0}\n Ann{0} : 0                  Bob{0} : 0\n  1) 31: 8/5 6/5\n"
    text = " 9 point match\n" + "".join(map(game.format, range(1, 61)))
    assert not any(anonymize_match(match(text), Anonyms()).source.lines)
