"""Replaying a match: each game from its recorded score, and the scores that may come next.

If a game does not fit as recorded, other starts and swapped columns are tried.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bganalyze.board.cube import Cube
from bganalyze.board.position import UNCHECKED
from bganalyze.board.rule_book import BASIC, RuleBook
from bganalyze.record.model import (
    Action,
    Comment,
    Conventions,
    Game,
    Match,
    Play,
    PlayRecord,
    Result,
    ScoreLine,
    SetUp,
)
from bganalyze.record.players import have_swapped_columns
from bganalyze.validation.replaying.boundaries import split_games
from bganalyze.validation.replaying.copies import report_errors_once
from bganalyze.validation.replaying.ending import (
    ending_of,
    result_problems,
)
from bganalyze.validation.replaying.game import replay_game
from bganalyze.validation.replaying.headers import (
    CUT_OFF,
    first_row_after_lost_beginning,
    is_cut_off,
    score_before_lost_beginning,
    select_errors_explained_by_missing_rows,
)
from bganalyze.validation.replaying.layout import replay_with_swaps_undone
from bganalyze.validation.replaying.one_sided import merge_lost_column
from bganalyze.validation.replaying.order import (
    Order,
    Repeat,
    copied_games,
    order_played,
    remove_repeated_games,
)
from bganalyze.validation.replaying.player_error_rule import (
    MOVEMENT,
    is_roll,
    mark_correctable_errors,
)
from bganalyze.validation.replaying.possible_scores import (
    NIL,
    Scores,
    next_scores,
    possible_wins_of,
    score_line_problems,
    scores_before,
)
from bganalyze.validation.replaying.repeated_slips import report_repeated_mistakes_once
from bganalyze.validation.replaying.replayed import (
    RULED,
    Boards,
    Context,
    GameReplay,
    MatchProblem,
    TermsOfPlay,
    Turn,
    Turns,
)
from bganalyze.validation.replaying.rulings import (
    add_points_to_all,
    has_rulings,
    is_replayed,
    points_before,
    points_from_start,
    rulings_on_points,
    with_points_given,
)
from bganalyze.validation.replaying.starts import find_better_start
from bganalyze.validation.replaying.state import CubeState, GameState
from bganalyze.validation.replaying.terms import (
    MatchBeforeGame,
    is_first_at_match_point,
    make_context,
    may_be_crawford,
    start_of,
    terms_of,
)


def find_score_at_end_of_match(
    length: int | None, game: Game, progress: _MatchProgress
) -> tuple[int, int] | None:
    """Return the score at which the match was already over before `game`, or None if it was not."""
    expected = progress.expected
    if not length:
        return None
    if not expected:
        is_over = game.score is not None and max(game.score.points) >= length
        return game.score.points if game.score is not None and is_over else None
    follows = game.score is not None and game.score.points in expected
    if game.score is not None and follows and not progress.is_mismatched:
        scores = {game.score.points}
    elif game.score is not None and max(game.score.points) < length:
        return None
    else:
        scores = expected
    # Scores carried on from a wrong line are wrong too; those carried on from the right one count.
    return (
        min(scores)
        if all(max(score) >= length for score in scores | progress.scores_by_games)
        else None
    )


def starts_every_game_at_nil(match: Match) -> bool:
    """Whether this is a money session in which every game starts at 0-0."""
    if match.length is None or match.length.points != 0:
        return False
    return all(game.score is None or game.score.points == (0, 0) for game in match.games)


PlayGame = Callable[[Conventions, Game, RuleBook, Context, tuple[int, ...]], GameState]
"""A function that carries out a game, such as `replay_as_meant`."""


class MatchReplay(NamedTuple):
    """A replayed match: its games, and the problems (errors and remarks) on its score lines."""

    match: Match
    """The match, with a game added for each lost header and without the games that do not count."""
    games: tuple[GameReplay, ...]
    problems: tuple[MatchProblem, ...]
    scores: frozenset[tuple[int, int]]
    """Possible scores after the last game."""
    order: Order
    copies: Mapping[int, int]
    """Copied games that count: number of the copy to number of the game with the same plays, from 1."""
    repeats: tuple[Repeat, ...] = ()
    """Copied games that do not count. They are not among the games of the match."""
    counted: tuple[MatchProblem, ...] = ()
    """Problems about results and scores that count as consequences of a problem in another game. They
    still contradict the results of their own games."""

    @property
    def games_played(self) -> tuple[GameReplay, ...]:
        """The games in the order in which they were played, which the file may not keep."""
        of_numbers = {game.context.game: game for game in self.games}
        return tuple(of_numbers[number] for number in self.order.games)


@dataclass(slots=True, eq=False, repr=False)
class _MatchProgress:
    """State of a match replay between games, such as the scores expected on the next score line."""

    expected: Scores = field(default_factory=set)
    """Possible scores at the next score line."""
    crawford_played: bool = False
    from_nil: Scores = field(default_factory=set)
    """Possible scores at the second score line if the match began at 0-0."""
    is_mismatched: bool = False
    """Whether an earlier score line did not follow from the games before it."""
    scores_by_games: Scores = field(default_factory=set)
    """Possible scores by the results alone, without the score line that did not follow from them.
    Empty once a later score line agrees with them."""
    is_open: bool = False
    """Whether the previous game has neither an end nor a result."""
    overrun: bool = False
    """Whether games follow the end of the match, so its length is in doubt."""
    names: tuple[str, str] | None = None
    odd_rows: Mapping[int | None, tuple[int, ...]] = field(default_factory=dict)
    """Lines with an odd row number, by game."""
    adds_up: bool = True
    """Whether score lines show running scores; some sessions write 0-0 in every game."""
    order: tuple[int, ...] = ()
    """Numbers of the games in the order of play."""
    copied: frozenset[int] = frozenset()
    """Numbers of copied games and of their originals."""
    before: int | None = None
    """Number of the game that was played last."""
    scores_before_rulings: Scores = field(default_factory=set)
    """The expected scores without points that a director gave since the last score line."""
    start: tuple[int, int] = NIL
    """The score at the start of the match: the points that a director gave before it."""
    is_ruled: bool = False
    """Whether the match has rulings of a director."""

    def follow_names(self, game: Game) -> None:
        """Swap the expected scores if the players changed columns before this game."""
        if game.score is None:
            return
        names = game.score.names
        if self.names not in (None, names) and have_swapped_columns(self.names, names):
            exchanged = {(right, left) for left, right in self.expected}
            # Only the names may be swapped: then the points are in their own columns.
            if game.score.points in exchanged or game.score.points not in self.expected:
                self.expected = exchanged
                self.scores_by_games = {(right, left) for left, right in self.scores_by_games}
                self.scores_before_rulings = {
                    (right, left) for left, right in self.scores_before_rulings
                }
        self.names = names

    def add_points_before_game(self, game: Game, length: int | None) -> None:
        """Add the points that a director gave before a game to all expected scores."""
        # Points given before the first game are the score at which the match starts.
        given = points_before(game)
        if self.before is not None:
            self.add_points(given, length)
            return
        self.start = given
        if game.score is None and given != NIL:
            self.expected = {given}

    def add_points(self, given: tuple[int, int], length: int | None) -> None:
        """Add a director's points to all expected scores, both in full and up to the match length."""
        if given == NIL:
            return
        self.scores_before_rulings = self.scores_before_rulings | self.expected
        self.expected = add_points_to_all(self.expected, given, length)
        self.from_nil = add_points_to_all(self.from_nil, given, length)
        self.scores_by_games = add_points_to_all(self.scores_by_games, given, length)

    def forget_scores_before_rulings(self) -> None:
        """Forget the possible scores that do not include a director's points."""
        self.scores_before_rulings = set()

    def has_wrong_start(self, score: ScoreLine) -> bool:
        """Whether the match began at 0-0, although its first score line states another score.

        The sign is that `score`, the second score line, fits only a start at 0-0.
        """
        return score.points not in self.expected and score.points in self.from_nil

    def start_from_nil(self) -> None:
        """Expect the scores of a match that began at 0-0, because its first score line is wrong."""
        self.expected, self.is_mismatched = self.from_nil, True

    def note_mismatch(self) -> None:
        """Note that a score line contradicts the games before it, but keep the scores they give."""
        # A later score line may agree with these scores.
        self.is_mismatched, self.scores_by_games = True, self.expected

    def note_match_over(self) -> None:
        """Note that more games follow, although the match is over."""
        self.overrun = True

    def note_crawford_game(self) -> None:
        """Note that the Crawford game may have been played, so that no later game counts as one."""
        self.crawford_played = True

    def expect_scores(self, scores: Scores, from_nil: Scores) -> None:
        """Set the scores that may be on the next score line.

        `from_nil` are the scores that may be there if the match began at 0-0.
        """
        self.expected, self.from_nil = scores, from_nil

    def end_game(self, number: int, scores_by_games: Scores, *, is_open: bool) -> None:
        """Note that game `number` is over.

        If a score line has contradicted the results, `scores_by_games` are the scores by the results
        alone. `is_open` is true if the result is unknown.
        """
        self.before, self.scores_by_games, self.is_open = number, scores_by_games, is_open

    def forget_scores_by_games(self, game: Game) -> None:
        """Forget the scores by results alone if one of them is on the score line of `game`."""
        if game.score is not None and game.score.points in self.scores_by_games:
            self.scores_by_games = set()


