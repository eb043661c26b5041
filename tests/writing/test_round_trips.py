"""Writing and reading again: the same match, but for the losses that were reported."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bganalyze.packages import GAMMONVIEW, install_command
from bganalyze.record import json as model_json
from bganalyze.record.builder import DamagedError
from bganalyze.record.model import Action, Match, Play, PlayRecord, Source
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.checking import check, findings_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.writing import WRITERS, UnwritableError, Written, write
from tests import same
from tests.refresh_docs import JSON_SCHEMA, json_schema
from tests.test_samples import CLEAN, FAULTY, transcripts
from tests.writing import records

pytestmark = pytest.mark.slow

READABLE = ("mat", "xg-text", "sgf", "bgm", "json")

SEEDS = st.integers(0, 2**32)
NOT_READ_AGAIN = {
    "span",
    "spans",
    "places",
    "cell_offset",
    "source",
    "notes",
    "format",
    "oddities",
    "last_line",
}
"""Places, and facts that only the text of the other format had."""

PEER = ("gnubg", "redoubles", "short-match", "three-point", "eleven-point", "money-jacoby-beavers")


def write_matches(matches: list[Match], known_as: str) -> Written:
    return write([replay(match) for match in matches], known_as)


def read_back(told: Written) -> list[Match]:
    return read_bytes(told.data, "again")


def essence(value: Any) -> Any:
    """Return a match without its places, all the way down."""
    if hasattr(value, "_asdict"):
        return {
            key: essence(part) for key, part in value._asdict().items() if key not in NOT_READ_AGAIN
        }
    return [essence(part) for part in value] if isinstance(value, tuple) else value


def findings(matches: list[Match]) -> Counter[tuple[Any, ...]]:
    """Return the findings that are not about spelling."""
    return count_findings(check(matches))


def count_findings(found: list[Finding]) -> Counter[tuple[Any, ...]]:
    """Return the findings that are not about spelling."""
    return Counter(
        (finding.code, finding.game, finding.side, finding.standing)
        for finding in found
        if finding.severity != "info" and not finding.code.startswith("T1")
    )


# Samples, each read, written and checked once for all tests.


@cache
def replay_sample(path: Path) -> list[MatchReplay]:
    return [replay(match) for match in read(path)]


@cache
def check_sample(path: Path) -> list[Finding]:
    return findings_of(replay_sample(path))


@cache
def write_sample(path: Path, known_as: str) -> Written:
    return write(replay_sample(path), known_as)


@cache
def replay_sample_again(path: Path, known_as: str) -> list[MatchReplay]:
    return [replay(match) for match in read_back(write_sample(path, known_as))]


@cache
def check_sample_again(path: Path, known_as: str) -> list[Finding]:
    return findings_of(replay_sample_again(path, known_as))


@pytest.mark.parametrize("known_as", READABLE)
@pytest.mark.parametrize("path", transcripts(CLEAN), ids=lambda path: path.name)
def test_samples_come_back(path: Path, known_as: str) -> None:
    once, again = replay_sample(path), replay_sample_again(path, known_as)
    assert [same.games(one.match) for one in again] == [same.games(one.match) for one in once]
    assert count_findings(check_sample_again(path, known_as)) == count_findings(check_sample(path))


SAYS_MORE = ("R602-gammon-with-a-checker-off.mat", "sgf")
"""In this format what nothing explains is resigned, and a gammon may be resigned at any time."""


@pytest.mark.parametrize("known_as", READABLE)
@pytest.mark.parametrize("path", transcripts(FAULTY), ids=lambda path: path.name)
def test_faults_come_back_where_nothing_is_lost(path: Path, known_as: str) -> None:
    if (path.name, known_as) == SAYS_MORE:
        assert [finding.code for finding in check_sample_again(path, "sgf")] == ["R609"]
        return
    losses = write_sample(path, known_as).losses
    if not [loss for loss in losses if "an oddity of the text" not in loss.what]:
        again = check_sample_again(path, known_as)
        assert count_findings(again) == count_findings(check_sample(path))


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_the_own_text_says_all(seed: int) -> None:
    match = records.match(seed, faults=True)
    output = write_matches([match], "bgm")
    (back,) = read_back(output)
    assert output.losses == ()
    assert essence(back) == essence(match)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_json_says_all(seed: int) -> None:
    match = records.match(seed, faults=True)
    output = write_matches([match], "json")
    (back,) = read_back(output)
    assert output.losses == ()
    assert essence(back) == essence(match)
    assert findings([back]) == findings([match])


@pytest.mark.parametrize("path", [*transcripts(CLEAN), *transcripts(FAULTY)], ids=lambda p: p.name)
def test_json_keeps_every_finding(path: Path) -> None:
    """Those about the text itself, too."""
    counts = [
        Counter(
            (finding.code, finding.game, finding.row, finding.side, finding.standing)
            for finding in findings_of_text
        )
        for findings_of_text in (check_sample(path), check_sample_again(path, "json"))
    ]
    assert counts[0] == counts[1]


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.sampled_from(("mat", "xg-text", "sgf")))
def test_legal_matches_come_back(seed: int, known_as: str) -> None:
    match = records.match(seed, faults=False)
    back = read_back(write_matches([match], known_as))
    assert [same.games(match_back) for match_back in back] == [same.games(match)]
    assert findings(back) == findings([match])


@settings(max_examples=15, deadline=None)
@given(SEEDS, st.sampled_from(("mat", "xg-text", "sgf")))
def test_faults_of_random_matches_come_back_where_nothing_is_lost(seed: int, known_as: str) -> None:
    match = records.match(seed, faults=True)
    output = write_matches([match], known_as)
    (back,) = read_back(output)
    assert output.losses or findings([back]) == findings([match])


@pytest.mark.parametrize("path", [*transcripts(CLEAN), *transcripts(FAULTY)], ids=lambda p: p.name)
def test_json_fits_its_schema(path: Path) -> None:
    document = json.loads(write_sample(path, "json").data)
    assert list(json_validator().iter_errors(document)) == []


def test_the_schema_is_that_of_the_types() -> None:
    """After `python -m tests.refresh_docs`."""
    assert JSON_SCHEMA.read_text() == json_schema()


def test_the_schema_refuses_what_is_none() -> None:
    document = json.loads(write_matches(read(CLEAN / "one-point.mat"), "json").data)
    document["matches"][0]["games"][0]["actions"][0]["odd"] = 1
    assert list(json_validator().iter_errors(document))


EVERY_KIND = """\
bganalyze match
left: Ann
right: Bob
length: 5
Event: Club
game 1
score 0-0
board L 24(2) 13(5) 8(3) 6(5) R 24(2) 13(5) 8(3) 6(5) cube 2 L turn R
R 31 8/5 6/5
; a comment
ruling: 2 points to R (late)
ruling: checkers put back L 4/5 3/6 R bar/20
ruling: game replayed
L double 4
R take
L 66 24/18(2)/12*
@{"program": "X", "entries": [["a", "b"]]}
"junk"
R 21 illegal leaves board L 6(2) R 5(3)
L resigns gammon declined
R resigns 1
L wins 1 match
"""

OTHER_VALUES = (None, True, -1, 0, 4, 26, 10**9, 1.5, "", "left", [], [1], [[1, 2]], {}, {"a": "b"})


def change_document(document: Any, data: st.DataObject) -> None:
    """Take one thing out of a document, put another in its place, or add one."""
    place, inside = document, ""
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        inner = place[key]
        if not isinstance(inner, dict | list) or not inner or data.draw(st.integers(0, 3)) == 0:
            break
        place, inside = inner, key if isinstance(key, str) else inside
    change = data.draw(st.sampled_from(("take out", "replace", "add")))
    if inside in ("path", "hits") or key in ("path", "hits"):
        change = "replace"
    if change == "take out":
        del place[key]
        return
    value = data.draw(st.sampled_from(OTHER_VALUES))
    if change == "add" and isinstance(place, dict):
        place[data.draw(st.sampled_from(("side", "row", "analysis", "last_line", "odd")))] = value
    elif change == "replace":
        place[key] = value


@cache
def every_kind_as_json() -> bytes:
    (match,) = read_bytes(EVERY_KIND.encode(), "a.bgm")
    return write_matches([match], "json").data


@cache
def json_validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema")
    return jsonschema.Draft202012Validator(json.loads(JSON_SCHEMA.read_text()))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_the_schema_and_the_reader_agree(data: st.DataObject) -> None:
    """But for how many `hits` a step has: a schema cannot count the points of its path."""
    document = json.loads(every_kind_as_json())
    kinds = {action["action"] for action in document["matches"][0]["games"][0]["actions"]}
    assert kinds == {kind.__name__.lower() for kind in get_args(Action)}
    change_document(document, data)
    reason, complaints = reason_against(document), list(json_validator().iter_errors(document))
    assert (reason == "") == (complaints == []), (reason, complaints)


def reason_against(document: Any) -> str:
    """Return why the reader refuses a document, or nothing."""
    text = json.dumps(document, indent=1)
    try:
        model_json.read(text, Source("a.json", "utf-8", text.split("\n")))
    except DamagedError as error:
        return str(error)
    return ""


def test_gvab_comes_back() -> None:
    matches = read(CLEAN / "three-point.mat")
    (back,) = read_back(write_matches(matches, "gvab"))
    assert same.games(back) == same.games(matches[0])


def test_a_resignation_is_worth_whole_cubes_in_sgf() -> None:
    """GNU Backgammon divides by the cube; a record may say no more than the winner needed."""
    text = (
        "bganalyze match\nlength: 3\nconventions: capped\ngame 1\nscore 0-0\nR 31 8/5 6/5\n"
        "L double 2\nR take\nL 66 24/18(2) 13/7(2)\nR resigns\nL wins 3\n"
    )
    matches = read_bytes(text.encode(), "a.bgm")
    output = write_matches(matches, "sgf")
    assert b"RE[W+4R]" in output.data
    assert [loss.what for loss in output.losses] == [
        "that the points of a result are no more than the winner needed"
    ]
    assert [same.games(match_back) for match_back in read_back(output)] == [
        same.games(match) for match in matches
    ]
    assert findings(read_back(output)) == findings(matches)


@pytest.mark.parametrize(
    ("length", "points", "written_points"),
    [(5, 5, 6), (5, 4, 4), (5, 3, 3), (7, 7, 7), (0, 5, 5)],
    ids=["rounded", "whole cubes", "not what was needed", "more than a backgammon", "money"],
)
def test_only_what_the_winner_needed_is_rounded_up_to_whole_cubes(
    length: int, points: int, written_points: int
) -> None:
    text = (
        f"bganalyze match\nlength: {length}\nconventions: capped\ngame 1\nscore 0-0\nR 31 8/5 6/5\n"
        "L double 2\nR take\nL 66 24/18(2) 13/7(2)\nR resigns\n"
        f"L wins {points}\n"
    )
    output = write_matches(read_bytes(text.encode(), "a.bgm"), "sgf")
    assert f"RE[W+{written_points}R]".encode() in output.data


def test_without_the_package_it_is_said_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    matches = read(CLEAN / "three-point.mat")
    with pytest.raises(UnwritableError) as caught:
        write_matches(matches, "gvab")
    assert str(caught.value).endswith(install_command(GAMMONVIEW))


def test_what_gvformat_cannot_write_is_told() -> None:
    matches = read(FAULTY / "D301-impossible-die.mat")
    with pytest.raises(UnwritableError, match="dice values"):
        write_matches(matches, "gvab")


GVAB = """\
 7 point match

 Game 1
 Zoe : 2                         Ann : 1
  1)                             31: 8/5 6/5
  2) 64: 24/14                   21: 6/4 {play}
      Wins 1 point
