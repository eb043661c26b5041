"""GNU Backgammon's `show statistics match`: of analyzed rows, and as the program itself shows it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from bganalyze.analysis.analyzed import CUBE, AnalyzedDecision, GameResult
from bganalyze.analysis.decisions import Kind
from bganalyze.analysis.gnubg_statistics import (
    CubeError,
    MatchLuck,
    Total,
    cube_error,
    fibs_difference_of,
    fibs_rating_of,
    find_rating_lost_by_cube,
    find_rating_lost_by_plays,
    is_close,
    luck_rating_name,
    mark_loss,
    mark_luck,
    match_luck,
    rating_name,
)
from bganalyze.board.equities import round_to_single

NAME = 40
COLUMN = 23


class Player(NamedTuple):
    """Statistics of GNU Backgammon for one side, over one game or several."""

    moves: int = 0
    """Rolls played, dances and forced plays among them."""
    unforced: int = 0
    marked: Mapping[str, int] = {}
    checker: Total = Total()
    """The losses of unforced plays."""
    luck: Total = Total()
    luck_marked: Mapping[str, int] = {}
    cube_decisions: int = 0
    close_or_actual: int = 0
    doubles: int = 0
    takes: int = 0
    passes: int = 0
    errors: Mapping[CubeError, Total] = {}

    @property
    def cube(self) -> Total:
        """The losses by the cube."""
        total = Total()
        for kind in CubeError:
            total = total.add_total(self.errors.get(kind, Total()))
        return total

    @property
    def overall(self) -> Total:
        """All losses."""
        return self.checker.add_total(self.cube)

    @property
    def checker_rate(self) -> Total:
        """The loss of an unforced play."""
        return per(self.checker, self.unforced)

    @property
    def cube_rate(self) -> Total:
        """The loss of a close or actual cube decision."""
        return per(self.cube, self.close_or_actual)

    @property
    def overall_rate(self) -> Total:
        """The loss of a decision."""
        return per(self.overall, self.unforced + self.close_or_actual)

    @property
    def luck_rate(self) -> Total:
        """The luck of a roll."""
        return per(self.luck, self.moves)


def per(total: Total, count: int) -> Total:
    """Return what comes to each of `count`; 0 of none."""
    if not count:
        return Total()
    return Total(
        count, round_to_single(total.equity / count), round_to_single(total.chance / count)
    )


class Statistics(NamedTuple):
    """GNU Backgammon's statistics of a match: left, right."""

    length: int
    players: tuple[Player, Player]
    luck: MatchLuck


def statistics(rows: Iterable[AnalyzedDecision], results: Sequence[GameResult]) -> Statistics:
    """Return the statistics of the rows of one match, whose games ended so."""
    rows = list(rows)
    luck = match_luck(rows, results)
    by_game = {game: list(group) for game, group in groupby(rows, key=lambda row: row.game)}
    left, right = Player(luck=luck.luck[0]), Player(luck=luck.luck[1])
    for result in results:
        of_game = by_game.get(result.game, [])
        left, right = (
            _add_players(left, _player(of_game, 0)),
            _add_players(right, _player(of_game, 1)),
        )
    return Statistics(results[0].length if results else 0, (left, right), luck)


def fibs_difference(of: Statistics) -> float | None:
    """Return the difference of FIBS ratings, left's less right's, that the luck speaks for.

    None in money games, and where luck leaves no chance on one side.
    """
    left, right = (player.luck.chance for player in of.players)
    chance = round_to_single(
        round_to_single(round_to_single(0.5 + of.luck.actual[0]) - left) + right
    )
    return fibs_difference_of(chance, of.length)


def checker_rating_loss(player: Player, length: int) -> float:
    """Return the FIBS rating lost by plays (K. van den Doel's formula, GNU Backgammon's manual)."""
    return find_rating_lost_by_plays(player.checker_rate.equity, length)


def cube_rating_loss(player: Player, length: int) -> float:
    """Return the FIBS rating lost by the cube (ibidem)."""
    return find_rating_lost_by_cube(player.cube_rate.equity, length)


def fibs_rating(player: Player, length: int) -> float:
    """Return the FIBS rating that the errors speak for, in matches of this length (ibidem)."""
    return fibs_rating_of(player.checker_rate.equity, player.cube_rate.equity, length)


def snowie_rate(of: Statistics, side: int) -> float:
    """Return Snowie's error rate: all losses over the moves of both sides, in EMG."""
    moves = sum(player.moves for player in of.players)
    return round_to_single(of.players[side].overall.equity / moves) if moves else 0.0


def _player(rows: Sequence[AnalyzedDecision], side: int) -> Player:
    played = {row.place for row in rows if row.kind is Kind.PLAY and row.legal}
    player = Player()
    for row in rows:
        if row.side != side:
            continue
        if row.kind is Kind.PLAY:
            player = _with_luck(_with_play(player, row), row)
        elif row.kind is not Kind.NO_DOUBLE or row.place in played:
            player = _with_cube(player, row)
    return player


