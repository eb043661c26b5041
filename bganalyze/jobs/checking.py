"""Check one file: from its bytes to the findings a user wants to see, in a form to send about.

`Checked` is all that a run keeps of a file. It is small and can be pickled, so that files may be
checked in other processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace

from bganalyze.checking import check
from bganalyze.files.corpus import Item
from bganalyze.findings import Finding, Selection
from bganalyze.ignores import Word, ignores
from bganalyze.jobs.outcome import Attempted, attempt
from bganalyze.law import Law
from bganalyze.rules import CATALOGUE
from bganalyze.transcript.model import Match, Play
from bganalyze.transcript.reader import read_bytes

CODES = tuple(rule.code for rule in CATALOGUE)

EXCERPT_LIMIT = 1000
"""How much of a line is kept to be shown, in characters."""


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
class Checked(Attempted):
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
    """Return what a check of one file found. Never raises for anything a file may hold."""

    def found(content: bytes) -> Checked:
        blank = Checked(item.path, item.root)
        return _found(blank, read_bytes(content, item.path), law, selection)

    attempted, checked = attempt(item, found)
    return checked or Checked(**asdict(attempted))


def _found(checked: Checked, matches: Sequence[Match], law: Law, selection: Selection) -> Checked:
    lines = matches[0].source.lines
    silent = ignores(lines)
    wanted = [found for found in check(matches, law) if selection.wants(found.code)]
    shown = tuple(found for found in wanted if not silent.silences(found))
    return replace(
        checked,
        record=_record(matches),
        findings=shown,
        silenced=len(wanted) - len(shown),
        unknown_codes=silent.unknown(CODES),
        excerpts=_excerpts(shown, lines),
        names=_names(shown, matches),
    )


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