def replay(
    match: Match, rule_book: RuleBook = BASIC, play_game: PlayGame | None = None
) -> MatchReplay:
    """Replay every game of a match by a rule book; return boards, turns, results and problems.

    `play_game` is the function that replays one game, by default `replay_as_meant`.
    """
    play_game = play_game or replay_as_meant
    replayed = _replay_as_recorded(match, rule_book, play_game)
    if not replayed.problems and not any(game.problems for game in replayed.games):
        return replayed
    return _merge_errors_of_same_mistake(replayed, rule_book, play_game)


def _merge_errors_of_same_mistake(
    replayed: MatchReplay, rule_book: RuleBook, play_game: PlayGame
) -> MatchReplay:
    """Merge the errors of one mistake that the transcriber repeats into a single error."""
    # Loaded only if something was found: saves 3 % of a check.
    from bganalyze.validation.replaying.bookkeeping import (
        GamesAndScores,
        merge_errors_of_repeated_mistake,
    )
    from bganalyze.validation.replaying.whole_match import merge_errors_of_swap

    def again(meant: Match) -> GamesAndScores:
        other = _replay_as_recorded(meant, rule_book, play_game)
        return GamesAndScores(other.games, other.problems)

    books = GamesAndScores(replayed.games, replayed.problems)
    # Swapped columns or rolls; then the same wrong way of writing results in each game.
    books, of_layout = merge_errors_of_swap(replayed.match, books, again)
    books, of_books = merge_errors_of_repeated_mistake(replayed.match, books, again)
    if not of_layout and not of_books:
        return replayed
    games, problems = tuple(books.games), tuple(books.problems)
    counted = (*replayed.counted, *of_layout, *of_books)
    return replayed._replace(games=games, problems=problems, counted=counted)


