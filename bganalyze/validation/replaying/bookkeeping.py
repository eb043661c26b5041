"""Results and score lines that are wrong in the same way throughout a match.

If several do not fit, the match is replayed without one such habit of its transcriber. The errors
that disappear become consequences of the first error that the habit explains; the others stay. The
games also stay as recorded, so their results remain disputed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeGuard

from bganalyze.record.model import (
    Action,
    Game,
    Match,
    Resignation,
    Result,
    other_side,
)
from bganalyze.validation.replaying.layout import REMARKS
from bganalyze.validation.replaying.points_written import WAYS, EndedGame, find_points_meant
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem

WINS = "the wins in the other column"
SCORES = "the two scores exchanged"

SCORE, WINNER, POINTS = "score-mismatch", "wrong-winner", "wrong-points"

OF_BOOKS = frozenset(
    (
        *(SCORE, WINNER, POINTS, "impossible-value", "jacoby-gammon"),
        *("unfounded-win", "match-end-mark", "game-after-match"),
    )
)
"""Errors that a habit may explain, all about results, score lines and the board."""

FEWEST = 2
"""Minimum errors that a habit must explain."""

FOR_EACH_LEFT = 2
"""Minimum errors explained for each error that remains."""


class GamesAndScores(NamedTuple):
    """The replayed games of a match, and the problems about its score lines."""

    games: Sequence[GameReplay]
    problems: Sequence[MatchProblem]


class RepeatedMistake(NamedTuple):
    """A mistake that a transcriber makes all the time, and the match without that mistake."""

    reading: str
    """The name of the mistake."""
    rule: str
    """The rule that the mistake breaks in every game."""
    meant: Match
    """The match as it was meant, without the mistake."""


Replay = Callable[[Match], GamesAndScores]


def merge_errors_of_repeated_mistake(
    match: Match, replayed: GamesAndScores, replay: Replay
) -> tuple[GamesAndScores, list[MatchProblem]]:
    """Merge the errors in results and scores that come from one mistake repeated in several games.

    Return the games and scores with only the first of these errors, and the other errors.
    """
    errors = _find_errors_of_results_and_scores(replayed)
    if len(errors) < FEWEST:
        return replayed, []
    first, others = _find_errors_of_likeliest_mistake(match, errors, replayed, replay)
    return (
        (count_as_consequences(replayed, first, others), others)
        if first is not None
        else (replayed, [])
    )


def _find_errors_of_likeliest_mistake(
    match: Match, errors: Sequence[MatchProblem], replayed: GamesAndScores, replay: Replay
) -> tuple[MatchProblem | None, list[MatchProblem]]:
    """Return the first error that a repeated mistake explains, and the other errors it explains.

    The mistake that explains most errors is chosen. If none explains any, return None and an empty
    list.
    """
    first: MatchProblem | None = None
    most: list[MatchProblem] = []
    # For example, each win is written without the cube.
    for habit in _find_possible_repeated_mistakes(match, errors, replayed.games):
        explained = _select_removed_errors(errors, replay(habit.meant), replayed)
        start = next((problem for problem in explained if problem.rule == habit.rule), None)
        if start is not None and len(explained) > len(most):
            first, most = start._replace(reading=habit.reading), explained
        if len(most) == len(errors):
            break
    return first, [
        problem
        for problem in most
        if first is None or place_and_rule(problem) != place_and_rule(first)
    ]


def _find_errors_of_results_and_scores(replayed: GamesAndScores) -> list[MatchProblem]:
    """Return the errors in results and score lines of a match, in file order."""
    return sorted(
        (problem for problem in _yield_all_problems(replayed) if problem.rule in OF_BOOKS),
        key=place_and_rule,
    )


def _yield_all_problems(replayed: GamesAndScores) -> Iterator[MatchProblem]:
    """Yield the problems of a replay: those of the score lines, then those of each game."""
    yield from replayed.problems
    for game in replayed.games:
        yield from game.problems


def place_and_rule(error: MatchProblem) -> tuple[int, int, str]:
    """Return the line, column and rule of an error, to find the same error in another replay."""
    return error.span.line, error.span.column, error.rule


def _select_removed_errors(
    errors: Sequence[MatchProblem], without_mistake: GamesAndScores, as_recorded: GamesAndScores
) -> list[MatchProblem]:
    """Return the `errors` that disappear when a repeated mistake is undone.

    Return an empty list if new errors appear or too few disappear, because the mistake then
    explains nothing.
    """
    places = {
        place_and_rule(problem)
        for problem in _yield_all_problems(without_mistake)
        if problem.rule not in REMARKS
    }
    # With new errors, or if most errors remain, the mistake is no explanation.
    if not places <= {place_and_rule(problem) for problem in _yield_all_problems(as_recorded)}:
        return []
    explained = [problem for problem in errors if place_and_rule(problem) not in places]
    is_habit = len(explained) >= FOR_EACH_LEFT * (len(errors) - len(explained))
    return explained if is_habit and len(explained) >= FEWEST else []


def count_as_consequences(
    replayed: GamesAndScores, first: MatchProblem, others: Sequence[MatchProblem]
) -> GamesAndScores:
    """Return the replayed games with the errors `others` counted as consequences of `first`."""
    first = first.with_consequences(others)
    dropped = {place_and_rule(problem) for problem in others}

    def without_dropped(problems: Sequence[MatchProblem]) -> tuple[MatchProblem, ...]:
        """Return the errors without `others`, with the new `first` in place of the old."""
        replaced = (
            first if place_and_rule(problem) == place_and_rule(first) else problem
            for problem in problems
        )
        return tuple(problem for problem in replaced if place_and_rule(problem) not in dropped)

    games = tuple(game._replace(problems=without_dropped(game.problems)) for game in replayed.games)
    return GamesAndScores(games, without_dropped(replayed.problems))


# -- habits


def _find_possible_repeated_mistakes(
    match: Match, errors: Sequence[MatchProblem], games: Sequence[GameReplay]
) -> Iterator[RepeatedMistake]:
    """Yield mistakes repeated from some game on that may explain wrong results and scores."""
    # Winners swapped, scores swapped, points written without the cube.
    for rule, reading, meant in (
        (WINNER, WINS, _swap_wins),
        (SCORE, SCORES, _swap_scores),
    ):
        first = next(
            (problem.game for problem in errors if problem.rule == rule and problem.game), None
        )
        # If a score before is wrong too, it may have been right by chance.
        for start in dict.fromkeys((first, max(first - 1, 1), 1)) if first else ():
            yield RepeatedMistake(
                _name_with_start(reading, start), rule, _correct_games(match, start, meant)
            )
    wrong = {problem.game: problem for problem in errors if problem.rule == POINTS and problem.game}
    if len(wrong) < FEWEST:
        return
    start = min(wrong)
    ends = [EndedGame(game, wrong.get(game.context.game)) for game in games[start - 1 :]]
    for way in WAYS:
        won = find_points_meant(way, ends)
        if len(won) - won.count(None) >= FEWEST:
            rest = map(_set_points, match.games[start - 1 :], won)
            other = match._replace(games=(*match.games[: start - 1], *rest))
            yield RepeatedMistake(_name_with_start(way.reading, start), POINTS, other)


def _name_with_start(reading: str, start: int) -> str:
    """Return the name of a repeated mistake that begins with game `start`.

    >>> _name_with_start("left and right swapped", 3)
    'left and right swapped from game 3 on'
    """
    return f"{reading} throughout" if start <= FEWEST else f"{reading} from game {start} on"


def _correct_games(match: Match, start: int, correct: Callable[[Game], Game]) -> Match:
    """Return a match in which `correct` was applied to each game from number `start` on."""
    games = (
        game if number < start else correct(game)
        for number, game in enumerate(match.games, start=1)
    )
    return match._replace(games=tuple(games))


def _swap_wins(game: Game) -> Game:
    """Return a game whose result line names the other side as the winner."""
    actions = (
        action._replace(side=other_side(action.side))
        if type(action) is Result or _is_outside_rows(action)
        else action
        for action in game.actions
    )
    return game._replace(actions=tuple(actions))


def _is_outside_rows(action: Action) -> TypeGuard[Resignation]:
    """Whether this is a resignation written outside the rows of plays."""
    # Its side then follows from the result line.
    return type(action) is Resignation and action.row is None


def _swap_scores(game: Game) -> Game:
    """Return a game with the two scores of its score line swapped."""
    if game.score is None:
        return game
    left, right = game.score.points
    return game._replace(score=game.score._replace(points=(right, left)))


def _set_points(game: Game, points: int | None) -> Game:
    """Return a game whose result states `points`; None leaves the game unchanged."""
    if points is None:
        return game
    actions = (
        action._replace(points=points) if type(action) is Result else action
        for action in game.actions
    )
    return game._replace(actions=tuple(actions))
