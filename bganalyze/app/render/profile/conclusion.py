"""The conclusion of a profile in a few sentences: costs, certain differences, and what to study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.app.render.document import Block, Note
from bganalyze.app.render.profile.figures import name_habit
from bganalyze.app.render.profile.mistakes import share_of_one_game_in_words
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import (
    LEAST_SHARE,
    MUCH_OF_ONE_GAME,
    Mistakes,
    Study,
)
from bganalyze.statistics.reports.cube_habits import NOT_SURE
from bganalyze.text import number_of

MOST_NAMED = 3
"""Kinds of decision that a sentence names at most."""


class HabitWords(NamedTuple):
    """A cube habit in words, and what to study against it."""

    said: str
    study: str
    kinds: tuple[DecisionKind, ...]
    """The kinds of decision in which it costs."""


HABITS = {
    "too late": HabitWords(
        "doubles too late more often than too early", "doubling earlier", KINDS_IN[NO_DOUBLES]
    ),
    "too early": HabitWords(
        "doubles too early more often than too late", "doubling later", (DecisionKind.DOUBLE,)
    ),
    "takes too much": HabitWords(
        "takes wrongly more often than passes wrongly",
        "which doubles to pass",
        (DecisionKind.TAKE,),
    ),
    "passes too much": HabitWords(
        "passes wrongly more often than takes wrongly",
        "which doubles to take",
        (DecisionKind.PASS,),
    ),
}
"""The cube habits that the report on them can name."""


def conclude(profile: PlayerProfile) -> Iterator[Block]:
    """Yield notes: what costs most, where the player is surely worse or better than the opponents, what to study."""
    habits = tuple(find_habits(profile))
    if profile.kinds:
        said = (
            costs_in_words(profile.kinds),
            differences_in_words(profile.kinds),
            habits_in_words(habits),
        )
        yield Note(" ".join(filter(None, said)))
    if profile.study is not None and profile.cost is not None:
        first = habit_to_study(habits, profile.kinds)
        yield Note(study_in_words(profile.study, profile.cost.lost, first))


def costs_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return a sentence with the two costliest kinds of decision and their shares of the loss.

    An example is `Costliest: takes, 30 % of the loss in 5 % of the decisions (6.0 times the average).`
    """
    total = sum_costs(kinds)
    first, *others = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} % of the loss in"
        f" {100 * loss.share_of_decisions:.0f} % of the decisions"
        f" ({loss.cost.rate.value / total:.1f} times the average)"
        for loss in kinds[:2]
    )
    return f"Costliest: {first}{''.join(f'; then {other}' for other in others)}."


