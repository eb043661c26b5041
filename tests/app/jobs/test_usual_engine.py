"""The engine that is used unless one is named."""

from __future__ import annotations

import pytest

from bganalyze.app.jobs import profile


@pytest.mark.parametrize(("found", "engine"), [(object(), "sage"), (None, "recorded")])
def test_open_sage_is_used_if_it_is_installed(
    found: object, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profile, "find_spec", lambda name: found if name == "bgsage" else None)
    assert profile.usual_engine() == engine


def test_a_level_needs_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile, "find_spec", lambda _: None)
    assert profile.usual_engine("quick") == "sage"
