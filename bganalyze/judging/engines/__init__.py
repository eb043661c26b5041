"""Engines: programs that know how good a decision is, each behind the same small protocol.

Each has a module of its own, which alone knows the program and is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple, Protocol

from bganalyze.judging.decisions import Decision
from bganalyze.judging.evaluation import Judgement

ENGINES = ("sage", "gnubg", "recorded")
"""The engines by the name they are asked for, the default first; each is a module here."""


PRESETS = {"quick": "1ply", "standard": "1ply+2ply", "thorough": "2ply+3ply"}
"""Levels of Open Sage by a name: the second, where there is one, is for what is wrong or close at
the first."""

VARIANTS = ("standard", "nackgammon")
"""The variants that the networks of the engines know."""


class EngineError(Exception):
    """An engine that is missing or fails; the message says what can be done."""


class Limits(NamedTuple):
    """What an engine may use."""

    threads: int = 0
    """0: as many as there are cores."""
    seconds: float = 1800.0
    """For one match."""


UNLIMITED = Limits()


class Engine(Protocol):
    """A program at one level of its strength. Levels of different engines are not comparable."""

    name: str
    version: str
    level: str

    def edition(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return the version and the level that its judgements of a match are known by."""

    def judge(self, decisions: Sequence[Decision]) -> list[Judgement | None]:
        """Return what it says of each decision of one match; None where it says nothing.

        Raise EngineError where it fails.
        """


def check_variants(decisions: Sequence[Decision]) -> None:
    """Raise EngineError where decisions are of a variant that no network knows."""
    for variant in {decision.context.terms.variant for decision in decisions}:
        if variant not in VARIANTS:
            raise EngineError(f"no engine here judges {variant}")


def as_kept(level: str) -> str:
    """Return the level that verdicts are kept under: of a preset, its stages.

    >>> as_kept("standard"), as_kept("2ply")
    ('1ply+2ply', '2ply')
    """
    return PRESETS.get(level, level)


def levels(name: str) -> tuple[str, ...]:
    """Return the levels of an engine, the default first."""
    known: tuple[str, ...] = import_module(f"{__name__}.{name}").LEVELS
    return known


def start(name: str, level: str | None = None, limits: Limits = UNLIMITED) -> Engine:
    """Return an engine ready to judge, at its default level if none is given; raise EngineError."""
    if name not in ENGINES:
        raise EngineError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    known = levels(name)
    if level is not None and level not in known:
        raise EngineError(f"{name} has no level {level!r}; it has {', '.join(known)}")
    engine: Engine = import_module(f"{__name__}.{name}").start(level or known[0], limits)
    return engine
