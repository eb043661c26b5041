"""Boards of a match: each double, each finding, and each error by an engine's evaluation."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from bganalyze.analysis.analyzed import AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.describe import LEAST, Problem, describe_problem
from bganalyze.analysis.error_rates import METRICS, Metric, count_left_out
from bganalyze.analysis.gnubg_statistics import match_luck
from bganalyze.analysis.match import AnalyzedMatch, number_sides_by_player
from bganalyze.board.ids import Situation
from bganalyze.board.rule_book import RuleBook
from bganalyze.statistics.features.structure import FORMULAS
from bganalyze.statistics.match_report.games import OrientedTables, parse_side, select_cells
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.outcomes import MatchOutcome
from bganalyze.validation.replaying.places import situation_before
from bganalyze.validation.rules.explained import ExplainedFinding, FindingBoard, explain_finding

# The doubles: each with the board before it and its answer.


class Offer(NamedTuple):
    """An offer of the cube and its answer."""

    game: int
    """The number of the game in its match, from 1."""
    row: str
    """The label of the row, as written; empty for a row without a label."""
    line: int
    """The line of the file."""
    seat: int
    """The player who doubled: 0 or 1."""
    kind: str
    """`double`, `redouble`, `beaver` or `raccoon`."""
    answer: str
    """The other player's answer; `none` if no answer is recorded."""
    cube: int
    """The cube value before the offer."""
    offer: int
    """The cube value if the offer is taken."""
    legal: bool
    """Whether no error with the cube was found in the offer or its answer."""
    verified: bool
    """Whether the board is verified."""
    pips: tuple[int, int]
    """The pips of the doubler and of the other player."""
    formulas: tuple[tuple[str, bool, bool], ...]
    """In a race: the formula, whether it doubles, and whether it takes."""
    shown: FindingBoard
    """The board as an XGID."""
    spot: tuple[int, int, int]
    """The game, with the line and column in the file."""


def list_offers(match: OrientedTables, replayed: MatchReplay) -> tuple[Offer, ...]:
    """Return the doubles of a match with answers, boards and the advice of race formulas."""
    return tuple(_make_offer(match, replayed, row) for row in match.tables.cubes.to_dict("records"))


def _make_offer(match: OrientedTables, replayed: MatchReplay, row: dict[Hashable, Any]) -> Offer:
    """Return the double in a table row, with its answer, its board and the advice of formulas."""
    turn = replayed.games[row["game"] - 1].turns[row["turn"] - 1]
    return Offer(
        **select_cells(row, Offer._fields)
        | {
            "row": getattr(turn.action, "row", None) or "",
            "seat": parse_side(row["side"]),
            "pips": (row["pips"], row["opposing_pips"]),
            "formulas": tuple(_read_advice(row)) if row["race"] else (),
            "shown": orient_board(match, row["game"], situation_before(turn)),
            "spot": (row["game"], turn.action.span.line, turn.action.span.column),
        }
    )


def _read_advice(row: dict[Hashable, Any]) -> Iterator[tuple[str, bool, bool]]:
    """Yield for each race formula its name, whether to double, and whether to take."""
    for name in FORMULAS:
        yield name.capitalize(), row[f"{name}_double"], row[f"{name}_take"]


def orient_board(match: OrientedTables, game: int, situation: Situation) -> FindingBoard:
    """Return a board with the players' names, turned around if they swapped the file's columns in `game`."""
    names = match.seats.order_by_player(game, match.names)
    # Turned around if the players have changed columns in this game.
    return FindingBoard(situation, names, flipped=game in match.seats.numbers)


# The findings of the match, each with its line, its board and its standing under the player-error
# rule.


def explain_findings(
    match: OrientedTables, findings: Iterable[Finding], lines: list[str], rule_book: RuleBook
) -> tuple[ExplainedFinding, ...]:
    """Return the findings (broken rules) of a match, each with its line and board.

    `lines` are the lines of the match file.
    """
    return tuple(_explain_finding(match, finding, lines, rule_book) for finding in findings)


def _explain_finding(
    match: OrientedTables, finding: Finding, lines: list[str], rule_book: RuleBook
) -> ExplainedFinding:
    """Return a finding (broken rule) with its line and, if it has one, its board."""
    board, line = None, finding.line
    if finding.situation is not None and finding.game is not None:
        board = orient_board(match, finding.game, finding.situation)
    excerpt = lines[line - 1] if 0 < line <= len(lines) else ""
    return explain_finding(finding, excerpt, rule_book, board)


# The evaluations of the match by an engine: error rates, luck, and each decision that cost
# something.


Interval: TypeAlias = tuple[float, float] | None


