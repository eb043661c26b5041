"""A mistake to study: its question, candidates, cost and source, for cards and forum posts."""

from __future__ import annotations

from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.candidates import RatedPlay, rank_plays, read_chances
from bganalyze.analysis.decisions import GIVING_UP, TO_DOUBLER, Kind
from bganalyze.analysis.describe import Problem, describe_problem
from bganalyze.analysis.engines import Chances
from bganalyze.analysis.gnubg_statistics import CubeError, cube_error
from bganalyze.analysis.position_classes import Role
from bganalyze.analysis.recurrence import Mistake, classify_mistake, is_mistake
from bganalyze.analysis.select import SelectedDecision
from bganalyze.app.render.analyses import engine_in_words, format_cost
from bganalyze.app.render.board import Scene, make_scene
from bganalyze.statistics.profiles.lesson_fit import describe_best_play, fits_lesson
from bganalyze.statistics.profiles.lessons import choose_subject
from bganalyze.text import capitalize_first, number_of

HEADINGS = ("", "equity", "", "win", "gammon", "bg", "lose gammon", "bg")
"""Headings of the table of candidates."""

_OF = {Role.OWN: " (your side)", Role.OPPONENT: " (the opponent's)", Role.BOTH: ""}


class CandidateRow(NamedTuple):
    """A row of the table of candidates."""

    name: str
    numbers: tuple[str, ...]
    is_played: bool = False


class StudiedMistake(NamedTuple):
    """A mistake in the words of a card or a post. `you` are the side that decides."""

    question: str
    state: str
    """The score and the cube."""
    scene: Scene
    xgid: str
    best: str
    played: str
    """The action that was made, with its cost."""
    candidates: tuple[CandidateRow, ...]
    """Rows of the table of candidates under `HEADINGS`."""
    equities: str
    """The equities in words; empty if the table has them."""
    study: str
    """The class of the position, and the subject to study if one is about this mistake; empty for no class."""
    recurs: str
    """Number of mistakes of this kind, and the cost of this one times that number."""
    comment: str
    engine: str
    source: str
    problem: Problem
    mistake: Mistake | None


def describe_mistake(selected: SelectedDecision) -> StudiedMistake | None:
    """Return a wrong decision in words, for a card or a post; return None for a right decision."""
    row, key = selected.row, selected.match.key
    problem = describe_problem(row)
    if problem is None or not is_mistake(row):
        # It was right, illegal, or not analyzed.
        return None
    names = ("you", "opponent") if row.side == 0 else ("opponent", "you")
    degree = ", ".join(filter(None, (problem.error, problem.mark)))
    candidates = tuple(_make_candidate_rows(row))
    mistake = classify_mistake(row)
    return StudiedMistake(
        question=f"{capitalize_first(problem.question)}?",
        state=_describe_score_and_cube(row),
        scene=make_scene(row.situation, names, flipped=row.side == 1),
        xgid=row.xgid,
        best=problem.best,
        played=f"{problem.made}, which cost {format_cost(problem, money=not row.length)}"
        + (f" ({degree})" if degree else ""),
        candidates=candidates,
        equities="" if row.kind is Kind.PLAY and candidates else _describe_equities(row),
        study="" if mistake is None else _describe_study(row, mistake),
        recurs=_describe_recurrence(selected, mistake),
        comment=selected.comment,
        engine=engine_in_words(key.engine, key.version, row.depth or key.level),
        source=_describe_source(selected),
        problem=problem,
        mistake=mistake,
    )


def _describe_score_and_cube(row: AnalyzedDecision) -> str:
    """Return the score and the cube in words, such as `You 3, opponent 5, to 7. Cube 2, yours`."""
    yours, theirs = row.situation.scores[row.side], row.situation.scores[1 - row.side]
    if not row.length:
        score = f"Money game{', Jacoby rule' if row.situation.jacoby else ''}."
    elif row.crawford:
        score = f"Crawford game, you {yours}, opponent {theirs}, to {row.length}."
    else:
        score = f"You {yours}, opponent {theirs}, to {row.length}."
    owners = {None: "in the middle", row.side: "yours", 1 - row.side: "your opponent's"}
    return f"{score} Cube {row.cube}, {owners[row.owner]}."


