"""Engines: programs that know how good a decision is, each behind the same small protocol.

Each has a module of its own, which alone knows the program and is imported when it is asked for.
What it says of a decision is a judgement. Equities are normalised to the cube (EMG) and those of the
side that throws or doubles: +1 is a plain win at the value of the cube before the decision.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from bganalyze.board.ids import Situation
from bganalyze.board.position import Position
from bganalyze.judging.decisions import Decision
from bganalyze.text import meant

ENGINES = ("sage", "gnubg", "recorded")
"""The engines by the name they are asked for, the default first; each is a module here."""

PRESETS = {"quick": "1ply", "standard": "1ply+2ply", "thorough": "2ply+3ply"}
"""Levels of Open Sage by a name: the second, where there is one, is for what is wrong or close at
the first."""

VARIANTS = ("standard", "nackgammon")
"""The variants that the networks of the engines know."""


MOST_KEPT = 10
"""Plays of a throw that are kept, the best ones."""


class Chances(NamedTuple):
    """Chances to win and lose without the cube; gammons hold the backgammons."""

    win: float
    win_gammon: float
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float


class Candidate(NamedTuple):
    """A play that an engine has looked at."""

    after: Position
    """The position it leaves, seen by the side that made it."""
    equity: float
    chances: Chances | None = None


class PlayJudgement(NamedTuple):
    """What an engine says of a throw."""

    candidates: tuple[Candidate, ...]
    """The best legal plays, the best first, `MOST_KEPT` at most; none where it could not."""
    reached: Candidate | None
    """What the recorded play left, legal or not; None where that is not known."""
    luck: float | None = None
    """How much better than an average throw it was, in equity."""
    alike: bool = False
    """Whether the program itself calls the candidates equal, from digits that it does not tell."""
    depth: str | None = None
    """How deep the best play was looked at, where that differs from decision to decision."""


class CubeJudgement(NamedTuple):
    """What an engine says of a cube that may be turned, or was: all seen by the doubler."""

    no_double: float
    take: float
    """After a double that is taken."""
    drop: float = 1.0
    """After a double that is dropped."""
    chances: Chances | None = None
    depth: str | None = None
    """How deep it was looked at, where that differs from decision to decision."""


class PlayingOn(NamedTuple):
    """What an engine says of a game that is given up."""

    equity: float
    """If play goes on, for the side that resigns."""


Judgement = PlayJudgement | CubeJudgement | PlayingOn


def text_of(judgement: Judgement | None) -> str:
    """Return a judgement as JSON.

    >>> text_of(PlayingOn(0.5)), text_of(None)
    ('["PlayingOn", 0.5]', 'null')
    """
    return json.dumps(None if judgement is None else [type(judgement).__name__, *judgement])


def judgement_of(text: str) -> Judgement | None:
    """Return a judgement that was written as JSON.

    >>> judgement_of('["CubeJudgement", 0.25, 0.125, 1.0, null]')
    CubeJudgement(no_double=0.25, take=0.125, drop=1.0, chances=None, depth=None)
    """
    name, *fields = json.loads(text) or [None]
    match name:
        case PlayJudgement.__name__:
            candidates, reached, luck, alike, *depth = fields
            played = None if reached is None else _candidate_of(reached)
            return PlayJudgement(tuple(map(_candidate_of, candidates)), played, luck, alike, *depth)
        case CubeJudgement.__name__:
            no_double, take, drop, chances, *depth = fields
            return CubeJudgement(no_double, take, drop, _chances_of(chances), *depth)
        case PlayingOn.__name__:
            return PlayingOn(*fields)
        case _:
            return None


def _candidate_of(fields: Sequence[Any]) -> Candidate:
    after, equity, chances = fields
    return Candidate(Position(*map(tuple, after)), equity, _chances_of(chances))


def _chances_of(fields: Sequence[float] | None) -> Chances | None:
    return None if fields is None else Chances(*fields)


class EngineError(Exception):
    """An engine that is missing or fails; the message says what can be done."""


class Limits(NamedTuple):
    """What an engine may use."""

    threads: int = 0
    """Of an engine that uses several; 0: as many as there are cores."""
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
        del decisions  # Most engines have one of each, whatever they judge.
        return self.version, self.level

    def parts(self, decisions: Sequence[Decision]) -> list[range]:
        """Return the parts in which a match can be judged, each by a call of its own."""
        return [range(len(decisions))]

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
    known_levels = levels(name)
    if level is not None and level not in known_levels:
        known = f"it has {', '.join(known_levels)}{meant(level, known_levels)}"
        raise EngineError(f"{name} has no level {level!r}; {known}")
    engine: Engine = import_module(f"{__name__}.{name}").start(level or known_levels[0], limits)
    return engine


def equities_of_plays(situations: Sequence[Situation]) -> list[dict[Position, float]]:
    """Return for each throw the equity of every legal play by what it leaves, as networks alone see it.

    Quick: about a millisecond a throw. Raise EngineError where no engine is installed that can.
    """
    equities: list[dict[Position, float]] = import_module(f"{__name__}.sage").equities(situations)
    return equities
