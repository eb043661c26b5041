"""Work on one file, so that nothing it may hold costs the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from bganalyze.corpus import Item, load
from bganalyze.files import TooLargeError, UnreadableError
from bganalyze.transcript.reader import NotATranscript

_A = TypeVar("_A")


class Failure(NamedTuple):
    """Why a file gave nothing."""

    error: str | None = None
    """Why it could not be read, where that is to be told."""
    skipped: str | None = None
    """Why it is no transcript, where nobody said that it was one."""
    crashed: bool = False
    """Whether the error is a fault of this program."""


def attempt(item: Item, work: Callable[[bytes], _A]) -> _A | Failure:
    """Return what `work` makes of the bytes of a file, or why nothing; never raises."""
    try:
        return work(load(item))
    except (NotATranscript, TooLargeError) as error:
        why = error.reason if isinstance(error, NotATranscript) else str(error)
        return Failure(error=why) if item.named else Failure(skipped=why)
    except UnreadableError as error:
        return Failure(error=str(error))
    except Exception as error:  # noqa: BLE001 - one file must not cost the others
        told = f"a fault of bganalyze, please report it: {error!r}"
        return Failure(error=told, crashed=True)
