"""The analysis of GammonView's document, into which gvformat turns `.xg`, `.bgf` and `.ogxm`.

Equities are normalised (EMG). A no double is kept with the throw after it, as `cube_decision` where
it was right and as `missed_double` where it was not.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from bganalyze.board.position import BAR, OFF, Position, move
from bganalyze.judging.decisions import Decision
from bganalyze.judging.engines.stored import Stored
from bganalyze.judging.evaluation import MOST_KEPT, Candidate, Chances, CubeJudgement, PlayJudgement

_CHANCES = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
_CUBE = ("no_double_equity", "double_take_equity", "double_pass_equity")


def from_gva(decision: Decision, entries: Mapping[str, str]) -> Stored:
    """Return what the entry `gva` says of a decision."""
    try:
        said = json.loads(entries["gva"])
        return Stored(_play(decision, said), _cube(said), said.get("eval_level"))
    except (ValueError, KeyError, TypeError, IndexError, AttributeError):
        return Stored()


def _play(decision: Decision, said: Mapping[str, Any]) -> PlayJudgement | None:
    """The candidates, the best first: their order alone does not tell, their depths differ.

    Equities are stored to four digits, but what counts as a decision was found from all of them.
    """
    if decision.dice is None or said.get("best_equity") is None:
        return None
    candidates = [_candidate(decision, each) for each in said.get("alternatives") or ()]
    candidates.sort(key=lambda each: each.equity != said["best_equity"])
    reached = None
    if decision.left is not None and said.get("played_equity") is not None:
        reached = Candidate(decision.left, float(said["played_equity"]))
    alike = said.get("decision") is False
    return PlayJudgement(tuple(candidates[:MOST_KEPT]), reached, said.get("luck"), alike)


def _candidate(decision: Decision, said: Mapping[str, Any]) -> Candidate:
    position = _left(decision.position, decision.side, said["move"])
    return Candidate(position, float(said["equity"]), _chances(said.get("eval") or {}))


def _left(before: Position, side: int, hops: Sequence[Mapping[str, int]]) -> Position:
    """What hops leave; their points are counted upward by White, who is left."""
    own, other = list(before.own), list(before.other)
    for hop in hops:
        source = BAR - hop["from"] if side == 0 else hop["from"]
        move(own, other, (source, max(source - hop["pips"], OFF)))
    return Position(tuple(own), tuple(other))


def _cube(said: Mapping[str, Any]) -> CubeJudgement | None:
    for part in (said.get("missed_double"), said.get("cube_decision"), said):
        if part and all(part.get(name) is not None for name in _CUBE):
            none, take, drop = (float(part[name]) for name in _CUBE)
            return CubeJudgement(none, take, drop, _chances(part.get("eval") or {}))
    return None


def _chances(said: Mapping[str, Any]) -> Chances | None:
    if not all(name in said for name in _CHANCES):
        return None
    return Chances(*(float(said[name]) for name in _CHANCES))
