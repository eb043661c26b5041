"""Games whose header is lost: where play goes on after the end of a game, another game begins.

The readers begin a game at its header. Where that is missing, the rows of two games stand as one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    ReaderNote,
    Resignation,
    Result,
    SetUp,
    Unread,
)
from bganalyze.validation.replaying.facts import Boards
from bganalyze.validation.replaying.faults import ahead_of
from bganalyze.validation.replaying.readings import Hypothesis, replayed
from bganalyze.validation.replaying.trial import Sides, boards_on, carry_out, on_lists

FIRST_ROW = "1"
TURNS = (Play, Double, Answer, SetUp)

FEWEST_PLAYS = 3
"""Fewer plays do not show from which board they were made."""

PLAYS_TRIED = 8
"""So many plays show it."""

MOST_ACTIONS = 2 * PLAYS_TRIED
"""They are looked for among so many actions: however long a game is, that takes no longer."""

MOST_ILLEGAL = 4
"""One illegal play in this many is a slip; more belong to another board."""


def with_games_parted(match: Match, start: Boards) -> Match:
    """Return `match` with every game its own, those included whose header is lost.

    `start` is where the checkers of a game stand at first. A game without a header has neither
    number nor score line.
    """
    anew = {odd.game for odd in match.oddities if odd.text == FIRST_ROW}
    games: list[Game] = []
    counted: list[int] = []
    for number, game in enumerate(match.games, start=1):
        counted.append(len(games))
        if number in anew or _goes_past_an_end(game.actions):
            games += _parted(game, start, marks_hits=match.profile.marks_hits)
        else:
            games.append(game)
    if len(games) == len(match.games):
        return match
    oddities = _placed(match.oddities, games, counted)
    return match._replace(games=tuple(games), oddities=tuple(oddities))


def _goes_past_an_end(actions: Sequence[Action]) -> bool:
    """Whether a play stands after an end."""
    last = next((n for n in range(len(actions) - 1, -1, -1) if type(actions[n]) is Play), 0)
    # Asked of every game, so in few steps of Python: to ask it of each action takes 5 % of a replay.
    return any(map(_ends, [action for action in actions[:last] if type(action) is not Play]))


def _parted(game: Game, start: Boards, *, marks_hits: bool) -> Iterator[Game]:
    """Yield the games that stand in one, in their order."""
    beginnings = list(_beginnings(game.actions, start, marks_hits=marks_hits))
    if not beginnings:
        yield game
        return
    first, last = beginnings[0], len(game.actions)
    # In a format of nodes the result stands above the plays, and is read after them.
    place = game.actions[first].span
    stated = tuple(action for action in game.actions[first:] if action.span < place)
    yield game._replace(actions=game.actions[:first] + stated)
    for begun, end in pairwise([*beginnings, last]):
        actions = (action for action in game.actions[begun:end] if action.span >= place)
        yield Game(game.actions[begun].span, None, None, tuple(actions))


@dataclass(slots=True, eq=False, repr=False)
class _Stretch:
    """The actions since a game began: what of them tells whether it has ended."""

    plays: list[Play] = field(default_factory=list)
    has_result: bool = False
    has_ended: bool = False
    """Whether nothing but remarks follows an end."""
    is_begun: bool = False
    """Whether anything was rolled or doubled: else no pass ends it."""
    row: str | None = None
    sides: Sides | None = None
    """The checkers where the plays have led that were carried out."""
    carried_out: int = 0
    """How many plays these are."""

    def add(self, action: Action) -> None:
        """Add the next action."""
        if type(action) is Play:
            self.plays.append(action)
        if type(action) is Result:
            self.has_result = True
        if type(action) not in (Comment, Unread):
            self.has_ended = _ends(action) and (self.is_begun or type(action) is not Answer)
        if type(action) in (Play, Double):
            self.is_begun = True
        self.row = action.row

    def reached(self, start: Boards, *, marks_hits: bool) -> Boards:
        """Return where the plays have led from the start, each carried out once."""
        sides = self.sides or on_lists(start)
        for play in self.plays[self.carried_out :]:
            carry_out(sides, play, marks_hits=marks_hits)
        self.sides, self.carried_out = sides, len(self.plays)
        return boards_on(sides)

    @property
    def is_long(self) -> bool:
        """Whether so much is played that hardly a play from the start fits the board."""
        return len(self.plays) > PLAYS_TRIED


def _beginnings(actions: Sequence[Action], start: Boards, *, marks_hits: bool) -> Iterator[int]:
    """Yield where games begin after the first: at the first turn after an end, or at row 1."""
    stretch = _Stretch()
    for index, action in enumerate(actions):
        if type(action) in TURNS and (stretch.plays or stretch.has_ended):
            is_first_row = action.row == FIRST_ROW != stretch.row
            if (stretch.has_ended or is_first_row) and _begins_game(
                actions, index, stretch, start, marks_hits
            ):
                yield index
                stretch = _Stretch()
        stretch.add(action)


def _ends(action: Action) -> bool:
    """Whether a game may end with an action: with its result, a pass or a resignation."""
    if type(action) is Answer:
        return not action.taken
    return type(action) is Result or (type(action) is Resignation and not action.declined)


def _begins_game(
    actions: Sequence[Action], index: int, before: _Stretch, start: Boards, marks_hits: bool
) -> bool:
    """Whether a game begins with the action at `index`, after those of another game."""
    first = actions[index]
    is_first_row = first.row == FIRST_ROW
    if is_first_row and before.has_result:
        return True
    if type(first) is SetUp or not (before.is_long or before.has_ended):
        return False
    tail = following(actions, index)
    if not fit(tail, start, marks_hits=marks_hits):
        return False
    if before.has_result or is_first_row:
        return True
    return not fit(tail, before.reached(start, marks_hits=marks_hits), marks_hits=marks_hits)


def following(actions: Sequence[Action], index: int) -> Sequence[Action]:
    """Return the next few actions from `index` on: they show from which board they were played."""
    return actions[index : index + MOST_ACTIONS]


def fit(actions: Sequence[Action], boards: Boards, *, marks_hits: bool) -> bool:
    """Whether the first plays among `actions` go on from `boards`: nearly all are legal."""
    plays = _first_plays(actions)
    illegal = len(_illegal(actions, plays, boards, marks_hits=marks_hits))
    return len(plays) >= FEWEST_PLAYS and illegal * MOST_ILLEGAL <= len(plays)


def _first_plays(actions: Sequence[Action]) -> list[int]:
    plays = (index for index, action in enumerate(actions) if type(action) is Play)
    return list(islice(plays, PLAYS_TRIED))


def _illegal(
    actions: Sequence[Action], plays: Sequence[int], boards: Boards, *, marks_hits: bool
) -> frozenset[int]:
    """Return which of the plays at these indexes are illegal from `boards` on."""
    ahead = ahead_of(actions, plays, marks_hits)
    reading = replayed(Hypothesis("played from here", boards), ahead, len(plays))
    return frozenset(reading.faults)


def _placed(
    oddities: Sequence[ReaderNote], games: Sequence[Game], counted: Sequence[int]
) -> Iterator[ReaderNote]:
    """Yield what the reader noticed, in the games as parted.

    `counted` is for each game of the record how many games are before it. That the rows are
    numbered anew is as it should be where a game begins.
    """
    lines = [game.span.line for game in games]
    for odd in oddities:
        if odd.game is None:
            yield odd
            continue
        first = counted[odd.game - 1]
        last = counted[odd.game] if odd.game < len(counted) else len(games)
        number = bisect_right(lines, odd.span.line, first + 1, last) - 1
        is_beginning = number > first and lines[number] == odd.span.line
        if not (is_beginning and odd.rule == "row-number"):
            yield odd._replace(game=number + 1)
