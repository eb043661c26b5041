"""Places that support one reading of an error that contradicts itself.

An impossible die, a score that does not follow, or an answer without a double cannot be right as
written. Other places show the meaning: the result before a score, the next score, the steps of a
play, or the later use of the cube.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import islice, pairwise
from typing import NamedTuple

from bganalyze.record.model import (
    LEFT,
    RIGHT,
    SIDE_NAMES,
    Action,
    Answer,
    Comment,
    Double,
    Play,
    Resignation,
    Result,
    ScoreLine,
    Side,
    Span,
)
from bganalyze.validation.replaying.board_guesses import AS_RECORDED
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem

OF_SCORES = frozenset(("score-mismatch",))
OF_RESULTS = frozenset(
    (
        "unfounded-win",
        "wrong-points",
        "wrong-winner",
        "impossible-value",
        "match-end-mark",
        "jacoby-gammon",
    )
)
OF_DICE = frozenset(("impossible-die", "opening-double", "play-without-roll", "second-roll"))
OF_ANSWERS = frozenset(("answer-without-double", "unanswered-double"))
AFTER_END, TOO_LONG, UNREADABLE = "action-after-end", "game-after-match", "unreadable-text"

ENDING = (Play, Double, Answer, Resignation)
"""Actions that may end a game."""

ENDS_BEFORE = {
    "missing-header": "the game before ends here",
    TOO_LONG: "the match is over after this",
}
"""Remark on the last action of the previous game, for errors at the beginning of a game."""

Score = tuple[int, int]


class Clue(NamedTuple):
    """A place in the file, and a remark on how an erroneous action elsewhere should read."""

    span: Span
    what: str


class Clues:
    """Finder of clues: places in a match that suggest how an erroneous action should read."""

    def __init__(self, replayed: MatchReplay) -> None:
        self._games = {game.context.game: _Game(game) for game in replayed.games}
        self._order = replayed.order
        self._before, self._after = self._order.before_each(), self._order.after_each()

    def find_for(self, error: MatchProblem) -> list[Clue]:
        """Return the clues to what an erroneous action should read."""
        places = (
            self._find_score_beyond_length(error)
            if error.game is None
            else self._find_clues_in_game(error, error.game)
        )
        return sorted(dict.fromkeys(places))

    def _find_score_beyond_length(self, error: MatchProblem) -> Iterator[Clue]:
        """Yield the last score line as a clue if the match goes on past its length."""
        if error.rule == TOO_LONG:
            scored = (self._games[number].score for number in reversed(self._order.games))
            for score in islice(filter(None, scored), 1):
                yield Clue(score.span, f"the match goes on at {_write_score(score.points)}")

    def _find_clues_in_game(self, error: MatchProblem, number: int) -> Iterator[Clue]:
        """Yield the clues to an error from game `number` and the games before and after it."""
        game = self._games[number]
        before = self._games.get(self._before.get(number, 0))
        after = self._games.get(self._after.get(number, 0))
        if error.rule in OF_SCORES:
            yield from _find_result_before_score(error, before)
            yield from _find_fitting_score(error, game, after)
        elif error.rule in OF_RESULTS or (error.rule == UNREADABLE and game.is_last(error)):
            yield from game.clue_before_result()
            yield from _find_clue_in_next_score(game, after)
        elif error.rule in ENDS_BEFORE and before is not None:
            yield from before.clue_at_last_action(ENDS_BEFORE[error.rule])
        else:
            yield from game.find_clues(error)


class _Game:
    """A replayed game, with an index of its actions to find clues to its errors."""

    def __init__(self, replayed: GameReplay) -> None:
        self._replayed = replayed

    @property
    def score(self) -> ScoreLine | None:
        """The score line of the game."""
        return self._replayed.game.score

    @cached_property
    def _actions(self) -> list[Action]:
        """The actions of the game, without comments."""
        actions = self._replayed.game.actions
        return [action for action in actions if not isinstance(action, Comment)]

    @cached_property
    def _indexes(self) -> dict[Span, int]:
        """Index of each action, by its place in the file."""
        return {action.span: index for index, action in enumerate(self._actions)}

    @cached_property
    def _results(self) -> list[Result]:
        """The result lines of the game."""
        return [action for action in self._actions if isinstance(action, Result)]

    @cached_property
    def _last_ending(self) -> Action | None:
        """The last action that can end a game, or None."""
        acted = (action for action in reversed(self._actions) if isinstance(action, ENDING))
        return next(acted, None)

    @cached_property
    def _last_double(self) -> Double | None:
        """The last double of the game."""
        doubles = (action for action in reversed(self._actions) if isinstance(action, Double))
        return next(doubles, None)

    def find_clues(self, error: MatchProblem) -> Iterator[Clue]:
        """Yield the clues in this game to one of its errors."""
        if error.rule in OF_DICE:
            yield from _describe_distances(self.action_at(error.span))
        elif error.rule in OF_ANSWERS:
            yield from self.clues_after_cube_action(error)
        elif error.rule == AFTER_END:
            yield from self.clue_before(error.span, "the game is over after this")
        elif error.rule == UNREADABLE:
            yield from self.find_clues_around(error)
        if error.reading not in (None, AS_RECORDED):
            yield from self.clue_after(error.span, f'fits "{error.reading}"')

    def action_at(self, span: Span) -> Action | None:
        """Return the action at a place of the file, or None."""
        index = self._indexes.get(span)
        return None if index is None else self._actions[index]

    def clue_before(self, span: Span, remark: str) -> Iterator[Clue]:
        """Yield the action before the one at `span`, if any, as a clue with this remark."""
        index = self._indexes.get(span, 0)
        if index:
            yield Clue(self._actions[index - 1].span, remark)

    def clue_after(self, span: Span, remark: str) -> Iterator[Clue]:
        """Yield the action after the one at `span`, if any, as a clue with this remark."""
        index = self._indexes.get(span, len(self._actions)) + 1
        if index < len(self._actions):
            yield Clue(self._actions[index].span, remark)

    def clue_at_last_action(self, remark: str) -> Iterator[Clue]:
        """Yield the last action of the game as a clue with `remark`."""
        if self._actions:
            yield Clue(self._actions[-1].span, remark)

    @cached_property
    def _cells(self) -> dict[tuple[int, Side | None], int]:
        """Index of each side's first action on each line of the file, by line and side."""
        of_cells = dict[tuple[int, Side | None], int]()
        for index, action in enumerate(self._actions):
            of_cells.setdefault((action.span.line, getattr(action, "side", None)), index)
        return of_cells

    def _find_index(self, error: MatchProblem) -> int | None:
        """Return the index of the erroneous action, or None."""
        index = self._indexes.get(error.span)
        return self._cells.get((error.span.line, error.side)) if index is None else index

    def is_last(self, error: MatchProblem) -> bool:
        """Whether the error is in the last action of the game."""
        return self._find_index(error) == len(self._actions) - 1

    def find_clues_around(self, error: MatchProblem) -> Iterator[Clue]:
        """Yield the actions before and after unreadable text as clues to what that text may be."""
        index = self._find_index(error)
        if index is None:
            return
        side = getattr(self._actions[index], "side", None)
        yield from _describe_distances(self._actions[index])
        following = None if self.is_last(error) else self._actions[index + 1]
        before = self._actions[index - 1] if index else None
        if isinstance(before, Double) and before.side != side:
            yield Clue(before.span, "a double, which the other side answers")
        if isinstance(following, Answer) and following.side != side:
            yield Clue(following.span, "an answer, so a double comes before it")
        elif isinstance(following, Play) and following.side != side:
            yield Clue(following.span, "the other side plays next, so the turn ends before it")
        elif isinstance(following, Result):
            yield Clue(following.span, "the game ends here")

    def clue_before_result(self) -> Iterator[Clue]:
        """Yield the last action before the result as a clue to what the result should be."""
        ending, last = self._replayed.ending, self._last_ending
        if last is None:
            return
        if ending.decided_for is None:
            yield Clue(last.span, "nothing before the result decides the game")
        elif ending.on_board is not None:
            won = f"{_make_player_placeholder(ending.decided_for)} has won {_write_points(ending.on_board)}"
            yield Clue(last.span, f"{won} by the board and the cube here")

    def clues_after_cube_action(self, error: MatchProblem) -> Iterator[Clue]:
        """Yield later actions as clues to whether a double or an answer was really made."""
        index = self._indexes.get(error.span, len(self._actions))
        action = self.action_at(error.span)
        if isinstance(action, Answer):
            index += 1
        following = self._actions[index] if index < len(self._actions) else None
        if isinstance(following, Play):
            yield Clue(following.span, "the game goes on, so no double was passed")
        double = self._last_double
        if double is not None and double.span > error.span and double.value is not None:
            yield Clue(double.span, f"then the cube was at {double.value // 2} before")
        for result in self._results[-1:]:
            yield Clue(result.span, _write_cube_remark(result.points))

    def points_gained(self) -> tuple[Side, int] | None:
        """Return the winner of the game and the points won, or None if unknown."""
        ending = self._replayed.ending
        points = ending.on_board if ending.recorded is None else ending.recorded
        return None if ending.winner is None or points is None else (ending.winner, points)

    def place_of_result(self) -> Span | None:
        """Return the place of the result, or else of the last action, or None."""
        actions = self._results or self._actions
        return actions[-1].span if actions else None


