"""A game under way: everything that may change within it, and the operations that change it.

The other modules of this folder carry out actions: they read the state of a `Table`, and change it
by calling its operations and those of its parts. Nothing that changes is compared or shown: to be
able to takes a hundredth of the start of a check.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.board.plays import Legality
from bganalyze.board.position import Position
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Play,
    Profile,
    Resignation,
    Result,
    Side,
    Span,
    other_side,
)
from bganalyze.validation.replaying.facts import (
    Boards,
    Context,
    Contradiction,
    EndKind,
    Fact,
    Stretch,
    Turn,
    Turns,
    as_boards,
    is_shut_out,
    seen_by,
)
from bganalyze.validation.replaying.readings import BUDGET, CLEAN_STRETCH
from bganalyze.validation.replaying.standing import MOVEMENT, is_roll

LEAD_ASTRAY = MOVEMENT | {"turn-order", "unreadable-text", "unplayed-roll", "play-without-roll"}
"""Facts after which the board replayed may not be the one played on."""


@dataclass(slots=True, eq=False)
class Noted:
    """A fact found in the game: what is learned of it later is seen wherever it is kept."""

    fact: Fact
    contradictions: dict[Contradiction, None] = field(default_factory=dict)
    """Actions that do not fit the fact as it is recorded, each once."""

    @property
    def whole(self) -> Fact:
        """The fact with all that contradicts it."""
        if not self.contradictions:
            return self.fact
        return self.fact._replace(contradictions=(*self.fact.contradictions, *self.contradictions))

    def amend(self, **changes: Any) -> None:
        """Replace the fact by one that knows more."""
        self.fact = self.fact._replace(**changes)

    def blame(self, action: Action, rule: str) -> None:
        """Count one more consequence of the fact: `action`, which breaks `rule`."""
        self.amend(consequences=(self.fact.consequences or 0) + 1)
        self.contradict([Contradiction(action.span, rule)])

    def contradict(self, contradictions: Iterable[Contradiction]) -> None:
        """Keep actions that do not fit the fact as it is recorded, each once."""
        self.contradictions.update(dict.fromkeys(contradictions))


class LastPlay(NamedTuple):
    """The last play made, the boards before it, and the error of movement found in it."""

    play: Play
    before: Boards | None
    """None of a usual play: they are known with its turn."""
    fault: Noted | None


VALUE, OWNER, OFFER, ANSWER, BEAVER = "value", "owner", "offer", "answer", "beaver"
"""What about the cube may be unsure: `ANSWER` that an offer declared void is answered late,
`BEAVER` whether this offer may be turned again."""


@dataclass(slots=True, eq=False, repr=False)
class CubeState:
    """The cube, and what about it is a guess after a fault with it."""

    now: Cube
    fault: Noted | None = None
    """The last fault with the cube on which others may be counted."""
    unsure: set[str] = field(default_factory=set)
    """What about the cube is a guess since then."""
    late_doubler: Side | None = None
    """Who doubled after the roll and its play: after the take the other side rolls."""

    def put(self, cube: Cube) -> None:
        """Take the cube to be another than it was."""
        self.now = cube

    def offer(self, side: Side) -> None:
        """Let `side` double."""
        self.now = self.now.doubled(side)

    def beaver(self, side: Side) -> None:
        """Let the doubled side turn the cube again."""
        self.now = self.now.beavered(side)

    def take(self) -> None:
        """Accept the offer; who owns the cube is sure then, unless the offer itself is not."""
        self.now, self.late_doubler = self.now.taken(), None
        if OFFER not in self.unsure:
            self.settle(OWNER)
        self.settle(OFFER)

    def withdraw(self) -> None:
        """Go on as if the open offer, if there is one, had not been made."""
        self.now, self.late_doubler = self.now.withdrawn(), None

    def double_late(self, side: Side) -> None:
        """Note that `side` doubles after its roll and play."""
        self.late_doubler = side

    def fault_behind(self, doubtful: str | None) -> Noted | None:
        """Return the earlier fault that left `doubtful` unsure, if one did."""
        return self.fault if doubtful in self.unsure else None

    def keep(self, fault: Noted) -> None:
        """Keep a fault to count others on, unless an earlier one has left something unsure."""
        if self.fault is None or not self.unsure:
            self.fault = fault

    def guess_after(self, fault: Noted, *doubtful: str) -> None:
        """Count later faults on this one; from here on `doubtful` is a guess."""
        self.fault = fault
        self.guess(*doubtful)

    def guess(self, *doubtful: str) -> None:
        """Note that `doubtful` is a guess from here on."""
        self.unsure.update(doubtful)

    def settle(self, doubtful: str) -> None:
        """Note that `doubtful` is no guess any longer."""
        self.unsure.discard(doubtful)


@dataclass(slots=True, eq=False, repr=False)
class Doubt:
    """What is uncertain about the board after a fault, and what the readings taken have settled."""

    cause: Noted | None = None
    """The fault after which no reading resolves the board."""
    lasts: bool = False
    """Whether a lost turn is behind it, of which the play may show much later."""
    clean_plays: int = 0
    """How many plays were legal since the doubt began, or since the last fault in it."""
    is_amended: bool = False
    """Whether a reading other than the record's was taken."""
    is_stopped: bool = False
    """Whether the rule book in use gives up the game after its first illegal play."""
    excused: dict[int, Noted] = field(default_factory=dict)
    """Indexes of actions whose fault another reading of an earlier fact explains."""
    consumed: set[int] = field(default_factory=set)
    """Indexes of plays that a reading has carried out already."""
    budget: int = BUDGET
    """How many plays may still be tried to find readings."""

    def begin(self, cause: Noted, *, lasts: bool) -> None:
        """Doubt the board from here on, because of `cause`."""
        self.cause, self.lasts, self.clean_plays = cause, lasts, 0

    def stop(self, cause: Noted) -> None:
        """Give up the game after its first illegal play."""
        self.cause, self.lasts, self.is_stopped = cause, True, True

    def lift(self) -> None:
        """End the doubt: the record shows the board."""
        self.cause, self.excused = None, {}

    def count_fault(self) -> None:
        """Count the legal plays anew from an illegal one."""
        self.clean_plays = 0

    def count_legal(self) -> None:
        """Count a legal play; after enough of them the board is no longer in doubt."""
        self.clean_plays += 1
        if self.clean_plays >= CLEAN_STRETCH and not self.lasts:
            self.cause = None

    def amend_record(self) -> None:
        """Note that a reading other than the record's was taken."""
        self.is_amended = True

    def cause_at(self, index: int) -> Noted | None:
        """Return the earlier fact on which a fault of the action at `index` is to be counted."""
        return self.excused.get(index) or self.cause

    def excuse(self, indexes: Iterable[int], cause: Noted) -> None:
        """Let faults of the actions at `indexes` be counted on `cause`."""
        self.excused.update(dict.fromkeys(indexes, cause))

    def consume(self, indexes: Iterable[int]) -> None:
        """Note that a reading has carried out the plays at `indexes`."""
        self.consumed.update(indexes)

    def spend(self, tried: int) -> None:
        """Take plays that were tried from the budget."""
        self.budget -= tried


