"""The conclusion of a profile in a few sentences: costs, certain differences, and what to study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.app.render.document import Block, Note
from bganalyze.app.render.profile.figures import name_habit
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import LEAST_SHARE, Mistakes, Study
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
    """Return the costliest kind of decision, and the next, with their percentages of the loss."""
    total = sum_costs(kinds)
    first, *others = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} % of the loss in"
        f" {100 * loss.share_of_decisions:.0f} % of the decisions"
        f" ({loss.cost.rate.value / total:.1f} times the average)"
        for loss in kinds[:2]
    )
    return f"Costliest: {first}{''.join(f'; then {other}' for other in others)}."


def differences_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return as text the kinds of decision in which the player is surely worse or better than the opponents.

    It ends with the number of kinds in which no difference is sure.
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
    """Return the first kinds in words, and the number of the others."""
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


def habit_to_study(habits: Iterable[str], kinds: Sequence[KindLoss]) -> str:
    """Return what to study against the first cube habit that causes at least `LEAST_SHARE` of the loss, else ""."""
    total = sum_costs(kinds)
    for habit in map(HABITS.__getitem__, habits):
        share = sum(loss.share.value for loss in kinds if loss.kind in habit.kinds) / total
        if share >= LEAST_SHARE:
            return (
                f"{habit.study} (a sure habit, in errors that are {100 * share:.0f} % of the loss)"
            )
    return ""


def study_in_words(study: Study, lost: float, habit: str = "") -> str:
    """Return what to study first, then the costliest run of errors in a single game.

    `lost` is the equity (EMG) lost by all errors. If `habit` is given, it is named first, then the
    recurring mistake.
    """
    subject = _subject_in_words(study.recurring, lost)
    if habit:
        then = f"Then, not sure: {subject}" if subject else ""
        said = [f"Study first: {habit}.", then]
    else:
        said = [f"Study first: {subject}" if subject else _no_subject_in_words(study.recurring)]
    one = study.oversight
    if one is not None:
        said.append(
            f"One game alone cost {one.share_of_one_game * one.lost:.2f} of {lost:.2f} EMG, by"
            f' {one.name}; see "How these mistakes were chosen".'
        )
    return " ".join(filter(None, said))


def _subject_in_words(recurring: Sequence[Mistakes], lost: float) -> str:
    """Return what to study against the first recurring mistake that costs enough, or "" if none does.

    It has to cost `LEAST_SHARE` of the loss, and more than it would at the opponents' error rate.
    """
    for mistakes in recurring:
        is_excess = mistakes.excess is None or mistakes.excess > 0
        if is_excess and mistakes.lost >= LEAST_SHARE * lost:
            more = "" if mistakes.excess is None else "more than at the opponents' rate, "
            return (
                f"{mistakes.study} ({number_of(mistakes.errors, 'error')} in"
                f" {number_of(mistakes.matches, 'match')}, {100 * mistakes.lost / lost:.0f} % of the"
                f" loss; {more}not tested)."
            )
    return ""


def _no_subject_in_words(recurring: Sequence[Mistakes]) -> str:
    """Return a sentence that says why no recurring mistake is worth studying."""
    if not recurring:
        return "No mistake recurs often enough to name a subject."
    return (
        f"No recurring mistake stands out: each costs less than {100 * LEAST_SHARE:.0f} % of the loss,"
        " or no more than the opponents'."
    )
