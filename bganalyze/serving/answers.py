"""Answers to the page: each a stream of events, written as lines of JSON.

What may be asked is a function and its line in `ASKS`. The same code answers under Pyodide, in a
worker of the page, and in the server of `bganalyze serve`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterator
from pkgutil import resolve_name
from typing import cast

from bganalyze.files.reading import UnreadableError
from bganalyze.serving.requests import (
    NOTHING_AT_HAND,
    Desk,
    Event,
    Request,
    RequestError,
    parse_request,
)
from bganalyze.transcript.refused import NotATranscript
from bganalyze.writing import UnwritableError

ASKS = {
    "check": "bganalyze.serving.checks:check",
    "explain": "bganalyze.serving.explanations:explain",
    "propose": "bganalyze.serving.repairs:propose",
    "mend": "bganalyze.serving.repairs:mend",
    "report": "bganalyze.serving.reports:report",
    "statistics": "bganalyze.serving.statistics:statistics",
    "convert": "bganalyze.serving.conversions:convert",
    "judge": "bganalyze.serving.judgements:judge",
}
"""What a page may ask, each a function from a request to events, imported when it is asked for."""

_REFUSALS = (RequestError, UnreadableError, UnwritableError, NotATranscript)


def answers(body: bytes, desk: Desk = NOTHING_AT_HAND) -> Generator[str, None, None]:
    """Yield the events that answer a request, each a line of JSON; the last is `end` or `refused`.

    Never raises for anything a request or its files may hold.
    """
    try:
        request = parse_request(body, desk)
        for event in _function(request.ask)(request):
            yield _line(event)
    except NotATranscript as error:
        yield _line({"kind": "refused", "message": error.reason})
    except _REFUSALS as error:
        yield _line({"kind": "refused", "message": str(error)})
    except Exception as error:  # noqa: BLE001 - a page that waits is told why it waits in vain
        yield _line({"kind": "refused", "message": _fault(error)})
    else:
        yield _line({"kind": "end"})


def _function(ask: str) -> Callable[[Request], Iterator[Event]]:
    if ask not in ASKS:
        raise RequestError(f"{ask!r} is nothing that can be asked")
    return cast("Callable[[Request], Iterator[Event]]", resolve_name(ASKS[ask]))


def _fault(error: Exception) -> str:
    return f"a fault of bganalyze, please report it: {error!r}"


def _line(event: Event) -> str:
    return json.dumps(event) + "\n"
