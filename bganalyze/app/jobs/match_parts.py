"""Parts of matches, as worker processes analyze them.

A worker imports this module and the engine, but no code that makes or stores rows: importing it would
take longer than analyzing a dozen decisions.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bganalyze.analysis.decisions import Decision
from bganalyze.analysis.engines import EngineError, Evaluation, Limits, start
from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.app.jobs.executor import LostWork

Evaluations: TypeAlias = list[Evaluation | None]


class MatchPart(NamedTuple):
    """Some decisions of a match, analyzed together."""

    match: int
    """The number of the match in the run."""
    places: tuple[int, ...]
    """The indexes of these decisions in the match."""
    decisions: tuple[Decision, ...]
    limits: Limits


def find_engine_version(name: str, level: str) -> str:
    """Return the version of an engine; raise EngineError if the engine is missing."""
    return start(name, level).version


def analyze_part(name: str, level: str, part: MatchPart) -> Evaluations | LostWork:
    """Return an engine's evaluations of a part of a match, or `LostWork` on failure."""
    try:
        return start(name, level, part.limits).evaluate(part.decisions)
    except EngineError as error:
        return LostWork(str(error))
    except Exception as error:  # noqa: BLE001 - one match must not cost the others
        return LostWork(describe_unexpected_error(error, "bganalyze or of the engine"))
