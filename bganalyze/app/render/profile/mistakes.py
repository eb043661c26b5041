"""Recurring mistakes in words, with boards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from bganalyze.analysis.decision_kinds import (
    GROUPS_OF_KINDS,
    KINDS_IN,
    NO_DOUBLES,
    PLAYS,
    DecisionKind,
)
from bganalyze.analysis.describe import ERROR
from bganalyze.analysis.position_classes import PositionClass, define_class
from bganalyze.app.render.document import Block, Cell, Diagram, Diagrams, Grid, Heading, Note
from bganalyze.app.render.profile.costliest import draw_decision, shorten_board
from bganalyze.app.render.profile.kinds import (
    MOST_CLASSES,
    difference_in_words,
    format_interval,
    rate_cells,
)
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.habits import Habit
from bganalyze.statistics.profiles.kinds import FEWEST_COMPARED, KindLoss
from bganalyze.statistics.profiles.lessons import DOUBLE_AT_ONCE, describe_plan
from bganalyze.statistics.profiles.recurring import (
    CLEARLY_MORE,
    FEWEST_MATCHES,
    FEWEST_OCCASIONS,
    LEAST_IN_CLASSES,
    LEAST_SHARE,
    LEAST_SHOWN,
    MOST_OF_ONE_GAME,
    MUCH_IN_SLIPS,
    MUCH_OF_ONE_GAME,
    OPPONENTS,
    MainOpponent,
    Mistakes,
    Study,
    explain_order,
)
from bganalyze.statistics.reports.figures import Board
from bganalyze.statistics.sureness import NOT_TESTED, SHOWN, describe_sureness
from bganalyze.text import number_of


def list_recurring(
    profile: PlayerProfile, boards: int, paper_names: Mapping[str, str]
) -> Iterator[Block]:
    """Yield each recurring mistake: its subject as heading, a description, and boards.

    A mistake has at most so many `boards`. `paper_names` are the short names of the files on
    printed pages, by path.
    """
    study = profile.study
    if study is None:
        return
    if not study.recurring and len(profile.matches) < FEWEST_MATCHES:
        yield Note(f"a mistake recurs in {FEWEST_MATCHES} matches or more, so one match shows none")
    elif not study.recurring:
        yield Note(
            f"none: no kind of error came {FEWEST_OCCASIONS} times in positions of one named class,"
            f" in {FEWEST_MATCHES} matches or more"
        )
    for number, mistakes in enumerate(study.recurring, 1):
        yield Heading(f"{number}. {mistakes.study[:1].upper()}{mistakes.study[1:]}")
        yield Note(recurring_in_words(mistakes, study.lost, profile.kinds))
        yield Diagrams(
            tuple(_draw_board(board, profile, paper_names) for board in mistakes.boards[:boards])
        )
    if study.oversight is not None and len(profile.matches) >= FEWEST_MATCHES:
        yield Note(f"not recurring: {oversight_in_words(study.oversight)}")
        shown = study.oversight.boards[: min(boards, 1)]
        if shown:
            yield Diagrams(tuple(_draw_board(board, profile, paper_names) for board in shown))


def make_title_of_unnamed(profile: PlayerProfile) -> str:
    """Return the title of the boards of contact errors of no named class: their cost."""
    study = profile.study
    if study is None or study.unnamed is None:
        return "Contact errors of no named class"
    lost = study.unnamed.lost
    return f"Contact errors of no named class: {lost:.2f} EMG, {100 * lost / study.lost:.0f} % of the loss"


def show_unnamed(
    profile: PlayerProfile, boards: int, paper_names: Mapping[str, str]
) -> Iterator[Block]:
    """Yield the costliest contact errors of no named class, which have no common lesson.

    At most so many `boards` are shown. `paper_names` are the short names of the files on printed
    pages, by path.
    """
    study = profile.study
    if study is None or study.unnamed is None or not study.unnamed.boards:
        return
    costliest = "the costliest errors, one of each match" if boards > 1 else "the costliest error"
    yield Note(
        f"{_count_in_words(study.unnamed)}; no definition of a class fits these positions, so no lesson is claimed."
        f" Boards: {costliest}"
    )
    shown = study.unnamed.boards[:boards]
    yield Diagrams(tuple(_draw_board(board, profile, paper_names) for board in shown), small=True)


def _draw_board(board: Board, profile: PlayerProfile, paper_names: Mapping[str, str]) -> Diagram:
    """Return a board of a recurring mistake as a diagram.

    `paper_names` are the short names of the files on printed pages, by path.
    """
    shown = shorten_board(board, profile)
    return draw_decision(shown._replace(title=shown.title.partition(". ")[2]), paper_names)


def note_study_choice(profile: PlayerProfile, boards: int) -> Iterator[Block]:
    """Yield notes on how the mistakes to study were chosen and sorted, and which boards are shown."""
    study = profile.study
    if study is None:
        return
    if study.recurring:
        yield Note(choice_in_words(study))
        plural = "s" if boards > 1 else ""
        of_each = ", one of each match," if boards > 1 else ""
        yield Note(
            "order: cube habits that are shown, unless the opponents lose more by them (then they are sorted as all others; if"
            f" the opponents lose clearly more, {CLEARLY_MORE:.0f} times as much, tested or not, or by a difference that is"
            " shown, they count as no habit); then mistakes that are shown to cost more than at the opponents'"
            " rate in the same positions, by the difference, if it is"
            f" {100 * LEAST_SHARE:.0f} % of the loss or more; then all others by cost, half of it if the"
            " opponents lose clearly more. Mistakes that lost most in one game, or in errors that may be slips,"
            f" come after these, and last those below {100 * LEAST_SHARE:.0f} % of the loss. Boards: the"
            f" costliest error{plural}{of_each} above {LEAST_SHOWN} EMG whose best play does what the title says, while the play made does not. A"
            " title that fits less than half of the errors in a class of positions is replaced by one that fits half,"
            " or names the class and no lesson. The table of further mistakes is sorted by cost alone. Costs"
            f" differ clearly if the differences between matches would by chance be as large less than {100 * SHOWN:.0f} times in 100"
        )


def make_title_of_further(profile: PlayerProfile) -> str:
    """Return the title of the table of recurring mistakes without boards.

    An example is `3 further recurring mistakes: 2.10 EMG, 8 % of the loss`.
    """
    study = profile.study
    if study is None or not study.further:
        return "Further recurring mistakes"
    lost = sum(one.lost for one in study.further)
    others = number_of(len(study.further), "further recurring mistake")
    return f"{others}: {lost:.2f} EMG, {100 * lost / study.lost:.0f} % of the loss"


def tabulate_further(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the recurring mistakes that have no boards as a table, the costliest first, if any."""
    study = profile.study
    if study is None:
        return
    by_cost = sorted(study.further, key=lambda one: -one.lost)
    has_intervals = any(not math.isnan(one.low) for one in by_cost)
    rows = tuple(
        (
            Cell(f"{number}. {one.name}"),
            Cell(f"{one.lost:.2f}"),
            Cell(f"{100 * one.lost / study.lost:.0f} %"),
            Cell(f"{one.errors:,} of {one.decisions:,}"),
            *rate_cells(
                one.rate,
                one.decisions,
                format_interval(one.low, one.high),
                has_intervals=has_intervals,
            ),
            Cell("-" if one.opponents is None else f"{one.opponents:.1f}"),
        )
        for number, one in enumerate(by_cost, len(study.recurring) + 1)
    )
    if rows:
        intervals = ("interval",) if has_intervals else ()
        headings = ("", "EMG", "share", "errors", "rate", *intervals, "theirs")
        yield Grid("", headings, rows)
        yield Note(f"-: fewer than {FEWEST_COMPARED} decisions")


