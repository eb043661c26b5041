"""The statistics of GNU Backgammon: `show statistics match`, from its 1.07 and its manual.

*Error totals.* Of a play: the equity of the best play less that of the one made, over throws with
more than one legal play. Of the cube: six classes, by what was wrong and on which side of the cash
point (CP), the doubling point (DP) or the point of being too good (TG). In equity (EMG), and in
match-winning chance: the same, times half the difference between the chances after a plain win and
a plain loss of the cube; in a money game times the cube.

*Rates.* Plays: per unforced play. Cube: per *close or actual* decision: every double, take and
drop, and no double where the best decision gains less than 0.16 over doubling (or over a drop,
where that would be the answer). Overall: both totals over both counts. Times 1000: mEMG.

*Luck* of a throw: the best play's equity less the mean over all throws (the engine tells it).
*Luck adjusted result*: what was won, less one's own luck, plus the other's.

Beavers, and answers to them, are not counted, nor are resignations. All sums are in single precision, game by game, as
the program computes them: its figures come out to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from bganalyze.equities import single
from bganalyze.judging.decisions import Kind
from bganalyze.judging.metrics.figures import GameResult
from bganalyze.judging.verdict import CUBE, JudgedDecision

CLOSE = 0.16
"""No double is close where the best decision gains less than this over doubling."""

MARKS = {"very bad": 0.12, "bad": 0.06, "doubtful": 0.03}
"""A play is marked where it loses more than this."""

LUCK_MARKS = {"very lucky": 0.6, "lucky": 0.3}
"""A throw is marked where its luck is more than this, and as unlucky below minus this."""

RATINGS = (
    (0.002, "Supernatural"),
    (0.005, "World class"),
    (0.008, "Expert"),
    (0.012, "Advanced"),
    (0.018, "Intermediate"),
    (0.026, "Casual player"),
    (0.035, "Beginner"),
    (math.inf, "Awful!"),
)
"""Error rates (EMG) below which a player is called so."""

LUCK_RATINGS = {
    "very lucky": "Go to Las Vegas",
    "lucky": "Good dice, man!",
    "unmarked": "None",
    "unlucky": "Bad dice, man!",
    "very unlucky": "Go to bed",
}
"""What a player's luck is called, by the mark of a throw with ten times the luck rate."""

RATING_OF_PERFECT_PLAY = 2050.0
LOWEST_DIFFERENCE = -2100.0


class CubeError(StrEnum):
    """The six ways to err with the cube."""

    MISSED_BELOW_CP = "missed double below CP"
    MISSED_ABOVE_CP = "missed double above CP"
    WRONG_BELOW_DP = "wrong double below DP"
    WRONG_ABOVE_TG = "wrong double above TG"
    WRONG_TAKE = "wrong take"
    WRONG_PASS = "wrong pass"  # noqa: S105 -- a pass of the cube


class Total(NamedTuple):
    """A sum of losses or of luck: `equity` in EMG, `chance` in MWC or, for money, points."""

    number: int = 0
    equity: float = 0.0
    chance: float = 0.0

    def plus(self, equity: float, chance: float) -> Total:
        """Return the total with one more."""
        return Total(self.number + 1, single(self.equity + equity), single(self.chance + chance))

    def joined(self, other: Total) -> Total:
        """Return the sum of two totals."""
        number = self.number + other.number
        equity, chance = single(self.equity + other.equity), single(self.chance + other.chance)
        return Total(number, equity, chance)

    def rate(self, count: int) -> Total:
        """Return what comes to each of `count`; 0 of none."""
        if not count:
            return Total()
        return Total(count, single(self.equity / count), single(self.chance / count))


class Player(NamedTuple):
    """What GNU Backgammon's statistics say of one side, over one game or several."""

    moves: int = 0
    """Throws played, dances and forced plays among them."""
    unforced: int = 0
    marked: Mapping[str, int] = {}
    checker: Total = Total()
    """The losses of unforced plays."""
    luck: Total = Total()
    luck_marked: Mapping[str, int] = {}
    cube_decisions: int = 0
    close_or_actual: int = 0
    doubles: int = 0
    takes: int = 0
    passes: int = 0
    errors: Mapping[CubeError, Total] = {}

    @property
    def cube(self) -> Total:
        """The losses by the cube."""
        total = Total()
        for kind in CubeError:
            total = total.joined(self.errors.get(kind, Total()))
        return total

    @property
    def overall(self) -> Total:
        """All losses."""
        return self.checker.joined(self.cube)

    @property
    def checker_rate(self) -> Total:
        """The loss of an unforced play."""
        return self.checker.rate(self.unforced)

    @property
    def cube_rate(self) -> Total:
        """The loss of a close or actual cube decision."""
        return self.cube.rate(self.close_or_actual)

    @property
    def overall_rate(self) -> Total:
        """The loss of a decision."""
        return self.overall.rate(self.unforced + self.close_or_actual)

    @property
    def luck_rate(self) -> Total:
        """The luck of a throw."""
        return self.luck.rate(self.moves)


