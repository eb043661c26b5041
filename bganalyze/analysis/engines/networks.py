"""Direct calls of the library behind Open Sage (PyPI `bgsage`).

The package's own functions for one decision examine every play, and load all networks again for
each question about a cube. Calling its C++ library avoids both; `sage.py` explains its use.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from operator import eq
from typing import Any, NamedTuple

from bganalyze.analysis.engines import Chances, CubeEvaluation
from bganalyze.board.movement import Dice
from bganalyze.board.position import BAR, CHECKERS, HOME, OFF, Points, Position


class SageCube(NamedTuple):
    """The cube and the score in the form of Open Sage's library, seen by one side."""

    value: int
    owner: str
    """`CENTERED`, `PLAYER` (that side) or `OPPONENT`."""
    away: tuple[int, int]
    """The points that this side needs, and that the other side needs; 0 in money play."""
    crawford: bool
    jacoby: bool

    def flipped(self) -> SageCube:
        """Return the cube and the score seen by the other side."""
        return self._replace(owner=_FLIPPED[self.owner], away=self.away[::-1])

    def after_double_and_take(self) -> SageCube:
        """Return the cube after this side has doubled and the other side has taken."""
        return self._replace(value=2 * self.value, owner="OPPONENT")


_FLIPPED = {"CENTERED": "CENTERED", "PLAYER": "OPPONENT", "OPPONENT": "PLAYER"}

Roll = tuple[list[int], Dice, SageCube]
"""A board of the engine, the dice, and the cube of the side that rolls."""


class EvaluatedPlay(NamedTuple):
    """The board after a play, with Open Sage's evaluation for the side that played."""

    board: list[int]
    """The board after the play."""
    equity: float
    cubeless: float
    probs: list[float]


def read_evaluated_play(play: dict[str, Any]) -> EvaluatedPlay:
    """Return an evaluated play from an entry of the library's answer."""
    return EvaluatedPlay(play["board"], play["equity"], play["cubeless_equity"], play["probs"])


def sort_key_of(play: EvaluatedPlay) -> tuple[object, ...]:
    """Return a sort key of a play; better plays come first."""
    return -play.equity, -play.cubeless, play.board


