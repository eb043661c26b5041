"""Workflow commands of GitHub Actions: findings, and files that cannot be read, become annotations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.config import title
from bganalyze.findings import Finding, Severity
from bganalyze.jobs.checking import Checked
from bganalyze.printable import printable
from bganalyze.render.setting import Setting

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render(results: Iterable[Checked], setting: Setting) -> Iterator[str]:
    """Yield a command for each finding and unreadable file, after one (seen when debugging) that names the law."""
    yield f"::debug::bganalyze: judged by the law {_escaped(title(setting.law))}\n"
    for checked in results:
        if checked.error is not None:
            place = f"file={_property(checked.path)},title=unreadable"
            yield f"::error {place}::{_escaped(checked.error)}\n"
        yield from map(_command, checked.findings)


def _command(finding: Finding) -> str:
    properties = {
        "file": finding.path,
        "line": finding.line,
        "col": finding.column,
        "endColumn": finding.end_column,
        "title": f"{finding.code} {finding.name}",
    }
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {written}::{_escaped(finding.message)}\n"


def _escaped(text: str) -> str:
    """The text of a message: percent signs and line ends have a meaning there."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
