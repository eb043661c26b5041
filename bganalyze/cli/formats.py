"""`bganalyze formats`: the formats that are read and written."""

from __future__ import annotations

from bganalyze.cli.options import Colour
from bganalyze.cli.page import page, write
from bganalyze.render.catalogue import format_table, writer_table
from bganalyze.transcript.formats import KNOWN
from bganalyze.writing import WRITERS


def command(color: Colour = "auto") -> None:
    """List the formats that are read and written.

    The last column tells what the reading rests on: genuine files, the importer of another
    program, or documents alone.

    Example:

        bganalyze formats
    """
    setting = page(colour=color)
    write([format_table(KNOWN, setting), "\n", writer_table(WRITERS, setting)])
