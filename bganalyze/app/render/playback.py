"""Data of the match viewer of a page: every position with its action, findings and errors.

All boards are made here; the script of the viewer, `pages/playback.js`, only draws them. Only modules
that a check under Pyodide loads anyway are imported at the top; modules for analyses are imported
when needed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from bganalyze.app.render.actions import action_in_words
from bganalyze.app.render.findings import standing_in_words
from bganalyze.board.ids import Situation, xgid
from bganalyze.board.plays import legal_plays, notation
from bganalyze.board.position import Points, Position, Step, pips
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Comment,
    Double,
    Match,
    Play,
)
from bganalyze.record.seats import SwappedGames, find_swapped_games
from bganalyze.text import number_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.board_guesses import AS_RECORDED
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import GameOutcome, outcome_of
from bganalyze.validation.replaying.places import name_places, side_of, situation_before
from bganalyze.validation.replaying.replayed import Boards, Context, GameReplay, Turn
from bganalyze.validation.rules.disputed_results import game_in_words
from bganalyze.validation.rules.ruling import remedy
from bganalyze.validation.rules.words import describe_evidence, describe_reading

if TYPE_CHECKING:
    from bganalyze.analysis.analyzed import AnalyzedDecision
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.app.render.playback_analysis import ChancesOverMatch, ShownDecision, Steps

Spot: TypeAlias = tuple[int, int, int]
"""A place in a match: the game, and the line and column of the file."""


class Variation(NamedTuple):
    """A possible play."""

    text: str
    moves: tuple[tuple[int, ...], ...]
    """The points each checker touches, numbered from its own side."""
    after: int
    """The index of the board it leaves."""


class Remark(NamedTuple):
    """A finding shown beside a position."""

    severity: str
    title: str
    lines: tuple[str, ...]
    plays: tuple[Variation, ...]
    """The legal plays."""


class FrameAnalysis(NamedTuple):
    """An engine's analysis of a position."""

    decisions: tuple[ShownDecision, ...] = ()
    """The decisions on the cube and on the play, in their order."""
    chance: float | None = None
    """Chance of player 0 to win the match after the action, in percent; in money play, points."""
    luck: float | None = None
    """Change of that chance by the roll; None if the luck of the roll is unknown."""


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
    analysis: FrameAnalysis | None
    """The analysis of the position; None without one."""


class GameFrames(NamedTuple):
    """The positions of a game."""

    number: int
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
    course: ChancesOverMatch | None = None
    """The course of the match by an engine's analysis; None without one."""

    def address(self, spot: Spot) -> str:
        """Return the link to the turn at a place in the file, such as `3.14R`.

        `spot` is a game number, a line and a column. The link is "" if the game has no turn.
        """
        return _make_turn_link(self.number, _find_turn_at(spot, self.entries))


def make_link_to_finding(replayed: MatchReplay, finding: Finding) -> str:
    """Return the link to the turn of a finding, such as `3.14R`; "" if there is none."""
    entries = tuple(entry for game in replayed.games for entry in _place_turns(game))
    return _make_turn_link(replayed.match.number, _find_turn_of_finding(finding, entries))


def _make_turn_link(number: int, entry: PlacedTurn | None) -> str:
    """Return the link to a turn, such as `3.14R` (game 3, row 14, right); "" for None.

    In any but the first match of a file, the link begins with the match number.
    """
    prefix = "" if number == 1 else f"{number}/"
    return "" if entry is None else prefix + entry.place


def make_playback(
    replayed: MatchReplay,
    findings: Iterable[Finding] = (),
    rule_book: RuleBook = BASIC,
    analyzed: AnalyzedMatch | None = None,
    names_in_first_game: tuple[str, str] | None = None,
) -> Playback:
    """Return a match prepared for a page on which readers step through it.

    The page shows findings and analysis. By default, the names are those in the match file.
    """
    match = replayed.match
    names_in_first_game = names_in_first_game or match.names
    boards = _BoardList(_find_swapped_games(match))
    entries = tuple(entry for game in replayed.games for entry in _place_turns(game))
    remarks: dict[str, list[Remark]] = defaultdict(list)
    for finding in findings:
        entry = _find_turn_of_finding(finding, entries)
        if entry is not None:
            remarks[entry.place].append(_make_remark(finding, entry.turn, rule_book, boards))
    course, analyses = _collect_analyses(analyzed, entries, boards)
    outcomes = outcome_of(replayed).games
    games = [
        _make_game(
            game,
            outcome,
            names_in_first_game,
            _FindingsAndAnalyses(remarks, analyses, course),
            boards,
        )
        for game, outcome in zip(replayed.games, outcomes, strict=True)
        if _place_turns(game)
    ]
    length = replayed.games[0].context.terms.length if games else 0
    return Playback(
        match.number, names_in_first_game, length or 0, boards.all(), tuple(games), entries, course
    )


