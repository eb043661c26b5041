"""Codes and names of rules, which are promised to users: rules may be added, none renamed or removed."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from pathlib import Path

from bganalyze.validation.rules import CATALOG

PROMISED = Path(__file__).parent / "codes.txt"


class PromiseError(ValueError):
    """A rule has lost the code and name that users were promised."""


def read_promised_codes() -> set[str]:
    """Return the stored codes, each with the name of its rule."""
    return set(PROMISED.read_text(encoding="utf-8").splitlines())


def list_codes() -> set[str]:
    """Return the codes of the catalog, each with the name of its rule."""
    return {f"{rule.code} {rule.name}" for rule in CATALOG}


def extend(promised: AbstractSet[str], given: AbstractSet[str]) -> str:
    """Return the promise with new rules added, one a line. Raises PromiseError if a rule is lost."""
    if lost := sorted(promised - given):
        raise PromiseError(
            f"tests/stored/{PROMISED.name} promises {', '.join(lost)}, which no rule has:"
            " give the rule its code and name back"
        )
    return "".join(f"{pair}\n" for pair in sorted(given))


def codes() -> str:
    """Return what is promised from now on."""
    return extend(read_promised_codes(), list_codes())
