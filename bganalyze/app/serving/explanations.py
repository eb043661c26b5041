"""Explanations of findings for the page, with boards; separate from checks, which are faster."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.jobs.check import check_file_with_replays
from bganalyze.app.render.board_picture import board_svg_on_page
from bganalyze.app.render.document import Diagram, list_titled_boards
from bganalyze.app.render.findings.page import draw_checked_finding
from bganalyze.app.render.playback import make_link_to_finding
from bganalyze.app.serving.checks import EVERYTHING, list_by_severity
from bganalyze.app.serving.events import FindingExplained
from bganalyze.app.serving.requests import Request, open_requested_file
from bganalyze.text import printable


def explain(request: Request) -> Iterator[FindingExplained]:
    """Yield each finding of a file with its boards and explanations."""
    with open_requested_file(request) as item:
        checked, matches = check_file_with_replays(item, request.rule_book, EVERYTHING)
    replays = {replayed.match.number: replayed for replayed in matches}
    for finding in list_by_severity(checked.findings):
        diagram = draw_checked_finding(finding, checked, request.rule_book)
        place = make_link_to_finding(replays[finding.match], finding)
        yield _make_explained_event(diagram, place)


def _make_explained_event(diagram: Diagram, place: str) -> FindingExplained:
    """Return a finding's diagram as an event for the web page.

    `place` is the link to the finding's turn in the match viewer, or "" for no link.
    """
    return {
        "kind": "explained",
        "title": diagram.title,
        "tone": diagram.tone,
        "boards": [
            (words, board_svg_on_page(scene)) for words, scene in list_titled_boards(diagram)
        ],
        "line": printable(diagram.line.strip()),
        "facts": [(label, printable(words)) for label, words in diagram.facts],
        "place": place,
    }
