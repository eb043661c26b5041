"""The report of cube habits: whether a player doubles too late, and takes too much."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from math import ceil
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from bganalyze.analysis.analyzed import CUBE
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import LEAST, MAY_BE_SLIP
from bganalyze.analysis.gnubg_statistics import CLOSE, CubeError
from bganalyze.statistics.estimates import (
    MeasuredFigures,
    correct_independent_p_values,
    p_value_of_differences,
    p_values_of_excess,
)
from bganalyze.statistics.reports.analyzed_counts import list_decisions_by_side, note_not_analyzed
from bganalyze.statistics.reports.figures import (
    CALLED,
    COLUMNS,
    PERCENTAGE_POINTS,
    Figure,
    Section,
    add_number_columns,
    chance,
    count,
    declare_report,
    estimate_figures,
    make_figure_section,
    mean,
    rate,
    select_rows_of_question,
    share,
)
from bganalyze.statistics.reports.question import Question, restrict_to_player
from bganalyze.statistics.sureness import (
    DEFINITION,
    FAIRLY_SURE,
    MAY_BE_CHANCE,
    NOT_SHOWN,
    NOT_TESTED,
    SURE,
    describe_differences,
    describe_sureness,
)
from bganalyze.statistics.tables.frames import AnalyzedTables
from bganalyze.text import number_of

BANDS = (0.02, 0.04, 0.08, 0.16, 0.32)
"""Limits (EMG) between decisions that count as equally costly. With these bands, simulated players
without a habit, on 9,060 real decisions, come out within 1 point of 0."""

QUESTIONS = 2
"""Questions asked: too late or too early, too many takes or passes. p-values are corrected for them."""

PER_GAMES = 100

WIDEST = 50.0
"""Widest interval (percentage points) with which opponents are said to show no habit."""


class CubeHabit(NamedTuple):
    """Two opposite errors with the cube, such as missed and early doubles, and words for them."""

    title: str
    """The title of the report's table."""
    first: str
    """The column of the first error: `missed`."""
    second: str
    """The column of the second error: `early`."""
    figure: str
    """The name of the statistic that compares how often both are made."""
    called: tuple[str, str]
    """Names of the habit of making one error more often, such as `more often too late`."""
    errors: tuple[str, str]
    """The errors in the plural: `missed doubles`, `early doubles`."""
    cases: tuple[str, str]
    """Words for the decisions in which each error is possible, after their number: `68 due`."""
    verbs: tuple[str, str]
    """What several players with the habit do, such as `more often double too late`."""

    @property
    def loss_names(self) -> tuple[str, str]:
        """The names of the two statistics that say what each error costs.

        >>> DOUBLING.loss_names[0]
        'lost by missed doubles (EMG per 100 games)'
        """
        first, second = (f"lost by {errors} (EMG per {PER_GAMES} games)" for errors in self.errors)
        return first, second

    @property
    def compared_errors(self) -> dict[str, str]:
        """The column of each error, by the name of its statistic on comparable decisions.

        Decisions are comparable if errors in them would cost about the same.

        >>> DOUBLING.compared_errors["missed doubles, comparable"]
        'missed'
        """
        figures = (f"{errors}, comparable" for errors in self.errors)
        return dict(zip(figures, (self.first, self.second), strict=True))

    @property
    def compared_loss_names(self) -> tuple[str, str]:
        """The names of the two statistics that say what each error costs in comparable decisions.

        Decisions are comparable if errors in them would cost about the same.

        >>> DOUBLING.compared_loss_names[0]
        'lost by missed doubles, comparable (EMG per 100 games)'
        """
        first, second = (
            f"lost by {errors}, comparable (EMG per {PER_GAMES} games)" for errors in self.errors
        )
        return first, second

    @property
    def compared_cases(self) -> dict[str, str]:
        """Words for the cases of each statistic on comparable decisions, after their number.

        >>> DOUBLING.compared_cases["missed doubles, comparable"]
        'due, weighted'
        """
        of_errors = dict(zip(self.compared_errors, self.cases, strict=True))
        cases = {**of_errors, self.figure: "in all"}
        return {figure: f"{words}, weighted" for figure, words in cases.items()}


