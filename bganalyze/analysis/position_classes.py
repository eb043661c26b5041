"""Classes of positions, by rules on the points held, the checkers back and the race.

Players name positions by plan: blitz, holding game, back game. The words have no exact definition, so
each class here states its own, with a source if there is one:

- T. Keith, Backgammon Glossary (bkgm.com/glossary.html): ace-point game, back game, containment;
- B. Sheppard, rec.games.backgammon, 21 December 1998: a holding game has an anchor on the 22 point or
  higher, up to the opponent's bar point; games with lower anchors are ace-point and deuce-point games;
- M. Olsen, Backgammon Galaxy, Holding Games & Back Games: in a holding game the other side has escaped
  all its back checkers.

The anchor of a holding game waits for checkers that have still to pass it. So once the other side is home
and bears off, the position is a bear-in against contact, and a side with checkers on the bar has to enter
before it can wait. After the Crawford game the side that trails can double at once in any position,
because one lost game ends the match whatever the cube says: a decision not to double then is a class
of its own.

A blitz tries to close out checkers in the home board (Keith's glossary). So a side whose checkers are all
in its own half bears in or holds a prime; and five points in a row before checkers that are not on the bar
are a prime. Ten checkers in the zone make an attack likely; two of the opponent on the bar show that it has
begun, so no number is asked then.

Other limits (five points in a row, ten checkers in the zone, 30 pips) are the usual rules of thumb. The
first class that fits counts. A position that fits none is of the class `other`, which says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bganalyze.analysis.analyzed import CUBE, AnalyzedDecision
from bganalyze.analysis.decisions import TO_DOUBLER, Kind
from bganalyze.board.position import (
    BAR,
    HOME,
    OFF,
    PHASES,
    Points,
    Position,
    pips,
    rearmost,
    swap_sides,
)
from bganalyze.text import capitalize_first


class PositionClass(StrEnum):
    """The classes of positions."""

    AFTER_CRAWFORD = "trailing after Crawford"
    OPENING = "opening"
    RACE = "race"
    BEAR_OFF = "bear-off"
    BACK_GAME = "back game"
    ACE_POINT_GAME = "ace-point game"
    CONTAINMENT = "containment"
    PRIME_VS_PRIME = "prime against prime"
    BLITZ = "blitz"
    PRIME = "prime"
    MUTUAL_HOLDING = "mutual holding game"
    HOLDING = "holding game"
    BEAR_IN = "bear-in against contact"
    OTHER = "other"


class Role(StrEnum):
    """The side whose plan gives the class its name."""

    OWN = "own"
    """The side that decides: it holds, attacks, primes, contains or bears in."""
    OPPONENT = "opponent"
    BOTH = "both"


class ClassifiedPosition(NamedTuple):
    """The class of a position, seen by the side that decides."""

    kind: PositionClass
    role: Role


DEFINITIONS = {
    PositionClass.AFTER_CRAWFORD: "A decision not to double, in any position, of the side that trails after the Crawford game.",
    PositionClass.OPENING: "Each side's first three plays, with contact.",
    PositionClass.RACE: "No contact, and not all checkers are home.",
    PositionClass.BEAR_OFF: "No contact, and all checkers of both sides are home.",
    PositionClass.BACK_GAME: "{side} holds two or more of {other}'s points 1 to 5 and is at least 30 pips behind.",
    PositionClass.ACE_POINT_GAME: "{side}'s last checkers are all on one anchor, {other}'s ace or deuce point, and all checkers of {other} are in their own half of the board.",
    PositionClass.CONTAINMENT: "{other} has one or two checkers outside its own half of the board, on no anchor together, and all others at home or off: {side} tries to contain them.",
    PositionClass.PRIME_VS_PRIME: "Both sides hold four or more points in a row with an opposing checker behind them.",
    PositionClass.BLITZ: "{other} has two or more checkers on the bar and in {side}'s home board, one of them exposed there or on the bar, and no anchor; {side} has at least ten checkers on its own points 1 to 12, or any number if two or more of {other} are on the bar, but not all. If no checker is on the bar, {side} has no five points in a row in front of one.",
    PositionClass.PRIME: "{side} holds five or more points in a row with a checker of {other} behind them.",
    PositionClass.MUTUAL_HOLDING: "Both sides hold an anchor on the opponent's 3 to 6 point or bar point.",
    PositionClass.HOLDING: "{side} holds an anchor on {other}'s 3 to 6 point or bar point, and has none on the bar; {other} has no checker in {side}'s home board, on the bar or off, and still has to bring some home.",
    PositionClass.BEAR_IN: "All checkers of {side} are in its own half of the board, and there is still contact.",
    PositionClass.OTHER: "None of the others.",
}
"""The definitions of the classes; `{side}` is the one whose plan it is, `{other}` the other one."""

_SIDES = {
    Role.OWN: ("the player", "the opponent"),
    Role.OPPONENT: ("the opponent", "the player"),
    Role.BOTH: ("each side", "the other"),
}
"""The two sides of a definition, for the player who decides."""


def define_class(position_class: PositionClass, role: Role) -> str:
    """Return the definition of a class of positions for the player who decides.

    `role` says which side has the plan that gives the class its name.

    >>> define_class(PositionClass.PRIME, Role.OPPONENT)
    'The opponent holds five or more points in a row with a checker of the player behind them.'
    """
    side, other = _SIDES[role]
    return _fill_in_sides(DEFINITIONS[position_class], side, other)


def define_class_of_side(position_class: PositionClass) -> str:
    """Return the definition of a class of positions for the side whose plan gives it its name.

    >>> define_class_of_side(PositionClass.PRIME)
    'The side holds five or more points in a row with a checker of the opponent behind them.'
    """
    return _fill_in_sides(DEFINITIONS[position_class], "the side", "the opponent")


def _fill_in_sides(definition: str, side: str, other: str) -> str:
    """Return a definition with the names of the two sides filled in."""
    return capitalize_first(definition.format(side=side, other=other))


ADVANCED = range(18, 23)
"""Points of an advanced anchor: the opponent's bar point to its 3 point, seen by the side that holds it."""

