"""The table of games."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, get_args

from bganalyze.board.cube import classify_loss
from bganalyze.board.position import Points
from bganalyze.record.model import Side
from bganalyze.statistics.tables.rolls import list_counted_rolls
from bganalyze.statistics.tables.schema import (
    GAME,
    LINE,
    MATCH,
    SIDES,
    Column,
    Examined,
    Schema,
    category,
    flag,
    join_rule_codes,
    maybe_flag,
    maybe_number,
    number,
    side_of,
    text,
)
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.replaying.ending import kind_of_end_off_board
from bganalyze.validation.replaying.outcomes import GameOutcome, add_win
from bganalyze.validation.replaying.replayed import Context, Ending, EndKind, GameReplay, Turn
from bganalyze.validation.replaying.rulings import add_points

STAGES = ("money", "before-crawford", "crawford", "post-crawford", "double-match-point", "unknown")
"""Stages of a match. At double match point both sides need one point."""


class _Entry(NamedTuple):
    """A game, with values that several columns of its row in the table of games need."""

    match: int
    replayed: GameReplay
    names: tuple[str, str]
    findings: tuple[Finding, ...]
    rolled: tuple[Turn, ...]
    """Its rolls, without those of corrected plays."""
    outcome: GameOutcome

    @property
    def context(self) -> Context:
        """The state of the match before the game."""
        return self.replayed.context

    @property
    def ending(self) -> Ending:
        """How the game ended in the replay."""
        return self.replayed.ending

    @property
    def given(self) -> tuple[int, int]:
        """Points that a director gave to left and to right, as far as they count for the match."""
        won, score = self.outcome.counting, self.context.score
        if won is not None and won.points is not None:
            score = add_win(score, won, self.context.terms.length) or score
        after = add_points(score, self.replayed.given, self.context.terms.length)
        return after[0] - score[0], after[1] - score[1]


def _name_side(side: Side | None) -> str | None:
    """Return the name of a side, or None without a side.

    >>> _name_side(0), _name_side(1), _name_side(None)
    ('left', 'right', None)
    """
    return None if side is None else SIDES[side]


def _find_size_of_win(entry: _Entry) -> int | None:
    """Return the size of the win on the final board: 1, 2 (gammon) or 3 (backgammon).

    None means that nobody bore off all checkers. If the file names another winner, its points
    decide.
    """
    game, won, by_board = entry.replayed, entry.outcome.counting, entry.outcome.by_board
    if not game.turns:
        return None
    boards = game.turns[-1].after
    for side in (0, 1):
        if _is_all_off(boards[side]):
            # If the file names the other side as winner, the recorded points decide.
            if won is not None and by_board is not None and won.side != by_board.side:
                return _divide_by_cube(entry, _count_full_points(entry))
            return int(classify_loss(boards[1 - side]))
    return None


def _count_full_points(entry: _Entry) -> int | None:
    """Return the points won in a game, with those beyond the match length, or None if unknown."""
    won = entry.outcome.counting
    return None if won is None or won.points is None else won.points + entry.outcome.cut


def _divide_by_cube(entry: _Entry, points: int | None) -> int | None:
    """Return the size of a win (1, 2 or 3): its points divided by the cube value, or None."""
    if points is None:
        return None
    size, rest = divmod(points, entry.replayed.cube.value)
    return size if not rest and 1 <= size <= 3 else None


def _is_all_off(side: Points) -> bool:
    """Whether all checkers of a side are borne off."""
    return bool(side[0]) and not any(side[1:])


def _find_resigned_size(entry: _Entry) -> int | None:
    """Return the size of a resignation (1, 2 for a gammon, 3 for a backgammon), or None."""
    ending = entry.ending
    if not ending.kind.startswith("resigned"):
        return None
    return _divide_by_cube(
        entry, _count_full_points(entry) if entry.outcome.disputed else ending.recorded
    )


def _does_gammon_count(entry: _Entry) -> bool | None:
    """Whether a gammon would score more for the winner than a plain win; None if unknown."""
    context, cube, won = entry.context, entry.replayed.cube, entry.outcome.counting
    if won is None or context.terms.length is None:
        return None
    if context.terms.is_money:
        if cube.owner is not None:
            return True
        return None if context.terms.jacoby is None else not context.terms.jacoby
    # Not if a plain win already won the match.
    return context.terms.length - context.score[won.side] > cube.value


_KIND_MEANING = (
    "How the game ended. `resigned` is also inferred from a result line (a bare Wins) after a game"
    " that did not end on the board; `forfeit` and `time` may come from a comment in a game without"
    " a result line, which gives no points, so that nobody wins."
)


def _find_kind(entry: _Entry) -> EndKind:
    """Return how a game ended, such as by bearing off, by a pass or by a resignation."""
    kind = entry.ending.kind
    if kind != "abandoned":
        return kind
    # A comment such as "lost on time" decides only if the plays and the result show no ending.
    problems = (problem for problem in entry.replayed.problems if problem.rule == "forfeit-or-time")
    return next((kind_of_end_off_board(problem.about["text"]) for problem in problems), kind)


SCHEMA = Schema(
    "games",
    "One row for each game.",
    ("match", "game"),
    (
        MATCH,
        GAME._replace(value=lambda g: g.context.game),
        LINE._replace(value=lambda g: g.replayed.game.span.line),
        category("left", "The player of the left column.", lambda g: g.names[0]),
        category("right", "The player of the right column.", lambda g: g.names[1]),
        flag(
            "scored",
            "Whether the match file states the score above the game.",
            lambda g: g.replayed.game.score is not None,
        ),
        number(
            "left_score", "Points of the left player before the game.", lambda g: g.context.score[0]
        ),
        number(
            "right_score",
            "Points of the right player before the game.",
            lambda g: g.context.score[1],
        ),
        maybe_number(
            "left_away",
            "Points the left player needs; missing in money play or without a length.",
            lambda g: _count_points_needed(g.context, 0),
        ),
        maybe_number(
            "right_away",
            "Points the right player needs.",
            lambda g: _count_points_needed(g.context, 1),
        ),
        category("stage", "The stage of the match.", lambda g: name_stage(g.context), STAGES),
        category("variant", "The variant that is played.", lambda g: g.context.terms.variant),
        maybe_flag(
            "jacoby",
            "Whether gammons count only after a double (Jacoby rule); missing if not stated.",
            lambda g: g.context.terms.jacoby,
        ),
        category("kind", _KIND_MEANING, _find_kind, get_args(EndKind)),
        category("winner", "The winner that counts.", lambda g: side_of(g.outcome.counting), SIDES),
        number(
            "cube_before",
            "The value of the cube at the start: more than 1 after automatic doubles.",
            lambda g: g.context.cube,
        ),
        number(
            "cube",
            "The value of the cube at the end; after a pass, the points the pass cost.",
            lambda g: g.replayed.cube.refused or g.replayed.cube.value,
        ),
        category(
            "cube_owner",
            "The owner of the cube at the end; missing if it was centered.",
            lambda g: _name_side(g.replayed.cube.owner),
            SIDES,
        ),
        Column(
            "size",
            "Int8",
            "The size of the loss on the board, if the game was borne off: 1 plain, 2 gammon, 3 backgammon.",
            _find_size_of_win,
        ),
        Column(
            "resigned_size",
            "Int8",
            "The points of a resignation as a multiple of the cube, if that is 1, 2 or 3.",
            _find_resigned_size,
        ),
        maybe_flag(
            "gammon_counted",
            "Whether a gammon would have won more than a plain win: false under the Jacoby rule with a centered cube, or if a plain win was enough.",
            _does_gammon_count,
        ),
        maybe_number("recorded", "Points recorded in the match file.", lambda g: g.ending.recorded),
        maybe_number(
            "on_board",
            "Points by the board and the cube; missing for resignations.",
            lambda g: g.ending.on_board,
        ),
        maybe_number(
            "counting",
            "Points that count: at most those the winner needed. For a disputed game, the points of the next score if the board or the result line agrees; else those of the board, else those of the result line if they are possible.",
            lambda g: g.outcome.counting and g.outcome.counting.points,
        ),
        number("cut", "Points won beyond those that the winner needed.", lambda g: g.outcome.cut),
        number(
            "left_given",
            "Points that a director gave the left player and that count: after this game began and before the next one did.",
            lambda g: g.given[0],
        ),
        number(
            "right_given",
            "Points that a director gave the right player in that time and that count.",
            lambda g: g.given[1],
        ),
        category(
            "recorded_winner",
            "The recorded winner: by the result line, or by a resignation that states its points.",
            lambda g: side_of(g.outcome.recorded),
            SIDES,
        ),
        category(
            "board_winner",
            "The winner by the board, the cube or a resignation; missing if only the result line shows it, or if the board is in doubt.",
            lambda g: side_of(g.outcome.by_board),
            SIDES,
        ),
        text(
            "disputed",
            "The codes of the findings that contradict the winner or the points; missing without such findings.",
            lambda g: join_rule_codes(g.outcome.disputed),
        ),
        flag(
            "provisional",
            "Whether the game was won by an illegal play that was not followed by a roll.",
            lambda g: any(f.name == "result-contestable" for f in g.findings),
        ),
        number(
            "rolls",
            "Number of recorded rolls; the roll of a corrected play counts once.",
            lambda g: len(g.rolled),
        ),
        flag(
            "counted_elsewhere",
            "Whether another record that shares a part with this match has the game more fully; such games are not counted.",
            lambda _: False,
        ),
        number(
            "unverified",
            "Number of rolls on unverified boards.",
            lambda g: sum(not turn.verified for turn in g.rolled),
        ),
        number(
            "illegal",
            "Number of illegal plays that were not corrected.",
            lambda g: sum(map(_is_illegal, _find_uncorrected_rolls(g))),
        ),
        number(
            "errors",
            "Number of errors found in the game, without corrected ones.",
            lambda g: sum(f.fails(Severity.ERROR) for f in g.findings),
        ),
    ),
)


def make_entries(match_number: int, match: Examined) -> list[_Entry]:
    """Return each game of a match as an entry of the table of games."""
    games = zip(match.replayed.games, match.outcome.games, strict=True)
    return [_make_entry(match_number, match, game, outcome) for game, outcome in games]


def _make_entry(
    match_number: int, match: Examined, game: GameReplay, outcome: GameOutcome
) -> _Entry:
    """Return one game of a match as an entry of the table of games."""
    return _Entry(
        match_number,
        game,
        game.game.names_or(match.replayed.match.names),
        tuple(finding for finding in match.findings if finding.game == game.context.game),
        tuple(turn for _, turn in list_counted_rolls(game)),
        outcome,
    )


def _find_uncorrected_rolls(entry: _Entry) -> Iterator[Turn]:
    """Yield the turns of a game with a roll, unless a director corrected the play."""
    corrected = entry.replayed.corrected_by_ruling()
    return (turn for turn in entry.rolled if turn.action.span not in corrected)


def _is_illegal(turn: Turn) -> bool:
    """Whether a turn has an illegal play."""
    return turn.legality is not None and turn.legality.fault is not None


def name_stage(context: Context) -> str:
    """Return the stage of the match before a game, such as `crawford`, `money` or `unknown`."""
    if context.terms.is_money:
        return "money"
    if context.terms.length is None or not context.crawford_known:
        return "unknown"
    if context.crawford:
        return "crawford"
    return name_stage_at_score(context.terms.length, context.score)


def name_stage_at_score(length: int, score: tuple[int, int]) -> str:
    """Return the stage of the match at a score, such as `post-crawford`.

    Use `name_stage` for the Crawford game: the score alone does not show it.

    >>> name_stage_at_score(5, (3, 2)), name_stage_at_score(5, (4, 2)), name_stage_at_score(5, (4, 4))
    ('before-crawford', 'post-crawford', 'double-match-point')
    """
    needed = sorted(length - points for points in score)
    if needed == [1, 1]:
        return "double-match-point"
    return "post-crawford" if needed[0] == 1 else "before-crawford"


def _count_points_needed(context: Context, side: Side) -> int | None:
    """Return the points that a side still needs to win, or None in money play."""
    # None, too, if the length is unknown.
    return context.terms.length - context.score[side] if context.terms.length else None
