"""A match to be played through: every position with what was done there, as data for a page.

All boards are made here. The script that shows them, `pages/player.js`, draws and knows no rules.
Nothing is imported that a check in a page under Pyodide does without: what an engine says is worded
only where there is some.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bganalyze.board.ids import xgid
from bganalyze.board.plays import can_move, legal_plays, notation
from bganalyze.board.position import Points, Step, pips
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Answer,
    Comment,
    Double,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Side,
    Unread,
)
from bganalyze.record.seats import Seats, seats_of
from bganalyze.text import number_of, printable
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.facts import Boards, GameReplay, Turn
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import GameOutcome, outcome_of
from bganalyze.validation.replaying.places import places_of, side_of, situation_before
from bganalyze.validation.replaying.readings import AS_RECORDED
from bganalyze.validation.rules.disputed import game_in_words
from bganalyze.validation.rules.words import in_the_record, record_says, remedy

if TYPE_CHECKING:
    from bganalyze.analysis.describe import Problem
    from bganalyze.analysis.match import AnalyzedMatch

Spot: TypeAlias = tuple[int, int, int]
"""A game, and a line and a column of the file."""

_UNPLAYED = {
    PlayRecord.PLAYED: "no play recorded",
    PlayRecord.EMPTY: "no play recorded",
    PlayRecord.CANNOT_MOVE: "cannot move",
    PlayRecord.UNPLAYED: "no play recorded",
    PlayRecord.UNREAD: "cannot be read",
}
_OFFERS = {"double": "doubles", "beaver": "beavers", "raccoon": "raccoons"}
_MANNERS = {
    "resigned": "resigns",
    "resigned-match": "resigns the match",
    "forfeit": "forfeits the game",
    "time": "loses on time",
}
_SEVERITIES = {"very bad": "error", "bad": "warning", "doubtful": "info"}


class Variation(NamedTuple):
    """A play that could have been made."""

    text: str
    moves: tuple[tuple[int, ...], ...]
    """The points that each checker touches, in the numbering of its side."""
    after: int
    """The board it leaves, by its place among the boards."""


class Remark(NamedTuple):
    """What is to be said of a position."""

    kind: str
    """`finding`, or an engine's `evaluation`."""
    severity: str
    """`slight` for what cost too little to be marked, in the time line and for who looks for errors."""
    title: str
    lines: tuple[str, ...]
    plays: tuple[Variation, ...]
    """The legal plays, or the better one."""


class Frame(NamedTuple):
    """A position and what was done there. Sides are seats: those of the first game."""

    place: str
    """As `bganalyze show` takes it; `2.end` for the board after the last action of a game."""
    row: str
    seat: int
    """Whose action it is: 0 left, 1 right."""
    kind: str
    """What is done: `play`, `double`, `answer` and so on."""
    text: str
    dice: str
    moves: tuple[tuple[int, ...], ...]
    """As in a variation."""
    before: int
    """The board, by its place among the boards."""
    after: int
    cube: int
    owner: int | None
    offered: tuple[int, int] | None
    """The value of a cube on offer, and who is to answer."""
    verified: bool
    """False where the board is in doubt."""
    xgid: str
    remarks: tuple[Remark, ...]


class GameFrames(NamedTuple):
    """The positions of a game."""

    title: str
    score: tuple[int, int]
    frames: tuple[Frame, ...]


class PlacedTurn(NamedTuple):
    """A turn with its place, and the spot where it is written."""

    spot: Spot
    place: str
    turn: Turn


class Playback(NamedTuple):
    """A match to be played through."""

    number: int
    """The match in its file, from 1."""
    names: tuple[str, str]
    length: int
    """0 for money play, or where it is not recorded."""
    boards: tuple[tuple[str, str, int, int], ...]
    """Each board once: left's checkers, right's, and both pip counts. `b2m5` is 2 on the ace point
    and 5 on the twelfth; `a` is off and `z` the bar."""
    games: tuple[GameFrames, ...]
    entries: tuple[PlacedTurn, ...]

    def address(self, spot: Spot) -> str:
        """Return what a page calls the frame of a spot; empty where there is none."""
        entry = _begun(spot, self.entries)
        prefix = "" if self.number == 1 else f"{self.number}/"
        return "" if entry is None else prefix + entry.place


