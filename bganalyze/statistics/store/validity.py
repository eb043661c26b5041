"""Check of a manifest: the values allowed in each column, declared once."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bganalyze.files.addresses import is_url
from bganalyze.statistics.store.allowed_names import PARQUET
from bganalyze.statistics.store.manifest import (
    MATCHES_A_SHARD,
    TABLES,
    Manifest,
    MatchStoreError,
    list_declared_objects,
)

MOST_SHARDS = 10**9
MOST_BYTES = 1 << 40
"""Largest size of a file."""

MOST_MATCHES = 1 << 24
"""Most matches of a store, over all files; numbering this many takes a gigabyte."""

LONGEST_PATH = 1 << 16
_LARGEST = (1 << 63) - 1


def _allow_whole_number(least: int, most: int = _LARGEST) -> str:
    """Return the SQL condition that a value (`{0}`) is a whole number from `least` to `most`.

    >>> _allow_whole_number(0, 9)
    "typeof({0}) = 'integer' AND {0} BETWEEN 0 AND 9"
    """
    return f"typeof({{0}}) = 'integer' AND {{0}} BETWEEN {least} AND {most}"


def _allow_text(longest: int) -> str:
    """Return the SQL condition that a value (`{0}`) is a text of at most `longest` characters.

    >>> _allow_text(10)
    "typeof({0}) = 'text' AND length({0}) <= 10"
    """
    return f"typeof({{0}}) = 'text' AND length({{0}}) <= {longest}"


def _allow_bytes(least: int, most: int) -> str:
    """Return the SQL condition that a value (`{0}`) is a byte string of `least` to `most` bytes.

    >>> _allow_bytes(1, 64)
    "typeof({0}) = 'blob' AND length({0}) BETWEEN 1 AND 64"
    """
    return f"typeof({{0}}) = 'blob' AND length({{0}}) BETWEEN {least} AND {most}"


def _allow_path(least: int) -> str:
    """Return the SQL condition that a value (`{0}`) is a path of at least `least` bytes.

    >>> _allow_path(1)
    "typeof({0}) = 'blob' AND length({0}) BETWEEN 1 AND 65536 AND instr({0}, X'00') = 0"
    """
    return f"{_allow_bytes(least, LONGEST_PATH)} AND instr({{0}}, X'00') = 0"


def _allow_missing(condition: str) -> str:
    """Return the SQL condition that a value (`{0}`) is NULL or fulfills `condition`.

    >>> _allow_missing("{0} > 1")
    '{0} IS NULL OR {0} > 1'
    """
    return f"{{0}} IS NULL OR {condition}"


_BEGINS_REST = "{0} = X'' OR hex(substr({0}, 1, 1)) IN ('2F', '5C', '21')"
"""Condition: the part after a root is empty, or begins with a separator of folders or the mark of
an archive member."""

_NUMBER = _allow_whole_number(1)
_SHARD = _allow_whole_number(1, MOST_SHARDS)

VALUES: Mapping[str, Mapping[str, str]] = {
    "about": {
        "program": _allow_text(1000),
        "rule_book": _allow_text(10_000),
        "next_shard": _SHARD,
    },
    "shards": {"shard": _SHARD, "files": "typeof({0}) = 'text'"},
    "kept": {
        "kept": _NUMBER,
        "digest": _allow_bytes(1, 64),
        "name": _allow_path(0),
        "shard": _SHARD,
        "first": _allow_whole_number(MATCHES_A_SHARD, MOST_SHARDS * MATCHES_A_SHARD),
        "matches": _allow_whole_number(0, MATCHES_A_SHARD),
        "outcome": "typeof({0}) = 'text'",
    },
    "roots": {
        "root": _NUMBER,
        "place": _allow_path(1),
        "written": _allow_path(1),
        "origin": _allow_bytes(0, 64),
    },
    "files": {
        "root": _NUMBER,
        "rest": f"{_allow_path(0)} AND ({_BEGINS_REST})",
        "entry": _allow_whole_number(-1),
        "size": _allow_missing(_allow_whole_number(-1)),
        "changed": _allow_missing(_allow_whole_number(-_LARGEST)),
        "kept": _allow_missing(_NUMBER),
    },
}
"""The condition for the values of each column of each table."""

RELATIONS = {
    "about": "SELECT 1 FROM (SELECT count(*) AS number FROM about) WHERE number <> 1",
    "shards": "SELECT 1 FROM shards, about WHERE shard >= next_shard",
    "kept.shard": "SELECT 1 FROM kept WHERE shard NOT IN (SELECT shard FROM shards)",
    "kept.first": f"SELECT 1 FROM kept, about WHERE first / {MATCHES_A_SHARD} >= next_shard"
    f" OR first % {MATCHES_A_SHARD} + matches > {MATCHES_A_SHARD}",
    "kept.matches": "SELECT 1 FROM (SELECT first, lag(first + matches) OVER (ORDER BY first) AS free"
    " FROM kept WHERE matches > 0) WHERE first < free",
    "files.root": "SELECT 1 FROM files WHERE root NOT IN (SELECT root FROM roots)",
    "files.kept": "SELECT 1 FROM (SELECT sum(matches) AS number FROM files JOIN kept USING (kept))"
    f" WHERE number > {MOST_MATCHES}",
}
"""Conditions between values: for each place, a query that must return no rows."""

_ROOT = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_DIGEST = re.compile(r"[0-9a-f]{32}")


def require_valid(manifest: Manifest) -> None:
    """Raise MatchStoreError if the database of a store has unknown tables or impossible values."""
    problem = _find_problem(manifest)
    if problem is not None:
        raise MatchStoreError(
            f"{manifest.folder}: damaged or not created by bganalyze ({problem});"
            " collect again into another folder"
        )


def _find_problem(manifest: Manifest) -> str | None:
    """Return the first invalid column of a store's database, such as `roots.place`, or None."""
    if manifest.read_declarations() != list_declared_objects():
        return "tables"
    if manifest.rows("PRAGMA quick_check(1)") != [("ok",)]:
        return "pages"
    wrong = (place for place, query in _list_checks() if manifest.rows(f"{query} LIMIT 1"))
    return (
        next(wrong, None) or _find_problem_of_roots(manifest) or _find_problem_of_shards(manifest)
    )


