"""Recurring mistakes to study: cube habits, and errors of one kind in positions of one class."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import pandas as pd

from bganalyze.analysis.decision_kinds import (
    KIND_WORDS,
    KINDS_IN,
    NO_DOUBLES,
    PLAY_KINDS,
    DecisionKind,
)
from bganalyze.analysis.describe import ERROR, LEAST, MAY_BE_SLIP
from bganalyze.analysis.gnubg_statistics import MARKS, CubeError
from bganalyze.analysis.position_classes import PositionClass, Role
from bganalyze.statistics.estimates import correct_for_dependent, p_value_of_sum
from bganalyze.statistics.norms import FACTOR, Norm, NormTable
from bganalyze.statistics.profiles.habits import Habit, HabitCosts, sum_costs_of_habit
from bganalyze.statistics.profiles.kinds import (
    FEWEST_COMPARED,
    KindLoss,
    is_shown_to_be_better,
)
from bganalyze.statistics.profiles.lesson_fit import (
    WHO_LEAVES_FIRST,
    BestPlay,
    Theme,
    describe_best_play,
    find_theme,
)
from bganalyze.statistics.profiles.lessons import (
    CUBE_LESSONS,
    choose_subject,
    describe_plan,
)
from bganalyze.statistics.reports.analyzed_counts import (
    count_doubles_before,
    list_decisions_by_side,
)
from bganalyze.statistics.reports.errors import boards_of
from bganalyze.statistics.reports.figures import (
    Board,
    add_number_columns,
    estimate_figures,
    rate,
    select_asked_rows,
)
from bganalyze.statistics.reports.question import Question
from bganalyze.statistics.sureness import SHOWN
from bganalyze.statistics.tables.frames import AnalyzedTables

MOST_SHOWN = 3
"""Recurring mistakes that are shown, and boards of each."""

FEWEST_OCCASIONS, FEWEST_MATCHES = 3, 2
"""Fewest occasions, and matches with one, of a mistake that recurs."""

MOST_OF_ONE_GAME = 0.75
"""Largest share of the cost that one game may have in a mistake that recurs."""

LEAST_IN_CLASSES = 0.5
"""Least share of the cost of a kind of cube error, in classes in which it recurs, for a list by class."""

MUCH_OF_ONE_GAME = 0.5
"""Share of the cost in one game from which it is stated; a mistake with more is studied after others."""

MUCH_IN_SLIPS = 0.5
"""Share of the cost in possible slips from which it is stated; a mistake with more is studied after others."""

LEAST_SHARE = 0.02
"""Share of the whole cost below which a recurring mistake comes after all others, and is no subject."""

WEIGHT_IF_BETTER = 0.5
"""Weight of the cost of mistakes by which the opponents lose clearly more, in the order of study."""

CLEARLY_MORE = 2.0
"""Least quotient of the opponents' rate and the player's, tested or not, with which they lose clearly more."""

SHARE_OF_OVERSIGHT = 0.05
"""Least share of the equity lost in all decisions that an oversight must cost to be named."""

MUCH_OF_ONE_OPPONENT, FEWEST_OPPONENTS = 0.4, 4
"""Share of a cost above which it is stated that one opponent has it, and fewest opponents for that."""

LEAST_SHOWN = MARKS["doubtful"]
"""Loss (EMG) above which an error is shown on a board."""

CLEARLY_BETTER = "the opponents lose clearly more"
"""The reason why half of the cost counts."""

OPPONENTS, NORM = "opponents", "norm"
"""The rates with which a player's rate can be compared."""

_KEYS = ["decision_kind", "position_class", "class_role"]
_NO_DOUBLES = KINDS_IN[NO_DOUBLES]


class MainOpponent(NamedTuple):
    """The opponent against whom a player lost more than `MUCH_OF_ONE_OPPONENT` of a cost."""

    name: str
    share: float
    """The share of the cost."""
    matches: int
    """All matches with such a loss."""
    matches_of_opponent: int


