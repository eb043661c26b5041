"""What an engine says of the match: error rates, luck, and each decision that cost something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from bganalyze.board.ids import Situation, parse_xgid
from bganalyze.findings import Finding
from bganalyze.judging.decisions import GIVING_UP, Kind
from bganalyze.judging.describe import LEAST, Problem, problem
from bganalyze.judging.match import JudgedMatch, in_seats
from bganalyze.judging.metrics import METRICS, Metric
from bganalyze.judging.metrics.figures import GameResult
from bganalyze.judging.metrics.gnubg import statistics
from bganalyze.judging.verdict import JudgedDecision
from bganalyze.law import Law
from bganalyze.match_report.seats import Seated
from bganalyze.replaying import MatchReplay
from bganalyze.replaying.places import situation_before
from bganalyze.replaying.readings import AS_RECORDED
from bganalyze.rules.words import remedy

# Cube decisions: each double with the board before it and its answer.


class Shown(NamedTuple):
    """A board with the names of the columns beside it."""

    situation: Situation
    names: tuple[str, str]
    flipped: bool
    """Whether the players sit in each other's column."""


class Offer(NamedTuple):
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


def decisions(seated: Seated, replayed: MatchReplay) -> tuple[Offer, ...]:
    """Return the doubles of the match in their order."""
    return tuple(_decisions(seated, replayed))


def _decisions(seated: Seated, replayed: MatchReplay) -> Iterator[Offer]:
    for row in seated.tables.cubes.to_dict("records"):
        number = int(row["game"])
        game = replayed.games[number - 1]
        turn = game.turns[int(row["turn"]) - 1]
        yield Offer(
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


# The findings of the match: each with its line, its board and what the player-error rule says.

EXCERPT_LIMIT = 200
"""How much of a line is shown, in characters."""


class ExplainedFinding(NamedTuple):
    """A finding, and what helps to understand it."""

    finding: Finding
    excerpt: str
    """The line of the file."""
    remedy: str
    """What can still be done; empty for what has no standing."""
    reading: str
    """How the text was read, if not as it stands."""
    shown: Shown | None


def faults(
    seated: Seated, found: Iterable[Finding], lines: list[str], law: Law
) -> tuple[ExplainedFinding, ...]:
    """Return the findings of the match in the order of their places; `lines` are the file's."""
    return tuple(_fault(seated, each, lines, law) for each in found)


def _fault(seated: Seated, found: Finding, lines: list[str], law: Law) -> ExplainedFinding:
    board = None
    if found.position is not None and found.game is not None:
        board = shown_position(seated, found.game, found.position)
    return ExplainedFinding(
        finding=found,
        excerpt=lines[found.line - 1][:EXCERPT_LIMIT] if 0 < found.line <= len(lines) else "",
        remedy=_remedy(found, law),
        reading="" if found.reading in (None, AS_RECORDED) else str(found.reading),
        shown=board,
    )


def _remedy(found: Finding, law: Law) -> str:
    if found.standing is None:
        return ""
    set_up = found.code.startswith("U")
    return remedy(found.standing, law, found.closed_by, set_up=set_up)


class Rate(NamedTuple):
    """The error rates of both players by one published definition."""

    metric: str
    unit: str
    meaning: str
    values: tuple[float | None, float | None]
    counted: tuple[int, int]
    """By how many it is divided; 1 for a plain sum."""


class Luck(NamedTuple):
    """What the dice gave both players, as GNU Backgammon counts it."""

    equity: tuple[float, float]
    """In EMG."""
    chance: tuple[float, float]
    """In chances to win the match; of a money game, in points."""
    result: tuple[float, float]
    """What was won, in the same."""
    adjusted: tuple[float, float]
    """The result without the luck of both."""


class Error(NamedTuple):
    """A decision that cost something."""

    game: int
    row: str
    seat: int
    """Who decided: 0 or 1."""
    kind: Kind
    problem: Problem
    legal: bool | None
    verified: bool
    position: str
    """As an XGID."""
    shown: Shown | None
    """None where the record has more to say than an XGID can."""


class EngineVerdicts(NamedTuple):
    """What one engine says of the match."""

    engine: str
    version: str
    level: str
    money: bool
    """Whether chances are points."""
    rates: tuple[Rate, ...]
    luck: Luck | None
    """None where nothing is known of it."""
    errors: tuple[Error, ...]
    """The dearest first."""
    unknown: int
    """Plays and decisions about the cube of which it says nothing."""


def verdicts(seated: Seated, match: JudgedMatch) -> EngineVerdicts:
    """Return the verdicts of the match with the players in their seats."""
    rows, results = in_seats(match.rows, match.results, seated.changed)
    asked = [row for row in rows if row.kind not in GIVING_UP]
    return EngineVerdicts(
        engine=match.key.engine,
        version=match.key.version,
        level=match.key.level,
        money=not match.length,
        rates=tuple(_rate(rows, metric) for metric in METRICS),
        luck=_luck(rows, results),
        errors=tuple(sorted(_errors(seated, rows), key=lambda error: -error.problem.loss)),
        unknown=sum(problem(row) is None for row in asked),
    )


def _rate(rows: Sequence[JudgedDecision], metric: Metric) -> Rate:
    left, right = (metric.of(rows, side) for side in (0, 1))
    return Rate(
        metric=metric.name,
        unit=metric.unit,
        meaning=metric.about,
        values=(left.rate, right.rate),
        counted=(left.counted, right.counted),
    )


def _luck(rows: Sequence[JudgedDecision], results: Sequence[GameResult]) -> Luck | None:
    if not any(row.luck is not None for row in rows):
        return None
    found = statistics(rows, results)
    left, right = (player.luck for player in found.players)
    return Luck(
        equity=(left.equity, right.equity),
        chance=(left.chance, right.chance),
        result=found.actual,
        adjusted=found.luck_adjusted,
    )


def _errors(seated: Seated, rows: Iterable[JudgedDecision]) -> Iterator[Error]:
    """The errors in the order of the record."""
    for row in rows:
        told = problem(row)
        if told is not None and told.loss >= LEAST:
            yield Error(
                game=row.game,
                row=row.row or "",
                seat=row.side,
                kind=row.kind,
                problem=told,
                legal=row.legal,
                verified=row.verified,
                position=row.xgid,
                shown=shown_position(seated, row.game, row.xgid),
            )
