"""A page with the match viewer and the findings: a report without tables.

Tables need numpy and pandas, which a page under Pyodide may lack.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from bganalyze.app.config import rule_book_title
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render.disputes import find_disputed_part
from bganalyze.app.render.document import (
    Chapter,
    Diagram,
    Diagrams,
    Document,
    Note,
    Part,
    add_first_section,
)
from bganalyze.app.render.document_html import render_page
from bganalyze.app.render.findings.page import draw_checked_finding
from bganalyze.app.render.playback import make_playback
from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.replaying.match import MatchReplay


def render_page_without_tables(
    replays: Sequence[MatchReplay],
    checked: CheckOutcome,
    rule_book: RuleBook,
    repair_sections_by_match: Mapping[int, Part] = MappingProxyType({}),
) -> str:
    """Return a page of HTML with a file's findings, and a board to step through its matches.

    `repair_sections_by_match` maps a match's number to the section on its repairs.
    """
    chapters = tuple(
        add_first_section(
            _make_chapter(replayed, checked, rule_book),
            repair_sections_by_match.get(replayed.match.number),
        )
        for replayed in replays
    )
    first = chapters[0].title if len(chapters) == 1 else checked.path
    return render_page(Document(first, chapters, (f"Rule book: {rule_book_title(rule_book)}.",)))


def _make_chapter(replayed: MatchReplay, checked: CheckOutcome, rule_book: RuleBook) -> Chapter:
    """Return the chapter of a match: findings, and a board to step through it."""
    findings = [finding for finding in checked.findings if finding.match == replayed.match.number]
    diagrams = tuple(draw_checked_finding(finding, checked, rule_book) for finding in findings)
    playback = make_playback(replayed, findings, rule_book)
    return Chapter(
        " – ".join(replayed.match.names),
        tuple(_make_findings_part(diagrams)),
        playback=playback if playback.games else None,
        opening=tuple(find_disputed_part(replayed, rule_book)),
    )


def _make_findings_part(diagrams: tuple[Diagram, ...]) -> Iterator[Part]:
    """Yield the section of findings: their diagrams, or a note if there are none."""
    if diagrams:
        yield Part("Findings", (Diagrams(diagrams),))
    else:
        yield Part("Findings", (Note("No findings"),))