class Mistakes(NamedTuple):
    """Errors of one kind in positions of one class, or in all of them.

    Rates are equity (EMG) lost per 500 decisions.
    """

    kind: DecisionKind
    position: PositionClass
    """`OTHER` for the errors of a cube habit, and for cube errors in positions of all classes."""
    role: Role
    """The side whose plan gives the class its name, seen by the player."""
    occasions: int
    """Errors of `ERROR` or more; doubles missed in one game, without a double in between, are one."""
    errors: int
    games: int
    matches: int
    """Games and matches with such an error."""
    lost: float
    """The equity (EMG) that errors of `LEAST` or more cost together."""
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
    habit: Habit | None = None
    """The cube habit, if these are the errors of one."""
    opposite_habit: Habit | None = None
    """The cube habit of which these are the opposite errors, if there is one."""
    costs: HabitCosts | None = None
    """The costs of the cube habit and of its opposite, if these are the errors of one."""
    not_answered: str = ""
    """The question whether these are a habit, if it has no sure answer: `taking or passing too much: may be
    chance`."""
    share_of_slips: float = 0.0
    """The share of the cost in errors above `MAY_BE_SLIP`, which may be slips."""
    share_too_good: float = 0.0
    """The share of the cost in doubles of positions too good to double."""
    is_better: bool = False
    """Whether the opponents are shown to lose more by all decisions of these kinds."""
    by_match: Mapping[Hashable, float] = MappingProxyType({})
    """The equity lost in each match with such an error."""
    p_value: float = math.nan
    """p-value of the difference from the opponents' rate, from the differences between matches; NaN
    with too few matches or decisions."""
    corrected: float | None = None
    """The same p-value, corrected for comparing several classes or kinds; None without a test."""
    low: float = math.nan
    high: float = math.nan
    """The 95 % interval of the rate; NaN with too few matches or decisions."""
    theme: str = ""
    """The subject to study if the lesson on the class does not fit most of these errors, else ""."""
    fitting: int | None = None
    """Errors whose best play fits the subject to study; None if that was not looked at."""
    main_opponent: MainOpponent | None = None
    """The opponent with much of the cost; None without one, and if that was not looked at."""
    apart: tuple[Mistakes, ...] = ()
    """Errors of these kinds that are a lesson of their own, or one oversight: no other number counts them."""

    @property
    def is_clearly_better(self) -> bool:
        """Whether the opponents lose clearly more: shown by a test, or at least `CLEARLY_MORE` times as much."""
        is_much_less = self.opponents is not None and self.opponents >= CLEARLY_MORE * self.rate
        is_less = self.excess is not None and self.excess < 0
        return self.is_better or is_much_less or (is_less and self.is_difference_shown)

    @property
    def is_difference_shown(self) -> bool:
        """Whether a test shows that the player's and the opponents' rates differ."""
        return self.corrected is not None and self.corrected < SHOWN

    @property
    def kinds(self) -> tuple[DecisionKind, ...]:
        """The kinds of decision in which these errors were made."""
        return (self.kind,) if self.habit is None else self.habit.words.kinds

    @property
    def error(self) -> str:
        """The name of the error, in the plural, such as `missed doubles`."""
        if self.habit is not None:
            return self.habit.words.name
        if self.position is PositionClass.AFTER_CRAWFORD:
            return "missed doubles"
        return KIND_WORDS[self.kind].short

    @property
    def name(self) -> str:
        """The error and the class of the positions, such as `wrong takes, under attack (blitz)`."""
        if self.position is PositionClass.OTHER and self.kind not in PLAY_KINDS.values():
            return self.error
        words = describe_plan(self.position, self.role)
        return self.error if words in self.error else f"{self.error}, {words}"

    @property
    def study(self) -> str:
        """The subject to study in words."""
        if self.habit is not None:
            words, costs = self.habit.words, self.costs
            is_opposite_costlier = costs is not None and costs.opposite_lost > costs.lost
            return words.study + f", and {words.opposite_study}" * is_opposite_costlier
        return self.theme or choose_subject(
            self.kind, self.position, self.role, self.share_too_good
        )

    @property
    def is_of_whole_kinds(self) -> bool:
        """Whether these are all errors of their kinds of decision, not only those in one class.

        Opening plays are all of one class, so their errors are too.
        """
        is_of_all_classes = self.position is PositionClass.OTHER and not self.apart
        return is_of_all_classes or PLAY_KINDS.get(self.position) == self.kind

    @property
    def rate(self) -> float:
        """The equity lost per 500 decisions."""
        return FACTOR * self.lost / self.decisions

    @property
    def compared_with(self) -> str:
        """The rate to compare the player's with: `OPPONENTS`, else `NORM`, or "" without either."""
        if self.opponents is not None:
            return OPPONENTS
        return "" if self.norm is None else NORM

    @property
    def excess(self) -> float | None:
        """The equity (EMG) lost beyond the opponents' rate or, without one, beyond the norm.

        None without either.
        """
        usual = {OPPONENTS: self.opponents, NORM: self.norm}.get(self.compared_with)
        return None if usual is None else self.lost - usual * self.decisions / FACTOR

    @property
    def is_leading_habit(self) -> bool:
        """Whether these are the errors of a cube habit that cost at least as much as the opponents'."""
        return self.habit is not None and (self.excess is None or self.excess >= 0)

    @property
    def is_doubtful(self) -> bool:
        """Whether most of the cost is in one game, or in possible slips."""
        return self.share_of_one_game > MUCH_OF_ONE_GAME or self.share_of_slips > MUCH_IN_SLIPS

    @property
    def is_recurring(self) -> bool:
        """Whether the error came three times or more, in two matches, and not mostly in one game."""
        is_often = self.occasions >= FEWEST_OCCASIONS and self.matches >= FEWEST_MATCHES
        # Doubles missed one after the other in a game count once.
        return is_often and self.share_of_one_game <= MOST_OF_ONE_GAME

    @property
    def is_one_oversight(self) -> bool:
        """Whether the error was made at least three times, but one game has most of its cost."""
        return self.errors >= FEWEST_OCCASIONS and self.share_of_one_game > MOST_OF_ONE_GAME


