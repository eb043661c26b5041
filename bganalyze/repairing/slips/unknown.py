"""Turns that are not known: what may have been made where none is, or where none can be read."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from heapq import nlargest
from itertools import islice, product
from operator import attrgetter
from typing import NamedTuple

from bganalyze.board.faults import fit
from bganalyze.board.faults import legs as legs_of
from bganalyze.board.faults import roll as numbers_of
from bganalyze.board.movement import ROLLS, Dice, Steps, are_dice, legal_plays
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.record.match_text.cells import PlayItem, items
from bganalyze.record.model import Action, Play, PlayRecord, Side, Span, Unread, other_side
from bganalyze.repairing.evidence import Evidence
from bganalyze.repairing.prior import by_looks
from bganalyze.repairing.spelling import (
    in_letters,
    likeness,
    spelled,
    spelled_anew,
    spelled_in_letters,
)
from bganalyze.repairing.suggestion import Alternative, Suggestion, rewritten
from bganalyze.validation.replaying.demands import Demands, demands_of, may_leave
from bganalyze.validation.replaying.facts import Boards, as_boards, seen_by
from bganalyze.validation.replaying.trial import Trial, carried_out, tried

MOST_MISSING = 8
"""So many checkers can a side seem to lack of which a turn is not known."""

MOST_FIRST, MOST_SECOND = 30, 12
"""Where two turns are lost, so many are tried as the first, and after each so many as the second."""
MOST_AFTER, MOST_PAIRS = 4, 20
"""So many pairs are kept of each first turn, and of all."""

HEAD = re.compile(r"^\s*[0-9]{2}(?::|(?=\s|$))")
"""The roll at the start of a cell."""

PLAYS_BACK = 40
"""A play that is not known shows within so many plays."""

DOUBLET = math.log(0.5)
"""What a roll loses that is rolled half as often as others."""
JOINED = -2.0
"""What a roll loses with which steps are joined, where the record joins none."""
UNFITTING = -4.0
"""What a roll loses whose dice do not cover the steps as they are written, one after the other."""

UNLIKE = 8.0
"""What a play loses in likelihood for being written quite differently."""

CELL_UNREADABLE, PLAY_UNREADABLE = math.log(1.0), math.log(1.0)
ROLL_UNREADABLE = math.log(1.0)
LETTER_FOR_DIGIT = math.log(10.0)
SAME, OTHER, LONGER, WORD_MORE = 0.7, 2.0, 0.3, 1.0
"""What a figure of an unreadable cell that is meant adds, what another one takes away, and what
each character takes away, and each word of several, by which the cell would be longer or shorter."""

ALIKE = str.maketrans("OoQlI|!iZzSsGbBgq", "00011111225566899")
"""Letters that are written or read for figures."""


_FIGURES = frozenset("0123456789/")
_WORD = re.compile(r"\b(?:bar|off)\b", re.IGNORECASE)
_LARGE_DOUBT = frozenset((PlayRecord.UNREAD, PlayRecord.UNPLAYED))
WITHOUT_STEPS = (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)
"""How a play is recorded that has no steps, though it is known."""


class CellText(NamedTuple):
    """What one side did in its turn, as it stands in the file."""

    span: Span
    row: str | None
    side: Side
    text: str
    dice: Dice | None
    steps: str
    """The steps of its play as written, where all that follows the roll can be read."""
    first: int
    """The index of its first action."""
    behind: int
    """The index of the first action behind it."""


def unreadable_cell(evidence: Evidence) -> Iterator[Suggestion]:
    """The roll, the play or both cannot be read; what can be says which are likelier.

    `62: 24/l8 ???` was `62: 24/18 13/11`.
    """
    for cell in _doubtful_cells(evidence):
        # Asked where there is such a cell only: to learn how a record is spelled takes a while.
        if not (evidence.style.has_rolls or evidence.is_in_letters):
            return
        yield from _with_figures(evidence, cell)
        if cell.steps and cell.dice is None:
            yield from _with_roll(evidence, cell)
        else:
            yield from _with_play(evidence, cell)


def _doubtful_cells(evidence: Evidence) -> Iterator[CellText]:
    """Yield the cell of the finding, and those before it whose play is not known."""
    if evidence.index is None:
        return
    seen: set[tuple[int, Side]] = set()
    plays = 0
    for index in range(evidence.index, -1, -1):
        action = evidence.actions[index]
        is_play = isinstance(action, Play)
        plays += is_play
        if plays > PLAYS_BACK:
            return
        if not isinstance(action, Play | Unread) or action.side is None:
            continue
        place = action.span.line, action.side
        is_here = place == (
            evidence.finding.line,
            getattr(evidence.actions[evidence.index], "side", None),
        )
        if place not in seen and _is_doubtful(action, is_here=is_here):
            seen.add(place)
            yield _cell_of(evidence, index, action.side)


def _is_doubtful(action: Play | Unread, *, is_here: bool) -> bool:
    """Whether a play may have been made that is not there; `is_here`: a fault is found in the cell."""
    if isinstance(action, Unread) or action.how in _LARGE_DOUBT:
        return True
    return is_here and (action.dice is None or action.how in WITHOUT_STEPS)


def _cell_of(evidence: Evidence, index: int, side: Side) -> CellText:
    line = evidence.actions[index].span.line
    within = [
        at
        for at, action in enumerate(evidence.actions)
        if action.span.line == line and getattr(action, "side", None) == side
    ]
    parts = [evidence.actions[at] for at in within]
    span = Span(line, parts[0].span.column, max(part.span.end_column for part in parts))
    play = next((part for part in parts if isinstance(part, Play)), None)
    is_read = play is not None and not any(
        isinstance(part, Unread) and part.span > play.span for part in parts
    )
    steps = ""
    if play is not None and play.places and is_read:
        steps = evidence.text(play)[play.places[0][0] - play.cell_offset :]
    text = evidence.replayed.match.source.text_at(span)
    dice = None if play is None else play.dice
    return CellText(span, parts[0].row, side, text, dice, steps, within[0], within[-1] + 1)


def _with_figures(evidence: Evidence, cell: CellText) -> Iterator[Suggestion]:
    """Letters stand for the figures that they look like: `l3/9` was 13/9."""
    text = "".join(
        part if _WORD.fullmatch(part) else part.translate(ALIKE)
        for part in re.split(r"(\b(?:bar|off)\b)", cell.text, flags=re.IGNORECASE)
    )
    read = items(HEAD.sub(_with_colon, text, count=1))
    if text == cell.text or len(read) != 1 or not isinstance(read[0], PlayItem):
        return
    item = read[0]
    if not item.dice or not item.steps:
        return
    play = Play(cell.span, cell.row, cell.side, item.dice, item.steps)
    yield from _meant(evidence, cell, play, text, LETTER_FOR_DIGIT)


def _with_colon(head: re.Match[str]) -> str:
    """Return a roll as match text writes it."""
    return f"{head.group().rstrip(':')}:"


def _with_roll(evidence: Evidence, cell: CellText) -> Iterator[Suggestion]:
    """The steps can be read: the rolls with which they are legal."""
    action = next(
        (a for a in evidence.actions[cell.first : cell.behind] if isinstance(a, Play)), None
    )
    if action is None:
        return
    head = cell.text[: cell.text.rindex(cell.steps)].strip()
    is_half_read = not evidence.style.has_high_first and _count_of_figures(head) > 0
    for roll in evidence.rolls(cell.first):
        written = max(_heads(evidence, roll), key=lambda other: _agreement(head, other))
        likelihood = ROLL_UNREADABLE + _agreement(head, written)
        likelihood += loss_of_steps(evidence, action.steps, roll)
        if roll[0] == roll[1] and not is_half_read:
            likelihood += DOUBLET
        text = f"{written} {cell.steps}"
        play = action._replace(dice=(int(written[0]), int(written[1])), how=PlayRecord.PLAYED)
        for suggestion in _meant(evidence, cell, play, text, likelihood):
            yield with_roll(suggestion, roll, action.steps)


def _heads(evidence: Evidence, roll: Dice) -> Iterator[str]:
    """Yield the ways of writing a roll: in either order where the record writes what is rolled."""
    low, high = sorted(roll)
    yield f"{high}{low}{evidence.style.sign}"
    if not evidence.style.has_high_first:
        yield f"{low}{high}{evidence.style.sign}"


def loss_of_steps(evidence: Evidence, steps: Steps, roll: Dice) -> float:
    """Return what a roll loses by how the steps of its play are written."""
    if not _covers(roll, steps):
        return UNFITTING
    longest = max((path[0] - path[-1] for path, _ in steps), default=0)
    return JOINED if longest > max(roll) and not evidence.style.is_joined else 0.0


def _covers(roll: Dice, steps: Steps) -> bool:
    """Whether the dice of a roll cover steps as they are written, one after the other."""
    legs = legs_of(steps)
    return fit(legs, numbers_of(roll)).legs == len(legs)


def with_roll(suggestion: Suggestion, roll: Dice, steps: Steps) -> Suggestion:
    """Return a suggestion with the roll that it reads, unless its dice do not cover the steps."""
    if not _covers(roll, steps):
        return suggestion
    return suggestion._replace(rolls=(roll,), plays=(steps,))


def _meant(
    evidence: Evidence, cell: CellText, play: Play, text: str, likelihood: float
) -> Iterator[Suggestion]:
    """Yield a cell with another text, if its play is legal and so is what follows."""
    checked = carried_out(evidence.boards[cell.first], play, marks_hits=evidence.marks_hits)
    if not checked.is_legal:
        return
    trial = evidence.after(checked.boards, cell.behind, other_side(play.side))
    if evidence.is_repaired(trial, cell.behind):
        assert play.dice is not None
        situation = evidence.situation(cell.first, cell.side, play.dice)
        alternative = Alternative(situation, seen_by(checked.boards, cell.side), None)
        yield _of_cell(evidence, cell, text, likelihood, trial, alternative)


def _with_play(evidence: Evidence, cell: CellText) -> Iterator[Suggestion]:
    """All legal plays of the roll, or of every roll where it cannot be read either."""
    boards, following = evidence.boards[cell.first], evidence.actions[cell.behind :]
    rolls = evidence.rolls(cell.first) if cell.dice is None else (cell.dice,)
    kind = CELL_UNREADABLE if cell.dice is None else PLAY_UNREADABLE
    for turn in turns_before(evidence, boards, cell.side, following, cell.behind, rolls):
        if cell.dice is not None and turn.result == turn.position:
            continue
        head = HEAD.match(cell.text)
        written = cell.text if head is None else cell.text[head.end() :].strip()
        text = turn_text(evidence, turn, written, cell.side)
        if evidence.is_in_letters:
            dice = cell.dice or turn.dice[::-1]
            text = spelled_in_letters(turn.position, dice, turn.result, cell.side, cell.text)
            likelihood = kind - UNLIKE * (1 - likeness(cell.text, text))
        elif head is None:
            ways = (way + text[len(way) :] for way in _heads(evidence, turn.dice))
            text = max(ways, key=lambda way: _agreement(written, way))
            likelihood = kind + _agreement(written, text)
        else:
            steps = HEAD.sub("", text)
            likelihood = kind + _agreement(written, steps.strip())
            text = head.group() + steps
        if cell.dice is None:
            likelihood += turn.likelihood
        alternative = Alternative(
            evidence.situation(cell.first, cell.side, turn.dice), turn.result, None
        )
        suggestion = _of_cell(evidence, cell, text, likelihood, turn.trial, alternative)
        yield with_roll(suggestion, turn.dice, turn.steps)


def _of_cell(
    evidence: Evidence,
    cell: CellText,
    text: str,
    likelihood: float,
    trial: Trial,
    alternative: Alternative,
) -> Suggestion:
    return Suggestion(
        "unreadable",
        f"{cell.text} → {text}",
        (rewritten(evidence, cell.span, text),),
        cell.span.line,
        cell.row,
        cell.side,
        likelihood - evidence.doubt(trial),
        trial.is_whole,
        alternative,
    )


def _agreement(written: str, text: str) -> float:
    """Return how much likelier a text is by the figures that can still be read of it, in any order.

    >>> _agreement("q4/1v#", "24/18") > 0 > _agreement("q4/1v#", "13/11")
    True
    """
    words, left = written.split(), text.split()
    agreement = -WORD_MORE * abs(len(words) - len(left)) if len(words) > 1 else 0.0
    for word in sorted(words, key=_count_of_figures, reverse=True):
        if not left or not _count_of_figures(word):
            break
        nearest = max(left, key=lambda other: _agreement_of_words(word, other))
        agreement += _agreement_of_words(word, nearest)
        left.remove(nearest)
    return agreement


def _agreement_of_words(written: str, word: str) -> float:
    figures = [at for at, character in enumerate(written) if character in _FIGURES]
    same = sum(written[at] == word[at : at + 1] for at in figures)
    longer = abs(len(word) - len(written))
    return SAME * same - OTHER * (len(figures) - same) - LONGER * longer


def _count_of_figures(word: str) -> int:
    return sum(character in _FIGURES for character in word)


# -- turns that may have been made


class PossibleTurn(NamedTuple):
    """A roll and a play that may have been made, and what becomes of the turns that follow."""

    dice: Dice
    position: Position
    """Before it, seen by its side."""
    result: Position
    steps: Steps
    """One way of playing it."""
    trial: Trial

    @property
    def likelihood(self) -> float:
        """The logarithm of how often its roll is made."""
        return chance_of(self.dice)


def chance_of(dice: Dice) -> float:
    """Return the logarithm of how often a roll is made.

    >>> round(chance_of((6, 6)), 3)
    -3.584
    """
    return math.log((1 if dice[0] == dice[1] else 2) / 36)


def turns_before(
    evidence: Evidence,
    boards: Boards,
    side: Side,
    following: Sequence[Action],
    index: int,
    rolls: Iterable[Dice],
) -> Iterator[PossibleTurn]:
    """Yield the rolls and plays after which the following actions can be carried out.

    `index` is that of the first of these in the game as recorded.
    """
    plays = evidence.needed(index)
    if not _may_follow(boards, side, following, plays):
        return
    position = Position(boards[side], boards[1 - side])
    demands = demands_of(boards, following, side, plays)
    for dice in filter(are_dice, rolls):
        for result, steps in demands.plays(position, dice):
            after = as_boards(result, side)
            trial = tried(after, following, marks_hits=evidence.marks_hits, side=other_side(side))
            if evidence.is_repaired(trial, index):
                yield PossibleTurn(dice, position, result, steps, trial)


class LikelyTurn(NamedTuple):
    """A play that looks likely, and the rolls with which it may be made."""

    likelihood: float
    """The logarithm of how likely these rolls are, and the play with them."""
    rolls: tuple[Dice, ...]
    result: Position
    steps: Steps


class Later(NamedTuple):
    """The actions that follow a turn."""

    actions: Sequence[Action]
    start: int
    """The index of the first in the game as recorded."""
    demands: Demands
    """What they demand of the board that the turn leaves."""


class Pair(NamedTuple):
    """A turn and the other side's, with each roll of this that is legal behind it."""

    likelihood: float
    first: LikelyTurn
    seconds: Sequence[PossibleTurn]


