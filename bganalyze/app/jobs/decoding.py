"""Plain values from JSON by the types that are declared for them; anything else is refused.

What was stored may come from somebody else: a value of another type or out of all bounds would be met
only where it is shown.
"""

import math
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache, partial
from types import GenericAlias, NoneType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

MOST = 1 << 31
"""Whole numbers are smaller than this, and larger than minus this."""


@cache
def decoder(kind: Any) -> Callable[[Any], Any]:
    """Return what makes a value of a type from JSON; it raises ValueError or TypeError if it cannot.

    >>> decoder(tuple[int, ...])([1, 2]), decoder(str | None)(None)
    ((1, 2), None)
    """
    if kind in _PLAIN:
        return _PLAIN[kind]
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return kind
    if get_origin(kind) is UnionType:
        (wanted,) = (choice for choice in get_args(kind) if choice is not NoneType)
        return _or_none(decoder(wanted))
    if get_origin(kind) in _HOLDERS:
        return _decoder_of_many(kind)
    fields = tuple(map(decoder, get_type_hints(kind).values()))
    return partial(_record, kind=kind, fields=fields)


def _decoder_of_many(kind: Any) -> Callable[[Any], Any]:
    holder, kinds = get_origin(kind), get_args(kind)
    if holder is Mapping:
        return partial(_mapping, pair=decoder(GenericAlias(tuple, kinds)))
    if holder is tuple and ... not in kinds:
        return partial(_record, kind=_together, fields=tuple(map(decoder, kinds)))
    if kind == tuple[int, ...]:
        return _numbers
    return partial(_many, holder=holder, decode=decoder(kinds[0]))


def _together(*values: Any) -> tuple[Any, ...]:
    return values


def _record(values: Any, kind: Callable[..., Any], fields: tuple[Callable[[Any], Any], ...]) -> Any:
    pairs = zip(fields, _listed(values), strict=True)
    return kind(*[decode(value) for decode, value in pairs])


def _many(values: Any, holder: Callable[[Any], Any], decode: Callable[[Any], Any]) -> Any:
    return holder(map(decode, _listed(values)))


def _mapping(values: Any, pair: Callable[[Any], Any]) -> Any:
    return dict(map(pair, _listed(values)))


def _or_none(decode: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda value: None if value is None else decode(value)


def _listed(values: Any) -> list[Any]:
    if not isinstance(values, list):
        raise TypeError("no list")
    return values


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    value.encode()  # A lone surrogate could not be written.
    return value


def _number(value: Any) -> int:
    if type(value) is not int or not -MOST < value < MOST:
        raise ValueError("no whole number")
    return value


def _numbers(values: Any) -> tuple[int, ...]:
    """Whole numbers at once, of which a board has many."""
    if set(map(type, _listed(values))) - {int} or not all(-MOST < value < MOST for value in values):
        raise ValueError("no whole numbers")
    return tuple(values)


def _measure(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ValueError("no number")
    return float(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("neither true nor false")
    return value


_PLAIN: dict[Any, Callable[[Any], Any]] = {
    str: _text,
    int: _number,
    float: _measure,
    bool: _flag,
}
_HOLDERS = (tuple, frozenset, Mapping)