class Study(NamedTuple):
    """The mistakes that a player should study, and others that a profile lists."""

    recurring: tuple[Mistakes, ...]
    """At most `MOST_SHOWN`: leading cube habits, then the others as `make_study_key` sorts them."""
    oversight: Mistakes | None
    """The costliest run of errors in a single game, if it cost `SHARE_OF_OVERSIGHT` of all or more."""
    contact: tuple[Mistakes, ...]
    """The errors at contact plays by class of position, the costliest class first."""
    further: tuple[Mistakes, ...] = ()
    """The recurring mistakes after those shown with boards, without boards."""
    lost: float = 0.0
    """The equity (EMG) that all errors lost."""
    not_recurring: tuple[Mistakes, ...] = ()
    """The cube errors of each kind that does not recur, in positions of all classes."""
    habit_costs: Mapping[str, HabitCosts] = MappingProxyType({})
    """The costs of each cube habit and of its opposite, by its name."""
    main_opponent: MainOpponent | None = None
    """The opponent with much of the equity lost by all errors."""
    matches: int = 0
    """Number of matches with decisions of the player."""
    unnamed: Mistakes | None = None
    """The contact errors in positions of no named class, with their boards; None if they cost less than
    `LEAST_SHARE` of all."""
    better_habits: tuple[str, ...] = ()
    """The names of the cube habits by whose errors the opponents lose clearly more."""

    @property
    def subjects(self) -> tuple[Mistakes, ...]:
        """The mistakes to study in order: recurring, and at least `LEAST_SHARE` of the loss."""
        every = (*self.recurring, *self.further)
        return tuple(one for one in every if one.lost >= LEAST_SHARE * self.lost)

    def list_as_costly(self, leader: Mistakes) -> list[Mistakes]:
        """Return the subjects that come after `leader` perhaps only by chance.

        They are sorted by the same rule as the leader, but do not cost clearly less, by the
        differences between matches.
        """
        after = self.subjects[self.subjects.index(leader) + 1 :]
        tier = make_study_key(leader, self.lost)[:-1]
        return [
            one
            for one in after
            if make_study_key(one, self.lost)[:-1] == tier
            and not leader.is_leading_habit
            and not differ_clearly(leader, one, self.matches)
        ]

    @property
    def number(self) -> int:
        """Number of all recurring mistakes."""
        return len(self.recurring) + len(self.further)


