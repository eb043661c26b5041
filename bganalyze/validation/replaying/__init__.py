"""Replaying a match against the rules: what stood on the board, and every fact that shows.

`match.py` goes from game to game, `game.py` from action to action; `plays.py`, `cube.py` and
`set_ups.py` carry the actions out on the `Table` of `state.py`, which owns everything that changes
within a game; `faults.py` and `readings.py` are the only places that know what happens after a
fault, and `trial.py` carries plays out on trial; `ending.py` says how the game ended and whether
its result fits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bganalyze.validation.replaying.match import MatchReplay, replay

__all__ = ["MatchReplay", "replay"]


def __getattr__(name: str) -> object:
    """Import a public name on first use: who checks a decision needs the facts, but no replay."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bganalyze.validation.replaying import match

    return getattr(match, name)
