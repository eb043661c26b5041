"""Faulty samples: a clean sample with an edit, and the findings expected from it.

`EXPECTED.tsv` lists every finding above info; `EXPECTED-info.tsv` the remarks worth showing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from draft import SHORT, Draft
from record import LEFT, RIGHT, Step, boards

from bganalyze.validation.rules import CATALOG

SEVERITY = {rule.code: str(rule.severity) for rule in CATALOG}


@dataclass(frozen=True)
class Row:
    """An expected finding. Its place is a label, a piece of its line, or `#` and a line number."""

    code: str
    place: str
    standing: str = "-"

    @property
    def severity(self) -> str:
        """The severity in the catalog of rules."""
        return SEVERITY[self.code]


@dataclass(frozen=True)
class Fault:
    """One faulty file: its draft, a note on the edit, and the expected findings."""

    file: str
    draft: Draft
    note: str
    rows: tuple[Row, ...]
    encoding: str = "utf-8"


def fault(file: str, draft: Draft, note: str, *rows: Row, encoding: str = "utf-8") -> Fault:
    """Return a fault; its findings are the last arguments."""
    return Fault(file, draft, note, rows, encoding)


def illegal_play(crawford: int) -> str:
    """Return the cell of an illegal play, as GNU Backgammon and Snowie write it: row 1.3R of SHORT.

    The position is the one after `41: 13/9 24/22`, as seen by the left player, who rolls 32 next.
    """
    draft = Draft(SHORT)
    game, index = draft.at("1.3R")
    board = boards(draft.match, game)[index].after(RIGHT, (Step(13, 9), Step(24, 22)))
    fields = [3, 0, 1, 0, 1, *draft.match.names, crawford, 0, 0, 1, 0, *board.snowie(LEFT), 3, 2]
    return "41: Illegal play (" + "".join(f"{value};" for value in fields) + ") "


def line_of(fault: Fault, place: str) -> int:
    """Return the line number of an expected finding."""
    if place.startswith("#"):
        return int(place[1:])
    written = fault.draft.written()
    if place in written.cells:
        return written.cells[place]
    found = [number for number, line in enumerate(written.lines, 1) if place in line]
    if len(found) != 1:
        raise ValueError(f"{fault.file}: {place!r} is on lines {found}")
    return found[0]


def write(folder: Path, faults: Iterable[Fault]) -> None:
    """Write the faulty samples and the lists of expected findings."""
    folder.mkdir(parents=True, exist_ok=True)
    header = "file\tline\tcode\tseverity\tstanding\tnote"
    errors, remarks = [header], [header]
    for item in faults:
        data = item.draft.data()
        if item.encoding != "utf-8":
            data = data.decode("utf-8").encode(item.encoding)
        (folder / item.file).write_bytes(data)
        for row in item.rows:
            line = str(line_of(item, row.place))
            cells = (item.file, line, row.code, row.severity, row.standing, item.note)
            (remarks if row.severity == "info" else errors).append("\t".join(cells))
    for name, lines in (("EXPECTED.tsv", errors), ("EXPECTED-info.tsv", remarks)):
        (folder / name).write_bytes("".join(f"{line}\n" for line in lines).encode())
