"""Values of a JSON document made sure of, and where one is wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any, TypeVar

_T = TypeVar("_T")

Object = dict[str, Any]

MOST = 999_999_999
"""A larger number is none that a match holds."""

SHOWN = 40
"""Characters of a wrong value that are told."""


class WrongValueError(ValueError):
    """A value that is not what it must be; `where` leads to it from outside."""

    def __init__(self, what: str, where: str = "") -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.what = what
        self.where = where

    def within(self, where: str) -> WrongValueError:
        """The same, seen from one level further out."""
        inner = self.where if not self.where or self.where.startswith("[") else f".{self.where}"
        return WrongValueError(self.what, where + inner)


def obj(value: Any, keys: AbstractSet[str]) -> Object:
    """Return an object that has no other than these keys."""
    if type(value) is not dict:
        raise _wrong(value, "object")
    if not value.keys() <= keys:
        unknown = min(value.keys() - keys)
        raise WrongValueError(f"the key {unknown[:SHOWN]!r} is not known")
    return value


def texts(value: Any) -> tuple[tuple[str, str], ...]:
    """Return an object of texts, with any keys."""
    if type(value) is not dict:
        raise _wrong(value, "object")
    return tuple((text(key), text(each)) for key, each in value.items())


def number(value: Any) -> int:
    """Return a number that is not negative."""
    if type(value) is not int or not 0 <= value <= MOST:
        raise _wrong(value, "number")
    return value


def flag(value: Any) -> bool:
    """Return true or false."""
    if type(value) is not bool:
        raise _wrong(value, "truth value")
    return value


def text(value: Any) -> str:
    """Return a text, which can be written: half a character becomes a question mark."""
    if type(value) is not str:
        raise _wrong(value, "text")
    return value if value.isascii() else value.encode("utf-8", "replace").decode()


def many(value: Any, check: Callable[[Any], _T], exactly: int | None = None) -> tuple[_T, ...]:
    """Return a list of values that `check` makes sure of.

    >>> many([1, 2], number)
    (1, 2)
    """
    if type(value) is not list:
        raise _wrong(value, "list")
    if exactly is not None and len(value) != exactly:
        raise WrongValueError(f"{len(value)} values, not {exactly}")
    found = []
    for index, each in enumerate(value):
        try:
            found.append(check(each))
        except WrongValueError as error:
            raise error.within(f"[{index}]") from error
    return tuple(found)


def needed(said: Object, key: str, check: Callable[[Any], _T]) -> _T:
    """Return the value of a key that must be there."""
    try:
        return check(said[key])
    except KeyError as error:
        raise WrongValueError("is missing", key) from error
    except WrongValueError as error:
        raise error.within(key) from error


def known(said: Object, key: str, check: Callable[[Any], _T]) -> _T | None:
    """Return the value of a key that must be there, or None where it says that it is not known."""
    return needed(said, key, lambda value: None if value is None else check(value))


def given(said: Object, key: str, check: Callable[[Any], _T]) -> _T | None:
    """Return the value of a key, or None where it is left out."""
    return needed(said, key, check) if key in said else None


def _wrong(value: Any, wanted: str) -> WrongValueError:
    return WrongValueError(f"{repr(value)[:SHOWN]} is no {wanted}")
