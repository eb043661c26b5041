"""Open Sage (PyPI `bgsage`), an engine that contains its networks and works offline.

Plays at 1ply, and all cube decisions except clear mistakes, have the values of the package's own
function for one decision. At deeper levels plays are screened: a play far behind the best at 1ply
is not searched deeper. Luck is computed at 1ply. Beavers are ignored: the equity after a double is
that of a take. Playing on after a resignation has the equity before the roll, with best use of the
cube.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import inf
from typing import NamedTuple

from bganalyze.analysis.decisions import (
    TO_OFFERS,
    Decision,
    Kind,
    is_resignation_before_roll,
    is_short_bearoff,
    resigner,
)
from bganalyze.analysis.engines import (
    MOST_KEPT,
    PRESETS,
    Candidate,
    Chances,
    CubeEvaluation,
    Engine,
    EngineError,
    Evaluation,
    Limits,
    PlayEvaluation,
    PlayingOn,
    check_variants,
    find_stored_level,
    is_engine_installed,
)
from bganalyze.analysis.engines.networks import (
    EvaluatedPlay,
    Roll,
    SageCube,
    board_of,
    load_networks,
    position_of,
    read_evaluated_play,
    sort_key_of,
)
from bganalyze.board.ids import Situation
from bganalyze.board.position import (
    Position,
    checkers,
    is_possible,
    start_position,
    swap_sides,
)
from bganalyze.packages import OPEN_SAGE, how_to_add, is_frozen

PLIES = ("1ply", "2ply", "3ply", "4ply")
"""Plies count from 1, which is the network alone."""

LEVELS = (
    "2ply",
    *(level for level in PLIES if level != "2ply"),
    *PRESETS["sage"],
    *(level for level in PRESETS["sage"].values() if level not in PLIES),
    *(f"{level}-exhaustive" for level in PLIES[1:]),
)

PACKAGE = "bgsage"
OLDEST = 2
LONGEST_MATCH = 25
"""The longest match that its match equity table covers."""

PART = 8
"""Number of decisions analyzed together; they take a fraction of a second at most levels."""

ROLLS = tuple((high, low) for high in range(1, 7) for low in range(1, high + 1))
"""All rolls, each once."""

_SINGLES = tuple(dice for dice in ROLLS if dice[0] != dice[1])
_DOUBLES = tuple(dice for dice in ROLLS if dice[0] == dice[1])

_CUBE_KINDS = (Kind.NO_DOUBLE, Kind.DOUBLE, *TO_OFFERS)


class Screening(NamedTuple):
    """Rules for choosing the plays that are searched deeper than 1ply."""

    widths: tuple[float, ...]
    """Largest equity difference (EMG) to the best play: at 1ply for a search at 2ply, at 2ply for
    3ply, and at 3ply for 4ply. The recorded play is always searched."""
    first: tuple[int, ...]
    """Number of best plays that may be twice as far behind, at each of these levels."""
    most: int
    """Most plays of a roll that are searched."""

    def select_near_best(self, plays: Sequence[EvaluatedPlay], plies: int) -> list[EvaluatedPlay]:
        """Return the plays that are close enough to the best play to be searched `plies` deep.

        `plays` must be sorted, best first.
        """
        width, first = self.widths[plies - 2], self.first[plies - 2]
        return [
            play
            for place, play in enumerate(plays[: self.most])
            if plays[0].equity - play.equity <= (2 * width if place < first else width)
        ]


SCREENED = Screening(widths=(0.2, 0.12, 0.12), first=(6, 1, 1), most=40)
"""Measured against a search of all plays. At 2ply, of 5,614 rolls, the best play was always among
these. With a width of 0.16 it was missed once, by 0.004; with four plays in `first` once, by 0.19.
At 3ply, of 677 rolls, it was always within 0.12; with 0.06 it was missed once. More than half of
the plays are left out."""

EXHAUSTIVE = Screening(widths=(inf, inf, inf), first=(1, 1, 1), most=10_000)

LAST = 4
"""Opponent's checkers with which the game may end at the next roll. All plays are then searched,
because the network alone cannot rank plays that save a gammon."""

CLEAR = (0.005, 0.05, 0.05)
"""Smallest cost of doubling (EMG), at 2ply, 3ply and 4ply, from which the search for plays gives
the equities of no double and of a take. Closer decisions use the package's cube function, which
loads all networks again for each question and takes eight times as long at 2ply.

