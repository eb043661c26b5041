"""Results and score lines written wrong in the same way throughout a match: each way is one error.

Where several of them do not fit, the match is replayed as it would be without one such habit. What
fits then is counted on the first error that the habit explains; what still does not fit stays as it
is. The games stay as recorded, too: who has won what is disputed wherever it was.
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
    ScoreLine,
    other_side,
)
from bganalyze.validation.replaying.facts import Fact, GameReplay
from bganalyze.validation.replaying.layout import REMARKS
from bganalyze.validation.replaying.points_written import WAYS, EndedGame, points_meant

WINS = "the wins in the other column"
SCORES = "the two scores exchanged"

SCORE, WINNER, POINTS = "score-mismatch", "wrong-winner", "wrong-points"

OF_BOOKS = frozenset(
    (
        *(SCORE, WINNER, POINTS, "impossible-value", "jacoby-gammon"),
        *("unfounded-win", "match-end-mark", "game-after-match"),
    )
)
"""Errors that a habit may explain: they compare results, score lines and the board."""

FEWEST = 2
"""A habit explains at least this many errors."""

FOR_EACH_LEFT = 2
"""A habit explains at least this many errors for each one that it leaves."""


class MatchBooks(NamedTuple):
    """The games of a match, and the facts about its score lines."""

    games: Sequence[GameReplay]
    facts: Sequence[Fact]


class Habit(NamedTuple):
    """A match without a habit of its transcriber: what was meant instead."""

    reading: str
    rule: str
    """The rule that the habit breaks in game after game."""
    meant: Match


Replay = Callable[[Match], MatchBooks]


def one_habit_of_books(
    match: Match, books: MatchBooks, replay: Replay
) -> tuple[MatchBooks, list[Fact]]:
    """Return the books with the errors of one habit counted as one, and those counted on it."""
    errors = _errors(books)
    if len(errors) < FEWEST:
        return books, []
    first, others = _likeliest(match, errors, books, replay)
    return (counted_on(books, first, others), others) if first is not None else (books, [])


def _likeliest(
    match: Match, errors: Sequence[Fact], books: MatchBooks, replay: Replay
) -> tuple[Fact | None, list[Fact]]:
    """Return the first error of the habit that explains most, read so, and the others that it explains."""
    first: Fact | None = None
    most: list[Fact] = []
    for habit in _habits(match, errors, books.games):
        explained = _explained(errors, replay(habit.meant), books)
        start = next((fact for fact in explained if fact.rule == habit.rule), None)
        if start is not None and len(explained) > len(most):
            first, most = start._replace(reading=habit.reading), explained
        if len(most) == len(errors):
            break
    return first, [fact for fact in most if first is None or place_of(fact) != place_of(first)]


def _errors(books: MatchBooks) -> list[Fact]:
    """Return the errors of results and score lines, in their order."""
    return sorted((fact for fact in _facts(books) if fact.rule in OF_BOOKS), key=place_of)


def _facts(books: MatchBooks) -> Iterator[Fact]:
    yield from books.facts
    for game in books.games:
        yield from game.facts


def place_of(fact: Fact) -> tuple[int, int, str]:
    """Return where a fact stands, and its rule."""
    return fact.span.line, fact.span.column, fact.rule


def _explained(errors: Sequence[Fact], left: MatchBooks, books: MatchBooks) -> list[Fact]:
    """Return the errors that are none without a habit; none of them if others come up instead."""
    places = {place_of(fact) for fact in _facts(left) if fact.rule not in REMARKS}
    if not places <= {place_of(fact) for fact in _facts(books)}:
        return []
    explained = [fact for fact in errors if place_of(fact) not in places]
    is_habit = len(explained) >= FOR_EACH_LEFT * (len(errors) - len(explained))
    return explained if is_habit and len(explained) >= FEWEST else []


def counted_on(books: MatchBooks, first: Fact, others: Sequence[Fact]) -> MatchBooks:
    """Return the books with `others` counted on the first error."""
    first = first.with_consequences(others)
    dropped = {place_of(fact) for fact in others}

    def kept(facts: Sequence[Fact]) -> tuple[Fact, ...]:
        replaced = (first if place_of(fact) == place_of(first) else fact for fact in facts)
        return tuple(fact for fact in replaced if place_of(fact) not in dropped)

    games = tuple(game._replace(facts=kept(game.facts)) for game in books.games)
    return MatchBooks(games, kept(books.facts))


# -- habits


def _habits(match: Match, errors: Sequence[Fact], games: Sequence[GameReplay]) -> Iterator[Habit]:
    """Yield the habits that may lead to errors."""
    for rule, reading, meant in (
        (WINNER, WINS, _with_wins_exchanged),
        (SCORE, SCORES, _with_scores_exchanged),
    ):
        first = next((fact.game for fact in errors if fact.rule == rule and fact.game), None)
        # A score is wrong as well where the one before is, which may have been right by chance.
        for start in dict.fromkeys((first, max(first - 1, 1), 1)) if first else ():
            yield Habit(_since(reading, start), rule, _meant(match, start, meant))
    wrong = {fact.game: fact for fact in errors if fact.rule == POINTS and fact.game}
    if len(wrong) < FEWEST:
        return
    start = min(wrong)
    ends = [EndedGame(game, wrong.get(game.context.game)) for game in games[start - 1 :]]
    for way in WAYS:
        won = points_meant(way, ends)
        if len(won) - won.count(None) >= FEWEST:
            rest = map(_with_points, match.games[start - 1 :], won)
            other = match._replace(games=(*match.games[: start - 1], *rest))
            yield Habit(_since(way.reading, start), POINTS, other)


def _since(reading: str, start: int) -> str:
    return f"{reading} throughout" if start <= FEWEST else f"{reading} from game {start} on"


def _meant(match: Match, start: int, meant: Callable[[Game], Game]) -> Match:
    """Return a match with its games from number `start` on as they were meant."""
    games = (
        game if number < start else meant(game) for number, game in enumerate(match.games, start=1)
    )
    return match._replace(games=tuple(games))


def _with_wins_exchanged(game: Game) -> Game:
    """Return a game with its results in the other column."""
    actions = (
        action._replace(side=other_side(action.side))
        if type(action) is Result or _is_outside_rows(action)
        else action
        for action in game.actions
    )
    return game._replace(actions=tuple(actions))


def _is_outside_rows(action: Action) -> TypeGuard[Resignation]:
    """Whether this is a resignation outside the rows: it is read as that of the side that lost."""
    return type(action) is Resignation and action.row is None


def _with_scores_exchanged(game: Game) -> Game:
    """Return a game with the points of its score line exchanged."""
    return game if game.score is None else game._replace(score=_exchanged(game.score))


def _exchanged(score: ScoreLine) -> ScoreLine:
    return score._replace(points=(score.points[1], score.points[0]))


def _with_points(game: Game, points: int | None) -> Game:
    """Return a game with other points in its result."""
    if points is None:
        return game
    actions = (
        action._replace(points=points) if type(action) is Result else action
        for action in game.actions
    )
    return game._replace(actions=tuple(actions))
