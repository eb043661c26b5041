"""Evidence in a match that contradicts an error as recorded.

A player may really have made an illegal play, and both sides went on from it. Then everything that
follows fits the recorded board, and a wrongly played die looks like a wrongly written one. If
something later does not fit, the record itself suggests a slip.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Set as AbstractSet
from functools import cached_property

from bganalyze.record.model import Play, Span
from bganalyze.validation.findings import EvidenceKind
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, SET_UP
from bganalyze.validation.replaying.replayed import Contradiction, GameReplay, MatchProblem

WITH_CUBE = frozenset(
    (
        "not-owner",
        "double-out-of-turn",
        "crawford-double",
        "dead-cube",
        "wrong-value",
        "beaver-not-allowed",
        "opening-cube",
        "no-cube-game",
        "cube-limit",
    )
)
"""Cube errors that players can make. An answer without a double, and a double without an answer,
are gaps in the record."""

ON_BOARD = MOVEMENT | SET_UP | {"impossible-cube", "turn-order"}
"""Checker errors that players can make."""

AT_TABLE = ON_BOARD | WITH_CUBE
"""Errors that players can make. All others contradict the record in themselves."""

IMPOSSIBLE_AT_TABLE = frozenset(("empty-point",))
"""Errors that are physically impossible: there is no checker to move."""

SHOWS_BOARD = frozenset(("false-hit-mark", "unfounded-win", "wrong-winner", "resignation-size"))
"""Later problems that may show that another board was played on."""

SHOWS_CUBE = frozenset(("wrong-points", "jacoby-gammon"))
"""Problems at the end of a game that may show another cube."""


class ErrorsOfGame:
    """The errors of a game, and the later actions that contradict each of them.

    A later problem contradicts an error if it shows another board or cube than the error leaves: then
    the error did not happen as recorded.
    """

    def __init__(self, game: GameReplay) -> None:
        self._game = game

    def contradictions_of(self, error: MatchProblem) -> list[Contradiction]:
        """Return the later actions that are impossible if the error happened as recorded."""
        if error.rule not in AT_TABLE:
            return []
        by_error = self._after_cube_errors if error.rule in WITH_CUBE else self._after_board_errors
        return by_error.get(id(error), [])

    @cached_property
    def _after_cube_errors(self) -> dict[int, list[Contradiction]]:
        """Later actions that are impossible after each cube error, by the error's `id`."""
        return self._map_errors_to_contradictions(SHOWS_CUBE, WITH_CUBE)

    @cached_property
    def _after_board_errors(self) -> dict[int, list[Contradiction]]:
        """Later actions that are impossible after each error on the board, by the error's `id`."""
        return self._map_errors_to_contradictions(SHOWS_BOARD, ON_BOARD)

    def _map_errors_to_contradictions(
        self, contradicting_rules: AbstractSet[str], contradicted_rules: AbstractSet[str]
    ) -> dict[int, list[Contradiction]]:
        """Map errors against `contradicted_rules` to later actions that contradict them, by `id`.

        An action contradicts an error if it breaks one of `contradicting_rules`, and no other such
        error comes between them. The keys are `id(error)`.
        """
        by_error = defaultdict[int, list[Contradiction]](list)
        last: MatchProblem | None = None
        for other in sorted(self._game.problems, key=lambda other: other.span):
            if other.rule in contradicted_rules:
                last = other
            elif other.rule in contradicting_rules and last is not None:
                by_error[id(last)].append(Contradiction(other.span, other.rule))
        return by_error

    def has_later_move(self, error: MatchProblem) -> bool:
        """Whether a checker moves in the game after the erroneous action."""
        start = error.turn.action.span if error.turn is not None else error.span
        return self._last_move is not None and self._last_move > start

    @cached_property
    def _last_move(self) -> Span | None:
        """Place of the last play that moved checkers, or None."""
        actions = self._game.turns.actions()
        moves = (action.span for action in actions if isinstance(action, Play) and action.steps)
        return max(moves, default=None)


def contradictions_of(
    error: MatchProblem, errors_of_game: ErrorsOfGame | None
) -> tuple[Contradiction, ...]:
    """Return the actions that are impossible if an error happened as recorded.

    `errors_of_game` is None for an error that concerns no single game.
    """
    itself = () if _can_happen_at_table(error) else (Contradiction(error.span, error.rule),)
    later = () if errors_of_game is None else errors_of_game.contradictions_of(error)
    return tuple(dict.fromkeys((*itself, *error.contradictions, *later)))


def evidence_kind(
    error: MatchProblem,
    errors_of_game: ErrorsOfGame | None,
    contradictions: tuple[Contradiction, ...],
) -> EvidenceKind:
    """Return whether the match file contradicts an error, fits it, or says nothing about it."""
    if contradictions:
        return EvidenceKind.CONTRADICTED
    has_later_move = errors_of_game is not None and errors_of_game.has_later_move(error)
    is_sure = error.turn is None or error.turn.verified
    return EvidenceKind.CONSISTENT if has_later_move and is_sure else EvidenceKind.UNKNOWN


def _can_happen_at_table(error: MatchProblem) -> bool:
    """Whether players, and not only the transcriber, can make this error."""
    return error.rule in AT_TABLE - IMPOSSIBLE_AT_TABLE