LOW = (23, 24)
"""Points of a low anchor: the opponent's deuce and ace points."""

BACK_GAME_POINTS = range(20, 25)
BEHIND = 30
"""Pips that a side playing a back game is behind, at least."""

HALF = 12
"""The last point of a side's own half of the board."""

BACK = 19
"""First point of the opponent's home board."""

LONG_PRIME, PRIME_VS_PRIME_LENGTH = 5, 4
MOST_CONTAINED = 2
FEWEST_IN_ZONE = 10
FEWEST_ON_BAR = 2
"""Checkers of the opponent on the bar with which an attack needs no `FEWEST_IN_ZONE` checkers."""


@lru_cache(maxsize=4)  # The decision to double and the play that follows have the same position.
def classify_position(position: Position, phase: str) -> ClassifiedPosition:
    """Return the class of a position, such as a prime, seen by the side `position.own`.

    `phase` is opening, contact, race or bear-off.
    """
    if phase != _CONTACT:
        return ClassifiedPosition(PositionClass(phase), Role.BOTH)
    own, other = position
    for kind, fits in _RULES:
        is_own, is_opponents = fits(own, other), fits(other, own)
        if is_own or is_opponents:
            role = Role.BOTH if is_own and is_opponents else (Role.OPPONENT, Role.OWN)[is_own]
            return ClassifiedPosition(kind, role)
    return ClassifiedPosition(PositionClass.OTHER, Role.BOTH)


_CONTACT = PHASES[1]


def classify_decision(row: AnalyzedDecision) -> ClassifiedPosition | None:
    """Return the class of a decision's position, such as a prime, seen by the deciding side.

    Return None for resignations and unknown phases.
    """
    if row.phase is None or row.kind not in (Kind.PLAY, *CUBE):
        return None
    if row.kind is Kind.NO_DOUBLE and _is_behind_after_crawford(row):
        return ClassifiedPosition(PositionClass.AFTER_CRAWFORD, Role.BOTH)
    position = row.situation.position
    return classify_position(
        swap_sides(position) if row.kind in TO_DOUBLER else position, row.phase
    )


def _is_behind_after_crawford(row: AnalyzedDecision) -> bool:
    """Whether the Crawford game is over and the side that decides trails in the match."""
    own, other = (row.left, row.right) if row.side == 0 else (row.right, row.left)
    return not row.crawford and row.length - other == 1 < row.length - own


def _plays_back_game(side: Points, opponent: Points) -> bool:
    """Whether `side` holds two low anchors and is far behind in the race."""
    anchors = sum(side[point] > 1 for point in BACK_GAME_POINTS)
    return anchors > 1 and pips(side) - pips(opponent) >= BEHIND


