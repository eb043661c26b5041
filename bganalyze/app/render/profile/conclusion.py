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
    """Yield the conclusions of a profile, a line each.

    With `on_page`, a note explains words such as `fairly sure`.
    """
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
    yield from resignations_in_short(profile.study)
    yield costs_in_words(profile.kinds, without) + chance_in_words(
        profile.chance_lost, matches, kinds, without
    )
    yield from summarize_habits(profile)
    yield differences_in_words(profile.kinds, profile.cost)
    yield study_in_words(profile.study) + neglected_in_words(
        profile.kinds, profile.study, without, is_list_named=bool(profile.stats_call)
    )


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


def costliest_resignations_in_words(study: Study) -> Iterator[str]:
    """Yield a sentence on resignations if they are the costliest subject: cost, and advice to check them."""
    if study.are_resignations_costliest:
        yield (
            f"Costliest: {_resignations_in_words(study.subjects[0], study.lost)} Look at these games first: they may be"
            " abandoned games."
        )


def resignations_in_short(study: Study) -> Iterator[str]:
    """Yield a sentence on resignations if they are the second or third of the costliest subjects."""
    for subject in study.subjects[1:MOST_SHOWN]:
        if subject.kind is None and study.has_costly_resignations:
            yield capitalize_first(_resignations_in_words(subject, study.lost))


def _resignations_in_words(subject: Subject, lost: float) -> str:
    """Return a sentence on the cost of resignations and their share of the whole loss.

    `subject` is the subject of resignations, and `lost` is the whole loss (EMG).
    """
    return (
        f"resignations and answers to them: {subject.lost:.2f} EMG in {subject.decisions:,},"
        f" {100 * subject.lost / lost:.0f} % of the whole loss; no PR counts them."
    )


def costs_in_words(kinds: Sequence[KindLoss], without: str = "") -> str:
    """Return a sentence with the two costliest kinds of decision, and their shares of loss and decisions.

    An example is `Costliest by equity: contact errors, 60 % of the loss in 62 % of decisions; wrong
    takes, 30 % in 2 %.` `without` names what the loss leaves out, as in `, without resignations`.
    """
    # Many decisions cost much, however well they are made: so the share of decisions is named, too.
    total = sum_costs(kinds)
    of_whole = f" of the loss{without}," if without else " of the loss"
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
    matches: int,
    by_equity: Sequence[DecisionKind] = (),
    without: str = "",
) -> str:
    """Return a sentence on the match-winning chance lost, and the kinds that cost most of it.

    `matches` is the number of all matches. If some are money play, the sentence says how many are
    to a length. `by_equity` are the kinds that cost most equity, first to last. If the same kinds
    cost most chance, in the same order, the sentence gives only their shares. `without` names what
    the chance leaves out.

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


def differences_in_words(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return in which kinds of decision the player loses more, or less, per decision than the opponents.

    Only differences that a test shows are named; of the other kinds the text says that they show
    none. `of_all` is the cost of all decisions.
    """
    sure = [loss for loss in kinds if loss.cost.is_difference_shown]
    worse, better = (
        _list_differences(sure, of_all, is_worse=is_worse) for is_worse in (True, False)
    )
    if worse or better:
        called = "more" if worse else "less"
        but_less = f", but less {better}" if worse and better else ""
        rest = _name_kinds_without_difference(kinds, of_all)
        return (
            f"You lose {called} per decision than your opponents {worse or better}{but_less}{rest}."
        )
    if {loss.cost.sureness for loss in kinds} | {of_all.sureness} == {NOT_TESTED}:
        return (
            "Whether you lose more or less per decision than your opponents is not tested: too few matches or"
            " decisions."
        )
    return (
        "No difference between your and your opponents' loss per decision is shown, in total or in a single"
        " kind of decision."
    )


def _name_kinds_without_difference(kinds: Sequence[KindLoss], of_all: Cost) -> str:
    """Return a semicolon and which kinds of decision show no difference; "" if all show one.

    The total (`of_all`) is named, too, if it shows none.
    """
    unsure = sum(not loss.cost.is_difference_shown for loss in kinds)
    if unsure == len(kinds):
        return "; no single kind shows a difference"
    named = [
        *(["the total"] if not of_all.is_difference_shown else []),
        *(["the other kind" if unsure == 1 else f"the other {unsure} kinds"] if unsure else []),
    ]
    are_several = len(named) > 1 or unsure > 1
    return (
        f"; {join_words(named)} {'show' if are_several else 'shows'} no difference" if named else ""
    )


