"""Lets GNU Backgammon write a match of its own in its other formats."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterable
from pathlib import Path

from selfplay import GNUBG

EXPORTS = {"short-match.sgf": "save match", "redoubles.sgf": "save match"}
"""Files, each made of the match text of the same name, and the command that writes them."""


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
        return {file: (folder / file).read_bytes() for file in files}
