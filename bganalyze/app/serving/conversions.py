"""Conversions for the page: a file in another format, and the information this loses."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterator

from bganalyze.app.api.convert import Converted, convert_matches
from bganalyze.app.serving.events import FileConverted
from bganalyze.app.serving.repairs import make_output_name, open_repaired_file
from bganalyze.app.serving.requests import Request
from bganalyze.files.reading import load_file
from bganalyze.record.prose_around import remove_prose
from bganalyze.record.reader import read_bytes


def convert(request: Request) -> Iterator[FileConverted]:
    """Yield the requested file in another format, after the repairs that the request chooses."""
    to = request.options["to"]
    with open_repaired_file(request) as (item, _):
        matches = read_bytes(load_file(item), item.path)
    # Prose around a match is, for instance, a mail.
    if not request.options.get("prose", True):
        matches = list(map(remove_prose, matches))
    made = convert_matches(matches, to)
    yield {
        "kind": "converted",
        "name": _name_converted(item.path, made),
        "data": base64.b64encode(made.data).decode(),
        "losses": list(made.lost),
    }


def _name_converted(path: str, made: Converted) -> str:
    """Return the name of a converted file, such as `final.mat` for `final.xg`."""
    # Two text formats may have the same extension.
    is_alike = os.path.splitext(path)[1] == made.extension
    return make_output_name(path, made.extension, f"-{made.format}" if is_alike else "")
