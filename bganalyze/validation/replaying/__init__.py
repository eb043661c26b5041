"""Replaying a match against the rules: the board before each action, and every problem that it shows.

`match.py` goes from game to game, and `game.py` from action to action. `plays.py`, `cube.py` and
`set_ups.py` carry out the actions on the `GameState` of `state.py`, which owns everything that changes
within a game. `faults.py` and `board_guesses.py` handle errors, and `trial.py` tries plays. `ending.py`
determines the end of the game and checks its result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.validation.replaying.match import MatchReplay, replay

__all__ = ["MatchReplay", "replay"]


def __getattr__(name: str) -> object:
    """Import a public name of this package on its first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bganalyze.validation.replaying import match

    return getattr(match, name)
