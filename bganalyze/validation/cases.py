"""Cases: an error noticed at some moment, its ruling by each rule book, and the points then."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bganalyze.board.rule_book import RuleBook
from bganalyze.record.model import Comment, Double, Match, Result, SetUp
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding, Severity, Standing
from bganalyze.validation.replaying.match import MatchReplay, replay
from bganalyze.validation.replaying.outcomes import (
    FINAL_SCORE,
    SCORE,
    FinalScore,
    GameOutcome,
    Win,
    outcome_of,
)
from bganalyze.validation.replaying.places import (
    LinePlace,
    PlaceError,
    RowPlace,
    parse_place,
    turn_at,
    turn_of_finding,
    turn_on_line,
)
from bganalyze.validation.replaying.player_error_rule import MOVEMENT, SET_UP, is_roll, place_text
from bganalyze.validation.replaying.possible_scores import NIL
from bganalyze.validation.replaying.replayed import Turn
from bganalyze.validation.replaying.rulings import points_before
from bganalyze.validation.rescoring import (
    RescoredMatch,
    end_at_length,
    rescore,
    rescore_from_next_score,
    win_with_cube_at,
    win_without_double,
)
from bganalyze.validation.result_readings import find_contradictions
from bganalyze.validation.rules.ruling import MomentNoticed, Ruling, rule_on

RULED_ON = ("P4", "U2", "C5", "R6", "T105")
"""Starts of the codes of errors that directors are asked about."""

RULED_APART = frozenset(("game-after-match", "ruling-mismatch"))
"""Rules about results whose remedy is another than another result of the game."""

NOW = "now"
"""The moment after the end of the record."""

ROLLED = ":rolled"
"""The end of a place that means the moment after its roll, before its play is completed."""

AS_RECORDED = "as recorded"
BY_RESULT, BY_BOARD, BY_NEXT_SCORE = (
    "by the recorded result",
    "by the board",
    "by the next score line",
)
"""Readings of a disputed game: its result line, its plays, or the score line of the next game."""

BY_HEADER, BY_GAMES = "by the header", "by the games"
"""Readings of a match whose header states another final score."""

BY_START = "by the starting score written"
"""The reading of a match that begins at the first score line."""

MOST_LISTED = 8
"""Errors that a message lists."""


class PointsUnderRemedy(NamedTuple):
    """The points of the match under one remedy."""

    remedy: str
    """The remedy in words."""
    points: RescoredMatch
    contradicted_by: tuple[str, ...] = ()
    """Places in the match file, in words, that contradict this result of a disputed game."""


class BookRuling(NamedTuple):
    """What one rule book says about an error: a ruling."""

    rule_book: RuleBook
    finding: Finding | None
    """The error as a check by this book finds it; None if it is no error there."""
    ruling: Ruling | None
    """The ruling; None if there is nothing to correct."""

    @property
    def closed_by(self) -> str | None:
        """Place (`line:column`) of the action that made a correction too late, or None."""
        return None if self.finding is None else self.finding.closed_by


class Moment(NamedTuple):
    """The moment when an error was noticed: before an action, or after its roll and before its play."""

    turn: Turn
    is_rolled: bool = False


class Case(NamedTuple):
    """An error of a match, the ruling of each rule book, and its effect on the score."""

    replayed: MatchReplay
    finding: Finding
    """The error, by the first rule book that knows it."""
    others: tuple[Finding, ...]
    """Other errors at the same place."""
    turn: Turn
    """The action at its place, or the next one."""
    noticed: Moment | None
    """When it was noticed; None for now, after the end of the record."""
    rulings: tuple[BookRuling, ...]
    """The ruling of each rule book."""
    points: tuple[PointsUnderRemedy, ...]
    """The points as recorded, then under each remedy."""
    recorded: FinalScore
    """The score at the end and the winner of the match, as recorded."""

    @property
    def time_line(self) -> tuple[Turn, ...]:
        """The actions from the one before the error to the end of the match."""
        turns = _list_turns_in_order(self.replayed)
        game = self.turn.context.game
        start = next(at for at, turn in enumerate(turns) if turn.context.game == game)
        return tuple(turns[max(_find_turn_index(turns, self.turn) - 1, start) :])


def _list_turns_in_order(replayed: MatchReplay) -> list[Turn]:
    """Return the turns of a match in the order of play, without comments."""
    # Some formats write the result of a game at its beginning.
    turns = (turn for game in replayed.games_played for turn in game.turns)
    return [turn for turn in turns if not isinstance(turn.action, Comment)]


def _find_turn_index(turns: Sequence[Turn], turn: Turn) -> int:
    """Return the index of the turn at the same place in the file as `turn`."""
    game, start = turn.context.game, turn.action.span[:2]
    for index, other in enumerate(turns):
        if other.action.span[:2] == start:
            return index
    # Without such a turn: the index after the last turn of the same game.
    ends = [index for index, other in enumerate(turns, 1) if other.context.game == game]
    return ends[-1] if ends else 0


def find_case(
    matches: Sequence[Match],
    where: str,
    rule_books: Sequence[RuleBook],
    noticed: str = NOW,
    code: str | None = None,
) -> Case:
    """Return an error with each rule book's ruling and the possible scores of the match.

    `where` is its place: `2.14R` (game, row, side) or `41:38` (line, column). `noticed` is the
    first action after the error was noticed, or `now`. `code` limits the search to a rule. Raises
    PlaceError if no error is there.
    """
    replayed, found, knowing = _find_errors_at_place(matches, where, rule_books, code)
    finding, *others = sorted(found, key=_make_sort_key_of_finding)
    turn = turn_of_finding(replayed, finding)
    moment = _parse_moment_noticed(replayed, noticed, finding)
    noticed_at = None if moment is None else _find_place_noticed(replayed, moment)
    rulings = tuple(
        _make_ruling(book, finding, noticed_at)
        if book == knowing
        else _rule_by_other_book(replayed.match, finding, book, noticed_at)
        for book in rule_books
    )
    points = tuple(_rescore_under_each_correction(replayed, finding, turn))
    recorded = outcome_of(replayed).recorded
    return Case(replayed, finding, tuple(others), turn, moment, rulings, points, recorded)


def _make_sort_key_of_finding(finding: Finding) -> tuple[int, int]:
    """Return a sort key that puts the most severe findings first, then the leftmost."""
    return finding.severity.rank, finding.column


# Places.


def _find_errors_at_place(
    matches: Sequence[Match], where: str, rule_books: Sequence[RuleBook], code: str | None
) -> tuple[MatchReplay, list[Finding], RuleBook]:
    """Return the match, the errors at the place `where`, and the first book that reports any there.

    Raises PlaceError if no book reports an error there.
    """
    position = parse_place(where)
    searched = matches if isinstance(position, LinePlace) else matches[:1]
    listed: dict[tuple[int, int, str], Finding] = {}
    for rule_book in rule_books:
        for match in searched:
            replayed = replay(match, rule_book)
            errors = _find_errors_to_rule_on(replayed, rule_book)
            if found := [
                one for one in _select_errors_at(replayed, errors, position) if _has_code(one, code)
            ]:
                return replayed, found, rule_book
            listed.update((_make_key_of_finding(error), error) for error in errors)
    if isinstance(position, LinePlace):
        _require_no_error_elsewhere(matches, position, where, list(listed.values()))
        _require_action(matches, position, rule_books[0], list(listed.values()))
    of_rule = "" if code is None else f" by rule {code}"
    raise PlaceError(
        f"{where}: there is no finding{of_rule} to rule on{_list_errors_for_message(list(listed.values()))}"
    )


def find_only_place(
    matches: Sequence[Match], rule_books: Sequence[RuleBook], code: str | None = None
) -> str:
    """Return the place (`line:column`) of the only error in a file.

    Raises PlaceError if there are several errors or none.
    """
    for rule_book in rule_books:
        replays = (replay(match, rule_book) for match in matches)
        errors = [
            error
            for replayed in replays
            for error in _find_errors_to_rule_on(replayed, rule_book)
            if _has_code(error, code)
        ]
        # Infos count only without errors and warnings.
        errors = [error for error in errors if error.severity is not Severity.INFO] or errors
        if len(errors) == 1:
            return f"{errors[0].line}:{errors[0].column}"
        if errors:
            listed = ", ".join(map(_write_place_of_error, errors[:MOST_LISTED]))
            more = ", …" if len(errors) > MOST_LISTED else ""
            raise PlaceError(f"name the place of one of the findings: {listed}{more}")
    raise PlaceError("there is no finding to rule on")


def _has_code(finding: Finding, code: str | None) -> bool:
    """Whether a finding has the rule code `code`; if `code` is None, every finding fits."""
    return code is None or code.upper() == finding.code


def _find_errors_to_rule_on(replayed: MatchReplay, rule_book: RuleBook) -> list[Finding]:
    """Return the findings of a match on which a tournament director may have to rule."""
    findings = findings_of([replayed], rule_book)
    return [finding for finding in findings if finding.code.startswith(RULED_ON)]


def _select_errors_at(
    replayed: MatchReplay, errors: Sequence[Finding], position: RowPlace | LinePlace
) -> list[Finding]:
    """Return the errors at `position`: in one side's half of a row, on a line, or at a column."""
    if isinstance(position, LinePlace):
        on_line = [error for error in errors if error.line == position.line]
        exact = [error for error in on_line if error.column == position.column]
        if exact:
            return exact
        if not on_line:
            return _select_errors_of_wrapped_action(replayed, errors, position)
        if position.side is None and position.column is None:
            return on_line
    try:
        asked = _find_turn([replayed], position)
    except PlaceError:
        return [] if isinstance(position, RowPlace) or position.side is not None else on_line
    span = asked.action.span
    on_line = [error for error in errors if error.line == span.line]
    in_cell = [error for error in on_line if span.column <= error.column < span.end_column]
    return in_cell if in_cell or position.side is not None else on_line


