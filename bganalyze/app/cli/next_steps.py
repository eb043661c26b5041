"""The last lines of a check of one file: whether its result follows from the games, and the next commands."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from bganalyze import NAME
from bganalyze.app.config import Config
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.validation.findings import Finding, Severity

RULED_ON = ("P4", "U2", "C5", "R601", "R602", "R603", "R604")
"""Starts of the codes of errors of play, set-up, cube and result, on which directors rule."""

PAGE = "sheet.html"
"""File that the suggested command writes."""


def list_next_steps(
    checked: CheckOutcome, config: Config, rules: str | None, *, full: bool
) -> Iterator[str]:
    """Yield closing lines after the check of a file: the match result, and commands to try next.

    `full` means that boards were shown already.
    """
    if not Path(checked.path).is_file():
        return
    rules_option = [] if rules is None else ["--rules", rules]
    if result := _describe_result(checked, config):
        yield f"result: {result}"
    if fault := _find_first_to_rule_on(checked):
        yield f"to rule on it: {_make_ruling_command(fault, checked, rules_option)}"
    if not full and any(finding.situation is not None for finding in checked.findings):
        yield "boards and legal plays: --full"
    if any(finding.proposals or finding.if_slip for finding in checked.findings):
        yield f"to repair a slip: {shlex.join([NAME, 'repair', checked.path, *rules_option])}"


def _find_first_to_rule_on(checked: CheckOutcome) -> Finding | None:
    """Return the first error, or else the first warning, that a director may rule on."""
    ruled_on = [finding for finding in checked.findings if finding.code.startswith(RULED_ON)]
    for severity in (Severity.ERROR, Severity.WARNING):
        for finding in ruled_on:
            if finding.severity is severity:
                return finding
    return None


def _describe_result(checked: CheckOutcome, config: Config) -> str:
    """Return a match result such as `7–5, follows from all 9 games`, or "" if it is doubtful."""
    errors = (finding for finding in checked.findings if finding.severity is Severity.ERROR)
    if any(finding.code.startswith("R") for finding in errors):
        return ""
    from bganalyze.app.cli.io import read_matches
    from bganalyze.validation.replaying.match import replay
    from bganalyze.validation.rules.result_of_games import compare_result_with_games

    matches = read_matches(checked.path, config.encoding)
    # Only a single match has a result to show.
    if len(matches) != 1:
        return ""
    result = compare_result_with_games(replay(matches[0], config.rule_book))
    return f"{result.score}, {result.words}" if result.is_confirmed else ""


def _make_ruling_command(finding: Finding, checked: CheckOutcome, rules_option: list[str]) -> str:
    """Return the command that gives a ruling: `bganalyze ruling a.mat 41 --html sheet.html`.

    `rules_option` is the option `--rules` with its value, or empty.
    """
    on_line = [other for other in checked.findings if other.line == finding.line]
    place = str(finding.line) if len(on_line) == 1 else f"{finding.line}:{finding.column}"
    words = [NAME, "ruling", checked.path, place, *rules_option, "--html", PAGE]
    return shlex.join(words)
