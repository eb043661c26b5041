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
"""Detail reported as lost if an action is missing, by its type."""


class UnwritableError(BganalyzeError, ValueError):
    """A match that a format cannot hold, or that cannot be written here; the message says why."""


class LostDetail(NamedTuple):
    """A detail of a match that a written file has lost, and its place in the original file."""

    what: str
    span: Span | None = None


def summarize_losses(losses: Iterable[LostDetail]) -> list[str]:
    """Return a line for each kind of lost detail: how often it was lost, and first in which line.

    >>> summarize_losses([LostDetail("a mark", Span(3, 1, 2)), LostDetail("a mark", Span(9, 1, 2))])
    ['a mark (2 times, first in line 3)']
    """
    by_kind: dict[str, list[LostDetail]] = {}
    for loss in losses:
        by_kind.setdefault(loss.what, []).append(loss)
    return [what + _write_count_and_place(alike) for what, alike in by_kind.items()]


def is_entry_lost(losses: Iterable[LostDetail], key: str) -> bool:
    """Whether `losses` include the header entry with this key.

    >>> is_entry_lost([LostDetail("entries of the header: Round, Comment")], "Comment")
    True
    """
    entries = (loss.what for loss in losses if loss.what.startswith(HEADER_ENTRIES))
    return any(key in what.removeprefix(HEADER_ENTRIES).split(", ") for what in entries)


def _write_count_and_place(losses: list[LostDetail]) -> str:
    """Return how many lost details of one kind there are and where the first is, as text."""
    first = losses[0].span
    if first is None:
        return ""
    if len(losses) == 1:
        return f" (line {first.line})"
    return f" ({len(losses)} times, first in line {first.line})"


def find_losses(
    original: Sequence[MatchReplay], written: Sequence[MatchReplay]
) -> Iterator[LostDetail]:
    """Yield the details of the original matches that the written matches have lost."""
    if len(written) < len(original):
        for replay in original:
            if not replay.games:
                yield LostDetail("a match without games", replay.match.beginning)
        original = [replay for replay in original if replay.games]
    for replay in original[len(written) :]:
        yield LostDetail("a match after the first", replay.match.games[0].span)
    for old, new in zip(original, written, strict=False):
        yield from _compare_matches(old, new)


# -- a match --------------------------------------------------------------------------------------


def _compare_matches(original: MatchReplay, written: MatchReplay) -> Iterator[LostDetail]:
    """Yield the details of an original match that the written match has lost."""
    yield from _compare_oddities(original.match, written.match)
    jacoby = [terms_of(replay.match, BASIC).jacoby for replay in (original, written)]
    if jacoby[0] is None and jacoby[1] is not None:
        yield LostDetail("that it is unknown whether the Jacoby rule applied")
    is_mirrored = _count_equal_actions(original, written, True) > _count_equal_actions(
        original, written, False
    )
    if is_mirrored:
        yield LostDetail("which player was the left one: GammonView orders them by name")
    yield from _compare_headers(original.match, written.match)
    if original.match.length is None and written.match.length is not None:
        yield LostDetail("that the length of the match is unknown")
    for one, two in zip(original.games, written.games, strict=False):
        yield from _compare_game_facts(original.match, one, two, is_mirrored)
        yield from _find_lost_column_slip(one, two)
        yield from sorted(_compare_actions(one, two, is_mirrored), key=lambda loss: loss.span or ())
    for game in original.match.games[len(written.games) :]:
        yield LostDetail("a game", game.span)
    for repeat in original.repeats:
        yield LostDetail("the second copy of a game recorded twice", repeat.game.span)


def _find_lost_column_slip(original: GameReplay, written: GameReplay) -> Iterator[LostDetail]:
    """Yield a lost detail if a wrong layout of a game, such as swapped columns, was corrected."""
    if not _has_corrected_layout(original) or _has_corrected_layout(written):
        return
    slip = next((problem for problem in original.problems if problem.reading is not None), None)
    if slip is not None:
        yield LostDetail(f"a slip of layout, written as interpreted: {slip.reading}", slip.span)


def _has_corrected_layout(game: GameReplay) -> bool:
    """Whether the replay reads the actions of a game in another layout than the file's."""
    return tuple(turn.action for turn in game.turns) != game.game.actions


def _compare_oddities(original: Match, written: Match) -> Iterator[LostDetail]:
    """Yield a lost detail for each oddity of the original text that the written text lacks.

    Oddities of the whole file, such as a guessed encoding, are left out.
    """
    kept = Counter(odd.rule for odd in written.oddities)
    for odd in original.oddities:
        if odd.rule in OF_FILE:
            continue
        kept[odd.rule] -= 1
        if kept[odd.rule] < 0 and odd.rule == "false-signature":
            yield LostDetail("that the file has a signature that does not hold", odd.span)
        elif kept[odd.rule] < 0:
            yield LostDetail(f"an oddity of the text ({odd.rule})", odd.span)


