"""A part of a match, as it is judged in a process of its own.

Such a process imports this module and the engine, and nothing that makes rows or keeps them: that
would take longer than to judge a dozen decisions.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from bganalyze.jobs.executor import Lost
from bganalyze.judging.decisions import Decision
from bganalyze.judging.engines import EngineError, Judgement, Limits, start

Judgements: TypeAlias = list[Judgement | None]


class MatchPart(NamedTuple):
    """Decisions of a match that are judged together."""

    match: int
    """Which of the matches under way."""
    places: tuple[int, ...]
    """Which of its decisions these are."""
    decisions: tuple[Decision, ...]
    limits: Limits


def version_of(name: str, level: str) -> str:
    """Return the version of an engine, as it is installed where this runs; raise EngineError."""
    return start(name, level).version


def judge_part(name: str, level: str, part: MatchPart) -> Judgements | Lost:
    """Return what an engine says of the decisions of a part, or why it says nothing."""
    try:
        return start(name, level, part.limits).judge(part.decisions)
    except EngineError as error:
        return Lost(str(error))
    except Exception as error:  # noqa: BLE001 - one match must not cost the others
        return Lost(f"a fault of bganalyze or of the engine, please report it: {error!r}")
