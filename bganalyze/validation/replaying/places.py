"""Places in a match as people name them: `2.14R` is game 2, row 14, right side; `41` is line 41."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.board.ids import Situation
from bganalyze.board.movement import are_dice
from bganalyze.board.position import Position
from bganalyze.board.rule_book import BASIC
from bganalyze.errors import BganalyzeError
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    SIDE_NAMES,
    Comment,
    Play,
    SetUp,
    Side,
    Span,
    other_side,
)
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying import MatchReplay
from bganalyze.validation.replaying.replayed import Context, GameReplay, Turn
from bganalyze.validation.replaying.terms import start_of, terms_of

_PLACE = r"(\d{1,9})\.(\d{1,9})([LR])?"
_LINE = r"(\d{1,9})(?:([LR])|:(\d{1,9}))?"
_SIDES: dict[str | None, Side | None] = {"L": LEFT, "R": RIGHT, None: None}


class PlaceError(BganalyzeError, ValueError):
    """Text that is no place, or a place where the match has no action."""


class RowPlace(NamedTuple):
    """A game, a row number as written, and a side; without a side, the row's first action."""

    game: int
    row: str
    side: Side | None


class LinePlace(NamedTuple):
    """A line of the file, with a side or a column; with neither, the line's first action."""

    line: int
    side: Side | None = None
    column: int | None = None


def parse_place(text: str) -> RowPlace | LinePlace:
    """Parse a place such as `2.14R` (game, row, side) or `41` (line), or raise PlaceError.

    >>> parse_place("2.14R")
    RowPlace(game=2, row='14', side=1)
    >>> parse_place("41"), parse_place("41:38")
    (LinePlace(line=41, side=None, column=None), LinePlace(line=41, side=None, column=38))
    """
    if match := re.fullmatch(_PLACE, text.strip(), re.IGNORECASE):
        game, row, side = match.groups()
        return RowPlace(int(game), row, _SIDES[side and side.upper()])
    if match := re.fullmatch(_LINE, text.strip(), re.IGNORECASE):
        line, side, column = match.groups()
        return LinePlace(int(line), _SIDES[side and side.upper()], int(column) if column else None)
    raise PlaceError(
        f"{text!r} is no place; game 2, row 14, right side is written 2.14R,"
        " and a place in line 41 of the file is written 41, 41R or 41:38"
    )


def turn_at(replayed: MatchReplay, place: RowPlace) -> Turn:
    """Return the first turn in the row and, if given, on the side of `place`.

    Raises PlaceError if there is none.
    """
    if not 0 < place.game <= len(replayed.games):
        raise PlaceError(f"no game {place.game}; the match has {len(replayed.games)}")
    game = replayed.games[place.game - 1]
    for turn in _number_turns(game):
        if _is_at_place(turn, place):
            return turn
    on_side = "" if place.side is None else f" on the {SIDE_NAMES[place.side]}"
    raise PlaceError(
        f"game {place.game} has nothing in row {place.row}{on_side}{_describe_rows(game)}"
    )


def turn_on_line(replays: Iterable[MatchReplay], place: LinePlace) -> tuple[MatchReplay, Turn]:
    """Return the turn on a line of the file, with its match, or raise PlaceError.

    If the line has several turns, the side or the column in `place` chooses one.
    """
    entries: list[_Entry] = [
        (replayed, turn)
        for replayed in replays
        for game in replayed.games
        for turn in game.turns
        if not isinstance(turn.action, Comment)
    ]
    there = [
        entry
        for entry in entries
        if entry[1].action.span.line == place.line
        and place.side in (None, getattr(entry[1].action, "side", None))
    ]
    # A line may continue a long row that a mail program wrapped.
    if not there and (continued := _find_continued_turn(entries, place)):
        return continued
    if not there:
        on_side = "" if place.side is None else f" on the {SIDE_NAMES[place.side]}"
        lines = [turn.action.span.line for _, turn in entries]
        raise PlaceError(
            f"line {place.line} has no action{on_side}{_name_next_line(lines, place)}{_suggest_row(place)}"
        )
    started = [entry for entry in there if entry[1].action.span.column <= (place.column or 0)]
    return started[-1] if started else there[0]


