"""A match typed by hand in a style of its own is read as the same match, or what is odd is reported."""

from __future__ import annotations

import re

import pytest

from bganalyze.record.cleaning.clean import CLEANINGS, Cleaned
from bganalyze.record.cleaning.typed import _strip_name_before_turn, find_typed_turns
from bganalyze.record.model import Match
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from tests import same

TURNS = (
    ("Bob", "31", "8/5 6/5"),
    ("Ann", "42", "8/4 6/4"),
    ("Bob", "65", "24/13"),
    ("Ann", "61", "13/7 8/7"),
    ("Bob", "64", "24/14"),
    ("Ann", "52", "13/11* 13/8"),
    ("Bob", "66", ""),
    ("Ann", "double", "2"),
    ("Bob", "take", ""),
    ("Ann", "31", "6/3* 4/3"),
    ("Bob", "66", ""),
    ("Ann", "resign", ""),
)
PLAIN = """5 point match

 Game 1
 Ann : 0                          Bob : 0
  1)                              31: 8/5 6/5
  2) 42: 8/4 6/4                  65: 24/13
  3) 61: 13/7 8/7                 64: 24/14
  4) 52: 13/11* 13/8              66:
  5) Doubles => 2                 Takes
  6) 31: 6/3* 4/3                 66:
  7) Resigns
                                  Wins 2 points
"""


def read_one(text: str) -> Match:
    """Return the only match of a text."""
    (match,) = read_bytes(text.encode(), "a.txt")
    return match


def serious(text: str) -> list[str]:
    """Return the codes of errors and warnings."""
    findings = check(read_bytes(text.encode(), "a.txt"))
    return [finding.code for finding in findings if finding.severity != "info"]


def type_by_name(
    head: str, line: str, step: str, between: str, dance: str, words: tuple[str, str, str], end: str
) -> str:
    """Return the match with one turn on a line, in a style."""
    double, take, resign = words
    lines = [head]
    for name, dice, play in TURNS:
        deed = {"double": double, "take": take, "resign": resign}.get(dice)
        steps = between.join(play.split()).replace("/", step) if play else dance
        rolled = line.format(name=name, one=dice[0], two=dice[1], play=steps)
        lines.append(
            rolled if deed is None else f"{line[: line.index('}') + 1]} {deed}".format(name=name)
        )
    return "\n".join((*lines, end, ""))


STYLES = {
    "steps with to": type_by_name(
        "Ann v Bob, up to 5\nGame #1",
        "{name}: {one}-{two}, {play}",
        " to ",
        ", ",
        "can't move",
        ("doubles to 2", "accepts", "gives up"),
        "2 points to Bob",
    ),
    "equals sign": type_by_name(
        "First to 5: Ann vs Bob\n*** Game 1 ***",
        "{name} {one}{two} = {play}",
        "->",
        " and ",
        "fails to enter",
        ("turns the cube to 2", "takes the cube", "resigns"),
        "Bob: 2 pts",
    ),
    "dice in brackets": type_by_name(
        "5 pts\nGame 1\nAnn 0, Bob 0",
        "{name} ({one},{two}) {play}",
        "/",
        ";",
        "---",
        ("dbl 2", "tk", "concedes"),
        "Bob wins the game (2 points)",
    ),
    "rolls in words": type_by_name(
        "Race to 5, Ann against Bob\n1. game",
        "{name} rolls {one}&{two}: {play}",
        ">",
        ", ",
        "dances",
        ("cube 2", "ok", "folds"),
        "Bob +2",
    ),
}


@pytest.mark.parametrize("name", STYLES)
def test_turns_typed_behind_names_are_read(name: str) -> None:
    match, plain = read_one(STYLES[name]), read_one(PLAIN)
    assert match.names == plain.names == ("Ann", "Bob")
    assert [same.games(match)] == [same.games(plain)]
    assert set(serious(STYLES[name])) <= set(serious(PLAIN))


def type_rows(label: str, dice: str, between: str) -> str:
    """Return the plain match with typed rows: labels, dice and signs between cells of a style."""
    rows = []
    for line in PLAIN.split("\n"):
        row = re.match(r" +([0-9])\) (.{29})(.*)$", f"{line:40}")
        if row is None:
            rows.append(line)
            continue
        cells = [re.sub("([1-6])([1-6]):", dice, cell.strip()) for cell in row.groups()[1:]]
        rows.append(f"{label.format(row[1])}{between.join(cells)}".rstrip(f"{between} "))
    return "\n".join(rows)