"""


def gvab_losses(text: str) -> tuple[list[str], list[Match], list[Match]]:
    matches = read_bytes(text.encode(), "a.mat")
    output = write_matches(matches, "gvab")
    return [loss.what for loss in output.losses], matches, read_back(output)


def test_a_gvab_keeps_the_first_score_and_a_resignation_and_tells_who_was_left() -> None:
    losses, matches, (back,) = gvab_losses(GVAB.format(play="6/5"))
    assert losses == ["which player was the left one: GammonView orders them by name"]
    assert back.names == ("Ann", "Zoe")
    (game,) = replay(back).games
    assert (game.context.score, game.ending.kind, game.ending.winner) == ((1, 2), "resigned", 1)
    assert findings([back]) == findings(matches)


def test_what_a_gvab_does_not_give_back_is_told() -> None:
    board = "; Set Pos=-b----E-C---eE---c-e----B-/0\n"
    losses, _, _ = gvab_losses(GVAB.format(play=f"6/5\n{board}  3) 31: 8/5 6/5"))
    assert "a position that was set up" in losses


def test_one_line_tells_which_entries_of_the_header_a_gvab_lacks() -> None:
    entries = {
        "Event": "Club",
        "Match ID": "3",
        "Transcriber": "me",
        "Player 1": "Zoe",
        "Crawford": "On",
    }
    header = "".join(f'; [{key} "{value}"]\n' for key, value in entries.items())
    losses, _, (back,) = gvab_losses(header + GVAB.format(play="6/5"))
    assert "entries of the header: Match ID, Transcriber" in losses
    assert back.tag("Event") == "Club"


ROLLED = """\
 5 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 52: 13/8 24/22
  2) 61:
