"""Cube habits in a profile: whether a player doubles too late, and takes too much."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.describe import ERROR, MAY_BE_SLIP
from bganalyze.app.render.document import Block, Cell, Grid, Note
from bganalyze.app.render.profile.figures import (
    HEADINGS,
    figure_cells,
    select_main_engine,
    to_rows,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.subjects import Subject
from bganalyze.statistics.reports.cube_habits import ABOUT as ABOUT_HABITS
from bganalyze.statistics.reports.cube_habits import (
    CASES,
    COMPARABLE,
    DOUBLING,
    HABITS,
    TAKING,
    CubeHabit,
)
from bganalyze.statistics.reports.figures import CALLED
from bganalyze.statistics.sureness import NOT_SHOWN, NOT_TESTED

COSTS = "lost by "
"""Beginning of the figures of cube habits that the table of points lost has in other units."""

HABIT_OF_KIND = {
    **dict.fromkeys((*KINDS_IN[NO_DOUBLES], DecisionKind.DOUBLE), DOUBLING),
    **dict.fromkeys((DecisionKind.TAKE, DecisionKind.PASS), TAKING),
}
"""The habit whose errors are of each kind of cube decision."""


def list_shown_habits(profile: PlayerProfile) -> Iterator[str]:
    """Yield the habits that a test shows, such as `more often double too late (sure)`."""
    for habit, _ in HABITS:
        called, _, sureness = _find_verdict(profile, habit).partition(", ")
        if sureness:
            yield f"{habit.verbs[habit.called.index(called)]} ({sureness})"


def compare_with_opposite(subject: Subject, profile: PlayerProfile) -> Iterator[str]:
    """Yield whether a cube error is more frequent than the opposite one; nothing for plays.

    A cost alone is easily taken for a habit: costly wrong takes, for somebody who takes too much.
    """
    habit = HABIT_OF_KIND.get(subject.kind) if subject.kind is not None else None
    if habit is not None:
        yield describe_habit(habit, _find_verdict(profile, habit))


def describe_habit(habit: CubeHabit, verdict: str) -> str:
    """Return a verdict on a habit in words.

    >>> describe_habit(TAKING, "more often takes wrongly, sure")
    'among decisions of equal cost you more often take wrongly (sure)'
    >>> describe_habit(DOUBLING, "may be chance")
    'whether you more often double too late or double too early: may be chance'
    """
    if verdict in NOT_SHOWN:
        first, second = habit.verbs
        return f"whether you {first} or {second.removeprefix('more often ')}: {verdict}"
    called, _, sureness = verdict.partition(", ")
    return (
        f"among decisions of equal cost you {habit.verbs[habit.called.index(called)]} ({sureness})"
    )


def _find_verdict(profile: PlayerProfile, habit: CubeHabit) -> str:
    """Return the verdict on a habit, such as `more often too late, sure` or `may be chance`."""
    sections = () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]
    for section in sections:
        if section.title == habit.title and len(section.frame):
            return _read_verdict(to_rows(select_main_engine(section.frame)))
    return NOT_TESTED


def _read_verdict(rows: Sequence[dict[str, object]]) -> str:
    """Return the verdict in the table of a habit, given by its `rows`."""
    return next((str(row[CALLED]) for row in rows if row.get(CALLED)), NOT_TESTED)


def answer_cube_questions(profile: PlayerProfile) -> Iterator[Block]:
    """Yield whether a player doubles too early or too late, and takes too much, with tables."""
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
            " was right, not the close decisions without a double counted above"
        )
        yield Note(
            f"{COMPARABLE}. So the verdict compares two errors of the player, not the player with the opponents. It is"
            " corrected for two questions, so an interval without 0 may still be chance"
        )
    for section in sections:
        rows = to_rows(select_main_engine(section.frame))
        yield Note(f"{section.title.lower()}: {'; '.join(_state_habit(section.title, rows))}")
        shown = (row for row in rows if not str(row["figure"]).startswith(COSTS))
        yield Grid("", HEADINGS, tuple(map(_habit_cells, shown)))
        yield from (Note(note) for note in section.notes if note not in told)


def _state_habit(title: str, rows: Sequence[dict[str, object]]) -> Iterator[str]:
    """Yield which of two opposite cube errors is made more often, and what both cost.

    `rows` are those of the table of the report `cube-habits` with this title. Which error is more
    frequent is known of decisions of equal cost alone, so the other may cost more; then the text says
    so.
    """
    called = _read_verdict(rows)
    yield (
        f"{called} (how often, among decisions of equal cost)"
        if called in NOT_SHOWN
        else f"among decisions of equal cost {called}"
    )
    habit = next(habit for habit, _ in HABITS if habit.title == title)
    lost = {str(row["figure"]): float(str(row["count"])) for row in rows}
    if not {*habit.loss_names, *habit.compared_loss_names} <= lost.keys():
        return
    names = zip(habit.errors, habit.loss_names, habit.compared_loss_names, strict=True)
    costs = [(errors, lost[name], lost[compared]) for errors, name, compared in names]
    (more, most, most_compared), (less, least, least_compared) = sorted(
        costs, key=lambda cost: -cost[1]
    )
    rarer = dict(zip(habit.called, reversed(habit.errors), strict=True))
    is_contrary = rarer.get(called.partition(", ")[0]) == more and most > least
    yield (
        f"{'but ' * is_contrary}{more} lost {most:.2f} EMG, {less} {least:.2f} EMG; left out of the comparison:"
        f" {most - most_compared:.2f} and {least - least_compared:.2f} EMG of it (clear decisions, losses above"
        f" {MAY_BE_SLIP} EMG, and decisions without an opposite one of equal cost)"
    )


def _habit_cells(row: dict[str, object]) -> tuple[Cell, ...]:
    """Return the table cells of a statistic of a cube habit."""
    *cells, of = figure_cells(row)
    cases = CASES.get(str(row["figure"]), "")
    return (*cells, Cell(f"{of.text} {cases}".strip()))
