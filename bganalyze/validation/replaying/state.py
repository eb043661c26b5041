"""State of a game during its replay, and the operations that change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.board.plays import Legality
from bganalyze.board.position import Position
from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Conventions,
    Double,
    Game,
    Play,
    Resignation,
    Result,
    Side,
    Span,
    other_side,
)
from bganalyze.validation.replaying.board_guesses import BUDGET, CLEAN_STRETCH
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, is_roll
from bganalyze.validation.replaying.replayed import (
    Boards,
    Context,
    Contradiction,
    EndKind,
    MatchProblem,
    Turn,
    Turns,
    UsualPlays,
    as_boards,
    is_shut_out,
    seen_by,
)

LEAD_ASTRAY = MOVEMENT | {"turn-order", "unreadable-text", "unplayed-roll", "play-without-roll"}
"""Problems after which the replayed board may differ from the board that was played on."""


@dataclass(slots=True, eq=False)
class ReportedProblem:
    """A problem that the replay has reported and can still amend.

    Several parts of the replay hold the same object, and all see each amendment.
    """

    problem: MatchProblem
    contradictions: dict[Contradiction, None] = field(default_factory=dict)
    """Actions that do not fit the problem as recorded, each once."""

    @property
    def whole_problem(self) -> MatchProblem:
        """The problem together with the later actions that contradict it."""
        if not self.contradictions:
            return self.problem
        return self.problem._replace(
            contradictions=(*self.problem.contradictions, *self.contradictions)
        )

    def amend_problem(self, **changes: Any) -> None:
        """Replace fields of the problem."""
        self.problem = self.problem._replace(**changes)

    def add_consequence(self, action: Action, rule: str) -> None:
        """Note that `action` breaks `rule` as a consequence of this problem."""
        self.amend_problem(consequences=(self.problem.consequences or 0) + 1)
        self.add_contradictions([Contradiction(action.span, rule)])

    def add_contradictions(self, contradictions: Iterable[Contradiction]) -> None:
        """Add later actions that are impossible if the erroneous action happened as written."""
        self.contradictions.update(dict.fromkeys(contradictions))


class LastPlay(NamedTuple):
    """The last play, the boards before it, and its error of movement."""

    play: Play
    before: Boards | None
    """The boards before the play; None for a usual play, whose turn has them."""
    fault: ReportedProblem | None
    """The report that the play is illegal; None if it is legal."""


VALUE, OWNER, OFFER, ANSWER, BEAVER = "value", "owner", "offer", "answer", "beaver"
"""Properties of the cube that may be uncertain. `ANSWER`: a void offer may be answered late.
`BEAVER`: this offer may be turned again."""


@dataclass(slots=True, eq=False, repr=False)
class CubeState:
    """The cube, and which of its properties are uncertain after an error."""

    now: Cube
    fault: ReportedProblem | None = None
    """The last cube error that may have later errors as consequences."""
    uncertain: set[str] = field(default_factory=set)
    """Properties of the cube that are uncertain since that error."""
    late_doubler: Side | None = None
    """The side that doubled after its roll and play; after the take the other side rolls."""

    def set_cube(self, cube: Cube) -> None:
        """Replace the cube."""
        self.now = cube

    def record_double(self, side: Side) -> None:
        """Record a double by `side`."""
        self.now = self.now.doubled(side)

    def record_beaver(self, side: Side) -> None:
        """Record a beaver by `side`."""
        self.now = self.now.beavered(side)

    def accept_offer(self) -> None:
        """Give the offered cube to the side that takes it."""
        # The owner is then certain, unless it is uncertain that the cube was offered.
        self.now, self.late_doubler = self.now.taken(), None
        if OFFER not in self.uncertain:
            self.mark_certain(OWNER)
        self.mark_certain(OFFER)

    def withdraw_offer(self) -> None:
        """Withdraw the unanswered double, if any."""
        self.now, self.late_doubler = self.now.withdrawn(), None

    def record_late_double(self, side: Side) -> None:
        """Record that `side` doubled too late, after its roll.

        If the double is taken, the side that took it rolls next.
        """
        self.late_doubler = side

    def find_error_behind(self, cube_property: str | None) -> ReportedProblem | None:
        """Return the earlier error that made the property `cube_property` uncertain, or None."""
        return self.fault if cube_property in self.uncertain else None

    def keep_first_error(self, error: ReportedProblem) -> None:
        """Note `error` as the cause of later cube errors, unless an earlier one is noted."""
        # An earlier one stays the cause until every property of the cube is certain again.
        if self.fault is None or not self.uncertain:
            self.fault = error

    def replace_error(self, error: ReportedProblem, *properties: str) -> None:
        """Note `error` as the cause of later cube errors, in place of any earlier error.

        `properties` of the cube, such as `value` or `owner`, become uncertain.
        """
        self.fault = error
        self.mark_uncertain(*properties)

    def mark_uncertain(self, *properties: str) -> None:
        """Mark properties of the cube, such as `value` or `owner`, as uncertain."""
        self.uncertain.update(properties)

    def mark_certain(self, cube_property: str) -> None:
        """Mark a property of the cube, such as `value` or `owner`, as certain."""
        self.uncertain.discard(cube_property)


@dataclass(slots=True, eq=False, repr=False)
class Doubt:
    """How uncertain the replayed board is after an error, and which later errors follow from it."""

    cause: ReportedProblem | None = None
    """The error that makes the board uncertain; None while the board is certain."""
    lasts: bool = False
    """Whether a lost turn is the cause; its play may show much later."""
    clean_plays: int = 0
    """Number of legal plays since the doubt began, or since the last error in it."""
    is_amended: bool = False
    """Whether a reading other than the recorded one was taken."""
    is_stopped: bool = False
    """Whether the rule book stops the game after its first illegal play."""
    excused: dict[int, ReportedProblem] = field(default_factory=dict)
    """Errors that count as consequences if they come: index of the action to the earlier error."""
    consumed: set[int] = field(default_factory=set)
    """Indexes of plays that a reading has already carried out."""
    budget: int = BUDGET
    """Number of plays that may still be tried to find readings."""

    def begin_doubt(self, cause: ReportedProblem, *, lasts: bool) -> None:
        """Mark the board as uncertain, so that later errors count as consequences of `cause`.

        Enough successive legal plays end the doubt, unless it `lasts`.
        """
        self.cause, self.lasts, self.clean_plays = cause, lasts, 0

    def stop_checking(self, cause: ReportedProblem) -> None:
        """Count all later errors as consequences of the illegal play `cause`."""
        self.cause, self.lasts, self.is_stopped = cause, True, True

    def end_doubt(self) -> None:
        """Mark the board as certain again."""
        self.cause, self.excused = None, {}

    def restart_count_of_legal_plays(self) -> None:
        """Count successive legal plays from zero again, because a play was illegal."""
        self.clean_plays = 0

    def count_legal_play(self) -> None:
        """Count a legal play; after enough successive ones, mark the board as certain again."""
        self.clean_plays += 1
        if self.clean_plays >= CLEAN_STRETCH and not self.lasts:
            self.cause = None

    def note_other_board(self) -> None:
        """Note that the replay continues from a guessed board instead of the written plays."""
        self.is_amended = True

    def find_error_to_blame(self, index: int) -> ReportedProblem | None:
        """Return the earlier error that explains an error of the action at `index`, or None."""
        return self.excused.get(index) or self.cause

    def expect_consequences(self, indexes: Iterable[int], cause: ReportedProblem) -> None:
        """Count later errors of the actions at `indexes` as consequences of `cause`."""
        self.excused.update(dict.fromkeys(indexes, cause))

    def skip_plays(self, indexes: Iterable[int]) -> None:
        """Let the replay skip the plays at these indexes, because a guessed board contains them."""
        self.consumed.update(indexes)

    def spend_budget(self, tried: int) -> None:
        """Subtract `tried` plays from the number of plays that may still be tried in this game."""
        self.budget -= tried


@dataclass(slots=True, eq=False, repr=False)
class GameEnd:
    """How the game ended, and the results that the match file states."""

    kind: EndKind | None = None
    winner: Side | None = None
    loss: int | None = None
    """Points lost, by the board or the cube."""
    result: Result | None = None
    """The result line that counts."""
    other_result: Result | None = None
    """Another result line of the game."""
    is_implied: bool = False
    """Whether the game was given up without a word: only the result shows it."""
    resignation: Resignation | None = None
    """The last resignation, even after the game was decided."""
    is_followed: bool = False
    """Whether a roll or a cube action follows the end."""
    doubt: ReportedProblem | None = None
    """An error that casts doubt on the end: a pass by the doubler, or an action after the end."""

    def decide_game(self, kind: EndKind, winner: Side, loss: int | None = None) -> None:
        """Record how the game ended, who won and, if known, how many points were lost."""
        self.kind, self.winner, self.loss = kind, winner, loss

    def reopen_game(self) -> None:
        """Continue a game that was over, because the play that ended it is taken back."""
        self.kind, self.winner, self.loss = None, None, None

    def continue_after_end(self) -> None:
        """Continue a game that seemed to be over, because plays follow.

        The result so far is kept in `other_result`.
        """
        self.other_result, self.result, self.is_implied = self.result, None, False
        self.reopen_game()

    def end_to_be_played_again(self) -> None:
        """End a game without a winner, because a director has it played again."""
        self.kind, self.winner, self.loss = "replayed", None, None
        self.result = self.other_result = self.resignation = self.doubt = None
        self.is_implied = False

    def record_resignation(self, resignation: Resignation) -> None:
        """Record a resignation, which ends the game unless the game is already over."""
        self.resignation = resignation
        if self.kind is None:
            self.decide_game(resignation.manner, other_side(resignation.side))

    def record_result(self, result: Result) -> None:
        """Record the result line; if nothing has ended the game before, the loser resigned."""
        self.result = result
        if self.kind is None:
            self.is_implied = True
            self.decide_game("resigned", result.side)

    def keep_second_result(self, result: Result) -> None:
        """Keep a second result of the game, because the next score line may follow from it."""
        self.other_result = result

    def note_action_after_end(self) -> None:
        """Note that a roll or a cube action follows the end of the game."""
        self.is_followed = True

    def question_end(self, error: ReportedProblem) -> None:
        """Note an error that makes it uncertain how the game ended."""
        self.doubt = error


@dataclass(slots=True, eq=False, repr=False)
class Opening:
    """Progress of the opening, and whether the match file states the starting position."""

    is_odd: bool = False
    """Whether the game starts from a position other than the variant's."""
    is_recorded: bool = False
    """Whether the record states the starting position."""
    is_rolled: bool = False
    """Whether the game has had a roll, even one known only from its play."""
    is_over: bool = False
    """Whether the second play was made, so an error of set-up can no longer be corrected."""

    settled: int = 0
    """Number of reports that `take_newly_reported` has already returned."""
    replayed: tuple[int, Boards] | None = None
    """How many turns were replayed from the usual start, and the boards after them."""

    def take_newly_reported(self, problems: list[ReportedProblem]) -> list[ReportedProblem]:
        """Return the problems that were added to `problems` since the last call."""
        since, self.settled = problems[self.settled :], len(problems)
        return since

    def note_start(self, boards: Boards, usual: Boards) -> None:
        """Note whether the game starts from other boards than `usual`, those of its variant."""
        self.is_odd = boards != usual

    def keep_replayed_boards(self, turn_count: int, boards: Boards) -> None:
        """Keep the boards after the first turns of a replay from the usual starting position."""
        # These turns need not be replayed again when the file states the next board.
        self.replayed = turn_count, boards

    def record_start(self) -> None:
        """Note that the match file states the starting board."""
        self.is_recorded = True

    def note_unwritten_roll(self) -> None:
        """Note that the dice were rolled, although the file does not show the roll."""
        self.is_rolled = True

    def end_opening(self) -> None:
        """Note that both sides have played."""
        self.is_over = True

    def note_play(self, play: Play, last: LastPlay | None) -> None:
        """Note a play; the opening ends when both sides have played.

        `last` is the play before it.
        """
        if not self.is_rolled:
            self.is_rolled = is_roll(play)
        if last is not None and last.play.side != play.side:
            self.is_over = True