def _plays_ace_point_game(side: Points, opponent: Points) -> bool:
    """Whether the last checkers of `side` are all on the opponent's ace or deuce point.

    All checkers of the opponent must be in its own half of the board.
    """
    back = [point for point in range(BACK, BAR + 1) if side[point]]
    is_anchored = len(back) == 1 and back[0] in LOW and side[back[0]] > 1
    return is_anchored and rearmost(opponent) <= HALF


def _contains_checkers(side: Points, opponent: Points) -> bool:
    """Whether `side` can try to contain the opponent's last one or two checkers.

    All other checkers of the opponent must be home or off.
    """
    del side
    beyond = sum(opponent[HALF + 1 :])
    is_rest_home = not any(opponent[HOME + 1 : HALF + 1])
    is_anchored = any(opponent[point] > 1 for point in range(HALF + 1, BAR))
    return 0 < beyond <= MOST_CONTAINED and is_rest_home and not is_anchored


def _has_prime(side: Points, opponent: Points, length: int) -> bool:
    """Whether `side` holds `length` points in a row with an opposing checker behind them."""
    run, back = 0, rearmost(opponent)
    for point in range(1, BAR):
        run = run + 1 if side[point] > 1 else 0
        first = point - run + 1
        if run >= length and back > BAR - first:
            return True
    return False


def _has_long_prime(side: Points, opponent: Points) -> bool:
    """Whether `side` holds `LONG_PRIME` points in a row with an opposing checker behind them."""
    return _has_prime(side, opponent, LONG_PRIME)


def _plays_prime_vs_prime(side: Points, opponent: Points) -> bool:
    """Whether both sides hold a prime with an opposing checker behind it."""
    return _has_prime(side, opponent, PRIME_VS_PRIME_LENGTH) and _has_prime(
        opponent, side, PRIME_VS_PRIME_LENGTH
    )


def _attacks(side: Points, opponent: Points) -> bool:
    """Whether `side` attacks the opponent's back checkers in a blitz."""
    back = opponent[BACK:]
    is_exposed = opponent[BAR] > 0 or 1 in opponent[BACK:BAR]
    has_anchor = any(count > 1 for count in opponent[BACK:BAR])
    # Two checkers on the bar show that the attack has begun, however few checkers it has.
    is_begun = opponent[BAR] >= FEWEST_ON_BAR
    is_strong = is_begun or sum(side[OFF + 1 : HALF + 1]) >= FEWEST_IN_ZONE
    is_possible = sum(back) > 1 and is_exposed and not has_anchor and is_strong
    # A long prime in front of the checkers is no blitz.
    is_primed = not opponent[BAR] and _has_long_prime(side, opponent)
    return is_possible and rearmost(side) > HALF and not is_primed


def _bears_in(side: Points, opponent: Points) -> bool:
    """Whether `side` has brought all its checkers into its own half of the board."""
    del opponent
    return rearmost(side) <= HALF


def _has_advanced_anchor(side: Points) -> bool:
    """Whether `side` holds an advanced anchor, from the opponent's 3 point to its bar point."""
    return any(side[point] > 1 for point in ADVANCED)


def _plays_mutual_holding(side: Points, opponent: Points) -> bool:
    """Whether both sides hold an advanced anchor."""
    return _has_advanced_anchor(side) and _has_advanced_anchor(opponent)


def _plays_holding_game(side: Points, opponent: Points) -> bool:
    """Whether `side` holds an advanced anchor that opposing checkers must still pass."""
    is_coming_home = rearmost(opponent) > HOME and not opponent[OFF] and not any(opponent[BACK:])
    return _has_advanced_anchor(side) and not side[BAR] and is_coming_home


_RULES: tuple[tuple[PositionClass, Callable[[Points, Points], bool]], ...] = (
    (PositionClass.BACK_GAME, _plays_back_game),
    (PositionClass.ACE_POINT_GAME, _plays_ace_point_game),
    (PositionClass.CONTAINMENT, _contains_checkers),
    (PositionClass.PRIME_VS_PRIME, _plays_prime_vs_prime),
    (PositionClass.BLITZ, _attacks),
    (PositionClass.PRIME, _has_long_prime),
    (PositionClass.MUTUAL_HOLDING, _plays_mutual_holding),
    (PositionClass.HOLDING, _plays_holding_game),
    (PositionClass.BEAR_IN, _bears_in),
)
"""The classes with contact in the order in which they are tried, each with its rule for a side."""
