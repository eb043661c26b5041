"""Losses: information that differs after a match is written in a format and read again."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from bganalyze.board.rule_book import BASIC
from bganalyze.errors import BganalyzeError
from bganalyze.record.dates import put_year_first
from bganalyze.record.model import (
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    Game,
    GameReplayed,
    Match,
    Play,
    PlayRecord,
    PointsGiven,
    Resignation,
    Result,
    RulingMade,
    SetUp,
    Side,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import Boards, GameReplay, Turn
from bganalyze.validation.replaying.state import share_cell
from bganalyze.validation.replaying.terms import terms_of, variant_of
from bganalyze.writing.alignment import find_common_places
from bganalyze.writing.gva_analyses import is_same_analysis

RULES = frozenset(("crawford", "jacoby", "beaver"))
"""Header entries that count as kept if the rules are the same."""

VARIANT = frozenset(("variation", "variant"))
NAMES = frozenset(("player 1", "player 2"))

OF_FILE = frozenset(("cleaned-text", "guessed-encoding"))
"""Notes of the reader on the file that held a match."""

HEADER_ENTRIES = "entries of the header: "

BLANKS = "the line breaks and blanks of a text"

RULING = "a director's ruling"

MISSING: dict[type[Action], str] = {
    Play: "a roll or a play",
    Double: "a double",
    Answer: "an answer to a double",
    Resignation: "how a game was resigned",
    Result: "the result of a game",
    SetUp: "a position that was set up",
    Comment: "a comment",
    Unread: "unreadable text",
    PointsGiven: RULING,
    GameReplayed: RULING,
    CheckersPutBack: RULING,
}
"""Loss reported if an action is missing, by its type."""


class UnwritableError(BganalyzeError, ValueError):
    """A match that a format cannot hold, or that cannot be written here; the message says why."""


class Loss(NamedTuple):
    """Information that a format cannot hold, and its place in the source file."""

    what: str
    span: Span | None = None


def summarize_losses(losses: Iterable[Loss]) -> list[str]:
    """Return a line for each kind of lost information, with the count and the first place.

    >>> summarize_losses([Loss("a mark", Span(3, 1, 2)), Loss("a mark", Span(9, 1, 2)), Loss("the length")])
    ['a mark (2 times, first in line 3)', 'the length']
    """
    by_kind: dict[str, list[Loss]] = {}
    for loss in losses:
        by_kind.setdefault(loss.what, []).append(loss)
    return [what + _write_count_and_place(alike) for what, alike in by_kind.items()]


def is_entry_lost(losses: Iterable[Loss], key: str) -> bool:
    """Whether a header entry with this key is among the information lost by a conversion.

    >>> is_entry_lost([Loss("entries of the header: Round, Comment")], "Comment")
    True
    """
    entries = (loss.what for loss in losses if loss.what.startswith(HEADER_ENTRIES))
    return any(key in what.removeprefix(HEADER_ENTRIES).split(", ") for what in entries)


def _write_count_and_place(losses: list[Loss]) -> str:
    """Return the count and first place of losses of one kind, or "" without a place."""
    first = losses[0].span
    if first is None:
        return ""
    if len(losses) == 1:
        return f" (line {first.line})"
    return f" ({len(losses)} times, first in line {first.line})"


def find_losses(
    original: Sequence[MatchReplay], read_again: Sequence[MatchReplay]
) -> Iterator[Loss]:
    """Yield a loss for each piece of information that a conversion did not keep.

    `original` are the replayed matches of the original file, `read_again` those of the written
    file.
    """
    if len(read_again) < len(original):
        for replay in original:
            if not replay.games:
                yield Loss("a match without games", replay.match.beginning)
        original = [replay for replay in original if replay.games]
    for replay in original[len(read_again) :]:
        yield Loss("a match after the first", replay.match.games[0].span)
    for old, new in zip(original, read_again, strict=False):
        yield from _compare_matches(old, new)


# -- a match --------------------------------------------------------------------------------------


def _compare_matches(original: MatchReplay, read_again: MatchReplay) -> Iterator[Loss]:
    """Yield the losses of one match: what `original` has and the written file, `read_again`, has not."""
    yield from _compare_texts(original.match, read_again.match)
    jacoby = [terms_of(replay.match, BASIC).jacoby for replay in (original, read_again)]
    if jacoby[0] is None and jacoby[1] is not None:
        yield Loss("that it is unknown whether the Jacoby rule applied")
    is_mirrored = _count_equal_actions(original, read_again, True) > _count_equal_actions(
        original, read_again, False
    )
    if is_mirrored:
        yield Loss("which player was the left one: GammonView orders them by name")
    yield from _compare_headers(original.match, read_again.match)
    if original.match.length is None and read_again.match.length is not None:
        yield Loss("that the length of the match is unknown")
    for one, two in zip(original.games, read_again.games, strict=False):
        yield from _compare_game_heads(original.match, one, two, is_mirrored)
        yield from _compare_columns(one, two)
        yield from sorted(_compare_actions(one, two, is_mirrored), key=lambda loss: loss.span or ())
    for game in original.match.games[len(read_again.games) :]:
        yield Loss("a game", game.span)
    for repeat in original.repeats:
        yield Loss("the second copy of a game recorded twice", repeat.game.span)


def _compare_columns(original: GameReplay, read_again: GameReplay) -> Iterator[Loss]:
    """Yield the loss of a game's recorded columns if they were wrong and the written file is right."""
    if not _has_corrected_layout(original) or _has_corrected_layout(read_again):
        return
    slip = next((problem for problem in original.problems if problem.reading is not None), None)
    if slip is not None:
        yield Loss(f"a slip of layout, written as interpreted: {slip.reading}", slip.span)


