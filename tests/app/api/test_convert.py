"""`convert`: the same bytes and losses as those of the command."""

from __future__ import annotations

from pathlib import Path

import pytest

from bganalyze.app.api.convert import convert
from bganalyze.app.api.read import read
from bganalyze.writing import WRITERS
from tests.app.api.conftest import Run
from tests.app.api.records import CLEAN, ILLEGAL


@pytest.mark.parametrize("to", WRITERS)
def test_it_writes_what_the_command_writes(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, to: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.mat").write_bytes(ILLEGAL)
    result = run("convert", "a.mat", "out", "--to", to)
    made = convert("a.mat", to)
    assert made.data == Path("out").read_bytes()
    assert [f"a.mat: lost in out: {line}" in result.stderr for line in made.lost] == [True] * len(
        made.lost
    )
    assert result.stderr.count("lost in") == len(made.lost)


def test_matches_and_bytes_are_converted_alike() -> None:
    assert (
        convert(read(CLEAN, name="a.mat"), "sgf").data == convert(CLEAN, "sgf", name="a.mat").data
    )
    made = convert(CLEAN, "bgm", name="a.mat")
    assert (made.format, made.extension, made.text.encode()) == ("bgm", ".bgm", made.data)


def test_what_cannot_be_converted_is_refused() -> None:
    with pytest.raises(ValueError, match="'pdf' is no format; there are mat, "):
        convert(CLEAN, "pdf")
    with pytest.raises(ValueError, match="no match"):
        convert([], "mat")
    with pytest.raises(UnicodeDecodeError):
        _ = convert(CLEAN, "gvab").text
