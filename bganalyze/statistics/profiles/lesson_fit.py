"""Whether an error teaches a lesson: the best play does what it is about, and the play made does not."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.board.play_faults import move_as_written
from bganalyze.board.position import BAR, Points, Position, Step
from bganalyze.record.match_text.cells import parse_steps
from bganalyze.statistics.profiles.lessons import PLANS

HOME = range(1, 7)
"""The points of a side's home board."""

OPPONENTS_HOME = range(19, 25)
"""The same points of the opponent, in the side's numbering: a point held there is an anchor."""

ANCHORS = range(18, 25)
"""The anchors of a holding game: the points of the opponent's home board, and the bar point."""

LEAVE, KEEP = "leave the anchor", "keep the anchor"
"""The two lessons of errors with an anchor."""


class BestPlay(NamedTuple):
    """The effects of a best play that the play made instead does not have, such as hitting."""

    hits: bool = False
    """Whether it hits on a point on which the other play does not."""
    misses_hit: bool = False
    """Whether the other play hits on a point on which it does not."""
    enters: bool = False
    """Whether it enters a checker on a point on which the other enters none."""
    points: tuple[int, ...] = ()
    """The points that it alone makes, in the numbering of the side that plays."""
    anchor: str = ""
    """`LEAVE` or `KEEP` if one of the two plays leaves an anchor, else ""."""
    clears_rear: bool = False
    """Whether it takes more checkers from the rearmost point."""
    moves_rear: bool = False
    """Whether one of the two plays alone moves a checker from the rearmost point."""
    moves_back: bool = False
    """Whether the plays leave different checkers in the opponent's home board and on the bar."""
    clears_other: bool = False
    """Whether the plays clear different points."""
    is_safer: bool = False
    """Whether it leaves fewer blots."""
    keeps_prime: bool = False
    """Whether it leaves more points in a row."""
    keeps_home: bool = False
    """Whether it leaves more points of the home board."""


def describe_best_play(best_play: str, position: Position, played: str = "") -> BestPlay:
    """Return the effects, such as hitting, that the best play has and the play made has not.

    `played` is the play made, and `position` is the position before it.

    >>> from bganalyze.board.position import points
    >>> board = Position(points({25: 1, 22: 1, 8: 3, 6: 5, 4: 1}), points({6: 5}))
    >>> best = describe_best_play("bar/22 6/4", board, "bar/22 8/6")
    >>> best.enters, best.points
    (False, (4,))
    """
    before = position.own
    steps, other_steps = _read_steps(best_play), _read_steps(played)
    best, other = (move_as_written(position, one)[0].own for one in (steps, other_steps))
    hits, other_hits = _list_hits(steps), _list_hits(other_steps)
    leaves, is_left = (
        any(before[point] >= 2 > after[point] for point in ANCHORS) for after in (best, other)
    )
    rear = max((point for point in range(1, BAR + 1) if before[point]), default=BAR)
    back = slice(min(OPPONENTS_HOME), BAR + 1)
    return BestPlay(
        hits=bool(hits - other_hits),
        misses_hit=bool(other_hits - hits),
        enters=bool(_list_entered(steps) - _list_entered(other_steps)),
        points=tuple(
            point for point in range(1, BAR) if max(before[point], other[point]) < 2 <= best[point]
        ),
        anchor={(True, False): LEAVE, (False, True): KEEP}.get((leaves, is_left), ""),
        clears_rear=best[rear] < other[rear],
        moves_rear=(best[rear] < before[rear]) != (other[rear] < before[rear]),
        moves_back=best[back] != other[back],
        clears_other=_list_cleared(before, best) != _list_cleared(before, other),
        is_safer=_count_blots(best) < _count_blots(other),
        keeps_prime=_count_in_row(best) > _count_in_row(other),
        keeps_home=_count_home_points(best) > _count_home_points(other),
    )


def _read_steps(play: str) -> list[Step]:
    """Return the steps of a play written in notation, such as `8/5 6/5`."""
    return [step for word in play.split() for step in parse_steps(word)]


def _list_hits(steps: Iterable[Step]) -> set[int]:
    """Return the points on which the steps hit."""
    return {
        point
        for step in steps
        for point, is_hit in zip(step.path[1:], step.marked, strict=True)
        if is_hit
    }


def _list_entered(steps: Iterable[Step]) -> set[int]:
    """Return the points on which the steps enter a checker from the bar."""
    return {step.path[1] for step in steps if step.path[0] == BAR}


def _list_cleared(before: Points, after: Points) -> list[int]:
    """Return the points that had checkers before a play and have none after it."""
    return [point for point in range(1, BAR) if before[point] and not after[point]]


