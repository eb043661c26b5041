"""Evidence: what is looked at for a slip where a record contradicts itself."""

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
from bganalyze.repairing.rows import Sheet, sheet_of
from bganalyze.repairing.spelling import Style, style_of
from bganalyze.validation.checking import facts_of
from bganalyze.validation.findings import Finding
from bganalyze.validation.replaying.contradictions import IMPOSSIBLE_AT_TABLE
from bganalyze.validation.replaying.demands import Demands, Following, following_each
from bganalyze.validation.replaying.facts import Boards, Fact, GameReplay, Turn, seen_by
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.one_sided import side_left_out
from bganalyze.validation.replaying.trial import PlayChecked, Trial, carried_out, tried

ODD_MARK, ILLEGAL_LATER, EXPLAINED = 2.0, 4.0, 6.0
"""What a suggestion loses in likelihood for each hit that is then marked wrongly, and for a play
that is then illegal; and what it gains if later errors are none then."""

PLAYS_THAT_TELL = 6
"""Fewer plays carried out show nothing: hundreds of turns fit them."""

UNFOUNDED_WIN = "R601"
"""What is found where the winner has checkers left, and the other side has not given up."""

OUT_OF_TURN = "turn-order"
"""The name of what is found where a side acts twice running."""

UNREADABLE = "unreadable-text"
"""The name of what is found where a text cannot be read."""

ILLEGAL = "illegal-play"
"""The name of what is found where no other says why a play is illegal, or the record itself says so."""

LONGEST_WRITTEN = 200
"""Characters that somebody writes for one action at most; 119 in a thousand real games."""

MOST_ACTIONS = 500
"""Actions of a game at most; 126 in a thousand real games."""


Trials = dict[tuple[Boards, int, Side | None], Trial]
"""What became of the actions of a game: from which boards and which of them on, and who was on roll."""


