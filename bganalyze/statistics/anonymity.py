"""Anonymizing matches for sharing: players are called Player A, Player B, and so on.

Ratings, paths and all free text are left out, because they may contain names. Rolls, plays, cubes
and scores are kept, and so are length, rules, site and day.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import ascii_uppercase
from typing import TYPE_CHECKING, overload

from bganalyze.record.dates import find_day_in_name
from bganalyze.record.model import (
    Action,
    Answer,
    CheckersPutBack,
    Comment,
    Double,
    Game,
    GameReplayed,
    Match,
    Play,
    PointsGiven,
    ReaderNote,
    RulingMade,
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
    from bganalyze.analysis.match import AnalyzedMatch
    from bganalyze.statistics.tables.schema import Columns

PATH = "match"
"""The path of every anonymized file."""

TEXT = "…"
"""Replacement for text that no grammar reads."""

KEPT = frozenset(
    (
        *("site", "date", "eventdate", "variation", "variant"),
        *("crawford", "jacoby", "beaver", "cubelimit"),
        *("position", "setup", "xgid", "gnubgid"),
    )
)
"""The header entries that are kept, in addition to the anonymized names."""

PERSONAL = (
    *("path", "left_written", "right_written", "left_rating", "right_rating"),
    *("transcriber", "event", "round"),
)
"""The columns of the table of matches that are emptied."""

_PLAYERS = ("player 1", "player 2")

MOST_NAMES = 100
"""Most names searched for in each line; if a match has more, no line is shown."""


class Anonyms:
    """Labels of players, such as Player A; a player has the same label in all matches.

    >>> label_of = Anonyms()
    >>> [label_of(name) for name in ("Nori,1723", "Bob", "NORI", "")]
    ['Player A', 'Player B', 'Player A', '(no name)']
    """

    def __init__(self, players: Players | None = None) -> None:
        """Begin without labels; `players` maps spellings to players."""
        self._players = players or Players()
        self._labels: dict[str, str] = {}

    def __call__(self, written: str) -> str:
        """Return the label of a player, or `(no name)` for a blank name."""
        if not written.strip():
            return NAMELESS
        return self._labels.setdefault(self._players(written), _number_to_label(len(self._labels)))


def _number_to_label(number: int) -> str:
    """Return a player's label by number: Player A for 0, Player Z for 25, then Player AA.

    >>> [_number_to_label(number) for number in (0, 25, 26)]
    ['Player A', 'Player Z', 'Player AA']
    """
    letters = ""
    while number >= 0:
        number, place = divmod(number, len(ascii_uppercase))
        letters, number = ascii_uppercase[place] + letters, number - 1
    return f"Player {letters}"


def anonymize_file(matches: Iterable[Match], players: Players | None = None) -> list[Match]:
    """Return the matches of a file with a label in place of each player's name.

    If `players` is given, all spellings that it knows of one player get the same label.
    """
    label_of = Anonyms(players)
    return [anonymize_match(match, label_of) for match in matches]


def anonymize_match(match: Match, label_of: Anonyms) -> Match:
    """Return a match with labels in place of names, and without ratings, path and free text."""
    games = tuple(_anonymize_game(game, label_of) for game in match.games)
    return match._replace(
        source=_anonymize_source(match),
        tags=tuple(_anonymize_tags(match, label_of)),
        games=games,
        oddities=tuple(map(_anonymize_oddity, match.oddities)),
        conventions=match.conventions._replace(notes=()),
    )


def anonymize_analyzed(match: AnalyzedMatch, label_of: Callable[[str], str]) -> AnalyzedMatch:
    """Return an engine's analysis of a match with labels as names, without path and comments."""
    return match.rename_players(label_of)._replace(path=PATH, comments=())


def blank_personal_columns(matches: Columns) -> Columns:
    """Return the table of matches with its personal data, except the players' names, left empty."""
    count = len(matches["match"])
    return {**matches, **{name: [None] * count for name in PERSONAL}}


