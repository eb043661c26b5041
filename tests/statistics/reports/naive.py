"""Every figure of the reports a second time, by one plain pass over the turns of replayed matches.

Nothing of the tables or the features is used here: checkers are counted, and rolls are played out
with the legal plays. A figure is a pair of sums, kept under player, section and name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product
from math import nan
from typing import Any

from bganalyze.board.cube import is_dead
from bganalyze.board.equities import match_winning_chance
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position, pips
from bganalyze.record.model import Answer, Double, Play
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import GameReplay, Turn

ALL = tuple(product(range(1, 7), repeat=2))
START = ((0,) * 6 + (5,) + (0,) + (3,) + (0,) * 4 + (5,) + (0,) * 10 + (2, 0),) * 2


class Sums:
    """Sums of occurrences, of chances, and of expected occurrences."""

    def __init__(self) -> None:
        self.sums: dict[tuple[str, ...], list[float]] = defaultdict(lambda: [0.0, 0.0, 0.0])

    def add(self, *key: str, count: float, of: float = 1, expected: float = 0) -> None:
        """Add to a figure; `of` says how many units it is counted of."""
        for index, value in enumerate((count, of, expected)):
            self.sums[key][index] += float(value)


def names_of(replay: MatchReplay, game: GameReplay) -> tuple[str, str]:
    names = game.game.score.names if game.game.score else replay.match.names
    left, right = (name.strip() for name in names)
    return left, right


def points(replays: Sequence[MatchReplay]) -> Sums:
    """Return the figures of games and the ledger."""
    sums = Sums()
    for replay in replays:
        for game in replay.games:
            _game(sums, game, names_of(replay, game))
        _match(sums, replay)
    return sums


def _game(sums: Sums, game: GameReplay, names: tuple[str, str]) -> None:
    ending, cube = game.ending, game.cube
    if ending.winner is None:
        return
    won = ending.counting or 0
    winner, loser = names[ending.winner], names[1 - ending.winner]
    entry, size = _entry(game)
    for name, sign in ((winner, 1), (loser, -1)):
        sums.add(name, "Games", "games", count=1)
        sums.add(name, "Games", "games won", count=sign > 0)
        sums.add(name, "Games", "points a game", count=sign * won)
        sums.add(name, "Games by ending", entry, "wins", count=sign > 0)
    sums.add(winner, "Games", "points a win", count=won)
    sums.add(winner, "Games", "gammons of all wins", count=_was_gammon(game, size))
    sums.add(loser, "Games", "points a loss", count=won)
    sums.add(winner, "Ledger", entry, "points won", count=won)
    sums.add(loser, "Ledger", entry, "points lost", count=won)
    if not _gammon_counts(game, ending.winner):
        return
    if ending.kind == "borne-off":
        sums.add(winner, "Games", "gammons of wins borne off", count=size > 1)
        sums.add(loser, "Games", "gammons of losses borne off", count=size > 1)
    if ending.kind.startswith("resigned") and (ending.recorded or 0) % cube.value == 0:
        times = (ending.recorded or 0) // cube.value
        if 1 <= times <= 3:
            sums.add(winner, "Games", "gammons of wins by resignation", count=times > 1)


def _was_gammon(game: GameReplay, size: int) -> bool:
    """Whether a gammon that counted was borne off or given up."""
    ending, value = game.ending, game.cube.value
    assert ending.winner is not None
    given_up = ending.kind.startswith("resigned") and ending.recorded in (2 * value, 3 * value)
    return _gammon_counts(game, ending.winner) and (
        given_up or (ending.kind == "borne-off" and size > 1)
    )


def _entry(game: GameReplay) -> tuple[str, int]:
    kind, size = game.ending.kind, 0
    if kind == "borne-off":
        left, right = game.turns[-1].after
        loser = right if not any(left[1:]) else left
        size = 1 if loser[OFF] else 3 if any(loser[19:]) else 2
        return ("plain", "gammon", "backgammon")[size - 1], size
    return {"resigned-match": "resigned"}.get(
        kind, kind if kind in ("pass", "resigned") else "off the board"
    ), 0


def _gammon_counts(game: GameReplay, winner: int) -> bool:
    context = game.context
    if context.terms.length == 0:
        return game.cube.owner is not None or context.terms.jacoby is False
    if context.terms.length is None:
        return False
    return context.terms.length - context.score[winner] > game.cube.value


def _match(sums: Sums, replay: MatchReplay) -> None:
    """Count matches that reach their length, without a change of columns (samples and real files have none)."""
    if not replay.games or not replay.games[0].context.terms.length:
        return
    length, last, first = replay.games[0].context.terms.length, replay.games[-1], replay.games[0]
    winner, gained = last.ending.winner, last.ending.counting
    if winner is None or gained is None or last.context.score[winner] + gained < length:
        return
    for side in (0, 1):
        name = names_of(replay, first)[side]
        behind = max(g.context.score[1 - side] - g.context.score[side] for g in replay.games)
        away = [length - first.context.score[player_side] for player_side in (side, 1 - side)]
        chance = 0.5 if away[0] == away[1] else match_winning_chance(away[0], away[1])
        sums.add(name, "Matches", "complete matches", count=1)
        sums.add(
            name,
            "Matches",
            "matches won",
            count=side == winner,
            expected=nan if chance is None else chance,
        )
        if behind > 0:
            sums.add(name, "Matches", "won from behind", count=side == winner)
        if behind >= 3:
            sums.add(name, "Matches", "won from 3 behind", count=side == winner)


def hitting(position: Position) -> set[tuple[int, int]]:
    """Return the rolls of 36 with which a legal play hits."""
    return {
        dice
        for dice in ALL
        if any(end.other[BAR] > position.other[BAR] for end in legal_plays(position, dice))
    }


def _find_held(side: Points) -> list[bool]:
    return [side[point] > 1 for point in range(1, BAR)]


def _prime(side: Points) -> int:
    return max(
        map(len, "".join("x" if held else " " for held in _find_held(side)).split()), default=0
    )


def _contact(position: Position) -> bool:
    own_points = [point for point in range(1, BAR + 1) if position.own[point]]
    other = [BAR - point for point in range(1, BAR + 1) if position.other[point]]
    return bool(own_points and other) and max(own_points) > min(other)


def _entering(position: Position) -> dict[str, float]:
    """Return the chances over the 36 rolls, by playing each of them."""
    chances = dict.fromkeys(("dances", "entered some", "entered, then stopped"), 0.0)
    for dice in ALL:
        end, steps = next(iter(legal_plays(position, dice).items()))
        left = len(steps) < (4 if dice[0] == dice[1] else 2)
        if not steps:
            chances["dances"] += 1 / 36
        elif end.own[BAR]:
            chances["entered some"] += 1 / 36
        elif left and len(steps) == position.own[BAR]:
            chances["entered, then stopped"] += 1 / 36
    return chances


def checker(replays: Sequence[MatchReplay]) -> Sums:
    """Return the figures of checker play."""
    sums = Sums()
    for replay in replays:
        for game in replay.games:
            names = names_of(replay, game)
            for turn in game.turns:
                if _is_counted(turn):
                    action: Any = turn.action
                    _play(sums, turn, action, names[action.side], names[1 - action.side])
    return sums


def _is_counted(turn: Turn) -> bool:
    action, evaluation = turn.action, turn.legality
    return (
        isinstance(action, Play)
        and action.dice is not None
        and turn.verified
        and evaluation is not None
        and evaluation.fault is None
    )


def _play(sums: Sums, turn: Turn, action: Play, name: str, opponent: str) -> None:
    assert action.dice is not None
    before = turn.position(action.side)
    after = Position(turn.after[action.side], turn.after[1 - action.side])
    dice = action.dice
    ends = legal_plays(before, dice)
    moved = pips(before.own) - pips(after.own)
    plays = ("Plays", "Hits and shots")
    sums.add(name, plays[0], "plays", count=1)
    sums.add(name, plays[0], "forced", count=len(ends) == 1 and moved > 0)
    sums.add(name, plays[0], "pips a play", count=moved)
    sums.add(name, plays[0], "on the bar", count=before.own[BAR] > 0)
    sums.add(name, plays[0], "blots left", count=sum(after.own[p] == 1 for p in range(1, BAR)))
    sums.add(name, plays[0], "longest prime", count=_prime(after.own))
    sums.add(name, plays[0], "primes of 5 or 6", count=_prime(after.own) >= 5)
    gained = sum(
        new and not old
        for new, old in zip(_find_held(after.own), _find_held(before.own), strict=True)
    )
    sums.add(name, plays[0], "points made a play", count=gained)
    if _contact(before):
        sums.add(name, plays[0], "anchors", count=any(_find_held(after.own)[18:]))
    if before.own[BAR] and sum(before.other[p] > 1 for p in range(1, 7)) < 6:
        _enters(sums, before, after, dice, ends, name)
    winning = not any(after.own[1:])
    if not any(before.own[7:]) and not _contact(before) and not winning:
        pips_rolled = sum(dice) * (2 if dice[0] == dice[1] else 1)
        sums.add(name, plays[0], "pips wasted a turn", count=pips_rolled - moved)
    _hits(sums, before, after, dice, name, opponent)


def _enters(
    sums: Sums, before: Position, after: Position, dice: tuple[int, int], ends: Any, name: str
) -> None:
    chances = _entering(before)
    steps = ends.get(after, ())
    left = len(steps) < (4 if dice[0] == dice[1] else 2)
    happened = {
        "dances": before == after,
        "entered some": before != after and after.own[BAR] > 0,
        "entered, then stopped": not after.own[BAR] and left and len(steps) == before.own[BAR],
    }
    for figure, chance in chances.items():
        sums.add(name, "Plays", figure, count=happened[figure], expected=chance)


def _hits(
    sums: Sums, before: Position, after: Position, dice: tuple[int, int], name: str, opponent: str
) -> None:
    section = "Hits and shots"
    hits = after.other[BAR] - before.other[BAR]
    shots, left = hitting(before), hitting(Position(after.other, after.own))
    sums.add(name, section, "hits a play", count=hits)
    sums.add(opponent, section, "hits suffered a play", count=hits, of=0)
    sums.add(name, section, "hits suffered a play", count=0)
    sums.add(
        opponent, section, "pips lost a play", count=pips(after.other) - pips(before.other), of=0
    )
    sums.add(name, section, "pips lost a play", count=0)
    sums.add(name, section, "shots left", count=bool(left))
    if left:
        sums.add(name, section, "rolls that hit, left", count=len(left))
    if shots:
        is_rolled = dice in shots
        sums.add(name, section, "shots rolled", count=is_rolled, expected=len(shots) / 36)
        sums.add(opponent, section, "shots suffered", count=is_rolled, expected=len(shots) / 36)
        if is_rolled:
            sums.add(name, section, "hit when rolled", count=hits > 0)


def cube(replays: Sequence[MatchReplay]) -> Sums:
    """Return the figures of doubles, answers and races."""
    sums = Sums()
    for replay in replays:
        for game in replay.games:
            _cube_of(sums, game, names_of(replay, game))
    return sums


def _cube_of(sums: Sums, game: GameReplay, names: tuple[str, str]) -> None:
    context, rolls, doubled = game.context, [0, 0], False
    for index, turn in enumerate(game.turns):
        action = turn.action
        if isinstance(action, Play) and action.dice:
            side = action.side
            opening = not any(rolls) and turn.before == START
            within = turn.cube.owner in (None, side) and not turn.cube.is_open
            dead = is_dead(turn.cube.value, context.terms.length or 0, context.score[side])
            if turn.verified and within and not dead and not opening and not context.crawford:
                _could(sums, names[side], turn, doubled=False)
            rolls[side] += 1
        if isinstance(action, Double) and action.kind == "double":
            side = action.side
            _could(sums, names[side], turn, doubled=True)
            answer = game.turns[index + 1].action if index + 1 < len(game.turns) else None
            if not doubled:
                sums.add(
                    names[side], "Doubles", "own rolls before the first double", count=rolls[side]
                )
            doubled = True
            if isinstance(answer, Answer | Double):
                _answer(sums, game, turn, answer, names)


def _could(sums: Sums, name: str, turn: Turn, *, doubled: bool) -> None:
    action: Any = turn.action
    owner = turn.cube.owner
    sums.add(name, "Doubles", "chances to double", count=1)
    sums.add(name, "Doubles", "doubled" if owner is None else "redoubled", count=doubled)
    position = turn.position(action.side)
    if _contact(position):
        return
    if doubled:
        sums.add(name, "Races", "doubles in a race", count=1)
    for formula, advice in (("Keith", keith(position)), ("Trice", trice(position))):
        due = advice[0] if owner is None else advice[1]
        if doubled:
            sums.add(name, "Races", f"{formula}: double", count=due)
        if due and not _gammon_chances(position):
            sums.add(name, "Races", f"{formula}: turned when due", count=doubled)


def _gammon_chances(position: Position) -> bool:
    """Whether the other side has none off, and needs no 28 pips less to its first than own to the last."""
    to_first = 6 + sum(max(point - 6, 0) * count for point, count in enumerate(position.other))
    own = sum(point * count for point, count in enumerate(position.own))
    return position.other[0] == 0 and own - to_first < 28


def _answer(
    sums: Sums, game: GameReplay, turn: Turn, answer: Answer | Double, names: tuple[str, str]
) -> None:
    doubler: Any = turn.action
    name, doubler_name = names[answer.side], names[doubler.side]
    is_taken = isinstance(answer, Double) or answer.taken
    sums.add(doubler_name, "Doubles", "doubles taken", count=is_taken)
    sums.add(name, "Answers", "doubles faced", count=1)
    sums.add(name, "Answers", "taken", count=is_taken)
    if game.context.terms.is_money:
        sums.add(name, "Answers", "beavers", count=isinstance(answer, Double))
    winner, points = game.ending.winner, game.ending.counting or 0
    if is_taken and winner is not None:
        sums.add(name, "Answers", "takes won", count=winner == answer.side)
        needed_chance = _find_take_point(game, answer.side, turn.cube.value)
        if needed_chance is not None:
            sums.add(name, "Answers", "needed to take", count=needed_chance)
        sign = 1 if winner == answer.side else -1
        per_cube = sign * points / turn.cube.value
        sums.add(name, "Answers", "points a take", count=per_cube, expected=-1)
    position = turn.position(doubler.side)
    if not _contact(position):
        for formula, advice in (("Keith", keith(position)), ("Trice", trice(position))):
            figure = f"{formula}: {'takes' if is_taken else 'passes'}"
            sums.add(name, "Races", figure, count=advice[2] == is_taken)


def _find_take_point(game: GameReplay, side: int, cube: int) -> float | None:
    """Return the chance to win at which a take is worth as much as a pass."""
    length = game.context.terms.length
    if length is None:
        return None
    if length == 0:
        return 0.25
    own_away, other_away = (
        length - game.context.score[player_side] for player_side in (side, 1 - side)
    )
    is_late = 1 in (own_away, other_away)

    def chance(left_away: int, right_away: int) -> float | None:
        if left_away <= 0 or right_away <= 0:
            return float(left_away <= 0)
        return match_winning_chance(left_away, right_away, after_crawford=is_late)

    passed, lose, win = (
        chance(own_away, other_away - cube),
        chance(own_away, other_away - 2 * cube),
        chance(own_away - 2 * cube, other_away),
    )
    if passed is None or lose is None or win is None:
        return None
    return (passed - lose) / (win - lose)


def keith(position: Position) -> tuple[bool, bool, bool]:
    """Double, redouble, take: the count as its author words it."""

    def count(side: Points) -> int:
        extra = 2 * max(side[1] - 1, 0) + max(side[2] - 1, 0) + max(side[3] - 3, 0)
        return pips(side) + extra + sum(side[point] == 0 for point in (4, 5, 6))

    own_count = count(position.own)
    own_count += own_count // 7
    other = count(position.other)
    return own_count - other <= 4, own_count - other <= 3, own_count - other >= 2


def trice(position: Position) -> tuple[bool, bool, bool]:
    """Double, redouble, take: by the point of last take."""
    own, other = pips(position.own), pips(position.other)
    last = own + (own - 5) // 7 if own <= 62 else own + own // 10 + 1
    return other >= last - 3, other >= last - 2, other <= last
