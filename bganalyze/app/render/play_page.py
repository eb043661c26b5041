"""A page to play a match through, with its findings: what a report shows where there are no tables.

Tables need numpy and pandas, which a page under Pyodide may be without.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.app.config import title
from bganalyze.app.jobs.checked import Checked
from bganalyze.app.render.document import Chapter, Diagram, Diagrams, Document, Note, Part
from bganalyze.app.render.document_html import page
from bganalyze.app.render.findings.page import diagram_of
from bganalyze.app.render.player import playback
from bganalyze.board.rule_book import RuleBook
from bganalyze.validation.replaying.match import MatchReplay

WITHOUT_TABLES = "The tables of a report are left out: they need numpy, pandas and scipy, which this page is without"


def play_page(replays: Sequence[MatchReplay], checked: Checked, rule_book: RuleBook) -> str:
    """Return the matches of a file that was checked as one page of HTML."""
    chapters = tuple(_chapter(replayed, checked, rule_book) for replayed in replays)
    first = chapters[0].title if len(chapters) == 1 else checked.path
    return page(Document(first, chapters, (WITHOUT_TABLES, f"Rule book: {title(rule_book)}.")))


def _chapter(replayed: MatchReplay, checked: Checked, rule_book: RuleBook) -> Chapter:
    findings = [finding for finding in checked.findings if finding.match == replayed.match.number]
    diagrams = tuple(diagram_of(finding, checked, rule_book) for finding in findings)
    player = playback(replayed, findings, rule_book)
    return Chapter(
        " – ".join(replayed.match.names),
        tuple(_parts(diagrams)),
        player=player if player.games else None,
    )


def _parts(diagrams: tuple[Diagram, ...]) -> Iterator[Part]:
    if diagrams:
        yield Part("Findings", (Diagrams(diagrams),))
    else:
        yield Part("Findings", (Note("Nothing was found"),))
