"""What a format cannot say of a match: all that is not the same once it was written and read again."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from bganalyze.board.rule_book import BASIC
from bganalyze.record.dates import year_first
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.facts import Boards, GameReplay, Turn
from bganalyze.validation.replaying.state import share_cell
from bganalyze.validation.replaying.terms import terms_of, variant_of
from bganalyze.writing.alignment import common_places

RULES = frozenset(("crawford", "jacoby", "beaver"))
"""Entries of a header that are kept as what they mean."""

VARIANT = frozenset(("variation", "variant"))
NAMES = frozenset(("player 1", "player 2"))

BLANKS = "the line breaks and blanks of a text"

MISSING: dict[type[Action], str] = {
    Play: "a roll or a play",
    Double: "a double",
    Answer: "an answer to a double",
    Resignation: "how a game was given up",
    Result: "the result of a game",
    SetUp: "a position that was set up",
    Comment: "a comment",
    Unread: "text that could not be read",
}
"""What is lost where there is no such action any more."""


class UnwritableError(ValueError):
    """A match that a format cannot hold at all, or not here; the message says why."""


class Loss(NamedTuple):
    """Something the format has no way to say, with its place in the file that was read."""

    what: str
    span: Span | None = None


def together(losses: Iterable[Loss]) -> list[str]:
    """Return the losses in lines: those of one kind together, with where the first is.

    >>> together([Loss("a mark", Span(3, 1, 2)), Loss("a mark", Span(9, 1, 2)), Loss("the length")])
    ['a mark (2 times, first in line 3)', 'the length']
    """
    by_kind: dict[str, list[Loss]] = {}
    for loss in losses:
        by_kind.setdefault(loss.what, []).append(loss)
    return [what + _where(alike) for what, alike in by_kind.items()]


def _where(losses: list[Loss]) -> str:
    first = losses[0].span
    if first is None:
        return ""
    if len(losses) == 1:
        return f" (line {first.line})"
    return f" ({len(losses)} times, first in line {first.line})"


def losses(before: Sequence[MatchReplay], after: Sequence[MatchReplay]) -> Iterator[Loss]:
    """Yield what matches have lost that were written, and then read again and replayed."""
    if len(after) < len(before):
        for replay in before:
            if not replay.games:
                yield Loss("a match without games", replay.match.beginning)
        before = [replay for replay in before if replay.games]
    for replay in before[len(after) :]:
        yield Loss("a match after the first", replay.match.games[0].span)
    for old, new in zip(before, after, strict=False):
        yield from _of_match(old, new)


# -- a match --------------------------------------------------------------------------------------


def _of_match(before: MatchReplay, after: MatchReplay) -> Iterator[Loss]:
    yield from _of_text(before.match, after.match)
    jacoby = [terms_of(replay.match, BASIC).jacoby for replay in (before, after)]
    if jacoby[0] is None and jacoby[1] is not None:
        yield Loss("that nothing tells whether the Jacoby rule was in force")
    is_mirrored = _in_common(before, after, True) > _in_common(before, after, False)
    if is_mirrored:
        yield Loss("which player was the left one: GammonView orders them by name")
    yield from _of_header(before.match, after.match)
    if before.match.length is None and after.match.length is not None:
        yield Loss("that nothing tells the length of the match")
    for one, two in zip(before.games, after.games, strict=False):
        yield from _of_head(before.match, one, two, is_mirrored)
        yield from _of_layout(one, two)
        yield from sorted(_of_actions(one, two, is_mirrored), key=lambda loss: loss.span or ())
    for game in before.match.games[len(after.games) :]:
        yield Loss("a game", game.span)
    for repeat in before.repeats:
        yield Loss("the second copy of a game that stands twice", repeat.game.span)


def _of_layout(before: GameReplay, after: GameReplay) -> Iterator[Loss]:
    """A slip of layout that is written as it is read, so that no check finds it any more."""
    if not _is_laid_out(before) or _is_laid_out(after):
        return
    slip = next((fact for fact in before.facts if fact.reading is not None), None)
    if slip is not None:
        yield Loss(
            f"a slip of layout, of which only the reading is written: {slip.reading}", slip.span
        )


def _is_laid_out(game: GameReplay) -> bool:
    """Whether a game is replayed in another layout than it is written in."""
    return tuple(turn.action for turn in game.turns) != game.game.actions


def _of_text(before: Match, after: Match) -> Iterator[Loss]:
    """What was odd about the text of a match, which hardly another text shows."""
    kept = Counter(odd.rule for odd in after.oddities)
    for odd in before.oddities:
        kept[odd.rule] -= 1
        if kept[odd.rule] < 0 and odd.rule == "false-signature":
            yield Loss("that the file has a signature that does not hold", odd.span)
        elif kept[odd.rule] < 0:
            yield Loss(f"what was odd about the text itself ({odd.rule})", odd.span)


def _of_header(before: Match, after: Match) -> Iterator[Loss]:
    kept = {(tag.key.casefold(), tag.value) for tag in after.tags}
    plain = {(key, _plain(value)) for key, value in kept}
    days = {(key, year_first(value, "-")) for key, value in kept}
    meant = RULES | (VARIANT if variant_of(before, BASIC) == variant_of(after, BASIC) else set())
    lost: list[Tag] = []
    for tag in before.tags:
        key = tag.key.casefold()
        if (key, _plain(tag.value)) in plain:
            if (key, tag.value.strip(" ")) not in kept and tag.value != _plain(tag.value):
                yield Loss(BLANKS, tag.span)
        elif key == "eventdate" and (key, year_first(tag.value, "-")) in days:
            pass  # The same day, as the format writes it.
        elif key not in meant and not (key in NAMES and tag.value in before.names):
            lost.append(tag)
    if lost:
        keys = ", ".join(dict.fromkeys(tag.key for tag in lost))
        yield Loss(f"entries of the header: {keys}", lost[0].span)


def _plain(text: str) -> str:
    return " ".join(text.split())


def _in_common(before: MatchReplay, after: MatchReplay, is_mirrored: bool) -> int:
    """How many actions are the same, with the columns as they are or exchanged."""
    counts = (
        Counter(turn.key for game in replay.games for turn in _seen(game, mirrored))
        for replay, mirrored in ((before, False), (after, is_mirrored))
    )
    one, two = counts
    return (one & two).total()


# -- a game ---------------------------------------------------------------------------------------


def _of_head(
    match: Match, before: GameReplay, after: GameReplay, is_mirrored: bool
) -> Iterator[Loss]:
    one, two = before.game, after.game
    if one.number not in (None, two.number):
        yield Loss("the number of a game", one.span)
    elif one.number != two.number and any(game.number is not None for game in match.games):
        yield Loss("that a game has no number", one.span)
    score = after.context.score[::-1] if is_mirrored else after.context.score
    if before.context.score != score:
        yield Loss("the score before a game", one.span)
    if one.score is not None and not all(one.score.names):
        yield Loss("that a player has no name", one.score.span)
    elif one.score is not None and _names(one) != _names(two):
        yield Loss("names of players as they were written", one.score.span)
    if one.cube not in (None, 1, two.cube):
        yield Loss("the value that the cube starts with", one.span)


def _names(game: Game) -> list[str]:
    return sorted(game.score.names) if game.score else []


class _Seen(NamedTuple):
    """A turn with its boards as the columns of the first record have them."""

    turn: Turn
    key: tuple[Any, ...]
    """What it has in common with itself when it is read again."""
    before: Boards
    after: Boards


def _seen(game: GameReplay, is_mirrored: bool) -> Iterator[_Seen]:
    order = -1 if is_mirrored else 1
    for turn in game.turns:
        side = getattr(turn.action, "side", None)
        column = other_side(side) if is_mirrored and side is not None else side
        key = _key(turn.action, column)
        yield _Seen(turn, key, turn.before[::order], turn.after[::order])  # type: ignore[arg-type]


def _key(action: Action, side: Side | None) -> tuple[Any, ...]:
    match action:
        case Play(dice=dice):
            roll = dice and tuple(sorted(dice))
            return Play, side, roll, bool(action.steps or action.left_board)
        case Answer(taken=taken):
            return Answer, side, taken
        case Comment() | Unread():
            return (Comment,)
    return type(action), side


def _of_actions(before: GameReplay, after: GameReplay, is_mirrored: bool) -> Iterator[Loss]:
    """What is lost of the course of a game, and of its end, which may stand elsewhere."""
    pairs = _aligned(
        sorted(_seen(before, False), key=_is_of_end),
        sorted(_seen(after, is_mirrored), key=_is_of_end),
    )
    course = _Course(before)
    for turn, again in pairs:
        if again is None:
            what = () if _is_said(turn.turn, course, after) else _missing(course, turn.turn)
        else:
            what = _changed(after, turn, again)
        yield from (Loss(words, turn.turn.action.span) for words in what)
    yield from _of_cells(pairs)
    late = _after_end(before.game)
    if late is not None and _after_end(after.game) is None:
        yield Loss("that a game went on after its end", late.span)
    is_stated, is_added = (
        any(isinstance(action, Result) for action in game.game.actions) for game in (before, after)
    )
    given_up = [a for a in before.game.actions if isinstance(a, Resignation) and not a.declined]
    if given_up and is_added and not is_stated:
        yield Loss("that only a resignation tells how a game ended", given_up[0].span)


def _is_of_end(turn: _Seen) -> bool:
    return isinstance(turn.turn.action, Result | Resignation)


_Pair = tuple[_Seen, _Seen | None]


def _aligned(before: list[_Seen], after: list[_Seen]) -> list[_Pair]:
    """Return every turn with itself as it was read again, if it was."""
    again = dict(common_places([turn.key for turn in before], [turn.key for turn in after]))
    return [
        (turn, after[again[place]] if place in again else None) for place, turn in enumerate(before)
    ]


class _Course:
    """The actions of a game as it was read, to be asked what stands before a place."""

    def __init__(self, game: GameReplay) -> None:
        self.game = game

    @cached_property
    def turns(self) -> _Ordered:
        """The actions in the order in which they are replayed."""
        return _Ordered([turn.action for turn in self.game.turns])

    @cached_property
    def doubles(self) -> _Ordered:
        """The doubles as they are written."""
        return _Ordered([a for a in self.game.game.actions if isinstance(a, Double)])


class _Ordered:
    """Actions in an order that need not be that of their places."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions
        by_place = sorted((action.span, number) for number, action in enumerate(actions))
        self._spans = [span for span, _ in by_place]
        self._last = list(accumulate((number for _, number in by_place), max))

    def last_before(self, span: Span) -> Action | None:
        """Return the last of the actions that stand before a place, if any does."""
        count = bisect_left(self._spans, span)
        return self._actions[self._last[count - 1]] if count else None