def _find_result_before_score(error: MatchProblem, previous_game: _Game | None) -> Iterator[Clue]:
    """Yield the result before a wrong score line as a clue to the score that should follow."""
    expected = error.about["expected"]
    place = None if previous_game is None else previous_game.place_of_result()
    if previous_game is None or place is None:
        return
    if previous_game.points_gained() is None:
        yield Clue(place, "the game before ends here, without a result")
    elif expected is not None:
        yield Clue(place, f"with this result the score is {_write_score(expected)}")


def _find_fitting_score(
    error: MatchProblem, game: _Game, next_game: _Game | None
) -> Iterator[Clue]:
    """Yield the next score line as a clue if it follows from the written or expected score."""
    gain, this = game.points_gained(), game.score
    following = None if next_game is None else next_game.score
    if gain is None or this is None or following is None or this.names != following.names:
        return
    for score in filter(None, (error.about["score"], error.about["expected"])):
        # The winner's points lead from this score to the next score line.
        if following.points == _add_points_of_winner(score, *gain):
            words = f"the next score, {_write_score(following.points)}, goes on from {_write_score(score)}"
            yield Clue(following.span, words)


def _find_clue_in_next_score(game: _Game, next_game: _Game | None) -> Iterator[Clue]:
    """Yield the next game's score line as a clue to who won this game, and how many points."""
    this, following = game.score, None if next_game is None else next_game.score
    if this is None or following is None or this.names != following.names:
        return
    left, right = (then - now for now, then in zip(this.points, following.points, strict=True))
    words = f"the next score, {_write_score(following.points)}, gives"
    if left and right:
        yield Clue(following.span, f"{words} points to both sides")
    elif left or right:
        winner = _make_player_placeholder(LEFT if left else RIGHT)
        yield Clue(following.span, f"{words} {winner} {_write_points(left or right)}")


