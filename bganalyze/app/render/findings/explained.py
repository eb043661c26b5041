"""Findings on a terminal, each with its line, its board and an explanation."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from bganalyze.app.jobs.checked import CheckOutcome
from bganalyze.app.render.board import WIDTH as BOARD_WIDTH
from bganalyze.app.render.board import Scene, draw_board_text, make_scene, mark_differences
from bganalyze.app.render.console import STYLES, fit_line, render_to_string
from bganalyze.app.render.findings import standing_in_words
from bganalyze.app.render.output_options import OutputOptions
from bganalyze.board.ids import Situation
from bganalyze.board.position import BAR
from bganalyze.board.rule_book import RuleBook
from bganalyze.repairing.proof import GOES_ON, SIDES_EXPLAIN_ANY
from bganalyze.repairing.search import LIKELY
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Finding, Proposal
from bganalyze.validation.replaying.board_guesses import AS_RECORDED, NOT_HIT
from bganalyze.validation.rules.ruling import remedy
from bganalyze.validation.rules.words import (
    describe_evidence,
    describe_probability,
    describe_reading,
    explain_probability,
    name_whom_to_ask,
    place_in_words,
)

_INDENT = "    "
BOARD_NEEDS = len(_INDENT) + BOARD_WIDTH
"""Columns a page needs to show boards."""
_CONTEXT = 20
"""Characters of a long line kept before the place of a finding."""


def explain_finding(finding: Finding, checked: CheckOutcome, setting: OutputOptions) -> str:
    """Return a finding as text, with its line in the file, boards and explanations."""
    text = Text()
    _add_heading(text, finding, setting)
    if words := place_in_words(finding):
        text.append(f"{printable(words, setting.encoding)}\n", "dim")
    _add_excerpt(text, finding, checked.excerpts.get(finding.line), setting)
    names = checked.names.get(finding.match, ("left", "right"))
    if finding.situation is not None and setting.board and is_wide_enough_for_board(setting):
        for line in _draw_boards(finding, finding.situation, names, setting):
            text.append(f"{_INDENT}{line}\n")
    for label, words in _list_explanations(finding, setting.rule_book):
        text.append(f"{_INDENT}{label}: ", "dim")
        text.append(printable(words, setting.encoding) + "\n")
    return render_to_string(text, setting)


def is_wide_enough_for_board(setting: OutputOptions) -> bool:
    """Whether lines of output are wide enough for a board."""
    return setting.width >= BOARD_NEEDS


def _draw_boards(
    finding: Finding, situation: Situation, names: tuple[str, str], setting: OutputOptions
) -> Iterator[str]:
    """Yield the lines of the board before an action and, for an illegal play, of that after it."""
    before, after = finding_scenes(finding, make_scene(situation, names))
    first = draw_board_text(before, setting.encoding)
    if after is None:
        yield from first
        return
    heading = (
        "before:",
        f"after, {printable(name_play_leading_to_after(finding), setting.encoding)}:",
    )
    first, second = (
        [words, *lines]
        for words, lines in zip(
            heading, (first, draw_board_text(after, setting.encoding)), strict=True
        )
    )
    if setting.width >= BOARD_NEEDS + len(_INDENT) + BOARD_WIDTH:
        padded = (set_cell_size(line, BOARD_WIDTH) for line in first)
        yield from (
            f"{left}{_INDENT}{right}".rstrip() for left, right in zip(padded, second, strict=True)
        )
    else:
        yield from (*first, *second)


def name_play_leading_to_after(finding: Finding) -> str:
    """Return words on the play that led to the board after an illegal play.

    The words are `as recorded`, or name another play, such as `8/4 6/4 instead`.
    """
    # A hit that the next play contradicts is still made on this board.
    is_recorded = finding.reading in (None, NOT_HIT)
    return AS_RECORDED if is_recorded else f"{finding.reading}"


MARKED = "points whose checkers are not as expected"


def finding_scenes(finding: Finding, scene: Scene) -> tuple[Scene, Scene | None]:
    """Return the board of a finding and, for an illegal play, the board after it, else None.

    `scene` is the board before the action. Wrong points of a set-up are marked.
    """
    if finding.expected is not None:
        scene = mark_differences(scene, finding.expected)
    if finding.after is None:
        return scene, None
    return scene, scene._replace(position=finding.after, dice=None)


def _add_heading(text: Text, finding: Finding, setting: OutputOptions) -> None:
    """Append the heading of a finding to `text`: place, code, severity and message."""
    place = f"{finding.path}:{finding.line}:{finding.column}"
    text.append(printable(place, setting.encoding), "bold")
    text.append(": ")
    text.append(f"{finding.code} {finding.severity}", STYLES[finding.severity])
    text.append(f": {printable(finding.message, setting.encoding)}\n")


def _add_excerpt(text: Text, finding: Finding, line: str | None, setting: OutputOptions) -> None:
    """Append the finding's line of the file to `text`, with carets (`^`) under its columns."""
    start, end = finding.column - 1, finding.end_column - 1
    if line is None or start > len(line):
        return
    gutter = f"{finding.line} | "
    cut = _count_characters_to_cut(line, start, setting.width - len(gutter))
    before, marked, after = (
        fit_line(part, setting) for part in (line[cut:start], line[start:end], line[end:])
    )
    width = max(1, setting.width - len(gutter) - cell_len(before))
    text.append(gutter, "dim")
    text.append(_crop_to_width(before + marked + after, setting.width - len(gutter)) + "\n")
    text.append(" " * (len(gutter) - 2) + "| ", "dim")
    carets = "^" * min(width, max(1, cell_len(marked)))
    text.append(" " * cell_len(before) + carets + "\n", STYLES[finding.severity])


