"""What tables are made of: a match that was replayed, and what was found in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bganalyze.findings import Finding
from bganalyze.replaying import MatchReplay


class Examined(NamedTuple):
    """A match that was replayed, and the findings about it."""

    replayed: MatchReplay
    findings: tuple[Finding, ...]


def examined(replays: Sequence[MatchReplay], found: Sequence[Finding]) -> list[Examined]:
    """Return the matches of one file, each with its own of all findings about them."""
    return [
        Examined(each, tuple(one for one in found if one.match == each.match.number))
        for each in replays
    ]
