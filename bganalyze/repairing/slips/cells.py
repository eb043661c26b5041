"""Slips within one cell: a die misread, or a play written wrongly, here or before."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import sub

from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.position import BAR, Position
from bganalyze.record.match_text.cells import PlayItem, items
from bganalyze.record.model import (
    Play,
    PlayRecord,
    Span,
    other_side,
)
from bganalyze.repairing.evidence import Evidence
from bganalyze.repairing.slips.unknown import (
    DOUBLET,
    JOINED,
    UNLIKE,
    WITHOUT_STEPS,
    loss_of_steps,
    with_roll,
)
from bganalyze.repairing.spelling import likeness, spelled, spelled_in_letters, steps_span
from bganalyze.repairing.suggestion import Alternative, Suggestion, of_play, rewritten
from bganalyze.validation.findings import Edit
from bganalyze.validation.replaying.facts import as_boards, seen_by
from bganalyze.validation.replaying.trial import carried_out

PLAYS_BACK = 60
"""A wrong play shows within so many plays: of 510 that were measured three between the 40th and the 60th."""

DIE_MISREAD, DICE_MISREAD = math.log(1.5), math.log(0.1)
MISREAD_AND_SORTED = math.log(0.7)
"""A die was misread, and the roll written with the higher die first."""
DICE_OF_ANOTHER = math.log(0.7)
"""The roll is that of a play beside it."""
DANCE = -1.5
"""What a roll loses that could not be played: its play may be lost, too."""
FALSE_HIT = "T109"
"""What is found where a hit is marked and none made: with another play one was."""
OPENING_DOUBLE = "D302"
"""What is found where a game opens with equal dice: with no other play of them would it be less so."""
FALSE_MARK = math.log(0.8)
PLAY_MISWRITTEN = math.log(0.5)
FAR = 0.1
"""What a play loses in likelihood for each play between it and the fault."""
DIE_OTHERWISE = 1.5
"""What a legal play loses at most for each die with which another checker was moved: where checkers
are moved on a screen, a slip of the hand writes quite another text."""
CHANGED_AS_A_WHOLE = 0.8
"""What a play loses that was turned round, however it looks."""

STEP_UNLIKE, STEP_MORE = 4.0, 1.0
"""What a play loses for a step that is written quite differently; for one too many or too few."""
ANOTHER_STEP = 2.5
"""What it loses for each further step that is another: a transcriber errs in one, and no player made the
play that is written."""

LINES_ABOVE = 8
"""So many lines above a play tell its roll, where that does not stand before it."""

FULL_STOP = "."
"""What stands behind a play in a session on FIBS."""

Change = Callable[[str], str]

_MOVE = re.compile(r"[0-9]{1,2}(?:/[0-9]{1,2})+", re.IGNORECASE)
_PATH = re.compile(r"(?:bar|[0-9]{1,2})(?:[/-][0-9]{1,2})*[/-](?:off|[0-9]{1,2})", re.IGNORECASE)
_POINT = re.compile(r"[0-9]{1,2}")
_TWO_DIGITS = re.compile(r"[0-9]{2}")


def false_mark(evidence: Evidence) -> Iterator[Suggestion]:
    """A step is marked as a hit where nothing is hit, and the rest of the game knows of none."""
    finding = evidence.finding
    play = None if evidence.index is None else evidence.actions[evidence.index]
    if finding.code != FALSE_HIT or type(play) is not Play:
        return
    span = Span(finding.line, finding.column, finding.end_column)
    text = evidence.text_at(span)
    for at, character in enumerate(text):
        if character == "*":
            new = text[:at] + text[at + 1 :]
            edit = rewritten(evidence, span, new)
            message = f"{text} → {new}"
            line, row, side, likelihood = finding.line, play.row, play.side, FALSE_MARK
            yield Suggestion("mark", message, (edit,), line, row, side, likelihood)


def misread_roll(evidence: Evidence) -> Iterator[Suggestion]:
    """A die misread: with another roll the play as written is legal.

    `62: 24/18 13/12` was rolled with 61.
    """
    index, play = evidence.index, _play_at(evidence, evidence.index)
    if index is None or play is None or play.dice is None or evidence.is_unreadable:
        return
    if evidence.is_out_of_turn:
        return
    if not play.steps and play.how not in WITHOUT_STEPS:
        return
    for roll in evidence.rolls(index):
        meant = play._replace(dice=roll)
        checked = carried_out(evidence.boards[index], meant, marks_hits=evidence.marks_hits)
        if sorted(play.dice) == list(roll) or not checked.is_legal:
            continue
        trial = evidence.after(checked.boards, index + 1, other_side(play.side))
        if not evidence.is_repaired(trial, index + 1):
            continue
        likelihood = _likelihood_of_roll(evidence, play, roll) - evidence.doubt(trial)
        suggestion = _with_roll(evidence, play, _like(roll, play.dice), likelihood)
        if suggestion is None:
            continue
        situation = evidence.situation(index, play.side, roll)
        alternative = Alternative(situation, seen_by(checked.boards, play.side), None)
        suggestion = suggestion._replace(is_whole=trial.is_whole, alternative=alternative)
        yield with_roll(suggestion, roll, play.steps)


def _with_roll(evidence: Evidence, play: Play, meant: Dice, likelihood: float) -> Suggestion | None:
    """Return the suggestion of another roll; None where that of the play is not found.

    It stands before the steps, or in the nearest line above them that tells it.
    """
    written = evidence.text(play)
    head = written[: steps_span(play).start] if play.places else written
    text = _with_dice(head, play, meant)
    if text is not None:
        return of_play("roll", evidence, play, text + written[len(head) :], likelihood)
    if evidence.style.has_rolls:
        return None
    for number in range(play.span.line - 1, max(play.span.line - LINES_ABOVE, 1) - 1, -1):
        line = evidence.lines[number - 1]
        text = _with_dice(line, play, meant)
        if text is not None:
            message, edit = f"{line.strip()} → {text.strip()}", Edit(number, line, text)
            return Suggestion("roll", message, (edit,), number, play.row, play.side, likelihood)
    return None


def _likelihood_of_roll(evidence: Evidence, play: Play, roll: Dice) -> float:
    """Return the logarithm of how likely it is that a play was made with another roll.

    Where rolls are written as they are rolled, each of them is written as often, doublets too.
    """
    assert play.dice is not None
    if _differing(roll, play.dice) == 1 and not evidence.style.has_high_first:
        likelihood, doublet = DIE_MISREAD, 0.0
    else:
        doublet = DOUBLET if roll[0] == roll[1] else 0.0
        if _differing(roll, play.dice) == 1:
            likelihood = _likelihood_in_order(roll, play.dice)
        else:
            likelihood = DICE_OF_ANOTHER if _stands_beside(evidence, play) else DICE_MISREAD
    spelling = loss_of_steps(evidence, play.steps, roll) if play.steps else DANCE
    return likelihood + spelling + doublet


def _likelihood_in_order(roll: Dice, written: Dice) -> float:
    """Return how likely one die is misread where the record writes the higher one first.

    >>> _likelihood_in_order((1, 1), (1, 4)) > _likelihood_in_order((1, 3), (1, 4))
    True
    """
    meant = sorted(roll, reverse=True)
    if any(one == other for one, other in zip(meant, written, strict=True)):
        return DIE_MISREAD
    return MISREAD_AND_SORTED if written[0] >= written[1] else DICE_MISREAD


def _stands_beside(evidence: Evidence, play: Play) -> bool:
    """Whether the roll of a play is that of one of those around it, too."""
    assert play.dice is not None
    index = evidence.actions.index(play)
    around = evidence.actions[max(index - 2, 0) : index + 3]
    rolls = (other.dice for other in around if isinstance(other, Play) and other is not play)
    return any(dice is not None and sorted(dice) == sorted(play.dice) for dice in rolls)


def wrong_play(evidence: Evidence) -> Iterator[Suggestion]:
    """Another play of the roll: at the fault itself, or earlier, where it shows only now.

    `62: 24/18 13/12` was 24/18 13/11.
    """
    if evidence.index is None or evidence.is_unreadable or evidence.finding.code == OPENING_DOUBLE:
        return
    between = 0
    for index in range(evidence.index - evidence.is_out_of_turn, -1, -1):
        play = _play_at(evidence, index)
        if play is None or evidence.is_overlong(play):
            continue
        yield from _other_plays(evidence, index, play, between)
        between += 1
        if between > PLAYS_BACK:
            return


def _other_plays(evidence: Evidence, index: int, play: Play, between: int) -> Iterator[Suggestion]:
    """Yield the other plays of the roll after which the plays up to the fault and on are legal."""
    if play.dice is None or not are_dice(play.dice) or play.how is not PlayRecord.PLAYED:
        return
    position = evidence.position(index, play.side)
    likely = None
    recorded = evidence.checked(index)
    written = seen_by(recorded.boards, play.side)
    demands = evidence.demands(index, play.side)
    for result, _ in demands.plays(position, play.dice):
        if recorded.is_legal and result == written:
            continue
        if between == 0 and evidence.finding.code == FALSE_HIT and result.other == position.other:
            continue
        trial = evidence.after(as_boards(result, play.side), index + 1, other_side(play.side))
        if not evidence.is_repaired(trial, index + 1):
            continue
        text = _with_steps(evidence, play, position, result)
        if likely is None:
            likely = _meant_by(evidence, index, play)
        if recorded.is_legal:
            unlike = UNLIKE * (1 - likeness(text, evidence.text(play)))
            unlike = min(unlike, DIE_OTHERWISE * _dice_otherwise(result, written))
        else:
            unlike = _misspelling(evidence.text(play), text)
        if result in likely:
            unlike = min(unlike, CHANGED_AS_A_WHOLE)
        if not evidence.style.is_joined and _joins(text, play.dice):
            unlike -= JOINED
        likelihood = PLAY_MISWRITTEN - FAR * between - unlike - evidence.doubt(trial)
        suggestion = of_play("play", evidence, play, text, likelihood)
        alternative = Alternative(
            evidence.situation(index, play.side, play.dice),
            result,
            written if recorded.is_legal else None,
        )
        yield suggestion._replace(is_whole=trial.is_whole, alternative=alternative)


def _dice_otherwise(result: Position, other: Position) -> int:
    """Return with how many dice at least other checkers were moved, by what two plays of a roll leave.

    Each leaves up to two points with a checker less, and two with a checker more.

    >>> from bganalyze.board.plays import after
    >>> from bganalyze.board.position import Step, start_position
    >>> start = start_position("standard")
    >>> def left_by(*paths):
    ...     board = start
    ...     for path in paths:
    ...         board = after(board, Step(path, (False,)))
    ...     return board
    >>> played = left_by((24, 18), (13, 11))
    >>> [_dice_otherwise(played, left_by((24, 18), path)) for path in ((13, 11), (18, 16), (6, 4))]
    [0, 1, 1]
    >>> _dice_otherwise(played, left_by((13, 7), (8, 6)))
    2
    """
    changes: int = sum(map(abs, map(sub, result.own, other.own)))
    return math.ceil(changes / 4)


def _misspelling(written: str, text: str) -> float:
    """Return what a play loses for the steps in which it differs from what is written.

    >>> _misspelling("62: 24/18 13/12", "62: 24/18 13/11") < _misspelling("62: 8/2 8/7", "62: 24/18 13/11")
    True
    """
    here, there = Counter(written.split()), Counter(text.split())
    unmatched = list((there - here).elements())
    loss, steps = 0.0, 0
    for word in (here - there).elements():
        loss += STEP_MORE
        if unmatched:
            nearest = max(unmatched, key=lambda other: likeness(word, other))
            unmatched.remove(nearest)
            loss += STEP_UNLIKE * (1 - likeness(word, nearest)) - STEP_MORE
        steps += 1
    steps += len(unmatched)
    return loss + STEP_MORE * len(unmatched) + ANOTHER_STEP * max(steps - 1, 0)


def _joins(text: str, dice: Dice) -> bool:
    """Whether a step of a text is longer than either die.

    >>> _joins("41: 13/8", (4, 1)), _joins("41: 13/9 6/5", (4, 1))
    (True, False)
    >>> _joins("41: 5/off", (4, 1)), _joins("62: bar/23 24-16", (6, 2))
    (True, True)
    """
    return any(_length(path.group()) > max(dice) for path in _PATH.finditer(text))


def _length(path: str) -> int:
    """Return how many pips a step goes, whichever side its points are numbered from.

    >>> _length("13/8"), _length("bar/20"), _length("bar/5"), _length("12-16")
    (5, 5, 5, 4)
    """
    numbers = [int(number) for number in re.findall("[0-9]+", path)]
    if path[0].isdigit() and path[-1].isdigit():
        return abs(numbers[0] - numbers[-1])
    return min(numbers[0], BAR - numbers[0]) if numbers else 0


def _meant_by(evidence: Evidence, index: int, play: Play) -> frozenset[Position]:
    """Return what the play leaves if a word of it, or all, was written the other way round."""
    results: set[Position] = set()
    written = evidence.text(play)
    words = list(_MOVE.finditer(written))
    ways = [_other_way_round(written, [word], change) for word in words for change in _CHANGES]
    for text in (*ways, _other_way_round(written, words, _from_the_other_side)):
        read = items(text)
        if len(read) != 1 or not isinstance(read[0], PlayItem):
            continue
        meant = play._replace(steps=read[0].steps)
        checked = carried_out(evidence.boards[index], meant, marks_hits=evidence.marks_hits)
        if checked.is_legal:
            results.add(seen_by(checked.boards, play.side))
    return frozenset(results)


def _other_way_round(text: str, words: Iterable[re.Match[str]], change: Change) -> str:
    """Return a text with some of its words changed."""
    for word in reversed(list(words)):
        text = text[: word.start()] + change(word.group()) + text[word.end() :]
    return text


def _turned(word: str) -> str:
    """Return a step from where it ends to where it starts: `5/8` was 8/5."""
    return "/".join(reversed(word.split("/")))


def _first_transposed(word: str) -> str:
    """Return a step with the digits of its first point exchanged: `42/18` was 24/18."""
    return _TWO_DIGITS.sub(lambda point: point.group()[::-1], word, count=1)


def _last_transposed(word: str) -> str:
    """Return a step with the digits of its last point exchanged: `24/81` was 24/18."""
    source, _, target = word.rpartition("/")
    return f"{source}/{_first_transposed(target)}"


def _from_the_other_side(word: str) -> str:
    """Return a step with its points counted from the other side: `1/7` was 24/18."""
    return _POINT.sub(lambda point: str(BAR - int(point.group())), word)


_CHANGES: tuple[Change, ...] = (_turned, _first_transposed, _last_transposed)


def _play_at(evidence: Evidence, index: int | None) -> Play | None:
    action = None if index is None else evidence.actions[index]
    return action if isinstance(action, Play) else None


def _differing(one: Dice, two: Dice) -> int:
    """How many dice differ between two rolls."""
    left = list(two)
    for die in one:
        if die in left:
            left.remove(die)
    return len(left)


def _like(roll: Dice, written: Dice) -> Dice:
    """Return a roll with its dice in the order in which most of them are written."""
    return max(
        (roll, roll[::-1]),
        key=lambda dice: (
            (dice[0] == written[0]) + (dice[1] == written[1]) + (dice[0] >= dice[1]) / 2
        ),
    )


def _with_dice(written: str, play: Play, meant: Dice) -> str | None:
    """Return a text with other dice than those of a play, where they stand last; None without them."""
    assert play.dice is not None
    pattern = rf"(?<!\d){play.dice[0]}([- ]?| and ){play.dice[1]}(?!\d)"
    dice = max(re.finditer(pattern, written), key=re.Match.start, default=None)
    if dice is None:
        return None
    return f"{written[: dice.start()]}{meant[0]}{dice[1]}{meant[1]}{written[dice.end() :]}"


def _with_steps(evidence: Evidence, play: Play, position: Position, result: Position) -> str:
    """Return what is written with other steps."""
    assert play.dice is not None
    if evidence.is_in_letters:
        return spelled_in_letters(position, play.dice, result, play.side, evidence.text(play))
    written = evidence.text(play)
    place = steps_span(play) if play.places else slice(len(written), len(written))
    head, behind = written[: place.start], written[place.stop :]
    text = spelled(position, play.dice, result, evidence.style, written[place], play.side)
    if behind.strip() == FULL_STOP:
        text += behind
    return f"{head.rstrip()} {text}" if head.strip() else text