That function leaves out the best play of some rolls, so its no-double equity at 2ply is lower in
one of twelve decisions, by 0.046 at most, and its double costs more. At 2ply, of 1,975 decisions in
which the search finds a double wrong by 0.05 at most, or by 0.1 to 0.24, the package never finds it
right. Its cost is higher by more than 0.005 in 59, by 0.041 at most, and lower by more than 0.005
in 5, by 0.016 at most. At 3ply replies are left out too: of 173 decisions in which the search finds
the double wrong by 0.04 at most, the package finds it right in 14, where the search has costs up to
0.019. 4ply uses the value of 3ply, unmeasured.
"""

NEARLY_COUNTED = (0.13, 0.205)
"""Range of the cost of doubling (EMG) around the limits up to which metrics count a no double, 0.16
and 0.20. Within it the search and the package might disagree on whether the decision counts."""


LEAST_AFTER_CRAWFORD = 3
"""Fewest plies to which the first double is searched after the Crawford game.

The side behind risks nothing by a double at its next turn, so waiting costs it little. A shallower
search ends before that turn and undervalues waiting: at 2ply the first roll of a game at 3-away has
+0.288 without and +0.388 with a double, at 3ply +0.387 for both, as GNU Backgammon has.
"""


@lru_cache(maxsize=8)
def _search_cube(board: tuple[int, ...], cube: SageCube, plies: int) -> CubeEvaluation:
    """Return the doubler's equities of doubling and not doubling, searched `plies` deep."""
    # Cached: the answer to a double needs them again.
    return load_networks().search_cube(list(board), cube, plies)