def _count_blots(checkers: Points) -> int:
    """Return the number of points with a single checker."""
    return checkers[1:BAR].count(1)


def _count_in_row(checkers: Points) -> int:
    """Return the length of the longest run of points with two checkers or more."""
    runs = groupby(number >= 2 for number in checkers[1:BAR])
    return max((len(list(run)) for is_made, run in runs if is_made), default=0)


def _count_home_points(checkers: Points) -> int:
    """Return the number of points in the home board with two checkers or more."""
    return sum(checkers[point] >= 2 for point in HOME)


WITHOUT_HITS = {
    (PositionClass.PRIME, Role.OWN): ("keeps_prime",),
    (PositionClass.PRIME, Role.OPPONENT): ("moves_back",),
    (PositionClass.PRIME, Role.BOTH): ("keeps_prime",),
    (PositionClass.PRIME_VS_PRIME, Role.BOTH): ("keeps_prime",),
    (PositionClass.HOLDING, Role.OPPONENT): ("clears_rear",),
    (PositionClass.HOLDING, Role.BOTH): ("anchor",),
    (PositionClass.MUTUAL_HOLDING, Role.BOTH): ("anchor",),
    (PositionClass.BACK_GAME, Role.OWN): ("keeps_home",),
    (PositionClass.BACK_GAME, Role.OPPONENT): ("clears_rear",),
    (PositionClass.ACE_POINT_GAME, Role.OWN): ("anchor", "keeps_home"),
    (PositionClass.ACE_POINT_GAME, Role.OPPONENT): ("clears_other",),
    (PositionClass.CONTAINMENT, Role.OWN): ("points",),
    (PositionClass.CONTAINMENT, Role.OPPONENT): ("moves_rear",),
    (PositionClass.BEAR_IN, Role.OWN): ("clears_rear", "is_safer"),
    (PositionClass.BEAR_IN, Role.BOTH): ("clears_rear", "is_safer"),
}
"""The effects of a `BestPlay` that the lesson on a class of positions is about, if neither play alone hits.

Classes that are in no rule have lessons that any play would fit, such as how to wait.
"""

HITTING = ("hits", "misses_hit")


def fits_lesson(position: PositionClass, role: Role, best: BestPlay) -> bool:
    """Whether an error is one that the lesson on a class of positions teaches to avoid.

    `best` is the best play in place of the error. `role` says whose plan the class is named after:
    the player's, the opponent's or both.

    >>> fits_lesson(PositionClass.BLITZ, Role.OPPONENT, BestPlay(hits=True))
    False
    >>> fits_lesson(PositionClass.BLITZ, Role.OPPONENT, BestPlay(points=(20,)))
    True
    """
    if (position, role) == (PositionClass.BLITZ, Role.OWN):
        return best.hits or any(point in HOME for point in best.points)
    if (position, role) == (PositionClass.BLITZ, Role.OPPONENT):
        return best.enters or any(point in OPPONENTS_HOME for point in best.points)
    effects = WITHOUT_HITS.get((position, role), ())
    return not _has_any(best, HITTING) and _has_any(best, effects)


def _has_any(best: BestPlay, effects: Iterable[str]) -> bool:
    """Whether the best play has at least one of the named `effects`, such as `hits`."""
    return any(getattr(best, effect) for effect in effects)


class FittingLesson(NamedTuple):
    """The lesson on errors, and which of them it fits."""

    text: str
    """The lesson; "" if it fits less than half of the errors."""
    is_fitting: list[bool]
    """For each error, whether the lesson fits it."""


def find_lesson(
    position: PositionClass, role: Role, best_plays: Sequence[BestPlay]
) -> FittingLesson:
    """Return the lesson on a class of positions, and which of the errors in it the lesson fits.

    `best_plays` has the best play in place of each error. The text is "" if the lesson fits less
    than half of them. `role` says whose plan the class is named after.

    >>> attacked = PositionClass.BLITZ, Role.OPPONENT
    >>> find_lesson(*attacked, [BestPlay(enters=True), BestPlay(hits=True)])
    FittingLesson(text='defending against an attack: entering and making an anchor', is_fitting=[True, False])
    >>> find_lesson(*attacked, [BestPlay(hits=True)] * 2).text
    ''
    """
    is_fitting = [fits_lesson(position, role, best) for best in best_plays]
    fits_enough = 2 * sum(is_fitting) >= len(best_plays)
    return FittingLesson(PLANS[position][role].plays if fits_enough else "", is_fitting)