def _with_play(player: Player, row: AnalyzedDecision) -> Player:
    if not row.legal:
        return player
    player = player._replace(moves=player.moves + 1)
    loss = 0.0
    if row.best is not None and row.reached is not None:
        loss = round_to_single(row.best - row.reached)
    player = player._replace(marked=_select_counts(player.marked, mark_loss(loss)))
    if row.forced or row.reached is None:
        return player
    checker = player.checker.plus(loss, _cost(row, loss))
    return player._replace(unforced=player.unforced + 1, checker=checker)


def _with_luck(player: Player, row: AnalyzedDecision) -> Player:
    """Luck counts where the record shows a play."""
    if row.luck is None or row.legal is None:
        return player
    return player._replace(luck_marked=_select_counts(player.luck_marked, mark_luck(row.luck)))


def _with_cube(player: Player, row: AnalyzedDecision) -> Player:
    if row.kind not in CUBE or row.no_double is None:
        return player
    if row.kind in _ACTUAL and row.offer != 2 * row.cube:
        return player
    actual = row.kind in _ACTUAL
    player = player._replace(
        cube_decisions=player.cube_decisions + 1,
        close_or_actual=player.close_or_actual + (actual or is_close(row)),
        doubles=player.doubles + (row.kind is Kind.DOUBLE),
        takes=player.takes + (row.kind is Kind.TAKE),
        passes=player.passes + (row.kind is Kind.PASS),
    )
    error = cube_error(row)
    if error is None:
        return player
    kind, loss = error
    total = player.errors.get(kind, Total()).plus(loss, _cost(row, loss))
    return player._replace(errors={**player.errors, kind: total})


_ACTUAL = (Kind.DOUBLE, Kind.TAKE, Kind.PASS)


def _cost(row: AnalyzedDecision, loss: float) -> float:
    """Return a loss as chance to win the match, or as points."""
    return 0.0 if row.stake is None else -row.stake.cost(-loss)


def _select_counts(counts: Mapping[str, int], mark: str) -> Mapping[str, int]:
    return {**counts, mark: counts.get(mark, 0) + 1}


def _add_players(player: Player, other: Player) -> Player:
    """Return the statistics of two games together."""
    return Player(
        moves=player.moves + other.moves,
        unforced=player.unforced + other.unforced,
        marked=_add_counts(player.marked, other.marked),
        checker=player.checker.add_total(other.checker),
        luck=player.luck.add_total(other.luck),
        luck_marked=_add_counts(player.luck_marked, other.luck_marked),
        cube_decisions=player.cube_decisions + other.cube_decisions,
        close_or_actual=player.close_or_actual + other.close_or_actual,
        doubles=player.doubles + other.doubles,
        takes=player.takes + other.takes,
        passes=player.passes + other.passes,
        errors={
            kind: player.errors.get(kind, Total()).add_total(other.errors.get(kind, Total()))
            for kind in CubeError
        },
    )


def _add_counts(counts: Mapping[str, int], more_counts: Mapping[str, int]) -> Mapping[str, int]:
    return {
        mark: counts.get(mark, 0) + more_counts.get(mark, 0) for mark in {**counts, **more_counts}
    }


