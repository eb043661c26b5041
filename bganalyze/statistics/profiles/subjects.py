"""Subjects: classes of contact positions and kinds of decision, and what their mistakes cost."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import KIND_WORDS, KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.decisions import GIVING_UP
from bganalyze.analysis.describe import ERROR, MAY_BE_SLIP
from bganalyze.analysis.gnubg_statistics import CubeError
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.statistics.estimates import correct_dependent_p_values, p_value_of_sum
from bganalyze.statistics.norms import FACTOR
from bganalyze.statistics.profiles.kinds import FEWEST_COMPARED, KindLoss
from bganalyze.statistics.profiles.lessons import CUBE_LESSONS, describe_plan
from bganalyze.statistics.reports.analyzed_counts import (
    count_doubles_so_far,
    list_decisions_by_side,
)
from bganalyze.statistics.reports.figures import (
    add_number_columns,
    estimate_figures,
    rate,
)
from bganalyze.statistics.sureness import SHOWN
from bganalyze.statistics.tables.frames import AnalyzedTables

FEWEST_OCCASIONS, FEWEST_MATCHES = 3, 2
"""Fewest occasions, and matches with one, of a mistake that recurs."""

MOST_OF_ONE_GAME = 0.5
"""Largest share of the cost that one game may have in a mistake that recurs."""

MOST_OF_SLIPS = 0.5
"""Share of the cost from which losses that may be slips make up a subject."""

RESIGNATIONS = "resignations"

_KEYS = ["subject_kind", "position_class", "class_role"]


class Subject(NamedTuple):
    """A subject to study, such as plays in a class of positions, with the cost of its mistakes.

    A subject is a class of positions for contact plays, and a kind of decision for all others.
    Doubles missed after Crawford are a subject, and so are resignations. Each decision belongs to
    one subject, so the costs of all subjects add up to the whole loss.
    """

    kind: DecisionKind | None
    """The kind of decision; None for resignations and the answers to them."""
    position: PositionClass
    """`OTHER` for cube decisions and resignations in positions of all classes."""
    role: Role
    """The side whose plan gives the class its name, seen by the player."""
    occasions: int
    """Mistakes that lost `ERROR` or more; doubles missed one after the other in a game count once."""
    mistakes: int
    """Decisions that lost `ERROR` or more."""
    matches: int
    """Matches with such a mistake."""
    lost: float
    """The equity (EMG) that all decisions lost together, also by smaller losses."""
    decisions: int
    """Decisions of this subject, right or wrong."""
    share_of_one_game: float = 0.0
    """The share of the cost in the game that has most of it."""
    share_of_slips: float = 0.0
    """The share of the cost in losses above `MAY_BE_SLIP`, which may be slips."""
    slips: int = 0
    """Losses above `MAY_BE_SLIP`."""
    share_too_good: float = 0.0
    """The share of the cost in doubles of positions too good to double."""
    low: float = math.nan
    high: float = math.nan
    """The 95 % interval of the rate; NaN with too few matches."""
    opponents: float | None = None
    """The rate of the opponents in the same matches; None with fewer than `FEWEST_COMPARED` decisions."""
    p_value: float | None = None
    """p-value of the difference from the opponents' rate, corrected for comparing several subjects;
    None with too few matches or decisions."""
    by_match: Mapping[Hashable, float] = MappingProxyType({})
    """The equity lost in each match with such a decision."""

    @property
    def name(self) -> str:
        """The subject in a few words, such as `plays: behind a prime`."""
        if self.kind is None:
            return RESIGNATIONS
        if self.kind not in CUBE_LESSONS:
            return f"plays: {describe_plan(self.position, self.role)}"
        if self.position is PositionClass.AFTER_CRAWFORD:
            return f"cube: missed doubles, {describe_plan(self.position, self.role)}"
        return f"cube: {KIND_WORDS[self.kind].short}"

    @property
    def rate(self) -> float:
        """The equity (EMG) lost per 500 decisions.

        >>> take = DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH
        >>> Subject(*take, occasions=4, mistakes=4, matches=3, lost=0.5, decisions=10).rate
        25.0
        """
        return FACTOR * self.lost / self.decisions

    @property
    def has_rate(self) -> bool:
        """Whether there are enough decisions to show a rate."""
        return self.decisions >= FEWEST_COMPARED

    @property
    def is_difference_shown(self) -> bool:
        """Whether a test shows that the player's and the opponents' rates differ."""
        return self.p_value is not None and self.p_value < SHOWN

    @property
    def is_worse(self) -> bool:
        """Whether the player loses more per decision than the opponents."""
        return self.opponents is not None and self.rate > self.opponents

    @property
    def is_repeated(self) -> bool:
        """Whether errors occurred on at least three occasions, in at least two matches."""
        return self.occasions >= FEWEST_OCCASIONS and self.matches >= FEWEST_MATCHES

    @property
    def recurs(self) -> bool:
        """Whether the errors are repeated, and their cost is not mostly in one game."""
        return self.is_repeated and self.share_of_one_game <= MOST_OF_ONE_GAME

    @property
    def obstacle(self) -> str:
        """Why the mistakes cannot be studied together, such as `mostly one game`, else ""."""
        if not self.is_repeated:
            return "in one match" if self.matches < FEWEST_MATCHES else "too few errors"
        if not self.has_common_plan:
            return "no common plan"
        if not self.recurs:
            return "mostly one game"
        return "may be slips" if self.may_be_slips else ""

    @property
    def may_be_slips(self) -> bool:
        """Whether at least half of the cost is in losses so large that they may be slips.

        A slip is a misplaced checker, or a mistake of the transcriber.
        """
        return self.share_of_slips >= MOST_OF_SLIPS

    @property
    def lost_without_slips(self) -> float:
        """The equity (EMG) lost without the losses that may be slips.

        >>> take = DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH
        >>> numbers = {"occasions": 4, "mistakes": 4, "matches": 3, "decisions": 10}
        >>> Subject(*take, **numbers, lost=2.0, share_of_slips=0.25).lost_without_slips
        1.5
        """
        return self.lost * (1 - self.share_of_slips)

    @property
    def has_common_plan(self) -> bool:
        """Whether the positions have something in common: a named class, or a cube decision."""
        return self.kind in CUBE_LESSONS or self.position is not PositionClass.OTHER


def list_subjects(
    own: pd.DataFrame, theirs: pd.DataFrame, kinds: Sequence[KindLoss] = ()
) -> list[Subject]:
    """Return all subjects of a player, the costliest first.

    `own` and `theirs` are the decisions of player and opponents, `kinds` the cost of each kind.
    """
    of_opponents = dict(iter(theirs.groupby(_KEYS)))
    intervals = _estimate_intervals(own)
    found = []
    for key, rows in own.groupby(_KEYS):
        low, high = intervals[key]
        subject = _sum_subject(rows)._replace(low=low, high=high)
        found.append(_compare_with_opponents(subject, rows, of_opponents.get(key)))
    subjects = [_copy_comparison_of_kind(one, kinds) for one in _correct_p_values(found)]
    return sorted(subjects, key=lambda one: -one.lost)


def select_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions of GNU Backgammon's error rate and the resignations, with subjects.

    The columns `subject_kind`, `position_class` and `class_role` name the subject. Successive
    decisions not to double have the same number in `occasion`.
    """
    rows = list_decisions_by_side(tables)
    is_resignation = rows["kind"].isin(GIVING_UP)
    is_counted = rows["gnubg_counts"].eq(True) & rows["decision_kind"].notna()
    rows = rows[(is_counted | is_resignation) & rows["loss"].notna()]
    is_missed = rows["decision_kind"].isin(KINDS_IN[NO_DOUBLES])
    is_late = is_missed & (rows["position_class"] == PositionClass.AFTER_CRAWFORD)
    is_play = rows["kind"] == "play"
    run = count_doubles_so_far(tables, rows)
    kind = rows["decision_kind"].astype(object)
    return rows.assign(
        subject_kind=kind.where(~is_late, DecisionKind.NO_DOUBLE_BELOW_CASH)
        .astype(object)
        .where(kind.notna(), RESIGNATIONS)
        .map(str),
        position_class=rows["position_class"]
        .astype(object)
        .where(is_play | is_late, PositionClass.OTHER)
        .map(str),
        class_role=rows["class_role"].astype(object).where(is_play | is_late, Role.BOTH).map(str),
        # An occasion is a run of decisions without a double, or any other decision.
        occasion=(-run - 1).where(is_missed, rows["decision"]),
    )


