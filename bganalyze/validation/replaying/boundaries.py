"""Games whose header is lost: play that goes on after the end of a game begins a new game.

Readers start a game at its header. If that is missing, two games are read as one.
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
    RulingMade,
    SetUp,
    Unread,
)
from bganalyze.validation.replaying.board_guesses import BoardGuess, try_guess
from bganalyze.validation.replaying.faults import collect_plays
from bganalyze.validation.replaying.replayed import Boards
from bganalyze.validation.replaying.trial import (
    Sides,
    boards_to_lists,
    lists_to_boards,
    play_on_lists,
)

FIRST_ROW = "1"
TURNS = (Play, Double, Answer, SetUp)

FEWEST_PLAYS = 3
"""Minimum plays that show which board they start from."""

PLAYS_TRIED = 8
"""Number of plays tried."""

MOST_ACTIONS = 2 * PLAYS_TRIED
"""Number of actions searched for these plays, so a long game takes no longer."""

MOST_ILLEGAL = 4
"""One illegal play in this many may be a slip; more mean another board."""


def split_games(match: Match, starting_boards: Boards) -> Match:
    """Return a match in which games that a missing header joined are separated."""
    anew = {odd.game for odd in match.oddities if odd.text == FIRST_ROW}
    games: list[Game] = []
    counted: list[int] = []
    for number, game in enumerate(match.games, start=1):
        counted.append(len(games))
        if number in anew or _has_play_after_end(game.actions):
            games += _split_game(game, starting_boards, marks_hits=match.conventions.marks_hits)
        else:
            games.append(game)
    if len(games) == len(match.games):
        return match
    oddities = _renumber_notes(match.oddities, games, counted)
    return match._replace(games=tuple(games), oddities=tuple(oddities))


def _has_play_after_end(actions: Sequence[Action]) -> bool:
    """Whether a play follows an action that ends the game."""
    last = next((n for n in range(len(actions) - 1, -1, -1) if type(actions[n]) is Play), 0)
    # Runs for every game, so kept short: checking each action costs 5 % of a replay.
    return any(
        map(_may_end_game, [action for action in actions[:last] if type(action) is not Play])
    )


def _split_game(game: Game, starting_boards: Boards, *, marks_hits: bool) -> Iterator[Game]:
    """Yield the games in `game`, which contains several if a header between them is missing."""
    beginnings = list(_find_later_beginnings(game.actions, starting_boards, marks_hits=marks_hits))
    if not beginnings:
        yield game
        return
    first, last = beginnings[0], len(game.actions)
    # In formats made of nodes, the result is above the plays but is read after them.
    place = game.actions[first].span
    stated = tuple(action for action in game.actions[first:] if action.span < place)
    yield game._replace(actions=game.actions[:first] + stated)
    for begun, end in pairwise([*beginnings, last]):
        actions = (action for action in game.actions[begun:end] if action.span >= place)
        yield Game(game.actions[begun].span, None, None, tuple(actions))


@dataclass(slots=True, eq=False, repr=False)
class _GameSoFar:
    """The actions of a game read so far. They tell whether the game has ended."""

    plays: list[Play] = field(default_factory=list)
    has_result: bool = False
    has_ended: bool = False
    """Whether the last action ended the game, comments aside."""
    is_begun: bool = False
    """Whether there was a roll or a double; without one, a pass ends nothing."""
    row: str | None = None
    sides: Sides | None = None
    """The checkers after the plays carried out so far."""
    carried_out: int = 0
    """Number of plays carried out so far."""

    def add(self, action: Action) -> None:
        """Add the next action, and note whether it ends the game."""
        if type(action) is Play:
            self.plays.append(action)
        if type(action) is Result:
            self.has_result = True
        if not isinstance(action, Comment | Unread | RulingMade):
            self.has_ended = _may_end_game(action) and (self.is_begun or type(action) is not Answer)
        if type(action) in (Play, Double):
            self.is_begun = True
        self.row = action.row

    def boards_after_plays(self, start: Boards, *, marks_hits: bool) -> Boards:
        """Return the boards after all plays added so far, from the starting position."""
        sides = self.sides or boards_to_lists(start)
        for play in self.plays[self.carried_out :]:
            play_on_lists(sides, play, marks_hits=marks_hits)
        self.sides, self.carried_out = sides, len(self.plays)
        return lists_to_boards(sides)

    @property
    def is_past_first_plays(self) -> bool:
        """Whether the game is so far on that a new game's first plays would hardly be legal."""
        return len(self.plays) > PLAYS_TRIED


