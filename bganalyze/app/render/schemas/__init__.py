"""JSON schemas of outputs, derived from their types. The files next to this module contain them.

Outputs are written only, never read back. A value may be null if its type includes `| None`.
"""

from __future__ import annotations

import ast
import datetime as dt
import inspect
import re
import sys
from collections.abc import Collection, Mapping
from textwrap import dedent
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints, is_typeddict

from bganalyze.record.json_records import TEXT, Field, Shape, Shapes, shape_of_list

_NAMES = {"None": "null", "True": "true", "False": "false"}


class OutputShapes(Shapes):
    """JSON forms (`Shape`) of the types in an output, from which its JSON schema is made.

    Every key is present and documented.

    `instead` maps types to the types they are written as. `hidden` lists fields (class, name) that
    are not written. `added` maps classes to a TypedDict with their further keys.
    """

    def __init__(
        self,
        instead: Mapping[Any, Any] = {},
        hidden: Collection[tuple[type, str]] = (),
        added: Mapping[Any, Any] = {},
    ) -> None:
        super().__init__(_PLAIN, {}, _accept)
        self._instead = instead
        self._hidden = hidden
        self._added = added

    def shape_of_type(self, type_hint: Any) -> Shape:
        """Return the JSON form of values with this type hint."""
        origin, arguments = get_origin(type_hint), get_args(type_hint)
        if type_hint in self._instead:
            return self.shape_of_type(self._instead[type_hint])
        # The last annotation is the type in the output.
        if origin is Annotated:
            return self.shape_of_type(arguments[-1])
        if origin is list:
            return shape_of_list(self.shape_of_type(arguments[0]))
        if origin is Mapping:
            member = self.shape_of_type(arguments[1]).schema
            return shape_of({"type": "object", "additionalProperties": member})
        return super().shape_of_type(type_hint)

    def shape_of_union(self, records: tuple[Any, ...]) -> Shape:
        """Return the JSON form of a value that has one of the types `records`."""
        return shape_of({"anyOf": [self.shape_of_type(record).schema for record in records]})

    def shape_of_tuple(self, item_types: tuple[Any, ...]) -> Shape:
        """Return the JSON form of a tuple with items of the types `item_types`."""
        if item_types[-1] is ... or len(set(item_types)) == 1:
            return super().shape_of_tuple(item_types)
        items = [self.shape_of_type(hint).schema for hint in item_types]
        limits = {"minItems": len(items), "maxItems": len(items)}
        return shape_of({"type": "array", "prefixItems": items, "items": False, **limits})

    def fields(self, record: Any) -> list[Field]:
        """Return the fields of a record in JSON, each with its documentation."""
        meanings = field_meanings(record)
        fields = [
            Field(
                name, name, self.shape_of_type(hint).with_description(meanings[name]), False, True
            )
            for name, hint in get_type_hints(record, include_extras=True).items()
            if (record, name) not in self._hidden
        ]
        return fields + (self.fields(self._added[record]) if record in self._added else [])


def shape_of(schema: dict[str, Any]) -> Shape:
    """Return the JSON form of values that have this schema."""
    # Values are only written, never read.
    return TEXT._replace(schema=schema)


_PLAIN = {
    object: shape_of({}),
    int: shape_of({"type": "integer"}),
    float: shape_of({"type": "number"}),
    NoneType: shape_of({"type": "null"}),
    dt.date: shape_of({"type": "string", "format": "date"}),
}
"""Shapes of basic types, which differ from those of data to be read."""


def _accept(_record: Any, _where: str) -> None:
    """Do nothing: these schemas describe output, which is never read back."""


def field_meanings(record: type) -> dict[str, str]:
    """Return the documentation of each field of a class, worded for readers of JSON.

    >>> from bganalyze.validation.findings import Edit
    >>> field_meanings(Edit)["old"]
    'The old text; null for an inserted line.'
    """
    (node,) = ast.parse(dedent(inspect.getsource(record))).body
    assert isinstance(node, ast.ClassDef)
    meanings: dict[str, str] = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(words))):
                meanings[name] = _use_json_names(words)
    for base in node.bases:
        assert isinstance(base, ast.Name)
        parent = vars(sys.modules[record.__module__])[base.id]
        if is_typeddict(parent):
            meanings = field_meanings(parent) | meanings
    return meanings


def _use_json_names(words: str) -> str:
    r"""Return a text on one line, with the JSON words null, true and false for Python's.

    >>> _use_json_names("True,\n    or None")
    'true, or null'
    """
    one_line = " ".join(words.split())
    return re.sub(r"\b(?:None|True|False)\b", lambda name: _NAMES[name[0]], one_line)
