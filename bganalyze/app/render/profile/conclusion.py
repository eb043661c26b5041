"""The conclusion of a profile in a few lines: costs, differences that are sure, and what to study."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bganalyze.analysis.decision_kinds import ALL_KINDS, KIND_WORDS, PLAY_KINDS, DecisionKind
from bganalyze.app.render.document import Block, Lines, Note
from bganalyze.app.render.profile.error_rate import limits_in_words
from bganalyze.app.render.profile.mistakes import (
    comparison_and_order_in_words,
    habits_in_words,
    share_in_words,
    share_of_one_game_in_words,
)
from bganalyze.app.render.profile.situations import habits_not_studied_in_words
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.habits import HabitDifference
from bganalyze.statistics.profiles.kinds import ChanceLost, Cost, KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import (
    CLEARLY_BETTER,
    FEWEST_MATCHES,
    FEWEST_OCCASIONS,
    Mistakes,
    Study,
)
from bganalyze.statistics.sureness import DEFINITION, NOT_SHOWN, NOT_TESTED
from bganalyze.text import number_of

MOST_NAMED = 2
"""Kinds of decision that a sentence names at most."""

LEAST_OF_CHANCE = 0.005
"""Least share of the match-winning chance lost with which a kind of decision is named."""

COMPARED = "comparable decisions"
ABOUT_COMPARED = f"{COMPARED}: those in which an error of either kind would cost about as much"
"""The words for decisions in which opposite errors are compared, and their meaning."""

MOST_SUBJECTS = 2
"""Subjects to study that have a line at most."""

MOST_ALIKE = 3
"""Other subjects, of about the same cost, that are named at most."""


def conclude(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the conclusions of a profile, a line each.

    With `on_page`, a note explains words such as `fairly sure`.
    """
    lines = tuple(list_conclusions(profile))
    if lines:
        yield Lines(lines)
        # In text it is below the table of costs.
        if on_page:
            about = "" if COMPARED not in " ".join(lines) else f"; {ABOUT_COMPARED}"
            yield Note(f"{DEFINITION}{about}")


def list_conclusions(profile: PlayerProfile) -> Iterator[str]:
    """Yield at most six short conclusions of a profile."""
    yield from limits_in_words(profile.error_rate)
    if not profile.kinds or profile.study is None or profile.cost is None:
        return
    matches = len(profile.matches)
    yield costs_in_words(
        profile.kinds, profile.study if matches >= FEWEST_MATCHES else None
    ) + chance_in_words(profile.chance_lost, matches, [loss.kind for loss in profile.kinds])
    plays = sum(
        loss.share_of_decisions for loss in profile.kinds if loss.kind in PLAY_KINDS.values()
    )
    for line in cube_share_in_words(*profile.cube_shares, 1 - plays):
        yield line + habit_differences_in_words(profile.habit_differences)
    yield differences_in_words(profile.kinds, profile.cost)
    habits = list(habits_not_studied_in_words(profile))[: MOST_SUBJECTS - 1]
    yield from study_in_words(profile.study, profile.kinds, matches, MOST_SUBJECTS - len(habits))
    yield from habits


def costs_in_words(kinds: Sequence[KindLoss], study: Study | None) -> str:
    """Return a sentence with the two costliest kinds of decision and their shares.

    An example is `Costliest by equity: wrong takes, 30 % of the loss (2 % of decisions); race
    errors, 9 % (6 %).` If `study` is given and the second kind is not among its mistakes to study,
    the sentence ends with the reason.
    """
    total = sum_costs(kinds)
    first, *others = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} %{of_loss}"
        f" ({100 * loss.share_of_decisions:.0f} %{of_decisions})"
        for loss, of_loss, of_decisions in zip(
            kinds[:MOST_NAMED], (" of the loss", ""), (" of decisions", ""), strict=False
        )
    )
    reason = why_not_studied(kinds[1], study) if others and study is not None else ""
    why = f", not to study first: {reason}" if reason else ""
    return f"Costliest by equity: {first}{''.join(f'; {other}' for other in others)}{why}."


