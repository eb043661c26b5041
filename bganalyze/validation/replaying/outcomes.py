"""Results of games and matches: as recorded, by the board, and as they count.

Tables, reports, statistics and the summary of a check all take results from `outcome_of`. A result
is disputed if a problem of the replay contradicts it. A disputed game counts by the next score if that
is one of the disputed results, or else by the board, or else by its result line, but never with an
impossible number of points. A game whose plays and result are copied from another game counts by
the next score.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from bganalyze.board.cube import limit_points
from bganalyze.record.model import LEFT, RIGHT, Result, Side, other_side
from bganalyze.record.players import has_swapped_columns, have_swapped_columns
from bganalyze.validation.replaying.ending import may_gammon_count_once
from bganalyze.validation.replaying.headers import score_before_lost_beginning
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.match_problems import final_score_problems, problems_of_copies
from bganalyze.validation.replaying.possible_scores import NIL
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem
from bganalyze.validation.replaying.rulings import add_points, points_before, points_during
from bganalyze.validation.replaying.terms import length_of

Score: TypeAlias = tuple[int, int]

OF_RESULTS = frozenset(
    ("unfounded-win", "wrong-points", "wrong-winner", "jacoby-gammon", "impossible-value")
)
"""Rules that contradict the result of their game."""

WRONG_POINTS = frozenset(("wrong-points", "impossible-value"))
"""Rules that contradict only the points."""

FINAL_SCORE = "final-score-mismatch"
"""The rule that reports another final score in the header."""

OF_MATCHES = frozenset(("game-after-match", "match-end-mark", FINAL_SCORE))
"""Rules that contradict the end of the match or its length."""

HEADER = "missing-header"
"""The rule that reports a file whose beginning is cut off."""

RULING = "ruling-mismatch"
"""The rule that reports points given by a director which the next score line lacks."""

SCORE, AFTER_END = "score-mismatch", "action-after-end"
"""Rules that contradict the previous game, and a result that does not fit the end of its game."""

COPY = "game-number"
"""The rule that reports copies. The scores may contradict the result copied from the original."""

DISPUTING = OF_RESULTS | OF_MATCHES | {SCORE, AFTER_END, COPY, RULING}


WITHOUT_RESULT = ("abandoned", "replayed")
"""Endings of games that change no score."""


class Win(NamedTuple):
    """The winner of a game, and the points won."""

    side: Side
    """The winner's column in this game."""
    points: int | None
    """The points won; None if unknown."""


class GameOutcome(NamedTuple):
    """The result of a game as recorded, by the board, and as it counts."""

    recorded: Win | None
    """By the result line, or by a resignation that states its points."""
    by_board: Win | None
    """By the board, the cube or a resignation."""
    counting: Win | None
    """The result that counts, with no more points than the winner needed."""
    cut: int
    """Points won beyond those that count."""
    disputed: tuple[str, ...] = ()
    """The rules whose problems contradict the result."""
    by_next_score: Win | None = None
    """By the next score line, if that contradicts the result and shows a win; else None."""

    @property
    def winner(self) -> Side | None:
        """The side that won the game as it counts, or None if unknown."""
        return None if self.counting is None else self.counting.side


class FinalScore(NamedTuple):
    """The score after the last game and the winner of the match, by the first game's columns."""

    after: Score | None
    """The score after the last game; None if unknown."""
    winner: Side | None
    """The winner of the match, 0 or 1; None if undecided or unknown."""


class MatchOutcome(NamedTuple):
    """The result of a match and of its games."""

    games: tuple[GameOutcome, ...]
    length: int | None
    """Points to win: 0 for money play; None if not recorded, or if the games contradict it."""
    before: Score | None
    """The score before the first game; None if that part of the file is cut off and nothing else shows it."""
    recorded: FinalScore
    """By the last score line, the last result and the header."""
    by_board: FinalScore
    """By the sum of the games, each by the board if the board decides it."""
    counting: FinalScore
    """The result that counts. It has no winner while the winner is disputed."""
    disputed: tuple[str, ...] = ()
    """The rules whose problems contradict a result, a score or the length."""
    start: Score = NIL
    """Points that a director gave before the match."""


