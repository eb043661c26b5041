"""Slips of layout where a turn stands behind the other, each with a letter for its side.

So the project's own text (`1. L 31 8/5 6/5 | R 62 24/18 13/11`) and Smart Game Format (`;W[31hefe]`)
write them. A repair puts other texts in the place of turns, or takes them out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.record.model import (
    LEFT,
    Action,
    Answer,
    Double,
    Play,
    Side,
    Unread,
    other_side,
)
from bganalyze.record.sgf.tree import COLORS
from bganalyze.repairing.evidence import Evidence
from bganalyze.repairing.slips.rows import missing_side, on_roll
from bganalyze.repairing.slips.unknown import turn_named, turn_text, turns_before
from bganalyze.repairing.suggestion import Alternative, Suggestion
from bganalyze.validation.findings import Edit
from bganalyze.validation.replaying.trial import tried

LETTERS = {"bgm": ("L", "R"), "sgf": COLORS}
"""By format the letters of the left and of the right side."""

TURNS_BACK, TURNS_AHEAD = 8, 2
"""A slip of layout shows within so many turns; or before it, where a hit is not heeded after it."""

# How often such slips are made beside others. There are no counts of real ones: these are set so
# that those in real files are told apart (`python -m tests.benchmarks.repair_of_slips --bgm`).
TURN_TWICE = math.log(1.0)
TURNS_EXCHANGED, LINES_EXCHANGED = math.log(0.3), math.log(0.3)
SIDES_EXCHANGED, OTHER_SIDE = math.log(0.5), math.log(0.1)
DICE_EXCHANGED = math.log(3.0)
TURN_LOST = math.log(0.5)
MISSPELLED, SIDE_LOST = math.log(10.0), math.log(0.5)
"""A sign between turns is soon forgotten, and nothing else fits a line with all of its text."""

SPELLINGS: dict[str, tuple[tuple[str, str, float], ...]] = {
    "bgm": (
        (
            r"(?<=[0-9*a-z])\s*(?:[/\\,;:!I]\s*)?(?<![|\s])\s*\bR\s+(?=[0-9dtr])",
            " | R ",
            MISSPELLED,
        ),
        (r"(?<=[0-9*])R\s+(?=[0-9]{2}\s)", " | R ", MISSPELLED),
        (r"\|\s*(?=[0-9]{2}\s)", "| R ", SIDE_LOST),
        (r"^(\s*(?:[0-9]+[.)])?\s*)(?=[0-9]{2}\s)", r"\1L ", SIDE_LOST),
        (r"^(\s*(?:[0-9]+[.)])?\s*)(?=[0-9]{2}\s)", r"\1R ", SIDE_LOST),
        (r"(?<=\S)\s+(?=[0-9]+[.)]\s+[LR]\s)", "\n", MISSPELLED),
    ),
    "sgf": (
        (r"(;[WB]\[[a-z0-9]*)(?=;|\s*$|[A-Z]{1,2}\[)", r"\1]", MISSPELLED),
        (r"(;[WB])[({]?([a-z0-9]+)[])}]?", r"\1[\2]", MISSPELLED),
        (r"(;[WB])\[([a-z0-9]+)[)}]", r"\1[\2]", MISSPELLED),
        (r";(?=\[[0-9]{2})", ";W", SIDE_LOST),
        (r";(?=\[[0-9]{2})", ";B", SIDE_LOST),
        (r"^(?=;FF?\[)", "(", MISSPELLED),
    ),
}
"""By format how a line is put right that cannot be read: what is replaced, by what, how likely that is."""

_ROLL = re.compile(r"[1-6]-?[1-6]")


class Slot(NamedTuple):
    """The text of one turn, with the letter of its side."""

    line: int
    start: int
    letter: int
    """Where the letter stands, counted from 0 as the start and the end are."""
    end: int
    side: Side
    first: int
    """The index of its first action in the game."""
    behind: int
    """The index of the first action behind it."""


Texts = Mapping[int, str | None]
"""What is put in the place of turns, by their index; None where one is taken out."""


class Tape(NamedTuple):
    """The turns of a game as they stand one behind the other."""

    lines: Sequence[str]
    slots: Sequence[Slot]
    letters: tuple[str, str]

    def text(self, at: int) -> str:
        """Return what stands for a turn."""
        slot = self.slots[at]
        return self.lines[slot.line - 1][slot.start : slot.end]

    def with_side(self, at: int, side: Side) -> str:
        """Return what stands for a turn, with the letter of a side."""
        slot, text = self.slots[at], self.text(at)
        letter = slot.letter - slot.start
        return text[:letter] + self.letters[side] + text[letter + 1 :]

    def edits(self, texts: Texts) -> tuple[Edit, ...]:
        """Return the edits that put these texts in the place of turns."""
        edits: list[Edit] = []
        for number, of_line in groupby(enumerate(self.slots), key=lambda entry: entry[1].line):
            slots = list(of_line)
            line = self.lines[number - 1]
            new = self._written(line, slots, texts)
            if new != line:
                is_empty = re.fullmatch(r"\s*(?:[0-9]+[.)])?\s*", new) is not None
                edits.append(Edit(number, line, None if is_empty else new))
        return tuple(edits)

    def _written(self, line: str, slots: Sequence[tuple[int, Slot]], texts: Texts) -> str:
        new, kept = line[: slots[0][1].start], 0
        for place, (at, slot) in enumerate(slots):
            text = texts.get(at, line[slot.start : slot.end])
            if text is not None:
                between = line[slots[place - 1][1].end : slot.start] if kept else ""
                new += between + text
                kept += 1
        return new + line[slots[-1][1].end :]


def tape_of(evidence: Evidence) -> Tape | None:
    """Return the turns of the game of a finding; None where its format writes them otherwise."""
    letters = LETTERS.get(evidence.replayed.match.format)
    if letters is None or evidence.game is None:
        return None
    slots: list[Slot] = []
    for index, action in enumerate(evidence.actions):
        if not isinstance(action, Play | Double | Answer | Unread) or action.side is None:
            continue
        line = evidence.lines[action.span.line - 1]
        begin = action.span.column - 1
        before = re.search(rf";?([{''.join(letters)}])\s*$", line[: begin + 1])
        if before is None:
            before = re.search(rf"(?i:([{''.join(letters)}])):?\s+$", line[:begin])
        if before is None:
            continue
        start, letter, end = before.start(), before.start(1), action.span.end_column - 1
        if slots and (slots[-1].line, slots[-1].letter) == (action.span.line, letter):
            slots[-1] = slots[-1]._replace(end=end, behind=index + 1)
            continue
        slots.append(Slot(action.span.line, start, letter, end, action.side, index, index + 1))
    return Tape(evidence.lines, slots, letters) if slots else None


class TurnArrangement(NamedTuple):
    """Turns that the record may have meant."""

    kind: str
    message: str
    at: int
    """The first turn that is another."""
    texts: Texts
    following: Sequence[Action]
    """The actions from that turn on."""
    likelihood: float


def turn_twice(evidence: Evidence) -> Iterator[Suggestion]:
    """A turn, or those of a line, stand again behind themselves."""
    for tape, at in _near(evidence):
        for count in (1, 2):
            here = range(at, min(at + count, len(tape.slots)))
            if at < count or any(tape.text(place) != tape.text(place - count) for place in here):
                continue
            behind = tape.slots[here[-1]].behind
            verb = "repeats" if count == 1 else "and the turn behind it repeat"
            message = f"{_named(tape, at)} {verb} {_named(tape, at - count)}"
            texts = dict.fromkeys(here)
            following = evidence.actions[behind:]
            yield from _tried(
                evidence,
                tape,
                TurnArrangement("turn twice", message, at, texts, following, TURN_TWICE),
            )


def exchanged_turns(evidence: Evidence) -> Iterator[Suggestion]:
    """Two neighbouring turns, or lines of two turns, stand in each other's place."""
    for tape, at in _near(evidence):
        for count, likelihood in ((1, TURNS_EXCHANGED), (2, LINES_EXCHANGED)):
            if at + 2 * count > len(tape.slots):
                continue
            one, two = range(at, at + count), range(at + count, at + 2 * count)
            if count == 2 and len({tape.slots[place].line for place in (*one, *two)}) != count:
                continue
            pairs = [*zip(one, two, strict=True), *zip(two, one, strict=True)]
            texts = {place: tape.text(other) for place, other in pairs}
            following = [
                *_actions(evidence, tape, two),
                *_actions(evidence, tape, one),
                *evidence.actions[tape.slots[two[-1]].behind :],
            ]
            turns = "" if count == 1 else ", each with the turn behind it,"
            message = f"{_named(tape, at)} and {_named(tape, two[0])}{turns} exchanged"
            yield from _tried(
                evidence, tape, TurnArrangement("turns", message, at, texts, following, likelihood)
            )


