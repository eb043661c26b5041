"""Faulty samples from the examples of rules, for rules that no other sample shows.

`bganalyze/validation/rules/catalog.py` says how an example is written.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from textwrap import dedent

from draft import TypedDraft
from faults import Fault, Row, fault

from bganalyze.validation.rules import CATALOG

SHOWN_BY_CLEAN = frozenset(("R613", "T107", "T113", "T115"))
"""Codes of remarks that clean samples show."""

HEAD = " 5 point match\n Game 1\n Ann : 0                         Bob : 0\n"

_EXAMPLE = re.compile(r"\n\nExample:\n\n(.*?)\n\n(?! )", re.DOTALL)
_MARKS = re.compile(r" *<- (.*)$")
_BYTE = re.compile(rb"\\x([0-9a-f]{2})")


class ExampleDraft(TypedDraft):
    r"""The text of an example; four characters such as `\x81` mean that byte."""

    def data(self) -> bytes:
        """Return the bytes of the file."""
        return _BYTE.sub(lambda escape: bytes([int(escape[1], 16)]), super().data())


def examples(shown: Collection[str]) -> Iterator[Fault]:
    """Yield the example of each rule whose code is not among the `shown` ones."""
    for rule in CATALOG:
        example = _EXAMPLE.search(rule.doc)
        if rule.code not in SHOWN_BY_CLEAN.union(shown) and example:
            lines, rows = _read_example(example[1])
            note = "the example of its rule"
            yield fault(f"{rule.code}-{rule.name}.mat", ExampleDraft("\n".join(lines)), note, *rows)


def _read_example(text: str) -> tuple[list[str], list[Row]]:
    """Return the lines of an example without their marks, and the findings that are marked."""
    marked = dedent(text) + "\n"
    if re.match(r" *\d+\)", marked):
        marked = HEAD + marked
    lines, rows = [], []
    for number, line in enumerate(marked.split("\n"), 1):
        marks = _MARKS.search(line)
        for mark in marks[1].split(",") if marks else ():
            code, *standing = mark.split()
            rows.append(Row(code, f"#{number}", *standing))
        lines.append(_MARKS.sub("", line))
    return lines, rows