def _has_corrected_layout(game: GameReplay) -> bool:
    """Whether the replay moved the actions of a game to other columns than those recorded."""
    return tuple(turn.action for turn in game.turns) != game.game.actions


def _compare_texts(original: Match, read_again: Match) -> Iterator[Loss]:
    """Yield a loss for each oddity of the text (`ReaderNote`) that the written file lacks.

    Oddities of the file itself, such as a guessed encoding, are left out.
    """
    kept = Counter(odd.rule for odd in read_again.oddities)
    for odd in original.oddities:
        if odd.rule in OF_FILE:
            continue
        kept[odd.rule] -= 1
        if kept[odd.rule] < 0 and odd.rule == "false-signature":
            yield Loss("that the file has a signature that does not hold", odd.span)
        elif kept[odd.rule] < 0:
            yield Loss(f"an oddity of the text ({odd.rule})", odd.span)


def _compare_headers(original: Match, read_again: Match) -> Iterator[Loss]:
    """Yield the header entries that the written file lacks or spells with other blanks."""
    kept = {(tag.key.casefold(), tag.value) for tag in read_again.tags}
    plain = {(key, _join_blanks(value)) for key, value in kept}
    days = {(key, put_year_first(value, "-")) for key, value in kept}
    meant = RULES | (
        VARIANT if variant_of(original, BASIC) == variant_of(read_again, BASIC) else set()
    )
    lost: list[Tag] = []
    for tag in original.tags:
        key = tag.key.casefold()
        if (key, _join_blanks(tag.value)) in plain:
            if (key, tag.value.strip(" ")) not in kept and tag.value != _join_blanks(tag.value):
                yield Loss(BLANKS, tag.span)
        elif key == "eventdate" and (key, put_year_first(tag.value, "-")) in days:
            pass  # The same day, as the format writes it.
        elif key not in meant and not (key in NAMES and tag.value in original.names):
            lost.append(tag)
    if lost:
        keys = ", ".join(dict.fromkeys(tag.key for tag in lost))
        yield Loss(f"{HEADER_ENTRIES}{keys}", lost[0].span)


def _join_blanks(text: str) -> str:
    r"""Return a text with each run of white space replaced by one blank.

    >>> _join_blanks(" a\n  b ")
    'a b'
    """
    return " ".join(text.split())