def _replay_as_recorded(match: Match, rule_book: RuleBook, play_game: PlayGame) -> MatchReplay:
    """Replay every game, after splitting joined games and ignoring too short a match length."""
    terms = terms_of(match, rule_book)
    replayed = _replay_games(match, rule_book, terms, play_game)
    if terms.variant not in UNCHECKED and _may_hide_games(replayed):
        parted = split_games(match, start_of(terms.variant))
        if parted is not match:
            match, replayed = parted, _replay_games(parted, rule_book, terms, play_game)
    longer = _find_likelier_length(replayed)
    if longer is None:
        return replayed
    # The real length is a guess, so it makes no double or result an error.
    again = _replay_games(match, rule_book, terms._replace(length=None, crawford=False), play_game)
    if again.problems:
        return replayed
    assert match.length is not None
    about = {"length": match.length.points, "longer": longer}
    return again._replace(problems=(MatchProblem("game-after-match", match.length.span, about),))


def _may_hide_games(replayed: MatchReplay) -> bool:
    """Whether one recorded game may contain two, because it has an error or unexpected text."""
    odd = any(
        note.rule not in ("cleaned-text", "guessed-encoding") for note in replayed.match.oddities
    )
    return odd or any(game.problems for game in replayed.games)


def _replay_games(
    match: Match, rule_book: RuleBook, terms: TermsOfPlay, play_game: PlayGame
) -> MatchReplay:
    """Replay the games, without repeated ones, in the order of play and with the given terms."""
    copies = copied_games(match)
    if copies:
        shorter, repeats = remove_repeated_games(match, copies)
        if repeats:
            return _replay_games(shorter, rule_book, terms, play_game)._replace(repeats=repeats)
    order = order_played(match)
    progress = _MatchProgress(
        odd_rows=_find_lines_with_wrong_row_numbers(match),
        adds_up=not starts_every_game_at_nil(match),
        order=order.games,
        copied=frozenset((*copies, *copies.values())),
        is_ruled=any(map(has_rulings, match.games)),
    )
    replays: dict[int, GameReplay] = {}
    about_scores: list[MatchProblem] = []
    for number in progress.order:
        game = match.games[number - 1]
        progress.follow_names(game)
        if progress.is_ruled:
            progress.add_points_before_game(game, terms.length)
        about_scores.extend(_report_wrong_score(match, terms.length, number, game, progress))
        # The score line has been compared with them.
        progress.forget_scores_before_rulings()
        replays[number] = _replay_game(match, rule_book, terms, number, progress, play_game)
    counted: list[MatchProblem] = []
    for copy, original in copies.items():
        replays[original], replays[copy], again = report_errors_once(
            replays[original], replays[copy]
        )
        counted += again
    games = [replays[number] for number in sorted(replays)]
    if games and is_cut_off(match, games[0].problems):
        games[0], cut_off = _report_lost_beginning(games[0], first_row_after_lost_beginning(match))
        about_scores.insert(0, cut_off)
    if progress.is_ruled:
        games = with_points_given(match, games, order.games)
    standing = mark_correctable_errors(report_repeated_mistakes_once(games), rule_book)
    scores = frozenset(progress.expected)
    return MatchReplay(
        match, standing, tuple(about_scores), scores, order, copies, counted=tuple(counted)
    )