def _missing(course: _Course, turn: Turn) -> Iterator[str]:
    """What is lost with an action."""
    match turn.action:
        case Play(dice=None):
            yield "a play whose roll is not known"
        case Play(dice=(0, 0)):
            yield "that a roll was not made"
        case Play(how=PlayRecord.UNPLAYED | PlayRecord.EMPTY):
            yield "a roll without its play"
        case Resignation(declined=True):
            yield "a resignation that was declined"
        case Answer(taken=True) if _is_beavered(course, turn):
            pass  # The next roll says so.
        case action:
            yield MISSING[type(action)]


def _is_said(turn: Turn, course: _Course, after: GameReplay) -> bool:
    """Whether a resignation is one that the roll before it says, which is not played."""
    action = turn.action
    ends = [(game.ending.kind, game.ending.winner) for game in (course.game, after)]
    if not isinstance(action, Resignation) or action.declined or ends[0] != ends[1]:
        return False
    earlier = course.turns.last_before(action.span)
    return earlier is not None and is_given_up(earlier, action)


def is_given_up(before: Action, resignation: Resignation) -> bool:
    """Whether a roll that is not played stands before a resignation of the same side."""
    return (
        isinstance(before, Play)
        and before.how is PlayRecord.UNPLAYED
        and before.side == resignation.side
    )