class Networks:
    """Open Sage's neural networks and its bear-off database, loaded once."""

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

    def plays_of_rolls(self, rolls: Sequence[Roll]) -> list[Sequence[dict[str, Any]]]:
        """Return all legal plays of each roll, rated at 1ply, best first."""
        if not rolls:
            return []
        inputs = [
            {"board": board, "die1": dice[0], "die2": dice[1], **self._make_cube_arguments(cube)}
            for board, dice, cube in rolls
        ]
        answers = self._library.batch_checker_play(
            inputs, self._strategy, n_threads=1, jacoby=rolls[0][2].jacoby, beaver=False
        )
        return [
            self._remove_impossible_gammons(answer["moves"], roll)
            for answer, roll in zip(answers, rolls, strict=True)
        ]

    def _remove_impossible_gammons(
        self, plays: Sequence[dict[str, Any]], roll: Roll
    ) -> Sequence[dict[str, Any]]:
        """Return the plays of a roll, best first, with equities that count no impossible gammons."""
        board, _, cube = roll
        if _must_keep_contact(board):
            return plays
        chances = [possible_chances(play["board"], play["probs"]) for play in plays]
        if all(map(eq, chances, (play["probs"] for play in plays))):
            return plays
        possible = (
            play
            if probs == play["probs"]
            else play
            | {"probs": probs}
            | self._compute_equities_after_play(play["board"], probs, cube)
            for play, probs in zip(plays, chances, strict=True)
        )
        return sorted(possible, key=lambda play: sort_key_of(read_evaluated_play(play)))

    def _compute_equities_after_play(
        self, board: Sequence[int], probs: list[float], cube: SageCube
    ) -> dict[str, float]:
        """Return the equities, with and without the cube, that follow from chances after a play.

        All values are seen by the side that has played. The keys are the library's names.
        """
        names = self._make_cube_arguments(cube)
        owner, value = names.pop("cube_owner"), names.pop("cube_value")
        life = self._compute_cube_efficiency(board, probs)
        equity = self._library.cl2cf(probs, value, owner, life, **names, jacoby=cube.jacoby)
        return {"equity": equity, "cubeless_equity": self._library.cubeless_equity(probs)}

    def _compute_cube_efficiency(self, board: Sequence[int], probs: Sequence[float]) -> float:
        """Return how live the cube is, from 0 (dead) to 1 (fully live)."""
        is_race, pips = self._library.is_race(board), self._library.pip_counts(board)
        life: float = self._library.cube_efficiency(probs, is_race, *pips)
        return life

    def evaluate_boards_after_plays(
        self, boards: Sequence[list[int]], cube: SageCube
    ) -> list[EvaluatedPlay]:
        """Evaluate at 1ply the boards after several plays, and return one result for each board.

        All values are seen by the side that has played.
        """
        inputs = [self._make_arguments_after_play(board, cube) for board in boards]
        answers = self._library.batch_evaluate_post_move(
            inputs, self._strategy, n_threads=1, jacoby=cube.jacoby
        )
        return [
            self._read_evaluation(board, answer, cube)
            for board, answer in zip(boards, answers, strict=True)
        ]

    def _read_evaluation(
        self, board: list[int], answer: dict[str, Any], cube: SageCube
    ) -> EvaluatedPlay:
        """Return the board after a play with its evaluation, read from the library's answer."""
        probs = possible_chances(board, answer["probs"])
        if probs == answer["probs"]:
            return EvaluatedPlay(board, answer["cubeful_equity"], answer["cubeless_equity"], probs)
        # Gammons that can no longer happen were set to 0.
        equities = self._compute_equities_after_play(board, probs, cube)
        return EvaluatedPlay(board, equities["equity"], equities["cubeless_equity"], probs)

    def search_play(
        self, board_after: list[int], board_before: list[int], cube: SageCube, plies: int
    ) -> EvaluatedPlay:
        """Search `plies` deep from the board after a play, and return the play with its evaluation.

        All values are seen by the side that has played.
        """
        answer = self._library.cubeful_probs_and_equity_nply(
            self._library.flip_board(board_after),
            strategy=self._strategy,
            n_plies=plies,
            root_board=board_before,
            **self._make_search_arguments(cube.flipped()),
        )
        win, gammon, backgammon, lost_gammon, lost_backgammon = answer["probs"]
        probs = [1.0 - win, lost_gammon, lost_backgammon, gammon, backgammon]
        return EvaluatedPlay(
            board_after, -answer["equity"], self._library.cubeless_equity(probs), probs
        )

    def equity_before_roll(self, board: list[int], cube: SageCube, plies: int) -> float:
        """Return the equity of the side about to roll, found by a search `plies` deep."""
        equity: float = self._library.cubeful_equity_nply(
            board, strategy=self._strategy, n_plies=plies, **self._make_search_arguments(cube)
        )
        return equity

    def cube_without_search(self, board: list[int], cube: SageCube) -> CubeEvaluation:
        """Return the doubler's equities of doubling and not doubling at 1ply, without a search."""
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
            return _read_cube(answer)
        life = self._compute_cube_efficiency(board, probs)
        decided = self._library.cube_decision_1ply(
            probs, cube.value, owner, life, *(match or (0, 0, False)), jacoby=cube.jacoby
        )
        equities = decided.equity_nd, decided.equity_dt, decided.equity_dp
        return CubeEvaluation(*equities, Chances(*probs))

    def search_cube(self, board: list[int], cube: SageCube, plies: int) -> CubeEvaluation:
        """Return the doubler's equities of doubling and not doubling, 2 or more `plies` deep."""
        strategy_type, weight_paths, hidden_sizes = self._weights
        answer = self._library.cube_decision_nply_unified(
            board,
            strategy_type=strategy_type,
            weight_paths=weight_paths,
            hidden_sizes=hidden_sizes,
            n_plies=plies,
            **self._make_search_arguments(cube),
        )
        return _read_cube(answer)

    def search_no_double_and_take(
        self, board: list[int], cube: SageCube, plies: int
    ) -> tuple[float, float]:
        """Return the doubler's equities of no double, and of double and take, from a search.

        The search is `plies` deep.
        """
        waiting = self.equity_before_roll(board, cube, plies)
        taken = self.equity_before_roll(board, cube.after_double_and_take(), plies)
        if not any(cube.away):
            return waiting, 2 * taken
        chance = self._library.eq2mwc(taken, *cube.away, 2 * cube.value, cube.crawford)
        return waiting, self._library.mwc2eq(chance, *cube.away, cube.value, cube.crawford)

    def _make_cube_arguments(self, cube: SageCube) -> dict[str, Any]:
        """Return cube and score as keyword arguments for the library."""
        names = {
            "cube_value": cube.value,
            "cube_owner": getattr(self._library.CubeOwner, cube.owner),
        }
        if not any(cube.away):
            return names
        return names | {"away1": cube.away[0], "away2": cube.away[1], "is_crawford": cube.crawford}

    def _make_arguments_after_play(self, board: list[int], cube: SageCube) -> tuple[object, ...]:
        """Return the library's arguments for a board after a play: board, cube and score."""
        owner = getattr(self._library.CubeOwner, cube.owner)
        if not any(cube.away):
            return board, owner
        return board, owner, cube.value, *cube.away, cube.crawford

    def _make_search_arguments(self, cube: SageCube) -> dict[str, Any]:
        """Return cube and rules as keyword arguments for a search by the library."""
        names = self._make_cube_arguments(cube)
        owner = names.pop("cube_owner")
        rules = {"jacoby": cube.jacoby, "beaver": False}
        return {**names, **rules, "owner": owner, "bearoff_db": self._bearoffs}


