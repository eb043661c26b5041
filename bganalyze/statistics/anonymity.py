"""Anonymous matches, which can be shared: players are called Player A, Player B, and so on.

Ratings, paths and all free text are left out, because they may contain names. Rolls, plays, cubes and
scores stay as they are, and so do length, rules, site and day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING, overload

from bganalyze.record.dates import day_in_name
from bganalyze.record.model import (
    Action,
    Answer,
    Comment,
    Double,
    Game,
    Match,
    Play,
    ReaderNote,
    ScoreLine,
    SetUp,
    Source,
    Tag,
    Unread,
)
from bganalyze.record.players import NAMELESS, Players, plain_name
from bganalyze.validation.replaying.ending import OFF_THE_BOARD
from bganalyze.validation.replaying.terms import CRAWFORD_MARK

if TYPE_CHECKING:
    from bganalyze.analysis.analyzed import GameResult
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.statistics.tables.schema import Columns

PATH = "match"
"""The path of every anonymous file."""

TEXT = "…"
"""Replaces text that no grammar reads."""

KEPT = frozenset(
    (
        *("site", "date", "eventdate", "variation", "variant"),
        *("crawford", "jacoby", "beaver", "cubelimit"),
        *("position", "setup", "xgid", "gnubgid"),
    )
)
"""The header entries that are kept, besides the names of the players."""

PERSONAL = (
    *("path", "left_written", "right_written", "left_rating", "right_rating"),
    *("transcriber", "event", "round"),
)
"""The columns of the table of matches that are emptied."""

_PLAYERS = ("player 1", "player 2")

MOST_NAMES = 100
"""Each line is searched for so many names; of a match with more names no line is shown."""


class Anonyms:
    """What players are called: the same player the same, in the order in which they are met.

    >>> called = Anonyms()
    >>> [called(name) for name in ("Nori,1723", "Bob", "NORI", "")]
    ['Player A', 'Player B', 'Player A', '(no name)']
    """

    def __init__(self, players: Players | None = None) -> None:
        """Take over who the written names stand for."""
        self._players = players or Players()
        self._labels: dict[str, str] = {}

    def __call__(self, written: str) -> str:
        """Return the label of a player; a blank name has none."""
        if not written.strip():
            return NAMELESS
        return self._labels.setdefault(self._players(written), _label(len(self._labels)))


def _label(number: int) -> str:
    """The label of that number: A to Z, then AA to ZZ, and so on."""
    letters = ""
    while number >= 0:
        number, place = divmod(number, len(ascii_uppercase))
        letters, number = ascii_uppercase[place] + letters, number - 1
    return f"Player {letters}"


def anonymous_file(matches: Iterable[Match], players: Players | None = None) -> list[Match]:
    """Return the matches of one file, in which a player is called the same throughout.

    `players` says who the written names stand for.
    """
    called = Anonyms(players)
    return [anonymous(match, called) for match in matches]


def anonymous(match: Match, called: Anonyms) -> Match:
    """Return the match without names, ratings, path and free text."""
    games = tuple(_game(game, called) for game in match.games)
    return match._replace(
        source=_source(match),
        tags=tuple(_tags(match, called)),
        games=games,
        oddities=tuple(map(_oddity, match.oddities)),
        profile=match.profile._replace(notes=()),
    )


def anonymous_analyzed(match: AnalyzedMatch, called: Callable[[str], str]) -> AnalyzedMatch:
    """Return an analyzed match without names and path."""
    left, right = map(called, match.names)
    results = tuple(_result(result, called) for result in match.results)
    return match._replace(path=PATH, names=(left, right), results=results)


def _result(result: GameResult, called: Callable[[str], str]) -> GameResult:
    left, right = (name and called(name) for name in (result.left_name, result.right_name))
    return result._replace(left_name=left, right_name=right)


def anonymous_rows(matches: Columns) -> Columns:
    """Return rows of the table of matches without what `PERSONAL` names.

    Who `left` and `right` are called is up to the `player` that `collected` is given: `Anonyms`.
    """
    count = len(matches["match"])
    return {**matches, **{name: [None] * count for name in PERSONAL}}


def _game(game: Game, called: Anonyms) -> Game:
    score = game.score and _score(game.score, called)
    return game._replace(score=score, actions=tuple(map(_action, game.actions)))


def _score(score: ScoreLine, called: Anonyms) -> ScoreLine:
    left, right = (called(name) if name.strip() else "" for name in score.names)
    return score._replace(names=(left, right))


def _action(action: Action) -> Action:
    match action:
        case Unread():
            return action._replace(text=TEXT)
        case Comment(text=text):
            return action._replace(text=_meaning(text))
        case Play() | Double() | Answer() | SetUp():
            return action._replace(analysis=None)
    return action


def _meaning(comment: str) -> str:
    """The words of a comment that say something about the game."""
    marks = (mark.search(comment) for mark in (CRAWFORD_MARK, OFF_THE_BOARD))
    return " ".join(words.group() for words in marks if words)


def _oddity(oddity: ReaderNote) -> ReaderNote:
    return oddity if oddity.rule == "row-number" else oddity._replace(text=TEXT)


def _tags(match: Match, called: Anonyms) -> list[Tag]:
    kept = []
    for tag in match.tags:
        key = tag.key.casefold()
        if key in _PLAYERS:
            kept.append(tag._replace(value=called(tag.value)))
        elif key in KEPT:
            kept.append(tag)
    return kept


def _source(match: Match) -> Source:
    """The file without its path, and of its lines those alone that hold nothing but actions.

    Snowie and GNU Backgammon write the players into the positions of illegal plays.
    """
    actions = [action for game in match.games for action in game.actions]
    whole = {action.span.line for action in actions}
    whole -= {action.span.line for action in actions if isinstance(action, Unread | Comment)}
    whole -= {oddity.span.line for oddity in match.oddities}
    names, lines = _names(match), match.source.lines
    kept = {number: lines[number - 1] for number in whole if 0 < number <= len(lines)}
    shown = {number: line for number, line in kept.items() if not _is_named(line, names)}
    day = day_in_name(match.source.path)
    path = PATH if day is None else f"{PATH} of {day:%Y-%m-%d}"
    return match.source._replace(path=path, lines=_FewLines(shown, len(lines)))


def _is_named(line: str, names: frozenset[str]) -> bool:
    """Whether a name may stand in a line."""
    plain = plain_name(line)
    return len(names) > MOST_NAMES or any(name in plain for name in names)


class _FewLines(Sequence[str]):
    """The lines of a file of which all but a few are empty.

    Each match of a file has its own: as lists they would take the square of the file's length.
    """

    def __init__(self, shown: Mapping[int, str], count: int) -> None:
        self._shown, self._count = shown, count

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> list[str]: ...

    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(self._count))]
        if not -self._count <= index < self._count:
            raise IndexError(index)
        return self._shown.get(index % self._count + 1, "")


def _names(match: Match) -> frozenset[str]:
    """The names of the match, as `plain_name` makes them comparable."""
    scores = (name for game in match.games if game.score for name in game.score.names)
    tags = (match.tag(key) or "" for key in _PLAYERS)
    return frozenset(filter(None, map(plain_name, (*scores, *tags))))
