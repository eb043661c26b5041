"""Proposals as a user gets them: from the command, or from the library in this process."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.repairing.outcome import Proposal, Proposed, find_proposal

ENGINE = "bgsage"

MOST_SECONDS = 60
"""After so long the library is not waited for any longer, with whatever file."""

RUN = "import sys{}; from bganalyze.app.cli import main; sys.argv[0] = 'bganalyze'; main()"


def can_repair() -> bool:
    """Whether this version of the program has a room for repairs."""
    return find_spec("bganalyze.repairing") is not None


def hide_engine() -> None:
    """Make this process one in which the engine is not installed."""
    sys.modules[ENGINE] = None  # type: ignore[assignment]


def by_command(paths: Iterable[Path], engine: bool) -> dict[str, Proposed]:
    """Run `bganalyze repair` once over the files; each is given its share of the time."""
    names = [str(path) for path in paths]
    hidden = "" if engine else f"; sys.modules[{ENGINE!r}] = None"
    program = [sys.executable, "-c", RUN.format(hidden)]
    command = [*program, "repair", *names, "--format", "jsonl", "--workers", "1"]
    before = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = (time.perf_counter() - before) / len(names)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr)
    of_path: dict[str, list[Proposal]] = defaultdict(list)
    for line in run.stdout.splitlines():
        record = json.loads(line)
        of_path[record["path"]].append(find_proposal(record))
    return {name: Proposed(of_path[name], seconds) for name in names}


def by_library(paths: Iterable[Path]) -> dict[str, Proposed]:
    """Ask the library for each file in this process, by whose processor time it is measured."""
    return {str(path): _ask(path) for path in paths}


def _ask(path: Path) -> Proposed:
    from bganalyze.repairing.search import find_repairs_in_file

    data = path.read_bytes()
    before = time.process_time()
    signal.signal(signal.SIGALRM, _give_up)
    signal.alarm(MOST_SECONDS)
    try:
        causes = find_repairs_in_file(data, str(path))
    except Exception as error:  # noqa: BLE001 - one file that ends badly is not to end the run
        print(f"{path}: {error!r}", file=sys.stderr)
        causes = []
    signal.alarm(0)
    seconds = time.process_time() - before
    proposals = [
        find_proposal(_record(proposal) | {"cause": cause, "rank": rank})
        for cause, proposed in enumerate(causes, 1)
        for rank, proposal in enumerate(proposed.proposals, 1)
    ]
    return Proposed(proposals, seconds)


def _give_up(*_: object) -> None:
    raise TimeoutError(f"no answer after {MOST_SECONDS} seconds")


def _record(proposal: Any) -> dict[str, Any]:
    return proposal._asdict() | {"edits": [edit._asdict() for edit in proposal.edits]}