def _select_errors_of_wrapped_action(
    replayed: MatchReplay, errors: Sequence[Finding], position: LinePlace
) -> list[Finding]:
    """Return the errors of an action that begins on an earlier line and wraps onto `position`."""
    # Mail programs wrap long rows.
    try:
        span = turn_on_line([replayed], position)[1].action.span
    except PlaceError:
        return []
    return [
        error
        for error in errors
        if span.line == error.line < position.line and span.column <= error.column < span.end_column
    ]


def _require_no_error_elsewhere(
    matches: Sequence[Match], position: LinePlace, written_place: str, errors: Sequence[Finding]
) -> None:
    """Raise PlaceError if the line of `position` is evidence of an error on another line."""
    # For example, a correct score line contradicts the wrong result above it.
    named = [
        error
        for error in errors
        if error.evidence is not None
        and any(conflict.line == position.line for conflict in error.evidence.by)
    ]
    if named:
        scores = (game.score for match in matches for game in match.games)
        is_score = any(score is not None and score.span.line == position.line for score in scores)
        listed = ", ".join(map(_write_place_of_error, named[:MOST_LISTED]))
        what = "score" if is_score else "line"
        raise PlaceError(
            f"{written_place}: the finding about this {what} is at {listed}; rule on it there"
        )


def _require_action(
    matches: Sequence[Match], position: LinePlace, rule_book: RuleBook, errors: Sequence[Finding]
) -> None:
    """Raise PlaceError if no action is on the line of `position`; the message lists `errors`."""
    try:
        turn_on_line((replay(match, rule_book) for match in matches), position)
    except PlaceError as error:
        raise PlaceError(f"{error}{_list_errors_for_message(errors)}") from None