def _report_lost_beginning(
    game: GameReplay, first_row: int | None
) -> tuple[GameReplay, MatchProblem]:
    """Return the first game of a file without its beginning, and a problem that reports the loss.

    `first_row` is the first row number, or None. Errors that depend on the lost rows count as
    consequences.
    """
    followed = select_errors_explained_by_missing_rows(game.problems, game.game.actions[0].span)
    about = {"lines": CUT_OFF, "row": first_row, "is_cut_off": True}
    cut_off = MatchProblem("missing-header", game.game.span, about, game.context.game)
    kept = tuple(problem for problem in game.problems if problem not in followed)
    return game._replace(problems=kept), cut_off.with_consequences(followed)


def _find_likelier_length(replayed: MatchReplay) -> int | None:
    """Return the likely match length if scores go on beyond the stated length, else None."""
    match = replayed.match
    beyond = next(
        (problem for problem in replayed.problems if problem.rule == "game-after-match"), None
    )
    if beyond is None or beyond.game is None or match.length is None:
        return None
    lines = [game.score.points for game in match.games[beyond.game - 1 :] if game.score is not None]
    if len(lines) < len(match.games) - beyond.game + 1 or max(lines[0]) < match.length.points:
        return None
    reached = max(map(max, lines))
    # Match lengths are usually odd.
    longer = reached + 1 + reached % 2
    is_decided = bool(replayed.scores) and all(max(score) >= longer for score in replayed.scores)
    return longer if is_decided or len(lines) > 1 else None