class Sage(Engine):
    """The engine Open Sage at one level."""

    name = "sage"

    def __init__(self, version: str, level: str, screening: Screening = SCREENED) -> None:
        self.version, self.level = version, level
        self._plies, self._screening = int(level[0]), screening

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return, for each decision of one match, an evaluation or None.

        Raise EngineError for a variant or match length that is not supported.
        """
        check_variants(decisions)
        if any(decision.length > LONGEST_MATCH for decision in decisions):
            raise EngineError(f"Open Sage analyzes matches of up to {LONGEST_MATCH} points")
        return [
            self._evaluate_decision(decision) if is_possible(decision.position) else None
            for decision in decisions
        ]

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Split the decisions of a match, so that several processes can analyze small parts.

        Each part lists the indexes of its decisions.
        """
        # All short bear-offs are one part, because they are solved exactly.
        is_exact = [
            is_short_bearoff(decision.position) and decision.context.terms.cube_in_play
            for decision in decisions
        ]
        short = [place for place, is_short in enumerate(is_exact) if is_short]
        others = [place for place, is_short in enumerate(is_exact) if not is_short]
        parts = [others[start : start + PART] for start in range(0, len(others), PART)]
        return [short, *parts] if short else [*parts]

    def _evaluate_decision(self, decision: Decision) -> Evaluation | None:
        """Return the evaluation of a decision; in a short bear-off, the exact evaluation.

        The result is None for a resignation, or its answer, while a roll waits to be played.
        """
        if is_short_bearoff(decision.position):
            from bganalyze.analysis import bearoff  # This import loads numpy.

            exact = bearoff.evaluate_exactly(decision)
            if exact is not None:
                return exact
        if decision.kind is Kind.PLAY:
            return self._evaluate_play(decision)
        if decision.kind in _CUBE_KINDS:
            return self._evaluate_cube(decision)
        return self._evaluate_playing_on(decision) if is_resignation_before_roll(decision) else None

    def _evaluate_playing_on(self, decision: Decision) -> PlayingOn:
        """Return the resigning side's equity if the game is played on."""
        board, cube = _make_engine_input(decision)
        plies = self._choose_plies_for_cube(cube)
        answer = (
            load_networks().cube_without_search(board, cube)
            if plies == 1
            else _search_cube(tuple(board), cube, plies)
        )
        turns = decision.owner in (None, decision.on_roll) and not decision.context.crawford
        best = max(answer.no_double, min(answer.take, answer.passed))
        equity = best if turns else answer.no_double
        return PlayingOn(equity if decision.on_roll == resigner(decision) else -equity)

    def _evaluate_cube(self, decision: Decision) -> CubeEvaluation:
        """Return the evaluation of a decision about a double, a beaver or a raccoon."""
        board, cube = _make_engine_input(decision)
        plies = self._choose_plies_for_cube(cube)
        at_once = load_networks().cube_without_search(board, cube)
        if plies == 1:
            return at_once
        if decision.kind is Kind.NO_DOUBLE and _compute_cost_of_double(at_once) > 0:
            waiting, taken = load_networks().search_no_double_and_take(board, cube, plies)
            undoubled = at_once._replace(no_double=waiting, take=taken)
            if _is_clearly_wrong(_compute_cost_of_double(undoubled), plies):
                return undoubled
        return _search_cube(tuple(board), cube, plies)

    def _choose_plies_for_cube(self, cube: SageCube) -> int:
        """Return how many plies deep to search a cube decision.

        A first double by the trailing side after the Crawford game is searched deeper.
        """
        own, other = cube.away
        is_after_crawford = own > other == 1 and not cube.crawford
        if is_after_crawford and cube.owner == "CENTERED":
            return max(self._plies, LEAST_AFTER_CRAWFORD)
        return self._plies

    def _evaluate_play(self, decision: Decision) -> PlayEvaluation:
        """Return the evaluation of a roll and the recorded play."""
        board, cube = _make_engine_input(decision)
        rolls = list(_yield_possible_rolls(decision, board, cube))
        answers = load_networks().plays_of_rolls(rolls)
        dice = decision.dice
        assert dice is not None
        place = [roll[1] for roll in rolls].index((max(dice), min(dice)))
        at_once = sorted(map(read_evaluated_play, answers[place]), key=sort_key_of)
        plays = self._search_plays(at_once, decision, board, cube)
        candidates = tuple(_to_candidate(decision.position, play) for play in plays)
        reached = self._evaluate_recorded_play(decision, candidates, board, cube)
        luck = _compute_luck_of_roll(place, rolls, [answer[0]["equity"] for answer in answers])
        return PlayEvaluation(candidates[:MOST_KEPT], reached, luck)

    def _search_plays(
        self, plays: list[EvaluatedPlay], decision: Decision, board: list[int], cube: SageCube
    ) -> list[EvaluatedPlay]:
        """Return the plays of a roll, best first, evaluated at the engine's level.

        `plays` are the same plays evaluated at 1ply; `board` and `cube` are those before the roll.
        """
        played = None if decision.after is None else board_of(decision.after)
        is_ending = checkers(decision.position.other) <= LAST
        screening = EXHAUSTIVE if is_ending else self._screening
        for plies in range(2, self._plies + 1):
            near = screening.select_near_best(plays, plies)
            # Only plays near the best one, and the play made, are searched deeper.
            chosen = [play for play in plays if play in near or play.board == played]
            deeper = [
                load_networks().search_play(play.board, board, cube, plies) for play in chosen
            ]
            deeper.sort(key=sort_key_of)
            plays = [*deeper, *_adjust_unsearched(deeper[0], plays, chosen)]
        return plays

    def _evaluate_recorded_play(
        self, decision: Decision, candidates: Sequence[Candidate], board: list[int], cube: SageCube
    ) -> Candidate | None:
        """Return the recorded play, legal or not, with its evaluation.

        `candidates` are the legal plays. The result is None if there are none, if no play is
        recorded, or if the board after the recorded play is impossible.
        """
        after = decision.after
        if after is None or not candidates or not is_possible(after):
            return None
        if decision.legal and not checkers(after.own):
            # The last checker is borne off, so unused dice do not matter.
            return candidates[0]._replace(after=after)
        same = next((candidate for candidate in candidates if candidate.after == after), None)
        if same is not None:
            return same
        best = candidates[0]
        # Its equity follows from the difference between the boards after the two plays.
        own, other = self._evaluate_boards([board_of(after), board_of(best.after)], board, cube)
        equity = best.equity + own.equity - other.equity
        return Candidate(after, equity, Chances(*own.probs))

    def _evaluate_boards(
        self, boards_after: Sequence[list[int]], board_before: list[int], cube: SageCube
    ) -> list[EvaluatedPlay]:
        """Evaluate the plays that lead to each of `boards_after` at the engine's level."""
        if self._plies == 1:
            return load_networks().evaluate_boards_after_plays(boards_after, cube)
        return [
            load_networks().search_play(board, board_before, cube, self._plies)
            for board in boards_after
        ]


