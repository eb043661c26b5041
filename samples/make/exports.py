"""Exports of matches in GNU Backgammon's other formats, written by that program."""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
from pathlib import Path

from matches import EXPORTED, load_match
from selfplay import GNUBG
from spell import export_match

CLEAN = Path(__file__).resolve().parent.parent / "clean"

EXPORTS = {
    "short-match.sgf": "save match",
    "redoubles.sgf": "save match",
    "redoubles.txt": "export match text",
}
"""Files named like their match, and the command that writes each."""

_TIME = re.compile(rb"\n*Output generated .*\n by GNU Backgammon .*\n*")


def write_exports() -> None:
    """Write the files into `clean/`, each as GNU Backgammon writes it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands = ["set automatic game off", "set confirm new off", "set confirm save off"]
        for spec in EXPORTED:
            (folder / f"{spec.name}.mat").write_text(
                export_match(load_match(spec)), encoding="utf-8"
            )
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
            (CLEAN / file).write_bytes(_join_parts(folder, file))


def _join_parts(folder: Path, file: str) -> bytes:
    """Return the written parts as one file, without the time: a report has a file per game."""
    parts = sorted(folder.glob(f"{Path(file).stem}*{Path(file).suffix}"))
    return _TIME.sub(b"\n\n", b"\n".join(part.read_bytes() for part in parts))
