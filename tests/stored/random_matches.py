"""What is found in random matches with faults of any kind, and who won them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from bganalyze.record.model import Action, Double, Game, Match, Play, Result
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import outcome_of
from tests.writing.records import match

AS_DRAWN = range(20)
DAMAGED = range(20, 65)
"""Seeds of matches with actions that are lost, doubled or changed."""

EACH = 0.03
"""Share of actions with each kind of damage."""


def check_random_matches() -> str:
    """Return the findings in random matches, and the results of their games."""
    matches = {seed: match(seed, faults=True) for seed in (*AS_DRAWN, *DAMAGED)}
    matches |= {seed: _damage(matches[seed], Random(seed)) for seed in DAMAGED}
    return "\n".join(
        "".join(f"{line}\n" for line in _describe(seed, one)) for seed, one in matches.items()
    )


def _damage(drawn: Match, rng: Random) -> Match:
    return drawn._replace(games=tuple(_damage_game(game, rng) for game in drawn.games))


def _damage_game(game: Game, rng: Random) -> Game:
    actions = (one for action in game.actions for one in _damage_action(action, rng))
    return game._replace(actions=tuple(actions))


def _damage_action(action: Any, rng: Random) -> Iterator[Action]:
    """Yield an action as it was, changed, twice, or not at all."""
    kind = rng.random() // EACH
    if kind == 0:
        return
    if kind == 1 and getattr(action, "side", None) is not None:
        action = action._replace(side=1 - action.side)
    if kind == 2 and isinstance(action, Play):
        action = action._replace(dice=(rng.randint(1, 6), rng.randint(1, 6)))
    if kind == 3 and isinstance(action, Double):
        action = action._replace(value=8)
    if kind == 3 and isinstance(action, Result):
        action = action._replace(points=action.points + 1)
    yield action
    if kind == 4:
        yield action._replace(span=action.span._replace(column=5, end_column=6))


def _describe(seed: int, drawn: Match) -> Iterator[str]:
    replayed = replay(drawn)
    outcome = outcome_of(replayed)
    length = replayed.match.length
    yield f"== match {seed} to {length and length.points}"
    yield f"recorded: {_values(outcome.recorded)}; by the board: {_values(outcome.by_board)}; {outcome.disputed}"
    yield from map(_describe_finding, findings_of([replayed]))
    for game, result in zip(replayed.games, outcome.games, strict=True):
        yield f"game {game.game.number} at {game.context.score}, given {game.given}"
        yield f"  {_values(game.cube)}; {_values(game.ending)}"
        yield f"  {_values(result)}"


def _describe_finding(one: Finding) -> str:
    closed = "" if one.closed_by is None else f", closed by {one.closed_by}"
    reading = "" if one.reading is None else f", {one.reading}"
    said = "" if one.evidence is None else f", {one.evidence.kind} by {len(one.evidence.by)}"
    place = f"{one.line}:{one.column} {one.code} {one.side}"
    more = f", {one.consequences} more" if one.consequences else ""
    return f"{place} {one.standing}{closed}{reading}{said}{more}: {one.message}"


def _values(record: Any) -> str:
    """Return the fields of a record that are known."""
    known = {key: value for key, value in record._asdict().items() if value is not None}
    return ", ".join(
        f"{key} {tuple(value) if isinstance(value, tuple) else value}"
        for key, value in known.items()
    )
