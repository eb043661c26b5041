"""Recurring mistakes in words, with boards."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.app.render.answers import diagram_of_board
from bganalyze.app.render.document import Block, Diagrams, Note
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.recurring import (
    FEWEST_OCCASIONS,
    LEAST_SHOWN,
    Mistakes,
)
from bganalyze.text import number_of

_ORDER = (
    "order: first mistakes that cost more than at the opponents' rate in the same positions, by the excess;"
    " then those without enough decisions of the opponents, then those that cost no more, by their cost."
    " Some of these differences are chance"
)

_BOARDS = f"boards: the costliest error of each match, none of {LEAST_SHOWN} EMG or less (unmarked by GNU Backgammon)"


def list_recurring(profile: PlayerProfile, boards: int) -> Iterator[Block]:
    """Yield each recurring mistake in words, with its first boards."""
    study = profile.study
    if study is None:
        return
    if not study.recurring:
        yield Note(
            f"none: no kind of error came {FEWEST_OCCASIONS} times in positions of one named class,"
            " in several matches"
        )
    for number, mistakes in enumerate(study.recurring, 1):
        yield Note(f"{number}. {recurring_in_words(mistakes)}")
        yield Diagrams(tuple(map(diagram_of_board, mistakes.boards[:boards])))


def note_study_choice(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a note on the costliest lapse of a single game, and one on how the mistakes are sorted.

    The lapse is not among the recurring mistakes to study, because it did not recur.
    """
    study = profile.study
    if study is not None and study.oversight is not None:
        yield Note(f"not recurring: {oversight_in_words(study.oversight)}")
    if study is not None and study.recurring:
        yield Note(f"{_ORDER}; {_BOARDS}")


def recurring_in_words(mistakes: Mistakes) -> str:
    """Return a recurring mistake in words: how often it came, what it cost, and what to study.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> recurring_in_words(Mistakes(*about, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)).partition(". Study: ")[0]
    'wrong takes, under attack (blitz): 4 times in 3 matches, 0.500 EMG; rate 25.0, opponents 10.0'
    """
    return (
        f"{mistakes.name}: {_count_in_words(mistakes)}, {mistakes.lost:.3f} EMG;"
        f" {_rates_in_words(mistakes)}. Study: {mistakes.study}"
    )


def oversight_in_words(mistakes: Mistakes) -> str:
    """Return a run of errors in one game in words.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    >>> oversight_in_words(Mistakes(*about, 1, 11, 1, 1, 2.19, 1.0, 11, None)).partition(". Study: ")[0]
    'missed doubles, trailing after Crawford: 1 time (11 turns) in 1 match, 2.190 EMG, 100 % of it in one game, so no habit shows'
    """
    share = f"{100 * mistakes.share_of_one_game:.0f} % of it in one game"
    return (
        f"{mistakes.name}: {_count_in_words(mistakes)}, {mistakes.lost:.3f} EMG, {share}, so no habit"
        f" shows. Study: {mistakes.study}"
    )


def _count_in_words(mistakes: Mistakes) -> str:
    """Return how often a mistake came; a run of missed doubles counts once, with its turns."""
    times = number_of(mistakes.occasions, "time")
    turns = f" ({mistakes.errors:,} turns)" if mistakes.errors > mistakes.occasions else ""
    return f"{times}{turns} in {number_of(mistakes.matches, 'match')}"


def _rates_in_words(mistakes: Mistakes) -> str:
    """Return a mistake's rate, the opponents', and the norm (the usual rate of other players)."""
    opponents = (
        "too few of the opponents to compare"
        if mistakes.opponents is None
        else f"opponents {mistakes.opponents:.1f}"
    )
    norm = "" if mistakes.norm is None else f", norm {mistakes.norm:.1f}"
    return f"rate {mistakes.rate:.1f}, {opponents}{norm}"