@dataclass(frozen=True, eq=False, repr=False)
class Evidence:
    """A finding, and the game in which it stands."""

    replayed: MatchReplay
    finding: Finding
    lines: Sequence[str]
    """Of the file, as it is."""
    errors: Sequence[Finding] = ()
    """All errors of the file."""
    enough: int = 6
    """So many plays carried out after the fault show that it is repaired."""
    is_alone: bool = False
    """Whether nothing else is at fault in the game: then all that follows has to be carried out, for
    another fault in it would be no better."""
    styles: dict[int, Style] = field(default_factory=dict)
    """How matches of the file spell their plays, as far as that was looked at: repairs change a few."""
    trials: Trials = field(default_factory=dict)
    """What was tried already: it does not depend on how many plays are enough."""

    @cached_property
    def game(self) -> GameReplay | None:
        """The game of the finding; None where it is about the whole match."""
        number = self.finding.game
        return self.replayed.games[number - 1] if number else None

    @cached_property
    def fact(self) -> Fact:
        """What the finding puts into words."""
        place = self.finding.line, self.finding.column
        return next(
            fact
            for fact in facts_of(self.replayed)
            if fact.rule == self.finding.name and fact.span[:2] == place
        )

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the game, as recorded."""
        assert self.game is not None
        return self.game.game.actions

    @cached_property
    def index(self) -> int | None:
        """Which action the finding is about; None where it is about none."""
        if self.game is None:
            return None
        return next(
            (index for index, action in enumerate(self.actions) if _is_at(self.finding, action)),
            None,
        )

    @cached_property
    def boards(self) -> tuple[Boards, ...]:
        """The boards before each action, as far as they are carried out as recorded."""
        return tuple(boards for boards, _ in self._course)

    def checked(self, index: int) -> PlayChecked:
        """Return what a play leaves, by its index, carried out as recorded."""
        checked = self._course[index][1]
        assert checked is not None
        return checked

    @cached_property
    def _course(self) -> tuple[tuple[Boards, PlayChecked | None], ...]:
        """The boards before each action and, of a play, what it leaves."""
        assert self.game is not None
        return tuple(self._carried_out(self.game))

    def _carried_out(self, game: GameReplay) -> Iterator[tuple[Boards, PlayChecked | None]]:
        """Yield the same; where a play cannot be carried out, the replay says how it goes on."""
        if not game.turns:
            return
        befores = {turn.action.span: turn.before for turn in game.turns}
        boards, is_legal = game.turns[0].before, True
        for action in self.actions:
            if not is_legal:
                boards = befores.get(action.span, boards)
                is_legal = True
            if type(action) is Play:
                checked = carried_out(boards, action, marks_hits=self.marks_hits)
                yield boards, checked
                boards, is_legal = checked.boards, checked.is_legal
                continue
            yield boards, None
            if isinstance(action, SetUp) and action.boards is not None:
                boards = action.boards

    @property
    def marks_hits(self) -> bool:
        """Whether the record marks hits."""
        return self.replayed.match.profile.marks_hits

    @cached_property
    def style(self) -> Style:
        """How the record spells its plays."""
        number = self.finding.match
        if number not in self.styles:
            self.styles[number] = style_of(self.replayed.match)
        return self.styles[number]

    @property
    def is_unreadable(self) -> bool:
        """Whether the finding is that a text cannot be read: then the slip is nowhere else."""
        return self.finding.name == UNREADABLE

    @property
    def is_called_illegal(self) -> bool:
        """Whether the record itself calls the play illegal: whatever else was meant, it stays so."""
        return self.finding.name == ILLEGAL and bool(self.fact.about.get("called"))

    @property
    def is_out_of_turn(self) -> bool:
        """Whether the finding is that a side acts twice running: no other play of it helps then."""
        return self.finding.name == OUT_OF_TURN

    @cached_property
    def sheet(self) -> Sheet | None:
        """The rows of the game as text; None where its format has none."""
        if self.game is None or self.replayed.match.format != "mat":
            return None
        return sheet_of(self.lines, self.game.game)

    @property
    def is_in_letters(self) -> bool:
        """Whether plays are written as the letters of points: `W[31hefe]`."""
        return self.replayed.match.format == "sgf"

    def first_at(self, line: int) -> int | None:
        """Return the index of the first action in a line or below it; None where there is none."""
        index = bisect_left(self._lowest, line)
        return index if index < len(self._lowest) else None

    @cached_property
    def _lowest(self) -> list[int]:
        """The lowest line of the actions up to each."""
        return [*accumulate((action.span.line for action in self.actions), max)]

    @cached_property
    def end(self) -> int:
        """The index of the next action that is at fault, or how many actions there are."""
        later = (
            index
            for index, action in enumerate(self.actions)
            if self.index is not None
            and index > self.index
            and any(_is_at(error, action) for error in self.errors if error != self.finding)
        )
        return next(later, len(self.actions))

    def rolls(self, index: int) -> Sequence[Dice]:
        """Return the rolls that may be made before the action at an index: first no doublet."""
        is_begun = any(isinstance(action, Play | SetUp) for action in self.actions[:index])
        return ROLLS if is_begun else OPENING_ROLLS

    def text(self, action: Action) -> str:
        """Return what stands in the file for an action."""
        return self.text_at(action.span)

    def is_overlong(self, action: Action) -> bool:
        """Whether more stands in the file for an action than anybody writes."""
        return len(self.text(action)) > LONGEST_WRITTEN

    @cached_property
    def is_damage(self) -> bool:
        """Whether more stands in the game, or at the finding, than anybody writes: no slip explains it."""
        if self.game is None:
            return False
        at = self.index
        is_overlong = at is not None and self.is_overlong(self.actions[at])
        return is_overlong or len(self.actions) > MOST_ACTIONS

    def text_at(self, span: Span) -> str:
        """Return what stands in the file at a place."""
        return self.replayed.match.source.text_at(span)

    def position(self, index: int, side: Side) -> Position:
        """Return the board before the action at an index, seen by a side."""
        return seen_by(self.boards[index], side)

    def situation(self, index: int, side: Side, dice: Dice) -> Situation:
        """Return what is known before the action at an index, were it a roll of `side`."""
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

    def after(self, boards: Boards, index: int, side: Side | None) -> Trial:
        """Return what becomes of the actions from an index on, played from `boards` by `side`."""
        trial = self.trials.get((boards, index, side))
        if trial is None:
            trial = tried(boards, self.actions[index:], marks_hits=self.marks_hits, side=side)
            self.trials[boards, index, side] = trial
        return trial

    @cached_property
    def goes_on_as_played(self) -> bool:
        """Whether the game goes on from what an illegal play left, so that a player may have made it."""
        play = None if self.index is None else self.actions[self.index]
        if self.index is None or not isinstance(play, Play) or not play.steps:
            return False
        checked = self.checked(self.index)
        if checked.is_legal:
            return False
        following = self.after(checked.boards, self.index + 1, other_side(play.side))
        return self.is_repaired(following, self.index + 1)

    @property
    def may_stand(self) -> bool:
        """Whether a player may have made the error although something contradicts it."""
        is_possible = self.finding.name not in IMPOSSIBLE_AT_TABLE
        return is_possible and not self.finding.may_be_players and self.goes_on_as_played

    def is_repaired(self, trial: Trial, index: int) -> bool:
        """Whether a trial from an index on shows the fault to be repaired.

        It goes to the end of the game, or to the next action at fault, or far enough past this one.
        Where a win is unfounded, the winner has borne off all checkers then.
        """
        if self.finding.code == UNFOUNDED_WIN:
            return trial.is_whole and self._is_won(trial.boards)
        return trial.is_whole or trial.plays >= self.needed(index)

    def _is_won(self, boards: Boards) -> bool:
        """Whether the side that the finding is about has borne off all its checkers."""
        result = None if self.index is None else self.actions[self.index]
        side = getattr(result, "side", None)
        return side is not None and boards[side][OFF] == sum(boards[side])

    def needed(self, index: int) -> int:
        """Return how many plays from an index on show the fault to be repaired, carried out."""
        at_fault = index if self.index is None else self.index
        behind = min(1 + at_fault, len(self.actions))
        until = self._plays_before[behind] - self._plays_before[index]
        further = self.needed_further
        return max(until, 0) + (self._needed_behind(index) if further is None else further)

    @cached_property
    def needed_further(self) -> int | None:
        """How many plays behind the action at fault are needed; None where the finding is about none."""
        return None if self.index is None else self._needed_behind(self.index)

    def _needed_behind(self, index: int) -> int:
        """Return how many plays behind the action at an index are needed."""
        behind = min(1 + index, len(self.actions))
        further = max(self._plays_before[self.end] - self._plays_before[behind], 0)
        return further if self.is_alone else min(further, self.enough)

    @cached_property
    def _plays_before(self) -> list[int]:
        """How many plays stand before each action, and before the end of the game."""
        return [0, *accumulate(type(action) is Play for action in self.actions)]

    def demands(self, index: int, side: Side) -> Demands:
        """Return what the plays behind a play demand of the board that another turn of `side` leaves.

        Those are meant that are needed; the play stands before the action at fault, or is that.
        """
        return self._following[index + 1].demands(self.boards[index], side)

    @cached_property
    def _following(self) -> list[Following]:
        """What the plays tell that are needed from each action on, up to the one at fault."""
        assert self.index is not None
        last = self._plays_before[self.index + 1] + self._needed_behind(self.index)
        return following_each(self.actions[: self._plays_before.index(last)])

    def doubt(self, trial: Trial) -> float:
        """Return what a suggestion loses in likelihood by what a trial of it shows.

        Hits that are marked wrongly then; an illegal play later on, where the record has none; the
        other way round, it gains where it explains later errors, too.
        """
        has_errors_later = self.end < len(self.actions) or bool(self.finding.consequences)
        if trial.is_whole:
            later = -EXPLAINED if has_errors_later else 0.0
        else:
            later = 0.0 if has_errors_later else ILLEGAL_LATER
        return ODD_MARK * trial.odd_marks + later


def is_one_sided(replayed: MatchReplay, finding: Finding) -> bool:
    """Whether the game of a finding has turns of one side only: nothing tells those of the other."""
    return finding.game is not None and (
        side_left_out(replayed.games[finding.game - 1].game.actions) is not None
    )


def is_too_short(replayed: MatchReplay, finding: Finding) -> bool:
    """Whether the game of a finding has so few plays that what is meant does not show by them."""
    if finding.game is None:
        return False
    actions = replayed.games[finding.game - 1].game.actions
    return sum(type(action) is Play for action in actions) < PLAYS_THAT_TELL


def _is_at(finding: Finding, action: Action) -> bool:
    """Whether a finding is about an action."""
    span = action.span
    return finding.line == span.line and span.column <= finding.column < span.end_column
