"""What a replay establishes: turns, endings, and the facts that rules put into words."""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, Self, overload

from bganalyze.board.cube import Cube
from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, played_straight
from bganalyze.board.plays import LEGAL, Legality
from bganalyze.board.position import BAR, Points, Position
from bganalyze.record.model import LEFT, Action, Game, Play, Side, Span
from bganalyze.validation.findings import Standing

Boards = tuple[Points, Points]
"""Left's and right's checkers, each in its own numbering."""


def as_boards(position: Position, side: Side) -> Boards:
    """Return the position seen by `side` as left's and right's boards."""
    return (position.own, position.other) if side == 0 else (position.other, position.own)


def seen_by(boards: Boards, side: Side) -> Position:
    """Return left's and right's boards as `side` sees them."""
    return Position(boards[side], boards[1 - side])


def is_shut_out(boards: Sequence[Sequence[int]], side: Side) -> bool:
    """Whether `side` is on the bar against a closed board: there is no roll to record."""
    other = boards[1 - side]
    return boards[side][BAR] > 0 and all(other[point] > 1 for point in range(1, 7))


EndKind = Literal[
    "borne-off",
    "pass",
    "resigned",
    "resigned-match",
    "forfeit",
    "time",
    "adjudicated",
    "abandoned",
    "unknown",
]


class Terms(NamedTuple):
    """What the header and the rule book say of every game of a match."""

    length: int | None
    """0 for money games, None where the record does not say."""
    crawford: bool
    """Whether the Crawford rule is in use."""
    jacoby: bool | None
    """None where the record of a money game does not say."""
    beavers: bool
    auto_doubles: bool
    cube_limit: int | None
    variant: str
    declared_position: bool
    """Whether the record itself says that it starts from a position."""

    @property
    def is_money(self) -> bool:
        """Whether games are played for points alone."""
        return self.length == 0

    @property
    def cube_in_play(self) -> bool:
        """Whether the games are played with a cube."""
        return self.cube_limit != 1


class Context(NamedTuple):
    """What is known before a game starts."""

    game: int
    """1-based, counted."""
    terms: Terms
    score: tuple[int, int]
    crawford: bool
    """Whether this is the Crawford game."""
    crawford_known: bool
    """False where the record starts so late that the Crawford game may be over."""
    cube: int
    """The starting value: more than 1 after automatic doubles."""


class Turn(NamedTuple):
    """One action in its place on the board."""

    context: Context
    action: Action
    before: Boards
    """For a play that corrects another: the board from which that one was made."""
    after: Boards
    cube: Cube
    """Before the action."""
    legality: Legality | None
    """Of a play; None where it could not be checked."""
    verified: bool = True
    """False where the board is in doubt: after a fault that no reading resolves."""

    def position(self, side: Side) -> Position:
        """The board before the action, seen by `side`."""
        return Position(self.before[side], self.before[1 - side])

    def situation(self, side: Side, dice: Dice | None) -> Situation:
        """What an identifier says of the board before the action, seen by `side`."""
        return Situation(
            position=self.position(side),
            on_roll=side,
            dice=dice,
            cube_value=self.cube.value,
            cube_owner=self.cube.owner,
            offered=self.cube.is_open,
            scores=self.context.score,
            length=self.context.terms.length or 0,
            crawford=self.context.crawford,
            jacoby=bool(self.context.terms.jacoby),
            beavers=self.context.terms.beavers,
            cube_limit=self.context.terms.cube_limit or 1024,
        )


# Nine plays of ten are usual: in turn, straight, and with nothing to report. Their turns are made when
# somebody asks for them. A check of a match without errors does not, and so takes 6 % less.


def boards_after(boards: Boards, play: Play) -> Boards:
    """Return the boards that a usual play leaves."""
    if not play.steps:
        return boards
    own, other = boards if play.side == LEFT else boards[::-1]
    assert play.dice is not None
    played = played_straight(own, other, play.dice, play.steps)
    assert played is not None
    return played[:2] if play.side == LEFT else played[1::-1]


class Stretch(NamedTuple):
    """Usual plays made one after the other, with nothing between them."""

    context: Context
    cube: Cube
    before: Boards
    plays: Sequence[Play]

    def turns(self) -> Iterator[Turn]:
        """Yield the turns in which the plays were made."""
        boards = pairwise(accumulate(self.plays, boards_after, initial=self.before))
        for play, (before, after) in zip(self.plays, boards, strict=True):
            yield Turn(self.context, play, before, after, self.cube, LEGAL)