def chance_in_words(
    chance: ChanceLost | None, matches: int, by_equity: Sequence[DecisionKind] = ()
) -> str:
    """Return a sentence on the match-winning chance lost, and the kinds that cost most of it.

    `matches` is the number of all matches. If some are money play, which has no such chance, the
    sentence counts the others. `by_equity` are the kinds that cost most equity, first to last. If
    the same kinds cost most chance, in this order, only their shares are named.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> chance = ChanceLost(2, ((DecisionKind.TAKE, 0.15), (DecisionKind.PASS, 0.05)))
    >>> chance_in_words(chance, 2)
    ' By match-winning chance (10.0 % given away a match): wrong takes, 75 %; wrong passes, 25 %.'
    >>> chance_in_words(chance, 2, [DecisionKind.TAKE, DecisionKind.PASS]).partition(": ")[2]
    'the same, 75 and 25 %.'
    >>> chance_in_words(chance, 3).partition(":")[0]
    ' By match-winning chance (10.0 % given away a match, in 2 matches to a length)'
    """
    if chance is None or not chance.lost:
        return ""
    shares = {
        kind: f"{100 * lost / chance.lost:.0f}"
        for kind, lost in chance.by_kind[:MOST_NAMED]
        if lost >= LEAST_OF_CHANCE * chance.lost
    }
    kinds = "; ".join(f"{KIND_WORDS[kind].short}, {share} %" for kind, share in shares.items())
    if list(shares) == list(by_equity[:MOST_NAMED]):
        kinds = f"the same, {' and '.join(shares.values())} %"
    some = f", in {number_of(chance.matches, 'match')} to a length"
    a_match = 100 * chance.lost / chance.matches
    lost = f"{a_match:.1f} % given away a match{some * (chance.matches < matches)}"
    return f" By match-winning chance ({lost}): {kinds}."


def why_not_studied(loss: KindLoss, study: Study) -> str:
    """Return why a kind of decision is no recurring mistake, such as `in one match only`, or ""."""
    if any(loss.kind in one.kinds for one in study.recurring):
        return ""
    found = next((one for one in study.not_recurring if loss.kind in one.kinds), None)
    if found is None:
        further = [one for one in study.further if loss.kind in one.kinds]
        if further and all(one.is_clearly_better for one in further):
            return f"{CLEARLY_BETTER}, so half of the cost counts"
        return "other mistakes come first" if further else "too few errors for a habit"
    if found.occasions < FEWEST_OCCASIONS:
        return f"{number_of(found.occasions, 'error')}, too few for a habit"
    if found.matches < FEWEST_MATCHES:
        return "in one match only"
    return share_of_one_game_in_words(found).removeprefix(", ")


def cube_share_in_words(
    own: float | None, theirs: float | None, of_decisions: float
) -> Iterator[str]:
    """Yield a sentence with the share of cube decisions in the player's and the opponents' loss.

    `of_decisions` is the share of cube decisions in the player's decisions. Nothing is yielded if
    `own` or `theirs` is None.

    >>> list(cube_share_in_words(0.33, 0.21, 0.14))
    ['Cube decisions: 33 % of the loss (14 % of decisions); of the opponents: 21 % of theirs (not tested).']
    """
    if own is not None and theirs is not None:
        yield (
            f"Cube decisions: {100 * own:.0f} % of the loss ({100 * of_decisions:.0f} % of decisions);"
            f" of the opponents: {100 * theirs:.0f} % of theirs ({NOT_TESTED})."
        )


def habit_differences_in_words(differences: Sequence[HabitDifference]) -> str:
    """Return a sentence on the cube habits in which the player differs from the opponents, or "".

    >>> later = HabitDifference("double later", True, "sure")
    >>> habit_differences_in_words([later, HabitDifference("take more", False, "barely shown")])
    ' In comparable decisions your opponents double later than you (sure); you take more than they (barely shown).'
    >>> habit_differences_in_words([])
    ''
    """
    if not differences:
        return ""
    said = "; ".join(
        f"{'your opponents' if one.is_of_opponents else 'you'} {one.comparative} than"
        f" {'you' if one.is_of_opponents else 'they'} ({one.sureness})"
        for one in differences
    )
    return f" In {COMPARED} {said}."


