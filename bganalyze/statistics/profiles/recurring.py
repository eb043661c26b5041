"""Recurring mistakes: errors of one kind in positions of one class, on several occasions."""

from __future__ import annotations

from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import (
    KIND_WORDS,
    KINDS_IN,
    NO_DOUBLES,
    PLAY_KINDS,
    DecisionKind,
)
from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.gnubg_statistics import MARKS
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.statistics.norms import FACTOR
from bganalyze.statistics.profiles.lessons import describe_plan, subject_to_study
from bganalyze.statistics.reports.analyzed_counts import count_doubles_before, decisions_by_side
from bganalyze.statistics.reports.errors import boards_of
from bganalyze.statistics.reports.figures import Board, rows_asked_for
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.tables.frames import AnalyzedTables

MOST_SHOWN = 3
"""Recurring mistakes that are shown, and boards of each."""

FEWEST_OCCASIONS, FEWEST_MATCHES = 3, 2
"""Fewest occasions, and matches with one, of a mistake that recurs."""

MOST_OF_ONE_GAME = 0.75
"""Largest share of the cost that one game may have in a mistake that recurs."""

MUCH_OF_ONE_GAME = 0.5
"""Share of the cost in one game from which it is stated; a mistake with more is studied after others."""

LEAST_SHARE = 0.02
"""Share of the whole cost below which a recurring mistake comes after all others, and is no subject."""

SHARE_OF_OVERSIGHT = 0.05
"""Least share of the equity lost in all decisions that an oversight must cost to be named."""

FEWEST_COMPARED = 30
"""Fewest decisions of the opponents for a comparison."""

LEAST_SHOWN = MARKS["doubtful"]
"""Loss (EMG) above which an error is shown on a board."""

_KEYS = ["decision_kind", "position_class", "class_role"]
_NO_DOUBLES = KINDS_IN[NO_DOUBLES]


class Mistakes(NamedTuple):
    """Errors of one kind in positions of one class. Rates are equity (EMG) lost per 500 decisions."""

    kind: DecisionKind
    position: PositionClass
    role: Role
    """The side whose plan gives the class its name, seen by the player."""
    occasions: int
    """Errors; doubles missed in one game, without a double in between, are one."""
    errors: int
    games: int
    matches: int
    """Games and matches with such an error."""
    lost: float
    """The equity (EMG) that they cost together."""
    share_of_one_game: float
    """The share of the cost in the game that has most of it."""
    decisions: int
    """Decisions of this kind in positions of this class, right or wrong."""
    opponents: float | None
    """The rate of the opponents in the same matches; None with fewer than `FEWEST_COMPARED` decisions."""
    norm: float | None = None
    """The rate in the norms if the class has all decisions of the kind, as openings do."""
    boards: tuple[Board, ...] = ()
    """The costliest error of each of the costliest matches, each above `LEAST_SHOWN`."""

    @property
    def error(self) -> str:
        """The name of the error, in the plural, such as `missed doubles`."""
        if self.position is PositionClass.AFTER_CRAWFORD:
            return "missed doubles"
        return KIND_WORDS[self.kind].error

    @property
    def name(self) -> str:
        """The error and the class of the positions in words, such as `wrong takes, under attack (blitz)`."""
        words = describe_plan(self.position, self.role)
        return self.error if words in self.error else f"{self.error}, {words}"

    @property
    def study(self) -> str:
        """The subject to study in words, as `subject_to_study` returns it."""
        return subject_to_study(self.kind, self.position, self.role)

    @property
    def rate(self) -> float:
        """The equity lost per 500 decisions."""
        return FACTOR * self.lost / self.decisions

    @property
    def excess(self) -> float | None:
        """The equity (EMG) lost beyond what opponents lose in as many decisions; None without opponents."""
        if self.opponents is None:
            return None
        return self.lost - self.opponents * self.decisions / FACTOR

    @property
    def is_recurring(self) -> bool:
        """Whether the error was made three times or more, in two matches or more, and not mostly in one game.

        Doubles missed one after the other in a game count as one time.
        """
        is_often = self.occasions >= FEWEST_OCCASIONS and self.matches >= FEWEST_MATCHES
        return is_often and self.share_of_one_game <= MOST_OF_ONE_GAME

    @property
    def is_one_oversight(self) -> bool:
        """Whether the mistake occurred several times, but nearly all of its cost is from one game."""
        return self.errors >= FEWEST_OCCASIONS and self.share_of_one_game > MOST_OF_ONE_GAME


class Study(NamedTuple):
    """The mistakes to study."""

    recurring: tuple[Mistakes, ...]
    """At most `MOST_SHOWN`, as `study_order` sorts them."""
    oversight: Mistakes | None
    """The costliest run of errors in a single game, if it cost `SHARE_OF_OVERSIGHT` of all or more."""
    contact: tuple[Mistakes, ...]
    """The errors at contact plays by class of position, the costliest class first."""
    number: int = 0
    """Number of all recurring mistakes."""


