"""The table of findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from bganalyze.findings import Finding, Severity, Standing
from bganalyze.replaying import MatchReplay
from bganalyze.tables.schema import LINE, MATCH, SIDES, Column, Row, Schema
from bganalyze.transcript.model import Span

_Place: TypeAlias = tuple[int, int]

SCHEMA = Schema(
    "findings",
    "One row for each finding.",
    ("match", "line", "column", "code"),
    (
        MATCH,
        Column("game", "Int32", "The game; missing for what is about the match."),
        Column(
            "turn",
            "Int32",
            "The action it is about, as in `turns` and `cubes`; missing if it is about none.",
        ),
        LINE,
        Column("column", "int32", "The column of the file."),
        Column("code", "category", "The code of the rule."),
        Column("name", "category", "The name of the rule."),
        Column("severity", "category", "How grave it is.", tuple(Severity)),
        Column("side", "category", "Whose action it is.", SIDES),
        Column("standing", "category", "What the player-error rule makes of it.", tuple(Standing)),
        Column("consequences", "Int32", "How many later faults follow from it and are not listed."),
    ),
)


def rows(number: int, replayed: MatchReplay, findings: Sequence[Finding]) -> list[Row]:
    """Return the rows of the findings about a match, the `number`-th of those tabulated."""
    turns = _turns_by_place(replayed) if findings else {}
    return [_row(number, found, turns) for found in findings]


def _turns_by_place(replayed: MatchReplay) -> dict[_Place, int]:
    """The actions of the games by their places, and by the places of facts about them."""
    places: dict[_Place, int] = {}
    for game in replayed.games:
        own = {_place(turn.action.span): index for index, turn in enumerate(game.turns, 1)}
        places.update(own)
        for fact in game.facts:
            if fact.turn is not None and _place(fact.turn.action.span) in own:
                places[_place(fact.span)] = own[_place(fact.turn.action.span)]
    return places


def _place(span: Span) -> _Place:
    return span.line, span.column


def _row(number: int, found: Finding, turns: Mapping[_Place, int]) -> Row:
    return {
        "match": number,
        "game": found.game,
        "turn": turns.get((found.line, found.column)) if found.game else None,
        "line": found.line,
        "column": found.column,
        "code": found.code,
        "name": found.name,
        "severity": str(found.severity),
        "side": found.side,
        "standing": found.standing and str(found.standing),
        "consequences": found.consequences,
    }
