"""The events of answers to the page, and their JSON schema. An event is a line with its `kind`."""

# Annotations are values here, not text: a schema is made of them.

from typing import Any, Literal, TypeAlias, TypedDict

from bganalyze.validation.findings import Severity, Standing

VERSION = 1
"""The version of the schema of events."""


class FindingShown(TypedDict):
    """A finding in the list of a file's findings."""

    code: str
    """The code of the rule, such as `P410`."""
    severity: Severity
    """The severity: error, warning or info."""
    message: str
    """The message."""
    where: str
    """The game, the row and the player, in words."""
    line: int
    """The line of the file, counted from 1."""
    standing: Standing | None
    """The standing under the player-error rule; None if the rule does not apply."""


class DisputeShown(TypedDict):
    """The disputed result of a match."""

    players: str
    """The players of the match."""
    tables: list[list[list[str]]]
    """For each game that was compared, a table of its readings: rows of cells, the headings first."""
    notes: list[str]
    """Further contradictions, what no record shows, and what the rule book says."""


class FileChecked(TypedDict):
    """A file that was checked or could not be read."""

    kind: Literal["checked"]
    """The kind of event."""
    path: str
    """The file as it was sent, or the member of an archive."""
    title: str
    """The path in printable characters."""
    problem: str | None
    """The reason the file could not be read or was skipped; None if it was checked."""
    skipped: bool
    """Whether it was skipped because it is not a match file."""
    producer: str | None
    """The program that wrote the file; None if the file was not checked."""
    turns: int | None
    """Rolls that were replayed; None if the file was not checked."""
    silenced: int
    """Number of findings silenced by comments in the file."""
    repairable: bool
    """Whether it has findings that a repair may remove."""
    findings: list[FindingShown]
    """The findings in their order."""
    prose: int
    """Lines of prose around the matches, such as a mail's greeting."""
    results: list[str]
    """The players and the result of each match without a dispute, in words."""
    disputes: list[DisputeShown]
    """The disputed result of each other match."""
    jsonl: str
    """The findings as `check --format jsonl` writes them."""


class FindingExplained(TypedDict):
    """A finding with its boards."""

    kind: Literal["explained"]
    """The kind of event."""
    title: str
    """The code and the name of the rule."""
    tone: str
    """The severity."""
    boards: list[tuple[str, str]]
    """Pairs of a title and a board as HTML."""
    line: str
    """The line of the file."""
    facts: list[tuple[str, str]]
    """Pairs of a label and its value."""
    place: str
    """The place of its action in the match viewer; empty if it concerns no action."""


class ProposalShown(TypedDict):
    """A proposal of a repair in the list of a file."""

    text: str
    """The proposal on one line."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""


class CauseFound(TypedDict):
    """An error with the proposals that repair it."""

    kind: Literal["cause"]
    """The kind of event."""
    number: int
    """Its number, counted from 1, by which proposals are chosen."""
    code: str
    """The code of the rule."""
    severity: Severity
    """The severity: error, warning or info."""
    message: str
    """The message."""
    where: str
    """The game, the row and the player, in words."""
    line: int
    """The line of the file, counted from 1."""
    note: str
    """The note above the proposals for an error that a player may have made; else empty."""
    proposals: list[ProposalShown]
    """The proposals, the likeliest first."""


class SearchEnded(TypedDict):
    """The end of a search for repairs."""

    kind: Literal["searched"]
    """The kind of event."""
    errors: int
    """Errors of the file."""


class FileRepaired(TypedDict):
    """A file with the proposals that were chosen."""

    kind: Literal["repaired"]
    """The kind of event."""
    name: str
    """A name for the file, without folders."""
    data: str
    """The file in Base64."""
    diff: list[str]
    """The lines of a unified diff; empty for a binary file."""
    errorsBefore: int
    """Number of errors before the repair."""
    errorsAfter: int
    """Number of errors after the repair."""
    leftOut: list[str]
    """The numbers of chosen proposals that could not be combined with the others."""


class FileConverted(TypedDict):
    """A file in another format."""

    kind: Literal["converted"]
    """The kind of event."""
    name: str
    """A name for the file, without folders."""
    data: str
    """The file in Base64."""
    losses: list[str]
    """Information that the format loses, in words."""


class PageMade(TypedDict):
    """A report or statistics as a page."""

    kind: Literal["page"]
    """The kind of event."""
    name: str
    """A name for the page as a file."""
    html: str
    """The page, which needs no other files."""


class FilesCounted(TypedDict):
    """The progress of statistics."""

    kind: Literal["counted"]
    """The kind of event."""
    files: int
    """Number of match files counted so far."""


class PlayersFound(TypedDict):
    """The players of all files, from whom the page lets one be chosen for a profile."""

    kind: Literal["players"]
    """The kind of event."""
    names: list[str]
    """The players, those with the most games first."""


class DecisionsMet(TypedDict):
    """The number of decisions an engine will evaluate."""

    kind: Literal["met"]
    """The kind of event."""
    decisions: int
    """Number of decisions in the match."""


class DecisionsAnalyzed(TypedDict):
    """The progress of an engine."""

    kind: Literal["analyzed"]
    """The kind of event."""
    decisions: int
    """Number of decisions evaluated since the last event of this kind."""


class MistakeFound(TypedDict):
    """A decision that cost equity."""

    kind: Literal["mistake"]
    """The kind of event."""
    line: str
    """The mistake on one line."""


class RatesFound(TypedDict):
    """The error rates of a match."""

    kind: Literal["rates"]
    """The kind of event."""
    text: str
    """The error rates as a table in text."""


class AnswerEnded(TypedDict):
    """The last event of an answer."""

    kind: Literal["end"]
    """The kind of event."""


class AnswerRefused(TypedDict):
    """The last event of an answer that cannot be given or completed."""

    kind: Literal["refused"]
    """The kind of event."""
    message: str
    """The reason, for the user of the page."""


Event: TypeAlias = (
    FileChecked
    | FindingExplained
    | CauseFound
    | SearchEnded
    | FileRepaired
    | FileConverted
    | PageMade
    | FilesCounted
    | PlayersFound
    | DecisionsMet
    | DecisionsAnalyzed
    | MistakeFound
    | RatesFound
    | AnswerEnded
    | AnswerRefused
)
"""An event of an answer."""


def page_event_schema() -> dict[str, Any]:
    """Return the JSON schema of the events that answer a request of the page."""
    from bganalyze.app.render.schemas import OutputShapes  # not needed by answers

    return OutputShapes().schema_of_document(
        "page", VERSION, "Event of an answer to the page", Event
    )