@pytest.mark.parametrize(
    ("label", "dice", "between"),
    [
        ("Move {}: ", r"\1x\2", " / "),
        ("Turn {}. ", r"[\1\2]", "; "),
        ("{} - ", r"\1-\2 -", " | "),
        ("#{} ", r"\1+\2:", "   "),
        ("{}. ", r"{{\1\2}}".replace("{{", "{").replace("}}", "}"), " // "),
    ],
)
def test_typed_rows_of_two_turns_are_read(label: str, dice: str, between: str) -> None:
    text = type_rows(label, dice, between)
    assert [same.games(read_one(text))] == [same.games(read_one(PLAIN))]
    assert set(serious(text)) <= set(serious(PLAIN))


def test_places_of_typed_turns_are_those_in_the_file() -> None:
    text = STYLES["steps with to"]
    lines = text.split("\n")
    for play in read_one(text).plays():
        assert play.dice is not None
        line = lines[play.span.line - 1]
        assert line[play.span.column - 1 :].startswith(
            "{}-{},".format(*re.findall("[1-6]", line)[:2])
        )


def test_a_typed_line_that_cannot_be_read_is_reported_and_nothing_is_replaced() -> None:
    text = STYLES["equals sign"].replace("Ann 42 = 8->4 and 6->4", "Ann 42 = 8->4 q 6->4")
    assert text != STYLES["equals sign"]
    assert list(find_typed_turns(text)) == []
    with pytest.raises(NotATranscript):
        read_one(text)


def test_a_typed_turn_that_is_missing_is_reported() -> None:
    text = STYLES["steps with to"].replace("Ann: 6-1, 13 to 7, 8 to 7\n", "")
    assert text != STYLES["steps with to"]
    assert "T105" in serious(text)


def test_rolls_without_numbers_or_names_are_not_put_into_rows() -> None:
    text = re.sub(r"(?m)^ +[0-9]\) +", "", PLAIN)
    assert list(find_typed_turns(text)) == []


def test_to_resign_is_to_pass_only_behind_a_double() -> None:
    text = STYLES["steps with to"]
    cleaned = Cleaned(text).clean(CLEANINGS).text
    assert "Resigns" in cleaned
    assert "Drops" not in cleaned
    passed = text.replace("Bob accepts", "Bob resigns")
    passed = passed[: passed.index("Bob resigns")] + "Bob resigns\nAnn +1\n"
    assert "Drops" in Cleaned(passed).clean(CLEANINGS).text


@pytest.mark.parametrize("winner", ["Ann", "Bob"])
def test_numbered_turns_without_names_belong_to_players_by_the_end_of_the_game(winner: str) -> None:
    rolls = (
        "3-1: 8/5 6/5",
        "4-2: 8/4 6/4",
        "6-5: 24/13",
        "6-1: 13/7 8/7",
        "6-4: 24/14",
        "5-2: 13/8 6/4",
    )
    turns = "".join(
        f"{number}. {roll}\n" for number, roll in enumerate((*rolls, "double", "pass"), 1)
    )
    match = read_one(f"5 point match\nGame 1\nAnn 0, Bob 0\n{turns}{winner} wins 1 point\n")
    loser = 1 - ("Ann", "Bob").index(winner)
    assert [play.side for play in match.plays()] == [(loser + at + 1) % 2 for at in range(6)]


def test_usual_rows_stay_as_they_are() -> None:
    assert list(find_typed_turns(PLAIN)) == []


@pytest.mark.parametrize(("name", "stripped"), [("A12", "a"), ("P1", "p1")])
def test_a_number_of_one_digit_is_part_of_a_name(name: str, stripped: str) -> None:
    assert _strip_name_before_turn(name) == stripped


def test_the_head_of_a_typed_match_is_spelled_as_usual() -> None:
    rows = "Ann (3-1) 8 to 5, 6 to 5\nBob (4-2) 8 to 4, 6 to 4\n" * 3
    found = [part.new for part in find_typed_turns(f"Ann v Bob, up to 5\nGame 1\n{rows}")]
    assert found[0] == "5 point match"
    assert found[1].split() == ["Game", "1", *["Ann", ":", "0", "Bob", ":", "0"]]