class Statistics(NamedTuple):
    """GNU Backgammon's statistics of a match: left, right."""

    length: int
    players: tuple[Player, Player]
    actual: tuple[float, float]
    """What was won, in chances to win the match; of money games, in points."""
    luck_adjusted: tuple[float, float]


def statistics(rows: Iterable[JudgedDecision], results: Sequence[GameResult]) -> Statistics:
    """Return the statistics of the rows of one match, whose games ended so."""
    by_game = {game: list(group) for game, group in groupby(rows, key=lambda row: row.game)}
    players = (Player(), Player())
    actual = adjusted = (0.0, 0.0)
    for result in results:
        of_game = by_game.get(result.game, [])
        left, right = (_joined(players[side], _player(of_game, side)) for side in (0, 1))
        players = (left, right)
        won = _actual(result)
        actual = _added(actual, won)
        adjusted = _added(adjusted, _luck_adjusted(of_game, won))
    length = results[0].length if results else 0
    return Statistics(length, players, actual, adjusted)


def rating(rate: Total) -> str:
    """Return what a player of this error rate is called.

    >>> rating(Total(10, 0.0049, 0.0))
    'World class'
    """
    return next(name for below, name in RATINGS if rate.equity < single(min(below, 1e38)))


def mark(loss: float) -> str:
    """Return how bad a loss is, in EMG: `unmarked` where it is not.

    >>> mark(0.13), mark(0.04), mark(0.03)
    ('very bad', 'doubtful', 'unmarked')
    """
    return next((mark for mark, least in MARKS.items() if single(loss) > single(least)), "unmarked")


def luck_rating(rate: Total) -> str:
    """Return what this luck rate is called."""
    return LUCK_RATINGS[_luck_mark(single(rate.equity * 10))]


def fibs_difference(of: Statistics) -> float | None:
    """Return the difference of FIBS ratings, left's less right's, that the luck speaks for.

    None in money games, and where luck leaves no chance on one side.
    """
    left, right = (player.luck.chance for player in of.players)
    chance = single(single(single(0.5 + of.actual[0]) - left) + right)
    return fibs_difference_of(chance, of.length)


def fibs_difference_of(chance: float, length: int) -> float | None:
    """Return the difference of FIBS ratings that a chance to win matches of a length speaks for.

    >>> fibs_difference_of(0.75, 1)
    954.2425537109375
    """
    if not length or not 0 < chance < 1:
        return None
    spread = single(-2000.0 / single(math.sqrt(length)))
    return max(single(spread * single(math.log10(1 / chance - 1))), LOWEST_DIFFERENCE)


def checker_rating_loss(player: Player, length: int) -> float:
    """Return the FIBS rating lost by plays (K. van den Doel's formula, GNU Backgammon's manual)."""
    return _lost_by_plays(player.checker_rate.equity, length)


def cube_rating_loss(player: Player, length: int) -> float:
    """Return the FIBS rating lost by the cube (ibidem)."""
    return _lost_by_cube(player.cube_rate.equity, length)


def fibs_rating(player: Player, length: int) -> float:
    """Return the FIBS rating that the errors speak for, in matches of this length (ibidem)."""
    return fibs_rating_of(player.checker_rate.equity, player.cube_rate.equity, length)


def fibs_rating_of(checker: float, cube: float, length: int) -> float:
    """Return the FIBS rating that these error rates (EMG) speak for.

    >>> fibs_rating_of(0.0, 0.0, 7)
    2050.0
    """
    lost = single(_lost_by_plays(checker, length) + _lost_by_cube(cube, length))
    return single(RATING_OF_PERFECT_PLAY - lost)


def _lost_by_plays(rate: float, length: int) -> float:
    return single(rate * single(8798 + single(25526 / length)))


def _lost_by_cube(rate: float, length: int) -> float:
    return single(rate * single(863 - single(519 / length)))


def snowie_rate(of: Statistics, side: int) -> float:
    """Return Snowie's error rate: all losses over the moves of both sides, in EMG."""
    moves = sum(player.moves for player in of.players)
    return single(of.players[side].overall.equity / moves) if moves else 0.0


# -- one game --------------------------------------------------------------------------------------


def _player(rows: Sequence[JudgedDecision], side: int) -> Player:
    played = {row.place for row in rows if row.kind is Kind.PLAY and row.legal}
    player = Player()
    for row in rows:
        if row.side != side:
            continue
        if row.kind is Kind.PLAY:
            player = _with_luck(_with_play(player, row), row)
        elif row.kind is not Kind.NO_DOUBLE or row.place in played:
            player = _with_cube(player, row)
    return player


def _with_play(player: Player, row: JudgedDecision) -> Player:
    if not row.legal:
        return player
    player = player._replace(moves=player.moves + 1)
    loss = 0.0
    if row.best is not None and row.reached is not None:
        loss = single(row.best - row.reached)
    player = player._replace(marked=_counted(player.marked, mark(loss)))
    if row.forced or row.reached is None:
        return player
    checker = player.checker.plus(loss, _cost(row, loss))
    return player._replace(unforced=player.unforced + 1, checker=checker)