def _describe_distances(action: Action | None) -> Iterator[Clue]:
    """Yield a play as a clue with the lengths of its steps: `its steps move by 6, 4`."""
    if not isinstance(action, Play):
        return
    distances = [
        str(source - target) for step in action.steps for source, target in pairwise(step.path)
    ]
    if distances:
        yield Clue(action.span, f"its steps move by {', '.join(distances)}")


def _write_cube_remark(points: int) -> str:
    """Return text on what an odd or even number of points shows about doubles in the game."""
    if points % 2:
        return "an odd number of points: no double was taken, or one was passed"
    return "an even number of points: a double was taken, or a gammon was won"


def _add_points_of_winner(score: Score, winner: Side, points: int) -> Score:
    """Return the score after `winner` wins `points`."""
    gained = [*score]
    gained[winner] += points
    return gained[0], gained[1]


def _write_score(score: Score) -> str:
    """Return a score as text: `3-2`."""
    return f"{score[0]}-{score[1]}"


def _write_points(count: int) -> str:
    """Return a number of points in words: `1 point`, `2 points`."""
    return f"{count} point{'s' * (count != 1)}"


def _make_player_placeholder(side: Side) -> str:
    """Return `{left}` or `{right}`, a placeholder for the player's name."""
    return f"{{{SIDE_NAMES[side]}}}"
