"""Data of the match player of a page: every position with its action, findings and errors.

All boards are made here; the script of the player, `pages/player.js`, only draws them. Only modules
that a check under Pyodide loads anyway are imported at the top; modules for analyses are imported
when needed.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from bganalyze.app.render.findings import standing_in_words
from bganalyze.board.ids import Situation, xgid
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
from bganalyze.validation.rules.ruling import remedy
from bganalyze.validation.rules.words import describe_evidence, describe_reading

if TYPE_CHECKING:
    from bganalyze.analysis.describe import Problem
    from bganalyze.analysis.match import AnalyzedMatch

Spot: TypeAlias = tuple[int, int, int]
"""A place in a match: the game, and the line and column of the file."""

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
    """A possible play."""

    text: str
    moves: tuple[tuple[int, ...], ...]
    """The points each checker touches, numbered from its own side."""
    after: int
    """The index of the board it leaves."""


class Remark(NamedTuple):
    """Remark shown beside a position."""

    kind: str
    """`finding` or `evaluation` (of an engine)."""
    severity: str
    """The severity; `slight` for errors too small to be marked in the timeline."""
    title: str
    lines: tuple[str, ...]
    plays: tuple[Variation, ...]
    """The legal plays, or the better play."""


class Frame(NamedTuple):
    """A position with its action. Seats are the columns of the first game."""

    place: str
    """The place as in `bganalyze show`; `2.end` is the board after the last action of game 2."""
    row: str
    seat: int
    """The seat that acts: 0 left, 1 right."""
    kind: str
    """The action: `play`, `double`, `answer` and so on."""
    text: str
    dice: str
    moves: tuple[tuple[int, ...], ...]
    """The points each checker touches, as in `Variation`."""
    before: int
    """The index of the board before the action."""
    after: int
    cube: int
    owner: int | None
    offered: tuple[int, int] | None
    """The value of a cube on offer, and the seat that must answer."""
    verified: bool
    """False if the board is in doubt."""
    xgid: str
    remarks: tuple[Remark, ...]


class GameFrames(NamedTuple):
    """The positions of a game."""

    title: str
    score: tuple[int, int]
    frames: tuple[Frame, ...]


class PlacedTurn(NamedTuple):
    """A turn with its place in the match and in the file."""

    spot: Spot
    place: str
    turn: Turn


class Playback(NamedTuple):
    """A match to play through."""

    number: int
    """The match in its file, from 1."""
    names: tuple[str, str]
    length: int
    """0 for money play or an unknown length."""
    boards: tuple[tuple[str, str, int, int], ...]
    """The distinct boards: left's checkers, right's checkers, and both pip counts. `b2m5` is 2 on
    the ace point and 5 on the 12 point; `a` is off and `z` the bar."""
    games: tuple[GameFrames, ...]
    entries: tuple[PlacedTurn, ...]

    def address(self, spot: Spot) -> str:
        """Return the address of the frame at a spot on the page; empty without such a frame."""
        entry = _entry_at(spot, self.entries)
        prefix = "" if self.number == 1 else f"{self.number}/"
        return "" if entry is None else prefix + entry.place


def make_playback(
    replayed: MatchReplay,
    findings: Iterable[Finding] = (),
    rule_book: RuleBook = BASIC,
    analyzed: AnalyzedMatch | None = None,
    names: tuple[str, str] | None = None,
) -> Playback:
    """Return a match with all its positions, their findings, and the errors an engine found.

    `names` are the players by their columns in the first game (default: the names of the match).
    """
    match = replayed.match
    names = names or match.names
    boards = _Boards(_seats_of_match(match))
    entries = tuple(entry for game in replayed.games for entry in _placed_turns(game))
    remarks: dict[str, list[Remark]] = defaultdict(list)
    for finding in findings:
        entry = _entry_of_finding(finding, entries)
        if entry is not None:
            remarks[entry.place].append(_finding_remark(finding, entry.turn, rule_book, boards))
    for entry, problem in _costly_decisions(analyzed, entries):
        remarks[entry.place].append(_decision_remark(problem, entry.turn, boards))
    outcomes = outcome_of(replayed).games
    games = [
        _make_game(game, outcome, names, remarks, boards)
        for game, outcome in zip(replayed.games, outcomes, strict=True)
        if _placed_turns(game)
    ]
    length = replayed.games[0].context.terms.length if games else 0
    return Playback(match.number, names, length or 0, boards.all(), tuple(games), entries)


def playback_json(match: Playback) -> str:
    """Return a match as JSON for the script of a page, safe inside an HTML element.

    A frame is a list of values in the order of `fields`.
    """
    data = match._asdict() | {
        "fields": Frame._fields,
        "games": [game._asdict() for game in match.games],
    }
    del data["entries"]
    written = json.dumps(_make_printable(data), ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c")


def _make_printable(value: Any) -> Any:
    """Return JSON data with printable text; remarks and variations become objects."""
    match value:
        case str():
            return printable(value)
        case Remark() | Variation():
            return _make_printable(value._asdict())
        case dict():
            return {name: _make_printable(item) for name, item in value.items()}
        case tuple() | list():
            return [_make_printable(item) for item in value]
    return value


def _placed_turns(game: GameReplay) -> list[PlacedTurn]:
    """Return the turns of a game, without comments, each with its place and spot."""
    turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
    return [
        PlacedTurn((turn.context.game, turn.action.span.line, turn.action.span.column), place, turn)
        for turn, place in zip(turns, places_of(game), strict=True)
    ]


def _entry_at(spot: Spot, entries: Iterable[PlacedTurn]) -> PlacedTurn | None:
    """Return a game's last entry at or before a spot (line and column), else its first.

    Return None if the game has no entries.
    """
    in_game = [entry for entry in entries if entry.spot[0] == spot[0]]
    last = max((entry.spot for entry in in_game if entry.spot <= spot), default=None)
    return next((entry for entry in in_game if last in (None, entry.spot)), None)


def _entry_of_finding(finding: Finding, entries: Sequence[PlacedTurn]) -> PlacedTurn | None:
    """Return the entry of a finding, or None; of several in one line, the one with its position."""
    line = finding.game or 0, finding.line
    alike = [
        entry
        for entry in entries
        if entry.spot[:2] == line and situation_before(entry.turn) == finding.situation
    ]
    return _entry_at((*line, finding.column), alike or entries)


def _seats_of_match(match: Match) -> Seats:
    """Return the seats of the players in each game."""
    lines = ((number, game.score) for number, game in enumerate(match.games, 1))
    return seats_of(match.names, ((number, line.names) for number, line in lines if line))


class _Boards:
    """The boards of a match by seats, each kept once."""

    def __init__(self, seats: Seats) -> None:
        self.seat = seats.seat
        self._numbers: dict[tuple[str, str, int, int], int] = {}

    def index_of(self, game: int, sides: Boards) -> int:
        """Return the index of a board of a game, adding it if it is new."""
        left, right = (sides[self.seat(game, seat)] for seat in (LEFT, RIGHT))
        board = _encode_checkers(left), _encode_checkers(right), pips(left), pips(right)
        return self._numbers.setdefault(board, len(self._numbers))

    def all(self) -> tuple[tuple[str, str, int, int], ...]:
        """Return the boards in order of their index."""
        return tuple(self._numbers)


def _encode_checkers(points: Points) -> str:
    return "".join(f"{chr(ord('a') + point)}{count}" for point, count in enumerate(points) if count)


# The games and their frames.


def _make_game(
    game: GameReplay,
    outcome: GameOutcome,
    names: tuple[str, str],
    remarks: Mapping[str, Sequence[Remark]],
    boards: _Boards,
) -> GameFrames:
    """Return the frames of a game for playback, with one more if the end changed the board."""
    number, (left, right) = game.context.game, game.context.score
    frames = [
        _make_frame(entry, remarks.get(entry.place, ()), boards) for entry in _placed_turns(game)
    ]
    last = frames[-1]
    if last.after != last.before:
        frames.append(
            last._replace(
                place=f"{number}.end",
                row="",
                kind="end",
                text=_end_in_words(game, outcome, names, boards),
                dice="",
                moves=(),
                before=last.after,
                cube=game.cube.value,
                owner=_owner_seat(game.cube.owner, number, boards),
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


def _make_frame(entry: PlacedTurn, remarks: Sequence[Remark], boards: _Boards) -> Frame:
    """Return a turn as a frame: the board, dice, cube, action and remarks."""
    turn = entry.turn
    action, game = turn.action, turn.context.game
    situation = situation_before(turn)
    return Frame(
        place=entry.place,
        row=(action.row or "").strip(),
        seat=boards.seat(game, side_of(turn)),
        kind=type(action).__name__.lower(),
        text=action_in_words(turn),
        dice="" if situation.dice is None else "{}{}".format(*situation.dice),
        moves=_step_paths(action.steps) if isinstance(action, Play) else (),
        before=boards.index_of(game, _sides_of(situation)),
        after=boards.index_of(game, turn.after),
        cube=situation.cube_value,
        owner=_owner_seat(situation.cube_owner, game, boards),
        offered=_cube_on_offer(turn, boards),
        verified=turn.verified,
        xgid=xgid(situation),
        remarks=tuple(remarks),
    )


def _sides_of(situation: Situation) -> Boards:
    """Return the boards of left and right."""
    own, other = situation.position
    return (own, other) if situation.on_roll == LEFT else (other, own)


def _owner_seat(owner: int | None, game: int, boards: _Boards) -> int | None:
    return None if owner is None else boards.seat(game, LEFT if owner == LEFT else RIGHT)


def _cube_on_offer(turn: Turn, boards: _Boards) -> tuple[int, int] | None:
    """Return the cube value on offer and the seat that has to answer; None without an offer."""
    action, cube, game = turn.action, turn.cube, turn.context.game
    if isinstance(action, Double):
        return action.value or cube.next_value, 1 - boards.seat(game, action.side)
    if cube.offered_by is None:
        return None
    return cube.offer, 1 - boards.seat(game, cube.offered_by)


def _step_paths(steps: Iterable[Step]) -> tuple[tuple[int, ...], ...]:
    return tuple(step.path for step in steps)


def action_in_words(turn: Turn) -> str:
    """Return the action as text, for the list of plays."""
    match turn.action:
        case Play() as play:
            roll = "no roll" if play.dice is None else "{}{}".format(*play.dice)
            return f"{roll}: {_play_in_words(turn, play)}"
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


def _play_in_words(turn: Turn, play: Play) -> str:
    """Return a play in notation, "dances", or why nothing is played."""
    if play.steps:
        return notation(play.steps)
    if play.dice is not None and not can_move(turn.position(play.side), play.dice):
        return "dances"
    return _UNPLAYED[play.how]


def _end_in_words(
    game: GameReplay, outcome: GameOutcome, names: tuple[str, str], boards: _Boards
) -> str:
    """Return the result of a game in words: the winner and the points, or the dispute."""
    number = game.context.game
    if outcome.disputed:
        players = names[boards.seat(number, LEFT)], names[boards.seat(number, RIGHT)]
        return game_in_words(outcome, players)
    if outcome.counting is None:
        return "the file ends here"
    winner, points = outcome.counting
    won = "" if points is None else f" {number_of(points, 'point')}"
    return f"{names[boards.seat(number, winner)]} wins{won}"


# Remarks on a position: findings, and errors found by an engine.


def _finding_remark(finding: Finding, turn: Turn, rule_book: RuleBook, boards: _Boards) -> Remark:
    """Return the remark that shows a finding beside its turn, with the legal plays."""
    return Remark(
        kind="finding",
        severity=finding.severity.value,
        title=f"{finding.code} {finding.name}",
        lines=tuple(_finding_lines(finding, rule_book)),
        plays=tuple(_make_variations(finding.legal or (), turn, boards)),
    )


def _finding_lines(finding: Finding, rule_book: RuleBook) -> Iterator[str]:
    """Yield the lines of a finding's remark: message, remedy, evidence, reading, consequences."""
    yield finding.message
    if words := remedy(finding, rule_book):
        yield f"{standing_in_words(finding.standing)}: {words}"
    if finding.legal_count is not None and finding.legal_count > len(finding.legal or ()):
        yield f"legal plays: {finding.legal_in_words}"
    yield from (f"{label}: {words}" for label, words in describe_evidence(finding))
    if finding.reading not in (None, AS_RECORDED):
        yield f"read as {describe_reading(finding.reading or '')}"
    if finding.consequences:
        yield f"consequences: {number_of(finding.consequences, 'later finding')}, not listed"