def find_mistakes(tables: AnalyzedTables, question: Question) -> Study:
    """Return the errors of the player `question.player`, grouped by kind of decision and class of position.

    The result has three parts: the recurring mistakes to study; of the mistakes that lost nearly all
    of their cost in one game, the costliest; and all mistakes of contact play. The first two are
    only about positions of a named class, such as a blitz.
    """
    rows = _counted_decisions(tables)
    own = rows_asked_for(rows, question)
    rates = _rates_of_opponents(rows_asked_for(rows, Question(by=(), opponent=question.player)))
    found = [
        _count_mistakes(decisions, rates.get(key), question)
        for key, decisions in own.groupby(_KEYS, observed=True)
        if (decisions["loss"] >= LEAST).any()
    ]
    contact = [one for one in found if one.kind is DecisionKind.CONTACT_PLAY]
    named = [one for one in found if one.position is not PositionClass.OTHER]
    lost = sum(one.lost for one in found)
    recurring = sorted(
        (one for one in named if one.is_recurring), key=lambda one: study_order(one, lost)
    )
    oversights = [
        _add_boards(one, own, tables)
        for one in named
        if one.is_one_oversight and one.lost >= SHARE_OF_OVERSIGHT * lost
    ]
    return Study(
        tuple(_add_boards(one, own, tables) for one in recurring[:MOST_SHOWN]),
        max(oversights, key=lambda one: one.lost, default=None),
        tuple(sorted(contact, key=lambda one: -one.lost)),
        len(recurring),
    )


def study_order(mistakes: Mistakes, lost: float) -> tuple[int, float]:
    """Return a sort key that puts the mistakes first from which the player can gain most.

    First come mistakes that cost the player more than opponents, by the difference; then mistakes
    without opponents to compare with; then those that cost no more; last those that cost less than
    `LEAST_SHARE` of `lost`, the equity lost by all errors.
    """
    excess = mistakes.excess
    if mistakes.lost < LEAST_SHARE * lost:
        return 3, -mistakes.lost
    if excess is None:
        return 1, -mistakes.lost
    return (0, -excess) if excess > 0 else (2, -mistakes.lost)


def _counted_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions in positions of a named class that GNU Backgammon's error rate counts.

    In the column `occasion`, decisions not to double have one number until somebody doubles; any other
    decision has a number of its own. After the Crawford game, a missed double has the same kind
    whether the opponent had a take or a pass.
    """
    rows = decisions_by_side(tables)
    rows = rows[rows["gnubg_counts"].eq(True) & rows["loss"].notna()]
    rows = rows[rows["position_class"].notna()]
    is_missed = rows["decision_kind"].isin(_NO_DOUBLES)
    run = count_doubles_before(tables, rows)
    is_late = is_missed & (rows["position_class"] == PositionClass.AFTER_CRAWFORD)
    below = DecisionKind.NO_DOUBLE_BELOW_CASH
    return rows.assign(
        occasion=(-run - 1).where(is_missed, rows["decision"]),
        decision_kind=rows["decision_kind"].astype(object).where(~is_late, below),
    )


def _rates_of_opponents(rows: pd.DataFrame) -> dict[object, float]:
    """Return the opponents' equity lost per 500 decisions, keyed by kind of decision and class of position.

    A combination with fewer than `FEWEST_COMPARED` decisions is left out.
    """
    lost = rows["loss"].where(rows["loss"] >= LEAST, 0.0)
    sums = lost.groupby([rows[name] for name in _KEYS], observed=True).agg(["sum", "size"])
    enough = sums[sums["size"] >= FEWEST_COMPARED]
    return dict((FACTOR * enough["sum"] / enough["size"]).items())


def _count_mistakes(
    decisions: pd.DataFrame, opponents_rate: float | None, question: Question
) -> Mistakes:
    """Return the errors among a player's decisions of one kind in one class of positions.

    `opponents_rate` is the opponents' error rate in such decisions, or None.
    """
    kind, position, role = (str(decisions[name].iloc[0]) for name in _KEYS)
    wrong = decisions[decisions["loss"] >= LEAST]
    lost = wrong.groupby(["match", "game"])["loss"].sum()
    norm = question.norms.find(kind, question.norms.usual_group)
    is_whole_kind = PLAY_KINDS.get(position) == kind
    return Mistakes(
        DecisionKind(kind),
        PositionClass(position),
        Role(role),
        len(wrong[["match", "game", "occasion"]].drop_duplicates()),
        len(wrong),
        len(lost),
        wrong["match"].nunique(),
        float(lost.sum()),
        float(lost.max() / lost.sum()),
        len(decisions),
        opponents_rate,
        norm.rate if norm is not None and is_whole_kind else None,
    )


def _add_boards(mistakes: Mistakes, own: pd.DataFrame, tables: AnalyzedTables) -> Mistakes:
    """Return mistakes with boards: of each match its costliest error of this kind, the costliest first.

    `own` are the player's decisions; at most `MOST_SHOWN` boards are added.
    """
    is_of_these = (own[_KEYS] == list(mistakes[: len(_KEYS)])).all(axis=1)
    shown = own[is_of_these & (own["loss"] > LEAST_SHOWN)]
    costliest = shown.sort_values("loss", ascending=False, kind="stable").drop_duplicates("match")
    return mistakes._replace(boards=tuple(boards_of(costliest.head(MOST_SHOWN), tables)))
