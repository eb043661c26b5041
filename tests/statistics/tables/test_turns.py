"""Every column of `turns` that is computed from boards, computed a second time, turn by turn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from bganalyze.analysis.decisions import Kind, decisions_of_match
from bganalyze.board.movement import legal_plays
from bganalyze.board.position import BAR, OFF, Points, Position, pips
from bganalyze.record.model import Play
from bganalyze.record.reader import read
from bganalyze.statistics.tables.frames import tabulate
from bganalyze.statistics.tables.schema import SIDES
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying import replay as replayed_of
from bganalyze.validation.replaying.replayed import GameReplay, Turn

pytestmark = pytest.mark.slow

CLEAN = Path(__file__).parents[3] / "samples" / "clean"
EACH = 100
"""One real file in this many is looked at."""


def replays(paths: list[Path]) -> list[MatchReplay]:
    files = (read(path) for path in paths)
    return [replayed_of(match) for matches in files for match in matches]


def turns_of(replay: MatchReplay) -> Iterator[tuple[GameReplay, int, Turn, Play]]:
    """Yield the rolls of a match without fault."""
    for game in replay.games:
        for index, turn in enumerate(game.turns, 1):
            if isinstance(turn.action, Play):
                yield game, index, turn, turn.action


def mirror(side: Points) -> Iterator[int]:
    """Yield the points of a side in the other's numbering, without the bar."""
    return (BAR - point for point in range(1, BAR) if side[point])


def naive(turn: Turn, play: Play) -> dict[str, Any]:
    """Return the columns of one turn, by counting checkers and playing out every roll."""
    before = turn.position(play.side)
    after = Position(turn.after[play.side], turn.after[1 - play.side])
    dice = (max(play.dice or (0, 0)), min(play.dice or (0, 0)))
    contact = _contact(before)
    legal = turn.legality is not None and turn.legality.fault is None and dice[1] > 0
    plays = legal_plays(before, dice) if legal else {}
    moved = pips(before.own) - pips(after.own)
    rolled = 4 * dice[0] if dice[0] == dice[1] else sum(dice)
    winning = not any(after.own[1:])
    home = not any(before.own[7:])
    bearing_off = legal and home and not contact and not winning
    return {
        "pips": pips(before.own),
        "opposing_pips": pips(before.other),
        "pips_moved": moved,
        "danced": legal and moved == 0,
        "forced": legal and moved > 0 and len(plays) == 1,
        "hits": after.other[BAR] - before.other[BAR],
        "pips_sent_back": pips(after.other) - pips(before.other),
        "on_bar": before.own[BAR],
        "left_on_bar": after.own[BAR],
        "closed": sum(before.other[point] > 1 for point in range(1, 7)),
        "blots_left": sum(after.own[point] == 1 for point in range(1, BAR)),
        "points_held": sum(after.own[point] > 1 for point in range(1, BAR)),
        "points_gained": sum(after.own[point] > 1 >= before.own[point] for point in range(1, BAR)),
        "home_points": sum(after.own[point] > 1 for point in range(1, 7)),
        "anchors": sum(after.own[point] > 1 for point in range(19, BAR)),
        "crossovers": _quarters(before.own) - _quarters(after.own),
        "borne_off": after.own[OFF] - before.own[OFF],
        "bearing_off": bearing_off,
        "pips_wasted": rolled - moved if bearing_off else 0,
        "race": not contact,
    }


def _quarters(side: Points) -> int:
    return sum(count * -(-point // 6) for point, count in enumerate(side))


def _contact(position: Position) -> bool:
    own = [point for point in range(1, BAR + 1) if position.own[point]]
    other = [BAR - point for point in range(1, BAR + 1) if position.other[point]]
    return bool(own and other) and max(own) > min(other)


def shots(position: Position) -> tuple[int, set[tuple[int, int]]]:
    """Return the rolls of 36 that hit, by playing out each of them."""
    hit = set()
    for dice in product(range(1, 7), repeat=2):
        ends = legal_plays(position, dice)
        if any(end.other[BAR] > position.other[BAR] for end in ends):
            hit.add(dice)
    return len(hit), hit


def compare(matches: list[MatchReplay]) -> int:
    rows = tabulate(matches).turns.set_index(["match", "game", "turn"])
    seen = 0
    for number, replay in enumerate(matches):
        for game, index, turn, play in turns_of(replay):
            row = rows.loc[(number, game.context.game, index)]
            seen += 1
            for name, value in naive(turn, play).items():
                assert row[name] == value, (replay.match.source.path, play.span, name)
            if seen % 7:
                continue
            before = turn.position(play.side)
            count, hitting = shots(before)
            assert (row["shots"], row["shot_rolled"]) == (count, play.dice in hitting)
            left = Position(turn.after[1 - play.side], turn.after[play.side])
            assert row["shots_left"] == shots(left)[0]
    assert seen == len(rows)
    return seen


@pytest.mark.parametrize("path", sorted(CLEAN.glob("*.[mt]*t"))[::3], ids=lambda path: path.name)
def test_samples_turn_by_turn(path: Path) -> None:
    assert compare(replays([path])) > 0


def test_who_may_double_and_rolls_has_decided_not_to() -> None:
    matches = replays(sorted(CLEAN.glob("*.[mt]*t")))
    turns = tabulate(matches, column_groups=()).turns
    columns = turns.loc[turns["may_double"], ["match", "game", "side", "line"]]
    decided = [
        (number, decision.context.game, SIDES[decision.side], decision.turn.action.span.line)
        for number, match in enumerate(matches)
        for decision in decisions_of_match(match)
        if decision.kind is Kind.NO_DOUBLE
    ]
    assert [tuple(row) for row in columns.itertuples(index=False)] == decided


@pytest.mark.corpus
def test_real_files_turn_by_turn(corpus: Path) -> None:
    files = sorted((corpus / "mat").iterdir())[::EACH]
    clean = [
        replayed for replayed in replays(files) if not any(game.problems for game in replayed.games)
    ]
    assert compare(clean) > 500
