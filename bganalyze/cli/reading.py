"""Reading the one file that a command is about."""

from __future__ import annotations

from bganalyze.cli.endings import refuse
from bganalyze.files.corpus import find, load
from bganalyze.files.files import UnreadableError
from bganalyze.transcript.model import Match
from bganalyze.transcript.reader import NotATranscript, read_bytes


def matches_of(path: str) -> list[Match]:
    """Return the matches of a file, at least one; end the run where there are none."""
    try:
        (item,) = find([path])
        return read_bytes(load(item), path)
    except (UnreadableError, NotATranscript) as error:
        reason = error.reason if isinstance(error, NotATranscript) else error
        raise refuse(f"{path}: {reason}") from error
    except ValueError as error:
        raise refuse(f"{path}: a folder or archive; name one file") from error