def differences_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return sentences on the kinds of decision in which the player is surely worse or better than opponents.

    An example is `Worse than the opponents, fairly sure: wrong takes.` The last sentence has the number of
    kinds in which no difference is sure.
    """
    sure = [loss for loss in kinds if loss.cost.is_sure]
    worse = [loss for loss in sure if loss.cost.is_worse]
    better = [loss for loss in sure if not loss.cost.is_worse]
    said = [
        f"{called} than the opponents, fairly sure: {_list_kinds(found)}."
        for called, found in (("Worse", worse), ("Better", better))
        if found
    ]
    unknown = len(kinds) - len(sure)
    if unknown:
        where = f"In {number_of(unknown, 'other kind')} it is not" if sure else "In no kind is it"
        said.append(
            f"{where} known who loses more, the player or the opponents: too few decisions."
        )
    return " ".join(said)


def _list_kinds(kinds: Sequence[KindLoss]) -> str:
    """Return the names of at most three kinds of decision, and the number of others: `…, and 2 more`."""
    named = [loss.label for loss in kinds[:MOST_NAMED]]
    others = len(kinds) - len(named)
    return ", ".join([*named, *([f"and {others} more"] if others else [])])


def find_habits(profile: PlayerProfile) -> Iterator[str]:
    """Yield each cube habit that statistics show, such as `too late` (doubling too late rather than too early)."""
    sections = () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]
    yield from (habit for habit in map(name_habit, sections) if habit not in ("", NOT_SURE))


def habits_in_words(habits: Iterable[str]) -> str:
    """Return the cube habits that are certain as a sentence, or an empty text.

    A habit is certain if errors of one sort (doubling too late) outnumber errors of the opposite
    sort (too early) beyond chance.

    >>> habits_in_words(["too late"])
    'Sure: doubles too late more often than too early.'
    """
    said = [HABITS[habit].said for habit in habits]
    return f"Sure: {', '.join(said)}." if said else ""


class HabitToStudy(NamedTuple):
    """The cube habit to study first, and the kinds of decision that it concerns."""

    said: str
    """The subject, with its share of the loss."""
    kinds: tuple[DecisionKind, ...]
    """The kinds of decision in which the habit costs."""


def habit_to_study(habits: Iterable[str], kinds: Sequence[KindLoss]) -> HabitToStudy | None:
    """Return what to study against the first of the certain cube `habits` that costs enough, or None.

    It must cause at least `LEAST_SHARE` (2 %) of the loss. `kinds` are sorted by cost; if another kind of
    decision costs most, the text says why it is not studied first.
    """
    total = sum_costs(kinds)
    for habit in map(HABITS.__getitem__, habits):
        share = sum(loss.share.value for loss in kinds if loss.kind in habit.kinds) / total
        if share >= LEAST_SHARE:
            return HabitToStudy(
                f"{habit.study} (a sure habit, in errors that are {100 * share:.0f} % of the loss)"
                f"{_why_not_costliest(habit, kinds[0])}",
                habit.kinds,
            )
    return None


def _why_not_costliest(habit: HabitWords, costliest: KindLoss) -> str:
    """Return why the costliest kind of decision is not studied before a habit, after a comma, or ""."""
    is_known_worse = costliest.cost.is_sure and costliest.cost.is_worse
    if costliest.kind in habit.kinds or is_known_worse:
        return ""
    return f", before {costliest.label}: costliest, but not shown to be worse than the opponents'"


def study_in_words(study: Study, lost: float, habit: HabitToStudy | None = None) -> str:
    """Return what to study first, then the costliest run of errors in a single game.

    `lost` is the equity (EMG) lost by all errors. If `habit` is given, it is named first, then a
    recurring mistake, if possible in other decisions.
    """
    subjects = find_subjects(study.recurring, lost)
    if habit is not None:
        others = [one for one in subjects if one.kind not in habit.kinds]
        said = [f"Study first: {habit.said}."]
        for one in (others or subjects)[:1]:
            begin = "Then" if others else "Of these errors"
            said.append(f"{begin}, not sure: {_subject_in_words(one, lost)}")
    elif subjects:
        said = [f"Study first: {_subject_in_words(subjects[0], lost)}"]
    else:
        said = [_no_subject_in_words(study.recurring)]
    one_game = study.oversight
    if one_game is not None:
        said.append(
            f"One game alone cost {one_game.share_of_one_game * one_game.lost:.2f} of {lost:.2f} EMG, by"
            f' {one_game.name}; see "How these mistakes were chosen".'
        )
    return " ".join(said)


def find_subjects(recurring: Iterable[Mistakes], lost: float) -> list[Mistakes]:
    """Return the recurring mistakes worth studying, the first subject first.

    Each costs `LEAST_SHARE` of the loss, and more than it would at the opponents' error rate. Those
    that lost more than `MUCH_OF_ONE_GAME` of their cost in one game come last.
    """
    subjects = (
        one
        for one in recurring
        if (one.excess is None or one.excess > 0) and one.lost >= LEAST_SHARE * lost
    )
    return sorted(subjects, key=lambda one: one.share_of_one_game > MUCH_OF_ONE_GAME)


def _subject_in_words(mistakes: Mistakes, lost: float) -> str:
    """Return what to study against a recurring mistake, with numbers in parentheses.

    They are the errors and matches, and the share of `lost`, the equity lost by all errors.
    """
    more = "" if mistakes.excess is None else "more than at the opponents' rate, "
    return (
        f"{mistakes.study} ({number_of(mistakes.errors, 'error')} in"
        f" {number_of(mistakes.matches, 'match')}, {100 * mistakes.lost / lost:.0f} % of the"
        f" loss{share_of_one_game_in_words(mistakes)}; {more}not tested)."
    )


def _no_subject_in_words(recurring: Sequence[Mistakes]) -> str:
    """Return a sentence for a profile without a mistake to study: `No mistake recurs often enough …`."""
    if not recurring:
        return "No mistake recurs often enough to name a subject."
    return (
        f"No recurring mistake stands out: each costs less than {100 * LEAST_SHARE:.0f} % of the loss,"
        " or no more than the opponents'."
    )
