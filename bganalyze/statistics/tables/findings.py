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
    text,
)
from bganalyze.text import escape_surrogates
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying import MatchReplay

_Place: TypeAlias = tuple[int, int]


class _Entry(NamedTuple):
    """A finding in its match, with the number of its action."""

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
            "game",
            "The game; missing for a finding about the whole match.",
            lambda e: e.finding.game,
        ),
        maybe_number(
            "turn",
            "The number of its action, as in `turns` and `cubes`; missing if it concerns no action.",
        ),
        LINE._replace(value=lambda e: e.finding.line),
        number("column", "The column of the file.", lambda e: e.finding.column),
        category("code", "The code of the rule.", lambda e: e.finding.code),
        category("name", "The name of the rule.", lambda e: e.finding.name),
        category(
            "severity",
            "The severity of the finding.",
            lambda e: e.finding.severity.value,
            tuple(Severity),
        ),
        text(
            "message",
            "The message: what is wrong; missing if anonymized.",
            lambda e: escape_surrogates(e.finding.message),
        ),
        category("side", "The side whose action it is.", lambda e: e.finding.side, SIDES),
        category(
            "standing",
            "The standing of the error under the player-error rule.",
            lambda e: e.finding.standing and e.finding.standing.value,
            tuple(Standing),
        ),
        maybe_number(
            "consequences",
            "Number of later errors that follow from it and are not listed.",
            lambda e: e.finding.consequences,
        ),
    ),
)


def make_entries(match_number: int, match: Examined) -> list[_Entry]:
    """Return the findings of a match as rows of a table, each with the number of its turn."""
    turns = _index_turns(match.replayed) if match.findings else {}
    return [_Entry(match_number, finding, _find_turn(finding, turns)) for finding in match.findings]


def _find_turn(finding: Finding, turns: Mapping[_Place, int]) -> int | None:
    """Return the number of the turn that a finding is about, or None.

    `turns` has the turn that begins at each place (line, column).
    """
    return turns.get((finding.line, finding.column)) if finding.game else None


def _index_turns(replayed: MatchReplay) -> dict[_Place, int]:
    """Return a dictionary from the place (line, column) of each turn to the turn's number."""
    places: dict[_Place, int] = {}
    for game in replayed.games:
        actions = {_locate(turn.action.span): index for index, turn in enumerate(game.turns, 1)}
        places.update(actions)
        for problem in game.problems:
            if problem.turn is not None and _locate(problem.turn.action.span) in actions:
                places[_locate(problem.span)] = actions[_locate(problem.turn.action.span)]
    return places


def _locate(span: Span) -> _Place:
    """Return the line and the column at which a part of the match file begins."""
    return span.line, span.column