def ask_program(program: str, match: Path, folder: Path, plies: int = 0) -> list[str]:
    """Return the lines of the statistics that the program shows of a file."""
    script = folder / "ask.py"
    commands = (
        "set threads 1",
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        f'import auto "{match}"',
        "analyze match",
        "show statistics match",
    )
    script.write_text("".join(f"gnubg.command({command!r})\n" for command in commands))
    process = subprocess.run(
        [program, "-t", "-q", "-r", "-p", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8"},
        check=True,
        timeout=300,
    )
    output = process.stdout.decode("utf-8", "replace").partition("\nPlayer ")[2]
    return [_squeeze(line) for line in output.splitlines()[1:] if line.strip()]


def write_statistics(of: Statistics) -> list[str]:
    """Return the lines that the program would show."""
    return [_squeeze(line) for line in _lines(of)]


def _squeeze(line: str) -> str:
    return re.sub(r"\s+", " ", line).strip()


def _lines(of: Statistics) -> Iterator[str]:
    money = not of.length
    units = "EMG (Points)" if money else "EMG (MWC)"

    def line(name: str, text: Callable[[Player], str]) -> str:
        left, right = map(text, of.players)
        return f"{name} {left} {right}"

    def total(get: Callable[[Player], Total], sign: int = -1) -> Callable[[Player], str]:
        return lambda player: _total(get(player), sign, money)

    def rate(get: Callable[[Player], Total], sign: int = -1) -> Callable[[Player], str]:
        return lambda player: _rate(get(player).equity, get(player).chance, sign, money)

    yield "Chequerplay statistics"
    yield line("Total moves", lambda player: str(player.moves))
    yield line("Unforced moves", lambda player: str(player.unforced))
    yield line("Unmarked moves", lambda player: str(player.marked.get("unmarked", 0)))
    for degree in ("doubtful", "bad", "very bad"):
        yield line(f"Moves marked {degree}", lambda p, degree=degree: str(p.marked.get(degree, 0)))
    yield line(f"Error total {units}", total(lambda player: player.checker))
    yield line(f"Error rate m{units}", rate(lambda player: player.checker_rate))
    yield line(
        "Chequerplay rating", lambda p: rating_name(p.checker_rate.equity) if p.unforced else "n/a"
    )
    yield "Luck statistics"
    for degree in ("very lucky", "lucky", "unmarked", "unlucky", "very unlucky"):
        name = "Rolls unmarked" if degree == "unmarked" else f"Rolls marked {degree}"
        yield line(name, lambda p, degree=degree: str(p.luck_marked.get(degree, 0)))
    yield line(f"Luck total {units}", total(lambda player: player.luck, 1))
    yield line(f"Luck rate m{units}", rate(lambda player: player.luck_rate, 1))
    yield line("Luck rating", lambda player: luck_rating_name(player.luck_rate.equity))
    yield "Cube statistics"
    yield line("Total cube decisions", lambda player: str(player.cube_decisions))
    yield line("Close or actual cube decisions", lambda player: str(player.close_or_actual))
    yield line("Doubles", lambda player: str(player.doubles))
    yield line("Takes", lambda player: str(player.takes))
    yield line("Passes", lambda player: str(player.passes))
    for kind in CubeError:
        words = kind.value.replace("double", "doubles").replace("take", "takes")
        name = words.replace("pass", "passes").capitalize()
        name = re.sub(r"(cp|dp|tg)$", lambda match: match.group().upper(), name)
        yield line(f"{name} ({units})", lambda p, kind=kind: _cube(p.errors[kind], money))
    yield line(f"Error total {units}", total(lambda player: player.cube))
    yield line(f"Error rate m{units}", rate(lambda player: player.cube_rate))
    yield line(
        "Cube decision rating",
        lambda p: rating_name(p.cube_rate.equity) if p.close_or_actual else "n/a",
    )
    yield from _overall(of, line, total, rate, units, money=money)


def _overall(
    of: Statistics,
    line: Callable[..., str],
    total: Callable[..., Callable[[Player], str]],
    rate: Callable[..., Callable[[Player], str]],
    units: str,
    *,
    money: bool,
) -> Iterator[str]:
    yield "Overall statistics"
    yield line(f"Error total {units}", total(lambda player: player.overall))
    yield line(f"Error rate m{units}", rate(lambda player: player.overall_rate))
    snowie = (_rate(snowie_rate(of, side), -0.0, -1, money) for side in (0, 1))
    yield " ".join(("Snowie error rate", *snowie))
    decided = lambda player: player.close_or_actual + player.unforced  # noqa: E731
    yield line(
        "Overall rating", lambda p: rating_name(p.overall_rate.equity) if decided(p) else "n/a"
    )
    if max(of.luck.actual) > 0:
        for name, values in (
            ("Actual result", of.luck.actual),
            ("Luck adjusted result", of.luck.adjusted),
        ):
            yield " ".join((name, *(f"{v:+.3f}" if money else f"{100 * v:+.2f}%" for v in values)))
        if not money:
            difference = fibs_difference(of)
            difference_text = "n/a" if difference is None else f"{difference:+.2f}"
            yield f"Luck based FIBS rating diff. {difference_text}"
    if not money:
        n = of.length
        yield line("Error based abs. FIBS rating", lambda p: _one(fibs_rating(p, n), decided(p)))
        yield line(
            "Chequerplay errors rating loss", lambda p: _one(checker_rating_loss(p, n), p.unforced)
        )
        yield line(
            "Cube errors rating loss", lambda p: _one(cube_rating_loss(p, n), p.close_or_actual)
        )


def _total(total: Total, sign: int, money: bool) -> str:
    return f"{sign * total.equity:+.3f} ({_chance(sign * total.chance, money)})"


def _rate(equity: float, chance: float, sign: int, money: bool) -> str:
    return f"{sign * equity * 1000:+.1f} ({_chance(sign * chance, money)})"


def _cube(total: Total, money: bool) -> str:
    if not total.number:
        return "0"
    return f"{total.number} ({-total.equity:+6.3f} ({_chance(-total.chance, money)}))"


def _chance(value: float, money: bool) -> str:
    return f"{value:+7.3f}" if money else f"{100 * value:+7.3f}%"


def _one(value: float, count: int) -> str:
    return f"{value:.1f}" if count else "n/a"
