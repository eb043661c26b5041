"""Head to head: what players won and lost against each other."""

from __future__ import annotations

import pandas as pd

from bganalyze.reports.figures import Figure, Section, estimated, rows_for
from bganalyze.reports.points import GAMES, MATCHES, accounts, match_accounts
from bganalyze.reports.question import Question
from bganalyze.tables.frames import Tables

GROUPS: frozenset[str] = frozenset()

PAIR = ["player", "opponent"]
FIGURES = GAMES[:3]
OF_MATCHES = MATCHES[:2]

SECTIONS: dict[str, tuple[Figure, ...]] = {"Games": FIGURES, "Matches": OF_MATCHES}
"""The figures of each section."""


def report(tables: Tables, question: Question) -> list[Section]:
    """Return games and matches by pair of players; each pair once, unless one player is asked for."""
    base = accounts(tables)
    by = [*PAIR, *(name for name in question.by if name in base and name not in PAIR)]
    question = question._replace(by=tuple(by))
    games = rows_for(_once(base, question), question)
    matches = rows_for(_once(match_accounts(base, tables), question), question)
    return [
        Section("Games", estimated(games, FIGURES, by)),
        Section("Matches", estimated(matches, OF_MATCHES, by)),
    ]


def _once(rows: pd.DataFrame, question: Question) -> pd.DataFrame:
    """Each pair as one of the two sees it: the one that was met first."""
    if question.player is not None:
        return rows
    return rows[rows["player"].cat.codes <= rows["opponent"].cat.codes]
