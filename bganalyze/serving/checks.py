"""Checks for the page: findings as text, and each with its boards."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.findings import Finding, Selection
from bganalyze.jobs.check import check_item
from bganalyze.jobs.checked import Checked
from bganalyze.law import Law
from bganalyze.render import finding_renderer
from bganalyze.render.setting import OutputOptions
from bganalyze.repair.draft import is_mendable
from bganalyze.rules.words import where
from bganalyze.serving.requests import Event, Request, items_of
from bganalyze.text import printable

EVERYTHING = Selection()


def check(request: Request) -> Iterator[Event]:
    """Yield what a check finds in each of the files, in their order."""
    for source in request.sources:
        with items_of(source, request.desk) as items:
            for item in items:
                yield _file(check_item(item, request.law, EVERYTHING), request.law)


def _file(checked: Checked, law: Law) -> Event:
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
        "mendable": any(map(is_mendable, checked.findings)),
        "findings": list(map(_finding, checked.findings)),
        "disputes": list(map(printable, checked.disputes)),
        "jsonl": "".join(finding_renderer("jsonl")([checked], OutputOptions(law))),
    }


def _finding(finding: Finding) -> Event:
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": printable(finding.message),
        "where": printable(where(finding)),
        "line": finding.line,
        "standing": finding.standing,
    }