def pairs_before(
    evidence: Evidence, boards: Boards, side: Side, following: Sequence[Action], index: int
) -> Iterator[tuple[PossibleTurn, PossibleTurn]]:
    """Yield the likeliest two turns, of a side and of the other, after which the actions can follow.

    There are 100,000 and more. So the turns are those that look likeliest at a glance, of a side that
    has the checkers then that it needs later; the other has the same turns after each, unless it is hit.
    Turns after which the whole game can follow are looked for first. Measured: of 100 lost rows, ten
    more are restored by the first proposal.
    """
    other = other_side(side)
    position = seen_by(boards, side)
    enters, other_enters = (_enters_next(following, mover) for mover in (side, other))
    pairs: list[Pair] = []
    for plays in (len(following), evidence.needed(index)):
        of_first, of_second = (
            demands_of(boards, following, mover, plays) for mover in (side, other)
        )
        firsts = likely_turns(position, of_first, may_dance=enters)[:MOST_FIRST]
        later = Later(following, index, of_second._replace(has_hit=enters))
        if pairs := _pairs(evidence, boards, side, firsts, later, may_dance=other_enters):
            break
    for pair in nlargest(MOST_PAIRS, pairs, key=attrgetter("likelihood")):
        result, steps = pair.first.result, pair.first.steps
        for dice, second in product(pair.first.rolls, pair.seconds):
            yield PossibleTurn(dice, position, result, steps, second.trial), second


