"""Replaying a match against the rules: what stood on the board, and every fact that shows.

`match.py` goes from game to game, `game.py` from action to action; `plays.py`, `cube.py` and
`set_ups.py` carry the actions out on the `Table` of `state.py`, which owns everything that changes
within a game; `faults.py` and `readings.py` are the only places that know what happens after a
fault, and `trial.py` carries plays out on trial; `ending.py` says how the game ended and whether
its result fits.
"""

from bganalyze.replaying.match import MatchReplay, replay

__all__ = ["MatchReplay", "replay"]
