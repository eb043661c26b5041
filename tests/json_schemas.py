"""The files of the schemas of the outputs, and what of a document does not fit its schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "bganalyze" / "app" / "render" / "schemas"


def schema_path(name: str) -> Path:
    """Return the file of a schema."""
    return FOLDER / f"{name}.schema.json"


@cache
def validator(name: str) -> Any:
    """Return what holds documents to a schema."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    return jsonschema.Draft202012Validator(schema, format_checker=checker)


def misfits(name: str, *documents: Any) -> list[str]:
    """Return why documents do not fit a schema."""
    errors = (error for each in documents for error in validator(name).iter_errors(each))
    return [f"{error.json_path}: {error.message}" for error in errors]
