"""The report of losses: which kinds of decision cost how much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pandas as pd

from bganalyze.analysis.decision_kinds import KIND_WORDS, DecisionKind
from bganalyze.statistics.reports.analyzed import decisions_by_side, note_not_analyzed
from bganalyze.statistics.reports.figures import (
    Section,
    add_sums,
    declare_report,
    rate,
    rows_for,
    section_of_figures,
)
from bganalyze.statistics.reports.question import Question, of_player
from bganalyze.statistics.tables.frames import AnalyzedTables

FACTOR = 500
"""Decisions that a rate is given for: 500, as in PR."""

ALL_KINDS = "all kinds"

SHARES_OF_LOSS = (
    *(
        rate(
            words.error,
            f"{kind} lost",
            "counted",
            f"Equity lost by {words.error}, per {FACTOR} decisions of all kinds.",
            factor=FACTOR,
        )
        for kind, words in KIND_WORDS.items()
    ),
    rate(
        ALL_KINDS,
        "lost",
        "counted",
        f"The sum: GNU Backgammon's error rate, per {FACTOR} decisions.",
        factor=FACTOR,
    ),
)
"""Loss of each kind over the decisions of all kinds; these figures add up to the last."""

RATES = tuple(
    rate(words.counted, f"{kind} lost", f"{kind} counted", words.meaning, factor=FACTOR)
    for kind, words in KIND_WORDS.items()
)
"""Loss of each kind over the decisions of that kind."""

LOSSES_A_GAME = (
    *(
        rate(words.error, f"{kind} lost", "games", f"Equity lost by {words.error}, per game.")
        for kind, words in KIND_WORDS.items()
    ),
    rate(ALL_KINDS, "lost", "games", "Equity lost per game."),
)


@declare_report(
    {
        "Where points are lost": SHARES_OF_LOSS,
        "By kind of decision": RATES,
        "A game": LOSSES_A_GAME,
    }
)
def losses(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Losses: where points are lost, by kind of decision, the costliest kind first.

    Each decision that GNU Backgammon's error rate counts has one kind: a play of the opening, of
    contact, of a race or of a bear-off; a decision not to double below or above the cash point, the
    equity of 1 after double and take; a double, a take or a pass. Where points are lost: equity lost
    by the errors of one kind, per 500 decisions of all kinds, so the kinds add up to the error rate.
    By kind of decision: equity lost per 500 decisions of that kind. A game: equity lost per game in
    which the player had a decision.
    """
    rows = rows_for(decisions_by_kind(tables), question)
    by = [name for name in question.by if name in rows]
    notes = note_not_analyzed(of_player(tables, question))
    section = section_of_figures("Where points are lost", rows, SHARES_OF_LOSS, by, *notes)
    yield section._replace(frame=_sort_by_cost(section.frame, by))
    yield section_of_figures("By kind of decision", rows, RATES, by)
    yield section_of_figures("A game", _count_games(rows, by), LOSSES_A_GAME, by)


def decisions_by_kind(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions on verified boards with the sums of `SHARES_OF_LOSS` and `RATES`.

    A decision that GNU Backgammon's error rate does not count adds nothing.
    """
    rows = decisions_by_side(tables)
    counts = rows["gnubg_counts"].eq(True)
    lost = rows["loss"].where(counts, 0.0)
    sums = {"counted": counts, "lost": lost}
    for kind in DecisionKind:
        is_so = rows["decision_kind"] == kind
        sums |= {f"{kind} counted": counts & is_so, f"{kind} lost": lost.where(is_so, 0.0)}
    return add_sums(rows, sums)


def _count_games(rows: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return decisions with `games`: 1 in the first decision of each group, game and player."""
    keys = [*dict.fromkeys([*by, "match", "game", "player"])]
    return add_sums(rows, {"games": ~rows.duplicated(keys)})


def _sort_by_cost(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the kinds of each group by their cost, the highest first and the sum last."""
    ranks = frame["value"].where(frame["figure"] != ALL_KINDS, -1.0)
    ordered = frame.assign(rank=-ranks).sort_values([*by, "rank"], kind="stable")
    return ordered.drop(columns="rank").reset_index(drop=True)
