"""Playing of new matches: `python samples/make/play.py [NAME ...]`, or all without a name.

The plays go to `plays/`, and GNU Backgammon's own exports to `clean/`; then `python samples/make`
makes everything else. GNU Backgammon may play differently on a processor with other floats, and the
faulty samples name rows of the present matches.
"""

from __future__ import annotations

import sys

from dialects import SAMPLES
from exports import write_exports
from hyper import play_match
from matches import EXPORTED, Spec, format_games
from record import Game, read_export
from selfplay import play

MATCHES = {spec.name: spec for spec in (*EXPORTED, *(sample.spec for sample in SAMPLES))}
"""Every match by its name."""


def play_new(spec: Spec) -> tuple[Game, ...]:
    """Return the games of a match, newly played."""
    if spec.variation == "hypergammon":
        return play_match(spec)
    return read_export(play(spec)).games


if __name__ == "__main__":
    for name in sys.argv[1:] or MATCHES:
        match = MATCHES[name]
        match.path.write_bytes(format_games(play_new(match)).encode())
    write_exports()
