"""What a repair proposes for each slip in a small match, with its likelihood to four digits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from bganalyze.record.reader import read_bytes
from bganalyze.repairing.search import find_repairs_in_file
from bganalyze.validation.checking import check
from bganalyze.validation.findings import Finding, Proposal
from tests.faults.catalog import FAULTS
from tests.faults.damage import Damage
from tests.repairing.clean import MATCH, clean

MOST_EDITS = 3
"""Most edits of a proposal that are shown."""

ODD = {
    "a take with two letters exchanged": ("Takes", "Tkaes"),
    "a pass with two letters exchanged": ("Drops", "Dorps"),
    "a pass that cannot be read": ("Drops", "smear"),
    "a double with two letters exchanged": (
        "13/9              Doubles",
        "13/9              Duobles",
    ),
    "a double to too much": ("13/9              Doubles => 2", "13/9              Doubles => 8"),
    "a double without a number": ("13/9              Doubles => 2", "13/9              Dobles"),
    "a take in two rows": ("  5)  Takes   ", "  5)  Takes\n  5)  Takes   "),
    "a beaver instead of a take": ("Takes       ", "Beavers => 4"),
    "a result with two letters exchanged": ("Wins 2 points", "Wnis 2 points"),
    "a score that cannot be read": ("Ann : 2      ", "Ann : ?      "),
    "a game line that cannot be read": (" Game 2", " Gmae 2"),
    "a dance with a play": ("66:            ", "66: bar/19(2)  "),
    "a roll of one die": ("63: 24/15\n  7)", "6: 24/15\n  7)"),
}
"""Changes of the match, each by hand: what was written, and what is written now."""


def repair_slips(seed: int) -> str:
    """Return a slip of each kind: the lines it changes, the findings, and the edits proposed."""
    record, seen, described = clean(), {MATCH}, []
    for fault in FAULTS:
        slip = fault.make(record, Random(seed))
        if slip is not None and (text := "\n".join(slip.lines)) not in seen:
            seen.add(text)
            described.append(_describe(fault.name, text, _changed_lines(slip)))
    return _write(described)


def repair_odd_slips() -> str:
    """Return slips that were made by hand: the findings, and the edits proposed."""
    return _write(
        _describe(name, MATCH.replace(old, new, 1), iter(())) for name, (old, new) in ODD.items()
    )


def _write(described: Iterable[Iterable[str]]) -> str:
    text = "\n".join("".join(f"{line}\n" for line in lines) for lines in described)
    return text.encode(errors="backslashreplace").decode()


def _changed_lines(slip: Damage) -> Iterator[str]:
    for part in slip.parts:
        yield from (f"- {line}" for line in part.was)
        yield from (f"+ {line}" for line in part.now)


def _describe(name: str, text: str, changed: Iterator[str]) -> Iterator[str]:
    data = text.encode(errors="surrogateescape")
    yield f"== {name}"
    yield from changed
    yield from (
        f"{_place(one)} {one.severity}: {one.message}"
        for one in check(read_bytes(data, "match.mat"))
    )
    for found in find_repairs_in_file(data, "match.mat"):
        yield f"repair of {_place(found.finding)}"
        for proposal in found.proposals:
            yield from _describe_proposal(proposal)


def _place(finding: Finding) -> str:
    return f"{finding.line}:{finding.column} {finding.code}"


def _describe_proposal(proposal: Proposal) -> Iterator[str]:
    why = "proved" if proposal.proved else proposal.doubt or "not proved"
    errors = f"{proposal.errors_before} → {proposal.errors_after}"
    yield f"  {proposal.probability:.4f} {proposal.kind}, {why}, {errors}: {proposal.message}"
    for edit in proposal.edits[:MOST_EDITS]:
        yield f"    {edit.line} {edit.old!r} → {edit.new!r}"
    yield from (f"    or {', '.join(rolls)}" for rolls in proposal.other_rolls)