DOUBLING = CubeHabit(
    "Doubling too late or too early",
    "missed",
    "early",
    f"missed minus early, comparable ({PERCENTAGE_POINTS})",
    ("more often too late", "more often too early"),
    ("missed doubles", "early doubles"),
    ("due", "not due"),
    ("more often double too late", "more often double too early"),
)
TAKING = CubeHabit(
    "Taking or passing too much",
    "wrong_take",
    "wrong_pass",
    f"wrong takes minus passes, comparable ({PERCENTAGE_POINTS})",
    ("more often takes wrongly", "more often passes wrongly"),
    ("wrong takes", "wrong passes"),
    ("to pass", "to take"),
    ("more often take wrongly", "more often pass wrongly"),
)


_COMPARABLE = "Among decisions in which either error would cost about as much, weighted"


def _make_habit_figures(habit: CubeHabit, meanings: tuple[str, str]) -> tuple[Figure, ...]:
    """Return the statistics on a cube habit: how frequent and how costly its two errors are.

    `meanings` explains each of the two frequencies in a few words.
    """
    weight = f"{habit.first}_weight"
    of_compared = "Equity lost by these errors among the comparable decisions"
    return (
        *(
            chance(figure, f"{name}_compared_rate", weight, f"{_COMPARABLE}: {about}.")
            for (figure, name), about in zip(habit.compared_errors.items(), meanings, strict=True)
        ),
        mean(
            habit.figure,
            f"{habit.first}_balance",
            weight,
            "The difference of the two rates above (risk difference by Mantel and Haenszel). 0 without a habit.",
            factor=100,
        ),
        *(
            rate(
                figure,
                f"{name}_lost",
                "games",
                f"Equity lost by {called}, per {PER_GAMES} games.",
                factor=PER_GAMES,
            )
            for name, called, figure in zip(
                (habit.first, habit.second), habit.errors, habit.loss_names, strict=True
            )
        ),
        *(
            rate(
                figure,
                f"{name}_compared_lost",
                "games",
                f"{of_compared}, without losses above {MAY_BE_SLIP} EMG, per {PER_GAMES} games.",
                factor=PER_GAMES,
            )
            for name, figure in zip(
                (habit.first, habit.second), habit.compared_loss_names, strict=True
            )
        ),
    )


DOUBLES = (
    count("doubles due", "due", "", "Positions in which a double was right."),
    share("missed doubles, any loss", "missed", "due", "Doubles not made, of the doubles due."),
    share(
        "early doubles, any loss",
        "early",
        "doubles",
        "Doubles before the doubling point, of the doubles.",
    ),
    share(
        "doubles when too good, any loss",
        "too_good",
        "doubles",
        "Doubles in positions too good to double, of the doubles; with the early ones, all wrong doubles.",
    ),
    *_make_habit_figures(
        DOUBLING,
        (
            "share of the right doubles that were missed",
            "share of the positions before the doubling point in which a double was made",
        ),
    ),
    rate(
        f"lost by doubles when too good (EMG per {PER_GAMES} games)",
        "too_good_lost",
        "games",
        f"Equity lost by doubles in positions too good to double, per {PER_GAMES} games.",
        factor=PER_GAMES,
    ),
)

ANSWERS = (
    count("doubles faced", "faced", "", "Doubles and redoubles that were taken or passed."),
    share(
        "wrong takes, any loss", "wrong_take", "takes", "Takes that should be passes, of the takes."
    ),
    share(
        "wrong passes, any loss",
        "wrong_pass",
        "passes",
        "Passes that should be takes, of the passes.",
    ),
    *_make_habit_figures(
        TAKING,
        ("share of the right passes that were taken", "share of the right takes that were passed"),
    ),
)

HABITS = ((DOUBLING, DOUBLES), (TAKING, ANSWERS))

_CASES = {"due": "due", "doubles": "made", "takes": "taken", "passes": "passed"}

CASES = {
    **{
        figure.name: _CASES[figure.below]
        for _, figures in HABITS
        for figure in figures
        if figure.below in _CASES
    },
    **DOUBLING.compared_cases,
    **TAKING.compared_cases,
}
"""Words for the decisions that each share of a cube habit counts, by figure: `68 due`, `35 made`."""


