"""The files of online servers: one small record of each, and what is peculiar to it."""

from __future__ import annotations

import time
from contextlib import suppress

import pytest

import bganalyze
from bganalyze.record.line_tree import LinePart
from bganalyze.record.model import (
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
    Span,
    Unread,
)
from bganalyze.record.reader import parse_line, read_bytes
from bganalyze.validation.checking import check
from tests.record.sites.texts import BGAMMON, BGROOM, BKG, EMPIRE, PARTY, SGG, TMG


def read(text: str) -> list[Match]:
    return read_bytes(text.encode(), "a.txt")


def kinds(game: Game) -> list[type]:
    return [type(action) for action in game.actions]


def play(action: Action) -> Play:
    assert isinstance(action, Play)
    return action


def test_games_grid() -> None:
    (match,) = read(SGG)
    game = match.games[0]
    assert (match.format, match.names, game.cube) == ("sgg", ("bob", "alice"), 2)
    assert match.length is not None
    assert (match.length.points, match.tag("Variation"), match.tag("Jacoby")) == (
        0,
        "Nackgammon",
        "Yes",
    )
    assert kinds(game) == [
        Play,
        Play,
        Comment,
        Double,
        Double,
        Play,
        Play,
        Play,
        Resignation,
        Result,
    ]
    assert [action.kind for action in game.actions if isinstance(action, Double)] == [
        "double",
        "beaver",
    ]
    assert play(game.actions[0]).place(1) == Span(13, 12, 15)
    assert [play(game.actions[at]).how for at in (6, 7)] == [
        PlayRecord.CANNOT_MOVE,
        PlayRecord.UNPLAYED,
    ]
    assert match.games[1].score is not None
    assert match.games[1].score.points == (16, 0)


@pytest.mark.parametrize("tab", ["    ", "        ", "  "])
@pytest.mark.parametrize("are_stops", [False, True])
def test_games_grid_with_blanks_for_tabs(tab: str, *, are_stops: bool) -> None:
    text = SGG.expandtabs(len(tab)) if are_stops else SGG.replace("\t", tab)
    (match,), (as_written,) = read(text), read(SGG)
    assert [kinds(game) for game in match.games] == [kinds(game) for game in as_written.games]
    assert [
        [getattr(action, "side", None) for action in game.actions]
        for game in (match.games[0], as_written.games[0])
    ] == [[getattr(action, "side", None) for action in as_written.games[0].actions]] * 2


def test_games_grid_with_one_blank_for_all_tabs_cannot_be_read() -> None:
    text = SGG.replace("\t\t", " ").replace("\t", " ")
    (match,) = read(text)
    assert {Play, Double}.isdisjoint(kinds(match.games[0]))
    unread = {finding.line for finding in check([match]) if finding.code == "T101"}
    assert set(range(11, 17)) <= unread


@pytest.mark.slow
@pytest.mark.parametrize("text", [SGG, TMG, BGAMMON, BGROOM, BKG, EMPIRE])
def test_prose_in_a_game_is_a_comment_and_a_damaged_line_is_none(text: str) -> None:
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if "6/5" in line or "6-5" in line) + 1
    for line, kind in (("He was late for the game.", Comment), ("zz (3 1) 8/5, 6/5", Unread)):
        (first, *_) = read("\n".join([*lines[:at], line, *lines[at:]]))
        placed = [action for action in first.games[0].actions if action.span.line == at + 1]
        assert list(map(type, placed)) == [kind]
        assert placed[0].span[1:] == (1, len(line) + 1)


@pytest.mark.parametrize(
    ("text", "line", "number"),
    [
        (SGG.replace("Match Length: 0", "Match Length: x5"), "Match Length: x5", 4),
        (TMG.replace("Jacoby: 1", "A long way to go"), "A long way to go", 4),
        ("zz " + BKG, "zz Black (3 1) 8-5,6-5", 1),
        (BGROOM.replace("Game 1", "zz Game 1") + BGROOM, "1.X:(3 1)8/5 6/5", 4),
        ("zz 31: 8/5 6/5\n" + BGAMMON, "zz 31: 8/5 6/5", 1),
        (PARTY.replace("MATCHLENGTH", "MATCH_LENGTH"), "MATCH_LENGTH=3", 3),
    ],
)
def test_a_line_above_the_games_is_kept(text: str, line: str, number: int) -> None:
    (match, *_) = read(text)
    kept = {(tag.value, tag.span.line) for tag in match.tags}
    kept |= {(odd.text, odd.span.line) for odd in match.oddities}
    assert (line, number) in kept