def find_mistakes(
    tables: AnalyzedTables,
    question: Question,
    habits: Sequence[Habit] = (),
    kinds: Sequence[KindLoss] = (),
    not_answered: Mapping[DecisionKind, str] = MappingProxyType({}),
) -> Study:
    """Return the mistakes that the question's player should study, by decision and position.

    The recurring mistakes begin with the errors of cube `habits` that cost at least as much as the
    same errors of the opponents. A habit is left out if it costs little, or clearly less than its
    opposite errors, or if the opponents lose clearly more by it. Listed apart are the costliest
    mistake that comes mostly from one game, and all errors of contact play. Doubles missed after
    the Crawford game count as a mistake of their own. `kinds` has the cost of each kind of decision
    to the player and to the opponents; `not_answered` says of kinds of cube decision why no habit
    in them is named.
    """
    rows = _select_decisions(tables)
    own = select_asked_rows(rows, question)
    theirs = select_asked_rows(rows, Question(by=(), opponent=question.player))
    found = [
        one if one.position is PositionClass.OTHER else _use_rate_of_kind(one, kinds)
        for one in _correct_for_classes(_summarize_by_class(own, theirs, question.norms))
    ]
    contact = [one for one in found if one.kind is DecisionKind.CONTACT_PLAY]
    lost = sum(one.lost for one in found)
    oversight = _find_oversight(found, lost)
    apart = [one for one in found if one.position is PositionClass.AFTER_CRAWFORD]
    # The costs of habits leave out single large errors, but no oversight.
    not_late = _leave_out(own, apart)
    costs = {habit.name: sum_costs_of_habit(not_late, habit.words) for habit in habits}
    if oversight is not None and oversight not in apart:
        apart.append(oversight)
    own_rest, their_rest = (_leave_out(side, apart) for side in (own, theirs))

    def of_kinds(chosen: tuple[DecisionKind, ...]) -> Iterator[Mistakes]:
        """Yield the errors in all decisions of some kinds, without those set apart."""
        counted = _summarize_errors_of_kinds(own_rest, their_rest, question.norms, chosen)
        of_these = tuple(one for one in apart if one.kind in chosen)
        for one in counted:
            yield _use_rate_of_kind(one._replace(apart=of_these), kinds if len(chosen) == 1 else ())

    by_habit = [
        (habit, _note_if_better(one._replace(habit=habit, costs=costs[habit.name]), kinds))
        for habit in habits
        for one in of_kinds(habit.words.kinds)
    ]
    better_habits = tuple(habit.name for habit, one in by_habit if one.is_clearly_better)
    of_habits = [
        one
        for habit, one in by_habit
        if not costs[habit.name].are_clearly_lower
        if one.lost >= LEAST_SHARE * lost and not one.is_clearly_better
    ]
    in_classes = _list_recurring_in_classes(found, apart)
    listed = {kind for one in (*of_habits, *in_classes) if one not in apart for kind in one.kinds}
    # Cube errors of a kind are taken together unless their classes tell enough of the cost.
    others = [
        _note_if_better(one, kinds)
        for kind in CUBE_LESSONS
        if kind not in listed
        for one in of_kinds((kind,))
    ]
    compared = [*(_note_if_better(one, kinds) for one in in_classes), *others]
    recurring = [
        one._replace(
            opposite_habit=_find_opposite(one, habits),
            not_answered=not_answered.get(one.kind, "") if one.habit is None else "",
        )
        for one in _sort_recurring(of_habits, compared, lost)
    ]
    return Study(
        tuple(_add_boards(one, own, tables) for one in recurring[:MOST_SHOWN]),
        None if oversight is None else _add_boards(oversight, own, tables),
        tuple(sorted(contact, key=lambda one: -one.lost)),
        tuple(recurring[MOST_SHOWN:]),
        lost,
        tuple(one for one in (*others, *apart) if not one.is_recurring),
        costs,
        _find_main_opponent(own, own),
        own["match"].nunique(),
        _find_unnamed(contact, own, tables, lost),
        better_habits,
    )


def _find_oversight(found: Iterable[Mistakes], lost: float) -> Mistakes | None:
    """Return the costliest mistake in a named class of positions made mostly in one game, or None.

    It must cost at least `SHARE_OF_OVERSIGHT` of the equity `lost` in all. `found` has the mistakes
    of each kind and class.
    """
    oversights = (
        one
        for one in found
        if one.position is not PositionClass.OTHER
        if one.is_one_oversight and one.lost >= SHARE_OF_OVERSIGHT * lost
    )
    return max(oversights, key=lambda one: one.lost, default=None)


