"""Findings as lines of text, without loading Rich; on a terminal each with what it means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.app.jobs.checked import Checked, Tally
from bganalyze.app.render.findings.summary import summary
from bganalyze.app.render.setting import OutputOptions
from bganalyze.text import printable
from bganalyze.validation.findings import Finding, Severity


def render(results: Iterable[Checked], setting: OutputOptions) -> Iterator[str]:
    """Text for people: `path:line:col: CODE severity: message`, and on a terminal what it means.

    Yield the findings of each file as they arrive, then the summary. Of several files the errors
    come first, and everything else after the last file.
    """
    tally, later = Tally(), list[str]()
    for checked in tally.counted(results):
        if setting.verbose:
            yield from _notes(checked, setting)
        for finding in setting.listed(checked.findings):
            excerpt = _finding(finding, checked, setting)
            if setting.errors_first and finding.severity is not Severity.ERROR:
                later.append(excerpt)
            else:
                yield excerpt
    yield from later
    if setting.full and setting.board and tally.severities:
        yield from _hint(setting)
    if not setting.quiet:
        yield from summary(tally, setting)


def _finding(finding: Finding, checked: Checked, setting: OutputOptions) -> str:
    if not setting.full:
        return finding_line(finding, setting) + "\n"
    from bganalyze.app.render.findings.explained import explained

    return explained(finding, checked, setting)


def _hint(setting: OutputOptions) -> Iterator[str]:
    """Why no boards are shown, where they were not turned off."""
    from bganalyze.app.render.findings.explained import BOARD_NEEDS, has_room

    if not has_room(setting):
        yield f"boards are left out: they need {BOARD_NEEDS} columns\n"


def finding_line(finding: Finding, setting: OutputOptions) -> str:
    """Return the line that editors and other tools can read."""
    place = f"{finding.path}:{finding.line}:{finding.column}"
    line = f"{place}: {finding.code} {finding.severity}: {finding.message}"
    return printable(line, setting.encoding)


def _notes(checked: Checked, setting: OutputOptions) -> Iterator[str]:
    """What was inferred about a file, and from what; why it was skipped."""
    notes = checked.record.notes if checked.record else ()
    if checked.skipped is not None:
        notes = (("skipped", checked.skipped),)
    for convention, evidence in notes:
        yield printable(f"{checked.path}: {convention}: {evidence}", setting.encoding) + "\n"
