"""An engine's analysis beside the positions of a match: candidates, chances and turning points."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from bganalyze.analysis.analyzed import AnalyzedDecision
from bganalyze.analysis.candidates import NO_PLAY, RatedPlay, rank_plays, read_chances
from bganalyze.analysis.course import Swing, SwingCause, chance_at_end, chance_at_start, find_swings
from bganalyze.analysis.decisions import ANSWERS, GIVING_UP, TO_DOUBLER, TO_OFFERS, Kind
from bganalyze.analysis.describe import LEAST, Problem, describe_problem
from bganalyze.analysis.engines import Chances
from bganalyze.analysis.match import AnalyzedMatch, number_sides_by_player
from bganalyze.app.render.analyses import (
    engine_in_words,
    error_in_words,
    format_chance,
    format_cost,
)
from bganalyze.record.seats import SwappedGames

SEVERITIES = {"very bad": "error", "bad": "warning", "doubtful": "info"}
SLIGHT = "slight"
"""The severity of errors that are too small for a mark."""

MOST_PLAYS = 6
"""Most plays of a roll that are shown, besides the one made: more would double the page of a long
match, and hide the list of its plays on a small screen."""

MOST_TURNS = 4
"""Most turning points of each cause that are listed."""

LEAST_TURN = 0.01
"""Smallest change that is a turning point: a percent of the match, or a hundredth of a point."""

Steps: TypeAlias = tuple[tuple[tuple[int, ...], ...], int]
"""The moves of a play and the index of the board after it."""


class RatedChoice(NamedTuple):
    """A play or a cube action that an engine has evaluated."""

    text: str
    equity: str
    difference: str
    """The equity lost against the best choice; empty for the best."""
    chances: tuple[int, ...]
    """Chances to win, with a gammon, with a backgammon, and to lose a gammon and a backgammon, in
    tenths of a percent; empty if they are unknown."""
    made: bool
    best: bool
    moves: tuple[tuple[int, ...], ...] = ()
    after: int | None = None
    """The index of the board after a play; None if it cannot be shown."""


class ShownDecision(NamedTuple):
    """A decision with its choices, shown beside the position."""

    kind: str
    """`play`, `cube` or `resignation`."""
    severity: str
    """The severity of an error; empty if the decision was right or is not judged."""
    title: str
    lines: tuple[str, ...]
    seat: int
    """The player who decided."""
    loss: float | None
    """The equity lost (EMG)."""
    choices: tuple[RatedChoice, ...]


class TurningPoint(NamedTuple):
    """One of the largest changes of the chances in a match."""

    place: str
    cause: str
    seat: int
    text: str
    """The roll, play or cube action, in words."""
    change: float
    """The change for that player: of the match-winning chance in percent, or in points."""


class ChancesOverMatch(NamedTuple):
    """The winning chances of player 0 over a match."""

    engine: str
    """The engine in words."""
    unit: str
    """`%` of match-winning chance, or `points` in money play."""
    starts: Mapping[int, float | None]
    """The chance before each game."""
    ends: Mapping[int, float | None]
    """The chance after each game."""
    turning: tuple[TurningPoint, ...]


# Decisions with their choices.


class PlacedDecision(NamedTuple):
    """A decision with the place of its position on the page."""

    place: str
    row: AnalyzedDecision
    """The decision as recorded, by column."""
    seated: AnalyzedDecision
    """The decision by the seats of the players."""


def show_decision(
    placed: PlacedDecision,
    answer_to_double: Kind | None,
    find_steps_by_notation: Callable[[str], Steps | None],
) -> ShownDecision | None:
    """Return a decision as a page shows it, or None if no engine evaluated it."""
    row = placed.row
    problem = describe_problem(row)
    choices = tuple(_find_choices(row, answer_to_double, find_steps_by_notation))
    if not choices:
        return None
    lost = None if problem is None else problem.loss
    is_error = lost is not None and lost >= LEAST
    return ShownDecision(
        kind=_name_kind(row),
        severity=SEVERITIES.get(problem.mark, SLIGHT) if problem and is_error else "",
        title=error_in_words(problem)
        if problem and is_error
        else _describe_faultless_decision(row, problem),
        lines=tuple(_describe_decision_in_lines(row, problem, choices)),
        seat=placed.seated.side,
        loss=None if lost is None else round(lost, 6),
        choices=choices,
    )


def _name_kind(row: AnalyzedDecision) -> str:
    """Return the kind of a decision: `play`, `cube` or `resignation`."""
    if row.kind is Kind.PLAY:
        return "play"
    return "resignation" if row.kind in GIVING_UP else "cube"


def _describe_faultless_decision(row: AnalyzedDecision, problem: Problem | None) -> str:
    """Return words on a decision without error, such as `best play`.

    `problem` is None if the play that was made is unknown.
    """
    if problem is None:
        return "which play was made is unknown"
    if row.kind is Kind.PLAY:
        if row.legal is False:
            return "illegal play"
        if row.better is None:
            return "no legal play"
        return "forced play" if row.forced else "best play"
    return f"right: {problem.made}"


def _describe_decision_in_lines(
    row: AnalyzedDecision, problem: Problem | None, choices: Sequence[RatedChoice]
) -> Iterator[str]:
    """Yield lines of text on a decision, such as its cost and the luck of the roll.

    `choices` are the plays or actions that were possible.
    """
    money = not row.length
    if problem is not None and problem.loss >= LEAST:
        yield f"cost {format_cost(problem, money=money)}"
        if row.kind is not Kind.PLAY:
            yield f"right: {problem.best}"
    if row.kind in TO_DOUBLER:
        yield "equities of the doubler"
    if row.luck is not None and row.kind is Kind.PLAY:
        luck = _compute_luck(row)
        share = f", {format_chance(luck, money=money, sign='+')}" if luck is not None else ""
        yield f"luck of the roll {row.luck:+.3f} EMG{share}"
    if row.legal is False:
        by_result = "; analyzed by the position it left" * (row.kind is Kind.PLAY)
        yield f"illegal, in no error rate{by_result}"
    if row.depth:
        yield f"depth {row.depth}"
    if row.kind not in GIVING_UP and not any(choice.chances for choice in choices):
        yield "chances of gammons are not known"


def _compute_luck(row: AnalyzedDecision) -> float | None:
    """Return the winning chance that a roll gained, or None if it is unknown."""
    changes = (change for change in find_swings(row) if change.cause is SwingCause.DICE)
    return next((change.gain if row.side == 0 else -change.gain for change in changes), None)


def _find_choices(
    row: AnalyzedDecision,
    answer_to_double: Kind | None,
    find_steps_by_notation: Callable[[str], Steps | None],
) -> Iterator[RatedChoice]:
    """Yield the plays, cube actions or answers among which a player had to decide."""
    if row.kind is Kind.PLAY:
        plays = rank_plays(row.plays) or tuple(_list_best_and_made_play(row))
        for rank, play in enumerate(plays):
            if rank < MOST_PLAYS or play.is_made:
                yield _make_choice(row, play, find_steps_by_notation)
    elif row.kind in GIVING_UP:
        yield from _list_resignation_choices(row)
    elif row.optimal is not None:
        yield from _list_cube_choices(row, answer_to_double, row.optimal)


def _list_best_and_made_play(row: AnalyzedDecision) -> Iterator[RatedPlay]:
    """Yield the best play and, if another was made, the play made."""
    if row.best is not None:
        yield RatedPlay(row.better or NO_PLAY, row.best, None, is_made=row.better == row.played)
    if row.played not in (None, row.better) and row.reached is not None:
        yield RatedPlay(row.played or "", row.reached, None, is_made=True)


def _make_choice(
    decision: AnalyzedDecision,
    play: RatedPlay,
    find_steps_by_notation: Callable[[str], Steps | None],
) -> RatedChoice:
    """Return a play that an engine rated, as a choice for a page."""
    equity = decision.reached if play.is_made and decision.reached is not None else play.equity
    lost = 0.0 if decision.best is None else decision.best - equity
    is_best = play.play == (decision.better or NO_PLAY)
    moves, after = find_steps_by_notation(play.play) or ((), None)
    return RatedChoice(
        text=play.play,
        equity=f"{equity:+.3f}",
        difference="" if is_best else f"{-lost:+.3f}",
        chances=_convert_to_tenths(play.chances),
        made=play.is_made,
        best=is_best,
        moves=moves,
        after=after,
    )


def _convert_to_tenths(chances: Chances | None) -> tuple[int, ...]:
    """Return chances in tenths of a percent, or () if they are unknown."""
    return () if chances is None else tuple(round(1000 * chance) for chance in chances)


def _list_resignation_choices(row: AnalyzedDecision) -> Iterator[RatedChoice]:
    """Yield the right decision on a resignation and, if another was made, that one."""
    problem = describe_problem(row)
    if problem is None or row.best is None or row.reached is None:
        return
    if problem.loss >= LEAST:
        yield RatedChoice(problem.best, f"{row.best:+.3f}", "", (), made=False, best=True)
        yield RatedChoice(
            problem.made, f"{row.reached:+.3f}", f"{-problem.loss:+.3f}", (), made=True, best=False
        )
    else:
        yield RatedChoice(problem.made, f"{row.reached:+.3f}", "", (), made=True, best=True)


def _list_cube_choices(
    row: AnalyzedDecision, answer_to_double: Kind | None, best_equity: float
) -> Iterator[RatedChoice]:
    """Yield the choices no double, double/take and double/pass, each with the doubler's equity.

    `best_equity` is the doubler's equity if both sides choose best.
    """
    word = "double" if row.owner is None else "redouble"
    no_double, take, passed = row.cube_equities
    decided = row.kind if row.kind in ANSWERS else answer_to_double
    is_doubled = row.kind is not Kind.NO_DOUBLE
    answered = f"{word}, {'take' if take <= passed else 'pass'}"
    right = answered if row.kind in TO_OFFERS or no_double < best_equity else f"no {word}"
    chances = _convert_to_tenths(read_chances(row.chances))
    equities = {f"no {word}": no_double, f"{word}, take": take, f"{word}, pass": passed}
    made = f"{word}, {'pass' if decided is Kind.PASS else 'take'}" if is_doubled else f"no {word}"
    for text, equity in equities.items():
        yield RatedChoice(
            text,
            equity=f"{equity:+.3f}",
            difference="" if text == right else f"{equity - equities[right]:+.3f}",
            chances=chances if text == f"no {word}" else (),
            # After a beaver or raccoon, nothing is marked.
            made=row.kind in _PLAIN and text == made,
            best=row.kind in _PLAIN and text == right,
        )


_PLAIN = (Kind.NO_DOUBLE, Kind.DOUBLE, *ANSWERS)


# The course of the match.


def place_decisions(
    analyzed: AnalyzedMatch,
    swapped_games: SwappedGames,
    find_place: Callable[[AnalyzedDecision], str],
) -> tuple[PlacedDecision, ...]:
    """Return the decisions of a match, each with its place on the page."""
    seated, _ = number_sides_by_player(analyzed.rows, analyzed.results, swapped_games)
    return tuple(
        PlacedDecision(find_place(row), row, by_seat)
        for row, by_seat in zip(analyzed.rows, seated, strict=True)
    )


def find_answers_to_doubles(rows: Sequence[PlacedDecision]) -> Mapping[int, Kind]:
    """Map the index of each double in `rows` to the opponent's answer."""
    return {
        index: reply.row.kind
        for index, (offer, reply) in enumerate(pairwise(rows))
        if offer.row.kind is Kind.DOUBLE and reply.row.kind in ANSWERS
    }