def _compare_headers(original: Match, written: Match) -> Iterator[LostDetail]:
    """Yield lost details for header entries that are missing, or whose blanks have changed."""
    kept = {(tag.key.casefold(), tag.value) for tag in written.tags}
    plain = {(key, _join_blanks(value)) for key, value in kept}
    days = {(key, put_year_first(value, "-")) for key, value in kept}
    meant = RULES | (
        VARIANT if variant_of(original, BASIC) == variant_of(written, BASIC) else set()
    )
    lost: list[Tag] = []
    for tag in original.tags:
        key = tag.key.casefold()
        if (key, _join_blanks(tag.value)) in plain:
            if (key, tag.value.strip(" ")) not in kept and tag.value != _join_blanks(tag.value):
                yield LostDetail(BLANKS, tag.span)
        elif key == "eventdate" and (key, put_year_first(tag.value, "-")) in days:
            pass  # The same day, as the format writes it.
        elif key not in meant and not (key in NAMES and tag.value in original.names):
            lost.append(tag)
    if lost:
        keys = ", ".join(dict.fromkeys(tag.key for tag in lost))
        yield LostDetail(f"{HEADER_ENTRIES}{keys}", lost[0].span)


def _join_blanks(text: str) -> str:
    r"""Return a text with each run of white space replaced by one blank.

    >>> _join_blanks(" a\n  b ")
    'a b'
    """
    return " ".join(text.split())


def _count_equal_actions(
    original: MatchReplay, written: MatchReplay, are_sides_swapped: bool
) -> int:
    """Return how many actions of the original match the written match has unchanged."""
    counts = (
        Counter(turn.key for game in replay.games for turn in _orient_turns(game, mirrored))
        for replay, mirrored in ((original, False), (written, are_sides_swapped))
    )
    one, two = counts
    return (one & two).total()


# -- a game ---------------------------------------------------------------------------------------


def _compare_game_facts(
    match: Match, original: GameReplay, written: GameReplay, are_sides_swapped: bool
) -> Iterator[LostDetail]:
    """Yield the lost details that concern a whole game of `match`, such as the game's number."""
    one, two = original.game, written.game
    if one.number not in (None, two.number):
        yield LostDetail("the number of a game", one.span)
    elif one.number != two.number and any(game.number is not None for game in match.games):
        yield LostDetail("that a game has no number", one.span)
    score = written.context.score[::-1] if are_sides_swapped else written.context.score
    if original.context.score != score:
        yield LostDetail("the score before a game", one.span)
    if written.context.crawford_known and not original.context.crawford_known:
        yield LostDetail("that it is unknown whether a game is the Crawford game", one.span)
    elif original.context.crawford != written.context.crawford:
        yield LostDetail("whether a game is the Crawford game", one.span)
    if one.score is not None and not all(one.score.names):
        yield LostDetail("that a player has no name", one.score.span)
    elif one.score is not None and _sort_names(one) != _sort_names(two):
        yield LostDetail("names of players as they were written", one.score.span)
    if one.cube not in (None, 1, two.cube):
        yield LostDetail("the value that the cube starts with", one.span)


def _sort_names(game: Game) -> list[str]:
    """Return the two names on a game's score line sorted, or an empty list without such a line."""
    return sorted(game.score.names) if game.score else []


class _OrientedTurn(NamedTuple):
    """A turn of the original or the written game, with left and right as in the original file."""

    turn: Turn
    key: tuple[Any, ...]
    """Key that stays the same when the turn is written and read again."""
    before: Boards
    after: Boards


def _orient_turns(game: GameReplay, are_sides_swapped: bool) -> Iterator[_OrientedTurn]:
    """Yield the turns of an original or written game with the original's left and right."""
    order = -1 if are_sides_swapped else 1
    for turn in game.turns:
        side = getattr(turn.action, "side", None)
        column = other_side(side) if are_sides_swapped and side is not None else side
        key = _make_comparison_key(turn.action, column)
        yield _OrientedTurn(turn, key, turn.before[::order], turn.after[::order])  # type: ignore[arg-type]


