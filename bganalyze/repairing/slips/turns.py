"""Slips of layout in formats that write turns in sequence, each with a letter for its side.

These are the `.bgm` format (`1. L 31 8/5 6/5 | R 62 24/18 13/11`) and Smart Game Format
(`;W[31hefe]`). A repair replaces or deletes the texts of turns.
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
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.slips.rows import find_missing_side, find_side_on_roll
from bganalyze.repairing.slips.unknown import find_turns_before, name_turn, write_turn
from bganalyze.repairing.suggestion import Alternative, Suggestion
from bganalyze.validation.findings import Edit
from bganalyze.validation.replaying.trial import try_actions

LETTERS = {"bgm": ("L", "R"), "sgf": COLORS}
"""Letters of the left and the right side, by format."""

TURNS_BACK, TURNS_AHEAD = 8, 2
"""Turns searched around the finding. Two ahead, because ignoring a hit shows up only later."""

# Log-likelihoods of these slips. There are no counts of real ones: the values are set so
# that slips in real files are distinguished (`python -m tests.benchmarks.repair_of_slips --bgm`).
TURN_TWICE = math.log(1.0)
TURNS_EXCHANGED, LINES_EXCHANGED = math.log(0.3), math.log(0.3)
SIDES_EXCHANGED, OTHER_SIDE = math.log(0.5), math.log(0.1)
DICE_EXCHANGED = math.log(3.0)
TURN_LOST = math.log(0.5)
MISSPELLED, SIDE_LOST = math.log(10.0), math.log(0.5)
"""High, because signs between turns are easily left out and few slips fit the whole text of a
line."""

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
"""Repairs of an unreadable line, by format: pattern, replacement and log-likelihood."""

_ROLL = re.compile(r"[1-6]-?[1-6]")


class Slot(NamedTuple):
    """The text of one turn in the file, by its place, with the letter of its side."""

    line: int
    start: int
    letter: int
    """Offset of the letter in the line, counted from 0 as `start` and `end` are."""
    end: int
    side: Side
    first: int
    """Index, among the game's actions, of the first action in the turn."""
    behind: int
    """Index of the first action after the turn."""


Texts = Mapping[int, str | None]
"""New texts of turns by their index; None deletes a turn."""


class TurnSequence(NamedTuple):
    """The turns of a game in the order of the file, for formats without rows such as SGF."""

    lines: Sequence[str]
    slots: Sequence[Slot]
    letters: tuple[str, str]

    def text(self, index: int) -> str:
        """Return the turn at `index` as the file writes it."""
        slot = self.slots[index]
        return self.lines[slot.line - 1][slot.start : slot.end]

    def with_side(self, index: int, side: Side) -> str:
        """Return the text of the turn at `index`, with the letter of `side`."""
        slot, text = self.slots[index], self.text(index)
        letter = slot.letter - slot.start
        return text[:letter] + self.letters[side] + text[letter + 1 :]

    def edits(self, texts: Texts) -> tuple[Edit, ...]:
        """Return the edits that give some turns new texts.

        `texts` maps the index of a turn to its new text, or to None to delete the turn.
        """
        edits: list[Edit] = []
        for number, of_line in groupby(enumerate(self.slots), key=lambda entry: entry[1].line):
            slots = list(of_line)
            line = self.lines[number - 1]
            new = self._replace_turns(line, slots, texts)
            if new != line:
                is_empty = re.fullmatch(r"\s*(?:[0-9]+[.)])?\s*", new) is not None
                edits.append(Edit(number, line, None if is_empty else new))
        return tuple(edits)

    def _replace_turns(self, line: str, slots: Sequence[tuple[int, Slot]], texts: Texts) -> str:
        """Return a line with new texts for some of its turns.

        `slots` are the indexes and places of the line's turns. `texts` maps indexes to new texts,
        or to None to delete a turn.
        """
        new, kept = line[: slots[0][1].start], 0
        for place, (at, slot) in enumerate(slots):
            text = texts.get(at, line[slot.start : slot.end])
            if text is not None:
                between = line[slots[place - 1][1].end : slot.start] if kept else ""
                new += between + text
                kept += 1
        return new + line[slots[-1][1].end :]


def find_turns(context: ErrorContext) -> TurnSequence | None:
    """Return the turns of the error's game if the format marks each turn with its side's letter.

    For other formats, such as match text, return None.
    """
    letters = LETTERS.get(context.replayed.match.format)
    if letters is None or context.game is None:
        return None
    slots: list[Slot] = []
    for index, action in enumerate(context.actions):
        if not isinstance(action, Play | Double | Answer | Unread) or action.side is None:
            continue
        line = context.lines[action.span.line - 1]
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
    return TurnSequence(context.lines, slots, letters) if slots else None


