"""The networks of Open Sage (PyPI `bgsage`), asked for what is needed.

The functions of the package for one decision look at every play, and load all networks again for
each question about a cube. Here its library in C++ is asked instead; `sage.py` says what for.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import eq
from typing import Any, NamedTuple

from bganalyze.analysis.engines import Chances, CubeEvaluation
from bganalyze.board.ids import CHECKERS
from bganalyze.board.movement import Dice
from bganalyze.board.position import BAR, HOME, OFF, Points, Position


class SageCube(NamedTuple):
    """A cube and the score, seen by one side."""

    value: int
    owner: str
    """`CENTERED`, `PLAYER` (that side) or `OPPONENT`."""
    away: tuple[int, int]
    """The points that it needs, and that the other needs; 0 in money play."""
    crawford: bool
    jacoby: bool

    def flipped(self) -> SageCube:
        """Return it as the other side sees it."""
        return self._replace(owner=_FLIPPED[self.owner], away=self.away[::-1])

    def taken(self) -> SageCube:
        """Return it after a double that was taken."""
        return self._replace(value=2 * self.value, owner="OPPONENT")


_FLIPPED = {"CENTERED": "CENTERED", "PLAYER": "OPPONENT", "OPPONENT": "PLAYER"}

Roll = tuple[list[int], Dice, SageCube]
"""A board of the engine, what is rolled, and the cube of the side that rolls."""


class Move(NamedTuple):
    """A play as the engine sees it."""

    board: list[int]
    """What it leaves."""
    equity: float
    cubeless: float
    probs: list[float]


def move_of(play: dict[str, Any]) -> Move:
    """Return a play as the library tells it."""
    return Move(play["board"], play["equity"], play["cubeless_equity"], play["probs"])


def order(move: Move) -> tuple[object, ...]:
    """Return what plays are sorted by, the best first; ties are broken as the package does."""
    return -move.equity, -move.cubeless, move.board


class Networks:
    """The networks of the package and its bear-off database, loaded once."""

    def __init__(self) -> None:
        import bgbot_cpp
        from bgsage.weights import bearoff_db_path, default_weights

        self._library: Any = bgbot_cpp
        weights = default_weights()
        self._weights = (
            weights.strategy_type,
            weights.weight_paths_list,
            weights.hidden_sizes_list,
        )
        self._bearoffs = bgbot_cpp.BearoffDB()
        self._bearoffs.load(bearoff_db_path())
        base = bgbot_cpp.create_strategy(*self._weights)
        self._strategy = bgbot_cpp.BearoffStrategy(base, self._bearoffs)

    def plays(self, rolls: Sequence[Roll]) -> list[Sequence[dict[str, Any]]]:
        """Return the plays of each roll at 1ply, the best first, as the library tells them."""
        if not rolls:
            return []
        inputs = [
            {"board": board, "die1": dice[0], "die2": dice[1], **self._cube(cube)}
            for board, dice, cube in rolls
        ]
        answers = self._library.batch_checker_play(
            inputs, self._strategy, n_threads=1, jacoby=rolls[0][2].jacoby, beaver=False
        )
        return [
            self._possible_plays(answer["moves"], roll)
            for answer, roll in zip(answers, rolls, strict=True)
        ]

    def _possible_plays(
        self, plays: Sequence[dict[str, Any]], roll: Roll
    ) -> Sequence[dict[str, Any]]:
        """Return the plays of a roll without impossible gammons, the best first."""
        board, _, cube = roll
        if _rules_nothing_out(board):
            return plays
        chances = [possible_chances(play["board"], play["probs"]) for play in plays]
        if all(map(eq, chances, (play["probs"] for play in plays))):
            return plays
        possible = (
            play
            if probs == play["probs"]
            else play | {"probs": probs} | self._equities(play["board"], probs, cube)
            for play, probs in zip(plays, chances, strict=True)
        )
        return sorted(possible, key=lambda play: order(move_of(play)))

    def _equities(
        self, board: Sequence[int], probs: list[float], cube: SageCube
    ) -> dict[str, float]:
        """Return the equities of what a play leaves, from its chances."""
        names = self._cube(cube)
        owner, value = names.pop("cube_owner"), names.pop("cube_value")
        life = self._cube_life(board, probs)
        equity = self._library.cl2cf(probs, value, owner, life, **names, jacoby=cube.jacoby)
        return {"equity": equity, "cubeless_equity": self._library.cubeless_equity(probs)}

    def _cube_life(self, board: Sequence[int], probs: Sequence[float]) -> float:
        """Return how much of a live cube's worth the library gives a position."""
        is_race, pips = self._library.is_race(board), self._library.pip_counts(board)
        life: float = self._library.cube_efficiency(probs, is_race, *pips)
        return life

    def left(self, boards: Sequence[list[int]], cube: SageCube) -> list[Move]:
        """Return boards that plays have left at 1ply, each for itself."""
        inputs = [self._left(board, cube) for board in boards]
        answers = self._library.batch_evaluate_post_move(
            inputs, self._strategy, n_threads=1, jacoby=cube.jacoby
        )
        return [
            self._left_possible(board, answer, cube)
            for board, answer in zip(boards, answers, strict=True)
        ]

    def _left_possible(self, board: list[int], answer: dict[str, Any], cube: SageCube) -> Move:
        """Return a board that a play has left, without impossible gammons."""
        probs = possible_chances(board, answer["probs"])
        if probs == answer["probs"]:
            return Move(board, answer["cubeful_equity"], answer["cubeless_equity"], probs)
        equities = self._equities(board, probs, cube)
        return Move(board, equities["equity"], equities["cubeless_equity"], probs)

    def deeper(self, left: list[int], before: list[int], cube: SageCube, plies: int) -> Move:
        """Return what a play leaves at 2ply or deeper; `before` is the board before it."""
        answer = self._library.cubeful_probs_and_equity_nply(
            self._library.flip_board(left),
            strategy=self._strategy,
            n_plies=plies,
            root_board=before,
            **self._search(cube.flipped()),
        )
        win, gammon, backgammon, lost_gammon, lost_backgammon = answer["probs"]
        probs = [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
        return Move(left, -answer["equity"], self._library.cubeless_equity(probs), probs)

    def before_roll(self, board: list[int], cube: SageCube, plies: int) -> float:
        """Return the equity of the side that rolls next, with the cube used for the best."""
        equity: float = self._library.cubeful_equity_nply(
            board, strategy=self._strategy, n_plies=plies, **self._search(cube)
        )
        return equity

    def at_once(self, board: list[int], cube: SageCube) -> CubeEvaluation:
        """Return what doubling and waiting are worth at 1ply."""
        owner = getattr(self._library.CubeOwner, cube.owner)
        match = (*cube.away, cube.crawford) if any(cube.away) else ()
        [answer] = self._library.batch_evaluate_positions(
            [(board, cube.value, owner, *match)],
            self._strategy,
            n_threads=1,
            jacoby=cube.jacoby,
            beaver=False,
        )
        probs = possible_chances(board, answer["probs"])
        if probs == answer["probs"]:
            return _of_cube(answer)
        life = self._cube_life(board, probs)
        decided = self._library.cube_decision_1ply(
            probs, cube.value, owner, life, *(match or (0, 0, False)), jacoby=cube.jacoby
        )
        equities = decided.equity_nd, decided.equity_dt, decided.equity_dp
        return CubeEvaluation(*equities, Chances(*probs))

    def cube(self, board: list[int], cube: SageCube, plies: int) -> CubeEvaluation:
        """Return what doubling and waiting are worth at 2ply or deeper."""
        strategy_type, weight_paths, hidden_sizes = self._weights
        answer = self._library.cube_decision_nply_unified(
            board,
            strategy_type=strategy_type,
            weight_paths=weight_paths,
            hidden_sizes=hidden_sizes,
            n_plies=plies,
            **self._search(cube),
        )
        return _of_cube(answer)

    def undoubled(self, board: list[int], cube: SageCube, plies: int) -> tuple[float, float]:
        """Return the equity of waiting where doubling is a mistake, and that after a take."""
        waiting = self.before_roll(board, cube, plies)
        taken = self.before_roll(board, cube.taken(), plies)
        if not any(cube.away):
            return waiting, 2 * taken
        chance = self._library.eq2mwc(taken, *cube.away, 2 * cube.value, cube.crawford)
        return waiting, self._library.mwc2eq(chance, *cube.away, cube.value, cube.crawford)

    def _cube(self, cube: SageCube) -> dict[str, Any]:
        """A cube as most functions of the library take it."""
        names = {
            "cube_value": cube.value,
            "cube_owner": getattr(self._library.CubeOwner, cube.owner),
        }
        if not any(cube.away):
            return names
        return names | {"away1": cube.away[0], "away2": cube.away[1], "is_crawford": cube.crawford}

    def _left(self, board: list[int], cube: SageCube) -> tuple[object, ...]:
        owner = getattr(self._library.CubeOwner, cube.owner)
        if not any(cube.away):
            return board, owner
        return board, owner, cube.value, *cube.away, cube.crawford

    def _search(self, cube: SageCube) -> dict[str, Any]:
        """A cube as the searches of the library take it, with their rules."""
        names = self._cube(cube)
        owner = names.pop("cube_owner")
        rules = {"jacoby": cube.jacoby, "beaver": False}
        return {**names, **rules, "owner": owner, "bearoff_db": self._bearoffs}


@cache
def networks() -> Networks:
    """Return the networks of this process."""
    return Networks()


def _of_cube(answer: dict[str, Any]) -> CubeEvaluation:
    chances = Chances(*answer["probs"])
    return CubeEvaluation(answer["equity_nd"], answer["equity_dt"], answer["equity_dp"], chances)


# Gammons that the rules exclude. The networks alone, at 1ply, give up to 97 % of them in a decided race;
# from 2ply on the library itself leaves them out.

MOST_STEPS = 4
"""Checkers that move in one turn at most."""

WINNERS_HOME = 19
"""Where it begins, in the numbering of the loser."""


def possible_chances(board: Sequence[int], probs: list[float]) -> list[float]:
    """Return the chances of a side without gammons and backgammons that cannot come any more.

    Whoever has borne off a checker loses no gammon. Whoever is past all checkers of the winner, and has
    none in the winner's home, loses no backgammon.

    >>> from bganalyze.board.position import points, Position
    >>> race = Position(points({1: 3, OFF: 12}), points({6: 14, OFF: 1}))
    >>> possible_chances(board_of(race), [1.0, 0.8, 0.1, 0.0, 0.0])
    [1.0, 0.0, 0.0, 0.0, 0.0]
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = probs
    in_play = sum(map(abs, board))
    if in_play < 2 * CHECKERS:
        own = (in_play - board[OFF] + sum(board[1:])) // 2
        if in_play - own < CHECKERS:
            gammon = backgammon = 0.0
        if own < CHECKERS:
            lost_gammon = lost_backgammon = 0.0
    if backgammon or lost_backgammon:
        own_rear, other_rear = _rears(board)
        is_race = own_rear + other_rear < BAR
        if is_race and other_rear < WINNERS_HOME:
            backgammon = 0.0
        if is_race and own_rear < WINNERS_HOME:
            lost_backgammon = 0.0
    return [win, gammon, backgammon, lost_gammon, lost_backgammon]


def _rules_nothing_out(board: Sequence[int]) -> bool:
    """Whether no play can end the contact or bear off a checker: most of them cannot."""
    if sum(map(abs, board)) < 2 * CHECKERS:
        return False
    _, other_rear = _rears(board)
    behind = max(BAR - other_rear, HOME)
    return sum(count for count in board[behind + 1 :] if count > 0) > MOST_STEPS


def _rears(board: Sequence[int]) -> tuple[int, int]:
    """The rearmost checkers of both sides, each in its own numbering; 0 where there is none."""
    own, other = BAR, BAR
    while own and board[own] <= 0:
        own -= 1
    if not board[OFF]:
        other -= 1
        while other and board[BAR - other] >= 0:
            other -= 1
    return own, other


# Boards as the library writes them.


def board_of(position: Position) -> list[int]:
    """A position as the engine writes it: own checkers positive, the other's bar at 0.

    >>> from bganalyze.board.position import start_position
    >>> board_of(start_position("standard"))[:7]
    [0, -2, 0, 0, 0, 0, 5]
    """
    own, other = position
    points = (own[point] - other[BAR - point] for point in range(1, BAR))
    return [other[BAR], *points, own[BAR]]


def position_of(board: Sequence[int], before: Position) -> Position:
    """The position that a board of the engine shows; what is missing since `before` is off.

    >>> from bganalyze.board.position import start_position
    >>> start = start_position("standard")
    >>> position_of(board_of(start), start) == start
    True
    """
    own = (0, *(max(count, 0) for count in board[1:]))
    other = (0, *(max(-count, 0) for count in board[BAR - 1 : OFF : -1]), board[0])
    return Position(_with_off(own, sum(before.own)), _with_off(other, sum(before.other)))


def _with_off(points: Points, all_checkers: int) -> Points:
    return (all_checkers - sum(points), *points[1:])
