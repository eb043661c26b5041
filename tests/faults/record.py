"""A clean record, opened to be damaged: its text, its actions, and the true position before each."""

from __future__ import annotations

import codecs
import copy
import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.board.plays import Dice
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import (
    Answer,
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    Side,
    Span,
)
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.replaying import replay

CORPUS = "BGANALYZE_CORPUS"
DEFAULT_RIGHT = 34

_LABEL = re.compile(r"^(\s*)([0-9]+)(?=\))")
_STEP = re.compile(
    r"(?:bar|off|[0-9]{1,2})\*?(?:/(?:bar|off|[0-9]{1,2})\*?)+(?:\([1-4]\))?", re.IGNORECASE
)
_NUMBER = re.compile(r"[0-9]+")
_WORDS = {"bar": BAR, "off": OFF}

Boards = tuple[tuple[int, ...], tuple[int, ...]]
Lines = tuple[str, ...]
Cells = tuple[str, str]
"""The texts of the left and the right cell of a row."""


class Act(NamedTuple):
    """An action in its place, with what held before it."""

    game: int
    at: int
    action: Any
    before: Boards
    cube: Any
    context: Any

    @property
    def line(self) -> int:
        """1-based line of the action."""
        return int(self.action.span.line)

    @property
    def side(self) -> Side:
        """Whose action it is."""
        side: Side = self.action.side
        return side

    @property
    def position(self) -> Position:
        """The board before it, seen by its side."""
        return Position(self.before[self.side], self.before[1 - self.side])


