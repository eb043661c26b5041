"""`schema`: the JSON Schemas of the program's outputs."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from bganalyze.app.api.arguments import check_arguments

SCHEMAS = {
    "findings": "bganalyze.app.render.schemas",
    "proposals": "bganalyze.app.render.schemas",
    "statistics": "bganalyze.app.render.schemas",
    "report": "bganalyze.app.render.schemas",
    "matches": "bganalyze.app.render.schemas",
    "verification": "bganalyze.app.render.schemas",
    "ruling": "bganalyze.app.render.schemas",
    "examination": "bganalyze.app.render.schemas",
    "page": "bganalyze.app.render.schemas",
    "match": "bganalyze.writing",
}
"""The packages that hold the schemas, by the name of the output."""


@check_arguments
def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema of an output of bganalyze, or of a match written as JSON.

    `docs/json.md` describes the outputs. Raises ValueError for an unknown name.

    >>> schema("match")["$schema"]
    'https://json-schema.org/draft/2020-12/schema'
    """
    if name not in SCHEMAS:
        raise ValueError(f"{name!r} is no schema; there are {', '.join(SCHEMAS)}")
    text = (files(SCHEMAS[name]) / f"{name}.schema.json").read_text(encoding="utf-8")
    known: dict[str, Any] = json.loads(text)
    return known
