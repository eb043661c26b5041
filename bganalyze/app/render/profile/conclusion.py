"""The conclusion of a profile in a few lines: costs, differences that are sure, and what to study."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Iterator, Sequence

from bganalyze.analysis.decision_kinds import KIND_WORDS, KINDS_IN, NO_DOUBLES, DecisionKind
from bganalyze.analysis.describe import MAY_BE_SLIP
from bganalyze.analysis.position_classes import PositionClass
from bganalyze.app.render.document import Block, Lines, Note
from bganalyze.app.render.profile.cube_habits import summarize_habits
from bganalyze.app.render.profile.error_rate import limits_in_words
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import ChanceLost, Cost, KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import MOST_SHOWN, Study
from bganalyze.statistics.profiles.subjects import FEWEST_MATCHES, Subject
from bganalyze.statistics.sureness import DEFINITION, NOT_TESTED
from bganalyze.text import capitalize_first, join_words, number_of

MOST_NAMED = 2
"""Kinds of decision that a sentence names at most."""

LEAST_OF_CHANCE = 0.005
"""Least share of the match-winning chance lost with which a kind of decision is named."""


def conclude(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the conclusions of a profile as lines."""
    lines = tuple(list_conclusions(profile))
    if lines:
        yield Lines(lines)
        # Text explains the words below the table of costs, to have this table on the first screen.
        if on_page:
            yield Note(DEFINITION)


def list_conclusions(profile: PlayerProfile) -> Iterator[str]:
    """Yield at most eight short conclusions of a profile."""
    if profile.study is not None:
        yield from costliest_resignations_in_words(profile.study)
    yield from similar_names_in_words(profile)
    yield from limits_in_words(profile.error_rate)
    if not profile.kinds or profile.study is None or profile.cost is None:
        return
    matches = len(profile.matches)
    kinds = [loss.kind for loss in profile.kinds]
    without = ", without resignations" * profile.study.has_costly_resignations
    yield from costly_resignations_in_words(profile.study)
    yield costs_in_words(profile.kinds, without) + chance_in_words(
        profile.chance_lost, matches, kinds, without
    )
    yield from summarize_habits(profile)
    yield differences_in_words(profile.kinds, profile.cost)
    yield study_in_words(profile.study) + neglected_in_words(
        profile.kinds, profile.study, without, is_list_named=bool(profile.stats_call)
    )


def similar_names_in_words(profile: PlayerProfile) -> Iterator[str]:
    """Yield a question whether the player has the similar names in other files, too."""
    others = profile.other_files
    if others.similar:
        yield f"{others.ask_about_similar(profile.player)} {say_how_to_join(others.similar)}"


def say_how_to_join(names: Iterable[str]) -> str:
    """Return the options that count the games under other `names` as the player's.

    >>> say_how_to_join(["bgnori", "nori 2"])
    "if so, add --player bgnori --player 'nori 2'"
    """
    return f"if so, add {' '.join(f'--player {shlex.quote(name)}' for name in names)}"


def costliest_resignations_in_words(study: Study) -> Iterator[str]:
    """Yield a sentence on resignations if they cost more than any other subject."""
    if study.are_resignations_costliest:
        yield (
            f"Costliest: {_resignations_in_words(study.subjects[0], study.lost)} Look at these games first: they may be"
            " abandoned games."
        )


def costly_resignations_in_words(study: Study) -> Iterator[str]:
    """Yield a sentence on resignations if they are the second or third costliest subject."""
    for subject in study.subjects[1:MOST_SHOWN]:
        if subject.kind is None and study.has_costly_resignations:
            yield capitalize_first(_resignations_in_words(subject, study.lost))


def _resignations_in_words(subject: Subject, whole_loss: float) -> str:
    """Return a sentence on what resignations cost, and their share of `whole_loss` (EMG)."""
    return (
        f"resignations and answers to them: {subject.lost:.2f} EMG in {subject.decisions:,},"
        f" {100 * subject.lost / whole_loss:.0f} % of the whole loss; no PR counts them."
    )


