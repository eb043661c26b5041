"""Faults of one play: its roll, its steps, or the whole of it."""

from __future__ import annotations

from itertools import combinations
from random import Random

from bganalyze.board.plays import Dice, check_play, legal_plays, notation
from bganalyze.board.position import BAR, OFF, Position, Step
from bganalyze.record.model import Play, PlayRecord
from tests.faults.analyze import faults, rolls
from tests.faults.damage import Damage, damaged, first_of
from tests.faults.record import Act, Record, play_text, steps_of, words
from tests.faults.referee import (
    Places,
    as_boards,
    events,
    first_fault,
    hit_ignored,
    is_shut_out,
    unexcused,
    without_play,
)

UNLIKE = tuple(combinations(range(1, 7), 2))
"""Every roll that is no double."""


def analyzed(
    record: Record, act: Act, dice: Dice, step_words: list[str], how: PlayRecord = PlayRecord.PLAYED
) -> Places:
    """Where and what must be reported if the play were this one; nothing if all stays legal."""
    steps = steps_of(step_words)
    later = events(record.rest(act))
    codes = faults(act.position, dice, steps, record.marks)
    if codes and not steps:
        codes = without_play(record, how, codes)
    codes = unexcused(codes, act.side, later)
    if codes:
        places = frozenset((act.line, code) for code in codes)
        return places | _hit_ignored_before(record, act, dice, steps)
    end, _ = check_play(act.position, dice, steps, record.marks)
    return first_fault(record, as_boards(end, act.side), act, later, after=True)


def _hit_ignored_before(record: Record, act: Act, dice: Dice, steps: tuple[Step, ...]) -> Places:
    changed_act = act._replace(action=act.action._replace(dice=dice, steps=steps))
    earlier = [other for other in record.games[act.game] if other.at < act.at]
    return hit_ignored(record, act.before, events([*earlier, changed_act]))


def replayed(record: Record, act: Act, dice: Dice, step_words: list[str]) -> Damage | None:
    """Return the break that has this play in place of the recorded one."""
    lines = record.written(act, play_text(dice, step_words))
    return damaged(record, lines, analyzed(record, act, dice, step_words))


def is_first_roll(record: Record, act: Act) -> bool:
    """Whether no roll of the game stands before."""
    return not any(
        isinstance(other.action, Play) and other.at < act.at for other in record.games[act.game]
    )


# -- the roll ---------------------------------------------------------------------------------


def die(record: Record, rng: Random) -> Damage | None:
    """One die shows another number."""
    return first_of(rng, record.plays, lambda act: _other_die(record, rng, act))


def die_of_dance(record: Record, rng: Random) -> Damage | None:
    """One die of a roll that could not be played shows another number."""
    return first_of(rng, record.dances, lambda act: _other_die(record, rng, act))


def _other_die(record: Record, rng: Random, act: Act) -> Damage | None:
    dice = list(act.action.dice)
    dice[rng.randrange(2)] = rng.randint(1, 6)
    if sorted(dice) == sorted(act.action.dice):
        return None
    if dice[0] == dice[1] and is_first_roll(record, act):
        return None
    return _rethrown(record, act, (dice[0], dice[1]))


def _rethrown(record: Record, act: Act, dice: Dice) -> Damage | None:
    text = record.text(act)
    lines = record.written(act, f"{dice[0]}{dice[1]}{text[2:]}")
    exact = analyzed(record, act, dice, words(text), act.action.how)
    return damaged(record, lines, exact)


def double_roll(record: Record, rng: Random) -> Damage | None:
    """Both dice show the number of one of them."""

    def make(act: Act) -> Damage | None:
        larger, smaller = act.action.dice
        number = rng.choice((larger, smaller))
        if larger == smaller or is_first_roll(record, act):
            return None
        return _rethrown(record, act, (number, number))

    return first_of(rng, record.plays, make)


def impossible_die(record: Record, rng: Random) -> Damage | None:
    """A die shows 0, 7, 8 or 9."""

    def make(act: Act) -> Damage | None:
        dice = list(act.action.dice)
        dice[rng.randrange(2)] = rng.choice((0, 7, 8, 9))
        text = f"{dice[0]}{dice[1]}{record.text(act)[2:]}"
        return damaged(record, record.written(act, text), {(act.line, "D301")})

    return first_of(rng, record.plays, make)