@declare_report({habit.title: figures for habit, figures in HABITS})
def yield_cube_habits_sections(tables: AnalyzedTables, question: Question) -> Iterator[Section]:
    """Yield the tables of the report `cube-habits`.

    Cube habits: whether a player doubles too late, and takes too much.

    A missed double is too late; a double before the doubling point is too early. A double in a
    position too good to double is neither. A game has more chances for one error than for the
    other, so the costs of the two errors cannot be compared. Instead, decisions are grouped by what
    an error in them would cost, and each group shows how often either error is made. The groups are
    averaged, weighted by their numbers of decisions. A player without a habit makes both errors
    equally often. A habit is named if two tests agree: one from the differences between matches,
    and the test of Mantel and Haenszel. Their larger p-value is corrected for the two questions and
    for the number of players or groups.
    """
    every = _mark_cube_errors(tables)
    rows = select_rows_of_question(every, question)
    by = [name for name in question.by if name in rows]
    notes: tuple[str, ...] = (*note_not_analyzed(restrict_to_player(tables, question)), ABOUT)
    others = None
    if (
        question.player is not None
        and question.opponent is None
        and set(by) <= {"player", "engine"}
    ):
        others = select_rows_of_question(every, Question(by=(), opponent=question.player))
    for habit, figures in HABITS:
        section, p_values = _estimate_habit(habit, figures, rows, by)
        remarks = [*_note_on_certainty(habit, section.frame, p_values)]
        if others is not None:
            remarks += _note_on_opponents(habit, section.frame, figures, others)
        yield section._replace(notes=(*notes, *section.notes, *remarks))
        notes = ()


COMPARABLE = (
    "comparable: decisions, right or wrong, are compared in groups in which an error would cost about as much"
    f" (below {', to '.join(f'{limit:g}' for limit in BANDS)} EMG, or more); a group counts"
    " by its number of decisions. So the rates, of doubles as of takes and passes, are weighted averages, not plain"
    " shares like those above; the last row, their difference, is 0 if both errors are equally frequent"
)
"""The meaning of the word `comparable` in the names of figures."""

ABOUT = (
    f"{COMPARABLE}. p-values are corrected for the two questions and for the number of players or groups in the table,"
    f" so an interval without 0 may still be chance. {DEFINITION}"
)


_ENDS = ("low", "high")


def _estimate_habit(
    habit: CubeHabit, figures: Sequence[Figure], rows: pd.DataFrame, group_columns: list[str]
) -> tuple[Section, npt.NDArray[np.float64]]:
    """Return a table of statistics on a cube habit, and the p-value of each group's balance.

    The balance is how much more often one error is made than the opposite one.
    """
    weighted = _add_balance_terms(habit, rows, group_columns)
    section = make_figure_section(habit.title, weighted, figures, group_columns)
    frame = _replace_weights_by_counts(habit, section.frame, weighted, group_columns)
    is_balance = frame["figure"] == habit.figure
    balances = frame[is_balance]
    p_values = _test_balances(habit, weighted, balances, group_columns)
    names = [str(name) for name in np.where(balances["value"] > 0, *habit.called)]
    called = pd.Series("", index=frame.index)
    called[is_balance] = describe_differences(names, p_values)
    ends = {name: frame[name].where(~is_balance, frame[name].clip(-100, 100)) for name in _ENDS}
    dimensions = [str(name) for name in frame if name not in COLUMNS]
    frame = frame.assign(**ends, **{CALLED: called})[[*dimensions, CALLED, *COLUMNS]]
    return section._replace(frame=frame), p_values


def _replace_weights_by_counts(
    habit: CubeHabit, frame: pd.DataFrame, rows: pd.DataFrame, group_columns: list[str]
) -> pd.DataFrame:
    """Return a habit's statistics with numbers of decisions in place of sums of weights.

    `frame` has the statistics, `rows` the weighted decisions.
    """
    of, count = frame["of"].copy(), frame["count"].copy()
    compared = {
        figure: _sum_column(habit, f"{name}_compared", rows, group_columns)
        for figure, name in habit.compared_errors.items()
    }
    first, second = compared.values()
    factors = {habit.figure: 100}
    for figure, number in {**compared, habit.figure: first + second}.items():
        is_figure = frame["figure"] == figure
        of[is_figure] = number.astype(int)
        count[is_figure] = frame.loc[is_figure, "value"] / factors.get(figure, 1) * number
    return frame.assign(of=of, count=count)


