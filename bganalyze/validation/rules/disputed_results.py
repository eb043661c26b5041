"""Disputed results in words: as recorded, by the board, and the findings that contradict them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from bganalyze.record.model import Side
from bganalyze.text import join_words, number_of
from bganalyze.validation.replaying.match import MatchReplay
from bganalyze.validation.replaying.outcomes import (
    OF_RESULTS,
    FinalScore,
    GameOutcome,
    MatchOutcome,
    Win,
    winner_is_disputed,
)
from bganalyze.validation.rules import BY_NAME

Names: TypeAlias = tuple[str, str]
"""The players of the left and of the right column."""


MOST_NAMED = 4
"""Games that a result in words names by their numbers."""


class Dispute(NamedTuple):
    """A result that findings contradict."""

    game: int | None
    """Number of the game; None for the match."""
    words: str
    """The contradiction in words."""
    codes: tuple[str, ...]
    """The codes of the findings, in their order."""
    counting: str = ""
    """The result of the game that statistics use, in words that follow "count the game"."""

    def __str__(self) -> str:
        """Return the dispute in one line.

        >>> str(Dispute(2, "as recorded, Ann wins; by the board, Bob wins", ("R603",)))
        'game 2: as recorded, Ann wins; by the board, Bob wins (R603)'
        """
        place = "the match" if self.game is None else f"game {self.game}"
        return f"{place}: {self.words} ({', '.join(self.codes)})"


def codes_of(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the sorted codes of rules given by name.

    >>> codes_of(["score-mismatch", "wrong-winner"])
    ('R603', 'R604')
    """
    return tuple(sorted({BY_NAME[rule].code for rule in rules}))


def list_names_of_games(replayed: MatchReplay) -> list[Names]:
    """Return the left and the right player's name in each game."""
    players = replayed.match.names  # Looked up once: few of many games may have them.
    names = (game.game.names_or(players) for game in replayed.games)
    return [(left or "left", right or "right") for left, right in names]


def find_disputes(outcome: MatchOutcome, names: Sequence[Names]) -> Iterator[Dispute]:
    """Yield the results, of the match or of games, that something else in the file contradicts.

    `names` are the players' names in each game.
    """
    of_games = any(game.disputed for game in outcome.games)
    if outcome.recorded != outcome.by_board or (outcome.disputed and not of_games):
        yield Dispute(None, disputed_match_in_words(outcome, names[0]), codes_of(outcome.disputed))
    for number, (game, players) in enumerate(zip(outcome.games, names, strict=True), start=1):
        if game.disputed:
            words, counting = game_in_words(game, players), _describe_counting(game, players)
            yield Dispute(number, words, codes_of(game.disputed), counting)


def game_in_words(outcome: GameOutcome, names: Names) -> str:
    """Return a disputed result of a game as text: as recorded, by the board, and as statistics count it."""
    if outcome.recorded == outcome.by_board == outcome.counting is not None:
        return f"{win_in_words(outcome.counting, names)}, {_describe_next_score(outcome, names)}"
    recorded = "no result" if outcome.recorded is None else win_in_words(outcome.recorded, names)
    by_board = "undecided" if outcome.by_board is None else win_in_words(outcome.by_board, names)
    counted = _describe_counting(outcome, names)
    return f"as recorded, {recorded}; by the board, {by_board}; statistics count the game {counted}"


def _describe_counting(outcome: GameOutcome, names: Names) -> str:
    """Return how statistics count a disputed game: `as recorded` or `by the board`, for example."""
    if outcome.counting is None:
        return "without a result"
    if outcome.counting == outcome.recorded:
        return "as recorded"
    if outcome.counting == outcome.by_board:
        return "by the board"
    return f"as: {win_in_words(outcome.counting, names)}"


def _describe_next_score(outcome: GameOutcome, names: Names) -> str:
    """Return a text such as `but the next score line gives Ann 2 points`."""
    score = outcome.by_next_score
    if score is None or score.points is None:
        return "but the next score line does not follow from it"
    return f"but the next score line gives {names[score.side]} {number_of(score.points, 'point')}"


def result_in_words(outcome: MatchOutcome, names: Names) -> str:
    """Return the score and the winner of a match, such as `7–3, won by Ann`.

    If the recorded result differs from the result by the boards, the text has both.
    """
    if outcome.recorded == outcome.by_board:
        return _describe_score(outcome.counting, names, outcome.length)
    return disputed_match_in_words(outcome, names)


def disputed_match_in_words(outcome: MatchOutcome, names: Names) -> str:
    """Return the disputed result of a match as text: as recorded, and by its games."""
    recorded, by_board = (
        _describe_score(score, names, outcome.length)
        for score in (outcome.recorded, outcome.by_board)
    )
    if outcome.recorded == outcome.by_board:
        return f"{recorded}, as recorded and by the games"
    words = f"as recorded, {recorded}; {_name_games_counted_otherwise(outcome)}, {by_board}"
    if winner_is_disputed(outcome):
        return f"the winner is not settled: {words}; statistics count the match for nobody"
    return words


def _name_games_counted_otherwise(outcome: MatchOutcome) -> str:
    """Return text that names the games on which the score depends.

    An example is `if game 3 counts as its plays say`.
    """
    changed = [
        str(number)
        for number, game in enumerate(outcome.games, start=1)
        if game.disputed and game.by_board not in (None, game.recorded)
    ]
    if not changed or not OF_RESULTS.issuperset(outcome.disputed):
        # More than games is disputed, or no final board shows another win.
        return "by the games"
    if len(changed) == 1:
        return f"if game {changed[0]} counts as its plays say"
    if len(changed) > MOST_NAMED:
        return f"if {len(changed)} disputed games count as their plays say"
    return f"if games {join_words(changed)} count as their plays say"


def win_in_words(won: Win, names: Names) -> str:
    """Return the winner of a game and the points, such as `Ann wins 2 points`."""
    if won.points is None:
        return f"{names[won.side]} wins, points unknown"
    return f"{names[won.side]} wins {number_of(won.points, 'point')}"


def _describe_score(score: FinalScore, names: Names, length: int | None) -> str:
    """Return a final score and its winner, if any, such as `7–3, won by Ann`."""
    return score_in_words(score.after, score.winner, names, length)


def score_in_words(
    score: tuple[int, int] | None, winner: Side | None, names: Names, length: int | None
) -> str:
    """Return a score and the winner of the match, if any, such as `7–3, won by Ann`.

    The score is in the order of `names`. A `length` of 0 means money play.
    """
    after = "score unknown" if score is None else "{}–{}".format(*score)
    if winner is None:
        return f"{after}, undecided" if length and score is not None else after
    return f"{after}, won by {names[winner]}"