def _find_turn(replays: Sequence[MatchReplay], position: RowPlace | LinePlace) -> Turn:
    """Return the turn at `position`, or raise PlaceError."""
    if isinstance(position, LinePlace):
        return turn_on_line(replays, position)[1]
    # A row is looked up in the first match only.
    asked = turn_at(replays[0], position)
    turns = replays[0].games[asked.context.game - 1].turns
    return next(turn for turn in turns if turn.action.span == asked.action.span)


def _parse_moment_noticed(replayed: MatchReplay, noticed: str, finding: Finding) -> Moment | None:
    """Parse `noticed`, the moment when an error was noticed; raise PlaceError if it is impossible.

    `41` or `2.14R` means before the action there, `41:rolled` after its roll. For `now`, the result
    is None.
    """
    if noticed.strip().casefold() == NOW:
        return None
    where = noticed.strip()
    is_rolled = where.casefold().endswith(ROLLED)
    if is_rolled:
        where = where[: -len(ROLLED)]
    position = parse_place(where)
    turn = _find_turn([replayed], position)
    if not _is_turn_after_finding(replayed, turn, finding) and isinstance(position, LinePlace):
        turn = _find_later_turn_on_line(replayed, position, finding) or turn
    action = turn.action
    if not _is_turn_after_finding(replayed, turn, finding):
        raise PlaceError(
            f"{noticed}: this is not after the finding in line {finding.line}"
            f"{_name_first_line_after(replayed, finding)}"
        )
    if is_rolled and not is_roll(action):
        raise PlaceError(f"{noticed}: this action has no roll")
    return Moment(turn, is_rolled)


