"""Findings for programs: JSON, CSV, SARIF, and annotations for GitHub."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from bganalyze import NAME, __version__
from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.outcome import FileCounts
from bganalyze.app.render.csv_lines import escape_formula, format_csv_line
from bganalyze.app.render.findings.records import (
    VERSION,
    CauseRecord,
    ChanceRecord,
    SlipRecord,
    UnreadableLine,
)
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import RuleBook
from bganalyze.text import Files, percent, printable
from bganalyze.validation.findings import (
    FINDING_KEYS,
    Edit,
    Finding,
    Proposal,
    RecordEvidence,
    Severity,
)
from bganalyze.validation.slip_odds import LOWEST, SlipChance

if TYPE_CHECKING:
    from bganalyze.validation.rules.catalog import Rule

KEYS = (*FINDING_KEYS, "rule_book")
_DIGITS = 4
"""Decimal places of probabilities."""


def make_checked_finding_record(finding: Finding, rule_book: RuleBook) -> dict[str, object]:
    """Return a finding, and the rule book of the check, as a dictionary for JSON."""
    return {**finding_record(finding), "rule_book": rule_book_title(rule_book)}


def finding_record(finding: Finding) -> dict[str, object]:
    """Return a finding as a dictionary for JSON and CSV, without the rule book."""
    return {
        **{key: getattr(finding, key) for key in FINDING_KEYS},
        "cause": finding.cause
        and cause_record(finding.cause, _find_slip_chance_for_repairs(finding)),
        "proposals": _make_proposal_records(
            finding.proposals, _find_slip_chance_for_repairs(finding)
        ),
        "evidence": finding.evidence and evidence_record(finding.evidence),
        "if_slip": _make_proposal_records(finding.if_slip, None),
        "slip": finding.slip and make_slip_record(finding.slip),
    }


def _find_slip_chance_for_repairs(finding: Finding) -> SlipChance | None:
    """Return the chance that an error is a slip of the transcriber.

    Returns None if the chance is unknown, or if a player may have made the error.
    """
    return None if finding.may_be_players else finding.slip


def _make_proposal_records(
    proposals: Sequence[Proposal] | None, chance_of_slip: SlipChance | None
) -> list[dict[str, object]] | None:
    """Return proposed repairs as dictionaries for JSON.

    The repairs' probabilities are multiplied by the chance of a slip.
    """
    return (
        None if proposals is None else [proposal_record(one, chance_of_slip) for one in proposals]
    )


def make_slip_record(slip: SlipChance) -> SlipRecord:
    """Return the chance of a transcriber's slip for JSON, with the odds behind it."""
    stated = slip.stated
    ratios = (LOWEST, slip.most) if stated is None else (stated.ratio,)
    return {
        **chance_record(1.0, slip),
        "odds": [f"{ratio.slips:g}:{ratio.errors:g}" for ratio in ratios],
        "source": None if stated is None else stated.source,
    }


def chance_record(probability: float, chance_of_slip: SlipChance | None) -> ChanceRecord:
    """Return the probability that a repair is right, as a dictionary for JSON.

    `probability` assumes a slip. It is multiplied by `chance_of_slip`, which may be a range.
    """
    if chance_of_slip is None:
        return {"probability": round(probability, _DIGITS), "probability_range": None}
    lowest, highest = (
        round(probability * end, _DIGITS) for end in (chance_of_slip.lowest, chance_of_slip.highest)
    )
    if chance_of_slip.stated is not None:
        return {"probability": lowest, "probability_range": None}
    return {"probability": None, "probability_range": (lowest, highest)}


def evidence_record(evidence: RecordEvidence) -> dict[str, object]:
    """Return the evidence in the match for or against an error, as a dictionary for JSON."""
    return {"kind": evidence.kind, "by": [conflict._asdict() for conflict in evidence.by]}