def _list_checks() -> Iterator[tuple[str, str]]:
    """Yield the name of each check of the database, and an SQL query for the invalid rows."""
    for table, columns in VALUES.items():
        for column, condition in columns.items():
            is_right = condition.format(column)
            yield f"{table}.{column}", f"SELECT 1 FROM {table} WHERE ({is_right}) IS NOT TRUE"
    yield from RELATIONS.items()


def _find_problem_of_roots(manifest: Manifest) -> str | None:
    """Return `roots.place` if any collected path is neither absolute nor a URL, else None."""
    places = (os.fsdecode(place) for (place,) in manifest.rows("SELECT place FROM roots"))
    is_right = all(is_url(place) or _ROOT.match(place) for place in places)
    return None if is_right else "roots.place"


def _find_problem_of_shards(manifest: Manifest) -> str | None:
    """Return the name of the first invalid column that describes data files, or None."""
    matches = dict(manifest.rows("SELECT shard, sum(matches) FROM kept GROUP BY shard"))
    for shard, text in manifest.rows("SELECT shard, files FROM shards"):
        try:
            files = json.loads(text)
        except (ValueError, RecursionError):
            return "shards.files"
        if not isinstance(files, dict) or not all(_is_file(*file) for file in files.items()):
            return "shards.files"
        if not {f"{name}.parquet" for name in TABLES} <= files.keys():
            return "shards.files"
        if matches.get(shard, 0) > files["matches.parquet"][0]:
            return "kept.matches"
    return None


def _is_file(name: str, values: Any) -> bool:
    """Whether `name` and `values` (size and digest) can be those of a data file of a store."""
    match values:
        case [int(size), str(digest)] if not isinstance(size, bool):
            is_own = PARQUET.fullmatch(name) and _DIGEST.fullmatch(digest)
            return is_own is not None and 0 <= size <= MOST_BYTES
    return False
