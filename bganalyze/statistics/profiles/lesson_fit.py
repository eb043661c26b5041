"""Whether the best play of a position is of the kind that a lesson is about."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.board.play_faults import move_as_written
from bganalyze.board.position import BAR, Points, Position
from bganalyze.record.match_text.cells import parse_steps
from bganalyze.statistics.profiles.lessons import describe_plan

HOME = range(1, 7)
"""The points of a side's home board."""

OPPONENTS_HOME = range(19, 25)
"""The same points of the opponent, in the side's numbering: a point held there is an anchor."""

ANCHORS = range(18, 25)
"""The anchors of a holding game: the points of the opponent's home board, and the bar point."""

WHO_LEAVES_FIRST = frozenset(
    {(PositionClass.MUTUAL_HOLDING, Role.BOTH), (PositionClass.HOLDING, Role.BOTH)}
)
"""Classes whose lesson is about leaving an anchor or keeping it."""

ABOUT_ANY_PLAY = frozenset(
    {
        (PositionClass.OPENING, Role.BOTH),
        (PositionClass.BLITZ, Role.BOTH),
        (PositionClass.RACE, Role.BOTH),
        (PositionClass.BEAR_OFF, Role.BOTH),
    }
)
"""Classes whose lesson is about plays of any kind. The other lessons say nothing of hitting, except attacks."""

MOST_DIFFER = "best plays of several kinds"


class BestPlay(NamedTuple):
    """The effects of a play that lessons are about, such as hitting."""

    hits: bool = False
    enters: bool = False
    points: tuple[int, ...] = ()
    """The points that it makes, in the numbering of the side that plays."""
    anchor: str = ""
    """`LEAVE` or `KEEP` if the best play or the other one, but not both, leaves an anchor, else ""."""


LEAVE, KEEP = "leave the anchor", "keep the anchor"
"""The two lessons of errors with an anchor."""


def describe_best_play(play: str, position: Position, played: str = "") -> BestPlay:
    """Return what the best play does, such as hitting; `position` is the board before it.

    `played` is the play that was made.

    >>> from bganalyze.board.position import points
    >>> board = Position(points({25: 1, 22: 1, 8: 3, 6: 5, 4: 1}), points({6: 5}))
    >>> describe_best_play("bar/22 6/4", board)
    BestPlay(hits=False, enters=True, points=(4, 22), anchor='')
    >>> describe_best_play("8/3*(2)", board)
    BestPlay(hits=True, enters=False, points=(3,), anchor='')
    >>> board = Position(points({20: 2, 13: 2, 8: 3}), points({6: 5}))
    >>> describe_best_play("20/14", board, "13/7").anchor, describe_best_play("8/2", board, "20/14").anchor
    ('leave the anchor', 'keep the anchor')
    >>> describe_best_play("13/7", board, "8/2").anchor
    ''
    """
    before, checkers = position.own, _move_checkers(play, position)
    leaves, is_left = (
        any(before[point] >= 2 > after[point] for point in ANCHORS)
        for after in (checkers, _move_checkers(played, position))
    )
    return BestPlay(
        "*" in play,
        "bar/" in play,
        tuple(point for point in range(1, BAR) if before[point] < 2 <= checkers[point]),
        {(True, False): LEAVE, (False, True): KEEP}.get((leaves, is_left), ""),
    )


def _move_checkers(play: str, position: Position) -> Points:
    """Return the side's checkers on each point after a play in notation."""
    steps = [step for word in play.split() for step in parse_steps(word)]
    return move_as_written(position, steps)[0].own


def fits_lesson(position: PositionClass, role: Role, best: BestPlay) -> bool:
    """Return whether the lesson on a class of positions is about plays such as the best one.

    `role` says whose plan gives the class its name: the player's, the opponent's or both sides'.

    - The lessons `ABOUT_ANY_PLAY` are about all plays.
    - The lesson on attacking is about hitting, and about points made in the home board.
    - The lesson on being attacked is about entering, and about anchors made.
    - The lesson on containing a last checker is about points made without a hit.
    - The lessons on two anchors are about plays without a hit, if the best play and the one made
      differ in whether an anchor is left.
    - All other lessons are about plays without a hit.

    >>> fits_lesson(PositionClass.BLITZ, Role.OPPONENT, BestPlay(hits=True))
    False
    >>> fits_lesson(PositionClass.BLITZ, Role.OPPONENT, BestPlay(points=(20,)))
    True
    """
    if (position, role) in ABOUT_ANY_PLAY:
        return True
    if position is PositionClass.BLITZ:
        own = role is Role.OWN
        makes = any(point in (HOME if own else OPPONENTS_HOME) for point in best.points)
        return makes or (best.hits if own else best.enters)
    if (position, role) == (PositionClass.CONTAINMENT, Role.OWN):
        return bool(best.points) and not best.hits
    if (position, role) in WHO_LEAVES_FIRST:
        return bool(best.anchor) and not best.hits
    return not best.hits


class Theme(NamedTuple):
    """The subject that fits most best plays of the mistakes in a class of positions."""

    subject: str = ""
    """The subject in words; "" for the lesson on the class."""
    fitting: tuple[bool, ...] = ()
    """For each mistake, whether its best play fits."""


def find_theme(position: PositionClass, role: Role, best_plays: list[BestPlay]) -> Theme:
    """Return the theme (subject to study) of the mistakes in a class of positions.

    It is the lesson on the class if this fits half of the best plays. Otherwise it is hitting, if
    half of them hit, or else plays of several kinds. `role` says whose plan gives the class its
    name.

    >>> attacked = PositionClass.BLITZ, Role.OPPONENT
    >>> find_theme(*attacked, [BestPlay(enters=True), BestPlay(hits=True)])
    Theme(subject='', fitting=(True, False))
    >>> find_theme(*attacked, [BestPlay(hits=True)] * 2)
    Theme(subject='under attack (blitz): when to hit', fitting=(True, True))
    >>> find_theme(*attacked, [BestPlay()] * 2).subject
    'under attack (blitz): best plays of several kinds'
    """
    fitting = tuple(fits_lesson(position, role, best) for best in best_plays)
    if 2 * sum(fitting) >= len(fitting):
        return Theme("", fitting)
    doing, hits = describe_plan(position, role), tuple(best.hits for best in best_plays)
    if 2 * sum(hits) >= len(hits):
        return Theme(f"{doing}: when to hit", hits)
    return Theme(f"{doing}: {MOST_DIFFER}", (True,) * len(hits))