def _find_later_beginnings(
    actions: Sequence[Action], starting_boards: Boards, *, marks_hits: bool
) -> Iterator[int]:
    """Yield the index of each action, after the first, that begins a new game."""
    so_far = _GameSoFar()
    for index, action in enumerate(actions):
        if type(action) in TURNS and (so_far.plays or so_far.has_ended):
            # A game may begin at the first turn after an end, or in row 1.
            is_first_row = action.row == FIRST_ROW != so_far.row
            if (so_far.has_ended or is_first_row) and _begins_game(
                actions, index, so_far, starting_boards, marks_hits
            ):
                yield index
                so_far = _GameSoFar()
        so_far.add(action)


def _may_end_game(action: Action) -> bool:
    """Whether an action may end a game: a result, a pass or a resignation."""
    if type(action) is Answer:
        return not action.taken
    return type(action) is Result or (type(action) is Resignation and not action.declined)


def _begins_game(
    actions: Sequence[Action],
    index: int,
    game_so_far: _GameSoFar,
    starting_boards: Boards,
    marks_hits: bool,
) -> bool:
    """Whether the action at `index` begins a new game."""
    first = actions[index]
    is_first_row = first.row == FIRST_ROW
    if is_first_row and game_so_far.has_result:
        return True
    if type(first) is SetUp or not (game_so_far.is_past_first_plays or game_so_far.has_ended):
        return False
    tail = select_next_actions(actions, index)
    if not plays_fit(tail, starting_boards, marks_hits=marks_hits):
        return False
    if game_so_far.has_result or is_first_row:
        return True
    return not plays_fit(
        tail,
        game_so_far.boards_after_plays(starting_boards, marks_hits=marks_hits),
        marks_hits=marks_hits,
    )


def select_next_actions(actions: Sequence[Action], index: int) -> Sequence[Action]:
    """Return the next few actions from `index` on, at most `MOST_ACTIONS`."""
    return actions[index : index + MOST_ACTIONS]


def plays_fit(actions: Sequence[Action], boards: Boards, *, marks_hits: bool) -> bool:
    """Whether at least three quarters of the first plays in `actions` are legal from `boards`.

    Return False if there are too few plays to tell.
    """
    plays = _find_first_plays(actions)
    later_plays = collect_plays(actions, plays, marks_hits)
    tried = try_guess(BoardGuess("played from here", boards), later_plays, len(plays))
    return len(plays) >= FEWEST_PLAYS and len(tried.faults) * MOST_ILLEGAL <= len(plays)


def _find_first_plays(actions: Sequence[Action]) -> list[int]:
    """Return the indexes of the first few plays in `actions`."""
    plays = (index for index, action in enumerate(actions) if type(action) is Play)
    return list(islice(plays, PLAYS_TRIED))


def _renumber_notes(
    notes: Sequence[ReaderNote], games: Sequence[Game], games_before: Sequence[int]
) -> Iterator[ReaderNote]:
    """Yield the reader's notes with the numbers that their games have after the match was split.

    `games_before[i]` is the number of new games before the recorded game with index `i`.
    """
    lines = [game.span.line for game in games]
    for note in notes:
        if note.game is None:
            yield note
            continue
        first = games_before[note.game - 1]
        last = games_before[note.game] if note.game < len(games_before) else len(games)
        number = bisect_right(lines, note.span.line, first + 1, last) - 1
        is_beginning = number > first and lines[number] == note.span.line
        # That row numbers start again is no remark if a game now starts there.
        if not (is_beginning and note.rule == "row-number"):
            yield note._replace(game=number + 1)