def outcome_of(replayed: MatchReplay) -> MatchOutcome:
    """Return the results of a match and of its games."""
    outcome = _find_outcome_as_played(replayed._replace(games=replayed.games_played))
    of_games = dict(zip(replayed.order.games, outcome.games, strict=True))
    first = replayed.match.games[replayed.order.games[0] - 1] if of_games else None
    return outcome._replace(
        games=tuple(of_games[number] for number in sorted(of_games)),
        start=NIL if first is None else points_before(first),
    )


def _find_outcome_as_played(replayed: MatchReplay) -> MatchOutcome:
    """Return the results of a match whose games are in the order of play."""
    problems = _find_disputing_errors(replayed)
    games = tuple(
        _find_outcome_of_game(replayed, index, problems) for index in range(len(replayed.games))
    )
    length = _find_replayed_length(replayed)
    if not replayed.games:
        unknown = FinalScore(None, None)
        return MatchOutcome((), length, None, unknown, unknown, unknown)
    before = _find_score_before(replayed)
    counting = _find_final_score(replayed, games[-1].counting, length)
    disputed = tuple(
        dict.fromkeys(problem.rule for of_game in problems.values() for problem in of_game)
    )
    if not disputed:
        return MatchOutcome(games, length, before, counting, counting, counting)
    recorded = _find_recorded_result(replayed, games, problems)
    by_board = _find_result_by_board(replayed, games, problems, length)
    is_agreed = recorded.winner == by_board.winner
    counting = counting._replace(winner=recorded.winner if is_agreed else None)
    return MatchOutcome(games, length, before, recorded, by_board, counting, disputed)


# -- problems that dispute results

_Disputes: TypeAlias = Mapping[int | None, Sequence[MatchProblem]]
"""The problems that dispute each game, by its number; problems about the match under None."""


def _find_disputing_errors(replayed: MatchReplay) -> _Disputes:
    """Map each game number to the errors that make the result of that game doubtful.

    The key None has the errors that make the result of the whole match doubtful.
    """
    found: dict[int | None, list[MatchProblem]] = defaultdict(list)
    counted: dict[int | None, list[MatchProblem]] = defaultdict(list)
    for problem in replayed.counted:
        counted[None if problem.rule == SCORE else problem.game].append(problem)
    of_match = [*replayed.problems, *final_score_problems(replayed), *counted[None]]
    before = replayed.order.before_each()
    for problem in of_match:
        if problem.rule == SCORE and problem.game is not None:
            found[before.get(problem.game)].append(problem)
        elif problem.rule in OF_MATCHES or problem.rule == RULING:
            found[None].append(problem)
    for game in replayed.games:
        for problem in (*game.problems, *counted[game.context.game]):
            if problem.rule in OF_MATCHES:
                found[None].append(problem)
            elif problem.rule in OF_RESULTS or (
                problem.rule == AFTER_END and _contradicts_result(game, problem)
            ):
                found[game.context.game].append(problem)
    for number, problem in _find_disputed_copies(replayed):
        found[number].append(problem)
    return found


def _find_disputed_copies(replayed: MatchReplay) -> Iterator[tuple[int, MatchProblem]]:
    """Yield the numbers of copied games and of originals whose results are in doubt.

    Each number comes with the problem that reports the copy.
    """
    places = {game.context.game: at for at, game in enumerate(replayed.games)}
    for (copy, original), problem in zip(
        replayed.copies.items(), problems_of_copies(replayed), strict=True
    ):
        if _has_score_of_original(replayed.games[places[copy]], replayed.games[places[original]]):
            continue
        for number in (copy, original):
            game, scored = (
                replayed.games[places[number]],
                _find_win_by_score(replayed, places[number]),
            )
            written = _list_written_results(game)
            if scored and written and not any(_is_same_win(game, win, scored) for win in written):
                yield number, problem


def _has_score_of_original(copy: GameReplay, original: GameReplay) -> bool:
    """Whether a copied game has the same score line as its original."""
    lines = [game.game.score for game in (copy, original)]
    return lines[0] is not None and lines[1] is not None and lines[0].points == lines[1].points


def _contradicts_result(game: GameReplay, error: MatchProblem) -> bool:
    """Whether an action after the end of a game, in `error`, contradicts the recorded result."""
    recorded, by_board = _find_recorded_win(game), _find_win_by_board(game, ())
    # A second result.
    if error.about.get("ended") == "result":
        return True
    if recorded is None or by_board is None:
        return False
    return recorded.side != by_board.side or not _is_same_win(game, recorded, by_board)


# -- the result of a game