def _pairs(
    evidence: Evidence,
    boards: Boards,
    side: Side,
    firsts: Iterable[LikelyTurn],
    later: Later,
    *,
    may_dance: bool,
) -> list[Pair]:
    """Return the likeliest answers to each first turn of a side after which the later actions follow.

    `may_dance` says whether a checker of the other side may stay on the bar.
    """
    other = other_side(side)
    unhit = seen_by(boards, other)
    answers = cache(partial(likely_turns, demands=later.demands, may_dance=may_dance))
    pairs: list[Pair] = []
    for first in firsts:
        before = seen_by(as_boards(first.result, side), other)
        seconds = answers(before if before.own[BAR] else _as_on_bar(unhit, before))[:MOST_SECOND]
        behind = (
            Pair(first.likelihood + second.likelihood, first, turns)
            for second in seconds
            if (turns := _legal_with(evidence, second, before, other, later))
        )
        pairs += islice(behind, MOST_AFTER)
    return pairs


def _as_on_bar(position: Position, later: Position) -> Position:
    """Return a position with so many checkers of the other side on the bar as in a later one."""
    return position._replace(other=(*position.other[:BAR], later.other[BAR]))


def _legal_with(
    evidence: Evidence, turn: LikelyTurn, position: Position, side: Side, later: Later
) -> list[PossibleTurn]:
    """Return a turn with each roll with which it is legal, if the later actions then are."""
    boards = as_boards(position, side)
    legal: list[Dice] = []
    for dice in turn.rolls:
        play = Play(later.actions[0].span, None, side, dice, turn.steps)
        checked = carried_out(boards, play, marks_hits=False)
        if checked.is_legal:
            legal.append(dice)
            after = checked.boards
    if not legal or not later.demands.are_met_by(result := seen_by(after, side)):
        return []
    marks_hits = evidence.marks_hits
    trial = tried(after, later.actions, marks_hits=marks_hits, side=other_side(side))
    if not evidence.is_repaired(trial, later.start):
        return []
    return [PossibleTurn(dice, position, result, turn.steps, trial) for dice in legal]