def _list_recurring_in_classes(
    found: Sequence[Mistakes], apart: Sequence[Mistakes]
) -> list[Mistakes]:
    """Return the mistakes in `found` that recur in a named class of positions.

    Cube errors of a kind are left out if less than half of their cost is in classes in which they
    recur: they are listed by kind instead. The mistakes `apart` are lessons of their own. They are
    returned if they recur, but do not count to the cost of their kind.
    """
    rest = [one for one in found if one not in apart]
    return [
        one
        for one in found
        if one.position is not PositionClass.OTHER and one.is_recurring
        if one.kind not in CUBE_LESSONS or one in apart or _recurs_mostly_in_classes(one.kind, rest)
    ]


def _note_if_better(mistakes: Mistakes, losses: Iterable[KindLoss]) -> Mistakes:
    """Return mistakes that say whether the opponents are shown to lose more by them (`is_better`).

    Only whole kinds of decision are compared, so this is False for errors in one class of
    positions. `losses` has the cost of each kind of decision.
    """
    is_better = mistakes.is_of_whole_kinds and is_shown_to_be_better(losses, mistakes.kinds)
    return mistakes._replace(is_better=is_better)


def _find_main_opponent(
    decisions: pd.DataFrame, all_decisions: pd.DataFrame
) -> MainOpponent | None:
    """Return the opponent against whom a player lost much of a cost, or None.

    The cost is the loss of some `decisions` of the player. If `all_decisions` of the player have
    few opponents, the result is None.
    """
    wrong = decisions[decisions["loss"] >= LEAST]
    if all_decisions["opponent"].nunique() < FEWEST_OPPONENTS or wrong.empty:
        return None
    lost = wrong.groupby("opponent", observed=True)["loss"].sum()
    name, share = lost.idxmax(), float(lost.max() / lost.sum())
    if share <= MUCH_OF_ONE_OPPONENT:
        return None
    of_opponent = wrong.loc[wrong["opponent"] == name, "match"].nunique()
    return MainOpponent(str(name), share, wrong["match"].nunique(), of_opponent)


def _is_of_class(decisions: pd.DataFrame, mistakes: Mistakes) -> pd.Series:
    """Return whether each decision is of the kind, and in the class of positions, of some mistakes."""
    return (decisions[_KEYS] == list(mistakes[: len(_KEYS)])).all(axis=1)


def _leave_out(decisions: pd.DataFrame, apart: Iterable[Mistakes]) -> pd.DataFrame:
    """Return the decisions that are in none of the classes of the mistakes `apart`."""
    for mistakes in apart:
        decisions = decisions[~_is_of_class(decisions, mistakes)]
    return decisions


def _recurs_mostly_in_classes(kind: DecisionKind, found: Iterable[Mistakes]) -> bool:
    """Whether a cube error costs at least half of its equity in classes in which it recurs.

    `kind` is the kind of decision. `found` has the mistakes of each kind and class of positions.
    """
    of_kind = [one for one in found if one.kind is kind]
    in_classes = sum(
        one.lost for one in of_kind if one.is_recurring and one.position is not PositionClass.OTHER
    )
    return in_classes >= LEAST_IN_CLASSES * sum(one.lost for one in of_kind)


def _use_rate_of_kind(mistakes: Mistakes, kinds: Sequence[KindLoss]) -> Mistakes:
    """Return mistakes with the opponents' rate in all decisions of the kind, if it is known.

    `kinds` has these rates. Mistakes that are only part of their kind are returned unchanged.
    """
    if not mistakes.is_of_whole_kinds:
        return mistakes
    costs = [loss.cost for loss in kinds if loss.kind is mistakes.kind]
    for cost in costs:
        if cost.opponents is not None and cost.opponents.has_rate:
            return mistakes._replace(opponents=cost.opponents.value, corrected=cost.corrected)
    return mistakes


def _find_opposite(mistakes: Mistakes, habits: Sequence[Habit]) -> Habit | None:
    """Return the cube habit to which these mistakes are the opposite error, or None."""
    return next((habit for habit in habits if mistakes.kind in habit.words.opposite), None)


