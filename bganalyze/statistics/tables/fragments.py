"""The rows of a few files, in a form that processes can send to each other; made without pandas."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.statistics.tables import cubes, findings, games, matches, turns
from bganalyze.statistics.tables.schema import Columns, Examined, compute_columns

SCHEMAS = (matches.SCHEMA, games.SCHEMA, turns.SCHEMA, cubes.SCHEMA, findings.SCHEMA)
"""The tables, from the largest unit to the smallest."""

ALL_GROUPS = frozenset(turns.GROUPS)


class TableFragment(NamedTuple):
    """The rows of some matches, which are numbered from 0."""

    matches: Columns
    games: Columns
    turns: Columns
    cubes: Columns
    findings: Columns


def make_fragment(
    matches_of_files: Sequence[Examined],
    rule_book: RuleBook = BASIC,
    column_groups: Collection[str] = ALL_GROUPS,
) -> TableFragment:
    """Return the table rows of the matches in some files, to be joined by `join_fragments`.

    One call for several files is faster than several calls.
    """
    numbered = list(enumerate(matches_of_files))
    return TableFragment(
        compute_columns(
            [matches.make_entry(number, match, rule_book) for number, match in numbered],
            matches.SCHEMA.columns,
        ),
        compute_columns(
            [game for number, match in numbered for game in games.make_entries(number, match)],
            games.SCHEMA.columns,
        ),
        turns.tabulate_rolls([match.replayed for match in matches_of_files], column_groups),
        cubes.tabulate_offers(matches_of_files),
        compute_columns(
            [entry for number, match in numbered for entry in findings.make_entries(number, match)],
            findings.SCHEMA.columns,
        ),
    )
