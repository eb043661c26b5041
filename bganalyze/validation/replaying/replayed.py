"""Results of a replay: turns, endings, and the problems that rules put into words."""

# Annotations are values here, not text: see `record/model.py`.

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any, Literal, NamedTuple, Self, overload

from bganalyze.board.cube import Cube
from bganalyze.board.ids import Situation
from bganalyze.board.movement import Dice, try_plain_play
from bganalyze.board.plays import LEGAL, Legality
from bganalyze.board.position import BAR, Points, Position
from bganalyze.record.model import LEFT, Action, Double, Game, Play, Side, Span
from bganalyze.validation.findings import Standing

Boards = tuple[Points, Points]
"""Left's and right's checkers, each in its own numbering."""


def as_boards(position: Position, side: Side) -> Boards:
    """Return the checkers of left and of right in a position that is seen by `side`."""
    return (position.own, position.other) if side == 0 else (position.other, position.own)


def seen_by(boards: Boards, side: Side) -> Position:
    """Return `boards`, the checkers of left and of right, as the position that `side` sees."""
    return Position(boards[side], boards[1 - side])


def is_shut_out(boards: Sequence[Sequence[int]], side: Side) -> bool:
    """Whether `side` need not roll, because it is on the bar against a closed board."""
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
    "replayed",
    "unknown",
]

RULED = "ruled"
"""Detail of an error that a director's ruling corrected: the place of the ruling."""


class TermsOfPlay(NamedTuple):
    """Terms of play that hold for every game of a match: length, rules, variant."""

    length: int | None
    """Points to win; 0 for money games, None if the record does not state it."""
    crawford: bool
    """Whether the Crawford rule is in use."""
    jacoby: bool | None
    """Whether gammons need a turned cube; None if the record of a money game does not state it."""
    beavers: bool
    """Whether beavers are allowed."""
    auto_doubles: bool
    """Whether equal dice at the start of a game double the cube."""
    cube_limit: int | None
    """The highest cube value; None without a limit, 1 without a cube."""
    variant: str
    declared_position: bool
    """Whether the header declares that the record starts from a position."""

    @property
    def is_money(self) -> bool:
        """Whether games are played for points alone, without a match length."""
        return self.length == 0

    @property
    def cube_in_play(self) -> bool:
        """Whether the games are played with a cube."""
        return self.cube_limit != 1


class Context(NamedTuple):
    """The state of a match before a game."""

    game: int
    """Number of the game, counted from 1."""
    terms: TermsOfPlay
    score: tuple[int, int]
    crawford: bool
    """Whether this is the Crawford game."""
    crawford_known: bool
    """Whether `crawford` is certain. Not if the Crawford game may have been played before the
    record starts."""
    cube: int
    """The cube value at the start; more than 1 after automatic doubles."""


class Turn(NamedTuple):
    """One action, with the boards before and after it."""

    context: Context
    action: Action
    before: Boards
    """Boards before the action. If the action corrects a play, the boards before that play."""
    after: Boards
    cube: Cube
    """The cube before the action."""
    legality: Legality | None
    """The legality of a play; None for other actions and unchecked plays."""
    verified: bool = True
    """Whether the board is certain. Not after an error that no reading of the file resolves."""

    def position(self, side: Side) -> Position:
        """Return the board before the action, seen by `side`."""
        return Position(self.before[side], self.before[1 - side])

    def situation(self, side: Side, dice: Dice | None) -> Situation:
        """Return the situation before the action: board, cube, score, match length and `dice`.

        With `dice`, an unanswered double is left out.
        """
        return Situation(
            position=self.position(side),
            on_roll=side,
            dice=dice,
            cube_value=self.cube.value,
            cube_owner=self.cube.owner,
            offered=self.cube.is_open and dice is None,
            scores=self.context.score,
            length=self.context.terms.length or 0,
            crawford=self.context.crawford,
            jacoby=bool(self.context.terms.jacoby),
            beavers=self.context.terms.beavers,
            cube_limit=self.context.terms.cube_limit or 1024,
        )


# Nine plays in ten are usual: in turn, straight, and with nothing to report. Their turns are made
# only on demand. A check of a match without errors needs no turns, so it takes 6 % less time.


def boards_after(boards: Boards, play: Play) -> Boards:
    """Return the boards after a legal play, which must be one that `try_plain_play` accepts."""
    if not play.steps:
        return boards
    own, other = boards if play.side == LEFT else boards[::-1]
    assert play.dice is not None
    played = try_plain_play(own, other, play.dice, play.steps)
    assert played is not None
    return played[:2] if play.side == LEFT else played[1::-1]


class UsualPlays(NamedTuple):
    """Successive plays that a quick check found legal. They become `Turn` objects when needed."""

    context: Context
    cube: Cube
    before: Boards
    plays: Sequence[Play]

    def turns(self) -> Iterator[Turn]:
        """Yield a `Turn` for each play, with the boards before and after it."""
        boards = pairwise(accumulate(self.plays, boards_after, initial=self.before))
        for play, (before, after) in zip(self.plays, boards, strict=True):
            yield Turn(self.context, play, before, after, self.cube, LEGAL)


