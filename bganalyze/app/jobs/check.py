"""Check one file: from its bytes to the selected findings, as picklable values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from bganalyze.app.jobs.checked import CheckOutcome, DisputedResult, Record, UnknownCode
from bganalyze.app.jobs.examination import (
    FullCheckResult,
    FullCheckResultOrRefusal,
    FullyCheckedFile,
    Refusal,
    select_findings,
)
from bganalyze.app.jobs.outcome import apply_to_file
from bganalyze.board.rule_book import RuleBook
from bganalyze.files.reading import FileToRead, hash_content
from bganalyze.record.model import Match, Play, Source
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.text import number_of
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding, Selection, Severity
from bganalyze.validation.ignores import Ignores, find_ignores
from bganalyze.validation.replaying.match import MatchReplay, replay

EXCERPT_LIMIT = 1000
"""Characters of a line that are kept for display."""

MOST_EXPLAINED = 3
"""Errors of a file whose causes a check searches; `repair` searches more."""

MOST_ERRORS_EXPLAINED = 8
"""Most errors of a file in which a check searches for causes. In 300 files, one slip caused at most
three errors and three slips seven (measured). With more errors, the search takes 20 times as long as the check."""

MOST_BYTES_EXPLAINED = 200_000
"""Largest file, in bytes, in which a check searches for causes: each cause takes about 20 readings of the
file. The longest match has 70,000 bytes."""


_Seen = TypeVar("_Seen")


def check_file(item: FileToRead, rule_book: RuleBook, selection: Selection) -> CheckOutcome:
    """Check a file by the selected rules, and return its findings or its error."""
    outcome, content = apply_to_file(
        item, partial(_check_or_refuse, path=item.path, rule_book=rule_book)
    )
    return select_findings(item, content or outcome, selection)


def check_file_with_replays(
    item: FileToRead, rule_book: RuleBook, selection: Selection
) -> tuple[CheckOutcome, Sequence[MatchReplay]]:
    """Check a file by the selected rules, and return its findings and its replayed matches."""
    return _check_and_apply(item, rule_book, selection, list)


def _check_and_apply(
    item: FileToRead,
    rule_book: RuleBook,
    selection: Selection,
    apply_to_matches: Callable[[list[MatchReplay]], Sequence[_Seen]],
) -> tuple[CheckOutcome, Sequence[_Seen]]:
    """Check a file; return the findings, and the result of `apply_to_matches(replayed matches)`."""

    def check_and_apply(content: bytes) -> tuple[FullCheckResult, Sequence[_Seen]]:
        """Return the findings in a file's content, and the result of `apply_to_matches`."""
        examination, replays = check_by_all_rules(content, item.path, rule_book)
        return examination, apply_to_matches(replays)

    outcome, examined = apply_to_file(item, check_and_apply)
    content, seen = examined or (outcome, ())
    # Only the findings of the selected rules.
    return select_findings(item, content, selection), seen


def results_in_words(replays: Iterable[MatchReplay]) -> list[str]:
    """Return the result of each match, such as `Ann – Bob: 0–1, won by Bob`."""
    return [
        f"{' – '.join(replayed.match.names)}: {_result_in_words(replayed)}"
        for replayed in replays
        if replayed.games
    ]


def check_content(
    content: bytes, item: FileToRead, rule_book: RuleBook, selection: Selection
) -> CheckOutcome:
    """Check the content of a file by the selected rules, and return its findings.

    Raises NotATranscript if it is no match file.
    """
    return select_findings(item, check_by_all_rules(content, item.path, rule_book)[0], selection)


def check_matches(
    matches: Sequence[Match], rule_book: RuleBook, selection: Selection
) -> CheckOutcome:
    """Check the matches of one file by the selected rules; return findings without repairs."""
    path = matches[0].source.path
    replays = [replay(match, rule_book) for match in matches]
    examination = _build_check_result(matches, replays, findings_of(replays, rule_book))
    return select_findings(FileToRead(path, path), examination, selection)