def differences_in_words(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return in which kinds of decision the player is surely worse or better than the opponents.

    `of_all` is the cost of all decisions, which is compared if no kind surely differs.
    """
    sure = [loss for loss in kinds if loss.cost.is_difference_shown]
    worse = [loss for loss in sure if loss.cost.is_worse]
    better = [loss for loss in sure if not loss.cost.is_worse]
    if sure:
        if worse:
            found = _list_kinds(worse, of_all)
        elif of_all.is_difference_shown and of_all.is_worse:
            found = f"only in all ({of_all.sureness})"
        else:
            found = "nothing is shown"
        other = "Better than the opponents" if worse else "Better"
        said = f"Worse than the opponents: {found}"
        said += f". {other}: {_list_kinds(better, of_all)}" if better else ""
        return f"{said}{''.join(f'; {rest}' for rest in _count_unsure_kinds(kinds))}."
    if {loss.cost.sureness for loss in kinds} | {of_all.sureness} == {NOT_TESTED}:
        return "Better or worse than the opponents: not tested, as there are too few matches or decisions."
    rest = ", ".join(_count_unsure_kinds(kinds))
    each = f"no difference from the opponents is shown ({rest})"
    if not of_all.is_difference_shown:
        return f"By kind and in all, {each}."
    called = "Worse" if of_all.is_worse else "Better"
    return f"{called} than the opponents in all ({of_all.sureness}); by kind, {each}."


def _count_unsure_kinds(kinds: Sequence[KindLoss]) -> Iterator[str]:
    """Yield how many kinds show no sure difference, such as `3 may be chance`, `2 not tested`."""
    words = Counter(loss.cost.sureness for loss in kinds)
    for word in NOT_SHOWN:
        if words[word]:
            yield f"{'each' if words[word] == len(kinds) else words[word]} {word}"


def _list_kinds(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return the first kinds of decision, each with how sure its difference from the opponents is.

    If all decisions together (`of_all`) surely differ in the same direction, they come first.
    """
    is_alike = of_all.is_difference_shown and of_all.is_worse is kinds[0].cost.is_worse
    names = [f"{loss.label} ({loss.cost.sureness})" for loss in kinds]
    if is_alike:
        names.insert(0, f"{ALL_KINDS} ({of_all.sureness})")
    others = len(names) - MOST_NAMED
    named = ", ".join(names[:MOST_NAMED])
    return f"{named} and {others} more" if others > 0 else named


def study_in_words(
    study: Study, kinds: Sequence[KindLoss], matches: int, most: int = MOST_SUBJECTS
) -> Iterator[str]:
    """Yield a line for each recurring mistake worth studying first, or a line that none is.

    There are at most `most` lines. The last one also names other mistakes whose costs do not differ
    clearly from that of the first mistake, cube habits apart. `kinds` have the tested differences
    from the opponents, and `matches` is the number of all matches.

    An example is `Study first: which doubles to pass (1.40 EMG, 14 % of the loss; if you had erred
    as your opponents did: 0.80 EMG, so you lost 0.60 more (not tested)).`
    """
    subjects = study.subjects[:most]
    if not subjects:
        found = (
            "No recurring mistake stands out as a subject to study"
            if matches >= FEWEST_MATCHES
            else "One match cannot show which mistakes recur"
        )
        yield f'{found}: begin with "Costliest decisions".'
        return
    leader = next((one for one in subjects if not one.is_leading_habit), subjects[-1])
    alike = study.list_as_costly(leader)
    *lines, last = (
        f"{begin_in_words(index, one in alike)}: {subject_in_words(one, study.lost, kinds)}."
        for index, one in enumerate(subjects)
    )
    yield from lines
    yield last + alike_in_words(leader, [one for one in alike if one not in subjects])


def begin_in_words(index: int, is_alike: bool) -> str:
    """Return the first words of the line on a subject to study, such as `Study first`.

    `index` is its index in the order of study. `is_alike` says that its cost does not differ
    clearly from the first subject's, so that the words are `Or …`, not `Then`.
    """
    if not index:
        return "Study first"
    return "Or (the costs do not differ clearly)" if is_alike else "Then"


def alike_in_words(leader: Mistakes, others: Sequence[Mistakes]) -> str:
    """Return a sentence on `others`, which do not cost clearly more or less than `leader`; or "".

    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> take = Mistakes(DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)
    >>> alike_in_words(take, [take._replace(kind=DecisionKind.PASS, lost=0.45)])
    ' The cost of wrong takes does not differ clearly from that of wrong passes (0.45 EMG).'
    """
    if not others:
        return ""
    named = [f"{one.name} ({one.lost:.2f} EMG)" for one in others[:MOST_ALIKE]]
    more = [f"{len(others) - MOST_ALIKE} more"] if len(others) > MOST_ALIKE else []
    *first, last = (*named, *more)
    listed = f"{', '.join(first)} and {last}" if first else last
    return f" The cost of {leader.name} does not differ clearly from that of {listed}."


def subject_in_words(mistakes: Mistakes, lost: float, kinds: Sequence[KindLoss]) -> str:
    """Return a mistake as a subject to study: its cost, its share of the loss, and a comparison.

    The share is that in `lost`, the equity (EMG) lost by all errors. `kinds` have the tested
    differences from the opponents.
    """
    return (
        f"{mistakes.study} ({mistakes.lost:.2f} EMG, {share_in_words(mistakes, lost)};"
        f" {habits_in_words(mistakes)}"
        f"{comparison_and_order_in_words(mistakes, lost, kinds)})"
    )
