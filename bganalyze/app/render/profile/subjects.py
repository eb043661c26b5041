"""The costliest subjects of a profile as a table, and their lessons with boards."""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterator, Mapping, Sequence

from bganalyze.analysis.decision_kinds import KINDS_IN, NO_DOUBLES
from bganalyze.analysis.describe import ERROR, MAY_BE_SLIP
from bganalyze.analysis.position_classes import PositionClass, define_class
from bganalyze.app.render.document import Block, Cell, Diagram, Diagrams, Grid, Heading, Note
from bganalyze.app.render.profile.costliest import draw_decision, shorten_board
from bganalyze.app.render.profile.cube_habits import compare_with_opposite
from bganalyze.app.render.profile.kinds import format_interval, rate_cells
from bganalyze.statistics.norms import FACTOR
from bganalyze.statistics.profiles import PlayerProfile
from bganalyze.statistics.profiles.lessons import CUBE_LESSONS, PLANS, describe_plan
from bganalyze.statistics.profiles.recurring import (
    LEAST_SHOWN,
    LEAST_STUDIED,
    MOST_SHOWN,
    Lesson,
    Study,
    find_obstacle,
)
from bganalyze.statistics.profiles.subjects import (
    FEWEST_MATCHES,
    FEWEST_OCCASIONS,
    MOST_OF_ONE_GAME,
    MOST_OF_SLIPS,
    RESIGNATIONS,
    Subject,
)
from bganalyze.statistics.reports.figures import Board
from bganalyze.statistics.sureness import describe_sureness
from bganalyze.text import capitalize_first, number_of

MOST_ROWS = 9
"""Most subjects that have a row of their own."""

NO_DIFFERENCE, TOO_FEW = "no difference shown", "too few to say"
"""The verdicts on a subject with a test that shows nothing, and without a test."""