def define_classes(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the definitions of the classes of positions that the profile names."""
    study = profile.study
    if study is None:
        return
    oversight = () if study.oversight is None else (study.oversight,)
    named = (*study.contact[:MOST_CLASSES], *study.recurring, *study.further, *oversight)
    found = dict.fromkeys((mistakes.position, mistakes.role) for mistakes in named)
    classes = [one for one in found if one[0] is not PositionClass.OTHER]
    for position, role in classes:
        called = describe_plan(position, role)
        yield Note(f"{called}: {uncapitalize(define_class(position, role))}")
    if classes:
        yield Note(
            "points are counted from the end of the side that holds them. The words have no exact meaning, so"
            " these are definitions of this program; the first that fits a position counts, and a position that"
            " fits none is in no named class. The class is that of the position: the best play of a single board"
            " may be of another kind"
        )


def uncapitalize(text: str) -> str:
    """Return a text that begins with a small letter.

    >>> uncapitalize("No contact.")
    'no contact.'
    """
    return text[:1].lower() + text[1:]


def choice_in_words(study: Study) -> str:
    """Return when a mistake counts as recurring, and how many recurring mistakes have boards.

    `study` has the recurring mistakes of a player.

    >>> choice_in_words(Study((), None, ())).rpartition(". ")[2]
    'With boards: 0 of 0'
    """
    return (
        f"recurring: {FEWEST_OCCASIONS} errors of one kind or more, of {ERROR} EMG or more each, in"
        f" positions of one named class, in {FEWEST_MATCHES} matches or more, at most"
        f" {100 * MOST_OF_ONE_GAME:.0f} % of the cost in one game. Cube errors of a kind are taken"
        f" together, if those in classes in which they recur have less than {100 * LEAST_IN_CLASSES:.0f} % of"
        " the cost. A run of missed doubles, one after the other, counts once."
        f" With boards: {len(study.recurring)} of {study.number}"
    )


def compare_mistakes(mistakes: Mistakes, kinds: Sequence[KindLoss]) -> str:
    """Return what mistakes would have cost the opponents or usual players, and how sure that is.

    `kinds` have the tested differences from the opponents, by kind of decision.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> mistakes = Mistakes(*about, 4, 4, 4, 3, 0.5, 0.4, 10, 10.0)
    >>> compare_mistakes(mistakes, ())
    'if you had erred as your opponents did: 0.20 EMG, so you lost 0.30 more (not tested)'
    >>> compare_mistakes(mistakes._replace(opponents=None, norm=30.0), ())
    'if you had erred as other players do (norm): 0.60 EMG, so you lost 0.10 less (not tested)'
    >>> compare_mistakes(mistakes._replace(opponents=None), ())
    'the opponents made too few such decisions to compare'
    """
    excess = mistakes.excess
    if excess is None:
        return "the opponents made too few such decisions to compare"
    of_opponents = mistakes.compared_with == OPPONENTS
    others = "your opponents did" if of_opponents else "other players do (norm)"
    sureness = sureness_of_difference(mistakes, kinds) if of_opponents else NOT_TESTED
    if round(abs(excess), 2) == 0:
        return f"if you had erred as {others}: {mistakes.lost:.2f} EMG, as you did ({sureness})"
    return (
        f"if you had erred as {others}: {mistakes.lost - excess:.2f} EMG, so you lost {abs(excess):.2f}"
        f" {'more' if excess > 0 else 'less'} ({sureness})"
    )


def sureness_of_difference(mistakes: Mistakes, kinds: Sequence[KindLoss]) -> str:
    """Return how sure it is that mistakes cost more or less than the opponents': `fairly sure`.

    If the mistakes are all errors of their kinds, the tests are those of `kinds`; else their class
    of positions was tested.
    """
    if not mistakes.is_of_whole_kinds:
        return describe_sureness(mistakes.corrected)
    costs = {loss.label: loss.cost for loss in kinds if loss.kind in mistakes.kinds}
    words = {difference_in_words(cost) for cost in costs.values()}
    if len(words) > 1:
        return ", ".join(f"{label} {difference_in_words(cost)}" for label, cost in costs.items())
    return next((cost.sureness for cost in costs.values()), NOT_TESTED)


def recurring_in_words(mistakes: Mistakes, lost: float, kinds: Sequence[KindLoss] = ()) -> str:
    """Return a recurring mistake in words: how often it was made, its cost and error rate.

    `lost` is the equity (EMG) lost by all decisions. `kinds` have the tested differences from the
    opponents, by kind of decision.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> counts = {"occasions": 4, "errors": 4, "games": 4, "matches": 3, "decisions": 10}
    >>> mistakes = Mistakes(*about, **counts, lost=0.5, share_of_one_game=0.4, opponents=10.0)
    >>> recurring_in_words(mistakes, lost=5.0).partition("; ")[0]
    'wrong takes, under attack (blitz): 4 of 10 takes lost 0.02 EMG or more, in 3 matches'
    """
    return (
        f"{mistakes.name}: {_count_in_words(mistakes)}{_fit_in_words(mistakes)}; with smaller losses {mistakes.lost:.2f} EMG,"
        f" {share_in_words(mistakes, lost)}; {habits_in_words(mistakes)}{_rates_in_words(mistakes)}"
        f"{comparison_and_order_in_words(mistakes, lost, kinds)}"
    )


def comparison_and_order_in_words(
    mistakes: Mistakes, lost: float, kinds: Sequence[KindLoss]
) -> str:
    """Return how mistakes compare with the opponents or the norm, and what ranks them for study.

    An example of the second is `chosen by cost alone`. `lost` is the equity (EMG) lost by all
    errors. `kinds` have the tested differences from the opponents, by kind of decision.
    """
    reason = explain_order(mistakes, lost)
    return compare_mistakes(mistakes, kinds) + f"; {reason}" * bool(reason)


def share_in_words(mistakes: Mistakes, lost: float) -> str:
    """Return the share of mistakes in all that was `lost` (EMG), with doubts about it.

    A doubt is, for example, that most of their cost is in one game.
    """
    return (
        f"{100 * mistakes.lost / lost:.0f} % of the loss{doubts_in_words(mistakes)}"
        f"{apart_in_words(mistakes)}"
    )


def apart_in_words(mistakes: Mistakes) -> str:
    """Return in words which errors a mistake's cost leaves out, such as one oversight; or "".

    After them comes the cost with these errors.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    >>> late = Mistakes(*about, 1, 11, 1, 1, 2.19, 1.0, 11, None)
    >>> apart_in_words(late._replace(position=PositionClass.OTHER, apart=(late,)))
    ', without 2.19 EMG by missed doubles, trailing after Crawford (double there at the first chance): 4.38 EMG in all'
    """
    apart = [one for one in mistakes.apart if round(one.lost, 2)]
    if not apart:
        return ""
    of_these = "".join(
        f", without {one.lost:.2f} EMG by {one.name} ({DOUBLE_AT_ONCE})"
        if one.position is PositionClass.AFTER_CRAWFORD
        else f", without {one.lost:.2f} EMG mostly of one game (below)"
        for one in apart
    )
    return f"{of_these}: {mistakes.lost + sum(one.lost for one in apart):.2f} EMG in all"


def share_of_one_game_in_words(mistakes: Mistakes) -> str:
    """Return `, 73 % of it in one game` if a game has half of a mistake's cost or more, else "".

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> shares = (0.73, 0.5, 0.49)
    >>> [share_of_one_game_in_words(Mistakes(*about, 4, 4, 4, 3, 0.5, share, 10, 10.0)) for share in shares]
    [', 73 % of it in one game', ', 50 % of it in one game', '']
    """
    share = mistakes.share_of_one_game
    return f", {100 * share:.0f} % of it in one game" if share >= MUCH_OF_ONE_GAME else ""


def doubts_in_words(mistakes: Mistakes) -> str:
    """Return how much of a mistake's cost is in one game or in possible slips, if half or more.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.TAKE, PositionClass.BLITZ, Role.OPPONENT)
    >>> doubts_in_words(Mistakes(*about, 4, 4, 4, 3, 0.8, 0.73, 10, 10.0, share_of_slips=0.73))
    ', 73 % of it in one game, 73 % in errors that may be slips'
    """
    share = mistakes.share_of_slips
    slips = f", {100 * share:.0f} % in errors that may be slips" if share >= MUCH_IN_SLIPS else ""
    percent = round(100 * mistakes.share_too_good)
    too_good = f", {percent} % by doubles when too good" if mistakes.habit and percent else ""
    return share_of_one_game_in_words(mistakes) + slips + too_good


def oversight_in_words(mistakes: Mistakes) -> str:
    """Return a run of errors in one game in words, with the place of the costliest.

    >>> from bganalyze.analysis.decision_kinds import DecisionKind
    >>> from bganalyze.analysis.position_classes import PositionClass, Role
    >>> about = (DecisionKind.NO_DOUBLE_BELOW_CASH, PositionClass.AFTER_CRAWFORD, Role.BOTH)
    >>> oversight_in_words(Mistakes(*about, 1, 11, 1, 1, 2.19, 1.0, 11, None)).partition(", so ")[0]
    'missed doubles, trailing after Crawford: 2.19 EMG, 100 % of it in one game'
    """
    is_late = mistakes.position is PositionClass.AFTER_CRAWFORD
    lesson = f", but it is an easy lesson: {DOUBLE_AT_ONCE}" if is_late else ""
    places = [dict(board.facts).get("Place", "") for board in mistakes.boards[:1]]
    at = "".join(f"; the costliest error: {place}" for place in places if place)
    return (
        f"{mistakes.name}: {mistakes.lost:.2f} EMG{share_of_one_game_in_words(mistakes)}, so no habit"
        f" shows{lesson}{at}"
    )


def _count_in_words(mistakes: Mistakes) -> str:
    """Return how many decisions were errors, such as `4 of 10 takes lost 0.02 EMG or more, in 3 matches`."""
    runs = (
        f" ({number_of(mistakes.occasions, 'time')}, some over several turns)"
        if mistakes.errors > mistakes.occasions
        else ""
    )
    counted = (
        f"{mistakes.errors:,} of {number_of(mistakes.decisions, _name_decision(mistakes.kind))}"
    )
    matches = number_of(mistakes.matches, "match")
    return f"{counted} lost {ERROR} EMG or more{runs}, in {matches}{opponent_in_words(mistakes.main_opponent)}"


def opponent_in_words(opponent: MainOpponent | None) -> str:
    """Return which opponent has much of a cost, in how many of its matches; "" for None.

    >>> opponent_in_words(MainOpponent("Bob", 0.47, 11, 3))
    ' (Bob: 47 % of the cost, in 3)'
    """
    if opponent is None:
        return ""
    return f" ({opponent.name}: {100 * opponent.share:.0f} % of the cost, in {opponent.matches_of_opponent:,})"


def _name_decision(kind: DecisionKind) -> str:
    """Return the decision that a rate of this kind counts, such as `take`.

    >>> _name_decision(DecisionKind.NO_DOUBLE_ABOVE_CASH), _name_decision(DecisionKind.RACE_PLAY)
    ('close no double', 'play')
    """
    if kind in KINDS_IN[NO_DOUBLES]:
        return "close no double"
    return "play" if kind in GROUPS_OF_KINDS[PLAYS] else str(kind)


def _fit_in_words(mistakes: Mistakes) -> str:
    """Return in how many errors the best play fits the mistake's title, or "" if it fits in all.

    The title says what to study, such as escaping from behind a prime. In some errors, the best
    play was another one.
    """
    if mistakes.fitting is None or mistakes.fitting == mistakes.errors:
        return ""
    return f" (the title fits {mistakes.fitting:,} of them, as on the boards)"


def _rates_in_words(mistakes: Mistakes) -> str:
    """Return an error rate with others', such as `rate 25.0 (20.0 to 30.0), opponents 10.0; `.

    Returns "" for fewer than `FEWEST_COMPARED` decisions.
    """
    if mistakes.decisions < FEWEST_COMPARED:
        return ""
    theirs = "" if mistakes.opponents is None else f", opponents {mistakes.opponents:.1f}"
    norm = "" if mistakes.norm is None else f", norm {mistakes.norm:.1f}"
    interval = format_interval(mistakes.low, mistakes.high)
    return f"rate {mistakes.rate:.1f}{f' ({interval})' if interval else ''}{theirs}{norm}; "


def habits_in_words(mistakes: Mistakes) -> str:
    """Return in words the cube habit behind these mistakes, or that none is shown.

    These mistakes may also be errors of the opposite kind: a player who doubles too late more often
    may still lose much by a few early doubles. Then the text says so.
    """
    habit = (
        f"{habit_in_words(mistakes.habit)}{_opposite_in_words(mistakes)}; "
        if mistakes.habit
        else ""
    )
    # Who doubles too late more often may lose more by few early doubles.
    opposite = mistakes.opposite_habit
    if opposite is None:
        return habit or f"{mistakes.not_answered}; " * bool(mistakes.not_answered)
    advice = f"so {opposite.words.advice} in general, but not in positions like those on the boards"
    return f"{habit}yet {habit_in_words(opposite)}, {advice}; "


def _opposite_in_words(mistakes: Mistakes) -> str:
    """Return in words the cost of the errors opposite to a habit, if it is about as high, else "".

    It must be at least half as high, and not differ clearly by a test.
    """
    costs, habit = mistakes.costs, mistakes.habit
    if habit is None or costs is None or costs.differ_clearly:
        return ""
    if CLEARLY_MORE * costs.opposite_lost < costs.lost:
        return ""
    less = "less" if costs.opposite_lost <= costs.lost else "more"
    return f"; {habit.words.opposite_name} cost {costs.opposite_lost:.2f} EMG, not clearly {less}"


def habit_in_words(habit: Habit) -> str:
    """Return a cube habit and how sure it is.

    A cube habit is to make one error with the cube more often than the opposite error.

    >>> habit_in_words(Habit("too late", "sure"))
    'too late more often than too early, in comparable decisions: sure'
    """
    return f"{habit.words.said}: {habit.sureness}"
