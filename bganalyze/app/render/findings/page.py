"""Findings as diagrams, and the findings of a check as a page of HTML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime

from bganalyze import NAME, __version__
from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.checked import LACKING_PARTS, CheckOutcome, CheckTally
from bganalyze.app.render.board import make_scene
from bganalyze.app.render.document import (
    Cell,
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Grid,
    Note,
    Part,
)
from bganalyze.app.render.findings import standing_in_words
from bganalyze.app.render.findings.explained import (
    MARKED,
    describe_xgid,
    finding_scenes,
    list_likely_slips,
)
from bganalyze.app.render.findings.summary import incomplete_lines, totals_line
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.rule_book import RuleBook
from bganalyze.text import Unreadable, number_of
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.rules.explained import ExplainedFinding, FindingBoard, explain_finding
from bganalyze.validation.rules.words import describe_evidence, describe_reading


def findings_page(results: Iterable[CheckOutcome], setting: OutputOptions) -> str:
    """Return the findings of a check as a page of HTML."""
    from bganalyze.app.render.document_html import render_page  # jinja2 is needed by pages only

    return render_page(findings_document(results, setting))


def findings_document(results: Iterable[CheckOutcome], setting: OutputOptions) -> Document:
    """Return the findings of a check as a document with a chapter for each file with findings.

    Files without findings are listed in a single chapter.
    """
    tally, chapters, listed = CheckTally(), list[Chapter](), _ListedFiles()
    for checked in tally.count_each(results):
        if any(setting.select_listed(checked.findings)):
            chapters.append(_make_file_chapter(checked, setting))
        listed.add(checked, setting)
    if tally.attempts.unreadable:
        chapters.append(_make_unreadable_chapter(tally.attempts.unreadable))
    if not chapters:
        nothing = Note("No findings to list")
        chapters.append(Chapter("Findings", (Part("Findings", (nothing,)),), facts=listed.facts))
    elif len(chapters) == 1:
        chapters = [_put_players_in_title(chapters[0])]
    about = chapters[0].title if len(chapters) == 1 else "Findings"
    if tally.attempts.files > 1 and not setting.only_new:
        chapters += listed.chapters()
    ending = (
        *incomplete_lines(tally, setting),
        totals_line(tally, setting, hint=" here"),
        f"Rule book: {rule_book_title(setting.rule_book)}.",
        f"Checked by {NAME} {__version__} on {datetime.now().astimezone().date().isoformat()}.",
    )
    return Document(about, tuple(chapters), ending)


MOST_NAMED = 1000
"""Most files without findings, and most files that are not complete, that a page names."""


@dataclass(slots=True)
class _ListedFiles:
    """Two lists of files for a page: files without findings, and incomplete ones."""

    clean: list[tuple[str, bool]] = field(default_factory=list)
    """Path, and whether the matches are complete."""
    incomplete: list[tuple[str, str]] = field(default_factory=list)
    """Path, and what is missing."""

    def add(self, checked: CheckOutcome, setting: OutputOptions) -> None:
        """Add a file to the list or lists in which the page shows it."""
        if checked.record is None:
            return
        if not any(setting.select_listed(checked.findings)):
            self.clean.append((checked.path, not checked.lacks_part))
        if checked.lacks_part:
            messages = (one.message for one in checked.findings if one.name in LACKING_PARTS)
            self.incomplete.append((checked.path, "; ".join(dict.fromkeys(messages))))

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The path of the only file without findings, labeled `File`; () for several files."""
        return (("File", self.clean[0][0]),) if len(self.clean) == 1 else ()

    def chapters(self) -> Iterator[Chapter]:
        """Yield the chapters on incomplete matches and on files without findings."""
        if self.incomplete:
            rows = [(Cell(path), Cell(words, tone="info")) for path, words in self.incomplete]
            yield _list_files("Matches that are not complete", ("File", "Missing"), rows)
        if self.clean:
            rows = [
                (Cell(path), Cell("complete" if is_complete else "not complete"))
                for path, is_complete in self.clean
            ]
            heading = "Files without findings to list"
            yield _list_files(heading, ("File", "Matches"), rows, is_closed=True)


def _list_files(
    title: str, headings: tuple[str, str], rows: list[tuple[Cell, Cell]], *, is_closed: bool = False
) -> Chapter:
    """Return a chapter with a table of the first files.

    `rows` has two cells for each file. With `is_closed`, the table is hidden until a reader opens
    it.
    """
    blocks: list[Grid | Note] = [Grid("", headings, tuple(rows[:MOST_NAMED]), words=2)]
    if (others := len(rows) - MOST_NAMED) > 0:
        blocks.append(Note(f"{number_of(others, 'file')} more"))
    part = Part(number_of(len(rows), "file"), tuple(blocks), is_background=is_closed)
    return Chapter(title, (part,))


