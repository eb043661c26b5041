"""Conversions for the page: a file in another format, and the information this loses."""

from __future__ import annotations

import base64
from collections.abc import Iterator

from bganalyze.app.api.convert import convert_content
from bganalyze.app.serving.events import FileConverted
from bganalyze.app.serving.repairs import output_name
from bganalyze.app.serving.requests import Request, open_requested_file
from bganalyze.files.reading import load_file


def convert(request: Request) -> Iterator[FileConverted]:
    """Yield a file in the requested format."""
    with open_requested_file(request) as item:
        made = convert_content(load_file(item), item.path, request.options["to"])
    yield {
        "kind": "converted",
        "name": output_name(item.path, made.extension),
        "data": base64.b64encode(made.data).decode(),
        "losses": list(made.lost),
    }
