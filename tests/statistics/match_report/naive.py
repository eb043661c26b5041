"""Every figure of a match report a second time, from the turns of the replay alone.

Nothing of the tables is used here: the games are gone through action by action.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from bganalyze.board.position import BAR, OFF, pips
from bganalyze.record.model import Answer, Comment, Double, Play
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import GameReplay

START = ((0,) * 6 + (5,) + (0,) + (3,) + (0,) * 4 + (5,) + (0,) * 10 + (2, 0),) * 2

Pair = tuple[Any, Any]


def is_flipped(match: MatchReplay, game: GameReplay) -> bool:
    """Whether the players sit in each other's column."""
    first, score = match.match.names, game.game.score
    return score is not None and score.names == first[::-1] and first[0] != first[1]


def seats(match: MatchReplay, game: GameReplay, pair: Pair) -> Pair:
    return (pair[1], pair[0]) if is_flipped(match, game) else (pair[0], pair[1])


def games(match: MatchReplay) -> list[dict[str, Any]]:
    """Return the games: scores, winner, cube and points."""
    rows = []
    for game in match.games:
        ending = game.ending
        winner = None if ending.winner is None else ending.winner ^ is_flipped(match, game)
        score = seats(match, game, game.context.score)
        won = ending.counting or 0
        rows.append(
            {
                "number": game.context.game,
                "score": score,
                "winner": winner,
                "kind": ending.kind,
                "cube": game.cube.refused or game.cube.value,
                "recorded": ending.recorded,
                "on_board": ending.on_board,
                "counting": ending.counting,
                "after": (score[0] + won * (winner == 0), score[1] + won * (winner == 1)),
            }
        )
    return rows


def ledger(match: MatchReplay) -> dict[str, list[int]]:
    """Return games and points won by kind of ending: left games, right games, left points, right points."""
    rows: dict[str, list[int]] = {}
    for game in match.games:
        if game.ending.winner is None:
            continue
        winner = game.ending.winner ^ is_flipped(match, game)
        for name in (entry(game), "total"):
            row = rows.setdefault(name, [0, 0, 0, 0])
            row[winner] += 1
            row[2 + winner] += game.ending.counting or 0
    return rows


def entry(game: GameReplay) -> str:
    kind = game.ending.kind
    if kind == "borne-off":
        left, right = game.turns[-1].after
        loser = right if not any(left[1:]) else left
        if loser[OFF]:
            return "plain"
        return "backgammon" if any(loser[19 : BAR + 1]) else "gammon"
    if kind.startswith("resigned"):
        return "resigned"
    return kind if kind == "pass" else "off the board"


def rolls(game: GameReplay) -> Iterator[tuple[Any, Play]]:
    """Yield the rolls of a game, without those that the record repeats."""
    for turn in game.turns:
        if isinstance(turn.action, Play) and turn.action.span not in game.not_rolled:
            yield turn, turn.action


def race(match: MatchReplay, game: GameReplay) -> list[tuple[int, Pair]]:
    """Return the pip counts before each roll on a certain board, and after the last."""
    points, last = [], None
    for number, (turn, _) in enumerate(rolls(game)):
        last = (number + 1, turn)
        if turn.verified:
            points.append((number, seats(match, game, tuple(map(pips, turn.before)))))
    if last is not None and last[1].verified:
        points.append((last[0], seats(match, game, tuple(map(pips, last[1].after)))))
    return points


def doubles(match: MatchReplay) -> list[tuple[int, int, str, int]]:
    """Return the doubles: game, seat, answer and the value offered."""
    offers = []
    for game in match.games:
        actions = [t for t in game.turns if not isinstance(t.action, Comment)]
        for index, turn in enumerate(actions):
            action = turn.action
            if not isinstance(action, Double):
                continue
            reply = actions[index + 1].action if index + 1 < len(actions) else None
            answer = "none"
            if isinstance(reply, Answer):
                answer = "take" if reply.taken else "pass"
            elif isinstance(reply, Double):
                answer = "beaver"
            offer = turn.cube.value * (2 if action.kind == "double" else 4)
            offers.append((game.context.game, action.side ^ is_flipped(match, game), answer, offer))
    return offers


def dice(
    match: MatchReplay,
) -> tuple[list[Counter[int]], list[Counter[tuple[int, ...]]], list[int]]:
    """Return faces and rolls of each player, opening rolls apart, and the number of opening rolls."""
    faces, values = (
        [Counter[int](), Counter[int]()],
        [Counter[tuple[int, ...]](), Counter[tuple[int, ...]]()],
    )
    openings = [0, 0]
    for game in match.games:
        has_rolled = False
        for turn, action in rolls(game):
            if action.dice is None or 0 in action.dice:
                continue
            seat = action.side ^ is_flipped(match, game)
            own_side, other_side = turn.before[action.side], turn.before[1 - action.side]
            if not has_rolled and turn.before == START:
                openings[seat] += 1
            elif not (own_side[BAR] and all(other_side[point] >= 2 for point in range(1, 7))):
                faces[seat].update(action.dice)
                values[seat][tuple(sorted(action.dice, reverse=True))] += 1
            has_rolled = True
    return faces, values, openings
