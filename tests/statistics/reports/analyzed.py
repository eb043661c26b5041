"""Analyzed matches for the tests of reports: by an engine that makes its analyses up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

from bganalyze.analysis.decisions import GIVING_UP, Decision, Kind
from bganalyze.analysis.engines import Candidate, CubeEvaluation, Evaluation, PlayEvaluation
from bganalyze.analysis.match import AnalyzedMatch, analyze_match
from bganalyze.board.plays import legal_plays
from bganalyze.record.reader import read, read_bytes

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
NAMES = (
    *("redoubles.mat", "short-match.mat", "money-jacoby-beavers.mat", "several-matches.mat"),
    *("eleven-point.mat", "gnubg.mat", "unfinished.mat", "galaxy.txt"),
)


class Guesser:
    """An engine whose analyses are drawn, always the same for the same decision."""

    version = "1"

    def __init__(self, name: str = "guesser", level: str = "0ply") -> None:
        """Take a name and a level to go by."""
        self.name, self.level = name, level

    def stored_version(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        del decisions
        return self.version, self.level

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        return [range(len(decisions))]

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        return [self._of(decision) for decision in decisions]

    def _of(self, decision: Decision) -> Evaluation | None:
        draw = Random(
            f"{self.name} {decision.turn.action.span} {decision.kind} {decision.position}"
        )
        if decision.kind in GIVING_UP:
            return None
        if decision.kind is not Kind.PLAY:
            no_double, over = draw.uniform(-1, 1.2), draw.uniform(-0.3, 0.3)
            return CubeEvaluation(no_double, no_double + over)
        assert decision.dice
        lefts = list(legal_plays(decision.position, decision.dice))
        equities = sorted((round(draw.gauss(0, 0.3), 4) for _ in lefts), reverse=True)
        candidates = tuple(map(Candidate, draw.sample(lefts, len(lefts)), equities))
        reached = next(
            (candidate for candidate in candidates if candidate.after == decision.after), None
        )
        if reached is None and decision.after is not None:
            reached = Candidate(decision.after, draw.gauss(0, 0.3))
        return PlayEvaluation(candidates[:10], reached, draw.gauss(0, 0.4))


def import_guessing_engine(name: str) -> Any:
    """Return an engine that makes its analyses up, with the levels of the named one."""
    module = import_module(f"bganalyze.analysis.engines.{name}")
    if name == "recorded":
        return module
    return SimpleNamespace(
        LEVELS=module.LEVELS,
        start=lambda level, _limits: Guesser(name, level),
        is_installed=lambda: True,
    )


def analyze_text(text: str, engine: Guesser | None = None) -> AnalyzedMatch:
    """Return a match of one text, analyzed."""
    [match] = read_bytes(text.encode(), "some.mat")
    return analyze_match(match, engine or Guesser())


def analyze_samples(
    names: Iterable[str] = NAMES, engine: Guesser | None = None
) -> list[AnalyzedMatch]:
    """Return the matches of samples, analyzed."""
    if engine is None:
        return [match for name in names for match in _analyze_sample(name)]
    matches = (match for name in names for match in read(str(CLEAN / name)))
    return [analyze_match(match, engine) for match in matches]


@cache
def _analyze_sample(name: str) -> tuple[AnalyzedMatch, ...]:
    return tuple(analyze_samples([name], Guesser()))