def _count_characters_to_cut(line: str, start: int, width: int) -> int:
    """Return how many characters to cut from the start of a line to show column `start`.

    `width` is the width of the screen.

    >>> _count_characters_to_cut("x" * 100, 80, 60), _count_characters_to_cut("x" * 100, 20, 60)
    (60, 0)
    """
    return 0 if len(line) <= width or start < width // 2 else max(0, start - _CONTEXT)


def _crop_to_width(text: str, width: int) -> str:
    """Return the start of a text, at most `width` columns wide.

    >>> _crop_to_width("abcdef", 4)
    'abcd'
    """
    return text if cell_len(text) <= width else set_cell_size(text, width).rstrip()


def _list_explanations(finding: Finding, rule_book: RuleBook) -> Iterator[tuple[str, str]]:
    """Yield each explanation of a finding with its label, such as `legal plays`."""
    if finding.expected is not None:
        yield "marked", MARKED
    if words := describe_xgid(finding):
        yield "position", words
    if finding.legal is not None:
        yield "legal plays", finding.legal_in_words
    if words := remedy(finding, rule_book):
        yield standing_in_words(finding.standing), words
    yield from list_likely_slips(finding)
    yield from describe_evidence(finding)
    if finding.reading not in (None, AS_RECORDED):
        yield "read as", describe_reading(finding)
    if finding.consequences:
        count = finding.consequences
        verb = "follows" if count == 1 else "follow"
        later = number_of(count, "later finding")
        yield "consequences", f"{later} {verb} from this one; not listed"


def describe_xgid(finding: Finding) -> str | None:
    """Return the XGID of a finding's position, or None without a position.

    If an illegal play left both sides on one point, a note is added.
    """
    if finding.situation is None:
        return None
    own, other = finding.situation.position
    if any(own[point] and other[BAR - point] for point in range(1, BAR)):
        return (
            f"{finding.position} (an XGID holds one side's checkers on a point; the board has both)"
        )
    return finding.position


_RIVAL = 0.5
"""Least probability of another cause that is shown, as a share of the likeliest one's."""
MOST_RIVALS = 2
"""Maximum number of other causes shown."""


def list_likely_slips(finding: Finding) -> Iterator[tuple[str, str]]:
    """Yield the likeliest transcription slips behind an error, each with a label.

    The label says how likely the slip is.
    """
    if not finding.proposals:
        return
    first, *others = finding.proposals
    yield _choose_likelihood_label(finding, first), _describe_proposal(finding, first)
    least = first.probability * _RIVAL
    rivals = [one for one in others if one.probability >= least] if not first.proved else []
    for rival in rivals[:MOST_RIVALS]:
        yield "or", _describe_proposal(finding, rival)
    if not first.proved and (words := name_whom_to_ask(finding)):
        yield "to be sure", words


def _choose_likelihood_label(finding: Finding, proposal: Proposal) -> str:
    """Return `most likely` if a proposed repair is probably right, otherwise `perhaps`."""
    if proposal.doubt == SIDES_EXPLAIN_ANY:
        return "perhaps"
    lowest = (
        proposal.probability if finding.slip is None else proposal.probability * finding.slip.lowest
    )
    return "most likely" if lowest >= LIKELY else "perhaps"


class RatedRepair(Protocol):
    """A repair with the probability that it is right."""

    @property
    def probability(self) -> float:
        """The probability that the repair is right, if the transcriber made the error."""

    @property
    def proved(self) -> bool:
        """Whether the repair is the only possible one."""

    @property
    def doubt(self) -> str | None:
        """The reason why the repair is not proved, or None if it is."""


def describe_chance(finding: Finding, repair: RatedRepair) -> str:
    """Return in words how likely a repair is right, such as `proved, 98 %`.

    The text is "" if nothing later in the match tests the repair.
    """
    if repair.doubt == SIDES_EXPLAIN_ANY:
        return "one of two explanations: the result may be wrong instead"
    if repair.proved:
        return f"proved, {describe_probability(finding, repair.probability)}"
    return "" if repair.doubt == GOES_ON else explain_probability(finding, repair.probability)


def _describe_proposal(finding: Finding, proposal: Proposal) -> str:
    """Return a proposed repair in words, such as `line 12, …; 1 error then left (98 %)`."""
    if proposal.proved:
        sure = "proved"
    else:
        sure = describe_chance(finding, proposal) or f"{proposal.doubt}"
    if not proposal.edits:
        outcome = "no edit can restore it"
    elif proposal.errors_after:
        outcome = f"{number_of(proposal.errors_after, 'error')} then left"
    else:
        outcome = "the rest of the game then replays"
    return f"line {proposal.line}, {proposal.message}; {outcome} ({sure})"
