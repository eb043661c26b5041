"""Conventions of match files: the program that wrote the file, and the meaning of its spellings.

Conventions stated in the header are used; the others are inferred from the text. Each inference is
noted, so that `check --verbose` can show it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from bganalyze.board.position import BAR, OFF
from bganalyze.record.model import (
    REMARK,
    Answer,
    Comment,
    Conventions,
    Game,
    Length,
    Match,
    Play,
    PlayRecord,
    Resignation,
    Result,
    SetUp,
    Source,
    Tag,
)
from bganalyze.record.prose import strip_box

GALAXY = "Backgammon Galaxy"
STUDIO = "Backgammon Studio"
XG = "eXtreme Gammon"
GRIDGAMMON = "GridGammon"
DUELLER = "Dueller"
GNUBG = "GNU Backgammon"
OPENGAMMON = "OpenGammon"
FOXAMON = "Foxamon"
HEDGEHOG = "HedgeHog"
BACKGAMMON_SAGE = "BackgammonSage"
GAMMONVIEW = "GammonView"
UNKNOWN = "unknown"

NAMED_BY_SITE = (
    "PlayOK",
    "GammonSite",
    "choue.net",
    HEDGEHOG,
    OPENGAMMON,
    FOXAMON,
    BACKGAMMON_SAGE,
)
"""Producers that a `Site` entry names, in upper or lower case."""

WRITE_DIFFERENCES = (BACKGAMMON_SAGE, GAMMONVIEW)
"""Programs that write a play as the difference of two boards, whose points may be joined to steps of no die.

