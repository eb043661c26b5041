"""Findings on a terminal: each with its line, its board and what it means; then the summary."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.app.jobs.checked import Checked
from bganalyze.app.render.board import WIDTH as BOARD_WIDTH
from bganalyze.app.render.board import board_text, scene
from bganalyze.app.render.console import STYLES, as_string, fit
from bganalyze.app.render.setting import OutputOptions
from bganalyze.board.ids import Situation
from bganalyze.board.rule_book import RuleBook
from bganalyze.repairing.search import LIKELY
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.replaying.readings import AS_RECORDED
from bganalyze.validation.rules.words import in_the_record, record_says, remedy, sureness, where

_INDENT = "    "
BOARD_NEEDS = len(_INDENT) + BOARD_WIDTH
"""A page of fewer columns shows no boards."""
_CONTEXT = 20
"""How much of a long line is kept before the place of a finding."""


def explained(finding: Finding, checked: Checked, setting: OutputOptions) -> str:
    """Return a finding with everything that helps to understand it."""
    text = Text()
    _add_head(text, finding, setting)
    if words := where(finding):
        text.append(f"{printable(words, setting.encoding)}\n", "dim")
    _add_excerpt(text, finding, checked.excerpts.get(finding.line), setting)
    names = checked.names.get(finding.match, ("left", "right"))
    if finding.situation is not None and setting.board and has_room(setting):
        for line in _boards(finding, finding.situation, names, setting):
            text.append(f"{_INDENT}{line}\n")
    for label, words in _meaning(finding, setting.rule_book):
        text.append(f"{_INDENT}{label}: ", "dim")
        text.append(printable(words, setting.encoding) + "\n")
    return as_string(text, setting)


def has_room(setting: OutputOptions) -> bool:
    """Whether a board fits the page."""
    return setting.width >= BOARD_NEEDS


def _boards(
    finding: Finding, situation: Situation, names: tuple[str, str], setting: OutputOptions
) -> Iterator[str]:
    """The board before the action and, of an illegal play, after it: beside each other if they fit."""
    before = scene(situation, names)
    first = board_text(before, setting.encoding)
    if finding.after is None:
        yield from first
        return
    after = before._replace(position=finding.after, dice=None)
    heading = "before:", f"after, {printable(finding.reading or AS_RECORDED, setting.encoding)}:"
    first, second = (
        [words, *lines]
        for words, lines in zip(heading, (first, board_text(after, setting.encoding)), strict=True)
    )
    if setting.width >= BOARD_NEEDS + len(_INDENT) + BOARD_WIDTH:
        padded = (set_cell_size(line, BOARD_WIDTH) for line in first)
        yield from (
            f"{left}{_INDENT}{right}".rstrip() for left, right in zip(padded, second, strict=True)
        )
    else:
        yield from (*first, *second)


def _add_head(text: Text, finding: Finding, setting: OutputOptions) -> None:
    place = f"{finding.path}:{finding.line}:{finding.column}"
    text.append(printable(place, setting.encoding), "bold")
    text.append(": ")
    text.append(f"{finding.code} {finding.severity}", STYLES[finding.severity])
    text.append(f": {printable(finding.message, setting.encoding)}\n")


def _add_excerpt(text: Text, finding: Finding, line: str | None, setting: OutputOptions) -> None:
    """Add the line of the file and carets under the place, as wide as it is shown."""
    start, end = finding.column - 1, finding.end_column - 1
    if line is None or start > len(line):
        return
    gutter = f"{finding.line} | "
    cut = _cut(line, start, setting.width - len(gutter))
    before, marked, after = (
        fit(part, setting) for part in (line[cut:start], line[start:end], line[end:])
    )
    room = max(1, setting.width - len(gutter) - cell_len(before))
    text.append(gutter, "dim")
    text.append(_cropped(before + marked + after, setting.width - len(gutter)) + "\n")
    text.append(" " * (len(gutter) - 2) + "| ", "dim")
    carets = "^" * min(room, max(1, cell_len(marked)))
    text.append(" " * cell_len(before) + carets + "\n", STYLES[finding.severity])


def _cut(line: str, start: int, room: int) -> int:
    """How much of the beginning of a long line is cut off, so that the place can be seen."""
    return 0 if len(line) <= room or start < room // 2 else max(0, start - _CONTEXT)


def _cropped(text: str, room: int) -> str:
    return text if cell_len(text) <= room else set_cell_size(text, room).rstrip()


def _meaning(finding: Finding, rule_book: RuleBook) -> Iterator[tuple[str, str]]:
    """What the finding means under the player-error rule, and how the replay went on."""
    if finding.position is not None:
        yield "position", finding.position
    if finding.legal is not None:
        yield "legal plays", ", ".join(finding.legal) or "none"
    if finding.standing is not None:
        set_up = finding.code.startswith("U")
        yield (
            finding.standing,
            remedy(finding.standing, rule_book, finding.closed_by, set_up=set_up),
        )
    if finding.cause is not None:
        yield likely_cause(finding, finding.cause)
    yield from record_says(finding)
    if finding.reading not in (None, AS_RECORDED):
        yield "read as", in_the_record(finding.reading or "")
    if finding.consequences:
        count = finding.consequences
        faults = "1 later fault follows" if count == 1 else f"{count} later faults follow"
        yield "consequences", f"{faults} from it, not listed"


def likely_cause(finding: Finding, proposal: Proposal) -> tuple[str, str]:
    """Return a label, and in words what most likely caused a finding and how sure that is."""
    lowest = (
        proposal.probability if finding.slip is None else proposal.probability * finding.slip.lowest
    )
    label = "most likely" if lowest >= LIKELY else "perhaps"
    sure = "proved" if proposal.proved else sureness(finding, proposal.probability)
    left = f"{number_of(proposal.errors_after, 'error')} then left" if proposal.errors_after else ""
    outcome = left or "the rest of the game then replays"
    return label, f"line {proposal.line}, {proposal.message}; {outcome} ({sure})"
