"""Check one file: from its bytes to the findings a user wants to see, in a form to send about.

`Checked` is all that a run keeps of a file. It is small and can be pickled, so that files may be
checked in other processes.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import NamedTuple

from bganalyze.checking import findings_of
from bganalyze.files.reading import Item
from bganalyze.findings import Finding, Selection, Severity, Standing
from bganalyze.ignores import Word, ignores
from bganalyze.jobs.outcome import CLEAN, FAILED, FileCounts, FileOutcome, attempt
from bganalyze.law import Law
from bganalyze.replaying.match import MatchReplay, replay
from bganalyze.rules import CATALOGUE
from bganalyze.transcript.model import Match, Play
from bganalyze.transcript.reader import read_bytes

CODES = tuple(rule.code for rule in CATALOGUE)

EXCERPT_LIMIT = 1000
"""How much of a line is kept to be shown, in characters."""


MOST_EXPLAINED = 3
"""Of so many errors of a file a check looks for the cause; `repair` looks at more."""


MOST_BYTES_EXPLAINED = 200_000
"""In larger files it looks for none: a cause is looked for by reading the file some twenty times, and
the longest match has 70,000."""


@dataclass(frozen=True, slots=True)
class Record:
    """What a transcript holds and how its producer writes, for counting and for `--verbose`."""

    producer: str
    conventions: frozenset[str]
    """What the record spells out: hits, dances, resignations."""
    notes: tuple[tuple[str, str], ...]
    """(convention, what it was inferred from), for a person to read."""
    turns: int


@dataclass(frozen=True, slots=True)
class Checked(FileOutcome):
    """What became of one file: its findings, or why there are none."""

    record: Record | None = None
    findings: tuple[Finding, ...] = ()
    silenced: int = 0
    """How many findings ignore comments silenced."""
    unknown_codes: tuple[Word, ...] = ()
    """What ignore comments name that begins no rule code."""
    excerpts: Mapping[int, str] = field(default_factory=dict)
    """The text of the lines that have findings."""
    names: Mapping[int, tuple[str, str]] = field(default_factory=dict)
    """The players of each match that has findings, left and right."""


def check_item(item: Item, law: Law, selection: Selection) -> Checked:
    """Return what a check of one file finds. Never raises for anything a file may hold."""
    outcome, checked = attempt(item, partial(_checked, item, law=law, selection=selection))
    return checked or Checked(**asdict(outcome))


def _checked(item: Item, content: bytes, law: Law, selection: Selection) -> Checked:
    matches = read_bytes(content, item.path)
    silent = ignores(matches)
    replays = [replay(match, law) for match in matches]
    every = findings_of(replays, law)
    is_faulty = any(finding.severity is Severity.ERROR for finding in every)
    if is_faulty and len(content) <= MOST_BYTES_EXPLAINED:
        every = _with_causes(every, replays, content, item.path, law)
    selected = [finding for finding in every if selection.wants(finding.code)]
    findings = tuple(finding for finding in selected if not silent.silences(finding))
    return Checked(
        item.path,
        item.root,
        record=_record(matches),
        findings=findings,
        silenced=len(selected) - len(findings),
        unknown_codes=silent.unknown(CODES),
        excerpts=_excerpts(findings, matches[0].source.lines),
        names=_names(findings, matches),
    )


def _with_causes(
    findings: list[Finding], replays: list[MatchReplay], content: bytes, path: str, law: Law
) -> list[Finding]:
    """Return the findings, the first errors with what may have caused them."""
    # Imported for files with errors only: nine files of ten have none.
    from bganalyze.repair.causes import with_causes
    from bganalyze.repair.draft import draft_from
    from bganalyze.repair.search import causes_in

    # Without an engine: a run over an archive would take four times as long where it is faulty.
    draft = draft_from(content, path, law, replays, findings)
    return with_causes(findings, causes_in(draft, most=MOST_EXPLAINED))


def _record(matches: Sequence[Match]) -> Record:
    profile = matches[0].profile
    spelled = {
        "hits": profile.marks_hits,
        "dances": profile.writes_dances,
        "resignations": profile.spells_resignations,
    }
    actions = [action for match in matches for game in match.games for action in game.actions]
    turns = list(map(type, actions)).count(Play)
    conventions = frozenset(name for name, is_spelled in spelled.items() if is_spelled)
    return Record(profile.producer, conventions, profile.notes, turns)


def _excerpts(findings: Iterable[Finding], lines: Sequence[str]) -> dict[int, str]:
    numbers = {finding.line for finding in findings}
    return {n: lines[n - 1][:EXCERPT_LIMIT] for n in numbers if 0 < n <= len(lines)}


def _names(findings: Iterable[Finding], matches: Iterable[Match]) -> dict[int, tuple[str, str]]:
    numbers = {finding.match for finding in findings}
    return {match.number: match.names for match in matches if match.number in numbers}


# The count of a run: what was checked, what was found, and whether the run failed.

MOST_WORST = 10
"""How many of the files with most errors are kept."""


class RuleCount(NamedTuple):
    """What a rule is counted under; the severity may differ from one finding to the next."""

    code: str
    name: str
    severity: Severity


class Worst(NamedTuple):
    """A file with errors. Ordered by their number; of equals the one met first is the worst."""

    errors: int
    before: int
    """Minus the number of files met before."""
    path: str


@dataclass(slots=True)
class Producer:
    """What one producer's files hold."""

    files: int = 0
    turns: int = 0
    errors: int = 0
    conventions: Counter[str] = field(default_factory=Counter)
    """In how many files hits, dances and resignations are spelled out."""