def _find_outcome_of_game(
    replayed: MatchReplay, game_index: int, disputing_by_game: _Disputes
) -> GameOutcome:
    """Return a game's result as recorded, by the board, and as it counts.

    `disputing_by_game` has the errors that make the result of each game doubtful.
    """
    game = replayed.games[game_index]
    disputing = disputing_by_game.get(game.context.game, ())
    if game.ending.kind == "replayed":
        return GameOutcome(
            None, None, None, 0, tuple(dict.fromkeys(problem.rule for problem in disputing))
        )
    recorded, by_board = _find_recorded_win(game), _find_win_by_board(game, disputing)
    if not disputing:
        ending = game.ending
        won = None if ending.winner is None else Win(ending.winner, ending.counting)
        if _is_gammon_scored_once(replayed, game_index):
            won = won and won._replace(points=game.cube.value)
        full = by_board.points if by_board and by_board.points is not None else ending.recorded
        return GameOutcome(
            recorded, by_board, won, _count_surplus_points(game, won and won._replace(points=full))
        )
    rules = tuple(dict.fromkeys(problem.rule for problem in disputing))
    won = _fill_in_points(
        game, _decide_disputed_win(replayed, game_index, recorded, by_board, rules)
    )
    points = None if won is None or won.points is None else _cap_points(game, won.side, won.points)
    counting = won and won._replace(points=points)
    by_next_score = _find_win_by_score(replayed, game_index) if SCORE in rules else None
    surplus = _count_surplus_points(game, won)
    return GameOutcome(recorded, by_board, counting, surplus, rules, by_next_score)


def _find_recorded_win(game: GameReplay) -> Win | None:
    """Return the win that the file states for a game, or None if it states none."""
    winner, points = game.ending.winner, game.ending.recorded
    return None if winner is None or points is None else Win(winner, points)


def _find_win_by_board(game: GameReplay, disputing_errors: Sequence[MatchProblem]) -> Win | None:
    """Return the win that the final board of a game shows, or None if it shows none.

    If one of `disputing_errors` (errors that make the recorded result doubtful) shows the right
    points, the win has these. For a copied game, return None.
    """
    if game.ending.decided_for is None or any(problem.rule == COPY for problem in disputing_errors):
        return None
    points = game.ending.on_board
    for problem in disputing_errors:
        if problem.rule == "jacoby-gammon":
            points = game.cube.value
        elif problem.rule == "wrong-points" and len(problem.about["allowed"]) == 1:
            points = problem.about["allowed"][0]
    return Win(game.ending.decided_for, points)


def _decide_disputed_win(
    replayed: MatchReplay,
    game_index: int,
    recorded: Win | None,
    by_board: Win | None,
    rules: Sequence[str],
) -> Win | None:
    """Return the win that counts for a game with a disputed result, or None if undecided.

    `rules` name the errors that make the result doubtful. The points may exceed the match length.
    """
    game, scored = replayed.games[game_index], _find_win_by_score(replayed, game_index)
    if COPY in rules:
        return scored
    has_wrong_points = not WRONG_POINTS.isdisjoint(rules)
    # Score lines decide if board or result line agree with them, else the board, else the result
    # line.
    if scored is not None:
        written = [] if "impossible-value" in rules else _list_written_results(game)
        for win in filter(None, (by_board, *written)):
            if _is_same_win(game, win, scored):
                return win
        winner = by_board or recorded
        is_open = has_wrong_points and (by_board is None or by_board.points is None)
        if is_open and winner is not None and winner.side == scored.side:
            return scored
    points = None if recorded is None or has_wrong_points else recorded.points
    if by_board is not None:
        return by_board if by_board.points is not None else by_board._replace(points=points)
    return recorded and recorded._replace(points=points)


def _fill_in_points(game: GameReplay, won: Win | None) -> Win | None:
    """Return a win whose unknown points are set to the points that the winner needed for the match.

    If the winner needed more points than the cube value, return `won` unchanged.
    """
    length = game.context.terms.length
    if won is None or won.points is not None or not length:
        return won
    needed = length - game.context.score[won.side]
    return won._replace(points=needed) if 0 < needed <= game.cube.value else won