def _make_file_chapter(checked: CheckOutcome, setting: OutputOptions) -> Chapter:
    """Return the chapter of a file: findings by severity, then disputed results."""
    findings = list(setting.select_listed(checked.findings))
    parts = (
        Part(
            f"{severity.capitalize()}s",
            (Diagrams(tuple(_draw_findings(findings, severity, checked, setting))),),
        )
        for severity in Severity
        if any(finding.severity is severity for finding in findings)
    )
    disputes = tuple(Note(f"Disputed: {one.words}.", tone="warning") for one in checked.disputes)
    of_results = (Part("Results", disputes),) if disputes else ()
    return Chapter(checked.path, (*parts, *of_results), facts=tuple(_list_match_facts(checked)))


def _list_match_facts(checked: CheckOutcome) -> Iterator[tuple[str, str]]:
    """Yield labeled facts on a checked file, such as players and result."""
    if len(checked.names) == 1:
        yield from ((_PLAYERS, " – ".join(names)) for names in checked.names.values())
        yield from next(iter(checked.facts.values()), ())
    elif checked.names:
        yield (
            _PLAYERS,
            "; ".join(_name_players_and_result(checked, number) for number in checked.names),
        )


def _name_players_and_result(checked: CheckOutcome, number: int) -> str:
    """Return the players of match `number` and, if it is known, the result."""
    result = dict(checked.facts.get(number, ())).get("Result")
    return " – ".join(checked.names[number]) + (f" ({result})" if result else "")


_PLAYERS = "Players"


def _put_players_in_title(chapter: Chapter) -> Chapter:
    """Return the chapter of a file with the names of the players as its title."""
    facts = dict(chapter.facts)
    players = facts.pop(_PLAYERS, None)
    if players is None:
        return chapter
    return chapter._replace(title=players, facts=(*facts.items(), ("File", chapter.title)))


def _make_unreadable_chapter(files: Iterable[Unreadable]) -> Chapter:
    """Return the chapter that lists the files that could not be read."""
    title = "Files that could not be read"
    notes = (Note(f"could not read {path}: {reason}", tone="error") for path, reason in files)
    return Chapter(title, (Part(title, tuple(notes)),))


def _draw_findings(
    findings: Iterable[Finding], severity: Severity, checked: CheckOutcome, setting: OutputOptions
) -> Iterator[Diagram]:
    """Yield the findings of one severity as diagrams: boards with explanations."""
    for finding in findings:
        if finding.severity is severity:
            yield draw_checked_finding(finding, checked, setting.rule_book)


def draw_checked_finding(finding: Finding, checked: CheckOutcome, rule_book: RuleBook) -> Diagram:
    """Return a finding as a diagram: boards with explanations."""
    names = checked.names.get(finding.match, ("left", "right"))
    board = finding.situation and FindingBoard(finding.situation, names, flipped=False)
    line = checked.excerpts.get(finding.line, "")
    return finding_diagram(explain_finding(finding, line, rule_book, board))


def finding_diagram(explained: ExplainedFinding) -> Diagram:
    """Return an explained finding as a diagram: boards with explanations."""
    finding, before, after = explained.finding, None, None
    if explained.shown is not None:
        before, after = finding_scenes(finding, make_scene(*explained.shown))
    return Diagram(
        f"{finding.code} {finding.name}",
        before,
        tuple(_list_finding_facts(explained)),
        explained.excerpt,
        tone=finding.severity.value,
        after=after,
        after_title=_choose_title_of_board_after(finding),
        spot=None if finding.game is None else (finding.game, finding.line, finding.column),
    )


def _choose_title_of_board_after(finding: Finding) -> str:
    """Return the title of the board after a play, such as `After, read as 8/4 6/4`."""
    instead = " instead"
    if finding.reading is None or not finding.reading.endswith(instead):
        return "After"
    return f"After, read as {finding.reading.removesuffix(instead)}"


def _list_finding_facts(explained: ExplainedFinding) -> Iterator[tuple[str, str]]:
    """Yield the texts that explain a finding, each with its label."""
    finding = explained.finding
    yield finding.severity.value.capitalize(), finding.message
    game = "" if finding.game is None else f"game {finding.game}, "
    row = "" if finding.row is None else f"row {finding.row.strip()}, "
    yield "Place", f"{game}{row}line {finding.line}, column {finding.column}"
    if finding.player:
        yield finding.player_label.capitalize(), finding.player
    if finding.legal is not None:
        yield "Legal", finding.legal_in_words
    if explained.remedy:
        yield standing_in_words(finding.standing).capitalize(), explained.remedy
    yield from ((label.capitalize(), words) for label, words in list_likely_slips(finding))
    yield from ((label.capitalize(), words) for label, words in describe_evidence(finding))
    if explained.reading:
        yield "Read as", describe_reading(finding)
    if finding.consequences:
        yield "Consequences", f"{number_of(finding.consequences, 'later finding')}, not listed"
    if finding.expected is not None:
        yield "Marked", MARKED
    if position := describe_xgid(finding):
        yield "Position", position