@dataclass(slots=True, eq=False, repr=False)
class GameState:
    """State of a game during its replay: boards, cube, turns so far and problems found."""

    game: Game
    context: Context
    conventions: Conventions
    rule_book: RuleBook
    boards: Boards
    cube: CubeState
    odd_rows: tuple[int, ...] = ()
    """Lines with an odd row number: a row may be repeated or missing there."""
    to_act: Side | None = None
    """The side whose roll or double is next; None if either may act."""
    index: int = 0
    """Index of the action being carried out."""
    last: LastPlay | None = None
    """The last play that was made."""
    start: tuple[Boards, Cube] = field(init=False)
    """Boards and cube before the current action. If the action corrects a play, those before that
    play."""
    turns: Turns = field(default_factory=Turns)
    problems: list[ReportedProblem] = field(default_factory=list)
    replayed_line: int | None = None
    """Line of the last turn found to be recorded twice."""
    astray: list[ReportedProblem] = field(default_factory=list)
    """Problems after which the replayed board may differ from the one played on."""
    opening: Opening = field(default_factory=Opening)
    doubt: Doubt = field(default_factory=Doubt)
    end: GameEnd = field(default_factory=GameEnd)
    not_rolled: set[Span] = field(default_factory=set)
    """Places of plays that repeat another play, or follow a pass or a resignation. They close no
    error."""
    asides: list[Comment | Resignation] = field(default_factory=list)
    """Comments and resignations that may show that the game was not decided on the board."""
    is_swapped: bool = False
    """Whether the two columns of the game are swapped."""

    # -- the actions around the current one

    @property
    def is_at_opening(self) -> bool:
        """Whether nobody has rolled yet in a game that starts from the usual position."""
        if self.opening.is_rolled or self.opening.is_odd:
            return False
        action = self.game.actions[self.index]
        # An unexpected row number shows that rows before the action are lost.
        return action.row in (None, "1") or action.span.line not in self.odd_rows

    def seen_by(self, side: Side) -> Position:
        """Return the board as `side` sees it."""
        return seen_by(self.boards, side)

    def is_shut_out(self, side: Side) -> bool:
        """Whether `side` is on the bar against a closed board, and so does not roll."""
        return is_shut_out(self.boards, side)

    def nearby_action(self, distance: int) -> Action | None:
        """Return the action at `distance` from the current one (negative: earlier), or None."""
        index = self.index + distance
        actions = self.game.actions
        return actions[index] if 0 <= index < len(actions) else None

    def boards_at_line(self, line: int) -> Boards:
        """Return the boards before the first turn on `line` of the file.

        If the last turn so far is not on `line`, return the current boards.
        """
        boards = self.boards
        for turn in reversed(self.turns):
            if turn.action.span.line != line:
                break
            boards = turn.before
        return boards

    def boards_before_last_play(self) -> Boards:
        """Return the boards before the last play."""
        assert self.last is not None
        play, before, _ = self.last
        if before is not None:
            return before
        return next(turn.before for turn in reversed(self.turns) if turn.action is play)

    def repeats_last_play(self, action: Play) -> bool:
        """Whether `action` is the same play as the other side's last play."""
        if self.last is None or self.last.play.side == action.side:
            return False
        return (self.last.play.dice, self.last.play.steps) == (action.dice, action.steps)

    def later_actions(self) -> Iterator[Action]:
        """Yield the actions after the current one."""
        actions = self.game.actions
        return (actions[index] for index in range(self.index + 1, len(actions)))

    def is_last_turn(self) -> bool:
        """Whether no other roll or cube action follows in the game."""
        return not any(
            isinstance(action, Play | Double | Answer) for action in self.later_actions()
        )

    def is_result_ahead(self) -> bool:
        """Whether a result or a resignation follows in the game."""
        return any(isinstance(action, Result | Resignation) for action in self.later_actions())

    def is_named_winner_later(self, side: Side) -> bool:
        """Whether a later result names `side` as the winner, and no resignation follows."""
        later = list(self.later_actions())
        is_resigned = any(isinstance(action, Resignation) for action in later)
        return not is_resigned and any(
            isinstance(action, Result) and action.side == side for action in later
        )

    # -- problems

    def add_problem(
        self, rule: str, action: Action, span: Span | None = None, **about: Any
    ) -> ReportedProblem:
        """Report that `action` breaks `rule`, and return the problem reported.

        `span` is the place to report, by default the place of the action. `about` are details for
        the message.
        """
        verified = self.doubt.cause is None
        turn = Turn(self.context, action, self.boards, self.boards, self.cube.now, None, verified)
        side = getattr(action, "side", None)
        place = span or action.span
        noted = ReportedProblem(
            MatchProblem(rule, place, about, self.context.game, action.row, side, turn)
        )
        self.problems.append(noted)
        if rule in LEAD_ASTRAY:
            self.astray.append(noted)
        if rule == "replayed-turn":
            self.replayed_line = place.line
        return noted

    def find_misleading_error(self) -> ReportedProblem | None:
        """Return the last error that may have led the replay to a wrong board, or None."""
        return self.astray[-1] if self.astray else None

    def retract_error(self, report: ReportedProblem) -> None:
        """Withdraw the error `report`, which concerned the last play."""
        self.problems.remove(report)
        if self.find_misleading_error() is report:
            self.astray.pop()
        if self.last is not None:
            self.last = self.last._replace(fault=None)

    def count_as_consequence(self, cause: ReportedProblem, report: ReportedProblem) -> None:
        """Withdraw the error `report`, and count it as a consequence of `cause` instead."""
        self.problems.remove(report)
        consequences = (cause.problem.consequences or 0) + (report.problem.consequences or 0) + 1
        cause.amend_problem(consequences=consequences)
        cause.add_contradictions([Contradiction(report.problem.span, report.problem.rule)])
        cause.add_contradictions(report.whole_problem.contradictions)

    def insert_first_problem(self, report: MatchProblem) -> None:
        """Insert a problem that concerns the whole game before all other problems."""
        self.problems.insert(0, ReportedProblem(report))

    def mark_as_no_roll(self, action: Action) -> None:
        """Note that an action is no roll, so that errors before it can still be corrected."""
        self.not_rolled.add(action.span)

    def keep_until_end(self, action: Comment | Resignation) -> None:
        """Keep a comment or resignation that may say how the game ended."""
        self.asides.append(action)

    def add_layout_problem(self, report: MatchProblem) -> None:
        """Add a problem about swapped or misplaced rows, and note that the board is a guess."""
        self.problems.append(ReportedProblem(report))
        self.doubt.note_other_board()

    def add_swapped_columns_problem(self, report: MatchProblem) -> None:
        """Add the problem that the columns of the game are swapped."""
        self.add_layout_problem(report)
        self.is_swapped = True

    # -- carrying out actions

    def begin_turn(self) -> Action:
        """Return the next action to carry out, and note the boards and the cube before it."""
        self.start = self.boards, self.cube.now
        return self.game.actions[self.index]

    def finish_turn(self, action: Action, legality: Legality | None) -> None:
        """Add the action just carried out to the turns, with the boards before and after it."""
        before, cube = self.start
        verified = self.doubt.cause is None
        self.turns.append(Turn(self.context, action, before, self.boards, cube, legality, verified))
        self.index += 1

    def set_boards(self, boards: Boards) -> None:
        """Replace the boards."""
        self.boards = boards

    def set_position(self, position: Position, side: Side) -> None:
        """Replace the boards by `position`, which is seen by `side`."""
        self.boards = as_boards(position, side)

    def set_up(self, boards: Boards) -> None:
        """Replace the boards by recorded ones, which are certain."""
        self.boards, self.last = boards, None
        self.doubt.end_doubt()
        self.opening.record_start()
        if not self.opening.is_over:
            self.to_act = None

    def give_turn(self, side: Side | None) -> None:
        """Set the side that acts next; None allows either side."""
        self.to_act = side

    def set_last_play(
        self, play: Play, before: Boards | None, report: ReportedProblem | None
    ) -> None:
        """Keep `play` as the last play, and give the turn to the other side.

        `before` are the boards before the play, or None if unknown. `report` is the problem if the
        play is illegal.
        """
        self.opening.note_play(play, self.last)
        self.last = LastPlay(play, before, report)
        self.to_act = other_side(play.side)

    def add_usual_plays(self, plays: Sequence[Play], boards: Boards) -> None:
        """Add successive legal plays, after which the boards are `boards`, all at once."""
        if self.last is not None or len(plays) > 1:
            self.opening.end_opening()
        self.turns.extend(UsualPlays(self.context, self.cube.now, self.boards, plays))
        self.index += len(plays)
        self.set_last_play(plays[-1], None, None)
        self.boards = boards

    def undo_last_play(self) -> None:
        """Undo the last play, so that its roll can be played again."""
        assert self.last is not None
        self.cube.withdraw_offer()
        self.end.reopen_game()
        self.boards, self.to_act = self.boards_before_last_play(), self.last.play.side
        self.start = self.boards, self.cube.now


def share_cell(one: Action | None, two: Action | None) -> bool:
    """Whether two actions are written in the same row and by the same side."""
    if one is None or two is None or (one.span.line, one.row) != (two.span.line, two.row):
        return False
    return getattr(one, "side", None) == getattr(two, "side", None)


def have_same_roll(one: Play, two: Play) -> bool:
    """Whether two plays have the same recorded roll, in either order of the dice."""
    if one.dice is None or two.dice is None:
        return False
    return sorted(one.dice) == sorted(two.dice)
