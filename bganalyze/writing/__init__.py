"""Writing matches: each format is a module with `write(replays)`, and one line in `WRITERS`."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import resolve_name
from typing import NamedTuple

from bganalyze.record.dates import DATE_FROM, FILE_NAME, dated
from bganalyze.record.model import Span, Tag
from bganalyze.record.reader import read_bytes
from bganalyze.record.refused import NotATranscript
from bganalyze.validation.ignores import Scope, ignores
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.writing.losses import Loss, UnwritableError, losses, together

__all__ = [
    "SILENCED",
    "WRITERS",
    "Loss",
    "UnwritableError",
    "Writer",
    "Written",
    "together",
    "write",
]


EVERYWHERE = frozenset(Scope)
ABOVE = EVERYWHERE - {Scope.ITS_LINE}
"""Comments stand in lines of their own."""

SILENCED = "that a comment silences rules"


class Written(NamedTuple):
    """A file as written, and its losses in the order of the record."""

    data: bytes
    losses: tuple[Loss, ...]


class Writer(NamedTuple):
    """One format that is written."""

    description: str
    extension: str
    function: str
    """As an entry point, imported when it is used."""
    losses: str
    """What it cannot say, in words."""
    silences: frozenset[Scope] = ABOVE
    """What comments silence in it as they did before."""


_NOT_IN_MATCH_TEXT = (
    "declined resignations, whose turn it is in a position, analysis, texts and names that would be read"
    " as something else"
)

WRITERS = {
    "mat": Writer(
        "match text as JellyFish and GNU Backgammon spell it",
        ".mat",
        "bganalyze.writing.match_text:write_jellyfish",
        _NOT_IN_MATCH_TEXT,
    ),
    "xg-text": Writer(
        "match text as eXtreme Gammon spells it",
        ".txt",
        "bganalyze.writing.match_text:write_xg_text",
        _NOT_IN_MATCH_TEXT,
    ),
    "sgf": Writer(
        "Smart Game Format as GNU Backgammon reads it",
        ".sgf",
        "bganalyze.writing.sgf:write",
        "values of the cube, declined resignations and other sizes than the result tells, plays without"
        " a roll, two actions in one turn, that a comment silences a whole row",
        frozenset((Scope.GAME, Scope.MATCH)),
    ),
    "bgm": Writer("the project's own text", ".bgm", "bganalyze.writing.bgm:write", "nothing"),
    "json": Writer(
        "the model as JSON", ".json", "bganalyze.writing.json:write", "nothing", EVERYWHERE
    ),
    "gvab": Writer(
        "GammonView and OGXM",
        ".gvab",
        "bganalyze.writing.gvab:write",
        "what match text cannot say, comments, text that could not be read, entries of the header but"
        " Event, Site, Round and the day, set-ups, corrections, rolls without a play, sizes of resignations, the order"
        " of the players, matches after the first, "
        f"{SILENCED}",
        frozenset(),
    ),
}


def write(replays: Sequence[MatchReplay], known_as: str) -> Written:
    """Return the matches of a file in the format of that name, with what it cannot say."""
    writer = WRITERS[known_as]
    replays = list(map(_with_date, replays))
    data: bytes = resolve_name(writer.function)(replays)
    words = ignores([replayed.match for replayed in replays]).words
    silenced = [
        Loss(SILENCED, Span(word.line, 1, 1)) for word in words if word.scope not in writer.silences
    ]
    return Written(data, (*losses(replays, _read_again(data, known_as)), *silenced))


def _with_date(replayed: MatchReplay) -> MatchReplay:
    """The match with a date that only the name of its file tells among its own entries."""
    date, match = dated(replayed.match), replayed.match
    if date.day is None or date.written is not None:
        return replayed
    place = Span(1, 1, 1)
    entries = (
        Tag(place, "EventDate", f"{date.day:%Y.%m.%d}"),
        Tag(place, DATE_FROM, FILE_NAME),
    )
    return replayed._replace(match=match._replace(tags=(*match.tags, *entries)))


def _read_again(data: bytes, known_as: str) -> list[MatchReplay]:
    try:
        return [replay(match) for match in read_bytes(data, known_as)]
    except NotATranscript:
        return []
