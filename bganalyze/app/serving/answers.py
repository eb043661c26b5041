"""Answers to the page: each a stream of events, written as lines of JSON.

What may be asked is a function and its line in `ASKS`. The same code answers under Pyodide, in a
worker of the page, and in the server of `bganalyze serve`.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Generator, Iterator
from pkgutil import resolve_name
from typing import cast

from bganalyze.app.jobs.budget import problem_of
from bganalyze.app.serving.events import Event
from bganalyze.app.serving.requests import (
    NOTHING_AT_HAND,
    Desk,
    Request,
    RequestError,
    parse_request,
)
from bganalyze.files.reading import UnreadableError
from bganalyze.record.refused import NotATranscript
from bganalyze.text import readable
from bganalyze.writing import UnwritableError

ASKS = {
    "check": "bganalyze.app.serving.checks:check",
    "explain": "bganalyze.app.serving.explanations:explain",
    "propose": "bganalyze.app.serving.repairs:propose",
    "repair": "bganalyze.app.serving.repairs:repair",
    "report": "bganalyze.app.serving.reports:report",
    "statistics": "bganalyze.app.serving.statistics:statistics",
    "convert": "bganalyze.app.serving.conversions:convert",
    "analyze": "bganalyze.app.serving.evaluations:analyze",
}
"""What a page may ask, each a function from a request to events, imported when it is asked for."""

NEEDED = {
    "explain": ("path",),
    "propose": ("path",),
    "repair": ("path", "chosen"),
    "report": ("path",),
    "convert": ("path", "to"),
    "analyze": ("path",),
}
"""The options without which a question makes no sense."""

_REFUSALS = (RequestError, UnreadableError, UnwritableError, NotATranscript)


def answers(body: bytes, desk: Desk = NOTHING_AT_HAND) -> Generator[str, None, None]:
    """Yield the events that answer a request, each a line of JSON; the last is `end` or `refused`.

    Never raises for anything a request or its files may hold.
    """
    try:
        request = accepted(body, desk)
    except RequestError as error:
        yield refusal(str(error))
    else:
        yield from answered(request)


def accepted(body: bytes, desk: Desk) -> Request:
    """Return a request that can be answered; raise RequestError."""
    request = parse_request(body, desk)
    if request.ask not in ASKS:
        raise RequestError(f"{reprlib.repr(request.ask)} is nothing that can be asked")
    for option in NEEDED.get(request.ask, ()):
        if option not in request.options:
            raise RequestError(f"the request lacks {option}")
    return request


def answered(request: Request) -> Generator[str, None, None]:
    """Yield the events that answer an accepted request, as `answers` does."""
    answer = cast("Callable[[Request], Iterator[Event]]", resolve_name(ASKS[request.ask]))
    try:
        for event in answer(request):
            yield _line(event)
    except NotATranscript as error:
        yield refusal(error.reason)
    except _REFUSALS as error:
        yield refusal(str(error))
    except Exception as error:  # noqa: BLE001 - a page that waits is told why it waits in vain
        yield refusal(problem_of(error))
    else:
        yield _line({"kind": "end"})


def refusal(message: str) -> str:
    """Return the last line of an answer that is not given, or not to its end."""
    return _line({"kind": "refused", "message": readable(message)})


def _line(event: Event) -> str:
    return json.dumps(event) + "\n"
