"""The conclusion of a profile in a few lines: costs, differences that are sure, and what to study."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from bganalyze.analysis.decision_kinds import ALL_KINDS, KIND_WORDS, PLAY_KINDS, DecisionKind
from bganalyze.app.render.document import Block, Lines, Note
from bganalyze.app.render.profile.error_rate import limits_in_words
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.kinds import ChanceLost, Cost, KindLoss, sum_costs
from bganalyze.statistics.profiles.recurring import MOST_SHOWN, Study
from bganalyze.statistics.profiles.subjects import FEWEST_MATCHES
from bganalyze.statistics.sureness import DEFINITION, NOT_SHOWN, NOT_TESTED
from bganalyze.text import number_of

MOST_NAMED = 2
"""Kinds of decision that a sentence names at most."""

MUCH_MORE = 1.25
"""From this ratio on, a share of the loss is more, or less, than the share of the decisions."""

LEAST_OF_CHANCE = 0.005
"""Least share of the match-winning chance lost with which a kind of decision is named."""


UNITS = (
    "EMG: equity in points, as in a money game with the cube at 1; mEMG: a thousandth of it; MWC: match-winning"
    " chance; PR: error rate, lower is better"
)
"""The units of a profile in text, spelled out once."""


def conclude(profile: PlayerProfile, *, on_page: bool) -> Iterator[Block]:
    """Yield the conclusions of a profile, a line each.

    With `on_page`, a note explains words such as `fairly sure`, else the units.
    """
    lines = tuple(list_conclusions(profile))
    if lines:
        yield Lines(lines)
        # A page explains units by itself; text explains the words of sureness below the table of costs.
        yield Note(DEFINITION if on_page else UNITS)


def list_conclusions(profile: PlayerProfile) -> Iterator[str]:
    """Yield at most eight short conclusions of a profile."""
    yield from similar_names_in_words(profile)
    yield from limits_in_words(profile.error_rate)
    if not profile.kinds or profile.study is None or profile.cost is None:
        return
    matches = len(profile.matches)
    kinds = [loss.kind for loss in profile.kinds]
    without = ", without resignations" * profile.study.has_costly_resignations
    yield from resignations_in_short(profile.study)
    yield costs_in_words(profile.kinds, without) + chance_in_words(
        profile.chance_lost, matches, kinds, without
    )
    plays = sum(
        loss.share_of_decisions for loss in profile.kinds if loss.kind in PLAY_KINDS.values()
    )
    yield from cube_share_in_words(*profile.cube_shares, 1 - plays, without)
    yield differences_in_words(profile.kinds, profile.cost)
    yield study_in_words(profile.study)


def similar_names_in_words(profile: PlayerProfile) -> Iterator[str]:
    """Yield the question whether similar names in files without the player are the player's, too."""
    others = profile.other_files
    if others.similar:
        yield f"{others.ask_about_similar(profile.player)} {say_how_to_join(others.similar)}"


def say_how_to_join(names: Iterable[str]) -> str:
    """Return the options that count the games of other names as the player's.

    >>> say_how_to_join(["bgnori", "nori 2"])
    "if so, add --player bgnori --player 'nori 2'"
    """
    return f"if so, add {' '.join(f'--player {shlex.quote(name)}' for name in names)}"


def resignations_in_short(study: Study) -> Iterator[str]:
    """Yield a sentence on resignations if they are among the three costliest subjects."""
    for subject in study.subjects[:MOST_SHOWN]:
        if subject.kind is None and study.has_costly_resignations:
            yield (
                f"Resignations and answers to them: {subject.lost:.2f} EMG in {subject.decisions:,},"
                f" {100 * subject.lost / study.lost:.0f} % of the whole loss; no PR counts them."
            )