def test_a_roll_that_the_other_side_plays_is_kept() -> None:
    (match,) = read(TMG.replace(" -1 1 42:", "  2 1 42:"))
    first, rolled, played = match.games[0].actions[:3]
    assert [(play(one).side, play(one).dice) for one in (first, rolled, played)] == [
        (0, (3, 1)),
        (0, (4, 2)),
        (1, None),
    ]


def test_true_money_games() -> None:
    (match,) = read(TMG)
    (game,) = match.games
    assert (match.format, match.names, game.cube) == ("tmg", ("alice", "bob"), 2)
    assert match.tag("Jacoby") == "On"
    assert kinds(game) == [Play, Play, Double, Double, Play, Resignation, Result]
    assert game.actions[3] == Double(Span(17, 7, 18), "2", 1, 8, "beaver")
    assert play(game.actions[4]).how is PlayRecord.CANNOT_MOVE
    assert play(game.actions[1]).place(0) == Span(15, 7, 10)
    resigned = game.actions[5]
    assert isinstance(resigned, Resignation)
    assert resigned.manner == "time"


@pytest.mark.parametrize("record", ["  1 4 ", "  3 4 0/0"])
def test_a_repeated_record_of_true_money_games_counts_once(record: str) -> None:
    lines = TMG.split("\n")
    at = next(index for index, line in enumerate(lines) if line.startswith(record))
    repeated = "\n".join([*lines[: at + 1], *lines[at:]])
    [single], [doubled] = read(TMG), read(repeated)
    assert kinds(doubled.games[0]) == kinds(single.games[0])


def test_bgammon() -> None:
    first, second = read(BGAMMON)
    assert (first.format, first.names, len(first.games)) == ("bgammon", ("ann", "bob"), 2)
    first_game, second_game = first.games
    assert kinds(first_game) == [Play, Play, Play, Double, Answer, Unread, Resignation, Result]
    assert [step.path for step in play(first_game.actions[1]).steps] == [(24, 18), (13, 11)]
    assert play(first_game.actions[1]).place(1) == Span(5, 13, 18)
    assert play(first_game.actions[2]).how is PlayRecord.EMPTY
    assert kinds(second_game) == [Play, Double, Answer, Result]
    assert kinds(second.games[0])[-1] is Result
    assert second.tag("Variation") == "tabula"
    assert {finding.code for finding in check([second])} == {"U207", "R608", "T115"}


@pytest.mark.parametrize(("score", "matches"), [("1 1", 1), ("2 0", 1), ("0 1", 2), ("0 0", 2)])
def test_a_score_lower_than_before_begins_another_match_of_bgammon(
    score: str, matches: int
) -> None:
    text = BGAMMON.replace("i 1702738672 ann bob 3 0 0", f"i 1702738672 ann bob 3 {score}")
    assert len(read(text)) == matches


def test_bg_room() -> None:
    (match,) = read(BGROOM)
    (game,) = match.games
    assert (match.format, match.names, match.length) == ("bgroom", ("alice", "bob"), None)
    assert kinds(game) == [Comment, Play, Play, Double, Double, Unread, Play, Resignation]
    assert play(game.actions[1]).place(1) == Span(4, 14, 17)
    assert game.actions[5].span == Span(8, 1, 14)


def test_bkg() -> None:
    (match,) = read(BKG)
    first, second = match.games
    assert (match.format, match.names) == ("bkg", ("Black", "White"))
    assert kinds(first) == [Play, Play, Double, Answer, Play, Result]
    assert [step.path for step in play(first.actions[0]).steps] == [(8, 5), (6, 5)]
    assert [step.path for step in play(first.actions[1]).steps] == [(24, 18), (13, 11)]
    result = first.actions[-1]
    assert isinstance(result, Result)
    assert (result.side, result.points) == (1, 4)
    assert kinds(second) == [Play]


