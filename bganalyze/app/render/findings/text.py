"""Findings as lines of text, without loading Rich; on a terminal, each with an explanation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.app.jobs.checked import CheckOutcome, CheckTally
from bganalyze.app.render.findings import standing_in_words
from bganalyze.app.render.findings.summary import summary_lines
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import BASIC
from bganalyze.text import printable
from bganalyze.validation.findings import Finding, Severity, Standing


def render(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """Text for people: `path:line:col: CODE severity: message`, on a terminal with an explanation."""
    tally, later, rests_on_base_rule = CheckTally(), list[str](), False
    for checked in tally.count_each(results):
        if setting.verbose:
            yield from _list_file_notes(checked, setting)
        for finding in setting.select_listed(checked.findings):
            rests_on_base_rule = rests_on_base_rule or _is_limit_from_base_rule(finding, setting)
            excerpt = _format_finding(finding, checked, setting)
            if setting.errors_first and finding.severity is not Severity.ERROR:
                later.append(excerpt)
            else:
                yield excerpt
    yield from later
    if setting.full and setting.board and tally.severities:
        yield from _explain_missing_boards(setting)
    if not setting.quiet:
        yield from summary_lines(tally, setting)
        if rests_on_base_rule and not setting.full:
            yield f"time limit: the base rule's (that of {setting.rule_book.name} was not read: look it up)\n"


def _format_finding(finding: Finding, checked: CheckOutcome, setting: OutputOptions) -> str:
    """Return a finding in one line or, on a terminal, with its explanation."""
    if not setting.full:
        return finding_line(finding, setting) + "\n"
    from bganalyze.app.render.findings.explained import explain_finding

    return explain_finding(finding, checked, setting)


def _is_limit_from_base_rule(finding: Finding, setting: OutputOptions) -> bool:
    """Whether the time limit for correcting an error comes from the base rule.

    The base rule applies where the user's rule book states no limit.
    """
    if finding.standing is None or setting.rule_book == BASIC:
        return False
    from bganalyze.validation.rules.ruling import rule_on  # Loads all rules.

    ruling = rule_on(finding, setting.rule_book)
    return ruling is not None and ruling.is_limit_from_base_rule


def _explain_missing_boards(setting: OutputOptions) -> Iterator[str]:
    """If the screen is too narrow for boards, yield a line that says how wide they are."""
    from bganalyze.app.render.findings.explained import BOARD_NEEDS, is_wide_enough_for_board

    if not is_wide_enough_for_board(setting):
        yield f"boards are not shown: they need {BOARD_NEEDS} columns\n"


def finding_line(finding: Finding, setting: OutputOptions) -> str:
    """Return a finding as one line for editors: `a.mat:30:35: C501 error: …`."""
    place = f"{finding.path}:{finding.line}:{finding.column}"
    standing = f" ({_describe_standing(finding, finding.standing)})" if finding.standing else ""
    line = f"{place}: {finding.code} {finding.severity}: {finding.message}{standing}"
    return printable(line, setting.encoding)


def _describe_standing(finding: Finding, standing: Standing) -> str:
    """Return words on the time to correct an error, such as `stands since line 11, right`.

    In this example, the action of the player in the right column of line 11 ended the time.
    """
    words, closer = standing_in_words(standing), finding.closer
    if closer is None:
        return words
    if standing is not Standing.STANDS:
        return f"{words} in {closer.place}"
    condition = "if played so, " if finding.is_contradicted else ""
    return f"{condition}{words} since {closer.place}"


def _list_file_notes(checked: CheckOutcome, setting: OutputOptions) -> Iterator[str]:
    """Yield a line for each writing convention of a file, such as `a.mat: dances: empty cells (2)`.

    For a skipped file, the only line says why it was skipped.
    """
    notes = checked.record.notes if checked.record else ()
    if checked.skipped is not None:
        notes = (("skipped", checked.skipped),)
    for convention, evidence in notes:
        yield printable(f"{checked.path}: {convention}: {evidence}", setting.encoding) + "\n"