def _find_lines_with_wrong_row_numbers(match: Match) -> dict[int | None, tuple[int, ...]]:
    """Map each game number to the game's lines with an unexpected row number.

    The key None is for lines outside games.
    """
    odd_rows: dict[int | None, list[int]] = defaultdict(list)
    for odd in match.oddities:
        if odd.rule == "row-number":
            odd_rows[odd.game].append(odd.span.line)
    return {game: tuple(lines) for game, lines in odd_rows.items()}


def _is_position_alone(game: Game) -> bool:
    """Whether a game has recorded positions, but no play, cube action or result."""
    played = (action for action in game.actions if not _is_comment_or_roll(action))
    return {type(action) for action in played} == {SetUp}


def _is_comment_or_roll(action: Action) -> bool:
    """Whether an action is a comment, or a roll without a play."""
    return type(action) is Comment or (type(action) is Play and action.how is PlayRecord.UNPLAYED)


def _report_wrong_score(
    match: Match, length: int | None, number: int, game: Game, progress: _MatchProgress
) -> Iterator[MatchProblem]:
    """Yield a problem if a game's score line is wrong, or if the match was over before the game."""
    over_at = find_score_at_end_of_match(length, game, progress)
    if over_at is not None:
        if not progress.overrun and not _is_position_alone(game):
            yield MatchProblem("game-after-match", game.span, {"score": over_at}, number)
        progress.note_match_over()
        return
    if not progress.adds_up or _is_after_gap(match, number, progress):
        return
    progress.forget_scores_by_games(game)
    first = match.games[progress.order[0] - 1].score
    if first is not None and game.score is not None and progress.has_wrong_start(game.score):
        about = {"score": first.points, "expected": progress.start}
        yield MatchProblem("score-mismatch", first.span, about, progress.order[0])
        progress.start_from_nil()
    if progress.is_ruled and progress.before is None:
        yield from _report_points_missing_before_match(number, game, progress.start)
    for problem in score_line_problems(number, game, progress.expected):
        if problem.about["score"] in progress.scores_before_rulings:
            yield _report_unconfirmed_points(match, problem, progress)
        else:
            yield problem._replace(about={**problem.about, "open": progress.is_open})
        progress.note_mismatch()


def _report_points_missing_before_match(
    number: int, game: Game, points_given: tuple[int, int]
) -> Iterator[MatchProblem]:
    """Yield a problem if the first score line lacks points given by a director before."""
    if game.score is None:
        return
    for ruling in rulings_on_points(game, None):
        if game.score.points[ruling.to] < points_given[ruling.to]:
            about = {"why": "points", "score": game.score.points, "line": game.score.span.line}
            yield MatchProblem("ruling-mismatch", ruling.span, about, number)
            return


def _report_unconfirmed_points(
    match: Match, wrong_score: MatchProblem, progress: _MatchProgress
) -> MatchProblem:
    """Return the problem that a score line lacks a director's points, in place of `wrong_score`."""
    assert wrong_score.game is not None
    assert progress.before is not None
    numbers = progress.before, wrong_score.game
    before, game = (match.games[number - 1] for number in numbers)
    ruling = rulings_on_points(game, before)[-1]
    holder = numbers[any(ruling is action for action in game.actions)]
    about = {"why": "points", "score": wrong_score.about["score"], "line": wrong_score.span.line}
    return MatchProblem("ruling-mismatch", ruling.span, about, holder)


def _is_after_gap(match: Match, number: int, progress: _MatchProgress) -> bool:
    """Whether a game's score cannot be checked, because the game before is missing or a copy."""
    return _is_after_copy(match, number, progress) or _is_after_missing_number(
        match, number, progress
    )


