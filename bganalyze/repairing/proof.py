"""Proof: limits on the changes that a proved repair may make, and the reasons against proof."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from bganalyze.record.model import Action, Answer, Double, Game, Match, Play, Result, Unread
from bganalyze.repairing.file_to_repair import FileToRepair
from bganalyze.validation.replaying.match import MatchReplay

# Reasons why a repair is not proved, which follow the words "not proved:".
MAY_BE_PLAYERS = "the error may be the player's"
NOT_RULED_OUT = "an error of the player is not ruled out"
GOES_ON = "nothing later tests this: what follows fits either way"
NO_EDIT = "no edit brings back what is missing"
ROLL_UNKNOWN = "other rolls fit as well"
ROW_IS_GUESSED = "both turns of the row are guessed"
LATER_PLAYS = "later plays of the game are not all legal"
ROW_MAY_BE_MISSING = "a missing row would explain it too"
TURN_MAY_BE_MISSING = "a missing turn would explain it too"
GAME_MAY_BE_MISSING = "a missing game would explain it too"
RIVALS_TOGETHER = "other edits together are too likely"
UNTRIED = "not every likely edit was tried"
UNLIKELY = "the slip is unlikely in itself"
SEARCH_ENDED = "the search ended at its limit"
LATER_ERRORS = "it depends on how the next errors are repaired"
REVEALS_ERROR = "it leaves or reveals another error"
ADDS_WARNINGS = "it causes new warnings"
CHANGES_ACTIONS = "it adds or removes a play, a double, an answer or a result"
CHANGES_HEAD = "it changes the header of the match or the number of games"
SCORE_NOT_CONFIRMED = "no other part of the match confirms the score"
POINTS_NOT_CONFIRMED = "no later score confirms the points; a double may be missing instead"
EARLIER_ERROR = "the repair of an earlier error here is not proved"
SIDES_EXPLAIN_ANY = "swapping the sides explains any result of a game"
CELL_IS_EMPTY = "an empty cell may have another reason"
DOUBLE_MAY_BE_MISSING = "a missing double and its take would explain it too"
POINTS_MAY_BE_WRONG = "wrong points of the last game would explain it too"
OTHER_NAMES = "no third score line shows which names are right"
TYPED = "typed by hand"


def name_number_of_rivals(count: int) -> str:
    """Return the sentence that `count` other repairs are about as likely.

    >>> name_number_of_rivals(1), name_number_of_rivals(3)
    ('another edit fits as well', '3 other edits fit as well')
    """
    return "another edit fits as well" if count == 1 else f"{count} other edits fit as well"


COUNTED_ACTIONS = (Double, Answer, Result, Play)
"""Actions whose number a proved repair keeps."""

WORD_ACTIONS = (Double, Answer, Result)
"""Actions that are written as words and may be misspelled."""


def keeps_actions(before: FileToRepair, after: FileToRepair) -> bool:
    """Whether a repair neither adds nor removes a play, double, answer or result.

    An action that only becomes readable by a corrected spelling is not counted as added.
    """
    had, has = _count_actions(before), _count_actions(after)
    return had <= has and has - had == _count_corrected_spellings(before, after)


def _count_corrected_spellings(before: FileToRepair, after: FileToRepair) -> Counter[type]:
    """Count the actions that a repair made readable by correcting their spelling, by type."""
    unread_after = {
        action.span.line for action in _yield_actions(after) if isinstance(action, Unread)
    }
    unread = {action.span.line for action in _yield_actions(before) if isinstance(action, Unread)}
    read_before = {
        action.span.line for action in _yield_actions(before) if isinstance(action, WORD_ACTIONS)
    }
    lines = unread - unread_after - read_before
    return Counter(
        type(action)
        for action in _yield_actions(after)
        if isinstance(action, WORD_ACTIONS) and action.span.line in lines
    )


def keeps_header(before: FileToRepair, after: FileToRepair) -> bool:
    """Whether a repair leaves the header, length and number of games of each match unchanged."""
    return [*map(_list_header, _list_matches(before))] == [*map(_list_header, _list_matches(after))]


def is_changed_score_confirmed(before: FileToRepair, after: FileToRepair) -> bool:
    """Whether the rest of the file confirms the only score line that a repair changes.

    If the repair changes no score line, the result is True; if it changes several, False.
    """
    changes = 0
    for one, other in zip(before.replays, after.replays, strict=True):
        scores = zip(
            _list_recorded_scores(one.match), _list_recorded_scores(other.match), strict=True
        )
        for place, (score, score_after) in enumerate(scores):
            if score == score_after or (score is None and place > 0):
                continue
            changes += 1
            if score is None or not _is_score_confirmed(other, place):
                return False
    return changes <= 1


def _is_score_confirmed(replayed: MatchReplay, index: int) -> bool:
    """Whether the lines around the game at `index` confirm its score line.

    These lines are the results of this game and the game before, and the next score line. If any
    score of the match is in doubt, the result is False.
    """
    neighbors = replayed.match.games[max(index - 1, 0) : index + 1]
    return _is_followed_by_trusted_score(replayed, index) and all(
        any(isinstance(action, Result) for action in game.actions) for game in neighbors
    )


def are_changed_points_confirmed(before: FileToRepair, after: FileToRepair) -> bool:
    """Whether a later score line confirms each result whose points a repair changes."""
    return not any(
        _changes_points(was, now) and not _is_followed_by_trusted_score(other, place)
        for one, other in zip(before.replays, after.replays, strict=True)
        for place, (was, now) in enumerate(zip(one.match.games, other.match.games, strict=True))
    )


def _changes_points(was: Game, now: Game) -> bool:
    """Whether a repair changes the points that a game's result gives to the same winner."""
    results = ([act for act in game.actions if type(act) is Result] for game in (was, now))
    return any(
        one.side == other.side and one.points != other.points
        for one, other in zip(*results, strict=False)
    )