def opening_double(record: Record, rng: Random) -> Damage | None:
    """The first roll of a game becomes a double; its play stays as it was."""

    def make(act: Act) -> Damage | None:
        number = rng.choice(act.action.dice)
        text = f"{number}{number}{record.text(act)[2:]}"
        movement = {(act.line, f"P4{number:02}") for number in (*range(1, 13), 99)}
        lines = record.written(act, text)
        return damaged(record, lines, {(act.line, "D302")}, movement)

    return first_of(rng, [act for act in record.plays if is_first_roll(record, act)], make)


def missing_roll(record: Record, rng: Random) -> Damage | None:
    """The roll before a play is lost."""

    def make(act: Act) -> Damage | None:
        text = record.text(act)
        lines = record.written(act, " " * 4 + text[4:])
        return damaged(record, lines, {(act.line, "D304")})

    return first_of(rng, record.plays, make)


def second_roll(record: Record, rng: Random) -> Damage | None:
    """A second roll, legally played, stands in the same cell."""

    def make(act: Act) -> Damage | None:
        if act.side != 1 or len(record.on_line(act.line)) != 2 or record.following(act) is None:
            return None
        end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
        dice = rng.sample(range(1, 7), 2)
        plays = [steps for steps in legal_plays(end, (dice[0], dice[1])).values() if steps]
        if not plays or not any(end.own[1:]) or is_shut_out(as_boards(end, act.side), 0):
            return None
        second_play = play_text((dice[0], dice[1]), [notation(rng.choice(plays))])
        lines = record.written(act, f"{record.text(act)} {second_play}")
        return damaged(record, lines, {(act.line, "D305")})

    return first_of(rng, record.plays, make)


# -- the steps -----------------------------------------------------------------------------------


def _changed_step(record: Record, rng: Random, end: int, others: tuple[int, ...]) -> Damage | None:
    """Put another point at one end of a step."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        index = rng.randrange(len(cells))
        if "(" in cells[index]:
            return None
        points = cells[index].split("/")
        point = points[end].rstrip("*").casefold()
        number = {"bar": BAR, "off": OFF}.get(point) if not point.isdigit() else int(point)
        assert number is not None
        new = number + rng.choice(others)
        if not OFF <= new <= 24 or new == number:
            return None
        points[end] = f"{new}{'*' * points[end].endswith('*')}"
        cells[index] = "/".join(points)
        return replayed(record, act, act.action.dice, cells)

    return first_of(rng, record.plays, make)


def step_target(record: Record, rng: Random) -> Damage | None:
    """A step ends on another point."""
    return _changed_step(record, rng, -1, (-3, -2, -1, 1, 2, 3))


def step_source(record: Record, rng: Random) -> Damage | None:
    """A step starts from another point."""

    return _changed_step(record, rng, 0, (-3, -2, -1, 1, 2, 3))


def missing_step(record: Record, rng: Random) -> Damage | None:
    """One of several steps is lost."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        if len(cells) < 2:
            return None
        del cells[rng.randrange(len(cells))]
        return replayed(record, act, act.action.dice, cells)

    return first_of(rng, record.plays, make)


def extra_step(record: Record, rng: Random) -> Damage | None:
    """A step too many, of a checker that is there."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        end, _ = check_play(act.position, act.action.dice, act.action.steps, record.marks)
        sources = [point for point in range(2, BAR) if end.own[point]]
        if not sources:
            return None
        source = rng.choice(sources)
        target = max(source - rng.choice(act.action.dice), 1)
        return replayed(record, act, act.action.dice, [*cells, f"{source}/{target}"])

    return first_of(rng, record.plays, make)


def doubled_step(record: Record, rng: Random) -> Damage | None:
    """A step stands twice."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        index = rng.randrange(len(cells))
        cells.insert(index, cells[index].replace("*", ""))
        return replayed(record, act, act.action.dice, cells)

    return first_of(rng, record.plays, make)


