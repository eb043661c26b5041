"""Recurring mistakes in words, with boards."""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.analysis.describe import LEAST
from bganalyze.analysis.position_classes import DEFINITIONS, PositionClass
from bganalyze.app.render.answers import diagram_of_board
from bganalyze.app.render.document import Block, Diagram, Diagrams, Note
from bganalyze.app.render.profile.costliest import shorten_board
from bganalyze.app.render.profile.kinds import MOST_CLASSES
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.lessons import describe_plan
from bganalyze.statistics.profiles.recurring import (
    FEWEST_MATCHES,
    FEWEST_OCCASIONS,
    LEAST_SHARE,
    LEAST_SHOWN,
    MOST_OF_ONE_GAME,
    MUCH_OF_ONE_GAME,
    Mistakes,
    Study,
)
from bganalyze.statistics.reports.figures import Board
from bganalyze.text import number_of


def list_recurring(profile: PlayerProfile, boards: int) -> Iterator[Block]:
    """Yield each recurring mistake in words, with its first boards."""
    study = profile.study
    if study is None or profile.cost is None:
        return
    if not study.recurring:
        yield Note(
            f"none: no kind of error came {FEWEST_OCCASIONS} times in positions of one named class,"
            f" in {FEWEST_MATCHES} matches or more"
        )
    for number, mistakes in enumerate(study.recurring, 1):
        yield Note(f"{number}. {recurring_in_words(mistakes, profile.cost.lost)}")
        yield Diagrams(tuple(_diagram(board, profile) for board in mistakes.boards[:boards]))


def _diagram(board: Board, profile: PlayerProfile) -> Diagram:
    """Return a board as a diagram, without its number in a list."""
    shown = shorten_board(board, profile)
    return diagram_of_board(shown._replace(title=shown.title.partition(". ")[2]))


def note_study_choice(profile: PlayerProfile, boards: int) -> Iterator[Block]:
    """Yield notes on how the mistakes to study were chosen.

    The first names the costliest run of errors in one game, which does not recur; others say how
    the recurring mistakes are chosen and sorted, and which boards are shown.
    """
    study = profile.study
    if study is None:
        return
    if study.oversight is not None:
        yield Note(f"not recurring: {oversight_in_words(study.oversight)}")
    if study.recurring:
        yield Note(choice_in_words(study))
        of_each = " of each match" if boards > 1 else ""
        yield Note(
            "order: first mistakes that cost more than at the opponents' rate in the same positions, by the"
            " difference; then those in positions that the opponents hardly had; then the others; last those"
            f" below {100 * LEAST_SHARE:.0f} % of the loss. Some differences are chance. Boards: the costliest"
            f" error{of_each}, if above {LEAST_SHOWN} EMG"
        )


