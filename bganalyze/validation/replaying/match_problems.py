"""Problems about a match as a whole: its header, names, game numbers, and final score."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import zip_longest

from bganalyze.board.position import UNCHECKED
from bganalyze.record.conventions import GALAXY
from bganalyze.record.dates import find_impossible_date
from bganalyze.record.model import Comment, Game, Match, Play, ReaderNote, RulingMade, ScoreLine
from bganalyze.record.players import plain_name
from bganalyze.record.sessions import is_session_without_heading
from bganalyze.validation.replaying.headers import missing_lines, row_number
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.order import Order, Repeat
from bganalyze.validation.replaying.possible_scores import NIL, only_score
from bganalyze.validation.replaying.replayed import GameReplay, MatchProblem
from bganalyze.validation.replaying.rulings import is_replayed, points_before
from bganalyze.validation.replaying.terms import CRAWFORD_MARK, VARIANT_KEYS, length_of

MOST_LENGTH = 1_000
"""Longest plausible match, in points; the longest on record are to a few hundred."""

_ELO = re.compile(r"\s*([0-9]{1,9})(?![0-9])")


def match_problems(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield the problems that concern a match as a whole."""
    match = replayed.match
    odd_rows = Counter(odd.game for odd in match.oddities if odd.rule == "row-number")
    for odd in match.oddities:
        is_only_one = odd.rule == "row-number" and odd_rows[odd.game] == 1
        after = _find_row_before_lost_rows(match, odd) if is_only_one else None
        about = {"text": odd.text, "after": after}
        yield MatchProblem(odd.rule, odd.span, about, odd.game, odd.row, odd.side)
    yield from _report_oddities_at_beginning(replayed)
    yield from _report_different_names(match)
    yield from _report_missing_header_lines(replayed)
    yield from _report_wrong_game_numbers(replayed)
    yield from _report_partial_match(replayed)
    yield from final_score_problems(replayed)
    for game in replayed.games:
        yield from _report_wrong_crawford_remarks(game)


def _find_row_before_lost_rows(match: Match, note: ReaderNote) -> int | None:
    """Return the number of the last row before missing rows, or None if no rows are missing.

    `note` is the reader's note on an unexpected row number.
    """
    # A mistyped number that is followed by the right one would cause two notes. Without a play
    # after it the number proves nothing: some programs count on after a resignation.
    number = row_number(note.text)
    if number is None or note.game is None or not 0 < note.game <= len(match.games):
        return None
    actions = match.games[note.game - 1].actions
    before = [action.row for action in actions if action.row and action.span.line < note.span.line]
    goes_on = any(type(action) is Play and action.span.line > note.span.line for action in actions)
    last = row_number(before[-1]) if before else 0
    # Rows are missing if the number noted is too high and a play follows.
    return last if last is not None and goes_on and number > last + 1 else None