@dataclass(slots=True, eq=False, repr=False)
class GameEnd:
    """How the game was decided, and what the record says of it."""

    kind: EndKind | None = None
    winner: Side | None = None
    loss: int | None = None
    """Points lost by the end that the board or the cube decided."""
    result: Result | None = None
    other_result: Result | None = None
    """A second one."""
    is_implied: bool = False
    """Whether only the result tells that the game was given up."""
    resignation: Resignation | None = None
    """The last one, of a game decided before it too."""
    is_passed: bool = False
    """Whether a roll or a cube action follows the end."""
    doubt: Noted | None = None
    """A pass by the doubler, or the first action after an end that may not have been the end."""

    def decide(self, kind: EndKind, winner: Side, loss: int | None = None) -> None:
        """End the game."""
        self.kind, self.winner, self.loss = kind, winner, loss

    def reopen(self) -> None:
        """Go on with the game: a play that decided it is taken back."""
        self.kind, self.winner, self.loss = None, None, None

    def overrule(self) -> None:
        """Go on with the game, whatever ended it; its result may still be what counts."""
        self.other_result, self.result, self.is_implied = self.result, None, False
        self.reopen()

    def resign(self, resignation: Resignation) -> None:
        """End the game by giving it up, if it is not decided already."""
        self.resignation = resignation
        if self.kind is None:
            self.decide(resignation.manner, other_side(resignation.side))

    def record(self, result: Result) -> None:
        """Take the result over; where nothing decided the game before, the loser has given up."""
        self.result = result
        if self.kind is None:
            self.is_implied = True
            self.decide("resigned", result.side)

    def repeat(self, result: Result) -> None:
        """Keep a second result; if it differs, the next score may follow it."""
        self.other_result = result

    def go_past(self) -> None:
        """Note that the game goes on after its end."""
        self.is_passed = True

    def question(self, fault: Noted) -> None:
        """Keep a fault after which this may not have been the end."""
        self.doubt = fault


