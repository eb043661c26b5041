"""The command line, to which the functions of the library are compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from typer.testing import Result

from tests.app.cli.conftest import run

__all__ = ["run"]

Run: TypeAlias = Callable[..., Result]


@pytest.fixture(autouse=True)
def nobody_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tests away from the database and the settings of the user who runs them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path.parent / f"{tmp_path.name}-data"))
    monkeypatch.setenv("COLUMNS", "80")
