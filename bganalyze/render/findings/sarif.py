"""Findings as SARIF 2.1.0: one run with its rules, its results and what could not be read."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

from bganalyze import NAME, __version__
from bganalyze.config import title
from bganalyze.findings import Finding, Severity
from bganalyze.jobs.check import Checked
from bganalyze.jobs.outcome import FileCounts
from bganalyze.render.findings.machine import files_record, finding_record
from bganalyze.render.setting import OutputOptions
from bganalyze.rules import CATALOGUE
from bganalyze.rules.catalogue import Rule
from bganalyze.text import Files

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ELSEWHERE = ("path", "line", "column", "end_column", "code", "severity", "message")
"""The keys for which the format has places of its own."""


def render(results: Iterable[Checked], setting: OutputOptions) -> Iterator[str]:
    """SARIF 2.1.0, the interchange format of static analysis.

    Yield one run; its rules and files come after the results, when they are known.
    """
    fired: dict[str, int] = {}
    yield f'{{"$schema": {json.dumps(_SCHEMA)}, "version": "2.1.0", "runs": [{{"results": ['
    separator, attempts = "\n", FileCounts()
    for checked in attempts.counted(results):
        for finding in checked.findings:
            index = fired.setdefault(finding.code, len(fired))
            yield separator + json.dumps(_result(finding, index))
            separator = ",\n"
    ending = json.dumps(_ending(fired, attempts.summary(), setting))
    yield f"\n], {ending[1:-1]}}}]}}\n"


def _ending(fired: Mapping[str, int], files: Files, setting: OutputOptions) -> dict[str, Any]:
    rules = {rule.code: rule for rule in CATALOGUE}
    driver = {
        "name": NAME,
        "version": __version__,
        "rules": [_descriptor(rules[code]) for code in fired],
    }
    return {
        "tool": {"driver": driver},
        "invocations": [_invocation(files)],
        "columnKind": "unicodeCodePoints",
        "properties": {"law": title(setting.law), "files": files_record(files)},
    }


def _invocation(files: Files) -> dict[str, Any]:
    """Whether every file could be read, and if not, which could not and why."""
    notifications = [
        {
            "level": "error",
            "message": {"text": reason},
            "locations": [{"physicalLocation": {"artifactLocation": {"uri": _uri(path or "")}}}],
        }
        for path, reason in files.unreadable
    ]
    return {
        "executionSuccessful": not notifications,
        "toolExecutionNotifications": notifications,
    }


def _descriptor(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.doc.strip().partition("\n")[0]},
        "help": {"text": rule.doc},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(finding: Finding, rule_index: int) -> dict[str, Any]:
    properties = {
        key: value
        for key, value in finding_record(finding).items()
        if key not in _ELSEWHERE and value is not None
    }
    return {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _place(finding)}],
        "properties": properties,
    }


def _place(finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    if finding.end_column > finding.column:
        region["endColumn"] = finding.end_column
    return {"artifactLocation": {"uri": _uri(finding.path)}, "region": region}


def _uri(path: str) -> str:
    """A path as a URI; a relative path stays relative."""
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(path.replace(os.sep, "/"), safe="/!", errors="surrogateescape")
