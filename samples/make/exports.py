"""Lets GNU Backgammon write a match of its own in its other formats."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from selfplay import GNUBG

EXPORTS = {
    "short-match.sgf": "save match",
    "redoubles.sgf": "save match",
    "redoubles.txt": "export match text",
}
"""Files, each made of the match text of the same name, and the command that writes them."""

_TIME = re.compile(rb"\n*Output generated .*\n by GNU Backgammon .*\n*")


def exports(texts: dict[str, str], files: Iterable[str] = tuple(EXPORTS)) -> dict[str, bytes]:
    """Return the files, each as GNU Backgammon writes it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = ["set automatic game off", "set confirm new off", "set confirm save off"]
        for file in files:
            source = Path(file).stem + ".mat"
            (folder / source).write_text(texts[source], encoding="utf-8")
            commands += [f'import mat "{source}"', f'{EXPORTS[file]} "{file}"']
        subprocess.run(
            [GNUBG, "-t", "-q"],
            cwd=folder,
            env={**os.environ, "HOME": name},
            input="\n".join([*commands, "quit", ""]).encode(),
            stdout=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
        return {file: _joined(folder, file) for file in files}


def _joined(folder: Path, file: str) -> bytes:
    """What was written, in one piece: a report has a file for each game, and tells the time."""
    parts = sorted(folder.glob(f"{Path(file).stem}*{Path(file).suffix}"))
    return _TIME.sub(b"\n\n", b"\n".join(part.read_bytes() for part in parts))
