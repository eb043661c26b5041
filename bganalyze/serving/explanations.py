"""Findings explained for the page, each with its boards. Apart from checks, which stand there sooner."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.findings import Finding
from bganalyze.jobs.check import check_item
from bganalyze.render.board_picture import board_part
from bganalyze.render.document import Diagram, titled_boards
from bganalyze.render.findings.page import diagram_of
from bganalyze.repair.prior import by_eye, installed_prior
from bganalyze.serving.checks import EVERYTHING
from bganalyze.serving.requests import Event, Request, item_of
from bganalyze.text import printable


def explain(request: Request) -> Iterator[Event]:
    """Yield each finding of a file with its boards, and what is to be said of it."""
    with item_of(request) as item:
        checked = check_item(item, request.law, EVERYTHING)
    for finding in map(_agreed, checked.findings):
        yield {"kind": "explained", **_diagram(diagram_of(finding, checked, request.law))}


def _agreed(finding: Finding) -> Finding:
    """The finding without a cause that the proposals beside it would gainsay.

    `check` judges by eye how likely plays are; the proposals go by an engine where there is one.
    """
    if finding.cause is None or finding.cause.proved or installed_prior() is by_eye:
        return finding
    return finding._replace(proposals=None)


def _diagram(diagram: Diagram) -> Event:
    return {
        "title": diagram.title,
        "tone": diagram.tone,
        "boards": [[words, board_part(scene)] for words, scene in titled_boards(diagram)],
        "line": printable(diagram.line.strip()),
        "facts": [[label, printable(words)] for label, words in diagram.facts],
    }
