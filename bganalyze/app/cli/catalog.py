"""`bganalyze rule` and `bganalyze formats`: lists of rules and formats, and their pages."""

from typing import Annotated

import typer

from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.io import make_output_options, write
from bganalyze.app.cli.options import Color, Rules
from bganalyze.app.config import load_rule_book
from bganalyze.app.render.catalog import (
    describe_format,
    describe_rule_in_book,
    rule_page,
    tabulate_formats,
    tabulate_rules,
    tabulate_writers,
)
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.board.rule_text import RuleBookError, read_packaged_file
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
        write([describe_format(entry, setting)])
        return
    write([tabulate_formats(KNOWN, setting), "\n", tabulate_writers(WRITERS, setting)])


def rule(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="CODE",
            help="A rule's code or name, the beginning of codes, or a rule book.",
            autocompletion=lambda: [
                *((entry.code, entry.name) for entry in CATALOG),
                *((entry.name, entry.code) for entry in CATALOG),
            ],
        ),
    ] = None,
    rules: Rules = None,
    color: Color = "auto",
) -> None:
    """Explain a rule, or list them.

    With a rule book, also show how that book treats the rule: its clauses and their sources.
    The name of a rule book prints its file, which you can save, change and use.

    Example:

        bganalyze rule
        bganalyze rule P4
        bganalyze rule P406
        bganalyze rule bar-first
        bganalyze rule P406 --rules wbgf-2.1
        bganalyze rule wbgf-2.1 > mine.toml
    """
    setting = make_output_options(color=color)
    name = None if code is None else find_choice(code, RULE_BOOKS)
    if name is not None:
        write([read_packaged_file(RULE_BOOKS[name].name)])
        return
    with exit_on(UnknownRuleError):
        found = CATALOG if code is None else find_rules(code)
    if len(found) > 1:
        write([tabulate_rules(found, setting)])
        return
    write([rule_page(found[0], setting)])
    if rules is not None:
        with exit_on(RuleBookError):
            book = load_rule_book(rules)
        write([describe_rule_in_book(found[0], book, setting)])