_Entry = tuple[MatchReplay, Turn]


def _find_continued_turn(entries: Sequence[_Entry], place: LinePlace) -> _Entry | None:
    """Return the turn whose long row was wrapped (by e-mail, say) onto this line, or None."""
    above = [entry for entry in entries if entry[1].action.span.line < place.line]
    if not above:
        return None
    replayed, turn = max(above, key=lambda entry: entry[1].action.span[:2])
    source, span = replayed.match.source, turn.action.span
    end_of_line = len(source.lines[place.line - 1]) + 1 if place.line <= len(source.lines) else 1
    row = source.cleaned_line_at(span.line, span.column)
    places = (place.line, place.column or end_of_line), (place.line, end_of_line)
    # At the end of the line no other row, such as a score line, may have begun.
    if any(source.cleaned_line_at(*each) != row for each in places):
        return None
    is_of_side = place.side in (None, getattr(turn.action, "side", None))
    return (replayed, turn) if is_of_side else None


def turn_of_finding(replayed: MatchReplay, finding: Finding) -> Turn:
    """Return the turn to show with a finding: the turn at the finding's place, or the next one.

    If no such turn exists, return a turn that has a board but no action.
    """
    games = replayed.games
    if finding.game is not None:
        games = games[finding.game - 1 : finding.game] or games
    if not games:
        return _make_turn_at_start(replayed, finding)
    turns = [turn for game in games for turn in game.turns]
    place = (finding.line, finding.column)
    exact = [turn for turn in turns if turn.action.span[:2] == place]
    stated = [turn for turn in map(_make_turn_of_board_after, exact) if turn is not None]
    same = [turn for turn in (*exact, *stated) if situation_before(turn) == finding.situation]
    turns = [turn for turn in turns if not isinstance(turn.action, Comment)]
    on_line = [turn for turn in turns if turn.action.span.line == finding.line]
    started = [turn for turn in on_line if turn.action.span.column <= finding.column]
    later = [turn for turn in turns if turn.action.span[:2] > place]
    found = (*same[:1], *exact[:1], *started[-1:], *on_line[:1], *later[:1])
    return found[0] if found else _make_turn_at_end(games[-1])


def _make_turn_of_board_after(turn: Turn) -> Turn | None:
    """Return a turn that shows the board recorded after an illegal play, or None."""
    action = turn.action
    if not isinstance(action, Play) or action.left_board is None:
        return None
    return turn._replace(action=action.left_board)


def _make_turn_at_end(game: GameReplay) -> Turn:
    """Return a turn without an action that shows the board at the end of the game."""
    start, context = start_of(game.context.terms.variant), game.context
    boards = game.turns[-1].after if game.turns else start
    span = game.turns[-1].action.span if game.turns else game.game.span
    return Turn(context, Comment(span, None, ""), boards, boards, game.cube, None)


def _make_turn_at_start(replayed: MatchReplay, finding: Finding) -> Turn:
    """Return a turn without an action that shows the starting position."""
    terms = terms_of(replayed.match, BASIC)
    context, boards = Context(1, terms, (0, 0), False, True, 1), start_of(terms.variant)
    span = Span(finding.line, finding.column, finding.end_column)
    return Turn(context, Comment(span, None, ""), boards, boards, Cube(), None)


def has_no_action(turn: Turn) -> bool:
    """Whether a turn has no action and only shows the board after a game or before a match."""
    return isinstance(turn.action, Comment) and not turn.action.text


def first_turn_after_set_up(replayed: MatchReplay, turn: Turn) -> Turn:
    """Return the first action on the line of a recorded position (set-up).

    Without such an action, return `turn` with the recorded board before it. A turn that is no
    set-up is returned as it is.
    """
    action = turn.action
    if not isinstance(action, SetUp):
        return turn
    turns = replayed.games[turn.context.game - 1].turns
    there = (
        other
        for other in turns
        if other.action.span.line == action.span.line
        and not isinstance(other.action, SetUp | Comment)
    )
    owner = turn.cube.owner if action.cube_value is None else action.cube_owner
    cube = Cube(action.cube_value or turn.cube.value, owner)
    return next(there, turn._replace(before=turn.after, cube=cube))


