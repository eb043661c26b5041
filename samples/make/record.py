"""Recorded matches as plain values, read from GNU Backgammon's `.mat` exports.

Only the text of that one program is understood: the matches are respelled (`spell.py`) and damaged
(`faults.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

LEFT, RIGHT = 0, 1

START = {24: 2, 13: 5, 8: 3, 6: 5}
"""The standard starting position, in the owner's point numbers."""


class Step(NamedTuple):
    """One checker moved by one die: 25 is the bar, 0 is off, numbers are the mover's own."""

    start: int
    end: int
    hit: bool = False


class Roll(NamedTuple):
    """A roll and its play. No steps mean a dance, `None` that no play is recorded."""

    side: int
    dice: str
    steps: tuple[Step, ...] | None = ()


class Cube(NamedTuple):
    """A cube action: `word` is Doubles, Takes, Drops or Beavers; `value` is written after `=>`."""

    side: int
    word: str
    value: int = 0


class Raw(NamedTuple):
    """A cell with literal text."""

    side: int
    text: str


Action = Roll | Cube | Raw


@dataclass(frozen=True)
class Game:
    """One game: the score before it, its actions, its winner (`None`: unfinished), its points."""

    score: tuple[int, int]
    actions: tuple[Action, ...]
    winner: int | None
    points: int = 0
    number: int = 0
    before: tuple[tuple[int, str], ...] = ()
    """Comment lines, each with the index of the action after it."""
    resigns: str = ""
    """Text of the resignation, if it differs from the dialect's."""


@dataclass(frozen=True)
class Match:
    """A match: `length` 0 is a money session."""

    length: int
    names: tuple[str, str]
    games: tuple[Game, ...]
    tags: dict[str, str] = field(default_factory=dict)


class Board:
    """Both sides' checkers, each counted on its owner's own points."""

    def __init__(self, start: dict[int, int] | None = None) -> None:
        self.sides = [[0] * 26, [0] * 26]
        for points in self.sides:
            for point, count in (START if start is None else start).items():
                points[point] = count

    def after(self, side: int, steps: tuple[Step, ...]) -> Board:
        """Return the board after some steps, with hits carried out; nothing is checked."""
        board = Board({})
        board.sides = [self.sides[0][:], self.sides[1][:]]
        mine, theirs = board.sides[side], board.sides[1 - side]
        for step in steps:
            mine[step.start] -= 1
            mine[step.end] += 1
            if step.end and theirs[25 - step.end] == 1:
                theirs[25 - step.end] = 0
                theirs[25] += 1
        return board

    def allows(self, side: int, step: Step) -> bool:
        """Whether the checker may make this step now, with any dice."""
        mine, theirs = self.sides[side], self.sides[1 - side]
        if not mine[step.start] or (mine[25] and step.start != 25):
            return False
        if step.end == 0:
            return not any(mine[7:])
        return theirs[25 - step.end] < 2

    def xgid(self) -> str:
        """Return the 26 board characters of an XGID, seen by the right player."""
        left, right = self.sides
        marks = [chr(96 + left[25]) if left[25] else "-"]
        for point in range(1, 25):
            mine, theirs = right[point], left[25 - point]
            marks.append(chr(64 + mine) if mine else chr(96 + theirs) if theirs else "-")
        return "".join([*marks, chr(64 + right[25]) if right[25] else "-"])

    def snowie(self, side: int) -> list[int]:
        """Return the 26 board fields of a Snowie position line, seen by `side`."""
        mine, theirs = self.sides[side], self.sides[1 - side]
        points = [mine[point] or -theirs[25 - point] for point in range(1, 25)]
        return [-theirs[25], *points, mine[25]]

    def class_of_win(self, winner: int) -> int:
        """Return the multiple of the cube (1, 2 or 3) won by a side that has borne off."""
        loser = self.sides[1 - winner]
        if loser[0]:
            return 1
        return 3 if any(loser[19:]) else 2


_CELL = re.compile(
    r"(?P<dice>[1-6]{2}):(?P<play>(?: \d+/\d+\*?)*)"
    r"|(?P<word>Doubles|Beavers|Takes|Drops)(?: => (?P<value>\d+))?"
)
_SCORE = re.compile(r" (.+?) : (\d+) +(.+?) : (\d+)")
_WINS = re.compile(r"( *)Wins (\d+) points?")
_TAG = re.compile(r'; \[(.+) "(.*)"\]')


def read_export(text: str) -> Match:
    """Return the match in an export of GNU Backgammon."""
    tags: dict[str, str] = {}
    games: list[Game] = []
    length = 0
    names = ("", "")
    score = (0, 0)
    actions: list[Action] = []
    for line in text.splitlines():
        if tag := _TAG.fullmatch(line):
            tags[tag[1]] = tag[2]
        elif found := re.fullmatch(r" (\d+) points? match", line):
            length = int(found[1])
        elif found := _SCORE.fullmatch(line):
            names = (found[1], found[3])
            score = (int(found[2]), int(found[4]))
            actions = []
        elif re.match(r" *\d+\)", line):
            actions += read_row(line)
        if wins := re.search(r"( *)Wins (\d+) points? *$", line):
            winner = RIGHT if wins.end(1) > 20 else LEFT
            games.append(Game(score, tuple(actions), winner, int(wins[2]), len(games) + 1))
    return Match(length, names, tuple(games), tags)


def read_row(line: str) -> list[Action]:
    """Return the actions of one numbered row."""
    cells = _CELL.finditer(line)
    return [read_cell(RIGHT if cell.start() > 20 else LEFT, cell[0]) for cell in cells]


def read_cell(side: int, text: str) -> Action:
    """Return one cell of a row as an action."""
    cell = _CELL.fullmatch(text)
    if cell is None:
        raise ValueError(f"{text!r} is no action")
    if cell["word"]:
        return Cube(side, cell["word"], int(cell["value"] or 0))
    return Roll(side, cell["dice"], read_steps(cell["play"]))


def read_steps(text: str) -> tuple[Step, ...]:
    """Return the steps in text such as `24/18 18/13*`."""
    steps = []
    for word in text.split():
        start, end = word.rstrip("*").split("/")
        steps.append(Step(int(start), int(end), word.endswith("*")))
    return tuple(steps)


def rows(game: Game) -> list[list[Action]]:
    """Return the actions of each numbered row: one of the left side, one of the right, or both."""
    found: list[list[Action]] = []
    for action in game.actions:
        if not found or action.side == LEFT or found[-1][-1].side == RIGHT:
            found.append([])
        found[-1].append(action)
    return found


def start_of(match: Match) -> dict[int, int]:
    """Return the starting position of the variant that the record declares."""
    variation = match.tags.get("Variation", "")
    if variation == "NackGammon":
        return {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
    if variation == "HyperGammon (3)":
        return {24: 1, 23: 1, 22: 1}
    return START


def boards(match: Match, game: Game) -> list[Board]:
    """Return the board before each action of a game, and after the last one."""
    board = Board(start_of(match))
    found = [board]
    for action in game.actions:
        if isinstance(action, Roll) and action.steps:
            board = board.after(action.side, action.steps)
        found.append(board)
    return found
