"""Requests as the page makes them, and what is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bganalyze.app.serving.answers import stream_answer
from bganalyze.app.serving.requests import NO_SERVICES, ServerContext
from tests.json_schemas import list_schema_errors

SAMPLES = Path(__file__).parents[3] / "samples"
OF_OVERVIEW = ("points", "checker", "cube", "dice", "trend")
"""The reports that the page of statistics shows figures of in its overview, too."""


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