"""


def test_a_roll_given_up_comes_back_from_a_gvab() -> None:
    losses, _, (back,) = gvab_losses(f"{ROLLED}{' ' * 34}Wins 1 point\n")
    assert losses == []
    roll = back.games[0].actions[2]
    assert isinstance(roll, Play)
    assert (roll.dice, roll.how) == ((1, 6), PlayRecord.UNPLAYED)


def test_a_gvab_makes_a_dance_of_a_roll_without_a_play() -> None:
    losses, _, _ = gvab_losses(ROLLED)
    assert losses == [
        "that no play is recorded for a roll",
        "the absence of P411, which check reports only in the written file",
    ]


@settings(max_examples=15, deadline=None)
@given(SEEDS)
def test_faults_come_back_from_a_gvab_where_nothing_is_lost(seed: int) -> None:
    match = records.match(seed, faults=True)
    try:
        output = write_matches([match], "gvab")
    except UnwritableError:
        return
    assert output.losses or findings(read_back(output)) == findings([match])


def test_a_gvab_knows_the_crawford_rule() -> None:
    for text, tag in (("", "On"), ('; [Crawford "Off"]\n', "Off")):
        match = read_bytes(f"{text} 3 point match\n\n Game 1\n".encode(), "a.mat")
        assert read_back(write_matches(match, "gvab"))[0].tag("Crawford") == tag


@pytest.mark.parametrize(
    ("line", "known_as", "what"),
    [
        ("L resigns 2 declined", "mat", "declined"),
        ("L resigns 2 declined", "sgf", "declined"),
        ("L resigns gammon\nR wins 1", "sgf", "the size that"),
        ("L resigns gammon\nR wins 2", "sgf", None),
        ("L resigns gammon\nR wins 1", "mat", None),
        ("L forfeits backgammon\nR wins 1", "mat", "the size that"),
        ("L resigns 2\nR wins 1", "sgf", "the points that"),
        ("L resigns 2\nR wins 1", "mat", None),
        ("L resigns backgammon 2", "bgm", None),
        ("L -- 8/5", "sgf", "roll is unknown"),
        ("L double 16", "sgf", "value written"),
        ("L double 2", "bgm", None),
        ('"odd"', "sgf", "unreadable text"),
        ("board L 6 R 6 turn L", "mat", "the side on roll"),
        ('L 31\n@{"program": "X", "entries": [["a", "b"]]}', "sgf", "X stored"),
        ("; a comment", "gvab", "a comment"),
        ("ruling: 1 point to L", "mat", "a director's ruling, which became a comment"),
        ("ruling: game replayed", "sgf", "a director's ruling, which became a comment"),
        ("ruling: checker put back L 4/5", "gvab", "a director's ruling"),
        ("ruling: 1 point to L", "bgm", None),
        ('"odd"', "gvab", "unreadable text"),
        ("L 31 24/21 24/23", "gvab", None),
        ("board L 6 R 6 turn L", "gvab", "a position that was set up"),
        ("L resigns gammon\nR wins 1", "gvab", "the size that"),
        ("L resigns gammon\nR wins 2", "gvab", None),
        ("L double 16\nR take", "gvab", "value written"),
        ("L double 2\nR take", "gvab", None),
    ],
)
def test_losses_are_told(line: str, known_as: str, what: str | None) -> None:
    text = f"bganalyze match\nlength: 3\ngame 1\nscore 0-0\nR 31 8/5 6/5\n{line}\n"
    output = write_matches(read_bytes(text.encode(), "a.bgm"), known_as)
    losses = [loss.what for loss in output.losses if loss.span is not None and loss.span.line == 6]
    assert (losses == []) if what is None else any(what in loss for loss in losses)


def test_every_writer_has_its_own_extension_and_module() -> None:
    assert {value.function.rpartition(".")[0] for value in WRITERS.values()} == {
        "bganalyze.writing"
    }


@pytest.mark.oracle
def test_gnu_backgammon_reads_what_is_written(gnubg_program: str, tmp_path: Path) -> None:
    commands = ["set automatic game off", "set confirm new off", "set confirm save off"]
    for name in PEER:
        matches = read(CLEAN / f"{name}.mat")
        for known_as, command in (("mat", "import mat"), ("sgf", "load match")):
            (tmp_path / f"{name}.{known_as}").write_bytes(write_matches(matches, known_as).data)
            commands += [f'{command} "{name}.{known_as}"', f'save match "{name}-{known_as}.sgf"']
    subprocess.run(
        [gnubg_program, "-t", "-q"],
        cwd=tmp_path,
        input="\n".join([*commands, "quit", "y", ""]).encode(),
        stdout=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    for name in PEER:
        for known_as in ("mat", "sgf"):
            assert same.matches(tmp_path / f"{name}-{known_as}.sgf") == same.matches(
                CLEAN / f"{name}.mat"
            )
    shutil.rmtree(tmp_path)


@pytest.mark.corpus
def test_real_files_come_back(corpus: Path) -> None:
    for path in sorted((corpus / "mat").iterdir())[::60]:
        matches = read(path)
        for known_as in READABLE:
            back = read_back(write_matches(matches, known_as))
            assert [same.games(match_back) for match_back in back] == [
                same.games(match) for match in matches
            ]
            assert findings(back) == findings(matches)
