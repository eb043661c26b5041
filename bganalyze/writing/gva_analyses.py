"""Analyses of actions in GammonView's document: adding them, and comparing them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bganalyze.board.position import BAR
from bganalyze.record.gva import BEAVER, DOUBLE, DROP, RACCOON, TAKE, WHITE
from bganalyze.record.model import LEFT, Action, Analysis, Answer, Double, Play
from bganalyze.record.players import has_swapped_columns
from bganalyze.validation.replaying import MatchReplay

NAME = "gva"
"""The name of the entry of an action that holds its analysis as JSON."""

ROUNDING = 0.0006
"""Difference of numbers that a file stores with four digits or fewer."""

_DERIVED = frozenset(
    (
        "notation",
        "diff",
        "decision",
        "equity_loss",
        "ply",
        "correct_action",
        "played_action",
        "action",
        "should_double",
        "is_played",
        "played_equity",
    )
)
"""Entries that follow from others."""


def add_analyses(document: dict[str, Any], original: MatchReplay, are_sides_swapped: bool) -> None:
    """Add the analyses stored in the original match to a GammonView document (parsed JSON).

    Only analyses in GammonView's own notation are added.
    """
    programs = list[str]()
    for game, game_replay in zip(document["games"], original.games, strict=False):
        is_flipped = are_sides_swapped != has_swapped_columns(original.match, game_replay.game)
        rest = iter(game["plies"])
        for turn in game_replay.turns:
            action = turn.action
            entry = (
                _find_entry_of_action(rest, action, is_flipped)
                if isinstance(action, _ANALYZED)
                else None
            )
            analysis = getattr(action, "analysis", None)
            text = dict(analysis.entries).get(NAME) if analysis else None
            if entry is None or analysis is None or text is None:
                continue
            entry["analysis"] = _flip_plays(json.loads(text)) if is_flipped else json.loads(text)
            programs.append(analysis.program)
    if programs:
        entries = (ply.get("analysis") for game in document["games"] for ply in game["plies"])
        levels = (entry.get("eval_level") for entry in entries if isinstance(entry, dict))
        level = Counter(level for level in levels if isinstance(level, str)).most_common(1)
        document["analysis_info"] = {
            **(
                {"eval_level": level[0][0], "ply": _parse_plies_of_level(level[0][0])}
                if level
                else {"ply": 0}
            ),
            "model_id": programs[0],
            "timestamp": document.get("timestamp") or 0,
        }


_ANALYZED = (Play, Double, Answer)
"""Actions that may have an analysis."""


def _find_entry_of_action(
    rest: Iterator[dict[str, Any]], action: Action, are_sides_swapped: bool
) -> Any:
    """Return the next entry of a GammonView game that records `action`, or None.

    `rest` yields the game's remaining entries.
    """
    assert isinstance(action, _ANALYZED)
    color = WHITE if (action.side == LEFT) != are_sides_swapped else 1 - WHITE
    for entry in rest:
        if entry["color"] == color and _records_action(entry, action):
            return entry
    return None


def _records_action(entry: dict[str, Any], action: Action) -> bool:
    """Whether an entry of GammonView's document has the kind and the dice of an action."""
    number = entry["action_id"]
    match action:
        case Play():
            return sorted((entry.get("d1") or 0, entry.get("d2") or 0)) == sorted(action.dice or ())
        case Double():
            return bool(number in (DOUBLE, BEAVER, RACCOON))
        case Answer():
            return bool(number == (TAKE if action.taken else DROP))
    return False


def _flip_plays(entry: Any) -> Any:
    """Return an analysis (JSON) whose plays are numbered from the other side of the board."""
    plays = entry.get("alternatives") if isinstance(entry, dict) else None
    if not isinstance(plays, list):
        return entry
    return {**entry, "alternatives": list(map(_flip_play, plays))}


def _flip_play(play: Any) -> Any:
    """Return a play (JSON) whose points are numbered from the other side of the board."""
    if not isinstance(play, dict) or not isinstance(play.get("move"), list):
        return play
    return {**play, "move": list(map(_flip_step, play["move"]))}


def _flip_step(step: Any) -> Any:
    """Return a step (JSON) whose point is numbered from the other side of the board.

    >>> _flip_step({"from": 24, "pips": 3})
    {'from': 1, 'pips': 3}
    """
    if not isinstance(step, dict) or type(step.get("from")) is not int:
        return step
    return {**step, "from": BAR - step["from"]}


def _parse_plies_of_level(level: str) -> int:
    """Return the number of plies in a level such as `3ply`, or 0 if it names none.

    >>> _parse_plies_of_level("3ply"), _parse_plies_of_level("rollout")
    (3, 0)
    """
    return int(level.removesuffix("ply")) if re.fullmatch(r"[0-9]ply", level) else 0


def is_same_analysis(one: Analysis, other: Analysis | None) -> bool:
    """Whether an analysis that was written and read again (`other`) still equals the original.

    Rounding and points numbered from the other side make no difference.
    """
    if other is None or one.program != other.program:
        return one == other
    texts = [dict(analysis.entries).get(NAME) for analysis in (one, other)]
    if None in texts:
        return one == other
    try:
        written, read = (json.loads(text or "") for text in texts)
        return _has_same_values(read, written) or _has_same_values(read, _flip_plays(written))
    except RecursionError:  # A damaged file may nest lists a thousand deep.
        return False


def _has_same_values(read: Any, written: Any) -> bool:
    """Whether JSON data equals the data that was written, except for rounding.

    Values that follow from other values are not compared.
    """
    match written:
        case bool() | str():
            return bool(read == written)
        case int() | float():
            return isinstance(read, int | float) and abs(read - written) <= ROUNDING
        case Mapping():
            names = written.keys() - _DERIVED
            if "alternatives" in names:  # Each has its own level.
                names -= {"eval_level"}
            if "win" in names:
                names -= {"equity"}
            return isinstance(read, Mapping) and all(
                _has_same_values(read.get(name), written[name]) for name in names
            )
        case Sequence():
            is_alike = isinstance(read, Sequence) and len(read) == len(written)
            return is_alike and all(map(_has_same_values, read, written))
    return bool(read == written)
