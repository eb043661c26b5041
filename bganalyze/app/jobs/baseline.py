"""Baselines: files of known findings and unreadable files, so that only new ones count.

A finding is identified by its path, match, game, row, side, rule and text, but not its line, so
inserting lines above it changes nothing. If several findings are identical, the baseline covers as
many as it lists. An unreadable file is identified by its path and the reason. The file has a line of JSON for each finding, sorted, to be compared and merged as text.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.files.addresses import split_at_archive
from bganalyze.files.limits import open_given, reason
from bganalyze.files.outputs import replace_content, require_rewritable, rewrite_in_place
from bganalyze.files.reading import MEMBER_MARK, STANDARD_INPUT, holds_many_files
from bganalyze.record.own_files import MARK
from bganalyze.validation.findings import Finding, Selection

VERSION = 1
"""The version of the file format; a baseline of another version is refused."""

HEADER = {"baseline": MARK, "version": VERSION}

UNREADABLE_FILE = "unreadable-file"
"""The code of an unreadable file in a baseline; its text is the reason."""

_URL_MARK = "://"


class BaselineError(ValueError):
    """A baseline that cannot be used; the message names the file and the reason."""


class Fingerprint(NamedTuple):
    """The identity of a finding, or of an unreadable file, from one run to the next."""

    path: str
    """Relative to the folder of the baseline, with slashes."""
    match: int
    game: int | None
    row: str | None
    side: str | None
    code: str
    text: str
    """The text in the file that the finding marks."""

    @property
    def is_unreadable_file(self) -> bool:
        """Whether this identifies an unreadable file instead of a finding."""
        return self.code == UNREADABLE_FILE


class Baseline:
    """A file that lists known findings and unreadable files, so that a check leaves them out.

    It also collects the findings of the present run.
    """

    def __init__(
        self, path: Path, listed: Counter[Fingerprint], content: bytes | None = None
    ) -> None:
        """Start with the listed entries; `content` is the file's content, or None for a new file."""
        self.path, self.listed, self._content = path, listed, content
        self.reported: Counter[Fingerprint] = Counter()
        self._folder = os.path.abspath(path.parent)
        self._unread: list[str] = []

    def leave_out_listed(self, results: Iterable[CheckOutcome]) -> Iterator[CheckOutcome]:
        """Yield the outcomes of a check without the findings that the baseline lists.

        If a listed file is unreadable, its error becomes the `known_error` of the outcome.
        """
        for checked in results:
            if checked.error is not None:
                self._unread.append(_make_absolute(checked.path))
                yield self._leave_out_listed_error(checked, checked.error)
            else:
                yield checked.limited_to(tuple(self._find_unlisted(checked)))

    @property
    def left_out(self) -> Counter[Fingerprint]:
        """How many times each listed finding was left out in this run."""
        return self.listed & self.reported

    def find_stale(self, paths: Iterable[str], selection: Selection) -> Counter[Fingerprint]:
        """Return the listed findings that this run checked for, but did not find again.

        Only findings in the checked `paths`, in readable files, and of rules in `selection` count.
        The values say how many times each is missing.
        """
        roots = list(map(_make_absolute, paths))
        stale = self.listed - self.reported
        for fingerprint in list(stale):
            is_covered = self._is_in_paths(fingerprint, roots)
            if (
                not is_covered
                or self._is_unread(fingerprint)
                or not _is_selected(selection, fingerprint)
            ):
                del stale[fingerprint]
        return stale

    def seems_moved(self, paths: Sequence[str], selection: Selection) -> bool:
        """Whether the files listed in the baseline were probably moved since it was written.

        `paths` are the paths that were checked. Only listed findings of rules in `selection` count.
        """
        wanted = [
            fingerprint for fingerprint in self.listed if _is_selected(selection, fingerprint)
        ]
        # A run over moved files has findings, but none that is listed.
        if not wanted or not self.reported or self.left_out:
            return False
        roots = list(map(_make_absolute, filter(holds_many_files, paths)))
        is_elsewhere = not any(self._is_in_paths(fingerprint, roots) for fingerprint in wanted)
        return (bool(roots) and is_elsewhere) or not any(map(self._has_file, wanted))

    def write(self, stale: Counter[Fingerprint]) -> Counter[Fingerprint]:
        """Write the baseline file: the listed findings and those of this run, but no `stale` ones.

        Returns the findings with the number of times each is listed. Raises OSError.
        """
        listed = (self.listed | self.reported) - stale
        entries = [
            _make_entry_fields(listed, fingerprint)
            for fingerprint in sorted(listed, key=_make_sort_key)
        ]
        content = b"".join(_make_json_line(fields) for fields in (HEADER, *entries))
        if self._content is None:
            replace_content(self.path, content, None)
        else:
            require_rewritable(self.path)
            rewrite_in_place(self.path, content, self._content)
        return listed

    def _is_in_paths(self, fingerprint: Fingerprint, paths: Iterable[str]) -> bool:
        """Whether a finding's file is one of `paths`, or is inside one of them."""
        path = _make_absolute(fingerprint.path, self._folder)
        return any(_is_under(path, root) for root in paths)

    def _is_unread(self, fingerprint: Fingerprint) -> bool:
        """Whether this run could not read a finding's file, or the folder or archive around it."""
        path = _make_absolute(fingerprint.path, self._folder)
        above = (unread for unread in self._unread if _is_under(path, unread))
        # An unreadable file is itself an entry.
        return any(unread != path or not fingerprint.is_unreadable_file for unread in above)

    def _has_file(self, fingerprint: Fingerprint) -> bool:
        """Whether a finding's file, or the archive that holds it, still exists."""
        path = _make_absolute(fingerprint.path, self._folder)
        return _is_url_or_standard_input(path) or _is_on_disk(path)

    def _leave_out_listed_error(self, checked: CheckOutcome, error: str) -> CheckOutcome:
        """Return an unreadable file's outcome, without `error` if the baseline lists the file."""
        if _is_url_or_standard_input(checked.path) or not _is_on_disk(checked.path):
            # Only files on disk can be listed.
            return checked
        path = self._make_relative(checked.path)
        fingerprint = Fingerprint(path, 0, None, None, None, UNREADABLE_FILE, error)
        self.reported[fingerprint] += 1
        if self.reported[fingerprint] > self.listed[fingerprint]:
            return checked
        return replace(checked, error=None, known_error=error)

    def _find_unlisted(self, checked: CheckOutcome) -> Iterator[Finding]:
        """Yield the findings of a file that the baseline does not list."""
        path = self._make_relative(checked.path)
        for finding in checked.findings:
            fingerprint = make_fingerprint(finding, path, checked.excerpts.get(finding.line, ""))
            self.reported[fingerprint] += 1
            if self.reported[fingerprint] > self.listed[fingerprint]:
                yield finding

    def _make_relative(self, path: str) -> str:
        """Return a path relative to the baseline's folder, with slashes."""
        if _is_url_or_standard_input(path):
            return path
        try:
            relative = os.path.relpath(path, self._folder)
        except ValueError:  # On another drive.
            relative = os.path.abspath(path)
        return relative.replace(os.sep, "/")


