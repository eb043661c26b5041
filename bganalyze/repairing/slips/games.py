"""Slips in headers, scores, results and the match line."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from bganalyze.record.model import (
    LEFT,
    RIGHT,
    Game,
    Result,
    ScoreLine,
    Side,
    Unread,
    other_side,
)
from bganalyze.record.players import plain_name
from bganalyze.repairing.error_context import ErrorContext
from bganalyze.repairing.phrases import (
    MATCH_TEXT,
    count_blank_lines_above_games,
    replace_names,
    replace_number,
    replace_points,
    result_phrase,
    rewrite_score_line,
)
from bganalyze.repairing.proof import DOUBLE_MAY_BE_MISSING, OTHER_NAMES, POINTS_MAY_BE_WRONG
from bganalyze.repairing.remedy import finding_key
from bganalyze.repairing.rows import split_into_rows
from bganalyze.repairing.spelling import measure_likeness_ignoring_case
from bganalyze.repairing.suggestion import Suggestion, edit_text
from bganalyze.validation.checking import problems_of
from bganalyze.validation.findings import Edit
from bganalyze.validation.replaying.replayed import GameReplay

Score = tuple[int, int]

# Log-likelihoods of slips, for comparing suggestions with one another.
HEADER_LOST = math.log(0.8)
GAME_NUMBER, NAMES = math.log(0.5), math.log(0.5)
SCORE, BOTH_SCORES = math.log(0.5), math.log(0.1)
"""Log-likelihood that one number of a score line is wrong, and that both are."""
CARRIED_ON, WRONG_SIDE = math.log(0.3), math.log(0.03)
"""Log-likelihood that a wrong score is carried on into all later ones, for the winner of the game
before it and for the loser."""
LOST_GAME, LOST_NUMBERED, SEVERAL_LOST = math.log(0.4), math.log(0.15), math.log(0.3)
"""Log-likelihood that a game is missing: if the games have no numbers, if they were numbered
afterwards, and if several games are missing."""
END_LOST, SCORE_TOO = math.log(0.55), -3.0
"""Log-likelihood that the end of a game is missing, by which one side won the points of the next score,
and the penalty for an edit of that score: the end would be missing as well."""
POINTS, WINNER = math.log(0.4), math.log(0.8)
WINNER_BEHIND = math.log(12.0)
"""Log-odds factor: the recorded winner was behind in the race when the game was resigned."""
UNLIKELY_POINTS = -3.0
RESULT_LOST, RESULT_TWICE, OTHER_RESULT = math.log(0.6), math.log(0.9), math.log(0.2)
MISSPELLED = math.log(0.8)
STATED_LENGTH = math.log(0.9)
"""Log-likelihood of a length that the stated final score reaches."""
LENGTH, UNUSUAL_LENGTH, UNDECIDED = math.log(0.3), math.log(0.01), -3.0
"""Log-likelihoods of odd and even lengths (matches are played to an odd number of points), and the
penalty for a length that leaves the match undecided."""

CUT_DOWN = 1.2
"""Gain for a length that explains the points of the last game."""

LONGEST_MATCH = 25
"""Longest match length that is guessed, in points. Few matches are longer."""

POINTS_TRIED = (1, 2, 4)
"""Points tried for an unreadable result if no score shows them."""

LEAST_LIKENESS = 0.6
"""Least likeness of two spellings of a name or a phrase."""

_NUMBER = re.compile(r"[0-9]{1,4}")
_MATCH_MARK = re.compile(r"(?<!\s)\s+and the match.*", re.IGNORECASE)


def suggest_lost_header(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing game line or score line, written as in other games."""
    number, game = context.finding.game, context.game
    if context.finding.code != "T120" or number is None or game is None:
        return
    match = context.replayed.match
    games = match.games
    line = game.game.span.line
    for score in _infer_scores_before(context, number):
        edits = _insert_game_line(context, number, line) if game.game.number is None else []
        missing = ["game line"] if edits else []
        if game.game.score is None:
            sample = next((other.score for other in games if other.score is not None), None)
            if sample is None:
                return
            below = line if game.game.number is None else line + 1
            edits.append(Edit(below, None, rewrite_score_line(context.lines, sample, score)))
            missing.append("score line")
        if edits:
            texts = " / ".join(" ".join(edit.new.split()) for edit in edits if edit.new)
            message = f'insert the missing {" and ".join(missing)} "{texts}"'
            yield _make_suggestion("header", message, edits, HEADER_LOST)
        if game.game.score is not None:
            return