def costs_in_words(kinds: Sequence[KindLoss], left_out: str = "") -> str:
    """Return a sentence such as `Costliest by equity: contact errors, 60 % of the loss …`.

    It names the two costliest kinds of decision. `left_out` says what the loss leaves out, such as
    `, without resignations`.
    """
    # Many decisions cost much, however well they are made: so the share of decisions is named, too.
    total = sum_costs(kinds)
    of_whole = f" of the loss{left_out}," if left_out else " of the loss"
    named = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} %{of_loss}"
        f" in {100 * loss.share_of_decisions:.0f} %{of_decisions}"
        for loss, of_loss, of_decisions in zip(
            kinds[:MOST_NAMED], (of_whole, ""), (" of decisions", ""), strict=False
        )
    )
    return f"Costliest by equity: {'; '.join(named)}."


def chance_in_words(
    chance: ChanceLost | None,
    number_of_matches: int,
    kinds_by_equity: Sequence[DecisionKind] = (),
    left_out: str = "",
) -> str:
    """Return a sentence on the kinds of decision that cost most match-winning chance.

    If their order is that of `kinds_by_equity`, they are not named again. `number_of_matches`
    includes money play. `left_out` says what the chance leaves out.

    >>> chance_in_words(ChanceLost(2, ((DecisionKind.TAKE, 0.15), (DecisionKind.PASS, 0.05))), 2)
    ' By match-winning chance (10.0 % given away a match): wrong takes, 75 %; wrong passes, 25 %.'
    """
    if chance is None or not chance.lost:
        return ""
    shares = {
        kind: f"{100 * lost / chance.lost:.0f}"
        for kind, lost in chance.by_kind[:MOST_NAMED]
        if lost >= LEAST_OF_CHANCE * chance.lost
    }
    kinds = "; ".join(f"{KIND_WORDS[kind].short}, {share} %" for kind, share in shares.items())
    if list(shares) == list(kinds_by_equity[:MOST_NAMED]):
        kinds = f"the same, {' and '.join(shares.values())} %"
    some = f", in {number_of(chance.matches, 'match')} to a length"
    a_match = 100 * chance.lost / chance.matches
    lost = (
        f"{a_match:.1f} % given away a match{left_out}{some * (chance.matches < number_of_matches)}"
    )
    return f" By match-winning chance ({lost}): {kinds}."


def differences_in_words(kinds: Sequence[KindLoss], cost_of_all: Cost) -> str:
    """Return a sentence on kinds of decision in which player and opponents differ.

    It compares the loss per decision, and names only differences that a test shows.
    """
    sure = [loss for loss in kinds if loss.cost.is_difference_shown]
    worse, better = (
        _list_differences(sure, cost_of_all, is_worse=is_worse) for is_worse in (True, False)
    )
    if worse or better:
        called = "more" if worse else "less"
        but_less = f", but less {better}" if worse and better else ""
        rest = _name_kinds_without_difference(kinds, cost_of_all)
        return (
            f"You lose {called} per decision than your opponents {worse or better}{but_less}{rest}."
        )
    if {loss.cost.sureness for loss in kinds} | {cost_of_all.sureness} == {NOT_TESTED}:
        return (
            "Whether you lose more or less per decision than your opponents is not tested: too few matches or"
            " decisions."
        )
    return (
        "No difference between your and your opponents' loss per decision is shown, in total or in a single"
        " kind of decision."
    )


def _name_kinds_without_difference(kinds: Sequence[KindLoss], cost_of_all: Cost) -> str:
    """Return words on the kinds in which player and opponents do not differ; "" for none."""
    unsure = sum(not loss.cost.is_difference_shown for loss in kinds)
    if unsure == len(kinds):
        return "; no single kind shows a difference"
    named = [
        *(["the total"] if not cost_of_all.is_difference_shown else []),
        *(["the other kind" if unsure == 1 else f"the other {unsure} kinds"] if unsure else []),
    ]
    are_several = len(named) > 1 or unsure > 1
    return (
        f"; {join_words(named)} {'show' if are_several else 'shows'} no difference" if named else ""
    )


