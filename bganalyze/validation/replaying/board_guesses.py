"""Guesses at boards: the most likely meaning of a record that cannot be right.

A record may be wrong where the player was right. After an error the rest of the game is replayed
from the play as recorded, and from every other board that the text may have meant. The guess with
the fewest later errors is taken; a tie goes to the play as recorded.
"""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import NamedTuple

from bganalyze.board.movement import ROLLS, Dice, Steps, legal_plays, legal_turns
from bganalyze.board.plays import notation
from bganalyze.board.position import BAR, Points, Position
from bganalyze.record.model import Play, Side
from bganalyze.validation.replaying.replayed import Boards, as_boards
from bganalyze.validation.replaying.trial import (
    LEFT_UNPLAYED,
    boards_to_lists,
    play_on_lists,
    try_play,
)

AS_RECORDED = "as recorded"
SKIPPED = "the play skipped"
CELLS_SWAPPED = "the two cells of the row exchanged"
NOT_HIT = "the hit not executed"
LOST_ROW = "two turns missing before "
"""Prefix; the name of the row after the gap follows."""
OTHER_PLAY = "another play of "
"""Prefix; a roll and the name of its row follow."""
PLAY = "{play}"
INSTEAD, PLAYED = f"{PLAY} instead", f"{PLAY} played"

HORIZON = 60
"""Number of later plays on which a reading is tried."""

MOST_FAULTS = 12
"""Readings with more errors than this are not compared: none of them can be the meaning."""

BUDGET = 4_000
"""Number of plays tried per game to find its readings. A lost turn takes about 2,000. Measured:
with 4,000 the findings differ in 18 of 480 damaged records, with 1,000 in 27."""

CLEAN_STRETCH = 6
"""After this many plays without an error, the board is trusted again."""

TOO_MANY_FAULTS = 3
"""A reading that leaves this many misplaced checkers explains nothing."""

MISPLACED = frozenset(
    (
        "empty-point",
        "blocked-point",
        "bar-first",
        "early-bear-off",
        "bear-off-die",
        "false-dance",
        "illegal-play",
    )
)
"""Errors that suggest a wrong board rather than a wrong play."""


class LaterPlays(NamedTuple):
    """The later plays of a game, on which guesses at a board are tried."""

    plays: Sequence[Play]
    marks_hits: bool
    """Whether the file marks hits."""
    ends_in_result: bool
    """Whether a result follows the last play, with no cube action between."""


class BoardGuess(NamedTuple):
    """A guess at the boards after an illegal play."""

    wording: str
    """The guess in words, with `{play}` in place of the guessed play."""
    boards: Boards
    consumed: int = 0
    """Number of later plays that the boards already include."""
    steps: Steps = ()
    """The guessed play. `name` writes it in place of `{play}` in the wording, only for the guess
    that is chosen among hundreds: this saves a tenth of the time of a repair trial (measured)."""

    @property
    def name(self) -> str:
        """The guess in words, such as `8/4 6/4 instead`."""
        return self.wording.replace(PLAY, notation(self.steps)) if self.steps else self.wording


class TriedGuess(NamedTuple):
    """A guess at the boards after an error, with the later plays that are illegal on it."""

    guess: BoardGuess
    faults: Mapping[int, str]
    """The later plays that are illegal on the guessed board: index to the rule broken."""
    misplaced: int = 0
    """Number of these errors that a wrong board typically causes (`MISPLACED`)."""
    tried: int = 0
    """Number of later plays checked."""
    first_misplaced: int | None = None
    """Number of plays before the first error that a wrong board typically causes; None without one."""

    @property
    def is_unreliable(self) -> bool:
        """Whether so many later plays are illegal that the guess is probably wrong."""
        if self.first_misplaced is None or self.first_misplaced >= CLEAN_STRETCH:
            return False
        return self.misplaced >= TOO_MANY_FAULTS


class ChosenGuess(NamedTuple):
    """The guess with the fewest illegal later plays, and how it compares with the others."""

    reading: TriedGuess
    """The chosen guess."""
    excused: frozenset[int]
    """Indexes of its illegal later plays that another guess, equally good in all, makes legal."""
    spared: int
    """Number of illegal later plays that the board as recorded has more than this one."""
    tried: int
    """Number of plays checked in all."""
    refuting: Mapping[int, str]
    """Later plays that are legal on the chosen board but illegal on the board as recorded: the index
    of each, with the rule that it breaks."""