class Turns(Sequence[Turn]):
    """The turns of a game. `UsualPlays` become `Turn` objects once any turn is read."""

    __slots__ = ("_count", "_made", "_unmade")

    def __init__(self) -> None:
        """Start with no turns."""
        self._made: list[Turn] = []
        self._unmade: list[Turn | UsualPlays] = []
        self._count = 0

    def append(self, turn: Turn) -> None:
        """Add a turn."""
        self._unmade.append(turn)
        self._count += 1

    def extend(self, plays: UsualPlays) -> None:
        """Add successive plays that a quick check found legal."""
        self._unmade.append(plays)
        self._count += len(plays.plays)

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Turn: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Turn]: ...

    def __getitem__(self, index: int | slice) -> Turn | Sequence[Turn]:
        return self._make_all()[index]

    def __iter__(self) -> Iterator[Turn]:
        return iter(self._make_all())

    def __reversed__(self) -> Iterator[Turn]:
        return reversed(self._make_all())

    def __eq__(self, other: object) -> bool:
        return self._make_all() == other._make_all() if isinstance(other, Turns) else NotImplemented

    def __hash__(self) -> int:
        return hash((*self._make_all(),))

    def __repr__(self) -> str:
        return repr(self._make_all())

    def actions(self) -> Iterator[Action]:
        """Yield the actions of the game, without making `Turn` objects."""
        yield from (turn.action for turn in self._made)
        for part in self._unmade:
            yield from part.plays if isinstance(part, UsualPlays) else (part.action,)

    def _make_all(self) -> list[Turn]:
        """Return all turns, making the `Turn` objects that do not exist yet."""
        for part in self._unmade:
            self._made += part.turns() if isinstance(part, UsualPlays) else (part,)
        self._unmade.clear()
        return self._made


class Contradiction(NamedTuple):
    """An action that does not fit an error as recorded, and the rule it would break."""

    span: Span
    rule: str


class MatchProblem(NamedTuple):
    """An error or a remark that a replay noted. A check puts it into words."""

    rule: str
    """The name of the rule."""
    span: Span
    """The place in the file."""
    about: Mapping[str, Any]
    """Details for the message."""
    game: int | None = None
    row: str | None = None
    side: Side | None = None
    turn: Turn | None = None
    """The turn in which the error was made."""
    standing: Standing | None = None
    """Whether the error can still be corrected, was corrected or stands; None if that does not
    apply."""
    closed_by: str | None = None
    """The place (`line:column`) of the action that made correction too late."""
    reading: str | None = None
    """The reading of the text with which the replay went on, in words."""
    consequences: int | None = None
    """Number of later errors that are consequences of this one and have no problems of their own."""
    contradictions: tuple[Contradiction, ...] = ()
    """Actions that do not fit this error as recorded, in the order of the match."""

    def with_consequences(self, others: Iterable[Self]) -> Self:
        """Return this error with `others`, and their consequences, counted as its consequences."""
        count, contradictions = self.consequences or 0, list(self.contradictions)
        for other in others:
            count += 1 + (other.consequences or 0)
            contradictions += (Contradiction(other.span, other.rule), *other.contradictions)
        return self._replace(consequences=count or None, contradictions=tuple(contradictions))


def count_with_consequences(problems: Iterable[MatchProblem]) -> int:
    """Return the number of problems plus the number of their consequences."""
    return sum(1 + (problem.consequences or 0) for problem in problems)


class Ending(NamedTuple):
    """End of a game, with its points in three forms, as far as this game alone shows it.

    `outcomes.py` also uses the other games to settle a result.
    """

    kind: EndKind
    winner: Side | None
    """The winner by the result line, or else as the game was decided."""
    recorded: int | None
    """The points that the file states; None if it states none."""
    on_board: int | None
    """The points by board and cube; None if unknown."""
    counting: int | None
    """The points by which the winner's score grows; None if unknown."""
    decided_for: Side | None = None
    """The winner by the board, the cube or a resignation; None if only the result line names one or
    the board is in doubt."""


class GameReplay(NamedTuple):
    """A replayed game: its turns, its end and its problems (errors and remarks)."""

    game: Game
    context: Context
    turns: Turns
    ending: Ending
    problems: tuple[MatchProblem, ...]
    not_rolled: frozenset[Span] = frozenset()
    """Places of plays that repeat another play, or follow a pass or a resignation. They close no
    error."""
    cube: Cube = Cube()
    """The cube at the end; a passed offer is still open."""
    given: tuple[int, int] = (0, 0)
    """Points that a director gave each side after this game began and before the next one did."""

    @property
    def is_likely_crawford(self) -> bool:
        """Whether this is the Crawford game by the score; if that is unsure, nobody doubled."""
        doubled = any(isinstance(action, Double) for action in self.game.actions)
        return self.context.crawford and (self.context.crawford_known or not doubled)

    def corrected(self) -> frozenset[Span]:
        """Return the places of erroneous actions that a player or a director corrected."""
        return frozenset(
            problem.turn.action.span
            for problem in self.problems
            if problem.standing is Standing.CORRECTED and problem.turn is not None
        )

    def corrected_by_ruling(self) -> frozenset[Span]:
        """Return the places of erroneous actions that a director corrected."""
        return frozenset(
            problem.turn.action.span
            for problem in self.problems
            if problem.closed_by is not None
            and problem.closed_by == problem.about.get(RULED)
            and problem.turn is not None
        )
