"""JSON keys of findings and proposals besides the fields of their types."""

# Annotations are values here, not text: a schema is made of them.

from typing import Annotated, Any, Literal, TypedDict

from bganalyze.text import Files
from bganalyze.validation.findings import Edit, EvidenceKind, Finding

VERSION = 1
"""The version of the schemas of findings and of proposals."""


class ChanceRecord(TypedDict):
    """A probability or its range."""

    probability: float | None
    """From 0 to 1; None if it depends on odds of slips that are not set."""
    probability_range: tuple[float, float] | None
    """The lowest and the highest probability if it depends on odds that are not set; else None."""


class SlipRecord(ChanceRecord):
    """The chance that an error is a transcription slip, and not a player's error."""

    odds: list[str]
    """The odds behind it, slips to errors (`1:9`): those that are set, or both ends of a range."""
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
    """The keys of a finding in JSON that stand for fields not written."""

    position: str | None
    """The board before the play, or the board that a set-up states, as an XGID with the left player as X."""
    cause: CauseRecord | None
    """The likeliest proposal in short; None if there is none."""
    may_be_players: bool
    """Whether a player may have made this error: nothing in the record contradicts it. False for other findings."""
    slip: SlipRecord | None
    """The chance that it is a transcription slip; None if it cannot be a player's error."""


class OfCheckedFinding(OfFinding):
    """The keys of a finding of a check, which include the rule book."""

    rule_book: str
    """The rule book the file was checked by."""


class UnreadableLine(TypedDict):
    """A file that could not be read, as `--format jsonl` writes it among the findings."""

    path: str
    """The file, the member of an archive, or a folder or archive without a match file."""
    name: Literal["unreadable-file"]
    """The mark of such a line; no rule has this name."""
    severity: Literal["error"]
    """Always `error`."""
    message: str
    """Why the file could not be read."""


class FindingsObject(TypedDict):
    """The findings of a run and its files, as `--format json-object` writes them."""

    version: Literal[1]
    """The version of this schema."""
    findings: tuple[Finding, ...]
    """The findings in the order of the files."""
    files: Files
    """Numbers of files read, skipped and unreadable."""


class ProposalLine(ChanceRecord):
    """A proposal of a repair, as a line of `--format jsonl`."""

    path: str
    """The file."""
    match: int
    """The match in its file, counted from 1."""
    game: int | None
    """The game in its match, counted from 1; None if the error concerns no single game."""
    cause: int
    """The number of the error it repairs, counted from 1."""
    code: str
    """The code of the rule of that error."""
    line: int
    """The line of that error, as in its finding by `check`, also for a binary file."""
    column: int
    """The first column of that error, as in its finding by `check`."""
    rank: int
    """Its rank among the proposals for that error, from 1 for the likeliest."""
    kind: str
    """The name of the slip."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""
    evidence: EvidenceKind | None
    """Whether the rest of the match, or the play itself, contradicts the error as recorded; None if that
    was not examined."""
    slip: SlipRecord | None
    """The chance that the error is a slip; None if it cannot be a player's error."""
    edits: list[Annotated[dict[str, Any], Edit]]
    """The lines to change; empty for a binary file."""
    side: str | None
    """The column of the slip, `left` or `right`; None if it concerns both or no column."""
    row: str | None
    """The label of the row, as written."""
    message: str
    """The edit in words."""
    errors_before: int
    """Errors in the file after the first proposals for all earlier errors."""
    errors_after: int
    """Errors in the file with this proposal as well."""
    other_rolls: tuple[tuple[str, ...], ...]
    """The other possible rolls of each turn that is inserted or whose roll is changed (`6-3`)."""
    doubt: str | None
    """The reason in words why the first proposal for an error is not proved; None if it is, and for
    the other proposals."""