@dataclass(slots=True, eq=False, repr=False)
class Opening:
    """How far the game has got from its start, and what is written about that."""

    is_odd: bool = False
    """Whether the game starts from another position than the variant's."""
    is_recorded: bool = False
    """Whether the start of the game is written down."""
    is_rolled: bool = False
    """Whether any roll of the game has been recorded, if only by its play."""
    is_over: bool = False
    """Whether the second play is made: an error of set-up can no longer be corrected."""

    settled: int = 0
    """How many facts there were when a start was last written down."""

    def unsettled(self, facts: list[Noted]) -> list[Noted]:
        """Return the facts noted since a start was last written down."""
        since, self.settled = facts[self.settled :], len(facts)
        return since

    def start_from(self, boards: Boards, usual: Boards) -> None:
        """Take over a recorded start, to be compared with the usual one."""
        self.is_odd = boards != usual

    def record(self) -> None:
        """Note that a board is written down."""
        self.is_recorded = True

    def pass_over(self) -> None:
        """Note that a roll was made that is not written."""
        self.is_rolled = True

    def end(self) -> None:
        """Note that the second play is made."""
        self.is_over = True

    def count(self, play: Play, last: LastPlay | None) -> None:
        """Count a play: a roll was made, and the one after the other side's ends the opening."""
        if not self.is_rolled:
            self.is_rolled = is_roll(play)
        if last is not None and last.play.side != play.side:
            self.is_over = True


