"""Engines: programs that evaluate decisions, each with the same small interface.

Each engine has a module of its own, which is imported when the engine is used. It returns an
evaluation for each decision. Equities are normalized to the cube (EMG) for the side that rolls or
doubles: +1 is a plain win at the cube value before the decision.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from bganalyze.analysis.decisions import Decision
from bganalyze.board.ids import Situation
from bganalyze.board.position import Position
from bganalyze.errors import BganalyzeError
from bganalyze.text import did_you_mean

ENGINES = ("sage", "gnubg", "recorded")
"""The names of the engines, the default first. Each is a module of this package."""

PRESETS = {
    "sage": {"quick": "1ply", "standard": "1ply+2ply", "thorough": "2ply+3ply"},
    "gnubg": {"quick": "0ply"},
}
"""Named levels of each engine; `quick` is its network alone. The second stage, if any, analyzes
decisions that are wrong or close at the first."""

VARIANTS = ("standard", "nackgammon")
"""The variants for which engines have networks."""


MOST_KEPT = 10
"""Most plays of a roll that are kept, the best first."""


class Chances(NamedTuple):
    """Cubeless chances to win and lose; gammons include backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Candidate(NamedTuple):
    """A play that an engine has evaluated."""

    after: Position
    """The position after the play, seen by the side that made it."""
    equity: float
    chances: Chances | None = None


class PlayEvaluation(NamedTuple):
    """An engine's evaluation of the plays of a roll."""

    candidates: tuple[Candidate, ...]
    """The best legal plays, best first, at most `MOST_KEPT`; empty if the engine has no
    evaluation."""
    reached: Candidate | None
    """The recorded play, legal or not; None if it is unknown."""
    luck: float | None = None
    """Luck of the roll: its equity minus that of an average roll."""
    alike: bool = False
    """Whether the program counts the candidates as equal, by digits that it does not show."""
    depth: str | None = None
    """Search depth of the best play, if depths differ between decisions."""


class CubeEvaluation(NamedTuple):
    """An engine's evaluation of a double or no double, seen by the doubler."""

    no_double: float
    take: float
    """Equity after double and take."""
    passed: float = 1.0
    """Equity after double and pass."""
    chances: Chances | None = None
    depth: str | None = None
    """Search depth, if depths differ between decisions."""


class PlayingOn(NamedTuple):
    """An engine's evaluation of a resignation: the equity of playing on instead."""

    equity: float
    """Equity of playing on, for the side that resigns."""


Evaluation = PlayEvaluation | CubeEvaluation | PlayingOn


def write_evaluation(evaluation: Evaluation | None) -> str:
    """Return an evaluation as JSON.

    >>> write_evaluation(PlayingOn(0.5))
    '["PlayingOn", 0.5]'
    """
    return json.dumps(None if evaluation is None else [type(evaluation).__name__, *evaluation])


def read_evaluation(text: str) -> Evaluation | None:
    """Return the evaluation in JSON made by `write_evaluation`, which may be None.

    Raise ValueError or TypeError for any other text.

    >>> read_evaluation('["PlayingOn", 0.5]')
    PlayingOn(equity=0.5)
    """
    name, *fields = json.loads(text, parse_constant=_refuse_constant, parse_float=_read_finite) or [
        None
    ]
    match name:
        case PlayEvaluation.__name__:
            candidates, reached, luck, alike, *depth = fields
            return PlayEvaluation(
                tuple(map(_read_candidate, candidates)),
                None if reached is None else _read_candidate(reached),
                None if luck is None else _read_equity(luck),
                bool(alike),
                *map(_read_depth, depth),
            )
        case CubeEvaluation.__name__:
            no_double, take, passed, chances, *depth = fields
            none, taken, dropped = map(_read_equity, (no_double, take, passed))
            return CubeEvaluation(
                none, taken, dropped, _read_chances(chances), *map(_read_depth, depth)
            )
        case PlayingOn.__name__:
            return PlayingOn(*map(_read_equity, fields))
        case None:
            return None
        case _:
            raise ValueError(name)


def _refuse_constant(constant: str) -> float:
    """Raise ValueError for a JSON constant that is no number, such as NaN."""
    raise ValueError(constant)


def _read_finite(number: str) -> float:
    """Return a number, or raise ValueError if it is too large for a float."""
    return float(number) if math.isfinite(float(number)) else _refuse_constant(number)


def _read_equity(value: Any) -> float:
    """Return a number from JSON as an equity; raise TypeError for any other value."""
    if type(value) not in (int, float):
        raise TypeError(value)
    return float(value)


def _read_depth(value: Any) -> str | None:
    """Return a search depth from JSON: a text or None. Raise TypeError for other values."""
    if value is not None and type(value) is not str:
        raise TypeError(value)
    return value


def _read_candidate(fields: Sequence[Any]) -> Candidate:
    """Return a candidate play, made of a position, an equity and chances from JSON."""
    after, equity, chances = fields
    position = Position(*(tuple(map(int, side)) for side in after))
    return Candidate(position, _read_equity(equity), _read_chances(chances))


