"""The boards that a section of a report shows, as diagrams of a document."""

from __future__ import annotations

from bganalyze.board.ids import parse_xgid
from bganalyze.render.board import scene
from bganalyze.render.document import Boards, Diagram
from bganalyze.reports.figures import Board, Section


def boards(section: Section) -> Boards:
    """Return the boards of a section; people see them instead of its table."""
    return Boards(tuple(map(_diagram, section.boards)))


def _diagram(board: Board) -> Diagram:
    return Diagram(board.title, scene(parse_xgid(board.xgid), board.names), board.facts)
