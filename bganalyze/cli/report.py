"""`bganalyze report`: everything that one match shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bganalyze.anonymity import anonymous_file
from bganalyze.cli.options import Anonymise, Colour, Force, OneMatch, one_of
from bganalyze.cli.page import page, write
from bganalyze.cli.reading import matches_of
from bganalyze.cli.writing import write_file
from bganalyze.ignores import ignores
from bganalyze.law import LAWS
from bganalyze.render.match_reports import FORMATS, match_page, render


def command(
    path: OneMatch,
    format: Annotated[str, one_of(FORMATS, "FORMAT", "How the report is written.")] = "text",
    html: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Write a page there that needs nothing else, and no text."
        ),
    ] = None,
    force: Force = False,
    rules: Annotated[str, one_of(LAWS, "LAW", "The law to judge by.")] = "basic",
    anonymise: Anonymise = False,
    color: Colour = "auto",
) -> None:
    """Report everything that one match shows.

    Points, games, races, checker play, cube, dice and findings; of a file that
    holds several matches all of them. A page of HTML holds everything in itself.

    Example:

        bganalyze report match.mat
        bganalyze report match.mat --html report.html
        bganalyze report match.mat --anonymise --format markdown > shared.md
    """
    from bganalyze.match_report.report import match_reports

    matches = matches_of(path)
    silent = ignores(matches[0].source.lines)
    shown = anonymous_file(matches) if anonymise else matches
    law = LAWS[rules]
    reports = match_reports(shown, law, silent)
    if html is not None:
        write_file(html, match_page(reports).encode(), force=force)
        return
    write(render(reports, format, page(law, color)))