def _is_followed_by_trusted_score(replayed: MatchReplay, index: int) -> bool:
    """Whether a score line follows the game at `index`, and no score line is in doubt."""
    following = replayed.match.games[index + 1 : index + 2]
    return (
        any(game.score is not None for game in following)
        and replayed.order.is_as_recorded
        and not any(problem.rule == "score-mismatch" for problem in replayed.problems)
    )


def find_reason_for_doubt(before: FileToRepair, after: FileToRepair) -> str | None:
    """Return why a repair is uncertain, as a sentence for users, or None if it is certain."""
    if not keeps_actions(before, after):
        return CHANGES_ACTIONS
    if not keeps_header(before, after):
        return CHANGES_HEAD
    if not is_changed_score_confirmed(before, after):
        return SCORE_NOT_CONFIRMED
    return None if are_changed_points_confirmed(before, after) else POINTS_NOT_CONFIRMED


def _list_matches(file: FileToRepair) -> Iterable[Match]:
    """Return the matches of a file."""
    return (replayed.match for replayed in file.replays)


def _yield_actions(file: FileToRepair) -> Iterator[Action]:
    """Yield the actions of all games of a file."""
    return (
        action for match in _list_matches(file) for game in match.games for action in game.actions
    )


def _count_actions(file: FileToRepair) -> Counter[type]:
    """Return the number of doubles, answers, results and plays in a file, by type."""
    return Counter(
        type(action) for action in _yield_actions(file) if isinstance(action, COUNTED_ACTIONS)
    )


def _list_header(match: Match) -> tuple[object, ...]:
    """Return the length, the number of games and the header entries of a match."""
    length = match.length and match.length.points
    return length, len(match.games), [(tag.key, tag.value) for tag in match.tags]


def _list_recorded_scores(match: Match) -> list[tuple[int, int] | None]:
    """Return the score in the score line of each game, or None for a game without one."""
    return [None if game.score is None else game.score.points for game in match.games]
