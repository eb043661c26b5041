"""`bganalyze rule`: the catalogue of rules."""

from __future__ import annotations

from typing import Annotated

import typer

from bganalyze.cli.endings import refuse
from bganalyze.cli.options import Colour
from bganalyze.cli.page import page, write
from bganalyze.lookup import UnknownRuleError, find_rule
from bganalyze.render.catalogue import rule_page, rule_table
from bganalyze.rules import CATALOGUE


def command(
    code: Annotated[
        str | None, typer.Argument(metavar="CODE", help="A rule's code or name.")
    ] = None,
    color: Colour = "auto",
) -> None:
    """Explain a rule, or list them all.

    Example:

        bganalyze rule
        bganalyze rule P406
        bganalyze rule bar-first
    """
    setting = page(colour=color)
    if code is None:
        write([rule_table(CATALOGUE, setting)])
        return
    try:
        write([rule_page(find_rule(code), setting)])
    except UnknownRuleError as error:
        raise refuse(error) from error
