"""HTML for notebooks: findings and repairs with boards as pictures, without a style sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import islice

from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render.board import Scene
from bganalyze.app.render.board_picture import board_svg
from bganalyze.app.render.document import Diagram, list_titled_boards
from bganalyze.app.render.findings.page import draw_checked_finding
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import proposal_line
from bganalyze.board.rule_book import RuleBook
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.text import number_of, printable
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.slip_odds import NO_ODDS, Odds

MOST_SHOWN = 20
"""Findings a notebook shows at most; each has one or two pictures of 10 kB."""


def findings_html(
    results: Iterable[CheckOutcome], rule_book: RuleBook, odds_of_slips: Odds = NO_ODDS
) -> str:
    """Return at most `MOST_SHOWN` findings with boards as HTML, and the number of the others."""
    results = list(results)
    every = (
        draw_checked_finding(finding.under(odds_of_slips), checked, rule_book)
        for checked in results
        for finding in checked.findings
    )
    shown = "".join(map(diagram_html, islice(every, MOST_SHOWN)))
    more = sum(len(checked.findings) for checked in results) - MOST_SHOWN
    if more > 0:
        return f"{shown}<p>and {number_of(more, 'finding')} more</p>"
    return shown or "<p>no findings</p>"


def repairable_findings_html(
    errors: Iterable[RepairableFinding],
    replays: Sequence[MatchReplay],
    file_lines: Sequence[str],
    rule_book: RuleBook,
    odds_of_slips: Odds,
) -> str:
    """Return the first `MOST_SHOWN` errors, with boards and proposed repairs, as HTML."""
    names = {one.match.number: one.match.names for one in replays}
    return (
        "".join(
            diagram_html(
                _draw_error_with_repairs(error, names, file_lines, rule_book, odds_of_slips)
            )
            for error in islice(errors, MOST_SHOWN)
        )
        or "<p>no repair found</p>"
    )


def _draw_error_with_repairs(
    error: RepairableFinding,
    names_by_match: Mapping[int, tuple[str, str]],
    file_lines: Sequence[str],
    rule_book: RuleBook,
    odds_of_slips: Odds,
) -> Diagram:
    """Return the board of an error with its proposed repairs."""
    finding = error.finding.under(odds_of_slips)
    line = file_lines[finding.line - 1] if finding.line <= len(file_lines) else ""
    checked = CheckOutcome(
        finding.path, finding.path, excerpts={finding.line: line}, names=names_by_match
    )
    proposals = tuple(
        ("Proposal", proposal_line(finding, proposal, OutputOptions(rule_book, odds=odds_of_slips)))
        for proposal in error.proposals
    )
    diagram = draw_checked_finding(finding, checked, rule_book)
    return diagram._replace(facts=(*diagram.facts, *proposals))


def frame_page(page: str) -> str:
    """Return a page in an HTML frame, which keeps its style from affecting the notebook."""
    style = "width:100%;height:40em;border:1px solid #ccc"
    return f'<iframe srcdoc="{escape(page)}" sandbox="allow-scripts" style="{style}"></iframe>'


def diagram_html(diagram: Diagram) -> str:
    """Return a diagram as HTML: title, line of the file, boards and facts."""
    facts = "".join(
        f"<dt>{_escape_text(label)}</dt><dd>{_escape_text(words)}</dd>"
        for label, words in diagram.facts
    )
    line = f"<pre>{_escape_text(diagram.line.strip())}</pre>" if diagram.line.strip() else ""
    boards = "".join(_render_boards(list_titled_boards(diagram)))
    return f"<div><h4>{_escape_text(diagram.title)}</h4>{line}{boards}<dl>{facts}</dl></div>"


def _render_boards(boards: Iterable[tuple[str, Scene]]) -> Iterator[str]:
    """Yield the HTML of boards under their captions."""
    for words, scene in boards:
        caption = f"<figcaption>{_escape_text(words)}</figcaption>" if words else ""
        yield (
            '<figure style="display:inline-block;max-width:24em;margin:0 1em 0 0">'
            f"{caption}{board_svg(scene)}</figure>"
        )


def _escape_text(words: str) -> str:
    """Return text escaped for HTML, without control characters."""
    return escape(printable(words))
