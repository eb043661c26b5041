"""Writing the file that an option names."""

from __future__ import annotations

from pathlib import Path

from bganalyze.cli.endings import refuse, tell
from bganalyze.files.files import reason
from bganalyze.files.outputs import put, replace_file


def place_file(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file, over what somebody else made only by `force`; raise OSError."""
    (put if force else replace_file)(path, content)


def write_file(path: Path, content: bytes, *, force: bool) -> None:
    """Write a file and say so on standard error, or end the run saying why it cannot be."""
    try:
        place_file(path, content, force=force)
    except OSError as error:
        raise refuse(f"{path}: {reason(error)}") from error
    tell(f"wrote {path}")
