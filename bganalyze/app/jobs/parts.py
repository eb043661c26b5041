"""Part of a match, as a worker process analyzes it.

Such a process imports this module and the engine, but nothing that makes or stores rows: importing
that would take longer than analyzing a dozen decisions.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bganalyze.analysis.decisions import Decision
from bganalyze.analysis.engines import EngineError, Evaluation, Limits, start
from bganalyze.app.jobs.budget import problem_of
from bganalyze.app.jobs.executor import Lost

Evaluations: TypeAlias = list[Evaluation | None]


class MatchPart(NamedTuple):
    """Some decisions of a match, analyzed together."""

    match: int
    """The number of the match in the run."""
    places: tuple[int, ...]
    """The indexes of these decisions in the match."""
    decisions: tuple[Decision, ...]
    limits: Limits


def version_of(name: str, level: str) -> str:
    """Return the version of an engine as installed where this runs; raise EngineError."""
    return start(name, level).version


def analyze_part(name: str, level: str, part: MatchPart) -> Evaluations | Lost:
    """Return an engine's evaluations of the decisions of a part, or why there are none."""
    try:
        return start(name, level, part.limits).evaluate(part.decisions)
    except EngineError as error:
        return Lost(str(error))
    except Exception as error:  # noqa: BLE001 - one match must not cost the others
        return Lost(problem_of(error, "bganalyze or of the engine"))