def make_fingerprint(finding: Finding, path: str, line: str) -> Fingerprint:
    """Return the identity of a finding: file, place, rule, and the marked part of its `line`."""
    row = None if finding.row is None else finding.row.strip()
    text = " ".join(line[finding.column - 1 : finding.end_column - 1].split())
    return Fingerprint(path, finding.match, finding.game, row, finding.side, finding.code, text)


def _is_selected(selection: Selection, entry: Fingerprint) -> bool:
    """Whether a check of the selected rules can report the finding `entry`."""
    return entry.is_unreadable_file or selection.wants(entry.code)


def _is_under(path: str, root: str) -> bool:
    """Whether `path` is `root`, or is inside the folder or archive `root`.

    >>> _is_under("a/b.mat", "a"), _is_under("ab.mat", "a")
    (True, False)
    """
    return path == root or path.startswith((root.rstrip(os.sep) + os.sep, root + MEMBER_MARK))


def _is_on_disk(path: str) -> bool:
    """Whether a path is a file on disk, or in an archive on disk."""
    archive, _ = split_at_archive(path) or (path, "")
    return os.path.isfile(path) or os.path.isfile(archive)


def _make_absolute(path: str, folder: str = "") -> str:
    """Return a path below `folder` as an absolute path; return a URL or `-` unchanged."""
    return path if _is_url_or_standard_input(path) else os.path.abspath(os.path.join(folder, path))


def _is_url_or_standard_input(path: str) -> bool:
    """Whether a path names no file, but a URL or, as `-`, standard input."""
    return path == STANDARD_INPUT or _URL_MARK in path


# The file.


def load_baseline(path: Path) -> Baseline:
    """Read a baseline file; raise BaselineError if it is missing or damaged."""
    try:
        with open_given(path) as file:
            content = file.read()
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BaselineError(f"{path}: not a baseline: not UTF-8 text") from error
    except FileNotFoundError as error:
        raise BaselineError(f"{path}: {reason(error)}; --update-baseline makes it") from error
    except OSError as error:
        raise BaselineError(f"{path}: {reason(error)}") from error
    header, *lines = text.split("\n")
    _require_version(path, header)
    listed: Counter[Fingerprint] = Counter()
    for number, line in enumerate(lines, start=2):
        if line.strip():
            fingerprint, times = _parse_entry(line, f"{path}:{number}")
            listed[fingerprint] = max(
                listed[fingerprint], times
            )  # A merge of two baselines may list it twice.
    return Baseline(path, listed, content)


def make_empty_baseline(path: Path) -> Baseline:
    """Return a baseline without findings, to be written to `path`."""
    return Baseline(path, Counter())


def _require_version(path: Path, header: str) -> None:
    """Raise BaselineError unless `header` is the first line of a baseline file of this version."""
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


def _make_entry_fields(listed: Counter[Fingerprint], fingerprint: Fingerprint) -> dict[str, Any]:
    """Return the fields that a baseline file has on the line of a listed finding.

    `listed` has the number of times each finding is listed.
    """
    fields = {name: value for name, value in fingerprint._asdict().items() if value is not None}
    times = listed[fingerprint]
    return fields | ({"times": times} if times > 1 else {})


def _parse_entry(line: str, place: str) -> tuple[Fingerprint, int]:
    """Return the finding that a line of a baseline file lists, and how many times.

    Raises BaselineError, whose message begins with `place`.
    """
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


def _make_sort_key(fingerprint: Fingerprint) -> tuple[Any, ...]:
    """Return the key that sorts findings in a baseline file by file and place."""
    path, match, game, row, *fields = fingerprint
    row = row or ""
    return path, match, game or 0, len(row), row, *(field or "" for field in fields)


def _make_json_line(fields: dict[str, Any]) -> bytes:
    """Return a line of JSON as bytes."""
    try:
        return (json.dumps(fields, ensure_ascii=False) + "\n").encode()
    except UnicodeEncodeError:
        return (json.dumps(fields) + "\n").encode()