def blank_messages(findings: Columns) -> Columns:
    """Return the table of findings with empty messages, because messages may quote names."""
    return {**findings, "message": [None] * len(findings["match"])}


def _anonymize_game(game: Game, label_of: Anonyms) -> Game:
    """Return a game with labels in place of players' names, and without free text."""
    score = game.score and _anonymize_score(game.score, label_of)
    return game._replace(score=score, actions=tuple(map(_anonymize_action, game.actions)))


def _anonymize_score(score: ScoreLine, label_of: Anonyms) -> ScoreLine:
    """Return a score line with labels in place of names."""
    left, right = (label_of(name) if name.strip() else "" for name in score.names)
    return score._replace(names=(left, right))


def _anonymize_action(action: Action) -> Action:
    """Return an action without free text and without a stored analysis."""
    match action:
        case Unread():
            return action._replace(text=TEXT)
        case Comment(text=text):
            # Words that change the replay are kept.
            return action._replace(text=_keep_game_marks(text))
        case Play() | Double() | Answer() | SetUp():
            return action._replace(analysis=None)
        case PointsGiven() | GameReplayed() | CheckersPutBack():
            return action._replace(reason="")
    return action


def _keep_game_marks(comment: str) -> str:
    """Return the words of a comment that affect the replay, such as "Crawford game".

    >>> _keep_game_marks("Crawford game, nice play")
    'Crawford game'
    """
    marks = (mark.search(comment) for mark in (CRAWFORD_MARK, OFF_THE_BOARD))
    return " ".join(words.group() for words in marks if words)


def _anonymize_oddity(oddity: ReaderNote) -> ReaderNote:
    """Return a reader's note without its quotation from the match file."""
    return oddity if oddity.rule == "row-number" else oddity._replace(text=TEXT)


def _anonymize_tags(match: Match, label_of: Anonyms) -> list[Tag]:
    """Return a match's header with labels as names, without entries that may name others."""
    kept = []
    for tag in match.tags:
        key = tag.key.casefold()
        if key in _PLAYERS:
            kept.append(tag._replace(value=label_of(tag.value)))
        elif key in KEPT:
            kept.append(tag)
    return kept


def _anonymize_source(match: Match) -> Source:
    """Return the source of a match without its path and without lines that may hold personal data.

    Only lines of the match's actions keep their text; all others become empty.
    """
    actions = [action for game in match.games for action in game.actions]
    whole = {action.span.line for action in actions}
    told = (action for action in actions if isinstance(action, Unread | Comment | RulingMade))
    whole -= {action.span.line for action in told}
    whole -= {oddity.span.line for oddity in match.oddities}
    names, lines = _list_names(match), match.source.lines
    kept = {number: lines[number - 1] for number in whole if 0 < number <= len(lines)}
    # Lines with comments, rulings or names are empty.
    shown = {number: line for number, line in kept.items() if not _may_contain_name(line, names)}
    day = find_day_in_name(match.source.path)
    path = PATH if day is None else f"{PATH} of {day:%Y-%m-%d}"
    return match.source._replace(path=path, lines=_FewLines(shown, len(lines)))


def _may_contain_name(line: str, names: frozenset[str]) -> bool:
    """Whether a line may contain one of the names, which `plain_name` has simplified."""
    plain = plain_name(line)
    # A line is not searched for too many names.
    return len(names) > MOST_NAMES or any(name in plain for name in names)


class _FewLines(Sequence[str]):
    """The lines of a file, all empty except a few, in little memory.

    Each match of a file has all lines of the file, with only its own ones filled in. If these were
    lists, their memory would grow with the square of the file's length.
    """

    def __init__(self, shown: Mapping[int, str], count: int) -> None:
        """Keep the lines `shown`, by number from 1, of a file with `count` lines."""
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


def _list_names(match: Match) -> frozenset[str]:
    """Return all names in a match, simplified by `plain_name` for comparison."""
    scores = (name for game in match.games if game.score for name in game.score.names)
    tags = (match.tag(key) or "" for key in _PLAYERS)
    return frozenset(filter(None, map(plain_name, (*scores, *tags))))
