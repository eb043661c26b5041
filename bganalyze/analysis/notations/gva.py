"""Write evaluations as GammonView's document has them: JSON beside each action.

Its fields are those of `gvformat.export`; White is the left side, and counts the points upward. A decision
not to double is stored with the roll after it: as `missed_double` if it was wrong, else as `cube_decision`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from bganalyze.analysis.analyzed import loss
from bganalyze.analysis.candidates import RatedPlay, read_chances
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import Chances
from bganalyze.analysis.error_rates import counts_for_xg_b
from bganalyze.analysis.notations.evaluated import (
    Evaluated,
    EvaluatedAction,
    ListedPlay,
    list_plays,
)
from bganalyze.board.position import BAR

_DIGITS = 4
"""Decimals of equities in the document."""

_ACTIONS = {
    Kind.NO_DOUBLE: "no_double",
    Kind.DOUBLE: "double",
    Kind.TAKE: "take",
    Kind.PASS: "pass",
}
"""The cube actions that the document names; it has no evaluation of beavers."""


def write_entries(action: EvaluatedAction, side: int) -> Iterator[tuple[str, str]]:
    """Yield the evaluations of an action as the entry `gva` (JSON), if it has any.

    `side` is the side that acts.
    """
    play, cube = action
    entry = {} if play is None else _write_play(play, side)
    if cube is not None and cube.row.optimal is not None and cube.row.kind in _ACTIONS:
        if cube.row.kind is Kind.NO_DOUBLE:
            entry |= _write_no_double(cube)
        else:
            entry |= _write_cube_action(cube)
    if entry:
        yield "gva", json.dumps(entry)


def _write_play(evaluated: Evaluated, side: int) -> dict[str, Any]:
    """Return a roll and its play by `side` as a `.gva` JSON object."""
    row = evaluated.row
    luck = {} if row.luck is None else {"luck": round(row.luck, _DIGITS)}
    if row.best is None:
        return luck
    listed = list(list_plays(evaluated))
    reached = row.best if row.reached is None else row.reached
    first = listed[0].rated.chances if listed else None
    return {
        "best_equity": round(row.best, _DIGITS),
        "played_equity": round(reached, _DIGITS),
        "equity_loss": round(max(row.best - reached, 0.0), _DIGITS),
        "decision": counts_for_xg_b(row),
        **luck,
        **_write_chances(first),
        "alternatives": [
            _write_candidate(play, row.best, side, evaluated.depth) for play in listed
        ],
        **({"illegal_move": True} if row.legal is False else {}),
    }


def _write_candidate(play: ListedPlay, best: float, side: int, depth: str) -> dict[str, Any]:
    """Return a candidate play by `side` as a `.gva` JSON object.

    `best` is the equity of the best play.
    """
    rated: RatedPlay = play.rated
    return {
        "equity": round(rated.equity, _DIGITS),
        "is_played": rated.is_made,
        "diff": round(rated.equity - best, _DIGITS),
        **_write_chances(rated.chances),
        "eval_level": depth,
        "move": [
            {"from": source if side else BAR - source, "pips": source - target}
            for source, target in play.moves
        ],
        "notation": rated.play,
    }


def _write_chances(chances: Chances | None) -> dict[str, Any]:
    """Return chances as the member `eval` of a JSON object, or {} if unknown."""
    if chances is None:
        return {}
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return {"eval": dict(zip(names, chances, strict=True))}


def _write_equities(evaluated: Evaluated) -> dict[str, Any]:
    """Return the members of a `.gva` JSON object that every cube decision has."""
    no_double, take, passed = (round(one, _DIGITS) for one in evaluated.row.cube_equities)
    return {
        "no_double_equity": no_double,
        "double_take_equity": take,
        "double_pass_equity": passed,
        "equity_loss": round(max(loss(evaluated.row) or 0.0, 0.0), _DIGITS),
        **_write_chances(read_chances(evaluated.row.chances)),
        "eval_level": evaluated.depth,
    }


def _write_no_double(evaluated: Evaluated) -> dict[str, Any]:
    """Return a decision not to double as a member of a `.gva` JSON object.

    The member is `missed_double` if the decision lost equity, else `cube_decision`.
    """
    equities = _write_equities(evaluated)
    # It lost equity.
    if equities["equity_loss"]:
        return {"missed_double": {**equities, "correct_action": "double"}}
    counts = counts_for_xg_b(evaluated.row)
    right = {"should_double": False, "action": "no_double", "decision": counts}
    return {"cube_decision": {**equities, **right}}


def _write_cube_action(evaluated: Evaluated) -> dict[str, Any]:
    """Return a double, take or pass as a `.gva` JSON object."""
    row = evaluated.row
    no_double, take, passed = row.cube_equities
    if row.kind is Kind.DOUBLE:
        best = "double" if min(take, passed) >= no_double else "no_double"
    else:
        best = "take" if take <= passed else "pass"
    return {
        "correct_action": best,
        "played_action": _ACTIONS[row.kind],
        **_write_equities(evaluated),
        "decision": counts_for_xg_b(row),
    }