class _FindingsAndAnalyses(NamedTuple):
    """Findings and analyses of a match, by the place of the turn."""

    remarks: Mapping[str, Sequence[Remark]]
    analyses: Mapping[str, FrameAnalysis]
    course: ChancesOverMatch | None

    def at_end(self, game: int, last: FrameAnalysis | None = None) -> FrameAnalysis | None:
        """Return the analysis shown at the end of a game; None if the match is not analyzed.

        `last` is the analysis of the game's last action. If it has no winning chance, the chance
        after the game is added.
        """
        if self.course is None:
            return None
        last = last or FrameAnalysis()
        after = self.course.ends.get(game)
        return last._replace(chance=after) if last.chance is None else last


def _place_turns(game: GameReplay) -> list[PlacedTurn]:
    """Return the turns of a game with their places, without comments."""
    turns = [turn for turn in game.turns if not isinstance(turn.action, Comment)]
    return [
        PlacedTurn((turn.context.game, turn.action.span.line, turn.action.span.column), place, turn)
        for turn, place in zip(turns, name_places(game), strict=True)
    ]


def _find_turn_at(spot: Spot, entries: Iterable[PlacedTurn]) -> PlacedTurn | None:
    """Return the last turn of a game at or before a place, or else the game's first turn.

    `spot` is a game number, a line and a column. Returns None if the game has no turns.
    """
    in_game = [entry for entry in entries if entry.spot[0] == spot[0]]
    last = max((entry.spot for entry in in_game if entry.spot <= spot), default=None)
    return next((entry for entry in in_game if last in (None, entry.spot)), None)


def _find_turn_of_finding(finding: Finding, entries: Sequence[PlacedTurn]) -> PlacedTurn | None:
    """Return the turn that a finding is about; None if there are no turns."""
    line = finding.game or 0, finding.line
    # Several turns may be on one line.
    alike = [
        entry
        for entry in entries
        if entry.spot[:2] == line and situation_before(entry.turn) == finding.situation
    ]
    return _find_turn_at((*line, finding.column), alike or entries)


def _find_swapped_games(match: Match) -> SwappedGames:
    """Return the games in which the players' columns are swapped, compared with the first game."""
    lines = ((number, game.score) for number, game in enumerate(match.games, 1))
    return find_swapped_games(match.names, ((number, line.names) for number, line in lines if line))


class _BoardList:
    """The different boards of a match. Players keep their columns of the first game."""

    def __init__(self, seats: SwappedGames) -> None:
        self.seats = seats
        self.seat = seats.player_in_column
        self._numbers: dict[tuple[str, str, int, int], int] = {}

    def find_or_add(self, game: int, sides: Boards) -> int:
        """Return the index of a board in the list; add the board if it is new.

        `sides` are the checkers of the left and of the right column in this game.
        """
        left, right = (sides[self.seat(game, seat)] for seat in (LEFT, RIGHT))
        board = _encode_checkers(left), _encode_checkers(right), pips(left), pips(right)
        return self._numbers.setdefault(board, len(self._numbers))

    def all(self) -> tuple[tuple[str, str, int, int], ...]:
        """Return all boards, each as a text of checkers and a pip count for each player."""
        return tuple(self._numbers)


def _encode_checkers(points: Points) -> str:
    """Return a side's checkers as text: for each point with checkers, a letter and their number.

    The letter `a` means checkers borne off, `b` point 1, and so on.

    >>> _encode_checkers((0, 2, 0, 5))
    'b2d5'
    """
    return "".join(f"{chr(ord('a') + point)}{count}" for point, count in enumerate(points) if count)


# The games and their frames.