def collect_winning_chances(
    analyzed: AnalyzedMatch, rows: Sequence[PlacedDecision], swapped_games: SwappedGames
) -> ChancesOverMatch:
    """Return the winning chances before and after each game, and the turning points.

    The chances are of the player who is in the left column of the first game.
    """
    _, results = number_sides_by_player((), analyzed.results, swapped_games)
    scale = 100.0 if analyzed.length else 1.0
    key = analyzed.key
    return ChancesOverMatch(
        engine=engine_in_words(key.engine, key.version, key.level),
        unit="%" if analyzed.length else "points",
        starts={result.game: _scale_chance(chance_at_start(result), scale) for result in results},
        ends={result.game: _scale_chance(chance_at_end(result), scale) for result in results},
        turning=tuple(_find_turning_points(rows, scale)),
    )


def _scale_chance(chance: float | None, scale: float) -> float | None:
    """Return a chance times `scale`, rounded to two decimals; return None for None.

    >>> _scale_chance(0.51237, 100)
    51.24
    """
    return None if chance is None else round(scale * chance, 2)


def find_chance_and_luck(seated: AnalyzedDecision) -> tuple[float | None, float | None]:
    """Return the winning chance after a decision, and the change that the roll made.

    The chance is that of the left player of the first game, in percent of a match or in points of
    money play. None means unknown.
    """
    scale = 100.0 if seated.length else 1.0
    changes = find_swings(seated)
    lucks = [change.gain for change in changes if change.cause is SwingCause.DICE]
    after = changes[-1].after if changes else None
    return _scale_chance(after, scale), _scale_chance(lucks[0] if lucks else None, scale)


