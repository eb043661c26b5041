"""The `.bgm` format: holds everything in the model except oddities of the original text."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from bganalyze.board.plays import point_name
from bganalyze.board.position import BAR, OFF, Points, Step
from bganalyze.record.bgm import CHECKERS, MANNERS
from bganalyze.record.builder import join_lines
from bganalyze.record.conventions import list_convention_words
from bganalyze.record.grammar import grammar
from bganalyze.record.model import (
    REMARK,
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
    Tag,
    Unread,
)
from bganalyze.validation.replaying import MatchReplay

VERSION = 1
RESERVED = frozenset(
    (
        "l",
        "r",
        "left",
        "right",
        "length",
        "producer",
        "conventions",
        "game",
        "score",
        "tag",
        "ruling",
        "crawford",
        "cube",
    )
)
HOW = {PlayRecord.CANNOT_MOVE: "dance", PlayRecord.UNPLAYED: "?", PlayRecord.UNREAD: "unread"}

SIZES = {1: "single", 2: "gammon", 3: "backgammon"}
"""Words for the size of a resignation, in multiples of the cube value."""

_KEY = re.compile(r"(?![LRlr] )[A-Za-z][A-Za-z0-9 ]{0,40}")
_LINE_END = re.compile(r"[\r\n]")
_BLANKS = re.compile(r"\s+")


def write(replays: Sequence[MatchReplay]) -> bytes:
    """Return the matches in the `.bgm` format."""
    text = "\n".join(
        "".join(f"{line}\n" for line in _yield_match_lines(replay.match)) for replay in replays
    )
    return text.encode()


def _yield_match_lines(match: Match) -> Iterator[str]:
    """Yield the lines of a match: the header, then each game."""
    yield f"bganalyze match {VERSION}"
    names = match.names
    yield f"left: {names[0]}"
    yield f"right: {names[1]}"
    if match.length is not None:
        yield f"length: {match.length.points or 'money'}"
    yield f"producer: {match.conventions.producer}"
    yield f"conventions: {' '.join(list_convention_words(match.conventions))}".rstrip()
    yield from map(_write_tag_line, match.tags)
    for game in match.games:
        yield ""
        yield from _yield_lines_above_actions(game, names)
        names = game.names_or(names)
        yield from _yield_action_lines(game.actions)


def _write_tag_line(tag: Tag) -> str:
    """Return the line of a header entry, with quotation marks if a plain line would be misread.

    >>> from bganalyze.record.model import Span
    >>> _write_tag_line(Tag(Span(1, 1, 1), "left", "a"))
    'tag "left" "a"'
    """
    if tag.key == REMARK:
        return _write_comment_line(tag.value)
    plain = _KEY.fullmatch(tag.key) and tag.key.casefold() not in RESERVED
    if plain and tag.value == _BLANKS.sub(" ", tag.value).strip():
        return f"{tag.key}: {tag.value}"
    return f"tag {_quote_as_json(tag.key)} {_quote_as_json(tag.value)}"


def _quote_as_json(text: str) -> str:
    """Return a text in quotation marks, with escapes as in JSON."""
    return json.dumps(text, ensure_ascii=False)


def _yield_lines_above_actions(game: Game, names: tuple[str, str]) -> Iterator[str]:
    """Yield the lines above the actions of a game, such as its number and its score.

    `names` are the match's players; a player with another name in this game gets a line.
    """
    yield "game" if game.number is None else f"game {game.number}"
    if game.score is not None:
        for key, before, now in zip(("left", "right"), names, game.score.names, strict=True):
            if before != now:
                yield f"{key}: {now}"
        yield "score {}-{}".format(*game.score.points)
    if game.crawford is not None:
        yield f"crawford: {_write_yes_or_no(game.crawford)}"
    if game.cube is not None:
        yield f"cube: {game.cube}"


def _write_yes_or_no(flag: bool) -> str:
    """Return `yes` or `no`."""
    return "yes" if flag else "no"


# -- the actions ----------------------------------------------------------------------------------


def _yield_action_lines(actions: Iterable[Action]) -> Iterator[str]:
    """Yield the lines of a game's actions; the actions of one row share a line.

    An analysis stored with an action gets a line below it.
    """
    row: list[Action] = []
    for action in actions:
        if row and not _are_in_one_row(row[-1], action):
            yield _write_row_line(row)
            row = []
        if isinstance(action, Comment | RulingMade):
            yield write_line(action)
            continue
        row.append(action)
        stored = _collect_stored_data(action)
        if stored:
            yield _write_row_line(row)
            yield "@" + json.dumps(stored, ensure_ascii=False)
            row = []
    if row:
        yield _write_row_line(row)


def _collect_stored_data(action: Action) -> dict[str, Any]:
    """Return the analysis and the seconds stored with an action, as an object for JSON."""
    analysis, seconds = getattr(action, "analysis", None), getattr(action, "seconds", None)
    stored = {} if analysis is None else analysis._asdict()
    return stored if seconds is None else {**stored, "seconds": seconds}


def write_line(action: Comment | RulingMade) -> str:
    """Return a comment or a director's ruling as a line of its own, such as `; well played`."""
    if isinstance(action, Comment):
        return _write_comment_line(action.text)
    return write_ruling_line(action)


