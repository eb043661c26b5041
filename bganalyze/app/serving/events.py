"""The events of an answer to the page, each a line of JSON with its `kind`; and their schema."""

# Annotations are values here, not text: a schema is made of them.

from typing import Any, Literal, TypeAlias, TypedDict

from bganalyze.validation.findings import Severity, Standing

VERSION = 1
"""The version of the schema of events."""


class FindingShown(TypedDict):
    """A finding in the list of a file."""

    code: str
    """The code of the rule, such as `P410`."""
    severity: Severity
    """How grave it is."""
    message: str
    """What is wrong, in words."""
    where: str
    """The game, the row and the player, in words."""
    line: int
    """The line of the file, counted from 1."""
    standing: Standing | None
    """What the player-error rule makes of it; None if the rule does not apply."""


class FileChecked(TypedDict):
    """A file that was checked, or could not be."""

    kind: Literal["checked"]
    """The event that it is."""
    path: str
    """The file as it was sent, or the member of an archive."""
    title: str
    """The same as it can be shown."""
    problem: str | None
    """Why the file could not be read, or was skipped; None if it was checked."""
    skipped: bool
    """Whether it was skipped because it is no match file."""
    producer: str | None
    """The program that wrote the file; None if the file was not checked."""
    turns: int | None
    """Rolls that were replayed; None if the file was not checked."""
    silenced: int
    """Findings that comments of the file silence."""
    repairable: bool
    """Whether a repair can be searched for."""
    findings: list[FindingShown]
    """The findings in their order."""
    disputes: list[str]
    """Results that findings contradict, in words."""
    jsonl: str
    """The findings as `check --format jsonl` writes them."""


class FindingExplained(TypedDict):
    """A finding with its boards."""

    kind: Literal["explained"]
    """The event that it is."""
    title: str
    """The code and the name of the rule."""
    tone: str
    """The severity."""
    boards: list[tuple[str, str]]
    """Boards as HTML, each behind the words that stand above it."""
    line: str
    """The line of the file."""
    facts: list[tuple[str, str]]
    """Labels with what they say."""


class ProposalShown(TypedDict):
    """A proposal of a repair in the list of a file."""

    text: str
    """The proposal in a line."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""


class CauseFound(TypedDict):
    """An error with the proposals that repair it."""

    kind: Literal["cause"]
    """The event that it is."""
    number: int
    """Its number, counted from 1, by which proposals are chosen."""
    code: str
    """The code of the rule."""
    severity: Severity
    """How grave it is."""
    message: str
    """What is wrong, in words."""
    where: str
    """The game, the row and the player, in words."""
    line: int
    """The line of the file, counted from 1."""
    note: str
    """What stands above the proposals for an error that a player may have made; else empty."""
    proposals: list[ProposalShown]
    """The proposals, the likeliest first."""


class SearchEnded(TypedDict):
    """The end of a search for repairs."""

    kind: Literal["searched"]
    """The event that it is."""
    errors: int
    """Errors of the file."""


class FileRepaired(TypedDict):
    """A file with the proposals that were chosen."""

    kind: Literal["repaired"]
    """The event that it is."""
    name: str
    """A name for the file, without folders."""
    data: str
    """The file in Base64."""
    diff: list[str]
    """The lines of a unified diff; empty for a binary file."""
    errorsBefore: int
    """Errors of the file before the repair."""
    errorsAfter: int
    """Errors that are left."""
    leftOut: list[str]
    """The numbers of proposals that were chosen and could not be made with the others."""


class FileConverted(TypedDict):
    """A file in another format."""

    kind: Literal["converted"]
    """The event that it is."""
    name: str
    """A name for the file, without folders."""
    data: str
    """The file in Base64."""
    losses: list[str]
    """Information that the format loses, in words."""


class PageMade(TypedDict):
    """A report, or statistics, as a page."""

    kind: Literal["page"]
    """The event that it is."""
    name: str
    """A name for the page as a file."""
    html: str
    """The page, complete in itself."""


class FilesCounted(TypedDict):
    """The progress of statistics."""

    kind: Literal["counted"]
    """The event that it is."""
    files: int
    """Match files that are counted so far."""


class DecisionsMet(TypedDict):
    """The decisions that an engine is going to evaluate."""

    kind: Literal["met"]
    """The event that it is."""
    decisions: int
    """Decisions of the match."""


class DecisionsAnalyzed(TypedDict):
    """The progress of an engine."""

    kind: Literal["analyzed"]
    """The event that it is."""
    decisions: int
    """Decisions that were evaluated since the last such event."""


class MistakeFound(TypedDict):
    """A decision that cost something."""

    kind: Literal["mistake"]
    """The event that it is."""
    line: str
    """The mistake in a line."""


class RatesFound(TypedDict):
    """The error rates of a match."""

    kind: Literal["rates"]
    """The event that it is."""
    text: str
    """The error rates as a table in text."""


class AnswerEnded(TypedDict):
    """The last event of an answer."""

    kind: Literal["end"]
    """The event that it is."""


class AnswerRefused(TypedDict):
    """The last event of an answer that cannot be given, or not to its end."""

    kind: Literal["refused"]
    """The event that it is."""
    message: str
    """What is wrong, for whoever looks at the page."""


Event: TypeAlias = (
    FileChecked
    | FindingExplained
    | CauseFound
    | SearchEnded
    | FileRepaired
    | FileConverted
    | PageMade
    | FilesCounted
    | DecisionsMet
    | DecisionsAnalyzed
    | MistakeFound
    | RatesFound
    | AnswerEnded
    | AnswerRefused
)
"""A part of an answer."""


def page_schema() -> dict[str, Any]:
    """Return the schema of an event."""
    from bganalyze.app.render.schemas import OutputShapes  # no answer needs it

    return OutputShapes().document("page", VERSION, "Event of an answer to the page", Event)
