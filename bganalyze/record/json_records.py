"""JSON for typed records: writing, reading and the JSON schema, derived from type hints.

A record is a NamedTuple. `X | None` is a key that is left out for None; `OrNull[X]` is a key that
is always present and may be null. A field with a default may be missing in a document. Values that
are only written, and may have more types, are described in `app/render/schemas/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from bganalyze.record.builder import replace_lone_surrogates
from bganalyze.text import documentation

_T = TypeVar("_T")

OrNull = Annotated[_T | None, "null"]
"""A key that must be present; null means that the value is not recorded."""

MOST = 999_999_999
"""Largest number in a match."""

EXCERPT = 40
"""Characters of a wrong value that a message quotes."""


class WrongValueError(ValueError):
    """A wrong value; the message begins with the path to it from the top of the document."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path}: {what}".lstrip(".: "))


class Shape(NamedTuple):
    """The JSON form of a type: how its values are written and read, and its schema.

    `read` takes a value and the path to it.
    """

    write: Callable[[Any], Any]
    read: Callable[[Any, str], Any]
    schema: dict[str, Any]

    def with_description(self, description: str) -> Shape:
        """Return the same shape with a description in its JSON schema."""
        return self._replace(schema={"description": description, **self.schema})


def _make_wrong_value_error(value: Any, path: str, expected: str) -> WrongValueError:
    """Return the error that the value at `path` is not `expected`, such as "a whole number"."""
    return WrongValueError(path, f"{repr(value)[:EXCERPT]} is not {expected}")


def _return_unchanged(value: Any) -> Any:
    """Return a value unchanged, as the writer of types that JSON has."""
    return value


def _read_text(value: Any, path: str) -> str:
    """Return a string without lone surrogates; raise WrongValueError for another value."""
    if type(value) is not str:
        raise _make_wrong_value_error(value, path, "a string")
    return replace_lone_surrogates(value)


def _read_flag(value: Any, path: str) -> bool:
    """Return True or False; raise WrongValueError for any other value."""
    if type(value) is not bool:
        raise _make_wrong_value_error(value, path, "true or false")
    return value


def _read_texts(value: Any, path: str) -> tuple[tuple[str, str], ...]:
    """Return the texts in a JSON object as pairs of key and text.

    Raises WrongValueError for any other value.

    >>> _read_texts({"Event": "Open"}, "matches[0].tags")
    (('Event', 'Open'),)
    """
    if type(value) is not dict:
        raise _make_wrong_value_error(value, path, "an object")
    return tuple((_read_text(key, path), _read_text(text, path)) for key, text in value.items())


def _read_nonnegative_number(value: Any, path: str) -> float:
    """Return a finite number that is not negative; raise WrongValueError for any other value."""
    if type(value) not in (int, float) or not 0 <= value < float("inf"):
        raise _make_wrong_value_error(value, path, "a number from 0 on")
    return float(value)


TEXT = Shape(_return_unchanged, _read_text, {"type": "string"})
FLAG = Shape(_return_unchanged, _read_flag, {"type": "boolean"})
MEASURE = Shape(_return_unchanged, _read_nonnegative_number, {"type": "number", "minimum": 0})
TEXTS = Shape(dict, _read_texts, {"type": "object", "additionalProperties": TEXT.schema})
"""Shape of pairs of texts, as an object with any keys."""


def shape_of_number(least: int = 0, most: int = MOST) -> Shape:
    """Return the JSON form of a whole number from `least` to `most`."""

    def read(value: Any, path: str) -> int:
        """Return a whole number; raise WrongValueError for another value."""
        if type(value) is not int or not least <= value <= most:
            raise _make_wrong_value_error(value, path, f"a whole number from {least} to {most}")
        return value

    return Shape(_return_unchanged, read, {"type": "integer", "minimum": least, "maximum": most})


def shape_of_choice(values: Mapping[Any, Any]) -> Shape:
    """Return the JSON form of values that are written as words, the keys of `values`.

    >>> side = shape_of_choice({"left": 0, "right": 1})
    >>> side.write(1), side.read("left", "side")
    ('right', 0)
    """
    words = {value: word for word, value in values.items()}

    def read(value: Any, path: str) -> Any:
        """Return the value that a word means; raise WrongValueError for another word."""
        for word in values:
            if value == word and type(value) is type(word):  # To Python, 1 is True.
                return values[word]
        raise _make_wrong_value_error(value, path, f"one of {', '.join(map(str, values))}")

    return Shape(words.__getitem__, read, {"enum": list(values)})


