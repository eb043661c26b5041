"""GammonView's document: numbers of its actions, and set-ups of its games."""

from collections.abc import Mapping, Sequence
from typing import Any

Ply = Mapping[str, Any]
"""An action of the document."""

ROLL = 1
"""First number for a roll. The numbers up to `DICE` differ by the dice, which are also stated."""
DICE = 20
DOUBLE, TAKE, DROP, RESIGN_GAME, RESIGN_MATCH, FORFEIT = 21, 22, 23, 27, 28, 29
SET_POSITION, BEAVER, RACCOON, CUBE_SET, PASS = 31, 32, 33, 36, 37

ON_TIME = 256
"""A game lost on time: GammonView has no number for it, and its own fit in a byte."""

ENDS = (RESIGN_GAME, RESIGN_MATCH, FORFEIT, ON_TIME)
"""Actions that end a game; a roll of the same side just before was not played."""

WORDS = {
    DOUBLE: "double",
    TAKE: "take",
    DROP: "drop",
    BEAVER: "beaver",
    RACCOON: "raccoon",
    RESIGN_GAME: "resigns",
    RESIGN_MATCH: "resigns match",
    FORFEIT: "forfeits",
    ON_TIME: "loses on time",
}
"""Words in the listing for cube actions and endings."""

WHITE = 1
"""Color of the left side."""


def is_action(number: int) -> bool:
    """Whether a number in GammonView's document means an action, and not an ending of a game."""
    return number <= DICE or number in WORDS or number in (SET_POSITION, PASS)


def make_set_up_entries(
    board: Sequence[int],
    cube: int | None = None,
    is_owner_white: bool | None = None,
    is_white_on_roll: bool | None = None,
) -> dict[str, Any]:
    """Return the entries of GammonView's document for a game that starts from a position.

    `board` is for White's bar, points 1 to 24 as Black numbers them, and Black's bar. Negative
    numbers are Black's checkers.

    >>> make_set_up_entries([0] * 26, 2, is_owner_white=True, is_white_on_roll=False)["cube_and_turn"]
    'cube 2 L turn R'
    """
    letters = {True: "L", False: "R"}
    words = [] if cube is None else ["cube", str(cube)]
    words += [] if is_owner_white is None else [letters[is_owner_white]]
    words += [] if is_white_on_roll is None else ["turn", letters[is_white_on_roll]]
    return {"initial_board": [*board], "cube_and_turn": " ".join(words)}
