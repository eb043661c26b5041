"""What JSON holds of findings and of proposals, besides the fields of their types."""

# Annotations are values here, not text: a schema is made of them.

from typing import Annotated, Any, Literal, TypedDict

from bganalyze.text import Files
from bganalyze.validation.findings import Edit, EvidenceKind, Finding

VERSION = 1
"""The version of the schemas of findings and of proposals."""


class ChanceRecord(TypedDict):
    """A probability, or the range of it."""

    probability: float | None
    """From 0 to 1; None where it depends on odds of slips that are not set."""
    probability_range: tuple[float, float] | None
    """The lowest and the highest probability where it depends on odds that are not set; else None."""


class SlipRecord(ChanceRecord):
    """The chance that an error is a transcription slip, and not a player's error."""

    odds: list[str]
    """The odds on which it rests, slips to errors (`1:9`): those that are set, or both ends of a range."""
    source: str | None
    """The settings file that states the odds; None if none does."""


class CauseRecord(ChanceRecord):
    """The likeliest proposal in short, without its edits."""

    line: int
    """The line of the slip."""
    row: str | None
    """The label of its row, as written."""
    side: str | None
    """The column of the slip, `left` or `right`; None if it concerns both or no column."""
    kind: str
    """The name of the slip."""
    message: str
    """The edit in words."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""


class OfFinding(TypedDict):
    """The keys of a finding in place of those fields that are not written."""

    position: str | None
    """The board before the play as an XGID, with the left player as X."""
    cause: CauseRecord | None
    """The likeliest proposal in short; None if there is none."""
    slip: SlipRecord | None
    """The chance that it is a transcription slip; None where it cannot be a player's error."""


class OfCheckedFinding(OfFinding):
    """The same of a check, which says by which rules it was made."""

    rule_book: str
    """The rules that the file was checked by."""


class FindingsObject(TypedDict):
    """The findings of a run and its files, as `--format json-object` writes them."""

    version: Literal[1]
    """The version of this schema."""
    findings: tuple[Finding, ...]
    """The findings in the order of the files."""
    files: Files
    """What became of the files of the run."""


class ProposalLine(ChanceRecord):
    """A proposal of a repair, as a line of `--format jsonl`."""

    path: str
    """The file."""
    match: int
    """The match in its file, counted from 1."""
    game: int | None
    """The game in its match, counted from 1; None if the error concerns no single game."""
    cause: int
    """The error of the file that it is proposed for, counted from 1."""
    rank: int
    """Its place among the proposals for that error, the likeliest first, counted from 1."""
    kind: str
    """The name of the slip."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""
    evidence: EvidenceKind | None
    """Whether the rest of the match contradicts the error as recorded; None where that is not asked."""
    slip: SlipRecord | None
    """The chance that the error is a slip; None where it cannot be a player's error."""
    edits: list[Annotated[dict[str, Any], Edit]]
    """The lines to be changed; none in a binary file, which has no lines."""
    side: str | None
    """The column of the slip, `left` or `right`; None if it concerns both or no column."""
    row: str | None
    """The label of the row, as written."""
    message: str
    """The edit in words."""
    errors_before: int
    """Errors in the file, with the first proposals for the causes before this one."""
    errors_after: int
    """Errors in the file with this proposal as well."""
    other_rolls: tuple[tuple[str, ...], ...]
    """For each turn that is put in or whose roll is changed, the rolls that would do as well (`6-3`)."""
