"""Writing the file that an option names."""

from __future__ import annotations

from pathlib import Path

import typer

from bganalyze.cli.endings import refuse
from bganalyze.outputs import replace_file


def write_file(path: Path, content: bytes) -> None:
    """Write a file and say so on standard error, or end the run saying why it cannot be."""
    try:
        replace_file(path, content)
    except OSError as error:
        raise refuse(error) from error
    typer.echo(f"wrote {path}", err=True)
