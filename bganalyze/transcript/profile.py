"""The producer's conventions: what a spelling means depends on who wrote it.

What the header states is taken; the rest is inferred from the text. Every inference is noted, so
that `check --verbose` can show it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from bganalyze.board.position import BAR, OFF
from bganalyze.transcript.model import (
    REMARK,
    Answer,
    Comment,
    Game,
    Length,
    Match,
    Play,
    PlayRecord,
    Profile,
    Resignation,
    Result,
    SetUp,
    Source,
    Tag,
)

GALAXY = "Backgammon Galaxy"
STUDIO = "Backgammon Studio"
XG = "eXtreme Gammon"
GRIDGAMMON = "GridGammon"
DUELLER = "Dueller"
GNUBG = "GNU Backgammon"
OPENGAMMON = "OpenGammon"
FOXAMON = "Foxamon"
HEDGEHOG = "HedgeHog"
UNKNOWN = "unknown"

NAMED_BY_SITE = ("PlayOK", "GammonSite", "choue.net", HEDGEHOG, OPENGAMMON, FOXAMON)
"""Producers that a `Site` names, in letters of any size."""

SPELL_RESIGNATIONS = (GALAXY, STUDIO)
"""Producers that spell resignations, unless the file itself shows that they were left out."""

CHECKERS = 15

UNLIMITED = (2, 4, 8, 16)
"""Lengths under which Backgammon Galaxy writes unlimited games."""


class Practice(NamedTuple):
    """How a file records the games that end before the last checker is borne off."""

    spelled: int
    """Games in which the resignation is written out."""
    bare: int
    """Games with a win that no bear-off, drop or resignation explains."""

    @property
    def spells_resignations(self) -> bool:
        """Whether the games of the file allow that it spells its resignations."""
        return 0 < self.spelled >= self.bare


def practice_of(games: Iterable[Game]) -> Practice:
    """Return how the games of a file end."""
    spelled = bare = 0
    for game in games:
        plays = [action for action in game.actions if type(action) is Play]
        if _is_resigned(game, plays):
            spelled += 1
        else:
            bare += _has_bare_win(game, plays)
    return Practice(spelled, bare)


def _is_resigned(game: Game, plays: list[Play]) -> bool:
    """Whether a side gives the game up in words, or after its throw."""
    if plays and plays[-1].how is PlayRecord.UNPLAYED:
        return True
    return any(type(action) is Resignation and not action.declined for action in game.actions)


def _has_bare_win(game: Game, plays: list[Play]) -> bool:
    """Whether a game is won after a play, with no drop and with checkers left to bear off."""
    result = next((action for action in game.actions if type(action) is Result), None)
    if result is None or not plays or not plays[-1].steps:
        return False
    for action in game.actions:
        if type(action) is SetUp or (type(action) is Answer and not action.taken):
            return False
    # From the last play on, where they are borne off: the first fifty need not be looked at.
    borne_off = (
        path
        for play in reversed(plays)
        if play.side == result.side
        for path, _ in play.steps
        if path[-1] == OFF
    )
    return len(list(islice(borne_off, CHECKERS))) < CHECKERS


def profile(
    source: Source,
    tags: tuple[Tag, ...],
    length: Length | None,
    games: tuple[Game, ...],
    *,
    has_stars: bool,
    practice: Practice,
) -> Profile:
    """Return the conventions of the record, with what each was inferred from.

    `has_stars` says whether a `*` stands anywhere in the file, `practice` how its games are won.
    """
    producer, known_by = _producer(source, tags, games)
    stars, entries = _marks(games) if has_stars else (0, 0)
    dances, empties = _unplayed(games)
    marks_hits = stars > 0 and 2 * stars >= entries
    capped = producer == GALAXY
    money = _one_game_money(producer, length, games)
    return Profile(
        producer,
        marks_hits,
        writes_dances=dances > 0,
        spells_resignations=producer in SPELL_RESIGNATIONS and practice.spells_resignations,
        caps_points=capped,
        one_game_is_money=money,
        notes=(
            ("producer", f"{producer}: {known_by}"),
            ("hits", _marking_note(stars, entries, marks_hits)),
            ("dances", _dance_note(dances, empties)),
            ("resignations", _resignation_note(practice)),
            ("points", "written as they count" if capped else "written in full"),
            ("money", _money_note(money, length)),
            ("encoding", source.encoding),
        ),
    )


def _marks(games: tuple[Game, ...]) -> tuple[int, int]:
    """Count the hits that are marked, and the checkers that enter from the bar."""
    stars = entries = 0
    for game in games:
        for action in game.actions:
            for path, marks in action.steps if type(action) is Play else ():
                stars += True in marks
                entries += path[0] == BAR
    return stars, entries


def stated(
    producer: str,
    source: Source,
    *,
    marks_hits: bool = False,
    writes_dances: bool = False,
    spells_resignations: bool = False,
) -> Profile:
    """Return the conventions of a format that leaves nothing to infer."""
    known = (
        ("producer", f"{producer}: the format"),
        ("hits", "marked" if marks_hits else "not marked"),
        ("dances", "written out" if writes_dances else "empty"),
        ("resignations", "spelled" if spells_resignations else "spelled, or implied"),
        ("encoding", source.encoding),
    )
    return Profile(
        producer,
        marks_hits,
        writes_dances,
        spells_resignations,
        caps_points=False,
        one_game_is_money=False,
        notes=known,
    )


CONVENTIONS = {
    "hits": "marks_hits",
    "dances": "writes_dances",
    "resignations": "spells_resignations",
    "capped": "caps_points",
    "single": "one_game_is_money",
}
"""The words in which this program states conventions, and what they say of a record."""


def stated_in_words(producer: str, words: Collection[str], source: Source) -> Profile:
    """Return the conventions that this program has written down."""
    known = {name: word in words for word, name in CONVENTIONS.items()}
    return Profile(producer, **known, notes=stated(producer, source).notes)


NOT_SPELLED = ("resignations", "capped", "single")
"""Conventions that no spelling shows: they go with the producer."""


def beyond_spelling(conventions: Profile) -> str:
    """Return in words what the spelling of a record cannot show: its producer and the rest.

    >>> beyond_spelling(stated(GNUBG, Source("a", "utf-8", ()), spells_resignations=True))
    'GNU_Backgammon resignations'
    """
    words = [word for word in in_words(conventions) if word in NOT_SPELLED]
    return " ".join([conventions.producer.replace(" ", "_"), *words])


def amended(inferred: Profile, said: str) -> Profile:
    """Return conventions as inferred, with what these words of `beyond_spelling` say."""
    producer, *words = said.split() or [UNKNOWN]
    known = {CONVENTIONS[word]: word in words for word in NOT_SPELLED}
    notes = {**dict(inferred.notes), "producer": f"{producer.replace('_', ' ')}: stated"}
    return inferred._replace(
        producer=producer.replace("_", " "), **known, notes=tuple(notes.items())
    )


def in_words(conventions: Profile) -> list[str]:
    """Return conventions as this program writes them down."""
    return [word for word, name in CONVENTIONS.items() if getattr(conventions, name)]


def _unplayed(games: tuple[Game, ...]) -> tuple[int, int]:
    """Count the dances written out, and the empty cells."""
    dances = empties = 0
    for game in games:
        for action in game.actions:
            if type(action) is Play and action.how is not PlayRecord.PLAYED:
                dances += action.how is PlayRecord.CANNOT_MOVE
                empties += action.how is PlayRecord.EMPTY
    return dances, empties


def _producer(source: Source, tags: tuple[Tag, ...], games: tuple[Game, ...]) -> tuple[str, str]:
    """Return the producer's name and what gave it away."""
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
    if not keys and any(_rated(game) for game in games):
        return GRIDGAMMON, "ratings in the names"
    if keys == {"eventdate"} or any(_has_left_board(game) for game in games):
        return GNUBG, "its notes and header entries"
    return UNKNOWN, "nothing in the file tells"


