"""Void doubles put into real matches, and what is ruled on them at five moments of noticing.

    BGANALYZE_CORPUS=path python -m tests.void_doubles --matches 200

A double in the Crawford game, or of a dead cube, and its take are put into a match without them. The
score without the double must be that of the match before it was put in, and the standing that of the
rule texts, both worked out here without the program's rulings.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

from bganalyze.board.cube import is_dead
from bganalyze.board.rule_book import RULE_BOOKS
from bganalyze.record.model import (
    Action,
    Answer,
    Double,
    Match,
    Play,
    Resignation,
    Result,
    other_side,
)
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read, read_bytes
from bganalyze.validation.cases import Case, find_case
from bganalyze.validation.findings import Standing
from bganalyze.validation.replaying import replay
from bganalyze.validation.replaying.outcomes import MatchOutcome, outcome_of
from bganalyze.validation.replaying.replayed import GameReplay
from bganalyze.writing.bgm import write

SAMPLES = Path(__file__).parents[1] / "samples" / "clean"

BOOKS = ("usbgf-2024", "dbgf-2007")
"""The first has every forbidden double void, the second annuls one in the Crawford game."""


class Doubled(NamedTuple):
    """A match with a double that counts for nothing."""

    match: Match
    index: int
    """The index of its game."""
    is_crawford: bool
    """Whether it is in the Crawford game; otherwise the cube is dead."""
    true: MatchOutcome
    """The outcome without the double."""


# Doubles put in.


def insert_void_doubles(match: Match, draw: Random) -> Iterator[Doubled]:
    """Yield a copy of the match for each game in which a void double and its take can be inserted.

    The points of that game are doubled. `draw` chooses the turn.
    """
    true = replay(match)
    outcome = outcome_of(true)
    if not outcome.length or outcome.disputed or any(game.problems for game in true.games):
        return
    for index, (game, result) in enumerate(zip(true.games, outcome.games, strict=True)):
        places = list(find_turns_for_void_doubles(game, outcome.length))
        if not places or result.counting is None or result.counting.points is None:
            continue
        turn = game.turns[draw.choice(places)]
        play, actions = turn.action, list(game.game.actions)
        assert isinstance(play, Play)
        at = actions.index(play)
        actions[at:at] = [
            Double(play.span, play.row, play.side, 2 * turn.cube.value),
            Answer(play.span, play.row, other_side(play.side), True),
        ]
        needed = outcome.length - game.context.score[result.counting.side]
        points = min(2 * (result.counting.points + result.cut), needed)
        changed = [_double_points(action, points, turn.cube.value) for action in actions]
        games = list(match.games)
        games[index] = game.game._replace(actions=tuple(changed))
        yield Doubled(match._replace(games=tuple(games)), index, game.context.crawford, outcome)


def _double_points(action: Action, points: int, cube: int) -> Action:
    """Return an action after a double: a result with `points`, or a resignation of twice its points."""
    match action:
        case Result():
            return action._replace(points=points)
        case Resignation() if action.points is not None and action.points % cube == 0:
            return action._replace(points=2 * action.points)
    return action


def find_turns_for_void_doubles(game: GameReplay, length: int) -> Iterator[int]:
    """Yield the index of each turn before which a double would be void.

    It is void in the Crawford game, and if the cube is dead for the side that plays.
    """
    for index in range(2, len(game.turns)):
        turn, before = game.turns[index], game.turns[index - 1]
        if not isinstance(turn.action, Play) or not isinstance(before.action, Play):
            continue
        side = turn.action.side
        dead = is_dead(turn.cube.value, length, game.context.score[side])
        if game.context.crawford or (dead and turn.cube.may_double(side)):
            yield index


def read_matches(step: int) -> Iterator[Match]:
    """Yield the matches of the clean samples, and of every `step`-th real file if there are any."""
    corpus = os.environ.get("BGANALYZE_CORPUS")
    real = sorted(path for path in Path(corpus).glob("*/*") if path.is_file()) if corpus else []
    for path in (*sorted(SAMPLES.glob("*.mat")), *islice(real, 0, None, step)):
        try:
            yield from read(path)
        except NotATranscript:
            continue


# Rulings on them.


class Ruled(NamedTuple):
    """A ruling at a moment that differs from the expected one, or has an open score."""

    moment: str
    words: str


def rule_at_moments(doubled: Doubled) -> Iterator[Ruled | None]:
    """Rule on a void double at five moments, and yield None for each ruling that is as expected.

    For a ruling with another standing or score, yield what differs.
    """
    [match] = read_bytes(write([replay(doubled.match)]), "a.bgm")
    actions = match.games[doubled.index].actions
    at = _index_of_double(actions, doubled)
    place = f"{actions[at].span.line}:{actions[at].span.column}"
    next_game = next(
        (game.actions for game in match.games[doubled.index + 1 :] if game.actions), None
    )
    moments = {
        "before the answer": actions[at + 1],
        "before the next play": actions[at + 2],
        "later in the game": actions[min(at + 5, len(actions) - 1)],
        "before the next game": next_game[0] if next_game else None,
        "in the next game": next_game[1] if next_game and len(next_game) > 1 else None,
    }
    for moment, action in moments.items():
        noticed = "now" if action is None else f"{action.span.line}:{action.span.column}"
        case = find_case([match], place, [RULE_BOOKS[name] for name in BOOKS], noticed)
        is_late = moment == "in the next game" and action is not None
        yield _compare_ruling(case, doubled, moment, is_late=is_late)


def _index_of_double(actions: Sequence[Action], doubled: Doubled) -> int:
    """Return the index in `actions` of the double that was inserted."""
    added = doubled.match.games[doubled.index].actions
    # The inserted double has the place of its answer and of the play.
    spans = Counter(action.span for action in added)
    doubles = [action for action in added if isinstance(action, Double)]
    number = next(n for n, each in enumerate(doubles) if spans[each.span] > 2)
    return [n for n, each in enumerate(actions) if isinstance(each, Double)][number]


def _compare_ruling(case: Case, doubled: Doubled, moment: str, *, is_late: bool) -> Ruled | None:
    """Return how a ruling differs from the expected standings and score, or None."""
    found = [None if said.ruling is None else said.ruling.standing for said in case.rulings]
    danish = (Standing.STANDS if is_late else Standing.OPEN) if doubled.is_crawford else None
    if found != [Standing.OPEN, danish]:
        return Ruled(moment, f"standing {found}, not {[Standing.OPEN, danish]}")
    final = case.points[-1].points.final
    counting = doubled.true.counting
    if final is None:
        return Ruled(moment, "open")
    if final != counting.after:
        return Ruled(moment, f"score {final}, not {counting.after}")
    return None


def main(words: Sequence[str] | None = None) -> None:
    """Insert void doubles into matches, and print how many rulings are as expected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--open", action="store_true", help="also print where the score is open")
    chosen = parser.parse_args(words)
    draw, counts, kinds = Random(chosen.seed), Counter[str](), Counter[str]()
    for match in read_matches(1):
        cases = list(insert_void_doubles(match, draw))
        if not cases:
            continue
        doubled = draw.choice(cases)
        kinds["Crawford game" if doubled.is_crawford else "dead cube"] += 1
        for ruled in rule_at_moments(doubled):
            kind = "as expected" if ruled is None else "open" if ruled.words == "open" else "wrong"
            counts[kind] += 1
            if kind == "wrong" or (kind == "open" and chosen.open):
                print(match.source.path, doubled.index + 1, ruled)
        if kinds.total() == chosen.matches:
            break
    print(dict(kinds), dict(counts))


if __name__ == "__main__":
    main()