def check_file_fully(item: FileToRead, rule_book: RuleBook) -> FullyCheckedFile:
    """Check a file by all rules; return the result or the error, with a hash of the content."""
    outcome, examined = apply_to_file(
        item, partial(_check_bytes_fully, path=item.path, rule_book=rule_book)
    )
    return examined or FullyCheckedFile(outcome, None)


def _check_bytes_fully(content: bytes, path: str, rule_book: RuleBook) -> FullyCheckedFile:
    """Check the content of a file by all rules; return the result with a hash of the content."""
    return FullyCheckedFile(_check_or_refuse(content, path, rule_book), hash_content(content))


def _check_or_refuse(content: bytes, path: str, rule_book: RuleBook) -> FullCheckResultOrRefusal:
    """Check the content of a file by all rules, or return why it is no match file."""
    try:
        return check_by_all_rules(content, path, rule_book)[0]
    except NotATranscript as error:
        return Refusal(error.reason, error.recognized_as is not None)


def check_by_all_rules(
    content: bytes, path: str, rule_book: RuleBook
) -> tuple[FullCheckResult, list[MatchReplay]]:
    """Check the content of a file by all rules; return the result and the replayed matches.

    Raises NotATranscript if it is no match file.
    """
    matches = read_bytes(content, path)
    replays = [replay(match, rule_book) for match in matches]
    findings = findings_of(replays, rule_book)
    errors = sum(finding.fails(Severity.ERROR) for finding in findings)
    if errors and are_causes_searched(errors, len(content)):
        findings = _add_likely_causes(findings, replays, content, path, rule_book)
    return _build_check_result(matches, replays, findings), replays


def are_causes_searched(errors: int, size: int) -> bool:
    """Whether a check searches for the slips behind the errors of a file.

    This is so only for a file with few `errors` and a small `size` in bytes.
    """
    # The search is slow otherwise.
    return errors <= MOST_ERRORS_EXPLAINED and size <= MOST_BYTES_EXPLAINED


def find_slips_of_error(finding: Finding, source: Source, rule_book: RuleBook) -> Finding:
    """Return an error with the transcription slips that may have caused it.

    If there are no such slips, or the file is large or very faulty, the error is unchanged.
    """
    if not finding.is_contradicted or not source.lines:
        return finding
    content = "\n".join(source.lines).encode("utf-8", "replace")
    try:
        checked, _ = check_by_all_rules(content, source.path, rule_book)
    except NotATranscript:  # Names were replaced in the lines, for example.
        return finding
    for each in checked.findings:
        if each[:5] == finding[:5]:  # The same place and rule.
            return finding._replace(proposals=each.proposals, may_stand=each.may_stand)
    return finding


def _build_check_result(
    matches: Sequence[Match], replays: Sequence[MatchReplay], findings: Sequence[Finding]
) -> FullCheckResult:
    """Return the result of a check, made of a file's matches and their findings."""
    silent = find_ignores(matches)
    return FullCheckResult(
        _describe_record(matches),
        tuple(findings),
        frozenset(n for n, finding in enumerate(findings) if silent.silences(finding)),
        _list_unknown_codes(silent),
        _collect_excerpts(findings, matches[0].source.lines),
        _collect_names(findings, matches),
        tuple(_find_disputes(findings, replays)),
        _collect_details(findings, replays),
    )


def _find_disputes(
    findings: Sequence[Finding], replays: Iterable[MatchReplay]
) -> Iterator[DisputedResult]:
    """Yield each result of a game or match that a finding contradicts."""
    if not findings:
        return
    # Imported for files with findings only.
    from bganalyze.validation.replaying.outcomes import DISPUTING, outcome_of
    from bganalyze.validation.rules.disputed_results import find_disputes, list_names_of_games

    disputed = {finding.match for finding in findings if finding.name in DISPUTING}
    for replayed in replays:
        if replayed.match.number in disputed:
            for dispute in find_disputes(outcome_of(replayed), list_names_of_games(replayed)):
                several = f"match {replayed.match.number}, " if replayed.match.number > 1 else ""
                yield DisputedResult(f"{several}{dispute}", dispute.codes)