def _is_gammon_scored_once(replayed: MatchReplay, game_index: int) -> bool:
    """Whether the next score line counts a gammon as a single game, as the Jacoby rule says."""
    game, scored = replayed.games[game_index], _find_win_by_score(replayed, game_index)
    # GNU Backgammon writes "Wins 2 points" into its `.mat` files all the same.
    return (
        may_gammon_count_once(game.context.terms, game.cube)
        and scored is not None
        and scored == Win(scored.side, game.cube.value)
        and scored.side == game.ending.winner
    )


def _list_written_results(game: GameReplay) -> list[Win]:
    """Return every win that a result line of the game states."""
    return [Win(act.side, act.points) for act in game.game.actions if type(act) is Result]


def _find_win_by_score(replayed: MatchReplay, game_index: int) -> Win | None:
    """Return the win that leads from this game's score line to the next, or None."""
    if game_index + 1 >= len(replayed.games):
        return None
    lines = [game.game.score for game in replayed.games[game_index : game_index + 2]]
    if lines[0] is None or lines[1] is None:
        return None
    points = lines[1].points
    if have_swapped_columns(lines[0].names, lines[1].names):
        points = points[1], points[0]
    given = replayed.games[game_index].given
    left, right = (points[side] - lines[0].points[side] - given[side] for side in (LEFT, RIGHT))
    if left > 0 == right:
        return Win(LEFT, left)
    return Win(RIGHT, right) if right > 0 == left else None


def _is_same_win(game: GameReplay, one: Win, other: Win) -> bool:
    """Whether two wins have the same winner and, up to the match length, the same points."""
    if one.side != other.side or one.points is None or other.points is None:
        return False
    return _cap_points(game, one.side, one.points) == _cap_points(game, other.side, other.points)


def _cap_points(game: GameReplay, side: Side, points: int) -> int:
    """Return the points that a win of `side` counts: at most the points needed for the match."""
    return limit_points(points, game.context.terms.length, game.context.score[side])


def _count_surplus_points(game: GameReplay, won: Win | None) -> int:
    """Return by how many points a win exceeds the points needed to win the match."""
    if won is None or won.points is None:
        return 0
    return won.points - _cap_points(game, won.side, won.points)


# -- the result of the match


def _find_replayed_length(replayed: MatchReplay) -> int | None:
    """Return the match length used by the replay, which may differ from the recorded length."""
    return replayed.games[0].context.terms.length if replayed.games else length_of(replayed.match)


def _find_score_before(replayed: MatchReplay) -> Score | None:
    """Return the score before the first game, or None if unknown."""
    is_cut = any(
        problem.rule == HEADER and problem.about["is_cut_off"] for problem in replayed.problems
    )
    return (
        score_before_lost_beginning(replayed.match) if is_cut else replayed.games[0].context.score
    )


def _find_final_score(
    replayed: MatchReplay, last_win: Win | None, length: int | None
) -> FinalScore:
    """Return the score after the last game and the winner of the match; each may be None."""
    last = replayed.games[-1]
    is_known = last_win is not None and last_win.points is not None
    if not is_known and last.ending.kind not in WITHOUT_RESULT:
        return FinalScore(None, None)
    during = points_during(last.game)
    ended = _add_up_score(
        last.context.score, last_win if is_known else None, during, last.given, length
    )
    after = score_in_first_columns(replayed, last, ended)
    return FinalScore(after, match_winner(length, after))


def _add_up_score(
    start: Score, won: Win | None, given_before_result: Score, given: Score, length: int | None
) -> Score:
    """Return the score after a game: `start` plus the win plus a director's points.

    `given` are all points that the director gave, `given_before_result` those given before the
    result. Once a side has won the match, nothing more is added.
    """
    score = add_points(start, given_before_result, length)
    if given_before_result != NIL and match_winner(length, score) is not None:
        return score
    score = add_win(score, won, None) or score
    if match_winner(length, score) is not None:
        return score
    given_later = (given[0] - given_before_result[0], given[1] - given_before_result[1])
    return add_points(score, given_later, length)


def match_winner(length: int | None, after: Score) -> Side | None:
    """Return the side whose score has reached the match length, or None if none or both have."""
    reached = [points >= length for points in after] if length else [False, False]
    if reached[0] == reached[1]:
        return None
    return LEFT if reached[0] else RIGHT


def score_in_first_columns(replayed: MatchReplay, game: GameReplay, score: Score) -> Score:
    """Return a score of `game`, swapped if the players changed columns since the first game."""
    return (score[1], score[0]) if has_swapped_columns(replayed.match, game.game) else score


