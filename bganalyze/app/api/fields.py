"""The texts under the fields of values, put where `help()` finds them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
from collections.abc import Iterator
from itertools import pairwise
from textwrap import dedent
from typing import Any


def document_fields(value: Any) -> None:
    """Give the fields of a named tuple or a dataclass the texts under them in the source.

    A field of a named tuple gets a docstring of its own. Those of a dataclass are listed in the docstring
    of the class. Nothing happens to other values, without docstrings (`python -OO`) or without the source.
    """
    is_tuple = isinstance(value, type) and hasattr(value, "_fields")
    if not (is_tuple or (isinstance(value, type) and dataclasses.is_dataclass(value))):
        return
    if value.__doc__ is None:
        return
    try:
        (tree,) = ast.parse(dedent(inspect.getsource(value))).body
    except (OSError, SyntaxError):
        return
    texts = dict(_find_texts(tree))
    if is_tuple:
        for name in set(texts).intersection(value._fields):
            getattr(value, name).__doc__ = texts[name]
    elif texts:
        lines = (f"{name}: {' '.join(text.split())}" for name, text in texts.items())
        value.__doc__ = "\n\n".join((inspect.cleandoc(value.__doc__), "\n".join(lines)))


def _find_texts(tree: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield the name of each field of a class that is followed by a text, with that text."""
    body = tree.body if isinstance(tree, ast.ClassDef) else []
    for field, below in pairwise(body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                yield name, inspect.cleandoc(text)