def _is_beavered(course: _Course, turn: Turn) -> bool:
    """Whether a beaver was the last that was done with the cube before a turn."""
    double = course.doubles.last_before(turn.action.span)
    return isinstance(double, Double) and double.kind == "beaver"


def _changed(game: GameReplay, before: _Seen, after: _Seen) -> Iterator[str]:
    """What is lost of an action that is still there, in the game as it was read again."""
    one, two = before.turn.action, after.turn.action
    match one, two:
        case Play(), Play():
            yield from _of_board(before, after)
            yield from _of_play(one, two)
        case Double(), Double():
            if one.kind != two.kind:
                yield "whether a double is a beaver"
            if one.value not in (None, two.value, before.turn.cube.next_value):
                yield "the value written with a double"
        case Resignation(), Resignation():
            yield from _of_resignation(one, two, before.turn.cube.value, game.ending.recorded)
        case Result(), Result():
            yield from _of_result(one, two)
        case SetUp(), SetUp():
            yield from _of_set_up(one, two)
        case ((Comment() | Unread()), (Comment() | Unread())):
            yield from _of_words(one, two)
    yield from _of_stored(one, two)


def _of_stored(one: Action, two: Action) -> Iterator[str]:
    """What was stored with an action."""
    analysis = getattr(one, "analysis", None)
    if analysis is not None and analysis != getattr(two, "analysis", None):
        yield f"what {analysis.program} has stored with an action"
    if getattr(one, "seconds", None) not in (None, getattr(two, "seconds", None)):
        yield "how long an action took"


