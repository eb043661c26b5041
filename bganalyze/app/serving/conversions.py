"""Conversions for the page: a file in another format, and what that format cannot say."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from bganalyze.app.api.convert import convert_content
from bganalyze.app.serving.events import FileConverted
from bganalyze.app.serving.repairs import as_called
from bganalyze.app.serving.requests import Request, item_of
from bganalyze.files.reading import load


def convert(request: Request) -> Iterator[FileConverted]:
    """Yield a file in the format that is asked for."""
    with item_of(request) as item:
        made = convert_content(load(item), item.path, request.options["to"])
    yield {
        "kind": "converted",
        "name": as_called(item.path, made.extension),
        "data": base64.b64encode(made.data).decode(),
        "losses": list(made.lost),
    }