class Rate(NamedTuple):
    """The error rates of both players by one published definition."""

    metric: str
    """The name of the error rate."""
    unit: str
    """Its unit."""
    meaning: str
    """The decisions that count, in a sentence."""
    values: tuple[float | None, float | None]
    """The error rate of each player; None without decisions that count."""
    counted: tuple[int, int]
    """The divisor of each player's rate; 1 for a plain sum."""
    intervals: tuple[Interval, Interval]
    """The 95 % interval of a rate per decision; None for other rates."""


class Luck(NamedTuple):
    """The luck of both players by GNU Backgammon's rules."""

    equity: tuple[float, float]
    """Luck in EMG."""
    chance: tuple[float, float]
    """Luck as match-winning chance; in money games, as points."""
    result: tuple[float, float] | None
    """The result in the same unit; None if the result of the match is disputed."""
    adjusted: tuple[float, float] | None
    """The result without the luck of both players; None if the result is disputed."""


class Error(NamedTuple):
    """A decision that lost equity."""

    game: int
    """The number of the game in its match, from 1."""
    row: str
    """The label of the row, as written; empty for a row without a label."""
    seat: int
    """The player who decided: 0 or 1."""
    kind: Kind
    """The kind of decision."""
    problem: Problem
    """The decision and its solution."""
    legal: bool | None
    """Whether the play is legal; False also for an illegal double and its answers, None for other
    decisions."""
    verified: bool
    """Whether the board is verified."""
    position: str
    """The position as an XGID."""
    shown: FindingBoard
    """The board."""
    spot: tuple[int, int, int]
    """The game, with the line and column in the file."""


class EngineAnalyses(NamedTuple):
    """Evaluations of a match by one engine."""

    engine: str
    """The engine; `recorded` for the analysis stored in the file."""
    version: str
    """The version of the engine; for `recorded`, the program that analyzed."""
    level: str
    """The engine's search level."""
    money: bool
    """Whether chances are given as points (money play)."""
    rates: tuple[Rate, ...]
    """The error rates by each definition."""
    luck: Luck | None
    """The luck of both players; None if it is unknown."""
    errors: tuple[Error, ...]
    """The errors, costliest first."""
    left_out: tuple[str, ...]
    """The decisions left out of the rates, with the reason."""


def report_analysis(
    match: OrientedTables, analyzed: AnalyzedMatch, outcome: MatchOutcome
) -> EngineAnalyses:
    """Return an engine's analysis of a match: error rates, luck and errors of both players.

    In each pair of values, that of the left player in the first game comes first.
    """
    rows, results = number_sides_by_player(analyzed.rows, analyzed.results, match.seats)
    return EngineAnalyses(
        engine=analyzed.key.engine,
        version=analyzed.key.version,
        level=analyzed.key.level,
        money=not analyzed.length,
        rates=tuple(_make_rate(rows, metric) for metric in METRICS),
        luck=_make_luck(rows, results, outcome),
        errors=tuple(sorted(_find_errors(match, rows), key=lambda error: -error.problem.loss)),
        left_out=count_left_out(rows).words(),
    )


def _make_rate(rows: Sequence[AnalyzedDecision], metric: Metric) -> Rate:
    """Return both players' error rate by one definition, with intervals."""
    left, right = (metric.measure(rows, side) for side in (0, 1))
    rates, counted = (left.rate, right.rate), (left.counted, right.counted)
    unit = metric.unit_in(money=any(not row.length for row in rows))
    is_rate = metric.per == "decision"
    intervals = (left.interval, right.interval) if is_rate else (None, None)
    return Rate(metric.name, unit, metric.about, rates, counted, intervals)


def _make_luck(
    rows: Sequence[AnalyzedDecision], results: Sequence[GameResult], outcome: MatchOutcome
) -> Luck | None:
    """Return both players' luck, and the match result with and without luck.

    None means that no luck is known. If the result is disputed, both results are None.
    """
    if not any(row.luck is not None for row in rows):
        return None
    counted = match_luck(rows, results)
    left, right = counted.luck
    is_agreed = outcome.recorded == outcome.by_board and not any(
        game.disputed for game in outcome.games
    )
    return Luck(
        equity=(left.equity, right.equity),
        chance=(left.chance, right.chance),
        result=counted.actual if is_agreed else None,
        adjusted=counted.adjusted if is_agreed else None,
    )


def _find_errors(match: OrientedTables, rows: Iterable[AnalyzedDecision]) -> Iterator[Error]:
    """Yield the decisions that lost 0.001 EMG or more, in the order of the match file."""
    for row in rows:
        decision = describe_problem(row)
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
                shown=orient_board(match, row.game, row.situation),
                spot=(row.game, line, column),
            )