def _has_left_board(game: Game) -> bool:
    return any(type(action) is Play and action.left_board for action in game.actions)


def _rated(game: Game) -> bool:
    return game.score is not None and all(map(_has_rating, game.score.names))


def _has_rating(name: str) -> bool:
    """Whether a comma and a rating stand behind a name."""
    rating = name.rpartition(",")[2] if "," in name else ""
    whole, point, fraction = rating.partition(".")
    is_number = whole.isdecimal() and (not point or fraction.isdecimal())
    return is_number and 3 <= len(whole) <= 5


def _one_game_money(producer: str, length: Length | None, games: tuple[Game, ...]) -> bool:
    """Galaxy writes unlimited games as a match of one game, mostly to 16 points."""
    if producer != GALAXY or length is None or len(games) != 1:
        return False
    (game,) = games
    won = max((a.points for a in game.actions if type(a) is Result), default=0)
    return length.points in UNLIMITED and won < length.points


def _marking_note(stars: int, entries: int, marks: bool) -> str:
    if not stars:
        return "not marked (no * at any step)"
    evidence = f"{stars} marked for {entries} entering from the bar"
    return f"{'marked' if marks else 'not marked'} ({evidence})"


def _dance_note(dances: int, empties: int) -> str:
    if dances:
        return f"written out ({dances} times Cannot Move, {empties} empty cells)"
    return f"empty cells ({empties})" if empties else "none recorded"