def _insert_game_line(context: ErrorContext, number: int, line: int) -> list[Edit]:
    """Return the edits that insert a missing game line, such as `Game 3`, above a line.

    `number` counts the games of the file from 1. Without a game line to copy, there are no edits.
    """
    games = context.replayed.match.games
    sample = next((game for game in games if game.number is not None), None)
    counted = _infer_game_number(games, number)
    if sample is None or sample.number is None or counted is None:
        return []
    text = replace_number(context.lines[sample.span.line - 1], sample.number, counted)
    if text is None:
        return []
    blank = 0
    while line - 2 - blank >= 0 and not context.lines[line - 2 - blank].strip():
        blank += 1
    missing = max(count_blank_lines_above_games(context.lines, games) - blank, 0)
    return [Edit(line, None, new) for new in ("",) * missing + (text,)]


def _infer_game_number(games: tuple[Game, ...], place: int) -> int | None:
    """Return the number that a game should have, counted from the nearest numbered game.

    `place` counts the games of the file from 1. Without numbered games, return None.
    """
    for at in range(place - 1, 0, -1):
        written = games[at - 1].number
        if written is not None:
            return written + place - at
    for at in range(place + 1, len(games) + 1):
        written = games[at - 1].number
        if written is not None:
            return written + place - at
    return None