@cache
def load_networks() -> Networks:
    """Return the engine's neural networks, loaded once."""
    return Networks()


def _read_cube(answer: dict[str, Any]) -> CubeEvaluation:
    """Return the evaluation of a cube decision from the library's answer."""
    chances = Chances(*answer["probs"])
    return CubeEvaluation(answer["equity_nd"], answer["equity_dt"], answer["equity_dp"], chances)


# Gammons that the rules exclude. At 1ply the networks alone give up to 97 % gammons in a decided
# race; from 2ply on the library leaves them out itself.

MOST_STEPS = 4
"""Most checkers that move in one turn."""

WINNERS_HOME = 19
"""Start of the winner's home board, in the loser's numbering."""


def possible_chances(board: Sequence[int], probs: list[float]) -> list[float]:
    """Return the five `Chances`, with 0 for gammons and backgammons that can no longer happen.

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
        own_rear, other_rear = _find_rearmost_points(board)
        is_race = own_rear + other_rear < BAR
        if is_race and other_rear < WINNERS_HOME:
            backgammon = 0.0
        if is_race and own_rear < WINNERS_HOME:
            lost_backgammon = 0.0
    return [win, gammon, backgammon, lost_gammon, lost_backgammon]


def _must_keep_contact(board: Sequence[int]) -> bool:
    """Whether every play from a board surely keeps contact and bears off no checker.

    This is a quick test: True is certain, False is not.
    """
    # All checkers must be on the board.
    if sum(map(abs, board)) < 2 * CHECKERS:
        return False
    _, other_rear = _find_rearmost_points(board)
    behind = max(BAR - other_rear, HOME)
    # If more checkers are behind than a roll can move, one stays there.
    return sum(count for count in board[behind + 1 :] if count > 0) > MOST_STEPS


def _find_rearmost_points(board: Sequence[int]) -> tuple[int, int]:
    """Return each side's point farthest from home, in its own numbering; 0 without checkers."""
    own, other = BAR, BAR
    while own and board[own] <= 0:
        own -= 1
    if not board[OFF]:
        other -= 1
        while other and board[BAR - other] >= 0:
            other -= 1
    return own, other


# Boards in the library's form.


def board_of(position: Position) -> list[int]:
    """Return a position as 26 numbers of checkers, those of the opponent negative.

    The opponent's bar comes first, the own bar last.

    >>> from bganalyze.board.position import start_position
    >>> board_of(start_position("standard"))[:7]
    [0, -2, 0, 0, 0, 0, 5]
    """
    own, other = position
    points = (own[point] - other[BAR - point] for point in range(1, BAR))
    return [other[BAR], *points, own[BAR]]


def position_of(board: Sequence[int], before: Position) -> Position:
    """Return the position on a board of the library (see `board_of`) after a play.

    The board lacks checkers borne off; their number follows from the position `before` the play.
    """
    own = (0, *(max(count, 0) for count in board[1:]))
    other = (0, *(max(-count, 0) for count in board[BAR - 1 : OFF : -1]), board[0])
    return Position(_add_borne_off(own, sum(before.own)), _add_borne_off(other, sum(before.other)))


def _add_borne_off(points: Points, checker_count: int) -> Points:
    """Return a side's checkers, with enough borne off to make `checker_count` in all."""
    return (checker_count - sum(points), *points[1:])
