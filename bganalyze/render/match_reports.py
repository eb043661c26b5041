"""Reports of matches in the formats of `report`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.match_report.report import MatchReport
    from bganalyze.render.setting import Setting

FORMATS = ("text", "json", "markdown")
"""The output formats of `report`, besides the page of HTML."""


def render(reports: Sequence[MatchReport], name: str, setting: Setting) -> Iterator[str]:
    """Yield the reports in a format."""
    from bganalyze.render import document_markdown, document_text, match_json
    from bganalyze.render.match_document import match_document

    match name:
        case "json":
            return match_json.render(reports, setting)
        case "markdown":
            return document_markdown.render(match_document(reports), setting)
    return document_text.render(match_document(reports), setting)


def match_page(reports: Sequence[MatchReport]) -> str:
    """Return the reports of a file as one page of HTML."""
    from bganalyze.render.document_html import page
    from bganalyze.render.match_document import match_document

    return page(match_document(reports))
