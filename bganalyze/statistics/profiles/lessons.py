"""Subjects to study: what to learn from mistakes of a kind in positions of a class."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.decision_kinds import DecisionKind
from bganalyze.analysis.position_classes import PositionClass, Role


class Plan(NamedTuple):
    """The plan of a side in a class of positions, in words."""

    doing: str
    """What the side does."""
    plays: str
    """The subject to study for its plays; "" if any play would fit it."""
    cube: str
    """The features that decide its cube actions and answers."""


_RACE_CUBE = "the pip counts, and how many pips a double and a take need"
_HOLDING_CUBE = "the lead in the race, and the shots still to come"
_ATTACK_CUBE = "checkers on the bar, points closed, and gammons"
_PRIME_CUBE = "the length of the prime, the checkers at its edge, and timing"
_MUTUAL_CUBE = "the lead in the race, and which side has to leave its anchor first"
_BACK_GAME_CUBE = "the timing of the back game, and gammons"
_LOW_ANCHOR_CUBE = "the chances of a late shot, and gammons"
_LAST_CHECKER_CUBE = "how likely the last checker comes home, and the checkers borne off"
_BEAR_IN_CUBE = "the shots still to come, and the race if none is hit"

WHO_LEAVES_FIRST = "two anchors: who may leave first"
"""The lesson that is about leaving an anchor or keeping it."""

_TWO_ANCHORS = Plan("both sides holding an anchor", WHO_LEAVES_FIRST, _MUTUAL_CUBE)

PLANS = {
    PositionClass.AFTER_CRAWFORD: {
        Role.BOTH: Plan("trailing after Crawford", "", ""),
    },
    PositionClass.OPENING: {
        Role.BOTH: Plan(
            "opening",
            "",
            "early threats, blots and gammons",
        ),
    },
    PositionClass.BLITZ: {
        Role.OWN: Plan(
            "attacking (blitz)", "attacking: whom to hit, and which points to make", _ATTACK_CUBE
        ),
        Role.OPPONENT: Plan(
            "under attack (blitz)",
            "defending against an attack: entering and making an anchor",
            _ATTACK_CUBE,
        ),
        Role.BOTH: Plan("both sides attacking", "", _ATTACK_CUBE),
    },
    PositionClass.PRIME: {
        Role.OWN: Plan(
            "holding a prime",
            "priming: keeping the points in a row, and spare checkers for them",
            _PRIME_CUBE,
        ),
        Role.OPPONENT: Plan(
            "behind a prime", "escaping from behind a prime, and waiting at its edge", _PRIME_CUBE
        ),
        Role.BOTH: Plan(
            "both sides holding a prime",
            "two primes: which side has to break first",
            _PRIME_CUBE,
        ),
    },
    PositionClass.PRIME_VS_PRIME: {
        Role.BOTH: Plan(
            "prime against prime", "two primes: which side has to break first", _PRIME_CUBE
        ),
    },
    PositionClass.HOLDING: {
        Role.OWN: Plan(
            "holding an anchor",
            "",
            _HOLDING_CUBE,
        ),
        Role.OPPONENT: Plan(
            "coming home past an anchor",
            "coming home past an anchor: clearing points from the rear",
            _HOLDING_CUBE,
        ),
        Role.BOTH: _TWO_ANCHORS,
    },
    PositionClass.MUTUAL_HOLDING: {
        Role.BOTH: _TWO_ANCHORS,
    },
    PositionClass.BACK_GAME: {
        Role.OWN: Plan(
            "playing a back game",
            "back games: keeping the home board until the shot comes",
            _BACK_GAME_CUBE,
        ),
        Role.OPPONENT: Plan(
            "against a back game",
            "bearing in against a back game: clearing from the rear",
            _BACK_GAME_CUBE,
        ),
        Role.BOTH: Plan("both sides playing a back game", "", _BACK_GAME_CUBE),
    },
    PositionClass.ACE_POINT_GAME: {
        Role.OWN: Plan(
            "waiting on a low anchor",
            "low anchors: when to stay, and the home board for a shot",
            _LOW_ANCHOR_CUBE,
        ),
        Role.OPPONENT: Plan(
            "against a low anchor",
            "bearing off against a low anchor: which point to clear",
            _LOW_ANCHOR_CUBE,
        ),
        Role.BOTH: Plan("both sides on a low anchor", "", _LOW_ANCHOR_CUBE),
    },
    PositionClass.CONTAINMENT: {
        Role.OWN: Plan(
            "containing a last checker",
            "containing a last checker: which points to make in its way",
            _LAST_CHECKER_CUBE,
        ),
        Role.OPPONENT: Plan(
            "bringing a last checker home",
            "bringing a last checker home: when to run, and when to wait",
            _LAST_CHECKER_CUBE,
        ),
        Role.BOTH: Plan(
            "both sides bringing a last checker home",
            "",
            _LAST_CHECKER_CUBE,
        ),
    },
    PositionClass.BEAR_IN: {
        Role.OWN: Plan(
            "bearing in against contact",
            "bearing in with contact: safe numbers, clearing from the rear",
            _BEAR_IN_CUBE,
        ),
        Role.OPPONENT: Plan(
            "waiting for a shot",
            "",
            _BEAR_IN_CUBE,
        ),
        Role.BOTH: Plan(
            "both sides bearing in against contact",
            "bearing in with contact: safe numbers, clearing from the rear",
            _BEAR_IN_CUBE,
        ),
    },
    PositionClass.RACE: {
        Role.BOTH: Plan("race", "", _RACE_CUBE),
    },
    PositionClass.BEAR_OFF: {
        Role.BOTH: Plan("bear-off", "", _RACE_CUBE),
    },
}
"""The plan in each named class of position, by the side whose plan it is."""

CUBE_LESSONS = {
    DecisionKind.NO_DOUBLE_BELOW_CASH: "doubling in time, while the opponent has a take",
    DecisionKind.NO_DOUBLE_ABOVE_CASH: "cashing: doubling when the opponent has a pass",
    DecisionKind.DOUBLE: "when a double is too early",
    DecisionKind.TAKE: "which doubles to pass",
    DecisionKind.PASS: "which doubles to take",
}
"""The subject to study for each kind of cube decision; for doubles when too good it is `TOO_GOOD`."""

TOO_GOOD = "when a position is too good to double"

DOUBLE_AT_ONCE = "double there at the first chance"
"""The lesson on doubles missed after the Crawford game, in a few words."""

AFTER_CRAWFORD = (
    "after Crawford, trailing: double at the first chance, because one lost game ends the match whatever"
    " the cube says; the exception: if you need two points (or four, ...), the leader can pass one game"
    " for free, so a position with many gammons may play on"
)


def describe_plan(position: PositionClass, role: Role) -> str:
    """Return a player's task in a class of positions, such as `containing a last checker`.

    `role` says whose plan the class is named after: the player's, the opponent's or both.

    >>> describe_plan(PositionClass.CONTAINMENT, Role.OWN)
    'containing a last checker'
    """
    return "no named class" if position is PositionClass.OTHER else PLANS[position][role].doing


def find_cube_lesson(kind: DecisionKind, share_too_good: float = 0.0) -> str:
    """Return the subject to study because of errors in a kind of cube decision, or "" for plays.

    `share_too_good` is the share of the cost (0 to 1) in positions too good to double.

    >>> find_cube_lesson(DecisionKind.DOUBLE), find_cube_lesson(DecisionKind.DOUBLE, 1.0)
    ('when a double is too early', 'when a position is too good to double')
    """
    lesson = CUBE_LESSONS.get(kind, "")
    percent = round(100 * share_too_good)
    if kind is not DecisionKind.DOUBLE or not percent:
        return lesson
    if percent == 100:
        return TOO_GOOD
    if percent > 50:
        return f"{TOO_GOOD}, and ({100 - percent} % of the cost) {lesson}"
    return f"{lesson}, and ({percent} % of the cost) {TOO_GOOD}"


def choose_subject(
    kind: DecisionKind, position: PositionClass, role: Role, share_too_good: float = 0.0
) -> str:
    """Return the subject to study because of errors of one kind in a class of positions.

    `role` says whose plan the class is named after. `share_too_good` is the share of the cost (0 to
    1) in positions too good to double.

    >>> choose_subject(DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    'attacking: whom to hit, and which points to make'
    """
    if position is PositionClass.AFTER_CRAWFORD:
        return AFTER_CRAWFORD
    lesson = find_cube_lesson(kind, share_too_good)
    if position is PositionClass.OTHER:
        return lesson
    plan = PLANS[position][role]
    return f"{lesson}, {plan.doing}: {plan.cube}" if lesson else plan.plays