def _mark_cube_errors(tables: AnalyzedTables) -> pd.DataFrame:
    """Return decisions with columns such as `missed` (1 for a missed double) and `missed_lost`."""
    rows = list_decisions_by_side(tables)
    counts = rows["gnubg_counts"].eq(True) & rows["kind"].isin(CUBE)
    kind, error, loss = rows["kind"], rows["cube_error"], rows["loss"].fillna(0.0)
    doubling = counts & kind.isin([Kind.DOUBLE, Kind.NO_DOUBLE])
    answer = counts & kind.isin([Kind.TAKE, Kind.PASS])
    gain = rows[["take", "passed"]].min(axis=1, skipna=False) - rows["no_double"]
    too_good = (gain < 0) & (rows["no_double"] > rows["passed"])
    is_missed = error.isin([CubeError.MISSED_BELOW_CP, CubeError.MISSED_ABOVE_CP])
    errors = {
        "missed": doubling & is_missed,
        "early": doubling & (error == CubeError.WRONG_BELOW_DP),
        "too_good": doubling & (error == CubeError.WRONG_ABOVE_TG),
        "wrong_take": answer & (error == CubeError.WRONG_TAKE),
        "wrong_pass": answer & (error == CubeError.WRONG_PASS),
    }
    made = doubling & (kind == Kind.DOUBLE)
    sums = {
        "due": (made & error.isna()) | errors["missed"],
        "doubles": made,
        "faced": answer,
        "takes": answer & (kind == Kind.TAKE),
        "passes": answer & (kind == Kind.PASS),
        "games": ~rows.duplicated(["match", "game", "player"]),
        **errors,
        **{f"{name}_lost": loss.where(which, 0.0) for name, which in errors.items()},
    }
    close = gain.abs() < CLOSE
    too_much = rows["take"] - rows["passed"]
    sides = {
        "missed_side": _find_possible_error(gain, doubling & close & ~too_good),
        "wrong_take_side": _find_possible_error(too_much, answer),
        "missed_band": pd.Series(np.searchsorted(BANDS, gain.abs(), "right"), rows.index),
        "wrong_take_band": pd.Series(np.searchsorted(BANDS, too_much.abs(), "right"), rows.index),
    }
    # A column such as `missed_side` is 1 if the error was possible, 2 if its opposite was.
    return add_number_columns(rows, sums | sides)


def _find_possible_error(gain: pd.Series, is_counted: pd.Series) -> pd.Series:
    """Return which error each decision allows: 1 for not doubling or passing, 2 for doing so.

    `gain` is the equity gained by doubling or passing. 0 stands for decisions that are not counted,
    or that matter less than `LEAST`.
    """
    compared = is_counted & (gain.abs() >= LEAST)
    return pd.Series(np.where(compared, np.where(gain > 0, 1, 2), 0), gain.index)


def _add_balance_terms(
    habit: CubeHabit, rows: pd.DataFrame, group_columns: list[str]
) -> pd.DataFrame:
    """Add to each decision its part in a habit's balance, in columns such as `missed_balance`.

    The balance says how much more often one error is made than the opposite error, among decisions
    in which either would cost about as much.
    """
    # The balance is a risk difference by Mantel and Haenszel, within bands of decisions that cost
    # about the same. A band with m
    # decisions that allow the one error, and n that allow the other, has the weight m n / (m + n).
    # The rates have the same weights. The terms are linearized, so that their variation between
    # matches gives the variance of each rate and of the difference.
    side = rows[f"{habit.first}_side"]
    wrong = (rows[habit.first] + rows[habit.second]).where(side > 0, 0.0)
    groups = [rows[name] for name in group_columns] or [pd.Series(0, rows.index)]
    bands = [*groups, rows[f"{habit.first}_band"]]
    is_side = (side == 1, side == 2)
    first, second, first_wrong, second_wrong = _sum_by_keys(
        bands, *is_side, *(wrong.where(one, 0.0) for one in is_side)
    )
    size, errors = first + second, first_wrong + second_wrong
    is_compared = (side > 0).to_numpy() & (first > 0) & (second > 0)
    size = np.where(is_compared, size, 2.0)
    weight = np.where(is_compared, np.where(side == 1, second, first) / size, 0.0)
    variance = first * second * errors * (size - errors) / (size**3 * (size - 1))
    (whole,) = _sum_by_keys(groups, pd.Series(weight / 2, rows.index))
    terms = {
        f"{habit.first}_weight": pd.Series(weight / 2, rows.index),
        f"{habit.first}_variance": pd.Series(variance, rows.index),
    }
    for name, is_possible, number, number_wrong in (
        (habit.first, is_side[0], first, first_wrong),
        (habit.second, is_side[1], second, second_wrong),
    ):
        in_band = number_wrong / np.maximum(number, 1.0)
        (total,) = _sum_by_keys(groups, (weight * wrong).where(is_possible, 0.0))
        overall = total / np.where(whole > 0, whole, 1.0)
        own = (weight * (wrong - in_band)).where(is_possible, 0.0)
        terms[f"{name}_compared"] = is_possible.astype(float)
        terms[f"{name}_compared_rate"] = (
            own + weight**2 * (in_band - overall) + overall * weight / 2
        )
        lost = rows[f"{name}_lost"]
        terms[f"{name}_compared_lost"] = lost.where(is_possible & (lost <= MAY_BE_SLIP), 0.0)
    one, other = (terms[f"{name}_compared_rate"] for name in (habit.first, habit.second))
    terms[f"{habit.first}_balance"] = one - other
    return add_number_columns(
        rows, {name: term.where(is_compared, 0.0) for name, term in terms.items()}
    )


