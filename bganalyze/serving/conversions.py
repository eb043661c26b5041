"""Conversions for the page: a file in another format, and what that format cannot say."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from bganalyze.files.reading import load
from bganalyze.replaying import replay
from bganalyze.serving.repairs import as_called
from bganalyze.serving.requests import Event, Request, item_of
from bganalyze.transcript.reader import read_bytes
from bganalyze.writing import WRITERS, together, write


def convert(request: Request) -> Iterator[Event]:
    """Yield a file in the format that is asked for."""
    known_as = request.options["to"]
    with item_of(request) as item:
        matches = read_bytes(load(item), item.path)
    written = write([replay(match) for match in matches], known_as)
    yield {
        "kind": "converted",
        "name": as_called(item.path, WRITERS[known_as].extension),
        "data": base64.b64encode(written.data).decode(),
        "losses": list(together(written.losses)),
    }
