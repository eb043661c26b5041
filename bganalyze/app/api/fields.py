"""Docstrings of the fields of classes, taken from the source so that `help()` shows them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any


def document_fields(value: Any) -> None:
    """Give each field of a class the docstring that stands below the field in the source.

    Values that are not named tuples or dataclasses are left unchanged.
    """
    is_tuple = isinstance(value, type) and hasattr(value, "_fields")
    if not (is_tuple or (isinstance(value, type) and dataclasses.is_dataclass(value))):
        return
    # As with `python -OO`.
    if value.__doc__ is None:
        return
    texts = dict(_find_field_docstrings(_parse_classes(value.__module__).get(value.__name__)))
    if is_tuple:
        for name in set(texts).intersection(value._fields):
            getattr(value, name).__doc__ = texts[name]
    elif texts:
        lines = (f"{name}: {' '.join(text.split())}" for name, text in texts.items())
        value.__doc__ = "\n\n".join((inspect.cleandoc(value.__doc__), "\n".join(lines)))


@cache
def _parse_classes(module: str) -> dict[str, ast.ClassDef]:
    """Return the class definitions in a module's source, by class name."""
    try:
        tree = ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, SyntaxError):
        return {}
    return {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}


def _find_field_docstrings(tree: ast.ClassDef | None) -> Iterator[tuple[str, str]]:
    """Yield the name and the docstring of each field of a class, if the field has one."""
    for field, below in pairwise(() if tree is None else tree.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