def _sum_by_keys(keys: Sequence[pd.Series], *columns: pd.Series) -> npt.NDArray[np.float64]:
    """Return for each row the sum of each column over all rows with the same `keys`."""
    table = pd.DataFrame(dict(enumerate(columns)), dtype=float)
    grouped = table.groupby(list(keys), observed=True, dropna=False)
    return np.asarray(grouped.transform("sum").T.to_numpy(dtype=float))


def _sum_column(
    habit: CubeHabit, column: str, rows: pd.DataFrame, group_columns: list[str]
) -> npt.NDArray[np.float64]:
    """Sum up a column such as `missed_balance`, made by `_add_balance_terms`, in each group."""
    figure = rate(column, column, f"{habit.first}_weight", "")
    return np.asarray(estimate_figures(rows, (figure,), group_columns)["count"], dtype=float)


def _test_balances(
    habit: CubeHabit, rows: pd.DataFrame, balances: pd.DataFrame, group_columns: list[str]
) -> npt.NDArray[np.float64]:
    """Test for each group whether the habit's two errors differ in frequency; return p-values.

    `rows` are the decisions, `balances` the balance of each group with its interval. NaN stands for
    too few matches.
    """
    own = MeasuredFigures(
        *(balances[name].to_numpy(dtype=float) for name in MeasuredFigures._fields)
    )
    zero = np.zeros(len(balances))
    by_match = p_value_of_differences(own, MeasuredFigures(zero, zero, zero, own.matches))
    excess, variances = (
        _sum_column(habit, f"{habit.first}_{term}", rows, group_columns)
        for term in ("balance", "variance")
    )
    by_decision = p_values_of_excess(excess, variances)
    is_untested = np.isnan(by_match)
    p_values = np.maximum(np.where(is_untested, 1.0, by_match), by_decision)
    corrected = np.array(correct_independent_p_values(p_values.tolist()))
    return np.where(is_untested, np.nan, np.minimum(QUESTIONS * corrected, 1.0))


def _note_on_certainty(
    habit: CubeHabit, frame: pd.DataFrame, p_values: npt.NDArray[np.float64]
) -> Iterator[str]:
    """Yield a note on how certain a single group's habit is, or how many games would show it."""
    balances = frame[frame["figure"] == habit.figure]
    if len(balances) != 1:
        return
    (p_value,), (called,) = p_values, balances[CALLED]
    games = int(frame.loc[frame["figure"].str.startswith("lost by"), "of"].max())
    first, second = habit.errors
    words = f"{first} against {second} that cost as much, in {number_of(games, 'game')}: {called}"
    if called != NOT_TESTED:
        words += f" (corrected p {write_p_value(p_value)})"
    distance = _convert_to_standard_errors(p_value) if 0 < p_value < 1 else 0.0
    if called == MAY_BE_CHANCE and distance:
        needed = games * (_convert_to_standard_errors(FAIRLY_SURE) / distance) ** 2
        words += f"; if the difference stays as large, about {round_up_to_two_digits(needed):,} games in all would make it fairly sure"
    yield words