@dataclass
class Record:
    """A clean file, read and replayed."""

    path: str
    data: bytes
    match: Match
    games: list[list[Act]]

    @cached_property
    def lines(self) -> Lines:
        """The lines of the file as decoded."""
        return tuple(self.match.source.lines)

    @cached_property
    def encoding(self) -> str:
        """The encoding to write it in again, its mark included."""
        if self.data.startswith(codecs.BOM_UTF8):
            return "utf-8-sig"
        encoding = self.match.source.encoding
        return "utf-16" if encoding.startswith("utf-16") else encoding

    def encoded(self, lines: Lines) -> bytes:
        """Return the bytes of the file with these lines."""
        return "\n".join(lines).encode(self.encoding, "surrogateescape")

    @property
    def marks(self) -> bool:
        """Whether the file marks hits."""
        return self.match.conventions.marks_hits

    # -- actions -----------------------------------------------------------------------------

    @cached_property
    def acts(self) -> list[Act]:
        """All turns and results, in order."""
        kinds = Play | Double | Answer | Resignation | Result
        return [act for game in self.games for act in game if isinstance(act.action, kinds)]

    @cached_property
    def crowded(self) -> set[tuple[int, Side]]:
        """Cells that hold more than one action, by line and side."""
        cells = Counter((act.line, act.side) for act in self.acts)
        return {cell for cell, count in cells.items() if count > 1}

    @cached_property
    def plays(self) -> list[Act]:
        """Every play with steps that fills its cell alone."""
        return [
            act
            for act in self.acts
            if isinstance(act.action, Play)
            and act.action.how is PlayRecord.PLAYED
            and act.action.steps
            and act.action.dice
            and not act.action.called_illegal
            and (act.line, act.side) not in self.crowded
        ]

    @cached_property
    def dances(self) -> list[Act]:
        """Every roll without a play that is a dance."""
        return [
            act
            for act in self.acts
            if isinstance(act.action, Play)
            and act.action.how in (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)
            and act.action.dice
            and (act.line, act.side) not in self.crowded
            and self.following(act) is not None
        ]

    def of_kind(self, kind: type) -> list[Act]:
        """Return every action of a kind that fills its cell alone."""
        return [
            act
            for act in self.acts
            if isinstance(act.action, kind) and (act.line, act.side) not in self.crowded
        ]

    def index(self, act: Act) -> int:
        """Return the index of an action among all turns."""
        return self._indexes[act.game, act.at]

    @cached_property
    def _indexes(self) -> dict[tuple[int, int], int]:
        return {(act.game, act.at): index for index, act in enumerate(self.acts)}

    def following(self, act: Act, by: int = 1) -> Act | None:
        """Return the turn or result that many places on in the same game."""
        index = self.index(act) + by
        if not 0 <= index < len(self.acts):
            return None
        other = self.acts[index]
        return other if other.game == act.game else None

    def rest(self, act: Act) -> Iterator[Act]:
        """Yield the actions of the game after this one."""
        return (other for other in self.games[act.game] if other.at > act.at)

    def on_line(self, line: int) -> list[Act]:
        """Return the actions of a line, left first."""
        return self._by_line.get(line, [])

    @cached_property
    def _by_line(self) -> dict[int, list[Act]]:
        acts: dict[int, list[Act]] = {}
        for act in self.acts:
            acts.setdefault(act.line, []).append(act)
        return acts

    # -- text --------------------------------------------------------------------------------

    def text(self, act: Act) -> str:
        """Return the text of an action."""
        span = act.action.span
        line: str = self.lines[span.line - 1]
        return line[span.column - 1 : span.end_column - 1]

    def written(self, act: Act, text: str) -> Lines:
        """Return the lines with an action's text replaced, what follows kept in its column."""
        span = act.action.span
        line = self.lines[span.line - 1]
        edited = replace_part(line, span.column - 1, span.end_column - 1, text)
        return self.with_line(span.line, edited)

    def with_line(self, line: int, *texts: str) -> Lines:
        """Return the lines with that line replaced by one or several."""
        return (*self.lines[: line - 1], *texts, *self.lines[line:])

    def with_span(self, span: Span, text: str) -> Lines:
        """Return the lines with a piece of one replaced; what follows it moves."""
        line = self.lines[span.line - 1]
        return self.with_line(
            span.line, line[: span.column - 1] + text + line[span.end_column - 1 :]
        )

    def with_number(self, span: Span, number: int) -> Lines:
        """Return the lines with the first number of the line of a span replaced."""
        return self.with_line(
            span.line, _NUMBER.sub(str(number), self.lines[span.line - 1], count=1)
        )

    def inserted(self, line: int, *texts: str) -> Lines:
        """Return the lines with others inserted before that line."""
        return (*self.lines[: line - 1], *texts, *self.lines[line - 1 :])

    def without(self, line: int) -> Lines:
        """Return the lines without that line."""
        return (*self.lines[: line - 1], *self.lines[line:])

    @cached_property
    def columns(self) -> tuple[int, int]:
        """Usual offsets of the left and right cells, counted from 0."""
        starts: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
        for act in self.acts:
            if isinstance(act.action, Play):
                starts[act.side][act.action.span.column - 1] += 1
        left = starts[0].most_common(1)[0][0] if starts[0] else 5
        right = starts[1].most_common(1)[0][0] if starts[1] else DEFAULT_RIGHT
        return left, right

    def row(self, label: str | None, left: str, right: str) -> str:
        """Return a row of this file's layout."""
        left_at, right_at = self.columns
        start = f"{label:>3}) " if label else ""
        text = start.ljust(left_at) + left
        if not right:
            return text
        return (text.ljust(right_at) if len(text) < right_at else text + "  ") + right

    def cells(self, line: int) -> Cells:
        """Return the texts of the two cells of a row, whatever they hold."""
        texts = ["", ""]
        for act in self.on_line(line):
            texts[act.side] = f"{texts[act.side]} {self.text(act)}".strip()
        return texts[0], texts[1]

    # -- rows --------------------------------------------------------------------------------

    @cached_property
    def labels(self) -> dict[int, str]:
        """The numbers of the numbered rows, by line."""
        return {
            act.line: act.action.row
            for act in self.acts
            if (act.action.row or "").strip().isdigit()
        }

    def rows_of(self, game: int) -> dict[int, Cells]:
        """Return the cells of the numbered rows of a game, by line."""
        lines = {act.line for act in self.acts if act.game == game}
        return {line: self.cells(line) for line in self.labels if line in lines}

    @cached_property
    def full_rows(self) -> list[tuple[Act, Act]]:
        """The rows of two plays, left and right."""
        rows = []
        for act in self.plays:
            pair = self.on_line(act.line)
            if act is pair[0] and len(pair) == 2 and isinstance(pair[1].action, Play):
                rows.append((pair[0], pair[1]))
        return rows

    @cached_property
    def neighbors(self) -> list[tuple[int, int]]:
        """Pairs of full rows in lines one below the other."""
        full = {left.line for left, _ in self.full_rows}
        return [(line, line + 1) for line in sorted(full) if line + 1 in full]

    def with_cells(self, changed: Mapping[int, Cells]) -> Lines:
        """Return the lines with other cells in these rows."""
        lines = list(self.lines)
        for line, cells in changed.items():
            lines[line - 1] = self.row(self.labels[line], *cells)
        return tuple(lines)

    def with_texts(self, texts: Iterable[tuple[Act, str]]) -> Lines:
        """Return the lines with other texts in the cells of actions, without rows left empty."""
        changed: dict[int, Cells] = {}
        for act, text in texts:
            left, right = changed.get(act.line, self.cells(act.line))
            changed[act.line] = (text, right) if act.side == 0 else (left, text)
        emptied = {line for line, cells in changed.items() if not any(cells)}
        lines = enumerate(self.with_cells(changed), 1)
        return tuple(text for line, text in lines if line not in emptied)

    def with_columns_exchanged(self, rows: Iterable[int]) -> Lines:
        """Return the lines with the two cells of these rows in each other's column."""
        lines = list(self.lines)
        for line in rows:
            left, right = self.cells(line)
            lines[line - 1] = self.row(self.on_line(line)[0].action.row, right, left)
        return tuple(lines)

    def renumbered(self, after: int, by: int) -> Lines:
        """Return the lines with the numbers of the rows of a game raised after a line."""
        lines = list(self.lines)
        for line in self.rows_of(self.on_line(after)[0].game):
            if line > after:
                lines[line - 1] = _LABEL.sub(
                    lambda label: f"{label[1]}{int(label[2]) + by:>{len(label[2])}}",
                    lines[line - 1],
                )
        return tuple(lines)

    def only(self, line: int) -> Record:
        """Return the record as one in which only the plays of a line can be damaged."""
        row = copy.copy(self)
        vars(row).update(plays=[act for act in self.plays if act.line == line], dances=[])
        vars(row).pop("full_rows", None)
        return row