def tabulate_subjects(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a table of the subjects to study, the costliest first.

    Subjects with a lesson are numbered.
    """
    study = profile.study
    if study is None or not study.lost:
        return
    subjects = study.subjects
    numbers = {lesson.subject.name: number for number, lesson in enumerate(study.lessons, 1)}
    shown = _list_shown(study)
    others = [one for one in subjects if one not in shown]
    has_after_crawford = any(one.position is PositionClass.AFTER_CRAWFORD for one in subjects)
    has_intervals = any(not math.isnan(one.low) for one in shown)
    rows = [
        _subject_cells(
            _label_subject(one, numbers.get(one.name), has_after_crawford=has_after_crawford),
            one,
            study.lost,
            has_intervals=has_intervals,
        )
        for one in shown
    ]
    empty = ("",) * (2 + has_intervals)
    if others:
        rows.append(_make_total_cells(f"{len(others)} more", others, study.lost, empty))
    headings = (
        *("", "EMG", "share", "you lose", "errors", "rate"),
        *(("interval",) if has_intervals else ()),
        "theirs",
    )
    total = _make_total_cells("all subjects", subjects, study.lost, empty)
    yield Grid("", headings, tuple(rows), total=total)
    yield Note(
        f"sorted by cost; each decision is in one row. EMG: equity lost; share: of the whole loss; you lose: more or less"
        " per decision than your opponents, corrected for the number of subjects; errors: decisions that lost"
        f" {ERROR} EMG or more, of all; rate: EMG lost per {FACTOR} decisions of the row; interval: 95 %; theirs: the"
        " opponents' rate. Plays: contact plays by class of position, and all others; cube: decisions in all positions"
        f"{_doubles_after_crawford_in_words(subjects)}{_resignations_in_words(subjects)}"
    )
    differing = [one for one in others if one.is_difference_shown]
    if differing:
        named = "; ".join(f"{one.name} ({compare_in_words(one)})" for one in differing)
        yield Note(f"among the {len(others)} more you also differ from the opponents in {named}")
    if profile.stats_call:
        yield Note(_say_how_to_list_rows(profile.stats_call))
    yield Note(_explain_numbers(len(numbers)))
    yield from map(Note, explain_missing_numbers(study))


def _say_how_to_list_rows(stats_call: tuple[str, ...]) -> str:
    """Return words with the command that writes all errors of a player as a table.

    `stats_call` is a `stats` command for this player, in words.

    >>> _say_how_to_list_rows(("stats", "matches", "--player", "Ann")).partition("; ")[0]
    'the errors of every row, as a table: bganalyze export matches --player Ann --least 0.02 --out errors.csv'
    """
    asked = shlex.join(("export", *stats_call[1:], "--least", f"{ERROR}", "--out", "errors.csv"))
    return (
        f"the errors of every row, as a table: bganalyze {asked}; its columns decision_kind, position_class and class_role"
        " name the subject"
    )


def _list_shown(study: Study) -> list[Subject]:
    """Return the subjects that have a row in the table: the costliest, and those with a lesson."""
    wrong = [one for one in study.subjects if one.mistakes]
    numbered = [lesson.subject for lesson in study.lessons]
    return [one for one in wrong if one in wrong[:MOST_ROWS] or one in numbered]


def _label_subject(subject: Subject, lesson_number: int | None, *, has_after_crawford: bool) -> str:
    """Return the first table cell of a subject, such as `1. cube: wrong takes`.

    With `has_after_crawford`, doubles missed after Crawford are a subject of their own.
    """
    is_after = subject.position is PositionClass.AFTER_CRAWFORD
    is_split = has_after_crawford and not is_after and subject.kind in KINDS_IN[NO_DOUBLES]
    name = f"{subject.name}{', not after Crawford' * is_split}"
    return name if lesson_number is None else f"{lesson_number}. {name}"


def _subject_cells(
    label: str, subject: Subject, whole_loss: float, *, has_intervals: bool
) -> tuple[Cell, ...]:
    """Return the table cells of a subject, the first of which is `label`.

    `whole_loss` is the loss in all subjects (EMG), of which the subject's share is shown.
    """
    theirs = "-" if subject.opponents is None else f"{subject.opponents:.1f}"
    verdict = Cell(compare_in_words(subject), tone="info" if subject.is_difference_shown else "")
    return (
        Cell(label),
        *_make_cost_cells([subject], whole_loss, verdict),
        *rate_cells(
            subject.rate,
            subject.decisions,
            format_interval(subject.low, subject.high),
            has_intervals=has_intervals,
        ),
        Cell(theirs),
    )


def _make_total_cells(
    name: str, subjects: Sequence[Subject], whole_loss: float, empty: tuple[str, ...]
) -> tuple[Cell, ...]:
    """Return one row of table cells for several subjects together, the first of which is `name`.

    `whole_loss` is the loss in all subjects (EMG). The texts `empty` take the place of rates.
    """
    return (Cell(name), *_make_cost_cells(subjects, whole_loss, Cell("")), *map(Cell, empty))


def _make_cost_cells(
    subjects: Sequence[Subject], whole_loss: float, verdict: Cell
) -> tuple[Cell, ...]:
    """Return four table cells on one or more subjects: cost, share, `verdict` and mistakes.

    The share is that of `whole_loss`, the loss in all subjects (EMG). `verdict` compares the player
    with the opponents.
    """
    mistakes = sum(one.mistakes for one in subjects)
    decisions = sum(one.decisions for one in subjects)
    cost = sum(one.lost for one in subjects)
    return (
        Cell(f"{cost:.2f}"),
        Cell(f"{100 * cost / whole_loss:.0f} %"),
        verdict,
        Cell(f"{mistakes:,} of {decisions:,}"),
    )


def compare_in_words(subject: Subject) -> str:
    """Return words that compare the player's loss in a subject with the opponents'.

    An example is `more, sure`.
    """
    if subject.p_value is None:
        return TOO_FEW
    if not subject.is_difference_shown:
        return NO_DIFFERENCE
    return f"{'more' if subject.is_worse else 'less'}, {describe_sureness(subject.p_value)}"


def _resignations_in_words(subjects: Sequence[Subject]) -> str:
    """Return a note on resignations and their cost; "" if there are none."""
    for subject in subjects:
        if subject.kind is None:
            return (
                f"; {RESIGNATIONS}: games given up, and answers to that, {subject.lost:.2f} EMG that neither the PR"
                ' nor "Where points are lost" counts'
            )
    return ""


def _doubles_after_crawford_in_words(subjects: Sequence[Subject]) -> str:
    """Return words on the number of decisions to double or not after Crawford; "" for none."""
    # The table by kind counts them with the other missed doubles, whose row here has fewer.
    late = PositionClass.AFTER_CRAWFORD
    decisions = sum(one.decisions for one in subjects if one.position is late)
    counted = number_of(decisions, "decision")
    return f"; {counted} to double or not after Crawford, a subject of their own" * bool(decisions)


def _explain_numbers(number_of_lessons: int) -> str:
    """Return a note on why some subjects in the table are numbered.

    >>> _explain_numbers(0).partition(":")[0]
    'no subject has a number'
    """
    recurring = (
        f"{FEWEST_OCCASIONS} errors or more, in {FEWEST_MATCHES} matches or more, at most"
        f" {100 * MOST_OF_ONE_GAME:.0f} % of the cost in one game (doubles missed one after the other count once), less than"
        f" {100 * MOST_OF_SLIPS:.0f} % in losses above {MAY_BE_SLIP} EMG, which may be slips, {100 * LEAST_STUDIED:g} % of the"
        " whole loss or more without these, and a lesson that fits half of the errors"
    )
    if not number_of_lessons:
        return f"no subject has a number: none has {recurring}"
    return f"numbers: the costliest subjects with {recurring}"


def explain_missing_numbers(study: Study) -> Iterator[str]:
    """Yield a note that explains why some costly subjects have no number, if there are any."""
    numbered = [lesson.subject for lesson in study.lessons]
    least = LEAST_STUDIED * study.lost
    if len(numbered) == MOST_SHOWN:
        least = max(least, numbered[-1].lost)
    names: dict[str, list[str]] = {}
    for subject in study.subjects:
        if subject.lost >= least and subject not in numbered and subject.kind is not None:
            names.setdefault(_explain_missing_number(subject, study.lost), []).append(
                subject.name.partition(": ")[2]
            )
    if names:
        listed = (f"{', '.join(of_reason)} ({reason})" for reason, of_reason in names.items())
        yield f"without a number: {'; '.join(listed)}"


def _explain_missing_number(subject: Subject, whole_loss: float) -> str:
    """Return the reason why a costly subject has no number in the table."""
    obstacle = find_obstacle(subject, whole_loss)
    if obstacle:
        return obstacle
    is_cube = subject.kind in CUBE_LESSONS
    has_lesson = is_cube or bool(PLANS[subject.position][subject.role].plays)
    return "no lesson fits half of the errors" if has_lesson else "no lesson on such positions"


def list_lessons(
    profile: PlayerProfile, most_boards: int, short_names_by_path: Mapping[str, str]
) -> Iterator[Block]:
    """Yield a heading, a note and at most `most_boards` boards for each subject to study."""
    study = profile.study
    if study is None:
        return
    for number, lesson in enumerate(study.lessons, 1):
        yield Heading(f"{number}. {capitalize_first(lesson.subject.name)}")
        compared = compare_with_opposite(lesson.subject, profile)
        yield Note("; ".join((lesson_in_words(lesson), *compared)))
        yield Diagrams(
            tuple(
                _draw_board(board, profile, short_names_by_path)
                for board in lesson.boards[:most_boards]
            )
        )


def lesson_in_words(lesson: Lesson) -> str:
    """Return what to study in a subject, and how many errors it had.

    An example is `study: which doubles to pass; 4 errors in 3 matches`.
    """
    some = f" (in {lesson.fitting:,} of the errors, as below)"
    said = f"study: {lesson.text}{some * (lesson.fitting < lesson.subject.mistakes)}"
    return "; ".join((said, *_count_in_words(lesson.subject)))


def _count_in_words(subject: Subject) -> Iterator[str]:
    """Yield the number of mistakes in a subject, then a remark if only their number is costly."""
    mistakes, matches = (
        number_of(subject.mistakes, "error"),
        number_of(subject.matches, "match"),
    )
    if subject.mistakes > subject.occasions:
        # Only doubles missed one after the other count once.
        missed = number_of(subject.occasions, "missed double")
        mistakes = f"{missed} in {number_of(subject.mistakes, 'turn')},"
    yield f"{mistakes} in {matches}"
    if subject.is_difference_shown and not subject.is_worse:
        yield "costly because frequent: you lose less per decision than your opponents here"


def _draw_board(
    board: Board, profile: PlayerProfile, short_names_by_path: Mapping[str, str]
) -> Diagram:
    """Return a board of a lesson as a diagram."""
    shown = shorten_board(board, profile)
    return draw_decision(shown._replace(title=shown.title.partition(". ")[2]), short_names_by_path)


def note_boards(profile: PlayerProfile) -> Iterator[Block]:
    """Yield a note on how the boards and errors of a lesson are chosen."""
    if profile.study is not None and profile.study.lessons:
        yield Note(
            f"boards: the costliest error of each of the costliest matches, above {LEAST_SHOWN} EMG. A lesson on plays"
            " has only errors whose better play does what the lesson says, while the play made does not. A cube error holds"
            " for the score of the board: at another score the same action may be right"
        )


def define_classes(profile: PlayerProfile) -> Iterator[Block]:
    """Yield the definitions of the classes of positions that occur in the profile."""
    study = profile.study
    if study is None:
        return
    found = dict.fromkeys((one.position, one.role) for one in _list_shown(study))
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
    """Return a text with its first letter in lower case.

    >>> uncapitalize("No contact.")
    'no contact.'
    """
    return text[:1].lower() + text[1:]
