"""Boards of a match worth a look: each double, each finding, and each error by an engine's evaluation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import LEAST, Problem, problem
from bganalyze.analysis.gnubg_statistics import match_luck
from bganalyze.analysis.match import AnalyzedMatch, in_seats
from bganalyze.analysis.metrics import METRICS, Metric, left_out
from bganalyze.board.ids import Situation
from bganalyze.board.rule_book import RuleBook
from bganalyze.statistics.features.structure import FORMULAS
from bganalyze.statistics.match_report.games import Seated, cells, seat
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome
from bganalyze.validation.replaying.places import situation_before
from bganalyze.validation.rules.explained import ExplainedFinding, Shown, explained_finding

# The doubles: each with the board before it and its answer.


class Offer(NamedTuple):
    """An offer of the cube and its answer."""

    game: int
    """The game in its match, counted from 1."""
    row: str
    """The label of the row, as written; empty if there is none."""
    line: int
    """The line of the file."""
    seat: int
    """Who doubled: 0 or 1."""
    kind: str
    """`double`, `redouble`, `beaver` or `raccoon`."""
    answer: str
    """What the other player did; `none` if nothing is recorded."""
    cube: int
    """Before the offer."""
    offer: int
    """The cube value if the offer is taken."""
    legal: bool
    """Whether no error with the cube was found here or at the answer."""
    verified: bool
    """Whether the board is beyond doubt."""
    pips: tuple[int, int]
    """Of the doubler and of the other."""
    formulas: tuple[tuple[str, bool, bool], ...]
    """In a race: the formula, whether it turns the cube, and whether it takes."""
    shown: Shown
    """The board as an XGID."""
    spot: tuple[int, int, int]
    """The game, and the line and column of the file."""


def decisions(match: Seated, replayed: MatchReplay) -> tuple[Offer, ...]:
    """Return the doubles of the match in their order."""
    return tuple(_offer(match, replayed, row) for row in match.tables.cubes.to_dict("records"))


def _offer(match: Seated, replayed: MatchReplay, row: dict[Hashable, Any]) -> Offer:
    turn = replayed.games[row["game"] - 1].turns[row["turn"] - 1]
    return Offer(
        **cells(row, Offer._fields)
        | {
            "row": getattr(turn.action, "row", None) or "",
            "seat": seat(row["side"]),
            "pips": (row["pips"], row["opposing_pips"]),
            "formulas": tuple(_formulas(row)) if row["race"] else (),
            "shown": shown(match, row["game"], situation_before(turn)),
            "spot": (row["game"], turn.action.span.line, turn.action.span.column),
        }
    )


def _formulas(row: dict[Hashable, Any]) -> Iterator[tuple[str, bool, bool]]:
    for name in FORMULAS:
        yield name.capitalize(), row[f"{name}_double"], row[f"{name}_take"]


def shown(match: Seated, game: int, situation: Situation) -> Shown:
    """Return a board of a game with the players as they sit in it."""
    names = match.seats.pair(game, match.names)
    return Shown(situation, names, flipped=game in match.seats.exchanged)


# The findings of the match: each with its line, its board and what the player-error rule says.


def faults(
    match: Seated, findings: Iterable[Finding], lines: list[str], rule_book: RuleBook
) -> tuple[ExplainedFinding, ...]:
    """Return the findings of the match in the order of their places; `lines` are the file's."""
    return tuple(_fault(match, finding, lines, rule_book) for finding in findings)


def _fault(
    match: Seated, finding: Finding, lines: list[str], rule_book: RuleBook
) -> ExplainedFinding:
    board, line = None, finding.line
    if finding.situation is not None and finding.game is not None:
        board = shown(match, finding.game, finding.situation)
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    return explained_finding(finding, excerpt, rule_book, board)


# What an engine says of the match: error rates, luck, and each decision that cost something.


Interval: TypeAlias = tuple[float, float] | None


class Rate(NamedTuple):
    """The error rates of both players by one published definition."""

    metric: str
    """The name of the error rate."""
    unit: str
    """Its unit."""
    meaning: str
    """What counts, in a sentence."""
    values: tuple[float | None, float | None]
    """The error rate of each player; None where no decision counts."""
    counted: tuple[int, int]
    """By how many it is divided; 1 for a plain sum."""
    intervals: tuple[Interval, Interval]
    """What a rate per decision may be by chance, with 95 %; None for all else."""