def _of_board(before: _Seen, after: _Seen) -> Iterator[str]:
    """What a play did, if it was made on the same board."""
    if before.before != after.before:
        return
    if _is_open(before.turn) and not _is_open(after.turn):
        yield "that no play is recorded for a roll"
    elif _fault(before.turn) not in (None, _fault(after.turn)):
        yield "how an illegal play was written"
    elif before.after != after.after:
        yield "what a play left"


def _is_open(turn: Turn) -> bool:
    """Whether nothing tells what was done with a roll: neither a play nor that there is none."""
    play = turn.action
    assert isinstance(play, Play)
    return turn.legality is None and not play.steps and play.how is not PlayRecord.CANNOT_MOVE


def _fault(turn: Turn) -> str | None:
    return (
        None if turn.legality is None or turn.legality.fault is None else turn.legality.fault.name
    )


def _of_play(one: Play, two: Play) -> Iterator[str]:
    if one.called_illegal and not two.called_illegal:
        yield "the record's own mark that a play is illegal"
    if one.how is PlayRecord.UNREAD and two.how is not PlayRecord.UNREAD:
        yield "that a part of a play could not be read"
    if one.left_board is not None and two.left_board is not None:
        yield from _of_set_up(
            one.left_board, two.left_board._replace(on_roll=one.left_board.on_roll)
        )


def _of_resignation(
    one: Resignation, two: Resignation, cube: int, recorded: int | None
) -> Iterator[str]:
    """What an offer says that the points `recorded` for the game do not say, too."""
    if one.declined and not two.declined:
        yield "a resignation that was declined"
    if one.manner == "resigned-match" != two.manner:
        yield "that the match was resigned, not only the game"
    elif one.manner != two.manner:
        yield MISSING[Resignation]
    if one.points not in (None, two.points, recorded):
        yield "the points that a resignation offers"
    if one.size not in (None, two.size) and (one.size or 0) * cube != recorded:
        yield "the size that a resignation offers"


def _of_result(one: Result, two: Result) -> Iterator[str]:
    if one.match and not two.match:
        yield "the words: and the match"
    if one.points < two.points:
        yield "that the points of a result are no more than the winner needed"
    elif one.points != two.points:
        yield "the points of a result"


def _of_set_up(one: SetUp, two: SetUp) -> Iterator[str]:
    if one.boards not in (None, two.boards):
        yield "that both sides hold a point"
    cube, again = ((set_up.cube_value, set_up.cube_owner) for set_up in (one, two))
    if one.cube_value is not None and cube != again:
        yield "the cube of a position"
    if one.on_roll not in (None, two.on_roll):
        yield "whose turn it is in a position"
    if one.crawford not in (None, two.crawford):
        yield "the Crawford mark of a position"


def _of_words(one: Comment | Unread, two: Comment | Unread) -> Iterator[str]:
    if isinstance(one, Unread) and isinstance(two, Comment):
        yield "text that could not be read became a comment"
    elif _plain(one.text) != _plain(two.text):
        text = "a comment" if isinstance(one, Comment) else "text"
        yield f"{text} that would be read as something else is quoted"
    elif one.text != two.text:
        yield BLANKS


def _of_cells(pairs: Sequence[_Pair]) -> Iterator[Loss]:
    """What stood in one cell, and stands in several now."""
    for (one, one_again), (two, two_again) in pairwise(pairs):
        if one_again is None or two_again is None or not isinstance(two.turn.action, Play | Double):
            continue
        is_joined = share_cell(one_again.turn.action, two_again.turn.action)
        if share_cell(one.turn.action, two.turn.action) and not is_joined:
            yield Loss("that two actions stood in one turn", two.turn.action.span)


def _after_end(game: Game) -> Action | None:
    """What a game goes on with after its end; only its result may follow a resignation."""
    ends = [
        isinstance(action, Result) or (isinstance(action, Resignation) and not action.declined)
        for action in game.actions
    ]
    first = ends.index(True) if True in ends else len(ends)
    for before, action in pairwise(game.actions[first:]):
        is_its_result = isinstance(before, Resignation) and isinstance(action, Result)
        if not is_its_result and not isinstance(action, Comment | Unread):
            return action
    return None