def _is_after_copy(match: Match, number: int, progress: _MatchProgress) -> bool:
    """Whether the game before game `number` is a copy, or has the number and score of this game."""
    before = progress.before
    if before is None or before in progress.copied:
        return before is not None
    last, this = match.games[before - 1], match.games[number - 1]
    if last.number is None or this.number != last.number:
        return False
    scores = [game.score and game.score.points for game in (last, this)]
    return scores[0] == scores[1] and not (progress.is_ruled and is_replayed(last))


def _is_after_missing_number(match: Match, number: int, progress: _MatchProgress) -> bool:
    """Whether the game numbers skip a number just before game `number` of the match."""
    if progress.before is None:
        return False
    last, this = match.games[progress.before - 1].number, match.games[number - 1].number
    return last is not None and this is not None and this > last + 1


def _must_be_crawford(
    match: Match, terms: TermsOfPlay, number: int, possible_scores: Scores, progress: _MatchProgress
) -> bool:
    """Whether the score before game `number` proves that this is the Crawford game."""
    game = match.games[number - 1]
    is_expected = progress.before is None or _has_expected_score(game, possible_scores, progress)
    if game.score is not None and _is_after_missing_number(match, number, progress):
        possible_scores, is_expected = {game.score.points}, True
    if not (is_expected and progress.adds_up and is_first_at_match_point(terms, possible_scores)):
        return False
    if _is_after_copy(match, number, progress):
        return False
    later = progress.order[progress.order.index(number) + 1 :]
    following = next((match.games[other - 1].score for other in later), None)
    # Another score line or a copied game may cast doubt on the score.
    return following is None or all(
        _may_lead_to(score, following.points) for score in possible_scores
    )


def _may_lead_to(score: tuple[int, int], later: tuple[int, int]) -> bool:
    """Whether no side has fewer points in `later` than in `score`, in the same or swapped columns.

    >>> _may_lead_to((4, 0), (4, 1)), _may_lead_to((4, 0), (1, 0))
    (True, False)
    """
    return any(score[0] <= left and score[1] <= right for left, right in (later, later[::-1]))


def _has_expected_score(game: Game, possible_scores: Scores, progress: _MatchProgress) -> bool:
    """Whether a game begins at an expected score, or its score line cannot be checked."""
    if progress.before is None:
        # The first game must begin at the starting score of the match.
        return possible_scores == {progress.start}
    return game.score is None or not progress.expected or game.score.points in progress.expected


def _replay_game(
    match: Match,
    rule_book: RuleBook,
    terms: TermsOfPlay,
    number: int,
    progress: _MatchProgress,
    play_game: PlayGame,
) -> GameReplay:
    """Replay game `number` of the match, and update `progress` for the next game."""
    game = match.games[number - 1]
    scores = scores_before(game, progress.expected)
    recorded = _choose_score_to_replay(game, scores, None if progress.overrun else terms.length)
    is_after_gap = _is_after_gap(match, number, progress) or not _has_expected_score(
        game, scores, progress
    )
    before = MatchBeforeGame(
        scores,
        progress.crawford_played,
        is_after_gap,
        _must_be_crawford(match, terms, number, scores, progress),
    )
    context = make_context(terms, game, number, recorded, before)
    if progress.overrun:
        context = context._replace(terms=terms._replace(length=None), crawford=False)
    if may_be_crawford(terms, scores) and not (progress.is_ruled and is_replayed(game)):
        progress.note_crawford_game()
    state = play_game(
        match.conventions, game, rule_book, context, progress.odd_rows.get(number, ())
    )
    first, last = number == progress.order[0], number == progress.order[-1]
    ending = ending_of(state)
    problems = [
        *(noted.whole_problem for noted in state.problems),
        *result_problems(state, last=last),
    ]
    problems += _report_contestable_result(problems, state, last=last)
    is_cut = first and is_cut_off(match, problems)
    score = score_before_lost_beginning(match) if is_cut and not progress.expected else None
    if score is not None:
        progress.expect_scores({score}, set())
        return _replay_game(match, rule_book, terms, number, progress, play_game)
    is_known = bool(progress.expected) or game.score is not None or (first and not is_cut)
    gains, length = possible_wins_of(state, ending), state.context.terms.length
    from_nil = next_scores(gains, length, {progress.start}) if first else set()
    progress.expect_scores(next_scores(gains, length, scores) if is_known else set(), from_nil)
    scores_by_games = (
        next_scores(gains, length, progress.scores_by_games) if progress.scores_by_games else set()
    )
    progress.end_game(
        number, scores_by_games, is_open=state.end.kind is None and state.end.result is None
    )
    if progress.is_ruled:
        progress.add_points(points_from_start(game), length)
    not_rolled, cube = frozenset(state.not_rolled), state.cube.now
    turns = _list_all_turns(state, game)
    return GameReplay(game, context, turns, ending, tuple(problems), not_rolled, cube)