def _make_game(
    game: GameReplay,
    outcome: GameOutcome,
    names_in_first_game: tuple[str, str],
    notes: _FindingsAndAnalyses,
    boards: _BoardList,
) -> GameFrames:
    """Return a game as a page shows it, in frames (one step each).

    `notes` has the findings and analyses to show. New boards are added to `boards`.
    """
    number, (left, right) = game.context.game, game.context.score
    players = (
        names_in_first_game[boards.seat(number, LEFT)],
        names_in_first_game[boards.seat(number, RIGHT)],
    )
    frames = [_make_frame(entry, notes, boards, players) for entry in _place_turns(game)]
    last = frames[-1]
    if last.after != last.before:
        frames.append(
            last._replace(
                place=f"{number}.end",
                row="",
                kind="end",
                text=_end_in_words(game, outcome, players),
                dice="",
                moves=(),
                before=last.after,
                cube=game.cube.value,
                owner=_find_cube_owner(game.cube.owner, number, boards),
                offered=None,
                xgid="",
                remarks=(),
                analysis=notes.at_end(number),
            )
        )
    else:
        frames[-1] = last._replace(analysis=notes.at_end(number, last.analysis))
    return GameFrames(
        number=number,
        title=f"Game {number}{_describe_crawford(game.context)}",
        score=(right, left) if boards.seat(number, LEFT) else (left, right),
        frames=tuple(frames),
    )


def _describe_crawford(context: Context) -> str:
    """Return words for the title of a game if it is the Crawford game, otherwise ""."""
    if not context.crawford:
        return ""
    return ", Crawford" if context.crawford_known else ", perhaps Crawford"


def _make_frame(
    entry: PlacedTurn, notes: _FindingsAndAnalyses, boards: _BoardList, names: tuple[str, str]
) -> Frame:
    """Return a turn as a frame, which is one step of a game on the page.

    `notes` has the findings and analyses to show. New boards are added to `boards`.
    """
    turn = entry.turn
    action, game = turn.action, turn.context.game
    situation = situation_before(turn)
    return Frame(
        place=entry.place,
        row=(action.row or "").strip(),
        seat=boards.seat(game, side_of(turn)),
        kind=type(action).__name__.lower(),
        text=action_in_words(turn, names),
        dice="" if situation.dice is None else "{}{}".format(*situation.dice),
        moves=_list_step_paths(action.steps) if isinstance(action, Play) else (),
        before=boards.find_or_add(game, _order_by_column(situation)),
        after=boards.find_or_add(game, turn.after),
        cube=situation.cube_value,
        owner=_find_cube_owner(situation.cube_owner, game, boards),
        offered=_find_offered_cube(turn, boards),
        verified=turn.verified,
        xgid=xgid(situation),
        remarks=tuple(notes.remarks.get(entry.place, ())),
        analysis=notes.analyses.get(entry.place),
    )


def _order_by_column(situation: Situation) -> Boards:
    """Return the checkers of the left column, then those of the right column."""
    own, other = situation.position
    return (own, other) if situation.on_roll == LEFT else (other, own)


def _find_cube_owner(column: int | None, game: int, boards: _BoardList) -> int | None:
    """Return the player who owns the cube, or None for a centered cube.

    `column` is the owner's column in this `game`. The player is 0 or 1, left or right in the first
    game.
    """
    return None if column is None else boards.seat(game, LEFT if column == LEFT else RIGHT)


def _find_offered_cube(turn: Turn, boards: _BoardList) -> tuple[int, int] | None:
    """Return the value of an offered cube and the player who must answer; None without an offer.

    The player is 0 or 1, left or right in the first game.
    """
    action, cube, game = turn.action, turn.cube, turn.context.game
    if isinstance(action, Double):
        return action.value or cube.next_value, 1 - boards.seat(game, action.side)
    if cube.offered_by is None:
        return None
    return cube.offer, 1 - boards.seat(game, cube.offered_by)


def _list_step_paths(steps: Iterable[Step]) -> tuple[tuple[int, ...], ...]:
    """Return the points that each moved checker touches, such as `(24, 18, 13)`."""
    return tuple(step.path for step in steps)


def _end_in_words(game: GameReplay, outcome: GameOutcome, names: tuple[str, str]) -> str:
    """Return in words how a game ended, such as `Ann wins 2 points`."""
    if game.ending.kind == "replayed":
        return "this game does not count: it is played again"
    if outcome.disputed:
        return game_in_words(outcome, names)
    if outcome.counting is None:
        return "the file ends here"
    winner, points = outcome.counting
    won = "" if points is None else f" {number_of(points, 'point')}"
    return f"{names[winner]} wins{won}"


# Remarks on a position: its findings.