def _is_clearly_wrong(cost: float, plies: int) -> bool:
    """Whether a double is so wrong that its exact cost does not matter.

    `cost` is the equity that the double loses in a search `plies` deep.
    """
    least, most = NEARLY_COUNTED
    # In this range, the exact cost decides whether error rates count the decision.
    return cost > CLEAR[plies - 2] and not least < cost <= most


def _compute_cost_of_double(analyzed: CubeEvaluation) -> float:
    """Return the equity that a double loses, negative if the double gains."""
    return analyzed.no_double - min(analyzed.take, analyzed.passed)


def _adjust_unsearched(
    best_searched: EvaluatedPlay, plays: Sequence[EvaluatedPlay], searched: Sequence[EvaluatedPlay]
) -> Iterator[EvaluatedPlay]:
    """Yield the plays of a roll that were not searched deeper, with adjusted equities.

    Each play keeps its distance from the best play. `best_searched` has its equity after the deeper
    search, `plays` and `searched` have their equities before it.
    """
    before = next(play.equity for play in searched if play.board == best_searched.board)
    boards = [play.board for play in searched]
    for play in plays:
        if play.board not in boards:
            yield play._replace(equity=best_searched.equity - max(before - play.equity, 0.0))


def _yield_possible_rolls(decision: Decision, board: list[int], cube: SageCube) -> Iterator[Roll]:
    """Yield every possible roll of a turn, with the board and the cube before it.

    The first roll of a game can be either side's and no doubles.
    """
    if not _is_first_roll(decision):
        yield from ((board, dice, cube) for dice in ROLLS)
        return
    flipped_board = board_of(swap_sides(decision.position))
    yield from ((board, dice, cube) for dice in _SINGLES)
    yield from ((flipped_board, dice, cube.flipped()) for dice in _SINGLES)


def _compute_luck_of_roll(index: int, rolls: Sequence[Roll], best: Sequence[float]) -> float:
    """Return the luck of a roll: its equity minus the average equity of all possible rolls.

    `index` is the place of the roll in `rolls`, and `best` has the equity of the best play of each
    roll.
    """
    if len(rolls) != len(ROLLS):
        # The first roll of a game.
        own, other = best[: len(_SINGLES)], best[len(_SINGLES) :]
        return best[index] - (sum(own) - sum(other)) / 30
    weighted = sum(
        equity * (1 if dice in _DOUBLES else 2)
        for equity, (_, dice, _) in zip(best, rolls, strict=True)
    )
    return best[index] - weighted / 36


def _is_first_roll(decision: Decision) -> bool:
    """Whether a roll can be the first of a game, from the starting position."""
    dice = decision.dice
    start = start_position(decision.context.terms.variant)
    return decision.position == start and dice is not None and dice[0] != dice[1]