They mark every hit, and write a step that hits on its way in parts.
"""

SPELL_RESIGNATIONS = (GALAXY, STUDIO)
"""Producers that spell out resignations, unless the file shows that it left them out."""

CHECKERS = 15

UNLIMITED = (2, 4, 8, 16)
"""Lengths that Backgammon Galaxy writes for unlimited games."""


class EndingCounts(NamedTuple):
    """Counts of games that end before the last checker is borne off."""

    spelled: int
    """Number of games whose resignation is written out."""
    bare: int
    """Number of games with a win that no bear-off, pass or resignation explains; 0 if `spelled` is
    0."""

    @property
    def spells_resignations(self) -> bool:
        """Whether the file seems to write every resignation in words."""
        return 0 < self.spelled >= self.bare


def count_resignations(games: Sequence[Game]) -> EndingCounts:
    """Count the games that end with a resignation in words, and those that seem to lack one.

    If no game ends with one in words, both counts are 0.
    """
    others = [game for game in games if not _has_resignation(game)]
    spelled = len(games) - len(others)
    # Skipped in most files, which spell out no resignation: examining all games takes 1 % of a
    # check (measured).
    return EndingCounts(spelled, sum(map(_is_won_early, others)) if spelled else 0)


def _has_resignation(game: Game) -> bool:
    """Whether a game has a resignation, or ends with an unplayed roll."""
    last = _find_last_play(game)
    if last is not None and last.how is PlayRecord.UNPLAYED:
        return True
    others = game.actions_besides_plays()
    return any(type(action) is Resignation and not action.declined for action in others)


def _find_last_play(game: Game) -> Play | None:
    """Return the last play of a game, or None."""
    return next((action for action in reversed(game.actions) if type(action) is Play), None)


def _is_won_early(game: Game) -> bool:
    """Whether a game without a pass is won before the last checker is borne off."""
    others, last = game.actions_besides_plays(), _find_last_play(game)
    result = next((action for action in others if type(action) is Result), None)
    if result is None or last is None or not last.steps:
        return False
    for action in others:
        if type(action) is SetUp or (type(action) is Answer and not action.taken):
            return False
    # Backward: checkers are borne off in the last plays.
    borne_off = (
        path
        for action in reversed(game.actions)
        if type(action) is Play and action.side == result.side
        for path, _ in action.steps
        if path[-1] == OFF
    )
    return len(list(islice(borne_off, CHECKERS))) < CHECKERS


def infer_conventions(
    source: Source,
    tags: tuple[Tag, ...],
    length: Length | None,
    games: tuple[Game, ...],
    *,
    has_stars: bool,
    endings: EndingCounts,
) -> Conventions:
    """Infer how a file writes plays, such as whether it marks hits.

    `has_stars` says whether the file contains a `*`. `endings` counts the games that end with a
    written resignation, and those that seem to lack one.
    """
    producer, known_by = _find_producer(source, tags, games)
    stars, entries = _count_marks(games) if has_stars else (0, 0)
    dances, empties = _count_dances(games)
    marks_hits = producer in WRITE_DIFFERENCES or (stars > 0 and 2 * stars >= entries)
    capped = producer == GALAXY
    money = _is_unlimited_game(producer, length, games)
    return Conventions(
        producer,
        marks_hits,
        writes_dances=dances > 0,
        spells_resignations=producer in SPELL_RESIGNATIONS and endings.spells_resignations,
        caps_points=capped,
        one_game_is_money=money,
        notes=(
            ("producer", f"{producer}: {known_by}"),
            ("hits", _explain_marking(stars, entries, marks_hits)),
            ("dances", _explain_dances(dances, empties)),
            ("resignations", _explain_resignations(endings)),
            ("points", "written as they count" if capped else "written in full"),
            ("money", _explain_money_play(money, length)),
            ("encoding", source.encoding),
        ),
    )


def _count_marks(games: tuple[Game, ...]) -> tuple[int, int]:
    """Return the number of steps marked as hits, then the number of steps from the bar."""
    stars = entries = 0
    for game in games:
        for action in game.actions:
            if type(action) is Play:
                for path, marks in action.steps:
                    if True in marks:
                        stars += 1
                    if path[0] == BAR:
                        entries += 1
    return stars, entries


def conventions_of_format(
    producer: str,
    source: Source,
    *,
    marks_hits: bool = False,
    writes_dances: bool = False,
    spells_resignations: bool = False,
) -> Conventions:
    """Return how the program `producer` writes plays, for a format with fixed conventions."""
    notes = (
        ("producer", f"{producer}: the format"),
        ("hits", "marked" if marks_hits else "not marked"),
        ("dances", "written out" if writes_dances else "empty"),
        ("resignations", "spelled" if spells_resignations else "spelled, or implied"),
        ("encoding", source.encoding),
    )
    return Conventions(
        producer,
        marks_hits,
        writes_dances,
        spells_resignations,
        caps_points=False,
        one_game_is_money=False,
        notes=notes,
    )


CONVENTIONS = {
    "hits": "marks_hits",
    "dances": "writes_dances",
    "resignations": "spells_resignations",
    "capped": "caps_points",
    "single": "one_game_is_money",
}
"""Words for conventions in this program's own files, and the attributes they set."""


def read_conventions(producer: str, words: Collection[str], source: Source) -> Conventions:
    """Return how a file writes plays, from words in its header, such as `dances`.

    `producer` is the program that wrote the file.
    """
    conventions = {name: word in words for word, name in CONVENTIONS.items()}
    return Conventions(producer, **conventions, notes=conventions_of_format(producer, source).notes)


NOT_SPELLED = ("resignations", "capped", "single")
"""Conventions that follow from the producer, because no spelling shows them."""


def describe_hidden_conventions(conventions: Conventions) -> str:
    """Return a text that names the program and the habits that the plays of a file do not show.

    >>> source = Source("a", "utf-8", ())
    >>> describe_hidden_conventions(conventions_of_format(GNUBG, source, spells_resignations=True))
    'GNU_Backgammon resignations'
    """
    words = [word for word in list_convention_words(conventions) if word in NOT_SPELLED]
    return " ".join([conventions.producer.replace(" ", "_"), *words])


