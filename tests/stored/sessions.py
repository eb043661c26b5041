"""The screens of `bganalyze repair --interactive`, for keys that are pressed one after the other."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import ExitStack, chdir
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from unittest.mock import patch

from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from tests.repairing.clean import MATCH
from tests.stored.findings import SAMPLES

DIE, LARGER_DIE, LOST_TURN = (
    (SAMPLES / "faulty" / f"{name}.mat").read_text(encoding="utf-8")
    for name in ("D301-impossible-die", "P410-larger-die", "T105-missing-turn")
)
RESULT = MATCH.replace("Wins 2 points", "Wins 1 point").replace(" Game 3", " Game 4")


class RepairedByHand(NamedTuple):
    """A session at a terminal: the match file, and everything that is typed."""

    text: str
    keys: str
    options: str = "--out out.mat"
    columns: int = 80
    lines: int = 24


SESSIONS = (
    RepairedByHand(f"{DIE.rstrip()}\n\n{LARGER_DIE}", "xutn2p1utsu?\nq", columns=120),
    RepairedByHand(LARGER_DIE, "nntq", "--in-place"),
    RepairedByHand(LARGER_DIE, "q", columns=58),
    RepairedByHand(LOST_TURN, "9nq"),
    RepairedByHand(LOST_TURN, "!q", lines=60, columns=100),
    RepairedByHand(RESULT, "tttq", "--in-place"),
    RepairedByHand(DIE, "ex\ne999\ne7\n  1) 52: 13/8 24/22              72: 8/4 6/4\nq"),
    RepairedByHand(DIE, "e7\n  1) 52: 13/8 24/22              42: 8/4 6/4\nuste5\n Game 9\nqq"),
    RepairedByHand(DIE, "e7\n  1) 52: 13/8 24/22              32: 8/4 6/4\nqq"),
    RepairedByHand(MATCH, ""),
    RepairedByHand("Dear all, no match here.", ""),
)


def show_sessions() -> str:
    """Return the screens of each session, its exit status, and the lines of the file it changed."""
    return "".join(f"{line}\n" for session in SESSIONS for line in _show_session(session))


def _show_session(session: RepairedByHand) -> Iterator[str]:
    size = {"COLUMNS": str(session.columns), "LINES": str(session.lines), "NO_COLOR": "1"}
    with ExitStack() as stack:
        place = Path(stack.enter_context(TemporaryDirectory()))
        stack.enter_context(chdir(place))
        stack.enter_context(patch.dict(os.environ, size))
        stack.enter_context(patch("bganalyze.app.cli.repair_session.require_terminal"))
        Path("match.mat").write_text(session.text, encoding="utf-8")
        words = f"repair match.mat --interactive {session.options}"
        result = CliRunner().invoke(app, shlex.split(words), input=session.keys)
        yield f"$ bganalyze {words}   # {session.columns} columns, keys {session.keys!r}"
        shown = result.stdout.replace("\x1b[2J\x1b[H", "-----\n") + result.stderr
        yield from map(str.rstrip, shown.splitlines())
        yield f"exit status {result.exit_code}"
        for path in sorted(place.iterdir()):
            lines = path.read_text(encoding="utf-8").splitlines()
            was = session.text.splitlines()
            yield from (f"{path.name}: {line}" for line in lines if line not in was)
        yield ""