def likely_turns(
    position: Position, demands: Demands, *, may_dance: bool = False
) -> list[LikelyTurn]:
    """Return the turns that leave a board as it is demanded, likeliest first.

    `may_dance` says whether a checker may stay on the bar.
    """
    turns: dict[Steps, list[LikelyTurn]] = defaultdict(list)
    for dice in ROLLS:
        if not may_leave(position, dice, demands.checkers, demands.room):
            continue
        plays = legal_plays(position, dice)
        fitting = [result for result in demands.fitting(plays) if may_dance or not result.own[BAR]]
        chances = by_looks(plays) if fitting else {}
        for result in fitting:
            likelihood, steps = chance_of(dice) + chances[result], plays[result]
            turns[tuple(sorted(steps))].append(LikelyTurn(likelihood, (dice,), result, steps))
    return sorted(map(_with_all_rolls, turns.values()), key=attrgetter("likelihood"), reverse=True)


def _with_all_rolls(turns: Sequence[LikelyTurn]) -> LikelyTurn:
    """Return one turn for those with the same steps."""
    likelihood = math.log(math.fsum(math.exp(turn.likelihood) for turn in turns))
    rolls = tuple(dice for turn in turns for dice in turn.rolls)
    return turns[0]._replace(likelihood=likelihood, rolls=rolls)


