"""Replaying a match: game after game, each from the score that the record gives it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.law import BASIC, Law
from bganalyze.names import plain_name
from bganalyze.replaying.accounts import ending_of, result_facts
from bganalyze.replaying.exchanged import with_columns_exchanged
from bganalyze.replaying.facts import Context, Fact, GameReplay
from bganalyze.replaying.game import replay_game
from bganalyze.replaying.scores import (
    Scores,
    ends_match,
    next_scores,
    score_line_facts,
    scores_before,
)
from bganalyze.replaying.standing import MOVEMENT, is_throw, with_standings
from bganalyze.replaying.starts import better_start
from bganalyze.replaying.state import Table
from bganalyze.replaying.terms import Terms, context_of, may_be_crawford, start_of, terms_of
from bganalyze.transcript.model import Game, Match


class MatchReplay(NamedTuple):
    """A match replayed: its games, and the facts that are about its score lines."""

    match: Match
    games: tuple[GameReplay, ...]
    facts: tuple[Fact, ...]
    scores: frozenset[tuple[int, int]]
    """The scores that the last game may have led to."""


@dataclass(slots=True)
class _Course:
    """What one game hands to the next; changed by each in its turn."""

    expected: Scores = field(default_factory=set)
    """The scores that the next score line may show."""
    crawford_played: bool = False
    overrun: bool = False
    """Whether games follow the end of the match: then its length is in doubt."""
    names: tuple[str, ...] | None = None


def replay(match: Match, law: Law = BASIC) -> MatchReplay:
    """Replay every game of `match` under `law`."""
    course, terms = _Course(), terms_of(match, law)
    games: list[GameReplay] = []
    about_scores: list[Fact] = []
    for number, game in enumerate(match.games, start=1):
        _follow_names(course, game)
        about_scores.extend(_score_facts(match, number, game, course))
        games.append(_replayed(match, law, terms, number, game, course))
    standing = with_standings(games, law)
    return MatchReplay(match, standing, tuple(about_scores), frozenset(course.expected))


def _follow_names(course: _Course, game: Game) -> None:
    """Where the columns are exchanged between games, so are the scores to expect."""
    if game.score is None:
        return
    names = tuple(plain_name(name) for name in game.score.names)
    if course.names is not None and names == course.names[::-1] and names[0] != names[1]:
        course.expected = {(right, left) for left, right in course.expected}
    course.names = names


def _score_facts(match: Match, number: int, game: Game, course: _Course) -> Iterator[Fact]:
    over_at = ends_match(match, game, course.expected)
    if over_at is not None:
        if not course.overrun:
            yield Fact("game-after-match", game.span, {"score": over_at}, number)
        course.overrun = True
        return
    if not _is_after_gap(match, number):
        yield from score_line_facts(match, number, game, course.expected)


def _is_after_gap(match: Match, number: int) -> bool:
    """Whether a game is missing before this one: then its score follows from what is not there."""
    if number < 2:
        return False
    before, now = match.games[number - 2].number, match.games[number - 1].number
    return before is not None and now is not None and now > before + 1


def _replayed(
    match: Match, law: Law, terms: Terms, number: int, game: Game, course: _Course
) -> GameReplay:
    """Replay one game, and note in `course` what it leads to."""
    scores = scores_before(game, course.expected)
    recorded = game.score.points if game.score else min(scores)
    context = context_of(terms, game, number, recorded, scores, course.crawford_played)
    if course.overrun:
        context = context._replace(length=None, crawford=False)
    course.crawford_played = course.crawford_played or may_be_crawford(terms, scores)
    table = _played(match, game, law, context)
    last = number == len(match.games)
    ending = ending_of(table)
    facts = [*table.facts, *result_facts(table, last=last)]
    facts += _contestable(facts, table, last=last)
    course.expected = next_scores(table, ending, scores)
    not_thrown, cube = frozenset(table.not_thrown), table.cube
    return GameReplay(game, context, tuple(table.turns), ending, tuple(facts), not_thrown, cube)


def _played(match: Match, game: Game, law: Law, context: Context) -> Table:
    """Play the game through: as recorded or, where that does not fit, as it does."""
    start = start_of(context.variant)
    number = context.game
    odd_rows = tuple(
        odd.span.line for odd in match.oddities if odd.game == number and odd.rule == "row-number"
    )

    def fresh(actions: Game, boards: tuple[tuple[int, ...], tuple[int, ...]]) -> Table:
        table = Table(actions, context, match.profile, law, boards, Cube(context.cube), odd_rows)
        replay_game(table)
        return table

    table = fresh(game, start)
    other = better_start(table, start)
    if other is not None:
        table = fresh(game, other.boards)
        about = {"stated": context.variant, "fits": other.name}
        table.facts.insert(0, Fact("variant-mismatch", game.span, about, number))
        return table
    return with_columns_exchanged(table, lambda turned: fresh(turned, start))


def _contestable(facts: list[Fact], table: Table, *, last: bool) -> Iterator[Fact]:
    """An illegal last play that won: nothing is thrown after it."""
    if not last or table.over != "borne-off" or table.last_play is None:
        return
    play = table.last_play
    later = (action for action in table.game.actions if action.span > play.span)
    if any(is_throw(action) and action.span not in table.not_thrown for action in later):
        return
    of_play = (fact for fact in facts if fact.turn is not None and fact.turn.action is play)
    if any(fact.rule in MOVEMENT and fact.standing is None for fact in of_play):
        game = table.context.game
        yield Fact("result-contestable", play.span, {}, game, play.row, play.side)
