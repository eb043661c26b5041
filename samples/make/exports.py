"""Lets GNU Backgammon write a match of its own in its other formats."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from matches import EXPORTED, played
from selfplay import GNUBG
from spell import export

CLEAN = Path(__file__).resolve().parent.parent / "clean"

EXPORTS = {
    "short-match.sgf": "save match",
    "redoubles.sgf": "save match",
    "redoubles.txt": "export match text",
}
"""Files, each of the match of the same name, and the command that writes them."""

_TIME = re.compile(rb"\n*Output generated .*\n by GNU Backgammon .*\n*")


def write_exports() -> None:
    """Write the files into `clean/`, each as GNU Backgammon writes it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = ["set automatic game off", "set confirm new off", "set confirm save off"]
        for spec in EXPORTED:
            (folder / f"{spec.name}.mat").write_text(export(played(spec)), encoding="utf-8")
        for file, command in EXPORTS.items():
            commands += [f'import mat "{Path(file).stem}.mat"', f'{command} "{file}"']
        subprocess.run(
            [GNUBG, "-t", "-q"],
            cwd=folder,
            env={**os.environ, "HOME": name},
            input="\n".join([*commands, "quit", ""]).encode(),
            stdout=subprocess.DEVNULL,
            timeout=60,
            check=True,
        )
        for file in EXPORTS:
            (CLEAN / file).write_bytes(_joined(folder, file))


def _joined(folder: Path, file: str) -> bytes:
    """What was written, in one piece: a report has a file for each game, and tells the time."""
    parts = sorted(folder.glob(f"{Path(file).stem}*{Path(file).suffix}"))
    return _TIME.sub(b"\n\n", b"\n".join(part.read_bytes() for part in parts))
