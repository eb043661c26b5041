"""Findings as diagrams, and those of a check as one page of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bganalyze.app.config import title
from bganalyze.app.jobs.checked import Checked, Tally
from bganalyze.app.render.board import scene
from bganalyze.app.render.document import Chapter, Diagram, Diagrams, Document, Note, Part
from bganalyze.app.render.findings.explained import likely_cause
from bganalyze.app.render.findings.summary import totals
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.rule_book import RuleBook
from bganalyze.text import number_of
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.rules.explained import ExplainedFinding, Shown, explained_finding
from bganalyze.validation.rules.words import in_the_record, record_says


def findings_page(results: Iterable[Checked], setting: OutputOptions) -> str:
    """Return the findings of a check as one page of HTML: a chapter for each file that has some."""
    from bganalyze.app.render.document_html import page  # jinja2 is needed by pages only

    return page(findings_document(results, setting))


def findings_document(results: Iterable[Checked], setting: OutputOptions) -> Document:
    """Return the document of the findings of a check; files without a finding have no chapter."""
    tally = Tally()
    chapters = tuple(
        _chapter(checked, setting)
        for checked in tally.counted(results)
        if any(setting.listed(checked.findings))
    )
    nothing = Chapter("Findings", (Part("Findings", (Note("Nothing is to be listed"),)),))
    about = chapters[0].title if len(chapters) == 1 else "Findings"
    ending = (totals(tally, setting), f"Rule book: {title(setting.rule_book)}.")
    return Document(about, chapters or (nothing,), ending)


def _chapter(checked: Checked, setting: OutputOptions) -> Chapter:
    findings = list(setting.listed(checked.findings))
    parts = (
        Part(
            f"{severity.capitalize()}s",
            (Diagrams(tuple(_diagrams(findings, severity, checked, setting))),),
        )
        for severity in Severity
        if any(finding.severity is severity for finding in findings)
    )
    disputes = tuple(Note(f"Disputed: {words}.", tone="warning") for words in checked.disputes)
    of_results = (Part("Results", disputes),) if disputes else ()
    return Chapter(checked.path, (*parts, *of_results))


def _diagrams(
    findings: Iterable[Finding], severity: Severity, checked: Checked, setting: OutputOptions
) -> Iterator[Diagram]:
    for finding in findings:
        if finding.severity is severity:
            yield diagram_of(finding, checked, setting.rule_book)


def diagram_of(finding: Finding, checked: Checked, rule_book: RuleBook) -> Diagram:
    """Return a finding of a file that was checked as a diagram."""
    names = checked.names.get(finding.match, ("left", "right"))
    board = finding.situation and Shown(finding.situation, names, flipped=False)
    line = checked.excerpts.get(finding.line, "")
    return finding_diagram(explained_finding(finding, line, rule_book, board))


def finding_diagram(fault: ExplainedFinding) -> Diagram:
    """Return a finding with its boards: before the action, and after an illegal play."""
    finding, before = fault.finding, None if fault.shown is None else scene(*fault.shown)
    after = None
    if before is not None and finding.after is not None:
        after = before._replace(position=finding.after, dice=None)
    return Diagram(
        f"{finding.code} {finding.name}",
        before,
        tuple(_facts(fault)),
        fault.excerpt,
        tone=finding.severity.value,
        after=after,
        spot=None if finding.game is None else (finding.game, finding.line, finding.column),
    )


def _facts(fault: ExplainedFinding) -> Iterator[tuple[str, str]]:
    finding = fault.finding
    yield finding.severity.value.capitalize(), finding.message
    game = "" if finding.game is None else f"game {finding.game}, "
    row = "" if finding.row is None else f"row {finding.row.strip()}, "
    yield "Place", f"{game}{row}line {finding.line}, column {finding.column}"
    if finding.player:
        yield "Player", finding.player
    if finding.legal is not None:
        yield "Legal", ", ".join(finding.legal) or "none"
    if finding.standing is not None:
        yield finding.standing.value.capitalize(), fault.remedy
    if finding.cause is not None:
        label, words = likely_cause(finding, finding.cause)
        yield label.capitalize(), words
    yield from ((label.capitalize(), words) for label, words in record_says(finding))
    if fault.reading:
        yield "Read as", in_the_record(fault.reading)
    if finding.consequences:
        yield "Follows", f"{number_of(finding.consequences, 'later fault')}, not listed"
    if finding.position is not None:
        yield "Position", finding.position
