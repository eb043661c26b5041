"""Reports for the page, with the match viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING

from bganalyze.app.api.analyses import find_analysis_of_each
from bganalyze.app.jobs.check import check_file
from bganalyze.app.render.document import Part
from bganalyze.app.render.page_without_tables import render_page_without_tables
from bganalyze.app.render.repaired_part import make_repaired_part
from bganalyze.app.serving.events import PageMade
from bganalyze.app.serving.repairs import make_output_name, open_repaired_file
from bganalyze.app.serving.requests import Request
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead, load_file
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.validation.findings import Selection
from bganalyze.validation.replaying import replay

if TYPE_CHECKING:
    from bganalyze.analysis.store import Store

TABLES = ("numpy", "pandas", "scipy")
"""The packages that tables need."""


def report(request: Request) -> Iterator[PageMade]:
    """Yield a page with the match report of the requested file, after the repairs chosen."""
    with open_repaired_file(request) as (item, made):
        matches = read_bytes(load_file(item), item.path)
        repair_sections_by_match = {
            number: make_repaired_part(those) for number, those in made.items()
        }
        html = (
            _render_full_report(matches, request, repair_sections_by_match)
            # Tables need numpy, pandas and scipy.
            if can_make_tables()
            else _render_short_report(item, matches, request.rule_book, repair_sections_by_match)
        )
    yield {"kind": "page", "name": make_output_name(item.path, ".html"), "html": html}


def can_make_tables() -> bool:
    """Whether the packages that tables need are installed."""
    return all(map(find_spec, TABLES))


def _render_full_report(
    matches: list[Match], request: Request, repair_sections_by_match: Mapping[int, Part]
) -> str:
    """Return the page of a match report with tables and stored analyses."""
    from bganalyze.app.jobs.report import report_matches
    from bganalyze.app.render.match_report import match_page

    find = partial(find_analysis_of_each, store=_open_store(request.context.database))
    return match_page(report_matches(matches, find, request.rule_book), repair_sections_by_match)


def _render_short_report(
    item: FileToRead,
    matches: list[Match],
    rule_book: RuleBook,
    repair_sections_by_match: Mapping[int, Part],
) -> str:
    """Return the page of a match report with findings, but without tables."""
    checked = check_file(item, rule_book, Selection())
    return render_page_without_tables(
        [replay(match, rule_book) for match in matches],
        checked,
        rule_book,
        repair_sections_by_match,
    )


def _open_store(database: str | None) -> Store | None:
    """Return the database of analyses, or None if it does not exist yet."""
    if database is None:
        return None
    from bganalyze.analysis.store import open_existing  # under Pyodide there is no SQLAlchemy
    from bganalyze.analysis.store_error import StoreError

    try:
        return open_existing(database)
    except StoreError:
        return None