class Luck(NamedTuple):
    """What the dice gave both players, as GNU Backgammon counts it."""

    equity: tuple[float, float]
    """In EMG."""
    chance: tuple[float, float]
    """In chances to win the match; of a money game, in points."""
    result: tuple[float, float] | None
    """What was won, in the same; None where the result of the match is disputed."""
    adjusted: tuple[float, float] | None
    """The result without the luck of both; None where the result is disputed."""


class Error(NamedTuple):
    """A decision that cost something."""

    game: int
    """The game in its match, counted from 1."""
    row: str
    """The label of the row, as written; empty if there is none."""
    seat: int
    """Who decided: 0 or 1."""
    kind: Kind
    """The kind of decision."""
    problem: Problem
    """The decision and its solution."""
    legal: bool | None
    """Whether the play is legal; False for an illegal double and its answers, None elsewhere."""
    verified: bool
    """Whether the board is beyond doubt."""
    position: str
    """As an XGID."""
    shown: Shown
    """The board."""
    spot: tuple[int, int, int]
    """The game, and the line and column of the file."""


class EngineAnalyses(NamedTuple):
    """What one engine says of the match."""

    engine: str
    """The engine; `recorded` if the analyses are those that the file holds."""
    version: str
    """Its version; of `recorded`, the program that analyzed."""
    level: str
    """How deep it looked."""
    money: bool
    """Whether chances are points."""
    rates: tuple[Rate, ...]
    """The error rates by each definition."""
    luck: Luck | None
    """None where nothing is known of it."""
    errors: tuple[Error, ...]
    """The costliest first."""
    left_out: tuple[str, ...]
    """What is in no rate, and why."""


def analyses(match: Seated, analyzed: AnalyzedMatch, outcome: MatchOutcome) -> EngineAnalyses:
    """Return the analyses of the match with the players in their seats."""
    rows, results = in_seats(analyzed.rows, analyzed.results, match.seats)
    return EngineAnalyses(
        engine=analyzed.key.engine,
        version=analyzed.key.version,
        level=analyzed.key.level,
        money=not analyzed.length,
        rates=tuple(_rate(rows, metric) for metric in METRICS),
        luck=_luck(rows, results, outcome),
        errors=tuple(sorted(_errors(match, rows), key=lambda error: -error.problem.loss)),
        left_out=left_out(rows).words(),
    )


def _rate(rows: Sequence[AnalyzedDecision], metric: Metric) -> Rate:
    left, right = (metric.of(rows, side) for side in (0, 1))
    rates, counted = (left.rate, right.rate), (left.counted, right.counted)
    unit = metric.unit_in(money=any(not row.length for row in rows))
    is_rate = metric.per == "decision"
    intervals = (left.interval, right.interval) if is_rate else (None, None)
    return Rate(metric.name, unit, metric.about, rates, counted, intervals)


def _luck(
    rows: Sequence[AnalyzedDecision], results: Sequence[GameResult], outcome: MatchOutcome
) -> Luck | None:
    if not any(row.luck is not None for row in rows):
        return None
    counted = match_luck(rows, results)
    left, right = counted.luck
    is_agreed = outcome.recorded == outcome.by_board
    return Luck(
        equity=(left.equity, right.equity),
        chance=(left.chance, right.chance),
        result=counted.actual if is_agreed else None,
        adjusted=counted.adjusted if is_agreed else None,
    )


def _errors(match: Seated, rows: Iterable[AnalyzedDecision]) -> Iterator[Error]:
    """The errors in the order of the record."""
    for row in rows:
        decision = problem(row)
        line, column = map(int, row.place.split(":"))
        if decision is not None and decision.loss >= LEAST:
            yield Error(
                game=row.game,
                row=row.row or "",
                seat=row.side,
                kind=row.kind,
                problem=decision,
                legal=row.legal,
                verified=row.verified,
                position=row.xgid,
                shown=shown(match, row.game, row.situation),
                spot=(row.game, line, column),
            )