def _sort_recurring(
    of_habits: Sequence[Mistakes], others: Sequence[Mistakes], lost: float
) -> list[Mistakes]:
    """Return the mistakes to study in order: leading cube habits, then the others.

    The errors of a leading habit cost the player at least as much as the opponents. The others are
    further habits, and mistakes that recur. `lost` is the equity lost by all errors, by which small
    mistakes are recognized.
    """
    covered = {kind for one in of_habits for kind in one.kinds}
    recurring = (
        one
        for one in others
        if one.is_recurring
        if one.kind not in covered or one.position is PositionClass.AFTER_CRAWFORD
    )
    leading = [one for one in of_habits if one.is_leading_habit]
    rest = [one for one in of_habits if not one.is_leading_habit]
    return [*leading, *sorted([*rest, *recurring], key=lambda one: make_study_key(one, lost))]


def make_study_key(mistakes: Mistakes, lost: float) -> tuple[bool, bool, bool, float]:
    """Return a sort key for mistakes: those come first whose study gains a player most.

    `lost` is the equity lost by all errors.
    """
    least = LEAST_SHARE * lost
    # Mistakes that cost little come last, doubtful ones before them.
    is_small = mistakes.lost < least
    excess = mistakes.excess
    # First come those that are shown to cost more than the opponents', by the difference.
    if mistakes.is_difference_shown and excess is not None and excess > 0 and excess >= least:
        return (is_small, mistakes.is_doubtful, False, -excess)
    # The others follow by cost.
    weight = WEIGHT_IF_BETTER if mistakes.is_clearly_better else 1.0
    return (is_small, mistakes.is_doubtful, True, -weight * mistakes.lost)


def differ_clearly(one: Mistakes, other: Mistakes, matches: int) -> bool:
    """Return whether two mistakes cost clearly different amounts, from the differences between matches.

    `matches` is the number of all matches. With fewer than three, nothing differs clearly. Half of a
    cost counts where the opponents lose clearly more.
    """
    (weight, other_weight) = (
        WEIGHT_IF_BETTER if each.is_clearly_better else 1.0 for each in (one, other)
    )
    differences = (
        weight * one.by_match.get(match, 0.0) - other_weight * other.by_match.get(match, 0.0)
        for match in {*one.by_match, *other.by_match}
    )
    return p_value_of_sum(differences, matches) < SHOWN


def explain_order(mistakes: Mistakes, lost: float) -> str:
    """Return in a few words the reason for a mistake's place in the order of study.

    Returns "" for a leading cube habit, which comes first. `lost` is the equity lost by all errors.
    """
    if mistakes.is_leading_habit:
        return ""
    _, _, is_by_cost, _ = make_study_key(mistakes, lost)
    if not is_by_cost:
        return "chosen by this difference"
    if mistakes.is_clearly_better:
        return f"chosen by half of the cost, as {CLEARLY_BETTER}"
    return "chosen by cost alone"


def _correct_for_classes(found: Sequence[Mistakes]) -> list[Mistakes]:
    """Return the mistakes of classes of positions with p-values corrected for the number of classes."""
    tested = [one.p_value for one in found if not math.isnan(one.p_value)]
    corrected = iter(correct_for_dependent(tested))
    return [
        one if math.isnan(one.p_value) else one._replace(corrected=next(corrected)) for one in found
    ]


def _summarize_by_class(
    own_decisions: pd.DataFrame, opponents_decisions: pd.DataFrame, norms: NormTable
) -> list[Mistakes]:
    """Return the errors among a player's decisions by kind of decision and class of position.

    The rates of the opponents' decisions and of the norms are added, to compare the player with.
    """
    of_opponents = dict(iter(opponents_decisions.groupby(_KEYS, observed=True)))
    intervals = _estimate_intervals(own_decisions, _KEYS)
    found = []
    for key, decisions in own_decisions.groupby(_KEYS, observed=True):
        if (decisions["loss"] >= LEAST).any():
            kind, position, role = (str(decisions[name].iloc[0]) for name in _KEYS)
            about = DecisionKind(kind), PositionClass(position), Role(role)
            norm = norms.find(kind, norms.usual_group) if PLAY_KINDS.get(position) == kind else None
            low, high = intervals[kind, position, role]
            counted = _summarize_errors(about, decisions, of_opponents.get(key), norm)
            found.append(counted._replace(low=low, high=high))
    return found


