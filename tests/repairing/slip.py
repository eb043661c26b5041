"""A slip of a scribe: a clean record with one thing written otherwise, or several; its rows as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Severity, Standing
from tests.injection import turns
from tests.injection.breaks import Maker as BreakMaker
from tests.injection.record import Act, Lines, Record

Cells = tuple[str, str]
Rows = dict[int, tuple[str, Cells]]
"""By line the number and the two cells of a row."""

_LABEL = re.compile(r"^(\s*)([0-9]+)(?=\))")


class Part(NamedTuple):
    """A run of lines that one slip has put in place of others; either may be none."""

    start: int
    """How many lines stand before it in the clean record."""
    was: Lines
    now: Lines
    elsewhere: frozenset[int] = frozenset()
    """Other lines where a repair may begin as well, counted from the first of `now`."""


class Slip(NamedTuple):
    """A clean record, and what was written otherwise: parts that do not touch, in their order."""

    clean: Lines
    parts: tuple[Part, ...]

    @property
    def lines(self) -> Lines:
        """The record as it was written."""
        lines: list[str] = []
        at = 0
        for part in self.parts:
            lines += self.clean[at : part.start]
            lines += part.now
            at = part.start + len(part.was)
        return (*lines, *self.clean[at:])

    def mended(self, part: Part) -> Slip:
        """The same record without one of its slips."""
        return Slip(self.clean, tuple(other for other in self.parts if other is not part))

    def places(self, part: Part) -> frozenset[int]:
        """The 1-based lines, as written, where a repair of that part may begin.

        Where lines were lost it may begin before any of the blank lines around the gap, and where
        lines were put in with the line above or below, which may be the same.
        """
        lines = self.lines
        shift = sum(len(other.now) - len(other.was) for other in self.parts if other < part)
        first = part.start + shift
        places = {first + 1} | {first + 1 + other for other in part.elsewhere}
        if len(part.now) > len(part.was):
            places |= {first, first + 2}
        if not part.now:
            above = below = first
            while above > 0 and not lines[above - 1].strip():
                above -= 1
            while below < len(lines) and not lines[below].strip():
                below += 1
            places |= set(range(above + 1, below + 2))
        return frozenset(places)


Maker = Callable[[Record, Random], Slip | None]


def slipped(record: Record, lines: Sequence[str], *elsewhere: int) -> Slip | None:
    """Return the slip that leaves these lines; None where they are those of the record.

    `elsewhere` are further lines, as written, where a repair may begin.
    """
    clean, lines = record.lines, tuple(lines)
    if lines == clean:
        return None
    least = min(len(clean), len(lines))
    start = next((at for at in range(least) if clean[at] != lines[at]), least)
    common = 0
    while common < least - start and clean[-1 - common] == lines[-1 - common]:
        common += 1
    before, after = clean[start : len(clean) - common], lines[start : len(lines) - common]
    part = Part(start, before, after, frozenset(line - 1 - start for line in elsewhere))
    return Slip(clean, (part,))


def slip_of(make: BreakMaker) -> Maker:
    """The slip of a break that the fault injector knows."""

    def made(record: Record, rng: Random) -> Slip | None:
        broken = make(record, rng)
        return None if broken is None else slipped(record, broken.lines)

    made.__doc__ = make.__doc__
    return made


# -- rows ----------------------------------------------------------------------------------------


def rows_of(record: Record, game: int) -> Rows:
    """Return the numbered rows of a game, the cells as written."""
    return {
        act.line: (act.action.row, record.cells(act.line))
        for act in record.acts
        if act.game == game and (act.action.row or "").strip().isdigit()
    }


def with_rows(record: Record, rows: Rows) -> Lines:
    """Return the lines of a record in which these rows are written anew."""
    lines = list(record.lines)
    for line, (label, cells) in rows.items():
        lines[line - 1] = record.row(label, *cells)
    return tuple(lines)


def with_cells(record: Record, rows: Rows, changed_cells: dict[int, Cells]) -> Lines:
    """Return the lines of a record in which these cells stand in rows."""
    return with_rows(
        record, {line: (rows[line][0], cells) for line, cells in changed_cells.items()}
    )


def renumbered(record: Record, after: int, by: int) -> list[str]:
    """Return the lines of a record in which the rows after a line have other numbers."""
    lines = list(record.lines)
    for line in rows_of(record, game_at(record, after)):
        if line > after:
            lines[line - 1] = _LABEL.sub(
                lambda label: f"{label[1]}{int(label[2]) + by:>{len(label[2])}}", lines[line - 1]
            )
    return lines


def game_at(record: Record, line: int) -> int:
    return record.on_line(line)[0].game


def neighbors(record: Record) -> Iterator[tuple[int, int]]:
    """Pairs of full rows of plays in lines one below the other."""
    full = {left.line for left, _ in turns.full_rows(record)}
    return ((line, line + 1) for line in sorted(full) if line + 1 in full)


def with_cell(cells: Cells, side: int, text: str) -> Cells:
    return (text, cells[1]) if side == 0 else (cells[0], text)


def rewritten(record: Record, act: Act, cell: str) -> Slip | None:
    return slipped(record, record.written(act, cell))


def lines_of_plays(record: Record, game: int) -> list[int]:
    return sorted({act.line for act in record.plays if act.game == game})


# -- errors --------------------------------------------------------------------------------------


def errors(record: Record, lines: Lines) -> int:
    """How many errors a check finds in the record with these lines, those corrected in time aside."""
    return _errors_of(record.encoded(lines), record.path)


@lru_cache(maxsize=64)
def _errors_of(content: bytes, path: str) -> int:
    """Return the number of errors: while one slip is checked, the same few files are checked."""
    return sum(map(is_error, check(read_bytes(content, path))))


def is_error(finding: Finding) -> bool:
    """Whether a finding is an error that stands."""
    return finding.severity is Severity.ERROR and finding.standing is not Standing.CORRECTED
