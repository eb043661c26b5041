"""The analysis that GNU Backgammon keeps in Smart Game Format: `A`, `DA` and `LU`.

`A[0][52mhxv E ver 3 ...][...]`: which candidate was played, then the candidates, each with five
chances, the equity (EMG) and how it was found. `DA[E ver 3 ...]`: no double and double with take,
each seven numbers, the last with the cube: a chance to win the match, or the equity of a money
game. `LU[...]`: luck. Rollouts (`X`) are not read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from bganalyze.board.position import Position, move
from bganalyze.judging.decisions import Decision
from bganalyze.judging.engines.gnubg_cube import of_cube
from bganalyze.judging.engines.stored import Stored
from bganalyze.judging.evaluation import MOST_KEPT, Candidate, Chances, CubeJudgement, PlayJudgement
from bganalyze.transcript.sgf.letters import point

_VALUE = re.compile(r"\[([^\]]*)\]")
_NUMBER = r"(-?[0-9]{1,9}(?:\.[0-9]{1,12})?)"
_CANDIDATE = re.compile(rf"([a-z]*) E ver [0-9]+ {' '.join([_NUMBER] * 6)} ([0-9])C")
_CUBE = re.compile(rf"E ver [0-9]+ ([0-9])C [0-9] \S+ [0-9] {' '.join([_NUMBER] * 14)}")
_LUCK = re.compile(rf"\[{_NUMBER}")


def from_sgf(decision: Decision, entries: Mapping[str, str]) -> Stored:
    """Return what the entries `A`, `DA` and `LU` say of a decision."""
    found = list(_candidates(decision, entries.get("A", "")))
    cube = _CUBE.search(entries.get("DA", ""))
    level = found[0][1] if found else f"{cube[1]}ply" if cube else None
    candidates = tuple(candidate for candidate, _ in found)
    return Stored(
        _play(decision, candidates, _luck(entries.get("LU", ""))),
        _cube(decision, cube) if cube else None,
        level,
    )


def _play(
    decision: Decision, candidates: tuple[Candidate, ...], luck: float | None
) -> PlayJudgement | None:
    if decision.dice is None or (not candidates and luck is None):
        return None
    reached = next((each for each in candidates if each.left == decision.left), None)
    return PlayJudgement(candidates[:MOST_KEPT], reached, luck)


def _candidates(decision: Decision, text: str) -> Iterator[tuple[Candidate, str]]:
    """The candidates, each with the level it was evaluated at."""
    for value in _VALUE.findall(text)[1:]:
        found = _CANDIDATE.match(value)
        if found is not None:
            *chances, equity = map(float, found.groups()[1:7])
            left = _left(decision, found[1])
            yield Candidate(left, equity, Chances(*chances)), f"{found[8]}ply"


def _left(decision: Decision, letters: str) -> Position:
    """What the steps leave, that are written as in the play itself."""
    own, other = list(decision.position.own), list(decision.position.other)
    points = [point(letter, decision.side) for letter in letters]
    for source, target in zip(points[::2], points[1::2], strict=False):
        move(own, other, (source, target))
    return Position(tuple(own), tuple(other))


def _luck(text: str) -> float | None:
    found = _LUCK.match(text)
    luck = float(found[1]) if found else math.nan
    return luck if math.isfinite(luck) else None


def _cube(decision: Decision, found: re.Match[str]) -> CubeJudgement | None:
    numbers = [float(number) for number in found.groups()[1:]]
    return of_cube(decision, numbers[6], numbers[13], Chances(*numbers[:5]))
