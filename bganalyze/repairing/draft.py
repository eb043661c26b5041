"""Drafts: a file on its way to being repaired, replayed and checked as it stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.reader import read_bytes
from bganalyze.repairing.edits import Number, edited, edited_bytes, numbers_after
from bganalyze.repairing.effort import MOST, Effort
from bganalyze.repairing.remedy import Identity, Remedy, identity
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Edit, Finding, Severity
from bganalyze.validation.replaying.match import MatchReplay, PlayGame, played, replay
from bganalyze.validation.rules import CATALOG

REPAIRABLE_WARNINGS = frozenset(rule.code for rule in CATALOG if rule.repaired)
"""The codes of warnings that come of a slip."""


def is_repairable(finding: Finding) -> bool:
    """Whether a finding is looked at by a repair: an error, or a warning that comes of a slip."""
    return finding.fails(Severity.ERROR) or finding.code in REPAIRABLE_WARNINGS


@dataclass(frozen=True, eq=False, repr=False)
class Draft:
    """A file as some edits leave it."""

    data: bytes
    path: str
    rule_book: RuleBook
    replays: tuple[MatchReplay, ...]
    findings: tuple[Finding, ...]
    source: Sequence[str]
    """The lines of the file as it was."""
    numbers: Sequence[Number]
    """Where the lines come from."""
    untold: tuple[str, ...] = ()
    """How the codes begin of findings that are left aside: lines that are not here would tell them."""
    explained: frozenset[Identity] = frozenset()
    """Findings that are left aside, too: they follow from what is missing."""
    effort: Effort = field(default_factory=Effort)
    """The work that may still be done to repair it."""

    @property
    def lines(self) -> Sequence[str]:
        """The lines as they stand."""
        return self.replays[0].match.source.lines

    @cached_property
    def errors(self) -> tuple[Finding, ...]:
        """The errors that are not corrected by the record itself."""
        return tuple(finding for finding in self._told if finding.fails(Severity.ERROR))

    @cached_property
    def to_repair(self) -> tuple[Finding, ...]:
        """The errors, and behind them the warnings that an edit can repair."""
        warnings = (finding for finding in self._told if finding.code in REPAIRABLE_WARNINGS)
        return (*self.errors, *warnings)

    @property
    def _told(self) -> Iterator[Finding]:
        return (
            finding
            for finding in self.findings
            if not finding.code.startswith(self.untold) and identity(finding) not in self.explained
        )

    @cached_property
    def faults(self) -> int:
        """How much there is to repair, with what follows from it."""
        return sum(1 + (finding.consequences or 0) for finding in self.to_repair)

    def number(self, line: int) -> int:
        """Return which line of the file as it was a line comes from, or stands before."""
        return self.numbers[line - 1].line if line <= len(self.numbers) else len(self.source) + 1

    def with_remedy(self, remedy: Remedy) -> Draft:
        """Return the draft with edits made as `with_edits` does, or with findings explained without any."""
        if remedy.edits:
            return self.with_edits(remedy.edits)
        return replace(self, explained=self.explained | remedy.explained)

    def with_edits(self, edits: Iterable[Edit]) -> Draft:
        """Return the draft with edits of its lines made.

        Raise NotATranscript as `read_bytes` does, UnicodeEncodeError where the encoding of the file
        has not the characters, and EffortSpentError.
        """
        edits = tuple(edits)
        data = edited_bytes(self.data, edits)
        replays, findings = _checked(data, self.path, self.rule_book, self.effort.play)
        self.effort.spend_on_trial()
        numbers = numbers_after(self.numbers, edits)
        return replace(self, data=data, replays=replays, findings=findings, numbers=numbers)

    def excerpt(self, text: str) -> Draft:
        """Return some of the lines as a draft of its own; raise NotATranscript and EffortSpentError."""
        data = text.encode("utf-8", "replace")
        replays, findings = _checked(data, self.path, self.rule_book, self.effort.play)
        self.effort.spend_on_trial()
        return draft_from(data, self.path, self.rule_book, replays, findings, self.effort)

    def refreshed(self, most: float = MOST) -> Draft:
        """Return the draft with so much work that may be done to repair it."""
        return replace(self, effort=Effort(most))

    def of_source(self, edits: Iterable[Edit]) -> Iterator[Edit]:
        """Yield edits of the draft as edits of the file as it was.

        What was changed before in the same lines is changed with them. Where lines are put in, or
        lines that were put in are changed, all that are to stand there are put in.
        """
        edits = tuple(edits)
        places: set[int] = set()
        for line, old, new in edits:
            if old is None or self.numbers[line - 1].is_put_in:
                places.add(self.number(line))
            else:
                number = self.number(line)
                yield Edit(number, self.source[number - 1], new)
        if places:
            numbers = numbers_after(self.numbers, edits)
            for (number, is_put_in), text in zip(numbers, edited(self.lines, edits), strict=True):
                if is_put_in and number in places:
                    yield Edit(number, None, text)

    def takes_back(self, edits: Iterable[Edit]) -> bool:
        """Whether edits of the draft take out a line that was put in before."""
        return any(new is None and self.numbers[line - 1].is_put_in for line, _, new in edits)


def draft_of(data: bytes, path: str, rule_book: RuleBook) -> Draft:
    """Read, replay and check a file; raise NotATranscript as `read_bytes` does."""
    return draft_from(data, path, rule_book, *_checked(data, path, rule_book, played))


def draft_from(
    data: bytes,
    path: str,
    rule_book: RuleBook,
    replays: Sequence[MatchReplay],
    findings: Sequence[Finding],
    effort: Effort | None = None,
) -> Draft:
    """Return the draft of a file that is replayed and checked already."""
    lines = replays[0].match.source.lines
    numbers = [Number(line) for line in range(1, len(lines) + 1)]
    effort = effort or Effort()
    return Draft(
        data, path, rule_book, tuple(replays), tuple(findings), lines, numbers, effort=effort
    )


def _checked(
    data: bytes, path: str, rule_book: RuleBook, play: PlayGame
) -> tuple[tuple[MatchReplay, ...], tuple[Finding, ...]]:
    replays = tuple(replay(match, rule_book, play) for match in read_bytes(data, path))
    return replays, tuple(findings_of(replays, rule_book))