def _name_first_line_after(replayed: MatchReplay, finding: Finding) -> str:
    """Return text for a message that names the first line with an action after an error."""
    later = (
        turn
        for turn in _list_turns_in_order(replayed)
        if turn.action.span.line != finding.line and _is_turn_after_finding(replayed, turn, finding)
    )
    turn = next(later, None)
    if turn is None:
        return "; no later line has an action"
    return f"; the next line with an action is {turn.action.span.line}"


def _find_later_turn_on_line(
    replayed: MatchReplay, position: LinePlace, finding: Finding
) -> Turn | None:
    """Return the first turn after the error `finding` on the line of `position`, or None."""
    if position.side is not None or position.column is not None:
        # A side or column names one turn of the line, so no other turn is meant.
        return None
    # A line of match text has turns of both sides; the first may be the error itself.
    on_line = (
        turn for turn in _list_turns_in_order(replayed) if turn.action.span.line == position.line
    )
    return next((turn for turn in on_line if _is_turn_after_finding(replayed, turn, finding)), None)


def _is_turn_after_finding(replayed: MatchReplay, turn: Turn, finding: Finding) -> bool:
    """Whether a turn was played after the error reported by `finding`."""
    turns, faulty = _list_turns_in_order(replayed), turn_of_finding(replayed, finding)
    index, other = _find_turn_index(turns, turn), _find_turn_index(turns, faulty)
    return index > other or (
        # The turn after a header or score line comes after an error in that line.
        index == other and (finding.line, finding.column) < turn.action.span[:2]
    )


def _list_errors_for_message(errors: Sequence[Finding]) -> str:
    """Return text for a message that lists errors, such as `; there is one at 41:38 (P406)`."""
    if not errors:
        return ", and none in this match"
    listed = ", ".join(map(_write_place_of_error, errors[:MOST_LISTED]))
    more = ", …" if len(errors) > MOST_LISTED else ""
    return f"; there is one at {listed}{more}"


def _write_place_of_error(error: Finding) -> str:
    """Return the place and the rule code of an error: `41:38 (P406)`."""
    return f"{error.line}:{error.column} ({error.code})"


# Rulings and points.