def _make_comparison_key(action: Action, side: Side | None) -> tuple[Any, ...]:
    """Return a key by which an action and the same action as written are equal.

    `side` is the acting side, in the columns of the original file.
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
    original: GameReplay, written: GameReplay, are_sides_swapped: bool
) -> Iterator[LostDetail]:
    """Yield the details of a game's actions that the written game has lost."""
    pairs = _pair_turns(
        sorted(_orient_turns(original, False), key=_is_ending),
        sorted(_orient_turns(written, are_sides_swapped), key=_is_ending),
    )
    actions = _GameActions(original)
    for turn, again in pairs:
        if again is None:
            what = (
                ()
                if _is_resignation_implied(turn.turn, actions, written)
                else _describe_missing_action(actions, turn.turn)
            )
        else:
            what = _describe_changed_action(written, turn, again)
        yield from (LostDetail(words, turn.turn.action.span) for words in what)
    yield from _compare_cells(pairs)
    late = _find_action_after_end(original.game)
    if late is not None and _find_action_after_end(written.game) is None:
        yield LostDetail("that a game went on after its end", late.span)
    is_stated, is_added = (
        any(isinstance(action, Result) for action in game.game.actions)
        for game in (original, written)
    )
    given_up = [a for a in original.game.actions if isinstance(a, Resignation) and not a.declined]
    if given_up and is_added and not is_stated:
        yield LostDetail("that a game ended by a resignation without a result", given_up[0].span)


def _is_ending(turn: _OrientedTurn) -> bool:
    """Whether a turn is a result or a resignation."""
    return isinstance(turn.turn.action, Result | Resignation)


_Pair = tuple[_OrientedTurn, _OrientedTurn | None]


def _pair_turns(original: list[_OrientedTurn], written: list[_OrientedTurn]) -> list[_Pair]:
    """Return each original turn together with its written turn, or None if it was not written."""
    again = dict(
        find_common_places([turn.key for turn in original], [turn.key for turn in written])
    )
    return [
        (turn, written[again[place]] if place in again else None)
        for place, turn in enumerate(original)
    ]


class _GameActions:
    """The actions of a game in the original file."""

    def __init__(self, game: GameReplay) -> None:
        self.game = game

    @cached_property
    def turns(self) -> _ActionSequence:
        """The actions in the order in which they are replayed."""
        return _ActionSequence([turn.action for turn in self.game.turns])

    @cached_property
    def doubles(self) -> _ActionSequence:
        """The doubles in the order in which the file lists them."""
        return _ActionSequence([a for a in self.game.game.actions if isinstance(a, Double)])


class _ActionSequence:
    """Actions of a game in some order, such as that in which they are replayed."""

    def __init__(self, actions: Sequence[Action]) -> None:
        self._actions = actions
        by_place = sorted((action.span, number) for number, action in enumerate(actions))
        self._spans = [span for span, _ in by_place]
        self._last = list(accumulate((number for _, number in by_place), max))

    def find_last_before(self, span: Span) -> Action | None:
        """Return the last of the actions that begin before `span` in the file, or None."""
        count = bisect_left(self._spans, span)
        return self._actions[self._last[count - 1]] if count else None


def _describe_missing_action(actions: _GameActions, turn: Turn) -> Iterator[str]:
    """Yield a phrase for an original action that the written game lacks.

    Nothing is yielded if a later action implies the missing one.
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


def _is_resignation_implied(turn: Turn, actions: _GameActions, written: GameReplay) -> bool:
    """Whether a turn is a resignation that needs no words in the written game.

    It needs none after an unplayed roll of the same side, if the written game ends in the same way.
    """
    action = turn.action
    ends = [(game.ending.kind, game.ending.winner) for game in (actions.game, written)]
    if not isinstance(action, Resignation) or action.declined or ends[0] != ends[1]:
        return False
    earlier = actions.turns.find_last_before(action.span)
    return earlier is not None and resigns_after_roll(earlier, action)


def resigns_after_roll(before: Action, resignation: Resignation) -> bool:
    """Whether the resigning side rolled just before and has not played the roll."""
    return (
        isinstance(before, Play)
        and before.how is PlayRecord.UNPLAYED
        and before.side == resignation.side
    )


def _is_beavered(actions: _GameActions, turn: Turn) -> bool:
    """Whether the last double before this turn is a beaver."""
    double = actions.doubles.find_last_before(turn.action.span)
    return isinstance(double, Double) and double.kind == "beaver"


def _describe_changed_action(
    game: GameReplay, original: _OrientedTurn, written: _OrientedTurn
) -> Iterator[str]:
    """Yield a phrase for each detail that an action has lost in writing.

    `game` is the written game.
    """
    one, two = original.turn.action, written.turn.action
    match one, two:
        case Play(), Play():
            yield from _compare_boards(original, written)
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


def _compare_stored_data(original: Action, written: Action) -> Iterator[str]:
    """Yield a phrase if an action's stored analysis, and one if its stored time, is lost."""
    analysis = getattr(original, "analysis", None)
    if analysis and not is_same_analysis(analysis, getattr(written, "analysis", None)):
        yield f"data that {analysis.program} stored with an action"
    if getattr(original, "seconds", None) not in (None, getattr(written, "seconds", None)):
        yield "how long an action took"