_NORMAL = NormalDist()


def _convert_to_standard_errors(corrected: float) -> float:
    """Convert a corrected p-value to a distance from 0 in standard errors.

    The correction multiplied the p-value by `QUESTIONS` (2).

    >>> round(_convert_to_standard_errors(0.05), 2)
    2.24
    """
    return -_NORMAL.inv_cdf(corrected / QUESTIONS / 2)


def round_up_to_two_digits(number: float) -> int:
    """Return a number rounded up to two significant digits.

    >>> [round_up_to_two_digits(number) for number in (1234.5, 7.2)]
    [1300, 8]
    """
    unit = int("1".ljust(len(str(int(number))) - 1, "0"))
    return ceil(number / unit) * unit


def write_p_value(value: float) -> str:
    """Return a p-value as text with three decimals, or with four close to 0.01.

    >>> write_p_value(0.0214), write_p_value(0.01023), write_p_value(2e-7)
    ('0.021', '0.0102', 'below 0.001')
    """
    if value < 0.001:
        return "below 0.001"
    return f"{value:.4f}" if value < 2 * SURE else f"{value:.3f}"


def _note_on_opponents(
    habit: CubeHabit, own: pd.DataFrame, figures: Sequence[Figure], rows: pd.DataFrame
) -> Iterator[str]:
    """Yield a note that compares a player's habit with the opponents' habit.

    `own` are the player's statistics; `figures` are computed from the opponents' decisions in
    `rows`.
    """
    balances = own[own["figure"] == habit.figure]
    frame = _estimate_habit(habit, figures, rows, [])[0].frame
    for theirs in frame[frame["figure"] == habit.figure].to_dict("records"):
        if len(balances) == 1 and not np.isnan(theirs["low"]):
            called, value = balances[CALLED].iloc[0], balances["value"].iloc[0]
            sureness = compare_balances(balances.iloc[0], theirs)
            yield compare_with_opponents(habit, str(called), float(value), theirs, sureness)


def compare_balances(own: Mapping[Any, Any], theirs: Mapping[Any, Any]) -> str:
    """Return how certain it is that a player and the opponents differ in a cube habit, in words.

    `own` and `theirs` have the balance of each, its interval and the number of matches.

    >>> rows = [{"value": value, "low": value - 10, "high": value + 10, "matches": 40} for value in (38.0, 56.0)]
    >>> compare_balances(*rows), compare_balances(rows[0], rows[0])
    ('fairly sure', 'may be chance')
    """
    own_and_theirs = (
        MeasuredFigures(*(np.array([float(row[name])]) for name in MeasuredFigures._fields))
        for row in (own, theirs)
    )
    (p_value,) = p_value_of_differences(*own_and_theirs)
    return describe_sureness(QUESTIONS * float(p_value))


def compare_with_opponents(
    habit: CubeHabit,
    habit_name: str,
    balance: float,
    of_opponents: dict[Hashable, Any],
    sureness: str = NOT_TESTED,
) -> str:
    """Return a sentence that compares a player's cube habit with the opponents' habit.

    `habit_name` and `balance` (in percentage points) are the player's. `of_opponents` has the
    opponents' habit, balance and interval. `sureness` says how certain the difference is.

    >>> wide = {CALLED: MAY_BE_CHANCE, "value": 67.0, "low": -43.1, "high": 100.0}
    >>> compare_with_opponents(DOUBLING, "more often too late, sure", 43.0, wide)
    'the opponents in the same matches: too few data to say'
    """
    name, _, of_habit = str(of_opponents[CALLED]).partition(", ")
    if name in NOT_SHOWN:
        if name == NOT_TESTED or of_opponents["high"] - of_opponents["low"] > WIDEST:
            return "the opponents in the same matches: too few data to say"
        words = "the opponents in the same matches show no habit"
    else:
        verb = dict(zip(habit.called, habit.verbs, strict=True))[name]
        also = " as well" if name == habit_name.partition(", ")[0] else ""
        words = f"the opponents in the same matches {verb}{also}, {of_habit}"
    theirs, low, high = (f"{of_opponents[end]:z.1f}" for end in ("value", "low", "high"))
    return (
        f"{words}: {theirs} {PERCENTAGE_POINTS} ({low} to {high}) against the player's {balance:z.1f}"
        f" (the difference between them: {sureness})"
    )
