"""`bganalyze formats`: the formats that are read."""

from __future__ import annotations

from bganalyze.cli.options import Colour
from bganalyze.cli.page import page, write
from bganalyze.render.catalogue import format_table
from bganalyze.transcript.reader import KNOWN


def command(color: Colour = "auto") -> None:
    """List the formats that are read, and who writes them.

    Example:

        bganalyze formats
    """
    write([format_table(KNOWN, page(colour=color))])
