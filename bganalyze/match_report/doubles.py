"""Cube decisions: each double with the board before it and its answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bganalyze.board.ids import Situation, parse_xgid
from bganalyze.match_report.seats import Seated
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.places import situation_before


class Shown(NamedTuple):
    """A board with the names of the columns beside it."""

    situation: Situation
    names: tuple[str, str]
    flipped: bool
    """Whether the players sit in each other's column."""


class Decision(NamedTuple):
    """An offer of the cube and its answer."""

    game: int
    row: str
    line: int
    seat: int
    """Who doubled: 0 or 1."""
    kind: str
    answer: str
    cube: int
    """Before the offer."""
    offer: int
    legal: bool
    verified: bool
    pips: tuple[int, int]
    """Of the doubler and of the other."""
    formulas: tuple[tuple[str, bool, bool], ...]
    """In a race: the formula, whether it turns the cube, and whether it takes."""
    shown: Shown


def decisions(seated: Seated, replayed: MatchReplay) -> tuple[Decision, ...]:
    """Return the doubles of the match in their order."""
    return tuple(_decisions(seated, replayed))


def _decisions(seated: Seated, replayed: MatchReplay) -> Iterator[Decision]:
    for row in seated.tables.cubes.to_dict("records"):
        number = int(row["game"])
        game = replayed.games[number - 1]
        turn = game.turns[int(row["turn"]) - 1]
        yield Decision(
            game=number,
            row=getattr(turn.action, "row", None) or "",
            line=int(row["line"]),
            seat=seated.seat(number, row["side"]),
            kind=str(row["kind"]),
            answer=str(row["answer"]),
            cube=int(row["cube"]),
            offer=int(row["offer"]),
            legal=bool(row["legal"]),
            verified=bool(row["verified"]),
            pips=(int(row["pips"]), int(row["opposing_pips"])),
            formulas=_formulas(row),
            shown=shown(seated, number, situation_before(turn)),
        )


def shown(seated: Seated, game: int, situation: Situation) -> Shown:
    """Return a board of a game with the players as they sit in it."""
    flipped = game in seated.changed
    left, right = seated.names
    return Shown(situation, (right, left) if flipped else (left, right), flipped)


def shown_position(seated: Seated, game: int, position: str) -> Shown | None:
    """Return the board of an XGID; None where the record had more to say than an XGID can.

    A million points are such a thing.
    """
    try:
        return shown(seated, game, parse_xgid(position))
    except ValueError:
        return None


def _formulas(row: dict[Any, Any]) -> tuple[tuple[str, bool, bool], ...]:
    if not row["race"]:
        return ()
    return tuple(
        (name.capitalize(), bool(row[f"{name}_double"]), bool(row[f"{name}_take"]))
        for name in ("keith", "trice")
    )