def _enters_next(following: Sequence[Action], side: Side) -> bool:
    """Whether the next play of a side is from the bar, or none."""
    plays = (action for action in following if type(action) is Play and action.side == side)
    play = next(plays, None)
    return play is not None and (not play.steps or play.steps[0].path[0] == BAR)


def _may_follow(boards: Boards, side: Side, following: Sequence[Action], plays: int) -> bool:
    """Whether so many plays can follow a turn of a side, as far as both have the checkers for them.

    The turn may put up to four checkers where its side has none, and each may be hit there. Where it
    has hit, nothing is told: then the other side enters, or dances.
    """
    owned = [list(boards[0]), list(boards[1])]
    missing = 0
    ahead = islice((action for action in following if isinstance(action, Play)), plays)
    for number, play in enumerate(ahead):
        own, other = owned[play.side], owned[1 - play.side]
        if number == 0 and not play.steps:
            return True
        for path, _ in play.steps:
            own[path[0]] -= 1
            own[path[-1]] += 1
            for point in path[1:]:
                if point != OFF and other[BAR - point] == 1:
                    other[BAR - point] = 0
                    other[BAR] += 1
        if min(own) < 0 and play.side != side:
            return own[BAR] < 0
        missing += sum(-count for count in own if count < 0)
        owned[play.side] = [max(count, 0) for count in own]
        if missing > MOST_MISSING:
            return False
    return True


def turn_text(evidence: Evidence, turn: PossibleTurn, written: str, side: Side) -> str:
    """Return a turn as its record writes it."""
    high, low = max(turn.dice), min(turn.dice)
    if evidence.is_in_letters:
        return in_letters((high, low), turn.steps, side)
    if written:
        steps = spelled(turn.position, turn.dice, turn.result, evidence.style, written, side)
    else:
        steps = spelled_anew(turn.steps, evidence.style, side)
    return f"{high}{low}{evidence.style.sign} {steps or _dance(evidence)}".rstrip()


def turn_named(turn: PossibleTurn, text: str) -> str:
    """Return a turn that is lost as a message names it."""
    is_named = turn.steps or any(map(str.isalpha, text))
    return text if is_named else f"a dance with {text.rstrip(':')}"


def _dance(evidence: Evidence) -> str:
    """Return what the record writes for a play of a roll with which nothing can be moved."""
    for game in evidence.replayed.match.games:
        for action in game.actions:
            if isinstance(action, Play) and action.how is PlayRecord.CANNOT_MOVE:
                return HEAD.sub("", evidence.text(action)).strip()
    return ""