@dataclass(slots=True)
class Tally:
    """What a check has seen so far; `counted` fills it as the results pass by."""

    fail_on: Severity | None = Severity.ERROR
    """From which severity on a finding makes the run fail; None: never."""
    attempts: FileCounts = field(default_factory=FileCounts)
    """The files, read or not."""
    failing: int = 0
    silenced: int = 0
    consequences: int = 0
    severities: Counter[Severity] = field(default_factory=Counter)
    corrected: Counter[Severity] = field(default_factory=Counter)
    """How many of these the record corrects."""
    rules: Counter[RuleCount] = field(default_factory=Counter)
    producers: dict[str, Producer] = field(default_factory=dict)
    worst: list[Worst] = field(default_factory=list)
    """The files with most errors, as a heap."""

    def counted(self, results: Iterable[Checked]) -> Iterator[Checked]:
        """Pass the results on, counting them."""
        for checked in self.attempts.counted(results):
            if checked.record is not None:
                self._count(checked, checked.record)
            yield checked

    def status(self, paths: Iterable[str]) -> int:
        """Return the exit status of a check of these paths."""
        return self.attempts.status(paths, FAILED if self.failing else CLEAN)

    def _count(self, checked: Checked, record: Record) -> None:
        self.silenced += checked.silenced
        for finding in checked.findings:
            self._count_finding(finding)
        errors = sum(finding.severity is Severity.ERROR for finding in checked.findings)
        self._count_producer(record, errors)
        if errors:
            self._keep_worst(Worst(errors, -self.attempts.files, checked.path))

    def _count_finding(self, finding: Finding) -> None:
        self.severities[finding.severity] += 1
        self.rules[RuleCount(finding.code, finding.name, finding.severity)] += 1
        self.corrected[finding.severity] += finding.standing is Standing.CORRECTED
        self.consequences += finding.consequences or 0
        self.failing += finding.fails(self.fail_on)

    def _count_producer(self, record: Record, errors: int) -> None:
        producer = self.producers.setdefault(record.producer, Producer())
        producer.files += 1
        producer.turns += record.turns
        producer.errors += errors
        producer.conventions.update(record.conventions)

    def _keep_worst(self, worst: Worst) -> None:
        if len(self.worst) < MOST_WORST:
            heapq.heappush(self.worst, worst)
        else:
            heapq.heappushpop(self.worst, worst)
