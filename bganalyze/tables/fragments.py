"""The rows of a few files, in a form to send about; made without pandas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from bganalyze.law import BASIC, Law
from bganalyze.tables import cubes, findings, games, matches, turns
from bganalyze.tables.matches import contents
from bganalyze.tables.schema import Columns, Examined, Row, Schema, by_column
from bganalyze.tables.turn_columns import GROUPS

SCHEMAS = (matches.SCHEMA, games.SCHEMA, turns.SCHEMA, cubes.SCHEMA, findings.SCHEMA)
"""The tables, in the order of what they are about."""

ALL_GROUPS = frozenset(GROUPS)


class Fragment(NamedTuple):
    """The rows of some matches, which are counted from 0."""

    matches: Columns
    games: Columns
    turns: Columns
    cubes: Columns
    findings: Columns


def fragment(
    some: Sequence[Examined], law: Law = BASIC, groups: Collection[str] = ALL_GROUPS
) -> Fragment:
    """Return the rows of some matches: of several files at once it costs less than one by one."""
    replays = [each.replayed for each in some]
    thrown, after = turns.columns(replays, groups)
    digests = contents(replays, thrown, after)
    numbered = list(enumerate(some))
    return Fragment(
        _rows(
            (matches.row(number, *own, law, digests[number]) for number, own in numbered),
            matches.SCHEMA,
        ),
        _rows((row for number, own in numbered for row in games.rows(number, *own)), games.SCHEMA),
        thrown,
        cubes.columns(some),
        _rows(
            (row for number, own in numbered for row in findings.rows(number, *own)),
            findings.SCHEMA,
        ),
    )


def _rows(rows: Iterable[Row], schema: Schema) -> Columns:
    return by_column(list(rows), schema.columns)