def _find_recorded_result(
    replayed: MatchReplay, games: Sequence[GameOutcome], disputing_by_game: _Disputes
) -> FinalScore:
    """Return the final score and the winner of the match that the match file states."""
    length, last = length_of(replayed.match), replayed.games[-1]
    for problem in disputing_by_game.get(None, ()):
        if problem.rule == FINAL_SCORE:
            stated = problem.about["stated"]
            after = stated[0], stated[1]
            return FinalScore(after, match_winner(length, after))
    won = games[-1].recorded
    if won is not None and won.points is not None:
        won = won._replace(points=_cap_points(last, won.side, won.points))
    score = _find_final_score(replayed, won or games[-1].counting, length)
    marked = [
        action.side for action in last.game.actions if type(action) is Result and action.match
    ]
    if not marked:
        return score
    winner = other_side(marked[0]) if has_swapped_columns(replayed.match, last.game) else marked[0]
    return score._replace(winner=winner)


def _find_result_by_board(
    replayed: MatchReplay,
    games: Sequence[GameOutcome],
    disputing_by_game: _Disputes,
    length: int | None,
) -> FinalScore:
    """Return the final score and the winner if each game in doubt is decided by its own last board."""
    after: Score | None = None
    for after in _yield_scores_by_board(replayed, games, disputing_by_game):
        winner = None if after is None else match_winner(length, after)
        # The sum stops when a side reaches the match length.
        if winner is not None:
            return FinalScore(after, winner)
    return FinalScore(after, None)


def _yield_scores_by_board(
    replayed: MatchReplay, games: Sequence[GameOutcome], disputing_by_game: _Disputes
) -> Iterator[Score | None]:
    """Yield the score after each game if games in doubt are decided by their final boards.

    A score is None if it is unknown.
    """
    of_match = disputing_by_game.get(None, ())
    is_disputed = any(problem.rule == SCORE for problem in of_match)
    lacks_points = any(problem.rule == RULING for problem in of_match)
    after: Score | None = NIL if is_disputed else None
    following: Score | None = None
    offset = NIL
    for game, outcome in zip(replayed.games, games, strict=True):
        line = score_in_first_columns(replayed, game, game.context.score)
        if after is None or not (is_disputed or line in (following, after)):
            after = line[0] + offset[0], line[1] + offset[1]  # After a gap, or at the start.
        offset = after[0] - line[0], after[1] - line[1]
        following = _add_win_to_score(replayed, game, outcome.counting, line)
        won, is_disputed = outcome.counting, lacks_points or bool(outcome.disputed)
        if outcome.disputed and outcome.by_board and outcome.by_board.points is not None:
            won = outcome.by_board
        after = _add_win_to_score(replayed, game, won, after)
        yield after


def _add_win_to_score(
    replayed: MatchReplay, game: GameReplay, won: Win | None, start: Score
) -> Score | None:
    """Return the score after a game that began at `start`, or None if its win is unknown."""
    is_known = won is not None and won.points is not None
    if not is_known and (won is not None or game.ending.kind not in WITHOUT_RESULT):
        return None
    # Points that a director gave are added.
    during, given = (
        score_in_first_columns(replayed, game, points)
        for points in (points_during(game.game), game.given)
    )
    # Scores have left and right as in the first game.
    win, length = win_in_first_columns(replayed, game, won), game.context.terms.length
    if win is not None and win.points is not None:
        had = start[win.side] + during[win.side]
        win = win._replace(points=limit_points(win.points, length, had))
    return _add_up_score(start, win, during, given, length)


def win_in_first_columns(replayed: MatchReplay, game: GameReplay, won: Win | None) -> Win | None:
    """Return the win `won` of `game`, with the winner's side as in the columns of the first game."""
    if won is None or not has_swapped_columns(replayed.match, game.game):
        return won
    return won._replace(side=other_side(won.side))


def add_win(score: Score, won: Win | None, length: int | None) -> Score | None:
    """Return the score after a win, at most the match length; None if points are unknown."""
    if won is None or won.points is None:
        return None
    points = limit_points(won.points, length, score[won.side])
    return (score[0] + points, score[1]) if won.side == LEFT else (score[0], score[1] + points)


def winner_is_disputed(outcome: MatchOutcome) -> bool:
    """Whether the match file and the final boards name different winners of the match."""
    return outcome.recorded.winner != outcome.by_board.winner