def _compare_boards(original: _OrientedTurn, written: _OrientedTurn) -> Iterator[str]:
    """Yield a phrase if a play from the same board was written with another result."""
    if original.before != written.before:
        return
    if _is_play_unrecorded(original.turn) and not _is_play_unrecorded(written.turn):
        yield "that no play is recorded for a roll"
    elif _find_broken_rule(original.turn) not in (None, _find_broken_rule(written.turn)):
        yield "how an illegal play was written"
    elif original.after != written.after:
        yield "the position after a play"


def _is_play_unrecorded(turn: Turn) -> bool:
    """Whether a turn has a roll without steps that is not recorded as a dance."""
    play = turn.action
    assert isinstance(play, Play)
    return turn.legality is None and not play.steps and play.how is not PlayRecord.CANNOT_MOVE


def _find_broken_rule(turn: Turn) -> str | None:
    """Return the name of the rule that a turn's play breaks, or None for no such rule."""
    return (
        None if turn.legality is None or turn.legality.fault is None else turn.legality.fault.name
    )


def _compare_plays(original: Play, written: Play) -> Iterator[str]:
    """Yield a phrase for each detail that a play has lost, such as its mark as illegal."""
    if original.called_illegal and not written.called_illegal:
        yield "the record's own mark that a play is illegal"
    if original.how is PlayRecord.UNREAD and written.how is not PlayRecord.UNREAD:
        yield "that part of a play was unreadable"
    if original.left_board is not None and written.left_board is not None:
        yield from _compare_set_ups(
            original.left_board, written.left_board._replace(on_roll=original.left_board.on_roll)
        )


def _compare_resignations(
    original: Resignation, written: Resignation, cube_value: int, result_points: int | None
) -> Iterator[str]:
    """Yield a phrase for each detail that a resignation has lost, such as its points."""
    if original.declined and not written.declined:
        yield "a resignation that was declined"
    if original.manner == "resigned-match" != written.manner:
        yield "that the match was resigned, not only the game"
    elif original.manner != written.manner:
        yield MISSING[Resignation]
    # Points that the written result states are not lost.
    if original.points not in (None, written.points, result_points):
        yield "the points that a resignation offers"
    if (
        original.size not in (None, written.size)
        and (original.size or 0) * cube_value != result_points
    ):
        yield "the size that a resignation offers"


def _compare_results(original: Result, written: Result) -> Iterator[str]:
    """Yield a phrase for each detail that a result has lost, such as its points."""
    if original.match and not written.match:
        yield "the words: and the match"
    if original.points < written.points:
        yield "that the points of a result are no more than the winner needed"
    elif original.points != written.points:
        yield "the points of a result"


def _compare_set_ups(original: SetUp, written: SetUp) -> Iterator[str]:
    """Yield a phrase for each detail that a set-up has lost, such as the side on roll."""
    if original.boards not in (None, written.boards):
        yield "that both sides hold a point"
    cube, again = ((set_up.cube_value, set_up.cube_owner) for set_up in (original, written))
    if original.cube_value is not None and cube != again:
        yield "the cube of a position"
    if original.on_roll not in (None, written.on_roll):
        yield "the side on roll in a position"
    if original.crawford not in (None, written.crawford):
        yield "the Crawford mark of a position"


def _compare_words(original: Comment | Unread, written: Comment | Unread) -> Iterator[str]:
    """Yield a phrase if the text of a comment, or of unreadable words, has changed."""
    if isinstance(original, Unread) and isinstance(written, Comment):
        yield "unreadable text became a comment"
    elif _join_blanks(original.text) != _join_blanks(written.text):
        text = "a comment" if isinstance(original, Comment) else "text"
        yield f"{text} that would be read as something else is quoted"
    elif original.text != written.text:
        yield BLANKS


def _compare_rulings(original: RulingMade, written: Action) -> Iterator[str]:
    """Yield a phrase if a director's ruling has become something else."""
    if isinstance(written, Comment):
        yield f"{RULING}, which became a comment"
    elif original._replace(span=written.span, row=None) != written._replace(row=None):
        yield RULING


def _compare_cells(pairs: Sequence[_Pair]) -> Iterator[LostDetail]:
    """Yield a lost detail for each two actions in one cell (half of a row) that are written in two.

    `pairs` has each original turn with its written turn, or with None.
    """
    for (one, one_again), (two, two_again) in pairwise(pairs):
        if one_again is None or two_again is None or not isinstance(two.turn.action, Play | Double):
            continue
        is_joined = share_cell(one_again.turn.action, two_again.turn.action)
        if share_cell(one.turn.action, two.turn.action) and not is_joined:
            yield LostDetail("that two actions were in one cell", two.turn.action.span)


def _find_action_after_end(game: Game) -> Action | None:
    """Return the first action that a game has after its end, or None."""
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