def _summarize_errors_of_kinds(
    own_decisions: pd.DataFrame,
    opponents_decisions: pd.DataFrame,
    norms: NormTable,
    kinds: tuple[DecisionKind, ...],
) -> Iterator[Mistakes]:
    """Yield a summary of the errors among a player's decisions of some kinds, in any position.

    The rates of the opponents' decisions and of the norms are added, to compare the player with.
    Nothing is yielded without an error.
    """
    decisions = own_decisions[own_decisions["decision_kind"].isin(kinds)]
    if (decisions["loss"] >= LEAST).any():
        about = kinds[0], PositionClass.OTHER, Role.BOTH
        name = NO_DOUBLES if kinds == _NO_DOUBLES else str(kinds[0])
        norm = norms.find(name, norms.usual_group)
        counted = _summarize_errors(
            about,
            decisions,
            opponents_decisions[opponents_decisions["decision_kind"].isin(kinds)],
            norm,
        )
        ((low, high),) = _estimate_intervals(decisions, ()).values()
        yield counted._replace(low=low, high=high)


def _summarize_errors(
    about: tuple[DecisionKind, PositionClass, Role],
    decisions: pd.DataFrame,
    opponents_decisions: pd.DataFrame | None,
    norm: Norm | None,
) -> Mistakes:
    """Return a summary of the errors among a player's decisions, beside the opponents' rate.

    `norm` is the usual rate, if it is known for these decisions. `about` has the kind of decision,
    the class of position, and the role: whether the plan that gives the class its name, such as an
    attack, is the player's, the opponent's or both sides'.
    """
    lost = decisions[decisions["loss"] >= LEAST].groupby(["match", "game"])["loss"].sum()
    of_matches = lost.groupby("match").sum()
    wrong = decisions[decisions["loss"] >= ERROR]
    in_slips = decisions.loc[decisions["loss"] > MAY_BE_SLIP, "loss"].sum()
    is_too_good = decisions["cube_error"].eq(CubeError.WRONG_ABOVE_TG)
    too_good = decisions.loc[is_too_good & (decisions["loss"] >= LEAST), "loss"].sum()
    return Mistakes(
        *about,
        len(wrong[["match", "game", "occasion"]].drop_duplicates()),
        len(wrong),
        len(wrong[["match", "game"]].drop_duplicates()),
        wrong["match"].nunique(),
        float(lost.sum()),
        float(lost.max() / lost.sum()),
        len(decisions),
        _compute_rate_of_opponents(opponents_decisions),
        None if norm is None else norm.rate,
        share_of_slips=float(in_slips / lost.sum()),
        share_too_good=float(too_good / lost.sum()),
        by_match=dict(of_matches),
        p_value=_test_difference(decisions, opponents_decisions),
    )


def _test_difference(decisions: pd.DataFrame, opponents_decisions: pd.DataFrame | None) -> float:
    """Return the p-value of the difference between the player's and the opponents' rates.

    It comes from the differences between matches with such decisions; NaN for few decisions.
    """
    if (
        opponents_decisions is None
        or min(len(decisions), len(opponents_decisions)) < FEWEST_COMPARED
    ):
        return math.nan
    rates = [_count_losses(rows).mean() for rows in (decisions, opponents_decisions)]
    own, theirs = (
        (_count_losses(rows) - rate).groupby(rows["match"]).sum() / len(rows)
        for rows, rate in zip((decisions, opponents_decisions), rates, strict=True)
    )
    # What each match adds to the difference of the two rates (linearized ratios), in EMG.
    added = own.sub(theirs, fill_value=0.0)
    added += (rates[0] - rates[1]) / len(added)
    return p_value_of_sum(added * len(decisions), len(added))


def _count_losses(decisions: pd.DataFrame) -> pd.Series:
    """Return the equity (EMG) lost by each decision; less than `LEAST` counts as 0."""
    return decisions["loss"].where(decisions["loss"] >= LEAST, 0.0)


