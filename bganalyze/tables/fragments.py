"""The rows of one file, in a form to send about; made without pandas."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from bganalyze.findings import Finding
from bganalyze.law import BASIC, Law
from bganalyze.replaying import MatchReplay
from bganalyze.tables import cubes, findings, games, matches, turns
from bganalyze.tables.contents import content
from bganalyze.tables.schema import Columns, Row, by_column
from bganalyze.tables.turn_columns import GROUPS

SCHEMAS = (matches.SCHEMA, games.SCHEMA, turns.SCHEMA, cubes.SCHEMA, findings.SCHEMA)
"""The tables, in the order of what they are about."""

ALL_GROUPS = frozenset(GROUPS)


class Fragment(NamedTuple):
    """The rows of the matches of one file; its matches are counted from 0."""

    matches: Columns
    games: Columns
    turns: Columns
    cubes: Columns
    findings: Columns


def fragment(
    replays: Sequence[MatchReplay],
    found: Sequence[Finding],
    law: Law = BASIC,
    groups: Collection[str] = ALL_GROUPS,
) -> Fragment:
    """Return the rows of the matches of one file, `found` being all findings about them."""
    rows = tuple(list[Row]() for _ in range(4))
    thrown: list[Columns] = []
    for number, replayed in enumerate(replays):
        own = [each for each in found if each.match == replayed.match.number]
        columns, after = turns.columns(number, replayed, groups)
        thrown.append(columns)
        rows[0].append(matches.row(number, replayed, law, own, content(replayed, columns, after)))
        rows[1].extend(games.rows(number, replayed, own))
        rows[2].extend(cubes.rows(number, replayed, own))
        rows[3].extend(findings.rows(number, replayed, own))
    return Fragment(
        by_column(rows[0], matches.SCHEMA),
        by_column(rows[1], games.SCHEMA),
        _joined(thrown, groups),
        by_column(rows[2], cubes.SCHEMA),
        by_column(rows[3], findings.SCHEMA),
    )


def _joined(parts: Sequence[Columns], groups: Collection[str]) -> Columns:
    names = [column.name for column in turns.SCHEMA.wanted(groups)]
    return {name: _end_to_end([part[name] for part in parts]) for name in names}


def _end_to_end(parts: Sequence[object]) -> object:
    if parts and isinstance(parts[0], list):
        return [value for part in parts if isinstance(part, list) for value in part]
    return np.concatenate([np.asarray(part) for part in parts]) if parts else []
