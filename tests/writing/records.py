"""Random matches: legal ones, and all that a record may hold besides."""

from __future__ import annotations

from random import Random
from typing import Literal

from bganalyze.board.plays import legal_plays
from bganalyze.board.position import Position, Step, start_position
from bganalyze.record.conventions import conventions_of_format
from bganalyze.record.model import (
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    Game,
    GameReplayed,
    Length,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    RulingMade,
    ScoreLine,
    SetUp,
    Side,
    Source,
    Span,
    Tag,
)

NAMES = ("Ann Lee", "Bob")
START = start_position("standard")
SOURCE = Source("random.bgm", "utf-8", ())


def match(seed: int, *, faults: bool) -> Match:
    """Return a match of one to three games; with `faults`, of any content."""
    rng = Random(seed)
    length = rng.choice((0, 3, 7))
    games = tuple(
        _BgmWriter(rng, length, number, faults).game() for number in range(1, rng.randint(2, 4))
    )
    tags = (Tag(Span(1, 1, 1), "Event", "Club night"),) * (rng.random() < 0.5)
    tags += (Tag(Span(1, 1, 1), "Jacoby", "Off"), Tag(Span(1, 1, 1), "Beaver", "On")) * (not length)
    conventions = conventions_of_format("unknown", SOURCE, marks_hits=True)
    return Match(SOURCE, 1, "random", Length(Span(2, 1, 2), length), tags, games, (), conventions)


class _BgmWriter:
    """Writes down one random game, every action in a line of its own."""

    def __init__(self, rng: Random, length: int, number: int, faults: bool) -> None:
        self.rng = rng
        self.length = length
        self.number = number
        self.faults = faults
        self.boards = [START.own, START.own]
        self.actions: list[Action] = []
        self.cube: tuple[int, Side | None] = (1, None)

    def game(self) -> Game:
        """Return a game of some turns; few are played to their end."""
        rng = self.rng
        side: Side = rng.choice((0, 1))
        for turn in range(rng.randint(0, 30)):
            if turn and self._doubles(side):
                return self._finished()
            self._turn(side, opening=not turn)
            if self.boards[side][0] == sum(self.boards[side]):
                break
            if self.faults:
                self._oddity(side)
            side = 1 - side
        if rng.random() < 0.6:
            self._resigned(rng.choice((0, 1)))
        return self._finished()

    def _finished(self) -> Game:
        line = 1_000 * self.number
        span = Span(line, 1, 2)
        score = ScoreLine(span, NAMES, (self.number - 1, 0), (span, span))
        return Game(span, self.number, score, tuple(self.actions))

    def _span(self) -> Span:
        return Span(1_000 * self.number + len(self.actions) + 1, 1, 2)

    def _turn(self, side: Side, *, opening: bool) -> None:
        dice = (self.rng.randint(1, 6), self.rng.randint(1, 6))
        if opening and dice[0] == dice[1]:
            dice = (3, 1)
        position = Position(self.boards[side], self.boards[1 - side])
        plays = legal_plays(position, dice)
        result = self.rng.choice(sorted(plays))
        steps = plays[result]
        if self.faults and steps and self.rng.random() < 0.1:
            misread = Step((steps[0].path[0], max(steps[0].path[0] - 1, 0)), (False,))
            if misread.path != steps[0].path:
                self._play(side, dice, (misread, *steps[1:]))
        self._play(side, dice, steps)
        self.boards[side], self.boards[1 - side] = result.own, result.other

    def _play(self, side: Side, dice: tuple[int, int], steps: tuple[Step, ...]) -> None:
        how = PlayRecord.PLAYED if steps else PlayRecord.EMPTY
        places = ((0, 1),) * len(steps)
        self.actions.append(Play(self._span(), None, side, dice, steps, places, how))

    def _doubles(self, side: Side) -> bool:
        """Double and answer now and then; return whether it ends the game."""
        value, owner = self.cube
        if self.length == 3 or owner not in (None, side) or self.rng.random() > 0.05:
            return False
        other: Side = 1 - side
        self.actions.append(Double(self._span(), None, side, 2 * value))
        if not self.length and self.rng.random() < 0.4:
            self.actions.append(Double(self._span(), None, other, 4 * value, "beaver"))
            self.cube = (4 * value, other)
            return False
        is_taken = self.rng.random() < 0.6
        self.actions.append(Answer(self._span(), None, other, is_taken))
        if not is_taken:
            self.actions.append(Result(self._span(), None, side, value))
        self.cube = (2 * value, other)
        return not is_taken

    def _oddity(self, side: Side) -> None:
        """Add a comment, a board, a declined resignation, or nothing."""
        chance = self.rng.random()
        if chance < 0.05:
            self.actions.append(Comment(self._span(), None, "a remark"))
        elif chance < 0.08:
            boards = (self.boards[0], self.boards[1])
            self.actions.append(SetUp(self._span(), None, boards, *self.cube))
        elif chance < 0.1:
            self.actions.append(self._offer(side, 1)._replace(declined=True))
        elif chance < 0.15:
            self.actions.append(self._ruling(side))

    def _ruling(self, side: Side) -> RulingMade:
        """A director's ruling, with a reason or without."""
        rng, span = self.rng, self._span()
        reason = rng.choice(("", "late", "4.2(iii), the third time"))
        steps = tuple(
            Step((rng.randint(0, 25), rng.randint(0, 25)), (False,))
            for _ in range(rng.randint(1, 3))
        )
        moved = sorted(steps, key=lambda step: step.path)
        return rng.choice(
            (
                PointsGiven(span, None, side, rng.randint(1, 1_500), reason),
                GameReplayed(span, None, reason),
                CheckersPutBack(span, None, (), tuple(moved), reason),
                CheckersPutBack(span, None, tuple(moved), tuple(moved[:1]), reason),
            )
        )

    def _resigned(self, side: Side) -> None:
        points = self.rng.choice((1, 2)) * self.cube[0]
        self.actions.append(self._offer(side, points // self.cube[0]))
        self.actions.append(Result(self._span(), None, 1 - side, points))

    def _offer(self, side: Side, size: Literal[1, 2, 3]) -> Resignation:
        """Return an offer of this size: in points, in words, in both or in neither."""
        if self.faults and self.rng.random() < 0.3:
            size = self.rng.choice((1, 2, 3))
        points = size * self.cube[0] if self.rng.random() < 0.5 else None
        manners = ("resigned", "resigned", "forfeit", "time") if self.faults else ("resigned",)
        size_stated = size if self.rng.random() < 0.5 else None
        return Resignation(self._span(), None, side, points, self.rng.choice(manners), size_stated)