def _find_place_noticed(replayed: MatchReplay, moment: Moment) -> MomentNoticed | None:
    """Return the place of the first action, not a result, at or after `moment`, or None."""
    turns = _list_turns_in_order(replayed)
    later = turns[_find_turn_index(turns, moment.turn) :]
    acting = next((turn for turn in later if not isinstance(turn.action, Result)), None)
    if acting is None:
        return None
    return MomentNoticed(place_text(acting.action.span), is_rolled=moment.is_rolled)


def _rule_by_other_book(
    match: Match, finding: Finding, book: RuleBook, noticed: MomentNoticed | None
) -> BookRuling:
    """Check a match by the rule book `book`, and return its ruling on an error.

    `noticed` is the moment when the error was noticed; None stands for the end of the file.
    """
    found = findings_of([replay(match, book)], book)
    same = (each for each in found if _make_key_of_finding(each) == _make_key_of_finding(finding))
    return _make_ruling(book, next(same, None), noticed)


def _make_ruling(
    book: RuleBook, finding: Finding | None, noticed: MomentNoticed | None
) -> BookRuling:
    """Return the ruling of the rule book `book` on an error.

    `finding` is None if this book reports no error. `noticed` is None if the error was noticed at
    the end of the file.
    """
    if finding is None:
        return BookRuling(book, None, None)
    return BookRuling(book, finding, rule_on(finding, book, noticed))


def _make_key_of_finding(finding: Finding) -> tuple[int, int, str]:
    """Return a finding's line, column and rule code, to find it again in another check."""
    return finding.line, finding.column, finding.code


def _rescore_under_each_correction(
    replayed: MatchReplay, finding: Finding, turn_of_error: Turn
) -> Iterator[PointsUnderRemedy]:
    """Yield the match's points as recorded, then after each possible correction of an error."""
    number = _find_disputed_game(replayed, finding, turn_of_error)
    outcome = outcome_of(replayed).games[number - 1]
    recorded = outcome.recorded or outcome.counting
    if finding.name == FINAL_SCORE:
        yield from _rescore_by_header_and_games(replayed)
        return
    if is_about_starting_score(replayed, finding, turn_of_error):
        yield from _rescore_for_each_start(replayed, number, outcome.counting)
        return
    if finding.code.startswith("R6") and finding.name not in RULED_APART:
        yield from rescore_for_each_result(replayed, number, outcome)
        return
    yield PointsUnderRemedy(AS_RECORDED, _rescore_as_recorded(replayed, number, finding, recorded))
    if finding.standing is Standing.CORRECTED:
        return
    if finding.name in MOVEMENT or finding.name in SET_UP:
        yield PointsUnderRemedy(
            "corrected, and played on from there", rescore(replayed, number, None)
        )
    elif finding.name == "game-after-match":
        if (ended := end_at_length(replayed)) is not None:
            played = [game.context.game for game in replayed.games_played]
            if number in played[: -ended.unneeded]:
                ended = ended._replace(
                    won=recorded, after=rescore(replayed, number, recorded).after
                )
            yield PointsUnderRemedy("ended when the length was reached", ended)
    elif finding.name == "ruling-mismatch":
        yield PointsUnderRemedy("with the points given", rescore(replayed, number, recorded))
    else:
        yield from _rescore_without_cube_error(replayed, finding, turn_of_error)


def rescore_for_each_result(
    replayed: MatchReplay, number: int, outcome: GameOutcome
) -> Iterator[PointsUnderRemedy]:
    """Yield the match's points for each possible result of game `number`, the recorded first."""
    recorded = outcome.recorded or outcome.counting
    wins = {BY_RESULT if outcome.recorded else AS_RECORDED: recorded}
    others = {BY_BOARD: outcome.by_board, BY_NEXT_SCORE: outcome.by_next_score}
    wins |= {name: won for name, won in others.items() if _is_another_known_win(won, recorded)}
    points = {name: rescore(replayed, number, won) for name, won in wins.items()}
    if SCORE in outcome.disputed and outcome.by_next_score is None:
        # The score line follows from no win of the game.
        by_score = rescore_from_next_score(replayed, number)
        points |= {} if by_score is None else {BY_NEXT_SCORE: by_score}
    for name, rescored in points.items():
        readings = [rescored, *(other for other in points.values() if other != rescored)]
        contradictions = find_contradictions(replayed, number, outcome, wins.get(name), readings)
        yield PointsUnderRemedy(name, rescored, tuple(contradictions) if len(points) > 1 else ())