def _make_remark(finding: Finding, turn: Turn, rule_book: RuleBook, boards: _BoardList) -> Remark:
    """Return a finding to show beside its turn, with the legal plays."""
    return Remark(
        severity=finding.severity.value,
        title=f"{finding.code} {finding.name}",
        lines=tuple(_list_finding_lines(finding, rule_book)),
        plays=tuple(
            _make_variations(finding.legal or (), turn, _map_plays_by_notation(turn), boards)
        ),
    )


def _list_finding_lines(finding: Finding, rule_book: RuleBook) -> Iterator[str]:
    """Yield lines of text on a finding, such as its message and the remedy."""
    yield finding.message
    if words := remedy(finding, rule_book):
        yield f"{standing_in_words(finding.standing)}: {words}"
    if finding.legal_count is not None and finding.legal_count > len(finding.legal or ()):
        yield f"legal plays: {finding.legal_in_words}"
    yield from (f"{label}: {words}" for label, words in describe_evidence(finding))
    if finding.reading not in (None, AS_RECORDED):
        yield f"read as {describe_reading(finding)}"
    if finding.consequences:
        yield f"consequences: {number_of(finding.consequences, 'later finding')}, not listed"


def _map_plays_by_notation(turn: Turn) -> Mapping[str, tuple[Sequence[Step], Position]]:
    """Map each legal play's notation, such as `8/5 6/5`, to its steps and the position after."""
    action = turn.action
    if not isinstance(action, Play) or action.dice is None:
        return {}
    plays = legal_plays(turn.position(action.side), action.dice)
    return {notation(steps): (steps, after) for after, steps in plays.items()}


def _make_variations(
    texts: Iterable[str],
    turn: Turn,
    plays: Mapping[str, tuple[Sequence[Step], Position]],
    boards: _BoardList,
) -> Iterator[Variation]:
    """Yield the legal plays whose notations are in `texts`, with the boards after them.

    `plays` maps each legal play's notation to the play. New boards are added to `boards`.
    """
    for text in texts:
        if text in plays:
            steps, (own, other) = plays[text]
            sides = (own, other) if side_of(turn) == LEFT else (other, own)
            yield Variation(
                text, _list_step_paths(steps), boards.find_or_add(turn.context.game, sides)
            )


# The analysis of a position by an engine.


def _collect_analyses(
    analyzed: AnalyzedMatch | None, entries: Sequence[PlacedTurn], boards: _BoardList
) -> tuple[ChancesOverMatch | None, Mapping[str, FrameAnalysis]]:
    """Return the winning chances over a match, and the analysis of each turn by its place.

    A place is such as `2.14R`. For a match without analysis, return None and an empty mapping.
    """
    if analyzed is None:
        return None, {}
    from bganalyze.app.render import playback_analysis as analysis  # only analyses need numpy

    turns = {entry.place: entry.turn for entry in entries}
    rows = analysis.place_decisions(
        analyzed, boards.seats, partial(_name_place_of_decision, turns=entries)
    )
    answers = analysis.find_answers_to_doubles(rows)
    found: dict[str, FrameAnalysis] = {}
    for index, placed in enumerate(rows):
        before = found.get(placed.place, FrameAnalysis())
        find_steps = _make_play_finder(turns[placed.place], boards)
        shown = analysis.show_decision(placed, answers.get(index), find_steps)
        chance, luck = analysis.find_chance_and_luck(placed.seated)
        found[placed.place] = FrameAnalysis(
            before.decisions if shown is None else (*before.decisions, shown),
            before.chance if chance is None else chance,
            before.luck if luck is None else luck,
        )
    return analysis.collect_winning_chances(analyzed, rows, boards.seats), found


def _name_place_of_decision(decision: AnalyzedDecision, turns: Sequence[PlacedTurn]) -> str:
    """Return the place of a decision, such as `2.14R` (game 2, row 14, right)."""
    line, column = map(int, decision.place.split(":"))
    spot = decision.game, line, column
    alike = [
        entry for entry in turns if entry.spot == spot and side_of(entry.turn) == decision.side
    ]
    entry = _find_turn_at(spot, alike or turns)
    assert entry is not None
    return entry.place


def _make_play_finder(turn: Turn, boards: _BoardList) -> Callable[[str], Steps | None]:
    """Return a function from the notation of a legal play to its movements and board."""
    plays = cache(lambda: _map_plays_by_notation(turn))  # Most cube decisions ask for none.

    def find(text: str) -> Steps | None:
        """Return the movements and the board of a legal play; None for any other text."""
        variations = _make_variations((text,), turn, plays(), boards)
        return next(((one.moves, one.after) for one in variations), None)

    return find
