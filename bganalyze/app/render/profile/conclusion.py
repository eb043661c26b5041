"""The conclusion of a profile in a few sentences: costs, certain differences, and what to study."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bganalyze.app.render.document import Block, Note
from bganalyze.app.render.profile.figures import name_habit
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import Mistakes, Study
from bganalyze.statistics.reports.cube_habits import NOT_SURE
from bganalyze.text import number_of

MOST_NAMED = 3
"""Kinds of decision that a sentence names at most."""

LEAST_SHARE = 0.02
"""Share of the whole cost below which no mistake is named as the first subject to study."""


def conclude(profile: PlayerProfile) -> Iterator[Block]:
    """Yield what costs most, what is shown to be worse than the opponents', and what to study."""
    if profile.kinds:
        said = (
            f"{costs_in_words(profile.kinds)}.",
            differences_in_words(profile.kinds),
            habits_in_words(find_habits(profile)),
        )
        yield Note(" ".join(filter(None, said)))
    if profile.study is not None and profile.cost is not None:
        yield Note(study_in_words(profile.study, profile.cost.lost))


def costs_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return the costliest kind of decision, and the next, with their shares."""
    total = sum_costs(kinds)
    shares = [
        (
            loss.label,
            f"{100 * loss.share.value / total:.0f} %",
            f"{100 * loss.share_of_decisions:.0f} %",
        )
        for loss in kinds[:2]
    ]
    label, of_loss, of_decisions = shares[0]
    first = f"Costliest: {label}, {of_loss} of what is lost in {of_decisions} of the decisions"
    return first + "".join(f"; then {name}, {lost} in {made}" for name, lost, made in shares[1:])


def differences_in_words(kinds: Sequence[KindLoss]) -> str:
    """Return the kinds that are fairly surely worse or better than the opponents'."""
    worse = [loss for loss in kinds if loss.cost.is_sure and loss.cost.is_worse]
    better = [loss for loss in kinds if loss.cost.is_sure and not loss.cost.is_worse]
    unsure = len(kinds) - len(worse) - len(better)
    said = []
    if worse:
        said.append(f"Worse than the opponents, fairly sure: {_list_kinds(worse)}.")
    else:
        few = ": the decisions are too few to tell" if unsure > len(better) else ""
        said.append(f"Nothing is shown to be worse than the opponents'{few}.")
    if better:
        said.append(f"Better, fairly sure: {_list_kinds(better)}.")
    return " ".join(said)


def _list_kinds(kinds: Sequence[KindLoss]) -> str:
    """Return the first kinds in words, and the number of the others."""
    named = [loss.label for loss in kinds[:MOST_NAMED]]
    others = len(kinds) - len(named)
    return ", ".join([*named, *([f"and {others} more"] if others else [])])


def find_habits(profile: PlayerProfile) -> Iterator[str]:
    """Yield each cube habit that is certain, such as `too late`."""
    sections = () if profile.analyzed is None else profile.analyzed.reports["cube-habits"]
    yield from (habit for habit in map(name_habit, sections) if habit not in ("", NOT_SURE))


def habits_in_words(habits: Iterable[str]) -> str:
    """Return the cube habits that are certain as a sentence, or an empty text.

    A habit is certain if errors of one sort (doubling too late) outnumber errors of the opposite
    sort (too early) beyond chance.

    >>> habits_in_words(["too late", "takes too much"])
    'Sure, beside errors of the opposite sort: doubles too late, takes too much.'
    """
    said = [f"doubles {habit}" if habit.startswith("too ") else habit for habit in habits]
    return f"Sure, beside errors of the opposite sort: {', '.join(said)}." if said else ""


def study_in_words(study: Study, lost: float) -> str:
    """Return which recurring mistake to study first, then the costliest lapse in a single game.

    `lost` is the equity (EMG) lost by all errors.
    """
    said = _subject_in_words(study.recurring, lost)
    if study.oversight is None:
        return said
    one = study.oversight
    return (
        f"{said}. One game alone cost {one.share_of_one_game * one.lost:.2f} of {lost:.2f} EMG by"
        f" {one.name}: see recurring mistakes"
    )


def _subject_in_words(recurring: Sequence[Mistakes], lost: float) -> str:
    """Return the subject of the first recurring mistake that costs enough, and more than the opponents'."""
    if not recurring:
        return "No mistake recurs often enough to name a subject"
    for mistakes in recurring:
        is_excess = mistakes.excess is None or mistakes.excess > 0
        if is_excess and mistakes.lost >= LEAST_SHARE * lost:
            return (
                f"Study first: {mistakes.study} ({number_of(mistakes.occasions, 'time')} in"
                f" {number_of(mistakes.matches, 'match')}, {100 * mistakes.lost / lost:.0f} % of what"
                " is lost; a hint, not tested)"
            )
    return (
        "No recurring mistake stands out: each costs less than"
        f" {100 * LEAST_SHARE:.0f} % of what is lost, or no more than the opponents'"
    )