def select_decisions_of(decisions: pd.DataFrame, subject: Subject) -> pd.DataFrame:
    """Return those of the `decisions` (from `select_decisions`) that belong to a subject."""
    kind = RESIGNATIONS if subject.kind is None else str(subject.kind)
    key = [kind, str(subject.position), str(subject.role)]
    return decisions[(decisions[_KEYS] == key).all(axis=1)]


def differ_clearly(one: Subject, other: Subject, matches: int) -> bool:
    """Whether a test shows that one subject costs more than the other.

    The test compares their costs match by match; `matches` is the number of all matches.
    """
    differences = (
        one.by_match.get(match, 0.0) - other.by_match.get(match, 0.0)
        for match in {*one.by_match, *other.by_match}
    )
    return p_value_of_sum(differences, matches) < SHOWN


def _sum_subject(rows: pd.DataFrame) -> Subject:
    """Return the subject to which `rows` (decisions) belong, with number and cost of mistakes."""
    kind, position, role = (str(rows[name].iloc[0]) for name in _KEYS)
    lost = float(rows["loss"].sum())
    wrong = rows[rows["loss"] >= ERROR]
    slips = rows.loc[rows["loss"] > MAY_BE_SLIP, "loss"]
    is_too_good = rows["cube_error"].eq(CubeError.WRONG_ABOVE_TG)

    def share(cost: float) -> float:
        return float(cost) / lost if lost > 0 else 0.0

    return Subject(
        None if kind == RESIGNATIONS else DecisionKind(kind),
        PositionClass(position),
        Role(role),
        len(wrong[["match", "game", "occasion"]].drop_duplicates()),
        len(wrong),
        wrong["match"].nunique(),
        lost,
        len(rows),
        share_of_one_game=share(rows.groupby(["match", "game"])["loss"].sum().max()),
        share_of_slips=share(slips.sum()),
        slips=len(slips),
        share_too_good=share(rows.loc[is_too_good, "loss"].sum()),
        by_match=dict(rows.groupby("match")["loss"].sum()),
    )


