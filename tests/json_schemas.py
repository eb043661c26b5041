"""The files of the schemas of the outputs, and what of a document does not fit its schema."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "bganalyze" / "app" / "render" / "schemas"


def schema_path(name: str) -> Path:
    """Return the path of an output's schema, such as `findings`."""
    return FOLDER / f"{name}.schema.json"


@cache
def make_validator(name: str) -> Any:
    """Return a validator of documents by an output's schema; skip the test without jsonschema."""
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(schema_path(name).read_text(encoding="utf-8"))
    checker = jsonschema.Draft202012Validator.FORMAT_CHECKER
    return jsonschema.Draft202012Validator(schema, format_checker=checker)


def list_schema_errors(name: str, *documents: Any) -> list[str]:
    """Return the errors, with their places, of documents that do not fit an output's schema."""
    errors = (error for each in documents for error in make_validator(name).iter_errors(each))
    return [f"{error.json_path}: {error.message}" for error in errors]