def write_ruling_line(ruling: RulingMade, names: Sequence[str] = "LR") -> str:
    """Return the line of a director's ruling, such as `ruling: 2 points to R (third illegal play)`.

    `names` are the words for the left and the right player.
    """
    return f"ruling: {write_ruling(ruling, names)}"


def write_ruling(ruling: RulingMade, names: Sequence[str] = "LR") -> str:
    """Return a director's ruling in words of the `.bgm` format.

    `names` are the words for the left and the right player.

    >>> from bganalyze.record.model import Span
    >>> given = PointsGiven(Span(1, 1, 1), row=None, to=1, points=2, reason="third illegal play")
    >>> write_ruling(given, ("Ann", "Bob"))
    '2 points to Bob (third illegal play)'
    >>> write_ruling(CheckersPutBack(Span(1, 1, 1), None, (Step((4, 5), (False,)),)))
    'checker put back L 4/5'
    """
    match ruling:
        case PointsGiven():
            plural = "s" * (ruling.points != 1)
            words = f"{ruling.points} point{plural} to {names[ruling.to]}"
        case GameReplayed():
            words = "game replayed"
        case CheckersPutBack():
            sides = zip(names, ruling.steps, strict=True)
            moved = [f"{side} {_write_movements(steps)}" for side, steps in sides if steps]
            checkers = "checker" if len(ruling.left) + len(ruling.right) == 1 else "checkers"
            words = f"{checkers} put back {' '.join(moved)}"
    return f"{words} ({join_lines(ruling.reason)})" if ruling.reason else words


def _write_movements(steps: Iterable[Step]) -> str:
    """Return movements of checkers as words; equal ones become one word with their number.

    >>> _write_movements([Step((8, 5), (False,)), Step((25, 22), (False,)), Step((8, 5), (False,))])
    '8/5(2) bar/22'
    """
    counts = Counter((path[0], path[-1]) for path, _ in steps)
    return " ".join(
        "/".join(map(point_name, path)) + (f"({count})" if count > 1 else "")
        for path, count in counts.items()
    )


def _write_comment_line(text: str) -> str:
    r"""Return the line of a comment, with quotation marks if a plain line would be misread.

    >>> _write_comment_line("well played"), _write_comment_line('"late"')
    ('; well played', '; "\\"late\\""')
    """
    plain = not _LINE_END.search(text) and text == text.lstrip(";").strip()
    return (
        f"; {text}".rstrip()
        if plain and not grammar("bgm").pattern("QUOTED").fullmatch(text)
        else f"; {_quote_as_json(text)}"
    )


def _are_in_one_row(one: Action, two: Action) -> bool:
    """Whether two actions stand in the same row of the match file that was read."""
    if isinstance(two, Comment | RulingMade):
        return False
    return (one.span.line, one.row) == (two.span.line, two.row)


