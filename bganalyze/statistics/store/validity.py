"""Every value that a manifest may hold, declared once, and the check that it holds no others.

A manifest may come from somebody else: it is data, and what is not as declared is not used.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from typing import Any

from bganalyze.files.addresses import is_url
from bganalyze.statistics.store.manifest import (
    MATCHES_A_SHARD,
    TABLES,
    Manifest,
    MatchStoreError,
    declared,
)
from bganalyze.statistics.store.plain import PARQUET

MOST_SHARDS = 10**9
MOST_BYTES = 1 << 40
"""The size of a file."""

MOST_MATCHES = 1 << 24
"""The matches of a store, all files together: so many take a gigabyte when they are numbered."""

LONGEST_PATH = 1 << 16
_LARGEST = (1 << 63) - 1


def _whole(least: int, most: int = _LARGEST) -> str:
    return f"typeof({{0}}) = 'integer' AND {{0}} BETWEEN {least} AND {most}"


def _text(longest: int) -> str:
    return f"typeof({{0}}) = 'text' AND length({{0}}) <= {longest}"


def _bytes(least: int, most: int) -> str:
    return f"typeof({{0}}) = 'blob' AND length({{0}}) BETWEEN {least} AND {most}"


def _path(least: int) -> str:
    return f"{_bytes(least, LONGEST_PATH)} AND instr({{0}}, X'00') = 0"


def _or_missing(condition: str) -> str:
    return f"{{0}} IS NULL OR {condition}"


_BEGINS_REST = "{0} = X'' OR hex(substr({0}, 1, 1)) IN ('2F', '5C', '21')"
"""What follows a root is nothing, or begins with what parts folders or marks a member of an archive."""

_NUMBER = _whole(1)
_SHARD = _whole(1, MOST_SHARDS)

VALUES: Mapping[str, Mapping[str, str]] = {
    "about": {"program": _text(1000), "rule_book": _text(10_000), "next_shard": _SHARD},
    "shards": {"shard": _SHARD, "files": "typeof({0}) = 'text'"},
    "kept": {
        "kept": _NUMBER,
        "digest": _bytes(1, 64),
        "name": _path(0),
        "shard": _SHARD,
        "first": _whole(MATCHES_A_SHARD, MOST_SHARDS * MATCHES_A_SHARD),
        "matches": _whole(0, MATCHES_A_SHARD),
        "outcome": "typeof({0}) = 'text'",
    },
    "roots": {"root": _NUMBER, "place": _path(1), "written": _path(1), "origin": _bytes(0, 64)},
    "files": {
        "root": _NUMBER,
        "rest": f"{_path(0)} AND ({_BEGINS_REST})",
        "entry": _whole(-1),
        "size": _or_missing(_whole(-1)),
        "changed": _or_missing(_whole(-_LARGEST)),
        "kept": _or_missing(_NUMBER),
    },
}
"""For each column of each table the condition that a value fulfills."""

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
"""What must hold between values: for each place a query that answers nothing."""

_ROOT = re.compile(r"/|[A-Za-z]:[\\/]|\\\\")
_DIGEST = re.compile(r"[0-9a-f]{32}")


def require_valid(manifest: Manifest) -> None:
    """Raise MatchStoreError where a manifest holds anything but what is declared."""
    problem = _problem(manifest)
    if problem is not None:
        raise MatchStoreError(
            f"{manifest.folder}: damaged or not made by bganalyze ({problem});"
            " collect anew into another folder"
        )


def _problem(manifest: Manifest) -> str | None:
    """The first place of a manifest that is not as declared."""
    if manifest.schema() != declared():
        return "tables"
    if manifest.rows("PRAGMA quick_check(1)") != [("ok",)]:
        return "pages"
    wrong = (place for place, query in _queries() if manifest.rows(f"{query} LIMIT 1"))
    return next(wrong, None) or _problem_of_roots(manifest) or _problem_of_shards(manifest)


def _queries() -> Iterator[tuple[str, str]]:
    """For each place a query that answers what is wrong there; relations, when all values are right."""
    for table, columns in VALUES.items():
        for column, condition in columns.items():
            is_right = condition.format(column)
            yield f"{table}.{column}", f"SELECT 1 FROM {table} WHERE ({is_right}) IS NOT TRUE"
    yield from RELATIONS.items()


def _problem_of_roots(manifest: Manifest) -> str | None:
    """The same of the paths that were collected: URLs or absolute paths of any system."""
    places = (os.fsdecode(place) for (place,) in manifest.rows("SELECT place FROM roots"))
    is_right = all(is_url(place) or _ROOT.match(place) for place in places)
    return None if is_right else "roots.place"


def _problem_of_shards(manifest: Manifest) -> str | None:
    """The same of the files of shards; each match takes a byte at least."""
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
    match values:
        case [int(size), str(digest)] if not isinstance(size, bool):
            is_own = PARQUET.fullmatch(name) and _DIGEST.fullmatch(digest)
            return is_own is not None and 0 <= size <= MOST_BYTES
    return False
