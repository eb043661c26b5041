"""Findings in each sample, and the edits proposed for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from bganalyze.app.jobs.repair import RepairOutcome, search_file
from bganalyze.app.render.findings.machine import finding_record
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import proposal_line
from bganalyze.board.rule_book import BASIC
from bganalyze.files.reading import FileToRead
from bganalyze.record.reader import read
from bganalyze.repairing.search import attach_repairs
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Proposal, Severity
from bganalyze.validation.slip_odds import chance_in_words

SAMPLES = Path(__file__).parents[2] / "samples"

IN_FIRST_LINE = ("path", "line", "column", "end_column", "code", "name", "severity", "message")
IN_WORDS = ("cause", "proposals", "if_slip", "evidence", "slip")
"""Keys of a finding that its lines show in another form."""


def findings() -> str:
    """Return the findings of every sample that has any, errors with the edits proposed for them."""
    return "\n".join(
        "".join(f"{line}\n" for line in lines)
        for folder in ("clean", "faulty")
        for path in sorted((SAMPLES / folder).iterdir())
        if path.suffix not in (".zip", ".tsv") and (lines := list(_of_file(path)))
    )


def _of_file(path: Path) -> Iterator[str]:
    found = check(read(path))
    if not found:
        return
    yield f"== {path.relative_to(SAMPLES).as_posix()}"
    if any(finding.severity is Severity.ERROR for finding in found):
        diagnosed = search_file(FileToRead(path.name, path.name, held=path.read_bytes()), BASIC)
        yield from _findings(attach_repairs(found, diagnosed.causes))
        yield from _describe_repair(diagnosed)
    else:
        yield from _findings(found)


def _findings(found: Iterable[Finding]) -> Iterator[str]:
    for finding in found:
        place = f"{finding.line}:{finding.column}-{finding.end_column}"
        yield f"{place} {finding.code} {finding.severity}: {finding.message}"
        for key, value in finding_record(finding).items():
            if key not in (*IN_FIRST_LINE, *IN_WORDS) and value is not None:
                yield f"  {key}: {_write_value(value)}"
        yield from _explain(finding)


def _write_value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _explain(finding: Finding) -> Iterator[str]:
    if finding.evidence is not None:
        yield f"  evidence: {finding.evidence.kind}"
        for line, code, what in finding.evidence.by:
            yield f"    line {line}, {code}: {what}"
    if finding.slip is not None:
        yield f"  slip: {chance_in_words(finding.slip)}"
    for title, proposals in (("proposed", finding.proposals), ("if a slip", finding.if_slip)):
        for proposal in proposals or ():
            yield f"  {title}: {proposal_line(finding, proposal, OutputOptions())}"
            yield from _edits(proposal)


def _edits(proposal: Proposal) -> Iterator[str]:
    for line, old, new in proposal.edits:
        yield from (f"    {line:3} - {old}" for _ in [old] if old is not None)
        yield from (f"    {line:3} + {new}" for _ in [new] if new is not None)
    for rolls in proposal.other_rolls:
        yield f"    or {', '.join(rolls)}"


def _describe_repair(diagnosed: RepairOutcome) -> Iterator[str]:
    repaired = diagnosed.repaired
    assert repaired is not None, diagnosed.error
    if repaired.made or repaired.left_out or repaired.later:
        yield f"repaired: {repaired.errors_before} → {repaired.errors_after} errors"
        for title, entries in (("made", repaired.made), ("left out", repaired.left_out)):
            yield from (f"  {title}: {choice}" for choice in entries)
        yield from (f"  later: {message}" for message in repaired.later)
    if diagnosed.is_cut_short:
        yield "the search was cut short"
