"""Decode JSON into values of declared types, and refuse anything else.

Stored data may come from somebody else. Without this check, a wrong type or an absurd number would
surface only when it is displayed.
"""

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, partial
from types import GenericAlias, NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

MOST = 1 << 31
"""Bound of whole numbers: their absolute value is smaller."""


@cache
def make_decoder(kind: Any) -> Callable[[Any], Any]:
    """Return a function that turns parsed JSON into a value of the type `kind`.

    It raises ValueError or TypeError for other JSON.

    >>> make_decoder(tuple[int, ...])([1, 2])
    (1, 2)
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind
    if get_origin(kind) is UnionType:
        (wanted,) = (choice for choice in get_args(kind) if choice is not NoneType)
        return _make_optional_decoder(make_decoder(wanted))
    if get_origin(kind) in _HOLDERS:
        return _make_generic_decoder(kind)
    decoders = tuple(map(make_decoder, get_type_hints(kind).values()))
    return partial(_decode_fields, make=kind, decoders=decoders)


def _make_generic_decoder(kind: Any) -> Callable[[Any], Any]:
    """Return a function that turns a JSON list into a type such as `tuple[int, ...]`."""
    holder, kinds = get_origin(kind), get_args(kind)
    if holder is Mapping:
        return partial(_decode_mapping, decode_pair=make_decoder(GenericAlias(tuple, kinds)))
    if holder is tuple and ... not in kinds:
        return partial(_decode_fields, make=_make_tuple, decoders=tuple(map(make_decoder, kinds)))
    if kind == tuple[int, ...]:
        return _require_ints
    return partial(_decode_items, holder=holder, decode=make_decoder(kinds[0]))


def _make_tuple(*values: Any) -> tuple[Any, ...]:
    """Return the arguments as a tuple."""
    return values


def _decode_fields(
    values: Any, make: Callable[..., Any], decoders: tuple[Callable[[Any], Any], ...]
) -> Any:
    """Decode each value with the function at its place in `decoders`; return `make(*results)`."""
    pairs = zip(decoders, _require_list(values), strict=True)
    return make(*[decode(value) for decode, value in pairs])


def _decode_items(values: Any, holder: Callable[[Any], Any], decode: Callable[[Any], Any]) -> Any:
    """Decode each value of a list, and return the results in a `holder`, such as a tuple."""
    return holder(map(decode, _require_list(values)))


def _decode_mapping(values: Any, decode_pair: Callable[[Any], Any]) -> Any:
    """Return a dictionary from a list of pairs; `decode_pair` decodes a pair."""
    return dict(map(decode_pair, _require_list(values)))


def _make_optional_decoder(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that returns None for None, and decodes any other value with `decode`."""
    return lambda value: None if value is None else decode(value)


def _require_list(values: Any) -> list[Any]:
    """Return a list unchanged; raise TypeError for any other value."""
    if not isinstance(values, list):
        raise TypeError("no list")
    return values


def _require_text(value: Any) -> str:
    """Return a text unchanged; raise TypeError for any other value."""
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode()  # A lone surrogate could not be written.
    return value


def _require_int(value: Any) -> int:
    """Return a whole number unchanged; raise ValueError for a huge number or any other value."""
    if type(value) is not int or not -MOST < value < MOST:
        raise ValueError("no whole number")
    return value


def _require_ints(values: Any) -> tuple[int, ...]:
    """Return whole numbers as a tuple; raise ValueError for any other values."""
    # Checked together for speed.
    if set(map(type, _require_list(values))) - {int} or not all(
        -MOST < value < MOST for value in values
    ):
        raise ValueError("no whole numbers")
    return tuple(values)


def _require_float(value: Any) -> float:
    """Return a finite number as a float; raise ValueError for any other value."""
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)


def _require_bool(value: Any) -> bool:
    """Return a Boolean unchanged; raise TypeError for any other value."""
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


_PLAIN: dict[Any, Callable[[Any], Any]] = {
    str: _require_text,
    int: _require_int,
    float: _require_float,
    bool: _require_bool,
}
_HOLDERS = (tuple, frozenset, Mapping)