def _name_next_line(lines: Sequence[int], place: LinePlace) -> str:
    """Return text for an error message that names the next line with an action, or else the last.

    >>> _name_next_line([5, 6], LinePlace(3)), _name_next_line([5, 6], LinePlace(9))
    ('; the next one is in line 5', '; the last one is in line 6')
    """
    if not lines:
        return ""
    later = [line for line in lines if line > place.line]
    if later:
        return f"; the next one is in line {min(later)}"
    return f"; the last one is in line {max(lines)}"


def _suggest_row(place: LinePlace) -> str:
    """Return text for an error message that suggests a game and row written like a line and column.

    >>> _suggest_row(LinePlace(line=2, column=14))
    '; row 14 of game 2 is written 2.14'
    """
    if place.column is None:
        return ""
    return f"; row {place.column} of game {place.line} is written {place.line}.{place.column}"


def name_places(game: GameReplay) -> tuple[str, ...]:
    """Return the place of each turn of a game, such as `2.14R` (game, row, side).

    Turns in rows that have no number or occur twice are named by line and column.
    """
    turns = [turn for turn in _number_turns(game) if not isinstance(turn.action, Comment)]
    starts = [turn.action.span[:2] for turn in turns]
    named: list[str] = []
    for number, turn in enumerate(turns):
        side, row = getattr(turn.action, "side", None), (turn.action.row or "").strip()
        in_row = f"{turn.context.game}.{row}{'LR'[side or LEFT]}"
        if side is not None and row.isdecimal() and in_row not in named:
            named.append(in_row)
        else:
            following = starts[number + 1 :].count(starts[number])
            in_file = "{}:{}".format(*starts[number])
            named.append(f"{in_file}-{following}" if following else in_file)
    # Game, row and side, or else line and column.
    return tuple(named)


def side_of(turn: Turn) -> Side:
    """Return the side that makes a turn, or left if neither side makes it."""
    action = turn.action
    side: Side | None = getattr(action, "on_roll" if isinstance(action, SetUp) else "side", None)
    return LEFT if side is None else side


def situation_before(turn: Turn) -> Situation:
    """Return the situation before a turn: board, cube, score, match length and roll.

    A recorded position (set-up) gives its own board and cube. While a double is unanswered, the
    doubling side counts as on roll.
    """
    if isinstance(turn.action, SetUp):
        return _read_situation(turn, turn.action)
    dice = turn.action.dice if isinstance(turn.action, Play) else None
    if dice is not None and are_dice(dice):
        return turn.situation(side_of(turn), dice)
    doubled = turn.cube.keeper
    return turn.situation(side_of(turn) if doubled is None else other_side(doubled), None)


def _read_situation(turn: Turn, action: SetUp) -> Situation:
    """Return the situation that a recorded position (set-up) states by its board and cube."""
    side = side_of(turn)
    situation = turn.situation(side, None)
    if action.boards is not None:
        stated = Position(action.boards[side], action.boards[1 - side])
        situation = situation._replace(position=stated)
    if action.cube_value is not None and not turn.cube.is_open:
        situation = situation._replace(cube_value=action.cube_value, cube_owner=action.cube_owner)
    return situation


def _number_turns(game: GameReplay) -> Sequence[Turn]:
    """Return the turns of a game, numbered in order if no row has a number."""
    turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
    if any(turn.action.row for turn in turns):
        return game.turns
    return tuple(
        turn._replace(action=turn.action._replace(row=str(number)))
        for number, turn in enumerate(turns, start=1)
    )


def _is_at_place(turn: Turn, place: RowPlace) -> bool:
    """Whether a turn is in the row that `place` names, and of the side if `place` names one."""
    action = turn.action
    if isinstance(action, Comment) or action.row is None or action.row.strip() != place.row:
        return False
    return place.side in (None, getattr(action, "side", None))


def _describe_rows(game: GameReplay) -> str:
    """Return text for a message on the rows of a game, such as `; its rows go from 1 to 23`."""
    rows = [turn.action.row for turn in _number_turns(game) if turn.action.row]
    return f"; its rows go from {rows[0]} to {rows[-1]}" if rows else ""
