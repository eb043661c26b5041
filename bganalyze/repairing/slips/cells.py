"""Slips within one cell: a misread die, or a play written wrongly, at the finding or before it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import sub

from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.position import BAR, Position
from bganalyze.record.match_text.cells import PlayItem, parse_cell
from bganalyze.record.model import (
    Play,
    PlayRecord,
    Span,
    other_side,
    parse_number,
)
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.slips.unknown import (
    DOUBLET,
    JOINED,
    UNLIKE,
    WITHOUT_STEPS,
    rate_fit_of_steps,
    with_roll_and_steps,
)
from bganalyze.repairing.spelling import likeness, span_of_steps, spell_play, spell_play_in_letters
from bganalyze.repairing.suggestion import Alternative, Suggestion, edit_text, suggest_text_of_play
from bganalyze.validation.findings import Edit
from bganalyze.validation.replaying.replayed import as_boards, seen_by
from bganalyze.validation.replaying.trial import try_play

PLAYS_BACK = 60
"""Plays before the finding in which a wrong play is searched. Of 510 measured, three were 40 to 60
plays back."""

# Log-likelihoods of slips, for comparing suggestions with one another.
DIE_MISREAD, DICE_MISREAD = math.log(1.5), math.log(0.1)
MISREAD_AND_SORTED = math.log(0.7)
"""Log-likelihood that a die was misread before the roll was written, higher die first."""
DICE_OF_ANOTHER = math.log(0.7)
"""Log-likelihood that the roll was copied from a neighboring play."""
NO_PLAY = -1.5
"""Penalty for a roll that could not be played: its play may be lost instead."""
FALSE_HIT = "T109"
"""Code of a hit mark on a step that does not hit. Another play may have hit."""
OPENING_DOUBLE = "D302"
"""Code of a game that opens with doubles. Another play of the same roll does not help."""
FALSE_MARK = math.log(0.8)
PLAY_MISWRITTEN = math.log(0.5)
PENALTY_PER_PLAY_BETWEEN = 0.1
"""Penalty for each play between the wrong play and the finding."""
DIE_OTHERWISE = 1.5
"""Largest penalty for each die that moves another checker. A slip while moving checkers on a screen
changes the whole text."""
CHANGED_AS_A_WHOLE = 0.8
"""Penalty for a play whose words were reversed or transposed, however its text looks."""

STEP_UNLIKE, STEP_MORE = 4.0, 1.0
"""Largest penalty for a step written differently; penalty for a step too many or too few."""
ANOTHER_STEP = 2.5
"""Penalty for each further step that differs. A transcriber gets one step wrong, and no player made
the play as written."""

LINES_ABOVE = 8
"""Lines searched above a play for its roll, if the roll is not written before the play."""

FULL_STOP = "."
"""Sign after a play in a FIBS session."""

Change = Callable[[str], str]

_MOVE = re.compile(r"[0-9]{1,2}(?:/[0-9]{1,2})+", re.IGNORECASE)
_PATH = re.compile(r"(?:bar|[0-9]{1,2})(?:[/-][0-9]{1,2})*[/-](?:off|[0-9]{1,2})", re.IGNORECASE)
_POINT = re.compile(r"[0-9]{1,2}")
_TWO_DIGITS = re.compile(r"[0-9]{2}")


def suggest_removing_hit_mark(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest removing the hit mark `*` of a step that does not hit."""
    finding = context.finding
    play = None if context.index is None else context.actions[context.index]
    if finding.code != FALSE_HIT or type(play) is not Play:
        return
    span = Span(finding.line, finding.column, finding.end_column)
    text = context.text_at(span)
    for at, character in enumerate(text):
        if character == "*":
            new = text[:at] + text[at + 1 :]
            edit = edit_text(context, span, new)
            message = f"{text} → {new}"
            line, row, side, likelihood = finding.line, play.row, play.side, FALSE_MARK
            yield Suggestion("mark", message, (edit,), line, row, side, likelihood)