def _report_oddities_at_beginning(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield the problems with a match's place in the file, its length, its date and its variant."""
    match = replayed.match
    place = match.beginning
    if place is None:
        return
    is_session = is_session_without_heading(match)
    if match.number > 1:
        about = {"number": match.number, "is_session": is_session}
        yield MatchProblem("several-matches", place, about)
    if match.length is None:
        usual = "length: 5" if match.format == "bgm" else "5 point match"
        is_single = len(match.games) == 1 and _lacks_number_and_score(match.games[0])
        yield MatchProblem(
            "missing-length", match.games[0].span, {"stated": usual, "is_single": is_single}
        )
    elif match.length.points > MOST_LENGTH:
        yield MatchProblem("impossible-value", match.length.span, {"length": match.length.points})
    date = find_impossible_date(match)
    if date is not None and not is_session:
        yield MatchProblem("impossible-value", date.span, {"date": date.value})
    variant = replayed.games[0].context.terms.variant if replayed.games else None
    if variant in UNCHECKED:
        stated = (tag.span for tag in match.tags if tag.key.casefold() in VARIANT_KEYS)
        yield MatchProblem("unchecked-variant", next(stated, place), {"variant": variant})


def _lacks_number_and_score(game: Game) -> bool:
    """Whether a game has no number, and no score except 0-0, as in a `.gam` file."""
    return game.number is None and (game.score is None or game.score.points == (0, 0))


def _report_different_names(match: Match) -> Iterator[MatchProblem]:
    """Yield a problem if the players' names differ between header and games, or between games."""
    scores = [(n, game.score) for n, game in enumerate(match.games, 1) if game.score]
    if not scores:
        return
    header = [match.tag("Player 1"), match.tag("Player 2")]
    number, first = scores[0]
    if header[0] and header[1]:
        stated = {plain_name(name or "") for name in header}
        if stated != {plain_name(name) for name in first.names}:
            yield MatchProblem("header-mismatch", first.span, {"header": header}, number)
    # If the usual names return after a game, that is not reported again.
    usual, before, last = _simplify_names(first), _simplify_names(first), first
    for number, score in scores[1:]:
        now = _simplify_names(score)
        if now not in (before, usual):
            yield MatchProblem(
                "name-change", score.span, {"before": last.names, "now": score.names}, number
            )
        usual, before, last = before, now, score


def _simplify_names(score: ScoreLine) -> list[str]:
    """Return both names of a score line, simplified so that different spellings compare equal."""
    return [plain_name(name) for name in score.names]


def _report_missing_header_lines(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield a problem for each game that lacks a header line which other games have."""
    match = replayed.match
    # The replay itself reports a file that begins in the middle of a game.
    first = 2 if any(problem.rule == "missing-header" for problem in replayed.problems) else 1
    for number, lines in missing_lines(match):
        if number >= first:
            span = match.games[number - 1].span
            yield MatchProblem(
                "missing-header", span, {"lines": lines, "row": None, "is_cut_off": False}, number
            )


def _report_wrong_game_numbers(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield a problem for each game number that does not follow from the one before."""
    match, copies = replayed.match, replayed.copies
    yield from problems_of_copies(replayed)
    yield from _report_repeated_games(replayed.repeats)
    left_out = {repeat.number for repeat in replayed.repeats}
    if not replayed.order.is_as_recorded:
        yield _report_wrong_order(match, replayed.order)
        return
    before: int | None = None
    following = (game.number for game in match.games[1:])
    for index, (game, after) in enumerate(zip_longest(match.games, following), start=1):
        if game.number is None:
            before = None if before is None else before + 1
            continue
        if game.number == before and (index in copies or is_replayed(match.games[index - 2])):
            continue
        while before is not None and game.number != before + 1 and before + 1 in left_out:
            before += 1
        if before is not None and game.number != before + 1:
            is_mistyped = after == before + 2
            about = {"number": game.number, "before": before, "mistyped": is_mistyped}
            yield MatchProblem("game-number", game.span, about, index)
            before = before + 1 if is_mistyped else game.number
        else:
            before = game.number


def _report_repeated_games(repeats: Iterable[Repeat]) -> Iterator[MatchProblem]:
    """Yield a problem for each game that is recorded twice by mistake."""
    for repeat in repeats:
        about = {"copy": repeat.number, "original": repeat.original_number, "counts": False}
        yield MatchProblem("game-number", repeat.game.span, about, repeat.original)


def problems_of_copies(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield a problem for each game with the same plays as an earlier one."""
    match = replayed.match
    for number, original in replayed.copies.items():
        copy, first = (match.games[at - 1].number_at(at) for at in (number, original))
        about = {"copy": copy, "original": first, "counts": True}
        yield MatchProblem("game-number", match.games[number - 1].span, about, number)


def _report_wrong_order(match: Match, order: Order) -> MatchProblem:
    """Return the problem that the file has the games of a match in the wrong order."""
    place = next(at for at, number in enumerate(order.games, start=1) if number != at)
    shown = order.games if order.by_scores else range(1, len(match.games) + 1)
    numbers = tuple(match.games[number - 1].number_at(number) for number in shown)
    about = {"order": numbers, "by_scores": order.by_scores}
    return MatchProblem("game-number", match.games[place - 1].span, about, place)


def _report_partial_match(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield a problem if a match does not start at 0-0, or ends before a side has won it."""
    match, length = replayed.match, length_of(replayed.match)
    if not length or match.length is None:
        return
    if not replayed.games:
        yield MatchProblem("partial-match", match.length.span, {"why": "the record holds no game"})
        return
    first_number, last_number = replayed.order.games[0], replayed.order.games[-1]
    first, last = match.games[first_number - 1].score, replayed.games[last_number - 1]
    is_wrong = any(
        problem.rule == "score-mismatch" and problem.game == first_number
        for problem in replayed.problems
    )
    start = points_before(match.games[first_number - 1])
    if first is not None and first.points != start and not is_wrong:
        why = f"the record begins at {first.points[0]}-{first.points[1]}"
        if match.games[first_number - 1].number == 1 and start == NIL:
            why += " in game 1: earlier games are missing, or the score line is wrong"
        yield MatchProblem("partial-match", first.span, {"why": why}, first_number)
    unfinished = last.ending.kind == "abandoned"
    if replayed.scores and not unfinished and all(max(score) < length for score in replayed.scores):
        backward = reversed(last.game.actions)
        actions = (a for a in backward if not isinstance(a, Comment | RulingMade))
        place = next(actions, last.game).span
        score = only_score(replayed.scores)
        at = f" at {score[0]}-{score[1]}," if score else ""
        why = f"the record ends{at} before the match is decided"
        yield MatchProblem("partial-match", place, {"why": why}, last_number)


def final_score_problems(replayed: MatchReplay) -> Iterator[MatchProblem]:
    """Yield a problem if the games contradict the final score stated in the file's header.

    Only files of Backgammon Galaxy state a final score, in the header lines `Elo`.
    """
    match = replayed.match
    if match.conventions.producer != GALAXY or not replayed.games or not replayed.scores:
        return
    tags = {tag.key.casefold(): tag for tag in match.tags}
    stated: list[int] = []
    for key in ("player 1 elo", "player 2 elo"):
        entry = _ELO.match(tags[key].value) if key in tags else None
        if entry is None:
            return
        stated.append(int(entry.group(1)))
    last = replayed.games_played[-1]
    if last.ending.kind == "abandoned" or match.length is None:
        return
    if last.context.game in (*replayed.copies, *replayed.copies.values()):
        return  # Another game may have been the last.
    most = match.length.points
    reached = {(min(left, most), min(right, most)) for left, right in replayed.scores}
    if tuple(stated) not in reached:
        about = {"stated": stated, "reached": only_score(reached)}
        yield MatchProblem("final-score-mismatch", tags["player 1 elo"].span, about)


def _report_wrong_crawford_remarks(game: GameReplay) -> Iterator[MatchProblem]:
    """Yield a problem for each remark `Crawford game` on a game that is not the Crawford game."""
    if game.context.crawford or not game.context.crawford_known:
        return
    if game.game.crawford:
        yield MatchProblem("crawford-mismatch", game.game.span, {}, game.context.game)
    for action in game.game.actions_besides_plays():
        if isinstance(action, Comment) and CRAWFORD_MARK.search(action.text):
            yield MatchProblem("crawford-mismatch", action.span, {}, game.context.game)