def shape_of_list(item: Shape, least: int = 0, most: int | None = None) -> Shape:
    """Return the JSON form of a tuple of `least` to `most` items, written as a list.

    >>> shape_of_list(shape_of_number()).read([1, 2], "points")
    (1, 2)
    """

    def write(values: Any) -> list[Any]:
        """Return values as a list in JSON form."""
        return [item.write(value) for value in values]

    def read(value: Any, path: str) -> tuple[Any, ...]:
        """Return a list as a tuple; raise WrongValueError for a wrong value or length."""
        if type(value) is not list:
            raise _make_wrong_value_error(value, path, "an array")
        if len(value) < least or len(value) > (most or len(value)):
            limit = f"at least {least}" if most is None else str(most)
            raise WrongValueError(path, f"{len(value)} values, not {limit}")
        return tuple(item.read(element, f"{path}[{index}]") for index, element in enumerate(value))

    limits = {"minItems": least} if most is None else {"minItems": least, "maxItems": most}
    return Shape(write, read, {"type": "array", "items": item.schema, **limits})


def _allow_null(shape: Shape) -> Shape:
    """Return the JSON form of a value that may also be None."""
    return Shape(
        lambda value: None if value is None else shape.write(value),
        lambda value, path: None if value is None else shape.read(value, path),
        {"anyOf": [shape.schema, {"type": "null"}]},
    )


class Field(NamedTuple):
    """One field of a record, with its key in the document."""

    name: str
    key: str
    shape: Shape
    may_be_none: bool
    must_be_there: bool


