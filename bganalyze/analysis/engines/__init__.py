"""Engines: programs that evaluate decisions, each behind the same small protocol.

Each engine has a module of its own, which is imported when the engine is used. What it returns for a
decision is an evaluation. Equities are normalized to the cube (EMG), for the side that rolls or
doubles: +1 is a plain win at the value of the cube before the decision.
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
from bganalyze.text import meant

ENGINES = ("sage", "gnubg", "recorded")
"""The names of the engines, the default first; each is a module here."""

PRESETS = {"quick": "1ply", "standard": "1ply+2ply", "thorough": "2ply+3ply"}
"""Named levels of Open Sage: the second stage, if there is one, is for decisions that are wrong or
close at the first."""

VARIANTS = ("standard", "nackgammon")
"""The variants for which engines have networks."""


MOST_KEPT = 10
"""How many plays of a roll are kept, the best ones."""


class Chances(NamedTuple):
    """Chances to win and lose without the cube; gammons hold the backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Candidate(NamedTuple):
    """A play that an engine has evaluated."""

    after: Position
    """The position it leaves, seen by the side that made it."""
    equity: float
    chances: Chances | None = None


class PlayEvaluation(NamedTuple):
    """An engine's evaluation of the plays of a roll."""

    candidates: tuple[Candidate, ...]
    """The best legal plays, the best first, `MOST_KEPT` at most; none where it could not."""
    reached: Candidate | None
    """The recorded play, legal or not; None if it is unknown."""
    luck: float | None = None
    """How much better than an average roll it was, in equity."""
    alike: bool = False
    """Whether the program calls the candidates equal, analyzing by digits that it does not show."""
    depth: str | None = None
    """The depth of the best play, if depths differ between decisions."""


class CubeEvaluation(NamedTuple):
    """An engine's evaluation of a double or no double, seen by the doubler."""

    no_double: float
    take: float
    """After a double that is taken."""
    passed: float = 1.0
    """After a double that is passed."""
    chances: Chances | None = None
    depth: str | None = None
    """The depth, if depths differ between decisions."""


class PlayingOn(NamedTuple):
    """An engine's evaluation of a resignation."""

    equity: float
    """The equity of playing on, for the side that resigns."""


Evaluation = PlayEvaluation | CubeEvaluation | PlayingOn


def text_of(evaluation: Evaluation | None) -> str:
    """Return an evaluation as JSON.

    >>> text_of(PlayingOn(0.5)), text_of(None)
    ('["PlayingOn", 0.5]', 'null')
    """
    return json.dumps(None if evaluation is None else [type(evaluation).__name__, *evaluation])


def evaluation_of(text: str) -> Evaluation | None:
    """Read an evaluation that `text_of` has written; raise ValueError or TypeError for anything else.

    >>> evaluation_of('["CubeEvaluation", 0.25, 0.125, 1.0, null]')
    CubeEvaluation(no_double=0.25, take=0.125, passed=1.0, chances=None, depth=None)
    """
    name, *fields = json.loads(text, parse_constant=_refuse, parse_float=_finite) or [None]
    match name:
        case PlayEvaluation.__name__:
            candidates, reached, luck, alike, *depth = fields
            return PlayEvaluation(
                tuple(map(_candidate_of, candidates)),
                None if reached is None else _candidate_of(reached),
                None if luck is None else _equity_of(luck),
                bool(alike),
                *map(_depth_of, depth),
            )
        case CubeEvaluation.__name__:
            no_double, take, passed, chances, *depth = fields
            none, taken, dropped = map(_equity_of, (no_double, take, passed))
            return CubeEvaluation(
                none, taken, dropped, _chances_of(chances), *map(_depth_of, depth)
            )
        case PlayingOn.__name__:
            return PlayingOn(*map(_equity_of, fields))
        case None:
            return None
        case _:
            raise ValueError(name)


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _finite(number: str) -> float:
    """Return a number; JSON also has some that are too large."""
    return float(number) if math.isfinite(float(number)) else _refuse(number)


def _equity_of(value: Any) -> float:
    if type(value) not in (int, float):
        raise TypeError(value)
    return float(value)


def _depth_of(value: Any) -> str | None:
    if value is not None and type(value) is not str:
        raise TypeError(value)
    return value