def costs_in_words(kinds: Sequence[KindLoss], without: str = "") -> str:
    """Return a sentence with the two costliest kinds of decision and their shares.

    The sentence also says whether a kind costs more than its share of the decisions: many decisions
    cost much, however well they are made. An example is `Costliest by equity: contact errors, 60 %
    of the loss (about their share: 62 % of decisions); wrong takes, 30 % (more than their share: 2 %).`
    `without` names what the loss leaves out, as in `, without resignations`.
    """
    total = sum_costs(kinds)
    named = (
        f"{loss.label}, {100 * loss.share.value / total:.0f} %{of_loss}"
        f" ({_compare_with_share(loss, total)}: {100 * loss.share_of_decisions:.0f} %{of_decisions})"
        for loss, of_loss, of_decisions in zip(
            kinds[:MOST_NAMED], (f" of the loss{without}", ""), (" of decisions", ""), strict=False
        )
    )
    return f"Costliest by equity: {'; '.join(named)}."


def _compare_with_share(loss: KindLoss, total: float) -> str:
    """Return whether a kind costs more or less than its share of the decisions.

    `total` is the cost of all kinds.
    """
    ratio = loss.share.value / total / loss.share_of_decisions
    if ratio > MUCH_MORE:
        return "more than their share"
    return "less than their share" if ratio < 1 / MUCH_MORE else "about their share"


def chance_in_words(
    chance: ChanceLost | None,
    matches: int,
    by_equity: Sequence[DecisionKind] = (),
    without: str = "",
) -> str:
    """Return a sentence on the match-winning chance lost, and the kinds that cost most of it.

    `matches` is the number of all matches. If some are money play, which has no such chance, the
    sentence counts the others. `by_equity` are the kinds that cost most equity, first to last. If
    the same kinds cost most chance, in this order, only their shares are named. `without` names
    what the chance leaves out.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> chance = ChanceLost(2, ((DecisionKind.TAKE, 0.15), (DecisionKind.PASS, 0.05)))
    >>> chance_in_words(chance, 2)
    ' By match-winning chance (10.0 % given away a match): wrong takes, 75 %; wrong passes, 25 %.'
    >>> chance_in_words(chance, 2, [DecisionKind.TAKE, DecisionKind.PASS]).partition(": ")[2]
    'the same, 75 and 25 %.'
    >>> chance_in_words(chance, 3).partition(":")[0]
    ' By match-winning chance (10.0 % given away a match, in 2 matches to a length)'
    >>> chance_in_words(chance, 2, (), ", without resignations").partition(":")[0]
    ' By match-winning chance (10.0 % given away a match, without resignations)'
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
    lost = f"{a_match:.1f} % given away a match{without}{some * (chance.matches < matches)}"
    return f" By match-winning chance ({lost}): {kinds}."


def cube_share_in_words(
    own: float | None, theirs: float | None, of_decisions: float, without: str = ""
) -> Iterator[str]:
    """Yield a sentence with the share of cube decisions in the player's and the opponents' loss.

    `of_decisions` is the share of cube decisions in the player's decisions. Nothing is yielded if
    `own` or `theirs` is None. `without` names what the loss leaves out.

    >>> list(cube_share_in_words(0.33, 0.21, 0.14))
    ['Cube decisions: 33 % of the loss (14 % of decisions); of the opponents: 21 % of theirs (not tested).']
    """
    if own is not None and theirs is not None:
        yield (
            f"Cube decisions: {100 * own:.0f} % of the loss{without} ({100 * of_decisions:.0f} % of decisions);"
            f" of the opponents: {100 * theirs:.0f} % of theirs ({NOT_TESTED})."
        )


def differences_in_words(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return in which kinds of decision the player surely loses more or less than the opponents.

    What is compared is the loss per decision. `of_all` is the cost of all decisions, which is compared if no kind surely differs.
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
        other = "Losing less than they" if worse else "Losing less"
        said = f"Losing more per decision than the opponents: {found}"
        said += f". {other}: {_list_kinds(better, of_all)}" if better else ""
        return f"{said}{''.join(f'; {rest}' for rest in _count_unsure_kinds(kinds))}."
    if {loss.cost.sureness for loss in kinds} | {of_all.sureness} == {NOT_TESTED}:
        return "Loss per decision against the opponents': not tested, as there are too few matches or decisions."
    rest = ", ".join(_count_unsure_kinds(kinds))
    each = f"no difference from the opponents' loss per decision is shown ({rest})"
    if not of_all.is_difference_shown:
        return f"By kind and in all, {each}."
    called = "more" if of_all.is_worse else "less"
    return f"Losing {called} per decision than the opponents in all ({of_all.sureness}); by kind, {each}."


def _count_unsure_kinds(kinds: Sequence[KindLoss]) -> Iterator[str]:
    """Yield how many kinds show no sure difference, such as `3 may be chance`, `2 not tested`."""
    words = Counter(loss.cost.sureness for loss in kinds)
    for word in NOT_SHOWN:
        if words[word]:
            yield f"{'each' if words[word] == len(kinds) else words[word]} {word}"


def _list_kinds(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return kinds of decision, after each or several how sure their difference from the opponents is.

    If all decisions together (`of_all`) surely differ in the same direction, they come first.
    """
    is_alike = of_all.is_difference_shown and of_all.is_worse is kinds[0].cost.is_worse
    pairs = [(loss.label, loss.cost.sureness) for loss in kinds]
    if is_alike:
        pairs.insert(0, (ALL_KINDS, of_all.sureness))
    words = dict.fromkeys(sureness for _, sureness in pairs)
    return ", ".join(
        f"{', '.join(name for name, sureness in pairs if sureness == word)} ({word})"
        for word in words
    )