def suggest_other_roll(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest other rolls that make an illegal play legal: `61: 24/18 13/12` for `62: …`."""
    index, play = context.index, _find_play(context, context.index)
    if index is None or play is None or play.dice is None or context.is_unreadable:
        return
    if context.is_out_of_turn:
        return
    if not play.steps and play.how not in WITHOUT_STEPS:
        return
    for roll in context.possible_rolls(index):
        meant = play._replace(dice=roll)
        checked = try_play(context.boards[index], meant, marks_hits=context.marks_hits)
        if sorted(play.dice) == list(roll) or not checked.is_legal:
            continue
        trial = context.replay_from(checked.boards, index + 1, other_side(play.side))
        if not context.is_repaired(trial, index + 1):
            continue
        likelihood = _rate_miswritten_roll(context, play, roll) - context.penalty_for(trial)
        suggestion = _suggest_roll(context, play, _order_dice_like(roll, play.dice), likelihood)
        if suggestion is None:
            continue
        situation = context.situation_before(index, play.side, roll)
        alternative = Alternative(situation, seen_by(checked.boards, play.side), None)
        suggestion = suggestion._replace(is_whole=trial.is_whole, alternative=alternative)
        yield with_roll_and_steps(suggestion, roll, play.steps)


def _suggest_roll(
    context: ErrorContext, play: Play, meant: Dice, slip_log_likelihood: float
) -> Suggestion | None:
    """Suggest the roll `meant` instead of the recorded roll of `play`.

    Return None if the text of the play does not show its roll.
    """
    written = context.text(play)
    head = written[: span_of_steps(play).start] if play.places else written
    text = _replace_dice(head, play, meant)
    if text is not None:
        return suggest_text_of_play(
            "roll", context, play, text + written[len(head) :], slip_log_likelihood
        )
    # Some formats write the roll on a line above.
    if context.style.has_rolls:
        return None
    for number in range(play.span.line - 1, max(play.span.line - LINES_ABOVE, 1) - 1, -1):
        line = context.lines[number - 1]
        text = _replace_dice(line, play, meant)
        if text is not None:
            message, edit = f"{line.strip()} → {text.strip()}", Edit(number, line, text)
            return Suggestion(
                "roll", message, (edit,), number, play.row, play.side, slip_log_likelihood
            )
    return None


def _rate_miswritten_roll(context: ErrorContext, play: Play, roll: Dice) -> float:
    """Return the log-likelihood that `roll` was written as the recorded roll of `play`."""
    assert play.dice is not None
    if _count_differing_dice(roll, play.dice) == 1 and not context.style.has_high_first:
        likelihood, doublet = DIE_MISREAD, 0.0
    else:
        doublet = DOUBLET if roll[0] == roll[1] else 0.0
        if _count_differing_dice(roll, play.dice) == 1:
            likelihood = _rate_miswritten_dice(roll, play.dice)
        else:
            likelihood = DICE_OF_ANOTHER if _has_roll_of_neighbor(context, play) else DICE_MISREAD
    spelling = rate_fit_of_steps(context, play.steps, roll) if play.steps else NO_PLAY
    return likelihood + spelling + doublet


def _rate_miswritten_dice(roll: Dice, written: Dice) -> float:
    """Return the log-likelihood that a roll was written as `written`.

    The higher die of `roll` is expected first.

    >>> _rate_miswritten_dice((1, 1), (1, 4)) > _rate_miswritten_dice((1, 3), (1, 4))
    True
    """
    meant = sorted(roll, reverse=True)
    if any(one == other for one, other in zip(meant, written, strict=True)):
        return DIE_MISREAD
    return MISREAD_AND_SORTED if written[0] >= written[1] else DICE_MISREAD


def _has_roll_of_neighbor(context: ErrorContext, play: Play) -> bool:
    """Whether another play within two actions of this one has the same roll."""
    assert play.dice is not None
    index = context.actions.index(play)
    around = context.actions[max(index - 2, 0) : index + 3]
    rolls = (other.dice for other in around if isinstance(other, Play) and other is not play)
    return any(dice is not None and sorted(dice) == sorted(play.dice) for dice in rolls)


def suggest_other_play(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest other plays of a roll: `62: 24/18 13/11` for `62: 24/18 13/12`.

    One play is replaced: the play with the error, or one of the last plays before it.
    """
    if context.index is None or context.is_unreadable or context.finding.code == OPENING_DOUBLE:
        return
    between = 0
    for index in range(context.index - context.is_out_of_turn, -1, -1):
        play = _find_play(context, index)
        if play is None or context.is_overlong(play):
            continue
        yield from _suggest_other_plays(context, index, play, between)
        between += 1
        if between > PLAYS_BACK:
            return


def _suggest_other_plays(
    context: ErrorContext, index: int, play: Play, plays_to_finding: int
) -> Iterator[Suggestion]:
    """Suggest other plays of the roll of `play` that make the actions after it legal.

    `plays_to_finding` counts the plays from `play`, the action at `index`, to the error.
    """
    if play.dice is None or not are_dice(play.dice) or play.how is not PlayRecord.PLAYED:
        return
    position = context.position_before(index, play.side)
    likely = None
    recorded = context.check_of_play(index)
    written = seen_by(recorded.boards, play.side)
    demands = context.find_checkers_needed_after(index, play.side)
    for result, _ in demands.find_fitting_plays(position, play.dice):
        if recorded.is_legal and result == written:
            continue
        if (
            plays_to_finding == 0
            and context.finding.code == FALSE_HIT
            and result.other == position.other
        ):
            continue
        trial = context.replay_from(as_boards(result, play.side), index + 1, other_side(play.side))
        if not context.is_repaired(trial, index + 1):
            continue
        text = _replace_steps(context, play, position, result)
        if likely is None:
            likely = _find_results_if_miscopied(context, index, play)
        if recorded.is_legal:
            unlike = UNLIKE * (1 - likeness(text, context.text(play)))
            unlike = min(unlike, DIE_OTHERWISE * _count_dice_played_otherwise(result, written))
        else:
            unlike = _rate_misspelling(context.text(play), text)
        if result in likely:
            unlike = min(unlike, CHANGED_AS_A_WHOLE)
        if not context.style.is_joined and _has_joined_step(text, play.dice):
            unlike -= JOINED
        likelihood = (
            PLAY_MISWRITTEN
            - PENALTY_PER_PLAY_BETWEEN * plays_to_finding
            - unlike
            - context.penalty_for(trial)
        )
        suggestion = suggest_text_of_play("play", context, play, text, likelihood)
        alternative = Alternative(
            context.situation_before(index, play.side, play.dice),
            result,
            written if recorded.is_legal else None,
        )
        yield suggestion._replace(is_whole=trial.is_whole, alternative=alternative)


def _count_dice_played_otherwise(result: Position, other: Position) -> int:
    """Return the least number of dice that two plays of a roll use differently.

    `result` and `other` are the positions after the two plays.

    >>> from bganalyze.board.plays import after
    >>> from bganalyze.board.position import Step, start_position
    >>> start = start_position("standard")
    >>> def left_by(*paths):
    ...     board = start
    ...     for path in paths:
    ...         board = after(board, Step(path, (False,)))
    ...     return board
    >>> played = left_by((24, 18), (13, 11))
    >>> [_count_dice_played_otherwise(played, left_by((24, 18), path)) for path in ((13, 11), (18, 16), (6, 4))]
    [0, 1, 1]
    >>> _count_dice_played_otherwise(played, left_by((13, 7), (8, 6)))
    2
    """
    changes: int = sum(map(abs, map(sub, result.own, other.own)))
    # A die played differently changes up to two points of either result.
    return math.ceil(changes / 4)


def _rate_misspelling(written: str, text: str) -> float:
    """Return the penalty, as a log-likelihood, for a slip that writes `written` for `text`.

    >>> _rate_misspelling("62: 24/18 13/12", "62: 24/18 13/11") < _rate_misspelling("62: 8/2 8/7", "62: 24/18 13/11")
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


def _has_joined_step(text: str, dice: Dice) -> bool:
    """Whether a play's text has a step longer than either die, such as 13/8 with 4-1.

    >>> _has_joined_step("41: 13/8", (4, 1)), _has_joined_step("41: 13/9 6/5", (4, 1))
    (True, False)
    """
    return any(_count_pips_of_step(path.group()) > max(dice) for path in _PATH.finditer(text))


def _count_pips_of_step(path: str) -> int:
    """Return the length of a step in pips, whichever player's numbers its points have.

    >>> _count_pips_of_step("13/8"), _count_pips_of_step("12-16")
    (5, 4)
    """
    numbers = [parse_number(number) for number in re.findall("[0-9]+", path)]
    if path[0].isdigit() and path[-1].isdigit():
        return abs(numbers[0] - numbers[-1])
    return min(numbers[0], BAR - numbers[0]) if numbers else 0


def _find_results_if_miscopied(
    context: ErrorContext, index: int, play: Play
) -> frozenset[Position]:
    """Return the positions after legal plays that may have been miscopied as `play`.

    The slip may have swapped points or digits (`5/8`, `42/18`), or counted points from the other
    side (`1/7`).
    """
    results: set[Position] = set()
    written = context.text(play)
    words = list(_MOVE.finditer(written))
    ways = [_change_words(written, [word], change) for word in words for change in _CHANGES]
    for text in (*ways, _change_words(written, words, _number_from_other_side)):
        read = parse_cell(text)
        if len(read) != 1 or not isinstance(read[0], PlayItem):
            continue
        meant = play._replace(steps=read[0].steps)
        checked = try_play(context.boards[index], meant, marks_hits=context.marks_hits)
        if checked.is_legal:
            results.add(seen_by(checked.boards, play.side))
    return frozenset(results)


def _change_words(text: str, parts: Iterable[re.Match[str]], change: Change) -> str:
    """Return a text with the function `change` applied to each of its `parts`."""
    for word in reversed(list(parts)):
        text = text[: word.start()] + change(word.group()) + text[word.end() :]
    return text


def _swap_ends(word: str) -> str:
    """Return a step with its ends swapped: `8/5` for `5/8`."""
    return "/".join(reversed(word.split("/")))


def _transpose_first_point(word: str) -> str:
    """Return a step with the digits of its first point swapped: `24/18` for `42/18`."""
    return _TWO_DIGITS.sub(lambda point: point.group()[::-1], word, count=1)


def _transpose_last_point(word: str) -> str:
    """Return a step with the digits of its last point swapped: `24/18` for `24/81`."""
    source, _, target = word.rpartition("/")
    return f"{source}/{_transpose_first_point(target)}"


def _number_from_other_side(word: str) -> str:
    """Return a step with its points counted from the other side: `24/18` for `1/7`."""
    return _POINT.sub(lambda point: str(BAR - int(point.group())), word)


_CHANGES: tuple[Change, ...] = (_swap_ends, _transpose_first_point, _transpose_last_point)


def _find_play(context: ErrorContext, index: int | None) -> Play | None:
    """Return the play at an index of the game's actions, or None."""
    action = None if index is None else context.actions[index]
    return action if isinstance(action, Play) else None


def _count_differing_dice(one: Dice, two: Dice) -> int:
    """Return how many dice (0 to 2) differ between two rolls, whatever their order."""
    left = list(two)
    for die in one:
        if die in left:
            left.remove(die)
    return len(left)


def _order_dice_like(roll: Dice, written: Dice) -> Dice:
    """Return a roll with its dice in the order that is closest to the roll `written`."""
    return max(
        (roll, roll[::-1]),
        key=lambda dice: (
            (dice[0] == written[0]) + (dice[1] == written[1]) + (dice[0] >= dice[1]) / 2
        ),
    )


def _replace_dice(written: str, play: Play, meant: Dice) -> str | None:
    """Return the text `written` with the roll `meant` instead of the roll of `play`.

    Return None if the text does not show the roll of `play`.
    """
    assert play.dice is not None
    pattern = rf"(?<!\d){play.dice[0]}([- ]?| and ){play.dice[1]}(?!\d)"
    # The last one, if the roll occurs several times.
    dice = max(re.finditer(pattern, written), key=re.Match.start, default=None)
    if dice is None:
        return None
    return f"{written[: dice.start()]}{meant[0]}{dice[1]}{meant[1]}{written[dice.end() :]}"


def _replace_steps(context: ErrorContext, play: Play, position: Position, result: Position) -> str:
    """Return the text of a play, with its steps replaced by those from `position` to `result`."""
    assert play.dice is not None
    if context.is_in_letters:
        return spell_play_in_letters(position, play.dice, result, play.side, context.text(play))
    written = context.text(play)
    place = span_of_steps(play) if play.places else slice(len(written), len(written))
    head, behind = written[: place.start], written[place.stop :]
    text = spell_play(position, play.dice, result, context.style, written[place], play.side)
    if behind.strip() == FULL_STOP:
        text += behind
    return f"{head.rstrip()} {text}" if head.strip() else text
