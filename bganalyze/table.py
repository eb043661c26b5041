"""Replaying a game: the only place that knows what happens after a fault.

Every action is carried out as recorded, judged by `board/`, and the facts that it establishes are
kept. After a fault competing readings of the text are tried (`readings.py`); what another reading
explains is counted as a consequence and not reported again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from bganalyze.board.cube import Cube
from bganalyze.board.plays import Verdict, can_move, verdict
from bganalyze.board.position import BAR, OFF, Points, Position
from bganalyze.board.scoring import class_of_loss, is_dead
from bganalyze.board.variants import VARIANTS
from bganalyze.facts import Boards, Context, EndKind, Fact, Turn
from bganalyze.law import Law
from bganalyze.readings import (
    AS_RECORDED,
    EXCHANGED,
    NOT_HIT,
    SKIPPED,
    TOO_MANY_FAULTS,
    Ahead,
    Candidate,
    Choice,
    as_boards,
    choose,
    hidden_plays,
    misplaced_checker,
    other_plays,
)
from bganalyze.transcript.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    How,
    Play,
    Profile,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Unread,
)

BOARD_FAULTS = {
    "empty-point",
    "blocked-point",
    "bar-first",
    "early-bear-off",
    "bear-off-die",
    "false-dance",
    "unplayed-die",
    "larger-die",
    "illegal-play",
}
"""Faults that depend on where the checkers stand, and so may follow from an earlier one."""

MOST_COMPETITIONS = 8
"""A game with more faults than this is not worth more guesses."""


def other_side(side: Side) -> Side:
    """Return the opponent."""
    return 1 if side == 0 else 0


@dataclass(slots=True)
class Past:
    """The last play made: what a repetition or correction of it needs."""

    play: Play
    before: Boards
    fact: Fact | None
    index: int


@dataclass(slots=True)
class Table:
    """A game under way: the board, the cube, whose turn it is, and what was found so far."""

    game: Game
    context: Context
    profile: Profile
    law: Law
    boards: Boards
    start: Boards
    cube: Cube
    facts: list[Fact] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    to_act: Side | None = None
    over: EndKind | None = None
    winner: Side | None = None
    loss: int | None = None
    """Points lost by the end that the board or the cube decided."""
    past: Past | None = None
    row_start: tuple[Span, Boards] | None = None
    thrown: bool = False
    """Whether any throw of the game has been recorded."""
    set_up: bool = False
    """Whether the game starts from a recorded position."""
    doubt: Fact | None = None
    excused: dict[int, Fact] = field(default_factory=dict)
    consumed: set[int] = field(default_factory=set)
    cubes: list[Cube] = field(default_factory=list)
    """Other states that the cube may be in, after a cube action that was in order in none."""
    competitions: int = 0
    after_end: bool = False
    resigned_points: int | None = None
    stopped: bool = False
    result: Result | None = None
    second_play_done: bool = False
    index: int = 0
    replayed_row: str | None = None
    amended: bool = False
    """Whether a reading other than the record's was taken."""
    past_boards: Boards = ((), ())
    past_fact: Fact | None = None
    unresolved: bool = False

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions of the game."""
        return self.game.actions

    # -- facts -------------------------------------------------------------------------------

    def note(self, rule: str, action: Action, span: Span | None = None, **about: Any) -> Fact:
        """Keep a fact established by `action`."""
        turn = Turn(
            self.context, action, self.boards, self.boards, self.cube, None, self.doubt is None
        )
        fact = Fact(
            rule,
            span or action.span,
            about,
            self.context.game,
            action.row,
            getattr(action, "side", None),
            turn,
        )
        self.facts.append(fact)
        return fact

    def amend(self, fact: Fact, **changes: Any) -> Fact:
        """Replace a fact found earlier by one that knows more."""
        changed = fact._replace(**changes)
        for index, known in enumerate(self.facts):
            if known is fact:
                self.facts[index] = changed
        if self.doubt is fact:
            self.doubt = changed
        if self.past and self.past.fact is fact:
            self.past.fact = changed
        for at, known in self.excused.items():
            if known is fact:
                self.excused[at] = changed
        return changed

    def blame(self, fact: Fact, times: int = 1) -> None:
        """Count one more consequence of `fact`."""
        self.amend(fact, consequences=(fact.consequences or 0) + times)

    # -- the course of the game --------------------------------------------------------------

    def run(self) -> None:
        """Carry out every action."""
        for index, action in enumerate(self.actions):
            self.index = index
            before, cube = self.boards, self.cube
            judged = self.carry_out(action)
            self.turns.append(
                Turn(self.context, action, before, self.boards, cube, judged, self.doubt is None)
            )

    def carry_out(self, action: Action) -> Verdict | None:
        """Carry out one action; return the verdict on a play."""
        match action:
            case Comment():
                return None
            case Unread():
                self.unread(action)
            case SetUp():
                self.recorded_board(action)
            case Result():
                self.result_line(action)
            case _ if self.over is not None:
                self.late(action)
            case Play():
                return self.play(action)
            case Double():
                self.double(action)
            case Answer():
                self.answer(action)
            case Resignation():
                self.resign(action)
        return None

    def late(self, action: Play | Double | Answer | Resignation) -> None:
        """An action after the game was decided."""
        if isinstance(action, Resignation):
            self.resigned_points = action.points
            return
        if self.after_end:
            return
        self.after_end = True
        if isinstance(action, Play) and self.repeats_winning_play(action):
            self.note("ghost-row", action)
        elif self.doubt is not None:
            self.blame(self.doubt)
        else:
            self.note("action-after-end", action, ended=self.over)

    def repeats_winning_play(self, action: Play) -> bool:
        past = self.past
        return (
            past is not None
            and past.play.side != action.side
            and past.play.dice == action.dice
            and past.play.steps == action.steps
        )

    def end(self, kind: EndKind, winner: Side, loss: int | None) -> None:
        """The game is decided."""
        self.over, self.winner, self.loss = kind, winner, loss
        self.to_act = None

    # -- text ----------------------------------------------------------------------------------

    def unread(self, action: Unread) -> None:
        """Unreadable text may hide a turn: nothing is reported missing because of it."""
        fact = self.note("unreadable-text", action, text=action.text)
        if self.over is not None or self.in_same_cell(action):
            return
        side = action.side
        if side is None or self.cube.is_open:
            self.to_act = None
            self.cubes.extend(self.cubes_behind(side))
            return
        self.to_act = other_side(side)
        self.hidden_turn(fact, side, None)

    def in_same_cell(self, action: Action) -> bool:
        """Whether the action before this one stands in the same cell."""
        before = self.actions[self.index - 1] if self.index else None
        return self.shares_cell(before, action) or self.shares_cell(action, self.next_action())

    def shares_cell(self, one: Action | None, two: Action | None) -> bool:
        if one is None or two is None or one.span.line != two.span.line:
            return False
        return getattr(one, "side", None) == getattr(two, "side", None)

    def next_action(self) -> Action | None:
        following = self.index + 1
        return self.actions[following] if following < len(self.actions) else None

    def cubes_behind(self, side: Side | None) -> list[Cube]:
        """What an unreadable answer may have made of the cube."""
        del side
        cube = self.cube
        if not cube.is_open:
            return []
        self.cube = cube.withdrawn()
        return [cube.taken()]

    def hidden_turn(self, fact: Fact, side: Side, dice: tuple[int, int] | None) -> None:
        """Let readings of a turn that cannot be read compete."""
        position = self.seen_by(side)
        self.compete(fact, self.boards, hidden_plays(position, side, dice))

    # -- set-ups ---------------------------------------------------------------------------------

    def recorded_board(self, action: SetUp) -> None:
        """A board written into the record: it is what stood."""
        if self.over is not None:
            return
        opening = not self.thrown
        if opening and not self.set_up:
            self.check_start(action)
        elif opening or not self.second_play_done:
            self.correct_set_up(action)
        elif self.boards != action.boards:
            self.note("set-up-mismatch", action, difference=difference(self.boards, action.boards))
        self.check_board(action)
        self.boards = action.boards
        self.set_up = True
        if action.cube_value is not None:
            self.cube = Cube(action.cube_value, action.cube_owner)
            self.check_cube(action)
        self.past = None
        if opening:
            self.start = action.boards

    def check_start(self, action: SetUp) -> None:
        self.check_against_variant(action)

    def correct_set_up(self, action: SetUp) -> None:
        """A new set-up before the second play corrects an error of the first."""
        for fact in list(self.facts):
            if fact.rule in SET_UP_FAULTS:
                self.amend(fact, standing="corrected", closed_by=_place(action.span))
        self.check_against_variant(action)

    def check_against_variant(self, action: SetUp) -> None:
        start = VARIANTS[self.context.variant].start
        if action.boards != (start, start) and not self.context.declared_position:
            self.note(
                "wrong-set-up",
                action,
                variant=self.context.variant,
                difference=difference((start, start), action.boards),
            )

    def check_board(self, action: SetUp) -> None:
        """Count the checkers, and see that no point holds both sides'."""
        most = VARIANTS[self.context.variant].checkers
        for side, points in enumerate(action.boards):
            on_board = sum(points[1:])
            if on_board > most or (sum(points) != most and not points[OFF]):
                self.note("checker-count", action, who=side, count=on_board, most=most)
        left, right = action.boards
        for point in range(1, BAR):
            if left[point] and right[BAR - point]:
                self.note("shared-point", action, point=point)
                break

    def check_cube(self, action: SetUp) -> None:
        value = action.cube_value or 1
        if value & (value - 1):
            self.note("impossible-cube", action, value=value, why="reached by doubling")
        elif value == 1 and action.cube_owner is not None:
            self.note("impossible-cube", action, value=value, why="owned by a side")

    # -- plays -----------------------------------------------------------------------------------

    def seen_by(self, side: Side) -> Position:
        """The board from the side of `side`."""
        return Position(self.boards[side], self.boards[1 - side])

    def play(self, action: Play) -> Verdict | None:
        """A throw and what was done with it."""
        if self.index in self.consumed:
            return None
        if self.stopped or self.is_replay(action):
            return None
        self.close_offer(action)
        self.check_order(action)
        side = action.side
        self.remember_row(action)
        judged = self.judge(action)
        self.to_act = other_side(side)
        if action.dice is not None and action.dice != (0, 0):
            self.thrown = True
        if self.past and self.past.play.side != side:
            self.second_play_done = True
        self.past = Past(action, self.past_boards, self.past_fact, self.index)
        if not any(self.boards[side][1:]) and self.over is None:
            self.end("borne-off", side, self.value_of_loss(other_side(side)))
        return judged

    def remember_row(self, action: Play) -> None:
        if self.row_start is None or self.row_start[0].line != action.span.line:
            self.row_start = (action.span, self.boards)

    def value_of_loss(self, loser: Side) -> int:
        """Points of a loss by bear-off: the cube times its class."""
        size = int(class_of_loss(self.boards[loser]))
        if self.context.jacoby and self.cube.owner is None:
            size = 1
        return self.cube.value * size

    def is_replay(self, action: Play) -> bool:
        """A turn recorded twice: a correction where the first was illegal, else a repetition."""
        past = self.past
        if past is None:
            return False
        if self.repeats_row(action):
            return True
        if past.play.side != action.side or self.to_act == action.side:
            return False
        if past.play.dice is None or action.dice is None:
            return False
        if sorted(past.play.dice) != sorted(action.dice):
            return False
        if past.fact is not None and past.play.steps != action.steps:
            self.amend(past.fact, standing="corrected", closed_by=_place(action.span))
            self.boards = past.before
            self.to_act = action.side
            return False
        if past.play.steps != action.steps:
            return False
        self.note("replayed-turn", action, first=_place(past.play.span))
        return True

    def repeats_row(self, action: Play) -> bool:
        """Whether the whole row before stands again: same number, throws and steps."""
        if action.row is None or not action.steps:
            return False
        if self.replayed_row == action.row:
            return True
        earlier = [
            a for a in self.actions[max(self.index - 3, 0) : self.index] if isinstance(a, Play)
        ]
        for known in earlier:
            same = (known.row, known.side, known.dice, known.steps) == (
                action.row,
                action.side,
                action.dice,
                action.steps,
            )
            if same and known.span.line != action.span.line and self.to_act == action.side:
                self.replayed_row = action.row
                self.note("replayed-turn", action, first=_place(known.span))
                return True
        return False

    def close_offer(self, action: Play) -> None:
        """Play goes on over an offer: a beaver is taken so, any other offer is void."""
        cube = self.cube
        if not cube.is_open:
            return
        if cube.offered_by == cube.keeper:
            self.cube = cube.taken()
            self.to_act = action.side
            return
        self.note("unanswered-double", action, offer=cube.offer)
        self.cubes.append(cube.taken())
        self.cube = cube.withdrawn()
        self.to_act = action.side

    def check_order(self, action: Play | Double) -> None:
        """Report a missing turn, unless the other side could not have moved anyway."""
        side = action.side
        if self.to_act is None or self.to_act == side:
            return
        if self.is_shut_out(other_side(side)):
            return
        if isinstance(action, Play) and self.shares_cell(self.actions[self.index - 1], action):
            self.note("second-roll", action)
            return
        fact = self.note("turn-order", action)
        if not self.cube.is_open and self.past is not None:
            self.hidden_turn_before(fact, other_side(side))

    def hidden_turn_before(self, fact: Fact, side: Side) -> None:
        """The missing turn lies before this action: the reading includes it."""
        position = self.seen_by(side)
        ahead = self.ahead(self.index)
        self.take(
            fact,
            self.boards,
            choose(self.boards, hidden_plays(position, side, None), ahead),
            self.index,
        )

    def is_shut_out(self, side: Side) -> bool:
        """On the bar against a closed board: there is no throw to record."""
        own, other = self.boards[side], self.boards[1 - side]
        return own[BAR] > 0 and all(other[point] > 1 for point in range(1, 7))

    def judge(self, action: Play) -> Verdict | None:
        """Judge a play and carry it out."""
        self.past_boards, self.past_fact = self.boards, None
        if action.left_board is not None or action.called_illegal:
            return self.called_illegal(action)
        if not self.check_dice(action):
            self.carry_out_blindly(action)
            return None
        if action.how is How.UNREAD:
            return self.half_read(action)
        if not action.steps:
            return self.no_steps(action)
        return self.steps(action)

    def check_dice(self, action: Play) -> bool:
        """Whether the throw can be played with; report one that cannot be."""
        dice = action.dice
        if dice is None:
            if action.how is not How.UNREAD:
                self.note("play-without-roll", action)
            return False
        if dice == (0, 0):
            return False
        if not all(1 <= die <= 6 for die in dice):
            self.note("impossible-die", action, dice=dice)
            return False
        if not self.thrown and not self.set_up and dice[0] == dice[1]:
            self.note("opening-double", action, dice=dice)
        return True

    def carry_out_blindly(self, action: Play) -> None:
        """Move the checkers of a play that cannot be judged, its throw being unknown."""
        if action.steps:
            position = self.seen_by(action.side)
            moved = verdict(position, (0, 0), action.steps, self.profile.marks_hits)
            self.boards = as_boards(moved.after, action.side)

    def called_illegal(self, action: Play) -> Verdict | None:
        """A play that the record itself calls illegal; the board it left is given or moved to."""
        self.past_fact = self.note("illegal-play", action, called=True)
        if action.left_board is not None:
            self.boards = action.left_board.boards
        else:
            self.carry_out_blindly(action)
        return None

    def half_read(self, action: Play) -> Verdict | None:
        """A play of which a part cannot be read: legal as far as it is, or any play of the throw."""
        side, position = action.side, self.seen_by(action.side)
        assert action.dice is not None
        if action.steps:
            judged = verdict(position, action.dice, action.steps, self.profile.marks_hits)
            if judged.fault is None:
                self.boards = as_boards(judged.after, side)
                return judged
        hider = self.next_action()
        choice = choose(
            self.boards, hidden_plays(position, side, action.dice), self.ahead(self.index + 1)
        )
        self.boards = choice.reading.boards
        if hider is not None and choice.reading.faults:
            self.unresolved = True
        return None

    def no_steps(self, action: Play) -> Verdict | None:
        """A throw without a play: a dance, a resignation, or a play that was not logged."""
        assert action.dice is not None
        position = self.seen_by(action.side)
        if action.how is not How.UNPLAYED and not can_move(position, action.dice):
            return verdict(position, action.dice, (), self.profile.marks_hits)
        if self.is_last_turn():
            if not self.has_result() and action.how is not How.CANNOT_MOVE:
                self.note("ambiguous-empty", action)
            return None
        if action.how is How.UNPLAYED or (action.how is How.EMPTY and self.profile.writes_dances):
            fact = self.note("unplayed-roll", action, dice=action.dice)
            self.compete_plays(fact, action, position)
            return None
        judged = verdict(position, action.dice, (), self.profile.marks_hits)
        return self.faulty(action, judged, position)

    def steps(self, action: Play) -> Verdict:
        """A play with steps: judge it by the law."""
        assert action.dice is not None
        side, position = action.side, self.seen_by(action.side)
        judged = verdict(position, action.dice, action.steps, self.profile.marks_hits)
        if judged.fault is not None:
            return self.faulty(action, judged, position)
        if judged.unmarked or judged.mismarked or judged.remark:
            self.remarks(action, judged)
        self.boards = as_boards(judged.after, side)
        return judged

    def remarks(self, action: Play, judged: Verdict) -> None:
        """What is odd about the spelling of a legal play."""
        if judged.unmarked and self.profile.marks_hits:
            self.note("missing-hit-mark", action, action.place(judged.unmarked[0]))
        if judged.mismarked:
            self.note("false-hit-mark", action, action.place(judged.mismarked[0]))
        if judged.remark == "blocked-route" or (judged.remark and not self.profile.marks_hits):
            self.note(judged.remark, action)

    # -- faults ----------------------------------------------------------------------------------

    def faulty(self, action: Play, judged: Verdict, position: Position) -> Verdict:
        """An illegal play: report it or count it as a consequence, and choose a reading."""
        fault = judged.fault
        assert fault is not None
        side = action.side
        if fault.name in ("unplayed-die", "false-dance") and self.is_resigning(action):
            self.boards = as_boards(judged.after, side)
            return judged
        if self.is_ghost(action):
            self.note("ghost-row", action)
            return judged
        if self.is_consequence(fault.name):
            self.boards = as_boards(judged.after, side)
            return judged
        fact = self.hit_not_executed(action, position)
        if fact is None:
            span = action.place(fault.step) if fault.step is not None else None
            fact = self.note(fault.name, action, span, fault=fault)
            self.past_fact = fact
        if self.law.after_illegal == "stop":
            self.stopped = True
        elif self.law.after_illegal == "skip":
            return judged
        else:
            self.compete_for_play(fact, action, judged, position)
        return judged

    def is_ghost(self, action: Play) -> bool:
        """Whether the other side's last play stands again here, before a result."""
        return self.is_last_turn() and self.has_result() and self.repeats_winning_play(action)

    def is_consequence(self, fault: str) -> bool:
        """Whether an earlier fault explains this one; if so it is counted there."""
        cause = self.excused.get(self.index) or self.doubt
        if cause is None or fault not in BOARD_FAULTS:
            return False
        self.blame(cause)
        return True

    def is_last_turn(self) -> bool:
        """Whether no other throw or cube action follows in the game."""
        return not any(
            isinstance(later, Play | Double | Answer) for later in self.actions[self.index + 1 :]
        )

    def has_result(self) -> bool:
        return any(isinstance(later, Result | Resignation) for later in self.actions[self.index :])

    def has_result_line(self) -> bool:
        """Whether the game has a result."""
        return any(isinstance(action, Result) for action in self.actions)

    def is_resigning(self, action: Play) -> bool:
        """The loser's last turn before a result: given up after the throw."""
        if not self.is_last_turn() or not self.has_result():
            return False
        winner = next((a.side for a in self.actions[self.index :] if isinstance(a, Result)), None)
        return winner != action.side

    def hit_not_executed(self, action: Play, position: Position) -> Fact | None:
        """Whether the play uses a checker that the other side's last play sent to the bar."""
        past = self.past
        if past is None or past.play.side == action.side or not position.own[BAR]:
            return None
        assert action.dice is not None
        was = past.before[action.side]
        for step in action.steps:
            point = step.path[0]
            if point in (BAR, OFF) or not was[point] or position.own[point]:
                continue
            restored = list(position.own)
            restored[BAR] -= 1
            restored[point] += 1
            undone = position._replace(own=tuple(restored))
            if verdict(undone, action.dice, action.steps, self.profile.marks_hits).fault is None:
                return self.blame_hit(past, point, undone, action.side)
        return None

    def blame_hit(self, past: Past, point: int, undone: Position, side: Side) -> Fact:
        fact = self.note("hit-not-executed", past.play, point=BAR - point)
        assert fact.turn is not None
        fact = self.amend(fact, turn=fact.turn._replace(before=past.before))
        self.boards = as_boards(undone, side)
        return fact

    def ahead(self, start: int) -> Ahead:
        """The plays from index `start` of the actions to the end of the game."""
        following = [
            action
            for at, action in enumerate(self.actions[start:], start)
            if type(action) is Play and at not in self.consumed
        ]
        ends = any(isinstance(a, Result | Resignation) for a in self.actions[start:])
        return Ahead(following, self.profile.marks_hits, ends)

    def compete_for_play(
        self, fact: Fact, action: Play, judged: Verdict, position: Position
    ) -> None:
        """Let the readings of an illegal play compete."""
        side = action.side
        recorded = as_boards(judged.after, side)
        if fact.rule == "hit-not-executed":
            again = verdict(self.seen_by(side), action.dice or (0, 0), action.steps)
            self.boards = as_boards(again.after, side)
            self.amend(fact, reading=NOT_HIT)
            self.amended = True
            return
        self.compete(fact, recorded, self.candidates(action, judged, position))

    def candidates(self, action: Play, judged: Verdict, position: Position) -> Iterator[Candidate]:
        """Other boards that an illegal play may have left."""
        side, fault = action.side, judged.fault
        assert action.dice is not None and fault is not None
        exchanged = self.exchanged_row(action)
        if exchanged is not None:
            yield exchanged
        if fault.name == "empty-point" and fault.point is not None:
            yield from misplaced_checker(
                position, side, action, fault.point, self.profile.marks_hits
            )
        yield from other_plays(position, side, action, judged.after)
        yield Candidate(SKIPPED, self.boards)

    def exchanged_row(self, action: Play) -> Candidate | None:
        """The row's two cells in each other's columns: a reading of both at once."""
        row = [
            (at, a)
            for at, a in enumerate(self.actions)
            if type(a) is Play and a.span.line == action.span.line
        ]
        if len(row) != 2 or self.row_start is None or row[0][1].side == row[1][1].side:
            return None
        boards = self.row_start[1]
        for side, (_, play) in zip((0, 1), reversed(row), strict=True):
            if play.dice is None:
                return None
            position = Position(boards[side], boards[1 - side])
            judged = verdict(position, play.dice, play.steps, self.profile.marks_hits)
            if judged.fault is not None:
                return None
            boards = as_boards(judged.after, side)
        return Candidate(EXCHANGED, boards, consumed=sum(at > self.index for at, _ in row))

    def compete_plays(self, fact: Fact, action: Play, position: Position) -> None:
        """Let the plays of a throw compete whose own play is not recorded."""
        side = action.side
        self.compete(fact, self.boards, other_plays(position, side, action, position))

    def compete(self, fact: Fact, recorded: Boards, others: Iterator[Candidate]) -> None:
        """Take the reading after which the rest of the game replays best."""
        self.competitions += 1
        if self.competitions > MOST_COMPETITIONS:
            self.boards = recorded
            self.doubt = fact
            return
        choice = choose(recorded, others, self.ahead(self.index + 1))
        self.take(fact, recorded, choice, self.index + 1)

    def take(self, fact: Fact, recorded: Boards, choice: Choice, start: int) -> None:
        """Go on from the reading chosen; `start` is where the plays it was tried on begin."""
        reading = choice.reading
        self.boards = reading.boards
        plays = [
            at
            for at, action in enumerate(self.actions[start:], start)
            if type(action) is Play and at not in self.consumed
        ]
        self.consumed.update(plays[: reading.consumed])
        fact = self.amend(
            fact,
            reading=reading.name,
            consequences=choice.spared,
        )
        self.amended = self.amended or reading.name != AS_RECORDED
        if len(reading.faults) >= TOO_MANY_FAULTS:
            self.doubt = fact
        for index in choice.excused:
            self.excused[plays[index]] = fact
        del recorded

    # -- the cube --------------------------------------------------------------------------------

    def double(self, action: Double) -> None:
        """An offer of the cube, or a further turn of it."""
        if action.kind != "double":
            self.beaver(action)
            return
        if self.cube.is_open:
            self.note("double-out-of-turn", action, why="the offer before is not answered yet")
            return
        in_turn = self.check_turn_to_double(action)
        self.check_right_to_double(action)
        self.offer(action)
        if in_turn and self.past is not None:
            self.second_play_done = self.second_play_done

    def check_turn_to_double(self, action: Double) -> bool:
        if self.to_act is None or self.to_act == action.side:
            if not self.thrown and not self.set_up:
                self.note("opening-cube", action)
            return True
        before = self.actions[self.index - 1]
        if self.shares_cell(before, action) or self.past is None:
            self.note("double-out-of-turn", action, why="the throw of this turn is already made")
            return False
        self.check_order(action)
        return False

    def check_right_to_double(self, action: Double) -> None:
        """Whose cube it is, whether there is one, and whether it may be turned at this score."""
        context, side = self.context, action.side
        if not context.cube_in_play:
            self.note("no-cube-game", action)
        elif context.crawford:
            self.note("crawford-double", action, known=context.crawford_known)
        elif not self.cube.may_double(side):
            if not self.adopt(lambda cube: cube.may_double(side), action):
                self.note("not-owner", action, value=self.cube.value)
        elif is_dead(self.cube.value, context.length or 0, context.score[side]):
            self.note("dead-cube", action, value=self.cube.value)

    def adopt(self, fits: Any, action: Double) -> bool:
        """Switch to another state of the cube that an earlier fault left possible."""
        for cube in self.cubes:
            if fits(cube) and (action.value is None or action.value == 2 * cube.value):
                self.cube = cube
                return True
        return False

    def offer(self, action: Double) -> None:
        cube, value = self.cube, action.value
        if value is not None and value != 2 * cube.value:
            if not self.adopt(lambda known: known.may_double(action.side), action):
                self.note("wrong-value", action, value=value, expected=2 * cube.value)
                self.cubes.append(Cube(value // 2 or 1, cube.owner))
                self.cubes.append(Cube(value, other_side(action.side)))
            cube = self.cube
        if self.context.cube_limit and 2 * cube.value > self.context.cube_limit:
            self.note("cube-limit", action, limit=self.context.cube_limit)
        self.cube = cube.doubled(action.side)
        self.to_act = other_side(action.side)

    def beaver(self, action: Double) -> None:
        """The doubled side turns the cube again at once, and keeps it."""
        cube = self.cube
        if not cube.is_open or cube.offered_by == action.side:
            self.note("double-out-of-turn", action, why="there is no offer to answer with it")
            return
        if not self.context.beavers:
            self.note("beaver-not-allowed", action, kind=action.kind)
        if action.value is not None and action.value != 2 * cube.offer:
            self.note("wrong-value", action, value=action.value, expected=2 * cube.offer)
        self.cube = cube.beavered(action.side)
        self.to_act = other_side(action.side)

    def answer(self, action: Answer) -> None:
        """A take or a drop."""
        cube = self.cube
        if not cube.is_open or cube.offered_by == action.side:
            self.note("answer-without-double", action, taken=action.taken)
            if not cube.is_open:
                self.cubes.append(Cube(2 * cube.value, action.side))
                self.to_act = None
            return
        if action.taken:
            self.cube = cube.taken()
            self.to_act = self.doubler(action)
        else:
            assert cube.offered_by is not None
            self.end("drop", cube.offered_by, cube.refused)

    def doubler(self, action: Answer) -> Side:
        """Whose throw comes after a take: the side whose turn it was."""
        keeper = self.cube.owner
        return other_side(keeper) if keeper is not None else other_side(action.side)

    # -- the end ---------------------------------------------------------------------------------

    def resign(self, action: Resignation) -> None:
        """A game given up; what it costs is what the record says."""
        self.resigned_points = action.points
        self.end(action.manner, other_side(action.side), None)

    def result_line(self, action: Result) -> None:
        """`Wins`: kept for the account of the game; the first one counts."""
        if self.result is None:
            self.result = action


SET_UP_FAULTS = {"wrong-set-up", "checker-count", "shared-point", "variant-mismatch"}


def difference(expected: Boards, found: Boards) -> str:
    """Say where the boards differ, by the owner's points."""
    parts = []
    for name, one, two in zip(("{left}", "{right}"), expected, found, strict=True):
        points = [point for point in range(1, 26) if one[point] != two[point]]
        if points:
            where = ", ".join(
                f"{two[point]} on {'bar' if point == BAR else point}" for point in points
            )
            parts.append(f"{name} has {where}")
    return "; ".join(parts) or "the checkers borne off"


def _place(span: Span) -> str:
    return f"{span.line}:{span.column}"
