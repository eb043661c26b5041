"""Baselines: findings that are known already and listed in a file, so that only new ones count.

A finding is recognized by its path, match, game, row, side, rule and text, not by its line, so
lines inserted above it change nothing. Identical findings are counted: a baseline covers as many of
them as it lists. The file is sorted JSON lines, one for each finding, which can be read, compared
and merged as text.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.app.jobs.checked import Checked
from bganalyze.files.limits import open_given, reason
from bganalyze.files.outputs import MARK, replace_content, require_rewritable, rewrite
from bganalyze.files.reading import MEMBER_MARK, STANDARD_INPUT
from bganalyze.validation.findings import Finding, Selection

VERSION = 1
"""The version of the file format. A program refuses a baseline of any version but its own."""

HEADER = {"baseline": MARK, "version": VERSION}

_URL_MARK = "://"


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file and the reason."""


class Fingerprint(NamedTuple):
    """What identifies a finding from one run to the next."""

    path: str
    """Relative to the folder of the baseline, with slashes."""
    match: int
    game: int | None
    row: str | None
    side: str | None
    code: str
    text: str
    """The text of the record that the finding is about."""


class Baseline:
    """The findings listed in a baseline, and those that a run reports."""

    def __init__(
        self, path: Path, listed: Counter[Fingerprint], content: bytes | None = None
    ) -> None:
        """Take what the file at a path lists, and its content, or None if it is new."""
        self.path, self.listed, self._content = path, listed, content
        self.reported: Counter[Fingerprint] = Counter()
        self._folder = os.path.abspath(path.parent)
        self._unread: list[str] = []

    def new(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """Yield the results without the findings that are listed."""
        for checked in results:
            if checked.error is not None:
                self._unread.append(_absolute(checked.path))
            yield replace(checked, findings=tuple(self._new_of(checked)))

    @property
    def left_out(self) -> int:
        """How many findings of the run are listed."""
        return (self.listed & self.reported).total()

    def stale(self, paths: Iterable[str], selection: Selection) -> Counter[Fingerprint]:
        """Return the listed findings that a run over these paths would have reported again."""
        roots = list(map(_absolute, paths))
        stale = self.listed - self.reported
        for fingerprint in list(stale):
            path = _absolute(fingerprint.path, self._folder)
            is_covered = any(_is_under(path, root) for root in roots)
            is_unread = any(_is_under(path, unread) for unread in self._unread)
            if not is_covered or is_unread or not selection.wants(fingerprint.code):
                del stale[fingerprint]
        return stale

    def write(self, stale: Counter[Fingerprint]) -> int:
        """Write the listed and reported findings but the stale ones; return how many.

        Raises OSError.
        """
        listed = (self.listed | self.reported) - stale
        entries = [_entry(listed, fingerprint) for fingerprint in sorted(listed, key=_place)]
        content = b"".join(_line(fields) for fields in (HEADER, *entries))
        if self._content is None:
            replace_content(self.path, content, None)
        else:
            require_rewritable(self.path)
            rewrite(self.path, content, self._content)
        return listed.total()

    def _new_of(self, checked: Checked) -> Iterator[Finding]:
        path = self._relative(checked.path)
        for finding in checked.findings:
            fingerprint = fingerprint_of(finding, path, checked.excerpts.get(finding.line, ""))
            self.reported[fingerprint] += 1
            if self.reported[fingerprint] > self.listed[fingerprint]:
                yield finding

    def _relative(self, path: str) -> str:
        if _is_no_file(path):
            return path
        try:
            relative = os.path.relpath(path, self._folder)
        except ValueError:  # On another drive.
            relative = os.path.abspath(path)
        return relative.replace(os.sep, "/")


def fingerprint_of(finding: Finding, path: str, line: str) -> Fingerprint:
    """Return what identifies a finding; `line` is the text of its line."""
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
    """Read a baseline from its file; raise BaselineError if it is missing or damaged."""
    try:
        with open_given(path) as file:
            content = file.read()
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BaselineError(f"{path}: not a baseline: not UTF-8 text") from error
    except OSError as error:
        raise BaselineError(f"{path}: {reason(error)}") from error
    header, *lines = text.split("\n")
    _require_version(path, header)
    listed: Counter[Fingerprint] = Counter()
    for number, line in enumerate(lines, start=2):
        if line.strip():
            fingerprint, times = _entry_of(line, f"{path}:{number}")
            listed[fingerprint] = max(listed[fingerprint], times)  # Twice where two were merged.
    return Baseline(path, listed, content)


def empty_baseline(path: Path) -> Baseline:
    """Return a baseline that lists nothing yet, to be written to a file."""
    return Baseline(path, Counter())


def _require_version(path: Path, header: str) -> None:
    try:
        fields = json.loads(header)
        version = fields["version"] if fields["baseline"] == MARK else None
    except (ValueError, LookupError, TypeError, RecursionError):
        version = None
    if type(version) is not int:
        raise BaselineError(f"{path}: not a baseline; --update-baseline writes one to a new path")
    if version != VERSION:
        raise BaselineError(
            f"{path}: a baseline of version {version}; this program reads version {VERSION}"
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


def _entry(listed: Counter[Fingerprint], fingerprint: Fingerprint) -> dict[str, Any]:
    """Return the fields of a finding in the file, with its count if it is there more than once."""
    fields = {name: value for name, value in fingerprint._asdict().items() if value is not None}
    times = listed[fingerprint]
    return fields | ({"times": times} if times > 1 else {})


def _entry_of(line: str, place: str) -> tuple[Fingerprint, int]:
    try:
        fields = json.loads(line)
        times = fields.pop("times", 1)
        fingerprint = Fingerprint(**{"game": None, "row": None, "side": None} | fields)
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise BaselineError(f"{place}: not a finding of a baseline") from error
    types = {name: type(value) for name, value in fingerprint._asdict().items()}
    if any(types[name] not in _TYPES[name] for name in types) or type(times) is not int:
        raise BaselineError(f"{place}: not a finding of a baseline")
    return fingerprint, times


def _place(fingerprint: Fingerprint) -> tuple[Any, ...]:
    """Return a sort key: by file, and within a file by row, numbered rows in numeric order."""
    path, match, game, row, *fields = fingerprint
    row = row or ""
    return path, match, game or 0, len(row), row, *(field or "" for field in fields)


def _line(fields: dict[str, Any]) -> bytes:
    """Return a line of the file. File names that are not valid Unicode are escaped."""
    try:
        return (json.dumps(fields, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(fields) + "\n").encode()
