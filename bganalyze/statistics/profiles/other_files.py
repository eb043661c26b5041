"""The files read for a profile in which the player does not take part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.record.players import NAMELESS, find_similar_names

MOST_FILES = 5
"""Files that are listed."""


class OtherFiles(NamedTuple):
    """Files without a match of the player."""

    number: int = 0
    first: tuple[tuple[str, str], ...] = ()
    """The path of each of the first `MOST_FILES`, and the players of its first match."""
    similar: tuple[str, ...] = ()
    """Players in these files whose names resemble the player's; none of them met the player."""

    def ask_about_similar(self, player: str) -> str:
        """Return a question whether similar names are the player's too, or "" if there are none.

        >>> OtherFiles(7, (), ("bgnori", "nori2")).ask_about_similar("nori")
        'are bgnori or nori2 also nori?'
        """
        if not self.similar:
            return ""
        verb = "is" if len(self.similar) == 1 else "are"
        return f"{verb} {' or '.join(self.similar)} also {player}?"


class OtherFilesCounter:
    """Counts files without a match of the player, and collects their players."""

    def __init__(self) -> None:
        """Begin without files."""
        self._number = 0
        self._first: list[tuple[str, str]] = []
        self._players = Counter[str]()

    def add(self, path: str, names: Sequence[str], players: Sequence[str]) -> None:
        """Count one file, and collect the players in it.

        `names` are the players of its first match, `players` those of all its matches.
        """
        self._number += 1
        self._players.update(players)
        if len(self._first) < MOST_FILES:
            self._first.append((path, " – ".join(name or NAMELESS for name in names)))

    def summarize(self, player: str, opponents: Sequence[str]) -> OtherFiles:
        """Return the number of files, the first files, and names similar to the player's.

        Names of `opponents` are left out, because they are other persons.

        >>> counter = OtherFilesCounter()
        >>> counter.add("a.mat", ("bgnori", "Kool"), ("bgnori", "Kool"))
        >>> counter.summarize("nori", ["Kool"])
        OtherFiles(number=1, first=(('a.mat', 'bgnori – Kool'),), similar=('bgnori',))
        """
        met = {player, NAMELESS, *opponents}
        names = [name for name, _ in self._players.most_common() if name not in met]
        similar = tuple(find_similar_names(player, names)) if names else ()
        return OtherFiles(self._number, tuple(self._first), similar)
