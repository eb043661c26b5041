"""Plays matches anew: `python samples/make/play.py [NAME ...]`, without a name all of them.

The plays go to `plays/`, and what GNU Backgammon writes in formats of its own to `clean/`; after
that, `python samples/make` makes everything else. GNU Backgammon may play otherwise on another
processor, whose floats differ, and the faulty samples name rows of the matches as they are.
"""

from __future__ import annotations

import sys

from dialects import SAMPLES
from exports import write_exports
from hyper import play_match
from matches import EXPORTED, Spec, written_games
from record import Game, read_export
from selfplay import play

MATCHES = {spec.name: spec for spec in (*EXPORTED, *(sample.spec for sample in SAMPLES))}
"""Every match by its name."""


def play_new(spec: Spec) -> tuple[Game, ...]:
    """The games of a match, played now."""
    if spec.variation == "hypergammon":
        return play_match(spec)
    return read_export(play(spec)).games


if __name__ == "__main__":
    for name in sys.argv[1:] or MATCHES:
        match = MATCHES[name]
        match.path.write_bytes(written_games(play_new(match)).encode())
    write_exports()
