"""The conclusion of a profile in a few lines: costs, certain differences, and what to study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.app.render.document import Block, Lines
from bganalyze.app.render.profile.figures import name_habit
from bganalyze.app.render.profile.mistakes import share_of_one_game_in_words
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import Cost, KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import (
    LEAST_SHARE,
    MUCH_OF_ONE_GAME,
    Mistakes,
)
from bganalyze.statistics.reports.cube_habits import NOT_SURE
from bganalyze.text import number_of

MOST_NAMED = 2
"""Kinds of decision that a sentence names at most."""

MOST_SUBJECTS = 2
"""Subjects to study that are named at most."""


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
    """Yield at most five short lines: what costs most, how sure this is, and what to study first."""
    if not profile.kinds or profile.study is None or profile.cost is None:
        return
    study, lost = profile.study, profile.cost.lost
    sure = find_sure_subjects(find_habits(profile), profile.kinds)
    yield Lines(
        (
            costs_in_words(profile.kinds),
            differences_in_words(profile.kinds, profile.cost),
            *study_in_words(sure, find_subjects(study.recurring, lost)),
            *([] if study.oversight is None else [_one_game_in_words(study.oversight, lost)]),
        )
    )


def costs_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return a sentence with the two costliest kinds of decision and their shares of the loss.

    An example is `Costliest: wrong takes, 30 % of the loss; then race errors, 9 %.`
    """
    total = sum_costs(kinds)
    first, *others = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} %{words}"
        for loss, words in zip(kinds, (" of the loss", ""), strict=False)
    )
    return f"Costliest: {first}{''.join(f'; then {other}' for other in others)}."


def differences_in_words(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return as text the kinds of decision in which the player is surely worse or better than the opponents.

    Where no kind is, it says so, with the comparison of all kinds together (`of_all`).
    """
    sure = [loss for loss in kinds if loss.cost.is_sure]
    worse = [loss for loss in sure if loss.cost.is_worse]
    better = [loss for loss in sure if not loss.cost.is_worse]
    said = [
        f"{called} than the opponents, fairly sure: {_list_kinds(found)}"
        for called, found in (("Worse", worse), ("Better", better))
        if found
    ]
    if said:
        unknown = len(kinds) - len(sure)
        return ". ".join(said) + (
            f"; not sure in {number_of(unknown, 'kind')}." if unknown else "."
        )
    if not of_all.is_sure:
        return "No kind is shown to be worse or better than the opponents': too few decisions."
    called = "worse" if of_all.is_worse else "better"
    return f"All kinds together are {called} than the opponents', fairly sure; no single kind is."


def _list_kinds(kinds: Sequence[KindLoss]) -> str:
    """Return the first kinds in words, and the number of the others."""
    named = ", ".join(loss.label for loss in kinds[:MOST_NAMED])
    others = len(kinds) - MOST_NAMED
    return f"{named} and {others} more" if others > 0 else named


def find_habits(profile: PlayerProfile) -> Iterator[str]:
    """Yield each cube habit that statistics show, such as `too late` (doubling too late rather than too early)."""
    sections = () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]
    yield from (habit for habit in map(name_habit, sections) if habit not in ("", NOT_SURE))


class Subject(NamedTuple):
    """A subject to study."""

    said: str
    """The subject, with its share of the loss."""
    kinds: tuple[DecisionKind, ...]
    """The kinds of decision that it concerns."""


def find_sure_subjects(habits: Iterable[str], kinds: Sequence[KindLoss]) -> list[Subject]:
    """Return what to study against each cube habit that causes at least `LEAST_SHARE` of the loss.

    Habits are certain: errors of one sort (doubling too late) outnumber errors of the opposite sort (too
    early) beyond chance.
    """
    total = sum_costs(kinds)
    found: list[Subject] = []
    for habit in map(HABITS.__getitem__, habits):
        share = sum(loss.share.value for loss in kinds if loss.kind in habit.kinds) / total
        if share >= LEAST_SHARE:
            said = f"{habit.study} (sure: {habit.said}; {100 * share:.0f} % of the loss)"
            found.append(Subject(said, habit.kinds))
    return found


def find_subjects(recurring: Iterable[Mistakes], lost: float) -> list[Subject]:
    """Return the recurring mistakes worth studying, the first subject first; all errors lost `lost` (EMG).

    Each costs `LEAST_SHARE` of the loss, and more than it would at the opponents' error rate. Those
    that lost more than `MUCH_OF_ONE_GAME` of their cost in one game come last.
    """
    mistakes = (
        one
        for one in recurring
        if (one.excess is None or one.excess > 0) and one.lost >= LEAST_SHARE * lost
    )
    return [
        Subject(
            f"{one.study} ({100 * one.lost / lost:.0f} % of the"
            f" loss{share_of_one_game_in_words(one)}; not tested)",
            (one.kind,),
        )
        for one in sorted(mistakes, key=lambda one: one.share_of_one_game > MUCH_OF_ONE_GAME)
    ]


def study_in_words(sure: Sequence[Subject], recurring: Sequence[Subject]) -> Iterator[str]:
    """Yield a line for each of the first subjects to study.

    Sure ones come first, then recurring mistakes, if possible in other decisions.
    """
    studied = {kind for subject in sure for kind in subject.kinds}
    others = [one for one in recurring if studied.isdisjoint(one.kinds)]
    next_word = "Then" if others or len(sure) > 1 else "Of these errors"
    subjects = [*sure, *(others or recurring)][:MOST_SUBJECTS]
    if not subjects:
        yield "No recurring mistake stands out as a subject to study."
    for begin, subject in zip(("Study first", next_word), subjects, strict=False):
        yield f"{begin}: {subject.said}."


def _one_game_in_words(mistakes: Mistakes, lost: float) -> str:
    """Return as a line what mistakes of one kind cost in a single game; all errors lost `lost` (EMG)."""
    cost = mistakes.share_of_one_game * mistakes.lost
    return f"In one game, mistakes of one kind cost {cost:.2f} of {lost:.2f} EMG: {mistakes.name}."