def _find_turning_points(rows: Sequence[PlacedDecision], scale: float) -> Iterator[TurningPoint]:
    """Yield the largest changes of the winning chance by rolls, plays and cube actions.

    `scale` is 100 for percent of a match, 1 for points of money play.
    """
    changes = [(change, placed) for placed in rows for change in find_swings(placed.seated)]
    for cause in SwingCause:
        of_cause = [
            (change, placed)
            for change, placed in changes
            if change.cause is cause and abs(change.gain) >= LEAST_TURN
        ]
        of_cause.sort(key=lambda pair: -abs(pair[0].gain))
        for change, placed in of_cause[:MOST_TURNS]:
            yield _make_turning_point(change, placed, scale)


def _make_turning_point(change: Swing, placed: PlacedDecision, scale: float) -> TurningPoint:
    """Return a large change of the winning chance with its place and cause.

    `scale` is 100 for percent of a match, 1 for points of money play.
    """
    seat = placed.seated.side
    gain = change.gain if seat == 0 else -change.gain
    words = _describe_cause_of_change(change.cause, placed.row)
    return TurningPoint(placed.place, change.cause.value, seat, words, round(scale * gain, 2))


def _describe_cause_of_change(cause: SwingCause, row: AnalyzedDecision) -> str:
    """Return the roll or action that changed the winning chance, such as `rolls 6-6`."""
    if cause is SwingCause.DICE:
        return "rolls {}-{}".format(*row.dice or "??")
    problem = describe_problem(row)
    assert problem is not None, row
    match row.kind:
        case Kind.PLAY:
            return (
                f"plays {'{}-{}'.format(*row.dice or '??')}: {problem.made}, better {problem.best}"
            )
        case Kind.NO_DOUBLE:
            return f"does not {problem.made.removeprefix('no ')}"
        case Kind.DOUBLE:
            return f"{problem.made}s"
        case Kind.TAKE:
            return "takes"
    return "passes"