def study_in_words(study: Study) -> str:
    """Return a sentence with the costliest subjects whose mistakes recur, or why there is none.

    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> from bganalyze.statistics.profiles.recurring import Lesson
    >>> from bganalyze.statistics.profiles.subjects import Subject
    >>> about = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    >>> attack = Subject(*about, 4, 4, 3, 1.5, 50, by_match={1: 0.5, 2: 0.4, 3: 0.6})
    >>> take = attack._replace(kind=DecisionKind.TAKE, position=PositionClass.OTHER, lost=0.5, by_match={1: 0.1, 2: 0.2, 3: 0.2})
    >>> lessons = [Lesson(one, "", 4, ()) for one in (attack, take)]
    >>> study_in_words(Study((attack, take), tuple(lessons), matches=3))
    'Subjects to study, by cost: 1. plays: attacking (blitz) (1.50 EMG, 75 % of the loss); 2. cube: wrong takes (0.50 EMG, 25 %).'
    >>> study_in_words(Study((attack, take), tuple(lessons), matches=2)).partition(". ")[2].rpartition(").")[2]
    ' Too few matches to rank 1 and 2: begin with any of them.'
    >>> study_in_words(Study((attack, take), matches=2))
    'No subject has errors that recur: begin with "Costliest decisions".'
    >>> study_in_words(Study((attack, take), matches=1))
    'One match cannot show which errors recur: begin with "Costliest decisions".'
    """
    if not study.lessons:
        found = (
            "No subject has errors that recur"
            if study.matches >= FEWEST_MATCHES
            else "One match cannot show which errors recur"
        )
        return f'{found}: begin with "Costliest decisions".'
    of_loss = " of the whole loss" if study.has_costly_resignations else " of the loss"
    named = (
        f"{number}. {lesson.subject.name} ({lesson.subject.lost:.2f} EMG,"
        f" {100 * lesson.subject.lost / study.lost:.0f} %{of_loss * (number == 1)})"
        for number, lesson in enumerate(study.lessons, 1)
    )
    return f"Subjects to study, by cost: {'; '.join(named)}.{_alike_in_words(study.count_alike())}"


def _alike_in_words(number: int) -> str:
    """Return a sentence that the costs do not rank the first `number` subjects; "" for one.

    >>> _alike_in_words(3)
    ' Too few matches to rank 1 to 3: begin with any of them.'
    """
    if number < 2:
        return ""
    numbers = "1 and 2" if number == 2 else f"1 to {number}"
    return f" Too few matches to rank {numbers}: begin with any of them."