def false_hit_mark(record: Record, rng: Random) -> Damage | None:
    """A step that hits nothing is marked as a hit."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        index = rng.randrange(len(cells))
        path = steps_of([cells[index]])[0].path
        if act.position.other[BAR - path[-1]] or path[-1] == OFF or "(" in cells[index]:
            return None
        cells[index] += "*"
        lines = record.written(act, play_text(act.action.dice, cells))
        return damaged(record, lines, {(act.line, "T109")})

    return first_of(rng, record.plays, make)


# -- the whole play ------------------------------------------------------------------------------


def emptied(record: Record, rng: Random) -> Damage | None:
    """The roll stands, the play is lost."""
    return first_of(rng, record.plays, lambda act: _emptied(record, act, "", PlayRecord.EMPTY))


def false_dance(record: Record, rng: Random) -> Damage | None:
    """`Cannot Move` although there is a play."""
    return first_of(
        rng, record.plays, lambda act: _emptied(record, act, "Cannot Move", PlayRecord.CANNOT_MOVE)
    )


def _emptied(record: Record, act: Act, words: str, how: PlayRecord) -> Damage | None:
    dice = act.action.dice
    lines = record.written(act, f"{dice[0]}{dice[1]}: {words}".rstrip())
    return damaged(record, lines, analyzed(record, act, dice, [], how))


def bar_ignored(record: Record, rng: Random) -> Damage | None:
    """A checker enters in the record; in the break another one is moved by the same die."""

    def make(act: Act) -> Damage | None:
        cells = words(record.text(act))
        entering = [i for i, word in enumerate(cells) if steps_of([word])[0].path[0] == BAR]
        step = steps_of([cells[entering[0]]])[0]
        number = BAR - step.path[1]
        if len(step.path) != 2 or number not in act.action.dice:
            return None
        moves = _other_moves(act.position, number)
        if not moves:
            return None
        cells[entering[0]] = rng.choice(moves)
        return replayed(record, act, act.action.dice, cells)

    return first_of(rng, [act for act in record.plays if act.position.own[BAR]], make)


def _other_moves(position: Position, die: int) -> list[str]:
    return [
        f"{source}/{source - die}"
        for source in range(die + 1, BAR)
        if position.own[source] and position.other[BAR - source + die] == 0
    ]


def early_bear_off(record: Record, rng: Random) -> Damage | None:
    """A checker is borne off by its own die while others are still outside."""

    def make(act: Act) -> Damage | None:
        own, dice = act.position.own, act.action.dice
        cells = words(record.text(act))
        number = rng.choice(dice)
        if not own[number] or not any(own[7:BAR]) or own[BAR] or len(cells) != len(rolls(dice)):
            return None
        by_number = [i for i, w in enumerate(cells) if _length(w) == number]
        if not by_number:
            return None
        cells[rng.choice(by_number)] = f"{number}/off"
        return replayed(record, act, dice, cells)

    return first_of(rng, record.plays, make)


def _length(word: str) -> int:
    path = steps_of([word])[0].path
    return path[0] - path[-1]


def bear_off_past(record: Record, rng: Random) -> Damage | None:
    """A checker is borne off by a larger die although a higher point is occupied."""

    def make(act: Act) -> Damage | None:
        own, dice = act.position.own, act.action.dice
        cells = words(record.text(act))
        number = rng.choice(dice)
        lower = [point for point in range(1, number) if own[point]]
        if any(own[7:]) or not any(own[number:7]) or not lower:
            return None
        by_number = [i for i, w in enumerate(cells) if _length(w) == number]
        if not by_number or len(cells) != len(rolls(dice)):
            return None
        cells[by_number[0]] = f"{rng.choice(lower)}/off"
        return replayed(record, act, dice, cells)

    return first_of(rng, record.plays, make)


def smaller_die(record: Record, rng: Random) -> Damage | None:
    """A roll of which either die can be played but not both: the smaller one is."""

    def make(act: Act) -> Damage | None:
        choices = [(dice, step) for dice in UNLIKE for step in _smaller(act.position, dice)]
        if not choices:
            return None
        dice, step = rng.choice(choices)
        return replayed(record, act, dice, [notation([step])])

    return first_of(rng, record.plays, make)


def _smaller(position: Position, dice: Dice) -> list[Step]:
    """The plays of the smaller die where the larger must be played and no more can be."""
    if any(len(steps) != 1 for steps in legal_plays(position, dice).values()):
        return []
    small = min(dice)
    sources = [BAR] if position.own[BAR] else range(24, small, -1)
    moves = [
        Step((source, source - small), (False,))
        for source in sources
        if position.own[source] and position.other[BAR - source + small] < 2
    ]
    return [step for step in moves if faults(position, dice, (step,), True) == {"P410"}]
