"""Slips within one cell: a die misread, a play written wrongly or not to be read, here or before."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement, islice
from typing import NamedTuple

from bganalyze.board.faults import fit
from bganalyze.board.faults import legs as legs_of
from bganalyze.board.faults import throw as numbers_of
from bganalyze.board.movement import Dice, Steps, are_dice, legal_plays
from bganalyze.board.position import BAR, OFF, Position
from bganalyze.repair.evidence import Evidence
from bganalyze.repair.spelling import likeness, spelled, spelled_anew
from bganalyze.repair.suggestion import Alternative, Suggestion, of_play, rewritten
from bganalyze.repair.trial import Trial, carried_out, tried
from bganalyze.replaying.facts import Boards
from bganalyze.replaying.readings import as_boards, seen_by
from bganalyze.transcript.match_text.cells import PlayItem, items
from bganalyze.transcript.model import (
    Action,
    Play,
    PlayRecord,
    Side,
    Span,
    Unread,
    other_side,
)

THROWS = tuple(combinations_with_replacement(range(1, 7), 2))

PLAYS_BACK = 40
"""A wrong play shows within so many plays."""

DIE_MISREAD, DICE_MISREAD = math.log(1.5), math.log(0.1)
DICE_OF_ANOTHER = math.log(0.7)
"""The throw is that of a play beside it."""
DANCE = -1.5
"""What a throw loses that could not be played: its play may be lost, too."""
JOINED = -2.0
"""What a throw loses with which steps are joined, where the record joins none."""
UNFITTING = -4.0
"""What a throw loses whose dice do not cover the steps as they are written, one after the other."""
DOUBLET = math.log(0.5)
"""What a throw loses that is thrown half as often as others."""
MOST_MISSING = 8
"""So many checkers can a side seem to lack of which a turn is not known."""
FALSE_MARK = math.log(0.8)
PLAY_MISWRITTEN = math.log(0.5)
FAR = 0.1
"""What a play loses in likelihood for each play between it and the fault."""
UNLIKE = 8.0
"""What a play loses in likelihood for being written quite differently."""

CELL_UNREADABLE, PLAY_UNREADABLE = math.log(1.0), math.log(1.0)
THROW_UNREADABLE = math.log(1.0)
LETTER_FOR_DIGIT = math.log(10.0)
SAME, OTHER, LONGER = 0.7, 2.0, 0.3
"""What a figure of an unreadable cell that is meant adds, what another one takes away, and what
each character takes away by which the cell would be longer or shorter."""

ALIKE = str.maketrans("OoQlI|!iZzSsGbBgq", "00011111225566899")
"""Letters that are written or read for figures."""

CHANGED_AS_A_WHOLE = 0.8
"""What a play loses that was turned round, however it looks."""

STEP_UNLIKE, STEP_MORE = 4.0, 1.0
"""What a play loses for a step that is written quite differently; for one too many or too few."""
ANOTHER_STEP = 2.5
"""What it loses for each further step that is another: a scribe errs in one, and no player made the
play that is written."""

Change = Callable[[str], str]

_MOVE = re.compile(r"[0-9]{1,2}(?:/[0-9]{1,2})+", re.IGNORECASE)
_POINT = re.compile(r"[0-9]{1,2}")
_TWO_DIGITS = re.compile(r"[0-9]{2}")
_FIGURES = frozenset("0123456789/")
_WORD = re.compile(r"\b(?:bar|off)\b", re.IGNORECASE)
_HEAD = re.compile(r"^\s*[0-9]{2}(?::|(?=\s|$))")
_LARGE_DOUBT = frozenset((PlayRecord.UNREAD, PlayRecord.UNPLAYED))
_WITHOUT_STEPS = (PlayRecord.EMPTY, PlayRecord.CANNOT_MOVE)


def false_mark(evidence: Evidence) -> Iterator[Suggestion]:
    """A step is marked as a hit where nothing is hit, and the rest of the game knows of none."""
    finding = evidence.finding
    play = None if evidence.index is None else evidence.actions[evidence.index]
    if finding.code != "T109" or type(play) is not Play:
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


def misread_throw(evidence: Evidence) -> Iterator[Suggestion]:
    """A die misread: with another throw the play as written is legal.

    `62: 24/18 13/12` was thrown with 61.
    """
    index, play = evidence.index, _play_at(evidence, evidence.index)
    if index is None or play is None or play.dice is None or evidence.is_unreadable:
        return
    if not play.steps and play.how not in _WITHOUT_STEPS:
        return
    for throw in THROWS:
        meant = play._replace(dice=throw)
        judged = carried_out(evidence.boards[index], meant, marks_hits=evidence.marks_hits)
        if sorted(play.dice) == list(throw) or not judged.is_legal:
            continue
        trial = evidence.after(judged.boards, index + 1, other_side(play.side))
        text = _with_dice(evidence.text(play), play.dice, _like(throw, play.dice))
        if text is None or not evidence.mends(trial, index + 1):
            continue
        likelihood = _likelihood_of_throw(evidence, play, throw) - evidence.doubt(trial)
        suggestion = of_play("throw", evidence, play, text, likelihood)
        situation = evidence.situation(index, play.side, throw)
        alternative = Alternative(situation, seen_by(judged.boards, play.side), None)
        yield suggestion._replace(is_whole=trial.is_whole, alternative=alternative)


def _likelihood_of_throw(evidence: Evidence, play: Play, throw: Dice) -> float:
    """Return the logarithm of how likely it is that a play was made with another throw."""
    assert play.dice is not None
    if _differing(throw, play.dice) == 1:
        likelihood = DIE_MISREAD
    else:
        likelihood = DICE_OF_ANOTHER if _stands_beside(evidence, play) else DICE_MISREAD
    longest = max((path[0] - path[-1] for path, _ in play.steps), default=0)
    legs = legs_of(play.steps)
    if not play.steps:
        likelihood += DANCE
    elif fit(legs, numbers_of(throw)).legs < len(legs):
        likelihood += UNFITTING
    elif longest > max(throw) and not evidence.style.is_joined:
        likelihood += JOINED
    return likelihood + (DOUBLET if throw[0] == throw[1] else 0.0)


def _stands_beside(evidence: Evidence, play: Play) -> bool:
    """Whether the throw of a play is that of one of those around it, too."""
    assert play.dice is not None
    index = evidence.actions.index(play)
    around = evidence.actions[max(index - 2, 0) : index + 3]
    throws = (other.dice for other in around if isinstance(other, Play) and other is not play)
    return any(dice is not None and sorted(dice) == sorted(play.dice) for dice in throws)


def wrong_play(evidence: Evidence) -> Iterator[Suggestion]:
    """Another play of the throw: at the fault itself, or earlier, where it shows only now.

    `62: 24/18 13/12` was 24/18 13/11.
    """
    if evidence.index is None or evidence.is_unreadable:
        return
    at_fault = evidence.index
    between = 0
    for index in range(at_fault, -1, -1):
        play = _play_at(evidence, index)
        if play is None:
            continue
        yield from _other_plays(evidence, index, play, between)
        between += 1
        if between > PLAYS_BACK:
            return


def _other_plays(evidence: Evidence, index: int, play: Play, between: int) -> Iterator[Suggestion]:
    """Yield the other plays of the throw after which the plays up to the fault and on are legal."""
    if play.dice is None or not are_dice(play.dice) or play.how is not PlayRecord.PLAYED:
        return
    position = evidence.position(index, play.side)
    likely = None
    recorded = carried_out(evidence.boards[index], play, marks_hits=evidence.marks_hits)
    written = seen_by(recorded.boards, play.side)
    for result in legal_plays(position, play.dice):
        if recorded.is_legal and result == written:
            continue
        trial = evidence.after(as_boards(result, play.side), index + 1, other_side(play.side))
        if not evidence.mends(trial, index + 1):
            continue
        text = _with_steps(evidence, play, position, result)
        if likely is None:
            likely = _meant_by(evidence, index, play)
        if recorded.is_legal:
            unlike = UNLIKE * (1 - likeness(text, evidence.text(play)))
        else:
            unlike = _misspelling(evidence.text(play), text)
        if result in likely:
            unlike = min(unlike, CHANGED_AS_A_WHOLE)
        likelihood = PLAY_MISWRITTEN - FAR * between - unlike - evidence.doubt(trial)
        suggestion = of_play("play", evidence, play, text, likelihood)
        alternative = Alternative(
            evidence.situation(index, play.side, play.dice),
            result,
            written if recorded.is_legal else None,
        )
        yield suggestion._replace(is_whole=trial.is_whole, alternative=alternative)


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
        judged = carried_out(evidence.boards[index], meant, marks_hits=evidence.marks_hits)
        if judged.is_legal:
            results.add(seen_by(judged.boards, play.side))
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
    """How many dice differ between two throws."""
    left = list(two)
    for die in one:
        if die in left:
            left.remove(die)
    return len(left)


def _like(throw: Dice, written: Dice) -> Dice:
    """Return a throw with its dice in the order in which most of them are written."""
    return max(
        (throw, throw[::-1]),
        key=lambda dice: (
            (dice[0] == written[0]) + (dice[1] == written[1]) + (dice[0] >= dice[1]) / 2
        ),
    )


def _with_dice(written: str, dice: Dice, meant: Dice) -> str | None:
    """Return what is written with other dice; None where the dice are not seen in it."""
    old, new = f"{dice[0]}{dice[1]}", f"{meant[0]}{meant[1]}"
    return written.replace(old, new, 1) if old in written else None


def _with_steps(evidence: Evidence, play: Play, position: Position, result: Position) -> str:
    """Return what is written with other steps."""
    assert play.dice is not None
    written = evidence.text(play)
    start = play.places[0][0] - play.cell_offset if play.places else len(written)
    head, tail = written[:start], written[start:]
    steps = spelled(position, play.dice, result, evidence.style, tail)
    return f"{head.rstrip()} {steps}" if head.strip() else steps


# -- a turn that cannot be read


class CellText(NamedTuple):
    """What one side did in its turn, as it stands in the file."""

    span: Span
    row: str | None
    side: Side
    text: str
    dice: Dice | None
    steps: str
    """The steps of its play as written, where all that follows the throw can be read."""
    first: int
    """The index of its first action."""
    behind: int
    """The index of the first action behind it."""


def unreadable_cell(evidence: Evidence) -> Iterator[Suggestion]:
    """The throw, the play or both cannot be read; what can be says which are likelier.

    `62: 24/l8 ???` was `62: 24/18 13/11`.
    """
    for cell in _doubtful_cells(evidence):
        yield from _with_figures(evidence, cell)
        if cell.steps and cell.dice is None:
            yield from _with_throw(evidence, cell)
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
    return is_here and (action.dice is None or action.how in _WITHOUT_STEPS)


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
    read = items(_HEAD.sub(_with_colon, text, count=1))
    if text == cell.text or len(read) != 1 or not isinstance(read[0], PlayItem):
        return
    item = read[0]
    if not item.dice or not item.steps:
        return
    play = Play(cell.span, cell.row, cell.side, item.dice, item.steps)
    yield from _meant(evidence, cell, play, text, LETTER_FOR_DIGIT)


def _with_colon(head: re.Match[str]) -> str:
    """Return a throw as match text writes it."""
    return f"{head.group().rstrip(':')}:"


def _with_throw(evidence: Evidence, cell: CellText) -> Iterator[Suggestion]:
    """The steps can be read: the throws with which they are legal."""
    action = next(
        (a for a in evidence.actions[cell.first : cell.behind] if isinstance(a, Play)), None
    )
    if action is None:
        return
    head = cell.text[: cell.text.rindex(cell.steps)].strip()
    for throw in THROWS:
        sign = evidence.style.sign
        dice = max(
            (throw[::-1], throw), key=lambda dice: _agreement(head, f"{dice[0]}{dice[1]}{sign}")
        )
        likelihood = THROW_UNREADABLE + _agreement(head, f"{dice[0]}{dice[1]}{sign}")
        if throw[0] == throw[1]:
            likelihood += DOUBLET
        text = f"{dice[0]}{dice[1]}{sign} {cell.steps}"
        play = action._replace(dice=dice, how=PlayRecord.PLAYED)
        yield from _meant(evidence, cell, play, text, likelihood)


def _meant(
    evidence: Evidence, cell: CellText, play: Play, text: str, likelihood: float
) -> Iterator[Suggestion]:
    """Yield a cell with another text, if its play is legal and so is what follows."""
    judged = carried_out(evidence.boards[cell.first], play, marks_hits=evidence.marks_hits)
    if not judged.is_legal:
        return
    trial = evidence.after(judged.boards, cell.behind, other_side(play.side))
    if evidence.mends(trial, cell.behind):
        yield _of_cell(evidence, cell, text, likelihood, trial, None)


def _with_play(evidence: Evidence, cell: CellText) -> Iterator[Suggestion]:
    """All legal plays of the throw, or of every throw where it cannot be read either."""
    boards, following = evidence.boards[cell.first], evidence.actions[cell.behind :]
    throws = None if cell.dice is None else (cell.dice,)
    kind = CELL_UNREADABLE if throws is None else PLAY_UNREADABLE
    for turn in turns_before(evidence, boards, cell.side, following, cell.behind, throws):
        if cell.dice is not None and turn.result == turn.position:
            continue
        head = _HEAD.match(cell.text)
        written = cell.text if head is None else cell.text[head.end() :].strip()
        text = turn_text(evidence, turn, written)
        if head is None:
            likelihood = kind + _agreement(written, text)
        else:
            steps = _HEAD.sub("", text)
            likelihood = kind + _agreement(written, steps.strip())
            text = head.group() + steps
        if cell.dice is None:
            likelihood += turn.likelihood
        alternative = Alternative(
            evidence.situation(cell.first, cell.side, turn.dice), turn.result, None
        )
        yield _of_cell(evidence, cell, text, likelihood, turn.trial, alternative)


def _of_cell(
    evidence: Evidence,
    cell: CellText,
    text: str,
    likelihood: float,
    trial: Trial,
    alternative: Alternative | None,
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
    left = text.split()
    agreement = 0.0
    for word in sorted(written.split(), key=_count_of_figures, reverse=True):
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
    """A throw and a play that may have been made, and what becomes of the turns that follow."""

    dice: Dice
    position: Position
    """Before it, seen by its side."""
    result: Position
    steps: Steps
    """One way of playing it."""
    trial: Trial

    @property
    def likelihood(self) -> float:
        """The logarithm of how often that throw is made."""
        return math.log((1 if self.dice[0] == self.dice[1] else 2) / 36)


def turns_before(
    evidence: Evidence,
    boards: Boards,
    side: Side,
    following: Sequence[Action],
    index: int,
    throws: Iterable[Dice] | None = None,
) -> Iterator[PossibleTurn]:
    """Yield the throws and plays after which the following actions can be carried out.

    `index` is that of the first of these in the game as recorded.
    """
    if not _may_follow(boards, side, following, evidence.needed(index)):
        return
    position = Position(boards[side], boards[1 - side])
    for dice in THROWS if throws is None else throws:
        if not are_dice(dice):
            continue
        for result, steps in legal_plays(position, dice).items():
            after = as_boards(result, side)
            trial = tried(after, following, marks_hits=evidence.marks_hits, side=other_side(side))
            if evidence.mends(trial, index):
                yield PossibleTurn(dice, position, result, steps, trial)


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


def turn_text(evidence: Evidence, turn: PossibleTurn, written: str) -> str:
    """Return a turn as its record writes it."""
    high, low = max(turn.dice), min(turn.dice)
    if written:
        steps = spelled(turn.position, turn.dice, turn.result, evidence.style, written)
    else:
        steps = spelled_anew(turn.steps, evidence.style)
    return f"{high}{low}{evidence.style.sign} {steps or _dance(evidence)}".rstrip()


def _dance(evidence: Evidence) -> str:
    """Return what the record writes for a play of a throw with which nothing can be moved."""
    for game in evidence.replayed.match.games:
        for action in game.actions:
            if isinstance(action, Play) and action.how is PlayRecord.CANNOT_MOVE:
                return _HEAD.sub("", evidence.text(action)).strip()
    return ""
