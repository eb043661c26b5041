"""Examine an upload, a file or an archive: its matches, findings with boards, and proposed repairs."""

# Annotations are values here, not text: a schema is made of them.

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeAlias

from bganalyze.app.jobs.check import check_by_all_rules
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.jobs.examination import select_findings
from bganalyze.app.jobs.matches import list_checked
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.app.jobs.repair import RepairSearch
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.players import Players
from bganalyze.repairing.applying import ChosenProposal
from bganalyze.repairing.file_to_repair import is_repairable
from bganalyze.repairing.repairable_finding import RepairableFinding
from bganalyze.statistics.match_list import ListedMatch
from bganalyze.validation.findings import Edit, Finding, Proposal, Selection, Severity, Standing
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.rules.words import place_in_words

DrawBoard: TypeAlias = Callable[[MatchReplay, Finding], str | None]
"""A function that returns the board of a finding as SVG, or None if no more are drawn."""


class FileLabel(NamedTuple):
    """The name of a file of an upload in the result."""

    path: str
    """The name of the upload or, for a member of an archive, `name!member`."""
    member: str | None
    """The path of the member in its archive; None for a file that is no archive."""


class NumberedProposal(NamedTuple):
    """A proposed repair and its number."""

    number: str
    """The number by which `repaired` and `bganalyze repair --choose` take it: `2` is the first proposal
    for error 2 of its file, and `2.3` the third."""
    message: str
    """The edit in words."""
    proved: bool
    """Whether it is the only edit of comparable likelihood with which the game can be replayed."""
    line: int
    """The line of the slip."""
    edits: tuple[Edit, ...]
    """The lines to change; empty if no edit can restore what is lost."""


class ExaminedFinding(NamedTuple):
    """A finding of an upload, with its board and its proposals."""

    path: str
    """The name of the upload; for a member of an archive `name!member`. Never a path on a disk."""
    member: str | None
    """The path of the member in its archive; None for a file that is no archive."""
    place: str
    """The place in words, such as `game 2, row 14, right: Bob`; empty if it concerns the whole file."""
    match: int
    """Number of the match in its file, from 1."""
    line: int
    """The line of the file, counted from 1; of a binary file, the line of its `.bgm` text."""
    column: int
    """First column of the place, in characters from 1."""
    end_column: int
    """The column after its last character."""
    code: str
    """The code of the rule, such as `P410`."""
    name: str
    """The name of the rule."""
    severity: Severity
    """The severity: error, warning or info."""
    message: str
    """The message: what is wrong."""
    game: int | None
    """Number of the game in its match, from 1, as counted; the written number may differ."""
    row: str | None
    """The row label as written."""
    side: str | None
    """`left` or `right`."""
    player: str | None
    """The name of the player, as the match file has it."""
    standing: Standing | None
    """Whether the error can still be corrected (`open`), no more (`stands`), or was (`corrected`); None
    if the player-error rule does not apply."""
    may_be_players: bool
    """Whether a player may have made this error: nothing in the record contradicts it. False for other
    findings."""
    legal: tuple[str, ...] | None
    """Up to five legal plays, those nearest to the written play first."""
    legal_count: int | None
    """Number of all legal plays; `legal` may list only the nearest of them."""
    excerpt: str
    """The text of the line, at most 1,000 characters; empty if it has none."""
    position: str | None
    """The board before the play, or the board that a set-up states, as an XGID with the left player as X."""
    board: str | None
    """The board as SVG: before the action, else before the next one, else at the end of the game. None for
    `appearing`, and after the first 500 boards of an upload."""
    proposals: tuple[NumberedProposal, ...]
    """The proposed repairs, likeliest first."""
    no_proposal_reason: str
    """The reason why an error has no proposal; empty if it has one, and for findings that need none."""


class ExaminedFile(NamedTuple):
    """The findings of one file of an upload, or the reason why it was not read."""

    outcome: FileOutcome
    matches: tuple[ListedMatch, ...] = ()
    findings: tuple[ExaminedFinding, ...] = ()
    appearing: tuple[ExaminedFinding, ...] = ()
    """Errors that only appear once the likeliest proposals are made, with theirs."""
    is_search_complete: bool = True
    """Whether no limit ended the search for repairs."""


class _CheckedFile(NamedTuple):
    """A file after its check, before the search for repairs."""

    outcome: CheckOutcome
    matches: tuple[ListedMatch, ...]
    boards: tuple[str | None, ...]
    """The board of each finding."""
    search: RepairSearch | None
    """The search for repairs, not begun; None without findings."""


