"""Competing readings: what a record most likely meant where it cannot be right.

A record may be wrong where the player was right. After a fault the rest of the game is replayed
from the play as recorded and from every other board that the text may have meant; the reading
after which the rest replays best is taken, and as recorded wins ties.
"""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import sub
from typing import NamedTuple

from bganalyze.board.movement import ROLLS, Dice, Steps, legal_plays, legal_turns
from bganalyze.board.plays import notation
from bganalyze.board.position import BAR, Points, Position
from bganalyze.record.model import Play, Side
from bganalyze.validation.replaying.facts import Boards, as_boards
from bganalyze.validation.replaying.trial import LEFT_UNPLAYED, carried_out, carry_out, on_lists

AS_RECORDED = "as recorded"
SKIPPED = "the play skipped"
EXCHANGED = "the two cells of the row exchanged"
NOT_HIT = "the hit not executed"
LOST_ROW = "two turns missing before "
"""Before the name of the row above which they are missing."""
OTHER_PLAY = "another play of "
"""Before a roll and the name of its row."""
PLAY = "{play}"
INSTEAD, PLAYED = f"{PLAY} instead", f"{PLAY} played"

HORIZON = 60
"""How many plays ahead a reading is tried."""

MOST_FAULTS = 12
"""Readings with more faults than this are not compared: none of them is what was meant."""

BUDGET = 4_000
"""How many plays are tried in a game to find its readings. A lost turn takes some 2,000: with so many
for a game the findings differ in 18 of 480 damaged records, with 1,000 in 27."""

CLEAN_STRETCH = 6
"""After this many plays without a fault the board is taken to be the one that was played on."""

TOO_MANY_FAULTS = 3
"""A reading that leaves this many misplaced checkers behind explains nothing."""

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
"""Faults that show a board other than the one played on, rather than a play gone wrong."""


class Ahead(NamedTuple):
    """The plays that follow in the game."""

    plays: Sequence[Play]
    marks_hits: bool
    ends_in_result: bool
    """Whether a result follows the last of them, with no cube action between."""


class Hypothesis(NamedTuple):
    """A board that the text may have meant."""

    wording: str
    boards: Boards
    consumed: int = 0
    """How many of the following plays it accounts for itself."""
    steps: Steps = ()
    """The play that stands in the wording for `{play}`. It is written out where the reading is taken,
    one of hundreds: that takes a tenth off a trial of a repair."""

    @property
    def name(self) -> str:
        """The words in which a finding tells it."""
        return self.wording.replace(PLAY, notation(self.steps)) if self.steps else self.wording


class Reading(NamedTuple):
    """A hypothesis, and what becomes of the plays that follow."""

    hypothesis: Hypothesis
    faults: Mapping[int, str]
    """The following plays that are illegal from here, by their indexes, with the rule each breaks."""
    misplaced: int = 0
    """How many of the faults are of a kind that a wrong board brings about."""
    tried: int = 0
    """How many of the following plays were checked."""
    first_misplaced: int | None = None
    """How many plays are made before the first such fault."""

    @property
    def is_hopeless(self) -> bool:
        """Whether the board is in doubt from here on.

        What goes well for a while and fails then has a cause of its own.
        """
        if self.first_misplaced is None or self.first_misplaced >= CLEAN_STRETCH:
            return False
        return self.misplaced >= TOO_MANY_FAULTS


class Choice(NamedTuple):
    """The reading taken. `excused` are later faults that another, equally good reading avoids."""

    reading: Reading
    excused: frozenset[int]
    spared: int
    """How many faults fewer than in the reading as recorded."""
    tried: int
    """How many plays were checked to find it."""
    refuting: Mapping[int, str]
    """Plays that are illegal as recorded, and not in the reading taken, with the rule each breaks."""


def choose(
    recorded: Boards, others: Iterable[Hypothesis], ahead: Ahead, budget: int = BUDGET
) -> Choice:
    """Return the reading after which the rest of the game replays best.

    `budget` is how many plays may be tried before the best so far is taken.
    """
    first = replayed(Hypothesis(AS_RECORDED, recorded), ahead, MOST_FAULTS)
    if not first.faults:
        return Choice(first, frozenset(), 0, first.tried, {})
    best, tried = first, first.tried
    rivals: list[Reading] = []
    for candidate in others:
        if tried > budget:
            break
        reading = replayed(candidate, ahead, len(best.faults))
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
    return Choice(best, avoided, len(first.faults) - len(best.faults), tried, refuting)


def replayed(candidate: Hypothesis, ahead: Ahead, most: int) -> Reading:
    """Replay what follows; give up beyond `most` faults."""
    sides = on_lists(candidate.boards)
    faults: dict[int, str] = {}
    misplaced = tried = 0
    first_misplaced: int | None = None
    last = len(ahead.plays) - 1
    for index in range(candidate.consumed, min(len(ahead.plays), HORIZON)):
        fault, _ = carry_out(sides, ahead.plays[index], marks_hits=ahead.marks_hits)
        is_left = fault in LEFT_UNPLAYED and index == last and ahead.ends_in_result
        if fault is not None and not is_left:
            faults[index] = fault
            if fault in MISPLACED:
                misplaced += 1
                if first_misplaced is None:
                    first_misplaced = tried
        tried += 1
        if len(faults) > most:
            break
    return Reading(
        candidate,
        faults,
        misplaced,
        tried,
        first_misplaced,
    )


def other_plays(
    position: Position, side: Side, play: Play, recorded: Position
) -> Iterator[Hypothesis]:
    """Yield the boards after each legal play of the roll, nearest to the recorded one first."""
    assert play.dice is not None
    legal = legal_plays(position, play.dice)
    for result in sorted(legal, key=lambda result: distance(result, recorded)):
        steps = legal[result]
        yield Hypothesis(INSTEAD if steps else SKIPPED, as_boards(result, side), steps=steps)


def hidden_plays(
    position: Position, side: Side, rolls: Sequence[Dice] = ROLLS
) -> Iterator[Hypothesis]:
    """Yield the boards after every play of some rolls that a lost or unreadable turn may have held."""
    seen = {position}
    for roll, result, steps in legal_turns(position, rolls):
        if result not in seen:
            seen.add(result)
            wording = f"{roll[1]}{roll[0]}: {PLAY} supplied"
            yield Hypothesis(wording, as_boards(result, side), steps=steps)


def misplaced_checker(
    position: Position, side: Side, play: Play, point: int, marks: bool
) -> Iterator[Hypothesis]:
    """Yield the boards after the play, had an earlier record put a checker on `point`."""
    assert play.dice is not None
    for source in range(BAR, 0, -1):
        if not position.own[source] or source == point:
            continue
        amended = position._replace(own=moved(position.own, source, point))
        checked = carried_out(as_boards(amended, side), play, marks_hits=marks)
        if checked.is_legal:
            name = f"a checker on {_point_name(point)} that the record has on {_point_name(source)}"
            yield Hypothesis(name, checked.boards)


def moved(points: Points, source: int, target: int) -> Points:
    """Return the checkers of a side with one of them on another point."""
    counts = list(points)
    counts[source] -= 1
    counts[target] += 1
    return tuple(counts)


def _point_name(point: int) -> str:
    return "the bar" if point == BAR else f"the {point} point"


def distance(one: Position, two: Position) -> int:
    """How many checkers stand differently in two positions."""
    return _differences(one.own, two.own) + _differences(one.other, two.other)


def _differences(one: Points, other: Points) -> int:
    return sum(map(abs, map(sub, one, other)))
