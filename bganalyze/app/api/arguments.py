"""Checks of the arguments of the library's functions: a wrong type is refused before any work."""

from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from bganalyze.text import did_you_mean

_P = ParamSpec("_P")
_R = TypeVar("_R")


def check_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Decorate a function so that an argument of a wrong type raises TypeError.

    A number that is too small raises ValueError. The types are those of the function's annotations.

    >>> @check_arguments
    ... def double(number: int | None) -> int:
    ...     return 2 * (number or 0)
    >>> double("2")
    Traceback (most recent call last):
    ...
    TypeError: number: a whole number or None expected, not str
    """
    signature = inspect.signature(function)
    expected = {name: split_annotation(text) for name, text in function.__annotations__.items()}

    @wraps(function)
    def call_checked(*args: _P.args, **kwargs: _P.kwargs) -> _R:
        """Call the function after checking its arguments."""
        for name, value in _bind_arguments(function.__name__, signature, args, kwargs).items():
            require_kind(name, value, expected[name])
            if name in _LEAST and value < _LEAST[name]:
                raise ValueError(f"{name}: at least {_LEAST[name]} expected, not {value}")
        return function(*args, **kwargs)

    return call_checked


def _bind_arguments(
    function: str,
    signature: inspect.Signature,
    args: Sequence[object],
    kwargs: Mapping[str, object],
) -> dict[str, Any]:
    """Return the arguments of a call by parameter name; raise TypeError if they do not fit.

    The error message begins with `function`, the name of the function called.
    """
    try:
        return signature.bind(*args, **kwargs).arguments
    except TypeError as error:
        unknown = next((name for name in kwargs if name not in signature.parameters), "")
        hint = did_you_mean(unknown, signature.parameters)
        raise TypeError(f"{function}(): {error}{hint}") from None


def split_annotation(annotation: str) -> tuple[str, ...]:
    """Return the alternative types in a type annotation.

    >>> split_annotation("str | Iterable[int | str] | None")
    ('str', 'Iterable[int | str]', 'None')
    """
    return tuple(re.split(r" \| (?![^\[]*\])", annotation))


def require_kind(name: str, value: object, expected: Iterable[str]) -> None:
    """Raise TypeError unless the argument called `name` has one of the `expected` types."""
    expected = tuple(expected)
    if not any(_is_of_type_named(value, kind) for kind in expected):
        words = " or ".join(dict.fromkeys(_WORDS.get(kind, kind) for kind in expected))
        raise TypeError(f"{name}: {words} expected, not {type(value).__name__}")


def _is_of_type_named(value: object, kind: str) -> bool:
    """Whether a value has the type whose name is `kind`.

    >>> _is_of_type_named(2, "int"), _is_of_type_named(2.5, "decimal.Decimal")
    (True, False)
    """
    if kind in _KINDS:
        return _KINDS[kind](value)
    return any(base.__name__ == kind.rpartition(".")[2] for base in type(value).__mro__)


def _is_whole_number(value: object) -> bool:
    """Whether a value is a whole number. A bool is none."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    """Whether a value is a number. A bool is none."""
    return isinstance(value, float) or _is_whole_number(value)


def _is_path(value: object) -> bool:
    """Whether a value is a `str` or an `os.PathLike`."""
    return isinstance(value, str | os.PathLike)


def _is_iterable_of(value: object, is_one: Callable[[object], bool]) -> bool:
    """Whether a value is an iterable, but no text or bytes, and all its items satisfy `is_one`."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return False
    # Checking the values of an iterator would use them up.
    return not isinstance(value, Collection) or all(map(is_one, value))


_LEAST = {"workers": 1, "min_games": 1, "most": 1}
"""The least values of numbers, the same as those of the options of commands."""

_KINDS: dict[str, Callable[[object], bool]] = {
    "None": lambda value: value is None,
    "Source": lambda _: True,  # `yield_files_or_matches` examines it
    "FilePath": _is_path,
    "int": _is_whole_number,
    "float": _is_number,
    "Callable[[str], str]": callable,
    "Iterable[str]": lambda value: _is_iterable_of(value, lambda one: isinstance(one, str)),
    "Collection[str]": lambda value: (
        isinstance(value, Collection) and _is_iterable_of(value, lambda one: isinstance(one, str))
    ),
    "Iterable[FilePath]": lambda value: _is_iterable_of(value, _is_path),
    "Iterable[int | str]": lambda value: _is_iterable_of(
        value, lambda one: isinstance(one, str) or _is_whole_number(one)
    ),
}
"""Tests of the kinds of values that are not classes."""

_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "True or False",
    "Callable[[str], str]": "a function",
    "FilePath": "a path",
    "Match": "a Match, as read() returns them,",
    "Iterable[str]": "several texts",
    "Collection[str]": "several texts",
    "Iterable[FilePath]": "several paths",
    "Iterable[int | str]": "several numbers",
    "dt.date": "a date",
}
"""Kinds of values in the words of messages; a class has its own name."""
