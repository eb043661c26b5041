"""`bganalyze show`: one position of a match."""

from __future__ import annotations

from typing import Annotated

import typer

from bganalyze.cli.endings import refuse
from bganalyze.cli.options import Colour
from bganalyze.cli.page import page, write
from bganalyze.corpus import find, load
from bganalyze.files import UnreadableError
from bganalyze.places import PlaceError, place, turn_at
from bganalyze.render.position import position_text
from bganalyze.replaying import replay
from bganalyze.transcript.model import Match
from bganalyze.transcript.reader import NotATranscript, read_bytes


def command(
    path: Annotated[str, typer.Argument(metavar="MATCH", help="A file, archive.zip!member, or -.")],
    where: Annotated[
        str,
        typer.Argument(
            metavar="PLACE",
            help="Game, row as written and side (L or R): 2.14R. No side: the row's first action.",
        ),
    ],
    match: Annotated[
        int, typer.Option(min=1, metavar="N", help="Which match of a file that holds several.")
    ] = 1,
    plays: Annotated[
        int, typer.Option(min=0, metavar="N", help="How many legal plays to list.")
    ] = 20,
    color: Colour = "auto",
) -> None:
    """Show the board before an action, and the legal plays.

    Example:

        bganalyze show match.mat 2.14R
        bganalyze show league.txt 1.3 --match 4 --plays 100
    """
    shown = _match(path, match)
    try:
        turn = turn_at(replay(shown), place(where))
    except PlaceError as error:
        raise refuse(error) from error
    write(position_text(turn, shown, plays, page(colour=color)))


def _match(path: str, number: int) -> Match:
    """The match of that number in a file."""
    try:
        (item,) = find([path])
        matches = read_bytes(load(item), path)
        return matches[number - 1]
    except (UnreadableError, NotATranscript) as error:
        reason = error.reason if isinstance(error, NotATranscript) else error
        raise refuse(f"{path}: {reason}") from error
    except ValueError as error:
        raise refuse(f"{path}: a folder or archive; name one file") from error
    except IndexError as error:
        raise refuse(f"{path}: it holds no match {number}") from error
