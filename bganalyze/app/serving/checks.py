"""Checks for the page: the findings of each file as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bganalyze.app.jobs.check import check_file_with_replays, results_in_words
from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render import get_finding_renderer
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.app.serving.events import DisputeShown, FileChecked, FindingShown
from bganalyze.app.serving.requests import Request, open_dropped_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.prose_around import count_lines_of_prose
from bganalyze.repairing.file_to_repair import is_repairable
from bganalyze.text import printable
from bganalyze.validation.findings import Finding, Selection
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.rules.words import place_in_words

EVERYTHING = Selection()


def check(request: Request) -> Iterator[FileChecked]:
    """Yield an event for each file of a request, with the file's findings."""
    for source in request.sources:
        with open_dropped_file(source, request.context) as items:
            for item in items:
                checked, replays = check_file_with_replays(item, request.rule_book, EVERYTHING)
                yield _make_file_event(checked, replays, request.rule_book)


def _make_file_event(
    checked: CheckOutcome, replays: Sequence[MatchReplay], rule_book: RuleBook
) -> FileChecked:
    """Return a checked file and its replayed matches as an event for the web page."""
    is_disputed = bool(checked.disputes)
    disputes = [*_describe_disputes(replays, rule_book)] if is_disputed else []
    settled = replays if not is_disputed else [one for one in replays if not _is_disputed(one)]
    problem = checked.error or checked.skipped
    return {
        "kind": "checked",
        "path": checked.path,
        "title": printable(checked.path),
        "problem": problem and printable(problem),
        "skipped": checked.skipped is not None,
        "producer": checked.record and checked.record.producer,
        "turns": checked.record and checked.record.turns,
        "silenced": checked.silenced,
        "repairable": any(map(is_repairable, checked.findings)),
        "findings": list(map(_make_finding_event, list_by_severity(checked.findings))),
        "prose": sum(count_lines_of_prose(replayed.match) for replayed in replays),
        "results": list(map(printable, results_in_words(settled))),
        "disputes": disputes,
        "jsonl": "".join(get_finding_renderer("jsonl")([checked], OutputOptions(rule_book))),
    }


def list_by_severity(findings: Iterable[Finding]) -> list[Finding]:
    """Return findings with errors first, then warnings, then infos."""
    return sorted(findings, key=lambda finding: finding.severity.rank)


def _make_finding_event(finding: Finding) -> FindingShown:
    """Return a finding in the form in which the web page lists it."""
    return {
        "code": finding.code,
        "severity": finding.severity,
        "message": printable(finding.message),
        "where": printable(place_in_words(finding)),
        "line": finding.line,
        "standing": finding.standing,
    }


def _is_disputed(replayed: MatchReplay) -> bool:
    """Whether the file contradicts a result of the match."""
    from bganalyze.validation.replaying.outcomes import outcome_of

    return bool(outcome_of(replayed).disputed)


def _describe_disputes(
    replays: Sequence[MatchReplay], rule_book: RuleBook
) -> Iterator[DisputeShown]:
    """Yield, for each match with a disputed result, the results that are possible."""
    # Imported for files with disputed results only.
    from bganalyze.app.render.disputes import find_disputed_part
    from bganalyze.app.render.document import Grid, Lines, Note

    for replayed in replays:
        for part in find_disputed_part(replayed, rule_book):
            notes = [block.text for block in part.blocks if isinstance(block, Note)]
            notes += [
                line for block in part.blocks if isinstance(block, Lines) for line in block.lines
            ]
            yield {
                "players": printable(" – ".join(replayed.match.names)),
                "tables": [
                    [
                        list(map(printable, block.headings)),
                        *([printable(cell.text) for cell in row] for row in block.rows),
                    ]
                    for block in part.blocks
                    if isinstance(block, Grid)
                ],
                "notes": list(map(printable, notes)),
            }