def _list_differences(sure: Sequence[KindLoss], of_all: Cost, *, is_worse: bool) -> str:
    """Return the kinds of decision in which the player loses more than the opponents, and how sure that is.

    If `is_worse` is False, the kinds in which the player loses less are returned. The loss per
    decision is compared. `sure` are the kinds with a difference that a test shows. If the
    difference in all decisions together (`of_all`) is shown, it comes first.
    """
    pairs = [
        (f"in {loss.label}", loss.cost.sureness) for loss in sure if loss.cost.is_worse is is_worse
    ]
    if of_all.is_difference_shown and of_all.is_worse is is_worse:
        pairs.insert(0, ("in total", of_all.sureness))
    names: dict[str, list[str]] = {}
    for name, sureness in pairs:
        names.setdefault(sureness, []).append(name)
    return ", ".join(
        f"{join_words(alike)} ({'each ' * (len(alike) > 1)}{sureness})"
        for sureness, alike in names.items()
    )


def study_in_words(study: Study) -> str:
    """Return a sentence that names the costliest subjects whose mistakes recur, or says why none is named.

    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> from bganalyze.statistics.profiles.recurring import Lesson
    >>> from bganalyze.statistics.profiles.subjects import Subject
    >>> about = (DecisionKind.CONTACT_PLAY, PositionClass.BLITZ, Role.OWN)
    >>> attack = Subject(*about, 4, 4, 3, 1.5, 50, by_match={1: 0.5, 2: 0.4, 3: 0.6})
    >>> take = attack._replace(kind=DecisionKind.TAKE, position=PositionClass.OTHER, lost=0.5, by_match={1: 0.1, 2: 0.2, 3: 0.2})
    >>> lessons = [Lesson(one, "", 4, ()) for one in (attack, take)]
    >>> study_in_words(Study((attack, take), tuple(lessons), matches=3))
    'Costliest subjects with a lesson, 100 % of the loss: 1. plays: attacking (blitz) (1.50 EMG); 2. wrong takes (0.50). Only 1 before 2 is shown.'
    >>> study_in_words(Study((attack, take), tuple(lessons), matches=2)).partition(". ")[2].rpartition(").")[2]
    ' Too few matches to rank 1 and 2: choose any.'
    >>> study_in_words(Study((attack, take), matches=2))
    'No subject to study stands out: begin with "Costliest decisions".'
    >>> study_in_words(Study((attack, take), matches=1))
    'One match cannot show which errors recur: begin with "Costliest decisions".'
    >>> slips = take._replace(share_of_slips=0.71, slips=2)
    >>> print(study_in_words(Study((slips,), possible_slips=(slips,), matches=3)))
    Wrong takes: 71 % of the cost in 2 losses above 0.5 EMG, which may be slips: look at these games first. No other subject to study stands out: begin with "Costliest decisions".
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
    kinds: Sequence[KindLoss], study: Study, without: str = "", *, is_list_named: bool = False
) -> str:
    """Return a space and a sentence if no numbered subject is about the costliest kind of decision.

    The sentence says where to look instead; it is "" without numbered subjects, as the sentence
    about them says it then. `kinds` has the costliest kind first. `without` names what its share of
    the loss leaves out. If `is_list_named`, the page names a command that lists more decisions.
    """
    lessons, first = study.lessons, kinds[0]
    if not lessons or any(_is_about(lesson.subject, first.kind) for lesson in lessons):
        return ""
    share = f"{100 * first.share.value / sum_costs(kinds):.0f} %{without}"
    none = "None is" if len(lessons) > 1 else "It is not"
    more = " and in the list it names" * is_list_named
    return f' {none} about {first.label} ({share}): study those in "Costliest decisions"{more}.'


def _is_about(subject: Subject, kind: DecisionKind | None) -> bool:
    """Whether a subject has decisions of a kind; doubles missed after Crawford are of two kinds."""
    if subject.position is PositionClass.AFTER_CRAWFORD:
        return kind in KINDS_IN[NO_DOUBLES]
    return subject.kind is kind


def _slips_in_words(subjects: Sequence[Subject]) -> str:
    """Return a sentence, and a space, on subjects whose cost is mostly in possible slips; "" for none.

    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> take = Subject(DecisionKind.TAKE, PositionClass.OTHER, Role.BOTH, 4, 4, 3, 0.5, 50, share_of_slips=0.71, slips=2)
    >>> _slips_in_words([take, take._replace(kind=DecisionKind.PASS, slips=1)]).partition(" EMG, ")[0]
    'Wrong takes: 71 % of the cost in 2 losses, wrong passes: 71 % in 1, above 0.5'
    """
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


def _rank_in_words(alike: int, lessons: int) -> str:
    """Return a sentence on how sure the order of the subjects is; "" for a single one.

    The first `alike` of `lessons` subjects do not differ clearly from the first one in cost.

    >>> _rank_in_words(3, 3), _rank_in_words(1, 3)
    (' Too few matches to rank 1 to 3: choose any.', ' Only 1 before 2 is shown.')
    >>> _rank_in_words(1, 1)
    ''
    """
    if lessons < 2:
        return ""
    if alike < 2:
        return " Only 1 before 2 is shown."
    numbers = "1 and 2" if alike == 2 else f"1 to {alike}"
    return f" Too few matches to rank {numbers}: choose any."
