"""Damage each line of a record in turn, and find lines that vanish: neither read nor reported."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import bganalyze
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Severity
from bganalyze.validation.replaying import replay
from bganalyze.writing import json as json_writer

PLACES = frozenset(("at", "path", "encoding", "conventions"))
"""Keys of a document that are not content of the record."""


ADDED = "zq"
"""A word that no record holds."""

PLAY = re.compile(r"[0-9][/-][0-9]+[* ,]+[0-9]+[/-][0-9]")
"""Two steps."""


class Damage(NamedTuple):
    """One way to damage one line; the line below is joined to it if nothing is there."""

    way: str
    line: int
    text: str
    takes_next: bool = False

    def of(self, lines: list[str]) -> list[str]:
        """Return the lines with the damaged one."""
        after = [""] * self.takes_next + lines[self.line + self.takes_next :]
        return [*lines[: self.line - 1], self.text, *after]

    def emptied(self, lines: list[str]) -> Iterator[list[str]]:
        """Yield the lines as they are if what was damaged, or joined, were not there."""
        at = self.line - 1
        if not self.takes_next:
            yield [*lines[:at], "", *lines[at + 1 :]]
            return
        yield [*lines[:at], lines[at], "", *lines[at + 2 :]]
        yield [*lines[:at], lines[at + 1], "", *lines[at + 2 :]]


def damages(lines: list[str]) -> Iterator[Damage]:
    """Yield every damage of every line."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        for way, text in _ways(line):
            if text != line and any(map(str.isalnum, text)) and not _is_said(text, lines, number):
                yield Damage(way, number, text)
        if number < len(lines) and lines[number].strip():
            yield Damage("joined", number, f"{line} {lines[number]}", takes_next=True)


def _ways(line: str) -> Iterator[tuple[str, str]]:
    bare = line.lstrip()
    margin, middle = line[: len(line) - len(bare)], len(line) // 2
    yield "a word before it", f"zz {line}"
    yield "a word behind its margin", f"{margin}zz {bare}"
    yield "the first character lost", margin + bare[1:]
    yield "tabs become blanks", line.replace("\t", "    ")
    yield "letters in the middle", f"{line[:middle]}{ADDED}{line[middle:]}"
    yield "a word before the last", f" {ADDED} ".join(line.rsplit(" ", 1))
    yield "a word behind it", f"{line} {ADDED}"
    yield "capitals", line.upper()
    yield "small letters", line.lower()
    yield "a colon lost", line.replace(":", "", 1)
    yield "the second half lost", line[:middle]
    yield "the first half lost", line[middle:]


def _is_said(text: str, lines: list[str], number: int) -> bool:
    """Whether another line says the same and perhaps more: nothing is lost with this one."""
    others = lines[: number - 1] + lines[number:]
    return any(text.strip() in other for other in others)


class _Reading(NamedTuple):
    """Content of a text without places; None where nothing is read."""

    matches: list[Match]
    content: Any

    def tells_of(self, line: int) -> bool:
        """Return whether a finding above info is at a line."""
        findings = check(self.matches)
        return any(one.line == line and one.severity != Severity.INFO for one in findings)


def _read(lines: list[str], name: str) -> _Reading:
    try:
        matches = read_bytes("\n".join(lines).encode(), name)
    except bganalyze.NotATranscript:
        return _Reading([], None)
    written = json_writer.write([replay(match) for match in matches])
    return _Reading(matches, _without_places(json.loads(written)))


def _without_places(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_places(held) for key, held in value.items() if key not in PLACES}
    return [_without_places(item) for item in value] if isinstance(value, list) else value


def find_vanished(text: str, name: str) -> Iterator[Damage]:
    """Yield the damages after which a line, or the text put in it, is lost without any report.

    A text that is no record any more is refused, with a message. A word may follow those that a
    format passes over, but may not be inside a play.
    """
    lines = text.split("\n")
    whole = _read(lines, name).content
    assert whole is not None
    contents: dict[tuple[int, bool], list[Any]] = {}
    for damage in damages(lines):
        damaged = _read(damage.of(lines), name)
        if damaged.content is None:
            continue
        if damaged.content == whole:
            is_lost = ADDED in damage.text and PLAY.search(damage.text) is not None
        else:
            place = damage.line, damage.takes_next  # Every way to damage it leaves the same lines.
            if place not in contents:
                contents[place] = [_read(rest, name).content for rest in damage.emptied(lines)]
            is_lost = damaged.content in [rest for rest in contents[place] if rest != whole]
        if is_lost and not damaged.tells_of(damage.line):
            yield damage