def _resignation_note(practice: Practice) -> str:
    if not practice.spelled:
        return "implied by a bare Wins"
    return f"spelled ({practice.spelled} games), implied by a bare Wins ({practice.bare} games)"


def _money_note(money: bool, length: Length | None) -> str:
    if money and length is not None:
        return f"one game under a length of {length.points}: an unlimited game"
    return "no length recorded" if length is None else f"length {length.points} as stated"


def comments(game: Game) -> Iterator[str]:
    """Yield the comment lines of a game."""
    return (action.text for action in game.actions if type(action) is Comment)


class PlacedComment(NamedTuple):
    """A comment, with the game that it stands in, counted from 1; above the games None."""

    game: int | None
    line: int
    text: str


def remarks(match: Match) -> Iterator[PlacedComment]:
    """Yield the comments of a match that say anything."""
    for tag in match.tags:
        if tag.key == REMARK and tag.value.strip():
            yield PlacedComment(None, tag.span.line, tag.value)
    for number, game in enumerate(match.games, start=1):
        for action in game.actions:
            if type(action) is Comment and action.text.strip():
                yield PlacedComment(number, action.span.line, action.text)


# When and where a match was played: as its record states it, or the name of its file.

FILE_NAME = "file name"
DATE_FROM = "DateFrom"
"""A header entry of this program: where a date comes from that the record itself did not state."""

DAY_FIRST, MONTH_FIRST, YEAR_FIRST = "day first", "month first", "year first"
_PARTS = {DAY_FIRST: (2, 1, 0), MONTH_FIRST: (2, 0, 1), YEAR_FIRST: (0, 1, 2)}
"""For each order of a date, where its year, month and day stand."""

_YEAR_FIRST = re.compile(
    r"\s*(\d{4})\s?[./年-]\s?(\d{1,2})\s?[./月-]\s?(\d{1,2})日?(?!\d)", re.ASCII
)
_YEAR_LAST = re.compile(r"\s*(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})(?!\d)", re.ASCII)
_FIRST_OF_1900S = 69
"""As POSIX has it: years of two digits are of the 1900s from this one on, and below of the 2000s."""

# Dueller's comment above a match.
_STARTED = re.compile(r"Started on (?=\d{4}-\d)", re.ASCII)

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_NAMED_DAY = re.compile(
    r"(?<![A-Za-z0-9])((?:19|20)\d\d)(?:([-_. ]?)(\d\d)\2(\d\d)(?!\d)|([A-Z][a-z]{2})(\d\d))"
    r"|(?<!\d)(\d\d[-.]\d\d[-.](?:19|20)\d\d)(?!\d)",
    re.ASCII,
)
"""A day in the name of a file: `2023_01_04`, `20230104`, `2009Jan14`, `18-08-2024`."""
_END_OF_FOLDER = re.compile(r"[/\\!]")


class Dated(NamedTuple):
    """When a match was played, as far as it is known."""

    day: dt.datetime | None = None
    known_from: str | None = None
    """`record` or `file name`."""
    written: str | None = None
    """The date as the record has it, also where it does not tell the day."""


