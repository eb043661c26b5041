"""Writing matches: each format is a module with `write(replays)`, and one line in `WRITERS`."""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import resolve_name
from typing import NamedTuple, cast

from bganalyze.ignores import Scope, ignores
from bganalyze.replaying import MatchReplay
from bganalyze.transcript.model import Span
from bganalyze.writing.written import Loss, UnwritableError, Written, together

__all__ = ["WRITERS", "Loss", "UnwritableError", "Writer", "Written", "together", "write"]


EVERYWHERE = frozenset(Scope)
ABOVE = EVERYWHERE - {Scope.ITS_LINE}
"""Comments stand in lines of their own."""


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


SILENCED = "that a comment silences rules"

_NOT_IN_MATCH_TEXT = (
    "declined resignations, whose turn it is in a position, analysis, texts and names that would be read"
    " as something else"
)

WRITERS = {
    "mat": Writer(
        "match text as JellyFish and GNU Backgammon spell it",
        ".mat",
        "bganalyze.writing.spellings:write_jellyfish",
        _NOT_IN_MATCH_TEXT,
    ),
    "xg-text": Writer(
        "match text as eXtreme Gammon spells it",
        ".txt",
        "bganalyze.writing.spellings:write_xg_text",
        _NOT_IN_MATCH_TEXT,
    ),
    "sgf": Writer(
        "Smart Game Format as GNU Backgammon reads it",
        ".sgf",
        "bganalyze.writing.sgf:write",
        "values of the cube, declined resignations and other sizes than the result tells, plays without"
        " a throw, two actions in one turn, that a comment silences a whole row",
        frozenset((Scope.GAME, Scope.MATCH)),
    ),
    "scribe": Writer("the project's own text", ".bgm", "bganalyze.writing.scribe:write", "nothing"),
    "json": Writer(
        "the model as JSON",
        ".json",
        "bganalyze.writing.json:write",
        "nothing",
        EVERYWHERE,
    ),
    "gvab": Writer(
        "GammonView and OGXM",
        ".gvab",
        "bganalyze.writing.gvab:write",
        "what match text cannot say, comments, text that could not be read, entries of the header but"
        " Event and Site, set-ups, corrections, throws without a play, sizes of resignations, the order"
        " of the players, matches after the first, "
        f"{SILENCED}",
        frozenset(),
    ),
}


def write(replays: Sequence[MatchReplay], known_as: str) -> Written:
    """Return the matches of a file in the format of that name, with what it cannot say."""
    writer = WRITERS[known_as]
    written = cast("Written", resolve_name(writer.function)(replays))
    if not replays:
        return written
    words = ignores([replay.match for replay in replays]).words
    lost = [
        Loss(SILENCED, Span(word.line, 1, 1)) for word in words if word.scope not in writer.silences
    ]
    return written._replace(losses=(*written.losses, *lost))
