"""`bganalyze rule` and `bganalyze formats`: lists of rules and formats, and their pages."""

from collections.abc import Iterator
from typing import Annotated

import typer

from bganalyze.app.cli.endings import refuse, refusing
from bganalyze.app.cli.io import make_output_options, write
from bganalyze.app.cli.options import Color
from bganalyze.app.render.catalog import (
    format_page,
    format_table,
    rule_page,
    rule_table,
    writer_table,
)
from bganalyze.board.rule_book import BASIC, RULE_BOOKS, RuleBook
from bganalyze.record.reader import KNOWN
from bganalyze.text import did_you_mean, find_choice
from bganalyze.validation.rules import CATALOG, UnknownRuleError, find_rules
from bganalyze.writing import WRITERS

# `bganalyze formats`: the formats that are read and written.


def formats(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME",
            help="A format that can be read.",
            autocompletion=lambda: [entry.name for entry in KNOWN],
        ),
    ] = None,
    color: Color = "auto",
) -> None:
    """List the formats that can be read and written, or explain one.

    The last column is the evidence for the format: genuine files, the importer of another
    program, or documents alone. A text format is explained with its grammar: an example, the
    parts of a match, a game and a line, and the tolerated deviations.

    Example:

        bganalyze formats
        bganalyze formats mat
    """
    setting = make_output_options(color=color)
    if name is not None:
        entry = next((entry for entry in KNOWN if entry.name == name), None)
        if entry is None:
            names = ", ".join(entry.name for entry in KNOWN)
            hint = did_you_mean(name, [entry.name for entry in KNOWN])
            raise refuse(f"{name!r} is no format that can be read; there are {names}{hint}")
        write([format_page(entry, setting)])
        return
    write([format_table(KNOWN, setting), "\n", writer_table(WRITERS, setting)])


def rule(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="A rule's code or name, or the beginning of codes.",
            autocompletion=lambda: [
                *((entry.code, entry.name) for entry in CATALOG),
                *((entry.name, entry.code) for entry in CATALOG),
            ],
        ),
    ] = None,
    color: Color = "auto",
) -> None:
    """Explain a rule, or list them.

    Example:

        bganalyze rule
        bganalyze rule P4
        bganalyze rule P406
        bganalyze rule bar-first
    """
    setting = make_output_options(color=color)
    book = None if code is None else find_choice(code, RULE_BOOKS)
    if book is not None:
        write(_rule_book_lines(RULE_BOOKS[book]))
        return
    with refusing(UnknownRuleError):
        rules = CATALOG if code is None else find_rules(code)
    write([rule_table(rules, setting) if len(rules) > 1 else rule_page(rules[0], setting)])


def _rule_book_lines(book: RuleBook) -> Iterator[str]:
    """Yield how to check by a rule book, and the points in which it differs from `basic`."""
    yield f"{book.name} is a rule book: bganalyze check FILE --rules {book.name}\n"
    for switch, value in book._asdict().items():
        if switch != "name" and value != getattr(BASIC, switch):
            yield f"  {switch.replace('_', '-')} = {value}\n"
    yield "What the rule books say is in docs/rule-books.md; `bganalyze rule` lists the rules.\n"
