"""Reports of the matches of many files, and a folder of pages: one for each match, with a list."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bganalyze.app.cli.exit_status import complain, print_note, refuse
from bganalyze.app.cli.io import write_unless_foreign
from bganalyze.app.cli.listing import FileWithMatches
from bganalyze.app.config import Config
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.app.jobs.report import report_matches
from bganalyze.app.render.match_report import match_page
from bganalyze.app.render.matches import LinkedMatch, matches_page
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.files.limits import reason
from bganalyze.files.outputs import make_safe_parts, make_safe_path
from bganalyze.files.packed import strip_packed_extension
from bganalyze.files.reading import STANDARD_INPUT, FileToRead
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_report import MatchReport
from bganalyze.text import number_of
from bganalyze.validation.replaying import MatchReplay

if TYPE_CHECKING:
    from bganalyze.analysis.match import AnalyzedMatch

INDEX = "index"
"""The name of the page with the list, without extension."""


ReportMatches: TypeAlias = Callable[[Sequence[Match]], list[MatchReport]]
"""A function that reports on the matches of one file."""

FindAnalyses: TypeAlias = "Callable[[Sequence[MatchReplay]], list[AnalyzedMatch | None]]"
"""A function that returns the analysis of each match, or None."""


class Folder(NamedTuple):
    """A folder for output, and whether existing files in it may be replaced."""

    path: Path
    force: bool
    """Whether files that bganalyze did not make are overwritten."""
    quiet: bool


def make_match_reporter(
    config: Config, players: Callable[[str], str], find_analyses: FindAnalyses
) -> Callable[..., list[MatchReport]]:
    """Return a function that takes the matches of a file, and returns a report on each.

    `config` has the rule book and the odds of transcription slips.
    """
    return partial(
        report_matches,
        find_analyses=find_analyses,
        rule_book=config.rule_book,
        players=players,
        odds=config.odds,
    )


def read_and_report(
    item: FileToRead, report: ReportMatches
) -> tuple[FileOutcome, list[MatchReport]]:
    """Read a file, and return its outcome with the reports on its matches."""
    outcome, reports = apply_to_file(item, lambda content: report(read_bytes(content, item.path)))
    return outcome, reports or []


def write_match_pages(
    files: Iterable[FileWithMatches], report: ReportMatches, folder: Folder, setting: OutputOptions
) -> None:
    """Write an HTML page for each match, and an index page that links to all of them.

    `report` makes the reports on the matches of a file. If a page cannot be written, the run ends.
    """
    linked, names = list[LinkedMatch](), _PageNames()
    for item, matches in files:
        outcome, reports = read_and_report(item, report) if matches else (None, [])
        if outcome is not None and outcome.error is not None:
            # Its matches are listed without a link.
            complain(f"{item.path}: no page: {outcome.error}")
        pages = {made.heading.number: names.choose_name(made) for made in reports}
        for made in reports:
            _write_page(folder, pages[made.heading.number], match_page([made]))
        linked += [
            LinkedMatch(match, f"{pages[match.number]}.html" if match.number in pages else "")
            for match in matches
        ]
    # Without any match, nothing is written.
    if linked:
        _write_page(folder, INDEX, matches_page(linked, setting))
        if not folder.quiet:
            listed = number_of(len(linked), "match")
            print_note(f"wrote {folder.path / INDEX}.html with {listed}")


class _PageNames:
    """The file names of the pages of a run, without extension."""

    def __init__(self) -> None:
        self._taken = {INDEX}
        """Names in use, in small letters."""

    def choose_name(self, report: MatchReport) -> str:
        """Return an unused file name for the page of a match."""
        path = report.heading.path
        name = posixpath.basename(path.replace("\\", "/"))
        is_stream = path == STANDARD_INPUT
        stem = (
            "standard-input" if is_stream else posixpath.splitext(strip_packed_extension(name))[0]
        )
        wanted = f"{stem}-{report.heading.number}" if report.heading.number > 1 else stem
        chosen, copy = _make_file_name(wanted), 1
        while chosen.casefold() in self._taken:
            copy += 1
            chosen = f"{_make_file_name(wanted)}_{copy}"
        self._taken.add(chosen.casefold())
        return chosen


def _make_file_name(name: str) -> str:
    """Return a name fit for files and links: special characters become `_`.

    >>> _make_file_name("Ann's 1st final #2"), _make_file_name("CON")
    ('Ann_s_1st_final__2', '_CON')
    """
    plain = "".join(one if one.isalnum() or one in "-_" else "_" for one in name)
    short = plain.encode()[:_LONGEST_NAME].decode(errors="ignore") or "match"
    # Windows reserves names such as CON.
    return make_safe_parts(short, "")[-1]


_LONGEST_NAME = 200
"""Bytes of the longest name of a page; file systems allow 255 with the extension."""


def _write_page(folder: Folder, name: str, page: str) -> None:
    """Write a page to a folder; end the run if it cannot be written."""
    path: Path = folder.path
    try:
        folder.path.mkdir(parents=True, exist_ok=True)
        path = make_safe_path(folder.path, name, ".html")
        write_unless_foreign(path, page.encode(), force=folder.force)
    except OSError as error:
        raise refuse(f"{path}: {reason(error)}") from error
