"""Answers to the page: streams of events, written as lines of JSON.

A kind of request is a function with a line in `ASKS`. The same code answers in a worker of the page
(under Pyodide) and in the server of `bganalyze serve`.
"""

from __future__ import annotations

import json
import reprlib
from collections.abc import Callable, Generator, Iterator
from pkgutil import resolve_name
from typing import cast

from bganalyze.app.jobs.budget import describe_unexpected_error
from bganalyze.app.serving.events import Event
from bganalyze.app.serving.requests import (
    NO_SERVICES,
    Request,
    RequestError,
    ServerContext,
    parse_request,
)
from bganalyze.files.reading import UnreadableError
from bganalyze.record.not_a_transcript import NotATranscript
from bganalyze.text import shorten_message
from bganalyze.writing import UnwritableError

ASKS = {
    "check": "bganalyze.app.serving.checks:check",
    "explain": "bganalyze.app.serving.explanations:explain",
    "propose": "bganalyze.app.serving.repairs:propose",
    "repair": "bganalyze.app.serving.repairs:repair",
    "report": "bganalyze.app.serving.reports:report",
    "statistics": "bganalyze.app.serving.statistics:statistics",
    "profile": "bganalyze.app.serving.profiles:profile",
    "convert": "bganalyze.app.serving.conversions:convert",
    "analyze": "bganalyze.app.serving.evaluations:analyze",
}
"""Kinds of request, each with the function that yields its events, imported when needed."""

NEEDED = {
    "explain": ("path",),
    "propose": ("path",),
    "repair": ("path", "chosen"),
    "report": ("path",),
    "convert": ("path", "to"),
    "analyze": ("path",),
}
"""Required options of each kind of request."""

_REFUSALS = (RequestError, UnreadableError, UnwritableError, NotATranscript)


def stream_answer(body: bytes, context: ServerContext = NO_SERVICES) -> Generator[str, None, None]:
    """Yield the answer to a request of the page as events, each a line of JSON.

    The last event is `end` or `refused`. Whatever the request contains, no error is raised.
    """
    try:
        request = accept_request(body, context)
    except RequestError as error:
        yield refusal_line(str(error))
    else:
        yield from answer_request(request)


def accept_request(body: bytes, context: ServerContext) -> Request:
    """Return the request of the page that `body` contains; raise RequestError if it is wrong."""
    request = parse_request(body, context)
    if request.ask not in ASKS:
        raise RequestError(
            f"{reprlib.repr(request.ask)} is not a kind of request; choose from {', '.join(ASKS)}"
        )
    for option in NEEDED.get(request.ask, ()):
        if option not in request.options:
            raise RequestError(f"the request lacks {option}")
    return request


def answer_request(request: Request) -> Generator[str, None, None]:
    """Yield the answer to a request as events, each a line of JSON."""
    try:  # The import may fail, too: packages may be missing.
        answer = cast("Callable[[Request], Iterator[Event]]", resolve_name(ASKS[request.ask]))
        for event in answer(request):
            yield _write_event_line(event)
    except NotATranscript as error:
        yield refusal_line(error.reason)
    except _REFUSALS as error:
        yield refusal_line(str(error))
    except Exception as error:  # noqa: BLE001 - the waiting page must get the reason
        yield refusal_line(describe_unexpected_error(error))
    else:
        yield _write_event_line({"kind": "end"})


def refusal_line(message: str) -> str:
    """Return the line of JSON, a `refused` event, that ends an answer which failed."""
    return _write_event_line({"kind": "refused", "message": shorten_message(message)})


def _write_event_line(event: Event) -> str:
    """Return an event as a line of JSON."""
    return json.dumps(event) + "\n"