def _count_equal_actions(original: MatchReplay, read_again: MatchReplay, is_mirrored: bool) -> int:
    """Count the actions that are equal in a match and in the same match read from the written file.

    If `is_mirrored` is true, left and right of `read_again` are swapped first.
    """
    counts = (
        Counter(turn.key for game in replay.games for turn in _orient_turns(game, mirrored))
        for replay, mirrored in ((original, False), (read_again, is_mirrored))
    )
    one, two = counts
    return (one & two).total()


# -- a game ---------------------------------------------------------------------------------------


def _compare_game_heads(
    match: Match, original: GameReplay, read_again: GameReplay, is_mirrored: bool
) -> Iterator[Loss]:
    """Yield the losses about a game of `match` as a whole, such as its number and score.

    `is_mirrored` says whether the written file, `read_again`, has left and right swapped.
    """
    one, two = original.game, read_again.game
    if one.number not in (None, two.number):
        yield Loss("the number of a game", one.span)
    elif one.number != two.number and any(game.number is not None for game in match.games):
        yield Loss("that a game has no number", one.span)
    score = read_again.context.score[::-1] if is_mirrored else read_again.context.score
    if original.context.score != score:
        yield Loss("the score before a game", one.span)
    if read_again.context.crawford_known and not original.context.crawford_known:
        yield Loss("that it is unknown whether a game is the Crawford game", one.span)
    elif original.context.crawford != read_again.context.crawford:
        yield Loss("whether a game is the Crawford game", one.span)
    if one.score is not None and not all(one.score.names):
        yield Loss("that a player has no name", one.score.span)
    elif one.score is not None and _sort_names(one) != _sort_names(two):
        yield Loss("names of players as they were written", one.score.span)
    if one.cube not in (None, 1, two.cube):
        yield Loss("the value that the cube starts with", one.span)


def _sort_names(game: Game) -> list[str]:
    """Return the two names on a game's score line in alphabetical order, if any."""
    return sorted(game.score.names) if game.score else []


class _OrientedTurn(NamedTuple):
    """A turn, with its boards oriented by the columns of the original match file."""

    turn: Turn
    key: tuple[Any, ...]
    """Key that stays the same when the turn is written and read again."""
    before: Boards
    after: Boards


def _orient_turns(game: GameReplay, is_mirrored: bool) -> Iterator[_OrientedTurn]:
    """Yield the turns of a game with left and right as in the original file, and with keys.

    `game` is in the original or in the written file. If that file has left and right swapped
    (`is_mirrored`), they are swapped back. The same turn has the same key in both files.
    """
    order = -1 if is_mirrored else 1
    for turn in game.turns:
        side = getattr(turn.action, "side", None)
        column = other_side(side) if is_mirrored and side is not None else side
        key = _make_comparison_key(turn.action, column)
        yield _OrientedTurn(turn, key, turn.before[::order], turn.after[::order])  # type: ignore[arg-type]


def _make_comparison_key(action: Action, side: Side | None) -> tuple[Any, ...]:
    """Return a key that an action keeps when it is written to a file and read again.

    `side` is the side that acts, by the columns of the original file.
    """
    match action:
        case Play(dice=dice):
            roll = dice and tuple(sorted(dice))
            return Play, side, roll, bool(action.steps or action.left_board)
        case Answer(taken=taken):
            return Answer, side, taken
        case Comment() | Unread() | PointsGiven() | GameReplayed() | CheckersPutBack():
            return (Comment,)
    return type(action), side