def dated(match: Match) -> Dated:
    """Return when a match was played.

    Of 04/01/2023 a record does not tell which number is the month. Then there is no day, unless the
    name of the file has one of the two.
    """
    named, written = day_in_name(match.source.path), _date_written(match)
    if written is None:
        return Dated(named, FILE_NAME) if named else Dated()
    days = set(possible_days(written).values())
    if len(days) > 1:
        days &= {named}
    if not days:
        return Dated(written=written)
    is_added = match.tag(DATE_FROM) == FILE_NAME
    return Dated(days.pop(), FILE_NAME if is_added else "record", written)


def _date_written(match: Match) -> str | None:
    """What the record has of a date that can be read."""
    for tag in match.tags:
        text = tag.value if tag.key.casefold() in ("eventdate", "date") else ""
        if tag.key == REMARK:
            text = tag.value[started.end() :] if (started := _STARTED.search(tag.value)) else ""
        date = _YEAR_FIRST.match(text) or _YEAR_LAST.match(text)
        if date is not None and possible_days(date.group()):
            return date.group().strip()
    return None


def possible_days(text: str) -> dict[str, dt.datetime]:
    """Return the days that a date can mean, by the orders in which it may be written.

    >>> sorted(possible_days("04/01/2023")), sorted(possible_days("16/09/2023"))
    (['day first', 'month first'], ['day first'])
    >>> possible_days("2024.07.27"), possible_days("yesterday"), possible_days("2024.13.01")
    ({'year first': datetime.datetime(2024, 7, 27, 0, 0)}, {}, {})
    """
    date = _YEAR_FIRST.match(text)
    if date is not None:
        return _days(date.groups(), (YEAR_FIRST,))
    date = _YEAR_LAST.match(text)
    if date is None:
        return {}
    first, separator, second, last = date.groups()
    # Nobody writes the month first and full stops behind it.
    orders = [DAY_FIRST] if separator == "." else [DAY_FIRST, MONTH_FIRST]
    return _days((first, second, last), [*orders, YEAR_FIRST] if len(last) == 2 else orders)


def _days(numbers: Sequence[str], orders: Iterable[str]) -> dict[str, dt.datetime]:
    """The days that there are."""
    days = {}
    for order in orders:
        year, month, day = (int(numbers[place]) for place in _PARTS[order])
        if len(numbers[_PARTS[order][0]]) == 2:
            year += 1900 if year >= _FIRST_OF_1900S else 2000
        with suppress(ValueError):
            days[order] = dt.datetime(year, month, day)  # noqa: DTZ001 - a day as written, of no zone
    return days


def day_in_name(path: str) -> dt.datetime | None:
    """Return the day that the name of a file tells; None where it tells none, or several.

    >>> day_in_name("a.zip!club/Kaneko-nori-2009Jan142040.txt"), day_in_name("match20230104.txt")
    (datetime.datetime(2009, 1, 14, 0, 0), None)
    """
    days = set()
    for date in _NAMED_DAY.finditer(_END_OF_FOLDER.split(path)[-1]):
        year, _, month, day, name, day_of_name, year_last = date.groups()
        if name in _MONTHS:
            month, day = f"{_MONTHS.index(name) + 1}", day_of_name
        text = year_last or f"{year}-{month}-{day}"
        days |= set(possible_days(text).values())
    return days.pop() if len(days) == 1 else None


def year_first(text: str, separator: str) -> str:
    """Return a date with the year first, where it is nothing but a date and tells the day.

    >>> year_first("16/09/2023", "-"), year_first("04/01/2023", "-")
    ('2023-09-16', '04/01/2023')
    """
    days = set(possible_days(text).values())
    is_whole = _YEAR_FIRST.fullmatch(text) or _YEAR_LAST.fullmatch(text)
    return (
        days.pop().strftime(f"%Y{separator}%m{separator}%d")
        if is_whole and len(days) == 1
        else text
    )


def header_entry(match: Match, key: str) -> str | None:
    """Return what a header entry says; None where it is blank or there is none."""
    return (match.tag(key) or "").strip() or None


def site_of(match: Match) -> str:
    """Return where a match was played: as stated, else the program that wrote the record."""
    producer = match.profile.producer
    return header_entry(match, "Site") or ("unknown" if producer == UNKNOWN else producer)