def _make_candidate_rows(row: AnalyzedDecision) -> list[CandidateRow]:
    """Return the table rows of a decision's candidates.

    These are the rated plays, or the winning chances before a cube decision.
    """
    if row.kind is Kind.PLAY:
        return [_make_play_row(play, row) for play in rank_plays(row.plays)]
    chances = read_chances(row.chances)
    if chances is None:
        return []
    whose = "the doubler's chances" if row.kind in TO_DOUBLER else "your chances"
    return [CandidateRow(whose, ("", "", *_format_chances(chances)))]


def _make_play_row(play: RatedPlay, decision: AnalyzedDecision) -> CandidateRow:
    """Return the table row of a play that an engine rated."""
    best = play.equity if decision.best is None else decision.best
    behind = f"{play.equity - best:+.3f}" if play.equity < best else ""
    numbers = (f"{play.equity:+.3f}", behind, *_format_chances(play.chances))
    return CandidateRow(play.play, numbers, play.is_made)


def _format_chances(chances: Chances | None) -> tuple[str, ...]:
    """Return five chances as texts in percent; "" five times if they are unknown.

    >>> _format_chances(None)
    ('', '', '', '', '')
    """
    if chances is None:
        return ("",) * len(Chances._fields)
    return tuple(f"{100 * chance:.1f}" for chance in chances)


def _describe_equities(row: AnalyzedDecision) -> str:
    """Return equities in words, such as `Equity: +0.120; as played +0.050`."""
    if row.kind is Kind.PLAY or row.kind in GIVING_UP:
        return f"Equity: {row.best:+.3f}; as played {row.reached:+.3f}"
    whose = " (the doubler's)" if row.kind in TO_DOUBLER else ""
    return f"Equity{whose}: no double {row.no_double:+.3f}, take {row.take:+.3f}, pass {row.passed:+.3f}"


def _is_too_good_to_double(row: AnalyzedDecision) -> bool:
    """Whether a double was wrong because the player was too good to double."""
    error = cube_error(row)
    return error is not None and error[0] is CubeError.WRONG_ABOVE_TG


def _describe_study(row: AnalyzedDecision, mistake: Mistake) -> str:
    """Return words on the lesson of a mistake, such as `Blitz (your side). To study: …`.

    `To study` is left out if the better play is no example of the lesson.
    """
    named = f"{capitalize_first(mistake.position)}{_OF[mistake.role]}."
    if row.kind is Kind.PLAY and not _fits_lesson(row, mistake):
        return named
    return f"{named} To study: {choose_subject(*mistake, float(_is_too_good_to_double(row)))}."


def _fits_lesson(row: AnalyzedDecision, mistake: Mistake) -> bool:
    """Whether the better play is an example of the lesson on a mistake."""
    if row.better is None:
        return False
    best = describe_best_play(row.better, row.situation.position, row.played or "")
    return fits_lesson(mistake.position, mistake.role, best)


def _describe_recurrence(selected: SelectedDecision, mistake: Mistake | None) -> str:
    """Return words on how often this kind of mistake was made: `3 mistakes of this kind; …`.

    The words are "" if it was made only once.
    """
    if mistake is None or selected.recurs == 1:
        return ""
    times = number_of(selected.recurs, "mistake")
    return f"{times} of this kind; cost times number: {selected.priority:.3f} EMG"


def _describe_source(selected: SelectedDecision) -> str:
    """Return where a decision is from: players, date, game and row."""
    left, right = selected.names
    match, label = selected.match, (selected.row.row or "").strip()
    day = f"{match.date:%Y-%m-%d}, " if match.date else ""
    row = f", row {label}" if label else ""
    return f"{left} – {right}, {day}game {selected.row.game}{row}; played by {selected.player}"