class TurnArrangement(NamedTuple):
    """Turns that the transcriber may have meant."""

    kind: str
    message: str
    at: int
    """Index of the first turn that differs."""
    texts: Texts
    following: Sequence[Action]
    """Actions from that turn on."""
    likelihood: float


def suggest_deleting_repeated_turn(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest deleting a turn, or two turns, that repeat those just before."""
    for tape, at in _yield_turns_near_finding(context):
        for count in (1, 2):
            here = range(at, min(at + count, len(tape.slots)))
            if at < count or any(tape.text(place) != tape.text(place - count) for place in here):
                continue
            behind = tape.slots[here[-1]].behind
            turns = "" if count == 1 else " and the turn after it"
            message = (
                f"delete {_name_turn(tape, at)}{turns}: a repeat of {_name_turn(tape, at - count)}"
            )
            texts = dict.fromkeys(here)
            following = context.actions[behind:]
            yield from _suggest_if_repaired(
                context,
                tape,
                TurnArrangement("turn twice", message, at, texts, following, TURN_TWICE),
            )


def suggest_swapping_turns(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping two neighboring turns, or two neighboring lines with two turns each."""
    for tape, at in _yield_turns_near_finding(context):
        for count, likelihood in ((1, TURNS_EXCHANGED), (2, LINES_EXCHANGED)):
            if at + 2 * count > len(tape.slots):
                continue
            one, two = range(at, at + count), range(at + count, at + 2 * count)
            if count == 2 and len({tape.slots[place].line for place in (*one, *two)}) != count:
                continue
            pairs = [*zip(one, two, strict=True), *zip(two, one, strict=True)]
            texts = {place: tape.text(other) for place, other in pairs}
            following = [
                *_list_actions_of_turns(context, tape, two),
                *_list_actions_of_turns(context, tape, one),
                *context.actions[tape.slots[two[-1]].behind :],
            ]
            turns = "" if count == 1 else ", each with the turn after it"
            message = f"swap {_name_turn(tape, at)} and {_name_turn(tape, two[0])}{turns}"
            yield from _suggest_if_repaired(
                context, tape, TurnArrangement("turns", message, at, texts, following, likelihood)
            )


def suggest_other_side(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest giving a turn, two turns or all later turns to the other side."""
    for tape, at in _yield_turns_near_finding(context):
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
                *(
                    _give_to_other_side(context, a)
                    for a in _list_actions_of_turns(context, tape, places)
                ),
                *context.actions[tape.slots[end - 1].behind :],
            ]
            turns = {at + 1: "", at + 2: " and the turn after it"}
            extent = turns.get(end, " and all turns after it")
            message = f"give {_name_turn(tape, at)}{extent} to the other side"
            yield from _suggest_if_repaired(
                context, tape, TurnArrangement("sides", message, at, texts, following, likelihood)
            )


def _give_to_other_side(context: ErrorContext, action: Action) -> Action:
    """Return an action as made by the other side."""
    if not isinstance(action, Play | Double | Answer):
        return action
    if type(action) is not Play or not context.is_in_letters:
        return action._replace(side=other_side(action.side))
    # In Smart Game Format the steps stay the same on the board.
    steps = tuple(
        Step(tuple(p if p in (BAR, OFF) else BAR - p for p in path), marked)
        for path, marked in action.steps
    )
    return action._replace(side=other_side(action.side), steps=steps)


def suggest_swapping_rolls(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest swapping the rolls of two neighboring turns."""
    for tape, at in _yield_turns_near_finding(context):
        if at + 1 >= len(tape.slots):
            continue
        actions = _list_actions_of_turns(context, tape, [at, at + 1])
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
            *context.actions[tape.slots[at + 1].behind :],
        ]
        message = f"swap the rolls of {_name_turn(tape, at)} and {_name_turn(tape, at + 1)}"
        yield from _suggest_if_repaired(
            context, tape, TurnArrangement("dice", message, at, texts, following, DICE_EXCHANGED)
        )


def suggest_lost_turn(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing turn where one side acts twice in succession."""
    tape = find_turns(context)
    index = context.index
    if tape is None or index is None:
        return
    side = find_missing_side(context, index)
    at = next((n for n, slot in enumerate(tape.slots) if slot.first == index), None)
    if side is None or at is None:
        return
    following = context.actions[index:]
    boards, rolls = context.boards[index], context.possible_rolls(index)
    for turn in find_turns_before(context, boards, side, following, index, rolls):
        text = write_turn(context, turn, "", side)
        edits = _insert_turn(context, tape, at, side, text)
        yield Suggestion(
            "lost turn",
            f"insert the lost turn {name_turn(turn, text)}",
            edits,
            edits[0].line,
            _find_row_of_inserted_turn(context, edits[0].line, index),
            side,
            TURN_LOST + turn.likelihood - context.penalty_for(turn.trial),
            turn.trial.is_whole,
            Alternative(context.situation_before(index, side, turn.dice), turn.result, None),
            (turn.dice,),
            (turn.steps,),
        )


def _find_row_of_inserted_turn(context: ErrorContext, line: int, index: int) -> str | None:
    """Return the row number, for messages, of a turn inserted before the action at `index`.

    `line` is the line of the inserted turn.
    """
    above = (action for action in reversed(context.actions[:index]) if action.span.line == line)
    return next(above, context.actions[index]).row


def _insert_turn(
    context: ErrorContext, turns: TurnSequence, index: int, side: Side, text: str
) -> tuple[Edit, ...]:
    """Return the edits that insert a turn of `side`, written as `text`, before a turn."""
    slot = turns.slots[index]
    if context.is_in_letters:
        line = turns.lines[slot.line - 1]
        is_first = not line[: slot.start].strip()
        if is_first:
            return (Edit(slot.line, None, f";{text}"),)
        return turns.edits({index: f";{text}{turns.text(index)}"})
    text = f"{turns.letters[side]} {text}"
    if side == LEFT:
        return turns.edits({index: f"{text} | {turns.text(index)}"})
    above = index - 1
    is_alone = above < 0 or not re.match(r"\s*[0-9]+[.)]", turns.lines[turns.slots[above].line - 1])
    if is_alone:
        return (Edit(slot.line, None, text),)
    return turns.edits({above: f"{turns.text(above)} | {text}"})


def suggest_spelling_of_line(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest repairs of a wrong or missing letter, bracket or sign between turns."""
    spellings = SPELLINGS.get(context.replayed.match.format, ())
    has_lost_head = context.finding.code == "T120"
    if not (context.is_unreadable or has_lost_head):
        return
    number = context.finding.line - has_lost_head
    if number < 1:
        return
    line = context.lines[number - 1]
    for pattern, written, likelihood in spellings:
        new = re.sub(pattern, written, line, count=1)
        if new == line:
            continue
        first, *others = lines = new.split("\n")
        edits = (Edit(number, line, first), *(Edit(number + 1, None, other) for other in others))
        message = f"{line.strip()} → {' / '.join(map(str.strip, lines))}"
        yield Suggestion("spelling", message, edits, number, context.finding.row, None, likelihood)


SLIPS = (
    suggest_deleting_repeated_turn,
    suggest_swapping_turns,
    suggest_other_side,
    suggest_swapping_rolls,
    suggest_lost_turn,
    suggest_spelling_of_line,
)


def _yield_turns_near_finding(context: ErrorContext) -> Iterator[tuple[TurnSequence, int]]:
    """Yield the indexes of the turns close to the error, each with all turns of its game."""
    tape = None if context.is_unreadable else find_turns(context)
    if tape is None:
        return
    above = [at for at, slot in enumerate(tape.slots) if slot.line <= context.finding.line]
    at_fault = above[-1] if above else 0
    for at in range(
        max(at_fault - TURNS_BACK, 0), min(at_fault + TURNS_AHEAD + 1, len(tape.slots))
    ):
        yield tape, at


def _list_actions_of_turns(
    context: ErrorContext, turns: TurnSequence, places: Sequence[int]
) -> Sequence[Action]:
    """Return the actions of the consecutive turns at the indexes `places`."""
    return context.actions[turns.slots[places[0]].first : turns.slots[places[-1]].behind]


def _suggest_if_repaired(
    context: ErrorContext, turns: TurnSequence, rearranged: TurnArrangement
) -> Iterator[Suggestion]:
    """Suggest the rearranged turns if they make enough plays legal to confirm the repair."""
    slot = turns.slots[rearranged.at]
    trial = try_actions(
        context.boards[slot.first],
        rearranged.following,
        marks_hits=context.marks_hits,
        side=find_side_on_roll(context, slot.first),
    )
    # Up to the error, and some plays past it.
    if context.is_repaired(trial, slot.first):
        yield Suggestion(
            rearranged.kind,
            rearranged.message,
            turns.edits(rearranged.texts),
            slot.line,
            context.actions[slot.first].row,
            None,
            rearranged.likelihood - context.penalty_for(trial),
            trial.is_whole,
        )


def _name_turn(turns: TurnSequence, index: int) -> str:
    """Return the name of the turn at `index` in messages, such as `L 31 8/5 6/5 in line 12`."""
    return f"{turns.text(index).lstrip(';')} in line {turns.slots[index].line}"