def _list_differences(
    kinds_that_differ: Sequence[KindLoss], cost_of_all: Cost, *, is_worse: bool
) -> str:
    """Return the kinds in which the player loses more (`is_worse`) or less than the opponents.

    Each kind comes with how sure that is. If the total differs, too, it comes first.
    """
    pairs = [
        (f"in {loss.label}", loss.cost.sureness)
        for loss in kinds_that_differ
        if loss.cost.is_worse is is_worse
    ]
    if cost_of_all.is_difference_shown and cost_of_all.is_worse is is_worse:
        pairs.insert(0, ("in total", cost_of_all.sureness))
    names: dict[str, list[str]] = {}
    for name, sureness in pairs:
        names.setdefault(sureness, []).append(name)
    return ", ".join(
        f"{join_words(alike)} ({'each ' * (len(alike) > 1)}{sureness})"
        for sureness, alike in names.items()
    )


def study_in_words(study: Study) -> str:
    """Return a sentence on what to study, the costliest subject first.

    If no mistakes recur, the sentence says so.
    """
    slips = _slips_in_words(study.possible_slips)
    is_one_named = bool(slips) or study.are_resignations_costliest
    if not study.lessons:
        found = (
            f"No {'other ' * is_one_named}subject to study stands out"
            if study.matches >= FEWEST_MATCHES
            else "One match cannot show which errors recur"
        )
        return f'{slips}{found}: begin with "Costliest decisions".'
    of_loss = "of the whole loss" if study.has_costly_resignations else "of the loss"
    share = sum(lesson.subject.lost for lesson in study.lessons) / study.lost
    named = (
        f"{number}. {lesson.subject.name.removeprefix('cube: ')} ({lesson.subject.lost:.2f}{' EMG' * (number == 1)})"
        for number, lesson in enumerate(study.lessons, 1)
    )
    rank = _rank_in_words(study.count_equally_costly(), len(study.lessons))
    together = f"{100 * share:.0f} % {of_loss}"
    return f"{slips}Costliest subjects with a lesson, {together}: {'; '.join(named)}.{rank}"


def neglected_in_words(
    kinds: Sequence[KindLoss], study: Study, left_out: str = "", *, is_list_named: bool = False
) -> str:
    """Return where to study the costliest kind of decision if no lesson is about it, else "".

    `kinds` begins with this kind, and `study` has the lessons. `left_out` is added to its share of
    the loss. With `is_list_named`, the text also mentions the list of errors.
    """
    lessons, first = study.lessons, kinds[0]
    if not lessons or any(_is_about(lesson.subject, first.kind) for lesson in lessons):
        return ""
    share = f"{100 * first.share.value / sum_costs(kinds):.0f} %{left_out}"
    none = "None is" if len(lessons) > 1 else "It is not"
    more = " and in the list it names" * is_list_named
    return f' {none} about {first.label} ({share}): study those in "Costliest decisions"{more}.'


def _is_about(subject: Subject, kind: DecisionKind | None) -> bool:
    """Whether a subject has decisions of this kind."""
    if subject.position is PositionClass.AFTER_CRAWFORD:
        return kind in KINDS_IN[NO_DOUBLES]
    return subject.kind is kind


def _slips_in_words(subjects: Sequence[Subject]) -> str:
    """Return a sentence on subjects whose cost may come from transcription slips; "" if none."""
    if not subjects:
        return ""
    named = ", ".join(
        f"{subject.name.partition(': ')[2]}: {100 * subject.share_of_slips:.0f} %{of_cost} in {number}"
        for subject, of_cost, number in (
            (
                one,
                "" if place else " of the cost",
                f"{one.slips:,}" if place else number_of(one.slips, "loss"),
            )
            for place, one in enumerate(subjects)
        )
    )
    above = f"{', ' if len(subjects) > 1 else ' '}above {MAY_BE_SLIP} EMG"
    return f"{capitalize_first(named)}{above}, which may be slips: look at these games first. "


def _rank_in_words(number_alike: int, number_of_subjects: int) -> str:
    """Return a sentence on how sure the order of the subjects is; "" for a single subject.

    The first `number_alike` subjects do not differ clearly in cost.

    >>> _rank_in_words(3, 3)
    ' Too few matches to rank 1 to 3: choose any.'
    """
    if number_of_subjects < 2:
        return ""
    if number_alike < 2:
        return " Only 1 before 2 is shown."
    numbers = "1 and 2" if number_alike == 2 else f"1 to {number_alike}"
    return f" Too few matches to rank {numbers}: choose any."
