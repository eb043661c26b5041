"""Replaying a match: game after game, each from the score that the record gives it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.facts import Context, Fact, GameReplay
from bganalyze.law import BASIC, Law
from bganalyze.replay.accounts import ending_of, next_scores, result_facts, score_fact
from bganalyze.replay.contexts import context_of, length_of, may_be_crawford, start_of
from bganalyze.replay.game import replay_game
from bganalyze.replay.standing import MOVEMENT, is_throw, with_standings
from bganalyze.replay.starts import better_start
from bganalyze.replay.table import Table
from bganalyze.transcript.model import Game, Match

Scores = set[tuple[int, int]]


class MatchReplay(NamedTuple):
    """A match replayed: its games, and the facts that are about the match as a whole."""

    match: Match
    games: tuple[GameReplay, ...]
    facts: tuple[Fact, ...]
    scores: frozenset[tuple[int, int]]
    """The scores that the last game may have led to."""


def replay(match: Match, law: Law = BASIC) -> MatchReplay:
    """Replay every game of `match` under `law`."""
    games: list[GameReplay] = []
    about_match: list[Fact] = []
    expected: Scores = set()
    crawford_played = False
    for number, game in enumerate(match.games, start=1):
        scores = _scores_before(game, expected)
        recorded = game.score.points if game.score else min(scores)
        about_match.extend(_game_line_facts(match, number, game, expected))
        context = context_of(match, law, number, recorded, scores, crawford_played)
        crawford_played = crawford_played or may_be_crawford(match, law, scores)
        table = _played(match, game, law, number, context)
        last = number == len(match.games)
        ending = ending_of(table)
        facts = [*table.facts, *result_facts(table, last=last)]
        facts += _contestable(facts, table, last=last)
        games.append(
            GameReplay(
                game,
                context,
                tuple(table.turns),
                ending,
                tuple(facts),
            )
        )
        expected = next_scores(table, ending, scores)
    standing = with_standings(games, match, law)
    return MatchReplay(match, standing, tuple(about_match), frozenset(expected))


def _scores_before(game: Game, expected: Scores) -> Scores:
    """The scores that may hold before a game: as recorded, and as the games before it say."""
    if game.score is None:
        return expected or {(0, 0)}
    if game.score.points in expected:
        return {game.score.points}
    return {game.score.points, *expected}


def _played(match: Match, game: Game, law: Law, number: int, context: Context) -> Table:
    """Play the game through; where its start does not fit the plays, from the start that does."""
    start = start_of(context.variant)
    repeats = any(odd.game == number and odd.rule == "row-number" for odd in match.oddities)
    table = Table(game, context, match.profile, law, start, Cube(context.cube), repeats)
    replay_game(table)
    other = better_start(table, start)
    if other is None:
        return table
    fresh = Table(game, context, match.profile, law, other.boards, Cube(context.cube), repeats)
    replay_game(fresh)
    about = {"stated": context.variant, "fits": other.name}
    fresh.facts.insert(0, Fact("variant-mismatch", game.span, about, number))
    return fresh


def _game_line_facts(match: Match, number: int, game: Game, expected: Scores) -> Iterator[Fact]:
    """What the score line says against the games before."""
    length = length_of(match)
    if length and expected and all(max(score) >= length for score in expected):
        score = min(expected)
        yield Fact("game-after-match", game.span, {"score": score}, number)
        return
    if game.score is not None and expected:
        fact = score_fact(match, number, game.score, expected)
        if fact is not None:
            yield fact


def _contestable(facts: list[Fact], table: Table, *, last: bool) -> Iterator[Fact]:
    """An illegal last play that won: nothing is thrown after it."""
    if not last or table.over != "borne-off" or table.past is None:
        return
    play = table.past.play
    if any(is_throw(action) and action.span > play.span for action in table.game.actions):
        return
    for fact in facts:
        if (
            fact.rule in MOVEMENT
            and fact.standing is None
            and fact.turn
            and fact.turn.action is play
        ):
            yield Fact(
                "result-contestable", play.span, {}, fact.game, play.row, play.side, fact.turn
            )
            return
