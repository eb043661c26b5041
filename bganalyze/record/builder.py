"""Drafts of matches, and places in a text: shared by the readers of several formats.

Drafts define no `__eq__` or `__repr__`: generating them takes 1 % of the start of a check.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from lark import Token

from bganalyze.board.position import BAR, OFF, Step
from bganalyze.record.match_text.cells import PlayItem, parse_cell, place_items
from bganalyze.record.model import (
    MOST_DIGITS,
    REMARK,
    Action,
    Answer,
    Comment,
    Conventions,
    Double,
    Game,
    Length,
    Match,
    Play,
    PlayRecord,
    ReaderNote,
    Resignation,
    Result,
    ScoreLine,
    Side,
    Source,
    Span,
    Tag,
    Unread,
    other_side,
)
from bganalyze.record.prose import is_prose, is_title, may_be_comment, parse_title_entry


class DamagedError(ValueError):
    """A file of a known format that cannot be read; the message says why."""


def describe_damage(description: str) -> str:
    """Return the message that a binary file is damaged, and what the user can do.

    `description` names the format of the file.
    """
    remedy = "it is cut off or altered; copy it again, or save the match again"
    return f"a damaged file of {description}: {remedy}"


class Places:
    """A text in which places are found by offset, or by line and column."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0]
        for line in text.split("\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)

    def span(self, start: int, end: int) -> Span:
        r"""Return the place of the characters from offset `start` to `end`.

        It ends at the end of its first line.

        >>> Places("ab\ncdef\ng").span(4, 9)
        Span(line=2, column=2, end_column=5)
        """
        line = bisect_right(self._starts, start)
        first = self._starts[line - 1]
        end = max(min(end, self._starts[line] - 1), start)
        return Span(line, start - first + 1, end - first + 1)

    def offsets(self, span: Span) -> tuple[int, int]:
        r"""Return the offsets at which a place starts and ends.

        >>> Places("ab\ncdef\ng").offsets(Span(2, 2, 5))
        (4, 7)
        """
        first = self._starts[span.line - 1]
        return first + span.column - 1, first + span.end_column - 1


def join_lines(text: str) -> str:
    r"""Return a text on one line, with a blank for each line end.

    >>> join_lines("Ann\r\nLee")
    'Ann Lee'
    """
    return re.sub(r"[\r\n]+", " ", text)  # A replacement: nothing is parsed.


REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


def replace_lone_surrogates(text: str) -> str:
    r"""Return a text in which U+FFFD replaces each lone surrogate (half of a character in UTF-16).

    >>> replace_lone_surrogates("Ann\ud800")
    'Ann\ufffd'
    """
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def note_undecodable_bytes(text: str, misfits: Iterable[tuple[int, int]]) -> tuple[ReaderNote, ...]:
    r"""Return a note for each part of a text that was made from undecodable bytes.

    `misfits` has the start and end offset of each such part.

    >>> [note] = note_undecodable_bytes("a\nJ\x81n", [(3, 4)])
    >>> note.rule, note.span, note.text
    ('undecodable-bytes', Span(line=2, column=2, end_column=3), '\x81')
    """
    places = Places(text)
    return tuple(
        ReaderNote("undecodable-bytes", places.span(start, end), text[start:end])
        for start, end in misfits
    )


def place_of_token(token: Token, start: int = 0, end: int | None = None) -> Span:
    """Return the place in the file of `token[start:end]`.

    If `end` is None, return the place of the first line of the token, without the blanks around it.
    """
    assert token.line is not None
    assert token.column is not None
    if end is None:
        line = token.partition("\n")[0]
        start, end = len(line) - len(line.lstrip()), len(line.rstrip())
    return Span(token.line, token.column + start, token.column + max(start, end))


def yield_lines(lines: Token) -> Iterator[tuple[Span, str]]:
    r"""Yield each line of a token, after its place without the blanks around it.

    >>> [(span.line, line) for span, line in yield_lines(Token("ROWS", "1\tx\n2\ty", line=7))]
    [(7, '1\tx'), (8, '2\ty')]
    """
    for number, line in enumerate(lines.split("\n"), start=lines.line or 1):
        start = len(line) - len(line.lstrip())
        yield Span(number, start + 1, len(line.rstrip()) + 1), line


def read_points_on_line(
    line: Token, score: re.Match[str]
) -> tuple[tuple[int, int], tuple[Span, Span]]:
    """Return the points on a score line (left, right), and their places in the file.

    `score` is a regex match with the groups `left_points` and `right_points`.
    """
    names = ("left_points", "right_points")
    left, right = (int(score[name][:MOST_DIGITS]) for name in names)
    left_span, right_span = (place_of_token(line, *score.span(name)) for name in names)
    return (left, right), (left_span, right_span)


@dataclass(slots=True, eq=False, repr=False)
class GameDraft:
    """A game that is being read."""

    span: Span
    number: int | None = None
    score: ScoreLine | None = None
    actions: list[Action] = field(default_factory=list)
    crawford: bool | None = None
    cube: int | None = None

    def finish(self) -> Game:
        """Return the game as read so far."""
        actions = tuple(self.actions)
        return Game(self.span, self.number, self.score, actions, self.crawford, self.cube)


@dataclass(slots=True, eq=False, repr=False)
class MatchDraft:
    """A match that is being read."""

    length: Length | None = None
    tags: list[Tag] = field(default_factory=list)
    games: list[GameDraft] = field(default_factory=list)
    oddities: list[ReaderNote] = field(default_factory=list)

    def finish(
        self, source: Source, number: int, format_name: str, conventions: Conventions
    ) -> Match:
        """Return the match as read so far. `number` is its number in the file, from 1.

        `conventions` describe how the file writes plays.
        """
        games = tuple(game.finish() for game in self.games)
        tags, oddities = tuple(self.tags), tuple(self.oddities)
        return Match(source, number, format_name, self.length, tags, games, oddities, conventions)


def add_title(draft: MatchDraft, line: Token) -> None:
    """Add a header line to the match as an entry such as `Tournament: Open`, or as a comment."""
    text = line.strip()
    if not text:
        return
    entry = parse_title_entry(text)
    if entry is not None:
        draft.tags.append(Tag(place_of_token(line), *entry))
        return
    draft.tags.append(Tag(place_of_token(line), REMARK, text))
    # A comment that looks like a damaged part of a game gets a note.
    if not is_title(text):
        draft.oddities.append(note_unread_line(place_of_token(line), text))


def add_titles(draft: MatchDraft, lines: Token) -> None:
    """Add each line of a token to the match header; see `add_title`."""
    for span, line in yield_lines(lines):
        add_title(draft, Token(lines.type, line, line=span.line, column=1))


def note_unread_line(span: Span, text: str) -> ReaderNote:
    """Return the note that a line above the games cannot be read."""
    return ReaderNote("unreadable-text", span, text.strip())


def classify_double(actions: list[Action], side: Side) -> CubeTurning:
    """Return whether a double by `side` is a double, a beaver or a raccoon.

    A beaver answers the opponent's double, and a raccoon answers a beaver.
    """
    before = next((action for action in reversed(actions) if not isinstance(action, Comment)), None)
    if not isinstance(before, Double) or before.side == side:
        return "double"
    return "beaver" if before.kind == "double" else "raccoon"


CubeTurning = Literal["double", "beaver", "raccoon"]
Manner = Literal["resigned", "resigned-match", "forfeit", "time"]


def make_resignation(
    span: Span, row: str | None, winner: Side, points: int | None, manner: Manner = "resigned"
) -> list[Action]:
    """Return the resignation of the loser to `winner`, followed by the result if `points` is known.

    `manner` is the way of giving up, such as `time`.
    """
    actions: list[Action] = [Resignation(span, row, other_side(winner), points, manner)]
    if points is not None:
        actions.append(Result(span, row, winner, points))
    return actions


def append_acceptance(actions: list[Action], span: Span, row: str | None, side: Side) -> None:
    """Append a take by `side`, unless the opponent has just resigned."""
    if _find_open_resignation(actions, side) is None:
        actions.append(Answer(span, row, side, taken=True))


def append_refusal(actions: list[Action], span: Span, row: str | None, side: Side) -> None:
    """Append a pass by `side`, or mark the opponent's open resignation as declined."""
    offered = _find_open_resignation(actions, side)
    if offered is None:
        actions.append(Answer(span, row, side, taken=False))
    else:
        actions[-1] = offered._replace(declined=True)


def decline_open_resignation(actions: list[Action]) -> None:
    """Mark the last action as declined if it is a resignation."""
    if actions and isinstance(actions[-1], Resignation):
        actions[-1] = actions[-1]._replace(declined=True)


def _find_open_resignation(actions: list[Action], side: Side) -> Resignation | None:
    """Return the last action if it is a resignation that `side` has still to answer, else None."""
    last = actions[-1] if actions else None
    # Only the last action can still be answered.
    if isinstance(last, Resignation) and last.side != side and not last.declined:
        return last
    return None


# Plays whose roll is written apart from their steps, in any numbering of the points.

HOME = 6
"""Highest point of the home board."""

ROLL = "00: "
"""Prefix that turns steps into a cell, so that usual ones are read at once."""

DASHES = str.maketrans("-", "/")


def read_steps(
    text: str, offset: int, roll: Play, *, is_mirrored: bool | None = False
) -> Iterator[Play | Unread]:
    """Yield a play with the steps in `text`, then each unreadable part of `text`.

    `text` begins `offset` characters into `roll`. If `is_mirrored`, the steps are in the opponent's
    point numbers; if None, the direction of the first step decides.

    >>> roll = Play(Span(3, 1, 16), None, 1, (6, 2))
    >>> [play] = read_steps("1-7 12-14", 7, roll, is_mirrored=None)
    >>> [step.path for step in play.steps]
    [(24, 18), (13, 11)]
    """
    cell = ROLL + text.translate(DASHES)
    cell_items = parse_cell(cell)
    play = cell_items[0]
    assert isinstance(play, PlayItem)
    steps = play.steps
    if is_mirrored or (is_mirrored is None and _moves_up(steps)):
        steps = tuple(map(mirror_step, steps))
    shift = offset - len(ROLL)
    places = tuple((start + shift, end + shift) for start, end in play.places)
    how = play.how if len(cell_items) == 1 else PlayRecord.UNREAD
    span, row, side, dice = roll[:4]
    yield Play(span, row, side, dice, steps, places, how, play.called_illegal)
    for item in cell_items[1:]:
        start, end = item.start - len(ROLL), item.end - len(ROLL)
        yield _make_unread_part(text, start, end, offset, roll)


def _make_unread_part(text: str, start: int, end: int, offset: int, play: Play) -> Unread:
    """Return `text[start:end]` as unreadable text with its place in the file.

    `text` begins `offset` characters after the start of the play.
    """
    column = play.span.column + offset
    place = Span(play.span.line, column + start, column + end)
    return Unread(place, play.row, play.side, text[start:end].strip())


def _moves_up(steps: Iterable[Step]) -> bool:
    """Whether the first step leads to a higher point, which shows the opponent's point numbers."""
    for path, _ in steps:
        source, target = path[0], path[-1]
        # Entering on points 1 to 6 and bearing off from points 19 to 24 count as upward.
        if source == BAR:
            return target <= HOME
        if target == OFF:
            return source > BAR - 1 - HOME
        return source < target
    return False


def mirror_step(step: Step) -> Step:
    """Return a step with points numbered from the other side. Bar and off are unchanged.

    >>> mirror_step(Step((25, 3), (False,))).path
    (25, 22)
    """
    path = tuple(point if point in (BAR, OFF) else BAR - point for point in step.path)
    return Step(path, step.marked)


# A game read line by line: rolls that await their play, offers that await an answer.

Dice = tuple[int, int]


def parse_dice(roll: str) -> Dice:
    """Return the two dice in the text of a roll, such as `31` or `6 and 5`."""
    return int(roll[0]), int(roll[-1])


class Recorder:
    """Builds a game from its actions, which are added one by one.

    `row` is the number, as written, of the row with the next actions, or None.
    """

    def __init__(self, game: GameDraft) -> None:
        self.game = game
        self.row: str | None = None
        self.has_result = False
        self._rolled: Play | None = None

    def add_roll(self, span: Span, side: Side, dice: Dice) -> None:
        """Remember a roll until its play is added; the same roll again changes nothing."""
        if self._rolled is not None and (self._rolled.side, self._rolled.dice) == (side, dice):
            return
        self.keep_unplayed_roll()
        decline_open_resignation(self.game.actions)
        self._rolled = Play(span, self.row, side, dice, how=PlayRecord.UNPLAYED)

    def keep_unplayed_roll(self) -> None:
        """Add the remembered roll, if any, as a roll without a play."""
        if self._rolled is not None:
            self.game.actions.append(self._rolled)
        self._rolled = None

    def add_play(
        self, span: Span, side: Side, text: str, offset: int, is_mirrored: bool | None = False
    ) -> None:
        """Add a play by `side` with the remembered roll and the steps in `text`.

        `text` begins `offset` characters into `span`. `is_mirrored` is as for `read_steps`.
        """
        turn = self.begin_play(span, side)
        self.add_roll_and_play(turn, text, offset, is_mirrored)

    def add_roll_and_play(
        self, roll: Play, text: str, offset: int, is_mirrored: bool | None = False
    ) -> None:
        """Add a play with the steps in `text`, unless it repeats the last play.

        `text` begins `offset` characters into `roll`. `is_mirrored` is as for `read_steps`.
        """
        self._clear_last_roll(roll)
        decline_open_resignation(self.game.actions)
        before = self.game.actions[-1] if self.game.actions else None
        actions = list(read_steps(text, offset, roll, is_mirrored=is_mirrored))
        if isinstance(before, Play) and isinstance(actions[0], Play):
            _, _, side, dice, steps, *_ = actions[0]
            # In some formats the roll is separate, and the first of the two plays used it.
            same_roll = dice in (None, before.dice)
            if before.steps and same_roll and (before.side, before.steps) == (side, steps):
                del actions[0]
        self.game.actions.extend(actions)

    def add_parsed_turn(
        self, parts: re.Match[str], span: Span, side: Side, *, is_mirrored: bool = False
    ) -> None:
        """Add a roll and its play, from the groups `dice` and `steps` of a regex match.

        `is_mirrored` is as for `read_steps`.
        """
        turn = Play(span, self.row, side, parse_dice(parts["dice"]))
        self.add_roll_and_play(
            turn, parts["steps"] or "", parts.start("steps") + 1 - span.column, is_mirrored
        )

    def add_dance(self, roll: Play) -> None:
        """Add a roll that has no legal play."""
        self._clear_last_roll(roll)
        decline_open_resignation(self.game.actions)
        before = self.game.actions[-1] if self.game.actions else None
        danced = (roll.side, PlayRecord.CANNOT_MOVE)
        # A repetition: the dance without dice follows a dance by the same side.
        if roll.dice is None and isinstance(before, Play) and (before.side, before.how) == danced:
            return
        self.game.actions.append(roll._replace(how=PlayRecord.CANNOT_MOVE))

    def _clear_last_roll(self, play: Play) -> None:
        """Forget the remembered roll if `play` uses it, else add it as a roll without a play."""
        rolled = self._rolled
        if rolled is not None and (rolled.side, rolled.dice) == (play.side, play.dice):
            self._rolled = None
        self.keep_unplayed_roll()

    def begin_play(self, span: Span, side: Side) -> Play:
        """Return a play by `side` without steps, with the dice of the remembered roll.

        If `side` has not just rolled, the dice are None.
        """
        dice = self._rolled.dice if self._rolled and self._rolled.side == side else None
        return Play(span, self.row, side, dice)

    def add_double(self, span: Span, side: Side, value: int | None) -> None:
        """Add a double by `side`, or a beaver or raccoon if it answers a double.

        `value` is the new cube value, or None if not stated.
        """
        self.keep_unplayed_roll()
        decline_open_resignation(self.game.actions)
        kind = classify_double(self.game.actions, side)
        self.game.actions.append(Double(span, self.row, side, value, kind))

    def add_acceptance(self, span: Span, side: Side) -> None:
        """Add a take by `side`, unless `side` accepts the opponent's resignation."""
        append_acceptance(self.game.actions, span, self.row, side)

    def add_refusal(self, span: Span, side: Side) -> None:
        """Add a pass by `side`, or mark the opponent's open resignation as declined."""
        append_refusal(self.game.actions, span, self.row, side)

    def add_pass(self, span: Span, side: Side) -> None:
        """Add a pass of the cube by `side`."""
        self.game.actions.append(Answer(span, self.row, side, taken=False))

    def add_resignation(
        self, span: Span, side: Side, points: int | None = None, manner: Manner = "resigned"
    ) -> None:
        """Add a resignation by `side`, which the opponent may still decline.

        `points` is the number that `side` gives up. `manner` is the way of giving up, such as
        `time`.
        """
        self.keep_unplayed_roll()
        self.game.actions.append(Resignation(span, self.row, side, points, manner))

    def add_action(self, word: str, span: Span, side: Side, value: int | None = None) -> None:
        """Add an action by its word: `double`, `take`, `drop` (a pass) or `resignation`.

        `value` is the new cube value of a double, or None.
        """
        match word:
            case "double":
                self.add_double(span, side, value)
            case "take":
                self.add_acceptance(span, side)
            case "drop":
                self.add_refusal(span, side)
            case "resignation":
                self.add_resignation(span, side)

    def add_double_with_answer(
        self, span: Span, side: Side, value: int | None, *, is_taken: bool
    ) -> None:
        """Add a double by `side`, then a take of the opponent if `is_taken`, else a pass.

        `value` is the new cube value, or None if not stated.
        """
        self.add_double(span, side, value)
        if is_taken:
            self.add_acceptance(span, other_side(side))
        else:
            self.add_pass(span, other_side(side))

    def add_result(self, span: Span, side: Side, points: int) -> None:
        """Add the result of the game: `side` won `points`."""
        self.keep_unplayed_roll()
        self.game.actions.append(Result(span, None, side, points))
        self.has_result = True

    def keep_unknown_line(self, token: Token) -> None:
        """Add an unknown line: a sentence as a comment, anything else as unreadable text."""
        self._keep_text(token, is_comment=is_prose(token))

    def keep_damaged_line(self, token: Token) -> None:
        """Add a line as unreadable text, even if it looks like prose."""
        self._keep_text(token, is_comment=False)

    def keep_comment(self, token: Token) -> None:
        """Add a line as a comment, whatever its text."""
        self._keep_text(token, is_comment=True)

    def keep_probable_comment(self, token: Token) -> None:
        """Add a line as a comment, or as unreadable text if it resembles a part of the game."""
        self._keep_text(token, is_comment=may_be_comment(token))

    def _keep_text(self, token: Token, *, is_comment: bool) -> None:
        """Add a line as a comment or as unreadable text, unless it is blank."""
        text = token.strip()
        if text and is_comment:
            self.game.actions.append(Comment(place_of_token(token), None, text))
        elif text:
            self.game.actions.append(Unread(place_of_token(token), self.row, None, text))


def begin_game(
    draft: MatchDraft,
    span: Span,
    number: int | None,
    names: tuple[str, str],
    points: tuple[int, int] | None = None,
    places_of_points: tuple[Span, Span] | None = None,
) -> Recorder:
    """Add a game to a match, and return the recorder of its actions.

    `number` is the number of the game as written. `points` are those on the score line, left first,
    or None without a score line.
    """
    score = ScoreLine(span, names, points or (0, 0), places_of_points or (span, span))
    # Without a score line, only the first game has a score: 0-0.
    is_stated = points is not None or not draft.games
    draft.games.append(GameDraft(span, number, score if is_stated else None))
    return Recorder(draft.games[-1])


def add_cell(
    draft: MatchDraft, text: str, line: int, column: int, row: str | None, side: Side
) -> None:
    """Add the actions in a cell, one side's half of a row, to the last game.

    The cell begins at `line` and `column`. `row` is the row number as written.
    """
    for action in place_items(parse_cell(text), line, column, row, side):
        if isinstance(action, ReaderNote):
            draft.oddities.append(action)
        else:
            draft.games[-1].actions.append(action)


def finish_matches(
    drafts: list[MatchDraft], source: Source, format_name: str, conventions: Conventions
) -> list[Match]:
    """Return the matches of a file, numbered from 1, or else one empty match.

    `conventions` describe how the file writes plays.
    """
    return [
        draft.finish(source, number, format_name, conventions)
        for number, draft in enumerate(drafts or [MatchDraft()], start=1)
    ]
