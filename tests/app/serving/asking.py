"""Requests as the page makes them, and what is answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bganalyze.app.serving.answers import answer_request, stream_answer
from bganalyze.app.serving.requests import NO_SERVICES, Request, ServerContext
from tests.json_schemas import list_schema_errors

SAMPLES = Path(__file__).parents[3] / "samples"
OF_OVERVIEW = ("points", "checker", "cube", "dice", "trend")
"""The reports that the page of statistics shows figures of in its overview, too."""


def answer_without_plots(request: Request) -> Iterator[str]:
    """Answer properly, but with few reports and no plots in statistics: they take seconds."""
    with ExitStack() as patched:
        if request.ask == "statistics":
            patched.enter_context(patch("bganalyze.app.serving.statistics.NAMES", OF_OVERVIEW))
            draw = "bganalyze.app.render.statistics_page._draw_plots"
            patched.enter_context(patch(draw, lambda *_: {}))
        yield from answer_request(request)


def request(ask: str, files: Mapping[str, bytes], **options: object) -> bytes:
    """Return a request; what it asks about is named as it is dropped, by itself."""
    listed = [{"path": path, "root": path, "size": len(data)} for path, data in files.items()]
    head = json.dumps({"ask": ask, "options": options, "files": listed}).encode()
    return len(head).to_bytes(4, "big") + head + b"".join(files.values())


def ask_page(
    ask: str, files: Mapping[str, bytes], context: ServerContext = NO_SERVICES, **options: object
) -> list[dict[str, Any]]:
    """Return the events of an answer, which fit their schema; the last says that it is whole."""
    *events, last = map(json.loads, stream_answer(request(ask, files, **options), context))
    assert last == {"kind": "end"}, last
    assert list_schema_errors("page", *events) == []
    return events


def find_refusal(ask: str, files: Mapping[str, bytes], **options: object) -> str:
    """Return why a request is not answered."""
    return str(refusal_of(ask, files, **options)["message"])


def refusal_of(ask: str, files: Mapping[str, bytes], **options: object) -> dict[str, Any]:
    """Return the last event of a request that is not answered."""
    *_, last = map(json.loads, stream_answer(request(ask, files, **options)))
    assert last["kind"] == "refused"
    return dict(last)


def sample(name: str) -> dict[str, bytes]:
    """Return a sample as it is dropped."""
    return {Path(name).name: (SAMPLES / name).read_bytes()}