def _estimate_intervals(
    decisions: pd.DataFrame, by: Sequence[str]
) -> dict[tuple[str, ...], tuple[float, float]]:
    """Return the 95 % interval of the equity (EMG) lost per 500 decisions, by the values of the columns `by`.

    Losses below `LEAST` count as 0.
    """
    losses = _count_losses(decisions)
    rows = add_number_columns(decisions, {"counted": losses.notna(), "lost": losses})
    figures = (rate("rate", "lost", "counted", "", factor=FACTOR),)
    return {
        tuple(str(row[name]) for name in by): (float(row["low"]), float(row["high"]))
        for row in estimate_figures(rows, figures, by).to_dict("records")
    }


def _compute_rate_of_opponents(decisions: pd.DataFrame | None) -> float | None:
    """Return the opponents' equity lost per 500 decisions, or None for few decisions."""
    if decisions is None or len(decisions) < FEWEST_COMPARED:
        return None
    return FACTOR * float(_count_losses(decisions).mean())


def _select_decisions(tables: AnalyzedTables) -> pd.DataFrame:
    """Return the decisions of GNU Backgammon's error rate whose class of position is known.

    The column `occasion` is the same for a run of decisions not to double.
    """
    rows = list_decisions_by_side(tables)
    rows = rows[rows["gnubg_counts"].eq(True) & rows["loss"].notna()]
    rows = rows[rows["position_class"].notna()]
    is_missed = rows["decision_kind"].isin(_NO_DOUBLES)
    run = count_doubles_before(tables, rows)
    is_late = is_missed & (rows["position_class"] == PositionClass.AFTER_CRAWFORD)
    below = DecisionKind.NO_DOUBLE_BELOW_CASH
    # An occasion is a run of decisions without a double, or any other decision.
    return rows.assign(
        occasion=(-run - 1).where(is_missed, rows["decision"]),
        decision_kind=rows["decision_kind"].astype(object).where(~is_late, below),
    )


def _describe_best_play(board: Board) -> BestPlay:
    """Return what the best play of a board does, beside the play that was made."""
    facts = dict(board.facts)
    return describe_best_play(facts["Better"], board.situation.position, facts["Played"])


def _name_anchor(board: Board) -> Board:
    """Return a board that also says whether the best play leaves or keeps the anchor."""
    return board._replace(facts=(("Lesson", _describe_best_play(board).anchor), *board.facts))


def _add_boards(mistakes: Mistakes, own: pd.DataFrame, tables: AnalyzedTables) -> Mistakes:
    """Return mistakes with boards of the costliest errors, their theme and their main opponent.

    The theme is the subject to study that fits most of their best plays; only errors that fit it
    are shown. `own` has all decisions of the player.
    """
    own = _leave_out(own, mistakes.apart)
    is_of_these = own["decision_kind"].isin(mistakes.kinds)
    if mistakes.position is not PositionClass.OTHER:
        is_of_these &= _is_of_class(own, mistakes)
    main_opponent = _find_main_opponent(own[is_of_these], own)
    errors = own[is_of_these & (own["loss"] >= ERROR)]
    theme = Theme()
    if mistakes.kind in PLAY_KINDS.values() and mistakes.position is not PositionClass.OTHER:
        best_plays = list(map(_describe_best_play, boards_of(errors, tables)))
        theme = find_theme(mistakes.position, mistakes.role, best_plays)
        errors = errors[list(theme.fitting)]
    costliest = (
        errors[errors["loss"] > LEAST_SHOWN]
        .sort_values("loss", ascending=False, kind="stable")
        .drop_duplicates("match")
    )
    boards = boards_of(costliest.head(MOST_SHOWN), tables)
    if (mistakes.position, mistakes.role) in WHO_LEAVES_FIRST and not theme.subject:
        boards = map(_name_anchor, boards)
    return mistakes._replace(
        boards=tuple(boards),
        theme=theme.subject,
        fitting=sum(theme.fitting) if theme.fitting else None,
        main_opponent=main_opponent,
    )


def _find_unnamed(
    contact: Sequence[Mistakes], own: pd.DataFrame, tables: AnalyzedTables, lost: float
) -> Mistakes | None:
    """Return the contact errors of no named class with the costliest boards, if they cost enough.

    `lost` is the equity (EMG) that all errors lost.
    """
    for mistakes in contact:
        if mistakes.position is PositionClass.OTHER and mistakes.lost >= LEAST_SHARE * lost:
            return _add_boards(mistakes, own[_is_of_class(own, mistakes)], tables)
    return None
