"""Baselines: the findings that a file of their own says are known, so that only new ones count.

A finding is known again by its path, match, game, row, side, rule and the text where it stands, not
by its line: what is put in above it changes nothing. Of several that are alike so many are known as
the baseline says. The file is JSON lines, sorted: a line for each finding, to be read, compared and
merged as text.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.files.limits import reason
from bganalyze.files.outputs import MARK, put, rewrite
from bganalyze.files.reading import MEMBER_MARK, STANDARD_INPUT
from bganalyze.findings import Finding, Selection
from bganalyze.jobs.checked import Checked

VERSION = 1
"""Of the file. What is written otherwise gets another number, and is refused by who cannot read it."""

HEADER = {"baseline": MARK, "version": VERSION}

_URL_MARK = "://"


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file, and says why."""


class Fingerprint(NamedTuple):
    """By what a finding is known again, in the order in which a baseline is sorted."""

    path: str
    """Seen from the folder of the baseline, with slashes."""
    match: int
    game: int | None
    row: str | None
    side: str | None
    code: str
    text: str
    """What the record says where the finding stands."""


class Baseline:
    """The findings that are known, and those that a run meets."""

    def __init__(self, path: Path, known: Counter[Fingerprint]) -> None:
        self.path, self.known = path, known
        self.met: Counter[Fingerprint] = Counter()
        self._folder = os.path.abspath(path.parent)
        self._unread: list[str] = []

    def new(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """Pass the results on, without the findings that are known."""
        for checked in results:
            if checked.error is not None:
                self._unread.append(_absolute(checked.path))
            yield replace(checked, findings=tuple(self._new_of(checked)))

    @property
    def left_out(self) -> int:
        """How many findings of the run are known."""
        return (self.known & self.met).total()

    def gone(self, paths: Iterable[str], selection: Selection) -> Counter[Fingerprint]:
        """Return what is known and was looked for under these paths, but not met."""
        roots = list(map(_absolute, paths))
        gone = self.known - self.met
        for fingerprint in list(gone):
            path = _absolute(fingerprint.path, self._folder)
            is_looked_for = any(_is_under(path, root) for root in roots)
            is_hidden = any(_is_under(path, unread) for unread in self._unread)
            if not is_looked_for or is_hidden or not selection.wants(fingerprint.code):
                del gone[fingerprint]
        return gone

    def write(self, gone: Counter[Fingerprint]) -> int:
        """Write what is known or was met, but what is gone; return how many. Raises OSError."""
        known = (self.known | self.met) - gone
        lines = [HEADER, *(_entry(known, fingerprint) for fingerprint in sorted(known, key=_place))]
        content = b"".join(_line(line) for line in lines)
        (rewrite if self.path.exists() else put)(self.path, content)
        return known.total()

    def _new_of(self, checked: Checked) -> Iterator[Finding]:
        path = self._seen_from_here(checked.path)
        for finding in checked.findings:
            fingerprint = fingerprint_of(finding, path, checked.excerpts.get(finding.line, ""))
            self.met[fingerprint] += 1
            if self.met[fingerprint] > self.known[fingerprint]:
                yield finding

    def _seen_from_here(self, path: str) -> str:
        if _is_no_file(path):
            return path
        try:
            relative = os.path.relpath(path, self._folder)
        except ValueError:  # On another drive.
            relative = os.path.abspath(path)
        return relative.replace(os.sep, "/")


def fingerprint_of(finding: Finding, path: str, line: str) -> Fingerprint:
    """Return by what a finding is known again; `line` is the text of its line."""
    row = None if finding.row is None else finding.row.strip()
    text = " ".join(line[finding.column - 1 : finding.end_column - 1].split())
    return Fingerprint(path, finding.match, finding.game, row, finding.side, finding.code, text)


def _is_under(path: str, root: str) -> bool:
    return path == root or path.startswith((root.rstrip(os.sep) + os.sep, root + MEMBER_MARK))


def _absolute(path: str, folder: str = "") -> str:
    return path if _is_no_file(path) else os.path.abspath(os.path.join(folder, path))


def _is_no_file(path: str) -> bool:
    return path == STANDARD_INPUT or _URL_MARK in path


# The file.


def load_baseline(path: Path) -> Baseline:
    """Return a baseline from its file; raise BaselineError where there is none, or a damaged one."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BaselineError(f"{path}: is no baseline: not UTF-8 text") from error
    except OSError as error:
        raise BaselineError(f"{path}: {reason(error)}") from error
    header, *lines = text.split("\n")
    _require_version(path, header)
    known: Counter[Fingerprint] = Counter()
    for number, line in enumerate(lines, start=2):
        if line.strip():
            fingerprint, times = _entry_of(line, f"{path}:{number}")
            known[fingerprint] = max(known[fingerprint], times)  # Twice where two were merged.
    return Baseline(path, known)


def empty_baseline(path: Path) -> Baseline:
    """Return a baseline in which nothing is known, to be written to a file."""
    return Baseline(path, Counter())


def _require_version(path: Path, header: str) -> None:
    try:
        fields = json.loads(header)
        version = fields["version"] if fields["baseline"] == MARK else None
    except (ValueError, LookupError, TypeError, RecursionError):
        version = None
    if type(version) is not int:
        raise BaselineError(f"{path}: is no baseline; --update-baseline writes one where none is")
    if version != VERSION:
        raise BaselineError(
            f"{path}: a baseline of version {version}, and this program reads version {VERSION}"
        )


_TYPES: dict[str, tuple[type, ...]] = {
    "path": (str,),
    "match": (int,),
    "game": (int, type(None)),
    "row": (str, type(None)),
    "side": (str, type(None)),
    "code": (str,),
    "text": (str,),
}


def _entry(known: Counter[Fingerprint], fingerprint: Fingerprint) -> dict[str, Any]:
    """What the file says of a finding: what it has, and how often it is there if more than once."""
    fields = {name: value for name, value in fingerprint._asdict().items() if value is not None}
    times = known[fingerprint]
    return fields | ({"times": times} if times > 1 else {})


def _entry_of(line: str, place: str) -> tuple[Fingerprint, int]:
    try:
        fields = json.loads(line)
        times = fields.pop("times", 1)
        fingerprint = Fingerprint(**{"game": None, "row": None, "side": None} | fields)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BaselineError(f"{place}: is no finding of a baseline") from error
    types = {name: type(value) for name, value in fingerprint._asdict().items()}
    if any(types[name] not in _TYPES[name] for name in types) or type(times) is not int:
        raise BaselineError(f"{place}: is no finding of a baseline")
    return fingerprint, times


def _place(fingerprint: Fingerprint) -> tuple[Any, ...]:
    """In the order of the files, and in a file in that of its rows, as far as these have numbers."""
    path, match, game, row, *others = fingerprint
    row = row or ""
    return path, match, game or 0, len(row), row, *(other or "" for other in others)


def _line(fields: dict[str, Any]) -> bytes:
    """A line of the file. Names that are no text are written as JSON escapes them."""
    try:
        return (json.dumps(fields, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(fields) + "\n").encode()
