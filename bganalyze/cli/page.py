"""The page that output is written on: what the terminal, the environment and the options allow."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable

from bganalyze.law import BASIC, Law
from bganalyze.render.setting import Setting

COLOURS = ("auto", "always", "never")
_UNLIMITED = 10_000


def page(
    law: Law = BASIC,
    colour: str = "auto",
    *,
    board: bool = True,
    verbose: bool = False,
    quiet: bool = False,
) -> Setting:
    """Return the setting of this run."""
    full = sys.stdout.isatty() or colour == "always"
    return Setting(
        law,
        full=full,
        width=shutil.get_terminal_size().columns if full else _UNLIMITED,
        colour=colour == "always" or (colour == "auto" and _shows_colour()),
        encoding=sys.stdout.encoding or "ascii",
        board=board,
        verbose=verbose,
        quiet=quiet,
    )


def write(pieces: Iterable[str]) -> None:
    """Write the pieces as they come; a reader of a pipe need not wait for the last."""
    for piece in pieces:
        sys.stdout.write(piece)
        sys.stdout.flush()


def write_bytes(pieces: Iterable[bytes]) -> None:
    """Write the pieces as they are: a file that happens to go to the screen or into a pipe."""
    for piece in pieces:
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()


def _shows_colour() -> bool:
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return sys.stdout.isatty() and not plain
