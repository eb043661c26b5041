"""The engine that is used unless one is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from bganalyze.analysis import engines
from bganalyze.analysis.engines import UNLIMITED, EngineError, gnubg, recorded, sage, start
from bganalyze.app.jobs.profile import find_default_engine

Install: TypeAlias = Callable[..., None]


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Install:
    """Return a function that leaves only the engines named installed."""

    def install(*names: str) -> None:
        for engine in (sage, gnubg):
            is_there = engine.__name__.rpartition(".")[2] in names
            monkeypatch.setattr(engine, "is_installed", lambda is_there=is_there: is_there)

    return install


@pytest.mark.parametrize(
    ("installed", "usual"),
    [(("sage", "gnubg"), "sage"), (("gnubg",), "gnubg"), ((), "recorded")],
)
def test_the_usual_engine_is_one_that_is_installed(
    installed: tuple[str, ...], usual: str, install: Install
) -> None:
    install(*installed)
    assert find_default_engine() == usual
    assert find_default_engine("quick") == (usual if installed else "sage")


def test_an_engine_without_a_name_is_the_installed_one(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    monkeypatch.setattr(gnubg, "start", lambda level, limits: started.append(level))
    install("gnubg")
    start(None)
    start(None, "quick")
    assert started == ["2ply", "quick"]


def test_without_an_installed_engine_the_error_sayshow_to_install_one(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    install()
    monkeypatch.setattr(sage, "PACKAGE", "no-such-package")
    with pytest.raises(EngineError, match="Open Sage is not installed"):
        start(None)


@pytest.mark.parametrize(
    ("installed", "said"),
    [
        (("gnubg",), "the file contains no analysis; choose --engine gnubg"),
        (("sage", "gnubg"), "the file contains no analysis; choose --engine sage"),
        ((), "the file contains no analysis; no engine is installed: "),
    ],
)
def test_without_stored_analyses_an_installed_engine_is_suggested(
    installed: tuple[str, ...], said: str, install: Install
) -> None:
    install(*installed)
    with pytest.raises(EngineError) as error:
        recorded.start("stored", UNLIMITED).evaluate([])
    assert str(error.value).startswith(said)
    assert ("apt install gnubg" in str(error.value)) == (not installed)


def test_a_missing_engine_suggests_the_other_one_only_if_it_is_installed(install: Install) -> None:
    install()
    assert sage.how_to_install().endswith("or install GNU Backgammon (Debian: apt install gnubg)")
    assert gnubg.how_to_install() == "install it (Debian: apt install gnubg)"
    install("gnubg")
    assert sage.how_to_install().endswith("or choose --engine gnubg (GNU Backgammon)")
    install("sage")
    assert gnubg.how_to_install().endswith("or choose --engine sage")


def test_quick_is_the_network_alone() -> None:
    assert engines.find_stored_level("quick") == "1ply"
    assert engines.find_stored_level("quick", "gnubg") == "0ply"
