"""Checks for the page: the findings of each file as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.app.jobs.check import check_file_with_results
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render import finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.events import FileChecked, FindingShown
from bganalyze.app.serving.requests import Request, open_dropped_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.repairing.file_to_repair import is_repairable
from bganalyze.text import printable
from bganalyze.validation.findings import Finding, Selection
from bganalyze.validation.rules.words import place_in_words

EVERYTHING = Selection()


def check(request: Request) -> Iterator[FileChecked]:
    """Yield the findings of each file, in the order of the files."""
    for source in request.sources:
        with open_dropped_file(source, request.context) as items:
            for item in items:
                checked, results = check_file_with_results(item, request.rule_book, EVERYTHING)
                yield _file_event(checked, results, request.rule_book)


def _file_event(checked: CheckOutcome, results: Iterable[str], rule_book: RuleBook) -> FileChecked:
    """Return a checked file, with the results of its matches, as an event for the web page."""
    problem = checked.error or checked.skipped
    return {
        "kind": "checked",
        "path": checked.path,
        "title": printable(checked.path),
        "problem": problem and printable(problem),
        "skipped": checked.skipped is not None,
        "producer": checked.record and checked.record.producer,
        "turns": checked.record and checked.record.turns,
        "silenced": checked.silenced,
        "repairable": any(map(is_repairable, checked.findings)),
        "findings": list(map(_finding_event, checked.findings)),
        "results": list(map(printable, results)),
        "disputes": [printable(one.words) for one in checked.disputes],
        "jsonl": "".join(finding_renderer("jsonl")([checked], OutputOptions(rule_book))),
    }


def _finding_event(finding: Finding) -> FindingShown:
    """Return a finding as the web page shows it in a list."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": printable(finding.message),
        "where": printable(place_in_words(finding)),
        "line": finding.line,
        "standing": finding.standing,
    }