def is_about_starting_score(replayed: MatchReplay, finding: Finding, turn_of_error: Turn) -> bool:
    """Whether an error is about the score line of the first game played."""
    first = replayed.games_played[0].context.game
    return finding.name == SCORE and turn_of_error.context.game == first


def _rescore_for_each_start(
    replayed: MatchReplay, number: int, won: Win | None
) -> Iterator[PointsUnderRemedy]:
    """Yield the points of the match counted from its written starting score, then from 0 – 0.

    `won` is the win of the first game played, whose number is `number`.
    """
    yield PointsUnderRemedy(BY_START, rescore(replayed, number, won))
    yield PointsUnderRemedy("from 0 – 0", rescore(replayed, number, won, NIL))


def _rescore_by_header_and_games(replayed: MatchReplay) -> Iterator[PointsUnderRemedy]:
    """Yield the final score stated in the header, then the sum of the games' points."""
    outcome = outcome_of(replayed)
    for name, stated in ((BY_HEADER, outcome.recorded), (BY_GAMES, outcome.by_board)):
        yield PointsUnderRemedy(name, RescoredMatch(None, None, stated.after, stated.winner))


def _rescore_as_recorded(
    replayed: MatchReplay, number: int, finding: Finding, recorded: Win | None
) -> RescoredMatch:
    """Return the points of the match if game `number` had the result `recorded`.

    `recorded` has the winner and the points; None means that they are unknown.
    """
    # The score lacks the points given by a director, so they are left out.
    if finding.name == "ruling-mismatch":
        games = list(replayed.games)
        games[number - 1] = games[number - 1]._replace(given=NIL)
        replayed = replayed._replace(games=tuple(games))
    return rescore(replayed, number, recorded)


def _rescore_without_cube_error(
    replayed: MatchReplay, finding: Finding, turn_of_error: Turn
) -> Iterator[PointsUnderRemedy]:
    """Yield the points of the match without the wrong double, or with the correct cube value."""
    number, action = turn_of_error.context.game, turn_of_error.action
    game = replayed.games[number - 1]
    if finding.name == "wrong-value" and isinstance(action, Double) and action.value:
        right = turn_of_error.cube.value * 2
        won = win_with_cube_at(game, game.cube.value, game.cube.value * action.value // right)
        yield PointsUnderRemedy(f"with the cube at {right} then", rescore(replayed, number, won))
    elif finding.name == "impossible-cube" and isinstance(action, SetUp) and action.cube_value:
        is_doubled = any(isinstance(later.action, Double) for later in game.turns)
        won = None if is_doubled else win_with_cube_at(game, 1, game.cube.value)
        yield PointsUnderRemedy("with the cube in the middle, at 1", rescore(replayed, number, won))
    elif isinstance(action, Double):
        won = win_without_double(game, turn_of_error)
        yield PointsUnderRemedy("without the double", rescore(replayed, number, won))


def _find_disputed_game(replayed: MatchReplay, finding: Finding, turn_of_error: Turn) -> int:
    """Return the number of the game whose result is in doubt because of an error."""
    number = turn_of_error.context.game
    played = [game.context.game for game in replayed.games_played]
    before = played.index(number) - 1
    # A wrong score line puts the result of the game before it in doubt.
    is_before = finding.name == "score-mismatch" or (
        finding.name == "ruling-mismatch" and points_before(replayed.games[number - 1].game) != NIL
    )
    return played[before] if is_before and before >= 0 else number


def _is_another_known_win(one: Win | None, other: Win | None) -> bool:
    """Whether `one` is a win with known points that differs from `other`."""
    return one is not None and one.points is not None and one != other