def playback(
    replayed: MatchReplay,
    findings: Iterable[Finding] = (),
    rule_book: RuleBook = BASIC,
    analyzed: AnalyzedMatch | None = None,
    names: tuple[str, str] | None = None,
) -> Playback:
    """Return a match with all its positions, what was found in them, and what an engine says.

    `names` are the players as they sit in the first game; those of the match unless told otherwise.
    """
    match = replayed.match
    names = names or match.names
    boards = _Boards(_seats(match))
    entries = tuple(entry for game in replayed.games for entry in _entries(game))
    remarks: dict[str, list[Remark]] = defaultdict(list)
    for finding in findings:
        entry = _found_at(finding, entries)
        if entry is not None:
            remarks[entry.place].append(_of_finding(finding, entry.turn, rule_book, boards))
    for entry, problem in _problems(analyzed, entries):
        remarks[entry.place].append(_of_problem(problem, entry.turn, boards))
    outcomes = outcome_of(replayed).games
    games = [
        _game(game, outcome, names, remarks, boards)
        for game, outcome in zip(replayed.games, outcomes, strict=True)
        if _entries(game)
    ]
    length = replayed.games[0].context.terms.length if games else 0
    return Playback(match.number, names, length or 0, boards.all(), tuple(games), entries)


def as_json(match: Playback) -> str:
    """Return a match as the script of a page takes it, fit to stand in a page.

    A frame is a list of its values, which `fields` names.
    """
    data = match._asdict() | {
        "fields": Frame._fields,
        "games": [game._asdict() for game in match.games],
    }
    del data["entries"]
    written = json.dumps(_printable(data), ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c")


def _printable(value: Any) -> Any:
    """The same with all text fit to be shown; remarks and variations by the names of their fields."""
    match value:
        case str():
            return printable(value)
        case Remark() | Variation():
            return _printable(value._asdict())
        case dict():
            return {name: _printable(item) for name, item in value.items()}
        case tuple() | list():
            return [_printable(item) for item in value]
    return value


def _entries(game: GameReplay) -> list[PlacedTurn]:
    turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
    return [
        PlacedTurn((turn.context.game, turn.action.span.line, turn.action.span.column), place, turn)
        for turn, place in zip(turns, places_of(game), strict=True)
    ]


def _begun(spot: Spot, entries: Iterable[PlacedTurn]) -> PlacedTurn | None:
    """The last entry of the game that begins at a spot or before, else its first."""
    in_game = [entry for entry in entries if entry.spot[0] == spot[0]]
    last = max((entry.spot for entry in in_game if entry.spot <= spot), default=None)
    return next((entry for entry in in_game if last in (None, entry.spot)), None)


def _found_at(finding: Finding, entries: Sequence[PlacedTurn]) -> PlacedTurn | None:
    """The entry that a finding is about: of several in one spot the one with its position."""
    line = finding.game or 0, finding.line
    alike = [
        entry
        for entry in entries
        if entry.spot[:2] == line and situation_before(entry.turn) == finding.situation
    ]
    return _begun((*line, finding.column), alike or entries)


def _seats(match: Match) -> Seats:
    """Return who sits in whose column in which game."""
    lines = ((number, game.score) for number, game in enumerate(match.games, 1))
    return seats_of(match.names, ((number, line.names) for number, line in lines if line))


class _Boards:
    """The boards of a match by seats, each kept once."""

    def __init__(self, seats: Seats) -> None:
        self.seat = seats.seat
        self._numbers: dict[tuple[str, str, int, int], int] = {}

    def number(self, game: int, sides: Boards) -> int:
        """Return the place among them of a board of a game."""
        left, right = (sides[self.seat(game, seat)] for seat in (LEFT, RIGHT))
        board = _checkers(left), _checkers(right), pips(left), pips(right)
        return self._numbers.setdefault(board, len(self._numbers))

    def all(self) -> tuple[tuple[str, str, int, int], ...]:
        """Return them in their order."""
        return tuple(self._numbers)


def _checkers(points: Points) -> str:
    return "".join(f"{chr(ord('a') + point)}{count}" for point, count in enumerate(points) if count)


# The games and their frames.


def _game(
    game: GameReplay,
    outcome: GameOutcome,
    names: tuple[str, str],
    remarks: Mapping[str, Sequence[Remark]],
    boards: _Boards,
) -> GameFrames:
    number, (left, right) = game.context.game, game.context.score
    frames = [_frame(entry, remarks.get(entry.place, ()), boards) for entry in _entries(game)]
    last = frames[-1]
    if last.after != last.before:
        frames.append(
            last._replace(
                place=f"{number}.end",
                row="",
                kind="end",
                text=_end(game, outcome, names, boards),
                dice="",
                moves=(),
                before=last.after,
                cube=game.cube.value,
                owner=_owner(game.cube.owner, number, boards),
                offered=None,
                xgid="",
                remarks=(),
            )
        )
    return GameFrames(
        title=f"Game {number}{', Crawford' if game.context.crawford else ''}",
        score=(right, left) if boards.seat(number, LEFT) else (left, right),
        frames=tuple(frames),
    )


def _frame(entry: PlacedTurn, remarks: Sequence[Remark], boards: _Boards) -> Frame:
    turn = entry.turn
    action, cube, game = turn.action, turn.cube, turn.context.game
    situation = situation_before(turn)
    return Frame(
        place=entry.place,
        row=(action.row or "").strip(),
        seat=boards.seat(game, side_of(turn)),
        kind=type(action).__name__.lower(),
        text=_text(turn),
        dice="" if situation.dice is None else "{}{}".format(*situation.dice),
        moves=_moves(action.steps) if isinstance(action, Play) else (),
        before=boards.number(game, turn.before),
        after=boards.number(game, turn.after),
        cube=cube.value,
        owner=_owner(cube.owner, game, boards),
        offered=_offered(turn, boards),
        verified=turn.verified,
        xgid=xgid(situation),
        remarks=tuple(remarks),
    )


def _owner(owner: Side | None, game: int, boards: _Boards) -> int | None:
    return None if owner is None else boards.seat(game, owner)


def _offered(turn: Turn, boards: _Boards) -> tuple[int, int] | None:
    action, cube, game = turn.action, turn.cube, turn.context.game
    if isinstance(action, Double):
        return action.value or cube.next_value, 1 - boards.seat(game, action.side)
    if cube.offered_by is None:
        return None
    return cube.offer, 1 - boards.seat(game, cube.offered_by)


def _moves(steps: Iterable[Step]) -> tuple[tuple[int, ...], ...]:
    return tuple(step.path for step in steps)


def _text(turn: Turn) -> str:
    """What is done, in the words of a list of plays."""
    match turn.action:
        case Play() as play:
            roll = "no roll" if play.dice is None else "{}{}".format(*play.dice)
            return f"{roll}: {_played(turn, play)}"
        case Double() as double:
            return f"{_OFFERS[double.kind]} to {double.value or turn.cube.next_value}"
        case Answer(taken=taken):
            return "takes" if taken else "passes"
        case Resignation(declined=True):
            return "offers to resign, which is declined"
        case Resignation(manner=manner, points=points):
            return _MANNERS[manner] + (f" {number_of(points, 'point')}" if points else "")
        case Result(points=points, match=ends_match):
            return f"wins {number_of(points, 'point')}{' and the match' if ends_match else ''}"
        case SetUp():
            return "position set up"
        case Unread(text=text):
            return f"cannot be read: {text.strip()}"
    raise AssertionError(turn.action)


def _played(turn: Turn, play: Play) -> str:
    if play.steps:
        return notation(play.steps)
    if play.dice is not None and not can_move(turn.position(play.side), play.dice):
        return "dances"
    return _UNPLAYED[play.how]


def _end(game: GameReplay, outcome: GameOutcome, names: tuple[str, str], boards: _Boards) -> str:
    number = game.context.game
    if outcome.disputed:
        players = names[boards.seat(number, LEFT)], names[boards.seat(number, RIGHT)]
        return game_in_words(outcome, players)
    if outcome.counting is None:
        return "the record ends here"
    winner, points = outcome.counting
    won = "" if points is None else f" {number_of(points, 'point')}"
    return f"{names[boards.seat(number, winner)]} wins{won}"


# What is said of a position: findings, and an engine's analyses on errors.


def _of_finding(finding: Finding, turn: Turn, rule_book: RuleBook, boards: _Boards) -> Remark:
    return Remark(
        kind="finding",
        severity=finding.severity.value,
        title=f"{finding.code} {finding.name}",
        lines=tuple(_words_of(finding, rule_book)),
        plays=tuple(_variations(finding.legal or (), turn, boards)),
    )


def _words_of(finding: Finding, rule_book: RuleBook) -> Iterator[str]:
    yield finding.message
    if finding.standing is not None:
        set_up = finding.code.startswith("U")
        words = remedy(finding.standing, rule_book, finding.closed_by, set_up=set_up)
        yield f"{finding.standing.value}: {words}"
    yield from (f"{label}: {words}" for label, words in record_says(finding))
    if finding.reading not in (None, AS_RECORDED):
        yield f"read as {in_the_record(finding.reading or '')}"
    if finding.consequences:
        yield f"follows from it: {number_of(finding.consequences, 'later fault')}, not listed"


def _problems(
    analyzed: AnalyzedMatch | None, entries: Sequence[PlacedTurn]
) -> Iterator[tuple[PlacedTurn, Problem]]:
    """The decisions that cost something, with the entry of each."""
    if analyzed is None:
        return
    from bganalyze.analysis.describe import LEAST, problem  # only what is analyzed needs numpy

    for row in analyzed.rows:
        decision = problem(row)
        if decision is not None and decision.loss >= LEAST:
            line, column = map(int, row.place.split(":"))
            spot = row.game, line, column
            alike = [
                entry for entry in entries if entry.spot == spot and side_of(entry.turn) == row.side
            ]
            entry = _begun(spot, alike or entries)
            assert entry is not None
            yield entry, decision


def _of_problem(problem: Problem, turn: Turn, boards: _Boards) -> Remark:
    from bganalyze.app.render.analyses import cost_of

    degree = ", ".join(filter(None, (problem.error, problem.mark))) or "slight"
    money = turn.context.terms.is_money
    plays = tuple(_variations((problem.best,), turn, boards))
    compared = () if plays else (f"decided: {problem.made}; better: {problem.best}",)
    return Remark(
        kind="evaluation",
        severity=_SEVERITIES.get(problem.mark, "slight"),
        title=f"{problem.question}: {degree}",
        lines=(f"cost {cost_of(problem, money=money)}", *compared),
        plays=plays,
    )


def _variations(texts: Iterable[str], turn: Turn, boards: _Boards) -> Iterator[Variation]:
    """The legal plays of a turn that are written so."""
    action = turn.action
    if not isinstance(action, Play) or action.dice is None:
        return
    plays = legal_plays(turn.position(action.side), action.dice)
    written = {notation(steps): (steps, after) for after, steps in plays.items()}
    for text in texts:
        if text in written:
            steps, (own, other) = written[text]
            sides = (own, other) if action.side == LEFT else (other, own)
            yield Variation(text, _moves(steps), boards.number(turn.context.game, sides))