def _compare_with_opponents(
    subject: Subject, own: pd.DataFrame, theirs: pd.DataFrame | None
) -> Subject:
    """Add the opponents' rate to a subject, and a test of its difference from the player's rate.

    `own` and `theirs` are the decisions of player and opponents. If `theirs` are too few, the
    subject stays unchanged.
    """
    if theirs is None or len(theirs) < FEWEST_COMPARED:
        return subject
    opponents = FACTOR * float(theirs["loss"].mean())
    p_value = _test_difference(own, theirs) if subject.has_rate else math.nan
    return subject._replace(opponents=opponents, p_value=None if math.isnan(p_value) else p_value)


def _copy_comparison_of_kind(subject: Subject, kinds: Sequence[KindLoss]) -> Subject:
    """Copy to a subject the comparison with the opponents from its kind of decision.

    The subject stays unchanged unless it has all decisions of that kind.
    """
    for loss in kinds:
        cost = loss.cost
        if loss.kind is subject.kind and cost.rate.decisions == subject.decisions:
            is_known = cost.opponents is not None and cost.opponents.has_rate
            opponents = cost.opponents.value if cost.opponents and is_known else None
            return subject._replace(opponents=opponents, p_value=cost.corrected)
    return subject


def _test_difference(own: pd.DataFrame, theirs: pd.DataFrame) -> float:
    """Return the p-value of the difference between the player's and the opponents' rates.

    It is NaN if too few matches have such decisions.
    """
    rates = [float(rows["loss"].mean()) for rows in (own, theirs)]
    of_own, of_theirs = (
        (rows["loss"] - rate).groupby(rows["match"]).sum() / len(rows)
        for rows, rate in zip((own, theirs), rates, strict=True)
    )
    # What each match adds to the difference of the two rates (linearized ratios), in EMG.
    added = of_own.sub(of_theirs, fill_value=0.0)
    added += (rates[0] - rates[1]) / len(added)
    return p_value_of_sum(added * len(own), len(added))


def _correct_p_values(subjects: Sequence[Subject]) -> list[Subject]:
    """Return subjects with p-values corrected for the number of subjects tested."""
    corrected = iter(
        correct_dependent_p_values([one.p_value for one in subjects if one.p_value is not None])
    )
    return [
        one if one.p_value is None else one._replace(p_value=next(corrected)) for one in subjects
    ]


def _estimate_intervals(decisions: pd.DataFrame) -> dict[tuple[str, ...], tuple[float, float]]:
    """Return the 95 % interval of the rate (EMG lost per 500 decisions) of each subject."""
    sums = {"counted": decisions["loss"].notna(), "lost": decisions["loss"]}
    figures = (rate("rate", "lost", "counted", "", factor=FACTOR),)
    rows = estimate_figures(add_number_columns(decisions, sums), figures, _KEYS)
    return {
        tuple(str(row[name]) for name in _KEYS): (float(row["low"]), float(row["high"]))
        for row in rows.to_dict("records")
    }
