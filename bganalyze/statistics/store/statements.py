"""Recognizing SQL that only reads the tables of a store.

DuckDB also classifies as SELECT a statement that copies to a file in a common table expression, or
that runs SQL from a text. Therefore its parser is asked for the parts of a query, and each part
must be known.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from bganalyze.errors import BganalyzeError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

NO_QUERY = "a query is a single SELECT (or FROM, WITH, DESCRIBE, or EXPLAIN of one of these)"

_PARTS = ("SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE")
"""Parts of a query that only read."""

_FUNCTIONS = {
    *("range", "generate_series", "repeat", "repeat_row", "unnest", "summary", "histogram"),
    *("histogram_values", "json_each", "json_tree", "pragma_table_info", "pragma_version"),
    *("duckdb_columns", "duckdb_constraints", "duckdb_functions", "duckdb_keywords"),
    *("duckdb_settings", "duckdb_tables", "duckdb_types", "duckdb_views"),
}
"""Functions allowed in place of a table; they neither read files nor run SQL."""

_EXPLAIN = re.compile(
    r"\s*EXPLAIN\b(?P<how>\s+ANALYZE\b|\s*\(\s*(?:ANALYZE|FORMAT)\b[\w\s,]*\))?(?P<query>.*)",
    re.IGNORECASE | re.DOTALL,
)

_SERIALIZE = "SELECT json_serialize_sql(CAST(? AS VARCHAR))"


class QueryError(BganalyzeError):
    """A query that cannot be answered; the message gives the reason in one line."""


def read_query_words(connection: DuckDBPyConnection, sql: str) -> frozenset[str]:
    """Return all words in an SQL query, such as names, functions and texts, in lower case.

    Raises QueryError unless the text is a single query that only reads tables.
    """
    explained = _EXPLAIN.fullmatch(sql)
    query = explained["query"] if explained else sql
    if not _is_select(query):
        raise QueryError(NO_QUERY)
    ((text,),) = connection.execute(_SERIALIZE, [query]).fetchall()
    try:
        parsed = json.loads(text)
    except RecursionError:
        raise QueryError("the query is nested too deeply") from None
    if parsed["error"]:
        raise QueryError(NO_QUERY)
    words = set[str]()
    for part in _find_objects(parsed["statements"]):
        words.update(value.lower() for value in part.values() if isinstance(value, str))
        kind = str(part.get("type", ""))
        if kind.endswith("_NODE") and kind not in _PARTS:
            raise QueryError(NO_QUERY)
        if kind == "TABLE_FUNCTION":
            _require_known(str(part["function"]["function_name"]).lower())
    return frozenset(words)


def _is_select(sql: str) -> bool:
    """Whether a text is exactly one SQL statement, of a kind that DuckDB calls SELECT.

    Raises duckdb.Error if the text is no SQL.
    """
    import duckdb

    statements = duckdb.extract_statements(sql)
    return len(statements) == 1 and statements[0].type == duckdb.StatementType.SELECT


def _require_known(function: str) -> None:
    """Raise QueryError unless queries may call this SQL function."""
    if function not in _FUNCTIONS:
        raise QueryError(
            f"{function}() is not allowed: a query can only read the tables of the store"
        )


def _find_objects(value: Any) -> Iterator[dict[str, Any]]:
    """Yield the objects in a JSON value, at any depth.

    >>> list(_find_objects([{"a": {"b": 1}}]))
    [{'a': {'b': 1}}, {'b': 1}]
    """
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value
