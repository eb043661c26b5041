"""`convert`: matches in another format, and the information that is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from bganalyze.analysis.match import AnalyzedMatch
from bganalyze.analysis.notations import (
    NOTATIONS,
    MatchWithAnalysis,
    are_analyses_written_as,
    attach_analysis,
)
from bganalyze.analysis.select import RECORDED, find_analysis_of_replay
from bganalyze.app.api.arguments import check_arguments
from bganalyze.app.api.read import read
from bganalyze.app.api.sources import Source, call_in_limits_of_matches
from bganalyze.record.model import REMARK, Match
from bganalyze.record.prose_around import count_lines_of_prose, remove_prose
from bganalyze.record.reader import read_bytes
from bganalyze.text import did_you_mean, number_of
from bganalyze.validation.checking import count_errors
from bganalyze.validation.replaying import MatchReplay, replay
from bganalyze.writing import (
    INSTEAD_OF_XG,
    WRITERS,
    XG_FORMATS,
    LostDetail,
    summarize_losses,
    write,
)
from bganalyze.writing.losses import UnwritableError, is_entry_lost


@dataclass(frozen=True, slots=True)
class Converted:
    """A file in another format."""

    data: bytes
    """The content of the file."""
    format: str
    """The name of the format."""
    losses: tuple[LostDetail, ...] = ()
    """Information that the format cannot hold, each with its place in the match."""
    errors: int = 0
    """Errors that `check` finds in the source; a conversion repairs none."""
    prose_lines: int = 0
    """Lines of prose around the match, such as a mail's greeting, that are kept as comments."""

    @property
    def lost(self) -> tuple[str, ...]:
        """The information that is lost in the new format, as lines of text."""
        return tuple(summarize_losses(self.losses))

    @property
    def text(self) -> str:
        """The file as text; raises UnicodeDecodeError for a binary format."""
        return self.data.decode()

    @property
    def extension(self) -> str:
        """The file extension of the format, such as `.mat`."""
        return WRITERS[self.format].extension

    def __repr__(self) -> str:
        """The format, the size and the number of losses."""
        lost = f", {number_of(len(self.losses), 'loss')}" if self.losses else ""
        return f"<{self.format}: {number_of(len(self.data), 'byte')}{lost}>"


@check_arguments
def convert(
    source: Source, to: str, *, name: str | None = None, no_prose: bool = False
) -> Converted:
    r"""Return the matches of a file in the format `to`, such as `mat`, `xg-text`, `sgf` or `bgm`.

    - `source` may be several files; they become one.
    - `name` is the file name for bytes or an open file.
    - `no_prose` leaves out lines of prose around the match, such as a mail's greeting.

    Raises ValueError for an unknown format, UnwritableError if the format cannot hold such matches,
    NotATranscript and UnreadableError.

    >>> text = b" 5 point match\n\n Game 1\n Ann : 0     Bob : 0\n  1) 31: 8/5 6/5\n"
    >>> convert(text, "sgf", name="a.mat").text[:31]
    '(;FF[4]GM[6]CA[UTF-8]AP[bganaly'
    """
    matches: Sequence[Match] = read(source, name=name)
    if no_prose:
        matches = [remove_prose(match) for match in matches]
    _require_writable(matches, to)
    return call_in_limits_of_matches(
        matches, partial(convert_matches, matches, to), UnwritableError
    )


def convert_matches(matches: Sequence[Match], to: str) -> Converted:
    """Return matches in the format `to`, with the analyses in their files if the format has them.

    Raises ValueError for an unknown format, and UnwritableError if the format cannot hold the
    matches.
    """
    _require_writable(matches, to)
    replays = [replay(match) for match in matches]
    analyses = [
        find_analysis_of_replay(replayed, None) if to in NOTATIONS else None for replayed in replays
    ]
    return convert_analyzed(replays, analyses, to)


def convert_analyzed(
    replays: Sequence[MatchReplay], analyses: Sequence[AnalyzedMatch | None], to: str
) -> Converted:
    """Return matches in the format `to`, each with its analysis, if there is one.

    The matches must be replayed by the basic rule book. Raises UnwritableError if the format cannot
    hold them.
    """
    attached = [
        _attach_analysis_in_notation(replayed, analyzed, to)
        for replayed, analyzed in zip(replays, analyses, strict=True)
    ]
    whole = [
        replayed if one.match is replayed.match else replay(one.match)
        for replayed, one in zip(replays, attached, strict=True)
    ]
    written = write(whole, to)
    translated = (loss for one in attached for loss in one.losses)
    prose_lines = 0
    if not is_entry_lost(written.losses, REMARK):
        prose_lines = sum(count_lines_of_prose(replayed.match) for replayed in whole)
    return Converted(
        written.data, to, (*translated, *written.losses), count_errors(replays), prose_lines
    )


def _attach_analysis_in_notation(
    replayed: MatchReplay, analyzed: AnalyzedMatch | None, format_name: str
) -> MatchWithAnalysis:
    """Return a match with its analysis in the notation of a format, such as `sgf`."""
    match = replayed.match
    if analyzed is None or (
        analyzed.key.engine == RECORDED and are_analyses_written_as(match, format_name)
    ):
        return MatchWithAnalysis(match)
    return attach_analysis(replayed, analyzed, format_name)


def _require_writable(matches: Sequence[Match], to: str) -> None:
    """Raise ValueError if the format `to` is unknown, or if `matches` is empty."""
    if to not in WRITERS:
        hint = f"; {INSTEAD_OF_XG}" if to.lower() in XG_FORMATS else did_you_mean(to, WRITERS)
        raise ValueError(f"{to!r} is no format; there are {', '.join(WRITERS)}{hint}")
    if not matches:
        raise ValueError("there is no match to write")


def convert_content(content: bytes, path: str, to: str) -> Converted:
    """Return a file's content in the format `to`.

    Raises NotATranscript, or UnwritableError if the format cannot hold the matches.
    """
    return convert_matches(read_bytes(content, path), to)
