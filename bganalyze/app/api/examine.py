"""`examine`: everything about an uploaded file or archive, by one call."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from bganalyze.app.api.arguments import check_arguments, require_kind
from bganalyze.app.api.repair import RepairResult, search_all_repairs
from bganalyze.app.api.show import ShownBoard
from bganalyze.app.api.sources import find_rule_book, read_and_apply
from bganalyze.app.jobs.uploads import ExaminedFile, ExaminedFinding, FileLabel, examine_item
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.addresses import MEMBER_MARK, get_shown_path
from bganalyze.files.contents import find_archive_extension, open_bytes
from bganalyze.files.limits import UnreadableError
from bganalyze.files.reading import FileToRead
from bganalyze.record.encodings import require_encoding
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.repairing.applying import explain_left_out
from bganalyze.repairing.prior import rate_plays_by_appearance
from bganalyze.text import Unreadable, escape_surrogates, number_of
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.places import turn_of_finding

if TYPE_CHECKING:
    from bganalyze.repairing.applying import RepairedFile
    from bganalyze.statistics.match_list import ListedMatch

MOST_BOARDS = 500
"""Boards drawn for an upload: about 5 MB of SVG."""

_OWN_NAME = "upload"
"""The name of every upload while it is read; its own name is only a label."""


@dataclass(frozen=True, slots=True)
class Examination:
    """The result of examining an upload: its matches, findings and proposed repairs."""

    name: str
    """The name of the upload, as given. It is only a label."""
    rule_book: RuleBook
    """The rule book of the check."""
    is_empty: bool
    """Whether it is an archive in which no match file was found."""
    is_search_complete: bool
    """Whether no limit ended the search for repairs; if False, errors may have proposals that are not listed."""
    unreadable: tuple[Unreadable, ...]
    """The upload, or members of an archive, that could not be read, with the reason."""
    skipped: tuple[Unreadable, ...]
    """Members of an archive that are no match files, with the reason."""
    matches: tuple[ListedMatch, ...]
    """The matches, in the order of the files."""
    findings: tuple[ExaminedFinding, ...]
    """The findings of `check`, in the order of the files and of their places."""
    appearing: tuple[ExaminedFinding, ...]
    """Errors that only appear once the likeliest proposals are made, with theirs."""
    content: bytes = field(repr=False)
    """The bytes of the upload, for `repaired`."""
    encoding: str | None = field(default=None, repr=False)
    """The encoding of the text, if it was named."""

    @property
    def ok(self) -> bool:
        """Whether the upload was read, holds matches, and has no uncorrected error."""
        return not (self.unreadable or self.is_empty or self.has_errors)

    @property
    def has_errors(self) -> bool:
        """Whether there is an error that was not corrected during the game."""
        return any(
            one.severity is Severity.ERROR and one.standing is not Standing.CORRECTED
            for one in self.findings
        )

    def repaired(
        self, choices: int | str | Iterable[int | str], path: str | None = None
    ) -> RepairedFile:
        """Return a file of the upload with the chosen proposals applied; `data` has its bytes.

        `choices` are numbers of proposals, one (`"1.2"`) or several (`["1.2", "2"]`), at most one
        for each error. `path` is the path of a file in an archive, as its findings name it. A
        binary file is repaired as `.bgm` text. Raises ValueError for an unknown number and for a
        proposal that cannot be made or would not improve the file, and UnreadableError for an
        unknown path and an unreadable file.
        """
        return repair_upload(
            self.content, self.name, choices, path, self.rule_book, encoding=self.encoding
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the examination as the JSON object that `bganalyze examine` writes."""
        from bganalyze.app.render.examination import make_examination_record

        return make_examination_record(self, self.rule_book)

    def __repr__(self) -> str:
        """The name, and the numbers of matches, findings and unreadable files."""
        matches, findings = len(self.matches), len(self.findings)
        unreadable = f", {len(self.unreadable):,} unreadable" if self.unreadable else ""
        counts = f"{number_of(matches, 'match')}, {number_of(findings, 'finding')}{unreadable}"
        return f"<{self.name!r}: {counts}>"


@check_arguments
def examine(
    content: bytes | bytearray | memoryview,
    name: str = "upload",
    rules: str | RuleBook = BASIC,
    *,
    encoding: str | None = None,
) -> Examination:
    r"""Examine an uploaded file or archive: matches, findings with boards, and proposed repairs.

    - `name` is only a label and may be any text; its ending is a hint at the format.
    - `rules` and `encoding` are those of `check`.

    No file or URL is opened. An upload that cannot be read raises nothing; the result says why.
    Raises TypeError for text as the content, and ValueError for an unknown rule book or encoding.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/4\n"
    >>> examined = examine(text, "../a.mat")
    >>> [(one.line, one.code, [each.number for each in one.proposals]) for one in examined.findings]
    [(5, 'T107', []), (5, 'P404', ['1', '1.2', '1.3'])]
    >>> b"8/5 6/5" in examined.repaired("1").data
    True
    """
    content, rule_book, name = bytes(content), find_rule_book(rules), escape_surrogates(name)
    known = None if encoding is None else require_encoding(encoding)
    draw = _BoardDrawer(MOST_BOARDS).draw
    with _open_upload(content, name, known) as items:
        files = [(label.path, examine_item(item, label, rule_book, draw)) for item, label in items]
    return _gather_files(files, name, rule_book, content, known)