def _compare_actions(
    original: GameReplay, read_again: GameReplay, is_mirrored: bool
) -> Iterator[Loss]:
    """Yield what the written file lacks of a game's actions, or has changed in them.

    `read_again` is the game read from the written file. `is_mirrored` says whether this file has
    left and right swapped.
    """
    pairs = _pair_turns(
        sorted(_orient_turns(original, False), key=_is_ending),
        sorted(_orient_turns(read_again, is_mirrored), key=_is_ending),
    )
    actions = _GameActions(original)
    for turn, again in pairs:
        if again is None:
            what = (
                ()
                if _is_resignation_implied(turn.turn, actions, read_again)
                else _yield_losses_if_missing(actions, turn.turn)
            )
        else:
            what = _yield_losses_if_changed(read_again, turn, again)
        yield from (Loss(words, turn.turn.action.span) for words in what)
    yield from _compare_cells(pairs)
    late = _find_action_after_end(original.game)
    if late is not None and _find_action_after_end(read_again.game) is None:
        yield Loss("that a game went on after its end", late.span)
    is_stated, is_added = (
        any(isinstance(action, Result) for action in game.game.actions)
        for game in (original, read_again)
    )
    given_up = [a for a in original.game.actions if isinstance(a, Resignation) and not a.declined]
    if given_up and is_added and not is_stated:
        yield Loss("that a game ended by a resignation without a result", given_up[0].span)


def _is_ending(turn: _OrientedTurn) -> bool:
    """Whether a turn is a result or a resignation."""
    return isinstance(turn.turn.action, Result | Resignation)


_Pair = tuple[_OrientedTurn, _OrientedTurn | None]


def _pair_turns(original: list[_OrientedTurn], read_again: list[_OrientedTurn]) -> list[_Pair]:
    """Return each turn of the original game with the same turn of the written game, or with None.

    `read_again` has the turns of the written game, read from the written file.
    """
    again = dict(
        find_common_places([turn.key for turn in original], [turn.key for turn in read_again])
    )
    return [
        (turn, read_again[again[place]] if place in again else None)
        for place, turn in enumerate(original)
    ]


class _GameActions:
    """The actions of a game in the original file, for looking up the action before a place."""

    def __init__(self, game: GameReplay) -> None:
        self.game = game

    @cached_property
    def turns(self) -> _ActionSequence:
        """The actions of the game in the order in which they are replayed."""
        return _ActionSequence([turn.action for turn in self.game.turns])

    @cached_property
    def doubles(self) -> _ActionSequence:
        """The doubles of the game in the order in which the file lists them."""
        return _ActionSequence([a for a in self.game.game.actions if isinstance(a, Double)])


