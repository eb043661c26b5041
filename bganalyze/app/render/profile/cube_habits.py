"""Cube habits in a profile: whether a player doubles too late, and takes too much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.describe import ERROR, MAY_BE_SLIP
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.profile.figures import (
    HEADINGS,
    make_statistic_cells,
    select_main_engine,
    to_rows,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.recurring import Study
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.answer import ReportAnswer
from bganalyze.statistics.reports.cube_habits import ABOUT as ABOUT_HABITS
from bganalyze.statistics.reports.cube_habits import (
    CASES,
    COMPARABLE,
    DOUBLING,
    HABITS,
    TAKING,
    CubeHabit,
    compare_balances,
)
from bganalyze.statistics.reports.figures import CALLED
from bganalyze.statistics.sureness import NOT_SHOWN, NOT_TESTED
from bganalyze.text import capitalize_first

AT_EQUAL_COST = "where either error would cost about the same, you"
"""Beginning of a sentence on a habit: only comparable decisions show which error is the more frequent."""

COSTS = "lost by "
"""Beginning of the figures of cube habits that the table of points lost has in other units."""

HABIT_OF_KIND = {
    **dict.fromkeys((*KINDS_IN[NO_DOUBLES], DecisionKind.DOUBLE), DOUBLING),
    **dict.fromkeys((DecisionKind.TAKE, DecisionKind.PASS), TAKING),
}
"""The habit whose errors are of each kind of cube decision."""


class StatedHabit(NamedTuple):
    """A habit with the cube, such as doubling too late, and how sure it is."""

    habit: CubeHabit
    verdict: str
    """Such as `more often too late, sure`, or `may be chance`."""
    costs: tuple[float, float] | None = None
    """The equity (EMG) lost by the first and by the second of the two opposite errors."""
    compared_costs: tuple[float, float] = (0.0, 0.0)
    """The parts of these costs in comparable decisions."""
    balance: Mapping[str, object] | None = None
    """How much more often the first error is made: the row of the table with value and interval."""
    of_opponents: StatedHabit | None = None
    """The same of the opponents in the same matches."""

    @property
    def is_shown(self) -> bool:
        """Whether a statistical test shows the habit."""
        return self.verdict not in NOT_SHOWN

    @property
    def called(self) -> str:
        """The habit in a few words, such as `more often too late`."""
        return self.verdict.partition(", ")[0]

    @property
    def verb(self) -> str:
        """The habit with its verb, such as `more often double too late than too early`."""
        frequent = self.frequent
        rarer = self.habit.verbs[1 - frequent].removeprefix("more often ").removeprefix("double ")
        return f"{self.habit.verbs[frequent]} than {rarer}"

    @property
    def frequent(self) -> int:
        """The index of the more frequent of two opposite errors, 0 or 1."""
        return self.habit.called.index(self.called)

    @property
    def sureness(self) -> str:
        """How sure the habit is, such as `fairly sure`."""
        return self.verdict.partition(", ")[2]

    @property
    def are_rarer_errors_costlier(self) -> bool:
        """Whether the less frequent of two opposite errors costs more in all."""
        if self.costs is None or not self.is_shown:
            return False
        return self.costs[1 - self.frequent] > self.costs[self.frequent]

    @property
    def rarer_errors(self) -> str:
        """The less frequent of two opposite errors, such as `early doubles`."""
        return self.habit.errors[1 - self.frequent]


def summarize_habits(profile: PlayerProfile) -> Iterator[str]:
    """Yield one sentence on the cube habits that a test shows; nothing if there are none."""
    shown = [one for one in list_habits(profile) if one.is_shown]
    if shown:
        stated = "; you ".join(_shorten_habit(one) + _add_cost(one, profile.study) for one in shown)
        yield f"{capitalize_first(AT_EQUAL_COST)} {stated}."


def _add_cost(stated: StatedHabit, study: Study | None) -> str:
    """Return words on what the more frequent errors of a habit cost; "" if unknown."""
    if stated.costs is None or study is None or not study.lost:
        return ""
    lost = stated.costs[stated.frequent]
    share = f"{100 * lost / study.lost:.0f} % of the {'whole ' * study.has_costly_resignations}loss"
    return f": {stated.habit.errors[stated.frequent]} cost {lost:.2f} EMG, {share}"


def _shorten_habit(stated: StatedHabit) -> str:
    """Return a habit in a few words, and how sure it is.

    >>> _shorten_habit(StatedHabit(DOUBLING, "more often too late, sure", (1.0, 2.0)))
    'more often double too late than too early (sure; but early doubles cost more)'
    """
    said = [
        stated.sureness,
        *_compare_with_opponents(stated),
        *([f"but {stated.rarer_errors} cost more"] if stated.are_rarer_errors_costlier else []),
    ]
    return f"{stated.verb} ({'; '.join(said)})"


def _compare_with_opponents(stated: StatedHabit) -> Iterator[str]:
    """If the opponents have the same habit as the player, yield words that say so."""
    theirs = stated.of_opponents
    if theirs is None or theirs.called != stated.called:
        return
    sureness = NOT_TESTED
    if stated.balance is not None and theirs.balance is not None:
        sureness = compare_balances(stated.balance, theirs.balance)
        is_stronger = _measure_imbalance(theirs.balance) > _measure_imbalance(stated.balance)
    if sureness in NOT_SHOWN:
        yield "so do the opponents"
    else:
        yield f"the opponents do so {'more' if is_stronger else 'less'}, {sureness}"


def _measure_imbalance(balance: Mapping[str, object]) -> float:
    """Return how much the frequencies of two opposite errors differ, at least 0."""
    return abs(float(str(balance["value"])))


def compare_with_opposite(subject: Subject, profile: PlayerProfile) -> Iterator[str]:
    """Yield words on whether the player makes a cube error more often than the opposite one."""
    # A cost alone is easily taken for a habit: costly wrong takes, for somebody who takes too much.
    habit = HABIT_OF_KIND.get(subject.kind) if subject.kind is not None else None
    if habit is not None:
        found = (one for one in list_habits(profile) if one.habit == habit)
        yield describe_habit(next(found, StatedHabit(habit, NOT_TESTED)))


def describe_habit(stated: StatedHabit) -> str:
    """Return a sentence on a habit, with how sure it is.

    >>> describe_habit(StatedHabit(DOUBLING, "may be chance"))
    'whether you more often double too late or double too early: may be chance'
    """
    if stated.is_shown:
        return f"{AT_EQUAL_COST} {_shorten_habit(stated)}"
    first, second = stated.habit.verbs
    return f"whether you {first} or {second.removeprefix('more often ')}: {stated.verdict}"


def list_habits(profile: PlayerProfile) -> list[StatedHabit]:
    """Return the player's cube habits, each with the opponents' if that is known."""
    theirs = {one.habit.title: one for one in _read_habits(profile.opponents_habits)}
    return [
        one._replace(of_opponents=theirs.get(one.habit.title))
        for one in _read_habits(profile.analyzed)
    ]


def _read_habits(answer: ReportAnswer | None) -> Iterator[StatedHabit]:
    """Yield the cube habits that a report states; yield nothing if `answer` is None."""
    habits = {habit.title: habit for habit, _ in HABITS}
    for section in () if answer is None else answer.reports["cube-habits"]:
        if len(section.frame):
            rows = to_rows(select_main_engine(section.frame))
            yield _read_habit(habits[section.title], rows)


def _read_habit(habit: CubeHabit, rows: Sequence[dict[str, object]]) -> StatedHabit:
    """Return a cube habit from the rows of its table in the report."""
    verdict = next((str(row[CALLED]) for row in rows if row.get(CALLED)), NOT_TESTED)
    balance = next((row for row in rows if row["figure"] == habit.figure), None)
    lost = {str(row["figure"]): float(str(row["count"])) for row in rows}
    if not {*habit.loss_names, *habit.compared_loss_names} <= lost.keys():
        return StatedHabit(habit, verdict, balance=balance)
    costs, compared = (
        (lost[first], lost[second])
        for first, second in (habit.loss_names, habit.compared_loss_names)
    )
    return StatedHabit(habit, verdict, costs, compared, balance)


def answer_cube_questions(profile: PlayerProfile) -> Iterator[Block]:
    """Yield tables that answer whether a player doubles too late, and takes too much."""
    if profile.analyzed is None:
        return
    told = {ABOUT_HABITS, *(left_out.words for left_out in profile.left_out)}
    sections = [
        section for section in profile.analyzed.reports["cube-habits"] if len(section.frame)
    ]
    if sections:
        yield Note(
            f"any loss: also losses below {ERROR} EMG, so more errors than above; missed doubles: double/take and"
            " double/pass; wrong doubles: early doubles and doubles when too good; doubles due: decisions in which doubling"
            " was right, not the close decisions without a double counted above; a double missed in several turns is due in each"
        )
        yield Note(
            f"{COMPARABLE}. So the verdict compares two errors of the player, not the player with the opponents. It is"
            " corrected for two questions, so an interval without 0 may still be chance"
        )
    for section, stated in zip(sections, list_habits(profile), strict=True):
        yield Note(f"{section.title.lower()}: {'; '.join(_state_habit(stated))}")
        rows = to_rows(select_main_engine(section.frame))
        shown = (row for row in rows if not str(row["figure"]).startswith(COSTS))
        yield Grid("", HEADINGS, tuple(map(_habit_cells, shown)))
        yield from (Note(note) for note in section.notes if note not in told)


def _state_habit(stated: StatedHabit) -> Iterator[str]:
    """Yield phrases: which of two opposite errors is more frequent, then what both cost.

    If the rarer errors cost more, the second phrase begins with `but`.
    """
    yield (
        f"in comparable decisions {stated.verdict}"
        if stated.is_shown
        else f"{stated.verdict} (how often, in comparable decisions)"
    )
    if stated.costs is None:
        return
    costs = zip(stated.habit.errors, stated.costs, stated.compared_costs, strict=True)
    more, less = sorted(costs, key=lambda cost: -cost[1])
    lost = ", ".join(f"{errors} lost {cost:.2f} EMG" for errors, cost, _ in (more, less))
    yield f"{'but ' * stated.are_rarer_errors_costlier}{lost}"
    yield (
        f"{more[2]:.2f} and {less[2]:.2f} EMG of these in comparable decisions, apart from losses above"
        f" {MAY_BE_SLIP} EMG"
    )


def _habit_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the table cells of a statistic on a cube habit."""
    *cells, of = make_statistic_cells(row)
    cases = CASES.get(str(row["figure"]), "")
    return (*cells, Cell(f"{of.text} {cases}".strip()))
