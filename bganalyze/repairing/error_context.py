"""The game around a finding, as the search for its repairs reads it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate

from bganalyze.board.ids import Situation
from bganalyze.board.movement import OPENING_ROLLS, ROLLS, Dice
from bganalyze.board.position import OFF, Position
from bganalyze.record.model import Action, Play, SetUp, Side, Span, other_side
from bganalyze.repairing.rows import Sheet, split_into_rows
from bganalyze.repairing.spelling import Style, find_style
from bganalyze.validation.checking import problems_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.contradictions import IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.demands import (
    BoardConstraints,
    PlayConstraints,
    list_constraints,
)
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.one_sided import find_missing_side
from bganalyze.validation.replaying.replayed import Boards, GameReplay, MatchProblem, Turn, seen_by
from bganalyze.validation.replaying.trial import PlayChecked, TrialResult, try_actions, try_play

ODD_MARK, ILLEGAL_LATER, EXPLAINED = 2.0, 4.0, 6.0
"""Penalties for each wrong hit mark and for a later illegal play; gain if later errors are
explained."""

PLAYS_NEEDED_AS_EVIDENCE = 6
"""Legal plays needed for evidence. Hundreds of turns fit fewer plays."""

UNFOUNDED_WIN = "R601"
"""Code of a win with checkers left although the other side has not resigned."""

OUT_OF_TURN = "turn-order"
"""Rule for a side that acts twice in a row."""

UNREADABLE = "unreadable-text"
"""Rule for unreadable text."""

ILLEGAL_PLAY = "illegal-play"
"""Rule for an illegal play that no specific rule explains, or that the match file calls illegal."""

LONGEST_WRITTEN = 200
"""Longest text of one action, in characters; 119 in 1,000 real games."""

MOST_ACTIONS = 500
"""Largest number of actions in a game; 126 in 1,000 real games."""


Trials = dict[tuple[Boards, int, Side | None], TrialResult]
"""Trials of a game by start boards, index of the first action, and side on roll."""


@dataclass(frozen=True, eq=False, repr=False)
class ErrorContext:
    """An error that `check` found, with the game around it: actions, boards, notation."""

    replayed: MatchReplay
    finding: Finding
    lines: Sequence[str]
    """Lines of the file."""
    errors: Sequence[Finding] = ()
    """All errors of the file."""
    plays_needed: int = 6
    """Number of plays after the error that must be legal to confirm a repair."""
    is_alone: bool = False
    """Whether the game has no other error. Then all later plays must be legal, because a repair
    that causes a new error would be no improvement."""
    styles: dict[int, Style] = field(default_factory=dict)
    """Cached notation styles by match number. Repairs change too few plays to affect them."""
    trials: Trials = field(default_factory=dict)
    """Cached results of `replay_from`. They do not depend on `plays_needed`."""

    @cached_property
    def game(self) -> GameReplay | None:
        """The game of the finding, or None if it is about the whole match."""
        number = self.finding.game
        return self.replayed.games[number - 1] if number else None

    @cached_property
    def problem(self) -> MatchProblem:
        """The problem noted in the replay, from which `check` made the finding."""
        place = self.finding.line, self.finding.column
        return next(
            problem
            for problem in problems_of(self.replayed)
            if problem.rule == self.finding.name and problem.span[:2] == place
        )

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the finding's game: plays, cube actions, results, comments."""
        assert self.game is not None
        return self.game.game.actions

    @cached_property
    def index(self) -> int | None:
        """Index, in `actions`, of the action with the error, or None."""
        if self.game is None:
            return None
        return next(
            (index for index, action in enumerate(self.actions) if _is_at(self.finding, action)),
            None,
        )

    @cached_property
    def boards(self) -> tuple[Boards, ...]:
        """Both sides' checkers before each action of the game."""
        return tuple(boards for boards, _ in self._boards_and_checks)

    def check_of_play(self, index: int) -> PlayChecked:
        """Return the boards after the play at `index`, and the rule that it breaks."""
        checked = self._boards_and_checks[index][1]
        assert checked is not None
        return checked

    @cached_property
    def _boards_and_checks(self) -> tuple[tuple[Boards, PlayChecked | None], ...]:
        """For each action, the boards before it and, if it is a play, the check of it."""
        assert self.game is not None
        return tuple(self._play_through(self.game))

    def _play_through(self, game: GameReplay) -> Iterator[tuple[Boards, PlayChecked | None]]:
        """Yield the boards before each action and, if it is a play, the check of it."""
        if not game.turns:
            return
        befores = {turn.action.span: turn.before for turn in game.turns}
        boards, is_legal = game.turns[0].before, True
        for action in self.actions:
            # After an illegal play, the checkers are those with which the replay went on.
            if not is_legal:
                boards = befores.get(action.span, boards)
                is_legal = True
            if type(action) is Play:
                checked = try_play(boards, action, marks_hits=self.marks_hits)
                yield boards, checked
                boards, is_legal = checked.boards, checked.is_legal
                continue
            yield boards, None
            if isinstance(action, SetUp) and action.boards is not None:
                boards = action.boards

    @property
    def marks_hits(self) -> bool:
        """Whether the match file marks hits, as in `24/18*`."""
        return self.replayed.match.conventions.marks_hits

    @cached_property
    def style(self) -> Style:
        """The file's notation of plays: dashes, joined steps, numbering of points."""
        number = self.finding.match
        if number not in self.styles:
            self.styles[number] = find_style(self.replayed.match)
        return self.styles[number]

    @property
    def is_unreadable(self) -> bool:
        """Whether the error is unreadable text."""
        return self.finding.name == UNREADABLE

    @property
    def is_marked_illegal(self) -> bool:
        """Whether the match file itself marks the play as illegal."""
        return self.finding.name == ILLEGAL_PLAY and bool(self.problem.about.get("called"))

    @property
    def is_out_of_turn(self) -> bool:
        """Whether the error is that one side acts twice in succession."""
        return self.finding.name == OUT_OF_TURN

    @cached_property
    def sheet(self) -> Sheet | None:
        """The rows of the game, each cut into a left and a right cell, or None without columns."""
        if self.game is None or self.replayed.match.format != "mat":
            return None
        return split_into_rows(self.lines, self.game.game)

    @property
    def is_in_letters(self) -> bool:
        """Whether the format writes points as letters, as Smart Game Format does in `W[31hefe]`."""
        return self.replayed.match.format == "sgf"

    def find_first_action_from(self, line: int) -> int | None:
        """Return the index of the first action on this line of the file or below it, or None."""
        index = bisect_left(self._largest_lines_so_far, line)
        return index if index < len(self._largest_lines_so_far) else None

    @cached_property
    def _largest_lines_so_far(self) -> list[int]:
        """For each action, the largest line number of this and all earlier actions."""
        return [*accumulate((action.span.line for action in self.actions), max)]

    @cached_property
    def index_of_next_error(self) -> int:
        """Index of the next action with an error; if there is none, the number of all actions."""
        later = (
            index
            for index, action in enumerate(self.actions)
            if self.index is not None
            and index > self.index
            and any(_is_at(error, action) for error in self.errors if error != self.finding)
        )
        return next(later, len(self.actions))

    def possible_rolls(self, index: int) -> Sequence[Dice]:
        """Return the rolls that a turn missing before the action at `index` may have had.

        The first roll of a game cannot be doubles.
        """
        is_begun = any(isinstance(action, Play | SetUp) for action in self.actions[:index])
        # The first roll of a game is no double.
        return ROLLS if is_begun else OPENING_ROLLS

    def text(self, action: Action) -> str:
        """Return an action as the file writes it."""
        return self.text_at(action.span)

    def is_overlong(self, action: Action) -> bool:
        """Whether an action's text is longer than any in a real match file."""
        return len(self.text(action)) > LONGEST_WRITTEN

    @cached_property
    def is_too_long_to_search(self) -> bool:
        """Whether the game or the erroneous text is longer than any in a real match file."""
        if self.game is None:
            return False
        at = self.index
        is_overlong = at is not None and self.is_overlong(self.actions[at])
        return is_overlong or len(self.actions) > MOST_ACTIONS

    def text_at(self, span: Span) -> str:
        """Return the text at a place in the file."""
        return self.replayed.match.source.text_at(span)

    def position_before(self, index: int, side: Side) -> Position:
        """Return the position before the action at `index`, seen by `side`."""
        return seen_by(self.boards[index], side)

    def situation_before(self, index: int, side: Side, dice: Dice) -> Situation:
        """Return board, cube and score before the action at `index`, with `side` to play `dice`."""
        assert self.game is not None
        span = self.actions[index].span
        befores = (turn.cube for turn in self.game.turns if turn.action.span == span)
        turn = Turn(
            self.game.context,
            self.actions[index],
            self.boards[index],
            self.boards[index],
            next(befores, self.game.cube),
            None,
        )
        return turn.situation(side, dice)

    def replay_from(self, boards: Boards, index: int, side: Side | None) -> TrialResult:
        """Replay the actions from `index` on, starting from `boards`, and count the legal plays.

        `side` is on roll; None means that either side may be.
        """
        trial = self.trials.get((boards, index, side))
        if trial is None:
            trial = try_actions(boards, self.actions[index:], marks_hits=self.marks_hits, side=side)
            self.trials[boards, index, side] = trial
        return trial

    @cached_property
    def is_followed_by_legal_plays(self) -> bool:
        """Whether the error is an illegal play after which enough later plays are legal."""
        play = None if self.index is None else self.actions[self.index]
        if self.index is None or not isinstance(play, Play) or not play.steps:
            return False
        checked = self.check_of_play(self.index)
        if checked.is_legal:
            return False
        following = self.replay_from(checked.boards, self.index + 1, other_side(play.side))
        return self.is_repaired(following, self.index + 1)

    @property
    def may_stand(self) -> bool:
        """Whether a player may have made this error, although other evidence is against it."""
        is_possible = self.finding.name not in IMPOSSIBLE_AT_TABLE
        return is_possible and not self.finding.may_be_players and self.is_followed_by_legal_plays

    def is_repaired(self, trial: TrialResult, index: int) -> bool:
        """Whether enough plays from `index` on are legal in the `trial` to confirm a repair."""
        if self.finding.code == UNFOUNDED_WIN:
            return trial.is_whole and self._is_won(trial.boards)
        return trial.is_whole or trial.plays >= self.count_plays_needed_from(index)

    def _is_won(self, boards: Boards) -> bool:
        """Whether the recorded winner has borne off all checkers on these boards."""
        result = None if self.index is None else self.actions[self.index]
        side = getattr(result, "side", None)
        return side is not None and boards[side][OFF] == sum(boards[side])

    def count_plays_needed_from(self, index: int) -> int:
        """Return how many plays from `index` on must be legal to confirm a repair there."""
        at_fault = index if self.index is None else self.index
        behind = min(1 + at_fault, len(self.actions))
        until = self._plays_before[behind] - self._plays_before[index]
        further = self.plays_needed_after_error
        return max(until, 0) + (
            self._count_plays_needed_after(index) if further is None else further
        )

    @cached_property
    def plays_needed_after_error(self) -> int | None:
        """Number of plays after the error that must be legal to confirm a repair.

        None if the error concerns no single action.
        """
        return None if self.index is None else self._count_plays_needed_after(self.index)

    def _count_plays_needed_after(self, index: int) -> int:
        """Return how many plays after the action at `index` must be legal to confirm a repair.

        If no other error follows, all later plays must be legal, otherwise at most `plays_needed`.
        """
        behind = min(1 + index, len(self.actions))
        further = max(self._plays_before[self.index_of_next_error] - self._plays_before[behind], 0)
        # All plays of a game without other errors, else those before the next error, at most
        # `plays_needed`.
        return further if self.is_alone else min(further, self.plays_needed)

    @cached_property
    def _plays_before(self) -> list[int]:
        """For each action, the number of plays before it; then the number of all plays."""
        return [0, *accumulate(type(action) is Play for action in self.actions)]

    def find_checkers_needed_after(self, index: int, side: Side) -> BoardConstraints:
        """Return the checkers that the board needs after a turn to make later plays legal.

        `index` is the place of the turn among the actions, and `side` made it.
        """
        return self._constraints_from_each_action[index + 1].constraints_on_board(
            self.boards[index], side
        )

    @cached_property
    def _constraints_from_each_action(self) -> list[PlayConstraints]:
        """For each action, the checkers that must be on the board before it to make plays legal."""
        assert self.index is not None
        last = self._plays_before[self.index + 1] + self._count_plays_needed_after(self.index)
        return list_constraints(self.actions[: self._plays_before.index(last)])

    def penalty_for(self, trial: TrialResult) -> float:
        """Return the penalty, as a log-likelihood, for a repair after which later plays are odd.

        A negative penalty is a bonus: the repair also removes later errors.
        """
        has_errors_later = self.index_of_next_error < len(self.actions) or bool(
            self.finding.consequences
        )
        if trial.is_whole:
            later = -EXPLAINED if has_errors_later else 0.0
        else:
            later = 0.0 if has_errors_later else ILLEGAL_LATER
        return ODD_MARK * trial.odd_marks + later


def is_one_sided(replayed: MatchReplay, finding: Finding) -> bool:
    """Whether only one side has turns in the game with an error."""
    return finding.game is not None and (
        find_missing_side(replayed.games[finding.game - 1].game.actions) is not None
    )


def is_too_short(replayed: MatchReplay, finding: Finding) -> bool:
    """Whether the game with an error has too few plays to tell right repairs from wrong ones."""
    if finding.game is None:
        return False
    actions = replayed.games[finding.game - 1].game.actions
    return sum(type(action) is Play for action in actions) < PLAYS_NEEDED_AS_EVIDENCE


def _is_at(finding: Finding, action: Action) -> bool:
    """Whether a finding points to this action in the file."""
    span = action.span
    return finding.line == span.line and span.column <= finding.column < span.end_column
