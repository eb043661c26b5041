"""JSON schemas of the outputs, which the files beside this module hold: made of the types of outputs.

What is written here is never read back, and any value may be null whose type says `| None`.
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

from bganalyze.record.shapes import TEXT, Field, Shape, Shapes, several

_NAMES = {"None": "null", "True": "true", "False": "false"}


class OutputShapes(Shapes):
    """The shapes of what is only written: every key is there, and has a sentence of its own.

    `instead` are the types that values of others are written as. `hidden` names the fields (class,
    name) that are not written. `added` says which TypedDict holds further keys of a class.
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

    def of(self, hint: Any) -> Shape:
        """Return the shape of a type; of an annotated one, that of the type behind it."""
        origin, arguments = get_origin(hint), get_args(hint)
        if hint in self._instead:
            return self.of(self._instead[hint])
        if origin is Annotated:
            return self.of(arguments[-1])
        if origin is list:
            return several(self.of(arguments[0]))
        if origin is Mapping:
            member = self.of(arguments[1]).schema
            return shape_of({"type": "object", "additionalProperties": member})
        return super().of(hint)

    def union(self, records: tuple[Any, ...]) -> Shape:
        """Return the shape of a value of one of several types, or null."""
        return shape_of({"anyOf": [self.of(record).schema for record in records]})

    def several_of(self, hints: tuple[Any, ...]) -> Shape:
        """Return the shape of a tuple, whose items may be of different types."""
        if hints[-1] is ... or len(set(hints)) == 1:
            return super().several_of(hints)
        items = [self.of(hint).schema for hint in hints]
        limits = {"minItems": len(items), "maxItems": len(items)}
        return shape_of({"type": "array", "prefixItems": items, "items": False, **limits})

    def fields(self, record: Any) -> list[Field]:
        """Return the fields of a record that the output has, each with its meaning."""
        meanings = field_meanings(record)
        fields = [
            Field(name, name, self.of(hint).described(meanings[name]), False, True)
            for name, hint in get_type_hints(record, include_extras=True).items()
            if (record, name) not in self._hidden
        ]
        return fields + (self.fields(self._added[record]) if record in self._added else [])


def shape_of(schema: dict[str, Any]) -> Shape:
    """Return a shape of which only the schema is wanted."""
    return TEXT._replace(schema=schema)


_PLAIN = {
    object: shape_of({}),
    int: shape_of({"type": "integer"}),
    float: shape_of({"type": "number"}),
    NoneType: shape_of({"type": "null"}),
    dt.date: shape_of({"type": "string", "format": "date"}),
}
"""Values that shapes to be read limit otherwise, or have not."""


def _accept(_record: Any, _where: str) -> None:
    """Nothing is read: there is nothing to be checked."""


def field_meanings(record: type) -> dict[str, str]:
    """Return the strings under the fields of a class, in the words of JSON.

    >>> from bganalyze.validation.findings import Edit
    >>> field_meanings(Edit)["old"]
    'The present text; null for an inserted line.'
    """
    (node,) = ast.parse(dedent(inspect.getsource(record))).body
    assert isinstance(node, ast.ClassDef)
    meanings: dict[str, str] = {}
    for field, below in zip(node.body, node.body[1:], strict=False):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(words))):
                meanings[name] = _in_json(words)
    for base in node.bases:
        assert isinstance(base, ast.Name)
        parent = vars(sys.modules[record.__module__])[base.id]
        if is_typeddict(parent):
            meanings = field_meanings(parent) | meanings
    return meanings


def _in_json(words: str) -> str:
    """A sentence in one line, with the names that values have in JSON."""
    one_line = " ".join(words.split())
    return re.sub(r"\b(?:None|True|False)\b", lambda name: _NAMES[name[0]], one_line)