def _list_all_turns(state: GameState, game: Game) -> Turns:
    """Return the turns of a game."""
    if state.context.terms.variant not in UNCHECKED:
        return state.turns
    # In an unchecked variant, no play is carried out, so the board stays the same.
    turns, board, cube = Turns(), state.boards, state.cube.now
    for action in game.actions:
        if type(action) is not Result:
            turns.append(Turn(state.context, action, board, board, cube, None, verified=False))
    for turn in state.turns:
        turns.append(turn)
    return turns


def _choose_score_to_replay(
    game: Game, possible_scores: Scores, length: int | None
) -> tuple[int, int]:
    """Return the score at which to replay a game: the recorded one, or a possible one.

    A score that ends the match is chosen only if no other score is possible.
    """
    if game.score is not None and not (length and max(game.score.points) >= length):
        return game.score.points
    return min(
        (score for score in possible_scores if not length or max(score) < length),
        default=min(possible_scores),
    )


def replay_as_meant(
    conventions: Conventions,
    game: Game,
    rule_book: RuleBook,
    context: Context,
    odd_rows: tuple[int, ...],
) -> GameState:
    """Replay a game as it was probably meant, such as with swapped rolls put back.

    `conventions` say how the file writes plays. `context` is the state of the match before the
    game. `odd_rows` are lines with an unexpected row number.
    """
    start = start_of(context.terms.variant)
    if context.terms.variant in UNCHECKED:
        game = game._replace(actions=tuple(a for a in game.actions if type(a) is Result))

    def replay_from(actions: Game, boards: Boards) -> GameState:
        """Replay a game from these boards, and return the state at its end."""
        cube = CubeState(Cube(context.cube))
        state = GameState(actions, context, conventions, rule_book, boards, cube, odd_rows)
        replay_game(state)
        return state

    state = replay_from(game, start)
    if not state.problems:
        return state
    other = find_better_start(state, start)
    if other is not None:
        state = replay_from(game, other.boards)
        about = {"stated": context.terms.variant, "fits": other.name}
        state.insert_first_problem(MatchProblem("variant-mismatch", game.span, about, context.game))
        return state
    if merge_lost_column(state):
        return state
    return replay_with_swaps_undone(state, lambda turned: replay_from(turned, start))


def _report_contestable_result(
    problems: list[MatchProblem], state: GameState, *, last: bool
) -> Iterator[MatchProblem]:
    """Yield a problem if the last game was won by an illegal play that can still be corrected."""
    if not last or state.end.kind != "borne-off" or state.last is None:
        return
    play = state.last.play
    of_play = (
        problem for problem in problems if problem.turn is not None and problem.turn.action is play
    )
    if not any(_is_uncorrected(problem) for problem in of_play):
        return
    later = (action for action in state.game.actions if action.span > play.span)
    if not any(is_roll(action) and action.span not in state.not_rolled for action in later):
        game = state.context.game
        yield MatchProblem("result-contestable", play.span, {}, game, play.row, play.side)


def _is_uncorrected(error: MatchProblem) -> bool:
    """Whether a problem is an illegal play that neither the players nor a director corrected."""
    return error.rule in MOVEMENT and error.standing is None and RULED not in error.about