@dataclass(slots=True, eq=False, repr=False)
class Table:
    """A game under way: what it is played on, what has been played, and what was found so far."""

    game: Game
    context: Context
    profile: Profile
    rule_book: RuleBook
    boards: Boards
    cube: CubeState
    odd_rows: tuple[int, ...] = ()
    """Lines whose row number is out of order: a row may stand twice there, or be missing."""
    to_act: Side | None = None
    """Whose roll or double is next; None where that is open."""
    index: int = 0
    """Of the action being carried out."""
    last: LastPlay | None = None
    start: tuple[Boards, Cube] = field(init=False)
    """From what the present action starts; a play that corrects another, from what that one did."""
    turns: Turns = field(default_factory=Turns)
    facts: list[Noted] = field(default_factory=list)
    replayed_line: int | None = None
    """The line of the turn last found to be recorded twice."""
    astray: list[Noted] = field(default_factory=list)
    """Those of the facts after which the board may not be the one played on."""
    opening: Opening = field(default_factory=Opening)
    doubt: Doubt = field(default_factory=Doubt)
    end: GameEnd = field(default_factory=GameEnd)
    not_rolled: set[Span] = field(default_factory=set)
    """Places of plays that only repeat another, or follow a pass or a resignation: none closes an
    error."""
    asides: list[Comment | Resignation] = field(default_factory=list)
    """What may tell that the game was not decided on the board."""
    is_exchanged: bool = False
    """Whether the two columns of the game are in each other's place."""

    # -- what stands on the table, and what comes next in the record

    @property
    def is_at_opening(self) -> bool:
        """Whether the game begins here as it should: from its start, and with its first row."""
        if self.opening.is_rolled or self.opening.is_odd:
            return False
        action = self.game.actions[self.index]
        return action.row in (None, "1") or action.span.line not in self.odd_rows

    def seen_by(self, side: Side) -> Position:
        """Return the board from the side of `side`."""
        return seen_by(self.boards, side)

    def is_shut_out(self, side: Side) -> bool:
        """Whether `side` is on the bar against a closed board: there is no roll to record."""
        return is_shut_out(self.boards, side)

    def neighbor(self, distance: int) -> Action | None:
        """Return the action `distance` after the present one, or None."""
        index = self.index + distance
        actions = self.game.actions
        return actions[index] if 0 <= index < len(actions) else None

    def boards_at_line(self, line: int) -> Boards:
        """Return the boards before the first action of `line`, the present one or earlier."""
        boards = self.boards
        for turn in reversed(self.turns):
            if turn.action.span.line != line:
                break
            boards = turn.before
        return boards

    def before_last(self) -> Boards:
        """Return the boards from which the last play was made."""
        assert self.last is not None
        play, before, _ = self.last
        if before is not None:
            return before
        return next(turn.before for turn in reversed(self.turns) if turn.action is play)

    def repeats_last_play(self, action: Play) -> bool:
        """Whether `action` is the other side's last play, written once more."""
        if self.last is None or self.last.play.side == action.side:
            return False
        return (self.last.play.dice, self.last.play.steps) == (action.dice, action.steps)

    def following(self) -> Iterator[Action]:
        """Yield the actions after the present one."""
        actions = self.game.actions
        return (actions[index] for index in range(self.index + 1, len(actions)))

    def is_last_turn(self) -> bool:
        """Whether no other roll or cube action follows in the game."""
        return not any(isinstance(action, Play | Double | Answer) for action in self.following())

    def has_result(self) -> bool:
        """Whether a result or a resignation follows in the game."""
        return any(isinstance(action, Result | Resignation) for action in self.following())

    # -- facts

    def note(self, rule: str, action: Action, span: Span | None = None, **about: Any) -> Noted:
        """Keep a fact established by `action`, with the board before it."""
        verified = self.doubt.cause is None
        turn = Turn(self.context, action, self.boards, self.boards, self.cube.now, None, verified)
        side = getattr(action, "side", None)
        place = span or action.span
        noted = Noted(Fact(rule, place, about, self.context.game, action.row, side, turn))
        self.facts.append(noted)
        if rule in LEAD_ASTRAY:
            self.astray.append(noted)
        if rule == "replayed-turn":
            self.replayed_line = place.line
        return noted

    def led_astray(self) -> Noted | None:
        """Return the last fact after which the board may not be the one played on."""
        return self.astray[-1] if self.astray else None

    def retract(self, fault: Noted) -> None:
        """Take back the fault of the last play."""
        self.facts.remove(fault)
        if self.led_astray() is fault:
            self.astray.pop()
        if self.last is not None:
            self.last = self.last._replace(fault=None)

    def count_on(self, cause: Noted, fault: Noted) -> None:
        """Count a fault, and its consequences, on an earlier one."""
        self.facts.remove(fault)
        consequences = (cause.fact.consequences or 0) + (fault.fact.consequences or 0) + 1
        cause.amend(consequences=consequences)
        cause.contradict([Contradiction(fault.fact.span, fault.fact.rule)])
        cause.contradict(fault.whole.contradictions)

    def precede(self, fact: Fact) -> None:
        """Put a fact about the whole game before the others."""
        self.facts.insert(0, Noted(fact))

    def discount(self, action: Action) -> None:
        """Note that `action` is no roll or double that closes an error."""
        self.not_rolled.add(action.span)

    def remark(self, action: Comment | Resignation) -> None:
        """Keep a comment or a resignation."""
        self.asides.append(action)

    def lay_out(self, fact: Fact) -> None:
        """Put down to `fact` that rows or cells of the game are in another's place."""
        self.facts.append(Noted(fact))
        self.doubt.amend_record()

    def exchange_columns(self, fact: Fact) -> None:
        """Put down to `fact` that the columns of the game are in each other's place."""
        self.lay_out(fact)
        self.is_exchanged = True

    # -- what is carried out

    def begin_turn(self) -> Action:
        """Return the next action, which is to be carried out."""
        self.start = self.boards, self.cube.now
        return self.game.actions[self.index]

    def finish_turn(self, action: Action, legality: Legality | None) -> None:
        """Keep the turn of an action that has been carried out."""
        before, cube = self.start
        verified = self.doubt.cause is None
        self.turns.append(Turn(self.context, action, before, self.boards, cube, legality, verified))
        self.index += 1

    def put(self, boards: Boards) -> None:
        """Put the checkers where they stand on `boards`."""
        self.boards = boards

    def put_seen(self, position: Position, side: Side) -> None:
        """Put the checkers where they stand on a board seen by `side`."""
        self.boards = as_boards(position, side)

    def set_up(self, boards: Boards) -> None:
        """Put the checkers where the record says that they stand, and so end all doubt of them."""
        self.boards, self.last = boards, None
        self.doubt.lift()
        self.opening.record()
        if not self.opening.is_over:
            self.to_act = None

    def give_turn(self, side: Side | None) -> None:
        """Let `side` act next; None leaves it open."""
        self.to_act = side

    def remember(self, play: Play, before: Boards | None, fault: Noted | None) -> None:
        """Keep a play as the last one, and pass the turn."""
        self.opening.count(play, self.last)
        self.last = LastPlay(play, before, fault)
        self.to_act = other_side(play.side)

    def add_usual(self, plays: Sequence[Play], boards: Boards) -> None:
        """Keep usual plays that the sides have made one after the other, and what they leave."""
        if self.last is not None or len(plays) > 1:
            self.opening.end()
        self.turns.extend(Stretch(self.context, self.cube.now, self.boards, plays))
        self.index += len(plays)
        self.remember(plays[-1], None, None)
        self.boards = boards

    def take_back(self) -> None:
        """Undo the last play: the roll is played again."""
        assert self.last is not None
        self.cube.withdraw()
        self.end.reopen()
        self.boards, self.to_act = self.before_last(), self.last.play.side
        self.start = self.boards, self.cube.now


def share_cell(one: Action | None, two: Action | None) -> bool:
    """Whether two actions stand in the same cell."""
    if one is None or two is None or (one.span.line, one.row) != (two.span.line, two.row):
        return False
    return getattr(one, "side", None) == getattr(two, "side", None)


def have_same_roll(one: Play, two: Play) -> bool:
    """Whether two plays are of the same roll, and it is recorded with both."""
    if one.dice is None or two.dice is None:
        return False
    return sorted(one.dice) == sorted(two.dice)