def _with_luck(player: Player, row: JudgedDecision) -> Player:
    """Luck counts where the record shows a play."""
    if row.luck is None or row.legal is None:
        return player
    total = player.luck.plus(row.luck, luck_chance(row))
    return player._replace(
        luck=total, luck_marked=_counted(player.luck_marked, _luck_mark(row.luck))
    )


def _with_cube(player: Player, row: JudgedDecision) -> Player:
    if row.kind not in CUBE or row.no_double is None:
        return player
    if row.kind in _ACTUAL and row.offer != 2 * row.cube:
        return player
    actual = row.kind in _ACTUAL
    player = player._replace(
        cube_decisions=player.cube_decisions + 1,
        close_or_actual=player.close_or_actual + (actual or is_close(row)),
        doubles=player.doubles + (row.kind is Kind.DOUBLE),
        takes=player.takes + (row.kind is Kind.TAKE),
        passes=player.passes + (row.kind is Kind.DROP),
    )
    error = cube_error(row)
    if error is None:
        return player
    kind, loss = error
    total = player.errors.get(kind, Total()).plus(loss, _cost(row, loss))
    return player._replace(errors={**player.errors, kind: total})


_ACTUAL = (Kind.DOUBLE, Kind.TAKE, Kind.DROP)


def is_close(row: JudgedDecision) -> bool:
    """Whether a decision not to double was close."""
    assert row.optimal is not None
    assert row.take is not None
    return single(row.optimal - min(row.take, 1.0)) < single(CLOSE)


def cube_error(row: JudgedDecision) -> tuple[CubeError, float] | None:
    """Return the class of a wrong cube decision and its loss in EMG; None where it was right."""
    no_double, take, drop, best = row.no_double, row.take, row.drop, row.optimal
    if no_double is None or take is None or drop is None or best is None:
        return None
    match row.kind:
        case Kind.NO_DOUBLE:
            above = CubeError.MISSED_ABOVE_CP if take > 1 else CubeError.MISSED_BELOW_CP
            error = above, single(best - no_double)
        case Kind.DOUBLE:
            wrong = CubeError.WRONG_ABOVE_TG if no_double > 1 else CubeError.WRONG_BELOW_DP
            error = wrong, single(best - min(take, drop))
        case Kind.TAKE:
            error = CubeError.WRONG_TAKE, single(take - drop)
        case Kind.DROP:
            error = CubeError.WRONG_PASS, single(drop - take)
        case _:
            return None
    return error if error[1] > 0 else None


def _cost(row: JudgedDecision, loss: float) -> float:
    """A loss as chance to win the match, or as points."""
    return 0.0 if row.stake is None else -row.stake.cost(-loss)


def luck_chance(row: JudgedDecision) -> float:
    """Return the luck of a throw as chance to win the match or, for money, as points."""
    if row.luck is None or row.stake is None:
        return 0.0
    return row.stake.cost(row.luck)


def _luck_mark(luck: float) -> str:
    for mark, least in LUCK_MARKS.items():
        if luck > single(least):
            return mark
        if luck < -single(least):
            return mark.replace("lucky", "unlucky")
    return "unmarked"


def _counted(counts: Mapping[str, int], mark: str) -> Mapping[str, int]:
    return {**counts, mark: counts.get(mark, 0) + 1}


def _actual(result: GameResult) -> tuple[float, float]:
    worth = result.worth()
    if worth is None:
        return (0.0, 0.0)
    return (worth, -worth) if result.winner == 0 else (-worth, worth)


def _luck_adjusted(
    rows: Sequence[JudgedDecision], actual: tuple[float, float]
) -> tuple[float, float]:
    """What was won, less one's own luck, plus the other's."""
    adjusted = list(actual)
    for row in rows:
        if row.kind is Kind.PLAY and row.luck is not None and row.legal is not None:
            luck = luck_chance(row)
            adjusted[row.side] = single(adjusted[row.side] - luck)
            adjusted[1 - row.side] = single(adjusted[1 - row.side] + luck)
    return (adjusted[0], adjusted[1])


def _added(one: tuple[float, float], two: tuple[float, float]) -> tuple[float, float]:
    return (single(one[0] + two[0]), single(one[1] + two[1]))


def _joined(one: Player, two: Player) -> Player:
    """The statistics of two games together."""
    return Player(
        moves=one.moves + two.moves,
        unforced=one.unforced + two.unforced,
        marked=_summed(one.marked, two.marked),
        checker=one.checker.joined(two.checker),
        luck=one.luck.joined(two.luck),
        luck_marked=_summed(one.luck_marked, two.luck_marked),
        cube_decisions=one.cube_decisions + two.cube_decisions,
        close_or_actual=one.close_or_actual + two.close_or_actual,
        doubles=one.doubles + two.doubles,
        takes=one.takes + two.takes,
        passes=one.passes + two.passes,
        errors={
            kind: one.errors.get(kind, Total()).joined(two.errors.get(kind, Total()))
            for kind in CubeError
        },
    )


def _summed(one: Mapping[str, int], two: Mapping[str, int]) -> Mapping[str, int]:
    return {mark: one.get(mark, 0) + two.get(mark, 0) for mark in {**one, **two}}