def add_hidden_conventions(inferred: Conventions, description: str) -> Conventions:
    """Return conventions with the program and the habits that `description` names.

    `description` is a text made by `describe_hidden_conventions`.

    >>> source = Source("a", "utf-8", ())
    >>> stated = add_hidden_conventions(conventions_of_format(GNUBG, source), "GammonSite resignations")
    >>> stated.producer, stated.spells_resignations
    ('GammonSite', True)
    """
    producer, *words = description.split() or [UNKNOWN]
    conventions = {CONVENTIONS[word]: word in words for word in NOT_SPELLED}
    notes = {**dict(inferred.notes), "producer": f"{producer.replace('_', ' ')}: stated"}
    return inferred._replace(
        producer=producer.replace("_", " "), **conventions, notes=tuple(notes.items())
    )


def list_convention_words(conventions: Conventions) -> list[str]:
    """Return the words for a file's habits, such as `dances` if it writes dances in words."""
    return [word for word, name in CONVENTIONS.items() if getattr(conventions, name)]


def _count_dances(games: tuple[Game, ...]) -> tuple[int, int]:
    """Return the number of dances (no legal play) written in words, and as empty cells."""
    hows = [action.how for game in games for action in game.actions if type(action) is Play]
    return hows.count(PlayRecord.CANNOT_MOVE), hows.count(PlayRecord.EMPTY)


def _find_producer(
    source: Source, tags: tuple[Tag, ...], games: tuple[Game, ...]
) -> tuple[str, str]:
    """Return the program that wrote a file, or `UNKNOWN`, and what in the file shows this."""
    site = next((tag.value for tag in tags if tag.key.casefold() == "site"), "")
    keys = {tag.key.casefold() for tag in tags if tag.key != REMARK}
    if "galaxy" in site.casefold():
        return GALAXY, f'Site "{site}"'
    if "studio" in site.casefold() or "heroes" in site.casefold():
        return STUDIO, f'Site "{site}"'
    if any("Dueller" in line for line in source.lines[:12]):
        return DUELLER, "its own comment"
    for producer in NAMED_BY_SITE:
        if site.casefold() == producer.casefold():
            return producer, f'Site "{site}"'
    if any(tag.key == REMARK and HEDGEHOG in tag.value for tag in tags):
        return HEDGEHOG, "its own comment"
    if source.encoding == "utf-8" and {"match id", "player 1 elo"} <= keys:
        return XG, "its header entries"
    if not keys and any(_has_rated_players(game) for game in games):
        return GRIDGAMMON, "ratings in the names"
    if keys == {"eventdate"} or any(_shows_board_after_play(game) for game in games):
        return GNUBG, "its notes and header entries"
    return UNKNOWN, "nothing in the file shows it"


def _shows_board_after_play(game: Game) -> bool:
    """Whether the file shows the board after at least one play of this game."""
    return any(type(action) is Play and action.left_board for action in game.actions)


def _has_rated_players(game: Game) -> bool:
    """Whether both names on the score line end with a rating."""
    return game.score is not None and all(map(_has_rating, game.score.names))


def _has_rating(name: str) -> bool:
    """Whether a name ends with a comma and a rating, such as `Ann,1523`."""
    rating = name.rpartition(",")[2] if "," in name else ""
    whole, point, fraction = rating.partition(".")
    is_number = whole.isdecimal() and (not point or fraction.isdecimal())
    return is_number and 3 <= len(whole) <= 5


def _is_unlimited_game(producer: str, length: Length | None, games: tuple[Game, ...]) -> bool:
    """Whether a match of Backgammon Galaxy is really a single game for money."""
    if producer != GALAXY or length is None or len(games) != 1:
        return False
    (game,) = games
    won = max((a.points for a in game.actions if type(a) is Result), default=0)
    return length.points in UNLIMITED and won < length.points


