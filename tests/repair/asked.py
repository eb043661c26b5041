"""Proposals as a user gets them: from the command, or from the library in this process."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import bganalyze
from tests.repair.outcome import Proposal, proposal_of

ENGINE = "bgsage"

RUN = "import sys{}; from bganalyze.cli import main; sys.argv[0] = 'bganalyze'; main()"


class Answer(NamedTuple):
    """What is proposed for a file, and how long that took, in seconds of the clock."""

    proposals: list[Proposal]
    seconds: float


def can_repair() -> bool:
    """Whether this version of the program has a room for repairs."""
    return find_spec("bganalyze.repair") is not None


def hide_engine() -> None:
    """Make this process one in which the engine is not installed."""
    sys.modules[ENGINE] = None  # type: ignore[assignment]


def by_command(paths: Iterable[Path], engine: bool) -> dict[str, Answer]:
    """Run `bganalyze repair` once over the files; each is given the same share of the time."""
    names = [str(path) for path in paths]
    hidden = "" if engine else f"; sys.modules[{ENGINE!r}] = None"
    command = [sys.executable, "-c", RUN.format(hidden), "repair", *names, "--format", "jsonl"]
    before = time.perf_counter()
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = (time.perf_counter() - before) / len(names)
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr)
    of_path: dict[str, list[Proposal]] = defaultdict(list)
    for line in run.stdout.splitlines():
        record = json.loads(line)
        of_path[record["path"]].append(proposal_of(record))
    return {name: Answer(of_path[name], seconds) for name in names}


def by_library(paths: Iterable[Path]) -> dict[str, Answer]:
    """Ask `bganalyze.repair` for each file, which is read before the clock runs."""
    return {str(path): _asked(path) for path in paths}


def _asked(path: Path) -> Answer:
    from bganalyze.repair import proposals

    data = path.read_bytes()
    matches = bganalyze.read_bytes(data, str(path))
    before = time.perf_counter()
    answer = [
        proposal_of(record)
        for match in matches
        for record in _records(proposals(match, "\n".join(match.source.lines)))
    ]
    return Answer(answer, time.perf_counter() - before)


def _records(proposals: Iterable[Any]) -> Iterator[Mapping[str, Any]]:
    """Proposals of the library as lines of JSON would have them."""
    for proposal in proposals:
        if isinstance(proposal, Mapping):
            yield proposal
            continue
        edits = [edit._asdict() for edit in proposal.edits]
        fields = (name for name in Proposal._fields if name != "edits")
        yield {name: getattr(proposal, name) for name in fields} | {"edits": edits}