def test_gammon_empire() -> None:
    (match,) = read(EMPIRE)
    assert (match.format, match.names, len(match.games)) == ("gammon-empire", ("alice", "bob"), 2)
    assert kinds(match.games[0]) == [*[Play, Play, Double, Answer, Play, Answer], *[Comment] * 2]
    assert play(match.games[1].actions[0]).side == 1


def test_party_gammon() -> None:
    (match,) = read(PARTY)
    game = match.games[0]
    assert (match.format, match.names) == ("party", ("alice", "bob"))
    assert kinds(game) == [Play, Play, Double, Answer, Unread, Play, Result]
    assert play(game.actions[0]).place(0) == Span(6, 26, 29)
    assert match.games[1].score is not None
    assert match.games[1].score.points == (0, 2)


@pytest.mark.parametrize("text", [SGG, TMG, BGAMMON, BGROOM, EMPIRE, PARTY])
def test_damaged_plays_stand_in_their_place(text: str) -> None:
    damaged = text.replace("6/5", "6?5", 1).replace("6-5", "6?5", 1)
    unread = [
        (action.span.line, action.text)
        for match in read(damaged)
        for game in match.games
        for action in game.actions
        if isinstance(action, Unread)
    ]
    line = next(
        number for number, line_text in enumerate(damaged.split("\n"), 1) if "6?5" in line_text
    )
    assert (line, "6?5") in unread


@pytest.mark.parametrize("text", [SGG, TMG, BGAMMON, BGROOM, BKG, EMPIRE, PARTY])
def test_half_a_file_is_read_as_far_as_it_goes(text: str) -> None:
    for end in range(0, len(text), 7):
        try:
            matches = read(text[:end])
        except bganalyze.NotATranscript:
            continue
        check(matches)


def leaves(part: LinePart) -> dict[str, str]:
    """Return the innermost parts of a line."""
    if not part.parts:
        return {part.name: part.text}
    return {name: text for inner in part.parts for name, text in leaves(inner).items()}


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        (SGG, 13, {"label": "1", "dice": "31", "source": "6", "target": "5"}),
        (TMG, 17, {"second": "-", "label": "2", "value": "8"}),
        (BGAMMON, 5, {"player": "2", "dice": "6 2", "source": "12", "target": "14"}),
        (BGROOM, 8, {"label": "4", "letter": "0", "unread": "can't say"}),
        (BKG, 3, {"player": "Black", "accepted": "        Accepted"}),
        (EMPIRE, 4, {"label": "3", "DICE": "66:", "count": "2", "right_cell": "Drop"}),
        (PARTY, 4, {"number": "1", "seat": "1", "name": "alice"}),
    ],
)
def test_what_a_line_is_made_of(text: str, line: int, parts: dict[str, str]) -> None:
    part = parse_line(text.encode(), "a.txt", line)
    assert part is not None
    assert {name: leaves(part).get(name) for name in parts} == parts


LONG = 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        SGG + "9\t31: 8/5" + " " * LONG + "x",
        TMG + "  9 4 8/5" + " " * LONG + "x",
        TMG + "  9 14 8" + " " * LONG + "x",
        BGAMMON + "1 r 3-1 8/5" + " " * LONG + "x",
        BGROOM + "9.X:(3 1)8/5" + " ." * LONG + "x",
        BGROOM + "Game 2 - " + "(X) vs. " * LONG,
        PARTY.replace("31 8/5", "31 8/5" + " " * LONG + "x"),
        "a vs. b\n" * LONG,
        f"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\nX:{' ' * LONG}",
        f"+13-14-15+  X: {' ' * LONG}x\nXGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10\n",
        "The score (after 0 games) is: " + "a 1, " * LONG,
    ],
)
def test_long_lines_take_no_time(text: str) -> None:
    start = time.process_time()
    with suppress(bganalyze.NotATranscript):
        read(text)
    assert time.process_time() - start < 10
