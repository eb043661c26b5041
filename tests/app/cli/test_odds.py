"""The odds that a settings file states, in the output of every command that rests on them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

Run = Callable[..., Result]

SAMPLE = (
    Path(__file__).parent.parent.parent.parent / "samples" / "faulty" / "P407-early-bear-off.mat"
)
"""An error from which the game goes on as played, although a later play contradicts it."""


@pytest.mark.slow
def test_every_output_names_the_odds_and_the_file_that_states_them(run: Run, folder: Path) -> None:
    match = folder / "a.mat"
    match.write_bytes(SAMPLE.read_bytes())
    (unset, *_) = _proposals(run("repair", match, "--format", "jsonl"))
    assert unset["probability"] is None
    assert unset["slip"]["odds"] == ["1:9", "9:1"]
    assert "depending on how often slips are made" in run("repair", match).stdout
    settings = folder / "bganalyze.toml"
    settings.write_text('[repair]\nslips = "1:4"\n', encoding="utf-8")
    (stated, *_) = _proposals(run("repair", match, "--format", "jsonl"))
    low, high = unset["probability_range"]
    assert low < stated["probability"] < high
    for command in (("repair",), ("check", "--format", "json"), ("check", "--format", "sarif")):
        output = run(*command, match).stdout
        assert str(settings) in output
        assert "1:4" in output or "1 slip to 4 player's errors" in output


def _proposals(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]
