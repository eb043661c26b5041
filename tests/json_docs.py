"""The schemas of the outputs: as files, to hold documents to, and as tables of docs/json.md."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import chdir
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from bganalyze.app.cli.app import app
from bganalyze.app.render.schemas.outputs import (
    examination_schema,
    findings_schema,
    matches_schema,
    proposals_schema,
    report_schema,
    ruling_schema,
    statistics_schema,
    verification_schema,
)
from bganalyze.app.serving.events import page_event_schema

ROOT = Path(__file__).parent.parent

_MAKERS: dict[str, Callable[[], dict[str, Any]]] = {
    "findings": findings_schema,
    "proposals": proposals_schema,
    "statistics": statistics_schema,
    "report": report_schema,
    "matches": matches_schema,
    "verification": verification_schema,
    "ruling": ruling_schema,
    "examination": examination_schema,
    "page": page_event_schema,
}
JSON_SCHEMAS = {name: cache(make) for name, make in _MAKERS.items()}
"""The schemas by the names of their files, in the order of the documentation."""

SAMPLE = "samples/faulty/P410-larger-die.mat"

CALLS = {
    "findings": ("check", SAMPLE, "--format", "json-object"),
    "proposals": ("repair", SAMPLE, "--format", "jsonl"),
    "statistics": ("stats", SAMPLE, "--report", "dice", "--by", "all", "--format", "json"),
    "report": ("report", SAMPLE, "--format", "json"),
    "matches": ("matches", SAMPLE, "--format", "json"),
    "ruling": ("ruling", SAMPLE, "1.20R", "--format", "json"),
    "examination": ("examine", SAMPLE),
}
"""The examples."""

WIDTH = 100
"""Characters of a line of an example."""

DEPTH = 3
"""Levels of an example that are spread over lines."""


def schema_text(name: str) -> str:
    """Return an output's schema as JSON text, as the program makes it now."""
    return json.dumps(JSON_SCHEMAS[name](), indent=1) + "\n"


# Examples.


def example(name: str) -> str:
    """Return, in Markdown, the command of an example and the beginning of its output."""
    with chdir(ROOT):
        written = CliRunner().invoke(app, CALLS[name]).stdout
    value, _ = json.JSONDecoder().raw_decode(written)
    call = f"```sh\nbganalyze {' '.join(CALLS[name])}\n```"
    return f"{call}\n\n```text\n{shorten_value(value)}\n```"


def shorten_value(value: Any, depth: int = 0) -> str:
    """Return a value as short JSON: the first item of each list, and `…` below `DEPTH` levels."""
    line = json.dumps(value, ensure_ascii=False)
    inside = "  " * (depth + 1)
    if len(line) + len(inside) <= WIDTH or not isinstance(value, dict | list):
        return shorten(line, WIDTH - len(inside))
    if depth == DEPTH:
        return "{ … }" if isinstance(value, dict) else "[ … ]"
    if isinstance(value, dict):
        items = [
            f"{inside}{json.dumps(key)}: {shorten_value(held, depth + 1)}"
            for key, held in value.items()
        ]
        return "\n".join(("{", ",\n".join(items), inside[2:] + "}"))
    more = [f"{inside}…"] if len(value) > 1 else []
    first = inside + shorten_value(value[0], depth + 1)
    return "\n".join(("[", ",\n".join([first, *more]), inside[2:] + "]"))


def shorten(line: str, width: int) -> str:
    """Return a line, shortened to `width` characters.

    >>> shorten('"abcdef"', 5)
    '"abc…'
    """
    return line if len(line) <= width else f"{line[: width - 1]}…"


# Keys.


def keys_of(name: str) -> str:
    """Return the tables of an output's keys, without those of an output documented before."""
    *earlier, _ = islice(JSON_SCHEMAS.items(), list(JSON_SCHEMAS).index(name) + 1)
    known: dict[str, Any] = {}
    for _, make in earlier:
        known |= make()["$defs"] | known
    schema = JSON_SCHEMAS[name]()
    tables = (
        _describe_type(title, schema["$defs"][title], known.get(title))
        for title in in_order(schema)
    )
    return "\n\n".join(filter(None, tables))


def in_order(schema: dict[str, Any]) -> list[str]:
    """Return the names of the types in a schema, in the order in which they are first used."""
    root = {key: held for key, held in schema.items() if key != "$defs"}
    titles = _find_references(root)
    for title in titles:  # The list grows meanwhile.
        titles += [each for each in _find_references(schema["$defs"][title]) if each not in titles]
    return titles


def _find_references(schema: dict[str, Any]) -> list[str]:
    """Return the types that a schema refers to, each once."""
    return list(dict.fromkeys(re.findall(r"#/\$defs/(\w+)", json.dumps(schema))))


def _describe_type(title: str, definition: dict[str, Any], known: dict[str, Any] | None) -> str:
    """Return the table of a type's keys. If an earlier output has the type, list the missing keys.

    `known` is the earlier definition, or None. The result is empty if no key is missing.
    """
    if known is None:
        return "\n".join(
            (f"### {title}", "", definition["description"], "", *_list_keys(definition))
        )
    missing = known["properties"].keys() - definition["properties"].keys()
    assert definition["properties"].keys() <= known["properties"].keys(), title
    keys = ", ".join(f"`{key}`" for key in sorted(missing))
    return f"A [{title}](#{title.lower()}) is here without {keys}." if missing else ""


def _list_keys(definition: dict[str, Any]) -> Iterator[str]:
    """Yield the rows of a type's table of keys."""
    yield from ("| key | type | meaning |", "|---|---|---|")
    for key, held in definition["properties"].items():
        meaning = held.get("description", "").replace("|", "\\|")
        yield f"| `{key}` | {type_of(held)} | {meaning} |"


def type_of(schema: dict[str, Any]) -> str:
    """Return the type of a value in words.

    >>> type_of({"type": "array", "items": {"type": "string"}, "minItems": 0})
    'list of string'
    """
    match schema:
        case {"$ref": str(reference)}:
            title = reference.rpartition("/")[2]
            return f"[{title}](#{title.lower()})"
        case {"anyOf": list(members)}:
            return " or ".join(map(type_of, members))
        case {"enum": list(words)}:
            return " or ".join(f"`{json.dumps(word)}`" for word in words)
        case {"prefixItems": list(items)}:
            return f"[{', '.join(map(type_of, items))}]"
        case {"items": dict(item), "maxItems": int(most)}:
            return f"[{', '.join([type_of(item)] * most)}]"
        case {"items": dict(item)}:
            return f"list of {_write_item_type(item)}"
        case {"additionalProperties": dict(item)}:
            return f"object of {_write_item_type(item)}"
        case {"format": str(form)}:
            return form
        case {"type": str(name)}:
            return name
    return "any"


def _write_item_type(schema: dict[str, Any]) -> str:
    """Return the type of an item in words, in parentheses if it has several types."""
    words = type_of(schema)
    return f"({words})" if "anyOf" in schema else words
