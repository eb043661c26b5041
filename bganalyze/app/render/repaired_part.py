"""The part of a match report that lists the repairs made before it was written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.app.render.document import Block, Lines, Note, Part
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.render.proposals import proposal_line
from bganalyze.validation.findings import Finding, Proposal

_PLAIN = OutputOptions()


def make_repaired_part(repairs: Sequence[tuple[Finding, Proposal]]) -> Part:
    """Return the section on the repairs made in a match, with questions to the players.

    The questions are about the repairs that are not proved.
    """
    return Part("Repaired", tuple(_list_blocks(repairs)))


def _list_blocks(repairs: Sequence[tuple[Finding, Proposal]]) -> Iterator[Block]:
    """Yield the repairs that were made, then a question about each that is not proved."""
    yield Note("this is the repaired match; these lines of the file were changed", tone="warning")
    yield Lines(tuple(proposal_line(finding, proposal, _PLAIN) for finding, proposal in repairs))
    questions = tuple(
        _make_question(finding, proposal) for finding, proposal in repairs if not proposal.proved
    )
    if questions:
        yield Note("not proved, so please answer")
        yield Lines(questions)


def _make_question(finding: Finding, proposal: Proposal) -> str:
    """Return a question that asks the player concerned whether a repair is right."""
    whom = finding.player if finding.player and proposal.side else "both players"
    place = f"game {finding.game}, " if finding.game else ""
    row = f"row {proposal.row.strip()}, " if proposal.row else ""
    return f"{whom}: {place}{row}was it so? {proposal.message}"