def define_classes(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the definitions of the classes of positions that the profile names."""
    study = profile.study
    if study is None:
        return
    oversight = () if study.oversight is None else (study.oversight,)
    named = (*study.contact[:MOST_CLASSES], *study.recurring, *oversight)
    phrases: dict[PositionClass, list[str]] = {}
    for mistakes in named:
        of_class = phrases.setdefault(mistakes.position, [])
        of_class.append(describe_plan(mistakes.position, mistakes.role))
    for position, names in phrases.items():
        if position is not PositionClass.OTHER:
            called = ", ".join(dict.fromkeys(names))
            yield Note(f"{called}: {uncapitalize(DEFINITIONS[position])}")
    if phrases:
        yield Note(
            "the side: the one whose plan it is; points are counted from its own end. The words have no exact"
            " meaning, so these are definitions of this program; the first that fits a position counts, and a"
            " position that fits none is in no named class"
        )


def uncapitalize(text: str) -> str:
    """Return a text that begins with a small letter.

    >>> uncapitalize("No contact.")
    'no contact.'
    """
    return text[:1].lower() + text[1:]


def choice_in_words(study: Study) -> str:
    """Return which errors make a recurring mistake, and how many such mistakes are shown.

    >>> choice_in_words(Study((), None, (), 7)).partition(". ")[2]
    '0 of 7 are shown'
    """
    return (
        f"recurring: {FEWEST_OCCASIONS} errors of one kind or more, of {LEAST} EMG or more each, in"
        f" positions of one named class, in {FEWEST_MATCHES} matches or more, at most"
        f" {100 * MOST_OF_ONE_GAME:.0f} % of the cost in one game; doubles missed one after the other count"
        f" once. {len(study.recurring)} of {study.number} are shown"
    )


def recurring_in_words(mistakes: Mistakes, lost: float) -> str:
    """Return a recurring mistake in words: how often it came, what it cost of all that was `lost`.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> recurring_in_words(Mistakes(*about, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0), 5.0).partition(". Study: ")[0]
    'wrong takes, under attack (blitz): 4 of 10 decisions, in 3 matches, 0.500 EMG, 10 % of the loss; rate 25.0, opponents 10.0'
    """
    share = f"{100 * mistakes.lost / lost:.0f} % of the loss{share_of_one_game_in_words(mistakes)}"
    return (
        f"{mistakes.name}: {_count_in_words(mistakes)}, {mistakes.lost:.3f} EMG, {share};"
        f" {_rates_in_words(mistakes)}. Study: {mistakes.study}"
    )


def share_of_one_game_in_words(mistakes: Mistakes) -> str:
    """Return the share of the cost in the game with most of it, after a comma, if it is half or more; else "".

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> shares = (0.73, 0.5, 0.49)
    >>> [share_of_one_game_in_words(Mistakes(*about, 4, 4, 4, 3, 0.5, share, 10, 10.0)) for share in shares]
    [', 73 % of it in one game', ', 50 % of it in one game', '']
    """
    share = mistakes.share_of_one_game
    return f", {100 * share:.0f} % of it in one game" if share >= MUCH_OF_ONE_GAME else ""


def oversight_in_words(mistakes: Mistakes) -> str:
    """Return a run of errors in one game in words, with the place of the costliest.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    >>> oversight_in_words(Mistakes(*about, 1, 11, 1, 1, 2.19, 1.0, 11, None)).partition(". Study: ")[0]
    'missed doubles, trailing after Crawford: 11 of 11 decisions (1 run), in 1 match, 2.190 EMG, 100 % of it in one game, so no habit shows'
    """
    share = f"{100 * mistakes.share_of_one_game:.0f} % of it in one game"
    places = [dict(board.facts).get("Place", "") for board in mistakes.boards[:1]]
    at = "".join(f"; the costliest at {place}" for place in places if place)
    return (
        f"{mistakes.name}: {_count_in_words(mistakes)}, {mistakes.lost:.3f} EMG, {share}, so no habit"
        f" shows{at}. Study: {mistakes.study}"
    )


def _count_in_words(mistakes: Mistakes) -> str:
    """Return how many decisions were errors, such as `4 of 10 decisions, in 3 matches`.

    If several missed doubles in a row count once, the number of such runs follows.
    """
    runs = f" ({number_of(mistakes.occasions, 'run')})" * (mistakes.errors > mistakes.occasions)
    counted = f"{mistakes.errors:,} of {number_of(mistakes.decisions, 'decision')}"
    return f"{counted}{runs}, in {number_of(mistakes.matches, 'match')}"


def _rates_in_words(mistakes: Mistakes) -> str:
    """Return a mistake's error rate beside others, such as `rate 25.0, opponents 10.0, norm 8.0`.

    The norm is the usual rate of other players.
    """
    opponents = (
        "the opponents had too few"
        if mistakes.opponents is None
        else f"opponents {mistakes.opponents:.1f}"
    )
    norm = "" if mistakes.norm is None else f", norm {mistakes.norm:.1f}"
    return f"rate {mistakes.rate:.1f}, {opponents}{norm}"
