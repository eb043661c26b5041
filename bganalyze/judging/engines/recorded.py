"""What other programs have stored in a file: no engine is needed, only their notation.

The version is the program that judged, the level what it says of its own depth; a file may hold
several levels, and the one that most of its decisions have is named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from bganalyze.judging.decisions import GIVING_UP, TO_OFFERS, Decision, Kind
from bganalyze.judging.engines import EngineError, Limits
from bganalyze.judging.engines.recorded_gva import from_gva
from bganalyze.judging.engines.recorded_sgf import from_sgf
from bganalyze.judging.engines.stored import Stored
from bganalyze.judging.evaluation import CubeJudgement, Judgement

LEVELS = ("stored",)

READERS: Mapping[str, Callable[[Decision, Mapping[str, str]], Stored]] = {
    "gva": from_gva,
    "A": from_sgf,
    "DA": from_sgf,
    "LU": from_sgf,
}
"""Who reads what is stored, by the name of an entry."""


class Recorded:
    """The analysis in the file itself."""

    name = "recorded"
    version = "as stored"
    level = LEVELS[0]

    def edition(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return the program that judged, and the level that most of its decisions have."""
        programs = Counter(each.stored.program for each in decisions if each.stored)
        levels = Counter(level for each in decisions if (level := _stored(each).level))
        return _commonest(programs, self.version), _commonest(levels, self.level)

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what the file says of each decision; raise EngineError where it says nothing."""
        judged = [_of(decision) for decision in decisions]
        for index, decision in enumerate(decisions):
            if decision.kind in TO_OFFERS and judged[index] is None and index:
                before = judged[index - 1]
                judged[index] = before if isinstance(before, CubeJudgement) else None
        if not any(judged):
            raise EngineError("no analysis is stored in it; choose --engine sage or gnubg")
        return judged


def start(level: str, limits: Limits) -> Recorded:
    """Return the reader of what is stored."""
    del level, limits  # There is one level, and nothing to limit.
    return Recorded()


def _of(decision: Decision) -> Judgement | None:
    said = _stored(decision)
    return said.play if decision.kind is Kind.PLAY else said.cube


def _stored(decision: Decision) -> Stored:
    """What is stored with the action of a decision."""
    if decision.stored is None or decision.kind in GIVING_UP:
        return Stored()
    entries = dict(decision.stored.entries)
    reader = next((READERS[name] for name in entries if name in READERS), None)
    return Stored() if reader is None else reader(decision, entries)


def _commonest(counts: Counter[str], otherwise: str) -> str:
    return counts.most_common(1)[0][0] if counts else otherwise
