"""GNU Backgammon's `show statistics match`: asked of the program, and written as it writes it."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from bganalyze.judging.metrics.gnubg import (
    CubeError,
    Player,
    Statistics,
    Total,
    checker_rating_loss,
    cube_rating_loss,
    fibs_difference,
    fibs_rating,
    luck_rating,
    rating,
    snowie_rate,
)

NAME = 40
COLUMN = 23


def asked(program: str, match: Path, folder: Path, plies: int = 0) -> list[str]:
    """Return the lines of the statistics that the program shows of a file."""
    script = folder / "ask.py"
    commands = (
        "set threads 1",
        f"set analysis chequerplay evaluation plies {plies}",
        f"set analysis cubedecision evaluation plies {plies}",
        f'import auto "{match}"',
        "analyse match",
        "show statistics match",
    )
    script.write_text("".join(f"gnubg.command({command!r})\n" for command in commands))
    ended = subprocess.run(
        [program, "-t", "-q", "-r", "-p", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={"HOME": str(folder), "LC_ALL": "C.UTF-8"},
        check=True,
        timeout=300,
    )
    shown = ended.stdout.decode("utf-8", "replace").partition("\nPlayer ")[2]
    return [_squeezed(line) for line in shown.splitlines()[1:] if line.strip()]


def written(of: Statistics) -> list[str]:
    """Return the lines that the program would show."""
    return [_squeezed(line) for line in _lines(of)]


def _squeezed(line: str) -> str:
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
    for mark in ("doubtful", "bad", "very bad"):
        yield line(
            f"Moves marked {mark}", lambda player, mark=mark: str(player.marked.get(mark, 0))
        )
    yield line(f"Error total {units}", total(lambda player: player.checker))
    yield line(f"Error rate m{units}", rate(lambda player: player.checker_rate))
    yield line("Chequerplay rating", lambda p: rating(p.checker_rate) if p.unforced else "n/a")
    yield "Luck statistics"
    for mark in ("very lucky", "lucky", "unmarked", "unlucky", "very unlucky"):
        name = "Rolls unmarked" if mark == "unmarked" else f"Rolls marked {mark}"
        yield line(name, lambda player, mark=mark: str(player.luck_marked.get(mark, 0)))
    yield line(f"Luck total {units}", total(lambda player: player.luck, 1))
    yield line(f"Luck rate m{units}", rate(lambda player: player.luck_rate, 1))
    yield line("Luck rating", lambda player: luck_rating(player.luck_rate))
    yield "Cube statistics"
    yield line("Total cube decisions", lambda player: str(player.cube_decisions))
    yield line("Close or actual cube decisions", lambda player: str(player.close_or_actual))
    yield line("Doubles", lambda player: str(player.doubles))
    yield line("Takes", lambda player: str(player.takes))
    yield line("Passes", lambda player: str(player.passes))
    for kind in CubeError:
        words = kind.value.replace("double", "doubles").replace("take", "takes")
        name = words.replace("pass", "passes").capitalize()
        name = re.sub(r"(cp|dp|tg)$", lambda found: found.group().upper(), name)
        yield line(f"{name} ({units})", lambda p, kind=kind: _cube(p.errors[kind], money))
    yield line(f"Error total {units}", total(lambda player: player.cube))
    yield line(f"Error rate m{units}", rate(lambda player: player.cube_rate))
    yield line(
        "Cube decision rating", lambda p: rating(p.cube_rate) if p.close_or_actual else "n/a"
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
    yield line("Overall rating", lambda p: rating(p.overall_rate) if decided(p) else "n/a")
    if max(of.actual) > 0:
        for name, values in (
            ("Actual result", of.actual),
            ("Luck adjusted result", of.luck_adjusted),
        ):
            yield " ".join((name, *(f"{v:+.3f}" if money else f"{100 * v:+.2f}%" for v in values)))
        if not money:
            difference = fibs_difference(of)
            said = "n/a" if difference is None else f"{difference:+.2f}"
            yield f"Luck based FIBS rating diff. {said}"
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
