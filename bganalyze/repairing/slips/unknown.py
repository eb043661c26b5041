"""Unknown turns: find the plays that may have been made where a turn is lost or unreadable."""

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

from bganalyze.board.movement import ROLLS, Dice, Steps, are_dice, legal_plays, move_along
from bganalyze.board.play_faults import dice_to_play as numbers_of
from bganalyze.board.play_faults import fit_dice
from bganalyze.board.play_faults import list_legs as legs_of
from bganalyze.board.position import BAR, Position
from bganalyze.record.match_text.cells import PlayItem, parse_cell
from bganalyze.record.model import Action, Play, PlayRecord, Side, Span, Unread, other_side
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.prior import weigh_by_appearance
from bganalyze.repairing.spelling import (
    likeness,
    spell_play,
    spell_play_in_letters,
    spell_steps,
    spell_steps_in_letters,
)
from bganalyze.repairing.suggestion import Alternative, Suggestion, edit_text, show_turn_text
from bganalyze.validation.replaying.demands import BoardConstraints, find_constraints, may_leave
from bganalyze.validation.replaying.replayed import Boards, as_boards, seen_by
from bganalyze.validation.replaying.trial import TrialResult, try_actions, try_play

MOST_MISSING = 8
"""Checkers a side may seem to lack, in all, if one of its turns is unknown."""

MOST_FIRST, MOST_SECOND = 30, 12
"""First turns tried if two turns are lost, and second turns tried after each."""
MOST_AFTER, MOST_PAIRS = 4, 20
"""Pairs kept for each first turn if two turns are lost, and in all."""

LEADING_ROLL = re.compile(r"^\s*[0-9]{2}(?::|(?=\s|$))")
"""Roll at the start of a cell."""

PLAYS_BACK = 40
"""Plays before the finding in which an unknown play is searched."""

DOUBLET = math.log(0.5)
"""Penalty for doubles, which are rolled half as often as other rolls."""
JOINED = -2.0
"""Penalty for a joined step in a match file that never joins steps."""
UNFITTING = -4.0
"""Penalty for a roll whose dice do not fit the steps in the order written."""

UNLIKE = 8.0
"""Largest penalty for a play that is written differently."""

# Log-likelihoods of slips, for comparing suggestions with one another.
CELL_UNREADABLE, PLAY_UNREADABLE = math.log(1.0), math.log(1.0)
ROLL_UNREADABLE = math.log(1.0)
LETTER_FOR_DIGIT = math.log(10.0)
SAME, OTHER, LONGER, WORD_MORE = 0.7, 2.0, 0.3, 1.0
"""Weights for comparing an unreadable cell with a proposed text: gain for each digit that agrees,
and losses for each digit that differs, each character more or less, each word more or less."""

ALIKE = str.maketrans("OoQlI|!iZzSsGbBgq", "00011111225566899")
"""Letters that may have been written or read for digits."""


_FIGURES = frozenset("0123456789/")
_WORD = re.compile(r"\b(?:bar|off)\b", re.IGNORECASE)
_LARGE_DOUBT = frozenset((PlayRecord.UNREAD, PlayRecord.UNPLAYED))
WITHOUT_STEPS = (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)
"""Ways to record a known turn that has no steps."""


class CellText(NamedTuple):
    """The text of one side's turn in the file."""

    span: Span
    row: str | None
    side: Side
    text: str
    dice: Dice | None
    steps: str
    """The steps as written, or empty if part of the text after the roll is unreadable."""
    first: int
    """Index, among the game's actions, of the first action in the cell."""
    behind: int
    """Index of the first action after the cell."""