def proposal_chance(finding: Finding, proposal: Proposal) -> ChanceRecord:
    """Return, for JSON, the probability that a proposed repair is right."""
    return chance_record(proposal.probability, _find_slip_chance_for_repairs(finding))


def cause_record(proposal: Proposal, chance_of_slip: SlipChance | None = None) -> CauseRecord:
    """Return a proposed repair without its edits for JSON, as the cause of an error.

    The repair's probability is multiplied by the chance of a slip.
    """
    chance = chance_record(proposal.probability, chance_of_slip)
    return {
        "line": proposal.line,
        "row": proposal.row,
        "side": proposal.side,
        "kind": proposal.kind,
        "message": proposal.message,
        "probability": chance["probability"],
        "proved": proposal.proved,
        "probability_range": chance["probability_range"],
    }


def proposal_record(
    proposal: Proposal, chance_of_slip: SlipChance | None = None
) -> dict[str, object]:
    """Return a proposed repair with its edits for JSON.

    The repair's probability is multiplied by the chance of a slip.
    """
    edits = [edit._asdict() for edit in proposal.edits]
    record = {
        **proposal._asdict(),
        "edits": edits,
        **chance_record(proposal.probability, chance_of_slip),
    }
    del record["other_plays"]
    return record


def files_record(files: Files) -> dict[str, object]:
    """Return the numbers of files read and skipped, and the unreadable files, for JSON."""
    unreadable = [file._asdict() for file in files.unreadable]
    return {**files._asdict(), "unreadable": unreadable}


def make_unreadable_line(path: str, reason: str) -> UnreadableLine:
    """Return a file that could not be read as a record for JSON lines."""
    return {"path": path, "name": "unreadable-file", "severity": "error", "message": reason}


_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "notice"}


