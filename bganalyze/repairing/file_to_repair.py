"""Files to repair: a match file with some repairs made, replayed and checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.edits import LineOrigin, apply_edits, edit_bytes, update_line_origins
from bganalyze.repairing.remedy import FindingKey, Remedy, finding_key
from bganalyze.repairing.work_limit import MOST, WorkLimit
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Edit, Finding, Severity
from bganalyze.validation.replaying.match import MatchReplay, PlayGame, replay, replay_as_meant
from bganalyze.validation.rules import CATALOG

REPAIRABLE_WARNINGS = frozenset(rule.code for rule in CATALOG if rule.repaired)
"""Codes of the warnings that mistakes of the transcriber cause."""


def is_repairable(finding: Finding) -> bool:
    """Whether `repair` handles a finding: an error, or a repairable warning."""
    return finding.fails(Severity.ERROR) or finding.code in REPAIRABLE_WARNINGS


@dataclass(frozen=True, eq=False, repr=False)
class FileToRepair:
    """A match file after some edits: its text, its replay and its findings."""

    data: bytes
    path: str
    rule_book: RuleBook
    replays: tuple[MatchReplay, ...]
    findings: tuple[Finding, ...]
    source: Sequence[str]
    """Lines of the file before any edit."""
    numbers: Sequence[LineOrigin]
    """Origin of each line: its number in `source`."""
    ignored_codes: tuple[str, ...] = ()
    """Starts of codes. Findings with such codes are ignored in an excerpt, because they compare
    games that it lacks."""
    explained: frozenset[FindingKey] = frozenset()
    """Findings to ignore, because they follow from parts that are missing in the file."""
    effort: WorkLimit = field(default_factory=WorkLimit)
    """Work left for repairing the file."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines of the file with the edits made so far."""
        return self.replays[0].match.source.lines

    @cached_property
    def errors(self) -> tuple[Finding, ...]:
        """The errors of the file, without ignored ones and those corrected in the game."""
        return tuple(
            finding for finding in self._relevant_findings if finding.fails(Severity.ERROR)
        )

    @cached_property
    def to_repair(self) -> tuple[Finding, ...]:
        """The errors to repair, followed by the warnings that an edit can remove."""
        warnings = (
            finding for finding in self._relevant_findings if finding.code in REPAIRABLE_WARNINGS
        )
        return (*self.errors, *warnings)

    @property
    def _relevant_findings(self) -> Iterator[Finding]:
        """The findings that are neither ignored nor explained by missing parts of the file."""
        return (
            finding
            for finding in self.findings
            # In a part of a file, some findings depend on other parts.
            if not finding.code.startswith(self.ignored_codes)
            # Text known to be missing causes findings, too.
            and finding_key(finding) not in self.explained
        )

    @cached_property
    def problem_count(self) -> int:
        """Number of errors and warnings to repair, together with their consequences."""
        return sum(1 + (finding.consequences or 0) for finding in self.to_repair)

    def source_line(self, line: int) -> int:
        """Return the number of a line in the original file.

        An inserted line gets the number of the line below it.
        """
        return self.numbers[line - 1].line if line <= len(self.numbers) else len(self.source) + 1

    def with_repair_made(self, remedy: Remedy) -> FileToRepair:
        """Return the file with a repair made, read and checked again.

        A repair without edits only explains findings, which are then ignored.
        """
        # Without edits, it states that text is missing: the errors caused by that are removed.
        if remedy.edits:
            return self.with_edits(remedy.edits)
        return replace(self, explained=self.explained | remedy.explained)

    def with_edits(self, edits: Iterable[Edit]) -> FileToRepair:
        """Return the file with lines edited, read and checked again.

        Raises NotATranscript if the file then holds no match, UnicodeEncodeError if the file's
        encoding lacks a character, and EffortSpentError at the work limit.
        """
        edits = tuple(edits)
        data = edit_bytes(self.data, edits)
        replays, findings = _read_and_check(data, self.path, self.rule_book, self.effort.play)
        self.effort.spend_on_trial()
        numbers = update_line_origins(self.numbers, edits)
        return replace(self, data=data, replays=replays, findings=findings, numbers=numbers)

    def check_excerpt(self, text: str) -> FileToRepair:
        """Read and check `text`, some lines of this file, as a file of its own.

        Raises NotATranscript if the text holds no match, and EffortSpentError at the work limit.
        """
        data = text.encode("utf-8", "replace")
        replays, findings = _read_and_check(data, self.path, self.rule_book, self.effort.play)
        self.effort.spend_on_trial()
        return make_file_to_repair(data, self.path, self.rule_book, replays, findings, self.effort)

    def with_fresh_limit(self, most: float = MOST) -> FileToRepair:
        """Return the same file with a new work limit, in boards tried in replays."""
        return replace(self, effort=WorkLimit(most))

    def translate_to_source(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Convert edits of the file as repaired so far to edits of the original file.

        The result includes earlier repairs of the same lines.
        """
        edits = tuple(edits)
        places: set[int] = set()
        for line, old, new in edits:
            if old is None or self.numbers[line - 1].is_inserted:
                places.add(self.source_line(line))
            else:
                number = self.source_line(line)
                yield Edit(number, self.source[number - 1], new)
        if places:
            numbers = update_line_origins(self.numbers, edits)
            for (number, is_inserted), text in zip(
                numbers, apply_edits(self.lines, edits), strict=True
            ):
                if is_inserted and number in places:
                    yield Edit(number, None, text)

    def deletes_inserted_line(self, edits: Iterable[Edit]) -> bool:
        """Whether any of these edits deletes a line that an earlier repair inserted."""
        return any(new is None and self.numbers[line - 1].is_inserted for line, _, new in edits)


def read_file_to_repair(data: bytes, path: str, rule_book: RuleBook) -> FileToRepair:
    """Read, replay and check a match file, ready for repairs.

    Raises NotATranscript if the file holds no match.
    """
    return make_file_to_repair(
        data, path, rule_book, *_read_and_check(data, path, rule_book, replay_as_meant)
    )


def make_file_to_repair(
    data: bytes,
    path: str,
    rule_book: RuleBook,
    replays: Sequence[MatchReplay],
    findings: Sequence[Finding],
    effort: WorkLimit | None = None,
) -> FileToRepair:
    """Return a match file that is already replayed and checked, ready for repairs."""
    lines = replays[0].match.source.lines
    numbers = [LineOrigin(line) for line in range(1, len(lines) + 1)]
    effort = effort or WorkLimit()
    return FileToRepair(
        data, path, rule_book, tuple(replays), tuple(findings), lines, numbers, effort=effort
    )


def _read_and_check(
    data: bytes, path: str, rule_book: RuleBook, replay_game: PlayGame
) -> tuple[tuple[MatchReplay, ...], tuple[Finding, ...]]:
    """Read, replay and check a match file, and return its replayed matches and findings.

    `replay_game` replays one game.
    """
    replays = tuple(replay(match, rule_book, replay_game) for match in read_bytes(data, path))
    return replays, tuple(findings_of(replays, rule_book))