def start(level: str, limits: Limits) -> Engine:
    """Return Open Sage as an engine; raise EngineError if it is missing or too old."""
    del limits  # It uses one thread: with more cores, start more processes.
    try:
        installed = version(PACKAGE)
    except PackageNotFoundError as error:
        raise EngineError(f"Open Sage is not installed: {how_to_install()}") from error
    if int(installed.partition(".")[0]) < OLDEST:
        raise EngineError(
            f"Open Sage {installed} is too old, {OLDEST}.0 or later is needed: {how_to_install()}"
        )
    _load_library()
    depth, _, exhaustive = find_stored_level(level).partition("-")
    if exhaustive:
        return Sage(installed, level, EXHAUSTIVE)
    first, *deeper = (Sage(installed, stage) for stage in depth.split("+"))
    if not deeper:
        return first
    from bganalyze.analysis.engines.two_levels import TwoLevelEngine

    return TwoLevelEngine(first, *deeper)


def equities(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return the 1ply equities of all legal plays for each position with a roll.

    The keys are the positions after the plays. Raise EngineError if Open Sage is missing.
    """
    _load_library()
    answers = load_networks().plays_of_rolls(
        [_make_roll_input(situation) for situation in situations]
    )
    return [
        {position_of(play["board"], situation.position): play["equity"] for play in plays}
        for situation, plays in zip(situations, answers, strict=True)
    ]


def _make_roll_input(situation: Situation) -> Roll:
    """Return a position with its roll in the form of the engine's library."""
    side, dice = situation.on_roll, situation.dice
    assert dice is not None
    owner = {None: "CENTERED", side: "PLAYER", 1 - side: "OPPONENT"}[situation.cube_owner]
    away = [situation.length - score for score in situation.scores]
    if not (situation.length and all(1 <= points <= LONGEST_MATCH for points in away)):
        # Too long a match for the engine is treated as money play.
        away = [0, 0]
    cube = SageCube(
        situation.cube_value, owner, (away[side], away[1 - side]), situation.crawford, jacoby=False
    )
    return board_of(situation.position), dice, cube


def _load_library() -> None:
    """Import the engine's library. Raise EngineError if it is missing or fails."""
    try:
        import bgsage  # noqa: F401 -- imported to find out whether it loads
    except ModuleNotFoundError as error:
        raise EngineError(f"Open Sage is not installed: {how_to_install()}") from error
    except Exception as error:
        raise EngineError(
            f"Open Sage cannot be loaded: {error!r}; {_how_to_use_gnubg()}"
        ) from error


def is_installed() -> bool:
    """Whether the engine's library is installed, in any version."""
    return find_spec(PACKAGE) is not None


def how_to_install() -> str:
    """Return advice for a message: how to install Open Sage, or use GNU Backgammon."""
    if is_frozen():
        return f"{_how_to_use_gnubg()}, or use the Python package"
    return f"{how_to_add(OPEN_SAGE)}, or {_how_to_use_gnubg()}"


def _how_to_use_gnubg() -> str:
    """Return advice to choose GNU Backgammon or, if it is missing, to install it."""
    if is_engine_installed("gnubg"):
        return "choose --engine gnubg (GNU Backgammon)"
    return "install GNU Backgammon (Debian: apt install gnubg)"


def _to_candidate(before: Position, play: EvaluatedPlay) -> Candidate:
    """Convert a play of the library, made from the position `before`, to a candidate play."""
    return Candidate(position_of(play.board, before), play.equity, Chances(*play.probs))


def _make_engine_input(decision: Decision) -> tuple[list[int], SageCube]:
    """Return a decision's board and cube in the form of the library."""
    # The doubler, even if the other side answers; after a resignation, the side to roll next.
    side = decision.doubler if decision.on_roll is None else decision.on_roll
    position = decision.position if side == decision.side else swap_sides(decision.position)
    context, length = decision.context, decision.length
    owner = "CENTERED"
    if decision.owner is not None:
        owner = "PLAYER" if decision.owner == side else "OPPONENT"
    score = context.score
    away = (length - score[side], length - score[1 - side]) if length else (0, 0)
    jacoby = bool(context.terms.jacoby) and not length
    return board_of(position), SageCube(decision.cube, owner, away, context.crawford, jacoby)