def _read_chances(fields: Sequence[Any] | None) -> Chances | None:
    """Return chances from a list of numbers, or None if there is no list."""
    return None if fields is None else Chances(*map(_read_equity, fields))


class EngineError(BganalyzeError):
    """A missing or failing engine; the message says what to do."""


class Limits(NamedTuple):
    """Resources an engine may use."""

    threads: int = 0
    """Number of threads, for engines that use several; 0 means all cores."""
    seconds: float = 1800.0
    """Time limit for a match, in seconds."""


UNLIMITED = Limits()


class Engine(Protocol):
    """A program that analyzes decisions, at one level of search.

    Levels of different engines are not comparable. `evaluate` raises EngineError if the engine
    fails.
    """

    name: str
    version: str
    level: str

    def stored_version(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return the version and level to store with this engine's analysis of `decisions`."""
        del decisions  # Most engines have one version and level for all matches.
        return self.version, self.level

    def split_decisions(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Split the decisions of a match, so that several processes can analyze one part each.

        Each part lists the indexes of its decisions.
        """
        return [range(len(decisions))]

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return, for each decision of one match, an evaluation or None.

        Raise EngineError if the engine fails.
        """


def check_variants(decisions: Sequence[Decision]) -> None:
    """Raise EngineError for decisions from a variant that no engine can analyze."""
    for variant in {decision.context.terms.variant for decision in decisions}:
        if variant not in VARIANTS:
            raise EngineError(f"no engine can analyze the variant {variant}")


def find_stored_level(level: str, engine: str = "sage") -> str:
    """Return an engine's level as stored analyses name it: its plies instead of a preset's name.

    >>> find_stored_level("standard"), find_stored_level("2ply")
    ('1ply+2ply', '2ply')
    """
    return PRESETS.get(engine, {}).get(level, level)


_STAGES = re.compile(r"(\d{1,3})-?ply(?:\+(\d{1,3})-?ply)?(-exhaustive)?")
_ROLLOUT = re.compile(r"(truncated|rollout)(\d{0,3})")


def depth_of(level: str) -> tuple[int, ...]:
    """Return a key that sorts the levels of an engine from shallow to deep.

    >>> sorted(["rollout", "truncated3", "2ply", "1ply+2ply", "1ply", "stored"], key=depth_of)
    ['stored', '1ply', '1ply+2ply', '2ply', 'truncated3', 'rollout']
    """
    if stages := _STAGES.fullmatch(level):
        first = int(stages[1])
        return 1, first, int(stages[2] or first), len(stages[3] or "")
    if rollout := _ROLLOUT.fullmatch(level):
        return 2 + (rollout[1] == "rollout"), int(rollout[2] or 0)
    return (0,)


def find_installed_engine() -> str | None:
    """Return the name of an installed engine, Open Sage before GNU Backgammon, or None."""
    return next((name for name in ("sage", "gnubg") if _import_engine(name).is_installed()), None)


def is_engine_installed(name: str) -> bool:
    """Whether the engine with this name is installed."""
    is_installed: bool = _import_engine(name).is_installed()
    return is_installed


def suggest_engine() -> str:
    """Return advice for a message: which engine to choose, or how to install one."""
    name = find_installed_engine()
    if name is not None:
        return f"choose --engine {name}"
    how_to_install: str = _import_engine(ENGINES[0]).how_to_install()
    return f"no engine is installed: {how_to_install}"


def levels(name: str) -> tuple[str, ...]:
    """Return the names of an engine's levels, the default first.

    Raise EngineError for an unknown engine.
    """
    names: tuple[str, ...] = _import_engine(name).LEVELS
    return names


def _import_engine(name: str) -> Any:
    """Import the module of an engine, or raise EngineError for an unknown engine."""
    if name not in ENGINES:
        raise EngineError(f"unknown engine {name!r}; choose one of {', '.join(ENGINES)}")
    return import_module(f"{__name__}.{name}")


def start(name: str | None, level: str | None = None, limits: Limits = UNLIMITED) -> Engine:
    """Start an engine at a level, by default the installed engine at its first level.

    `limits` are the threads and the time it may use. Raise EngineError if it is missing.
    """
    if name is None:
        name = find_installed_engine() or ENGINES[0]
    choices = levels(name)
    if level is not None and level not in choices:
        hint = f"it has {', '.join(choices)}{did_you_mean(level, choices)}"
        raise EngineError(f"{name} has no level {level!r}; {hint}")
    engine: Engine = _import_engine(name).start(level or choices[0], limits)
    return engine


def equities_of_plays(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return Open Sage's 1ply equities of all legal plays for each position with a roll.

    The keys are the positions after the plays. Raise EngineError if Open Sage is missing.
    """
    equities: list[dict[Position, float]] = _import_engine("sage").equities(situations)
    # Without a search: a roll takes about a millisecond.
    return equities