def render_github(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """Workflow commands of GitHub Actions: findings become annotations of the files."""
    yield f"::debug::bganalyze: checked by the rule book {_escape_message(rule_book_title(setting.rule_book))}\n"
    for checked in results:
        if checked.error is not None:
            place = f"file={_escape_property(_make_repository_path(checked.path))},title=unreadable"
            yield f"::error {place}::{_escape_message(checked.error)}\n"
        yield from map(_make_github_command, setting.select_listed(checked.findings))


def _make_github_command(finding: Finding) -> str:
    """Return a finding as a GitHub workflow command, shown beside the line."""
    properties = {
        "file": _make_repository_path(finding.path),
        "line": finding.line,
        "col": finding.column,
        "endColumn": finding.end_column,
        "title": f"{finding.code} {finding.name}",
    }
    listed = ",".join(f"{key}={_escape_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMANDS[finding.severity]} {listed}::{_escape_message(finding.message)}\n"


def _make_repository_path(path: str) -> str:
    """Return a path as GitHub needs it, without `./` at the beginning.

    >>> _make_repository_path("./matches/one.mat")
    'matches/one.mat'
    """
    return path if "://" in path else Path(path).as_posix()


def _escape_message(text: str) -> str:
    r"""Return a message with its percent signs and line ends escaped for GitHub.

    >>> _escape_message("5 %\nend")
    '5 %25%0Aend'
    """
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return printable(escaped)


def _escape_property(text: str) -> str:
    """Return the value of a GitHub property with all special characters escaped.

    >>> _escape_property("a:b,c")
    'a%3Ab%2Cc'
    """
    return _escape_message(text).replace(":", "%3A").replace(",", "%2C")


def render_csv(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """CSV: a row for each finding and each unreadable file, for spreadsheets."""
    yield format_csv_line(KEYS)
    for checked in results:
        if checked.error is not None:
            cells: dict[str, object] = {**make_unreadable_line(checked.path, checked.error)}
            yield format_csv_line(_make_csv_cell(cells.get(key)) for key in KEYS)
        for finding in setting.select_listed(checked.findings):
            yield format_csv_line(
                map(_make_csv_cell, make_csv_record(finding, setting.rule_book).values())
            )


def make_csv_record(finding: Finding, rule_book: RuleBook) -> dict[str, object]:
    """Return a finding as a dictionary for CSV."""
    return make_checked_finding_record(finding, rule_book) | {
        "cause": finding.cause and finding.cause.message,
        "proposals": tuple(proposal.message for proposal in finding.proposals or ()),
        "evidence": finding.evidence and finding.evidence.kind,
        "if_slip": tuple(proposal.message for proposal in finding.if_slip or ()),
        "slip": finding.slip and _describe_slip(finding.slip),
        "closed_by": finding.closed_by and _describe_place(finding.closed_by),
    }


def _describe_slip(slip: SlipChance) -> str:
    """Return in words the chance that an error is a transcription slip, and the odds behind it."""
    if slip.stated is not None:
        return f"{percent(slip.lowest)} at odds of {slip.stated.ratio}"
    ends = ((slip.lowest, LOWEST), (slip.highest, slip.most))
    return ", ".join(f"{percent(chance)} at odds of {ratio}" for chance, ratio in ends)


def _describe_place(place: str) -> str:
    """Return a place such as `487:6` in words, which no spreadsheet takes for a time.

    >>> _describe_place("487:6")
    'line 487, column 6'
    """
    line, colon, column = place.partition(":")
    return f"line {line}, column {column}" if colon else place


def _make_csv_cell(value: object) -> str:
    """Return a value as the text of a CSV cell.

    >>> _make_csv_cell(("a", "b")), _make_csv_cell(2)
    ('a; b', '2')
    """
    if value is None:
        return ""
    if isinstance(value, tuple):
        return "; ".join(map(_make_csv_cell, value))
    if isinstance(value, int):
        return str(value)
    return escape_formula(str(value))


def render_jsonl(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """JSON lines: a line for each finding and each unreadable file."""
    for checked in results:
        if checked.error is not None:
            yield json.dumps(make_unreadable_line(checked.path, checked.error)) + "\n"
        yield from _write_json_findings(checked, setting)


def _write_json_findings(checked: CheckOutcome, setting: OutputOptions) -> Iterator[str]:
    """Yield each finding of a file as a line of JSON."""
    for finding in setting.select_listed(checked.findings):
        yield json.dumps(make_checked_finding_record(finding, setting.rule_book)) + "\n"


def render_json(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """JSON: a list of the findings, and of nothing else."""
    separator = "[\n"
    for checked in results:
        for line in _write_json_findings(checked, setting):
            yield separator + line.rstrip("\n")
            separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def render_json_object(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """JSON: an object with the findings, and the numbers of files read, skipped and unreadable."""
    attempts = FileCounts()
    yield f'{{"version": {VERSION}, "findings": '
    yield from render_json(attempts.count_each(results), setting)
    yield f', "files": {json.dumps(files_record(attempts.summary()))}}}\n'


# SARIF 2.1.0: a run with its rules, its results and the unreadable files.

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_ELSEWHERE = ("path", "line", "column", "end_column", "code", "severity", "message", "proposals")
"""Keys of a finding that SARIF has its own properties for."""


def render_sarif(results: Iterable[CheckOutcome], setting: OutputOptions) -> Iterator[str]:
    """SARIF 2.1.0, the interchange format of static analysis."""
    finding_counts: dict[str, int] = {}
    yield f'{{"$schema": {json.dumps(_SCHEMA)}, "version": "2.1.0", "runs": [{{"results": ['
    separator, attempts = "\n", FileCounts()
    for checked in attempts.count_each(results):
        for finding in setting.select_listed(checked.findings):
            index = finding_counts.setdefault(finding.code, len(finding_counts))
            yield separator + json.dumps(_make_sarif_result(finding, index))
            separator = ",\n"
    # Rules and files are known only after the results.
    ending = json.dumps(_make_end_of_sarif_run(finding_counts, attempts.summary(), setting))
    yield f"\n], {ending[1:-1]}}}]}}\n"


def _make_end_of_sarif_run(
    finding_counts: Mapping[str, int], files: Files, setting: OutputOptions
) -> dict[str, Any]:
    """Return the last part of a SARIF run: the tool, its rules and the files checked.

    The keys of `finding_counts` are the codes of rules that have findings.
    """
    from bganalyze.validation.rules import CATALOG

    rules = {rule.code: rule for rule in CATALOG}
    driver = {
        "name": NAME,
        "version": __version__,
        # A store made elsewhere may contain findings of rules unknown here.
        "rules": [
            _make_sarif_rule(rules[code]) if code in rules else {"id": code}
            for code in finding_counts
        ],
    }
    return {
        "tool": {"driver": driver},
        "invocations": [_make_sarif_invocation(files)],
        "columnKind": "unicodeCodePoints",
        "properties": {
            "rule_book": rule_book_title(setting.rule_book),
            "files": files_record(files),
        },
    }


def _make_sarif_invocation(files: Files) -> dict[str, Any]:
    """Return the SARIF object that says which files could not be read, and why."""
    notifications = [
        {
            "level": "error",
            "message": {"text": reason},
            "locations": [
                {"physicalLocation": {"artifactLocation": {"uri": _make_uri(path or "")}}}
            ],
        }
        for path, reason in files.unreadable
    ]
    return {"executionSuccessful": not notifications, "toolExecutionNotifications": notifications}


def _make_sarif_rule(rule: Rule) -> dict[str, Any]:
    """Return a rule in SARIF."""
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.doc.strip().partition("\n")[0]},
        "help": {"text": rule.doc},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _make_sarif_result(finding: Finding, rule_index: int) -> dict[str, Any]:
    """Return a finding in SARIF."""
    properties = {
        key: value
        for key, value in finding_record(finding).items()
        if key not in _ELSEWHERE and value is not None
    }
    result = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": _make_sarif_location(finding)}],
        "properties": properties,
    }
    proposals = (proposal for proposal in finding.proposals or () if proposal.edits)
    fixes = [_make_sarif_fix(finding.path, proposal) for proposal in proposals]
    return {**result, "fixes": fixes} if fixes else result


def _make_sarif_fix(path: str, proposal: Proposal) -> dict[str, Any]:
    """Return a proposed repair as a SARIF fix."""
    change = {
        "artifactLocation": {"uri": _make_uri(path)},
        "replacements": [_make_sarif_replacement(edit) for edit in proposal.edits],
    }
    return {
        "description": {"text": f"line {proposal.line}, {proposal.message}"},
        "artifactChanges": [change],
    }


def _make_sarif_replacement(edit: Edit) -> dict[str, Any]:
    """Return an edit of a line as a SARIF replacement."""
    line, old, new = edit
    start, end = {"startLine": line, "startColumn": 1}, {"endLine": line, "endColumn": 1}
    if new is None:
        return {"deletedRegion": {**start, "endLine": line + 1, "endColumn": 1}}
    if old is None:
        return {"deletedRegion": {**start, **end}, "insertedContent": {"text": f"{new}\n"}}
    region = {**start, "endLine": line, "endColumn": len(old) + 1}
    return {"deletedRegion": region, "insertedContent": {"text": new}}


def _make_sarif_location(finding: Finding) -> dict[str, Any]:
    """Return the file, line and columns of a finding in SARIF."""
    region = {"startLine": finding.line, "startColumn": finding.column}
    if finding.end_column > finding.column:
        region["endColumn"] = finding.end_column
    return {"artifactLocation": {"uri": _make_uri(finding.path)}, "region": region}


def _make_uri(path: str) -> str:
    """Return a path as a URI; a relative path as a relative URI.

    >>> _make_uri("a b.mat")
    'a%20b.mat'
    """
    if Path(path).is_absolute():
        return Path(path).as_uri()
    return quote(path.replace(os.sep, "/"), safe="/!", errors="surrogateescape")
