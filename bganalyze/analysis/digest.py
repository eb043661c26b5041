"""The digest of a match, which recognizes the same match in another file.

It covers the rolls, the doubles and their answers, and the resignations, each with the board before
it, and the scores and winners. The sides are distinguished by who acted first, so names and columns
do not matter. Rolls without a play are left out, because programs differ in whether they write
them.

The rows of an analyzed match contain all of this too, so analyses that were stored under an older
digest need not be analyzed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import TO_OFFERS, Kind, find_valid_turns
from bganalyze.board.movement import Dice, are_dice
from bganalyze.board.position import Position, swap_sides
from bganalyze.record.model import Answer, Double, Play, Resignation, Result, other_side
from bganalyze.record.players import plain_name
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import outcome_of
from bganalyze.validation.replaying.replayed import GameReplay, Turn

FEWEST_PLAYS = 8
"""Fewest plays of a match that is recognized without its players: shorter ones may agree by chance."""

SHORT = "short-"
"""The beginning of the digest of a match with fewer plays, which covers the players too."""

MOST_ON_A_POINT = 16
"""The most checkers that an XGID can show on one point."""


class DigestAction(NamedTuple):
    """An action that the hash of a match covers: a played roll, a cube action or a resignation."""

    game: int
    side: int
    word: str
    """The dice, the higher one first, or the cube action."""
    position: Position
    """The position before the act, seen by its side."""

    @property
    def is_roll(self) -> bool:
        """Whether this is a roll that was played."""
        return self.word.isdigit()


class _Outcome(NamedTuple):
    """The score before a game, its winner and its players, by column."""

    score: tuple[int, int]
    winner: int | None
    names: tuple[str, str]


def digest_match(replayed: MatchReplay) -> str | None:
    """Return a hash that identifies a match, the same for every file and format of the match.

    The hash covers the actions and, in a short match, the players' names. The result is None if
    nothing was played.
    """
    acts = [
        act
        for game in replayed.games
        for turn in find_valid_turns(game)
        if (act := _take_action_of_turn(turn, game)) is not None
    ]
    names = replayed.match.names
    outcomes = [
        _Outcome(game.context.score, outcome.winner, game.game.names_or(names))
        for game, outcome in zip(replayed.games, outcome_of(replayed).games, strict=True)
    ]
    return _hash_actions(acts, outcomes)


def digest_rows(rows: Iterable[AnalyzedDecision], results: Iterable[GameResult]) -> str | None:
    """Return the hash of `digest_match` from a match's analyzed decisions and game results."""
    acts = [act for row in rows if (act := _take_action_of_row(row)) is not None]
    outcomes = [
        _Outcome((result.left, result.right), result.winner, (result.left_name, result.right_name))
        for result in results
    ]
    return _hash_actions(acts, outcomes)


def _take_action_of_turn(turn: Turn, game: GameReplay) -> DigestAction | None:
    """Return the action of a turn that the hash of a match covers, or None."""
    match turn.action:
        case Play(side=side, dice=dice) as play if dice is not None and are_dice(dice):
            is_played = play.called_illegal or turn.legality is not None
            word = _write_roll(dice) if is_played else None
        case Double(side=side) as double:
            word = double.kind
        case Answer(side=side) as answer if turn.cube.is_open:
            word = "take" if answer.taken else "pass"
        case Resignation(side=loser) as resignation:
            side = other_side(loser)
            word = None if resignation.declined else GIVEN_UP
        case Result(side=side) if game.ending.kind == "resigned":
            word = GIVEN_UP
        case _:
            return None
    return (
        None if word is None else DigestAction(turn.context.game, side, word, turn.position(side))
    )


def _take_action_of_row(row: AnalyzedDecision) -> DigestAction | None:
    """Return the action of an analyzed decision that the hash of a match covers.

    Return None for a decision not to double, and for a roll without a play.
    """
    word, situation = _WORDS.get(row.kind), row.situation
    if row.kind is Kind.PLAY and row.legal is not None and situation.dice is not None:
        word = _write_roll(situation.dice)
    own = situation.position if situation.on_roll == row.side else swap_sides(situation.position)
    return None if word is None else DigestAction(row.game, row.side, word, own)


GIVEN_UP = "accept"

_WORDS = {kind: kind.value.partition("-")[0] for kind in (Kind.DOUBLE, *TO_OFFERS, Kind.ACCEPT)}
"""The cube action or acceptance without its context: "take" for a take of any offer."""


def _write_roll(dice: Dice) -> str:
    """Return a roll as two digits, the higher first."""
    return f"{max(dice)}{min(dice)}"


def _hash_actions(actions: Sequence[DigestAction], outcomes: Sequence[_Outcome]) -> str | None:
    """Return a hash of the actions of a match and the outcomes of its games, if it has actions."""
    if not actions:
        return None
    # Side 0 is the one that acts first, whatever its column.
    first = actions[0].side
    digest = blake2b(digest_size=12)
    for action in actions:
        digest.update(f"{action.game} {action.side ^ first} {action.word} ".encode())
        checkers = action.position.own[1:] + action.position.other[1:]
        if max(checkers) > MOST_ON_A_POINT:
            checkers = tuple(min(count, MOST_ON_A_POINT) for count in checkers)
        digest.update(bytes(checkers))
    for score, winner, _ in outcomes:
        seen = score[first], score[1 - first], None if winner is None else winner ^ first
        digest.update(repr(seen).encode())
    if sum(action.is_roll for action in actions) >= FEWEST_PLAYS:
        return digest.hexdigest()
    # So short a match may be played by others, too.
    for outcome in outcomes:
        players = map(plain_name, (outcome.names[first], outcome.names[1 - first]))
        digest.update(repr(tuple(players)).encode())
    return SHORT + digest.hexdigest()