class Turns(Sequence[Turn]):
    """The turns of a game; those of usual plays are made when any turn is asked for."""

    __slots__ = ("_count", "_made", "_unmade")

    def __init__(self) -> None:
        """Begin without a turn."""
        self._made: list[Turn] = []
        self._unmade: list[Turn | Stretch] = []
        self._count = 0

    def append(self, turn: Turn) -> None:
        """Add a turn."""
        self._unmade.append(turn)
        self._count += 1

    def extend(self, stretch: Stretch) -> None:
        """Add the turns of usual plays."""
        self._unmade.append(stretch)
        self._count += len(stretch.plays)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Turn: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Turn]: ...

    def __getitem__(self, index: int | slice) -> Turn | Sequence[Turn]:
        return self._all()[index]

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._all())

    def __reversed__(self) -> Iterator[Turn]:
        return reversed(self._all())

    def __eq__(self, other: object) -> bool:
        return self._all() == other._all() if isinstance(other, Turns) else NotImplemented

    def __hash__(self) -> int:
        return hash((*self._all(),))

    def __repr__(self) -> str:
        return repr(self._all())

    def actions(self) -> Iterator[Action]:
        """Yield the actions of the turns, without making any."""
        yield from (turn.action for turn in self._made)
        for part in self._unmade:
            yield from part.plays if isinstance(part, Stretch) else (part.action,)

    def _all(self) -> list[Turn]:
        for part in self._unmade:
            self._made += part.turns() if isinstance(part, Stretch) else (part,)
        self._unmade.clear()
        return self._made


class Contradiction(NamedTuple):
    """An action that does not fit a fault as it is recorded, and the rule that it would break."""

    span: Span
    rule: str


class Fact(NamedTuple):
    """Something established about the record. `rule` names the rule that puts it into words."""

    rule: str
    span: Span
    about: Mapping[str, Any]
    game: int | None = None
    row: str | None = None
    side: Side | None = None
    turn: Turn | None = None
    standing: Standing | None = None
    closed_by: str | None = None
    reading: str | None = None
    consequences: int | None = None
    contradictions: tuple[Contradiction, ...] = ()
    """Actions that do not fit this fault as it is recorded, in the order of the match."""

    def with_consequences(self, others: Iterable[Self]) -> Self:
        """Return the fact with others counted on it, and what follows from them."""
        count, contradictions = self.consequences or 0, list(self.contradictions)
        for other in others:
            count += 1 + (other.consequences or 0)
            contradictions += (Contradiction(other.span, other.rule), *other.contradictions)
        return self._replace(consequences=count or None, contradictions=tuple(contradictions))


def count_of(faults: Iterable[Fact]) -> int:
    """Count faults, with those that were counted as their consequences."""
    return sum(1 + (fact.consequences or 0) for fact in faults)


class Ending(NamedTuple):
    """How a game ended, with its points in three forms.

    `recorded` is what the record says, `on_board` what board and cube give, `counting` what the
    winner's score gains. None where the record or the board does not tell. What is known of the
    result once the other games are taken into account is in `outcomes.py`.
    """

    kind: EndKind
    winner: Side | None
    """As the result line has it, else as the game was decided."""
    recorded: int | None
    on_board: int | None
    counting: int | None
    decided_for: Side | None = None
    """Who won by the board, the cube or a resignation; None where only the result line tells, or
    where the board is in doubt."""


class GameReplay(NamedTuple):
    """A replayed game: its turns, its end and the facts found on the way."""

    game: Game
    context: Context
    turns: Turns
    ending: Ending
    facts: tuple[Fact, ...]
    not_rolled: frozenset[Span] = frozenset()
    """Places of plays that only repeat another, or follow a pass or a resignation: none closes an
    error."""
    cube: Cube = Cube()
    """At the end; a passed offer is still open."""

    def corrected(self) -> frozenset[Span]:
        """Return the places of faulty actions that were corrected in time."""
        return frozenset(
            fact.turn.action.span
            for fact in self.facts
            if fact.standing is Standing.CORRECTED and fact.turn is not None
        )
