"""Writing matches: each format is a module with `write(replays)` and an entry in `WRITERS`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pkgutil import resolve_name
from typing import NamedTuple

from bganalyze.board.rule_book import BASIC
from bganalyze.record.dates import DATE_FROM, FILE_NAME, date_of_match
from bganalyze.record.model import Comment, Match, Span, Tag, Unread
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.record.reader import read_bytes
from bganalyze.validation.checking import findings_of
from bganalyze.validation.findings import Finding, Severity
from bganalyze.validation.ignores import Ignores, Scope, find_ignores
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.writing.losses import LostDetail, UnwritableError, find_losses, summarize_losses

__all__ = [
    "SILENCED",
    "WRITERS",
    "LostDetail",
    "UnwritableError",
    "Writer",
    "Written",
    "summarize_losses",
    "write",
]


EVERYWHERE = frozenset(Scope)
ABOVE = EVERYWHERE - {Scope.ITS_LINE}
"""Scopes of comments on lines of their own."""

SILENCED = "the effect of comments that silence rules"


class Written(NamedTuple):
    """A written file, and the information that it has lost."""

    data: bytes
    losses: tuple[LostDetail, ...]
    """Losses in the order of the original match file."""


class Writer(NamedTuple):
    """A format that can be written."""

    description: str
    extension: str
    function: str
    """Entry point, imported on demand."""
    losses: str
    """Information the format cannot hold, for users."""
    silences: frozenset[Scope] = ABOVE
    """Scopes of silencing comments that still work in this format."""


_NOT_IN_MATCH_TEXT = (
    "declined resignations, rulings (they become comments), the side on roll in a position, analysis, texts"
    " and names that would be read as something else"
)

INSTEAD_OF_XG = "eXtreme Gammon imports mat and xg-text"
XG_FORMATS = ("xg", "xgp")
"""Formats of eXtreme Gammon, which are not written."""

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
        "cube values, declined resignations, rulings (they become comments), sizes of resignations that differ"
        " from the result, plays without a roll, two actions in one turn, evaluations without chances, search depths other than plies,"
        " comments that silence a whole row",
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
        "the information that match text loses except analysis, comments, unreadable text, header entries except"
        " Event, Site, Round and the day, set-ups, corrections, rolls without a play, sizes of resignations, the order"
        " of the players, matches after the first, "
        f"{SILENCED}",
        frozenset(),
    ),
}


def write(replays: Sequence[MatchReplay], format_name: str) -> Written:
    """Write the matches of a file in a format such as `mat`, and list the details that are lost."""
    writer = WRITERS[format_name]
    replays = list(map(_add_date_of_file_name, replays))
    data: bytes = resolve_name(writer.function)(replays)
    written = _read_again(data, format_name)
    matches = [replayed.match for replayed in replays]
    ignores = find_ignores(matches)
    doubtful = [word for word in ignores.words if word.scope not in writer.silences]
    if doubtful:
        again = [replayed.match for replayed in written]
        if _find_silenced_actions(matches, ignores) <= _find_silenced_actions(
            again, find_ignores(again)
        ):
            doubtful = []
    silenced = [LostDetail(SILENCED, Span(word.line, 1, 1)) for word in doubtful]
    changed = _compare_findings(replays, written)
    return Written(data, (*find_losses(replays, written), *silenced, *changed))


UNSEEN = ("T108", "T109", "T110", "T111", "T112", "R602")
"""Findings that a format may lose although all actions stay: about the spelling of legal plays, and
a wrong result that becomes that of a resignation."""


def _compare_findings(
    before: Sequence[MatchReplay], after: Sequence[MatchReplay]
) -> list[LostDetail]:
    """Return a lost detail for each finding of `check` that writing the matches adds or removes.

    `before` are the original matches, `after` the written ones.
    """
    old, new = (findings_of(some, BASIC) for some in (before[: len(after)], after))
    gained = Counter(_list_codes(new, Severity.WARNING)) - Counter(_list_codes(old, Severity.INFO))
    spelled, again = (Counter(_list_codes(some, Severity.INFO)) for some in (old, new))
    return [
        *(
            LostDetail(f"the finding {code}")
            for code in (spelled - again).elements()
            if code in UNSEEN
        ),
        *(
            LostDetail(f"the absence of {code}, which check reports only in the written file")
            for code in gained.elements()
        ),
    ]


def _list_codes(findings: Iterable[Finding], least: Severity) -> list[str]:
    """Return the rule codes of the findings with at least the severity `least`."""
    return [finding.code for finding in findings if finding.severity.reaches(least)]


class _SilencedAction(NamedTuple):
    """An action at which a comment silences findings."""

    match: int
    """Number of the match."""
    game: int
    """Index of the game in the match."""
    action: int
    """Index of the action in the game."""
    rule: str
    """The silenced rule code or its beginning, such as `P4`."""


def _find_silenced_actions(matches: Iterable[Match], ignores: Ignores) -> set[_SilencedAction]:
    """Return the actions whose findings a comment in the match file silences.

    `ignores` has these comments.
    """
    return {
        _SilencedAction(match.number, number, place, prefix)
        for match in matches
        for number, game in enumerate(match.games)
        for place, action in enumerate(
            action for action in game.actions if not isinstance(action, Comment | Unread)
        )
        for prefixes in ignores.prefixes_at(action.span.line, action.span.column)
        for prefix in prefixes
    }


def _add_date_of_file_name(replayed: MatchReplay) -> MatchReplay:
    """Return the match with the date in the file's name added to a header without a date."""
    date, match = date_of_match(replayed.match), replayed.match
    if date.day is None or date.written is not None:
        return replayed
    place = Span(1, 1, 1)
    entries = (
        Tag(place, "EventDate", f"{date.day:%Y.%m.%d}"),
        Tag(place, DATE_FROM, FILE_NAME),
    )
    return replayed._replace(match=match._replace(tags=(*match.tags, *entries)))


def _read_again(data: bytes, format_name: str) -> list[MatchReplay]:
    """Return the matches in written `data`, read and replayed, or an empty list if unreadable."""
    try:
        return [replay(match) for match in read_bytes(data, format_name)]
    except NotATranscript:
        return []
