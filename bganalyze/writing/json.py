"""The model as JSON, versioned: `match.schema.json` beside this module describes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from bganalyze.board.position import Step
from bganalyze.replaying import MatchReplay
from bganalyze.transcript.model import (
    SIDE_NAMES,
    Action,
    Analysis,
    Game,
    Match,
    ReaderNote,
    SetUp,
    Span,
)
from bganalyze.writing.written import Written

VERSION = 1

LEFT_OUT = frozenset(("places", "cell_offset", "span", "last_line"))
"""Fields of actions that only say where in the file something stands."""

SIDES = frozenset(("side", "cube_owner", "on_roll"))


def write(replays: Sequence[MatchReplay]) -> Written:
    """Return the matches as one JSON document."""
    document = {"version": VERSION, "matches": [_match(each.match) for each in replays]}
    return Written((json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode(), ())


def _match(match: Match) -> dict[str, Any]:
    length = match.length
    return {
        "path": match.source.path,
        "encoding": match.source.encoding,
        "number": match.number,
        "format": match.format,
        "length": None if length is None else length.points,
        "tags": [{"key": tag.key, "value": tag.value, "at": _at(tag.span)} for tag in match.tags],
        "conventions": {**match.profile._asdict(), "notes": dict(match.profile.notes)},
        "games": [_game(game) for game in match.games],
        "oddities": [_oddity(odd) for odd in match.oddities],
    }


def _oddity(odd: ReaderNote) -> dict[str, Any]:
    said = {"rule": odd.rule, "text": odd.text, "game": odd.game, "at": _at(odd.span)}
    if odd.row is not None:
        said["row"] = odd.row
    if odd.side is not None:
        said["side"] = SIDE_NAMES[odd.side]
    return said


def _game(game: Game) -> dict[str, Any]:
    score = game.score
    return {
        "number": game.number,
        "names": None if score is None else list(score.names),
        "score": None if score is None else list(score.points),
        "crawford": game.crawford,
        "cube": game.cube,
        "at": _at(game.span),
        "actions": [_action(action) for action in game.actions],
    }


def _action(action: Action) -> dict[str, Any]:
    """An action: what it is, its fields that are set, and where it stands."""
    fields = (
        (name, _value(name, value))
        for name, value in action._asdict().items()
        if name not in LEFT_OUT and value is not None
    )
    return {"action": type(action).__name__.lower(), "at": _at(action.span), **dict(fields)}


def _value(name: str, value: Any) -> Any:
    if name in SIDES:
        return SIDE_NAMES[value]
    match name, value:
        case "steps", _:
            return [_step(step) for step in value]
        case "boards", _:
            return [list(side) for side in value]
        case "dice", _:
            return list(value)
        case _, SetUp():
            return {key: said for key, said in _action(value).items() if key != "action"}
        case _, Analysis():
            return {"program": value.program, "entries": [list(entry) for entry in value.entries]}
        case _:
            return value


def _step(step: Step) -> dict[str, Any]:
    return {"path": list(step.path), "hits": list(step.marked)}


def _at(span: Span) -> dict[str, int]:
    return span._asdict()
