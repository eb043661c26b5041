"""`bganalyze rule`: the catalogue of rules."""

from __future__ import annotations

from typing import Annotated

import typer

from bganalyze.cli.endings import refuse
from bganalyze.cli.options import Colour
from bganalyze.cli.page import page, write
from bganalyze.render.catalogue import rule_page, rule_table
from bganalyze.rules import CATALOGUE
from bganalyze.rules.lookup import UnknownRuleError, find_rules


def command(
    code: Annotated[
        str | None,
        typer.Argument(metavar="CODE", help="A rule's code or name, or what codes begin with."),
    ] = None,
    color: Colour = "auto",
) -> None:
    """Explain a rule, or list them.

    Example:

        bganalyze rule
        bganalyze rule P4
        bganalyze rule P406
        bganalyze rule bar-first
    """
    setting = page(colour=color)
    try:
        rules = CATALOGUE if code is None else find_rules(code)
    except UnknownRuleError as error:
        raise refuse(error) from error
    write([rule_table(rules, setting) if len(rules) > 1 else rule_page(rules[0], setting)])
