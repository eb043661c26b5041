"""Proposals of a repair, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bganalyze.jobs.repair import Diagnosed
from bganalyze.repair.search import Cause, Proposal


def render_jsonl(diagnosed: Diagnosed) -> Iterator[str]:
    """Yield a line of JSON for each proposal: the causes of a file are numbered from 1."""
    for number, cause in enumerate(diagnosed.causes, start=1):
        for rank, proposal in enumerate(cause.proposals, start=1):
            yield json.dumps(_record(diagnosed.path, number, rank, cause, proposal)) + "\n"


def _record(
    path: str, number: int, rank: int, cause: Cause, proposal: Proposal
) -> dict[str, object]:
    return {
        "path": path,
        "match": cause.finding.match,
        "game": cause.finding.game,
        "cause": number,
        "rank": rank,
        "kind": proposal.kind,
        "probability": round(proposal.probability, 4),
        "proved": proposal.proved,
        "edits": [edit._asdict() for edit in proposal.edits],
        "side": proposal.side,
        "row": proposal.row,
        "message": proposal.message,
        "errors_before": proposal.errors_before,
        "errors_after": proposal.errors_after,
    }
