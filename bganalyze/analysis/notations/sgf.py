"""Write evaluations as GNU Backgammon stores them in Smart Game Format.

`A` has the plays of a roll, with the index of the play that was made; `DA` the cube; `LU` luck; `BM` and
`DO` mark errors of plays and of cube actions, `BC` and `DC` those of a decision not to double, `GW` and
`GB` rolls that are good for White or Black. Chances are part of every evaluation: one without them cannot
be written. The search depth is a number of plies.
"""

from __future__ import annotations

from collections.abc import Iterator

from bganalyze.analysis.analyzed import loss
from bganalyze.analysis.candidates import read_chances
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.engines import Chances
from bganalyze.analysis.gnubg_statistics import mark_loss, mark_luck
from bganalyze.analysis.notations.evaluated import (
    Evaluated,
    EvaluatedAction,
    ListedPlay,
    list_plays,
    plies_of,
)
from bganalyze.board.equities import Stake, compute_chance_after
from bganalyze.record.sgf.tree import COLORS, point_letter
from bganalyze.record.sgf.values import MOST_LETTERS

MOST_PLIES = 9
_EVALUATION = "E ver 3"
_SETTINGS = "{plies}C 1 0.000000 1"
"""Settings of an evaluation: plies, cubeful, deterministic, without noise, pruned."""

_PLAY_SETTINGS = "{plies}C 0 1 0.000000 1"

_ERRORS = {"very bad": ("BM[2]", "BC[2]"), "bad": ("BM[1]", "BC[1]"), "doubtful": ("DO[]", "DC[]")}
"""Properties that mark an error: of the action itself, and of not doubling before it."""


def write_entries(action: EvaluatedAction, side: int) -> Iterator[tuple[str, str]]:
    """Yield the SGF properties (name, value) for the evaluations of an action by `side`."""
    play, cube = action
    double = None if cube is None else _write_cube(cube)
    if double:
        yield "DA", f"[{double}]"
    if play is not None:
        yield from _write_play(play, side)
    if cube is not None and double:
        yield from _mark_error(cube, is_no_double=cube.row.kind is Kind.NO_DOUBLE)


def _write_play(evaluated: Evaluated, side: int) -> Iterator[tuple[str, str]]:
    """Yield the SGF properties (name, value) for a roll and its play by `side`."""
    listed = [play for play in list_plays(evaluated) if play.rated.chances is not None]
    made = next((place for place, play in enumerate(listed) if play.rated.is_made), None)
    plies = min(plies_of(evaluated.depth), MOST_PLIES)
    if made is not None:
        yield "A", f"[{made}]" + "".join(_write_candidate(play, side, plies) for play in listed)
    luck = evaluated.row.luck
    if luck is not None:
        yield "LU", f"[{round(luck, 5) + 0.0:.5f}]"
    if made is not None:
        yield from _mark_error(evaluated, is_no_double=False)
    mark = "unmarked" if luck is None else mark_luck(luck)
    if mark != "unmarked":
        favored = side if mark.endswith(" lucky") or mark == "lucky" else 1 - side
        yield f"G{COLORS[favored]}", f"[{2 if mark.startswith('very') else 1}]"


def _write_candidate(play: ListedPlay, side: int, plies: int) -> str:
    """Return a candidate play by `side` as a value of the SGF property `A`."""
    chances = play.rated.chances
    assert chances is not None
    letters = "".join(point_letter(point, side) for move in play.moves for point in move)
    numbers = " ".join(f"{number:.6f}" for number in (*chances, play.rated.equity))
    settings = _PLAY_SETTINGS.format(plies=plies)
    return f"[{letters[:MOST_LETTERS]} {_EVALUATION} {numbers} {settings}]"


def _write_cube(evaluated: Evaluated) -> str | None:
    """Return a cube decision as a value of the SGF property `DA`, or None if a part is unknown."""
    row = evaluated.row
    chances, stake = read_chances(row.chances), row.stake
    if row.no_double is None or row.take is None or chances is None or stake is None:
        return None
    cubeless = _compute_cubeless_equity(evaluated, chances, stake)
    if cubeless is None:
        return None
    outcomes = (
        " ".join(f"{number:.6f}" for number in (*chances, cubeless, value))
        for value in (
            _to_stored_equity(evaluated, stake, row.no_double),
            _to_stored_equity(evaluated, stake, row.take),
        )
    )
    plies = min(plies_of(evaluated.depth), MOST_PLIES)
    return f"{_EVALUATION} {_SETTINGS.format(plies=plies)} {' '.join(outcomes)}"


def _to_stored_equity(evaluated: Evaluated, stake: Stake, equity: float) -> float:
    """Return the equity of a cube decision as GNU Backgammon stores it: in a match, as a chance."""
    return stake.value(equity) if evaluated.row.length else equity


def _compute_cubeless_equity(evaluated: Evaluated, chances: Chances, stake: Stake) -> float | None:
    """Return the doubler's equity if nobody could double any more, or None if unknown.

    `chances` are the doubler's chances to win and lose.
    """
    row = evaluated.row
    won = (chances.win - chances.win_gammon, chances.win_gammon - chances.win_backgammon)
    lost = (1 - chances.win - chances.lose_gammon, chances.lose_gammon - chances.lose_backgammon)
    shares = ((*won, chances.win_backgammon), (*lost, chances.lose_backgammon))
    if not row.length:
        return sum(
            size * (win - lose) for size, (win, lose) in enumerate(zip(*shares, strict=True), 1)
        )
    total = 0.0
    for winner, sizes in zip((row.doubler, 1 - row.doubler), shares, strict=True):
        for size, share in enumerate(sizes, 1):
            chance = compute_chance_after(
                row.score, row.doubler, winner=winner, points=size * row.cube
            )
            if chance is None:
                return None
            total += share * chance
    return stake.equity(total)


def _mark_error(evaluated: Evaluated, *, is_no_double: bool) -> Iterator[tuple[str, str]]:
    """Yield the SGF property (name, value) that marks a bad or doubtful decision."""
    mark = _ERRORS.get(mark_loss(loss(evaluated.row) or 0.0))
    if mark is not None:
        name, _, value = mark[is_no_double].partition("[")
        yield name, f"[{value}"