def replace_part(line: str, start: int, end: int, text: str) -> str:
    """Replace part of a line, and keep the text to the right in its place if there is room.

    >>> replaced("1) Takes      31: 8/5 6/5", 3, 8, "Drops!!")
    '1) Drops!!    31: 8/5 6/5'
    """
    tail = line[end:]
    if not tail.strip():
        return (line[:start] + text).rstrip()
    longer = len(text) - (end - start)
    room = len(tail) - len(tail.lstrip(" ")) - 2
    tail = tail[min(longer, max(room, 0)) :] if longer > 0 else " " * -longer + tail
    return line[:start] + text + tail


def words(text: str) -> list[str]:
    """Return the steps in the text of a play, as written.

    >>> words("31: 8/5* bar/24(2)")
    ['8/5*', 'bar/24(2)']
    """
    return _STEP.findall(text)


def steps_of(step_words: list[str]) -> tuple[Step, ...]:
    """Return the steps that words spell.

    >>> steps_of(["6/1*(2)"])[1]
    Step(path=(6, 1), marked=(False,))
    """
    steps: list[Step] = []
    for word in step_words:
        path, _, count = word.casefold().partition("(")
        points = path.split("/")
        numbers = tuple(_point(point) for point in points)
        marks = tuple(point.endswith("*") for point in points[1:])
        steps.append(Step(numbers, marks))
        repeats = int(count[0]) - 1 if count else 0
        steps.extend([Step(numbers, (False,) * len(marks))] * repeats)
    return tuple(steps)


def _point(word: str) -> int:
    word = word.rstrip("*")
    return _WORDS[word] if word in _WORDS else int(word)


def play_text(dice: Dice, step_words: list[str]) -> str:
    """Write a play."""
    return f"{dice[0]}{dice[1]}: {' '.join(step_words)}".rstrip()


def open_record(path: str, data: bytes) -> Record | None:
    """Read and replay a file; None where it holds several matches or is not clean after all."""
    matches = read_bytes(data, path)
    if len(matches) != 1 or any(odd.rule == "undecodable-bytes" for odd in matches[0].oddities):
        return None
    replayed = replay(matches[0])
    games = [
        [
            Act(number, at, turn.action, turn.before, turn.cube, game.context)
            for at, turn in enumerate(game.turns)
        ]
        for number, game in enumerate(replayed.games)
    ]
    record = Record(path, data, matches[0], games)
    if any(finding.severity == "error" for finding in check(matches)):
        return None
    return record


def clean_files(folder: Path) -> list[Path]:
    """Return the corpus files that hold no known anomaly and were not made up."""
    faulty = {line.split("\t")[0] for line in _table(folder / "ANOMALIES.tsv")}
    paths = []
    for line in _table(folder / "INDEX.tsv"):
        fields = line.split("\t")
        if fields[1] == "mat" and "SYNTHETIC" not in line and fields[0] not in faulty:
            paths.append(folder / fields[0])
    return [path for path in paths if path.is_file()]


def _table(path: Path) -> list[str]:
    return path.read_text("utf-8").splitlines()[1:] if path.is_file() else []


def corpus() -> Path | None:
    """Return the folder that BGANALYZE_CORPUS names, if any."""
    folder = os.environ.get(CORPUS)
    return Path(folder) if folder else None
