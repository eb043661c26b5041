"""The table of games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from bganalyze.board.cube import class_of_loss
from bganalyze.board.position import Points
from bganalyze.findings import Finding, Severity
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.facts import Context, EndKind, GameReplay
from bganalyze.tables.schema import GAME, LINE, MATCH, SIDES, Column, Row, Schema
from bganalyze.tables.turns import own_throws
from bganalyze.transcript.model import Side

STAGES = (
    "money",
    "before-crawford",
    "crawford",
    "post-crawford",
    "double-match-point",
    "unknown",
)
"""Where in a match a game stands. At double match point both sides need one point."""

SCHEMA = Schema(
    "games",
    "One row for each game.",
    ("match", "game"),
    (
        MATCH,
        GAME,
        LINE,
        Column("left", "category", "The player of the left column."),
        Column("right", "category", "The player of the right column."),
        Column("left_score", "int32", "Points of the left player before the game."),
        Column("right_score", "int32", "Points of the right player before the game."),
        Column(
            "left_away",
            "Int32",
            "Points the left player needs; missing in money play or if the length is.",
        ),
        Column("right_away", "Int32", "Points the right player needs."),
        Column("stage", "category", "Where in the match the game stands.", STAGES),
        Column("variant", "category", "The variant that is played."),
        Column(
            "jacoby",
            "boolean",
            "Whether gammons need a turned cube; missing if the record does not say.",
        ),
        Column("kind", "category", "How the game ended.", get_args(EndKind)),
        Column("winner", "category", "Who won.", SIDES),
        Column(
            "cube_before",
            "int32",
            "The value of the cube at the start: more than 1 after automatic doubles.",
        ),
        Column(
            "cube",
            "int32",
            "The value of the cube at the end; of a dropped double, what the drop cost.",
        ),
        Column(
            "cube_owner",
            "category",
            "Who held the cube at the end; missing if it was centred.",
            SIDES,
        ),
        Column(
            "size",
            "Int8",
            "How large the loss was on the board, if it was borne off: 1 plain, 2 gammon, 3 backgammon.",
        ),
        Column(
            "resigned_size",
            "Int8",
            "The points of a resignation in units of the cube, if they are 1, 2 or 3 of it.",
        ),
        Column(
            "gammon_counted",
            "boolean",
            "Whether a gammon would have won more than a plain win: not under Jacoby with a centred cube, nor where a plain win was enough.",
        ),
        Column("recorded", "Int32", "Points as the record has them."),
        Column(
            "on_board",
            "Int32",
            "Points as the board and the cube give them; missing for resignations.",
        ),
        Column("counting", "Int32", "Points that count: no more than the winner needed."),
        Column(
            "provisional",
            "bool",
            "Whether an illegal play won it, against which nothing was thrown.",
        ),
        Column(
            "throws", "int32", "How many throws are recorded; a play made again is none of its own."
        ),
        Column("unverified", "int32", "How many of them were made on a board that is in doubt."),
        Column("illegal", "int32", "How many plays were not legal, and stood."),
        Column("errors", "int32", "How many errors were found in the game, corrected ones apart."),
    ),
)


def rows(number: int, replayed: MatchReplay, findings: Sequence[Finding]) -> list[Row]:
    """Return the rows of the games of a match, the `number`-th of those tabulated."""
    return [_row(number, replayed, game, findings) for game in replayed.games]


def _row(number: int, replayed: MatchReplay, game: GameReplay, findings: Sequence[Finding]) -> Row:
    context, ending = game.context, game.ending
    names = game.game.score.names if game.game.score else replayed.match.names
    own = [found for found in findings if found.game == context.game]
    away = [_away(context, side) for side in (0, 1)]
    winner = ending.winner
    thrown = [turn for _, turn in own_throws(game)]
    verdicts = (turn.verdict for turn in thrown)
    return {
        "match": number,
        "game": context.game,
        "line": game.game.span.line,
        "left": names[0],
        "right": names[1],
        "left_score": context.score[0],
        "right_score": context.score[1],
        "left_away": away[0],
        "right_away": away[1],
        "stage": stage(context),
        "variant": context.terms.variant,
        "jacoby": context.terms.jacoby,
        "kind": ending.kind,
        "winner": None if winner is None else SIDES[winner],
        "cube_before": context.cube,
        "cube": game.cube.refused or game.cube.value,
        "cube_owner": None if game.cube.owner is None else SIDES[game.cube.owner],
        "size": _size(game),
        "resigned_size": _resigned_size(game),
        "gammon_counted": None if winner is None else _gammon_counts(game, winner),
        "recorded": ending.recorded,
        "on_board": ending.on_board,
        "counting": ending.counting,
        "provisional": any(found.name == "result-contestable" for found in own),
        "throws": len(thrown),
        "unverified": [turn.verified for turn in thrown].count(False),
        "illegal": sum(verdict is not None and verdict.fault is not None for verdict in verdicts),
        "errors": sum(found.fails(Severity.ERROR) for found in own),
    }


def stage(context: Context) -> str:
    """Return where in its match a game stands; unknown where length or Crawford game are."""
    if context.terms.is_money:
        return "money"
    if context.terms.length is None or not context.crawford_known:
        return "unknown"
    if context.crawford:
        return "crawford"
    needed = sorted(context.terms.length - points for points in context.score)
    if needed == [1, 1]:
        return "double-match-point"
    return "post-crawford" if needed[0] == 1 else "before-crawford"


def _away(context: Context, side: Side) -> int | None:
    return context.terms.length - context.score[side] if context.terms.length else None


def _size(game: GameReplay) -> int | None:
    """How large the loss is by the board at the end, once a side has borne off everything."""
    if not game.turns:
        return None
    boards = game.turns[-1].after
    for side in (0, 1):
        if _is_off(boards[side]):
            return int(class_of_loss(boards[1 - side]))
    return None


def _is_off(side: Points) -> bool:
    return bool(side[0]) and not any(side[1:])


def _resigned_size(game: GameReplay) -> int | None:
    if not game.ending.kind.startswith("resigned") or game.ending.recorded is None:
        return None
    size, rest = divmod(game.ending.recorded, game.cube.value)
    return size if not rest and 1 <= size <= 3 else None


def _gammon_counts(game: GameReplay, winner: Side) -> bool | None:
    """Whether a gammon would have won more; None where length or Jacoby rule are unknown."""
    context, cube = game.context, game.cube
    if context.terms.length is None:
        return None
    if context.terms.is_money:
        if cube.owner is not None:
            return True
        return None if context.terms.jacoby is None else not context.terms.jacoby
    return context.terms.length - context.score[winner] > cube.value