def _add_likely_causes(
    findings: list[Finding],
    replays: list[MatchReplay],
    content: bytes,
    path: str,
    rule_book: RuleBook,
) -> list[Finding]:
    """Add likely transcription slips to the first errors, and return all findings."""
    # Imported for files with errors only: nine files in ten have none.
    from bganalyze.repairing.file_to_repair import make_file_to_repair
    from bganalyze.repairing.search import attach_repairs, find_repairs_of_findings

    # Without an engine: with one, the faulty files of an archive would take four times as long.
    draft = make_file_to_repair(content, path, rule_book, replays, findings)
    return attach_repairs(findings, find_repairs_of_findings(draft, MOST_EXPLAINED))


def _describe_record(matches: Sequence[Match]) -> Record:
    """Return a summary of a match file: its program, its conventions and its number of turns."""
    conventions = matches[0].conventions
    spelled = {
        "hits": conventions.marks_hits,
        "dances": conventions.writes_dances,
        "resignations": conventions.spells_resignations,
    }
    games = [game for match in matches for game in match.games]
    turns = sum(list(map(type, game.actions)).count(Play) for game in games)
    habits = frozenset(name for name, is_spelled in spelled.items() if is_spelled)
    return Record(conventions.producer, habits, conventions.notes, turns)


def _list_unknown_codes(ignores: Ignores) -> tuple[UnknownCode, ...]:
    """Return the words in `ignore` comments that are no rule codes, with their lines.

    If the comment itself is mistyped, the word is "".
    """
    mistyped = [UnknownCode(line, "") for line in ignores.mistyped]
    if not ignores.words:
        return tuple(mistyped)
    from bganalyze.validation.rules import CODES  # Loads all rules.

    unknown = [UnknownCode(line, text) for line, text, _ in ignores.find_unknown_codes(CODES)]
    return tuple(sorted((*mistyped, *unknown)))


def _collect_excerpts(findings: Iterable[Finding], lines: Sequence[str]) -> dict[int, str]:
    """Return the beginning of each line that has a finding, by line number."""
    numbers = {finding.line for finding in findings}
    return {n: lines[n - 1][:EXCERPT_LIMIT] for n in numbers if 0 < n <= len(lines)}


def _collect_details(
    findings: Iterable[Finding], replays: Iterable[MatchReplay]
) -> dict[int, tuple[tuple[str, str], ...]]:
    """Return labels and values, such as ("Event", "Cup"), of the matches with findings.

    The keys are the numbers of the matches.
    """
    numbers = {finding.match for finding in findings}
    return {
        replayed.match.number: (*_list_details(replayed.match), *_list_result(replayed))
        for replayed in replays
        if replayed.match.number in numbers
    }


def _list_result(replayed: MatchReplay) -> Iterator[tuple[str, str]]:
    """Yield the result of a match under the label "Result"; nothing for a match without games."""
    if replayed.games:
        yield "Result", _result_in_words(replayed)


def _result_in_words(replayed: MatchReplay) -> str:
    """Return the score and the winner of a match, such as `0–1, won by Ann`."""
    # Imported for files with findings, and for the page, only.
    from bganalyze.validation.replaying.outcomes import outcome_of
    from bganalyze.validation.rules.disputed_results import list_names_of_games, result_in_words

    return result_in_words(outcome_of(replayed), list_names_of_games(replayed)[0])


def _list_details(match: Match) -> Iterator[tuple[str, str]]:
    """Yield length, event, round and date of a match, each with its label."""
    from bganalyze.record.dates import date_of_match
    from bganalyze.validation.replaying.terms import length_of

    length = length_of(match)
    if length is not None:
        yield "Played", f"to {number_of(length, 'point')}" if length else "money play"
    for label in ("Event", "Round"):
        if stated := match.tag(label):
            yield label, stated
    dated = date_of_match(match)
    if date := dated.day.date().isoformat() if dated.day else dated.written:
        yield "Date", date


def _collect_names(
    findings: Iterable[Finding], matches: Iterable[Match]
) -> dict[int, tuple[str, str]]:
    """Return the players' names of the matches with findings, by match number."""
    numbers = {finding.match for finding in findings}
    return {match.number: match.names for match in matches if match.number in numbers}
