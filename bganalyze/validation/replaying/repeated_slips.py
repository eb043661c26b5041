"""Slips that a transcriber makes throughout a match, each reported once, at its first place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from bganalyze.board.position import OFF
from bganalyze.record.model import Action, Double, Play
from bganalyze.validation.replaying.layout import WHOLE_GAME
from bganalyze.validation.replaying.one_sided import COLUMN_LOST
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem

STARS = "every step marked as a hit"
STAKE = "the value before the double written for that after it"

FEWEST_PLAYS, FEWEST_DOUBLES = 4, 2
"""Minimum plays, and doubles, that show a habit."""

THROUGHOUT = WHOLE_GAME | {STARS, STAKE, *COLUMN_LOST}
"""Readings that are reported once a match."""


def report_repeated_mistakes_once(games: Sequence[GameReplay]) -> list[GameReplay]:
    """Merge the problems of a mistake repeated in all games into the first such problem."""
    first: dict[str, MatchProblem] = {}
    kept: list[GameReplay] = []
    for game in _name_repeated_mistakes(games):
        alone: list[MatchProblem] = []
        for problem in game.problems:
            reading = problem.reading if problem.reading in THROUGHOUT else None
            if reading is None or reading not in first:
                alone.append(problem)
            if reading is not None:
                first[reading] = (
                    first[reading].with_consequences([problem]) if reading in first else problem
                )
        kept.append(game._replace(problems=tuple(alone)))
    places = {(problem.rule, problem.span): problem for problem in first.values()}
    return [
        game._replace(
            problems=tuple(
                places.get((problem.rule, problem.span), problem) for problem in game.problems
            )
        )
        for game in kept
    ]


def _name_repeated_mistakes(games: Sequence[GameReplay]) -> Iterable[GameReplay]:
    """Return the games with their problems naming the mistake that the transcriber always makes."""
    faulty = {problem.rule for game in games for problem in game.problems}
    readings = {
        rule: reading
        for rule, reading, is_habit in (
            # Either every step is marked as a hit, or doubles have the value before them.
            ("false-hit-mark", STARS, _marks_every_step),
            ("wrong-value", STAKE, _writes_values_before_doubles),
        )
        if rule in faulty and is_habit(games)
    }
    if not readings:
        return games
    return [
        game._replace(
            problems=tuple(
                problem._replace(reading=readings.get(problem.rule, problem.reading))
                for problem in game.problems
            )
        )
        for game in games
    ]


def _marks_every_step(games: Iterable[GameReplay]) -> bool:
    """Whether every step of a match is marked as a hit."""
    plays = [
        action.steps
        for action in _yield_actions(games)
        if isinstance(action, Play) and action.steps
    ]
    return len(plays) >= FEWEST_PLAYS and all(
        step.marked[-1] or step.path[-1] == OFF for steps in plays for step in steps
    )


def _writes_values_before_doubles(games: Iterable[GameReplay]) -> bool:
    """Whether the first double of every game is written with the value before the double."""
    wrong = {
        problem.span: problem.about
        for game in games
        for problem in game.problems
        if problem.rule == "wrong-value"
    }
    doubles = [next(_yield_doubles_with_value(game), None) for game in games]
    first = [double for double in doubles if double is not None]
    return len(first) >= FEWEST_DOUBLES and all(
        double.span in wrong and 2 * wrong[double.span]["value"] == wrong[double.span]["expected"]
        for double in first
    )


def _yield_doubles_with_value(game: GameReplay) -> Iterator[Double]:
    """Yield the doubles of a game that have a cube value."""
    return (
        action
        for action in game.game.actions
        if isinstance(action, Double) and action.value is not None
    )


def _yield_actions(games: Iterable[GameReplay]) -> Iterator[Action]:
    """Yield the actions of all games."""
    return (action for game in games for action in game.game.actions)