def _costly_decisions(
    analyzed: AnalyzedMatch | None, entries: Sequence[PlacedTurn]
) -> Iterator[tuple[PlacedTurn, Problem]]:
    """Yield the decisions that cost equity, with the entry of each."""
    if analyzed is None:
        return
    from bganalyze.analysis.describe import LEAST, describe_problem  # only analyses need numpy

    for row in analyzed.rows:
        decision = describe_problem(row)
        if decision is not None and decision.loss >= LEAST:
            line, column = map(int, row.place.split(":"))
            spot = row.game, line, column
            alike = [
                entry for entry in entries if entry.spot == spot and side_of(entry.turn) == row.side
            ]
            entry = _entry_at(spot, alike or entries)
            assert entry is not None
            yield entry, decision


def _decision_remark(problem: Problem, turn: Turn, boards: _Boards) -> Remark:
    """Return the remark on a decision that cost equity, with the better play on the board."""
    from bganalyze.app.render.analyses import error_in_words, format_cost

    money = turn.context.terms.is_money
    plays = tuple(_make_variations((problem.best,), turn, boards))
    compared = () if plays else (f"decided: {problem.made}; better: {problem.best}",)
    return Remark(
        kind="evaluation",
        severity=_SEVERITIES.get(problem.mark, "slight"),
        title=error_in_words(problem),
        lines=(f"cost {format_cost(problem, money=money)}", *compared),
        plays=plays,
    )


def _make_variations(texts: Iterable[str], turn: Turn, boards: _Boards) -> Iterator[Variation]:
    """Yield the legal plays of a turn whose notation is among `texts`."""
    action = turn.action
    if not isinstance(action, Play) or action.dice is None:
        return
    plays = legal_plays(turn.position(action.side), action.dice)
    written = {notation(steps): (steps, after) for after, steps in plays.items()}
    for text in texts:
        if text in written:
            steps, (own, other) = written[text]
            sides = (own, other) if action.side == LEFT else (other, own)
            yield Variation(text, _step_paths(steps), boards.index_of(turn.context.game, sides))