def choose_board(
    recorded: Boards, others: Iterable[BoardGuess], later_plays: LaterPlays, budget: int = BUDGET
) -> ChosenGuess:
    """Return the guess at the board on which the fewest later plays are illegal.

    The guesses are `recorded` (the boards after the play as written) and `others`. About `budget`
    plays may be tried.
    """
    first = try_guess(BoardGuess(AS_RECORDED, recorded), later_plays, MOST_FAULTS)
    if not first.faults:
        return ChosenGuess(first, frozenset(), 0, first.tried, {})
    best, tried = first, first.tried
    rivals: list[TriedGuess] = []
    for candidate in others:
        if tried > budget:
            break
        reading = try_guess(candidate, later_plays, len(best.faults))
        tried += reading.tried
        if len(reading.faults) < len(best.faults):
            best, rivals = reading, []
            if not best.faults:
                break
        elif len(reading.faults) == len(best.faults):
            rivals.append(reading)
    avoided = frozenset(
        index for index in best.faults if any(index not in rival.faults for rival in rivals)
    )
    refuting = {index: rule for index, rule in first.faults.items() if index not in best.faults}
    return ChosenGuess(best, avoided, len(first.faults) - len(best.faults), tried, refuting)


def try_guess(candidate: BoardGuess, later_plays: LaterPlays, most_illegal: int) -> TriedGuess:
    """Play the later plays on a guessed board, and return which of them are illegal.

    The trial stops as soon as more than `most_illegal` plays are illegal.
    """
    sides = boards_to_lists(candidate.boards)
    faults: dict[int, str] = {}
    misplaced = tried = 0
    first_misplaced: int | None = None
    last = len(later_plays.plays) - 1
    for index in range(candidate.consumed, min(len(later_plays.plays), HORIZON)):
        fault, _ = play_on_lists(sides, later_plays.plays[index], marks_hits=later_plays.marks_hits)
        is_left = fault in LEFT_UNPLAYED and index == last and later_plays.ends_in_result
        if fault is not None and not is_left:
            faults[index] = fault
            if fault in MISPLACED:
                misplaced += 1
                if first_misplaced is None:
                    first_misplaced = tried
        tried += 1
        if len(faults) > most_illegal:
            break
    return TriedGuess(
        candidate,
        faults,
        misplaced,
        tried,
        first_misplaced,
    )


def guess_other_plays(
    position: Position, side: Side, play: Play, recorded: Position
) -> Iterator[BoardGuess]:
    """Yield the boards after each legal play of the roll of `play`, as guesses at the real board.

    The boards most similar to `recorded`, the board after the written play, come first.
    """
    assert play.dice is not None
    legal = legal_plays(position, play.dice)
    for result in sorted(legal, key=lambda result: count_differences(result, recorded)):
        steps = legal[result]
        yield BoardGuess(INSTEAD if steps else SKIPPED, as_boards(result, side), steps=steps)


def guess_unknown_plays(
    position: Position, side: Side, rolls: Sequence[Dice] = ROLLS
) -> Iterator[BoardGuess]:
    """Yield guesses at the real board: each board that an unknown play of `side` may leave."""
    seen = {position}
    for roll, result, steps in legal_turns(position, rolls):
        if result not in seen:
            seen.add(result)
            wording = f"{roll[1]}{roll[0]}: {PLAY} supplied"
            yield BoardGuess(wording, as_boards(result, side), steps=steps)


def guess_misplaced_checker(
    position: Position, side: Side, play: Play, point: int, marks_hits: bool
) -> Iterator[BoardGuess]:
    """Yield guesses: boards after `play` if a checker recorded elsewhere was on `point`."""
    assert play.dice is not None
    # The checker comes from each other point in turn.
    for source in range(BAR, 0, -1):
        if not position.own[source] or source == point:
            continue
        amended = position._replace(own=move_checker(position.own, source, point))
        checked = try_play(as_boards(amended, side), play, marks_hits=marks_hits)
        if checked.is_legal:
            name = f"a checker on {_name_point(point)} that the record has on {_name_point(source)}"
            yield BoardGuess(name, checked.boards)


def move_checker(points: Points, source: int, target: int) -> Points:
    """Return one side's checkers after one moves from `source` to `target` without a hit."""
    counts = list(points)
    counts[source] -= 1
    counts[target] += 1
    return tuple(counts)


def _name_point(point: int) -> str:
    """Return a point in words: `the bar` or `the 6 point`."""
    return "the bar" if point == BAR else f"the {point} point"


def count_differences(one: Position, two: Position) -> int:
    """Return the number of checkers by which two positions differ, summed over points and sides."""
    return _count_point_differences(one.own, two.own) + _count_point_differences(
        one.other, two.other
    )


def _count_point_differences(one: Points, other: Points) -> int:
    """Return the number of checkers by which one side's points differ, summed over all points."""
    return sum(map(abs, map(sub, one, other)))