def _candidate_of(fields: Sequence[Any]) -> Candidate:
    after, equity, chances = fields
    position = Position(*(tuple(map(int, side)) for side in after))
    return Candidate(position, _equity_of(equity), _chances_of(chances))


def _chances_of(fields: Sequence[Any] | None) -> Chances | None:
    return None if fields is None else Chances(*map(_equity_of, fields))


class EngineError(Exception):
    """An engine that is missing or fails; the message says what to do."""


class Limits(NamedTuple):
    """What an engine may use."""

    threads: int = 0
    """The number of threads, for engines that use several; 0 means all cores."""
    seconds: float = 1800.0
    """The time limit for a match."""


UNLIMITED = Limits()


class Engine(Protocol):
    """A program at one level of its strength. Levels of different engines are not comparable."""

    name: str
    version: str
    level: str

    def edition(self, decisions: Sequence[Decision]) -> tuple[str, str]:
        """Return the version and the level under which evaluations of a match are stored."""
        del decisions  # Most engines have one of each, whatever they analyze.
        return self.version, self.level

    def parts(self, decisions: Sequence[Decision]) -> list[Sequence[int]]:
        """Return the indexes of the decisions that are to be analyzed together."""
        return [range(len(decisions))]

    def evaluate(self, decisions: Sequence[Decision]) -> list[Evaluation | None]:
        """Return an evaluation of each decision of one match, or None if it has none.

        Raises EngineError.
        """


def check_variants(decisions: Sequence[Decision]) -> None:
    """Raise EngineError for decisions of a variant that no network knows."""
    for variant in {decision.context.terms.variant for decision in decisions}:
        if variant not in VARIANTS:
            raise EngineError(f"no engine here analyzes {variant}")


def as_kept(level: str) -> str:
    """Return the level under which analyses are stored: the stages of a preset.

    >>> as_kept("standard"), as_kept("2ply")
    ('1ply+2ply', '2ply')
    """
    return PRESETS.get(level, level)


_STAGES = re.compile(r"(\d{1,3})-?ply(?:\+(\d{1,3})-?ply)?(-exhaustive)?")
_ROLLOUT = re.compile(r"(truncated|rollout)(\d{0,3})")


def depth_of(level: str) -> tuple[int, ...]:
    """Return how deep a level looks, to be compared with other levels of the same engine.

    Plies first by what is looked at everywhere, then by what is looked at where it is close; any rollout is
    deeper. What is not known is shallow.

    >>> shallow_first = ["stored", "0ply", "1ply", "1ply+2ply", "2ply", "2ply-exhaustive", "2ply+3ply", "3ply"]
    >>> sorted(reversed([*shallow_first, "truncated3", "rollout"]), key=depth_of)[:-2] == shallow_first
    True
    >>> depth_of("4ply") < depth_of("truncated1") < depth_of("truncated3") < depth_of("rollout")
    True
    """
    if stages := _STAGES.fullmatch(level):
        first = int(stages[1])
        return 1, first, int(stages[2] or first), len(stages[3] or "")
    if rollout := _ROLLOUT.fullmatch(level):
        return 2 + (rollout[1] == "rollout"), int(rollout[2] or 0)
    return (0,)


def levels(name: str) -> tuple[str, ...]:
    """Return the levels of an engine, the default first; raise EngineError."""
    names: tuple[str, ...] = _module(name).LEVELS
    return names


def _module(name: str) -> Any:
    """Return the module of an engine; raise EngineError for any other name."""
    if name not in ENGINES:
        raise EngineError(f"there is no engine {name!r}; there are {', '.join(ENGINES)}")
    return import_module(f"{__name__}.{name}")


def start(name: str, level: str | None = None, limits: Limits = UNLIMITED) -> Engine:
    """Start an engine at a level, or at its default level; raise EngineError."""
    choices = levels(name)
    if level is not None and level not in choices:
        hint = f"it has {', '.join(choices)}{meant(level, choices)}"
        raise EngineError(f"{name} has no level {level!r}; {hint}")
    engine: Engine = _module(name).start(level or choices[0], limits)
    return engine


def equities_of_plays(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return the static equity of every legal play of each roll, by the position it leads to.

    This takes about a millisecond a roll. Raises EngineError if no engine for it is installed.
    """
    equities: list[dict[Position, float]] = _module("sage").equities(situations)
    return equities