def _write_row_line(row: list[Action]) -> str:
    """Return the line for all actions of one row of the match file that was read.

    >>> from bganalyze.record.model import Span
    >>> place = Span(1, 1, 1)
    >>> _write_row_line([Play(place, "3", 0, (3, 1), (Step((8, 5), (False,)),)), Answer(place, "3", 1, True)])
    '3. L 31 8/5 | R take'
    """
    cells = []
    for side, actions in groupby(row, key=lambda action: getattr(action, "side", None)):
        if side is None:
            cells += [write_action(action) for action in actions]
        else:
            cells.append(f"{'LR'[side]} " + " ; ".join(map(write_action, actions)))
    label = f"{row[0].row}. " if row[0].row is not None else ""
    return label + " | ".join(cells)


def write_action(action: Action) -> str:
    """Return an action as text of the `.bgm` format, such as `31 8/5 6/5` or `take`."""
    match action:
        case Play():
            return _write_play_text(action)
        case Double():
            return action.kind + ("" if action.value is None else f" {action.value}")
        case Answer():
            return "take" if action.taken else "pass"
        case Resignation():
            return _write_resignation_text(action)
        case Result():
            return f"wins {action.points}" + " match" * action.match
        case SetUp():
            return write_set_up(action)
        case Unread() | Comment():
            return _quote_as_json(action.text)
        case PointsGiven() | GameReplayed() | CheckersPutBack():
            return write_ruling(action)


def _write_resignation_text(action: Resignation) -> str:
    """Return a resignation as text of the `.bgm` format, such as `resigns 2`."""
    size = "" if action.size is None else f" {SIZES[action.size]}"
    points = "" if action.points is None else f" {action.points}"
    return MANNERS[action.manner] + size + points + " declined" * action.declined


def _write_play_text(play: Play) -> str:
    """Return a roll and its play as the `.bgm` format writes them, such as `31 8/5 6/5`."""
    words = ["--" if play.dice is None else "{}{}".format(*play.dice)]
    words += map(write_step, play.steps)
    if play.how in HOW:
        words.append(HOW[play.how])
    if play.called_illegal:
        words.append("illegal")
    if play.left_board is not None:
        words.append(f"leaves {write_set_up(play.left_board)}")
    return " ".join(words)


def write_step(step: Step) -> str:
    """Return one step as text with its hit marks, such as `bar/21*/off`.

    >>> write_step(Step((25, 21, 0), (True, False))), write_step(Step((0, 5), (False,)))
    ('bar/21*/off', '0/5')
    """
    start = "0" if step.path[0] == OFF else point_name(step.path[0])
    landings = zip(step.path[1:], step.marked, strict=True)
    return "/".join([start, *(point_name(at) + "*" * mark for at, mark in landings)])


def write_set_up(set_up: SetUp) -> str:
    """Return a set-up as text of the `.bgm` format, such as `cube 2 L turn R`.

    Board, cube and side on roll are written as far as the set-up states them.

    >>> from bganalyze.record.model import Span
    >>> cube = SetUp(Span(1, 1, 1), row=None, boards=None, cube_value=2, cube_owner=0, on_roll=1)
    >>> write_set_up(cube)
    'cube 2 L turn R'
    """
    words = []
    if set_up.boards is not None:
        left, right = map(_write_checkers, set_up.boards)
        words.append(f"board L {left} R {right}")
    if set_up.cube_value is not None:
        owner = "" if set_up.cube_owner is None else f" {'LR'[set_up.cube_owner]}"
        words.append(f"cube {set_up.cube_value}{owner}")
    if set_up.on_roll is not None:
        words.append(f"turn {'LR'[set_up.on_roll]}")
    if set_up.crawford is not None:
        words.append(f"crawford {_write_yes_or_no(set_up.crawford)}")
    return " ".join(words)


def _write_checkers(points: Points) -> str:
    """Return the checkers of a side as text, such as `24(2) 13(5)`."""
    words = [
        f"{point_name(point)}({points[point]})" for point in range(BAR, OFF, -1) if points[point]
    ]
    if sum(points) != CHECKERS or not words:
        words.append(f"off({points[OFF]})")
    return " ".join(words)