class _NumberedCause(NamedTuple):
    """An error with its proposed repairs and its number in the search."""

    number: int
    finding: Finding
    proposals: tuple[Proposal, ...]


def examine_item(
    item: FileToRead, label: FileLabel, rule_book: RuleBook, draw_board: DrawBoard
) -> ExaminedFile:
    """Check one file of an upload, search for repairs, and draw the boards of its findings.

    `label` names the file in the result. `draw_board` returns a board as SVG.
    """
    check = partial(_check_content, item=item, rule_book=rule_book, draw_board=draw_board)
    outcome, checked = apply_to_file(item, check)
    if checked is None:
        return ExaminedFile(outcome)
    named = (match.rename_players(Players()) for match in checked.matches)
    matches = tuple(match._replace(path=label.path) for match in named)
    search = checked.search
    if search is None:
        return ExaminedFile(checked.outcome, matches)
    searching, causes = apply_to_file(item, lambda _: tuple(search))
    reason = searching.error or search.no_repair_reason
    findings, appearing = _join_findings_and_repairs(checked, search, causes or (), reason)
    return ExaminedFile(
        checked.outcome,
        matches,
        tuple(finding._replace(**label._asdict()) for finding in findings),
        tuple(finding._replace(**label._asdict()) for finding in appearing),
        causes is not None and not search.file.effort.was_any_search_cut_short,
    )


def _check_content(
    content: bytes, item: FileToRead, rule_book: RuleBook, draw_board: DrawBoard
) -> _CheckedFile:
    """Check the content of a file, list its matches, and draw the boards of findings."""
    full, replays = check_by_all_rules(content, item.path, rule_book)
    outcome = select_findings(item, full, Selection())
    by_number = {replayed.match.number: replayed for replayed in replays}
    return _CheckedFile(
        outcome,
        list_checked(full, replays, len(content), rule_book),
        tuple(draw_board(by_number[one.match], one) for one in outcome.findings),
        RepairSearch(content, item.path, rule_book) if outcome.findings else None,
    )


def _join_findings_and_repairs(
    checked: _CheckedFile,
    search: RepairSearch,
    causes: Sequence[RepairableFinding],
    reason: str,
) -> tuple[list[ExaminedFinding], list[ExaminedFinding]]:
    """Return the findings with their repairs, then the errors that appear only after other repairs.

    `causes` are the errors with repairs; `reason` says why other errors have none.
    """
    in_text = search.causes_in_text if causes else ()
    numbered = {
        _make_finding_key(cause.finding): _NumberedCause(number, moved.finding, moved.proposals)
        for number, (cause, moved) in enumerate(zip(causes, in_text, strict=True), start=1)
    }
    findings = [
        _make_finding(
            search.find_in_text(finding),
            checked.outcome.excerpts.get(finding.line, ""),
            board,
            numbered.pop(_make_finding_key(finding), None),
            reason,
        )
        for finding, board in zip(checked.outcome.findings, checked.boards, strict=True)
    ]
    appearing = [_make_finding(one.finding, "", None, one, reason) for one in numbered.values()]
    return findings, appearing


def _make_finding_key(finding: Finding) -> tuple[int, str, int, int]:
    """Return a key that identifies a finding in its file: match, rule, line and column."""
    return finding.match, finding.code, finding.line, finding.column


def _make_finding(
    finding: Finding,
    excerpt: str,
    board: str | None,
    cause: _NumberedCause | None,
    reason: str,
) -> ExaminedFinding:
    """Return a finding of an upload, with its board and its proposed repairs.

    `excerpt` is the finding's line in the file. `cause` has the repairs; `reason` says why an error
    has none.
    """
    proposals = () if cause is None else tuple(_number_proposals(cause))
    return ExaminedFinding(
        **{name: getattr(finding, name) for name in _SHARED},
        member=None,
        place=place_in_words(finding),
        excerpt=excerpt,
        board=board,
        proposals=proposals,
        no_proposal_reason=reason if not proposals and is_repairable(finding) else "",
    )


_SHARED = tuple(
    name
    for name in ExaminedFinding._fields
    if (name in Finding._fields and name != "proposals") or name in ("may_be_players", "position")
)
"""The values that are those of the finding itself."""


def _number_proposals(cause: _NumberedCause) -> Iterator[NumberedProposal]:
    """Yield the proposed repairs of an error with their numbers."""
    for rank, one in enumerate(cause.proposals, start=1):
        number = str(ChosenProposal(cause.number, rank))
        yield NumberedProposal(number, one.message, one.proved, one.line, one.edits)