def suggest_game_number(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest another game number if the numbers and scores around show that no game is missing."""
    number, game = context.finding.game, context.game
    if context.finding.code != "T104" or number is None or game is None:
        return
    if "before" not in context.problem.about:
        return  # The games are repeated or out of order.
    games = context.replayed.match.games
    written, before = game.game.number, context.problem.about["before"]
    following = next((other.number for other in games[number:]), None)
    score = game.game.score
    fits = score is not None and score.points in _infer_scores_before(context, number)
    if written is None or not fits or following not in (None, before + 2):
        return
    span = game.game.span
    text = replace_number(context.text_at(span), written, before + 1)
    if text is not None:
        message = f"{context.text_at(span)} → {text}"
        yield _make_suggestion(
            "game-number", message, [edit_text(context, span, text)], GAME_NUMBER
        )


def suggest_names(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest other names for a score line whose names are swapped or misspelled."""
    number, game = context.finding.game, context.game
    if context.finding.code != "T114" or number is None or game is None or not game.game.score:
        return
    score = game.game.score
    names: tuple[str, str] = context.problem.about["before"]
    if not _are_names_alike(names, score.names) and not _are_names_alike(names, score.names[::-1]):
        return
    line = context.lines[score.span.line - 1]
    text = replace_names(line, score, names)
    if text is not None:
        message = f"{' and '.join(score.names)} → {' and '.join(names)}"
        suggestion = _make_suggestion("names", message, [Edit(score.span.line, line, text)], NAMES)
        others = (other.score.names for other in context.replayed.match.games if other.score)
        is_confirmed = sum(other == names for other in others) > 1
        yield suggestion._replace(doubt=None if is_confirmed else OTHER_NAMES)


def _are_names_alike(one: tuple[str, str], two: tuple[str, ...]) -> bool:
    """Whether two pairs of names are so similar that they may be the same players."""
    return all(
        measure_likeness_ignoring_case(plain_name(a), plain_name(b)) >= LEAST_LIKENESS
        for a, b in zip(one, two, strict=True)
    )


def suggest_score(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest other points for a wrong score line, alone or together with all later score lines."""
    number, game = context.finding.game, context.game
    if context.finding.code != "R604" or number is None or game is None:
        return
    score = game.game.score
    assert score is not None
    expected = context.problem.about["expected"]
    before = _find_game_before(context, number)
    is_open = before is not None and _may_lack_end(context, before, number)
    penalty = SCORE_TOO if is_open else 0.0
    for right in [expected] if expected else _infer_scores_before(context, number):
        is_one = (right[0] == score.points[0]) != (right[1] == score.points[1])
        likelihood = (SCORE if is_one else BOTH_SCORES) + penalty
        message = f"score {_write_score(score.points)} → {_write_score(right)}"
        edit = _edit_score(context, score, right)
        yield _make_suggestion("score", message, [edit], likelihood)
        edits = _shift_later_scores(context, number, right)
        if len(edits) > 1:
            message = f"{message}, and shift all later scores alike"
            carried = (
                CARRIED_ON if _has_wrong_points_of_winner(context, number, right) else WRONG_SIDE
            )
            yield _make_suggestion("scores", message, edits, likelihood + carried)


def suggest_start_at_0_0(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest a start at 0-0 if game 1, by its score the Crawford game, has a double.

    Later scores are lowered by as many points.
    """
    number, game = context.finding.game, context.game
    if context.finding.code != "C503" or number is None or game is None:
        return
    score = game.game.score
    is_first = number == context.replayed.order.games[0] and game.game.number == 1
    if score is None or not is_first:
        return
    edits = _shift_later_scores(context, number, (0, 0))
    if not edits:
        return
    message = f"score {_write_score(score.points)} → {_write_score((0, 0))}"
    kind = "score" if len(edits) == 1 else "scores"
    carried = 0.0 if len(edits) == 1 else CARRIED_ON
    message += "" if len(edits) == 1 else ", and shift all later scores alike"
    likelihood = (SCORE if 0 in score.points else BOTH_SCORES) + carried
    if _ends_with_match(context):
        likelihood += UNDECIDED
    yield _make_suggestion(kind, message, edits, likelihood)


def _ends_with_match(context: ErrorContext) -> bool:
    """Whether the recorded points of the last game bring its winner to the match length."""
    length = context.replayed.match.length
    last = context.replayed.games_played[-1]
    result = _find_result(last.game)
    if result is None or length is None:
        return False
    before = _find_score_before_game(context, last.context.game)
    return before[result.side] + result.points >= length.points


def _has_wrong_points_of_winner(context: ErrorContext, game_number: int, expected: Score) -> bool:
    """Whether a score line has wrong points for the side that won the game before.

    `expected` is the right score. If the result of the game before is unknown, return True.
    """
    before = _find_game_before(context, game_number)
    result = None if before is None else _find_result(before.game)
    return (
        result is None
        or expected[result.side] != _find_score_before_game(context, game_number)[result.side]
    )


def _edit_score(context: ErrorContext, score: ScoreLine, points: Score) -> Edit:
    """Return the edit that writes other points in a score line."""
    line = score.span.line
    return Edit(line, context.lines[line - 1], rewrite_score_line(context.lines, score, points))


def _shift_later_scores(context: ErrorContext, number: int, correct_score: Score) -> list[Edit]:
    """Return the edits that correct the score of game `number` and shift later scores equally.

    There are no edits if a score would fall below 0.
    """
    order = context.replayed.order.games
    games = (context.replayed.games[at - 1].game for at in order[order.index(number) :])
    scores = [game.score for game in games if game.score]
    first = scores[0].points
    more = correct_score[0] - first[0], correct_score[1] - first[1]
    edits: list[Edit] = []
    for score in scores:
        points = score.points[0] + more[0], score.points[1] + more[1]
        if min(points) < 0:
            # A score would be below 0.
            return []
        edits.append(_edit_score(context, score, points))
    return edits


def suggest_lost_game(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest, without edits, that a whole game is missing above a wrong score line."""
    number = context.finding.game
    before = None if number is None else _find_game_before(context, number)
    if context.finding.code != "R604" or number is None or before is None:
        return
    games = context.replayed.games
    led_to, score = (
        _infer_scores_after(context, before.context.game),
        _find_score_before_game(context, number),
    )
    gains = [_count_points_gained(before, score) for before in led_to]
    if not gains or min(map(min, gains)) < 0 or not _is_followed_by_next_score(context, number):
        return
    is_one = any(0 in gain for gain in gains)
    above, below = (games[at - 1].game.number_at(at) for at in (before.context.game, number))
    missing = "a game seems to be" if is_one else "games seem to be"
    is_numbered = games[number - 1].game.number is not None
    likelihood = LOST_NUMBERED if is_numbered else LOST_GAME
    yield Suggestion(
        "game-lost",
        f"{missing} missing between games {above} and {below}",
        (),
        games[number - 1].game.span.line,
        None,
        None,
        likelihood + (0 if is_one else SEVERAL_LOST),
        is_whole=False,
        explained=frozenset((finding_key(context.finding),)),
    )


def suggest_lost_end(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest, without edits, that the end of a game is missing above an odd score line."""
    number = context.finding.game
    before = None if number is None else _find_game_before(context, number)
    if number is None or before is None or not _may_lack_end(context, before, number):
        return
    name = context.replayed.games[before.context.game - 1].game.number_at(before.context.game)
    yield Suggestion(
        "end-lost",
        f"the end of game {name} seems to be missing",
        (),
        context.replayed.games[number - 1].game.span.line,
        None,
        None,
        END_LOST,
        is_whole=False,
        explained=frozenset((finding_key(context.finding),)),
    )


def _may_lack_end(context: ErrorContext, game: GameReplay, number: int) -> bool:
    """Whether a game has no recorded end although the next score shows its winner.

    `number` is the number of the next game.
    """
    gained = _count_points_gained(
        _find_score_before_game(context, game.context.game),
        _find_score_before_game(context, number),
    )
    return (
        context.finding.code == "R604"
        and _find_result(game.game) is None
        and game.ending.decided_for is None
        and min(gained) == 0 < max(gained)
    )


def _count_points_gained(before: Score, after: Score) -> Score:
    """Return the points that each side gains between two scores."""
    return after[0] - before[0], after[1] - before[1]


def _is_followed_by_next_score(context: ErrorContext, number: int) -> bool:
    """Whether the score line after game `number` agrees with its score and result.

    Without a later score line, return True.
    """
    after = _find_score_line_after(context, number)
    return after is None or after.points in _infer_scores_after(context, number)


def suggest_points(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest other points for a result: those shown by the final board or by the next score."""
    code, number, game = context.finding.code, context.finding.game, context.game
    if number is None or game is None:
        return
    if code in ("R602", "R610"):
        result = _find_result(game.game)
        allowed = context.problem.about.get("allowed") or [game.cube.value]
    elif code == "R604" and (before := _find_game_before(context, number)) is not None:
        game = before
        result, allowed = _find_result(game.game), []
    else:
        return
    gain = _find_gain_of_game(context, game.context.game)
    if result is None:
        return
    if gain is not None and gain[0] == result.side and gain[1] not in allowed:
        allowed = [*allowed, gain[1]]
    others = [points for points in allowed if points != result.points]
    text = context.text(result)
    for points in others:
        likely = gain[1] if gain else _find_points_to_write(context, game)
        likelihood = POINTS - (math.log(len(others)) if likely is None else 0)
        likelihood += 0 if points == likely or likely is None else UNLIKELY_POINTS
        new = replace_points(text, result.points, points)
        edit = edit_text(context, result.span, new)
        suggestion = _make_suggestion("points", f"{text} → {new}", [edit], likelihood, result)
        doubt = None if context.finding.reading is None else DOUBLE_MAY_BE_MISSING
        yield suggestion._replace(doubt=doubt)


def _find_points_to_write(context: ErrorContext, game: GameReplay) -> int | None:
    """Return the points that a result should state by the final board, or None if unknown."""
    worth, length = game.ending.on_board, game.context.terms.length
    if worth is None or not length or not context.replayed.match.conventions.caps_points:
        return worth
    # The program that wrote the file caps points.
    return min(worth, length)


def suggest_other_winner(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest moving a result to the column of the other side."""
    code, number, game = context.finding.code, context.finding.game, context.game
    if code == "R611":
        game = context.replayed.games_played[-1]
    elif code == "R604" and number is not None:
        game = _find_game_before(context, number)
    elif code != "R603":
        return
    result = None if game is None else _find_result(game.game)
    if game is None or result is None:
        return
    side = other_side(result.side)
    gain = _find_gain_of_game(context, game.context.game)
    if code != "R603" and (gain is None or gain[0] != side):
        return
    edit = _move_result(context, game.game, result, side)
    if edit is None:
        return
    names = game.game.names_or(context.replayed.match.names)
    message = f"move {context.text(result)} to the column of {names[side]}"
    if code == "R603" and gain == (result.side, result.points):
        yield from _suggest_winner_and_scores(context, game, result, edit, message)
    if gain is None or gain[1] == result.points or gain[0] != side:
        # Swapped sides look the same, but then the recorded winner is not behind.
        is_resigned_ahead = code != "R603" and _is_behind(game, result.side)
        likelihood = WINNER_BEHIND if is_resigned_ahead else WINNER
        yield _make_suggestion("winner", message, [edit], likelihood, result)


def _suggest_winner_and_scores(
    context: ErrorContext, game: GameReplay, result: Result, edit: Edit, message: str
) -> Iterator[Suggestion]:
    """Suggest the other side as a game's winner, with later scores changed accordingly.

    `edit` moves the recorded result to the other column.
    """
    number = context.replayed.order.after_each().get(game.context.game)
    if number is None or context.replayed.games[number - 1].game.score is None:
        return
    score = list(_find_score_before_game(context, game.context.game))
    score[other_side(result.side)] += result.points
    scores = _shift_later_scores(context, number, (score[0], score[1]))
    if scores:
        message = f"{message}, and shift all later scores alike"
        yield _make_suggestion("winner", message, [edit, *scores], WINNER + CARRIED_ON, result)


def _is_behind(game: GameReplay, side: Side) -> bool:
    """Whether a side has the higher pip count at the end of a game."""
    pips = [sum(point * count for point, count in enumerate(own)) for own in game.turns[-1].after]
    return pips[side] > pips[other_side(side)]


def _move_result(context: ErrorContext, game: Game, result: Result, side: Side) -> Edit | None:
    """Return the edit that moves a result to the column of `side`.

    Return None if that cell is filled or the result is in no row.
    """
    sheet = split_into_rows(context.lines, game) if _is_match_text(context) else None
    if sheet is None:
        return None
    row = next((row for row in sheet.rows if row.line == result.span.line), None)
    line = context.lines[result.span.line - 1]
    text = context.text(result)
    if row is None or row.cells[side]:
        return None
    if line.strip() == text:
        return Edit(result.span.line, line, " " * _measure_offset_of_results(context, side) + text)
    moved = row.with_cell(side, text).with_cell(other_side(side), "")
    return Edit(result.span.line, line, sheet.format_row(moved))


def _measure_offset_of_results(context: ErrorContext, side: Side) -> int:
    """Return how many blanks the file writes before a result of `side` on its own line."""
    for game in context.replayed.match.games:
        result = _find_result(game)
        if result is not None and result.side == side and _has_result_own_line(context, result):
            return result.span.column - 1
    sheet = split_into_rows(context.lines, context.replayed.match.games[0])
    if side == LEFT or sheet is None:
        return 6
    return sheet.right_at + 1


def _has_result_own_line(context: ErrorContext, result: Result) -> bool:
    """Whether a result is alone on its line."""
    return context.lines[result.span.line - 1].strip() == context.text(result)


def suggest_lost_result(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest inserting a missing result that follows from the game's end or the next score."""
    code, number, game = context.finding.code, context.finding.game, context.game
    if number is None or game is None or not _is_match_text(context):
        return
    if code == "R606":
        won = game.ending.winner, game.ending.on_board
    elif code == "R604" and (before := _find_game_before(context, number)) is not None:
        game = before
        won = _find_gain_of_game(context, game.context.game) or (None, None)
    else:
        return
    side, points = won
    if side is None or points is None or _find_result(game.game) or not game.game.actions:
        return
    text = result_phrase(context.replayed.match, points)
    if text is not None:
        edit = _insert_result(context, game.game, side, text)
        yield _make_suggestion("result", f'insert the missing result "{text}"', [edit], RESULT_LOST)


def _insert_result(context: ErrorContext, game: Game, side: Side, text: str) -> Edit:
    """Return the edit that writes a result `text` at the end of a game, in the column of `side`."""
    last = game.actions[-1].span.line
    sheet = split_into_rows(context.lines, game)
    row = next((row for row in sheet.rows if row.line == last), None) if sheet else None
    # The empty right cell of the last row, if the file writes results there, else a new line.
    if (
        sheet
        and row
        and side == RIGHT
        and not row.right
        and not _writes_result_on_new_line(context)
    ):
        return Edit(last, context.lines[last - 1], sheet.format_row(row.with_cell(RIGHT, text)))
    return Edit(last + 1, None, " " * _measure_offset_of_results(context, side) + text)


def _writes_result_on_new_line(context: ErrorContext) -> bool:
    """Whether the file writes a win of right on a new line, not in the empty cell above."""
    for game in context.replayed.match.games:
        *before, result = game.actions or (None,)
        if type(result) is not Result or result.side != RIGHT or not before:
            continue
        # The first game that ends like this decides.
        if getattr(before[-1], "side", None) == LEFT:
            return result.row is None
    return False


def suggest_deleting_result(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest deleting one of several results of a game."""
    game = context.game
    if context.finding.code not in ("R615", "T106") or game is None:
        return
    results = [action for action in game.game.actions if type(action) is Result]
    likelihood = RESULT_TWICE if context.finding.code == "R615" else OTHER_RESULT
    if len(results) < 2:
        return
    for result in reversed(results):
        line = context.lines[result.span.line - 1]
        if _has_result_own_line(context, result):
            edit = Edit(result.span.line, line, None)
        else:
            edit = edit_text(context, result.span, "")
        text = context.text(result)
        yield _make_suggestion("result", f'delete "{text}"', [edit], likelihood, result)


def suggest_spelling_of_result(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest the correct spelling of an unreadable result."""
    unread = context.actions[context.index] if context.index is not None else None
    if type(unread) is not Unread or context.game is None:
        return
    for phrase in _find_results_like(context, unread.text):
        edit = edit_text(context, unread.span, phrase)
        message = f"{unread.text} → {phrase}"
        yield _make_suggestion("result", message, [edit], MISSPELLED, unread)


def _find_results_like(context: ErrorContext, text: str) -> Iterator[str]:
    """Yield the results, such as `Wins 1 point`, that an unreadable text resembles."""
    assert context.game is not None
    mark = _MATCH_MARK.search(text)
    # A remark such as `and the match` is kept.
    text, suffix = (text[: mark.start()], mark.group()) if mark else (text, "")
    number = _NUMBER.search(text)
    gain = _find_gain_of_game(context, context.game.context.game)
    tried = (gain[1],) if gain else POINTS_TRIED
    for points in (int(number.group()),) if number else tried:
        phrase = result_phrase(context.replayed.match, points)
        if phrase is None or measure_likeness_ignoring_case(phrase, text) < LEAST_LIKENESS:
            continue
        rest = text[number.start() :] if number and "point" in text else None
        yield (phrase if rest is None else f"{phrase.split()[0]} {rest}") + suffix


def suggest_match_length(context: ErrorContext) -> Iterator[Suggestion]:
    """Suggest another match length if the scores exceed it or end below it."""
    match, code = context.replayed.match, context.finding.code
    if code not in ("R605", "C503", "R602", "R611") or not match.length or not match.length.points:
        return
    numbers = [game.number for game in match.games if game.number is not None]
    if code == "C503" and numbers != list(range(1, len(numbers) + 1)):
        # The Crawford game may be among the missing ones.
        return
    text = context.text_at(match.length.span)
    for points, likelihood in _find_possible_lengths(context):
        new = replace_number(text, match.length.points, points)
        if new is not None and points != match.length.points:
            edit = edit_text(context, match.length.span, new)
            suggestion = _make_suggestion("length", f"{text} → {new}", [edit], likelihood)
            doubt = POINTS_MAY_BE_WRONG if code in ("R602", "R611") else None
            yield suggestion._replace(doubt=doubt)


def _find_possible_lengths(context: ErrorContext) -> Iterator[tuple[int, float]]:
    """Yield the match lengths that the scores allow, each with its log-likelihood."""
    games = context.replayed.games
    reached = max(
        max(_find_score_before_game(context, number)) for number in range(1, len(games) + 1)
    )
    last = context.replayed.games_played[-1]
    result = _find_result(last.game)
    won = 0 if result is None else result.points
    final = reached
    if result is not None:
        final = _find_score_before_game(context, last.context.game)[result.side] + won
    # Points are capped at the points needed to win, or at the length.
    usual = {final, won} if _may_points_be_capped(context) else set()
    stated = _find_stated_final_score(context)
    has_cube = any(game.cube.value > 1 for game in games)
    for points in range(reached + 1 + (has_cube and not reached), LONGEST_MATCH + 1):
        likelihood = LENGTH if points % 2 else UNUSUAL_LENGTH
        if stated is not None and points == max(stated):
            yield points, STATED_LENGTH
        elif points in usual:
            yield points, likelihood + CUT_DOWN
        elif points <= final:
            yield points, likelihood
        elif final <= reached or points <= final + 2:
            yield points, likelihood + UNDECIDED


def _may_points_be_capped(context: ErrorContext) -> bool:
    """Whether a result may state only the points that the winner still needed for the match."""
    if context.replayed.match.conventions.caps_points:
        return True
    is_last = context.finding.game == context.replayed.order.games[-1]
    return context.finding.code == "R602" and is_last and context.finding.reading is None


def _infer_scores_before(context: ErrorContext, number: int) -> list[Score]:
    """Return the scores that are possible before game `number`.

    They follow from the game before, or from the result of this game and the next score line.
    """
    earlier = _find_game_before(context, number)
    if earlier is None:
        return [(0, 0)]
    led_to = _infer_scores_after(context, earlier.context.game)
    result = _find_result(context.replayed.games[number - 1].game)
    after = _find_score_line_after(context, number)
    if led_to or result is None or after is None:
        return led_to
    before = list(after.points)
    before[result.side] -= result.points
    return [(before[0], before[1])] if min(before) >= 0 else []


def _infer_scores_after(context: ErrorContext, number: int) -> list[Score]:
    """Return the scores that are possible after game `number`, by its result or board."""
    game = context.replayed.games[number - 1]
    result, ending = _find_result(game.game), game.ending
    gains = [] if result is None else [(result.side, result.points)]
    if ending.winner is not None and ending.on_board is not None:
        gains.append((ending.winner, ending.on_board))
    scores: list[Score] = []
    length = game.context.terms.length
    for side, points in gains:
        for most in (math.inf, length or math.inf):
            score = list(_find_score_before_game(context, number))
            score[side] = int(min(score[side] + points, most))
            scores.append((score[0], score[1]))
    return list(dict.fromkeys(scores))


def _find_game_before(context: ErrorContext, number: int) -> GameReplay | None:
    """Return the game played before game `number`, or None."""
    before = context.replayed.order.before_each().get(number)
    return None if before is None else context.replayed.games[before - 1]


def _find_score_line_after(context: ErrorContext, number: int) -> ScoreLine | None:
    """Return the score line of the game played after game `number`, or None."""
    after = context.replayed.order.after_each().get(number)
    return None if after is None else context.replayed.games[after - 1].game.score


def _find_score_before_game(context: ErrorContext, number: int) -> Score:
    """Return the score before game `number`, as written or else from the replay."""
    game = context.replayed.games[number - 1]
    return game.game.score.points if game.game.score is not None else game.context.score


def _find_gain_of_game(context: ErrorContext, number: int) -> tuple[Side, int] | None:
    """Return the winner and the points of a game by the score lines around it, or None."""
    score = _find_score_line_after(context, number)
    after = score.points if score is not None else None
    if number == context.replayed.order.games[-1]:
        after = _find_stated_final_score(context)
    if after is None:
        return None
    before = _find_score_before_game(context, number)
    gains = after[0] - before[0], after[1] - before[1]
    if min(gains) != 0 or max(gains) <= 0:
        return None
    return (LEFT, gains[0]) if gains[0] else (RIGHT, gains[1])


def _find_stated_final_score(context: ErrorContext) -> Score | None:
    """Return the final score in the header if it contradicts the games, or None."""
    problems = problems_of(context.replayed)
    stated = (
        problem.about["stated"] for problem in problems if problem.rule == "final-score-mismatch"
    )
    return next(((left, right) for left, right in stated), None)


def _find_result(game: Game) -> Result | None:
    """Return the last result of a game, or None."""
    return next((action for action in reversed(game.actions) if type(action) is Result), None)


def _is_match_text(context: ErrorContext) -> bool:
    """Whether the file is match text (`.mat`, `.txt`), the format of most programs."""
    return context.replayed.match.format == MATCH_TEXT


def _write_score(score: Score) -> str:
    """Return a score as text: `3-2`."""
    return f"{score[0]}-{score[1]}"


def _make_suggestion(
    kind: str,
    message: str,
    edits: list[Edit],
    slip_log_likelihood: float,
    action: Result | Unread | None = None,
) -> Suggestion:
    """Return a suggestion, placed at its first edited line and in the cell of `action`.

    `kind` names the slip.
    """
    row, side = (action.row, action.side) if action is not None else (None, None)
    line = min(edit.line for edit in edits)
    return Suggestion(kind, message, tuple(edits), line, row, side, slip_log_likelihood)


SLIPS = (
    suggest_lost_header,
    suggest_game_number,
    suggest_names,
    suggest_score,
    suggest_start_at_0_0,
    suggest_lost_game,
    suggest_lost_end,
    suggest_points,
    suggest_other_winner,
    suggest_lost_result,
    suggest_deleting_result,
    suggest_spelling_of_result,
    suggest_match_length,
)
