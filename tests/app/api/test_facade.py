"""The names that `import bganalyze` offers: complete, documented, typed, and imported only when used."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import subprocess
import sys
from pathlib import Path

import pytest

import bganalyze
from bganalyze import _NAMES as HOMES

FUNCTIONS = [name for name in bganalyze.__all__ if inspect.isfunction(getattr(bganalyze, name))]


def test_every_name_is_listed_once_and_can_be_imported() -> None:
    named = sorted(name for names in HOMES.values() for name in names)
    assert named == sorted(bganalyze.__all__)
    assert [name for name in dir(bganalyze) if name[0] != "_"] == sorted(bganalyze.__all__)
    for name in bganalyze.__all__:
        assert getattr(bganalyze, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = bganalyze.nothing  # type: ignore[attr-defined]


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(bganalyze.__file__).read_text(encoding="utf-8"))
    seen, _ = (node for node in tree.body if isinstance(node, ast.If))
    imported = {
        (node.module, alias.name)
        for node in seen.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {
        (f"bganalyze.{home}", name) for home, names in HOMES.items() for name in names
    }


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_is_documented_and_typed(name: str) -> None:
    function = getattr(bganalyze, name)
    assert "Raises" in function.__doc__ or "raise " in function.__doc__
    annotated = function.__annotations__
    assert set(annotated) == {*inspect.signature(function).parameters, "return"}


def test_type_checkers_know_no_other_name() -> None:
    """They take every name for defined where they see a `__getattr__`."""
    tree = ast.parse(Path(bganalyze.__file__).read_text(encoding="utf-8"))
    *_, hidden = (node for node in tree.body if isinstance(node, ast.If))
    assert ast.unparse(hidden) == "if not TYPE_CHECKING:\n    __getattr__ = _import_name"
    assert ast.unparse(tree).count("__getattr__") == 1


def test_all_errors_have_one_base() -> None:
    things = (getattr(bganalyze, name) for name in bganalyze.__all__)
    errors = [one for one in things if isinstance(one, type) and issubclass(one, Exception)]
    assert len(errors) > 10
    assert all(issubclass(error, bganalyze.BganalyzeError) for error in errors)
    assert issubclass(bganalyze.NotATranscript, ValueError)
    assert issubclass(bganalyze.UnreadableError, ValueError)


def test_no_function_is_called_as_a_package_is() -> None:
    """Importing a package binds its name here."""
    folders = {path.stem for path in Path(bganalyze.__file__).parent.iterdir()}
    assert folders.isdisjoint(bganalyze.__all__)


def test_a_name_is_imported_when_it_is_used() -> None:
    code = (
        "import sys, bganalyze; before = set(sys.modules); bganalyze.BASIC;"
        "print(*sorted(n for n in set(sys.modules) - before if n.startswith('bganalyze')));"
        "assert not any(n.startswith('bganalyze.') for n in before)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.split() == [
        "bganalyze.board",
        "bganalyze.board.position",
        "bganalyze.board.rule_book",
        "bganalyze.board.rule_text",
        "bganalyze.errors",
    ]


@pytest.mark.parametrize(
    ("name", "field", "text"),
    [
        ("Finding", "closed_by", "`line:column` of the roll or play that closed the error"),
        ("RepairedFile", "later", "Messages of repairs that were proved only after"),
        ("CheckResult", "files", "The outcome of each file"),
        ("Converted", "losses", "Information that the format cannot hold"),
        ("MatchTables", "turns", "A row for each roll."),
    ],
)
def test_help_shows_what_a_field_is(name: str, field: str, text: str) -> None:
    shown = pydoc.plain(pydoc.render_doc(getattr(bganalyze, name)))
    assert text in shown
    assert "Alias for field number" not in shown
    assert re.search(rf"{field}:? *\n? .*{re.escape(text)}", shown)


def test_every_schema_of_the_package_has_a_name() -> None:
    files = Path(bganalyze.__file__).parent.rglob("*.schema.json")
    for name in (path.name.removesuffix(".schema.json") for path in files):
        assert bganalyze.schema(name)["$schema"].startswith("https://json-schema.org/")