def suggest_readable_cell(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest a text for an unreadable cell, such as `62: 24/18 13/11` for `62: 24/l8 ???`."""
    for cell in _find_cells_with_unknown_play(context):
        # The style is slow to find, so it is looked up only if there is such a cell.
        if not (context.style.has_rolls or context.is_in_letters):
            return
        yield from _suggest_digits(context, cell)
        if cell.steps and cell.dice is None:
            yield from _suggest_rolls(context, cell)
        else:
            yield from _suggest_plays(context, cell)


def _find_cells_with_unknown_play(context: ErrorContext) -> Iterator[CellText]:
    """Yield the cells with an unreadable or missing play, from the error back to earlier turns."""
    if context.index is None:
        return
    seen: set[tuple[int, Side]] = set()
    plays = 0
    for index in range(context.index, -1, -1):
        action = context.actions[index]
        is_play = isinstance(action, Play)
        plays += is_play
        if plays > PLAYS_BACK:
            return
        if not isinstance(action, Play | Unread) or action.side is None:
            continue
        place = action.span.line, action.side
        is_here = place == (
            context.finding.line,
            getattr(context.actions[context.index], "side", None),
        )
        if place not in seen and _is_play_unknown(action, is_of_finding=is_here):
            seen.add(place)
            yield _read_cell(context, index, action.side)


def _is_play_unknown(action: Play | Unread, *, is_of_finding: bool) -> bool:
    """Whether a turn's text is unreadable, or says with `????` that its play is unknown.

    If it is the turn with the error (`is_of_finding`), a missing roll or missing steps also make
    its play unknown.
    """
    if isinstance(action, Unread) or action.how in _LARGE_DOUBT:
        return True
    return is_of_finding and (action.dice is None or action.how in WITHOUT_STEPS)


def _read_cell(context: ErrorContext, index: int, side: Side) -> CellText:
    """Return the whole cell of `side` on the line of the action at `index`."""
    line = context.actions[index].span.line
    within = [
        at
        for at, action in enumerate(context.actions)
        if action.span.line == line and getattr(action, "side", None) == side
    ]
    parts = [context.actions[at] for at in within]
    span = Span(line, parts[0].span.column, max(part.span.end_column for part in parts))
    play = next((part for part in parts if isinstance(part, Play)), None)
    is_read = play is not None and not any(
        isinstance(part, Unread) and part.span > play.span for part in parts
    )
    steps = ""
    if play is not None and play.places and is_read:
        steps = context.text(play)[play.places[0][0] - play.cell_offset :]
    text = context.replayed.match.source.text_at(span)
    dice = None if play is None else play.dice
    return CellText(span, parts[0].row, side, text, dice, steps, within[0], within[-1] + 1)


def _suggest_digits(context: ErrorContext, cell: CellText) -> Iterator[Suggestion]:
    """Suggest digits for letters that look like them: `13/9` for `l3/9`."""
    text = "".join(
        part if _WORD.fullmatch(part) else part.translate(ALIKE)
        for part in re.split(r"(\b(?:bar|off)\b)", cell.text, flags=re.IGNORECASE)
    )
    read = parse_cell(LEADING_ROLL.sub(_add_colon, text, count=1))
    if text == cell.text or len(read) != 1 or not isinstance(read[0], PlayItem):
        return
    item = read[0]
    if not item.dice or not item.steps:
        return
    play = Play(cell.span, cell.row, cell.side, item.dice, item.steps)
    yield from _suggest_text(context, cell, play, text, LETTER_FOR_DIGIT)


def _add_colon(head: re.Match[str]) -> str:
    """Return a roll, matched by a regex, with a colon after it: `62:`."""
    return f"{head.group().rstrip(':')}:"


def _suggest_rolls(context: ErrorContext, cell: CellText) -> Iterator[Suggestion]:
    """Suggest rolls for a cell with readable steps and an unreadable roll."""
    action = next(
        (a for a in context.actions[cell.first : cell.behind] if isinstance(a, Play)), None
    )
    if action is None:
        return
    head = cell.text[: cell.text.rindex(cell.steps)].strip()
    is_half_read = not context.style.has_high_first and _count_digits_and_slashes(head) > 0
    for roll in context.possible_rolls(cell.first):
        written = max(
            _yield_roll_spellings(context, roll),
            key=lambda other: _score_shared_digits(head, other),
        )
        likelihood = ROLL_UNREADABLE + _score_shared_digits(head, written)
        likelihood += rate_fit_of_steps(context, action.steps, roll)
        if roll[0] == roll[1] and not is_half_read:
            likelihood += DOUBLET
        text = f"{written} {cell.steps}"
        play = action._replace(dice=(int(written[0]), int(written[1])), how=PlayRecord.PLAYED)
        for suggestion in _suggest_text(context, cell, play, text, likelihood):
            yield with_roll_and_steps(suggestion, roll, action.steps)


def _yield_roll_spellings(context: ErrorContext, roll: Dice) -> Iterator[str]:
    """Yield the ways to write a roll: in both orders, or with the higher die first."""
    low, high = sorted(roll)
    yield f"{high}{low}{context.style.sign}"
    if not context.style.has_high_first:
        yield f"{low}{high}{context.style.sign}"


def rate_fit_of_steps(context: ErrorContext, steps: Steps, roll: Dice) -> float:
    """Return how well steps fit a roll, as a log-likelihood: 0, or less if the fit is poor."""
    if not _do_dice_fit(roll, steps):
        # The dice cannot make the steps, or a step needs several where the file writes one die
        # each.
        return UNFITTING
    longest = max((path[0] - path[-1] for path, _ in steps), default=0)
    return JOINED if longest > max(roll) and not context.style.is_joined else 0.0


def _do_dice_fit(roll: Dice, steps: Steps) -> bool:
    """Whether the dice of a roll can play all these steps in order."""
    legs = legs_of(steps)
    return fit_dice(legs, numbers_of(roll)).legs == len(legs)


def with_roll_and_steps(suggestion: Suggestion, roll: Dice, steps: Steps) -> Suggestion:
    """Return a suggestion with its guessed roll and steps noted, unchanged if they do not fit."""
    if not _do_dice_fit(roll, steps):
        return suggestion
    return suggestion._replace(rolls=(roll,), plays=(steps,))


def _suggest_text(
    context: ErrorContext, cell: CellText, play: Play, text: str, slip_log_likelihood: float
) -> Iterator[Suggestion]:
    """Suggest writing `text` (which means `play`) into a cell if it makes later plays legal."""
    checked = try_play(context.boards[cell.first], play, marks_hits=context.marks_hits)
    if not checked.is_legal:
        return
    trial = context.replay_from(checked.boards, cell.behind, other_side(play.side))
    if context.is_repaired(trial, cell.behind):
        assert play.dice is not None
        situation = context.situation_before(cell.first, cell.side, play.dice)
        alternative = Alternative(situation, seen_by(checked.boards, cell.side), None)
        yield _build_suggestion(context, cell, text, slip_log_likelihood, trial, alternative)


def _suggest_plays(context: ErrorContext, cell: CellText) -> Iterator[Suggestion]:
    """Suggest each legal play of the cell's roll, or of every roll if it is unreadable."""
    boards, following = context.boards[cell.first], context.actions[cell.behind :]
    rolls = context.possible_rolls(cell.first) if cell.dice is None else (cell.dice,)
    kind = CELL_UNREADABLE if cell.dice is None else PLAY_UNREADABLE
    for turn in find_turns_before(context, boards, cell.side, following, cell.behind, rolls):
        if cell.dice is not None and turn.result == turn.position:
            continue
        head = LEADING_ROLL.match(cell.text)
        written = cell.text if head is None else cell.text[head.end() :].strip()
        text = write_turn(context, turn, written, cell.side)
        if context.is_in_letters:
            dice = cell.dice or turn.dice[::-1]
            text = spell_play_in_letters(turn.position, dice, turn.result, cell.side, cell.text)
            likelihood = kind - UNLIKE * (1 - likeness(cell.text, text))
        elif head is None:
            ways = (way + text[len(way) :] for way in _yield_roll_spellings(context, turn.dice))
            text = max(ways, key=lambda way: _score_shared_digits(written, way))
            likelihood = kind + _score_shared_digits(written, text)
        else:
            steps = LEADING_ROLL.sub("", text)
            likelihood = kind + _score_shared_digits(written, steps.strip())
            text = head.group() + steps
        if cell.dice is None:
            likelihood += turn.likelihood
        alternative = Alternative(
            context.situation_before(cell.first, cell.side, turn.dice), turn.result, None
        )
        suggestion = _build_suggestion(context, cell, text, likelihood, turn.trial, alternative)
        yield with_roll_and_steps(suggestion, turn.dice, turn.steps)


def _build_suggestion(
    context: ErrorContext,
    cell: CellText,
    text: str,
    slip_log_likelihood: float,
    trial: TrialResult,
    alternative: Alternative,
) -> Suggestion:
    """Return the suggestion to write `text` into a cell.

    `trial` is the replay of the later plays. `alternative` is the play that `text` means.
    """
    return Suggestion(
        "unreadable",
        f"{cell.text} → {show_turn_text(text)}",
        (edit_text(context, cell.span, text),),
        cell.span.line,
        cell.row,
        cell.side,
        slip_log_likelihood - context.penalty_for(trial),
        trial.is_whole,
        alternative,
    )


def _score_shared_digits(written: str, text: str) -> float:
    """Return a score for the digits that two texts share, whatever the order of their words.

    >>> _score_shared_digits("q4/1v#", "24/18") > 0 > _score_shared_digits("q4/1v#", "13/11")
    True
    """
    words, left = written.split(), text.split()
    agreement = -WORD_MORE * abs(len(words) - len(left)) if len(words) > 1 else 0.0
    for word in sorted(words, key=_count_digits_and_slashes, reverse=True):
        if not left or not _count_digits_and_slashes(word):
            break
        nearest = max(left, key=lambda other: _score_digits_of_words(word, other))
        agreement += _score_digits_of_words(word, nearest)
        left.remove(nearest)
    return agreement


def _score_digits_of_words(written: str, word: str) -> float:
    """Return a score for the digits and slashes that two words share in the same places."""
    figures = [at for at, character in enumerate(written) if character in _FIGURES]
    same = sum(written[at] == word[at : at + 1] for at in figures)
    longer = abs(len(word) - len(written))
    return SAME * same - OTHER * (len(figures) - same) - LONGER * longer


def _count_digits_and_slashes(word: str) -> int:
    """Return the number of digits and slashes in a word.

    >>> _count_digits_and_slashes("8/5*")
    3
    """
    return sum(character in _FIGURES for character in word)


# -- turns that may have been made


class PossibleTurn(NamedTuple):
    """A roll and a play that may have been made, with a replay of the later actions."""

    dice: Dice
    position: Position
    """Position before the play, seen by its side."""
    result: Position
    steps: Steps
    """One way to make the play."""
    trial: TrialResult

    @property
    def likelihood(self) -> float:
        """Natural logarithm of the probability of the roll."""
        return log_chance_of_roll(self.dice)


def log_chance_of_roll(dice: Dice) -> float:
    """Return the natural logarithm of the probability of a roll.

    >>> round(log_chance_of_roll((6, 6)), 3)
    -3.584
    """
    return math.log((1 if dice[0] == dice[1] else 2) / 36)


def find_turns_before(
    context: ErrorContext,
    boards: Boards,
    side: Side,
    following: Sequence[Action],
    index: int,
    rolls: Iterable[Dice],
) -> Iterator[PossibleTurn]:
    """Yield each turn of `side` on `boards` that makes the actions `following` it legal.

    The first of these actions has the index `index` in the game.
    """
    plays = context.count_plays_needed_from(index)
    if not _may_plays_follow(boards, side, following, plays):
        return
    position = Position(boards[side], boards[1 - side])
    demands = find_constraints(boards, following, side, plays)
    for dice in filter(are_dice, rolls):
        for result, steps in demands.find_fitting_plays(position, dice):
            after = as_boards(result, side)
            trial = try_actions(
                after, following, marks_hits=context.marks_hits, side=other_side(side)
            )
            if context.is_repaired(trial, index):
                yield PossibleTurn(dice, position, result, steps, trial)


class LikelyTurn(NamedTuple):
    """A play that leaves a likely board, with all rolls that allow it."""

    likelihood: float
    """Natural logarithm of the probability of the rolls and the play together."""
    rolls: tuple[Dice, ...]
    result: Position
    steps: Steps


class ActionsAfterGap(NamedTuple):
    """The actions that follow a missing turn."""

    actions: Sequence[Action]
    start: int
    """Index, among the game's recorded actions, of the first of them."""
    demands: BoardConstraints
    """Constraints on the board that the missing turn leaves, for the actions to be legal."""


class Pair(NamedTuple):
    """A turn and the other side's answer, which is listed once for each roll that allows it."""

    likelihood: float
    first: LikelyTurn
    seconds: Sequence[PossibleTurn]


def find_pairs_before(
    context: ErrorContext, boards: Boards, side: Side, following: Sequence[Action], index: int
) -> Iterator[tuple[PossibleTurn, PossibleTurn]]:
    """Yield the likeliest pairs of turns that may be missing before the actions `following`.

    `side` makes the first turn, on `boards`. The actions begin at `index` in the game.
    """
    # More than 100,000 pairs are possible, so only the likeliest turns are tried that leave the
    # checkers needed later. Pairs after which the whole rest of the game is legal come first: with
    # them, the first proposal is right for ten more of 100 missing rows (measured).
    other = other_side(side)
    position = seen_by(boards, side)
    enters, other_enters = (_enters_next(following, mover) for mover in (side, other))
    pairs: list[Pair] = []
    for plays in (len(following), context.count_plays_needed_from(index)):
        of_first, of_second = (
            find_constraints(boards, following, mover, plays) for mover in (side, other)
        )
        firsts = find_likely_turns(position, of_first, may_dance=enters)[:MOST_FIRST]
        later = ActionsAfterGap(following, index, of_second._replace(has_hit=enters))
        if pairs := _find_pairs(context, boards, side, firsts, later, may_dance=other_enters):
            break
    for pair in nlargest(MOST_PAIRS, pairs, key=attrgetter("likelihood")):
        result, steps = pair.first.result, pair.first.steps
        for dice, second in product(pair.first.rolls, pair.seconds):
            yield PossibleTurn(dice, position, result, steps, second.trial), second


def _find_pairs(
    context: ErrorContext,
    boards: Boards,
    side: Side,
    firsts: Iterable[LikelyTurn],
    later: ActionsAfterGap,
    *,
    may_dance: bool,
) -> list[Pair]:
    """Return pairs of turns (one of each side) that make the `later` actions legal.

    `side` makes the first turn, one of `firsts`, on `boards`. With `may_dance`, the second turn may
    leave a checker on the bar.
    """
    other = other_side(side)
    unhit = seen_by(boards, other)
    answers = cache(partial(find_likely_turns, constraints=later.demands, may_dance=may_dance))
    pairs: list[Pair] = []
    for first in firsts:
        before = seen_by(as_boards(first.result, side), other)
        seconds = answers(before if before.own[BAR] else _copy_bar(unhit, before))[:MOST_SECOND]
        behind = (
            Pair(first.likelihood + second.likelihood, first, turns)
            for second in seconds
            if (turns := _try_each_roll(context, second, before, other, later))
        )
        pairs += islice(behind, MOST_AFTER)
    return pairs


def _copy_bar(position: Position, later: Position) -> Position:
    """Return `position` with as many of the opponent's checkers on the bar as in `later`."""
    return position._replace(other=(*position.other[:BAR], later.other[BAR]))


def _try_each_roll(
    context: ErrorContext, turn: LikelyTurn, position: Position, side: Side, later: ActionsAfterGap
) -> list[PossibleTurn]:
    """Return a turn once with each of its rolls that makes it legal.

    If the `later` actions are illegal after it, the result is empty.
    """
    boards = as_boards(position, side)
    legal: list[Dice] = []
    for dice in turn.rolls:
        play = Play(later.actions[0].span, None, side, dice, turn.steps)
        checked = try_play(boards, play, marks_hits=False)
        if checked.is_legal:
            legal.append(dice)
            after = checked.boards
    if not legal or not later.demands.are_met_by(result := seen_by(after, side)):
        return []
    marks_hits = context.marks_hits
    trial = try_actions(after, later.actions, marks_hits=marks_hits, side=other_side(side))
    if not context.is_repaired(trial, later.start):
        return []
    return [PossibleTurn(dice, position, result, turn.steps, trial) for dice in legal]


def find_likely_turns(
    position: Position, constraints: BoardConstraints, *, may_dance: bool = False
) -> list[LikelyTurn]:
    """Return the turns after which the board meets the constraints, likeliest first.

    With `may_dance`, a turn may leave a checker on the bar.
    """
    turns: dict[Steps, list[LikelyTurn]] = defaultdict(list)
    for dice in ROLLS:
        if not may_leave(position, dice, constraints.at_least, constraints.at_most):
            continue
        plays = legal_plays(position, dice)
        fitting = [
            result
            for result in constraints.filter_boards(plays)
            if may_dance or not result.own[BAR]
        ]
        chances = weigh_by_appearance(plays) if fitting else {}
        for result in fitting:
            likelihood, steps = log_chance_of_roll(dice) + chances[result], plays[result]
            turns[tuple(sorted(steps))].append(LikelyTurn(likelihood, (dice,), result, steps))
    return sorted(map(_merge_rolls, turns.values()), key=attrgetter("likelihood"), reverse=True)


def _merge_rolls(turns: Sequence[LikelyTurn]) -> LikelyTurn:
    """Merge turns with the same steps into one turn with all their rolls."""
    likelihood = math.log(math.fsum(math.exp(turn.likelihood) for turn in turns))
    rolls = tuple(dice for turn in turns for dice in turn.rolls)
    return turns[0]._replace(likelihood=likelihood, rolls=rolls)


def _enters_next(following: Sequence[Action], side: Side) -> bool:
    """Whether a side's next play shows that it was hit: it enters a checker or dances."""
    plays = (action for action in following if type(action) is Play and action.side == side)
    play = next(plays, None)
    return play is not None and (not play.steps or play.steps[0].path[0] == BAR)


def _may_plays_follow(
    boards: Boards, side: Side, following: Sequence[Action], play_count: int
) -> bool:
    """Whether the next plays can be legal after an unknown turn of `side`, by a quick test.

    At most a few checkers that they move may be absent from `boards`.
    """
    owned = [list(boards[0]), list(boards[1])]
    missing = 0
    ahead = islice((action for action in following if isinstance(action, Play)), play_count)
    for number, play in enumerate(ahead):
        own, other = owned[play.side], owned[1 - play.side]
        if number == 0 and not play.steps:
            return True
        for path, _ in play.steps:
            move_along(own, other, path)
        if min(own) < 0 and play.side != side:
            return own[BAR] < 0
        missing += sum(-count for count in own if count < 0)
        owned[play.side] = [max(count, 0) for count in own]
        # A turn moves at most four checkers.
        if missing > MOST_MISSING:
            return False
    return True


def write_turn(context: ErrorContext, turn: PossibleTurn, written: str, side: Side) -> str:
    """Return a turn of `side` in the notation of the file.

    It keeps words that fit from `written`, the unreadable text that it replaces.
    """
    high, low = max(turn.dice), min(turn.dice)
    if context.is_in_letters:
        return spell_steps_in_letters((high, low), turn.steps, side)
    if written:
        steps = spell_play(turn.position, turn.dice, turn.result, context.style, written, side)
    else:
        steps = spell_steps(turn.steps, context.style, side)
    return f"{high}{low}{context.style.sign} {steps or _write_dance(context)}".rstrip()


def name_turn(turn: PossibleTurn, text: str) -> str:
    """Return the name of a missing turn in messages: its text, or `62: dance`."""
    is_named = turn.steps or any(map(str.isalpha, text))
    return text if is_named else f"{text.rstrip(':')}: dance"


def _write_dance(context: ErrorContext) -> str:
    """Return the words that the match file writes for a dance, or "" if it writes none."""
    for game in context.replayed.match.games:
        for action in game.actions:
            if isinstance(action, Play) and action.how is PlayRecord.CANNOT_MOVE:
                return LEADING_ROLL.sub("", context.text(action)).strip()
    return ""