def exchanged_letters(evidence: Evidence) -> Iterator[Suggestion]:
    """The letter of a turn is that of the other side; or of two, or of all from it on."""
    for tape, at in _near(evidence):
        last = len(tape.slots)
        likelihoods = {last: SIDES_EXCHANGED, at + 2: SIDES_EXCHANGED, at + 1: OTHER_SIDE}
        for end, likelihood in likelihoods.items():
            if end > last:
                continue
            places = range(at, end)
            texts = {
                place: tape.with_side(place, other_side(tape.slots[place].side)) for place in places
            }
            following = [
                *(_of_other_side(evidence, a) for a in _actions(evidence, tape, places)),
                *evidence.actions[tape.slots[end - 1].behind :],
            ]
            turns = {at + 1: " is", at + 2: " and the turn behind it are"}
            extent = turns.get(end, " and all turns behind it are")
            message = f"{_named(tape, at)}{extent} the other side's"
            yield from _tried(
                evidence, tape, TurnArrangement("sides", message, at, texts, following, likelihood)
            )


def _of_other_side(evidence: Evidence, action: Action) -> Action:
    """Return an action as the other side's; the points of Smart Game Format are those of the board."""
    if not isinstance(action, Play | Double | Answer):
        return action
    if type(action) is not Play or not evidence.is_in_letters:
        return action._replace(side=other_side(action.side))
    steps = tuple(
        Step(tuple(p if p in (BAR, OFF) else BAR - p for p in path), marked)
        for path, marked in action.steps
    )
    return action._replace(side=other_side(action.side), steps=steps)