class _ActionSequence:
    """Actions of a game in an order that may differ from the order of their places in the file."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions
        by_place = sorted((action.span, number) for number, action in enumerate(actions))
        self._spans = [span for span, _ in by_place]
        self._last = list(accumulate((number for _, number in by_place), max))

    def last_before(self, span: Span) -> Action | None:
        """Return, of the actions that begin before `span` in the file, the last one in the sequence.

        Return None if no action begins before `span`.
        """
        count = bisect_left(self._spans, span)
        return self._actions[self._last[count - 1]] if count else None


def _yield_losses_if_missing(actions: _GameActions, turn: Turn) -> Iterator[str]:
    """Yield, in words, the information lost if the written file lacks the action of a turn.

    Nothing is lost if a later action implies the missing one. `actions` are the actions of the game
    in the original file.
    """
    match turn.action:
        case Play(dice=None):
            yield "a play whose roll is unknown"
        case Play(dice=(0, 0)):
            yield "that a roll was not made"
        case Play(how=PlayRecord.UNPLAYED | PlayRecord.EMPTY):
            yield "a roll without its play"
        case Resignation(declined=True):
            yield "a resignation that was declined"
        case Answer(taken=True) if _is_beavered(actions, turn):
            pass  # The next roll implies it.
        case action:
            yield MISSING[type(action)]


def _is_resignation_implied(turn: Turn, actions: _GameActions, read_again: GameReplay) -> bool:
    """Whether a file written from the original implies a turn's resignation without stating it.

    The resignation must follow a roll that was not played. The game must end in the same way, with
    the same winner, in the original file (`actions`) and in the written one (`read_again`). The
    result is False for any other turn.
    """
    action = turn.action
    ends = [(game.ending.kind, game.ending.winner) for game in (actions.game, read_again)]
    if not isinstance(action, Resignation) or action.declined or ends[0] != ends[1]:
        return False
    earlier = actions.turns.last_before(action.span)
    return earlier is not None and resigns_after_roll(earlier, action)


def resigns_after_roll(before: Action, resignation: Resignation) -> bool:
    """Whether a resignation follows a roll that the same side has not played."""
    return (
        isinstance(before, Play)
        and before.how is PlayRecord.UNPLAYED
        and before.side == resignation.side
    )


def _is_beavered(actions: _GameActions, turn: Turn) -> bool:
    """Whether the last double before a turn is a beaver."""
    double = actions.doubles.last_before(turn.action.span)
    return isinstance(double, Double) and double.kind == "beaver"


def _yield_losses_if_changed(
    game: GameReplay, original: _OrientedTurn, read_again: _OrientedTurn
) -> Iterator[str]:
    """Yield, in words, each difference between an action and the same action read again.

    `game` is the game in the written file.
    """
    one, two = original.turn.action, read_again.turn.action
    match one, two:
        case Play(), Play():
            yield from _compare_boards(original, read_again)
            yield from _compare_plays(one, two)
        case Double(), Double():
            if one.kind != two.kind:
                yield "whether a double is a beaver"
            if one.value not in (None, two.value, original.turn.cube.next_value):
                yield "the value written with a double"
        case Resignation(), Resignation():
            yield from _compare_resignations(
                one, two, original.turn.cube.value, game.ending.recorded
            )
        case Result(), Result():
            yield from _compare_results(one, two)
        case SetUp(), SetUp():
            yield from _compare_set_ups(one, two)
        case ((Comment() | Unread()), (Comment() | Unread())):
            yield from _compare_words(one, two)
        case ((PointsGiven() | GameReplayed() | CheckersPutBack()), _):
            yield from _compare_rulings(one, two)
    yield from _compare_stored_data(one, two)


def _compare_stored_data(original: Action, read_again: Action) -> Iterator[str]:
    """Yield, in words, each difference in the analysis and the time stored with an action."""
    analysis = getattr(original, "analysis", None)
    if analysis and not is_same_analysis(analysis, getattr(read_again, "analysis", None)):
        yield f"data that {analysis.program} stored with an action"
    if getattr(original, "seconds", None) not in (None, getattr(read_again, "seconds", None)):
        yield "how long an action took"


def _compare_boards(original: _OrientedTurn, read_again: _OrientedTurn) -> Iterator[str]:
    """Yield, in words, how the boards after a play differ, if they were equal before it."""
    if original.before != read_again.before:
        return
    if _is_play_unrecorded(original.turn) and not _is_play_unrecorded(read_again.turn):
        yield "that no play is recorded for a roll"
    elif _find_broken_rule(original.turn) not in (None, _find_broken_rule(read_again.turn)):
        yield "how an illegal play was written"
    elif original.after != read_again.after:
        yield "the position after a play"


def _is_play_unrecorded(turn: Turn) -> bool:
    """Whether a roll is recorded without a play or words for a dance, and nothing was checked."""
    play = turn.action
    assert isinstance(play, Play)
    return turn.legality is None and not play.steps and play.how is not PlayRecord.CANNOT_MOVE


def _find_broken_rule(turn: Turn) -> str | None:
    """Return the name of the rule that the play of a turn breaks, or None."""
    return (
        None if turn.legality is None or turn.legality.fault is None else turn.legality.fault.name
    )


def _compare_plays(original: Play, read_again: Play) -> Iterator[str]:
    """Yield, in words, each difference in a play: illegal mark, unreadable part, board after it."""
    if original.called_illegal and not read_again.called_illegal:
        yield "the record's own mark that a play is illegal"
    if original.how is PlayRecord.UNREAD and read_again.how is not PlayRecord.UNREAD:
        yield "that part of a play was unreadable"
    if original.left_board is not None and read_again.left_board is not None:
        yield from _compare_set_ups(
            original.left_board, read_again.left_board._replace(on_roll=original.left_board.on_roll)
        )


def _compare_resignations(
    original: Resignation, read_again: Resignation, cube_value: int, result_points: int | None
) -> Iterator[str]:
    """Yield, in words, the information about a resignation that was lost.

    `result_points` are the points of the game's result in the written file. The points that a
    resignation offers, or its size times the `cube_value`, are not lost if the result states them.
    """
    if original.declined and not read_again.declined:
        yield "a resignation that was declined"
    if original.manner == "resigned-match" != read_again.manner:
        yield "that the match was resigned, not only the game"
    elif original.manner != read_again.manner:
        yield MISSING[Resignation]
    if original.points not in (None, read_again.points, result_points):
        yield "the points that a resignation offers"
    if (
        original.size not in (None, read_again.size)
        and (original.size or 0) * cube_value != result_points
    ):
        yield "the size that a resignation offers"


def _compare_results(original: Result, read_again: Result) -> Iterator[str]:
    """Yield, in words, each difference in a result: points, or the mark for the end of the match."""
    if original.match and not read_again.match:
        yield "the words: and the match"
    if original.points < read_again.points:
        yield "that the points of a result are no more than the winner needed"
    elif original.points != read_again.points:
        yield "the points of a result"


def _compare_set_ups(original: SetUp, read_again: SetUp) -> Iterator[str]:
    """Yield, in words, each difference in a set-up: board, cube, side on roll, Crawford mark."""
    if original.boards not in (None, read_again.boards):
        yield "that both sides hold a point"
    cube, again = ((set_up.cube_value, set_up.cube_owner) for set_up in (original, read_again))
    if original.cube_value is not None and cube != again:
        yield "the cube of a position"
    if original.on_roll not in (None, read_again.on_roll):
        yield "the side on roll in a position"
    if original.crawford not in (None, read_again.crawford):
        yield "the Crawford mark of a position"


def _compare_words(original: Comment | Unread, read_again: Comment | Unread) -> Iterator[str]:
    """Yield, in words, the difference in a comment or in unreadable text."""
    if isinstance(original, Unread) and isinstance(read_again, Comment):
        yield "unreadable text became a comment"
    elif _join_blanks(original.text) != _join_blanks(read_again.text):
        text = "a comment" if isinstance(original, Comment) else "text"
        yield f"{text} that would be read as something else is quoted"
    elif original.text != read_again.text:
        yield BLANKS


def _compare_rulings(original: RulingMade, read_again: Action) -> Iterator[str]:
    """Yield, in words, the loss of a director's ruling that was read again as something else."""
    if isinstance(read_again, Comment):
        yield f"{RULING}, which became a comment"
    elif original._replace(span=read_again.span, row=None) != read_again._replace(row=None):
        yield RULING


def _compare_cells(pairs: Sequence[_Pair]) -> Iterator[Loss]:
    """Yield a loss for each two actions in one cell of the original file, but not of the written file.

    `pairs` has each turn of the game with the same turn in the written file, or None.
    """
    for (one, one_again), (two, two_again) in pairwise(pairs):
        if one_again is None or two_again is None or not isinstance(two.turn.action, Play | Double):
            continue
        is_joined = share_cell(one_again.turn.action, two_again.turn.action)
        if share_cell(one.turn.action, two.turn.action) and not is_joined:
            yield Loss("that two actions were in one cell", two.turn.action.span)


def _find_action_after_end(game: Game) -> Action | None:
    """Return the first action recorded after the end of a game, or None."""
    ends = [
        isinstance(action, Result) or (isinstance(action, Resignation) and not action.declined)
        for action in game.actions
    ]
    first = ends.index(True) if True in ends else len(ends)
    for before, action in pairwise(game.actions[first:]):
        is_its_result = isinstance(before, Resignation) and isinstance(action, Result)
        if not is_its_result and not isinstance(action, Comment | Unread | RulingMade):
            return action
    return None
