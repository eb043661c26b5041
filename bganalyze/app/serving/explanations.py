"""Explanations of findings for the page, with boards; separate from checks, which are faster."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.jobs.check import check_item
from bganalyze.app.render.board_picture import board_part
from bganalyze.app.render.document import Diagram, title_boards
from bganalyze.app.render.findings.page import draw_checked_finding
from bganalyze.app.serving.checks import EVERYTHING
from bganalyze.app.serving.events import FindingExplained
from bganalyze.app.serving.requests import Request, item_of
from bganalyze.text import printable


def explain(request: Request) -> Iterator[FindingExplained]:
    """Yield each finding of a file with its boards and facts."""
    with item_of(request) as item:
        checked = check_item(item, request.rule_book, EVERYTHING)
    for finding in checked.findings:
        yield _make_explained_event(draw_checked_finding(finding, checked, request.rule_book))


def _make_explained_event(diagram: Diagram) -> FindingExplained:
    """Return an explained finding as an event for the web page."""
    return {
        "kind": "explained",
        "title": diagram.title,
        "tone": diagram.tone,
        "boards": [(words, board_part(scene)) for words, scene in title_boards(diagram)],
        "line": printable(diagram.line.strip()),
        "facts": [(label, printable(words)) for label, words in diagram.facts],
    }