def repair_upload(
    content: bytes,
    name: str,
    choices: int | str | Iterable[int | str],
    path: str | None = None,
    rules: str | RuleBook = BASIC,
    *,
    encoding: str | None = None,
) -> RepairedFile:
    """Return a file of an upload with the chosen proposals applied.

    `path` is the path of a file in an archive, or None. `choices` are those of
    `Examination.repaired`, which raises the same errors.
    """
    require_kind("choices", choices, ("int", "str", "Iterable[int | str]"))
    require_kind("path", path, ("str", "None"))
    rule_book, name = find_rule_book(rules), escape_surrogates(name)
    with _open_upload(content, name, encoding) as items:
        item, label = _find_file(items, name, path)
        search = partial(
            search_all_repairs,
            path=item.path,
            rule_book=rule_book,
            rate_plays=rate_plays_by_appearance,
        )
        try:
            found = RepairResult(read_and_apply(item, search), rule_book)
        except (NotATranscript, UnreadableError) as error:
            raise UnreadableError(error.reason, label.path) from error
        repaired = found.apply(choices)
    for choice in repaired.left_out:
        raise ValueError(f"{choice}: {explain_left_out(found.causes, repaired, choice)}")
    return repaired


def _find_file(
    items: Iterator[tuple[FileToRead, FileLabel]], name: str, path: str | None
) -> tuple[FileToRead, FileLabel]:
    """Return the file at `path` in an upload, with its label.

    If `path` is None, the upload called `name` must itself be the file. Raises UnreadableError if
    there is no such file.
    """
    wanted = name if path is None else path
    others = []
    for item, label in items:
        if wanted in label:
            return item, label
        others.append(label.path)
    if path is None and others:
        raise UnreadableError(f"an archive; name the path of one of its files: {others[0]}", name)
    raise UnreadableError("no such file in the upload; name the path of a finding", wanted)


def make_unreadable_upload(name: str, reason: str, rules: str | RuleBook = BASIC) -> Examination:
    """Return the examination of an upload that cannot be read; it has only the `reason`."""
    name = escape_surrogates(name)
    problem = (Unreadable(name, reason),)
    return Examination(name, find_rule_book(rules), False, True, problem, (), (), (), (), b"")


def _gather_files(
    files: Iterable[tuple[str, ExaminedFile]],
    name: str,
    rule_book: RuleBook,
    content: bytes,
    encoding: str | None,
) -> Examination:
    """Return one examination made of all examined files of an upload, each with its label."""
    files = tuple(files)
    outcomes = [(label, file.outcome) for label, file in files]
    return Examination(
        name,
        rule_book,
        all(outcome.skipped is not None for _, outcome in outcomes),
        all(file.is_search_complete for _, file in files),
        tuple(Unreadable(label, one.error) for label, one in outcomes if one.error is not None),
        tuple(Unreadable(label, one.skipped) for label, one in outcomes if one.skipped is not None),
        tuple(match for _, file in files for match in file.matches),
        tuple(finding for _, file in files for finding in file.findings),
        tuple(finding for _, file in files for finding in file.appearing),
        content,
        encoding,
    )


@contextmanager
def _open_upload(
    content: bytes, name: str, encoding: str | None
) -> Iterator[Iterator[tuple[FileToRead, FileLabel]]]:
    """Provide, in a `with` block, the files in an upload, each with its label."""
    extension = find_archive_extension(content, name) or _find_extension(name)
    # For safety, only the ending of the user's name is used.
    own = _OWN_NAME + extension
    with open_bytes(content, own, own) as items:
        yield ((item._replace(encoding=encoding), _make_label(item, own, name)) for item in items)


def _make_label(item: FileToRead, opened_as: str, name: str) -> FileLabel:
    """Return the label of a file in an upload: its path, with the user's `name` for `opened_as`.

    `opened_as` is the safe name under which the upload was opened.
    """
    inside = get_shown_path(item.path).removeprefix(opened_as)
    return FileLabel(name + inside, inside.removeprefix(MEMBER_MARK) or None)


def _find_extension(name: str) -> str:
    """Return the ending of a file name, or "" if it has none.

    >>> _find_extension("../a.MAT "), _find_extension(".../etc")
    ('.MAT', '')
    """
    found = re.search(r"\.\w{1,10}$", os.path.basename(name.strip()), re.ASCII)
    return found[0] if found else ""


class _BoardDrawer:
    """Drawer of the boards of findings; after `most` boards it draws no more."""

    def __init__(self, most: int) -> None:
        self._left = most

    def draw(self, replayed: MatchReplay, finding: Finding) -> str | None:
        """Return the board of a finding as SVG, or None after `most` boards."""
        self._left -= 1
        if self._left < 0:
            return None
        return ShownBoard(replayed.match, turn_of_finding(replayed, finding)).svg()
