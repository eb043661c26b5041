"""List the matches of one file: from its bytes to entries of a list, as picklable values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import TypeAlias

from bganalyze.analysis.select import find_analysis_of_replay
from bganalyze.app.jobs.check import are_causes_searched, check_by_all_rules
from bganalyze.app.jobs.examination import FullCheckResult
from bganalyze.app.jobs.outcome import FileOutcome, apply_to_file
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.files.reading import FileToRead
from bganalyze.record.model import Match
from bganalyze.record.reader import read_bytes
from bganalyze.statistics.match_list import ListedMatch, list_match
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.ignores import find_ignores
from bganalyze.validation.replaying import MatchReplay, replay


@dataclass(frozen=True, slots=True)
class ListedFile(FileOutcome):
    """The outcome of one file: its matches, or the reason why it was not read."""

    matches: tuple[ListedMatch, ...] = ()


_ListContent: TypeAlias = Callable[..., tuple[ListedMatch, ...]]
"""A function of a file's content, `path` and `rule_book`."""


def list_file(item: FileToRead, rule_book: RuleBook) -> ListedFile:
    """Read a file; return its matches as lines of a match list, or its error."""
    return _list_item(item, list_content, rule_book)


def list_file_briefly(item: FileToRead, rule_book: RuleBook) -> ListedFile:
    """Read a file; return its matches as lines of a match list without repairs and PR."""
    # These take most of the time.
    return _list_item(item, _list_content_briefly, rule_book)


def _list_item(item: FileToRead, list_content: _ListContent, rule_book: RuleBook) -> ListedFile:
    """Read a file; return its outcome with the list that `list_content` makes of its matches."""
    outcome, found = apply_to_file(item, partial(list_content, path=item.path, rule_book=rule_book))
    return ListedFile(**asdict(outcome), matches=found or ())


def list_content(content: bytes, path: str, rule_book: RuleBook) -> tuple[ListedMatch, ...]:
    """Return the matches in a file's content as lines of a match list.

    Raises NotATranscript if it is no match file.
    """
    examination, replays = check_by_all_rules(content, path, rule_book)
    return list_checked(examination, replays, len(content), rule_book)


def list_checked(
    examination: FullCheckResult, replays: Sequence[MatchReplay], size: int, rule_book: RuleBook
) -> tuple[ListedMatch, ...]:
    """Return the matches of a file that was checked as lines of a match list.

    `examination` is the result of the check. The file's `size` in bytes decides whether repairs
    were searched for.
    """
    findings = [
        finding
        for number, finding in enumerate(examination.findings)
        if number not in examination.silenced
    ]
    errors = sum(finding.fails(Severity.ERROR) for finding in examination.findings)
    is_searched = are_causes_searched(errors, size)
    return _list_replays(replays, findings, rule_book, are_repairs_searched=is_searched)


def list_matches(matches: Sequence[Match], rule_book: RuleBook) -> tuple[ListedMatch, ...]:
    """Return matches of one file as lines of a match list, without searching repairs."""
    replays = [replay(match, rule_book) for match in matches]
    findings = _collect_unsilenced_findings(matches, replays, rule_book)
    return _list_replays(replays, findings, rule_book, are_repairs_searched=False)


def _list_content_briefly(
    content: bytes, path: str, rule_book: RuleBook
) -> tuple[ListedMatch, ...]:
    """Return the matches in a file's content as lines of a match list without repairs and PR.

    Raises NotATranscript if it is no match file.
    """
    matches = read_bytes(content, path)
    replays = [replay(match, rule_book) for match in matches]
    findings = _collect_unsilenced_findings(matches, replays, rule_book)
    return tuple(list_match(one, findings, are_repairs_searched=False) for one in replays)


def _collect_unsilenced_findings(
    matches: Sequence[Match], replays: Sequence[MatchReplay], rule_book: RuleBook
) -> list[Finding]:
    """Return the findings in a file's matches, except those that `ignore` comments silence."""
    return find_ignores(matches).leave_out_silenced(findings_of(replays, rule_book))


def _list_replays(
    replays: Sequence[MatchReplay],
    findings: Sequence[Finding],
    rule_book: RuleBook,
    *,
    are_repairs_searched: bool,
) -> tuple[ListedMatch, ...]:
    """Return replayed matches as lines of a match list, with PR.

    With `are_repairs_searched`, the lines also count the repairs that the check found.
    """
    return tuple(
        list_match(replayed, findings, are_repairs_searched=are_repairs_searched).rate_players(
            find_analysis_of_replay(_replay_by_basic(replayed, rule_book), None)
        )
        for replayed in replays
    )


def _replay_by_basic(replayed: MatchReplay, rule_book: RuleBook) -> MatchReplay:
    """Return a match replayed by the basic rules. It was `replayed` by `rule_book` before."""
    # Analyses fit only this replay.
    return replayed if rule_book == BASIC else replay(replayed.match)
