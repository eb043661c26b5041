"""`bganalyze show`: one position of a match."""

import re
from pathlib import Path
from typing import Annotated

import typer

from bganalyze.app.api.show import find_board
from bganalyze.app.cli.exit_status import exit_on, refuse
from bganalyze.app.cli.io import make_output_options, read_line, read_matches, write, write_file
from bganalyze.app.cli.options import Anonymize, Color, Encoding, Force, OneMatch, value_option
from bganalyze.app.render.board import position_text
from bganalyze.app.render.catalog import draw_line_tree
from bganalyze.statistics.anonymity import anonymize_file
from bganalyze.validation.replaying.places import PlaceError

_PLACED = re.compile(r"(.+?):(\d+(?::\d+)?)", re.DOTALL)
"""A file with a place in it, as reports and messages write it."""


def _split_place(path: str, where: str | None) -> tuple[str, str]:
    """Return a file's path and a place in it, even if both were given as one word.

    >>> _split_place("a.mat", "2.14R"), _split_place("a.mat:41:38", None)
    (('a.mat', '2.14R'), ('a.mat', '41:38'))
    """
    if where is not None:
        return path, where
    placed = _PLACED.fullmatch(path)
    if placed is None or Path(path).exists():
        raise refuse(f"{path}: name a place in it, such as 2.14R or 41:38")
    return placed[1], placed[2]


def command(
    path: OneMatch,
    where: Annotated[
        str | None,
        typer.Argument(
            metavar="PLACE",
            help="Game, row as written and side (L or R): 2.14R; without a side, the first action "
            "of the row. Or a line of the file: 41, 41R, or 41:38 as in a finding. MATCH:41:38 is "
            "read as both.",
        ),
    ] = None,
    match: Annotated[
        int, value_option("N", "Which match of a file that holds several.", min=1)
    ] = 1,
    plays: Annotated[int, value_option("N", "How many legal plays to list.", min=0)] = 20,
    svg: Annotated[Path | None, value_option("FILE", "Draw the board there, as SVG.")] = None,
    png: Annotated[Path | None, value_option("FILE", "Draw the board there, as PNG.")] = None,
    tree: Annotated[
        bool, typer.Option("--tree", help="Show how the grammar reads a line.")
    ] = False,
    encoding: Encoding = None,
    force: Force = False,
    anonymize: Anonymize = False,
    color: Color = "auto",
) -> None:
    """Show the board before an action, and the legal plays.

    --svg and --png draw the board to a file instead. --tree shows how a line of the file is read.

    Example:

        bganalyze show match.mat 2.14R
        bganalyze show match.mat 41
        bganalyze show match.mat:41:38
        bganalyze show league.txt 1.3 --match 4 --plays 100
        bganalyze show match.mat 2.14R --svg board.svg --anonymize
        bganalyze show match.mat 41 --tree
    """
    path, where = _split_place(path, where)
    if tree:
        write(_read_line_parts(path, where, encoding))
        return
    matches = read_matches(path, encoding)
    with exit_on(PlaceError):
        board = find_board(anonymize_file(matches) if anonymize else matches, where, match)
    if svg is not None:
        write_file(svg, board.svg().encode(), force=force)
    if png is not None:
        write_file(png, board.png(), force=force)
    if svg is None and png is None:
        write(position_text(board.turn, board.match, plays, make_output_options(color=color)))


def _read_line_parts(path: str, number: str, encoding: str | None) -> list[str]:
    """Return a drawing of the parts into which the file's grammar divides a line.

    Ends the run if the line with this number is blank or missing.
    """
    if not number.isdecimal():
        raise refuse(f"{number}: --tree takes the number of a line")
    parts = read_line(path, int(number), encoding)
    if parts is None:
        raise refuse(f"{path}:{number}: a blank line, or after the end of the file")
    return [draw_line_tree(parts)]
