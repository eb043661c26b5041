"""Norms: usual error rates by kind of decision, with their intervals and their source.

The norms that come with the program are in `norms.toml`. `bganalyze norms build` made them, and makes
others from one's own analyzed matches.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from bganalyze.analysis.decision_kinds import KINDS_IN
from bganalyze.errors import BganalyzeError

FACTOR = 500
"""Decisions that a rate is given for, as in PR."""

ONE_PLAYER, OPPONENTS, ALL_PLAYERS = "one player", "opponents", "all players"
"""The groups of players that norms can be about."""


class NormsError(BganalyzeError):
    """A file of norms that cannot be read."""


class Norm(NamedTuple):
    """The error rate of a group of players in one kind of decision."""

    group: str
    kind: str
    """A kind of decision, or several together, by a name of `KINDS_IN`."""
    players: int
    matches: int
    games: int
    """Games in which the group has such a decision; those of both players count twice."""
    decisions: int
    """Decisions that GNU Backgammon's error rate counts."""
    rate: float
    """500 times the equity lost per decision."""
    low: float
    high: float
    """The 95 % interval, by bootstrap over matches."""


class Percentile(NamedTuple):
    """The error rate that a share of players stays below."""

    kind: str
    percent: int
    """The share of players, in percent."""
    players: int
    """Players with enough games."""
    least_games: int
    """The number of games that is enough."""
    reliability: float
    """Share of the variance of the players' rates that is not due to chance."""
    rate: float
    low: float
    high: float
    """The 95 % interval, by bootstrap over players."""


class NormTable(NamedTuple):
    """Norms (usual losses by kind of decision) with their source."""

    source: str
    license: str
    engine: str
    """Engine and level of the analyses; norms of different engines differ a little."""
    norms: tuple[Norm, ...]
    percentiles: tuple[Percentile, ...] = ()
    counting: str = "gnubg"
    """The metric whose decisions count: unforced plays, close or actual cube decisions."""

    def find(self, kind: str, group: str) -> Norm | None:
        """Return a group's usual error rate in a kind of decision, such as `take`, or None.

        `group` is `all players`, `one player` or `opponents`.
        """
        return next((one for one in self.norms if (one.kind, one.group) == (kind, group)), None)

    @property
    def usual_group(self) -> str:
        """The group to compare with: `all players`, or `opponents` if the table has only these."""
        groups = [norm.group for norm in self.norms]
        return next((name for name in (ALL_PLAYERS, OPPONENTS) if name in groups), ALL_PLAYERS)


@cache
def read_shipped_norms() -> NormTable:
    """Return the norms (usual losses by kind of decision) that come with the program."""
    return read_norms(files("bganalyze.statistics").joinpath("norms.toml").read_text("utf-8"))


def read_norms(text: str) -> NormTable:
    """Return the norms in a TOML text made by `write_norms`; raise NormsError for any other text.

    >>> read_norms("[[norms]]")
    Traceback (most recent call last):
    bganalyze.statistics.norms.NormsError: no file of norms: 'source' is missing
    """
    try:
        table = tomllib.loads(text)
        return NormTable(
            **{name: str(table[name]) for name in ("source", "license", "engine", "counting")},
            norms=tuple(_read_norm(entry) for entry in table["norms"]),
            percentiles=tuple(Percentile(**entry) for entry in table.get("percentiles", ())),
        )
    except KeyError as error:
        raise NormsError(f"no file of norms: {error} is missing") from error
    except (tomllib.TOMLDecodeError, TypeError, ValueError) as error:
        raise NormsError(f"no file of norms: {error}") from error


def _read_norm(entry: Mapping[str, Any]) -> Norm:
    """Return the norm in one entry of a TOML file.

    Raises TypeError for a missing or unknown key, and ValueError for an unknown kind of decision.
    """
    norm = Norm(**entry)
    # A missing or unknown key raises TypeError.
    if norm.kind not in KINDS_IN:
        raise ValueError(f"{norm.kind!r} is no kind of decision")
    return norm


def write_norms(table: NormTable) -> str:
    """Return a table of norms as TOML text, with a line for each norm.

    >>> read_norms(write_norms(read_shipped_norms())) == read_shipped_norms()
    True
    """
    names = ("source", "license", "engine", "counting")
    lines = [f"{name} = {_quote(getattr(table, name))}" for name in names]
    lines += _write_entries("norms", table.norms)
    lines += _write_entries("percentiles", table.percentiles)
    return "\n".join(lines) + "\n"


def _write_entries(name: str, entries: Sequence[Norm | Percentile]) -> list[str]:
    """Return norms or percentiles as the lines of a TOML array called `name`."""
    if not entries:
        return []
    rows = (
        ", ".join(f"{key} = {_write_value(value)}" for key, value in entry._asdict().items())
        for entry in entries
    )
    return ["", f"{name} = [", *(f"  {{ {row} }}," for row in rows), "]"]


def _write_value(value: str | float) -> str:
    """Return a text or number as TOML.

    >>> _write_value(0.5), _write_value("take")
    ('0.500', '"take"')
    """
    if isinstance(value, str):
        return _quote(value)
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _quote(text: str) -> str:
    r"""Return a text in quotation marks and with escapes, as a TOML string.

    >>> _quote('a "b"\n')
    '"a \\"b\\"\\u000a"'
    """
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in escaped) + '"'