def exchanged_rolls(evidence: Evidence) -> Iterator[Suggestion]:
    """The rolls of two neighbouring turns stand in each other's."""
    for tape, at in _near(evidence):
        if at + 1 >= len(tape.slots):
            continue
        actions = _actions(evidence, tape, [at, at + 1])
        plays = [action for action in actions if type(action) is Play and action.dice]
        rolls = [_ROLL.search(tape.text(place)) for place in (at, at + 1)]
        if len(plays) != 2 or len(actions) != 2 or plays[0].dice == plays[1].dice:
            continue
        if not all(rolls) or not all(play.steps for play in plays):
            continue
        one, two = (roll.group() for roll in rolls if roll is not None)
        texts = {
            at: _ROLL.sub(two, tape.text(at), count=1),
            at + 1: _ROLL.sub(one, tape.text(at + 1), count=1),
        }
        following = [
            plays[0]._replace(dice=plays[1].dice),
            plays[1]._replace(dice=plays[0].dice),
            *evidence.actions[tape.slots[at + 1].behind :],
        ]
        message = f"the rolls of {_named(tape, at)} and {_named(tape, at + 1)} exchanged"
        yield from _tried(
            evidence, tape, TurnArrangement("dice", message, at, texts, following, DICE_EXCHANGED)
        )


def lost_turn(evidence: Evidence) -> Iterator[Suggestion]:
    """A turn is lost before one of a side that acts twice running."""
    tape = tape_of(evidence)
    index = evidence.index
    if tape is None or index is None:
        return
    side = missing_side(evidence, index)
    at = next((n for n, slot in enumerate(tape.slots) if slot.first == index), None)
    if side is None or at is None:
        return
    following = evidence.actions[index:]
    boards, rolls = evidence.boards[index], evidence.rolls(index)
    for turn in turns_before(evidence, boards, side, following, index, rolls):
        text = turn_text(evidence, turn, "", side)
        yield Suggestion(
            "lost turn",
            f"a turn is lost: {turn_named(turn, text)}",
            _put_in(evidence, tape, at, side, text),
            tape.slots[at].line,
            evidence.actions[index].row,
            side,
            TURN_LOST + turn.likelihood - evidence.doubt(turn.trial),
            turn.trial.is_whole,
            Alternative(evidence.situation(index, side, turn.dice), turn.result, None),
            (turn.dice,),
            (turn.steps,),
        )