def _explain_marking(stars: int, entries: int, marks_hits: bool) -> str:
    """Return a text on whether a file marks hits, and what shows this.

    `stars` counts the marked hits, `entries` the steps from the bar.
    """
    if not stars and not marks_hits:
        return "not marked (no * at any step)"
    evidence = f"{stars} marked for {entries} entering from the bar"
    return f"{'marked' if marks_hits else 'not marked'} ({evidence})"


def _explain_dances(dances: int, empties: int) -> str:
    """Return a text on how a file writes rolls without a legal play.

    `dances` counts the rolls with words for it, `empties` those with an empty cell.

    >>> _explain_dances(0, 3)
    'empty cells (3)'
    """
    if dances:
        return f"written out ({dances} times Cannot Move, {empties} empty cells)"
    return f"empty cells ({empties})" if empties else "none recorded"


def _explain_resignations(endings: EndingCounts) -> str:
    """Return a text on how a file writes resignations.

    >>> _explain_resignations(EndingCounts(spelled=2, bare=1))
    'spelled (2 games), implied by a bare Wins (1 games)'
    """
    if not endings.spelled:
        return "implied by a bare Wins"
    return f"spelled ({endings.spelled} games), implied by a bare Wins ({endings.bare} games)"


def _explain_money_play(money: bool, length: Length | None) -> str:
    """Return a text on why a match counts as money play or not."""
    if money and length is not None:
        return f"one game under a length of {length.points}: an unlimited game"
    return "no length recorded" if length is None else f"length {length.points} as stated"


def yield_comment_texts(game: Game) -> Iterator[str]:
    """Yield the texts of the comments in a game."""
    return (action.text for action in game.actions if type(action) is Comment)


class PlacedComment(NamedTuple):
    """A comment of the match file, with its place."""

    game: int | None
    """The game, counted from 1; None above the games."""
    line: int
    """Line in the file."""
    text: str
    """The comment."""


def find_comments(match: Match) -> Iterator[PlacedComment]:
    """Yield the comments of a match that contain a letter or digit, with their places."""
    for tag in match.tags:
        if tag.key == REMARK and any(map(str.isalnum, tag.value)):
            # A comment in the header may stand in a box of `|`.
            yield PlacedComment(None, tag.span.line, strip_box(tag.value))
    for number, game in enumerate(match.games, start=1):
        for action in game.actions:
            if type(action) is Comment and any(map(str.isalnum, action.text)):
                yield PlacedComment(number, action.span.line, action.text)


# Header entries and related facts.


def find_header_entry(match: Match, key: str) -> str | None:
    """Return the value of the header entry `key`, or None if missing or blank."""
    return (match.tag(key) or "").strip() or None


def find_site(match: Match) -> str:
    """Return the site in the header, else the program that wrote the file, else "unknown"."""
    producer = match.conventions.producer
    return find_header_entry(match, "Site") or ("unknown" if producer == UNKNOWN else producer)


# Patterns rather than a parse: a match that has been read keeps its text, but not its tree.
_VERSIONS = {
    "sgf": r"AP\[[^\]:]*:([\w.+-]{1,20})",
    "bgroom": r"version ([\w.]{1,20})",
}
"""Patterns for the program's version in the formats that state it."""

_HEAD = 5
"""Number of first lines that may state the version."""

CLOCKS = ("ClockType", "TimeControl")
"""Header entries that state the time control."""


def find_version(match: Match) -> str | None:
    """Return the version of the program that wrote the file, or None."""
    pattern = _VERSIONS.get(match.format)
    if pattern is None:
        return None
    matches = (re.search(pattern, line) for line in islice(match.source.lines, _HEAD))
    return next((version[1] for version in matches if version), None)


def find_time_control(match: Match) -> str | None:
    """Return the time control that the header states, or None."""
    return next(filter(None, (find_header_entry(match, key) for key in CLOCKS)), None)
