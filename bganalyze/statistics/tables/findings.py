"""The table of findings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from bganalyze.record.model import Span
from bganalyze.statistics.tables.schema import (
    LINE,
    MATCH,
    SIDES,
    Examined,
    Schema,
    category,
    maybe_number,
    number,
)
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying import MatchReplay

_Place: TypeAlias = tuple[int, int]


class _Entry(NamedTuple):
    """A finding in its match, with the action that it is about."""

    match: int
    finding: Finding
    turn: int | None


SCHEMA = Schema(
    "findings",
    "One row for each finding.",
    ("match", "line", "column", "code"),
    (
        MATCH,
        maybe_number(
            "game", "The game; missing for what is about the match.", lambda e: e.finding.game
        ),
        maybe_number(
            "turn",
            "The action it is about, as in `turns` and `cubes`; missing if it is about none.",
        ),
        LINE._replace(value=lambda e: e.finding.line),
        number("column", "The column of the file.", lambda e: e.finding.column),
        category("code", "The code of the rule.", lambda e: e.finding.code),
        category("name", "The name of the rule.", lambda e: e.finding.name),
        category(
            "severity", "How grave it is.", lambda e: e.finding.severity.value, tuple(Severity)
        ),
        category("side", "Whose action it is.", lambda e: e.finding.side, SIDES),
        category(
            "standing",
            "What the player-error rule makes of it.",
            lambda e: e.finding.standing and e.finding.standing.value,
            tuple(Standing),
        ),
        maybe_number(
            "consequences",
            "How many later faults follow from it and are not listed.",
            lambda e: e.finding.consequences,
        ),
    ),
)


def entries(number: int, match: Examined) -> list[_Entry]:
    """Return the findings about a match, the `number`-th of those tabulated."""
    turns = _turns_by_place(match.replayed) if match.findings else {}
    return [_Entry(number, finding, _turn(finding, turns)) for finding in match.findings]


def _turn(finding: Finding, turns: Mapping[_Place, int]) -> int | None:
    return turns.get((finding.line, finding.column)) if finding.game else None


def _turns_by_place(replayed: MatchReplay) -> dict[_Place, int]:
    """The actions of the games by their places, and by the places of facts about them."""
    places: dict[_Place, int] = {}
    for game in replayed.games:
        actions = {_place(turn.action.span): index for index, turn in enumerate(game.turns, 1)}
        places.update(actions)
        for fact in game.facts:
            if fact.turn is not None and _place(fact.turn.action.span) in actions:
                places[_place(fact.span)] = actions[_place(fact.turn.action.span)]
    return places


def _place(span: Span) -> _Place:
    return span.line, span.column