def _put_in(evidence: Evidence, tape: Tape, at: int, side: Side, text: str) -> tuple[Edit, ...]:
    """Return the edits that put a turn in before another: beside the next to it, or in a line."""
    slot = tape.slots[at]
    if evidence.is_in_letters:
        line = tape.lines[slot.line - 1]
        is_first = not line[: slot.start].strip()
        if is_first:
            return (Edit(slot.line, None, f";{text}"),)
        return tape.edits({at: f";{text}{tape.text(at)}"})
    text = f"{tape.letters[side]} {text}"
    if side == LEFT:
        return tape.edits({at: f"{text} | {tape.text(at)}"})
    above = at - 1
    is_alone = above < 0 or not re.match(r"\s*[0-9]+[.)]", tape.lines[tape.slots[above].line - 1])
    if is_alone:
        return (Edit(slot.line, None, text),)
    return tape.edits({above: f"{tape.text(above)} | {text}"})


def misspelled_line(evidence: Evidence) -> Iterator[Suggestion]:
    """A line cannot be read, for a sign between its turns, a letter or a bracket is another or lost."""
    spellings = SPELLINGS.get(evidence.replayed.match.format, ())
    has_lost_head = evidence.finding.code == "T120"
    if not (evidence.is_unreadable or has_lost_head):
        return
    number = evidence.finding.line - has_lost_head
    if number < 1:
        return
    line = evidence.lines[number - 1]
    for pattern, written, likelihood in spellings:
        new = re.sub(pattern, written, line, count=1)
        if new == line:
            continue
        first, *others = lines = new.split("\n")
        edits = (Edit(number, line, first), *(Edit(number + 1, None, other) for other in others))
        message = f"{line.strip()} → {' / '.join(map(str.strip, lines))}"
        yield Suggestion("spelling", message, edits, number, evidence.finding.row, None, likelihood)


SLIPS = (
    turn_twice,
    exchanged_turns,
    exchanged_letters,
    exchanged_rolls,
    lost_turn,
    misspelled_line,
)


def _near(evidence: Evidence) -> Iterator[tuple[Tape, int]]:
    """Yield the turns at which a slip of layout may have been made."""
    tape = None if evidence.is_unreadable else tape_of(evidence)
    if tape is None:
        return
    above = [at for at, slot in enumerate(tape.slots) if slot.line <= evidence.finding.line]
    at_fault = above[-1] if above else 0
    for at in range(
        max(at_fault - TURNS_BACK, 0), min(at_fault + TURNS_AHEAD + 1, len(tape.slots))
    ):
        yield tape, at


def _actions(evidence: Evidence, tape: Tape, places: Sequence[int]) -> Sequence[Action]:
    """Return the actions of turns that follow one another."""
    return evidence.actions[tape.slots[places[0]].first : tape.slots[places[-1]].behind]


def _tried(evidence: Evidence, tape: Tape, arrangement: TurnArrangement) -> Iterator[Suggestion]:
    """Yield an arrangement as a suggestion if the plays can be carried out in it."""
    slot = tape.slots[arrangement.at]
    trial = tried(
        evidence.boards[slot.first],
        arrangement.following,
        marks_hits=evidence.marks_hits,
        side=on_roll(evidence, slot.first),
    )
    if evidence.is_repaired(trial, slot.first):
        yield Suggestion(
            arrangement.kind,
            arrangement.message,
            tape.edits(arrangement.texts),
            slot.line,
            evidence.actions[slot.first].row,
            None,
            arrangement.likelihood - evidence.doubt(trial),
            trial.is_whole,
        )


def _named(tape: Tape, at: int) -> str:
    return f"{tape.text(at).lstrip(';')} in line {tape.slots[at].line}"