class Shapes:
    """Makes the JSON forms of types. Each class is defined once, in the schema's `$defs`.

    - `special` gives the shapes of types, or of fields (class, name), that need another shape than
      their type hints show.
    - `keys` renames fields in the document, or leaves them out with None.
    - `check` gets a whole record and its path, and may raise WrongValueError.
    - `definitions` are the `$defs`.
    """

    def __init__(
        self,
        special: Mapping[Any, Shape],
        keys: Mapping[str, str | None],
        check: Callable[[Any, str], None],
    ) -> None:
        self.definitions: dict[str, Any] = {}
        self._special = {str: TEXT, bool: FLAG, int: shape_of_number(), float: MEASURE, **special}
        self._keys = keys
        self._check = check
        self._records: dict[type, Shape] = {}

    def shape_of_type(self, type_hint: Any) -> Shape:
        """Return the JSON form of a type."""
        if type_hint in self._special:
            return self._special[type_hint]
        arguments = get_args(type_hint)
        if get_origin(type_hint) is Annotated:
            return _allow_null(self.shape_of_type(_remove_none_from_hint(arguments[0])))
        if get_origin(type_hint) is Literal:
            return shape_of_choice({value: value for value in arguments})
        if get_origin(type_hint) in (Union, UnionType):
            return self.shape_of_union(arguments)
        if get_origin(type_hint) is tuple:
            return self.shape_of_tuple(arguments)
        if issubclass(type_hint, StrEnum):
            return shape_of_choice({word.value: word for word in type_hint})
        return self._make_shape_of_record(type_hint)

    def shape_of_tuple(self, item_types: tuple[Any, ...]) -> Shape:
        """Return the JSON form of a tuple whose items have one type, such as `(int, int)`.

        `(int, ...)` stands for any number of items.
        """
        limits = () if item_types[-1] is ... else (len(item_types),) * 2
        return shape_of_list(self.shape_of_type(item_types[0]), *limits)

    def schema_of_document(
        self, name: str, version: int, title: str, type_hint: Any
    ) -> dict[str, Any]:
        """Return the JSON schema of a file whose content has the type `type_hint`.

        `name` and `version` go into the schema's identifier.
        """
        root = self.shape_of_type(type_hint).schema
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"urn:bganalyze:{name}:{version}",
            "title": f"{title}, version {version}",
            **root,
            "$defs": self.definitions,
        }

    def _make_shape_of_record(self, record: type) -> Shape:
        """Return the JSON form of a NamedTuple class, and define its schema once in `$defs`."""
        if record not in self._records:
            shape = self._make_shape_of_object(record)
            self.definitions[record.__name__] = shape.schema
            reference = {"$ref": f"#/$defs/{record.__name__}"}
            self._records[record] = shape._replace(schema=reference)
        return self._records[record]

    def shape_of_union(self, records: tuple[Any, ...]) -> Shape:
        """Return the JSON form of objects whose key `action` names their class."""
        shapes = {record.__name__.lower(): self._make_shape_of_object(record) for record in records}
        kinds = shape_of_choice({kind: kind for kind in shapes})

        def write(value: Any) -> dict[str, Any]:
            """Return a record as an object with its class in the key `action`."""
            kind = type(value).__name__.lower()
            return {"action": kind, **shapes[kind].write(value)}

        def read(value: Any, path: str) -> Any:
            """Return the record of the class that an object names, or raise WrongValueError."""
            if type(value) is not dict:
                raise _make_wrong_value_error(value, path, "an object")
            fields = dict(value)
            kind = kinds.read(fields.pop("action", None), f"{path}.action")
            return shapes[kind].read(fields, path)

        self.definitions["Action"] = {
            "oneOf": [_add_kind_to_schema(kind, shape.schema) for kind, shape in shapes.items()]
        }
        return Shape(write, read, {"$ref": "#/$defs/Action"})

    def fields(self, record: Any) -> list[Field]:
        """Return the fields of a NamedTuple class that have a JSON key."""
        hints = get_type_hints(record, include_extras=True)
        fields = []
        for name in record._fields:
            key, hint = self._keys.get(name, name), hints[name]
            if key is not None:
                may_be_none = NoneType in get_args(hint)
                is_needed = not may_be_none and name not in record._field_defaults
                shape = self._special.get((record, name)) or self.shape_of_type(
                    _remove_none_from_hint(hint)
                )
                fields.append(Field(name, key, shape, may_be_none, is_needed))
        return fields

    def _make_shape_of_object(self, record: Any) -> Shape:
        """Return the JSON form of a NamedTuple class as an object with a key for each field."""
        fields = self.fields(record)
        keys = {field.key for field in fields}
        absent = {field.name: None for field in fields if field.may_be_none}
        absent |= getattr(record, "_field_defaults", {})

        def write(value: Any) -> dict[str, Any]:
            """Return a record as an object, without fields that are None."""
            return {
                field.key: field.shape.write(held)
                for field in fields
                if (held := getattr(value, field.name)) is not None or not field.may_be_none
            }

        def read(value: Any, path: str) -> Any:
            """Return the record of an object; raise WrongValueError for missing or other keys."""
            if type(value) is not dict:
                raise _make_wrong_value_error(value, path, "an object")
            if not value.keys() <= keys:
                unknown = min(value.keys() - keys)
                raise WrongValueError(path, f"the key {unknown[:EXCERPT]!r} is not known")
            values = absent.copy()
            for field in fields:
                if field.key in value:
                    field_path = f"{path}.{field.key}"
                    values[field.name] = field.shape.read(value[field.key], field_path)
                elif field.must_be_there:
                    raise WrongValueError(f"{path}.{field.key}", "is missing")
            held = record(**values)
            self._check(held, path)
            return held

        schema = {
            "description": documentation(record).partition("\n")[0],
            "type": "object",
            "required": [field.key for field in fields if field.must_be_there],
            "additionalProperties": False,
            "properties": {field.key: field.shape.schema for field in fields},
        }
        return Shape(write, read, schema)


def _remove_none_from_hint(hint: Any) -> Any:
    """Return a type hint such as `int | None` without its alternative None."""
    members = tuple(member for member in get_args(hint) if member is not NoneType)
    return Union[members] if NoneType in get_args(hint) else hint  # noqa: UP007


def _add_kind_to_schema(kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of an object with a further key, `action`, whose value is `kind`."""
    return {
        **schema,
        "required": ["action", *schema["required"]],
        "properties": {"action": {"const": kind}, **schema["properties"]},
    }
